/* The AUB format: what is written is read, every packet kind, hostile files; and traces on a device. */
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

#include "frontend/aub/aub.h"
#include "frontend/aub/replay.h"

/* ---- A sink that writes down what it is told ---- */

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
    return put(user, at, "%llx %u %u %x %u %llx%s", (unsigned long long)m->address, m->space, m->size_bytes,
               sum, m->compare, (unsigned long long)m->mask, m->deferred ? " deferred" : "");
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
    return aub_read_memory(data, size, &sink, error);
}

/* ---- A trace of every kind ---- */

struct trace {
    char *data;
    size_t size;
};

static const uint32_t discontiguous_head[] = {0, 2u << 4 | 2u << 28, 0x1000, 0, 4, 0x9000, 1, 6};

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
    aub_write_version(&w, 0x0c, 0x1912, "test");
    aub_write_register(&w, 0x2094, 4, UINT64_MAX, 0x12345678);
    aub_write_register(&w, 0x2600, 8, UINT64_MAX, 0x123456789abcdef0);
    aub_write_register_compare(&w, 0x2094, 4, 0xffff, 0x5678);
    aub_write_register_poll(&w, 0x2094, 4, 0xf, 0x1, true);
    aub_write_memory(&w, AUB_GGTT_ENTRY, 8, "\1\20\0\0\0\0\0\0", 8);
    aub_write_memory(&w, AUB_PHYSICAL, 0x5000, bytes, 7);
    aub_write_memory_compare(&w, AUB_PHYSICAL, 0x5000, bytes, 7, false);
    aub_write_memory_compare(&w, AUB_PHYSICAL, 0x6000, bytes, 7, true);
    aub_write_memory_poll(&w, AUB_PHYSICAL, 0x5000, 4, 0xff, 1, AUB_EQUAL);
    aub_write_memory_poll(&w, AUB_PHYSICAL, 0x5000, 8, UINT64_MAX, 0, AUB_GREATER);
    aub_write_comment(&w, "a comment");
    aub_write_delay(&w, 17);
    aub_write_frame_begin(&w, 3);
    /* Two pieces that lie apart: 63 places, then their bytes back to back. */
    uint32_t dw[194] = {0};
    memcpy(dw, discontiguous_head, sizeof discontiguous_head);
    dw[0] = 7u << 29 | 0x2eu << 23 | 0x0bu << 16 | 193u;
    memcpy(dw + 191, "abcdefghij\0\0", 12);
    raw(file, dw, 194);
    raw(file, (const uint32_t[]){0xf7000000 | 0x55u << 16 | 1u, 0xdeadbeef}, 2); /* no such memtrace packet */
    /* Classic: header, data in the GTT, ring commands, register. */
    uint32_t header[17] = {0xe0850000 | 15u, 4u << 24, 0x706f6174 /* "tapo" */};
    header[12] = 13;
    memcpy(header + 13, "PCI-ID=0x126\0\0\0\0", 16);
    raw(file, header, 17);
    raw(file, (const uint32_t[]){0xe0c10003, 0x00000101, 0, 0x10000, 6, 0x11223344, 0x5566}, 7);
    raw(file, (const uint32_t[]){0xe0c10003, 0x00000202, 0, 0x20000, 8, 0x18800000, 0x10000}, 7);
    raw(file, (const uint32_t[]){0xe0c10003, 0x00000003, 0, 0x2094, 4, 0x77}, 6);
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

/* Where the memory poll's mask and comparison go, and both pieces of a discontiguous write. */
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

