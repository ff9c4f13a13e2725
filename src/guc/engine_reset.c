/*
 * A context hangs, or accesses an unmapped address. Then registers are captured into the log, the engine is
 * reset, and the context is disabled. The host is notified of the capture first and then of the context,
 * because it looks for the capture at the second event. (Linux, intel_guc_capture.c)
 */
#include "guc/log.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

enum { MOST_REGISTERS = 256, REGISTER_NS = 200, COPIED_NS = 500 };

/* An entry of a capture list or of a save/restore list. */
struct register_entry {
    uint32_t offset, value, flags, mask;
};
enum {
    ENTRY_MASKED = 1u << 0,
    ENTRY_STEERED = 1u << 1,
    ENTRY_HAS_MASK = 1u << 2,
    ENTRY_RESTORE_ONLY = 1u << 3,
    ENTRY_INSTANCE = 0xf00000,
    ENTRY_GROUP = 0x1f000,
};

/* A steered entry is accessed by the GuC's selector; any other as hardware steers it. */
static struct accessor steer(struct guc *g, uint32_t flags)
{
    struct accessor by = g->by;
    if (!(flags & (ENTRY_STEERED | ENTRY_GROUP | ENTRY_INSTANCE)))
        return by;
    guc_register_set(g, GUC_MCR_SELECTOR, (flags >> 12 & 0xfu) << 27 | (flags >> 20 & 7u) << 24);
    by.kind = ACCESSOR_GUC;
    return by;
}

/* The lists are the PF's: registers of VFs are neither read nor written. The engine's domain is kept awake
 * for its lists, other domains are not. (SYS-09) */
static bool register_is_pf(const struct guc *g, uint32_t offset)
{
    return offset < g->mmio->size_bytes && !engine_register_belongs_to_vf(g->engines, offset, 0);
}

static bool guc_reaches_register(const struct guc *g, unsigned engine, uint32_t offset, bool write)
{
    return register_is_pf(g, offset) &&
           register_is_reachable(g->mmio, offset, g->engines[engine].info->mmio_base + RING_BUFFER_TAIL,
                                 write);
}

static uint32_t entry_read(struct guc *g, unsigned engine, uint32_t offset, uint32_t flags)
{
    const uint32_t selector = guc_register(g, GUC_MCR_SELECTOR);
    const struct accessor by = steer(g, flags);
    g->log->cost.ns += REGISTER_NS;
    const uint32_t at = gt_offset(g->gt, offset);
    const uint32_t value =
        guc_reaches_register(g, engine, at, false) ? register_read(g->mmio, at, 0xf, &by) : 0;
    guc_register_set(g, GUC_MCR_SELECTOR, selector);
    return value;
}

static void entry_write(struct guc *g, unsigned engine, const struct register_entry *entry)
{
    const uint32_t selector = guc_register(g, GUC_MCR_SELECTOR);
    const struct accessor by = steer(g, entry->flags);
    g->log->cost.ns += REGISTER_NS;
    const uint32_t at = gt_offset(g->gt, entry->offset);
    if (guc_reaches_register(g, engine, at, true))
        register_write(g->mmio, at, entry->flags & ENTRY_MASKED ? entry->value | 0xffff0000u : entry->value,
                       0xf, &by);
    guc_register_set(g, GUC_MCR_SELECTOR, selector);
}

/* ---- Capture ---- */

struct capture {
    struct guc *guc;
    uint32_t base, bytes, at, left; /* of the log part */
    bool no_room;
};

static void capture_put(struct capture *c, const uint32_t *dw, uint32_t length_dw)
{
    if (length_dw * 4u > c->left) {
        c->no_room = true;
        return;
    }
    for (uint32_t i = 0; i < length_dw; i++) {
        guc_store32(c->guc->functions, c->base + c->at, dw[i]);
        c->at = (c->at + 4u) % c->bytes;
    }
    c->left -= length_dw * 4u;
}

/* A list of the host: its length, then registers, relative to the engine or not. */
static void capture_list(struct capture *c, uint32_t list, uint32_t type, unsigned engine, uint32_t id)
{
    struct guc *g = c->guc;
    const struct engine *e = &g->engines[engine];
    const bool of_engine = type == 2;
    uint32_t count = 0;
    if (list)
        guc_load(g->functions, list, &count, sizeof count);
    count &= 0xffffu;
    count = count < MOST_REGISTERS ? count : MOST_REGISTERS;
    const uint32_t head[5] = {
        0, type | (uint32_t)g->derived.class_of[engine] << 4 | (uint32_t)e->info->instance << 8,
        of_engine ? guc_context(g, id)->descriptor_low & ~0xfffu : UINT32_MAX, of_engine ? id : UINT32_MAX,
        count};
    capture_put(c, head, 5);
    for (uint32_t i = 0; i < count; i++) {
        struct register_entry entry;
        if (!guc_load(g->functions, list + 4u + i * (uint32_t)sizeof entry, &entry, sizeof entry))
            memset(&entry, 0, sizeof entry);
        const uint32_t offset = (entry.offset + (of_engine ? e->info->mmio_base : 0)) & ~3u;
        entry.value = entry_read(g, engine, offset, entry.flags);
        capture_put(c, (const uint32_t *)(const void *)&entry, sizeof entry / 4u);
    }
}

