/*
 * Data ports: messages that go to pixels of a surface. Where a pixel is: levels lie below and beside each
 * other, slices and array elements one QPitch of rows apart. Up to Gen8 a line is laid out as other surfaces,
 * and QPitch is for arrays alone: slices of a volume's level l lie in rows of 2^l, levels below each other.
 * In Tile64 small levels share a tile, the mip tail. (SKL PRM vol 5, Memory Views; BDW PRM vol 5, 3D
 * Surfaces; ATS-M PRM vol 5; Mesa, isl)
 */
#include "shared_function/image.h"

#include "shared_function/pixel_codec.h"

#include "memory/mip.h"
#include "memory/samples.h"

#include <stdlib.h>

const char *surface_value_name(const struct surface_state *s, unsigned role)
{
    return field_value_name(&s->row->by_role[role], surface_field(s, role));
}

/* "": it has no name. */
static const char *value_name(const struct surface_state *s, unsigned role)
{
    const char *const name = surface_value_name(s, role);
    return name ? name : "";
}

/* Tile modes by their names: numbers differ. */
enum softgt_tiling surface_tiling(const struct surface_state *s)
{
    static const struct {
        const char *name;
        enum softgt_tiling tiling;
    } modes[] = {{"XMAJOR", SOFTGT_TILE_X},
                 {"YMAJOR", SOFTGT_TILE_Y},
                 {"TILE4", SOFTGT_TILE_4},
                 {"TILE64", SOFTGT_TILE_64}};
    const char *const name = value_name(s, SURFACE_TILE_MODE);
    if (surface_field(s, SURFACE_TILED_SURFACE))
        return surface_field(s, SURFACE_TILE_WALK) ? SOFTGT_TILE_Y : SOFTGT_TILE_X;
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(name, modes[i].name) == 0)
            return modes[i].tiling;
    return SOFTGT_TILE_LINEAR;
}

/* The number at the end of "HALIGN_16". */
static uint32_t alignment(const struct surface_state *s, unsigned role, uint32_t otherwise)
{
    const char *const end = strchr(value_name(s, role), '_');
    const unsigned long value = end ? strtoul(end + 1, NULL, 10) : 0;
    return value ? (uint32_t)value : otherwise;
}

static uint32_t element_bytes(const struct image *i)
{
    return i->blocks ? i->blocks->bytes : i->format ? i->format->bytes : 1;
}

/* Stencil buffers are in W tiles up to Gen11, in Y tiles from Gen12 on. (Mesa, isl) */
static bool is_in_w_tiles(const struct image *i)
{
    return element_bytes(i) == 1 && strcmp(value_name(&i->state, SURFACE_TILE_MODE), "WMAJOR") == 0;
}

/* Of pixels or blocks; up to Gen8 of pixels, Xe_HPG's counts bytes, or pixels whose size is not a power of
 * two. Levels in Tile64 begin with tiles. (Mesa, isl) */
static uint32_t horizontal_alignment(const struct image *i)
{
    if (i->surface.tiling == SOFTGT_TILE_64 && i->surface.tiles)
        return (1u << i->surface.tiles->width_shift) / element_bytes(i);
    const uint32_t bytes = alignment(&i->state, SURFACE_HORIZONTAL_ALIGNMENT_BYTES, 0),
                   each = element_bytes(i);
    if (bytes && each & (each - 1u))
        return bytes;
    if (bytes)
        return bytes > each ? bytes / each : 1;
    const uint32_t pixels = alignment(&i->state, SURFACE_HORIZONTAL_ALIGNMENT, 4);
    return i->blocks && i->info->alignment_in_pixels ? (pixels + i->blocks->width - 1u) / i->blocks->width
                                                     : pixels;
}

static uint32_t vertical_alignment(const struct image *i)
{
    if (i->surface.tiling == SOFTGT_TILE_64 && i->surface.tiles)
        return 1u << i->surface.tiles->height_shift;
    const uint32_t pixels = alignment(&i->state, SURFACE_VERTICAL_ALIGNMENT, 4);
    return i->blocks && i->info->alignment_in_pixels ? (pixels + i->blocks->height - 1u) / i->blocks->height
                                                     : pixels;
}

