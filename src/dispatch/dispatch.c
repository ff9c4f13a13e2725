/* A dispatch's life, and its turns. */
#include "dispatch/dispatch.h"

#include "memory/flat_ccs.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Life ---- */

static const struct engine_work work;

/* Registers begin where the host's vectors do. */
enum { VECTOR_BYTES = 64 };

bool dispatch_create(struct dispatch *d, struct engine *e, struct oa *oa, const struct eu_isa *set,
                     const struct command_set *structures, const struct softgt_config *config)
{
    *d = (struct dispatch){.engine = e,
                           .oa = oa,
                           .set = set,
                           .structures = structures,
                           .parallel = config->parallel,
                           .draws = config->draws,
                           .code = config->code};
    e->structures = structures;
    d->thread_room = calloc(1, MOST_GROUP_THREADS * sizeof *d->threads + VECTOR_BYTES);
    d->local = calloc(1, MOST_LOCAL_BYTES);
    d->urb = calloc(1, sizeof *d->urb);
    d->cache = eu_cache_create(&d->code);
    if (!d->thread_room || !d->local || !d->urb || !d->cache)
        return false;
    d->threads = (void *)(((uintptr_t)d->thread_room + VECTOR_BYTES - 1u) & ~(uintptr_t)(VECTOR_BYTES - 1));
    const struct command *const surface = structures->rows[structure_find(structures, RENDER_SURFACE_STATE)];
    const struct field_value *const names = surface->by_role[SURFACE_FORMAT].values;
    for (const struct field_value *v = names; v && v->name; v++)
        if (v->value < SURFACE_FORMATS) {
            d->formats[v->value] = softgt_format_find(v->name);
            d->blocks[v->value] = softgt_block_format_find(v->name);
        }
    d->bindings = (struct message_context){
        .engine = e,
        .surface_state = surface,
        .sampler_state = structures->rows[structure_find(structures, SAMPLER_STATE)],
        .formats = d->formats,
        .blocks = d->blocks,
        .slm = d->local,
        .urb = d->urb,
        .tessellation = &d->tessellation,
        .ld_param_order_u_lod_v_r = set->ld_lod_is_second_parameter,
        .gen6_sampler = set->mrf_count != 0,
        .scratch_by_surface = set->has_lsc,
    };
    e->dispatch = d;
    e->work = &work;
    return true;
}

void dispatch_destroy(struct dispatch *d)
{
    free(d->thread_room);
    free(d->local);
    free(d->urb);
    free(d->before);
    groups_destroy(d);
    eu_cache_destroy(d->cache);
    *d = (struct dispatch){0};
}

