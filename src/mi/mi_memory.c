/* Commands that store immediates and copy memory. (CSP-14, REN-35) */
#include "mi/mi.h"
#include "base/inline.h"
#include "engine/execution.h"

/* ---- MI_STORE_DATA_IMM: write the immediate that follows to memory. ---- */
enum { SDI_USE_GLOBAL_GTT = 1, SDI_STORE_QWORD, SDI_ADDRESS, SDI_IMMEDIATE_DATA };
static const struct field sdi_fields[] = {
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(SDI_USE_GLOBAL_GTT)},
    {"Store Qword", 0, 0, FIELD_UINT, ROLE(SDI_STORE_QWORD),
     .until = GEN75}, /* bit 0 of the length selects it */
    {"Store Qword", 21, 21, FIELD_BOOL, ROLE(SDI_STORE_QWORD), .since = GEN8},
    {"Address", 66, 95, FIELD_ADDRESS, ROLE(SDI_ADDRESS), .until = GEN75},
    {"Address", 34, 79, FIELD_ADDRESS, ROLE(SDI_ADDRESS), .since = GEN8},
    {"Force Write Completion Check", 10, 10, FIELD_BOOL, .since = GEN12},
    {"Workload Partition ID Offset Enable", 11, 11, FIELD_BOOL, .since = GEN125},
    {"Core Mode Enable", 32, 32, FIELD_BOOL, .since = GEN125},
    {"Immediate Data", 96, 159, FIELD_HEX, ROLE(SDI_IMMEDIATE_DATA)},
};
static inline enum outcome store_once(struct execution *x)
{
    const enum space space = space_of_global_gtt_flag(command_flag(x, SDI_USE_GLOBAL_GTT));
    const uint64_t address = command_field(x, SDI_ADDRESS);
    if (command_flag(x, SDI_STORE_QWORD))
        engine_store64(x->engine, space, address, command_field(x, SDI_IMMEDIATE_DATA));
    else
        engine_store32(x->engine, space, address, (uint32_t)command_field(x, SDI_IMMEDIATE_DATA));
    return OUTCOME_DONE;
}

static enum outcome sdi_execute(struct execution *x)
{
    return store_once(x);
}

static NOINLINE enum outcome store_many(struct execution *x)
{
    struct engine *e = x->engine;
    const enum space space = space_of_global_gtt_flag(command_flag(x, SDI_USE_GLOBAL_GTT));
    const uint32_t step = command_flag(x, SDI_STORE_QWORD) ? 2 : 1, first = 3u + command_done_dw(x);
    uint64_t address = command_field(x, SDI_ADDRESS) + (first - 3u) * UINT64_C(4);
    for (uint32_t i = first; i + step <= x->length_dw && !engine_faulted(e);
         i += step, address += step * 4u) {
        const uint32_t data[2] = {x->dw[i],
                                  step == 2 ? x->dw[i + 1u] : 0}; /* its own, where it stores over itself */
        engine_store(e, space, address, data, step * 4u);
        if (command_ends_slice(x, i + step - 3u))
            return x->progress ? OUTCOME_RESUME : OUTCOME_DONE;
    }
    return OUTCOME_DONE;
}

/* From Gen8 on the command stores as many dwords or qwords as its length has. */
static enum outcome sdi_execute_gen8(struct execution *x)
{
    return x->length_dw < 5 || (x->length_dw == 5 && command_flag(x, SDI_STORE_QWORD)) ? store_once(x)
                                                                                       : store_many(x);
}

