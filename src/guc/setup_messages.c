/*
 * Messages for set-up: CT buffers, configuration, power management, log, TLBs, engine activity. The set is
 * what Linux' drivers send. (guc_actions_abi.h, guc_klvs_abi.h, guc_actions_slpc_abi.h)
 */
#include "guc/log.h"
#include "guc/power.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

static enum guc_error get_config(struct guc_request *c)
{
    const struct guc_info *info = c->guc->info;
    const uint32_t bytes = info->config_dw * 4u;
    if (c->dw[1])
        return GUC_ERROR_ADDRESS;
    if (c->dw[2]) {
        if (c->dw[2] < bytes)
            return GUC_ERROR_BUFFER;
        if (!guc_store(c->function, c->dw[0], info->config, bytes))
            return GUC_ERROR_ADDRESS;
    }
    c->reply = bytes;
    return GUC_DONE;
}

/* ---- CT buffers ---- */

/* Keys of SELF_CFG: addresses of the memory-based interrupt; then address, descriptor and size of the H2G
 * buffer, and of the G2H buffer. */
enum { KEY_EVENTS = 0x900, KEY_SOURCE, KEY_BUFFERS, KEY_BUFFERS_END = 0x908 };

/* Byte addresses in the GGTT. (SYS-22; Linux, xe_memirq_init_guc) */
static enum guc_error configure_report(struct guc_request *c, uint32_t key, uint32_t length_dw,
                                       uint64_t value)
{
    struct guc_ct *const ch = &c->function->ct;
    if (length_dw != 2)
        return GUC_ERROR_MALFORMED_KLV;
    if (value > UINT32_MAX || (key == KEY_EVENTS && value % 16))
        return GUC_ERROR_KLV;
    *(key == KEY_EVENTS ? &ch->memirq_status : &ch->memirq_source) = (uint32_t)value;
    c->reply = 1;
    return GUC_DONE;
}

static enum guc_error configure(struct guc_request *c)
{
    const uint32_t key = c->dw[0] >> 16, length_dw = c->dw[0] & 0xffffu;
    const uint64_t value = c->dw[1] | (uint64_t)c->dw[2] << 32;
    /* VF drivers report changed GGTT entries only by CT buffers, so nothing is cached before these are
     * enabled. (Linux, xe_ggtt) */
    mmu_invalidate(&c->function->mmu);
    if (key == KEY_EVENTS || key == KEY_SOURCE)
        return configure_report(c, key, length_dw, value);
    if (key < KEY_BUFFERS || key >= KEY_BUFFERS_END)
        return GUC_DONE; /* the reply says: no key parsed */
    const bool is_bytes = (key - KEY_BUFFERS) % 3u == 2;
    struct guc_ctb *const b = &c->function->ct.ctbs[(key - KEY_BUFFERS) / 3u];
    if (length_dw != (is_bytes ? 1u : 2u))
        return GUC_ERROR_MALFORMED_KLV;
    if (b->enabled)
        return GUC_ERROR_STATE;
    if (is_bytes ? value > GUC_CTB_MAX_BYTES || value < 4096 || value % 4096
                 : value > UINT32_MAX || value % 4)
        return GUC_ERROR_KLV;
    switch ((key - KEY_BUFFERS) % 3u) {
    case 0:
        b->address = (uint32_t)value;
        b->provided |= GUC_CTB_ADDRESS;
        break;
    case 1:
        b->descriptor = (uint32_t)value;
        b->provided |= GUC_CTB_DESCRIPTOR;
        break;
    default:
        b->bytes = (uint32_t)value;
        b->provided |= GUC_CTB_BYTES;
    }
    c->reply = 1;
    return GUC_DONE;
}

static enum guc_error control_buffers(struct guc_request *c)
{
    struct guc_ct *const ch = &c->function->ct;
    uint32_t descriptors[2][2] = {{0}};
    for (unsigned i = H2G; c->dw[0] && i <= G2H; i++) { /* both or none */
        if (!guc_ctb_is_valid(&ch->ctbs[i]))
            return GUC_ERROR_STATE;
        if (!guc_load(c->function, ch->ctbs[i].descriptor, descriptors[i], sizeof descriptors[i]))
            return GUC_ERROR_ADDRESS;
    }
    for (unsigned i = H2G; i <= G2H; i++) {
        struct guc_ctb *const b = &ch->ctbs[i];
        const uint32_t at_dw = descriptors[i][i == G2H];
        b->enabled = c->dw[0] != 0;
        if (!c->dw[0])
            continue;
        b->position_dw = at_dw < b->bytes / 4u ? at_dw : 0;
        b->broken = 0;
    }
    c->function->backlog = (struct g2h_backlog){0};
    return GUC_DONE;
}

