/* Declarations that the files of Xe2 share. */
#ifndef GEN_GEN200_H
#define GEN_GEN200_H

#include "gen/sheet.h"

extern const struct guc_info gen200_bmg_guc, gen200_lnl_guc;
extern const struct register_range gen200_ranges[];
extern const struct image_row gen200_render_context[], gen200_compute_context[], gen200_copy_context[],
    gen200_video_context[];

#endif