/* ---- MI_STORE_DATA_INDEX: write to the status page. ---- */
enum { STORE_INDEX_USE_PER_PROCESS_HARDWARE_STATUS_PAGE = 1, STORE_INDEX_OFFSET, STORE_INDEX_DATA };
static const struct field index_fields[] = {
    {"Use Per-Process Hardware Status Page", 21, 21, FIELD_BOOL,
     ROLE(STORE_INDEX_USE_PER_PROCESS_HARDWARE_STATUS_PAGE)},
    {"Offset", 34, 43, FIELD_OFFSET, ROLE(STORE_INDEX_OFFSET)},
    {"Data", 64, 127, FIELD_HEX, ROLE(STORE_INDEX_DATA)},
};
static enum outcome index_store(struct execution *x, bool per_process, uint64_t qword_mask)
{
    struct engine *e = x->engine;
    const uint64_t page = per_process ? store_index_status_page(e) : hardware_status_page(e);
    const uint64_t address = page + command_field(x, STORE_INDEX_OFFSET);
    if (x->length_dw >= 4)
        engine_store64(e, SPACE_GGTT, address & qword_mask, command_field(x, STORE_INDEX_DATA));
    else
        engine_store32(e, SPACE_GGTT, address, (uint32_t)command_field(x, STORE_INDEX_DATA));
    return OUTCOME_DONE;
}

/* A non-secure batch always writes to the per-process page, whatever the bit says. Qwords are aligned.
 * (REN-35) */
static enum outcome index_execute_gen6(struct execution *x)
{
    if (!command_has_status_page(x))
        return OUTCOME_DONE;
    return index_store(x, command_flag(x, STORE_INDEX_USE_PER_PROCESS_HARDWARE_STATUS_PAGE) || !x->privileged,
                       ~UINT64_C(7));
}

static enum outcome index_execute(struct execution *x)
{
    /* The engine's own page is the physical function's. (SYS-04) */
    if (x->engine->mmu.function && !command_flag(x, STORE_INDEX_USE_PER_PROCESS_HARDWARE_STATUS_PAGE))
        return command_dropped(x);
    return index_store(x, command_flag(x, STORE_INDEX_USE_PER_PROCESS_HARDWARE_STATUS_PAGE), UINT64_MAX);
}

/* ---- MI_COPY_MEM_MEM ---- */
enum {
    COPY_USE_GLOBAL_GTT_DESTINATION = 1,
    COPY_USE_GLOBAL_GTT_SOURCE,
    COPY_DESTINATION_MEMORY_ADDRESS,
    COPY_SOURCE_MEMORY_ADDRESS
};
static const struct field copy_fields[] = {
    {"Use Global GTT Destination", 21, 21, FIELD_BOOL, ROLE(COPY_USE_GLOBAL_GTT_DESTINATION)},
    {"Use Global GTT Source", 22, 22, FIELD_BOOL, ROLE(COPY_USE_GLOBAL_GTT_SOURCE)},
    {"Destination Memory Address", 34, 95, FIELD_ADDRESS, ROLE(COPY_DESTINATION_MEMORY_ADDRESS)},
    {"Source Memory Address", 98, 159, FIELD_ADDRESS, ROLE(COPY_SOURCE_MEMORY_ADDRESS)},
};
static enum outcome copy_execute(struct execution *x)
{
    struct engine *e = x->engine;
    uint32_t value = 0;
    if (!engine_load_into(e, space_of_global_gtt_flag(command_flag(x, COPY_USE_GLOBAL_GTT_SOURCE)),
                          command_field(x, COPY_SOURCE_MEMORY_ADDRESS), &value, 4))
        return OUTCOME_FAULT;
    engine_store32(e, space_of_global_gtt_flag(command_flag(x, COPY_USE_GLOBAL_GTT_DESTINATION)),
                   command_field(x, COPY_DESTINATION_MEMORY_ADDRESS), value);
    return OUTCOME_DONE;
}

/* ---- MI_UPDATE_GTT: writes GGTT entries. ---- */
enum { UPDATE_ENTRY_ADDRESS = 1 };
static const struct field update_fields[] = {
    {"Entry Address", 44, 63, FIELD_ADDRESS, ROLE(UPDATE_ENTRY_ADDRESS)}};
