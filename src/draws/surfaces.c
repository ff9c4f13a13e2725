#include "draws/surfaces.h"

#include "dispatcher/dispatcher.h"
#include "geometry/draw.h"
#include "host/picture.h"
#include "memory/samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RGBA = 4, PIXEL_MOST_BYTES = 16 };

bool surface_image(struct softgt *device, unsigned engine, const uint32_t dw[SURFACE_STATE_DW],
                   bool is_target, struct image *i)
{
    struct thread_dispatcher *const d = device_dispatcher(device, engine);
    struct surface_state state;
    if (!d || !d->bindings.structures.surface_state)
        return false;
    struct message_context *const b = &d->bindings;
    state.row = b->structures.surface_state;
    memcpy(state.dw, dw, sizeof state.dw);
    surface_state_image(b, &state, is_target ? SURFACE_RENDER_TARGET_VIEW_EXTENT : SURFACE_DEPTH, i);
    if (i->is_null || i->is_buffer)
        return false;
    if (is_target)
        image_select_level(i, surface_field(&state, SURFACE_MIP_COUNT_LOD));
    return !i->is_null && (i->format || i->blocks);
}

uint32_t image_level_layers(const struct image *i, uint32_t level)
{
    const uint32_t type = surface_field(&i->state, SURFACE_TYPE),
                   all = i->depth * (type == SURFTYPE_CUBE ? CUBE_SIDES : 1u);
    return type != SURFTYPE_3D ? all : all >> level ? all >> level : 1;
}

bool event_stores_to(const struct softgt_event *e, uint64_t address, uint64_t size_bytes)
{
    const uint64_t begin = graphics_address(address), from = graphics_address(e->address);
    return from < begin + size_bytes && from + e->size_bytes > begin;
}

bool surface_place(const struct image *i, const uint32_t at[3], unsigned sample, struct pixel_place *place)
{
    struct image samples = *i;
    uint32_t to[3];
    if (!image_has_pixel(i, at) || sample >> i->samples_log2)
        return false;
    image_divide_samples(&samples);
    image_sample_position(i, at, sample, to);
    place->bytes = image_pixel_address(&samples, to, &place->address);
    place->format = i->format;
    return place->bytes && place->bytes <= PIXEL_MOST_BYTES;
}

bool depth_buffer_place(const struct depth_stencil *s, bool is_stencil, unsigned samples_log2,
                        const uint32_t at[3], unsigned sample, struct pixel_place *place)
{
    static const char *const formats[] = {[DEPTH_D32_S8] = "R32_FLOAT",
                                          [DEPTH_D32] = "R32_FLOAT",
                                          [DEPTH_D24_S8] = "R24_UNORM_X8_TYPELESS",
                                          [DEPTH_D24] = "R24_UNORM_X8_TYPELESS",
                                          [DEPTH_D16] = "R16_UNORM"};
    const struct depth_surface *const from = is_stencil ? &s->stencil : &s->depth;
    const unsigned bytes = depth_bytes(s->depth_format);
    const bool among = is_stencil && from->interleaved_stencil;
    uint32_t to[3] = {at[0], at[1], at[2]};
    if (s->depth_format >= sizeof formats / sizeof formats[0] || sample >> samples_log2)
        return false;
    const char *const name = is_stencil ? "R8_UINT" : formats[s->depth_format];
    samples_interleave(samples_log2, sample, to);
    place->bytes = is_stencil ? 1 : depth_value_bytes(s->depth_format);
    place->format = name ? softgt_format_find(name) : NULL;
    return place->format &&
           depth_pixel_address(from, is_stencil && !among ? 1 : bytes, to,
                               among ? depth_value_bytes(s->depth_format) : 0, &place->address);
}

bool place_read(struct softgt *device, unsigned engine, const struct pixel_place *place,
                union softgt_color *color)
{
    uint8_t bytes[PIXEL_MOST_BYTES] = {0};
    *color = (union softgt_color){.u = {0}};
    if (!place->format || !softgt_ppgtt_read(device, engine, place->address, bytes, place->bytes))
        return false;
    softgt_pixel_decode(place->format, bytes, color);
    return true;
}

