/*
 * MI commands of Gen6 that later generations dropped or redefined. (REN-03, REN-28 to REN-37, VCS-11)
 */
#include "mi/mi.h"
#include "engine/execution.h"

/* ---- MI_FLUSH: nothing is in flight; what is left is its side effects. (REN-31) ---- */
enum {
    FLUSH_INDIRECT_STATE_POINTERS_DISABLE = 1,
    FLUSH_GLOBAL_SNAPSHOT_COUNT_RESET,
    FLUSH_GENERIC_MEDIA_STATE_CLEAR
};
static const struct field flush_fields[] = {
    {"Indirect State Pointers Disable", 5, 5, FIELD_BOOL, ROLE(FLUSH_INDIRECT_STATE_POINTERS_DISABLE)},
    {"Global Snapshot Count Reset", 3, 3, FIELD_BOOL, ROLE(FLUSH_GLOBAL_SNAPSHOT_COUNT_RESET)},
    {"Protected Memory Enable", 6, 6, FIELD_BOOL, NULL},
    {"Generic Media State Clear", 4, 4, FIELD_BOOL, ROLE(FLUSH_GENERIC_MEDIA_STATE_CLEAR)},
    {"Render Cache Flush Inhibit", 2, 2, FIELD_BOOL, NULL},
    {"State/Instruction Cache Invalidate", 1, 1, FIELD_BOOL, NULL},
};

static enum outcome flush_execute(struct execution *x)
{
    enum { MI_FLUSH_ENABLE = 1u << 12 };
    struct engine *e = x->engine;
    if (!(engine_register(e, MI_MODE) & MI_FLUSH_ENABLE)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_FLUSH while MI_MODE bit 12 does not enable it: ignored");
        return OUTCOME_DONE;
    }
    engine_invalidate_tlb(e);
    engine_flushed(e);
    if (command_flag(x, FLUSH_INDIRECT_STATE_POINTERS_DISABLE))
        engine_invalidate_indirect_state(e);
    if (command_flag(x, FLUSH_GENERIC_MEDIA_STATE_CLEAR))
        engine_invalidate_media_state(e);
    if (command_flag(x, FLUSH_GLOBAL_SNAPSHOT_COUNT_RESET)) /* not PS_DEPTH_COUNT, not TIMESTAMP */
        for (uint32_t offset = 0x310; offset < 0x350; offset += 4)
            engine_register_set(e, offset, 0);
    return OUTCOME_DONE;
}

/* ---- MI_LOAD_REGISTER_IMM ---- */
enum { LRI_BYTE_WRITE_DISABLES = 1 };
static const struct field lri_fields[] = {
    {"Byte Write Disables", 8, 11, FIELD_HEX, ROLE(LRI_BYTE_WRITE_DISABLES)}};
static const struct field lri_group[] = {{"Register Offset", 2, 31, FIELD_OFFSET, NULL},
                                         {"Data DWord", 32, 63, FIELD_HEX, NULL}};

/* The manuals give the privilege of the render and video streamers. On the blitter, batches of users set
 * BCS_SWCTRL: as on later ones, what may be written depends on the register. */
#define LRI_COMMON                                                                                           \
    .name = "MI_LOAD_REGISTER_IMM", .summary = "Writes registers with immediates.", OPCODE_MI(0x22),         \
    .since = GEN6, .until = GEN75, .length_bits = 8, .length_bias = 2, .min_dwords = 3, FIELDS(lri_fields),  \
    GROUP(lri_group, 1, 2)

/* Commands of this ring write no register; they may read. (REN-10) */
static bool registers_disabled(const struct engine *e)
{
    return engine_register(e, RING_BUFFER_CTL) & RING_BUFFER_CTL_NO_REGISTERS;
}

static enum outcome load_registers(struct execution *x, uint32_t byte_enables)
{
    if (!byte_enables || registers_disabled(x->engine))
        return OUTCOME_DONE;
    for (uint32_t i = 1u + command_done_dw(x); i + 1u < x->length_dw; i += 2) {
        command_register_write(x, x->dw[i] & ~3u, x->dw[i + 1u], byte_enables);
        if (command_ends_slice(x, i + 1u))
            return x->progress ? OUTCOME_RESUME : OUTCOME_DONE;
    }
    return OUTCOME_DONE;
}

/* The render streamer has all four disables or none: any other value writes the dword whole. (REN-32) */
static enum outcome lri_execute_whole(struct execution *x)
{
    return load_registers(x, header_field(x, LRI_BYTE_WRITE_DISABLES) == 0xf ? 0 : 0xf);
}

/* The others disable byte by byte. (VCS-11) */
static enum outcome lri_execute_bytes(struct execution *x)
{
    return load_registers(x, ~header_field(x, LRI_BYTE_WRITE_DISABLES) & 0xfu);
}

