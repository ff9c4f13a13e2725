/* G2H events. */
#include "guc_messages/message.h"

#define ABI "Linux, guc_actions_abi.h"
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
    EVENT("SCHED_CONTEXT_MODE_DONE", G2H_SCHED_CONTEXT_MODE_DONE, 2, mode_fields,
          "A context is enabled; or it is disabled and has left its engine."),
    EVENT("DEREGISTER_CONTEXT_DONE", G2H_DEREGISTER_CONTEXT_DONE, 1, context_fields,
          "A context's id is free."),
    EVENT("TLB_INVALIDATION_DONE", G2H_TLB_INVALIDATION_DONE, 1, number_fields,
          "A TLB invalidation is done; replies are in the order of the requests."),
    EVENT("CONTEXT_RESET_NOTIFICATION", G2H_CONTEXT_RESET_NOTIFICATION, 1, context_fields,
          "A context's engine was reset and the context disabled."),
    EVENT("ENGINE_FAILURE_NOTIFICATION", G2H_ENGINE_FAILURE_NOTIFICATION, 3, engine_fields,
          "An engine hangs and was not reset: the host has disabled resets."),
    EVENT("MEMORY_CAT_ERROR", G2H_MEMORY_CAT_ERROR, 1, context_fields,
          "A context accessed an unmapped address."),
    {.name = "NOTIFY_FLUSH_LOG_BUFFER_TO_FILE",
     .action = G2H_NOTIFY_FLUSH_LOG_BUFFER_TO_FILE,
     .from_guc = true,
     .transports = VIA_CTB,
     .summary = "Asks the host to read the log.",
     .spec = ABI},
    EVENT("STATE_CAPTURE_NOTIFICATION", G2H_STATE_CAPTURE_NOTIFICATION, 1, capture_fields,
          "Registers of an engine that hung were captured into the log."),
};

const struct guc_messages guc_events = GUC_MESSAGES(rows);
