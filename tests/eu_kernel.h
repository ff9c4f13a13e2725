/*
 * Kernels for tests, made an instruction at a time: what an instruction is to do is said once, and becomes
 * the fields that a generation has for it. And a port that holds a kernel and keeps the messages it gets.
 */
#ifndef TESTS_EU_KERNEL_H
#define TESTS_EU_KERNEL_H

#include "simd/levels.h"
#include "eu_ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Each that has walkers. */
/* The sets from Gen8 on; with those of Gen7, which lack types. */
#define EVERY_SET(set)   for (const struct eu_isa *const *set = eu_isas; !(*set)->jump_unit_bytes; set++)
#define EVERY_SET_7(set) for (const struct eu_isa *const *set = eu_isas; !(*set)->no_gpgpu; set++)

enum { KERNEL_MOST = 1280 };

struct kernel {
    const struct eu_isa *set;
    unsigned count;
    struct eu_instruction i[KERNEL_MOST];
    uint8_t bytes[KERNEL_MOST * EU_NATIVE_BYTES];
};

/* An operand. */
struct op {
    enum eu_type type;
    enum eu_register_file file;
    uint16_t number;     /* of 32 bytes */
    uint8_t subregister; /* bytes */
    uint8_t v, w, h;     /* w 0: one of three sources */
    bool negate, absolute, immediate, indirect, multi;
    uint8_t address;
    int16_t offset;
    uint64_t value;
};

/* What else an instruction says. */
struct how {
    uint8_t channels, first; /* channels 0: 1 */
    uint8_t predicate, condition, flag, function;
    bool invert, saturate, no_mask, acc_write, branch_control;
};

static inline unsigned log_of(unsigned x)
{
    return x ? (unsigned)__builtin_ctz(x) : 0;
}

/* Operands: registers whose elements lie one behind the other, one for all, immediates. */
static inline struct op reg(unsigned number, enum eu_type type)
{
    return (struct op){.type = type, .number = (uint16_t)number, .v = 8, .w = 8, .h = 1};
}

static inline struct op one(unsigned number, unsigned subregister, enum eu_type type)
{
    return (struct op){.type = type, .number = (uint16_t)number, .subregister = (uint8_t)subregister, .w = 1};
}

static inline struct op region(unsigned number, enum eu_type type, unsigned v, unsigned w, unsigned h)
{
    return (struct op){
        .type = type, .number = (uint16_t)number, .v = (uint8_t)v, .w = (uint8_t)w, .h = (uint8_t)h};
}

static inline struct op imm(uint64_t value, enum eu_type type)
{
    return (struct op){.type = type, .immediate = true, .value = value};
}

static inline struct op other(enum eu_register_file file, unsigned number, unsigned subregister,
                              enum eu_type type)
{
    return (struct op){.type = type,
                       .file = file,
                       .number = (uint16_t)number,
                       .subregister = (uint8_t)subregister,
                       .v = 8,
                       .w = 8,
                       .h = 1};
}

static inline struct op none(enum eu_type type)
{
    return other(FILE_NULL, 0, 0, type);
}

static inline struct op negated(struct op o)
{
    o.negate = true;
    return o;
}

static inline const struct eu_operation *kernel_operation(const struct eu_isa *set, enum eu_opcode does,
                                                          unsigned sources)
{
    for (unsigned n = 0; n < eu_operation_count; n++)
        if (eu_operations[n].opcode == does && (eu_operations[n].generations & set->generation) &&
            (!sources || !eu_operations[n].sources || eu_operations[n].sources == sources))
            return &eu_operations[n];
    return NULL;
}

static inline bool kernel_has(const struct eu_isa *set, enum eu_opcode does)
{
    return kernel_operation(set, does, 0) != NULL;
}

/* Whether the set has the type; of three sources, or of an immediate. */
static inline int kernel_type(const struct eu_isa *set, enum eu_type type, bool three, bool immediate)
{
    const uint8_t *const types = three && set->ternary_is_align16 ? set->align16_types
                                 : immediate                      ? set->immediate_types
                                                                  : set->register_types;
    const int count = three && set->ternary_is_align16 ? 5 : 16;
    for (int n = 0; n < count; n++)
        if (types[n] == type)
            return n;
    return -1;
}

/* Registers of 32 bytes, which tests count, of one of the set. */
static inline unsigned kernel_rows(const struct eu_isa *set)
{
    return eu_register_rows(set);
}

