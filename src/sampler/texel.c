/* Texels of the sampler: address modes, decoding, border colors, shadow comparisons. */
#include "sampler/sampler.h"

#include "shared_function/pixel_codec.h"

static bool integer_format(const struct softgt_format *f)
{
    for (unsigned c = 0; c < 4; c++)
        if (f->part[c].bits &&
            (f->part[c].kind == SOFTGT_COMPONENT_UINT || f->part[c].kind == SOFTGT_COMPONENT_SINT))
            return true;
    return false;
}

bool sampler_format_init(struct sampler_message *s)
{
    const struct image *const i = &s->image;
    if (i->blocks && !i->is_buffer) {
        s->blocks = *i->blocks;
        s->format = (struct softgt_format){.name = s->blocks.name, .bytes = s->blocks.bytes};
        for (unsigned c = 0; c < 4; c++)
            s->format.part[c] = (struct softgt_format_part){
                .bits = s->blocks.kind[c] != SOFTGT_COMPONENT_UNUSED ? 8 : 0, .kind = s->blocks.kind[c]};
    } else if (i->format && i->format->part[0].bits <= 32) {
        s->format = *i->format;
    } else {
        return false;
    }
    s->raw = integer_format(&s->format);
    s->codec = s->blocks.name ? PIXEL_ANY : (uint8_t)pixel_codec_of(&s->format);
    s->image.format = &s->format;
    return true;
}

void sampler_format_skip_srgb(struct sampler_message *s)
{
    for (unsigned c = 0; c < 4; c++) {
        if (s->format.part[c].kind == SOFTGT_COMPONENT_SRGB)
            s->format.part[c].kind = SOFTGT_COMPONENT_UNORM;
        if (s->blocks.kind[c] == SOFTGT_COMPONENT_SRGB)
            s->blocks.kind[c] = SOFTGT_COMPONENT_UNORM;
    }
    s->codec = s->blocks.name ? PIXEL_ANY : (uint8_t)pixel_codec_of(&s->format);
}

union softgt_color sampler_missing_channels(const struct sampler_message *s)
{
    union softgt_color empty = {.u = {0}};
    if (s->format.part[3].bits)
        return empty;
    if (s->raw)
        empty.u[3] = 1;
    else
        empty.f[3] = 1;
    return empty;
}

union softgt_color sampler_texel(const struct sampler_message *s, const struct image *level,
                                 const uint32_t at[DIMENSIONS])
{
    uint8_t pixel[PIXEL_BYTES];
    union softgt_color color = sampler_missing_channels(s);
    if (!message_faulted(s->b) && image_read_texel(s->b, level, at, pixel)) {
        if (s->blocks.name)
            softgt_block_decode(&s->blocks, pixel, at[0], at[1], &color);
        else
            pixel_decode((enum pixel_codec)s->codec, &s->format, pixel, &color);
    }
    return color;
}

/* The texel that an address mode selects; false: the border color. */
bool texture_address(enum address_mode mode, int64_t at, uint32_t size, uint32_t *found)
{
    const int64_t n = size;
    switch (mode) {
    case TEXCOORDMODE_WRAP:
        at = size & (size - 1u) ? modulo(at, n) : at & (n - 1);
        break;
    case TEXCOORDMODE_MIRROR:
        at = modulo(at, 2 * n);
        at = at < n ? at : 2 * n - 1 - at;
        break;
    case TEXCOORDMODE_MIRROR_101: /* the texels at the edges are not repeated */
        at = n > 1 ? modulo(at, 2 * n - 2) : 0;
        at = at < n ? at : 2 * n - 2 - at;
        break;
    case TEXCOORDMODE_CLAMP_BORDER:
    case TEXCOORDMODE_HALF_BORDER:
        if (at < 0 || at >= n)
            return false;
        break;
    case TEXCOORDMODE_MIRROR_ONCE:
        at = at < 0 ? -1 - at : at;
        break;
    default:
        break;
    }
    *found = (uint32_t)(at < 0 ? 0 : at < n ? at : n - 1);
    return true;
}

