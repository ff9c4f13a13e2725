/*
 * Disassembler, in the syntax and the columns of Intel's assembler. A column that is too full takes from the
 * padding of the next ones, and numbers do not count as filling a column.
 */
#include "isa/isa.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Widths of the columns, in characters. */
enum {
    SYNC_BAR = 14, /* functions of sync from here on: the immediate is a number, not tokens */
    PREDICATE = 7,
    MNEMONIC = 13,
    CONDITION = 9,
    DESTINATION = 12,
    SOURCE = 16,
    SEND_DESTINATION = 7,
    SEND_SOURCE = 6,
    DESCRIPTOR = 10
};

/* The line that is written, and where its current column is. */
struct line {
    const struct eu_isa *set;
    const struct eu_instruction *i;
    struct text *t;
    size_t column; /* where the current column began */
    size_t free;   /* characters of numbers in the column, which do not count */
    size_t debt;   /* characters that earlier columns used beyond their width */
    size_t blanks; /* padding before the next character */
};

static void line_put(struct line *l, const char *string)
{
    for (; *string && l->blanks; l->blanks--)
        text_char(l->t, ' ');
    text_string(l->t, string);
}

static void line_blanks(struct line *l, size_t count)
{
    l->blanks += count;
}

static void column_begin(struct line *l)
{
    l->column = l->t->length + l->blanks;
    l->free = 0;
}

static void column_end(struct line *l, size_t width)
{
    const size_t used = l->t->length + l->blanks - l->column - l->free;
    size_t pad = used < width ? width - used : 0;
    const size_t paid = pad < l->debt ? pad : l->debt;
    if (used > width)
        l->debt += used - width;
    l->debt -= used > width ? 0 : paid;
    line_blanks(l, pad - (used > width ? 0 : paid));
}

__attribute__((format(printf, 2, 3))) static void line_format(struct line *l, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    line_put(l, text);
}

/* Writes a number, which does not count in its column. */
static void line_number(struct line *l, const char *text)
{
    const size_t before = l->t->length + l->blanks;
    line_put(l, text);
    l->free += l->t->length - before;
}

static void write_hexadecimal(struct line *l, uint64_t value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "0x%0*" PRIX64, digits, value);
    line_number(l, text);
}

/* ---- Floats: the shortest text that reads back the same, else the bits ---- */

static bool is_exact(const char *text, double value, bool single)
{
    const double back = strtod(text, NULL);
    return single ? (double)(float)back == value : back == value;
}

static void write_float(struct line *l, double value, bool single, uint64_t bits, int mantissa, bool negative)
{
    char text[64];
    const uint64_t payload = bits & ((UINT64_C(1) << (mantissa - 1)) - 1);
    if (isnan(value)) {
        snprintf(text, sizeof text, "%s%s(0x%" PRIX64 ")", negative ? "-" : "",
                 bits >> (mantissa - 1) & 1 ? "qnan" : "snan", payload);
    } else if (isinf(value)) {
        snprintf(text, sizeof text, "%sinf", value < 0 ? "-" : "");
    } else {
        snprintf(text, sizeof text, "%g", value);
        if (is_exact(text, value, single)) {
            if (!strpbrk(text, ".eE"))
                strncat(text, ".0", sizeof text - strlen(text) - 1);
        } else {
            snprintf(text, sizeof text, "%e", value);
            if (!is_exact(text, value, single))
                snprintf(text, sizeof text, "0x%" PRIX64, bits);
        }
    }
    line_number(l, text);
}

static double half_value(uint16_t bits)
{
    const unsigned exponent = bits >> 10 & 0x1fu;
    const double mantissa = bits & 0x3ff, sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 0x1f)
        return mantissa != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? (mantissa + 0x400) * (double)(1u << exponent) * 0x1p-25 : mantissa * 0x1p-24);
}

