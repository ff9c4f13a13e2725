/* Requests at the control socket of a server with functions: show, provision, pause, resume, reset, save and
 * restore. */
#include "device/host.h"
#include "host/object.h"
#include "server/function_saves.h"
#include "server/function_servers.h"
#include "server/function_shares.h"
#include "server/monitor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The GuC's state of a function, with either PF administrator. */
static struct json_object *show_function(const struct vf_servers *f, unsigned n)
{
    static const char *const conditions[] = {[VF_RUNNING] = "runs",
                                             [VF_PAUSING] = "pauses",
                                             [VF_PAUSED] = "paused",
                                             [VF_STOPPED] = "stopped",
                                             [VF_FLR] = "reset"};
    struct device_function_status status;
    device_function_status(f->device, n, &status);
    const struct vf_provisioning *const g = &status.provisioning;
    const struct driver_vf_config s = {.ggtt_bytes = g->ggtt_bytes,
                                       .local_bytes = g->lmem_bytes,
                                       .context_count = g->context_count,
                                       .doorbell_count = g->doorbell_count,
                                       .exec_quantum_ms = g->exec_quantum_ms,
                                       .preempt_timeout_us = g->preempt_timeout_us,
                                       .sched_priority = g->sched_priority};
    const bool there = softgt_function_enabled(f->device, n);
    char name[16];
    snprintf(name, sizeof name, "vf%u", n);
    struct json_object *o = json_object_new_object();
    object_add(&o, "function", json_object_new_string(name));
    object_add(&o, "state", json_object_new_string(there ? conditions[status.run_state] : "not there"));
    object_add(&o, "client", json_object_new_boolean(f->servers[n].client != NULL));
    object_add(&o, "busy_ms", json_object_new_uint64(status.busy_ms));
    object_add(&o, "ggtt_start", json_object_new_uint64(g->ggtt_start));
    if (share_show(&s, o))
        return o;
    json_object_put(o);
    return NULL;
}

struct request {
    struct json_object *object;
    int passed;
};

static struct json_object *reply_begin(const struct vf_servers *f)
{
    struct json_object *o = json_object_new_object();
    object_add(&o, "schema", json_object_new_string("softgt.functions"));
    object_add(&o, "version", json_object_new_int(1));
    object_add(&o, "device", json_object_new_string(f->options->device));
    return o;
}

static struct json_object *show_functions(const struct vf_servers *f)
{
    struct json_object *o = reply_begin(f), *rows = json_object_new_array();
    object_add(&o, "driver", json_object_new_string(f->drives_pf ? "softgt" : "pf"));
    for (unsigned n = 1; rows && n <= f->count; n++) {
        struct json_object *const row = show_function(f, n);
        if (row && json_object_array_add(rows, row) == 0)
            continue;
        json_object_put(row);
        json_object_put(rows);
        rows = NULL;
    }
    object_add(&o, "pf_client", json_object_new_boolean(f->servers[0].client != NULL));
    struct device_function_status pf;
    device_function_status(f->device, 0, &pf);
    object_add(&o, "pf_busy_ms", json_object_new_uint64(pf.busy_ms));
    object_add(&o, "functions", rows);
    return o;
}

/* Time slices change at once. Resources change only without a client; the function's memory is then empty. */
static const char *set_function(struct vf_servers *f, unsigned n, struct json_object *request,
                                char why[SHARE_WHY])
{
    static const char *const beside[] = {"do", "function", NULL};
    struct driver_vf_config *const now = &f->driver.vf_configs[n - 1], s = *now;
    struct driver_vf_config wanted = s;
    if (!share_change(&wanted, request, beside, why))
        return why;
    const bool same_room = wanted.ggtt_bytes == s.ggtt_bytes && wanted.local_bytes == s.local_bytes &&
                           wanted.context_count == s.context_count &&
                           wanted.doorbell_count == s.doorbell_count;
    if (same_room)
        return driver_vf_schedule(&f->driver, n, wanted.exec_quantum_ms, wanted.preempt_timeout_us,
                                  wanted.sched_priority)
                   ? NULL
                   : "it was refused";
    if (f->servers[n].client)
        return "a client has the function: memory, contexts and doorbells stay as they are";
    const char *no = driver_vf_provision(&f->driver, n, &wanted);
    if (!no && !functions_lay_out(f))
        no = strerror(errno);
    return no;
}

/* Saves or restores a part; `*o` gets the number of parts. */
static const char *save_function(struct vf_servers *f, unsigned n, const struct request *r, bool restores,
                                 struct json_object **o)
{
    struct json_object *asked;
    uint64_t parts = 0;
    const bool has = json_object_object_get_ex(r->object, "part", &asked);
    const int64_t part = has ? json_object_get_int64(asked) : 0;
    const char *const why = part < 0 ? "the part does not exist"
                                     : function_save_part(f, n, r->passed, restores, (uint64_t)part, &parts);
    if (why)
        return why;
    *o = reply_begin(f);
    object_add(o, "part", json_object_new_int64(part));
    object_add(o, "parts", json_object_new_uint64(parts));
    return NULL;
}

/* `*o`: the answer, if it is not the list of functions. */
static const char *control_function(struct vf_servers *f, const char *what, unsigned n,
                                    const struct request *r, char why[SHARE_WHY], struct json_object **o)
{
    enum { PAUSE = 1, RESUME };
    if (strcmp(what, "set") == 0)
        return set_function(f, n, r->object, why);
    if (strcmp(what, "pause") == 0)
        return driver_vf_control(&f->driver, n, PAUSE) ? NULL : "it does not run";
    if (strcmp(what, "resume") == 0)
        return driver_vf_control(&f->driver, n, RESUME)
                   ? NULL
                   : "the function is not paused, or the restore is not complete";
    if (strcmp(what, "reset") == 0) {
        server_function_reset(&f->servers[n]);
        return NULL;
    }
    if (strcmp(what, "save") == 0 || strcmp(what, "restore") == 0)
        return save_function(f, n, r, what[0] == 'r', o);
    return "no such request; there are state, registers, memory, log, events, statistics, debug, show, set, "
           "pause, "
           "resume, reset, save, restore";
}

/* 0: unknown. */
static unsigned function_of(const struct vf_servers *f, const char *name)
{
    char *end = NULL;
    const bool named = name && strncmp(name, "vf", 2) == 0 && name[2] >= '1' && name[2] <= '9';
    const unsigned long n = named ? strtoul(name + 2, &end, 10) : 0;
    return named && !*end && n <= f->count ? (unsigned)n : 0;
}

struct json_object *functions_answer(void *user, struct control_client *client, struct json_object *object)
{
    struct vf_servers *const f = user;
    const struct request r = {object, client->passed};
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
                      : !f->drives_pf             ? "the physical function's client decides on the others"
                                                  : control_function(f, verb, n, &r, text, &o);
    return why ? monitor_refusal(why) : o ? o : show_functions(f);
}