/* A level of the mip tail, from where the tail's tile begins. Slices of a volume's tail are in that tile. */
static void tail_level(struct image *i, uint32_t level)
{
    const struct mip_tail_offset *const p =
        tile_mip_tail_offset(i->surface.tiles, level - i->tail_start, element_bytes(i));
    if (!p) {
        i->is_null = true;
        return;
    }
    i->x += p->x;
    i->y += p->y;
    i->first_slice += p->z;
}

/* The levels of a 1D surface begin at multiples of 64 pixels, Xe_HPG's at those of its alignment. (SKL PRM
 * vol 5, 1D Surfaces; Mesa, isl) */
static uint32_t line_alignment(const struct image *i)
{
    enum { LINE_PIXELS = 64 };
    return alignment(&i->state, SURFACE_HORIZONTAL_ALIGNMENT_BYTES, 0) ? horizontal_alignment(i)
                                                                       : LINE_PIXELS;
}

/* Gen9 1D surfaces: each level follows the one before. Others: level 1 is below level 0, the smaller levels
 * below each other to its right. */
void image_select_level(struct image *i, uint32_t level)
{
    enum { MOST_LEVELS = NO_TAIL - 1 };
    level = level < MOST_LEVELS ? level : MOST_LEVELS;
    if (level >= i->tail_start)
        tail_level(i, level);
    if (!level)
        return;
    const uint32_t h = horizontal_alignment(i), v = vertical_alignment(i);
    const uint32_t across = i->blocks ? i->blocks->width : 1, down = i->blocks ? i->blocks->height : 1;
#define COLUMNS(at) ((minify(i->width, at) + across - 1u) / across)
#define ROWS(at)    ((minify(i->height, at) + down - 1u) / down)
    const uint32_t last = level < i->tail_start ? level : i->tail_start;
    if (i->ccs.kind)
        fast_clear_level(i, level);
    for (uint32_t at = 0; at < last; at++) {
        if (i->is_linear_1d)
            i->x += mip_align(COLUMNS(at), line_alignment(i));
        else if (i->is_volume_in_rows)
            i->y += mip_align(ROWS(at), v) * (mip_align(minify(i->level_0_depth, at), 1u << at) >> at);
        else if (at == 1)
            i->x += mip_align(COLUMNS(1), h);
        else
            i->y += mip_align(ROWS(at), v);
    }
#undef COLUMNS
#undef ROWS
    i->width = minify(i->width, level);
    i->height = minify(i->height, level);
    i->level = level;
}

/* NULL: a format that pixels are not of. */
static const struct softgt_format *format_of(const struct message_context *b, const struct surface_state *s)
{
    const uint32_t code = surface_field(s, SURFACE_FORMAT);
    return b->structures.formats && code < SURFACE_FORMATS ? b->structures.formats[code] : NULL;
}

static const struct softgt_block_format *blocks_of(const struct message_context *b,
                                                   const struct surface_state *s)
{
    const uint32_t code = surface_field(s, SURFACE_FORMAT);
    return b->structures.blocks && code < SURFACE_FORMATS ? b->structures.blocks[code] : NULL;
}

bool message_surface_state(struct message_context *b, const struct eu_send *m, struct surface_state *s)
{
    enum { BINDLESS = 252 };
    const uint32_t index = m->descriptor & 0xffu;
    return index == BINDLESS
               ? surface_state_load(b, b->kernel.bindless_surface_state_base + surface_offset(m), s)
               : binding_table_surface(b, index, s);
}

void message_image(struct message_context *b, const struct eu_send *m, unsigned depth, struct image *i)
{
    struct surface_state s;
    *i = (struct image){.is_null = true};
    if (message_surface_state(b, m, &s))
        surface_state_image(b, &s, depth, i);
    if (b->info.null_is_out_of_bounds && i->is_null)
        b->memory.counters->out_of_bounds++;
}

