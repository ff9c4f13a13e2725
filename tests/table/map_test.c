/*
 * CSP-05, CSP-06, CSP-08, CSP-09: the command maps of the Gen11 manual, transcribed, against the rows of
 * src/commands: every opcode of the maps is there on its engines, and what is there beyond them has a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../suite.h"
#include "commands/commands.h"
#include "stream/index.h"

#include "../rows.h"

enum { NOT_RENDER = COPY | VIDEO | ENHANCE, NOT_COPY = RENDER | VIDEO | ENHANCE };

/* Header bits 31:23 of an MI command, 31:16 of the others. */
#define MI(opcode)       (uint32_t)(opcode) << 23, 0xff800000u
#define THREE_D(op, sub) (3u << 29 | 3u << 27 | (op) << 24 | (sub) << 16), 0xffff0000u
#define COMMON(op, sub)  (3u << 29 | (op) << 24 | (sub) << 16), 0xffff0000u
#define MEDIA(op, a, b)  (3u << 29 | 2u << 27 | (op) << 24 | (a) << 21 | (b) << 16), 0xffff0000u

struct place {
    uint32_t match, mask;
    unsigned engines;
    const char *name;
};

/* clang-format off */
static const struct place map[] = {
    /* CSP-06: Memory Interface Commands for RCP. */
    {MI(0x00), ALL_ENGINES, "MI_NOOP"},
    {MI(0x01), RENDER, "MI_SET_PREDICATE"},
    {MI(0x02), ALL_ENGINES, "MI_USER_INTERRUPT"},
    {MI(0x03), ALL_ENGINES, "MI_WAIT_FOR_EVENT"},
    {MI(0x05), ALL_ENGINES, "MI_ARB_CHECK"},
    {MI(0x07), ALL_ENGINES, "MI_REPORT_HEAD"},
    {MI(0x08), NOT_COPY, "MI_ARB_ON_OFF"},
    {MI(0x0a), ALL_ENGINES, "MI_BATCH_BUFFER_END"},
    {MI(0x0b), ALL_ENGINES, "MI_SUSPEND_FLUSH"},
    {MI(0x0c), RENDER, "MI_PREDICATE"},
    {MI(0x12), RENDER | COPY, "MI_LOAD_SCAN_LINES_INCL"},
    {MI(0x13), RENDER | COPY, "MI_LOAD_SCAN_LINES_EXCL"},
    {MI(0x14), RENDER | COPY, "MI_DISPLAY_FLIP"},
    {MI(0x18), RENDER, "MI_SET_CONTEXT"},
    {MI(0x1a), ALL_ENGINES, "MI_MATH"},
    {MI(0x1b), ALL_ENGINES, "MI_SEMAPHORE_SIGNAL"},
    {MI(0x1c), ALL_ENGINES, "MI_SEMAPHORE_WAIT"},
    {MI(0x1d), NOT_RENDER, "MI_FORCE_WAKEUP"},
    {MI(0x20), ALL_ENGINES, "MI_STORE_DATA_IMM"},
    {MI(0x21), ALL_ENGINES, "MI_STORE_DATA_INDEX"},
    {MI(0x22), ALL_ENGINES, "MI_LOAD_REGISTER_IMM"},
    {MI(0x23), ALL_ENGINES, "MI_UPDATE_GTT"},
    {MI(0x24), ALL_ENGINES, "MI_STORE_REGISTER_MEM"},
    {MI(0x26), NOT_RENDER, "MI_FLUSH_DW"},
    {MI(0x27), RENDER, "MI_CLFLUSH"},
    {MI(0x29), ALL_ENGINES, "MI_LOAD_REGISTER_MEM"},
    {MI(0x2a), ALL_ENGINES, "MI_LOAD_REGISTER_REG"},
    {MI(0x2b), RENDER, "MI_RS_STORE_DATA_IMM"},
    {MI(0x2e), ALL_ENGINES, "MI_COPY_MEM_MEM"}, /* the map: MI_MEM_TO_MEM; CSP-14: MI_COPY_MEM_MEM */
    {MI(0x2f), ALL_ENGINES, "MI_ATOMIC"},
    {MI(0x31), RENDER, "MI_BATCH_BUFFER_START"},
    {MI(0x36), ALL_ENGINES, "MI_CONDITIONAL_BATCH_BUFFER_END"},

    /* CSP-08: 3D Command Map. Opcode 0 sub-opcode 0Dh is drivers' 3DSTATE_MULTISAMPLE, not the map's
     * 3DSTATE_VIEWPORT_STATE_POINTERS; names are spelled as drivers do. */
    {THREE_D(0, 0x04), RENDER, "3DSTATE_CLEAR_PARAMS"},
    {THREE_D(0, 0x05), RENDER, "3DSTATE_DEPTH_BUFFER"},
    {THREE_D(0, 0x06), RENDER, "3DSTATE_STENCIL_BUFFER"},
    {THREE_D(0, 0x07), RENDER, "3DSTATE_HIER_DEPTH_BUFFER"},
    {THREE_D(0, 0x08), RENDER, "3DSTATE_VERTEX_BUFFERS"},
    {THREE_D(0, 0x09), RENDER, "3DSTATE_VERTEX_ELEMENTS"},
    {THREE_D(0, 0x0a), RENDER, "3DSTATE_INDEX_BUFFER"},
    {THREE_D(0, 0x0b), RENDER, "3DSTATE_VF_STATISTICS"},
    {THREE_D(0, 0x0c), RENDER, "3DSTATE_VF"},
    {THREE_D(0, 0x0e), RENDER, "3DSTATE_CC_STATE_POINTERS"},
    {THREE_D(0, 0x10), RENDER, "3DSTATE_VS"},
    {THREE_D(0, 0x11), RENDER, "3DSTATE_GS"},
    {THREE_D(0, 0x12), RENDER, "3DSTATE_CLIP"},
    {THREE_D(0, 0x13), RENDER, "3DSTATE_SF"},
    {THREE_D(0, 0x14), RENDER, "3DSTATE_WM"},
    {THREE_D(0, 0x15), RENDER, "3DSTATE_CONSTANT_VS"},
    {THREE_D(0, 0x16), RENDER, "3DSTATE_CONSTANT_GS"},
    {THREE_D(0, 0x17), RENDER, "3DSTATE_CONSTANT_PS"},
    {THREE_D(0, 0x18), RENDER, "3DSTATE_SAMPLE_MASK"},
    {THREE_D(0, 0x19), RENDER, "3DSTATE_CONSTANT_HS"},
    {THREE_D(0, 0x1a), RENDER, "3DSTATE_CONSTANT_DS"},
    {THREE_D(0, 0x1b), RENDER, "3DSTATE_HS"},
    {THREE_D(0, 0x1c), RENDER, "3DSTATE_TE"},
    {THREE_D(0, 0x1d), RENDER, "3DSTATE_DS"},
    {THREE_D(0, 0x1e), RENDER, "3DSTATE_STREAMOUT"},
    {THREE_D(0, 0x1f), RENDER, "3DSTATE_SBE"},
    {THREE_D(0, 0x20), RENDER, "3DSTATE_PS"},
    {THREE_D(0, 0x21), RENDER, "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP"},
    {THREE_D(0, 0x22), RENDER, "3DSTATE_CPS"},
    {THREE_D(0, 0x23), RENDER, "3DSTATE_VIEWPORT_STATE_POINTERS_CC"},
    {THREE_D(0, 0x24), RENDER, "3DSTATE_BLEND_STATE_POINTERS"},
    {THREE_D(0, 0x25), RENDER, "3DSTATE_DEPTH_STENCIL_STATE_POINTERS"},
    {THREE_D(0, 0x26), RENDER, "3DSTATE_BINDING_TABLE_POINTERS_VS"},
    {THREE_D(0, 0x27), RENDER, "3DSTATE_BINDING_TABLE_POINTERS_HS"},
    {THREE_D(0, 0x28), RENDER, "3DSTATE_BINDING_TABLE_POINTERS_DS"},
    {THREE_D(0, 0x29), RENDER, "3DSTATE_BINDING_TABLE_POINTERS_GS"},
    {THREE_D(0, 0x2a), RENDER, "3DSTATE_BINDING_TABLE_POINTERS_PS"},
    {THREE_D(0, 0x2b), RENDER, "3DSTATE_SAMPLER_STATE_POINTERS_VS"},
    {THREE_D(0, 0x2c), RENDER, "3DSTATE_SAMPLER_STATE_POINTERS_HS"},
    {THREE_D(0, 0x2d), RENDER, "3DSTATE_SAMPLER_STATE_POINTERS_DS"},
    {THREE_D(0, 0x2e), RENDER, "3DSTATE_SAMPLER_STATE_POINTERS_GS"},
    {THREE_D(0, 0x2f), RENDER, "3DSTATE_SAMPLER_STATE_POINTERS_PS"},
    {THREE_D(0, 0x30), RENDER, "3DSTATE_URB_VS"},
    {THREE_D(0, 0x31), RENDER, "3DSTATE_URB_HS"},
    {THREE_D(0, 0x32), RENDER, "3DSTATE_URB_DS"},
    {THREE_D(0, 0x33), RENDER, "3DSTATE_URB_GS"},
    {THREE_D(0, 0x34), RENDER, "3DSTATE_GATHER_CONSTANT_VS"},
    {THREE_D(0, 0x35), RENDER, "3DSTATE_GATHER_CONSTANT_GS"},
    {THREE_D(0, 0x36), RENDER, "3DSTATE_GATHER_CONSTANT_HS"},
    {THREE_D(0, 0x37), RENDER, "3DSTATE_GATHER_CONSTANT_DS"},
    {THREE_D(0, 0x38), RENDER, "3DSTATE_GATHER_CONSTANT_PS"},
    {THREE_D(0, 0x39), RENDER, "3DSTATE_DX9_CONSTANTF_VS"},
    {THREE_D(0, 0x3a), RENDER, "3DSTATE_DX9_CONSTANTF_PS"},
    {THREE_D(0, 0x3b), RENDER, "3DSTATE_DX9_CONSTANTI_VS"},
    {THREE_D(0, 0x3c), RENDER, "3DSTATE_DX9_CONSTANTI_PS"},
    {THREE_D(0, 0x3d), RENDER, "3DSTATE_DX9_CONSTANTB_VS"},
    {THREE_D(0, 0x3e), RENDER, "3DSTATE_DX9_CONSTANTB_PS"},
    {THREE_D(0, 0x3f), RENDER, "3DSTATE_DX9_LOCAL_VALID_VS"},
    {THREE_D(0, 0x40), RENDER, "3DSTATE_DX9_LOCAL_VALID_PS"},
    {THREE_D(0, 0x41), RENDER, "3DSTATE_DX9_GENERATE_ACTIVE_VS"},
    {THREE_D(0, 0x42), RENDER, "3DSTATE_DX9_GENERATE_ACTIVE_PS"},
    {THREE_D(0, 0x43), RENDER, "3DSTATE_BINDING_TABLE_EDIT_VS"},
    {THREE_D(0, 0x44), RENDER, "3DSTATE_BINDING_TABLE_EDIT_GS"},
    {THREE_D(0, 0x45), RENDER, "3DSTATE_BINDING_TABLE_EDIT_HS"},
    {THREE_D(0, 0x46), RENDER, "3DSTATE_BINDING_TABLE_EDIT_DS"},
    {THREE_D(0, 0x47), RENDER, "3DSTATE_BINDING_TABLE_EDIT_PS"},
    {THREE_D(0, 0x48), RENDER, "3DSTATE_VF_HASHING"},
    {THREE_D(0, 0x49), RENDER, "3DSTATE_VF_INSTANCING"},
    {THREE_D(0, 0x4a), RENDER, "3DSTATE_VF_SGVS"},
    {THREE_D(0, 0x4b), RENDER, "3DSTATE_VF_TOPOLOGY"},
    {THREE_D(0, 0x4c), RENDER, "3DSTATE_WM_CHROMAKEY"},
    {THREE_D(0, 0x4d), RENDER, "3DSTATE_PS_BLEND"},
    {THREE_D(0, 0x4e), RENDER, "3DSTATE_WM_DEPTH_STENCIL"},
    {THREE_D(0, 0x4f), RENDER, "3DSTATE_PS_EXTRA"},
    {THREE_D(0, 0x50), RENDER, "3DSTATE_RASTER"},
    {THREE_D(0, 0x51), RENDER, "3DSTATE_SBE_SWIZ"},
    {THREE_D(0, 0x52), RENDER, "3DSTATE_WM_HZ_OP"},
    {THREE_D(0, 0x53), RENDER, "3DSTATE_INT"},
    {THREE_D(0, 0x54), RENDER, "3DSTATE_RS_CONSTANT_POINTER"},
    {THREE_D(0, 0x55), RENDER, "3DSTATE_VF_COMPONENT_PACKING"},
    {THREE_D(0, 0x56), RENDER, "3DSTATE_VF_SGVS_2"},
    {THREE_D(0, 0x6a), RENDER, "3DSTATE_PTBR_MARKER"},
    {THREE_D(0, 0x6b), RENDER, "3DSTATE_PTBR_TILE_SELECT"},
    {THREE_D(1, 0x00), RENDER, "3DSTATE_DRAWING_RECTANGLE"},
    {THREE_D(1, 0x04), RENDER, "3DSTATE_CHROMA_KEY"},
    {THREE_D(1, 0x06), RENDER, "3DSTATE_POLY_STIPPLE_OFFSET"},
    {THREE_D(1, 0x07), RENDER, "3DSTATE_POLY_STIPPLE_PATTERN"},
    {THREE_D(1, 0x08), RENDER, "3DSTATE_LINE_STIPPLE"},
    {THREE_D(1, 0x0a), RENDER, "3DSTATE_AA_LINE_PARAMETERS"},
    {THREE_D(1, 0x0b), RENDER, "3DSTATE_GS_SVB_INDEX"},
    {THREE_D(1, 0x0d), RENDER, "3DSTATE_MULTISAMPLE"},
    {THREE_D(1, 0x0e), RENDER, "3DSTATE_STENCIL_BUFFER"},
    {THREE_D(1, 0x0f), RENDER, "3DSTATE_HIER_DEPTH_BUFFER"},
    {THREE_D(1, 0x10), RENDER, "3DSTATE_CLEAR_PARAMS"},
    {THREE_D(1, 0x11), RENDER, "3DSTATE_MONOFILTER_SIZE"},
    {THREE_D(1, 0x12), RENDER, "3DSTATE_PUSH_CONSTANT_ALLOC_VS"},
    {THREE_D(1, 0x13), RENDER, "3DSTATE_PUSH_CONSTANT_ALLOC_HS"},
    {THREE_D(1, 0x14), RENDER, "3DSTATE_PUSH_CONSTANT_ALLOC_DS"},
    {THREE_D(1, 0x15), RENDER, "3DSTATE_PUSH_CONSTANT_ALLOC_GS"},
    {THREE_D(1, 0x16), RENDER, "3DSTATE_PUSH_CONSTANT_ALLOC_PS"},
    {THREE_D(1, 0x17), RENDER, "3DSTATE_SO_DECL_LIST"},
    {THREE_D(1, 0x18), RENDER, "3DSTATE_SO_BUFFER"},
    {THREE_D(1, 0x19), RENDER, "3DSTATE_BINDING_TABLE_POOL_ALLOC"},
    {THREE_D(1, 0x1a), RENDER, "3DSTATE_GATHER_POOL_ALLOC"},
    {THREE_D(1, 0x1b), RENDER, "3DSTATE_DX9_CONSTANT_BUFFER_POOL_ALLOC"},
    {THREE_D(1, 0x1c), RENDER, "3DSTATE_SAMPLE_PATTERN"},
    {THREE_D(1, 0x1d), RENDER, "3DSTATE_URB_CLEAR"},
    {THREE_D(1, 0x1e), RENDER, "3DSTATE_3D_MODE"},
    {THREE_D(1, 0x1f), RENDER, "3DSTATE_SUBSLICE_HASH_TABLE"},
    {THREE_D(1, 0x20), RENDER, "3DSTATE_SLICE_TABLE_STATE_POINTERS"},
    {THREE_D(1, 0x21), RENDER, "3DSTATE_PTBR_PAGE_POOL_BASE_ADDRESS"},
    {THREE_D(1, 0x22), RENDER, "3DSTATE_PTBR_TILE_PASS_INFO"},
    {THREE_D(1, 0x23), RENDER, "3DSTATE_PTBR_RENDER_LIST_BASE_ADDRESS"},
    {THREE_D(1, 0x24), RENDER, "3DSTATE_PTBR_FREE_LIST_BASE_ADDRESS"},
    {THREE_D(2, 0x00), RENDER, "PIPE_CONTROL"},
    {THREE_D(3, 0x00), RENDER, "3DPRIMITIVE"},
    /* CSP-08: common commands. */
    {COMMON(0, 0x03), RENDER, "STATE_PREFETCH"},
    {COMMON(1, 0x01), RENDER, "STATE_BASE_ADDRESS"},
    {COMMON(1, 0x02), RENDER, "STATE_SIP"},
    {COMMON(1, 0x04), RENDER, "GPGPU_CSR_BASE_ADDRESS"},

    /* CSP-09: VEBOX Command Map. */
    {MEDIA(4, 0, 0x00), ENHANCE, "VEBOX_SURFACE_STATE"},
    {MEDIA(4, 0, 0x01), ENHANCE, "VEBOX_TILING_CONVERT"},
    {MEDIA(4, 0, 0x02), ENHANCE, "VEBOX_STATE"},
    {MEDIA(4, 0, 0x03), ENHANCE, "VEBOX_DI_IECP"},

    /* CSP-09: MFX commands. */
    {MEDIA(0, 0, 0x00), VIDEO, "MFX_PIPE_MODE_SELECT"},
    {MEDIA(0, 0, 0x01), VIDEO, "MFX_SURFACE_STATE"},
    {MEDIA(0, 0, 0x02), VIDEO, "MFX_PIPE_BUF_ADDR_STATE"},
    {MEDIA(0, 0, 0x03), VIDEO, "MFX_IND_OBJ_BASE_ADDR_STATE"},
    {MEDIA(0, 0, 0x04), VIDEO, "MFX_BSP_BUF_BASE_ADDR_STATE"},
    {MEDIA(0, 0, 0x06), VIDEO, "MFX_STATE_POINTER"},
    {MEDIA(0, 1, 0x09), VIDEO, "MFD_IT_OBJECT"},
    {MEDIA(1, 0, 0x00), VIDEO, "MFX_AVC_IMG_STATE"},
    {MEDIA(1, 0, 0x01), VIDEO, "MFX_AVC_QM_STATE"},
    {MEDIA(1, 0, 0x02), VIDEO, "MFX_AVC_DIRECTMODE_STATE"},
    {MEDIA(1, 0, 0x03), VIDEO, "MFX_AVC_SLICE_STATE"},
    {MEDIA(1, 0, 0x04), VIDEO, "MFX_AVC_REF_IDX_STATE"},
    {MEDIA(1, 0, 0x05), VIDEO, "MFX_AVC_WEIGHTOFFSET_STATE"},
    {MEDIA(1, 1, 0x08), VIDEO, "MFD_AVC_BSD_OBJECT"},
    {MEDIA(1, 2, 0x02), VIDEO, "MFC_AVC_FQM_STATE"},
    {MEDIA(1, 2, 0x08), VIDEO, "MFC_AVC_PAK_INSERT_OBJECT"},
    {MEDIA(1, 2, 0x09), VIDEO, "MFC_AVC_PAK_OBJECT"},
    {MEDIA(2, 0, 0x00), VIDEO, "MFX_VC1_PIC_STATE"},
    {MEDIA(2, 0, 0x01), VIDEO, "MFX_VC1_PRED_PIPE_STATE"},
    {MEDIA(2, 0, 0x02), VIDEO, "MFX_VC1_DIRECTMODE_STATE"},
    {MEDIA(2, 1, 0x08), VIDEO, "MFD_VC1_BSD_OBJECT"},
    {MEDIA(3, 0, 0x00), VIDEO, "MFX_MPEG2_PIC_STATE"},
    {MEDIA(3, 0, 0x01), VIDEO, "MFX_MPEG2_QM_STATE"},
    {MEDIA(3, 1, 0x08), VIDEO, "MFD_MPEG2_BSD_OBJECT"},
};

