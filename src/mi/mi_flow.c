/* Control flow of the parser: batches, arbitration, no-operations. (CSP-02, CSP-06, CSP-21, REN-28) */
#include "mi/mi.h"
#include "engine/execution.h"

/* ---- MI_NOOP ---- */
enum { NOOP_IDENTIFICATION_NUMBER_REGISTER_WRITE_ENABLE = 1, NOOP_IDENTIFICATION_NUMBER };
static const struct field noop_fields[] = {
    {"Identification Number Register Write Enable", 22, 22, FIELD_BOOL,
     ROLE(NOOP_IDENTIFICATION_NUMBER_REGISTER_WRITE_ENABLE)},
    {"Identification Number", 0, 21, FIELD_HEX, ROLE(NOOP_IDENTIFICATION_NUMBER)},
};
static enum outcome noop_execute(struct execution *x)
{
    if (command_flag(x, NOOP_IDENTIFICATION_NUMBER_REGISTER_WRITE_ENABLE))
        engine_register_set(x->engine, NOPID, header_field(x, NOOP_IDENTIFICATION_NUMBER));
    return OUTCOME_DONE;
}

/* ---- MI_BATCH_BUFFER_START ---- */
enum {
    BBS_ADDRESS_SPACE_INDICATOR = 1,
    BBS_PREDICATION_ENABLE,
    BBS_ADD_OFFSET_ENABLE,
    BBS_SECOND_LEVEL_BATCH_BUFFER,
    BBS_BATCH_BUFFER_START_ADDRESS,
    BBS_BATCH_BUFFER_ENCRYPTED_MEMORY_READ_ENABLE,
    BBS_CLEAR_COMMAND_BUFFER_ENABLE,
    BBS_NON_PRIVILEGED
};
static const struct field_value space_values[] = {{"GGTT", 0}, {"PPGTT", 1}, {NULL, 0}};
static const struct field_value level_values[] = {
    {"First level batch", 0}, {"Second level batch", 1}, {NULL, 0}};
static const struct field_value security_values[] = {
    {"Secure", 0}, {"Non-Secure", 1}, {"GGTT", 0}, {"PPGTT", 1}, {NULL, 0}};
static const struct field bbs_fields[] = {
    {"Buffer Security and Address Space Indicator", 8, 8, FIELD_UINT, security_values,
     ROLE(BBS_ADDRESS_SPACE_INDICATOR), .until = GEN75},
    {"Address Space Indicator", 8, 8, FIELD_UINT, space_values, ROLE(BBS_ADDRESS_SPACE_INDICATOR),
     .since = GEN8},
    {"Reserved", 15, 15, FIELD_BOOL, .until = GEN75},
    {"Reserved", 16, 16, FIELD_BOOL, .until = GEN75},
    {"Reserved", 22, 22, FIELD_UINT, .until = GEN75},
    {"Predication Enable", 15, 15, FIELD_BOOL, ROLE(BBS_PREDICATION_ENABLE), .since = GEN8},
    {"Add Offset Enable", 16, 16, FIELD_BOOL, ROLE(BBS_ADD_OFFSET_ENABLE), .since = GEN8},
    {"Second Level Batch Buffer", 22, 22, FIELD_UINT, level_values, ROLE(BBS_SECOND_LEVEL_BATCH_BUFFER),
     .since = GEN8},
    {"Batch Buffer Start Address", 34, 63, FIELD_ADDRESS, ROLE(BBS_BATCH_BUFFER_START_ADDRESS),
     .until = GEN75},
    {"Batch Buffer Start Address", 34, 95, FIELD_ADDRESS, ROLE(BBS_BATCH_BUFFER_START_ADDRESS),
     .since = GEN8},
    {"Clear Command Buffer Enable", 11, 11, FIELD_BOOL, ROLE(BBS_CLEAR_COMMAND_BUFFER_ENABLE),
     .until = GEN75},
    {"Batch Buffer Encrypted Memory Read Enable", 12, 12, FIELD_BOOL,
     ROLE(BBS_BATCH_BUFFER_ENCRYPTED_MEMORY_READ_ENABLE), .until = GEN6},
    {"Resource Streamer Enable", 10, 10, FIELD_BOOL, .since = GEN8},
    {"Enable Command Cache", 19, 19, FIELD_BOOL, .since = GEN125},
    {"POSH Enable", 20, 20, FIELD_BOOL, .since = GEN125},
    {"POSH Start", 21, 21, FIELD_BOOL, .since = GEN125},
};
static const struct field gen75_bbs_fields[] = {
    {"Address Space Indicator", 8, 8, FIELD_UINT, space_values, ROLE(BBS_ADDRESS_SPACE_INDICATOR)},
    {"Resource Streamer Enable", 10, 10, FIELD_BOOL},
    {"Clear Command Buffer Enable", 11, 11, FIELD_BOOL},
    {"Non-Privileged", 13, 13, FIELD_BOOL, ROLE(BBS_NON_PRIVILEGED)},
    {"Predication Enable", 15, 15, FIELD_BOOL, ROLE(BBS_PREDICATION_ENABLE)},
    {"Add Offset Enable", 16, 16, FIELD_BOOL, ROLE(BBS_ADD_OFFSET_ENABLE)},
    {"Second Level Batch Buffer", 22, 22, FIELD_UINT, level_values, ROLE(BBS_SECOND_LEVEL_BATCH_BUFFER)},
    {"Batch Buffer Start Address", 34, 63, FIELD_ADDRESS, ROLE(BBS_BATCH_BUFFER_START_ADDRESS)},
};

