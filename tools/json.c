#include "tool.h"

static struct json_object *json_checked(struct json_object *o)
{
    if (!o)
        tool_no_memory();
    return o;
}

struct json_object *json_empty(void)
{
    return json_checked(json_object_new_object());
}

struct json_object *json_array(void)
{
    return json_checked(json_object_new_array());
}

struct json_object *json_boolean(bool value)
{
    return json_checked(json_object_new_boolean(value));
}

struct json_object *json_int(int value)
{
    return json_checked(json_object_new_int(value));
}

struct json_object *json_uint64(uint64_t value)
{
    return json_checked(json_object_new_uint64(value));
}

struct json_object *json_string(const char *text)
{
    return json_checked(json_object_new_string(text));
}

struct json_object *json_text(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *clean = malloc(strlen(text) * 3 + 1), *to = clean;
    while (clean && *text) {
        const size_t length = text_character_bytes(text);
        memcpy(to, length ? text : replacement, length ? length : 3);
        to += length ? length : 3;
        text += length ? length : 1;
    }
    struct json_object *o = json_checked(clean ? json_object_new_string_len(clean, (int)(to - clean)) : NULL);
    free(clean);
    return o;
}

struct json_object *json_hex(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
    return json_string(text);
}

struct json_object *json_report(const char *schema)
{
    struct json_object *o = json_empty();
    json_add(o, "schema", json_string(schema));
    json_add(o, "version", json_int(1));
    return o;
}

void json_add(struct json_object *to, const char *key, struct json_object *value)
{
    if (json_object_object_add(to, key, value) != 0)
        tool_no_memory();
}

void json_append(struct json_object *to, struct json_object *value)
{
    if (json_object_array_add(to, value) != 0)
        tool_no_memory();
}

void json_write(struct text *to, struct json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_object: {
        struct json_object_iterator at = json_object_iter_begin(value), end = json_object_iter_end(value);
        text_char(to, '{');
        for (bool first = true; !json_object_iter_equal(&at, &end);
             json_object_iter_next(&at), first = false) {
            if (!first)
                text_char(to, ',');
            text_json(to, json_object_iter_peek_name(&at));
            text_char(to, ':');
            json_write(to, json_object_iter_peek_value(&at));
        }
        text_char(to, '}');
        break;
    }
    case json_type_array:
        text_char(to, '[');
        for (size_t i = 0; i < json_object_array_length(value); i++) {
            if (i)
                text_char(to, ',');
            json_write(to, json_object_array_get_idx(value, i));
        }
        text_char(to, ']');
        break;
    case json_type_string:
        text_json(to, json_object_get_string(value));
        break;
    case json_type_int:
        if (json_object_get_int64(value) < 0)
            text_signed(to, json_object_get_int64(value));
        else
            text_decimal(to, json_object_get_uint64(value));
        break;
    case json_type_boolean:
        text_string(to, json_object_get_boolean(value) ? "true" : "false");
        break;
    default:
        text_string(to, "null");
    }
}

void json_print(struct json_object *value)
{
    struct text text = {0};
    json_write(&text, value);
    text_char(&text, '\n');
    if (text.failed)
        tool_no_memory();
    fwrite(text.bytes, 1, text.length, stdout);
    text_free(&text);
    json_object_put(value);
}
