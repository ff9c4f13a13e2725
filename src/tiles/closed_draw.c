/*
 * Closed draws: those whose pixels can be shaded in any order of tiles. The shaders' messages only read
 * surfaces, write render targets and send vertices; each thread ends after a bounded number of instructions;
 * what is written lies in present pages, and overlaps nothing that the draw reads.
 */
#include "tiles/parallel_tiles.h"

#include "shared_function/image.h"
#include "tiles/ranges.h"

#include <stdlib.h>

enum { KERNEL_BYTES = 1 << 15, INDICES = 240, INDEX_DW = INDICES / 32 + 1 };
/* Of memory that is looked at for a draw: somebody waits for the end of a short run. */
static const uint64_t SHORT_BYTES = UINT64_C(1) << 27, LONG_BYTES = UINT64_C(1) << 32;

struct draw_accesses {
    struct thread_dispatcher *dispatch;
    bool closed, sends_vertices; /* sends_vertices: the shader of vertices is looked at */
    struct access_ranges ranges;
    uint32_t reads_index[INDEX_DW], writes_index[INDEX_DW]; /* of the binding table */
    size_t scanned_bytes;                                   /* of the kernel */
};

/* What was found for draws before: closed kernels, by their bytes, and where ranges of memory lie. No state.
 */
enum { SCANS = 8, SCAN_BYTES = 4 << 10, KERNEL_ALIGNMENT = 64 };
struct closed_caches {
    struct kernel_scan {
        const struct eu_isa *set; /* NULL: none */
        bool sends_vertices;
        uint32_t reads_index[INDEX_DW], writes_index[INDEX_DW];
        size_t length_bytes;
        uint8_t bytes[SCAN_BYTES];
    } scan[SCANS];
    struct range_cache *ranges;
};

static bool caches_create(struct draw_work *w)
{
    if (!w->closed_caches && (w->closed_caches = calloc(1, sizeof *w->closed_caches)))
        w->closed_caches->ranges = range_cache_create();
    return w->closed_caches && w->closed_caches->ranges;
}

void closed_caches_destroy(struct closed_caches *c)
{
    if (c)
        range_cache_destroy(c->ranges);
    free(c);
}

static void add_range(struct draw_accesses *a, uint64_t address, uint64_t size_bytes, bool writes)
{
    enum { MOST_BITS = 40 };
    struct access_ranges *const r = &a->ranges;
    if (!size_bytes || !a->closed)
        return;
    if (r->count == MOST_RANGES || size_bytes >> MOST_BITS)
        a->closed = false;
    else
        r->list[r->count++] = (struct access_range){
            mmu_address(a->dispatch->bindings.memory.mmu, SPACE_PPGTT, address), size_bytes, writes};
}

/* ---- Kernels ---- */

static bool reads_surface(enum eu_message_kind kind)
{
    return kind == MESSAGE_UNTYPED_READ || kind == MESSAGE_BYTE_GATHER || kind == MESSAGE_DWORD_GATHER ||
           kind == MESSAGE_QWORD_GATHER || kind == MESSAGE_BLOCK_READ ||
           kind == MESSAGE_UNALIGNED_BLOCK_READ || kind == MESSAGE_SAMPLER;
}

/* It may raise exceptions, whose system routine is not scanned: cr0.1 enables them. */
static bool writes_exceptions(const struct eu_isa *set, const struct eu_instruction *i)
{
    struct eu_operand to;
    return eu_has_destination(i) && eu_operand(set, i, EU_DESTINATION, &to) && to.file == FILE_CONTROL &&
           (to.subregister || eu_channels(i) > 1);
}

/* Loads through the binding table, and stores of vertices. */
static bool visit_load_store(struct draw_accesses *a, const struct eu_message *m)
{
    enum { OPERATION = 63, LOAD_QUAD = 2, STORE = 4, STORE_QUAD = 6, BINDING_TABLE = 3 };
    const uint32_t operation = m->descriptor & OPERATION, index = m->ex_descriptor >> 24;
    if (m->sfid == SFID_URB)
        return a->sends_vertices && (operation == STORE || operation == STORE_QUAD);
    if (m->sfid != SFID_UGM || operation > LOAD_QUAD || (m->descriptor >> 29 & 3u) != BINDING_TABLE ||
        index >= INDICES)
        return false;
    a->reads_index[index / 32] |= 1u << index % 32;
    return true;
}

