/*
 * Draws: vertices as the fetch puts them together, primitives of them, the pixels that these cover. A draw
 * reads what it asks for once, at its start; then it goes from one bunch of pixels to the next, which who has
 * it runs a thread for (dispatch/pixels.c). What is not modelled is asked for before anything is done: such a
 * draw is counted and told.
 */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "base/state.h"
#include "draw/tessellator.h"
#include "shared_function/shared_function.h"
#include "stream/roles_3d.h"
#include "stream/structure.h"

/* ---- A draw ---- */

enum {
    TOPOLOGY_POINTLIST = 1,
    TOPOLOGY_LINELIST,
    TOPOLOGY_LINESTRIP,
    TOPOLOGY_TRILIST,
    TOPOLOGY_TRISTRIP,
    TOPOLOGY_TRIFAN,
    TOPOLOGY_LINELIST_ADJ = 9,
    TOPOLOGY_LINESTRIP_ADJ,
    TOPOLOGY_TRILIST_ADJ,
    TOPOLOGY_TRISTRIP_ADJ,
    TOPOLOGY_TRISTRIP_REVERSE,
    TOPOLOGY_POLYGON,
    TOPOLOGY_RECTLIST,
    TOPOLOGY_LINELOOP,
    TOPOLOGIES,
    TOPOLOGY_PATCHLIST_1 = 32
};

enum { DRAW_PARAMETERS = 3 };

/* What a 3DPRIMITIVE says. */
struct draw_call {
    uint64_t topology;
    uint32_t vertices, instances, start; /* start: the first vertex, or index */
    uint32_t start_instance;
    int32_t base_vertex;
    uint32_t parameters[DRAW_PARAMETERS]; /* that its vertices may have */
    bool indexed;
    bool statistics_by_execution; /* what befalls its objects is counted when it does */
};

enum { IA_PRIMITIVE_VERTICES = 32 };

/* What the assembly makes: vertices of a primitive, by their places in the draw. */
struct ia_primitive {
    uint32_t vertex[IA_PRIMITIVE_VERTICES];
    uint32_t primitive_id; /* its number */
    uint8_t vertex_count;
    bool reversed_winding; /* of a strip: as all have their faces alike, the last two of its corners have
                            * changed places
                            */
};

enum {
    ATTRIBUTES = 32,
    CORNERS = 3,
    PLANE = 3,
    SWIZZLES = 16,
    BARYCENTRIC_MODES = 6,
    VIEWPORTS = 16,
    CLIP_DISTANCES = 8
};

/* Of an attribute's plane: what a step of each barycentric adds, and the value at corner 0. */
enum { PLANE_1, PLANE_2, PLANE_0 };
/* Of a corner: x, y in pixels and depth, each times w; and w. */
enum { CORNER_X, CORNER_Y, CORNER_Z, CORNER_W, CORNER };

struct viewport {
    float matrix[6];       /* three scales, three offsets */
    float depth_range[2];  /* what depths are brought into */
    float guardband[2][2]; /* beyond which places are clipped: low, high of x, of y, in parts of w */
    int32_t scissor_min[2], scissor_max[2]; /* pixels that it may reach; high is the first that it may not */
};

/* What of a primitive is seen: a convex polygon, or of a line its ends, in 1/256 of a pixel. */
enum { RASTER_POLYGON_VERTICES = 24 };
enum { RASTER_POLYGON, RASTER_BOX, RASTER_LINE, RASTER_KINDS };
struct raster_polygon {
    int32_t vertex_xy[RASTER_POLYGON_VERTICES][2];
    uint32_t vertex_count, kind;
};

/* What the clipper tests. */
struct clip_state {
    bool clip_enable; /* else all is accepted */
    bool z_near_clip_enable, z_far_clip_enable, xy_clip_enable;
    bool api_mode_d3d;                              /* depth begins at 0, not at -w */
    uint8_t clip_distance_mask, cull_distance_mask; /* distances of vertices */
    uint8_t max_viewport_index;
};

