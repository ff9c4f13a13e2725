#include "gen/sheet.h"

#include <string.h>

#define SHEET(name) &name,
const struct sheet *const sheets[] = {SHEETS(SHEET) NULL};

const struct sheet *sheet_find(const char *name)
{
    for (const struct sheet *const *s = sheets; name && *s; s++)
        if (strcmp((*s)->info.name, name) == 0)
            return *s;
    return NULL;
}

unsigned sheet_engine_classes(const struct sheet *sheet, const char *name)
{
    unsigned classes = 0;
    for (const struct engine_info *e = sheet->engines; e < sheet->engines + sheet->info.engine_count; e++)
        if (strcmp(name, e->name) == 0 || strcmp(name, engine_class_names[e->class]) == 0)
            classes |= 1u << e->class;
    return classes;
}
