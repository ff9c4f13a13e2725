/* What the microcontroller knows of a virtual function, saved and restored by parts: each is a bounded work,
 * they follow each other, and until all are back the function does not go on; of what a state says that
 * cannot be nothing is taken, and it is told what. (SYS-24; Linux, xe_gt_sriov_pf_migration) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "functions.h"

#include "device/host.h"
#include "guc/schedule.h"

enum { FEW = 40, MANY = 60000, MOST_PARTS = 16, ENGINES_OF_ONE = 1 };

struct part {
    uint32_t length_dw, dw[GUC_PART_DW];
};
static struct part parts[MOST_PARTS], again[MOST_PARTS];

static struct guc *guc_of(struct world *w)
{
    return &w->device->gucs[0];
}

/* Function 1 has so many ids, the others few. */
static struct world *begin(uint32_t contexts, bool apart)
{
    const struct driver_vf_config given[VFS] = {
        {.context_count = contexts}, {.context_count = 16}, {.context_count = 16}};
    struct world *w = world_make(given, apart);
    bring_up(w, 1);
    return w;
}

static void add(struct world *w, uint32_t id)
{
    struct vf *v = &w->vfs[1];
    SEND(v, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, id, CLASS_OF_COPY, ENGINES_OF_ONE, 0, 0, 0, 0, 0,
         address(v, CONTEXTS) | CTX_FLAGS, 0);
}

static void vf_pause(struct world *w)
{
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_PAUSE));
    run(w);
    assert_int_equal(guc_of(w)->functions[1].state.run_state, VF_PAUSED);
}

static void save_all(struct world *w, struct part *to)
{
    const uint32_t count = guc_vf_part_count(guc_of(w), 1);
    assert_in_range(count, 2, MOST_PARTS);
    memset(to, 0, count * sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(guc_vf_save_restore_part(guc_of(w), 1, false, i, to[i].dw, &to[i].length_dw),
                         GUC_DONE);
}

static enum guc_error restore_part(struct world *w, uint32_t i)
{
    uint32_t length_dw = parts[i].length_dw;
    return guc_vf_save_restore_part(guc_of(w), 1, true, i, parts[i].dw, &length_dw);
}

static unsigned known(struct world *w)
{
    unsigned n = 0;
    for (uint32_t id = 0; id < GUC_CONTEXTS; id++)
        n += guc_context(guc_of(w), id)->flags & CONTEXT_REGISTERED &&
             guc_context_owner(guc_of(w), id)->number == 1;
    return n;
}

/* Of 60,000 contexts no part is more than its dwords and a look at its own ids. */
static void parts_are_bounded(void **state)
{
    enum { MOST_NS = 1500000 };
    (void)state;
    struct world *w = begin(MANY, true);
    struct guc *const g = guc_of(w);
    for (uint32_t id = 0; id < MANY; id++) {
        add(w, id);
        if (id % 50 == 49)
            run(w);
    }
    run(w);
    assert_int_equal(known(w), MANY);
    vf_pause(w);
    const uint32_t count = guc_vf_part_count(g, 1);
    assert_int_equal(count, 1 + (MANY + GUC_PART_CONTEXTS - 1) / GUC_PART_CONTEXTS);
    uint64_t all_dw = 0;
    for (unsigned back = 0; back < 2; back++)
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t before_ns = g->log->cost.ns;
            uint32_t used_dw = parts[i].length_dw;
            assert_int_equal(guc_vf_save_restore_part(g, 1, back, i, parts[i].dw, &used_dw), GUC_DONE);
            const uint64_t cost_ns = g->log->cost.ns - before_ns;
            if (back)
                assert_int_equal(used_dw, parts[i].length_dw);
            parts[i].length_dw = used_dw;
            all_dw += used_dw;
            assert_in_range(used_dw, 1, GUC_PART_DW);
            assert_in_range(cost_ns, used_dw, MOST_NS);
            /* Nothing of what others' ids are, and no more than came. */
            if (back)
                assert_int_equal(known(w),
                                 i ? i * GUC_PART_CONTEXTS < MANY ? i * GUC_PART_CONTEXTS : MANY : 0);
        }
    assert_true(all_dw > 2 * MANY * GUC_CONTEXT_DW);
    save_all(w, again);
    assert_memory_equal(parts, again, sizeof parts);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    world_destroy(w);
}

