/*
 * Messages of functions: requests of a VF, its relay to the PF driver, and the PF driver's control of VFs.
 * (Linux, guc_actions_sriov_abi.h, guc_klvs_abi.h, guc_relay_communication_abi.h)
 */
#include "guc/functions.h"
#include "guc/schedule.h"

#include <string.h>

/* ---- From VFs ---- */

/* Branch 31:24, major 23:16, minor 15:8; all zero: any version. */
static enum guc_error match_version(struct guc_request *c)
{
    enum { MAJOR = 1 };
    const uint32_t own = c->guc->info->vf_interface_minor, branch = c->dw[0] >> 24,
                   major = c->dw[0] >> 16 & 0xffu, minor = c->dw[0] >> 8 & 0xffu;
    if (c->dw[0] >> 8 && (branch || major != MAJOR || minor > own))
        return GUC_ERROR_VERSION;
    c->function->state.abi_version = (uint32_t)MAJOR << 16 | own << 8;
    c->reply_data[0] = c->function->state.abi_version;
    c->reply_data_dw = 1;
    return GUC_DONE;
}

static enum guc_error query_klv(struct guc_request *c)
{
    const enum guc_error error =
        guc_vf_query_klv(c->function, c->dw[0] & 0xffffu, c->reply_data, &c->reply_data_dw);
    c->reply = c->reply_data_dw;
    return error;
}

/* A relayed message carries the number of the exchange; its reply is relayed back. */
enum { RELAY_ROOM_DW = G2H_BACKLOG_DW - 2 * GUC_MESSAGE_DW };
/* pf_relay_queue keeps space for the notifications of all VFs. */
enum { STATES_DW = VF_MAX * 2 * 4, TOLD_ROOM_DW = G2H_BACKLOG_DW - GUC_MESSAGE_DW - STATES_DW };

static enum guc_error relay_to_pf(struct guc_request *c)
{
    uint32_t dw[GUC_MESSAGE_DW];
    const struct guc *g = c->guc;
    if (!c->function->number)
        return GUC_ERROR_NO_PERMISSION;
    if (vfs_are_isolated(g->isolation) ? g->pf_relay_queue.count > TOLD_ROOM_DW
                                       : g->functions->backlog.count > RELAY_ROOM_DW)
        return GUC_ERROR_CANNOT_COMPLETE;
    dw[0] = c->function->number;
    memcpy(dw + 1, c->dw, c->length_dw * 4u);
    guc_notify_pf(c->guc, G2H_RELAY_FROM_VF, dw, c->length_dw + 1u);
    return GUC_DONE;
}

/* ---- From the PF ---- */

/* A VF that the PF driver controls. It controls no isolated VF. */
static bool is_managed_vf(const struct guc_request *c, uint32_t function)
{
    return !vfs_are_isolated(c->guc->isolation) && function >= 1 && function <= c->guc->vf_count;
}

static enum guc_error relay_to_vf(struct guc_request *c)
{
    if (!is_managed_vf(c, c->dw[0]))
        return GUC_ERROR_FUNCTION;
    if (c->guc->functions[c->dw[0]].backlog.count > RELAY_ROOM_DW)
        return GUC_ERROR_CANNOT_COMPLETE;
    guc_send_event(c->guc, c->dw[0], G2H_RELAY_FROM_PF, c->dw + 1, c->length_dw - 1u);
    return GUC_DONE;
}

/* KLVs in memory: a dword with key and length, then the values. Counts them. */
enum { MOST_KEYS_DW = 1024 };
static enum guc_error load_klvs(struct guc_request *c, unsigned at, uint32_t keys[MOST_KEYS_DW],
                                uint32_t *count)
{
    const uint32_t length_dw = c->dw[at + 2];
    *count = 0;
    if (c->dw[at + 1] || length_dw > MOST_KEYS_DW || c->dw[at] % 4u)
        return GUC_ERROR_PARAMETERS;
    if (!guc_load(c->function, c->dw[at], keys, length_dw * 4u))
        return GUC_ERROR_ADDRESS;
    for (uint32_t i = 0; i < length_dw; i += 1u + (keys[i] & 0xffffu), ++*count)
        if ((keys[i] & 0xffffu) > length_dw - i - 1u)
            return GUC_ERROR_MALFORMED_KLV;
    return GUC_DONE;
}

