/* Engines in a replay: runs, hangs, reports. */
#include "device/host.h"
#include "aub/playing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_SHOWN = 16 };

/* ---- Running ---- */

/* Resets an engine that hangs as a driver does. Its mode stays. */
static void revive(struct replay *r, unsigned index, const struct softgt_engine_status *s)
{
    const uint64_t page = softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, s->hws_pga, 4);
    softgt_engine_reset(r->device, index);
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, s->hws_pga, page, 4);
}

/* At most `most_dw` of the remaining budget. */
static bool run_part(struct replay *r, uint64_t most_dw)
{
    const uint64_t left_dw = r->run.budget_dw, part_dw = most_dw < left_dw ? most_dw : left_dw;
    r->run.budget_dw = part_dw;
    const bool more = device_run(r->device, &r->run);
    r->run.budget_dw += left_dw - part_dw;
    return more;
}

/* A recorded run ends where it ended; others end with the budget. */
static bool has_work_left(const struct replay *r)
{
    return r->run.budget_dw && !replay_stopped(r) && !r->ended &&
           (!r->run.is_replay || r->run.done_dw || r->run.partial_dw);
}

/* Runs with the remaining budget; saves when requested. */
void replay_run_engines(struct replay *r, const struct aub_packet *at)
{
    enum { STEP_DW = 1 << 22 };
    const uint64_t save_at = r->options->save && !r->saved ? r->options->save_at_dw : 0;
    bool more = true;
    r->submission += !r->resuming && softgt_runnable(r->device);
    r->resuming = false;
    if (r->options->position)
        r->options->position->submission = r->submission;
    while (more && save_at && softgt_dword_count(r->device) < save_at && has_work_left(r))
        more = run_part(r, save_at - softgt_dword_count(r->device)) || device_wait_for_time(r->device);
    if (save_at && softgt_dword_count(r->device) >= save_at)
        replay_save(r, at);
    while (more && has_work_left(r)) {
        more = run_part(r, r->options->last_draw ? 1 : STEP_DW) || device_wait_for_time(r->device);
        r->ended = r->options->last_draw && device_draw_count(r->device) >= r->options->last_draw;
    }
}

/* Runs until the engines are idle. Virtual time advances with their dwords, or with the costs of commands.
 * False: give up. */
static bool run_once(struct replay *r, const struct aub_packet *at, bool *again)
{
    enum { LOOPS = 3 }; /* each uses a whole budget */
    enum { END_DW = 1024 };
    const uint64_t budget = replay_budget_dw(r);
    replay_run_engines(r, at);
    const uint64_t dwords = softgt_dword_count(r->device);
    if (!r->options->timing)
        softgt_advance(r->device, (dwords - r->dwords_seen) * NS_PER_DWORD);
    r->dwords_seen = dwords;
    if (r->ended)
        return false;
    for (unsigned i = 0; i < r->engines && !replay_stopped(r); i++) {
        const enum softgt_engine_state state = softgt_engine_get_state(r->device, i);
        struct softgt_engine_status s;
        if (state == SOFTGT_ENGINE_IDLE || state == SOFTGT_ENGINE_WAITING ||
            !softgt_engine_get_status(r->device, i, &s))
            continue;
        if (state == SOFTGT_ENGINE_RUNNING) {
            r->result->hung++;
            replay_log(r, REPLAY_ERROR, at->offset,
                       "%s is still busy after %llu dwords, at graphics address %#llx: does the batch loop? "
                       "Engine reset",
                       s.name, (unsigned long long)budget, (unsigned long long)s.acthd);
            revive(r, i, &s);
            if (++r->loops >= LOOPS) {
                replay_log(r, REPLAY_ERROR, at->offset, "the trace loops too often, the rest did not run");
                return false;
            }
        } else if (r->result->draws && !r->program.is_program && device_skip_draw(r->device, i)) {
            r->lost.count++;
            *again = true;
            r->run.budget_dw -= r->run.budget_dw < END_DW ? r->run.budget_dw : (uint64_t)END_DW;
        } else if (!r->program.is_program) {
            /* A capture holds only memory that a CPU had mapped: a truncated batch ends there. */
            const bool ended = s.past_end && softgt_engine_end_batch(r->device, i);
            r->result->hung += !ended;
            replay_log(r, ended ? REPLAY_NOTE : REPLAY_ERROR, at->offset,
                       "%s: %s, at graphics address %#llx, header %08x: %s", s.name, s.why,
                       (unsigned long long)s.acthd, s.header, ended ? "taken as its end" : "reset");
            r->faults_excused += ended;
            *again |= ended;
            if (ended) { /* its caller may start it again and again */
                r->run.budget_dw -= r->run.budget_dw < END_DW ? r->run.budget_dw : (uint64_t)END_DW;
                continue;
            }
            revive(r, i, &s);
        }
    }
    return true;
}

