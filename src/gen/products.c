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

/* Device numbers of trace files, as Mesa has them. A second number of a name, and those of Alder Lake (0x22,
 * 0x25), are from Intel's library. */
static const struct {
    const char *name;
    uint32_t id;
} simulators[] = {{"bdw", 0x0b}, {"chv", 0x0d}, {"skl", 0x0c}, {"bxt", 0x0e}, {"kbl", 0x10}, {"glk", 0x11},
                  {"cfl", 0x18}, {"icl", 0x13}, {"ehl", 0x1c}, {"tgl", 0x16}, {"tgl", 0x22}, {"tgl", 0x25},
                  {"dg1", 0x1e}, {"dg2", 0x1d}, {"dg2", 0x24}, {"bmg", 0x2b}, {"lnl", 0x2d}};

enum { SIMULATORS = sizeof simulators / sizeof simulators[0] };

const char *simulator_name(uint32_t id)
{
    for (size_t i = 0; i < SIMULATORS; i++)
        if (simulators[i].id == id)
            return simulators[i].name;
    return NULL;
}

uint32_t simulator_id(const char *name)
{
    for (size_t i = 0; i < SIMULATORS; i++)
        if (strcmp(simulators[i].name, name) == 0)
            return simulators[i].id;
    return 0;
}
