/*
 * Decoder and encoder of instructions, and expansion and compaction of compacted ones. Both directions walk
 * the same rows (fields.c, compact.c).
 */
#include "isa/isa.h"

static uint64_t mask_of(unsigned width)
{
    return width < 64u ? (UINT64_C(1) << width) - 1u : UINT64_MAX;
}

static uint64_t get_bits(const uint64_t *half, const struct eu_piece *p)
{
    const unsigned at = p->first % 64u;
    uint64_t value = half[p->first / 64u] >> at;
    if (at + p->width > 64u)
        value |= half[1] << (64u - at);
    return value & mask_of(p->width);
}

static void set_bits(uint64_t *half, const struct eu_piece *p, uint64_t value)
{
    const unsigned at = p->first % 64u;
    const uint64_t mask = mask_of(p->width);
    value &= mask;
    half[p->first / 64u] = (half[p->first / 64u] & ~(mask << at)) | value << at;
    if (at + p->width > 64u)
        half[1] = (half[1] & ~(mask >> (64u - at))) | value >> (64u - at);
}

/* The bits of all pieces as one number; the first piece is lowest. */
static uint64_t get_pieces(const uint64_t *half, const struct eu_piece *pieces, unsigned max_pieces)
{
    uint64_t value = 0;
    unsigned at = 0;
    for (unsigned n = 0; n < max_pieces && pieces[n].width; at += pieces[n++].width)
        value |= get_bits(half, &pieces[n]) << at;
    return value;
}

static void set_pieces(uint64_t *half, const struct eu_piece *pieces, unsigned max_pieces, uint64_t value)
{
    for (unsigned n = 0; n < max_pieces && pieces[n].width; value >>= pieces[n++].width)
        set_bits(half, &pieces[n], value);
}

static unsigned width_of(const struct eu_piece *pieces, unsigned max_pieces)
{
    unsigned width = 0;
    for (unsigned n = 0; n < max_pieces && pieces[n].width; n++)
        width += pieces[n].width;
    return width;
}

const struct eu_operation *eu_operation_find(const struct eu_isa *set, unsigned opcode)
{
    for (unsigned n = 0; n < eu_operation_count; n++) {
        const struct eu_operation *o = &eu_operations[n];
        if ((o->generations & set->generation) &&
            (set->gen6_encoding ? o->gen6_code : o->gen12_code) == opcode)
            return o;
    }
    return NULL;
}

/* ---- Compacted instructions ---- */

enum { COMPACTED = 29, GEN12_IMMEDIATE = 12, GEN6_11_IMMEDIATE = 13 };
enum { THREE_SOURCES = 1 << FORM_TERNARY | 1 << FORM_MACRO | 1 << FORM_BFN | 1 << FORM_DPAS };

/* The type of the immediate in a native instruction; TYPE_NONE: it has none. */
static enum eu_type immediate_type(const struct eu_isa *set, const struct eu_word *w)
{
    static const struct eu_piece gen6[2][2] = {{{37, 2}, {39, 3}}, {{42, 2}, {44, 3}}},
                                 gen8_11[2][2] = {{{41, 2}, {43, 4}}, {{89, 2}, {91, 4}}},
                                 gen12_up[2][2] = {{{46, 1}, {40, 4}}, {{47, 1}, {88, 4}}};
    for (unsigned n = 0; n < 2; n++) {
        const bool gen6_encoding = set->gen6_encoding;
        const struct eu_piece *p = set->generation & EU_GEN6_75 ? gen6[n]
                                   : gen6_encoding              ? gen8_11[n]
                                                                : gen12_up[n];
        if (get_bits(w->half, &p[0]) == (gen6_encoding ? 3u : 1u))
            return set->immediate_types[get_bits(w->half, &p[1])];
    }
    return TYPE_NONE;
}

static uint64_t extended(uint64_t value, unsigned width)
{
    return value & (UINT64_C(1) << (width - 1u)) ? value | ~mask_of(width) : value;
}

/* The 32 bits of a compacted immediate. A 16-bit value is in both halves. False: the type cannot be
 * compacted. */