static inline uint32_t kernel_register(const struct eu_isa *set, const struct op *o)
{
    const unsigned rows = o->file == FILE_GRF || o->file == FILE_ACCUMULATOR ? kernel_rows(set) : 1;
    return (uint32_t)(o->file == FILE_GRF ? 0 : eu_files[o->file].high << 4) | o->number / rows;
}

static inline uint32_t kernel_subregister(const struct eu_isa *set, const struct op *o)
{
    return o->file == FILE_GRF || o->file == FILE_ACCUMULATOR
               ? o->subregister + o->number % kernel_rows(set) * (uint32_t)EU_REGISTER_BYTES
               : o->subregister;
}

/* Gen20 has any and all of the execution size, and the others have them of so many channels. */
static inline uint32_t kernel_predicate(const struct eu_isa *set, unsigned predicate)
{
    return set->gen200_encoding && predicate > 3 ? 2u + predicate % 2u : predicate;
}

static inline uint32_t kernel_offset(const struct eu_isa *set, const struct op *o)
{
    return (uint32_t)o->offset & (set->gen200_encoding ? 0x7ff : 0x3ff);
}

/* Up to Gen7.5 immediates have a register file of their own. */
static inline uint32_t kernel_immediate_file(const struct eu_isa *set)
{
    return set->generation & EU_GEN6_75 ? 3 : 1;
}

static inline void kernel_source(struct kernel *k, struct eu_instruction *i, int place, const struct op *o)
{
    static const uint8_t verticals[] = {[0] = 0, [1] = 1, [2] = 2, [4] = 3, [8] = 4, [16] = 5, [32] = 6};
    uint32_t *const v = i->value + place * EU_SOURCE_STEP;
    const enum eu_form form = (enum eu_form)i->operation->form;
    const bool three = form >= FORM_TERNARY && form <= FORM_DPAS;
    const int type = kernel_type(k->set, o->type, three, o->immediate);
    assert(type >= 0 || eu_is_send(i));
    v[EU_SRC0_TYPE] = type < 0 ? 0 : (uint32_t)type;
    if (three && k->set->ternary_is_align16 && place > 0)
        v[EU_SRC0_TYPE] = o->type == TYPE_HF;
    if (o->immediate) {
        v[EU_SRC0_IMMEDIATE] = 1;
        v[EU_SRC0_FILE] = kernel_immediate_file(k->set);
        v[EU_SRC0_VALUE] = (uint32_t)o->value & 0xffff;
        if (!three) {
            i->value[EU_IMMEDIATE] = (uint32_t)o->value;
            i->value[EU_IMMEDIATE_HIGH] = (uint32_t)(o->value >> 32);
        }
        return;
    }
    v[EU_SRC0_FILE] = o->file == FILE_GRF;
    v[EU_SRC0_MODIFIER] = (uint32_t)o->negate << 1 | o->absolute;
    v[EU_SRC0_INDIRECT] = o->indirect;
    v[EU_SRC0_ADDRESS] = o->address;
    v[EU_SRC0_OFFSET] = kernel_offset(k->set, o);
    v[EU_SRC0_REGISTER] = o->indirect ? 0 : kernel_register(k->set, o);
    v[EU_SRC0_SUBREGISTER] = o->indirect ? 0 : kernel_subregister(k->set, o);
    v[EU_SRC0_HORIZONTAL] = o->h ? log_of(o->h) + 1u : 0;
    if (!three) {
        v[EU_SRC0_VERTICAL] = o->multi ? (k->set->gen200_encoding ? 7u : 15u) : verticals[o->v];
        v[EU_SRC0_WIDTH] = log_of(o->w);
        return;
    }
    v[EU_SRC0_VERTICAL] = o->v < 2 ? o->v : log_of(o->v);
    if (k->set->ternary_is_align16) {
        v[EU_SRC0_REPLICATE] = !o->v && !o->h;
        v[EU_SRC0_SWIZZLE] = v[EU_SRC0_REPLICATE] ? 0 : 0xe4;
    }
}

