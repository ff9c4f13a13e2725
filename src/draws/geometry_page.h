/* The part of a page about vertices and primitives. */
#ifndef DRAWS_GEOMETRY_PAGE_H
#define DRAWS_GEOMETRY_PAGE_H

#include "draws/draws.h"

void geometry_page_write(FILE *to, const struct draw_view *v);

#endif
