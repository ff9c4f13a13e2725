/* Traces as files: packets that go over the blocks a decompressor gives, standard input, files that are none,
 * writers that cannot write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "../suite.h"
#include "aub/aub.h"

/* ---- A trace in which every byte of memory is known from its address ---- */

enum { LARGEST = (65536 - 5) * 4, BLOCK_BYTES = 200003 };

static uint8_t byte_at(uint64_t address)
{
    const uint64_t mixed = address * UINT64_C(0x9e3779b97f4a7c15);
    return (uint8_t)(mixed >> 56);
}

struct trace {
    char *data;
    size_t size;
    uint64_t memory_bytes;
};

static void put_dwords(FILE *file, const uint32_t *dw, size_t count)
{
    assert_int_equal(fwrite(dw, 4, count, file), count);
}

/* The bytes of [address, address + size), and up to a dword. */
static void put_memory(FILE *file, uint64_t address, size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_not_equal(fputc(byte_at(address + i), file), EOF);
    for (size_t i = size; i & 3u; i++)
        assert_int_not_equal(fputc(0, file), EOF);
}

static struct trace make_trace(void)
{
    static const uint32_t sizes[] = {1, 4096, 3, 65536, 20, 32768, 5, LARGEST, 7, 4096, 100001, 2};
    struct trace t = {NULL, 0, 0};
    FILE *file = open_memstream(&t.data, &t.size);
    put_dwords(file, (const uint32_t[]){0xf70e0004, 1, 0x0c00, 0, 0}, 5);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const uint32_t dwords = 5 + (sizes[i] + 3) / 4;
            put_dwords(file,
                       (const uint32_t[]){0xf7060000 | (dwords - 1), (uint32_t)t.memory_bytes, 0, 2u << 28,
                                          sizes[i]},
                       5);
            put_memory(file, t.memory_bytes, sizes[i]);
            t.memory_bytes += sizes[i];
        }
        put_dwords(file,
                   (const uint32_t[]){0xe0c10004, 0x020001, 0, (uint32_t)t.memory_bytes, BLOCK_BYTES, 0}, 6);
        put_memory(file, t.memory_bytes, BLOCK_BYTES);
        t.memory_bytes += BLOCK_BYTES;
    }
    assert_int_equal(fclose(file), 0);
    return t;
}

struct seen {
    uint64_t next;
    uint32_t largest;
    bool headed, wrong;
};

static bool on_header(void *user, const struct aub_packet *at, const struct aub_header *h)
{
    struct seen *s = user;
    s->headed = at->offset == 0 && h->simulator_id == 0x0c;
    return true;
}

static bool on_write(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct seen *s = user;
    s->wrong = s->wrong || m->address != s->next || m->space != AUB_PHYSICAL || at->offset == 0;
    for (uint32_t i = 0; i < m->size_bytes; i++)
        s->wrong = s->wrong || m->data[i] != byte_at(m->address + i);
    s->largest = m->size_bytes > s->largest ? m->size_bytes : s->largest;
    s->next = m->address + m->size_bytes;
    return !s->wrong;
}

static void reads_whole(const char *path, const struct trace *t)
{
    struct seen s = {0};
    struct aub_error error;
    const struct aub_sink sink = {.user = &s, .header = on_header, .memory_write = on_write};
    const enum aub_result result = aub_read_file(path, &sink, &error);
    if (result == AUB_BAD)
        fail_msg("%s: %llx: %s", path, (unsigned long long)error.offset, error.text);
    assert_int_equal(result, AUB_OK);
    assert_false(s.wrong);
    assert_true(s.headed);
    assert_int_equal(s.next, t->memory_bytes);
    assert_int_equal(s.largest, LARGEST);
}

/* ---- Files ---- */

static char path[64];

static void make_file(const void *data, size_t size)
{
    strcpy(path, "/tmp/aub-file-test-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t done = 0; done < size;) {
        const ssize_t part = write(fd, (const char *)data + done, size - done);
        assert_true(part > 0);
        done += (size_t)part;
    }
    assert_int_equal(close(fd), 0);
}

typedef int add_filter(struct archive *);

