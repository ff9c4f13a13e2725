#include "aub/aub.h"

#include "host/files.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A memtrace packet has at most 65536 dwords; classic payloads are passed on in parts. */
enum { PACKET_BYTES = 65536 * 4, PART_BYTES = 1 << 16, PROGRESS_BYTES = 4 << 20, BLOCK_BYTES = 1 << 18 };
enum { CLASSIC = 0x01, MEMTRACE = 0x2e };
enum {
    CLASSIC_HEADER = 0x05,
    CLASSIC_PPGTT = 0x14,
    CLASSIC_CAPTURE = 0x15,
    CLASSIC_BMP = 0x1e,
    CLASSIC_BLOCK = 0x41
};

struct aub_reader {
    struct archive *archive;
    struct archive_entry *entry;
    const void *data; /* in memory: what is left; NULL: in a file */
    size_t data_bytes;
    int file;
    const struct aub_sink *sink;
    struct aub_error *error;
    const uint8_t *in; /* what is left of the library's last block */
    size_t left;
    uint64_t offset, reported_offset, digest, file_bytes;
    bool ended;
    size_t carried; /* bytes in carry; they precede `in` */
    struct aub_packet at;
    uint8_t carry[PACKET_BYTES + 64]; /* a packet that spans blocks */
    uint8_t block[BLOCK_BYTES];       /* of the file */
};

__attribute__((format(printf, 2, 3))) static enum aub_result bad(struct aub_reader *r, const char *format,
                                                                 ...)
{
    va_list arguments;
    r->error->offset = r->at.offset;
    va_start(arguments, format);
    vsnprintf(r->error->text, sizeof r->error->text, format, arguments);
    va_end(arguments);
    return AUB_BAD;
}

/* The text of the reason may be missing when memory is out. */
static const char *reason(const struct aub_reader *r)
{
    const char *const text = archive_error_string(r->archive);
    return text ? text : "out of memory";
}

/* The next block of the file. False: the end, or an error, which is reported. */
static bool next_block(struct aub_reader *r, enum aub_result *result)
{
    const void *block;
    la_int64_t offset;
    while (!r->ended && !r->left) {
        const int status = archive_read_data_block(r->archive, &block, &r->left, &offset);
        if (status == ARCHIVE_EOF) {
            r->ended = true;
        } else if (status < ARCHIVE_WARN) {
            *result = bad(r, "cannot be decompressed: %s", reason(r));
            r->ended = true;
            r->left = 0;
            return false;
        }
        r->in = block;
    }
    return r->left != 0;
}

/* Returns `size` contiguous bytes without consuming them; fewer at the end of the file (*there). They are in
 * the block, or gathered in the carry buffer. */
static const uint8_t *aub_peek(struct aub_reader *r, size_t size, size_t *there, enum aub_result *result)
{
    *there = size;
    if (r->carried == 0) {
        if (!r->left)
            next_block(r, result);
        if (r->left >= size)
            return r->in;
    }
    while (r->carried < size && (r->left || next_block(r, result))) {
        const size_t part = r->left < size - r->carried ? r->left : size - r->carried;
        memcpy(r->carry + r->carried, r->in, part);
        r->carried += part;
        r->in += part;
        r->left -= part;
    }
    if (r->carried < size)
        *there = r->carried;
    return r->carry;
}

