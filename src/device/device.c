#include "device/device.h"

#include "pipeline3d/draw_work.h"
#include "tiles/parallel_tiles.h"
#include "video/encoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Data sheets ---- */

const struct softgt_device_info *softgt_device_at(size_t index)
{
    for (size_t i = 0; sheets[i]; i++)
        if (i == index)
            return &sheets[i]->info;
    return NULL;
}

const struct softgt_device_info *softgt_device_find(const char *name)
{
    const struct sheet *s = sheet_find(name);
    return s ? &s->info : NULL;
}

uint16_t softgt_device_pci_id(const struct softgt_device_info *device, size_t index)
{
    const struct sheet *const sheet = device ? sheet_find(device->name) : NULL;
    for (const uint16_t *id = sheet ? sheet->pci_device_ids : NULL; id && *id; id++)
        if (index-- == 0)
            return *id;
    return 0;
}

const struct softgt_device_info *softgt_device_by_pci_id(uint16_t pci_device_id)
{
    const struct sheet *s = sheet_find_id(pci_device_id);
    return s ? &s->info : NULL;
}

/* ---- Life ---- */

static void cpu_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)space, (void)level;
    struct softgt *d = user;
    report_error(&d->log, SOFTGT_GUEST_ERROR, "aperture", address, "%s of an address that is not mapped",
                 write ? "write" : "read");
}

static bool list_units(struct softgt *d)
{
    const struct unit shared[] = {{&gt_shape, &d->gts[0]},
                                  {&interrupt_shape, &d->interrupt},
                                  {&display_shape, &d->display},
                                  {&vga_shape, &d->vga},
                                  {&oa_shape, &d->oa}};
    const unsigned count = sizeof shared / sizeof shared[0], engines = d->sheet->info.engine_count;
    d->units = calloc(count + 4u * engines + 4u, sizeof *d->units);
    if (!d->units)
        return false;
    memcpy(d->units, shared, sizeof shared);
    for (unsigned i = 0; i < engines; i++)
        d->units[count + i] = (struct unit){&engine_shape, &d->engines[i]};
    d->unit_count = count + engines;
    if (d->sheet->oam)
        d->units[d->unit_count++] = (struct unit){&oa_shape, &d->oam};
    if (d->sheet->guc)
        d->units[d->unit_count++] = (struct unit){&guc_shape, &d->gucs[0]};
    for (unsigned i = 0; i < engines; i++)
        if (dispatcher_of(&d->engines[i]))
            d->units[d->unit_count++] = (struct unit){&dispatch_shape, dispatcher_of(&d->engines[i])};
    for (unsigned i = 0; i < engines; i++)
        if (dispatcher_of(&d->engines[i]))
            d->units[d->unit_count++] = (struct unit){&draw_work_shape, dispatcher_of(&d->engines[i])->draws};
    for (unsigned i = 0; i < engines; i++)
        if (encoder_of(&d->engines[i]))
            d->units[d->unit_count++] = (struct unit){&encoder_shape, encoder_of(&d->engines[i])};
    if (d->sheet->media) {
        d->units[d->unit_count++] = (struct unit){&gt_shape, &d->gts[1]};
        d->units[d->unit_count++] = (struct unit){&guc_shape, &d->gucs[1]};
    }
    return true;
}

/* Dispatchers for the engines that run threads of a known instruction set. */
static bool create_dispatches(struct softgt *d, const struct softgt_config *config)
{
    const unsigned engines = d->sheet->info.engine_count;
    if (!d->sheet->eu)
        return true;
    d->dispatches = calloc(engines, sizeof *d->dispatches);
    if (!d->dispatches || !structure_set_create(&d->structures, structure_tables, d->sheet->generation))
        return false;
    for (unsigned i = 0; i < engines; i++)
        if (engine_has_threads(&d->engines[i]) &&
            (!dispatch_create(&d->dispatches[i], &d->engines[i], &d->oa, d->sheet->eu, &d->structures,
                              config) ||
             !draw_work_create(&d->dispatches[i], config, &parallel_tiles_ops)))
            return false;
    return true;
}

static bool create_encoders(struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++) {
        if (!d->engines[i].info->encodes)
            continue;
        struct encoder *const c = malloc(sizeof *c);
        if (!c)
            return false;
        encoder_create(c, &d->engines[i]);
    }
    return true;
}

