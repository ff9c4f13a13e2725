/* softgt eu: runs a kernel without driver and commands. */
#include "events.h"
#include "fail_on.h"

#include "host/files.h"
#include "host/output.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

enum { BUFFERS = 64, MOST_WORDS = 127 * 8 };
#define MOST_BUFFER_BYTES (UINT64_C(1) << 30)
#define FIRST_ADDRESS     (UINT64_C(1) << 32)
#define BUDGET            UINT64_C(1000000000)

struct buffer {
    bool is;
    const char *file; /* NULL: zeros */
    const char *output;
    uint64_t address, size_bytes;
    uint8_t *bytes;
};

/* Dwords of a payload. Addresses of buffers are filled in later. */
struct words {
    const char *text; /* or a file's name */
    uint32_t *dw;
    size_t count;
};

struct arguments {
    const char *kernel_file, *device;
    struct softgt_eu_launch_config launch;
    struct buffer buffers[BUFFERS];
    struct words data, own, r0;
    struct eu_trace trace;
    uint64_t budget, stop_at;
    unsigned host_threads;
    bool no_translation;
    struct softgt_code_port code;
    bool json, registers, has_eu_trace, has_eu_limit, stops;
    struct fail_on fail_on;
};

/* ---- Arguments ---- */

/* Parses a number of at most `most`; *end is the rest of the text. */
static bool number(const char *text, uint64_t most, uint64_t *value, const char **end)
{
    char *behind;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &behind, 0);
    *end = behind;
    return errno == 0 && *value <= most;
}

/* "X[,Y[,Z]]" */
static void parse_three(struct argp_state *state, const char *option, const char *text, uint32_t *to)
{
    uint64_t value = 0;
    const char *end = text;
    for (unsigned i = 0; i < 3; i++) {
        if (!number(end, UINT32_MAX, &value, &end) || !value || (*end && *end != ','))
            break;
        to[i] = (uint32_t)value;
        if (!*end++)
            return;
    }
    argp_error(state, "--%s: '%s' is not X[,Y[,Z]], numbers from 1 on", option, text);
}

/* Parses "INDEX=FILE" or "INDEX=BYTES", with an optional "@ADDRESS". */
static void parse_buffer(struct argp_state *state, struct arguments *a, char *text)
{
    uint64_t index = 0;
    const char *end = text;
    if (!number(text, BUFFERS - 1, &index, &end) || *end != '=' || !end[1])
        argp_error(state, "--buffer: '%s' is not INDEX=FILE or INDEX=BYTES, with INDEX below %u", text,
                   BUFFERS);
    struct buffer *const b = &a->buffers[index];
    char *const what = text + (end + 1 - text), *const address = strrchr(what, '@');
    if (b->is)
        argp_error(state, "--buffer: %u is given twice", (unsigned)index);
    *b = (struct buffer){.is = true, .output = b->output, .address = FIRST_ADDRESS * (index + 1u)};
    if (address) {
        if (!number(address + 1, UINT64_MAX, &b->address, &end) || *end || b->address % 4096u)
            argp_error(state, "--buffer: '%s' is no multiple of 4096", address + 1);
        *address = '\0';
    }
    if (!number(what, MOST_BUFFER_BYTES, &b->size_bytes, &end) || *end || !b->size_bytes)
        b->file = what;
}

static void parse_output(struct argp_state *state, struct arguments *a, char *text)
{
    uint64_t index = 0;
    const char *end = text;
    if (!number(text, BUFFERS - 1, &index, &end) || *end != '=' || !end[1])
        argp_error(state, "--output: '%s' is not INDEX=FILE", text);
    a->buffers[index].output = end + 1;
}

static bool is_list(const char *text)
{
    return *text == '-' || *text == '+' || (*text >= '0' && *text <= '9') ||
           (*text == 'b' && text[1] >= '0' && text[1] <= '9');
}

