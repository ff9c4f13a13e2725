/* The replay: where draws and dispatches begin and end, and what is kept of them. */
#include "draws/bound.h"
#include "draws/contents.h"
#include "draws/hazards.h"
#include "draws/history.h"
#include "draws/notes.h"
#include "draws/sources.h"

#include "dispatcher/dispatcher.h"
#include "host/state_dump.h"
#include "host/structure_dumper.h"
#include "pipeline3d/draw_work.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_DRAWS = 16, TEXTURE_PIXELS = 1 << 20, VIEW_PIXELS = 1 << 25 };

const char *const draw_count_names[DRAW_COUNTS] = {
    "vertices",       "primitives", "vs_invocations", "gs_primitives", "clipper_output_primitives",
    "ps_invocations", "passed",
};
const char *const draw_count_titles[DRAW_COUNTS] = {
    "vertices of the input assembly",        "primitives of the input assembly", "vertex shader invocations",
    "primitives out of the geometry shader", "primitives out of the clipper",    "pixel shader invocations",
    "samples that passed depth and stencil",
};
static const char *const count_registers[DRAW_COUNTS] = {
    "IA_VERTICES_COUNT",   "IA_PRIMITIVES_COUNT", "VS_INVOCATION_COUNT", "GS_PRIMITIVES_COUNT",
    "CL_PRIMITIVES_COUNT", "PS_INVOCATION_COUNT", "PS_DEPTH_COUNT",
};

/* A draw or dispatch that has begun, and is not done. Other contexts may run on its engine meanwhile. */
struct open_draw {
    bool is_open;
    unsigned engine;
    struct draw_record record;
    struct draw_surface surfaces[DRAW_VIEW_SURFACES];
    unsigned surface_count;
    struct pixel_watch watch;
    bool names_target; /* its messages will name the pixel's target */
};

struct replaying {
    const struct draws_options *options;
    const struct replay_result *result;
    struct draw_view *view;
    struct softgt *device;
    struct position_tracker tracker;
    struct open_draw open[OPEN_DRAWS];
    struct bound bound;       /* of the draw that begins */
    uint64_t count, commands; /* of draws and dispatches; of all commands */
    struct command_sources sources;
    uint64_t *draw_commands; /* the number of each draw's command */
    size_t draw_capacity;
    bool no_memory;
    uint64_t pixels;     /* of the view's pictures */
    bool collects;       /* only the surfaces of the pixel, for the replay that tells its history */
    bool has_attachment; /* of the pixel: some draw has it */
    struct target_bindings targets;
    struct hazards hazards;
    struct stored_places places;
    struct pixel_step command; /* the last one of an engine, if it is no draw */
    unsigned command_engine;
    uint64_t command_submission;
};

/* ---- Commands ---- */

/* A size in the command, or in a register where its parameters are indirect. */
static uint64_t size_of(const struct replaying *r, const struct command *row, const struct softgt_event *e,
                        const char *field, const char *indirect)
{
    const struct register_file *const file = softgt_register_file(r->device);
    const struct register_slot *const s = register_find(file, e->unit, indirect);
    return s && named_number(row, "Indirect Parameter Enable", e->dwords, e->length_dw)
               ? register_value(file, s->offset)
               : named_number(row, field, e->dwords, e->length_dw);
}

/* ---- Counts ---- */

static uint64_t counter(const struct replaying *r, const char *unit, const char *name)
{
    const struct register_file *const file = softgt_register_file(r->device);
    const struct register_slot *const s = register_find(file, unit, name);
    return s ? register_value(file, s->offset) | (uint64_t)register_value(file, s->offset + 4) << 32 : 0;
}

/* 0: none. */
static uint64_t context_of(const struct replaying *r, const char *unit)
{
    const struct engine_position *const at = position_tracker_engine(&r->tracker, unit);
    return at->has_context ? at->lrca : 0;
}

static struct source_command source_command(const struct replaying *r, unsigned engine, uint64_t context,
                                            const uint32_t *dw, size_t length_dw)
{
    return (struct source_command){.set = softgt_command_set(r->device),
                                   .class = device_sheet(r->device)->engines[engine].class,
                                   .engine = engine,
                                   .context = context,
                                   .dw = dw,
                                   .length_dw = (uint32_t)length_dw};
}

