/*
 * Draws: vertices as the fetch puts them together, primitives of them, the pixels that these cover. A draw
 * reads what it asks for once, at its start; then it goes from one bunch of pixels to the next, which who has
 * it runs a thread for (pipeline3d/ps_threads.c). What is not modelled is asked for before anything is done:
 * such a draw is counted and told.
 */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "base/state.h"
#include "pipeline3d/tessellator.h"
#include "pipeline3d/topology.h"
#include "shared_function/shared_function.h"
#include "stream/roles_3d.h"
#include "stream/structure.h"

/* ---- A draw ---- */

enum { DRAW_PARAMETERS = 3 };

/* What a 3DPRIMITIVE says. */
struct draw_call {
    uint64_t topology;
    uint32_t vertex_count, instance_count,
        start_vertex; /* start_vertex: of an indexed draw the first index */
    uint32_t start_instance;
    int32_t base_vertex;
    uint32_t parameters[DRAW_PARAMETERS]; /* that its vertices may have */
    bool is_indexed;
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

/* ---- The state of a draw: what its commands say ---- */

/* An element of a vertex, and the buffer that it is of. */
struct vf_element {
    const struct softgt_format *format; /* NULL: it has no source, which reads as zeros */
    uint64_t start, size_bytes, pitch_bytes;
    uint32_t offset_bytes, instance_step_rate;
    uint8_t dw; /* where it is in the vertex */
    uint8_t component_control[4];
    bool is_per_instance;
    bool is_float32; /* its components are floats of 32 bits, one after the other */
};

/* A generated value (SGV) and the dword of the vertex that it is in. */
enum { SGV_VERTEX_ID, SGV_INSTANCE_ID, SGV_XP0, SGV_XP1, SGV_XP2, SGVS };

enum { VF_ELEMENTS = 34 };

/* Vertex fetch: a plan of elements, generated values and packed components. */
struct vertex_fetch_plan {
    struct vf_element element[VF_ELEMENTS];
    struct {
        uint8_t dw, value; /* SGV_... */
    } sgv[SGVS];
    uint8_t packed_dw[VF_ELEMENTS * 4]; /* the dwords that component packing leaves, in their order */
    uint8_t element_count, sgv_count, packed_count;
    uint16_t vertex_dw; /* the first dword that nothing of the vertex is in */
    bool has_elements, component_packing_enable;
    bool vertex_cache_enable; /* an index has one vertex, wherever it recurs */
    bool cut_index_enable;
    uint32_t cut_index, index_bytes;
    uint64_t index_start, index_size_bytes;
    uint32_t parameters[DRAW_PARAMETERS];
};

/* What threads of a stage have in common. */
enum { PUSH_CONSTANT_BUFFERS = 4 };
struct shader_stage_state {
    uint64_t kernel_start_pointer;  /* from the instruction base */
    uint64_t binding_table_address; /* and from the base of its pool or of surface states: */
    uint32_t binding_table_pointer;
    uint32_t grf_start; /* the register that constants begin at */
    uint32_t r0_samplers, r0_scratch;
    uint32_t control[2]; /* cr0.0, cr0.1 */
    uint32_t urb_read_offset_dw, urb_read_length_dw;
    uint32_t urb_entry_dw, urb_start_handle;
    struct {
        uint64_t address;
        uint32_t length_registers;
    } constants[PUSH_CONSTANT_BUFFERS];
    uint8_t simd;
    bool is_simd4x2; /* threads have two vertices */
    bool statistics_enable;
};

/* The tessellator, and what hull and domain shaders have besides. */
struct te_state {
    struct tessellation_state tessellation;
    uint32_t hs_instance_count;
    uint8_t hs_dispatch_mode;
    bool enable, ds_cache_enable, ds_compute_w;
    bool hs_include_primitive_id, hs_include_vertex_handles;
};

/* Geometry shaders. Those of Gen6 have an enable of their own: other state says what they write. */
struct gs_state {
    uint32_t last_instance, invocations_increment; /* less one */
    uint32_t control_data_dw, vertex_dw;
    uint32_t static_vertex_count, default_stream, hint;
    uint32_t svbi_post_increment_value;
    uint8_t output_topology, vertex_count; /* vertex_count: of an object, as a thread gets it */
    bool enable, statistics_enable, static_output, control_data_is_stream, reorder_trailing;
    bool include_primitive_id, include_vertex_handles, discard_adjacency;
    bool gen6_enable, gen6_rendering_enable, gen6_reorder_enable, so_statistics_enable;
    bool svbi_payload_enable, svbi_post_increment_enable;
};

/* Stream output: buffers, and of each stream what its vertices have in them. */
enum { SO_BUFFERS = 4, SO_STREAMS = 4, SO_DECLS = 256 };
struct so_decl {
    uint8_t component_mask, register_index, buffer;
    bool is_hole;
};
struct sol_state {
    struct {
        uint64_t base, size_bytes, offset_address;
        uint32_t pitch_bytes;
        bool enable, offset_write_enable;
    } buffer[SO_BUFFERS];
    struct {
        struct so_decl decl[SO_DECLS];
        uint32_t read_offset_dw;
        uint32_t declared_count; /* as the state says; decl_count: that are there */
        uint16_t decl_count;
        uint8_t buffer_mask;
    } stream[SO_STREAMS];
    uint8_t render_stream;
    bool enable, statistics_enable, reorder_trailing;
};

struct clip_state {
    bool clip_enable; /* else all is accepted */
    bool z_near_clip_enable, z_far_clip_enable, xy_clip_enable;
    bool api_mode_d3d; /* depth begins at 0, not at -w */
    bool perspective_divide_enable, force_zero_rta_index;
    bool cl_invocation_statistics, cl_primitives_statistics;
    uint8_t clip_distance_mask, cull_distance_mask;
    uint8_t max_viewport_index;
};

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

struct raster_state {
    struct depth_bias_state depth_bias;
    float line_width, point_width, min_point_width, max_point_width;
    int32_t drawing_rectangle_origin[2];
    uint8_t cull_mode, front_winding;
    uint8_t pixel_location_upper_left; /* else pixels are where their centers are */
    uint8_t provoking_vertex[3];       /* of lines, fans, other triangles */
    uint8_t fast_clear;                /* enum fast_clear_op */
    bool viewport_transform_enable, last_pixel_enable, point_rule_upper_right, point_width_from_state;
    bool vertex_subpixel_4bit; /* else vertices have eight bits below a pixel */
    bool rasterizer_discard;   /* no pixel comes of it */
    bool wm_statistics;
};

/* Setup backend: which parts of a vertex the attributes of pixels are. */
struct sbe_state {
    uint32_t constant_interpolation_enables, point_sprite_enables;
    uint32_t attribute_swizzles[SWIZZLES];
    uint8_t sf_output_attribute_count, vertex_urb_read_offset; /* the offset: in 32 bytes */
    uint8_t primitive_id_override_attribute, primitive_id_override_components;
    bool point_sprite_origin_lower_left;
};

struct ps_state {
    uint8_t barycentric_interpolation_modes; /* perspective at pixel, centroid, sample; then linear ones */
    bool valid;
    bool uses_source_depth, uses_source_w, position_xy_offset, uses_input_coverage;
    bool vector_mask_enable, kills_pixel;
};

/* What a draw asks for: decoded once, when it begins or when a device that was saved in it goes on; not
 * saved. */
struct draw_state {
    struct draw_call call;
    struct vertex_fetch_plan vf;
    struct shader_stage_state stage[SHADER_STAGES];
    struct te_state te;
    struct gs_state gs;
    struct sol_state sol;
    struct clip_state clip;
    struct raster_state raster;
    struct sbe_state sbe;
    struct ps_state ps;
    struct output_merger_state om;
    struct viewport viewports[VIEWPORTS];
    uint8_t raster_topology;
    bool is_decoded;
    bool vs_enable, vs_statistics;
    bool primitives_from_shader;  /* threads that follow vertex shaders make the primitives */
    bool statistics_by_execution; /* what becomes of primitives is counted as they are drawn */
};

/* ---- Where a draw is, and its current primitive ---- */

/* Saved; a context image has its first members. */
#define DRAW_CURSOR(M, S)                                                                                    \
    M(S, NUMBER, uint32_t, instance, 0)                                                                      \
    /* The next primitive of the input, or the current one. */                                               \
    M(S, NUMBER, uint32_t, primitive_index, 0)                                                               \
    /* The first vertex since the last cut, and the primitive that it begins. */                             \
    M(S, NUMBER, uint32_t, strip_start_vertex, 0)                                                            \
    M(S, NUMBER, uint32_t, strip_start_primitive, 0)                                                         \
    /* The next subspan to look at; and the one that a preempted draw resumes at. */                         \
    M(S, NUMBERS, int32_t, subspan_xy, [2], 0)                                                               \
    M(S, NUMBERS, int32_t, resume_subspan_xy, [2], 0)                                                        \
    M(S, NUMBER, uint32_t, primitive_id, 0)                                                                  \
    /* The next primitive of the current patch. */                                                           \
    M(S, NUMBER, uint32_t, tess_primitive_index, 0)                                                          \
    M(S, NUMBER, uint8_t, raster_topology, TOPOLOGIES)                                                       \
    M(S, NUMBER, uint8_t, provoking_vertex, CORNERS)                                                         \
    /* Bits: the stages that the draw has; they decide what of the URB is saved. */                          \
    M(S, NUMBER, uint8_t, stages, 1u << SHADER_STAGES)                                                       \
    /* Subspans gathered for the next thread. */                                                             \
    M(S, NUMBER, uint8_t, subspan_count, SUBSPANS)                                                           \
    /* The primitive's vertices are kept: its setup can be made again. */                                    \
    M(S, FLAG, is_set_up)                                                                                    \
    M(S, FLAG, has_primitive)                                                                                \
    M(S, FLAG, reversed_winding)                                                                             \
    M(S, FLAG, resume_pending)                                                                               \
    M(S, FLAG, gs_output_pending)                                                                            \
    M(S, FLAG, patch_active)                                                                                 \
    M(S, FLAG, fast_clear_in_progress)                                                                       \
    M(S, PADDING, reserved, [1])
struct draw_cursor {
    STATE_MEMBERS(DRAW_CURSOR)
};

/* A primitive as it comes to the clipper: vertices are URB entries (VUEs). */
enum { VUE_DW = URB_ENTRY_DW };
struct shaded_primitive {
    uint32_t vue_dw[CORNERS][VUE_DW];
    uint8_t stream;
};

struct edge_functions {
    int64_t x[RASTER_POLYGON_VERTICES], y[RASTER_POLYGON_VERTICES],
        c[RASTER_POLYGON_VERTICES]; /* inside where x * X + y * Y + c >= 0, in 1/256 */
    int64_t min[2], max[2];
};

/* What follows from a primitive's vertices: made once, the same until the next. Not saved: it is made again
 * of the vertices. */
struct setup_primitive {
    double vertex[CORNERS * CORNER];
    double weight[CORNERS][3]; /* of each vertex at a place: x * X + y * Y + c */
    double area;
    struct raster_polygon polygon;
    struct edge_functions edges;
    float planes[ATTRIBUTES * 4 * PLANE];
    int32_t bbox[2][2]; /* in pixels: the first ones, and the first ones beyond */
    float depth_bias;
    uint8_t viewport_index;
    bool back_facing;
};

/* A draw. */
struct draw {
    struct draw_cursor cursor;
    struct ps_thread ps;
    struct draw_state state;
    struct setup_primitive setup;
    struct shaded_primitive primitive;
    uint32_t ps_depth_count_pending; /* pixels without a shader that are not counted yet */
};

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What a draw of the state that is kept lacks; NULL: it can be drawn. *nothing: there is nothing to draw. */
const char *draw_unsupported(const struct engine *e, const struct draw_call *draw, bool *nothing);
/* Behind its vertices there is what runs or writes: a geometry shader, or streaming out. */
bool draw_has_gs_or_so(const struct engine *e);
/* The same of what formats are for: vertices, and surfaces, which lie in memory. */
const char *draw_unsupported_bindings(struct message_context *b);
/* Tells so, and how far it comes. */
void draw_report_unsupported(struct engine *e, const char *lack, const char *how);
/* Decodes the state of a draw but that of its shader stages, by bindings that have the bases. False: a fault.
 */
bool draw_state_init(struct draw_state *s, struct message_context *b, const struct command_set *structures,
                     const struct draw_call *call);
/* A draw begins: nothing of it is drawn, and the URB is empty. */
void draw_cursor_init(struct draw *d, struct urb *u);
/* A draw resumes where an image says that it was, if that is a place of it. */
void draw_cursor_resume(struct draw_cursor *c, const struct draw_state *s, const struct draw_cursor *was);
/* Whether a loaded cursor is one of a draw of the state. Its primitive is set up again. */
bool draw_cursor_restore(struct draw *d, struct message_context *b);
/* What the URB's entries are by the state. */
void urb_layout_init(struct urb *u, const struct draw_state *s);
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
bool vf_fetch_vertex(const struct draw *d, struct message_context *b, uint32_t vertex,
                     uint32_t primitive_index, uint32_t dw[VUE_DW]);
/* Its plan: what of the state says where vertices are. (vertex.c) */
void vf_plan_init(struct vertex_fetch_plan *s, const struct message_context *b, const struct draw_call *call);
/* The vertex's number in its buffers: what the index buffer says, or one behind the other. Its identity,
 * which is generated, leaves out where the draw starts, and the base vertex. False: a fault. (Mesa, brw:
 * vertex_id_zero_based) */
bool vf_vertex_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *number,
                     uint32_t *identity);
