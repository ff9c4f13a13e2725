/* softgt draws: the draws and dispatches of a trace. */
#include "fail_on.h"
#include "input.h"
#include "tool.h"

#include "draws/draws.h"
#include "host/files.h"
#include "host/output.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

struct draws_arguments {
    const char *file, *device, *page, *folder;
    bool json, force, no_translation, has_pixel;
    uint64_t at, memory_limit, budget, vertices;
    struct pixel_choice pixel;
    struct fail_on fail_on;
};

struct draws_run {
    const struct draws_arguments *arguments;
    uint64_t count, steps;
    bool failed;
    struct fail_on fail_on;
};

/* ---- The table ---- */

static void surface_text(const struct draw_surface *s, char *text, size_t size)
{
    if (!s->type)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%ux%u %s 0x%llx", s->picture.width, s->picture.height,
                 s->format ? s->format : "?", (unsigned long long)s->picture.address);
}

static void kernels_text(const struct draw_record *r, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned n = 0; n < DRAW_KERNELS && at < size; n++) {
        char name[DRAW_KERNEL_NAME];
        if (!r->kernels[n].known)
            continue;
        draw_kernel_name(&r->kernels[n], name);
        at += (size_t)snprintf(text + at, size - at, "%s%s:%08x", at ? " " : "", name, r->kernels[n].sum);
    }
}

static void show_row(const struct draw_record *r)
{
    char kernels[160], target[120], what[80];
    kernels_text(r, kernels, sizeof kernels);
    surface_text(&r->target, target, sizeof target);
    if (r->is_dispatch)
        snprintf(what, sizeof what, "%llux%llux%llu groups", (unsigned long long)r->groups[0],
                 (unsigned long long)r->groups[1], (unsigned long long)r->groups[2]);
    else
        snprintf(what, sizeof what, "%s %llu x %llu", r->topology ? r->topology : "?",
                 (unsigned long long)r->vertices_per_instance, (unsigned long long)r->instances);
    char command[24], place[40];
    snprintf(command, sizeof command, "#%llu", (unsigned long long)r->command);
    snprintf(place, sizeof place, "%s:0x%llx", r->unit, (unsigned long long)r->address);
    printf("%5llu  %-7s %-23s %-24s %7llu %9llu %10llu  %-40s %s\n", (unsigned long long)r->number, command,
           place, what, (unsigned long long)r->count[DRAW_PRIMITIVES],
           (unsigned long long)r->count[DRAW_PASSED], (unsigned long long)r->instructions, target, kernels);
    if (*r->complaint)
        printf("       %s\n", r->complaint);
    for (unsigned n = 0; n < GEOMETRY_FAULT_KINDS; n++) {
        char text[GEOMETRY_FAULT_TEXT];
        if (geometry_fault_text(&r->faults, n, text))
            printf("       draw %llu: %s\n", (unsigned long long)r->number, text);
    }
    for (unsigned n = 0; n < r->hazard_count; n++) {
        char text[HAZARD_TEXT];
        draw_hazard_text(r, &r->hazards[n], text);
        printf("       hazard: %s\n", text);
    }
}

static struct json_object *surface_json(const struct draw_surface *s)
{
    struct json_object *const o = json_empty();
    json_add(o, "stage", json_string(draw_stage_names[s->stage]));
    json_add(o, "binding", json_uint64(s->binding));
    json_add(o, "type", s->type ? json_string(s->type) : NULL);
    json_add(o, "format", s->format ? json_string(s->format) : NULL);
    json_add(o, "address", json_hex(s->picture.address));
    json_add(o, "width", json_uint64(s->picture.width));
    json_add(o, "height", json_uint64(s->picture.height));
    json_add(o, "pitch_bytes", json_int(s->picture.pitch_bytes));
    return o;
}

static struct json_object *hazards_json(const struct draw_record *r)
{
    struct json_object *const all = json_array();
    for (unsigned n = 0; n < r->hazard_count; n++) {
        const struct draw_hazard *const h = &r->hazards[n];
        struct json_object *const o = json_empty(), *const missing = json_array(),
                                  *const flushes = json_array();
        char text[HAZARD_TEXT];
        draw_hazard_text(r, h, text);
        json_add(o, "text", json_text(text));
        json_add(o, "address", json_hex(h->address));
        json_add(o, "writer", json_uint64(h->writer));
        json_add(o, "writer_command_number", h->writer_command ? json_uint64(h->writer_command) : NULL);
        for (unsigned i = 0; i < h->missing_count; i++)
            json_append(missing, json_string(h->missing[i]));
        for (unsigned i = 0; i < h->flush_count; i++)
            json_append(flushes, json_string(h->missing[i]));
        json_add(o, "missing", missing);
        json_add(o, "missing_flushes", flushes);
        json_add(o, "missing_invalidation",
                 h->missing_count > h->flush_count ? json_string(h->missing[h->flush_count]) : NULL);
        json_append(all, o);
    }
    return all;
}

