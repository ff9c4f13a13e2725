/*
 * The frequency of the GT, and the mailbox of the power control unit. A request takes effect at once, within
 * the limits of the product; it does not change the speed of anything. The mailbox answers at once. (SNB PRM
 * vol 2; SKL PRM vol 2c)
 */
#include "gt/gt.h"

enum { RPNSWREQ = 0xa008, RP_STATE_CAP = 0x145998 };
enum { PCODE_DATA = 0x138128, PCODE_DATA1 = 0x13812c };

/* Between RPn and RP0 of the part. */
static uint32_t granted(const struct register_file *file, const struct frequency_format *f, uint32_t request)
{
    const uint32_t caps = register_value(file, RP_STATE_CAP), asked = request >> f->request_shift;
    const uint32_t most = (caps & 0xffu) * f->units, least = (caps >> 16 & 0xffu) * f->units;
    return asked < least ? least : asked > most ? most : asked;
}

uint32_t gt_frequency(const struct gt *gt)
{
    return granted(gt->mmio, gt->info->frequency, gt_register(gt, RPNSWREQ));
}

/* The first GT's. */
static uint32_t frequency_granted(const struct register_file *file, const struct frequency_format *f)
{
    return granted(file, f, register_value(file, RPNSWREQ));
}

const struct frequency_format gen6_frequency_format = {
    .request_shift = 25, .status_shift = 8, .upper_shift = 24, .lower_shift = 16, .units = 1};
const struct frequency_format gen75_frequency_format = {
    .request_shift = 24, .status_shift = 7, .upper_shift = 24, .lower_shift = 16, .units = 1};
const struct frequency_format gen9_frequency_format = {
    .request_shift = 23, .status_shift = 23, .upper_shift = 23, .lower_shift = 14, .units = 3};

uint32_t gen6_frequency(const struct register_file *f)
{
    return frequency_granted(f, &gen6_frequency_format) * 3u;
}

uint32_t gen75_frequency(const struct register_file *f)
{
    return frequency_granted(f, &gen75_frequency_format) * 3u;
}

uint32_t gen9_frequency(const struct register_file *f)
{
    return frequency_granted(f, &gen9_frequency_format);
}

static void frequency_request_written(const struct register_access *w)
{
    const struct gt *gt = w->owner;
    if (gt->frequency_asked)
        gt->frequency_asked(gt->observation_user);
}

static uint32_t status_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *const gt = at->owner;
    return gt_frequency(gt) << gt->info->frequency->status_shift;
}

/* ---- Mailbox ---- */

enum {
    READ_OVERCLOCKING = 0x0c,
    WRITE_RC6_VOLTAGES = 0x04,
    READ_RC6_VOLTAGES = 0x05,
    READ_MEMORY_LATENCY = 0x06,
    DISPLAY_CLOCK_CONTROL = 0x07,
    WRITE_FREQUENCY_TABLE = 0x08,
    READ_FREQUENCY_TABLE = 0x09,
    WRITE_DISPLAY_CLOCK = 0x17,
    CHANGE_DISPLAY_CLOCK = 0x18,
    READ_DUTY_CYCLE = 0x1a,
    TYPE_C_SLEEP = 0x26,
    LOCAL_MEMORY_STATUS = 0x7e,
    BOARD_TEMPERATURES = 0x25,
    BOARD_LATE_BINDING = 0x5c,
    BOARD_POWER_LIMITS = 0x7c,
    BOARD_FANS = 0x7d,
    ILLEGAL_COMMAND = 1,
};
enum { VOLTAGES = 0x292929 }; /* 450 mV in each state */
enum { DISPLAY_CLOCK_READY = 1 };
/* Memory wakes in 2, 19, 28, 32 us from power states 0 to 3, in 63, 77, 83, 99 us from 4 to 7. */
static const uint32_t memory_latency_us[] = {0x201c1302, 0x63534d3f};

/* The board has no limits, sensors, fans or late firmware: all answers are 0. (Linux, xe_pcode_api.h) */
static bool board_answers(const struct gt *gt, uint32_t command)
{
    return gt->info->mailbox_has_board && (command == BOARD_TEMPERATURES || command == BOARD_LATE_BINDING ||
                                           command == BOARD_POWER_LIMITS || command == BOARD_FANS);
}