static struct hazard_place hazard_place(const struct replaying *r, unsigned engine, uint64_t context)
{
    return (struct hazard_place){.device = r->device, .engine = engine, .context = context, .last = r->count};
}

/* Adds the counters, or their complements: begin and end of a draw leave the difference. */
static void count(const struct replaying *r, struct draw_record *record, unsigned engine, bool begins)
{
    struct softgt_engine_status s;
    const uint64_t sign = begins ? UINT64_MAX : 1;
    for (unsigned n = 0; n < DRAW_COUNTS && !record->is_dispatch; n++)
        record->count[n] += sign * counter(r, record->unit, count_registers[n]);
    softgt_engine_get_status(r->device, engine, &s);
    record->threads += sign * s.threads;
    record->instructions += sign * s.instructions;
    record->bytes_written += sign * s.bytes_written;
}

/* ---- Detail: what there is when the draw begins ---- */

/* The layer and sample of a surface that are shown. */
static void choose_picture(const struct draws_options *options, struct draw_surface *s)
{
    const struct pixel_choice *const c = &options->pixel;
    const uint32_t first = s->has_image ? surface_field(&s->image.state, SURFACE_MINIMUM_ARRAY_ELEMENT) : 0;
    s->layer = c->layer > (int)first ? (unsigned)c->layer - first : 0;
    s->sample = c->sample > 0 ? (unsigned)c->sample : 0;
}

/* A trace may bind more than anybody looks at. */
static bool pictures_fit(struct replaying *r, uint32_t width, uint32_t height, unsigned pictures)
{
    const uint64_t pixels = (uint64_t)width * height;
    const bool fit = pixels <= SURFACE_PICTURE_PIXELS && r->pixels + pixels * pictures <= VIEW_PIXELS;
    r->pixels += fit ? pixels * pictures : 0;
    return fit;
}

static uint8_t *take_picture(const struct replaying *r, unsigned engine, struct draw_surface *s)
{
    struct depth_stencil ds;
    unsigned samples_log2;
    uint32_t size[2];
    if (s->has_image && s->image.format && s->layer < s->image.depth)
        return surface_picture(r->device, engine, &s->image, s->layer, s->sample);
    if (s->binding < DRAW_DEPTH || !depth_state(r->device, engine, &ds, &samples_log2))
        return NULL;
    uint8_t *const rgba = depth_picture(r->device, engine, &ds, s->binding == DRAW_STENCIL, samples_log2,
                                        s->layer, s->sample, size);
    if (rgba) {
        s->picture.width = size[0];
        s->picture.height = size[1];
    }
    return rgba;
}

struct dumped_structures {
    const struct replaying *replaying;
    struct softgt *device;
    unsigned engine;
    uint64_t context;
    struct structure_dumper dumper;
    struct text *text;
};

static bool read_structure(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct dumped_structures *const d = user;
    return softgt_ppgtt_read(d->device, d->engine, address, data, size_bytes);
}

static void dump_structures_of(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct dumped_structures *const d = user;
    const struct command *const row = device_command_row(d->device, d->engine, dwords[0]);
    struct state_source parts[STATE_PARTS];
    const struct source_command c = source_command(d->replaying, d->engine, d->context, dwords, length_dw);
    const unsigned count = command_sources_find(&d->replaying->sources, &c, parts);
    bool is_mixed;
    const struct state_source *const source = state_source_last(parts, count, &is_mixed);
    (void)name;
    if (row)
        structure_dumper_command(&d->dumper, d->text, row, dwords, (uint32_t)length_dw,
                                 source ? source->address : 0);
}

/* What the state and the command point to. */
static void dump_structures(struct replaying *r, unsigned engine, const struct softgt_event *e)
{
    struct dumped_structures d = {.replaying = r,
                                  .device = r->device,
                                  .engine = engine,
                                  .context = context_of(r, e->unit),
                                  .dumper = {.read = read_structure, .missing = "not readable"},
                                  .text = &r->view->structures};
    const struct dump_options options = {
        .no_address = true, .json = r->options->json, .bases = &r->bound.bases};
    d.dumper.user = &d;
    if (structure_dumper_create(&d.dumper, device_sheet(r->device)->generation, &options)) {
        softgt_engine_state_commands(r->device, engine, &d, dump_structures_of);
        dump_structures_of(&d, e->name, e->dwords, e->length_dw);
    } else {
        r->no_memory = true;
    }
    structure_dumper_destroy(&d.dumper);
}

