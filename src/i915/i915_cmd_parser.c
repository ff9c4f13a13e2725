/*
 * i915's command parser (Linux, drivers/gpu/drm/i915/i915_cmd_parser.c).
 *
 * Gen7: hardware drops register writes of unprivileged batches. i915 copies the batch into the GGTT and
 * checks each command of the copy. If all are allowed it starts the copy privileged; otherwise it starts the
 * batch unprivileged, and hardware decides. A batch with a command that has no end fails the call.
 *
 * Gen9: the blitter does not drop such writes. i915 always runs an unprivileged copy, which nobody can write,
 * and fails the call when a command is not allowed.
 *
 * Gen6: i915 checks nothing. By the manual unprivileged batches store no registers (SNB PRM vol 1 part 2,
 * table of privileged commands). Yet Mesa's i965 and crocus read query counters by MI_STORE_REGISTER_MEM in
 * such batches, so hardware must store. The model follows the manual; here a batch that stores registers and
 * does nothing else privileged runs privileged.
 */
#include "i915/i915.h"

#include <errno.h>
#include <string.h>

enum action { LENGTH_ONLY, NEVER, REGISTERS, IF_CLEAR, BATCH_START };
enum { ON_RENDER = 1 << CLASS_RENDER, ON_COPY = 1 << CLASS_COPY, ON_VIDEO = 1 << CLASS_VIDEO };
enum {
    ON_ENHANCE = 1 << CLASS_ENHANCE,
    ON_MEDIA = ON_VIDEO | ON_ENHANCE,
    ON_ALL = ON_RENDER | ON_COPY | ON_MEDIA
};
enum { MOST_CHECKS = 3, FIXED = 32 };

/* Bits that must be clear. `when`: only if one of these bits of the same or the first dword is set. */
struct check {
    uint8_t dw, when_dw;
    uint32_t clear, when;
};

struct rule {
    uint32_t header;
    uint8_t engines;
    uint8_t action; /* enum action */
    uint8_t length; /* width of the length field, which counts from 2 dwords; from FIXED on: FIXED + dwords */
    uint8_t step;   /* dwords from a register to the next; 0: one register */
    struct check checks[MOST_CHECKS];
};

enum { BATCH_END = 0x0a << 23, GGTT = 1 << 22 };
enum {
    NOTIFY = 1 << 8,
    POST_SYNC = 3 << 14,
    INDEX = 1 << 21,
    REGISTER_WRITE = 1 << 23,
    GGTT_WRITE = 1 << 24
};
enum { FLUSH_GGTT = 1 << 2, REPORT_GGTT = 1 << 0, MEDIA_REGISTERS = 0x18 };

#define MI(opcode) ((uint32_t)(opcode) << 23)
#define NOT_OF_THE_GGTT                                                                                      \
    {                                                                                                        \
        {                                                                                                    \
            0, 0, GGTT, 0                                                                                    \
        }                                                                                                    \
    }
#define FLUSH_CHECKS                                                                                         \
    {                                                                                                        \
        {0, 0, NOTIFY, 0}, {1, 0, FLUSH_GGTT, POST_SYNC},                                                    \
        {                                                                                                    \
            0, 0, INDEX, POST_SYNC                                                                           \
        }                                                                                                    \
    }
#define PIPE_CONTROL_CHECKS                                                                                  \
    {                                                                                                        \
        {1, 0, REGISTER_WRITE | NOTIFY, 0},                                                                  \
        {                                                                                                    \
            1, 1, GGTT_WRITE | INDEX, POST_SYNC                                                              \
        }                                                                                                    \
    }

/* Commands that are always refused, access registers, are allowed by some of their bits, or have an unusual
 * length. Rows of commands that a device lacks have no effect. */
