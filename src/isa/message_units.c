/*
 * Messages to the sampler and to the load and store units. Layouts: Intel's graphics assembler
 * (Backend/Messages) and Mesa's brw_eu.h. The words are the assembler's. (iga64 1.1.0 of IGC 2.40)
 */
#include "isa/message_units.h"

#include <inttypes.h>
#include <stdio.h>

enum { SAMPLER_TYPES = 64, OPERATIONS = 64, FENCE = 31 };
/* Address types, in bits 30:29 of the descriptor. 1 and 2: an offset of a surface state. */
enum { FLAT = 0, BINDING_TABLE = 3 };

bool eu_is_load_store(const struct eu_isa *set, unsigned function)
{
    return set->has_lsc && (function >= SFID_TGM || (set->lsc_only && function == SFID_URB));
}

/* ---- Sampler ---- */

static const char *const sampler_types[SAMPLER_TYPES] = {
    [0] = "sample",
    [1] = "sample+LOD bias",
    [2] = "sample override LOD",
    [3] = "sample compare",
    [4] = "sample gradient",
    [5] = "sample compare+LOD bias",
    [6] = "sample compare+override LOD",
    [7] = "sample load",
    [8] = "sample gather4",
    [9] = "sample override lod",
    [10] = "sample res info",
    [11] = "sample info",
    [12] = "sample+killpix",
    [16] = "sample gather4+compare",
    [17] = "sample gather4+pixel offset",
    [18] = "sample gather4 pixel offset+compare",
    [20] = "sample derivatives+compare",
    [22] = "sample min",
    [23] = "sample max",
    [24] = "sample with lod forced to 0",
    [25] = "sample compare+with lod forced to 0",
    [26] = "sample load with lod forced to 0",
    [28] = "sample ld2 multi-sample wide",
    [29] = "sample load mcs auxiliary data",
    [30] = "sample load multi-sample",
    [31] = "sample multi-sample without mcs",
};

/* Types of Gen20, with their parameters. */
static const char *const sampler_types_gen200[SAMPLER_TYPES] = {
    [0] = "sample:u,v,r,ai,mlod",
    [1] = "sample_b:bias_ai,u,v,r,mlod",
    [2] = "sample_l:lod_ai,u,v,r",
    [3] = "sample_c:ref,u,v,r,ai,mlod",
    [4] = "sample_d:u,dudx,dudy,v,dvdx,dvdy,r,mlod",
    [5] = "sample_b_c:ref,bias_ai,u,v,r,mlod",
    [6] = "sample_l_c:ref,lod_ai,u,v,r",
    [7] = "sampler_ld:u,v,lod,r",
    [8] = "gather4:u,v,r,ai",
    [9] = "sampler_lod:u,v,r,ai",
    [10] = "sampler_resinfo:lod",
    [11] = "sample_info:dummy",
    [12] = "sampler_killpix:u,v,r",
    [13] = "gather4_l:lod_ai,u,v,r",
    [14] = "gather4_b:bias_ai,u,v,r",
    [15] = "gather_i:u,v,r,ai",
    [16] = "gather4_c:ref,u,v,r,ai",
    [17] = "sample_d_c:ref,u,dudx,dudy,v,dvdx,dvdy,r",
    [18] = "sample_mlod:mlod,u,v,r,ai",
    [19] = "sample_c_mlod:mlod,ref,u,v,r,ai",
    [20] = "sample_d_c_mlod:ref,u,dudx,dudy,v,dvdx,dvdy,mlod_r",
    [21] = "gather4_i_c:ref,u,v,r,ai",
    [23] = "gather4_l_c:ref,lod_ai,u,v,r",
    [24] = "sample_lz:u,v,r,ai",
    [25] = "sample_c_lz:ref,u,v,r,ai",
    [26] = "ld_lz:u,v,r",
    [27] = "ld_l:u,v,r,lod",
    [28] = "ld2dms_w:si,mcs0,mcs1,mcs2,mcs3,u,v,r",
    [29] = "ld_mcs:u,v,r",
    [31] = "cache_flush:dummy",
    [32] = "sample_po:u,v,r,offuvr,mlod",
    [33] = "sample_po_b:bias_offuvr,u,v,r,mlod",
    [34] = "sample_po_l:lod_offuv,u,r,v",
    [35] = "sample_po_c:ref,u,v,offuv_r,mlod",
    [36] = "sample_po_d:u,dudx,dudy,v,dvdx,dvdy,offuvr_r,mlod",
    [38] = "sample_po_l_c:ref,lod_offuv,u,v,r",
    [40] = "gather4_po:u,v,r,offuv",
    [45] = "gather4_po_l:lod_offuv,u,v,r",
    [46] = "gather4_po_b:bias_offuv,v,r",
    [47] = "gather4_po_i:u,v,r,offuv",
    [48] = "gather4_po_c:ref,u,v,offuv_r",
    [52] = "sample_po_d_c:ref,u,dudx,dudy,v,dvdx,dvdy,offuv_r",
    [53] = "gather4_po_i_c:ref,u,v,offuv_r",
    [55] = "gather4_po_l_c:ref,lod_offuv,u,v,r",
    [56] = "sample_po_lz:u,v,r,offuvr",
    [57] = "sample_po_c_lz:ref,u,v,offuv_r",
};

