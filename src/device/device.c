#include "device/device.h"

#include "dispatch/dispatch.h"
#include "memory/fence.h"
#include "stream/dump.h"

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
    complain(&d->witness, SOFTGT_GUEST_ERROR, "aperture", address, "%s of an address that is not mapped",
             write ? "write" : "read");
}

static bool list_units(struct softgt *d)
{
    const struct unit shared[] = {{&gt_shape, &d->gt},
                                  {&interrupt_shape, &d->interrupt},
                                  {&display_shape, &d->display},
                                  {&vga_shape, &d->vga},
                                  {&oa_shape, &d->oa}};
    const unsigned count = sizeof shared / sizeof shared[0], engines = d->sheet->info.engine_count;
    d->units = calloc(count + 2u * engines + 2u, sizeof *d->units);
    if (!d->units)
        return false;
    memcpy(d->units, shared, sizeof shared);
    for (unsigned i = 0; i < engines; i++)
        d->units[count + i] = (struct unit){&engine_shape, &d->engines[i]};
    d->unit_count = count + engines;
    if (d->sheet->oam)
        d->units[d->unit_count++] = (struct unit){&oa_shape, &d->oam};
    if (d->sheet->guc)
        d->units[d->unit_count++] = (struct unit){&guc_shape, &d->guc};
    for (unsigned i = 0; i < engines; i++)
        if (d->engines[i].dispatch)
            d->units[d->unit_count++] = (struct unit){&dispatch_shape, d->engines[i].dispatch};
    return true;
}

/* Who runs threads, and knows their instructions. */
static bool create_dispatches(struct softgt *d, const struct softgt_parallel_port *parallel)
{
    const unsigned engines = d->sheet->info.engine_count;
    if (!d->sheet->eu)
        return true;
    d->dispatches = calloc(engines, sizeof *d->dispatches);
    if (!d->dispatches || !structure_set_create(&d->structures, structure_tables, d->sheet->generation))
        return false;
    for (unsigned i = 0; i < engines; i++)
        if (engine_has_threads(&d->engines[i]) && !dispatch_create(&d->dispatches[i], &d->engines[i], &d->oa,
                                                                   d->sheet->eu, &d->structures, parallel))
            return false;
    return true;
}

