/* CSP-24: what the order of memory-port calls and interrupts shows: every producer of the tables before every
 * consumer, in memory and in registers, on every engine of Gen9 and Gen11. */
#include "../suite.h"
#include "../streamer.h"

enum { ALL = 15, NOT_RENDER = 14 };
enum {
    AT = DATA + 0x80,
    USER_AT = USER_DATA + 0x80,
    FROM = DATA + 0xc0,
    OUT = DATA + 0x100,
    USER_OUT = USER_DATA + 0x100
};
enum { VALUE = 0x600d, OTHER = 0x0bad, GPR3_AT = GPR_AT + 24, GPR4_AT = GPR_AT + 32 };

#define MI(opcode, length_dw) ((uint32_t)(opcode) << 23 | ((length_dw) > 1 ? (uint32_t)(length_dw)-2u : 0))

/* ---- What happened, in order ---- */

enum what { READ, WRITE, RAISE };
struct happening {
    enum what what;
    uint64_t address, value; /* of an interrupt: value is its bits */
};

static struct happening happenings[4096];
static unsigned happened;

static void note(enum what what, uint64_t address, uint64_t value)
{
    assert_true(happened < sizeof happenings / sizeof happenings[0]);
    happenings[happened++] = (struct happening){what, address, value};
}

static void touched(void *user, bool write, uint64_t bus_address, const void *data, size_t size_bytes)
{
    (void)user;
    uint64_t value = 0;
    memcpy(&value, data, size_bytes < 8 ? size_bytes : 8);
    note(write ? WRITE : READ, bus_address, value);
}

static void raised(void *user, const struct softgt_event *event)
{
    streamer_event(user, event);
    if (strcmp(event->name, "raise") == 0)
        note(RAISE, 0, event->value);
}

/* Index of the first such happening from `from` on, -1 if there is none. */
static int find(enum what what, uint64_t address, uint64_t value, int from)
{
    for (int i = from; i >= 0 && i < (int)happened; i++) {
        const struct happening *h = &happenings[i];
        if (h->what == what && h->address == address && (what == READ || (h->value & 0xffffffffu) == value))
            return i;
    }
    return -1;
}

static struct streamer *recorded(const char *device)
{
    struct streamer *s = streamer_listen(device, raised);
    s->unmapped = true;
    s->touched = touched;
    return s;
}

static unsigned class_of(const struct streamer *s)
{
    return 1u << streamer_status(s).engine_class;
}

/* Registers of the engine are written as offsets with this bit. */
#define REG(offset) (0x7e000000u | (offset))

struct step {
    const char *name;
    unsigned engines;
    uint32_t length;
    uint32_t dw[16];
};

static uint32_t append(const struct streamer *s, uint32_t *dw, uint32_t at, const struct step *step)
{
    for (uint32_t i = 0; i < step->length; i++) {
        const uint32_t v = step->dw[i];
        dw[at + i] = i && (v & 0xfffff000u) == REG(0) ? s->base + (v & 0xfffu) : v;
    }
    return at + step->length;
}

static void begin(struct streamer *s, unsigned engine)
{
    s->unmapped = false;
    streamer_start(s, engine);
    s->unmapped = true;
    softgt_memory_changed(s->device);
    dword_put(s, USER_DATA + 0xc0, VALUE);
    dword_put(s, DATA + 0xc0, VALUE);
    register_put(s, s->base + GPR3_AT, VALUE);
    register_put(s, s->base + GPR4_AT, OTHER);
    happened = 0;
}

/* ---- Memory ---- */

/* Each stores VALUE at AT in the PPGTT, posted or not. */
static const struct step stores[] = {
    {"MI_STORE_REGISTER_MEM", ALL, 4, {MI(0x24, 4), REG(GPR3_AT), AT, 0}},
    {"MI_COPY_MEM_MEM", ALL, 5, {MI(0x2e, 5), AT, 0, FROM, 0}},
    {"MI_STORE_DATA_IMM", ALL, 4, {MI(0x20, 4), AT, 0, VALUE}},
    {"MI_ATOMIC", ALL, 11, {MI(0x2f, 11) | 1 << 18 | 4 << 8, AT, 0, VALUE}},
    {"MI_ATOMIC with CS Stall", ALL, 11, {MI(0x2f, 11) | 1 << 17 | 1 << 18 | 4 << 8, AT, 0, VALUE}},
    {"MI_FLUSH_DW", NOT_RENDER, 4, {MI(0x26, 4) | 1 << 14, AT, 0, VALUE}},
    {"PIPE_CONTROL", RENDER, 6, {0x7a000004, 1 << 14, AT, 0, VALUE, 0}},
    {"PIPE_CONTROL, stalling", RENDER, 6, {0x7a000004, 1 << 14 | 1 << 20, AT, 0, VALUE, 0}},
};
enum { STORES = sizeof stores / sizeof stores[0] };

