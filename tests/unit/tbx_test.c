/* The TBX server's protocol, without sockets: the rows of messages, their effects, wrong messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "tbx_client.h"

#include "aub/replay.h"
#include "../rows_device.h"

#include <stdio.h>
#include <unistd.h>

/* Types of messages that tbx_client.h does not send. */
enum {
    MMIO_RES = MMIO_REQ + 1,
    GTT_RES = GTT_REQ + 1,
    READ_DATA_REQ = 5,
    READ_DATA_RES,
    MARKER_REQ,
    MARKER_RES,
    CONTROL_REQ = 11,
    PCICFG_REQ = 14,
    PCICFG_RES,
    COMPARE_DATA_REQ = 43,
    COMPARE_DATA_RES,
    IDS
};
enum { HEADER = 12, MB = 1 << 20 };
enum { SYSTEM, LOCAL, OTHER_MEMORY, ANOTHER_MEMORY }; /* memory types, of which the last two do not exist */
enum { DEVICE_2 = 2 << 12, DEVICE_3 = 3 << 12 };      /* of accesses to configuration space */
enum {
    RCS = 0x2000,
    TIMESTAMP = 0x358,
    EXECLIST_STATUS = EXECLIST_SUBMITPORT + 4,
    IDLE = 1 << 15,
    STORED = 1234,
    OTHER = 5678
};
#define GGTT_ENTRIES (1u << 20)
#define NO_REGISTER  (UINT32_MAX - 3)
#define BAR_2        0x18

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

/* The body of the next answer, which must be the last. */
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
    const uint32_t body[] = {BYTES_4, offset, 0};
    send_message(MMIO_REQ, body, sizeof body, NULL, 0);
    return *answer(MMIO_RES, 4, 0);
}

static const uint8_t *read_memory(unsigned type, uint64_t address, uint32_t size)
{
    const uint32_t body[] = {type << 5 | (uint32_t)(address >> 32) << 24, (uint32_t)address, size};
    send_message(READ_DATA_REQ, body, sizeof body, NULL, 0);
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
    write_register(RCS + TIMESTAMP, 0x1234);
    read_register(RCS + TIMESTAMP);
    write_entry(7, 8 * PAGE_BYTES | PRESENT);
    write_memory(LOCAL, (UINT64_C(0x12) << 32) + 16, "abc", 3);
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
    enum { GPR = RCS + CS_GPR };
    const uint32_t value = 0x12345678, with_byte = 0x12349a78;
    start("skl");
    write_register(GPR, value);
    nothing_came();
    assert_int_equal(read_register(GPR), value);
    const uint32_t byte_write[] = {WRITE | BYTES_1, GPR + 1, ~0xffu | 0x9a},
                   byte_read[] = {BYTES_1, GPR + 3, 0};
    send_message(MMIO_REQ, byte_write, 12, NULL, 0);
    assert_int_equal(read_register(GPR), with_byte);
    send_message(MMIO_REQ, byte_read, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), value >> 24);
    /* The long form. */
    const uint32_t long_form[] = {BYTES_4, GPR, 0, 0xff};
    send_message(MMIO_REQ, long_form, 16, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), with_byte);
    /* A masked register. */
    write_register(RCS + GFX_MODE, 1u << 16 | 1);
    assert_int_equal(read_register(RCS + GFX_MODE) & 1, 1);
    write_register(RCS + GFX_MODE, 1u << 16);
    assert_int_equal(read_register(RCS + GFX_MODE) & 1, 0);
    /* An offset, a space and a size that do not exist are answered. */
    enum { IO_SPACE = 1 << 6, BYTES_3 = 3 << 1 };
    assert_int_equal(read_register(NO_REGISTER), 0);
    const uint32_t port[] = {BYTES_4 | IO_SPACE, 964, 0}, odd[] = {BYTES_3, GPR, 0};
    send_message(MMIO_REQ, port, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0);
    send_message(MMIO_REQ, odd, 12, NULL, 0);
    assert_int_equal(*answer(MMIO_RES, 4, 0), 0);
    write_register(NO_REGISTER, 1);
    nothing_came();
    end();
}

