/*
 * A trace of EU instructions as they run: a filter, a limit, and a line for each. It uses the hooks of
 * softgt_watch_threads or softgt_eu_watch.
 */
#ifndef HOST_EU_TRACE_H
#define HOST_EU_TRACE_H

#include <softgt/eu.h>
#include <stdio.h>

/* The threads and instructions that are shown; {0}: all. */
struct eu_filter {
    bool has_kernel, has_group, has_thread, has_ip;
    uint64_t kernel; /* graphics address */
    uint32_t group[3], thread;
    uint64_t first_ip, last_ip; /* from the kernel's start */
};

/* Parses a list of kernel=ADDRESS, group=X[:Y[:Z]], thread=N and ip=FIRST[:LAST], separated by commas. False:
 * `word` of the text is none of these. */
bool eu_filter_parse(struct eu_filter *f, const char *text, char *word, size_t size);

enum { EU_TRACE_LIMIT = 10000 };

struct eu_trace {
    struct eu_filter filter;
    uint64_t limit, shown; /* instructions; `shown` starts as 0 */
    void *user;
    void (*show)(void *user, const struct softgt_eu_thread *thread); /* an instruction that has run */
    void (*limited)(void *user, uint64_t limit); /* optional: called when the limit is reached */
};

/* `trace` must stay valid. */
struct softgt_eu_hooks eu_trace_hooks(struct eu_trace *trace);

/* Prints the instruction, and a line for each register that it changed. False: out of memory. */
bool eu_trace_print(FILE *to, const struct softgt_eu_thread *thread);
void eu_trace_print_limit(FILE *to, uint64_t limit);
/* A register's bytes as hexadecimal numbers, separated by blanks. */
enum { EU_VALUES_TEXT = 320 };
void eu_trace_values(enum softgt_eu_file file, const void *bytes, size_t size_bytes, char *text);

#endif
