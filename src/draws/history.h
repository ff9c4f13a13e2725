/* The history of a pixel: steps of fragments, and stores to where its samples are. */
#ifndef DRAWS_HISTORY_H
#define DRAWS_HISTORY_H

#include "draws/draws.h"

/* A sample of the pixel of some draw's surface. */
struct sample_watch {
    struct pixel_place place;
    unsigned sample;
    union softgt_color last; /* its value when it was looked at last */
    union softgt_color first;
    bool is_stored, is_cleared, was_cleared; /* was: before the draw */
    bool is_pending;                         /* a store that no step has told yet ... */
    union softgt_color stored;               /* ... and the value it left */
};

/* Of an open draw or dispatch. */
struct pixel_watch {
    bool is_on;
    struct softgt *device;
    unsigned engine;
    const struct pixel_choice *choice;
    uint32_t layer; /* of the draw's view */
    uint64_t surface;
    unsigned binding; /* index in the binding table */
    struct sample_watch samples[SAMPLES];
    unsigned count;
    uint64_t steps;
    bool has_primitive, is_back_facing;
    uint32_t primitive, instance;
    const struct draw_record *record;
    const struct command *blend_state; /* the row of BLEND_STATE */
    void (*step)(void *user, const struct pixel_step *step);
    void *user;
};

/* Which surface of a binding table is the chosen render target: kernels' messages say it. */
struct target_binding {
    uint32_t kernel_sum;
    unsigned binding;
};
enum { TARGET_KERNELS = 4096 };
struct target_bindings {
    struct target_binding kernel[TARGET_KERNELS];
    unsigned count;
};
/* False: no message of the draw's pixel shader is known. */
bool target_bindings_find(const struct target_bindings *t, const struct draw_record *record,
                          unsigned *binding);
/* A write of the draw's pixel shader to the chosen target. */
void target_bindings_add(struct target_bindings *t, const struct draw_record *record,
                         const struct softgt_fragment *fragment);
/* The surface that the attachment is of a draw. A target that no message names is the first surface, if it is
 * target 0. NULL: the draw has none. */
const struct draw_surface *find_attachment(const struct pixel_choice *choice,
                                           const struct target_bindings *targets,
                                           const struct draw_record *record,
                                           const struct draw_surface *surfaces, unsigned count);

/* Watches the pixel of the surface. It stays off if the surface does not have it. */
void pixel_watch_begin(struct pixel_watch *w, const struct draw_surface *surface);
void pixel_watch_event(struct pixel_watch *w, const struct softgt_event *e);
/* Tells what is left of the steps. */
void pixel_watch_end(struct pixel_watch *w);

/* Samples of surfaces of all draws, for commands that are no draws. */
enum { STORED_PLACES = 256 };
struct stored_places {
    struct sample_watch watch[STORED_PLACES];
    unsigned count;
};
void stored_places_add(struct stored_places *p, const struct pixel_watch *w);
/* Which of the samples are fast cleared: from an earlier draw to this one, and from it to later ones. */
void stored_places_take_cleared(const struct stored_places *p, struct pixel_watch *w);
void stored_places_put_cleared(struct stored_places *p, const struct pixel_watch *w);
/* Their values before a command. */
void stored_places_read(struct stored_places *p, struct softgt *device, unsigned engine);
/* Tells what the command has changed without a store that has an event, as fills of whole buffers do. */
void stored_places_compare(struct stored_places *p, struct softgt *device, unsigned engine,
                           struct pixel_step *step, void (*told)(void *user, const struct pixel_step *step),
                           void *user);
/* A store of the command that a step describes but for its values: tells each sample of these. */
void stored_places_event(struct stored_places *p, struct softgt *device, unsigned engine,
                         const struct softgt_event *e, struct pixel_step *step,
                         void (*told)(void *user, const struct pixel_step *step), void *user);

#endif
