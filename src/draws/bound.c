#include "draws/bound.h"

#include "commands/commands.h"
#include "isa/isa.h"
#include "pipeline3d/draw_work.h"
#include "shared_function/image.h"
#include "stream/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNEL_BYTES = 1 << 18, BINDINGS_UNKNOWN = 8, MOST_BINDINGS = 64, WIDEST = 16384 };

const char *const draw_stage_names[DRAW_STAGES] = {"VS", "HS", "DS", "GS", "PS", "CS"};

void draw_kernel_name(const struct draw_kernel *k, char name[DRAW_KERNEL_NAME])
{
    if (k->simd)
        snprintf(name, DRAW_KERNEL_NAME, "%.2s%u", draw_stage_names[k->stage], k->simd);
    else
        snprintf(name, DRAW_KERNEL_NAME, "%s", draw_stage_names[k->stage]);
}

bool bound_create(struct bound *b, struct softgt *device)
{
    *b = (struct bound){.device = device, .kernel = malloc(MOST_KERNEL_BYTES)};
    if (b->kernel && structure_set_create(&b->structures, structure_tables, device_sheet(device)->generation))
        return true;
    free(b->kernel);
    b->kernel = NULL;
    return false;
}

void bound_destroy(struct bound *b)
{
    command_set_destroy(&b->structures);
    free(b->kernel);
}

/* ---- Fields ---- */

static const char *name_of(const struct command *row, const char *name, const uint32_t *dw,
                           uint32_t length_dw)
{
    const struct field *const f = named_field(row, name);
    return f ? field_value_name(f, field_get(f, dw, length_dw)) : NULL;
}

/* The stage that a name is about: "3DSTATE_VS", "Pointer to PS Binding Table". Gen6 calls the pixel stage WM.
 */
static int stage_of(const char *name)
{
    static const char *const words[] = {"VS", "HS", "DS", "GS", "PS", "WM"};
    for (unsigned n = 0; n < sizeof words / sizeof words[0]; n++) {
        const char *const at = strstr(name, words[n]);
        if (at && (at == name || at[-1] == '_' || at[-1] == ' ') && (!at[2] || at[2] == ' '))
            return n == 5 ? DRAW_PS : (int)n;
    }
    return -1;
}

static bool read_memory(const struct bound *b, uint64_t address, void *data, size_t size_bytes)
{
    return softgt_ppgtt_read(b->device, b->engine, address, data, size_bytes);
}

/* ---- Kernels ---- */

uint8_t *bound_kernel(const struct bound *b, const struct draw_kernel *k)
{
    uint8_t *const bytes = k->size_bytes ? malloc(k->size_bytes) : NULL;
    if (bytes && read_memory(b, k->address, bytes, k->size_bytes))
        return bytes;
    free(bytes);
    return NULL;
}

/* How long the kernel is, and a sum of it (FNV-1a). */
static void read_kernel(const struct bound *b, struct draw_kernel *k, enum draw_stage stage, uint64_t address)
{
    uint8_t *const bytes = b->kernel;
    size_t there = MOST_KERNEL_BYTES;
    *k = (struct draw_kernel){.known = true, .stage = stage, .address = address};
    while (there >= 16 && !read_memory(b, address, bytes, there))
        there /= 2;
    if (there >= 16) {
        const size_t listed = eu_program_bytes(device_sheet(b->device)->eu, bytes, there);
        k->size_bytes = (uint32_t)listed;
        k->sum = 0x811c9dc5u;
        for (size_t n = 0; n < listed; n++)
            k->sum = (k->sum ^ bytes[n]) * 0x01000193u;
    }
}

/* Those that the dispatch enables choose, if the pixel shader is valid: by these the device chooses. */
static void read_pixel_kernels(struct bound *b)
{
    const struct thread_dispatcher *const d = device_dispatcher(b->device, b->engine);
    struct ps_kernel kernels[PS_KERNELS];
    if (!d || !state_field(d->engine, STATE_PS_EXTRA, PSX_VALID))
        return;
    const unsigned count = ps_kernels(d->engine, kernels);
    for (unsigned n = 0; n < count; n++) {
        struct draw_kernel *const k = &b->record->kernels[n ? DRAW_STAGES + n - 1u : DRAW_PS];
        uint64_t address;
        if (!bases_resolve(&b->bases, BASE_INSTRUCTION,
                           state_field(d->engine, STATE_PS, PS_KERNEL_START_POINTER_0 + kernels[n].pointer),
                           &address))
            continue;
        read_kernel(b, k, DRAW_PS, address);
        k->simd = kernels[n].simd;
    }
}

/* ---- Surfaces ---- */