static bool widen(const struct eu_isa *set, enum eu_type type, uint64_t part, uint64_t *value)
{
    if (set->gen6_encoding) {
        *value = extended(part, GEN6_11_IMMEDIATE) & UINT32_MAX;
        return true;
    }
    switch (type) {
    case TYPE_F:
        *value = part << 20;
        return true;
    case TYPE_HF:
    case TYPE_BF:
        *value = part << 4;
        break;
    case TYPE_W:
        *value = extended(part, GEN12_IMMEDIATE) & UINT16_MAX;
        break;
    case TYPE_UW:
        *value = part;
        break;
    case TYPE_D:
        *value = extended(part, GEN12_IMMEDIATE) & UINT32_MAX;
        return true;
    case TYPE_UD:
    case TYPE_V:
    case TYPE_UV:
    case TYPE_VF:
        *value = part;
        return true;
    default:
        return false;
    }
    *value |= *value << 16;
    return true;
}

static uint64_t narrow(const struct eu_isa *set, enum eu_type type, uint64_t value)
{
    if (set->gen6_encoding)
        return value & mask_of(GEN6_11_IMMEDIATE);
    const unsigned down = type == TYPE_F ? 20 : type == TYPE_HF || type == TYPE_BF ? 4 : 0;
    return value >> down & mask_of(GEN12_IMMEDIATE);
}

static const struct eu_operation *compact_operation(const struct eu_isa *set, uint64_t first)
{
    return eu_operation_find(set, first & 0x7f);
}

/* Whether the row applies to the operation and the part. */
static bool is_part(const struct eu_compact_row *r, const struct eu_isa *set, const struct eu_operation *o,
                    enum eu_part part)
{
    return (r->generations & set->generation) && (r->forms & 1u << o->form) && r->part == part;
}

/* Expands the rows of one part. Returns how many; 0: the immediate's type cannot be compacted. */
static unsigned expand_part(const struct eu_isa *set, const struct eu_operation *o, enum eu_part part,
                            uint64_t compact, struct eu_word *word)
{
    const enum eu_type type = immediate_type(set, word);
    const uint64_t half[2] = {compact, 0};
    unsigned rows = 0;
    for (unsigned n = 0; n < eu_compact_row_count; n++) {
        const struct eu_compact_row *r = &eu_compact_rows[n];
        if (!is_part(r, set, o, part))
            continue;
        uint64_t value = get_pieces(half, r->from, 2);
        if (r->table)
            value = r->table[value];
        if (part == PART_IMMEDIATE && !widen(set, type, value, &value))
            return 0;
        set_pieces(word->half, r->pieces, 8, value);
        rows++;
    }
    return rows;
}

bool eu_expand(const struct eu_isa *set, uint64_t compact, struct eu_word *word)
{
    const struct eu_operation *o = compact_operation(set, compact);
    *word = (struct eu_word){0};
    if (!o ||
        expand_part(set, o, PART_ALWAYS, compact, word) < 2) /* the format has no rows besides the opcode */
        return false;
    if (1u << o->form & THREE_SOURCES)
        return true;
    return expand_part(set, o, immediate_type(set, word) ? PART_IMMEDIATE : PART_REGISTER, compact, word) !=
           0;
}

/* Whether the native instruction has the bits of the table's entry. The immediate overlaps the fields of the
 * second source, so its half is not compared. */
static bool fits(const struct eu_word *word, const struct eu_compact_row *r, unsigned index, bool immediate)
{
    struct eu_word with = *word;
    set_pieces(with.half, r->pieces, 8, r->table[index]);
    return with.half[0] == word->half[0] &&
           ((with.half[1] ^ word->half[1]) & (immediate ? UINT32_MAX : UINT64_MAX)) == 0;
}

bool eu_compact(const struct eu_isa *set, const struct eu_word *word, uint64_t *compact)
{
    const struct eu_operation *o = compact_operation(set, word->half[0]);
    uint64_t half[2] = {UINT64_C(1) << COMPACTED, 0};
    struct eu_word again;
    if (!o)
        return false;
    const enum eu_type type = 1u << o->form & THREE_SOURCES ? TYPE_NONE : immediate_type(set, word);
    const enum eu_part which = type ? PART_IMMEDIATE : PART_REGISTER;
    for (unsigned n = 0; n < eu_compact_row_count; n++) {
        const struct eu_compact_row *r = &eu_compact_rows[n];
        const uint64_t value = get_pieces(word->half, r->pieces, 8);
        unsigned index = 0;
        if (!is_part(r, set, o, PART_ALWAYS) && !is_part(r, set, o, which))
            continue;
        while (r->table && index < r->count && !fits(word, r, index, type != TYPE_NONE))
            index++;
        if (r->table && index == r->count)
            return false;
        set_pieces(half, r->from, 2,
                   r->table                    ? index
                   : r->part == PART_IMMEDIATE ? narrow(set, type, value)
                                               : value);
    }
    *compact = half[0];
    return eu_expand(set, half[0], &again) && again.half[0] == word->half[0] &&
           again.half[1] == word->half[1];
}

