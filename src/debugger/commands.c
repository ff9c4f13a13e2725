/* The lines of the prompt: moves, stops, and who did it. Lines that look at the device go to the debuggee. */
#include "debugger/commands.h"
#include "debugger/look.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum debugger_result run_line(struct debugger *d, const char *arguments);

struct line_command {
    struct line_words words;
    run_line *run;
    bool repeats; /* an empty line runs it again */
};

/* ---- Shared ---- */

static enum debugger_result refuse(const struct debugger *d, const char *text)
{
    fprintf(d->out, "%s\n", text);
    return DEBUGGER_REFUSED;
}

/* A count from 1 on; 1 where there is none. False after a message. */
static bool count_of(const struct debugger *d, const char *text, uint64_t *count)
{
    char *end;
    *count = 1;
    if (!*text)
        return true;
    *count = strtoull(text, &end, 0);
    if (!*end && end != text && *count && isdigit((unsigned char)*text))
        return true;
    fprintf(d->out, "'%s' is no count\n", text);
    return false;
}

static enum debugger_result look(struct debugger *d, const char *line)
{
    snprintf(d->shared->line, sizeof d->shared->line, "%s", line);
    const bool good = d->ops->look(d);
    if (d->ops->changed)
        d->ops->changed(d);
    if (d->is_gone)
        return refuse(d, "the replay is gone; 'back' returns to a place that is known");
    return good ? DEBUGGER_DONE : DEBUGGER_REFUSED;
}

/* The stop is at a draw that the replay is known not to have. */
static bool is_past_draws(const struct debugger *d, const struct stop *s)
{
    const bool has_number = s->kind == STOP_DRAW || s->kind == STOP_DISPATCH;
    return d->shared->knows_draws && has_number && s->value > d->shared->all_draws;
}

/* At the end: stops at draws that the replay did not have. */
static void name_missing_draws(const struct debugger *d)
{
    for (unsigned n = 0; n < DEBUG_STOPS && d->shared->at_end; n++) {
        const struct stop *const s = &d->shared->stops[n];
        if (s->number && !s->disabled && is_past_draws(d, s))
            fprintf(d->out, "stop %u: %s: there are only %" PRIu64 " draws and dispatches\n", s->number,
                    s->text, d->shared->all_draws);
    }
}

enum debugger_result debugger_arrive(struct debugger *d, bool arrived)
{
    if (!arrived || d->is_gone)
        return refuse(d, "the replay ended unexpectedly; 'back' returns to a place that is known");
    if (*d->shared->reason) {
        fprintf(d->out, "%s\n", d->shared->reason);
        name_missing_draws(d);
    }
    return look(d, "place");
}

static enum debugger_result move(struct debugger *d, const struct debug_move *m)
{
    if (d->shared->at_end)
        return refuse(d, "the replay has ended");
    return d->ops->move(d, m);
}

static enum debugger_result move_count(struct debugger *d, enum debug_motion motion, const char *arguments)
{
    struct debug_move m = {.motion = motion};
    return count_of(d, arguments, &m.count) ? move(d, &m) : DEBUGGER_REFUSED;
}

/* ---- Moves ---- */

static enum debugger_result run_step(struct debugger *d, const char *arguments)
{
    return move_count(d, MOTION_STEP, arguments);
}

static enum debugger_result run_next(struct debugger *d, const char *arguments)
{
    return move_count(d, MOTION_NEXT, arguments);
}

static enum debugger_result run_stepi(struct debugger *d, const char *arguments)
{
    return move_count(d, MOTION_STEP_INSTRUCTION, arguments);
}

static enum debugger_result run_finish(struct debugger *d, const char *arguments)
{
    (void)arguments;
    return move(d, &(struct debug_move){.motion = MOTION_FINISH});
}

static enum debugger_result run_continue(struct debugger *d, const char *arguments)
{
    (void)arguments;
    return move(d, &(struct debug_move){.motion = MOTION_CONTINUE});
}

static enum debugger_result run_until(struct debugger *d, const char *arguments)
{
    struct debug_move m = {.motion = MOTION_UNTIL};
    if (!stop_parse_address(arguments, m.unit, sizeof m.unit, &m.address))
        return refuse(d, "expected [SPACE:]ADDRESS; SPACE: ENGINE, ggtt or ppgtt");
    return move(d, &m);
}