/* Rows from one array element to the next, where no QPitch says it: of interleaved samples. */
static uint32_t array_pitch(const struct image *i)
{
    const uint32_t height = i->interleaves_samples ? samples_down(i->samples_log2, i->height) : i->height;
    const uint32_t down = i->blocks ? i->blocks->height : 1, v = vertical_alignment(i),
                   rows[2] = {(height + down - 1u) / down, (minify(height, 1) + down - 1u) / down};
    return surface_field(&i->state, SURFACE_ARRAY_SPACING)
               ? mip_align(rows[0], v)
               : mip_array_pitch(rows, v, i->info->array_spacing_rows);
}

static const struct tile_layout *tile_64_layout(const struct image *i, uint32_t type)
{
    return type == SURFTYPE_3D
               ? tile_volume_layout(element_bytes(i))
               : tile_samples_layout(element_bytes(i), i->interleaves_samples ? 0 : i->samples_log2,
                                     i->info->tile_64_has_all_samples);
}

static void image_decode(struct message_context *b, const struct surface_state *from, unsigned depth,
                         struct image *i)
{
    struct surface_state *const s = &i->state;
    *i = (struct image){.state = *from, .info = &b->info};
    const uint32_t type = surface_field(s, SURFACE_TYPE);
    i->is_null = type == SURFTYPE_NULL;
    i->is_buffer = type == SURFTYPE_BUFFER || type == SURFTYPE_STRBUF;
    i->format = format_of(b, s);
    i->codec = i->format ? (uint8_t)pixel_codec_of(i->format) : PIXEL_ANY;
    i->blocks = blocks_of(b, s);
    i->surface = (struct surface){
        .base = field_read(&s->row->places[SURFACE_BASE_ADDRESS], s->dw, SURFACE_STATE_DW),
        .pitch_bytes = (int32_t)surface_field(s, SURFACE_PITCH) + 1,
        .space = SPACE_PPGTT,
        .tiling = (uint8_t)surface_tiling(s),
    };
    image_samples_init(i);
    i->surface.tiles = i->surface.tiling == SOFTGT_TILE_64
                           ? tile_64_layout(i, type)
                           : tile_layout((enum softgt_tiling)i->surface.tiling, element_bytes(i));
    i->tail_start = i->surface.tiling == SOFTGT_TILE_64 && i->surface.tiles
                        ? surface_field(s, SURFACE_MIP_TAIL_START_LOD)
                        : NO_TAIL;
    if (is_in_w_tiles(i)) { /* its pitch is of pairs of rows */
        i->surface.tiles = tile_w_layout();
        i->surface.tiling = SOFTGT_TILE_Y;
        i->surface.pitch_bytes /= 2;
    }
    if (i->is_buffer) {
        const struct buffer_view t = surface_buffer_view(b, s);
        i->surface.base = t.base;
        i->size_bytes = t.size_bytes;
        i->width = (uint32_t)(t.size_bytes / (uint64_t)i->surface.pitch_bytes < UINT32_MAX
                                  ? t.size_bytes / (uint64_t)i->surface.pitch_bytes
                                  : UINT32_MAX);
        i->height = i->depth = 1;
        return;
    }
    const bool gfx4 = b->info.gfx4_volume_layout;
    i->is_linear_1d = type == SURFTYPE_1D && i->surface.tiling == SOFTGT_TILE_LINEAR && !gfx4;
    i->is_volume_in_rows = type == SURFTYPE_3D && gfx4;
    i->level_0_depth = surface_field(s, SURFACE_DEPTH) + 1u;
    i->width = surface_field(s, SURFACE_WIDTH) + 1u;
    i->height = type == SURFTYPE_1D ? 1 : surface_field(s, SURFACE_HEIGHT) + 1u;
    i->depth = surface_field(s, depth) + 1u;
    i->is_array = surface_field(s, SURFACE_ARRAY) || (b->info.depth_makes_array && i->level_0_depth > 1);
    if (type != SURFTYPE_3D && !i->is_array)
        i->depth = 1;
    i->first_slice = surface_field(s, SURFACE_MINIMUM_ARRAY_ELEMENT);
    i->qpitch = (surface_field(s, SURFACE_QPITCH_ARRAY) | surface_field(s, SURFACE_QPITCH)) * 4u;
    if (i->blocks && b->info.alignment_in_pixels)
        i->qpitch /= i->blocks->height;
    if (b->info.array_spacing_rows && type != SURFTYPE_3D)
        i->qpitch = array_pitch(i);
    i->x = surface_field(s, SURFACE_X_OFFSET) * 4u;
    i->y = surface_field(s, SURFACE_Y_OFFSET) * b->info.surface_y_offset_rows;
    if (surface_field(s, SURFACE_AUXILIARY_SURFACE_MODE) && i->samples_log2)
        mcs_init(i);
    else if (surface_field(s, SURFACE_AUXILIARY_SURFACE_MODE))
        fast_clear_init(b, i);
}

