/*
 * Saves and restores of context images.
 *
 * An image is a command stream: lists of MI_LOAD_REGISTER_IMM, first of the ring context, then of the engine
 * context, then the pipeline state as commands. A save writes it from the rows of the data sheet (image.h). A
 * restore is a stream that the parser executes (parse_state.restoring): context_begin_restore pushes it,
 * context_end_restore ends it. INDIRECT_CTX runs within a restore, BB_PER_CTX_PTR after it. Then the ring or
 * the interrupted batches resume.
 *
 * The ring tail and the dwords marked IMAGE_OF_SOFTWARE belong to the driver: a save does not write them.
 * After the pipeline state come dwords of a command that was preempted while it ran, or of the encoder; their
 * format is ours. Not modelled: the layout of the pipeline state of the hardware, which no manual has.
 * (OVR-06, OVR-08, OVR-09, CSP-18)
 */
#include "engine/execution.h"

enum { RESTORE_INHIBIT = 1u << 0 };
/* Start of the pipeline state: an MI_NOOP; its number is the length of the commands that follow. */
#define STATE_MARK 0x002a0000u
/* After it: the state of the engine's unit (struct work_ops), with the unit's own mark. */
/* BB_ADDR and SBB_ADDR bit 0: valid. */
enum { BATCH_VALID = 1u << 0 };

static uint64_t image_address(const struct engine *e)
{
    return (uint64_t)context_lrca(e) + e->info->contexts.image_offset;
}

static void trace_context(struct engine *e, enum softgt_event_kind kind, const char *name)
{
    if (tracing(e->log, SOFTGT_TRACE_CONTEXTS))
        trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_CONTEXTS,
                                                  .kind = kind,
                                                  .unit = e->info->name,
                                                  .name = name,
                                                  .address = context_lrca(e),
                                                  .value = e->context.current.high});
}

uint64_t context_count_time(struct engine *e)
{
    const uint64_t hz = e->info->timestamp_hz, now_ns = e->log->now_ns;
    const bool is_64_bits = e->info->contexts.timestamp_64_bits;
    uint64_t count = is_64_bits ? engine_register64(e, CTX_TIMESTAMP) : engine_register(e, CTX_TIMESTAMP);
    if (e->parse.restoring || !e->context.valid)
        return count;
    count += engine_ticks(now_ns, hz) - engine_ticks(e->context.timestamp_ns, hz);
    e->context.timestamp_ns = now_ns;
    engine_register_set(e, CTX_TIMESTAMP, (uint32_t)count);
    if (is_64_bits)
        engine_register_set(e, CTX_TIMESTAMP_UDW, (uint32_t)(count >> 32));
    return count;
}

/* Resets the engine's own registers that the image will load. */
static void forget_registers(struct engine *e)
{
    enum { CLOCK = 0x358, CLOCK_BYTES = 8 };
    for (uint32_t i = 0; i < e->images.context.value_count; i++) {
        const uint32_t offset = e->images.context.values[i].offset, at = offset - e->info->mmio_base;
        if (at < ENGINE_BYTES && at - CLOCK >= CLOCK_BYTES)
            register_set(e->mmio, offset, register_slot_at(e->mmio, offset)->reset);
    }
}

void context_begin_restore(struct engine *e)
{
    trace_context(e, SOFTGT_EVENT_RESTORE, "restore");
    engine_notify_context_changed(e, true);
    pipeline_reset(&e->pipeline);
    engine_drop_work(e);
    engine_derive_function(e);
    if (engine_runs_vf_context(e)) /* an isolated VF does not see what others left */
        forget_registers(e);
    engine_invalidate_tlb(e);
    e->parse.restoring = true;
    e->parse.indirect_done = false;
    e->parse.arbitration = true;
    e->alu = (struct alu_state){0}; /* not in images, and not inherited from the last context */
    engine_predicate(e, 0);
    wait_end(e);
    /* A short image must not inherit these from the context before. */
    for (const struct batch_registers *b = e->info->batches; b->address; b++)
        engine_register_set(e, b->address, 0);
    engine_register_set(e, BB_PER_CTX_PTR, 0);
    engine_register_set(e, INDIRECT_CTX, 0);
    if (e->info->contexts.has_memirq) {
        engine_register_set(e, INT_STATUS_RPT_PTR, 0);
        e->context.interrupt_mask_in_memory = 0;
    }
    while (e->parse.depth)
        stream_pop(e);
    stream_push(e, STREAM_RESTORE, SPACE_GGTT, image_address(e), true);
    e->parse.streams[e->parse.depth].end = image_address(e) + e->images.context.length.ring_context_dw * 4u;
    e->parse.image_end = image_address(e) + e->images.context.length.dw * 4u;
}