/* Each reads AT; with VALUE there, it leaves VALUE at OUT, by itself or by the store behind it. */
static const struct step loads[] = {
    {"MI_LOAD_REGISTER_MEM", ALL, 8, {MI(0x29, 4), REG(GPR4_AT), AT, 0, MI(0x24, 4), REG(GPR4_AT), OUT, 0}},
    {"MI_LOAD_REGISTER_MEM, async",
     ALL,
     8,
     {MI(0x29, 4) | 1 << 21, REG(GPR4_AT), AT, 0, MI(0x24, 4), REG(GPR4_AT), OUT, 0}},
    {"MI_COPY_MEM_MEM", ALL, 5, {MI(0x2e, 5), OUT, 0, AT, 0}},
    {"MI_ATOMIC, returning",
     ALL,
     7,
     {MI(0x2f, 3) | 1 << 16 | 5 << 8, AT, 0, MI(0x24, 4), REG(GPR4_AT), OUT, 0}},
    {"MI_SEMAPHORE_WAIT",
     ALL,
     8,
     {MI(0x1c, 4) | 1 << 15 | 4 << 12, VALUE, AT, 0, MI(0x20, 4), OUT, 0, VALUE}},
    {"MI_CONDITIONAL_BATCH_BUFFER_END",
     ALL,
     8,
     {MI(0x36, 4) | 1 << 21, VALUE - 1, AT, 0, MI(0x20, 4), OUT, 0, VALUE}},
};
enum { LOADS = sizeof loads / sizeof loads[0] };

static void memory_order(const char *device)
{
    struct streamer *s = recorded(device);
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++)
        for (unsigned p = 0; p < STORES; p++)
            for (unsigned c = 0; c < LOADS; c++) {
                uint32_t dw[40], count = 0;
                begin(s, e);
                if (!(stores[p].engines & class_of(s)))
                    continue;
                count = append(s, dw, count, &stores[p]);
                dw[count++] = 0x02u << 23; /* MI_USER_INTERRUPT */
                count = append(s, dw, count, &loads[c]);
                batch_run(s, dw, count, true);
                const int store = find(WRITE, USER_AT, VALUE, 0), told = find(RAISE, 0, 1, 0);
                const int load = find(READ, USER_AT, 0, told), out = find(WRITE, USER_OUT, VALUE, 0);
                if (store < 0 || told < store || load < told || out < load || dword_at(s, USER_OUT) != VALUE)
                    fail_msg("%s, %s, then %s: store %d, interrupt %d, load %d, what it leaves %d",
                             streamer_status(s).name, stores[p].name, loads[c].name, store, told, load, out);
                /* Nothing had to wait for it. */
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                assert_int_equal(streamer_status(s).waits, 0);
            }
    streamer_destroy(s);
}

static void memory_producers_before_consumers(void **state)
{
    (void)state;
    memory_order("skl");
    memory_order("icl");
}