static const struct state_field grid_fields[] = {
    STATE_NUMBER(struct grid, identity, 0),
    STATE_NUMBER(struct grid, general, 0),
    STATE_NUMBER(struct grid, surfaces, 0),
    STATE_NUMBER(struct grid, bindless, 0),
    STATE_NUMBER(struct grid, dynamic, 0),
    STATE_NUMBER(struct grid, instructions, 0),
    STATE_NUMBER(struct grid, binding_table, 0),
    STATE_NUMBER(struct grid, sip, 0),
    STATE_NUMBER(struct grid, kernel, 0),
    STATE_NUMBER(struct grid, constants, 0),
    STATE_NUMBER(struct grid, data, 0),
    STATE_NUMBER(struct grid, post_address, 0),
    STATE_NUMBER(struct grid, post_data, 0),
    STATE_NUMBER(struct grid, data_bytes, 1u << 17),
    STATE_NUMBER(struct grid, cross_registers, 1u << 16),
    STATE_NUMBER(struct grid, thread_registers, 1u << 16),
    STATE_NUMBERS(struct grid, start, 0),
    STATE_NUMBERS(struct grid, end, 0),
    STATE_NUMBERS(struct grid, at, 0),
    STATE_NUMBERS(struct grid, counters, MOST_GROUP_THREADS + 1),
    STATE_NUMBER(struct grid, threads, MOST_GROUP_THREADS + 1),
    STATE_NUMBER(struct grid, right_mask, 0),
    STATE_NUMBER(struct grid, bottom_mask, 0),
    STATE_NUMBERS(struct grid, local_size, 1025),
    STATE_NUMBER(struct grid, local_bytes, MOST_LOCAL_BYTES + 1),
    STATE_NUMBERS(struct grid, r0, 0),
    STATE_NUMBERS(struct grid, control, 0),
    STATE_NUMBERS(struct grid, inline_dw, 0),
    STATE_NUMBER(struct grid, inline_length_dw, INLINE_DW + 1),
    {.name = "loops",
     .offset = offsetof(struct grid, loops),
     .size = sizeof(struct media_loops),
     .count = 1,
     .parts = media_loops_fields,
     .part_count = MEDIA_LOOPS_FIELDS},
    STATE_NUMBER(struct grid, index, 0),
    STATE_NUMBER(struct grid, count, 0),
    STATE_NUMBER(struct grid, begun, MOST_GROUP_THREADS + 1),
    STATE_NUMBER(struct grid, thread, MOST_GROUP_THREADS),
    STATE_NUMBER(struct grid, share, SHARE_INSTRUCTIONS + 1),
    STATE_NUMBER(struct grid, arrived, MOST_GROUP_THREADS + 1),
    STATE_NUMBER(struct grid, together, MOST_TOGETHER + 1),
    STATE_NUMBER(struct grid, pace, MOST_TOGETHER + 1),
    STATE_NUMBER(struct grid, simd, 33),
    STATE_NUMBER(struct grid, payload, PAYLOADS),
    STATE_NUMBER(struct grid, order, 8),
    STATE_NUMBER(struct grid, tile, 5),
    STATE_NUMBER(struct grid, emit, 8),
    STATE_NUMBER(struct grid, post_operation, 4),
    STATE_FLAG(struct grid, large),
    STATE_FLAG(struct grid, loop),
    STATE_FLAG(struct grid, seeks),
    STATE_FLAG(struct grid, gathers),
    STATE_FLAG(struct grid, resumes),
    STATE_FLAG(struct grid, live),
    STATE_FLAG(struct grid, group),
    STATE_NUMBERS(struct grid, reserved, 1),
};

enum { SECTIONS = 2 };
const struct section dispatch_sections[] = {
    SECTION(struct dispatch, grid, 3, OUTLIVES_NOTHING, grid_fields, NULL),
    {.name = "drawing",
     .version = 5,
     .field_count = DRAWING_FIELDS,
     .outlives = OUTLIVES_NOTHING,
     .offset = offsetof(struct dispatch, draw),
     .size = sizeof(struct draw),
     .fields = drawing_fields},
};

static void drop(struct dispatch *d, enum reset_scope scope)
{
    sections_reset(dispatch_sections, SECTIONS, d, scope);
}

/* At a preemption it is between two groups. What it asked for stands in its command, in the state that the
 * context keeps, and in memory: it is read again. */
enum {
    PLACE_DW = sizeof(struct media_place) / 4,
    WALK_DW = 6,            /* whose it is, where it is, which of several */
    DRAW_DW = 9,            /* whose it is, which instance, which primitive, where of that, since which cut */
    LOOPS_DW = 2 + PLACE_DW /* whose it is, where its loops are */
};
_Static_assert((unsigned)LOOPS_DW <= WORK_DW, "it fits the image");

/* Threads of a group that is not whole are in registers alone. */
static bool holds(const struct dispatch *d)
{
    return d->grid.gathers && d->grid.begun;
}

static uint32_t save_walk(const struct dispatch *d, uint32_t *dw)
{
    const struct grid *const g = &d->grid;
    const struct parse_state *const p = &d->engine->parse;
    if (holds(d)) /* the context ends here, or waits: it may not */
        complain(
            d->engine->witness, SOFTGT_GUEST_ERROR, d->engine->info->name, p->command_address,
            "MEDIA_OBJECT_GRPID: another context comes before the end of a group: %u of its threads are lost",
            g->begun);
    if (!g->live || g->group || g->together || p->streams[p->depth].progress != g->identity)
        return 0;
    memcpy(dw, &g->identity, sizeof g->identity);
    if (g->payload == PAYLOAD_PIXELS) {
        const struct draw *const w = &d->draw;
        dw[2] = w->instance;
        dw[3] = w->primitive_index;
        memcpy(dw + 4, w->resume_pending ? w->resume_subspan_xy : w->subspan_xy, sizeof w->subspan_xy);
        dw[6] = w->has_primitive || w->resume_pending;
        dw[7] = w->strip_start_vertex;
        dw[8] = w->strip_start_primitive;
        return DRAW_DW;
    }
    if (g->loop) {
        memcpy(dw + 2, &g->loops.at, sizeof g->loops.at);
        return LOOPS_DW;
    }
    memcpy(dw + 2, g->at, sizeof g->at);
    dw[5] = g->index;
    return WALK_DW;
}

