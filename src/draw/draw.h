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
#include "stream/structure.h"

/* ---- Roles of fields of state; lower ones are enum count's ---- */

enum {
    PS_KERNEL_0 = 5,
    PS_KERNEL_1,
    PS_KERNEL_2,
    PS_START_0, /* register of constants and setup */
    PS_START_1,
    PS_START_2,
    PS_8_PIXELS,
    PS_16_PIXELS,
    PS_32_PIXELS,
    SHADER_SOFTWARE_EXCEPTIONS, /* these of each stage that has them */
    SHADER_ILLEGAL_EXCEPTIONS,
    SHADER_ROUNDING,
    SHADER_FLOATING_POINT,
    SHADER_DENORMS,
    SHADER_VECTOR_MASK,
    SHADER_SINGLE_FLOW,
    SHADER_SCRATCH_SIZE,
    SHADER_SCRATCH,
    SHADER_SCRATCH_BUFFER,
    PS_POSITION_OFFSETS,
    PS_RESOLVE,
    PS_FAST_CLEAR,
    PS_CONSTANTS
};
enum { VS_KERNEL = VS_STATISTICS_ENABLE + 1, VS_START, VS_READ_OFFSET, VS_READ_LENGTH, VS_8_VERTICES };
enum {
    GS_KERNEL = 30, /* lower ones are state of all stages, too */
    GS_START,
    GS_START_HIGH,
    GS_READ_OFFSET,
    GS_READ_LENGTH,
    GS_HANDLES,
    GS_IDENTITIES,
    GS_VERTEX_SIZE, /* in 16 bytes, less one */
    GS_DISPATCH = 42,
    GS_EXPECTED,
    GS_DISCARDS_ADJACENCY,
    GS_TRAILING,
    GS_CONTROL_STREAMS, /* else cuts */
    GS_HINT,
    GS_RENDERS, /* these of Gen6's threads of objects */
    GS_COUNTS_OUTPUT,
    GS_STEP,
    GS_STEPS,
    GS_INDICES,
    GS_STREAMS, /* they are there */
    GS_REORDERS
};
enum { SO_TRAILING = SO_FORCE_RENDERING + 1, SO_READ_OFFSET, SO_PITCH };
enum {
    SO_BUFFER_ENABLE = 5,
    SO_BUFFER_BASE,
    SO_BUFFER_SIZE, /* in dwords, less one */
    SO_SETS_OFFSET,
    SO_OFFSET,
    SO_KEEPS_OFFSET,
    SO_OFFSET_ADDRESS
};
enum { DECLS_BUFFERS = 5, DECLS_COUNT };
enum { DECL_COMPONENTS = 1, DECL_REGISTER, DECL_HOLE, DECL_BUFFER };
enum {
    HS_KERNEL = HS_STATISTICS_ENABLE + 1,
    HS_START,
    HS_INSTANCES, /* less one */
    HS_MODE,
    HS_HANDLES,
    HS_PRIMITIVE_ID,
    HS_READ_LENGTH,
    HS_START_5 = 38 /* bit 5 of it */
};
enum { HS_SINGLE_PATCH, HS_DUAL_PATCH, HS_8_PATCHES };
enum {
    DS_ENABLE = 5,
    DS_NO_CACHE,
    DS_STATISTICS_ENABLE,
    DS_KERNEL,
    DS_START,
    DS_MODE, /* 0: two points at once */
    DS_W,
    DS_READ_OFFSET,
    DS_READ_LENGTH
};
enum { TE_MODE = TE_ENABLE + 1, TE_DOMAIN, TE_OUTPUT, TE_PARTITIONING, TE_MOST_ODD, TE_MOST };
enum { URB_ENTRY_SIZE = 5, URB_START, URB_ENTRY_SIZE_128 }; /* in 64 bytes, less one; in 8 KB; in 128 bytes */
enum {
    PSX_VALID = 5,
    PSX_COVERAGE,
    PSX_PULLS,
    PSX_COARSE,
    PSX_COMPUTES_STENCIL,
    PSX_ATTRIBUTES,
    PSX_OFFSETS,
    PSX_STRAIGHT_PLANES,
    PSX_PLANES,
    PSX_DEPTH_PLANES,
    PSX_COARSE_SIZE,
    PSX_SOURCE_W,
    PSX_SOURCE_DEPTH,
    PSX_COMPUTES_DEPTH,
    PSX_KILLS,
    PSX_OMASK
};
enum { BLEND_ALPHA_TEST = 5, BLEND_ALPHA_COVERAGE, BLEND_WRITES };
enum { BLEND_POINTER = 5 };
enum { COLOR_CALC_POINTER = 5 };
enum { BLENDS_ALPHA_APART = 5, BLENDS_ALPHA_ONE };
enum {
    TARGET_BLENDS = 1,
    TARGET_NO_RED,
    TARGET_NO_GREEN,
    TARGET_NO_BLUE,
    TARGET_NO_ALPHA,
    TARGET_FUNCTION,
    TARGET_SOURCE,
    TARGET_DESTINATION,
    TARGET_ALPHA_FUNCTION,
    TARGET_ALPHA_SOURCE,
    TARGET_ALPHA_DESTINATION,
    TARGET_LOGIC,
    TARGET_LOGIC_FUNCTION,
    TARGET_ALPHA_APART, /* up to Gen7 here */
    TARGET_ALPHA_TEST,
    TARGET_ALPHA_COVERAGE,
    TARGET_TEST_FUNCTION,
    TARGET_CLAMPS_BEFORE,
    TARGET_CLAMPS_SOURCE, /* that alone */
    TARGET_CLAMPS_BEHIND,
    TARGET_CLAMP_RANGE,
    TARGET_ALPHA_ONE, /* up to Gen7 here */
    TARGET_ROLES
};
enum {
    WM_BARYCENTRICS = 5,
    WM_POINT_RULE,
    WM_STIPPLE,
    WM_FORCE_DISPATCH,
    WM_HIZ_RESOLVE,
    WM_DEPTH_RESOLVE,
    WM_DEPTH_CLEAR,
    WM_STATISTICS,
    WM_LINE_STIPPLE,
    WM_EARLY_TESTS
};
enum { MULTISAMPLE_NUMBER = 5, MULTISAMPLE_LOCATION };
enum {
    RASTER_SCISSOR = 5,
    RASTER_BACK_FILL,
    RASTER_FRONT_FILL,
    RASTER_DEPTH_OFFSET,
    RASTER_CULL,
    RASTER_SAMPLES,
    RASTER_WINDING,
    RASTER_CONSERVATIVE,
    RASTER_CLIPS_NEAR,
    RASTER_CLIPS_FAR,
    RASTER_OFFSET_WIREFRAME,
    RASTER_OFFSET_POINT,
    RASTER_OFFSET_CONSTANT,
    RASTER_OFFSET_SCALE,
    RASTER_OFFSET_CLAMP,
    RASTER_ANTIALIASES,
    RASTER_SMOOTH_POINTS
};
enum { SAMPLE_MASK = 5 };
enum {
    SBE_OFFSET = 5,
    SBE_LENGTH,
    SBE_SWIZZLES,
    SBE_ATTRIBUTES,
    SBE_SPRITES,
    SBE_CONSTANT,
    SBE_ID_ATTRIBUTE,
    SBE_ID_X,
    SBE_ID_Y,
    SBE_ID_Z,
    SBE_ID_W,
    SBE_SPRITE_ORIGIN
};
enum { SWIZ_SOURCE = 5, SWIZ_SELECT, SWIZ_CONSTANT, SWIZ_X, SWIZ_Y, SWIZ_Z, SWIZ_W };
enum {
    CLIP_NO_DIVIDE = CLIP_MODE + 1,
    CLIP_ZERO_ARRAY_INDEX,
    CLIP_XY,
    CLIP_API,
    CLIP_USER_CLIP,
    CLIP_USER_CULL,
    CLIP_FORCES_USER_CLIP,
    CLIP_FORCES_USER_CULL,
    CLIP_LEAST_POINT,
    CLIP_MOST_POINT,
    CLIP_Z,
    CLIP_GUARDS
};
enum { VS_USER_CULL = 40, VS_USER_CLIP }; /* of the last stage that has vertices */
enum { DRAWING_X_MIN = 5, DRAWING_Y_MIN, DRAWING_X_MAX, DRAWING_Y_MAX, DRAWING_ORIGIN_X, DRAWING_ORIGIN_Y };
enum { SCISSOR_POINTER = 5 };
enum { SCISSOR_X_MIN = 5, SCISSOR_Y_MIN, SCISSOR_X_MAX, SCISSOR_Y_MAX };
enum {
    SF_VIEWPORT_TRANSFORM = SF_STATISTICS_ENABLE + 1,
    SF_PROVOKING,
    SF_PROVOKING_FAN,
    SF_PROVOKING_LINE,
    SF_LINE_WIDTH,
    SF_POINT_WIDTH,
    SF_POINT_OF_STATE,
    SF_LAST_PIXEL,
    SF_COARSE,
    SF_OFFSET_IS_PLAIN
};
enum { VIEWPORT_POINTER = 5, GUARD_POINTER };
enum { DEPTH_RANGE_POINTER = 5 };
enum {
    MATRIX_M00 = 5,
    MATRIX_M11,
    MATRIX_M22,
    MATRIX_M30,
    MATRIX_M31,
    MATRIX_M32,
    VIEWPORT_X_MIN,
    VIEWPORT_X_MAX,
    VIEWPORT_Y_MIN,
    VIEWPORT_Y_MAX
};
enum { DEPTH_LEAST = 5, DEPTH_MOST };
enum { GUARD_X_MIN = 5, GUARD_X_MAX, GUARD_Y_MIN, GUARD_Y_MAX };
enum { VF_PACKS = VF_CUT_INDEX + 1 };
enum { INSTANCING_ENABLE = 5, INSTANCING_RATE };
enum {
    SGVS_VERTEX_ELEMENT = 5,
    SGVS_VERTEX_COMPONENT,
    SGVS_VERTEX_ENABLE,
    SGVS_INSTANCE_ELEMENT,
    SGVS_INSTANCE_COMPONENT,
    SGVS_INSTANCE_ENABLE
};
enum {
    SGVS_PARAMETER_0 = 5,
    SGVS_PARAMETER_0_ELEMENT,
    SGVS_PARAMETER_0_COMPONENT,
    SGVS_PARAMETER_0_LOCATION,
    SGVS_PARAMETER_1,
    SGVS_PARAMETER_1_ELEMENT,
    SGVS_PARAMETER_1_COMPONENT,
    SGVS_PARAMETER_1_LOCATION,
    SGVS_PARAMETER_2,
    SGVS_PARAMETER_2_ELEMENT,
    SGVS_PARAMETER_2_COMPONENT
};
enum {
    VERTEX_BUFFER_NULL = VERTEX_BUFFER_PITCH + 1,
    VERTEX_BUFFER_START,
    VERTEX_BUFFER_SIZE,
    VERTEX_BUFFER_LAST, /* its last byte, where no size is said */
    VERTEX_BUFFER_OF_INSTANCES,
    VERTEX_BUFFER_RATE
};
enum {
    ELEMENT_VALID = 1,
    ELEMENT_OFFSET,
    ELEMENT_FORMAT,
    ELEMENT_BUFFER,
    ELEMENT_CONTROL_0,
    ELEMENT_CONTROL_1,
    ELEMENT_CONTROL_2,
    ELEMENT_CONTROL_3
};
enum {
    DEPTH_WRITES = 5,
    DEPTH_TESTS,
    STENCIL_WRITES,
    STENCIL_TESTS,
    STENCIL_TWO_SIDES,
    DEPTH_FUNCTION,
    STENCIL_FUNCTION, /* of the front; of the back STENCIL_SIDE further */
    STENCIL_FAIL,
    STENCIL_DEPTH_FAIL,
    STENCIL_PASS,
    STENCIL_TEST_MASK,
    STENCIL_WRITE_MASK,
    STENCIL_REFERENCE,
    STENCIL_SIDE = STENCIL_REFERENCE + 1 - STENCIL_FUNCTION,
    KEEPS_STENCIL_REFERENCE = STENCIL_REFERENCE + STENCIL_SIDE + 1, /* "Modify Disable" of a part */
    KEEPS_STENCIL_TEST_MASK,
    KEEPS_STENCIL_WRITE_MASK,
    KEEPS_STENCIL_STATE,
    KEEPS_DEPTH_STATE
};
enum { CALC_REFERENCE = 5, CALC_ALPHA_REFERENCE = 7, CALC_ALPHA_IS_FLOAT }; /* the first two up to Gen8 */
/* Of both buffers. */
enum {
    DEPTH_TYPE = 5,
    DEPTH_BUFFER_WRITES,
    STENCIL_ENABLE,
    BUFFER_FORMAT,
    BUFFER_BASE,
    BUFFER_PITCH,
    BUFFER_QPITCH,
    BUFFER_WIDTH,
    BUFFER_HEIGHT,
    BUFFER_FIRST_ELEMENT,
    BUFFER_ELEMENTS,
    BUFFER_LOD,
    BUFFER_TILES_LATER, /* what of tilings is more than the one kind */
    BUFFER_TILED_MODE,
    BUFFER_STENCIL_WRITES, /* up to Gen11 it says so */
    BUFFER_STENCILS_APART, /* these of Gen6; else they lie among depths */
    BUFFER_TILED,
    BUFFER_OFFSET_X,
    BUFFER_OFFSET_Y
};
enum { CLEAR_DEPTH = 5 };
enum { DEPTH_BOUNDS = 5 };
enum {
    HZ_SAMPLES = 5,
    HZ_STENCIL_VALUE,
    HZ_ALL,
    HZ_SCISSOR,
    HZ_CLEARS_DEPTH,
    HZ_CLEARS_STENCIL,
    HZ_X_MIN,
    HZ_Y_MIN,
    HZ_X_MAX,
    HZ_Y_MAX
};
/* Of the commands of each stage. */
enum { STAGE_BINDINGS = 5 };
enum { STAGE_SAMPLERS = 5 };
enum {
    CONSTANT_LENGTHS = 5,
    CONSTANT_BUFFER_0,
    CONSTANT_BUFFER_1,
    CONSTANT_BUFFER_2,
    CONSTANT_BUFFER_3,
    CONSTANT_VALID, /* Gen6: each has its length beside its address */
    CONSTANT_BUFFERS = 4
};
/* Of Gen6: roles of commands that later generations have apart, above those of the command itself. */
enum { SF_RASTER = 32, SF_SBE = 64, SF_SWIZ = 96 };
enum { WM_PS = 32, WM_PSX = 72 };
enum { CC_BLEND = COLOR_CALC_POINTER + 1, CC_DEPTH_STENCIL };
enum { VIEWPORTS_SF = 5, VIEWPORTS_CC, VIEWPORTS_CLIP };
enum { STAGES_VS = 5, STAGES_GS, STAGES_PS };
enum {
    BASE_ADDRESS_GENERAL = 5,
    BASE_ADDRESS_SURFACE,
    BASE_ADDRESS_DYNAMIC,
    BASE_ADDRESS_INDIRECT,
    BASE_ADDRESS_INSTRUCTION,
    BASE_ADDRESS_BINDLESS
};

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
struct draw {
    uint64_t topology;
    uint32_t vertices, instances, start; /* start: the first vertex, or index */
    uint32_t start_instance;
    int32_t base_vertex;
    uint32_t parameters[DRAW_PARAMETERS]; /* that its vertices may have */
    bool indexed;
    bool executed; /* what befalls its objects is counted when it does */
};