static void write_immediate(struct line *l, const struct eu_operand *o)
{
    const uint64_t bits = o->immediate;
    const uint32_t word = (uint32_t)bits;
    char text[32];
    float f;
    double d;
    memcpy(&f, &word, sizeof f);
    memcpy(&d, &bits, sizeof d);
    switch (o->type) {
    case TYPE_W:
    case TYPE_D:
    case TYPE_Q:
        snprintf(text, sizeof text, "%" PRId64,
                 o->type == TYPE_W   ? (int64_t)(int16_t)bits
                 : o->type == TYPE_D ? (int64_t)(int32_t)bits
                                     : (int64_t)bits);
        line_number(l, text);
        break;
    case TYPE_HF:
        write_float(l, half_value((uint16_t)bits), true, bits & UINT16_MAX, 10, bits & 0x8000);
        break;
    case TYPE_F:
        write_float(l, (double)f, true, word, 23, word >> 31);
        break;
    case TYPE_DF:
        write_float(l, d, false, bits, 52, bits >> 63);
        break;
    default:
        write_hexadecimal(l, bits & (eu_types[o->type].bytes < 4 ? UINT16_MAX : UINT64_MAX), 0);
        break;
    }
}

/* ---- Operands ---- */

static enum eu_form form_of(const struct line *l)
{
    return (enum eu_form)l->i->operation->form;
}

static void write_label(struct line *l, int64_t at)
{
    char text[32];
    snprintf(text, sizeof text, at < 0 ? "L_N%" PRId64 : "L%" PRId64, at < 0 ? -at : at);
    line_number(l, text);
}

static void register_name(struct line *l, const struct eu_operand *o)
{
    const struct eu_file_row *f = &eu_files[o->file];
    line_put(l, f->name);
    if (f->count)
        line_format(l, "%u", o->number);
}

/* The subregister number as shown: in elements, or in bytes for some registers. */
static unsigned element(const struct eu_operand *o)
{
    const unsigned packed = o->type == TYPE_U4 || o->type == TYPE_S4   ? 1
                            : o->type == TYPE_U2 || o->type == TYPE_S2 ? 2
                                                                       : 0;
    const bool bytes = o->file == FILE_FLOW_CONTROL || o->file == FILE_MESSAGE ||
                       o->file == FILE_CHANNEL_ENABLE || o->file == FILE_IP;
    return bytes ? o->subregister : ((unsigned)o->subregister << packed) / eu_types[o->type].bytes;
}

static void write_register(struct line *l, const struct eu_operand *o, bool subregister)
{
    if (o->is_indirect) {
        line_format(l, o->address_offset ? "r[a0.%u,%d]" : "r[a0.%u]", o->address_subregister,
                    o->address_offset);
        return;
    }
    register_name(l, o);
    if (eu_is_macro(l->i))
        line_format(l, o->mme < 8 ? ".mme%u" : ".nomme", o->mme);
    else if (subregister && (eu_files[o->file].subregisters || element(o)))
        line_format(l, ".%u", element(o));
}

static void write_type(struct line *l, const struct eu_operand *o)
{
    line_put(l, ":");
    line_put(l, eu_types[o->type].name);
}

/* Align16: the channel enables of a destination or the swizzle of a source, unless it is the default. */
static void write_align16_channels(struct line *l, int which, const struct eu_operand *o)
{
    const uint32_t *v = l->i->value, *source = v + (which < 0 ? 0 : which) * EU_SOURCE_STEP;
    const bool three = form_of(l) == FORM_TERNARY;
    if (l->set->gen6_encoding && v[EU_ACCESS_MODE] && (o->file == FILE_GRF || o->file == FILE_MRF) &&
        !o->is_indirect && !eu_is_macro(l->i)) {
        if (which < 0 && v[EU_DST_CHANNELS] != 15 && !eu_is_send(l->i)) {
            line_put(l, ".");
            for (unsigned n = 0; n < 4; n++)
                if (v[EU_DST_CHANNELS] >> n & 1u)
                    line_format(l, "%c", "xyzw"[n]);
        } else if (which >= 0 && source[EU_SRC0_SWIZZLE] != 0xe4 && !(three && source[EU_SRC0_REPLICATE])) {
            line_put(l, ".");
            for (unsigned n = 0; n < 4; n++)
                line_format(l, "%c", "xyzw"[source[EU_SRC0_SWIZZLE] >> (2u * n) & 3u]);
        }
    }
}