static void table_entries_go_by_index(void **state)
{
    (void)state;
    enum { ENTRY = 12345 * PAGE_BYTES | PRESENT };
    start("skl");
    const uint64_t entry = UINT64_C(123456789) * PAGE_BYTES | PRESENT;
    const uint32_t read[] = {0, GGTT_ENTRIES - 1, 0, 0};
    write_entry(GGTT_ENTRIES - 1, entry);
    nothing_came();
    send_message(GTT_REQ, read, 16, NULL, 0);
    assert_memory_equal(answer(GTT_RES, 8, 0), &entry, 8);
    /* Past its end. */
    write_entry(GGTT_ENTRIES, PRESENT);
    nothing_came();
    const uint32_t past[] = {0, GGTT_ENTRIES, 0, 0};
    const uint64_t zero = 0;
    send_message(GTT_REQ, past, 16, NULL, 0);
    assert_memory_equal(answer(GTT_RES, 8, 0), &zero, 8);
    end();
    /* Entries of four bytes. */
    start("snb");
    const uint32_t write[] = {WRITE, 3, ENTRY}, again[] = {0, 3, 0};
    send_message(GTT_REQ, write, 12, NULL, 0);
    send_message(GTT_REQ, again, 12, NULL, 0);
    assert_int_equal(*answer(GTT_RES, 4, 0), ENTRY);
    end();
}

static void memory_is_sparse_and_of_any_length(void **state)
{
    (void)state;
    static uint8_t data[1793], zeros[4096];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + 1);
    const uint64_t last = (UINT64_C(1) << 40) - 1; /* of the addresses of 40 bits */
    const uint32_t upper = 12345678;               /* bits 63:32 of an address */
    enum { UNALIGNED = MB + 57 };
    start("skl");
    assert_memory_equal(read_memory(SYSTEM, UINT64_C(1) << 38, 4096), zeros, 4096);
    write_memory(SYSTEM, last - 1700, data, sizeof data); /* past the last */
    nothing_came();
    assert_memory_equal(read_memory(SYSTEM, last - 1700, 1701), data, 1701);
    /* Lengths of 0. */
    write_memory(SYSTEM, 0, "", 0);
    nothing_came();
    read_memory(SYSTEM, 0, 0);
    /* 64 bits of address; the answer has the form of the request. */
    const uint32_t write[] = {0, 16, 5, upper}, read[] = {0, 16, 6, upper};
    send_message(WRITE_DATA_REQ, write, 16, "hello", 5);
    send_message(READ_DATA_REQ, read, 16, NULL, 0);
    const uint32_t *dw = answer(READ_DATA_RES, 16, 6);
    assert_int_equal(dw[1], 16);
    assert_int_equal(dw[2], 6);
    assert_int_equal(dw[3], upper);
    assert_memory_equal(dw + 4, "hello", 6);
    /* More than a buffer holds. */
    static uint8_t large[300000];
    for (unsigned i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i >> 8 ^ i);
    write_memory(SYSTEM, UNALIGNED, large, sizeof large);
    assert_memory_equal(read_memory(SYSTEM, UNALIGNED, sizeof large), large, sizeof large);
    end();
}

