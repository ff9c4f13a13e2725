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

#include "shared_function/shared_function.h"
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

TEST_PROGRAM(urb_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(offsets_of_zero), cmocka_unit_test(planned_writes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