static uint64_t load_walk(struct dispatch *d, const uint32_t *dw, uint32_t count)
{
    struct grid *const g = &d->grid;
    if (count != WALK_DW && count != LOOPS_DW && count != DRAW_DW)
        return 0;
    *g = (struct grid){.resumes = true, .loop = count == LOOPS_DW};
    memcpy(&g->identity, dw, sizeof g->identity);
    if (count == DRAW_DW) {
        g->payload = PAYLOAD_PIXELS;
        d->draw = (struct draw){.instance = dw[2],
                                .primitive_index = dw[3],
                                .has_primitive = dw[6] & 1u,
                                .strip_start_vertex = dw[7],
                                .strip_start_primitive = dw[8]};
        memcpy(d->draw.subspan_xy, dw + 4, sizeof d->draw.subspan_xy);
        return g->identity;
    }
    if (g->loop) {
        memcpy(&g->loops.at, dw + 2, sizeof g->loops.at);
        return g->identity;
    }
    memcpy(g->at, dw + 2, sizeof g->at);
    g->index = dw[5];
    return g->identity;
}

static const struct engine_work work = {.drop = drop, .holds = holds, .save = save_walk, .load = load_walk};

static void reset(void *unit, enum reset_scope scope)
{
    struct dispatch *const d = unit;
    if (!engine_is_others(d->engine))
        drop(d, scope);
}

/* Numbers of different kinds that are to be so for what runs them. */
static bool holds_together(const struct dispatch *d)
{
    const struct grid *const g = &d->grid;
    bool inside = true;
    for (unsigned i = 0; i < 3; i++)
        inside &= g->start[i] <= g->at[i] && g->at[i] < g->end[i];
    if (!g->live)
        return !g->group && !g->together && (!g->begun || (g->gathers && g->begun <= g->threads));
    return inside && !g->resumes && g->identity && g->threads && g->thread < g->threads && g->counters[0] &&
           g->counters[1] && g->counters[2] && g->local_size[0] && g->local_size[1] && g->local_size[2] &&
           (!g->tile || g->local_size[0] % g->tile == 0) &&
           g->counters[0] * g->counters[1] * g->counters[2] == g->threads &&
           (g->simd == 8 || g->simd == 16 || g->simd == 32) && !(g->group && g->begun) &&
           g->begun < g->threads && g->arrived < g->threads && g->local_bytes % 4u == 0 &&
           (!(g->gathers || g->loop) || g->payload == PAYLOAD_OBJECT) && (!g->seeks || comes_alone(g)) &&
           (!is_draw(g) || ((g->threads == 1 || g->payload == PAYLOAD_HULL) && draw_state_valid(&d->draw) &&
                            stage_ops_of(g->payload))) &&
           (g->payload <= PAYLOAD_PIXELS || !g->seeks) &&
           (g->payload != PAYLOAD_VERTICES || d->draw.vs_enable) &&
           (g->payload != PAYLOAD_STREAM || d->draw.gen6_gs_enable) &&
           (!is_draw(g) || g->payload <= PAYLOAD_VERTICES || g->payload == PAYLOAD_STREAM ||
            d->draw.primitives_from_shader) &&
           (!g->together || (!g->group && !g->begun && !comes_alone(g)));
}

