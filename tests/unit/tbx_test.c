/* The TBX server's protocol, without sockets: what messages are, what they do, what wrong ones come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "tbx_client.h"

#include "aub/replay.h"

#include <stdio.h>
#include <unistd.h>

enum {
    MMIO,
    MMIO_RES,
    GTT,
    GTT_RES,
    WRITE_DATA,
    READ_DATA,
    READ_DATA_RES,
    MARKER,
    MARKER_RES,
    CONTROL = 11,
    PCICFG = 14,
    PCICFG_RES,
    IDS = 45
};
enum { HEADER = 12, MB = 1 << 20 };

static char told[8192];

static void on_message(void *user, const char *text)
{
    (void)user;
    strncat(told, text, sizeof told - strlen(told) - 1);
    strncat(told, "\n", sizeof told - strlen(told) - 1);
}

static void start(const char *device)
{
    told[0] = 0;
    piece_bytes = sent_bytes = SIZE_MAX;
    slice_dw = 4096;
    session_options = (struct tbx_options){0};
    session_start(device, 64 * MB, on_message);
}

static void end(void)
{
    assert_true(tbx_session_end(&session));
}

/* The answer that comes next, and nothing behind it; its body. */
static const uint32_t *answer(uint32_t id, uint32_t body_bytes, uint32_t data_bytes)
{
    struct tbx_header h;
    if (session.ended || answers_bytes != HEADER + body_bytes + data_bytes)
        print_error("%s%s%zu bytes\n", told, session.why, answers_bytes);
    assert_false(session.ended);
    assert_int_equal(answers_bytes, HEADER + body_bytes + data_bytes);
    memcpy(&h, answers, sizeof h);
    assert_int_equal(h.id, id);
    assert_int_equal(h.number, next_number - 1);
    assert_int_equal(h.body_bytes, body_bytes); /* data are not counted */
    answers_bytes = 0;
    return (const uint32_t *)(const void *)(answers + HEADER);
}

static uint32_t read_register(uint32_t offset)
{
    const uint32_t body[] = {8, offset, 0};
    send_message(MMIO, body, sizeof body, NULL, 0);
    return *answer(MMIO_RES, 4, 0);
}

static const uint8_t *read_memory(unsigned type, uint64_t address, uint32_t size)
{
    const uint32_t body[] = {type << 5 | (uint32_t)(address >> 32) << 24, (uint32_t)address, size};
    send_message(READ_DATA, body, sizeof body, NULL, 0);
    const uint32_t *dw = answer(READ_DATA_RES, 12, size);
    assert_int_equal(dw[0], (uint32_t)(address >> 32) << 24);
    assert_int_equal(dw[1], (uint32_t)address);
    assert_int_equal(dw[2], size);
    return (const uint8_t *)(dw + 3);
}

static uint32_t read_dword(unsigned type, uint64_t address)
{
    uint32_t value;
    memcpy(&value, read_memory(type, address, 4), 4);
    return value;
}

static void nothing_came(void)
{
    assert_int_equal(answers_bytes, 0);
    assert_false(session.ended);
}

/* ---- Rows ---- */

static void rows_are_whole(void **state)
{
    (void)state;
    char text[512];
    const uint32_t ones[TBX_BODY_DW] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    for (uint32_t id = 0; id < IDS; id++) {
        const struct tbx_message *m = tbx_message(id);
        assert_non_null(m);
        assert_non_null(m->name);
        assert_true(m->body_dw <= TBX_BODY_DW && m->least_dw <= m->body_dw);
        assert_true(m->data <= m->least_dw || m->from_server);
        for (unsigned i = 0; i < m->field_count; i++)
            assert_true(m->fields[i].last >= m->fields[i].first && m->fields[i].last < m->body_dw * 32u);
        /* Requests and answers come in pairs. */
        const char *const end = m->name + strlen(m->name) - 4;
        if (m->answer) {
            const struct tbx_message *a = tbx_message(m->answer);
            assert_string_equal(end, "_REQ");
            assert_true(a->from_server && !a->answer && !a->handle);
            assert_int_equal(strncmp(a->name, m->name, (size_t)(end - m->name)), 0);
        }
        assert_true(m->from_server == (strcmp(end, "_RES") == 0));
        tbx_message_text(m, ones, TBX_BODY_DW, text, sizeof text);
        assert_int_equal(strncmp(text, m->name, strlen(m->name)), 0);
        for (unsigned i = 0; i < m->field_count; i++)
            assert_non_null(strstr(text, m->fields[i].name));
    }
    assert_null(tbx_message(IDS));
    assert_null(tbx_message(UINT32_MAX));
}

