/*
 * Contexts and rings, set up and submitted as a driver does: GGTT pages, a ring, a register image, a status
 * page, and the registers that start an engine. (CSP-17, CSP-18, OVR-05, REN-10)
 */
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "gts/reader.h"

enum { PAGE = 4096, IMAGE_ROOM_DW = 16384, MAX_RING = 2 << 20, MAX_QUEUES = 4096 };
struct options {
    int ppgtt;
    uint64_t id, ring, size, image, control, descriptor, head;
    bool has_ring, has_image, has_descriptor;
};

static bool read_options(struct reader *r, bool context, struct options *o)
{
    *o = (struct options){.ppgtt = -1, .size = PAGE, .control = DRIVER_FRESH_CONTEXT};
    while (!is_mark(r, '{') && !is_line_end(r)) {
        const struct gts_token *t = peek(r);
        bool good;
        r->token_index++;
        if (token_is(t, "ppgtt")) {
            const struct gts_token *name = peek(r);
            o->ppgtt = name->kind == TOKEN_WORD ? gts_space_find(&r->spaces, name->text, name->length) : -1;
            if (o->ppgtt < 0 || !gts_space_is_ppgtt(&r->spaces, o->ppgtt))
                return syntax_error(r, name, "unknown ppgtt '%.*s'", (int)name->length, name->text);
            r->token_index++;
            good = true;
        } else if (token_is(t, "size")) {
            good = read_known(r, &o->size);
            if (good && (o->size < PAGE || o->size > MAX_RING || o->size % PAGE))
                return syntax_error(r, t, "ring size is 0x%llx: expected 4K to 2M, a multiple of 4K",
                                    (unsigned long long)o->size);
        } else if (token_is(t, context ? "ring" : "at")) {
            good = read_known(r, &o->ring);
            o->has_ring = true;
        } else if (!context && token_is(t, "head")) {
            good = read_known(r, &o->head);
        } else if (context && token_is(t, "id")) {
            good = read_known(r, &o->id);
        } else if (context && token_is(t, "image")) {
            good = read_known(r, &o->image);
            o->has_image = true;
        } else if (context && token_is(t, "control")) {
            good = read_known(r, &o->control);
        } else if (context && token_is(t, "descriptor")) {
            good = read_known(r, &o->descriptor);
            o->has_descriptor = true;
        } else {
            return expected_error(r, t,
                                  context ? "ppgtt, id, ring, size, image, control, descriptor or '{'"
                                          : "at, size, head, ppgtt or '{'");
        }
        if (!good)
            return false;
        if ((o->ring | o->image) & (PAGE - 1) || (o->ring | o->image) > UINT32_MAX)
            return syntax_error(
                r, t, "%s address is 0x%llx: expected a multiple of 4K below 4G",
                o->image & (PAGE - 1) || o->image > UINT32_MAX ? "image" : "ring",
                (unsigned long long)(o->image & (PAGE - 1) || o->image > UINT32_MAX ? o->image : o->ring));
    }
    return true;
}

/* Reserves GGTT pages when the program gives no address. */
static bool reserve_pages(struct reader *r, const struct gts_token *t, bool given, uint64_t size,
                          uint64_t *address)
{
    struct gts_space *ggtt = &r->spaces.list[SPACE_NUMBER_GGTT];
    if (!given) {
        *address = ggtt->next_address;
        ggtt->next_address += (size + PAGE - 1) / PAGE * PAGE;
    }
    const char *why = gts_space_map_missing(&r->spaces, SPACE_NUMBER_GGTT, *address, size);
    return !why || range_error(r, t, SPACE_NUMBER_GGTT, *address, size, why);
}

static bool write_all(struct reader *r, const struct gts_token *t, const struct gts_engine *e,
                      const struct driver_writes *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (!emit_write(r, t, w->list[i].offset, w->list[i].value, e->name))
            return false;
    return true;
}

static bool write_engine(struct reader *r, const struct gts_token *t, const struct gts_engine *e,
                         uint32_t offset, uint32_t value)
{
    return emit_write(r, t, e->base + offset, value, e->name);
}

static bool set_up_engine(struct reader *r, const struct gts_token *t, const struct gts_engine *e)
{
    struct engine_setup *setup = &r->setup[e->number];
    const bool first = setup->status_page == 0;
    if (setup->has_status_page)
        return true;
    setup->has_status_page = true;
    return reserve_pages(r, t, !first, PAGE, &setup->status_page) &&
           (!first || symbol_define(r, t, e->name, strlen(e->name), "hwsp", SYMBOL_ADDRESS,
                                    setup->status_page, true, SPACE_NUMBER_GGTT)) &&
           write_engine(r, t, e, e->info->hws_pga, (uint32_t)setup->status_page);
}

