/* DEVICE [ENGINE] and the forms of a data sheet: what `commands` and `registers` take. */
#ifndef TOOLS_SHEET_ARGUMENTS_H
#define TOOLS_SHEET_ARGUMENTS_H

#include "tool.h"

#include "device/device.h"

/* What a subcommand takes beside a device and --json, --markdown. */
enum sheet_accepts { SHEET_ACCEPTS_FIELDS = 1u << 0, SHEET_ACCEPTS_ENGINE = 1u << 1 };

struct sheet_arguments {
    const struct sheet *sheet;
    const char *engine; /* "rcs0", or a class; NULL: all */
    unsigned classes;   /* bits of the classes it names */
    unsigned takes;     /* enum sheet_takes */
    bool json, markdown, fields;
};

/* Parses; ends the program on --help and on errors. */
void sheet_arguments_parse(struct sheet_arguments *a, int argc, char **argv, const char *doc, unsigned takes);
/* The object that the lists of --json go into. */
struct json_object *sheet_object(const struct sheet_arguments *a, const char *schema);

struct json_object *sheet_field_json(const struct field *f);
void sheet_print_fields(const struct field *fields, unsigned count, const char *indent);

#endif
