/* Programs of the text form, run on devices or written as AUB files. */
#ifndef PLAYER_GTS_RUN_H
#define PLAYER_GTS_RUN_H

#include "gts/gts.h"

/* Reads the program in `path` and runs it on each device that it names; the worst result. */
enum gts_result gts_run_file(const char *path, const struct gts_options *options);
/* Reads the program in `path` and writes it as an AUB file of its first device. What AUB cannot say becomes a
 * comment and a note.
 */
enum gts_result gts_assemble_file(const char *path, const char *aub_path, const struct gts_options *options);

/* The same with the text in memory; `name` stands in messages. */
enum gts_result gts_run_text(const char *name, const char *text, size_t size,
                             const struct gts_options *options);
enum gts_result gts_assemble_text(const char *name, const char *text, size_t size, const char *aub_path,
                                  const struct gts_options *options);

/* The program in `path`, or `text` where that is not NULL, as a trace in an open file, which is closed when
 * the text has no errors. */
enum gts_result gts_assemble_into(const char *path, const char *text, size_t size, FILE *aub,
                                  const struct gts_options *options);

#endif