static char shown[16384];

static void on_exchange(void *user, unsigned connection, const char *text)
{
    (void)user;
    assert_int_equal(connection, 1);
    snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s\n", text);
}

static void messages_are_shown(void **state)
{
    (void)state;
    start("skl");
    session_options.exchanged = on_exchange;
    shown[0] = 0;
    write_register(0x2358, 0x1234);
    read_register(0x2358);
    write_entry(7, 0x8001);
    write_memory(1, 0x1200000010, "abc", 3);
    assert_string_equal(shown, "0 MMIO_REQ write=1 bytes=4 offset=0x2358 data=0x1234\n"
                               "1 MMIO_REQ bytes=4 offset=0x2358\n"
                               "1 MMIO_RES data=0x78\n"
                               "2 GTT_REQ write=1 index=0x7 data=0x8001\n"
                               "3 WRITE_DATA_REQ memory_type=local address_high=0x12 address=0x10 bytes=3\n");
    end();
}

/* ---- What messages do ---- */

static void registers(void **state)
{
    (void)state;
    start("skl");
    write_register(0x2600, 0x12345678); /* CS_GPR */
    nothing_came();
    assert_int_equal(read_register(0x2600), 0x12345678);
    const uint32_t byte_write[] = {1 | 1 << 1, 0x2601, 0xffffff9a}, byte_read[] = {1 << 1, 0x2603, 0};
    send_message(MMIO, byte_write, 12, NULL, 0);
    assert_int_equal(read_register(0x2600), 0x12349a78);
    send_message(MMIO, byte_read, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0x12);
    /* The long form. */
    const uint32_t long_form[] = {8, 0x2600, 0, 0xff};
    send_message(MMIO, long_form, 16, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0x12349a78);
    /* A mask in the value. */
    write_register(0x229c, 0x00010001);
    assert_int_equal(read_register(0x229c) & 1, 1);
    write_register(0x229c, 0x00010000);
    assert_int_equal(read_register(0x229c) & 1, 0);
    /* No such place, no such space, no such size: answered all the same. */
    assert_int_equal(read_register(0xfffffffc), 0);
    const uint32_t port[] = {8 | 1 << 6, 0x3c4, 0}, odd[] = {3 << 1, 0x2600, 0};
    send_message(MMIO, port, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0);
    send_message(MMIO, odd, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0);
    write_register(0xfffffffc, 1);
    nothing_came();
    end();
}

static void table_entries_go_by_index(void **state)
{
    (void)state;
    start("skl");
    const uint64_t entry = 0x7654321001;
    const uint32_t read[] = {0, 0xfffff, 0, 0};
    write_entry(0xfffff, entry);
    nothing_came();
    send_message(GTT, read, 16, NULL, 0);
    assert_memory_equal(answer(GTT_RES, 8, 0), &entry, 8);
    /* Past its end. */
    write_entry(0x100000, 1);
    nothing_came();
    const uint32_t past[] = {0, 0x100000, 0, 0};
    const uint64_t zero = 0;
    send_message(GTT, past, 16, NULL, 0);
    assert_memory_equal(answer(GTT_RES, 8, 0), &zero, 8);
    end();
    /* Entries of four bytes. */
    start("snb");
    const uint32_t write[] = {1, 3, 0xabcde001}, again[] = {0, 3, 0};
    send_message(GTT, write, 12, NULL, 0);
    send_message(GTT, again, 12, NULL, 0);
    assert_int_equal(*answer(GTT_RES, 4, 0), 0xabcde001);
    end();
}