static bool visit(void *user, const struct eu_instruction *i)
{
    enum { INDEX = 0xff };
    struct draw_accesses *const a = user;
    a->scanned_bytes += i->size_bytes;
    if (!eu_is_send(i))
        return !writes_exceptions(a->dispatch->set, i);
    const struct eu_message m = eu_message(a->dispatch->set, i);
    const enum eu_message_kind kind = eu_message_kind(a->dispatch->set, m.sfid, m.descriptor);
    const unsigned index = m.descriptor & INDEX;
    if (m.descriptor_in_register || m.ex_descriptor_in_register)
        return false;
    if (kind == MESSAGE_LSC)
        return visit_load_store(a, &m);
    if (kind == MESSAGE_END_OF_THREAD ||
        (a->sends_vertices &&
         (kind == MESSAGE_URB_WRITE || kind == MESSAGE_URB_VERTEX || kind == MESSAGE_URB_HANDLES_WRITE)))
        return true;
    if (kind == MESSAGE_PIXEL_INTERPOLATOR && !a->sends_vertices)
        return true;
    if (index >= INDICES ||
        !(reads_surface(kind) || (kind == MESSAGE_RENDER_TARGET_WRITE && !a->sends_vertices)))
        return false;
    if (kind == MESSAGE_RENDER_TARGET_WRITE)
        a->writes_index[index / 32] |= 1u << index % 32;
    else
        a->reads_index[index / 32] |= 1u << index % 32;
    return true;
}

/* Scans a kernel, unless the last one at its place had the same bytes. */
static bool scan_bytes(struct draw_accesses *a, uint64_t at, const uint8_t *bytes, size_t size_bytes)
{
    struct closed_caches *const c = a->dispatch->draws->closed_caches;
    struct kernel_scan *const k = &c->scan[at / KERNEL_ALIGNMENT % SCANS];
    if (!bytes)
        return false;
    if (k->set == a->dispatch->set && k->sends_vertices == a->sends_vertices &&
        k->length_bytes <= size_bytes && memcmp(k->bytes, bytes, k->length_bytes) == 0) {
        memcpy(a->reads_index, k->reads_index, sizeof a->reads_index);
        memcpy(a->writes_index, k->writes_index, sizeof a->writes_index);
        return true;
    }
    a->scanned_bytes = 0;
    const bool is_closed = eu_scan_kernel(a->dispatch->set, bytes, size_bytes, visit, a);
    if (!is_closed || a->scanned_bytes > sizeof k->bytes)
        return is_closed;
    k->set = a->dispatch->set;
    k->sends_vertices = a->sends_vertices;
    k->length_bytes = a->scanned_bytes;
    memcpy(k->reads_index, a->reads_index, sizeof a->reads_index);
    memcpy(k->writes_index, a->writes_index, sizeof a->writes_index);
    memcpy(k->bytes, bytes, k->length_bytes);
    return true;
}

/* The bytes of the kernel lie in one window. */
static bool scan_kernel(struct draw_accesses *a, const struct shader_stage_state *s)
{
    const struct thread_dispatcher *const d = a->dispatch;
    const struct mmu *const mmu = d->bindings.memory.mmu;
    const uint64_t at =
        mmu_address(mmu, SPACE_PPGTT, d->work.bases.instruction_base + s->kernel_start_pointer);
    struct memory_window w;
    (void)memory_window_make(&w, mmu, SPACE_PPGTT, at, KERNEL_BYTES, false);
    add_range(a, at, w.size_bytes, false);
    return !(s->control[1] & (CR1_ILLEGAL_ENABLE | CR1_SOFTWARE_ENABLE)) &&
           scan_bytes(a, at, memory_window_host(&w, mmu, at, w.size_bytes), w.size_bytes);
}

/* ---- Surfaces ---- */

/* The bytes of rows from the base of a surface on. */
static uint64_t rows_bytes(const struct image *i, uint64_t rows)
{
    const unsigned shift = i->surface.tiles ? i->surface.tiles->height_shift : 0;
    return ((rows + (UINT64_C(1) << shift) - 1u) >> shift << shift) *
           (uint64_t)(i->surface.pitch_bytes > 0 ? i->surface.pitch_bytes : 0);
}

/* Levels after the first one. */
static uint32_t levels_of(const struct image *i)
{
    return surface_field(&i->state, SURFACE_MIP_COUNT_LOD);
}

/* The most that the pixels of all levels and slices may have. */
static uint64_t image_bytes(const struct image *i)
{
    const uint32_t of_block = i->blocks ? i->blocks->height : 1, levels = levels_of(i);
    const uint64_t slices = (uint64_t)i->first_slice + i->depth,
                   height = ((uint64_t)i->height + of_block - 1u) / of_block,
                   one = levels ? height * 2u : height;
    if (i->is_buffer)
        return i->size_bytes;
    return rows_bytes(i, i->y + (slices > 1 ? slices * (i->qpitch > one ? i->qpitch : one) : one));
}