enum { OBJECT_VERTICES = 32 };

/* What the assembly makes: vertices of a primitive, by their places in the draw. */
struct object {
    uint32_t vertex[OBJECT_VERTICES];
    uint32_t primitive; /* its number */
    uint8_t count;
    bool turned; /* of a strip: as all have their faces alike, the last two of its corners have changed places
                  */
};

enum { ATTRIBUTES = 32, CORNERS = 3, PLANE = 3, SWIZZLES = 16, MODES = 6, VIEWPORTS = 16, USER_PLANES = 8 };

/* Of an attribute's plane: what a step of each barycentric adds, and the value at corner 0. */
enum { PLANE_1, PLANE_2, PLANE_0 };
/* Of a corner: x, y in pixels and depth, each times w; and w. */
enum { CORNER_X, CORNER_Y, CORNER_Z, CORNER_W, CORNER };

struct viewport {
    float matrix[6];         /* three scales, three offsets */
    float depth[2];          /* what depths are brought into */
    float guard[2][2];       /* beyond which places are clipped: low, high of x, of y, in parts of w */
    int32_t low[2], high[2]; /* pixels that it may reach; high is the first that it may not */
};

/* What of a primitive is seen: a convex polygon, or of a line its ends, in 1/256 of a pixel. */
enum { OUTLINE = 24 };
enum { OUTLINE_POLYGON, OUTLINE_BOX, OUTLINE_LINE, OUTLINES };
struct outline {
    int32_t at[OUTLINE][2];
    uint32_t count, kind;
};

