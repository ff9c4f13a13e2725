/* What the GuC tells the host by itself. */
#include "guc/message.h"

#define ABI "Linux, guc_actions_abi.h"
#define FIELD_DW(title, dw)                                                                                  \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 31, .kind = FIELD_UINT                            \
    }
static const struct field context_fields[] = {FIELD_DW("Context", 0)};
static const struct field mode_fields[] = {FIELD_DW("Context", 0),
                                           {.name = "Enabled", .first = 32, .last = 32, .kind = FIELD_BOOL}};
static const struct field number_fields[] = {FIELD_DW("Number", 0)};
static const struct field_value capture_results[] = {{"captured", 0}, {"no room", 1}, {NULL, 0}};
static const struct field capture_fields[] = {
    {.name = "Status", .first = 0, .last = 7, .values = capture_results}};
static const struct field engine_fields[] = {FIELD_DW("Class", 0), FIELD_DW("Instance", 1),
                                             FIELD_DW("Reason", 2)};

#define EVENT(title, number, length, table, text)                                                            \
    {                                                                                                        \
        .name = title, .action = (number), .from_guc = true, .transports = VIA_CTB, .min_dw = (length),      \
        .max_dw = (length), FIELDS(table), .summary = text, .spec = ABI                                      \
    }
static const struct guc_message rows[] = {
    EVENT("SCHED_CONTEXT_MODE_DONE", 0x1002, 2, mode_fields,
          "A context's scheduling is on, or it is off and out of its engine."),
    EVENT("DEREGISTER_CONTEXT_DONE", 0x4600, 1, context_fields, "A context's id is free."),
    EVENT("TLB_INVALIDATION_DONE", 0x7001, 1, number_fields,
          "Translations are invalid, in the order in which that was asked for."),
    EVENT("CONTEXT_RESET_NOTIFICATION", 0x1008, 1, context_fields,
          "A context's engine was reset; its scheduling is off."),
    EVENT("ENGINE_FAILURE_NOTIFICATION", 0x1009, 3, engine_fields, "An engine hangs and was not reset."),
    EVENT("MEMORY_CAT_ERROR", 0x6000, 1, context_fields, "A context accessed what is not mapped."),
    {.name = "NOTIFY_FLUSH_LOG_BUFFER_TO_FILE",
     .action = 0x8003,
     .from_guc = true,
     .transports = VIA_CTB,
     .summary = "The host shall read the log.",
     .spec = ABI},
    EVENT("STATE_CAPTURE_NOTIFICATION", 0x8002, 1, capture_fields,
          "Registers of an engine that hung are in the log."),
};

const struct guc_messages guc_events = GUC_MESSAGES(rows);
