/* Declarations that the files of Gen12.5 share. */
#ifndef GEN_GEN125_H
#define GEN_GEN125_H

#include "gen/sheet.h"

extern const struct guc_info gen125_g10_guc, gen125_g11_guc, gen125_g12_guc;

#endif
