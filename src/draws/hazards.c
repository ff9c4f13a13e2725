/*
 * The device has no caches, so a picture is right without a flush. Here is what the hardware would need: what
 * was written since each cache was flushed, by dword, and since each reader's cache was invalidated. Only
 * what is certain is a hazard: a dword that was stored, an image that a sampler message named, a vertex, an
 * index, a constant or a parameter that was loaded, in one batch of the ring.
 */
#include "draws/hazards.h"

#include "dispatcher/dispatcher.h"
#include "geometry/draw.h"
#include "pipeline3d/draw_work.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SHIFT = 6, LINE_DWORDS = 16, SEEN = 32, FIRST_LINES = 1 << 12, MOST_LINES = 1 << 22 };
enum { BLOCK_SHIFT = 16, BLOCKS = 1 << 12, SETS = 1 << HAZARD_CACHES, SURFACE_PIXELS = 1 << 24 };
enum { PIPE_CONTROL_HEADER = 0x7a000000 };

/* What was stored to 64 bytes, by the last draw or dispatch that did. */
struct written_line {
    uint64_t line; /* address >> LINE_SHIFT */
    uint32_t draw; /* its number; 0: the entry is free */
    uint16_t dwords;
    uint8_t caches; /* bits: the write is in one of these; 0: nothing is known of it */
    bool is_by_dispatch;
};

/* Of an engine. Numbers of draws say when: a draw up to this number was flushed. */
struct engine_writes {
    uint64_t context;
    uint64_t flushed[HAZARD_CACHES], invalidated[HAZARD_READERS];
    uint64_t current; /* the number of the open draw */
    struct written_line *lines;
    size_t capacity, count; /* capacity: a power of two */
    uint32_t blocks[BLOCKS][SETS];
    uint32_t seen[SEEN][SURFACE_STATE_DW]; /* states that the current draw has sampled */
    unsigned seen_count;
    struct draw_hazard parameters[DRAW_HAZARDS]; /* of commands since the last draw */
    unsigned parameter_count;
    uint8_t supported; /* caches that PIPE_CONTROL has a field for */
    bool has_invalidation[HAZARD_READERS], has_indices;
};

/* ---- Fields of PIPE_CONTROL ---- */

/* The first that a generation has is the one to name; each of them does. */
static const char *const flush_fields[HAZARD_CACHES][3] = {
    [HAZARD_RENDER] = {"Render Target Cache Flush Enable"},
    [HAZARD_DEPTH] = {"Depth Cache Flush Enable"},
    [HAZARD_DATA] = {"HDC Pipeline Flush Enable", "DC Flush Enable", "Untyped Data-Port Cache Flush Enable"},
};
static const char stall_field[] = "Command Streamer Stall Enable";
static const char *const invalidation_fields[HAZARD_READERS] = {
    [HAZARD_SAMPLER] = "Texture Cache Invalidation Enable",
    [HAZARD_VERTICES] = "VF Cache Invalidation Enable",
    [HAZARD_INDICES] = "VF Cache Invalidation Enable",
    [HAZARD_PARAMETERS] = stall_field,
};
/* Data ports share a cache: for loads, and for constants that come from there, to wait is enough. The command
 * streamer waits for nothing else. */
static bool wants_stall(unsigned caches, enum hazard_reader reader)
{
    return (caches >> HAZARD_DATA & 1u) && (reader == HAZARD_LOADS || reader == HAZARD_CONSTANTS);
}

static const char *flush_field(const struct command *row, unsigned cache)
{
    for (unsigned n = 0; n < 3 && flush_fields[cache][n]; n++)
        if (named_field(row, flush_fields[cache][n]))
            return flush_fields[cache][n];
    return NULL;
}

