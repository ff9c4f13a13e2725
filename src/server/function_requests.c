/* What is asked at the control socket of a server with functions: what each has, another share, to pause, to
 * go on, to reset, to save and restore what is paused. */
#include "device/device.h"
#include "server/function_saves.h"
#include "server/function_servers.h"
#include "server/function_shares.h"
#include "guc/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An object that is made, NULL when there was no memory for a part of it. */
static void put(struct json_object **o, const char *key, struct json_object *value)
{
    if (*o && value && json_object_object_add(*o, key, value) == 0)
        return;
    json_object_put(value);
    json_object_put(*o);
    *o = NULL;
}

/* What the microcontroller has for it, whoever is the physical function's driver. */
static struct json_object *shown(const struct function_servers *f, unsigned n)
{
    static const char *const conditions[] = {[GUC_FUNCTION_RUNS] = "runs",
                                             [GUC_FUNCTION_PAUSES] = "pauses",
                                             [GUC_FUNCTION_PAUSED] = "paused",
                                             [GUC_FUNCTION_STOPPED] = "stopped",
                                             [GUC_FUNCTION_RESET] = "reset"};
    const struct guc_client *k = &f->device->guc.clients[n];
    const struct guc_share *g = &k->share;
    const struct driver_share s = {.ggtt_bytes = g->ggtt_bytes,
                                   .local_bytes = g->local_bytes,
                                   .contexts = g->contexts,
                                   .doorbells = g->doorbells,
                                   .quantum_ms = g->quantum_ms,
                                   .preemption_us = g->preemption_us,
                                   .priority = g->priority};
    const bool there = softgt_function_enabled(f->device, n);
    char name[16];
    snprintf(name, sizeof name, "vf%u", n);
    struct json_object *o = json_object_new_object();
    put(&o, "function", json_object_new_string(name));
    put(&o, "state", json_object_new_string(there ? conditions[k->presence.condition] : "not there"));
    put(&o, "client", json_object_new_boolean(f->servers[n].client != NULL));
    put(&o, "busy_ms", json_object_new_uint64(guc_function_busy_ms(&f->device->guc, n)));
    put(&o, "ggtt_start", json_object_new_uint64(g->ggtt_start));
    if (share_show(&s, o))
        return o;
    json_object_put(o);
    return NULL;
}

struct request {
    struct json_object *object;
    int passed;
};

static struct json_object *begun(const struct function_servers *f)
{
    struct json_object *o = json_object_new_object();
    put(&o, "schema", json_object_new_string("softgt.functions"));
    put(&o, "version", json_object_new_int(1));
    put(&o, "device", json_object_new_string(f->options->device));
    return o;
}

static struct json_object *show(const struct function_servers *f)
{
    struct json_object *o = begun(f), *rows = json_object_new_array();
    put(&o, "driver", json_object_new_string(f->drives ? "softgt" : "pf"));
    for (unsigned n = 1; rows && n <= f->count; n++) {
        struct json_object *const row = shown(f, n);
        if (row && json_object_array_add(rows, row) == 0)
            continue;
        json_object_put(row);
        json_object_put(rows);
        rows = NULL;
    }
    put(&o, "pf_client", json_object_new_boolean(f->servers[0].client != NULL));
    put(&o, "pf_busy_ms", json_object_new_uint64(guc_function_busy_ms(&f->device->guc, 0)));
    put(&o, "functions", rows);
    return o;
}

/* Time at once; room only where nobody uses the function, whose memory is empty then. */
static const char *set(struct function_servers *f, unsigned n, struct json_object *request,
                       char why[SHARE_WHY])
{
    static const char *const beside[] = {"do", "function", NULL};
    struct driver_share *const now = &f->driver.shares[n - 1], s = *now;
    struct driver_share wanted = s;
    if (!share_change(&wanted, request, beside, why))
        return why;
    const bool same_room = wanted.ggtt_bytes == s.ggtt_bytes && wanted.local_bytes == s.local_bytes &&
                           wanted.contexts == s.contexts && wanted.doorbells == s.doorbells;
    if (same_room)
        return driver_function_schedule(&f->driver, n, wanted.quantum_ms, wanted.preemption_us,
                                        wanted.priority)
                   ? NULL
                   : "it was refused";
    if (f->servers[n].client)
        return "a client has the function: memory, contexts and doorbells stay as they are";
    const char *no = driver_function_share(&f->driver, n, &wanted);
    if (!no && !functions_lay_out(f))
        no = strerror(errno);
    return no;
}

/* A part of a file that came along; `*o` tells how many there are. */
static const char *save(struct function_servers *f, unsigned n, const struct request *r, bool restores,
                        struct json_object **o)
{
    struct json_object *asked;
    uint64_t parts = 0;
    const bool has = json_object_object_get_ex(r->object, "part", &asked);
    const int64_t part = has ? json_object_get_int64(asked) : 0;
    const char *const why = part < 0 ? "there are not so many parts"
                                     : function_save_part(f, n, r->passed, restores, (uint64_t)part, &parts);
    if (why)
        return why;
    *o = begun(f);
    put(o, "part", json_object_new_int64(part));
    put(o, "parts", json_object_new_uint64(parts));
    return NULL;
}

/* `*o`: what is answered, where that is no list of functions. */
static const char *act(struct function_servers *f, const char *what, unsigned n, const struct request *r,
                       char why[SHARE_WHY], struct json_object **o)
{
    enum { PAUSE = 1, RESUME };
    if (strcmp(what, "set") == 0)
        return set(f, n, r->object, why);
    if (strcmp(what, "pause") == 0)
        return driver_function_control(&f->driver, n, PAUSE) ? NULL : "it does not run";
    if (strcmp(what, "resume") == 0)
        return driver_function_control(&f->driver, n, RESUME)
                   ? NULL
                   : "it is not paused, or only a part of it is restored";
    if (strcmp(what, "reset") == 0) {
        server_function_reset(&f->servers[n]);
        return NULL;
    }
    if (strcmp(what, "save") == 0 || strcmp(what, "restore") == 0)
        return save(f, n, r, what[0] == 'r', o);
    return "no such request; there are show, set, pause, resume, reset, save, restore";
}

/* 0: none. */
static unsigned function_of(const struct function_servers *f, const char *name)
{
    char *end = NULL;
    const bool named = name && strncmp(name, "vf", 2) == 0 && name[2] >= '1' && name[2] <= '9';
    const unsigned long n = named ? strtoul(name + 2, &end, 10) : 0;
    return named && !*end && n <= f->count ? (unsigned)n : 0;
}

struct json_object *functions_answer(void *user, struct json_object *object, int passed)
{
    struct function_servers *const f = user;
    const struct request r = {object, passed};
    struct json_object *what, *function, *o = NULL;
    char text[SHARE_WHY] = "";
    const char *const verb =
        json_object_object_get_ex(object, "do", &what) ? json_object_get_string(what) : NULL;
    const char *const name =
        json_object_object_get_ex(object, "function", &function) ? json_object_get_string(function) : NULL;
    const unsigned n = function_of(f, name);
    const char *why = !verb                       ? "a request has 'do'"
                      : strcmp(verb, "show") == 0 ? NULL
                      : !n                        ? "there is no such function"
                      : !f->drives                ? "the physical function's client decides of the others"
                                                  : act(f, verb, n, &r, text, &o);
    if (!why)
        return o ? o : show(f);
    o = json_object_new_object();
    put(&o, "error", json_object_new_string(why));
    return o;
}
