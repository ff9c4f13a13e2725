#include "base/sized.h"
#include "device/device.h"

#include <stdlib.h>

/* Looking inside: engines and their counts, memory as the device sees it, the rows. */

bool softgt_engine_status_sized(const struct softgt *d, unsigned index, struct softgt_engine_status *status,
                                size_t status_bytes)
{
    if (index >= d->sheet->info.engine_count)
        return false;
    const struct engine *e = &d->engines[index];
    uint64_t commands = 0;
    for (unsigned i = 1; i < d->set.count; i++)
        commands += e->commands.counts[i];
    const struct softgt_engine_status full = {
        .name = e->info->name,
        .engine_class = engine_class_names[e->info->class],
        .mmio_base = e->info->mmio_base,
        .hws_pga = e->info->mmio_base + e->info->hws_pga,
        .state = (enum softgt_engine_state)e->parse.state,
        .why = engine_stop_reason(e),
        .wait.comparison =
            e->parse.state == SOFTGT_ENGINE_WAITING ? wait_comparisons[e->wait.comparison] : NULL,
        .wait.found = e->wait.actual_value,
        .wait.waited_for = e->wait.expected_value,
        .acthd = e->parse.command_address,
        .batches = e->totals.batches,
        .commands = commands,
        .dwords = e->totals.dwords,
        .waits = e->totals.waits,
        .context_switches = e->totals.switches,
        .interrupts = e->totals.interrupts,
        .memory_writes = e->totals.memory.stores,
        .bytes_written = e->totals.memory.bytes_stored,
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
        .past_end = e->parse.state == SOFTGT_ENGINE_STOPPED && e->parse.stopped_past_end,
        .out_of_bounds = e->totals.memory.out_of_bounds,
    };
    sized_struct_write(status, status_bytes, &full, sizeof full);
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
        const bool sometimes = c->flags & COMMAND_PERFORMED_IF_SUPPORTED;
        const uint64_t left = !sometimes                                        ? 0
                              : e->totals.draws_skipped < e->commands.counts[i] ? e->totals.draws_skipped
                                                                                : e->commands.counts[i];
        if (e->commands.counts[i] > left)
            each(user, c->name, e->commands.counts[i] - left,
                 sometimes ? SOFTGT_COMMAND_EXECUTED : command_model(c));
        if (left)
            each(user, c->name, left, SOFTGT_COMMAND_COUNTED);
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
        commands ? pipeline_save(&e->pipeline, e->buffers.scratch, SCRATCH_DW, &left_out) : 0;
    size_t count = 0;
    for (uint32_t at = 0; at < length_dw; count++) {
        commands[count] = e->buffers.scratch + at;
        at += command_length_dw(d->set.rows[command_find(&d->set, e->info->class, e->buffers.scratch[at])],
                                e->buffers.scratch[at]);
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
    return d->interrupt.output.messages;
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