static enum guc_error set_vgt_policy(struct guc_request *c)
{
    uint32_t keys[MOST_KEYS_DW], count;
    enum guc_error error =
        vfs_are_isolated(c->guc->isolation) ? GUC_ERROR_NO_PERMISSION : load_klvs(c, 0, keys, &count);
    if (error == GUC_DONE)
        error = guc_set_vgt_policies(c->guc, keys, c->dw[2]);
    if (error == GUC_DONE)
        c->reply = count;
    return error;
}

static enum guc_error update_vf_config(struct guc_request *c)
{
    uint32_t keys[MOST_KEYS_DW], count;
    if (vfs_are_isolated(c->guc->isolation) || (c->dw[0] && !is_managed_vf(c, c->dw[0])))
        return GUC_ERROR_FUNCTION;
    enum guc_error error = load_klvs(c, 1, keys, &count);
    if (error == GUC_DONE && !c->dw[3])
        guc_vf_unprovision(c->guc, c->dw[0]);
    else if (error == GUC_DONE)
        error = guc_vf_provision(c->guc, c->dw[0], keys, c->dw[3]);
    c->reply = count;
    return error;
}

static enum guc_error control_vf(struct guc_request *c)
{
    return is_managed_vf(c, c->dw[0]) ? guc_vf_control(c->guc, c->dw[0], c->dw[1]) : GUC_ERROR_FUNCTION;
}

static enum guc_error save_or_restore(struct guc_request *c)
{
    enum { SAVE, RESTORE };
    struct guc_ct *const at = &c->function->ct;
    if (!is_managed_vf(c, c->dw[0]))
        return GUC_ERROR_FUNCTION;
    if (c->dw[2] || c->dw[1] % 4u || (c->data0 == RESTORE && !c->dw[3]))
        return GUC_ERROR_PARAMETERS;
    const enum guc_error error =
        guc_vf_save_restore(c->guc, c->dw[0], c->data0 == RESTORE,
                            &(struct vf_migration_buffer){.address = c->dw[1], .room_dw = c->dw[3]},
                            &at->request_progress, &at->request_progress_dw);
    c->reply = at->request_progress_dw;
    return error;
}

#define ABI "Linux, guc_actions_sriov_abi.h"
static const struct field version_fields[] = {{.name = "Branch", .first = 24, .last = 31},
                                              {.name = "Major", .first = 16, .last = 23},
                                              {.name = "Minor", .first = 8, .last = 15}};
static const struct field_value asked_keys[] = {{"GGTT start", 1}, {"GGTT size", 2}, {"local memory", 3},
                                                {"contexts", 4},   {"doorbells", 6}, {"GMD_ID", 0x3000},
                                                {NULL, 0}};
static const struct field key_fields[] = {
    {.name = "Key", .first = 0, .last = 15, .kind = FIELD_HEX, .values = asked_keys}};
static const struct field to_pf_fields[] = {FIELD_DW("Exchange", 0), FIELD_BITS("Message", 1)};
static const struct field to_vf_fields[] = {FIELD_DW("Function", 0), FIELD_DW("Exchange", 1),
                                            FIELD_BITS("Message", 2)};
static const struct field policy_fields[] = {FIELD_AT("Keys", 0), FIELD_DW("Dwords", 2)};
static const struct field share_fields[] = {FIELD_DW("Function", 0), FIELD_AT("Keys", 1),
                                            FIELD_DW("Dwords", 3)};
static const struct field save_fields[] = {FIELD_DW("Function", 0), FIELD_AT("State", 1),
                                           FIELD_DW("Dwords", 3)};
static const struct field_value commands[] = {{"pause", VF_CONTROL_PAUSE},
                                              {"resume", VF_CONTROL_RESUME},
                                              {"stop", VF_CONTROL_STOP},
                                              {"start of a reset", VF_CONTROL_FLR_START},
                                              {"end of a reset", VF_CONTROL_FLR_FINISH},
                                              {NULL, 0}};
static const struct field control_fields[] = {
    FIELD_DW("Function", 0), {.name = "Command", .first = 32, .last = 63, .values = commands}};
static const struct field_value states[] = {{"changed", VF_NOTIFY_FLR},
                                            {"reset done", VF_NOTIFY_FLR_DONE},
                                            {"paused", VF_NOTIFY_PAUSE_DONE},
                                            {NULL, 0}};
static const struct field state_fields[] = {FIELD_DW("Function", 0),
                                            {.name = "Event", .first = 32, .last = 63, .values = states}};
static const struct field adverse_fields[] = {FIELD_DW("Function", 0), FIELD_BITS("Threshold", 1)};