/* What the clipper tests. */
struct clipping {
    bool clips; /* else all is accepted */
    bool near, far, xy;
    bool near_is_zero;            /* depth begins at 0, not at -w */
    uint8_t user_clip, user_cull; /* distances of vertices */
    uint8_t last_viewport;
};

/* Of depths: what is added to them. */
struct depth_offset {
    float constant, scale, clamp;
    bool enabled[CORNERS]; /* of points, lines, polygons */
    bool plain;            /* the constant is added as it is */
};

/* What a draw does to the blocks of a whole level, instead of shading pixels: they are cleared, those that
 * are get their color, or none is any more. */
enum clears { CLEARS_NOTHING, CLEARS_FAST, CLEARS_RESOLVE, CLEARS_AMBIGUATE, CLEAR_KINDS };

/* What it asked for, and how far it has come. */
struct drawing {
    double corners[CORNERS * CORNER];
    struct viewport viewports[VIEWPORTS];
    struct outline outline;
    struct clipping clipping;
    struct depth_offset offset_of_depth;
    struct tessellation_state tessellation;
    float added_depth; /* to that of the primitive at hand */
    float line_width, point_width, least_point, most_point;
    float planes[ATTRIBUTES * 4 * PLANE]; /* of the primitive at hand */
    uint32_t vertices, instances, start, start_instance, base_vertex;
    uint32_t constant; /* attributes that are not interpolated */
    uint32_t swizzle[SWIZZLES];
    uint32_t sprites; /* attributes that are places in a point */
    int32_t origin[2];
    uint32_t instance, primitive; /* which is next; or at hand */
    uint32_t identity;            /* the number that the one at hand has */
    uint32_t run, run_primitive;  /* the first vertex since the last cut, and the primitive that it begins */
    uint32_t cut_index;
    uint32_t parameters[DRAW_PARAMETERS];
    int32_t box[2][2];          /* pixels around the primitive: low, high */
    int32_t at[2];              /* the next subspan to look at */
    int32_t resumes_at[2];      /* the same, to begin with */
    uint32_t piece;             /* of the patch at hand: the next primitive */
    uint32_t passed;            /* pixels without a shader, that nobody has counted yet */
    struct pixels pixels;       /* those of the thread at hand */
    uint8_t topology;           /* of what is drawn */
    uint8_t input;              /* of what vertices are put together to */
    uint8_t attributes, offset; /* how many; where they begin in a vertex, in 32 bytes */
    uint8_t barycentrics;       /* modes: perspective at pixel, centroid, sample; then straight ones */
    uint8_t provoking;
    uint8_t viewport; /* of the primitive at hand */
    uint8_t cull, winding;
    uint8_t location; /* of a pixel: 0 its center, else its upper left corner */
    bool indexed, transforms, divides, flat_array;
    bool sprites_upwards, last_pixel, right_rule, point_of_state;
    bool counts_clipped;                            /* primitives that leave the clipper */
    uint8_t rendered;                               /* the stream that is */
    bool shades;                                    /* there is a shader of pixels */
    bool source_depth, source_w, offsets, coverage; /* what the payload has */
    bool vector_mask, kills;
    bool clearing;
    uint8_t clears; /* enum clears */
    bool statistics;
    bool shows;            /* a primitive is at hand */
    bool shades_vertices;  /* by threads */
    bool caches;           /* of an index there is one vertex, wherever it recurs */
    bool counts_vertices;  /* that are shaded, one by one */
    bool cuts;             /* an index may end a run of vertices */
    bool resumes;          /* with its first primitive it is to go on at `resumes_at` */
    bool back;             /* it shows its back */
    uint8_t found;         /* fours of the thread to come */
    bool discards;         /* all behind the clipper: only its vertices are shaded */
    bool turned;           /* struct object's, of the primitive at hand */
    bool staged;           /* primitives are of threads behind those of vertices; ... */
    bool makes_primitives; /* a geometry shader does; */
    bool streams;          /* vertices stream out */
    bool executes;         /* either: what befalls objects is counted as it does */
    bool counts_entering, counts_made;
    bool midway; /* ... what its thread made is not all drawn: no other context comes in */
    uint8_t id_attribute, id_components; /* bits: which have the primitive's number */
    bool tessellates;
    bool patched;        /* a patch is at hand, in the URB: likewise */
    bool shares_points;  /* of a point of a patch there is one vertex */
    bool objects_stream; /* a thread has each object; ... */
    bool objects_render; /* ... what it makes of it is drawn, else nothing is */
    bool coarse;         /* places of corners have four bits below a pixel, else eight */
    uint8_t reserved[1];
};

