/* The AUB format: every packet kind from its bytes, what is written is read, hostile files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "../suite.h"
#include "aub/aub.h"
#include "gen/sheet.h"

/* ---- A sink that lists the packets ---- */

struct log {
    char text[1 << 16];
    size_t at;
    uint64_t packets, last_offset;
    unsigned stop_after; /* callbacks; 0: never */
};

__attribute__((format(printf, 3, 4))) static bool put(struct log *l, const struct aub_packet *at,
                                                      const char *format, ...)
{
    va_list arguments;
    l->at += (size_t)snprintf(l->text + l->at, sizeof l->text - l->at, "%llx %s ",
                              (unsigned long long)at->offset, at->name);
    va_start(arguments, format);
    l->at += (size_t)vsnprintf(l->text + l->at, sizeof l->text - l->at, format, arguments);
    va_end(arguments);
    l->at += (size_t)snprintf(l->text + l->at, sizeof l->text - l->at, "\n");
    if (l->at > sizeof l->text - 4096)
        l->at = 0;
    l->packets++;
    l->last_offset = at->offset;
    return l->packets != l->stop_after;
}

static bool on_header(void *user, const struct aub_packet *at, const struct aub_header *h)
{
    return put(user, at, "%x %x '%s'%s", h->pci_id, h->simulator_id, h->text, h->classic ? " classic" : "");
}

static bool on_register(void *user, const struct aub_packet *at, const struct aub_register *r)
{
    return put(user, at, "%x %u %u %llx %llx%s%s%s", r->offset, r->space, r->size_bytes,
               (unsigned long long)r->mask, (unsigned long long)r->value, r->not_equal ? " ne" : "",
               r->ignore ? " ignore" : "", r->no_read ? " noread" : "");
}

static bool on_memory(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    unsigned sum = 0;
    for (uint32_t i = 0; i < m->size_bytes; i++)
        sum = sum * 31u + m->data[i];
    return put(user, at, "%llx %u %u %x %u %llx%s%s%s%s%s", (unsigned long long)m->address, m->space,
               m->size_bytes, sum, m->compare, (unsigned long long)m->mask, m->deferred ? " deferred" : "",
               m->repeat ? " repeat" : "", m->ignore ? " ignore" : "", m->no_read ? " noread" : "",
               m->crc ? " crc" : "");
}

static bool on_ring(void *user, const struct aub_packet *at, unsigned ring, const struct aub_memory *m)
{
    return put(user, at, "ring %u %llx %u", ring, (unsigned long long)m->address, m->size_bytes);
}

static bool on_comment(void *user, const struct aub_packet *at, const char *text)
{
    return put(user, at, "'%s'", text);
}

static bool on_delay(void *user, const struct aub_packet *at, uint32_t time)
{
    return put(user, at, "%u", time);
}

static bool on_note(void *user, const struct aub_packet *at, bool known, const char *text)
{
    return put(user, at, "%s %s", known ? "known" : "unknown", text);
}

static enum aub_result read_log(const void *data, size_t size, struct log *l, struct aub_error *error)
{
    const unsigned stop_after = l->stop_after;
    memset(l, 0, sizeof *l);
    l->stop_after = stop_after;
    const struct aub_sink sink = {l,         on_header, on_register, on_register, on_register,
                                  on_memory, on_memory, on_memory,   on_ring,     on_comment,
                                  on_delay,  on_note,   NULL};
    uint8_t *exact = malloc(size ? size : 1); /* its end is where ASan sees it */
    if (size)
        memcpy(exact, data, size);
    const enum aub_result result = aub_read_memory(exact, size, &sink, error);
    free(exact);
    return result;
}

/* ---- Packets ---- */

/* Headers, by their length in dwords. Data: packets in this file are written dword by dword from them,
 * without the writer. */
#define MEMTRACE(opcode, length_dw) (7u << 29 | 0x2eu << 23 | (uint32_t)(opcode) << 16 | ((length_dw)-1u))
#define CLASSIC(opcode, length_dw)  (7u << 29 | 1u << 23 | (uint32_t)(opcode) << 16 | ((length_dw)-2u))