/* Of depths: what is added to them. */
struct depth_bias_state {
    float constant, scale, clamp;
    bool enable[CORNERS]; /* of points, lines, polygons */
    bool legacy_bias;     /* the constant is added as it is */
};

/* What a draw does to the blocks of a whole level, instead of shading pixels: they are cleared, those that
 * are get their color, or none is any more. */
enum fast_clear_op {
    FAST_CLEAR_NONE,
    FAST_CLEAR_CLEAR,
    FAST_CLEAR_RESOLVE,
    FAST_CLEAR_AMBIGUATE,
    FAST_CLEAR_OPS
};

/* What it asked for, and how far it has come. */
struct draw {
    double vertex[CORNERS * CORNER];
    struct viewport viewports[VIEWPORTS];
    struct raster_polygon polygon;
    struct clip_state clip;
    struct depth_bias_state depth_bias_state;
    struct tessellation_state te;
    float depth_bias; /* to that of the primitive at hand */
    float line_width, point_width, min_point_width, max_point_width;
    float planes[ATTRIBUTES * 4 * PLANE]; /* of the primitive at hand */
    uint32_t vertex_count, instance_count, start_vertex, start_instance, base_vertex;
    uint32_t constant_interpolation_enables; /* attributes that are not interpolated */
    uint32_t attribute_swizzles[SWIZZLES];
    uint32_t point_sprite_enables; /* attributes that are places in a point */
    int32_t drawing_rectangle_origin[2];
    uint32_t instance, primitive_index; /* which is next; or at hand */
    uint32_t primitive_id;              /* the number that the one at hand has */
    uint32_t strip_start_vertex,
        strip_start_primitive; /* the first vertex since the last cut, and the primitive that it begins */
    uint32_t cut_index;
    uint32_t parameters[DRAW_PARAMETERS];
    int32_t bbox[2][2];              /* pixels around the primitive: low, high */
    int32_t subspan_xy[2];           /* the next subspan to look at */
    int32_t resume_subspan_xy[2];    /* the same, to begin with */
    uint32_t tess_primitive_index;   /* of the patch at hand: the next primitive */
    uint32_t ps_depth_count_pending; /* pixels without a shader, that nobody has counted yet */
    struct ps_thread ps;             /* those of the thread at hand */
    uint8_t raster_topology;         /* of what is drawn */
    uint8_t input_topology;          /* of what vertices are put together to */
    uint8_t sf_output_attribute_count,
        vertex_urb_read_offset;              /* how many; where they begin in a vertex, in 32 bytes */
    uint8_t barycentric_interpolation_modes; /* modes: perspective at pixel, centroid, sample; then straight
                                                ones */
    uint8_t provoking_vertex;
    uint8_t viewport; /* of the primitive at hand */
    uint8_t cull_mode, front_winding;
    uint8_t pixel_location_upper_left; /* of a pixel: 0 its center, else its upper left corner */
    bool is_indexed, viewport_transform_enable, perspective_divide_enable, force_zero_rta_index;
    bool point_sprite_origin_lower_left, last_pixel_enable, point_rule_upper_right, point_width_from_state;
    bool cl_primitives_statistics; /* primitives that leave the clipper */
    uint8_t render_stream;         /* the stream that is */
    bool pixel_shader_valid;       /* there is a shader of pixels */
    bool ps_uses_source_depth, ps_uses_source_w, ps_position_xy_offset,
        ps_uses_input_coverage; /* what the payload has */
    bool ps_vector_mask_enable, ps_kills_pixel;
    bool fast_clear_in_progress;
    uint8_t fast_clear; /* enum clears */
    bool wm_statistics;
    bool has_primitive;           /* a primitive is at hand */
    bool vs_enable;               /* by threads */
    bool vertex_cache_enable;     /* of an index there is one vertex, wherever it recurs */
    bool vs_statistics;           /* that are shaded, one by one */
    bool cut_index_enable;        /* an index may end a run of vertices */
    bool resume_pending;          /* with its first primitive it is to go on at `resumes_at` */
    bool back_facing;             /* it shows its back */
    uint8_t subspan_count;        /* fours of the thread to come */
    bool rasterizer_discard;      /* all behind the clipper: only its vertices are shaded */
    bool reversed_winding;        /* struct object's, of the primitive at hand */
    bool primitives_from_shader;  /* primitives are of threads behind those of vertices; ... */
    bool gs_enable;               /* a geometry shader does; */
    bool so_enable;               /* vertices stream out */
    bool statistics_by_execution; /* either: what befalls objects is counted as it does */
    bool cl_invocation_statistics, gs_statistics;
    bool gs_output_pending; /* ... what its thread made is not all drawn: no other context comes in */
    uint8_t primitive_id_override_attribute,
        primitive_id_override_components; /* bits: which have the primitive's number */
    bool te_enable;
    bool patch_active;             /* a patch is at hand, in the URB: likewise */
    bool ds_cache_enable;          /* of a point of a patch there is one vertex */
    bool gen6_gs_enable;           /* a thread has each object; ... */
    bool gen6_gs_rendering_enable; /* ... what it makes of it is drawn, else nothing is */
    bool vertex_subpixel_4bit;     /* places of corners have four bits below a pixel, else eight */
    uint8_t reserved[1];
};

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

