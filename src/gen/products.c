/* The products, each with its data sheet. */
#include "gen/sheet.h"

const struct sheet *const sheets[] = {&snb_sheet, &cl_sheet,  &ctg_sheet, &skl_sheet, &skl_gt3_sheet,
                                      &icl_sheet, &ehl_sheet, &lkf_sheet, NULL};