/* The bits of the type, in the descriptor. */
static uint32_t sampler_type_mask(const struct eu_isa *set)
{
    return (set->lsc_only ? UINT32_C(1) << 31 : 0) | (set->sampler_type_4bit ? 15u : 31u) << 12;
}

static const char *sampler_type(const struct eu_isa *set, uint32_t descriptor)
{
    const uint32_t bits = descriptor & sampler_type_mask(set), type = (bits >> 31) << 5 | (bits >> 12 & 31u);
    return (set->lsc_only ? sampler_types_gen200 : sampler_types)[type];
}

void eu_write_sample(const struct eu_isa *set, const struct eu_message *m, struct text *t)
{
    static const char *const modes[2][8] = {
        {"simd8d", "simd8", "simd16", "simd32/64", "simd8 high", "simd16 high"},
        {"simd16 with integer return", "simd16", "simd32", "unknown simd mode", "simd32 with integer return",
         "simd16 with half precision parameters", "simd32 with half precision parameters"}};
    const uint32_t d = m->descriptor,
                   mode = (d >> 29 & 1u) << 2 | (d >> (set->sampler_type_4bit ? 16 : 17) & 3u);
    const bool flushes = !set->sampler_type_4bit && !set->lsc_only && mode == 3 && (d >> 12 & 31u) == 31;
    const char *const type = flushes ? "sampler cache flush" : sampler_type(set, d);
    const char *const text = modes[set->lsc_only][mode];
    text_string(t, text ? text : "?");
    if (d >> 30 & 1u)
        text_string(t, " 16b");
    text_char(t, ' ');
    text_string(t, type ? type : "?");
    text_string(t, " using sampler index ");
    text_decimal(t, d >> 8 & 15u);
}

/* ---- Load and store units ---- */

static const char *const operations[OPERATIONS] = {
    [0] = "load",         [1] = "load_strided",  [2] = "load_quad",    [3] = "load_block2d",
    [4] = "store",        [5] = "store_strided", [6] = "store_quad",   [7] = "store_block2d",
    [8] = "atomic_iinc",  [9] = "atomic_idec",   [10] = "atomic_load", [11] = "atomic_store",
    [12] = "atomic_iadd", [13] = "atomic_isub",  [14] = "atomic_smin", [15] = "atomic_smax",
    [16] = "atomic_umin", [17] = "atomic_umax",  [18] = "atomic_icas", [19] = "atomic_fadd",
    [20] = "atomic_fsub", [21] = "atomic_fmin",  [22] = "atomic_fmax", [23] = "atomic_fcas",
    [24] = "atomic_and",  [25] = "atomic_or",    [26] = "atomic_xor",  [27] = "load_status",
    [FENCE] = "fence"};

/* The operations that Gen20 has besides. */
static const char *const operations_gen200[OPERATIONS] = {
    [28] = "store_uncompressed",      [29] = "ccs_pc",       [30] = "read state information",
    [32] = "store_uncompressed_quad", [40] = "atomic_acadd", [41] = "atomic_acsub",
    [42] = "atomic_acstore"};