enum {
    SIM_CONTROL,
    REG_CMP,
    REG_POLL,
    REG_WRITE,
    MEM_CMP,
    MEM_POLL,
    MEM_WRITE,
    FRAME_BEGIN,
    COMMENT,
    DELAY,
    MEM_DUMP,
    MEM_WRITE_DISCONT,
    TEST_PHASE_MARKER,
    CONT_REGION,
    VERSION,
    PREDICATE,
    DUMP_COMPRESS,
    FIRST_UNKNOWN,
    SOME_UNKNOWN = 0x55,
    LAST_UNKNOWN = 0x7f,
};
/* Opcodes of classic packets. */
enum {
    HEADER = 0x05,
    PPGTT_CONTEXT_CREATE = 0x14,
    CAPTURE_BINARY_DUMP = 0x15,
    BMP = 0x1e,
    BLOCK = 0x41,
    UNKNOWN_CLASSIC = 0x7f,
};
/* Four characters as a dword. */
#define TEXT(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum { SKL_SIMULATOR = 0x0c, SKL_ID = 0x1912 };
enum { NOPID_OFFSET = 0x2094, HWS_PGA_OFFSET = 0x2080, STATUS_OFFSET = 0x2234, GPR_OFFSET = 0x2600 };
enum { VALUE = 0x12345678, PAGE = 4096, FIRST = 5 * PAGE, SECOND = 6 * PAGE, BLOCK_AT = 16 * PAGE };
enum { LARGE = 16 * PAGE, RING_AT = 32 * PAGE, PAIRS_DW = 191 /* a discontiguous write without its data */ };
#define VALUE_64 UINT64_C(0x123456789abcdef0)

/* ---- A trace of every kind ---- */

struct trace {
    char *data;
    size_t size;
};

static const uint32_t discontiguous_head[] = {0, 2u << 4 | 2u << 28, PAGE, 0, 4, 9 * PAGE, 1, 6};

static void raw(FILE *file, const uint32_t *dw, size_t count)
{
    assert_int_equal(fwrite(dw, 4, count, file), count);
}

static struct trace make_trace(void)
{
    struct trace t = {NULL, 0};
    struct aub_writer w;
    FILE *file = open_memstream(&t.data, &t.size);
    static const uint8_t bytes[70000] = {1, 2, 3, 4, 5, 6, 7};
    assert_true(aub_writer_open(&w, NULL, file));
    aub_write_version(&w, SKL_SIMULATOR, SKL_ID, "test");
    aub_write_register(&w, NOPID_OFFSET, 4, UINT64_MAX, VALUE);
    aub_write_register(&w, GPR_OFFSET, 8, UINT64_MAX, VALUE_64);
    aub_write_register_compare(&w, NOPID_OFFSET, 4, UINT16_MAX, VALUE & UINT16_MAX);
    aub_write_register_poll(&w, NOPID_OFFSET, 4, 0xf, 0x1, true);
    aub_write_memory(&w, AUB_GGTT_ENTRY, 8, "\1\20\0\0\0\0\0\0", 8);
    aub_write_memory(&w, AUB_PHYSICAL, FIRST, bytes, 7);
    aub_write_memory_compare(&w, AUB_PHYSICAL, FIRST, bytes, 7, false);
    aub_write_memory_compare(&w, AUB_PHYSICAL, SECOND, bytes, 7, true);
    aub_write_memory_poll(&w, AUB_PHYSICAL, FIRST, 4, 0xff, 1, AUB_EQUAL);
    aub_write_memory_poll(&w, AUB_PHYSICAL, FIRST, 8, UINT64_MAX, 0, AUB_GREATER);
    aub_write_comment(&w, "a comment");
    aub_write_delay(&w, 17);
    aub_write_frame_begin(&w, 3);
    /* Two pieces: 63 pairs of address and size, then the bytes of the pieces in sequence. */
    uint32_t dw[194] = {0};
    memcpy(dw, discontiguous_head, sizeof discontiguous_head);
    dw[0] = MEMTRACE(MEM_WRITE_DISCONT, 194);
    memcpy(dw + PAIRS_DW, "abcdefghij\0\0", 12);
    raw(file, dw, 194);
    raw(file, (const uint32_t[]){MEMTRACE(SOME_UNKNOWN, 2), 1234}, 2); /* no such memtrace packet */
    /* Classic: header, data in the GTT, ring commands, register. */
    uint32_t header[17] = {CLASSIC(HEADER, 17), 4u << 24, TEXT('t', 'a', 'o', 'p')};
    header[12] = 13;
    memcpy(header + 13, "PCI-ID=0x126\0\0\0\0", 16);
    raw(file, header, 17);
    raw(file, (const uint32_t[]){CLASSIC(BLOCK, 5), 1 << 8 | 1, 0, BLOCK_AT, 6, 0x11223344, 0x5566}, 7);
    raw(file,
        (const uint32_t[]){CLASSIC(BLOCK, 5), AUB_RING_RENDER << 8 | 2, 0, RING_AT, 8,
                           0x31 << 23 /* MI_BATCH_BUFFER_START */, BLOCK_AT},
        7);
    raw(file, (const uint32_t[]){CLASSIC(BLOCK, 5), 3, 0, NOPID_OFFSET, 4, 0x77}, 6);
    assert_true(aub_writer_close(&w));
    return t;
}

