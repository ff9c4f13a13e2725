/*
 * Registers of Gen6 and Gen7.
 *
 * Where the manual is silent: the sixteen NOA signals are our choice (inputs in the data sheet), and have one
 * clock. A full buffer takes no more reports. A report without an ID has the reasons in bits 24:19, as on
 * Gen8. A counters do not wait for a start trigger. (REN-17, REN-22 to REN-25)
 */
#include "oa/oa.h"

enum {
    OACONTROL = 0x2360,
    OASTATUS1 = 0x2364,
    OASTATUS2 = 0x2368,
    OABUFFER = 0x23b0,
    SO_PRIM_STORAGE_NEEDED = 0x2280,
};
enum { CONTROL_ENABLE = 1u << 0, CONTROL_ONE_CONTEXT = 1u << 1, CONTROL_TIMER = 1u << 5 };
enum { STATUS2_GGTT = 1u << 0 };
#define TAIL 0xffffffc0u

static uint32_t gen6_oa_control(const struct oa *oa)
{
    return register_value(oa->mmio, OACONTROL);
}

static bool gen6_oa_enabled(const struct oa *oa)
{
    return gen6_oa_control(oa) & CONTROL_ENABLE;
}

/* Whether the current context is counted: all, or the one in OACONTROL. */
static bool counting(const struct oa *oa)
{
    const struct engine *render = oa->engines;
    return !(gen6_oa_control(oa) & CONTROL_ONE_CONTEXT) ||
           (render->context.valid && context_lrca(render) == (gen6_oa_control(oa) & ~0xfffu));
}

static uint64_t timer(const struct oa *oa, uint64_t *due)
{
    *due = 0;
    return gen6_oa_control(oa) & CONTROL_TIMER ? UINT64_C(1) << (gen6_oa_control(oa) >> 6 & 63u) : 0;
}

/* Gen7: the timer fires when a bit of the timestamp rises. */
static uint64_t gen7_timer(const struct oa *oa, uint64_t *due)
{
    const unsigned bit = gen6_oa_control(oa) >> 6 & 63u;
    *due = UINT64_C(1) << bit;
    return gen6_oa_control(oa) & CONTROL_TIMER && bit < 63 ? *due * 2u : 0;
}

static unsigned select_of(const struct oa *oa)
{
    return gen6_oa_control(oa) >> 2 & 7u;
}

static struct oa_buffer buffer(const struct oa *oa, uint32_t size_bytes)
{
    return (struct oa_buffer){.base = register_value(oa->mmio, OABUFFER) & TAIL,
                              .size_bytes = size_bytes,
                              .head = register_value(oa->mmio, OASTATUS2) & TAIL,
                              .tail = register_value(oa->mmio, OASTATUS1) & TAIL};
}

static struct oa_buffer gen6_buffer(const struct oa *oa)
{
    return buffer(oa, ((register_value(oa->mmio, OASTATUS1) >> 3 & 7u) + 1u) << 14);
}

static struct oa_buffer gen7_buffer(const struct oa *oa)
{
    struct oa_buffer b = buffer(oa, 128u << 10 << (register_value(oa->mmio, OASTATUS1) >> 3 & 7u));
    b.in_ppgtt = !(register_value(oa->mmio, OASTATUS2) & STATUS2_GGTT);
    return b;
}

static void moved(struct oa *oa, uint32_t tail, uint32_t status)
{
    const uint32_t was = register_value(oa->mmio, OASTATUS1);
    register_set(oa->mmio, OASTATUS1, (was & ~TAIL) | tail | status);
}

static uint32_t report_id(const struct oa *oa, uint32_t reasons)
{
    return reasons << 19 | (uint32_t)oa->engines->context.valid << 16;
}

const struct oa_register_ops gen6_oa = {.enabled = gen6_oa_enabled,
                                        .counting = counting,
                                        .single_context = true,
                                        .timer = timer,
                                        .counter_select = select_of,
                                        .buffer = gen6_buffer,
                                        .set_tail = moved,
                                        .report_id = report_id};
