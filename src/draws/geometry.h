/* The vertices and primitives of a draw, as the device's events tell them. */
#ifndef DRAWS_GEOMETRY_H
#define DRAWS_GEOMETRY_H

#include "geometry/draw.h"

#include <softgt/softgt.h>

enum {
    GEOMETRY_VERTEX_DW = VF_ELEMENTS * 4,
    GEOMETRY_VUE_DW = 136,                           /* header, position, and 32 slots of four dwords */
    GEOMETRY_SLOTS = VUE_POSITION + VUE_POSITION_DW, /* the first slot's dword */
    GEOMETRY_MOST = 1 << 10,                         /* vertices and primitives that may be kept */
    GEOMETRY_VERTICES = 24,                          /* that are kept if nobody says how many */
    GEOMETRY_OUTLINES = 1 << 12,                     /* primitives whose outlines are kept */
    GEOMETRY_FATES = SOFTGT_PRIMITIVE_DISCARDED + 1
};

/* A vertex as it was fetched. */
struct fetched_vertex {
    uint32_t number, vertex_id, instance;
    uint32_t dw[GEOMETRY_VERTEX_DW];
};

/* A primitive at setup. */
struct drawn_primitive {
    uint32_t number, instance, primitive_id;
    unsigned viewport, layer, vertices;
    enum softgt_primitive_fate fate;
    bool is_back_facing, is_reversed;
    double screen[CORNERS][4];
};

struct draw_geometry {
    bool is_on;
    unsigned most;                 /* vertices and primitives that are kept in full */
    struct vertex_fetch_plan plan; /* if has_plan */
    bool has_plan, is_indexed;
    uint32_t start_instance;
    struct fetched_vertex *vertices;
    unsigned vertex_count;
    uint64_t fetched;                   /* vertices, also those of the same number */
    struct drawn_primitive *primitives; /* most of them only as outlines */
    uint32_t (*vue_dw)[CORNERS][GEOMETRY_VUE_DW];
    unsigned primitive_count, vue_count, slot_count; /* slots after the position that a vertex has */
    uint64_t fates[GEOMETRY_FATES];
    int32_t scissor[4];
};

/* What is wrong with the vertices of a draw. */
struct geometry_faults {
    uint64_t vertices, beyond_buffer;   /* fetched; of these from beyond the first such buffer ... */
    uint64_t buffer_bytes, pitch_bytes; /* ... which is this: */
    unsigned buffer;
    uint64_t primitives, nan_positions; /* at setup; of these with a NaN in a position */
};
enum { GEOMETRY_FAULT_KINDS = 2, GEOMETRY_FAULT_TEXT = 160 };

/* Looks at a vertex or primitive. A buffer without bytes is none. */
void geometry_note_faults(struct geometry_faults *f, const struct softgt_event *e,
                          const struct draw_state *state);
/* A sentence without its end. False: there is no fault of this kind, below GEOMETRY_FAULT_KINDS. */
bool geometry_fault_text(const struct geometry_faults *f, unsigned kind, char text[GEOMETRY_FAULT_TEXT]);

extern const char *const primitive_fate_names[GEOMETRY_FATES];

/* False: out of memory. */
bool geometry_begin(struct draw_geometry *g, unsigned most);
void geometry_event(struct draw_geometry *g, const struct softgt_event *e, const struct draw_state *state);
void geometry_free(struct draw_geometry *g);

/* A component of an element; of a slot, whose type nobody knows. */
void geometry_component_text(const struct vf_element *e, unsigned component, uint32_t dw, char *text,
                             size_t size);
void geometry_slot_text(uint32_t dw, char *text, size_t size);

#endif