/* clang-format off */
static const struct rule rules[] = {
    {MI(0x00), ON_ALL, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x01), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x02), ON_ALL, NEVER, FIXED + 1, 0, {{0}}}, /* MI_USER_INTERRUPT */
    {MI(0x03), ON_ALL, NEVER, FIXED + 1, 0, {{0}}}, /* MI_WAIT_FOR_EVENT */
    {MI(0x04), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x05), ON_ALL, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x06), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x07), ON_ALL, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x08), ON_RENDER | ON_MEDIA, NEVER, FIXED + 1, 0, {{0}}}, /* MI_ARB_ON_OFF */
    {MI(0x09), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x0b), ON_ALL, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x0c), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x0d), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x0e), ON_RENDER | ON_MEDIA, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x0f), ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x12), ON_RENDER | ON_COPY, NEVER, 6, 0, {{0}}}, /* MI_LOAD_SCAN_LINES_INCL, _EXCL */
    {MI(0x13), ON_RENDER | ON_COPY, NEVER, 6, 0, {{0}}},
    {MI(0x14), ON_RENDER | ON_COPY, NEVER, 8, 0, {{0}}}, /* MI_DISPLAY_FLIP */
    {MI(0x16), ON_ALL, NEVER, 8, 0, {{0}}},              /* MI_SEMAPHORE_MBOX */
    {MI(0x18), ON_RENDER, NEVER, 8, 0, {{0}}},           /* MI_SET_CONTEXT */
    {MI(0x19), ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}},
    {MI(0x20), ON_RENDER, IF_CLEAR, 6, 0, NOT_OF_THE_GGTT}, /* MI_STORE_DATA_IMM */
    {MI(0x20), ON_MEDIA, IF_CLEAR, 8, 0, NOT_OF_THE_GGTT},
    {MI(0x20), ON_COPY, IF_CLEAR, 10, 0, NOT_OF_THE_GGTT},
    {MI(0x21), ON_ALL, NEVER, 8, 0, {{0}}},                 /* MI_STORE_DATA_INDEX */
    {MI(0x22), ON_ALL, REGISTERS, 8, 2, {{0}}},             /* MI_LOAD_REGISTER_IMM */
    {MI(0x23), ON_RENDER, NEVER, 8, 0, {{0}}},              /* MI_UPDATE_GTT */
    {MI(0x23), ON_MEDIA | ON_COPY, NEVER, 6, 0, {{0}}},
    {MI(0x24), ON_ALL, REGISTERS, FIXED + 3, 0, NOT_OF_THE_GGTT}, /* MI_STORE_REGISTER_MEM */
    {MI(0x26), ON_MEDIA | ON_COPY, IF_CLEAR, 6, 0, FLUSH_CHECKS}, /* MI_FLUSH_DW */
    {MI(0x27), ON_RENDER, IF_CLEAR, 10, 0, NOT_OF_THE_GGTT},      /* MI_CLFLUSH */
    {MI(0x28), ON_RENDER, IF_CLEAR, 6, 0, {{1, 0, REPORT_GGTT, 0}}}, /* MI_REPORT_PERF_COUNT */
    {MI(0x29), ON_ALL, REGISTERS, FIXED + 3, 0, NOT_OF_THE_GGTT}, /* MI_LOAD_REGISTER_MEM */
    {MI(0x2a), ON_RENDER, REGISTERS, 8, 1, {{0}}},                /* MI_LOAD_REGISTER_REG */
    {MI(0x2b), ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}}, {MI(0x2c), ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}},
    {MI(0x2d), ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}},
    {MI(0x31), ON_ALL, NEVER, 8, 0, {{0}}}, /* MI_BATCH_BUFFER_START: its target is not checked */
    {MI(0x36), ON_RENDER | ON_MEDIA, IF_CLEAR, 8, 0, NOT_OF_THE_GGTT}, /* MI_CONDITIONAL_BATCH_BUFFER_END */
    {0x50000000, ON_COPY, LENGTH_ONLY, 6, 0, {{0}}}, /* COLOR_BLT, SRC_COPY_BLT */
    {0x50c00000, ON_COPY, LENGTH_ONLY, 6, 0, {{0}}},
    {0x68000000, ON_VIDEO, LENGTH_ONLY, FIXED + 1, 0, {{0}}},  /* MFX_WAIT */
    {0x680b0000, ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, /* 3DSTATE_VF_STATISTICS, PIPELINE_SELECT */
    {0x69040000, ON_RENDER, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {0x70000000, ON_RENDER, IF_CLEAR, 16, 0, {{2, 0, MEDIA_REGISTERS, 0}}}, /* MEDIA_VFE_STATE */
    {0x71040000, ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}}, {0x71050000, ON_RENDER, LENGTH_ONLY, 8, 0, {{0}}}, /* GPGPU_* */
    {0x78390000, ON_RENDER, LENGTH_ONLY, 11, 0, {{0}}},
    {0x783a0000, ON_RENDER, LENGTH_ONLY, 11, 0, {{0}}}, /* constants of DX9 */
    {0x78430000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}},
    {0x78440000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}}, /* binding table edits */
    {0x78450000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}}, {0x78460000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}},
    {0x78470000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}},
    {0x79170000, ON_RENDER, LENGTH_ONLY, 9, 0, {{0}}}, /* 3DSTATE_SO_DECL_LIST */
    {0x7a000000, ON_RENDER, IF_CLEAR, 8, 0, PIPE_CONTROL_CHECKS},
};

