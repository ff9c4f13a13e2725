#include "stream/bases.h"

const struct base_info base_infos[BASES] = {
    [BASE_NONE] =
        {"none",
         "rings and batches; PIPE_CONTROL writes; vertex and index buffers; surfaces of samplers and data "
         "ports; STATE_PREFETCH; all accesses not named elsewhere"},
    [BASE_GENERAL] = {"General State Base Address", "stateless data port requests; scratch space"},
    [BASE_DYNAMIC] =
        {"Dynamic State Base Address",
         "SAMPLER_STATE and its border colours; viewports of CLIP, SF and WM/CC; COLOR_CALC_STATE, "
         "DEPTH_STENCIL_STATE, BLEND_STATE; push constants, unless INSTPM disables it"},
    [BASE_INSTRUCTION] = {"Instruction Base Address", "EU instructions; the system routine (SIP)"},
    [BASE_SURFACE] = {"Surface State Base Address", "BINDING_TABLE_STATE; SURFACE_STATE"},
    [BASE_INDIRECT_OBJECT] = {"Indirect Object Base Address", "indirect data of MEDIA_OBJECT"},
    [BASE_CONSTANTS] = {"Dynamic State Base Address", "push constants, unless INSTPM disables it"},
};

static void see_base_address(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw)
{
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        const uint32_t at = f->first / 32u;
        for (unsigned base = BASE_GENERAL; base < BASE_CONSTANTS; base++)
            if (strcmp(f->name, base_infos[base].name) == 0 && at < length_dw && dw[at] & 1u) {
                b->address[base] = field_get(f, dw, length_dw);
                b->known[base] = true;
            }
    }
}

void bases_see(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw)
{
    enum { STATE_BASE_ADDRESS = 0x61010000, INSTPM = 0x20c0 };
    const uint32_t load_registers = 0x22u << 23;
    if (c->match == STATE_BASE_ADDRESS && c->engines & RENDER)
        see_base_address(b, c, dw, length_dw);
    else if (c->match == load_registers)
        for (uint32_t at = 1; at + 1 < length_dw; at += 2)
            if ((dw[at] & 0x7ffffcu) == INSTPM && dw[at + 1] >> 16 & INSTPM_CONSTANTS_ABSOLUTE)
                b->constants_absolute = dw[at + 1] & INSTPM_CONSTANTS_ABSOLUTE;
}

bool bases_resolve(const struct bases *b, enum base base, uint64_t offset, uint64_t *address)
{
    if (base == BASE_NONE || (base == BASE_CONSTANTS && b->constants_absolute))
        return false;
    const enum base from = base == BASE_CONSTANTS ? BASE_DYNAMIC : base;
    *address = b->address[from] + offset;
    return b->known[from];
}
