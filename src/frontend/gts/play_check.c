/*
 * What holds for every program, whatever it does: cut into budgets of one dword it ends as in one run; saved
 * and loaded into a fresh device after every command it goes on to the same end; time may pass in pieces, and
 * nothing happens before the next event; after a power-on reset it runs as on a new device. The program is
 * played once as it is, then once in each of these ways, and compared after every run and advance.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/gts/player.h"
#include "frontend/sparse_memory.h"

enum { LONG_STEP_DW = 99991 };

static const struct gts_variant variants[] = {
    {.name = "budgets of one dword", .cut_runs = true},
    {.name = "saved and loaded after each command", .cut_runs = true, .reload = true},
    {.name = "time in pieces", .cut_time = true},
    {.name = "after a reset", .again = true},
};

/* ---- Going on, in the ways of a variant ---- */

static uint8_t *save(struct softgt *device, size_t *size)
{
    *size = softgt_save(device, NULL, 0);
    uint8_t *bytes = malloc(*size);
    if (bytes)
        softgt_save(device, bytes, *size);
    return bytes;
}

/* Where two states differ; their length and sum, in the header, are left out. */
static size_t difference(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    enum { SIZE_AND_SUM = 32, HEADER = 48 };
    size_t at = 0;
    while (at < a_size && at < b_size && (a[at] == b[at] || (at >= SIZE_AND_SUM && at < HEADER)))
        at++;
    return at;
}

/* The device's state into a fresh one, which takes its place. */
static void reload(struct player *p)
{
    size_t size, size_again;
    struct softgt *fresh = NULL;
    uint8_t *state = save(p->device, &size), *again = NULL;
    if (!state || softgt_create(&p->config, &fresh) != 0) {
        player_fail(p, p->now, "out of memory");
    } else if (softgt_load(fresh, state, size) != 0) {
        player_fail(p, p->now, "what was saved cannot be loaded");
    } else if (!(again = save(fresh, &size_again)) || size != size_again || memcmp(state, again, size) != 0) {
        player_fail(p, p->now, "what was loaded is saved otherwise, from byte %zu of %zu on",
                    again ? difference(state, size, again, size_again) : 0, size);
        p->steps = UINT64_MAX; /* said once */
    } else {
        softgt_destroy(p->device);
        p->device = fresh;
        fresh = NULL;
    }
    softgt_destroy(fresh);
    free(again);
    free(state);
}

bool player_go_on(struct player *p, uint64_t budget_dw)
{
    const bool more = softgt_run(p->device, budget_dw);
    if (p->variant && p->variant->reload && p->steps < p->options->self_check)
        reload(p);
    return more;
}

bool player_run(struct player *p, uint64_t limit_dw)
{
    if (!p->variant || !p->variant->cut_runs)
        return softgt_run(p->device, limit_dw);
    const uint64_t end_dw = softgt_dwords(p->device) + limit_dw;
    while (softgt_dwords(p->device) < end_dw) {
        const bool single = p->steps < p->options->self_check;
        p->steps += single;
        if (single ? !player_go_on(p, 1) : !softgt_run(p->device, LONG_STEP_DW))
            return false;
    }
    return true;
}

void player_advance(struct player *p, uint64_t ns)
{
    if (!p->variant || !p->variant->cut_time) {
        softgt_advance(p->device, ns);
        return;
    }
    const uint64_t end_ns = softgt_now_ns(p->device) + ns;
    for (uint64_t now_ns; (now_ns = softgt_now_ns(p->device)) < end_ns;) {
        const uint64_t next_ns = softgt_next_event_ns(p->device),
                       until_ns = next_ns > now_ns && next_ns < end_ns ? next_ns : end_ns,
                       left_ns = until_ns - now_ns;
        const bool was_runnable = softgt_runnable(p->device);
        const uint64_t interrupts = p->interrupts;
        if (next_ns > now_ns && left_ns > 1) { /* all but the last nanosecond, in two pieces */
            softgt_advance(p->device, (left_ns - 1) / 3);
            softgt_advance(p->device, left_ns - 1 - (left_ns - 1) / 3);
            if (softgt_runnable(p->device) != was_runnable || p->interrupts != interrupts)
                player_fail(p, p->now, "something happens before the next event, which is at %" PRIu64 " ns",
                            next_ns);
            softgt_advance(p->device, 1);
        } else {
            softgt_advance(p->device, left_ns);
        }
    }
}

