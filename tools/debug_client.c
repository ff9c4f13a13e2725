#include "debug_client.h"

#include <errno.h>
#include <signal.h>

static volatile sig_atomic_t interrupted;

static void client_on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* ---- Requests ---- */

static struct json_object *request_of(const char *ask, const char *text)
{
    struct json_object *const request = json_empty();
    json_add(request, "do", json_text("debug"));
    json_add(request, "ask", json_text(ask));
    if (text)
        json_add(request, "text", json_text(text));
    return request;
}

static const char *answer_member(struct json_object *o, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : NULL;
}

/* The next line of the device. NULL: it is gone. */
static struct json_object *next_line(struct debug_client *c)
{
    const char *const line = control_receive(&c->connection, true);
    struct json_object *const o = line ? json_tokener_parse(line) : NULL;
    if (json_object_is_type(o, json_type_object))
        return o;
    json_object_put(o);
    c->is_gone = true;
    return NULL;
}

static bool send_ask(struct debug_client *c, const char *ask, const char *text)
{
    struct json_object *const request = request_of(ask, text);
    const bool sent = control_send(&c->connection, request, -1);
    json_object_put(request);
    c->is_gone |= !sent;
    return sent;
}

static void on_wait(void *user)
{
    struct debug_client *const c = user;
    if (!interrupted)
        return;
    interrupted = 0;
    if (send_ask(c, "interrupt", NULL))
        c->answers_due++;
}

/* ---- Lines ---- */

/* Prints lines until all requests are answered and, if the last one moved the device, until it stops. Returns
 * the last result. */
static enum debugger_result take_answers(struct debug_client *c, struct text *words)
{
    enum debugger_result result = DEBUGGER_DONE;
    bool moves = false;
    while (c->answers_due || moves) {
        struct json_object *const o = next_line(c);
        if (!o)
            return DEBUGGER_QUIT;
        const char *const text = answer_member(o, "text"), *const got = answer_member(o, "result"),
                          *const why = answer_member(o, "error");
        if (why)
            printf("%s\n", why);
        else if (text && words)
            text_string(words, text);
        else if (text)
            fputs(text, stdout);
        fflush(stdout);
        if (answer_member(o, "event")) {
            moves = false;
        } else if (got || why) {
            c->answers_due -= c->answers_due != 0;
            moves |= got && strcmp(got, "moves") == 0;
            if (why || strcmp(got, "refused") == 0)
                result = DEBUGGER_REFUSED;
            else if (strcmp(got, "quit") == 0)
                result = DEBUGGER_QUIT;
        }
        json_object_put(o);
    }
    return result;
}

static enum debugger_result client_line(void *user, const char *line)
{
    struct debug_client *const c = user;
    interrupted = 0;
    if (!send_ask(c, "line", line))
        return DEBUGGER_QUIT;
    c->answers_due = 1;
    return take_answers(c, NULL);
}

static const char *client_complete(void *user, const char *line)
{
    struct debug_client *const c = user;
    text_free(&c->words);
    if (!c->is_gone && send_ask(c, "complete", line)) {
        c->answers_due = 1;
        (void)take_answers(c, &c->words);
    }
    text_char(&c->words, '\0');
    if (c->words.failed)
        tool_no_memory();
    return c->words.bytes;
}

/* ---- Life ---- */

void debug_client_open(struct debug_client *c, const char *path)
{
    *c = (struct debug_client){0};
    control_open(&c->connection, path, false);
    c->connection.wait = on_wait;
    c->connection.user = c;
}

void debug_client_close(struct debug_client *c)
{
    control_close(&c->connection);
    text_free(&c->words);
}

bool debug_client_attach(struct debug_client *c, bool colour)
{
    struct json_object *const request = request_of("attach", NULL);
    json_add(request, "color", json_text(colour ? "always" : "never"));
    struct json_object *const o = control_ask(&c->connection, request, -1, c->connection.path, NULL);
    json_object_put(request);
    if (!o)
        return false;
    const char *const text = answer_member(o, "text");
    if (text)
        fputs(text, stdout);
    fflush(stdout);
    json_object_put(o);
    const struct sigaction action = {.sa_handler = client_on_interrupt};
    sigaction(SIGINT, &action, NULL);
    return true;
}

struct prompt debug_client_prompt(struct debug_client *c)
{
    return (struct prompt){.user = c, .line = client_line, .complete = client_complete};
}
