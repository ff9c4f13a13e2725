/* What drivers may ask of functions; guc.h has what functions are. */
#ifndef GUC_FUNCTIONS_H
#define GUC_FUNCTIONS_H

#include "guc/message.h"

enum guc_function_command {
    GUC_FUNCTION_PAUSE = 1,
    GUC_FUNCTION_RESUME,
    GUC_FUNCTION_STOP,
    GUC_FUNCTION_RESET_START,
    GUC_FUNCTION_RESET_END,
};
enum guc_function_event {
    GUC_EVENT_CHANGED = 1, /* of function 0: VF Enable was written; else: it is being reset */
    GUC_EVENT_RESET_DONE,
    GUC_EVENT_PAUSED,
};
enum guc_error guc_function_control(struct guc *g, unsigned function, enum guc_function_command command);

/* Who decides of virtual functions is told: the physical one's driver, or their owner, who asks for it (0: no
 * more is there; what there is no room for is lost). */
void guc_tell(struct guc *g, uint16_t action, const uint32_t *payload, uint32_t length_dw);
uint32_t guc_told(struct guc *g, uint32_t *action, uint32_t dw[GUC_MESSAGE_DW]);

/* All that is known of a function but its share: nothing is, any more. */
void guc_function_forget(struct guc *g, unsigned function);
/* migration.c: into the physical function's memory or the owner's, or back, while it is paused; no room: only
 * how much that is; of its parts the one that is next, up to where *used_dw says. A load that fails leaves
 * nothing. *part is 0 when all are done. */
struct guc_saved {
    uint32_t address; /* of the physical function's */
    uint32_t *dw;     /* the owner's; NULL: it is not */
    uint32_t room_dw;
};
enum guc_error guc_function_save(struct guc *g, unsigned function, bool load, const struct guc_saved *memory,
                                 uint32_t *part, uint32_t *used_dw);
/* The same by parts, the owner's, of *used_dw where it is loaded: in their order, from the first one on;
 * until the last one came the function cannot go on. Parts behind each other are the whole. */
enum {
    GUC_PART_CONTEXTS = 4096,
    GUC_CONTEXT_DW = 18,
    GUC_PART_DW = 1 + GUC_PART_CONTEXTS * GUC_CONTEXT_DW /* most of any */
};
uint32_t guc_function_parts(const struct guc *g, unsigned function);
enum guc_error guc_function_part(struct guc *g, unsigned function, bool load, uint32_t part,
                                 uint32_t dw[GUC_PART_DW], uint32_t *used_dw);

/* How long engines have run contexts of a function, those that they have now, too; of several at once, all of
 * it. (records.c) */
uint64_t guc_function_busy_ms(const struct guc *g, unsigned function);

/* A share by keys: what a function asks of its own; what it is given, all of it or nothing. */
enum guc_error guc_share_ask(const struct guc_client *k, uint32_t key, uint32_t value[2],
                             uint32_t *length_dw);
enum guc_error guc_share_set(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw);
void guc_share_take(struct guc *g, unsigned function);

#endif
