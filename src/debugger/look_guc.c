/* The GuC and the functions, by the fields of their state. */
#include "debugger/debuggee.h"
#include "guc/schedule.h"

#include <inttypes.h>
#include <string.h>

/* ---- Fields ---- */

enum { MOST_ELEMENTS = GUC_DOORBELLS };

/* Whose GuC is shown, and where. */
struct guc_view {
    const struct debuggee *d;
    unsigned gt;
};

static FILE *out_of(const struct guc_view *v)
{
    return v->d->out;
}

/* The name of an engine by its number in the GuC's GT; NULL: there is none. */
static const char *engine_name(const struct guc_view *v, unsigned number)
{
    const struct sheet *const sheet = device_sheet(v->d->device);
    const unsigned index = number + (v->gt ? sheet->media->first_engine : 0);
    return index < sheet->info.engine_count ? sheet->engines[index].name : NULL;
}

static bool is_zero(const uint8_t *bytes, size_t size_bytes)
{
    size_t n = 0;
    while (n < size_bytes && !bytes[n])
        n++;
    return n == size_bytes;
}

/* An element of an array that has only its initial value says nothing. */
static bool is_initial(const uint8_t *element, const uint8_t *initial, size_t size_bytes)
{
    return initial ? memcmp(element, initial, size_bytes) == 0 : is_zero(element, size_bytes);
}

static void print_number(const struct guc_view *v, const struct state_field *f, const uint8_t *at,
                         unsigned index, const char *indent)
{
    uint64_t value = 0;
    char name[64];
    memcpy(&value, at, f->size);
    snprintf(name, sizeof name, f->count > 1 ? "%s[%u]" : "%s", f->name, index);
    fprintf(out_of(v), "%s%-28s 0x%" PRIx64 "\n", indent, name, value);
}

static void print_fields(const struct guc_view *v, const struct state_field *fields, unsigned count,
                         const uint8_t *data, const uint8_t *initial);

/* The name of an element of the engines' states is the engine's. */
static void print_element(const struct guc_view *v, const struct state_field *f, unsigned index,
                          const uint8_t *at, const uint8_t *initial)
{
    if (f->count == GUC_ENGINES && engine_name(v, index))
        fprintf(out_of(v), "  %s\n", engine_name(v, index));
    else
        fprintf(out_of(v), "  %s[%u]\n", f->name, index);
    print_fields(v, f->sub_fields, f->sub_field_count, at, initial);
}

static void print_fields(const struct guc_view *v, const struct state_field *fields, unsigned count,
                         const uint8_t *data, const uint8_t *initial)
{
    for (unsigned n = 0; n < count; n++) {
        const struct state_field *const f = &fields[n];
        if (f->limit == 1 || f->count > MOST_ELEMENTS) /* padding; queues of dwords */
            continue;
        for (unsigned i = 0; i < f->count; i++) {
            const size_t at = f->offset + (size_t)i * f->size;
            if (f->count > 1 && is_initial(data + at, initial ? initial + at : NULL, f->size))
                continue;
            if (f->sub_fields)
                print_element(v, f, i, data + at, initial ? initial + at : NULL);
            else
                print_number(v, f, data + at, i, "    ");
        }
    }
}

static bool print_section(const struct guc_view *v, int function, unsigned index, const char *wanted)
{
    const void *data;
    const struct section *const s = device_guc_section(v->d->device, v->gt, function, index, &data);
    if (s && name_matches(wanted, s->name)) {
        fprintf(out_of(v), "%s\n", s->name);
        print_fields(v, s->fields, s->field_count, data, s->initial);
    }
    return s;
}

/* ---- CT buffers ---- */

