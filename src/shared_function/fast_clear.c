/*
 * Fast clears: blocks of a surface that a color control surface (CCS) says are cleared. Their pixels are the
 * clear color that the surface's state names when it is read, not what lies in memory; what writes a pixel of
 * such a block first gives all of it that color. Up to Gen11 the CCS is a surface of its own. It has an
 * element for each pair of cache lines, 512 bytes apart: a bit on Gen8, two bits from Gen9 on, of which 3 is
 * our number for a cleared block and 0 the field's for one that is not. Gen12 and later have the state by
 * address (memory/flat_ccs.h): in Y tiles four bits for such a pair, in others a byte for 256 bytes. Blocks
 * are never compressed. (SKL PRM vol 7, MCS Buffer for Render Target(s),
 * vol 12, planes; Mesa, isl: ccs.rst has where each element is)
 */
#include "shared_function/image.h"

#include "shared_function/pixel_codec.h"

#include "memory/flat_ccs.h"
#include "memory/mip.h"

enum { CACHE_LINE = 64, PAIR_OFFSETS = 0x23f, CLEARED_PAIR = 3 };

static uint8_t ccs_kind_of(const struct image *i)
{
    const bool is_x = i->surface.tiling == SOFTGT_TILE_X;
    if (!i->info->ccs_is_surface)
        return is_x ? CCS_NONE : i->surface.tiling == SOFTGT_TILE_Y ? CCS_FOURS : CCS_BYTES;
    if (i->info->ccs_has_one_bit)
        return i->is_volume_in_rows ? CCS_NONE : is_x ? CCS_BITS_X : CCS_BITS_Y;
    return is_x ? CCS_NONE : CCS_PAIRS;
}

/* Modes are CCS_D, which up to Gen8 is called MCS, and CCS_E. Only tiled surfaces of one sample have any;
 * slices of a volume that lie in the same tiles have none. Stencils are stored as they are: whatever their
 * state says, which drivers do not initialise. (Mesa, iris: its first state of STC_CCS) */
void fast_clear_init(const struct message_context *b, struct image *i)
{
    enum { AUX_CCS_D = 1, AUX_CCS_E = 5, ROWS = 4 };
    const struct surface_state *const s = &i->state;
    const uint32_t mode = surface_field(s, SURFACE_AUXILIARY_SURFACE_MODE);
    if (i->info->gen200_aux_surfaces || (mode != AUX_CCS_D && mode != AUX_CCS_E) ||
        surface_field(s, SURFACE_NUMBER_OF_MULTISAMPLES) ||
        surface_field(s, SURFACE_DEPTH_STENCIL_RESOURCE) || !i->surface.tiles || i->surface.tiles->z_bits ||
        !i->format || CACHE_LINE % i->format->bytes)
        return;
    i->ccs.kind = ccs_kind_of(i);
    if (fast_clear_is_by_address(i)) {
        i->surface.aux_table = b->aux_table;
        return;
    }
    i->ccs.base =
        field_read(&s->row->places[SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS], s->dw, SURFACE_STATE_DW);
    i->ccs.pitch_bytes = surface_field(s, SURFACE_AUXILIARY_SURFACE_PITCH) + 1u;
    i->ccs.qpitch = surface_field(s, SURFACE_AUXILIARY_SURFACE_QPITCH) * ROWS;
}

/* Levels lie as those of other surfaces do, aligned to so many pixels of the surface. (BDW and SKL PRM vol 7,
 * MCS Buffer for Render Target(s)) */
void fast_clear_level(struct image *i, uint32_t level)
{
    const uint32_t h = i->info->ccs_has_one_bit ? 256 : 128, v = i->info->ccs_has_one_bit ? 128 : 64;
    const struct mip_position at = mip_position(i->width, i->height, level, h, v);
    i->ccs.x += at.x;
    i->ccs.y += at.y;
}

