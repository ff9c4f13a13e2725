/* Walks over a kernel that a bounded number of instructions ends: one without loops and calls. */
#include "isa/isa.h"

/* The furthest place that the instruction may branch to, or 0. Returns false if that is not known, or if it
 * is no later instruction. */
static bool branch_ahead(const struct eu_isa *set, const struct eu_instruction *i, size_t at,
                         size_t *furthest)
{
    if (!eu_is_branch(i))
        return true;
    for (int n = 0; n < (int)eu_source_count(i); n++) {
        const bool absolute = i->operation->gen6_code == 0x2b;
        const int64_t by = eu_branch_target(set, i, i->value[n ? EU_UIP : EU_JIP]);
        if (!eu_is_label(i, n) || absolute || by <= 0)
            return false;
        if (at + (uint64_t)by > *furthest)
            *furthest = at + (size_t)by;
    }
    return true;
}

bool eu_scan_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes, eu_scan_visit *visit,
                    void *user)
{
    const uint8_t *const byte = bytes;
    struct eu_instruction i;
    size_t furthest = 0;
    for (size_t at = 0; at < size_bytes && eu_decode(set, byte + at, size_bytes - at, &i);) {
        if (i.illegal || !branch_ahead(set, &i, at, &furthest) || !visit(user, &i))
            return false;
        at += i.size_bytes;
        if (eu_is_send(&i) && i.value[EU_EOT] && !i.value[EU_PREDICATE] && at > furthest)
            return true;
    }
    return false;
}