static void large_writes_are_split_and_whole(void **state)
{
    (void)state;
    struct trace t = {NULL, 0};
    struct aub_writer w;
    static uint8_t bytes[200000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    assert_true(aub_writer_open(&w, NULL, open_memstream(&t.data, &t.size)));
    aub_write_version(&w, 0x0c, 0x1912, "large");
    aub_write_memory(&w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes);
    aub_write_memory_compare(&w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes, false);
    bytes[150000]++;
    aub_write_memory_compare(&w, AUB_PHYSICAL, 0x10000, bytes, sizeof bytes, true);
    assert_true(aub_writer_close(&w));
    const struct replay_options options = {0};
    struct replay_result result;
    assert_int_equal(replay_memory(t.data, t.size, &options, &result), REPLAY_CLEAN);
    assert_int_equal(result.compares, 8);
    free(t.data);
}

/* ---- Hostile files ---- */

static void a_trace_cut_anywhere_tells_where(void **state)
{
    (void)state;
    static struct log whole, l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &whole, &error), AUB_OK);
    unsigned clean = 0;
    for (size_t size = 0; size < t.size; size++) {
        const enum aub_result result = read_log(t.data, size, &l, &error);
        assert_memory_equal(l.text, whole.text, l.at); /* what came before is told */
        if (result == AUB_OK) {
            clean++; /* between two packets */
            assert_true(size > 0);
        } else {
            assert_int_equal(result, AUB_BAD);
            assert_true(error.offset <= size && error.text[0]);
        }
    }
    /* Between 20 packets; and a block may lack its padding. */
    assert_int_equal(clean, 21);
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
    bad((const uint32_t[]){0xf7060005, 0x1000, 0, 2u << 28, 0x7fffffff, 0}, 6, "its packet holds 4");
    bad((const uint32_t[]){0xf7060002, 0x1000, 0}, 3, "at least 5 are needed");
    bad((const uint32_t[]){0xf7030005, 0, 9u << 16, 0, 0, 0}, 6, "register size code 9");
    bad((const uint32_t[]){0xf7030005, 0, 3u << 16, 0, 0, 0}, 6, "7 are needed");
    bad((const uint32_t[]){0xe0c10003, 0x101, 0, 0, 0xffffffff}, 5, "the file ends after 0");
    bad((const uint32_t[]){0xe0c10003, 0x199, 0, 0, 4, 0}, 6, "operation 153 does not exist");
    bad((const uint32_t[]){0x12345678}, 1, "not an AUB packet: header 12345678");
    bad((const uint32_t[]){0xe0850001, 0, 0}, 3, "at least 13 are needed");
    dw[0] = 0xf70b0000 | 190u;
    dw[1] = 64u << 4;
    bad(dw, 191, "64 pairs");
    dw[1] = 1u << 4;
    dw[4] = 100;
    bad(dw, 191, "pair 0 says 100 bytes");
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

/* Text in headers goes up to what is not printable: writers leave their stack behind it. */
static void names_are_cleaned(void **state)
{
    (void)state;
    static struct log l;
    struct aub_error error;
    uint32_t dw[10] = {0xf70e0000 | 9u, 1, 0x0c00};
    memcpy(dw + 5, "PCI-ID=0x1912 ab\x01\x02\xff", 19);
    assert_int_equal(read_log(dw, sizeof dw, &l, &error), AUB_OK);
    assert_string_equal(l.text, "0 VERSION 1912 c 'PCI-ID=0x1912 ab'\n");
}

static void compressed_traces_read_the_same(void **state)
{
    (void)state;
    static struct log whole, l;
    struct aub_error error;
    struct trace t = make_trace();
    assert_int_equal(read_log(t.data, t.size, &whole, &error), AUB_OK);
    int (*const filters[])(struct archive *) = {archive_write_add_filter_gzip, archive_write_add_filter_xz,
                                                archive_write_add_filter_zstd,
                                                archive_write_add_filter_bzip2};
    static char packed[1 << 18];
    for (unsigned i = 0; i < 4; i++) {
        size_t used = 0;
        struct archive *a = archive_write_new();
        struct archive_entry *entry = archive_entry_new();
        assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
        assert_int_equal(filters[i](a), ARCHIVE_OK);
        archive_write_set_bytes_per_block(a, 0);
        assert_int_equal(archive_write_open_memory(a, packed, sizeof packed, &used), ARCHIVE_OK);
        archive_entry_set_filetype(entry, AE_IFREG);
        assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(a, t.data, t.size), (int)t.size);
        archive_write_close(a);
        archive_entry_free(entry);
        archive_write_free(a);
        assert_int_equal(read_log(packed, used, &l, &error), AUB_OK);
        assert_string_equal(l.text, whole.text);
    }
    free(t.data);
}

/* ---- On a device ---- */

struct told {
    char text[4096];
    uint64_t offset;
};

static void on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct told *t = user;
    if (kind == REPLAY_ERROR && !t->text[0])
        t->offset = offset;
    strncat(t->text, text, sizeof t->text - strlen(t->text) - 2);
    strcat(t->text, "\n");
}

enum { LRCA = 0x2000, RING = 0x8000, BATCH = 0x10000 };