static bool build(struct softgt *d, const struct softgt_config *config)
{
    const struct sheet *s = d->sheet;
    const unsigned engines = s->info.engine_count;
    if (!functions_create(d, config) ||
        !memory_create(&d->memory, &s->memory, &d->witness, &config->memory, config->ggtt_table) ||
        !memory_create_local(&d->memory, &config->local_memory) ||
        !memory_create_functions(&d->memory, config->functions, config->function_ports) ||
        !register_file_create(&d->mmio, &d->witness, (uint32_t)s->info.mmio_bytes) ||
        !command_set_create(&d->set, command_tables, s->generation))
        return false;
    if (d->functions.apart)
        d->memory.ggtt_own_bytes = s->memory.ggtt_bytes / 2u;
    mmu_init(&d->cpu, &d->memory, d, cpu_fault);
    d->mmio.ranges = s->ranges;
    d->interrupt = (struct interrupt){.info = s->interrupt,
                                      .witness = &d->witness,
                                      .mmio = &d->mmio,
                                      .port = config->interrupt,
                                      .functions = d->functions.interrupts};
    if (!register_file_place(&d->mmio, s->interrupt->block, 0, &d->interrupt, "interrupt"))
        return false;
    d->display =
        (struct display){.info = s->display, .witness = &d->witness, .mmio = &d->mmio, .memory = &d->memory};
    for (const struct register_block *const *b = s->display->blocks; *b; b++)
        if (!register_file_place(&d->mmio, *b, 0, &d->display, "display"))
            return false;
    d->vga.display = &d->display;
    if (!register_file_place(&d->mmio, &vga_registers, 0, &d->vga, "vga"))
        return false;
    d->engines = calloc(engines, sizeof *d->engines);
    if (!d->engines)
        return false;
    d->gt = (struct gt){.info = s->gt,
                        .witness = &d->witness,
                        .mmio = &d->mmio,
                        .memory = &d->memory,
                        .aperture = &d->cpu,
                        .engines = d->engines,
                        .engine_count = engines};
    if (!gt_create(&d->gt))
        return false;
    for (unsigned i = 0; i < engines; i++)
        if (!engine_create(&d->engines[i], &s->engines[i], &d->witness, &d->mmio, &d->interrupt, &d->memory,
                           &d->set))
            return false;
    for (unsigned i = 0; i < engines; i++) {
        d->engines[i].peers = d->engines;
        d->engines[i].peer_count = engines;
        d->engines[i].display = &d->display;
        d->engines[i].costs = config->timing ? s->costs : NULL;
        d->engines[i].frequency = s->oa->frequency;
    }
    if (!create_dispatches(d, &config->parallel))
        return false;
    d->oa = (struct oa){.info = s->oa,
                        .witness = &d->witness,
                        .mmio = &d->mmio,
                        .interrupt = &d->interrupt,
                        .gt = &d->gt,
                        .engines = d->engines,
                        .engine_count = engines};
    if (!oa_create(&d->oa, &d->memory))
        return false;
    if (s->oam) {
        d->oam = d->oa;
        d->oam.info = s->oam;
        d->oa.next = &d->oam;
        if (!oa_create(&d->oam, &d->memory))
            return false;
    }
    if (s->guc) {
        d->guc = (struct guc){.info = s->guc,
                              .witness = &d->witness,
                              .mmio = &d->mmio,
                              .interrupt = &d->interrupt,
                              .gt = &d->gt,
                              .engines = d->engines,
                              .engine_count = engines,
                              .apart = d->functions.apart};
        if (!guc_create(&d->guc, &d->memory))
            return false;
    }
    if (!list_units(d))
        return false;
    device_reset(d, RESET_POWER);
    return true;
}

static bool local_memory_fits(const struct softgt_local_memory *l)
{
    const uint64_t least = UINT64_C(64) << 20, most_by_host = UINT64_C(16) << 30,
                   most_by_port = UINT64_C(1) << 40, most_own = UINT64_C(2) << 30,
                   most = l->host      ? most_by_host
                          : l->by_port ? most_by_port
                                       : most_own;
    return !l->size_bytes ||
           ((l->size_bytes & (l->size_bytes - 1u)) == 0 && l->size_bytes >= least && l->size_bytes <= most);
}

static bool is_whole(const struct softgt_parallel_port *p)
{
    return p->threads < 2 || (p->threads <= SOFTGT_MOST_PARALLEL && p->run && p->lock && p->unlock);
}

int softgt_create(const struct softgt_config *config, struct softgt **device)
{
    return device_create(sheet_find(config->device), config, device);
}

int device_create(const struct sheet *s, const struct softgt_config *config, struct softgt **device)
{
    *device = NULL;
    if (!s || (!config->memory.map && (!config->memory.read || config->local_memory.by_port)) ||
        !local_memory_fits(&config->local_memory) || config->functions > s->info.functions ||
        !is_whole(&config->parallel))
        return -EINVAL;
    struct softgt *d = calloc(1, sizeof *d);
    if (!d)
        return -ENOMEM;
    d->sheet = s;
    d->witness = (struct witness){.report = config->report, .trace = config->trace};
    if (!d->witness.trace.event)
        d->witness.trace.mask = 0;
    if (!build(d, config)) {
        softgt_destroy(d);
        return -ENOMEM;
    }
    *device = d;
    return 0;
}

