#include "sheet_rows.h"

#include <string.h>

const char *const sheet_class_names[ENGINE_CLASS_NAMES] = {"render",  "copy",    "video",
                                                           "enhance", "compute", "other"};

const char *command_model_name(const struct softgt_row_info *command)
{
    return command->model == SOFTGT_COMMAND_COUNTED    ? "counted"
           : command->model == SOFTGT_COMMAND_EXECUTED ? "executed"
                                                       : "kept";
}

void command_engine_names(const struct softgt_row_info *command, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned i = 0; i < ENGINE_CLASS_NAMES; i++)
        if (command->engine_classes & 1u << i) {
            if (text[0])
                strncat(text, " ", size - strlen(text) - 1);
            strncat(text, sheet_class_names[i], size - strlen(text) - 1);
        }
}

void command_length_rule(const struct softgt_row_info *command, char *text, size_t size)
{
    if (command->length_bits == 0)
        snprintf(text, size, "%u", command->length_dw);
    else
        snprintf(text, size, "[%u:0]+%u, >=%u", command->length_bits - 1u, command->length_bias,
                 command->length_dw);
}

const char *message_way(const struct softgt_row_info *message)
{
    return message->flags & SOFTGT_MESSAGE_FROM_GUC                                       ? "from the GuC"
           : message->flags == (SOFTGT_MESSAGE_VIA_REGISTERS | SOFTGT_MESSAGE_VIA_BUFFER) ? "mailbox, buffer"
                                                                                          : "buffer";
}

/* ---- Registers ---- */

bool register_dword(const struct softgt_row *row, unsigned number, struct register_dword *dword)
{
    softgt_row_get_info(row, &dword->info);
    if (number >= dword->info.length_dw)
        return false;
    const unsigned shift = number * 32u;
    dword->row = row;
    dword->offset = dword->info.value + number * 4u;
    dword->info.writable_bits = (uint32_t)(dword->info.writable_bits >> shift);
    dword->info.clear_bits = (uint32_t)(dword->info.clear_bits >> shift);
    dword->info.reset_value = (uint32_t)(dword->info.reset_value >> shift);
    snprintf(dword->name, sizeof dword->name, "%s%s", dword->info.name, number ? "_UDW" : "");
    return true;
}

const char *register_access_name(const struct register_dword *dword)
{
    const struct softgt_row_info *const i = &dword->info;
    return !(i->writable_bits | i->clear_bits) ? "read-only"
           : i->is_masked                      ? "masked"
           : i->clear_bits && i->writable_bits ? "rw, w1c"
           : i->clear_bits                     ? "w1c"
                                               : "rw";
}

bool register_is_later(const struct softgt_row_info *info)
{
    const char *const index = info->array_length > 1 ? strrchr(info->name, '[') : NULL;
    return index && strcmp(index, "[0]") != 0;
}

/* ---- Fields ---- */

void sheet_print_place(FILE *to, const struct softgt_field_info *field, const char *indent)
{
    fprintf(to, "%s%u.%02u", indent, field->first_bit / 32u, field->first_bit % 32u);
    if (field->last_bit != field->first_bit)
        fprintf(to, "-%u.%02u", field->last_bit / 32u, field->last_bit % 32u);
}

void sheet_print_field(FILE *to, const struct softgt_row *row, size_t index, const char *indent)
{
    struct softgt_field_info field;
    uint64_t value;
    if (!softgt_row_get_field(row, index, &field))
        return;
    sheet_print_place(to, &field, indent);
    fprintf(to, "  %s", field.name);
    for (uint32_t i = 0; i < field.values; i++) {
        const char *const name = softgt_row_value_name(row, index, i, &value);
        fprintf(to, "%s%s=%llu", i ? ", " : ": ", name, (unsigned long long)value);
    }
    fputc('\n', to);
}

void sheet_print_fields(FILE *to, const struct softgt_row *row, const char *indent)
{
    struct softgt_row_info info;
    softgt_row_get_info(row, &info);
    for (uint32_t i = 0; i < info.fields; i++)
        sheet_print_field(to, row, i, indent);
}

void sheet_print_command_fields(FILE *to, const struct softgt_row *row)
{
    struct softgt_row_info info;
    softgt_row_get_info(row, &info);
    sheet_print_fields(to, row, "    ");
    if (!info.group_fields)
        return;
    fprintf(to, "    from dword %u, every %u:\n", info.group_start_dw, info.group_length_dw);
    for (uint32_t i = 0; i < info.group_fields; i++)
        sheet_print_field(to, row, info.fields + i, "      ");
}