static bool is_gen12_up(const struct line *l)
{
    return !l->set->gen6_encoding;
}

static void write_destination(struct line *l)
{
    const struct eu_instruction *i = l->i;
    const bool send = eu_is_send(i), blocks = i->operation->form == FORM_DPAS;
    const bool bare = send || blocks || eu_is_macro(i) || eu_is_branch(i);
    struct eu_operand o;
    eu_operand(l->set, i, EU_DESTINATION, &o);
    line_blanks(l, 2);
    column_begin(l);
    if (i->value[EU_SATURATE] && (i->operation->flags & EU_SATURATABLE))
        line_put(l, "(sat)");
    write_register(l, &o, !send && !blocks);
    write_align16_channels(l, EU_DESTINATION, &o);
    if (!bare || (o.hstride != 1 && !blocks))
        line_format(l, "<%u>", o.hstride);
    /* The type of a message operand is shown only up to Gen11, and for send only if it is not UD. */
    if (!eu_is_branch(i) &&
        !(send && (is_gen12_up(l) || (i->operation->form == FORM_SEND && o.type == TYPE_UD))))
        write_type(l, &o);
    column_end(l, send ? SEND_DESTINATION : DESTINATION);
}

static void write_region(struct line *l, int which, const struct eu_operand *o)
{
    const enum eu_form f = form_of(l);
    const bool bare_macro = eu_is_macro(l->i) && !(l->set->gen200_encoding && f == FORM_BINARY);
    if (f == FORM_DPAS || eu_is_branch(l->i) || bare_macro)
        return;
    if ((f == FORM_TERNARY || f == FORM_BFN) && which == 2)
        line_format(l, "<%u>", o->hstride);
    else if (f == FORM_TERNARY || f == FORM_BFN)
        line_format(l, "<%u;%u>", o->vstride, o->hstride);
    else if (o->address_per_row)
        line_format(l, "<%u,%u>", o->width, o->hstride);
    else
        line_format(l, "<%u;%u,%u>", o->vstride, o->width, o->hstride);
}

/* The scoreboard tokens that sync waits for: a bit each. */
static void write_tokens(struct line *l, uint64_t bits)
{
    char text[160] = "(";
    size_t at = 1;
    for (unsigned n = 0; n < 32; n++)
        if (bits >> n & 1u)
            at += (size_t)snprintf(text + at, sizeof text - at, at > 1 ? ",$%u" : "$%u", n);
    snprintf(text + at, sizeof text - at, ")");
    line_number(l, text);
}

static void write_source(struct line *l, int which, uint64_t at)
{
    const struct eu_instruction *i = l->i;
    const enum eu_form f = form_of(l);
    struct eu_operand o;
    eu_operand(l->set, i, eu_source_slot(l->set, i, which), &o);
    line_blanks(l, 2);
    column_begin(l);
    if (eu_is_label(i, which)) {
        const bool absolute = i->operation->gen6_code == 0x2b;
        const int64_t target = eu_branch_target(l->set, i, i->value[which ? EU_UIP : EU_JIP]);
        write_label(l, absolute ? target : (int64_t)at + target);
    } else if (eu_is_sync(i) && o.file == FILE_IMMEDIATE && i->value[EU_CONDITION] < SYNC_BAR) {
        write_tokens(l, o.immediate); /* a list has no column */
        return;
    } else if (eu_is_sync(i) && o.file == FILE_IMMEDIATE) {
        write_hexadecimal(l, o.immediate, 0);
    } else if (o.file == FILE_IMMEDIATE) {
        write_immediate(l, &o);
        write_type(l, &o);
    } else if (eu_is_sync(i)) {
        line_put(l, eu_files[FILE_NULL].name);
    } else {
        if ((o.negate || o.absolute) && (i->operation->flags & EU_SOURCE_MODIFIERS))
            line_put(l, o.absolute                         ? o.negate ? "-(abs)" : "(abs)"
                        : i->operation->flags & EU_BITWISE ? "~"
                                                           : "-");
        write_register(l, &o, f != FORM_DPAS || which == 2);
        write_align16_channels(l, which, &o);
        write_region(l, which, &o);
        if (!eu_is_branch(i))
            write_type(l, &o);
    }
    column_end(l, SOURCE);
}

