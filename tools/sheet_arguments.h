/* Arguments of subcommands that list a data sheet: DEVICE [ENGINE] and the output format. */
#ifndef TOOLS_SHEET_ARGUMENTS_H
#define TOOLS_SHEET_ARGUMENTS_H

#include "tool.h"

#include <softgt/tools.h>

/* What a subcommand accepts besides a device, --json and --markdown. */
enum sheet_accepts {
    SHEET_ACCEPTS_FIELDS = 1u << 0,
    SHEET_ACCEPTS_ENGINE = 1u << 1,
    SHEET_ACCEPTS_DECODED = 1u << 2 /* products of DECODED_SHEETS */
};

struct sheet_arguments {
    struct softgt_spec *spec;    /* of the device; sheet_arguments_end destroys it */
    const char *device, *engine; /* engine: "rcs0", or a class; NULL: all */
    unsigned classes;            /* engine classes as bits */
    unsigned takes;              /* enum sheet_accepts */
    bool json, markdown, fields;
};

/* Parses the command line. Ends the tool on --help and on errors. */
void sheet_arguments_parse(struct sheet_arguments *a, int argc, char **argv, const char *doc, unsigned takes);
void sheet_arguments_end(struct sheet_arguments *a);
/* The rows of a device. Ends the tool when memory is exhausted. */
struct softgt_spec *sheet_spec(const char *device);
/* The engine is the requested one, or of the requested class; false for units that are no engines. */
bool sheet_has_engine(const struct sheet_arguments *a, const char *engine);
/* The JSON object for the lists. */
struct json_object *sheet_object(const struct sheet_arguments *a, const char *schema);

/* Field `index` of a row. */
struct json_object *sheet_field_json(const struct softgt_row *row, size_t index);

#endif
