/* What softgt exec shares with subcommands that run programs by it. */
#ifndef TOOLS_EXEC_H
#define TOOLS_EXEC_H

#include "drm/exec_options.h"

#include <argp.h>
#include <stdbool.h>

/* The value of --driver; another word ends the tool. */
enum exec_driver exec_parse_driver(struct argp_state *state, const char *name);
/* The device, if a driver of that kind knows it; EXEC_DRIVERS: one that does is chosen. NULL after a message.
 */
const struct softgt_device_info *exec_device(const char *name, enum exec_driver *driver);
/* The path of this program; without /proc as it was started. */
bool exec_find_self(char self[EXEC_PATH]);
/* The file that a program's name stands for: itself if it has a slash, else the first executable one in PATH.
 * False: there is none; see errno. */
bool exec_find_program(const char *name, char path[EXEC_PATH]);
/* "" counts as writable. False after a message that names the option. */
bool exec_can_write(const char *option, const char *path);

#endif