/* One behind the other, from the first on; one that is left out, or comes twice, is refused, and until the
 * last one the function neither goes on nor is saved. */
static void parts_follow_each_other(void **state)
{
    (void)state;
    struct world *w = begin(2 * GUC_PART_CONTEXTS + 5, true);
    struct guc *const g = guc_of(w);
    const uint32_t ids[] = {0, 7, GUC_PART_CONTEXTS - 1, GUC_PART_CONTEXTS, 2 * GUC_PART_CONTEXTS + 4};
    for (unsigned i = 0; i < 5; i++)
        add(w, ids[i]);
    run(w);
    assert_int_equal(restore_part(w, 0), GUC_ERROR_STATE); /* it runs */
    vf_pause(w);
    save_all(w, parts);
    assert_int_equal(guc_vf_part_count(g, 1), 4);
    uint32_t used_dw = 0;
    assert_int_equal(guc_vf_save_restore_part(g, 1, false, 4, again[0].dw, &used_dw), GUC_ERROR_PARAMETERS);
    assert_int_equal(restore_part(w, 1), GUC_ERROR_STATE);
    assert_int_equal(known(w), 5);
    const unsigned there[] = {0, 3, 4, 5};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(restore_part(w, i), GUC_DONE);
        assert_int_equal(known(w), there[i]);
        for (unsigned k = 1; i < 3 && k < 4; k++)
            if (k != i + 1)
                assert_int_equal(restore_part(w, k), GUC_ERROR_STATE);
        if (i == 3)
            break;
        assert_false(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
        assert_int_equal(guc_vf_save_restore_part(g, 1, false, 0, again[0].dw, &used_dw), GUC_ERROR_STATE);
    }
    save_all(w, again);
    assert_memory_equal(parts, again, 4 * sizeof *parts);
    /* From the start again, at any moment; a reset of the function ends it, too. */
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    assert_int_equal(restore_part(w, 1), GUC_DONE);
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    assert_int_equal(known(w), 0);
    function_level_reset(w, 1);
    run(w);
    assert_int_equal(g->functions[1].state.run_state, VF_RUNNING);
    assert_int_equal(g->functions[1].state.restored_parts, 0);
    world_destroy(w);
}

static bool load_part(struct world *w, uint32_t i)
{
    return device_vf_load_part(w->device, 1, i, parts[i].dw, parts[i].length_dw);
}

static bool both_are(const struct world *w, enum vf_run_state run_state)
{
    for (unsigned i = 0; i < device_guc_count(w->device); i++)
        if (w->device->gucs[i].functions[1].state.run_state != run_state)
            return false;
    return true;
}

/* A device's parts are those of all its GuCs: until the last one is loaded no GuC resumes the function, and
 * what one of them refuses leaves nothing in the others. */
