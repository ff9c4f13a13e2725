/*
 * The hierarchical depth buffer (HiZ), as far as software can see what is in it: whether a level is cleared,
 * and has the clear value that 3DSTATE_CLEAR_PARAMS or a texture's state names at its next use, another one
 * than that of the clear if the driver changes it. We write the clear value to the depth buffer at once, and
 * note which value that was: in the HiZ, 8 bytes for each level, in the first row of its array element; and
 * from Gen12 on, where textures do not name the HiZ, in the compression state of level 0's first page. (SKL
 * PRM vol 7, Hierarchical Depth Buffer; Mesa, iris: a fast clear of what is cleared only sets the value)
 */
#include "pipeline3d/draw_work.h"

#include "engine/execution.h"
#include "memory/flat_ccs.h"
#include "memory/surface.h"
#include "shared_function/image.h"

enum { CLEARED = 0x5a694800, SAMPLES_MASK = 0xff, NOTE_DW = 2, NOTE_BYTES = NOTE_DW * 4, LEVELS = 15 };
enum { AUX_HIZ = 3 }; /* Auxiliary Surface Mode */

/* ---- Notes ---- */

static bool note_read(const uint32_t dw[NOTE_DW], struct hiz_clear *clear)
{
    clear->value = float_from_bits(dw[1]);
    clear->samples_log2 = dw[0] & SAMPLES_MASK;
    return (dw[0] & ~(uint32_t)SAMPLES_MASK) == CLEARED && clear->samples_log2 <= SAMPLES_LOG2;
}

/* A hierarchical depth buffer. */
struct hiz {
    uint64_t base;
    uint32_t pitch_bytes, qpitch_rows;
};

/* Where the note of an array element's level is: in the first tile of the row of tiles that the element
 * begins in. Before Gen8 no state has a QPitch: there, successive rows have notes. False: nothing is there.
 */
static bool note_address(struct engine *e, const struct hiz *h, uint32_t element, uint32_t level,
                         uint64_t *address)
{
    enum { ROWS = 1 << 20 };
    const enum softgt_tiling tiling = e->info->draws.depth_tile_4 ? SOFTGT_TILE_4 : SOFTGT_TILE_Y;
    const uint64_t row = (uint64_t)element * (h->qpitch_rows ? h->qpitch_rows : 1u);
    const struct surface s = {.base = h->base,
                              .pitch_bytes = (int32_t)h->pitch_bytes,
                              .tiling = (uint8_t)tiling,
                              .tiles = tile_layout(tiling, 1)};
    struct translation t;
    if (level >= LEVELS || row >= ROWS)
        return false;
    *address =
        mmu_address(&e->mmu, SPACE_PPGTT, surface_address(&s, (int32_t)(level * NOTE_BYTES), (int32_t)row));
    return mmu_cached(&e->mmu, SPACE_PPGTT, *address, NOTE_BYTES, false) ||
           mmu_translate_by(&e->mmu, &e->mmu.walker, SPACE_PPGTT, *address, &t);
}

/* The same of the bound depth buffer. False: it has no HiZ. */
static bool bound_note_address(struct engine *e, uint32_t element, uint64_t *address)
{
    const struct hiz h = {
        .base = state_field(e, STATE_HIER_DEPTH_BUFFER, HIER_SURFACE_BASE_ADDRESS),
        .pitch_bytes = (uint32_t)state_field(e, STATE_HIER_DEPTH_BUFFER, HIER_SURFACE_PITCH) + 1u,
        .qpitch_rows = (uint32_t)state_field(e, STATE_HIER_DEPTH_BUFFER, HIER_SURFACE_QPITCH)};
    return state_field(e, STATE_DEPTH_BUFFER, BUFFER_HIERARCHICAL_DEPTH_BUFFER_ENABLE) &&
           note_address(e, &h, element, (uint32_t)state_field(e, STATE_DEPTH_BUFFER, BUFFER_LOD), address);
}

bool hiz_is_cleared(struct engine *e, uint32_t element, struct hiz_clear *clear)
{
    uint32_t dw[NOTE_DW];
    uint64_t address;
    return bound_note_address(e, element, &address) &&
           engine_load_into(e, SPACE_PPGTT, address, dw, sizeof dw) && note_read(dw, clear);
}