/* The manuals up to Gen11 want batches aligned to 8 bytes: others are reported, then executed. From Gen12.5
 * on drivers rely on DWords: xe for each change of a page table, Mesa for its jumps. (OVR-05; Linux,
 * xe_bb_create_migration_job; Mesa, mi_goto_target) */
static void tell_unaligned(const struct execution *x, uint64_t address)
{
    if (address & 4u)
        report_error(x->engine->log, SOFTGT_NOT_MODELLED, x->engine->info->name,
                     x->engine->parse.command_address,
                     "a batch buffer starts at a DWord, not at a QWord: the manual allows none");
}

/* Batches of the deepest level and workaround batches chain at their own level. */
static bool has_deeper_level(const struct engine *e)
{
    const unsigned level = stream_batch_level(e);
    return e->info->batches[level].address &&
           (level < 2 || engine_register(e, MI_MODE) & MI_MODE_NESTED_BATCHES);
}

static inline enum outcome start_batch(struct execution *x, bool of_qwords)
{
    struct engine *e = x->engine;
    struct stream *from = &e->parse.streams[e->parse.depth];
    uint64_t address = command_field(x, BBS_BATCH_BUFFER_START_ADDRESS);
    if (command_flag(x, BBS_ADD_OFFSET_ENABLE))
        address += engine_register(e, BB_OFFSET);
    if (of_qwords)
        tell_unaligned(x, address);
    enum space space = command_flag(x, BBS_ADDRESS_SPACE_INDICATOR) ? SPACE_PPGTT : SPACE_GGTT;
    /* A batch is as privileged as what starts it, or less: the GGTT is privileged, and what a batch in the
     * PPGTT starts is in the PPGTT, whatever it says. (CSP-15) */
    if (!x->privileged && space == SPACE_GGTT && from->space != SPACE_GGTT) {
        space = SPACE_PPGTT;
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_BATCH_BUFFER_START: the GGTT is privileged, the batch is taken from the PPGTT");
        engine_error(e, EIR_PRIVILEGE);
    }
    e->totals.batches++;
    engine_register_set(e, 0x150, (uint32_t)address);         /* BB_START_ADDR */
    engine_register_set(e, 0x170, (uint32_t)(address >> 32)); /* BB_START_ADDR_UDW */
    if (from->kind == STREAM_RESTORE)
        return OUTCOME_DONE;
    /* Gen7.5 has a bit of its own for what is not privileged. */
    const bool trusted = from->started_privileged && !command_flag(x, BBS_NON_PRIVILEGED);
    const bool deeper =
        from->kind == STREAM_RING ||
        (from->kind == STREAM_BATCH && command_flag(x, BBS_SECOND_LEVEL_BATCH_BUFFER) && has_deeper_level(e));
    engine_trace(e, deeper ? SOFTGT_EVENT_BATCH : SOFTGT_EVENT_CHAIN, address);
    if (deeper) {
        stream_push(e, STREAM_BATCH, space, address, trusted);
        return OUTCOME_JUMP;
    }
    from->started_privileged = trusted;
    from->space = (uint8_t)space;
    from->end = UINT64_MAX; /* after INDIRECT_CTX, too, a batch ends only at its MI_BATCH_BUFFER_END */
    stream_jump(e, address);
    return OUTCOME_JUMP;
}