static void memory_is_sparse_and_of_any_length(void **state)
{
    (void)state;
    static uint8_t data[1793], zeros[4096];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + 1);
    start("skl");
    assert_memory_equal(read_memory(0, 0x4000000000, 4096), zeros, 4096);
    write_memory(0, 0xffffffffff - 1700, data, sizeof data); /* over the end of 40 bits */
    nothing_came();
    assert_memory_equal(read_memory(0, 0xffffffffff - 1700, 1701), data, 1701);
    /* Nothing is an answer of nothing. */
    write_memory(0, 0, "", 0);
    nothing_came();
    read_memory(0, 0, 0);
    /* 64 bits; an answer has the question's form. */
    const uint32_t write[] = {0, 0x10, 5, 0x12345678}, read[] = {0, 0x10, 6, 0x12345678};
    send_message(WRITE_DATA, write, 16, "hello", 5);
    send_message(READ_DATA, read, 16, NULL, 0);
    const uint32_t *dw = answer(READ_DATA_RES, 16, 6);
    assert_int_equal(dw[1], 0x10);
    assert_int_equal(dw[2], 6);
    assert_int_equal(dw[3], 0x12345678);
    assert_memory_equal(dw + 4, "hello", 6);
    /* More than goes into one buffer. */
    static uint8_t large[300000];
    for (unsigned i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i >> 8 ^ i);
    write_memory(0, 0x123457, large, sizeof large);
    assert_memory_equal(read_memory(0, 0x123457, sizeof large), large, sizeof large);
    end();
}

static void kinds_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        bool has_local;
    } parts[] = {{"skl", false}, {"tgl", false}, {"dg2", true}};
    for (unsigned i = 0; i < 3; i++) {
        start(parts[i].device);
        write_memory(1, 0x10000, "local", 6);
        write_memory(parts[i].has_local ? 0 : 1, 0x20000, "system", 7);
        assert_string_equal((const char *)read_memory(1, 0x10000, 6), "local");
        assert_string_equal((const char *)read_memory(0, 0x20000, 7), "system");
        assert_string_equal((const char *)read_memory(0, 0x10000, 6), parts[i].has_local ? "" : "local");
        /* Others there are not: written away, read as zero. */
        write_memory(2, 0x30000, "none", 5);
        assert_int_equal(read_dword(0, 0x30000), 0);
        assert_int_equal(read_dword(3, 0x10000), 0);
        /* Past the end. */
        assert_int_equal(read_dword(1, parts[i].has_local ? 0xf000000000 : 0), 0);
        end();
    }
    /* Through the front door local memory is where BAR 2 is, and that is here as long as nobody has placed
     * it. */
    start("dg2");
    const uint32_t write[] = {1 << 2 | 1 << 5, 0x10000, 6, 0xffff0}, bars[] = {8, 0x18, 0};
    send_message(WRITE_DATA, write, 16, "front", 6);
    assert_string_equal((const char *)read_memory(1, 0x10000, 6), "front");
    assert_int_equal(read_dword(0, 0x10000), 0);
    (void)bars;
    const uint32_t place[] = {9 | 2 << 12, 0x1c, 0x44};
    send_message(PCICFG, place, 12, NULL, 0);
    const uint32_t read[] = {1 << 1 | 1 << 4, 0x10000, 6, 0x44};
    send_message(READ_DATA, read, 16, NULL, 0);
    assert_string_equal((const char *)(answer(READ_DATA_RES, 16, 6) + 4), "front");
    end();
}

static void configuration_space(void **state)
{
    (void)state;
    start("dg2");
    const uint32_t ids[] = {8 | 2 << 12, 0, 0}, other[] = {8 | 3 << 12, 0, 0},
                   past[] = {8 | 2 << 12, 0xfffffffe, 0};
    send_message(PCICFG, ids, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), 0x56a08086);
    send_message(PCICFG, other, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), UINT32_MAX);
    send_message(PCICFG, past, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), UINT32_MAX);
    const uint32_t write[] = {9 | 2 << 12, 0x18, 0xf0000000}, read[] = {8 | 2 << 12, 0x18, 0};
    send_message(PCICFG, write, 12, NULL, 0);
    nothing_came();
    send_message(PCICFG, read, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0) & 0xf0000000, 0x80000000); /* of 2 GB */
    end();
}