/* Blocks of a list that ends with NULL. */
static bool place_blocks(struct softgt *d, const struct register_block *const *blocks, void *owner,
                         const char *unit)
{
    for (; *blocks; blocks++)
        if (!register_file_place(&d->mmio, *blocks, 0, owner, unit))
            return false;
    return true;
}

/* Memory, register file and command rows. */
static bool build_base(struct softgt *d, const struct softgt_config *config)
{
    const struct sheet *const s = d->sheet;
    if (!functions_create(d, config) ||
        !memory_create(&d->memory, &s->memory, &d->log, &config->memory, config->ggtt_table) ||
        !memory_create_local(&d->memory, config) ||
        !memory_create_functions(&d->memory, config->functions, config->function_ports) ||
        !register_file_create(&d->mmio, &d->log, (uint32_t)s->info.mmio_bytes) ||
        !command_set_create(&d->set, command_tables, s->generation))
        return false;
    d->memory.isolation = &d->isolation;
    d->mmio.isolation = &d->isolation;
    mmu_init(&d->cpu, &d->memory, d, cpu_fault);
    d->mmio.ranges = s->ranges;
    return true;
}

/* Interrupts and display. */
static bool build_display(struct softgt *d, const struct softgt_config *config)
{
    const struct sheet *const s = d->sheet;
    const struct register_block *const interrupt_blocks[] = {s->interrupt->block, s->interrupt->display_block,
                                                             NULL},
                                       *const vga_blocks[] = {&vga_registers, NULL};
    d->interrupt = (struct interrupt){.info = s->interrupt,
                                      .log = &d->log,
                                      .mmio = &d->mmio,
                                      .port = config->interrupt,
                                      .functions = d->vfs.interrupts};
    d->display = (struct display){.info = s->display,
                                  .log = &d->log,
                                  .mmio = &d->mmio,
                                  .memory = &d->memory,
                                  .interrupt = &d->interrupt};
    d->vga.display = &d->display;
    return place_blocks(d, interrupt_blocks, &d->interrupt, "interrupt") &&
           place_blocks(d, s->display->blocks, &d->display, "display") &&
           place_blocks(d, vga_blocks, &d->vga, "vga");
}

/* The GTs: that of media has the last engines. */
static bool build_gts(struct softgt *d)
{
    const struct sheet *const s = d->sheet;
    const struct media_gt *const media = s->media;
    const unsigned engines = s->info.engine_count, graphics = media ? media->first_engine : engines;
    const struct gt common = {.log = &d->log,
                              .mmio = &d->mmio,
                              .memory = &d->memory,
                              .aperture = &d->cpu,
                              .all = d->gts,
                              .all_count = device_gt_count(d)};
    d->gts[0] = d->gts[1] = common;
    d->gts[0].name = "gt";
    d->gts[0].info = s->gt;
    d->gts[0].engines = d->engines;
    d->gts[0].engine_count = graphics;
    if (media) {
        d->gts[1].name = "gt1";
        d->gts[1].info = media->gt;
        d->gts[1].base = media->register_base;
        d->gts[1].engines = d->engines + graphics;
        d->gts[1].engine_count = engines - graphics;
    }
    return gt_create(&d->gts[0]) && (!media || gt_create(&d->gts[1]));
}

/* The GTs, their engines, and what runs on them. */
static bool build_engines(struct softgt *d, const struct softgt_config *config)
{
    const struct sheet *const s = d->sheet;
    const unsigned engines = s->info.engine_count;
    d->engines = calloc(engines, sizeof *d->engines);
    if (!d->engines)
        return false;
    if (!build_gts(d))
        return false;
    for (unsigned i = 0; i < engines; i++)
        if (!engine_create(&d->engines[i], &s->engines[i], &d->log, &d->mmio, &d->interrupt, &d->memory,
                           &d->set))
            return false;
    for (unsigned i = 0; i < engines; i++) {
        d->engines[i].peers.engines = d->engines;
        d->engines[i].peers.count = engines;
        d->engines[i].display = &d->display;
        d->engines[i].time_model.costs = config->timing ? s->costs : NULL;
        d->engines[i].time_model.frequency = s->oa->frequency;
    }
    return create_dispatches(d, config) && create_encoders(d);
}