/* ---- MI_UPDATE_GTT ---- */
enum { UPDATE_USE_GLOBAL_GTT = 1, UPDATE_ENTRY_ADDRESS };
static const struct field update_fields[] = {
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(UPDATE_USE_GLOBAL_GTT)},
    {"Entry Address", 44, 63, FIELD_ADDRESS, ROLE(UPDATE_ENTRY_ADDRESS)},
};
static const struct field update_group[] = {{"Entry Data", 0, 31, FIELD_HEX, NULL}};
static enum outcome update_execute(struct execution *x)
{
    struct engine *e = x->engine;
    if (!command_flag(x, UPDATE_USE_GLOBAL_GTT)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_UPDATE_GTT of a per-process table is not supported: ignored");
        return OUTCOME_DONE;
    }
    uint64_t offset = command_field(x, UPDATE_ENTRY_ADDRESS) / PAGE_BYTES * 4u;
    for (uint32_t i = 2; i < x->length_dw; i++, offset += 4)
        pf_ggtt_write(e->mmu.memory, offset, x->dw[i], 4);
    engine_invalidate_tlb(e);
    return OUTCOME_DONE;
}

/* ---- MI_SEMAPHORE_MBOX ---- */
enum {
    MBOX_USE_GLOBAL_GTT = 1,
    MBOX_UPDATE_SEMAPHORE,
    MBOX_COMPARE_SEMAPHORE,
    MBOX_COMPARE_REGISTER,
    MBOX_REGISTER_SELECT,
    MBOX_SEMAPHORE_DATA_DWORD,
    MBOX_SEMAPHORE_ADDRESS
};
static const struct field_value mbox_registers[] = {
    {"SYNC_0", 0}, {"SYNC_2", 1}, {"SYNC_1", 2}, {"General Register", 3}, {NULL, 0}};
static const struct field mbox_fields[] = {
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(MBOX_USE_GLOBAL_GTT)},
    {"Update Semaphore", 21, 21, FIELD_BOOL, ROLE(MBOX_UPDATE_SEMAPHORE)},
    {"Compare Semaphore", 20, 20, FIELD_BOOL, ROLE(MBOX_COMPARE_SEMAPHORE)},
    {"Compare Register", 18, 18, FIELD_BOOL, ROLE(MBOX_COMPARE_REGISTER)},
    {"Register Select", 17, 17, FIELD_UINT, ROLE(MBOX_REGISTER_SELECT), .until = GEN6},
    {"Register Select", 16, 17, FIELD_UINT, mbox_registers, ROLE(MBOX_REGISTER_SELECT), .since = GEN7},
    {"General Register Select", 8, 13, FIELD_UINT, NULL, .since = GEN75},
    {"Semaphore Data Dword", 32, 63, FIELD_HEX, ROLE(MBOX_SEMAPHORE_DATA_DWORD)},
    {"Semaphore Address", 66, 95, FIELD_ADDRESS, ROLE(MBOX_SEMAPHORE_ADDRESS)},
};

/* Gen6 uses bit 17 only. */
static uint32_t mailbox(const struct execution *x)
{
    enum { GENERAL = 3 };
    static const uint32_t sync[] = {SYNC_0, SYNC_2, SYNC_1, SYNC_1};
    const uint32_t select = x->header >> 16 & 3u;
    if (select == GENERAL && x->command->by_role[MBOX_REGISTER_SELECT].values)
        report_error(x->engine->log, SOFTGT_NOT_MODELLED, x->engine->info->name,
                     x->engine->parse.command_address,
                     "MI_SEMAPHORE_MBOX: general semaphore registers are not modelled: register 1 is used");
    return engine_register(x->engine, sync[select]);
}

/* Waits while the semaphore is not greater. An update with a compare is done once the compare holds.
 * (REN-33) */
static enum outcome mbox_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const uint32_t data = (uint32_t)command_field(x, MBOX_SEMAPHORE_DATA_DWORD),
                   address = (uint32_t)command_field(x, MBOX_SEMAPHORE_ADDRESS);
    const enum space space = space_of_global_gtt_flag(command_flag(x, MBOX_USE_GLOBAL_GTT) && x->privileged);
    if (command_flag(x, MBOX_COMPARE_SEMAPHORE)) {
        const uint32_t semaphore =
            command_flag(x, MBOX_COMPARE_REGISTER) ? mailbox(x) : (uint32_t)engine_load(e, space, address, 4);
        if (semaphore <= data) {
            const struct wait wait = {
                .reason = WAIT_MAILBOX,
                .ring_ctl_bit = command_flag(x, MBOX_COMPARE_REGISTER) ? RING_BUFFER_CTL_WAIT_SEMAPHORE : 0,
                .actual_value = semaphore,
                .expected_value = data,
                .comparison = 1};
            return wait_begin(e, wait) ? OUTCOME_WAIT
                                       : OUTCOME_DONE; /* software ended it: no update either */
        }
    }
    if (command_flag(x, MBOX_UPDATE_SEMAPHORE)) {
        if (!command_flag(x, MBOX_COMPARE_REGISTER))
            engine_store32(e, space, address, data);
        else if (!registers_disabled(e))
            command_register_write(x, address, data, 0xf);
    }
    return OUTCOME_DONE;
}