static void show_json(const struct draw_record *r)
{
    struct json_object *const o = json_report("softgt.draw"), *const kernels = json_array(),
                              *const groups = json_array();
    json_add(o, "number", json_uint64(r->number));
    json_add(o, "engine", json_string(r->unit));
    json_add(o, "name", json_string(r->name));
    json_add(o, "command_number", json_uint64(r->command));
    json_add(o, "address", json_hex(r->address));
    if (r->context)
        json_add(o, "context", json_hex(r->context));
    json_add(o, "submission", json_uint64(r->submission));
    json_add(o, "file_offset", json_uint64(r->offset));
    if (r->topology) {
        json_add(o, "topology", json_string(r->topology));
        json_add(o, "vertices_per_instance", json_uint64(r->vertices_per_instance));
        json_add(o, "instances", json_uint64(r->instances));
    }
    for (unsigned n = 0; n < 3 && r->is_dispatch; n++)
        json_append(groups, json_uint64(r->groups[n]));
    json_add(o, "groups", groups);
    for (unsigned n = 0; n < DRAW_COUNTS && !r->is_dispatch; n++)
        json_add(o, draw_count_names[n], json_uint64(r->count[n]));
    json_add(o, "threads", json_uint64(r->threads));
    json_add(o, "instructions", json_uint64(r->instructions));
    json_add(o, "bytes_written", json_uint64(r->bytes_written));
    for (unsigned n = 0; n < DRAW_KERNELS; n++) {
        if (!r->kernels[n].known)
            continue;
        struct json_object *const k = json_empty();
        json_add(k, "stage", json_string(draw_stage_names[r->kernels[n].stage]));
        json_add(k, "simd", r->kernels[n].simd ? json_uint64(r->kernels[n].simd) : NULL);
        json_add(k, "address", json_hex(r->kernels[n].address));
        json_add(k, "size_bytes", json_uint64(r->kernels[n].size_bytes));
        json_add(k, "sum", json_uint64(r->kernels[n].sum));
        json_append(kernels, k);
    }
    json_add(o, "kernels", kernels);
    json_add(o, "target", r->target.type ? surface_json(&r->target) : NULL);
    json_add(o, "not_drawn", *r->not_drawn ? json_text(r->not_drawn) : NULL);
    json_add(o, "complaint", *r->complaint ? json_text(r->complaint) : NULL);
    json_add(o, "vertices_beyond_buffer", json_uint64(r->faults.beyond_buffer));
    json_add(o, "nan_positions", json_uint64(r->faults.nan_positions));
    json_add(o, "hazards", hazards_json(r));
    json_print(o);
}

static void note_draw(struct fail_on *f, const struct draw_record *r)
{
    char text[FAIL_TEXT];
    if (*r->not_drawn)
        fail_on_note(f, FAIL_UNSUPPORTED, r->not_drawn);
    snprintf(text, sizeof text, "draw %llu", (unsigned long long)r->number);
    if (r->hazard_count)
        fail_on_note(f, FAIL_HAZARDS, text);
}

static void on_ended(void *user, const struct draw_record *r)
{
    struct draws_run *const run = user;
    note_draw(&run->fail_on, r);
    if (run->arguments->has_pixel || run->arguments->at) {
        run->count++;
        return;
    }
    if (!run->count++ && !run->arguments->json)
        printf("%5s  %-7s %-23s %-24s %7s %9s %10s  %-40s %s\n", "draw", "command", "", "what", "prims",
               "passed", "instr", "target", "kernels");
    if (run->arguments->json)
        show_json(r);
    else
        show_row(r);
}

/* ---- A pixel ---- */

static const char *step_text(const struct pixel_step *s)
{
    return s->kind == PIXEL_SCISSOR ? "outside the scissored extent"
           : s->kind == PIXEL_STORE ? "stored"
                                    : pixel_step_names[s->fragment->step];
}

/* Tests have values; other steps say by their name what became of the sample. */
static bool is_test(const struct pixel_step *s)
{
    return s->kind == PIXEL_FRAGMENT && s->fragment->step >= SOFTGT_FRAGMENT_DEPTH_BOUNDS &&
           s->fragment->step <= SOFTGT_FRAGMENT_ALPHA;
}

/* The shader's output is of the kind that the target's components have. */
static void output_text(const struct pixel_step *s, char *text, size_t size)
{
    static const struct softgt_format unknown = {.part = {{0, 32, SOFTGT_COMPONENT_FLOAT},
                                                          {32, 32, SOFTGT_COMPONENT_FLOAT},
                                                          {64, 32, SOFTGT_COMPONENT_FLOAT},
                                                          {96, 32, SOFTGT_COMPONENT_FLOAT}}};
    struct softgt_format all = unknown;
    union softgt_color color;
    for (unsigned n = 0; n < 4 && s->format; n++)
        if (s->format->part[0].kind == SOFTGT_COMPONENT_UINT ||
            s->format->part[0].kind == SOFTGT_COMPONENT_SINT)
            all.part[n].kind = s->format->part[0].kind;
    memcpy(color.u, s->fragment->color, sizeof color.u);
    place_text(&all, &color, text, size);
}