static void print_ctbs(const struct guc_view *v, unsigned function, const struct guc_ct *ct)
{
    static const char *const names[] = {"H2G", "G2H"};
    for (unsigned n = 0; n < 2; n++) {
        const struct guc_ctb *const b = &ct->ctbs[n];
        uint32_t descriptor[3]; /* head, tail, status */
        if (!b->enabled)
            continue;
        fprintf(out_of(v), "  %s: %" PRIu32 " bytes at ggtt 0x%" PRIx32 ", the GuC is at dword %" PRIu32 "%s",
                names[n], b->bytes, b->address, b->position_dw, b->broken ? ", broken" : "");
        if (device_guc_read(v->d->device, v->gt, function, b->descriptor, descriptor, sizeof descriptor))
            fprintf(out_of(v), "; head %" PRIu32 ", tail %" PRIu32 ", status 0x%" PRIx32 "\n", descriptor[0],
                    descriptor[1], descriptor[2]);
        else
            fprintf(out_of(v), "; its descriptor at 0x%" PRIx32 " is not mapped\n", b->descriptor);
    }
}

enum { FUNCTION_NAME_BYTES = sizeof "vf4294967295" };

static const char *function_name(char name[FUNCTION_NAME_BYTES], unsigned function)
{
    snprintf(name, FUNCTION_NAME_BYTES, function ? "vf%u" : "pf", function);
    return name;
}

static void print_function_cts(const struct guc_view *v)
{
    const void *data;
    char name[FUNCTION_NAME_BYTES];
    for (int n = 0; device_guc_section(v->d->device, v->gt, n, 0, &data); n++)
        for (unsigned i = 0;; i++) {
            const struct section *const s = device_guc_section(v->d->device, v->gt, n, i, &data);
            if (!s)
                break;
            if (strcmp(s->name, "ct") != 0 || is_zero(data, s->size))
                continue;
            fprintf(out_of(v), "ct of %s\n", function_name(name, (unsigned)n));
            print_fields(v, s->fields, s->field_count, data, s->initial);
            print_ctbs(v, (unsigned)n, data);
        }
}

/* ---- Contexts ---- */

static void print_flags(const struct guc_view *v, uint32_t flags)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {{CONTEXT_ENABLED, "enabled"},
                 {CONTEXT_READY, "ready"},
                 {CONTEXT_TAIL_CHANGED, "tail changed"},
                 {CONTEXT_PENDING_DISABLE, "pending disable"},
                 {CONTEXT_PENDING_DEREGISTER, "pending deregister"},
                 {CONTEXT_YIELDED, "yielded"},
                 {CONTEXT_PENDING_ENABLE, "pending enable"}};
    for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++)
        if (flags & names[n].bit)
            fprintf(out_of(v), ", %s", names[n].name);
    fprintf(out_of(v), "\n");
}

static void print_context(const struct guc_view *v, uint32_t id, const struct guc_context *c)
{
    char name[FUNCTION_NAME_BYTES];
    fprintf(out_of(v), "context %" PRIu32 " of %s: LRCA 0x%" PRIx32, id,
            function_name(name, guc_context_function(c)), c->descriptor_low & ~0xfffu);
    if (c->engine < GUC_NO_ENGINE && engine_name(v, c->engine))
        fprintf(out_of(v), ", on %s", engine_name(v, c->engine));
    print_flags(v, c->flags);
    fprintf(out_of(v),
            "    guc_class %" PRIu32 ", engine_mask 0x%" PRIx32 ", priority %" PRIu32
            ", exec_quantum_us %" PRIu32 ", preempt_timeout_us %" PRIu32 "\n",
            c->guc_class, c->engine_mask, c->priority, c->exec_quantum_us, c->preempt_timeout_us);
    if (c->queue_bytes)
        fprintf(out_of(v),
                "    queue 0x%" PRIx32 ", queue_bytes %" PRIu32 ", queue_descriptor 0x%" PRIx32 "\n",
                c->queue, c->queue_bytes, c->queue_descriptor);
    if (c->children)
        fprintf(out_of(v), "    children %" PRIu32 "\n", c->children);
    if (c->parent != GUC_NO_CONTEXT)
        fprintf(out_of(v), "    parent %" PRIu32 "\n", c->parent);
    if (c->doorbell != GUC_NO_DOORBELL)
        fprintf(out_of(v), "    doorbell %" PRIu32 "\n", c->doorbell);
    if (c->queue_ticket != GUC_NO_TICKET)
        fprintf(out_of(v), "    queue_ticket %" PRIu32 ", queued_engines 0x%x, queued_priority %u\n",
                c->queue_ticket, c->queued_engines, c->queued_priority);
}

