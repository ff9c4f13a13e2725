/*
 * Registers from Gen8 on: control, status, buffer, head and tail, at offsets of the generation. The timer is
 * set by the last loaded render context (OACTXCONTROL), from Gen12 on by one register. A full buffer takes no
 * more reports. (SYS-18, SYS-19; BDW, SKL and TGL PRM vol 2c, as Linux' driver uses them)
 */
#include "oa/oa.h"

enum { CONTROL_ENABLE = 1u << 0 };
enum { TIMER_RESUME = 1u << 0, TIMER_ENABLE = 1u << 1 };
enum { BUFFER_GGTT = 1u << 0 };
#define POINTER 0xffffffc0u
enum { STATUS_HEAD_WRAPS = 1u << 16, STATUS_TAIL_WRAPS = 1u << 17 };
enum {
    DEBUG_NO_SWITCHES = 1u << 1,
    DEBUG_NO_GO = 1u << 2,
    DEBUG_NO_FREQUENCY = 1u << 5,
    DEBUG_RATIO_IN_ID = 1u << 6,
    DEBUG_LARGE = 1u << 12,
    DEBUG_NO_MMIO = 1u << 14
};
enum { HALF_FULL = 1u << 28 };
static uint32_t gen8_oa_value(const struct oa *oa, uint32_t place)
{
    return place ? register_value(oa->mmio, place) : 0;
}

static bool gen8_oa_enabled(const struct oa *oa)
{
    return gen8_oa_value(oa, oa->info->offsets.control) & CONTROL_ENABLE;
}

static bool counting(const struct oa *oa)
{
    return gen8_oa_value(oa, oa->info->offsets.timer) & TIMER_RESUME;
}

/* The timer fires when a bit of the timestamp rises. */
static uint64_t timer(const struct oa *oa, uint64_t *due)
{
    const uint32_t control = gen8_oa_value(oa, oa->info->offsets.timer);
    const unsigned bit = control >> 2 & 63u;
    if (!(control & TIMER_ENABLE) || bit > 62)
        return 0;
    *due = UINT64_C(1) << bit;
    return *due * 2u;
}

static unsigned select_of(const struct oa *oa)
{
    return gen8_oa_value(oa, oa->info->offsets.control) >> oa->info->counter_select_bit & 7u;
}

static struct oa_buffer buffer(const struct oa *oa)
{
    const uint32_t b = gen8_oa_value(oa, oa->info->offsets.buffer),
                   debug = gen8_oa_value(oa, oa->info->offsets.debug);
    const bool large = oa->info->buffer.large_sizes && debug & DEBUG_LARGE;
    const uint32_t size_bytes = 128u << 10 << (b >> 3 & 7u) << (large ? 3 : 0);
    return (struct oa_buffer){.base = b & POINTER & ~(size_bytes - 1u),
                              .size_bytes = size_bytes,
                              .head = gen8_oa_value(oa, oa->info->offsets.head) & POINTER,
                              .tail = gen8_oa_value(oa, oa->info->offsets.tail) & POINTER,
                              .in_ppgtt = !oa->info->buffer.ggtt_only && !(b & BUFFER_GGTT)};
}

static void moved(struct oa *oa, uint32_t tail, uint32_t status)
{
    const uint32_t was = gen8_oa_value(oa, oa->info->offsets.tail),
                   wraps = (tail < (was & POINTER)) ? STATUS_TAIL_WRAPS : 0;
    register_set(oa->mmio, oa->info->offsets.tail, tail);
    register_set(oa->mmio, oa->info->offsets.status,
                 gen8_oa_value(oa, oa->info->offsets.status) | status |
                     (oa->info->buffer.reports_tail_wrap ? wraps : 0));
}

/* Both frequencies in units of 50/3 MHz: bits 8:0, and 31:25 with 10:9. */
static uint32_t ratio(uint32_t frequency)
{
    return frequency | (frequency & 3u) << 9 | frequency >> 2 << 25;
}

