/* URB messages without offsets of channels do what those with offsets of zero do; planned ones what those
 * that are sent do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plans/plans.h"
#include "../suite.h"
#include "../random.h"

enum { ROUNDS = 20000, REGISTERS = 20, CHANNELS = 8, COMPARED_DW = 12 * URB_ENTRY_DW, HANDLES = 20 };
enum { OFFSETS = 1 << 17, OFFSET_AT = 4 };

struct side {
    struct urb *urb;
    uint32_t payload[REGISTERS][CHANNELS], response[REGISTERS][CHANNELS];
};

/* Some handles are of no entry, some twice. */
static void random_urb(uint64_t *seed, struct urb *u)
{
    u->handle_count = below(seed, CHANNELS + 2);
    for (unsigned i = 0; i < u->handle_count; i++)
        u->handles[i] =
            (struct urb_handle_grant){.handle = below(seed, HANDLES),
                                      .urb_offset_dw = (uint32_t)(below(seed, 10) * URB_ENTRY_DW),
                                      .entry_dw = below(seed, 4) ? URB_ENTRY_DW : below(seed, URB_ENTRY_DW)};
}

static void message(struct side *s, uint32_t descriptor, unsigned first, unsigned count, uint32_t channels,
                    enum eu_message_kind kind)
{
    struct message_context b = {.urb = s->urb};
    const bool writes = kind == MESSAGE_URB_WRITE;
    const unsigned sent = first + (writes ? count : 0), split = sent > 3 ? 3 : sent;
    const struct eu_send m = {
        .descriptor = descriptor,
        .execution_size = CHANNELS,
        .channels = channels,
        .payload = {(const uint8_t *)s->payload, (const uint8_t *)s->payload[split]},
        .payload_registers = {(uint8_t)split, (uint8_t)(sent - split)},
        .response = writes ? NULL : (uint8_t *)s->response,
        .response_registers = (uint8_t)(writes ? 0 : count),
    };
    assert_true(urb_access(&b, &m, kind));
    assert_int_equal(b.work.memory_accesses, __builtin_popcount(channels & 0xffu));
}

static void offsets_of_zero(void **state)
{
    uint64_t seed = 1;
    struct side sides[2] = {{.urb = calloc(1, sizeof(struct urb))}, {.urb = calloc(1, sizeof(struct urb))}};
    (void)state;
    assert_true(sides[0].urb && sides[1].urb);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const enum eu_message_kind kind = below(&seed, 2) ? MESSAGE_URB_WRITE : MESSAGE_URB_READ;
        const unsigned count = below(&seed, 16);
        const uint32_t channels = below(&seed, 3) ? 0xff : below(&seed, 256),
                       descriptor = below(&seed, below(&seed, 2) ? 70 : 4) << OFFSET_AT;
        random_urb(&seed, sides[0].urb);
        memcpy(sides[1].urb->handles, sides[0].urb->handles, sizeof sides[0].urb->handles);
        sides[1].urb->handle_count = sides[0].urb->handle_count;
        for (unsigned c = 0; c < CHANNELS; c++) {
            sides[0].payload[0][c] = sides[1].payload[0][c] = below(&seed, HANDLES);
            sides[1].payload[1][c] = 0;
            for (unsigned n = 0; n < count; n++)
                sides[0].payload[1 + n][c] = sides[1].payload[2 + n][c] = (uint32_t)random_next(&seed);
        }
        message(&sides[0], descriptor, 1, count, channels, kind);
        message(&sides[1], descriptor | OFFSETS, 2, count, channels, kind);
        assert_memory_equal(sides[0].response, sides[1].response, sizeof sides[0].response);
        assert_memory_equal(sides[0].urb->dw, sides[1].urb->dw, COMPARED_DW * sizeof *sides[0].urb->dw);
    }
    free(sides[0].urb);
    free(sides[1].urb);
}

