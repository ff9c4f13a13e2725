/* CSP-15: every command of the table of user mode privileged commands, in every kind of batch, on every
 * engine that has it: what it does with privilege, and what becomes of it without. */
#include "../suite.h"
#include "../streamer.h"

enum { GGTT = 1 << 22, MARK = 0x600d600d, OLD = 0x01d01d00 };
/* Where the commands under test store: in the GGTT DATA is memory of its own, in the PPGTT it is USER_DATA.
 */
enum { TARGET = DATA + 0x100, USER_TARGET = USER_DATA + 0x100, INDEX = 0x340 };
enum { ALL = 15, NOT_RENDER = 14, NOT_COPY = 13 };
enum { HWSTAM_AT = 0x098 };

/* What a command did. */
enum effect {
    NOTHING = 0,
    STORED = 1,      /* in the GGTT */
    USER_STORED = 2, /* in the PPGTT */
    INDEXED = 4,     /* in the status page */
    REGISTER = 8,    /* a privileged register */
    GPR = 16,        /* GPR 1, which anybody may write */
    NOTIFIED = 32,   /* the flush went on */
    ENDED = 64,      /* the batch ended */
    WAITED = 128,
    MAPPED = 256,  /* a GGTT entry */
    FORBIDS = 512, /* a switch of contexts */
};

struct row {
    const char *name;
    unsigned engines;
    uint32_t dw[8];
    uint32_t length;
    unsigned privileged, user;
    bool error; /* without privilege: told in EIR, and an interrupt */
};

#define MI(opcode, length_dw) ((uint32_t)(opcode) << 23 | ((length_dw) > 1 ? (uint32_t)(length_dw)-2u : 0))
#define PC                    0x7a000004u

/* REG stands for the engine's HWSTAM, GPR1 for its second general purpose register. */
enum { REG = 0x7fff0000, GPR1 = 0x7fff0004, ENTRY = 0x7ff };