static void value_text(const struct softgt_format *format, const union softgt_color *color, bool is_cleared,
                       char *text, size_t size)
{
    if (is_cleared)
        snprintf(text, size, "(fast cleared)");
    else
        place_text(format, color, text, size);
}

static void show_step(const struct pixel_step *s)
{
    enum { TEXT = 120 };
    char text[TEXT], old[TEXT];
    if (s->has_primitive)
        printf("       primitive %u%s", s->primitive, s->is_back_facing ? " (back)" : "");
    else
        printf("       -");
    if (s->instance)
        printf(", instance %u", s->instance);
    printf(", sample %u: %s", s->sample, step_text(s));
    if (is_test(s))
        printf("%s: %s, %.9g %s %.9g", s->fragment->is_late ? " behind the shader" : "",
               s->fragment->passed ? "passed" : "FAILED", text_number(s->fragment->value),
               s->function ? s->function : "and", text_number(s->fragment->compared_with));
    if (s->kind == PIXEL_FRAGMENT && s->fragment->step == SOFTGT_FRAGMENT_WRITTEN) {
        output_text(s, text, sizeof text);
        printf(" to target %u, from the shader %s%s", s->fragment->target, text,
               s->fragment->address ? "" : ", no surface");
        if (s->blend)
            printf(", blend %s", s->blend);
    }
    if (s->has_values) {
        value_text(s->format, &s->before, s->is_cleared, old, sizeof old);
        value_text(s->format, &s->after, false, text, sizeof text);
        printf(": %s -> %s", old, text);
    }
    puts("");
}

/* As text: it may be no number. */
static struct json_object *number_json(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", text_number(value));
    return json_string(text);
}

static void step_json(const struct pixel_step *s)
{
    enum { TEXT = 120 };
    char text[TEXT];
    struct json_object *const o = json_report("softgt.pixel_step");
    json_add(o, "draw", s->record ? json_uint64(s->record->number) : NULL);
    json_add(o, "engine", json_string(s->unit));
    json_add(o, "command", json_string(s->name));
    json_add(o, "address", json_hex(s->address));
    json_add(o, "surface", s->surface ? json_hex(s->surface) : NULL);
    if (s->record) {
        const struct draw_kernel *const k = &s->record->kernels[DRAW_PS];
        json_add(o, "command_number", json_uint64(s->record->command));
        json_add(o, "kernel", k->known ? json_hex(k->address) : NULL);
        json_add(o, "simd", k->known ? json_uint64(k->simd) : NULL);
    }
    json_add(o, "step", json_uint64(s->number));
    json_add(o, "what", json_string(step_text(s)));
    json_add(o, "primitive", s->has_primitive ? json_uint64(s->primitive) : NULL);
    json_add(o, "instance", json_uint64(s->instance));
    json_add(o, "sample", json_uint64(s->sample));
    if (is_test(s)) {
        json_add(o, "passed", json_boolean(s->fragment->passed));
        json_add(o, "late", json_boolean(s->fragment->is_late));
        json_add(o, "function", s->function ? json_string(s->function) : NULL);
        json_add(o, "value", number_json(s->fragment->value));
        json_add(o, "there", number_json(s->fragment->compared_with));
    }
    if (s->kind == PIXEL_FRAGMENT && s->fragment->step == SOFTGT_FRAGMENT_WRITTEN) {
        output_text(s, text, sizeof text);
        json_add(o, "target", json_uint64(s->fragment->target));
        json_add(o, "output", json_string(text));
        json_add(o, "blend", s->blend ? json_string(s->blend) : NULL);
    }
    if (s->has_values) {
        value_text(s->format, &s->before, s->is_cleared, text, sizeof text);
        json_add(o, "before", json_string(text));
        value_text(s->format, &s->after, false, text, sizeof text);
        json_add(o, "after", json_string(text));
    }
    json_print(o);
}

/* ", kernel PS16 at 0x1000": the kernel whose fragments these are; "": none ran. */
static void pixel_kernel_text(const struct pixel_step *s, char *text, size_t size)
{
    const struct draw_kernel *const k = s->record ? &s->record->kernels[DRAW_PS] : NULL;
    char name[DRAW_KERNEL_NAME];
    *text = 0;
    if (!k || !k->known)
        return;
    draw_kernel_name(k, name);
    snprintf(text, size, ", kernel %s at 0x%llx", name, (unsigned long long)k->address);
}