/* Many posted stores, then one that is not: all come first, in their order; then its interrupt. */
static void completion(const char *device)
{
    struct streamer *s = recorded(device);
    enum { MANY = 20 };
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++)
        for (unsigned kind = 0; kind < 3; kind++) {
            uint32_t dw[256], count = 0;
            begin(s, e);
            const bool render = class_of(s) == RENDER;
            for (uint32_t i = 0; i < MANY; i++) {
                memcpy(dw + count, (uint32_t[]){MI(0x20, 4), OUT + (MANY - i) * 8u, 0, 0x100 + i}, 16);
                count += 4;
            }
            /* With a post-sync operation; a flush alone; non-posted MI_ATOMIC. */
            const struct step fences[2][3] = {
                {{"", 0, 4, {MI(0x26, 4) | 1 << 14 | 1 << 8, AT, 0, VALUE}},
                 {"", 0, 4, {MI(0x26, 4) | 1 << 8, 0, 0, 0}},
                 {"", 0, 12, {MI(0x2f, 11) | 1 << 17 | 1 << 18 | 4 << 8, AT, 0, VALUE, [11] = 0x02u << 23}}},
                {{"", 0, 6, {0x7a000004, 1 << 14 | 1 << 20 | 1 << 8, AT, 0, VALUE, 0}},
                 {"", 0, 6, {0x7a000004, 1 << 20 | 1 << 8, 0, 0, 0, 0}},
                 {"", 0, 12, {MI(0x2f, 11) | 1 << 17 | 1 << 18 | 4 << 8, AT, 0, VALUE, [11] = 0x02u << 23}}}};
            count = append(s, dw, count, &fences[render][kind]);
            batch_run(s, dw, count, true);
            int at = 0;
            for (uint32_t i = 0; i < MANY; i++) {
                at = find(WRITE, USER_OUT + (MANY - i) * 8u, 0x100 + i, at);
                assert_true(at >= 0);
            }
            if (kind != 1)
                at = find(WRITE, USER_AT, VALUE, at);
            assert_true(at >= 0);
            assert_true(find(RAISE, 0, kind == 2 ? 1 : 1 << 4, 0) > at);
        }
    streamer_destroy(s);
}

static void non_posted_after_all_posted(void **state)
{
    (void)state;
    completion("skl");
    completion("icl");
}

/* Stores of the ring's commands: the status page, a GGTT entry, the head. */
static void privileged_stores(void **state)
{
    (void)state;
    struct streamer *s = recorded("skl");
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++) {
        begin(s, e);
        enum { ENTRY = 0x7fe };
        const uint32_t dw[] = {MI(0x21, 3),
                               0x340,
                               VALUE,       /* MI_STORE_DATA_INDEX */
                               0x02u << 23, /* MI_USER_INTERRUPT */
                               MI(0x07, 1), /* MI_REPORT_HEAD */
                               0x02u << 23,
                               MI(0x23, 4),
                               ENTRY << 12,
                               USER_AT | 1,
                               0, /* MI_UPDATE_GTT */
                               MI(0x20, 4) | 1 << 22,
                               (ENTRY << 12) + 4,
                               0,
                               VALUE, /* through the new entry */
                               0x02u << 23};
        ring_run(s, dw, sizeof dw / 4);
        const int index = find(WRITE, STATUS_PAGE + 0x340, VALUE, 0), first = find(RAISE, 0, 1, index);
        const int head = find(WRITE, STATUS_PAGE + 16, 20, first), second = find(RAISE, 0, 1, head);
        const int through = find(WRITE, (USER_AT & ~0xfffu) + 4, VALUE, second);
        assert_true(index >= 0 && first >= 0 && head >= 0 && second >= 0 && through >= 0);
        assert_true(find(RAISE, 0, 1, through) >= 0);
    }
    streamer_destroy(s);
}

/* Commands stored, made to be in memory by a flush, and run. */
static void stored_commands_run(void **state)
{
    (void)state;
    struct streamer *s = recorded("icl");
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++) {
        begin(s, e);
        uint32_t dw[64], count = 0;
        const uint32_t later[] = {MI(0x20, 4), OUT, 0, VALUE, MI_BATCH_BUFFER_END, MI_NOOP};
        dw[count++] = MI(0x20, 3 + 6);
        dw[count++] = DATA + 0x1000;
        dw[count++] = 0;
        memcpy(dw + count, later, sizeof later);
        count += 6;
        const struct step flush = class_of(s) == RENDER ? (struct step){"", 0, 6, {0x7a000004, 1 << 20}}
                                                        : (struct step){"", 0, 4, {MI(0x26, 4)}};
        count = append(s, dw, count, &flush);
        dw[count++] = batch_start(true, true);
        dw[count++] = DATA + 0x1000;
        dw[count++] = 0;
        batch_run(s, dw, count, true);
        assert_int_equal(dword_at(s, USER_OUT), VALUE);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    }
    streamer_destroy(s);
}

/* ---- Registers ---- */