static void kinds_of_memory(void **state)
{
    (void)state;
    enum { FIRST = 64 << 10, SECOND = 128 << 10, THIRD = 192 << 10 };
    enum { WRITE_FRONT_DOOR = 1 << 2, WRITE_LOCAL = 1 << 5, READ_FRONT_DOOR = 1 << 1, READ_LOCAL = 1 << 4 };
    enum { UNPLACED_BAR = (1 << 20) - 16, BAR_UPPER = 68 }; /* bits 63:32 of addresses */
    static const struct {
        const char *device;
        bool has_local;
    } parts[] = {{"skl", false}, {"tgl", false}, {"dg2", true}, {"bmg", true}, {"lnl", false}};
    for (unsigned i = 0; i < 5; i++) {
        start(parts[i].device);
        write_memory(LOCAL, FIRST, "local", 6);
        write_memory(parts[i].has_local ? SYSTEM : LOCAL, SECOND, "system", 7);
        assert_string_equal((const char *)read_memory(LOCAL, FIRST, 6), "local");
        assert_string_equal((const char *)read_memory(SYSTEM, SECOND, 7), "system");
        assert_string_equal((const char *)read_memory(SYSTEM, FIRST, 6), parts[i].has_local ? "" : "local");
        /* Other types do not exist: writes have no effect, reads give 0. */
        write_memory(OTHER_MEMORY, THIRD, "none", 5);
        assert_int_equal(read_dword(SYSTEM, THIRD), 0);
        assert_int_equal(read_dword(ANOTHER_MEMORY, FIRST), 0);
        /* Past the end. */
        assert_int_equal(read_dword(LOCAL, parts[i].has_local ? UINT64_C(240) << 32 : 0), 0);
        end();
    }
    /* Through the front door, local memory is at the address of BAR 2, which has a fixed one until the client
     * places it. */
    start("dg2");
    const uint32_t write[] = {WRITE_FRONT_DOOR | WRITE_LOCAL, FIRST, 6, UNPLACED_BAR};
    send_message(WRITE_DATA_REQ, write, 16, "front", 6);
    assert_string_equal((const char *)read_memory(LOCAL, FIRST, 6), "front");
    assert_int_equal(read_dword(SYSTEM, FIRST), 0);
    const uint32_t place[] = {WRITE | BYTES_4 | DEVICE_2, BAR_2 + 4, BAR_UPPER};
    send_message(PCICFG_REQ, place, 12, NULL, 0);
    const uint32_t read[] = {READ_FRONT_DOOR | READ_LOCAL, FIRST, 6, BAR_UPPER};
    send_message(READ_DATA_REQ, read, 16, NULL, 0);
    assert_string_equal((const char *)(answer(READ_DATA_RES, 16, 6) + 4), "front");
    end();
}

static void configuration_space(void **state)
{
    (void)state;
    start("dg2");
    const uint32_t ids[] = {BYTES_4 | DEVICE_2, 0, 0}, other[] = {BYTES_4 | DEVICE_3, 0, 0},
                   past[] = {BYTES_4 | DEVICE_2, UINT32_MAX - 1, 0};
    send_message(PCICFG_REQ, ids, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), 0x56a0u << 16 | 0x8086);
    send_message(PCICFG_REQ, other, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), UINT32_MAX);
    send_message(PCICFG_REQ, past, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0), UINT32_MAX);
    const uint32_t write[] = {WRITE | BYTES_4 | DEVICE_2, BAR_2, 0xfu << 28},
                   read[] = {BYTES_4 | DEVICE_2, BAR_2, 0};
    send_message(PCICFG_REQ, write, 12, NULL, 0);
    nothing_came();
    send_message(PCICFG_REQ, read, 12, NULL, 0);
    assert_int_equal(*answer(PCICFG_RES, 4, 0) & 0xfu << 28, 1u << 31); /* it has 2 GB */
    end();
}

static void control_and_marker(void **state)
{
    (void)state;
    /* The upper half tells which bits of the lower half count. */
    enum { RESET = 1 << 0, QUIT = 1 << 6 };
    const uint32_t hello = 50u << 16 | 2, reset = RESET << 16 | RESET, reset_unset = RESET,
                   quit = QUIT << 16 | QUIT;
    start("skl");
    send_message(CONTROL_REQ, &hello, 4, NULL, 0);
    nothing_came();
    assert_null(session.replay.device); /* a client that sends no more needs no device */
    send_message(MARKER_REQ, NULL, 0, NULL, 0);
    answer(MARKER_RES, 0, 0);
    write_register(RCS + CS_GPR, 5);
    send_message(CONTROL_REQ, &reset_unset, 4, NULL, 0);
    assert_int_equal(read_register(RCS + CS_GPR), 5);
    send_message(CONTROL_REQ, &reset, 4, NULL, 0);
    assert_int_equal(read_register(RCS + CS_GPR), 0);
    send_message(CONTROL_REQ, &quit, 4, NULL, 0);
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
    /* With data. */
    const uint32_t compare[] = {0, PAGE_BYTES, 5};
    send_message(COMPARE_DATA_REQ, compare, 12, "abcde", 5);
    answer(COMPARE_DATA_RES, 4, 0);
    assert_int_equal(read_register(RCS + CS_GPR), 0);
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
    send_message(MMIO_RES, junk, 4, NULL, 0); /* only servers send it */
    nothing_came();
    const uint32_t body[20] = {BYTES_4, RCS + CS_GPR}; /* longer than the message */
    send_message(MMIO_REQ, body, sizeof body, NULL, 0);
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
        write_memory(SYSTEM, (uint64_t)i << 30, data, 1); /* each allocates 64 KB */
    assert_false(session.ended);
    write_memory(SYSTEM, 1, data, sizeof data); /* allocated, except for its last byte */
    assert_true(session.ended);
    assert_non_null(strstr(told, "more than 2 MB of memory are wanted"));
    end();
}