static void on_step(void *user, const struct pixel_step *s)
{
    struct draws_run *const run = user;
    char surface[32], kernel[64];
    snprintf(surface, sizeof surface, "0x%llx", (unsigned long long)s->surface);
    pixel_kernel_text(s, kernel, sizeof kernel);
    run->steps++;
    if (run->arguments->json) {
        step_json(s);
        return;
    }
    if (s->number == 1 && s->record)
        printf("%5llu  %s at %s:0x%llx, #%llu%s%s%s\n", (unsigned long long)s->record->number,
               s->record->topology ? s->record->topology : s->name, s->unit, (unsigned long long)s->address,
               (unsigned long long)s->record->command, s->surface ? ", surface " : "",
               s->surface ? surface : "", kernel);
    else if (s->number == 1)
        printf("    -  %s at %s:0x%llx\n", s->name, s->unit, (unsigned long long)s->address);
    show_step(s);
}

static void on_touched(void *user, const struct pixel_change *c)
{
    struct draws_run *const run = user;
    char old[120], new[120];
    value_text(c->format, &c->before, c->was_cleared, old, sizeof old);
    value_text(c->format, &c->after, false, new, sizeof new);
    if (!run->arguments->json) {
        printf("       => sample %u: %s -> %s\n", c->sample, old, new);
        return;
    }
    struct json_object *const o = json_report("softgt.pixel");
    json_add(o, "draw", json_uint64(c->record->number));
    json_add(o, "sample", json_uint64(c->sample));
    json_add(o, "before", json_string(old));
    json_add(o, "after", json_string(new));
    json_print(o);
}

/* ---- One draw as JSON ---- */

static struct json_object *values_json(const double *values, unsigned count)
{
    struct json_object *const a = json_array();
    for (unsigned n = 0; n < count; n++)
        json_append(a, number_json(values[n]));
    return a;
}

static struct json_object *slots_json(const uint32_t *dw, unsigned count)
{
    struct json_object *const a = json_array();
    for (unsigned n = 0; n < count; n++) {
        char text[64];
        geometry_slot_text(dw[n], text, sizeof text);
        json_append(a, json_string(text));
    }
    return a;
}

static void vertex_json(const struct draw_geometry *g, const struct fetched_vertex *v)
{
    struct json_object *const o = json_report("softgt.draw_vertex"), *const elements = json_array();
    json_add(o, "number", json_uint64(v->number));
    json_add(o, "instance", json_uint64(v->instance));
    for (unsigned n = 0; n < g->plan.element_count; n++) {
        const struct vf_element *const e = &g->plan.element[n];
        struct json_object *const to = json_empty(), *const values = json_array();
        uint64_t address;
        if (e->source.format) {
            const bool inside = vf_element_address(e, g->start_instance, v->number, v->instance, &address);
            json_add(to, "format", json_string(e->source.format->name));
            json_add(to, "buffer", json_uint64(e->buffer));
            json_add(to, "buffer_bytes", json_uint64(e->size_bytes));
            json_add(to, "pitch_bytes", json_uint64(e->pitch_bytes));
            json_add(to, "address", json_hex(address));
            json_add(to, "in_buffer", json_boolean(inside));
        }
        for (unsigned c = 0; c < 4 && e->dw + c < GEOMETRY_VERTEX_DW; c++) {
            char text[64];
            geometry_component_text(e, c, v->dw[e->dw + c], text, sizeof text);
            json_append(values, json_string(text));
        }
        json_add(to, "values", values);
        json_append(elements, to);
    }
    json_add(o, "elements", elements);
    json_print(o);
}

static void primitive_json(const struct draw_geometry *g, unsigned number)
{
    const struct drawn_primitive *const p = &g->primitives[number];
    struct json_object *const o = json_report("softgt.draw_primitive"), *const vertices = json_array();
    json_add(o, "number", json_uint64(p->number));
    json_add(o, "instance", json_uint64(p->instance));
    json_add(o, "primitive_id", json_uint64(p->primitive_id));
    json_add(o, "fate", json_string(primitive_fate_names[p->fate]));
    json_add(o, "back_facing", json_boolean(p->is_back_facing));
    json_add(o, "viewport", json_uint64(p->viewport));
    json_add(o, "layer", json_uint64(p->layer));
    for (unsigned n = 0; n < p->vertices; n++) {
        const uint32_t *const dw = g->vue_dw[number][n];
        struct json_object *const to = json_empty();
        json_add(to, "clip", slots_json(dw + VUE_POSITION, VUE_POSITION_DW));
        json_add(to, "screen", values_json(p->screen[n], 3));
        json_add(to, "slots", slots_json(dw + GEOMETRY_SLOTS, g->slot_count * 4));
        json_append(vertices, to);
    }
    json_add(o, "vertices", vertices);
    json_print(o);
}

static struct json_object *bytes_json(const uint8_t *bytes, unsigned count)
{
    char text[DRAW_CONTENTS * 2 + 1] = "";
    for (unsigned n = 0; n < count; n++)
        snprintf(text + n * 2ul, 3, "%02x", bytes[n]);
    return json_string(text);
}