bool replay_run(struct replay *r, const struct aub_packet *at)
{
    bool again;
    if (r->paced && !r->program.is_program)
        return true;
    if (!r->resuming)
        r->run = (struct run_extent){.budget_dw = replay_budget_dw(r)};
    do {
        again = false;
        if (!run_once(r, at, &again))
            return false;
    } while (again);
    return true;
}

/* ---- Reports ---- */

static bool tolerates(const struct replay *r, enum softgt_mistake mistake)
{
    return mistake && (r->options->tolerate | r->program.tolerated) >> mistake & 1u;
}

static bool is_expected(const struct replay *r, const struct softgt_report *report)
{
    char text[400];
    snprintf(text, sizeof text, "%s 0x%llx: %s", report->unit, (unsigned long long)report->address,
             report->text);
    const char kind = report->complaint == SOFTGT_GUEST_ERROR ? 'g' : 'h';
    for (size_t i = 0; i < r->program.expected_count; i++) {
        const char *wanted = strchr(r->program.expected[i], ' ');
        if (r->program.expected[i][0] == kind && (!wanted || strstr(text, wanted + 1)))
            return true;
    }
    return false;
}

/* A capture may lack memory that draws read: it has only memory that the program gave to its driver. Reported
 * once. */
static bool take_undrawn(struct replay *r, const struct softgt_report *report)
{
    if (r->paced || r->program.is_program || !r->device || !r->result->draws ||
        report->complaint != SOFTGT_GUEST_ERROR)
        return false;
    const int engine = sheet_engine_find(device_sheet(r->device), report->unit);
    if (engine < 0 || !device_in_draw(r->device, (unsigned)engine))
        return false;
    r->faults_excused += report->mistake == SOFTGT_MISTAKE_FAULT;
    if (!*r->lost.first)
        snprintf(r->lost.first, sizeof r->lost.first, "%s, 3DPRIMITIVE at %#llx: %s", report->unit,
                 (unsigned long long)report->address, report->text);
    return true;
}

/* The first faults of a recording are shown where they happen: before the compares that they fail. */
static void note_fault(const struct replay *r, const struct softgt_report *report)
{
    char text[384];
    snprintf(text, sizeof text, "%s %#llx: %s", report->unit, (unsigned long long)report->address,
             report->text);
    if (r->options->message)
        r->options->message(r->options->user, REPLAY_NOTE, r->offset, text);
}

void replay_report(void *user, const struct softgt_report *report)
{
    struct replay *r = user;
    if (take_undrawn(r, report))
        return;
    if (report->complaint == SOFTGT_GUEST_ERROR)
        r->mistakes[report->mistake]++;
    if (r->program.is_program && report->complaint != SOFTGT_NOT_MODELLED && !tolerates(r, report->mistake) &&
        !is_expected(r, report))
        replay_log(r, REPLAY_ERROR, r->offset, "unexpected %s: %s %#llx: %s",
                   report->complaint == SOFTGT_GUEST_ERROR ? "guest_error" : "host_failure", report->unit,
                   (unsigned long long)report->address, report->text);
    else if (!r->program.is_program && report->complaint == SOFTGT_GUEST_ERROR &&
             report->mistake == SOFTGT_MISTAKE_FAULT && !tolerates(r, report->mistake) &&
             r->mistakes[report->mistake] <= FAULTS_SHOWN)
        note_fault(r, report);
    if (r->options->report.report)
        r->options->report.report(r->options->report.user, report);
}

/* Comments of softgt asm at the start of a trace: "softgt program", then "softgt expects KIND TEXT" and
 * "softgt tolerates WORD". */