static void take_pipe_control(struct engine_writes *w, const struct command *row, uint64_t last,
                              const struct softgt_event *e)
{
    for (unsigned cache = 0; cache < HAZARD_CACHES; cache++)
        for (unsigned n = 0; n < 3 && flush_fields[cache][n]; n++)
            if (named_number(row, flush_fields[cache][n], e->dwords, e->length_dw))
                w->flushed[cache] = last;
    for (unsigned reader = 0; reader < HAZARD_READERS; reader++)
        if (invalidation_fields[reader] &&
            named_number(row, invalidation_fields[reader], e->dwords, e->length_dw))
            w->invalidated[reader] = last;
}

/* Nothing runs any more. */
static uint64_t stalled(const struct engine_writes *w)
{
    return w->invalidated[HAZARD_PARAMETERS];
}

/* ---- What was written ---- */

/* Nothing before needs a flush: the kernel's driver does all between batches, and a switch of context does.
 */
static void clear(struct engine_writes *w, uint64_t last)
{
    for (unsigned n = 0; n < HAZARD_CACHES; n++)
        w->flushed[n] = last;
    for (unsigned n = 0; n < HAZARD_READERS; n++)
        w->invalidated[n] = last;
    if (w->count)
        memset(w->lines, 0, w->capacity * sizeof *w->lines);
    w->count = 0;
    w->parameter_count = 0;
}

static bool is_flushed(const struct engine_writes *w, unsigned caches, uint64_t draw,
                       enum hazard_reader reader)
{
    if (wants_stall(caches, reader) && draw <= stalled(w))
        return true;
    for (unsigned n = 0; n < HAZARD_CACHES; n++)
        if (caches >> n & 1u && draw <= w->flushed[n])
            return true;
    return false;
}

/* Whose cache is not known is only asked for a flush: drivers that copy by stores of pixel shaders leave out
 * the invalidation where nothing has been read before. */
static bool is_invalidated(const struct engine_writes *w, unsigned caches, uint64_t draw,
                           enum hazard_reader reader)
{
    return (caches & (caches - 1u)) != 0 || !w->has_invalidation[reader] || draw <= w->invalidated[reader];
}

static bool is_pending(const struct engine_writes *w, unsigned caches, uint64_t draw,
                       enum hazard_reader reader)
{
    return draw && caches && draw < w->current &&
           (!is_flushed(w, caches, draw, reader) || !is_invalidated(w, caches, draw, reader));
}