static add_filter *const filters[] = {
    archive_write_add_filter_none,  archive_write_add_filter_gzip, archive_write_add_filter_xz,
    archive_write_add_filter_zstd,  archive_write_add_filter_lz4,  archive_write_add_filter_lzma,
    archive_write_add_filter_bzip2,
};

static void make_packed_file(add_filter *filter, const void *data, size_t size)
{
    size_t used = 0;
    const size_t room = size + (1 << 16);
    char *packed = malloc(room);
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    assert_non_null(packed);
    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(filter(a), ARCHIVE_OK);
    archive_write_set_bytes_per_block(a, 0);
    assert_int_equal(archive_write_open_memory(a, packed, room, &used), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, data, size), (la_ssize_t)size);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_entry_free(entry);
    archive_write_free(a);
    make_file(packed, used);
    free(packed);
}

static void packets_go_over_blocks(void **state)
{
    (void)state;
    struct trace t = make_trace();
    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        make_packed_file(filters[i], t.data, t.size);
        reads_whole(path, &t);
        assert_int_equal(unlink(path), 0);
    }
    free(t.data);
}

/* A pipe hands out as little as it likes. */
static void standard_input_is_read(void **state)
{
    (void)state;
    struct trace t = make_trace();
    char command[128];
    make_file(t.data, t.size);
    snprintf(command, sizeof command, "dd if=%s bs=1021 2>/dev/null", path);
    FILE *pipe = popen(command, "r");
    const int kept = dup(STDIN_FILENO);
    assert_non_null(pipe);
    assert_int_equal(dup2(fileno(pipe), STDIN_FILENO), STDIN_FILENO);
    reads_whole("-", &t);
    if (kept >= 0) {
        assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
        close(kept);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(unlink(path), 0);
    free(t.data);
}

static void is_bad(const char *name, const char *text, uint64_t offset)
{
    const struct aub_sink none = {0};
    struct aub_error error;
    assert_int_equal(aub_read_file(name, &none, &error), AUB_BAD);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not tell '%s'", error.text, text);
    assert_int_equal(error.offset, offset);
    assert_int_equal(aub_read_file(name, &none, NULL), AUB_BAD); /* nobody asks why */
}

static void files_that_are_none_are_told(void **state)
{
    (void)state;
    is_bad("/tmp/no/such/file.aub", "No such file", AUB_NO_OFFSET);
    is_bad("/tmp", "cannot be read", AUB_NO_OFFSET);
    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (filters[i] == archive_write_add_filter_lz4)
            continue; /* libarchive 3.6 crashes when it has nothing to write */
        make_packed_file(filters[i], "", 0);
        is_bad(path, "the file is empty", 0);
        assert_int_equal(unlink(path), 0);
    }
}

/* The library can start programs for some formats, from PATH; a trace must not choose one. */
static void a_file_starts_no_program(void **state)
{
    (void)state;
    static const char starts[][16] = {"LRZI\0\6", "\x89LZO\0\r\n\x1a\n\x10\x30", "GRZipII\0\2\4:)"};
    for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char file[256] = {0};
        memcpy(file, starts[i], sizeof starts[i]);
        make_file(file, sizeof file);
        is_bad(path, "not an AUB packet", 0);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_writer_tells_that_it_failed(void **state)
{
    (void)state;
    static const uint8_t bytes[70000];
    struct aub_writer w;
    errno = 0;
    assert_false(aub_writer_open(&w, "/tmp/no/such/folder/a.aub", NULL));
    assert_int_equal(errno, ENOENT);
    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        skip();
    assert_true(aub_writer_open(&w, NULL, full));
    aub_write_version(&w, 0x0c, 0x1912, "full"); /* little: only found when it is flushed */
    assert_false(aub_writer_close(&w));
    assert_true(aub_writer_open(&w, NULL, fopen("/dev/full", "wb")));
    aub_write_memory(&w, AUB_PHYSICAL, 0, bytes, sizeof bytes);
    assert_true(w.failed);
    aub_write_delay(&w, 1); /* goes nowhere */
    assert_false(aub_writer_close(&w));
}

TEST_PROGRAM(aub_file_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_go_over_blocks),        cmocka_unit_test(standard_input_is_read),
        cmocka_unit_test(files_that_are_none_are_told),  cmocka_unit_test(a_file_starts_no_program),
        cmocka_unit_test(a_writer_tells_that_it_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