bool fast_clear_is_present(struct message_context *b, const struct image *i)
{
    return fast_clear_is_by_address(i) ? ccs_exists(b->memory.mmu, &i->surface, i->surface.base)
                                       : i->ccs.kind != CCS_NONE;
}

bool fast_clear_color(struct message_context *b, const struct image *i, union softgt_color *color)
{
    const struct surface_state *const s = &i->state;
    *color = (union softgt_color){.u = {0}};
    if (surface_field(s, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE)) {
        const uint64_t at = field_read(&s->row->places[SURFACE_CLEAR_VALUE_ADDRESS], s->dw, SURFACE_STATE_DW);
        return message_load(b, at, color->u, sizeof color->u);
    }
    for (unsigned n = 0; n < 4; n++) { /* up to Gen8 a bit each, 1 as the format has it */
        const unsigned kind = i->format->part[n].kind;
        color->u[n] = surface_field(s, SURFACE_RED_CLEAR_COLOR + n);
        if (i->info->clear_color_has_one_bit && kind != SOFTGT_COMPONENT_UINT &&
            kind != SOFTGT_COMPONENT_SINT)
            color->f[n] = color->u[n] ? 1 : 0;
    }
    return true;
}

static uint32_t block_offsets(const struct image *i)
{
    return i->ccs.kind == CCS_BYTES ? CCS_RATIO - 1u : PAIR_OFFSETS;
}

void fast_clear_block(const struct image *i, uint32_t size[2])
{
    const struct tile_layout *const t = i->surface.tiles;
    size[0] = 1u << __builtin_popcount(t->x_bits & block_offsets(i));
    size[1] = 1u << __builtin_popcount(t->y_bits & block_offsets(i));
}

/* The element of a pixel: u counts 32 or 64 bytes, v 2 or 4 rows. */
static inline void element_index(const struct image *i, const uint32_t at[3], uint32_t index[2])
{
    const struct ccs *const c = &i->ccs;
    const bool is_x = c->kind == CCS_BITS_X;
    index[0] = (c->x + at[0]) * i->format->bytes >> (is_x ? 6 : 5);
    index[1] = (c->y + (i->first_slice + at[2]) * c->qpitch + at[1]) >> (is_x ? 1 : 2);
}

/* Where an element of the CCS is: its byte, and the lowest bit of it there. A tile has 128 of u, and of v as
 * many as 4 KB have room for. */
static inline uint64_t element_address(const struct image *i, uint32_t u, uint32_t v, unsigned *bit)
{
    const struct ccs *const c = &i->ccs;
    uint32_t tile_row = v >> 8, offset = (u & 0x70u) << 5;
    switch (c->kind) {
    case CCS_BITS_X:
        offset |= (v & 0xe0u) << 1 | (v & 0x10u) << 1 | (u & 8u) << 1 | (v & 8u) | (u & 7u);
        *bit = v & 7u;
        break;
    case CCS_BITS_Y:
        offset |= (v & 0xe0u) << 1 | (v & 0x10u) << 1 | (v & 4u) << 2 | (v & 8u) | (u & 0xeu) >> 1;
        *bit = (v & 3u) << 1 | (u & 1u);
        break;
    default:
        tile_row = v >> 7;
        offset |= (v & 0x70u) << 2 | (v & 0xeu) << 2 | (u & 0xeu) >> 1;
        *bit = (v & 1u) << 2 | (u & 1u) << 1;
        break;
    }
    return c->base + ((uint64_t)tile_row * c->pitch_bytes + (u >> 7)) * PAGE_BYTES + offset;
}

static uint64_t element_of(const struct image *i, const uint32_t at[3], unsigned *bit)
{
    uint32_t index[2];
    element_index(i, at, index);
    return element_address(i, index[0], index[1], bit);
}

/* The bits of the element, from `bit` on, that say that the block is cleared. */
static uint8_t element_mask(const struct image *i, unsigned bit)
{
    return (uint8_t)((i->ccs.kind == CCS_PAIRS ? CLEARED_PAIR : 1) << bit);
}

