/* JSON output. Out of memory ends the tool with a message. */
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
/* Any text: bytes that are not UTF-8 become U+FFFD. */
struct json_object *json_text(const char *text);
/* Values that may have more than 53 bits: "0x10000000". */
struct json_object *json_hex(uint64_t value);
/* An object with schema ("softgt.run") and version (1). */
struct json_object *json_report(const char *schema);

/* Take over the value; NULL becomes null. */
void json_add(struct json_object *to, const char *key, struct json_object *value);
void json_append(struct json_object *to, struct json_object *value);

/* Appends the text, on one line. */
void json_write(struct text *to, struct json_object *value);
/* Prints and frees a JSON value, on one line. */
void json_print(struct json_object *value);

#endif
