#include "aub/aub.h"

#include <errno.h>
#include <string.h>

enum { PART_BYTES = 1 << 16 };

static uint32_t packet_header(unsigned sub, size_t dwords)
{
    return 7u << 29 | 0x2eu << 23 | (uint32_t)sub << 16 | (uint32_t)(dwords - 1);
}

static void aub_put(struct aub_writer *w, const void *data, size_t size_bytes)
{
    if (w->failed || !size_bytes || fwrite(data, 1, size_bytes, w->file) == size_bytes)
        return;
    w->failed = true;
    w->error = errno;
}

/* Fields, then bytes padded to a dword. */
static void packet(struct aub_writer *w, unsigned sub, const uint32_t *fields, size_t field_dw,
                   const void *data, size_t size_bytes)
{
    static const uint8_t padding[4];
    const size_t data_dw = (size_bytes + 3) / 4;
    const uint32_t header = packet_header(sub, 1 + field_dw + data_dw);
    aub_put(w, &header, 4);
    aub_put(w, fields, field_dw * 4);
    aub_put(w, data, size_bytes);
    aub_put(w, padding, data_dw * 4 - size_bytes);
}

bool aub_writer_open(struct aub_writer *w, const char *path, FILE *file)
{
    *w = (struct aub_writer){.output.file = file};
    if (path && !output_open(&w->output, path))
        return false;
    w->file = w->output.file;
    return w->file != NULL;
}

bool aub_writer_close(struct aub_writer *w)
{
    w->file = NULL;
    if (!w->failed)
        return output_close(&w->output);
    output_drop(&w->output);
    errno = w->error;
    return false;
}

void aub_write_version(struct aub_writer *w, uint32_t simulator_id, uint32_t pci_id, const char *application)
{
    char text[128];
    const int length = pci_id ? snprintf(text, sizeof text, "PCI-ID=0x%X %.90s", pci_id, application)
                              : snprintf(text, sizeof text, "%.90s", application);
    const uint32_t fields[] = {1, simulator_id << 8, 0, 0};
    packet(w, 0x0e, fields, 4, text, (size_t)length + 1);
}

static uint32_t size_code(unsigned size_bytes)
{
    return size_bytes >= 8 ? 3 : size_bytes >= 4 ? 2 : size_bytes >= 2 ? 1 : 0;
}

static void register_packet(struct aub_writer *w, unsigned sub, uint32_t offset, unsigned size_bytes,
                            uint32_t flags, uint64_t mask, uint64_t value)
{
    const uint32_t fields[] = {offset,          size_code(size_bytes) << 16 | flags,
                               (uint32_t)mask,  (uint32_t)(mask >> 32),
                               (uint32_t)value, (uint32_t)(value >> 32)};
    packet(w, sub, fields, size_bytes >= 8 ? 6 : 5, NULL, 0);
}

void aub_write_register(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                        uint64_t value)
{
    register_packet(w, 0x03, offset, size_bytes, 0, mask, value);
}

void aub_write_register_compare(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                                uint64_t expected)
{
    register_packet(w, 0x01, offset, size_bytes, 0, mask, expected);
}

void aub_write_register_poll(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                             uint64_t value, bool not_equal)
{
    register_packet(w, 0x02, offset, size_bytes, not_equal ? 1u << 2 : 0, mask, value);
}

static void memory_packets(struct aub_writer *w, unsigned sub, enum aub_space space, uint64_t address,
                           const void *data, size_t size_bytes, uint32_t flags)
{
    const uint8_t *from = data;
    while (size_bytes) {
        const size_t part = size_bytes < PART_BYTES ? size_bytes : (size_t)PART_BYTES;
        /* One of several packets must differ: all but the last defer the verdict. */
        const uint32_t deferred = flags >> 7 & 1u && part < size_bytes ? 1u << 9 : 0;
        const uint32_t fields[] = {(uint32_t)address, (uint32_t)(address >> 32),
                                   (uint32_t)space << 28 | flags | deferred, (uint32_t)part};
        packet(w, sub, fields, 4, from, part);
        from += part;
        address += part;
        size_bytes -= part;
    }
}

void aub_write_memory(struct aub_writer *w, enum aub_space space, uint64_t address, const void *data,
                      size_t size_bytes)
{
    memory_packets(w, 0x06, space, address, data, size_bytes, 0);
}

void aub_write_memory_compare(struct aub_writer *w, enum aub_space space, uint64_t address, const void *data,
                              size_t size_bytes, bool not_equal)
{
    memory_packets(w, 0x04, space, address, data, size_bytes, not_equal ? 1u << 7 : 0);
}

void aub_write_memory_poll(struct aub_writer *w, enum aub_space space, uint64_t address, unsigned size_bytes,
                           uint64_t mask, uint64_t value, enum aub_compare compare)
{
    const uint32_t fields[] = {(uint32_t)address,
                               (uint32_t)(address >> 32),
                               (uint32_t)space << 28 | (uint32_t)compare << 10 | size_code(size_bytes) << 4,
                               (uint32_t)mask,
                               (uint32_t)(mask >> 32),
                               (uint32_t)value,
                               (uint32_t)(value >> 32)};
    packet(w, 0x05, fields, size_bytes >= 8 ? 7 : 6, NULL, 0);
}

void aub_write_comment(struct aub_writer *w, const char *text)
{
    const uint32_t flags = 0;
    size_t length = strlen(text) + 1;
    packet(w, 0x08, &flags, 1, text, length < PART_BYTES ? length : (size_t)PART_BYTES);
}

void aub_write_delay(struct aub_writer *w, uint32_t time)
{
    packet(w, 0x09, &time, 1, NULL, 0);
}

void aub_write_frame_begin(struct aub_writer *w, uint16_t number)
{
    const uint32_t fields = number;
    packet(w, 0x07, &fields, 1, NULL, 0);
}