static inline struct eu_instruction *kernel_add(struct kernel *k, enum eu_opcode does, unsigned sources,
                                                const struct how *how)
{
    struct eu_instruction *const i = &k->i[k->count++];
    assert(k->count <= KERNEL_MOST);
    *i = (struct eu_instruction){.operation = kernel_operation(k->set, does, sources),
                                 .size_bytes = EU_NATIVE_BYTES};
    assert(i->operation);
    uint32_t *const v = i->value;
    v[EU_OPCODE] = k->set->gen6_encoding ? i->operation->gen6_code : i->operation->gen12_code;
    if (i->operation->form == FORM_NONE)
        return i;
    v[EU_EXECUTION_SIZE] = log_of(how->channels);
    v[EU_CHANNEL_OFFSET] = how->first / 4u;
    v[EU_PREDICATE] = kernel_predicate(k->set, how->predicate);
    v[EU_PREDICATE_INVERT] = how->invert;
    v[EU_CONDITION] = how->function ? how->function : how->condition;
    v[EU_FLAG] = how->flag;
    v[EU_SATURATE] = how->saturate;
    v[EU_NO_MASK] = how->no_mask;
    v[EU_ACC_WRITE] = (how->acc_write && !k->set->gen200_encoding) || how->branch_control;
    return i;
}

static inline void kernel_destination(struct kernel *k, struct eu_instruction *i, const struct op *d)
{
    const enum eu_form form = (enum eu_form)i->operation->form;
    const bool three = form >= FORM_TERNARY && form <= FORM_DPAS;
    uint32_t *const v = i->value;
    const int type = kernel_type(k->set, d->type, three, false);
    assert(type >= 0 || eu_is_send(i));
    v[EU_DST_TYPE] = type < 0 ? 0 : (uint32_t)type;
    v[EU_DST_FILE] = d->file == FILE_GRF;
    v[EU_DST_INDIRECT] = d->indirect;
    v[EU_DST_ADDRESS] = d->address;
    v[EU_DST_OFFSET] = kernel_offset(k->set, d);
    v[EU_DST_REGISTER] = d->indirect ? 0 : kernel_register(k->set, d);
    v[EU_DST_SUBREGISTER] = d->indirect ? 0 : kernel_subregister(k->set, d);
    v[EU_DST_STRIDE] = three ? d->h == 2 : d->h ? log_of(d->h) + 1u : 1;
    if (three && k->set->ternary_is_align16) {
        v[EU_ACCESS_MODE] = 1;
        v[EU_DST_CHANNELS] = 0xf;
        v[EU_DST_STRIDE] = 0;
    }
}

/* An operation on operands; those that are not there are NULL. */
static inline void kernel_op(struct kernel *k, enum eu_opcode does, struct how how, struct op d,
                             const struct op *s0, const struct op *s1, const struct op *s2)
{
    const struct op *const s[3] = {s0, s1, s2};
    const unsigned sources = !s0 ? 0 : !s1 ? 1 : !s2 ? 2 : 3;
    struct eu_instruction *const i = kernel_add(k, does, sources, &how);
    if (does == EU_BFN) {
        i->value[EU_FUNCTION] = how.function;
        i->value[EU_CONDITION] = how.condition;
    }
    kernel_destination(k, i, &d);
    for (unsigned n = 0; n < sources; n++)
        kernel_source(k, i, eu_source_slot(k->set, i, (int)n), s[n]);
}

#define KERNEL_1(k, does, how, d, a) kernel_op(k, does, how, d, &(struct op[]){a}[0], NULL, NULL)
#define KERNEL_2(k, does, how, d, a, b)                                                                      \
    kernel_op(k, does, how, d, &(struct op[]){a}[0], &(struct op[]){b}[0], NULL)
#define KERNEL_3(k, does, how, d, a, b, c)                                                                   \
    kernel_op(k, does, how, d, &(struct op[]){a}[0], &(struct op[]){b}[0], &(struct op[]){c}[0])

/* A branch; where it goes is said by kernel_goes. Returns its number. */
static inline unsigned kernel_branch(struct kernel *k, enum eu_opcode does, struct how how)
{
    struct eu_instruction *const i = kernel_add(k, does, 0, &how);
    uint32_t *const v = i->value;
    const enum eu_form form = (enum eu_form)i->operation->form;
    if (k->set->gen6_encoding && form == FORM_JUMP) {
        v[EU_SRC1_IMMEDIATE] = 1;
        v[EU_SRC1_FILE] = kernel_immediate_file(k->set);
    } else {
        v[EU_SRC0_IMMEDIATE] = 1;
        v[EU_SRC0_FILE] = 1;
        v[EU_SRC1_IMMEDIATE] = form == FORM_BRANCH && !k->set->gen6_encoding;
    }
    return k->count - 1;
}