/* State as text, with the command that set each piece of it. */
struct described_state {
    const struct replaying *replaying;
    const struct open_draw *draw;
    const uint32_t *dw; /* the current command of the state; NULL: none */
    size_t length_dw;
};

static bool note_described(const void *user, const uint32_t *dwords, size_t length_dw)
{
    struct described_state *const *const d = user;
    (*d)->dw = dwords;
    (*d)->length_dw = length_dw;
    return true;
}

static void put_source(void *user, struct text *t)
{
    const struct described_state *const d = user;
    struct state_source parts[STATE_PARTS];
    char text[80];
    bool is_mixed;
    if (!d->dw)
        return;
    const struct source_command c =
        source_command(d->replaying, d->draw->engine, d->draw->record.context, d->dw, d->length_dw);
    const unsigned count = command_sources_find(&d->replaying->sources, &c, parts);
    const struct state_source *const source = state_source_last(parts, count, &is_mixed);
    if (!source)
        return;
    snprintf(text, sizeof text, "  (%sset by #%" PRIu64 " at %s:0x%" PRIx64, is_mixed ? "last " : "",
             source->number, d->draw->record.unit, source->address);
    text_string(t, text);
    if (is_mixed)
        state_sources_list(t, parts, count);
    text_char(t, ')');
}

/* The command, the state, and the kernels as text. */
static void describe(struct replaying *r, struct open_draw *o, const struct softgt_event *e)
{
    struct draw_view *const v = r->view;
    struct bases bases = r->bound.bases;
    struct described_state state = {.replaying = r, .draw = o}, *const described = &state;
    const struct dump_options options = {
        .no_address = true, .bases = &bases, .user = &state, .remark = put_source};
    struct dumper dumper;
    size_t length;
    if (!dumper_create(&dumper, softgt_command_set(r->device), &options)) {
        r->no_memory = true;
        return;
    }
    dump_command(&dumper, &v->command, device_sheet(r->device)->engines[o->engine].class, e->dwords,
                 e->length_dw, e->address, &length);
    state_dump(&v->state, r->device, o->engine, &dumper, note_described, &described);
    dumper_destroy(&dumper);
    for (unsigned n = 0; n < DRAW_KERNELS; n++) {
        const struct draw_kernel *const k = &o->record.kernels[n];
        const struct eu_listing how = {
            .indent = "", .one_program = true, .has_offsets = true, .current = SIZE_MAX};
        v->kernel_bytes[n] = k->known ? bound_kernel(&r->bound, k) : NULL;
        if (v->kernel_bytes[n])
            eu_disassemble_kernel(device_sheet(r->device)->eu, v->kernel_bytes[n], k->size_bytes, &how,
                                  &v->kernels[n], &length);
    }
}

static void begin_view(struct replaying *r, struct open_draw *o, const struct softgt_event *e)
{
    struct draw_view *const v = r->view;
    uint64_t left_bytes = CONTENTS_TOTAL_BYTES;
    const struct picture *const target = &o->record.target.picture;
    v->device = softgt_info(r->device);
    v->isa = device_sheet(r->device)->eu;
    describe(r, o, e);
    dump_structures(r, o->engine, e);
    if (!o->record.is_dispatch)
        draw_notes(&r->bound, &v->notes);
    for (unsigned n = 0; n < o->surface_count; n++) {
        struct draw_surface *const s = &o->surfaces[n];
        choose_picture(r->options, s);
        contents_keep(s, r->device, o->engine, &left_bytes);
        if (pictures_fit(r, draw_surface_width(s), draw_surface_height(s), 2))
            s->before = take_picture(r, o->engine, s);
    }
    r->no_memory |= !geometry_begin(&v->geometry, r->options->vertices);
    if (o->record.target.has_image && (uint64_t)target->width * target->height <= SURFACE_PICTURE_PIXELS)
        v->writes = calloc((size_t)target->width * target->height, sizeof *v->writes);
}

/* ---- Detail: what events tell ---- */

static bool names_state(const struct draw_surface *s, const struct softgt_sampling *p)
{
    return s->has_image && s->binding == p->binding &&
           memcmp(s->image.state.dw, p->surface_state, sizeof s->image.state.dw) == 0;
}

