/* The types of messages that an instruction set's threads send, for listings. */
#ifndef ISA_MESSAGE_TYPES_H
#define ISA_MESSAGE_TYPES_H

#include "isa/isa.h"

struct eu_message_type {
    const char *name;     /* NULL: this instruction set does not have it */
    const char *function; /* the shared function; lsc: the load and store units of Gen12.5 */
    uint32_t sfids;       /* a bit for each ID that messages of it may have */
    uint32_t match, mask; /* of the message descriptor */
};

/* The type of that number; false: there are no more. */
bool eu_message_type(const struct eu_isa *set, unsigned number, struct eu_message_type *type);

#endif