/* What is there beyond the maps: headers, engines, why. */
static const struct {
    uint32_t match, mask;
    unsigned engines;
    const char *why;
} beyond[] = {
    {0x40000000, 0xe0000000, COPY, "the 2D map is CSP-07's"},
    {MI(0x04), COPY, "MI_FLUSH: the blitter takes it still, drivers flush with it on Gen8 and Gen9"},
    {MI(0x06), RENDER, "MI_RS_CONTROL: the map leaves 06h open"},
    {MI(0x08), COPY, "MI_ARB_ON_OFF: drivers give it to the blitter, too"},
    {MI(0x0d), RENDER, "MI_TOPOLOGY_FILTER: the map leaves 0Dh open"},
    {MI(0x0f), RENDER, "MI_RS_CONTEXT: the map leaves 0Fh open"},
    {MI(0x28), RENDER, "MI_REPORT_PERF_COUNT: the map leaves 28h open, drivers use it"},
    {MI(0x31), NOT_RENDER, "MI_BATCH_BUFFER_START: every engine runs batches (CSP-02)"},
    {0x68000000, 0xffff0000, VIDEO, "MFX_WAIT: the header format's MFX Single DW"},
    {0x680b0000, 0xffff0000, RENDER, "3DSTATE_VF_STATISTICS: where the header format has single dwords"},
    {0x69040000, 0xffff0000, RENDER, "PIPELINE_SELECT: where the header format has single dwords"},
    {0x70000000, 0xff000000, RENDER, "media state: only the header format is in this manual"},
    {0x71000000, 0xff000000, RENDER, "media objects: only the header format is in this manual"},
    {0x780d0000, 0xffff0000, RENDER, "3DSTATE_MULTISAMPLE: drivers' place for it"},
    {0x780f0000, 0xffff0000, RENDER, "3DSTATE_SCISSOR_STATE_POINTERS: the map leaves 0Fh open"},
    {0x79020000, 0xffff0000, RENDER, "3DSTATE_SAMPLER_PALETTE_LOAD0: the map leaves 02h open"},
    {0x790c0000, 0xffff0000, RENDER, "3DSTATE_SAMPLER_PALETTE_LOAD1: the map leaves 0Ch open"},
    {0x70000000, 0xf8000000, VIDEO, "codecs newer than the map, of the same header format"},
};
/* clang-format on */