/* A surface that no binding table in the state has: a bindless one. NULL: there is no space for it. */
static struct draw_surface *add_sampled(struct replaying *r, struct open_draw *o,
                                        const struct softgt_sampling *p)
{
    struct image i;
    if (o->surface_count >= DRAW_VIEW_SURFACES ||
        !surface_image(r->device, o->engine, p->surface_state, false, &i))
        return NULL;
    struct draw_surface *const s = &o->surfaces[o->surface_count++];
    *s = (struct draw_surface){.stage = o->record.is_dispatch ? DRAW_CS : DRAW_PS,
                               .binding = p->binding,
                               .type = surface_value_name(&i.state, SURFACE_TYPE),
                               .format = surface_value_name(&i.state, SURFACE_FORMAT),
                               .picture = {.device = r->device,
                                           .engine = (int)o->engine,
                                           .address = i.surface.base,
                                           .width = i.width,
                                           .height = i.height,
                                           .pitch_bytes = i.surface.pitch_bytes,
                                           .tiling = (enum softgt_tiling)i.surface.tiling},
                               .has_image = true,
                               .image = i};
    return s;
}

static void take_sampling(struct replaying *r, struct open_draw *o, const struct softgt_sampling *p)
{
    struct draw_surface *s = NULL;
    if (!p->surface_state || p->length_dw < SURFACE_STATE_DW)
        return;
    for (unsigned n = 0; n < o->surface_count && !s; n++)
        s = names_state(&o->surfaces[n], p) ? &o->surfaces[n] : NULL;
    if (!s)
        s = add_sampled(r, o, p);
    if (!s)
        return;
    s->messages++;
    for (unsigned n = 0; n < s->sampler_count; n++)
        if (s->samplers[n] == p->sampler)
            return;
    if (s->sampler_count < DRAW_SAMPLERS)
        s->samplers[s->sampler_count++] = p->sampler;
}

static void take_fragment(struct draw_view *v, struct open_draw *o, const struct softgt_fragment *f)
{
    const struct picture *const target = &o->record.target.picture;
    v->steps[f->step]++;
    v->failed[f->step] += !f->passed;
    if (f->step != SOFTGT_FRAGMENT_WRITTEN || !f->address)
        return;
    for (unsigned n = 0; n < o->surface_count; n++)
        o->surfaces[n].is_target |= o->surfaces[n].stage == DRAW_PS && o->surfaces[n].binding == f->binding;
    if (!v->writes || f->binding != o->record.target.binding || f->x >= target->width ||
        f->y >= target->height)
        return;
    uint32_t *const writes = &v->writes[(size_t)f->y * target->width + f->x];
    ++*writes;
    v->most_writes = *writes > v->most_writes ? *writes : v->most_writes;
}

static void view_event(struct replaying *r, struct open_draw *o, const struct softgt_event *e)
{
    const struct thread_dispatcher *const d = device_dispatcher(r->device, o->engine);
    if (e->fragment)
        take_fragment(r->view, o, e->fragment);
    else if (e->sampling)
        take_sampling(r, o, e->sampling);
    else if (e->what == SOFTGT_TRACE_MEMORY)
        for (unsigned n = 0; n < o->surface_count; n++)
            contents_store(&o->surfaces[n], e);
    else if (d && (e->vertex || e->primitive))
        geometry_event(&r->view->geometry, e, &d->draws->draw.state);
}

/* ---- Detail: what there is when the draw ends ---- */

/* Levels and layers of a texture, as many as fit. */
static void take_levels(struct replaying *r, unsigned engine, struct draw_surface *s)
{
    enum { LAYERS = 6 };
    struct image i;
    if (!surface_image(r->device, engine, s->image.state.dw, false, &i))
        return;
    s->image = i;
    const uint32_t levels = i.samples_log2 ? 1 : surface_field(&i.state, SURFACE_MIP_COUNT_LOD) + 1u;
    for (uint32_t level = 0; level < levels && s->level_count < DRAW_LEVELS; level++) {
        const uint32_t layers = image_level_layers(&i, level);
        for (uint32_t layer = 0; layer < layers && layer < LAYERS && s->level_count < DRAW_LEVELS; layer++) {
            struct image of_level = i;
            of_level.depth = layers;
            image_select_level(&of_level, level);
            if ((uint64_t)of_level.width * of_level.height > TEXTURE_PIXELS ||
                !pictures_fit(r, of_level.width, of_level.height, 1))
                break;
            uint8_t *const rgba = surface_picture(r->device, engine, &of_level, layer, s->sample);
            if (rgba)
                s->levels[s->level_count++] =
                    (struct draw_level){level, layer, of_level.width, of_level.height, rgba};
        }
    }
}

