/* Planned messages agree with messages that are sent: random messages of every set, at every kind of address,
 * leave the same registers, memory, counters and costs. */
#include "../suite.h"
#include "message_lab.h"
#include "plans/plans.h"

enum { MESSAGES = 60000, MEMORY = 24 << 10, SURFACE_BYTES = 9000, SLM_BYTES = 4 << 10 };

/* What a message changes. */
struct outcome_of_message {
    uint8_t grf[EU_GRF_ROWS * EU_REGISTER_BYTES], memory[MEMORY], slm[SLM_BYTES];
    struct memory_counters memory_counters;
    struct message_counters counters;
    uint64_t cost, registers, kernel_stores, barriers;
};

static struct eu_thread thread;
static struct outcome_of_message before, sent, planned;

static void save(struct lab *l, struct outcome_of_message *o)
{
    memcpy(o->grf, thread.grf, sizeof o->grf);
    memcpy(o->memory, l->s->memory + BYTES, MEMORY);
    memcpy(o->slm, l->b->slm, SLM_BYTES);
    o->memory_counters = *l->b->memory.counters;
    o->counters = l->b->counters;
    o->cost = l->b->cost.messages;
    o->kernel_stores = l->b->memory.counters->stores - l->b->effects.stores_outside_kernels;
}

static void restore(struct lab *l, const struct outcome_of_message *o)
{
    memcpy(thread.grf, o->grf, sizeof o->grf);
    memcpy(l->s->memory + BYTES, o->memory, MEMORY);
    memcpy(l->b->slm, o->slm, SLM_BYTES);
    l->b->effects.stores_outside_kernels = o->memory_counters.stores - o->kernel_stores;
    *l->b->memory.counters = o->memory_counters;
    l->b->counters = o->counters;
    l->b->cost.messages = o->cost;
}

/* A descriptor that is often one that plans know. */
static uint32_t random_descriptor(uint64_t *seed, bool is_lsc, uint8_t *sfid)
{
    static const uint8_t types[] = {1, 9, 0x11, 0x19, 0x10, 0x1a, 0x14, 0x15, 0, 8, 3, 11, 4, 12, 7};
    static const uint8_t indices[] = {3, 3, 3, 5, 253, 254, 255};
    if (is_lsc) {
        static const uint8_t operations[] = {0, 0, 2, 4, 4, 6, 31, 12};
        *sfid = below(seed, 3) ? SFID_UGM : SFID_SLM;
        return operations[below(seed, 8)] | (2u + below(seed, 2)) << 7 | below(seed, 7) << 9 |
               below(seed, 8) << 12 | (below(seed, 4) ? 0u : 1u) << 15 | (below(seed, 2) ? 3u : 0u) << 29;
    }
    const uint32_t roll = below(seed, 40);
    *sfid = roll == 0 ? SFID_GATEWAY : roll == 1 ? SFID_THREAD_SPAWNER : below(seed, 2) ? SFID_DC1 : SFID_DC0;
    return roll < 2 ? (roll == 0 ? 4u : 0u)
                    : (uint32_t)types[below(seed, sizeof types)] << 14 | below(seed, 64) << 8 |
                          indices[below(seed, sizeof indices)] | (below(seed, 3) ? 0u : (uint32_t)HEADER);
}

/* Addresses of all channels: mostly at one distance from each other, or those of each half are, in the
 * buffer, or around its end. */
static void put_random_addresses(uint64_t *seed, uint8_t *at, unsigned bytes, uint64_t base)
{
    static const uint32_t steps[] = {4, 4, 4, 8, 16, 1, 0, 2, 12, 20, 64, 4096, UINT32_MAX - 3u};
    const uint32_t step = steps[below(seed, sizeof steps / sizeof *steps)];
    uint64_t value = base + (below(seed, 4) ? 4 * below(seed, 1000) : below(seed, MEMORY - 400));
    const bool anywhere = below(seed, 4) == 0, has_halves = below(seed, 3) == 0;
    for (unsigned n = 0; n < 32; n++) {
        if (n == 16 && has_halves)
            value = base + 4 * below(seed, 1000);
        const uint64_t here =
            anywhere ? base + below(seed, below(seed, 3) ? 2048 : SURFACE_BYTES + 8) : value;
        memcpy(at + (size_t)n * bytes, &here, bytes);
        value += (uint64_t)(int32_t)step;
    }
    if (below(seed, 8) == 0)
        memset(at + (size_t)below(seed, 16) * bytes, 0xff, 1 + below(seed, bytes));
}