bool depth_state(struct softgt *device, unsigned engine, struct depth_stencil *s, unsigned *samples_log2)
{
    const struct thread_dispatcher *const d = device_dispatcher(device, engine);
    if (!d)
        return false;
    *samples_log2 = draw_samples_log2(d->engine);
    return !depth_stencil_state_init(s, d->engine, *samples_log2, true) &&
           (s->depth.present || s->stencil.present);
}

uint32_t depth_level(struct softgt *device, unsigned engine)
{
    const struct thread_dispatcher *const d = device_dispatcher(device, engine);
    return d ? (uint32_t)state_field(d->engine, STATE_DEPTH_BUFFER, BUFFER_LOD) : 0;
}

/* ---- Pictures ---- */

/* Pages that were read last. */
enum { PAGES = 64 };
struct page_reader {
    struct softgt *device;
    unsigned engine;
    struct {
        uint64_t number;
        bool is_read, is_mapped;
        uint8_t bytes[PAGE_BYTES];
    } page[PAGES];
};

static void read_pixel(struct page_reader *r, uint64_t address, uint8_t *to, unsigned size)
{
    for (unsigned n = 0; n < size; n++, address++) {
        const uint64_t number = address / PAGE_BYTES;
        const unsigned at = (unsigned)(number % PAGES);
        if (!r->page[at].is_read || r->page[at].number != number) {
            r->page[at].number = number;
            r->page[at].is_read = true;
            r->page[at].is_mapped =
                softgt_ppgtt_read(r->device, r->engine, number * PAGE_BYTES, r->page[at].bytes, PAGE_BYTES);
        }
        to[n] = r->page[at].is_mapped ? r->page[at].bytes[address % PAGE_BYTES] : 0;
    }
}

/* The memory of a picture, and what it is read by. False: it is too large, or out of memory. */
static bool begin_picture(struct softgt *device, unsigned engine, uint32_t width, uint32_t height,
                          uint8_t **rgba, struct page_reader **reader)
{
    const uint64_t pixels = (uint64_t)width * height;
    if (!pixels || pixels > SURFACE_PICTURE_PIXELS)
        return false;
    *rgba = calloc(pixels, RGBA);
    *reader = calloc(1, sizeof **reader);
    if (!*rgba || !*reader) {
        free(*rgba);
        free(*reader);
        return false;
    }
    (*reader)->device = device;
    (*reader)->engine = engine;
    return true;
}

/* ---- Fast clears ---- */

/* A message context with a TLB of its own, whose accesses change nothing of the device. */
struct clear_reader {
    struct message_context b;
    struct mmu mmu;
    struct memory_counters counters;
    struct device_log log;
    uint8_t pixel[PIXEL_MOST_BYTES]; /* of a cleared block */
};

static void ignore_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)user, (void)space, (void)address, (void)write, (void)level;
}

/* NULL: the surface has no blocks that may be cleared, or out of memory. */
static struct clear_reader *clear_reader_create(struct softgt *device, unsigned engine, const struct image *i)
{
    const struct thread_dispatcher *const d = device_dispatcher(device, engine);
    struct clear_reader *const c =
        d && i->format && (i->ccs.kind != CCS_NONE || i->mcs.is_present) ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->b = d->bindings;
    c->mmu = *d->bindings.memory.mmu;
    c->mmu.fault = ignore_fault;
    c->mmu.write_dropped = NULL;
    c->b.memory =
        (struct memory_client){.mmu = &c->mmu, .counters = &c->counters, .log = &c->log, .unit = ""};
    if ((i->mcs.is_present || fast_clear_is_present(&c->b, i)) && fast_clear_pixel(&c->b, i, c->pixel))
        return c;
    free(c);
    return NULL;
}

static bool is_cleared(struct clear_reader *c, const struct image *i, const uint32_t at[3], uint64_t address)
{
    uint64_t element;
    if (!i->mcs.is_present)
        return fast_clear_is_cleared(&c->b, i, at, address);
    return mcs_load(&c->b, i, at, &element) && mcs_is_cleared(i, element);
}