/* ---- Power management ---- */

/* SLPC events, with their number of arguments. (Linux, guc_actions_slpc_abi.h, xe_guc_pc.c) */
enum { POWER_RESET = 0, POWER_SHUTDOWN = 1, POWER_QUERY = 5, POWER_SET = 6, POWER_UNSET = 7, POWER_EVENTS };
enum { POWER_LEAST = 1, POWER_MOST = 3 }; /* dwords */

static enum guc_error manage_power(struct guc_request *c)
{
    static const uint8_t arguments[POWER_EVENTS] = {
        [POWER_RESET] = 2, [POWER_SHUTDOWN] = 2, [POWER_QUERY] = 2, [POWER_SET] = 2, [POWER_UNSET] = 1};
    const uint32_t event = c->dw[0] >> 8, count = c->length_dw - 1u;
    if (count != (c->dw[0] & 0xffu) || count != arguments[event])
        return GUC_ERROR_PARAMETERS;
    if (event == POWER_SET || event == POWER_UNSET)
        return guc_power_parameter(c->guc, c->dw[1], event == POWER_SET ? &c->dw[2] : NULL);
    if (c->dw[2])
        return GUC_ERROR_PARAMETERS;
    if (event == POWER_SHUTDOWN) {
        guc_power_stop(c->guc);
        return GUC_DONE;
    }
    return event == POWER_RESET ? guc_power_start(c->guc, c->dw[1]) : guc_power_query(c->guc, c->dw[1]);
}

static enum guc_error control_rc6(struct guc_request *c)
{
    c->guc->power.rc6 = c->dw[0];
    c->guc->gt->controller_decides = c->dw[0];
    rc6_request(c->guc->gt);
    return GUC_DONE;
}

/* ---- TLBs ---- */

static enum guc_error invalidate(struct guc_request *c)
{
    enum { TYPE_PAGE = 1, TYPE_CONTEXT = 2, OF_PAGES_DW = 6, TLB_NS = 1000 };
    struct guc *g = c->guc;
    uint32_t dw[OF_PAGES_DW] = {0};
    memcpy(dw, c->dw, c->length_dw * 4u);
    const uint32_t type = dw[1] & 0xffu, log2 = dw[5];
    const uint64_t address = dw[3] | (uint64_t)dw[4] << 32;
    if (type == TYPE_PAGE || type == TYPE_CONTEXT ? c->length_dw != OF_PAGES_DW : dw[2] | address | log2)
        return GUC_ERROR_PARAMETERS;
    /* A power of two of pages, aligned to its size, within 48 bits. */
    if (log2 > 36 || address & ((UINT64_C(4096) << log2) - 1u) || address >> 48)
        return GUC_ERROR_PARAMETERS;
    /* A range is treated as all pages. */
    guc_invalidate_tlbs(g);
    for (unsigned i = 0; i < g->engine_count; i++)
        engine_invalidate_tlb(&g->engines[i]);
    mmu_invalidate(g->gt->aperture);
    g->log->cost.ns += TLB_NS;
    guc_send_event(g, c->function->number, G2H_TLB_INVALIDATION_DONE, c->dw, 1);
    return GUC_DONE;
}

static enum guc_error invalidate_all(struct guc_request *c)
{
    return c->length_dw > 1 && c->dw[1] & 0xffu ? GUC_ERROR_PARAMETERS : invalidate(c);
}

static enum guc_error accept(struct guc_request *c)
{
    (void)c;
    return GUC_DONE;
}

/* Verbosity of the log, as in the boot parameter. */
static enum guc_error control_log(struct guc_request *c)
{
    enum { VERBOSITY = 3u << 0, OFF = 1u << 6, MOST_VERBOSE = 3 };
    const uint32_t verbosity = c->dw[0] >> 4 & 0xfu, on = c->dw[0] & 1u;
    if (verbosity > MOST_VERBOSE)
        return GUC_ERROR_PARAMETERS;
    c->guc->boot.debug =
        (c->guc->boot.debug & ~(uint32_t)(VERBOSITY | OFF)) | verbosity | (on ? 0 : (uint32_t)OFF);
    return GUC_DONE;
}

static enum guc_error flush_log(struct guc_request *c)
{
    guc_log_flush(c->guc);
    return GUC_DONE;
}

