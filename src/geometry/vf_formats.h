/* Formats of vertex elements, planned once for all vertices of a draw. */
#ifndef PIPELINE3D_VF_FORMATS_H
#define PIPELINE3D_VF_FORMATS_H

#include <softgt/formats.h>

#include <stdbool.h>
#include <stdint.h>

enum vf_codec {
    VF_CODEC_ANY,         /* by softgt_pixel_decode */
    VF_CODEC_FLOAT32,     /* consecutive floats of 32 bits */
    VF_CODEC_UNORM_BYTES, /* four bytes of UNORM in any order */
    VF_CODEC_PARTS        /* component by component */
};

struct vf_source_format {
    const struct softgt_format *format; /* NULL: the element has no source */
    uint8_t codec, bytes;               /* enum vf_codec; the size of an element */
    uint8_t shift[4];                   /* VF_CODEC_UNORM_BYTES: the first bit of each component */
    uint32_t default_w;                 /* 1 as a float or an integer */
};

void vf_source_format_init(struct vf_source_format *f, const struct softgt_format *format);
/* Decodes an element as softgt_pixel_decode does; signaling NaNs become quiet. */
void vf_decode(const struct vf_source_format *f, const void *from, union softgt_color *color);

#endif
