#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "../eu_kernel.h"
#include "../random.h"

/* The handlers for each level of the host's vectors give what the exact ones give, bit for bit: operations of
 * all shapes that they take, with modifiers, predicates, masks, saturation, in each mode of floats. */

static struct kernel k;

static uint32_t random_bits(uint64_t *seed)
{
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x807fffff, 0x007fffff, 0x00800000,
                                     0x80800001, 0x3f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffffffff, 0x7f800001, 0x4f000000, 0xcf000000, 0x1f800000,
                                     0x20000000, 0x9f800001, 0x7fffffff, 0x3effffff, 0xbf800001, 0x4effffff};
    const uint64_t choice = random_next(seed);
    switch (choice & 3u) {
    case 0:
        return edges[(choice >> 2) % (sizeof edges / sizeof edges[0])];
    case 1: /* small ones, whose products are denormal or round at half */
        return (uint32_t)(0x1f000000 + (random_next(seed) & 0x80ff000f));
    case 2:
        return 0x3f000000 + (uint32_t)(random_next(seed) & 0x80ffffff);
    default:
        return (uint32_t)random_next(seed);
    }
}

/* A flag subregister of the set: f0.0 to f1.1, or to f3.1. */
static uint8_t any_flag(uint64_t low, uint64_t high)
{
    return (uint8_t)((low & 3u) | (k.set->flag_count > 2 ? (high & 1u) << 2 : 0));
}

static struct op any_source(uint64_t *seed, enum eu_type type, bool three, bool may_be_immediate)
{
    const uint64_t choice = random_next(seed);
    const unsigned number = 10 + (unsigned)(choice >> 8) % 8u;
    struct op o = reg(number, type);
    if ((choice & 3u) == 0)
        o = one(number, (unsigned)(choice >> 16) % 8u * 4u, type);
    else if ((choice & 3u) == 1 && may_be_immediate && !three)
        return imm(random_bits(seed), type);
    else if (!three && (choice & 12u) == 0)
        o = region(number, type, 4, 4, 1);
    else if (!three && (choice & 12u) == 4)
        o = region(number, type, 1, 1, 0);
    if (three && o.w == 1)
        o.v = o.h = 0;
    o.negate = choice >> 24 & 1u && choice >> 25 & 1u;
    o.absolute = choice >> 26 & 1u && choice >> 27 & 1u;
    return o;
}

static const struct {
    enum eu_opcode does;
    uint8_t sources;
    bool conditional, floats, only_integers, saturates, modified, only_floats;
} operations[] = {
    {EU_MOV, 1, false, true, false, true, true},       {EU_NOT, 1, false, false, true, false, true},
    {EU_AND, 2, false, false, true, false, true},      {EU_OR, 2, false, false, true, false, true},
    {EU_XOR, 2, false, false, true, false, true},      {EU_ADD, 2, false, true, false, true, true},
    {EU_MUL, 2, false, true, false, true, true},       {EU_SHL, 2, false, false, true, false, false},
    {EU_SHR, 2, false, false, true, false, false},     {EU_ASR, 2, false, false, true, false, false},
    {EU_ROL, 2, false, false, true, false, false},     {EU_ROR, 2, false, false, true, false, false},
    {EU_SEL, 2, true, true, false, true, true},        {EU_CMP, 2, true, true, false, false, true},
    {EU_MAD, 3, false, true, false, true, true},       {EU_ADD3, 3, false, false, true, false, true},
    {EU_BFN, 3, false, false, true, false, false},     {EU_PLN, 2, true, true, false, true, true, true},
    {EU_LINE, 2, true, true, false, true, true, true}, {EU_LRP, 3, true, true, false, true, true, true},
    {EU_DP2, 2, true, true, false, true, true, true},  {EU_DP3, 2, true, true, false, true, true, true},
    {EU_DP4, 2, true, true, false, true, true, true},  {EU_DPH, 2, true, true, false, true, true, true},
};

static bool add_any(uint64_t *seed)
{
    const uint64_t choice = random_next(seed);
    const unsigned row = (unsigned)choice % (sizeof operations / sizeof operations[0]);
    const unsigned sources = operations[row].sources;
    const bool three = sources == 3;
    const bool plane = operations[row].does == EU_PLN || operations[row].does == EU_LINE;
    const enum eu_type a = operations[row].only_floats ? TYPE_F
                           : operations[row].only_integers || choice >> 16 & 1u
                               ? (choice >> 17 & 1u ? TYPE_D : TYPE_UD)
                               : TYPE_F;
    enum eu_type d = a;
    if (!kernel_has(k.set, operations[row].does))
        return false;
    if (operations[row].does == EU_MOV && choice >> 18 & 1u)
        d = choice >> 19 & 1u ? TYPE_D : TYPE_F;
    const uint8_t channels =
        (uint8_t[]){1, 8, 16, 32, 1, 8, 16, 16}[(choice >> 20 & 3u) + (choice >> 61 & 4u)];
    struct how how = {.channels = channels,
                      .first = choice >> 22 & 1u && channels < 32 ? 8 : 0,
                      .predicate = (uint8_t[]){0, 0, 1, 1, 4, 13, 0, 1}[choice >> 23 & 7u],
                      .invert = choice >> 26 & 1u,
                      .flag = any_flag(choice >> 27, choice >> 62),
                      .no_mask = choice >> 29 & 1u,
                      .saturate = operations[row].saturates && choice >> 30 & 1u && choice >> 31 & 1u};
    if (operations[row].conditional)
        how.condition = operations[row].does == EU_CMP || (operations[row].only_floats && choice >> 35 & 1u)
                            ? (uint8_t)(1 + (choice >> 32) % 6u)
                            : (uint8_t[]){0, 4, 5, 3}[operations[row].only_floats ? 0 : choice >> 32 & 3u];
    if (operations[row].does == EU_BFN)
        how.function = (uint8_t)(choice >> 40);
    struct op s[3];
    for (unsigned n = 0; n < sources; n++) {
        s[n] = any_source(seed, a, three, n == sources - 1);
        if (plane) { /* planes in half a register, positions in whole ones */
            const struct op modified = s[n];
            const unsigned number = 10 + (unsigned)(choice >> (53 + 3 * n)) % 4u;
            s[n] = n ? reg(number, TYPE_F) : one(number, choice >> 59 & 1u ? 16 : 0, TYPE_F);
            s[n].negate = modified.negate;
            s[n].absolute = modified.absolute;
        }
        if (!operations[row].modified)
            s[n].negate = s[n].absolute = false;
        if (n && s[n].type != TYPE_F && choice >> 50 & 1u && !three && !s[n].immediate)
            s[n].type = s[n].type == TYPE_D ? TYPE_UD : TYPE_D;
        if (n && s[n].immediate && s[n].type != TYPE_F && choice >> 51 & 1u)
            s[n].type = choice >> 52 & 1u ? TYPE_W : TYPE_UW, s[n].value = (s[n].value & 0xffff) * 0x10001;
    }
    struct op to = reg(20 + (unsigned)(choice >> 44) % 3u - (choice >> 47 & 1u ? 8u : 0), d);
    if (operations[row].does == EU_CMP && choice >> 48 & 1u)
        to = none(d);
    kernel_op(&k, operations[row].does, how, to, &s[0], sources > 1 ? &s[1] : NULL, three ? &s[2] : NULL);
    return true;
}