/* Parses a word: a number, a float, or a buffer's address, which is two dwords. */
static bool accept_word(const struct arguments *a, const char *text, struct words *w)
{
    uint64_t value = 0;
    const char *end = text;
    char *behind;
    if (*text == 'b') {
        if (!number(text + 1, BUFFERS - 1, &value, &end) || *end || !a->buffers[value].is)
            return false;
        w->dw[w->count++] = (uint32_t)a->buffers[value].address;
        w->dw[w->count++] = (uint32_t)(a->buffers[value].address >> 32);
        return true;
    }
    if (strpbrk(text, ".") || strcmp(text, "inf") == 0 || strcmp(text, "nan") == 0) {
        const float f = strtof(text, &behind);
        memcpy(&w->dw[w->count++], &f, sizeof f);
        return *text && !*behind;
    }
    errno = 0;
    const long long n = strtoll(text, &behind, 0);
    w->dw[w->count++] = (uint32_t)n;
    return *text && !*behind && errno == 0 && n >= INT32_MIN && n <= UINT32_MAX;
}

/* Fills up to whole registers. False after a message. */
static bool parse_words(const struct arguments *a, const char *option, struct words *w)
{
    if (!w->text)
        return true;
    if (!is_list(w->text)) {
        size_t size;
        uint8_t *const bytes = tool_read(w->text, SOFTGT_EU_THREADS * 4096, &size);
        w->dw = bytes ? calloc(1, (size + 31) / 32 * 32 + 32) : NULL;
        if (w->dw)
            memcpy(w->dw, bytes, size);
        free(bytes);
        w->count = (size + 31) / 32 * 8;
        return w->dw != NULL;
    }
    char *const copy = strdup(w->text), *rest = copy;
    w->dw = calloc(MOST_WORDS + 16, sizeof *w->dw);
    if (!copy || !w->dw)
        tool_no_memory();
    bool good = true;
    for (char *word; good && (word = strsep(&rest, ","));) {
        good = w->count < MOST_WORDS && accept_word(a, word, w);
        if (!good)
            tool_error(NULL, "--%s: '%s' is no dword, no float and no buffer (b0), or one too many", option,
                       word);
    }
    w->count = (w->count + 7) / 8 * 8;
    free(copy);
    return good;
}

/* ---- Output ---- */

static void show_instruction(void *user, const struct softgt_eu_thread *thread)
{
    static const struct position_tracker nothing;
    const struct arguments *const a = user;
    if (a->json)
        json_print(instruction_json(&nothing, thread));
    else if (!eu_trace_print(stdout, thread))
        tool_no_memory();
}

static void show_limit(void *user, uint64_t limit)
{
    const struct arguments *const a = user;
    if (a->json)
        json_print(instruction_limit_json(limit));
    else
        eu_trace_print_limit(stdout, limit);
}

static const char *const result_names[] = {
    [SOFTGT_EU_FINISHED] = "finished", [SOFTGT_EU_UNFINISHED] = "out of budget",
    [SOFTGT_EU_HELD] = "stopped",      [SOFTGT_EU_EXCEPTION] = "exception",
    [SOFTGT_EU_FAULT] = "page fault",  [SOFTGT_EU_DEADLOCK] = "deadlock",
};

/* Prints all registers that are not zero. */
static void show_registers(const struct softgt_eu_thread *thread, struct json_object *to)
{
    for (unsigned file = 0; file < SOFTGT_EU_FILES; file++) {
        const size_t step = softgt_eu_register_bytes((enum softgt_eu_file)file),
                     bytes = softgt_eu_file_bytes(thread, (enum softgt_eu_file)file);
        for (size_t at = 0; at < bytes; at += step) {
            static const uint8_t zeros[128];
            uint8_t value[sizeof zeros];
            char text[EU_VALUES_TEXT], name[16];
            softgt_eu_thread_read(thread, (enum softgt_eu_file)file, at, value, step);
            if (memcmp(value, zeros, step) == 0)
                continue;
            eu_trace_values((enum softgt_eu_file)file, value, step, text);
            snprintf(name, sizeof name, bytes > step ? "%s%zu" : "%s",
                     softgt_eu_file_name((enum softgt_eu_file)file), at / step);
            if (to)
                json_add(to, name, json_string(text));
            else
                printf("  %-6s %s\n", name, text);
        }
    }
}