static enum debugger_result go_to(struct debugger *d, struct debug_place place)
{
    char text[48];
    d->shared->reason[0] = 0;
    if (!d->ops->go_to && debug_place_compare(&place, &d->place) <= 0)
        return refuse(d, d->ops->no_past);
    if (!d->ops->go_to && place.instruction && place.command != d->place.command)
        return refuse(d, "a live device stops at commands only: goto the command, then stepi");
    if (!d->ops->go_to)
        return move(d, &(struct debug_move){.motion = MOTION_TO, .to = place});
    if (!d->ops->go_to(d, &place))
        return DEBUGGER_REFUSED;
    if (place.instruction && debug_place_compare(&d->place, &place) > 0)
        fprintf(d->out, "%s is no place: the command has fewer instructions\n",
                debug_place_text(&place, text));
    return debugger_arrive(d, true);
}

/* A draw or dispatch, as softgt draws counts them. */
static enum debugger_result go_to_draw(struct debugger *d, const char *arguments)
{
    uint64_t number;
    const struct debug_place here = d->place;
    d->shared->reason[0] = 0;
    if (!count_of(d, arguments, &number))
        return DEBUGGER_REFUSED;
    if (!d->ops->go_to_draw && number <= d->shared->draws)
        return refuse(d, d->ops->no_past);
    if (!d->ops->go_to_draw)
        return move(d, &(struct debug_move){.motion = MOTION_DRAW, .count = number});
    if (!d->ops->go_to_draw(d, number))
        return refuse(d, "the replay ended unexpectedly");
    if (d->shared->draws >= number)
        return debugger_arrive(d, true);
    fprintf(d->out, "there are only %" PRIu64 " draws and dispatches\n", d->shared->draws);
    d->ops->go_to(d, &here);
    return DEBUGGER_REFUSED;
}

static enum debugger_result run_back(struct debugger *d, const char *arguments)
{
    uint64_t count;
    if (!count_of(d, arguments, &count))
        return DEBUGGER_REFUSED;
    const uint64_t most = d->place.command;
    if (!most && !d->place.instruction)
        return refuse(d, "this is the start");
    count -= d->place.instruction != 0; /* first to the command that this is inside of */
    return go_to(d, (struct debug_place){.command = most > count ? most - count : 0});
}

static enum debugger_result run_backi(struct debugger *d, const char *arguments)
{
    uint64_t count;
    if (!count_of(d, arguments, &count))
        return DEBUGGER_REFUSED;
    if (!d->place.instruction)
        return refuse(d, "this is not inside a thread: 'back' goes back by commands");
    struct debug_place to = d->place;
    to.instruction = to.instruction > count ? to.instruction - count : 0;
    return go_to(d, to);
}

static enum debugger_result run_goto(struct debugger *d, const char *arguments)
{
    struct debug_place to = {0};
    char *end;
    if (strncmp(arguments, "draw ", 5) == 0 || strncmp(arguments, "dispatch ", 9) == 0)
        return go_to_draw(d, strchr(arguments, ' ') + 1);
    arguments += *arguments == '#';
    to.command = strtoull(arguments, &end, 0);
    bool good = isdigit((unsigned char)*arguments);
    if (good && *end == '.') {
        const char *const instruction = end + 1;
        to.instruction = strtoull(instruction, &end, 10);
        good = isdigit((unsigned char)*instruction);
    }
    return good && !*end ? go_to(d, to)
                         : refuse(d, "expected [#]COMMAND[.INSTRUCTION], draw N or dispatch N");
}

static enum debugger_result run_reverse_continue(struct debugger *d, const char *arguments)
{
    (void)arguments;
    if (!d->ops->look_back)
        return refuse(d, d->ops->no_past);
    if (!d->ops->look_back(d, 0))
        return refuse(d, "the replay ended unexpectedly");
    if (!d->shared->noted.found) {
        fputs("no stop before\n", d->out);
        return go_to(d, (struct debug_place){0});
    }
    const struct debug_place place = d->shared->noted.place;
    if (!d->ops->go_to(d, &place))
        return DEBUGGER_REFUSED;
    snprintf(d->shared->reason, sizeof d->shared->reason, "%s", d->shared->noted.reason);
    return debugger_arrive(d, true);
}

