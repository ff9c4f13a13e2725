#include "draws/history.h"

#include "dispatcher/dispatcher.h"
#include "pipeline3d/draw_work.h"
#include "stream/names.h"
#include "structures/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const pixel_step_names[SOFTGT_FRAGMENT_STEPS] = {
    [SOFTGT_FRAGMENT_COVERED] = "covered",
    [SOFTGT_FRAGMENT_SAMPLE_MASK] = "sample mask",
    [SOFTGT_FRAGMENT_DEPTH_BOUNDS] = "depth bounds test",
    [SOFTGT_FRAGMENT_STENCIL] = "stencil test",
    [SOFTGT_FRAGMENT_DEPTH] = "depth test",
    [SOFTGT_FRAGMENT_ALPHA] = "alpha test",
    [SOFTGT_FRAGMENT_OUTPUT_MASK] = "output mask of the shader",
    [SOFTGT_FRAGMENT_ALPHA_TO_COVERAGE] = "alpha to coverage",
    [SOFTGT_FRAGMENT_KILLED] = "discarded by the shader",
    [SOFTGT_FRAGMENT_WRITTEN] = "written",
    [SOFTGT_FRAGMENT_CLEARED] = "fast clear of the level",
};

/* ---- Which samples ---- */

bool target_bindings_find(const struct target_bindings *t, const struct draw_record *record,
                          unsigned *binding)
{
    for (unsigned n = 0; n < t->count; n++)
        if (t->kernel[n].kernel_sum == record->kernels[DRAW_PS].sum) {
            *binding = t->kernel[n].binding;
            return true;
        }
    return false;
}

void target_bindings_add(struct target_bindings *t, const struct draw_record *record,
                         const struct softgt_fragment *fragment)
{
    unsigned known;
    if (t->count < TARGET_KERNELS && !target_bindings_find(t, record, &known))
        t->kernel[t->count++] = (struct target_binding){record->kernels[DRAW_PS].sum, fragment->binding};
}

const struct draw_surface *find_attachment(const struct pixel_choice *choice,
                                           const struct target_bindings *targets,
                                           const struct draw_record *record,
                                           const struct draw_surface *surfaces, unsigned count)
{
    unsigned binding = 0;
    if (choice->attachment >= RENDER_TARGETS)
        binding = choice->attachment == ATTACHMENT_DEPTH ? DRAW_DEPTH : DRAW_STENCIL;
    else if (!target_bindings_find(targets, record, &binding) && choice->attachment)
        return NULL;
    for (unsigned n = 0; n < count; n++)
        if (surfaces[n].stage == DRAW_PS && surfaces[n].binding == binding && !surfaces[n].is_buffer)
            return &surfaces[n];
    return NULL;
}

/* The first layer of the view, and its level. */
static void place_of_view(struct softgt *device, unsigned engine, const struct draw_surface *s,
                          uint32_t *first_layer, uint32_t *level)
{
    struct depth_stencil ds;
    unsigned samples_log2;
    *first_layer = *level = 0;
    if (s->has_image) {
        *first_layer = surface_field(&s->image.state, SURFACE_MINIMUM_ARRAY_ELEMENT);
        *level = s->image.level;
    } else if (depth_state(device, engine, &ds, &samples_log2)) {
        *first_layer = (s->binding == DRAW_DEPTH ? &ds.depth : &ds.stencil)->first_element;
        *level = depth_level(device, engine);
    }
}

static bool find_place(const struct pixel_watch *w, const struct draw_surface *s, unsigned sample,
                       struct pixel_place *place)
{
    const uint32_t at[3] = {w->choice->x, w->choice->y, w->layer};
    struct depth_stencil ds;
    unsigned samples_log2;
    if (s->has_image)
        return surface_place(&s->image, at, sample, place);
    return depth_state(w->device, w->engine, &ds, &samples_log2) &&
           depth_buffer_place(&ds, s->binding == DRAW_STENCIL, samples_log2, at, sample, place);
}

