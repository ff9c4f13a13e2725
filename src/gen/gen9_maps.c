/* Maps of the Gen9 overview: who owns which registers, what function IDs name, kinds of memory. (OVR-01,
 * OVR-02, OVR-04) */
#include "gen/gen9.h"

/* clang-format off */
const struct register_range gen9_ranges[] = {
    {0x002000, 0x002fff, "Render/Generic Media Engine"},
    {0x004000, 0x004fff, "Render/Generic Media Graphics Memory Arbiter"},
    {0x008800, 0x0088ff, "reserved for the GT"},
    {0x012000, 0x0123ff, "MFX Control Engine (Video Command Streamer)"},
    {0x012400, 0x012fff, "Media Units (VIN Unit)"},
    {0x014000, 0x014fff, "MFX Memory Arbiter"},
    {0x022000, 0x022fff, "Blitter Engine"},
    {0x024000, 0x024fff, "Blitter Memory Arbiter"},
    {0x100000, 0x107fff, "Fence Registers"},
    {0x140000, 0x17ffff, "MCHBAR (SA)"},
    {0, 0, NULL},
};

const struct function_id gen9_function_ids[FUNCTION_IDS] = {
    [0x0] = {"SFID_NULL", "Null", "FFID_NULL", "Null"},
    [0x2] = {"SFID_SAMPLER", "Sampler", NULL, NULL},
    [0x3] = {"SFID_GATEWAY", "Message Gateway", NULL, NULL},
    [0x4] = {"SFID_DP_DC2", "Data Cache Data Port2", "FFID_HS", "Hull Shader"},
    [0x5] = {"SFID_DP_RC", "Render Cache Data Port", "FFID_DS", "Domain Shader"},
    [0x6] = {"SFID_URB", "URB", NULL, NULL},
    [0x7] = {"SFID_SPAWNER", "Thread Spawner", "FFID_SPAWNER", "Thread Spawner"},
    [0x8] = {"SFID_VME", "Video Motion Estimation", "FFID_VFE", "Video Front End"},
    [0x9] = {"SFID_DP_DCRO", "Data Cache Read Only Data Port", "FFID_VS", "Vertex Shader"},
    [0xa] = {"SFID_DP_DC0", "Data Cache Data Port0", "FFID_CS", "Command Stream"},
    [0xb] = {"SFID_PI", "Pixel Interpolator", "FFID_VF", "Vertex Fetch"},
    [0xc] = {"SFID_DP_DC1", "Data Cache Data Port1", "FFID_GS", "Geometry Shader"},
    [0xd] = {"SFID_CRE", "Check & Refinement Engine", "FFID_VFE", "Video Front End"},
    [0xe] = {NULL, NULL, "FFID_SF", "Strip/Fan Unit"},
    [0xf] = {NULL, NULL, "FFID_WM", "Windower/Masker Unit"},
};

#define NO_DECODER "not accessed: no pictures are decoded"
#define SHOWN "not accessed: no display"
const struct memory_object memory_objects[] = {
    {"Graphics Translation Table (GTT)", "turns graphics addresses into bus addresses", "BAR 0 behind the registers, PDP registers"},
    {"Hardware Status Page", "what the device reports for the driver to poll", "HWS_PGA"},
    {"Logical Context Buffer", "images of contexts, saved and restored", "context descriptors, CCID"},
    {"Ring Buffers", "commands, as software submits them", "RING_BUFFER_START, _CTL"},
    {"Batch Buffers", "commands called from rings", "MI_BATCH_BUFFER_START, BB_PER_CTX_PTR, INDIRECT_CTX"},
    {"State Descriptors", "state in memory, found through base addresses", "pointers of state commands, through base addresses"},
    {"Vertex Buffers", "vertex data of indexed draws", "3DSTATE_VERTEX_BUFFERS, 3DSTATE_INDEX_BUFFER: read by draws"},
    {"VGA Buffer", "the picture in legacy VGA mode", SHOWN},
    {"Display Surface", "pictures on display devices", SHOWN},
    {"Overlay Surface", "overlaid pictures", SHOWN},
    {"Overlay Register, Filter Coefficients", "loaded into the overlay", SHOWN},
    {"Cursor Surface", "the cursor's pattern", SHOWN},
    {"2D Render Source", "input of 2D operations", "source of XY_SRC_COPY_BLT, XY_FULL_BLT, XY_FAST_COPY_BLT"},
    {"2D Render R-M-W Destination", "2D output that is read, too", "destination of XY_* whose raster operation takes it"},
    {"2D Render Write-Only Destination", "2D output that is only written", "destination of other XY_*"},
    {"2D Monochrome Source", "1 bpp input, expanded to two colours", "source of XY_MONO_SRC_*, XY_FULL_MONO_*, XY_TEXT_*"},
    {"2D Color Pattern", "8 by 8 pixels", "pattern of XY_PAT_*, XY_FULL_*"},
    {"DIB", "logical pixels, converted by tables", "not accessed: no formats with palettes"},
    {"3D Color Buffer", "a render target", "SURFACE_STATE: written by draws, read where they blend"},
    {"3D Depth Buffer", "depth and stencil of each pixel", "3DSTATE_DEPTH_BUFFER, 3DSTATE_STENCIL_BUFFER: read and written by draws"},
    {"3D Texture Map", "textures of 3D operations", "SURFACE_STATE: read by samplers"},
    {"\"Non-3D\" Texture", "surfaces that samplers read for other purposes", "SURFACE_STATE: read by samplers"},
    {"Motion Comp Surfaces", "reference pictures", NO_DECODER},
    {"Motion Comp Correction Data Buffer", "correction data, intra- or inter-coded", NO_DECODER},
    {NULL, NULL, NULL},
};
/* clang-format on */