static void control_and_marker(void **state)
{
    (void)state;
    const uint32_t hello = 0x00320002, reset = 0x00010001, reset_unset = 0x00000001, quit = 0x00400040;
    start("skl");
    send_message(CONTROL, &hello, 4, NULL, 0);
    nothing_came();
    assert_null(session.replay.device); /* who says no more costs no device */
    send_message(MARKER, NULL, 0, NULL, 0);
    answer(MARKER_RES, 0, 0);
    write_register(0x2600, 5);
    send_message(CONTROL, &reset_unset, 4, NULL, 0);
    assert_int_equal(read_register(0x2600), 5);
    send_message(CONTROL, &reset, 4, NULL, 0);
    assert_int_equal(read_register(0x2600), 0);
    send_message(CONTROL, &quit, 4, NULL, 0);
    assert_true(session.ended);
    assert_string_equal(session.why, "");
    end();
}

static void what_is_not_modelled_is_answered(void **state)
{
    (void)state;
    start("skl");
    for (uint32_t id = 0; id < IDS; id++) {
        const struct tbx_message *m = tbx_message(id);
        static const uint32_t body[TBX_BODY_DW];
        if (m->handle || m->from_server)
            continue;
        send_message(id, body, m->body_dw * 4, NULL, 0);
        if (!m->answer) {
            nothing_came();
            continue;
        }
        const uint32_t *dw = answer(m->answer, tbx_message(m->answer)->body_dw * 4u, 0);
        for (unsigned i = 0; i < tbx_message(m->answer)->body_dw; i++)
            assert_int_equal(dw[i], 0);
    }
    /* With data behind it. */
    const uint32_t compare[] = {0, 0x1000, 5};
    send_message(43, compare, 12, "abcde", 5);
    answer(44, 4, 0);
    assert_int_equal(read_register(0x2600), 0);
    end();
}

/* ---- Wrong messages ---- */

static void unknown_messages_are_skipped(void **state)
{
    (void)state;
    static const uint8_t junk[5000];
    start("skl");
    send_message(IDS, junk, 5000, NULL, 0);
    send_message(UINT32_MAX, junk, 1, NULL, 0);
    send_message(MMIO_RES, junk, 4, NULL, 0); /* a server's */
    nothing_came();
    const uint32_t body[20] = {8, 0x2600}; /* more than the message has */
    send_message(MMIO, body, sizeof body, NULL, 0);
    answer(MMIO_RES, 4, 0);
    assert_non_null(strstr(told, "type 45, 5000 bytes: not a client's message"));
    end();
}

static void short_messages_end_it(void **state)
{
    (void)state;
    for (uint32_t id = 0; id < IDS; id++) {
        const struct tbx_message *m = tbx_message(id);
        static const uint32_t body[TBX_BODY_DW];
        if (!m->least_dw || m->from_server)
            continue;
        start("skl");
        send_message(id, body, m->least_dw * 4u - 4u, NULL, 0);
        assert_true(session.ended);
        assert_non_null(strstr(session.why, "are too short"));
        end();
    }
}

static void memory_has_a_limit(void **state)
{
    (void)state;
    static uint8_t data[1 << 16];
    session_options = (struct tbx_options){0};
    told[0] = 0;
    session_start("skl", 2 * MB, on_message);
    for (unsigned i = 0; i < 32; i++)
        write_memory(0, (uint64_t)i << 30, data, 1); /* each takes 64 KB */
    assert_false(session.ended);
    write_memory(0, 1, data, sizeof data); /* there already, but for its last byte */
    assert_true(session.ended);
    assert_non_null(strstr(told, "more than 2 MB of memory are wanted"));
    end();
}

/* What engines write counts, too. */
static void memory_of_engines_has_a_limit(void **state)
{
    (void)state;
    uint32_t commands[33 * 4];
    session_options = (struct tbx_options){0};
    session_start("skl", 2 * MB, on_message);
    for (unsigned i = 0; i < 0x400; i++)
        write_entry(0x200 + i, (uint64_t)(0x200 + i * 16) << 12 | 1u);
    for (unsigned i = 0; i < 33; i++) {
        commands[i * 4] = 0x10400002;
        commands[i * 4 + 1] = (0x200 + i) << 12;
        commands[i * 4 + 2] = 0;
        commands[i * 4 + 3] = i;
    }
    assert_true(client_submits(sheet_find("skl"), 0, commands, 33 * 4));
    assert_true(session.ended);
    assert_non_null(strstr(session.why, "engines want more than its memory"));
    end();
}