const struct oa_register_ops gen7_oa = {.enabled = gen6_oa_enabled,
                                        .counting = counting,
                                        .single_context = true,
                                        .timer = gen7_timer,
                                        .counter_select = select_of,
                                        .buffer = gen7_buffer,
                                        .set_tail = moved,
                                        .report_id = report_id};

static void gen6_oa_control_written(const struct register_access *w)
{
    if ((w->old_value ^ w->value) & CONTROL_ENABLE)
        oa_restart(w->owner);
}

/* There is no such register: a write sets the tail. */
static void buffer_written(const struct register_access *w)
{
    struct oa *oa = w->owner;
    moved(oa, w->value & TAIL, 0);
    mmu_invalidate(&oa->mmu);
}

/* A write to this register resets the streamout counters. (REN-17) */
static void start_trigger_written(const struct register_access *w)
{
    for (uint32_t offset = SO_PRIM_STORAGE_NEEDED; offset < SO_PRIM_STORAGE_NEEDED + 16u; offset += 4)
        register_set(w->file, offset, 0);
}

#define ALL 0xffffffffu
static const struct field control_fields[] = {
    {"Select Context ID", 12, 31, FIELD_HEX, NULL},
    {"Timer Period", 6, 11, FIELD_UINT, NULL},
    {"Timer Enable", 5, 5, FIELD_BOOL, NULL},
    {"Counter Select", 2, 4, FIELD_UINT, NULL},
    {"Specific Context Enable", 1, 1, FIELD_BOOL, NULL},
    {"Performance Counter Enable", 0, 0, FIELD_BOOL, NULL},
};
static const struct field status_fields[] = {
    {"Tail Pointer", 6, 31, FIELD_ADDRESS, NULL},
    {"Internal Trigger Buffer Size", 3, 5, FIELD_UINT, NULL},
    {"Counter Overflow Error", 2, 2, FIELD_BOOL, NULL},
    {"Buffer Overflow", 1, 1, FIELD_BOOL, NULL},
    {"Report Lost Error", 0, 0, FIELD_BOOL, NULL},
};
static const struct field gen7_head_fields[] = {{"Head Pointer", 6, 31, FIELD_ADDRESS, NULL},
                                                {"Memory Select GGTT", 0, 0, FIELD_BOOL, NULL}};
static const struct field event_fields[] = {
    {"Clock Domain", 19, 20, FIELD_UINT, NULL},
    {"Compare Value", 3, 18, FIELD_HEX, NULL},
    {"Compare Function", 0, 2, FIELD_UINT, NULL},
};

/* The registers of a trigger are in descending order. */
#define TRIGGERS(written)                                                                                    \
    {.name = "OAREPORTTRIG4",                                                                                \
     .offset = 0x2370,                                                                                       \
     .writable = ALL,                                                                                        \
     .summary = "NOA signals 7 to 0 of the report trigger.",                                                 \
     .spec = "REN-23"},                                                                                      \
        {.name = "OAREPORTTRIG3",                                                                            \
         .offset = 0x2374,                                                                                   \
         .writable = ALL,                                                                                    \
         .summary = "NOA signals 15 to 8 of the report trigger.",                                            \
         .spec = "REN-23"},                                                                                  \
        {.name = "OAREPORTTRIG2",                                                                            \
         .offset = 0x2378,                                                                                   \
         .writable = 0x00ffffff,                                                                             \
         .summary = "Stages of the report trigger: inversions, threshold.",                                  \
         .spec = "REN-23"},                                                                                  \
        {.name = "OAREPORTTRIG1",                                                                            \
         .offset = 0x237c,                                                                                   \
         .writable = ALL,                                                                                    \
         .summary = "Threshold of the report trigger; occurrences or duration.",                             \
         .spec = "REN-23"},                                                                                  \
        {.name = "OASTARTTRIG4",                                                                             \
         .offset = 0x2380,                                                                                   \
         .writable = ALL,                                                                                    \
         .summary = "NOA signals 7 to 0 of the start trigger.",                                              \
         .spec = "REN-23"},                                                                                  \
        {.name = "OASTARTTRIG3",                                                                             \
         .offset = 0x2384,                                                                                   \
         .writable = ALL,                                                                                    \
         .summary = "NOA signals 15 to 8 of the start trigger.",                                             \
         .spec = "REN-23"},                                                                                  \
        {.name = "OASTARTTRIG2",                                                                             \
         .offset = 0x2388,                                                                                   \
         .writable = 0xf0ffffff,                                                                             \
         .after_write = (written),                                                                           \
         .summary = "Stages of the start trigger; a write resets the streamout counters.",                   \
         .spec = "REN-17, REN-23"},                                                                          \
    {                                                                                                        \
        .name = "OASTARTTRIG1", .offset = 0x238c, .writable = 0x0000ffff,                                    \
        .summary = "Threshold of the start trigger.", .spec = "REN-23"                                       \
    }

