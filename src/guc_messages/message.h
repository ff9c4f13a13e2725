/*
 * Messages between host and GuC as rows: action, direction, fields, handler. The handlers, traces, logs,
 * timelines and the documentation all use these rows.
 */
#ifndef GUC_MESSAGES_MESSAGE_H
#define GUC_MESSAGES_MESSAGE_H

#include "base/field.h"

#include <stdbool.h>

struct guc;
struct guc_function;

enum {
    VIA_MMIO = 1u << 0, /* four registers */
    VIA_CTB = 1u << 1,  /* a CT buffer */
    FROM_VF = 1u << 2,  /* VFs may send it */
};

/* Message types: bits 30:28 of the first dword. Bit 31 says that the message is from the GuC. */
enum guc_type {
    GUC_REQUEST,
    GUC_EVENT,
    GUC_FAST_REQUEST, /* answered only on failure */
    GUC_BUSY,
    GUC_RETRY = 5,
    GUC_FAILURE,
    GUC_SUCCESS,
};
#define GUC_ORIGIN (1u << 31)

/* Fields of whole dwords: a number, bits, an address of two dwords. */
#define FIELD_DW(title, dw)                                                                                  \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 31, .kind = FIELD_UINT                            \
    }
#define FIELD_BITS(title, dw)                                                                                \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 31, .kind = FIELD_HEX                             \
    }
#define FIELD_AT(title, dw)                                                                                  \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 63, .kind = FIELD_ADDRESS                         \
    }

/* Error codes of a failure. */
enum guc_error {
    GUC_DONE = 0,
    GUC_ERROR_PROTOCOL = 0x4,
    GUC_ERROR_STATE = 0xa,
    GUC_ERROR_VERSION = 0xb,
    GUC_ERROR_FUNCTION = 0xc,
    GUC_ERROR_NOT_PROVISIONED = 0xd,
    GUC_ERROR_NOT_SUPPORTED = 0x20,
    GUC_ERROR_UNKNOWN_ACTION = 0x30,
    GUC_ERROR_NO_PERMISSION = 0x40,
    GUC_ERROR_CANNOT_COMPLETE = 0x41,
    GUC_ERROR_KLV = 0x50,
    GUC_ERROR_PARAMETERS = 0x60,
    GUC_ERROR_BUFFER = 0x70,
    GUC_ERROR_ADDRESS = 0x80,
    GUC_ERROR_NOT_REGISTERED = 0x100,
    GUC_ERROR_ALREADY_REGISTERED = 0x101,
    GUC_ERROR_MALFORMED_KLV = 0x103,
    GUC_ERROR_CONTEXT = 0x104,
    GUC_ERROR_KEY = 0x105,
    GUC_ERROR_KLV_LENGTH = 0x106,
};

/* Actions of G2H messages; their rows are in events.c and guc/function_messages.c. */
enum guc_g2h_action {
    G2H_SCHED_CONTEXT_MODE_DONE = 0x1002,
    G2H_CONTEXT_RESET_NOTIFICATION = 0x1008,
    G2H_ENGINE_FAILURE_NOTIFICATION = 0x1009,
    G2H_DEREGISTER_CONTEXT_DONE = 0x4600,
    G2H_RELAY_FROM_VF = 0x5100,
    G2H_RELAY_FROM_PF = 0x5102,
    G2H_ADVERSE_EVENT = 0x5104,
    G2H_VF_STATE_NOTIFY = 0x5106,
    G2H_MEMORY_CAT_ERROR = 0x6000,
    G2H_TLB_INVALIDATION_DONE = 0x7001,
    G2H_STATE_CAPTURE_NOTIFICATION = 0x8002,
    G2H_NOTIFY_FLUSH_LOG_BUFFER_TO_FILE = 0x8003,
};

enum { GUC_REPLY_DW = 3, GUC_NOTHING_CHECKED = 0xff };

/* A request while it is handled. */
struct guc_request {
    struct guc *guc;
    struct guc_function *function;
    const uint32_t *dw; /* after the header */
    uint32_t data0;     /* bits 27:16 of the header */
    uint32_t length_dw;
    uint32_t reply; /* bits 27:0 of a success */
    uint32_t reply_data[GUC_REPLY_DW];
    uint32_t reply_data_dw;
};

struct guc_message {
    const char *name, *summary, *spec;
    uint16_t action;
    uint8_t from_guc;       /* G2H */
    uint8_t is_resumable;   /* handled in parts: guc_ct.request_progress counts them */
    uint8_t transports;     /* VIA_MMIO, VIA_CTB, FROM_VF */
    uint8_t min_dw, max_dw; /* after the header */
    uint8_t checked_dw; /* dwords that `fields` cover; 0: all; GUC_NOTHING_CHECKED: none; the handler checks
                           the rest */
    uint8_t max_data0;  /* bits 27:16 of the header */
    uint16_t unknown_value_error; /* enum guc_error, for a field with value names and an unnamed value; 0: not
                                     checked */
    const struct field *fields;   /* bit 0 of the first dword after the header; uncovered bits must be zero */
    uint16_t field_count;
    enum guc_error (*handle)(struct guc_request *c); /* of H2G messages */
};

struct guc_messages {
    const struct guc_message *rows;
    uint16_t count;
};

#define GUC_MESSAGES(table)                                                                                  \
    {                                                                                                        \
        (table), sizeof(table) / sizeof((table)[0])                                                          \
    }

extern const struct guc_messages guc_events;

/* Hash table of H2G messages by action, with the bits that their fields cover. */
enum { GUC_INDEX_SIZE = 128, GUC_FIELD_DW = 12 };
struct guc_message_index_entry {
    const struct guc_message *row;
    uint32_t field_mask[GUC_FIELD_DW];
};
/* `tables` ends with NULL. */
void guc_messages_index(struct guc_message_index_entry known[GUC_INDEX_SIZE],
                        const struct guc_messages *const *tables);
/* NULL: unknown. */
const struct guc_message_index_entry *guc_message_lookup(
    const struct guc_message_index_entry known[GUC_INDEX_SIZE], uint16_t action);
/* Checks the fields of a message against its row. The length is checked by the caller. */
enum guc_error guc_message_check(const struct guc_message_index_entry *known, const uint32_t *dw,
                                 uint32_t length_dw);
extern const struct field_value guc_type_names[], guc_error_names[];

#endif