static void every_packet_is_read_as_written(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &l, &error), AUB_OK);
    static const char *const lines[] = {"VERSION 1912 c 'PCI-ID=0x1912 test'",
                                        "REG_WRITE 2094 0 4 ffffffff 12345678",
                                        "REG_WRITE 2600 0 8 ffffffffffffffff 123456789abcdef0",
                                        "REG_CMP 2094 0 4 ffff 5678",
                                        "REG_POLL 2094 0 4 f 1 ne",
                                        "MEM_WRITE 8 4 8 ",
                                        "MEM_WRITE 5000 2 7 ",
                                        "MEM_CMP 5000 2 7 ",
                                        "MEM_CMP 6000 2 7 ",
                                        "MEM_POLL 5000 2 4 ",
                                        "MEM_POLL 5000 2 8 ",
                                        "COMMENT 'a comment'",
                                        "DELAY 17",
                                        "FRAME_BEGIN known 00000003",
                                        "MEM_WRITE_DISCONT 1000 2 4 ",
                                        "MEM_WRITE_DISCONT 100009000 2 6 ",
                                        "unknown memtrace packet unknown",
                                        "HEADER 126 0 'taop PCI-ID=0x126' classic",
                                        "BLOCK 10000 0 6 ",
                                        "BLOCK ring 2 20000 8",
                                        "BLOCK 2094 0 4 ffffffff 77"};
    const char *at = l.text;
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        at = strstr(at, lines[i]);
        if (!at)
            fail_msg("not told: %s", lines[i]);
    }
    assert_int_equal(l.packets, sizeof lines / sizeof lines[0]);
    free(t.data);
}

/* The mask and comparison of a memory poll, and both pieces of a discontiguous write. */
static void fields_are_read_exactly(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &l, &error), AUB_OK);
    assert_non_null(strstr(l.text, " 1 ff\n"));               /* AUB_EQUAL, mask */
    assert_non_null(strstr(l.text, " 5 ffffffffffffffff\n")); /* AUB_GREATER */
    const unsigned first = (('a' * 31u + 'b') * 31u + 'c') * 31u + 'd';
    char text[64];
    snprintf(text, sizeof text, "MEM_WRITE_DISCONT 1000 2 4 %x ", first);
    assert_non_null(strstr(l.text, text));
    free(t.data);
}

struct gathered {
    uint8_t bytes[200000];
    size_t size, deferred;
    unsigned packets;
};

static bool gather(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct gathered *g = user;
    assert_int_equal(m->address, LARGE + g->size); /* each starts where the one before ended */
    assert_true(m->size_bytes <= 1 << 16 && m->size_bytes <= sizeof g->bytes - g->size);
    assert_true(m->size_bytes > 0 && at->offset > 0);
    memcpy(g->bytes + g->size, m->data, m->size_bytes);
    g->size += m->size_bytes;
    g->deferred += m->deferred;
    g->packets++;
    return true;
}

static void large_writes_are_split_and_whole(void **state)
{
    (void)state;
    struct trace t = {NULL, 0};
    struct aub_writer w;
    struct aub_error error;
    static uint8_t bytes[200000];
    static struct gathered written, compared;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    assert_true(aub_writer_open(&w, NULL, open_memstream(&t.data, &t.size)));
    aub_write_version(&w, SKL_SIMULATOR, SKL_ID, "large");
    aub_write_memory(&w, AUB_PHYSICAL, LARGE, bytes, sizeof bytes);
    aub_write_memory_compare(&w, AUB_PHYSICAL, LARGE, bytes, sizeof bytes, true);
    assert_true(aub_writer_close(&w));
    const struct aub_sink writes = {.user = &written, .memory_write = gather};
    const struct aub_sink compares = {.user = &compared, .memory_compare = gather};
    assert_int_equal(aub_read_memory(t.data, t.size, &writes, &error), AUB_OK);
    assert_int_equal(aub_read_memory(t.data, t.size, &compares, &error), AUB_OK);
    assert_int_equal(written.size, sizeof bytes);
    assert_memory_equal(written.bytes, bytes, sizeof bytes);
    assert_int_equal(written.packets, 4);
    assert_int_equal(written.deferred, 0);
    assert_int_equal(compared.size, sizeof bytes);
    assert_memory_equal(compared.bytes, bytes, sizeof bytes);
    assert_int_equal(compared.deferred, 3); /* all but the last */
    free(t.data);
}

