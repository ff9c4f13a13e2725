/* An engine's state: where it is in its streams, its queue, its counts. Registers are the register file's. */
#include "engine/engine.h"

#include <stdio.h>
#include <string.h>

static void stream_state(struct state *s, struct stream *stream)
{
    uint64_t address = stream_address(stream);
    uint8_t space = (uint8_t)stream->space, privileged = stream->privileged;
    STATE(s, address);
    STATE(s, stream->end);
    STATE(s, space);
    STATE(s, stream->kind);
    STATE(s, privileged);
    state_check(s, space <= SPACE_PPGTT && stream->kind <= STREAM_RESTORE);
    if (s->saving || s->failed)
        return;
    stream->space = (enum space)space;
    stream->privileged = privileged;
    stream_seek(stream, address & ~UINT64_C(3));
}

static void execlist_state(struct state *s, struct execlist *list)
{
    for (unsigned i = 0; i < EXECLIST_ELEMENTS; i++) {
        STATE(s, list->element[i].low);
        STATE(s, list->element[i].high);
    }
    STATE(s, list->valid);
}

void engine_state(struct engine *e, struct state *s)
{
    uint32_t state = (uint32_t)e->state, mode = (uint32_t)e->mmu.root.mode;
    uint8_t ring_mode = e->submission == &ring_submission;
    STATE(s, state);
    STATE(s, mode);
    STATE(s, ring_mode);
    STATE_ARRAY(s, e->mmu.root.directory);
    char why[sizeof e->why_loaded] = "";
    if (s->saving)
        snprintf(why, sizeof why, "%s", e->why);
    state_bytes(s, why, sizeof why);
    STATE(s, e->wake);
    for (unsigned i = 0; i < STREAMS; i++)
        stream_state(s, &e->streams[i]);
    STATE(s, e->depth);
    STATE(s, e->command_address);
    STATE(s, e->header);
    STATE(s, e->arbitration);
    STATE(s, e->restoring);
    STATE(s, e->image_end);
    STATE(s, e->indirect_done);
    STATE(s, e->past_end);
    STATE(s, e->skip);
    STATE(s, e->semaphore_told);
    STATE(s, e->wants_signal);
    STATE(s, e->wait_reason);
    STATE(s, e->wait_until_ns);
    STATE(s, e->blit_setup.to);
    STATE(s, e->blit_setup.pattern);
    STATE(s, e->blit_setup.br13);
    STATE(s, e->blit_setup.background);
    STATE(s, e->blit_setup.foreground);
    STATE_ARRAY(s, e->blit_setup.pattern_bits);
    STATE(s, e->blit_setup.clip_x1);
    STATE(s, e->blit_setup.clip_y1);
    STATE(s, e->blit_setup.clip_x2);
    STATE(s, e->blit_setup.clip_y2);
    STATE(s, e->blit_setup.byte_mask);
    STATE(s, e->blit_setup.mono_pattern);
    STATE(s, e->blit_row);
    STATE(s, e->isr);
    STATE(s, e->indirect_mark);
    STATE(s, e->ring_wait);
    STATE(s, e->wait_cancelled);
    STATE(s, e->reset_ready);
    STATE(s, e->head_report_page);
    STATE_ARRAY(s, e->elsp);
    STATE(s, e->elsp_count);
    execlist_state(s, &e->pending);
    execlist_state(s, &e->executing);
    STATE(s, e->element);
    STATE(s, e->current.low);
    STATE(s, e->current.high);
    STATE(s, e->context_valid);
    STATE(s, e->csb_write);
    STATE(s, e->switched_in_ns);
    STATE(s, e->submitted_ns);
    STATE(s, e->restored_ns);
    state_dwords(s, e->kept, e->kept_dw);
    for (unsigned i = 1; i < e->set->count; i++) {
        const struct command *c = e->set->rows[i];
        const uint32_t header = c->flags & COMMAND_KEPT ? e->kept[e->kept_at[i]] : 0;
        state_check(s, header == 0 || command_find(e->set, e->info->class, header) == i);
    }
    for (unsigned i = 0; i < e->set->count; i++)
        STATE(s, e->counts[i]);
    uint64_t *const totals[] = {&e->batches,   &e->dwords,       &e->waits,    &e->switches, &e->interrupts,
                                &e->stores,    &e->bytes_stored, &e->faults,   &e->dropped,  &e->unknown,
                                &e->misplaced, &e->skipped,      &e->too_short};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        STATE(s, *totals[i]);
    for (unsigned i = 0; i < UNKNOWN_HEADERS; i++) {
        STATE(s, e->unknown_headers[i].header);
        STATE(s, e->unknown_headers[i].count);
        STATE(s, e->unknown_headers[i].first_address);
    }
    STATE(s, e->found.value);
    STATE(s, e->found.wanted);
    STATE(s, e->found.comparison);
    state_check(s, e->found.comparison < sizeof wait_comparisons / sizeof wait_comparisons[0]);
    state_check(s, state <= SOFTGT_ENGINE_STOPPED && mode <= PPGTT_IN_GGTT && e->depth < STREAMS &&
                       e->elsp_count < 4 && e->element < EXECLIST_ELEMENTS &&
                       (e->csb_write == 0 || e->csb_write < e->info->csb_entries) &&
                       (ring_mode || e->info->execlists || e->info->contexts));
    if (s->saving || s->failed)
        return;
    e->state = (enum softgt_engine_state)state;
    e->mmu.root.mode = (enum ppgtt_mode)mode;
    e->submission = ring_mode                    ? &ring_submission
                    : e->info->execlists != NULL ? e->info->execlists
                                                 : e->info->contexts;
    why[sizeof why - 1] = 0;
    memcpy(e->why_loaded, why, sizeof why);
    e->why = e->why_loaded;
    e->moved = true;
    mmu_invalidate(&e->mmu);
}
