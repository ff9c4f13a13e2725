/* URB messages without offsets of channels do what those with offsets of zero do. */
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

TEST_PROGRAM(urb_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(offsets_of_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