static void parts_are_of_all_gucs(void **state)
{
    (void)state;
    struct world *w = begin(GUC_PART_CONTEXTS + 5, true);
    const uint32_t first = guc_vf_part_count(guc_of(w), 1); /* of the second GuC */
    uint32_t count = 0, length_dw = 0;
    for (unsigned i = 0; i < device_guc_count(w->device); i++)
        count += guc_vf_part_count(&w->device->gucs[i], 1);
    add(w, 3);
    run(w);
    vf_pause(w);
    assert_true(both_are(w, VF_PAUSED));
    assert_int_equal(device_vf_part_count(w->device, 1), count);
    assert_in_range(count, 3, MOST_PARTS);
    for (uint32_t i = 0; i < count; i++)
        assert_true(device_vf_save_part(w->device, 1, i, parts[i].dw, &parts[i].length_dw));
    for (uint32_t i = 0; i < count; i++) {
        assert_true(load_part(w, i));
        if (i + 1 == count)
            break;
        for (uint32_t k = 1; k < count; k++) /* a GuC's first part begins its restore again */
            assert_true(k == i + 1 || (k == first && i >= first) || !load_part(w, k));
        assert_false(device_vf_save_part(w->device, 1, count - 1, again[0].dw, &length_dw));
        assert_false(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
        assert_true(both_are(w, VF_PAUSED));
    }
    assert_int_equal(known(w), 1);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    assert_true(both_are(w, VF_RUNNING));
    /* The last part ends early. */
    vf_pause(w);
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_true(load_part(w, i));
    assert_int_equal(known(w), 1);
    parts[count - 1].length_dw = 0;
    assert_false(load_part(w, count - 1));
    assert_int_equal(known(w), 0);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    assert_true(both_are(w, VF_RUNNING));
    world_destroy(w);
}

/* By messages, too: what the last GuC refuses leaves nothing in the others. */
static void messages_are_of_all_gucs(void **state)
{
    static uint32_t whole[MOST_PARTS * GUC_PART_DW];
    (void)state;
    struct world *w = begin(GUC_PART_CONTEXTS + 5, false);
    add(w, 3);
    run(w);
    assert_false(driver_vf_restore(&w->pf, 1, whole, 1)); /* it runs */
    assert_int_equal(known(w), 1);
    vf_pause(w);
    const uint32_t length_dw = driver_vf_save(&w->pf, 1, whole, sizeof whole / 4);
    assert_true(length_dw > 1);
    assert_true(driver_vf_restore(&w->pf, 1, whole, length_dw));
    assert_int_equal(known(w), 1);
    assert_false(driver_vf_restore(&w->pf, 1, whole, length_dw - 1));
    assert_int_equal(known(w), 0);
    assert_true(both_are(w, VF_PAUSED));
    assert_true(driver_vf_restore(&w->pf, 1, whole, length_dw));
    assert_int_equal(known(w), 1);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    assert_true(both_are(w, VF_RUNNING));
    world_destroy(w);
}

/* The whole, as the message has it, is the parts behind each other. */
static void the_whole_is_its_parts(void **state)
{
    static uint32_t whole[MOST_PARTS * GUC_PART_DW];
    (void)state;
    struct world *w = begin(GUC_PART_CONTEXTS + 5, true);
    add(w, 3);
    add(w, GUC_PART_CONTEXTS + 1);
    run(w);
    vf_pause(w);
    save_all(w, parts);
    uint32_t at_dw = 0;
    const struct vf_migration_buffer memory = {.dw = whole, .room_dw = sizeof whole / 4};
    const uint32_t used_dw = move_whole(guc_of(w), false, &memory);
    for (unsigned i = 0; i < 3; i++) {
        assert_memory_equal(whole + at_dw, parts[i].dw, parts[i].length_dw * 4);
        at_dw += parts[i].length_dw;
    }
    assert_int_equal(used_dw, at_dw);
    assert_int_equal(move_whole(guc_of(w), true, &memory), at_dw);
    assert_int_equal(known(w), 2);
    world_destroy(w);
}

/* The physical function's driver asks for it by a message, which is done by parts, too: it stands in the
 * buffer until all are done, a slice does no more than one, and others have their turns between them. What
 * comes then is the parts behind each other; a function that is reset meanwhile ends it. */
static void a_message_is_done_by_parts(void **state)
{
    static uint32_t whole[MOST_PARTS * GUC_PART_DW];
    enum { STATE_AT = 4 * MB + 128 * KB, RESTORE = 1 << 16, MOST_TURNS = 40 };
    (void)state;
    for (unsigned ends_early = 0; ends_early < 2; ends_early++) {
        struct world *w = begin(3 * GUC_PART_CONTEXTS + 5, false);
        struct guc *const g = guc_of(w);
        for (uint32_t i = 0; i < FEW; i++)
            add(w, i * 300);
        run(w);
        vf_pause(w);
        save_all(w, parts);
        const uint32_t count = guc_vf_part_count(g, 1);
        for (uint32_t loads = 0; loads < 2; loads++) {
            uint32_t all_dw = 0, turns = 0, most = 0;
            for (uint32_t i = 0; i < count; i++)
                all_dw += parts[i].length_dw;
            if (loads)
                guc_vf_clear(g, 1);
            const uint32_t fence =
                driver_pf_send(&w->pf, H2G("PF2GUC_SAVE_RESTORE_VF") | (loads ? RESTORE : 0),
                               (const uint32_t[]){1, STATE_AT, 0, all_dw}, 4);
            while (w->pf.reply_fence != fence && ++turns < MOST_TURNS) {
                const uint32_t before = g->functions[0].ct.request_progress;
                softgt_run(w->device, 1);
                const uint32_t after = g->functions[0].ct.request_progress;
                assert_true(!after || after <= before + 1);
                most = after > most ? after : most;
                if (after && after < count)
                    assert_int_not_equal(w->pf.reply_fence, fence);
                if (ends_early && after == 2)
                    function_level_reset(w, 1);
                while (driver_pf_serve(&w->pf))
                    ;
            }
            assert_int_equal(w->pf.reply_fence, fence);
            assert_int_equal(w->pf.reply >> 28, (ends_early ? FAILURE(STATE) : SUCCESS) >> 28);
            assert_int_equal(g->functions[0].ct.request_progress, 0);
            if (ends_early)
                break;
            assert_int_equal(most, count - 1);
            assert_int_equal(GUC_REPLY(w->pf.reply), all_dw);
            assert_int_equal(known(w), FEW);
            save_all(w, again);
            assert_memory_equal(parts, again, count * sizeof *parts);
        }
        if (ends_early) { /* the next one begins anew */
            run(w);
            vf_pause(w);
            assert_true(driver_vf_save(&w->pf, 1, whole, sizeof whole / 4) != 0);
        }
        world_destroy(w);
    }
}

/* ---- What a state says that cannot be ---- */

/* Of a context, behind the number of them; as migration.c lays it out, which the unchanged state shows. */
enum {
    ID,
    FLAGS,
    DESCRIPTOR,
    ENGINES,
    CLASS,
    PRIORITY,
    QUANTUM,
    PREEMPTION,
    QUEUE_DESCRIPTOR,
    QUEUE,
    QUEUE_BYTES,
    CHILDREN,
    PARENT,
    DOORBELL,
    IN_MEMORY,
    PLACE,
    COOKIE
};

/* Restores the state with a dword of the first context another one. NULL: taken. */
static const char *said(struct world *w, unsigned what, uint32_t value)
{
    const uint32_t kept = parts[1].dw[1 + what];
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    w->complaints = 0;
    parts[1].dw[1 + what] = value;
    const enum guc_error error = restore_part(w, 1);
    parts[1].dw[1 + what] = kept;
    if (error == GUC_DONE) {
        assert_int_equal(w->complaints, 0);
        assert_int_equal(guc_of(w)->functions[1].state.restored_parts, 0);
        return NULL;
    }
    assert_int_equal(error, GUC_ERROR_PARAMETERS);
    assert_int_equal(w->complaints, 1);
    assert_int_equal(known(w), 0);
    return w->said;
}

static void hostile_contexts(void **state)
{
    (void)state;
    struct world *w = begin(FEW, true);
    const uint32_t engines = (1u << guc_of(w)->engine_count) - 1u;
    add(w, 2);
    run(w);
    vf_pause(w);
    save_all(w, parts);
    assert_int_equal(parts[1].length_dw, 1 + GUC_CONTEXT_DW);
    assert_int_equal(parts[1].dw[0], 1);
    assert_int_equal(parts[1].dw[1 + ID], 2);
    assert_null(said(w, ID, 2));
    /* The greatest that is taken, and one more. */
    const struct {
        unsigned what;
        uint32_t most, beyond;
        const char *name;
    } bounds[] = {
        {ID, FEW - 1, FEW, "id"},
        {ID, FEW - 1, UINT32_MAX, "id"},
        {ENGINES, engines, engines + 1, "engines"},
        {ENGINES, 1, 0, "engines"},
        {CLASS, GUC_CLASSES - 1, GUC_CLASSES, "class"},
        {PRIORITY, GUC_PRIORITIES - 1, GUC_PRIORITIES, "priority"},
        {QUANTUM, 100000000, 100000001, "quantum"},
        {QUANTUM, 0, UINT32_MAX, "quantum"},
        {PREEMPTION, 100000000, 100000001, "preemption timeout"},
        {PREEMPTION, 0, UINT32_MAX, "preemption timeout"},
        {QUEUE_BYTES, 1 << 20, (1 << 20) + 4, "work queue's size"},
        {QUEUE_BYTES, 4, 2, "work queue's size"},
        {CHILDREN, 0, 1, "children"},
        {CHILDREN, 0, GUC_ENGINES, "number of children"},
        {CHILDREN, 0, FEW, "number of children"},
        {PARENT, 0, 1, "parent"}, /* which is not there */
        {PARENT, 0, 2, "parent"},
        {PARENT, 0, 3, "parent"},
        {PARENT, 0, UINT32_MAX, "parent"},
        {DOORBELL, 0, GUC_DOORBELLS + 1, "doorbell"},
        {DOORBELL, 0, UINT32_MAX, "doorbell"},
    };
    for (unsigned i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const char *why = said(w, bounds[i].what, bounds[i].most);
        if (why)
            fail_msg("%s %u: %s", bounds[i].name, bounds[i].most, why);
        why = said(w, bounds[i].what, bounds[i].beyond);
        if (!why || !strstr(why, bounds[i].name) || !strstr(why, "function 1"))
            fail_msg("%s %u: %s", bounds[i].name, bounds[i].beyond, why ? why : "taken");
    }
    /* Flags: only those that are kept, and that it is registered. */
    const uint32_t flags = parts[1].dw[1 + FLAGS],
                   kept = CONTEXT_REGISTERED | CONTEXT_ENABLED | CONTEXT_READY;
    for (unsigned bit = 0; bit < 32; bit++) {
        const uint32_t other = flags ^ 1u << bit;
        const char *why = said(w, FLAGS, other);
        const bool can_be = other & CONTEXT_REGISTERED && !(other & ~kept);
        if (can_be ? why != NULL : !why || !strstr(why, "flags"))
            fail_msg("flags %x: %s", other, why ? why : "taken");
    }
    /* One that is not whole. */
    for (uint32_t length_dw = 0; length_dw < 1 + GUC_CONTEXT_DW; length_dw++) {
        uint32_t there_dw = length_dw;
        assert_int_equal(restore_part(w, 0), GUC_DONE);
        w->complaints = 0;
        assert_int_equal(guc_vf_save_restore_part(guc_of(w), 1, true, 1, parts[1].dw, &there_dw),
                         GUC_ERROR_PARAMETERS);
        assert_int_equal(w->complaints, 1);
        assert_non_null(strstr(w->said, "end early"));
    }
    /* After all of it the true one is taken, and what it takes goes on. */
    assert_null(said(w, ID, 2));
    assert_int_equal(known(w), 1);
    assert_true(driver_vf_control(&w->pf, 1, VF_CONTROL_RESUME));
    world_destroy(w);
}

/* How many there are, and which: none of another part, none twice; families whose members lie in two parts.
 */
static void hostile_numbers(void **state)
{
    (void)state;
    struct world *w = begin(GUC_PART_CONTEXTS + 5, true);
    enum { LAST = GUC_PART_CONTEXTS - 1 };
    add(w, LAST);
    add(w, GUC_PART_CONTEXTS);
    run(w);
    vf_pause(w);
    save_all(w, parts);
    uint32_t *const first = parts[1].dw, *const second = parts[2].dw;
    /* A number that is too great, and one that says more than there are. */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(restore_part(w, 0), GUC_DONE);
        first[0] = i ? GUC_PART_CONTEXTS : GUC_PART_CONTEXTS + 1;
        assert_int_equal(restore_part(w, 1), GUC_ERROR_PARAMETERS);
        assert_non_null(strstr(w->said, i ? "end early" : "the number of contexts"));
        first[0] = 1;
    }
    /* The same one again. */
    memcpy(first + 1 + GUC_CONTEXT_DW, first + 1, GUC_CONTEXT_DW * 4);
    first[0] = 2;
    parts[1].length_dw += GUC_CONTEXT_DW;
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    assert_int_equal(restore_part(w, 1), GUC_ERROR_PARAMETERS);
    assert_non_null(strstr(w->said, "twice"));
    first[0] = 1;
    parts[1].length_dw -= GUC_CONTEXT_DW;
    /* One of the part before. */
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    assert_int_equal(restore_part(w, 1), GUC_DONE);
    second[1 + ID] = LAST - 1;
    assert_int_equal(restore_part(w, 2), GUC_ERROR_PARAMETERS);
    assert_non_null(strstr(w->said, "id"));
    assert_int_equal(known(w), 0); /* nor what came before */
    second[1 + ID] = GUC_PART_CONTEXTS;
    /* A parent in the first part, its child in the second; a child that is not there; one that does not say
     * so. */
    for (unsigned way = 0; way < 3; way++) {
        first[1 + CHILDREN] = way == 1 ? 2 : 1;
        second[1 + PARENT] = way == 2 ? 0 : LAST + 1;
        assert_int_equal(restore_part(w, 0), GUC_DONE);
        assert_int_equal(restore_part(w, 1), GUC_DONE);
        assert_int_equal(restore_part(w, 2), way ? GUC_ERROR_PARAMETERS : GUC_DONE);
        assert_int_equal(known(w), way ? 0 : 2);
        if (way)
            assert_non_null(strstr(w->said, "children"));
    }
    first[1 + CHILDREN] = second[1 + PARENT] = 0;
    world_destroy(w);
}