/* Packets as dwords, and how the reader lists them. */
static void every_packet_kind_from_its_bytes(void **state)
{
    (void)state;
    static const struct {
        uint32_t dw[16];
        unsigned count;
        const char *told;
    } packets[] = {
        {{MEMTRACE(SIM_CONTROL, 2), 1}, 2, "SIM_CONTROL known 00000001"},
        {{MEMTRACE(REG_CMP, 6), HWS_PGA_OFFSET, 2u << 16, 0xff, 0, 5}, 6, "REG_CMP 2080 0 4 ff 5"},
        {{MEMTRACE(REG_CMP, 7), GPR_OFFSET, 3u << 16 | 1, 1, 2, 3, 4},
         7,
         "REG_CMP 2600 0 8 200000001 400000003 noread"},
        {{MEMTRACE(REG_CMP, 6), 0x10, 1u << 16 | 2u << 28, UINT16_MAX, 7, 5}, 6, "REG_CMP 10 2 2 ffff 5"},
        {{MEMTRACE(REG_POLL, 6), STATUS_OFFSET, 2u << 16, 0x10, 0, 0}, 6, "REG_POLL 2234 0 4 10 0"},
        {{MEMTRACE(REG_POLL, 6), STATUS_OFFSET, 2u << 16 | 6, 0x10, 0, 0},
         6,
         "REG_POLL 2234 0 4 10 0 ne ignore"},
        {{MEMTRACE(REG_WRITE, 6), HWS_PGA_OFFSET, 0, 0xff, 0, 5}, 6, "REG_WRITE 2080 0 1 ff 5"},
        {{MEMTRACE(REG_WRITE, 6), HWS_PGA_OFFSET, 2u << 16 | 0x16, UINT32_MAX, UINT32_MAX, 5},
         6, /* flags of polls mean nothing */
         "REG_WRITE 2080 0 4 ffffffff 5"},
        {{MEMTRACE(MEM_CMP, 6), PAGE, 1, 2u << 28, 4, 0x61}, 6, "MEM_CMP 100001000 2 4 "},
        {{MEMTRACE(MEM_CMP, 6), PAGE, 0, 2u << 28 | 1u << 7 | 1u << 9, 1, 0x61},
         6,
         "MEM_CMP 1000 2 1 61 2 0 deferred"},
        {{MEMTRACE(MEM_CMP, 6), PAGE, 0, 2u << 28 | 1u << 7, 1, 0x61}, 6, "MEM_CMP 1000 2 1 61 2 0"},
        {{MEMTRACE(MEM_CMP, 5), PAGE, 0, 2u << 28, 0}, 5, "MEM_CMP 1000 2 0 0 1 0"},
        {{MEMTRACE(MEM_CMP, 6), PAGE, 0, 2u << 28 | 3, 1, 0x61}, 6, "MEM_CMP 1000 2 1 61 1 0 repeat noread"},
        {{MEMTRACE(MEM_CMP, 6), PAGE, 0, 2u << 28 | 1u << 6, 1, 0x61}, 6, "MEM_CMP 1000 2 1 61 1 0 crc"},
        {{MEMTRACE(MEM_WRITE, 6), PAGE, 0, 2u << 28 | 2, 1, 0x61}, 6, "MEM_WRITE 1000 2 1 61 1 0 repeat"},
        {{MEMTRACE(MEM_POLL, 7), PAGE, 0, 2u << 28 | 1u << 8, 0xff, 0, 2},
         7,
         "MEM_POLL 1000 2 1 2 1 ff ignore"},
        {{MEMTRACE(MEM_POLL, 7), PAGE, 0, 2u << 28, 0xff, 7, 1}, 7, "MEM_POLL 1000 2 1 1 1 ff"},
        {{MEMTRACE(MEM_POLL, 7), PAGE, 0, 2u << 28 | 1, 0xff, 0, 2}, 7, "MEM_POLL 1000 2 1 2 2 ff"},
        {{MEMTRACE(MEM_POLL, 7), PAGE, 0, 2u << 28 | 3u << 10 | 1, 0xff, 0, 2},
         7,
         "MEM_POLL 1000 2 1 2 3 ff"},
        {{MEMTRACE(MEM_POLL, 7), PAGE, 0, 2u << 28 | 6u << 10, 0xff, 0, 2}, 7, "MEM_POLL 1000 2 1 2 6 ff"},
        {{MEMTRACE(MEM_POLL, 8), PAGE, 0, 2u << 28 | 1u << 10 | 3u << 4, 1, 2, 0, 0},
         8,
         "MEM_POLL 1000 2 8 0 1 200000001"},
        {{MEMTRACE(MEM_WRITE, 6), 0x8, 0, 4u << 28, 4, 0x61}, 6, "MEM_WRITE 8 4 4 "},
        {{MEMTRACE(MEM_WRITE, 5), 0x8, 0, 0, 0}, 5, "MEM_WRITE 8 0 0 0 "},
        {{MEMTRACE(MEM_WRITE, 7), UINT32_MAX - 7, UINT16_MAX, 10u << 28, 1, 0x62, 99},
         7,
         "MEM_WRITE fffffffffff8 10 1 62 "},
        {{MEMTRACE(FRAME_BEGIN, 2), 9}, 2, "FRAME_BEGIN known 00000009"},
        {{MEMTRACE(COMMENT, 3), 0, TEXT('a', 'b', 'c', 0)}, 3, "COMMENT 'abc'"},
        {{MEMTRACE(COMMENT, 3), 0, TEXT('a', 'b', 'c', 'd')}, 3, "COMMENT 'abcd'"}, /* no NUL */
        {{MEMTRACE(COMMENT, 2), 0}, 2, "COMMENT ''"},
        {{MEMTRACE(DELAY, 2), UINT32_MAX}, 2, "DELAY 4294967295"},
        {{MEMTRACE(MEM_DUMP, 3), 1, 2}, 3, "MEM_DUMP known 00000001 00000002"},
        {{MEMTRACE(TEST_PHASE_MARKER, 2), 3}, 2, "TEST_PHASE_MARKER known 00000003"},
        {{MEMTRACE(CONT_REGION, 5), PAGE, 0, 2 * PAGE, 0},
         5,
         "CONT_REGION known 00001000 00000000 00002000 00000000"},
        {{MEMTRACE(VERSION, 5), 1, SKL_SIMULATOR << 8, 0, 0}, 5, "VERSION 0 c ''"},
        {{MEMTRACE(PREDICATE, 2), 1}, 2, "PREDICATE known 00000001"},
        {{MEMTRACE(DUMP_COMPRESS, 1)}, 1, "DUMP_COMPRESS known "},
        {{MEMTRACE(FIRST_UNKNOWN, 2), 1}, 2, "unknown memtrace packet unknown "},
        {{MEMTRACE(LAST_UNKNOWN, 1)}, 1, "unknown memtrace packet unknown "},
        {{CLASSIC(PPGTT_CONTEXT_CREATE, 11), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
         11,
         "PPGTT_CONTEXT_CREATE known 00000001 00000002 00000003 00000004 00000005 00000006 00000007 "
         "00000008"},
        {{CLASSIC(CAPTURE_BINARY_DUMP, 3), 1, 2}, 3, "CAPTURE_BINARY_DUMP known 00000001 00000002"},
        {{CLASSIC(BMP, 2), 1}, 2, "BMP known 00000001"},
        {{CLASSIC(UNKNOWN_CLASSIC, 2), 1}, 2, "unknown classic packet unknown "},
        {{CLASSIC(BLOCK, 5), 0x01, 0, BLOCK_AT, 3, 0x62}, 6, "BLOCK 10000 0 3 "},
        {{CLASSIC(BLOCK, 6), 0x01, 0, BLOCK_AT, 4, 0x12, 0x62},
         7,
         "BLOCK 1200010000 0 4 "}, /* 48 bits of address */
        {{CLASSIC(BLOCK, 5), 4 << 16 | 1, 0, 8, 4, 0x62}, 6, "BLOCK 8 4 4 "},
        {{CLASSIC(BLOCK, 5), 2 << 16 | 1, 0, 8, 4, 0x62}, 6, "BLOCK 8 2 4 "},
        {{CLASSIC(BLOCK, 5), AUB_RING_BLITTER << 8 | 2, 0, RING_AT, 4, 0x62}, 6, "BLOCK ring 4 20000 4"},
        {{CLASSIC(BLOCK, 5), 0x03, 0, HWS_PGA_OFFSET, 4, 0x62}, 6, "BLOCK 2080 0 4 ffffffff 62"},
        {{CLASSIC(BLOCK, 5), 0x00, 0, 0, 4, TEXT('a', 'b', 'c', 'd')}, 6, "BLOCK 'abcd'"},
    };
    static struct log l;
    struct aub_error error;
    char text[256];
    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        /* Twice: the reader must continue after it. The first is at offset 0. */
        uint32_t dw[32];
        memcpy(dw, packets[i].dw, packets[i].count * 4u);
        memcpy(dw + packets[i].count, packets[i].dw, packets[i].count * 4u);
        if (read_log(dw, packets[i].count * 8u, &l, &error) != AUB_OK)
            fail_msg("'%s': %s", packets[i].told, error.text);
        assert_int_equal(l.packets, 2);
        assert_int_equal(l.last_offset, packets[i].count * 4u);
        snprintf(text, sizeof text, "0 %s", packets[i].told);
        if (strncmp(l.text, text, strlen(text)) != 0 ||
            (l.text[strlen(text)] != '\n' && text[strlen(text) - 1] != ' '))
            fail_msg("told: %s, should be: %s", l.text, text);
    }
}