/* ---- MI_PROBE, MI_UNPROBE ---- */
enum { UNPROBE_SLOT_NUMBER = 1 };
static const struct field probe_group[] = {{"Surface Page Base Address", 12, 31, FIELD_ADDRESS, NULL},
                                           {"Slot Number", 0, 9, FIELD_UINT, NULL}};
static const struct field unprobe_fields[] = {{"Slot Number", 0, 9, FIELD_UINT, ROLE(UNPROBE_SLOT_NUMBER)}};

static enum outcome probe_execute(struct execution *x)
{
    return probe_surfaces(x);
}

static enum outcome unprobe_execute(struct execution *x)
{
    return unprobe_surface(x, header_field(x, UNPROBE_SLOT_NUMBER));
}

/* ---- MI_CLFLUSH: no cache is modelled; INSTPM's toggle shows completion. (REN-06) ----
 */
static const struct field clflush_fields[] = {
    {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    {"Starting Cacheline Offset", 38, 43, FIELD_OFFSET, NULL},
    {"Page Base Address", 44, 63, FIELD_ADDRESS, NULL},
};
static enum outcome clflush_execute(struct execution *x)
{
    enum { CLFLUSH_TOGGLE = 1u << 11 };
    struct engine *e = x->engine;
    engine_register_set(e, INSTPM, engine_register(e, INSTPM) ^ CLFLUSH_TOGGLE);
    return OUTCOME_DONE;
}

/* ---- Others ---- */
/* "Use Global GTT" without privilege: Gen6 reports an error, Gen7 ignores the bit. */
#define MBOX_COMMON                                                                                          \
    .name = "MI_SEMAPHORE_MBOX", .summary = "Waits until a semaphore is greater, or sets it.",               \
    OPCODE_MI(0x16), .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2, .min_dwords = 3,            \
    FIELDS(mbox_fields), .execute = mbox_execute
#define CLFLUSH_COMMON                                                                                       \
    .name = "MI_CLFLUSH", .summary = "Flushes CPU cache lines of a page; memory here is always coherent.",   \
    OPCODE_MI(0x27), .engines = RENDER, .length_bits = 10, .length_bias = 2, .min_dwords = 2,                \
    FIELDS(clflush_fields), .execute = clflush_execute

static const struct command rows[] = {
    {.name = "MI_FLUSH",
     .summary = "Flushes the render engine, where MI_MODE still enables that.",
     OPCODE_MI(0x04),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN75,
     .min_dwords = 1,
     FIELDS(flush_fields),
     .execute = flush_execute,
     .spec = "REN-31"},
    {.name = "MI_UNPROBE",
     .summary = "Takes a page off the probe list.",
     OPCODE_MI(0x06),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN6,
     .min_dwords = 1,
     .flags = COMMAND_PROBES,
     FIELDS(unprobe_fields),
     .execute = unprobe_execute,
     .spec = "REN-03"},
    {.name = "MI_PROBE",
     .summary = "Looks whether pages are there, and puts them on the probe list.",
     OPCODE_MI(0x25),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN6,
     .length_bits = 10,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_PROBES,
     GROUP(probe_group, 1, 1),
     .execute = probe_execute,
     .spec = "REN-03"},
    {LRI_COMMON, .engines = RENDER, .flags = COMMAND_PRIVILEGED | COMMAND_PREDICATED,
     .execute = lri_execute_whole, .spec = "REN-32"},
    {LRI_COMMON, .engines = VIDEO, .flags = COMMAND_PRIVILEGED | COMMAND_PREDICATED,
     .execute = lri_execute_bytes, .spec = "VCS-11"},
    {LRI_COMMON, .engines = COPY | ENHANCE, .flags = COMMAND_PREDICATED, .execute = lri_execute_bytes,
     .spec = "CSP-15"},
    {.name = "MI_UPDATE_GTT",
     .summary = "Writes entries of the global GTT.",
     OPCODE_MI(0x23),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_PRIVILEGED,
     FIELDS(update_fields),
     GROUP(update_group, 2, 1),
     .execute = update_execute,
     .spec = "REN-36"},
    {MBOX_COMMON, .since = GEN6, .until = GEN6, .privileged_if = 1u << 22, .spec = "REN-33"},
    {MBOX_COMMON, .since = GEN7, .until = GEN75, .spec = "REN-33; IVB PRM vol 1 part 3, 1.2.15"},
    {CLFLUSH_COMMON, .since = GEN6, .until = GEN6, .privileged_if = 1u << 22, .spec = "REN-06"},
    {CLFLUSH_COMMON, .since = GEN7, .until = GEN75, .spec = "REN-06; IVB PRM vol 1 part 3, 1.2.8"},
};

const struct command_table mi_gen6_commands = COMMAND_TABLE(rows);
