/* Commands that wait, signal and interrupt. (CSP-14, REN-36, REN-37) */
#include "mi/mi.h"
#include "engine/execution.h"

/* ---- MI_SEMAPHORE_WAIT ---- */
enum {
    WAIT_COMPARE_OPERATION = 1,
    WAIT_MODE,
    WAIT_REGISTER_POLL_MODE,
    WAIT_MEMORY_TYPE,
    WAIT_SEMAPHORE_DATA_DWORD,
    WAIT_SEMAPHORE_ADDRESS,
    WAIT_INDIRECT_SEMAPHORE_DATA_DWORD
};
static const struct field_value compare_values[] = {
    {"SAD_GREATER_THAN_SDD", 0},
    {"SAD_GREATER_THAN_OR_EQUAL_SDD", 1},
    {"SAD_LESS_THAN_SDD", 2},
    {"SAD_LESS_THAN_OR_EQUAL_SDD", 3},
    {"SAD_EQUAL_SDD", 4},
    {"SAD_NOT_EQUAL_SDD", 5},
    {NULL, 0},
};
static const struct field_value mode_values[] = {{"Signal Mode", 0}, {"Polling Mode", 1}, {NULL, 0}};
static const struct field_value memory_values[] = {
    {"Per Process Graphics Address", 0}, {"Global Graphics Address", 1}, {NULL, 0}};
static const struct field wait_fields[] = {
    {"Compare Operation", 12, 14, FIELD_UINT, compare_values, ROLE(WAIT_COMPARE_OPERATION)},
    {"Wait Mode", 15, 15, FIELD_UINT, mode_values, ROLE(WAIT_MODE)},
    {"Register Poll Mode", 16, 16, FIELD_BOOL, ROLE(WAIT_REGISTER_POLL_MODE)},
    {"Memory Type", 22, 22, FIELD_UINT, memory_values, ROLE(WAIT_MEMORY_TYPE)},
    {"Semaphore Data Dword", 32, 63, FIELD_HEX, ROLE(WAIT_SEMAPHORE_DATA_DWORD)},
    {"Semaphore Address", 66, 127, FIELD_ADDRESS, ROLE(WAIT_SEMAPHORE_ADDRESS)},
    {"Indirect Semaphore Data Dword", 17, 17, FIELD_BOOL, ROLE(WAIT_INDIRECT_SEMAPHORE_DATA_DWORD),
     .since = GEN125},
    {"Workload Partition ID Offset Enable", 18, 18, FIELD_BOOL, .since = GEN125},
    {"Wait Token Number", 133, 137, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"Wait Token Number", 130, 137, FIELD_UINT, .since = GEN200},
};

static bool compare(uint64_t operation, uint32_t value, uint32_t data)
{
    switch (operation) {
    case 0:
        return value > data;
    case 1:
        return value >= data;
    case 2:
        return value < data;
    case 3:
        return value <= data;
    case 4:
        return value == data;
    case 5:
        return value != data;
    default:
        return true;
    }
}

/* From Gen12.5 on the data may be in the first general purpose register. In polling mode memory is read again
 * each time the engine runs, in signal mode only after a signal. A wait on a register always polls, and
 * raises no interrupt. */
static enum outcome wait_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const uint64_t address = command_field(x, WAIT_SEMAPHORE_ADDRESS);
    const bool polls_register = command_flag(x, WAIT_REGISTER_POLL_MODE);
    uint32_t value = 0;
    if (e->wait.needs_signal && !e->wait.cancelled)
        return OUTCOME_WAIT;
    if (polls_register)
        value = command_register_read(x, (uint32_t)address & 0x7ffffcu);
    else if (!engine_load_into(e, space_of_global_gtt_flag(command_flag(x, WAIT_MEMORY_TYPE)), address,
                               &value, 4))
        return OUTCOME_FAULT;
    const uint32_t wanted = command_flag(x, WAIT_INDIRECT_SEMAPHORE_DATA_DWORD)
                                ? engine_register(e, CS_GPR)
                                : (uint32_t)command_field(x, WAIT_SEMAPHORE_DATA_DWORD);
    const uint8_t operation = (uint8_t)header_field(x, WAIT_COMPARE_OPERATION);
    if (compare(operation, value, wanted))
        return OUTCOME_DONE;
    if (!wait_begin(e, (struct wait){.reason = WAIT_SEMAPHORE,
                                     .switch_reason = SWITCH_WAIT_ON_SEMAPHORE,
                                     .ring_ctl_bit = RING_BUFFER_CTL_WAIT_SEMAPHORE,
                                     .actual_value = value,
                                     .expected_value = wanted,
                                     .comparison = (uint8_t)(operation + 1u),
                                     .needs_signal = !polls_register && !command_flag(x, WAIT_MODE)}))
        return OUTCOME_DONE;
    const bool stays =
        !e->context.valid || engine_register_bit(e, CTXT_SR_CTL, CTXT_SR_CTL_NO_SYNCHRONOUS_SWITCH);
    if (stays && !polls_register)
        wait_raise_interrupt(e, INTERRUPT_SEMAPHORE_WAIT);
    return OUTCOME_WAIT;
}