/* ---- Contexts ---- */

#define STORE(address, value) 0x10400002, (address), 0, (value)
#define NOTHING               0, 0

/* Every engine of every product with lists: what its ring stores is there when it is read, and the engine
 * says that it is done.
 */
static void contexts_run(void **state)
{
    (void)state;
    static const uint32_t commands[] = {STORE(CLIENT_DATA, 0x600d), STORE(CLIENT_DATA + 4, 0xcafe)};
    const struct softgt_device_info *info;
    unsigned devices = 0;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        const struct sheet *sheet = sheet_find(info->name);
        devices += sheet->engines[0].contexts.execlists != NULL;
        for (unsigned n = 0; n < info->engine_count && sheet->engines[0].contexts.execlists; n++) {
            start(info->name);
            assert_true(client_submits(sheet, n, commands, 8));
            assert_int_equal(read_dword(0, CLIENT_DATA), 0x600d);
            assert_int_equal(read_dword(0, CLIENT_DATA + 4), 0xcafe);
            if (sheet->generation >= GEN11)
                assert_int_equal(read_register(sheet->engines[n].mmio_base + 0x234) & 0x8000, 0x8000);
            end();
        }
    }
    assert_true(devices >= 10);
}

/* A poll for an idle engine ends before anything was submitted. */
static void an_engine_is_idle_from_the_start(void **state)
{
    (void)state;
    static const char *const names[] = {"icl", "ehl", "tgl", "tgl-ccs", "rkl", "dg2", "atsm"};
    for (unsigned i = 0; i < 7; i++) {
        start(names[i]);
        assert_int_equal(read_register(0x2234) & 0x8000, 0x8000);
        end();
    }
}

/* The same bytes give the same answers, however they are cut and whatever a slice is. */
static void cuts_change_nothing(void **state)
{
    (void)state;
    static uint8_t whole[ANSWERS_BYTES];
    size_t whole_bytes = 0;
    static const uint32_t commands[] = {STORE(CLIENT_DATA, 1), STORE(CLIENT_DATA + 8, 2), NOTHING};
    static const struct {
        size_t piece, sent;
        uint64_t slice;
    } ways[] = {{SIZE_MAX, SIZE_MAX, 4096}, {1, 1, 1}, {7, 100, 3}, {4096, 5, 1 << 20}};
    for (unsigned i = 0; i < 4; i++) {
        start("tgl");
        piece_bytes = ways[i].piece;
        sent_bytes = ways[i].sent;
        slice_dw = ways[i].slice;
        client_submits(sheet_find("tgl"), 0, commands, 10);
        for (unsigned n = 0; n < 3; n++) {
            const uint32_t data[] = {0, CLIENT_DATA, 4096}, time[] = {8, 0x2358, 0},
                           context[] = {0, CLIENT_CONTEXT, 8192};
            send_message(READ_DATA, data, 12, NULL, 0);
            send_message(MMIO, time, 12, NULL, 0);
            send_message(READ_DATA, context, 12, NULL, 0);
        }
        if (!i) {
            memcpy(whole, answers, answers_bytes);
            whole_bytes = answers_bytes;
        }
        assert_int_equal(answers_bytes, whole_bytes);
        assert_memory_equal(answers, whole, whole_bytes);
        end();
    }
}

/* A batch that never ends takes no more at a message than that is worth; whoever reads is answered. */
static void a_hanging_engine_is_answered_for(void **state)
{
    (void)state;
    static const uint32_t commands[] = {STORE(CLIENT_DATA, 7), 0x18800001, CLIENT_RING + 0x100, 0, 0};
    static const uint32_t loop[] = {0x18800001, CLIENT_RING + 0x100, 0};
    start("skl");
    write_memory(0, CLIENT_RING + 0x100, loop, sizeof loop);
    client_submits(sheet_find("skl"), 0, commands, 8);
    const uint64_t before = softgt_dwords(session.replay.device);
    assert_int_equal(read_dword(0, CLIENT_DATA), 7);
    assert_in_range(softgt_dwords(session.replay.device) - before, TBX_RUN_DW / 2, TBX_RUN_DW + 4096);
    assert_int_equal(softgt_engine_state(session.replay.device, 0), SOFTGT_ENGINE_RUNNING);
    end();
    /* One that stops is told. */
    static const uint32_t unknown[] = {STORE(CLIENT_DATA, 8), 0x1f800000, 0};
    start("skl");
    client_submits(sheet_find("skl"), 0, unknown, 6);
    assert_int_equal(read_dword(0, CLIENT_DATA), 8);
    assert_non_null(strstr(told, "rcs0 hangs"));
    end();
}

