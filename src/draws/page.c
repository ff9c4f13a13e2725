/* One draw as a page of HTML that needs no other file. */
#include "draws/geometry_page.h"
#include "host/html.h"
#include "isa/isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark}body{font:14px/1.4 system-ui,sans-serif;max-width:1240px;margin:1em "
    "auto;padding:0 1em}table{border-collapse:collapse;margin:0 0 12px}td,th{padding:2px 12px 2px 0;"
    "text-align:left;vertical-align:top}table.numbers{font-size:12px;font-variant-numeric:tabular-nums}"
    "table.numbers td,table.numbers th{border-bottom:1px solid #8884;white-space:nowrap}"
    "table.numbers tr:hover{background:#8882}div.wide{overflow:auto;max-height:520px;margin:0 0 12px}"
    "table.numbers tr:first-child th{position:sticky;top:0;background:Canvas}"
    "figure{display:inline-block;margin:0 12px 12px 0;vertical-align:top}"
    "img{max-width:512px;min-width:6px;min-height:6px;outline:1px solid #8886;"
    "image-rendering:pixelated;background:repeating-conic-gradient(#999 0 25%,#ccc 0 50%) 0/16px 16px}"
    "figcaption{font-size:12px;max-width:512px}pre{overflow-x:auto;font-size:12px}summary{cursor:pointer;"
    "font-weight:600}.bad{background:#e334}svg.outlines{background:#8881;max-width:100%;height:auto}"
    "svg *{vector-effect:non-scaling-stroke;stroke-width:1}.screen{fill:#8883;stroke:#888}"
    "svg .visible{fill:#28d3;stroke:#28d}svg .culled{fill:none;stroke:#e83}svg .clipped{fill:none;"
    "stroke:#e33}svg .scissored{fill:none;stroke:#a4c}svg .discarded{fill:none;stroke:#888}"
    "span.visible{color:#28d}span.culled{color:#e83}span.clipped{color:#e33}span.scissored{color:#a4c}";

static void put_base64(FILE *to, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        const uint32_t three = (uint32_t)bytes[n] << 16 | (n + 1 < size ? (uint32_t)bytes[n + 1] << 8 : 0u) |
                               (n + 2 < size ? bytes[n + 2] : 0u);
        fputc(digits[three >> 18], to);
        fputc(digits[three >> 12 & 63u], to);
        fputc(n + 1 < size ? digits[three >> 6 & 63u] : '=', to);
        fputc(n + 2 < size ? digits[three & 63u] : '=', to);
    }
}

static bool put_picture(FILE *to, const uint8_t *rgba, uint32_t width, uint32_t height, const char *caption)
{
    enum { SMALL = 192 };
    size_t size;
    uint8_t *const png = picture_encode(rgba, width, height, &size);
    if (!png)
        return false;
    fprintf(to, "<figure><img width=\"%" PRIu32 "\" alt=\"%s\" src=\"data:image/png;base64,",
            width < SMALL ? width * (SMALL / width) : width, caption);
    put_base64(to, png, size);
    fprintf(to, "\"><figcaption>%s</figcaption></figure>\n", caption);
    free(png);
    return true;
}

/* How often fragments wrote each pixel: black, then from blue to white. */
static bool put_overdraw(FILE *to, const struct draw_view *v)
{
    const struct picture *const p = &v->record.target.picture;
    const size_t count = (size_t)p->width * p->height;
    uint8_t *const rgba = malloc(count * 4);
    char caption[80];
    if (!rgba)
        return false;
    for (size_t n = 0; n < count; n++) {
        const uint32_t level = v->most_writes ? v->writes[n] * 255u / v->most_writes : 0;
        rgba[n * 4] = rgba[n * 4 + 1] = (uint8_t)(level > 64 ? (level - 64) * 255u / 191u : 0);
        rgba[n * 4 + 2] = v->writes[n] ? (uint8_t)(level < 128 ? 96 + level : 255) : 0;
        rgba[n * 4 + 3] = 255;
    }
    snprintf(caption, sizeof caption, "writes by pixel, at most %" PRIu32, v->most_writes);
    const bool good = put_picture(to, rgba, p->width, p->height, caption);
    free(rgba);
    return good;
}

