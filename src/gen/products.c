#include "gen/sheet.h"

#define SHEET(name) &name,
const struct sheet *const sheets[] = {SHEETS(SHEET) NULL};