void softgt_destroy(struct softgt *d)
{
    if (!d)
        return;
    for (unsigned i = 0; d->engines && i < d->sheet->info.engine_count; i++)
        engine_destroy(&d->engines[i]);
    for (unsigned i = 0; d->dispatches && i < d->sheet->info.engine_count; i++)
        dispatch_destroy(&d->dispatches[i]);
    free(d->dispatches);
    guc_destroy(&d->guc);
    free(d->engines);
    free(d->units);
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

void softgt_reset(struct softgt *d)
{
    device_reset(d, d->functions.apart ? RESET_DEVICE : RESET_POWER);
    device_settle(d);
}

bool softgt_engine_reset(struct softgt *d, unsigned index)
{
    if (index >= d->sheet->info.engine_count)
        return false;
    rc6_wake(&d->gt);
    engine_reset(&d->engines[index], RESET_ENGINE);
    return true;
}

bool softgt_error(struct softgt *d, enum softgt_error_severity severity, uint32_t sources)
{
    if (!gt_has_errors(&d->gt))
        return false;
    gt_error(&d->gt, severity, sources);
    return true;
}

bool softgt_engine_end_batch(struct softgt *d, unsigned index)
{
    return index < d->sheet->info.engine_count && engine_end_batch(&d->engines[index]);
}

void softgt_memory_changed(struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_drop_host_pointers(&d->engines[i]);
    if (d->sheet->guc)
        guc_remap(&d->guc);
    for (struct oa *oa = &d->oa; oa; oa = oa->next)
        mmu_remap(&oa->mmu);
    mmu_invalidate(&d->cpu);
}

void device_tables_changed(struct softgt *d)
{
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_invalidate_tlb(&d->engines[i]);
    if (d->sheet->guc)
        guc_invalidate(&d->guc);
    for (struct oa *oa = &d->oa; oa; oa = oa->next)
        mmu_invalidate(&oa->mmu);
    mmu_invalidate(&d->cpu);
}

/* ---- The CPU's side ---- */

/* Whether an access gets to what may sleep. */
static bool reaches(struct softgt *d, uint64_t offset, bool write)
{
    return !d->gt.guarded || force_wake_reaches(&d->gt, (uint32_t)(offset & ~UINT64_C(3)), write);
}

/* What is not the physical function's is told. */
static bool is_others(struct softgt *d, uint64_t offset, unsigned size_bytes)
{
    bool others = false;
    if (__builtin_expect(!d->functions.apart, 1))
        return false;
    for (uint64_t at = offset & ~UINT64_C(3); at < offset + size_bytes; at += 4)
        others |= engine_register_is_others(d->engines, (uint32_t)at, 0);
    if (others)
        complain(&d->witness, SOFTGT_GUEST_ERROR, "mmio", offset,
                 "register %05x is a virtual function's, which is apart: reads 0, not written",
                 (unsigned)offset);
    return others;
}

static uint64_t mmio_read(struct softgt *d, uint64_t offset, unsigned size_bytes)
{
    uint64_t value = 0;
    if (is_others(d, offset, size_bytes) || !reaches(d, offset, false))
        return 0;
    if (size_bytes == 4 && offset % 4u == 0) /* what there is most of */
        return register_read(&d->mmio, (uint32_t)offset, 0xf, &by_cpu);
    for (unsigned done = 0; done < size_bytes;) {
        const uint64_t at = offset + done;
        const unsigned byte = at & 3u, part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        uint64_t dword = (uint64_t)register_read(&d->mmio, (uint32_t)(at & ~UINT64_C(3)),
                                                 ((1u << part) - 1u) << byte, &by_cpu) >>
                         (byte * 8u);
        if (part < 4)
            dword &= (1u << (part * 8u)) - 1u;
        value |= dword << (done * 8u);
        done += part;
    }
    return value;
}

/* A CPU's write to an engine wakes it. */
static void wake_for_write(struct softgt *d, uint32_t offset)
{
    const void *owner = register_at(&d->mmio, offset)->owner;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        if (owner == &d->engines[i])
            rc6_wake(&d->gt);
}

static void mmio_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (is_others(d, offset, size_bytes) || !reaches(d, offset, true))
        return;
    if (__builtin_expect(rc6_asleep(&d->gt), 0))
        wake_for_write(d, (uint32_t)(offset & ~UINT64_C(3)));
    if (size_bytes == 4 && offset % 4u == 0) {
        register_write(&d->mmio, (uint32_t)offset, (uint32_t)value, 0xf, &by_cpu);
        return;
    }
    for (unsigned done = 0; done < size_bytes;) {
        const uint64_t at = offset + done;
        const unsigned byte = at & 3u, part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        register_write(&d->mmio, (uint32_t)(at & ~UINT64_C(3)),
                       (uint32_t)(value >> (done * 8u)) << (byte * 8u), ((1u << part) - 1u) << byte, &by_cpu);
        done += part;
    }
}