/* MI_BATCH_BUFFER_END ends a short image. The driver's dwords after it in the ring context are still
 * executed: drivers end the first image of a new context before them. (Linux, xe_lrc) */
void context_end_image(struct engine *e)
{
    const uint64_t software = image_address(e) + e->images.context.software_dw * 4u;
    uint64_t next = e->context.current.low + UINT64_C(0x100000000);
    if (e->images.context.software_dw && e->parse.command_address < software) {
        e->parse.image_end = image_address(e) + e->images.context.length.ring_context_dw * 4u;
        next = software;
    }
    stream_seek(e, e->parse.depth, next);
}

static uint64_t pair(const struct engine *e, uint32_t low, uint32_t high)
{
    return (engine_register(e, low) & ~3u) | (uint64_t)engine_register(e, high) << 32;
}

/* Pushes the batches that the registers of their levels name. */
static void resume_batches(struct engine *e)
{
    for (const struct batch_registers *b = e->info->batches; b->address; b++) {
        if (!(engine_register(e, b->address) & BATCH_VALID))
            return;
        const uint64_t address = pair(e, b->address, b->address_udw);
        const enum space space = engine_register(e, b->state) & BB_STATE_PPGTT ? SPACE_PPGTT : SPACE_GGTT;
        stream_push(e, STREAM_BATCH, space, address, e->parse.streams[e->parse.depth].started_privileged);
    }
}

/* Restores the state of the engine's unit from `address`, at most room_dw dwords. Returns the progress of the
 * command that resumes. */
static uint64_t restore_work(struct engine *e, uint64_t address, uint32_t room_dw)
{
    const struct work_ops *const ops = e->work.ops;
    uint32_t mark = 0;
    uint64_t progress = 0;
    if (!ops || !room_dw || !mmu_load(&e->mmu, SPACE_GGTT, address, &mark, sizeof mark) ||
        (mark & 0xffff0000u) != ops->image_mark)
        return 0;
    const uint32_t length_dw = mark & 0xffffu;
    const bool fits = length_dw < room_dw && length_dw <= ops->image_dw;
    if (fits && !mmu_load(&e->mmu, SPACE_GGTT, address + 4u, e->buffers.scratch, length_dw * 4u))
        return 0;
    if ((!fits || !ops->load(e->work.unit, e->buffers.scratch, length_dw, &progress)) && ops->name)
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, address,
                     "no state of %s in a context image: %08x: it is as after a reset", ops->name, mark);
    return progress;
}

/* Restores the state commands after the registers. Without the mark of a save, as in an image that the driver
 * cleared, there is no state. Returns the progress of the preempted command. */
static uint64_t restore_pipeline_state(struct engine *e)
{
    const uint64_t address = image_address(e) + e->images.context.length.dw * 4u;
    uint32_t mark = 0;
    if (!e->images.context.length.pipeline_state_dw || !mmu_load(&e->mmu, SPACE_GGTT, address, &mark, 4) ||
        (mark & 0xffff0000u) != STATE_MARK)
        return 0;
    const uint32_t length_dw = mark & 0xffffu;
    if (length_dw >= e->images.context.length.pipeline_state_dw ||
        !mmu_load(&e->mmu, SPACE_GGTT, address + 4u, e->buffers.scratch, length_dw * 4u))
        return 0;
    const uint32_t taken_dw = pipeline_restore(&e->pipeline, e->buffers.scratch, length_dw);
    if (taken_dw < length_dw)
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, address + 4u + taken_dw * 4u,
                     "no state command in a context image: %08x", e->buffers.scratch[taken_dw]);
    const uint64_t behind = address + 4u + length_dw * 4u;
    const uint32_t room_dw = e->images.context.length.pipeline_state_dw - 1u - length_dw;
    return restore_work(e, behind, room_dw);
}

