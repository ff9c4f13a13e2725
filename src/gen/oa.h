/* The observation units that data sheets use. */
#ifndef GEN_OA_H
#define GEN_OA_H

#include "oa/oa.h"

extern const struct oa_info gen6_oa_info, gen7_oa_info, gen75_oa_info, gen8_oa_info, gen9_oa_info,
    gen11_oa_info, gen12_oa_info, gen125_oa_info, gen125_oam_info;

#endif
