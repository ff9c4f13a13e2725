/* The facts of a device that the reader needs: engines, command rows, registers. */
#ifndef GTS_MACHINE_H
#define GTS_MACHINE_H

#include "engine/engine.h"
#include "memory/memory.h"
#include "device/host.h"
#include "stream/index.h"

enum { GTS_MAX_ENGINES = 32 };

struct gts_engine {
    const char *name;
    enum engine_class class;
    uint32_t base;
    unsigned number;
    const struct engine_info *info; /* or NULL: no contexts */
};

struct gts_machine {
    const char *device; /* its name */
    const struct command_set *commands;
    const struct register_file *registers; /* or NULL */
    struct gts_engine engines[GTS_MAX_ENGINES];
    unsigned engine_count;
    const struct page_table_format *format;
    uint64_t mmio_bytes, ggtt_bytes, local_bytes;
};

void gts_machine_of(struct gts_machine *m, struct softgt *device);

#endif
