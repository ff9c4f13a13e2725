/* Buffers that messages access: memory with or without a surface state, and shared local memory. */
#include "shared_function/shared_function.h"

static uint64_t slm_wrap_offset(const struct buffer_view *t, uint64_t offset)
{
    return t->kind == BUFFER_VIEW_SLM ? offset & slm_address_mask(t->size_bytes) : offset;
}

uint32_t buffer_view_bytes_in_bounds(const struct buffer_view *t, uint64_t offset, uint32_t size)
{
    offset = slm_wrap_offset(t, offset);
    const uint64_t end = t->kind == BUFFER_VIEW_NULL ? 0 : t->size_bytes, whole = end & ~(uint64_t)3;
    if (offset <= end && end - offset >= size)
        return t->kind == BUFFER_VIEW_NULL ? 0 : size;
    return offset < whole ? (uint32_t)(whole - offset) : 0;
}

/* On a device, an access to a null surface is not out of bounds. */
static void count_outside(struct message_context *b, const struct buffer_view *t, bool is_outside)
{
    b->memory.counters->out_of_bounds +=
        is_outside && (t->kind != BUFFER_VIEW_NULL || b->info.null_is_out_of_bounds);
}

void buffer_view_load(struct message_context *b, const struct buffer_view *t, uint64_t offset, void *to,
                      uint32_t size)
{
    const uint32_t there = buffer_view_bytes_in_bounds(t, offset, size);
    memset(to, 0, size);
    offset = slm_wrap_offset(t, offset);
    b->work.memory_accesses++;
    b->work.slm_accesses |= t->kind == BUFFER_VIEW_SLM ? SLM_READ : 0;
    count_outside(b, t, there < size);
    if (!there)
        return;
    if (t->kind == BUFFER_VIEW_SLM) {
        memcpy(to, b->slm + offset, there);
        return;
    }
    memory_client_trace_load(&b->memory, "load", t->base + offset, there);
    message_load(b, t->base + offset, to, there);
}

void buffer_view_store(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                       const void *from, uint32_t size)
{
    const uint32_t there = buffer_view_bytes_in_bounds(t, offset, size);
    offset = slm_wrap_offset(t, offset);
    b->work.memory_accesses++;
    b->work.slm_accesses |= t->kind == BUFFER_VIEW_SLM ? SLM_WRITE : 0;
    count_outside(b, t, there < size);
    if (!there)
        return;
    if (t->kind == BUFFER_VIEW_SLM)
        memcpy(b->slm + offset, from, there);
    else
        message_store(b, t->base + offset, from, there);
}

bool surface_state_load(struct message_context *b, uint64_t address, struct surface_state *s)
{
    s->row = b->structures.surface_state;
    memset(s->dw, 0, sizeof s->dw);
    return message_load(b, address, s->dw,
                        s->row->min_dwords < SURFACE_STATE_DW ? s->row->min_dwords * sizeof *s->dw
                                                              : sizeof s->dw);
}

bool binding_table_surface(struct message_context *b, uint32_t index, struct surface_state *s)
{
    enum { ENTRY_BYTES = 4 };
    uint32_t entry;
    return message_load(b, b->kernel.binding_table + index * ENTRY_BYTES, &entry, sizeof entry) &&
           surface_state_load(b, b->kernel.surface_state_base + surface_pointer(b, entry), s);
}

/* The entries of a buffer. The count less one is width in bits 6:0, height in 20:7, depth above. */
static uint64_t entries_of(const struct surface_state *s)
{
    return ((uint64_t)surface_field(s, SURFACE_DEPTH) << 21 |
            (surface_field(s, SURFACE_HEIGHT) & 0x3fffu) << 7 | (surface_field(s, SURFACE_WIDTH) & 0x7fu)) +
           1u;
}

static struct buffer_view make_target(const struct message_context *b, const struct surface_state *s)
{
    struct buffer_view t = {
        .kind = BUFFER_VIEW_MEMORY,
        .base = field_read(&s->row->places[SURFACE_BASE_ADDRESS], s->dw, SURFACE_STATE_DW),
    };
    const uint64_t pitch_bytes = surface_field(s, SURFACE_PITCH) + 1u;
    switch (surface_field(s, SURFACE_TYPE)) {
    case SURFTYPE_NULL:
        t.kind = BUFFER_VIEW_NULL;
        break;
    case SURFTYPE_SCRATCH:
        t.base += b->scratch_slot * pitch_bytes;
        t.size_bytes = pitch_bytes;
        break;
    case SURFTYPE_BUFFER:
    case SURFTYPE_STRBUF:
        t.size_bytes =
            surface_field(s, SURFACE_FORMAT) == RAW_FORMAT ? entries_of(s) : entries_of(s) * pitch_bytes;
        break;
    default:
        t.size_bytes = (surface_field(s, SURFACE_HEIGHT) + UINT64_C(1)) * pitch_bytes;
        break;
    }
    return t;
}