/* Reads a surface state. False: it is none. */
static bool read_surface(const struct bound *b, struct draw_surface *s, uint64_t address)
{
    struct surface_state from = {
        .row = b->structures.rows[structure_find(&b->structures, RENDER_SURFACE_STATE)]};
    if (!read_memory(b, address, from.dw, surface_state_bytes(from.row)))
        return false;
    s->state = address;
    s->type = surface_value_name(&from, SURFACE_TYPE);
    s->format = surface_value_name(&from, SURFACE_FORMAT);
    const uint32_t type = surface_field(&from, SURFACE_TYPE);
    if (!s->type || type == SURFTYPE_NULL)
        return false;
    struct picture *const p = &s->picture;
    p->device = b->device;
    p->engine = (int)b->engine;
    p->address = field_read(&from.row->places[SURFACE_BASE_ADDRESS], from.dw, SURFACE_STATE_DW);
    s->has_image = surface_image(b->device, b->engine, from.dw, s->stage == DRAW_PS, &s->image);
    s->is_buffer = type == SURFTYPE_BUFFER || type == SURFTYPE_STRBUF || type == SURFTYPE_SCRATCH;
    const uint32_t width = surface_field(&from, SURFACE_WIDTH), height = surface_field(&from, SURFACE_HEIGHT);
    if (s->is_buffer) {
        p->pitch_bytes = (int32_t)surface_field(&from, SURFACE_PITCH) + 1;
        s->elements = (uint64_t)(surface_field(&from, SURFACE_DEPTH) << 21 | height << 7 | width) + 1u;
        return p->address != 0;
    }
    p->width = width + 1u;
    p->height = height + 1u;
    p->pitch_bytes = (int32_t)surface_field(&from, SURFACE_PITCH) + 1;
    p->tiling = surface_tiling(&from);
    p->format = s->format ? softgt_format_find(s->format) : NULL;
    if (p->width > WIDEST || p->height > WIDEST ||
        (p->tiling != SOFTGT_TILE_LINEAR && p->format && !tile_layout(p->tiling, p->format->bytes)))
        p->format = NULL;
    return p->address != 0;
}

static void read_table(struct bound *b, enum draw_stage stage, uint64_t table)
{
    const unsigned known = b->binding_counts[stage],
                   count = known ? known < MOST_BINDINGS ? known : MOST_BINDINGS : BINDINGS_UNKNOWN;
    const struct command *const row = b->structures.rows[structure_find(&b->structures, BINDING_TABLE_STATE)];
    for (unsigned n = 0; n < count && b->surface_count < DRAW_SURFACES; n++) {
        uint32_t entry[2] = {0}; /* a qword is read at once */
        uint64_t address;
        struct draw_surface s = {.stage = stage, .binding = n};
        if (!read_memory(b, table + n * 4u, entry, sizeof entry[0]))
            return;
        for (unsigned f = 0; f < row->field_count; f++)
            if (row->fields[f].target == RENDER_SURFACE_STATE && entry[0] &&
                bases_resolve(&b->bases, row->fields[f].base, field_get(&row->fields[f], entry, 2),
                              &address) &&
                read_surface(b, &s, address))
                b->surfaces[b->surface_count++] = s;
    }
}

/* ---- State ---- */

static void note_base(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct bound *const b = user;
    const struct command *const row = device_command_row(b->device, b->engine, dwords[0]);
    const int stage = stage_of(name);
    bases_see(&b->bases, row, dwords, (uint32_t)length_dw);
    if (stage >= 0 && named_field(row, "Binding Table Entry Count"))
        b->binding_counts[stage] =
            (unsigned)named_number(row, "Binding Table Entry Count", dwords, (uint32_t)length_dw);
}

static bool is_kernel_pointer(const struct field *f)
{
    return f->base == BASE_INSTRUCTION && strstr(f->name, "Kernel Start Pointer") != NULL;
}

/* The stage of a command runs its kernel: its bit is set; without such a bit, the kernel is not at offset 0.
 */
static bool is_enabled(const struct command *row, const uint32_t *dwords, uint32_t length_dw, uint64_t offset)
{
    const struct field *const f = named_field(row, "Enable");
    return f ? field_get(f, dwords, length_dw) != 0 : offset != 0;
}

static void read_state(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct bound *const b = user;
    const struct command *const row = device_command_row(b->device, b->engine, dwords[0]);
    const char *const topology = name_of(row, "Primitive Topology Type", dwords, (uint32_t)length_dw);
    if (topology && !b->record->is_dispatch)
        b->record->topology = topology;
    for (unsigned n = 0; n < row->field_count; n++) {
        const struct field *const f = &row->fields[n];
        const int by_name = stage_of(f->name), stage = by_name >= 0 ? by_name : stage_of(name);
        const uint64_t value = field_get(f, dwords, (uint32_t)length_dw);
        uint64_t address;
        if (stage < 0 || f->first / 32u >= length_dw || !bases_resolve(&b->bases, f->base, value, &address))
            continue;
        if (f->target == BINDING_TABLE_STATE && !b->record->is_dispatch && value)
            read_table(b, (enum draw_stage)stage, address);
        else if (is_kernel_pointer(f) && stage != DRAW_PS && !b->record->kernels[stage].known &&
                 !b->record->is_dispatch && is_enabled(row, dwords, (uint32_t)length_dw, value))
            read_kernel(b, &b->record->kernels[stage], (enum draw_stage)stage, address);
    }
}