static void tell(const struct eu_thread *start, const struct eu_thread *want, const struct eu_thread *got,
                 unsigned operations_of_it, unsigned level)
{
    for (unsigned m = 0; m < operations_of_it; m++) {
        struct text text = {0};
        eu_disassemble(k.set, &k.i[m], 0, &text);
        text_char(&text, '\0');
        fprintf(stderr, "%s\n", (const char *)text.bytes);
        text_free(&text);
    }
    for (unsigned m = 0; m < sizeof want->grf; m += 4)
        if (memcmp(want->grf + m, got->grf + m, 4) != 0) {
            uint32_t x, y, z;
            memcpy(&x, want->grf + m, 4);
            memcpy(&y, got->grf + m, 4);
            memcpy(&z, start->grf + m, 4);
            fprintf(stderr, "r%u.%u: %08x, not %08x; before %08x\n", m / 32, m / 4 % 8, y, x, z);
        }
    for (unsigned m = 0; m < EU_ACCUMULATORS * EU_MAX_CHANNELS / 2; m++) {
        const unsigned which = m / (EU_MAX_CHANNELS / 2), channel = m % (EU_MAX_CHANNELS / 2);
        const uint64_t x = want->accumulator[which][channel], y = got->accumulator[which][channel];
        if (x != y)
            fprintf(stderr, "acc%u.%u: %016llx, not %016llx\n", which, channel, (unsigned long long)y,
                    (unsigned long long)x);
    }
    fail_msg("level %d, cr0 %x, %s, flags %x %x, not %x %x", (int)level, start->cr0[0], k.set->name,
             got->flag[0], got->flag[2], want->flag[0], want->flag[2]);
}

/* What a run does not note as dirty keeps its value. */
static void writes_are_noted(const struct eu_thread *start, struct eu_cache *cache)
{
    static _Alignas(64) struct eu_thread t;
    uint64_t budget = 1000;
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
    p.port.context = &p;
    t = *start;
    t.dirty = (struct eu_dirty){.rare = false};
    eu_thread_run(&t, &p.port, &budget);
    for (unsigned n = 0; n < EU_GRF_ROWS; n++)
        if (!(t.dirty.registers[n / 64] >> n % 64 & 1u))
            assert_memory_equal(t.grf + n * EU_REGISTER_BYTES, start->grf + n * EU_REGISTER_BYTES,
                                EU_REGISTER_BYTES);
    if (!t.dirty.rare) {
        assert_memory_equal(t.accumulator, start->accumulator, sizeof t.accumulator);
        assert_memory_equal(t.dpasw_shared_operand, start->dpasw_shared_operand,
                            sizeof t.dpasw_shared_operand);
    }
    if (!t.dirty.channel_ip)
        assert_memory_equal(t.channel_ip, start->channel_ip, sizeof t.channel_ip);
}

/* Adds an operation; false: it is none. */
typedef bool add_one(uint64_t *seed);

struct kernels {
    add_one *add;
    uint32_t (*fill)(uint64_t *seed); /* a dword of registers; NULL: random_bits */
    unsigned times;
    unsigned fast, all; /* operations that a level's handlers take, and those there were */
};

static void compare_levels(struct kernels *these)
{
    static const uint32_t modes[] = {0x4c0, 0,    0x400, 0x4d0, 0x4e0, 0x4f0,
                                     0x10,  0x20, 0x30,  0x4c1, 0x80,  0x1};
    unsigned sets = 0;
    while (!eu_isas[sets]->no_gpgpu)
        sets++;
    for (unsigned level = EU_SIMD_NONE + 1; level < TEST_WAYS; level++) {
        struct eu_cache *const cache = test_cache(level), *const exact = eu_cache_create_simd(EU_SIMD_NONE);
        uint64_t seed = 202;
        assert_non_null(exact);
        for (unsigned n = 0; cache && n < these->times; n++) {
            struct eu_thread a, b;
            k.set = eu_isas[n % sets];
            k.count = 0;
            for (unsigned tries = 0; k.count < 3 && tries < 50; tries++)
                these->add(&seed);
            const unsigned operations_of_it = k.count;
            kernel_end(&k);
            kernel_finish(&k);
            eu_thread_start(&a, k.set, 0, 0xffffff);
            for (unsigned m = 10 * 32; m < 30 * 64; m += 4)
                memcpy(a.grf + m, &(uint32_t){(these->fill ? these->fill : random_bits)(&seed)}, 4);
            for (unsigned m = 0; m < EU_FLAGS; m++)
                a.flag[m] = (uint16_t)random_next(&seed);
            for (unsigned m = 0; m < EU_MAX_CHANNELS / 2; m++)
                for (unsigned which = 0; which < 4; which++)
                    a.accumulator[which][m] = (uint64_t)random_bits(&seed) << 32 | random_bits(&seed);
            a.cr0[0] = modes[n / 4 % (sizeof modes / sizeof modes[0])];
            if (n % 3 == 0) {
                a.execution_mask = (uint32_t)random_next(&seed) & a.dispatch_mask;
                for (unsigned m = 0; m < EU_MAX_CHANNELS; m++)
                    a.channel_ip[m] = 0xfff8;
            }
            const struct eu_thread start = a;
            const uint64_t slice = n % 5 ? 1000 : 1 + random_next(&seed) % 24u;
            enum eu_stop stops[2];
            for (unsigned way = 0; way < 2 + (level == TEST_TRANSLATED); way++) {
                b = way ? start : a;
                struct test_port p =
                    test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, way ? cache : exact);
                p.port.context = &p;
                for (unsigned times = 0; times < 1000; times++) {
                    uint64_t budget = slice;
                    stops[way != 0] = eu_thread_run(way ? &b : &a, &p.port, &budget);
                    if (stops[way != 0] != EU_BUDGET)
                        break;
                }
            }
            assert_int_equal(stops[1], stops[0]);
            if (n % 2)
                writes_are_noted(&start, cache);
            a.why = b.why;
            if (memcmp(&a, &b, sizeof a) != 0)
                tell(&start, &a, &b, operations_of_it, level);
            for (unsigned m = 0; m < operations_of_it; m++) {
                struct eu_decoded op;
                struct eu_instruction i;
                assert_true(eu_decode(k.set, k.bytes + m * EU_NATIVE_BYTES, EU_NATIVE_BYTES, &i));
                eu_decode_instruction(k.set, &i, &op);
                these->all++;
                these->fast += eu_simd_select[level < EU_SIMD_LEVELS ? level : eu_host_simd_level()](&op);
            }
        }
        eu_cache_destroy(cache);
        eu_cache_destroy(exact);
    }
}

