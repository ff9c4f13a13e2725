/* Vertices as they were fetched, and primitives as they reached setup. */
#include "draws/geometry_page.h"
#include "host/html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TEXT = 64, SLOTS = 8, COMPONENTS = 4 };

/* ---- Vertices ---- */

/* The buffer of element n, and the elements from there on that it has. */
static void put_buffer(FILE *to, const struct vertex_fetch_plan *p, unsigned n)
{
    const struct vf_element *const e = &p->element[n];
    uint64_t end = 0; /* of the elements of a vertex */
    fprintf(to, "<tr><td>%u<td>0x%" PRIx64 "<td>%" PRIu64 " bytes<td>%" PRIu64 " bytes%s<td>", e->buffer,
            e->start, e->size_bytes, e->pitch_bytes, e->pitch_bytes ? "" : " (all vertices are one)");
    for (unsigned i = n; i < p->element_count; i++) {
        const struct vf_element *const other = &p->element[i];
        if (!other->source.format || other->buffer != e->buffer)
            continue;
        fprintf(to, "%u: +%" PRIu32 " ", i, other->offset_bytes);
        end = other->offset_bytes + (uint64_t)other->source.bytes > end
                  ? other->offset_bytes + (uint64_t)other->source.bytes
                  : end;
    }
    if (e->pitch_bytes && end > e->pitch_bytes)
        fprintf(to, "<span class=bad>&#9888; these end at byte %" PRIu64 ", behind the pitch</span>", end);
    fputs("\n", to);
}

/* The buffers that elements name, each once. */
static void put_buffers(FILE *to, const struct vertex_fetch_plan *p)
{
    fputs("<table><tr><th>buffer<th>address<th>size<th>pitch<th>elements</tr>\n", to);
    for (unsigned n = 0; n < p->element_count; n++) {
        const struct vf_element *const e = &p->element[n];
        bool known = !e->source.format;
        for (unsigned i = 0; i < n; i++)
            known |= p->element[i].source.format && p->element[i].buffer == e->buffer;
        if (known)
            continue;
        put_buffer(to, p, n);
    }
    fputs("</table>\n", to);
}

static void put_element_names(FILE *to, const struct vertex_fetch_plan *p)
{
    fputs("<tr><th>number<th>instance", to);
    for (unsigned n = 0; n < p->element_count; n++) {
        const struct vf_element *const e = &p->element[n];
        fprintf(to, "<th>%u: ", n);
        if (!e->source.format) {
            fputs("generated", to);
            continue;
        }
        fprintf(to, "%s<br>buffer %u +%" PRIu32, e->source.format->name, e->buffer, e->offset_bytes);
        if (e->is_per_instance)
            fprintf(to, ", step %" PRIu32, e->instance_step_rate);
    }
    fputs("</tr>\n", to);
}

static void put_vertex(FILE *to, const struct draw_geometry *g, const struct fetched_vertex *v)
{
    fprintf(to, "<tr><td>%" PRIu32 "<td>%" PRIu32, v->number, v->instance);
    for (unsigned n = 0; n < g->plan.element_count; n++) {
        const struct vf_element *const e = &g->plan.element[n];
        uint64_t address = 0;
        const bool outside =
            e->source.format && !vf_element_address(e, g->start_instance, v->number, v->instance, &address);
        if (outside)
            fprintf(to, "<td class=bad title=\"0x%" PRIx64 " is beyond the buffer: zeros\">", address);
        else if (e->source.format)
            fprintf(to, "<td title=\"0x%" PRIx64 "\">", address);
        else
            fputs("<td>", to);
        for (unsigned c = 0; c < COMPONENTS && e->dw + c < GEOMETRY_VERTEX_DW; c++) {
            char text[TEXT];
            geometry_component_text(e, c, v->dw[e->dw + c], text, sizeof text);
            fprintf(to, "%s%s", c ? "&ensp;" : "", text);
        }
        fputs(outside ? " &#9888;" : "", to);
    }
    fputs("</tr>\n", to);
}

static void put_vertices(FILE *to, const struct draw_geometry *g)
{
    fputs("<h2>Vertices in</h2>\n", to);
    if (!g->vertex_count) {
        fputs("<p>None was fetched.</p>\n", to);
        return;
    }
    put_buffers(to, &g->plan);
    fprintf(to,
            "<p>%" PRIu64 " fetched, %u shown; each with its number in the buffers%s. &#9888;: beyond the "
            "buffer, which reads as zeros.</p>\n<div class=wide><table class=numbers>",
            g->fetched, g->vertex_count, g->is_indexed ? " (an index and the base vertex)" : "");
    put_element_names(to, &g->plan);
    for (unsigned n = 0; n < g->vertex_count; n++)
        put_vertex(to, g, &g->vertices[n]);
    fputs("</table></div>\n", to);
}

/* ---- Primitives ---- */

/* Its vertices have places on the screen. */
static bool has_outline(const struct drawn_primitive *p)
{
    enum { FURTHEST = 1 << 20 };
    bool good = true;
    for (unsigned n = 0; n < p->vertices; n++)
        good = good && p->screen[n][3] > 0 && fabs(p->screen[n][0]) < FURTHEST &&
               fabs(p->screen[n][1]) < FURTHEST;
    return good;
}

