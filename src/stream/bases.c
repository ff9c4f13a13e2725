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
         "DEPTH_STENCIL_STATE, BLEND_STATE; push constants, unless INSTPM or CS_DEBUG_MODE2 disables it"},
    [BASE_INSTRUCTION] = {"Instruction Base Address", "EU instructions; the system routine (SIP)"},
    [BASE_SURFACE] = {"Surface State Base Address", "BINDING_TABLE_STATE; SURFACE_STATE"},
    [BASE_INDIRECT_OBJECT] = {"Indirect Object Base Address", "indirect data of MEDIA_OBJECT"},
    [BASE_CONSTANTS] = {"Dynamic State Base Address",
                        "push constants, unless INSTPM or CS_DEBUG_MODE2 disables it"},
    [BASE_BINDING_TABLES] = {"Surface State Base Address",
                             "BINDING_TABLE_STATE, unless there is a pool of them"},
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

/* A generation without an enable has a pool if its address is not 0. */
static void see_pool(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw)
{
    bool enable = true;
    b->pool.address = 0;
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (f->first / 32u >= length_dw)
            continue;
        if (strcmp(f->name, "Binding Table Pool Enable") == 0) {
            enable = field_get(f, dw, length_dw);
            b->pool_may_be_wide = true;
        } else if (strcmp(f->name, "Binding Table Pool Base Address") == 0)
            b->pool.address = field_get(f, dw, length_dw);
    }
    b->pool.address = enable ? b->pool.address : 0;
    b->pool.wide = b->pool_may_be_wide && b->tables_of_256_bytes;
}

static void see_register(struct bases *b, uint32_t offset, uint32_t value)
{
    enum { RENDER_BASE = 0x2000u };
    for (unsigned i = 0; b->constants_flags && i < CONSTANTS_FLAGS; i++) {
        const struct constants_flag *const f = &b->constants_flags[i];
        if (offset - RENDER_BASE == f->offset && value >> 16 & f->bit)
            b->constants_absolute[i] = value & f->bit;
    }
    if (offset == GT_MODE && value >> 16 & GT_MODE_TABLES_OF_256_BYTES)
        b->tables_of_256_bytes = value & GT_MODE_TABLES_OF_256_BYTES;
    b->pool.wide = b->pool_may_be_wide && b->tables_of_256_bytes;
}

void bases_see(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw)
{
    const uint32_t load_registers = 0x22u << 23;
    if (c->match == STATE_BASE_ADDRESS && c->engines & RENDER)
        see_base_address(b, c, dw, length_dw);
    else if (c->match == STATE_BINDING_TABLE_POOL_ALLOC && c->engines & RENDER)
        see_pool(b, c, dw, length_dw);
    else if (c->match == load_registers)
        for (uint32_t at = 1; at + 1 < length_dw; at += 2)
            see_register(b, dw[at] & 0x7ffffcu, dw[at + 1]);
}

bool bases_resolve(const struct bases *b, enum base base, uint64_t offset, uint64_t *address)
{
    if (base == BASE_NONE || (base == BASE_CONSTANTS && bases_constants_absolute(b)))
        return false;
    if (base == BASE_BINDING_TABLES) {
        *address = binding_table_address(&b->pool, b->address[BASE_SURFACE], offset);
        return b->pool.address || b->known[BASE_SURFACE];
    }
    const enum base from = base == BASE_CONSTANTS ? BASE_DYNAMIC : base;
    *address = b->address[from] + offset;
    return b->known[from];
}
