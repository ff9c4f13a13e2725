/* Rows of structures in memory, to which commands and messages point. (stream/structure.h) */
#ifndef STRUCTURES_STRUCTURES_H
#define STRUCTURES_STRUCTURES_H

#include "stream/command.h"

#define STRUCTURE_TABLES(TABLE)                                                                              \
    TABLE(structure_surface_table)                                                                           \
    TABLE(structure_sampler_table)                                                                           \
    TABLE(structure_pipeline_table)                                                                          \
    TABLE(structure_vertex_table)                                                                            \
    TABLE(structure_report_table)

#define DECLARE_TABLE(name) extern const struct command_table name;
STRUCTURE_TABLES(DECLARE_TABLE)
#undef DECLARE_TABLE

/* SURFACE_FORMAT, of structures and of vertex elements. */
enum { ASTC_FORMATS = 3 * 14 };
extern const struct field_value surface_formats[]; /* those of ASTC come first */
#define surface_formats_of_9_bits (&surface_formats[ASTC_FORMATS])

#endif
