/* JSON that is whole: where memory ends, so does the tool, which says so. */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include "base/text.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct json_object *json_empty(void);
struct json_object *json_array(void);
struct json_object *json_boolean(bool value);
struct json_object *json_int(int value);
struct json_object *json_uint64(uint64_t value);
struct json_object *json_string(const char *text);
/* Text from anywhere: what is no UTF-8 becomes U+FFFD. */
struct json_object *json_text(const char *text);
/* What may have more than 53 bits: "0x10000000". */
struct json_object *json_hex(uint64_t value);
/* An object that says what it is: "softgt.run", version 1. */
struct json_object *json_report(const char *schema);

/* They take the value, which may be NULL: null. */
void json_add(struct json_object *to, const char *key, struct json_object *value);
void json_append(struct json_object *to, struct json_object *value);

/* As text, on one line. */
void json_write(struct text *to, struct json_object *value);
/* Prints one JSON value and the line's end; frees it. */
void json_print(struct json_object *value);

#endif