/* All 63 places of a discontiguous write: each piece has its own bytes, and those of size 0 are none. */
static void discontiguous_pieces_have_their_own_bytes(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    uint32_t dw[PAIRS_DW + 63] = {0};
    dw[1] = 63u << 4 | 2u << 28;
    char *bytes = (char *)(dw + PAIRS_DW);
    unsigned size = 0;
    for (unsigned i = 0; i < 63; i++) {
        const unsigned piece = i % 4; /* unaligned, packed */
        dw[2 + i * 3] = PAGE * i;
        dw[4 + i * 3] = piece;
        memset(bytes + size, 'A' + (int)i, piece);
        size += piece;
    }
    dw[0] = MEMTRACE(MEM_WRITE_DISCONT, PAIRS_DW + (size + 3) / 4);
    assert_int_equal(read_log(dw, (PAIRS_DW + (size + 3) / 4) * 4u, &l, &error), AUB_OK);
    assert_int_equal(l.packets, 47); /* 63 without the 16 empty ones */
    const char *at = l.text;
    for (unsigned i = 0; i < 63; i++) {
        const unsigned letter = 'A' + i;
        const unsigned sums[] = {0, letter, letter * 32u, (letter * 32u) * 31u + letter};
        char text[64];
        if (i % 4 == 0)
            continue;
        snprintf(text, sizeof text, "0 MEM_WRITE_DISCONT %x 2 %u %x ", PAGE * i, i % 4, sums[i % 4]);
        at = strstr(at, text);
        if (!at)
            fail_msg("not told: %s", text);
    }
    /* No pair at all, and only as many as the count says. */
    dw[1] = 2u << 28;
    assert_int_equal(read_log(dw, (PAIRS_DW + (size + 3) / 4) * 4u, &l, &error), AUB_OK);
    assert_int_equal(l.packets, 0);
    dw[1] = 2u << 4 | 2u << 28;
    assert_int_equal(read_log(dw, (PAIRS_DW + (size + 3) / 4) * 4u, &l, &error), AUB_OK);
    assert_int_equal(l.packets, 1);
}

