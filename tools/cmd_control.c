/* softgt control: looks into a server and changes what it logs. */
#include "control_client.h"

#include "host/engine_report.h"
#include "host/files.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORDS = 4 };

struct arguments {
    const char *socket;
    char *words[MOST_WORDS]; /* the command and what follows */
    unsigned count;
    bool json;
};

static const struct argp_option options[] = {{"json", 'j', NULL, 0, "as JSON, an object a line", 0}, {0}};

/* ---- Output ---- */

static struct json_object *member(struct json_object *o, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(o, key, &value) ? value : NULL;
}

static const char *word(struct json_object *o, const char *key)
{
    const char *const text = json_object_get_string(member(o, key));
    return text ? text : "?";
}

static void print_state(struct json_object *o)
{
    struct text t = {0};
    device_report_text(&t, o);
    if (t.failed)
        tool_no_memory();
    fwrite(t.bytes, 1, t.length, stdout);
    text_free(&t);
    printf("client %s\n", json_object_get_boolean(member(o, "client")) ? "connected" : "none");
}

static void print_registers(struct json_object *o)
{
    struct json_object *const rows = member(o, "registers");
    for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
        struct json_object *const row = json_object_array_get_idx(rows, i), *const fields =
                                                                                member(row, "fields");
        printf("%06" PRIx64 "  %-9s %-30s %10s\n", json_object_get_uint64(member(row, "offset")),
               word(row, "unit"), word(row, "name"), word(row, "value"));
        for (size_t n = 0; fields && n < json_object_array_length(fields); n++) {
            struct json_object *const f = json_object_array_get_idx(fields, n);
            printf("        %s = %s%s%s\n", word(f, "name"), word(f, "value"), member(f, "means") ? ", " : "",
                   member(f, "means") ? word(f, "means") : "");
        }
    }
}

static unsigned hex_byte(const char *digits)
{
    const char two[] = {digits[0], digits[1], 0};
    return (unsigned)strtoul(two, NULL, 16);
}

/* Dwords, four a line. */
static void print_memory(struct json_object *o)
{
    const char *const data = word(o, "data");
    const uint64_t address = strtoull(word(o, "address"), NULL, 16);
    const size_t bytes = strlen(data) / 2;
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t dw = 0;
        for (size_t n = 0; n < 4 && i + n < bytes; n++)
            dw |= hex_byte(data + (i + n) * 2) << n * 8u;
        if (i % 16 == 0)
            printf("%s%012" PRIx64 " ", i ? "\n" : "", address + i);
        printf(" %08" PRIx32, dw);
    }
    if (bytes)
        putchar('\n');
    if (member(o, "unmapped"))
        printf("%s is not mapped\n", word(o, "unmapped"));
}

static void print_statistics(struct json_object *o)
{
    struct json_object *const engines = member(o, "engines");
    printf("%12.3f s  %s register reads, %s writes, %s interrupts in all\n",
           (double)json_object_get_uint64(member(o, "time_ns")) / 1e9, word(o, "register_reads_total"),
           word(o, "register_writes_total"), word(o, "interrupt_messages_total"));
    for (size_t i = 0; engines && i < json_object_array_length(engines); i++) {
        struct json_object *const e = json_object_array_get_idx(engines, i);
        if (json_object_get_uint64(member(e, "commands")) || strcmp(word(e, "state"), "idle") != 0)
            printf(
                "  %-6s %-8s %s batches, %s commands, %s switches, %s waits, %s threads, %s instructions\n",
                word(e, "engine"), word(e, "state"), word(e, "batches"), word(e, "commands"),
                word(e, "context_switches"), word(e, "waits"), word(e, "threads"), word(e, "instructions"));
    }
}

static void print_done(struct json_object *o)
{
    if (member(o, "bytes"))
        printf("%s bytes; without %s\n", word(o, "bytes"), word(o, "without"));
}

/* ---- Commands ---- */

struct control_command;
struct call {
    const struct arguments *a;
    const struct control_command *command;
    struct control_connection *connection;
    struct json_object *request;
};

