#include "base/sized.h"
#include "device/device.h"
#include "dispatcher/dispatcher.h"
#include "guc/schedule.h"

#include <stdlib.h>

/* Looking inside: engines and their counts, memory as the device sees it, the rows. */

const char *softgt_engine_class_name(enum softgt_engine_class engine_class)
{
    return (unsigned)engine_class < ENGINE_CLASSES ? engine_class_names[engine_class] : NULL;
}

static uint64_t sum_commands(const struct softgt *d, const uint64_t *counts)
{
    uint64_t commands = 0;
    for (unsigned i = 1; i < d->set.count; i++)
        commands += counts[i];
    return commands;
}

static struct softgt_engine_status status_of(const struct engine *e, const struct totals *t,
                                             uint64_t commands)
{
    return (struct softgt_engine_status){
        .name = e->info->name,
        .engine_class = (enum softgt_engine_class)e->info->class,
        .mmio_base = e->info->mmio_base,
        .hws_pga = e->info->mmio_base + e->info->hws_pga,
        .state = (enum softgt_engine_state)e->parse.state,
        .why = engine_stop_reason(e),
        .wait.comparison =
            e->parse.state == SOFTGT_ENGINE_WAITING ? wait_comparisons[e->wait.comparison] : NULL,
        .wait.found = e->wait.actual_value,
        .wait.waited_for = e->wait.expected_value,
        .acthd = e->parse.command_address,
        .batches = t->batches,
        .commands = commands,
        .dwords = t->dwords,
        .waits = t->waits,
        .context_switches = t->switches,
        .interrupts = t->interrupts,
        .memory_writes = t->memory.stores,
        .bytes_written = t->memory.bytes_stored,
        .faults = t->faults,
        .dropped = t->dropped,
        .unknown = t->unknown,
        .misplaced = t->misplaced,
        .skipped = t->skipped,
        .too_short = t->too_short,
        .thread_groups = t->groups,
        .threads = t->threads,
        .invocations = t->invocations,
        .instructions = t->instructions,
        .header = e->parse.header,
        .past_end = e->parse.state == SOFTGT_ENGINE_STOPPED && e->parse.stopped_past_end,
        .out_of_bounds = t->memory.out_of_bounds,
    };
}

bool softgt_engine_get_status_sized(const struct softgt *d, unsigned index,
                                    struct softgt_engine_status *status, size_t status_bytes)
{
    if (index >= d->sheet->info.engine_count)
        return false;
    const struct engine *e = &d->engines[index];
    const struct softgt_engine_status full = status_of(e, &e->totals, sum_commands(d, e->commands.counts));
    sized_struct_write(status, status_bytes, &full, sizeof full);
    return true;
}

bool device_engine_full_status(const struct softgt *d, unsigned index, struct softgt_engine_status *status)
{
    struct totals sum;
    if (index >= d->sheet->info.engine_count)
        return false;
    const struct engine *e = &d->engines[index];
    engine_sum_totals(e, &sum);
    *status = status_of(e, &sum,
                        sum_commands(d, e->commands.counts) + sum_commands(d, e->commands.earlier.commands));
    return true;
}

static bool each_unknown(const struct softgt *d, const struct unknown_header *u, void *user,
                         void (*each)(void *user, uint32_t header, uint64_t count, uint64_t address))
{
    struct softgt *const guarded = device_of_owner(d);
    const char *const outer = device_begin_reading(guarded, "softgt_engine_unknown");
    for (unsigned i = 0; i < UNKNOWN_HEADERS && u[i].count; i++)
        each(user, u[i].header, u[i].count, u[i].first_address);
    device_end_reading(guarded, outer);
    return true;
}

bool softgt_engine_unknown(const struct softgt *d, unsigned index, void *user,
                           void (*each)(void *user, uint32_t header, uint64_t count, uint64_t address))
{
    return index < d->sheet->info.engine_count &&
           each_unknown(d, d->engines[index].unknown_headers.seen, user, each);
}

