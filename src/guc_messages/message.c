/* The index of messages, and their checks. */
#include "guc_messages/message.h"

static unsigned message_hash(uint16_t action)
{
    return (action ^ action >> 8 ^ action >> 4) % GUC_INDEX_SIZE;
}

void guc_messages_index(struct guc_message_index_entry known[GUC_INDEX_SIZE],
                        const struct guc_messages *const *tables)
{
    for (const struct guc_messages *const *t = tables; *t; t++)
        for (const struct guc_message *m = (*t)->rows; m < (*t)->rows + (*t)->count; m++) {
            unsigned at = message_hash(m->action);
            if (m->from_guc)
                continue;
            while (known[at].row)
                at = (at + 1u) % GUC_INDEX_SIZE;
            known[at].row = m;
            for (unsigned i = 0; i < m->field_count; i++)
                for (unsigned bit = m->fields[i].first; bit <= m->fields[i].last && bit < GUC_FIELD_DW * 32u;
                     bit++)
                    known[at].field_mask[bit / 32u] |= 1u << bit % 32u;
        }
}

const struct guc_message_index_entry *guc_message_lookup(
    const struct guc_message_index_entry known[GUC_INDEX_SIZE], uint16_t action)
{
    unsigned at = message_hash(action);
    while (known[at].row && known[at].row->action != action)
        at = (at + 1u) % GUC_INDEX_SIZE;
    return known[at].row ? &known[at] : NULL;
}

enum guc_error guc_message_check(const struct guc_message_index_entry *known, const uint32_t *dw,
                                 uint32_t length_dw)
{
    const struct guc_message *const m = known->row;
    const uint32_t covered_dw = m->checked_dw == GUC_NOTHING_CHECKED ? 0
                                : m->checked_dw                      ? m->checked_dw
                                                                     : length_dw,
                   end_dw = covered_dw < length_dw ? covered_dw : length_dw;
    for (uint32_t i = 0; i < end_dw; i++)
        if (dw[i] & ~(i < GUC_FIELD_DW ? known->field_mask[i] : 0))
            return GUC_ERROR_PARAMETERS;
    for (unsigned i = 0; m->unknown_value_error && i < m->field_count; i++)
        if (m->fields[i].values && !field_value_name(&m->fields[i], field_get(&m->fields[i], dw, length_dw)))
            return (enum guc_error)m->unknown_value_error;
    return GUC_DONE;
}

const struct field_value guc_type_names[] = {
    {"request", GUC_REQUEST},
    {"event", GUC_EVENT},
    {"fast request", GUC_FAST_REQUEST},
    {"busy", GUC_BUSY},
    {"retry", GUC_RETRY},
    {"failure", GUC_FAILURE},
    {"success", GUC_SUCCESS},
    {NULL, 0},
};
const struct field_value guc_error_names[] = {
    {"message type not allowed", GUC_ERROR_PROTOCOL},
    {"invalid state", GUC_ERROR_STATE},
    {"version", GUC_ERROR_VERSION},
    {"no such function", GUC_ERROR_FUNCTION},
    {"not provisioned", GUC_ERROR_NOT_PROVISIONED},
    {"no permission", GUC_ERROR_NO_PERMISSION},
    {"unknown key", GUC_ERROR_KEY},
    {"length of a KLV", GUC_ERROR_KLV_LENGTH},
    {"not supported", GUC_ERROR_NOT_SUPPORTED},
    {"unknown action", GUC_ERROR_UNKNOWN_ACTION},
    {"cannot complete", GUC_ERROR_CANNOT_COMPLETE},
    {"value of a KLV", GUC_ERROR_KLV},
    {"parameters", GUC_ERROR_PARAMETERS},
    {"buffer", GUC_ERROR_BUFFER},
    {"address", GUC_ERROR_ADDRESS},
    {"context not registered", GUC_ERROR_NOT_REGISTERED},
    {"context registered already", GUC_ERROR_ALREADY_REGISTERED},
    {"malformed KLV", GUC_ERROR_MALFORMED_KLV},
    {"no such context", GUC_ERROR_CONTEXT},
    {NULL, 0},
};