/* ---- Stops ---- */

static struct stop *free_stop(struct debugger *d)
{
    for (unsigned n = 0; n < DEBUG_STOPS; n++)
        if (!d->shared->stops[n].number)
            return &d->shared->stops[n];
    return NULL;
}

/* The debuggee parses it with its device: as ".stop" or ".who". */
static struct stop *add_stop(struct debugger *d, const char *how, const char *text)
{
    struct stop *const s = free_stop(d);
    if (!s) {
        fprintf(d->out, "there are %d stops already\n", DEBUG_STOPS);
        return NULL;
    }
    const unsigned number = ++d->shared->stop_count;
    snprintf(d->shared->line, sizeof d->shared->line, "%s %td %u %s", how, s - d->shared->stops, number,
             text);
    const bool good = d->ops->look(d);
    if (good && !is_past_draws(d, s))
        return s;
    if (good)
        fprintf(d->out, "there are only %" PRIu64 " draws and dispatches\n", d->shared->all_draws);
    d->shared->stop_count--;
    s->number = 0;
    return NULL;
}

static enum debugger_result run_break(struct debugger *d, const char *arguments)
{
    if (!*arguments)
        return look(d, "where");
    const struct stop *const s = add_stop(d, ".stop", arguments);
    if (!s)
        return DEBUGGER_REFUSED;
    fprintf(d->out, "stop %u: %s\n", s->number, s->text);
    return DEBUGGER_DONE;
}

static enum debugger_result run_tbreak(struct debugger *d, const char *arguments)
{
    struct stop *const s = add_stop(d, ".stop", arguments);
    if (!s)
        return DEBUGGER_REFUSED;
    s->temporary = true;
    fprintf(d->out, "stop %u, once: %s\n", s->number, s->text);
    return DEBUGGER_DONE;
}

static enum debugger_result run_watch(struct debugger *d, const char *arguments)
{
    char text[DEBUG_LINE];
    snprintf(text, sizeof text, "memory %s", arguments);
    return run_break(d, text);
}

static enum debugger_result run_stops(struct debugger *d, const char *arguments)
{
    unsigned count = 0;
    (void)arguments;
    for (unsigned n = 0; n < DEBUG_STOPS; n++) {
        const struct stop *const s = &d->shared->stops[n];
        if (!s->number)
            continue;
        fprintf(d->out, "%3u  %s%s%s, met %" PRIu64 " time%s\n", s->number, s->text,
                s->disabled ? ", disabled" : "", s->temporary ? ", once" : "", s->hits,
                s->hits == 1 ? "" : "s");
        count++;
    }
    if (!count)
        fputs("no stops\n", d->out);
    return DEBUGGER_DONE;
}

enum change { CHANGE_DELETE, CHANGE_DISABLE, CHANGE_ENABLE };

static enum debugger_result change_stops(struct debugger *d, const char *arguments, enum change change)
{
    uint64_t number = 0;
    bool found = !*arguments;
    if (*arguments && !count_of(d, arguments, &number))
        return DEBUGGER_REFUSED;
    for (unsigned n = 0; n < DEBUG_STOPS; n++) {
        struct stop *const s = &d->shared->stops[n];
        if (!s->number || (number && s->number != number))
            continue;
        found = true;
        if (change == CHANGE_DELETE)
            s->number = 0;
        s->disabled = change == CHANGE_DISABLE;
    }
    return found ? DEBUGGER_DONE : refuse(d, "no stop has this number");
}

static enum debugger_result run_delete(struct debugger *d, const char *arguments)
{
    return change_stops(d, arguments, CHANGE_DELETE);
}

static enum debugger_result run_disable(struct debugger *d, const char *arguments)
{
    return change_stops(d, arguments, CHANGE_DISABLE);
}

static enum debugger_result run_enable(struct debugger *d, const char *arguments)
{
    return change_stops(d, arguments, CHANGE_ENABLE);
}

/* ---- Who ---- */