static void dump_samplers(struct replaying *r, struct open_draw *o)
{
    const struct dump_options options = {.no_address = true, .json = r->options->json};
    const uint16_t number = structure_find(&r->bound.structures, SAMPLER_STATE);
    struct dumper dumper;
    if (!number || !dumper_create(&dumper, &r->bound.structures, &options))
        return;
    for (unsigned n = 0; n < o->surface_count; n++)
        for (unsigned i = 0; i < o->surfaces[n].sampler_count; i++) {
            uint32_t dw[SAMPLER_STATE_DW] = {0};
            char through[64];
            const bool good =
                softgt_ppgtt_read(r->device, o->engine, o->surfaces[n].samplers[i], dw, sizeof dw);
            snprintf(through, sizeof through, "surface %u of %s", o->surfaces[n].binding,
                     draw_stage_names[o->surfaces[n].stage]);
            dump_structure(&dumper, &r->view->samplers,
                           &(struct dump_structure){.number = number,
                                                    .depth = 1,
                                                    .index = -1,
                                                    .address_known = true,
                                                    .address = o->surfaces[n].samplers[i],
                                                    .command_address = o->record.address,
                                                    .through = through,
                                                    .missing = good ? NULL : "not readable",
                                                    .dw = dw});
        }
    dumper_destroy(&dumper);
}

static void end_view(struct replaying *r, struct open_draw *o)
{
    struct draw_view *const v = r->view;
    for (unsigned n = 0; n < o->surface_count; n++) {
        struct draw_surface *const s = &o->surfaces[n];
        contents_compare(s, r->device, o->engine);
        if (s->messages && !s->is_target) {
            free(s->before);
            s->before = NULL;
            take_levels(r, o->engine, s);
        } else if (s->before) {
            s->after = take_picture(r, o->engine, s);
        }
    }
    dump_samplers(r, o);
    v->record = o->record;
    memcpy(v->surfaces, o->surfaces, sizeof v->surfaces);
    v->surface_count = o->surface_count;
}

/* ---- Begin and end ---- */

/* The events that the replay needs. */
static void select_events(struct replaying *r)
{
    unsigned mask = SOFTGT_TRACE_COMMANDS | TRACKED_EVENTS | SOFTGT_TRACE_COMPLAINTS | SOFTGT_TRACE_DRAWS;
    if (r->options->has_pixel && !r->collects)
        mask |= SOFTGT_TRACE_MEMORY;
    for (unsigned n = 0; n < OPEN_DRAWS; n++) {
        const struct open_draw *const o = &r->open[n];
        if (o->is_open && o->record.number == r->options->at)
            mask |= TRACE_DRAW_DETAILS | SOFTGT_TRACE_MEMORY;
        if (o->is_open && (o->watch.is_on || o->names_target))
            mask |= SOFTGT_TRACE_FRAGMENTS;
        if (o->is_open && !r->options->has_pixel)
            mask |= HAZARD_EVENTS;
    }
    softgt_set_trace_mask(r->device, mask);
}

static void begin_pixel(struct replaying *r, struct open_draw *o)
{
    const struct draws_options *const options = r->options;
    const struct draw_surface *const s =
        find_attachment(&options->pixel, &r->targets, &o->record, o->surfaces, o->surface_count);
    o->watch = (struct pixel_watch){
        .device = r->device,
        .engine = o->engine,
        .choice = &options->pixel,
        .record = &o->record,
        .blend_state = r->bound.structures.rows[structure_find(&r->bound.structures, BLEND_STATE)],
        .step = options->step,
        .user = options->user};
    if (s)
        pixel_watch_begin(&o->watch, s);
    r->has_attachment |= s != NULL;
    if (!r->collects) {
        stored_places_take_cleared(&r->places, &o->watch);
        return;
    }
    stored_places_add(&r->places, &o->watch);
    o->watch.is_on = false;
}

