/* Saving and loading a replay: position, counts, device, memory. */
#include "device/host.h"
#include "aub/playing.h"
#include "host/sparse_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All state except the trace. */
static void replay_state(struct replay *r, struct state *s)
{
    static const char magic[16] = "softgt run 5\n";
    struct replay_result *t = r->result;
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof mark);
    state_bytes(s, mark, sizeof mark);
    state_check(s, memcmp(mark, magic, sizeof mark) == 0);
    STATE(s, r->calls);
    STATE(s, r->digest);
    STATE(s, r->submission);
    STATE(s, r->run.budget_dw);
    STATE(s, r->run.done_dw);
    STATE(s, r->run.partial_dw);
    STATE(s, r->run.surplus_dw);
    STATE(s, r->run.is_replay);
    STATE(s, r->run.counts_reparsed);
    STATE(s, r->run.slice_ended);
    STATE(s, r->dwords_seen);
    STATE(s, r->messages);
    STATE(s, r->faults_excused);
    STATE(s, r->loops);
    STATE(s, r->ggtt_changed);
    STATE(s, r->deferred_differs);
    STATE(s, r->paced);
    STATE_ARRAY(s, r->mistakes);
    uint64_t *const counts[] = {&t->packets, &t->submissions,  &t->compares,        &t->compares_failed,
                                &t->polls,   &t->polls_failed, &t->unknown_packets, &t->errors};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        STATE(s, *counts[i]);
    uint64_t size = s->saving ? softgt_save(r->device, NULL, 0) : 0;
    STATE(s, size);
    state_check(s, size <= s->size - s->offset);
    if (s->saving && s->output)
        softgt_save(r->device, s->output + s->offset, size);
    else if (!s->saving && !s->failed) {
        const int error = softgt_load(r->device, s->input + s->offset, size);
        r->no_memory |= error == -ENOMEM;
        state_check(s, error == 0);
    }
    s->offset += size;
    sparse_memory_state(r->memory, s);
}

void replay_save(struct replay *r, const struct aub_packet *at)
{
    struct state count = {.saving = true};
    r->saved = true;
    r->digest = at->digest;
    replay_state(r, &count);
    uint8_t *data = malloc(count.offset);
    struct state s = {.saving = true, .output = data, .size = count.offset};
    if (data)
        replay_state(r, &s);
    r->no_memory |= !data;
    if (data && !r->options->save(r->options->user, data, s.offset))
        replay_log(r, REPLAY_ERROR, at->offset, "the state could not be saved");
    free(data);
}

bool replay_refuse_state(struct replay *r, uint64_t offset, const char *why)
{
    const char *name = r->options->load_name;
    char text[400];
    snprintf(text, sizeof text, "the saved state%s%.200s%s is %s", name ? " (" : "", name ? name : "",
             name ? ")" : "", why);
    return replay_unusable(r, offset, text);
}

bool replay_load(struct replay *r, uint64_t offset)
{
    struct state s = {.input = r->options->load, .size = r->options->load_bytes};
    replay_state(r, &s);
    if (r->no_memory || sparse_memory_failed(r->memory))
        return replay_unusable(r, offset, "out of memory");
    if (s.failed || s.offset != s.size)
        return replay_refuse_state(r, offset,
                                   "none of a run of this device (cut, changed, another device's)");
    if (r->run.budget_dw > replay_budget_dw(r))
        r->run.budget_dw = replay_budget_dw(r);
    r->resume_call = r->calls;
    r->calls = 0;
    return true;
}