/* What the pixels of a target have. */
static uint64_t target_bytes(const struct image *i)
{
    const unsigned shift = i->surface.tiles ? i->surface.tiles->depth_shift : 0;
    const uint32_t last = i->first_slice + (i->depth ? i->depth - 1u : 0);
    return rows_bytes(i, (uint64_t)(last >> shift) * i->qpitch + i->y + i->height) << shift;
}

/* Blocks of a control surface lie within tiles of pixels, and none of its bytes has blocks of two. */
static bool has_closed_ccs(const struct image *i)
{
    enum { INSIDE = RASTER_TILE - 1 };
    const bool has_slices = i->first_slice || i->depth > 1;
    return i->ccs.kind == CCS_NONE ||
           (i->format->bytes > 1 && !(i->x & INSIDE) && !(i->y & INSIDE) && !(i->ccs.x & INSIDE) &&
            !(i->ccs.y & INSIDE) && !(has_slices && (i->qpitch & INSIDE || i->ccs.qpitch & INSIDE)));
}

/* No two pixels share memory. */
static bool has_rows_apart(const struct image *i)
{
    const uint32_t of_block = i->blocks ? i->blocks->height : 1;
    return i->surface.pitch_bytes > 0 &&
           (uint64_t)(i->x + i->width) * i->format->bytes <= (uint64_t)i->surface.pitch_bytes &&
           (i->depth <= 1 || (uint64_t)i->qpitch * of_block >= i->height);
}

/* Control surfaces have no more bytes than their rows: a pitch may be too small for the surface. */
static bool has_control_rows_apart(const struct image *i)
{
    return i->is_null || (fast_clear_rows_are_apart(i) && mcs_rows_are_apart(i));
}

static void add_target(struct draw_accesses *a, unsigned index)
{
    enum { CLEAR_COLOR_BYTES = 32 };
    struct message_context *const b = &a->dispatch->bindings;
    struct eu_send m = {.sfid = SFID_RENDER_CACHE, .descriptor = index};
    struct image i;
    if (!render_target_image(b, &m, &i) || message_faulted(b)) {
        a->closed = false;
        return;
    }
    if (i.is_null)
        return;
    const struct image pixels = i;
    image_divide_samples(&i);
    if (i.is_buffer || i.surface.space != SPACE_PPGTT || !has_rows_apart(&i) || !has_closed_ccs(&i) ||
        !has_control_rows_apart(&pixels)) {
        a->closed = false;
        return;
    }
    add_range(a, i.surface.base, target_bytes(&i), true);
    add_range(a, i.ccs.base, fast_clear_surface_bytes(&i), true);
    add_range(a, pixels.mcs.base, mcs_bytes(&pixels), true);
    if (surface_field(&i.state, SURFACE_CLEAR_VALUE_ADDRESS_ENABLE))
        add_range(a,
                  field_read(&i.state.row->places[SURFACE_CLEAR_VALUE_ADDRESS], i.state.dw, SURFACE_STATE_DW),
                  CLEAR_COLOR_BYTES, false);
}

static void add_depth(struct draw_accesses *a, const struct depth_surface *s, unsigned bytes)
{
    const uint32_t tile_rows = s->tiling == SOFTGT_TILE_64 ? 256 : 32;
    if (s->present && ((uint64_t)(s->level_x + s->width) * bytes > s->pitch_bytes ||
                       (s->elements > 1 && s->qpitch_rows < s->level_y + s->height)))
        a->closed = false;
    const uint64_t rows =
        (uint64_t)(s->first_element + s->elements - 1u) * s->qpitch_rows + s->level_y + s->height;
    if (s->present)
        add_range(a, s->base, (rows + tile_rows - 1u) / tile_rows * tile_rows * s->pitch_bytes, true);
}

static void add_texture(struct draw_accesses *a, unsigned index)
{
    struct message_context *const b = &a->dispatch->bindings;
    struct eu_send m = {.sfid = SFID_SAMPLER, .descriptor = index};
    struct image i;
    message_image(b, &m, SURFACE_DEPTH, &i);
    if (message_faulted(b) || !has_control_rows_apart(&i))
        a->closed = false;
    if (i.is_null || !a->closed)
        return;
    add_range(a, i.mcs.base, mcs_bytes(&i), false);
    image_divide_samples(&i);
    add_range(a, i.surface.base, image_bytes(&i), false);
    add_range(a, i.ccs.base, fast_clear_surface_bytes(&i) * (levels_of(&i) ? 2u : 1u), false);
}

