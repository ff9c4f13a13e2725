/* Specs: the rows of a device, made once. */
#include "spec/spec.h"

#include "base/sized.h"
#include "commands/commands.h"
#include "stream/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_BYTES = 96, MI_BATCH_BUFFER_END = 0x0a };

static bool read_nothing(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

/* ---- Rows ---- */

static bool add_commands(struct softgt_spec *spec, enum softgt_row_kind kind, const struct command_set *set)
{
    struct spec_rows *const rows = &spec->rows[kind];
    rows->list = calloc(set->count, sizeof *rows->list);
    for (unsigned i = 1; rows->list && i < set->count; i++)
        rows->list[rows->count++] = (struct softgt_row){
            .spec = spec, .kind = kind, .name = set->rows[i]->name, .command = set->rows[i]};
    return rows->list;
}

static int by_offset(const void *a, const void *b)
{
    const struct softgt_row *x = a, *y = b;
    return x->slot->offset < y->slot->offset ? -1 : x->slot->offset > y->slot->offset;
}

/* The rows of registers in the order of their slots. */
static bool add_unit_registers(struct softgt_spec *spec, const struct register_file *file)
{
    const struct spec_rows *const rows = &spec->rows[SOFTGT_ROW_REGISTER];
    const struct softgt_row **const by_slot = calloc(file->slot_count, sizeof *by_slot);
    size_t count = 0;
    if (!by_slot)
        return false;
    for (size_t i = 0; i < rows->count; i++)
        by_slot[rows->list[i].slot - file->slots] = &rows->list[i];
    for (uint32_t i = 0; i < file->slot_count; i++)
        if (by_slot[i])
            by_slot[count++] = by_slot[i];
    spec->unit_registers = by_slot;
    return true;
}

/* A register of two dwords is one row. An element of an array is a row with a name of its own. */
static bool add_registers(struct softgt_spec *spec)
{
    const struct register_file *const file = softgt_register_file(spec->device);
    struct spec_rows *const rows = &spec->rows[SOFTGT_ROW_REGISTER];
    size_t named = 0;
    if (spec->is_decoded)
        return true;
    for (unsigned i = 1; i < file->slot_count; i++)
        named += file->slots[i].row->count > 1;
    rows->list = calloc(file->slot_count, sizeof *rows->list);
    rows->names = malloc(named * NAME_BYTES + 1);
    if (!rows->list || !rows->names)
        return false;
    char *name = rows->names;
    for (unsigned i = 1; i < file->slot_count; i++) {
        const struct register_slot *const s = &file->slots[i];
        if (s->dword)
            continue;
        struct softgt_row *const row = &rows->list[rows->count++];
        *row =
            (struct softgt_row){.spec = spec, .kind = SOFTGT_ROW_REGISTER, .name = s->row->name, .slot = s};
        if (s->row->count < 2)
            continue;
        register_slot_name(s, name, NAME_BYTES);
        row->name = name;
        name += NAME_BYTES;
    }
    qsort(rows->list, rows->count, sizeof *rows->list, by_offset);
    return add_unit_registers(spec, file);
}

static bool add_messages(struct softgt_spec *spec)
{
    struct spec_rows *const rows = &spec->rows[SOFTGT_ROW_MESSAGE];
    size_t count = 0;
    for (const struct guc_messages *const *t = guc_message_tables; *t && spec->sheet->guc; t++)
        count += (*t)->count;
    rows->list = calloc(count + 1, sizeof *rows->list);
    for (const struct guc_messages *const *t = guc_message_tables; rows->list && *t && count; t++)
        for (unsigned i = 0; i < (*t)->count; i++)
            rows->list[rows->count++] = (struct softgt_row){.spec = spec,
                                                            .kind = SOFTGT_ROW_MESSAGE,
                                                            .name = (*t)->rows[i].name,
                                                            .message = &(*t)->rows[i]};
    return rows->list;
}

static bool is_in_order(const struct field *list, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (list[i].first / 32u < list[i - 1].first / 32u)
            return false;
    return true;
}

static void note_orders(struct softgt_spec *spec)
{
    for (unsigned kind = 0; kind < SPEC_ROW_KINDS; kind++)
        for (size_t i = 0; i < spec->rows[kind].count; i++) {
            struct softgt_row *const row = &spec->rows[kind].list[i];
            const struct spec_fields fields = spec_fields(row);
            row->in_order = is_in_order(fields.list, fields.count);
        }
}

int softgt_spec_create(const char *device, struct softgt_spec **result)
{
    const struct softgt_config config = {.memory = {.read = read_nothing}};
    if (result)
        *result = NULL;
    if (!device || !result)
        return -EINVAL;
    const struct sheet *const runs = sheet_find(device);
    const struct sheet *const sheet = runs ? runs : decoded_find(device);
    if (!sheet)
        return -ENODEV;
    struct softgt_spec *const spec = calloc(1, sizeof *spec);
    if (!spec)
        return -ENOMEM;
    spec->sheet = sheet;
    spec->is_decoded = !runs;
    if (device_create(sheet, &config, &spec->device) == 0 &&
        command_set_create(&spec->commands, command_tables, sheet->generation) &&
        structure_set_create(&spec->structures, structure_tables, sheet->generation) &&
        add_commands(spec, SOFTGT_ROW_COMMAND, &spec->commands) &&
        add_commands(spec, SOFTGT_ROW_STRUCTURE, &spec->structures) && add_registers(spec) &&
        add_messages(spec) && spec_lists_create(spec)) {
        note_orders(spec);
        *result = spec;
        return 0;
    }
    softgt_spec_destroy(spec);
    return -ENOMEM;
}

void softgt_spec_destroy(struct softgt_spec *spec)
{
    if (!spec)
        return;
    for (unsigned i = 0; i < SPEC_ROW_KINDS; i++) {
        free(spec->rows[i].list);
        free(spec->rows[i].names);
    }
    free(spec->unit_registers);
    spec_lists_destroy(spec);
    spec_destroy_dumpers(spec);
    command_set_destroy(&spec->commands);
    command_set_destroy(&spec->structures);
    softgt_destroy(spec->device);
    free(spec);
}

/* ---- Finding rows ---- */

static bool is_kind(enum softgt_row_kind kind)
{
    return (unsigned)kind < SPEC_ROW_KINDS;
}

size_t softgt_spec_rows(const struct softgt_spec *spec, enum softgt_row_kind kind)
{
    return is_kind(kind) ? spec->rows[kind].count : 0;
}

const struct softgt_row *softgt_spec_row(const struct softgt_spec *spec, enum softgt_row_kind kind,
                                         size_t index)
{
    return index < softgt_spec_rows(spec, kind) ? &spec->rows[kind].list[index] : NULL;
}

const struct softgt_row *softgt_spec_unit_register(const struct softgt_spec *spec, size_t index)
{
    return index < spec->rows[SOFTGT_ROW_REGISTER].count ? spec->unit_registers[index] : NULL;
}

/* The row's name is `name`, or with its unit "rcs0.NAME". */
static bool has_name(const struct softgt_row *row, const char *name)
{
    char whole[NAME_BYTES + 32];
    if (names_are_same(row->name, name))
        return true;
    if (row->kind != SOFTGT_ROW_REGISTER || !strchr(name, '.'))
        return false;
    snprintf(whole, sizeof whole, "%s.%s", row->slot->unit, row->name);
    return names_are_same(whole, name);
}

const struct softgt_row *softgt_spec_find(const struct softgt_spec *spec, enum softgt_row_kind kind,
                                          const char *name)
{
    const struct softgt_row *found = NULL;
    for (size_t i = 0; name && i < softgt_spec_rows(spec, kind); i++) {
        const struct softgt_row *const row = &spec->rows[kind].list[i];
        if (!has_name(row, name))
            continue;
        if (kind != SOFTGT_ROW_REGISTER)
            return row;
        if (found && strcmp(found->slot->unit, row->slot->unit) != 0)
            return NULL; /* of several units */
        found = found ? found : row;
    }
    return found;
}

static const struct softgt_row *row_of_command(const struct softgt_spec *spec, uint16_t number)
{
    return number ? &spec->rows[SOFTGT_ROW_COMMAND].list[number - 1u] : NULL;
}

const struct softgt_row *softgt_spec_command(const struct softgt_spec *spec,
                                             enum softgt_engine_class engine_class, uint32_t header)
{
    if ((unsigned)engine_class >= ENGINE_CLASSES)
        return NULL;
    return row_of_command(spec, command_find(&spec->commands, (enum engine_class)engine_class, header));
}

const struct softgt_row *softgt_spec_register(const struct softgt_spec *spec, uint32_t offset)
{
    const struct register_slot *const s = register_slot_at(softgt_register_file(spec->device), offset);
    const struct spec_rows *const rows = &spec->rows[SOFTGT_ROW_REGISTER];
    if (!s->row || spec->is_decoded)
        return NULL;
    size_t first = 0, end = rows->count;
    while (end - first > 1) { /* the last row at or before the slot's offset */
        const size_t middle = first + (end - first) / 2;
        if (rows->list[middle].slot->offset <= s->offset)
            first = middle;
        else
            end = middle;
    }
    return &rows->list[first];
}

int softgt_spec_engine_class(const struct softgt_spec *spec, const char *engine,
                             enum softgt_engine_class *engine_class)
{
    const unsigned classes = engine ? sheet_engine_classes(spec->sheet, engine) : 0;
    if (!classes)
        return -ENOENT;
    *engine_class = (enum softgt_engine_class)__builtin_ctz(classes);
    return 0;
}

size_t softgt_spec_register_name(const struct softgt_spec *spec, uint32_t offset, char *text,
                                 size_t size_bytes)
{
    const struct register_slot *const s = register_slot_at(softgt_register_file(spec->device), offset);
    char name[NAME_BYTES] = "";
    if (s->row && !spec->is_decoded)
        register_slot_name(s, name, sizeof name);
    if (size_bytes)
        snprintf(text, size_bytes, "%s", name);
    return strlen(name);
}

const char *spec_register_name(const struct softgt_spec *spec, uint32_t offset, char *text, size_t size)
{
    const struct register_slot *const s = register_slot_at(softgt_register_file(spec->device), offset);
    if (!s->row || s->row->count < 2)
        return s->row ? s->row->name : NULL;
    register_slot_name(s, text, size);
    return text;
}

/* ---- What a row is ---- */

struct spec_fields spec_fields(const struct softgt_row *row)
{
    const struct command *const c = row->command;
    if (c)
        return (struct spec_fields){c->fields, c->group, c->field_count, c->group ? c->group_count : 0u};
    if (row->slot)
        return (struct spec_fields){.list = row->slot->row->fields, .count = row->slot->row->field_count};
    return (struct spec_fields){.list = row->message->fields, .count = row->message->field_count};
}

static void describe_command(const struct softgt_row *row, struct softgt_row_info *info)
{
    const struct command *const c = row->command;
    const bool is_decoded = row->spec->is_decoded;
    info->summary = c->summary;
    info->source = c->spec;
    info->length_dw = c->min_dwords;
    if (row->kind == SOFTGT_ROW_COMMAND) {
        info->value = c->match;
        info->mask = c->mask;
        info->engine_classes = c->engines;
        info->model = is_decoded ? SOFTGT_COMMAND_COUNTED : command_model(c);
        info->is_privileged = c->flags & COMMAND_PRIVILEGED;
        info->ends_batch = c->match >> 23 == MI_BATCH_BUFFER_END;
        info->length_bits = c->length_bits;
        info->length_bias = c->length_bias;
        info->privileged_if = c->privileged_if;
        info->is_predicated = c->flags & COMMAND_PREDICATED;
        info->is_preemptable = c->flags & COMMAND_ARBITRATES;
        info->flags =
            c->flags & COMMAND_PERFORMED_IF_SUPPORTED && !is_decoded ? SOFTGT_COMMAND_IF_SUPPORTED : 0;
    }
    info->group_start_dw = c->group ? c->group_dw : 0;
    info->group_length_dw = c->group ? c->group_size_dw : 0;
}

static void describe_register(const struct softgt_row *row, struct softgt_row_info *info)
{
    const struct register_slot *const s = row->slot;
    info->summary = s->row->summary;
    info->source = s->row->spec;
    info->unit = s->unit;
    info->value = s->offset;
    info->is_64_bit = s->row->dwords == 2;
    info->length_dw = info->is_64_bit ? 2 : 1;
    info->is_masked = s->row->kind == REG_MASKED;
    info->writable_bits = s->row->writable;
    info->clear_bits = s->row->w1c;
    info->reset_value = s->row->reset;
    info->is_user_writable = s->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE);
    info->array_length = s->row->count > 1 ? s->row->count : 1;
}

