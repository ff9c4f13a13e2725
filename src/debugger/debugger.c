/* The debugger of a replay: the past, and moves in it. */
#include "debugger/commands.h"
#include "debugger/turns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAST_PLACES = 32 };

/* A debuggee that stands still. */
struct past {
    int socket;
    struct debug_place place;
    uint64_t draws;
};

struct replay_debugger {
    struct debugger d;
    int active;                    /* the socket of the debuggee that moves */
    struct past past[PAST_PLACES]; /* in order; [0]: the start */
    unsigned past_count;
};

static struct replay_debugger *replay_of(struct debugger *d)
{
    return (struct replay_debugger *)d; /* its first member */
}

/* ---- The past ---- */

static void drop_past(struct replay_debugger *d, unsigned n)
{
    close(d->past[n].socket);
    d->past_count--;
    memmove(&d->past[n], &d->past[n + 1], (d->past_count - n) * sizeof d->past[0]);
}

/* Drops the place that is missed least: where neighbors are near, compared with how far back they are. */
static void thin_past(struct replay_debugger *d)
{
    const uint64_t now = d->past[d->past_count - 1].place.command;
    unsigned least = 1;
    double least_gap = 1e300;
    for (unsigned n = 1; n + 1 < d->past_count; n++) {
        const double gap = (double)(d->past[n + 1].place.command - d->past[n - 1].place.command) /
                           (double)(now - d->past[n].place.command + 1);
        if (gap < least_gap) {
            least = n;
            least_gap = gap;
        }
    }
    drop_past(d, least);
}

/* Keeps a place in order; a second copy at the same place is dropped. */
static void add_past(struct replay_debugger *d, int socket, const struct turn_message *message)
{
    const struct debug_place place = message->place;
    unsigned at = d->past_count;
    while (at && debug_place_compare(&d->past[at - 1].place, &place) > 0)
        at--;
    if (at && debug_place_compare(&d->past[at - 1].place, &place) == 0) {
        close(socket);
        return;
    }
    memmove(&d->past[at + 1], &d->past[at], (d->past_count - at) * sizeof d->past[0]);
    d->past[at] = (struct past){socket, place, message->draws};
    if (++d->past_count == PAST_PLACES)
        thin_past(d);
}

/* Places after a change never were. */
static void forget_after(struct replay_debugger *d, const struct debug_place *place)
{
    d->d.shared->knows_draws = false;
    while (d->past_count > 1 && debug_place_compare(&d->past[d->past_count - 1].place, place) >= 0)
        drop_past(d, d->past_count - 1);
}

/* ---- Turns ---- */

/* Hands over the turn and waits for the answer. False: the debuggee is gone. */
static bool take_turn(struct replay_debugger *d, int socket, enum turn turn, struct turn_message *answer,
                      int *fd)
{
    const struct turn_message question = {.turn = turn};
    int came = -1;
    fflush(stdout);
    bool good = turn_send(socket, &question, -1);
    while (good && turn_receive(socket, answer, &came) == TURN_PAST) {
        if (came >= 0)
            add_past(d, came, answer);
        came = -1;
    }
    if (fd)
        *fd = came;
    else if (came >= 0)
        close(came);
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
    return good && answer->turn != TURN_OVER;
}

/* Goes on in the active debuggee. False: it is gone. */
static bool debugger_move(struct replay_debugger *d, const struct debug_move *move)
{
    struct turn_message answer;
    d->d.shared->move = *move;
    d->d.is_gone = !take_turn(d, d->active, TURN_GO, &answer, NULL);
    if (!d->d.is_gone)
        d->d.place = answer.place;
    return !d->d.is_gone;
}

/* Gives the active debuggee a turn. False: it refused, or is gone. */
static bool debugger_turn(struct debugger *d, enum turn turn)
{
    struct replay_debugger *const r = replay_of(d);
    struct turn_message answer;
    d->is_gone = !take_turn(r, r->active, turn, &answer, NULL);
    return !d->is_gone && !d->shared->failed;
}

static bool replay_look(struct debugger *d)
{
    return debugger_turn(d, TURN_LOOK);
}

static bool replay_complete(struct debugger *d)
{
    return debugger_turn(d, TURN_COMPLETE) || !d->is_gone;
}

static enum debugger_result replay_move(struct debugger *d, const struct debug_move *move)
{
    return debugger_arrive(d, debugger_move(replay_of(d), move));
}

/* The index of the last past place that is not after `place`. */
static unsigned past_before(const struct replay_debugger *d, const struct debug_place *place)
{
    unsigned n = d->past_count - 1;
    while (n && debug_place_compare(&d->past[n].place, place) > 0)
        n--;
    return n;
}

/* Makes a copy of a past place active, in place of the active debuggee. */
static bool return_to(struct replay_debugger *d, unsigned n)
{
    struct turn_message answer;
    int socket = -1;
    const bool good = take_turn(d, d->past[n].socket, TURN_COPY, &answer, &socket) && socket >= 0;
    if (!good) {
        fputs("the past cannot be copied: out of memory or processes\n", d->d.out);
        return false;
    }
    close(d->active);
    d->active = socket;
    d->d.place = answer.place;
    d->d.is_gone = false;
    return true;
}