static uint32_t ask(struct gt *gt, uint32_t command)
{
    const uint32_t data = gt_register(gt, PCODE_DATA), caps = gt_register(gt, RP_STATE_CAP);
    uint32_t answer = data;
    switch (command) {
    case WRITE_FREQUENCY_TABLE: /* ring and processor frequency for one of the GT's */
        gt->mailbox.frequency_table[data & 0xffu] = data & 0xffffff00u;
        break;
    case READ_FREQUENCY_TABLE:
        answer = gt->mailbox.frequency_table[data & 0xffu];
        break;
    case READ_RC6_VOLTAGES:
        answer = VOLTAGES;
        break;
    case READ_DUTY_CYCLE: /* the efficient frequency */
        answer = caps & 0xff00u;
        break;
    case READ_MEMORY_LATENCY: /* of the lower or the upper four states */
        answer = memory_latency_us[data & 1u];
        break;
    case DISPLAY_CLOCK_CONTROL: /* it may change; it has changed, for this voltage */
        answer = DISPLAY_CLOCK_READY;
        break;
    case READ_OVERCLOCKING:
    case TYPE_C_SLEEP: /* bit 0 would report that the ports refused */
        answer = 0;
        break;
    case WRITE_RC6_VOLTAGES:
    case CHANGE_DISPLAY_CLOCK: /* may it? Without an error, yes */
    case WRITE_DISPLAY_CLOCK:
        break;
    case LOCAL_MEMORY_STATUS: /* the part is initialised; those without local memory do not know it */
        if (!gt->memory->info->local_bytes)
            return ILLEGAL_COMMAND;
        answer = 1;
        break;
    default:
        if (!board_answers(gt, command))
            return ILLEGAL_COMMAND;
        answer = 0;
        break;
    }
    gt_register_set(gt, PCODE_DATA, answer);
    gt_register_set(gt, PCODE_DATA1, 0);
    return 0;
}

static void mailbox_written(const struct register_access *w)
{
    if (w->value >> 31)
        register_set(w->file, w->offset, (w->value & 0x7fffff00u) | ask(w->owner, w->value & 0xffu));
}

static void gates_written(const struct register_access *w)
{
    force_wake_settle(w->owner);
}

#define KEPT(title, at, text)                                                                                \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = 0xffffffff, .summary = (text), .spec = "SNB PRM vol 2"  \
    }

static const struct field request_fields[] = {{"Frequency", 25, 31, FIELD_UINT, NULL}};
static const struct field gen75_request_fields[] = {{"Frequency", 24, 31, FIELD_UINT, NULL}};
static const struct field gen9_request_fields[] = {{"Frequency in 16.7 MHz", 23, 31, FIELD_UINT, NULL}};
static const struct field caps_fields[] = {
    {"RPn", 16, 23, FIELD_UINT, NULL}, {"RP1", 8, 15, FIELD_UINT, NULL}, {"RP0", 0, 7, FIELD_UINT, NULL}};

static const struct reg rows[] = {
    KEPT("RC_VIDEO_FREQ", 0xa00c, "Frequency while media is busy."),
    KEPT("RP_IDLE_HYSTERSIS", 0xa070, "Idle time before the frequency goes down."),
    KEPT("RC1_WAKE_RATE_LIMIT", 0xa098, "Limits of render standby."),
    KEPT("RC6_WAKE_RATE_LIMIT", 0xa09c, "Limits of render standby."),
    KEPT("MEDIA_WAKE_RATE_LIMIT", 0xa0a0, "Limits of render standby."),
    KEPT("RC_EVALUATION_INTERVAL", 0xa0a8, "Interval of render standby's judgement."),
    KEPT("RC_IDLE_HYSTERSIS", 0xa0ac, "Idle time before render standby."),
    KEPT("RC_SLEEP", 0xa0b0, "Render standby timer."),
    KEPT("RC1E_THRESHOLD", 0xa0b4, "Idle time before RC1e."),
    KEPT("RC6_THRESHOLD", 0xa0b8, "Idle time before RC6."),
    KEPT("RC6P_THRESHOLD", 0xa0bc, "Idle time before RC6p."),
    KEPT("RC6PP_THRESHOLD", 0xa0c0, "Idle time before RC6pp."),
    KEPT("MEDIA_PG_IDLE_HYSTERESIS", 0xa0c4, "Idle time before media loses power."),
    KEPT("RENDER_PG_IDLE_HYSTERESIS", 0xa0c8, "Idle time before render loses power."),
    {.name = "PG_ENABLE",
     .offset = 0xa210,
     .writable = 0xffffffff,
     .after_write = gates_written,
     .summary = "Power gates: render in bit 0, media in bit 1.",
     .spec = "SKL PRM vol 2c"},
    {.name = "PCODE_MAILBOX",
     .offset = 0x138124,
     .writable = 0xffffffff,
     .after_write = mailbox_written,
     .summary = "Bit 31 sends a command to the power control unit, which clears it; then 7:0 tell an error.",
     .spec = "SNB PRM vol 2"},
    KEPT("PCODE_DATA", PCODE_DATA, "Data of the mailbox."),
    KEPT("PCODE_DATA1", PCODE_DATA1, "Data of the mailbox, upper half."),
};

