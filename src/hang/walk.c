#include "hang/walk.h"

#include "stream/names.h"

#include <string.h>

enum {
    MOST_DEPTH = 4,
    MOST_STARTS = 256,      /* batches of an engine */
    MOST_UNKNOWN = 16,      /* unknown commands of a batch, after which the rest is no batch */
    OFFSET_MASK = 0x1ffffc, /* of RING_BUFFER_HEAD and RING_BUFFER_TAIL */
};
enum { MI_BATCH_BUFFER_END = 0x0a, MI_BATCH_BUFFER_START = 0x31 };

struct walker {
    struct error_walk *w;
    struct {
        uint64_t start, end;
    } listed[MOST_STARTS]; /* of batches */
    unsigned listed_count;
    uint64_t head;              /* of the ring, as an address */
    struct error_position last; /* the command before the current one */
    bool head_known;
};

/* The command at dw[0]. */
static struct error_command command_at(const struct error_walk *w, const struct error_stream *s,
                                       const uint32_t *dw, size_t there_dw, uint64_t address)
{
    const uint16_t number = command_find(w->set, w->class, dw[0]);
    struct error_command c = {.stream = s, .dw = dw, .length_dw = 1, .address = address, .count = 1};
    if (!number)
        return c;
    c.row = w->set->rows[number];
    c.length_dw = command_length_dw(c.row, dw[0]);
    c.is_cut = c.length_dw > there_dw;
    if (c.is_cut)
        c.length_dw = there_dw;
    return c;
}

static bool covers(const struct error_command *c, uint64_t address)
{
    return address >= c->address && address - c->address < c->length_dw * c->count * 4u;
}

/* Whether one of the engine's positions is in the command, or the row of equal commands. */
static unsigned marks_of(const struct walker *k, const struct error_command *c)
{
    const struct error_walk *w = k->w;
    const bool is_ring = c->stream->kind == ERROR_RING;
    return (w->has_acthd && w->acthd_in_batch != is_ring && covers(c, w->acthd) ? ERROR_AT_ACTHD : 0u) |
           (is_ring && k->head_known && covers(c, k->head) ? ERROR_AT_HEAD : 0u);
}

/* Counts equal commands that follow each other. A marked one stands alone. */
static void count_equal(const struct walker *k, struct error_command *c, size_t there_dw)
{
    const size_t bytes = c->length_dw * sizeof *c->dw;
    if (!c->row || c->is_cut || marks_of(k, c) || c->dw[0] >> 23 == MI_BATCH_BUFFER_END ||
        c->dw[0] >> 23 == MI_BATCH_BUFFER_START)
        return;
    while ((c->count + 1) * c->length_dw <= there_dw &&
           memcmp(c->dw, c->dw + c->count * c->length_dw, bytes) == 0) {
        c->count++;
        if (marks_of(k, c)) {
            c->count--;
            return;
        }
    }
}

static void note_position(struct walker *k, const struct error_command *c)
{
    struct error_walk *w = k->w;
    const struct error_position now = {true, *c->stream, c->row, c->dw, c->length_dw, c->address};
    if (c->marks & ERROR_AT_ACTHD && !w->at.is_known) {
        w->at = now;
        w->before = k->last;
    }
    k->last = now;
}

static void walk_batch(struct walker *k, uint64_t address, enum error_space space, unsigned depth);

/* What was listed is not listed again; after MOST_STARTS batches nothing is. */
static bool was_listed(const struct walker *k, uint64_t address)
{
    for (unsigned i = 0; i < k->listed_count; i++)
        if (address >= k->listed[i].start && address < k->listed[i].end)
            return true;
    return k->listed_count == MOST_STARTS;
}

static void begin_listed(struct walker *k, uint64_t address)
{
    k->listed[k->listed_count].start = k->listed[k->listed_count].end = address;
    k->listed_count++;
}

static bool take_budget(struct error_walk *w)
{
    w->budget_ended = !w->budget;
    return w->budget && w->budget--;
}

/* What a command of a stream does to the listing. */
enum step { STEP_ON, STEP_END, STEP_CHAIN };

static enum step see_command(struct walker *k, struct error_command *c, uint64_t *target,
                             enum error_space *space)
{
    struct error_walk *w = k->w;
    const struct error_stream *s = c->stream;
    c->marks = marks_of(k, c);
    note_position(k, c);
    w->unknown += !c->row;
    w->cut += c->is_cut;
    if (w->command)
        w->command(w->user, c);
    if (c->is_cut || (c->dw[0] >> 23 == MI_BATCH_BUFFER_END && c->row))
        return s->kind == ERROR_RING && !c->is_cut ? STEP_ON : STEP_END;
    if (c->dw[0] >> 23 != MI_BATCH_BUFFER_START || !c->row)
        return STEP_ON;
    *target = named_number(c->row, "Batch Buffer Start Address", c->dw, c->length_dw);
    *space = c->dw[0] & 1u << 8 || s->space == ERROR_PPGTT ? ERROR_PPGTT : ERROR_GGTT;
    if (s->kind == ERROR_BATCH && !named_number(c->row, "Second Level Batch Buffer", c->dw, c->length_dw))
        return STEP_CHAIN;
    if (s->depth < MOST_DEPTH)
        walk_batch(k, *target, *space, s->depth + 1);
    return STEP_ON;
}