/* Counts KLVs: a dword with key and length, then the values. -1: malformed. */
static int count_keys(const uint32_t *dw, uint32_t length_dw)
{
    int count = 0;
    for (uint32_t at = 0; at < length_dw; count++) {
        const uint32_t values_dw = dw[at] & 0xffffu;
        if (values_dw > length_dw - at - 1u)
            return -1;
        at += 1 + values_dw;
    }
    return count;
}

static enum guc_error update_policies(struct guc_request *c)
{
    enum { KEY_YIELD = 0x1001 };
    uint32_t known = 0, yield[2] = {c->guc->power.yield_ms, c->guc->power.yield_percent};
    if (count_keys(c->dw, c->length_dw) < 0)
        return GUC_ERROR_MALFORMED_KLV;
    for (uint32_t at = 0; at < c->length_dw; at += 1 + (c->dw[at] & 0xffffu)) {
        if (c->dw[at] >> 16 != KEY_YIELD)
            continue;
        if ((c->dw[at] & 0xffffu) != 2)
            return GUC_ERROR_MALFORMED_KLV;
        if (c->dw[at + 2] > 100)
            return GUC_ERROR_KLV;
        yield[0] = c->dw[at + 1];
        yield[1] = c->dw[at + 2];
        known++;
    }
    if (!c->function->number) {
        c->guc->power.yield_ms = yield[0];
        c->guc->power.yield_percent = yield[1];
    }
    c->reply = known;
    return GUC_DONE;
}

/* KLVs in memory. */
static enum guc_error opt_in(struct guc_request *c)
{
    enum { MOST_DW = 64 };
    uint32_t keys[MOST_DW];
    if (c->dw[1] || c->dw[2] > MOST_DW || !c->dw[2])
        return GUC_ERROR_PARAMETERS;
    if (!guc_load(c->function, c->dw[0], keys, c->dw[2] * 4u))
        return GUC_ERROR_ADDRESS;
    const int count = count_keys(keys, c->dw[2]);
    if (count < 0)
        return GUC_ERROR_MALFORMED_KLV;
    c->reply = (uint32_t)count;
    return GUC_DONE;
}

/* Writes records for the contexts that run now. */
static void record_now(struct guc *g)
{
    for (unsigned e = 0; e < g->engine_count; e++)
        for (unsigned begins = 0; g->engine_states.list[e].active != GUC_NO_CONTEXT && begins < 2; begins++)
            guc_engine_activity_update(g, e, g->engine_states.list[e].active, begins);
}

static enum guc_error set_utilisation(struct guc_request *c)
{
    if (c->dw[0] % 4 || c->dw[1])
        return GUC_ERROR_ADDRESS;
    c->guc->boot.engine_usage = c->dw[0];
    record_now(c->guc);
    return GUC_DONE;
}

static enum guc_error set_activity(struct guc_request *c)
{
    if (c->dw[0] % 4 || c->dw[1] || c->dw[2] % 4 || c->dw[3])
        return GUC_ERROR_ADDRESS;
    const uint32_t metadata[4] = {(uint32_t)c->guc->info->timestamp_hz, 0, 0, 0};
    if (c->dw[0] && !guc_store(c->function, c->dw[0], metadata, sizeof metadata))
        return GUC_ERROR_ADDRESS;
    c->guc->boot.activity_metadata = c->dw[0];
    c->guc->boot.activity = c->dw[2];
    c->guc->boot.activity_changes = 0;
    record_now(c->guc);
    return GUC_DONE;
}

/* Buffers for each function, the PF first. Nothing reads them yet, so nothing is written. */
static enum guc_error set_function_activity(struct guc_request *c)
{
    uint32_t first;
    if (c->dw[0] > c->guc->vf_count + 1u)
        return GUC_ERROR_PARAMETERS;
    if (c->dw[1] % 4 || c->dw[2] || c->dw[3] % 4 || c->dw[4] ||
        (c->dw[0] && (!guc_load(c->function, c->dw[1], &first, sizeof first) ||
                      !guc_load(c->function, c->dw[3], &first, sizeof first))))
        return GUC_ERROR_ADDRESS;
    return GUC_DONE;
}

static enum guc_error authenticate(struct guc_request *c)
{
    struct guc *g = c->guc;
    if (!(guc_register(g, HUC_STATUS2) >> 7 & 1u))
        return GUC_ERROR_CANNOT_COMPLETE;
    guc_register_set(g, HUC_KERNEL_LOAD_INFO, 1);
    return GUC_DONE;
}