enum { MOST_RELAY_DW = 250 };
static const struct guc_message rows[] = {
    {.name = "VF2GUC_MATCH_VERSION",
     .action = 0x5500,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(version_fields),
     .handle = match_version,
     .summary = "The VF driver and the GuC agree on a version.",
     .spec = ABI},
    {.name = "VF2GUC_QUERY_SINGLE_KLV",
     .action = 0x5509,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(key_fields),
     .handle = query_klv,
     .summary = "Queries a VF's own provisioning, by key.",
     .spec = "Linux, guc_klvs_abi.h"},
    {.name = "VF2GUC_RELAY_TO_PF",
     .action = 0x5103,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 2,
     .max_dw = MOST_RELAY_DW,
     .checked_dw = 1,
     FIELDS(to_pf_fields),
     .handle = relay_to_pf,
     .summary = "Relays a message to the PF driver.",
     .spec = ABI},
    {.name = "PF2GUC_RELAY_TO_VF",
     .action = 0x5101,
     .transports = VIA_CTB,
     .min_dw = 3,
     .max_dw = MOST_RELAY_DW,
     .checked_dw = 2,
     FIELDS(to_vf_fields),
     .handle = relay_to_vf,
     .summary = "Relays a message to a VF driver.",
     .spec = ABI},
    {.name = "PF2GUC_UPDATE_VGT_POLICY",
     .action = 0x5502,
     .transports = VIA_CTB,
     .min_dw = 3,
     .max_dw = 3,
     FIELDS(policy_fields),
     .handle = set_vgt_policy,
     .summary = "Sets policies for all VFs, by key.",
     .spec = "Linux, guc_klvs_abi.h"},
    {.name = "PF2GUC_UPDATE_VF_CFG",
     .action = 0x5503,
     .transports = VIA_CTB,
     .min_dw = 4,
     .max_dw = 4,
     FIELDS(share_fields),
     .handle = update_vf_config,
     .summary = "Provisions a function, by key; without keys: unprovisions it.",
     .spec = "Linux, guc_klvs_abi.h"},
    {.name = "PF2GUC_VF_CONTROL",
     .action = 0x5506,
     .transports = VIA_CTB,
     .min_dw = 2,
     .max_dw = 2,
     FIELDS(control_fields),
     .handle = control_vf,
     .summary = "Pauses, resumes, stops or resets a VF; GUC2PF_VF_STATE_NOTIFY follows.",
     .spec = ABI},
    {.name = "PF2GUC_SAVE_RESTORE_VF",
     .action = 0x550b,
     .transports = VIA_CTB,
     .is_resumable = true,
     .min_dw = 4,
     .max_dw = 4,
     .max_data0 = 1,
     FIELDS(save_fields),
     .handle = save_or_restore,
     .summary = "Saves the state of a paused VF to memory (DATA0 0; size 0: returns the needed size) or "
                "restores it (1).",
     .spec = ABI},
    {.name = "GUC2PF_RELAY_FROM_VF",
     .action = G2H_RELAY_FROM_VF,
     .from_guc = true,
     .transports = VIA_CTB,
     .min_dw = 3,
     .max_dw = MOST_RELAY_DW + 1,
     FIELDS(to_vf_fields),
     .summary = "A message from a VF driver.",
     .spec = ABI},
    {.name = "GUC2VF_RELAY_FROM_PF",
     .action = G2H_RELAY_FROM_PF,
     .from_guc = true,
     .transports = VIA_CTB,
     .min_dw = 2,
     .max_dw = MOST_RELAY_DW,
     FIELDS(to_pf_fields),
     .summary = "A message from the PF driver.",
     .spec = ABI},
    {.name = "GUC2PF_ADVERSE_EVENT",
     .action = G2H_ADVERSE_EVENT,
     .from_guc = true,
     .transports = VIA_CTB,
     .min_dw = 2,
     .max_dw = 2,
     FIELDS(adverse_fields),
     .summary = "A VF has reached the threshold of an adverse event.",
     .spec = ABI},
    {.name = "GUC2PF_VF_STATE_NOTIFY",
     .action = G2H_VF_STATE_NOTIFY,
     .from_guc = true,
     .transports = VIA_CTB,
     .min_dw = 2,
     .max_dw = 2,
     FIELDS(state_fields),
     .summary = "A VF was reset or is paused; function 0: the number of VFs has changed.",
     .spec = ABI},
};

const struct guc_messages guc_function_messages = GUC_MESSAGES(rows);