/* I/O ports are the offsets of their registers. */
static bool is_vga(uint16_t port)
{
    return port >= VGA_FIRST && port <= VGA_LAST;
}

uint8_t softgt_vga_read(struct softgt *d, uint16_t port)
{
    return is_vga(port) ? (uint8_t)mmio_read(d, port, 1) : 0;
}

void softgt_vga_write(struct softgt *d, uint16_t port, uint8_t value)
{
    if (is_vga(port))
        mmio_write(d, port, value, 1);
}

/* Since Gen11 the driver of Linux flushes nothing behind the entries it writes. */
static struct mmu *aperture_of(struct softgt *d)
{
    if (d->memory.info->aperture_follows)
        mmu_invalidate(&d->cpu);
    return &d->cpu;
}

uint64_t softgt_local_open_bytes(const struct softgt *d)
{
    const uint64_t open = d->memory.local_bytes ? local_layout(&d->memory).wopcm : 0;
    return open < local_own_bytes(&d->memory) ? open : local_own_bytes(&d->memory);
}

/* Local memory as the CPU sees it: what is firmware's and the GGTT's is kept from it. (SYS-08) */
static bool local_bar_transfer(struct softgt *d, uint64_t offset, void *data, bool write, unsigned size_bytes)
{
    const uint64_t open = softgt_local_open_bytes(d), bar = d->pci.local_bar_bytes;
    const uint64_t end = offset < bar && size_bytes <= bar - offset ? offset + size_bytes : UINT64_MAX;
    if (end <= open)
        return write ? bus_write(&d->memory, MEMORY_LOCAL | offset, data, size_bytes)
                     : bus_read(&d->memory, MEMORY_LOCAL | offset, data, size_bytes);
    complain(&d->witness, SOFTGT_GUEST_ERROR, "bar", offset, "%s %s", write ? "write" : "read",
             end == UINT64_MAX ? "past the end of BAR 2" : "of protected local memory");
    return false;
}

uint64_t softgt_bar_read(struct softgt *d, unsigned bar, uint64_t offset, unsigned size_bytes)
{
    const uint64_t mmio = d->sheet->info.mmio_bytes, ggtt = d->sheet->info.ggtt_bytes;
    uint64_t value = 0;
    if (size_bytes == 0 || size_bytes > 8)
        return 0;
    if (bar == SOFTGT_BAR_GTTMMADR && offset < mmio && size_bytes <= mmio - offset)
        return mmio_read(d, offset, size_bytes);
    if (bar == SOFTGT_BAR_GTTMMADR && offset >= mmio && offset - mmio < ggtt &&
        size_bytes <= ggtt - (offset - mmio))
        return ggtt_own_read(&d->memory, offset - mmio, size_bytes);
    if (bar == SOFTGT_BAR_LOCAL && d->memory.local_bytes)
        local_bar_transfer(d, offset, &value, false, size_bytes);
    else if (bar == SOFTGT_BAR_GMADR)
        aperture_load(aperture_of(d), offset, &value, size_bytes);
    else if (bar == SOFTGT_BAR_IO && offset < d->sheet->pci->io_bytes)
        value = pci_io_read(d, offset, size_bytes);
    else
        complain(&d->witness, SOFTGT_GUEST_ERROR, "bar", offset, "read past the end of BAR %u", bar);
    return value;
}

static void aperture_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    aperture_store(aperture_of(d), offset, &value, size_bytes);
    if (!d->sheet->display->compresses)
        return;
    unsigned first_fence, last_fence;
    uint32_t first_row, last_row;
    const bool first = fence_row(&d->memory, offset, &first_fence, &first_row),
               last = fence_row(&d->memory, offset + size_bytes - 1u, &last_fence, &last_row);
    if (first && last && first_fence == last_fence) {
        fbc_fence_written(&d->display, first_fence, first_row, last_row);
        return;
    }
    if (first)
        fbc_fence_written(&d->display, first_fence, first_row, first_row);
    if (last)
        fbc_fence_written(&d->display, last_fence, last_row, last_row);
}