static const char *operation_name(const struct eu_isa *set, uint32_t operation)
{
    return operations[operation] || !set->lsc_only ? operations[operation] : operations_gen200[operation];
}

static bool is_quad(uint32_t operation)
{
    return operation == 2 || operation == 6 || operation == 32;
}

static bool is_block2d(uint32_t operation)
{
    return operation == 3 || operation == 7;
}

static bool is_atomic(uint32_t operation)
{
    return (operation >= 8 && operation <= 26) || (operation >= 40 && operation <= 42);
}

static void write_fence(uint32_t d, struct text *t)
{
    static const char *const flushes[8] = {".none",  ".evict",   ".invalidate", ".discard",
                                           ".clean", ".flushl3", ".?",          ".?"},
                             *const scopes[8] = {".group", ".local",  ".tile",   ".gpu",
                                                 ".gpus",  ".sysrel", ".sysacq", ".?"};
    if ((d >> 12 & 7u) > 5) {
        text_string(t, " (flush type reserved)");
        return;
    }
    text_string(t, flushes[d >> 12 & 7u]);
    text_string(t, scopes[d >> 9 & 7u]);
}

/* The size of an element, and how many there are. */
static void write_elements(uint32_t d, struct text *t)
{
    static const char *const data[8] = {".d8",    ".d16",    ".d32",     ".d64",
                                        ".d8u32", ".d16u32", ".d16u32h", ".0x7"};
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t operation = d & 63u;
    const bool transposed = d >> 15 & 1u;
    text_string(t, data[d >> 9 & 7u]);
    if (is_quad(operation)) {
        text_char(t, '.');
        for (unsigned n = 0; n < 4; n++)
            if (d >> (12u + n) & 1u)
                text_char(t, "xyzw"[n]);
        return;
    }
    if (d >> 12 & 7u || (transposed && !is_block2d(operation))) {
        text_char(t, 'x');
        text_decimal(t, counts[d >> 12 & 7u]);
    }
    if (transposed)
        text_char(t, 't');
    if (operation == 3 && d >> 7 & 1u)
        text_char(t, 'v');
}

static void write_caching(const struct eu_isa *set, uint32_t d, struct text *t)
{
    static const char *const loads[8] = {"",       ".uc.uc", ".uc.ca", ".ca.uc",
                                         ".ca.ca", ".st.uc", ".st.ca", ".ri.ca"},
                             *const stores[8] = {"",       ".uc.uc", ".uc.wb", ".wt.uc",
                                                 ".wt.wb", ".st.uc", ".st.wb", ".wb.wb"};
    const uint32_t operation = d & 63u;
    const bool stores_too = (operation >= 4 && operation != 27) || is_atomic(operation);
    const bool constant = set->lsc_only && !stores_too;
    /* With four bits, loads may have constants in the L3 cache. */
    if (constant && (d >> 16 & 15u) == 5)
        text_string(t, ".uc.cc");
    else if (constant && (d >> 16 & 15u) == 9)
        text_string(t, ".ca.cc");
    else if (constant && (d >> 16 & 15u) == 14)
        text_string(t, ".ri.ri");
    else
        text_string(t, (stores_too ? stores : loads)[d >> 17 & 7u]);
}

static void write_hexadecimal(uint32_t value, struct text *t)
{
    char text[16];
    snprintf(text, sizeof text, "0x%" PRIX32, value);
    text_string(t, text);
}

static int32_t signed_bits(uint32_t value, unsigned width)
{
    const uint32_t sign = UINT32_C(1) << (width - 1u);
    return (int32_t)(value ^ sign) - (int32_t)sign;
}