/* Observation: the GT's, and the media engines' where there is one. */
static bool build_oa(struct softgt *d)
{
    const struct sheet *const s = d->sheet;
    d->oa = (struct oa){.info = s->oa,
                        .log = &d->log,
                        .mmio = &d->mmio,
                        .interrupt = &d->interrupt,
                        .gt = &d->gts[0],
                        .engines = d->engines,
                        .engine_count = s->info.engine_count};
    if (!oa_create(&d->oa, &d->memory))
        return false;
    if (s->oam) {
        d->oam = d->oa;
        d->oam.info = s->oam;
        d->oa.next = &d->oam;
        if (!oa_create(&d->oam, &d->memory))
            return false;
    }
    return true;
}

static bool build_gucs(struct softgt *d)
{
    for (unsigned i = 0; i < device_guc_count(d); i++) {
        struct gt *const gt = &d->gts[i];
        d->gucs[i] = (struct guc){.info = i ? d->sheet->media->guc : d->sheet->guc,
                                  .by.name = i ? "guc1" : "guc",
                                  .log = &d->log,
                                  .mmio = &d->mmio,
                                  .interrupt = &d->interrupt,
                                  .gt = gt,
                                  .engines = gt->engines,
                                  .engine_count = gt->engine_count,
                                  .vf_count = d->memory.vf_count,
                                  .isolation = &d->isolation};
        if (!guc_create(&d->gucs[i], &d->memory))
            return false;
    }
    return true;
}

static bool build(struct softgt *d, const struct softgt_config *config)
{
    if (!build_base(d, config) || !build_display(d, config) || !build_engines(d, config) || !build_oa(d) ||
        !build_gucs(d) || !list_units(d))
        return false;
    device_reset(d, RESET_POWER);
    return true;
}

_Static_assert(SOFTGT_VERSION == SOFTGT_PROJECT_VERSION, "softgt.h has the version of meson.build");

uint32_t softgt_version(void)
{
    return SOFTGT_VERSION;
}

int softgt_create_sized(const struct softgt_config *config, size_t config_bytes, struct softgt **device)
{
    struct softgt_config c;
    *device = NULL;
    const int error = config_read(&c, config, config_bytes);
    return error ? error : device_create(sheet_find(c.device), &c, device);
}

int device_create(const struct sheet *s, const struct softgt_config *config, struct softgt **device)
{
    *device = NULL;
    const int error = config_check(config, s);
    if (error)
        return error;
    struct softgt *d = calloc(1, sizeof *d);
    if (!d)
        return -ENOMEM;
    d->sheet = s;
    d->log = (struct device_log){.device = d, .report = config->report, .trace = config->trace};
    if (!d->log.trace.event)
        d->log.trace.mask = 0;
    if (!build(d, config)) {
        softgt_destroy(d);
        return -ENOMEM;
    }
    *device = d;
    return 0;
}

void softgt_destroy(struct softgt *d)
{
    if (!d || !device_enter(d, __func__))
        return;
    for (unsigned i = 0; d->engines && i < d->sheet->info.engine_count; i++) {
        free(encoder_of(&d->engines[i]));
        engine_destroy(&d->engines[i]);
    }
    for (unsigned i = 0; d->dispatches && i < d->sheet->info.engine_count; i++) {
        draw_work_destroy(&d->dispatches[i]);
        dispatch_destroy(&d->dispatches[i]);
    }
    free(d->dispatches);
    for (unsigned i = 0; i < device_guc_count(d); i++)
        guc_destroy(&d->gucs[i]);
    free(d->engines);
    free(d->units);
    free(d->kept_thread);
    functions_destroy(d);
    command_set_destroy(&d->set);
    command_set_destroy(&d->structures);
    register_file_destroy(&d->mmio);
    memory_destroy(&d->memory);
    free(d);
}

const struct softgt_device_info *softgt_info(const struct softgt *d)
{
    return &d->sheet->info;
}

void device_reset_by_owner(struct softgt *d)
{
    device_reset(d, vfs_are_isolated(&d->isolation) ? RESET_DEVICE : RESET_POWER);
    device_settle(d);
}

