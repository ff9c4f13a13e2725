/* Threads as a debugger sees them: registers by file, the current instruction, what it changed, hooks. */
#include "base/sized.h"
#include "dispatcher/dispatcher.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- Registers ---- */

static const struct {
    const char *name;
    uint16_t at, bytes, register_bytes; /* in struct eu_thread */
    bool read_only, unreported;         /* unreported: every instruction changes it */
} files[SOFTGT_EU_FILES] = {
#define IN_THREAD(member) offsetof(struct eu_thread, member), sizeof((struct eu_thread *)NULL)->member
    [SOFTGT_EU_GRF] = {"r", IN_THREAD(grf), EU_REGISTER_BYTES},
    [SOFTGT_EU_ADDRESS] = {"a", IN_THREAD(address), sizeof(uint16_t[EU_ADDRESSES])},
    [SOFTGT_EU_ACCUMULATOR] = {"acc", IN_THREAD(accumulator), sizeof(uint64_t[EU_MAX_CHANNELS / 2])},
    [SOFTGT_EU_FLAG] = {"f", IN_THREAD(flag), sizeof(uint16_t[2])},
    [SOFTGT_EU_STATE] = {"sr", IN_THREAD(sr0), sizeof(uint32_t[4])},
    [SOFTGT_EU_CONTROL] = {"cr", IN_THREAD(cr0), sizeof(uint32_t[4])},
    [SOFTGT_EU_NOTIFICATION] = {"n", IN_THREAD(n0), sizeof(uint32_t[4])},
    [SOFTGT_EU_TIMESTAMP] = {"tm", IN_THREAD(tm0), sizeof(uint64_t), .unreported = true},
    [SOFTGT_EU_IP] = {"ip", IN_THREAD(ip), sizeof(uint64_t), .unreported = true},
    [SOFTGT_EU_ACTIVE] = {"ce", IN_THREAD(execution_mask), sizeof(uint32_t), .read_only = true},
    [SOFTGT_EU_STARTED] = {"dmask", IN_THREAD(dispatch_mask), sizeof(uint32_t), .read_only = true},
#undef IN_THREAD
};

const char *softgt_eu_file_name(enum softgt_eu_file file)
{
    return (unsigned)file < SOFTGT_EU_FILES ? files[file].name : NULL;
}

size_t softgt_eu_register_bytes(enum softgt_eu_file file)
{
    return (unsigned)file < SOFTGT_EU_FILES ? files[file].register_bytes : 0;
}

size_t softgt_eu_file_bytes(const struct softgt_eu_thread *t, enum softgt_eu_file file)
{
    enum { NARROW_ACCUMULATORS = 10 }; /* of registers of 32 bytes */
    const struct eu_isa *const set = t->dispatch->set;
    if ((unsigned)file >= SOFTGT_EU_FILES)
        return 0;
    if (file == SOFTGT_EU_FLAG)
        return set->flag_count * (size_t)files[file].register_bytes;
    if (file == SOFTGT_EU_ACCUMULATOR && eu_register_rows(set) == 1)
        return NARROW_ACCUMULATORS * (size_t)files[file].register_bytes;
    return file == SOFTGT_EU_GRF ? t->thread->grf_rows * (size_t)EU_REGISTER_BYTES : files[file].bytes;
}

/* NULL: out of the file's bounds. */
static uint8_t *register_bytes(const struct softgt_eu_thread *t, enum softgt_eu_file file, size_t at,
                               size_t size)
{
    const size_t there = softgt_eu_file_bytes(t, file);
    return at < there && size <= there - at ? (uint8_t *)t->thread + files[file].at + at : NULL;
}

bool softgt_eu_thread_read(const struct softgt_eu_thread *t, enum softgt_eu_file file, size_t at, void *data,
                           size_t size_bytes)
{
    const uint8_t *const from = register_bytes(t, file, at, size_bytes);
    if (from)
        memcpy(data, from, size_bytes);
    return from != NULL;
}

bool softgt_eu_thread_write(struct softgt_eu_thread *t, enum softgt_eu_file file, size_t at, const void *data,
                            size_t size_bytes)
{
    uint8_t *const to = register_bytes(t, file, at, size_bytes);
    if (!to || files[file].read_only)
        return false;
    memcpy(to, data, size_bytes);
    t->thread->dirty = eu_all_dirty;
    return true;
}

void softgt_eu_thread_changes(const struct softgt_eu_thread *t, void *user,
                              void (*each)(void *user, const struct softgt_eu_change *change))
{
    for (unsigned file = 0; file < SOFTGT_EU_FILES && t->has_run; file++) {
        const unsigned rows = file == SOFTGT_EU_GRF ? eu_register_rows(t->dispatch->set) : 1;
        const size_t bytes = softgt_eu_file_bytes(t, (enum softgt_eu_file)file),
                     step = (size_t)files[file].register_bytes * rows;
        const uint8_t *const before = (const uint8_t *)t->dispatch->debugger.thread_before + files[file].at,
                             *const after = (const uint8_t *)t->thread + files[file].at;
        if (files[file].unreported || memcmp(before, after, bytes) == 0)
            continue;
        for (size_t at = 0; at < bytes; at += step)
            if (memcmp(before + at, after + at, step) != 0)
                each(user, &(struct softgt_eu_change){(enum softgt_eu_file)file, (unsigned)(at / step),
                                                      before + at, after + at, step});
    }
}

/* ---- Position ---- */