/* Also in the compression state, if level 0 of the element begins with a page that has some. */
static void note_store(struct engine *e, const struct depth_stencil *s, uint32_t element,
                       const uint32_t dw[NOTE_DW])
{
    const uint64_t depth = depth_level_address(&s->depth, depth_bytes(s->depth_format), element);
    const struct surface of = {.base = depth, .space = SPACE_PPGTT, .aux_table = engine_aux_table(e)};
    uint8_t state[CCS_PAGE_BYTES] = {0};
    uint64_t address;
    if (!bound_note_address(e, element, &address))
        return;
    engine_store(e, SPACE_PPGTT, address, dw, NOTE_BYTES);
    memcpy(state, dw, NOTE_BYTES);
    if (e->info->draws.depth_state_in_ccs && depth % PAGE_BYTES == 0 &&
        !state_field(e, STATE_DEPTH_BUFFER, BUFFER_LOD) && ccs_exists(&e->mmu, &of, depth))
        ccs_store(&e->mmu, &of, depth, state);
}

void hiz_note_cleared(struct engine *e, const struct depth_stencil *s, uint32_t element,
                      const struct hiz_clear *clear)
{
    uint32_t dw[NOTE_DW] = {CLEARED | clear->samples_log2};
    memcpy(&dw[1], &clear->value, sizeof dw[1]);
    note_store(e, s, element, dw);
    dispatcher_of(e)->draws->kept.valid = false; /* the next draw that writes depths notes it */
}

void hiz_note_used(struct engine *e, const struct depth_stencil *s, uint32_t first, uint32_t elements)
{
    static const uint32_t nothing[NOTE_DW] = {0};
    struct hiz_clear clear;
    for (uint32_t n = first; n < first + elements; n++)
        if (hiz_is_cleared(e, n, &clear))
            note_store(e, s, n, nothing);
}

/* ---- Textures ---- */

/* The depth format of a texture's. False: it is of no depth buffer. */
static bool depth_format_of(const struct image *i, uint8_t *format)
{
    enum { R32_FLOAT = 216, R24_UNORM_X8_TYPELESS = 217, R16_UNORM = 266 };
    switch (surface_field(&i->state, SURFACE_FORMAT)) {
    case R32_FLOAT:
        *format = DEPTH_D32;
        return true;
    case R24_UNORM_X8_TYPELESS:
        *format = DEPTH_D24;
        return true;
    case R16_UNORM:
        *format = DEPTH_D16;
        return true;
    default:
        return false;
    }
}

/* A note of a texture's level. */
struct texture_note {
    uint32_t dw[CCS_PAGE_BYTES / 4];
    uint64_t address; /* in the HiZ; 0: in the compression state of `page` */
    uint64_t page;
    struct surface of;
};

static bool texture_note_load(struct message_context *b, const struct image *i, uint32_t slice,
                              uint32_t level, struct texture_note *n)
{
    enum { TILE_BYTES = 128 };
    const struct surface_state *const s = &i->state;
    struct engine *const e = b->engine;
    *n = (struct texture_note){.of = i->surface};
    if (surface_field(s, SURFACE_AUXILIARY_SURFACE_MODE) == AUX_HIZ) {
        const struct hiz h = {
            .base =
                field_read(&s->row->places[SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS], s->dw, SURFACE_STATE_DW),
            .pitch_bytes = (surface_field(s, SURFACE_AUXILIARY_SURFACE_PITCH) + 1u) * TILE_BYTES,
            .qpitch_rows = surface_field(s, SURFACE_AUXILIARY_SURFACE_QPITCH)};
        return note_address(e, &h, slice, level, &n->address) &&
               engine_load_into(e, SPACE_PPGTT, n->address, n->dw, NOTE_BYTES);
    }
    n->of.aux_table = b->aux_table;
    n->page =
        surface_address(&i->surface, (int32_t)(i->x * i->format->bytes), (int32_t)(i->y + slice * i->qpitch));
    return !level && n->page % PAGE_BYTES == 0 && ccs_exists(&e->mmu, &n->of, n->page) &&
           ccs_load(&e->mmu, &n->of, n->page, (uint8_t *)n->dw);
}

/* The clear value of a texture's state as bits of the format: from Gen12 on memory has these; before, a
 * float. False: a fault. */
static bool texture_clear_value(struct message_context *b, const struct image *i, uint8_t format,
                                uint32_t *bits)
{
    const struct draw_info *const facts = &b->engine->info->draws;
    const struct surface_state *const s = &i->state;
    union softgt_color color;
    if (facts->depth_state_in_ccs && surface_field(s, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE)) {
        const uint64_t at = field_read(&s->row->places[SURFACE_CLEAR_VALUE_ADDRESS], s->dw, SURFACE_STATE_DW);
        return message_load(b, at + facts->depth_clear_value_dw * sizeof *bits, bits, sizeof *bits);
    }
    if (!fast_clear_color(b, i, &color))
        return false;
    *bits = depth_from_float(format, color.f[0]);
    return true;
}

