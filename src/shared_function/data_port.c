/*
 * Data ports: messages with an address for each channel. The values of eight channels fill a register,
 * those of the next eight the next register; components follow each other. (SKL PRM vol 7, Message
 * Payloads; Mesa, brw_eu.h)
 */
#include "shared_function/shared_function.h"

enum { INDEX_STATELESS = 255, INDEX_LOCAL = 254, INDEX_STATELESS_NON_COHERENT = 253, INDEX_BINDLESS = 252 };

struct buffer_view bti_buffer(struct message_context *b, const struct eu_send *m)
{
    static const struct buffer_view nothing = {.kind = BUFFER_VIEW_NULL};
    const uint32_t index = m->descriptor & 0xffu;
    struct buffer_view t = {
        .kind = BUFFER_VIEW_MEMORY, .base = b->kernel.general_state_base, .size_bytes = UINT64_C(1) << 32};
    struct surface_state s;
    switch (index) {
    case INDEX_STATELESS:
    case INDEX_STATELESS_NON_COHERENT:
        if (has_header(m)) /* the base of a buffer: scratch, mostly */
            t.base += payload_dw(m, 0, 5) & ~0x3ffu;
        return t;
    case INDEX_LOCAL:
        return (struct buffer_view){.kind = BUFFER_VIEW_SLM, .size_bytes = b->slm_bytes};
    case INDEX_BINDLESS:
        return surface_state_load(b, b->kernel.bindless_surface_state_base + surface_offset(m), &s)
                   ? surface_buffer_view(b, &s)
                   : nothing;
    default:
        return binding_table_buffer(b, index);
    }
}

static bool is_flat(enum eu_message_kind kind)
{
    return kind == MESSAGE_A64_READ || kind == MESSAGE_A64_WRITE || kind == MESSAGE_A64_ATOMIC ||
           kind == MESSAGE_A64_ATOMIC_16 || kind == MESSAGE_A64_FLOAT_ATOMIC ||
           kind == MESSAGE_A64_FLOAT_ATOMIC_16 || kind == MESSAGE_A64_GATHER || kind == MESSAGE_A64_SCATTER;
}

static struct buffer_view target_of(struct message_context *b, const struct eu_send *m, bool flat)
{
    return flat ? (struct buffer_view){.kind = BUFFER_VIEW_MEMORY, .size_bytes = UINT64_MAX}
                : bti_buffer(b, m);
}

/* Of those that take part. */
static uint32_t mask_of(const struct eu_send *m, unsigned count)
{
    return m->channels & (uint32_t)((UINT64_C(1) << count) - 1u);
}

static struct channel_addresses addresses_of(const struct eu_send *m, bool flat, uint64_t scale)
{
    return (struct channel_addresses){.at = has_header(m), .bytes = flat ? 8 : 4, .scale = scale};
}

/* The first register after the addresses. */
static unsigned behind(const struct channel_addresses *a, unsigned count)
{
    return a->at + (a->bytes == 8 ? (count + 3u) / 4u : (count + 7u) / 8u);
}

/* ---- SIMD4x2: each half of a register is of a vertex. The message is answered as one in SIMD8 with two
 * channels. (Mesa, brw_vec4) ---- */

/* The components of each vertex that a message has after the address, and that it gets. */
struct simd4x2_message {
    uint32_t descriptor; /* of the message in SIMD8 */
    uint32_t sent, returned;
};

static bool answer_simd4x2(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind,
                           const struct simd4x2_message *as)
{
    uint32_t payload[2 + SIMD4X2_DW][EU_REGISTER_BYTES / 4] = {{0}},
                                                         response[SIMD4X2_DW][EU_REGISTER_BYTES / 4] = {{0}};
    const unsigned header = has_header(m);
    unsigned registers = header + 1u, from = 0;
    struct eu_send wide = *m;
    if (header)
        memcpy(payload[0], payload_register(m, 0), sizeof payload[0]);
    for (unsigned n = 0; n < SIMD4X2_VERTICES; n++)
        payload[header][n] = payload_dw(m, header, n * SIMD4X2_DW);
    FOR_EACH_CHANNEL(c, as->sent) {
        for (unsigned n = 0; n < SIMD4X2_VERTICES; n++)
            payload[registers][n] = payload_dw(m, header + 1u, n * SIMD4X2_DW + c);
        registers++;
    }
    wide.payload[0] = (const uint8_t *)payload;
    wide.payload_registers[0] = (uint8_t)registers;
    wide.payload_registers[1] = 0;
    wide.response = m->response ? (uint8_t *)response : NULL;
    wide.response_registers = m->response ? SIMD4X2_DW : 0;
    wide.channels = simd4x2_vertices(m->channels);
    wide.descriptor = as->descriptor;
    if (!(kind == MESSAGE_UNTYPED_ATOMIC ? untyped_atomic : untyped_access)(b, &wide, kind))
        return false;
    FOR_EACH_CHANNEL(c, m->response && !message_faulted(b) ? as->returned : 0) {
        FOR_EACH_CHANNEL(n, wide.channels) {
            if (m->channels >> (n * SIMD4X2_DW + c) & 1u)
                writeback_channel(m, 0, n * SIMD4X2_DW + c, response[from][n]);
        }
        from++;
    }
    return true;
}

