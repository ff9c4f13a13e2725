/* Address spaces, as lines of the prompt name them. */
#include "debugger/debuggee.h"
#include "stream/names.h"

#include <string.h>

/* ---- The space of an engine's batches ---- */

/* The current command begins a batch. */
static bool begins_batch(const struct debuggee *d, const char *unit, bool *is_ggtt)
{
    const struct softgt_event *const e = d->command;
    if (!e || strcmp(e->unit, unit) != 0 || !e->name || strcmp(e->name, "MI_BATCH_BUFFER_START") != 0)
        return false;
    const int engine = sheet_engine_find(device_sheet(d->device), unit);
    const struct command *const row = device_command_row(d->device, (unsigned)engine, e->dwords[0]);
    const struct field *f = named_field(row, "Address Space Indicator");
    f = f ? f : named_field(row, "Buffer Security and Address Space Indicator");
    *is_ggtt = f && field_get(f, e->dwords, e->length_dw) == 0;
    return f;
}

/* Of the batch that the engine runs, or at its ring of the one that it begins or ran last. */
static bool batch_is_ggtt(const struct debuggee *d, int engine)
{
    const char *const unit = device_sheet(d->device)->engines[engine].name;
    const struct engine_past *const past = engine < TRACKED_ENGINES ? &d->engines[engine] : NULL;
    bool is_ggtt = past && past->has_batch && past->batch_is_ggtt;
    if (!position_tracker_engine(&d->tracker, unit)->depth)
        begins_batch(d, unit, &is_ggtt);
    return is_ggtt;
}

/* ---- Names ---- */

bool debuggee_space(const struct debuggee *d, const char *name, struct debug_space *s)
{
    const char *const dot = strchr(name, '.');
    char unit[16];
    *s = (struct debug_space){.kind = strcmp(name, "ggtt") == 0    ? DEBUG_GGTT
                                      : strcmp(name, "local") == 0 ? DEBUG_LOCAL
                                      : strcmp(name, "bus") == 0   ? DEBUG_BUS
                                                                   : DEBUG_PPGTT,
                              .engine = -1};
    if (s->kind != DEBUG_PPGTT)
        return true;
    const bool is_ppgtt = strcmp(name, "ppgtt") == 0;
    snprintf(unit, sizeof unit, "%.*s", dot ? (int)(dot - name) : is_ppgtt ? 0 : (int)strlen(name), name);
    s->engine = debuggee_engine(d, unit);
    if (s->engine < 0 || (dot && strcmp(dot, ".ppgtt") != 0))
        return false;
    if (!dot && !is_ppgtt && batch_is_ggtt(d, s->engine))
        *s = (struct debug_space){.kind = DEBUG_GGTT, .engine = -1};
    return true;
}

const char *debuggee_space_text(const struct debuggee *d, const struct debug_space *s, char text[40])
{
    if (s->kind == DEBUG_PPGTT)
        snprintf(text, 40, "the PPGTT of %s", device_sheet(d->device)->engines[s->engine].name);
    else
        snprintf(text, 40, "%s",
                 s->kind == DEBUG_GGTT    ? "the GGTT"
                 : s->kind == DEBUG_LOCAL ? "local memory"
                                          : "bus memory");
    return text;
}

/* ---- Accesses ---- */

bool debuggee_read(const struct debuggee *d, const char *name, uint64_t address, void *data,
                   size_t size_bytes)
{
    struct debug_space s;
    if (!debuggee_space(d, name, &s))
        return false;
    switch (s.kind) {
    case DEBUG_GGTT:
        return softgt_ggtt_read(d->device, address, data, size_bytes);
    case DEBUG_LOCAL:
        return softgt_local_read(d->device, address, data, size_bytes);
    case DEBUG_BUS:
        return device_physical_read(d->device, address, data, size_bytes);
    default:
        return softgt_ppgtt_read(d->device, (unsigned)s.engine, address, data, size_bytes);
    }
}

bool debuggee_physical(const struct debuggee *d, const struct debug_space *s, uint64_t address,
                       uint64_t *physical)
{
    struct device_walk walk;
    *physical = s->kind == DEBUG_LOCAL ? address | MEMORY_LOCAL : address;
    if (s->kind == DEBUG_LOCAL || s->kind == DEBUG_BUS)
        return true;
    if (!device_walk(d->device, s->engine, address, &walk) || walk.translation.physical & MEMORY_NULL)
        return false;
    *physical = walk.translation.physical;
    return true;
}