static inline float draw_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

extern const struct state_field drawing_fields[];
enum { DRAWING_FIELDS = 90 };

/* What a draw of the state that is kept lacks; NULL: it can be drawn. *nothing: there is nothing to draw. */
const char *draw_lacks(const struct engine *e, const struct draw *draw, bool *nothing);
/* Behind its vertices there is what runs or writes: a geometry shader, or streaming out. */
bool draw_executes(const struct engine *e);
/* The same of what formats are for: vertices, and surfaces, which lie in memory. */
const char *draw_lacks_bound(struct bindings *b);
/* Tells so, and how far it comes. */
void draw_leave(struct engine *e, const char *lack, const char *how);
/* All that it asks for but the thread's own, by bindings that have the bases. False: a fault. */
bool draw_take(struct drawing *d, struct bindings *b, const struct command_set *structures,
               const struct draw *draw);
/* Goes on where it was, as an image says: only the place counts, and only where it is one. */
void draw_resume(struct drawing *d, const struct drawing *was);
/* Loaded: whether it may be so. */
bool draw_holds(const struct drawing *d);
/* Goes to the next `count` subspans at most that have a pixel, as far as the budget goes; false: there is
 * none yet, or none any more (*ended), or a fault. */
bool draw_seek(struct drawing *d, struct bindings *b, unsigned count, uint64_t *budget, bool *ended);
/* Of a draw that clears: blocks of render target 0, as far as the budget goes; false: a fault, or what it
 * lacks. */