/* The threads and the memory of the group at hand. */
static void state(void *unit, struct state *s)
{
    struct dispatch *d = unit;
    sections_state(dispatch_sections, SECTIONS, d, d->engine->info->name, s);
    state_check(s, s->failed || holds_together(d));
    urb_state(d, s);
    if (!s->saving)
        memset(d->local, 0, MOST_LOCAL_BYTES);
    const size_t begin = state_section_begin(s, d->engine->info->name, "threads", 2);
    const unsigned threads = d->grid.group ? d->grid.threads : d->grid.begun;
    for (unsigned i = 0; i < threads && !s->failed; i++) {
        if (!s->saving)
            eu_thread_start(&d->threads[i], d->set, 0, 0);
        eu_thread_state(&d->threads[i], s);
    }
    if (threads && !s->failed)
        state_dwords(s, (uint32_t *)(void *)d->local, d->grid.local_bytes / 4u);
    state_section_end(s, begin);
    groups_state(d, s);
}

const struct unit_shape dispatch_shape = {
    .sections = dispatch_sections, .section_count = SECTIONS, .reset = reset, .state = state};

/* ---- Ports ---- */

/* What a slice of the command has at most, and what its parts take of the host, roughly. */
enum {
    SLICE_INSTRUCTIONS = 4096,
    SLICE_TOGETHER = 1 << 22, /* of groups at once: a start of the owner's threads is to be worth it */
    THREAD_INSTRUCTIONS = 32,
    INSTRUCTION_NS = 40,
    INSTRUCTION_LOCAL_BYTES = 1024
};

void dispatch_take_waited(const struct dispatch *d, uint64_t since_ns, uint64_t *budget)
{
    budget_take(budget, (d->engine->witness->cost_ns - since_ns) / INSTRUCTION_NS);
}

static const void *fetch(void *context, uint64_t address, size_t *there_bytes)
{
    struct dispatch *d = context;
    struct engine *e = d->engine;
    const uint64_t at = mmu_address(&e->mmu, SPACE_PPGTT, d->grid.instructions + address);
    struct translation t;
    *there_bytes = PAGE_BYTES - at % PAGE_BYTES;
    const uint8_t *host = mmu_cached(&e->mmu, SPACE_PPGTT, at, 1, false);
    /* What is only read ahead raises no fault. */
    if (!host && mmu_translate(&e->mmu, SPACE_PPGTT, at, &t)) {
        host = mmu_host(&e->mmu, SPACE_PPGTT, at, false);
        if (!host) {
            uint8_t *const page = d->bounce[d->bounced++ % BOUNCES];
            d->waited += PORT_NS / INSTRUCTION_NS;
            return mmu_load(&e->mmu, SPACE_PPGTT, at, page, *there_bytes) ? page : NULL;
        }
    }
    if (host) /* who stores there may change the kernel */
        d->bindings.kernel_pages |= mmu_page_bit(&e->mmu, SPACE_PPGTT, at);
    return host;
}

/* Where the thread that runs is. */
static unsigned unit_of(const struct dispatch *d)
{
    return d->grid.thread % DONE_UNITS;
}

/* Those that may be of the kernel. */
static uint64_t stores_near(const struct dispatch *d)
{
    return d->engine->totals.stores - d->bindings.stores_outside_kernels;
}

static enum eu_answer send(void *context, struct eu_thread *thread, const struct eu_send *m, uint64_t *budget)
{
    struct dispatch *d = context;
    const uint64_t before_ns = d->engine->witness->cost_ns;
    const enum eu_answer answer = shared_function_send(&d->bindings, thread->isa, m, budget);
    if (d->engine->witness->cost_ns != before_ns)
        dispatch_take_waited(d, before_ns, budget);
    d->stores = stores_near(d);
    if (answer == EU_SEND_BLOCKED)
        return answer;
    const unsigned registers = m->payload_registers[0] + m->payload_registers[1];
    d->done.units[unit_of(d)].messages++;
    d->done.units[unit_of(d)].registers += registers ? registers : 1u;
    d->grid.arrived += d->bindings.at_barrier;
    d->bindings.at_barrier = false;
    return answer;
}

/* Threads share dpasw's operands by twos. */
static struct eu_thread *pair(void *context, struct eu_thread *thread, bool *second)
{
    struct dispatch *const d = context;
    const uint32_t index = (uint32_t)(thread - d->threads), other = index ^ 1u;
    *second = index & 1u;
    return other < d->grid.threads ? &d->threads[other] : NULL;
}

/* ---- Turns ---- */

