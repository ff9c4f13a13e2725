/* Walks over a kernel that a bounded number of instructions ends: one without loops and calls. */
#include "isa/isa.h"

enum { PLACE_BYTES = 8, MOST_BYTES = 1 << 15, PLACES = MOST_BYTES / PLACE_BYTES, WORD_BITS = 64 };

/* The places of instructions, and those where branches lead. */
struct scan {
    const struct eu_isa *set;
    size_t furthest; /* the furthest target; 0: none */
    uint64_t begins[PLACES / WORD_BITS], targets[PLACES / WORD_BITS];
};

static void note_place(uint64_t *places, size_t at)
{
    places[at / PLACE_BYTES / WORD_BITS] |= UINT64_C(1) << at / PLACE_BYTES % WORD_BITS;
}

/* Notes where the instruction may branch to. Returns false if that is not known, or no later place. */
static bool branch_ahead(struct scan *s, const struct eu_instruction *i, size_t at)
{
    if (!eu_is_branch(i))
        return true;
    for (int n = 0; n < (int)eu_source_count(i); n++) {
        const bool absolute = i->operation->gen6_code == 0x2b;
        const int64_t by = eu_branch_target(s->set, i, i->value[n ? EU_UIP : EU_JIP]);
        if (!eu_is_label(i, n) || absolute || by <= 0 || by >= MOST_BYTES || by % PLACE_BYTES != 0)
            return false;
        const size_t to = at + (size_t)by;
        if (to >= MOST_BYTES)
            return false;
        note_place(s->targets, to);
        s->furthest = to > s->furthest ? to : s->furthest;
    }
    return true;
}

/* Whether instructions begin at all targets. */
static bool leads_to_instructions(const struct scan *s)
{
    for (size_t n = 0; n < sizeof s->targets / sizeof s->targets[0]; n++)
        if (s->targets[n] & ~s->begins[n])
            return false;
    return true;
}

bool eu_scan_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes, eu_scan_visit *visit,
                    void *user)
{
    const uint8_t *const byte = bytes;
    const size_t end = size_bytes < MOST_BYTES ? size_bytes : MOST_BYTES;
    struct scan s = {.set = set};
    struct eu_instruction i;
    for (size_t at = 0; at < end && eu_decode(set, byte + at, end - at, &i);) {
        note_place(s.begins, at);
        if (i.illegal || !branch_ahead(&s, &i, at) || !visit(user, &i))
            return false;
        at += i.size_bytes;
        if (eu_is_send(&i) && i.value[EU_EOT] && !i.value[EU_PREDICATE] && at > s.furthest)
            return leads_to_instructions(&s);
    }
    return false;
}