/* ---- Comparing ---- */

/* What the plain run came to, after each operation that lets the device go on. */
struct moment {
    uint8_t *state;
    size_t size;
};

struct moments {
    struct moment *list;
    size_t count;
};

static bool goes_on(const struct gts_operation *o)
{
    return o->verb == GTS_RUN || o->verb == GTS_ADVANCE || o->verb == GTS_WAIT;
}

static void keep(struct player *p, struct moments *m)
{
    struct moment *now = &m->list[m->count++];
    now->state = save(p->device, &now->size);
}

/* False where they differ, told. */
static bool compare(struct player *p, const struct moment *then, const struct gts_operation *o)
{
    size_t size;
    uint8_t *state = save(p->device, &size);
    const bool same = state && then->state && size == then->size && memcmp(state, then->state, size) == 0;
    if (!same)
        player_fail(p, o, "the state differs, from byte %zu of %zu on (%zu bytes in the plain run)",
                    state && then->state ? difference(state, size, then->state, then->size) : 0, size,
                    then->size);
    free(state);
    return same;
}

struct comparison {
    struct player *player;
    struct gts_target target;
    struct moments *moments;
    size_t at;
};

static bool perform(void *user, const struct gts_operation *o)
{
    struct comparison *c = user;
    struct player *p = c->player;
    if (p->variant && p->variant->again && o->verb == GTS_EXPECT_COUNT) /* statistics stay */
        return true;
    if (!c->target.perform(c->target.user, o))
        return false;
    if (!goes_on(o))
        return true;
    if (!p->variant)
        keep(p, c->moments);
    else if (!p->variant->again && c->at < c->moments->count)
        return compare(p, &c->moments->list[c->at++], o);
    return true;
}

static enum gts_result play_as(struct player *p, const struct gts_program *program, struct moments *moments)
{
    struct comparison c = {.player = p, .target = player_target(p), .moments = moments};
    const struct gts_target target = {&c, perform};
    gts_play(program, &target);
    player_settle(p, program);
    return p->failures ? GTS_FAILED : GTS_CLEAN;
}

/* Once more on the same device, reset, with empty memory: what remains is what a reset forgot. */
static void make_used(struct player *p, const struct gts_program *program)
{
    const struct gts_target target = player_target(p);
    gts_play(program, &target);
    softgt_reset(p->device);
    player_forget(p);
}

static enum gts_result check(const struct gts_program *program, struct gts_source *source,
                             const struct gts_variant *variant, const struct player *plain,
                             struct moments *moments)
{
    char label[160];
    struct player p;
    uint64_t address;
    const char *device = source->device;
    snprintf(label, sizeof label, "%s: %s", program->device, variant->name);
    source->device = label;
    enum gts_result result = GTS_UNUSABLE;
    if (player_open(&p, program, source, variant)) {
        if (variant->again)
            make_used(&p, program);
        result = play_as(&p, program, moments);
        if (!sparse_memory_same(plain->memory, p.memory, &address)) {
            gts_tell(source, GTS_FAILURE, 0, 0, "memory differs at the end, from 0x%" PRIx64 " on", address);
            result = GTS_FAILED;
        }
    }
    player_close(&p);
    source->device = device;
    return result;
}

enum gts_result gts_check_on_device(const struct gts_program *program, struct gts_source *source)
{
    struct player plain;
    enum gts_result worst = GTS_UNUSABLE;
    struct moments moments = {.list = calloc(program->count + 1, sizeof *moments.list)};
    if (moments.list && player_open(&plain, program, source, NULL)) {
        worst = play_as(&plain, program, &moments);
        const bool good = worst == GTS_CLEAN;
        for (size_t i = 0; good && i < sizeof variants / sizeof variants[0]; i++) {
            const enum gts_result result = check(program, source, &variants[i], &plain, &moments);
            worst = result > worst ? result : worst;
        }
        player_close(&plain);
    }
    for (size_t i = 0; i < moments.count; i++)
        free(moments.list[i].state);
    free(moments.list);
    return worst;
}