static void eu_report(struct arguments *a, struct softgt_eu *eu, const struct softgt_eu_outcome *o)
{
    struct softgt_eu_thread *const thread = softgt_eu_get_thread(eu, o->thread);
    char text[240] = "";
    const bool stands = o->result != SOFTGT_EU_FINISHED && thread;
    if (stands && softgt_eu_thread_disassemble(thread, text, sizeof text) == SIZE_MAX)
        tool_no_memory();
    const char *line = text + strspn(text, " ");
    if (a->json) {
        struct json_object *const r = json_report("softgt.eu"), *const group = json_array();
        json_add(r, "file", json_text(a->kernel_file));
        json_add(r, "device", json_string(a->device));
        json_add(r, "result", json_string(result_names[o->result]));
        json_add(r, "groups", json_uint64(o->groups));
        json_add(r, "threads", json_uint64(o->threads));
        json_add(r, "instructions", json_uint64(o->instructions));
        json_add(r, "out_of_bounds", json_uint64(o->out_of_bounds));
        json_add(r, "failed_on", fail_on_json(&a->fail_on));
        if (stands) {
            for (unsigned i = 0; i < 3; i++)
                json_append(group, json_uint64(o->group[i]));
            json_add(r, "group", group);
            json_add(r, "thread", json_uint64(o->thread));
            json_add(r, "ip", json_uint64(o->ip));
            json_add(r, "text", json_text(line));
        } else {
            json_object_put(group);
        }
        if (o->why)
            json_add(r, "why", json_string(o->why));
        if (o->result == SOFTGT_EU_FAULT) {
            json_add(r, "address", json_hex(o->address));
            json_add(r, "write", json_boolean(o->is_write));
        }
        if (a->registers && thread) {
            struct json_object *const registers = json_empty();
            show_registers(thread, registers);
            json_add(r, "registers", registers);
        }
        json_print(r);
        return;
    }
    printf("%s: %s: %s group%s, %s thread%s, %s instruction%s\n", a->kernel_file, result_names[o->result],
           tool_number(o->groups), o->groups == 1 ? "" : "s", tool_number(o->threads),
           o->threads == 1 ? "" : "s", tool_number(o->instructions), o->instructions == 1 ? "" : "s");
    if (o->out_of_bounds)
        printf(
            "  %s element%s out of bounds: read as zero, not written; a surface without --buffer has none\n",
            tool_number(o->out_of_bounds), o->out_of_bounds == 1 ? "" : "s");
    if (stands)
        printf("  thread %u of group %u, %u, %u, at %04" PRIx64 ": %s\n", o->thread, o->group[0], o->group[1],
               o->group[2], o->ip, *line ? line : "no instruction");
    if (o->why)
        printf("  %s", o->why);
    if (o->result == SOFTGT_EU_FAULT)
        printf(": %s of %012" PRIx64, o->is_write ? "write" : "read", o->address);
    if (o->why)
        putchar('\n');
    if (a->registers && thread)
        show_registers(thread, NULL);
}

/* ---- The run ---- */

static bool fill_buffers(struct arguments *a, struct softgt_eu *eu)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        struct buffer *const b = &a->buffers[i];
        if (!b->is)
            continue;
        if (b->file) {
            size_t size;
            b->bytes = tool_read(b->file, MOST_BUFFER_BYTES, &size);
            b->size_bytes = size;
            if (b->bytes && !size)
                tool_error(b->file, "the file is empty");
        } else if (!(b->bytes = calloc(1, b->size_bytes))) {
            tool_no_memory();
        }
        if (!b->bytes || !b->size_bytes)
            return false;
        const int error = softgt_eu_map(eu, b->address, b->bytes, b->size_bytes, true);
        if (error == -ENOMEM || softgt_eu_set_surface(eu, i, b->address, b->size_bytes) == -ENOMEM)
            tool_no_memory();
        if (error != 0) {
            tool_error(NULL, "--buffer: %u overlaps another buffer, or ends beyond %" PRIx64, i,
                       softgt_eu_address_end(eu));
            return false;
        }
    }
    return true;
}