/* Channels that execute the instruction at the thread's IP, those that wait there included. */
static uint32_t channels_at_ip(const struct eu_thread *t)
{
    uint32_t channels = t->execution_mask;
    for (uint32_t others = t->dispatch_mask & ~t->execution_mask; others; others &= others - 1u)
        if (t->channel_ip[__builtin_ctz(others)] == t->ip)
            channels |= others & -others;
    return channels;
}

/* Its registers are still those of an earlier group. */
static bool is_not_started(const struct thread_dispatcher *d, uint32_t index)
{
    return dispatch_has_work(&d->work) && d->work.phase != DISPATCH_RUN &&
           index >= d->work.group.threads_started;
}

struct softgt_eu_thread dispatch_thread(struct thread_dispatcher *d, uint32_t index)
{
    struct eu_thread *const t = &d->threads[index];
    return (struct softgt_eu_thread){.dispatch = d,
                                     .thread = t,
                                     .index = index,
                                     .ip = is_not_started(d, index) ? d->work.setup.kernel_start_pointer
                                                                    : t->ip,
                                     .channels = channels_at_ip(t)};
}

void softgt_eu_thread_get_info_sized(const struct softgt_eu_thread *t, struct softgt_eu_thread_info *info,
                                     size_t info_bytes)
{
    static const uint8_t states[] = {[EU_BUDGET] = SOFTGT_EU_RUNS,
                                     [EU_WAITS] = SOFTGT_EU_WAITS,
                                     [EU_ENDED] = SOFTGT_EU_ENDED,
                                     [EU_EXCEPTION] = SOFTGT_EU_STOPPED};
    const struct work_state *const g = &t->dispatch->work;
    const bool stopped = t->thread->stop == EU_EXCEPTION;
    const struct softgt_eu_thread_info full = {
        .unit = t->dispatch->engine->info->name,
        .now_ns = t->dispatch->engine->log->now_ns,
        .group = {g->group.group_id[0], g->group.group_id[1], g->group.group_id[2]},
        .thread = t->index,
        .base = g->bases.instruction_base,
        .kernel = g->setup.kernel_start_pointer,
        .ip = t->ip,
        .started = t->thread->dispatch_mask,
        .channels = t->channels,
        .state = is_not_started(t->dispatch, t->index) ? SOFTGT_EU_RUNS
                                                       : (enum softgt_eu_thread_state)states[t->thread->stop],
        .why = stopped ? dispatch_exception_text(t->dispatch, t->thread) : NULL,
    };
    sized_struct_write(info, info_bytes, &full, sizeof full);
}

size_t softgt_eu_thread_disassemble(const struct softgt_eu_thread *t, char *text, size_t size_bytes)
{
    const struct eu_isa *const set = t->dispatch->set;
    struct mmu *const mmu = t->dispatch->bindings.memory.mmu;
    uint8_t bytes[EU_NATIVE_BYTES];
    struct eu_instruction i;
    struct text line = {0};
    size_t there = 0;
    for (; there < sizeof bytes; there += EU_COMPACT_BYTES) { /* each is on one page */
        struct translation at;
        if (!mmu_translate(mmu, SPACE_PPGTT, t->dispatch->work.bases.instruction_base + t->ip + there, &at) ||
            !bus_read(mmu->memory, at.physical, bytes + there, EU_COMPACT_BYTES))
            break;
    }
    if (there && eu_decode(set, bytes, there, &i))
        eu_disassemble(set, &i, t->ip, &line);
    const bool failed = line.failed;
    const size_t length = failed ? 0 : line.length, part = length < size_bytes ? length : size_bytes - 1u;
    if (size_bytes) {
        if (part)
            memcpy(text, line.bytes, part);
        text[part] = '\0';
    }
    text_free(&line);
    return failed ? SIZE_MAX : length;
}

/* ---- Hooks ---- */

bool dispatch_set_hooks(struct thread_dispatcher *d, const struct softgt_eu_hooks *hooks)
{
    const bool steps =
        hooks && (hooks->before || hooks->after); /* `started` alone does not need single steps */
    if (steps && !d->debugger.thread_before &&
        !(d->debugger.thread_before = malloc(sizeof *d->debugger.thread_before)))
        return false;
    d->debugger.single_steps = steps;
    d->debugger.hooks = hooks ? *hooks : (struct softgt_eu_hooks){0};
    return true;
}

enum eu_stop dispatch_run_single_steps(struct thread_dispatcher *d, const struct eu_port *port,
                                       uint64_t *budget)
{
    const struct softgt_eu_hooks *const h = &d->debugger.hooks;
    struct eu_thread *const t = &d->threads[d->work.group.current_thread];
    struct softgt_eu_thread look = dispatch_thread(d, d->work.group.current_thread);
    enum eu_stop stop = EU_BUDGET;
    if (h->wanted && !h->wanted(h->user, &look))
        return eu_thread_run(t, port, budget);
    while (*budget && stop == EU_BUDGET) {
        look = dispatch_thread(d, d->work.group.current_thread);
        if (h->before && !h->before(h->user, &look) && d->debugger.hook_may_stop) {
            d->debugger.hook_stopped = true;
            break;
        }
        /* The hook may have changed the IP. */
        look = dispatch_thread(d, d->work.group.current_thread);
        if (h->after)
            *d->debugger.thread_before = *t;
        uint64_t one = 1;
        const uint64_t ran = t->instruction_count;
        stop = eu_thread_run(t, port, &one);
        --*budget;
        look.has_run = t->instruction_count != ran || stop == EU_ENDED || stop == EU_EXCEPTION;
        if (h->after && look.has_run)
            h->after(h->user, &look);
    }
    return stop;
}
