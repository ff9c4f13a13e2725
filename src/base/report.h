/* The core's way out for complaints and trace events: the report and trace ports, and virtual time. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <softgt/softgt.h>

struct witness {
    struct softgt_report_port report;
    struct softgt_trace_port trace;
    uint64_t now_ns; /* virtual time since power on, moved only by softgt_advance */
    /* What the command at hand took of the host, roughly, where its dwords do not tell: the same each time,
     * whatever the host's clock says. Who runs commands takes it off their budget. */
    uint64_t cost_ns;
    uint64_t charged_dw; /* what budgets lost to that, in all */
    uint64_t spared_dw;  /* what they do not lose: a recorded run that is repeated goes by dwords */
    uint64_t again_dw;   /* dwords of commands that were not done and are parsed again, in all */
    uint64_t midway_dw;  /* of these the last command's that takes several parts; 0: it is done */
    bool in_dwords;      /* a run is told by its dwords: one that does nothing but begin something has one */
};

/* An access of memory that cannot be mapped: a question to whoever has it, and an answer. A complaint: its
 * text. A message: whoever hears it wakes. */
enum { PORT_NS = 10000, COMPLAINT_NS = 500, MESSAGE_NS = 2000 };

/* One complaint. `unit` must be static. */
__attribute__((format(printf, 5, 6))) void complain(struct witness *w, enum softgt_complaint complaint,
                                                    const char *unit, uint64_t address, const char *format,
                                                    ...);

/* What a user may tolerate, by its word; NULL: nothing to tolerate. */
enum { MISTAKES = SOFTGT_MISTAKE_FAULT + 1 };
extern const char *const mistake_words[MISTAKES];
/* 1 << the mistake that a word names, or 0. */
unsigned mistake_bit(const char *word, size_t length);

/* A guest error of a kind. */
__attribute__((format(printf, 5, 6))) void complain_of(struct witness *w, enum softgt_mistake mistake,
                                                       const char *unit, uint64_t address, const char *format,
                                                       ...);

/* "vf1" ..., static. */
const char *function_name(unsigned function);

static inline bool tracing(const struct witness *w, unsigned what)
{
    return __builtin_expect((w->trace.mask & what) != 0, 0);
}

/* Sends an event; call only when tracing() said so. now_ns is filled in here. */
void trace_event(const struct witness *w, struct softgt_event event);

#endif