static bool write_outputs(const struct arguments *a)
{
    bool good = true;
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct buffer *const b = &a->buffers[i];
        struct output file;
        if (!b->output)
            continue;
        bool written = output_open(&file, b->output);
        if (written && fwrite(b->bytes, 1, b->size_bytes, file.file) != b->size_bytes) {
            const int error = errno;
            output_drop(&file);
            errno = error;
            written = false;
        } else if (written) {
            written = output_close(&file);
        }
        if (!written)
            tool_error(b->output, "cannot be written (--output): %s", files_error(errno));
        good &= written;
    }
    return good;
}

static bool load_kernel(const struct arguments *a, struct softgt_eu *eu)
{
    enum { MOST_BYTES = 16 << 20 };
    size_t size;
    uint8_t *const kernel = tool_read(a->kernel_file, MOST_BYTES, &size);
    if (kernel && !size)
        tool_error(a->kernel_file, "the file is empty");
    const int error = kernel && size ? softgt_eu_set_kernel(eu, kernel, size) : -EINVAL;
    if (error == -ENOMEM)
        tool_no_memory();
    free(kernel);
    return error == 0;
}

static bool fits(struct softgt_eu *eu, const struct softgt_eu_launch_config *launch)
{
    return softgt_eu_launch(eu, launch) == 0;
}

/* The channels that a thread of the device may have: "16 or 32". */
static void list_channels(struct softgt_eu *eu, char *text, size_t size)
{
    size_t length = 0;
    *text = '\0';
    for (uint32_t channels = 8; channels <= 32 && length < size; channels *= 2)
        if (fits(eu, &(struct softgt_eu_launch_config){.channels = channels}))
            length += (size_t)snprintf(text + length, size - length, "%s%u",
                                       !length          ? ""
                                       : channels == 32 ? " or "
                                                        : ", ",
                                       channels);
}

/* Why a launch is refused: the value, and what was expected. Each value is tried alone. */
static void explain_refusal(const struct arguments *a, struct softgt_eu *eu, char *text, size_t size)
{
    enum { SMALL_SHARED_BYTES = 64 << 10, MOST_LOCAL = 1024 };
    const struct softgt_eu_launch_config *const l = &a->launch;
    uint64_t local = 1, sizes[3];
    for (unsigned i = 0; i < 3; i++) {
        sizes[i] = l->local_size[i] ? l->local_size[i] : 1;
        local = local <= MOST_LOCAL ? local * sizes[i] : local;
    }
    if (!fits(eu, &(struct softgt_eu_launch_config){.channels = 16, .large_registers = l->large_registers})) {
        snprintf(text, size, "--large needs Gen12.5 or later");
    } else if (!fits(eu, &(struct softgt_eu_launch_config){.channels = l->channels})) {
        char channels[32];
        list_channels(eu, channels, sizeof channels);
        snprintf(text, size, "--simd is %u, expected %s", l->channels, channels);
    } else if (!fits(eu, &(struct softgt_eu_launch_config){.ip = l->ip})) {
        snprintf(text, size, "--ip is %#llx, expected a multiple of 8 within the kernel",
                 (unsigned long long)l->ip);
    } else if (!fits(eu, &(struct softgt_eu_launch_config){.shared_bytes = l->shared_bytes})) {
        snprintf(text, size, "--shared is %u, expected up to %u", l->shared_bytes, SMALL_SHARED_BYTES);
    } else if (local > MOST_LOCAL) {
        snprintf(text, size, "--local is %u,%u,%u, expected up to %u channels in all", (unsigned)sizes[0],
                 (unsigned)sizes[1], (unsigned)sizes[2], MOST_LOCAL);
    } else if (l->payload == SOFTGT_EU_LOCAL_IDS && l->data_bytes > 256) {
        snprintf(text, size, "--data has more than 256 bytes, with --local");
    } else {
        snprintf(text, size,
                 "--data has %zu bytes and --own %zu a thread, expected whole registers, up to 127 together",
                 l->data_bytes, l->own_bytes);
    }
}