static struct command_queue *add_queue(struct reader *r, const struct command_queue *queue)
{
    if (r->queue_index == MAX_QUEUES)
        return NULL;
    if (r->queue_index == r->queue_capacity) {
        const size_t room = r->queue_capacity ? r->queue_capacity * 2 : 16;
        struct command_queue *queues = realloc(r->queues, room * sizeof *queues);
        if (!queues)
            return NULL;
        r->queues = queues;
        r->queue_capacity = room;
    }
    r->queues[r->queue_index] = *queue;
    return &r->queues[r->queue_index++];
}

/* Reads commands and stores them at the tail. */
static bool read_ring_commands(struct reader *r, const struct gts_token *t, struct command_queue *q)
{
    struct block b = {.engine = q->engine, .address = q->ring + q->tail, .commands = true};
    const size_t length = strlen(q->name);
    const size_t number = (size_t)(q - r->queues);
    memcpy(r->scope, q->name, length + 1);
    const bool good = read_block(r, &b);
    r->scope[0] = 0;
    if (!good)
        return false;
    q = &r->queues[number];
    if (b.size % 8 && !block_put(r, &b, t, &(uint32_t){0}, 4)) /* the tail counts qwords */
        return false;
    const uint64_t needed = (q->tail + b.size + 8 + PAGE - 1) / PAGE * PAGE;
    if (q->tail + b.size > q->size_bytes - 8 && needed > MAX_RING)
        return syntax_error(
            r, t, "the commands of %s need a ring of %lluK: expected at most 2M (put them in a batch)",
            q->name, (unsigned long long)needed >> 10);
    if (q->tail + b.size > q->size_bytes - 8)
        return syntax_error(r, t,
                            "the commands do not fit in the ring of %s: it has %llu bytes, %llu are used "
                            "(write 'size %lluK')",
                            q->name, (unsigned long long)q->size_bytes, (unsigned long long)q->tail,
                            (unsigned long long)needed >> 10);
    if (!emit_store(r, t, SPACE_NUMBER_GGTT, q->ring + q->tail, r->block_bytes.data, b.size))
        return false;
    q->tail += b.size;
    return true;
}

/* The page tables of an address space; NULL: none. */
static const struct driver_ppgtt *tables_of(const struct reader *r, int ppgtt, struct driver_ppgtt *tables)
{
    if (ppgtt < 0)
        return NULL;
    tables->levels = r->spaces.list[ppgtt].levels;
    memcpy(tables->root, r->spaces.list[ppgtt].root, sizeof tables->root);
    return tables;
}

/* Fills the ring context as a driver does, by the rows that the device saves. */
static bool store_image(struct reader *r, const struct gts_token *t, const struct command_queue *q,
                        uint64_t control)
{
    struct driver_ppgtt tables;
    const struct driver_context context = {
        .ring = {(uint32_t)q->ring, (uint32_t)q->size_bytes, 0, (uint32_t)q->tail},
        .control = (uint32_t)control,
        .ppgtt = tables_of(r, q->ppgtt, &tables)};
    uint32_t *dw = calloc(IMAGE_ROOM_DW, sizeof *dw);
    if (!dw)
        return reader_no_memory(r);
    const uint32_t length_dw = driver_image(q->engine->info, &context, dw, IMAGE_ROOM_DW);
    const bool good = emit_store(r, t, SPACE_NUMBER_GGTT, q->image + DRIVER_IMAGE_OFFSET, dw, length_dw * 4);
    free(dw);
    return good;
}

