/*
 * The interface of a device to front ends and tools, beside softgt.h: its data sheet and rows, runs that are
 * recorded and repeated, places in a saved state, virtual functions. The device itself is opaque here.
 */
#ifndef DEVICE_HOST_H
#define DEVICE_HOST_H

#include <softgt/eu.h>

#include "engine/engine_state.h"
#include "gen/sheet.h"
#include "guc/functions.h"
#include "guc_messages/message.h"
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
/* The row of a header on an engine; NULL: no command. */
const struct command *device_command_row(const struct softgt *device, unsigned engine, uint32_t header);
/* The base addresses of an engine's state commands that do not come from these commands. */
struct bases device_bases(const struct softgt *device, unsigned engine);
/* No port calls. False: a port calls `function`, which changes the device; it is reported. */
bool device_accepts_call(struct softgt *device, const char *function);
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
    /* In, optional, with the `user`: asked before each unit's slice whether to end the run. */
    bool (*stop)(void *user);
    void *user;
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

/* ---- Engines ---- */

/* As softgt_engine_get_status, _unknown and _commands, with what was counted before resets as at power on,
 * and since the last softgt_load. */
bool device_engine_full_status(const struct softgt *device, unsigned engine,
                               struct softgt_engine_status *status);
bool device_engine_all_unknown(const struct softgt *device, unsigned engine, void *user,
                               void (*each)(void *user, uint32_t header, uint64_t count, uint64_t address));
bool device_engine_all_commands(const struct softgt *device, unsigned engine, void *user,
                                void (*each)(void *user, const char *name, uint64_t count,
                                             enum softgt_command_model model));

/* Where an engine is. Level 0 is the ring (or a context image that is restored), the others are batches. */
struct device_engine_view {
    bool has_context;
    struct context_descriptor context;
    unsigned function; /* owner of the context; 0: the PF */
    unsigned level_count;
    struct {
        uint64_t address; /* of the next command */
        uint8_t kind;     /* enum stream_kind */
        bool is_ggtt;
    } levels[STREAMS];
    struct wait wait;          /* of an engine that waits */
    struct execlist executing; /* contexts of the current list, while has_list */
    bool has_list, has_pending;
    uint64_t command_address;
    uint32_t header;
};
void device_engine_view(const struct softgt *device, unsigned engine, struct device_engine_view *view);
/* Reads the engine's current command, up to most_dw dwords of it. Returns its row; NULL: memory has no such
 * command. */
const struct command *device_current_command(struct softgt *device, unsigned engine, uint32_t *dw,
                                             uint32_t most_dw, uint32_t *length_dw);

/* The dispatcher of the engine's threads and draws; NULL: it runs none. */
struct thread_dispatcher;
struct thread_dispatcher *device_dispatcher(struct softgt *device, unsigned engine);

/* A register's value, without the effects of a read. */
uint32_t device_register_peek(struct softgt *device, const struct register_slot *slot);

/* ---- The GuC of a GT: 0, and 1 where the product has a media GT ---- */

struct device_guc_status {
    const char *state; /* "running" */
    unsigned contexts; /* registered ones */
    uint64_t requests, failures, submissions, preemptions, resets;
};
/* False: there is no such GuC. */
bool device_guc_status(const struct softgt *device, unsigned gt, struct device_guc_status *status);
struct device_guc_context {
    uint32_t id, lrca, priority;
    unsigned function;
    const char *engine; /* that runs it, or has it submitted; NULL: none */
    bool is_enabled, has_work;
};
/* The first registered context from `id` on; false: there is none. */
bool device_guc_context(const struct softgt *device, unsigned gt, uint32_t id,
                        struct device_guc_context *context);
/* The same, with all its fields; *id: its own. NULL: there is none. */
const struct guc_context *device_guc_next_context(const struct softgt *device, unsigned gt, uint32_t *id);
/* A section of the GuC's state (function < 0), or of what it has of a function (0: the PF), and its data.
 * NULL: there are no more. */
const struct section *device_guc_section(const struct softgt *device, unsigned gt, int function,
                                         unsigned index, const void **data);
/* Memory in the GGTT as the GuC reads it for a function. False: not mapped. */
bool device_guc_read(struct softgt *device, unsigned gt, unsigned function, uint32_t address, void *data,
                     size_t size_bytes);

/* ---- For debuggers ---- */

/* Holds the engines, or lets them go on. The event of a command may hold it, and the hook before an
 * instruction, which then returns false: the run ends there, as a used-up budget ends it, and the event or
 * hook comes again when the engine goes on. While engines are held, runs continue the other units only, and
 * return false. */
void device_hold(struct softgt *device, bool holds);
bool device_is_held(const struct softgt *device);
/* As softgt_bar_write, also from a port: a debugger changes registers while the event of a command holds it.
 */
void device_bar_write(struct softgt *device, unsigned bar, uint64_t offset, uint64_t value,
                      unsigned size_bytes);
/* As softgt_watch_threads, with a hook that may hold. False: out of memory. */
bool device_watch_threads(struct softgt *device, const struct softgt_eu_hooks *hooks);
/* A hook's thread, which is valid until engines go on. */
struct softgt_eu_thread *device_keep_thread(struct softgt *device, const struct softgt_eu_thread *thread);

/* Where the state of the thread's kernel is (shared_function.h), and of a surface state, by a binding table's
 * entry, from the surface state base. */
struct kernel_state;
void device_thread_state(const struct softgt_eu_thread *thread, struct kernel_state *state);
uint32_t device_surface_pointer(const struct softgt_eu_thread *thread, uint32_t entry);

/* A page walk, from the top. */
enum { DEVICE_WALK_STEPS = 5 };
struct device_walk {
    struct walk_step steps[DEVICE_WALK_STEPS];
    unsigned count;
    struct translation translation; /* if it ended at a page */
};
/* Of a graphics address in the PPGTT that an engine has loaded, or in the GGTT (engine < 0). False: no page;
 * the last step is where it ended. */
bool device_walk(const struct softgt *device, int engine, uint64_t address, struct device_walk *walk);
/* Memory by the address that a translation gives. */
bool device_physical_read(const struct softgt *device, uint64_t address, void *data, size_t size_bytes);
bool device_physical_write(struct softgt *device, uint64_t address, const void *data, size_t size_bytes);

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
/* What is no state leaves nothing in the GuC of any GT: clears a paused VF. */
void device_vf_drop_parts(struct softgt *device, unsigned function);

#endif
