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
    PS_KERNEL_START_POINTER_0 = 5,
    PS_KERNEL_START_POINTER_1,
    PS_KERNEL_START_POINTER_2,
    PS_DISPATCH_GRF_START_REGISTER_FOR_CONSTANT_SETUP_DATA_0, /* register of constants and setup */
    PS_DISPATCH_GRF_START_REGISTER_FOR_CONSTANT_SETUP_DATA_1,
    PS_DISPATCH_GRF_START_REGISTER_FOR_CONSTANT_SETUP_DATA_2,
    PS_8_PIXEL_DISPATCH_ENABLE,
    PS_16_PIXEL_DISPATCH_ENABLE,
    PS_32_PIXEL_DISPATCH_ENABLE,
    SHADER_SOFTWARE_EXCEPTION_ENABLE, /* these of each stage that has them */
    SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE,
    SHADER_ROUNDING_MODE,
    SHADER_FLOATING_POINT_MODE,
    SHADER_SINGLE_PRECISION_DENORMAL_MODE,
    SHADER_VECTOR_MASK_ENABLE,
    SHADER_SINGLE_PROGRAM_FLOW,
    SHADER_PER_THREAD_SCRATCH_SPACE,
    SHADER_SCRATCH_SPACE_BASE_POINTER,
    SHADER_SCRATCH_SPACE_BUFFER,
    PS_POSITION_XY_OFFSET_SELECT,
    PS_RENDER_TARGET_RESOLVE_ENABLE,
    PS_RENDER_TARGET_FAST_CLEAR_ENABLE,
    PS_PUSH_CONSTANT_ENABLE
};
enum {
    VS_KERNEL_START_POINTER = VS_STATISTICS_ENABLE + 1,
    VS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA,
    VS_VERTEX_URB_ENTRY_READ_OFFSET,
    VS_VERTEX_URB_ENTRY_READ_LENGTH,
    VS_SIMD8_DISPATCH_ENABLE
};
enum {
    GS_KERNEL_START_POINTER = 30, /* lower ones are state of all stages, too */
    GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA,
    GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5_4,
    GS_VERTEX_URB_ENTRY_READ_OFFSET,
    GS_VERTEX_URB_ENTRY_READ_LENGTH,
    GS_INCLUDE_VERTEX_HANDLES,
    GS_INCLUDE_PRIMITIVE_ID,
    GS_OUTPUT_VERTEX_SIZE, /* in 16 bytes, less one */
    GS_DISPATCH_MODE = 42,
    GS_EXPECTED_VERTEX_COUNT,
    GS_DISCARD_ADJACENCY,
    GS_REORDER_MODE,
    GS_CONTROL_DATA_FORMAT, /* else cuts */
    GS_HINT,
    GS_RENDERING_ENABLED, /* these of Gen6's threads of objects */
    GS_SO_STATISTICS_ENABLE,
    GS_SVBI_POST_INCREMENT_VALUE,
    GS_SVBI_POST_INCREMENT_ENABLE,
    GS_SVBI_PAYLOAD_ENABLE,
    GS_STREAMS, /* they are there */
    GS_REORDER_MODE_GEN6
};
enum { SO_REORDER_MODE = SO_FORCE_RENDERING + 1, SO_STREAM_VERTEX_READ_OFFSET, SO_BUFFER_SURFACE_PITCH };
enum {
    SO_BUFFER_ENABLE = 5,
    SO_SURFACE_BASE_ADDRESS,
    SO_SURFACE_SIZE, /* in dwords, less one */
    SO_STREAM_OFFSET_WRITE_ENABLE,
    SO_STREAM_OFFSET,
    SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS_ENABLE,
    SO_STREAM_OUTPUT_BUFFER_OFFSET_ADDRESS
};
enum { DECLS_STREAM_TO_BUFFER_SELECTS = 5, DECLS_NUM_ENTRIES };
enum { DECL_COMPONENT_MASK = 1, DECL_REGISTER_INDEX, DECL_HOLE_FLAG, DECL_OUTPUT_BUFFER_SLOT };
enum {
    HS_KERNEL_START_POINTER = HS_STATISTICS_ENABLE + 1,
    HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA,
    HS_INSTANCE_COUNT, /* less one */
    HS_DISPATCH_MODE,
    HS_INCLUDE_VERTEX_HANDLES,
    HS_INCLUDE_PRIMITIVE_ID,
    HS_VERTEX_URB_ENTRY_READ_LENGTH,
    HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5 = 38 /* bit 5 of it */
};
enum { HS_SINGLE_PATCH, HS_DUAL_PATCH, HS_8_PATCHES };
enum {
    DS_ENABLE = 5,
    DS_CACHE_DISABLE,
    DS_STATISTICS_ENABLE,
    DS_KERNEL_START_POINTER,
    DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA,
    DS_DISPATCH_MODE, /* 0: two points at once */
    DS_COMPUTE_W_COORDINATE_ENABLE,
    DS_PATCH_URB_ENTRY_READ_OFFSET,
    DS_PATCH_URB_ENTRY_READ_LENGTH
};
enum {
    TE_MODE = TE_ENABLE + 1,
    TE_DOMAIN,
    TE_OUTPUT_TOPOLOGY,
    TE_PARTITIONING,
    TE_MAXIMUM_TESSELLATION_FACTOR_ODD,
    TE_MAXIMUM_TESSELLATION_FACTOR_NOT_ODD
};
enum {
    URB_ENTRY_ALLOCATION_SIZE = 5,
    URB_STARTING_ADDRESS,
    URB_ENTRY_ALLOCATION_SIZE_128B
}; /* in 64 bytes, less one; in 8 KB; in 128 bytes */
enum {
    PSX_VALID = 5,
    PSX_INPUT_COVERAGE_MASK_STATE,
    PSX_PULLS_BARY,
    PSX_IS_PER_COARSE_PIXEL,
    PSX_COMPUTES_STENCIL,
    PSX_ATTRIBUTE_ENABLE,
    PSX_REQUIRES_SUBPIXEL_SAMPLE_OFFSETS,
    PSX_REQUIRES_NON_PERSPECTIVE_BARY_PLANE_COEFFICIENTS,
    PSX_REQUIRES_PERSPECTIVE_BARY_PLANE_COEFFICIENTS,
    PSX_REQUIRES_SOURCE_DEPTH_AND_OR_W_PLANE_COEFFICIENTS,
    PSX_REQUIRES_REQUESTED_COARSE_PIXEL_SHADING_SIZE,
    PSX_USES_SOURCE_W,
    PSX_USES_SOURCE_DEPTH,
    PSX_COMPUTED_DEPTH_MODE,
    PSX_KILLS_PIXEL,
    PSX_OMASK_PRESENT_TO_RENDER_TARGET
};
enum { BLEND_ALPHA_TEST_ENABLE = 5, BLEND_ALPHA_TO_COVERAGE_ENABLE, BLEND_HAS_WRITEABLE_RT };
enum { BLEND_STATE_POINTER = 5 };
enum { COLOR_CALC_STATE_POINTER = 5 };
enum { BLEND_STATE_INDEPENDENT_ALPHA_BLEND_ENABLE = 5, BLEND_STATE_ALPHA_TO_ONE_ENABLE };
enum {
    TARGET_COLOR_BUFFER_BLEND_ENABLE = 1,
    TARGET_WRITE_DISABLE_RED,
    TARGET_WRITE_DISABLE_GREEN,
    TARGET_WRITE_DISABLE_BLUE,
    TARGET_WRITE_DISABLE_ALPHA,
    TARGET_COLOR_BLEND_FUNCTION,
    TARGET_SOURCE_BLEND_FACTOR,
    TARGET_DESTINATION_BLEND_FACTOR,
    TARGET_ALPHA_BLEND_FUNCTION,
    TARGET_SOURCE_ALPHA_BLEND_FACTOR,
    TARGET_DESTINATION_ALPHA_BLEND_FACTOR,
    TARGET_LOGIC_OP_ENABLE,
    TARGET_LOGIC_OP_FUNCTION,
    TARGET_INDEPENDENT_ALPHA_BLEND_ENABLE, /* up to Gen7 here */
    TARGET_ALPHA_TEST_ENABLE,
    TARGET_ALPHATOCOVERAGE_ENABLE,
    TARGET_ALPHA_TEST_FUNCTION,
    TARGET_PRE_BLEND_COLOR_CLAMP_ENABLE,
    TARGET_PRE_BLEND_SOURCE_ONLY_CLAMP_ENABLE, /* that alone */
    TARGET_POST_BLEND_COLOR_CLAMP_ENABLE,
    TARGET_COLOR_CLAMP_RANGE,
    TARGET_ALPHATOONE_ENABLE, /* up to Gen7 here */
    TARGET_ROLES
};
enum {
    WM_BARYCENTRIC_INTERPOLATION_MODE = 5,
    WM_POINT_RASTERIZATION_RULE,
    WM_POLYGON_STIPPLE_ENABLE,
    WM_FORCE_THREAD_DISPATCH_ENABLE,
    WM_HIERARCHICAL_DEPTH_BUFFER_RESOLVE_ENABLE,
    WM_DEPTH_BUFFER_RESOLVE_ENABLE,
    WM_DEPTH_BUFFER_CLEAR,
    WM_STATISTICS_ENABLE,
    WM_LINE_STIPPLE_ENABLE,
    WM_EARLY_DEPTH_STENCIL_CONTROL
};
enum { MULTISAMPLE_NUMBER_OF_MULTISAMPLES = 5, MULTISAMPLE_PIXEL_LOCATION };
enum {
    RASTER_SCISSOR_RECTANGLE_ENABLE = 5,
    RASTER_BACK_FACE_FILL_MODE,
    RASTER_FRONT_FACE_FILL_MODE,
    RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_SOLID,
    RASTER_CULL_MODE,
    RASTER_FORCED_SAMPLE_COUNT,
    RASTER_FRONT_WINDING,
    RASTER_CONSERVATIVE_RASTERIZATION_ENABLE,
    RASTER_VIEWPORT_Z_NEAR_CLIP_TEST_ENABLE,
    RASTER_VIEWPORT_Z_FAR_CLIP_TEST_ENABLE,
    RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_WIREFRAME,
    RASTER_GLOBAL_DEPTH_OFFSET_ENABLE_POINT,
    RASTER_GLOBAL_DEPTH_OFFSET_CONSTANT,
    RASTER_GLOBAL_DEPTH_OFFSET_SCALE,
    RASTER_GLOBAL_DEPTH_OFFSET_CLAMP,
    RASTER_ANTIALIASING_ENABLE,
    RASTER_SMOOTH_POINT_ENABLE
};
enum { SAMPLE_MASK = 5 };
enum {
    SBE_VERTEX_URB_ENTRY_READ_OFFSET = 5,
    SBE_VERTEX_URB_ENTRY_READ_LENGTH,
    SBE_ATTRIBUTE_SWIZZLE_ENABLE,
    SBE_NUMBER_OF_SF_OUTPUT_ATTRIBUTES,
    SBE_POINT_SPRITE_TEXTURE_COORDINATE_ENABLE,
    SBE_CONSTANT_INTERPOLATION_ENABLE,
    SBE_PRIMITIVE_ID_OVERRIDE_ATTRIBUTE_SELECT,
    SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_X,
    SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_Y,
    SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_Z,
    SBE_PRIMITIVE_ID_OVERRIDE_COMPONENT_W,
    SBE_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN
};
enum {
    SWIZ_ATTRIBUTE_SOURCE_ATTRIBUTE = 5,
    SWIZ_ATTRIBUTE_SWIZZLE_SELECT,
    SWIZ_ATTRIBUTE_CONSTANT_SOURCE,
    SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_X,
    SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_Y,
    SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_Z,
    SWIZ_ATTRIBUTE_COMPONENT_OVERRIDE_W
};
enum {
    CLIP_PERSPECTIVE_DIVIDE_DISABLE = CLIP_MODE + 1,
    CLIP_FORCE_ZERO_RTA_INDEX_ENABLE,
    CLIP_VIEWPORT_XY_CLIP_TEST_ENABLE,
    CLIP_API_MODE,
    CLIP_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK,
    CLIP_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK,
    CLIP_FORCE_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK,
    CLIP_FORCE_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK,
    CLIP_MINIMUM_POINT_WIDTH,
    CLIP_MAXIMUM_POINT_WIDTH,
    CLIP_VIEWPORT_Z_CLIP_TEST_ENABLE,
    CLIP_GUARDBAND_CLIP_TEST_ENABLE
};
enum {
    SHADER_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK = 40,
    SHADER_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK
}; /* of the last stage that has vertices */
enum {
    DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MIN = 5,
    DRAWING_CLIPPED_DRAWING_RECTANGLE_Y_MIN,
    DRAWING_CLIPPED_DRAWING_RECTANGLE_X_MAX,
    DRAWING_CLIPPED_DRAWING_RECTANGLE_Y_MAX,
    DRAWING_RECTANGLE_ORIGIN_X,
    DRAWING_RECTANGLE_ORIGIN_Y
};
enum { SCISSOR_RECT_POINTER = 5 };
enum {
    SCISSOR_RECTANGLE_X_MIN = 5,
    SCISSOR_RECTANGLE_Y_MIN,
    SCISSOR_RECTANGLE_X_MAX,
    SCISSOR_RECTANGLE_Y_MAX
};
enum {
    SF_VIEWPORT_TRANSFORM_ENABLE = SF_STATISTICS_ENABLE + 1,
    SF_TRIANGLE_STRIP_LIST_PROVOKING_VERTEX_SELECT,
    SF_TRIANGLE_FAN_PROVOKING_VERTEX_SELECT,
    SF_LINE_STRIP_LIST_PROVOKING_VERTEX_SELECT,
    SF_LINE_WIDTH,
    SF_POINT_WIDTH,
    SF_POINT_WIDTH_SOURCE,
    SF_LAST_PIXEL_ENABLE,
    SF_VERTEX_SUB_PIXEL_PRECISION_SELECT,
    SF_LEGACY_GLOBAL_DEPTH_BIAS_ENABLE
};
enum { VIEWPORT_SF_CLIP_VIEWPORT_POINTER = 5, VIEWPORT_CLIP_VIEWPORT_POINTER };
enum { DEPTH_RANGE_CC_VIEWPORT_POINTER = 5 };
enum {
    VIEWPORT_MATRIX_ELEMENT_M00 = 5,
    VIEWPORT_MATRIX_ELEMENT_M11,
    VIEWPORT_MATRIX_ELEMENT_M22,
    VIEWPORT_MATRIX_ELEMENT_M30,
    VIEWPORT_MATRIX_ELEMENT_M31,
    VIEWPORT_MATRIX_ELEMENT_M32,
    VIEWPORT_X_MIN_VIEWPORT,
    VIEWPORT_X_MAX_VIEWPORT,
    VIEWPORT_Y_MIN_VIEWPORT,
    VIEWPORT_Y_MAX_VIEWPORT
};
enum { CC_VIEWPORT_MINIMUM_DEPTH = 5, CC_VIEWPORT_MAXIMUM_DEPTH };
enum {
    CLIP_VIEWPORT_XMIN_CLIP_GUARDBAND = 5,
    CLIP_VIEWPORT_XMAX_CLIP_GUARDBAND,
    CLIP_VIEWPORT_YMIN_CLIP_GUARDBAND,
    CLIP_VIEWPORT_YMAX_CLIP_GUARDBAND
};
enum { VF_COMPONENT_PACKING_ENABLE = VF_CUT_INDEX + 1 };
enum { INSTANCING_ENABLE = 5, INSTANCING_INSTANCE_DATA_STEP_RATE };
enum {
    SGVS_VERTEXID_ELEMENT_OFFSET = 5,
    SGVS_VERTEXID_COMPONENT_NUMBER,
    SGVS_VERTEXID_ENABLE,
    SGVS_INSTANCEID_ELEMENT_OFFSET,
    SGVS_INSTANCEID_COMPONENT_NUMBER,
    SGVS_INSTANCEID_ENABLE
};
enum {
    SGVS_XP0_ENABLE = 5,
    SGVS_XP0_ELEMENT_OFFSET,
    SGVS_XP0_COMPONENT_NUMBER,
    SGVS_XP0_SOURCE_SELECT,
    SGVS_XP1_ENABLE,
    SGVS_XP1_ELEMENT_OFFSET,
    SGVS_XP1_COMPONENT_NUMBER,
    SGVS_XP1_SOURCE_SELECT,
    SGVS_XP2_ENABLE,
    SGVS_XP2_ELEMENT_OFFSET,
    SGVS_XP2_COMPONENT_NUMBER
};
enum {
    VERTEX_BUFFER_NULL_VERTEX_BUFFER = VERTEX_BUFFER_PITCH + 1,
    VERTEX_BUFFER_STARTING_ADDRESS,
    VERTEX_BUFFER_SIZE,
    VERTEX_BUFFER_END_ADDRESS, /* its last byte, where no size is said */
    VERTEX_BUFFER_ACCESS_TYPE,
    VERTEX_BUFFER_INSTANCE_DATA_STEP_RATE
};
enum {
    ELEMENT_VALID = 1,
    ELEMENT_SOURCE_ELEMENT_OFFSET,
    ELEMENT_SOURCE_ELEMENT_FORMAT,
    ELEMENT_VERTEX_BUFFER_INDEX,
    ELEMENT_COMPONENT_0_CONTROL,
    ELEMENT_COMPONENT_1_CONTROL,
    ELEMENT_COMPONENT_2_CONTROL,
    ELEMENT_COMPONENT_3_CONTROL
};
enum {
    DEPTH_BUFFER_WRITE_ENABLE = 5,
    DEPTH_TEST_ENABLE,
    STENCIL_BUFFER_WRITE_ENABLE,
    STENCIL_TEST_ENABLE,
    STENCIL_DOUBLE_SIDED_STENCIL_ENABLE,
    DEPTH_TEST_FUNCTION,
    STENCIL_TEST_FUNCTION, /* of the front; of the back STENCIL_SIDE further */
    STENCIL_FAIL_OP,
    STENCIL_PASS_DEPTH_FAIL_OP,
    STENCIL_PASS_DEPTH_PASS_OP,
    STENCIL_TEST_MASK,
    STENCIL_WRITE_MASK,
    STENCIL_REFERENCE_VALUE,
    STENCIL_BACKFACE_STENCIL_TEST_FUNCTION,
    STENCIL_BACKFACE_STENCIL_FAIL_OP,
    STENCIL_BACKFACE_STENCIL_PASS_DEPTH_FAIL_OP,
    STENCIL_BACKFACE_STENCIL_PASS_DEPTH_PASS_OP,
    STENCIL_BACKFACE_STENCIL_TEST_MASK,
    STENCIL_BACKFACE_STENCIL_WRITE_MASK,
    STENCIL_BACKFACE_STENCIL_REFERENCE_VALUE,
    STENCIL_SIDE = STENCIL_BACKFACE_STENCIL_TEST_FUNCTION - STENCIL_TEST_FUNCTION,
    STENCIL_REFERENCE_VALUE_MODIFY_DISABLE = STENCIL_BACKFACE_STENCIL_REFERENCE_VALUE + 1,
    STENCIL_TEST_MASK_MODIFY_DISABLE,
    STENCIL_WRITE_MASK_MODIFY_DISABLE,
    STENCIL_STATE_MODIFY_DISABLE,
    DEPTH_STATE_MODIFY_DISABLE
};
enum {
    CALC_STENCIL_REFERENCE_VALUE = 5, /* these two up to Gen8 */
    CALC_BACKFACE_STENCIL_REFERENCE_VALUE,
    CALC_ALPHA_REFERENCE_VALUE_AS_FLOAT32,
    CALC_ALPHA_TEST_FORMAT
}; /* the first two up to Gen8 */
/* Of both buffers. */
enum {
    BUFFER_SURFACE_TYPE = 5,
    BUFFER_DEPTH_WRITE_ENABLE,
    BUFFER_STENCIL_BUFFER_ENABLE,
    BUFFER_SURFACE_FORMAT,
    BUFFER_SURFACE_BASE_ADDRESS,
    BUFFER_SURFACE_PITCH,
    BUFFER_SURFACE_QPITCH,
    BUFFER_WIDTH,
    BUFFER_HEIGHT,
    BUFFER_MINIMUM_ARRAY_ELEMENT,
    BUFFER_RENDER_TARGET_VIEW_EXTENT,
    BUFFER_LOD,
    BUFFER_TILED_RESOURCE_MODE, /* what of tilings is more than the one kind */
    BUFFER_TILED_MODE,
    BUFFER_STENCIL_WRITE_ENABLE,           /* up to Gen11 it says so */
    BUFFER_SEPARATE_STENCIL_BUFFER_ENABLE, /* these of Gen6; else they lie among depths */
    BUFFER_TILED_SURFACE,
    BUFFER_DEPTH_COORDINATE_OFFSET_X,
    BUFFER_DEPTH_COORDINATE_OFFSET_Y
};
enum { CLEAR_DEPTH_CLEAR_VALUE = 5 };
enum { DEPTH_BOUNDS_TEST_ENABLE = 5 };
enum {
    HZ_NUMBER_OF_MULTISAMPLES = 5,
    HZ_STENCIL_CLEAR_VALUE,
    HZ_FULL_SURFACE_DEPTH_AND_STENCIL_CLEAR,
    HZ_SCISSOR_RECTANGLE_ENABLE,
    HZ_DEPTH_BUFFER_CLEAR_ENABLE,
    HZ_STENCIL_BUFFER_CLEAR_ENABLE,
    HZ_CLEAR_RECTANGLE_X_MIN,
    HZ_CLEAR_RECTANGLE_Y_MIN,
    HZ_CLEAR_RECTANGLE_X_MAX,
    HZ_CLEAR_RECTANGLE_Y_MAX
};
/* Of the commands of each stage. */
enum { STAGE_POINTER_TO_BINDING_TABLE = 5 };
enum { STAGE_POINTER_TO_SAMPLER_STATE = 5 };
enum {
    CONSTANT_BUFFER_0_READ_LENGTH = 5,
    CONSTANT_BUFFER_0,
    CONSTANT_BUFFER_1,
    CONSTANT_BUFFER_2,
    CONSTANT_BUFFER_3,
    CONSTANT_BUFFER_VALID, /* Gen6: each has its length beside its address */
    CONSTANT_BUFFERS = 4
};
/* Of Gen6: roles of commands that later generations have apart, above those of the command itself. */
enum { SF_RASTER = 32, SF_SBE = 64, SF_SWIZ = 96 };
enum { WM_PS = 32, WM_PSX = 72 };
enum { CC_BLEND = COLOR_CALC_STATE_POINTER + 1, CC_DEPTH_STENCIL };
enum { VIEWPORTS_SF = 5, VIEWPORTS_CC, VIEWPORTS_CLIP };
enum { STAGES_VS = 5, STAGES_GS, STAGES_PS };
enum {
    BASE_ADDRESS_GENERAL_STATE_BASE_ADDRESS = 5,
    BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS,
    BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS,
    BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS,
    BASE_ADDRESS_INSTRUCTION_BASE_ADDRESS,
    BASE_ADDRESS_BINDLESS_SURFACE_STATE_BASE_ADDRESS
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
/* As pipeline_kept; *more: what its roles are more there. */
const uint32_t *state_command(const struct engine *e, uint32_t header, const struct command **row,
                              uint32_t *length_dw, unsigned *more);

static inline uint64_t state_field(const struct engine *e, uint32_t header, unsigned role)
{
    return e->info->state_locations ? state_field_at_location(e, header, role)
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