extern const struct state_field drawing_fields[];
enum { DRAWING_FIELDS = 90 };

/* What a draw of the state that is kept lacks; NULL: it can be drawn. *nothing: there is nothing to draw. */
const char *draw_unsupported(const struct engine *e, const struct draw_call *draw, bool *nothing);
/* Behind its vertices there is what runs or writes: a geometry shader, or streaming out. */
bool draw_has_gs_or_so(const struct engine *e);
/* The same of what formats are for: vertices, and surfaces, which lie in memory. */
const char *draw_unsupported_bindings(struct message_context *b);
/* Tells so, and how far it comes. */
void draw_report_unsupported(struct engine *e, const char *lack, const char *how);
/* All that it asks for but the thread's own, by bindings that have the bases. False: a fault. */
bool draw_state_init(struct draw *d, struct message_context *b, const struct command_set *structures,
                     const struct draw_call *draw);
/* Goes on where it was, as an image says: only the place counts, and only where it is one. */
void draw_cursor_resume(struct draw *d, const struct draw *was);
/* Loaded: whether it may be so. */
bool draw_state_valid(const struct draw *d);
/* Goes to the next `count` subspans at most that have a pixel, as far as the budget goes; false: there is
 * none yet, or none any more (*ended), or a fault. */
bool raster_next_subspans(struct draw *d, struct message_context *b, unsigned count, uint64_t *budget,
                          bool *ended);
/* Of a draw that clears: blocks of render target 0, as far as the budget goes; false: a fault, or what it
 * lacks. */
bool render_target_fast_clear(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended);
/* A patch is in the URB: it is at hand, or, culled, the next one is wanted. (patches.c) */
void tess_begin_patch(struct draw *d, struct message_context *b);
/* The tessellation of the one at hand is made, of what is in the URB; false: it is culled. */
bool tess_make_patch(const struct draw *d, struct message_context *b);
/* The point that an entry is of. */
uint32_t tess_entry_point(const struct urb *u, unsigned entry);
/* Barycentrics of corners 1 and 2 at the pixels at hand, by mode. */
void setup_barycentrics(const struct draw *d, unsigned mode, unsigned pixel, float of[2]);
/* Its depth, and its w. */
float setup_depth(const struct draw *d, unsigned pixel);
float setup_w(const struct draw *d, unsigned pixel);

/* ---- Among its files ---- */

enum { VUE_DW = URB_ENTRY_DW };

/* What lies where no memory is reads as zeros, and is no fault. (state.c) */
void load_or_zero(struct engine *e, uint64_t at, void *to, size_t size_bytes);

