/* The trace event of a draw that is done, or that was only counted: what it drew, and where to. */
#include "pipeline3d/draw_work.h"

static const char *draw_topology(uint64_t topology)
{
    static const struct field_value names[] = {TOPOLOGY_ROWS(TOPOLOGY_NAME){NULL, 0}};
    for (const struct field_value *n = names; n->name; n++)
        if (n->value == topology)
            return n->name;
    return topology >= TOPOLOGY_PATCHLIST_1 ? "PATCHLIST" : "unknown";
}

/* Reads dwords within a page, without a fault. */
static bool peek_dwords(const struct engine *e, uint64_t address, uint32_t *dw, uint32_t count)
{
    struct translation t;
    const uint64_t at = mmu_address(&e->mmu, SPACE_PPGTT, address);
    return at % PAGE_BYTES + count * 4u <= PAGE_BYTES && mmu_translate(&e->mmu, SPACE_PPGTT, at, &t) &&
           bus_read(e->mmu.memory, t.physical, dw, count * 4u);
}

/* Drivers put render target 0 first in the binding table of the pixel shader. */
static void find_target(const struct thread_dispatcher *d, struct softgt_draw *done)
{
    const struct message_context *const b = &d->bindings;
    const struct command *const row = b->structures.surface_state;
    uint32_t entry, dw[SURFACE_STATE_DW] = {0};
    if (!row ||
        !peek_dwords(d->engine, d->draws->draw.state.stage[SHADER_STAGE_PS].binding_table_address, &entry, 1))
        return;
    if (!peek_dwords(d->engine, b->kernel.surface_state_base + surface_pointer(b, entry), dw,
                     row->min_dwords < SURFACE_STATE_DW ? row->min_dwords : SURFACE_STATE_DW))
        return;
    done->surface = field_read(&row->places[SURFACE_BASE_ADDRESS], dw, SURFACE_STATE_DW);
    done->width_px = (uint32_t)field_read(&row->places[SURFACE_WIDTH], dw, SURFACE_STATE_DW) + 1u;
    done->height_px = (uint32_t)field_read(&row->places[SURFACE_HEIGHT], dw, SURFACE_STATE_DW) + 1u;
}

static struct softgt_draw draw_of_call(const struct draw_call *call)
{
    return (struct softgt_draw){.topology = draw_topology(call->topology),
                                .is_indexed = call->is_indexed,
                                .vertices = call->vertex_count,
                                .instances = call->instance_count,
                                .primitives = topology_objects(call->topology, call->vertex_count) *
                                              call->instance_count};
}

void draw_trace_end(struct thread_dispatcher *d)
{
    const struct draw_state *const s = &d->draws->draw.state;
    struct softgt_draw done = draw_of_call(&s->call);
    if (!s->raster.rasterizer_discard)
        find_target(d, &done);
    if (s->stage[SHADER_STAGE_PS].simd)
        done.kernel = d->work.bases.instruction_base + s->stage[SHADER_STAGE_PS].kernel_start_pointer;
    dispatch_trace_end(d, &done);
}

void draw_trace_counted(const struct engine *e, const char *name, const struct draw_call *call,
                        const char *why)
{
    const struct softgt_draw done = draw_of_call(call);
    trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_DRAWS,
                                              .unit = e->info->name,
                                              .name = name,
                                              .text = why,
                                              .address = e->parse.command_address,
                                              .draw = &done});
}
