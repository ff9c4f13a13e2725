/*
 * A draw: its decoded state, its cursor (where it is) and its current primitive. The state is decoded once,
 * when the draw begins. The draw then advances from one batch of subspans to the next; the dispatcher runs a
 * pixel shader thread for each batch (ps_threads.c). Unsupported features are looked for before anything is
 * drawn: such a draw is counted and reported.
 */
#ifndef GEOMETRY_DRAW_H
#define GEOMETRY_DRAW_H

#include "base/state.h"
#include "memory/window.h"
#include "geometry/polygon.h"
#include "geometry/tessellator.h"
#include "geometry/topology.h"
#include "geometry/triangles.h"
#include "geometry/vertex_cache.h"
#include "geometry/vf_formats.h"
#include "output_merger/smooth.h"
#include "shared_function/shared_function.h"
#include "stream/roles_3d.h"
#include "stream/structure.h"

/* ---- A draw ---- */

enum { DRAW_PARAMETERS = 3 };

/* The parameters of a 3DPRIMITIVE. */
struct draw_call {
    uint64_t topology;
    uint32_t vertex_count, instance_count,
        start_vertex; /* start_vertex: the first index of an indexed draw */
    uint32_t start_instance;
    int32_t base_vertex;
    uint32_t parameters[DRAW_PARAMETERS]; /* the extended parameters, which vertex fetch may insert */
    bool is_indexed;
};

enum { IA_PRIMITIVE_VERTICES = 32, FIRST_PART = 1, LAST_PART = 4, ALL_PARTS = 7 };

/* The output of input assembly: the vertices of a primitive, by their position in the draw. */
struct ia_primitive {
    uint32_t vertex[IA_PRIMITIVE_VERTICES];
    uint32_t primitive_id; /* SV_PrimitiveID */
    uint8_t vertex_count;
    uint8_t visible_parts; /* bits: the vertex, and the edge after it, is one of the polygon or quad */
    bool reversed_winding; /* odd triangle of a strip: its last two vertices are swapped, so all have the same
                              winding */
};

enum { ATTRIBUTES = 32, PLANE = 4, SWIZZLES = 16, BARYCENTRIC_MODES = 6, VIEWPORTS = 16, CLIP_DISTANCES = 8 };

/* A plane of an attribute, as in a payload: the step of each barycentric, 0, and the value at corner 0. */
enum { PLANE_1, PLANE_2, PLANE_0 = 3 };

struct viewport {
    float matrix[6];       /* three scales, then three offsets */
    float depth_range[2];  /* depths are clamped to this range */
    float guardband[2][2]; /* x and y in units of w: minimum, maximum; vertices beyond are clipped */
    double visible[2][2];  /* the guardband in pixels, limited to what can be rasterized */
    int32_t scissor_min[2], scissor_max[2];    /* the scissored extent; the maximum is exclusive */
    uint8_t cp_size_log2[2];                   /* the size of coarse pixels */
    uint8_t cp_combiners[2];                   /* with a primitive's size, then with the control buffer's */
    const struct coarse_pixel_sizes *cp_sizes; /* that the product has; NULL: all */
    bool cps_statistics;
};

/* ---- The state of a draw, from its commands ---- */

/* A vertex element, and the vertex buffer that it reads. */
/* A part of a buffer in the host's memory: an element of it begins at one of `places` bytes from `first` on.
 */
struct vf_window {
    const uint8_t *host;
    uint64_t first, places;
};

struct vf_element {
    struct vf_source_format source; /* without a format it reads as zeros */
    uint64_t start, size_bytes, pitch_bytes;
    struct vf_window window;
    uint32_t offset_bytes, instance_step_rate;
    uint32_t source_mask[4], constant[4]; /* of a component: all bits from the source, or a constant */
    uint8_t dw;                           /* its first dword in the vertex */
    uint8_t buffer;                       /* its index */
    uint8_t component_control[4];
    bool is_per_instance;
    bool has_generated; /* a component has a vertex, instance or primitive number */
};

/* Where the element of a vertex is. False: not all of it is in its buffer. */
static inline bool vf_element_address(const struct vf_element *e, uint32_t start_instance, uint32_t number,
                                      uint32_t instance, uint64_t *address)
{
    if (e->is_per_instance)
        number = start_instance + (e->instance_step_rate ? instance / e->instance_step_rate : 0);
    const uint64_t at = number * e->pitch_bytes + e->offset_bytes;
    *address = e->start + at;
    return at + e->source.bytes <= e->size_bytes;
}

/* A system generated value (SGV), and the dword of the vertex that holds it. */
enum { SGV_VERTEX_ID, SGV_INSTANCE_ID, SGV_XP0, SGV_XP1, SGV_XP2, SGVS };

enum { VF_ELEMENTS = 34 };

/* The index buffer, and the cut index of a draw. */
struct index_buffer {
    uint64_t start, size_bytes;
    struct vf_window window;
    uint32_t cut_index, index_bytes;
    bool cut_index_enable;
};

/* Vertex fetch: elements, generated values and packed components. */
struct vertex_fetch_plan {
    struct vf_element element[VF_ELEMENTS];
    struct {
        uint8_t dw, value; /* SGV_... */
    } sgv[SGVS];
    uint8_t packed_dw[VF_ELEMENTS * 4]; /* the dwords that component packing keeps, in order */
    uint8_t element_count, sgv_count, packed_count;
    uint16_t vertex_dw; /* the length of a vertex in dwords */
    bool has_elements, component_packing_enable;
    bool has_edge_flags; /* they are read for primitives, and are no part of vertices: */
    struct vf_element edge_flag;
    bool vertex_cache_enable; /* equal indices share one shaded vertex */
    struct index_buffer index;
    bool has_windows;
    uint64_t windows_changes; /* windows are valid while mmu.changes is the same */
    uint32_t parameters[DRAW_PARAMETERS];
};

