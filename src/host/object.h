/* Building JSON objects where memory may be missing. */
#ifndef HOST_OBJECT_H
#define HOST_OBJECT_H

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

/* Adds to an object and takes the value over. The object becomes NULL when there is no memory, and stays it.
 */
static inline void object_add(struct json_object **o, const char *key, struct json_object *value)
{
    if (*o && value && json_object_object_add(*o, key, value) == 0)
        return;
    json_object_put(value);
    json_object_put(*o);
    *o = NULL;
}

/* The same for the end of an array. */
static inline void object_append(struct json_object **array, struct json_object *value)
{
    if (*array && value && json_object_array_add(*array, value) == 0)
        return;
    json_object_put(value);
    json_object_put(*array);
    *array = NULL;
}

/* Values that may have more than 53 bits: "0x10000000". */
static inline struct json_object *object_hex(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_object_new_string(text);
}

static inline void object_add_text(struct json_object **o, const char *key, const char *text)
{
    object_add(o, key, json_object_new_string(text));
}

static inline void object_add_number(struct json_object **o, const char *key, uint64_t value)
{
    object_add(o, key, json_object_new_uint64(value));
}

static inline void object_add_hex(struct json_object **o, const char *key, uint64_t value)
{
    object_add(o, key, object_hex(value));
}

static inline void object_add_bool(struct json_object **o, const char *key, int value)
{
    object_add(o, key, json_object_new_boolean(value));
}

/* The text of a member; NULL: there is none. */
static inline const char *object_text(struct json_object *o, const char *key)
{
    struct json_object *value;
    return json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : NULL;
}

#endif