/* From Gen11 on a wait on a register needs no privilege, and Memory Type is ignored. */
static enum outcome wait_execute_gen11(struct execution *x)
{
    if (!x->privileged && command_flag(x, WAIT_MEMORY_TYPE) && !command_flag(x, WAIT_REGISTER_POLL_MODE))
        return command_dropped(x);
    return wait_execute(x);
}

/* ---- MI_SEMAPHORE_SIGNAL ---- */
enum { SIGNAL_TARGET_ENGINE_SELECT = 1, SIGNAL_POST_SYNC_OPERATION, SIGNAL_TARGET_CONTEXT_ID };
/* TARGET(name, number, class, instance) */
#define TARGETS(TARGET)                                                                                      \
    TARGET("RCS", 0, CLASS_RENDER, 0)                                                                        \
    TARGET("VCS0", 1, CLASS_VIDEO, 0)                                                                        \
    TARGET("BCS", 2, CLASS_COPY, 0) TARGET("VECS", 3, CLASS_ENHANCE, 0) TARGET("VCS1", 4, CLASS_VIDEO, 1)
#define TARGETS_GEN11(TARGET)                                                                                \
    TARGETS(TARGET)                                                                                          \
    TARGET("VCS2", 6, CLASS_VIDEO, 2)                                                                        \
    TARGET("VCS3", 7, CLASS_VIDEO, 3)                                                                        \
    TARGET("VCS4", 8, CLASS_VIDEO, 4)                                                                        \
    TARGET("VCS5", 9, CLASS_VIDEO, 5)                                                                        \
    TARGET("VCS6", 10, CLASS_VIDEO, 6)                                                                       \
    TARGET("VCS7", 11, CLASS_VIDEO, 7)                                                                       \
    TARGET("VECS1", 12, CLASS_ENHANCE, 1)                                                                    \
    TARGET("VECS2", 13, CLASS_ENHANCE, 2) TARGET("VECS3", 14, CLASS_ENHANCE, 3)
#define VALUE(text, number, of, which)  {text, number},
#define ENGINE(text, number, of, which) [number] = {.class = of, .instance = which, .there = true},
static const struct field_value signal_engines[] = {TARGETS(VALUE){NULL, 0}};
static const struct field_value signal_engines_gen11[] = {TARGETS_GEN11(VALUE){NULL, 0}};
static const struct {
    uint8_t class, instance;
    bool there;
} signal_targets[16] = {TARGETS_GEN11(ENGINE)};
static const struct field signal_fields[] = {
    {"Target Engine Select", 15, 17, FIELD_UINT, signal_engines, ROLE(SIGNAL_TARGET_ENGINE_SELECT),
     .until = GEN9},
    {"Target Engine Select", 15, 18, FIELD_UINT, signal_engines_gen11, ROLE(SIGNAL_TARGET_ENGINE_SELECT),
     .since = GEN11},
    {"Post-Sync Operation", 21, 21, FIELD_BOOL, ROLE(SIGNAL_POST_SYNC_OPERATION)},
    {"Target Context ID", 32, 63, FIELD_HEX, ROLE(SIGNAL_TARGET_CONTEXT_ID)},
};
/* The target engine reads its semaphore again if that context waits on it. In ring mode any context matches.
 */
static enum outcome signal_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const uint32_t target = header_field(x, SIGNAL_TARGET_ENGINE_SELECT);
    const uint32_t id = (uint32_t)command_field(x, SIGNAL_TARGET_CONTEXT_ID);
    for (unsigned i = 0; i < e->peers.count && signal_targets[target].there; i++) {
        struct engine *peer = &e->peers.engines[i];
        if (peer->info->class != signal_targets[target].class ||
            peer->info->instance != signal_targets[target].instance)
            continue;
        if (!peer->context.valid || peer->context.current.high == id)
            wait_signal(peer);
        return OUTCOME_DONE;
    }
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                 "MI_SEMAPHORE_SIGNAL: this device has no engine %u", (unsigned)target);
    return OUTCOME_DONE;
}