static uint64_t aub_digest(uint64_t hash, const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i += 4) { /* packets consist of dwords */
        uint32_t value = 0;
        memcpy(&value, p + i, size - i < 4 ? size - i : 4);
        hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static void aub_take(struct aub_reader *r, size_t size)
{
    if (r->sink->digests)
        r->digest = aub_digest(r->digest, r->carried ? r->carry : r->in, size);
    r->offset += size;
    if (r->carried) {
        r->carried -= size;
        memmove(r->carry, r->carry + size, r->carried);
    } else {
        r->in += size;
        r->left -= size;
    }
}

static uint32_t dword(const uint8_t *p, size_t index)
{
    uint32_t value;
    memcpy(&value, p + index * 4, 4);
    return value;
}

static uint64_t qword(const uint8_t *p, size_t index)
{
    return dword(p, index) | (uint64_t)dword(p, index + 1) << 32;
}

/* Printable characters up to the first other one: writers pad with garbage. */
static void clean_text(char *to, size_t room, const uint8_t *from, size_t size)
{
    size_t n = 0;
    while (n + 1 < room && n < size && from[n] >= 0x20 && from[n] < 0x7f) {
        to[n] = (char)from[n];
        n++;
    }
    to[n] = 0;
}

static void find_pci_id(struct aub_header *h)
{
    const char *id = strstr(h->text, "PCI-ID=");
    const unsigned long value = id && id[7] >= '0' && id[7] <= '9' ? strtoul(id + 7, NULL, 0) : 0;
    if (value <= UINT16_MAX)
        h->pci_id = (uint32_t)value;
}

static bool call_note(struct aub_reader *r, bool known, const char *text)
{
    return !r->sink->note || r->sink->note(r->sink->user, &r->at, known, text);
}

static enum aub_result done(bool go_on)
{
    return go_on ? AUB_OK : AUB_STOPPED;
}

/* ---- Memtrace packets ---- */

typedef enum aub_result packet_function(struct aub_reader *r, const uint8_t *p, size_t dwords);

static packet_function register_packet, memory_packet, discontiguous_packet, memory_poll_packet,
    version_packet, comment_packet, delay_packet, note_packet;

static const struct {
    const char *name;
    packet_function *function;
    uint8_t min_dwords;
} memtrace[] = {
    [0x00] = {"SIM_CONTROL", note_packet, 1},       [0x01] = {"REG_CMP", register_packet, 6},
    [0x02] = {"REG_POLL", register_packet, 6},      [0x03] = {"REG_WRITE", register_packet, 6},
    [0x04] = {"MEM_CMP", memory_packet, 5},         [0x05] = {"MEM_POLL", memory_poll_packet, 7},
    [0x06] = {"MEM_WRITE", memory_packet, 5},       [0x07] = {"FRAME_BEGIN", note_packet, 1},
    [0x08] = {"COMMENT", comment_packet, 2},        [0x09] = {"DELAY", delay_packet, 2},
    [0x0a] = {"MEM_DUMP", note_packet, 1},          [0x0b] = {"MEM_WRITE_DISCONT", discontiguous_packet, 191},
    [0x0c] = {"TEST_PHASE_MARKER", note_packet, 1}, [0x0d] = {"CONT_REGION", note_packet, 1},
    [0x0e] = {"VERSION", version_packet, 5},        [0x0f] = {"PREDICATE", note_packet, 1},
    [0x10] = {"DUMP_COMPRESS", note_packet, 1},
};

static enum aub_result register_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    const unsigned sub = dword(p, 0) >> 16 & 0x7fu;
    const uint32_t flags = dword(p, 2);
    struct aub_register reg = {
        .offset = dword(p, 1),
        .space = (uint8_t)(flags >> 28),
        .mask = qword(p, 3),
        .value = dword(p, 5),
        .not_equal = sub == 0x02 && flags >> 2 & 1u,
        .ignore = sub == 0x02 && flags >> 1 & 1u,
        .no_read = sub == 0x01 && flags & 1u,
    };
    if ((flags >> 16 & 0xfu) > 3)
        return bad(r, "%s: register size code %u, at most 3 exists", r->at.name, flags >> 16 & 0xfu);
    reg.size_bytes = (uint8_t)(1u << (flags >> 16 & 0xfu));
    if (reg.size_bytes == 8) {
        if (dwords < 7)
            return bad(r, "%s of 8 bytes in a packet of %zu dwords, 7 are needed", r->at.name, dwords);
        reg.value = qword(p, 5);
    } else {
        reg.mask &= UINT32_MAX; /* writers leave the upper half undefined */
    }
    const struct aub_sink *s = r->sink;
    bool (*const call)(void *, const struct aub_packet *, const struct aub_register *) =
        sub == 0x01   ? s->register_compare
        : sub == 0x02 ? s->register_poll
                      : s->register_write;
    return done(!call || call(s->user, &r->at, &reg));
}