#define ABI "Linux, guc_actions_abi.h"
static const struct field config_fields[] = {FIELD_AT("Buffer", 0), FIELD_DW("Bytes", 2)};
static const struct field_value self_keys[] = {{"interrupt events", KEY_EVENTS},
                                               {"interrupt source", KEY_SOURCE},
                                               {"H2G address", 0x902},
                                               {"H2G descriptor", 0x903},
                                               {"H2G size", 0x904},
                                               {"G2H address", 0x905},
                                               {"G2H descriptor", 0x906},
                                               {"G2H size", 0x907},
                                               {NULL, 0}};
static const struct field self_fields[] = {
    {.name = "Key", .first = 16, .last = 31, .kind = FIELD_HEX, .values = self_keys},
    {.name = "Length", .first = 0, .last = 15},
    {.name = "Value", .first = 32, .last = 95, .kind = FIELD_HEX}};
static const struct field enable_fields[] = {{.name = "Enable", .first = 0, .last = 0, .kind = FIELD_BOOL}};
static const struct field_value power_events[] = {
    {"reset", POWER_RESET},         {"shut down", POWER_SHUTDOWN},      {"query", POWER_QUERY},
    {"set a parameter", POWER_SET}, {"unset a parameter", POWER_UNSET}, {NULL, 0}};
static const struct field slpc_fields[] = {{.name = "Event", .first = 8, .last = 15, .values = power_events},
                                           {.name = "Arguments", .first = 0, .last = 7},
                                           {.name = "First", .first = 32, .last = 63, .kind = FIELD_HEX},
                                           {.name = "Second", .first = 64, .last = 95, .kind = FIELD_HEX}};
static const struct field_value tlb_types[] = {
    {"engines", 0}, {"pages", 1}, {"context", 2}, {"GuC", 3}, {NULL, 0}};
static const struct field tlb_fields[] = {
    FIELD_DW("Number", 0),
    {.name = "Type", .first = 32, .last = 39, .values = tlb_types},
    {.name = "Light", .first = 40, .last = 40, .kind = FIELD_BOOL},
    {.name = "Flush Cache", .first = 63, .last = 63, .kind = FIELD_BOOL},
    FIELD_DW("Address Space", 2),
    FIELD_AT("Address", 3),
    FIELD_DW("Pages, log2", 5)};
static const struct field policy_fields[] = {{.name = "Key", .first = 16, .last = 31, .kind = FIELD_HEX},
                                             {.name = "Length", .first = 0, .last = 15}};
static const struct field in_memory_fields[] = {FIELD_AT("Keys", 0), FIELD_DW("Dwords", 2)};
static const struct field address_fields[] = {FIELD_AT("Address", 0)};
static const struct field activity_fields[] = {FIELD_AT("Metadata", 0), FIELD_AT("Records", 2)};
static const struct field function_activity_fields[] = {FIELD_DW("Functions", 0), FIELD_AT("Metadata", 1),
                                                        FIELD_AT("Records", 3)};
static const struct field log_fields[] = {{.name = "On", .first = 0, .last = 0, .kind = FIELD_BOOL},
                                          {.name = "Verbosity", .first = 4, .last = 7},
                                          {.name = "Default", .first = 8, .last = 8, .kind = FIELD_BOOL}};
static const struct field_value logs[] = {{"debug", 0}, {"crash", 1}, {"capture", 2}, {NULL, 0}};
static const struct field flushed_fields[] = {{.name = "Log", .first = 0, .last = 31, .values = logs}};
static const struct field signature_fields[] = {
    {.name = "Signature", .first = 0, .last = 31, .kind = FIELD_ADDRESS}};