static int create(void **state)
{
    static struct command_set set;
    wrong = 0;
    *state = &set;
    return command_set_create(&set, command_tables, GEN11) ? 0 : -1;
}

static int destroy(void **state)
{
    command_set_destroy(*state);
    return 0;
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void every_opcode_of_the_maps_is_there(void **state)
{
    const struct command_set *set = *state;
    for (unsigned i = 0; i < COUNT(map); i++)
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++) {
            if (!(map[i].engines & 1u << class) || class >= CLASS_COMPUTE) /* since Gen12 and Gen20 */
                continue;
            const struct command *c = set->rows[command_find(set, class, map[i].match)];
            must(c && strcmp(c->name, map[i].name) == 0, "%08x on class %u: %s instead of %s", map[i].match,
                 class, c ? c->name : "nothing", map[i].name);
            must(!c || c->mask == map[i].mask, "%s: opcode bits %08x", map[i].name, c->mask);
        }
    assert_int_equal(wrong, 0);
}

static void what_is_beyond_the_maps_has_a_reason(void **state)
{
    const struct command_set *set = *state;
    unsigned used[COUNT(beyond)] = {0};
    for (unsigned r = 1; r < set->count; r++) {
        const struct command *c = set->rows[r];
        unsigned left = c->engines;
        for (unsigned i = 0; i < COUNT(map); i++)
            if (map[i].match == c->match)
                left &= ~map[i].engines;
        for (unsigned i = 0; i < COUNT(beyond); i++)
            if (left & beyond[i].engines && (c->match & beyond[i].mask) == beyond[i].match) {
                left &= ~beyond[i].engines;
                used[i]++;
            }
        must(!left, "%s (%08x) is on engines %x, where no map has it", c->name, c->match, left);
    }
    for (unsigned i = 0; i < COUNT(beyond); i++)
        must(used[i] != 0, "nothing there for this reason: %s", beyond[i].why);
    assert_int_equal(wrong, 0);
}