static enum aub_result memory_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    const unsigned sub = dword(p, 0) >> 16 & 0x7fu;
    const uint32_t flags = dword(p, 3);
    const struct aub_memory m = {
        .address = qword(p, 1),
        .space = flags >> 28,
        .size_bytes = dword(p, 4),
        .data = p + 20,
        .tiling = (uint8_t)(flags >> 2 & 3u),
        .hint = (uint8_t)(flags >> 20),
        .compare = flags >> 7 & 1u ? AUB_NOT_EQUAL : AUB_EQUAL,
        .crc = flags >> 6 & 1u,
        .deferred = flags >> 9 & 1u,
        .no_read = flags & 1u,
        .repeat = flags >> 1 & 1u,
    };
    if (m.size_bytes > (dwords - 5) * 4)
        return bad(r, "%s says %u bytes, its packet holds %zu", r->at.name, m.size_bytes, (dwords - 5) * 4);
    const struct aub_sink *s = r->sink;
    bool (*const call)(void *, const struct aub_packet *, const struct aub_memory *) =
        sub == 0x04 ? s->memory_compare : s->memory_write;
    return done(!call || call(s->user, &r->at, &m));
}

/* 63 pairs of address and size, then the data in sequence. */
static enum aub_result discontiguous_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    const uint32_t flags = dword(p, 1);
    const unsigned pairs = flags >> 4 & 0xffffu;
    size_t at = 191 * 4;
    if (pairs > 63)
        return bad(r, "%s says %u pairs, at most 63 exist", r->at.name, pairs);
    for (unsigned i = 0; i < pairs; i++) {
        const struct aub_memory m = {
            .address = qword(p, 2 + i * 3),
            .space = flags >> 28,
            .size_bytes = dword(p, 4 + i * 3),
            .data = p + at,
            .tiling = (uint8_t)(flags >> 2 & 3u),
            .hint = (uint8_t)(flags >> 20),
            .repeat = flags >> 1 & 1u,
        };
        if (m.size_bytes > dwords * 4 - at)
            return bad(r, "%s: pair %u says %u bytes, its packet holds %zu more", r->at.name, i, m.size_bytes,
                       dwords * 4 - at);
        at += m.size_bytes;
        if (m.size_bytes && r->sink->memory_write && !r->sink->memory_write(r->sink->user, &r->at, &m))
            return AUB_STOPPED;
    }
    return AUB_OK;
}

static enum aub_result memory_poll_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    const uint32_t flags = dword(p, 3), comparison = flags >> 10 & 7u;
    uint64_t value = dword(p, 6);
    if (comparison > 6)
        return bad(r, "MEM_POLL: comparison %u does not exist", comparison);
    const unsigned size_bytes = 1u << (flags >> 4 & 3u);
    if (size_bytes == 8) {
        if (dwords < 8)
            return bad(r, "MEM_POLL of 8 bytes in a packet of %zu dwords, 8 are needed", dwords);
        value = qword(p, 6);
    }
    const struct aub_memory m = {
        .address = qword(p, 1),
        .space = flags >> 28,
        .size_bytes = size_bytes,
        .data = (const uint8_t *)&value,
        .tiling = (uint8_t)(flags >> 2 & 3u),
        .hint = (uint8_t)(flags >> 20),
        .compare = (uint8_t)(comparison   ? comparison
                             : flags & 1u ? AUB_NOT_EQUAL
                                          : AUB_EQUAL),
        .mask = size_bytes == 8 ? qword(p, 4) : dword(p, 4),
        .ignore = flags >> 8 & 1u,
    };
    return done(!r->sink->memory_poll || r->sink->memory_poll(r->sink->user, &r->at, &m));
}

static enum aub_result version_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    struct aub_header h = {.simulator_id = dword(p, 2) >> 8 & 0xffu};
    clean_text(h.text, sizeof h.text, p + 20, (dwords - 5) * 4);
    find_pci_id(&h);
    return done(!r->sink->header || r->sink->header(r->sink->user, &r->at, &h));
}

static enum aub_result comment_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    char text[1024];
    clean_text(text, sizeof text, p + 8, (dwords - 2) * 4);
    return done(!r->sink->comment || r->sink->comment(r->sink->user, &r->at, text));
}

