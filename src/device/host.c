/* Functions of host.h that no other file implements. */
#include "device/device.h"
#include "dispatcher/dispatcher.h"

const struct sheet *device_sheet(const struct softgt *d)
{
    return d->sheet;
}

struct bases device_bases(const struct softgt *d, unsigned engine)
{
    return (struct bases){.constants_absolute = {engine_constants_absolute(&d->engines[engine])},
                          .tables_of_256_bytes =
                              register_value(&d->mmio, GT_MODE) & GT_MODE_TABLES_OF_256_BYTES};
}

struct thread_dispatcher *device_dispatcher(struct softgt *d, unsigned engine)
{
    struct thread_dispatcher *const of =
        d->dispatches && engine < d->sheet->info.engine_count ? &d->dispatches[engine] : NULL;
    return of && of->draws ? of : NULL;
}

bool device_tiles_swizzled(const struct softgt *d)
{
    return d->memory.swizzled;
}

bool device_engine_is_preempting(const struct softgt *d, unsigned engine)
{
    return d->engines[engine].execlists.pending_valid;
}

bool device_engine_is_woken(const struct softgt *d, unsigned engine)
{
    return d->engines[engine].parse.reschedule;
}

uint64_t device_undrawn_count(const struct softgt *d)
{
    uint64_t draws = 0;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        draws += dispatcher_of(&d->engines[i]) ? d->engines[i].totals.draws_skipped : 0;
    return draws;
}

uint64_t device_local_clear_count(const struct softgt *d)
{
    return d->memory.local_clears;
}

uint64_t device_local_reserved_start(const struct softgt *d)
{
    return local_layout(&d->memory).flat_ccs;
}

uint64_t device_local_ccs(const struct softgt *d, uint64_t address)
{
    return local_ccs(&d->memory, address);
}

uint64_t device_pf_local_bytes(const struct softgt *d)
{
    return d->isolation.pf_local_bytes;
}

void device_function_status(const struct softgt *d, unsigned function, struct device_function_status *status)
{
    const struct guc_function *const f = &d->gucs[0].functions[function];
    *status = (struct device_function_status){.run_state = (enum vf_run_state)f->state.run_state,
                                              .provisioning = f->provisioning};
    for (unsigned i = 0; i < device_guc_count(d); i++) {
        status->busy_ms += guc_vf_busy_ms(&d->gucs[i], function);
        if (d->gucs[i].functions[function].state.run_state == VF_PAUSING)
            status->run_state = VF_PAUSING; /* until it has left the engines of all GTs */
    }
}

uint32_t device_vf_part_count(const struct softgt *d, unsigned function)
{
    uint32_t parts = 0;
    for (unsigned i = 0; i < device_guc_count(d); i++)
        parts += guc_vf_part_count(&d->gucs[i], function);
    return parts;
}

/* The GuC that has the part; *part becomes its number there. */
static struct guc *guc_of_part(struct softgt *d, unsigned function, uint32_t *part)
{
    unsigned i = 0;
    for (; i + 1 < device_guc_count(d) && *part >= guc_vf_part_count(&d->gucs[i], function); i++)
        *part -= guc_vf_part_count(&d->gucs[i], function);
    return &d->gucs[i];
}

bool device_vf_save_part(struct softgt *d, unsigned function, uint32_t part, uint32_t dw[GUC_PART_DW],
                         uint32_t *length_dw)
{
    struct guc *const g = guc_of_part(d, function, &part);
    return guc_vf_save_restore_part(g, function, false, part, dw, length_dw) == GUC_DONE;
}

void device_vf_drop_parts(struct softgt *d, unsigned function)
{
    for (unsigned i = 0; i < device_guc_count(d); i++)
        if (d->gucs[i].functions[function].state.run_state == VF_PAUSED)
            guc_vf_clear(&d->gucs[i], function);
}

bool device_vf_load_part(struct softgt *d, unsigned function, uint32_t part, uint32_t dw[GUC_PART_DW],
                         uint32_t length_dw)
{
    struct guc *const g = guc_of_part(d, function, &part), *const end = d->gucs + device_guc_count(d);
    for (struct guc *before = d->gucs; before < g; before++)
        if (before->functions[function].state.restored_parts)
            return false; /* its parts come first */
    const enum guc_error error = guc_vf_save_restore_part(g, function, true, part, dw, &length_dw);
    if (error == GUC_ERROR_PARAMETERS)
        device_vf_drop_parts(d, function);
    for (struct guc *other = d->gucs + 1; error == GUC_DONE && g == d->gucs && !part && other < end; other++)
        guc_vf_expect_parts(other, function);
    return error == GUC_DONE;
}
