/*
 * The draws and dispatches of a replayed trace: a record of each; of one of them its vertices, primitives,
 * textures, and surfaces before and after; the history of a pixel. State is read when the engine parses the
 * command, and when the device says that it is done.
 */
#ifndef DRAWS_DRAWS_H
#define DRAWS_DRAWS_H

#include "aub/position_tracker.h"
#include "base/text.h"
#include "draws/geometry.h"
#include "draws/surfaces.h"
#include "host/picture.h"

#include <stdio.h>

enum draw_stage { DRAW_VS, DRAW_HS, DRAW_DS, DRAW_GS, DRAW_PS, DRAW_CS, DRAW_STAGES };
extern const char *const draw_stage_names[DRAW_STAGES]; /* "VS" */

/* Pipeline statistics, as far as the stages count them. */
enum draw_count {
    DRAW_VERTICES,
    DRAW_PRIMITIVES,
    DRAW_VS_INVOCATIONS,
    DRAW_GS_PRIMITIVES,
    DRAW_CLIPPER_OUTPUT_PRIMITIVES,
    DRAW_PS_INVOCATIONS,
    DRAW_PASSED, /* samples that pass the depth and stencil tests */
    DRAW_COUNTS
};
extern const char *const draw_count_names[DRAW_COUNTS];  /* "vertices" */
extern const char *const draw_count_titles[DRAW_COUNTS]; /* "vertices of the input assembly" */

/* A kernel of a stage. The pixel shader may have one for each width: the device runs the first one. */
enum { DRAW_KERNELS = DRAW_STAGES + 2, DRAW_KERNEL_NAME = 16 };
struct draw_kernel {
    bool known;
    enum draw_stage stage;
    unsigned simd; /* of the pixel shader: pixels of a thread; else 0 */
    uint64_t address;
    uint32_t size_bytes; /* to its last instruction; 0: not readable */
    uint32_t sum;        /* of its bytes: equal kernels have equal sums */
};

/* A level and layer of a texture. */
struct draw_level {
    unsigned level, layer;
    uint32_t width, height;
    uint8_t *rgba;
};

/* What a draw or dispatch did to a buffer. */
enum { DRAW_CONTENTS = 32 };
struct draw_contents {
    uint8_t *before;               /* only while it runs */
    uint64_t size_bytes;           /* so much of it is compared */
    uint64_t stores;               /* of the draw, to any part of it */
    uint64_t changed_bytes, first; /* offset of the first one */
    unsigned shown;                /* bytes from there on */
    uint8_t old[DRAW_CONTENTS], now[DRAW_CONTENTS];
};

/* A surface in a binding table, a bindless one that was sampled, or a depth or stencil buffer. */
enum { DRAW_SAMPLERS = 4, DRAW_LEVELS = 12, DRAW_BINDLESS = 252, DRAW_DEPTH = 256, DRAW_STENCIL };
struct draw_surface {
    enum draw_stage stage;
    unsigned binding;
    uint64_t state;            /* address of its RENDER_SURFACE_STATE */
    const char *type, *format; /* as their fields name them; static */
    bool is_buffer;
    struct picture picture; /* its size and place; .address 0: none */
    bool has_image;
    struct image image;               /* of its state: as a target's, if the stage is the pixel shader */
    unsigned layer, sample;           /* that are shown */
    uint8_t *before, *after;          /* pixels, if they were asked for; NULL: none */
    uint64_t elements;                /* of a buffer, each of .picture.pitch_bytes */
    struct draw_contents contents;    /* of a buffer */
    bool is_target;                   /* it was written as one */
    uint64_t messages;                /* of samplers */
    uint64_t samplers[DRAW_SAMPLERS]; /* addresses of states that these named */
    unsigned sampler_count, level_count;
    struct draw_level levels[DRAW_LEVELS]; /* of a texture */
};