/* The state that all threads of a stage share. */
enum { PUSH_CONSTANT_BUFFERS = 4 };
struct shader_stage_state {
    uint64_t kernel_start_pointer;  /* relative to the instruction base address */
    uint64_t binding_table_address; /* from the binding table pool or the surface state base, and */
    uint32_t binding_table_pointer;
    uint32_t grf_start; /* the first register of push constants, of those of the thread state */
    uint32_t r0_samplers, r0_scratch;
    uint32_t control[2]; /* cr0.0, cr0.1 */
    uint32_t urb_read_offset_dw, urb_read_length_dw;
    uint32_t urb_entry_dw, urb_start_handle;
    struct {
        uint64_t address;
        uint32_t length_registers;
        struct memory_window window; /* of the buffer; made by its first thread */
    } constants[PUSH_CONSTANT_BUFFERS];
    uint8_t simd;
    uint8_t polygons; /* of a pixel shader's thread */
    bool is_simd4x2;  /* a thread shades two vertices */
    bool statistics_enable;
    bool push_constant_enable; /* of the pixel shader; others always have constants */
};

/* The tessellator, and what only hull and domain shaders need. */
struct te_state {
    struct tessellation_state tessellation;
    uint32_t hs_instance_count;
    uint8_t hs_dispatch_mode, patch_header_layout;
    bool enable, ds_cache_enable, ds_compute_w;
    bool hs_include_primitive_id, hs_include_vertex_handles;
};

/* SINGLE and the dual modes are SIMD4x2: of Gen7. */
enum gs_dispatch_mode { GS_SINGLE, GS_DUAL_INSTANCE, GS_DUAL_OBJECT, GS_SIMD8 };
/* Geometry shaders. Gen6 has enables of its own and other output state. */
struct gs_state {
    uint32_t last_instance, invocations_increment; /* minus one */
    uint32_t control_data_dw, vertex_dw;
    uint32_t static_vertex_count, default_stream, hint;
    uint32_t svbi_post_increment_value;
    uint8_t input_topology, output_topology, vertex_count; /* vertex_count: of an object in the payload */
    uint8_t dispatch_mode;                                 /* enum gs_dispatch_mode */
    bool enable, statistics_enable, static_output, control_data_is_stream, reorder_trailing;
    bool include_primitive_id, include_vertex_handles, discard_adjacency;
    bool gen6_enable, gen6_rendering_enable, gen6_reorder_enable, so_statistics_enable;
    bool svbi_payload_enable, svbi_post_increment_enable;
};

/* Stream output: its buffers, and the declarations of each stream. */
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
        uint32_t declared_count; /* declared_count: as programmed; decl_count: entries in decl */
        uint16_t decl_count;
        uint8_t buffer_mask;
    } stream[SO_STREAMS];
    uint8_t render_stream;
    bool enable, statistics_enable, reorder_trailing;
};

struct clip_state {
    bool clip_enable; /* else every primitive is accepted */
    bool z_near_clip_enable, z_far_clip_enable, xy_clip_enable;
    bool api_mode_d3d; /* the near plane is z = 0, not z = -w */
    bool perspective_divide_enable, force_zero_rta_index;
    bool cl_invocation_statistics, cl_primitives_statistics;
    uint8_t clip_distance_mask, cull_distance_mask;
    uint8_t max_viewport_index;
};

struct depth_bias_state {
    float constant, scale, clamp;
    bool enable[CORNERS]; /* for points, lines, polygons */
    bool legacy_bias;     /* the constant is not scaled by the depth resolution */
};

/* A draw may clear, resolve or ambiguate the CCS blocks of a whole level instead of shading pixels. */
enum fast_clear_op {
    FAST_CLEAR_NONE,
    FAST_CLEAR_CLEAR,
    FAST_CLEAR_RESOLVE,
    FAST_CLEAR_AMBIGUATE,
    FAST_CLEAR_OPS
};

/* Lines, fans and other triangles each have their provoking vertex. */
enum { PROVOKING_LINE, PROVOKING_FAN, PROVOKING_TRIANGLE };
enum fill_mode { FILL_MODE_SOLID, FILL_MODE_WIREFRAME, FILL_MODE_POINT };
struct raster_state {
    struct depth_bias_state depth_bias;
    float line_width, point_width, min_point_width, max_point_width;
    int32_t drawing_rectangle_origin[2];
    uint8_t cull_mode, front_winding;
    uint8_t pixel_location_upper_left; /* else the pixel location is its center */
    uint8_t provoking_vertex[3];       /* by PROVOKING_... */
    uint8_t fast_clear;                /* enum fast_clear_op */
    uint8_t fill_mode[2];              /* enum fill_mode: of front and back faces */
    bool viewport_transform_enable, last_pixel_enable, point_rule_upper_right, point_width_from_state;
    bool vertex_subpixel_4bit; /* else eight subpixel bits */
    bool rasterizer_discard;   /* nothing reaches rasterization */
    bool plain_triangles;      /* no state but planes keeps a triangle from being set up in vectors */
    bool wm_statistics;
    bool conservative; /* polygons cover all pixels that they touch */
};

/* A primitive is drawn once for each replica: the vertices have a position for each, one after the other,
 * and clip distances behind the last. */
enum { REPLICAS = 16 };
struct replication_state {
    uint8_t positions; /* of a vertex: 1 without replication */
    uint16_t mask;     /* of the replicas that are drawn */
    uint8_t viewport_offset[REPLICAS], rtai_offset[REPLICAS];
};