/* ---- Messages ---- */

static void write_payload(struct line *l, int which, int length)
{
    struct eu_operand o;
    eu_operand(l->set, l->i, which, &o);
    line_blanks(l, 2);
    column_begin(l);
    write_register(l, &o, false);
    if (length >= 0)
        line_format(l, ":%d", length);
    if (o.type != TYPE_UD)
        write_type(l, &o);
    if (!l->set->gen200_encoding) /* then payloads have no columns */
        column_end(l, SEND_SOURCE);
}

static void write_descriptor(struct line *l, bool in_register, unsigned subregister, uint32_t value,
                             int digits)
{
    line_blanks(l, 2);
    column_begin(l);
    if (!in_register || value)
        write_hexadecimal(l, value, digits);
    if (in_register && value)
        line_number(l, ":");
    if (in_register)
        line_format(l, "a0.%u", subregister);
    column_end(l, DESCRIPTOR);
}

static void write_send(struct line *l)
{
    const uint32_t *v = l->i->value;
    const struct eu_message m = eu_message(l->set, l->i);
    write_payload(l, 0, -1);
    if (l->i->operation->sources > 1)
        write_payload(l, 1,
                      l->set->has_lsc && (!v[EU_EXTENDED_IN_REGISTER] || v[EU_EX_BSO]) ? m.lengths[2] : -1);
    write_descriptor(l, v[EU_EXTENDED_IN_REGISTER], v[EU_EXTENDED_SUBREGISTER], m.ex_descriptor, 0);
    write_descriptor(l, v[EU_DESCRIPTOR_IN_REGISTER], 0, m.descriptor_in_register ? 0 : m.descriptor, 8);
}

/* ---- Options ---- */

/* The list of options in braces. */
struct options {
    struct line *l;
    bool some;
};

static void write_option(struct options *o, bool is_set, const char *name)
{
    if (!is_set)
        return;
    line_put(o->l, o->some ? "," : " {");
    line_put(o->l, name);
    o->some = true;
}

/* Software scoreboard of Gen20: a distance or a token in the low eight bits, or both in ten bits. */
static void write_scoreboard_gen200(struct options *o)
{
    static const char *const pipes[16] = {"", "A", "F", "I", "L", "M"},
                             *const waits[4] = {".dst", ".src", "", ".?"},
                             *const send_pipes[4] = {"", "A", "F", "I"},
                             *const dpas_waits[4] = {"", "", ".src", ".dst"};
    const struct eu_instruction *i = o->l->i;
    const uint32_t swsb = i->value[EU_SWSB], mode = swsb >> 8 & 3u;
    const bool is_send = eu_is_send(i), is_dpas = form_of(o->l) == FORM_DPAS;
    const char *const pipe = pipes[swsb >> 3 & 15u];
    char text[32];
    if (mode) {
        snprintf(text, sizeof text, "%s@%u",
                 is_send                 ? send_pipes[mode]
                 : mode == 3 && !is_dpas ? "A"
                                         : "",
                 swsb >> 5 & 7u);
        write_option(o, true, text);
        snprintf(text, sizeof text, "$%u%s", swsb & 31u,
                 is_send     ? ""
                 : is_dpas   ? dpas_waits[mode]
                 : mode == 2 ? ".src"
                             : ".dst");
    } else if (swsb == 0xf0) {
        snprintf(text, sizeof text, "NoAccSBSet");
    } else if (swsb & 0x80) {
        snprintf(text, sizeof text, "$%u%s", swsb & 31u, waits[swsb >> 5 & 3u]);
    } else {
        snprintf(text, sizeof text, "%s@%u", pipe ? pipe : "?", swsb & 7u);
    }
    write_option(o, swsb & 0x387, text);
}