static uint32_t report_id(const struct oa *oa, uint32_t reasons)
{
    const bool second = (reasons & (OA_REASON_TRIGGER_1 | OA_REASON_TRIGGER_2)) == OA_REASON_TRIGGER_2;
    const struct oa_info *const info = oa->info;
    const uint32_t threshold =
        register_value(oa->mmio, info->triggers.report + (second ? 20u : 4u)) >> 23 & 1u;
    const bool valid = oa->engines->context.valid &&
                       (!info->context_valid_at_switch_only || (reasons & OA_REASON_CONTEXT_SWITCH));
    const uint32_t id = reasons << 19 | (uint32_t)oa->triggers.started[second] << 18 | threshold << 17 |
                        (uint32_t)valid << info->valid_bit;
    return info->frequency_in_report_id && gen8_oa_value(oa, info->offsets.debug) & DEBUG_RATIO_IN_ID
               ? id | ratio(info->frequency(oa->mmio))
               : id;
}

static bool gen8_oa_reason_enabled(const struct oa *oa, uint32_t reason)
{
    const uint32_t debug = gen8_oa_value(oa, oa->info->offsets.debug);
    return reason == OA_REASON_CONTEXT_SWITCH     ? !(debug & DEBUG_NO_SWITCHES)
           : reason == OA_REASON_FREQUENCY_CHANGE ? !(debug & DEBUG_NO_FREQUENCY)
           : reason == OA_REASON_GO_TRANSITION    ? !(debug & DEBUG_NO_GO)
                                                  : !(debug & DEBUG_NO_MMIO);
}

static bool interrupts(const struct oa *oa)
{
    return oa->info->buffer.half_full && !(gen8_oa_value(oa, oa->info->offsets.mask) & HALF_FULL);
}

static void half_full(struct oa *oa)
{
    if (interrupts(oa))
        oa->interrupt->info->raise(oa->interrupt, *oa->info->buffer.half_full,
                                   oa->info->buffer.half_full_bits);
}

const struct oa_register_ops gen8_oa = {.enabled = gen8_oa_enabled,
                                        .counting = counting,
                                        .timer = timer,
                                        .counter_select = select_of,
                                        .buffer = buffer,
                                        .set_tail = moved,
                                        .report_id = report_id,
                                        .reason_enabled = gen8_oa_reason_enabled,
                                        .half_full_unmasked = interrupts,
                                        .half_full = half_full};

/* ---- Registers ---- */

static void gen8_oa_control_written(const struct register_access *w)
{
    if ((w->old_value ^ w->value) & CONTROL_ENABLE)
        oa_restart(w->owner);
}

static void buffer_written(const struct register_access *w)
{
    struct oa *oa = w->owner;
    if (!oa->info->buffer.keeps_tlb)
        mmu_invalidate(&oa->mmu);
}

static void head_written(const struct register_access *w)
{
    const struct oa *oa = w->owner;
    if (oa->info->buffer.reports_tail_wrap && (w->value & POINTER) < (w->old_value & POINTER))
        register_set(w->file, oa->info->offsets.status,
                     gen8_oa_value(oa, oa->info->offsets.status) | STATUS_HEAD_WRAPS);
}

/* The lower or upper half of an A counter. */
static uint32_t a_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)(oa->counts.a[at->index] >> at->dword * 32u);
}

static uint32_t free_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)(oa->eu_counters.free_running[at->index] >> at->dword * 32u) &
           (at->dword ? 0xffu : 0xffffffffu);
}

/* The current counts of the two start triggers. */
static uint32_t start_counts_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (oa->triggers.start_counts[0] & 0xffffu) | oa->triggers.start_counts[1] << 16;
}

static uint32_t report_counts_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (oa->triggers.report_counts[0] & 0xffffu) | oa->triggers.report_counts[1] << 16;
}

static uint32_t a32_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)oa->counts.a[32u + at->index];
}

static uint32_t b_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)oa->counts.b[at->index];
}

static uint32_t c_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)oa->counts.c[at->index];
}

