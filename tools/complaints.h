/* Complaints of a device: each is kept once, with a count. */
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
    /* Of the first one: */
    uint64_t address, now_ns;
    uint64_t batch, context, offset, submission; /* if the caller knows them */
    bool has_context, has_offset;
};

struct complaints {
    struct complaint list[COMPLAINTS];
    unsigned count;
    uint64_t dropped; /* complaints for which there was no space */
};

extern const char *const complaint_names[];

/* Counts a complaint. Returns it if it is new, otherwise NULL. */
struct complaint *complaints_add(struct complaints *all, const struct softgt_report *report);
/* Prints the complaint: place of the first one, count, text. */
void complaint_print(FILE *to, const struct complaint *c);

#endif