/* context NAME ENGINE options { commands } */
bool read_context(struct reader *r, const struct gts_token *start)
{
    const struct gts_token *name = peek(r);
    struct command_queue q = {.ppgtt = -1};
    struct options o;
    if (name->kind != TOKEN_WORD)
        return expected_error(r, name, "a name after 'context'");
    r->token_index++;
    if (!read_engine(r, &q.engine) || !read_options(r, true, &o))
        return false;
    if (!q.engine->info || !q.engine->info->contexts.image || !q.engine->info->contexts.execlists)
        return syntax_error(r, start, "%s has no execlists and no contexts: use 'ring %s { ... }'",
                            r->machine->device, q.engine->name);
    struct engine_setup *setup = &r->setup[q.engine->number];
    if (setup->ring_mode)
        return syntax_error(r, start,
                            "%s is in ring buffer mode: a context needs execlists (use 'append %s')",
                            q.engine->name, q.engine->name);
    const uint64_t image_bytes = driver_context_bytes(q.engine->info);
    q.ppgtt = o.ppgtt;
    q.size_bytes = o.size;
    q.ring = o.ring;
    q.image = o.image;
    if (!set_up_engine(r, start, q.engine) || !reserve_pages(r, start, o.has_ring, q.size_bytes, &q.ring) ||
        !reserve_pages(r, start, o.has_image, image_bytes, &q.image))
        return false;
    struct driver_writes writes = {0};
    struct driver_ppgtt tables;
    driver_enable_execlists(&writes, q.engine->info);
    if (!setup->execlists && !write_all(r, start, q.engine, &writes))
        return false;
    setup->execlists = true;
    q.descriptor = driver_descriptor(q.image, (uint32_t)(o.id ? o.id : r->queue_index + 1),
                                     tables_of(r, q.ppgtt, &tables));
    if (o.has_descriptor)
        q.descriptor = o.descriptor;
    q.start = start;
    q.name = gts_program_name(r->program, name->text, name->length);
    if (!q.name)
        return reader_no_memory(r);
    struct command_queue *queue = add_queue(r, &q);
    if (!queue)
        return r->queue_index == MAX_QUEUES
                   ? syntax_error(r, start, "the program has more than %d contexts and rings", MAX_QUEUES)
                   : reader_no_memory(r);
    const struct {
        const char *part;
        uint64_t address;
    } parts[] = {{"hwsp", q.image}, {"image", q.image + DRIVER_IMAGE_OFFSET}, {"ring", q.ring}};
    if (!symbol_define(r, name, name->text, name->length, NULL, SYMBOL_CONTEXT, (uint64_t)(queue - r->queues),
                       true, -1))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!symbol_define(r, name, name->text, name->length, parts[i].part, SYMBOL_ADDRESS, parts[i].address,
                           true, SPACE_NUMBER_GGTT))
            return false;
    return read_ring_commands(r, start, queue) && store_image(r, start, queue, o.control);
}

/* In ring buffer mode: the ring restarts after what was submitted. */
static bool set_up_ring(struct reader *r, const struct gts_token *t, const struct command_queue *q)
{
    struct driver_writes writes = {0};
    struct driver_ppgtt tables;
    const struct driver_ring ring = {(uint32_t)q->ring, (uint32_t)q->size_bytes, (uint32_t)q->submitted_tail,
                                     (uint32_t)q->submitted_tail};
    driver_set_directory(&writes, q->engine->info, tables_of(r, q->ppgtt, &tables));
    driver_set_ring(&writes, q->engine->info, &ring);
    return write_all(r, t, q->engine, &writes);
}

/* ring ENGINE options { commands } */
bool read_ring(struct reader *r, const struct gts_token *start)
{
    struct command_queue q = {.is_ring_mode = true};
    struct options o;
    if (!read_engine(r, &q.engine) || !read_options(r, false, &o))
        return false;
    const struct gts_engine *e = q.engine;
    struct engine_setup *setup = &r->setup[e->number];
    if (setup->execlists)
        return syntax_error(r, start, "%s is in execlist mode: a ring needs ring buffer mode", e->name);
    if (setup->ring_mode)
        return syntax_error(r, start, "%s already has a ring: use 'append %s'", e->name, e->name);
    if (o.head >= o.size || o.head % 8)
        return syntax_error(r, start,
                            "head is 0x%llx: expected a multiple of 8 below the size of the ring, 0x%llx",
                            (unsigned long long)o.head, (unsigned long long)o.size);
    q.ppgtt = o.ppgtt;
    q.size_bytes = o.size;
    q.tail = q.submitted_tail = o.head;
    q.ring = o.ring;
    q.start = start;
    q.name = e->name;
    if (!set_up_engine(r, start, e) || !reserve_pages(r, start, o.has_ring, q.size_bytes, &q.ring))
        return false;
    setup->ring_mode = true;
    setup->ring_queue = r->queue_index;
    struct command_queue *queue = add_queue(r, &q);
    if (!queue)
        return r->queue_index == MAX_QUEUES
                   ? syntax_error(r, start, "the program has more than %d contexts and rings", MAX_QUEUES)
                   : reader_no_memory(r);
    if (!setup->had_ring && !symbol_define(r, start, e->name, strlen(e->name), "ring", SYMBOL_ADDRESS, q.ring,
                                           true, SPACE_NUMBER_GGTT))
        return false;
    setup->had_ring = true;
    if (!read_ring_commands(r, start, queue))
        return false;
    return set_up_ring(r, start, queue);
}