/* Each leaves VALUE in the register that stands for REG(0). */
static const struct step writers[] = {
    {"MI_LOAD_REGISTER_IMM", ALL, 3, {MI(0x22, 3), REG(0), VALUE}},
    {"PIPE_CONTROL", RENDER, 6, {0x7a000004, 1 << 23, REG(0), 0, VALUE, 0}},
    {"MI_LOAD_REGISTER_MEM", ALL, 4, {MI(0x29, 4), REG(0), FROM, 0}},
    {"MI_LOAD_REGISTER_MEM, async", ALL, 4, {MI(0x29, 4) | 1 << 21, REG(0), FROM, 0}},
    {"MI_LOAD_REGISTER_REG", ALL, 3, {MI(0x2a, 3), REG(GPR3_AT), REG(0)}},
    {"MI_MATH",
     ALL,
     5,
     {MI(0x1a, 5), 0x080u << 20 | 0x20 << 10 | 3, 0x081u << 20 | 0x21 << 10, 0x103u << 20,
      0x180u << 20 | 5 << 10 | 0x31}},
};

/* Each reads a register, and stores VALUE at OUT if it was there. */
static const struct {
    struct step step;
    uint32_t offset; /* of the register */
} readers[] = {
    {{"MI_STORE_REGISTER_MEM", ALL, 4, {MI(0x24, 4), REG(0), OUT, 0}}, GPR_AT + 40},
    {{"MI_LOAD_REGISTER_REG", ALL, 7, {MI(0x2a, 3), REG(0), REG(GPR4_AT), MI(0x24, 4), REG(GPR4_AT), OUT, 0}},
     GPR_AT + 40},
    {{"MI_MATH",
      ALL,
      9,
      {MI(0x1a, 5), 0x080u << 20 | 0x20 << 10 | 5, 0x081u << 20 | 0x21 << 10, 0x103u << 20,
       0x180u << 20 | 4 << 10 | 0x31, MI(0x24, 4), REG(GPR4_AT), OUT, 0}},
     GPR_AT + 40},
    {{"MI_SEMAPHORE_WAIT on a register",
      ALL,
      8,
      {MI(0x1c, 4) | 1 << 15 | 1 << 16 | 4 << 12, VALUE, REG(0), 0, MI(0x20, 4), OUT, 0, VALUE}},
     GPR_AT + 40},
    /* Only equal sources make the predicate that lets the store be. */
    {{"MI_PREDICATE",
      RENDER,
      8,
      {MI(0x22, 3), REG(0x408), VALUE, 0x0cu << 23 | 2 << 6 | 2, MI(0x24, 4) | 1 << 21, REG(GPR3_AT), OUT,
       0}},
     0x400},
    {{"MI_SET_PREDICATE", RENDER, 6, {0x01u << 23 | 3, MI(0x20, 4), OUT, 0, VALUE, 0x01u << 23}}, 0x418},
};

static void register_order(const char *device)
{
    struct streamer *s = recorded(device);
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++)
        for (size_t p = 0; p < sizeof writers / sizeof writers[0]; p++)
            for (size_t c = 0; c < sizeof readers / sizeof readers[0]; c++) {
                uint32_t dw[40], count = 0;
                const bool math = strcmp(writers[p].name, "MI_MATH") == 0;
                begin(s, e);
                if (!(writers[p].engines & readers[c].step.engines & class_of(s)) ||
                    (math && readers[c].offset != GPR_AT + 40))
                    continue;
                count = append(s, dw, count, &writers[p]);
                count = append(s, dw, count, &readers[c].step);
                for (uint32_t i = 0; i < count; i++) /* REG(0) is the one that is handed over */
                    if (dw[i] == s->base)
                        dw[i] = s->base + readers[c].offset;
                batch_run(s, dw, count, false);
                /* MI_PREDICATE_RESULT keeps bit 0 alone. */
                if (dword_at(s, OUT) + dword_at(s, USER_OUT) != VALUE)
                    fail_msg("%s, %s, then %s: %x", streamer_status(s).name, writers[p].name,
                             readers[c].step.name, dword_at(s, USER_OUT));
                assert_int_equal(streamer_status(s).waits, 0);
            }
    streamer_destroy(s);
}

static void register_producers_before_consumers(void **state)
{
    (void)state;
    register_order("skl");
    register_order("icl");
}

TEST_PROGRAM(ordering_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_producers_before_consumers),
        cmocka_unit_test(non_posted_after_all_posted),
        cmocka_unit_test(privileged_stores),
        cmocka_unit_test(stored_commands_run),
        cmocka_unit_test(register_producers_before_consumers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