void pixel_watch_begin(struct pixel_watch *w, const struct draw_surface *s)
{
    const struct pixel_choice *const c = w->choice;
    uint32_t first_layer, level;
    if (c->address && c->address != s->picture.address)
        return;
    place_of_view(w->device, w->engine, s, &first_layer, &level);
    if ((c->level != PIXEL_ANY && (uint32_t)c->level != level) ||
        (c->layer != PIXEL_ANY && (uint32_t)c->layer < first_layer))
        return;
    w->layer = c->layer == PIXEL_ANY ? 0 : (uint32_t)c->layer - first_layer;
    w->surface = s->picture.address;
    w->binding = s->binding;
    for (unsigned n = 0; n < SAMPLES; n++) {
        struct sample_watch *const to = &w->samples[w->count];
        if (c->sample != PIXEL_ANY && (unsigned)c->sample != n)
            continue;
        *to = (struct sample_watch){.sample = n};
        if (!find_place(w, s, n, &to->place))
            continue;
        (void)place_read(w->device, w->engine, &to->place,
                         &to->last); /* what was never written may be absent */
        to->first = to->last;
        w->count++;
    }
    w->is_on = w->count != 0;
}

/* ---- Steps ---- */

static struct sample_watch *find_sample(struct pixel_watch *w, unsigned sample)
{
    for (unsigned n = 0; n < w->count; n++)
        if (w->samples[n].sample == sample)
            return &w->samples[n];
    return NULL;
}

/* What a test of the current draw compares by. */
static const char *function_of(const struct pixel_watch *w, enum softgt_fragment_step step)
{
    const struct thread_dispatcher *const d = device_dispatcher(w->device, w->engine);
    if (!d)
        return NULL;
    const struct output_merger_state *const om = &d->draws->draw.state.om;
    const struct field functions = {.values = values_shadow_function};
    return step == SOFTGT_FRAGMENT_DEPTH ? field_value_name(&functions, om->depth_stencil.depth_test_function)
           : step == SOFTGT_FRAGMENT_STENCIL
               ? field_value_name(&functions, om->depth_stencil.side[w->is_back_facing].test_function)
           : step == SOFTGT_FRAGMENT_ALPHA ? field_value_name(&functions, om->alpha_test_function)
                                           : NULL;
}

static void tell(struct pixel_watch *w, struct pixel_step *step)
{
    if (step->fragment)
        step->function = function_of(w, step->fragment->step);
    step->record = w->record;
    step->unit = w->record->unit;
    step->name = w->record->name;
    step->address = w->record->address;
    step->number = ++w->steps;
    step->surface = w->surface;
    step->has_primitive = w->has_primitive;
    step->is_back_facing = w->is_back_facing;
    step->primitive = w->primitive;
    step->instance = w->instance;
    if (w->step)
        w->step(w->user, step);
}

/* Gives a step the sample's value before its store, and after it. */
static void take_values(const struct pixel_watch *w, struct sample_watch *s, struct pixel_step *step)
{
    step->has_values = true;
    step->before = s->last;
    step->is_cleared = s->is_cleared;
    step->format = s->place.format;
    if (s->is_pending)
        s->last = s->stored;
    else
        (void)place_read(w->device, w->engine, &s->place, &s->last);
    step->after = s->last;
    s->is_pending = s->is_cleared = false;
}

static void tell_pending(struct pixel_watch *w, const struct sample_watch *but)
{
    for (unsigned n = 0; n < w->count; n++) {
        struct sample_watch *const s = &w->samples[n];
        struct pixel_step step = {.kind = PIXEL_STORE, .sample = s->sample};
        if (!s->is_pending || s == but)
            continue;
        take_values(w, s, &step);
        tell(w, &step);
    }
}

/* ---- Blending ---- */

enum { EQUATION = 80, BLENDING = 240 };

static const char *name_of(const struct command *row, const char *field, uint64_t value)
{
    const struct field *const f = field_by_name(row->group, row->group_count, field);
    const char *const name = f ? field_value_name(f, value) : NULL;
    return name ? name : "?";
}

static void put_equation(const struct command *row, unsigned function, unsigned source, unsigned destination,
                         char text[EQUATION])
{
    const char *const s = name_of(row, "Source Blend Factor", source), *const d = name_of(
                                                                           row, "Destination Blend Factor",
                                                                           destination);
    if (function == BLENDFUNCTION_MIN || function == BLENDFUNCTION_MAX)
        snprintf(text, EQUATION, "%s(s, d)", name_of(row, "Color Blend Function", function));
    else if (function == BLENDFUNCTION_REVERSE_SUBTRACT)
        snprintf(text, EQUATION, "%s*d - %s*s", d, s);
    else
        snprintf(text, EQUATION, "%s*s %c %s*d", s, function == BLENDFUNCTION_SUBTRACT ? '-' : '+', d);
}