/* The stream reached `end`: continues with INDIRECT_CTX or the engine context, or starts the restored
 * context. */
void context_end_restore(struct engine *e)
{
    struct stream *s = &e->parse.streams[e->parse.depth];
    const uint64_t ring_end = image_address(e) + e->images.context.length.ring_context_dw * 4u;
    const bool inhibit = engine_register(e, CTXT_SR_CTL) & RESTORE_INHIBIT;
    const uint64_t full = inhibit ? ring_end : e->parse.image_end;
    const uint32_t indirect = engine_register(e, INDIRECT_CTX);
    if (indirect & 0x3fu && !e->parse.indirect_done) { /* bits 5:0: its length in cachelines (CSP-03) */
        const uint64_t wanted = ring_end + (engine_register(e, INDIRECT_CTX_OFFSET) & 0xffc0u);
        const uint64_t at = wanted < full ? wanted : full;
        if (s->end < at) {
            s->end = at;
            return;
        }
        e->parse.indirect_done = true;
        e->mmu.root = e->info->page_directory(e); /* this context's, as the ring context left it */
        stream_push(e, STREAM_WORKAROUND, SPACE_GGTT, indirect & ~0x3fu, true);
        e->parse.streams[e->parse.depth].end = (indirect & ~0x3fu) + (indirect & 0x3fu) * UINT64_C(64);
        return;
    }
    if (s->end < full) {
        s->end = full;
        return;
    }
    const uint64_t progress = inhibit ? 0 : restore_pipeline_state(e);
    e->parse.restoring = false;
    engine_predicate(e, engine_register(e, MI_MODE) & MI_MODE_PREDICATE);
    e->context.timestamp_ns = e->context.restored_ns = e->log->now_ns;
    while (e->parse.depth)
        stream_pop(e);
    e->mmu.root = e->info->page_directory(e); /* nothing was translated by it since the restore began */
    engine_derive_privileges(e);
    ring_load(e);
    resume_batches(e);
    e->parse.streams[e->parse.depth].progress = progress;
    const uint32_t per_context = engine_register(e, BB_PER_CTX_PTR);
    if (per_context & 1u)
        stream_push(e, STREAM_WORKAROUND, SPACE_GGTT, per_context & ~0xfffu, true);
    engine_notify_context_changed(e, false);
}

/* The dword that a save writes for a register. */
static uint32_t saved_value(struct engine *e, const struct image_value *v)
{
    const struct register_slot *slot = register_slot_at(e->mmio, v->offset);
    uint32_t value = register_value(e->mmio, v->offset);
    if (slot->before_read) {
        const struct register_access access = {.file = e->mmio,
                                               .owner = slot->owner,
                                               .offset = v->offset,
                                               .index = slot->index,
                                               .dword = slot->dword,
                                               .bytes = 0xf,
                                               .row = slot->row,
                                               .accessor = &e->accessor.restore};
        value = slot->before_read(&access, value);
    }
    if (v->ring_off)
        value &= ~1u;
    return slot->kind == REG_MASKED ? 0xffff0000u | value : value;
}

/* Looks up the rows of the image's registers, once for all saves. */
static void find_sources(const struct engine *e, struct image_plan *plan)
{
    plan->source_count = plan->computed_count = 0;
    plan->placed_registers = e->mmio->slot_count;
    for (uint32_t i = 0; i < plan->value_count; i++) {
        const struct image_value *const v = &plan->values[i];
        const struct register_slot *const slot = register_slot_at(e->mmio, v->offset);
        if (slot->before_read)
            plan->computed[plan->computed_count++] = i;
        else
            plan->sources[plan->source_count++] =
                (struct image_source){.at_dw = v->at_dw,
                                      .offset = v->offset,
                                      .mask = v->ring_off ? ~1u : UINT32_MAX,
                                      .ones = slot->kind == REG_MASKED ? 0xffff0000u : 0};
    }
}

