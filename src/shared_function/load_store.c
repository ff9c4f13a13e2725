/*
 * The load and store units of Gen12.5 and Gen20. Values of 32 bits fill a register for eight channels, of 64
 * bits for four, and on Gen20 for twice as many; components follow each other. A transposed message has one
 * channel with consecutive elements. (Mesa, brw_eu.h; IGC, MessageDecoderLSC)
 */
#include "shared_function/shared_function.h"

enum { LOAD = 0, LOAD_QUAD = 2, LOAD_BLOCK = 3, STORE = 4, STORE_QUAD = 6, STORE_BLOCK = 7, FENCE = 31 };
enum { ADDRESS_FLAT, ADDRESS_BINDLESS, ADDRESS_STATE, ADDRESS_INDEX };

static const uint8_t atomics[64] = {
    [8] = ATOMIC_INC,     [9] = ATOMIC_DEC,   [10] = ATOMIC_LOAD, [11] = ATOMIC_MOV,  [12] = ATOMIC_ADD,
    [13] = ATOMIC_SUB,    [14] = ATOMIC_IMIN, [15] = ATOMIC_IMAX, [16] = ATOMIC_UMIN, [17] = ATOMIC_UMAX,
    [18] = ATOMIC_CMPWR,  [19] = ATOMIC_FADD, [20] = ATOMIC_FSUB, [21] = ATOMIC_FMIN, [22] = ATOMIC_FMAX,
    [23] = ATOMIC_FCMPWR, [24] = ATOMIC_AND,  [25] = ATOMIC_OR,   [26] = ATOMIC_XOR,
};

/* An element in memory, and in a register; from which byte of it on. */
static const struct {
    uint8_t bytes, in_register, from;
} sizes[8] = {{1, 1, 0}, {2, 2, 0}, {4, 4, 0}, {8, 8, 0}, {1, 4, 0}, {2, 4, 0}, {2, 4, 2}};

/* The surface that is named; false: it is not there. */
static bool find_surface(struct message_context *b, const struct eu_send *m, struct surface_state *s)
{
    switch (m->descriptor >> 29 & 3u) {
    case ADDRESS_INDEX:
        return binding_table_surface(b, m->ex_descriptor >> 24, s);
    case ADDRESS_BINDLESS:
        return surface_state_load(b, b->kernel.bindless_surface_state_base + surface_offset(m), s);
    default:
        return surface_state_load(b, b->kernel.surface_state_base + surface_offset(m), s);
    }
}

static struct buffer_view find_target(struct message_context *b, const struct eu_send *m, bool wide)
{
    enum { STATELESS = 255, STATELESS_NON_COHERENT = 253 };
    const uint32_t index = m->ex_descriptor >> 24, type = m->descriptor >> 29 & 3u;
    struct surface_state s;
    if (m->sfid == SFID_SLM)
        return (struct buffer_view){.kind = BUFFER_VIEW_SLM, .size_bytes = b->slm_bytes};
    if (type == ADDRESS_FLAT ||
        (type == ADDRESS_INDEX && (index == STATELESS || index == STATELESS_NON_COHERENT)))
        return (struct buffer_view){.kind = BUFFER_VIEW_MEMORY,
                                    .base = wide ? 0 : b->kernel.general_state_base,
                                    .size_bytes = wide ? UINT64_MAX : UINT64_C(1) << 32};
    if (type == ADDRESS_INDEX)
        return binding_table_buffer(b, index);
    return find_surface(b, m, &s) ? surface_buffer_view(b, &s)
                                  : (struct buffer_view){.kind = BUFFER_VIEW_NULL};
}

/* Pixels of a surface, by 32 bits each of their coordinates, or a block of it. */
static bool typed(struct message_context *b, const struct eu_send *m)
{
    enum { ADDRESSES_OF_32_BITS = 2 };
    const uint32_t d = m->descriptor, operation = d & 63u;
    struct surface_state s;
    if ((operation == LOAD_BLOCK || operation == STORE_BLOCK) && (d >> 29 & 3u) != ADDRESS_FLAT)
        return !find_surface(b, m, &s) || typed_block(b, m, &s, operation == STORE_BLOCK);
    if ((d >> 7 & 3u) != ADDRESSES_OF_32_BITS || (d >> 29 & 3u) == ADDRESS_FLAT ||
        (!atomics[operation] && operation != LOAD_QUAD && operation != STORE_QUAD))
        return false;
    return !find_surface(b, m, &s) || typed_load_store(b, m, &s, atomics[operation], operation == STORE_QUAD);
}

/* Registers that an element of so many channels fills. */
static unsigned registers_of(const struct eu_send *m, unsigned channels, unsigned bytes)
{
    return payload_part_registers(m, channels * bytes);
}

/* Channels that have room in registers: those of a register of dwords, if there are fewer. */
static unsigned channels_in_registers(const struct eu_send *m)
{
    const unsigned fewest = payload_part_registers(m, 1) * EU_REGISTER_BYTES / 4u;
    return m->execution_size < fewest ? fewest : m->execution_size;
}

/* One element between memory and register `at`, byte `byte` of it. */
static void element(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                    uint64_t offset, unsigned at, unsigned byte, unsigned size, bool stores)
{
    uint64_t value = 0;
    at += byte / EU_REGISTER_BYTES;
    byte %= EU_REGISTER_BYTES;
    if (stores) {
        buffer_view_store(b, t, offset, payload_register(m, at) + byte + sizes[size].from, sizes[size].bytes);
        return;
    }
    buffer_view_load(b, t, offset, &value, sizes[size].bytes);
    value <<= 8u * sizes[size].from;
    writeback(m, at, byte, &value, sizes[size].in_register);
}