/* MI_STORE_DATA_IMM of four dwords. */
static void assemble_store(uint32_t dw[4], uint32_t address, uint32_t value)
{
    assert_int_equal(assemble(skl, 0, dw,
                              "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", address,
                              value),
                     4);
}

/* Writes of engines count, too. */
static void memory_of_engines_has_a_limit(void **state)
{
    (void)state;
    enum { STORES = 33, PAGES = 1024, CHUNK_PAGES = 16, FIRST = CLIENT_PAGES };
    uint32_t commands[STORES * 4];
    session_options = (struct tbx_options){0};
    session_start("skl", 2 * MB, on_message);
    for (unsigned i = 0; i < PAGES; i++)
        write_entry(FIRST + i, (uint64_t)(FIRST + i * CHUNK_PAGES) * PAGE_BYTES | PRESENT);
    for (unsigned i = 0; i < STORES; i++)
        assemble_store(commands + i * 4, (FIRST + i) * PAGE_BYTES, i);
    assert_true(client_submits(sheet_find("skl"), 0, commands, STORES * 4));
    assert_true(session.ended);
    assert_non_null(strstr(session.why, "engines want more than its memory"));
    end();
}

/* ---- Contexts ---- */

/* Every engine of every product with execlists: the values that its ring stores can be read, and the engine
 * is idle. */
static void contexts_run(void **state)
{
    (void)state;
    uint32_t commands[8];
    assemble_store(commands, CLIENT_DATA, STORED);
    assemble_store(commands + 4, CLIENT_DATA + 4, OTHER);
    const struct softgt_device_info *info;
    unsigned devices = 0;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        const struct sheet *sheet = sheet_find(info->name);
        devices += sheet->engines[0].contexts.execlists != NULL;
        for (unsigned n = 0; n < info->engine_count && sheet->engines[0].contexts.execlists; n++) {
            start(info->name);
            assert_true(client_submits(sheet, n, commands, 8));
            assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), STORED);
            assert_int_equal(read_dword(SYSTEM, CLIENT_DATA + 4), OTHER);
            if (sheet->generation >= GEN11)
                assert_int_equal(read_register(sheet->engines[n].mmio_base + EXECLIST_STATUS) & IDLE, IDLE);
            end();
        }
    }
    assert_true(devices >= 10);
}

/* aubstream's entries say that memory is local on Lunar Lake, too, which has one memory. */
static void entries_of_local_memory_lead_to_the_one(void **state)
{
    (void)state;
    enum { ENTRY_LOCAL = 2, PAGE = CLIENT_PAGES + 3, FRAME = 1 << 16 };
    uint32_t commands[4];
    assemble_store(commands, PAGE * PAGE_BYTES, 0x1234);
    start("lnl");
    write_entry(PAGE, (uint64_t)FRAME * PAGE_BYTES | ENTRY_LOCAL | PRESENT);
    assert_true(client_submits(sheet_find("lnl"), 0, commands, 4));
    assert_int_equal(read_dword(LOCAL, (uint64_t)FRAME * PAGE_BYTES), 0x1234);
    assert_int_equal(read_dword(SYSTEM, (uint64_t)FRAME * PAGE_BYTES), 0x1234);
    end();
}

/* A poll for an idle engine ends before anything was submitted. */
static void an_engine_is_idle_from_the_start(void **state)
{
    (void)state;
    static const char *const names[] = {"icl", "ehl", "tgl", "tgl-ccs", "rkl", "dg2", "atsm", "bmg", "lnl"};
    for (unsigned i = 0; i < 9; i++) {
        start(names[i]);
        assert_int_equal(read_register(RCS + EXECLIST_STATUS) & IDLE, IDLE);
        end();
    }
}

