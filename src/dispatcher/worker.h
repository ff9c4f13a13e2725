/*
 * The context in which a host thread runs threads of a command beside other host threads: a dispatcher of its
 * own, views of memory, counters. Each slice sets it up again, except its caches. (parallel_groups.c)
 */
#ifndef DISPATCHER_WORKER_H
#define DISPATCHER_WORKER_H

#include "dispatcher/dispatcher.h"

enum { MAX_RECORDED_FAULTS = 32 /* that are reported of a group or a tile */ };

struct recorded_fault {
    uint64_t address;
    enum space space;
    unsigned level;
    bool write;
};

struct worker_context {
    struct thread_dispatcher dispatch;
    struct mmu mmu;
    struct memory memory;
    struct memory_counters memory_counters;
    struct device_log log;
    bool ready;
    uint64_t ready_cost_ns;     /* cost of memory that cannot be mapped, at that time */
    uint32_t storage;           /* for the next group */
    uint64_t instructions_used; /* instructions */
    /* The first of its groups that failed. */
    bool failed;
    uint32_t failed_group;
    const char *error_text;
    bool not_modelled;
    unsigned fault_count;
    struct recorded_fault faults[MAX_RECORDED_FAULTS];
    bool has_dropped; /* a write to a read-only page, in this slice */
    enum space dropped_space;
    uint64_t dropped_address;
};

/* Sets up what all slices have in common, for work of a kind. False: no memory. */
bool worker_create(struct worker_context *l, const struct thread_dispatcher *d, enum work_kind kind);
/* Begins a slice. `port`: the parallel port if other workers run at the same time; else NULL. */
void worker_begin_slice(struct worker_context *l, const struct thread_dispatcher *d,
                        const struct softgt_parallel_port *port);
/* Adds what a worker did to the dispatcher's counters. */
void worker_merge_counters(struct thread_dispatcher *d, struct worker_context *l);
/* Reports the page faults that the worker recorded. */
void worker_report_faults(struct thread_dispatcher *d, const struct worker_context *l);
/* Whether hooks or traces are to see each access and instruction in order. */
bool dispatch_is_observed(const struct thread_dispatcher *d);

#endif
