/*
 * A runner of kernels without a device: the dispatcher of a device's first engine, with the parameters of a
 * walker. Graphics addresses are bus addresses of the owner's memory. The runner's own data (binding table,
 * surface states, thread data, the kernel) is above them.
 */
#include "base/sized.h"
#include "device/device.h"

#include "dispatcher/dispatcher.h"

#include <softgt/eu.h>

#include <errno.h>
#include <stdlib.h>

/* From the end of the caller's addresses on: state first, then the kernel, of up to 4 GB as ips count. */
enum {
    TABLE_AT = 0,
    TABLE_ENTRIES = 256,
    SAMPLERS_AT = 0x800,
    SURFACES_AT = 0x1000,
    SURFACE_BYTES = SURFACE_STATE_DW * 4,
    SAMPLER_DW = 4,
    DATA_AT = SURFACES_AT + TABLE_ENTRIES * SURFACE_BYTES,
    MOST_DATA_BYTES = SOFTGT_EU_THREADS * EU_GRF_ROWS * EU_REGISTER_BYTES,
    STATE_BYTES = DATA_AT + MOST_DATA_BYTES,
    MOST_KERNEL_BYTES = 16 << 20,
    MOST_IDS = 1024,
};
#define OWN_BYTES (UINT64_C(8) << 30)
#define KERNEL_AT (UINT64_C(4) << 30)

struct mapping {
    uint64_t address, size_bytes;
    uint8_t *host;
    bool writable;
};

struct softgt_eu {
    struct sheet sheet;              /* the device's, with */
    struct page_table_format format; /* these tables, which are none */
    struct softgt_memory_port port;
    struct softgt *device;
    struct thread_dispatcher *dispatch;
    uint64_t own;             /* where addresses become the runner's */
    struct mapping *mappings; /* by address; the runner's own are the last two */
    size_t mapping_count;
    uint8_t *state, *kernel;
    size_t kernel_bytes;
    struct softgt_eu_hooks hooks;
    uint64_t *breaks; /* ips */
    size_t break_count;
    bool stepping, stepped, running;
    struct {
        bool is;
        uint32_t thread;
        uint64_t ip;
    } held; /* where the last run was: not again */
    struct {
        bool is, is_write;
        uint64_t address;
    } fault;
    struct softgt_eu_outcome outcome;
    uint64_t
        totals[4]; /* of the engine at the launch: groups, threads, instructions, elements out of bounds */
    struct softgt_eu_thread looked_at[SOFTGT_EU_THREADS];
};

/* ---- Memory ---- */

/* The mapping at the address, or the first one above it. */
static size_t find_mapping(const struct softgt_eu *eu, uint64_t address)
{
    size_t low = 0, high = eu->mapping_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (eu->mappings[middle].address + eu->mappings[middle].size_bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct mapping *at(const struct softgt_eu *eu, uint64_t address)
{
    const size_t n = find_mapping(eu, address);
    return n < eu->mapping_count && eu->mappings[n].address <= address ? &eu->mappings[n] : NULL;
}

static void *eu_only_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    const struct softgt_eu *const eu = user;
    const struct mapping *const m = at(eu, address);
    if (m) {
        *length_bytes = m->size_bytes - (address - m->address);
        return !write || m->writable ? m->host + (address - m->address) : NULL;
    }
    /* Mappings made here take precedence: the port's range ends at the next one. */
    const size_t next = find_mapping(eu, address);
    const uint64_t end = next < eu->mapping_count ? eu->mappings[next].address : eu->own;
    uint8_t *const host =
        address < eu->own && eu->port.map ? eu->port.map(eu->port.user, address, length_bytes, write) : NULL;
    if (host && *length_bytes > end - address)
        *length_bytes = end - address;
    return host;
}

static bool load_port(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct softgt_eu *const eu = user;
    return address < eu->own && !at(eu, address) && eu->port.read &&
           eu->port.read(eu->port.user, address, data, size_bytes);
}

static bool store_port(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    const struct softgt_eu *const eu = user;
    return address < eu->own && !at(eu, address) && eu->port.write &&
           eu->port.write(eu->port.user, address, data, size_bytes);
}

/* The translation of an address: a mapping, or the port, which reports accesses to absent memory itself. */
static bool translate(struct walker *w, const struct ppgtt_root *root, uint64_t address,
                      struct translation *t)
{
    const struct softgt_eu *const eu = w->memory->port.user;
    const struct mapping *const m = at(eu, address);
    (void)root;
    *t = (struct translation){
        .physical = address, .writable = m ? m->writable : true, .page_shift = PAGE_SHIFT};
    return m || (address < eu->own && (eu->port.map || eu->port.read));
}

static void on_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct softgt_eu *const eu = user;
    if (!eu->fault.is) {
        eu->fault.is = true;
        eu->fault.is_write = write;
        eu->fault.address = address;
    }
    engine_fault(eu->dispatch->engine, space, address, write, level);
}

