/* Decoding: fields of dwords, and listings of batches. */
#include "spec/spec.h"

#include "gts/gts.h"
#include "stream/names.h"

#include <errno.h>
#include <stdlib.h>

enum { MI_BATCH_BUFFER_END = 0x0a, PIECE_BYTES = 1 << 16 };

uint32_t softgt_command_length(const struct softgt_spec *spec, enum softgt_engine_class engine_class,
                               uint32_t header)
{
    const struct softgt_row *const row = softgt_spec_command(spec, engine_class, header);
    return row ? command_length_dw(row->command, header) : 0;
}

/* ---- Fields ---- */

/* Fields that begin before the end; as they are in order of their bits mostly, but need not be. */
static const struct field *present_field(const struct field *list, unsigned count, size_t length_dw,
                                         size_t *index)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i].first / 32u < length_dw && (*index)-- == 0)
            return &list[i];
    return NULL;
}

static size_t present_count(const struct field *list, unsigned count, size_t length_dw)
{
    size_t present = 0;
    for (unsigned i = 0; i < count; i++)
        present += list[i].first / 32u < length_dw;
    return present;
}

static void decode_value(const struct field *f, const uint32_t *dwords, size_t length_dw,
                         struct softgt_decoded_field *out)
{
    const uint64_t value = field_get(f, dwords, (uint32_t)length_dw);
    out->name = f->name;
    out->kind = (enum softgt_field_kind)f->kind;
    out->value = f->kind == FIELD_INT ? (uint64_t)field_signed(f, value) : value;
    out->value_name = f->values ? field_value_name(f, value) : NULL;
}

bool softgt_decode_field_sized(const struct softgt_row *row, const uint32_t *dwords, size_t length_dw,
                               size_t index, struct softgt_decoded_field *field, size_t field_bytes)
{
    const struct spec_fields fields = spec_fields(row);
    struct softgt_decoded_field own = {.group = UINT32_MAX};
    const struct field *f = NULL;
    if (length_dw > UINT32_MAX)
        length_dw = UINT32_MAX;
    const size_t plain = present_count(fields.list, fields.count, length_dw);
    if (index < plain) {
        f = present_field(fields.list, fields.count, length_dw, &index);
    } else if (fields.group_count) {
        const struct command *const c = row->command;
        const size_t group = (index - plain) / fields.group_count;
        if (length_dw < c->group_dw || group >= (length_dw - c->group_dw) / c->group_size_dw)
            return false;
        const size_t start = c->group_dw + group * c->group_size_dw;
        f = &fields.group[(index - plain) % fields.group_count];
        own.group = (uint32_t)group;
        dwords += start;
        length_dw = c->group_size_dw;
    }
    if (!f)
        return false;
    decode_value(f, dwords, length_dw, &own);
    spec_copy(field, field_bytes, &own, sizeof own);
    return true;
}

/* ---- Listings ---- */

struct listing {
    const struct softgt_spec *spec;
    enum engine_class class;
    const struct softgt_text_port *out;
    struct text text;
    char register_name[96];
};

static const char *listing_register_name(void *user, uint32_t offset)
{
    struct listing *const l = user;
    return spec_register_name(l->spec, offset, l->register_name, sizeof l->register_name);
}

int spec_send(struct text *t, const struct softgt_text_port *out)
{
    const bool failed = t->failed;
    if (t->length && !failed)
        out->write(out->user, t->bytes, t->length);
    text_free(t);
    *t = (struct text){0};
    return failed ? -ENOMEM : 0;
}

static void on_line(void *user, size_t index, const char *text)
{
    struct listing *const l = user;
    (void)index;
    text_string(&l->text, text);
    text_char(&l->text, '\n');
    if (l->text.length >= PIECE_BYTES && !l->text.failed) {
        l->out->write(l->out->user, l->text.bytes, l->text.length);
        l->text.length = 0;
    }
}

static int list_commands(struct listing *l, const uint32_t *dwords, size_t length_dw, uint64_t address,
                         unsigned flags)
{
    const struct dump_options options = {
        .colour = flags & SOFTGT_DECODE_COLOR,
        .json = flags & SOFTGT_DECODE_JSON,
        .headers_only = flags & SOFTGT_DECODE_HEADERS,
        .nonzero = flags & SOFTGT_DECODE_NONZERO,
        .user = l,
        .register_name = listing_register_name,
    };
    struct dumper dumper;
    if (!dumper_create(&dumper, &l->spec->commands, &options))
        return -ENOMEM;
    int wrong = 0;
    for (size_t at = 0, length; at < length_dw && !l->text.failed; at += length) {
        wrong += dump_command(&dumper, &l->text, l->class, dwords + at, length_dw - at, address + at * 4,
                              &length) != DUMP_COMMAND;
        if (l->text.length >= PIECE_BYTES && !l->text.failed) {
            l->out->write(l->out->user, l->text.bytes, l->text.length);
            l->text.length = 0;
        }
        if (dwords[at] >> 23 == MI_BATCH_BUFFER_END && !(flags & SOFTGT_DECODE_ALL))
            break;
    }
    dumper_destroy(&dumper);
    return wrong;
}

/* Finds where a batch ends: after MI_BATCH_BUFFER_END, if `all` is not set. Returns how many headers before
 * are unknown or cut off. */
static int find_end(const struct listing *l, const uint32_t *dwords, size_t *length_dw, bool all)
{
    const struct command_set *const set = &l->spec->commands;
    int wrong = 0;
    for (size_t at = 0, length; at < *length_dw; at += length) {
        const uint16_t found = command_find(set, l->class, dwords[at]);
        const uint16_t number = found ? found : set->elsewhere[dwords[at] >> 16]; /* as dump_command */
        length = number ? command_length_dw(set->rows[number], dwords[at]) : 1;
        wrong += !number || length > *length_dw - at;
        length = length ? length : 1;
        if (dwords[at] >> 23 == MI_BATCH_BUFFER_END && !all)
            *length_dw = at + 1;
    }
    return wrong;
}

int softgt_decode(const struct softgt_spec *spec, enum softgt_engine_class engine_class,
                  const uint32_t *dwords, size_t length_dw, uint64_t address, unsigned flags,
                  const struct softgt_text_port *out)
{
    const unsigned known = SOFTGT_DECODE_JSON | SOFTGT_DECODE_HEADERS | SOFTGT_DECODE_NONZERO |
                           SOFTGT_DECODE_GTS | SOFTGT_DECODE_ALL | SOFTGT_DECODE_COLOR;
    if ((unsigned)engine_class >= ENGINE_CLASSES || flags & ~known || !out || !out->write ||
        (flags & SOFTGT_DECODE_GTS && flags & ~(unsigned)(SOFTGT_DECODE_GTS | SOFTGT_DECODE_ALL)))
        return -EINVAL;
    struct listing l = {.spec = spec, .class = (enum engine_class)engine_class, .out = out};
    int wrong = 0;
    if (flags & SOFTGT_DECODE_GTS) {
        wrong = find_end(&l, dwords, &length_dw, flags & SOFTGT_DECODE_ALL);
        if (!gts_disassemble(&spec->commands, l.class, dwords, length_dw, &l, on_line))
            wrong = -ENOMEM;
    } else {
        wrong = list_commands(&l, dwords, length_dw, address, flags);
    }
    const int sent = spec_send(&l.text, out);
    return sent ? sent : wrong;
}