/* The next rows of a cleared level, as many as a slice takes. Returns the row behind them. */
static uint32_t fill_rows(struct message_context *b, const struct image *i, uint32_t slice, uint32_t row,
                          const struct hiz_clear *clear, uint32_t bytes, uint32_t bits)
{
    enum { PIXELS = 1 << 16, PIXEL_NS = 1 };
    struct engine *const e = b->engine;
    const uint32_t y = i->y + slice * i->qpitch, width = samples_across(clear->samples_log2, i->width),
                   height = samples_down(clear->samples_log2, i->height),
                   rows = (PIXELS / width + HIZ_UPDATE_ROWS) & -(uint32_t)HIZ_UPDATE_ROWS,
                   first = row < height ? row : 0, end = height - first < rows ? height : first + rows;
    const struct rectangle r = {.x1 = (int32_t)(i->x * bytes),
                                .y1 = (int32_t)(y + first),
                                .x2 = (int32_t)((i->x + width) * bytes),
                                .y2 = (int32_t)(y + end)};
    surface_fill(&e->mmu, &i->surface, &r, bits, bytes);
    e->log->cost.ns += (end - first) * (uint64_t)width * PIXEL_NS;
    return end < height ? end : 0;
}

/* A cleared level of a texture gets the texture's clear value, from a row on. Returns the row where it goes
 * on; 0: the level is done. */
static uint32_t level_update(struct message_context *b, const struct image *i, uint32_t slice, uint8_t format,
                             uint32_t row, struct hiz_update *u)
{
    struct engine *const e = b->engine;
    struct hiz_clear clear;
    struct texture_note n;
    uint32_t bits;
    if (!texture_note_load(b, i, slice, i->level, &n) || !note_read(n.dw, &clear) ||
        !texture_clear_value(b, i, format, &bits) || depth_from_float(format, clear.value) == bits)
        return 0;
    u->is_unfinished = true;
    row = fill_rows(b, i, slice, row, &clear, depth_bytes(format), bits);
    if (row || engine_faulted(e))
        return row;
    clear.value = depth_to_float(format, bits);
    memcpy(&n.dw[1], &clear.value, sizeof n.dw[1]);
    if (n.address)
        engine_store(e, SPACE_PPGTT, n.address, n.dw, NOTE_BYTES);
    else
        ccs_store(&e->mmu, &n.of, n.page, (const uint8_t *)n.dw);
    return 0;
}

/* A level of each element, from where the update goes on. */
static void elements_update(struct message_context *b, const struct image *i, uint8_t format,
                            uint64_t position, struct hiz_update *u)
{
    enum { NOTES = 1 << 12, NOTE_NS = 20 };
    for (uint32_t n = 0;
         n < i->depth && n < HIZ_UPDATE_ELEMENTS && !u->is_unfinished && !engine_faulted(b->engine); n++) {
        const uint64_t at = (position * HIZ_UPDATE_ELEMENTS + n) * HIZ_UPDATE_PARTS, next = u->position;
        if (next >= at + HIZ_UPDATE_PARTS)
            continue;
        const uint32_t row = next > at ? (uint32_t)(next - at) * HIZ_UPDATE_ROWS : 0,
                       to = level_update(b, i, i->first_slice + n, format, row, u);
        u->position = to ? at + to / HIZ_UPDATE_ROWS : at + HIZ_UPDATE_PARTS;
        u->is_unfinished |= ++u->notes == NOTES;
        b->engine->log->cost.ns += NOTE_NS;
    }
}

void hiz_update_texture(struct message_context *b, const struct surface_state *s, uint32_t entry,
                        struct hiz_update *u)
{
    uint8_t format;
    struct image i;
    if (surface_field(s, SURFACE_AUXILIARY_SURFACE_MODE) != AUX_HIZ &&
        !surface_field(s, SURFACE_DEPTH_STENCIL_RESOURCE))
        return;
    surface_state_image(b, s, SURFACE_DEPTH, &i);
    if (i.is_null || i.is_buffer || !i.format || !depth_format_of(&i, &format))
        return;
    const uint32_t first = surface_field(s, SURFACE_MIN_LOD),
                   last = first + surface_field(s, SURFACE_MIP_COUNT_LOD);
    for (uint32_t level = first; level <= last && level < LEVELS && !u->is_unfinished; level++) {
        struct image of = i;
        image_select_level(&of, level);
        elements_update(b, &of, format, (uint64_t)entry * (LEVELS + 1) + level, u);
    }
}