static enum aub_result delay_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    (void)dwords;
    return done(!r->sink->delay || r->sink->delay(r->sink->user, &r->at, dword(p, 1)));
}

static enum aub_result note_packet(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    char text[160];
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 1; i < dwords && i < 9; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%08x", i > 1 ? " " : "", dword(p, i));
    return done(call_note(r, true, text));
}

/* ---- Classic packets ---- */

static enum aub_result classic_header(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    struct aub_header h = {.classic = true};
    if (dwords < 13)
        return bad(r, "HEADER of %zu dwords, at least 13 are needed", dwords);
    const uint32_t comment_bytes = dword(p, 12);
    if (comment_bytes > (dwords - 13) * 4)
        return bad(r, "HEADER says a comment of %u bytes, its packet holds %zu", comment_bytes,
                   (dwords - 13) * 4);
    clean_text(h.text, 33, p + 8, 32);
    const size_t name = strlen(h.text);
    h.text[name] = ' ';
    clean_text(h.text + name + 1, sizeof h.text - name - 1, p + 52, comment_bytes);
    find_pci_id(&h);
    return done(!r->sink->header || r->sink->header(r->sink->user, &r->at, &h));
}

/* A row of registers, dword by dword; a partial dword is a narrower write. */
static bool block_registers(struct aub_reader *r, const struct aub_memory *m)
{
    const struct aub_sink *s = r->sink;
    for (uint32_t at = 0; s->register_write && at < m->size_bytes;) {
        const uint32_t left = m->size_bytes - at;
        const uint8_t size = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        struct aub_register reg = {.offset = (uint32_t)m->address + at, .size_bytes = size};
        memcpy(&reg.value, m->data + at, size);
        memset(&reg.mask, 0xff, size);
        if (!s->register_write(s->user, &r->at, &reg))
            return false;
        at += size;
    }
    return true;
}

static bool block_part(struct aub_reader *r, uint32_t operation, uint32_t type, uint32_t space,
                       struct aub_memory *m)
{
    static const uint8_t spaces[] = {AUB_GGTT, AUB_LOCAL, AUB_PHYSICAL, AUB_PHYSICAL, AUB_GGTT_ENTRY};
    const struct aub_sink *s = r->sink;
    m->space =
        space < sizeof spaces ? spaces[space] : AUB_GGTT; /* data writes to other spaces were refused above */
    switch (operation) {
    case 0: {
        char text[1024];
        clean_text(text, sizeof text, m->data, m->size_bytes);
        return !s->comment || s->comment(s->user, &r->at, text);
    }
    case 1:
        return !s->memory_write || s->memory_write(s->user, &r->at, m);
    case 2:
        return !s->ring_commands || s->ring_commands(s->user, &r->at, type, m);
    default:
        return block_registers(r, m);
    }
}

/* The payload follows the packet and is not included in its length. */
static enum aub_result classic_block(struct aub_reader *r, const uint8_t *p, size_t dwords)
{
    if (dwords != 5 && dwords != 6)
        return bad(r, "BLOCK of %zu dwords, 5 or 6 exist", dwords);
    const uint32_t what = dword(p, 1), size = dword(p, 4);
    const uint32_t operation = what & 0xffu, type = what >> 8 & 0xffu, space = what >> 16 & 0xffu;
    uint64_t address = dword(p, 3);
    if (dwords == 6)
        address |= (uint64_t)dword(p, 5) << 32;
    if (operation > 3)
        return bad(r, "BLOCK: operation %u does not exist", operation);
    if (operation == 1 && space > 4)
        return bad(r, "BLOCK: address space %u does not exist", space);
    aub_take(r, dwords * 4);
    for (uint64_t at = 0; at < size;) {
        const size_t want = size - at < PART_BYTES ? (size_t)(size - at) : (size_t)PART_BYTES;
        const size_t padded = (want + 3) & ~(size_t)3;
        enum aub_result result = AUB_OK;
        size_t there;
        const uint8_t *data = aub_peek(r, padded, &there, &result);
        if (result != AUB_OK)
            return result;
        if (there < want)
            return bad(r, "BLOCK says %u bytes of data, the file ends after %llu", size,
                       (unsigned long long)(at + there));
        struct aub_memory m = {.address = address + at, .size_bytes = (uint32_t)want, .data = data};
        if (!block_part(r, operation, type, space, &m))
            return AUB_STOPPED;
        aub_take(r, there < padded ? there : padded);
        at += want;
    }
    return AUB_OK;
}