/* The screen with a quarter of it around, and the primitives on it. */
static void put_outlines(FILE *to, const struct draw_view *v)
{
    enum { SHARE = 4, WIDE = 480, HIGH = 320 };
    const struct draw_geometry *const g = &v->geometry;
    const struct picture *const target = &v->record.target.picture;
    const double width = target->width ? (double)target->width : g->scissor[2],
                 height = target->height ? (double)target->height : g->scissor[3];
    if (!(width > 0) || !(height > 0))
        return;
    const double scale = fmin(WIDE / width, HIGH / height), across = width / SHARE, down = height / SHARE;
    fprintf(to,
            "<figure><svg width=\"%.0f\" height=\"%.0f\" viewBox=\"%.6g %.6g %.6g %.6g\" class=outlines>"
            "<rect width=\"%.6g\" height=\"%.6g\" class=screen />\n",
            width * scale * (1 + 2.0 / SHARE), height * scale * (1 + 2.0 / SHARE), -across, -down,
            width + 2 * across, height + 2 * down, width, height);
    for (unsigned n = 0; n < g->primitive_count && n < GEOMETRY_OUTLINES; n++) {
        const struct drawn_primitive *const p = &g->primitives[n];
        if (!has_outline(p))
            continue;
        fprintf(to, "<%s class=\"%s\" ", p->vertices == 1 ? "circle" : "polygon",
                primitive_fate_names[p->fate]);
        if (p->vertices == 1)
            fprintf(to, "cx=\"%.6g\" cy=\"%.6g\" r=\"%.3g\"", p->screen[0][0], p->screen[0][1], 2 / scale);
        else
            fputs("points=\"", to);
        for (unsigned i = 0; i < p->vertices && p->vertices > 1; i++)
            fprintf(to, "%.6g,%.6g ", p->screen[i][0], p->screen[i][1]);
        fprintf(to, "%s><title>primitive %" PRIu32 ", instance %" PRIu32 ": %s</title></%s>\n",
                p->vertices == 1 ? "" : "\"", p->number, p->instance, primitive_fate_names[p->fate],
                p->vertices == 1 ? "circle" : "polygon");
    }
    fprintf(
        to,
        "</svg><figcaption>the screen, %.6g x %.6g pixels, and what is beside it; "
        "<span class=visible>visible</span>, <span class=culled>culled</span>, "
        "<span class=clipped>clipped</span>; vertices behind the eye are left out</figcaption></figure>\n",
        width, height);
}

static void put_slots(FILE *to, const uint32_t *dw, unsigned slots)
{
    for (unsigned slot = 0; slot < slots; slot++) {
        fputs("<td>", to);
        for (unsigned c = 0; c < COMPONENTS; c++) {
            char text[TEXT];
            geometry_slot_text(dw[slot * COMPONENTS + c], text, sizeof text);
            fprintf(to, "%s%s", c ? "&ensp;" : "", text);
        }
    }
}

static void put_primitive(FILE *to, const struct draw_geometry *g, unsigned number, unsigned slots)
{
    const struct drawn_primitive *const p = &g->primitives[number];
    for (unsigned n = 0; n < p->vertices; n++) {
        const uint32_t *const dw = g->vue_dw[number][n];
        const double *const screen = p->screen[n];
        fputs("<tr>", to);
        if (!n)
            fprintf(to,
                    "<td rowspan=%u>%" PRIu32 "<td rowspan=%u>%" PRIu32
                    "<td rowspan=%u><span class=%s>%s</span>%s%s",
                    p->vertices, p->number, p->vertices, p->instance, p->vertices,
                    primitive_fate_names[p->fate], primitive_fate_names[p->fate],
                    p->is_back_facing ? "<br>back facing" : "", p->is_reversed ? "<br>reversed" : "");
        put_slots(to, dw + VUE_POSITION, 1);
        fprintf(to, "<td>%.6g&ensp;%.6g&ensp;%.6g", text_number(screen[0]), text_number(screen[1]),
                text_number(screen[2]));
        put_slots(to, dw + GEOMETRY_SLOTS, slots);
        if (!n)
            fprintf(to, "<td rowspan=%u>%u, %u", p->vertices, p->viewport, p->layer);
        fputs("</tr>\n", to);
    }
}

static void put_primitives(FILE *to, const struct draw_view *v)
{
    const struct draw_geometry *const g = &v->geometry;
    const unsigned slots = g->slot_count < SLOTS ? g->slot_count : SLOTS;
    fputs("<h2>Primitives out of the last geometry stage</h2>\n", to);
    if (!g->primitive_count) {
        fputs("<p>None reached setup.</p>\n", to);
        return;
    }
    fputs("<p>", to);
    for (unsigned n = 0; n < GEOMETRY_FATES; n++)
        if (g->fates[n])
            fprintf(to, "<span class=%s>%" PRIu64 " %s</span>&emsp;", primitive_fate_names[n], g->fates[n],
                    primitive_fate_names[n]);
    fprintf(to, "scissored extent %" PRId32 ", %" PRId32 " to %" PRId32 ", %" PRId32 "</p>\n", g->scissor[0],
            g->scissor[1], g->scissor[2], g->scissor[3]);
    put_outlines(to, v);
    fprintf(
        to,
        "<p>%u shown. Slots have no types: what is no plain float is shown by its bits.%s</p>\n"
        "<div class=wide><table class=numbers><tr><th>primitive<th>instance<th>fate<th>clip space: x, y, z, "
        "w<th>screen: x, y, depth",
        g->vue_count, slots < g->slot_count ? " More slots are in --json." : "");
    for (unsigned n = 0; n < slots; n++)
        fprintf(to, "<th>slot %u", n);
    fputs("<th>viewport, layer</tr>\n", to);
    for (unsigned n = 0; n < g->vue_count; n++)
        put_primitive(to, g, n, slots);
    fputs("</table></div>\n", to);
}

void geometry_page_write(FILE *to, const struct draw_view *v)
{
    put_vertices(to, &v->geometry);
    put_primitives(to, v);
}