static int add_mapping(struct softgt_eu *eu, const struct mapping *m)
{
    const size_t n = find_mapping(eu, m->address);
    struct mapping *const more = realloc(eu->mappings, (eu->mapping_count + 1) * sizeof *more);
    if (!more)
        return -ENOMEM;
    eu->mappings = more;
    memmove(more + n + 1, more + n, (eu->mapping_count - n) * sizeof *more);
    more[n] = *m;
    eu->mapping_count++;
    return 0;
}

int softgt_eu_map(struct softgt_eu *eu, uint64_t address, void *host, uint64_t size_bytes, bool writable)
{
    if (!host || !size_bytes || address % PAGE_BYTES || address >= eu->own || size_bytes > eu->own - address)
        return -EINVAL;
    if (eu->running)
        return -EBUSY;
    const size_t n = find_mapping(eu, address);
    if (n < eu->mapping_count && eu->mappings[n].address < address + size_bytes)
        return -EINVAL;
    const int error = add_mapping(eu, &(struct mapping){address, size_bytes, host, writable});
    softgt_eu_memory_changed(eu);
    return error;
}

int softgt_eu_unmap(struct softgt_eu *eu, uint64_t address)
{
    const size_t n = find_mapping(eu, address);
    if (eu->running)
        return -EBUSY;
    if (address >= eu->own || n == eu->mapping_count || eu->mappings[n].address != address)
        return -EINVAL;
    memmove(eu->mappings + n, eu->mappings + n + 1, (--eu->mapping_count - n) * sizeof *eu->mappings);
    softgt_eu_memory_changed(eu);
    return 0;
}

uint64_t softgt_eu_address_end(const struct softgt_eu *eu)
{
    return eu->own;
}

/* Translations, too. */
void softgt_eu_memory_changed(struct softgt_eu *eu)
{
    mmu_invalidate(&eu->dispatch->engine->mmu);
}

/* ---- Life ---- */

/* Products whose page tables have addresses of 48 bits. */
static bool has_threads(const struct sheet *s)
{
    return s && s->eu && s->memory.address_bits > 32;
}

static bool prepare(struct softgt_eu *eu)
{
    struct thread_dispatcher *const d = eu->dispatch;
    eu->own = (UINT64_C(1) << eu->sheet.memory.address_bits) - OWN_BYTES;
    eu->state = calloc(1, STATE_BYTES);
    if (!eu->state || add_mapping(eu, &(struct mapping){eu->own, STATE_BYTES, eu->state, true}) != 0)
        return false;
    d->engine->mmu.user = eu;
    d->engine->mmu.fault = on_fault;
    d->engine->mmu.write_dropped = NULL;
    d->debugger.hook_may_stop = true;
    d->bindings.info.null_is_out_of_bounds = true;
    for (unsigned i = 0; i < TABLE_ENTRIES; i++) {
        const uint32_t entry = i * SURFACE_BYTES;
        memcpy(eu->state + TABLE_AT + i * sizeof entry, &entry, sizeof entry);
        if (i < SOFTGT_EU_SURFACES)
            softgt_eu_set_surface(eu, i, 0, 0);
    }
    return true;
}