static void classic_register_blocks_are_whole(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    const uint32_t dw[] = {CLASSIC(BLOCK, 5), 3, 0, HWS_PGA_OFFSET, 11, 0x11223344, 0x55667788, 0xaabbcc};
    assert_int_equal(read_log(dw, sizeof dw, &l, &error), AUB_OK);
    assert_string_equal(l.text, "0 BLOCK 2080 0 4 ffffffff 11223344\n0 BLOCK 2084 0 4 ffffffff 55667788\n"
                                "0 BLOCK 2088 0 2 ffff bbcc\n0 BLOCK 208a 0 1 ff aa\n");
    static struct log stops = {.stop_after = 2};
    assert_int_equal(read_log(dw, sizeof dw, &stops, &error), AUB_STOPPED);
    assert_int_equal(stops.packets, 2);
}

/* ---- Hostile files ---- */

/* The offsets of the packets of a trace, from the list. */
static unsigned packet_starts(const struct log *l, uint64_t *starts, unsigned room)
{
    unsigned n = 0;
    for (const char *line = l->text; *line; line = strchr(line, '\n') + 1) {
        const uint64_t offset = strtoull(line, NULL, 16);
        if (n == 0 || starts[n - 1] != offset) {
            assert_true(n < room);
            starts[n++] = offset;
        }
    }
    return n;
}

static void a_trace_cut_anywhere_tells_where(void **state)
{
    (void)state;
    static struct log whole, l;
    struct aub_error error;
    uint64_t starts[64];
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &whole, &error), AUB_OK);
    const unsigned packets = packet_starts(&whole, starts, 63);
    assert_int_equal(packets, 20);
    starts[packets] = t.size;
    unsigned clean = 0, packet = 0;
    for (size_t size = 0; size < t.size; size++) {
        while (starts[packet + 1] <= size)
            packet++;
        const enum aub_result result = read_log(t.data, size, &l, &error);
        assert_memory_equal(l.text, whole.text, l.at); /* what came before is told */
        const char *rest = whole.text + l.at;          /* and all of it */
        if (result == AUB_OK) {
            clean++;
            assert_true(size > 0);
            if (starts[packet] == size)
                assert_int_equal(strtoull(rest, NULL, 16), size);
            else /* only padding is missing: the packet is told */
                assert_int_equal(strtoull(rest, NULL, 16), starts[packet + 1]);
        } else {
            assert_int_equal(result, AUB_BAD);
            assert_int_equal(error.offset, starts[packet]);
            assert_true(error.text[0]);
            assert_int_equal(strtoull(rest, NULL, 16), starts[packet]);
        }
    }
    /* Between 20 packets, and a block may lack its padding: 2 bytes of one. */
    assert_int_equal(clean, 19 + 2);
    free(t.data);
}

static void flipped_bits_end(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    struct trace t = make_trace();
    for (size_t bit = 0; bit < t.size * 8; bit++) {
        t.data[bit / 8] = (char)(t.data[bit / 8] ^ 1 << bit % 8);
        const enum aub_result result = read_log(t.data, t.size, &l, &error);
        assert_true(result == AUB_OK || (result == AUB_BAD && error.text[0] && error.offset <= t.size));
        t.data[bit / 8] = (char)(t.data[bit / 8] ^ 1 << bit % 8);
    }
    free(t.data);
}