static struct written_line *find_line(const struct engine_writes *w, uint64_t line)
{
    size_t at = (size_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (w->capacity - 1u);
    while (w->lines[at].draw && w->lines[at].line != line)
        at = (at + 1u) & (w->capacity - 1u);
    return &w->lines[at];
}

/* Makes room, without lines that nobody needs any more. False: there is none. */
static bool grow_lines(struct engine_writes *w)
{
    struct written_line *const old = w->lines;
    const size_t old_capacity = w->capacity;
    if (old_capacity >= MOST_LINES)
        return false;
    w->lines = calloc(old_capacity * 2u, sizeof *w->lines);
    if (!w->lines) {
        w->lines = old;
        return false;
    }
    w->capacity = old_capacity * 2u;
    w->count = 0;
    for (size_t n = 0; n < old_capacity; n++) {
        const struct written_line *const l = &old[n];
        bool is_needed = l->draw == w->current;
        for (unsigned reader = 0; reader < HAZARD_READERS; reader++)
            is_needed |= is_pending(w, l->caches, l->draw, (enum hazard_reader)reader);
        if (!is_needed)
            continue;
        *find_line(w, l->line) = *l;
        w->count++;
    }
    free(old);
    return true;
}

/* The line as the current draw writes it. */
static struct written_line *write_line(struct engine_writes *w, uint64_t line, unsigned caches)
{
    if (w->count * 2u >= w->capacity && !grow_lines(w))
        clear(w, w->current - 1u);
    struct written_line *const l = find_line(w, line);
    w->count += !l->draw;
    if (l->draw != w->current)
        *l = (struct written_line){.line = line, .draw = (uint32_t)w->current, .caches = (uint8_t)caches};
    return l;
}

static void store_dwords(struct engine_writes *w, const struct softgt_event *e, unsigned caches,
                         bool is_dispatch)
{
    const uint64_t first = graphics_address(e->address) >> 2u,
                   end = (graphics_address(e->address) + e->size_bytes + 3u) >> 2u;
    for (uint64_t dword = first; dword < end;) {
        struct written_line *const l = write_line(w, dword / LINE_DWORDS, caches);
        l->is_by_dispatch = is_dispatch;
        w->blocks[l->line >> (BLOCK_SHIFT - LINE_SHIFT) & (BLOCKS - 1u)][l->caches] = l->draw;
        do
            l->dwords |= (uint16_t)(1u << dword % LINE_DWORDS);
        while (++dword < end && dword % LINE_DWORDS);
    }
}

/* In which cache a store of a draw can be, unless the write of a target says more. */
static unsigned caches_of(const struct draw_surface *surfaces, unsigned count, uint64_t address)
{
    unsigned caches = 1u << HAZARD_RENDER | 1u << HAZARD_DATA;
    for (unsigned n = 0; n < count; n++) {
        const struct draw_surface *const s = &surfaces[n];
        if (s->binding < DRAW_DEPTH)
            continue;
        const uint64_t offset = graphics_address(address - s->picture.address);
        if (offset < (uint64_t)s->picture.pitch_bytes * s->picture.height)
            return 1u << HAZARD_DEPTH;
        caches |= 1u << HAZARD_DEPTH;
    }
    return caches;
}

static void take_store(struct engine_writes *w, const struct hazard_place *at,
                       const struct draw_record *record, const struct draw_surface *surfaces,
                       unsigned surface_count, const struct softgt_event *e)
{
    const struct thread_dispatcher *const d = device_dispatcher(at->device, at->engine);
    /* what flushes stream output differs from driver to driver */
    const bool has_stream_output = !record->is_dispatch && d && d->draws->draw.state.sol.enable;
    unsigned caches =
        record->is_dispatch ? 1u << HAZARD_DATA : caches_of(surfaces, surface_count, e->address);
    if (caches & ~w->supported) /* none, unless it is the write of a target */
        caches = 0;
    if (!e->is_ggtt && strcmp(e->name, "store") == 0 && !has_stream_output)
        store_dwords(w, e, caches, record->is_dispatch);
}

static void take_target(struct engine_writes *w, uint64_t address)
{
    struct written_line *const l =
        write_line(w, graphics_address(address) >> LINE_SHIFT, 1u << HAZARD_RENDER);
    l->caches = 1u << HAZARD_RENDER;
    if (l->dwords)
        w->blocks[l->line >> (BLOCK_SHIFT - LINE_SHIFT) & (BLOCKS - 1u)][l->caches] = l->draw;
}

/* ---- Reads ---- */

static bool is_block_pending(const struct engine_writes *w, uint64_t block, enum hazard_reader reader)
{
    const uint32_t *const draws = w->blocks[block & (BLOCKS - 1u)];
    for (unsigned caches = 1; caches < SETS; caches++)
        if (is_pending(w, caches, draws[caches], reader))
            return true;
    return false;
}

/* The write that a read of these bytes may not see; NULL: none. */
static const struct written_line *find_hazard(const struct engine_writes *w, uint64_t address, uint64_t bytes,
                                              enum hazard_reader reader)
{
    const uint64_t end = (graphics_address(address) + bytes + 3u) >> 2u;
    for (uint64_t dword = graphics_address(address) >> 2u; dword < end; dword++) {
        const struct written_line *const l = find_line(w, dword / LINE_DWORDS);
        if (l->dwords >> dword % LINE_DWORDS & 1u && is_pending(w, l->caches, l->draw, reader))
            return l;
    }
    return NULL;
}

/* Says which write it is of, and what is missing. */
static void complete_hazard(const struct engine_writes *w, const struct hazard_place *at,
                            struct draw_hazard *hazard, const struct written_line *l)
{
    const struct command *const row = device_command_row(at->device, at->engine, PIPE_CONTROL_HEADER);
    const bool is_missing = !is_flushed(w, l->caches, l->draw, hazard->reader);
    hazard->writer = l->draw;
    hazard->is_by_dispatch = l->is_by_dispatch;
    hazard->caches = l->caches;
    for (unsigned n = 0; n < HAZARD_CACHES && is_missing; n++)
        if (l->caches >> n & 1u)
            hazard->missing[hazard->missing_count++] = flush_field(row, n);
    if (is_missing && wants_stall(l->caches, hazard->reader))
        hazard->missing[hazard->missing_count++] = stall_field;
    hazard->flush_count = hazard->missing_count;
    if (!is_invalidated(w, l->caches, l->draw, hazard->reader))
        hazard->missing[hazard->missing_count++] = invalidation_fields[hazard->reader];
}

/* One of a place; of loads, which have many, one of a writer. */
static void put_hazard(struct draw_record *record, const struct draw_hazard *hazard)
{
    for (unsigned n = 0; n < record->hazard_count; n++) {
        const struct draw_hazard *const other = &record->hazards[n];
        if (other->reader == hazard->reader &&
            (other->address == hazard->address ||
             (hazard->reader == HAZARD_LOADS && other->writer == hazard->writer)))
            return;
    }
    if (record->hazard_count < DRAW_HAZARDS)
        record->hazards[record->hazard_count++] = *hazard;
}

static void add_hazard(const struct engine_writes *w, const struct hazard_place *at,
                       struct draw_record *record, struct draw_hazard hazard, const struct written_line *l)
{
    complete_hazard(w, at, &hazard, l);
    put_hazard(record, &hazard);
}

/* Whether something was written near an image's level and layer: tiles of one lie between those of its
 * corners. */
static bool is_near(const struct engine_writes *w, const struct image *i, uint32_t layer)
{
    struct pixel_place first, last;
    if (!surface_place(i, (const uint32_t[3]){0, 0, layer}, 0, &first) ||
        !surface_place(i, (const uint32_t[3]){i->width - 1u, i->height - 1u, layer},
                       (1u << i->samples_log2) - 1u, &last))
        return false;
    const uint64_t from = graphics_address(first.address) >> BLOCK_SHIFT,
                   to = graphics_address(last.address) >> BLOCK_SHIFT;
    for (uint64_t block = from ? from - 1u : 0; block <= to + 1u && block <= from + BLOCKS; block++)
        if (is_block_pending(w, block, HAZARD_SAMPLER))
            return true;
    return false;
}

static const struct written_line *find_in_layer(const struct engine_writes *w, const struct image *i,
                                                uint32_t layer)
{
    struct pixel_place place;
    if ((uint64_t)i->width * i->height > SURFACE_PIXELS || !is_near(w, i, layer))
        return NULL;
    for (uint32_t y = 0; y < i->height; y++)
        for (uint32_t x = 0; x < i->width; x++)
            for (unsigned sample = 0; sample < 1u << i->samples_log2; sample++) {
                if (!surface_place(i, (const uint32_t[3]){x, y, layer}, sample, &place))
                    continue;
                const struct written_line *const l =
                    find_hazard(w, place.address, place.bytes, HAZARD_SAMPLER);
                if (l)
                    return l;
            }
    return NULL;
}

static uint32_t last_level(const struct image *i)
{
    return surface_field(&i->state, SURFACE_MIN_LOD) +
           (i->samples_log2 ? 0 : surface_field(&i->state, SURFACE_MIP_COUNT_LOD));
}

static const struct written_line *find_in_image(const struct engine_writes *w, const struct image *image)
{
    enum { MOST_LEVELS = 15 };
    const uint32_t first = surface_field(&image->state, SURFACE_MIN_LOD), last = last_level(image);
    for (uint32_t level = first; level <= last && level < MOST_LEVELS; level++) {
        struct image i = *image;
        const uint32_t layers = image_level_layers(image, level);
        i.depth = layers;
        image_select_level(&i, level);
        for (uint32_t layer = 0; layer < layers; layer++) {
            const struct written_line *const l = find_in_layer(w, &i, layer);
            if (l)
                return l;
        }
    }
    return NULL;
}

/* True: a state that the current draw has not sampled by before. */
static bool is_new_state(struct engine_writes *w, const uint32_t state[SURFACE_STATE_DW])
{
    for (unsigned n = w->seen_count; n-- > 0;)
        if (memcmp(w->seen[n], state, sizeof w->seen[n]) == 0)
            return false;
    if (w->seen_count == SEEN)
        return false;
    memcpy(w->seen[w->seen_count++], state, sizeof w->seen[0]);
    return true;
}

/* The draw may render to a part of the image that it does not sample. */
static bool is_drawn_to(const struct image *i, unsigned binding, const struct draw_surface *surfaces,
                        unsigned surface_count)
{
    for (unsigned n = 0; n < surface_count; n++) {
        const struct draw_surface *const s = &surfaces[n];
        const bool has_level =
            !s->has_image ||
            (s->image.level >= surface_field(&i->state, SURFACE_MIN_LOD) && s->image.level <= last_level(i));
        if (s->stage == DRAW_PS && s->binding != binding && s->picture.address == i->surface.base &&
            has_level)
            return true;
    }
    return false;
}

static void take_sampling(struct engine_writes *w, const struct hazard_place *at, struct draw_record *record,
                          const struct draw_surface *surfaces, unsigned surface_count,
                          const struct softgt_sampling *p)
{
    struct image i;
    if (!p->surface_state || p->length_dw < SURFACE_STATE_DW || !is_new_state(w, p->surface_state) ||
        !surface_image(at->device, at->engine, p->surface_state, false, &i))
        return;
    if (is_drawn_to(&i, p->binding, surfaces, surface_count))
        return;
    const struct written_line *const l = find_in_image(w, &i);
    if (l)
        add_hazard(w, at, record,
                   (struct draw_hazard){.reader = HAZARD_SAMPLER,
                                        .address = i.surface.base,
                                        .width = i.width,
                                        .height = i.height,
                                        .format = surface_value_name(&i.state, SURFACE_FORMAT)},
                   l);
}

static void take_indices(struct engine_writes *w, const struct hazard_place *at, struct draw_record *record,
                         const struct draw_state *state)
{
    const struct index_buffer *const b = &state->vf.index;
    const uint64_t offset = (uint64_t)state->call.start_vertex * b->index_bytes,
                   left = offset < b->size_bytes ? b->size_bytes - offset : 0,
                   wanted = (uint64_t)state->call.vertex_count * b->index_bytes;
    const struct written_line *const l =
        find_hazard(w, b->start + offset, wanted < left ? wanted : left, HAZARD_INDICES);
    if (l)
        add_hazard(w, at, record,
                   (struct draw_hazard){.reader = HAZARD_INDICES, .address = b->start + offset}, l);
}

static void take_vertex(struct engine_writes *w, const struct hazard_place *at, struct draw_record *record,
                        const struct softgt_vertex *v)
{
    const struct thread_dispatcher *const d = device_dispatcher(at->device, at->engine);
    if (!d)
        return;
    const struct draw_state *const state = &d->draws->draw.state;
    if (state->call.is_indexed && !w->has_indices)
        take_indices(w, at, record, state);
    w->has_indices = true;
    for (unsigned n = 0; n < state->vf.element_count; n++) {
        const struct vf_element *const e = &state->vf.element[n];
        uint64_t address;
        if (!e->source.format ||
            !vf_element_address(e, state->call.start_instance, v->number, v->instance, &address))
            continue;
        const struct written_line *const l = find_hazard(w, address, e->source.bytes, HAZARD_VERTICES);
        if (l)
            add_hazard(w, at, record, (struct draw_hazard){.reader = HAZARD_VERTICES, .address = e->start},
                       l);
    }
}

static void take_load(struct engine_writes *w, const struct hazard_place *at, struct draw_record *record,
                      const struct softgt_event *e)
{
    const enum hazard_reader reader = strcmp(e->name, "constants") == 0 ? HAZARD_CONSTANTS : HAZARD_LOADS;
    const struct written_line *const l = find_hazard(w, e->address, e->size_bytes, reader);
    if (l)
        add_hazard(w, at, record, (struct draw_hazard){.reader = reader, .address = e->address}, l);
}

/* A command between draws that loads a dword: the next draw's parameters. */
static void take_parameters(struct engine_writes *w, const struct hazard_place *at,
                            const struct softgt_event *e)
{
    static const struct {
        const char *command, *address, *is_ggtt;
    } loads[] = {
        {"MI_LOAD_REGISTER_MEM", "Memory Address", "Use Global GTT"},
        {"MI_COPY_MEM_MEM", "Source Memory Address", "Use Global GTT Source"},
    };
    const struct command *const row = device_command_row(at->device, at->engine, e->dwords[0]);
    const uint64_t current = w->current;
    for (unsigned n = 0; n < sizeof loads / sizeof loads[0]; n++) {
        if (strcmp(e->name, loads[n].command) != 0 || w->parameter_count == DRAW_HAZARDS ||
            named_number(row, loads[n].is_ggtt, e->dwords, e->length_dw))
            continue;
        struct draw_hazard hazard = {.reader = HAZARD_PARAMETERS,
                                     .address = named_number(row, loads[n].address, e->dwords, e->length_dw)};
        w->current = UINT64_MAX; /* all draws are earlier ones */
        const struct written_line *const l = find_hazard(w, hazard.address, sizeof(uint32_t), hazard.reader);
        if (l) {
            complete_hazard(w, at, &hazard, l);
            w->parameters[w->parameter_count++] = hazard;
        }
        w->current = current;
    }
}

/* ---- Events ---- */

static struct engine_writes *create(const struct hazard_place *at)
{
    struct engine_writes *const w = calloc(1, sizeof *w);
    const struct command *const row = device_command_row(at->device, at->engine, PIPE_CONTROL_HEADER);
    if (!w)
        return NULL;
    w->capacity = FIRST_LINES;
    w->lines = calloc(w->capacity, sizeof *w->lines);
    if (!w->lines) {
        free(w);
        return NULL;
    }
    for (unsigned n = 0; n < HAZARD_CACHES && row; n++)
        w->supported |= (uint8_t)((flush_field(row, n) != NULL) << n);
    for (unsigned n = 0; n < HAZARD_READERS && row; n++)
        w->has_invalidation[n] = invalidation_fields[n] && named_field(row, invalidation_fields[n]) != NULL;
    return w;
}

/* A command of the ring, or of old drivers, that ends what came before. */
static bool is_boundary(const struct softgt_event *e)
{
    return (strcmp(e->name, "MI_BATCH_BUFFER_START") == 0 && e->is_ggtt) ||
           strcmp(e->name, "MI_FLUSH") == 0 || strcmp(e->name, "MI_SET_CONTEXT") == 0;
}

bool hazards_command(struct hazards *h, const struct hazard_place *at, const struct softgt_event *e)
{
    if (at->engine >= HAZARD_ENGINES)
        return true;
    struct engine_writes *w = h->engines[at->engine];
    if (!w && !command_is_draw(e->name) && !command_is_dispatch(e->name))
        return true;
    if (!w)
        w = h->engines[at->engine] = create(at);
    if (!w)
        return false;
    if (w->context != at->context || is_boundary(e))
        clear(w, at->last);
    w->context = at->context;
    if (strcmp(e->name, "PIPE_CONTROL") == 0)
        take_pipe_control(w, device_command_row(at->device, at->engine, e->dwords[0]), at->last, e);
    else if (strcmp(e->name, "MI_SEMAPHORE_WAIT") == 0) /* a dispatch may signal its end */
        w->invalidated[HAZARD_PARAMETERS] = at->last;
    else if (e->length_dw)
        take_parameters(w, at, e);
    return true;
}

void hazards_begin(struct hazards *h, const struct hazard_place *at, struct draw_record *record)
{
    struct engine_writes *const w = at->engine < HAZARD_ENGINES ? h->engines[at->engine] : NULL;
    if (!w)
        return;
    w->current = at->last;
    w->seen_count = 0;
    w->has_indices = false;
    for (unsigned n = 0; n < w->parameter_count; n++)
        put_hazard(record, &w->parameters[n]);
    w->parameter_count = 0;
}

void hazards_event(struct hazards *h, const struct hazard_place *at, struct draw_record *record,
                   const struct draw_surface *surfaces, unsigned surface_count, const struct softgt_event *e)
{
    struct engine_writes *const w = at->engine < HAZARD_ENGINES ? h->engines[at->engine] : NULL;
    if (!w || w->current != record->number || w->context != record->context)
        return;
    if (e->what == SOFTGT_TRACE_MEMORY)
        take_store(w, at, record, surfaces, surface_count, e);
    else if (e->what == SOFTGT_TRACE_LOADS)
        take_load(w, at, record, e);
    else if (e->fragment && e->fragment->step == SOFTGT_FRAGMENT_WRITTEN && e->fragment->address)
        take_target(w, e->fragment->address);
    else if (e->sampling)
        take_sampling(w, at, record, surfaces, surface_count, e->sampling);
    else if (e->vertex)
        take_vertex(w, at, record, e->vertex);
}

void hazards_free(struct hazards *h)
{
    for (unsigned n = 0; n < HAZARD_ENGINES; n++) {
        if (h->engines[n])
            free(h->engines[n]->lines);
        free(h->engines[n]);
    }
    *h = (struct hazards){0};
}

/* ---- Text ---- */

void draw_hazard_text(const struct draw_record *record, const struct draw_hazard *hazard,
                      char text[HAZARD_TEXT])
{
    static const char *const reads[HAZARD_READERS] = {
        [HAZARD_SAMPLER] = "samples",
        [HAZARD_VERTICES] = "fetches vertices of the buffer at",
        [HAZARD_INDICES] = "fetches indices at",
        [HAZARD_LOADS] = "loads from",
        [HAZARD_CONSTANTS] = "has constants at",
        [HAZARD_PARAMETERS] = "has parameters at",
    };
    const bool is_stored = (hazard->caches & (hazard->caches - 1u)) != 0;
    const char *const wrote = hazard->is_by_dispatch || is_stored    ? "stored to"
                              : hazard->caches == 1u << HAZARD_DEPTH ? "wrote depth or stencil to"
                              : hazard->caches >> HAZARD_RENDER & 1u ? "rendered to"
                                                                     : "wrote";
    char command[32] = "";
    if (hazard->writer_command)
        snprintf(command, sizeof command, " (#%" PRIu64 ")", hazard->writer_command);
    size_t at = (size_t)snprintf(text, HAZARD_TEXT, "%s %" PRIu64 " %s 0x%" PRIx64,
                                 record->is_dispatch ? "dispatch" : "draw", record->number,
                                 reads[hazard->reader], hazard->address);
    if (hazard->format)
        at += (size_t)snprintf(text + at, HAZARD_TEXT - at, " (%" PRIu32 " x %" PRIu32 " %s)", hazard->width,
                               hazard->height, hazard->format);
    at += (size_t)snprintf(text + at, HAZARD_TEXT - at,
                           ", which %s %" PRIu64 "%s %s, without a PIPE_CONTROL with ",
                           hazard->is_by_dispatch ? "dispatch" : "draw", hazard->writer, command, wrote);
    for (unsigned n = 0; n < hazard->missing_count && at < HAZARD_TEXT; n++)
        at += (size_t)snprintf(text + at, HAZARD_TEXT - at, "%s%s",
                               !n                        ? ""
                               : n < hazard->flush_count ? " or "
                                                         : " and ",
                               hazard->missing[n]);
    if (at < HAZARD_TEXT)
        snprintf(text + at, HAZARD_TEXT - at, " between");
}