static int eu_only_create(const struct softgt_eu_config *config, struct softgt_eu **eu)
{
    const struct sheet *const sheet = config->device ? sheet_find(config->device) : NULL;
    *eu = NULL;
    if (!sheet)
        return config_refuse_name(&config->report, config->device);
    if (!has_threads(sheet))
        return config_refuse(&config->report, "threads of '%s' do not run without a device", config->device);
    if (config_check_code(&config->code, "softgt_eu_config", &config->report) != 0 ||
        config_check_threads(&config->parallel, "softgt_eu_config", &config->report) != 0)
        return -EINVAL;
    struct softgt_eu *const made = calloc(1, sizeof *made);
    if (!made)
        return -ENOMEM;
    made->sheet = *sheet;
    made->format = *sheet->memory.format;
    made->format.ppgtt = translate;
    made->sheet.memory.format = &made->format;
    made->port = config->memory;
    const struct softgt_config whole = {
        .device = config->device,
        .memory = {.user = made, .map = eu_only_map, .read = load_port, .write = store_port},
        .report = config->report,
        .parallel = config->parallel,
        .code = config->code,
    };
    const int error = device_create(&made->sheet, &whole, &made->device);
    if (!error)
        made->device->log.device = NULL; /* it is not the owner's */
    for (unsigned i = 0; error == 0 && !made->dispatch && i < made->sheet.info.engine_count; i++)
        made->dispatch = dispatcher_of(&made->device->engines[i]);
    if (error != 0 || !made->dispatch || !prepare(made)) {
        softgt_eu_destroy(made);
        return error != 0 ? error : -ENOMEM;
    }
    *eu = made;
    return 0;
}

void softgt_eu_destroy(struct softgt_eu *eu)
{
    if (!eu || eu->running) /* a hook's */
        return;
    softgt_destroy(eu->device);
    free(eu->mappings);
    free(eu->state);
    free(eu->kernel);
    free(eu->breaks);
    free(eu);
}

/* ---- Ports of threads ---- */

int softgt_eu_set_kernel(struct softgt_eu *eu, const void *bytes, size_t size_bytes)
{
    if (eu->running)
        return -EBUSY;
    if (!bytes || !size_bytes || size_bytes > MOST_KERNEL_BYTES)
        return -EINVAL;
    const size_t pages = (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uint8_t *const kernel = calloc(1, pages);
    if (!kernel)
        return -ENOMEM;
    const size_t n = find_mapping(eu, eu->own + KERNEL_AT);
    if (n == eu->mapping_count && add_mapping(eu, &(struct mapping){.address = eu->own + KERNEL_AT}) != 0) {
        free(kernel);
        return -ENOMEM;
    }
    memcpy(kernel, bytes, size_bytes);
    free(eu->kernel);
    eu->kernel = kernel;
    eu->kernel_bytes = size_bytes;
    eu->mappings[n].size_bytes = pages;
    eu->mappings[n].host = kernel;
    softgt_eu_memory_changed(eu);
    return 0;
}

int softgt_eu_set_surface(struct softgt_eu *eu, unsigned index, uint64_t address, uint64_t size_bytes)
{
    const struct command *const row = eu->dispatch->bindings.structures.surface_state;
    uint32_t dw[SURFACE_STATE_DW] = {0};
    const uint64_t last = size_bytes - 1u;
    const struct {
        unsigned role;
        uint64_t value;
    } fields[] = {
        {SURFACE_TYPE, SURFTYPE_BUFFER},       {SURFACE_FORMAT, RAW_FORMAT},
        {SURFACE_BASE_ADDRESS, address},       {SURFACE_WIDTH, last & 0x7fu},
        {SURFACE_HEIGHT, last >> 7 & 0x3fffu}, {SURFACE_DEPTH, last >> 21},
    };
    if (!size_bytes) {
        field_put(&row->by_role[SURFACE_TYPE], dw, SURFACE_STATE_DW, SURFTYPE_NULL);
        return softgt_eu_set_surface_state(eu, index, dw);
    }
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!field_put(&row->by_role[fields[i].role], dw, SURFACE_STATE_DW, fields[i].value))
            return -EINVAL;
    return softgt_eu_set_surface_state(eu, index, dw);
}