static void number_writers(const struct replaying *r, struct draw_record *record)
{
    for (unsigned n = 0; n < record->hazard_count; n++) {
        struct draw_hazard *const h = &record->hazards[n];
        h->writer_command = h->writer && h->writer <= r->draw_capacity ? r->draw_commands[h->writer - 1u] : 0;
    }
}

static void end_draw(struct replaying *r, struct open_draw *o)
{
    const struct draws_options *const options = r->options;
    if (!o->is_open)
        return;
    if (r->collects && !o->record.is_dispatch)
        begin_pixel(r, o);
    count(r, &o->record, o->engine, false);
    number_writers(r, &o->record);
    if (options->at && o->record.number == options->at)
        end_view(r, o);
    pixel_watch_end(&o->watch);
    stored_places_put_cleared(&r->places, &o->watch);
    for (unsigned n = 0; n < o->watch.count && options->touched; n++) {
        const struct sample_watch *const s = &o->watch.samples[n];
        if (o->watch.is_on && s->is_stored)
            options->touched(options->user, &(struct pixel_change){.record = &o->record,
                                                                   .sample = s->sample,
                                                                   .was_cleared = s->was_cleared,
                                                                   .before = s->first,
                                                                   .after = s->last,
                                                                   .format = s->place.format});
    }
    o->is_open = false;
    stored_places_read(&r->places, r->device, o->engine);
    if (options->ended && !r->collects)
        options->ended(options->user, &o->record);
    select_events(r);
}

/* The open draw of the context on the engine; NULL: there is none. */
static struct open_draw *find_open(struct replaying *r, unsigned engine, uint64_t context)
{
    for (unsigned n = 0; n < OPEN_DRAWS; n++)
        if (r->open[n].is_open && r->open[n].engine == engine && r->open[n].record.context == context)
            return &r->open[n];
    return NULL;
}

/* A draw that begins takes the place of one whose end was never told, if there is no other. */
static struct open_draw *find_closed(struct replaying *r)
{
    for (unsigned n = 0; n < OPEN_DRAWS; n++)
        if (!r->open[n].is_open)
            return &r->open[n];
    end_draw(r, &r->open[0]);
    return &r->open[0];
}

/* Notes the number of the command of the draw that begins. */
static void note_command(struct replaying *r)
{
    enum { FIRST = 1024 };
    if (r->count > r->draw_capacity) {
        const size_t capacity = r->draw_capacity ? r->draw_capacity * 2 : (size_t)FIRST;
        uint64_t *const list = realloc(r->draw_commands, capacity * sizeof *list);
        r->no_memory |= !list;
        if (!list)
            return;
        r->draw_commands = list;
        r->draw_capacity = capacity;
    }
    r->draw_commands[r->count - 1u] = r->commands;
}

static void begin_draw(struct replaying *r, unsigned engine, uint64_t context,
                       const struct softgt_event *event)
{
    struct open_draw *const o = find_closed(r);
    struct draw_record *const record = &o->record;
    unsigned binding;
    const struct command *const row = device_command_row(r->device, engine, event->dwords[0]);
    *record = (struct draw_record){.number = ++r->count,
                                   .unit = event->unit,
                                   .name = event->name,
                                   .is_dispatch = command_is_dispatch(event->name),
                                   .address = event->address,
                                   .context = context,
                                   .command = r->commands,
                                   .submission = r->tracker.position.submission,
                                   .offset = r->tracker.position.offset};
    note_command(r);
    const struct field *const topology = named_field(row, "Primitive Topology Type");
    record->topology =
        topology ? field_value_name(topology, field_get(topology, event->dwords, event->length_dw)) : NULL;
    record->vertices_per_instance =
        size_of(r, row, event, "Vertex Count Per Instance", "3DPRIM_VERTEX_COUNT");
    record->instances = size_of(r, row, event, "Instance Count", "3DPRIM_INSTANCE_COUNT");
    static const char *const dimensions[][2] = {{"Thread Group ID X Dimension", "GPGPU_DISPATCHDIMX"},
                                                {"Thread Group ID Y Dimension", "GPGPU_DISPATCHDIMY"},
                                                {"Thread Group ID Z Dimension", "GPGPU_DISPATCHDIMZ"}};
    for (unsigned n = 0; n < 3 && record->is_dispatch; n++)
        record->groups[n] = size_of(r, row, event, dimensions[n][0], dimensions[n][1]);
    memset(o->surfaces, 0, sizeof o->surfaces);
    bound_read(&r->bound, engine, record, o->surfaces, event);
    o->surface_count = r->bound.surface_count;
    o->engine = engine;
    o->watch.is_on = false;
    o->watch.count = 0;
    count(r, record, engine, true);
    o->is_open = true;
    const struct hazard_place place = hazard_place(r, engine, context);
    hazards_begin(&r->hazards, &place, record);
    if (record->number == r->options->at)
        begin_view(r, o, event);
    else if (r->options->has_pixel && !r->collects && !record->is_dispatch)
        begin_pixel(r, o);
    o->names_target = r->collects && !record->is_dispatch && r->options->pixel.attachment < RENDER_TARGETS &&
                      !target_bindings_find(&r->targets, record, &binding);
    select_events(r);
}

