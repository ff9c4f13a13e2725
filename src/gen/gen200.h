/* Declarations that the files of Xe2 share. */
#ifndef GEN_GEN200_H
#define GEN_GEN200_H

#include "gen/sheet.h"

extern const struct guc_info gen200_bmg_guc, gen200_lnl_guc, gen200_bmg_media_guc, gen200_lnl_media_guc;
extern const struct register_range gen200_ranges[];
extern const struct image_row gen200_render_context[], gen200_compute_context[], gen200_copy_context[],
    gen200_video_context[];

/* Version of a part, as in GMD_ID: architecture, release; stepping B0. */
#define GEN200_GMD_ID(architecture, release) ((uint32_t)(architecture) << 22 | (uint32_t)(release) << 14 | 4u)

/* Engines of graphics: those of the media GT follow them. (gen200_media.c) */
enum { GEN200_GRAPHICS_ENGINES = 4 };
extern const struct media_gt gen200_bmg_media, gen200_lnl_media;

#endif