/* Depth and stencil, by the state that is kept; what of them is not modelled, or NULL. Their references, up
 * to Gen8, are in memory. (depth.c) */
const char *depth_stencil_state_init(struct depth_stencil *s, const struct engine *e, bool clears);
/* What a draw that clears writes instead of its own depth. (depth.c) */
float depth_clear_value(const struct engine *e);
void stencil_reference_load(struct depth_stencil *s, struct message_context *b,
                            const struct command_set *structures);
/* What elements of vertices lack; NULL: nothing. (vertex.c) */
const char *vf_unsupported_elements(const struct message_context *b);
/* Dwords of an entry that a stage writes, and the handle of its first one, by both commands that may say it.
 * (entries.c) */
uint64_t urb_entry_size_dw(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
uint32_t urb_start_handle(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
/* A vertex as the fetch puts it together; false: a fault. (vertex.c) */
bool vf_fetch_vertex(const struct draw *d, struct message_context *b, uint32_t number, uint32_t dw[VUE_DW]);
/* The vertex's number in its buffers: what the index buffer says, or one behind the other. Its identity,
 * which is generated, leaves out where the draw starts, and the base vertex. False: a fault. (Mesa, brw:
 * vertex_id_zero_based) */
bool vf_vertex_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *number,
                     uint32_t *identity);
/* A primitive as it comes to the clipper. */
struct shaded_primitive {
    uint32_t vue_dw[CORNERS][VUE_DW];
    uint8_t stream;
};
/* The vertices of the object at hand: they are there; there is none; it is to be asked again, behind a cut,
 * or after a fault; or a thread of u->stage comes first. It says so again until d->primitive goes on: of a
 * copy of the drawing, who looks ahead. (assembly.c) */
enum ia_result { IA_DONE, IA_END, IA_AGAIN, IA_WAIT };
enum ia_result ia_assemble(struct draw *d, struct message_context *b, struct ia_primitive *o);
/* An object's vertices are in entries of the URB, fetched or shaded: which. Else some of those that were
 * missing have come, and it is to be asked again: what memory says of them may have changed meanwhile; or a
 * fault, or a thread of u->stage comes first. (entries.c) */
enum ia_result vs_lookup_or_dispatch(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     uint8_t entry[IA_PRIMITIVE_VERTICES], uint64_t *budget);
/* The same as far as they are there already; and what is missing of the objects at hand and behind it is
 * fetched: false: it has no room, or a fault; else they are to be looked for again, when a thread of u->stage
 * has run, where there is such a stage. (entries.c) */
bool vs_lookup(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
               uint8_t entry[IA_PRIMITIVE_VERTICES]);
bool vs_gather_misses(struct draw *d, struct message_context *b, uint64_t *budget);
/* Its corners as they go on, where nothing but vertices is shaded; likewise. (entries.c) */
enum ia_result ia_primitive_vertices(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     struct shaded_primitive *p, uint64_t *budget);
/* Whose shared entry has the key, from place `first` on, the first that is behind them if none; the one that
 * waited longest but for those of this turn; the next turn. (entries.c) */
unsigned vertex_cache_find(const struct urb *u, unsigned first, uint64_t key);
unsigned vertex_cache_lru(const struct urb *u, unsigned first);
void vertex_cache_new_epoch(struct urb *u);
/* An index, as it lies there; 0 behind the buffer. False: a fault. (vertex.c) */
bool vf_fetch_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *index);
/* Corners of a topology's primitives; 0: it is not drawn. Vertices of its objects, adjacent ones and those of
 * patches among them; 0: there are no such. Which of them is a corner. (assembly.c) */
unsigned topology_vertices_per_primitive(uint64_t topology);
unsigned topology_vertices_per_object(uint64_t topology);
unsigned topology_vertex_of_object(uint64_t topology, unsigned corner);
/* From one primitive to the next; of those that a geometry shader makes, of which it is no topology: 0. */
unsigned topology_list_step(uint64_t topology);
/* The next primitive of patches, likewise. (patches.c) */
enum ia_result tess_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                   uint64_t *budget);