/* Gen9's blitter. */
static const struct rule copy_rules[] = {
    {MI(0x00), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x02), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x03), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x04), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x05), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x07), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x08), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}}, {MI(0x0b), ON_COPY, LENGTH_ONLY, FIXED + 1, 0, {{0}}},
    {MI(0x12), ON_COPY, LENGTH_ONLY, 6, 0, {{0}}}, {MI(0x13), ON_COPY, LENGTH_ONLY, 6, 0, {{0}}},
    {MI(0x20), ON_COPY, LENGTH_ONLY, 10, 0, {{0}}},       /* MI_STORE_DATA_IMM */
    {MI(0x22), ON_COPY, REGISTERS, 8, 2, {{0}}},          /* MI_LOAD_REGISTER_IMM */
    {MI(0x23), ON_COPY, LENGTH_ONLY, 10, 0, {{0}}},       /* MI_UPDATE_GTT */
    {MI(0x24), ON_COPY, REGISTERS, FIXED + 4, 0, {{0}}},  /* MI_STORE_REGISTER_MEM */
    {MI(0x26), ON_COPY, LENGTH_ONLY, 6, 0, {{0}}},        /* MI_FLUSH_DW */
    {MI(0x29), ON_COPY, REGISTERS, FIXED + 4, 0, {{0}}},  /* MI_LOAD_REGISTER_MEM */
    {MI(0x2a), ON_COPY, REGISTERS, 8, 1, {{0}}},          /* MI_LOAD_REGISTER_REG */
    {MI(0x31), ON_COPY, BATCH_START, 8, 0, {{0}}},               /* MI_BATCH_BUFFER_START */
};
/* clang-format on */

struct rule_set {
    const struct rule *rules;
    uint8_t count;
    uint8_t mi_length_bits; /* length of MI commands without a rule */
};
static const struct rule_set gen7_rules = {rules, sizeof rules / sizeof rules[0], 6},
                             gen9_copy_rules = {copy_rules, sizeof copy_rules / sizeof copy_rules[0], 8};

enum { KIND_MI, KIND_2D = 2, KIND_3D };

static const struct rule *find_rule(const struct rule_set *s, enum engine_class class, uint32_t header)
{
    static const uint8_t opcode_at[8] = {[KIND_MI] = 23, [KIND_2D] = 22, [KIND_3D] = 16};
    const unsigned at = opcode_at[header >> 29];
    for (unsigned n = 0; at && n < s->count; n++)
        if (s->rules[n].engines >> class & 1u && s->rules[n].header >> at == header >> at)
            return &s->rules[n];
    return NULL;
}

/* Width of the length field of commands without a rule; 0: there are no such commands. */
static unsigned usual_length_bits(const struct rule_set *s, enum engine_class class, uint32_t header)
{
    enum { MEDIA = 2, LONG_MEDIA = 6 };
    const unsigned kind = header >> 29, pipeline = header >> 27 & 3u, group = header >> 24 & 7u;
    if (kind == KIND_MI)
        return s->mi_length_bits;
    if (class == CLASS_COPY)
        return kind == KIND_2D ? 8 : 0;
    if (kind != KIND_3D)
        return 0;
    if (pipeline != MEDIA)
        return 8;
    return class == CLASS_RENDER || group == LONG_MEDIA ? 16 : 12;
}

/* The length of a command; 0: it does not exist. */
static uint32_t length_dw(const struct rule_set *s, enum engine_class class, const struct rule *rule,
                          uint32_t header)
{
    if (rule && rule->length >= FIXED)
        return rule->length - FIXED;
    const unsigned bits = rule ? rule->length : usual_length_bits(s, class, header);
    return bits ? (header & ((1u << bits) - 1u)) + 2u : 0;
}

const struct checked_register i915_stored_registers[] = {{0, UINT16_MAX, CLASS_RENDER, UINT32_MAX},
                                                         {0, UINT16_MAX, CLASS_COPY, UINT32_MAX},
                                                         {0, UINT16_MAX, CLASS_VIDEO, UINT32_MAX},
                                                         {0, 0, 0, 0}};

static const struct checked_register *find_register(const struct checked_register *all,
                                                    enum engine_class class, uint32_t offset)
{
    for (; all->count; all++)
        if (all->class == class && offset - all->offset < all->count * 4u && offset % 4 == 0)
            return all;
    return NULL;
}

