/* softgt run --error: replays an error state, and says how the end differs from the file. */
#include "run.h"

#include "hang_file.h"

#include "hang/replay.h"

static const char *const end_texts[] = {
    [HANG_REACHED] = "reached the command where it stood",
    [HANG_WAITS] = "waits elsewhere",
    [HANG_STOPPED] = "stopped elsewhere",
    [HANG_IDLE] = "did all that the file has, and did not come to the command where it stood",
    [HANG_BUDGET] = "used up the budget before it came to the command where it stood",
    [HANG_INTERRUPTED] = "was interrupted",
};

static const char *const end_names[] = {
    [HANG_REACHED] = "reached", [HANG_WAITS] = "waits",   [HANG_STOPPED] = "stopped",
    [HANG_IDLE] = "idle",       [HANG_BUDGET] = "budget", [HANG_INTERRUPTED] = "interrupted",
};

static unsigned long long hang_number(uint64_t value)
{
    return value;
}

static void print_result(const char *engine, const struct error_state *s, const struct hang_result *r)
{
    printf("  %s, from the %s at %#llx: %s, after %s dwords\n", engine, r->from_ring ? "ring" : "batch",
           hang_number(r->start), end_texts[r->end], tool_number(r->done_dw));
    if (r->used_missing)
        printf(
            "  memory that the file does not have was used first by the command at %#llx: it reads as zero\n",
            hang_number(r->missing_acthd));
    if (r->left_out)
        printf("  %u of %u buffers were left out: they share pages with others, or are beyond the address "
               "space\n",
               r->left_out, s->buffer_count);
    printf("  registers: %u of %u differ\n", r->difference_count, r->compared);
    for (unsigned i = 0; i < r->difference_count; i++)
        printf("    %-24s file %#llx, here %#llx\n", r->differences[i].name,
               hang_number(r->differences[i].in_file), hang_number(r->differences[i].here));
    for (unsigned i = 0; i < r->change_count; i++)
        printf("  memory: %s of buffer '%s' differ, first at %#llx: file %#x, here %#x\n",
               tool_number(r->changes[i].count_dw), r->changes[i].buffer->name,
               hang_number(r->changes[i].first_address), r->changes[i].in_file, r->changes[i].here);
}

static struct json_object *result_json(const char *engine, const struct hang_result *r)
{
    struct json_object *const o = json_empty(), *const registers = json_array(), *const memory = json_array();
    json_add(o, "engine", json_text(engine));
    json_add(o, "from", json_string(r->from_ring ? "ring" : "batch"));
    json_add(o, "start", json_hex(r->start));
    json_add(o, "end", json_string(end_names[r->end]));
    json_add(o, "dwords", json_uint64(r->done_dw));
    json_add(o, "used_missing_memory", json_boolean(r->used_missing));
    json_add(o, "missing_at", r->used_missing ? json_hex(r->missing_acthd) : NULL);
    json_add(o, "left_out", json_uint64(r->left_out));
    json_add(o, "compared", json_uint64(r->compared));
    for (unsigned i = 0; i < r->difference_count; i++) {
        struct json_object *const d = json_empty();
        json_add(d, "name", json_text(r->differences[i].name));
        json_add(d, "file", json_hex(r->differences[i].in_file));
        json_add(d, "here", json_hex(r->differences[i].here));
        json_append(registers, d);
    }
    for (unsigned i = 0; i < r->change_count; i++) {
        struct json_object *const c = json_empty();
        json_add(c, "name", json_text(r->changes[i].buffer->name));
        json_add(c, "dwords", json_uint64(r->changes[i].count_dw));
        json_add(c, "address", json_hex(r->changes[i].first_address));
        json_add(c, "file", json_uint64(r->changes[i].in_file));
        json_add(c, "here", json_uint64(r->changes[i].here));
        json_append(memory, c);
    }
    json_add(o, "registers", registers);
    json_add(o, "memory", memory);
    return o;
}

/* The first engine that hung; ERROR_ENGINES: none did. */
static unsigned hung_engine(const struct error_state *s)
{
    for (unsigned i = 0; i < s->engine_count; i++)
        if (s->engines[i].hung)
            return i;
    return ERROR_ENGINES;
}

static int replay_engine(struct run *run, struct hang_options *o)
{
    struct hang_result *const result = calloc(1, sizeof *result);
    const char *const engine = o->state->engines[o->engine].name;
    if (!result)
        tool_no_memory();
    int status = TOOL_UNUSABLE;
    if (hang_replay(o, result)) {
        json_add(run->report, "error_state", result_json(engine, result));
        if (!run->options.json)
            print_result(engine, o->state, result);
        status = result->end == HANG_REACHED && !result->difference_count && !result->change_count
                     ? TOOL_CLEAN
                     : TOOL_FAILED;
    } else if (result->unusable) {
        tool_error(run->file, "%s: %s", engine, result->unusable);
    } else {
        tool_no_memory();
    }
    free(result);
    return status;
}

int run_hang(struct run *run, struct hang_options *o)
{
    struct error_state *const state = calloc(1, sizeof *state);
    int status = TOOL_UNUSABLE;
    if (!state)
        tool_no_memory();
    if (hang_read(run->file, run->options.memory_limit, state) &&
        (o->sheet = hang_sheet(run->file, state, run->options.device, false))) {
        o->state = state;
        o->engine = hung_engine(state);
        if (o->engine == ERROR_ENGINES)
            tool_error(run->file, "no engine hung");
        else
            status = replay_engine(run, o);
    }
    if (state->problem_count)
        status = TOOL_UNUSABLE;
    error_state_free(state);
    free(state);
    return status;
}
