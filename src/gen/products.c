#include "gen/sheet.h"

#include <string.h>

#define SHEET(name) &name,
const struct sheet *const sheets[] = {SHEETS(SHEET) NULL};

const struct sheet *const decoded_sheets[] = {DECODED_SHEETS(SHEET) NULL};

static const struct sheet *find(const struct sheet *const *s, const char *name)
{
    while (*s && (!name || strcmp((*s)->info.name, name) != 0))
        s++;
    return *s;
}

static const struct sheet *find_id(const struct sheet *const *s, uint16_t pci_device_id)
{
    for (; *s; s++)
        for (const uint16_t *id = (*s)->pci_device_ids; *id; id++)
            if (*id == pci_device_id)
                return *s;
    return NULL;
}

const struct sheet *sheet_find(const char *name)
{
    return find(sheets, name);
}

const struct sheet *sheet_find_id(uint16_t pci_device_id)
{
    return find_id(sheets, pci_device_id);
}

const struct sheet *decoded_find(const char *name)
{
    return find(decoded_sheets, name);
}

const struct sheet *decoded_find_id(uint16_t pci_device_id)
{
    return find_id(decoded_sheets, pci_device_id);
}

bool sheet_repeats(const struct sheet *sheet)
{
    for (const struct sheet *const *s = sheets; *s != sheet; s++)
        if ((*s)->engines == sheet->engines && (*s)->gt == sheet->gt && (*s)->pci == sheet->pci)
            return true;
    return sheet->fused;
}

unsigned sheet_engine_classes(const struct sheet *sheet, const char *name)
{
    unsigned classes = 0;
    for (const struct engine_info *e = sheet->engines; e < sheet->engines + sheet->info.engine_count; e++)
        if (strcmp(name, e->name) == 0 || strcmp(name, engine_class_names[e->class]) == 0)
            classes |= 1u << e->class;
    return classes;
}

int sheet_engine_find(const struct sheet *sheet, const char *name)
{
    for (unsigned i = 0; i < sheet->info.engine_count; i++)
        if (strcmp(sheet->engines[i].name, name) == 0)
            return (int)i;
    return -1;
}