struct control_command {
    const char *name, *words; /* what follows, for messages */
    unsigned least, most;     /* number of words */
    void (*print)(struct json_object *o);
    /* Adds to the request. False after a message. */
    bool (*fill)(const struct call *c);
    bool (*run)(const struct call *c);
};

static void show(const struct call *c, const char *line, struct json_object *o)
{
    if (c->a->json)
        puts(line);
    else
        c->command->print(o);
}

static bool run_once(const struct call *c)
{
    const char *line;
    struct json_object *const o = control_ask(c->connection, c->request, -1, c->command->name, &line);
    if (o)
        show(c, line, o);
    json_object_put(o);
    return o;
}

static bool run_registers(const struct call *c)
{
    for (;;) {
        const char *line;
        struct json_object *const o = control_ask(c->connection, c->request, -1, c->command->name, &line),
                                  *next;
        if (!o)
            return false;
        next = member(o, "next");
        show(c, line, o);
        if (next)
            json_add(c->request, "from", json_uint64(json_object_get_uint64(next)));
        json_object_put(o);
        if (!next)
            return true;
    }
}

/* Lines until the server ends, or the reader of standard output. */
static bool run_stream(const struct call *c)
{
    const char *line;
    struct json_object *const first = control_ask(c->connection, c->request, -1, c->command->name, &line);
    if (!first)
        return false;
    json_object_put(first);
    while ((line = control_receive(c->connection, true))) {
        struct json_object *const o = c->a->json || !c->command->print ? NULL : json_tokener_parse(line);
        if (o)
            c->command->print(o);
        else
            puts(line);
        json_object_put(o);
        if (fflush(stdout) != 0)
            return false;
    }
    if (errno)
        tool_error(c->a->socket, "%s", strerror(errno));
    return !errno;
}

static bool fill_pattern(const struct call *c)
{
    json_add(c->request, "pattern", json_text(c->a->count > 1 ? c->a->words[1] : "*"));
    return true;
}

static bool fill_number(const struct call *c, const char *key, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (!*text || *end || *text == '-' || errno) {
        tool_error(c->command->name, "'%s' is no number", text);
        return false;
    }
    json_add(c->request, key, json_uint64(value));
    return true;
}

static bool fill_memory(const struct call *c)
{
    json_add(c->request, "space", json_text(c->a->words[1]));
    return fill_number(c, "address", c->a->words[2]) &&
           (c->a->count < 4 || fill_number(c, "bytes", c->a->words[3]));
}

static bool fill_level(const struct call *c)
{
    json_add(c->request, "level", json_text(c->a->words[1]));
    return true;
}

static bool fill_trace(const struct call *c)
{
    if (c->a->count > 1)
        json_add(c->request, "trace", json_text(c->a->words[1]));
    return true;
}

