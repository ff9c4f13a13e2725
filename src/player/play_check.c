/*
 * The self check: plays a program once unchanged, then once for each variant, and compares states after every
 * run and advance. The properties hold for every program:
 * - budgets of any size give the same final state as one run;
 * - a state that is saved after any command and loaded into a new device gives the same final state;
 * - time may pass in pieces, and nothing happens before the next event;
 * - after a power-on reset a program runs as on a new device.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/host.h"
#include "player/player.h"
#include "host/sparse_memory.h"

/* After the requested number of cuts the pieces become longer, up to LONG_STEP_DW. A cut costs less than a
 * load, so a variant without loads makes CUTS_A_LOAD times as many. */
enum { LONG_STEP_DW = 99991, CUTS_A_LOAD = 100 };

static const struct player_variant variants[] = {
    {.name = "budgets of 1 dword", .cut_dw = 1},
    {.name = "budgets of 7 dwords", .cut_dw = 7},
    {.name = "saved and loaded after each command", .cut_dw = 1, .reloads_state = true},
    {.name = "time in pieces", .cuts_time = true},
    {.name = "after a reset", .replays_after_reset = true},
};

/* ---- States ---- */

static bool save(struct softgt *device, struct saved_state *to)
{
    to->size = softgt_save(device, to->bytes, to->capacity);
    if (to->size <= to->capacity)
        return true;
    free(to->bytes);
    to->capacity = to->size * 2;
    to->bytes = malloc(to->capacity);
    if (!to->bytes)
        to->capacity = 0;
    return to->bytes && softgt_save(device, to->bytes, to->capacity) <= to->capacity;
}

static bool states_equal(const struct saved_state *a, const struct saved_state *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static uint64_t value_at(const struct saved_state *s, size_t at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && i < 8 && at + i < s->size; i++)
        value |= (uint64_t)s->bytes[at + i] << i * 8u;
    return value;
}

/* Reports where the state `now` first differs from the expected one. The header holds length and checksum. */
static void report_difference(struct player *p, const struct gts_operation *o, const struct saved_state *now,
                              const struct saved_state *wanted, const char *what)
{
    char place[160], cut[64] = "";
    size_t at = STATE_HEADER_BYTES, begin, bytes;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): bytes exist when the size is above 0 */
    while (at < now->size && at < wanted->size && now->bytes[at] == wanted->bytes[at])
        at++;
    device_state_locate(p->device, at, &begin, &bytes, place, sizeof place);
    if (p->steps && p->steps != UINT64_MAX)
        snprintf(cut, sizeof cut, ", after %" PRIu64 " cuts", p->steps);
    player_fail(p, o, "%s: %s: expected 0x%" PRIx64 ", got 0x%" PRIx64 "%s", what, place,
                value_at(wanted, begin, bytes), value_at(now, begin, bytes), cut);
}

/* ---- Running a variant ---- */

/* Loads the state into a new device, which replaces the current one. */
static void reload(struct player *p)
{
    struct saved_state *const before = &p->saved[0], *const after = &p->saved[1];
    if (p->reload_device)
        softgt_reset(p->reload_device);
    if (!save(p->device, before) ||
        (!p->reload_device && softgt_create(&p->config, &p->reload_device) != 0)) {
        p->out_of_memory = true;
        return;
    }
    const int error = softgt_load(p->reload_device, before->bytes, before->size);
    if (error == -ENOMEM) {
        p->out_of_memory = true;
        return;
    }
    if (error) {
        player_fail(p, p->current, "the saved state cannot be loaded: %s, after %" PRIu64 " cuts",
                    strerror(-error), p->steps);
        return;
    }
    struct softgt *const used = p->device;
    p->device = p->reload_device;
    p->reload_device = used;
    if (!save(p->device, after)) {
        p->out_of_memory = true;
    } else if (!states_equal(before, after)) {
        report_difference(p, p->current, after, before, "the loaded state is saved with other contents");
        p->steps = UINT64_MAX; /* reported once */
    }
}

bool player_run_budget(struct player *p, uint64_t budget_dw)
{
    struct run_extent run = {.budget_dw = budget_dw, .stop = p->options->stop, .user = p->options->user};
    const bool more = device_run(p->device, &run);
    if (p->variant && p->variant->reloads_state && p->steps != UINT64_MAX)
        reload(p);
    return more;
}