/* The same bytes give the same answers in any parts and with any time slice. */
static void cuts_change_nothing(void **state)
{
    (void)state;
    static uint8_t whole[ANSWERS_BYTES];
    size_t whole_bytes = 0;
    uint32_t commands[10] = {0};
    assemble_store(commands, CLIENT_DATA, 1);
    assemble_store(commands + 4, CLIENT_DATA + 8, 2);
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
            const uint32_t data[] = {0, CLIENT_DATA, 4096}, time[] = {BYTES_4, RCS + TIMESTAMP, 0},
                           context[] = {0, CLIENT_CONTEXT, 8192};
            send_message(READ_DATA_REQ, data, 12, NULL, 0);
            send_message(MMIO_REQ, time, 12, NULL, 0);
            send_message(READ_DATA_REQ, context, 12, NULL, 0);
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

/* A batch that never ends runs for a limited time at each message; reads are answered. */
static void a_hanging_engine_is_answered_for(void **state)
{
    (void)state;
    enum { LOOP = CLIENT_RING + 256 };
    uint32_t commands[8] = {0}, loop[3];
    assert_int_equal(assemble(skl, 0, loop, "MI_BATCH_BUFFER_START batch_buffer_start_address = %u", LOOP),
                     3);
    assemble_store(commands, CLIENT_DATA, 7);
    memcpy(commands + 4, loop, sizeof loop);
    start("skl");
    write_memory(SYSTEM, LOOP, loop, sizeof loop);
    client_submits(sheet_find("skl"), 0, commands, 8);
    const uint64_t before = softgt_dword_count(session.replay.device);
    assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), 7);
    assert_in_range(softgt_dword_count(session.replay.device) - before, TBX_RUN_DW / 2, TBX_RUN_DW + 4096);
    assert_int_equal(softgt_engine_get_state(session.replay.device, 0), SOFTGT_ENGINE_RUNNING);
    end();
    /* An engine that hangs is reported. */
    uint32_t unknown[6] = {0};
    assemble_store(unknown, CLIENT_DATA, 8);
    unknown[4] = 0x3f << 23; /* no command has this opcode */
    start("skl");
    client_submits(sheet_find("skl"), 0, unknown, 6);
    assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), 8);
    assert_non_null(strstr(told, "rcs0 hangs"));
    end();
}

/* Engines that wait for memory resume when it is written. */
static void semaphores_see_what_is_written(void **state)
{
    (void)state;
    enum { AWAITED = CLIENT_DATA + 64 };
    uint32_t commands[8];
    assert_int_equal(assemble(skl, 0, commands,
                              "MI_SEMAPHORE_WAIT memory_type = \"Global Graphics Address\","
                              " wait_mode = \"Polling Mode\", compare_operation = SAD_EQUAL_SDD,"
                              " semaphore_data_dword = 5, semaphore_address = %u",
                              AWAITED),
                     4);
    assemble_store(commands + 4, CLIENT_DATA, 9);
    const uint32_t five = 5;
    start("skl");
    client_submits(sheet_find("skl"), 0, commands, 8);
    assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), 0);
    write_memory(SYSTEM, AWAITED, &five, 4);
    assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), 9);
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
    enum { PLACE = 80 * MB };
    uint32_t commands[8];
    assemble_store(commands, CLIENT_DATA, STORED);
    assemble_store(commands + 4, CLIENT_DATA + 4, OTHER);
    static const char *const names[] = {"skl", "icl", "tgl", "dg2"};
    char path[64];
    snprintf(path, sizeof path, "/tmp/softgt-tbx-%d.aub", (int)getpid());
    for (unsigned i = 0; i < 4; i++) {
        start(names[i]);
        session_options.record = path;
        write_memory(LOCAL, PLACE, "local", 6);
        client_submits(sheet_find(names[i]), 0, commands, 8);
        read_register(RCS + TIMESTAMP);
        assert_int_equal(read_dword(SYSTEM, CLIENT_DATA), STORED);
        assert_int_equal(read_dword(SYSTEM, CLIENT_DATA),
                         STORED); /* the second read of a poll is not recorded */
        assert_string_equal((const char *)read_memory(LOCAL, PLACE, 6), "local");
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
        cmocka_unit_test(entries_of_local_memory_lead_to_the_one),
        cmocka_unit_test(an_engine_is_idle_from_the_start),
        cmocka_unit_test(cuts_change_nothing),
        cmocka_unit_test(a_hanging_engine_is_answered_for),
        cmocka_unit_test(semaphores_see_what_is_written),
        cmocka_unit_test(recordings_repeat),
        cmocka_unit_test(files_have_names),
    };
    return cmocka_run_group_tests(tests, open_skl, close_skl);
}