/* Decodes a state, or finds the result of the last time by the state's contents. */
void surface_state_image(struct message_context *b, const struct surface_state *from, unsigned depth,
                         struct image *i)
{
    enum { BASE_DW = 8, EARLY_BASE_DW = 1 };
    struct image_cache_entry *const known =
        &b->caches.images[cache_index(from->dw[BASE_DW] + from->dw[EARLY_BASE_DW] + depth, KNOWN_BITS)];
    if (known->depth_role != depth || known->image.state.row != from->row ||
        memcmp(known->image.state.dw, from->dw, sizeof from->dw) != 0) {
        image_decode(b, from, depth, &known->image);
        known->depth_role = depth;
    }
    *i = known->image;
    i->info = &b->info;
    i->surface.aux_table = i->ccs.kind >= CCS_FOURS ? b->aux_table : 0;
}

/* ---- Blocks: bytes, in a rectangle ---- */

struct block {
    int32_t x, y; /* x in bytes */
    uint32_t width, height;
    int64_t row_bytes; /* of the surface */
    unsigned at;       /* the first register of data */
    bool writes, clamps;
};

/* One byte of a block. Reads beyond an edge return the pixel at the edge, or 0; writes there are dropped. */
static void block_byte(struct message_context *b, const struct eu_send *m, const struct image *i,
                       const struct block *k, uint32_t row, uint32_t column, uint32_t pitch)
{
    const uint32_t byte = row * pitch + column, n = k->at + byte / EU_REGISTER_BYTES;
    int64_t x = (int64_t)k->x + column, y = (int64_t)k->y + row;
    const bool inside = x >= 0 && x < k->row_bytes && y >= 0 && y < i->height;
    uint8_t value = 0;
    b->work.memory_accesses++;
    if (k->writes) {
        value = payload_register(m, n)[byte % EU_REGISTER_BYTES];
        if (inside)
            message_store(b, surface_address(&i->surface, (int32_t)x, (int32_t)y), &value, 1);
        return;
    }
    x = x < 0 ? 0 : x < k->row_bytes ? x : k->row_bytes - 1;
    y = y < 0 ? 0 : y < i->height ? y : i->height - 1;
    if (inside || k->clamps) {
        const uint64_t from = surface_address(&i->surface, (int32_t)x, (int32_t)y);
        memory_client_trace_load(&b->memory, "load", from, 1);
        message_load(b, from, &value, 1);
    }
    writeback(m, n, byte % EU_REGISTER_BYTES, &value, 1);
}

/* Rows in registers have a pitch of 4, 8, 16, 32 or 64 bytes. */
static void transfer_block(struct message_context *b, const struct eu_send *m, const struct image *i,
                           const struct block *k)
{
    const unsigned registers = k->writes ? payload_registers(m) : m->response_registers;
    const uint32_t pitch = block_pitch(k->width < sizeof(uint32_t) ? sizeof(uint32_t) : k->width);
    if (i->is_null || i->is_buffer || !i->width)
        return;
    for (uint32_t row = 0; row < k->height; row++)
        for (uint32_t n = 0; n < k->width && !message_faulted(b); n++) {
            if (k->at + (row * pitch + n) / EU_REGISTER_BYTES >= registers)
                return;
            block_byte(b, m, i, k, row, n, pitch);
        }
}