/* The samples of pixels. */
struct sample_state {
    uint8_t count_log2;
    bool enable;            /* threads have the masks of samples: there are several, or alpha covers them */
    bool per_sample;        /* the pixel shader runs for each sample */
    bool at_center;         /* coverage of the pixel's location is that of all samples */
    bool lines_are_wide;    /* lines are rectangles */
    uint16_t mask;          /* of the samples that may be covered */
    uint8_t xy[SAMPLES][2]; /* in 1/16 of a pixel, from its upper left corner */
};
/* Where in a pixel its attributes are computed; the order is that of Barycentric Interpolation Mode. */
enum sample_location { LOCATION_PIXEL, LOCATION_CENTROID, LOCATION_SAMPLE, LOCATIONS };

/* Setup backend: the parts of a vertex that become the attributes of pixels. */
struct sbe_state {
    uint32_t constant_interpolation_enables, point_sprite_enables;
    uint32_t attribute_swizzles[SWIZZLES];
    uint8_t sf_output_attribute_count, vertex_urb_read_offset; /* the offset: in units of 32 bytes */
    uint8_t primitive_id_override_attribute, primitive_id_override_components;
    bool point_sprite_origin_lower_left;
};

enum position_xy_offset { POSOFFSET_NONE, POSOFFSET_CENTROID = 2, POSOFFSET_SAMPLE };
enum input_coverage_mask_state { ICMS_NONE, ICMS_NORMAL, ICMS_INNER_CONSERVATIVE, ICMS_DEPTH_COVERAGE };
struct ps_state {
    uint8_t barycentric_interpolation_modes; /* bits: perspective at pixel, centroid, sample; then linear at
                                                the same */
    uint8_t position_xy_offset;              /* enum position_xy_offset */
    bool valid;
    uint8_t input_coverage; /* enum input_coverage_mask_state */
    bool uses_source_depth, uses_source_w;
    bool vector_mask_enable, kills_pixel;
    bool is_per_coarse_pixel; /* the payload has the size of coarse pixels */
    bool requires_depth_w_planes, requires_perspective_planes, requires_linear_planes;
    bool requires_sample_offsets;
};

/* Patterns that discard pixels of polygons and lines. */
enum { STIPPLE_ROWS = 32 };
struct stipple_state {
    uint32_t polygon_rows[STIPPLE_ROWS]; /* bit 31: the left pixel */
    uint8_t polygon_xy[2];
    bool polygon_enable, line_enable;
    uint16_t line_pattern, line_repeat_count;
};

/* Antialiasing of lines, and smooth points: distances in pixels. */
struct smooth_state {
    bool lines, points;
    double cap, side_ramp, cap_ramp;
};

enum { BLEND_STATE_DW = 1 + RENDER_TARGETS * 2 };

/* The decoded state of a draw. It is not saved: it is decoded when a draw begins, and again when a loaded
 * device resumes it. */
struct draw_state {
    struct draw_call call;
    struct {
        uint8_t vertices, step, order; /* enum topology_order */
    } object;                          /* of the call's topology */
    struct vertex_fetch_plan vf;
    struct shader_stage_state stage[SHADER_STAGES];
    struct te_state te;
    struct gs_state gs;
    struct sol_state sol;
    struct clip_state clip;
    struct raster_state raster;
    struct replication_state replication;
    struct sample_state samples;
    struct sbe_state sbe;
    struct ps_state ps;
    struct stipple_state stipple;
    struct smooth_state smooth;
    struct output_merger_state om;
    uint32_t blend_state_dw[BLEND_STATE_DW]; /* from which om.blend was decoded */
    struct viewport viewports[VIEWPORTS];
    uint8_t raster_topology;
    bool is_decoded;
    uint8_t primitive_phase; /* enum draw_phase: the one that makes primitives */
    bool vs_enable, vs_statistics;
    bool statistics_by_execution; /* primitives are counted as they are drawn */
    bool uses_blend_constant;     /* a target's blend factors do */
    bool late_depth_stencil;      /* as 3DSTATE_WM and 3DSTATE_PS_EXTRA have it */
};

/* ---- Where a draw is, and its current primitive ---- */

/*
 * The phase of a draw. Primitives are made in ASSEMBLE, or, from the output of shader threads, in PATCH or
 * GS_OUTPUT (draw_state.primitive_phase).
 *     IDLE      -> ASSEMBLE, RESUME        the draw begins; RESUME: from the cursor of a context image
 *     ASSEMBLE  -> PATCH, GS_OUTPUT        a patch is tessellated; a geometry shader thread begins
 *     primitive_phase, RESUME -> RASTERIZE, CLEAR    a primitive is visible; CLEAR: of a fast clear
 *     RASTERIZE -> PART                    the end of an edge or a vertex of a polygon that is not filled, or
 *                                          of a replica
 *     RASTERIZE, PART, CLEAR -> primitive_phase    the end of the primitive (draw_primitive_done)
 *     PATCH, GS_OUTPUT -> ASSEMBLE         the end of the patch or of the threads' output
 * The order is protocol: see the draw_phase_ functions below.
 */
enum draw_phase {
    DRAW_IDLE,      /* no draw */
    DRAW_ASSEMBLE,  /* input assembly makes the next primitive, patch or object */
    DRAW_RESUME,    /* likewise; the primitive was preempted at subspan_xy: it is not counted again */
    DRAW_PATCH,     /* the tessellator makes the next primitive of the current patch */
    DRAW_GS_OUTPUT, /* geometry shader threads make the next primitive of the current objects */
    DRAW_RASTERIZE, /* the primitive has subspans left */
    DRAW_CLEAR,     /* the primitive has blocks or pixels left to clear or resolve */
    DRAW_PART,      /* the polygon has edges or vertices left to draw, or the primitive has replicas left */
    DRAW_PHASES
};

