/* Every message that a host may send the GuC, with every field as it must not be: each gets its error, and is
 * counted; nothing else happens. (Linux, guc_messages_abi.h, guc_actions_abi.h, guc_errors_abi.h) */
#include "../suite.h"
#include "../guc_host.h"

#include "gen/sheet.h"
#include "guc/guc.h"

#define DONE            0xf0000000u
#define NOT_SUPPORTED   0xe0000020u
#define NO_PERMISSION   0xe0000040u
#define CANNOT_COMPLETE 0xe0000041u
#define KLV_DATA        0xe0000050u
#define PARAMETERS      0xe0000060u
#define BUFFER          0xe0000070u
#define ADDRESS         0xe0000080u
#define NO_FUNCTION     0xe000000cu
#define VERSION         0xe000000bu
#define NOT_PROVISIONED 0xe000000du
#define NOT_REGISTERED  0xe0000100u
#define REGISTERED      0xe0000101u
#define MALFORMED       0xe0000103u
#define NO_CONTEXT      0xe0000104u
#define KEY             0xe0000105u
enum { LRCA = CONTEXTS | 0x119, KEYS = RESULTS, MOST_DW = 14, MOST_WRONG = 12 };

/* A message as it may be, and its answer; then, by the names of fields, what they must not be. ANY: there is
 * nothing that the field must not be. */