static bool result_1_clear(const struct execution *x)
{
    return command_flag(x, BBS_PREDICATION_ENABLE) &&
           !(engine_register(x->engine, MI_PREDICATE_RESULT_1) & 1u);
}

static enum outcome bbs_execute(struct execution *x)
{
    return result_1_clear(x) ? OUTCOME_DONE : start_batch(x, true);
}

static enum outcome bbs_execute_dwords(struct execution *x)
{
    return result_1_clear(x) ? OUTCOME_DONE : start_batch(x, false);
}

/* From Gen12.5 on Predication Enable goes with the condition of MI_SET_PREDICATE, on the engines that have
 * it. (Linux, alloc_noa_wait; Mesa, mi_goto_if) */
static enum outcome bbs_execute_gen125(struct execution *x)
{
    if (command_flag(x, BBS_PREDICATION_ENABLE) && engine_predicate_is_noop(x->engine))
        return OUTCOME_DONE;
    return start_batch(x, false);
}

/* The security bit counts in the ring only: a chained batch is as secure as the first. Each batch says
 * whether its memory is encrypted. No cipher is modelled, but an encrypted batch has no privileged commands.
 * (REN-28) */
static enum outcome bbs_execute_gen6(struct execution *x)
{
    struct engine *e = x->engine;
    struct stream *from = &e->parse.streams[e->parse.depth];
    const uint32_t address = (uint32_t)command_field(x, BBS_BATCH_BUFFER_START_ADDRESS);
    tell_unaligned(x, address);
    if (command_flag(x, BBS_CLEAR_COMMAND_BUFFER_ENABLE))
        report_error(
            e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
            "a batch in the write-once protected memory: there is none, %x is taken as any batch's address",
            address);
    e->totals.batches++;
    if (from->kind != STREAM_RING) {
        engine_trace(e, SOFTGT_EVENT_CHAIN, address);
        stream_jump(e, address);
    } else {
        const bool secure = !command_flag(x, BBS_ADDRESS_SPACE_INDICATOR);
        engine_register_set(e, BB_STATE, secure ? 0 : BB_STATE_PPGTT);
        engine_trace(e, SOFTGT_EVENT_BATCH, address);
        stream_push(e, STREAM_BATCH, secure ? SPACE_GGTT : SPACE_PPGTT, address, secure);
    }
    e->parse.streams[e->parse.depth].encrypted =
        command_flag(x, BBS_BATCH_BUFFER_ENCRYPTED_MEMORY_READ_ENABLE);
    engine_derive_skip(e);
    return OUTCOME_JUMP;
}

/* ---- MI_BATCH_BUFFER_END ---- */
static enum outcome bbe_execute(struct execution *x)
{
    struct engine *e = x->engine;
    struct stream *s = &e->parse.streams[e->parse.depth];
    switch (s->kind) {
    case STREAM_RING:
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_BATCH_BUFFER_END in a ring: no batch to end");
        return OUTCOME_DONE;
    case STREAM_RESTORE:
        context_end_image(e);
        return OUTCOME_JUMP;
    default:
        stream_pop(e);
        engine_trace(e, SOFTGT_EVENT_BATCH_END, e->parse.command_address);
        return OUTCOME_JUMP;
    }
}

/* ---- MI_CONDITIONAL_BATCH_BUFFER_END: ends the batch unless memory is greater than the data. Since Gen11 it
 * names the comparison with which the batch goes on; since Gen12 any dword is compared, as IGT's spinners of
 * xe have it, not only a qword's lower. (Linux's IGT, igt_dummyload.c, xe_spin.c) ---- */
enum {
    CBBE_COMPARE_MASK_MODE = 1,
    CBBE_COMPARE_OPERATION,
    CBBE_END_CURRENT_BATCH_BUFFER_LEVEL,
    CBBE_COMPARE_SEMAPHORE,
    CBBE_USE_GLOBAL_GTT,
    CBBE_COMPARE_DATA_DWORD,
    CBBE_COMPARE_ADDRESS
};
enum { GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL, EQUAL, NOT_EQUAL };
static const struct field_value cbbe_operations[] = {{"memory > data", GREATER},
                                                     {"memory >= data", GREATER_OR_EQUAL},
                                                     {"memory < data", LESS},
                                                     {"memory <= data", LESS_OR_EQUAL},
                                                     {"memory == data", EQUAL},
                                                     {"memory != data", NOT_EQUAL},
                                                     {NULL, 0}};
