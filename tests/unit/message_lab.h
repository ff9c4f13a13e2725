/* Messages to shared functions, without an interpreter: a device, registers, surface states. */
#ifndef MESSAGE_LAB_H
#define MESSAGE_LAB_H

#include "../streamer.h"

#include "dispatcher/dispatcher.h"

enum {
    TABLE = 0x120000,    /* the binding table */
    SURFACES = 0x121000, /* surface states */
    BYTES = 0x140000,    /* what messages reach */
    GENERAL = 0x130000,  /* the general state base */
    LOCAL_BYTES = 4096,
    ABSENT = 0x10000000 /* no page */
};
enum { BUFFER = 4, NOTHING = 7 }; /* types of surfaces */
enum { HEADER = 1 << 19 };

static const char *const devices[] = {"bdw", "skl", "icl", "tgl", "dg2"};

#define EACH_DEVICE(name)                                                                                    \
    const char *const *name = devices;                                                                       \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++

struct lab {
    struct streamer *s;
    struct message_context *b;
    const struct eu_isa *set;
    uint8_t grf[64][32]; /* payload from 0, response from 32 */
    struct eu_send m;
    uint8_t first_channel; /* of the thread, that an instruction's first is */
};

static inline void lab_begin_on(struct lab *l, struct streamer *s)
{
    memset(l, 0, sizeof *l);
    l->s = s;
    struct thread_dispatcher *const d = dispatcher_of(&l->s->device->engines[0]);
    assert_non_null(d);
    l->b = &d->bindings;
    l->set = d->set;
    l->b->kernel.general_state_base = GENERAL;
    l->b->kernel.surface_state_base = SURFACES;
    l->b->kernel.bindless_surface_state_base = SURFACES + 0x800;
    l->b->kernel.binding_table = TABLE;
    l->b->slm_bytes = LOCAL_BYTES;
}

static inline void lab_begin(struct lab *l, const char *device)
{
    lab_begin_on(l, streamer_create(device));
}

/* Up to Gen8: lines are laid out as other surfaces, and slices of a volume in rows. */
static inline bool lab_is_early(const struct lab *l)
{
    return l->set == &eu_gen8;
}

static inline void lab_end(struct lab *l)
{
    streamer_destroy(l->s);
}

/* What was found of surfaces is found anew: memory has changed. */
static inline void another_slice(struct lab *l)
{
    memset(l->b->caches.binding_table, 0, sizeof l->b->caches.binding_table);
}

/* Dword fields of RENDER_SURFACE_STATE by what all sets have alike; entry `index` of the table names it. */
static inline void put_surface(struct lab *l, unsigned index, unsigned type, unsigned format, uint64_t base)
{
    const uint32_t at = SURFACES + 64u * (index + 1u);
    memset(l->s->memory + at, 0, 64);
    dword_put(l->s, at, type << 29 | format << 18);
    dword_put(l->s, at + 32, (uint32_t)base);
    dword_put(l->s, TABLE + 4u * index, 64u * (index + 1u));
    another_slice(l);
}

static inline void put_buffer(struct lab *l, unsigned index, uint64_t base, uint32_t bytes)
{
    const uint32_t at = SURFACES + 64u * (index + 1u), last = bytes - 1u;
    put_surface(l, index, BUFFER, 0x1ff, base);
    dword_put(l->s, at + 8, (last & 0x7fu) | (last >> 7 & 0x3fffu) << 16);
    dword_put(l->s, at + 12, last >> 21 << 21);
}

static inline uint32_t *dw(struct lab *l, unsigned n)
{
    return (uint32_t *)(void *)l->grf[n];
}

/* A byte of the registers from one on. */
static inline uint8_t *byte_of(struct lab *l, unsigned n, unsigned byte)
{
    return l->grf[n + byte / 32] + byte % 32;
}

/* A message of `payload` registers from 0 on, whose response comes to 32. */
static inline enum eu_answer ask(struct lab *l, unsigned function, uint32_t descriptor, uint32_t extended,
                                 unsigned payload, unsigned second, unsigned response, unsigned size,
                                 uint32_t channels)
{
    uint64_t budget = 1000;
    l->m = (struct eu_send){
        .sfid = (uint8_t)function,
        .descriptor = descriptor | payload << 25 | response << 20,
        .ex_descriptor = extended,
        .execution_size = (uint8_t)size,
        .channels = channels,
        .first_channel = l->first_channel,
        .payload = {l->grf[0], l->grf[payload]},
        .payload_registers = {(uint8_t)payload, (uint8_t)second},
        .response = response ? l->grf[32] : NULL,
        .response_registers = (uint8_t)response,
    };
    return shared_function_send(l->b, l->set, &l->m, &budget);
}

static inline uint32_t port(unsigned type, unsigned control, unsigned index)
{
    return type << 14 | control << 8 | index;
}

static inline uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

#endif
