/*
 * Contexts of Gen6's video streamer. The descriptor in VCS_RNCID waits until the ring is empty or arbitration
 * allows a switch; then it becomes the current one, in VCS_RCCID. (VCS-05, VCS-09)
 *
 * The manual has neither the descriptor nor the image; both are as on later generations. Descriptor: bit 0
 * valid, bit 1 Force PD Restore, bits 31:12 LRCA, upper half context ID; the status holds bits 31:12. The
 * image is a list of registers. A running context that is submitted again loads only its tail, which software
 * owns.
 */
#include "engine_registers/engine_registers.h"

#include "engine/execution.h"

enum { VCS_RNCID = 0x700, VCS_RCCID = 0x7c0, VCS_CTXT_SR_CTL = 0x114 };
enum { FORCE_PD_RESTORE = 1u << 1, RESTORE_INHIBIT = 1u << 0 };
/* The status dword's reasons. */
enum { WAIT_ON_SEMAPHORE = 1u << 1, RING_EMPTY = 1u << 4, WATCHDOG = 1u << 7 };
/* Of an image's BB_ADDR and BB_STATE; the register BB_STATE shows the security alone. */
enum { BATCH_VALID = 1u << 0, BATCH_ENCRYPTED = 1u << 6 /* our choice */ };

static bool waits(const struct engine *e)
{
    return engine_register(e, VCS_RNCID) & DESCRIPTOR_VALID;
}

/* Status, then where it is, then the interrupt. */
static void report(struct engine *e, uint32_t reason)
{
    const uint64_t page = hardware_status_page(e);
    e->execlists.csb_write = (e->execlists.csb_write + 1u) % e->info->status.entries;
    engine_store32(e, SPACE_GGTT, page + (e->info->status.first_dw + e->execlists.csb_write) * 4u,
                   (e->context.current.high & ~0xfffu) | reason);
    engine_store32(e, SPACE_GGTT, page + e->info->status.pointer_dw * 4u, e->execlists.csb_write);
    engine_interrupt(e, INTERRUPT_CONTEXT_SWITCH);
}

/* The context that runs goes to its image. False: that is not there, the engine stopped. */
static bool leave(struct engine *e)
{
    const bool batch = e->parse.depth > 0;
    const struct stream *s = &e->parse.streams[1];
    engine_register_set(e, BB_ADDR, batch ? (uint32_t)stream_address(e, 1) | BATCH_VALID : 0);
    engine_register_set(e, BB_STATE,
                        (engine_register(e, BB_STATE) & BB_STATE_PPGTT) |
                            (batch && s->encrypted ? BATCH_ENCRYPTED : 0));
    engine_register_set(e, RING_BUFFER_HEAD, ring_head(e));
    /* The manual says "set", but the reason that it gives asks for clear. */
    engine_register_set(e, VCS_CTXT_SR_CTL, 0);
    context_save_registers(e);
    return e->parse.state != SOFTGT_ENGINE_STOPPED;
}

static void enter(struct engine *e)
{
    engine_register_set(e, BB_ADDR, 0);
    context_restore_registers(e, VCS_CTXT_SR_CTL, RESTORE_INHIBIT);
    engine_recompute_derived(e);
    while (e->parse.depth)
        stream_pop(e);
    ring_load(e);
    const uint32_t batch = engine_register(e, BB_ADDR);
    if (batch & BATCH_VALID) {
        const bool secure = !(engine_register(e, BB_STATE) & BB_STATE_PPGTT);
        stream_push(e, STREAM_BATCH, secure ? SPACE_GGTT : SPACE_PPGTT, batch & ~3u, secure);
        e->parse.streams[e->parse.depth].encrypted = engine_register(e, BB_STATE) & BATCH_ENCRYPTED;
        engine_derive_skip(e);
    }
}

/* The same context again: it continues. */
static void stay(struct engine *e)
{
    context_reload_tail(e);
    if (e->context.current.low & FORCE_PD_RESTORE)
        context_reload_directory(e);
}

static void switch_to_next(struct engine *e, uint32_t reason)
{
    const struct context_descriptor next = {engine_register(e, VCS_RNCID), engine_register(e, VCS_RNCID + 4)};
    const bool same = e->context.valid && (next.low & ~0xfffu) == context_lrca(e);
    e->parse.state = SOFTGT_ENGINE_RUNNING;
    wait_end(e);
    if (e->context.valid && !same && !leave(e))
        return;
    report(e, reason);
    e->context.current = next;
    engine_register_set(e, VCS_RCCID, next.low);
    engine_register_set(e, VCS_RCCID + 4, next.high);
    engine_register_set(e, VCS_RNCID, 0);
    engine_register_set(e, VCS_RNCID + 4, 0);
    e->context.valid = true;
    e->totals.switches++;
    if (same)
        stay(e);
    else
        enter(e);
    engine_notify_drained(e);
}

static void contexts_idle(struct engine *e)
{
    if (waits(e))
        switch_to_next(e, RING_EMPTY);
    else if (e->context.valid)
        ring_submission.idle(e);
}

static void contexts_ring_empty(struct engine *e)
{
    if (waits(e))
        switch_to_next(e, RING_EMPTY);
    else
        e->parse.state = SOFTGT_ENGINE_IDLE;
}

/* MI_WAIT_FOR_EVENT in a batch suspends arbitration. (VCS-11) */
static void contexts_arbitrate(struct engine *e)
{
    const bool suspended =
        e->parse.state == SOFTGT_ENGINE_WAITING && e->wait.reason == WAIT_CONDITION && e->parse.depth;
    if (waits(e) && !suspended)
        switch_to_next(e, e->parse.state == SOFTGT_ENGINE_WAITING ? WAIT_ON_SEMAPHORE : 0);
}

