/*
 * The GT as a whole: what all engines share. Resets by domain, force-wake, RC6, frequency and the mailbox of
 * the power control unit, fences, fuses, and registers that firmware and drivers set up once. The data sheet
 * lists its register blocks and what differs between generations; its state is here and in its registers.
 */
#ifndef GT_GT_H
#define GT_GT_H

#include "base/unit.h"
#include "engine/engine.h"

/* Power domains, register_range's `domain`. (SYS-09) */
enum wake_domain {
    WAKE_NOTHING, /* it never sleeps */
    WAKE_GT,
    WAKE_RENDER,
    WAKE_VIDEO,                    /* eight of them */
    WAKE_ENHANCE = WAKE_VIDEO + 8, /* four of them */
    WAKE_GSC = WAKE_ENHANCE + 4,
    WAKE_DOMAINS,
};

/* Registers that keep the GT awake, and where they are answered; a list ends with 0. */
struct wake_request {
    uint32_t request, answer;
    uint32_t count; /* of each, in consecutive dwords */
    uint8_t domain; /* of the first, where accesses need wakes; the others have the next ones */
};

/* The place of frequencies: in a request, in the status, in RP_INTERRUPT_LIMITS. */
struct frequency_format {
    uint8_t request_shift, status_shift, upper_shift, lower_shift;
    uint8_t units; /* in 50 MHz */
};

/* Execution units, as in the fuse registers: a bit for each. Threads per unit are those of the hardware. */
struct topology {
    uint8_t most_slices, most_subslices, most_units; /* of the generation: of a slice, of a subslice */
    uint8_t slices, threads;                         /* of a unit */
    uint16_t units;                                  /* of every subslice */
    uint32_t subslices;                              /* of every slice that is there */
};

struct gt_info {
    const struct register_block *const *blocks; /* at their own offsets, ends with NULL; owner: the GT */
    const struct wake_request *wake_requests;
    const struct frequency_format *frequency;
    struct interrupt_line power_line; /* of power management */
    const struct topology *topology;  /* NULL: no register reports it */
    uint8_t fences;
    bool gen6_fences;       /* shown in a second place, too */
    uint8_t swizzle_bit;    /* of ARB_MODE: engines swizzle; 0: they never do */
    bool keeps_contexts;    /* nothing is lost in RC6 */
    bool mailbox_has_board; /* the mailbox answers for the board */
    bool power_contexts;    /* RC6_LOCATION and RC6_CTX_BASE: engines' power contexts may be in memory */
    /* Which copies of a register an access means; NULL: as on Gen12.5 (steering.c). */
    struct register_target (*steer)(const struct register_file *f, unsigned kind, uint32_t offset,
                                    const struct accessor *by);
};

#define GT_POWER_MEMBERS(M, S)                                                                               \
    M(S, NUMBER, uint64_t, rc6_ns, 0)        /* spent there */                                               \
    M(S, NUMBER, uint64_t, idle_since_ns, 0) /* UINT64_MAX: it was busy when time last went on */            \
    M(S, NUMBER, uint64_t, parsed_dw, 0)     /* by all engines until then */
struct gt_power {
    STATE_MEMBERS(GT_POWER_MEMBERS)
};

/* An evaluation interval of busyness. */
#define GT_INTERVAL_MEMBERS(M, S)                                                                            \
    M(S, NUMBER, uint64_t, began_ns, 0)                                                                      \
    M(S, NUMBER, uint64_t, busy_ns, 0)                                                                       \
    M(S, NUMBER, uint64_t, previous_ns, 0) /* busy time of the last interval */
struct gt_interval {
    STATE_MEMBERS(GT_INTERVAL_MEMBERS)
};
enum { GT_UP, GT_DOWN, GT_SIDES };

#define GT_BUSYNESS_MEMBERS(M, S)                                                                            \
    M(S, STRUCTS, struct gt_interval, intervals, [GT_SIDES], interval_fields)                                \
    M(S, NUMBER, uint64_t, idle_since_ns, 0) /* UINT64_MAX: there was work at the last advance of time */    \
    M(S, FLAG, timed_out)                    /* idle for too long; reported once */                          \
    M(S, PADDING, reserved, [7])
