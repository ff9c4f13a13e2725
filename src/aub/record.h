/*
 * Records what a guest makes of a device as a trace that repeats it without the guest: register writes, what
 * changed in the GGTT's table and in the memory that the device used, how far the engines ran and when, and
 * what they wrote, as compares. While it records, the device works on copies of the guest's pages: before
 * engines run, what the guest changed comes in; after that, what they changed goes out. Both sides may have
 * changed different dwords of a page.
 *
 * The trace is AUB (memtrace). "softgt completed DWORDS at NS" in comments paces the replay: engines run
 * then, at that virtual time, and not after every register write; with 0 DWORDS only time goes on, to that of
 * a register write. DWORDS are those of completed commands: neither costs nor how often a draw was parsed is
 * in them, so that a replay ends at the same command with every trace and after a load. ", within DWORDS"
 * says that the run ended within a command, and how far: a replay goes about as far. ", a turn" says that the
 * engine's turn ended, too. "softgt reset" is power-on. Older recordings have "softgt ran DWORDS at NS", with
 * all that was parsed. The trace of a program has "softgt run DWORDS at NS" with a budget instead.
 *
 * What engines wrote within a command goes to the guest at once, and is compared when none is within one.
 */
#ifndef FRONTEND_RECORD_H
#define FRONTEND_RECORD_H

#include <softgt/softgt.h>

struct aub_writer;
struct recorder;

struct run_extent;
/* The comment of a run; NULL: only time goes on. */
void record_run(struct aub_writer *trace, const struct run_extent *run, uint64_t now_ns);
/* Such a comment; false: it is none. */
bool record_read_run(const char *text, struct run_extent *run, uint64_t *now_ns);

/* What is to be copied: the guest's memory, the GGTT's table, local memory (NULL: the device has none). */
struct recorded {
    struct softgt_memory_port guest;
    const void *table;
    void *local;
    uint64_t local_bytes;
    const char *application; /* whose work it is */
    bool draws;              /* the device draws */
};
enum { RECORD_LOCAL_MOST_MB = 2048 /* a replay has no more */ };
/* NULL and errno: no file, or no memory. */
struct recorder *recorder_open(const char *path, const struct softgt_device_info *info,
                               const struct recorded *recorded);
/* What a trace says of itself in its header. */
struct recording_header {
    bool is_recording; /* of struct recorder */
    bool is_tbx;       /* of softgt tbx: its memory is a trace's */
    bool says_draws;   /* older ones do not say whether their device drew */
    bool draws;
    bool counts_draws;      /* a program that does not run its draws */
    int application_length; /* of the text */
    uint64_t local_bytes;
};
struct recording_header recording_header(const char *text);
#define RECORDED_BY_TBX   "softgt tbx --record"
#define PROGRAM_DRAWS_OFF " (softgt program, draws off)"
/* False and errno: not everything could be written. */
bool recorder_close(struct recorder *r);
/* This process was forked from the one that records: what it does is not recorded. */
void recorder_leave(struct recorder *r);
/* Of the file that it writes. */
int recorder_descriptor(const struct recorder *r);
/* The memory that the device is to be made with; it has local memory's pages, too. */
struct softgt_memory_port recorder_memory_port(struct recorder *r);

/* What the guest changed in the table comes in: before it writes registers. */
void recorder_sync_table(struct recorder *r);
/* The guest wrote a register, just now. */
void recorder_register_written(struct recorder *r, const struct softgt *device, uint64_t offset,
                               uint64_t value, unsigned size_bytes);
/* The function may have been reset, just now, by other means than a register. */
void recorder_check_reset(struct recorder *r, const struct softgt *device);
/* The guest wrote through the aperture, or through local memory's, just now. */
void recorder_aperture_written(struct recorder *r);
/* Instead of softgt_run. */
bool recorder_run(struct recorder *r, struct softgt *device, uint64_t budget_dw);
/* What the device wrote goes out, and it will look at every page again: before the aperture is read or
 * written, and before memory is mapped or unmapped. */
void recorder_settle(struct recorder *r, struct softgt *device);

#endif