bool gts_set_up_after_reset(struct reader *r, const struct gts_token *t, const struct gts_engine *e)
{
    const struct engine_setup *setup = &r->setup[e->number];
    struct driver_writes writes = {0};
    if (!setup->has_status_page)
        return true;
    if (!write_engine(r, t, e, e->info->hws_pga, (uint32_t)setup->status_page))
        return false;
    if (setup->ring_mode)
        return set_up_ring(r, t, &r->queues[setup->ring_queue]);
    driver_enable_execlists(&writes, e->info);
    return write_all(r, t, e, &writes);
}

/* A context, or an engine in ring mode. */
static struct command_queue *read_queue(struct reader *r)
{
    const struct gts_token *t = peek(r);
    const struct symbol *symbol = t->kind == TOKEN_WORD ? symbol_find(r, NULL, t->text, t->length) : NULL;
    if (symbol && symbol->kind == SYMBOL_CONTEXT && symbol->value < r->queue_index) {
        r->token_index++;
        return &r->queues[symbol->value];
    }
    for (unsigned i = 0; i < r->machine->engine_count; i++)
        if (token_is(t, r->machine->engines[i].name)) {
            r->token_index++;
            if (r->setup[i].ring_mode)
                return &r->queues[r->setup[i].ring_queue];
            syntax_error(r, t, "%s has no ring: expected 'ring %s' before this line",
                         r->machine->engines[i].name, r->machine->engines[i].name);
            return NULL;
        }
    if (symbol && symbol->is_batch)
        syntax_error(
            r, t,
            "'%.*s' is a batch: submit a context or ring that starts it with MI_BATCH_BUFFER_START &%.*s",
            (int)t->length, t->text, (int)t->length, t->text);
    else if (t->kind == TOKEN_WORD)
        syntax_error(
            r, t,
            "unknown context '%.*s': expected a context defined before this line, or an engine with a ring",
            (int)t->length, t->text);
    else
        expected_error(r, t, "a context, or an engine with a ring");
    return NULL;
}

/* append NAME [wrap] { commands } */
bool read_append(struct reader *r, const struct gts_token *start)
{
    struct command_queue *q = read_queue(r);
    if (!q)
        return false;
    if (accept_word(r, "wrap")) { /* fills the ring's end with MI_NOOP and continues at its start */
        const size_t size = (size_t)(q->size_bytes - q->tail);
        uint8_t *zeros = calloc(1, size + 1);
        const bool good = zeros && emit_store(r, start, SPACE_NUMBER_GGTT, q->ring + q->tail, zeros, size);
        free(zeros);
        if (!good)
            return false;
        q->tail = 0;
    }
    return read_ring_commands(r, start, q);
}

static bool submit_element(struct reader *r, const struct gts_token *t, const struct command_queue *q)
{
    const uint32_t tail_dw = image_find(q->engine->info->contexts.image, RING_BUFFER_TAIL);
    const uint32_t value = (uint32_t)q->tail;
    return emit_store(r, t, SPACE_NUMBER_GGTT, q->image + DRIVER_IMAGE_OFFSET + tail_dw * 4u, &value, 4);
}

static bool mark_submit(struct reader *r)
{
    if (r->pass == 1)
        r->program->operations[r->program->count - 1].ends_submit = true;
    return true;
}

/* submit NAME [, NAME] */
bool read_submit(struct reader *r, const struct gts_token *start)
{
    struct command_queue *q[2] = {read_queue(r), NULL};
    if (!q[0])
        return false;
    if (accept_mark(r, ',')) {
        const struct gts_token *t = peek(r);
        q[1] = read_queue(r);
        if (!q[1])
            return false;
        if (q[0]->is_ring_mode || q[1]->is_ring_mode || q[0]->engine != q[1]->engine)
            return syntax_error(r, t, "%s and %s are submitted together: expected two contexts of one engine",
                                q[0]->name, q[1]->name);
    }
    const struct gts_engine *e = q[0]->engine;
    q[0]->is_submitted = true;
    if (q[1])
        q[1]->is_submitted = true;
    q[0]->submitted_tail = q[0]->tail;
    if (q[0]->is_ring_mode)
        return write_engine(r, start, e, RING_BUFFER_TAIL, (uint32_t)q[0]->tail) && mark_submit(r);
    if (!submit_element(r, start, q[0]) || (q[1] && !submit_element(r, start, q[1])))
        return false;
    const uint64_t second = q[1] ? q[1]->descriptor : 0, first = q[0]->descriptor;
    struct driver_writes writes = {0};
    driver_submit(&writes, e->info, first, second);
    return write_all(r, start, e, &writes) && mark_submit(r);
}
