#include "device/device.h"
#include "fuzz.h"

#include <stdlib.h>

static void *no_memory(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)address, (void)length_bytes, (void)write;
    return NULL;
}

void fuzz_row_words(fuzz_take *take)
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
        const struct command_set *const set = softgt_command_set(device);
        for (unsigned i = 1; i < set->count; i++) {
            const struct command *const c = set->rows[i];
            const uint32_t header =
                c->match | (c->length_bits ? c->min_dwords - (uint32_t)c->length_bias : 0);
            take(&header, sizeof header);
        }
        const struct register_file *const f = softgt_register_file(device);
        for (unsigned i = 1; i < f->slot_count; i++)
            take(&f->slots[i].offset, sizeof f->slots[i].offset);
        softgt_destroy(device);
    }
}