void softgt_bar_write(struct softgt *d, unsigned bar, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    const uint64_t mmio = d->sheet->info.mmio_bytes, ggtt = d->sheet->info.ggtt_bytes;
    if (size_bytes == 0 || size_bytes > 8)
        return;
    if (bar == SOFTGT_BAR_GTTMMADR && offset < mmio && size_bytes <= mmio - offset)
        mmio_write(d, offset, value, size_bytes);
    else if (bar == SOFTGT_BAR_GTTMMADR && offset >= mmio && offset - mmio < ggtt &&
             size_bytes <= ggtt - (offset - mmio))
        ggtt_own_write(&d->memory, offset - mmio, value, size_bytes);
    else if (bar == SOFTGT_BAR_LOCAL && d->memory.local_bytes)
        local_bar_transfer(d, offset, &value, true, size_bytes);
    else if (bar == SOFTGT_BAR_GMADR)
        aperture_write(d, offset, value, size_bytes);
    else if (bar == SOFTGT_BAR_IO && offset < d->sheet->pci->io_bytes)
        pci_io_write(d, offset, value, size_bytes);
    else
        complain(&d->witness, SOFTGT_GUEST_ERROR, "bar", offset, "write past the end of BAR %u", bar);
}

static bool unit_runnable(const struct unit *u)
{
    return u->shape->runnable && u->shape->runnable(u->self);
}

static bool unit_polls(const struct unit *u)
{
    return u->shape->polls && u->shape->polls(u->self);
}

/* Units have slices in turn. A run that its budget ends goes on in the same slice next time, so that runs
 * may be cut anywhere and give the same. */
bool device_run(struct softgt *d, struct reach *r)
{
    enum { SLICE_DW = 1 << 16, SPARED_DW = 1 << 16 };
    struct turns *const t = &d->turns;
    d->witness.in_dwords = r->recorded || r->repeated;
    d->witness.spared_dw = r->repeated ? SPARED_DW : 0;
    while (t->still < d->unit_count && r->budget_dw) {
        const struct unit *u = &d->units[t->turn];
        if (!t->slice_left_dw)
            t->slice_left_dw = SLICE_DW;
        const uint64_t most =
            r->repeated || r->budget_dw < t->slice_left_dw ? r->budget_dw : t->slice_left_dw;
        const uint64_t charged_dw = d->witness.charged_dw;
        const uint64_t used = u->shape->run ? u->shape->run(u->self, most) : 0;
        const uint64_t cost_dw = d->witness.charged_dw - charged_dw;
        r->parsed_dw += used > cost_dw ? used - cost_dw : 0;
        r->budget_dw -= used < r->budget_dw ? used : r->budget_dw;
        if (!r->repeated)
            t->slice_left_dw -= used < t->slice_left_dw ? used : t->slice_left_dw;
        const bool runnable = unit_runnable(u);
        t->still = used || runnable ? 0 : t->still + 1;
        if (!r->budget_dw && t->slice_left_dw && runnable && !(r->repeated && r->turn_over))
            return true;
        const bool used_up = !t->slice_left_dw && runnable;
        t->turn = (t->turn + 1) % d->unit_count;
        t->slice_left_dw = 0;
        if (r->recorded && used_up) {
            r->turn_over = true;
            return true;
        }
    }
    bool runnable = false, polls = false;
    for (unsigned i = 0; i < d->unit_count; i++) {
        runnable |= unit_runnable(&d->units[i]);
        polls |= unit_polls(&d->units[i]);
    }
    const bool more = runnable || (polls && t->still < d->unit_count);
    if (t->still >= d->unit_count || !more)
        t->turn = t->still = 0;
    /* Woken behind its turn. */
    return runnable && r->budget_dw ? device_run(d, r) : more;
}