/* Of its pictures: a texture's are of its levels; others have one of the level that is bound. */
static inline uint32_t draw_surface_width(const struct draw_surface *s)
{
    return s->has_image ? s->image.width : s->picture.width;
}
static inline uint32_t draw_surface_height(const struct draw_surface *s)
{
    return s->has_image ? s->image.height : s->picture.height;
}

enum { DRAW_SURFACES = 64, DRAW_VIEW_SURFACES = DRAW_SURFACES + 16, DRAW_COMPLAINT = 200 };

/* ---- Hazards ---- */

/* Where a write stays until a PIPE_CONTROL flushes it; what a read may have an old copy in. */
enum hazard_cache { HAZARD_RENDER, HAZARD_DEPTH, HAZARD_DATA, HAZARD_CACHES };
enum hazard_reader {
    HAZARD_SAMPLER,
    HAZARD_VERTICES,
    HAZARD_INDICES,
    HAZARD_LOADS,      /* of data ports */
    HAZARD_CONSTANTS,  /* that are pushed */
    HAZARD_PARAMETERS, /* that commands before it load */
    HAZARD_READERS
};
enum { HAZARD_MISSING = 5, DRAW_HAZARDS = 4, HAZARD_TEXT = 400 };

/* A read of what an earlier draw or dispatch wrote, which the hardware need not see. */
struct draw_hazard {
    enum hazard_reader reader;
    uint64_t address;        /* of the surface, or of the first data of the buffer */
    uint32_t width, height;  /* of a surface */
    const char *format;      /* static; NULL: unknown */
    uint64_t writer;         /* its number */
    uint64_t writer_command; /* number of its command; 0: unknown */
    bool is_by_dispatch;
    unsigned caches;                     /* bits of enum hazard_cache: the write is in one of these */
    const char *missing[HAZARD_MISSING]; /* fields of PIPE_CONTROL; static */
    unsigned flush_count, missing_count; /* the first ones: one of them flushes */
};

struct draw_record {
    uint64_t number; /* from 1 on */
    const char *unit, *name;
    bool is_dispatch;
    uint64_t address, context; /* of the command; LRCA, 0: none */
    uint64_t command;          /* its number, as `softgt debug` counts commands */
    uint64_t submission, offset;
    const char *topology; /* static; NULL: a dispatch */
    uint64_t vertices_per_instance, instances, groups[3];
    uint64_t count[DRAW_COUNTS];
    uint64_t threads, instructions, bytes_written;
    struct draw_kernel kernels[DRAW_KERNELS]; /* by stage, then others of the pixel shader */
    struct draw_surface target;               /* the first surface of the pixel shader; .type NULL: none */
    char complaint[DRAW_COMPLAINT];           /* the first while it ran; "": none */
    char not_drawn[DRAW_COMPLAINT];           /* why it was counted, but not drawn; "": it was drawn */
    struct draw_hazard hazards[DRAW_HAZARDS]; /* the first ones; with has_pixel: none */
    unsigned hazard_count;
    struct geometry_faults faults;
};

/* One sentence without its end. */
void draw_hazard_text(const struct draw_record *record, const struct draw_hazard *hazard,
                      char text[HAZARD_TEXT]);

/* ---- The history of a pixel ---- */

enum pixel_attachment { ATTACHMENT_DEPTH = RENDER_TARGETS, ATTACHMENT_STENCIL };
enum { PIXEL_ANY = -1 };
/* The pixel whose history is asked for. */
struct pixel_choice {
    uint32_t x, y;
    unsigned attachment;      /* number of a render target, or enum pixel_attachment */
    int level, layer, sample; /* of the surface; PIXEL_ANY: the first one of each draw's view; all samples */
    uint64_t address;         /* of the surface; 0: whatever each draw's is */
};

