/* Requests of a debugger, read without a JSON library. */
#include "../suite.h"

#include "server/debug_requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void good_requests(void **state)
{
    (void)state;
    static const struct {
        const char *line, *ask, *text, *color;
    } good[] = {
        {"{\"do\":\"debug\",\"ask\":\"attach\",\"color\":\"always\"}", "attach", NULL, "always"},
        {" { \"ask\" : \"line\" ,\t\"text\":\"who \\\"x\\\"\", \"do\":\"debug\" }", "line", "who \"x\"",
         NULL},
        {"{\"do\":\"debug\",\"text\":\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u004a\\u004A\"}", NULL,
         "\\/\b\f\n\r\tAJJ", NULL},
        {"{\"do\":\"debug\",\"more\":\"\"\r}", NULL, NULL, NULL},
    };
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        char room[128];
        struct debug_request r;
        if (!debug_request_read(&r, good[i].line, strlen(good[i].line), room))
            fail_msg("'%s' is not taken", good[i].line);
        const char *const pairs[][2] = {
            {r.ask, good[i].ask}, {r.text, good[i].text}, {r.color, good[i].color}};
        for (unsigned n = 0; n < 3; n++)
            assert_true(pairs[n][1] ? pairs[n][0] && strcmp(pairs[n][0], pairs[n][1]) == 0 : !pairs[n][0]);
    }
}

static void bad_requests(void **state)
{
    (void)state;
    static const char *const bad[] = {"", " ", "[", "{", "{\"", "{\"do", "{\"do\"", "{\"do\":", "{\"do\":7}",
                                      "{\"do\":\"debug\"", "{\"do\":\"state\"}", "{\"ask\":\"line\"}",
                                      "{\"do\":\"debug\"}x", "{\"do\":\"debug\",}", "{\"do\":\"\\",
                                      "{\"do\":\"\\x\"}", "{\"do\":\"\\u00\"}", "{\"do\":\"\\u00zz\"}",
                                      "{\"do\":\"\\u0000\"}", "{\"do\":\"\\u00ff\"}", "{\"do\":\"\\u0",
                                      "{do:\"debug\"}", "{\"do\" \"debug\"}",
                                      /* nothing follows */
                                      "{\"do\":\"debug\"} ", "{\"do\":\"debug\"}\r"};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char room[128];
        struct debug_request r;
        if (debug_request_read(&r, bad[i], strlen(bad[i]), room))
            fail_msg("'%s' is taken", bad[i]);
    }
}

TEST_PROGRAM(debug_requests_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_requests), cmocka_unit_test(bad_requests)};
    return cmocka_run_group_tests_name("debug requests", tests, NULL, NULL);
}