/* Lists a part of a buffer. STEP_CHAIN: the batch goes on at *target. */
static enum step walk_part(struct walker *k, const struct error_stream *s, size_t at, size_t end,
                           uint64_t *target, enum error_space *space)
{
    struct error_walk *w = k->w;
    const unsigned number = k->listed_count - 1;
    unsigned unknown = 0;
    while (at + 4 <= end && unknown < MOST_UNKNOWN && take_budget(w)) {
        const uint32_t *const dw = (const uint32_t *)(const void *)(s->buffer->bytes + at);
        struct error_command c = command_at(w, s, dw, (end - at) / 4u, s->buffer->address + at);
        count_equal(k, &c, (end - at) / 4u);
        unknown += !c.row;
        if (s->kind == ERROR_BATCH)
            k->listed[number].end = c.address + c.length_dw * c.count * 4u;
        const enum step step = see_command(k, &c, target, space);
        if (step != STEP_ON)
            return step;
        at += c.length_dw * c.count * 4u;
    }
    if (at + 4 > end && s->kind == ERROR_BATCH && !w->endless)
        w->endless = s->buffer;
    return STEP_END;
}

static void walk_batch(struct walker *k, uint64_t address, enum error_space space, unsigned depth)
{
    struct error_walk *w = k->w;
    enum step step = STEP_CHAIN;
    while (step == STEP_CHAIN) {
        struct error_stream s = {
            .kind = ERROR_BATCH, .space = space, .depth = depth, .address = address & ~UINT64_C(3)};
        s.is_repeated = was_listed(k, s.address);
        if (!s.is_repeated)
            begin_listed(k, s.address);
        s.buffer = error_buffer_at(w->state, w->engine, space, s.address);
        if (w->stream)
            w->stream(w->user, &s);
        if (s.is_repeated || !s.buffer)
            return;
        step = walk_part(k, &s, s.address - s.buffer->address, s.buffer->size_bytes, &address, &space);
    }
}

/* ---- The ring ---- */

static const struct error_buffer *find_ring(const struct error_walk *w)
{
    for (unsigned i = 0; i < w->state->buffer_count; i++) {
        const struct error_buffer *const b = &w->state->buffers[i];
        if (b->engine == w->engine && b->bytes && b->has_address && strcmp(b->name, "ring") == 0)
            return b;
    }
    return NULL;
}

static void walk_ring(struct walker *k, const struct error_buffer *ring)
{
    struct error_walk *w = k->w;
    const struct error_engine *const e = &w->state->engines[w->engine];
    struct error_stream s = {.kind = ERROR_RING, .space = ERROR_GGTT, .buffer = ring};
    uint64_t head = 0, tail = 0, target;
    enum error_space space;
    error_register_value(e, "RING_BUFFER_HEAD", &head);
    error_register_value(e, "RING_BUFFER_TAIL", &tail);
    size_t from = head & OFFSET_MASK, to = tail & OFFSET_MASK;
    k->head = ring->address + from;
    k->head_known = true;
    if (e->request.is_known && e->request.head < ring->size_bytes)
        from = e->request.head & OFFSET_MASK;
    if (from >= ring->size_bytes || to > ring->size_bytes)
        return;
    s.address = ring->address + from;
    if (w->stream)
        w->stream(w->user, &s);
    if (from > to) {
        walk_part(k, &s, from, ring->size_bytes, &target, &space);
        from = 0;
    }
    walk_part(k, &s, from, to, &target, &space);
}

/* Whether ACTHD is an address in a batch: BB_ADDR says so, else it is not in the ring. */
static void find_acthd(struct error_walk *w, const struct error_buffer *ring)
{
    const struct error_engine *const e = &w->state->engines[w->engine];
    uint64_t batch;
    w->has_acthd = error_register_value(e, "ACTHD", &w->acthd);
    w->acthd &= UINT64_C(0xffffffffffff);
    if (error_register_value(e, "BB_ADDR", &batch))
        w->acthd_in_batch = batch & 1u;
    else
        w->acthd_in_batch = !ring || w->acthd - ring->address >= ring->size_bytes;
}

static void walk_new_batch(struct walker *k, uint64_t address, enum error_space space)
{
    if (!was_listed(k, address))
        walk_batch(k, address, space, 1);
}

/* Batches that nothing listed starts: xe's job, those that the file names, the one that has ACTHD; and what
 * is at ACTHD, where that batch ends earlier. */
static void walk_others(struct walker *k)
{
    const struct error_walk *const w = k->w;
    const struct error_state *const s = w->state;
    for (unsigned i = 0; i < s->batch_count && s->engines[w->engine].hung; i++)
        walk_new_batch(k, s->batch[i], ERROR_PPGTT);
    for (unsigned i = 0; i < s->buffer_count; i++) {
        const struct error_buffer *const b = &s->buffers[i];
        if (b->engine == w->engine && b->has_address && strcmp(b->name, "batch") == 0)
            walk_new_batch(k, b->address, b->space);
    }
    const struct error_buffer *const b = w->has_acthd && w->acthd_in_batch && !w->at.is_known
                                             ? error_buffer_at(s, w->engine, ERROR_PPGTT, w->acthd)
                                             : NULL;
    if (b)
        walk_new_batch(k, b->address, b->space);
    if (b && !w->at.is_known)
        walk_new_batch(k, w->acthd, b->space);
}

void error_walk(struct error_walk *w)
{
    struct walker k = {.w = w};
    const struct error_buffer *const ring = find_ring(w);
    w->at = w->before = (struct error_position){0};
    w->unknown = w->cut = 0;
    w->endless = NULL;
    find_acthd(w, ring);
    if (ring)
        walk_ring(&k, ring);
    w->ring_leads_there = w->at.is_known || w->endless;
    walk_others(&k);
}