int softgt_eu_set_surface_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords)
{
    if (index >= SOFTGT_EU_SURFACES || !dwords)
        return -EINVAL;
    memcpy(eu->state + SURFACES_AT + index * SURFACE_BYTES, dwords, SURFACE_BYTES);
    return 0;
}

int softgt_eu_set_sampler_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords)
{
    if (index >= SOFTGT_EU_SAMPLERS || !dwords)
        return -EINVAL;
    memcpy(eu->state + SAMPLERS_AT + index * SAMPLER_DW * 4u, dwords, SAMPLER_DW * 4u);
    return 0;
}

/* ---- Launches ---- */

static bool read_sizes(const struct softgt_eu *eu, const struct softgt_eu_launch_config *l,
                       struct work_state *g)
{
    const bool is_wide = eu_register_rows(eu->sheet.eu) > 1; /* no threads of 8 channels */
    const uint32_t channels = l->channels ? l->channels : is_wide ? 16 : 8;
    bool good = ((channels == 8 && !is_wide) || channels == 16 || channels == 32) &&
                l->shared_bytes <= slm_limit_bytes(&eu->dispatch->bindings.info) &&
                (!l->large_registers || eu->sheet.eu->has_lsc);
    uint32_t ids = 1;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t groups = l->groups[i] ? l->groups[i] : 1;
        const uint32_t size = l->local_size[i] ? l->local_size[i] : 1;
        good = good && groups <= UINT32_MAX - l->first[i] && size <= MOST_IDS / ids;
        g->group.group_id[i] = g->walker.first_group[i] = l->first[i];
        g->walker.end_group[i] = l->first[i] + groups;
        g->walker.local_size[i] = size;
        ids *= good ? size : 1u;
    }
    g->setup.simd = (uint8_t)channels;
    g->setup.threads = g->setup.thread_width_height_depth[0] = l->threads ? l->threads : 1;
    g->setup.thread_width_height_depth[1] = g->setup.thread_width_height_depth[2] = 1;
    g->setup.slm_bytes = (l->shared_bytes + 3u) & ~3u;
    g->setup.large_grf = l->large_registers;
    return good && g->setup.threads <= SOFTGT_EU_THREADS;
}

/* Into the runner's memory, or into the command's own dwords. */
static bool read_data(struct softgt_eu *eu, const struct softgt_eu_launch_config *l, struct work_state *g)
{
    static const uint8_t kinds[] = {[SOFTGT_EU_SHARED_FIRST] = PAYLOAD_CONSTANTS,
                                    [SOFTGT_EU_OWN_FIRST] = PAYLOAD_INDIRECT,
                                    [SOFTGT_EU_LOCAL_IDS] = PAYLOAD_COMPUTE_WALKER};
    const size_t unit = eu->sheet.eu->register_bytes, most = (size_t)(EU_REGISTERS - 1) * unit;
    if ((unsigned)l->payload > SOFTGT_EU_LOCAL_IDS || (l->data_bytes && !l->data) ||
        (l->own_bytes && !l->own_data) || l->own_bytes % unit ||
        l->data_bytes % (l->own_bytes ? unit : (unsigned)EU_REGISTER_BYTES) || l->data_bytes > most ||
        l->own_bytes > most - l->data_bytes)
        return false;
    g->setup.payload = kinds[l->payload];
    if (l->payload == SOFTGT_EU_LOCAL_IDS) {
        if (l->own_bytes || l->data_bytes > sizeof g->setup.inline_dw)
            return false;
        g->walker.emit_local = 7;
        g->setup.inline_length_dw = (uint32_t)(l->data_bytes / 4u);
        if (l->data_bytes)
            memcpy(g->setup.inline_dw, l->data, l->data_bytes);
        return true;
    }
    g->setup.constants = eu->own + DATA_AT;
    g->setup.cross_thread_constant_registers = (uint32_t)(l->data_bytes / EU_REGISTER_BYTES);
    g->setup.per_thread_constant_registers = (uint32_t)(l->own_bytes / EU_REGISTER_BYTES);
    if (l->data_bytes)
        memcpy(eu->state + DATA_AT, l->data, l->data_bytes);
    if (l->own_bytes)
        memcpy(eu->state + DATA_AT + l->data_bytes, l->own_data, l->own_bytes * g->setup.threads);
    return true;
}