#define ANY 0, DONE, true
static const struct example {
    uint32_t action, answer, length_dw, dw[MOST_DW];
    struct {
        const char *field;
        uint64_t value;
        uint32_t answer;
        bool any;
    } wrong[MOST_WRONG];
} examples[] = {
    {0x1000, DONE, 1, {1}, {{"Context", 7, NOT_REGISTERED}, {"Context", 65535, NO_CONTEXT}}},
    {0x1001, DONE, 2, {1, 1}, {{"Context", 7, NOT_REGISTERED}, {"Enable", ANY}}},
    {0x100b,
     DONE,
     3,
     {1, 0x20030001, 2},
     {{"Context", 7, NOT_REGISTERED},
      {"Key", 0x2000, KEY},
      {"Key", 0x2006, KEY},
      {"Length", 0, MALFORMED},
      {"Length", 2, MALFORMED},
      {"Length", 0xffff, MALFORMED},
      {"Value", 4, KLV_DATA}}},
    {0x4502,
     DONE,
     11,
     {1, 2, 3, 1, 0, 0, 0, 0, 0, LRCA, 0},
     {{"Of the Kernel", ANY},
      {"Type", 3, PARAMETERS},
      {"Context", 1, REGISTERED},
      {"Context", 65535, NO_CONTEXT},
      {"Class", 5, PARAMETERS},
      {"Class", 0x80000003, PARAMETERS},
      {"Engines", 0, PARAMETERS},
      {"Engines", 0x80000000, PARAMETERS},
      {"Queue Descriptor", UINT64_C(1) << 32, PARAMETERS},
      {"Queue", UINT64_C(1) << 63, PARAMETERS},
      {"Queue Bytes", ANY},
      {"Context Descriptor", ANY}}},
    {0x4601,
     DONE,
     14,
     {1, 2, 1, 3, 0x4c0000, 0, 0x4c1000, 0, 0x400, 2, LRCA, 0, LRCA + 0x20000, 0},
     {{"Of the Kernel", ANY},
      {"Type", 3, PARAMETERS},
      {"Context", 1, REGISTERED},
      {"Context", 65534, NO_CONTEXT},
      {"Class", 5, PARAMETERS},
      {"Engines", 4, PARAMETERS},
      {"Queue Descriptor", UINT64_C(1) << 32, PARAMETERS},
      {"Queue", UINT64_C(1) << 32, PARAMETERS},
      {"Queue Bytes", 3, PARAMETERS},
      {"Contexts", 0, PARAMETERS},
      {"Contexts", 3, PARAMETERS},
      {"Context Descriptor", ANY}}},
    {0x4503, DONE, 1, {1}, {{"Context", 7, NOT_REGISTERED}}},
    {0x506, DONE, 1, {ADS}, {{"Policies", NOT_MAPPED, ADDRESS}}},
    {0x5507, DONE, 0, {0}, {{0}}},
    {0x10,
     DONE,
     4,
     {1, 3, 1, RESULTS},
     {{"Context", 7, NOT_REGISTERED},
      {"Doorbell", 256, PARAMETERS},
      {"In Memory", 0, ADDRESS},
      {"Place", RESULTS + 4, ADDRESS}}},
    {0x20, DONE, 1, {1}, {{"Context", 7, NOT_REGISTERED}}},
    {0x4100,
     DONE,
     3,
     {RESULTS, 0, 0x1000},
     {{"Buffer", NOT_MAPPED, ADDRESS}, {"Buffer", UINT64_C(1) << 32, ADDRESS}, {"Bytes", 4, BUFFER}}},
    /* A key that is not known is told by how many were. */
    {0x508,
     DONE + 1,
     3,
     {0x900 << 16 | 2, 0x1190, 0},
     {{"Key", 0x8ff, DONE},
      {"Key", 0x904, MALFORMED},
      {"Length", 3, MALFORMED},
      {"Value", 0x1198, KLV_DATA},
      {"Value", UINT64_C(1) << 32, KLV_DATA}}},
    {0x4509, DONE, 1, {1}, {{"Enable", ANY}}},
    {0x7000,
     DONE,
     6,
     {5, 0x80000001, 0, 0x10000, 0, 4},
     {{"Number", ANY},
      {"Type", 4, PARAMETERS},
      {"Type", 0, PARAMETERS}, /* of that length */
      {"Light", ANY},
      {"Flush Cache", ANY},
      {"Address Space", ANY},
      {"Address", 0x10800, PARAMETERS},
      {"Address", 0x8000, PARAMETERS}, /* not aligned to its length */
      {"Address", UINT64_C(1) << 48, PARAMETERS},
      {"Pages, log2", 37, PARAMETERS},
      {"Pages, log2", 0xffffffff, PARAMETERS}}},
    {0x7002,
     DONE,
     2,
     {5, 0x80000000},
     {{"Number", ANY}, {"Type", 1, PARAMETERS}, {"Light", ANY}, {"Flush Cache", ANY}}},
    {0x3003,
     DONE,
     3,
     {2, SHARED, 0},
     {{"Event", 2, NOT_SUPPORTED},
      {"Event", 8, NOT_SUPPORTED},
      {"Arguments", 3, PARAMETERS},
      {"First", NOT_MAPPED, ADDRESS},
      {"First", SHARED + 4, ADDRESS},
      {"Second", 1, PARAMETERS}}},
    {0x3004, DONE, 1, {1}, {{"Enable", ANY}}},
    {0x509,
     DONE + 1,
     3,
     {0x10010002, 80, 20},
     {{"Key", 0x1002, DONE}, {"Length", 1, MALFORMED}, {"Length", 3, MALFORMED}}},
    {0x550e,
     DONE + 1,
     3,
     {KEYS, 0, 1},
     {{"Keys", NOT_MAPPED, ADDRESS},
      {"Keys", UINT64_C(1) << 32, PARAMETERS},
      {"Dwords", 0, PARAMETERS},
      {"Dwords", 65, PARAMETERS}}},
    {0x550a,
     DONE,
     2,
     {RESULTS, 0},
     {{"Address", RESULTS + 2, ADDRESS}, {"Address", UINT64_C(1) << 32, ADDRESS}}},
    {0x550c,
     DONE,
     4,
     {RESULTS, 0, RESULTS + 0x1000, 0},
     {{"Metadata", NOT_MAPPED, ADDRESS},
      {"Metadata", UINT64_C(1) << 32, ADDRESS},
      {"Records", 2, ADDRESS},
      {"Records", UINT64_C(1) << 32, ADDRESS}}},
    {0x550d,
     DONE,
     5,
     {1, RESULTS, 0, RESULTS + 0x1000, 0},
     {{"Functions", 2, PARAMETERS},
      {"Metadata", NOT_MAPPED, ADDRESS},
      {"Metadata", UINT64_C(1) << 32, ADDRESS},
      {"Records", NOT_MAPPED, ADDRESS}}},
    {0x30, DONE, 1, {2}, {{"Log", 3, PARAMETERS}}},
    {0x40, DONE, 1, {0x101}, {{"On", ANY}, {"Verbosity", 4, PARAMETERS}, {"Default", ANY}}},
    {0x302, DONE, 1, {0}, {{0}}},
    {0x4000, CANNOT_COMPLETE, 1, {RESULTS}, {{"Signature", NOT_MAPPED, CANNOT_COMPLETE}}},
    {0x6003, DONE, 4, {1, 2, 3, 4}, {{0}}},
    {0x5500, DONE, 1, {0x10100}, {{"Branch", 1, VERSION}, {"Major", 2, VERSION}, {"Minor", 2, VERSION}}},
    {0x5509, NOT_PROVISIONED, 1, {4}, {{"Key", 0x99, KEY}}},
    /* There are no virtual functions. */
    {0x5103, NO_PERMISSION, 2, {1, 2}, {{"Exchange", ANY}, {"Message", ANY}}},
    {0x5101, NO_FUNCTION, 3, {1, 2, 3}, {{"Function", 0, NO_FUNCTION}, {"Exchange", ANY}, {"Message", ANY}}},
    {0x5502, DONE, 3, {KEYS, 0, 0}, {{"Keys", UINT64_C(1) << 32, PARAMETERS}, {"Dwords", 1025, PARAMETERS}}},
    {0x5503,
     DONE,
     4,
     {0, KEYS, 0, 0},
     {{"Function", 1, NO_FUNCTION}, {"Keys", UINT64_C(1) << 32, PARAMETERS}, {"Dwords", 1025, PARAMETERS}}},
    {0x550b,
     NO_FUNCTION,
     4,
     {1, KEYS, 0, 1},
     {{"Function", 0, NO_FUNCTION}, {"State", 2, NO_FUNCTION}, {"Dwords", 5, NO_FUNCTION}}},
    {0x5506, NO_FUNCTION, 2, {1, 1}, {{"Function", 0, NO_FUNCTION}, {"Command", 9, NO_FUNCTION}}},
};