enum pixel_step_kind {
    PIXEL_FRAGMENT, /* a step of a fragment */
    PIXEL_SCISSOR,  /* a primitive covers the pixel, which is outside the scissored extent */
    PIXEL_STORE     /* another store: of a test, a clear, a dispatch, a blit, a command */
};
struct pixel_step {
    enum pixel_step_kind kind;
    const struct draw_record *record; /* NULL: neither a draw nor a dispatch */
    const char *unit, *name;          /* of the command */
    uint64_t address;                 /* of the command */
    uint64_t number;                  /* of the steps of this command, from 1 on */
    uint64_t surface;                 /* address of the pixel's; 0: the step is of no draw to it */
    const struct softgt_fragment *fragment;
    const char *function; /* of a test: "LESS"; else NULL */
    const char *blend;    /* of a write: "SRC_ALPHA*s + INV_SRC_ALPHA*d, mask R-BA"; else NULL */
    bool has_primitive, is_back_facing;
    uint32_t primitive, instance;
    unsigned sample;
    bool has_values, is_cleared; /* is_cleared: its last values are those of a fast clear */
    union softgt_color before, after;
    const struct softgt_format *format; /* of the values */
};
extern const char *const pixel_step_names[SOFTGT_FRAGMENT_STEPS];

/* A sample of the pixel after a draw or dispatch that stored to it. */
struct pixel_change {
    const struct draw_record *record;
    unsigned sample;
    bool was_cleared; /* `before` is not what a fast clear says */
    union softgt_color before, after;
    const struct softgt_format *format;
};

struct draws_options {
    const void *trace;
    size_t trace_bytes;
    const struct replay_options *replay; /* without ports and callbacks, but with code */
    uint64_t at;                         /* the draw that is looked at in detail; 0: none */
    unsigned vertices;                   /* of it that are kept */
    bool json;                           /* its sampler states are JSON, one a line */
    bool has_pixel;
    struct pixel_choice pixel; /* with has_pixel; else level, layer and sample of pictures */
    void *user;
    void (*message)(void *user, enum replay_message_kind kind, uint64_t offset, const char *text);
    /* Optional: as of replay_options; may be called twice. The result is not complete. */
    void (*finished)(void *user, struct softgt *device, const struct replay_result *result);
    /* Each draw when it has ended. */
    void (*ended)(void *user, const struct draw_record *record);
    /* has_pixel: each step of the pixel, and a draw that stored to it when it has ended. */
    void (*step)(void *user, const struct pixel_step *step);
    void (*touched)(void *user, const struct pixel_change *change);
};

/* What is looked at in detail; of a pixel's history whether there is such a pixel. */
struct draw_view {
    struct draw_record record;
    const struct softgt_device_info *device;
    const struct eu_isa *isa;
    struct draw_surface surfaces[DRAW_VIEW_SURFACES];
    unsigned surface_count;
    struct draw_geometry geometry;
    struct text command, state; /* with fields */
    struct text structures;     /* in memory, that the state points to */
    struct text notes;          /* a line each */
    struct text samplers;       /* SAMPLER_STATE structures with fields, by address */
    struct text kernels[DRAW_KERNELS];
    uint8_t *kernel_bytes[DRAW_KERNELS];
    uint32_t *writes;     /* by pixel of the target: how often fragments wrote it; NULL: unknown */
    uint32_t most_writes; /* of a pixel */
    /* Of a pixel: some draw has the attachment; and a surface of one has the pixel. */
    bool has_attachment, has_pixel;
    uint64_t steps[SOFTGT_FRAGMENT_STEPS], failed[SOFTGT_FRAGMENT_STEPS]; /* of all fragments */
};

/* "VS", "PS16". */
void draw_kernel_name(const struct draw_kernel *k, char name[DRAW_KERNEL_NAME]);

/* Whether its pixels or bytes are others after the draw; whether it was stored to, if only what was there. */
bool draw_surface_changed(const struct draw_surface *s);
bool draw_surface_written(const struct draw_surface *s);

/* Replays the trace. The view is filled if the draw `at` was met. */
enum replay_outcome draws_replay(const struct draws_options *options, struct draw_view *view);
void draw_view_free(struct draw_view *view);

/* Writes the view as one page of HTML that needs no other file. False: out of memory. */
bool draw_page_write(FILE *to, const struct draw_view *view, const char *trace);

#endif
