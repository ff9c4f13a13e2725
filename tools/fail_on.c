#include "fail_on.h"

#include "tool.h"

#include "device/host.h"
#include "host/engine_report.h"

const char *const fail_on_names[FAIL_EVENTS] = {
    [FAIL_UNSUPPORTED] = "unsupported", [FAIL_UNKNOWN] = "unknown", [FAIL_HUNG] = "hung",
    [FAIL_FAULTS] = "faults",           [FAIL_BOUNDS] = "bounds",   [FAIL_ERRORS] = "errors",
    [FAIL_HAZARDS] = "hazards",         [FAIL_REFUSED] = "refused", [FAIL_TROUBLE] = "trouble",
    [FAIL_UNUSED] = "unused",
};
enum { FAIL_LIST = 160, FAIL_USED = 1u << FAIL_EVENTS };

/* ---- The option ---- */

static void list_words(unsigned words, char text[FAIL_LIST])
{
    *text = 0;
    for (unsigned i = 0; i < FAIL_EVENTS; i++)
        if (words >> i & 1u) {
            strncat(text, *text ? ", " : "", FAIL_LIST - strlen(text) - 1);
            strncat(text, fail_on_names[i], FAIL_LIST - strlen(text) - 1);
        }
    strncat(text, " or all", FAIL_LIST - strlen(text) - 1);
}

static unsigned word_bits(const struct fail_on *f, const char *word)
{
    if (strcmp(word, "all") == 0)
        return f->words;
    for (unsigned i = 0; i < FAIL_EVENTS; i++)
        if (strcmp(fail_on_names[i], word) == 0)
            return f->words & 1u << i;
    return 0;
}

void fail_on_parse(struct fail_on *f, char *list, struct argp_state *state)
{
    char all[FAIL_LIST], *rest = NULL;
    unsigned wanted = 0;
    list_words(f->words, all);
    for (const char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const unsigned bits = word_bits(f, word);
        if (!bits)
            argp_error(state, "--fail-on: '%s' is none of %s", word, all);
        wanted |= bits;
    }
    if (!wanted)
        argp_error(state, "--fail-on names nothing of %s", all);
    f->wanted |= wanted;
}

/* ---- What happens ---- */

void fail_on_reset(struct fail_on *f)
{
    f->happened = 0;
    memset(f->first, 0, sizeof f->first);
}

void fail_on_note(struct fail_on *f, enum fail_event event, const char *text)
{
    f->happened |= 1u << event;
    if (text && !*f->first[event])
        snprintf(f->first[event], FAIL_TEXT, "%s", text);
}

void fail_on_report(struct fail_on *f, const struct softgt_report *report)
{
    const enum fail_event event = report->complaint == SOFTGT_NOT_MODELLED    ? FAIL_UNSUPPORTED
                                  : report->complaint == SOFTGT_HOST_FAILURE  ? FAIL_TROUBLE
                                  : report->mistake == SOFTGT_MISTAKE_FAULT   ? FAIL_FAULTS
                                  : report->mistake == SOFTGT_MISTAKE_UNKNOWN ? FAIL_UNKNOWN
                                                                              : FAIL_ERRORS;
    char text[FAIL_TEXT] = "";
    if (report->text)
        snprintf(text, sizeof text, "%s: %s", report->unit, report->text);
    fail_on_note(f, event, text);
    if (event == FAIL_UNKNOWN)
        fail_on_note(f, FAIL_ERRORS, text);
}

void fail_on_engine(struct fail_on *f, const struct softgt_engine_status *s)
{
    const struct {
        enum fail_event event;
        uint64_t count;
        const char *what;
    } counts[] = {
        {FAIL_UNKNOWN, s->unknown, "unknown commands"},
        {FAIL_ERRORS, s->unknown, "unknown commands"},
        {FAIL_FAULTS, s->faults, "page faults"},
        {FAIL_ERRORS, s->too_short, "commands too short"},
        {FAIL_ERRORS, s->dropped, "privileged commands dropped"},
        {FAIL_ERRORS, s->misplaced, "commands of another engine"},
        {FAIL_BOUNDS, s->out_of_bounds, "elements out of bounds"},
    };
    char text[FAIL_TEXT];
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        snprintf(text, sizeof text, "%s: %s %s", s->name, tool_number(counts[i].count), counts[i].what);
        if (counts[i].count)
            fail_on_note(f, counts[i].event, text);
    }
    f->happened |= s->commands ? FAIL_USED : 0;
}

