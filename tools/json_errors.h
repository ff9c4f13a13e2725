/* With --json, a subcommand that ends with TOOL_UNUSABLE prints an object softgt.error. */
#ifndef TOOLS_JSON_ERRORS_H
#define TOOLS_JSON_ERRORS_H

#include <argp.h>

/* Finds out whether --json (key 'j') is among the arguments. */
void json_errors_start(const struct argp *argp, int argc, char **argv);
/* Keeps the first message for the object; `file` may be NULL. Notes are dropped. */
void json_errors_add(const char *file, const char *text);
/* Another object has the messages so far. */
void json_errors_forget(void);
/* The exit status of the subcommand. */
void json_errors_status(int status);
/* At exit. Without a status the tool ended inside of the subcommand, with TOOL_UNUSABLE. */
void json_errors_end(void);

#endif