/* Where in its page's state a block by address is: the byte, and its bits there. */
static unsigned state_of(const struct image *i, uint64_t address, uint8_t *mask)
{
    const unsigned offset = address % PAGE_BYTES, pair = (offset >> 6 & 7u) | (offset >> 10) << 3;
    *mask = i->ccs.kind == CCS_BYTES ? 0xff : pair & 1u ? 0xf0 : 0x0f;
    return i->ccs.kind == CCS_BYTES ? offset / CCS_RATIO : pair / 2u;
}

bool fast_clear_is_cleared(struct message_context *b, const struct image *i, const uint32_t at[3],
                           uint64_t address)
{
    unsigned bit;
    uint8_t byte = 0, mask;
    if (fast_clear_is_by_address(i)) {
        const unsigned n = state_of(i, address, &mask);
        return (ccs_state(b->memory.mmu, &i->surface, address, n) & mask) == (CCS_CLEARED & mask);
    }
    message_load(b, element_of(i, at, &bit), &byte, sizeof byte);
    return i->ccs.kind == CCS_PAIRS ? (byte >> bit & CLEARED_PAIR) == CLEARED_PAIR : byte >> bit & 1u;
}

bool fast_clear_is_known_filled(const struct message_context *b, const struct image *i, const uint32_t at[3],
                                uint64_t address)
{
    struct mmu *const u = b->memory.mmu;
    unsigned bit;
    uint8_t mask;
    if (fast_clear_is_by_address(i)) {
        const unsigned n = state_of(i, address, &mask);
        const uint8_t *state;
        return ccs_find_state(u, &i->surface, address, &state) &&
               (!state || (state[n] & mask) != (CCS_CLEARED & mask));
    }
    const uint64_t element = element_of(i, at, &bit);
    const uint8_t *const host = mmu_cached(u, SPACE_PPGTT, element, sizeof *host, false);
    if (!host || u->accounts_local)
        return false;
    return i->ccs.kind == CCS_PAIRS ? (*host >> bit & CLEARED_PAIR) != CLEARED_PAIR : !(*host >> bit & 1u);
}

/* The bits that say that blocks are cleared: of pairs the lower one. */
static uint64_t cleared_bits(const struct image *i, uint64_t elements)
{
    const uint64_t lower = UINT64_C(0x5555555555555555);
    return i->ccs.kind == CCS_PAIRS ? elements & elements >> 1 & lower : elements;
}

/* Eight bytes have elements side by side: 8 or 16 of u, and 2, 4 or 8 of v. */
static bool region_is_known_filled(struct message_context *b, const struct image *i, const uint32_t first[2],
                                   const uint32_t last[2], uint64_t most_reads, bool fetches)
{
    enum { TOGETHER = 8 };
    const struct mmu *const m = b->memory.mmu;
    const unsigned u_shift = i->ccs.kind == CCS_BITS_X ? 0 : 1, v_shift = i->ccs.kind == CCS_BITS_X   ? 3
                                                                          : i->ccs.kind == CCS_BITS_Y ? 2
                                                                                                      : 1;
    uint32_t begin[2], end[2];
    element_index(i, (const uint32_t[3]){first[0], first[1], 0}, begin);
    element_index(i, (const uint32_t[3]){last[0], last[1], 0}, end);
    const uint32_t u_first = begin[0] >> u_shift, u_last = end[0] >> u_shift, v_first = begin[1] >> v_shift,
                   v_last = end[1] >> v_shift;
    if (m->accounts_local ||
        (uint64_t)(u_last / TOGETHER - u_first / TOGETHER + 1u) * (v_last - v_first + 1u) > most_reads)
        return false;
    for (uint32_t u = u_first / TOGETHER; u <= u_last / TOGETHER; u++) {
        const unsigned low = u == u_first / TOGETHER ? u_first % TOGETHER * 8u : 0,
                       high = u == u_last / TOGETHER ? 56u - u_last % TOGETHER * 8u : 0;
        for (uint32_t v = v_first; v <= v_last; v++) {
            unsigned bit;
            uint64_t elements;
            const uint64_t at = element_address(i, u * TOGETHER << u_shift, v << v_shift, &bit);
            const uint8_t *host = mmu_cached(m, SPACE_PPGTT, at, sizeof elements, false);
            if (!host && fetches)
                host = message_fetch_bytes(b, at, sizeof elements, false);
            if (!host)
                return false;
            memcpy(&elements, host, sizeof elements);
            if (cleared_bits(i, elements) >> low << low << high)
                return false;
        }
    }
    return true;
}