static uint32_t clocks_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return (uint32_t)oa_gpu_ticks(at->owner);
}

static uint32_t a36_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *oa = at->owner;
    (void)stored;
    return (uint32_t)(oa->counts.a[OA_MEMORY_READS + at->index] >> at->dword * 32u);
}

static void trigger_written(const struct register_access *w)
{
    oa_trigger_report(w->owner, w->accessor, w->written);
}

#define ALL 0xffffffffu
static const struct field control_fields[] = {{"Counter Select", 2, 4, FIELD_UINT, NULL},
                                              {"Specific Context Enable", 1, 1, FIELD_BOOL, NULL},
                                              {"Performance Counter Enable", 0, 0, FIELD_BOOL, NULL}};
static const struct field debug_fields[] = {
    {"Include Clock Ratio", 6, 6, FIELD_BOOL, NULL},
    {"Disable Clock Ratio Reports", 5, 5, FIELD_BOOL, NULL},
    {"Disable GO 1-0 Reports", 2, 2, FIELD_BOOL, NULL},
    {"Disable Context Switch Reports", 1, 1, FIELD_BOOL, NULL},
};
static const struct field status_fields[] = {
    {"Tail Pointer Wrap", 17, 17, FIELD_BOOL, NULL},    {"Head Pointer Wrap", 16, 16, FIELD_BOOL, NULL},
    {"Counter Overflow Error", 2, 2, FIELD_BOOL, NULL}, {"Buffer Overflow", 1, 1, FIELD_BOOL, NULL},
    {"Report Lost Error", 0, 0, FIELD_BOOL, NULL},
};
static const struct field pointer_fields[] = {{"Pointer", 6, 31, FIELD_ADDRESS, NULL}};
static const struct field buffer_fields[] = {
    {"Report Buffer", 6, 31, FIELD_ADDRESS, NULL},
    {"Buffer Size", 3, 5, FIELD_UINT,
     (const struct field_value[]){{"128 KB", 0},
                                  {"256 KB", 1},
                                  {"512 KB", 2},
                                  {"1 MB", 3},
                                  {"2 MB", 4},
                                  {"4 MB", 5},
                                  {"8 MB", 6},
                                  {"16 MB", 7},
                                  {NULL, 0}}},
    {"Edge Trigger", 2, 2, FIELD_BOOL, NULL},
    {"Memory Select GGTT", 0, 0, FIELD_BOOL, NULL},
};
#define ROW_WITH(title, at, more, ...)                                                                       \
    {                                                                                                        \
        .name = (title), .offset = (at), .flags = REG_SURVIVES_ENGINE_RESET | (more), __VA_ARGS__,           \
        .spec = "SYS-19, BDW PRM vol 2c"                                                                     \
    }
#define ROW(title, at, ...) ROW_WITH(title, at, 0, __VA_ARGS__)

/* Mesa's batches read B and C on every generation. `more`: flags of the other counters. */
#define COUNTERS(more, a_at, a32_at, ticks_at, b_at, c_at, free_at, counts_at)                               \
    ROW_WITH(                                                                                                \
        "OAPERF_A", a_at, more, .count = 32, .stride = 8, .dwords = 2, .before_read = a_read,                \
        .summary =                                                                                           \
            "Aggregating counters A0 to A31, 40 bits: A0 clocks with work, the others what threads do."),    \
        ROW_WITH("OAPERF_A32", a32_at, more, .count = 4, .stride = 4, .before_read = a32_read,               \
                 .summary = "Aggregating counters A32 to A35: what threads do."),                            \
        ROW_WITH("GPU_TICKS", ticks_at, more, .before_read = clocks_read,                                    \
                 .summary = "Clocks of the GT, free running, but in RC6."),                                  \
        ROW("OAPERF_B", b_at, .count = 8, .stride = 4, .before_read = b_read,                                \
            .summary = "Boolean counters: signals 0 to 7, or custom events."),                               \
        ROW("OAPERF_C", c_at, .count = 8, .stride = 4, .before_read = c_read,                                \
            .summary = "Counters of signals 8 to 15."),                                                      \
        ROW_WITH("OAPERF_FREE", free_at, more, .count = OA_FREE_RUNNING, .stride = 8, .dwords = 2,           \
                 .before_read = free_read,                                                                   \
                 .summary = "A4, A6, A19 and A20 as they run freely, 40 bits: enabled, started, or not."),   \
        ROW_WITH("OASTARTTRIG_COUNTER", counts_at, more, .before_read = start_counts_read,                   \
                 .summary = "How far the start triggers' thresholds are counted: bits 15:0 and 31:16."),     \
        ROW_WITH("OARPTTRIG_COUNTER", (counts_at) + 4, more, .before_read = report_counts_read,              \
                 .summary = "How far the report triggers' thresholds are counted: bits 15:0 and 31:16.")