static void contents_json(struct json_object *o, const struct draw_contents *c)
{
    json_add(o, "stores", json_uint64(c->stores));
    json_add(o, "changed_bytes", json_uint64(c->changed_bytes));
    if (!c->changed_bytes)
        return;
    json_add(o, "first_changed", json_uint64(c->first));
    json_add(o, "before", bytes_json(c->old, c->shown));
    json_add(o, "after", bytes_json(c->now, c->shown));
}

static void surface_line(const struct draw_surface *s)
{
    struct json_object *const o = json_report("softgt.draw_surface"), *const samplers = json_array();
    json_add(o, "surface", surface_json(s));
    json_add(o, "written", json_boolean(draw_surface_written(s)));
    if (s->is_buffer)
        contents_json(o, &s->contents);
    json_add(o, "sampler_messages", json_uint64(s->messages));
    for (unsigned n = 0; n < s->sampler_count; n++)
        json_append(samplers, json_hex(s->samplers[n]));
    json_add(o, "samplers", samplers);
    json_print(o);
}

static void fragments_json(const struct draw_view *v)
{
    struct json_object *const o = json_report("softgt.draw_fragments");
    for (unsigned n = 0; n < SOFTGT_FRAGMENT_STEPS; n++) {
        struct json_object *const to = json_empty();
        json_add(to, "samples", json_uint64(v->steps[n]));
        json_add(to, "failed", json_uint64(v->failed[n]));
        json_add(o, pixel_step_names[n], to);
    }
    json_print(o);
}

/* A line each. */
static void notes_json(const struct text *notes)
{
    char line[256];
    for (size_t at = 0, end; at < notes->length; at = end + 1) {
        for (end = at; end < notes->length && notes->bytes[end] != '\n';)
            end++;
        snprintf(line, sizeof line, "%.*s", (int)(end - at), notes->bytes + at);
        struct json_object *const o = json_report("softgt.draw_note");
        json_add(o, "text", json_text(line));
        json_print(o);
    }
}

static bool view_json(const struct draw_view *v)
{
    const struct draw_geometry *const g = &v->geometry;
    show_json(&v->record);
    notes_json(&v->notes);
    for (unsigned n = 0; n < g->vertex_count; n++)
        vertex_json(g, &g->vertices[n]);
    for (unsigned n = 0; n < g->vue_count; n++)
        primitive_json(g, n);
    for (unsigned n = 0; n < v->surface_count; n++)
        surface_line(&v->surfaces[n]);
    if (v->samplers.length)
        fwrite(v->samplers.bytes, 1, v->samplers.length, stdout);
    if (v->structures.length)
        fwrite(v->structures.bytes, 1, v->structures.length, stdout);
    fragments_json(v);
    return true;
}

/* ---- One draw ---- */

static bool write_page(const struct draws_arguments *a, const struct draw_view *view)
{
    struct output file;
    char path[4096];
    snprintf(path, sizeof path, "draw-%llu.html", (unsigned long long)a->at);
    const char *const name = a->page ? a->page : path;
    if (!output_open(&file, name)) {
        tool_error(name, "%s", files_error(errno));
        return false;
    }
    if (!draw_page_write(file.file, view, a->file)) {
        output_drop(&file);
        tool_no_memory();
    }
    if (!output_close(&file)) {
        tool_error(name, "%s", strerror(errno));
        return false;
    }
    if (strcmp(name, "-") != 0)
        printf("%s\n", name);
    return true;
}

static bool write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool good = output_write(path, bytes, size);
    if (!good)
        tool_error(path, "%s", files_error(errno));
    else
        printf("%s\n", path);
    return good;
}

static const char *surface_name(const struct draw_surface *s, char *text, size_t size)
{
    if (s->binding >= DRAW_DEPTH)
        return s->binding == DRAW_DEPTH ? "depth" : "stencil";
    snprintf(text, size, "%u", s->binding);
    return text;
}

static bool extract_levels(const char *folder, const struct draw_surface *s)
{
    bool good = true;
    for (unsigned n = 0; n < s->level_count && good; n++) {
        const struct draw_level *const l = &s->levels[n];
        char name[80];
        size_t size = 0;
        uint8_t *const png = picture_encode(l->rgba, l->width, l->height, &size);
        snprintf(name, sizeof name, "%s-%u-level%u-layer%u.png", draw_stage_names[s->stage], s->binding,
                 l->level, l->layer);
        if (png)
            good = write_file(folder, name, png, size);
        free(png);
    }
    return good;
}