enum { STIPPLE_PERIOD = 1 << 13 }; /* above 16 bits of the longest repeat count */
/* Saved. A context image holds only the members that draw_save writes. */
#define DRAW_CURSOR(M, S)                                                                                    \
    M(S, NUMBER, uint32_t, instance, 0)                                                                      \
    /* The next primitive of the input, or the current one. */                                               \
    M(S, NUMBER, uint32_t, primitive_index, 0)                                                               \
    /* The first vertex since the last cut index, and the primitive that it begins. */                       \
    M(S, NUMBER, uint32_t, strip_start_vertex, 0)                                                            \
    M(S, NUMBER, uint32_t, strip_start_primitive, 0)                                                         \
    /* The next subspan of the primitive in RASTERIZE, CLEAR and RESUME. */                                  \
    M(S, NUMBERS, int32_t, subspan_xy, [2], 0)                                                               \
    M(S, NUMBER, uint32_t, primitive_id, 0)                                                                  \
    /* The next primitive of the current patch. */                                                           \
    M(S, NUMBER, uint32_t, tess_primitive_index, 0)                                                          \
    M(S, NUMBER, uint8_t, raster_topology, TOPOLOGIES)                                                       \
    M(S, NUMBER, uint8_t, provoking_vertex, CORNERS)                                                         \
    /* Bits: the enabled stages. They decide which parts of the URB are saved. */                            \
    M(S, NUMBER, uint8_t, stages, 1u << SHADER_STAGES)                                                       \
    /* Subspans gathered for the next pixel shader thread. */                                                \
    M(S, NUMBER, uint8_t, subspan_count, SUBSPANS)                                                           \
    M(S, NUMBER, uint8_t, phase, DRAW_PHASES)                                                                \
    /* The last primitive at setup was visible. Its vertices are saved, and setup can be repeated: its last  \
     * pixel shader thread runs after RASTERIZE. */                                                          \
    M(S, FLAG, is_set_up)                                                                                    \
    M(S, FLAG, reversed_winding)                                                                             \
    /* Of the last polygon at setup that is not filled: the edge or vertex that is drawn, and a bit for each \
     * that is one of what was drawn before it was divided. */                                               \
    M(S, NUMBER, uint8_t, part, CORNERS)                                                                     \
    M(S, NUMBER, uint8_t, visible_parts, 1u << CORNERS)                                                      \
    /* The next sample of the subspan, if its samples are shaded by several threads. */                      \
    M(S, NUMBER, uint8_t, first_sample, SAMPLES)                                                             \
    /* The replica that is drawn, or was last drawn. */                                                      \
    M(S, NUMBER, uint8_t, replica, REPLICAS)                                                                 \
    M(S, PADDING, reserved, [1])                                                                             \
    /* The line stipple counter at the start of the current or next line. */                                 \
    M(S, NUMBER, uint32_t, line_stipple, STIPPLE_PERIOD)
struct draw_cursor {
    STATE_MEMBERS(DRAW_CURSOR)
};
/* Input assembly comes next: no primitive, patch or thread output is pending. */
static inline bool draw_phase_is_input(unsigned phase)
{
    return phase < DRAW_PATCH;
}
/* A primitive of a geometry shader thread's output may be pending. */
static inline bool draw_phase_may_have_gs_output(unsigned phase)
{
    return phase >= DRAW_GS_OUTPUT;
}
/* A primitive is set up, and subspan_xy is its next subspan. */
static inline bool draw_phase_has_primitive(unsigned phase)
{
    return phase >= DRAW_RASTERIZE;
}

/* A primitive at the input of the clipper: its vertices are URB entries (VUEs). */
enum { VUE_DW = URB_ENTRY_DW };
struct shaded_primitive {
    uint32_t vue_dw[CORNERS][VUE_DW];
    uint16_t filled_dw[CORNERS]; /* dwords of each that may be nonzero; not saved */
    uint8_t stream;
    uint8_t visible_parts; /* for the cursor, once it is set up */
    bool continues_line;   /* its line stipple is that of the one before, continued */
};

/* Sets a vertex of the primitive; dwords after `dw` are zero. */
static inline void primitive_put_vertex(struct shaded_primitive *p, unsigned i, const uint32_t *from,
                                        unsigned dw)
{
    if (dw)
        memcpy(p->vue_dw[i], from, dw * sizeof *from);
    if (p->filled_dw[i] > dw)
        memset(p->vue_dw[i] + dw, 0, (p->filled_dw[i] - dw) * sizeof *from);
    p->filled_dw[i] = (uint16_t)dw;
}

/* Where the vertices of the primitive are. */
static inline void primitive_corners(const struct shaded_primitive *p, const uint32_t *dw[CORNERS])
{
    for (unsigned i = 0; i < CORNERS; i++)
        dw[i] = p->vue_dw[i];
}

/* The block that the rasterizer is in, and its tile. */
struct raster_block {
    int32_t xy[2], tile[2];
    uint64_t coverage;       /* the covered pixels of the block, in Morton order */
    uint32_t crossing_edges; /* edges that the tile is not wholly inside of */
    bool valid, tile_is_outside;
    bool tested;     /* all of the block was tested for depth and stencil together: */
    uint64_t passed; /* the pixels that have passed */
};

/* The stipple of a line: its first pixel on its major axis, and how many it has there. */
struct line_stipple {
    int32_t first;
    uint32_t pixels, counter;
    uint8_t major; /* axis */
    bool applies, backward;
};

/* Values that setup derives from a primitive's vertices. They are not saved: setup derives them again. */
struct setup_primitive {
    struct plane_equations equations;
    struct raster_block block;
    int32_t bbox[2][2];              /* in pixels; the maximum is exclusive */
    int32_t first_xy[2];             /* where planes on the screen begin: bbox may be that of a tile */
    double max_slope;                /* of depth, if depth is biased */
    uint8_t viewport_index, corners; /* corners: of what is drawn: a point, a line, a triangle */
    bool back_facing;
    bool is_part; /* an edge or a vertex of the polygon is drawn */
    uint8_t fate; /* enum softgt_primitive_fate, as setup found it */
    struct line_stipple line_stipple;
    struct smooth_shape smooth;
    struct raster_polygon polygon;
    struct edge edges[RASTER_POLYGON_VERTICES]; /* as many as the polygon has; other kinds have none */
    float planes[ATTRIBUTES * 4 * PLANE];       /* last: only those of the draw's attributes are copied */
};

