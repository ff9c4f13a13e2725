#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void tell(struct device_log *w, struct softgt_report report,
                                                       const char *format, va_list arguments)
{
    static const char *const names[] = {"guest error", "not modelled", "host failure"};
    char text[400];               /* an instruction of a thread is in it */
    w->cost.ns += REPORT_COST_NS; /* whether or not somebody listens */
    if (!w->report.report && !tracing(w, SOFTGT_TRACE_COMPLAINTS))
        return;
    vsnprintf(text, sizeof text, format, arguments);
    report.text = text;
    report.now_ns = w->now_ns;
    report.device = w->device;
    if (tracing(w, SOFTGT_TRACE_COMPLAINTS))
        trace_event(w, (struct softgt_event){.what = SOFTGT_TRACE_COMPLAINTS,
                                             .unit = report.unit,
                                             .name = names[report.complaint],
                                             .text = text,
                                             .address = report.address});
    if (w->report.report)
        w->report.report(w->report.user, &report);
}

void report_error(struct device_log *w, enum softgt_complaint complaint, const char *unit, uint64_t address,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(w, (struct softgt_report){.complaint = complaint, .unit = unit, .address = address}, format,
         arguments);
    va_end(arguments);
}

void report_guest_error(struct device_log *w, enum softgt_mistake mistake, const char *unit, uint64_t address,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(w,
         (struct softgt_report){
             .complaint = SOFTGT_GUEST_ERROR, .mistake = mistake, .unit = unit, .address = address},
         format, arguments);
    va_end(arguments);
}

void trace_event(const struct device_log *w, struct softgt_event event)
{
    event.now_ns = w->now_ns;
    event.device = w->device;
    w->trace.event(w->trace.user, &event);
}

const char *const mistake_words[MISTAKES] = {
    [SOFTGT_MISTAKE_SHORT] = "short",
    [SOFTGT_MISTAKE_DROPPED] = "dropped",
    [SOFTGT_MISTAKE_MISPLACED] = "misplaced",
    [SOFTGT_MISTAKE_FAULT] = "faults",
};

unsigned mistake_bit(const char *word, size_t length)
{
    for (unsigned i = 0; i < MISTAKES; i++)
        if (mistake_words[i] && strlen(mistake_words[i]) == length &&
            memcmp(mistake_words[i], word, length) == 0)
            return 1u << i;
    return 0;
}

#define TEN(n, end)                                                                                          \
    n "0" end, n "1" end, n "2" end, n "3" end, n "4" end, n "5" end, n "6" end, n "7" end, n "8" end,       \
        n "9" end
#define VF_NAMES(end)                                                                                        \
    TEN("vf", end), TEN("vf1", end), TEN("vf2", end), TEN("vf3", end), TEN("vf4", end), TEN("vf5", end),     \
        TEN("vf6", end)
const char *vf_name(unsigned function)
{
    static const char *const names[] = {VF_NAMES("")};
    return names[function % (sizeof names / sizeof names[0])];
}

const char *vf_guc1_name(unsigned function)
{
    static const char *const names[] = {VF_NAMES(" guc1")};
    return names[function % (sizeof names / sizeof names[0])];
}
