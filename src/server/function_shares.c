#include "server/function_shares.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct key {
    const char *name;
    size_t offset;
    bool wide;      /* 64 bits */
    unsigned shift; /* of the unit */
    uint64_t least, most;
} keys[] = {
    {"ggtt_mb", offsetof(struct driver_vf_config, ggtt_bytes), true, 20, 1, 4096},
    {"local_mb", offsetof(struct driver_vf_config, local_bytes), true, 20, 2, 16384},
    {"contexts", offsetof(struct driver_vf_config, context_count), true, 0, 1, 65535},
    {"doorbells", offsetof(struct driver_vf_config, doorbell_count), true, 0, 1, 256},
    {"quantum_ms", offsetof(struct driver_vf_config, exec_quantum_ms), false, 0, 0, 100000},
    {"preemption_us", offsetof(struct driver_vf_config, preempt_timeout_us), false, 0, 0, 100000000},
    {"priority", offsetof(struct driver_vf_config, sched_priority), false, 0, 0, 2},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

void shares_default(struct driver_vf_config *shares, unsigned count)
{
    for (struct driver_vf_config *s = shares; s < shares + count; s++)
        *s = (struct driver_vf_config){.exec_quantum_ms = DRIVER_EXEC_QUANTUM_MS,
                                       .preempt_timeout_us = DRIVER_PREEMPT_TIMEOUT_US};
}

static bool one_of(const char *name, const char *const *names)
{
    while (names && *names)
        if (strcmp(name, *names++) == 0)
            return true;
    return false;
}

static bool no_key(const char *name, char why[SHARE_WHY])
{
    int length = snprintf(why, SHARE_WHY, "%.40s: no such key; there are", name);
    for (const struct key *k = keys; k < keys + KEYS; k++)
        length += snprintf(why + length, SHARE_WHY - (size_t)length, "%s %s", k > keys ? "," : "", k->name);
    return false;
}

bool share_change(struct driver_vf_config *s, struct json_object *o, const char *const *beside,
                  char why[SHARE_WHY])
{
    if (!json_object_is_type(o, json_type_object)) {
        snprintf(why, SHARE_WHY, "it is no object");
        return false;
    }
    const struct json_object_iterator end = json_object_iter_end(o);
    for (struct json_object_iterator i = json_object_iter_begin(o); !json_object_iter_equal(&i, &end);
         json_object_iter_next(&i)) {
        const char *const name = json_object_iter_peek_name(&i);
        struct json_object *const value = json_object_iter_peek_value(&i);
        const struct key *k = keys;
        while (k < keys + KEYS && strcmp(k->name, name) != 0)
            k++;
        if (one_of(name, beside))
            continue;
        if (k == keys + KEYS)
            return no_key(name, why);
        const int64_t number = json_object_get_int64(value);
        if (!json_object_is_type(value, json_type_int) || number < (int64_t)k->least ||
            number > (int64_t)k->most) {
            snprintf(why, SHARE_WHY, "%s: %.60s is no number from %" PRIu64 " to %" PRIu64, k->name,
                     json_object_to_json_string(value), k->least, k->most);
            return false;
        }
        const uint64_t wide = (uint64_t)number << k->shift;
        const uint32_t narrow = (uint32_t)wide;
        memcpy((uint8_t *)s + k->offset, k->wide ? (const void *)&wide : &narrow,
               k->wide ? sizeof wide : sizeof narrow);
    }
    return true;
}

static bool member(struct driver_vf_config *shares, unsigned count, const char *name,
                   struct json_object *value, char why[SHARE_WHY])
{
    char *end = NULL, of_it[SHARE_WHY];
    const unsigned long number = strncmp(name, "vf", 2) == 0 ? strtoul(name + 2, &end, 10) : 0;
    const bool each = strcmp(name, "each") == 0;
    if (!each && (!number || *end || name[2] < '1' || number > count)) {
        snprintf(why, SHARE_WHY, "%.40s: neither 'each' nor a function; there are vf1 to vf%u", name, count);
        return false;
    }
    for (unsigned n = 1; n <= count; n++)
        if ((each || n == number) && !share_change(&shares[n - 1], value, NULL, of_it)) {
            snprintf(why, SHARE_WHY, "%s: %.*s", name, SHARE_WHY - 48, of_it);
            return false;
        }
    return true;
}

static bool members(struct driver_vf_config *shares, unsigned count, struct json_object *o,
                    char why[SHARE_WHY])
{
    struct json_object *each;
    if (!json_object_is_type(o, json_type_object)) {
        snprintf(why, SHARE_WHY, "it is no object");
        return false;
    }
    if (json_object_object_get_ex(o, "each", &each) && !member(shares, count, "each", each, why))
        return false;
    const struct json_object_iterator end = json_object_iter_end(o);
    for (struct json_object_iterator i = json_object_iter_begin(o); !json_object_iter_equal(&i, &end);
         json_object_iter_next(&i)) {
        const char *const name = json_object_iter_peek_name(&i);
        struct json_object *const value = json_object_iter_peek_value(&i);
        if (strcmp(name, "each") != 0 && !member(shares, count, name, value, why))
            return false;
    }
    return true;
}

bool shares_read(struct driver_vf_config *shares, unsigned count, const char *text, size_t size_bytes,
                 char why[SHARE_WHY])
{
    enum { DEPTH = 4, MOST = 1 << 20 };
    struct json_tokener *const t = json_tokener_new_ex(DEPTH);
    if (!t || size_bytes > MOST) {
        snprintf(why, SHARE_WHY, t ? "it has more than 1 MB" : "out of memory");
        json_tokener_free(t);
        return false;
    }
    json_tokener_set_flags(t, JSON_TOKENER_STRICT);
    while (size_bytes && strchr(" \t\r\n", text[size_bytes - 1])) /* trailing blanks are allowed */
        size_bytes--;
    struct json_object *const o = json_tokener_parse_ex(t, text, (int)size_bytes);
    const enum json_tokener_error error = json_tokener_get_error(t);
    bool good = error == json_tokener_success;
    if (!good)
        snprintf(why, SHARE_WHY, "offset %zu: %s", json_tokener_get_parse_end(t),
                 error == json_tokener_continue ? "it ends early" : json_tokener_error_desc(error));
    good = good && members(shares, count, o, why);
    json_object_put(o);
    json_tokener_free(t);
    return good;
}

bool share_show(const struct driver_vf_config *s, struct json_object *to)
{
    for (const struct key *k = keys; k < keys + KEYS; k++) {
        uint64_t wide = 0;
        memcpy(&wide, (const uint8_t *)s + k->offset, k->wide ? sizeof wide : sizeof(uint32_t));
        struct json_object *const value = json_object_new_uint64(wide >> k->shift);
        if (!to || !value || json_object_object_add(to, k->name, value) != 0) {
            json_object_put(value);
            return false;
        }
    }
    return true;
}