/* Whether the draw's pixels are shaded tile by tile (parallel_tiles.h). */
enum tiles_use { TILES_UNKNOWN, TILES_IN_ORDER, TILES_PARALLEL };

/* Objects whose vertices were gathered in one epoch of the vertex cache, in order. Until anything but their
 * vertex shader threads runs they need not be assembled again. Not saved. */
enum { GATHERED_OBJECTS = 64 };
struct gathered_objects {
    uint32_t epoch, instance, first; /* first: its primitive index */
    unsigned count;
    struct gathered_object {
        uint8_t entry[CORNERS], vertex_count;
        bool reversed_winding;
    } list[GATHERED_OBJECTS];
};

/* A draw and its current primitive. */
struct draw {
    struct draw_cursor cursor;
    struct ps_thread ps;
    struct draw_state state;
    struct setup_primitive setup;
    struct shaded_primitive primitive;
    const struct interpolation *interpolation;
    const struct triangle_functions *triangles;
    struct gathered_objects gathered;
    uint64_t block_samples[SAMPLES]; /* the covered pixels of setup.block, by sample */
    uint32_t ps_depth_count_pending; /* passed pixels of draws without a pixel shader, not counted yet */
    bool ran_thread;                 /* a pixel shader thread has ended in this draw */
    uint8_t tiles_use;               /* enum tiles_use; valid while mmu.changes is tiles_changes */
    uint64_t tiles_changes;
    uint64_t thread_cost; /* the most that a pixel shader thread of the draw has taken, in instructions */
};

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns the first unsupported feature of a draw with the current state, or NULL. *nothing: the draw has no
 * effect, and is not checked. */
const char *draw_unsupported(const struct engine *e, const struct draw_call *draw, bool *nothing);
/* The draw has a geometry shader, tessellation or stream output. */
bool draw_has_gs_or_so(const struct engine *e);
/* The unsupported format of a vertex element or a surface, or NULL. It reads surface states from memory, and
 * updates cleared depth textures. elements_known: the formats of elements are supported. */
struct hiz_update;
const char *draw_unsupported_bindings(struct message_context *b, const struct command_set *structures,
                                      bool elements_known, struct hiz_update *u);
/* Reports and counts a draw that is skipped; begun: a draw that is abandoned after its start. */
void draw_report_unsupported(struct engine *e, const char *feature, bool begun);
/* Decodes the state of a draw except its shader stages. The message context holds the base addresses.
 * kept: s holds what the pipeline state says except for buffers; fetch_kept: and for buffers. Structures in
 * memory are read in any case. Returns false on a fault. */
bool draw_state_init(struct draw_state *s, struct message_context *b, const struct command_set *structures,
                     const struct draw_call *call, bool kept, bool fetch_kept);
/* Begins a draw at its first primitive, with an empty URB. */
void draw_cursor_init(struct draw *d, struct urb *u);
/* Resumes a draw at the cursor of a context image. draw_load wrote it to draw.cursor; draw_begin copied it
 * to `was`. A cursor beyond the last instance is ignored: the draw starts from its beginning. (wm.c) */
void draw_cursor_resume(struct draw_cursor *c, const struct draw_state *s, const struct draw_cursor *was);
/* The stipple of the next line of a strip continues behind the current one. */
static inline void line_stipple_advance(struct draw *d)
{
    enum { PATTERN_BITS = 16 };
    if (!d->setup.line_stipple.applies)
        return;
    d->cursor.line_stipple = (d->cursor.line_stipple + d->setup.line_stipple.pixels) %
                             (PATTERN_BITS * (uint32_t)d->state.stipple.line_repeat_count);
    d->setup.line_stipple.applies = false;
}
/* Ends or skips the current primitive. Stages that make several primitives advance primitive_index. */
static inline void draw_primitive_done(struct draw *d)
{
    line_stipple_advance(d);
    d->cursor.phase = d->state.primitive_phase;
    d->cursor.primitive_index += d->state.primitive_phase == DRAW_ASSEMBLE;
}
/* The polygon that is not filled has a part behind the current one. */
static inline bool draw_has_next_part(const struct draw *d)
{
    return d->setup.is_part && d->cursor.visible_parts >> (d->cursor.part + 1u);
}
static inline bool draw_has_next_replica(const struct draw_state *s, const struct draw_cursor *c)
{
    return s->replication.mask >> c->replica >> 1;
}
/* Ends what is drawn of the current primitive: all of it, one part, or one replica. */
static inline void draw_part_done(struct draw *d)
{
    line_stipple_advance(d);
    if (draw_has_next_part(d) || draw_has_next_replica(&d->state, &d->cursor))
        d->cursor.phase = DRAW_PART;
    else
        draw_primitive_done(d);
}
/* Validates a loaded cursor against the decoded state, and sets its primitive up again. Returns false if
 * it is invalid. */
bool draw_cursor_restore(struct draw *d, struct message_context *b);
/* Sets the sizes and handles of URB entries from the state. */
void urb_layout_init(struct urb *u, const struct draw_state *s);
/* Advances to the next covered subspans, at most `count`, within the budget. Returns false if there is
 * none yet, none left (*ended), or on a fault. */
bool raster_next_subspans(struct draw *d, struct message_context *b, unsigned count, uint64_t *budget,
                          bool *ended);
/* Takes the cursor's block as the pixels of the next threads of 16, if all of it is covered and passes the
 * early tests, and nothing is tested late. The threads' subspans are then squares. False: a fault, or pixels
 * that must be gathered, which are not tested again. Draws that do this are not cut inside a primitive. */