static const struct field cbbe_fields[] = {
    {"Reserved", 19, 19, FIELD_BOOL, .until = GEN75},
    {"Compare Mask Mode", 19, 19, FIELD_BOOL, ROLE(CBBE_COMPARE_MASK_MODE), .since = GEN8},
    {"Compare Operation", 12, 14, FIELD_UINT, cbbe_operations, ROLE(CBBE_COMPARE_OPERATION), .since = GEN11},
    {"Predicate Enable", 15, 15, FIELD_BOOL, .since = GEN125},
    {"End Current Batch Buffer Level", 18, 18, FIELD_BOOL, ROLE(CBBE_END_CURRENT_BATCH_BUFFER_LEVEL),
     .since = GEN125},
    {"Compare Semaphore", 21, 21, FIELD_BOOL, ROLE(CBBE_COMPARE_SEMAPHORE)},
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(CBBE_USE_GLOBAL_GTT)},
    {"Compare Data Dword", 32, 63, FIELD_HEX, ROLE(CBBE_COMPARE_DATA_DWORD)},
    {"Compare Address", 67, 95, FIELD_ADDRESS, ROLE(CBBE_COMPARE_ADDRESS), .until = GEN75},
    {"Compare Address", 67, 127, FIELD_ADDRESS, ROLE(CBBE_COMPARE_ADDRESS), .since = GEN8, .until = GEN11},
    {"Compare Address", 66, 127, FIELD_ADDRESS, ROLE(CBBE_COMPARE_ADDRESS), .since = GEN12},
};
static bool goes_on(unsigned operation, uint32_t memory, uint32_t data)
{
    switch (operation) {
    case GREATER_OR_EQUAL:
        return memory >= data;
    case LESS:
        return memory < data;
    case LESS_OR_EQUAL:
        return memory <= data;
    case EQUAL:
        return memory == data;
    case NOT_EQUAL:
        return memory != data;
    default:
        return memory > data;
    }
}

static enum outcome cbbe_execute(struct execution *x)
{
    struct engine *e = x->engine;
    uint64_t memory = 0;
    const bool masked = command_flag(x, CBBE_COMPARE_MASK_MODE); /* the qword's upper dword masks the lower */
    const uint64_t address = command_field(x, CBBE_COMPARE_ADDRESS) & (masked ? ~UINT64_C(7) : ~UINT64_C(3));
    if (!engine_load_into(e, space_of_global_gtt_flag(command_flag(x, CBBE_USE_GLOBAL_GTT)), address, &memory,
                          masked ? 8 : 4))
        return OUTCOME_FAULT;
    uint32_t value = (uint32_t)memory;
    if (masked)
        value &= (uint32_t)(memory >> 32);
    if (!command_flag(x, CBBE_COMPARE_SEMAPHORE) ||
        goes_on((unsigned)command_field(x, CBBE_COMPARE_OPERATION), value,
                (uint32_t)command_field(x, CBBE_COMPARE_DATA_DWORD)))
        return OUTCOME_DONE;
    /* All levels end, unless it is to be only one; a workaround batch is of none. */
    while (!command_flag(x, CBBE_END_CURRENT_BATCH_BUFFER_LEVEL) &&
           e->parse.streams[e->parse.depth].kind == STREAM_BATCH && stream_batch_level(e) > 1) {
        stream_pop(e);
        engine_trace(e, SOFTGT_EVENT_BATCH_END, e->parse.command_address);
    }
    return bbe_execute(x);
}

/* ---- MI_ARB_ON_OFF ---- */
enum { ARB_ARBITRATION_ENABLE = 1 };
static const struct field arb_fields[] = {
    {"Arbitration Enable", 0, 0, FIELD_BOOL, ROLE(ARB_ARBITRATION_ENABLE)},
    {"Allow Lite Restore", 1, 1, FIELD_BOOL, .since = GEN11}};