uint32_t context_write_image(struct engine *e, struct image_plan *plan, uint32_t *dw, uint32_t room_dw)
{
    const uint32_t length_dw = plan->length.dw < room_dw ? plan->length.dw : room_dw;
    memcpy(dw, plan->dw, length_dw * 4u);
    if (length_dw < plan->length.dw) {
        for (uint32_t i = 0; i < plan->value_count && plan->values[i].at_dw < length_dw; i++)
            dw[plan->values[i].at_dw] = saved_value(e, &plan->values[i]);
        return length_dw;
    }
    if (plan->placed_registers != e->mmio->slot_count)
        find_sources(e, plan);
    const struct image_source *const end = plan->sources + plan->source_count;
    for (const struct image_source *s = plan->sources; s < end; s++)
        dw[s->at_dw] = (register_value(e->mmio, s->offset) & s->mask) | s->ones;
    for (uint32_t i = 0; i < plan->computed_count; i++) {
        const struct image_value *const v = &plan->values[plan->computed[i]];
        dw[v->at_dw] = saved_value(e, v);
    }
    return length_dw;
}

/* Writes the whole image to e->buffers.scratch. Returns its length in dwords. */
static uint32_t saved_image(struct engine *e)
{
    const uint32_t length_dw = context_write_image(e, &e->images.context, e->buffers.scratch, SCRATCH_DW);
    const struct work_ops *const ops = e->work.ops;
    const uint32_t room_dw = e->images.context.length.pipeline_state_dw,
                   besides_dw = 2u /* marks */ + (ops ? ops->image_dw : 0);
    bool left_out = false;
    if (room_dw < besides_dw)
        return length_dw;
    const uint32_t state_dw =
        pipeline_save(&e->pipeline, e->buffers.scratch + length_dw + 1u, room_dw - besides_dw, &left_out);
    if (left_out)
        report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, image_address(e) + length_dw * 4u,
                     "a context's image has no room for all its state commands");
    e->buffers.scratch[length_dw] = STATE_MARK | state_dw;
    uint32_t *const work = e->buffers.scratch + length_dw + 1u + state_dw;
    const uint32_t work_dw = ops ? ops->save(e->work.unit, work + 1) : 0;
    work[0] = work_dw ? ops->image_mark | work_dw : 0;
    return length_dw + 2u + state_dw + work_dw;
}

static void save_batches(struct engine *e)
{
    unsigned depth = 1;
    for (const struct batch_registers *b = e->info->batches; b->address; b++, depth++) {
        const struct stream *s = &e->parse.streams[depth];
        const bool active = e->parse.depth >= depth;
        const uint64_t address = stream_address(e, depth);
        engine_register_set(e, b->address, active ? (uint32_t)address | BATCH_VALID : 0);
        engine_register_set(e, b->address_udw, active ? (uint32_t)(address >> 32) : 0);
        engine_register_set(e, b->state, active && s->space == SPACE_PPGTT ? BB_STATE_PPGTT : 0);
    }
}

/* Stores the times of a context switch in the per-process status page from dword 16 on (CSP-22): the total
 * run time (CTX_TIMESTAMP), the end of the restore, the submission of the list, the preemption request, the
 * end of the save. The places of the last three are our choice: no manual here has them. */
static bool report_times(struct engine *e)
{
    const uint64_t times[] = {engine_register(e, CTX_TIMESTAMP), engine_timestamp(e, e->context.restored_ns),
                              engine_timestamp(e, e->context.submitted_ns),
                              engine_timestamp(e, e->log->now_ns)};
    return mmu_store(&e->mmu, SPACE_GGTT, context_lrca(e) + 16u * 4u, times, sizeof times);
}

/* Address of the value of a streamer register in the image; every image has those that are asked for. */
static uint64_t value_address(const struct engine *e, uint32_t offset)
{
    uint32_t i = 0;
    while (e->images.context.values[i].offset != e->info->mmio_base + offset)
        i++;
    return image_address(e) + e->images.context.values[i].at_dw * 4u;
}