static uint32_t random_channels(uint64_t *seed, unsigned size)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << size) - 1u);
    const uint32_t roll = below(seed, 4);
    return roll == 0 ? (uint32_t)random_next(seed) & all : roll == 1 ? all >> below(seed, size) : all;
}

struct random_message {
    struct eu_message_plan plan;
    uint32_t channels;
};

/* Of whole registers of 64 bytes, and for 16 channels or 32. */
static void widen(struct eu_message_plan *p)
{
    enum { WIDE = 2, WIDE_BYTES = WIDE * EU_REGISTER_BYTES };
    p->register_rows = WIDE;
    p->execution_size = p->execution_size < 16 ? 16 : p->execution_size;
    p->response_registers = p->response_registers / WIDE * WIDE;
    p->response_byte = p->response_byte / WIDE_BYTES * WIDE_BYTES;
    for (unsigned i = 0; i < 2; i++) {
        p->payload_registers[i] = (uint8_t)((p->payload_registers[i] + 1u) / WIDE * WIDE);
        p->payload_byte[i] = p->payload_byte[i] / WIDE_BYTES * WIDE_BYTES;
    }
}

static struct random_message random_message(struct lab *l, uint64_t *seed, bool is_lsc)
{
    struct random_message r = {.plan = {.response_registers = (uint8_t)below(seed, 17)}};
    struct eu_message_plan *const p = &r.plan;
    const uint64_t bases[] = {0, BYTES - GENERAL, BYTES};
    p->descriptor = random_descriptor(seed, is_lsc, &p->sfid);
    static const uint8_t lsc_indices[] = {3, 3, 5, 255};
    p->ex_descriptor = is_lsc ? (uint32_t)lsc_indices[below(seed, 4)] << 24 : 0;
    p->address_offset = is_lsc && !below(seed, 3) ? (int32_t)below(seed, 512) - 256 : 0;
    const bool is_wide = eu_register_rows(l->set) > 1;
    const unsigned header = !is_lsc && p->descriptor & HEADER,
                   bytes = is_lsc ? (p->descriptor >> 7 & 3u) == 3 ? 8 : 4
                           : p->sfid == SFID_DC1 && p->descriptor >> 18 & 1u ? 8
                                                                             : 4;
    p->execution_size = (uint8_t)(8u << below(seed, is_lsc ? 3 : 2));
    p->payload_registers[0] = (uint8_t)(1 + below(seed, 15));
    p->payload_registers[1] = (uint8_t)(below(seed, 2) ? 0 : below(seed, 16));
    for (unsigned i = 0; i < 2; i++)
        p->payload_byte[i] = (uint16_t)(below(seed, 40) * EU_REGISTER_BYTES);
    p->response_byte = (uint16_t)((below(seed, 3) ? 60u : below(seed, 60)) * EU_REGISTER_BYTES);
    if (is_wide)
        widen(p);
    for (unsigned i = 0; i < 100 * EU_REGISTER_BYTES / 8; i++) {
        const uint64_t value = random_next(seed);
        memcpy(thread.grf + i * sizeof value, &value, sizeof value);
    }
    put_random_addresses(seed, thread.grf + p->payload_byte[0] + header * EU_REGISTER_BYTES, bytes,
                         bases[bytes == 8 ? 2 : below(seed, 3)]);
    const uint64_t block =
        (bytes == 8 ? BYTES : 0) + (below(seed, 2) ? 16 * below(seed, 200) : below(seed, 9100));
    if (header) {
        memset(thread.grf + p->payload_byte[0], 0, EU_REGISTER_BYTES);
        memcpy(thread.grf + p->payload_byte[0], &block, sizeof block);
        memcpy(thread.grf + p->payload_byte[0] + 8, &block, 4);
        thread.grf[p->payload_byte[0] + 21] = (uint8_t)(below(seed, 2) * 4);
    }
    r.channels = random_channels(seed, p->execution_size);
    message_plan(l->set, p);
    return r;
}