/* Another context waits, and the level of preemption, which is the context's own where the engine's register
 * says so, lets it in within a walker; within a draw, of which there is a level of its own, or it always may.
 * Threads are not left in their middle. (CSP-21; Linux, gen9_ctx_workarounds_init) */
static bool preempted(const struct engine *e, bool draws)
{
    enum {
        FF_SLICE_CS_CHICKEN1 = 0x0e0,
        FF_SLICE_CS_CHICKEN2 = 0x0e4,
        FF_SLICE_CS_CHICKEN3 = 0x0ec,
        CS_CHICKEN1 = 0x580
    };
    enum { OF_THE_CONTEXT = 1 << 14, COMMANDS_ONLY = 1 << 2, OBJECTS = 1 << 0 };
    if (!e->execlists.pending_valid || !e->parse.arbitration)
        return false;
    const bool is_own = engine_is_others(e) || masked_bit(e, FF_SLICE_CS_CHICKEN1, OF_THE_CONTEXT);
    if (draws)
        return !e->info->draw_levels || masked_bit(e, is_own ? CS_CHICKEN1 : FF_SLICE_CS_CHICKEN3, OBJECTS);
    return !masked_bit(e, is_own ? CS_CHICKEN1 : FF_SLICE_CS_CHICKEN2, COMMANDS_ONLY);
}

static void count(struct dispatch *d, uint64_t invocations)
{
    struct engine *e = d->engine;
    e->totals.groups++;
    e->totals.threads += d->grid.threads;
    d->done.threads += d->grid.threads;
    e->totals.invocations += invocations;
    if (!is_draw(&d->grid))
        d->done.invocations += invocations;
}

static void begin_thread(struct dispatch *d, unsigned index)
{
    const struct grid *const g = &d->grid;
    struct eu_thread *const t = &d->threads[index];
    eu_thread_restart(t, d->set, g->kernel,
                      is_draw(g) ? stage_ops_of(g->payload)->channels(d) : payload_channels(g, index));
    t->large_grf |= g->large;
    t->cr0[0] |= g->control[0];
    t->cr0[1] |= g->control[1];
    t->sip = g->sip;
    t->tm0 = engine_timestamp(d->engine, d->engine->witness->now_ns);
    if (is_draw(g)) {
        stage_ops_of(g->payload)->payload(d, t);
    } else {
        payload_fill(d, t, index);
        t->sr0[0] = payload_place(d, index);
    }
}

/* Threads get their registers, one by one as the budget lets; then they are a group. */
bool dispatch_begin_group(struct dispatch *d, uint64_t *budget)
{
    struct grid *const g = &d->grid;
    uint64_t invocations = 0;
    if (!g->begun) {
        memset(d->local, 0, g->gathers ? MOST_LOCAL_BYTES : g->local_bytes);
        budget_take(budget, g->local_bytes / INSTRUCTION_LOCAL_BYTES);
    }
    while (g->begun < g->threads) {
        const uint64_t before_ns = d->engine->witness->cost_ns;
        if (!*budget)
            return true;
        begin_thread(d, g->begun++);
        if (faulted(d->engine))
            return false;
        if (d->hooks.started) {
            struct softgt_eu_thread thread = dispatch_thread(d, g->begun - 1u);
            d->hooks.started(d->hooks.user, &thread);
        }
        budget_take(budget, THREAD_INSTRUCTIONS);
        dispatch_take_waited(d, before_ns, budget);
    }
    if (g->gathers) { /* the next command goes on */
        g->live = false;
        return true;
    }
    for (unsigned i = 0; i < g->threads; i++)
        invocations += (unsigned)__builtin_popcount(d->threads[i].dispatch_mask);
    g->group = true;
    g->begun = g->arrived = 0;
    dispatch_select(d, 0);
    count(d, invocations);
    return true;
}

void dispatch_next_group(struct dispatch *d)
{
    struct grid *const g = &d->grid;
    g->group = false;
    if (is_draw(g)) {
        stage_ops_of(g->payload)->done(d);
        g->seeks = true;
        return;
    }
    if (g->payload == PAYLOAD_OBJECT) {
        g->live = g->seeks = g->loop;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (++g->at[i] < g->end[i])
            return;
        if (i < 2)
            g->at[i] = g->start[i];
    }
    g->live = false;
}