static const struct reg rows[] = {
    {.name = "OACONTROL",
     .offset = 0x2b00,
     .flags = REG_SURVIVES_ENGINE_RESET | REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     FIELDS(control_fields),
     .after_write = gen8_oa_control_written,
     .summary = "Observation control: enable, and how reports look.",
     .spec = "CSP-16, SYS-19, BDW PRM vol 2c"},
    ROW("OASTATUS", 0x2b08, .writable = 0x3000f, FIELDS(status_fields),
        .summary = "What was lost of reports and counts, which pointers wrapped."),
    ROW("OAHEADPTR", 0x2b0c, .writable = POINTER, FIELDS(pointer_fields), .after_write = head_written,
        .summary = "Head of the report buffer: software's."),
    ROW("OATAILPTR", 0x2b10, .writable = POINTER, FIELDS(pointer_fields),
        .summary = "Tail of the report buffer."),
    ROW("OABUFFER", 0x2b14, .writable = ALL, FIELDS(buffer_fields), .after_write = buffer_written,
        .summary = "The report buffer: place, size, space."),
    ROW("OABUFFER_UDW", 0x23b4, .writable = 0xffff, .summary = "Upper half of the report buffer's place."),
    ROW("OA_IMR", 0x2b20, .writable = HALF_FULL, .reset = ALL,
        .summary = "Mask of the half full interrupt, bit 28."),
    COUNTERS(0, 0x2800, 0x2900, 0x2910, 0x2920, 0x2940, 0x2960, 0x2b18),
};
static const struct reg gen9_rows[] = {
    ROW("OA_DEBUG", 0x2b04, .kind = REG_MASKED, .writable = 0xffff, FIELDS(debug_fields),
        .summary = "Reports that are not wanted, clock ratio in report ids."),
};
/* Gen12: the global unit. User batches cannot access it. */
#define GLOBAL(title, at, more, ...)                                                                         \
    {                                                                                                        \
        .name = (title), .offset = (at), .flags = REG_SURVIVES_ENGINE_RESET | (more), __VA_ARGS__,           \
        .spec = "SYS-19, TGL PRM vol 2c"                                                                     \
    }