/* A message to a state that is not present would raise a fault. */
static bool state_is_present(struct draw_accesses *a, const struct shader_stage_state *s, unsigned index)
{
    enum { ENTRY_BYTES = 4 };
    const struct mmu *const mmu = a->dispatch->bindings.memory.mmu;
    const uint64_t at = mmu_address(mmu, SPACE_PPGTT, s->binding_table_address + index * ENTRY_BYTES);
    struct memory_window w;
    uint32_t entry;
    if (!memory_window_make(&w, mmu, SPACE_PPGTT, at, ENTRY_BYTES, false) || w.size_bytes < ENTRY_BYTES)
        return false;
    memcpy(&entry, memory_window_host(&w, mmu, at, ENTRY_BYTES), sizeof entry);
    const uint64_t state = mmu_address(mmu, SPACE_PPGTT,
                                       a->dispatch->bindings.kernel.surface_state_base +
                                           surface_pointer(&a->dispatch->bindings, entry)),
                   bytes = SURFACE_STATE_DW * sizeof(uint32_t);
    add_range(a, at, ENTRY_BYTES, false);
    add_range(a, state, bytes, false);
    return memory_window_make(&w, mmu, SPACE_PPGTT, state, bytes, false) && w.size_bytes >= bytes;
}

static void add_stage(struct draw_accesses *a, unsigned stage)
{
    enum { SAMPLERS_BYTES = 16 * 32 };
    struct thread_dispatcher *const d = a->dispatch;
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[stage];
    memset(a->reads_index, 0, sizeof a->reads_index);
    memset(a->writes_index, 0, sizeof a->writes_index);
    a->sends_vertices = stage != SHADER_STAGE_PS;
    a->closed = a->closed && scan_kernel(a, s);
    for (unsigned index = 0; index < INDICES && a->closed; index++) {
        const bool reads = a->reads_index[index / 32] >> index % 32 & 1u,
                   writes = a->writes_index[index / 32] >> index % 32 & 1u;
        if (!reads && !writes)
            continue;
        if (!state_is_present(a, s, index)) {
            a->closed = false;
            return;
        }
        if (writes)
            add_target(a, index);
        if (reads)
            add_texture(a, index);
    }
    add_range(a, d->bindings.kernel.dynamic_state_base + (s->r0_samplers & ~0x1fu), SAMPLERS_BYTES, false);
    for (unsigned n = 0; n < PUSH_CONSTANT_BUFFERS; n++)
        add_range(a, s->constants[n].address, s->constants[n].length_registers * (uint64_t)EU_REGISTER_BYTES,
                  false);
}

/* Stages are looked at with their binding tables. */
static void add_stages(struct draw_accesses *a)
{
    struct thread_dispatcher *const d = a->dispatch;
    const struct draw_state *const s = &d->draws->draw.state;
    const uint64_t table = d->bindings.kernel.binding_table;
    d->bindings.kernel.binding_table = s->stage[SHADER_STAGE_PS].binding_table_address;
    add_stage(a, SHADER_STAGE_PS);
    if (s->vs_enable) {
        d->bindings.kernel.binding_table = s->stage[SHADER_STAGE_VS].binding_table_address;
        add_stage(a, SHADER_STAGE_VS);
    }
    d->bindings.kernel.binding_table = table;
}

static void add_buffers(struct draw_accesses *a)
{
    const struct draw_state *const s = &a->dispatch->draws->draw.state;
    const struct depth_stencil *const t = &s->om.depth_stencil;
    for (unsigned n = 0; n < s->vf.element_count; n++)
        add_range(a, s->vf.element[n].start, s->vf.element[n].size_bytes, false);
    if (s->vf.has_edge_flags)
        add_range(a, s->vf.edge_flag.start, s->vf.edge_flag.size_bytes, false);
    add_range(a, s->vf.index.start, s->call.is_indexed ? s->vf.index.size_bytes : 0, false);
    if (!t->enabled)
        return;
    add_depth(a, &t->depth, depth_bytes(t->depth_format));
    if (!t->stencil.interleaved_stencil)
        add_depth(a, &t->stencil, t->stencil.tiled_w ? 2 : 1); /* a pitch of W tiles counts pairs of rows */
}

bool draw_is_closed(struct thread_dispatcher *d)
{
    const struct draw_state *const s = &d->draws->draw.state;
    struct draw_accesses a = {.dispatch = d, .closed = true};
    const char *const error_text = d->bindings.error_text;
    const bool not_modelled = d->bindings.not_modelled;
    if (s->te.enable || s->gs.enable || s->gs.gen6_enable || s->sol.enable || !s->ps.valid ||
        s->raster.fast_clear || s->om.fast_clear ||
        (s->samples.per_sample && d->engine->info->draws.multisample_modes_in_wm) || !caches_create(d->draws))
        return false;
    add_stages(&a);
    add_buffers(&a);
    d->bindings.error_text = error_text;
    d->bindings.not_modelled = not_modelled;
    return a.closed && ranges_are_closed(d->draws->closed_caches->ranges, d->bindings.memory.mmu, &a.ranges,
                                         dispatch_is_short(d) ? SHORT_BYTES : LONG_BYTES);
}