/* A border color of integers, packed as wide as the format's: from 16 bits on with a gap, so that blue begins
 * the third dword. (HSW PRM vol 2d, SAMPLER_BORDER_COLOR_STATE; Mesa, crocus) */
static void unpack_integer_border(const struct softgt_format *f, union softgt_color *border)
{
    static const uint8_t bits_8[4] = {0, 8, 16, 24}, bits_16[4] = {0, 16, 64, 80},
                         bits_32[4] = {0, 32, 64, 96}, bits_32_of_2[4] = {0, 64, 32, 96};
    enum { DWORD_BITS = 32 };
    const union softgt_color packed = *border;
    const unsigned bits = f->part[0].bits;
    const uint8_t *const at = bits <= 8                             ? bits_8
                              : bits <= 16                          ? bits_16
                              : f->part[1].bits && !f->part[2].bits ? bits_32_of_2
                                                                    : bits_32;
    const unsigned unused = DWORD_BITS - (bits <= 8 ? 8 : bits <= 16 ? 16 : DWORD_BITS);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t value = packed.u[at[c] / DWORD_BITS] >> at[c] % DWORD_BITS << unused;
        border->u[c] =
            f->part[c].kind == SOFTGT_COMPONENT_SINT ? (uint32_t)((int32_t)value >> unused) : value >> unused;
    }
}

/* The border color, limited to the format's channels and range. It is loaded only if an address mode uses it.
 */
union softgt_color sampler_border_color(struct sampler_message *s)
{
    union softgt_color border = {.u = {0}}, color = sampler_missing_channels(s);
    bool used = false;
    for (unsigned d = 0; d < s->dimensions && !s->cube; d++)
        used |= address_mode_of(s, d) == TEXCOORDMODE_CLAMP_BORDER ||
                address_mode_of(s, d) == TEXCOORDMODE_HALF_BORDER;
    s->loads_border = used;
    if (!used)
        return border;
    const uint32_t integers_dw = s->raw ? s->b->info.border_color_integers_dw : 0,
                   first_dw = s->b->info.border_color_unorm8_first ? 1 : integers_dw;
    message_load(s->b,
                 s->b->kernel.dynamic_state_base + sampler_field(s, SAMPLER_BORDER_COLOR_POINTER) +
                     first_dw * sizeof(uint32_t),
                 &border, sizeof border);
    if (integers_dw)
        unpack_integer_border(&s->format, &border);
    if (s->raw && !s->format.part[3].bits)
        border.u[3] = 1;
    for (unsigned c = 0; c < 4; c++) {
        const enum softgt_component kind = s->format.part[c].kind;
        const float least = kind == SOFTGT_COMPONENT_SNORM ? -1 : 0;
        if (!s->format.part[c].bits)
            continue;
        color.u[c] = border.u[c];
        if (kind == SOFTGT_COMPONENT_UNORM || kind == SOFTGT_COMPONENT_SRGB || kind == SOFTGT_COMPONENT_SNORM)
            color.f[c] = !(border.f[c] > least) ? least : border.f[c] > 1 ? 1 : border.f[c];
    }
    return color;
}

/* The function names the texels that fail: red is 0 where it holds, else 1. (SNB PRM vol 4.1, Shadow
 * Prefilter Compare; Mesa, iris: translate_shadow_func) */
void sampler_compare(const struct sampler_message *s, double reference, union softgt_color *color)
{
    enum { ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL };
    const double texel = (double)color->f[0];
    const bool holds[] = {
        [ALWAYS] = true,
        [NEVER] = false,
        [LESS] =
            texel<reference, [EQUAL] = texel == reference, [LEQUAL] = texel <= reference, [GREATER] = texel>
                reference,
        [NOTEQUAL] = texel != reference,
        [GEQUAL] = texel >= reference};
    color->f[0] = holds[s->filter.shadow_function & 7u] ? 0 : 1;
}