static bool launch(struct arguments *a, struct softgt_eu *eu)
{
    struct softgt_eu_launch_config *const l = &a->launch;
    const uint32_t threads = l->threads ? l->threads : 1;
    if (!parse_words(a, "data", &a->data) || !parse_words(a, "own", &a->own) ||
        !parse_words(a, "header", &a->r0))
        return false;
    if (a->r0.count > sizeof l->r0 / sizeof l->r0[0]) {
        tool_error(NULL, "--header: r0 has 8 dwords");
        return false;
    }
    for (size_t i = 0; i < a->r0.count; i++)
        l->r0[i] = a->r0.dw[i];
    l->data = a->data.dw;
    l->data_bytes = a->data.count * 4u;
    l->own_data = a->own.dw;
    l->own_bytes = a->own.count * 4u / threads;
    if (a->own.count * 4u % (32u * threads)) {
        tool_error(NULL, "--own: takes the registers of all threads, thread after thread");
        return false;
    }
    if (a->own.count && l->payload == SOFTGT_EU_LOCAL_IDS) {
        tool_error(NULL, "--own does not go with --local");
        return false;
    }
    if (softgt_eu_launch(eu, l) == 0)
        return true;
    char why[160];
    explain_refusal(a, eu, why, sizeof why);
    tool_error(NULL, "there is no such launch on %s: %s", a->device, why);
    return false;
}

static void on_eu_report(void *user, const struct softgt_report *report)
{
    struct arguments *const a = user;
    fail_on_report(&a->fail_on, report);
}

static void note_outcome(struct fail_on *f, const struct softgt_eu_outcome *o)
{
    static const unsigned bits[] = {
        [SOFTGT_EU_UNFINISHED] = FAIL_BIT(HUNG),
        [SOFTGT_EU_DEADLOCK] = FAIL_BIT(HUNG),
        [SOFTGT_EU_FAULT] = FAIL_BIT(FAULTS),
        [SOFTGT_EU_EXCEPTION] = FAIL_BIT(ERRORS),
    };
    char text[FAIL_TEXT];
    f->happened |= bits[o->result];
    snprintf(text, sizeof text, "%s element%s out of bounds", tool_number(o->out_of_bounds),
             o->out_of_bounds == 1 ? "" : "s");
    if (o->out_of_bounds)
        fail_on_note(f, FAIL_BOUNDS, text);
}

static int eu_run(struct arguments *a)
{
    const struct softgt_eu_config config = {
        .device = a->device, .report = {a, on_eu_report}, .parallel = tool_threads(), .code = a->code};
    struct softgt_eu_outcome o;
    struct softgt_eu *eu;
    const int error = softgt_eu_create(&config, &eu);
    if (error == -ENOMEM)
        tool_no_memory();
    if (error != 0) {
        tool_error(NULL, "threads of %s are not modelled, only those of Gen8 and later", a->device);
        return TOOL_UNUSABLE;
    }
    int status = TOOL_UNUSABLE;
    if (load_kernel(a, eu) && fill_buffers(a, eu) && launch(a, eu)) {
        const struct softgt_eu_hooks hooks = eu_trace_hooks(&a->trace);
        if ((a->has_eu_trace && softgt_eu_watch(eu, &hooks) != 0) ||
            (a->stops && softgt_eu_set_breakpoint(eu, a->stop_at, true) != 0))
            tool_no_memory();
        softgt_eu_run(eu, a->budget, &o);
        note_outcome(&a->fail_on, &o);
        eu_report(a, eu, &o);
        status = o.result == SOFTGT_EU_FINISHED || o.result == SOFTGT_EU_HELD ? TOOL_CLEAN : TOOL_FAILED;
        if (!write_outputs(a))
            status = TOOL_UNUSABLE;
        status = fail_on_status(&a->fail_on, a->kernel_file, status);
    }
    softgt_eu_destroy(eu);
    for (unsigned i = 0; i < BUFFERS; i++)
        free(a->buffers[i].bytes);
    free(a->data.dw);
    free(a->own.dw);
    free(a->r0.dw);
    return status;
}

/* ---- Options ---- */