void dispatch_select(struct dispatch *d, uint32_t index)
{
    d->grid.thread = index;
    d->grid.share = SHARE_INSTRUCTIONS;
}

/* Whose turn is next; false: all have ended, or wait for what never comes. */
static bool next_thread(struct dispatch *d)
{
    struct grid *const g = &d->grid;
    for (unsigned i = 1; i <= g->threads; i++) {
        const uint32_t thread = (g->thread + i) % g->threads;
        if (d->threads[thread].stop == EU_BUDGET) {
            dispatch_select(d, thread);
            return true;
        }
    }
    return false;
}

static unsigned ended(const struct dispatch *d)
{
    unsigned count = 0;
    for (unsigned i = 0; i < d->grid.threads; i++)
        count += d->threads[i].stop == EU_ENDED;
    return count;
}

const char *dispatch_why_stuck(const struct dispatch *d)
{
    const struct grid *const g = &d->grid;
    if (g->arrived && ended(d) && g->arrived + ended(d) == g->threads)
        return "threads wait at a barrier that the group's others have ended without coming to";
    return "all threads that are left wait";
}

const char *dispatch_why(const struct dispatch *d, const struct eu_thread *t)
{
    return d->bindings.error_text ? d->bindings.error_text : t->why ? t->why : "an exception";
}

/* One blank where text has several, for columns. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *c = text + strspn(text, " "); *c; c++)
        if (*c != ' ' || (c[1] && c[1] != ' '))
            *to++ = *c;
    *to = '\0';
}

static enum outcome hang(struct dispatch *d, const char *why)
{
    enum { TEXT = 240 };
    struct engine *e = d->engine;
    struct grid *const g = &d->grid;
    char text[TEXT] = "", where[64] = "";
    if (g->group) {
        const struct softgt_eu_thread at = dispatch_thread(d, g->thread);
        softgt_eu_text(&at, text, sizeof text);
        squeeze(text);
        snprintf(where, sizeof where, ", at %#llx of the kernel at %#llx",
                 (unsigned long long)(at.ip - g->kernel), (unsigned long long)(g->instructions + g->kernel));
    }
    if (g->group || !faulted(e)) /* else a page fault has been told */
        complain(e->witness, d->bindings.not_modelled ? SOFTGT_NOT_MODELLED : SOFTGT_GUEST_ERROR,
                 e->info->name, e->parse.command_address,
                 "thread %u of group %u, %u, %u%s: %s: the engine hangs%s%s", g->thread, g->at[0], g->at[1],
                 g->at[2], where, why, *text ? ": " : "", text);
    g->live = g->group = g->resumes = g->gathers = g->seeks = false; /* where it was stays to be asked */
    g->begun = 0;
    g->identity = 0;
    return OUTCOME_FAULT;
}

/* A draw that comes to what is not modelled ends there; false: it does not. */
static bool leaves(struct dispatch *d)
{
    struct grid *const g = &d->grid;
    if (!is_draw(g) || !d->bindings.error_text || !d->bindings.not_modelled || faulted(d->engine))
        return false;
    draw_report_unsupported(d->engine, d->bindings.error_text, "not drawn from there on");
    g->live = g->group = g->seeks = false;
    return true;
}

/*
 * The group's barrier opens when all of its threads are there: messages count, the end of a thread does not.
 * A group some of whose threads return before a barrier hangs, as it does on Intel's parts: yuzu (pull
 * request 10699, UHD 620) and Ryujinx (5044, Ice Lake and Arc) leave out barriers behind returns there, and
 * nowhere else.
 */
static void open_barrier(struct dispatch *d)
{
    enum { BARRIER = 0 };
    struct grid *const g = &d->grid;
    if (g->arrived < g->threads)
        return;
    g->arrived = 0;
    for (unsigned i = 0; i < g->threads; i++) {
        eu_thread_notify(&d->threads[i], BARRIER);
        if (d->threads[i].stop == EU_WAITS)
            d->threads[i].stop = EU_BUDGET;
    }
}

/* Behind the last group: data, or when it began and ended, by the context's clock and by the global one of 32
 * bits each; the work takes no time. (ATS-M PRM vol 2d, POSTSYNC_DATA) */