/* An address, or a register. */
static enum debugger_result run_who(struct debugger *d, const char *arguments)
{
    char text[DEBUG_LINE], unit[16], start[STOP_TEXT];
    uint64_t address;
    if (!d->ops->look_back)
        return refuse(d, d->ops->no_past);
    if (!*arguments)
        return refuse(d, "expected [SPACE:]ADDRESS[,BYTES], [UNIT.]REGISTER, or register OFFSET");
    if (!d->place.command)
        return refuse(d, "nothing has run");
    snprintf(start, sizeof start, "%.*s", (int)strcspn(arguments, ", "), arguments);
    const bool is_kind = strncmp(arguments, "register ", 9) == 0 || strncmp(arguments, "memory ", 7) == 0;
    const bool is_memory = stop_parse_address(start, unit, sizeof unit, &address);
    snprintf(text, sizeof text, "%s%s", is_kind ? "" : is_memory ? "memory " : "register ", arguments);
    struct stop *const s = add_stop(d, ".who", text);
    if (!s)
        return DEBUGGER_REFUSED;
    const struct debug_place here = d->place;
    const bool good = d->ops->look_back(d, s->number);
    const bool found = d->shared->noted.found;
    const struct debug_place place = d->shared->noted.place;
    const bool is_placed = d->shared->noted.is_placed;
    char reason[DEBUG_REASONS];
    const char *const colon = strstr(d->shared->noted.reason, ": ");
    snprintf(reason, sizeof reason, "%s", colon ? colon + 2 : d->shared->noted.reason);
    s->number = 0;
    d->shared->stop_count--;
    if (!good || !d->ops->go_to(d, &here))
        return refuse(d, "the replay ended unexpectedly");
    if (found) {
        fputs(reason, d->out);
        if (!is_placed)
            fprintf(d->out, " (before #%" PRIu64 ")", place.command);
        fputs("\n", d->out);
        return DEBUGGER_DONE;
    }
    snprintf(text, sizeof text, ".nobody %td", s - d->shared->stops);
    return look(d, text);
}

/* ---- Others ---- */

static enum debugger_result run_quit(struct debugger *d, const char *arguments)
{
    (void)d, (void)arguments;
    return DEBUGGER_QUIT;
}

static run_line run_help;

static const struct line_command commands[] = {
    {{"step", "s", "[N]", "to the next command, of any engine"}, run_step, true},
    {{"next", "n", "[N]", "to the next command of this engine, after batches that it starts"},
     run_next,
     true},
    {{"finish", "", "", "to the end of this batch"}, run_finish, true},
    {{"continue", "c", "", "to a stop, or the end"}, run_continue, true},
    {{"until", "u", "[SPACE:]ADDRESS", "to the command there"}, run_until, false},
    {{"stepi", "si", "[N]", "to the next instruction of this thread, or of any"}, run_stepi, true},
    {{"back", "bk", "[N]", "back to the command before"}, run_back, true},
    {{"backi", "bi", "[N]", "back to the instruction before"}, run_backi, true},
    {{"reverse-continue", "rc", "", "back to a stop, or the start"}, run_reverse_continue, true},
    {{"goto", "g", "N | N.INSTRUCTION | draw N", "to the command, instruction or draw, forward or back"},
     run_goto,
     false},
    {{"break", "b", "WHAT", "stop there: help break lists what"}, run_break, false},
    {{"tbreak", "tb", "WHAT", "the same, once"}, run_tbreak, false},
    {{"watch", "", "[SPACE:]ADDRESS[,BYTES]", "stop when memory there is written, or changes"},
     run_watch,
     false},
    {{"stops", "info", "", "the stops"}, run_stops, false},
    {{"delete", "d", "[NUMBER]", "delete a stop, or all"}, run_delete, false},
    {{"disable", "", "[NUMBER]", "stop there no longer"}, run_disable, false},
    {{"enable", "", "[NUMBER]", "stop there again"}, run_enable, false},
    {{"who", "", "ADDRESS | REGISTER", "what wrote there last, up to here"}, run_who, false},
    {{"help", "h", "[NAME]", "what there is"}, run_help, false},
    {{"quit", "q", "", "end"}, run_quit, false},
    {.words = {NULL}},
};

/* Of two commands the one that a word means: by name or alias, else by how its name begins, if no other does.
 */
struct found_command {
    const struct line_words *words;
    const struct line_command *run; /* NULL: the debuggee runs it */
    bool is_whole, is_ambiguous;
};

