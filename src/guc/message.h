/*
 * A message between host and GuC is a row: its action, which way it goes, what it holds, and what the GuC
 * does. What handles messages, what tells them (trace, log, timeline) and the documentation walk the same
 * rows.
 */
#ifndef GUC_MESSAGE_H
#define GUC_MESSAGE_H

#include "base/field.h"
#include "guc/guc.h"

enum {
    VIA_MMIO = 1u << 0, /* registers */
    VIA_CTB = 1u << 1,  /* a buffer in memory */
    FROM_VF = 1u << 2,  /* virtual functions may send it, too */
};

/* Types of messages: bits 30:28 of the first dword; bit 31: it is the GuC's. */
enum guc_type {
    GUC_REQUEST,
    GUC_EVENT,
    GUC_FAST_REQUEST, /* answered only if it fails */
    GUC_BUSY,
    GUC_RETRY = 5,
    GUC_FAILURE,
    GUC_SUCCESS,
};
#define GUC_ORIGIN (1u << 31)

/* What a failure says. */
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

enum { GUC_REPLY_DW = 3 };

/* One message at hand. */
struct guc_request {
    struct guc *guc;
    struct guc_function *function;
    const uint32_t *dw; /* behind the first dword */
    uint32_t data0;     /* of the first, bits 27:16 */
    uint32_t length_dw;
    uint32_t reply; /* in a success, bits 27:0 */
    uint32_t reply_data[GUC_REPLY_DW];
    uint32_t reply_data_dw;
};

struct guc_message {
    const char *name, *summary, *spec;
    uint16_t action;
    uint8_t from_guc;       /* G2H */
    uint8_t is_resumable;   /* it is done in parts: channels.part says whether it is through */
    uint8_t transports;     /* BY_MAILBOX, BY_BUFFER, BY_FUNCTION */
    uint8_t min_dw, max_dw; /* behind the first dword */
    uint8_t rest_dw;        /* 1 + the dword from which on its function checks: keys, other messages */
    uint8_t max_data0;      /* bits 27:16 of the first dword */
    uint16_t
        unknown_value_error;    /* enum guc_error: a value without a name, in a field that names its values */
    const struct field *fields; /* bit 0: of the dword behind the first; what none names must be zero */
    uint16_t field_count;
    enum guc_error (*handle)(struct guc_request *c); /* H2G */
};

struct guc_messages {
    const struct guc_message *rows;
    uint16_t count;
};

#define GUC_MESSAGES(table)                                                                                  \
    {                                                                                                        \
        (table), sizeof(table) / sizeof((table)[0])                                                          \
    }

extern const struct guc_messages guc_scheduling_messages, guc_setup_messages, guc_function_messages,
    guc_events;
/* All tables; ends with NULL. */
extern const struct guc_messages *const guc_message_tables[];

/* Messages to the GuC by their action, and which bits fields name: worked out once. */
enum { GUC_INDEX_SIZE = 128, GUC_FIELD_DW = 12 };
struct guc_message_index_entry {
    const struct guc_message *row;
    uint32_t field_mask[GUC_FIELD_DW];
};
void guc_messages_index(struct guc_message_index_entry known[GUC_INDEX_SIZE]);
/* NULL: there is none. */
const struct guc_message_index_entry *guc_message_lookup(
    const struct guc_message_index_entry known[GUC_INDEX_SIZE], uint16_t action);
/* Whether what a message holds is what its row allows, its length apart. */
enum guc_error guc_message_check(const struct guc_message_index_entry *known, const uint32_t *dw,
                                 uint32_t length_dw);
/* NULL: there is none. */
const struct guc_message *guc_message_find(uint16_t action, bool from_guc);
extern const struct field_value guc_type_names[], guc_error_names[];

#endif