enum {
    DATA = 256,
    HEADER,
    OWN,
    OWN_FIRST,
    LOCAL,
    SHARED,
    LARGE,
    MASK,
    GENERAL,
    IP,
    STOP_AT,
    EU_TRACE,
    EU_LIMIT,
    HOST_THREADS,
    NO_TRANSLATION,
    NO_SANDBOX,
    FAIL_ON
};

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"groups", 'g', "X[,Y[,Z]]", 0, "number of thread groups (1)", 0},
    {"threads", 't', "COUNT", 0, "threads of a group, up to 128 (1)", 0},
    {"host-threads", HOST_THREADS, "COUNT", 0,
     "host threads that run thread groups in parallel, up to 64 (1)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all code, do not translate it to host code; slower", 0},
    {"simd", 's', "CHANNELS", 0, "channels of a thread: 8, 16 or 32 (8); 16 or 32 on Gen20 (16)", 0},
    {"mask", MASK, "MASK", 0, "execution mask of a group's last thread (all channels)", 0},
    {"local", LOCAL, "X[,Y[,Z]]", 0,
     "channels of a group in each dimension; local IDs (x, y, z of 16 bits) follow r0, and --data follows "
     "them",
     0},
    {"data", DATA, "WORDS", 0,
     "cross-thread payload after r0: dwords, floats (1.5) and buffer addresses (b0: two dwords), separated "
     "by commas; or a file",
     0},
    {"header", HEADER, "WORDS", 0, "bits of r0 besides group and thread", 0},
    {"own", OWN, "WORDS", 0, "per-thread payload, thread after thread; follows --data", 0},
    {"own-first", OWN_FIRST, NULL, 0, "the per-thread payload precedes --data", 0},
    {"buffer", 'b', "INDEX=FILE|BYTES[@ADDRESS]", 0,
     "binding table entry INDEX: a buffer of a file's bytes, or of zeros; at (INDEX + 1) * 4 GB without "
     "ADDRESS",
     0},
    {"output", 'o', "INDEX=FILE", 0, "write this buffer at the end", 0},
    {"shared", SHARED, "BYTES", 0,
     "shared local memory of a group in bytes, up to 65536, on Gen20 393216 (0)", 0},
    {"large", LARGE, NULL, 0, "threads have 256 registers (Gen12.5)", 0},
    {"general", GENERAL, "ADDRESS", 0, "general state base address, for messages with 32-bit addresses (0)",
     0},
    {"ip", IP, "OFFSET", 0, "kernel start pointer: an offset in the file (0)", 0},
    {"stop-at", STOP_AT, "OFFSET", 0, "stop before the instruction at this offset", 0},
    {"registers", 'r', NULL, 0, "print the registers of the thread that ran last", 0},
    {"eu-trace", EU_TRACE, "WHICH", OPTION_ARG_OPTIONAL,
     "print each instruction and the registers that it changes; WHICH is a list of kernel=ADDRESS, "
     "group=X[:Y[:Z]], thread=N, ip=FIRST[:LAST], separated by commas",
     0},
    {"eu-trace-limit", EU_LIMIT, "COUNT", 0, "number of instructions that --eu-trace prints (10000)", 0},
    {"budget", 'B', "COUNT", 0, "instructions of all threads that may run (1000000000)", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, hung, faults, "
     "bounds, errors or all, separated by commas",
     0},
    {"json", 'j', NULL, 0, "print one JSON object a line", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static uint64_t text_to_number(struct argp_state *state, const char *option, const char *text, uint64_t most)
{
    uint64_t value = 0;
    const char *end = text;
    if (!number(text, most, &value, &end) || *end)
        argp_error(state, "--%s: '%s' is no number up to %#" PRIx64, option, text, most);
    return value;
}

static const struct tool_option eu_members[] = {
    {'d', TOOL_DEVICE, offsetof(struct arguments, device)},
    {NO_TRANSLATION, TOOL_FLAG, offsetof(struct arguments, no_translation)},
    {HOST_THREADS, TOOL_UNSIGNED, offsetof(struct arguments, host_threads), "host-threads", TOOL_MAX_THREADS},
    {'t', TOOL_UNSIGNED, offsetof(struct arguments, launch.threads), "threads", SOFTGT_EU_THREADS},
    {'s', TOOL_UNSIGNED, offsetof(struct arguments, launch.channels), "simd", 32},
    {SHARED, TOOL_UNSIGNED, offsetof(struct arguments, launch.shared_bytes), "shared",
     SOFTGT_EU_SHARED_BYTES},
    {LARGE, TOOL_FLAG, offsetof(struct arguments, launch.large_registers)},
    {DATA, TOOL_TEXT, offsetof(struct arguments, data.text)},
    {HEADER, TOOL_TEXT, offsetof(struct arguments, r0.text)},
    {OWN, TOOL_TEXT, offsetof(struct arguments, own.text)},
    {'r', TOOL_FLAG, offsetof(struct arguments, registers)},
    {'B', TOOL_COUNT, offsetof(struct arguments, budget), "budget", UINT64_MAX},
    {'j', TOOL_FLAG, offsetof(struct arguments, json)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct arguments, fail_on)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static error_t eu_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;
    struct softgt_eu_launch_config *const l = &a->launch;
    if (tool_set_option(eu_members, key, argument, state))
        return 0;
    switch (key) {
    case 'g':
        parse_three(state, "groups", argument, l->groups);
        return 0;
    case MASK:
        l->last_channels = (uint32_t)text_to_number(state, "mask", argument, UINT32_MAX);
        return 0;
    case LOCAL:
        parse_three(state, "local", argument, l->local_size);
        l->payload = SOFTGT_EU_LOCAL_IDS;
        return 0;
    case OWN_FIRST:
        l->payload = SOFTGT_EU_OWN_FIRST;
        return 0;
    case 'b':
        parse_buffer(state, a, argument);
        return 0;
    case 'o':
        parse_output(state, a, argument);
        return 0;
    case GENERAL:
        l->general = text_to_number(state, "general", argument, UINT64_MAX);
        return 0;
    case IP:
        l->ip = text_to_number(state, "ip", argument, UINT64_MAX);
        return 0;
    case STOP_AT:
        a->stop_at = text_to_number(state, "stop-at", argument, UINT64_MAX);
        a->stops = true;
        return 0;
    case EU_TRACE:
        a->has_eu_trace = true;
        tool_eu_filter(state, "eu-trace", argument, &a->trace.filter);
        a->trace.limit = a->trace.limit ? a->trace.limit : EU_TRACE_LIMIT;
        return 0;
    case EU_LIMIT:
        a->has_eu_limit = true;
        a->trace.limit = tool_count(state, "eu-trace-limit", argument, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (a->kernel_file)
            argp_error(state, "one kernel at a time");
        a->kernel_file = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "KERNEL is missing");
        return 0;
    case ARGP_KEY_END:
        if (a->has_eu_limit && !a->has_eu_trace)
            argp_error(state, "--eu-trace-limit does nothing without --eu-trace");
        for (unsigned i = 0; i < BUFFERS; i++)
            if (a->buffers[i].output && !a->buffers[i].is)
                argp_error(state, "--output: there is no buffer %u", i);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_eu(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = eu_parse,
        .args_doc = "KERNEL",
        .doc = "Runs a kernel from a file of its instructions, without driver and commands, and reports how "
               "it ended.\vExit status: 0 finished, or stopped at --stop-at, 1 an exception, a page fault, a "
               "deadlock or too many instructions, 2 for unusable input, 3 by --fail-on.",
    };
    struct arguments a = {.device = "skl",
                          .budget = BUDGET,
                          .fail_on.words = FAIL_ON_EU,
                          .trace = {.show = show_instruction, .limited = show_limit, .user = &a}};
    tool_parse(&argp, argc, argv, &a);
    files_allow(FILES_READ, a.kernel_file);
    for (unsigned i = 0; i < BUFFERS; i++) {
        if (a.buffers[i].file)
            files_allow(FILES_READ, a.buffers[i].file);
        if (a.buffers[i].output)
            files_allow(FILES_WRITE, a.buffers[i].output);
    }
    const struct words *const words[] = {&a.data, &a.own, &a.r0};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i]->text && !is_list(words[i]->text))
            files_allow(FILES_READ, words[i]->text);
    if (!a.no_translation)
        a.code = tool_code(a.host_threads + 1u);
    if (!tool_sandbox(a.host_threads))
        return TOOL_UNUSABLE;
    return eu_run(&a);
}
