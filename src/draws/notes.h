/* Notes of a draw: state that is no error, but that a driver would hardly set on purpose. */
#ifndef DRAWS_NOTES_H
#define DRAWS_NOTES_H

#include "draws/bound.h"

/* Appends a line each. `b` has the bases of the draw. */
void draw_notes(const struct bound *b, struct text *notes);

#endif