static void describe_message(const struct softgt_row *row, struct softgt_row_info *info)
{
    const struct guc_message *const m = row->message;
    info->summary = m->summary;
    info->source = m->spec;
    info->value = m->action;
    info->length_dw = m->min_dw;
    info->most_length_dw = m->max_dw;
    if (m->from_guc)
        info->flags |= SOFTGT_MESSAGE_FROM_GUC;
    if (m->transports & VIA_MMIO)
        info->flags |= SOFTGT_MESSAGE_VIA_REGISTERS;
    if (m->transports & VIA_CTB)
        info->flags |= SOFTGT_MESSAGE_VIA_BUFFER;
    if (m->transports & FROM_VF)
        info->flags |= SOFTGT_MESSAGE_FROM_VF;
}

void softgt_row_get_info_sized(const struct softgt_row *row, struct softgt_row_info *info, size_t info_bytes)
{
    const struct spec_fields fields = spec_fields(row);
    struct softgt_row_info own = {
        .kind = row->kind, .name = row->name, .fields = fields.count, .group_fields = fields.group_count};
    if (row->command) {
        describe_command(row, &own);
    } else if (row->slot) {
        describe_register(row, &own);
    } else {
        describe_message(row, &own);
    }
    sized_struct_write(info, info_bytes, &own, sizeof own);
}