bool media_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    const bool writes = kind == MESSAGE_MEDIA_WRITE;
    const uint32_t shape = payload_dw(m, 0, 2);
    struct image i;
    if (!has_header(m))
        return false;
    message_image(b, m, SURFACE_RENDER_TARGET_VIEW_EXTENT, &i);
    const int64_t row_bytes = (int64_t)i.width * 4; /* these messages count a surface's width in dwords */
    transfer_block(b, m, &i,
                   &(struct block){.x = (int32_t)payload_dw(m, 0, 0),
                                   .y = (int32_t)payload_dw(m, 0, 1),
                                   .width = (shape & 0x3fu) + 1u,
                                   .height = (shape >> 16 & 0x3fu) + 1u,
                                   .row_bytes = row_bytes,
                                   .at = writes,
                                   .writes = writes,
                                   .clamps = true});
    return true;
}

/* Its origin is in dwords 5 and 6 of the first register, its width (7:0) and height (15:8) in dword 7. (IGT,
 * gpgpu_fill; what is beyond an edge is as of the untyped message: IGC, lsc_load_block2d) */
bool typed_block(struct message_context *b, const struct eu_send *m, const struct surface_state *s,
                 bool writes)
{
    const uint32_t shape = payload_dw(m, 0, 7);
    struct image i;
    surface_state_image(b, s, SURFACE_RENDER_TARGET_VIEW_EXTENT, &i);
    const int64_t row_bytes = (int64_t)i.width * (i.format ? i.format->bytes : 0);
    transfer_block(b, m, &i,
                   &(struct block){.x = (int32_t)payload_dw(m, 0, 5),
                                   .y = (int32_t)payload_dw(m, 0, 6),
                                   .width = (shape & 0xffu) + 1u,
                                   .height = (shape >> 8 & 0xffu) + 1u,
                                   .row_bytes = row_bytes,
                                   .at = writes ? payload_part_registers(m, 1) : 0,
                                   .writes = writes});
    return true;
}

/* ---- Typed ---- */

/* A message has eight channels: the instruction's, whichever of the thread's these are (Intel's compiler has
 * the low slot group in all quarters), or of sixteen the half that the slot group names. Of a header's mask
 * of sixteen it is that half in any case. */
static uint32_t typed_channels(const struct eu_send *m, bool high)
{
    const uint32_t mask = m->channels >> (high && m->execution_size > 8 ? 8 : 0);
    return mask & (has_header(m) ? payload_dw(m, 0, 7) >> (high ? 8 : 0) : 0xffu) & 0xffu;
}

/* The level that a typed message goes to is the first that there is. */
static bool typed_level(struct message_context *b, struct image *i)
{
    if (!i->is_null && !i->format) {
        b->error_text = "a typed message to a surface whose format has no pixels";
        return false;
    }
    if (!i->is_null && !i->is_buffer)
        image_select_level(i, surface_field(&i->state, SURFACE_MIN_LOD));
    return true;
}

static bool find_typed(struct message_context *b, const struct eu_send *m, struct image *i)
{
    message_image(b, m, SURFACE_RENDER_TARGET_VIEW_EXTENT, i);
    return typed_level(b, i);
}

/* A pixel's bytes lie together in every tiling. Returns how many there are: 0 outside; of a buffer's last
 * ones, which may lie closer than they are long, some. */
unsigned image_pixel_address(const struct image *i, const uint32_t at[3], uint64_t *address)
{
    if (i->is_null || !i->format || at[0] >= i->width || at[1] >= i->height || at[2] >= i->depth)
        return 0;
    const struct tile_layout *const tiles = i->surface.tiles;
    const uint32_t slice = i->first_slice + at[2],
                   apart = (tiles ? slice >> tiles->depth_shift : slice) * i->qpitch;
    const uint32_t across = i->blocks ? i->blocks->width : 1, down = i->blocks ? i->blocks->height : 1;
    uint32_t x = i->x + (i->blocks ? at[0] / across : at[0]), y = i->y + (i->blocks ? at[1] / down : at[1]);
    if (i->is_sample_grid) { /* they lie two pixels apart */
        x = (x & ~3u) | (x & 1u) << 1 | (x >> 1 & 1u);
        y = (y & ~3u) | (y & 1u) << 1 | (y >> 1 & 1u);
    }
    if (i->is_buffer) {
        const uint64_t offset = (uint64_t)at[0] * (uint32_t)i->surface.pitch_bytes;
        const uint64_t left = offset < i->size_bytes ? i->size_bytes - offset : 0;
        *address = i->surface.base + offset;
        return left < i->format->bytes ? (unsigned)left : i->format->bytes;
    }
    if (i->is_volume_in_rows) {
        x += (slice & ((1u << i->level) - 1u)) *
             mip_align((i->width + across - 1u) / across, horizontal_alignment(i));
        y += (slice >> i->level) * mip_align((i->height + down - 1u) / down, vertical_alignment(i));
    } else if (i->is_linear_1d) {
        x += apart;
    } else {
        y += apart;
    }
    *address = surface_address(&i->surface, (int32_t)(x * i->format->bytes), (int32_t)y);
    if (tiles && tiles->z_bits) /* the slices of a tile are in it */
        *address += tile_deposit(slice & ((1u << tiles->depth_shift) - 1u), tiles->z_bits);
    return i->format->bytes;
}

