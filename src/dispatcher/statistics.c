/* Counters of a slice go to registers of the engine and to the OA unit. */
#include "dispatcher/dispatcher.h"
#include "engine/statistics.h"
#include "oa/oa.h"

/* Most events are not enabled. */
static void report_happening(struct thread_dispatcher *d, uint32_t asked, const struct oa_eu_event *what)
{
    if (what->events & asked)
        oa_count_eu_event(d->oa, d->engine, what);
}

/* Our choice: an instruction lasts one clock of its unit, and no other unit of the group works then. A
 * message lasts one clock for each register that it sends. */
static void count_unit(struct thread_dispatcher *d, uint32_t asked, unsigned unit, enum oa_shader_stage by)
{
    const uint64_t messages = d->counters.units[unit].messages, registers = d->counters.units[unit].registers;
    struct oa_eu_event what = {.stages = 1u << by,
                               .row = (uint8_t)(unit / EU_ROW_UNITS),
                               .eu = unit % EU_ROW_UNITS,
                               .slots = THREAD_SLOTS};
    what.events = 1u << OA_ACTIVE;
    what.count = d->counters.units[unit].clocks - registers;
    report_happening(d, asked, &what);
    what.events = 1u << OA_ACTIVE | 1u << OA_SEND;
    what.count = registers - messages;
    report_happening(d, asked, &what);
    what.instructions = 1u << OA_SEND_START;
    what.count = messages;
    report_happening(d, asked, &what);
    what.instructions = 0;
    what.events = 1u << OA_OCCUPANCY;
    what.count = d->counters.units[unit].loaded;
    report_happening(d, asked, &what);
}

/* The pipe of an instruction. From Gen12.5 on floats, integers and math have a pipe each. Before, ALU1 does
 * math and ALU0 everything else. (Intel's metrics: EU FPU and EM, ALU0, ALU1 and extended math) */
static uint32_t instruction_events(const struct eu_isa *set, enum eu_pipe_kind what)
{
    static const uint32_t types[EU_PIPE_KINDS] = {
        [EU_PIPE_FLOAT_16] = 1u << OA_FP16,
        [EU_PIPE_FLOAT_32] = 1u << OA_FP32,
        [EU_PIPE_INTEGER_16] = 1u << OA_INT16,
        [EU_PIPE_INTEGER_32] = 1u << OA_INT32,
        [EU_PIPE_MATH] = 1u << OA_MATH,
        [EU_PIPE_FLOW] = 1u << OA_CONTROL,
        [EU_PIPE_DPAS_HF] = 1u << OA_SYSTOLIC | 1u << OA_SYSTOLIC_FP16,
        [EU_PIPE_DPAS_BF] = 1u << OA_SYSTOLIC | 1u << OA_SYSTOLIC_BF16,
        [EU_PIPE_DPAS_INTEGER] = 1u << OA_SYSTOLIC | 1u << OA_SYSTOLIC_INT8};
    const bool has_pipes = set->swsb_has_pipes;
    const uint32_t pipe = what >= EU_PIPE_FLOAT_16 && what <= EU_PIPE_FLOAT_64 ? 1u << OA_ALU0
                          : what >= EU_PIPE_INTEGER_16 && what <= EU_PIPE_INTEGER_64
                              ? 1u << (has_pipes ? OA_ALU1 : OA_ALU0)
                          : what == EU_PIPE_MATH && !has_pipes ? 1u << OA_ALU1
                                                               : 0;
    return types[what] | pipe;
}

static void count_instruction_kinds(struct thread_dispatcher *d, uint32_t asked, unsigned unit,
                                    enum oa_shader_stage by)
{
    static const uint32_t shapes[EU_SHAPES] = {[EU_SHAPE_MOVE] = 1u << OA_MOV,
                                               [EU_SHAPE_TWO_SOURCES] = 1u << OA_BINARY,
                                               [EU_SHAPE_THREE_SOURCES] = 1u << OA_TERNARY};
    for (unsigned kind = 0; kind < EU_INSTRUCTION_KINDS; kind++) {
        const struct oa_eu_event what = {
            .events = instruction_events(d->set, (enum eu_pipe_kind)(kind / EU_SHAPES)),
            .instructions = shapes[kind % EU_SHAPES],
            .stages = 1u << by,
            .row = (uint8_t)(unit / EU_ROW_UNITS),
            .eu = unit % EU_ROW_UNITS,
            .count = d->counters.units[unit].ran[kind]};
        if (what.count)
            report_happening(d, asked, &what);
    }
}

enum oa_shader_stage dispatch_oa_client(const struct thread_dispatcher *d)
{
    return dispatch_ops_of(d)->oa_client(d);
}

/* Counts by kind are most of the counters: they are zero unless an event asks for them. A flush comes after
 * each thread of a draw. */
static void clear_counters(struct thread_dispatcher *d)
{
    struct dispatch_counters *const c = &d->counters;
    memset(c, 0, offsetof(struct dispatch_counters, units));
    for (unsigned unit = 0; unit < COUNTED_UNITS; unit++) {
        struct unit_counters *const u = &c->units[unit];
        u->clocks = u->messages = u->registers = u->loaded = 0;
        if (d->counts_instruction_kinds)
            memset(u->ran, 0, sizeof u->ran);
    }
    d->bindings.counters = (struct message_counters){0};
}