static const struct guc_message rows[] = {
    {.name = "GET_HWCONFIG",
     .action = 0x4100,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .min_dw = 3,
     .max_dw = 3,
     FIELDS(config_fields),
     .handle = get_config,
     .summary = "Copies the hardware configuration table; size 0: returns its length.",
     .spec = ABI},
    {.name = "SELF_CFG",
     .action = 0x508,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .min_dw = 3,
     .max_dw = 3,
     FIELDS(self_fields),
     .handle = configure,
     .summary = "Configures the CT buffers and the memory-based interrupt, by key.",
     .spec = "Linux, guc_klvs_abi.h"},
    {.name = "CONTROL_CTB",
     .action = 0x4509,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(enable_fields),
     .handle = control_buffers,
     .summary = "Enables or disables the CT buffers.",
     .spec = ABI},
    {.name = "TLB_INVALIDATION",
     .action = 0x7000,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 2,
     .max_dw = 6,
     .unknown_value_error = GUC_ERROR_PARAMETERS,
     FIELDS(tlb_fields),
     .handle = invalidate,
     .summary = "Invalidates TLBs; TLB_INVALIDATION_DONE with the number follows.",
     .spec = ABI},
    {.name = "TLB_INVALIDATION_ALL",
     .action = 0x7002,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 2,
     .unknown_value_error = GUC_ERROR_PARAMETERS,
     .fields = tlb_fields, /* without a range */
     .field_count = 4,
     .handle = invalidate_all,
     .summary = "Invalidates all TLBs; TLB_INVALIDATION_DONE with the number follows.",
     .spec = ABI},
    {.name = "PC_SLPC_REQUEST",
     .action = 0x3003,
     .transports = VIA_CTB,
     .min_dw = POWER_LEAST,
     .max_dw = POWER_MOST,
     .unknown_value_error = GUC_ERROR_NOT_SUPPORTED,
     FIELDS(slpc_fields),
     .handle = manage_power,
     .summary = "Starts, queries and configures frequency management (SLPC), by a shared page.",
     .spec = "Linux, guc_actions_slpc_abi.h"},
    {.name = "SETUP_PC_GUCRC",
     .action = 0x3004,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(enable_fields),
     .handle = control_rc6,
     .summary = "Selects whether the GuC or the host controls RC6.",
     .spec = ABI},
    {.name = "UPDATE_SCHEDULING_POLICIES_KLV",
     .action = 0x509,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 250,
     .checked_dw = GUC_NOTHING_CHECKED,
     FIELDS(policy_fields),
     .handle = update_policies,
     .summary = "Sets policies of the scheduler, by key.",
     .spec = "Linux, guc_klvs_abi.h"},
    {.name = "OPT_IN_FEATURE_KLV",
     .action = 0x550e,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 3,
     .max_dw = 3,
     FIELDS(in_memory_fields),
     .handle = opt_in,
     .summary = "Opts in to features, by key.",
     .spec = ABI},
    {.name = "SET_ENG_UTIL_BUFF",
     .action = 0x550a,
     .transports = VIA_CTB,
     .min_dw = 2,
     .max_dw = 2,
     FIELDS(address_fields),
     .handle = set_utilisation,
     .summary = "Sets the buffer for the busyness of engines.",
     .spec = ABI},
    {.name = "SET_DEVICE_ENGINE_ACTIVITY_BUFFER",
     .action = 0x550c,
     .transports = VIA_CTB,
     .min_dw = 4,
     .max_dw = 4,
     FIELDS(activity_fields),
     .handle = set_activity,
     .summary = "Sets the buffer for the activity of engines, another format of busyness.",
     .spec = ABI},
    {.name = "SET_FUNCTION_ENGINE_ACTIVITY_BUFFER",
     .action = 0x550d,
     .transports = VIA_CTB,
     .min_dw = 5,
     .max_dw = 5,
     FIELDS(function_activity_fields),
     .handle = set_function_activity,
     .summary = "Sets such a buffer for each function; only the PF's is used.",
     .spec = ABI},
    {.name = "LOG_BUFFER_FILE_FLUSH_COMPLETE",
     .action = 0x30,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     .unknown_value_error = GUC_ERROR_PARAMETERS,
     FIELDS(flushed_fields),
     .handle = accept,
     .summary = "The host has read a part of the log.",
     .spec = ABI},
    {.name = "ENABLE_LOGGING",
     .action = 0x40,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 5,
     FIELDS(log_fields),
     .handle = control_log,
     .summary = "Sets the verbosity of the log; this GuC writes captures only.",
     .spec = ABI},
    {.name = "FORCE_LOG_BUFFER_FLUSH",
     .action = 0x302,
     .transports = VIA_CTB,
     .max_dw = 2,
     .handle = flush_log,
     .summary = "Flushes the log; NOTIFY_FLUSH_LOG_BUFFER_TO_FILE follows.",
     .spec = ABI},
    {.name = "AUTHENTICATE_HUC",
     .action = 0x4000,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(signature_fields),
     .handle = authenticate,
     .summary = "Authenticates the HuC's kernel, if one was copied.",
     .spec = ABI},
    {.name = "PAGE_FAULT_RES_DESC",
     .action = 0x6003,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 8,
     .checked_dw = GUC_NOTHING_CHECKED,
     .handle = accept,
     .summary = "Replies to a page fault; this product reports none.",
     .spec = ABI},
};

const struct guc_messages guc_setup_messages = GUC_MESSAGES(rows);
