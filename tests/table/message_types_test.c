/* Types of messages in listings: what is listed disassembles under that name, and no other type takes it. */
#include "../suite.h"
#include "base/text.h"
#include "isa/message_types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool disassembles_as(const struct eu_isa *set, unsigned sfid, const struct eu_message_type *type)
{
    struct eu_instruction i = {.operation = eu_operation_find(set, 0)};
    struct text t = {0};
    i.value[EU_CONDITION] = sfid;
    i.value[EU_DESCRIPTOR] = type->match;
    eu_disassemble_message(set, &i, &t);
    text_char(&t, 0);
    const bool good = !t.failed && strstr(t.bytes, type->name);
    text_free(&t);
    return good;
}

static void listed_types_disassemble(void **state)
{
    (void)state;
    for (const struct eu_isa *const *s = eu_isas; *s; s++) {
        const struct eu_isa *const set = *s;
        struct eu_message_type type;
        unsigned listed = 0;
        for (unsigned n = 0; eu_message_type(set, n, &type); n++) {
            if (!type.name)
                continue;
            listed++;
            assert_int_equal(type.match & ~type.mask, 0);
            assert_int_not_equal(type.sfids, 0);
            for (unsigned sfid = 0; sfid < 16; sfid++)
                if ((type.sfids >> sfid & 1u) && sfid != 1 && !disassembles_as(set, sfid, &type))
                    fail_msg("%s: %s of function %u disassembles otherwise", set->name, type.name, sfid);
        }
        assert_true(listed > 20);
    }
}

TEST_PROGRAM(message_types_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(listed_types_disassemble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
