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
#ifndef AUB_RECORD_H
#define AUB_RECORD_H

#include <softgt/softgt.h>

struct aub_writer;
struct recorder;

struct run_extent;
/* Writes the comment of a run; NULL: only time passes. */
void record_run(struct aub_writer *trace, const struct run_extent *run, uint64_t now_ns);
/* Parses such a comment; false: it is another one. */
bool record_read_run(const char *text, struct run_extent *run, uint64_t *now_ns);

/* What is recorded: the guest's memory, the GGTT's table, local memory (NULL: none). */
struct recorded {
    struct softgt_memory_port guest;
    const void *table;
    void *local;
    uint64_t local_bytes;
    const char *application; /* name of the program that is recorded */
    bool draws;              /* the device runs draws */
};
enum { RECORD_LOCAL_MOST_MB = 2048 /* limit of a replay */ };
/* NULL and errno: the file cannot be created, or no memory. */
struct recorder *recorder_open(const char *path, const struct softgt_device_info *info,
                               const struct recorded *recorded);
/* What a trace's header says about its recording. */
struct recording_header {
    bool is_recording; /* written by struct recorder */
    bool is_tbx;       /* written by softgt tbx: its memory is a trace's */
    bool says_draws;   /* older recordings do not say whether their device ran draws */
    bool draws;
    bool counts_draws;      /* a program whose draws are counted */
    int application_length; /* of the text */
    uint64_t local_bytes;
};
struct recording_header recording_header(const char *text);
#define RECORDED_BY_TBX   "softgt tbx --record"
#define PROGRAM_DRAWS_OFF " (softgt program, draws off)"
/* False and errno: the file is incomplete. */
bool recorder_close(struct recorder *r);
/* In a forked process: stops recording. */
void recorder_leave(struct recorder *r);
/* Of the file that is written. */
int recorder_descriptor(const struct recorder *r);
/* The memory port to create the device with; it also maps local memory. */
struct softgt_memory_port recorder_memory_port(struct recorder *r);

/* Records the guest's changes of the GGTT's table: call it before the guest writes registers. */
void recorder_sync_table(struct recorder *r);
/* The guest has just written a register. */
void recorder_register_written(struct recorder *r, const struct softgt *device, uint64_t offset,
                               uint64_t value, unsigned size_bytes);
/* The device may just have been reset by other means than a register. */
void recorder_check_reset(struct recorder *r, const struct softgt *device);
/* The guest has just written through the aperture, or to local memory. */
void recorder_aperture_written(struct recorder *r);
/* Replaces softgt_run. */
bool recorder_run(struct recorder *r, struct softgt *device, uint64_t budget_dw);
/* Writes the device's changes to the guest; the device maps every page again. Call it before the aperture is
 * accessed, and before memory is mapped or unmapped. */
void recorder_settle(struct recorder *r, struct softgt *device);

#endif