static bool is_zero(const char *bytes, size_t count)
{
    return !bytes[0] && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Holes stay holes, pieces of zeros become some. */
static bool copy_file(int from, int to)
{
    char bytes[1 << 16];
    struct stat file;
    const bool seeks = fstat(from, &file) == 0 && S_ISREG(file.st_mode);
    off_t end = 0;
    ssize_t got;
    for (;; end += got) {
        const off_t data = seeks ? lseek(from, end, SEEK_DATA) : end;
        if (data < 0 && errno == ENXIO) /* only a hole is left */
            return ftruncate(to, file.st_size) == 0;
        end = data;
        got = data < 0 ? -1 : read(from, bytes, sizeof bytes);
        if (got <= 0)
            break;
        for (ssize_t done = is_zero(bytes, (size_t)got) ? got : 0; done < got;) {
            const ssize_t now = pwrite(to, bytes + done, (size_t)(got - done), end + done);
            if (now <= 0)
                return false;
            done += now;
        }
    }
    return got == 0 && ftruncate(to, end) == 0;
}

/* The server takes a file in memory only: no other is sure to take its bytes at once. */
static bool run_save(const struct call *c)
{
    int number = 0;
    const int memory = memfd_create("state", MFD_CLOEXEC), file = files_create(c->a->words[1], &number);
    const char *line;
    struct json_object *const o =
        memory >= 0 && file >= 0 ? control_ask(c->connection, c->request, memory, c->command->name, &line)
                                 : NULL;
    bool good = o && lseek(memory, 0, SEEK_SET) == 0 && copy_file(memory, file);
    if (memory < 0 || file < 0 || (o && !good))
        tool_error(c->a->words[1], "%s", files_error(errno));
    if (file >= 0)
        close(file);
    if (file >= 0 && !files_finish(number, good) && good) {
        tool_error(c->a->words[1], "%s", strerror(errno));
        good = false;
    }
    if (good)
        show(c, line, o);
    json_object_put(o);
    return good;
}

static bool run_load(const struct call *c)
{
    const int memory = memfd_create("state", MFD_CLOEXEC), file = files_open(c->a->words[1]);
    const char *line;
    const bool copied = memory >= 0 && file >= 0 && copy_file(file, memory);
    if (!copied)
        tool_error(c->a->words[1], "%s", strerror(errno));
    struct json_object *const o =
        copied ? control_ask(c->connection, c->request, memory, c->command->name, &line) : NULL;
    if (o)
        show(c, line, o);
    json_object_put(o);
    return o;
}

static const struct control_command commands[] = {
    {"state", "", 1, 1, print_state, NULL, run_once},
    {"registers", "[PATTERN]", 1, 2, print_registers, fill_pattern, run_registers},
    {"memory", "SPACE ADDRESS [BYTES]", 3, 4, print_memory, fill_memory, run_once},
    {"log", "LEVEL", 2, 2, print_done, fill_level, run_once},
    {"events", "[WHAT]", 1, 2, NULL, fill_trace, run_stream},
    {"statistics", "", 1, 1, print_statistics, NULL, run_stream},
    {"save", "FILE", 2, 2, print_done, NULL, run_save},
    {"load", "FILE", 2, 2, print_done, NULL, run_load},
    {"pause", "", 1, 1, print_done, NULL, run_once},
    {"resume", "", 1, 1, print_done, NULL, run_once},
    {NULL, NULL, 0, 0, NULL, NULL, NULL},
};

static const struct control_command *command_of(const char *name)
{
    const struct control_command *c = commands;
    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c : NULL;
}

static error_t control_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'j':
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!a->socket)
            a->socket = argument;
        else if (a->count == MOST_WORDS)
            argp_error(state, "'%s' is one word too many", argument);
        else
            a->words[a->count++] = argument;
        return 0;
    case ARGP_KEY_END: {
        static char state_word[] = "state";
        if (!a->socket)
            argp_error(state, "SOCKET is missing: the path of softgt serve --control");
        if (!a->count)
            a->words[a->count++] = state_word;
        const struct control_command *const c = command_of(a->words[0]);
        if (!c)
            argp_error(state,
                       "no command is named '%s'; there are state, registers, memory, log, events, "
                       "statistics, save, load, pause, resume",
                       a->words[0]);
        else if (a->count < c->least || a->count > c->most)
            argp_error(state, "usage: %s %s", c->name, c->words);
        return 0;
    }
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_control(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = control_parse,
        .args_doc = "SOCKET [COMMAND...]",
        .doc = "Looks into a server (softgt serve --control SOCKET). Commands: state; registers [PATTERN]; "
               "memory "
               "SPACE ADDRESS [BYTES]; log LEVEL; events [WHAT]; statistics; save FILE; load FILE; pause; "
               "resume.",
    };
    struct arguments a = {0};
    tool_parse(&argp, argc, argv, &a);
    struct control_connection connection;
    const struct call c = {&a, command_of(a.words[0]), &connection, json_empty()};
    if (!c.command) /* control_parse takes only those that there are */
        return TOOL_UNUSABLE;
    json_add(c.request, "do", json_text(a.words[0]));
    control_open(&connection, a.socket, false);
    const bool done = (!c.command->fill || c.command->fill(&c)) && c.command->run(&c);
    control_close(&connection);
    json_object_put(c.request);
    return done ? TOOL_CLEAN : TOOL_UNUSABLE;
}