static const struct field *field_at(const struct softgt_row *row, size_t index)
{
    const struct spec_fields fields = spec_fields(row);
    if (index < fields.count)
        return &fields.list[index];
    return index - fields.count < fields.group_count ? &fields.group[index - fields.count] : NULL;
}

bool softgt_row_get_field_sized(const struct softgt_row *row, size_t index, struct softgt_field_info *info,
                                size_t info_bytes)
{
    const struct field *const f = field_at(row, index);
    if (!f)
        return false;
    struct softgt_field_info own = {
        .name = f->name, .kind = (enum softgt_field_kind)f->kind, .first_bit = f->first, .last_bit = f->last};
    while (f->values && f->values[own.values].name)
        own.values++;
    own.base = f->base ? base_infos[f->base].name : NULL;
    const uint16_t target = f->target ? structure_find(&row->spec->structures, (enum structure)f->target) : 0;
    own.target = target ? row->spec->structures.rows[target]->name : NULL;
    sized_struct_write(info, info_bytes, &own, sizeof own);
    return true;
}

bool softgt_row_find_field(const struct softgt_row *row, const char *name, size_t *index)
{
    const struct field *f;
    for (size_t i = *index; name && (f = field_at(row, i)) != NULL; i++)
        if (names_are_same(f->name, name)) {
            *index = i;
            return true;
        }
    return false;
}

const char *softgt_row_value_name(const struct softgt_row *row, size_t index, size_t value_index,
                                  uint64_t *value)
{
    const struct field *const f = field_at(row, index);
    for (const struct field_value *v = f ? f->values : NULL; v && v->name; v++)
        if (value_index-- == 0) {
            *value = v->value;
            return v->name;
        }
    return NULL;
}