bool player_run(struct player *p, uint64_t limit_dw)
{
    if (!p->variant || !p->variant->cut_dw) {
        const uint64_t before_dw = softgt_dword_count(p->device);
        bool more;
        do
            more = softgt_run(p->device, limit_dw - (softgt_dword_count(p->device) - before_dw));
        while (!more && softgt_dword_count(p->device) - before_dw < limit_dw &&
               device_wait_for_time(p->device));
        return more;
    }
    const uint64_t cuts = p->options->self_check * (p->variant->reloads_state ? 1 : CUTS_A_LOAD),
                   end_dw = softgt_dword_count(p->device) + limit_dw;
    uint64_t step_dw = p->variant->cut_dw;
    while (softgt_dword_count(p->device) < end_dw) {
        if (!player_run_budget(p, step_dw) && !device_wait_for_time(p->device))
            return false;
        p->steps += p->steps != UINT64_MAX;
        if (p->steps > cuts && step_dw < LONG_STEP_DW)
            step_dw += 1 + step_dw / 8;
    }
    return true;
}

void player_advance(struct player *p, uint64_t ns)
{
    if (!p->variant || !p->variant->cuts_time) {
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
                player_fail(p, p->current,
                            "an engine or an interrupt changed before the next event at %" PRIu64 " ns",
                            next_ns);
            softgt_advance(p->device, 1);
        } else {
            softgt_advance(p->device, left_ns);
        }
    }
}

/* ---- Comparing ---- */

/* Saves the states of the plain run, after each operation that runs the device. */
struct moments {
    struct saved_state *list;
    size_t count;
};

static bool variant_continues(const struct gts_operation *o)
{
    return o->verb == GTS_RUN || o->verb == GTS_ADVANCE || o->verb == GTS_WAIT;
}

static void save_now(struct player *p, struct moments *m)
{
    struct saved_state *now = &m->list[m->count++];
    if (!save(p->device, now)) {
        p->out_of_memory = true;
        return;
    }
    uint8_t *const less = realloc(now->bytes, now->size);
    now->bytes = less ? less : now->bytes;
    now->capacity = less ? now->size : now->capacity;
}

/* False after a message: the states differ. */
static bool compare_states(struct player *p, const struct saved_state *then, const struct gts_operation *o)
{
    struct saved_state *const now = &p->saved[0];
    if (!save(p->device, now) || !then->bytes) {
        p->out_of_memory = true;
        return false;
    }
    if (states_equal(now, then))
        return true;
    report_difference(p, o, now, then, "the state differs from that of the plain run");
    return false;
}

struct comparison {
    struct player *player;
    struct gts_target target;
    struct moments *moments;
    size_t at;
};

static bool check_perform(void *user, const struct gts_operation *o)
{
    struct comparison *c = user;
    struct player *p = c->player;
    if (p->variant && p->variant->replays_after_reset && o->verb == GTS_EXPECT_COUNT) /* statistics survive */
        return true;
    if (!c->target.perform(c->target.user, o))
        return false;
    if (!variant_continues(o))
        return true;
    if (!p->variant)
        save_now(p, c->moments);
    else if (!p->variant->replays_after_reset && c->at < c->moments->count)
        return compare_states(p, &c->moments->list[c->at++], o);
    return true;
}

static enum gts_result play_as(struct player *p, const struct gts_program *program, struct moments *moments)
{
    struct comparison c = {.player = p, .target = player_target(p), .moments = moments};
    const struct gts_target target = {&c, check_perform};
    gts_play(program, &target);
    return player_finish(p, program);
}

/* Plays again on the same device after a reset, with empty memory: finds state that a reset does not clear.
 */
static void make_used(struct player *p, const struct gts_program *program)
{
    const struct gts_target target = player_target(p);
    gts_play(program, &target);
    softgt_reset(p->device);
    player_clear(p);
}

static enum gts_result check_value_state(const struct gts_program *program, struct gts_source *source,
                                         const struct player_variant *variant, const struct player *plain,
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
        if (variant->replays_after_reset)
            make_used(&p, program);
        result = play_as(&p, program, moments);
        if (result != GTS_UNUSABLE && !sparse_memory_equal(plain->memory, p.memory, &address)) {
            gts_send_message(source, GTS_FAILURE, 0, 0,
                             "memory differs at the end of the program, from 0x%" PRIx64 " on", address);
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
    if (!moments.list)
        gts_send_message(source, GTS_ERROR, 0, 0, "out of memory");
    else if (player_open(&plain, program, source, NULL)) {
        worst = play_as(&plain, program, &moments);
        const bool good = worst == GTS_CLEAN;
        for (size_t i = 0; good && i < sizeof variants / sizeof variants[0]; i++) {
            const enum gts_result result = check_value_state(program, source, &variants[i], &plain, &moments);
            worst = result > worst ? result : worst;
        }
    }
    if (moments.list)
        player_close(&plain);
    for (size_t i = 0; i < moments.count; i++)
        free(moments.list[i].bytes);
    free(moments.list);
    return worst;
}
