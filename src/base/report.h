/* The core's way out for complaints and trace events: the report and trace ports, and virtual time. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <softgt/softgt.h>

/* The cost of running beyond the dwords of commands, in virtual time. Deterministic: it does not depend on
 * the host's clock. */
struct run_cost {
    uint64_t ns;          /* estimated host cost of the current command; its runner takes it off the budget */
    uint64_t charged_dw;  /* total that budgets lost to `ns` */
    uint64_t spared_dw;   /* of `ns`, not to be charged: a repeated recorded run is bounded by dwords alone */
    uint64_t repeated_dw; /* total dwords of commands that were not done and are parsed again */
    uint64_t partial_dw;  /* of these, the last command's that takes several parts; 0: it is done */
    uint64_t run_dw;      /* budget of the run of all engines: somebody waits for the end of a short one */
    bool counts_dwords;   /* a run is bounded by dwords: one that only begins something has one */
};

/* Reports, trace events and the virtual clock of a device: what its units share and send to the owner. */
struct device_log {
    const struct softgt *device; /* for the owner; NULL: none */
    struct softgt_report_port report;
    struct softgt_trace_port trace;
    uint64_t now_ns; /* virtual time since power on, moved only by softgt_advance */
    struct run_cost cost;
    bool is_held; /* a debugger holds the engines: a run ends before their next command. Not saved */
};

/* Costs: a transfer through the port, a report, a message signalled interrupt. */
enum { PORT_ACCESS_COST_NS = 10000, REPORT_COST_NS = 500, MESSAGE_COST_NS = 2000 };

/* One complaint. `unit` must be static. */
__attribute__((format(printf, 5, 6))) void report_error(struct device_log *w, enum softgt_complaint complaint,
                                                        const char *unit, uint64_t address,
                                                        const char *format, ...);

/* The names of mistakes that a user may tolerate, by mistake; NULL: not tolerable. */
enum { MISTAKES = SOFTGT_MISTAKE_FAULT + 1 };
extern const char *const mistake_words[MISTAKES];
/* 1 << the mistake that a word names, or 0. */
unsigned mistake_bit(const char *word, size_t length);

/* A guest error of a kind. */
__attribute__((format(printf, 5, 6))) void report_guest_error(struct device_log *w,
                                                              enum softgt_mistake mistake, const char *unit,
                                                              uint64_t address, const char *format, ...);

/* "vf1" ..., static; the same of a second GuC: "vf1 guc1" ... */
const char *vf_name(unsigned function);
const char *vf_guc1_name(unsigned function);

static inline bool tracing(const struct device_log *w, unsigned what)
{
    return __builtin_expect((w->trace.mask & what) != 0, 0);
}

/* Work is done one by one, in order, while somebody listens to any of these: that of pixels, of threads. */
enum {
    TRACE_DRAW_DETAILS =
        SOFTGT_TRACE_PRIMITIVES | SOFTGT_TRACE_FRAGMENTS | SOFTGT_TRACE_SAMPLING | SOFTGT_TRACE_LOADS,
    TRACE_BY_PIXEL = SOFTGT_TRACE_MEMORY | SOFTGT_TRACE_FRAGMENTS,
    TRACE_BY_THREAD = SOFTGT_TRACE_MEMORY | TRACE_DRAW_DETAILS
};

/* Sends an event; call only when tracing() said so. now_ns is filled in here. */
void trace_event(const struct device_log *w, struct softgt_event event);

#endif