static void levels_are_the_same(void **state)
{
    struct kernels these = {.add = add_any, .times = CASES(12000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 ||
                eu_host_simd_level() == EU_SIMD_NONE); /* it is them that are compared */
}

/* ---- All types, regions and sizes ---- */

static struct op any_operand(uint64_t *seed, enum eu_type type, bool three, bool may_be_immediate)
{
    static const uint8_t regions[][3] = {{0, 1, 0}, {8, 8, 1},  {8, 8, 1}, {16, 16, 1}, {1, 1, 0}, {4, 4, 1},
                                         {2, 1, 0}, {16, 8, 2}, {8, 4, 2}, {4, 1, 0},   {4, 2, 2}, {0, 4, 1}};
    const uint64_t choice = random_next(seed);
    const uint8_t *const form = regions[choice % (sizeof regions / sizeof regions[0])];
    struct op o = region(10 + (unsigned)(choice >> 8) % 8u, type, form[0], form[1], form[2]);
    if (may_be_immediate && (choice >> 16 & 7u) == 0) {
        o = imm((uint64_t)random_bits(seed) << 32 | random_bits(seed), type);
        if (eu_types[type].bytes == 2)
            o.value = (o.value & 0xffff) * 0x10001;
        else if (eu_types[type].bytes == 4)
            o.value &= UINT32_MAX;
        return o;
    }
    if ((choice >> 19 & 15u) == 0 && eu_types[type].bytes == 4)
        o = other(FILE_ACCUMULATOR, (unsigned)(choice >> 23 & 1u), 0, type);
    else if (form[1] == 1 && !three)
        o.subregister = (uint8_t)((choice >> 24) % (32u / eu_types[type].bytes) * eu_types[type].bytes);
    if (three && o.w == 1)
        o.v = o.h = 0;
    o.negate = choice >> 32 & 1u && choice >> 33 & 1u;
    o.absolute = choice >> 34 & 1u && choice >> 35 & 1u;
    return o;
}

/* Whether the set has the last one in this way; else it is no more. */
static bool has_the_last_one(void)
{
    struct eu_instruction again;
    uint8_t bytes[EU_NATIVE_BYTES];
    if (eu_encode(k.set, &k.i[k.count - 1], bytes) && eu_decode(k.set, bytes, sizeof bytes, &again) &&
        !again.illegal)
        return true;
    k.count--;
    return false;
}

/* Only immediates have these types. */
static bool is_packed(enum eu_type type)
{
    return type == TYPE_V || type == TYPE_VF;
}

static bool add_typed(uint64_t *seed)
{
    static const enum eu_type types[] = {TYPE_UB, TYPE_B, TYPE_UW, TYPE_W, TYPE_UD, TYPE_D,
                                         TYPE_UQ, TYPE_Q, TYPE_F,  TYPE_F, TYPE_F,  TYPE_HF,
                                         TYPE_DF, TYPE_V, TYPE_VF, TYPE_VF};
    static const struct {
        uint8_t does, sources;
    } rows[] = {
        {EU_MOV, 1},  {EU_MOV, 1},  {EU_NOT, 1},  {EU_AND, 2},  {EU_OR, 2},   {EU_XOR, 2},  {EU_ADD, 2},
        {EU_ADD, 2},  {EU_MUL, 2},  {EU_MUL, 2},  {EU_SHL, 2},  {EU_SHR, 2},  {EU_ASR, 2},  {EU_ROL, 2},
        {EU_ROR, 2},  {EU_SEL, 2},  {EU_SEL, 2},  {EU_CMP, 2},  {EU_CMP, 2},  {EU_MAD, 3},  {EU_MAD, 3},
        {EU_ADD3, 3}, {EU_BFN, 3},  {EU_CSEL, 3}, {EU_BFE, 3},  {EU_BFI1, 2}, {EU_BFI2, 3}, {EU_BFREV, 1},
        {EU_LZD, 1},  {EU_FBH, 1},  {EU_FBL, 1},  {EU_CBIT, 1}, {EU_MACH, 2}, {EU_ADDC, 2}, {EU_SUBB, 2},
        {EU_RNDD, 1}, {EU_RNDE, 1}, {EU_RNDU, 1}, {EU_RNDZ, 1}, {EU_FRC, 1},  {EU_MATH, 1}, {EU_MATH, 2},
        {EU_MADM, 3},
    };
    static const uint8_t functions[2][8] = {{1, 2, 3, 4, 5, 6, 7, 1}, {9, 10, 12, 13, 10, 11, 9, 12}};
    const uint64_t choice = random_next(seed);
    const unsigned row = (unsigned)choice % (sizeof rows / sizeof rows[0]), sources = rows[row].sources;
    const enum eu_opcode does = (enum eu_opcode)rows[row].does;
    const bool three = sources == 3;
    if (!kernel_operation(k.set, does, sources) || (does == EU_MADM && k.set->ternary_is_align16))
        return false;
    const enum eu_type wanted = types[(choice >> 8) % (sizeof types / sizeof types[0])];
    struct op s[3], to;
    for (unsigned n = 0; n <= sources; n++) { /* n: the destination */
        enum eu_type type = wanted;
        const uint64_t other_one = random_next(seed);
        if (n && (other_one & 3u) == 0)
            type = types[(other_one >> 2) % (sizeof types / sizeof types[0])];
        const bool may = n == sources && sources <= 2;
        if (is_packed(type) && (n == 0 || !may))
            type = type == TYPE_V ? TYPE_W : TYPE_F;
        if (kernel_type(k.set, type, three, is_packed(type)) < 0)
            return false;
        if (n == 0) {
            to = region(18 + (unsigned)(other_one >> 16) % 3u - (other_one >> 20 & 1u ? 6u : 0), type, 8, 8,
                        (unsigned[]){1, 1, 2, 4}[three ? 0 : other_one >> 24 & 3u]);
            if ((other_one >> 32 & 15u) == 0 && eu_types[type].bytes == 4)
                to = other(FILE_ACCUMULATOR, 0, 0, type);
            if ((other_one >> 36 & 7u) == 0)
                to = none(type);
        } else if (is_packed(type)) {
            s[n - 1] = imm(random_bits(seed), type);
        } else {
            s[n - 1] = any_operand(seed, type, three, may && kernel_type(k.set, type, three, true) >= 0);
        }
    }
    struct how how = {.channels = (uint8_t[]){1, 2, 4, 8, 8, 16, 16, 32}[choice >> 20 & 7u],
                      .predicate = (uint8_t[]){0, 0, 0, 1, 1, 2, 4, 9}[choice >> 23 & 7u],
                      .invert = choice >> 26 & 1u,
                      .flag = any_flag(choice >> 27, choice >> 62),
                      .no_mask = choice >> 29 & 1u,
                      .saturate = choice >> 30 & 1u && choice >> 31 & 1u,
                      .acc_write = (choice >> 32 & 7u) == 0 || (does == EU_MACH && choice >> 32 & 1u),
                      .condition = choice >> 35 & 1u || does == EU_CMP || does == EU_CSEL
                                       ? (uint8_t)((choice >> 36) % 10u)
                                       : 0};
    if (does == EU_MATH)
        how.function = functions[sources - 1][choice >> 40 & 7u];
    if (does == EU_BFN)
        how.function = (uint8_t)(choice >> 40), how.condition = 0;
    kernel_op(&k, does, how, to, &s[0], sources > 1 ? &s[1] : NULL, three ? &s[2] : NULL);
    return has_the_last_one();
}

/* ---- One channel, registers of the architecture, and what else loops of Gen12 have ---- */

static struct op any_of_few(uint64_t *seed, enum eu_type type, bool destination)
{
    static const struct {
        uint8_t file, numbers, bytes;
        bool written;
    } files[] = {{FILE_FLAG, 4, 4, true},        {FILE_FLAG, 2, 4, true},
                 {FILE_ADDRESS, 1, 32, true},    {FILE_CONTROL, 1, 16, true},
                 {FILE_STATE, 1, 16, true},      {FILE_CHANNEL_ENABLE, 1, 4, false},
                 {FILE_ACCUMULATOR, 2, 32, true}};
    const uint64_t choice = random_next(seed);
    const unsigned row = (unsigned)(choice >> 8) % (sizeof files / sizeof files[0]),
                   bytes = eu_types[type].bytes;
    struct op o = one(10 + (unsigned)(choice >> 16) % 4u,
                      (unsigned)(choice >> 20) % (EU_REGISTER_BYTES / bytes) * bytes, type);
    if ((choice & 3u) < 2 && (files[row].written || !destination) &&
        (files[row].file != FILE_ACCUMULATOR || bytes == 4)) {
        const unsigned places = files[row].bytes / bytes,
                       numbers = files[row].file == FILE_FLAG ? k.set->flag_count : UINT8_MAX;
        o = other(files[row].file, (unsigned)(choice >> 28) % files[row].numbers % numbers,
                  places ? (unsigned)(choice >> 32) % places * bytes : 0, type);
        o.v = 0, o.w = 1, o.h = 0;
    }
    if (destination)
        o.h = 1;
    else if ((choice & 12u) == 12)
        o = imm(random_bits(seed), type);
    if (o.immediate && bytes == 2)
        o.value = (o.value & 0xffff) * 0x10001;
    o.negate = !destination && !o.immediate && (choice >> 40 & 7u) == 0;
    return o;
}

static bool add_few(uint64_t *seed)
{
    static const enum eu_type types[] = {TYPE_UW, TYPE_W, TYPE_UD, TYPE_D, TYPE_UQ, TYPE_Q, TYPE_UW, TYPE_UD};
    static const struct {
        uint8_t does, sources;
    } rows[] = {{EU_MOV, 1}, {EU_MOV, 1}, {EU_NOT, 1}, {EU_AND, 2}, {EU_OR, 2},  {EU_XOR, 2}, {EU_ADD, 2},
                {EU_MUL, 2}, {EU_SHL, 2}, {EU_SHR, 2}, {EU_ASR, 2}, {EU_SEL, 2}, {EU_CMP, 2}, {EU_CMP, 2}};
    const uint64_t choice = random_next(seed);
    const unsigned row = (unsigned)choice % (sizeof rows / sizeof rows[0]), sources = rows[row].sources;
    const enum eu_opcode does = (enum eu_opcode)rows[row].does;
    struct op to = none(types[choice >> 8 & 7u]), s[2];
    struct how how = {
        .channels = 1,
        .first = choice >> 11 & 1u ? 8 : 0,
        .predicate = (uint8_t[]){0, 0, 0, 0, 1, 1, 2, 5, 8, 10, 11, 12, 13, 9, 0, 0}[choice >> 12 & 15u],
        .invert = choice >> 16 & 1u,
        .flag = any_flag(choice >> 17, choice >> 62),
        .no_mask = choice >> 19 & 1u,
        .condition = does == EU_CMP || (choice >> 20 & 7u) == 0 ? (uint8_t)(1 + (choice >> 23) % 6u) : 0};
    if (does == EU_CMP || does == EU_MOV)
        how.channels = (uint8_t[]){1, 1, 8, 16, 32}[(choice >> 28 & 7u) % 5u];
    if (how.channels == 32)
        how.first = 0;
    if ((does != EU_CMP || choice >> 32 & 1u) && (does != EU_MOV || how.channels == 1))
        to = any_of_few(seed, types[choice >> 8 & 7u], true);
    for (unsigned n = 0; n < sources; n++) {
        do
            s[n] = any_of_few(seed, choice >> 33 & 1u ? to.type : types[random_next(seed) & 7u], false);
        while (s[n].immediate && (n + 1 < sources || eu_types[s[n].type].bytes == 8));
        if (kernel_type(k.set, s[n].type, false, s[n].immediate) < 0)
            return false;
    }
    if (does == EU_CMP && (choice >> 36 & 3u) == 0 && !s[0].immediate) { /* with itself */
        s[1] = s[0];
        to = none(s[0].type);
    }
    if (kernel_type(k.set, to.type, false, false) < 0 || !kernel_operation(k.set, does, sources))
        return false;
    kernel_op(&k, does, how, to, &s[0], sources > 1 ? &s[1] : NULL, NULL);
    return has_the_last_one();
}

/* Selections of words, products and sums of which some lie in accumulators. */
static bool add_row(uint64_t *seed)
{
    static const uint8_t floats[] = {EU_MAD, EU_MAD, EU_ADD, EU_MUL, EU_MOV, EU_SEL, EU_CMP};
    const uint64_t choice = random_next(seed);
    const unsigned kind = choice & 3u;
    const enum eu_opcode does = kind == 0   ? EU_CSEL
                                : kind == 1 ? (choice >> 8 & 1u ? EU_MACH : EU_MUL)
                                            : (enum eu_opcode)floats[(choice >> 8) % sizeof floats];
    const unsigned sources = does == EU_MOV ? 1 : does == EU_CSEL || does == EU_MAD ? 3 : 2;
    const enum eu_type type = kind == 0   ? TYPE_W
                              : kind == 1 ? (choice >> 16 & 1u ? TYPE_D : TYPE_UD)
                                          : TYPE_F;
    if (!kernel_operation(k.set, does, sources) || kernel_type(k.set, type, sources == 3, false) < 0)
        return false;
    struct op s[3], to = region(20 + (unsigned)(choice >> 20) % 3u, type, 8, 8, 1);
    for (unsigned n = 0; n < sources; n++) {
        s[n] = kind == 1 ? any_operand(seed, n == 1 && does == EU_MUL ? TYPE_UW : type, false, false)
                         : any_source(seed, type, sources == 3, false);
        if (kind > 1 && random_next(seed) & 1u)
            s[n] = other(FILE_ACCUMULATOR, (unsigned)random_next(seed) & 3u, 0, type);
    }
    if (kind == 0 && choice >> 46 & 1u)
        s[0] = s[1] = to;
    if (choice >> 24 & 1u && kind)
        to = other(FILE_ACCUMULATOR, (unsigned)(choice >> 25) & 3u, 0, type);
    const struct how how = {.channels = kind == 0 ? (uint8_t[]){1, 2, 4, 8, 4, 8, 4, 16}[choice >> 28 & 7u]
                                                  : (uint8_t[]){8, 8, 16, 1}[choice >> 28 & 3u],
                            .first = choice >> 31 & 1u ? 8 : 0,
                            .predicate = (uint8_t[]){0, 0, 1, 10}[choice >> 32 & 3u],
                            .invert = choice >> 34 & 1u,
                            .no_mask = choice >> 35 & 1u,
                            .saturate = kind > 1 && does != EU_CMP && (choice >> 36 & 7u) == 0,
                            .acc_write = does == EU_MACH && choice >> 39 & 3u,
                            .condition =
                                kind == 0 || does == EU_CMP ? (uint8_t)(1 + (choice >> 41) % 6u) : 0};
    kernel_op(&k, does, how, to, &s[0], sources > 1 ? &s[1] : NULL, sources > 2 ? &s[2] : NULL);
    return has_the_last_one();
}

/* ---- Products of 64 bits ---- */

/* mul to an accumulator or qwords, mach, and moves of every second dword. */
static bool add_product(uint64_t *seed)
{
    static const enum eu_type types[] = {TYPE_D, TYPE_UD, TYPE_D, TYPE_UD, TYPE_W, TYPE_UW, TYPE_UB, TYPE_B};
    static const uint8_t regions[][3] = {{8, 8, 1}, {8, 8, 1}, {0, 1, 0}, {8, 4, 2}};
    const uint64_t choice = random_next(seed);
    const unsigned kind = choice & 3u;
    const enum eu_opcode does = kind == 3 ? EU_MOV : kind == 2 ? EU_MACH : EU_MUL;
    const bool qwords = kind == 1;
    struct op s[2], to = reg(20 + (unsigned)(choice >> 8) % 5u, choice >> 12 & 1u ? TYPE_D : TYPE_UD);
    if (kind == 0)
        to = other(FILE_ACCUMULATOR, (unsigned)(choice >> 13) % 2u, 0, to.type);
    if (qwords)
        to.type = choice >> 14 & 1u ? TYPE_Q : TYPE_UQ;
    if (!kernel_has(k.set, does) || kernel_type(k.set, to.type, false, false) < 0)
        return false;
    for (unsigned n = 0; n < 2; n++) {
        const uint64_t which = random_next(seed);
        const uint8_t *const form = regions[which >> 8 & 3u];
        const enum eu_type type =
            kind == 3 ? to.type : types[(n && which & 16u) || kind == 2 ? which & 1u : which & 7u];
        s[n] = region(10 + (unsigned)(which >> 16) % 8u, type, form[0], form[1], form[2]);
        if (kind == 3)
            s[n].subregister = which >> 24 & 1u ? 4 : 0;
        else if (n && (which >> 32 & 3u) == 0 && eu_types[type].bytes > 1)
            s[n] =
                imm(eu_types[type].bytes == 2 ? (which >> 40 & 0xffff) * 0x10001 : random_bits(seed), type);
    }
    const struct how how = {.channels = choice >> 20 & 1u ? 8 : 16,
                            .first = choice >> 21 & 1u ? 8 : 0,
                            .predicate = (choice >> 22 & 3u) == 0,
                            .invert = choice >> 24 & 1u,
                            .flag = any_flag(choice >> 25, choice >> 62),
                            .no_mask = choice >> 27 & 1u,
                            .acc_write = kind == 2 && choice >> 28 & 1u};
    kernel_op(&k, does, how, to, &s[0], kind == 3 ? NULL : &s[1], NULL);
    return has_the_last_one();
}

static void products_are_the_same(void **state)
{
    struct kernels these = {.add = add_product, .times = CASES(30000)};
    (void)state;
    compare_levels(&these);
}

/* ---- Addresses ---- */

/* Sums, shifts and moves of qwords, whose sources lie 2, 4, 8 or other numbers of bytes apart, moves of
 * dwords and words into every second or fourth place, and qwords that become floats: as kernels compute where
 * their items lie. */
static bool add_address(uint64_t *seed)
{
    static const enum eu_type types[] = {TYPE_UQ, TYPE_Q, TYPE_UD, TYPE_D, TYPE_UD, TYPE_D, TYPE_UW, TYPE_W};
    static const uint8_t regions[][3] = {{8, 8, 1}, {0, 1, 0}, {16, 8, 2}, {4, 1, 0},
                                         {2, 1, 0}, {1, 1, 0}, {8, 2, 4},  {16, 16, 1}};
    const uint64_t choice = random_next(seed);
    const enum eu_opcode does = (enum eu_opcode)(uint8_t[]){EU_MOV, EU_ADD, EU_SHL, EU_ADD}[choice & 3u];
    const bool to_float = does == EU_MOV && (choice >> 2 & 7u) == 0;
    const enum eu_type type = to_float           ? TYPE_F
                              : choice >> 5 & 1u ? types[choice >> 6 & 1u]
                                                 : types[choice >> 7 & 7u];
    struct op s[2], to = region(18 + (unsigned)(choice >> 10) % 3u - (choice >> 12 & 1u ? 6u : 0), type, 8, 8,
                                eu_types[type].bytes == 8 ? 1 : (unsigned[]){1, 2, 2, 4}[choice >> 13 & 3u]);
    if (choice >> 15 & 1u)
        to.subregister = eu_types[type].bytes;
    if (kernel_type(k.set, type, false, false) < 0)
        return false;
    for (unsigned n = 0; n < 2; n++) {
        const uint64_t which = random_next(seed);
        const uint8_t *const form = regions[which >> 8 & 7u];
        const enum eu_type of = to_float ? types[which & 1u] : types[which & 7u];
        s[n] = region(10 + (unsigned)(which >> 16) % 8u, of, form[0], form[1], form[2]);
        if (which >> 24 & 1u)
            s[n].subregister = (uint8_t)((which >> 25 & 3u) * eu_types[of].bytes);
        if (n && (which >> 32 & 3u) == 0 && eu_types[of].bytes < 8)
            s[n] = imm(eu_types[of].bytes == 2 ? (which >> 40 & 0xffff) * 0x10001 : random_bits(seed), of);
        s[n].negate = !s[n].immediate && does != EU_SHL && (which >> 60 & 3u) == 0;
        s[n].absolute = !s[n].immediate && does != EU_SHL && (which >> 62 & 3u) == 0 && which >> 59 & 1u;
        if (kernel_type(k.set, of, false, s[n].immediate) < 0)
            return false;
    }
    const struct how how = {.channels = (uint8_t[]){8, 16, 16, 32}[choice >> 20 & 3u],
                            .first = choice >> 22 & 1u && (choice >> 20 & 3u) != 3 ? 8 : 0,
                            .predicate = (choice >> 23 & 3u) == 0,
                            .invert = choice >> 25 & 1u,
                            .flag = any_flag(choice >> 26, choice >> 62),
                            .no_mask = choice >> 28 & 1u,
                            .condition = (choice >> 32 & 15u) == 0};
    kernel_op(&k, does, how, to, &s[0], does == EU_MOV ? NULL : &s[1], NULL);
    return has_the_last_one();
}

static void addresses_are_the_same(void **state)
{
    struct kernels these = {.add = add_address, .times = CASES(40000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 || eu_host_simd_level() == EU_SIMD_NONE);
}

/* ---- Loops ---- */

/* The last instruction has a step of its own, which is translated. */
static bool is_plain(void)
{
    struct eu_decoded op;
    struct eu_instruction i;
    uint8_t bytes[EU_NATIVE_BYTES];
    if (!eu_encode(k.set, &k.i[k.count - 1], bytes) || !eu_decode(k.set, bytes, sizeof bytes, &i))
        return false;
    eu_decode_instruction(k.set, &i, &op);
    return eu_simd_select[eu_host_simd_level()] && eu_simd_select[eu_host_simd_level()](&op) && op.simd.rule;
}

/* Flags of a move to no register: NEO's sums of work groups choose by them. */
static bool add_flags(uint64_t *seed)
{
    const uint64_t choice = random_next(seed);
    const struct how how = {.channels = (uint8_t[]){1, 1, 8, 16}[choice & 3u],
                            .condition = (uint8_t)(1u + (choice >> 2) % 6u),
                            .flag = choice >> 8 & 3u,
                            .no_mask = choice >> 10 & 1u};
    const struct op from = reg(10 + (unsigned)(choice >> 16) % 8u, TYPE_W);
    kernel_op(&k, EU_MOV, how, none(TYPE_W), &from, NULL, NULL);
    return has_the_last_one();
}

/* Twenty rounds at most, that channels leave by breaks, with conditions in them that seldom part them. */
static void make_loop(uint64_t *seed)
{
    static const struct how scalar = {.channels = 1, .no_mask = true};
    static bool (*const adds[])(uint64_t *) = {add_any,   add_any,     add_few,     add_row,
                                               add_typed, add_product, add_address, add_flags};
    const uint64_t choice = random_next(seed);
    const uint8_t channels = choice & 1u ? 16 : 8, parted = choice & 24u ? channels : 32;
    const struct how rounds_left = {.channels = channels, .no_mask = true, .condition = 5, .flag = 3},
                     again = {.channels = channels, .predicate = 1, .flag = 3};
    const struct op counter = one(2, 0, TYPE_D);
    unsigned breaks[2], break_count = 0, condition = 0;
    bool conditional = false;
    k.count = 0;
    KERNEL_1(&k, EU_MOV, scalar, counter, imm(0, TYPE_D));
    const unsigned loop = k.count;
    for (unsigned part = 0; part < 4; part++) {
        for (unsigned tries = 0, end = k.count + 2; k.count < end && tries < 50; tries++)
            if (adds[random_next(seed) % (sizeof adds / sizeof adds[0])](seed) && choice & 4u && !is_plain())
                k.count--;
        const uint64_t what = random_next(seed);
        const struct how some = {.channels = parted,
                                 .predicate = what >> 2 & 1u,
                                 .invert = what >> 3 & 1u,
                                 .flag = what >> 4 & 3u};
        if (part < 2 && what & 1u)
            breaks[break_count++] = kernel_branch(
                &k, EU_BREAK, (struct how){.channels = parted, .predicate = 1, .flag = some.flag});
        if (part == 2 && conditional) {
            const unsigned end = kernel_branch(&k, EU_ENDIF, (struct how){.channels = parted});
            kernel_goes(&k, condition, end, end);
            kernel_goes(&k, end, end + 1, end + 1);
        }
        if (part == 1 && what & 2u && (conditional = true))
            condition = kernel_branch(&k, EU_IF, some);
    }
    KERNEL_2(&k, EU_ADD, scalar, counter, counter, imm(1, TYPE_D));
    KERNEL_2(&k, EU_CMP, rounds_left, none(TYPE_D), region(2, TYPE_D, 0, 1, 0), imm(20, TYPE_D));
    const bool all_at_once = choice & 2u && !break_count;
    const unsigned back =
        all_at_once ? kernel_branch(&k, EU_JMPI,
                                    (struct how){.channels = 1, .no_mask = true, .predicate = 1, .flag = 3})
                    : kernel_branch(&k, EU_WHILE, again);
    kernel_goes(&k, back, loop, loop);
    for (unsigned n = 0; n < break_count; n++)
        kernel_goes(&k, breaks[n], back, back);
    kernel_end(&k);
    kernel_finish(&k);
}

/* Any branches to near instructions between plain ones: structured conditions, and any others. */
static void make_branches(uint64_t *seed)
{
    static const uint8_t all[] = {EU_IF,    EU_IF,   EU_ELSE, EU_ENDIF, EU_ENDIF, EU_WHILE,
                                  EU_BREAK, EU_CONT, EU_HALT, EU_GOTO,  EU_JOIN,  EU_JMPI};
    const struct how counted = {.channels = 1, .no_mask = true, .condition = 5, .flag = 3},
                     scalar = {.channels = 1, .no_mask = true};
    const struct op counter = one(2, 0, TYPE_D);
    const uint64_t choice = random_next(seed);
    const uint8_t channels = choice & 1u ? 16 : 8;
    const unsigned size = 12u + (unsigned)(choice >> 8) % 30u;
    k.count = 0;
    KERNEL_1(&k, EU_MOV, scalar, counter, imm(0, TYPE_D));
    while (k.count < size) {
        const uint64_t what = random_next(seed);
        const enum eu_opcode does = (enum eu_opcode)all[(what >> 8) % sizeof all];
        const unsigned before = k.count;
        if (what & 3u && k.count > 2) {
            add_any(seed);
            if (k.count > before && !is_plain() && what & 12u)
                k.count--;
        } else if (kernel_operation(k.set, does, 0) && !(k.set->gen6_encoding && does != EU_JMPI)) {
            kernel_branch(&k, does,
                          (struct how){.channels = does == EU_JMPI     ? 1
                                                   : (what >> 16 & 7u) ? channels
                                                                       : 32,
                                       .no_mask = does == EU_JMPI || (what >> 19 & 7u) == 0,
                                       .predicate = (what >> 22 & 7u) != 0 && does != EU_ELSE &&
                                                    does != EU_ENDIF && does != EU_JOIN,
                                       .invert = what >> 25 & 1u,
                                       .flag = what >> 26 & 3u});
            k.i[before].value[EU_ACC_WRITE] = does == EU_GOTO && what >> 28 & 1u; /* Branch Control */
        }
    }
    KERNEL_2(&k, EU_ADD, scalar, counter, counter, imm(1, TYPE_D));
    KERNEL_2(&k, EU_CMP, counted, none(TYPE_D), region(2, TYPE_D, 0, 1, 0), imm(20, TYPE_D));
    const unsigned back =
        kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1, .flag = 3});
    kernel_goes(&k, back, 1, 1);
    kernel_end(&k);
    for (unsigned n = 0; n < back; n++) {
        const uint64_t what = random_next(seed);
        const unsigned form = k.i[n].operation->form;
        if (form != FORM_JUMP && form != FORM_MERGE && form != FORM_BRANCH)
            continue;
        unsigned near = n + 1u + (unsigned)(what & 0xff) % 8u, far = near + (unsigned)(what >> 8 & 0xff) % 6u;
        near = near < back - 2u ? near : back - 2u;
        far = far < back - 2u ? far : back - 2u;
        if ((what >> 16 & 15u) == 0)
            near = 1u + (unsigned)(what >> 24) % (back - 1u);
        if ((what >> 20 & 15u) == 0 || k.i[n].value[EU_ACC_WRITE])
            far = 1u + (unsigned)(what >> 40) % (n + 1u);
        if (what >> 60 & 1u && !k.i[n].value[EU_ACC_WRITE])
            far = near;
        kernel_goes(&k, n, near, far);
    }
    kernel_finish(&k);
}