bool softgt_run(struct softgt *d, uint64_t budget_dw)
{
    return device_run(d, &(struct reach){.budget_dw = budget_dw});
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
    const uint64_t before_ns = d->witness.now_ns, left_ns = SOFTGT_LAST_NS - before_ns;
    d->witness.now_ns += ns < left_ns ? ns : left_ns;
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        if (u->shape->advance)
            u->shape->advance(u->self, before_ns);
}

uint64_t softgt_piece_ns(const struct softgt *d)
{
    uint64_t least_ns = UINT64_MAX;
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++) {
        const uint64_t ns = u->shape->piece_ns ? u->shape->piece_ns(u->self) : UINT64_MAX;
        least_ns = ns < least_ns ? ns : least_ns;
    }
    return least_ns;
}

uint64_t softgt_now_ns(const struct softgt *d)
{
    return d->witness.now_ns;
}

uint64_t softgt_goes_on_ns(const struct softgt *d)
{
    uint64_t next_ns = UINT64_MAX;
    for (const struct engine *e = d->engines; e < d->engines + d->sheet->info.engine_count; e++)
        if (engine_goes_on(e) && e->timing.until_ns < next_ns)
            next_ns = e->timing.until_ns;
    return next_ns;
}

bool device_wait(struct softgt *d)
{
    enum { LEAST_NS = 1000 };
    const uint64_t at_ns = softgt_goes_on_ns(d), now_ns = d->witness.now_ns;
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

/* ---- Looking inside ---- */

bool softgt_engine_status(const struct softgt *d, unsigned index, struct softgt_engine_status *status)
{
    if (index >= d->sheet->info.engine_count)
        return false;
    const struct engine *e = &d->engines[index];
    uint64_t commands = 0;
    for (unsigned i = 1; i < d->set.count; i++)
        commands += e->counts[i];
    *status = (struct softgt_engine_status){
        .name = e->info->name,
        .engine_class = engine_class_names[e->info->class],
        .mmio_base = e->info->mmio_base,
        .hws_pga = e->info->mmio_base + e->info->hws_pga,
        .state = (enum softgt_engine_state)e->parse.state,
        .why = engine_why(e),
        .comparison = e->parse.state == SOFTGT_ENGINE_WAITING ? wait_comparisons[e->wait.comparison] : NULL,
        .found = e->wait.found,
        .waited_for = e->wait.wanted,
        .acthd = e->parse.command_address,
        .batches = e->totals.batches,
        .commands = commands,
        .dwords = e->totals.dwords,
        .waits = e->totals.waits,
        .context_switches = e->totals.switches,
        .interrupts = e->totals.interrupts,
        .memory_writes = e->totals.stores,
        .bytes_written = e->totals.bytes_stored,
        .faults = e->totals.faults,
        .dropped = e->totals.dropped,
        .unknown = e->totals.unknown,
        .misplaced = e->totals.misplaced,
        .skipped = e->totals.skipped,
        .too_short = e->totals.too_short,
        .thread_groups = e->totals.groups,
        .threads = e->totals.threads,
        .invocations = e->totals.invocations,
        .instructions = e->totals.instructions,
        .header = e->parse.header,
        .past_end = e->parse.state == SOFTGT_ENGINE_STOPPED && e->parse.past_end,
    };
    return true;
}

void softgt_engine_unknown(const struct softgt *d, unsigned index, void *user,
                           void (*each)(void *user, uint32_t header, uint64_t count, uint64_t address))
{
    if (index >= d->sheet->info.engine_count)
        return;
    const struct unknown_header *u = d->engines[index].unknown_headers.seen;
    for (unsigned i = 0; i < UNKNOWN_HEADERS && u[i].count; i++)
        each(user, u[i].header, u[i].count, u[i].first_address);
}

enum softgt_engine_state softgt_engine_state(const struct softgt *d, unsigned index)
{
    return index < d->sheet->info.engine_count ? (enum softgt_engine_state)d->engines[index].parse.state
                                               : SOFTGT_ENGINE_IDLE;
}

void softgt_engine_commands(const struct softgt *d, unsigned index, void *user,
                            void (*each)(void *user, const char *name, uint64_t count,
                                         enum softgt_command_model model))
{
    if (index >= d->sheet->info.engine_count)
        return;
    const struct engine *e = &d->engines[index];
    for (unsigned i = 1; i < d->set.count; i++) {
        const struct command *c = d->set.rows[i];
        if (e->counts[i])
            each(user, c->name, e->counts[i], command_model(c));
    }
}

static int by_header(const void *a, const void *b)
{
    const uint32_t x = **(const uint32_t *const *)a, y = **(const uint32_t *const *)b;
    if (x != y)
        return x < y ? -1 : 1;
    return *(const uint32_t *const *)a < *(const uint32_t *const *)b ? -1 : 1; /* as they were written */
}

void softgt_engine_state_commands(const struct softgt *d, unsigned index, void *user,
                                  void (*each)(void *user, const char *name, const uint32_t *dwords,
                                               size_t length_dw))
{
    if (index >= d->sheet->info.engine_count)
        return;
    const struct engine *e = &d->engines[index];
    const uint32_t **commands = calloc(SCRATCH_DW, sizeof *commands);
    bool left_out;
    const uint32_t length_dw =
        commands ? pipeline_commands(&e->pipeline, e->scratch, SCRATCH_DW, &left_out) : 0;
    size_t count = 0;
    for (uint32_t at = 0; at < length_dw; count++) {
        commands[count] = e->scratch + at;
        at += command_length_dw(d->set.rows[command_find(&d->set, e->info->class, e->scratch[at])],
                                e->scratch[at]);
    }
    if (count)
        qsort(commands, count, sizeof *commands, by_header);
    for (size_t i = 0; i < count; i++) {
        const struct command *c = d->set.rows[command_find(&d->set, e->info->class, commands[i][0])];
        each(user, c->name, commands[i], command_length_dw(c, commands[i][0]));
    }
    free(commands);
}

uint64_t softgt_dwords(const struct softgt *d)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        sum += d->engines[i].totals.dwords;
    return sum;
}