/* What is the function's own: mark, version, buffers, what it is to be told. */
static void hostile_own(void **state)
{
    (void)state;
    struct world *w = begin(FEW, true);
    vf_pause(w);
    save_all(w, parts);
    struct guc_ct *const c = &guc_of(w)->functions[1].ct;
    unsigned refused = 0;
    for (uint32_t i = 0; i < parts[0].length_dw; i++) {
        static const uint32_t odd[] = {UINT32_MAX, 1u << 31, 1 << 20, 3};
        const uint32_t kept = parts[0].dw[i];
        for (unsigned k = 0; k < 4; k++) {
            parts[0].dw[i] = odd[k];
            w->complaints = 0;
            const bool good = restore_part(w, 0) == GUC_DONE;
            refused += !good;
            assert_int_equal(w->complaints, !good);
            if (!good)
                assert_non_null(strstr(w->said, "saved state of function 1 not loaded: "));
            for (const struct guc_ctb *b = c->ctbs; good && b <= &c->ctbs[G2H]; b++)
                assert_true(!b->enabled || (guc_ctb_is_valid(b) && b->position_dw < b->bytes / 4));
            assert_true(guc_of(w)->functions[1].backlog.count <= G2H_BACKLOG_DW);
        }
        parts[0].dw[i] = kept;
    }
    assert_true(refused > 4 * 8);
    static const struct {
        uint32_t at;
        const char *name;
    } named[] = {{0, "mark"}, {1, "version"}, {3, "pending"}};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t kept = parts[0].dw[named[i].at];
        parts[0].dw[named[i].at] = 2 + kept;
        assert_int_equal(restore_part(w, 0), GUC_ERROR_PARAMETERS);
        assert_non_null(strstr(w->said, named[i].name));
        parts[0].dw[named[i].at] = kept;
    }
    uint32_t too_many_dw = GUC_PART_DW + 1;
    assert_int_equal(guc_vf_save_restore_part(guc_of(w), 1, true, 0, parts[0].dw, &too_many_dw),
                     GUC_ERROR_PARAMETERS);
    assert_int_equal(restore_part(w, 0), GUC_DONE);
    assert_int_equal(restore_part(w, 1), GUC_DONE);
    world_destroy(w);
}

TEST_PROGRAM(function_saves_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_bounded),
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(parts_are_of_all_gucs),
        cmocka_unit_test(messages_are_of_all_gucs),
        cmocka_unit_test(the_whole_is_its_parts),
        cmocka_unit_test(a_message_is_done_by_parts),
        cmocka_unit_test(hostile_contexts),
        cmocka_unit_test(hostile_numbers),
        cmocka_unit_test(hostile_own),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