bool draw_clear(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended);
/* A patch is in the URB: it is at hand, or, culled, the next one is wanted. (patches.c) */
void draw_begin_patch(struct drawing *d, struct bindings *b);
/* The tessellation of the one at hand is made, of what is in the URB; false: it is culled. */
bool draw_tessellate(const struct drawing *d, struct bindings *b);
/* The point that an entry is of. */
uint32_t draw_point_of(const struct urb *u, unsigned entry);
/* Barycentrics of corners 1 and 2 at the pixels at hand, by mode. */
void draw_barycentrics(const struct drawing *d, unsigned mode, unsigned pixel, float of[2]);
/* Its depth, and its w. */
float draw_depth(const struct drawing *d, unsigned pixel);
float draw_w(const struct drawing *d, unsigned pixel);

/* ---- Among its files ---- */

enum { VERTEX_DW = URB_ENTRY_DW };

/* What lies where no memory is reads as zeros, and is no fault. (state.c) */
void draw_load_there(struct engine *e, uint64_t at, void *to, size_t size_bytes);

/* Depth and stencil, by the state that is kept; what of them is not modelled, or NULL. Their references, up
 * to Gen8, are in memory. (depth.c) */
const char *draw_take_depth(struct depth_stencil *s, const struct engine *e, bool clears);
/* What a draw that clears writes instead of its own depth. (depth.c) */
float draw_cleared_depth(const struct engine *e);
void draw_take_references(struct depth_stencil *s, struct bindings *b, const struct command_set *structures);
/* What elements of vertices lack; NULL: nothing. (vertex.c) */
const char *draw_lacks_elements(const struct bindings *b);
/* Dwords of an entry that a stage writes, and the handle of its first one, by both commands that may say it.
 * (entries.c) */
