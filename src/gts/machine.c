#include "gts/machine.h"

#include "device/host.h"

void gts_machine_of(struct gts_machine *m, struct softgt *device)
{
    const struct sheet *s = device_sheet(device);
    *m = (struct gts_machine){
        .device = s->info.name,
        .commands = softgt_command_set(device),
        .registers = softgt_register_file(device),
        .format = s->memory.format,
        .mmio_bytes = s->info.mmio_bytes,
        .ggtt_bytes = s->info.ggtt_bytes,
        .local_bytes = s->info.local_bytes,
    };
    for (unsigned i = 0; i < s->info.engine_count && i < GTS_MAX_ENGINES; i++)
        m->engines[m->engine_count++] = (struct gts_engine){.name = s->engines[i].name,
                                                            .class = s->engines[i].class,
                                                            .base = s->engines[i].mmio_base,
                                                            .number = i,
                                                            .info = &s->engines[i]};
}
