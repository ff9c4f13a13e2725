/* Messages to shared functions, without an interpreter: a device, registers, surface states. */
#ifndef MESSAGE_LAB_H
#define MESSAGE_LAB_H

#include "../streamer.h"

#include "dispatcher/dispatcher.h"

enum {
    TABLE = 1152 << 10,    /* the binding table */
    SURFACES = 1156 << 10, /* the base of surface states */
    BYTES = 1280 << 10,    /* what messages reach */
    GENERAL = 1216 << 10,  /* the general state base */
    LOCAL_BYTES = 4 << 10,
    ABSENT = 256 << 20 /* no page */
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
    l->b->kernel.bindless_surface_state_base = SURFACES + 2048;
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

/* Forgets the surfaces that were found: memory has changed. */
static inline void another_slice(struct lab *l)
{
    forget_bindings(l->b);
}

/* The surface state of an entry of the binding table. */
static inline uint32_t *surface_of(struct lab *l, unsigned index)
{
    return dwords_at(l->s, SURFACES + 64u * (index + 1u));
}

static inline void bind_surface(struct lab *l, unsigned index)
{
    dword_put(l->s, TABLE + 4u * index, 64u * (index + 1u));
    another_slice(l);
}

/* A surface of which a test adds what it needs. */
static inline void put_surface(struct lab *l, unsigned index, unsigned type, unsigned format, uint64_t base)
{
    STRUCTURE_PUT(l->s->device, "RENDER_SURFACE_STATE", surface_of(l, index), {"Surface Type", type},
                  {"Surface Format", format}, {"Surface Base Address", base});
    bind_surface(l, index);
}

static inline void put_buffer(struct lab *l, unsigned index, uint64_t base, uint32_t bytes)
{
    const uint32_t last = bytes - 1u;
    STRUCTURE_PUT(l->s->device, "RENDER_SURFACE_STATE", surface_of(l, index),
                  {"Surface Type", .value_name = "SURFTYPE_BUFFER"}, {"Surface Format", .value_name = "RAW"},
                  {"Width", last % 128}, {"Height", last / 128 % (1 << 14)}, {"Depth", last >> 21},
                  {"Surface Base Address", base});
    bind_surface(l, index);
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

/* Sends a message of `payload` registers from 0 on. The response comes to 32. */
static inline void put_message(struct lab *l, unsigned function, uint32_t descriptor, uint32_t extended,
                               unsigned payload, unsigned second, unsigned response, unsigned size,
                               uint32_t channels)
{
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
}

static inline enum eu_answer ask(struct lab *l, unsigned function, uint32_t descriptor, uint32_t extended,
                                 unsigned payload, unsigned second, unsigned response, unsigned size,
                                 uint32_t channels)
{
    uint64_t budget = 1000;
    put_message(l, function, descriptor, extended, payload, second, response, size, channels);
    return shared_function_send(l->b, l->set, &l->m, &budget);
}

/* The descriptor of a message to the data ports: its type, its control bits, the binding table index. */
static inline uint32_t port(unsigned type, unsigned control, unsigned index)
{
    return type << 14 | control << 8 | index;
}

#endif