bool device_engine_all_unknown(const struct softgt *d, unsigned index, void *user,
                               void (*each)(void *user, uint32_t header, uint64_t count, uint64_t address))
{
    struct unknown_headers sum;
    if (index >= d->sheet->info.engine_count)
        return false;
    engine_sum_unknown(&d->engines[index], &sum);
    return each_unknown(d, sum.seen, user, each);
}

enum softgt_engine_state softgt_engine_get_state(const struct softgt *d, unsigned index)
{
    return index < d->sheet->info.engine_count ? (enum softgt_engine_state)d->engines[index].parse.state
                                               : SOFTGT_ENGINE_IDLE;
}

/* Returns how many of those that were skipped are this command's. */
static uint64_t list_command(const struct command *c, uint64_t count, uint64_t skipped, void *user,
                             void (*each)(void *user, const char *name, uint64_t count,
                                          enum softgt_command_model model))
{
    const bool sometimes = c->flags & COMMAND_PERFORMED_IF_SUPPORTED;
    const uint64_t left = !sometimes ? 0 : skipped < count ? skipped : count;
    if (count > left)
        each(user, c->name, count - left, sometimes ? SOFTGT_COMMAND_EXECUTED : command_model(c));
    if (left)
        each(user, c->name, left, SOFTGT_COMMAND_COUNTED);
    return left;
}

static bool each_command(const struct softgt *d, unsigned index, bool earlier_too, void *user,
                         void (*each)(void *user, const char *name, uint64_t count,
                                      enum softgt_command_model model))
{
    if (index >= d->sheet->info.engine_count)
        return false;
    struct softgt *const guarded = device_of_owner(d);
    const char *const outer = device_begin_reading(guarded, "softgt_engine_commands");
    const struct engine *e = &d->engines[index];
    uint64_t skipped = e->totals.draws_skipped + (earlier_too ? e->commands.earlier.totals.draws_skipped : 0);
    for (unsigned i = 1; i < d->set.count; i++)
        skipped -= list_command(d->set.rows[i],
                                e->commands.counts[i] + (earlier_too ? e->commands.earlier.commands[i] : 0),
                                skipped, user, each);
    device_end_reading(guarded, outer);
    return true;
}

bool softgt_engine_commands(const struct softgt *d, unsigned index, void *user,
                            void (*each)(void *user, const char *name, uint64_t count,
                                         enum softgt_command_model model))
{
    return each_command(d, index, false, user, each);
}

bool device_engine_all_commands(const struct softgt *d, unsigned index, void *user,
                                void (*each)(void *user, const char *name, uint64_t count,
                                             enum softgt_command_model model))
{
    return each_command(d, index, true, user, each);
}

static int by_header(const void *a, const void *b)
{
    const uint32_t x = **(const uint32_t *const *)a, y = **(const uint32_t *const *)b;
    if (x != y)
        return x < y ? -1 : 1;
    return *(const uint32_t *const *)a < *(const uint32_t *const *)b ? -1 : 1; /* as they were written */
}

/* The length of a command that the pipeline saved. */
static uint32_t saved_length_dw(const struct engine *e, uint32_t header)
{
    const struct command_set *const set = e->commands.set;
    return command_length_dw(set->rows[command_find(set, e->info->class, header)], header);
}

/* Pointers to the commands in `dw`, ordered by their headers. The caller frees them; NULL: out of memory. */
static const uint32_t **sort_commands(const struct engine *e, const uint32_t *dw, uint32_t length_dw,
                                      size_t *count)
{
    *count = 0;
    for (uint32_t at = 0; at < length_dw; ++*count)
        at += saved_length_dw(e, dw[at]);
    const uint32_t **const commands = calloc(*count + 1, sizeof *commands);
    for (size_t i = 0; commands && i < *count; i++) {
        commands[i] = dw;
        dw += saved_length_dw(e, *dw);
    }
    if (commands)
        qsort(commands, *count, sizeof *commands, by_header);
    return commands;
}