/* Software scoreboard: a distance in instructions of a pipe, and a token that is set or waited for. */
static void write_scoreboard(struct options *o)
{
    static const struct {
        uint8_t code, mask;
        const char *name;
    } pipes[2][5] = {
        {{0x00, 0xf0, ""}},
        {{0x00, 0xf8, ""}, {0x08, 0xf8, "A"}, {0x10, 0xf8, "F"}, {0x18, 0xf8, "I"}, {0x50, 0xf8, "L"}}};
    const struct eu_instruction *i = o->l->i;
    const uint32_t swsb = i->value[EU_SWSB];
    const bool sends = eu_is_send(i), sets = sends || !i->operation->sources || form_of(o->l) == FORM_DPAS;
    const bool by_pipe = o->l->set->swsb_has_pipes;
    char text[32];
    if (!swsb)
        return;
    if (swsb & 0x80) {
        snprintf(text, sizeof text, "%s@%u", by_pipe && sends ? "A" : "", swsb >> 4 & 7u);
        write_option(o, true, text);
        snprintf(text, sizeof text, "$%u%s", swsb & 15u, sets ? "" : ".dst");
        write_option(o, true, text);
        return;
    }
    for (unsigned n = 0; n < 5 && pipes[by_pipe][n].mask; n++)
        if ((swsb & pipes[by_pipe][n].mask) == pipes[by_pipe][n].code) {
            snprintf(text, sizeof text, "%s@%u", pipes[by_pipe][n].name,
                     swsb & ~pipes[by_pipe][n].mask & 15u);
            write_option(o, swsb & ~pipes[by_pipe][n].mask & 15u, text);
            return;
        }
    snprintf(text, sizeof text, "$%u%s", swsb & 15u, swsb >> 4 == 2 ? ".dst" : swsb >> 4 == 3 ? ".src" : "");
    write_option(o, true, text);
}

static void write_options(struct line *l)
{
    const uint32_t *v = l->i->value;
    const bool send = eu_is_send(l->i), gen12_up = is_gen12_up(l);
    const bool none = form_of(l) == FORM_NONE;
    struct options o = {.l = l};
    write_option(&o, v[EU_ACC_WRITE] && !send && !eu_is_branch(l->i) && !eu_is_sync(l->i), "AccWrEn");
    write_option(&o, v[EU_THREAD_CONTROL] == 1, "Atomic");
    write_option(&o, v[EU_BREAKPOINT], "Breakpoint");
    write_option(&o, l->i->size_bytes == EU_COMPACT_BYTES, "Compacted");
    write_option(&o, v[EU_EOT], "EOT");
    write_option(&o, v[EU_DEPENDENCY] & 2 && !send, "NoDDChk");
    write_option(&o, v[EU_DEPENDENCY] & 1 && !send, "NoDDClr");
    write_option(&o, v[EU_THREAD_CONTROL] == 3, "NoPreempt");
    write_option(&o, v[EU_ACC_WRITE] && l->set->generation & EU_GEN9_11 && send, "NoSrcDepSet");
    write_option(&o, v[EU_THREAD_CONTROL] == 2, "Switch");
    write_option(&o, v[EU_ACC_WRITE] && send && gen12_up, "Serialize");
    write_option(&o, v[EU_EX_BSO] && !(l->set->gen200_encoding && v[EU_CONDITION] == SFID_UGM), "ExBSO");
    write_option(&o, v[EU_CPS], "CPS");
    if (l->set->gen200_encoding)
        write_scoreboard_gen200(&o);
    else if (!none || gen12_up)
        write_scoreboard(&o);
    if (o.some)
        line_put(l, "}");
}

/* ---- Lines ---- */