uint64_t softgt_interrupt_count(const struct softgt *d)
{
    return d->interrupt.out.messages;
}

/* Reads or writes by walking, page by page. */
static bool walk_copy(struct softgt *d, struct mmu *u, enum space space, uint64_t address, void *data,
                      const void *from, size_t size_bytes)
{
    size_t done = 0;
    while (done < size_bytes) {
        struct translation t;
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
    return walk_copy(d, &d->cpu, SPACE_GGTT, address, data, NULL, size_bytes);
}

bool softgt_ggtt_write(struct softgt *d, uint64_t address, const void *data, size_t size_bytes)
{
    return walk_copy(d, &d->cpu, SPACE_GGTT, address, NULL, data, size_bytes);
}

bool softgt_ppgtt_read(struct softgt *d, unsigned index, uint64_t address, void *data, size_t size_bytes)
{
    return index < d->sheet->info.engine_count &&
           walk_copy(d, &d->engines[index].mmu, SPACE_PPGTT, address, data, NULL, size_bytes);
}

static bool in_local(const struct softgt *d, uint64_t address, size_t size_bytes)
{
    return address < d->memory.local_bytes && size_bytes <= d->memory.local_bytes - address;
}

bool softgt_local_read(struct softgt *d, uint64_t address, void *data, size_t size_bytes)
{
    return in_local(d, address, size_bytes) && bus_read(&d->memory, MEMORY_LOCAL | address, data, size_bytes);
}

bool softgt_local_write(struct softgt *d, uint64_t address, const void *data, size_t size_bytes)
{
    if (d->memory.local_on_bus) {
        d->memory.local_on_bus = false;
        softgt_memory_changed(d);
    }
    return in_local(d, address, size_bytes) &&
           bus_write(&d->memory, MEMORY_LOCAL | address, data, size_bytes);
}

const struct register_file *softgt_register_file(const struct softgt *d)
{
    return &d->mmio;
}

const struct command_set *softgt_command_set(const struct softgt *d)
{
    return &d->set;
}
