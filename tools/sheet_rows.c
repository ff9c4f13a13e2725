#include "sheet_rows.h"

const char *command_model_name(const struct command *c)
{
    return command_model(c) == SOFTGT_COMMAND_COUNTED ? "counted" : c->execute ? "executed" : "kept";
}

void command_engine_names(const struct command *c, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned i = 0; i < ENGINE_CLASSES; i++)
        if (c->engines & 1u << i) {
            if (text[0])
                strncat(text, " ", size - strlen(text) - 1);
            strncat(text, engine_class_names[i], size - strlen(text) - 1);
        }
}

void command_length_rule(const struct command *c, char *text, size_t size)
{
    if (c->length_bits == 0)
        snprintf(text, size, "%u", c->min_dwords);
    else
        snprintf(text, size, "[%u:0]+%u, >=%u", c->length_bits - 1u, c->length_bias, c->min_dwords);
}

const char *register_access_name(const struct register_slot *s)
{
    return register_read_only(s)   ? "read-only"
           : s->kind == REG_MASKED ? "masked"
           : s->w1c && s->writable ? "rw, w1c"
           : s->w1c                ? "w1c"
                                   : "rw";
}

const char *message_way(const struct guc_message *m)
{
    return m->from_guc                             ? "from the GuC"
           : m->transports == (VIA_MMIO | VIA_CTB) ? "mailbox, buffer"
                                                   : "buffer";
}

void sheet_print_place(FILE *to, const struct field *f, const char *indent)
{
    fprintf(to, "%s%u.%02u", indent, f->first / 32u, f->first % 32u);
    if (f->last != f->first)
        fprintf(to, "-%u.%02u", f->last / 32u, f->last % 32u);
}

void sheet_print_fields(FILE *to, const struct field *fields, unsigned count, const char *indent)
{
    for (unsigned i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        sheet_print_place(to, f, indent);
        fprintf(to, "  %s", f->name);
        for (const struct field_value *v = f->values; v && v->name; v++)
            fprintf(to, "%s%s=%llu", v == f->values ? ": " : ", ", v->name, (unsigned long long)v->value);
        fputc('\n', to);
    }
}

void sheet_print_command_fields(FILE *to, const struct command *c)
{
    sheet_print_fields(to, c->fields, c->field_count, "    ");
    if (!c->group)
        return;
    fprintf(to, "    from dword %u, every %u:\n", c->group_dw, c->group_size_dw);
    sheet_print_fields(to, c->group, c->group_count, "      ");
}