/* To instructions by their numbers. */
static inline void kernel_goes(struct kernel *k, unsigned from, unsigned jip, unsigned uip)
{
    struct eu_instruction *const i = &k->i[from];
    const bool jumps = i->operation->opcode == EU_JMPI;
    const bool is_short = k->set->jump_unit_bytes && !jumps;
    const int unit = jumps      ? k->set->jmpi_unit_bytes ? k->set->jmpi_unit_bytes : 1
                     : is_short ? k->set->jump_unit_bytes
                                : 1;
    const int next = k->set->gen6_encoding && jumps;
    i->value[EU_JIP] = (uint32_t)(((int)jip - (int)from - next) * EU_NATIVE_BYTES / unit);
    i->value[EU_UIP] = (uint32_t)(((int)uip - (int)from) * EU_NATIVE_BYTES / unit);
    for (unsigned field = EU_JIP; field <= EU_UIP && is_short; field++)
        i->value[field] &= 0xffff;
}

/* A message of a payload and a response, of which the descriptor says how many registers they are. */
static inline void kernel_send(struct kernel *k, struct how how, unsigned function, uint32_t descriptor,
                               struct op d, struct op payload, bool end)
{
    how.function = (uint8_t)function;
    struct eu_instruction *const i = kernel_add(k, EU_SEND, 0, &how);
    kernel_destination(k, i, &d);
    kernel_source(k, i, 0, &payload);
    i->value[EU_SRC0_VERTICAL] = i->value[EU_SRC0_WIDTH] = i->value[EU_SRC0_HORIZONTAL] = 0;
    i->value[EU_DESCRIPTOR] = descriptor;
    i->value[EU_EOT] = end;
}

static inline void kernel_end(struct kernel *k)
{
    kernel_send(k, (struct how){.channels = 8, .no_mask = true},
                k->set->has_lsc ? SFID_GATEWAY : SFID_THREAD_SPAWNER, 0x02000000, none(TYPE_UD),
                reg(127, TYPE_UD), true);
}

/* Its bytes; each instruction is checked: what it was made of, it decodes to. */
static inline void kernel_finish(struct kernel *k)
{
    for (unsigned n = 0; n < k->count; n++) {
        struct eu_instruction again;
        uint8_t *const at = k->bytes + n * EU_NATIVE_BYTES;
        bool ok = eu_encode(k->set, &k->i[n], at) && eu_decode(k->set, at, EU_NATIVE_BYTES, &again);
        if (!ok || again.illegal) {
            fprintf(stderr, "%s %s: %s\n", k->set->name, k->i[n].operation->name,
                    ok ? again.illegal : "not encoded");
            abort();
        }
    }
}

/* ---- The port ---- */

struct test_port {
    struct eu_port port;
    const uint8_t *bytes;
    size_t size_bytes;
    uint64_t at;               /* address of the first */
    unsigned sent, most_piece; /* messages; bytes that a fetch gives at most, 0: all */
    struct eu_send last;
    uint8_t payload[32 * EU_REGISTER_BYTES];
};

static inline const void *test_fetch(void *context, uint64_t address, size_t *there)
{
    const struct test_port *const p = context;
    if (address < p->at || address - p->at >= p->size_bytes)
        return NULL;
    *there = p->size_bytes - (size_t)(address - p->at);
    if (p->most_piece && *there > p->most_piece)
        *there = p->most_piece;
    return p->bytes + (address - p->at);
}

/* What each message is answered with: its payload, each byte inverted. */
static inline enum eu_answer test_send(void *context, struct eu_thread *t, const struct eu_send *m,
                                       uint64_t *budget)
{
    struct test_port *const p = context;
    (void)t;
    (void)budget;
    p->sent++;
    p->last = *m;
    memset(p->payload, 0, sizeof p->payload);
    if (m->payload[0])
        memcpy(p->payload, m->payload[0], m->payload_registers[0] * (size_t)EU_REGISTER_BYTES);
    for (unsigned n = 0; m->response && n < m->response_registers * (unsigned)EU_REGISTER_BYTES; n++)
        m->response[n] = n < sizeof p->payload ? (uint8_t)~p->payload[n] : 0;
    return EU_SENT;
}

/* For tests that need no vectors: one for all, as long as the program runs. */
static inline struct eu_cache *test_exact_cache(void)
{
    static struct eu_cache *cache;
    if (!cache)
        cache = eu_cache_create_simd(EU_SIMD_NONE);
    return cache;
}

/* cache: NULL is test_exact_cache. */
static inline struct test_port test_port(const void *bytes, size_t size, struct eu_cache *cache)
{
    if (!cache)
        cache = test_exact_cache();
    return (struct test_port){
        .port = {.fetch = test_fetch, .send = test_send, .cache = cache}, .bytes = bytes, .size_bytes = size};
}

#endif