static bool load_pixel(struct message_context *b, const struct image *i, const uint32_t at[3],
                       uint64_t address, uint8_t *pixel, unsigned bytes)
{
    b->work.memory_accesses++;
    if (__builtin_expect(i->ccs.kind, 0) && fast_clear_is_cleared(b, i, at, address))
        return fast_clear_pixel(b, i, pixel);
    message_load(b, address, pixel, bytes);
    return true;
}

bool image_read_pixel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel)
{
    uint64_t address;
    const unsigned bytes = image_pixel_address(i, at, &address);
    return bytes && bytes == i->format->bytes && load_pixel(b, i, at, address, pixel, bytes);
}

bool image_read_texel(struct message_context *b, const struct image *i, const uint32_t at[3], uint8_t *pixel)
{
    uint64_t address;
    const unsigned bytes = image_pixel_address(i, at, &address);
    if (bytes && bytes < i->format->bytes)
        memset(pixel, 0, PIXEL_BYTES);
    return bytes && load_pixel(b, i, at, address, pixel, bytes);
}

/* The registers that a value of 32 or 64 bits of each channel fills. */
static unsigned value_registers(const struct eu_send *m, unsigned bytes)
{
    return m->register_rows > 1       ? payload_part_registers(m, m->execution_size * bytes)
           : bytes > sizeof(uint32_t) ? 2
                                      : 1;
}

/* The coordinates of a channel: of a line of an array the second is which. */
static void coordinates_of(const struct image *i, const struct eu_send *m, unsigned at, unsigned coordinates,
                           unsigned channel, uint32_t u[3])
{
    const unsigned registers = value_registers(m, 4);
    for (unsigned n = 0; n < 3; n++)
        u[n] = n < coordinates ? payload_channel(m, at + n * registers, channel) : 0;
    if (!i->is_null && surface_field(&i->state, SURFACE_TYPE) == SURFTYPE_1D) {
        u[2] = u[1];
        u[1] = 0;
    }
}

bool image_access_pixel(struct message_context *b, const struct image *i, const uint32_t u[3],
                        union softgt_color *color, bool writes)
{
    uint8_t pixel[PIXEL_BYTES] = {0};
    uint64_t address = 0;
    if (!writes && image_read_pixel(b, i, u, pixel)) {
        pixel_decode((enum pixel_codec)i->codec, i->format, pixel, color);
    } else if (writes && i->format && image_pixel_address(i, u, &address) == i->format->bytes) {
        if (__builtin_expect(i->ccs.kind, 0) && !fast_clear_expand(b, i, u))
            return false;
        pixel_encode((enum pixel_codec)i->codec, i->format, color, pixel);
        b->work.memory_accesses++;
        message_store(b, address, pixel, i->format->bytes);
    }
    return !message_faulted(b);
}

/* A write expands a block that others may write meanwhile: before any channel has done its part. */
static bool writes_wait(struct message_context *b, const struct image *i, const struct eu_send *m,
                        unsigned at, unsigned coordinates, uint32_t channels)
{
    FOR_EACH_CHANNEL(n, b->parallel_port && i->ccs.kind ? channels : 0) {
        uint32_t u[3];
        coordinates_of(i, m, at, coordinates, n, u);
        if (fast_clear_needs_exclusive(b, i, u))
            return true;
    }
    return false;
}

