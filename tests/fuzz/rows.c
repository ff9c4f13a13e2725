#include "device/device.h"
#include "gts/encoder.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void *no_memory(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)address, (void)length_bytes, (void)write;
    return NULL;
}

static void take_words(const struct command_set *set, const struct register_file *f, fuzz_take *take)
{
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *const c = set->rows[i];
        const uint32_t header = c->match | (c->length_bits ? c->min_dwords - (uint32_t)c->length_bias : 0);
        take(&header, sizeof header);
    }
    for (unsigned i = 1; i < f->slot_count; i++)
        take(&f->slots[i].offset, sizeof f->slots[i].offset);
}

static void take_names(const struct command_set *set, const struct register_file *f, fuzz_take *take)
{
    char name[64];
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *const c = set->rows[i];
        take(c->name, strlen(c->name));
        for (unsigned k = 0; c->execute && k < c->field_count; k++) {
            gts_name_canonical(c->fields[k].name, name, sizeof name);
            take(name, strlen(name));
        }
    }
    for (unsigned i = 1; i < f->slot_count; i++)
        if (f->slots[i].row != f->slots[i - 1].row)
            take(f->slots[i].row->name, strlen(f->slots[i].row->name));
}

static void each_generation(void (*look)(const struct command_set *set, const struct register_file *f,
                                         fuzz_take *take),
                            fuzz_take *take)
{
    enum generation last = 0;
    for (const struct sheet *const *s = sheets; *s; s++) {
        const struct softgt_config config = {.device = (*s)->info.name, .memory = {.map = no_memory}};
        struct softgt *device;
        if ((*s)->generation == last)
            continue;
        last = (*s)->generation;
        if (softgt_create(&config, &device) != 0)
            abort();
        look(softgt_command_set(device), softgt_register_file(device), take);
        softgt_destroy(device);
    }
}

void fuzz_row_words(fuzz_take *take)
{
    each_generation(take_words, take);
}

void fuzz_row_names(fuzz_take *take)
{
    each_generation(take_names, take);
}
