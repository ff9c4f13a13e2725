/* Commands, registers, structures and GuC messages by the names of their rows, so that tests say what the
 * manuals say. A name that no row has fails the test. After cmocka.h. */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include "device/device.h"
#include "gts/encoder.h"
#include "gts/gts.h"
#include "guc/guc.h"
#include "stream/structure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void words_message(void *user, const struct gts_message *message)
{
    (void)user;
    print_error("%s:%u: %s\n", message->file, message->line, message->text);
}

/* Commands that were assembled before: tests draw the same scenes again and again. */
struct words_line {
    const char *product; /* its name */
    unsigned engine;
    char text[4096];
    uint32_t dw[512], length_dw;
};

static inline struct words_line *words_line(const struct softgt *device, unsigned engine, const char *text)
{
    enum { LINES = 64 };
    static struct words_line lines[LINES];
    uint32_t hash = engine;
    for (const char *c = text; *c; c++)
        hash = hash * 31u + (unsigned char)*c;
    struct words_line *const line = &lines[hash % LINES];
    if (line->product == device->sheet->info.name && line->engine == engine && strcmp(line->text, text) == 0)
        return line;
    line->product = NULL;
    return line;
}

static inline uint32_t assemble_list(const struct softgt *device, unsigned engine, uint32_t *dw,
                                     const char *format, va_list values)
{
    const struct gts_options options = {.message = words_message};
    char text[4096];
    uint32_t *made = NULL;
    size_t length_dw = 0;
    const int length = vsnprintf(text, sizeof text, format, values);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    struct words_line *const line = words_line(device, engine, text);
    if (line->product) {
        memcpy(dw, line->dw, line->length_dw * 4);
        return line->length_dw;
    }
    if (!gts_assemble_commands(&device->set, NULL, device->sheet->engines[engine].class, "commands", text,
                               (size_t)length, 0, &options, &made, &length_dw))
        fail_msg("%s: not assembled: %s", device->sheet->info.name, text);
    memcpy(dw, made, length_dw * 4);
    if (length_dw <= sizeof line->dw / 4) {
        line->product = device->sheet->info.name;
        line->engine = engine;
        line->length_dw = (uint32_t)length_dw;
        memcpy(line->text, text, (size_t)length + 1);
        memcpy(line->dw, made, length_dw * 4);
    }
    free(made);
    return (uint32_t)length_dw;
}

/*
 * Commands of an engine, a line each, as gts(5) writes them; returns their length in dwords:
 *     assemble(s->device, 0, dw, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = 7", DATA)
 */
__attribute__((format(printf, 4, 5))) static inline uint32_t assemble(const struct softgt *device,
                                                                      unsigned engine, uint32_t *dw,
                                                                      const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const uint32_t length_dw = assemble_list(device, engine, dw, format, values);
    va_end(values);
    return length_dw;
}

/* The same, at *to, which then points to the dword after them. */
__attribute__((format(printf, 4, 5))) static inline void commands_put(const struct softgt *device,
                                                                      unsigned engine, uint32_t **to,
                                                                      const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *to += assemble_list(device, engine, *to, format, values);
    va_end(values);
}

/* The row of a command of engine 0; NULL: there is none. */
static inline const struct command *command_row(const struct softgt *device, uint32_t header)
{
    const uint16_t row = command_find(&device->set, device->sheet->engines[0].class, header);
    return row ? device->set.rows[row] : NULL;
}

/* The last command of that name among those of engine 0, which is the one in force. */
static inline uint32_t *command_named(const struct softgt *device, uint32_t *dw, uint32_t count,
                                      const char *name)
{
    uint32_t *found = NULL;
    for (uint32_t at = 0; at < count;) {
        const struct command *const row = command_row(device, dw[at]);
        if (!row)
            fail_msg("%s: %#x at dword %u is no command", device->sheet->info.name, dw[at], at);
        if (strcmp(row->name, name) == 0)
            found = dw + at;
        at += command_length_dw(row, dw[at]);
    }
    if (!found)
        fail_msg("%s: no %s among the commands", device->sheet->info.name, name);
    return found;
}

/* A field by its name and its value, or by the name of its value. */
struct field_word {
    const char *name;
    uint64_t value;
    const char *value_name;
};
/* FIELD_WORDS({"Surface Type", .value_name = "SURFTYPE_2D"}, {"Width", 63}) */
#define FIELD_WORDS(...)                                                                                     \
    (const struct field_word[]){__VA_ARGS__},                                                                \
        sizeof((const struct field_word[]){__VA_ARGS__}) / sizeof(struct field_word)