static const struct field arb_check_fields[] = {
    {"Pre-Fetch Disable", 0, 0, FIELD_BOOL, .since = GEN12},
    {"Mask Bits", 8, 15, FIELD_HEX, .since = GEN12},
};
static const struct field bbe_fields[] = {{"End Context", 0, 0, FIELD_BOOL, .since = GEN11}};
static enum outcome arb_execute(struct execution *x)
{
    x->engine->parse.arbitration = command_flag(x, ARB_ARBITRATION_ENABLE);
    return OUTCOME_DONE;
}

static enum outcome arb_check_execute(struct execution *x)
{
    /* A pending execlist is COMMAND_ARBITRATES' business. */
    return ring_apply_uhptr(x->engine) ? OUTCOME_JUMP : OUTCOME_DONE;
}

#define BBS_COMMON                                                                                           \
    .name = "MI_BATCH_BUFFER_START", .summary = "Starts, chains or calls a batch buffer.", OPCODE_MI(0x31),  \
    .length_bits = 8, .length_bias = 2

static const struct command rows[] = {
    {.name = "MI_NOOP",
     .summary = "Nothing, or a number into NOPID.",
     OPCODE_MI(0x00),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     FIELDS(noop_fields),
     .execute = noop_execute,
     .spec = "CSP-06, REN-32"},
    {.name = "MI_ARB_CHECK",
     .summary = "A point where the context may be switched.",
     OPCODE_MI(0x05),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     .flags = COMMAND_ARBITRATES,
     FIELDS(arb_check_fields),
     .execute = arb_check_execute,
     .spec = "CSP-21, REN-12"},
    {.since = GEN7,
     .flags = COMMAND_ARBITRATES | COMMAND_PRIVILEGED,
     .spec = "REN-12; IVB PRM vol 1 part 3, 1.2.7.2"},
    {.since = GEN75, .flags = COMMAND_ARBITRATES, .spec = "CSP-21, REN-12"},
    {.name = "MI_ARB_ON_OFF",
     .summary = "Allows or forbids switching the context.",
     OPCODE_MI(0x08),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     .flags = COMMAND_PRIVILEGED | COMMAND_PHYSICAL,
     FIELDS(arb_fields),
     .execute = arb_execute,
     .spec = "CSP-15, CSP-21"},
    {.name = "MI_BATCH_BUFFER_END",
     .summary = "Goes back to what started the batch.",
     OPCODE_MI(0x0a),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     FIELDS(bbe_fields),
     .execute = bbe_execute,
     .spec = "CSP-02, REN-28"},
    {BBS_COMMON, .engines = ALL_ENGINES, .since = GEN6, .until = GEN7, .min_dwords = 2, FIELDS(bbs_fields),
     .execute = bbs_execute_gen6, .spec = "REN-28, REN-29, VCS-11"},
    {BBS_COMMON, .engines = COPY | VIDEO | ENHANCE, .since = GEN75, .until = GEN75, .min_dwords = 2,
     FIELDS(bbs_fields), .execute = bbs_execute_gen6, .spec = "REN-28, REN-29, VCS-11"},
    {BBS_COMMON, .engines = RENDER, .since = GEN75, .until = GEN75, .min_dwords = 2, FIELDS(gen75_bbs_fields),
     .execute = bbs_execute, .spec = "CSP-02; HSW PRM vol 6"},
    {BBS_COMMON, .engines = ALL_ENGINES, .since = GEN8, .until = GEN12, .min_dwords = 3, FIELDS(bbs_fields),
     .execute = bbs_execute, .spec = "CSP-02, CSP-15"},
    {BBS_COMMON, .engines = RENDER | COMPUTE, .since = GEN125, .min_dwords = 3, FIELDS(bbs_fields),
     .execute = bbs_execute_gen125, .spec = "CSP-02, CSP-11, CSP-15"},
    {BBS_COMMON, .engines = COPY | VIDEO | ENHANCE | OTHER_CLASS, .since = GEN125, .min_dwords = 3,
     FIELDS(bbs_fields), .execute = bbs_execute_dwords, .spec = "CSP-02, CSP-15"},
    {.name = "MI_CONDITIONAL_BATCH_BUFFER_END",
     .summary = "Ends the batch unless a value in memory is greater.",
     OPCODE_MI(0x36),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(cbbe_fields),
     .privileged_if = 1u << 22,
     .execute = cbbe_execute,
     .spec = "REN-28"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-14, CSP-15"},
};

const struct command_table mi_flow_commands = COMMAND_TABLE(rows);
