/*
 * Plans of messages to the URB: writes of eight channels by their handles, and loads and stores of Gen20 by
 * addresses, of channels whose dwords lie in the entries that the thread was given for them. Other entries
 * are found by urb.c.
 */
#include "base/four.h"
#include "plans/plans.h"

enum { WRITE_CHANNELS = EU_REGISTER_BYTES / 4, URB_CHANNELS = STAGE_CHANNELS };

/* Four dwords of four channels: a row of `step` bytes has a dword of each, an entry has a channel's. */
static INLINE void urb_move_square(uint8_t *rows, size_t step, uint32_t *const entry[FOUR], unsigned at,
                                   bool stores)
{
    four_dw square[FOUR] = {{0}};
    for (unsigned n = 0; n < FOUR; n++)
        memcpy(&square[n], stores ? rows + n * step : (const void *)(entry[n] + at), sizeof square[n]);
    transpose_four(square);
    for (unsigned n = 0; n < FOUR; n++)
        memcpy(stores ? (void *)(entry[n] + at) : rows + n * step, &square[n], sizeof square[n]);
}

/* The first `count` dwords of the entries of the channels that are on. */
static INLINE void urb_move(uint8_t *data, size_t step, uint32_t *const *entry, uint32_t on,
                            unsigned channels, unsigned count, bool stores)
{
    for (unsigned part = 0; part < channels; part += FOUR) {
        const uint32_t four = on >> part & ((1u << FOUR) - 1u);
        const unsigned squares = four == (1u << FOUR) - 1u ? count / FOUR * FOUR : 0;
        for (unsigned n = 0; n < squares; n += FOUR)
            urb_move_square(data + n * step + part * sizeof **entry, step, entry + part, n, stores);
        FOR_EACH_CHANNEL(c, four << part)
            for (unsigned n = squares; n < count; n++) {
                uint8_t *const here = data + n * step + c * sizeof **entry;
                memcpy(stores ? (void *)(entry[c] + n) : here, stores ? here : (const void *)(entry[c] + n),
                       sizeof **entry);
            }
    }
}

/* Each channel writes the entry that the thread was given for it. */
static int urb_write(void *context, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    struct message_context *const b = context;
    struct urb *const u = b->urb;
    const uint32_t on = channels & ((1u << WRITE_CHANNELS) - 1u);
    const unsigned first = p->index * 4u + p->scale * 1024u;
    unsigned count = on ? p->element_count : 0;
    uint32_t *entry[WRITE_CHANNELS] = {NULL}, handles[WRITE_CHANNELS];
    if (!u || p->grf_rows > t->grf_rows)
        return NOT_DONE;
    memcpy(handles, t->grf + p->payload_byte[0], sizeof handles);
    const uint32_t entry_dw = on ? u->handles[__builtin_ctz(on)].entry_dw : 0;
    if (entry_dw < first + count)
        count = entry_dw > first ? entry_dw - first : 0;
    FOR_EACH_CHANNEL(c, on) {
        const struct urb_handle_grant *const own = &u->handles[c];
        if (c >= u->handle_count || own->handle != (handles[c] & UINT16_MAX) || own->entry_dw != entry_dw)
            return NOT_DONE;
        entry[c] = u->dw + own->urb_offset_dw + (count ? first : 0);
    }
    urb_move(t->grf + p->data_byte, EU_REGISTER_BYTES, entry, on, WRITE_CHANNELS, count, true);
    return plan_count_message(b, p, (unsigned)__builtin_popcount(on));
}

/* A write at an offset that the descriptor has, without masks. */
void urb_plan_write(struct eu_message_plan *p)
{
    enum { MASKS = 1 << 15, OFFSETS = 1 << 17, OFFSET_SHIFT = 4, OFFSET = 0x7ff };
    const unsigned registers = p->payload_registers[0] + p->payload_registers[1], first_data = 1,
                   offset = p->descriptor >> OFFSET_SHIFT & OFFSET;
    uint16_t handles;
    if (p->descriptor & (MASKS | OFFSETS) || registers <= first_data || !payload_place(p, 0, 1, &handles) ||
        !payload_place(p, first_data, registers - first_data, &p->data_byte))
        return;
    p->payload_byte[0] = handles;
    p->index = (uint8_t)offset;
    p->scale = (uint8_t)(offset >> 8);
    p->element_count = (uint8_t)(registers - first_data);
    p->run = urb_write;
}

/* ---- By the load and store unit ---- */

static INLINE int urb_transfer_own(struct message_context *b, struct eu_thread *t,
                                   const struct eu_message_plan *p, uint32_t channels, bool stores)
{
    struct urb *const u = b->urb;
    const uint32_t on = channels & p->channel_mask;
    uint32_t *entry[URB_CHANNELS] = {NULL}, addresses[URB_CHANNELS];
    if (!u || p->grf_rows > t->grf_rows)
        return NOT_DONE;
    memcpy(addresses, t->grf + p->address_byte, sizeof addresses);
    FOR_EACH_CHANNEL(c, on) {
        const struct urb_handle_grant *const own = &u->handles[c];
        const uint32_t from = addresses[c] + (uint32_t)p->address_offset - urb_handle_address(own->handle),
                       first = (from & URB_ADDRESS_MASK) / (uint32_t)sizeof **entry;
        if (c >= u->handle_count || own->entry_dw < p->last_element ||
            first > own->entry_dw - p->last_element)
            return NOT_DONE;
        entry[c] = u->dw + own->urb_offset_dw + first + (p->last_element - p->element_count);
    }
    urb_move(t->grf + p->data_byte, p->step * (size_t)EU_REGISTER_BYTES, entry, on, URB_CHANNELS,
             p->element_count, stores);
    return plan_count_message(b, p, (unsigned)__builtin_popcount(on));
}

static int urb_load_own(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    return urb_transfer_own(b, t, p, channels, false);
}

static int urb_store_own(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    return urb_transfer_own(b, t, p, channels, true);
}

/* Dwords of 16 channels, one after the other: a mask may leave out the first ones. */
void urb_plan_load_store(struct eu_message_plan *p, const struct eu_send *m)
{
    struct message_layout l;
    if (!load_store_layout(m, &l) || !urb_load_store_is_known(m, &l) || l.count != URB_CHANNELS ||
        !l.elements.present)
        return;
    const struct element_transfer *const e = &l.elements;
    const unsigned last = 64u - (unsigned)__builtin_clzll(e->present),
                   first = (unsigned)__builtin_ctzll(e->present),
                   from = urb_element_register(e, payload_registers(m) - e->at, first);
    p->element_count = (uint8_t)(last - first);
    p->last_element = (uint8_t)last;
    p->step = (uint8_t)e->step;
    p->channel_mask = UINT32_MAX >> (EU_MAX_CHANNELS - p->execution_size);
    const unsigned registers = p->element_count * e->step;
    if (e->present >> first != (UINT64_C(1) << p->element_count) - 1u ||
        !payload_place(p, 0, URB_CHANNELS * l.addresses.bytes / EU_REGISTER_BYTES, &p->address_byte) ||
        (e->writes ? !payload_place(p, e->at + from, registers, &p->data_byte)
                   : first || registers > p->response_registers))
        return;
    if (!e->writes)
        p->data_byte = p->response_byte;
    p->run = e->writes ? urb_store_own : urb_load_own;
}