/* ---- MI_ATOMIC ---- */
enum {
    ATOMIC_OPCODE = 1,
    ATOMIC_RETURN_DATA_CONTROL,
    ATOMIC_CS_STALL,
    ATOMIC_INLINE_DATA,
    ATOMIC_DATA_SIZE,
    ATOMIC_POST_SYNC_OPERATION,
    ATOMIC_MEMORY_TYPE,
    ATOMIC_MEMORY_ADDRESS,
    ATOMIC_OPERAND1_DATA_DWORD_0
};
static const struct field_value atomic_opcodes[] = {
    {"AND", 0x01},       {"OR", 0x02},     {"XOR", 0x03},    {"MOVE", 0x04},     {"INC", 0x05},
    {"DEC", 0x06},       {"ADD", 0x07},    {"SUB", 0x08},    {"RSUB", 0x09},     {"IMAX", 0x0a},
    {"IMIN", 0x0b},      {"UMAX", 0x0c},   {"UMIN", 0x0d},   {"CMP_WR", 0x0e},   {"PREDEC", 0x0f},
    {"AND8B", 0x21},     {"OR8B", 0x22},   {"XOR8B", 0x23},  {"MOVE8B", 0x24},   {"INC8B", 0x25},
    {"DEC8B", 0x26},     {"ADD8B", 0x27},  {"SUB8B", 0x28},  {"RSUB8B", 0x29},   {"IMAX8B", 0x2a},
    {"IMIN8B", 0x2b},    {"UMAX8B", 0x2c}, {"UMIN8B", 0x2d}, {"CMP_WR8B", 0x2e}, {"PREDEC8B", 0x2f},
    {"CMP_WR16B", 0x4e}, {NULL, 0},
};
static const struct field_value atomic_sizes[] = {{"DWORD", 0}, {"QWORD", 1}, {"OCTWORD", 2}, {NULL, 0}};
static const struct field atomic_fields[] = {
    {"ATOMIC OPCODE", 8, 15, FIELD_HEX, atomic_opcodes, ROLE(ATOMIC_OPCODE)},
    {"Return Data Control", 16, 16, FIELD_BOOL, ROLE(ATOMIC_RETURN_DATA_CONTROL)},
    {"CS STALL", 17, 17, FIELD_BOOL, ROLE(ATOMIC_CS_STALL)},
    {"Inline Data", 18, 18, FIELD_BOOL, ROLE(ATOMIC_INLINE_DATA)},
    {"Data Size", 19, 20, FIELD_UINT, atomic_sizes, ROLE(ATOMIC_DATA_SIZE)},
    {"Post-Sync Operation", 21, 21, FIELD_BOOL, ROLE(ATOMIC_POST_SYNC_OPERATION)},
    {"Memory Type", 22, 22, FIELD_UINT, memory_values, ROLE(ATOMIC_MEMORY_TYPE)},
    {"Workload Partition ID Offset Enable", 32, 32, FIELD_BOOL, .since = GEN125},
    {"Memory Address", 34, 79, FIELD_ADDRESS, ROLE(ATOMIC_MEMORY_ADDRESS)},
    {"Operand1 Data Dword 0", 96, 127, FIELD_HEX, ROLE(ATOMIC_OPERAND1_DATA_DWORD_0)},
    {"Operand2 Data Dword 0", 128, 159, FIELD_HEX, NULL},
    {"Operand1 Data Dword 1", 160, 191, FIELD_HEX, NULL},
    {"Operand2 Data Dword 1", 192, 223, FIELD_HEX, NULL},
    {"Operand1 Data Dword 2", 224, 255, FIELD_HEX, NULL},
    {"Operand2 Data Dword 2", 256, 287, FIELD_HEX, NULL},
    {"Operand1 Data Dword 3", 288, 319, FIELD_HEX, NULL},
    {"Operand2 Data Dword 3", 320, 351, FIELD_HEX, NULL},
};
static int64_t signed_of(uint64_t value, size_t size_bytes)
{
    return size_bytes == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
}