static const struct field update_group[] = {{"Entry", 0, 63, FIELD_HEX, NULL}};
static enum outcome update_execute(struct execution *x)
{
    struct memory *m = x->engine->mmu.memory;
    uint64_t offset = command_field(x, UPDATE_ENTRY_ADDRESS) / PAGE_BYTES * 8u;
    for (uint32_t i = 2; i + 1 < x->length_dw; i += 2, offset += 8)
        pf_ggtt_write(m, offset, x->dw[i] | (uint64_t)x->dw[i + 1] << 32, 8);
    engine_invalidate_tlb(x->engine);
    return OUTCOME_DONE;
}

/* ---- MI_CLFLUSH: no cache lies between us and memory. ---- */
enum { CLFLUSH_USE_GLOBAL_GTT = 1, CLFLUSH_STARTING_CACHELINE_OFFSET, CLFLUSH_PAGE_BASE_ADDRESS };
static const struct field clflush_fields[] = {
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(CLFLUSH_USE_GLOBAL_GTT)},
    {"Starting Cacheline Offset", 38, 43, FIELD_OFFSET, ROLE(CLFLUSH_STARTING_CACHELINE_OFFSET)},
    {"Page Base Address", 44, 79, FIELD_ADDRESS, ROLE(CLFLUSH_PAGE_BASE_ADDRESS)},
};
/* ---- MI_MEM_FENCE: what is stored is there already. ---- */
static const struct field_value fences[] = {{"RELEASE", 0}, {"ACQUIRE", 1}, {"MI_WRITE", 3}, {NULL, 0}};
static const struct field fence_fields[] = {{"Fence Type", 0, 1, FIELD_UINT, fences}};
enum outcome mi_no_effect(struct execution *x)
{
    (void)x;
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "MI_STORE_DATA_IMM",
     .summary = "Stores one immediate dword or qword.",
     OPCODE_MI(0x20),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .length_bits = 6,
     .length_bias = 2,
     .min_dwords = 4,
     .flags = COMMAND_PREDICATED,
     .privileged_if = 1u << 22,
     FIELDS(sdi_fields),
     .execute = sdi_execute,
     .spec = "REN-35, VCS-11"},
    {.since = GEN8, .length_bits = 10, .execute = sdi_execute_gen8, .spec = "CSP-14"},
    {.name = "MI_STORE_DATA_INDEX",
     .summary = "Stores a dword or qword in the hardware status page.",
     OPCODE_MI(0x21),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(index_fields),
     .execute = index_execute_gen6,
     .spec = "REN-35, VCS-11"},
    {.since = GEN7, .flags = COMMAND_PRIVILEGED, .execute = index_execute, .spec = "CSP-06"},
    {.name = "MI_UPDATE_GTT",
     .summary = "Writes entries of the global GTT.",
     OPCODE_MI(0x23),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 10,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_PRIVILEGED | COMMAND_PHYSICAL,
     FIELDS(update_fields),
     GROUP(update_group, 2, 2),
     .execute = update_execute,
     .spec = "CSP-06, CSP-15"},
    {.name = "MI_CLFLUSH",
     .summary = "Flushes CPU cache lines of a page; memory here is always coherent.",
     OPCODE_MI(0x27),
     .engines = RENDER,
     .since = GEN8,
     .length_bits = 10,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(clflush_fields),
     .execute = mi_no_effect,
     .spec = "CSP-06"},
    {.name = "MI_MEM_FENCE",
     .summary = "Waits until what was stored is seen by all; here it always is.",
     OPCODE_MI(0x09),
     .engines = ALL_ENGINES,
     .since = GEN125,
     .min_dwords = 1,
     FIELDS(fence_fields),
     .execute = mi_no_effect,
     .spec = "CSP-06; Linux's IGT, xe_exec_store.c"},
    {.name = "MI_COPY_MEM_MEM",
     .summary = "Copies one dword from memory to memory.",
     OPCODE_MI(0x2e),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 5,
     FIELDS(copy_fields),
     .privileged_if = 3u << 21,
     .execute = copy_execute,
     .spec = "CSP-14"},
};

const struct command_table mi_memory_commands = COMMAND_TABLE(rows);
