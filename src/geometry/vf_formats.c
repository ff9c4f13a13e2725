/* Converts the components of vertex elements. Formats that need exact arithmetic go by softgt_pixel_decode.
 */
#include "geometry/vf_formats.h"

#include <string.h>

enum { COMPONENTS = 4, WORD = 64, FLOAT_BITS = 24, HALF_BITS = 16 };

/* The components have 32 bits and are of a kind, one after the other. */
static bool vf_has_dwords(const struct softgt_format *f, unsigned kind)
{
    unsigned count = 0;
    while (count < COMPONENTS && f->part[count].bits == 32 && f->part[count].kind == kind &&
           f->part[count].first == count * 32u)
        count++;
    for (unsigned i = count; i < COMPONENTS; i++)
        if (f->part[i].bits)
            return false;
    return count && f->bytes == count * 4u;
}

static bool vf_is_unorm_bytes(const struct softgt_format *f)
{
    bool all = f->bytes == 4;
    for (unsigned i = 0; i < COMPONENTS; i++)
        all &= f->part[i].bits == 8 && f->part[i].kind == SOFTGT_COMPONENT_UNORM;
    return all;
}

static bool vf_has_simple_parts(const struct softgt_format *f)
{
    for (unsigned i = 0; i < COMPONENTS; i++)
        if (f->part[i].bits > 32 || f->part[i].first % WORD + f->part[i].bits > WORD)
            return false;
    return true;
}

void vf_source_format_init(struct vf_source_format *f, const struct softgt_format *format)
{
    const float one = 1;
    *f = (struct vf_source_format){.format = format, .bytes = (uint8_t)format->bytes};
    memcpy(&f->default_w, &one, sizeof one);
    for (unsigned i = 0; i < COMPONENTS; i++) {
        const struct softgt_format_part *const p = &format->part[i];
        f->shift[i] = (uint8_t)p->first;
        if (p->kind == SOFTGT_COMPONENT_UINT || p->kind == SOFTGT_COMPONENT_SINT)
            f->default_w = 1;
    }
    f->codec = format->shared_exponent        ? VF_CODEC_ANY
               : format->part[0].bits == WORD ? VF_CODEC_DOUBLES
               : vf_has_dwords(format, SOFTGT_COMPONENT_FLOAT) ||
                       vf_has_dwords(format, SOFTGT_COMPONENT_UINT) ||
                       vf_has_dwords(format, SOFTGT_COMPONENT_SINT)
                   ? VF_CODEC_DWORDS
               : vf_is_unorm_bytes(format)   ? VF_CODEC_UNORM_BYTES
               : vf_has_simple_parts(format) ? VF_CODEC_PARTS
                                             : VF_CODEC_ANY;
}

const struct softgt_format *vf_double_format(const char *name)
{
#define DOUBLE(n)                                                                                            \
    {                                                                                                        \
        n *WORD, WORD, SOFTGT_COMPONENT_FLOAT                                                                \
    }
    static const struct softgt_format formats[] = {
        {"R64G64_FLOAT", 16, false, {DOUBLE(0), DOUBLE(1)}},
        {"R64G64B64_FLOAT", 24, false, {DOUBLE(0), DOUBLE(1), DOUBLE(2)}},
        {"R64G64B64A64_FLOAT", 32, false, {DOUBLE(0), DOUBLE(1), DOUBLE(2), DOUBLE(3)}}};
#undef DOUBLE
    for (unsigned i = 0; name && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A half is a float, but for NaNs. */
static uint32_t vf_half(uint32_t raw, const struct softgt_format_part *p)
{
    enum { FRACTION = 10, REBIAS = 127 - 15, EXPONENTS = 31 };
    const uint32_t sign = (raw & 0x8000u) << 16, fraction = raw & 0x3ffu,
                   exponent = raw >> FRACTION & EXPONENTS;
    if (exponent == EXPONENTS)
        return fraction ? float_bits(softgt_component_to_float(p->kind, p->bits, raw)) : sign | 0x7f800000u;
    if (!exponent)
        return sign | float_bits((float)fraction * 0x1p-24f);
    return sign | (exponent + REBIAS) << 23 | fraction << (23 - FRACTION);
}

static uint32_t vf_component(const struct softgt_format_part *p, uint64_t raw)
{
    const uint32_t most = UINT32_MAX >> (32u - p->bits), value = (uint32_t)raw & most;
    const int32_t extended = (int32_t)(value << (32u - p->bits)) >> (32u - p->bits);
    if (p->kind == SOFTGT_COMPONENT_UINT)
        return value;
    if (p->kind == SOFTGT_COMPONENT_SINT)
        return (uint32_t)extended;
    if (p->kind == SOFTGT_COMPONENT_UNORM &&
        p->bits <= FLOAT_BITS) /* both are floats: one division rounds once */
        return float_bits((float)value / (float)most);
    if (p->kind == SOFTGT_COMPONENT_SNORM && p->bits > 1 && p->bits <= FLOAT_BITS) {
        const int32_t high = (int32_t)(most >> 1);
        return float_bits((float)(extended < -high ? -high : extended) / (float)high);
    }
    if (p->kind == SOFTGT_COMPONENT_USCALED)
        return float_bits((float)value);
    if (p->kind == SOFTGT_COMPONENT_SSCALED)
        return float_bits((float)extended);
    if (p->kind == SOFTGT_COMPONENT_FLOAT && p->bits == 32)
        return value;
    if (p->kind == SOFTGT_COMPONENT_FLOAT && p->bits == HALF_BITS)
        return vf_half(value, p);
    return float_bits(softgt_component_to_float(p->kind, p->bits, value));
}

/* The element in two words; copies of constant size are moves. */
static void vf_words(uint64_t words[2], const void *from, unsigned bytes)
{
    words[0] = words[1] = 0;
    if (bytes == 4)
        memcpy(words, from, 4);
    else if (bytes == 8)
        memcpy(words, from, 8);
    else if (bytes == 2)
        memcpy(words, from, 2);
    else if (bytes == 16)
        memcpy(words, from, 16);
    else
        memcpy(words, from, bytes <= 16 ? bytes : 16);
}

void vf_decode(const struct vf_source_format *f, const void *from, union softgt_color *color)
{
    uint64_t words[2];
    vf_dwords dw;
    switch ((enum vf_codec)f->codec) {
    case VF_CODEC_DWORDS:
        dw = vf_decode_dwords(f, from);
        memcpy(color->u, &dw, sizeof dw);
        break;
    case VF_CODEC_UNORM_BYTES:
        dw = vf_decode_unorm_bytes(f, from);
        memcpy(color->u, &dw, sizeof dw);
        break;
    case VF_CODEC_PARTS:
        vf_words(words, from, f->bytes);
        for (unsigned i = 0; i < COMPONENTS; i++) {
            const struct softgt_format_part *const p = &f->format->part[i];
            color->u[i] = p->bits  ? vf_component(p, words[p->first / WORD] >> p->first % WORD)
                          : i == 3 ? f->default_w
                                   : 0;
        }
        break;
    case VF_CODEC_DOUBLES:
        for (unsigned i = 0; i < COMPONENTS; i++) {
            double value = i == 3 ? 1 : 0;
            if (f->format->part[i].bits)
                memcpy(&value, (const uint8_t *)from + i * sizeof value, sizeof value);
            color->f[i] = (float)value;
        }
        break;
    case VF_CODEC_ANY:
        softgt_pixel_decode(f->format, from, color);
        break;
    }
}