enum { BLOCK_SQUARES = 4 };
bool raster_take_block(struct draw *d, struct message_context *b, uint64_t *budget, uint32_t xy[2]);
/* Gives a thread the subspans of a square of such a block. */
void raster_put_square(struct ps_thread *p, const uint32_t block[2], unsigned square);
/* Fast-clears or resolves blocks of render target 0 within the budget. Returns false on a fault or an
 * unsupported feature. */
bool render_target_fast_clear(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended);
/* Begins the patch in the URB; a culled patch is skipped. (te.c) */
void tess_begin_patch(struct draw *d, struct message_context *b);
/* Computes the tessellation of the patch in the URB. Returns false if the patch is culled. (te.c) */
bool tess_make_patch(const struct draw *d, struct message_context *b);
/* The domain point of a URB entry. (te.c) */
uint32_t tess_entry_point(const struct urb *u, unsigned entry);
/* At gathered pixels from `first` on, an even number of them (sf.c): barycentrics of an interpolation mode,
 * eight of corner 1, then eight of corner 2, and so on; depths; and w. */
void setup_barycentrics(const struct draw *d, unsigned mode, unsigned first, unsigned pixels, float *rows);
void setup_depths(const struct draw *d, unsigned first, unsigned pixels, float *depth);
void setup_depths_at(const struct draw *d, const uint32_t (*xy)[2], unsigned subspans, float *depth);
void setup_ws(const struct draw *d, unsigned first, unsigned pixels, float *w);
/* Planes on the screen (sf.c): steps by y and x, and the value where planes begin (first_xy). One that has
 * these values at the corners; and those of depth, without its bias, and of the reciprocal of w. */
enum { SCREEN_STEP_Y, SCREEN_STEP_X, SCREEN_VALUE, SCREEN_PLANE };
void setup_screen_plane(const struct draw *d, const double of_corner[CORNERS], double plane[SCREEN_PLANE]);
void setup_depth_w_planes(const struct draw *d, double depth[SCREEN_PLANE], double by_w[SCREEN_PLANE]);

/* Where a pixel's location is in it, on both axes. */
static inline double draw_pixel_location(const struct draw *d)
{
    return d->state.raster.pixel_location_upper_left ? 0 : 0.5;
}

/* ---- Several samples (pipeline3d/samples.c) ---- */

/* Of the current state: log2 of a pixel's samples; those that may be covered; whether alpha covers them. */
unsigned draw_samples_log2(const struct engine *e);
uint16_t draw_sample_mask(const struct engine *e);
bool draw_has_alpha_to_coverage(const struct engine *e);
void sample_state_init(struct sample_state *s, const struct engine *e);
/* The sample at whose place a pixel's attributes are; SAMPLES: the pixel's own place. */
unsigned samples_place_of(const struct draw *d, enum sample_location where, unsigned pixel);
/* The places of gathered pixels, from 0 to 1. False: all are their pixel's own. */
bool samples_locations(const struct draw *d, enum sample_location where, unsigned first, unsigned pixels,
                       double right[], double down[]);
/* How many samples of the pixels the thread covers. */
unsigned samples_count_covered(const struct draw *d, uint32_t pixels);

/* ---- Coarse pixels (cps.c, pipeline3d/coarse.c) ---- */

/* Sets the size of a viewport's coarse pixels, and whether they are counted. */
void cps_init(struct viewport *v, struct message_context *b, const struct command_set *structures,
              unsigned number);
/* The size of a primitive's coarse pixels; header: dword 0 of its provoking vertex. */
void cps_primitive_size(const struct viewport *v, unsigned samples_log2, uint32_t header,
                        uint8_t size_log2[2]);
/* What the current state has of coarse pixels that is not supported, or NULL. */
const char *cps_unsupported(struct message_context *b, const struct command_set *structures);
/* Where in the first pixel of each coarse pixel's place its location is; `where`: as samples_locations. */
void coarse_locations(const struct draw *d, enum sample_location where, unsigned first, unsigned pixels,
                      double right[], double down[]);
/* How many pixels, or samples of them, the thread covers in coarse pixels. */
unsigned coarse_count_covered(const struct draw *d, uint32_t coarse);
/* The events of coarse pixels that no message took. */
void coarse_trace_killed(const struct draw *d, const struct message_context *b, uint32_t coarse);
/* Sets the depths of a part's pixels for late tests. */
void coarse_part_depths(const struct message_context *b, struct ps_thread *of_part);

/* ---- Shared by the files of a draw ---- */

/* Reads memory; unmapped memory reads as zeros without a fault. (state_locations.c) */
void load_or_zero(struct engine *e, uint64_t at, void *to, size_t size_bytes);

/* Sets depth and stencil from the current state. Returns the unsupported feature, or NULL. Up to Gen8 the
 * stencil references are in memory. (depth_stencil.c) */
const char *depth_stencil_state_init(struct depth_stencil *s, const struct engine *e, unsigned samples_log2,
                                     bool clears);
/* Of the bound depth buffer's array elements, where it has a HiZ: whether one is cleared, and its depths have
 * the clear value; that it is; that those from `first` on are written otherwise. (hiz.c) */
struct hiz_clear {
    float value;
    uint32_t samples_log2;
};
bool hiz_is_cleared(struct engine *e, uint32_t element, struct hiz_clear *clear);
void hiz_note_cleared(struct engine *e, const struct depth_stencil *s, uint32_t element,
                      const struct hiz_clear *clear);
void hiz_note_used(struct engine *e, const struct depth_stencil *s, uint32_t first, uint32_t elements);
/* Gives cleared levels of a depth texture the clear value that its state has; entry: of the binding table. A
 * slice has some rows. The position counts entries, levels, elements and parts of these; it only grows, so an
 * update ends whatever memory says. (hiz.c) */