/* A context with 4-level tables at physical 40000h: `batch` at graphics address 10000h. */
static void write_context(struct aub_writer *w, const uint32_t *batch, size_t batch_dw, uint64_t pml4_entry)
{
    const uint64_t tables[][2] = {
        {0x40000, pml4_entry}, {0x41000, 0x42003}, {0x42000, 0x43003}, {0x43000 + 16 * 8, 0x50003}};
    const uint32_t ring[] = {0x18800101, BATCH, 0, 0};
    uint32_t image[80] = {0, 0x1100101b, 0x2244, 0x00090009, 0x2034, 0, 0x2030, 16, 0x2038, RING, 0x203c, 1};
    static const uint32_t rest[] = {0x2168, 0x2140, 0x2110, 0x211c, 0x2114, 0x2118, 0x21c0, 0x21c4, 0x21c8};
    static const uint32_t pdps[] = {0x23a8, 0x228c, 0x2288, 0x2284, 0x2280, 0x227c, 0x2278, 0x2274, 0x2270};
    for (unsigned i = 0; i < 9; i++) {
        image[12 + i * 2] = rest[i];
        image[0x22 + i * 2] = pdps[i];
    }
    image[0x21] = 0x11001011;
    image[0x33] = 0x40000;
    for (uint64_t page = 0; page < 16; page++) {
        const uint64_t entry = page << 12 | 1;
        aub_write_memory(w, AUB_GGTT_ENTRY, page * 8, &entry, 8);
    }
    for (unsigned i = 0; i < 4; i++)
        aub_write_memory(w, AUB_PHYSICAL, tables[i][0], &tables[i][1], 8);
    aub_write_memory(w, AUB_PHYSICAL, 0x50000, batch, batch_dw * 4);
    aub_write_memory(w, AUB_GGTT, RING, ring, sizeof ring);
    aub_write_memory(w, AUB_GGTT, LRCA + 4096, image, sizeof image);
    aub_write_register(w, 0x229c, 4, UINT64_MAX, 0x80008000);
    aub_write_register(w, 0x2080, 4, UINT64_MAX, 0xf000);
    for (unsigned i = 0; i < 4; i++)
        aub_write_register(w, 0x2230, 4, UINT64_MAX, i == 3 ? LRCA | 0x339 : i == 2 ? 7 : 0);
}

static enum replay_outcome play(void (*write)(struct aub_writer *w), const struct replay_options *base,
                                struct replay_result *result, struct told *told)
{
    struct trace t = {NULL, 0};
    struct aub_writer w;
    assert_true(aub_writer_open(&w, NULL, open_memstream(&t.data, &t.size)));
    aub_write_version(&w, 0x0c, 0x1912, "test");
    write(&w);
    assert_true(aub_writer_close(&w));
    struct replay_options options = *base;
    memset(told, 0, sizeof *told);
    options.user = told;
    options.message = on_message;
    const enum replay_outcome outcome = replay_memory(t.data, t.size, &options, result);
    free(t.data);
    return outcome;
}

static void write_store(struct aub_writer *w)
{
    static const uint32_t batch[] = {0x10000002, BATCH + 0x100, 0, 0xcafe, 0x05000000};
    const uint32_t wanted = 0xcafe, other = 0xbeef;
    write_context(w, batch, 5, 0x41003);
    aub_write_register_poll(w, 0x2234, 4, 0x10, 0, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, 0x50100, &wanted, 4, false);
    aub_write_memory_compare(w, AUB_PHYSICAL, 0x50100, &other, 4, true);
    aub_write_memory_poll(w, AUB_PHYSICAL, 0x50100, 4, 0xffff, 0xcafe, AUB_EQUAL);
    aub_write_register_compare(w, 0x2014, 4, 0, 0);
}

static void write_false_compares(struct aub_writer *w)
{
    const uint32_t other = 0xbeef;
    write_store(w);
    aub_write_memory_compare(w, AUB_PHYSICAL, 0x50100, &other, 4, false);
    aub_write_register_compare(w, 0x2080, 4, UINT64_MAX, 0x1000);
    aub_write_register_poll(w, 0x2080, 4, UINT64_MAX, 0x1000, false);
    aub_write_memory_poll(w, AUB_PHYSICAL, 0x50100, 4, UINT64_MAX, 0, AUB_EQUAL);
}