/* ---- Geometry shaders (geometry.c) ---- */

/* What the state's lacks; NULL: nothing. */
const char *gs_unsupported(const struct engine *e, uint64_t topology);
void gs_state_init(struct draw *d, struct message_context *b);
/* The next primitive of those that threads made; else a thread comes first, or none. */
enum ia_result gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                 uint64_t *budget);

/* The same of objects that threads have on Gen6. (objects.c) */
enum ia_result gen6_gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                      uint64_t *budget);
/* Which vertex says what is not interpolated. (state.c) */
uint8_t provoking_vertex_of(const struct engine *e, uint64_t topology);

/* ---- Vertices that stream out (stream_out.c) ---- */

/* Nothing is rendered, whatever streams out. */
bool so_rendering_disabled(const struct engine *e);
/* Counts the primitive, and writes its vertices where there is room for them all. False: a fault. */
bool so_write_primitive(struct draw *d, struct message_context *b, const struct shaded_primitive *p,
                        uint64_t *budget);
/* Behind the draw: offsets go where their state says. */
void so_write_offsets_store(struct engine *e);
/* Which buffer a command is of; where it says so its offset is set. False: a fault. */
unsigned so_buffer_index(uint32_t header, uint32_t dw1);
bool so_write_offset_init(struct engine *e, unsigned buffer);

/* The primitive's corners and planes; how many leave the clipper. False: it is not seen. (setup.c) */
bool setup_primitive(struct draw *d, uint32_t dw[CORNERS][VUE_DW], unsigned *clipped);
/* What of the primitive's corners is seen: its places, in pixels. Returns how many there are. (clip.c) */
unsigned clip_primitive(const struct draw *d, uint32_t dw[CORNERS][VUE_DW],
                        double seen[RASTER_POLYGON_VERTICES][2], unsigned *clipped);
/* The next primitive that is seen. (raster.c) */
bool draw_next_primitive(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended);
/* Its pixels: those of the subspan that are covered. (raster.c) */
struct edge_functions {
    int64_t x[RASTER_POLYGON_VERTICES], y[RASTER_POLYGON_VERTICES],
        c[RASTER_POLYGON_VERTICES]; /* inside where x * X + y * Y + c >= 0, in 1/256 */
    int64_t min[2], max[2];
};
void raster_edge_functions(const struct draw *d, struct edge_functions *e);
uint32_t raster_subspan_coverage(const struct draw *d, const struct edge_functions *e, const int32_t at[2]);

/* Where state lies that others have in a command of its own: of one role, or of all others of that command.
 */
struct state_location {
    uint32_t header;
    uint8_t role;           /* 0: all that have no row above */
    uint32_t at_header;     /* 0: nowhere */
    uint8_t at_role;        /* the role there; of all of them what it is more */
    uint8_t structure;      /* enum structure; not 0: a pointer to it lies there */
    uint8_t structure_role; /* the role in that, or in its first group; 0: the same */
};
/* What is not modelled there. */
struct unsupported_state {
    uint32_t header;
    uint8_t role;
    const char *feature;
};
extern const struct state_location gen6_state_locations[];
extern const struct unsupported_state gen6_unsupported_state[];

/* (places.c) */
uint64_t state_field_at_location(const struct engine *e, uint32_t header, unsigned role);
/* Whether the command that has it has such a field. */
bool state_has_field(const struct engine *e, uint32_t header, unsigned role);
/* As pipeline_command; *more: what its roles are more there. */
const uint32_t *state_command(const struct engine *e, uint32_t header, const struct command **row,
                              uint32_t *length_dw, unsigned *more);

static inline uint64_t state_field(const struct engine *e, uint32_t header, unsigned role)
{
    return e->info->state_locations ? state_field_at_location(e, header, role)
                                    : pipeline_field(&e->pipeline, header, role, 0);
}

#endif