/* Kernels for softgt eu, pictures of surfaces, the state as text. */
static bool extract(const char *folder, const struct draw_view *v)
{
    char name[80], number[16], kernel[DRAW_KERNEL_NAME];
    bool good = true;
    for (unsigned n = 0; n < DRAW_KERNELS && good; n++) {
        draw_kernel_name(&v->record.kernels[n], kernel);
        snprintf(name, sizeof name, "%s.bin", kernel);
        if (v->kernel_bytes[n])
            good = write_file(folder, name, v->kernel_bytes[n], v->record.kernels[n].size_bytes);
        snprintf(name, sizeof name, "%s.asm", kernel);
        if (good && v->kernels[n].length)
            good = write_file(folder, name, v->kernels[n].bytes, v->kernels[n].length);
    }
    if (good && v->state.length)
        good = write_file(folder, "state.txt", v->state.bytes, v->state.length);
    if (good && v->structures.length)
        good = write_file(folder, "structures.txt", v->structures.bytes, v->structures.length);
    if (good && v->samplers.length)
        good = write_file(folder, "samplers.txt", v->samplers.bytes, v->samplers.length);
    for (unsigned n = 0; n < v->surface_count && good; n++) {
        const struct draw_surface *const s = &v->surfaces[n];
        for (unsigned after = 0; after < 2 && good; after++) {
            const uint8_t *const rgba = after ? s->after : s->before;
            size_t size = 0;
            uint8_t *const png =
                rgba ? picture_encode(rgba, draw_surface_width(s), draw_surface_height(s), &size) : NULL;
            snprintf(name, sizeof name, "%s-%s-%s.png", draw_stage_names[s->stage],
                     surface_name(s, number, sizeof number), after ? "after" : "before");
            if (png)
                good = write_file(folder, name, png, size);
            free(png);
        }
        good = good && extract_levels(folder, s);
    }
    return good;
}

/* ---- All ---- */

static void show_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct draws_run *const run = user;
    const char *const note = kind == REPLAY_NOTE ? "note: " : "";
    run->failed |= kind == REPLAY_ERROR;
    if (offset != REPLAY_NO_OFFSET)
        tool_error(run->arguments->file, "offset %#llx: %s%s", (unsigned long long)offset, note, text);
    else
        tool_error(run->arguments->file, "%s%s", note, text);
}

static void draws_on_report(void *user, const struct softgt_report *report)
{
    struct draws_run *const run = user;
    fail_on_report(&run->fail_on, report);
}

static void draws_on_finished(void *user, struct softgt *device, const struct replay_result *result)
{
    struct draws_run *const run = user;
    if (result->hung)
        fail_on_note(&run->fail_on, FAIL_HUNG, "a submission was ended");
    if (result->undrawn)
        fail_on_note(&run->fail_on, FAIL_TROUBLE, "draws are not complete");
    fail_on_device(&run->fail_on, device);
}

static bool show_view(const struct draws_arguments *a, const struct draw_view *view)
{
    return a->folder ? extract(a->folder, view) : a->json ? view_json(view) : write_page(a, view);
}

static void no_pixel(const struct draws_arguments *a, const struct draw_view *view)
{
    const struct pixel_choice *const c = &a->pixel;
    char attachment[32], which[120] = "";
    size_t at = 0;
    if (c->attachment < RENDER_TARGETS)
        snprintf(attachment, sizeof attachment, "render target %u", c->attachment);
    else
        snprintf(attachment, sizeof attachment, "%s buffer",
                 c->attachment == ATTACHMENT_DEPTH ? "depth" : "stencil");
    if (!view->has_attachment) {
        tool_error(a->file, "no draw has a %s", attachment);
        return;
    }
    if (c->level != PIXEL_ANY)
        at += (size_t)snprintf(which, sizeof which, ", level %d", c->level);
    if (c->layer != PIXEL_ANY)
        at += (size_t)snprintf(which + at, sizeof which - at, ", layer %d", c->layer);
    if (c->sample != PIXEL_ANY)
        at += (size_t)snprintf(which + at, sizeof which - at, ", sample %d", c->sample);
    if (c->address)
        snprintf(which + at, sizeof which - at, " at 0x%llx", (unsigned long long)c->address);
    tool_error(a->file, "pixel %u,%u%s is outside of every surface that a draw has as %s", c->x, c->y, which,
               attachment);
}

