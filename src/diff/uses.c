#include "diff/uses.h"

#include "device/host.h"
#include "host/structure_dumper.h"
#include "isa/isa.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNEL_BYTES = 1 << 18, REJECTED = 64, INSTRUCTION_BYTES = 16 };

/* A piece whose use is looked for. */
struct piece_use {
    struct diff_memory *piece;
    uint64_t begin; /* of the structure that has it; of several the last: those before it are shorter */
    const struct command *by;    /* the command that points to it since; NULL: none does */
    uint64_t rejected[REJECTED]; /* kernels that it is not a part of */
    unsigned rejected_count;
};

struct uses {
    const struct diff_recording *a, *b;
    unsigned engine;
    struct bases bases;
    bool finds_begins; /* of pieces, and no uses */
    struct structure_dumper dumper;
    const struct command *row; /* of the current command */
    uint64_t file_offset;      /* of it */
    struct piece_use pieces[DIFF_LISTED];
    unsigned piece_count;
    uint8_t *kernel; /* MOST_KERNEL_BYTES */
};

static uint64_t of_48_bits(uint64_t address)
{
    return address & ((UINT64_C(1) << 48) - 1u);
}

static bool read_a(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct uses *const u = user;
    return softgt_ppgtt_read(u->a->device, u->engine, address, data, size_bytes);
}

/* The packet had written the piece when the current command ran, and no command points to it yet. */
static bool is_wanted(const struct uses *u, const struct piece_use *p)
{
    const uint64_t written = p->piece->file_offset_a;
    return !p->piece->use.draw && !p->by && (written == DIFF_NO_OFFSET || written <= u->file_offset);
}

/* ---- Structures ---- */

static void put_field_value(char text[DIFF_TEXT], const struct field *f, uint64_t value)
{
    const char *const name = field_value_name(f, value);
    const uint32_t bits = (uint32_t)value;
    float single;
    memcpy(&single, &bits, sizeof single);
    if (name)
        snprintf(text, DIFF_TEXT, "%s", name);
    else if (f->kind == FIELD_FLOAT)
        snprintf(text, DIFF_TEXT, "%.9g", (double)single);
    else
        snprintf(text, DIFF_TEXT, "0x%" PRIx64, value);
}

static void append(char text[DIFF_TEXT], const char *more)
{
    const size_t length = strlen(text);
    snprintf(text + length, DIFF_TEXT - length, "%s%s", length ? ", " : "", more);
}

/* The fields of dword `at_dw` that differ; x, y: where the fields' bits count from. */
static bool put_fields(struct diff_use *use, const struct field *fields, unsigned count, unsigned at_dw,
                       const uint32_t *x, const uint32_t *y, uint32_t length_dw)
{
    bool found = false;
    for (unsigned n = 0; n < count; n++) {
        const struct field *const f = &fields[n];
        char a[DIFF_TEXT], b[DIFF_TEXT];
        if (f->first == UINT16_MAX || f->last / 32u >= length_dw || f->first / 32u > at_dw ||
            f->last / 32u < at_dw || field_get(f, x, length_dw) == field_get(f, y, length_dw))
            continue;
        put_field_value(a, f, field_get(f, x, length_dw));
        put_field_value(b, f, field_get(f, y, length_dw));
        append(use->what, f->name);
        append(use->a, a);
        append(use->b, b);
        found = true;
    }
    return found;
}

static void find_kernels(struct uses *u, const struct command *row, const uint32_t *dw, uint32_t length_dw);

/* The structure has the piece's first dword: names it, its entry, and the fields. */
static void use_structure(struct uses *u, struct piece_use *p, const struct command *s, int index,
                          uint64_t address, const uint32_t *dw)
{
    enum { MOST_DW = 32 };
    uint32_t other[MOST_DW];
    const uint64_t offset = of_48_bits(p->piece->address_a) - address;
    const unsigned at_dw = (unsigned)(offset / 4u);
    struct diff_use use = {0};
    if (s->min_dwords > MOST_DW || !softgt_ppgtt_read(u->b->device, u->engine, p->piece->address_b - offset,
                                                      other, s->min_dwords * sizeof *other))
        return;
    const bool in_group = s->group_count && s->group_size_dw && at_dw >= s->group_dw;
    const unsigned entry = in_group ? (at_dw - s->group_dw) / s->group_size_dw : 0,
                   begin_dw = in_group ? s->group_dw + entry * s->group_size_dw : 0;
    const bool found = put_fields(&use, in_group ? s->group : s->fields,
                                  in_group ? s->group_count : s->field_count, at_dw - begin_dw, dw + begin_dw,
                                  other + begin_dw, in_group ? s->group_size_dw : s->min_dwords);
    char fields[DIFF_TEXT], number[32] = "";
    snprintf(fields, sizeof fields, "%s", use.what);
    if (index >= 0 || in_group)
        snprintf(number, sizeof number, " [%u]", in_group ? entry : (unsigned)index);
    if (!found) {
        snprintf(fields, sizeof fields, "dword %u", at_dw - begin_dw);
        snprintf(use.a, sizeof use.a, "0x%08x", dw[at_dw]);
        snprintf(use.b, sizeof use.b, "0x%08x", other[at_dw]);
    }
    snprintf(use.what, sizeof use.what, "%s%s %.100s", s->name, number, fields);
    p->piece->use = use;
    p->by = u->row;
}