bool fast_clear_region_is_known_filled(struct message_context *b, const struct image *i,
                                       const uint32_t first[2], const uint32_t last[2])
{
    enum { MOST_READS = 64 };
    return region_is_known_filled(b, i, first, last, MOST_READS, false);
}

bool fast_clear_level_is_filled(struct message_context *b, const struct image *i)
{
    enum { MOST_READS = 2048 };
    const uint32_t first[2] = {0, 0}, last[2] = {i->width - 1u, i->height - 1u};
    return i->depth == 1 && i->width && i->height &&
           region_is_known_filled(b, i, first, last, MOST_READS, true);
}

bool fast_clear_page_is_known_filled(const struct message_context *b, const struct image *i, uint64_t address)
{
    const uint64_t first = i->ccs.kind == CCS_BYTES ? 0xff : 0x0f, second = first ^ 0xff;
    const uint8_t *state;
    if (!ccs_find_state(b->memory.mmu, &i->surface, address, &state))
        return false;
    for (unsigned n = 0; state && n < CCS_PAGE_BYTES; n++)
        if ((state[n] & first) == (CCS_CLEARED & first) ||
            (second && (state[n] & second) == (CCS_CLEARED & second)))
            return false;
    return true;
}

/* Stores on one page, and counts those outside kernels and surface states as such. */
static void store(struct message_context *b, uint64_t address, const void *from, size_t size_bytes)
{
    uint64_t *const stores = &b->memory.counters->stores;
    const uint64_t before = *stores;
    message_store(b, address, from, size_bytes);
    const uint64_t count = *stores - before;
    if (!mmu_cached(b->memory.mmu, SPACE_PPGTT, address, size_bytes, true))
        return;
    *stores = before;
    count_stores_of_pages(b, mmu_page_bit(b->memory.mmu, SPACE_PPGTT, address), count);
}

void fast_clear_set_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                          uint64_t address, bool cleared)
{
    struct mmu *const mmu = b->memory.mmu;
    uint8_t state[CCS_PAGE_BYTES], byte = 0, mask;
    unsigned bit;
    if (fast_clear_is_by_address(i)) {
        const unsigned n = state_of(i, address, &mask);
        if (!ccs_load(mmu, &i->surface, address, state))
            return;
        state[n] = (uint8_t)((state[n] & ~mask) | (cleared ? CCS_CLEARED & mask : 0));
        ccs_store(mmu, &i->surface, address, state);
        return;
    }
    const uint64_t element = element_of(i, at, &bit);
    mask = element_mask(i, bit);
    uint8_t *const host = mmu_cached(mmu, SPACE_PPGTT, element, sizeof *host, true);
    if (host && !mmu->accounts_local && !tracing(b->memory.log, SOFTGT_TRACE_MEMORY)) {
        *host = (uint8_t)(cleared ? *host | mask : *host & ~mask);
        b->memory.counters->bytes_stored += sizeof *host;
        count_stores_of_pages(b, mmu_page_bit(mmu, SPACE_PPGTT, element), 1);
        return;
    }
    if (!message_load(b, element, &byte, sizeof byte))
        return;
    byte = (uint8_t)(cleared ? byte | mask : byte & ~mask);
    store(b, element, &byte, sizeof byte);
}