static void contexts_watchdog(struct engine *e)
{
    if (waits(e))
        switch_to_next(e, WATCHDOG);
}

const struct submission gen6_video_contexts = {.idle = contexts_idle,
                                               .ring_empty = contexts_ring_empty,
                                               .arbitrate = contexts_arbitrate,
                                               .watchdog = contexts_watchdog};

/* A valid descriptor submits, where per-process tables are enabled. */
static void rncid_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->dword || !(w->value & DESCRIPTOR_VALID))
        return;
    if (!(register_value(e->mmio, GEN6_GFX_MODE) & GFX_MODE_PPGTT)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
                     "VCS_RNCID written while GFX_MODE does not enable per-process tables: ignored");
        register_set(w->file, w->offset, 0);
        return;
    }
    e->context.begun = true;
    engine_derive_submission(e);
    e->parse.reschedule = true;
}

/* The register counts in qwords; an image has the address of the next dword of the batch. (VCS-09) */
static uint32_t batch_address_read(const struct register_access *at, uint32_t stored)
{
    const uint32_t value = engine_batch_read(at, stored);
    return at->accessor->kind == ACCESSOR_RESTORE ? value : value & ~6u;
}

/* Of the last batch that the ring started, also when it has ended. (VCS-09) */
static uint32_t batch_state_read(const struct register_access *at, uint32_t stored)
{
    return at->accessor->kind == ACCESSOR_RESTORE ? stored : stored & BB_STATE_PPGTT;
}

/* 0 starts the watchdog counter, all ones stop it; a running counter keeps running with other values. */
static void counter_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->status.watchdog_counts = w->value == 0 || (e->status.watchdog_counts && w->value != UINT32_MAX);
}

#define ALL 0xffffffffu
static const struct field descriptor_fields[] = {{"LRCA", 12, 31, FIELD_ADDRESS, NULL},
                                                 {"Valid", 0, 0, FIELD_BOOL, NULL}};
static const struct field state_fields[] = {{"Buffer Security Indicator", 5, 5, FIELD_BOOL, NULL}};

/* Gen7 has them, too. */
static const struct reg common_rows[] = {
    {.name = "VBSYNC",
     .offset = SYNC_0,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the blitter sets.",
     .spec = "VCS-04"},
    {.name = "VRSYNC",
     .offset = SYNC_1,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the render engine sets.",
     .spec = "VCS-04"},
    {.name = "VCS_CNTR",
     .offset = PR_CTR_CTL,
     .writable = ALL,
     .reset = ALL,
     .after_write = counter_written,
     .summary = "Watchdog counter: 0 starts it, FFFFFFFFh stops it.",
     .spec = "VCS-07"},
    {.name = "MFC_BITSTREAM_SE_BITCOUNT",
     .offset = 0x40c,
     .writable = ALL,
     .summary = "Bits of the last syntax element.",
     .spec = "VCS-10"},
    {.name = "MFC_AVC_CABAC_INSERTION_COUNT",
     .offset = 0x410,
     .writable = ALL,
     .summary = "Bytes of CABAC zero words.",
     .spec = "VCS-10"},
    {.name = "MFC_AVC_MINSIZE_PADDING_COUNT",
     .offset = 0x414,
     .writable = ALL,
     .summary = "Bytes of padding to the least size.",
     .spec = "VCS-10"},
};

static const struct reg rows[] = {
    {.name = "BB_STATE",
     .offset = BB_STATE,
     FIELDS(state_fields),
     .before_read = batch_state_read,
     .summary = "Effective security of the last batch that the ring started.",
     .spec = "VCS-09"},
    {.name = "CTXT_SR_CTL",
     .offset = VCS_CTXT_SR_CTL,
     .writable = 1,
     .summary = "Bit 0 of an image inhibits the restore of all but the ring.",
     .spec = "VCS-09"},
    {.name = "BB_ADDR",
     .offset = BB_ADDR,
     .dwords = 2,
     .before_read = batch_address_read,
     .summary = "Batch buffer current head; bit 0 valid.",
     .spec = "VCS-09"},
    {.name = "VCS_THRSH",
     .offset = PR_CTR_THRSH,
     .writable = ALL,
     .reset = 0x00014500,
     .summary = "Watchdog threshold in clocks.",
     .spec = "VCS-07"},
    {.name = "BSD_RNCID",
     .offset = 0x198,
     .dwords = 2,
     .writable = UINT64_MAX,
     .summary = "Where drivers write 0 before they move the tail.",
     .spec = "VCS-05"},
    {.name = "PP_DIR_BASE_VCS",
     .offset = 0x390,
     .writable = 0xffff0000,
     .before_read = gen6_directory_alias_read,
     .after_write = gen6_directory_alias_written,
     .summary = "PP_DIR_BASE at this manual's address.",
     .spec = "VCS-01"},
    {.name = "VCS_RNCID",
     .offset = VCS_RNCID,
     .dwords = 2,
     .writable = UINT64_MAX,
     FIELDS(descriptor_fields),
     .after_write = rncid_written,
     .summary = "The context to run next.",
     .spec = "VCS-05"},
    {.name = "VCS_RCCID",
     .offset = VCS_RCCID,
     .dwords = 2,
     FIELDS(descriptor_fields),
     .summary = "The context that runs.",
     .spec = "VCS-05"},
};

const struct register_block gen6_any_video_registers = REGISTER_BLOCK("video", common_rows);
const struct register_block gen6_video_registers = REGISTER_BLOCK("video", rows);