static void on_structure(void *user, const struct command *s, int index, uint64_t address, const uint32_t *dw)
{
    struct uses *const u = user;
    for (unsigned n = 0; n < u->piece_count; n++) {
        struct piece_use *const p = &u->pieces[n];
        const uint64_t begin = of_48_bits(address);
        if (!is_wanted(u, p) || of_48_bits(p->piece->address_a) - begin >= s->min_dwords * 4ul)
            continue;
        if (u->finds_begins && p->begin < begin)
            p->begin = begin;
        if (!u->finds_begins && p->begin == begin)
            use_structure(u, p, s, index, begin, dw);
    }
    find_kernels(u, s, dw, s->min_dwords);
}

/* ---- Kernels ---- */

static bool is_rejected(const struct piece_use *p, uint64_t kernel)
{
    for (unsigned n = 0; n < p->rejected_count && n < REJECTED; n++)
        if (p->rejected[n] == kernel)
            return true;
    return false;
}

/* The bytes from the kernel on that there are. */
static size_t read_kernel(const struct uses *u, uint64_t kernel)
{
    size_t there = MOST_KERNEL_BYTES;
    while (there >= INSTRUCTION_BYTES &&
           !softgt_ppgtt_read(u->a->device, u->engine, kernel, u->kernel, there))
        there /= 2;
    return there >= INSTRUCTION_BYTES ? there : 0;
}

static void put_instruction(const struct uses *u, const uint8_t *bytes, uint64_t at, char text[DIFF_TEXT])
{
    const struct eu_isa *const isa = u->a->sheet->eu;
    struct eu_instruction i;
    struct text t = {0};
    if (eu_decode(isa, bytes, INSTRUCTION_BYTES, &i))
        eu_disassemble(isa, &i, at, &t);
    size_t length = 0; /* blanks of columns become one */
    for (size_t n = 0; n < t.length && length < DIFF_TEXT - 1; n++)
        if (t.bytes[n] != ' ' || (length && text[length - 1] != ' '))
            text[length++] = t.bytes[n];
    text[length] = 0;
    text_free(&t);
}

/* Of instructions whose text does not tell them apart. */
static void append_dwords(char text[DIFF_TEXT], const uint8_t *bytes, size_t size_bytes)
{
    uint32_t dw[INSTRUCTION_BYTES / 4];
    size_t at = strlen(text);
    memcpy(dw, bytes, size_bytes);
    for (unsigned n = 0; n < size_bytes / 4 && at < DIFF_TEXT; n++)
        at += (size_t)snprintf(text + at, DIFF_TEXT - at, "%s0x%08x", n ? " " : " // ", dw[n]);
}

static void use_kernel(struct uses *u, struct piece_use *p, const char *row, const char *field,
                       uint64_t kernel)
{
    const struct eu_isa *const isa = u->a->sheet->eu;
    const uint64_t offset = of_48_bits(p->piece->address_a) - kernel;
    uint8_t other[INSTRUCTION_BYTES] = {0};
    struct eu_instruction i;
    struct diff_use use = {0};
    size_t at = 0;
    const size_t there = read_kernel(u, kernel), size = eu_program_bytes(isa, u->kernel, there);
    while (at < size && eu_decode(isa, u->kernel + at, there - at, &i) && at + i.size_bytes <= offset)
        at += i.size_bytes;
    if (offset >= size || at + INSTRUCTION_BYTES > there ||
        !softgt_ppgtt_read(u->b->device, u->engine, p->piece->address_b - (offset - at), other,
                           sizeof other)) {
        p->rejected[p->rejected_count++ % REJECTED] = kernel;
        return;
    }
    snprintf(use.what, sizeof use.what, "instruction at +0x%zx of the kernel at 0x%" PRIx64 " (%s, %s)", at,
             kernel, row, field);
    use.is_instruction = true;
    put_instruction(u, u->kernel + at, at, use.a);
    put_instruction(u, other, at, use.b);
    if (strcmp(use.a, use.b) == 0) {
        append_dwords(use.a, u->kernel + at, i.size_bytes);
        append_dwords(use.b, other, i.size_bytes);
    }
    p->piece->use = use;
    p->by = u->row;
}