static int list_draws(const struct draws_arguments *a)
{
    struct input input;
    struct draws_run run = {.arguments = a, .fail_on = a->fail_on};
    struct draw_view view;
    if (a->folder && mkdir(a->folder, 0777) != 0 && errno != EEXIST) {
        tool_error(a->folder, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    input_allow(a->file);
    if (a->folder)
        files_allow(FILES_WRITE_INSIDE, a->folder);
    char page[64];
    snprintf(page, sizeof page, "draw-%llu.html", (unsigned long long)a->at);
    if (a->at && !a->folder)
        files_allow(FILES_WRITE, a->page ? a->page : page);
    const struct softgt_code_port code =
        a->no_translation ? (struct softgt_code_port){0} : tool_code(TOOL_CODE_PIECES);
    if (!tool_sandbox(1) || !input_read(&input, a->file, a->device, a->memory_limit))
        return TOOL_UNUSABLE;
    const struct replay_options replay = {
        .device = a->device,
        .force = a->force,
        .budget_dw = a->budget,
        .memory_limit_bytes = a->memory_limit,
        .code = code,
        .report = {&run, draws_on_report},
    };
    const struct draws_options options = {
        .trace = input.data,
        .trace_bytes = input.size,
        .replay = &replay,
        .at = a->at,
        .vertices = a->vertices ? (unsigned)a->vertices : GEOMETRY_VERTICES,
        .json = a->json,
        .has_pixel = a->has_pixel,
        .pixel = a->pixel,
        .user = &run,
        .message = show_message,
        .finished = draws_on_finished,
        .ended = on_ended,
        .step = on_step,
        .touched = on_touched,
    };
    const enum replay_outcome outcome = draws_replay(&options, &view);
    int status = (int)outcome;
    if (a->at && view.record.number && !show_view(a, &view))
        status = TOOL_UNUSABLE;
    else if (a->at && !view.record.number && outcome != REPLAY_UNUSABLE) {
        tool_error(a->file, "there is no draw %llu: the trace has %llu draws and dispatches",
                   (unsigned long long)a->at, (unsigned long long)run.count);
        status = TOOL_UNUSABLE;
    }
    if (a->has_pixel && run.count && !view.has_pixel) {
        no_pixel(a, &view);
        status = TOOL_UNUSABLE;
    } else if (a->has_pixel && !run.steps && !a->json)
        printf("none of %llu draws and dispatches, and no other command, touched it\n",
               (unsigned long long)run.count);
    else if (!run.count && !a->json)
        puts("no draws and no dispatches");
    draw_view_free(&view);
    input_close(&input);
    run.fail_on.happened |= run.count ? 0 : FAIL_BIT(UNUSED);
    return fail_on_status(&run.fail_on, a->file, status);
}

/* ---- Options ---- */

enum {
    FORCE = 1000,
    NO_SANDBOX,
    NO_TRANSLATION,
    PIXEL,
    TARGET,
    EXTRACT,
    ATTACHMENT,
    LEVEL,
    LAYER,
    SAMPLE,
    VERTEX_COUNT,
    FAIL_ON
};

static const struct argp_option options[] = {
    {"at", 'n', "NUMBER", 0,
     "write a page about this draw: vertices, primitives, textures, surfaces before and after, state, "
     "kernels",
     0},
    {"output", 'o', "FILE", 0, "the page (draw-NUMBER.html)", 0},
    {"extract", EXTRACT, "DIR", 0, "with --at: write kernels, state and pictures into this folder instead",
     0},
    {"vertices", VERTEX_COUNT, "COUNT", 0, "with --at: how many vertices and primitives (24; at most 1024)",
     0},
    {"pixel", PIXEL, "X,Y", 0,
     "list what draws, clears, blits and dispatches did to this pixel: each fragment's tests and writes", 0},
    {"attachment", ATTACHMENT, "NAME", 0,
     "with --pixel: the number of a render target, 0 to 7, or depth, or stencil (0)", 0},
    {"target", TARGET, "ADDRESS", 0, "with --pixel: only the surface at this address", 0},
    {"level", LEVEL, "NUMBER", 0, "with --pixel: only draws to this level", 0},
    {"layer", LAYER, "NUMBER", 0,
     "with --pixel or --at: this layer or slice (the first one that is drawn to)", 0},
    {"sample", SAMPLE, "NUMBER", 0, "with --pixel: only this sample; with --at: this one in pictures (0)", 0},
    {"json", 'j', NULL, 0, "print one JSON object a line", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, bounds, errors, hazards, trouble, unused or all, separated by commas",
     0},
    {"device", 'd', "NAME", 0, "run on this device, not on the one that the trace or program names", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"budget", 'b', "DWORDS", 0, "dwords after which a submission counts as looping (268435456)", 0},
    {"memory", 'm', "MB", 0, "memory that a trace may use (8192)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static const struct tool_option draws_members[] = {
    {'d', TOOL_DEVICE, offsetof(struct draws_arguments, device)},
    {'n', TOOL_COUNT, offsetof(struct draws_arguments, at), "at", UINT64_MAX},
    {VERTEX_COUNT, TOOL_COUNT, offsetof(struct draws_arguments, vertices), "vertices", GEOMETRY_MOST},
    {'m', TOOL_MEGABYTES, offsetof(struct draws_arguments, memory_limit), "memory", UINT64_C(1) << 20},
    {'b', TOOL_COUNT, offsetof(struct draws_arguments, budget), "budget", UINT64_C(1) << 40},
    {'o', TOOL_TEXT, offsetof(struct draws_arguments, page)},
    {EXTRACT, TOOL_TEXT, offsetof(struct draws_arguments, folder)},
    {'j', TOOL_FLAG, offsetof(struct draws_arguments, json)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct draws_arguments, fail_on)},
    {FORCE, TOOL_FLAG, offsetof(struct draws_arguments, force)},
    {NO_TRANSLATION, TOOL_FLAG, offsetof(struct draws_arguments, no_translation)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static void parse_pixel(struct draws_arguments *a, const char *text, struct argp_state *state)
{
    char *end;
    const unsigned long x = strtoul(text, &end, 0);
    const unsigned long y = *end == ',' ? strtoul(end + 1, &end, 0) : UINT32_MAX;
    if (*end || x > 16383 || y > 16383 || *text < '0' || *text > '9')
        argp_error(state, "--pixel: '%s' is not X,Y, up to 16383", text);
    a->has_pixel = true;
    a->pixel.x = (uint32_t)x;
    a->pixel.y = (uint32_t)y;
}

static int parse_small(const char *option, const char *text, unsigned most, struct argp_state *state)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 0);
    if (*end || *text < '0' || *text > '9' || value > most)
        argp_error(state, "--%s: '%s' is no number from 0 to %u", option, text, most);
    return (int)value;
}

static void parse_attachment(struct draws_arguments *a, const char *text, struct argp_state *state)
{
    if (strcmp(text, "depth") == 0)
        a->pixel.attachment = ATTACHMENT_DEPTH;
    else if (strcmp(text, "stencil") == 0)
        a->pixel.attachment = ATTACHMENT_STENCIL;
    else
        a->pixel.attachment = (unsigned)parse_small("attachment", text, RENDER_TARGETS - 1, state);
}

static void check_together(const struct draws_arguments *a, struct argp_state *state)
{
    if (a->force && !a->device)
        argp_error(state, "--force does nothing without --device");
    if ((a->page || a->folder || a->vertices) && !a->at)
        argp_error(state, "--%s does nothing without --at",
                   a->page     ? "output"
                   : a->folder ? "extract"
                               : "vertices");
    if (a->page && a->folder)
        argp_error(state, "--output does nothing with --extract");
    if (a->at && a->has_pixel)
        argp_error(state, "--pixel does nothing with --at");
    if (a->json && (a->page || a->folder))
        argp_error(state, "--json does nothing with --%s", a->page ? "output" : "extract");
    if ((a->pixel.address || a->pixel.attachment || a->pixel.level != PIXEL_ANY) && !a->has_pixel)
        argp_error(state, "--%s does nothing without --pixel",
                   a->pixel.address      ? "target"
                   : a->pixel.attachment ? "attachment"
                                         : "level");
    if ((a->pixel.layer != PIXEL_ANY || a->pixel.sample != PIXEL_ANY) && !a->has_pixel && !a->at)
        argp_error(state, "--%s does nothing without --pixel or --at",
                   a->pixel.layer != PIXEL_ANY ? "layer" : "sample");
}

static error_t draws_parse(int key, char *argument, struct argp_state *state)
{
    enum { MOST_LEVEL = 14, MOST_LAYER = 2047, MOST_SAMPLE = 15 };
    struct draws_arguments *const a = state->input;
    char *end;
    if (tool_set_option(draws_members, key, argument, state))
        return 0;
    switch (key) {
    case PIXEL:
        parse_pixel(a, argument, state);
        return 0;
    case TARGET:
        a->pixel.address = strtoull(argument, &end, 0);
        if (*end || end == argument || !a->pixel.address)
            argp_error(state, "--target: '%s' is no address", argument);
        return 0;
    case ATTACHMENT:
        parse_attachment(a, argument, state);
        return 0;
    case LEVEL:
        a->pixel.level = parse_small("level", argument, MOST_LEVEL, state);
        return 0;
    case LAYER:
        a->pixel.layer = parse_small("layer", argument, MOST_LAYER, state);
        return 0;
    case SAMPLE:
        a->pixel.sample = parse_small("sample", argument, MOST_SAMPLE, state);
        return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "one FILE at a time");
        a->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!a->file)
            argp_error(state, "no FILE");
        check_together(a, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_draws(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = draws_parse,
        .args_doc = "FILE",
        .doc =
            "Lists the draws and dispatches of an AUB trace (also .xz, .gz, .zst) or a .gts program: what "
            "they "
            "draw, to where, by which kernels, and what passed; one of them as a page; or the history of a "
            "pixel.\vExit status: 0 clean, 1 when something in the trace failed, 2 for unusable input, 3 by "
            "--fail-on.",
    };
    struct draws_arguments a = {.fail_on.words = FAIL_ON_DRAWS,
                                .pixel = {.level = PIXEL_ANY, .layer = PIXEL_ANY, .sample = PIXEL_ANY}};
    tool_parse(&argp, argc, argv, &a);
    if ((a.page || a.folder) && !tool_writes_pictures(a.page ? "--output" : "--extract"))
        return TOOL_UNUSABLE;
    return list_draws(&a);
}