static bool registers_are_open(const struct checked_register *all, enum engine_class class,
                               const struct rule *rule, const uint32_t *dw, uint32_t count_dw)
{
    enum { OFFSET = 0x7ffffc };
    const bool of_immediates = rule->header == MI(0x22), stores = rule->header == MI(0x24);
    for (uint32_t at = 1; at < count_dw; at += rule->step ? rule->step : count_dw) {
        const struct checked_register *const r = find_register(all, class, dw[at] & OFFSET);
        if (!r)
            return false;
        /* Some registers are open to immediates only, in a few bits. */
        const bool may_write =
            r->closed != UINT32_MAX && of_immediates && at + 2 <= count_dw && !(dw[at + 1] & r->closed);
        if (r->closed && !stores && !may_write)
            return false;
    }
    return true;
}

static bool is_open(const struct checked_register *all, enum engine_class class, const struct rule *rule,
                    const uint32_t *dw, uint32_t count_dw)
{
    if (!rule || rule->action == LENGTH_ONLY)
        return true;
    if (rule->action == NEVER)
        return false;
    if (rule->action == REGISTERS && !registers_are_open(all, class, rule, dw, count_dw))
        return false;
    for (const struct check *c = rule->checks; c < rule->checks + MOST_CHECKS && c->clear; c++)
        if ((!c->when || dw[c->when_dw] & c->when) && (c->dw >= count_dw || dw[c->dw] & c->clear))
            return false;
    return true;
}

/* A batch being checked. */
struct checking {
    const struct rule_set *rules;
    const struct checked_register *registers;
    enum engine_class class;
    const uint32_t *dw;
    uint32_t count_dw;
};

/* Checks the command at dword `at`. Returns 0; -EINVAL: it has no end; -EACCES: it is not allowed. */
static int check_command(const struct checking *c, uint32_t at, const struct rule **rule, uint32_t *length)
{
    const uint32_t header = c->dw[at];
    *rule = find_rule(c->rules, c->class, header);
    *length = length_dw(c->rules, c->class, *rule, header);
    if (!*length || *length > c->count_dw - at)
        return -EINVAL;
    return is_open(c->registers, c->class, *rule, c->dw + at, *length) ? 0 : -EACCES;
}

/* Checks commands from dword *at up to the end of the batch or a batch start, where *at is then. Errors as
 * check_command; a batch without an end is -EINVAL. */
static int check_commands(const struct checking *c, uint32_t *at, bool *registers)
{
    for (uint32_t length; *at < c->count_dw; *at += length) {
        const struct rule *rule;
        if (c->dw[*at] == BATCH_END)
            return 0;
        const int error = check_command(c, *at, &rule, &length);
        if (error)
            return error;
        *registers |= rule && rule->action == REGISTERS;
        if (rule && rule->action == BATCH_START)
            return 0;
    }
    return -EINVAL;
}

int i915_check_batch(const struct checked_register *all, enum engine_class class, const uint32_t *dw,
                     uint32_t count_dw, bool *registers)
{
    uint32_t at = 0;
    *registers = false;
    return check_commands(&(struct checking){&gen7_rules, all, class, dw, count_dw}, &at, registers);
}

/* The jump target is a checked command before `end`. */
static bool begins_command(const struct checking *c, uint32_t target, uint32_t end)
{
    uint32_t at = 0;
    while (at < target && at < end)
        at += length_dw(c->rules, c->class, find_rule(c->rules, c->class, c->dw[at]), c->dw[at]);
    return at == target;
}

int i915_check_copy(const struct checked_register *all, enum engine_class class, uint32_t *dw,
                    uint32_t count_dw, uint64_t original, uint64_t copy)
{
    enum { JUMP_FIELDS = (1 << 23) - 1, IN_PPGTT_3_DWORDS = 1 << 8 | 1 };
    const struct checking c = {&gen9_copy_rules, all, class, dw, count_dw};
    uint32_t at = 0;
    bool registers = false;
    const int error = check_commands(&c, &at, &registers);
    if (error || dw[at] == BATCH_END)
        return error;
    /* A jump back into the batch, or to itself: the dwords after it do not run. */
    if ((dw[at] & JUMP_FIELDS) != IN_PPGTT_3_DWORDS)
        return -EACCES;
    const uint64_t offset = (dw[at + 1] | (uint64_t)dw[at + 2] << 32) - original;
    if (offset >= (uint64_t)count_dw * 4 || !begins_command(&c, (uint32_t)offset / 4, at))
        return -EINVAL;
    dw[at + 1] = (uint32_t)(copy + offset);
    dw[at + 2] = (uint32_t)((copy + offset) >> 32);
    return 0;
}