/* Kernels that a command or descriptor points to. Offset 0 in a command is that of a disabled stage. */
static void find_kernels(struct uses *u, const struct command *row, const uint32_t *dw, uint32_t length_dw)
{
    for (unsigned k = 0; k < row->field_count && u->a->sheet->eu && !u->finds_begins; k++) {
        const struct field *const f = &row->fields[k];
        uint64_t kernel;
        if (f->base != BASE_INSTRUCTION || f->first / 32u >= length_dw ||
            !strstr(f->name, "Kernel Start Pointer"))
            continue;
        const uint64_t value = field_get(f, dw, length_dw);
        if ((!value && row == u->row) || !bases_resolve(&u->bases, BASE_INSTRUCTION, value, &kernel))
            continue;
        kernel = of_48_bits(kernel);
        for (unsigned n = 0; n < u->piece_count; n++) {
            struct piece_use *const p = &u->pieces[n];
            if (is_wanted(u, p) && of_48_bits(p->piece->address_a) - kernel < MOST_KERNEL_BYTES &&
                !is_rejected(p, kernel))
                use_kernel(u, p, row->name, f->name, kernel);
        }
    }
}

/* ---- Commands ---- */

/* A command that is there again points elsewhere, unless it points to the piece again. */
static void forget_pointers(struct uses *u)
{
    for (unsigned n = 0; n < u->piece_count; n++) {
        struct piece_use *const p = &u->pieces[n];
        if (p->by == u->row && !p->piece->use.draw) {
            p->by = NULL;
            p->piece->use = (struct diff_use){0};
        }
    }
}

static void note_draw(struct uses *u, const struct diff_command *c)
{
    for (unsigned n = 0; n < u->piece_count; n++)
        if (u->pieces[n].by && !u->pieces[n].piece->use.draw) {
            u->pieces[n].piece->use.draw = c->draw;
            u->pieces[n].piece->use.is_dispatch = command_is_dispatch(u->row->name);
        }
}

static void follow_command(struct uses *u, const struct command_set *set, const struct diff_command *c)
{
    const uint32_t *const dw = u->a->dw + c->first_dw;
    const uint16_t number = command_find(set, u->a->sheet->engines[u->engine].class, dw[0]);
    if (!number)
        return;
    u->row = set->rows[number];
    u->file_offset = c->file_offset;
    bases_see(&u->bases, u->row, dw, c->length_dw);
    forget_pointers(u);
    structure_dumper_command(&u->dumper, NULL, u->row, dw, c->length_dw, c->address);
    find_kernels(u, u->row, dw, c->length_dw);
    if (c->draw)
        note_draw(u, c);
}

/* False: out of memory. */
static bool follow_commands(struct uses *u)
{
    const struct dump_options options = {.no_address = true, .bases = &u->bases};
    u->bases = device_bases(u->a->device, u->engine);
    u->dumper = (struct structure_dumper){.read = read_a, .user = u, .found = on_structure};
    const bool good = structure_dumper_create(&u->dumper, u->a->sheet->generation, &options);
    for (size_t n = 0; n < u->a->count && good; n++)
        if (u->a->commands[n].engine == u->engine && u->a->commands[n].context == u->a->context[u->engine])
            follow_command(u, softgt_command_set(u->a->device), &u->a->commands[n]);
    structure_dumper_destroy(&u->dumper);
    return good;
}

/* What no draw uses is named, too. */
static void find_on_engine(struct uses *u, struct diff_result *result)
{
    u->piece_count = 0;
    for (unsigned n = 0; n < result->memory_count && n < DIFF_LISTED; n++) {
        struct diff_memory *const m = &result->memory[n];
        if (m->is_written && m->engine == u->a->sheet->engines[u->engine].name && !m->only_a && !m->only_b)
            u->pieces[u->piece_count++] = (struct piece_use){.piece = m};
    }
    if (!u->piece_count)
        return;
    for (unsigned pass = 0; pass < 2; pass++) {
        u->finds_begins = pass == 0;
        result->no_memory |= !follow_commands(u);
    }
}

void diff_find_uses(const struct diff_recording *a, const struct diff_recording *b,
                    struct diff_result *result)
{
    struct uses *const u = calloc(1, sizeof *u);
    uint8_t *const kernel = malloc(MOST_KERNEL_BYTES);
    result->no_memory |= !u || !kernel;
    for (unsigned n = 0; u && kernel && n < a->sheet->info.engine_count && n < DIFF_ENGINES; n++) {
        u->a = a;
        u->b = b;
        u->kernel = kernel;
        u->engine = n;
        find_on_engine(u, result);
    }
    free(kernel);
    free(u);
}