static const struct row rows[] = {
    {"MI_UPDATE_GTT", ALL, {MI(0x23, 4), ENTRY << 12, 0x00123001, 0}, 4, MAPPED, NOTHING, true},
    {"MI_STORE_DATA_IMM", ALL, {MI(0x20, 4) | GGTT, TARGET, 0, MARK}, 4, STORED, NOTHING, true},
    {"MI_STORE_DATA_IMM in PPGTT", ALL, {MI(0x20, 4), TARGET, 0, MARK}, 4, USER_STORED, USER_STORED, false},
    {"MI_STORE_DATA_INDEX", ALL, {MI(0x21, 3), INDEX, MARK}, 3, INDEXED, NOTHING, true},
    {"MI_STORE_REGISTER_MEM", ALL, {MI(0x24, 4) | GGTT, GPR1, TARGET, 0}, 4, STORED, NOTHING, true},
    {"MI_STORE_REGISTER_MEM in PPGTT",
     ALL,
     {MI(0x24, 4), GPR1, TARGET, 0},
     4,
     USER_STORED,
     USER_STORED,
     false},
    {"MI_STORE_REGISTER_MEM of a privileged register",
     ALL,
     {MI(0x24, 4), REG, TARGET, 0},
     4,
     USER_STORED,
     USER_STORED,
     false},
    {"MI_LOAD_REGISTER_IMM", ALL, {MI(0x22, 3), REG, MARK}, 3, REGISTER, NOTHING, true},
    {"MI_LOAD_REGISTER_IMM of both kinds",
     ALL,
     {MI(0x22, 5), REG, MARK, GPR1, MARK},
     5,
     REGISTER | GPR,
     GPR,
     true},
    {"MI_LOAD_REGISTER_IMM of a GPR", ALL, {MI(0x22, 3), GPR1, MARK}, 3, GPR, GPR, false},
    {"MI_LOAD_REGISTER_MEM", ALL, {MI(0x29, 4) | GGTT, GPR1, DATA, 0}, 4, GPR, NOTHING, true},
    {"MI_LOAD_REGISTER_MEM to a privileged register",
     ALL,
     {MI(0x29, 4), REG, DATA, 0},
     4,
     REGISTER,
     NOTHING,
     true},
    {"MI_LOAD_REGISTER_MEM in PPGTT", ALL, {MI(0x29, 4), GPR1, DATA, 0}, 4, GPR, GPR, false},
    {"MI_LOAD_REGISTER_REG", ALL, {MI(0x2a, 3), GPR1 + 4, REG}, 3, REGISTER, NOTHING, true},
    {"MI_LOAD_REGISTER_REG to a GPR", ALL, {MI(0x2a, 3), GPR1 + 4, GPR1}, 3, GPR, GPR, false},
    {"PIPE_CONTROL to GGTT",
     RENDER,
     {PC, 1 << 14 | 1 << 24 | 1 << 8, TARGET, 0, MARK, 0},
     6,
     STORED | NOTIFIED,
     NOTIFIED,
     true},
    {"PIPE_CONTROL to PPGTT",
     RENDER,
     {PC, 1 << 14 | 1 << 8, TARGET, 0, MARK, 0},
     6,
     USER_STORED | NOTIFIED,
     USER_STORED | NOTIFIED,
     false},
    {"PIPE_CONTROL to the status page",
     RENDER,
     {PC, 1 << 14 | 1 << 21 | 1 << 8, INDEX, 0, MARK, 0},
     6,
     INDEXED | NOTIFIED,
     NOTIFIED,
     true},
    {"PIPE_CONTROL to a privileged register",
     RENDER,
     {PC, 1 << 23 | 1 << 8, REG, 0, MARK, 0},
     6,
     REGISTER | NOTIFIED,
     NOTIFIED,
     true},
    {"PIPE_CONTROL to a GPR",
     RENDER,
     {PC, 1 << 23 | 1 << 8, GPR1, 0, MARK, 0},
     6,
     GPR | NOTIFIED,
     GPR | NOTIFIED,
     false},
    {"MI_ATOMIC", ALL, {MI(0x2f, 11) | GGTT | 1 << 18 | 4 << 8, TARGET, 0, MARK}, 11, STORED, NOTHING, true},
    {"MI_ATOMIC in PPGTT",
     ALL,
     {MI(0x2f, 11) | 1 << 18 | 4 << 8, TARGET, 0, MARK},
     11,
     USER_STORED,
     USER_STORED,
     false},
    {"MI_COPY_MEM_MEM from GGTT",
     ALL,
     {MI(0x2e, 5) | 1 << 22, TARGET, 0, DATA, 0},
     5,
     USER_STORED,
     NOTHING,
     true},
    {"MI_COPY_MEM_MEM to GGTT", ALL, {MI(0x2e, 5) | 1 << 21, TARGET, 0, DATA, 0}, 5, STORED, NOTHING, true},
    {"MI_COPY_MEM_MEM in PPGTT", ALL, {MI(0x2e, 5), TARGET, 0, DATA, 0}, 5, USER_STORED, USER_STORED, false},
    {"MI_SEMAPHORE_WAIT",
     ALL,
     {MI(0x1c, 4) | GGTT | 1 << 15 | 5 << 12, MARK, DATA, 0},
     4,
     WAITED,
     NOTHING,
     true},
    {"MI_SEMAPHORE_WAIT in PPGTT",
     ALL,
     {MI(0x1c, 4) | 1 << 15 | 5 << 12, MARK, DATA, 0},
     4,
     WAITED,
     WAITED,
     false},
    {"MI_ARB_ON_OFF", NOT_COPY, {MI(0x08, 1)}, 1, FORBIDS, NOTHING, true},
    {"MI_DISPLAY_FLIP", RENDER | COPY, {MI(0x14, 3), 0, 0}, 3, NOTHING, NOTHING, true},
    {"MI_CONDITIONAL_BATCH_BUFFER_END",
     ALL,
     {MI(0x36, 4) | GGTT | 1 << 21, MARK, DATA, 0},
     4,
     ENDED,
     NOTHING,
     true},
    {"MI_CONDITIONAL_BATCH_BUFFER_END in PPGTT",
     ALL,
     {MI(0x36, 4) | 1 << 21, MARK, DATA, 0},
     4,
     ENDED,
     ENDED,
     false},
    {"MI_FLUSH_DW to GGTT",
     NOT_RENDER,
     {MI(0x26, 4) | 1 << 14 | 1 << 8, TARGET | 1 << 2, 0, MARK},
     4,
     STORED | NOTIFIED,
     NOTIFIED,
     true},
    {"MI_FLUSH_DW to PPGTT",
     NOT_RENDER,
     {MI(0x26, 4) | 1 << 14 | 1 << 8, TARGET, 0, MARK},
     4,
     USER_STORED | NOTIFIED,
     USER_STORED | NOTIFIED,
     false},
    {"MI_FLUSH_DW to the status page",
     NOT_RENDER,
     {MI(0x26, 4) | 1 << 14 | 1 << 21 | 1 << 8, INDEX, 0, MARK},
     4,
     INDEXED | NOTIFIED,
     NOTIFIED,
     true},
    {"MI_REPORT_PERF_COUNT", RENDER, {MI(0x28, 4), TARGET | 1, 0, MARK}, 4, STORED, NOTHING, true},
    {"MI_REPORT_PERF_COUNT in PPGTT",
     RENDER,
     {MI(0x28, 4), TARGET, 0, MARK},
     4,
     USER_STORED,
     USER_STORED,
     false},
    {"MI_SET_CONTEXT", RENDER, {MI(0x18, 2), 0x108}, 2, NOTHING, NOTHING, true},
};