/* The bytes of a line of a cleared block. False: a fault. */
static bool cleared_line(struct message_context *b, const struct image *i, unsigned pixel_bytes,
                         uint8_t line[CACHE_LINE])
{
    struct cleared_line *const last = &b->caches.cleared_line;
    union softgt_color color;
    _Static_assert(sizeof last->line == CACHE_LINE, "a line of the block");
    if (!fast_clear_color(b, i, &color))
        return false;
    if (!last->is_made || last->codec != i->codec || memcmp(last->color.u, color.u, sizeof color.u) != 0 ||
        memcmp(&last->format, i->format, sizeof last->format) != 0) { /* NOLINT(*-memory-comparison,cert-*) */
        *last =
            (struct cleared_line){.is_made = true, .codec = i->codec, .color = color, .format = *i->format};
        pixel_encode((enum pixel_codec)i->codec, i->format, &color, last->line);
        for (unsigned n = pixel_bytes; n < CACHE_LINE; n *= 2)
            memcpy(last->line + n, last->line, n);
    }
    memcpy(line, last->line, CACHE_LINE);
    return true;
}

/* Gives all pixels of an address's block the clear color. False: a fault. */
static bool store_clear_color(struct message_context *b, const struct image *i, uint64_t address)
{
    uint8_t line[CACHE_LINE];
    const uint32_t offsets = block_offsets(i);
    if (!cleared_line(b, i, i->format->bytes, line))
        return false;
    for (uint32_t offset = 0; offset <= offsets; offset += sizeof line)
        if (!(offset & ~offsets))
            store(b, (address & ~(uint64_t)offsets) + offset, line, sizeof line);
    return !message_faulted(b);
}

/* Fills the cleared block of a pixel. False: a fault. */
static bool fill_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                       uint64_t address)
{
    if (!store_clear_color(b, i, address))
        return false;
    fast_clear_set_block(b, i, at, address, false);
    return !message_faulted(b);
}

bool fast_clear_expand(struct message_context *b, const struct image *i, const uint32_t at[3])
{
    uint64_t address;
    if (!image_pixel_address(i, at, &address) || !fast_clear_is_cleared(b, i, at, address))
        return !message_faulted(b);
    return fill_block(b, i, at, address);
}

uint64_t fast_clear_surface_bytes(const struct image *i)
{
    const struct ccs *const c = &i->ccs;
    const uint32_t rows = c->y + (i->first_slice + (i->depth ? i->depth : 1u)) * c->qpitch + i->height,
                   tile_rows = c->kind == CCS_BITS_Y ? 1024 : 512;
    if (c->kind == CCS_NONE || fast_clear_is_by_address(i))
        return 0;
    return ((uint64_t)(rows - 1u) / tile_rows + 1u) * c->pitch_bytes * PAGE_BYTES;
}

bool fast_clear_rows_are_apart(const struct image *i)
{
    enum { TILE_ELEMENTS = 128 };
    uint32_t last[2];
    if (i->ccs.kind == CCS_NONE || fast_clear_is_by_address(i) || !i->width)
        return true;
    element_index(i, (const uint32_t[3]){i->width - 1u, 0, 0}, last);
    return last[0] / TILE_ELEMENTS < i->ccs.pitch_bytes && (i->depth <= 1 || i->ccs.qpitch >= i->height);
}

bool fast_clear_offsets(const struct image *i, uint32_t *offsets)
{
    enum { CLEARED_BYTES = 8 }; /* four pixels of these are in one block */
    *offsets = i->ccs.kind == CCS_NONE ? 0 : block_offsets(i);
    return i->ccs.kind == CCS_NONE || (i->ccs.kind != CCS_BITS_X && i->format->bytes <= CLEARED_BYTES);
}

