#include "server/debug_requests.h"

#include "device/host.h"

#include <string.h>

/* ---- Requests and answers ---- */

static void add_member(struct text *t, const char *key, const char *value)
{
    text_char(t, ',');
    text_json(t, key);
    text_char(t, ':');
    text_json(t, value);
}

/* Takes `text` over. */
static void put_object(struct text *out, const char *key, const char *value, struct text *text)
{
    text_char(text, '\0');
    text_string(out, "{\"schema\":\"softgt.debug\",\"version\":1");
    add_member(out, key, value);
    add_member(out, "text", text->failed ? "out of memory\n" : text->bytes);
    text_char(out, '}');
    text_free(text);
}

void debug_refuse(struct text *out, const char *why)
{
    text_string(out, "{\"schema\":\"softgt.error\",\"version\":1,\"error\":");
    text_json(out, why);
    text_char(out, '}');
}

static const char no_such_ask[] = "a request to debug has 'ask': attach, line, complete or interrupt";
static const char *const result_names[] = {[DEBUGGER_DONE] = "done",
                                           [DEBUGGER_REFUSED] = "refused",
                                           [DEBUGGER_QUIT] = "quit",
                                           [DEBUGGER_MOVES] = "moves"};

static void attach(struct debug_host *h, struct control_client *k, const struct debug_request *r,
                   struct text *out)
{
    struct text text = {0};
    if (h->live && !h->awaits) {
        debug_refuse(out, k->is_debugger ? "this client debugs the device already"
                                         : "another client debugs the device");
        return;
    }
    if (!h->live && !debug_host_await(h)) {
        debug_refuse(out, "out of memory");
        return;
    }
    h->awaits = false;
    k->is_debugger = true;
    live_colour(h->live, r->color && strcmp(r->color, "always") == 0);
    (void)live_take_stop(h->live, &text);
    put_object(out, "result", "done", &text);
}

static void detach(struct debug_host *h)
{
    live_close(h->live);
    h->live = NULL;
    h->awaits = false;
}

void debug_host_answer(struct debug_host *h, struct control_client *k, const struct debug_request *r,
                       struct text *out)
{
    struct text text = {0};
    enum debugger_result result = DEBUGGER_DONE;
    if (!r->ask) {
        debug_refuse(out, no_such_ask);
        return;
    }
    if (strcmp(r->ask, "attach") == 0) {
        attach(h, k, r, out);
        return;
    }
    if (!k->is_debugger || !h->live) {
        debug_refuse(out, "this client does not debug the device: it attaches first");
        return;
    }
    if (strcmp(r->ask, "interrupt") == 0) {
        live_interrupt(h->live);
    } else if (strcmp(r->ask, "complete") == 0 && r->text) {
        live_complete(h->live, r->text, &text);
    } else if (strcmp(r->ask, "line") == 0 && r->text) {
        result = live_line(h->live, r->text, &text);
    } else {
        debug_refuse(out, no_such_ask);
        return;
    }
    if (result == DEBUGGER_QUIT) {
        k->is_debugger = false;
        detach(h);
    }
    put_object(out, "result", result_names[result], &text);
}

/* ---- The host ---- */

bool debug_host_await(struct debug_host *h)
{
    h->live = live_open(h->device, &h->port);
    h->awaits = h->live;
    return h->live;
}

void debug_host_end(struct debug_host *h)
{
    if (h->live)
        detach(h);
}

bool debug_host_is_due(const struct debug_host *h)
{
    return h->live && !h->awaits && live_has_stop(h->live);
}

bool debug_host_holds(const struct debug_host *h)
{
    return h->live && device_is_held(h->device);
}

void debug_host_serve(struct debug_host *h, struct control_socket *c)
{
    struct text text = {0}, line = {0};
    if (!h->live || h->awaits)
        return;
    struct control_client *const k = control_debugger(c);
    if (!k) {
        detach(h);
        return;
    }
    if (live_take_stop(h->live, &text)) {
        put_object(&line, "event", "stopped", &text);
        (void)control_send_debugger(k, &line);
    }
    text_free(&line);
    text_free(&text);
}

/* ---- Flat objects of strings ---- */

struct reader {
    const char *at, *end;
    char *room;
};

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r", *r->at) && *r->at)
        r->at++;
}

static bool take_char(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* The character of an escape, if it is one of ASCII. 0: it is none. */
static char take_escape(struct reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return 0;
    const char c = *r->at++;
    const char *const found = c ? strchr(from, c) : NULL;
    if (found)
        return to[found - from];
    unsigned code = 0;
    for (unsigned n = 0; c == 'u' && n < 4; n++) {
        static const char digits[] = "0123456789abcdef";
        const char digit = r->at < r->end ? (char)(*r->at | ('A' <= *r->at && *r->at <= 'F' ? 0x20 : 0)) : 0;
        const char *const value = digit ? strchr(digits, digit) : NULL;
        if (!value)
            return 0;
        code = code << 4 | (unsigned)(value - digits);
        r->at++;
    }
    return code < 0x80 ? (char)code : 0;
}

static const char *take_string(struct reader *r)
{
    char *const begin = r->room;
    if (!take_char(r, '"'))
        return NULL;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        if (c == '\\')
            c = take_escape(r);
        if (!c)
            return NULL;
        *r->room++ = c;
    }
    if (!take_char(r, '"'))
        return NULL;
    *r->room++ = 0;
    return begin;
}

bool debug_request_read(struct debug_request *request, const char *line, size_t length, char *room)
{
    struct reader r = {line, line + length, room};
    bool is_debug = false;
    *request = (struct debug_request){0};
    if (!take_char(&r, '{'))
        return false;
    do {
        const char *const key = take_string(&r), *const value =
                                                     key && take_char(&r, ':') ? take_string(&r) : NULL;
        if (!value)
            return false;
        if (strcmp(key, "do") == 0)
            is_debug = strcmp(value, "debug") == 0;
        else if (strcmp(key, "ask") == 0)
            request->ask = value;
        else if (strcmp(key, "text") == 0)
            request->text = value;
        else if (strcmp(key, "color") == 0)
            request->color = value;
    } while (take_char(&r, ','));
    return is_debug && take_char(&r, '}') && r.at == r.end;
}
