/*
 * The interface of a device to front ends and tools, beside softgt.h: its data sheet and rows, runs that are
 * recorded and repeated, places in a saved state, virtual functions. The device itself is opaque here.
 */
#ifndef DEVICE_HOST_H
#define DEVICE_HOST_H

#include <softgt/softgt.h>

#include "engine/engine_state.h"
#include "gen/sheet.h"
#include "guc/functions.h"
#include "guc/message.h"
#include "memory/tiling.h"
#include "mmio/register_file.h"
#include "stream/bases.h"
#include "stream/dump.h"
#include "stream/structure.h"

/* ---- Sheets and rows ---- */

/* As softgt_create, with any sheet. */
int device_create(const struct sheet *sheet, const struct softgt_config *config, struct softgt **device);
const struct sheet *device_sheet(const struct softgt *device);
const struct register_file *softgt_register_file(const struct softgt *device);
const struct command_set *softgt_command_set(const struct softgt *device);
/* The base addresses of an engine's state commands that do not come from these commands. */
struct bases device_bases(const struct softgt *device, unsigned engine);
/* The swizzle of address bit 6 in tiles is enabled. */
bool device_tiles_swizzled(const struct softgt *device);

/* ---- Runs ---- */

/*
 * How far engines run. A recorded run returns how many dwords of commands it completed. A replay of it ends
 * at the same command, whatever commands cost now and however often a long command is parsed again.
 */
struct run_extent {
    uint64_t budget_dw;   /* in, and what is left of it */
    uint64_t done_dw;     /* out: completed dwords; replay, in: dwords that are left to complete */
    uint64_t partial_dw;  /* the same for the command in which the run ends: each time it is parsed */
    uint64_t surplus_dw;  /* replay, in and out: completed dwords that belong to later runs */
    bool is_recording;    /* in: a used-up slice ends the run */
    bool is_replay;       /* in: the run repeats a recorded one */
    bool counts_reparsed; /* in: the recording counts parsed-again dwords as completed */
    bool slice_ended;     /* out; replay, in: after the run another unit has its slice */
};
bool device_run(struct softgt *device, struct run_extent *run);
/* An engine is within a command of several parts: a draw, a walker, a blit. */
bool device_within_command(const struct softgt *device);
/* Time passes, a microsecond at least, until an engine resumes; false: no engine waits for time. */
bool device_wait_for_time(struct softgt *device);
/* The engine has a second context submitted, which it has not started. */
bool device_engine_is_preempting(const struct softgt *device, unsigned engine);
/* The engine was woken and has not run since. */
bool device_engine_is_woken(const struct softgt *device, unsigned engine);

/* ---- Draws ---- */

/* The engine's current command is a draw. */
bool device_in_draw(const struct softgt *device, unsigned engine);
/* Draws that engines have completed. */
uint64_t device_draw_count(const struct softgt *device);
/* Draws that were counted, not drawn. */
uint64_t device_undrawn_count(const struct softgt *device);
/* Skips the draw that stopped the engine: it is counted. False: it is not in a batch. */
bool device_skip_draw(struct softgt *device, unsigned engine);

/* ---- Saved states ---- */

enum { STATE_HEADER_BYTES = 48 /* of a saved state, with its length and sum */ };
/* The item at a byte of a saved state: its name ("rcs0.parse.streams[1].address"), start and length. */
void device_state_locate(struct softgt *device, size_t at, size_t *begin, size_t *part_bytes, char *text,
                         size_t size);

/* ---- Local memory ---- */

/* How often it was cleared. */
uint64_t device_local_clear_count(const struct softgt *device);
/* Where the firmware's reserved memory begins, and with it the compression state. */
uint64_t device_local_reserved_start(const struct softgt *device);
/* Where the compression state of an address is. */
uint64_t device_local_ccs(const struct softgt *device, uint64_t address);
/* With isolated VFs: how much of local memory the PF has; 0: all. */
uint64_t device_pf_local_bytes(const struct softgt *device);

/* ---- Virtual functions ---- */

struct device_function_status {
    enum vf_run_state run_state;
    struct vf_provisioning provisioning;
    uint64_t busy_ms; /* engines, summed */
};
/* 0: the PF. */
void device_function_status(const struct softgt *device, unsigned function,
                            struct device_function_status *status);
/* Saves or loads a part of a paused VF (guc/functions.h). */
uint32_t device_vf_part_count(const struct softgt *device, unsigned function);
bool device_vf_save_part(struct softgt *device, unsigned function, uint32_t part, uint32_t dw[GUC_PART_DW],
                         uint32_t *length_dw);
bool device_vf_load_part(struct softgt *device, unsigned function, uint32_t part, uint32_t dw[GUC_PART_DW],
                         uint32_t length_dw);

#endif
