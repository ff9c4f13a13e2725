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
};

struct complaints {
    struct complaint list[COMPLAINTS];
    unsigned count;
    uint64_t beyond; /* there was no room for these */
};

extern const char *const complaint_names[];

/* True: it is new. */
bool complaints_add(struct complaints *all, const struct softgt_report *report);
/* One line, with the number where it came more than once. */
void complaint_print(FILE *to, const struct complaint *c);

#endif