static void bad(const uint32_t *dw, size_t count, const char *text)
{
    static struct log l;
    struct aub_error error;
    assert_int_equal(read_log(dw, count * 4, &l, &error), AUB_BAD);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not tell '%s'", error.text, text);
}

static void hostile_sizes_are_told(void **state)
{
    (void)state;
    static uint32_t dw[400];
    bad((const uint32_t[]){MEMTRACE(MEM_WRITE, 6), PAGE, 0, 2u << 28, INT32_MAX, 0}, 6, "its packet holds 4");
    bad((const uint32_t[]){MEMTRACE(MEM_WRITE, 3), PAGE, 0}, 3, "at least 5 are needed");
    bad((const uint32_t[]){MEMTRACE(REG_WRITE, 6), 0, 9u << 16, 0, 0, 0}, 6, "register size code 9");
    bad((const uint32_t[]){MEMTRACE(REG_WRITE, 6), 0, 3u << 16, 0, 0, 0}, 6, "7 are needed");
    bad((const uint32_t[]){CLASSIC(BLOCK, 5), 1 << 8 | 1, 0, 0, UINT32_MAX}, 5, "the file ends after 0");
    bad((const uint32_t[]){CLASSIC(BLOCK, 5), 1 << 8 | 153, 0, 0, 4, 0}, 6, "operation 153 does not exist");
    bad((const uint32_t[]){CLASSIC(BLOCK, 5), 5 << 16 | 1, 0, 0, 4, 0}, 6, "address space 5 does not exist");
    bad((const uint32_t[]){CLASSIC(BLOCK, 5), 255 << 16 | 1, 0, 0, 4, 0}, 6,
        "address space 255 does not exist");
    bad((const uint32_t[]){VALUE}, 1, "not an AUB packet: header 12345678");
    bad((const uint32_t[]){CLASSIC(HEADER, 3), 0, 0}, 3, "at least 13 are needed");
    dw[0] = MEMTRACE(MEM_WRITE_DISCONT, PAIRS_DW);
    dw[1] = 64u << 4;
    bad(dw, PAIRS_DW, "64 pairs");
    dw[1] = 1u << 4;
    dw[4] = 100;
    bad(dw, PAIRS_DW, "pair 0 says 100 bytes");
    bad(dw, 0, "the file is empty");
}

static void a_consumer_can_stop(void **state)
{
    (void)state;
    static struct log l = {.stop_after = 3};
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &l, &error), AUB_STOPPED);
    assert_int_equal(l.packets, 3);
    free(t.data);
}

static void header_is(const char *text, size_t size, uint32_t pci_id, const char *wanted)
{
    static struct log l;
    struct aub_error error;
    char line[192];
    uint32_t dw[40] = {0, 1, SKL_SIMULATOR << 8};
    memcpy(dw + 5, text, size);
    const unsigned count = 5 + (unsigned)(size + 3) / 4;
    dw[0] = MEMTRACE(VERSION, count);
    assert_int_equal(read_log(dw, count * 4, &l, &error), AUB_OK);
    snprintf(line, sizeof line, "0 VERSION %x c '%s'\n", pci_id, wanted);
    assert_string_equal(l.text, line);
}

/* Text in headers ends at the first character that is not printable: writers leave their stack after it.
 * There may be no NUL. The id may be in any base. */
static void names_are_cleaned(void **state)
{
    (void)state;
    header_is("PCI-ID=0x1912 ab\x01\x02\xff", 19, SKL_ID, "PCI-ID=0x1912 ab");
    header_is("PCI-ID=0x1912 glw\0\x30\x1b", 20, SKL_ID, "PCI-ID=0x1912 glw");
    header_is("PCI-ID=0x9A49 abcdef", 20, 0x9a49, "PCI-ID=0x9A49 abcdef"); /* no NUL */
    header_is("PCI-ID=0x9a49", 13, 0x9a49, "PCI-ID=0x9a49");
    header_is("PCI-ID=6418 x", 13, SKL_ID, "PCI-ID=6418 x");
    header_is("PCI-ID=", 7, 0, "PCI-ID=");
    header_is("PCI-ID=gfx", 10, 0, "PCI-ID=gfx");
    header_is("PCI-ID=0x11912", 14, 0, "PCI-ID=0x11912"); /* not another device with the same end */
    header_is("PCI-ID=-59118", 13, 0, "PCI-ID=-59118");
    header_is("PCI-ID=0x10000000000001912", 26, 0, "PCI-ID=0x10000000000001912");
    header_is("", 0, 0, "");
    header_is("\x80PCI-ID=0x1912", 14, 0, "");
    char longest[128], wanted[96] = {0};
    memset(longest, 'x', sizeof longest);
    memset(wanted, 'x', 95);
    header_is(longest, sizeof longest, 0, wanted);
    /* Classic: a name of 32 bytes, with no NUL either, and a comment that is longer than its text. */
    static struct log l;
    struct aub_error error;
    uint32_t dw[20] = {CLASSIC(HEADER, 20), 4u << 24};
    memset(dw + 2, 'n', 32);
    dw[12] = 28;
    memcpy(dw + 13, "PCI-ID=0x126\0garbage", 20);
    assert_int_equal(read_log(dw, sizeof dw, &l, &error), AUB_OK);
    assert_string_equal(l.text, "0 HEADER 126 0 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn PCI-ID=0x126' classic\n");
}