/* ---- Events ---- */

/* A store that is no open draw's to its own pixel: of a dispatch, a blit, another command. */
static void take_store(struct replaying *r, unsigned engine, const struct open_draw *o,
                       const struct softgt_event *e)
{
    struct pixel_step *const step = &r->command;
    if (!r->options->has_pixel || r->collects || (!o && engine != r->command_engine))
        return;
    step->record = o ? &o->record : NULL;
    step->unit = e->unit;
    if (o) {
        step->name = o->record.name;
        step->address = o->record.address;
    }
    stored_places_event(&r->places, r->device, engine, e, step, r->options->step, r->options->user);
}

/* What the last command has done is known when the next one is parsed; between submissions the CPU writes. */
static void follow_command(struct replaying *r, unsigned engine, const struct softgt_event *e)
{
    const uint64_t submission = r->tracker.position.submission;
    if (r->command.name && engine == r->command_engine && submission == r->command_submission)
        stored_places_compare(&r->places, r->device, engine, &r->command, r->options->step, r->options->user);
    else
        stored_places_read(&r->places, r->device, engine);
    r->command = (struct pixel_step){.unit = e->unit, .name = e->name, .address = e->address};
    r->command_engine = engine;
    r->command_submission = submission;
}

static void take_command(struct replaying *r, unsigned engine, const struct softgt_event *e)
{
    const uint64_t context = context_of(r, e->unit);
    struct open_draw *const o = find_open(r, engine, context);
    if (o) /* it stopped at a fault, or was abandoned */
        end_draw(r, o);
    const bool is_executed = e->kind == SOFTGT_EVENT_COMMAND && e->name;
    r->commands++;
    if (is_executed && r->count < r->options->at) {
        const struct source_command c = source_command(r, engine, context, e->dwords, e->length_dw);
        r->no_memory |= !command_sources_note(&r->sources, &c, r->commands, e->address);
    }
    if (r->options->has_pixel && !r->collects)
        follow_command(r, engine, e);
    const struct hazard_place place = hazard_place(r, engine, context);
    if (is_executed && !r->options->has_pixel)
        r->no_memory |= !hazards_command(&r->hazards, &place, e);
    if (command_is_counted(e))
        begin_draw(r, engine, context, e);
}

/* The first write to the target that the history is of. */
static void take_target(struct replaying *r, const struct open_draw *o, const struct softgt_fragment *f)
{
    if (f->step == SOFTGT_FRAGMENT_WRITTEN && f->target == r->options->pixel.attachment && f->address)
        target_bindings_add(&r->targets, &o->record, f);
}