/* Whatever the budget of a run is. Returns how many of the kernels end. */
static unsigned compare_loops(void (*make)(uint64_t *seed), unsigned loops)
{
    static const uint32_t modes[] = {0x4c0, 0x4c0, 0x4c0, 0, 0x10, 0x4f0, 0x4c1};
    static const uint64_t slices[] = {UINT64_MAX, 5, 23, 61};
    static _Alignas(64) struct eu_thread start, want, got;
    uint64_t seed = 17;
    unsigned sets = 0, ended = 0;
    while (!eu_isas[sets]->no_gpgpu)
        sets++;
    for (unsigned n = 0; n < loops; n++) {
        k.set = eu_isas[n % sets];
        make(&seed);
        eu_thread_start(&start, k.set, 0, n % 5 ? 0xffff : 0xffffff);
        for (unsigned m = 10 * 32; m < 30 * 32; m += 4)
            memcpy(start.grf + m, &(uint32_t){random_bits(&seed)}, 4);
        for (unsigned m = 0; m < EU_FLAGS; m++)
            start.flag[m] = (uint16_t)(random_next(&seed) & random_next(&seed) & random_next(&seed));
        for (unsigned m = 0; m < EU_ACCUMULATORS * EU_MAX_CHANNELS / 2; m++)
            start.accumulator[m / (EU_MAX_CHANNELS / 2)][m % (EU_MAX_CHANNELS / 2)] =
                (uint64_t)random_bits(&seed) << 32 | random_bits(&seed);
        start.cr0[0] = modes[n / 4 % (sizeof modes / sizeof modes[0])];
        if (n % 3 == 0) {
            start.execution_mask = (uint32_t)random_next(&seed) & start.dispatch_mask;
            for (unsigned m = 0; m < EU_MAX_CHANNELS; m++)
                start.channel_ip[m] = 0xfff8;
        }
        for (unsigned way = EU_SIMD_NONE; way < TEST_WAYS; way += way ? TEST_TRANSLATED - 1u : 1u) {
            struct eu_cache *const cache = test_cache(way ? TEST_TRANSLATED : way);
            for (unsigned slice = 0; cache && slice < (way ? sizeof slices / sizeof slices[0] : 1u);
                 slice++) {
                struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
                enum eu_stop stop = EU_BUDGET;
                p.port.context = &p;
                got = start;
                for (unsigned runs = 0; stop == EU_BUDGET && runs < 20000; runs++) {
                    uint64_t budget = slices[slice] < 2000 ? slices[slice] : 2000;
                    stop = eu_thread_run(&got, &p.port, &budget);
                    if (got.instruction_count >= 2000)
                        break;
                }
                got.why = NULL;
                if (!way) {
                    want = got;
                    ended += stop == EU_ENDED;
                } else if (stop == EU_ENDED && want.stop == EU_ENDED &&
                           memcmp(&want, &got, sizeof got) != 0) {
                    tell(&start, &want, &got, k.count, way);
                }
            }
            eu_cache_destroy(cache);
        }
    }
    return ended;
}