static int launch(struct softgt_eu *eu, const struct softgt_eu_launch_config *l)
{
    struct engine *const e = eu->dispatch->engine;
    struct work_state g = {.phase = DISPATCH_NEXT_WORK};
    if (eu->running)
        return -EBUSY;
    if (!l || !eu->kernel || l->ip >= eu->kernel_bytes || l->ip % EU_COMPACT_BYTES ||
        !read_sizes(eu, l, &g) || !read_data(eu, l, &g))
        return -EINVAL;
    g.setup.kernel_start_pointer = l->ip;
    g.bases.instruction_base = eu->own + KERNEL_AT;
    g.bases.surface_state_base = g.bases.bindless_surface_state_base = eu->own + SURFACES_AT;
    g.bases.dynamic_state_base = eu->own;
    g.setup.binding_table = eu->own + TABLE_AT;
    g.bases.general_state_base = l->general;
    g.setup.right_mask = l->last_channels ? l->last_channels : UINT32_MAX;
    g.setup.bottom_mask = UINT32_MAX;
    g.setup.control[0] = l->control;
    memcpy(g.setup.r0, l->r0, sizeof g.setup.r0);
    g.setup.r0[R0_SAMPLERS] |= SAMPLERS_AT;
    engine_reset(e, RESET_ENGINE); /* what a fault stopped */
    softgt_eu_memory_changed(eu);
    eu->dispatch->work = g;
    eu->held.is = eu->fault.is = false;
    eu->totals[0] = e->totals.groups;
    eu->totals[1] = e->totals.threads;
    eu->totals[2] = e->totals.instructions;
    eu->totals[3] = e->totals.memory.out_of_bounds;
    eu->outcome = (struct softgt_eu_outcome){.result = SOFTGT_EU_UNFINISHED};
    return 0;
}

static enum softgt_eu_result result_of(const struct softgt_eu *eu, enum outcome outcome)
{
    if (outcome == OUTCOME_DONE)
        return SOFTGT_EU_FINISHED;
    if (outcome != OUTCOME_FAULT)
        return eu->dispatch->debugger.hook_stopped ? SOFTGT_EU_HELD : SOFTGT_EU_UNFINISHED;
    if (eu->fault.is)
        return SOFTGT_EU_FAULT;
    return eu->dispatch->threads[eu->dispatch->work.group.current_thread].stop == EU_EXCEPTION
               ? SOFTGT_EU_EXCEPTION
               : SOFTGT_EU_DEADLOCK;
}

static void note_report(struct softgt_eu *eu, enum softgt_eu_result result)
{
    const struct work_state *const g = &eu->dispatch->work;
    const uint32_t thread = dispatch_has_work(g) && g->phase != DISPATCH_RUN ? 0 : g->group.current_thread;
    const struct eu_thread *const t = &eu->dispatch->threads[thread];
    const struct engine *const e = eu->dispatch->engine;
    eu->outcome = (struct softgt_eu_outcome){
        .result = result,
        .thread = thread,
        .ip = dispatch_thread(eu->dispatch, thread).ip,
        .groups = e->totals.groups - eu->totals[0],
        .threads = e->totals.threads - eu->totals[1],
        .instructions = e->totals.instructions - eu->totals[2],
        .out_of_bounds = e->totals.memory.out_of_bounds - eu->totals[3],
    };
    groups_current_id(eu->dispatch, eu->outcome.group);
    if (result == SOFTGT_EU_DEADLOCK)
        eu->outcome.why = dispatch_deadlock_text(eu->dispatch);
    else if (result == SOFTGT_EU_EXCEPTION)
        eu->outcome.why = dispatch_exception_text(eu->dispatch, t);
    if (result != SOFTGT_EU_FAULT)
        return;
    eu->outcome.why = "a page fault";
    eu->outcome.address = eu->fault.address;
    eu->outcome.is_write = eu->fault.is_write;
}