static void match_command(struct found_command *f, const struct line_words *w, const struct line_command *run,
                          const char *word, size_t length)
{
    const bool is_whole = (strlen(w->name) == length && strncmp(w->name, word, length) == 0) ||
                          (*w->alias && strlen(w->alias) == length && strncmp(w->alias, word, length) == 0);
    if (f->is_whole || (!is_whole && strncmp(w->name, word, length) != 0))
        return;
    f->is_ambiguous = f->words && !is_whole;
    *f = (struct found_command){w, run, is_whole, f->is_ambiguous};
}

static struct found_command find_command(const char *word, size_t length)
{
    struct found_command f = {0};
    for (const struct line_command *c = commands; c->words.name; c++)
        match_command(&f, &c->words, c, word, length);
    for (const struct look_command *c = look_commands; c->words.name; c++)
        match_command(&f, &c->words, NULL, word, length);
    return f.is_ambiguous ? (struct found_command){0} : f;
}

static void print_summary(const struct debugger *d, const struct line_words *w)
{
    char text[80];
    snprintf(text, sizeof text, "%s%s%s%s%s", w->name, *w->alias ? ", " : "", w->alias,
             *w->arguments ? " " : "", w->arguments);
    fprintf(d->out, "  %-34s %s\n", text, w->summary);
}

static enum debugger_result run_help(struct debugger *d, const char *arguments)
{
    if (*arguments) {
        const struct line_words *const w = find_command(arguments, strlen(arguments)).words;
        if (!w)
            return refuse(d, "no such command");
        print_summary(d, w);
        for (unsigned n = 0; n < STOP_KINDS && strcmp(w->name, "break") == 0; n++)
            fprintf(d->out, "    %-12s %s\n", stop_kinds[n].word, stop_kinds[n].summary);
        print_help_page(d->out, w->name);
        return DEBUGGER_DONE;
    }
    for (const struct line_command *c = commands; c->words.name; c++)
        print_summary(d, &c->words);
    for (const struct look_command *c = look_commands; c->words.name; c++)
        print_summary(d, &c->words);
    fputs("  help NAME has the forms of a command, and an example\n", d->out);
    return DEBUGGER_DONE;
}

enum debugger_result debugger_line(struct debugger *d, const char *line)
{
    char text[DEBUG_LINE], line_of_debuggee[DEBUG_LINE];
    line += strspn(line, " \t");
    const size_t whole = strlen(line);
    if (*line == '#')
        return DEBUGGER_DONE;
    if (whole >= sizeof text - 32)
        return refuse(d, "the line is too long");
    snprintf(text, sizeof text, "%s", *line ? line : d->last_line);
    for (size_t n = strlen(text); n && strchr(" \t\r\n", text[n - 1]); n--)
        text[n - 1] = 0;
    const size_t word = strcspn(text, " \t/");
    if (!word)
        return DEBUGGER_DONE;
    const struct found_command found = find_command(text, word);
    const struct line_command *const c = found.run;
    snprintf(d->last_line, sizeof d->last_line, "%s", !c || c->repeats ? text : "");
    if (c)
        return c->run(d, text + word + strspn(text + word, " \t"));
    snprintf(line_of_debuggee, sizeof line_of_debuggee, "%s%s", found.words ? found.words->name : "",
             text + (found.words ? word : 0));
    return look(d, line_of_debuggee);
}

/* Adds the name, if it begins as the line; its length. */
static size_t complete_name(struct debugger *d, size_t at, const char *name, const char *line)
{
    return strncmp(name, line, strlen(line)) == 0
               ? (size_t)snprintf(d->shared->completions + at, DEBUG_COMPLETIONS - at, "%s\n", name)
               : 0;
}

const char *debugger_complete(struct debugger *d, const char *line)
{
    const char *const space = strrchr(line, ' ');
    snprintf(d->shared->line, sizeof d->shared->line, "%s", line);
    d->shared->completions[0] = 0;
    if (space)
        return d->ops->complete(d) ? d->shared->completions : "";
    size_t at = 0;
    for (const struct line_command *c = commands; c->words.name; c++)
        at += complete_name(d, at, c->words.name, line);
    for (const struct look_command *c = look_commands; c->words.name; c++)
        at += complete_name(d, at, c->words.name, line);
    return d->shared->completions;
}

void debugger_where(struct debugger *d)
{
    debugger_arrive(d, true);
}
