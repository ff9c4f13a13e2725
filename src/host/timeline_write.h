/* Writes the records of a timeline: as JSON of Chrome's trace viewer, or as Perfetto's protocol buffers. */
#ifndef HOST_TIMELINE_WRITE_H
#define HOST_TIMELINE_WRITE_H

#include "base/text.h"

#include <stdio.h>

/* The phases of Chrome's format. COMPLETE is a slice with its length. */
enum timeline_phase {
    TIMELINE_BEGIN = 'B',
    TIMELINE_END = 'E',
    TIMELINE_INSTANT = 'i',
    TIMELINE_COMPLETE = 'X'
};

enum { TIMELINE_ARGUMENTS = 8, TIMELINE_ARGUMENT_BYTES = 96 };
struct timeline_argument {
    const char *key;
    char value[TIMELINE_ARGUMENT_BYTES];
};

struct timeline_record {
    enum timeline_phase phase;
    unsigned track;        /* from 0 on */
    uint64_t ns, until_ns; /* until_ns: of COMPLETE */
    const char *category, *name;
    unsigned count;
    struct timeline_argument arguments[TIMELINE_ARGUMENTS];
};

/* How a format writes the start of a file, a track before its first record, a record, the end. */
struct timeline_format {
    void (*begin)(FILE *to, const char *process);
    void (*track)(FILE *to, unsigned track, const char *name);
    void (*record)(FILE *to, const struct timeline_record *r);
    void (*end)(FILE *to);
};
extern const struct timeline_format timeline_json, timeline_perfetto;

#endif