/* A typed message's access of one channel. */
static bool access_typed(struct message_context *b, const struct image *i, const uint32_t u[3],
                         union softgt_color *color, bool writes)
{
    uint64_t address;
    if (!writes && message_is_traced(b, false) && image_pixel_address(i, u, &address))
        memory_client_trace_load(&b->memory, "load", address, i->format->bytes);
    return image_access_pixel(b, i, u, color, writes);
}

bool typed_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { HIGH = 2 };
    const bool writes = kind == MESSAGE_TYPED_WRITE;
    const uint32_t d = m->descriptor, channels = typed_channels(m, (d >> 12 & 3u) == HIGH);
    const unsigned values = 4u - (unsigned)__builtin_popcount(d >> 8 & 15u), at = has_header(m);
    const unsigned all = payload_registers(m), taken = at + (writes ? values : 0);
    struct image i;
    if (all < taken || !find_typed(b, m, &i))
        return false;
    const unsigned coordinates = all - taken;
    union softgt_color colors[8];
    if (writes && writes_wait(b, &i, m, at, coordinates, channels))
        return true;
    FOR_EACH_CHANNEL(n, channels) {
        uint32_t u[3];
        unsigned from = at + coordinates;
        coordinates_of(&i, m, at, coordinates, n, u);
        colors[n] = (union softgt_color){.u = {0}};
        for (unsigned c = 0; writes && c < 4; c++)
            if (!(d >> (8u + c) & 1u))
                colors[n].u[c] = payload_channel(m, from++, n);
        if (!access_typed(b, &i, u, &colors[n], writes))
            return true;
    }
    for (unsigned c = 0, to = 0; c < 4 && !writes; c++) {
        if (d >> (8u + c) & 1u)
            continue;
        FOR_EACH_CHANNEL(n, channels)
            writeback_channel(m, to, n, colors[n].u[c]);
        to++;
    }
    return true;
}

/* One channel's: what was there, and is there now. False: a fault. */
static bool atomic_pixel(struct message_context *b, const struct image *i, const uint32_t at[3],
                         const struct typed_atomic *a, const uint64_t values[2], uint64_t *old)
{
    const unsigned bytes = i->format ? i->format->bytes : 0;
    uint64_t address;
    *old = 0;
    if (!image_pixel_address(i, at, &address))
        return true;
    b->work.memory_accesses++;
    if (i->ccs.kind && !fast_clear_expand(b, i, at))
        return false;
    *old = atomic_memory(b, address, a->operation, bytes, values[0], values[1]);
    return !message_faulted(b);
}

/* Typed messages of formats as wide as the values: coordinates from register `at` on, the values after them.
 */
static bool atomic_pixels(struct message_context *b, const struct eu_send *m, const struct image *i,
                          const struct typed_atomic *a)
{
    const unsigned sources = atomic_sources(a->operation), registers = value_registers(m, a->bytes),
                   data = a->at + a->coordinates * value_registers(m, 4);
    uint64_t old[EU_MAX_CHANNELS] = {0};
    b->work.slm_accesses |= ANY_ATOMIC;
    if (!i->is_null && i->format->bytes != a->bytes) {
        b->error_text = "a typed atomic on a format of another size";
        return false;
    }
    FOR_EACH_CHANNEL(n, b->parallel_port ? a->channels : 0) {
        uint32_t u[3];
        uint64_t address;
        coordinates_of(i, m, a->at, a->coordinates, n, u);
        if (image_pixel_address(i, u, &address) && atomic_needs_exclusive(b, address, a->bytes))
            return true;
        if (fast_clear_needs_exclusive(b, i, u))
            return true;
    }
    FOR_EACH_CHANNEL(n, a->channels) {
        uint64_t values[2] = {0};
        uint32_t u[3];
        for (unsigned v = 0; v < sources; v++)
            values[v] = a->bytes == 8 ? payload_channel64(m, data + registers * v, n)
                                      : payload_channel(m, data + registers * v, n);
        coordinates_of(i, m, a->at, a->coordinates, n, u);
        if (!atomic_pixel(b, i, u, a, values, &old[n]))
            return true;
    }
    if (a->returns)
        FOR_EACH_CHANNEL(n, a->channels) {
            if (a->bytes == 8)
                writeback_channel64(m, 0, n, old[n]);
            else
                writeback_channel(m, 0, n, (uint32_t)old[n]);
        }
    return true;
}