enum { HIZ_UPDATE_ROWS = 64, HIZ_UPDATE_PARTS = 1024, HIZ_UPDATE_ELEMENTS = 2048 };
struct hiz_update {
    uint64_t position;
    uint32_t notes;     /* looked at in this slice */
    bool is_unfinished; /* the next slice goes on */
};
void hiz_update_texture(struct message_context *b, const struct surface_state *s, uint32_t entry,
                        struct hiz_update *u);
/* The depth that a depth clear writes. (depth_stencil.c) */
float depth_clear_value(const struct engine *e);
void stencil_reference_load(struct depth_stencil *s, struct message_context *b,
                            const struct command_set *structures);
/* A chapter's check of its state: the unsupported feature, or NULL. (vs_entries.c, te.c, gs.c, vf.c) */
const char *vs_unsupported(const struct engine *e);
const char *tess_unsupported(const struct engine *e, uint64_t topology);
const char *gs_unsupported(const struct engine *e, uint64_t input_topology);
const char *vf_unsupported_elements(const struct message_context *b);
/* The size of a stage's URB entries, and the handle of its first entry. Either of two commands may hold
 * them. (vs_entries.c) */
uint64_t urb_entry_size_dw(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
uint32_t urb_start_handle(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
/* Fetches a vertex. Returns false on a fault. (vf.c) */
bool vf_fetch_vertex(const struct draw *d, struct message_context *b, uint32_t vertex,
                     uint32_t primitive_index, uint32_t dw[VUE_DW]);
/* The same, once its number in the buffers is known. (vf.c) */
bool vf_fetch_numbered(const struct draw *d, struct message_context *b, uint32_t number, uint32_t identity,
                       uint32_t primitive_index, uint32_t dw[VUE_DW]);
/* Leaves the edges of a polygon whose vertices' edge flags are set, or, of one that is drawn as points, these
 * vertices. Returns false on a fault. (vf.c) */
bool vf_select_parts(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
                     uint8_t *visible_parts);
/* The index buffer of the current state. (vf.c) */
struct index_buffer index_buffer_init(const struct engine *e);
/* Decodes the vertex fetch state. (vf.c) */
void vf_plan_init(struct vertex_fetch_plan *s, const struct message_context *b, const struct draw_call *call);
/* The part of it that the draw call has. */
void vf_parameters_init(struct vertex_fetch_plan *v, const struct engine *e, const struct draw_call *call);
/* Finds the buffers of a larger draw in the host's memory. What is not found is read by the TLB. (vf.c) */
void vf_windows_init(struct draw *d, struct mmu *mmu);
/* The vertex's number in its buffers: from the index buffer, or sequential. `identity` is the generated
 * vertex ID, without the start vertex and the base vertex. Returns false on a fault. (Mesa, brw:
 * vertex_id_zero_based) */
bool vf_vertex_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *number,
                     uint32_t *identity);
/* Assembles the primitive at the cursor. IA_END: none is left. IA_AGAIN: a cut index was passed, or a fault;
 * call again. It may move the cursor beyond a cut, never primitive_index. A look-ahead uses a copy of the
 * cursor. (ia.c) */
enum ia_result { IA_DONE, IA_END, IA_AGAIN, IA_WAIT };
enum ia_result ia_assemble(const struct draw *d, struct draw_cursor *c, struct message_context *b,
                           struct ia_primitive *o);
/* Finds or fetches the URB entries of an object's vertices. IA_AGAIN: missing vertices were fetched, or a
 * fault; ask again, because memory may have changed. IA_WAIT: a thread of u->stage must run first.
 * (vs_entries.c) */
enum ia_result vs_lookup_or_dispatch(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     uint8_t entry[IA_PRIMITIVE_VERTICES], uint64_t *budget);
/* vs_lookup finds an object's URB entries; false: a vertex is missing. vs_gather_misses fetches missing
 * vertices of this and following objects. If it leaves channel_count nonzero, a thread of u->stage must run
 * before vs_lookup is called again. Returns false on a fault or without a free entry. (vs_entries.c) */
bool vs_lookup(const struct draw *d, struct message_context *b, const struct ia_primitive *o,
               uint8_t entry[IA_PRIMITIVE_VERTICES]);
bool vs_gather_misses(struct draw *d, struct message_context *b, uint64_t *budget);
/* The shaded vertices of a primitive, for draws with vertex shaders only. (vs_entries.c) */
enum ia_result ia_primitive_vertices(struct draw *d, struct message_context *b, const struct ia_primitive *o,
                                     struct shaded_primitive *p, uint64_t *budget);
/* The current object, if its vertices were gathered in this epoch; else NULL. Where its vertices are;
 * gathered_object_vertices copies them like ia_primitive_vertices. (vs_entries.c) */
const struct gathered_object *gathered_object_find(const struct draw *d, const struct urb *u);
void gathered_object_corners(const struct gathered_object *o, const struct urb *u,
                             const uint32_t *dw[CORNERS]);
void gathered_object_vertices(const struct gathered_object *o, const struct urb *u,
                              struct shaded_primitive *p);
/* Zeroes a URB entry. Its first `written_dw` dwords may be written then. (vs_entries.c) */
void urb_entry_clear(struct urb *u, unsigned entry, uint32_t written_dw);
/* Reads an index; 0 beyond the buffer. Returns false on a fault. (vf.c) */
bool vf_fetch_index(const struct draw *d, struct message_context *b, uint32_t vertex, uint32_t *index);
/* The URB entries of the tessellator's primitive at the cursor. IA_AGAIN in phase PATCH: a point is not
 * shaded yet. tess_gather_points gathers the missing points of that primitive, and of following ones while
 * entries are free, for a domain shader thread. (te.c) */
enum ia_result tess_find_primitive(struct draw *d, struct message_context *b, uint8_t entry[CORNERS],
                                   uint64_t *budget);
void tess_gather_points(const struct draw *d, struct message_context *b);
/* The next primitive of the tessellator. (te.c) */
enum ia_result tess_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                   uint64_t *budget);

