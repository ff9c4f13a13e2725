/*
 * Records a guest's use of a device as a trace that repeats it without the guest. The trace holds register
 * writes, changes of the GGTT's table and of memory that the device used, how far and when engines ran, and
 * compares of their results.
 * While it records, the device works on copies of the guest's pages. Before engines run, the guest's changes
 * are copied in; afterwards their changes are copied out. Both sides may change different dwords of a page.
 * Writes of an unfinished command reach the guest at once. They are compared when no engine is inside a
 * command.
 * The trace is an AUB memtrace file. Comments pace the replay:
 * - "softgt completed DWORDS at NS": engines run until they have completed so many dwords of commands, at
 *   that virtual time, and not after every register write. 0 dwords: only time advances, to that of a
 *   register write. The count is independent of costs and of how often a draw was parsed, so that every
 *   replay ends at the same command.
 * - ", within DWORDS": the run ended inside a command, after about so many dwords of it.
 * - ", a turn": the engine's time slice ended too.
 * - "softgt reset": power-on reset.
 * - "softgt ran DWORDS at NS": older recordings, which count all parsed dwords.
 * - "softgt run DWORDS at NS": the trace of a program, which has a budget instead.
 */
#ifndef AUB_RECORD_H
#define AUB_RECORD_H

#include <softgt/softgt.h>

struct aub_writer;
struct recorder;

struct run_extent;
/* Writes the comment of a run; NULL: only time advances. */
void record_run(struct aub_writer *trace, const struct run_extent *run, uint64_t now_ns);
/* Parses such a comment. False: another comment. */
bool record_read_run(const char *text, struct run_extent *run, uint64_t *now_ns);

/* The recorded memory: the guest's, the GGTT's table, and local memory (NULL: none). */
struct recorded {
    struct softgt_memory_port guest;
    const void *table;
    void *local;
    uint64_t local_bytes;
    const char *application; /* name of the program that is recorded */
    bool draws;              /* the device runs draws */
};
enum { RECORD_LOCAL_MOST_MB = 2048 /* the limit of a replay */ };
/* NULL and errno: the file cannot be created, or no memory. */
struct recorder *recorder_open(const char *path, const struct softgt_device_info *info,
                               const struct recorded *recorded);
/* Facts about a recording in the header of its trace. */
struct recording_header {
    bool is_recording; /* written by struct recorder */
    bool is_tbx;       /* written by softgt tbx, with the memory of a trace */
    bool says_draws;   /* older recordings do not say whether their device ran draws */
    bool draws;
    bool counts_draws;      /* a program whose draws are counted */
    int application_length; /* of the name in the header text */
    uint64_t local_bytes;
};
struct recording_header recording_header(const char *text);
#define RECORDED_BY_TBX   "softgt tbx --record"
#define PROGRAM_DRAWS_OFF " (softgt program, draws off)"
/* False and errno: the file is incomplete. */
bool recorder_close(struct recorder *r);
/* In a forked process: stops recording. */
void recorder_leave(struct recorder *r);
/* The descriptor of the file. */
int recorder_descriptor(const struct recorder *r);
/* The memory port for the device. It also maps local memory. */
struct softgt_memory_port recorder_memory_port(struct recorder *r);

/* Records the guest's changes of the GGTT's table. Call it before the guest writes registers. */
void recorder_sync_table(struct recorder *r);
/* Records a register write of the guest, right after it. */
void recorder_register_written(struct recorder *r, const struct softgt *device, uint64_t offset,
                               uint64_t value, unsigned size_bytes);
/* Call it after a reset of the device by other means than a register. */
void recorder_check_reset(struct recorder *r, const struct softgt *device);
/* Records a write of the guest through the aperture or to local memory, right after it. */
void recorder_aperture_written(struct recorder *r);
/* Runs the device instead of softgt_run, and records the run. */
bool recorder_run(struct recorder *r, struct softgt *device, uint64_t budget_dw);
/* Writes the device's changes to the guest. The device maps every page again. Call it before an access of the
 * aperture, and before memory is mapped or unmapped. */
void recorder_settle(struct recorder *r, struct softgt *device);

#endif