static void on_counted(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    char text[FAIL_TEXT];
    if (!count || model != SOFTGT_COMMAND_COUNTED)
        return;
    snprintf(text, sizeof text, "%s is only counted", name);
    fail_on_note(user, FAIL_UNSUPPORTED, text);
}

void fail_on_commands(struct fail_on *f, struct softgt *device)
{
    struct softgt_engine_status s;
    for (unsigned i = 0; softgt_engine_get_status(device, i, &s); i++)
        device_engine_all_commands(device, i, f, on_counted);
}

void fail_on_device(struct fail_on *f, struct softgt *device)
{
    struct softgt_engine_status s;
    char text[FAIL_TEXT];
    fail_on_commands(f, device);
    for (unsigned i = 0; device_engine_full_status(device, i, &s); i++) {
        fail_on_engine(f, &s);
        snprintf(text, sizeof text, "%s is %s%s%s", s.name, softgt_engine_state_name(s.state),
                 *s.why ? ": " : "", s.why);
        if (s.state != SOFTGT_ENGINE_IDLE)
            fail_on_note(f, FAIL_HUNG, text);
    }
}

void fail_on_end(struct fail_on *f)
{
    if (!(f->happened & FAIL_USED))
        f->happened |= FAIL_BIT(UNUSED);
}

/* ---- The report of softgt exec ---- */

/* The text of the first line of that kind; "": none. */
static const char *first_line(struct json_object *lines, const char *kind)
{
    for (size_t i = 0; lines && i < json_object_array_length(lines); i++) {
        struct json_object *const line = json_object_array_get_idx(lines, i);
        if (strcmp(json_object_get_string(json_object_object_get(line, "kind")), kind) == 0)
            return json_object_get_string(json_object_object_get(line, "text"));
    }
    return "";
}

void fail_on_exec(struct fail_on *f, const char *report, const char *program)
{
    struct json_object *const o = json_object_from_file(report), *const words =
                                                                     json_object_object_get(o, "failed_on");
    for (size_t i = 0; words && i < json_object_array_length(words); i++)
        for (unsigned event = 0; event < FAIL_EVENTS; event++) {
            const char *const word = json_object_get_string(json_object_array_get_idx(words, i));
            const char *const line = first_line(json_object_object_get(o, "lines"), word);
            char text[FAIL_TEXT];
            snprintf(text, sizeof text, "%s%s%s", program, *line ? ": " : "", line);
            if (strcmp(word, fail_on_names[event]) == 0)
                fail_on_note(f, (enum fail_event)event, text);
        }
    json_object_put(o);
}

/* ---- The end ---- */

int fail_on_status(const struct fail_on *f, const char *file, int status)
{
    const unsigned failed = f->wanted & f->happened;
    char words[FAIL_EVENTS * (FAIL_TEXT + 20)] = "";
    size_t at = 0;
    if (status || !failed)
        return status;
    for (unsigned i = 0; i < FAIL_EVENTS; i++)
        if (failed >> i & 1u)
            at += (size_t)snprintf(words + at, sizeof words - at, "%s%s%s%s%s", at ? ", " : "",
                                   fail_on_names[i], *f->first[i] ? " (" : "", f->first[i],
                                   *f->first[i] ? ")" : "");
    if (!f->quiet)
        tool_error(file, "--fail-on: %s", words);
    return TOOL_FAILED_ON;
}

struct json_object *fail_on_json(const struct fail_on *f)
{
    struct json_object *const list = json_array();
    for (unsigned i = 0; i < FAIL_EVENTS; i++)
        if (f->wanted & f->happened & 1u << i)
            json_append(list, json_string(fail_on_names[i]));
    return list;
}
