/* Messages to the sampler and to the load and store units: their text and their types. Only message.c uses
 * this. */
#ifndef ISA_MESSAGE_UNITS_H
#define ISA_MESSAGE_UNITS_H

#include "isa/message_types.h"

/* Whether the shared function is a load and store unit. */
bool eu_is_load_store(const struct eu_isa *set, unsigned function);
void eu_write_sample(const struct eu_isa *set, const struct eu_message *m, struct text *t);
void eu_write_load_store(const struct eu_isa *set, const struct eu_message *m, unsigned channels,
                         struct text *t);
/* The type of that number; false: there are no more. */
bool eu_unit_message_type(const struct eu_isa *set, unsigned number, struct eu_message_type *type);

#endif