/* ---- Untyped: up to four dwords a channel; bits 11:8 name those that are left out ---- */

enum { UNTYPED_SIMD4X2, UNTYPED_SIMD16, UNTYPED_SIMD8, UNTYPED_MODE_AT = 12 };

static bool untyped_layout(const struct eu_send *m, enum eu_message_kind kind, struct message_layout *l)
{
    const bool writes = kind == MESSAGE_UNTYPED_WRITE || kind == MESSAGE_A64_WRITE;
    const unsigned mode = m->descriptor >> UNTYPED_MODE_AT & 3u, count = mode == UNTYPED_SIMD16 ? 16u : 8u;
    if (mode != UNTYPED_SIMD16 && mode != UNTYPED_SIMD8)
        return false;
    l->count = count;
    l->addresses = addresses_of(m, is_flat(kind), 1);
    l->elements = (struct element_transfer){.bytes = 4,
                                            .in_register = 4,
                                            .writes = writes,
                                            .at = writes ? behind(&l->addresses, count) : 0,
                                            .step = count / 8u,
                                            .present = ~(m->descriptor >> 8) & 0xfu};
    return true;
}

bool untyped_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    struct message_layout l;
    const uint32_t d = m->descriptor, present = ~(d >> 8) & 0xfu;
    if (b->info.has_simd4x2 && (d >> UNTYPED_MODE_AT & 3u) == UNTYPED_SIMD4X2)
        return answer_simd4x2(
            b, m, kind,
            &(struct simd4x2_message){.descriptor = d | (uint32_t)UNTYPED_SIMD8 << UNTYPED_MODE_AT,
                                      .sent = kind == MESSAGE_UNTYPED_WRITE ? present : 0,
                                      .returned = kind == MESSAGE_UNTYPED_WRITE ? 0 : present});
    if (!untyped_layout(m, kind, &l))
        return false;
    const struct buffer_view t = target_of(b, m, is_flat(kind));
    transfer_elements(b, m, &t, l.count, mask_of(m, l.count), &l.addresses, &l.elements);
    return true;
}

/* ---- Scattered: one element a channel, or several that follow each other ---- */

/* A scattered message, decoded from its descriptor. */
struct scattered {
    unsigned count, bytes, elements, scale;
    bool writes;
};

static struct scattered scattered_of(const struct eu_send *m, enum eu_message_kind kind)
{
    const uint32_t d = m->descriptor;
    const unsigned size = d >> 10 & 3u;
    struct scattered s = {.count = d >> 8 & 1u ? 16 : 8, .bytes = 4, .elements = 1, .scale = 1};
    switch (kind) {
    case MESSAGE_A64_GATHER:
    case MESSAGE_A64_SCATTER:
        s.writes = kind == MESSAGE_A64_SCATTER;
        s.count = d >> 12 & 1u ? 16 : 8;
        s.bytes = (d >> 8 & 3u) == 0 ? 1u << size : (d >> 8 & 3u) == 1 ? 4 : 8;
        s.elements = (d >> 8 & 3u) == 0 ? 1 : 1u << size;
        break;
    case MESSAGE_BYTE_GATHER:
    case MESSAGE_BYTE_SCATTER:
        s.writes = kind == MESSAGE_BYTE_SCATTER;
        s.bytes = 1u << size;
        break;
    case MESSAGE_DWORD_GATHER:
    case MESSAGE_DWORD_SCATTER: /* offsets are of dwords; bits 9:8: 2 eight, 3 sixteen of them */
        s.writes = kind == MESSAGE_DWORD_SCATTER;
        s.scale = 4;
        break;
    default: /* offsets are of qwords */
        s.writes = kind == MESSAGE_QWORD_SCATTER;
        s.bytes = s.scale = 8;
        s.elements = 1u << size;
        break;
    }
    return s;
}