static void capture(struct guc *g, unsigned engine, uint32_t id)
{
    const struct guc_log_part part = guc_log_part(g, LOG_CAPTURES);
    uint32_t state[LOG_STATE_DW];
    if (!part.bytes || !guc_load(g->functions, part.state, state, sizeof state))
        return;
    struct capture c = {.guc = g, .base = part.data, .bytes = part.bytes};
    const uint32_t read = state[LOG_READ] % c.bytes & ~3u;
    c.at = state[LOG_WRITE] % c.bytes & ~3u;
    c.left = (read + c.bytes - c.at - 4u) % c.bytes;
    /* The lists of each GuC class: compute engines have those of render engines. (Linux, guc_capture_abi.h)
     */
    static const uint8_t lists[GUC_CLASSES] = {[1] = 1, [2] = 2, [3] = 3, [4] = 0, [5] = 4};
    const uint32_t group[2] = {0, 3}, class = lists[g->derived.class_of[engine] % GUC_CLASSES];
    capture_put(&c, group, 2);
    capture_list(&c, guc_ads(g, ADS_CAPTURE_GLOBAL), 0, engine, id);
    capture_list(&c, guc_ads(g, ADS_CAPTURE_CLASS + class * 4u), 1, engine, id);
    capture_list(&c, guc_ads(g, ADS_CAPTURE_INSTANCE + class * 4u), 2, engine, id);
    if (!c.no_room) {
        state[LOG_WRITE] = state[LOG_SAMPLED] = c.at;
        state[LOG_SIZE] = c.bytes;
        state[LOG_FLAGS] |= LOG_FLUSHES;
        guc_store(g->functions, part.state, state, sizeof state);
    }
    const uint32_t status = c.no_room;
    guc_send_event(g, 0, G2H_STATE_CAPTURE_NOTIFICATION, &status, 1);
}

/* ---- Reset ---- */

/* Registers that the host wants saved over the reset: by class and engine. */
static uint32_t read_save_restore_list(struct guc *g, unsigned engine, struct register_entry *entries)
{
    const uint32_t at =
        ADS_REGISTERS + (g->derived.class_of[engine] * 32u + g->engines[engine].info->instance) * 8u;
    const uint32_t list = guc_ads(g, at);
    uint32_t count = guc_ads(g, at + 4u) & 0xffffu;
    count = count < MOST_REGISTERS ? count : MOST_REGISTERS;
    if (!list || !count || !guc_load(g->functions, list, entries, count * sizeof *entries))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        struct register_entry *const entry = &entries[i];
        entry->offset &= ~3u;
        if (entry->flags & ENTRY_RESTORE_ONLY)
            continue;
        const uint32_t value = entry_read(g, engine, entry->offset, entry->flags);
        if (!guc_reaches_register(g, engine, entry->offset, false)) /* not restored either */
            entry->offset = UINT32_MAX;
        entry->value =
            entry->flags & ENTRY_HAS_MASK ? (value & ~entry->mask) | (entry->value & entry->mask) : value;
    }
    return count;
}

/* The save/restore list comes from the host. Whatever it holds, the engine stays interruptible and keeps its
 * status page. */
void guc_reset_engine(struct guc *g, unsigned engine)
{
    enum { RESET_NS = 25000 };
    struct engine *e = &g->engines[engine];
    struct register_entry kept[MOST_REGISTERS];
    struct switch_report r;
    const uint32_t count = read_save_restore_list(g, engine, kept);
    engine_reset(e, RESET_ENGINE);
    while (engine_status_pop(e, &r))
        ;
    for (uint32_t i = 0; i < count; i++)
        entry_write(g, engine, &kept[i]);
    g->log->cost.ns += RESET_NS;
    g->totals.resets++;
}

/* Restores the golden state of the class. The host's golden image is a whole context; its size covers only
 * what follows the status page and the ring registers, and only that is copied. Isolated VFs do not get the
 * PF's golden state. (Linux, intel_guc_ads.c, xe_guc_ads.c) */
static void restore_golden_state(struct guc *g, unsigned engine, uint32_t id)
{
    enum { PART = 256, MOST_BYTES = 256 << 10 };
    const uint32_t class = g->derived.class_of[engine], golden = guc_ads(g, ADS_GOLDEN + class * 4u),
                   bytes = guc_ads(g, ADS_GOLDEN_BYTES + class * 4u);
    const struct engine *const e = &g->engines[engine];
    const uint32_t to = guc_context(g, id)->descriptor_low & ~0xfffu,
                   skipped = e->info->contexts.image_offset + e->images.context.length.ring_context_dw * 4u;
    uint32_t part[PART];
    if (!golden || !bytes || bytes > MOST_BYTES ||
        (vfs_are_isolated(g->isolation) && guc_context_function(guc_context(g, id))))
        return;
    for (uint32_t done = 0; done < bytes; done += sizeof part) {
        const uint32_t now = bytes - done < sizeof part ? bytes - done : (uint32_t)sizeof part;
        if (!guc_load(g->functions, golden + skipped + done, part, now) ||
            !guc_store(guc_context_owner(g, id), to + skipped + done, part, now))
            return;
        g->log->cost.ns += COPIED_NS;
    }
}