/* Returns whether it has such a section. */
static bool print_guc(const struct guc_view *v, const struct device_guc_status *status, const char *wanted)
{
    const struct softgt *const device = v->d->device;
    const struct guc_context *c;
    const void *data;
    bool found = name_matches(wanted, "ct") || name_matches(wanted, "contexts");
    fprintf(out_of(v), "%s %s, %u contexts\n", v->gt ? "GuC of the media GT" : "GuC", status->state,
            status->contexts);
    for (unsigned n = 0; print_section(v, -1, n, wanted); n++)
        found |= name_matches(wanted, device_guc_section(device, v->gt, -1, n, &data)->name);
    if (name_matches(wanted, "ct"))
        print_function_cts(v);
    for (uint32_t id = 0;
         name_matches(wanted, "contexts") && (c = device_guc_next_context(device, v->gt, &id)); id++)
        print_context(v, id, c);
    return found;
}

bool debuggee_guc(struct debuggee *d, const char *arguments)
{
    struct device_guc_status status;
    bool found = false;
    unsigned gt = 0;
    for (; device_guc_status(d->device, gt, &status); gt++)
        found |= print_guc(&(struct guc_view){d, gt}, &status, arguments);
    if (!gt)
        return debuggee_refuse(d, "the device has no GuC");
    return found || debuggee_refuse(d, "no section of the GuC has this name");
}

/* ---- Functions ---- */

static void print_engines_of(const struct debuggee *d, unsigned function)
{
    const struct sheet *const sheet = device_sheet(d->device);
    const struct guc_context *c;
    unsigned contexts = 0;
    for (uint32_t id = 0; (c = device_guc_next_context(d->device, 0, &id)); id++) {
        if (guc_context_function(c) != function)
            continue;
        contexts++;
        if (c->engine < sheet->info.engine_count)
            fprintf(d->out, ", context %" PRIu32 " on %s", id, sheet->engines[c->engine].name);
    }
    fprintf(d->out, ", %u contexts\n", contexts);
}

bool debuggee_functions(struct debuggee *d, const char *arguments)
{
    static const char *const run_states[] = {[VF_RUNNING] = "running",
                                             [VF_PAUSING] = "pausing",
                                             [VF_PAUSED] = "paused",
                                             [VF_STOPPED] = "stopped",
                                             [VF_FLR] = "in its function-level reset"};
    struct device_function_status status;
    const void *data;
    char name[FUNCTION_NAME_BYTES];
    unsigned count = 0;
    for (int n = 1; device_guc_section(d->device, 0, n, 0, &data); n++) {
        if (!name_matches(arguments, function_name(name, (unsigned)n)))
            continue;
        device_function_status(d->device, (unsigned)n, &status);
        fprintf(d->out, "%s %s, %s, busy for %" PRIu64 " ms", name,
                softgt_function_enabled(d->device, (unsigned)n) ? "enabled" : "not enabled",
                run_states[status.run_state], status.busy_ms);
        print_engines_of(d, (unsigned)n);
        for (unsigned i = 0; device_guc_section(d->device, 0, n, i, &data); i++)
            if (strcmp(device_guc_section(d->device, 0, n, i, &data)->name, "provisioning") == 0)
                print_section(&(struct guc_view){d, 0}, n, i, "");
        count++;
    }
    return count || debuggee_refuse(d, *arguments ? "no function has this name"
                                                  : "the device has no virtual functions");
}