uint64_t draw_entry_dw(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
uint32_t draw_first_handle(const struct engine *e, uint32_t urb_state, uint32_t urb_alloc_state);
/* A vertex as the fetch puts it together; false: a fault. (vertex.c) */
bool draw_vertex(const struct drawing *d, struct bindings *b, uint32_t number, uint32_t dw[VERTEX_DW]);
/* The vertex's number in its buffers: what the index buffer says, or one behind the other. Its identity,
 * which is generated, leaves out where the draw starts, and the base vertex. False: a fault. (Mesa, brw:
 * vertex_id_zero_based) */
bool draw_vertex_number(const struct drawing *d, struct bindings *b, uint32_t vertex, uint32_t *number,
                        uint32_t *identity);
/* A primitive as it comes to the clipper. */
struct primitive {
    uint32_t dw[CORNERS][VERTEX_DW];
    uint8_t stream;
};
/* The vertices of the object at hand: they are there; there is none; it is to be asked again, behind a cut,
 * or after a fault; or a thread of u->stage comes first. It says so again until d->primitive goes on: of a
 * copy of the drawing, who looks ahead. (assembly.c) */
enum assembly { ASSEMBLY_DONE, ASSEMBLY_ENDS, ASSEMBLY_GOES_ON, ASSEMBLY_WAITS };
enum assembly draw_assemble(struct drawing *d, struct bindings *b, struct object *o);
/* An object's vertices are in entries of the URB, fetched or shaded: which. Else some of those that were
 * missing have come, and it is to be asked again: what memory says of them may have changed meanwhile; or a
 * fault, or a thread of u->stage comes first. (entries.c) */
enum assembly draw_enter(struct drawing *d, struct bindings *b, const struct object *o,
                         uint8_t entry[OBJECT_VERTICES], uint64_t *budget);
/* The same as far as they are there already; and what is missing of the objects at hand and behind it is
 * fetched: false: it has no room, or a fault; else they are to be looked for again, when a thread of u->stage
 * has run, where there is such a stage. (entries.c) */
bool draw_entered(const struct drawing *d, struct bindings *b, const struct object *o,
                  uint8_t entry[OBJECT_VERTICES]);
bool draw_gather(struct drawing *d, struct bindings *b, uint64_t *budget);
/* Its corners as they go on, where nothing but vertices is shaded; likewise. (entries.c) */
enum assembly draw_corners(struct drawing *d, struct bindings *b, const struct object *o, struct primitive *p,
                           uint64_t *budget);
/* Whose shared entry has the key, from place `first` on, the first that is behind them if none; the one that
 * waited longest but for those of this turn; the next turn. (entries.c) */
unsigned draw_find_entry(const struct urb *u, unsigned first, uint64_t key);
unsigned draw_oldest_entry(const struct urb *u, unsigned first);
void draw_turn(struct urb *u);
/* An index, as it lies there; 0 behind the buffer. False: a fault. (vertex.c) */
bool draw_index(const struct drawing *d, struct bindings *b, uint32_t vertex, uint32_t *index);
/* Corners of a topology's primitives; 0: it is not drawn. Vertices of its objects, adjacent ones and those of
 * patches among them; 0: there are no such. Which of them is a corner. (assembly.c) */
unsigned draw_corners_of(uint64_t topology);
unsigned draw_vertices_of(uint64_t topology);
unsigned draw_corner_at(uint64_t topology, unsigned corner);
/* From one primitive to the next; of those that a geometry shader makes, of which it is no topology: 0. */
unsigned draw_step_of(uint64_t topology);
/* The next primitive of patches, likewise. (patches.c) */
enum assembly draw_patch(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget);

/* ---- Geometry shaders (geometry.c) ---- */

/* What the state's lacks; NULL: nothing. */
const char *draw_lacks_geometry(const struct engine *e, uint64_t topology);
void draw_take_geometry(struct drawing *d, struct bindings *b);
/* The next primitive of those that threads made; else a thread comes first, or none. */
enum assembly draw_made(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget);

/* The same of objects that threads have on Gen6. (objects.c) */
enum assembly draw_objects(struct drawing *d, struct bindings *b, struct primitive *p, uint64_t *budget);
/* Which vertex says what is not interpolated. (state.c) */
uint8_t draw_provoking(const struct engine *e, uint64_t topology);

/* ---- Vertices that stream out (stream_out.c) ---- */

/* Nothing is rendered, whatever streams out. */
bool draw_renders_nothing(const struct engine *e);
/* Counts the primitive, and writes its vertices where there is room for them all. False: a fault. */
bool draw_stream_out(struct drawing *d, struct bindings *b, const struct primitive *p, uint64_t *budget);
/* Behind the draw: offsets go where their state says. */
void draw_store_offsets(struct engine *e);
/* Which buffer a command is of; where it says so its offset is set. False: a fault. */
unsigned draw_stream_buffer(uint32_t header, uint32_t dw1);
bool draw_set_offset(struct engine *e, unsigned buffer);

/* The primitive's corners and planes; how many leave the clipper. False: it is not seen. (setup.c) */
bool draw_setup(struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], unsigned *clipped);
/* What of the primitive's corners is seen: its places, in pixels. Returns how many there are. (clip.c) */
unsigned draw_clip(const struct drawing *d, uint32_t dw[CORNERS][VERTEX_DW], double seen[OUTLINE][2],
                   unsigned *clipped);