/* ---- The loop ---- */

static enum aub_result classic_packet(struct aub_reader *r, const uint8_t *p, size_t dwords, unsigned sub)
{
    switch (sub) {
    case CLASSIC_HEADER:
        r->at.name = "HEADER";
        return classic_header(r, p, dwords);
    case CLASSIC_PPGTT:
        r->at.name = "PPGTT_CONTEXT_CREATE";
        return note_packet(r, p, dwords);
    case CLASSIC_CAPTURE:
        r->at.name = "CAPTURE_BINARY_DUMP";
        return note_packet(r, p, dwords);
    case CLASSIC_BMP:
        r->at.name = "BMP";
        return note_packet(r, p, dwords);
    default:
        r->at.name = "unknown classic packet";
        return done(call_note(r, false, ""));
    }
}

static enum aub_result memtrace_packet(struct aub_reader *r, const uint8_t *p, size_t dwords, unsigned sub)
{
    if (sub >= sizeof memtrace / sizeof memtrace[0]) {
        r->at.name = "unknown memtrace packet";
        return done(call_note(r, false, ""));
    }
    r->at.name = memtrace[sub].name;
    if (dwords < memtrace[sub].min_dwords)
        return bad(r, "%s of %zu dwords, at least %u are needed", r->at.name, dwords,
                   memtrace[sub].min_dwords);
    return memtrace[sub].function(r, p, dwords);
}

static enum aub_result one_packet(struct aub_reader *r)
{
    enum aub_result result = AUB_OK;
    size_t there;
    r->at = (struct aub_packet){.offset = r->offset, .name = "packet", .digest = r->digest};
    const uint8_t *p = aub_peek(r, 4, &there, &result);
    if (result != AUB_OK || there == 0)
        return result;
    if (there < 4)
        return bad(r, "the file ends inside a packet header: %zu of 4 bytes are there", there);
    const uint32_t header = dword(p, 0), opcode = header >> 23 & 0x3fu, sub = header >> 16 & 0x7fu;
    if (header >> 29 != 7 || (opcode != CLASSIC && opcode != MEMTRACE))
        return bad(r, "not an AUB packet: header %08x", header);
    const size_t dwords = (header & 0xffffu) + (opcode == CLASSIC ? 2u : 1u);
    p = aub_peek(r, dwords * 4, &there, &result);
    if (result != AUB_OK)
        return result;
    if (there < dwords * 4)
        return bad(r, "the file ends inside a packet: %zu of %zu bytes are there", there, dwords * 4);
    if (opcode == CLASSIC && sub == CLASSIC_BLOCK) {
        r->at.name = "BLOCK";
        return classic_block(r, p, dwords);
    }
    result = opcode == CLASSIC ? classic_packet(r, p, dwords, sub) : memtrace_packet(r, p, dwords, sub);
    aub_take(r, dwords * 4);
    return result;
}

static enum aub_result read_all(struct aub_reader *r)
{
    enum aub_result result = AUB_OK;
    bool any = false;
    while (result == AUB_OK) {
        const uint64_t before = r->offset;
        result = one_packet(r);
        if (result == AUB_OK && r->offset == before) {
            if (!any)
                return bad(r, "the file is empty");
            break;
        }
        any = true;
        if (r->sink->progress && r->offset - r->reported_offset >= PROGRESS_BYTES) {
            r->reported_offset = r->offset;
            r->sink->progress(r->sink->user, r->offset, (uint64_t)archive_filter_bytes(r->archive, -1),
                              r->file_bytes);
        }
    }
    return result;
}

/* archive_read_support_filter_all is not used: some of its filters start programs (lrzip, lzop, grzip) found
 * by PATH. */