void context_skip_ring_command(struct engine *e)
{
    const uint32_t head = ring_head_after_command(e), no_batch = 0;
    mmu_store(&e->mmu, SPACE_GGTT, value_address(e, RING_BUFFER_HEAD), &head, sizeof head);
    for (const struct batch_registers *b = e->info->batches; b->address; b++)
        mmu_store(&e->mmu, SPACE_GGTT, value_address(e, b->address), &no_batch, sizeof no_batch);
}

static bool save_dwords(struct engine *e, uint32_t first_dw, uint32_t end_dw)
{
    return mmu_store(&e->mmu, SPACE_GGTT, image_address(e) + first_dw * 4u, e->buffers.scratch + first_dw,
                     (end_dw - first_dw) * 4u);
}

/* The tail in the image belongs to the driver: it writes a new one before it submits the context again, also
 * while the context runs. A save that stored the register would lose commands that were added to the ring.
 */
bool context_save(struct engine *e)
{
    trace_context(e, SOFTGT_EVENT_SAVE, "save");
    context_count_time(e);
    save_batches(e);
    engine_register_set(e, RING_BUFFER_HEAD, ring_head(e));
    /* The image is complete: the next restore loads all of it. */
    engine_register_set(e, CTXT_SR_CTL, engine_register(e, CTXT_SR_CTL) & ~(uint32_t)RESTORE_INHIBIT);
    const uint32_t end_dw = saved_image(e);
    const uint32_t tail_dw = (uint32_t)(value_address(e, RING_BUFFER_TAIL) - image_address(e)) / 4u;
    const uint32_t behind_dw =
        e->images.context.software_dw ? e->images.context.software_end_dw : tail_dw + 1u;
    return save_dwords(e, 0, tail_dw) &&
           (!e->images.context.software_dw || save_dwords(e, tail_dw + 1u, e->images.context.software_dw)) &&
           save_dwords(e, behind_dw, end_dw) && report_times(e);
}

/* Lite restore: only the tail is loaded from the image. */
bool context_reload_tail(struct engine *e)
{
    uint32_t tail = 0;
    if (!mmu_load(&e->mmu, SPACE_GGTT, value_address(e, RING_BUFFER_TAIL), &tail, sizeof tail))
        return false;
    engine_register_set(e, RING_BUFFER_TAIL, tail & 0x1ffff8u);
    stream_seek(e, 0, stream_address(e, 0));
    return true;
}

void context_reload_directory(struct engine *e)
{
    uint32_t sets = 0;
    if (mmu_load(&e->mmu, SPACE_GGTT, value_address(e, PP_DCLV), &sets, sizeof sets))
        register_write(e->mmio, e->info->mmio_base + PP_DCLV, sets, 0xf, &e->accessor.restore);
}

/* Replaces the driver's values in e->buffers.scratch by those in memory. */
static void keep_values_of_software(struct engine *e)
{
    for (struct image_walk w = image_begin(e->info->contexts.image, e->info->mmio_base); image_next(&w);) {
        uint32_t there[2];
        if (w.row->step == IMAGE_REGISTER && w.row->flags & IMAGE_OF_SOFTWARE &&
            mmu_load(&e->mmu, SPACE_GGTT, image_address(e) + w.at_dw * 4u, there, sizeof there) &&
            there[0] == w.value)
            e->buffers.scratch[w.at_dw + 1u] = there[1];
    }
}

void context_save_registers(struct engine *e)
{
    trace_context(e, SOFTGT_EVENT_SAVE, "save");
    const uint32_t length_dw = saved_image(e);
    keep_values_of_software(e);
    /* In ring mode the ring context of an execlist image is MI_NOOPs. (OVR-10) */
    if (e->info->contexts.execlists)
        memset(e->buffers.scratch, 0, e->images.context.length.ring_context_dw * 4u);
    mmu_store(&e->mmu, SPACE_GGTT, image_address(e), e->buffers.scratch, length_dw * 4u);
    engine_flushed(e);
}