static enum eu_answer send_it(struct lab *l, const struct random_message *r)
{
    const struct eu_message_plan *const p = &r->plan;
    uint64_t budget = 100000;
    const struct eu_send m = {.sfid = p->sfid,
                              .descriptor = p->descriptor,
                              .ex_descriptor = p->ex_descriptor,
                              .address_offset = p->address_offset,
                              .execution_size = p->execution_size,
                              .register_rows = p->register_rows,
                              .channels = r->channels,
                              .payload = {thread.grf + p->payload_byte[0], thread.grf + p->payload_byte[1]},
                              .payload_registers = {p->payload_registers[0], p->payload_registers[1]},
                              .response = p->response_registers ? thread.grf + p->response_byte : NULL,
                              .response_registers = p->response_registers};
    const unsigned registers = payload_registers(&m);
    const enum eu_answer answer = shared_function_send(l->b, l->set, &m, &budget);
    save(l, &sent);
    sent.registers = registers ? registers : 1;
    sent.barriers = l->b->at_barrier;
    l->b->at_barrier = false;
    l->s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE; /* as after a fault's reset */
    memory_client_begin(&l->b->memory);
    return answer;
}

/* Whether the plan did the message. */
static bool compare(struct lab *l, const struct random_message *r)
{
    save(l, &before);
    const enum eu_answer answer = send_it(l, r);
    restore(l, &before);
    l->b->planned = (struct planned_messages){0};
    const int cost = r->plan.run(l->b, &thread, &r->plan, r->channels);
    save(l, &planned);
    planned.registers = l->b->planned.registers;
    planned.barriers = l->b->planned.barriers;
    struct outcome_of_message *const wanted = cost < 0 ? &before : &sent;
    before.registers = before.barriers = 0;
    assert_int_equal(l->b->planned.messages, cost >= 0);
    assert_memory_equal(planned.grf, wanted->grf, sizeof planned.grf);
    assert_memory_equal(planned.memory, wanted->memory, sizeof planned.memory);
    assert_memory_equal(planned.slm, wanted->slm, sizeof planned.slm);
    assert_memory_equal(&planned.memory_counters, &wanted->memory_counters, sizeof planned.memory_counters);
    assert_memory_equal(&planned.counters, &wanted->counters, sizeof planned.counters);
    assert_int_equal(planned.cost, wanted->cost);
    assert_int_equal(planned.registers, wanted->registers);
    assert_int_equal(planned.barriers, wanted->barriers);
    if (cost < 0)
        return false;
    assert_int_equal(answer, EU_SENT);
    assert_int_equal((uint64_t)cost, sent.cost - before.cost);
    assert_int_equal(planned.kernel_stores,
                     before.kernel_stores); /* else the kernel must be looked at again */
    return true;
}

static void plans_agree_with_messages(void **state)
{
    (void)state;
    static const char *const planned_devices[] = {"bdw", "skl", "icl", "tgl", "dg2", "bmg"};
    uint64_t seed = 3;
    for (unsigned i = 0; i < sizeof planned_devices / sizeof planned_devices[0]; i++) {
        struct lab l;
        unsigned plans = 0, done = 0;
        lab_begin(&l, planned_devices[i]);
        const bool has_lsc = l.set->has_lsc;
        for (unsigned byte = 0; byte < MEMORY; byte++)
            l.s->memory[BYTES + byte] = (uint8_t)random_next(&seed);
        put_buffer(&l, 3, BYTES + 40, SURFACE_BYTES);
        put_surface(&l, 5, NOTHING, 0x1ff, BYTES);
        for (unsigned n = 0; n < MESSAGES; n++) {
            const struct random_message r = random_message(&l, &seed, has_lsc);
            if (n % 512 == 0) { /* in some slices a kernel lies on one of the pages */
                another_slice(&l);
                l.b->effects.kernel_pages =
                    n % 1024 ? UINT64_C(1) << ((BYTES >> 12) % 64 + below(&seed, 6)) : 0;
            }
            if (!r.plan.run)
                continue;
            plans++;
            done += compare(&l, &r);
        }
        assert_true(plans > MESSAGES / 4);
        assert_true(done > plans / 3);
        lab_end(&l);
    }
}

TEST_PROGRAM(message_plan_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_agree_with_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
