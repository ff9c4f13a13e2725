/*
 * Instructions of compute threads as they run, for people and programs: which of them, how many, and a line
 * for each. What looks is the hooks of softgt_watch_threads or softgt_eu_watch.
 */
#ifndef HOST_EU_TRACE_H
#define HOST_EU_TRACE_H

#include <softgt/eu.h>
#include <stdio.h>

/* Which threads and instructions; {0}: all. */
struct eu_filter {
    bool has_kernel, has_group, has_thread, has_ip;
    uint64_t kernel; /* its graphics address */
    uint32_t group[3], thread;
    uint64_t first_ip, last_ip; /* from the kernel's start */
};

/* "kernel=ADDRESS,group=X[:Y[:Z]],thread=N,ip=FIRST[:LAST]", in any order, some of them; ips count from the
 * kernel's start. False: `word`, of the text, is none. */
bool eu_filter_parse(struct eu_filter *f, const char *text, char *word, size_t size);

enum { EU_TRACE_LIMIT = 10000 };

struct eu_trace {
    struct eu_filter filter;
    uint64_t limit, shown; /* instructions; `shown` starts as 0 */
    void *user;
    void (*show)(void *user, const struct softgt_eu_thread *thread); /* one that has run */
    void (*limited)(void *user, uint64_t limit);                     /* optional: no more is shown */
};

/* `trace` stays where it is. */
struct softgt_eu_hooks eu_trace_hooks(struct eu_trace *trace);

/* Its line, and one for each register that it changed. False: there is no memory. */
bool eu_trace_print(FILE *to, const struct softgt_eu_thread *thread);
void eu_trace_print_limit(FILE *to, uint64_t limit);
/* A register's bytes, as numbers in hexadecimal with blanks between them. */
enum { EU_VALUES_TEXT = 320 };
void eu_trace_values(enum softgt_eu_file file, const void *bytes, size_t size_bytes, char *text);

#endif