static void count_accesses(struct thread_dispatcher *d, enum oa_a_counter which, uint64_t count)
{
    if (count)
        oa_count_accesses(d->oa, d->engine, which, count);
}

static void tally_add(struct work_tally *t, const struct dispatch_counters *c, enum oa_shader_stage stage)
{
    t->threads += c->threads;
    t->instructions += c->instructions;
    t->pixels += stage == OA_STAGE_PS ? c->started : 0; /* c->pixels depends on an enable */
}

/* asked: events of execution units that counters select. */
static void flush_stage(struct thread_dispatcher *d, uint32_t asked)
{
    const enum oa_shader_stage stage = d->counted_stage;
    const struct message_counters *const m = &d->bindings.counters;
    d->engine->totals.groups += d->counters.groups;
    d->engine->totals.threads += d->counters.threads;
    d->engine->totals.invocations += d->counters.started;
    d->engine->totals.instructions += d->counters.instructions;
    if (d->counters.invocations)
        engine_register64_add(d->engine, GPGPU_THREADS_DISPATCHED, d->counters.invocations);
    if (dispatch_ops_of(d)->flush_counters)
        dispatch_ops_of(d)->flush_counters(d);
    if (d->oa) {
        oa_count_threads(d->oa, d->engine, stage, d->counters.threads);
        count_accesses(d, OA_SLM_READS, m->slm_reads);
        count_accesses(d, OA_SLM_WRITES, m->slm_writes);
        count_accesses(d, OA_ATOMICS,
                       m->atomics + (d->oa->info->counters.a34_counts_slm_atomics ? m->slm_atomics : 0));
        count_accesses(d, OA_BARRIERS, m->barriers);
        count_accesses(d, OA_SAMPLER_2X2, m->sampled_subspans);
        for (unsigned i = 0; i < PIXEL_EVENTS; i++)
            count_accesses(d, OA_PIXELS + i, m->pixel_event_subspans[i] * SUBSPAN_PIXELS);
        oa_count_pixels(d->oa, m->pixel_events, m->pixel_tests);
        oa_count_primitives(d->oa, m->clipper_primitives, m->setup_primitives);
        for (unsigned unit = 0; unit < COUNTED_UNITS; unit++)
            if (d->counters.units[unit].clocks) {
                count_unit(d, asked, unit, stage);
                if (d->counts_instruction_kinds)
                    count_instruction_kinds(d, asked, unit, stage);
            }
    }
    tally_add(&d->tally, &d->counters, stage);
    clear_counters(d);
}

static uint32_t events_enabled(const struct thread_dispatcher *d)
{
    return d->oa ? oa_eu_events_enabled(d->oa, d->engine) : 0;
}

/* Copies counters; those by kind of instruction are zero. */
static void copy_counters(struct dispatch_counters *to, const struct dispatch_counters *from)
{
    memcpy(to, from, offsetof(struct dispatch_counters, units));
    for (unsigned unit = 0; unit < COUNTED_UNITS; unit++)
        memcpy(&to->units[unit], &from->units[unit], offsetof(struct unit_counters, ran));
}

/* Makes the counters of a stage the current ones. */
static void take_counters(struct thread_dispatcher *d, enum oa_shader_stage stage)
{
    struct stage_counters *const s = &d->stages[stage];
    d->counted_stage = stage;
    copy_counters(&d->counters, &s->counters);
    d->bindings.counters = s->messages;
    s->used = false;
}

void dispatch_count_for(struct thread_dispatcher *d, enum oa_shader_stage stage)
{
    struct stage_counters *const before = &d->stages[d->counted_stage];
    if (stage == d->counted_stage)
        return;
    if (d->counts_instruction_kinds) {
        flush_stage(d, events_enabled(d));
    } else {
        copy_counters(&before->counters, &d->counters);
        before->messages = d->bindings.counters;
        before->used = true;
        clear_counters(d);
    }
    d->counted_stage = stage;
    if (d->stages[stage].used)
        take_counters(d, stage);
}

void dispatch_flush_counters(struct thread_dispatcher *d)
{
    const uint32_t asked = events_enabled(d);
    flush_stage(d, asked);
    for (unsigned i = 0; i < OA_SHADER_STAGES; i++) {
        if (!d->stages[i].used)
            continue;
        take_counters(d, (enum oa_shader_stage)i);
        flush_stage(d, asked);
    }
}

/* Who listens finds all in the counters. */
void dispatch_trace_end(struct thread_dispatcher *d, const struct softgt_draw *draw)
{
    const struct engine *const e = d->engine;
    const struct command *const row =
        e->commands.set->rows[command_find(e->commands.set, e->info->class, e->parse.header)];
    struct softgt_draw done = *draw;
    dispatch_flush_counters(d);
    done.threads = d->tally.threads;
    done.instructions = d->tally.instructions;
    done.pixels = d->tally.pixels;
    trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_DRAWS,
                                              .unit = e->info->name,
                                              .name = row ? row->name : NULL,
                                              .address = e->parse.command_address,
                                              .draw = &done});
}