/* The kernel and the bindings of a dispatch: in the walker itself, or in an interface descriptor. */
static void read_descriptor(struct bound *b, const struct command *row, const uint32_t *dw,
                            uint32_t length_dw)
{
    uint64_t address;
    for (unsigned n = 0; n < row->field_count; n++) {
        const struct field *const f = &row->fields[n];
        if (f->first / 32u >= length_dw ||
            !bases_resolve(&b->bases, f->base, field_get(f, dw, length_dw), &address))
            continue;
        if (is_kernel_pointer(f) && !b->record->kernels[DRAW_CS].known)
            read_kernel(b, &b->record->kernels[DRAW_CS], DRAW_CS, address);
        else if (f->target == BINDING_TABLE_STATE)
            read_table(b, DRAW_CS, address);
    }
}

struct descriptors {
    struct bound *bound;
    uint64_t address; /* 0: none */
};

static void find_descriptors(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct descriptors *const d = user;
    const struct command *const row = device_command_row(d->bound->device, d->bound->engine, dwords[0]);
    (void)name;
    for (unsigned n = 0; n < row->field_count; n++)
        if (row->fields[n].target == INTERFACE_DESCRIPTOR_DATA)
            bases_resolve(&d->bound->bases, row->fields[n].base,
                          field_get(&row->fields[n], dwords, (uint32_t)length_dw), &d->address);
}

static void read_dispatch(struct bound *b, const struct softgt_event *command)
{
    const struct command *const row = device_command_row(b->device, b->engine, command->dwords[0]),
                                *const data =
                                    b->structures
                                        .rows[structure_find(&b->structures, INTERFACE_DESCRIPTOR_DATA)];
    struct descriptors d = {.bound = b};
    uint32_t dw[16];
    read_descriptor(b, row, command->dwords, command->length_dw);
    if (b->record->kernels[DRAW_CS].known || !data || data->min_dwords > 16)
        return;
    softgt_engine_state_commands(b->device, b->engine, &d, find_descriptors);
    const uint64_t index =
                       named_number(row, "Interface Descriptor Offset", command->dwords, command->length_dw),
                   address = d.address + index * data->min_dwords * 4u;
    if (d.address && read_memory(b, address, dw, data->min_dwords * 4ul))
        read_descriptor(b, data, dw, data->min_dwords);
}

/* The depth and stencil buffers, as surfaces. */
static void read_depth(struct bound *b)
{
    struct depth_stencil ds;
    unsigned samples_log2;
    if (!depth_state(b->device, b->engine, &ds, &samples_log2))
        return;
    for (unsigned n = 0; n < 2 && b->surface_count < DRAW_SURFACES; n++) {
        const struct depth_surface *const from = n ? &ds.stencil : &ds.depth;
        struct pixel_place place;
        if (!from->present ||
            !depth_buffer_place(&ds, n != 0, samples_log2, (const uint32_t[3]){0}, 0, &place))
            continue;
        b->surfaces[b->surface_count++] =
            (struct draw_surface){.stage = DRAW_PS,
                                  .binding = n ? DRAW_STENCIL : DRAW_DEPTH,
                                  .type = n ? "STENCIL" : "DEPTH",
                                  .format = place.format->name,
                                  .picture = {.address = from->base,
                                              .width = from->width >> (samples_log2 + 1u) / 2u,
                                              .height = from->height >> samples_log2 / 2u,
                                              .pitch_bytes = (int32_t)from->pitch_bytes,
                                              .tiling = (enum softgt_tiling)from->tiling}};
    }
}

void bound_read(struct bound *b, unsigned engine, struct draw_record *record, struct draw_surface *surfaces,
                const struct softgt_event *command)
{
    b->engine = engine;
    b->record = record;
    b->surfaces = surfaces;
    b->surface_count = 0;
    memset(b->binding_counts, 0, sizeof b->binding_counts);
    b->bases = device_bases(b->device, engine);
    softgt_engine_state_commands(b->device, engine, b, note_base);
    softgt_engine_state_commands(b->device, engine, b, read_state);
    if (record->is_dispatch && command)
        read_dispatch(b, command);
    else if (!record->is_dispatch)
        read_pixel_kernels(b);
    for (unsigned n = 0; n < b->surface_count; n++)
        if (surfaces[n].stage == DRAW_PS && !surfaces[n].is_buffer && !record->target.type)
            record->target = surfaces[n];
    if (!record->is_dispatch)
        read_depth(b);
}
