/* Formats of vertex elements, planned once for all vertices of a draw. */
#ifndef GEOMETRY_VF_FORMATS_H
#define GEOMETRY_VF_FORMATS_H

#include <softgt/formats.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum vf_codec {
    VF_CODEC_ANY,         /* by softgt_pixel_decode */
    VF_CODEC_DWORDS,      /* consecutive floats or integers of 32 bits */
    VF_CODEC_UNORM_BYTES, /* four bytes of UNORM in any order */
    VF_CODEC_PARTS,       /* component by component */
    VF_CODEC_DOUBLES      /* floats of 64 bits, which become floats of 32 bits */
};
enum { VF_ELEMENT_BYTES = 32 /* of the largest */ };

struct vf_source_format {
    const struct softgt_format *format; /* NULL: the element has no source */
    uint8_t codec, bytes;               /* enum vf_codec; the size of an element */
    uint8_t shift[4];                   /* VF_CODEC_UNORM_BYTES: the first bit of each component */
    uint32_t default_w;                 /* 1 as a float or an integer */
};

void vf_source_format_init(struct vf_source_format *f, const struct softgt_format *format);
/* Formats of several floats of 64 bits, which only vertices have, by name. NULL: another one. */
const struct softgt_format *vf_double_format(const char *name);
typedef uint32_t vf_dwords __attribute__((vector_size(16)));

/* Consecutive dwords: missing ones are 0, 0 and default_w. */
static inline vf_dwords vf_decode_dwords(const struct vf_source_format *f, const void *from)
{
    enum { THREE = 12, FOUR = 16 };
    vf_dwords v = {0, 0, 0, f->default_w};
    uint32_t dw[3] = {0, 0, 0};
    if (f->bytes == FOUR) {
        memcpy(&v, from, FOUR);
    } else {
        if (f->bytes == THREE)
            memcpy(dw, from, THREE);
        else
            memcpy(dw, from, f->bytes >= 8 ? 8 : 4);
        v = (vf_dwords){dw[0], dw[1], dw[2], f->default_w};
    }
    return v;
}

/* Decodes four bytes of UNORM. */
static inline vf_dwords vf_decode_unorm_bytes(const struct vf_source_format *f, const void *from)
{
    typedef int32_t integers __attribute__((vector_size(16)));
    typedef float floats __attribute__((vector_size(16)));
    enum { MOST = 255 };
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    const vf_dwords values = {bytes >> f->shift[0], bytes >> f->shift[1], bytes >> f->shift[2],
                              bytes >> f->shift[3]};
    return (vf_dwords)(__builtin_convertvector((integers)(values & (uint32_t)MOST), floats) / (float)MOST);
}

/* Decodes an element as softgt_pixel_decode does, and floats of 64 bits to 32. */
void vf_decode(const struct vf_source_format *f, const void *from, union softgt_color *color);

#endif