static enum softgt_eu_result eu_only_run(struct softgt_eu *eu, uint64_t budget)
{
    struct execution x = {.engine = eu->dispatch->engine};
    enum softgt_eu_result result = eu->outcome.result;
    while (dispatch_has_work(&eu->dispatch->work) && budget && !eu->running) {
        eu->running = true; /* hooks may call */
        result = result_of(eu, dispatch_run_budget(eu->dispatch, &x, &budget));
        eu->running = false;
        note_report(eu, result);
        if (result == SOFTGT_EU_HELD)
            break;
    }
    return result;
}

/* ---- Hooks ---- */

/* Which of the breakpoints is there; break_count: none. */
static size_t break_at(const struct softgt_eu *eu, uint64_t ip)
{
    size_t n = 0;
    while (n < eu->break_count && eu->breaks[n] != ip)
        n++;
    return n;
}

static bool on_wanted(void *user, const struct softgt_eu_thread *t)
{
    const struct softgt_eu *const eu = user;
    return eu->break_count || eu->stepping || !eu->hooks.wanted || eu->hooks.wanted(eu->hooks.user, t);
}

static void on_started(void *user, struct softgt_eu_thread *t)
{
    const struct softgt_eu *const eu = user;
    if (eu->hooks.started)
        eu->hooks.started(eu->hooks.user, t);
}

static bool on_before(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu *const eu = user;
    const bool passes = eu->held.is && eu->held.thread == t->index && eu->held.ip == t->ip;
    if (eu->stepping && eu->stepped)
        return false;
    if (!passes && ((!eu->stepping && break_at(eu, t->ip) < eu->break_count) ||
                    (eu->hooks.before && !eu->hooks.before(eu->hooks.user, t)))) {
        eu->held.is = true;
        eu->held.thread = t->index;
        eu->held.ip = t->ip;
        return false;
    }
    eu->held.is = false;
    eu->stepped = true;
    return true;
}

static void on_after(void *user, struct softgt_eu_thread *t)
{
    const struct softgt_eu *const eu = user;
    eu->hooks.after(eu->hooks.user, t);
}

/* The dispatch's own hooks: as few as are needed. */
static int place_breakpoints(struct softgt_eu *eu)
{
    const bool holds = eu->hooks.before || eu->break_count || eu->stepping;
    const struct softgt_eu_hooks hooks = {
        .user = eu,
        .wanted = on_wanted,
        .started = on_started,
        .before = holds ? on_before : NULL,
        .after = eu->hooks.after ? on_after : NULL,
    };
    return dispatch_set_hooks(eu->dispatch, &hooks) ? 0 : -ENOMEM;
}

static int watch(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks)
{
    const struct softgt_eu_hooks before = eu->hooks;
    eu->hooks = hooks ? *hooks : (struct softgt_eu_hooks){0};
    const int error = place_breakpoints(eu);
    if (error != 0)
        eu->hooks = before;
    return error;
}

int softgt_eu_set_breakpoint(struct softgt_eu *eu, uint64_t ip, bool hold)
{
    const size_t n = break_at(eu, ip);
    if (hold && n == eu->break_count) {
        uint64_t *const more = realloc(eu->breaks, (n + 1) * sizeof *more);
        if (!more)
            return -ENOMEM;
        eu->breaks = more;
        more[eu->break_count++] = ip;
    } else if (!hold && n < eu->break_count) {
        eu->breaks[n] = eu->breaks[--eu->break_count];
    }
    const int error = place_breakpoints(eu);
    if (error != 0) /* there were none, so this is the first */
        eu->break_count = 0;
    return error;
}