/* Context 1 is there, and a key in memory. */
static struct host *up(void)
{
    struct host *h = host_create("dg2");
    host_boot(h);
    host_enable_buffers(h);
    HOST_SEND(h, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, 1, 3, 1, 0, 0, 0, 0, 0, LRCA, 0);
    host_run(h);
    host_expect_nothing(h);
    at(h, KEYS)[0] = 0x40010000;
    return h;
}

static const struct example *example_of(const struct guc_message *row)
{
    for (unsigned i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (examples[i].action == row->action)
            return &examples[i];
    fail_msg("%s has no example", row->name);
    return NULL;
}

static void each(void (*look)(const struct guc_message *row, const struct example *e))
{
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++)
            if (!(*t)->rows[i].from_guc)
                look(&(*t)->rows[i], example_of(&(*t)->rows[i]));
}

/* The answer to a request; events may come before it. */
static uint32_t ask(struct host *h, uint32_t action, const uint32_t *dw, uint32_t length_dw)
{
    uint32_t got[256] = {0}, fence = 0;
    const uint32_t mine = host_send(h, GUC_REQUEST, action, dw, length_dw);
    host_run(h);
    while (host_receive(h, got, &fence))
        if (fence == mine && got[0] >> 28 != 9)
            return got[0];
    fail_msg("%x has no answer", action);
    return 0;
}

static void is_right(const struct guc_message *row, const struct example *e)
{
    struct host *h = up();
    const uint32_t bytes = (uint32_t)h->device->gucs[0].info->config_dw * 4u;
    /* What forgets the buffers answers nobody there. */
    if (row->action != 0x5507)
        assert_int_equal(ask(h, row->action, e->dw, e->length_dw),
                         e->answer + (row->action == 0x4100 ? bytes : 0));
    host_destroy(h);
}

static void right_ones_are_taken(void **state)
{
    (void)state;
    each(is_right);
}

