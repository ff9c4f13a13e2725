#include "fail_on.h"

#include "tool.h"

const char *const fail_on_names[FAIL_EVENTS] = {
    [FAIL_UNSUPPORTED] = "unsupported", [FAIL_UNKNOWN] = "unknown", [FAIL_HUNG] = "hung",
    [FAIL_FAULTS] = "faults",           [FAIL_BOUNDS] = "bounds",   [FAIL_ERRORS] = "errors",
    [FAIL_HAZARDS] = "hazards",         [FAIL_REFUSED] = "refused", [FAIL_TROUBLE] = "trouble",
    [FAIL_UNUSED] = "unused",
};
enum { FAIL_LIST = 160, FAIL_USED = 1u << FAIL_EVENTS };

/* ---- The option ---- */

static const char *list_words(unsigned words, const char *end, char text[FAIL_LIST])
{
    *text = 0;
    for (unsigned i = 0; i < FAIL_EVENTS; i++)
        if (words >> i & 1u) {
            strncat(text, *text ? ", " : "", FAIL_LIST - strlen(text) - 1);
            strncat(text, fail_on_names[i], FAIL_LIST - strlen(text) - 1);
        }
    strncat(text, end, FAIL_LIST - strlen(text) - 1);
    return text;
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
    list_words(f->words, " or all", all);
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

void fail_on_report(struct fail_on *f, const struct softgt_report *report)
{
    f->happened |= report->complaint == SOFTGT_NOT_MODELLED    ? FAIL_BIT(UNSUPPORTED)
                   : report->complaint == SOFTGT_HOST_FAILURE  ? FAIL_BIT(TROUBLE)
                   : report->mistake == SOFTGT_MISTAKE_FAULT   ? FAIL_BIT(FAULTS)
                   : report->mistake == SOFTGT_MISTAKE_UNKNOWN ? FAIL_BIT(UNKNOWN) | FAIL_BIT(ERRORS)
                                                               : FAIL_BIT(ERRORS);
}

void fail_on_engine(struct fail_on *f, const struct softgt_engine_status *s)
{
    f->happened |= (s->unknown ? FAIL_BIT(UNKNOWN) | FAIL_BIT(ERRORS) : 0) |
                   (s->faults ? FAIL_BIT(FAULTS) : 0) |
                   (s->too_short || s->dropped || s->misplaced ? FAIL_BIT(ERRORS) : 0) |
                   (s->out_of_bounds ? FAIL_BIT(BOUNDS) : 0) | (s->commands ? FAIL_USED : 0);
}

static void on_command(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    struct fail_on *const f = user;
    (void)name;
    if (count && model == SOFTGT_COMMAND_COUNTED)
        f->happened |= FAIL_BIT(UNSUPPORTED);
}

void fail_on_commands(struct fail_on *f, struct softgt *device)
{
    struct softgt_engine_status s;
    for (unsigned i = 0; softgt_engine_status(device, i, &s); i++)
        softgt_engine_commands(device, i, f, on_command);
}

void fail_on_device(struct fail_on *f, struct softgt *device)
{
    struct softgt_engine_status s;
    fail_on_commands(f, device);
    for (unsigned i = 0; softgt_engine_status(device, i, &s); i++) {
        fail_on_engine(f, &s);
        if (s.state != SOFTGT_ENGINE_IDLE)
            f->happened |= FAIL_BIT(HUNG);
    }
}

void fail_on_end(struct fail_on *f)
{
    if (!(f->happened & FAIL_USED))
        f->happened |= FAIL_BIT(UNUSED);
}

/* ---- The end ---- */

int fail_on_status(const struct fail_on *f, const char *file, int status)
{
    const unsigned failed = f->wanted & f->happened;
    char words[FAIL_LIST];
    if (status || !failed)
        return status;
    if (!f->quiet)
        tool_error(file, "--fail-on: %s", list_words(failed, " happened", words));
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