static const struct reg gen6_rows[] = {
    {.name = "RPNSWREQ",
     .offset = RPNSWREQ,
     .writable = 0xffffffff,
     FIELDS(request_fields),
     .after_write = frequency_request_written,
     .summary = "Frequency that software asks for, in 50 MHz.",
     .spec = "SNB PRM vol 2"},
    {.name = "RPSTAT1",
     .offset = 0xa01c,
     .before_read = status_read,
     .summary = "Bits 14:8: the frequency there is.",
     .spec = "SNB PRM vol 2"},
    /* 650, 850 and 1100 MHz. */
    {.name = "RP_STATE_CAP",
     .offset = RP_STATE_CAP,
     .reset = 0x0d1116,
     FIELDS(caps_fields),
     .summary = "Lowest, efficient and highest frequency in 50 MHz.",
     .spec = "SNB PRM vol 2"},
    {.name = "MC_BIOS_DATA",
     .offset = 0x145e04,
     .summary = "Memory clock. It reads as zero: memory has no clock in this model.",
     .spec = "SNB PRM vol 2"},
};

static const struct reg gen75_rows[] = {
    {.name = "RPNSWREQ",
     .offset = RPNSWREQ,
     .writable = 0xffffffff,
     FIELDS(gen75_request_fields),
     .after_write = frequency_request_written,
     .summary = "Frequency that software asks for, in 50 MHz.",
     .spec = "HSW PRM vol 2c"},
    {.name = "RPSTAT1",
     .offset = 0xa01c,
     .before_read = status_read,
     .summary = "Bits 13:7: the frequency there is.",
     .spec = "HSW PRM vol 2c"},
    /* 200, 300 and 1000 MHz. */
    {.name = "RP_STATE_CAP",
     .offset = RP_STATE_CAP,
     .reset = 0x040614,
     FIELDS(caps_fields),
     .summary = "Lowest, efficient and highest frequency in 50 MHz.",
     .spec = "HSW PRM vol 2c"},
    {.name = "MC_BIOS_DATA",
     .offset = 0x145e04,
     .summary = "Memory clock. It reads as zero: memory has no clock in this model.",
     .spec = "HSW PRM vol 2c"},
};

#define GEN9_COMMON_ROWS                                                                                     \
    {.name = "RPNSWREQ",                                                                                     \
     .offset = RPNSWREQ,                                                                                     \
     .writable = 0xffffffff,                                                                                 \
     FIELDS(gen9_request_fields),                                                                            \
     .after_write = frequency_request_written,                                                               \
     .summary = "Frequency that software asks for.",                                                         \
     .spec = "SKL PRM vol 2c"},                                                                              \
        {.name = "RPSTAT1",                                                                                  \
         .offset = 0xa01c,                                                                                   \
         .before_read = status_read,                                                                         \
         .summary = "Bits 31:23: the frequency there is, in 16.7 MHz.",                                      \
         .spec = "SKL PRM vol 2c"},                                                                          \
    {                                                                                                        \
        .name = "MC_BIOS_DATA", .offset = 0x145e04,                                                          \
        .summary = "Memory clock. It reads as zero: memory has no clock in this model.",                     \
        .spec = "SKL PRM vol 2c"                                                                             \
    }
static const struct reg gen9_rows[] = {
    GEN9_COMMON_ROWS,
    /* 350, 350 and 1150 MHz. */
    {.name = "RP_STATE_CAP",
     .offset = RP_STATE_CAP,
     .reset = 0x070717,
     FIELDS(caps_fields),
     .summary = "Lowest, efficient and highest frequency in 50 MHz.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FREQ_INFO_REC",
     .offset = 0x145ef0,
     .reset = 0x00000700,
     .summary = "Bits 15:8: the efficient frequency in 50 MHz.",
     .spec = "ICL PRM vol 2c"},
};

/* The current frequency, unless the GT sleeps. */
static uint32_t mirror_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *const gt = at->owner;
    enum { STATE_RC6 = 3 << 9 };
    return rc6_asleep(gt) ? STATE_RC6 : gt_frequency(gt);
}

static const struct field mirror_fields[] = {{"Frequency in 16.7 MHz", 0, 8, FIELD_UINT, NULL},
                                             {"Core C-State", 9, 12, FIELD_UINT, NULL}};
/* The limits are fuses. */
static const struct reg gen200_rows[] = {
    GEN9_COMMON_ROWS,
    {.name = "MIRROR_TARGET_WP1",
     .offset = 0xc60,
     .before_read = mirror_read,
     FIELDS(mirror_fields),
     .summary = "The frequency there is, and whether the GT sleeps.",
     .spec = "Linux, xe_gt_regs.h"},
    {.name = "GT_PERF_LIMIT_REASONS",
     .offset = 0x1381a8,
     .summary = "Why the frequency is below the request: it is not.",
     .spec = "Linux, xe_gt_regs.h"},
};

const struct register_block gen200_frequency_registers = REGISTER_BLOCK("frequency", gen200_rows);
const struct register_block frequency_registers = REGISTER_BLOCK("frequency", rows);
const struct register_block gen6_frequency_registers = REGISTER_BLOCK("frequency", gen6_rows);
const struct register_block gen75_frequency_registers = REGISTER_BLOCK("frequency", gen75_rows);
const struct register_block gen9_frequency_registers = REGISTER_BLOCK("frequency", gen9_rows);