/* Planned writes do what those that are sent do, or nothing. */
static void planned_writes(void **state)
{
    enum { WRITE = 7, GRF_ROWS = 60 };
    uint64_t seed = 9;
    struct urb *const sent = calloc(1, sizeof *sent), *const planned = calloc(1, sizeof *planned);
    static struct eu_thread thread;
    unsigned done = 0;
    (void)state;
    assert_true(sent && planned);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t channels = below(&seed, 3) ? 0xff : below(&seed, 256);
        struct eu_message_plan p = {.sfid = SFID_URB,
                                    .descriptor = WRITE | below(&seed, below(&seed, 2) ? 70 : 4) << OFFSET_AT,
                                    .execution_size = CHANNELS,
                                    .payload_registers = {(uint8_t)(1 + below(&seed, 15)), 0}};
        if (below(&seed, 2))
            p.payload_registers[0] = 1, p.payload_registers[1] = (uint8_t)below(&seed, 30);
        for (unsigned i = 0; i < 2; i++)
            p.payload_byte[i] = (uint16_t)(below(&seed, GRF_ROWS) * EU_REGISTER_BYTES);
        random_urb(&seed, sent);
        for (unsigned c = 0; c < CHANNELS && round % 2; c++) { /* as of vertex shaders */
            sent->handle_count = CHANNELS;
            sent->handles[c] = (struct urb_handle_grant){
                .handle = c, .urb_offset_dw = c * URB_ENTRY_DW, .entry_dw = URB_ENTRY_DW / 2};
        }
        for (unsigned i = 0; i < (GRF_ROWS + 30) * EU_REGISTER_BYTES / 8; i++) {
            const uint64_t value = random_next(&seed);
            memcpy(thread.grf + i * sizeof value, &value, sizeof value);
        }
        for (unsigned c = 0; c < CHANNELS; c++) {
            const uint32_t own = sent->handles[c].handle | (uint32_t)random_next(&seed) << 16;
            const uint32_t handle = below(&seed, 40) ? own : below(&seed, HANDLES);
            memcpy(thread.grf + p.payload_byte[0] + c * sizeof handle, &handle, sizeof handle);
        }
        memcpy(planned->handles, sent->handles, sizeof sent->handles);
        planned->handle_count = sent->handle_count;
        struct message_context a = {.urb = sent}, b = {.urb = planned};
        const struct eu_send m = {.descriptor = p.descriptor,
                                  .execution_size = CHANNELS,
                                  .channels = channels,
                                  .payload = {thread.grf + p.payload_byte[0], thread.grf + p.payload_byte[1]},
                                  .payload_registers = {p.payload_registers[0], p.payload_registers[1]}};
        assert_true(urb_access(&a, &m, MESSAGE_URB_WRITE));
        message_plan(&eu_gen9, &p);
        const int cost = p.run ? p.run(&b, &thread, &p, channels) : -1;
        if (cost < 0) {
            memcpy(planned->dw, sent->dw, COMPARED_DW * sizeof *sent->dw);
            continue;
        }
        done++;
        assert_int_equal(cost, message_cost(a.work.memory_accesses, 0));
        assert_int_equal(b.planned.registers, p.payload_registers[0] + p.payload_registers[1]);
        assert_memory_equal(sent->dw, planned->dw, COMPARED_DW * sizeof *sent->dw);
    }
    assert_true(done > ROUNDS / 5);
    free(sent);
    free(planned);
}

/* Descriptors as Mesa has them in tests/golden/eu/bmg/mesa-urb.asm: dwords at addresses of 32 bits. */
enum { URB_LOAD = 0x500, URB_STORE = 0x504, URB_STORE_MASKED = 0x506, COUNT_SHIFT = 12, WIDE = 16, ROWS = 2 };

/* A message of up to eight dwords of each channel: a mask has four. */
static struct eu_message_plan random_load_store(uint64_t *seed)
{
    enum { COUNTS = 5, MASKS = 16, LONGEST = 8, OFFSETS_FROM = -64 };
    static const uint32_t operations[] = {URB_LOAD, URB_STORE, URB_STORE_MASKED};
    static const uint8_t counts[COUNTS] = {1, 2, 3, 4, LONGEST};
    const uint32_t operation = operations[below(seed, 3)],
                   count = below(seed, operation == URB_STORE_MASKED ? MASKS : COUNTS);
    const unsigned registers = operation == URB_STORE_MASKED ? 1 + below(seed, 4) : counts[count],
                   there = (below(seed, 20) ? registers : below(seed, LONGEST)) * ROWS;
    const bool loads = operation == URB_LOAD;
    struct eu_message_plan p = {.sfid = SFID_URB,
                                .descriptor = operation | count << COUNT_SHIFT,
                                .address_offset = below(seed, 2) ? 0 : OFFSETS_FROM + (int)below(seed, 128),
                                .execution_size =
                                    below(seed, 10) ? (uint8_t)WIDE : (uint8_t)(1u << below(seed, 5)),
                                .register_rows = ROWS,
                                .payload_registers = {ROWS, loads ? 0 : (uint8_t)there},
                                .response_registers = loads ? (uint8_t)there : 0};
    for (unsigned i = 0; i < 2; i++)
        p.payload_byte[i] = (uint16_t)(below(seed, 60) * ROWS * EU_REGISTER_BYTES);
    p.response_byte = (uint16_t)(below(seed, 60) * ROWS * EU_REGISTER_BYTES);
    return p;
}