/* Puts the fields into dw and leaves the other bits alone. */
static inline void field_words_put(const char *row, const struct field *fields, unsigned field_count,
                                   const struct field_word *words, size_t count, uint32_t *dw,
                                   uint32_t length_dw)
{
    for (const struct field_word *w = words; w < words + count; w++) {
        const struct field *const f = gts_field_find(fields, field_count, w->name, strlen(w->name));
        if (!f)
            fail_msg("%s has no field %s", row, w->name);
        const struct field_value *const v =
            w->value_name ? gts_value_find(f, w->value_name, strlen(w->value_name)) : NULL;
        if (w->value_name && !v)
            fail_msg("%s of %s has no value %s", w->name, row, w->value_name);
        if (!field_put(f, dw, length_dw, v ? v->value : w->value))
            fail_msg("%s of %s does not hold %#llx", w->name, row, (unsigned long long)w->value);
    }
}

/* Puts fields into a command of engine 0. */
static inline void command_fields_put(const struct softgt *device, uint32_t *dw,
                                      const struct field_word *words, size_t count)
{
    const struct command *const row = command_row(device, *dw);
    if (!row)
        fail_msg("%s: %#x is no command", device->sheet->info.name, *dw);
    field_words_put(row->name, row->fields, row->field_count, words, count, dw, command_length_dw(row, *dw));
}
#define COMMAND_PUT(device, dw, ...) command_fields_put((device), (dw), FIELD_WORDS(__VA_ARGS__))

/* The same for a group of it, by its number. */
static inline void command_group_put(const struct softgt *device, uint32_t *dw, unsigned group,
                                     const struct field_word *words, size_t count)
{
    const struct command *const row = command_row(device, *dw);
    const uint32_t at = row ? row->group_dw + group * row->group_size_dw : 0;
    if (!row || at + row->group_size_dw > command_length_dw(row, *dw))
        fail_msg("%s: %#x has no group %u", device->sheet->info.name, *dw, group);
    field_words_put(row->name, row->group, row->group_count, words, count, dw + at, row->group_size_dw);
}
#define COMMAND_GROUP_PUT(device, dw, group, ...)                                                            \
    command_group_put((device), (dw), (group), FIELD_WORDS(__VA_ARGS__))

static inline const struct command *structure_row(const struct softgt *device, const char *name)
{
    for (uint16_t i = 1; i < device->structures.count; i++)
        if (strcmp(device->structures.rows[i]->name, name) == 0)
            return device->structures.rows[i];
    fail_msg("%s: no structure %s", device->sheet->info.name, name);
    return NULL;
}

/* A structure in memory, whose other bits are cleared; returns its length in dwords. */
static inline uint32_t structure_put(const struct softgt *device, const char *name, uint32_t *dw,
                                     const struct field_word *words, size_t count)
{
    const struct command *const row = structure_row(device, name);
    memset(dw, 0, row->min_dwords * 4u);
    field_words_put(name, row->fields, row->field_count, words, count, dw, row->min_dwords);
    return row->min_dwords;
}
#define STRUCTURE_PUT(device, name, dw, ...) structure_put((device), (name), (dw), FIELD_WORDS(__VA_ARGS__))

/* Changes fields of a structure that is there. */
static inline void structure_change(const struct softgt *device, const char *name, uint32_t *dw,
                                    const struct field_word *words, size_t count)
{
    const struct command *const row = structure_row(device, name);
    field_words_put(name, row->fields, row->field_count, words, count, dw, row->min_dwords);
}
#define STRUCTURE_CHANGE(device, name, dw, ...)                                                              \
    structure_change((device), (name), (dw), FIELD_WORDS(__VA_ARGS__))

/* The value of a surface format, by its name. */
static inline uint32_t surface_format(const struct softgt *device, const char *name)
{
    static const char field_name[] = "Surface Format";
    const struct command *const row = structure_row(device, "RENDER_SURFACE_STATE");
    const struct field *const f =
        gts_field_find(row->fields, row->field_count, field_name, strlen(field_name));
    const struct field_value *const v = gts_value_find(f, name, strlen(name));
    if (!v)
        fail_msg("%s: no surface format %s", device->sheet->info.name, name);
    return (uint32_t)v->value;
}

