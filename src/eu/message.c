#include "eu/eu.h"

struct eu_message eu_message(const struct eu_set *set, const struct eu_instruction *i)
{
    const uint32_t *v = i->value;
    struct eu_message m = {
        .function = (uint8_t)v[EU_CONDITION],
        .descriptor = v[EU_DESCRIPTOR],
        .extended = v[EU_EXTENDED],
        .in_register = v[EU_DESCRIPTOR_IN_REGISTER],
        .extended_in_register = v[EU_EXTENDED_IN_REGISTER],
        .lengths = {-1, -1, (int)v[EU_SRC1_LENGTH]},
    };
    if (set->set & EU_EARLY)
        m.extended |= v[EU_SRC1_LENGTH] << 6 | v[EU_EOT] << 5 | m.function;
    else if (set->set == EU_GEN12)
        m.lengths[2] = (int)(m.extended >> 6 & 0x1f);
    if (!m.in_register) {
        m.lengths[0] = (int)(m.descriptor >> 20 & 0x1f);
        m.lengths[1] = (int)(m.descriptor >> 25 & 0xf);
    }
    if (m.extended_in_register && !v[EU_EX_BSO])
        m.lengths[2] = -1;
    return m;
}

const char *eu_function_name(const struct eu_set *set, unsigned function)
{
    static const char *const names[2][16] = {{"null", "?", "smpl", "gtwy", "dc2", "rc", "urb", "ts", "vme",
                                              "dcro", "dc0", "pixi", "dc1", "cre", "?", "?"},
                                             {"null", "ugml", "smpl", "gtwy", "dc2", "rc", "urb", "btd",
                                              "rta", "dcro", "dc0", "pixi", "dc1", "tgm", "slm", "ugm"}};
    return names[set->set == EU_GEN125][function & 15u];
}

void eu_write_message(const struct eu_set *set, const struct eu_instruction *i, struct text *t)
{
    (void)set, (void)i;
    const struct eu_message m = eu_message(set, i);
    (void)m;
    text_string(t, "?");
}