static bool engine_reset_allowed(struct guc *g)
{
    enum { FLAGS_AT = 76, RESETS_DISABLED = 1 };
    const uint32_t policies = g->boot.policies ? g->boot.policies : guc_ads(g, ADS_POLICIES);
    uint32_t flags = 0;
    /* The PF driver cannot disable resets for isolated VFs. */
    return vfs_are_isolated(g->isolation) || !policies ||
           !guc_load(g->functions, policies + FLAGS_AT, &flags, sizeof flags) || !(flags & RESETS_DISABLED);
}

/* Resets the engine and removes the context that hung. */
static void reset_and_evict(struct guc *g, unsigned engine)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    guc_reset_engine(g, engine);
    if (s->active == GUC_NO_CONTEXT)
        return;
    const uint32_t id = s->active;
    guc_engine_activity_update(g, engine, id, false);
    restore_golden_state(g, engine, id);
    guc_context(g, id)->engine = GUC_NO_ENGINE;
    s->active = GUC_NO_CONTEXT;
    s->deadline_ns = 0;
}

void guc_recover_engine(struct guc *g, unsigned engine, bool catastrophe)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    enum { REASON_HANG = 0 };
    /* Updates where the children are. */
    for (unsigned e = 0; e < g->engine_count; e++)
        guc_drain_csb(g, e);
    if (s->active == GUC_NO_CONTEXT) { /* no context */
        reset_and_evict(g, engine);
        guc_drop_submission(g, engine);
        s->deadline_ns = 0;
        return;
    }
    const uint32_t id = s->active;
    const struct guc_context *c = guc_context(g, id);
    const uint32_t parent = c->parent != GUC_NO_CONTEXT ? c->parent : id,
                   children = guc_context(g, parent)->children;
    const unsigned function = guc_context_function(c);
    g->totals.timeouts++;
    /* The capture is for the PF driver, about its own contexts. */
    if (!function)
        capture(g, engine, id);
    if (catastrophe) {
        guc_context_event(g, parent, G2H_MEMORY_CAT_ERROR);
        guc_count_adverse_event(g, function, VF_THRESHOLD_CAT_ERR);
    }
    if (!engine_reset_allowed(g)) {
        s->hung = 1;
        s->deadline_ns = 0;
        guc_send_event(
            g, 0, G2H_ENGINE_FAILURE_NOTIFICATION,
            (const uint32_t[]){g->derived.class_of[engine], g->engines[engine].info->instance, REASON_HANG},
            3);
        return;
    }
    for (uint32_t i = 0; i <= children; i++) {
        struct guc_context *member = guc_context(g, parent + i);
        const uint32_t where = member->engine;
        member->flags &=
            ~(uint32_t)(CONTEXT_READY | CONTEXT_TAIL_CHANGED | CONTEXT_ENABLED | CONTEXT_YIELDED);
        if (where != GUC_NO_ENGINE && g->engine_states.list[where].active == parent + i) {
            guc_drop_submission(g, where);
            reset_and_evict(g, where);
        }
        member->engine = GUC_NO_ENGINE; /* a submission that names it is replaced below */
        guc_context_requeue(g, parent + i);
    }
    guc_context_event(g, parent, G2H_CONTEXT_RESET_NOTIFICATION);
    guc_count_adverse_event(g, function, VF_THRESHOLD_ENGINE_RESET);
    guc_context_finish_leave(g, parent);
    for (unsigned e = 0; e < g->engine_count; e++)
        guc_schedule(g, e);
}

/* Resets the engine. The context keeps its state and resumes after the current command of its ring. Drivers
 * of VFs, which cannot reset engines, ask for this. (Linux, emit_fake_watchdog) */
void guc_watchdog_expired(struct guc *g, unsigned engine)
{
    struct engine *const e = &g->engines[engine];
    const uint32_t id = g->engine_states.list[engine].active;
    e->status.watchdog_expired = false;
    if (id == GUC_NO_CONTEXT || !e->context.valid || e->parse.restoring || !engine_reset_allowed(g))
        return;
    const uint32_t parent = guc_context(g, id)->parent;
    context_skip_ring_command(e);
    guc_drop_submission(g, engine);
    reset_and_evict(g, engine);
    guc_context_requeue(g, id);
    guc_count_adverse_event(g, guc_context_function(guc_context(g, id)), VF_THRESHOLD_ENGINE_RESET);
    guc_context_finish_leave(g, parent != GUC_NO_CONTEXT ? parent : id);
}