static void post_sync(struct dispatch *d)
{
    enum { WRITE_IMMEDIATE = 1, WRITE_TIMESTAMP = 3 };
    struct engine *e = d->engine;
    const struct grid *g = &d->grid;
    if (g->post_operation == WRITE_IMMEDIATE) {
        store64(e, SPACE_PPGTT, g->post_address, g->post_data);
    } else if (g->post_operation == WRITE_TIMESTAMP) {
        const uint64_t at = engine_timestamp(e, e->witness->now_ns) << 32 | context_count_time(e);
        store64(e, SPACE_PPGTT, g->post_address, at);
        store64(e, SPACE_PPGTT, g->post_address + 8, at);
    }
}

/* ---- What is counted ---- */

/* Clocks of the unit whose thread runs. */
static void ran(struct dispatch *d, uint64_t clocks)
{
    const unsigned unit = unit_of(d);
    const uint64_t loaded = (d->grid.threads + DONE_UNITS - 1u - unit) / DONE_UNITS;
    d->done.units[unit].clocks += clocks;
    d->done.units[unit].loaded += clocks * loaded;
}

/* Clocks that messages took besides their instructions' own. */
static uint64_t more_clocks(const struct dispatch *d)
{
    return d->done.units[unit_of(d)].registers - d->done.units[unit_of(d)].messages;
}

/* ---- Parts of a walker ---- */

enum outcome dispatch_turn(struct dispatch *d, uint64_t *budget, const char **why)
{
    struct grid *const g = &d->grid;
    struct eu_thread *const t = &d->threads[g->thread];
    const struct eu_port port = {.context = d,
                                 .fetch = fetch,
                                 .cache_is_warm = d->goes_on && !d->watched,
                                 .store_count = &d->stores,
                                 .dpasw_pair = pair,
                                 .kind_counts = d->counts_kinds ? d->done.units[unit_of(d)].ran : NULL,
                                 .fetch_cost = &d->waited,
                                 .send = send,
                                 .cache = d->cache};
    const uint64_t mine = *budget < g->share ? *budget : g->share;
    const uint64_t before = t->instruction_count, more_before = more_clocks(d);
    uint64_t left = mine;
    d->bindings.cost = 0;
    d->bindings.scratch_slot = g->thread;
    d->stores = stores_near(d);
    const enum eu_stop stop =
        d->watched ? dispatch_run_watched(d, &port, &left) : eu_thread_run(t, &port, &left);
    d->goes_on = true;
    t->stop = d->bindings.needs_exclusive ? EU_BUDGET : (uint8_t)stop; /* it goes on then */
    d->engine->totals.instructions += t->instruction_count - before;
    ran(d, t->instruction_count - before + (more_clocks(d) - more_before));
    *budget -= mine - left;
    /* Its share is what it ran and sent, wherever a slice ended: what it wrote when does not depend on it. */
    const uint64_t taken = t->instruction_count - before + d->bindings.cost;
    g->share -= (uint32_t)(taken < g->share ? taken : g->share);
    open_barrier(d);
    bool second;
    struct eu_thread *const other = pair(d, t, &second);
    if (other && eu_thread_dpasw_ready(other, t))
        other->stop = EU_BUDGET;
    if (stop == EU_EXCEPTION) /* an instruction that is not there is a fault of the engine's */
        (void)mmu_host(&d->engine->mmu, SPACE_PPGTT, g->instructions + t->ip, false);
    if (stop == EU_EXCEPTION || faulted(d->engine)) {
        *why = dispatch_why(d, t);
        return OUTCOME_FAULT;
    }
    if (t->stop == EU_BUDGET && g->share)
        return OUTCOME_RESUME;
    if (next_thread(d))
        return OUTCOME_RESUME;
    if (ended(d) < g->threads) {
        *why = dispatch_why_stuck(d);
        return OUTCOME_FAULT;
    }
    dispatch_next_group(d);
    return OUTCOME_RESUME;
}

