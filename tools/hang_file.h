/* Reads error states for decode and run. */
#ifndef TOOLS_HANG_FILE_H
#define TOOLS_HANG_FILE_H

#include "gen/sheet.h"
#include "hang/state.h"

/* Reads and parses a file; its problems are reported with their lines, and counted. `limit_bytes` 0: 1 GB.
 * False: there is nothing of use in it. The state is to be freed in both cases. */
bool hang_read(const char *file, uint64_t limit_bytes, struct error_state *state);
/* The device of the file; `wanted`, if it is not NULL. `decoded`: one whose commands only are known is good,
 * too. NULL after a message. */
const struct sheet *hang_sheet(const char *file, const struct error_state *state, const char *wanted,
                               bool decoded);

#endif