/* The next primitive that is seen. (raster.c) */
bool draw_next_primitive(struct drawing *d, struct bindings *b, uint64_t *budget, bool *ended);
/* Its pixels: those of the subspan that are covered. (raster.c) */
struct edges {
    int64_t x[OUTLINE], y[OUTLINE], c[OUTLINE]; /* inside where x * X + y * Y + c >= 0, in 1/256 */
    int64_t low[2], high[2];
};
void draw_edges(const struct drawing *d, struct edges *e);
uint32_t draw_covered(const struct drawing *d, const struct edges *e, const int32_t at[2]);

/* Where state lies that others have in a command of its own: of one role, or of all others of that command.
 */
struct draw_place {
    uint32_t header;
    uint8_t role;      /* 0: all that have no row above */
    uint32_t at;       /* 0: nowhere */
    uint8_t as;        /* the role there; of all of them what it is more */
    uint8_t structure; /* enum structure; not 0: a pointer to it lies there */
    uint8_t there;     /* the role in that, or in its first group; 0: the same */
};
/* What is not modelled there. */
struct draw_lack {
    uint32_t header;
    uint8_t role;
    const char *lack;
};
extern const struct draw_place gen6_draw_places[];
extern const struct draw_lack gen6_draw_lacks[];

/* (places.c) */
uint64_t draw_state_elsewhere(const struct engine *e, uint32_t header, unsigned role);
/* Whether the command that has it has such a field. */
bool draw_has_role(const struct engine *e, uint32_t header, unsigned role);
/* As pipeline_kept; *more: what its roles are more there. */
const uint32_t *draw_kept(const struct engine *e, uint32_t header, const struct command **row,
                          uint32_t *length_dw, unsigned *more);