/* Wrong, answered, counted, told; and the next message is taken. */
static void is_refused(struct host *h, uint32_t action, const uint32_t *dw, uint32_t length_dw,
                       uint32_t answer)
{
    const uint64_t failures = h->device->gucs[0].totals.failures;
    const unsigned complaints = h->complaints;
    const uint32_t got = ask(h, action, dw, length_dw);
    if (got != answer)
        fail_msg("%x with %x %x %x %x: %x, not %x", action, dw[0], dw[1], dw[2], dw[3], got, answer);
    assert_int_equal(h->device->gucs[0].totals.failures, failures + (answer >> 28 == 0xe));
    assert_true(h->complaints > complaints || answer >> 28 != 0xe);
}

/* Of the dwords up to what the row's function checks itself, bits that no field names; and DATA0. */
static void bits_are_refused(const struct guc_message *row, const struct example *e)
{
    struct host *h = up();
    const uint32_t covered_dw = row->checked_dw == GUC_NOTHING_CHECKED ? 0
                                : row->checked_dw                      ? row->checked_dw
                                                                       : e->length_dw,
                   end_dw = covered_dw < e->length_dw ? covered_dw : e->length_dw;
    for (uint32_t bit = 0; bit < end_dw * 32u; bit++) {
        uint32_t dw[MOST_DW];
        bool named = false;
        for (unsigned i = 0; i < row->field_count; i++)
            named |= row->fields[i].first <= bit && bit <= row->fields[i].last;
        memcpy(dw, e->dw, sizeof dw);
        dw[bit / 32] ^= 1u << bit % 32;
        if (!named)
            is_refused(h, row->action, dw, e->length_dw, PARAMETERS);
    }
    for (uint32_t bit = 16; bit < 28; bit++)
        is_refused(h, 1u << bit | row->action, e->dw, e->length_dw,
                   1u << (bit - 16u) > row->max_data0 ? PARAMETERS : e->answer);
    host_destroy(h);
}

static void bits_without_a_name_are_zero(void **state)
{
    (void)state;
    each(bits_are_refused);
}

static void fields_are_refused(const struct guc_message *row, const struct example *e)
{
    struct host *h = up();
    for (unsigned i = 0; i < row->field_count; i++) {
        const struct field *f = &row->fields[i];
        unsigned known = f->last >= e->length_dw * 32;
        for (unsigned n = 0; n < MOST_WRONG && e->wrong[n].field; n++) {
            uint32_t dw[MOST_DW];
            if (strcmp(e->wrong[n].field, f->name))
                continue;
            known++;
            if (e->wrong[n].any)
                continue;
            memcpy(dw, e->dw, sizeof dw);
            assert_true(field_put(f, dw, MOST_DW, e->wrong[n].value));
            is_refused(h, row->action, dw, e->length_dw, e->wrong[n].answer);
        }
        if (!known)
            fail_msg("%s: what must %s not be?", row->name, f->name);
    }
    host_destroy(h);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    each(fields_are_refused);
}

/* Contexts may be registered for every engine of a product. (Linux, guc_scheduler_abi.h) */
static void classes_are_among(const struct field *f, const struct sheet *s)
{
    for (unsigned i = 0; i < s->info.engine_count; i++) {
        const struct field_value *v = f->values;
        while (v->name && v->value != s->guc->class_of[s->engines[i].class])
            v++;
        if (!v->name)
            fail_msg("no class for %s of %s", s->engines[i].name, s->info.name);
    }
}

static void classes_have_values(const struct guc_message *row, const struct example *e)
{
    (void)e;
    for (unsigned n = 0; n < row->field_count; n++) {
        const struct field *const f = &row->fields[n];
        for (const struct sheet *const *s = sheets; f->values && strcmp(f->name, "Class") == 0 && *s; s++)
            if ((*s)->guc)
                classes_are_among(f, *s);
    }
}

static void engines_of_all_products_have_classes(void **state)
{
    (void)state;
    each(classes_have_values);
}

TEST_PROGRAM(guc_messages_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_are_taken),
        cmocka_unit_test(bits_without_a_name_are_zero),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(engines_of_all_products_have_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
