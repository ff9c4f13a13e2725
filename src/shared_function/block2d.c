/*
 * Blocks of elements of a matrix in memory: loads, prefetches and stores of the load and store unit. The
 * first register has the matrix: address, width and pitch in bytes, height; then the place of the block in
 * elements and rows, and its size. The extended descriptor adds to the place. What is outside of the matrix
 * reads zero and is not stored. A row of a block takes a power of two of elements, a block whole registers.
 * Transposed, its columns are the rows; transformed (VNNI), dwords have elements of two or four rows. (IGC:
 * lsc_load_block2d, LSC2DBlockRead; its rows begin with columns x)
 */
#include "shared_function/shared_function.h"

struct block2d {
    uint64_t base;
    uint32_t row_bytes, rows, pitch_bytes; /* of the matrix */
    int64_t x, y;                          /* elements, rows */
    unsigned element_bytes, width, height, count;
    bool transposed, transforms;
};

enum { MOST_ROW_BYTES = 256 * 8 };

static void block2d_init(struct block2d *k, const struct eu_send *m)
{
    enum { WIDTH = 2, HEIGHT, PITCH, X, Y, SHAPE, BYTE = 0xff, BLOCKS = 15 };
    enum { X_SHIFT = 10, IMMEDIATE_SHIFT = 22 /* of ten bits, with their sign */ };
    const uint32_t shape = payload_dw(m, 0, SHAPE), d = m->descriptor;
    const int32_t immediate_x = (int32_t)(m->ex_descriptor << X_SHIFT) >> IMMEDIATE_SHIFT,
                  immediate_y = (int32_t)m->ex_descriptor >> IMMEDIATE_SHIFT;
    *k = (struct block2d){.base = payload_dw(m, 0, 0) | (uint64_t)payload_dw(m, 0, 1) << 32,
                          .row_bytes = payload_dw(m, 0, WIDTH) + 1u,
                          .rows = payload_dw(m, 0, HEIGHT) + 1u,
                          .pitch_bytes = payload_dw(m, 0, PITCH) + 1u,
                          .x = (int64_t)(int32_t)payload_dw(m, 0, X) + immediate_x,
                          .y = (int64_t)(int32_t)payload_dw(m, 0, Y) + immediate_y,
                          .element_bytes = 1u << (d >> 9 & 3u),
                          .width = (shape & BYTE) + 1u,
                          .height = (shape >> 8 & BYTE) + 1u,
                          .count = (shape >> 16 & BLOCKS) + 1u,
                          .transposed = d >> 15 & 1u,
                          .transforms = d >> 7 & 1u};
}

/* Rows whose elements share a dword. */
static unsigned rows_of_dword(const struct block2d *k)
{
    return k->transforms && k->element_bytes < 4 ? 4u / k->element_bytes : 1u;
}

/* Where an element is in the registers of its block. */
static unsigned element_byte(const struct block2d *k, unsigned column, unsigned row)
{
    const unsigned together = rows_of_dword(k);
    if (k->transposed)
        return (column * block_pitch(k->height) + row) * k->element_bytes;
    return ((row / together * block_pitch(k->width) + column) * together + row % together) * k->element_bytes;
}

static unsigned block_registers(const struct block2d *k, const struct eu_send *m)
{
    const unsigned last = element_byte(k, k->width - 1u, k->height - 1u) + k->element_bytes,
                   row = k->transposed ? block_pitch(k->height) * k->element_bytes
                                       : block_pitch(k->width) * rows_of_dword(k) * k->element_bytes;
    return payload_part_registers(m, (last + row - 1u) / row * row);
}

/* The bytes of a row that are in the matrix: `*first` and how many; of `*at` in memory. */
static unsigned block2d_find_row(const struct block2d *k, unsigned block, unsigned row, unsigned *first,
                                 uint64_t *at)
{
    const int64_t bytes = k->element_bytes, begin = (k->x + (int64_t)block * k->width) * bytes,
                  end = begin + k->width * bytes, y = k->y + row, low = begin < 0 ? 0 : begin,
                  whole = k->row_bytes / bytes * bytes, high = end < whole ? end : whole;
    if (y < 0 || y >= k->rows || low >= high)
        return 0;
    *first = (unsigned)(low - begin);
    *at = k->base + (uint64_t)y * k->pitch_bytes + (uint64_t)low;
    return (unsigned)(high - low);
}

static void load_row(struct message_context *b, const struct eu_send *m, const struct block2d *k,
                     unsigned block, unsigned row, const struct buffer_view *memory)
{
    uint8_t bytes[MOST_ROW_BYTES] = {0};
    unsigned first;
    uint64_t at;
    const unsigned there = block2d_find_row(k, block, row, &first, &at),
                   registers = block * block_registers(k, m);
    if (there)
        buffer_view_load(b, memory, at, bytes + first, there);
    for (unsigned n = 0; n < k->width && m->response; n++) {
        const unsigned byte = element_byte(k, n, row);
        writeback(m, registers + byte / EU_REGISTER_BYTES, byte % EU_REGISTER_BYTES,
                  bytes + (size_t)n * k->element_bytes, k->element_bytes);
    }
}

static void store_row(struct message_context *b, const struct eu_send *m, const struct block2d *k,
                      unsigned block, unsigned row, const struct buffer_view *memory)
{
    uint8_t bytes[MOST_ROW_BYTES];
    unsigned first;
    uint64_t at;
    const unsigned there = block2d_find_row(k, block, row, &first, &at),
                   registers = payload_part_registers(m, 1) + block * block_registers(k, m);
    for (unsigned n = 0; n < k->width && there; n++) {
        const unsigned byte = element_byte(k, n, row);
        memcpy(bytes + (size_t)n * k->element_bytes,
               payload_register(m, registers + byte / EU_REGISTER_BYTES) + byte % EU_REGISTER_BYTES,
               k->element_bytes);
    }
    if (there)
        buffer_view_store(b, memory, at, bytes + first, there);
}

bool load_store_block2d(struct message_context *b, const struct eu_send *m, bool stores)
{
    enum { ADDRESS_TYPE_SHIFT = 29, ADDRESS_TYPE = 3, MOST_REGISTERS = 32 };
    const struct buffer_view memory = {.kind = BUFFER_VIEW_MEMORY, .size_bytes = UINT64_MAX};
    struct block2d k;
    if (m->sfid != SFID_UGM || m->descriptor >> ADDRESS_TYPE_SHIFT & ADDRESS_TYPE)
        return false;
    block2d_init(&k, m);
    if (k.count * block_registers(&k, m) > MOST_REGISTERS * payload_part_registers(m, 1)) {
        b->error_text = "a block of more registers than a message can have";
        return false;
    }
    b->work.memory_accesses += k.count * k.height * k.width;
    for (unsigned block = 0; block < k.count; block++)
        for (unsigned row = 0; row < k.height && !message_faulted(b); row++) {
            if (stores)
                store_row(b, m, &k, block, row, &memory);
            else
                load_row(b, m, &k, block, row, &memory);
        }
    return true;
}
