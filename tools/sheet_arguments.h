/* Arguments of subcommands that list a data sheet: DEVICE [ENGINE] and the output format. */
#ifndef TOOLS_SHEET_ARGUMENTS_H
#define TOOLS_SHEET_ARGUMENTS_H

#include "tool.h"

#include "device/host.h"

/* What a subcommand accepts besides a device, --json and --markdown. */
enum sheet_accepts { SHEET_ACCEPTS_FIELDS = 1u << 0, SHEET_ACCEPTS_ENGINE = 1u << 1 };

struct sheet_arguments {
    const struct sheet *sheet;
    const char *engine; /* "rcs0", or a class; NULL: all */
    unsigned classes;   /* engine classes as bits */
    unsigned takes;     /* enum sheet_accepts */
    bool json, markdown, fields;
};

/* Parses the command line. Ends the tool on --help and on errors. */
void sheet_arguments_parse(struct sheet_arguments *a, int argc, char **argv, const char *doc, unsigned takes);
/* The JSON object for the lists. */
struct json_object *sheet_object(const struct sheet_arguments *a, const char *schema);

struct json_object *sheet_field_json(const struct field *f);

#endif