struct gt_busyness {
    STATE_MEMBERS(GT_BUSYNESS_MEMBERS)
};

#define GT_WAKES_MEMBERS(M, S)                                                                               \
    /* A bit for each range of registers that was accessed without a wake. */                                \
    M(S, NUMBERS, uint64_t, reported, [4], 0)                                                                \
    M(S, NUMBER, uint32_t, used, 0) /* a bit for each domain that was ever asked to wake */                  \
    M(S, NUMBER, uint32_t, reserved, 1)
struct gt_wakes {
    STATE_MEMBERS(GT_WAKES_MEMBERS)
};

#define GT_MAILBOX_MEMBERS(M, S) M(S, NUMBERS, uint32_t, frequency_table, [256], 0)
struct gt_mailbox {
    STATE_MEMBERS(GT_MAILBOX_MEMBERS)
};

struct gt {
    const struct gt_info *info;
    const char *name; /* "gt"; static */
    struct gt *all;   /* of the device, the first one first */
    unsigned all_count;
    struct device_log *log;
    struct register_file *mmio;
    struct memory *memory;
    struct mmu *aperture;    /* the CPU's way through it */
    uint32_t base;           /* of its registers; 0: of the first GT's */
    bool controller_decides; /* follows from its state: when RC6 is entered */
    struct engine *engines;  /* of this GT, engine_count of them */
    unsigned engine_count;
    /* GDRST was written: resets other units; optional. */
    void (*domains_reset)(void *user, uint32_t domains);
    void (*controller_sleeps)(void *user); /* with the GT: its translations are lost; optional */
    void *domains_user;
    /* Notifies the observation unit: a frequency was requested, its TLB is invalidated; optional. */
    void (*frequency_asked)(void *user);
    /* GO falls: the GT goes to sleep at this time; time_goes_on: within an advance that the unit has not seen
     * yet. */
    void (*go_falls)(void *user, uint64_t at_ns, bool time_goes_on);
    void (*observation_invalidated)(void *user);
    void *observation_user;
    struct gt_power power;
    struct gt_busyness busyness;
    struct gt_mailbox mailbox;
    struct gt_wakes wakes;
    bool needs_wakes; /* accesses need wakes */
    uint32_t awake;   /* guarded: a bit for each domain that somebody asks to be awake */
};

/* Registers below GT_REGISTERS_BYTES are a GT's, from its base on. The others are the device's. (Linux,
 * xe_mmio_adjusted_addr) */
enum { GT_REGISTERS_BYTES = 0x40000 };
static inline uint32_t gt_offset(const struct gt *gt, uint32_t offset)
{
    return offset < GT_REGISTERS_BYTES ? gt->base + offset : offset;
}

static inline uint32_t gt_register(const struct gt *gt, uint32_t offset)
{
    return register_value(gt->mmio, gt_offset(gt, offset));
}

static inline void gt_register_set(const struct gt *gt, uint32_t offset, uint32_t value)
{
    register_set(gt->mmio, gt_offset(gt, offset), value);
}

extern const struct unit_shape gt_shape;

/* Places the registers; the pointers above have been set, those of all GTs. */
bool gt_create(struct gt *gt);
/* Places blocks of the GT, or of a unit in it: a list that ends with NULL. */
bool gt_place(const struct gt *gt, const struct register_block *const *blocks, void *owner, const char *unit);
/* The function as after power on, but for configuration space: engines, registers, both memories' tables and
 * what local memory holds. */
void gt_driver_reset(struct gt *gt);
/* All registers of the device to their reset values, but those of engines that are others'. */
void gt_registers_reset(struct gt *gt);

/* rc6.c: software asked for a power state, or to stay awake; something needs the engines' power. */
void rc6_request(struct gt *gt);
void rc6_wake(struct gt *gt);
bool rc6_asleep(const struct gt *gt);
void rc6_advance(struct gt *gt, uint64_t before_ns);
uint64_t rc6_next_event_ns(const struct gt *gt);
extern const struct register_block rc6_registers, gen8_rc6_registers, media_rc6_registers;