static void write_predicate(struct line *l)
{
    static const char *const predicate_names[16] = {"",        "",        ".anyv",   ".allv",  ".any2h",
                                                    ".all2h",  ".any4h",  ".all4h",  ".any8h", ".all8h",
                                                    ".any16h", ".all16h", ".any32h", ".all32h"};
    static const char *const components[4] = {".x", ".y", ".z", ".w"}, *const whole[4] = {"", "", ".any",
                                                                                          ".all"};
    const uint32_t *v = l->i->value, way = v[EU_PREDICATE] & 15u;
    const bool one = v[EU_ACCESS_MODE] && l->set->gen6_encoding && way >= 2 && way <= 5;
    const bool is_predicated = v[EU_PREDICATE] && (l->i->operation->flags & EU_PREDICATED);
    column_begin(l);
    if (v[EU_NO_MASK] || is_predicated) {
        line_put(l, v[EU_NO_MASK] ? is_predicated ? "(W&" : "(W" : "(");
        if (is_predicated)
            line_format(l, "%sf%u.%u%s", v[EU_PREDICATE_INVERT] ? "~" : "", v[EU_FLAG] >> 1, v[EU_FLAG] & 1u,
                        one                       ? components[way - 2u]
                        : l->set->gen200_encoding ? whole[way & 3u]
                        : predicate_names[way]    ? predicate_names[way]
                                                  : "");
        line_put(l, ")");
    }
    column_end(l, PREDICATE);
}

static void write_mnemonic(struct line *l)
{
    const struct eu_instruction *i = l->i;
    const uint32_t *v = i->value, function = v[EU_CONDITION];
    column_begin(l);
    line_put(l, i->operation->name);
    if (!i->operation->sources && form_of(l) == FORM_BINARY)
        line_format(l, ".%s", eu_math_names[function] ? eu_math_names[function] : "?");
    else if (eu_is_sync(i))
        line_format(l, ".%s", eu_sync_names[function]);
    else if (form_of(l) == FORM_BFN)
        line_format(l, ".(%s)", eu_bfn_names[v[EU_FUNCTION]]);
    else if (form_of(l) == FORM_DPAS)
        line_format(l, ".%ux%u", 1u << v[EU_DEPTH], v[EU_REPEAT] + 1u);
    else if (eu_is_send(i) && is_gen12_up(l))
        line_format(l, ".%s", eu_sfid_name(l->set, function));
    else if (i->operation->flags & EU_BRANCH_CONTROL && v[EU_ACC_WRITE])
        line_put(l, ".b");
    line_blanks(l, 1);
    if (!(i->operation->flags & EU_NO_EXECUTION_SIZE))
        line_format(l, "(%u|M%u)", eu_channels(i), v[EU_CHANNEL_OFFSET] * 4u);
    column_end(l, MNEMONIC);
}

static void write_condition(struct line *l)
{
    static const char *const names[16] = {"", "eq", "ne", "gt", "ge", "lt", "le", "?", "ov", "un"};
    static const char *const bfn_conditions[16] = {"", "eq", "gt", "lt"}; /* codes of bfn */
    const uint32_t *v = l->i->value;
    const bool macro = eu_is_macro(l->i) && form_of(l) == FORM_BINARY;
    column_begin(l);
    if (macro || (v[EU_CONDITION] && (l->i->operation->flags & EU_CONDITIONAL)))
        line_format(l, "(%s)f%u.%u",
                    macro ? "eo" : (form_of(l) == FORM_BFN ? bfn_conditions : names)[v[EU_CONDITION]],
                    v[EU_FLAG] >> 1, v[EU_FLAG] & 1u);
    column_end(l, CONDITION);
}

static void write_illegal(struct line *l, const struct eu_instruction *i)
{
    uint8_t bytes[EU_NATIVE_BYTES];
    if (!eu_encode(l->set, i, bytes))
        memset(bytes, 0, sizeof bytes);
    line_put(l, " //");
    for (unsigned n = 0; n < i->size_bytes; n++)
        line_format(l, " %02x", bytes[n]);
    line_format(l, ": %s", i->illegal);
}

void eu_disassemble(const struct eu_isa *set, const struct eu_instruction *i, uint64_t at, struct text *t)
{
    struct line l = {.set = set, .i = i, .t = t};
    const struct eu_instruction plain = {.operation = &eu_operations[0], .size_bytes = i->size_bytes};
    if (i->illegal)
        l.i = &plain;
    write_predicate(&l);
    line_blanks(&l, 1);
    write_mnemonic(&l);
    line_blanks(&l, 1);
    write_condition(&l);
    if (eu_has_destination(l.i))
        write_destination(&l);
    else
        line_blanks(&l, DESTINATION);
    if (eu_is_send(l.i)) {
        write_send(&l);
    } else {
        const bool one_register = form_of(&l) == FORM_BRANCH && !l.i->value[EU_SRC0_IMMEDIATE];
        const unsigned sources = one_register ? 1 : eu_source_count(l.i);
        for (unsigned n = 0; n < sources; n++)
            write_source(&l, (int)n, at);
        column_begin(&l);
        column_end(&l, sources < 2 ? SOURCE : 0);
    }
    write_options(&l);
    if (eu_is_send(l.i)) {
        line_put(&l, " // ");
        eu_disassemble_message(set, l.i, t);
    }
    if (i->illegal)
        write_illegal(&l, i);
}