/* Mostly of the channels' own entries, at the same dword of each. */
static void put_addresses(uint64_t *seed, struct urb *u, uint8_t *to)
{
    const uint32_t dword = below(seed, 80), roll = below(seed, 3);
    for (unsigned c = 0; c < WIDE; c++) {
        u->handles[c] = (struct urb_handle_grant){
            .handle = c * 20, .urb_offset_dw = c * URB_ENTRY_DW, .entry_dw = URB_ENTRY_DW / 2};
        const uint32_t entry = roll ? c : below(seed, WIDE),
                       address = urb_handle_address(entry * 20) | (uint32_t)random_next(seed) << 24,
                       at = address + (roll == 2 ? below(seed, 130) : dword) * 4;
        memcpy(to + c * sizeof at, &at, sizeof at);
    }
    u->handle_count = below(seed, 20) ? WIDE : 1 + below(seed, WIDE);
}

/* Planned loads and stores of Gen20 do what those that are sent do. */
static void planned_load_store(void **state)
{
    static struct eu_thread thread, other;
    struct urb *const sent = calloc(1, sizeof *sent), *const planned = calloc(1, sizeof *planned);
    uint64_t seed = 5;
    unsigned done[2] = {0};
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct eu_message_plan p = random_load_store(&seed);
        const uint32_t channels = (below(&seed, 3) ? UINT16_MAX : below(&seed, 1 << WIDE)) &
                                  (UINT32_MAX >> (32 - p.execution_size));
        for (unsigned i = 0; i < sizeof thread.grf / 8; i++) {
            const uint64_t value = random_next(&seed);
            memcpy(thread.grf + i * sizeof value, &value, sizeof value);
        }
        put_addresses(&seed, sent, thread.grf + p.payload_byte[0]);
        memcpy(planned->handles, sent->handles, sizeof sent->handles);
        planned->handle_count = sent->handle_count;
        memcpy(planned->dw, sent->dw, WIDE * URB_ENTRY_DW * sizeof *sent->dw);
        memcpy(other.grf, thread.grf, sizeof thread.grf);
        struct message_context a = {.urb = sent}, b = {.urb = planned};
        const struct eu_send m = {.sfid = SFID_URB,
                                  .descriptor = p.descriptor,
                                  .address_offset = p.address_offset,
                                  .execution_size = p.execution_size,
                                  .register_rows = ROWS,
                                  .channels = channels,
                                  .payload = {thread.grf + p.payload_byte[0], thread.grf + p.payload_byte[1]},
                                  .payload_registers = {p.payload_registers[0], p.payload_registers[1]},
                                  .response = p.response_registers ? thread.grf + p.response_byte : NULL,
                                  .response_registers = p.response_registers};
        assert_true(urb_load_store(&a, &m));
        message_plan(&eu_gen200, &p);
        const int cost = p.run ? p.run(&b, &other, &p, channels) : -1;
        if (cost < 0)
            continue;
        done[p.response_registers != 0]++;
        assert_int_equal(cost, message_cost(a.work.memory_accesses, 0));
        assert_memory_equal(sent->dw, planned->dw, WIDE * URB_ENTRY_DW * sizeof *sent->dw);
        assert_memory_equal(thread.grf, other.grf, sizeof thread.grf);
    }
    assert_true(done[0] > ROUNDS / 5 && done[1] > ROUNDS / 10);
    free(sent);
    free(planned);
}

TEST_PROGRAM(urb_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(offsets_of_zero), cmocka_unit_test(planned_writes),
                                       cmocka_unit_test(planned_load_store)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