static enum softgt_eu_result eu_only_step(struct softgt_eu *eu)
{
    if (eu->running) /* a hook's: what runs is no step of its own */
        return eu_only_run(eu, 0);
    eu->stepping = true;
    eu->stepped = false;
    enum softgt_eu_result result = SOFTGT_EU_UNFINISHED;
    if (place_breakpoints(eu) == 0)
        result = eu_only_run(eu, UINT64_MAX);
    eu->stepping = false;
    place_breakpoints(eu);
    return result;
}

int softgt_eu_select(struct softgt_eu *eu, uint32_t thread)
{
    struct thread_dispatcher *const d = eu->dispatch;
    if (eu->running)
        return -EBUSY;
    if (d->work.phase != DISPATCH_RUN || thread >= d->work.setup.threads ||
        d->threads[thread].stop != EU_BUDGET)
        return -EINVAL;
    dispatch_select_thread(d, thread);
    return 0;
}

struct softgt_eu_thread *softgt_eu_get_thread(struct softgt_eu *eu, uint32_t thread)
{
    if (!eu->outcome.groups || thread >= eu->dispatch->work.setup.threads ||
        eu->dispatch->work.walker.parallel_groups)
        return NULL;
    eu->looked_at[thread] = dispatch_thread(eu->dispatch, thread);
    return &eu->looked_at[thread];
}

static int watch_threads(struct softgt *d, const struct softgt_eu_hooks *hooks)
{
    for (unsigned i = 0; d->dispatches && i < d->sheet->info.engine_count; i++)
        if (dispatcher_of(&d->engines[i]) && !dispatch_set_hooks(&d->dispatches[i], hooks)) {
            watch_threads(d, NULL);
            return -ENOMEM;
        }
    return 0;
}

/* ---- Structs of programs of other versions ---- */

int softgt_eu_create_sized(const struct softgt_eu_config *config, size_t config_bytes, struct softgt_eu **eu)
{
    struct softgt_eu_config c;
    *eu = NULL;
    if (sized_struct_read(&c, sizeof c, config, config_bytes))
        return eu_only_create(&c, eu);
    sized_struct_read(&c, sizeof c, config, sizeof c);
    return config_refuse_size(&c.report, config_bytes, sizeof c);
}

int softgt_eu_launch_sized(struct softgt_eu *eu, const struct softgt_eu_launch_config *l, size_t launch_bytes)
{
    struct softgt_eu_launch_config c;
    return l && sized_struct_read(&c, sizeof c, l, launch_bytes) ? launch(eu, &c) : -EINVAL;
}

static void give_outcome(const struct softgt_eu *eu, struct softgt_eu_outcome *outcome, size_t outcome_bytes)
{
    if (outcome)
        sized_struct_write(outcome, outcome_bytes, &eu->outcome, sizeof eu->outcome);
}

enum softgt_eu_result softgt_eu_run_sized(struct softgt_eu *eu, uint64_t budget,
                                          struct softgt_eu_outcome *outcome, size_t outcome_bytes)
{
    const enum softgt_eu_result result = eu_only_run(eu, budget);
    give_outcome(eu, outcome, outcome_bytes);
    return result;
}

enum softgt_eu_result softgt_eu_step_sized(struct softgt_eu *eu, struct softgt_eu_outcome *outcome,
                                           size_t outcome_bytes)
{
    const enum softgt_eu_result result = eu_only_step(eu);
    give_outcome(eu, outcome, outcome_bytes);
    return result;
}

int softgt_eu_watch_sized(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks, size_t hooks_bytes)
{
    struct softgt_eu_hooks c;
    if (!hooks)
        return watch(eu, NULL);
    return sized_struct_read(&c, sizeof c, hooks, hooks_bytes) ? watch(eu, &c) : -EINVAL;
}

int softgt_watch_threads_sized(struct softgt *d, const struct softgt_eu_hooks *hooks, size_t hooks_bytes)
{
    struct softgt_eu_hooks c;
    if (hooks && !sized_struct_read(&c, sizeof c, hooks, hooks_bytes))
        return -EINVAL;
    if (!device_enter(d, __func__))
        return -EBUSY;
    const int error = watch_threads(d, hooks ? &c : NULL);
    device_leave(d);
    return error;
}
