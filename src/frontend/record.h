/*
 * Records what a guest makes of a device as a trace that repeats it without the guest: register writes, what
 * changed in the GGTT's table and in the memory that the device used, how far the engines ran and when, and
 * what they wrote, as compares. While it records, the device works on copies of the guest's pages: before
 * engines run, what the guest changed comes in; after that, what they changed goes out. Both sides may have
 * changed different dwords of a page.
 *
 * The trace is AUB (memtrace). "softgt ran DWORDS at NS" in comments paces the replay: engines run then, at
 * that virtual time, and not after every register write; with 0 DWORDS only time goes on, to that of a
 * register write. Costs are not in it, so that a replay goes as far whatever commands cost by then; ", a
 * turn" behind it says that the engine's turn ended, too. "softgt reset" is power-on. The trace of a program
 * has "softgt run DWORDS at NS" with a budget instead.
 */
#ifndef FRONTEND_RECORD_H
#define FRONTEND_RECORD_H

#include <softgt/softgt.h>

struct aub_writer;
struct recorder;

/* The comment of a run. */
void record_run(struct aub_writer *trace, uint64_t parsed_dw, bool turn_over, uint64_t now_ns);

/* What is to be copied: the guest's memory, the GGTT's table, local memory (NULL: the device has none). */
struct recorded {
    struct softgt_memory_port guest;
    const void *table;
    void *local;
    uint64_t local_bytes;
};
enum { RECORD_LOCAL_MOST_MB = 2048 /* a replay has no more */ };
/* NULL and errno: no file, or no memory. */
struct recorder *recorder_open(const char *path, const struct softgt_device_info *info,
                               const struct recorded *recorded);
/* What the trace says of itself, and a replay asks for: how much local memory there was; false: it is no
 * recording. */
bool recorder_made(const char *text, uint64_t *local_bytes);
/* What another recording says, whose memory is a trace's. */
#define RECORDED_BY_TBX "softgt tbx --record"
/* False and errno: not everything could be written. */
bool recorder_close(struct recorder *r);
/* This process was forked from the one that records: what it does is not recorded. */
void recorder_leave(struct recorder *r);
/* The memory that the device is to be made with; it has local memory's pages, too. */
struct softgt_memory_port recorder_memory_port(struct recorder *r);

/* What the guest changed in the table comes in: before it writes registers. */
void recorder_take_table(struct recorder *r);
/* The guest wrote a register, just now. */
void recorder_register_written(struct recorder *r, const struct softgt *device, uint64_t offset,
                               uint64_t value, unsigned size_bytes);
/* The function may have been reset, just now, by other means than a register. */
void recorder_look_for_reset(struct recorder *r, const struct softgt *device);
/* The guest wrote through the aperture, or through local memory's, just now. */
void recorder_aperture_written(struct recorder *r);
/* Instead of softgt_run. */
bool recorder_run(struct recorder *r, struct softgt *device, uint64_t budget_dw);
/* What the device wrote goes out, and it will look at every page again: before the aperture is read or
 * written, and before memory is mapped or unmapped. */
void recorder_settle(struct recorder *r, struct softgt *device);

#endif