void softgt_reset(struct softgt *d)
{
    if (!device_enter(d, __func__))
        return;
    device_reset_by_owner(d);
    device_leave(d);
}

bool softgt_engine_reset(struct softgt *d, unsigned index)
{
    if (index >= d->sheet->info.engine_count || !device_enter(d, __func__))
        return false;
    rc6_wake(d->sheet->media && index >= d->sheet->media->first_engine ? &d->gts[1] : &d->gts[0]);
    engine_reset(&d->engines[index], RESET_ENGINE);
    device_leave(d);
    return true;
}

bool softgt_inject_error(struct softgt *d, enum softgt_error_severity severity, uint32_t sources)
{
    if (!gt_has_errors(&d->gts[0]) || !device_enter(d, __func__))
        return false;
    gt_error(&d->gts[0], severity, sources);
    device_leave(d);
    return true;
}

bool softgt_engine_end_batch(struct softgt *d, unsigned index)
{
    if (index >= d->sheet->info.engine_count || !device_enter(d, __func__))
        return false;
    const bool ended = engine_end_batch(&d->engines[index]);
    device_leave(d);
    return ended;
}

/* NULL: unknown. */
static const struct command *command_at(const struct engine *e)
{
    return e->commands.set->rows[command_find(e->commands.set, e->info->class, e->parse.header)];
}

bool device_in_draw(const struct softgt *d, unsigned index)
{
    const struct engine *const e = &d->engines[index];
    const struct command *const c = dispatcher_of(e) ? command_at(e) : NULL;
    return c && e->parse.state != SOFTGT_ENGINE_IDLE && command_draws(c);
}

uint64_t device_draw_count(const struct softgt *d)
{
    uint64_t draws = 0;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++) {
        const struct engine *const e = &d->engines[i];
        for (uint32_t n = 1; n < e->commands.set->count; n++) /* 0 has no row */
            if (e->commands.counts[n] && command_draws(e->commands.set->rows[n]))
                draws += e->commands.counts[n];
    }
    return draws;
}

bool device_skip_draw(struct softgt *d, unsigned index)
{
    struct engine *const e = &d->engines[index];
    if (!device_in_draw(d, index) || !engine_skip_command(e, command_at(e)))
        return false;
    e->totals.draws_skipped++;
    return true;
}

void device_memory_changed(struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_drop_host_pointers(&d->engines[i]);
    for (unsigned i = 0; i < device_guc_count(d); i++)
        guc_remap(&d->gucs[i]);
    for (struct oa *oa = &d->oa; oa; oa = oa->next)
        mmu_remap(&oa->mmu);
    mmu_invalidate(&d->cpu);
}

void softgt_memory_changed(struct softgt *d)
{
    if (!device_enter(d, __func__))
        return;
    device_memory_changed(d);
    device_leave(d);
}

void device_tables_changed(struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_invalidate_tlb(&d->engines[i]);
    for (unsigned i = 0; i < device_guc_count(d); i++)
        guc_invalidate_tlbs(&d->gucs[i]);
    for (struct oa *oa = &d->oa; oa; oa = oa->next)
        mmu_invalidate(&oa->mmu);
    mmu_invalidate(&d->cpu);
}

/* ---- Runs and time ---- */

static bool unit_runnable(const struct unit *u)
{
    return u->shape->runnable && u->shape->runnable(u->self);
}

static bool unit_polls(const struct unit *u)
{
    return u->shape->polls && u->shape->polls(u->self);
}

bool device_within_command(const struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++) {
        const struct parse_state *const p = &d->engines[i].parse;
        if (p->state == SOFTGT_ENGINE_RUNNING && p->streams[p->depth].progress)
            return true;
    }
    return false;
}

/* Dwords of a unit's run: all; those of completed commands; those of commands that are parsed again. Costs
 * are not included. */
struct used {
    uint64_t all_dw, done_dw, again_dw;
};