/* The clear color can be read with no fault. */
static bool clear_color_is_cached(const struct message_context *b, const struct image *i)
{
    const struct surface_state *const s = &i->state;
    return !surface_field(s, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE) ||
           mmu_cached(b->memory.mmu, SPACE_PPGTT,
                      field_read(&s->row->places[SURFACE_CLEAR_VALUE_ADDRESS], s->dw, SURFACE_STATE_DW),
                      sizeof(union softgt_color), false);
}

/* fast_clear_expand_known of a block whose state is by address. */
static bool expand_known_state(struct message_context *b, const struct image *i, uint64_t address)
{
    struct mmu *const u = b->memory.mmu;
    uint8_t mask;
    const unsigned n = state_of(i, address, &mask);
    const uint8_t *state;
    if (!ccs_find_state(u, &i->surface, address, &state) || !state ||
        (state[n] & mask) != (CCS_CLEARED & mask))
        return false;
    uint8_t *const writable = ccs_find_writable(u, &i->surface, address);
    if (!writable || !store_clear_color(b, i, address))
        return false;
    writable[n] = (uint8_t)(writable[n] & ~mask);
    return true;
}

bool fast_clear_expand_known(struct message_context *b, const struct image *i, const uint32_t at[3],
                             uint64_t address)
{
    const struct mmu *const u = b->memory.mmu;
    unsigned bit;
    if (tracing(b->memory.log, SOFTGT_TRACE_MEMORY) || !clear_color_is_cached(b, i) ||
        !mmu_cached(u, SPACE_PPGTT, address, 1, true))
        return false;
    if (fast_clear_is_by_address(i))
        return expand_known_state(b, i, address);
    if (u->accounts_local)
        return false;
    const uint64_t element = element_of(i, at, &bit);
    const uint8_t *const host = mmu_cached(u, SPACE_PPGTT, element, sizeof *host, true);
    const uint8_t mask = element_mask(i, bit);
    return host && (*host & mask) == mask && stores_are_outside_kernels(b, element) &&
           fill_block(b, i, at, address);
}

/* Two lines of a block of a pair are half a kilobyte apart. */
enum { PAIR_APART = PAIR_OFFSETS & ~(CACHE_LINE - 1) };

bool clear_filler_init(struct message_context *b, const struct image *i, struct clear_filler *f)
{
    _Static_assert(sizeof f->line == CACHE_LINE, "a line of the block");
    *f = (struct clear_filler){.is_valid = i->ccs.kind != CCS_NONE && !fast_clear_is_by_address(i) &&
                                           !b->memory.mmu->accounts_local &&
                                           !surface_field(&i->state, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE)};
    return !f->is_valid || cleared_line(b, i, i->format->bytes, f->line);
}

/* The page of the control surface with an element; NULL: it is not present, or a kernel is there. */
static uint8_t *filler_state(struct message_context *b, struct clear_filler *f, uint64_t page)
{
    if (!f->state || f->page != page || b->effects.kernel_pages & f->page_bit) {
        f->state = message_fetch_written_page(b, page, &f->page_bit);
        f->page = page;
    }
    return f->state;
}

/* Fills a block. The bytes of its state, which is stored next, are counted with it. */
static void store_lines(struct message_context *b, const struct clear_filler *f, uint8_t *block,
                        uint64_t page_bit)
{
    enum { LINES = 2, STATE_BYTES = 1 };
    memcpy(block, f->line, sizeof f->line);
    memcpy(block + PAIR_APART, f->line, sizeof f->line);
    count_stores_of_pages(b, page_bit, LINES);
    b->memory.counters->bytes_stored += LINES * sizeof f->line + STATE_BYTES;
}