/* ---- Geometry shaders (gs.c) ---- */

void gs_state_init(struct gs_state *s, const struct engine *e, uint64_t input_topology);
/* The next primitive that geometry shader threads have written. */
enum ia_result gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                 uint64_t *budget);

/* The next primitive of a Gen6 geometry shader. (gen6_gs.c) */
enum ia_result gen6_gs_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                      uint64_t *budget);
/* The vertex that constant-interpolated attributes come from. (ia.c) */
uint8_t provoking_vertex_of(const struct raster_state *s, uint64_t topology);

/* ---- Stream output (sol.c) ---- */

/* Whether stream output disables rendering. */
bool so_rendering_disabled(const struct engine *e);
/* A field's element that begins `bits` behind the first; 0 beyond the command. */
uint32_t state_array_field(const struct engine *e, uint32_t header, unsigned role, unsigned bits);
/* No primitive is rendered: the clipper rejects all, or stream output disables rendering. */
bool draw_rejects_all(const struct engine *e);
/* Counts the primitive, and writes it if every buffer has space for all its vertices. Returns false on a
 * fault. */
bool so_write_primitive(struct draw *d, struct message_context *b, const struct shaded_primitive *p,
                        uint64_t *budget);
/* Stores the write offsets at the end of a draw, if the state asks for it. */
void so_write_offsets_store(const struct sol_state *s, struct engine *e);
void sol_state_init(struct sol_state *s, const struct engine *e);
/* so_buffer_index: the buffer that a command programs. so_write_offset_init: sets its write offset if the
 * command says so; false: a fault. */
unsigned so_buffer_index(uint32_t header, uint32_t dw1);
bool so_write_offset_init(struct engine *e, unsigned buffer);

/* The current replica's position of a vertex, and its clip distances. */
enum { VUE_POSITION = 4, VUE_POSITION_DW = 4 };
static inline const uint32_t *vue_position(const struct draw *d, const uint32_t *vue_dw)
{
    return vue_dw + VUE_POSITION + d->cursor.replica * VUE_POSITION_DW;
}
static inline const uint32_t *vue_distances(const struct draw *d, const uint32_t *vue_dw)
{
    return vue_dw + VUE_POSITION + d->state.replication.positions * VUE_POSITION_DW;
}
/* Sets up the primitive: its corners and planes. *clipped: the primitives that leave the clipper. Returns
 * false if nothing is visible. (sf.c) */
bool setup_primitive(struct draw *d, const uint32_t *const dw[CORNERS], unsigned *clipped);
/* The event of the primitive that was set up, or not. (sf.c) */
void setup_trace(const struct draw *d, const struct message_context *b, const uint32_t *const dw[CORNERS]);
/* Sets up the next part of a polygon, from cursor.part on. Returns false if none is visible. (sf.c) */
bool setup_part(struct draw *d, const uint32_t *const dw[CORNERS]);
/* Computes the visible range of each viewport. (cl.c) */
void clip_ranges_init(struct draw_state *s);
/* Clips the primitive to its visible polygon, in pixels. Returns the count of vertices. (cl.c) */
unsigned clip_primitive(const struct draw *d, const uint32_t *const dw[CORNERS],
                        double seen[RASTER_POLYGON_VERTICES][2], unsigned *clipped);
/* Stipples (stipple.c). line_stipple_setup finds the pixels of the line that was set up. continues: input
 * assembly's primitive continues the stipple of the one before. */
void stipple_state_init(struct draw_state *d, const struct engine *e);
void line_stipple_setup(struct draw *d);
bool line_stipple_continues(const struct draw *d);
/* Antialiased lines and smooth points (antialiasing.c). smooth_unsupported: of points or lines. The setups
 * make the shape of the line's ends, or of the point's square; the first returns the count of its vertices.
 */
void smooth_state_init(struct draw_state *d, const struct engine *e);
const char *smooth_unsupported(const struct engine *e, unsigned corners);
unsigned smooth_line_setup(struct draw *d, double seen[RASTER_POLYGON_VERTICES][2]);
void smooth_point_setup(struct draw *d, double width, double seen[RASTER_POLYGON_VERTICES][2]);
/* Conservative rasterization of a polygon that was set up. Whether all of a pixel is inside. (conservative.c)
 */
void conservative_setup(struct draw *d);
bool conservative_is_inner(const struct draw *d, uint32_t x, uint32_t y);
/* Advances to the next visible primitive. (wm.c) */
bool draw_next_primitive(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended);
/* Where Gen6 holds a field of a later command: one role, or all other roles of that command. */
struct state_location {
    uint32_t header;
    uint8_t role; /* 0: every role of the command that has no row of its own above */
    uint32_t at_header;
    uint8_t at_role;        /* the role in that command; unused if role is 0 */
    uint8_t structure;      /* enum structure; nonzero: the field holds a pointer to it */
    uint8_t structure_role; /* the role in the structure or its first group; 0: the same role */
};
extern const struct state_location gen6_state_locations[], gen7_state_locations[];

/* (state_locations.c) */
uint64_t state_field_at_location(const struct engine *e, uint32_t header, unsigned role);
/* Like pipeline_command, at the command's location. */
const uint32_t *state_command(const struct engine *e, uint32_t header, const struct command **row,
                              uint32_t *length_dw);

static inline uint64_t state_field(const struct engine *e, uint32_t header, unsigned role)
{
    return e->info->draws.state_locations ? state_field_at_location(e, header, role)
                                          : pipeline_field(&e->pipeline, header, role, 0);
}

#endif