/* How the command is reached. `user`: without privilege. */
enum kind {
    IN_RING,
    SECURE,
    USER,
    SECURE_CHAIN,
    CHAIN_TO_USER,
    USER_CHAIN,
    USER_CHAIN_TO_GGTT,
    SECURE_SECOND,
    SECOND_TO_USER,
    USER_SECOND,
    USER_SECOND_TO_GGTT,
    UNCHECKED,
    KINDS
};
static const struct {
    const char *name;
    bool user, first_user, chained, second, target_user, unchecked;
} kinds[KINDS] = {
    [IN_RING] = {.name = "the ring"},
    [SECURE] = {.name = "a secure batch"},
    [USER] = {.name = "a non-secure batch", .user = true, .first_user = true},
    [SECURE_CHAIN] = {.name = "secure, chained", .chained = true},
    [CHAIN_TO_USER] = {.name = "secure, chained to PPGTT",
                       .chained = true,
                       .target_user = true,
                       .user = true},
    [USER_CHAIN] = {.name = "non-secure, chained",
                    .chained = true,
                    .first_user = true,
                    .target_user = true,
                    .user = true},
    [USER_CHAIN_TO_GGTT] = {.name = "non-secure, chained to GGTT",
                            .chained = true,
                            .first_user = true,
                            .user = true},
    [SECURE_SECOND] = {.name = "secure second level", .chained = true, .second = true},
    [SECOND_TO_USER] = {.name = "second level in PPGTT of a secure one",
                        .chained = true,
                        .second = true,
                        .target_user = true,
                        .user = true},
    [USER_SECOND] = {.name = "second level of a non-secure one",
                     .chained = true,
                     .second = true,
                     .first_user = true,
                     .target_user = true,
                     .user = true},
    [USER_SECOND_TO_GGTT] = {.name = "second level in GGTT of a non-secure one",
                             .chained = true,
                             .second = true,
                             .first_user = true,
                             .user = true},
    [UNCHECKED] = {.name = "a non-secure batch, checks disabled", .first_user = true, .unchecked = true},
};

enum { AFTER = 0x700 }; /* a store behind the command, in the PPGTT */

static uint32_t body(const struct streamer *s, const struct row *row, uint32_t *dw)
{
    for (uint32_t i = 0; i < row->length; i++) {
        uint32_t value = i < 8 ? row->dw[i] : 0;
        if (i && value >= REG && value < REG + 16)
            value = s->base + (value < GPR1 ? HWSTAM_AT : (uint32_t)GPR_AT + 8 + (value - GPR1) * 2);
        dw[i] = value;
    }
    dw[row->length] = MI(0x20, 4);
    dw[row->length + 1] = DATA + AFTER;
    dw[row->length + 2] = 0;
    dw[row->length + 3] = 1;
    return row->length + 4;
}

static unsigned notified;

static void count_notify(void *user, const struct softgt_event *event)
{
    streamer_event(user, event);
    notified += event->value & 1u << 4 && strcmp(event->name, "raise") == 0;
}

