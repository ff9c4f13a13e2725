/* Building: commands, structures, messages and register values from fields by name. */
#include "spec/spec.h"

#include "gts/encoder.h"
#include "gts/gts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Settings ---- */

/* The field of a setting, and where its dwords begin. NULL: there is none. */
static const struct field *find_setting(const struct softgt_row *row,
                                        const struct softgt_field_setting *setting, bool *in_group)
{
    const struct spec_fields fields = spec_fields(row);
    const size_t length = strlen(setting->name);
    const struct field *f =
        setting->group ? NULL : gts_field_find(fields.list, fields.count, setting->name, length);
    *in_group = false;
    if (f || !fields.group_count)
        return f;
    *in_group = true;
    return gts_field_find(fields.group, fields.group_count, setting->name, length);
}

/* "dw3": it is in no group, and its values have no names. */
static bool is_dword(const struct softgt_field_setting *setting, uint32_t *number)
{
    return !setting->group && !setting->text && gts_dword_name(setting->name, strlen(setting->name), number);
}

/* The value as field_put takes it. */
static int setting_value(const struct field *f, const struct softgt_field_setting *setting, uint64_t *value)
{
    *value = setting->value;
    if (setting->text) {
        const struct field_value *const named = gts_value_find(f, setting->text, strlen(setting->text));
        if (!named)
            return -ENOENT;
        *value = named->value;
    } else if (f->kind == FIELD_INT && field_width(f) < 64) {
        const int64_t number = (int64_t)setting->value;
        const int64_t half = INT64_C(1) << (field_width(f) - 1u);
        if (number < -half || number >= 2 * half)
            return -ERANGE;
        *value &= UINT64_MAX >> (64u - field_width(f));
    }
    return 0;
}

/* ---- Commands ---- */

static int add_setting(struct gts_encoder *encoder, const struct softgt_row *row,
                       const struct softgt_field_setting *setting)
{
    struct gts_argument a = {.known = true, .value = setting->value};
    a.field = find_setting(row, setting, &a.in_group);
    if (!a.field && !is_dword(setting, &a.dword))
        return -ENOENT;
    if (a.field && gts_is_length_field(row->command, a.field))
        return -ENOENT; /* it is computed */
    if (a.field) {
        const int status = setting_value(a.field, setting, &a.value);
        if (status)
            return status;
    }
    if (a.in_group) {
        a.dword = setting->group;
        if (setting->group >= ENCODER_MAX_DW)
            return -ERANGE;
        encoder->groups = encoder->groups > a.dword + 1u ? encoder->groups : a.dword + 1u;
    }
    return gts_encoder_add(encoder, &a) ? 0 : -ENOMEM;
}

static int build_command(struct gts_encoder *encoder, const struct softgt_row *row,
                         const struct softgt_field_setting *settings, size_t count, uint32_t *length,
                         size_t *bad)
{
    if (!gts_encoder_start(encoder))
        return -ENOMEM;
    const uint32_t requested = *length;
    for (*bad = 0; *bad < count; ++*bad) {
        const int status = add_setting(encoder, row, &settings[*bad]);
        if (status)
            return status;
    }
    encoder->requested_length_dw = requested;
    *length = requested ? requested : gts_encoder_length_dw(encoder, row->command);
    const struct gts_argument *wrong;
    if (gts_encoder_build(encoder, row->command, *length, &wrong) == ENCODE_OK)
        return 0;
    *bad = wrong ? (size_t)(wrong - encoder->arguments) : count;
    return -ERANGE;
}

/* ---- What has no header ---- */

static uint32_t row_length_dw(const struct softgt_row *row)
{
    struct softgt_row_info info;
    softgt_row_get_info(row, &info);
    return info.length_dw;
}

static uint32_t most_length_dw(const struct softgt_row *row)
{
    return row->message ? row->message->max_dw : row_length_dw(row);
}