/* How what the shader gave (s) and what was there (d) make the target's new value. */
static const char *blend_text(const struct pixel_watch *w, const struct softgt_format *format,
                              char text[BLENDING])
{
    const struct thread_dispatcher *const d = device_dispatcher(w->device, w->engine);
    const struct command *const row = w->blend_state;
    char color[EQUATION], alpha[EQUATION], mask[5] = "RGBA";
    if (!d || !row || !row->group)
        return NULL;
    const struct render_target_blend *const how = &d->draws->draw.state.om.blend[w->choice->attachment];
    const bool is_integer = format && (format->part[0].kind == SOFTGT_COMPONENT_UINT ||
                                       format->part[0].kind == SOFTGT_COMPONENT_SINT);
    put_equation(row, how->color_function, how->color_source_factor, how->color_destination_factor, color);
    put_equation(row, how->alpha_function, how->alpha_source_factor, how->alpha_destination_factor, alpha);
    for (unsigned n = 0; n < 4; n++)
        if (!(how->write_mask >> n & 1u))
            mask[n] = '-';
    const char *const more = how->write_mask == WRITE_ALL ? "" : ", mask ", *const which = *more ? mask : "";
    if (how->logic_op < LOGIC_OP_NONE)
        snprintf(text, BLENDING, "logic op %s%s%s", name_of(row, "Logic Op Function", how->logic_op), more,
                 which);
    else if (!how->enabled || is_integer)
        snprintf(text, BLENDING, "none%s%s", more, which);
    else if (strcmp(color, alpha) != 0)
        snprintf(text, BLENDING, "color %s, alpha %s%s%s", color, alpha, more, which);
    else
        snprintf(text, BLENDING, "%s%s%s", color, more, which);
    return text;
}

static void take_fragment(struct pixel_watch *w, const struct softgt_fragment *f)
{
    struct sample_watch *const s = find_sample(w, f->sample);
    struct pixel_step step = {.kind = PIXEL_FRAGMENT, .fragment = f, .sample = f->sample};
    const bool is_clear = f->step == SOFTGT_FRAGMENT_CLEARED;
    char blend[BLENDING];
    if (is_clear
            ? f->layer != w->layer || w->choice->attachment || w->choice->x >= f->x || w->choice->y >= f->y
            : f->x != w->choice->x || f->y != w->choice->y || f->layer != w->layer || !s) {
        tell_pending(w, NULL);
        return;
    }
    const bool is_color = w->choice->attachment < RENDER_TARGETS,
               is_written = f->step == SOFTGT_FRAGMENT_WRITTEN,
               is_here = is_written && s && f->target == w->choice->attachment && f->binding == w->binding;
    if (is_written && is_color && !is_here)
        return;
    tell_pending(w, is_here ? s : NULL);
    if (is_here) {
        if (is_color)
            step.blend = blend_text(w, s->place.format, blend);
        s->is_stored = true;
        take_values(w, s, &step);
    }
    for (unsigned n = 0; is_clear && n < w->count; n++)
        w->samples[n].is_cleared = true;
    tell(w, &step);
}

/* Whether the center of the pixel is inside the triangle, all of whose vertices are in front of the eye. */
static bool has_center(const struct softgt_primitive *p, double x, double y)
{
    double sides[3] = {0};
    if (p->vertices != 3)
        return false;
    for (unsigned n = 0; n < 3; n++) {
        const double *const a = p->screen[n], *const b = p->screen[(n + 1) % 3];
        if (!(a[3] > 0) || !isfinite(a[0]) || !isfinite(a[1]))
            return false;
        sides[n] = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
    }
    return (sides[0] > 0 && sides[1] > 0 && sides[2] > 0) || (sides[0] < 0 && sides[1] < 0 && sides[2] < 0);
}

static void take_primitive(struct pixel_watch *w, const struct softgt_primitive *p)
{
    enum { LEFT, TOP, RIGHT, BOTTOM };
    const int64_t x = w->choice->x, y = w->choice->y;
    const bool scissored =
        x < p->scissor[LEFT] || x >= p->scissor[RIGHT] || y < p->scissor[TOP] || y >= p->scissor[BOTTOM];
    struct pixel_step step = {.kind = PIXEL_SCISSOR};
    tell_pending(w, NULL);
    w->has_primitive = true;
    w->is_back_facing = p->is_back_facing;
    w->primitive = p->number;
    w->instance = p->instance;
    if (scissored && p->layer == w->layer &&
        (p->fate == SOFTGT_PRIMITIVE_VISIBLE || p->fate == SOFTGT_PRIMITIVE_SCISSORED) &&
        has_center(p, (double)x + 1.0 / 2, (double)y + 1.0 / 2))
        tell(w, &step);
}