static const uint8_t address_sizes[4] = {0, 2, 4, 8};

/* The elements of a load or store that is not transposed. Only registers of the message's length are
 * transferred. */
static struct element_transfer elements_of(const struct eu_send *m, unsigned channels)
{
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t d = m->descriptor, operation = d & 63u, size = d >> 9 & 7u;
    const bool quad = operation == LOAD_QUAD || operation == STORE_QUAD,
               stores = operation == STORE || operation == STORE_QUAD;
    const unsigned components = quad ? 4 : counts[d >> 12 & 7u],
                   registers = stores ? payload_registers(m) : m->response_registers;
    struct element_transfer e = {.bytes = sizes[size].bytes,
                                 .in_register = sizes[size].in_register,
                                 .writes = stores,
                                 .at = stores ? registers_of(m, channels, address_sizes[d >> 7 & 3u]) : 0,
                                 .step = registers_of(m, channels, sizes[size].in_register)};
    for (unsigned i = 0, behind_it = e.at; i < components && behind_it < registers; i++)
        if (!quad || d >> (12u + i) & 1u) {
            e.present |= UINT64_C(1) << i;
            behind_it += e.step;
        }
    return e;
}

bool load_store_layout(const struct eu_send *m, struct message_layout *l)
{
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t d = m->descriptor, operation = d & 63u, size = d >> 9 & 7u;
    const bool quad = operation == LOAD_QUAD || operation == STORE_QUAD;
    const unsigned address_bytes = address_sizes[d >> 7 & 3u];
    if ((operation != LOAD && operation != STORE && !quad) || address_bytes < 4 || !sizes[size].bytes ||
        sizes[size].from)
        return false;
    *l = (struct message_layout){.addresses = {.bytes = address_bytes, .scale = 1},
                                 .is_block = !quad && d >> 15 & 1u};
    if (l->is_block) {
        l->count = counts[d >> 12 & 7u];
        l->elements = (struct element_transfer){
            .bytes = sizes[size].bytes,
            .in_register = sizes[size].in_register,
            .writes = operation == STORE,
            .at = operation == STORE ? registers_of(m, m->execution_size, address_bytes) : 0};
        return sizes[size].bytes == sizes[size].in_register;
    }
    l->count = channels_in_registers(m);
    l->elements = elements_of(m, l->count);
    return true;
}

bool load_store(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t d = m->descriptor, operation = d & 63u, size = d >> 9 & 7u;
    const unsigned address_bytes = address_sizes[d >> 7 & 3u];
    const bool quad = operation == LOAD_QUAD || operation == STORE_QUAD, transposed = !quad && d >> 15 & 1u;
    const bool stores = operation == STORE || operation == STORE_QUAD;
    const unsigned channels = transposed ? m->execution_size : channels_in_registers(m);
    struct channels c = {.count = (uint8_t)channels,
                         .mask = m->channels & (uint32_t)((UINT64_C(1) << m->execution_size) - 1u)};
    (void)kind;
    if (operation == FENCE) {
        fence_for_others(b);
        return true;
    }
    if (m->sfid == SFID_URB)
        return urb_load_store(b, m);
    if (m->sfid == SFID_TGM)
        return typed(b, m);
    if (operation == LOAD_BLOCK || operation == STORE_BLOCK)
        return load_store_block2d(b, m, operation == STORE_BLOCK);
    if (!address_bytes || !sizes[size].bytes)
        return false;
    const struct buffer_view t = find_target(b, m, address_bytes == 8);
    const struct channel_addresses a = {
        .bytes = address_bytes, .scale = 1, .plus = (uint64_t)(int64_t)m->address_offset};
    const unsigned behind = registers_of(m, channels, address_bytes);
    if (atomics[operation] || transposed || sizes[size].from) /* else transfer_elements does, if it must */
        read_channel_offsets(m, &a, &c);
    if (atomics[operation]) {
        atomic_message_execute(
            b, &t, m, &c,
            &(struct atomic_message){.operation = (enum atomic_operation)atomics[operation],
                                     .bytes = sizes[size].bytes,
                                     .data = behind,
                                     .returns = m->response != NULL});
        return true;
    }
    if (operation != LOAD && !stores && !quad) {
        b->not_modelled = operation < FENCE;
        b->error_text = b->not_modelled ? "strided loads and states of pages are not modelled" : NULL;
        return false;
    }
    const unsigned components = quad ? 4 : counts[d >> 12 & 7u], at = stores ? behind : 0;
    /* Only registers of the message's length are transferred. */
    const unsigned registers = stores ? payload_registers(m) : m->response_registers;
    if (transposed) {
        for (unsigned i = 0; c.mask & 1u && i < components && !message_faulted(b) &&
                             at + i * sizes[size].in_register / EU_REGISTER_BYTES < registers;
             i++)
            element(b, m, &t, c.offset[0] + i * sizes[size].bytes, at, i * sizes[size].in_register, size,
                    stores);
        return true;
    }
    const struct element_transfer e = elements_of(m, channels);
    if (!sizes[size].from) {
        transfer_elements(b, m, &t, channels, c.mask, &a, &e);
        return true;
    }
    for (unsigned i = 0, to = at; i < components; i++) {
        if (!(e.present >> i & 1u))
            continue;
        FOR_EACH_CHANNEL(n, c.mask) {
            if (!message_faulted(b))
                element(b, m, &t, c.offset[n] + i * e.bytes, to, n * e.in_register, size, stores);
        }
        to += e.step;
    }
    return true;
}