#define OAG(title, at, ...) GLOBAL(title, at, REG_NONPRIV_READ_DENIED, __VA_ARGS__)
static const struct reg gen12_rows[] = {
    OAG("OAGLBCTXCTRL", 0x2b28, .writable = 0xff,
        .summary = "Bits 7:2: exponent of the timer; 1: it reports; 0: counters count; of all contexts."),
    OAG("OA_PESS", 0x2b2c, .writable = ALL, .summary = "Modes of the unit: kept."),
    OAG("OAG_OACONTROL", 0xdaf4, .writable = ALL, FIELDS(control_fields),
        .after_write = gen8_oa_control_written,
        .summary = "Observation control: enable, and how reports look."),
    OAG("OAG_OA_DEBUG", 0xdaf8, .kind = REG_MASKED, .writable = 0xffff, FIELDS(debug_fields),
        .summary = "Reports that are not wanted, large buffers."),
    OAG("OAG_OASTATUS", 0xdafc, .writable = 0x4f, FIELDS(status_fields),
        .summary = "What was lost of reports and counts."),
    OAG("OAG_OAHEADPTR", 0xdb00, .writable = POINTER, FIELDS(pointer_fields), .after_write = head_written,
        .summary = "Head of the report buffer: software's."),
    OAG("OAG_OATAILPTR", 0xdb04, .writable = POINTER, FIELDS(pointer_fields),
        .summary = "Tail of the report buffer."),
    OAG("OAG_OABUFFER", 0xdb08, .writable = 0xfffffff8, FIELDS(buffer_fields), .after_write = buffer_written,
        .summary = "The report buffer, in the GGTT: place, size."),
    OAG("OAG_OA_IMR", 0xdb14, .writable = HALF_FULL, .reset = ALL,
        .summary = "Mask of the half full interrupt, bit 28."),
    COUNTERS(REG_NONPRIV_READ_DENIED, 0xd980, 0xda80, 0xda90, 0xda94, 0xdab4, 0xdad4, 0xdb0c),
    OAG("OA_SELECT", 0xdc00, .count = 19, .stride = 4, .writable = ALL,
        .summary = "Further selects of boolean counters: kept."),
    OAG("OA_SELECT_2", 0xdd00, .count = 19, .stride = 4, .writable = ALL,
        .summary = "Further selects of boolean counters: kept."),
};
static const struct reg gen125_rows[] = {
    GLOBAL("SQCNT1", 0x8718, 0, .writable = ALL,
           .summary = "Bit 29: A36 and A37 count 128 bytes; else four accesses of 64 bytes."),
    GLOBAL("OAC_OACONTROL", 0x15114, 0, .writable = ALL,
           .summary = "Observation control of compute contexts: bit 0 enable, 3:1 how reports look."),
    OAG("OAG_MMIOTRIGGER", 0xdb1c, .writable = ALL, .after_write = trigger_written,
        .summary = "Makes a report, with what is written in place of the context."),
    GLOBAL("OAPERF_A36", 0xdb20, 0, .count = 2, .stride = 8, .dwords = 2, .before_read = a36_read,
           .summary = "A36 and A37: what was read, and written, of the device's memory, as SQCNT1 has it."),
};
/* The media unit. The manual does not list it: offsets are those of later products in Linux' driver. */
static const struct field media_control_fields[] = {{"Counter Select", 1, 3, FIELD_UINT, NULL},
                                                    {"Performance Counter Enable", 0, 0, FIELD_BOOL, NULL}};
#define OAM(title, at, ...)                                                                                  \
    {                                                                                                        \
        .name = (title), .offset = OAM_BASE + (at),                                                          \
        .flags = REG_SURVIVES_ENGINE_RESET | REG_NONPRIV_READ_DENIED, __VA_ARGS__,                           \
        .spec = "SYS-18, SYS-19; Linux, xe_oa_regs"                                                          \
    }