/* Engines that wait for memory go on when it is written. */
static void semaphores_see_what_is_written(void **state)
{
    (void)state;
    static const uint32_t commands[] = {0x0e40c002 /* until equal, by polling */, 5, CLIENT_DATA + 0x40, 0,
                                        STORE(CLIENT_DATA, 9)};
    const uint32_t five = 5;
    start("skl");
    client_submits(sheet_find("skl"), 0, commands, 8);
    assert_int_equal(read_dword(0, CLIENT_DATA), 0);
    write_memory(0, CLIENT_DATA + 0x40, &five, 4);
    assert_int_equal(read_dword(0, CLIENT_DATA), 9);
    end();
}

/* ---- Recordings ---- */

static void no_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    (void)user;
    (void)offset;
    if (kind == REPLAY_ERROR)
        print_error("%s\n", text);
}

static void recordings_repeat(void **state)
{
    (void)state;
    static const uint32_t commands[] = {STORE(CLIENT_DATA, 0x600d), STORE(CLIENT_DATA + 4, 0xcafe)};
    static const char *const names[] = {"skl", "icl", "tgl", "dg2"};
    char path[64];
    snprintf(path, sizeof path, "/tmp/softgt-tbx-%d.aub", (int)getpid());
    for (unsigned i = 0; i < 4; i++) {
        start(names[i]);
        session_options.record = path;
        write_memory(1, 0x5000000, "local", 6);
        client_submits(sheet_find(names[i]), 0, commands, 8);
        read_register(0x2358);
        assert_int_equal(read_dword(0, CLIENT_DATA), 0x600d);
        assert_int_equal(read_dword(0, CLIENT_DATA), 0x600d); /* a poll's second look is not recorded */
        assert_string_equal((const char *)read_memory(1, 0x5000000, 6), "local");
        end();
        struct replay_result result;
        const struct replay_options options = {.message = no_message};
        assert_int_equal(replay_file(path, &options, &result), REPLAY_CLEAN);
        assert_int_equal(result.compares, 3);
        assert_int_equal(result.compares_failed, 0);
    }
    unlink(path);
}

static void files_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        unsigned number;
        const char *made;
    } names[] = {{"a.aub", 1, "a.aub"},
                 {"a.aub", 2, "a-2.aub"},
                 {"d.x/a", 3, "d.x/a-3"},
                 {"d.x/a.b.aub", 8, "d.x/a.b-8.aub"}};
    for (unsigned i = 0; i < 4; i++) {
        char *made = tbx_path(names[i].path, names[i].number);
        assert_string_equal(made, names[i].made);
        free(made);
    }
}

TEST_PROGRAM(tbx_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(messages_are_shown),
        cmocka_unit_test(registers),
        cmocka_unit_test(table_entries_go_by_index),
        cmocka_unit_test(memory_is_sparse_and_of_any_length),
        cmocka_unit_test(kinds_of_memory),
        cmocka_unit_test(configuration_space),
        cmocka_unit_test(control_and_marker),
        cmocka_unit_test(what_is_not_modelled_is_answered),
        cmocka_unit_test(unknown_messages_are_skipped),
        cmocka_unit_test(short_messages_end_it),
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(memory_of_engines_has_a_limit),
        cmocka_unit_test(contexts_run),
        cmocka_unit_test(an_engine_is_idle_from_the_start),
        cmocka_unit_test(cuts_change_nothing),
        cmocka_unit_test(a_hanging_engine_is_answered_for),
        cmocka_unit_test(semaphores_see_what_is_written),
        cmocka_unit_test(recordings_repeat),
        cmocka_unit_test(files_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