static struct surface_state_cache_entry *known_of(struct message_context *b, const void *state)
{
    enum { BASE_DW = 8 };
    uint32_t base;
    memcpy(&base, (const uint8_t *)state + BASE_DW * sizeof base, sizeof base);
    return &b->caches.surfaces[cache_index(base, KNOWN_BITS)];
}

static bool is_same(const uint32_t *dw, const void *state)
{
    uint64_t x, y, differ = 0;
    for (unsigned n = 0; n < SURFACE_STATE_DW / 2; n++) {
        memcpy(&x, dw + n * 2u, sizeof x);
        memcpy(&y, (const uint32_t *)state + n * 2u, sizeof y);
        differ |= x ^ y;
    }
    return !differ;
}

/* The host's pointer to the surface state of an index; NULL: the TLB does not have the state or the entry. */
static const void *state_of(struct message_context *b, struct binding_table_cache_entry *known,
                            uint32_t index)
{
    const struct mmu *const mmu = b->memory.mmu;
    const bool was_known = binding_table_is_known(b, known, index);
    uint32_t entry;
    const void *const at = was_known
                               ? known->entry_host
                               : mmu_cached(mmu, SPACE_PPGTT, b->kernel.binding_table + index * sizeof entry,
                                            sizeof entry, false);
    if (!at)
        return NULL;
    memcpy(&entry, at, sizeof entry);
    if (!was_known || entry != known->entry)
        *known = (struct binding_table_cache_entry){
            .tlb_generation = mmu->tlb_generation,
            .binding_table = b->kernel.binding_table,
            .surface_state_base = b->kernel.surface_state_base,
            .entry_host = at,
            .state_host = mmu_cached(mmu, SPACE_PPGTT, b->kernel.surface_state_base + (entry & ~0x3fu),
                                     SURFACE_STATE_DW * sizeof entry, false),
            .index = index,
            .entry = entry};
    return known->state_host;
}

const struct buffer_view *binding_table_find_buffer(struct message_context *b, uint32_t index)
{
    enum { ENTRY_BYTES = 4, STATE_BYTES = 64 };
    struct binding_table_cache_entry *const known = &b->caches.binding_table[index % KNOWN];
    const uint64_t stores = stores_to_bindings(b);
    const void *const state = state_of(b, known, index); /* where it lies, mostly what was found before */
    known->has_buffer = false;
    if (!state)
        return NULL;
    const struct surface_state_cache_entry *const surface = known_of(b, state);
    if (surface->state.row != b->structures.surface_state || !is_same(surface->state.dw, state))
        return NULL;
    known->has_buffer = true;
    known->stores = stores;
    note_binding_pages(b, known->binding_table + index * ENTRY_BYTES,
                       known->surface_state_base + (known->entry & ~(uint32_t)(STATE_BYTES - 1)));
    known->buffer = surface->buffer;
    return &known->buffer;
}

struct buffer_view binding_table_buffer(struct message_context *b, uint32_t index)
{
    const struct buffer_view *known = binding_table_known_buffer(b, index);
    struct surface_state s;
    if (known || (known = binding_table_find_buffer(b, index)))
        return *known;
    return binding_table_surface(b, index, &s) ? surface_buffer_view(b, &s)
                                               : (struct buffer_view){.kind = BUFFER_VIEW_NULL};
}

struct buffer_view surface_buffer_view(struct message_context *b, const struct surface_state *s)
{
    struct surface_state_cache_entry *const known = known_of(b, s->dw);
    if (surface_field(s, SURFACE_TYPE) == SURFTYPE_SCRATCH) /* each thread's own */
        return make_target(b, s);
    if (known->state.row != s->row || memcmp(known->state.dw, s->dw, sizeof s->dw) != 0)
        *known = (struct surface_state_cache_entry){.state = *s, .buffer = make_target(b, s)};
    return known->buffer;
}

/* ---- Pages of the host ---- */

uint8_t *message_fetch_bytes(struct message_context *b, uint64_t address, uint64_t bytes, bool writes)
{
    struct mmu *const u = b->memory.mmu;
    struct translation t;
    if (address % PAGE_BYTES + bytes > PAGE_BYTES ||
        !mmu_translate_by(u, &u->walker, SPACE_PPGTT, address, &t) || (writes && !t.writable))
        return NULL;
    return mmu_host(u, SPACE_PPGTT, address, writes);
}

uint8_t *message_fetch_written_page(struct message_context *b, uint64_t page, uint64_t *page_bit)
{
    uint8_t *host = mmu_cached(b->memory.mmu, SPACE_PPGTT, page, PAGE_BYTES, true);
    if (!host)
        host = message_fetch_bytes(b, page, PAGE_BYTES, true);
    *page_bit = mmu_page_bit(b->memory.mmu, SPACE_PPGTT, page);
    return b->effects.kernel_pages & *page_bit ? NULL : host;
}