static bool read_filters(struct archive *a)
{
    int (*const filters[])(struct archive *) = {
        archive_read_support_filter_gzip,  archive_read_support_filter_xz,   archive_read_support_filter_zstd,
        archive_read_support_filter_bzip2, archive_read_support_filter_lz4,  archive_read_support_filter_lzma,
        archive_read_support_format_raw,   archive_read_support_format_empty};
    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (filters[i](a) < ARCHIVE_WARN)
            return false;
    return true;
}

static la_ssize_t read_block(struct archive *a, void *user, const void **block)
{
    struct aub_reader *r = user;
    if (r->data) {
        const size_t size = r->data_bytes;
        *block = r->data;
        r->data_bytes = 0;
        return (la_ssize_t)size;
    }
    ssize_t got;
    do
        got = read(r->file, r->block, sizeof r->block);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        archive_set_error(a, errno, "Error reading");
    *block = r->block;
    return got;
}

/* Opens with own callbacks and without an own entry: the library's functions for these ignore a failed
 * allocation. */
static bool open_blocks(struct aub_reader *r)
{
    return (r->archive = archive_read_new()) && (r->entry = archive_entry_new()) &&
           read_filters(r->archive) && archive_read_set_read_callback(r->archive, read_block) == ARCHIVE_OK &&
           archive_read_set_callback_data(r->archive, r) == ARCHIVE_OK;
}

static enum aub_result cannot_be_read(struct aub_reader *r)
{
    const char *const text = archive_error_string(r->archive); /* NULL when memory is out */
    return bad(r, "cannot be read: %s (%s)", text ? text : "out of memory",
               strerror(archive_errno(r->archive) > 0 ? archive_errno(r->archive)
                        : text                        ? EIO
                                                      : ENOMEM));
}

static enum aub_result out_of_memory(struct aub_error *error)
{
    *error = (struct aub_error){.text = "cannot be read: out of memory"};
    return AUB_BAD;
}

static enum aub_result read_archive(const char *path, const void *data, size_t size_bytes,
                                    const struct aub_sink *sink, struct aub_error *error)
{
    struct aub_error unused;
    struct aub_reader *r = calloc(1, sizeof *r);
    if (!error)
        error = &unused;
    if (!r)
        return out_of_memory(error);
    r->sink = sink;
    r->error = error;
    *r->error = (struct aub_error){0};
    enum aub_result result;
    r->data = data;
    r->data_bytes = size_bytes;
    if (!open_blocks(r)) {
        archive_entry_free(r->entry);
        archive_read_free(r->archive);
        free(r);
        return out_of_memory(error);
    }
    const int file = data || strcmp(path, "-") == 0 ? STDIN_FILENO : files_open(path);
    struct stat about;
    if (file < 0 || (!data && fstat(file, &about) != 0) || (!data && S_ISDIR(about.st_mode))) {
        result = bad(r, "cannot be read: %s", strerror(file < 0 ? errno : EISDIR));
        r->error->offset = AUB_NO_OFFSET;
        goto end;
    }
    r->file_bytes = !data && S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
    r->file = file;
    const int opened = archive_read_open1(r->archive);
    const int status = opened == ARCHIVE_OK ? archive_read_next_header2(r->archive, r->entry) : ARCHIVE_OK;
    if (opened != ARCHIVE_OK)
        result = cannot_be_read(r);
    else if (status == ARCHIVE_EOF)
        result = bad(r, "the file is empty");
    else if (status < ARCHIVE_WARN)
        result = cannot_be_read(r);
    else
        result = read_all(r);
end:
    archive_entry_free(r->entry);
    archive_read_free(r->archive);
    if (file > STDIN_FILENO)
        close(file);
    free(r);
    return result;
}

enum aub_result aub_read_file(const char *path, const struct aub_sink *sink, struct aub_error *error)
{
    return read_archive(path, NULL, 0, sink, error);
}

enum aub_result aub_read_memory(const void *data, size_t size_bytes, const struct aub_sink *sink,
                                struct aub_error *error)
{
    return read_archive(NULL, data ? data : "", size_bytes, sink, error);
}