bool clear_filler_fill(struct message_context *b, const struct image *i, struct clear_filler *f,
                       const uint32_t at[3], uint8_t *block, uint64_t page_bit)
{
    unsigned bit;
    const uint64_t element = element_of(i, at, &bit);
    uint8_t *const state = filler_state(b, f, element & ~(uint64_t)(PAGE_BYTES - 1));
    const uint8_t mask = element_mask(i, bit);
    if (!state)
        return false;
    uint8_t *const byte = state + element % PAGE_BYTES;
    if ((*byte & mask) != mask)
        return true;
    store_lines(b, f, block, page_bit);
    *byte &= (uint8_t)~mask;
    count_stores_of_pages(b, f->page_bit, 1);
    return true;
}

bool clear_filler_resolve(struct message_context *b, const struct image *i, const struct clear_filler *f,
                          const uint32_t at[3], bool *cleared)
{
    const struct mmu *const u = b->memory.mmu;
    unsigned bit;
    uint64_t address;
    if (!f->is_valid || tracing(b->memory.log, SOFTGT_TRACE_MEMORY))
        return false;
    const uint64_t element = element_of(i, at, &bit);
    uint8_t *const byte = mmu_cached(u, SPACE_PPGTT, element, sizeof *byte, true);
    const uint8_t mask = element_mask(i, bit);
    *cleared = byte && (*byte & mask) == mask;
    if (!*cleared)
        return byte;
    if (!image_pixel_address(i, at, &address))
        return false;
    const uint64_t block = address & ~(uint64_t)block_offsets(i);
    uint8_t *const host = mmu_cached(u, SPACE_PPGTT, block, PAIR_OFFSETS + 1u, true);
    if (!host)
        return false;
    store_lines(b, f, host, mmu_page_bit(u, SPACE_PPGTT, block));
    *byte &= (uint8_t)~mask;
    count_stores_of_pages(b, mmu_page_bit(u, SPACE_PPGTT, element), 1);
    return true;
}

bool fast_clear_needs_exclusive(struct message_context *b, const struct image *i, const uint32_t at[3])
{
    uint64_t address;
    if (b->parallel_port && i->ccs.kind && image_pixel_address(i, at, &address))
        b->needs_exclusive |= fast_clear_is_cleared(b, i, at, address);
    return b->needs_exclusive;
}

/* The color as it would lie in memory, without a format's curve: textures of sRGB are to have it as they do.
 * (Mesa, iris: where it clears sRGB) */
static void encode_linear(const struct image *i, const union softgt_color *color, uint8_t *pixel)
{
    struct softgt_format format = *i->format;
    for (unsigned n = 0; n < 4; n++)
        if (format.part[n].kind == SOFTGT_COMPONENT_SRGB)
            format.part[n].kind = SOFTGT_COMPONENT_UNORM;
    softgt_pixel_encode(&format, color, pixel);
}

/* In memory the converted color, of up to 64 bits, follows the raw one. Render targets read the raw one. */
enum { CONVERTED_AT = 16, CONVERTED_BYTES = 8 };

static bool has_converted(const struct image *i, uint64_t *at)
{
    const struct surface_state *const s = &i->state;
    *at = field_read(&s->row->places[SURFACE_CLEAR_VALUE_ADDRESS], s->dw, SURFACE_STATE_DW) + CONVERTED_AT;
    return surface_field(s, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE) && i->format->bytes <= CONVERTED_BYTES;
}

bool fast_clear_convert(struct message_context *b, const struct image *i)
{
    uint8_t pixel[PIXEL_BYTES] = {0};
    union softgt_color color;
    uint64_t at;
    if (!has_converted(i, &at))
        return true;
    if (!fast_clear_color(b, i, &color))
        return false;
    encode_linear(i, &color, pixel);
    message_store(b, at, pixel, CONVERTED_BYTES);
    return !message_faulted(b);
}

bool fast_clear_pixel(struct message_context *b, const struct image *i, uint8_t *pixel)
{
    union softgt_color color;
    uint64_t at;
    if (has_converted(i, &at))
        return message_load(b, at, pixel, i->format->bytes);
    if (!fast_clear_color(b, i, &color))
        return false;
    encode_linear(i, &color, pixel);
    return true;
}