static void on_event(void *user, const struct softgt_event *e)
{
    struct replaying *const r = user;
    position_tracker_event(&r->tracker, e);
    const int engine =
        r->device ? sheet_engine_find(device_sheet(r->device), e->unit) : -1; /* it is being created */
    if (engine < 0)
        return;
    if (e->what == SOFTGT_TRACE_COMMANDS) {
        if (!e->is_late && e->length_dw)
            take_command(r, (unsigned)engine, e);
        return;
    }
    struct open_draw *const o = find_open(r, (unsigned)engine, context_of(r, e->unit));
    if (e->what == SOFTGT_TRACE_MEMORY && (!o || !o->watch.is_on))
        take_store(r, (unsigned)engine, o, e);
    if (!o)
        return;
    const struct hazard_place place = hazard_place(r, (unsigned)engine, o->record.context);
    hazards_event(&r->hazards, &place, &o->record, o->surfaces, o->surface_count, e);
    const struct thread_dispatcher *const d = device_dispatcher(r->device, (unsigned)engine);
    if (d && (e->vertex || e->primitive))
        geometry_note_faults(&o->record.faults, e, &d->draws->draw.state);
    if (e->what == SOFTGT_TRACE_COMPLAINTS && !*o->record.complaint)
        snprintf(o->record.complaint, sizeof o->record.complaint, "%s", e->text ? e->text : e->name);
    else if (e->what == SOFTGT_TRACE_DRAWS && e->address == o->record.address) {
        snprintf(o->record.not_drawn, sizeof o->record.not_drawn, "%s", e->text ? e->text : "");
        end_draw(r, o);
    } else if (o->record.number == r->options->at)
        view_event(r, o, e);
    else if (o->names_target && e->fragment)
        take_target(r, o, e->fragment);
    else
        pixel_watch_event(&o->watch, e);
}

/* ---- All ---- */

static bool begin_replay(void *user, struct softgt *device)
{
    struct replaying *const r = user;
    r->device = device;
    r->no_memory = !bound_create(&r->bound, device);
    select_events(r);
    return !r->no_memory;
}

static void on_finished(void *user, struct softgt *device)
{
    struct replaying *const r = user;
    for (unsigned n = 0; n < OPEN_DRAWS; n++)
        end_draw(r, &r->open[n]);
    if (r->options->finished)
        r->options->finished(r->options->user, device, r->result);
}

static void pass_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    const struct replaying *const r = user;
    if (r->options->message && !r->collects)
        r->options->message(r->options->user, kind, offset, text);
}

static enum replay_outcome replay_once(struct replaying *r)
{
    struct replay_result result;
    struct replay_options with = *r->options->replay;
    memset(r->open, 0, sizeof r->open);
    r->result = &result;
    r->device = NULL;
    r->count = r->commands = 0;
    r->tracker = (struct position_tracker){.is_trace = true};
    with.position = &r->tracker.position;
    with.trace = (struct softgt_trace_port){
        r, SOFTGT_TRACE_COMMANDS | TRACKED_EVENTS | SOFTGT_TRACE_COMPLAINTS, on_event};
    with.user = r;
    with.message = pass_message;
    with.started = begin_replay;
    with.finished = on_finished;
    const enum replay_outcome outcome =
        replay_memory(r->options->trace, r->options->trace_bytes, &with, &result);
    bound_destroy(&r->bound);
    r->bound = (struct bound){0};
    hazards_free(&r->hazards);
    return outcome;
}

enum replay_outcome draws_replay(const struct draws_options *options, struct draw_view *view)
{
    struct replaying *const r = calloc(1, sizeof *r);
    *view = (struct draw_view){0};
    if (!r) {
        options->message(options->user, REPLAY_ERROR, REPLAY_NO_OFFSET, "out of memory");
        return REPLAY_UNUSABLE;
    }
    r->options = options;
    r->view = view;
    if (options->has_pixel) {
        r->collects = true;
        (void)replay_once(r);
        r->collects = false;
    }
    const enum replay_outcome outcome = replay_once(r);
    view->has_attachment = r->has_attachment;
    view->has_pixel = r->places.count != 0;
    command_sources_free(&r->sources);
    free(r->draw_commands);
    free(r);
    return outcome;
}

void draw_view_free(struct draw_view *v)
{
    for (unsigned n = 0; n < v->surface_count; n++) {
        free(v->surfaces[n].before);
        free(v->surfaces[n].after);
        for (unsigned i = 0; i < v->surfaces[n].level_count; i++)
            free(v->surfaces[n].levels[i].rgba);
    }
    for (unsigned n = 0; n < DRAW_KERNELS; n++) {
        text_free(&v->kernels[n]);
        free(v->kernel_bytes[n]);
    }
    text_free(&v->command);
    text_free(&v->state);
    text_free(&v->structures);
    text_free(&v->samplers);
    text_free(&v->notes);
    geometry_free(&v->geometry);
    free(v->writes);
    *v = (struct draw_view){0};
}