static inline uint64_t draw_state(const struct engine *e, uint32_t header, unsigned role)
{
    return e->info->draw_places ? draw_state_elsewhere(e, header, role)
                                : pipeline_field(&e->pipeline, header, role, 0);
}

enum {
    STATE_VERTEX_BUFFERS = 0x78080000,
    STATE_VERTEX_ELEMENTS = 0x78090000,
    STATE_INDEX_BUFFER = 0x780a0000,
    STATE_VF = 0x780c0000,
    STATE_MULTISAMPLE = 0x780d0000,
    STATE_CC_POINTERS = 0x780e0000,
    STATE_SCISSOR_POINTERS = 0x780f0000,
    STATE_VS = 0x78100000,
    STATE_GS = 0x78110000,
    STATE_CLIP = 0x78120000,
    STATE_SF = 0x78130000,
    STATE_WM = 0x78140000,
    STATE_CONSTANT_VS = 0x78150000,
    STATE_CONSTANT_GS = 0x78160000,
    STATE_CONSTANT_PS = 0x78170000,
    STATE_SAMPLE_MASK = 0x78180000,
    STATE_CONSTANT_HS = 0x78190000,
    STATE_CONSTANT_DS = 0x781a0000,
    STATE_HS = 0x781b0000,
    STATE_TE = 0x781c0000,
    STATE_DS = 0x781d0000,
    STATE_STREAMOUT = 0x781e0000,
    STATE_SBE = 0x781f0000,
    STATE_PS = 0x78200000,
    STATE_VIEWPORT_POINTERS = 0x78210000,
    STATE_DEPTH_RANGE_POINTERS = 0x78230000,
    STATE_BLEND_POINTERS = 0x78240000,
    STATE_BINDINGS_VS = 0x78260000,
    STATE_BINDINGS_GS = 0x78290000,
    STATE_BINDINGS_HS = 0x78270000,
    STATE_BINDINGS_DS = 0x78280000,
    STATE_BINDINGS_PS = 0x782a0000,
    STATE_SAMPLERS_VS = 0x782b0000,
    STATE_SAMPLERS_GS = 0x782e0000,
    STATE_SAMPLERS_HS = 0x782c0000,
    STATE_SAMPLERS_DS = 0x782d0000,
    STATE_SAMPLERS_PS = 0x782f0000,
    STATE_URB_VS = 0x78300000,
    STATE_URB_GS = 0x78330000,
    STATE_URB_HS = 0x78310000,
    STATE_URB_DS = 0x78320000,
    STATE_VF_INSTANCING = 0x78490000,
    STATE_VF_SGVS = 0x784a0000,
    STATE_PS_BLEND = 0x784d0000,
    STATE_WM_DEPTH_STENCIL = 0x784e0000,
    STATE_PS_EXTRA = 0x784f0000,
    STATE_RASTER = 0x78500000,
    STATE_SBE_SWIZ = 0x78510000,
    STATE_VF_PACKING = 0x78550000,
    STATE_VF_SGVS_2 = 0x78560000,
    STATE_URB_ALLOC_VS = 0x78580000,
    STATE_URB_ALLOC_GS = 0x785b0000,
    STATE_SO_BUFFER_INDEX_0 = 0x78600000,
    STATE_SO_DECL_LIST = 0x79170000,
    STATE_SO_BUFFER = 0x79180000,
    STATE_URB_ALLOC_HS = 0x78590000,
    STATE_URB_ALLOC_DS = 0x785a0000,
    STATE_CLEAR_PARAMS = 0x78040000,
    STATE_DEPTH_BUFFER = 0x78050000,
    STATE_STENCIL_BUFFER = 0x78060000,
    STATE_HZ_OP = 0x78520000,
    STATE_DEPTH_BOUNDS = 0x78710000,
    STATE_DRAWING_RECTANGLE = 0x79000000,
    STATE_BASES = 0x61010000
};

#endif