static unsigned run_row(struct streamer *s, const struct row *row, enum kind kind)
{
    uint32_t dw[32];
    if (kinds[kind].unchecked)
        register_put(s, s->base + GFX_MODE, 0x00020002);
    register_put(s, s->base + HWSTAM_AT, OLD);
    register_put(s, s->base + GPR_AT + 8, OLD);   /* R1: what a store stores unless it is told what */
    register_put(s, s->base + GPR_AT + 16, MARK); /* R2: what a register is loaded with */
    dword_put(s, DATA, MARK);
    dword_put(s, USER_DATA, MARK);
    notified = 0;
    if (strncmp(row->name, "MI_STORE_REGISTER_MEM", 21) == 0)
        register_put(s, s->base + GPR_AT + 8, MARK);
    const uint64_t entry = softgt_info(s->device)->mmio_bytes + ENTRY * 8u;
    const uint64_t mapped = softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, entry, 8);
    const uint32_t count = body(s, row, dw);
    if (kind == IN_RING) {
        ring_run(s, dw, count);
    } else if (!kinds[kind].chained) {
        batch_run(s, dw, count, kinds[kind].first_user);
    } else {
        memcpy(s->memory + SECOND_BATCH, dw, count * 4u);
        dword_put(s, SECOND_BATCH + count * 4u, MI_BATCH_BUFFER_END);
        batch_run(
            s, (const uint32_t[]){batch_start(kinds[kind].target_user, kinds[kind].second), SECOND_BATCH, 0},
            3, kinds[kind].first_user);
    }
    unsigned did = 0;
    const uint32_t gpr = register_get(s, s->base + GPR_AT + 8);
    const bool after = dword_at(s, USER_DATA + AFTER) == 1;
    const bool waits = streamer_status(s).state == SOFTGT_ENGINE_WAITING;
    did |= dword_at(s, TARGET) ? STORED : 0;
    did |= dword_at(s, USER_TARGET) ? USER_STORED : 0;
    did |= dword_at(s, STATUS_PAGE + INDEX) == MARK ? INDEXED : 0;
    did |= register_get(s, s->base + HWSTAM_AT) != OLD ? REGISTER : 0;
    did |= gpr == MARK && strncmp(row->name, "MI_STORE_REGISTER_MEM", 21) != 0 ? GPR : 0;
    did |= notified ? NOTIFIED : 0;
    did |= waits ? WAITED : 0;
    did |= !after && !waits ? ENDED : 0;
    did |= softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, entry, 8) != mapped ? MAPPED : 0;
    return did;
}

static bool has(const struct streamer *s, const struct row *row)
{
    return row->engines & 1u << streamer_status(s).engine_class;
}

static void privileges(const char *device)
{
    struct streamer *s = streamer_listen(device, count_notify);
    unsigned wrong = 0, cases = 0;
    for (unsigned e = 0; e < softgt_info(s->device)->engine_count; e++)
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
            for (enum kind kind = 0; kind < KINDS; kind++) {
                const struct row *row = &rows[r];
                streamer_start(s, e);
                if (!has(s, row))
                    continue;
                const struct softgt_engine_status before = streamer_status(s);
                const unsigned did = run_row(s, row, kind);
                const struct softgt_engine_status after = streamer_status(s);
                /* A batch ends in any case but the ring's, where there is none to end; arbitration is seen
                 * elsewhere. */
                unsigned expected = (kinds[kind].user ? row->user : row->privileged) & ~(unsigned)FORBIDS;
                if (kind == IN_RING)
                    expected &= ~(unsigned)ENDED;
                const bool error = kinds[kind].user && row->error;
                const bool escapes = kind == USER_CHAIN_TO_GGTT || kind == USER_SECOND_TO_GGTT;
                const uint32_t eir = register_get(s, s->base + EIR_AT);
                cases++;
                if (did == expected && after.dropped - before.dropped == error &&
                    eir == (error || escapes ? 4u : 0u) && s->master_errors == (unsigned)error + escapes &&
                    after.state != SOFTGT_ENGINE_STOPPED)
                    continue;
                wrong++;
                print_message(
                    "%s, %s, %s: did %x, expected %x; dropped %u, EIR %x, %u master errors, state %d\n",
                    after.name, row->name, kinds[kind].name, did, expected,
                    (unsigned)(after.dropped - before.dropped), eir, s->master_errors, after.state);
            }
    assert_int_equal(wrong, 0);
    assert_true(cases > 1000);
    streamer_destroy(s);
}

static void privileges_gen9(void **state)
{
    (void)state;
    privileges("skl");
}

static void privileges_gen11(void **state)
{
    (void)state;
    privileges("icl");
}

TEST_PROGRAM(privilege_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(privileges_gen9), cmocka_unit_test(privileges_gen11)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