/* Bits 11:8 the operation, 12 the slot group, 13 whether it returns what was there. */
bool typed_atomic(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    const uint32_t d = m->descriptor;
    const enum atomic_operation operation = (enum atomic_operation)(d >> 8 & 15u);
    const unsigned at = has_header(m), all = payload_registers(m), sources = atomic_sources(operation);
    struct image i;
    if (!operation || all < at + sources || !find_typed(b, m, &i))
        return false;
    return atomic_pixels(b, m, &i,
                         &(struct typed_atomic){.operation = operation,
                                                .channels = typed_channels(m, d >> 12 & 1u),
                                                .at = at,
                                                .coordinates = all - at - sources,
                                                .bytes = kind == MESSAGE_TYPED_ATOMIC_16 ? 2 : 4,
                                                .returns = d >> 13 & 1u});
}

/* ---- Of the load and store units: typed, coordinates u, v and r ---- */

/* The most channels of a message: as many as a register has dwords, and on Gen20 twice as many. */
static unsigned most_typed_channels(const struct eu_send *m)
{
    return m->register_rows > 1 ? EU_MAX_CHANNELS : EU_REGISTER_BYTES / 4;
}

/* The register of the first values: coordinates may fill both parts of a payload, values are the last ones.
 */
static unsigned typed_values_at(const struct eu_send *m, unsigned values)
{
    const unsigned all = payload_registers(m);
    return all < values ? all : all - values;
}

bool typed_load_store(struct message_context *b, const struct eu_send *m, const struct surface_state *s,
                      uint8_t operation, bool writes)
{
    enum { DATA_64 = 3 };
    const uint32_t channels = m->channels & UINT32_MAX >> (EU_MAX_CHANNELS - m->execution_size),
                   mask = m->descriptor >> 12 & 15u;
    const unsigned bytes = operation && (m->descriptor >> 9 & 7u) == DATA_64 ? 8 : 4,
                   values = operation ? atomic_sources((enum atomic_operation)operation)
                            : writes  ? (unsigned)__builtin_popcount(mask)
                                      : 0,
                   most = most_typed_channels(m), registers = value_registers(m, 4),
                   data = typed_values_at(m, values * value_registers(m, bytes)), named = data / registers,
                   coordinates = named < 3 ? named : 3;
    union softgt_color colors[EU_MAX_CHANNELS];
    struct image i;
    surface_state_image(b, s, SURFACE_RENDER_TARGET_VIEW_EXTENT, &i);
    if (m->execution_size > most || !typed_level(b, &i))
        return false;
    if (operation)
        return atomic_pixels(b, m, &i,
                             &(struct typed_atomic){.operation = (enum atomic_operation)operation,
                                                    .channels = channels,
                                                    .coordinates = named,
                                                    .bytes = bytes,
                                                    .returns = m->response != NULL});
    if (writes && writes_wait(b, &i, m, 0, coordinates, channels))
        return true;
    FOR_EACH_CHANNEL(n, channels) {
        uint32_t u[3];
        colors[n] = (union softgt_color){.u = {0}};
        coordinates_of(&i, m, 0, coordinates, n, u);
        for (unsigned c = 0, from = data; writes && c < 4; c++)
            if (mask >> c & 1u) {
                colors[n].u[c] = payload_channel(m, from, n);
                from += registers;
            }
        if (!access_typed(b, &i, u, &colors[n], writes))
            return true;
    }
    for (unsigned c = 0, to = 0; !writes && c < 4; c++)
        if (mask >> c & 1u) { /* it may overlap the coordinates */
            FOR_EACH_CHANNEL(n, channels)
                writeback_channel(m, to, n, colors[n].u[c]);
            to += registers;
        }
    return true;
}