/* Reserved opcodes find nothing. */
static void reserved_opcodes_find_nothing(void **state)
{
    const struct command_set *set = *state;
    static const uint8_t mi[] = {0x10, 0x15, 0x17, 0x1f, 0x30, 0x32, 0x33, 0x34, 0x35,
                                 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f};
    static const uint16_t three_d[][2] = {{0x7801, 0x7803}, {0x7857, 0x7869}, {0x786c, 0x78ff},
                                          {0x7903, 0x7903}, {0x7905, 0x7905}, {0x7925, 0x79ff},
                                          {0x7a01, 0x7aff}, {0x7b01, 0x7fff}, {0x6004, 0x60ff},
                                          {0x6100, 0x6100}, {0x6103, 0x6103}, {0x6105, 0x67ff}};
    /* VEBOX has sub-opcodes 0 to 3; VC1 and MPEG2 encoding are reserved, and half of AVC's. */
    static const uint16_t enhance[][2] = {{0x7404, 0x74ff}, {0x7000, 0x73ff}, {0x7500, 0x7fff}};
    for (unsigned i = 0; i < COUNT(mi); i++)
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
            must(!command_find(set, class, (uint32_t)mi[i] << 23), "MI opcode %02x is reserved", mi[i]);
    for (unsigned i = 0; i < COUNT(three_d); i++)
        for (uint32_t high = three_d[i][0]; high <= three_d[i][1]; high++)
            must(!command_find(set, CLASS_RENDER, high << 16), "%04x is reserved", high);
    for (unsigned i = 0; i < COUNT(enhance); i++)
        for (uint32_t high = enhance[i][0]; high <= enhance[i][1]; high++)
            must(!command_find(set, CLASS_ENHANCE, high << 16), "%04x is reserved", high);
    assert_int_equal(wrong, 0);
}