static void polls_and_compares_are_executed(void **state)
{
    (void)state;
    struct replay_result result;
    struct told told;
    const struct replay_options options = {0};
    assert_int_equal(play(write_store, &options, &result, &told), REPLAY_CLEAN);
    assert_int_equal(result.compares, 3);
    assert_int_equal(result.polls, 2);
    assert_int_equal(play(write_false_compares, &options, &result, &told), REPLAY_FAILED);
    assert_int_equal(result.compares_failed, 2);
    assert_int_equal(result.polls_failed, 2);
    assert_non_null(strstr(told.text, "MEM_CMP: byte at 0x50100 is fe, should be ef"));
    assert_non_null(strstr(told.text, "REG_CMP: register 0x2080 is 0xf000"));
    assert_true(told.offset > 0);
}

static void write_self_jump(struct aub_writer *w)
{
    static const uint32_t batch[] = {0x18800101, BATCH, 0, 0};
    write_context(w, batch, 4, 0x41003);
}

static void write_tables_in_circles(struct aub_writer *w)
{
    static const uint32_t batch[] = {0x05000000};
    write_context(w, batch, 1, 0x40003); /* the PML4's entry is the PML4 */
}

static void write_ring_nowhere(struct aub_writer *w)
{
    static const uint32_t batch[] = {0x05000000}, start = 0x7ffff000;
    write_context(w, batch, 1, 0x41003);
    aub_write_memory(w, AUB_GGTT, LRCA + 4096 + 9 * 4, &start, 4);
    aub_write_memory(w, AUB_GGTT, LRCA + 4096 + 5 * 4, "\0\0\0\0", 4);
    for (unsigned i = 0; i < 4; i++)
        aub_write_register(w, 0x2230, 4, UINT64_MAX, i == 3 ? LRCA | 0x339 : 0);
}

static void write_past_everything(struct aub_writer *w)
{
    aub_write_memory(w, AUB_GGTT_ENTRY, UINT64_C(0xffffffffffff), "12345678", 8);
    aub_write_memory(w, AUB_GGTT, 0x123000, "1234", 4);
    aub_write_register(w, 0x7fffff00, 4, UINT64_MAX, 1);
    aub_write_memory(w, (enum aub_space)13, 0, "1234", 4);
}

static void write_too_much(struct aub_writer *w)
{
    for (uint64_t i = 0; i < 100; i++)
        aub_write_memory(w, AUB_PHYSICAL, i << 20, "1234", 4);
}

static void hostile_traces_end_with_a_reason(void **state)
{
    (void)state;
    struct replay_result result;
    struct told told;
    const struct replay_options options = {.budget_dw = 100000, .memory_limit_bytes = 4 << 20};
    assert_int_equal(play(write_self_jump, &options, &result, &told), REPLAY_FAILED);
    assert_non_null(strstr(told.text, "does the batch loop?"));
    assert_int_equal(play(write_tables_in_circles, &options, &result, &told), REPLAY_FAILED);
    assert_non_null(strstr(told.text, "rcs0"));
    assert_int_equal(play(write_ring_nowhere, &options, &result, &told), REPLAY_FAILED);
    assert_non_null(strstr(told.text, "cannot be fetched"));
    assert_int_equal(play(write_past_everything, &options, &result, &told), REPLAY_FAILED);
    assert_int_equal(result.errors, 4);
    assert_non_null(strstr(told.text, "past the GGTT's table"));
    assert_non_null(strstr(told.text, "not mapped"));
    assert_non_null(strstr(told.text, "past the device's"));
    assert_non_null(strstr(told.text, "address space 13"));
    assert_int_equal(play(write_too_much, &options, &result, &told), REPLAY_UNUSABLE);
    assert_non_null(strstr(told.text, "more than 4 MB of memory"));
    const struct replay_options nowhere = {.device = "i740"};
    assert_int_equal(play(write_store, &nowhere, &result, &told), REPLAY_UNUSABLE);
    assert_non_null(strstr(told.text, "no device is named 'i740'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_is_read_as_written),
        cmocka_unit_test(fields_are_read_exactly),
        cmocka_unit_test(large_writes_are_split_and_whole),
        cmocka_unit_test(a_trace_cut_anywhere_tells_where),
        cmocka_unit_test(flipped_bits_end),
        cmocka_unit_test(hostile_sizes_are_told),
        cmocka_unit_test(a_consumer_can_stop),
        cmocka_unit_test(names_are_cleaned),
        cmocka_unit_test(compressed_traces_read_the_same),
        cmocka_unit_test(polls_and_compares_are_executed),
        cmocka_unit_test(hostile_traces_end_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
