/* Runs programs of the text form on devices, or writes them as AUB files. */
#ifndef PLAYER_GTS_RUN_H
#define PLAYER_GTS_RUN_H

#include "gts/gts.h"

/* Reads the program in `path` and runs it on each device that it names. Returns the worst result. */
enum gts_result gts_run_file(const char *path, const struct gts_options *options);
/* Reads the program in `path` and writes it as an AUB file for its first device. Statements that AUB cannot
 * express become comments and notes. */
enum gts_result gts_assemble_file(const char *path, const char *aub_path, const struct gts_options *options);

/* The same with the text in memory; `name` stands in messages. */
enum gts_result gts_run_text(const char *name, const char *text, size_t size,
                             const struct gts_options *options);
enum gts_result gts_assemble_text(const char *name, const char *text, size_t size, const char *aub_path,
                                  const struct gts_options *options);

/* Writes the program in `path`, or `text` if that is not NULL, into an open file, which is closed unless the
 * text has errors. */
enum gts_result gts_assemble_into(const char *path, const char *text, size_t size, FILE *aub,
                                  const struct gts_options *options);

#endif