static void loops_are_the_same(void **state)
{
    (void)state;
    compare_loops(make_loop, CASES(3000));
}

static void branches_are_the_same(void **state)
{
    enum { KERNELS = CASES(6000) };
    (void)state;
    assert_true(compare_loops(make_branches, KERNELS) > KERNELS / 4);
}

/* Steps go on with each other by jumps: however long it runs, a kernel takes the same stack. */
static void *run_on_a_small_stack(void *kernel)
{
    enum { ROUNDS = 20000 };
    static _Alignas(64) struct eu_thread t;
    struct test_port *const p = kernel;
    uint64_t budget = 100 * ROUNDS;
    eu_thread_start(&t, k.set, 0, 0xffffff);
    t.cr0[0] = 0x4c0;
    assert_int_equal(eu_thread_run(&t, &p->port, &budget), EU_ENDED);
    uint32_t rounds;
    memcpy(&rounds, t.grf + 2 * EU_REGISTER_BYTES, sizeof rounds);
    assert_int_equal(rounds, ROUNDS);
    return NULL;
}

static void kernels_take_no_stack(void **state)
{
    enum { KERNELS = CASES(150), STACK_BYTES = 192 << 10 };
    static const struct how one_channel = {.channels = 1, .no_mask = true},
                            less = {.channels = 1, .no_mask = true, .condition = 5},
                            if_so = {.channels = 1, .no_mask = true, .predicate = 1};
    pthread_attr_t small;
    unsigned sets = 0;
    (void)state;
    while (!eu_isas[sets]->no_gpgpu)
        sets++;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, STACK_BYTES), 0);
    for (unsigned level = EU_SIMD_NONE + 1; level < TEST_WAYS; level++) {
        struct eu_cache *const cache = test_cache(level);
        uint64_t seed = 5;
        for (unsigned n = 0; cache && n < KERNELS; n++) {
            pthread_t thread;
            k.set = eu_isas[n % sets];
            k.count = 0;
            KERNEL_1(&k, EU_MOV, one_channel, one(2, 0, TYPE_D), imm(0, TYPE_D));
            const unsigned loop = k.count;
            for (unsigned tries = 0; k.count < 8 && tries < 50; tries++)
                add_any(&seed);
            KERNEL_2(&k, EU_ADD, one_channel, one(2, 0, TYPE_D), one(2, 0, TYPE_D), imm(1, TYPE_D));
            KERNEL_2(&k, EU_CMP, less, none(TYPE_D), one(2, 0, TYPE_D), imm(20000, TYPE_D));
            kernel_goes(&k, kernel_branch(&k, EU_JMPI, if_so), loop, loop);
            kernel_end(&k);
            kernel_finish(&k);
            struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
            p.port.context = &p;
            assert_int_equal(pthread_create(&thread, &small, run_on_a_small_stack, &p), 0);
            assert_int_equal(pthread_join(thread, NULL), 0);
        }
        eu_cache_destroy(cache);
    }
    pthread_attr_destroy(&small);
}

