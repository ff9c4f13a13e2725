/* Commands at random, made from the rows. */
#ifndef TESTS_GENERATE_H
#define TESTS_GENERATE_H

#include <string.h>

#include "device/device.h"

#include "random.h"

enum { GENERATED_MAX_DW = 64 };

struct generator {
    struct softgt *device;
    const struct engine_info *engine;
    uint64_t seed;                       /* of what comes */
    uint64_t (*address)(uint64_t *seed); /* somewhere in memory */
    bool no_registers;                   /* no command that names registers */
    bool hostile; /* also what resets, stops, starts batches anywhere, and is of the wrong length */
};

/* A register: mostly one of the engine's own. */
static inline uint64_t generate_register(struct generator *g)
{
    static const char *const resets[] = {"GDRST", "RESET_CTL", "MI_MODE"};
    const struct register_file *f = softgt_register_file(g->device);
    for (unsigned tries = 0; tries < 1000; tries++) {
        const struct register_slot *s = &f->slots[1 + below(&g->seed, f->slot_count - 1)];
        bool good = strcmp(s->unit, g->engine->name) == 0 || below(&g->seed, 50) == 0;
        for (unsigned i = 0; i < sizeof resets / sizeof resets[0] && !g->hostile; i++)
            good = good && strcmp(s->row->name, resets[i]) != 0;
        if (good)
            return s->offset;
    }
    return g->engine->mmio_base + 0x600;
}

static inline void generate_field(struct generator *g, const struct field *f, uint32_t *dw,
                                  uint32_t length_dw)
{
    uint64_t value = random_value(&g->seed);
    if (f->first < 16 && f->last < 16 && f->first == 0) /* the length */
        return;
    if (f->kind == FIELD_ADDRESS)
        value = g->address(&g->seed);
    else if (f->kind == FIELD_OFFSET)
        value = generate_register(g);
    else if (below(&g->seed, 2))
        value = 0;
    else if (f->values) {
        unsigned count = 0;
        while (f->values[count].name)
            count++;
        value = f->values[below(&g->seed, count)].value;
    }
    if (f->kind != FIELD_ADDRESS && f->kind != FIELD_OFFSET)
        value &= UINT64_MAX >> (64 - field_width(f));
    else
        value = value >> field_shift(f) << field_shift(f);
    field_put(f, dw, length_dw, value);
}

static inline bool names_registers(const struct command *c)
{
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->fields[i].kind == FIELD_OFFSET)
            return true;
    for (unsigned i = 0; i < c->group_count; i++)
        if (c->group[i].kind == FIELD_OFFSET)
            return true;
    return false;
}

/* Dwords of a command, at most GENERATED_MAX_DW; 0: try again. */
static inline uint32_t generate_command(struct generator *g, uint32_t *dw)
{
    const struct command_set *set = softgt_command_set(g->device);
    const struct command *c = set->rows[1 + below(&g->seed, set->count - 1u)];
    /* As many of MI as of all others. */
    if (!(c->engines & 1u << g->engine->class) || (c->match >> 29 && below(&g->seed, 4)))
        return 0;
    const bool batches =
        strcmp(c->name, "MI_BATCH_BUFFER_START") == 0 || strcmp(c->name, "MI_BATCH_BUFFER_END") == 0;
    if ((batches && !g->hostile) || (g->no_registers && names_registers(c)))
        return 0;
    uint32_t length_dw = c->min_dwords;
    if (c->length_bits && (c->group_count || below(&g->seed, 4) == 0))
        length_dw += below(&g->seed, 6) * (c->group_size_dw ? c->group_size_dw : 1u);
    if (length_dw > GENERATED_MAX_DW ||
        (c->length_bits && length_dw - c->length_bias >= 1u << c->length_bits))
        return 0;
    memset(dw, 0, length_dw * 4u);
    dw[0] = c->match;
    for (unsigned i = 0; i < c->field_count; i++)
        generate_field(g, &c->fields[i], dw, length_dw);
    for (uint32_t at = c->group_dw; c->group_count && at + c->group_size_dw <= length_dw;
         at += c->group_size_dw)
        for (unsigned i = 0; i < c->group_count; i++)
            generate_field(g, &c->group[i], dw + at, length_dw - at);
    dw[0] = (dw[0] & ~c->mask) | c->match;
    if (c->length_bits)
        dw[0] = (dw[0] & ~((1u << c->length_bits) - 1u)) | (length_dw - c->length_bias);
    if (c->length_bits && g->hostile && below(&g->seed, 16) == 0)
        dw[0] ^= below(&g->seed, 1u << c->length_bits);
    return command_find(set, g->engine->class, dw[0]) ? length_dw : 0;
}

#endif