typedef int add_filter(struct archive *);

static add_filter *const filters[] = {archive_write_add_filter_gzip, archive_write_add_filter_xz,
                                      archive_write_add_filter_zstd, archive_write_add_filter_bzip2};
enum { FILTERS = sizeof filters / sizeof filters[0] };

static size_t pack(add_filter *filter, const struct trace *t, char *packed, size_t room)
{
    size_t used = 0;
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(filter(a), ARCHIVE_OK);
    archive_write_set_bytes_per_block(a, 0);
    assert_int_equal(archive_write_open_memory(a, packed, room, &used), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, t->data, t->size), (int)t->size);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_entry_free(entry);
    archive_write_free(a);
    return used;
}

static char packed[1 << 18];

static void compressed_traces_read_the_same(void **state)
{
    (void)state;
    static struct log whole, l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &whole, &error), AUB_OK);
    for (unsigned i = 0; i < FILTERS; i++) {
        const size_t used = pack(filters[i], &t, packed, sizeof packed);
        assert_true(used > 0 && used < t.size); /* it did become smaller */
        assert_int_equal(read_log(packed, used, &l, &error), AUB_OK);
        assert_string_equal(l.text, whole.text);
    }
    free(t.data);
}

/* A compressed trace that is cut or damaged gives an error, never another valid trace. */
static void damaged_compressed_traces_are_told(void **state)
{
    (void)state;
    static struct log whole, l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &whole, &error), AUB_OK);
    for (unsigned i = 0; i < FILTERS; i++) {
        const size_t used = pack(filters[i], &t, packed, sizeof packed);
        unsigned told = 0;
        for (size_t size = 0; size < used; size++) {
            char *cut = malloc(size ? size : 1); /* its end is where ASan sees it */
            memcpy(cut, packed, size);
            const enum aub_result result = read_log(cut, size, &l, &error);
            free(cut);
            assert_memory_equal(l.text, whole.text, l.at);
            if (result == AUB_OK)
                assert_string_equal(l.text, whole.text); /* only a checksum is missing */
            else
                told++;
            assert_true(result == AUB_OK || (error.text[0] && error.offset <= t.size));
        }
        assert_true(told > used / 2);
        for (size_t byte = 0; byte < used; byte++) {
            packed[byte] = (char)(packed[byte] ^ 0x55);
            const enum aub_result result = read_log(packed, used, &l, &error);
            assert_true(result == AUB_OK || (result == AUB_BAD && error.text[0]));
            packed[byte] = (char)(packed[byte] ^ 0x55);
        }
    }
    free(t.data);
}

/* Headers without a PCI id name the product by a number. */
static void products_have_numbers(void **state)
{
    (void)state;
    static const struct {
        uint32_t id;
        const char *name;
    } products[] = {{0x0b, "bdw"}, {0x10, "kbl"}, {0x11, "glk"}, {0x18, "cfl"}, {0x1c, "ehl"}, {0x16, "tgl"},
                    {0x1e, "dg1"}, {0x22, "tgl"}, {0x25, "tgl"}, {0x24, "dg2"}, {0x2b, "bmg"}, {0x2d, "lnl"}};
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        assert_string_equal(simulator_name(products[i].id), products[i].name);
    assert_null(simulator_name(0));
    assert_int_equal(simulator_id("tgl"), 0x16);
    assert_int_equal(simulator_id("snb"), 0);
}

TEST_PROGRAM(aub_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_is_read_as_written),
        cmocka_unit_test(fields_are_read_exactly),
        cmocka_unit_test(large_writes_are_split_and_whole),
        cmocka_unit_test(every_packet_kind_from_its_bytes),
        cmocka_unit_test(discontiguous_pieces_have_their_own_bytes),
        cmocka_unit_test(classic_register_blocks_are_whole),
        cmocka_unit_test(a_trace_cut_anywhere_tells_where),
        cmocka_unit_test(flipped_bits_end),
        cmocka_unit_test(hostile_sizes_are_told),
        cmocka_unit_test(a_consumer_can_stop),
        cmocka_unit_test(names_are_cleaned),
        cmocka_unit_test(products_have_numbers),
        cmocka_unit_test(compressed_traces_read_the_same),
        cmocka_unit_test(damaged_compressed_traces_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