/* ---- Instructions ---- */

static bool row_applies(const struct eu_field_row *r, const struct eu_isa *set,
                        const struct eu_instruction *i)
{
    if (!(r->generations & set->generation) || !(r->forms & 1u << i->operation->form))
        return false;
    for (unsigned n = 0; n < EU_CONDITIONS && r->when[n].values; n++)
        if (!(r->when[n].values >> i->value[r->when[n].field] & 1u))
            return false;
    return true;
}

/* Decodes all fields. `rest`: also sets `unclaimed` to the bits that belong to no field. */
static void decode_fields(const struct eu_isa *set, const struct eu_word *w, struct eu_instruction *i,
                          bool rest)
{
    struct eu_word left = *w;
    for (unsigned n = 0; n < eu_field_row_count; n++) {
        const struct eu_field_row *r = &eu_field_rows[n];
        if (!row_applies(r, set, i))
            continue;
        i->value[r->field] = (uint32_t)((get_pieces(w->half, r->pieces, EU_PIECES) ^ r->flip) << r->shift);
        if (rest)
            set_pieces(left.half, r->pieces, EU_PIECES, 0);
    }
    if (rest)
        memcpy(i->unclaimed, left.half, sizeof left);
}

static const struct eu_operation *illegal(void)
{
    return &eu_operations[0];
}

static bool decode(const struct eu_isa *set, const void *bytes, size_t size_bytes, struct eu_instruction *i,
                   bool whole)
{
    struct eu_word w = {0};
    memcpy(&w, bytes, size_bytes < EU_NATIVE_BYTES ? size_bytes : EU_NATIVE_BYTES);
    const bool is_compact = w.half[0] >> COMPACTED & 1u;
    *i = (struct eu_instruction){.operation = illegal(),
                                 .size_bytes = is_compact ? EU_COMPACT_BYTES : EU_NATIVE_BYTES};
    if (size_bytes < i->size_bytes)
        return false;
    const struct eu_operation *o = eu_operation_find(set, w.half[0] & 0x7f);
    const uint64_t raw[2] = {w.half[0], is_compact ? 0 : w.half[1]};
    uint64_t again = 0;
    if (!o)
        i->illegal = "reserved opcode";
    else if (is_compact && o != illegal() &&
             (!eu_expand(set, raw[0], &w) || (whole && !eu_compact(set, &w, &again))))
        i->illegal = "reserved compacted instruction";
    if (i->illegal || o == illegal()) {
        memcpy(i->unclaimed, raw, sizeof raw);
        return true;
    }
    i->operation = o;
    i->compaction_slack = is_compact && whole ? raw[0] ^ again : 0;
    decode_fields(set, &w, i, whole);
    i->illegal = eu_instruction_error(set, i);
    return true;
}

bool eu_decode(const struct eu_isa *set, const void *bytes, size_t size_bytes, struct eu_instruction *i)
{
    return decode(set, bytes, size_bytes, i, true);
}

bool eu_decode_fields(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                      struct eu_instruction *i)
{
    return decode(set, bytes, size_bytes, i, false);
}

bool eu_encode(const struct eu_isa *set, const struct eu_instruction *i, void *bytes)
{
    struct eu_word w = {0};
    uint64_t compact = 0;
    memcpy(w.half, i->unclaimed, sizeof w);
    for (unsigned n = 0; n < eu_field_row_count && i->operation != illegal(); n++) {
        const struct eu_field_row *r = &eu_field_rows[n];
        const uint64_t value = (i->value[r->field] >> r->shift) ^ r->flip;
        if (!row_applies(r, set, i))
            continue;
        set_pieces(w.half, r->pieces, EU_PIECES, value);
        if ((value & ~mask_of(width_of(r->pieces, EU_PIECES))) || (i->value[r->field] & mask_of(r->shift)))
            return false;
    }
    if (i->size_bytes == EU_COMPACT_BYTES && i->operation != illegal()) {
        if (!eu_compact(set, &w, &compact))
            return false;
        compact ^= i->compaction_slack;
        memcpy(bytes, &compact, sizeof compact);
        return true;
    }
    memcpy(bytes, &w, i->size_bytes);
    return true;
}