uint8_t *surface_picture(struct softgt *device, unsigned engine, const struct image *i, unsigned layer,
                         unsigned sample)
{
    uint8_t *rgba;
    struct page_reader *reader;
    struct softgt_format of_blocks = {.bytes = RGBA};
    const struct softgt_format *const format = i->blocks ? &of_blocks : i->format;
    for (unsigned c = 0; c < RGBA && i->blocks; c++)
        of_blocks.part[c] = (struct softgt_format_part){
            .bits = i->blocks->kind[c] != SOFTGT_COMPONENT_UNUSED ? 8 : 0, .kind = i->blocks->kind[c]};
    if (!format || !begin_picture(device, engine, i->width, i->height, &rgba, &reader))
        return NULL;
    struct clear_reader *const clear = clear_reader_create(device, engine, i);
    for (uint32_t y = 0; y < i->height; y++)
        for (uint32_t x = 0; x < i->width; x++) {
            const uint32_t at[3] = {x, y, layer};
            struct pixel_place place;
            uint8_t bytes[PIXEL_MOST_BYTES];
            union softgt_color color = {.f = {[RGBA - 1] = 1}};
            if (!surface_place(i, at, sample, &place))
                continue;
            if (clear && is_cleared(clear, i, at, place.address))
                memcpy(bytes, clear->pixel, sizeof bytes);
            else
                read_pixel(reader, place.address, bytes, place.bytes);
            if (i->blocks)
                softgt_block_decode(i->blocks, bytes, x, y, &color);
            else
                softgt_pixel_decode(i->format, bytes, &color);
            picture_put_color(format, &color, rgba + ((size_t)y * i->width + x) * RGBA);
        }
    free(clear);
    free(reader);
    return rgba;
}

uint8_t *depth_picture(struct softgt *device, unsigned engine, const struct depth_stencil *s, bool is_stencil,
                       unsigned samples_log2, unsigned layer, unsigned sample, uint32_t size[2])
{
    const struct depth_surface *const from = is_stencil ? &s->stencil : &s->depth;
    uint8_t *rgba;
    struct page_reader *reader;
    size[0] = from->width >> (samples_log2 + 1u) / 2u;
    size[1] = from->height >> samples_log2 / 2u;
    if (!from->present || !begin_picture(device, engine, size[0], size[1], &rgba, &reader))
        return NULL;
    for (uint32_t y = 0; y < size[1]; y++)
        for (uint32_t x = 0; x < size[0]; x++) {
            struct pixel_place place;
            uint8_t bytes[PIXEL_MOST_BYTES] = {0}, *const to = rgba + ((size_t)y * size[0] + x) * RGBA;
            union softgt_color color;
            if (!depth_buffer_place(s, is_stencil, samples_log2, (const uint32_t[3]){x, y, layer}, sample,
                                    &place))
                continue;
            read_pixel(reader, place.address, bytes, place.bytes);
            softgt_pixel_decode(place.format, bytes, &color);
            if (is_stencil)
                color.f[0] = (float)color.u[0] / (float)UINT8_MAX;
            const float part = color.f[0] > 0 ? color.f[0] < 1 ? color.f[0] : 1 : 0;
            to[0] = to[1] = to[2] = (uint8_t)(part * (float)UINT8_MAX);
            to[3] = UINT8_MAX;
        }
    free(reader);
    return rgba;
}

void place_text(const struct softgt_format *format, const union softgt_color *color, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned c = 0; c < RGBA && at < size; c++) {
        const struct softgt_format_part *const part = &format->part[c];
        if (!part->bits)
            continue;
        const char *const between = at ? " " : "";
        if (part->kind == SOFTGT_COMPONENT_UINT)
            at += (size_t)snprintf(text + at, size - at, "%s%" PRIu32, between, color->u[c]);
        else if (part->kind == SOFTGT_COMPONENT_SINT)
            at += (size_t)snprintf(text + at, size - at, "%s%" PRId32, between, color->s[c]);
        else
            at +=
                (size_t)snprintf(text + at, size - at, "%s%.6g", between,
                                 text_number(part->bits == 64 && c < 2 ? color->d[c] : (double)color->f[c]));
    }
}