bool softgt_engine_state_commands(const struct softgt *d, unsigned index, void *user,
                                  void (*each)(void *user, const char *name, const uint32_t *dwords,
                                               size_t length_dw))
{
    if (index >= d->sheet->info.engine_count)
        return false;
    struct softgt *const guarded = device_of_owner(d);
    const char *const outer = device_begin_reading(guarded, __func__);
    const struct engine *e = &d->engines[index];
    uint32_t *const dw = malloc(SCRATCH_DW * sizeof *dw); /* the engine's own may hold the current command */
    bool left_out;
    const uint32_t length_dw = dw ? pipeline_save(&e->pipeline, dw, SCRATCH_DW, &left_out) : 0;
    size_t count = 0;
    const uint32_t **const commands = dw ? sort_commands(e, dw, length_dw, &count) : NULL;
    for (size_t i = 0; commands && i < count; i++) {
        const struct command *c = d->set.rows[command_find(&d->set, e->info->class, commands[i][0])];
        each(user, c->name, commands[i], command_length_dw(c, commands[i][0]));
    }
    free(dw);
    free(commands);
    device_end_reading(guarded, outer);
    return commands;
}

uint64_t softgt_dword_count(const struct softgt *d)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        sum += d->engines[i].totals.dwords;
    return sum;
}

uint64_t softgt_interrupt_count(const struct softgt *d)
{
    return d->interrupt.output.messages;
}

/* Reads or writes by walking, page by page. */
static bool walk_copy(struct softgt *d, struct mmu *u, enum space space, uint64_t address, void *data,
                      const void *from, size_t size_bytes)
{
    size_t done = 0;
    while (done < size_bytes) {
        struct translation t;
        if (space == SPACE_GGTT && (address > UINT32_MAX || done > UINT32_MAX - address))
            return false; /* the GGTT ends at 4 GB */
        size_t part = PAGE_BYTES - (address + done) % PAGE_BYTES;
        if (part > size_bytes - done)
            part = size_bytes - done;
        if (!mmu_translate(u, space, address + done, &t))
            return false;
        if (from ? !bus_write(&d->memory, t.physical, (const uint8_t *)from + done, part)
                 : !bus_read(&d->memory, t.physical, (uint8_t *)data + done, part))
            return false;
        done += part;
    }
    return true;
}

bool softgt_ggtt_read(struct softgt *d, uint64_t address, void *data, size_t size_bytes)
{
    const char *const outer = device_begin_reading(d, __func__);
    const bool found = walk_copy(d, &d->cpu, SPACE_GGTT, address, data, NULL, size_bytes);
    device_end_reading(d, outer);
    return found;
}

bool softgt_ggtt_write(struct softgt *d, uint64_t address, const void *data, size_t size_bytes)
{
    if (!device_enter(d, __func__))
        return false;
    const bool written = walk_copy(d, &d->cpu, SPACE_GGTT, address, NULL, data, size_bytes);
    device_leave(d);
    return written;
}

bool softgt_ppgtt_read(struct softgt *d, unsigned index, uint64_t address, void *data, size_t size_bytes)
{
    if (index >= d->sheet->info.engine_count)
        return false;
    const char *const outer = device_begin_reading(d, __func__);
    const bool found = walk_copy(d, &d->engines[index].mmu, SPACE_PPGTT, address, data, NULL, size_bytes);
    device_end_reading(d, outer);
    return found;
}

uint64_t softgt_local_bytes(const struct softgt *d)
{
    return d->memory.local_bytes;
}

static bool in_local(const struct softgt *d, uint64_t address, size_t size_bytes)
{
    return address < d->memory.local_bytes && size_bytes <= d->memory.local_bytes - address;
}

bool softgt_local_read(struct softgt *d, uint64_t address, void *data, size_t size_bytes)
{
    const char *const outer = device_begin_reading(d, __func__);
    const bool found =
        in_local(d, address, size_bytes) && bus_read(&d->memory, MEMORY_LOCAL | address, data, size_bytes);
    device_end_reading(d, outer);
    return found;
}

bool softgt_local_write(struct softgt *d, uint64_t address, const void *data, size_t size_bytes)
{
    if (!device_enter(d, __func__))
        return false;
    if (d->memory.local_on_bus) {
        d->memory.local_on_bus = false;
        device_memory_changed(d);
    }
    const bool written =
        in_local(d, address, size_bytes) && bus_write(&d->memory, MEMORY_LOCAL | address, data, size_bytes);
    device_leave(d);
    return written;
}