/* Changes after the debuggee's place are undone. */
static void undo_after(struct replay_debugger *d)
{
    struct debug_shared *const s = d->d.shared;
    unsigned left = s->change_count;
    while (left && debug_place_compare(&s->changes[left - 1].place, &d->d.place) > 0)
        left--;
    if (left == s->change_count)
        return;
    for (unsigned n = left; n < s->change_count; n++) {
        const struct debug_change *const c = &s->changes[n];
        char place[48];
        fprintf(d->d.out, "undone: set %s, at %s\n", c->text, debug_place_text(&c->place, place));
    }
    forget_after(d, &s->changes[left].place);
    s->change_count = left;
}

/* Moves to a place. */
static bool reach(struct debugger *d, const struct debug_place *place)
{
    struct replay_debugger *const r = replay_of(d);
    const unsigned n = past_before(r, place);
    const struct debug_move move = {.motion = MOTION_TO, .to = *place};
    const int way = debug_place_compare(&d->place, place);
    if (way == 0 && !d->is_gone)
        return true;
    if ((way > 0 || d->is_gone || debug_place_compare(&r->past[n].place, &d->place) > 0) && !return_to(r, n))
        return false;
    d->shared->reason[0] = 0;
    return debug_place_compare(&d->place, place) == 0 || debugger_move(r, &move);
}

static bool replay_go_to(struct debugger *d, const struct debug_place *place)
{
    const bool good = reach(d, place);
    if (good)
        undo_after(replay_of(d));
    return good;
}

static bool replay_go_to_draw(struct debugger *d, uint64_t number)
{
    struct replay_debugger *const r = replay_of(d);
    const struct debug_move move = {.motion = MOTION_DRAW, .count = number};
    unsigned n = r->past_count - 1;
    while (n && r->past[n].draws >= number)
        n--;
    const bool is_before = !d->is_gone && d->shared->draws < number;
    if ((!is_before || debug_place_compare(&r->past[n].place, &d->place) > 0) && !return_to(r, n))
        return false;
    const bool good = debugger_move(r, &move);
    if (good && d->shared->draws >= number)
        undo_after(r);
    return good;
}

static bool replay_look_back(struct debugger *d, unsigned only)
{
    struct replay_debugger *const r = replay_of(d);
    const struct debug_place start = d->place;
    struct debug_move move = {.motion = MOTION_LOOK, .to = start, .passes_end = only, .only = only};
    for (unsigned n = past_before(r, &start) + 1; n-- > 0;) {
        const struct debug_place from = r->past[n].place;
        if (debug_place_compare(&from, &start) >= 0)
            continue;
        d->shared->noted.found = false;
        if (!return_to(r, n) || !debugger_move(r, &move))
            return false;
        if (d->shared->noted.found)
            return true;
        move.to = from;
        move.passes_end = true;
        n = past_before(r, &from); /* copies may have come in between */
    }
    return true;
}

static void replay_changed(struct debugger *d)
{
    if (d->shared->changed) {
        d->shared->changed = false;
        forget_after(replay_of(d), &d->place);
    }
}

static const struct debugger_ops replay_ops = {.look = replay_look,
                                               .complete = replay_complete,
                                               .move = replay_move,
                                               .go_to = replay_go_to,
                                               .go_to_draw = replay_go_to_draw,
                                               .look_back = replay_look_back,
                                               .changed = replay_changed};

/* ---- Life ---- */

struct debugger *debugger_open(const struct debugger_options *options)
{
    struct replay_debugger *const r = calloc(1, sizeof *r);
    int pair[2];
    if (!r)
        return NULL;
    struct debugger *const d = &r->d;
    d->ops = &replay_ops;
    d->out = stdout;
    d->shared = mmap(NULL, sizeof *d->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (d->shared == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(r);
        return NULL;
    }
    d->shared->colour = options->colour;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(pair[0]);
        if (!options->confine || options->confine())
            debuggee_run(d->shared, pair[1], options);
        _exit(0);
    }
    close(pair[1]);
    r->active = pair[0];
    struct turn_message answer;
    int fd;
    errno = 0;
    if (child > 0 && turn_receive(r->active, &answer, &fd) == TURN_STOPPED) {
        d->place = answer.place;
        /* The start is the first place of the past. */
        if (take_turn(r, r->active, TURN_COPY, &answer, &fd) && fd >= 0) {
            add_past(r, fd, &answer);
            return d;
        }
    }
    debugger_close(d);
    return NULL;
}

struct debug_reports debugger_reports(const struct debugger *d)
{
    return d->shared->reports;
}

void debugger_close(struct debugger *d)
{
    if (!d)
        return;
    struct replay_debugger *const r = replay_of(d);
    close(r->active);
    while (r->past_count)
        drop_past(r, r->past_count - 1);
    while (waitpid(-1, NULL, 0) > 0) {
    }
    munmap(d->shared, sizeof *d->shared);
    free(r);
}