static void scattered_layout(const struct eu_send *m, enum eu_message_kind kind, struct message_layout *l)
{
    const struct scattered s = scattered_of(m, kind);
    l->count = s.count;
    l->has_global_offset = has_header(m) && !is_flat(kind);
    l->addresses = addresses_of(m, is_flat(kind), s.scale);
    l->elements = (struct element_transfer){.bytes = (uint8_t)s.bytes,
                                            .in_register = s.bytes == 8 ? 8 : 4,
                                            .writes = s.writes,
                                            .at = s.writes ? behind(&l->addresses, s.count) : 0,
                                            .step = s.count / (s.bytes == 8 ? 4u : 8u),
                                            .present = (UINT64_C(1) << s.elements) - 1u};
}

bool scattered_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    struct message_layout l;
    scattered_layout(m, kind, &l);
    const struct buffer_view t = target_of(b, m, is_flat(kind));
    if (l.has_global_offset)
        l.addresses.plus = payload_dw(m, 0, 2) * l.addresses.scale;
    transfer_elements(b, m, &t, l.count, mask_of(m, l.count), &l.addresses, &l.elements);
    return true;
}

bool data_port_layout(const struct eu_send *m, enum eu_message_kind kind, struct message_layout *l)
{
    *l = (struct message_layout){.count = 0};
    switch (kind) {
    case MESSAGE_UNTYPED_READ:
    case MESSAGE_UNTYPED_WRITE:
    case MESSAGE_A64_READ:
    case MESSAGE_A64_WRITE:
        return untyped_layout(m, kind, l);
    case MESSAGE_A64_GATHER:
    case MESSAGE_A64_SCATTER:
    case MESSAGE_BYTE_GATHER:
    case MESSAGE_BYTE_SCATTER:
    case MESSAGE_DWORD_GATHER:
    case MESSAGE_DWORD_SCATTER:
    case MESSAGE_QWORD_GATHER:
    case MESSAGE_QWORD_SCATTER:
        scattered_layout(m, kind, l);
        return true;
    default:
        return false;
    }
}

/* ---- Atomics: bits 11:8 the operation, 13 whether it returns what was there ---- */

static const uint8_t float_operations[8] = {
    [1] = ATOMIC_FMAX, [2] = ATOMIC_FMIN, [3] = ATOMIC_FCMPWR, [4] = ATOMIC_FADD,
    [5] = ATOMIC_FSUB, [6] = ATOMIC_FADD, [7] = ATOMIC_FSUB}; /* the last two: of 64 bits */

bool untyped_atomic(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { ATOMIC_SIMD8 = 1 << 12, TYPE_SIMD4X2 = 1 << 14 }; /* types 2, and 3 on Gen7.5 */
    const uint32_t d = m->descriptor;
    if (kind == MESSAGE_UNTYPED_ATOMIC && b->info.has_simd4x2 && d & TYPE_SIMD4X2)
        return answer_simd4x2(
            b, m, kind,
            &(struct simd4x2_message){
                .descriptor = (d & ~(uint32_t)TYPE_SIMD4X2) | ATOMIC_SIMD8, .sent = 3, .returned = 1});
    const bool half_floats = kind == MESSAGE_FLOAT_ATOMIC_16 || kind == MESSAGE_A64_FLOAT_ATOMIC_16;
    const bool floats = kind == MESSAGE_FLOAT_ATOMIC || kind == MESSAGE_A64_FLOAT_ATOMIC || half_floats,
               flat = is_flat(kind);
    const bool halves = kind == MESSAGE_UNTYPED_ATOMIC_16 || kind == MESSAGE_A64_ATOMIC_16 || half_floats;
    enum { DOUBLES = 6 };
    const bool bit_12 = d >> 12 & 1u; /* of flat ones: of 64 bits; of others: eight channels */
    struct atomic_message a = {
        .operation = (enum atomic_operation)(floats ? float_operations[d >> 8 & 7u] : d >> 8 & 15u),
        .bytes = halves                               ? 2
                 : floats && (d >> 8 & 7u) >= DOUBLES ? 8
                 : !floats && flat && bit_12          ? 8
                                                      : 4,
        .returns = d >> 13 & 1u,
    };
    if (!a.operation)
        return false;
    const unsigned count = flat || bit_12 ? 8 : 16;
    const struct buffer_view t = target_of(b, m, flat);
    const struct channel_addresses at = addresses_of(m, flat, 1);
    struct channels c = {.count = (uint8_t)count, .mask = mask_of(m, count)};
    read_channel_offsets(m, &at, &c);
    a.data = behind(&at, count);
    atomic_message_execute(b, &t, m, &c, &a);
    return true;
}