int32_t eu_address_offset(const struct eu_isa *set, const struct eu_message *m)
{
    const uint32_t x = m->ex_descriptor;
    if (!set->lsc_only || !eu_is_load_store(set, m->sfid))
        return 0;
    switch (m->descriptor >> 29 & 3u) {
    case FLAT:
        return signed_bits(x >> 12, 20);
    case BINDING_TABLE:
        return m->ex_descriptor_in_register ? 0 : signed_bits(x >> 12 & 0xfff, 12);
    default: /* around a0's subregister */
        return m->ex_descriptor_in_register && m->sfid == SFID_UGM
                   ? signed_bits((x >> 19) << 4 | (x >> 12 & 15u), 17)
                   : 0;
    }
}

static void write_offset(int32_t offset, struct text *t)
{
    text_string(t, offset < 0 ? "[A-" : "[A+");
    write_hexadecimal((uint32_t)(offset < 0 ? -offset : offset), t);
    text_char(t, ']');
}

static void write_surface(const struct eu_isa *set, const struct eu_message *m, struct text *t)
{
    static const char *const surfaces[4] = {"", ".bss[", ".ss[", ".bti["};
    const uint32_t type = m->descriptor >> 29 & 3u, x = m->ex_descriptor;
    const int32_t offset = eu_address_offset(set, m);
    text_string(t, type == FLAT && offset ? ".flat" : surfaces[type]);
    if (type != FLAT) {
        if (m->ex_descriptor_in_register) {
            text_string(t, "a0.");
            text_decimal(t, m->ex_subregister);
        } else if (type == BINDING_TABLE) {
            text_decimal(t, x >> 24);
        } else {
            write_hexadecimal(x >> 6 << 6, t);
        }
        text_char(t, ']');
    }
    if (offset)
        write_offset(offset, t);
}

/* The coordinates of a typed access, from the length of the payload. */
static void write_coordinates(const struct eu_isa *set, const struct eu_message *m, unsigned channels,
                              struct text *t)
{
    static const char *const names[5] = {"?", "u", "u,v", "u,v,r", "u,v,r,lod"};
    static const uint8_t address_bytes[4] = {4, 2, 4, 8};
    const unsigned bytes = channels * address_bytes[m->descriptor >> 7 & 3u],
                   registers = bytes > set->register_bytes ? bytes / set->register_bytes : 1,
                   count = (unsigned)m->lengths[1] / registers;
    text_string(t, "; ");
    text_string(t, count < 5 ? names[count] : "???");
}

void eu_write_load_store(const struct eu_isa *set, const struct eu_message *m, unsigned channels,
                         struct text *t)
{
    static const char *const addresses[4] = {".?", ".a16", ".a32", ".a64"};
    const uint32_t d = m->descriptor, operation = d & 63u;
    const char *const name = operation_name(set, operation);
    if (!name) {
        text_char(t, '?');
        return;
    }
    text_string(t, name);
    if (operation == 30)
        return;
    text_char(t, '.');
    text_string(t, eu_sfid_name(set, m->sfid));
    if (operation == 29)
        return;
    if (operation == FENCE) {
        write_fence(d, t);
        return;
    }
    write_elements(d, t);
    text_string(t, addresses[is_block2d(operation) ? 3 : d >> 7 & 3u]);
    if (m->sfid != SFID_SLM)
        write_caching(set, d, t);
    write_surface(set, m, t);
    if (m->sfid == SFID_TGM && (is_quad(operation) || is_atomic(operation)))
        write_coordinates(set, m, channels, t);
}

/* ---- Listing ---- */

bool eu_unit_message_type(const struct eu_isa *set, unsigned number, struct eu_message_type *type)
{
    const uint32_t mask = sampler_type_mask(set);
    if (number < SAMPLER_TYPES) {
        const uint32_t match = (number >> 5) << 31 | (number & 31u) << 12;
        if (!(match & ~mask))
            *type = (struct eu_message_type){sampler_type(set, match), eu_sfid_name(set, SFID_SAMPLER),
                                             1u << SFID_SAMPLER, match, mask};
        return true;
    }
    number -= SAMPLER_TYPES;
    if (number < OPERATIONS && set->has_lsc)
        *type = (struct eu_message_type){operation_name(set, number), "lsc",
                                         7u << SFID_TGM | 1u << 1 | (set->lsc_only ? 1u << SFID_URB : 0),
                                         number, 63}; /* 1: ugml */
    return number < OPERATIONS;
}