static struct used run_unit(struct softgt *d, const struct unit *u, uint64_t most_dw, bool counts_again)
{
    struct device_log *const w = &d->log;
    const uint64_t charged_dw = w->cost.charged_dw, again_dw = w->cost.repeated_dw;
    struct used used = {.all_dw = u->shape->run ? u->shape->run(u->self, most_dw) : 0};
    used.again_dw = w->cost.repeated_dw - again_dw;
    const uint64_t rest_dw = w->cost.charged_dw - charged_dw + (counts_again ? 0 : used.again_dw);
    used.done_dw = used.all_dw > rest_dw ? used.all_dw - rest_dw : 0;
    return used;
}

static void next_unit(struct softgt *d)
{
    d->scheduler.current_unit = (d->scheduler.current_unit + 1) % d->unit_count;
    d->scheduler.slice_left_dw = 0;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A slice of a replayed run. It continues until the recorded run's dwords are completed, then as far into the
 * next command as that run was. True: the run ends here, in this slice. */
static bool replay_slice(struct softgt *d, struct run_extent *r)
{
    const struct unit *const u = &d->units[d->scheduler.current_unit];
    for (;;) {
        const bool within = !r->done_dw; /* in parts: the command may complete early */
        const uint64_t most_dw = within ? 1 : min_u64(r->done_dw, r->budget_dw);
        const struct used used = run_unit(d, u, most_dw, r->counts_reparsed);
        const uint64_t wanted_dw = min_u64(used.done_dw, r->done_dw);
        r->done_dw -= wanted_dw;
        r->surplus_dw += used.done_dw - wanted_dw;
        if (within)
            r->partial_dw -= used.done_dw ? r->partial_dw : min_u64(used.again_dw, r->partial_dw);
        r->budget_dw -= min_u64(used.all_dw, r->budget_dw);
        const bool runnable = unit_runnable(u), more = r->done_dw || r->partial_dw;
        d->scheduler.idle_units = used.all_dw || runnable ? 0 : d->scheduler.idle_units + 1;
        if (runnable && (more ? !r->budget_dw : !r->slice_ended))
            return true;
        if (!runnable || !more || used.all_dw < most_dw)
            break;
    }
    next_unit(d);
    return false;
}

/* A slice. True: the run ends here. */
static bool run_slice(struct softgt *d, struct run_extent *r)
{
    enum { SLICE_DW = 1 << 16 };
    struct unit_scheduler *const t = &d->scheduler;
    const struct unit *const u = &d->units[t->current_unit];
    if (!t->slice_left_dw)
        t->slice_left_dw = SLICE_DW;
    const struct used used = run_unit(d, u, min_u64(r->budget_dw, t->slice_left_dw), false);
    r->done_dw += used.done_dw;
    r->budget_dw -= min_u64(used.all_dw, r->budget_dw);
    t->slice_left_dw -= min_u64(used.all_dw, t->slice_left_dw);
    const bool runnable = unit_runnable(u);
    t->idle_units = used.all_dw || runnable ? 0 : t->idle_units + 1;
    if (d->log.is_held || (!r->budget_dw && t->slice_left_dw && runnable))
        return true;
    r->slice_ended = r->is_recording && !t->slice_left_dw && runnable;
    next_unit(d);
    return r->slice_ended;
}

static bool goes_on(struct run_extent *r)
{
    if (r->budget_dw && r->stop && r->stop(r->user))
        r->budget_dw = 0;
    return r->budget_dw && (!r->is_replay || r->done_dw || r->partial_dw);
}

static bool run_slices(struct softgt *d, struct run_extent *r)
{
    struct unit_scheduler *const t = &d->scheduler;
    while (t->idle_units < d->unit_count && goes_on(r))
        if (r->is_replay ? replay_slice(d, r) : run_slice(d, r))
            return true;
    bool runnable = false, polls = false;
    for (unsigned i = 0; i < d->unit_count; i++) {
        runnable |= unit_runnable(&d->units[i]);
        polls |= unit_polls(&d->units[i]);
    }
    const bool more = runnable || (polls && t->idle_units < d->unit_count);
    if (t->idle_units >= d->unit_count || !more)
        t->current_unit = t->idle_units = 0;
    /* A unit was woken after its slice. */
    return runnable && goes_on(r) ? run_slices(d, r) : more;
}

static bool is_watched(const struct softgt *d)
{
    for (unsigned i = 0; d->dispatches && i < d->sheet->info.engine_count; i++)
        if (d->dispatches[i].debugger.single_steps)
            return true;
    return false;
}

/* Engines are held. The others continue: firmware answers its driver. A recording holds what engines ran. */
static void run_others(struct softgt *d, const struct run_extent *r)
{
    for (unsigned i = 0; i < d->unit_count && !r->is_recording && !r->is_replay; i++)
        if (d->units[i].shape != &engine_shape)
            (void)run_unit(d, &d->units[i], r->budget_dw, false);
}

/* Units get slices in turn. A run that ends by its budget continues in the same slice next time. So runs may
 * be cut anywhere with the same result. */
static bool run(struct softgt *d, struct run_extent *r)
{
    enum { SPARED_DW = 1 << 16 };
    if (d->log.is_held) {
        run_others(d, r);
        return false;
    }
    d->log.cost.counts_dwords = r->is_recording || r->is_replay;
    d->log.cost.spared_dw = r->is_replay ? SPARED_DW : 0;
    d->log.cost.partial_dw = 0;
    d->log.cost.run_dw = r->budget_dw;
    if (r->is_replay) {
        const uint64_t had_dw = min_u64(r->done_dw, r->surplus_dw);
        r->done_dw -= had_dw;
        r->surplus_dw -= had_dw;
        /* That command is done already, or would be done too early: watched threads take less of a part. Its
         * reads of memory may come later than in the recording, never earlier. */
        if (r->surplus_dw || is_watched(d))
            r->partial_dw = 0;
    }
    const bool more = run_slices(d, r);
    if (r->is_recording)
        r->partial_dw = d->log.cost.partial_dw;
    return more;
}

bool device_run(struct softgt *d, struct run_extent *r)
{
    if (!device_enter(d, "softgt_run"))
        return false;
    const bool more = run(d, r);
    device_leave(d);
    return more;
}

bool softgt_run(struct softgt *d, uint64_t budget_dw)
{
    return device_run(d, &(struct run_extent){.budget_dw = budget_dw});
}

bool softgt_runnable(const struct softgt *d)
{
    for (unsigned i = 0; i < d->unit_count; i++)
        if (unit_runnable(&d->units[i]) || unit_polls(&d->units[i]))
            return true;
    return false;
}

void softgt_advance(struct softgt *d, uint64_t ns)
{
    if (!device_enter(d, __func__))
        return;
    const uint64_t before_ns = d->log.now_ns, left_ns = SOFTGT_LAST_NS - before_ns;
    d->log.now_ns += ns < left_ns ? ns : left_ns;
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        if (u->shape->advance)
            u->shape->advance(u->self, before_ns);
    device_leave(d);
}

uint64_t softgt_max_step_ns(const struct softgt *d)
{
    uint64_t least_ns = UINT64_MAX;
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++) {
        const uint64_t ns = u->shape->max_step_ns ? u->shape->max_step_ns(u->self) : UINT64_MAX;
        least_ns = ns < least_ns ? ns : least_ns;
    }
    return least_ns;
}

uint64_t softgt_now_ns(const struct softgt *d)
{
    return d->log.now_ns;
}

uint64_t softgt_next_run_ns(const struct softgt *d)
{
    uint64_t next_ns = UINT64_MAX;
    for (const struct engine *e = d->engines; e < d->engines + d->sheet->info.engine_count; e++)
        if (engine_continues_when_done(e) && e->timing.until_ns < next_ns)
            next_ns = e->timing.until_ns;
    return next_ns;
}

bool device_wait_for_time(struct softgt *d)
{
    enum { LEAST_NS = 1000 };
    const uint64_t at_ns = softgt_next_run_ns(d), now_ns = d->log.now_ns;
    if (at_ns == UINT64_MAX || now_ns == SOFTGT_LAST_NS)
        return false;
    softgt_advance(d, at_ns - now_ns > LEAST_NS ? at_ns - now_ns : LEAST_NS);
    return true;
}

uint64_t softgt_next_event_ns(const struct softgt *d)
{
    uint64_t next_ns = UINT64_MAX;
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++) {
        const uint64_t at_ns = u->shape->next_event_ns ? u->shape->next_event_ns(u->self) : UINT64_MAX;
        if (at_ns < next_ns)
            next_ns = at_ns;
    }
    return next_ns;
}