enum { OAM_BASE = 0x393000 };
static const struct reg gen125_media_rows[] = {
    OAM("OAM_GPU_TICKS", 0x080, .before_read = clocks_read,
        .summary = "Clocks of the GT, free running, but in RC6."),
    OAM("OAM_PERF_B", 0x084, .count = 8, .stride = 4, .before_read = b_read,
        .summary = "Boolean counters: signals 0 to 7, or custom events."),
    OAM("OAM_PERF_C", 0x0a4, .count = 8, .stride = 4, .before_read = c_read,
        .summary = "Counters of signals 8 to 15."),
    OAM("OAM_CONTROL", 0x194, .writable = ALL, FIELDS(media_control_fields),
        .after_write = gen8_oa_control_written,
        .summary = "Observation control of media: enable, and how reports look."),
    OAM("OAM_DEBUG", 0x198, .kind = REG_MASKED, .writable = 0xffff, FIELDS(debug_fields),
        .summary = "Reports that are not wanted, large buffers."),
    OAM("OAM_STATUS", 0x19c, .writable = 0x4f, FIELDS(status_fields),
        .summary = "What was lost of reports and counts."),
    OAM("OAM_HEAD_POINTER", 0x1a0, .writable = POINTER, FIELDS(pointer_fields), .after_write = head_written,
        .summary = "Head of the report buffer: software's."),
    OAM("OAM_TAIL_POINTER", 0x1a4, .writable = POINTER, FIELDS(pointer_fields),
        .summary = "Tail of the report buffer."),
    OAM("OAM_BUFFER", 0x1a8, .writable = 0xfffffff8, FIELDS(buffer_fields), .after_write = buffer_written,
        .summary = "The report buffer, in the GGTT: place, size."),
    OAM("OAM_IMR", 0x1b4, .writable = HALF_FULL, .reset = ALL,
        .summary = "Mask of the half full interrupt, bit 28."),
    OAM("OAM_CONTEXT_CONTROL", 0x1bc, .writable = 0xff,
        .summary = "Bits 7:2: exponent of the timer; 1: it reports; 0: counters count."),
    OAM("OAM_MMIO_TRG", 0x1d0, .writable = ALL, .after_write = trigger_written,
        .summary = "Makes a report, with what is written in place of the context."),
};
/* Registers of the context: saved and restored with it. */
#define OF_CONTEXT(title, at, ...)                                                                           \
    {                                                                                                        \
        .name = (title), .offset = (at), __VA_ARGS__, .writable = UINT64_MAX, .spec = "SYS-19"               \
    }
#define CONTEXT_COUNTERS                                                                                     \
    {.name = "OAR_A",                                                                                        \
     .offset = OA_CONTEXT_A0,                                                                                \
     .count = 32,                                                                                            \
     .stride = 8,                                                                                            \
     .dwords = 2,                                                                                            \
     .writable = OA_CONTEXT_A_BITS,                                                                          \
     .summary = "A0 to A31 of the context, 40 bits: clocks with work, what its threads did.",                \
     .spec = "SYS-19"},                                                                                      \
        OF_CONTEXT("OAR_A32", OA_CONTEXT_A32, .count = 4, .stride = 4,                                       \
                   .summary = "A32 to A35 of the context."),                                                 \
        OF_CONTEXT("OAR_GPU_TICKS", OA_CONTEXT_GPU_TICKS,                                                    \
                   .summary = "Clocks of the GT while the context is in."),                                  \
        OF_CONTEXT("OAR_B", OA_CONTEXT_B, .count = 8, .stride = 4,                                           \
                   .summary = "Boolean counters of the context."),                                           \
        OF_CONTEXT("OAR_C", OA_CONTEXT_C, .count = 8, .stride = 4,                                           \
                   .summary = "Counters of signals 8 to 15 of the context.")
static const struct reg render_context_rows[] = {
    OF_CONTEXT("OAR_OACONTROL", 0x960,
               .summary = "Observation control of contexts: bit 0 enable, 3:1 how reports look."),
    OF_CONTEXT("OAR_OASTATUS", 0x968, .summary = "Status of contexts' observation: kept."),
    CONTEXT_COUNTERS,
};
static const struct reg compute_context_rows[] = {
    OF_CONTEXT("OACTXCONTROL", OA_CONTEXT_CONTROL, .summary = "Bit 0: counters of the context count."),
    CONTEXT_COUNTERS,
};

const struct register_block gen12_oa_registers = REGISTER_BLOCK("observation", gen12_rows);
const struct register_block gen125_oa_registers = REGISTER_BLOCK("observation", gen125_rows);
const struct register_block gen125_media_oa_registers = REGISTER_BLOCK("observation", gen125_media_rows);
const struct register_block gen12_render_context_counters =
    REGISTER_BLOCK("observation", render_context_rows);
const struct register_block gen125_compute_context_counters =
    REGISTER_BLOCK("observation", compute_context_rows);
const struct register_block gen8_oa_registers = REGISTER_BLOCK("observation", rows);
const struct register_block gen9_oa_registers = REGISTER_BLOCK("observation", gen9_rows);