static void put_row(FILE *to, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put_row(FILE *to, const char *name, const char *format, ...)
{
    char text[HAZARD_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(to, "<tr><th>%s<td>", name);
    html_put(to, text, strlen(text));
    fputs("\n", to);
}

static void put_facts(FILE *to, const struct draw_record *r, const struct text *notes)
{
    fputs("<table>\n", to);
    put_row(to, "command", "#%" PRIu64 ", %s at %s:0x%" PRIx64, r->command, r->name, r->unit, r->address);
    if (r->context)
        put_row(to, "context", "0x%" PRIx64, r->context);
    put_row(to, "in the trace", "submission %" PRIu64 ", file offset 0x%" PRIx64, r->submission, r->offset);
    if (r->topology)
        put_row(to, "topology", "%s, %" PRIu64 " vertices, %" PRIu64 " instances", r->topology,
                r->vertices_per_instance, r->instances);
    if (r->is_dispatch)
        put_row(to, "groups", "%" PRIu64 " x %" PRIu64 " x %" PRIu64, r->groups[0], r->groups[1],
                r->groups[2]);
    for (unsigned n = 0; n < DRAW_COUNTS && !r->is_dispatch; n++)
        put_row(to, draw_count_titles[n], "%" PRIu64, r->count[n]);
    put_row(to, "threads", "%" PRIu64 ", %" PRIu64 " instructions", r->threads, r->instructions);
    for (unsigned n = 0; n < DRAW_KERNELS; n++) {
        char name[DRAW_KERNEL_NAME];
        if (!r->kernels[n].known)
            continue;
        draw_kernel_name(&r->kernels[n], name);
        put_row(to, name, "kernel at 0x%" PRIx64 ", %" PRIu32 " bytes, sum %08" PRIx32 "%s",
                r->kernels[n].address, r->kernels[n].size_bytes, r->kernels[n].sum,
                n < DRAW_STAGES ? "" : ", not the one that runs here");
    }
    if (*r->not_drawn)
        put_row(to, "not drawn", "%s", r->not_drawn);
    if (*r->complaint)
        put_row(to, "complaint", "%s", r->complaint);
    for (unsigned n = 0; n < GEOMETRY_FAULT_KINDS; n++) {
        char text[GEOMETRY_FAULT_TEXT];
        if (geometry_fault_text(&r->faults, n, text))
            put_row(to, "vertices", "%s", text);
    }
    for (unsigned n = 0; n < r->hazard_count; n++) {
        char text[HAZARD_TEXT];
        draw_hazard_text(r, &r->hazards[n], text);
        put_row(to, "hazard", "%s", text);
    }
    for (size_t at = 0, end; at < notes->length; at = end + 1) {
        for (end = at; end < notes->length && notes->bytes[end] != '\n';)
            end++;
        put_row(to, "note", "%.*s", (int)(end - at), notes->bytes + at);
    }
    fputs("</table>\n", to);
}

/* ---- Surfaces ---- */

bool draw_surface_changed(const struct draw_surface *s)
{
    return s->contents.changed_bytes ||
           (s->before && s->after &&
            memcmp(s->before, s->after, (size_t)draw_surface_width(s) * draw_surface_height(s) * 4) != 0);
}

bool draw_surface_written(const struct draw_surface *s)
{
    return s->is_target || s->contents.stores || draw_surface_changed(s);
}

static void put_surface_title(FILE *to, const struct draw_surface *s)
{
    const struct picture *const p = &s->picture;
    if (s->binding >= DRAW_DEPTH)
        fprintf(to, "<h3>");
    else if (s->binding == DRAW_BINDLESS)
        fprintf(to, "<h3>bindless: ");
    else
        fprintf(to, "<h3>%s %u: ", draw_stage_names[s->stage], s->binding);
    html_put(to, s->type, strlen(s->type));
    fprintf(to, " %s", s->format ? s->format : "");
    if (s->is_buffer && p->pitch_bytes == 1)
        fprintf(to, ", %" PRIu64 " bytes", s->elements);
    else if (s->is_buffer)
        fprintf(to, ", %" PRIu64 " elements of %" PRId32 " bytes", s->elements, p->pitch_bytes);
    else
        fprintf(to, ", %" PRIu32 " x %" PRIu32 ", pitch %" PRId32, p->width, p->height, p->pitch_bytes);
    fprintf(to, ", at 0x%" PRIx64, p->address);
    if (s->has_image && s->image.samples_log2)
        fprintf(to, ", %u samples", 1u << s->image.samples_log2);
    if (s->has_image && s->image.level)
        fprintf(to, ", level %" PRIu32, s->image.level);
    if (s->layer || (s->has_image && s->image.samples_log2))
        fprintf(to, ", layer %u, sample %u", s->layer, s->sample);
    fprintf(to, "%s</h3>\n",
            draw_surface_changed(s)                   ? ", changed"
            : s->is_buffer && draw_surface_written(s) ? ", written, unchanged"
                                                      : "");
}

static void put_bytes(FILE *to, const char *title, const uint8_t *bytes, unsigned count)
{
    fprintf(to, "%s", title);
    for (unsigned n = 0; n < count; n++)
        fprintf(to, " %02x", bytes[n]);
    fputs("\n", to);
}

/* The first bytes of a buffer that are others now. */
static void put_contents(FILE *to, const struct draw_contents *c)
{
    if (!c->changed_bytes)
        return;
    fprintf(to, "<pre>%" PRIu64 " of %" PRIu64 " bytes differ, from offset 0x%" PRIx64 " on\n",
            c->changed_bytes, c->size_bytes, c->first);
    put_bytes(to, "before", c->old, c->shown);
    put_bytes(to, "after ", c->now, c->shown);
    fputs("</pre>\n", to);
}

static bool put_surface(FILE *to, const struct draw_surface *s)
{
    bool good = true;
    put_surface_title(to, s);
    put_contents(to, &s->contents);
    if (s->before)
        good = put_picture(to, s->before, draw_surface_width(s), draw_surface_height(s),
                           draw_surface_changed(s) || !s->after ? "before" : "unchanged");
    if (s->before && draw_surface_changed(s))
        good = good && put_picture(to, s->after, draw_surface_width(s), draw_surface_height(s), "after");
    return good;
}

static bool put_texture(FILE *to, const struct draw_surface *s)
{
    bool good = true;
    put_surface_title(to, s);
    fprintf(to, "<p>%" PRIu64 " messages", s->messages);
    for (unsigned n = 0; n < s->sampler_count; n++)
        fprintf(to, "%s <a href=\"#sampler-%" PRIx64 "\">0x%" PRIx64 "</a>", n ? "," : ", sampler states",
                s->samplers[n], s->samplers[n]);
    fputs("</p>\n", to);
    for (unsigned n = 0; n < s->level_count && good; n++) {
        const struct draw_level *const l = &s->levels[n];
        char caption[80];
        snprintf(caption, sizeof caption, "level %u, layer %u: %" PRIu32 " x %" PRIu32, l->level, l->layer,
                 l->width, l->height);
        good = put_picture(to, l->rgba, l->width, l->height, caption);
    }
    return good;
}

/* Those that are written, or at least bound; then those that were only sampled. */
static bool put_surfaces(FILE *to, const struct draw_view *v)
{
    bool good = true, has_textures = false;
    fputs("<h2>Surfaces</h2>\n", to);
    for (unsigned n = 0; n < v->surface_count && good; n++) {
        const bool is_texture = v->surfaces[n].messages && !v->surfaces[n].is_target;
        has_textures |= is_texture;
        good = is_texture || put_surface(to, &v->surfaces[n]);
    }
    if (!v->surface_count)
        fputs("<p>No binding table has a surface.</p>\n", to);
    if (has_textures)
        fputs("<h2>Textures</h2>\n", to);
    for (unsigned n = 0; n < v->surface_count && good; n++)
        if (v->surfaces[n].messages && !v->surfaces[n].is_target)
            good = put_texture(to, &v->surfaces[n]);
    return good;
}

static void put_samplers(FILE *to, const struct draw_view *v)
{
    for (unsigned n = 0; n < v->surface_count; n++)
        for (unsigned i = 0; i < v->surfaces[n].sampler_count; i++)
            fprintf(to, "<a id=\"sampler-%" PRIx64 "\"></a>", v->surfaces[n].samplers[i]);
    if (!v->samplers.length)
        return;
    fputs("<h3>Sampler states</h3>\n<pre>", to);
    html_put(to, v->samplers.bytes, v->samplers.length);
    fputs("</pre>\n", to);
}

/* What became of the samples of all fragments. */
static void put_fragments(FILE *to, const struct draw_view *v)
{
    bool some = false;
    for (unsigned n = 0; n < SOFTGT_FRAGMENT_STEPS; n++)
        some |= v->steps[n] != 0;
    if (!some)
        return;
    fputs("<h2>Fragments</h2>\n<table><tr><th>step<th>samples<th>failed</tr>\n", to);
    for (unsigned n = 0; n < SOFTGT_FRAGMENT_STEPS; n++)
        if (v->steps[n])
            fprintf(to, "<tr><td>%s<td>%" PRIu64 "<td>%" PRIu64 "</tr>\n", pixel_step_names[n], v->steps[n],
                    v->failed[n]);
    fputs("</table>\n", to);
}

static void put_text(FILE *to, const char *title, const struct text *t)
{
    if (!t->length)
        return;
    fprintf(to, "<details><summary>%s</summary><pre>", title);
    html_put(to, t->bytes, t->length);
    fputs("</pre></details>\n", to);
}

bool draw_page_write(FILE *to, const struct draw_view *v, const char *trace)
{
    const struct draw_record *const r = &v->record;
    char title[80];
    bool good = true;
    snprintf(title, sizeof title, "%s %" PRIu64, r->is_dispatch ? "dispatch" : "draw", r->number);
    fprintf(
        to,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width="
        "device-width\"><title>%s</title><style>%s</style>\n<h1>%s of ",
        title, style, title);
    html_put(to, trace, strlen(trace));
    fprintf(to, "</h1>\n<p>%s</p>\n", v->device->summary);
    put_facts(to, r, &v->notes);
    if (!r->is_dispatch)
        geometry_page_write(to, v);
    put_fragments(to, v);
    good = put_surfaces(to, v);
    put_samplers(to, v);
    if (v->writes && good) {
        fputs("<h2>Overdraw</h2>\n", to);
        good = put_overdraw(to, v);
    }
    fputs("<h2>State</h2>\n", to);
    put_text(to, "the command", &v->command);
    put_text(to, "the pipeline state", &v->state);
    put_text(to, "what the state points to", &v->structures);
    for (unsigned n = 0; n < DRAW_KERNELS; n++) {
        char name[DRAW_KERNEL_NAME];
        draw_kernel_name(&r->kernels[n], name);
        snprintf(title, sizeof title, "%s: the kernel", name);
        put_text(to, title, &v->kernels[n]);
    }
    return good;
}