/* Applies the operation to the value of memory. False: no such operation. */
static bool atomic_result(uint32_t operation, size_t size_bytes, uint64_t memory, const uint64_t operand[2],
                          uint64_t *result)
{
    const uint64_t mask = size_bytes == 4 ? UINT32_MAX : UINT64_MAX, one = operand[0] & mask;
    const int64_t sm = signed_of(memory, size_bytes), s1 = signed_of(one, size_bytes);
    switch (operation) {
    case 0x1:
        *result = memory & one;
        break;
    case 0x2:
        *result = memory | one;
        break;
    case 0x3:
        *result = memory ^ one;
        break;
    case 0x4:
        *result = one;
        break;
    case 0x5:
        *result = memory + 1;
        break;
    case 0x6:
    case 0xf:
        *result = memory - 1;
        break;
    case 0x7:
        *result = memory + one;
        break;
    case 0x8:
        *result = memory - one;
        break;
    case 0x9:
        *result = one - memory;
        break;
    case 0xa:
        *result = sm > s1 ? memory : one;
        break;
    case 0xb:
        *result = sm < s1 ? memory : one;
        break;
    case 0xc:
        *result = memory > one ? memory : one;
        break;
    case 0xd:
        *result = memory < one ? memory : one;
        break;
    case 0xe:
        *result = memory == one ? operand[1] & mask : memory;
        break;
    default:
        return false;
    }
    *result &= mask;
    return true;
}

/* Inline operands are interleaved by dword; otherwise operand 1 is in R0 (and R1), operand 2 in R2 (and R3).
 * R4 (and R5) return the value before the operation, for PREDEC the value after it. (BDW PRM vol 2a) */
static uint64_t atomic_operand(const struct execution *x, unsigned which, unsigned half)
{
    if (command_flag(x, ATOMIC_INLINE_DATA)) {
        const uint32_t at = 3u + which + half * 4u;
        const uint32_t low = at < x->length_dw ? x->dw[at] : 0;
        const uint32_t high = at + 2u < x->length_dw ? x->dw[at + 2u] : 0;
        return low | (uint64_t)high << 32;
    }
    return engine_register64(x->engine, CS_GPR + (which * 2u + half) * 8u);
}

static enum outcome atomic_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const enum space space = space_of_global_gtt_flag(command_flag(x, ATOMIC_MEMORY_TYPE));
    const uint64_t address = command_field(x, ATOMIC_MEMORY_ADDRESS);
    const uint32_t opcode = header_field(x, ATOMIC_OPCODE);
    const bool returns = command_flag(x, ATOMIC_RETURN_DATA_CONTROL);
    if (opcode == 0x4e) {
        uint64_t memory[2] = {0, 0};
        if (!engine_load_into(e, space, address, memory, sizeof memory))
            return OUTCOME_FAULT;
        if (memory[0] == atomic_operand(x, 0, 0) && memory[1] == atomic_operand(x, 0, 1)) {
            const uint64_t write[2] = {atomic_operand(x, 1, 0), atomic_operand(x, 1, 1)};
            engine_store(e, space, address, write, sizeof write);
        }
        if (returns && !engine_faulted(e)) {
            engine_register64_set(e, CS_GPR + 4u * 8u, memory[0]);
            engine_register64_set(e, CS_GPR + 5u * 8u, memory[1]);
        }
        return OUTCOME_DONE;
    }
    const size_t size_bytes = opcode & 0x20u ? 8 : 4;
    const uint64_t operand[2] = {atomic_operand(x, 0, 0), atomic_operand(x, 1, 0)};
    uint64_t memory = 0, value = 0;
    if (!engine_load_into(e, space, address, &memory, size_bytes))
        return OUTCOME_FAULT;
    if (opcode & ~0x2fu || !atomic_result(opcode & 0xfu, size_bytes, memory, operand, &value)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_ATOMIC: no such operation %02x", opcode);
        return OUTCOME_DONE;
    }
    engine_store(e, space, address, &value, size_bytes);
    if (!returns || engine_faulted(e))
        return OUTCOME_DONE;
    const uint64_t returned = (opcode & 0xfu) == 0xf ? value : memory;
    if (size_bytes == 8)
        engine_register64_set(e, CS_GPR + 4u * 8u, returned);
    else
        engine_register_set(e, CS_GPR + 4u * 8u, (uint32_t)returned);
    return OUTCOME_DONE;
}

/* ---- MI_USER_INTERRUPT ---- */
static enum outcome user_interrupt_execute(struct execution *x)
{
    engine_interrupt(x->engine, INTERRUPT_USER);
    return OUTCOME_DONE;
}