/* ---- Kernels ---- */

/* Where the listing ends. labels: of each compacted instruction's place, set where branches go; or NULL. */
static size_t listing_end(const struct eu_isa *set, const uint8_t *byte, size_t size_bytes,
                          const struct eu_listing *how, uint8_t *labels)
{
    const size_t unit = EU_COMPACT_BYTES;
    struct eu_instruction i;
    size_t stop = size_bytes, furthest = 0;
    unsigned count = 0;
    for (size_t at = 0; at < stop; at += i.size_bytes) {
        if (!eu_decode(set, byte + at, size_bytes - at, &i) ||
            (how->max_instructions && count++ == how->max_instructions))
            return at;
        for (int n = 0; n < (int)eu_source_count(&i) && !i.illegal && eu_is_label(&i, n); n++) {
            const bool absolute = i.operation->gen6_code == 0x2b;
            const int64_t target =
                (absolute ? 0 : (int64_t)at) + eu_branch_target(set, &i, i.value[n ? EU_UIP : EU_JIP]);
            if (target < 0 || (uint64_t)target > size_bytes || target % (int64_t)unit)
                continue;
            if (labels)
                labels[(size_t)target / unit] = 1;
            if ((size_t)target > furthest)
                furthest = (size_t)target;
        }
        if (labels && !i.illegal && (eu_is_branch(&i) || i.value[EU_EOT]))
            labels[(at + i.size_bytes) / unit] = 1;
        const bool ends =
            i.operation == &eu_operations[0] || (i.value[EU_EOT] && at + i.size_bytes > furthest);
        if (how->one_program && ends)
            stop = at + i.size_bytes;
    }
    return stop;
}

size_t eu_program_bytes(const struct eu_isa *set, const void *bytes, size_t size_bytes)
{
    return listing_end(set, bytes, size_bytes, &(struct eu_listing){.one_program = true}, NULL);
}

unsigned eu_disassemble_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                               const struct eu_listing *how, struct text *t, size_t *listed_bytes)
{
    const uint8_t *byte = bytes;
    const size_t unit = EU_COMPACT_BYTES, units = size_bytes / unit + 1u;
    uint8_t *labels = calloc(units, 1);
    struct eu_instruction i;
    unsigned bad = 0;
    if (!labels) {
        t->failed = true;
        return 0;
    }
    labels[0] = 1;
    const size_t stop = listing_end(set, byte, size_bytes, how, labels);
    *listed_bytes = 0;
    for (size_t at = 0; at < stop && eu_decode(set, byte + at, size_bytes - at, &i); at = *listed_bytes) {
        *listed_bytes = at + i.size_bytes;
        char text[40];
        if (labels[at / unit]) {
            snprintf(text, sizeof text, "L%zu:\n", at);
            text_string(t, how->indent);
            text_string(t, text);
        }
        text_string(t, how->indent);
        if (how->has_offsets) {
            snprintf(text, sizeof text, "%s+0x%03zx  ", at == how->current ? "=> " : "   ", at);
            text_string(t, text);
        }
        eu_disassemble(set, &i, at, t);
        text_char(t, '\n');
        bad += i.illegal != NULL;
    }
    if (!how->one_program && stop == size_bytes && *listed_bytes == stop && stop && labels[stop / unit]) {
        char text[40];
        snprintf(text, sizeof text, "L%zu:\n", stop);
        text_string(t, how->indent);
        text_string(t, text);
    }
    free(labels);
    return bad;
}