void dispatch_bind(struct dispatch *d)
{
    const struct grid *const g = &d->grid;
    d->bindings.general_state_base = g->general;
    d->bindings.surface_state_base = g->surfaces;
    d->bindings.bindless_surface_state_base = g->bindless;
    d->bindings.dynamic_state_base = g->dynamic;
    d->bindings.sampler_state_pointer = g->r0[3];
    d->bindings.binding_table = g->binding_table;
    d->bindings.slm_bytes = g->local_bytes;
    d->bindings.ps = g->payload == PAYLOAD_PIXELS ? &d->draw.ps : NULL;
    gen6_gs_bind(d);
    d->bindings.urb = is_draw(g) ? d->urb : NULL; /* what a draw left in the middle has there is no other's */
    d->bindings.error_text = NULL;
    memset(d->bindings.binding_table_cache, 0, sizeof d->bindings.binding_table_cache);
}

/* Two groups, or two threads of pixels: there another context may come in. */
static bool is_between(const struct dispatch *d)
{
    const struct grid *const g = &d->grid;
    if (!g->live || g->group || g->together)
        return false;
    const struct draw *const w = &d->draw;
    return is_draw(g) ? g->seeks && !w->subspan_count && !w->gs_output_pending && !w->patch_active
                      : g->seeks == g->loop;
}

/* Others' threads come: what those before them did is told. */
static void turn_to_stage(struct dispatch *d, enum oa_shader_stage *stage)
{
    const enum oa_shader_stage next = dispatch_stage(d);
    if (next != *stage)
        dispatch_tell(d, *stage);
    *stage = next;
}

static enum outcome run_slice(struct dispatch *d, struct execution *x, uint64_t *budget,
                              enum oa_shader_stage *stage)
{
    struct grid *const g = &d->grid;
    struct engine *const e = d->engine;
    const uint64_t given = *budget;
    const uint64_t before_ns = e->witness->cost_ns;
    dispatch_bind(d);
    d->held = d->goes_on = false;
    d->bindings.kernel_pages = 0;
    ccs_forget(&e->mmu);
    d->counts_kinds = d->oa && oa_pipe_events_enabled(d->oa, d->engine);
    while (g->live && *budget && !d->held) {
        const char *why = NULL;
        turn_to_stage(d, stage);
        if (g->seeks && g->payload == PAYLOAD_PIXELS) {
            if (!draw_advance(d, budget) && !leaves(d))
                return hang(d,
                            d->bindings.error_text ? d->bindings.error_text : "its vertices are not there");
        } else if (g->seeks) {
            media_seek(g, budget);
        } else if (g->together || groups_begin(d)) {
            if (groups_run(d, budget, &why) == OUTCOME_FAULT)
                return hang(d, why);
        } else if (!g->group) {
            if (!dispatch_begin_group(d, budget))
                return hang(d, "its payload is not there");
            continue;
        } else if (dispatch_turn(d, budget, &why) == OUTCOME_FAULT && !leaves(d)) {
            return hang(d, why);
        }
        if (is_between(d) && preempted(e, is_draw(g))) {
            x->gives_way = true;
            break;
        }
    }
    const uint64_t lasted_ns = before_ns + (given - *budget) * INSTRUCTION_NS;
    if (e->witness->cost_ns < lasted_ns)
        e->witness->cost_ns = lasted_ns;
    x->progress = g->live ? g->identity : 0;
    if (g->live)
        return OUTCOME_RESUME;
    if (d->draw.so_enable)
        so_write_offsets_store(e);
    d->draw = (struct draw){0};
    post_sync(d);
    if (g->index + 1u < g->count) {
        g->index++;
        x->progress = g->identity;
        return faulted(e) ? OUTCOME_FAULT : OUTCOME_RESUME;
    }
    return faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
}

enum outcome dispatch_run_for(struct dispatch *d, struct execution *x, uint64_t *budget)
{
    enum oa_shader_stage stage = dispatch_stage(d);
    const enum outcome outcome = run_slice(d, x, budget, &stage);
    dispatch_tell(d, stage);
    return outcome;
}

enum outcome dispatch_run(struct dispatch *d, struct execution *x)
{
    uint64_t budget = d->grid.together || groups_wanted(d) ? SLICE_TOGETHER : SLICE_INSTRUCTIONS;
    return dispatch_run_for(d, x, &budget);
}
