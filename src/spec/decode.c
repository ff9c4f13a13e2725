/* Decoding: fields of dwords, and listings of batches. */
#include "spec/spec.h"

#include "base/sized.h"
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

/* Field `index` of those that begin before the end; there are more. */
static const struct field *present_field(const struct softgt_row *row, const struct spec_fields *fields,
                                         size_t length_dw, size_t index)
{
    if (row->in_order)
        return &fields->list[index];
    for (unsigned i = 0; i < fields->count; i++)
        if (fields->list[i].first / 32u < length_dw && index-- == 0)
            return &fields->list[i];
    return NULL;
}

/* How many begin before the end. */
static size_t present_count(const struct softgt_row *row, const struct spec_fields *fields, size_t length_dw)
{
    if (row->in_order) {
        size_t first = 0, end = fields->count;
        while (first < end) {
            const size_t middle = first + (end - first) / 2;
            if (fields->list[middle].first / 32u < length_dw)
                first = middle + 1;
            else
                end = middle;
        }
        return first;
    }
    size_t present = 0;
    for (unsigned i = 0; i < fields->count; i++)
        present += fields->list[i].first / 32u < length_dw;
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
    const size_t plain = present_count(row, &fields, length_dw);
    if (index < plain) {
        f = present_field(row, &fields, length_dw, index);
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
    sized_struct_write(field, field_bytes, &own, sizeof own);
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

const struct dumper *spec_dumper(const struct softgt_spec *spec, bool json)
{
    _Atomic(struct dumper *) *const place = &((struct softgt_spec *)(uintptr_t)spec)->dumpers[json];
    struct dumper *found = atomic_load(place);
    if (found)
        return found;
    struct dumper *const made = calloc(1, sizeof *made);
    if (made && !dumper_create(made, &spec->commands, &(struct dump_options){.json = json})) {
        free(made);
        return NULL;
    }
    if (!made || atomic_compare_exchange_strong(place, &found, made))
        return made;
    dumper_destroy(made); /* another thread's is there */
    free(made);
    return found;
}

void spec_destroy_dumpers(struct softgt_spec *spec)
{
    for (unsigned i = 0; i < 2; i++) {
        struct dumper *const made = atomic_load(&spec->dumpers[i]);
        if (made)
            dumper_destroy(made);
        free(made);
    }
}

static int list_commands(struct listing *l, const uint32_t *dwords, size_t length_dw, uint64_t address,
                         unsigned flags)
{
    struct dump_options options = spec_dump_options(flags);
    options.user = l;
    options.register_name = listing_register_name;
    const struct dumper *const shared = spec_dumper(l->spec, options.json);
    if (!shared)
        return -ENOMEM;
    struct dumper dumper = *shared;
    dumper.options = options;
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