static bool is_stored(const struct pixel_place *p, const struct softgt_event *e)
{
    return event_stores_to(e, p->address, p->bytes);
}

void pixel_watch_event(struct pixel_watch *w, const struct softgt_event *e)
{
    if (!w->is_on)
        return;
    if (e->fragment)
        take_fragment(w, e->fragment);
    else if (e->primitive)
        take_primitive(w, e->primitive);
    for (unsigned n = 0; e->what == SOFTGT_TRACE_MEMORY && n < w->count; n++)
        if (is_stored(&w->samples[n].place, e)) {
            if (w->samples[n].is_pending)
                tell_pending(w, NULL);
            w->samples[n].is_pending = w->samples[n].is_stored = true;
            (void)place_read(w->device, w->engine, &w->samples[n].place, &w->samples[n].stored);
        }
}

void pixel_watch_end(struct pixel_watch *w)
{
    if (w->is_on)
        tell_pending(w, NULL);
}

/* ---- Other commands ---- */

static unsigned find_stored(const struct stored_places *p, const struct sample_watch *s)
{
    unsigned n = 0;
    while (n < p->count && p->watch[n].place.address != s->place.address)
        n++;
    return n;
}

void stored_places_add(struct stored_places *p, const struct pixel_watch *w)
{
    for (unsigned n = 0; n < w->count; n++)
        if (find_stored(p, &w->samples[n]) == p->count && p->count < STORED_PLACES)
            p->watch[p->count++] =
                (struct sample_watch){.place = w->samples[n].place, .sample = w->samples[n].sample};
}

void stored_places_take_cleared(const struct stored_places *p, struct pixel_watch *w)
{
    for (unsigned n = 0; n < w->count; n++) {
        const unsigned at = find_stored(p, &w->samples[n]);
        w->samples[n].is_cleared = w->samples[n].was_cleared = at < p->count && p->watch[at].is_cleared;
    }
}

void stored_places_put_cleared(struct stored_places *p, const struct pixel_watch *w)
{
    for (unsigned n = 0; n < w->count; n++) {
        const unsigned at = find_stored(p, &w->samples[n]);
        if (at < p->count)
            p->watch[at].is_cleared = w->samples[n].is_cleared;
    }
}

void stored_places_read(struct stored_places *p, struct softgt *device, unsigned engine)
{
    for (unsigned n = 0; n < p->count; n++)
        (void)place_read(device, engine, &p->watch[n].place, &p->watch[n].last);
}

static void tell_place(struct stored_places *p, unsigned n, union softgt_color now, struct pixel_step *step,
                       void (*told)(void *user, const struct pixel_step *step), void *user)
{
    struct sample_watch *const s = &p->watch[n];
    step->kind = PIXEL_STORE;
    step->sample = s->sample;
    step->has_values = true;
    step->before = s->last;
    step->is_cleared = s->is_cleared;
    step->after = s->last = now;
    step->format = s->place.format;
    step->number++;
    s->is_cleared = false;
    if (told)
        told(user, step);
}

void stored_places_event(struct stored_places *p, struct softgt *device, unsigned engine,
                         const struct softgt_event *e, struct pixel_step *step,
                         void (*told)(void *user, const struct pixel_step *step), void *user)
{
    union softgt_color now;
    for (unsigned n = 0; n < p->count; n++)
        if (is_stored(&p->watch[n].place, e) && place_read(device, engine, &p->watch[n].place, &now))
            tell_place(p, n, now, step, told, user);
}

void stored_places_compare(struct stored_places *p, struct softgt *device, unsigned engine,
                           struct pixel_step *step, void (*told)(void *user, const struct pixel_step *step),
                           void *user)
{
    union softgt_color now;
    for (unsigned n = 0; n < p->count; n++)
        if (place_read(device, engine, &p->watch[n].place, &now) &&
            memcmp(now.u, p->watch[n].last.u, sizeof now.u) != 0)
            tell_place(p, n, now, step, told, user);
}