void softgt_set_trace_mask(struct softgt *d, unsigned mask)
{
    d->log.trace.mask = d->log.trace.event ? mask : 0;
}

void device_hold(struct softgt *d, bool holds)
{
    d->log.is_held = holds;
}

bool device_is_held(const struct softgt *d)
{
    return d->log.is_held;
}

bool device_watch_threads(struct softgt *d, const struct softgt_eu_hooks *hooks)
{
    if (!d->kept_thread && !(d->kept_thread = calloc(1, sizeof *d->kept_thread)))
        return false;
    if ((hooks ? softgt_watch_threads(d, hooks) : softgt_watch_threads_sized(d, NULL, 0)) != 0)
        return false;
    for (unsigned i = 0; d->dispatches && i < d->sheet->info.engine_count; i++)
        d->dispatches[i].debugger.hook_may_stop = hooks;
    return true;
}

struct softgt_eu_thread *device_keep_thread(struct softgt *d, const struct softgt_eu_thread *thread)
{
    *d->kept_thread = *thread;
    return d->kept_thread;
}

bool device_walk(const struct softgt *d, int engine, uint64_t address, struct device_walk *walk)
{
    *walk = (struct device_walk){0};
    if (engine >= (int)d->sheet->info.engine_count)
        return false;
    const struct mmu *const u = engine < 0 ? &d->cpu : &d->engines[engine].mmu;
    struct walk_steps steps = {walk->steps, 0, DEVICE_WALK_STEPS};
    struct walker w = {.memory = u->memory, .function = u->function, .steps = &steps};
    const bool found =
        mmu_translate_by(u, &w, engine < 0 ? SPACE_GGTT : SPACE_PPGTT, address, &walk->translation);
    walk->count = steps.count;
    return found;
}

bool device_physical_read(const struct softgt *d, uint64_t address, void *data, size_t size_bytes)
{
    return bus_read(&d->memory, address, data, size_bytes);
}

bool device_physical_write(struct softgt *d, uint64_t address, const void *data, size_t size_bytes)
{
    return bus_write(&d->memory, address, data, size_bytes);
}

const struct register_file *softgt_register_file(const struct softgt *d)
{
    return &d->mmio;
}

const struct command_set *softgt_command_set(const struct softgt *d)
{
    return &d->set;
}

const struct command *device_command_row(const struct softgt *d, unsigned engine, uint32_t header)
{
    return d->set.rows[command_find(&d->set, d->sheet->engines[engine].class, header)];
}

/* ---- Where engines are ---- */

void device_engine_view(const struct softgt *d, unsigned engine, struct device_engine_view *view)
{
    const struct engine *const e = &d->engines[engine];
    *view = (struct device_engine_view){.has_context = e->context.valid,
                                        .context = e->context.current,
                                        .function = e->mmu.function,
                                        .level_count = e->parse.depth + 1u,
                                        .wait = e->wait,
                                        .executing = e->execlists.executing,
                                        .has_list = e->execlists.executing_valid,
                                        .has_pending = e->execlists.pending_valid,
                                        .command_address = e->parse.command_address,
                                        .header = e->parse.header};
    for (unsigned i = 0; i < view->level_count; i++) {
        view->levels[i].address = stream_address(e, i);
        view->levels[i].kind = e->parse.streams[i].kind;
        view->levels[i].is_ggtt = e->parse.streams[i].space == SPACE_GGTT;
    }
}

const struct command *device_current_command(struct softgt *d, unsigned engine, uint32_t *dw,
                                             uint32_t most_dw, uint32_t *length_dw)
{
    struct engine *const e = &d->engines[engine];
    const enum space space = (enum space)e->parse.streams[e->parse.depth].space;
    const uint64_t address = e->parse.command_address;
    if (!walk_copy(d, &e->mmu, space, address, dw, NULL, 4))
        return NULL;
    const struct command *const c = d->set.rows[command_find(&d->set, e->info->class, dw[0])];
    if (!c)
        return NULL;
    const uint32_t whole_dw = command_length_dw(c, dw[0]);
    *length_dw = whole_dw < most_dw ? whole_dw : most_dw;
    return *length_dw && walk_copy(d, &e->mmu, space, address, dw, NULL, *length_dw * 4u) ? c : NULL;
}