/* The vertices of the primitive that the cursor is at: they are there; there is none; it is to be asked
 * again, after a cut or a fault; or a thread of u->stage comes first. It says so again until the cursor's
 * primitive_index goes on: a caller that looks ahead has a copy of the cursor. (assembly.c) */
enum ia_result { IA_DONE, IA_END, IA_AGAIN, IA_WAIT };
enum ia_result ia_assemble(const struct draw *d, struct draw_cursor *c, struct message_context *b,
                           struct ia_primitive *o);
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
unsigned vertex_cache_find(struct urb *u, unsigned first, uint64_t key);
unsigned vertex_cache_lru(const struct urb *u, unsigned first);
void vertex_cache_new_epoch(struct urb *u);
/* An entry gets zeros; dwords before `written_dw` may be written then. (entries.c) */
void urb_entry_clear(struct urb *u, unsigned entry, uint32_t written_dw);
/* An index, as it lies there; 0 behind the buffer. False: a fault. (vertex.c) */
bool vf_fetch_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *index);
/* The next primitive of patches, likewise. (patches.c) */
enum ia_result tess_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                   uint64_t *budget);

/* ---- Geometry shaders (geometry.c) ---- */

/* What the state's lacks; NULL: nothing. */
const char *gs_unsupported(const struct engine *e, uint64_t topology);
void gs_state_init(struct gs_state *s, const struct engine *e, uint64_t topology);
/* The next primitive of those that threads made; else a thread comes first, or none. */
enum ia_result gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                 uint64_t *budget);

/* The same of objects that threads have on Gen6. (objects.c) */
enum ia_result gen6_gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                      uint64_t *budget);
/* Which vertex says what is not interpolated. (state.c) */
uint8_t provoking_vertex_of(const struct raster_state *s, uint64_t topology);

/* ---- Vertices that stream out (stream_out.c) ---- */

/* Nothing is rendered, whatever streams out. */
bool so_rendering_disabled(const struct engine *e);
/* Counts the primitive, and writes its vertices where there is room for them all. False: a fault. */
bool so_write_primitive(struct draw *d, struct message_context *b, const struct shaded_primitive *p,
                        uint64_t *budget);
/* At the end of a draw its write offsets are stored where the state says. */
void so_write_offsets_store(const struct sol_state *s, struct engine *e);
void sol_state_init(struct sol_state *s, const struct engine *e);
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
/* The edges of its polygon; and its pixels: those of the subspan that are covered. (raster.c) */
void raster_edge_functions(const struct raster_polygon *polygon, struct edge_functions *e);
uint32_t raster_subspan_coverage(const struct draw *d, const int32_t xy[2]);

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
    return e->info->draws.state_locations ? state_field_at_location(e, header, role)
                                          : pipeline_field(&e->pipeline, header, role, 0);
}

#endif