bool replay_program_comment(struct replay *r, const char *text)
{
    static const char start[] = "softgt expects ", tolerated[] = "softgt tolerates ";
    if (strcmp(text, "softgt program") == 0)
        r->program.is_program = r->paced = true;
    else if (r->program.is_program && strncmp(text, tolerated, sizeof tolerated - 1) == 0)
        r->program.tolerated |=
            mistake_bit(text + sizeof tolerated - 1, strlen(text) - (sizeof tolerated - 1));
    else if (!r->program.is_program || strncmp(text, start, sizeof start - 1) != 0)
        return false;
    else if (r->program.expected_count < 4096) {
        char **all = realloc(r->program.expected, (r->program.expected_count + 1) * sizeof *all);
        r->program.expected = all ? all : r->program.expected;
        char *const copy = all ? strdup(text + sizeof start - 1) : NULL;
        r->no_memory |= !copy;
        if (copy)
            all[r->program.expected_count++] = copy;
    }
    return true;
}

/* Skipped commands make the result wrong. */
static void log_mistakes(struct replay *r)
{
    static const struct {
        enum softgt_mistake mistake;
        const char *text;
    } kinds[] = {
        {SOFTGT_MISTAKE_SHORT, "too short, skipped"},
        {SOFTGT_MISTAKE_DROPPED, "privileged in batches that are not, dropped"},
        {SOFTGT_MISTAKE_MISPLACED, "another engine's, skipped"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const uint64_t count = r->mistakes[kinds[i].mistake];
        if (count && !tolerates(r, kinds[i].mistake))
            replay_log(r, REPLAY_ERROR, REPLAY_NO_OFFSET,
                       "%llu command%s: %s (--tolerate %s lets a trace have them)", (unsigned long long)count,
                       count > 1 ? "s" : "", kinds[i].text, mistake_words[kinds[i].mistake]);
    }
}

static void log_waiting(struct replay *r, const struct softgt_engine_status *s)
{
    char value[80] = "";
    if (s->wait.comparison)
        snprintf(value, sizeof value, ": it found 0x%x and waits for %s 0x%x", s->wait.found,
                 s->wait.comparison, s->wait.waited_for);
    r->result->hung++;
    replay_log(r, REPLAY_ERROR, REPLAY_NO_OFFSET, "%s did not finish: %s%s, at graphics address %#llx",
               s->name, s->why, value, (unsigned long long)s->acthd);
}

/* Reported even after MESSAGES messages. */
static void log_undrawn(struct replay *r)
{
    const uint64_t counted = device_undrawn_count(r->device);
    r->result->undrawn = r->lost.count;
    char text[384] = "";
    if (r->lost.count)
        snprintf(text, sizeof text,
                 "%llu draws are not complete: the trace does not contain all that they read (first: %s)",
                 (unsigned long long)r->lost.count, r->lost.first);
    else if (r->lost.is_old && counted)
        snprintf(text, sizeof text,
                 "%llu draws are counted, not run: the recording does not say whether its device ran them "
                 "(--draws "
                 "runs them)",
                 (unsigned long long)counted);
    if (*text && r->options->message)
        r->options->message(r->options->user, REPLAY_NOTE, REPLAY_NO_OFFSET, text);
}

void replay_check_engines(struct replay *r)
{
    log_undrawn(r);
    if (r->options->last_draw && !r->ended)
        replay_log(r, REPLAY_NOTE, REPLAY_NO_OFFSET, "the trace ends before draw %llu: it has %llu draws",
                   (unsigned long long)r->options->last_draw,
                   (unsigned long long)device_draw_count(r->device));
    if (r->ended) /* an option ended the trace early */
        return;
    struct softgt_engine_status s;
    uint64_t faults = 0;
    if (r->paced || r->program.is_program) { /* its compares check the results */
        for (unsigned i = 0; softgt_engine_get_status(r->device, i, &s); i++)
            r->result->submissions += s.context_switches;
        return;
    }
    for (unsigned i = 0; softgt_engine_get_status(r->device, i, &s); i++) {
        r->result->submissions += s.context_switches;
        faults += s.faults;
        if (s.state == SOFTGT_ENGINE_WAITING)
            log_waiting(r, &s);
    }
    log_mistakes(r);
    if (faults > r->faults_excused && !tolerates(r, SOFTGT_MISTAKE_FAULT))
        replay_log(r, REPLAY_ERROR, REPLAY_NO_OFFSET, "%llu page faults",
                   (unsigned long long)(faults - r->faults_excused));
}