/* force_wake.c */
bool force_wake_asked(const struct gt *gt);
void force_wake_settle(struct gt *gt);
void force_wake_advance(struct gt *gt);
/* Whether an access of the CPU gets there; of a guarded GT only. */
bool force_wake_reaches(struct gt *gt, uint32_t offset, bool write);
extern const struct wake_request gen125_wake_requests[], gen200_wake_requests[], gen200_media_wake_requests[];
extern const struct register_block gen125_force_wake_registers, gen200_force_wake_registers,
    gsc_force_wake_registers;
extern const struct wake_request gen6_wake_requests[], gen7_wake_requests[], gen8_wake_requests[],
    gen9_wake_requests[], gen11_wake_requests[];
extern const struct register_block gen6_force_wake_registers, gen7_force_wake_registers,
    gen8_force_wake_registers, gen9_force_wake_registers, gen11_force_wake_registers;

/* steering.c: kinds of units that have a copy of a register each, register_range's `copies`. */
enum register_copies_kind {
    COPIES_NONE,
    COPIES_SQIDI,
    COPIES_GSLICE,
    COPIES_DSS,
    COPIES_L3BANK,
    COPIES_MSLICE,
    COPIES_LNCF,
};
struct register_target steering_target(const struct register_file *f, unsigned kind, uint32_t offset,
                                       const struct accessor *by);
struct register_target gen200_steering_target(const struct register_file *f, unsigned kind, uint32_t offset,
                                              const struct accessor *by);
extern const struct register_block gen200_steering_registers;
extern const struct register_block gen125_steering_registers;
extern const struct register_block gen125_streamer_steering_registers; /* each streamer's */

/* errors.c: errors of the hardware, a bit for each source; where the GT has registers for them. */
bool gt_has_errors(const struct gt *gt);
void gt_error(struct gt *gt, enum softgt_error_severity severity, uint32_t sources);
extern const struct register_block gen125_error_registers, gen125_software_registers;

/* fences.c: takes fences and swizzling from the registers. */
void fences_settle(struct gt *gt);
extern const struct register_block gen6_fence_registers, gen7_fence_registers, fence_registers;

/* gt.c */
extern const struct register_block reset_registers, gen8_fault_registers, gen8_invalidation_registers,
    gen9_reserved_registers, gen12_fault_registers, gen12_invalidation_registers,
    gen125_invalidation_registers, gen200_invalidation_registers;

/* frequency.c */
extern const struct register_block frequency_registers, gen6_frequency_registers, gen75_frequency_registers,
    gen9_frequency_registers, gen200_frequency_registers;

extern const struct frequency_format gen6_frequency_format, gen75_frequency_format, gen9_frequency_format;
/* The granted frequency, in the units of the GT's format. */
uint32_t gt_frequency(const struct gt *gt);
/* The granted frequency, in 50/3 MHz. */
uint32_t gen6_frequency(const struct register_file *f);
uint32_t gen75_frequency(const struct register_file *f);
uint32_t gen9_frequency(const struct register_file *f);

/* busyness.c */
void busyness_advance(struct gt *gt, uint64_t before_ns);
uint64_t busyness_next_event_ns(const struct gt *gt);
extern const struct register_block busyness_registers;

/* local_memory.c: takes the LMTT's place from the register. */
void local_memory_settle(struct gt *gt);
extern const struct register_block local_memory_registers, gen200_local_memory_registers,
    gen200_media_local_memory_registers, gen200_stolen_registers;

/* display_power.c */
extern const struct register_block gen75_display_power_registers, gen9_display_power_registers,
    gen75_display_clock_registers, gen9_display_clock_registers, gen11_display_clock_registers;

/* setup.c */
extern const struct register_block gen7_setup_registers, gen7_display_setup_registers;
extern const struct register_block gen6_setup_registers, gen8_setup_registers, gen8_own_setup_registers,
    gen8_memory_registers, gen9_setup_registers, gen11_setup_registers, gen12_setup_registers,
    gen12_own_setup_registers, gen12_tiled_range_registers, gen200_tiled_range_registers,
    gen125_setup_registers, gen200_setup_registers, gen200_media_setup_registers, gen12_auxiliary_registers,
    gen9_guc_registers, gen9_caching_registers, gen11_caching_registers, gen12_caching_registers,
    gen8_display_setup_registers, gen9_display_setup_registers, gen11_display_setup_registers;

#endif