static const struct reg rows[] = {
    {.name = "OACONTROL",
     .offset = OACONTROL,
     .writable = ALL,
     FIELDS(control_fields),
     .after_write = gen6_oa_control_written,
     .summary = "Observation control: what counts, reports by the timer, and how reports look.",
     .spec = "REN-22"},
    {.name = "OASTATUS1",
     .offset = OASTATUS1,
     .writable = ALL,
     FIELDS(status_fields),
     .summary = "Tail and size of the report buffer, what was lost.",
     .spec = "REN-22"},
    {.name = "OASTATUS2",
     .offset = OASTATUS2,
     .writable = TAIL,
     .summary = "Head of the report buffer.",
     .spec = "REN-22"},
    {.name = "OANOASELECT",
     .offset = 0x236c,
     .writable = ALL,
     .summary = "Clock of each counter's NOA signals, two bits each; 3: none.",
     .spec = "REN-24"},
    TRIGGERS(start_trigger_written),
    {.name = "CEC_0",
     .offset = 0x2390,
     .count = 4,
     .stride = 8,
     .writable = 0x001fffff,
     FIELDS(event_fields),
     .summary = "Custom event: what is compared, and how; meant to be written only.",
     .spec = "REN-24"},
    {.name = "CEC_1",
     .offset = 0x2394,
     .count = 4,
     .stride = 8,
     .writable = ALL,
     .summary = "Custom event: signals delayed, signals left out; meant to be written only.",
     .spec = "REN-24"},
    {.name = "OABUFFER",
     .offset = OABUFFER,
     .writable = TAIL,
     .after_write = buffer_written,
     .summary = "Start of the report buffer; what is written becomes its tail.",
     .spec = "REN-22"},
};

static const struct reg gen7_rows[] = {
    {.name = "OACONTROL",
     .offset = OACONTROL,
     .writable = ALL,
     FIELDS(control_fields),
     .after_write = gen6_oa_control_written,
     .summary = "Observation control: what counts, reports by the timer, and how reports look.",
     .spec = "REN-22, IVB PRM vol 1 part 3"},
    {.name = "OASTATUS1",
     .offset = OASTATUS1,
     .writable = ALL,
     FIELDS(status_fields),
     .summary = "Tail and size of the report buffer (128 KB, doubled), what was lost.",
     .spec = "REN-22, HSW PRM vol 2c"},
    {.name = "OASTATUS2",
     .offset = OASTATUS2,
     .writable = TAIL | STATUS2_GGTT,
     FIELDS(gen7_head_fields),
     .summary = "Head of the report buffer, and in which space it is.",
     .spec = "REN-22, HSW PRM vol 2c"},
    {.name = "OABUFFER",
     .offset = OABUFFER,
     .writable = TAIL | 15u,
     .after_write = buffer_written,
     .summary = "Start of the report buffer; what is written becomes its tail.",
     .spec = "REN-22, HSW PRM vol 2c"},
};

const struct register_block gen6_oa_registers = REGISTER_BLOCK("observation", rows);
const struct register_block gen7_oa_registers = REGISTER_BLOCK("observation", gen7_rows);