/* CSP-05: the clients (31:29) of each command parser; all others are reserved. */
static void clients_are_those_of_the_header_formats(void **state)
{
    const struct command_set *set = *state;
    static const uint8_t clients[ENGINE_CLASSES] = {
        [CLASS_RENDER] = 1u << 0 | 1u << 3,
        [CLASS_COPY] = 1u << 0 | 1u << 2,
        [CLASS_VIDEO] = 1u << 0 | 1u << 3,
        [CLASS_ENHANCE] = 1u << 0 | 1u << 3,
    };
    for (unsigned class = 0; class < ENGINE_CLASSES; class ++) {
        unsigned found = 0;
        for (uint32_t high = 0; high < 65536; high++)
            if (command_find(set, class, high << 16))
                found |= 1u << (high >> 13);
        must(found == clients[class], "class %u: clients %x", class, found);
    }
    assert_int_equal(wrong, 0);
}

/* CSP-05: lengths are implied by the opcode, or in the header: fixed, or variable. */
static void lengths_are_where_the_header_formats_say(void **state)
{
    const struct command_set *set = *state;
    for (unsigned r = 1; r < set->count; r++) {
        const struct command *c = set->rows[r];
        const unsigned client = c->match >> 29, type = c->match >> 27 & 3u;
        if (client == 0) { /* MI: 0Xh single dwords, the others with a count */
            const unsigned opcode = c->match >> 23 & 0x3fu;
            must((opcode < 0x10) == (c->length_bits == 0), "%s: length of an MI command %02xh", c->name,
                 opcode);
            must(c->length_bits == 0 || (c->length_bits >= 6 && c->length_bits <= 10), "%s: count of %u bits",
                 c->name, c->length_bits);
        } else if (client == 3 && type == 1 && c->engines & RENDER) {
            must(c->length_bits == 0 && c->min_dwords == 1, "%s: a single dword", c->name);
        } else if (client == 3 && type == 3 && c->engines & RENDER && c->match != 0x780b0000) {
            /* 15:8 Data, 7:0 DWord Count; lists that may be longer take bits of the data */
            const bool is_list =
                c->match == 0x79170000 || (c->match >> 16 >= 0x7839 && c->match >> 16 <= 0x7847);
            must(c->length_bits == 8 || (is_list && c->length_bits > 8), "%s: count of %u bits", c->name,
                 c->length_bits);
        } else if (client == 3 && type == 2 && c->engines & ENHANCE) {
            must(c->length_bits == 12, "%s: 11:0 DWord Count", c->name);
        } else if (client == 3 && type == 2) { /* 15:0, as far as a command has it */
            must(c->length_bits >= 8 && c->length_bits <= 16, "%s: count of %u bits", c->name,
                 c->length_bits);
        } else if (client == 2) { /* 28:22 opcode; 8:0 count, of which blits use 7:0 */
            must(c->mask == 0xffc00000 && c->length_bits == 8, "%s: a blit's header", c->name);
        }
        must(c->length_bits == 0 || c->length_bias == 2 || c->match == 0x68000000, "%s: count starts at %u",
             c->name, c->length_bias);
    }
    assert_int_equal(wrong, 0);
}

TEST_PROGRAM(map_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_opcode_of_the_maps_is_there, create, destroy),
        cmocka_unit_test_setup_teardown(what_is_beyond_the_maps_has_a_reason, create, destroy),
        cmocka_unit_test_setup_teardown(reserved_opcodes_find_nothing, create, destroy),
        cmocka_unit_test_setup_teardown(clients_are_those_of_the_header_formats, create, destroy),
        cmocka_unit_test_setup_teardown(lengths_are_where_the_header_formats_say, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