/* The bits of an IEEE single. */
static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A register by its name, "GDRST", or its unit's and its own, "rcs0.CS_GPR[3]". */
static inline const struct register_slot *register_named(const struct softgt *device, const char *name)
{
    const char *const point = strchr(name, '.');
    char unit[32] = "";
    if (point)
        snprintf(unit, sizeof unit, "%.*s", (int)(point - name), name);
    const struct register_slot *const slot =
        register_find(&device->mmio, point ? unit : NULL, point ? point + 1 : name);
    if (!slot)
        fail_msg("%s: no register %s", device->sheet->info.name, name);
    return slot;
}

static inline uint32_t register_offset(const struct softgt *device, const char *name)
{
    return register_named(device, name)->offset;
}

/* The value of a register that has these fields: REGISTER_BITS(device, "GDRST", {"Full Soft Reset", 1}). */
static inline uint32_t register_bits(const struct softgt *device, const char *name,
                                     const struct field_word *words, size_t count)
{
    const struct reg *const row = register_named(device, name)->row;
    uint32_t value[2] = {0};
    field_words_put(name, row->fields, row->field_count, words, count, value, 2);
    return value[0];
}
#define REGISTER_BITS(device, name, ...) register_bits((device), (name), FIELD_WORDS(__VA_ARGS__))

/* What is written to set these fields; a masked register's mask is of them: MASKED_BITS(device, "DMA_CTRL",
 * {"Start", 1}). */
static inline uint32_t masked_bits(const struct softgt *device, const char *name,
                                   const struct field_word *words, size_t count)
{
    const struct reg *const row = register_named(device, name)->row;
    uint32_t mask = 0;
    for (const struct field_word *w = words; w < words + count && row->kind == REG_MASKED; w++) {
        const struct field *const f = gts_field_find(row->fields, row->field_count, w->name, strlen(w->name));
        for (unsigned bit = f ? f->first : 1; f && bit <= f->last; bit++)
            mask |= 1u << bit;
    }
    return register_bits(device, name, words, count) | mask << 16;
}
#define MASKED_BITS(device, name, ...) masked_bits((device), (name), FIELD_WORDS(__VA_ARGS__))

/* A field's part of a register's value. */
static inline uint32_t register_field(const struct softgt *device, const char *name, const char *field,
                                      uint32_t value)
{
    const struct reg *const row = register_named(device, name)->row;
    const struct field *const f = gts_field_find(row->fields, row->field_count, field, strlen(field));
    if (!f)
        fail_msg("%s has no field %s", name, field);
    return (uint32_t)(value >> f->first & ((UINT64_C(2) << (f->last - f->first)) - 1));
}

/* The action of a message to the GuC, and of one from it. */
static inline uint32_t guc_action(const char *name, bool from_guc)
{
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (const struct guc_message *m = (*t)->rows; m < (*t)->rows + (*t)->count; m++)
            if ((bool)m->from_guc == from_guc && strcmp(m->name, name) == 0)
                return m->action;
    fail_msg("no message %s", name);
    return 0;
}
#define H2G(name) guc_action((name), false)
#define G2H(name) guc_action((name), true)

/* A key by the message that has it, and its name there: guc_key("SELF_CFG", "H2G address"). */
static inline uint32_t guc_key(const char *message, const char *key)
{
    const struct guc_message *const row = guc_message_find((uint16_t)H2G(message), false);
    const struct field *const f = gts_field_find(row->fields, row->field_count, "Key", 3);
    const struct field_value *const v = f ? gts_value_find(f, key, strlen(key)) : NULL;
    if (!v)
        fail_msg("%s has no key %s", message, key);
    return (uint32_t)v->value;
}

/* First dwords of what the GuC sends. */
#define GUC_EVENT_OF(name)     (GUC_ORIGIN | (uint32_t)GUC_EVENT << 28 | G2H(name))
#define GUC_SUCCESS_OF(value)  (GUC_ORIGIN | (uint32_t)GUC_SUCCESS << 28 | (uint32_t)(value))
#define GUC_FAILURE_OF(error)  (GUC_ORIGIN | (uint32_t)GUC_FAILURE << 28 | (uint32_t)(error))
#define GUC_KLV(key, value_dw) ((uint32_t)(key) << 16 | (uint32_t)(value_dw))

#endif