uint32_t device_register_peek(struct softgt *d, const struct register_slot *slot)
{
    return register_peek(&d->mmio, slot);
}

/* ---- The GuC of a GT ---- */

/* NULL: there is none. */
static const struct guc *guc_of(const struct softgt *d, unsigned gt)
{
    return gt < device_guc_count(d) ? &d->gucs[gt] : NULL;
}

bool device_guc_status(const struct softgt *d, unsigned gt, struct device_guc_status *status)
{
    static const char *const states[] = {[GUC_IN_RESET] = "in reset",
                                         [GUC_BOOTING] = "booting",
                                         [GUC_FAILED] = "failed",
                                         [GUC_READY] = "running"};
    const struct guc *const g = guc_of(d, gt);
    if (!g)
        return false;
    *status = (struct device_guc_status){.state = guc_running(g) || !guc_is_serving(g)
                                                      ? states[g->boot.state]
                                                      : "running for virtual functions",
                                         .requests = g->totals.requests,
                                         .failures = g->totals.failures,
                                         .submissions = g->totals.submissions,
                                         .preemptions = g->totals.preemptions,
                                         .resets = g->totals.resets};
    for (unsigned i = 0; i < GUC_CONTEXTS; i++)
        status->contexts += g->contexts[i].flags & CONTEXT_REGISTERED;
    return true;
}

bool device_guc_context(const struct softgt *d, unsigned gt, uint32_t id, struct device_guc_context *context)
{
    const struct guc *const g = guc_of(d, gt);
    while (g && id < GUC_CONTEXTS && !(g->contexts[id].flags & CONTEXT_REGISTERED))
        id++;
    if (!g || id >= GUC_CONTEXTS)
        return false;
    const struct guc_context *const c = &g->contexts[id];
    *context = (struct device_guc_context){
        .id = id,
        .lrca = c->descriptor_low & ~0xfffu,
        .priority = c->priority,
        .function = guc_context_function(c),
        .engine = c->engine < g->engine_count ? g->engines[c->engine].info->name : NULL,
        .is_enabled = c->flags & CONTEXT_ENABLED,
        .has_work = c->flags & CONTEXT_READY};
    return true;
}

const struct guc_context *device_guc_next_context(const struct softgt *d, unsigned gt, uint32_t *id)
{
    struct device_guc_context context;
    if (!device_guc_context(d, gt, *id, &context))
        return NULL;
    *id = context.id;
    return &d->gucs[gt].contexts[context.id];
}

const struct section *device_guc_section(const struct softgt *d, unsigned gt, int function, unsigned index,
                                         const void **data)
{
    const struct guc *const g = guc_of(d, gt);
    const unsigned count = function < 0 ? (unsigned)guc_shape.section_count : GUC_FUNCTION_SECTIONS;
    if (!g || function > (int)g->vf_count)
        return NULL;
    const struct section *const all = function < 0 ? guc_shape.sections : guc_function_sections;
    const void *const unit = function < 0 ? (const void *)g : &g->functions[function];
    if (index >= count)
        return NULL;
    *data = (const uint8_t *)unit + all[index].offset;
    return &all[index];
}

bool device_guc_read(struct softgt *d, unsigned gt, unsigned function, uint32_t address, void *data,
                     size_t size_bytes)
{
    struct guc *const g = gt < device_guc_count(d) ? &d->gucs[gt] : NULL;
    return g && function <= g->vf_count &&
           mmu_load(&g->functions[function].mmu, SPACE_GGTT, address, data, size_bytes);
}

void device_thread_state(const struct softgt_eu_thread *thread, struct kernel_state *state)
{
    *state = thread->dispatch->bindings.kernel;
}

uint32_t device_surface_pointer(const struct softgt_eu_thread *thread, uint32_t entry)
{
    return surface_pointer(&thread->dispatch->bindings, entry);
}