static int put_setting(const struct softgt_row *row, const struct softgt_field_setting *setting,
                       uint32_t *dwords, uint32_t most_dw, uint32_t *length)
{
    bool in_group;
    const struct field *const f = find_setting(row, setting, &in_group);
    uint32_t number, first = 0, last;
    uint64_t value;
    if (!f && is_dword(setting, &number)) {
        if (number >= most_dw || setting->value >> 32)
            return -ERANGE;
        dwords[number] = (uint32_t)setting->value;
        last = number;
    } else {
        const int status = f ? setting_value(f, setting, &value) : -ENOENT;
        if (status)
            return status;
        if (in_group && setting->group >= most_dw)
            return -ERANGE;
        if (in_group)
            first = row->command->group_dw + setting->group * row->command->group_size_dw;
        last = first + f->last / 32u;
        if (last >= most_dw || !field_put(f, dwords + first, most_dw - first, value))
            return -ERANGE;
    }
    *length = *length > last + 1u ? *length : last + 1u;
    return 0;
}

static int build_plain(uint32_t *dwords, const struct softgt_row *row,
                       const struct softgt_field_setting *settings, size_t count, uint32_t *length,
                       size_t *bad)
{
    const uint32_t requested = *length, most = most_length_dw(row);
    if (requested && (requested < row_length_dw(row) || requested > most)) {
        *bad = count;
        return -ERANGE;
    }
    *length = requested ? requested : row_length_dw(row);
    for (*bad = 0; *bad < count; ++*bad) {
        const int status = put_setting(row, &settings[*bad], dwords, requested ? requested : most, length);
        if (status)
            return status;
    }
    return 0;
}

int softgt_build(const struct softgt_row *row, const struct softgt_field_setting *settings, size_t count,
                 uint32_t *dwords, size_t most_dw, size_t *length_dw, size_t *bad)
{
    size_t unused;
    bad = bad ? bad : &unused;
    *bad = count;
    for (size_t i = 0; i < count; i++)
        if (!settings[i].name) {
            *bad = i;
            return -EINVAL;
        }
    if (*length_dw > ENCODER_MAX_DW)
        return -ERANGE;
    struct gts_encoder encoder = {0};
    uint32_t plain[UINT8_MAX + 1] = {0}, length = (uint32_t)*length_dw;
    const int status = row->kind == SOFTGT_ROW_COMMAND
                           ? build_command(&encoder, row, settings, count, &length, bad)
                           : build_plain(plain, row, settings, count, &length, bad);
    if (status == 0) {
        *bad = count;
        *length_dw = length;
        if (length <= most_dw)
            memcpy(dwords, row->kind == SOFTGT_ROW_COMMAND ? encoder.dw : plain, length * sizeof *dwords);
    }
    gts_encoder_free(&encoder);
    return status ? status : length > most_dw ? -ENOSPC : 0;
}

/* ---- Text ---- */

bool spec_send_error(const struct gts_message *m, const struct softgt_text_port *errors)
{
    char line[1024];
    if (m->kind < GTS_ERROR)
        return false;
    if (!errors || !errors->write)
        return true;
    const int length = snprintf(line, sizeof line - 1, "%s:%u:%u: %s", m->file, m->line, m->column, m->text);
    size_t size = length < 0 ? 0 : (size_t)length;
    size = size < sizeof line - 1 ? size : sizeof line - 2;
    line[size++] = '\n';
    errors->write(errors->user, line, size);
    return true;
}

struct text_errors {
    const struct softgt_text_port *port;
    bool any;
};

static void build_on_message(void *user, const struct gts_message *m)
{
    struct text_errors *const errors = user;
    errors->any |= spec_send_error(m, errors->port);
}

int softgt_build_text(const struct softgt_spec *spec, enum softgt_engine_class engine_class, const char *name,
                      const char *text, size_t text_bytes, uint64_t address, uint32_t *dwords, size_t most_dw,
                      size_t *length_dw, const struct softgt_text_port *errors)
{
    struct text_errors found = {.port = errors};
    const struct gts_options options = {.user = &found, .message = build_on_message};
    if ((unsigned)engine_class >= ENGINE_CLASSES)
        return -EINVAL;
    uint32_t *all = NULL;
    size_t length = 0;
    if (!gts_assemble_commands(&spec->commands, softgt_register_file(spec->device),
                               (enum engine_class)engine_class, name ? name : "batch", text, text_bytes,
                               address, &options, &all, &length))
        return found.any ? -EINVAL : -ENOMEM;
    *length_dw = length;
    if (length && length <= most_dw)
        memcpy(dwords, all, length * sizeof *all);
    free(all);
    return length > most_dw ? -ENOSPC : 0;
}
