/* The rows of a device that registers of an error state are, and what their fields say. */
#ifndef HANG_ROWS_H
#define HANG_ROWS_H

#include "base/text.h"
#include "hang/state.h"
#include "mmio/register_file.h"

/* The row of a register of the engine `unit`; NULL: the device has none. */
const struct register_slot *error_register_slot(const struct register_file *file, const char *unit,
                                                const struct error_register *r);
/* Appends the fields that are not zero: ": Head Offset 0x58, Wrap Count 2"; of a register that has units
 * which are done, those that are not. */
void error_register_fields(struct text *t, const struct reg *row, uint64_t value);
/* The field says that a unit is done, or idle; the length of the unit's name. */
bool error_is_done_field(const struct field *f, size_t *name_length);

#endif
