/* Complaints of a device, each kept once with its number. */
#ifndef TOOLS_COMPLAINTS_H
#define TOOLS_COMPLAINTS_H

#include <softgt/softgt.h>
#include <stdio.h>

enum { COMPLAINTS = 256 };

struct complaint {
    enum softgt_complaint kind;
    const char *unit;
    char text[128];
    uint64_t count;
    /* Of the first: */
    uint64_t address, now_ns;
    uint64_t batch, context, offset, submission; /* where the caller knows them */
    bool has_context, has_offset;
};

struct complaints {
    struct complaint list[COMPLAINTS];
    unsigned count;
    uint64_t dropped; /* there was no room for these */
};

extern const char *const complaint_names[];

/* The complaint if it is new, else NULL. */
struct complaint *complaints_add(struct complaints *all, const struct softgt_report *report);
/* Where it came first, how often, and what it says. */
void complaint_print(FILE *to, const struct complaint *c);

#endif