/* ---- Others ---- */
static const struct field wakeup_fields[] = {
    {"Force Media Awake", 32, 32, FIELD_BOOL, .until = GEN11},
    {"Force Media-Slice0 Awake", 32, 32, FIELD_BOOL, .since = GEN12},
    {"Force Render Awake", 33, 33, FIELD_BOOL, NULL},
    {"Force Media-Slice1 Awake", 34, 34, FIELD_BOOL, .since = GEN12},
    {"Force Media-Slice2 Awake", 35, 35, FIELD_BOOL, .since = GEN12},
    {"Force Media-Slice3 Awake", 36, 36, FIELD_BOOL, .since = GEN12},
    {"HEVC Power Well Control", 40, 40, FIELD_BOOL, .since = GEN12},
    {"MFX Power Well Control", 41, 41, FIELD_BOOL, .since = GEN12},
    {"Mask Bits", 48, 63, FIELD_HEX, NULL},
};
static const struct field_value appid_types[] = {{"DISPLAY_APP", 0}, {"TRANSCODE_APP", 1}, {NULL, 0}};
static const struct field appid_fields[] = {
    {"Protected Memory Application ID", 0, 6, FIELD_UINT, NULL},
    {"Protected Memory Application ID Type", 7, 7, FIELD_UINT, appid_types},
};
enum { SUSPEND_FLUSH = 1 };
static const struct field suspend_fields[] = {{"Suspend Flush", 0, 0, FIELD_BOOL, ROLE(SUSPEND_FLUSH)}};

static enum outcome suspend_execute(struct execution *x)
{
    command_register_set_bits(x->engine, MI_MODE, command_flag(x, SUSPEND_FLUSH) ? MI_MODE_SUSPEND_FLUSH : 0,
                              MI_MODE_SUSPEND_FLUSH);
    return OUTCOME_DONE;
}

#define WAIT_COMMON                                                                                          \
    .name = "MI_SEMAPHORE_WAIT",                                                                             \
    .summary = "Waits until a value in memory or in a register compares as wanted.", OPCODE_MI(0x1c),        \
    .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2, .min_dwords = 4, FIELDS(wait_fields),        \
    .spec = "CSP-14, CSP-15"

static const struct command rows[] = {
    {WAIT_COMMON, .since = GEN8, .until = GEN9, .privileged_if = 1u << 22 | 1u << 16,
     .execute = wait_execute},
    {WAIT_COMMON, .since = GEN11, .execute = wait_execute_gen11},
    /* The token is a fifth dword, which may be left out. */
    {.since = GEN200, .spec = "CSP-14, CSP-15; Mesa, genxml of gen200"},
    {.name = "MI_SEMAPHORE_SIGNAL",
     .summary = "Tells a context that waits to read its semaphore again.",
     OPCODE_MI(0x1b),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_ARBITRATES_MEDIA,
     .arbitrates_if = 1u << 21,
     FIELDS(signal_fields),
     .execute = signal_execute,
     .spec = "CSP-14, CSP-21"},
    {.name = "MI_ATOMIC",
     .summary = "Changes a value in memory in one step.",
     OPCODE_MI(0x2f),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_ARBITRATES_MEDIA,
     .arbitrates_if = 1u << 21,
     FIELDS(atomic_fields),
     .privileged_if = 1u << 22,
     .execute = atomic_execute,
     .spec = "CSP-14, CSP-15"},
    {.name = "MI_USER_INTERRUPT",
     .summary = "Raises the user interrupt.",
     OPCODE_MI(0x02),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     .execute = user_interrupt_execute,
     .spec = "CSP-06, REN-36"},
    {.name = "MI_FORCE_WAKEUP",
     .summary = "Keeps other power wells awake; all are.",
     OPCODE_MI(0x1d),
     .engines = COPY | VIDEO | ENHANCE,
     .since = GEN9,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(wakeup_fields),
     .execute = mi_no_effect,
     .spec = "CSP-14"},
    {.name = "MI_FLUSH",
     .summary = "Of the first generations; the blitter still takes it, to no effect.",
     OPCODE_MI(0x04),
     .engines = COPY,
     .since = GEN8,
     .until = GEN11,
     .min_dwords = 1,
     .execute = mi_no_effect,
     .spec = "CSP-07, BDW PRM vol 2a"},
    {.name = "MI_SET_APPID",
     .summary = "Selects the application of protected memory. No effect: there is none.",
     OPCODE_MI(0x0e),
     .engines = ALL_ENGINES,
     .since = GEN12,
     .min_dwords = 1,
     FIELDS(appid_fields),
     .execute = mi_no_effect,
     .spec = "CSP-14, TGL PRM vol 2a"},
    {.name = "MI_SUSPEND_FLUSH",
     .summary = "Suspends flushes for the display; MI_MODE shows it.",
     OPCODE_MI(0x0b),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     FIELDS(suspend_fields),
     .execute = suspend_execute,
     .spec = "CSP-06, REN-36"},
};

const struct command_table mi_sync_commands = COMMAND_TABLE(rows);