static void types_are_the_same(void **state)
{
    struct kernels these = {.add = add_typed, .times = CASES(40000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 4 || eu_host_simd_level() == EU_SIMD_NONE);
}

static void few_channels_are_the_same(void **state)
{
    struct kernels these = {.add = add_few, .times = CASES(20000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 || eu_host_simd_level() == EU_SIMD_NONE);
}

static void rows_in_accumulators_are_the_same(void **state)
{
    struct kernels these = {.add = add_row, .times = CASES(20000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 || eu_host_simd_level() == EU_SIMD_NONE);
}

/* Halves whose products lie between two halves, or beside that by less than a float tells, any, and the
 * least. */
static uint32_t random_halves(uint64_t *seed)
{
    uint32_t both = 0;
    for (unsigned n = 0; n < 2; n++) {
        const uint64_t x = random_next(seed);
        static const uint16_t masks[] = {0x8c01, 0xffff, 0xbfff, 0xfc41, 0x8003, 0xfff0, 0xfe20, 0xffff};
        both = both << 16 | (uint32_t)(x & masks[x >> 32 & 7u]) | (x >> 40 & 1u ? 0x3000u : 0);
    }
    return both;
}

static bool add_half_mad(uint64_t *seed)
{
    const uint64_t choice = random_next(seed);
    const struct how how = {.channels = (uint8_t[]){8, 16, 16, 1}[choice & 3u],
                            .predicate = (choice >> 2 & 3u) == 0,
                            .flag = choice >> 4 & 3u,
                            .saturate = (choice >> 6 & 7u) == 0};
    struct op s[3], to = reg(20 + (unsigned)(choice >> 16) % 3u, TYPE_HF);
    if (!kernel_operation(k.set, EU_MAD, 3) || kernel_type(k.set, TYPE_HF, true, false) < 0)
        return false;
    for (unsigned n = 0; n < 3; n++)
        s[n] = any_source(seed, TYPE_HF, true, false);
    kernel_op(&k, EU_MAD, how, to, &s[0], &s[1], &s[2]);
    return has_the_last_one();
}

/* Rounded once. */
static void products_of_halves_are_the_same(void **state)
{
    struct kernels these = {.add = add_half_mad, .fill = random_halves, .times = CASES(40000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 || eu_host_simd_level() == EU_SIMD_NONE);
}

/* mad of floats with a half in the instruction. */
static bool add_half_immediate(uint64_t *seed)
{
    const uint64_t choice = random_next(seed);
    const struct how how = {.channels = (uint8_t[]){8, 16, 16, 1}[choice & 3u],
                            .predicate = (choice >> 2 & 3u) == 0,
                            .flag = choice >> 4 & 3u,
                            .saturate = (choice >> 6 & 7u) == 0};
    struct op s[3], to = reg(20 + (unsigned)(choice >> 16) % 3u, TYPE_F);
    if (k.set->ternary_is_align16 || !kernel_operation(k.set, EU_MAD, 3))
        return false;
    for (unsigned n = 0; n < 3; n++)
        s[n] = any_source(seed, TYPE_F, true, false);
    s[choice >> 24 & 2u] = imm(random_halves(seed) & 0xffffu, TYPE_HF);
    kernel_op(&k, EU_MAD, how, to, &s[0], &s[1], &s[2]);
    return has_the_last_one();
}

static void immediate_halves_are_the_same(void **state)
{
    struct kernels these = {.add = add_half_immediate, .times = CASES(40000)};
    (void)state;
    compare_levels(&these);
    assert_true(these.fast > these.all / 2 || eu_host_simd_level() == EU_SIMD_NONE);
}

TEST_PROGRAM(eu_levels_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_the_same),
        cmocka_unit_test(types_are_the_same),
        cmocka_unit_test(few_channels_are_the_same),
        cmocka_unit_test(rows_in_accumulators_are_the_same),
        cmocka_unit_test(products_of_halves_are_the_same),
        cmocka_unit_test(immediate_halves_are_the_same),
        cmocka_unit_test(products_are_the_same),
        cmocka_unit_test(addresses_are_the_same),
        cmocka_unit_test(loops_are_the_same),
        cmocka_unit_test(branches_are_the_same),
        cmocka_unit_test(kernels_take_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