/* Loads the registers for which the image has the offset that a save writes. */
void context_restore_registers(struct engine *e, uint32_t control, uint32_t inhibit_bits)
{
    uint32_t *const dw = e->buffers.scratch;
    trace_context(e, SOFTGT_EVENT_RESTORE, "restore");
    if (!mmu_load(&e->mmu, SPACE_GGTT, image_address(e), dw, e->images.context.length.dw * 4u))
        return;
    e->parse.restoring = true;
    if (e->images.context.length.pipeline_state_dw)
        pipeline_reset(&e->pipeline);
    if (e->work.ops && e->work.ops->reset_by_restore)
        e->work.ops->reset(e->work.unit, RESET_ENGINE);
    for (struct image_walk w = image_begin(e->info->contexts.image, e->info->mmio_base); image_next(&w);) {
        if (w.engine_context && inhibit_bits & engine_register(e, control))
            break;
        if (w.row->step == IMAGE_PIPELINE_STATE) {
            restore_pipeline_state(e);
            break;
        }
        if (w.row->step == IMAGE_NOOP || (e->info->contexts.execlists && !w.engine_context))
            continue;
        if (image_is_register(&w)) {
            if (!image_matches(&w, dw))
                continue;
            /* A restore also writes registers that software only reads. */
            if (register_read_only(register_slot_at(e->mmio, w.value)))
                register_set(e->mmio, w.value, dw[w.at_dw + 1u]);
            else
                register_write(e->mmio, w.value, dw[w.at_dw + 1u], 0xf, &e->accessor.restore);
        } else if (!image_matches(&w, dw)) {
            if (w.row->step == IMAGE_LIST)
                report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, image_address(e) + w.at_dw * 4u,
                             "no context image: %08x where registers should be loaded by %08x", dw[w.at_dw],
                             w.value);
            break;
        }
    }
    e->parse.restoring = false;
}

void context_power_up(struct engine *e, const uint32_t *dw)
{
    for (struct image_walk w = image_begin(e->info->contexts.power_image, e->info->mmio_base);
         image_next(&w);) {
        const bool matches = image_matches(&w, dw);
        if (!image_is_register(&w)) {
            if (matches)
                continue;
            report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
                         "no power context: %08x instead of %08x at dword %x", dw[w.at_dw], w.value, w.at_dw);
            break;
        }
        const struct register_slot *slot = register_slot_at(e->mmio, w.value);
        if (!matches || !slot->row)
            continue;
        /* Read-only and write-one-to-clear status is restored, too. */
        const uint32_t taken = slot->writable ? slot->writable | slot->w1c : UINT32_MAX,
                       old = register_value(e->mmio, w.value);
        register_set(e->mmio, w.value, (old & ~taken) | (dw[w.at_dw + 1u] & taken));
    }
    const uint32_t mode = engine_register(e, GFX_MODE); /* once more, with its effects */
    register_write(e->mmio, e->info->mmio_base + GFX_MODE, 0xffff0000u | mode, 0xf, &e->accessor.restore);
    engine_recompute_derived(e);
    ring_load(e);
}

bool context_set(struct engine *e, uint32_t lrca, bool force_restore, bool restore_inhibit)
{
    const bool same = e->context.valid && context_lrca(e) == lrca;
    if (!e->info->contexts.image || (same && !force_restore))
        return false;
    if (e->context.valid && !same)
        context_save_registers(e);
    if (e->parse.state == SOFTGT_ENGINE_STOPPED) /* it could not be saved */
        return false;
    engine_notify_context_changed(e, true);
    engine_drop_work(e);
    e->context.current = (struct context_descriptor){lrca | 1u, 0};
    e->context.valid = true;
    e->context.timestamp_ns = e->log->now_ns;
    e->totals.switches++;
    engine_register_set(e, CCID, lrca | 1u);
    if (!restore_inhibit)
        context_restore_registers(e, 0, 0);
    engine_notify_context_changed(e, false);
    if (!same && !e->info->contexts.execlists) /* with execlists only they raise it (REN-14) */
        engine_interrupt(e, INTERRUPT_CONTEXT_SWITCH);
    return !restore_inhibit;
}
