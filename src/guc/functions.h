/* What drivers may ask of functions; guc.h has what functions are. */
#ifndef GUC_FUNCTIONS_H
#define GUC_FUNCTIONS_H

#include "guc/message.h"

enum vf_control_command {
    VF_CONTROL_PAUSE = 1,
    VF_CONTROL_RESUME,
    VF_CONTROL_STOP,
    VF_CONTROL_FLR_START,
    VF_CONTROL_FLR_FINISH,
};
enum vf_notification {
    VF_NOTIFY_FLR = 1, /* of function 0: VF Enable was written; else: it is being reset */
    VF_NOTIFY_FLR_DONE,
    VF_NOTIFY_PAUSE_DONE,
};
enum guc_error guc_vf_control(struct guc *g, unsigned function, enum vf_control_command command);

/* Who decides of virtual functions is told: the physical one's driver, or their owner, who asks for it (0: no
 * more is there; what there is no room for is lost). */
void guc_notify_pf(struct guc *g, uint16_t action, const uint32_t *payload, uint32_t length_dw);
uint32_t guc_pop_pf_relay(struct guc *g, uint32_t *action, uint32_t dw[GUC_MESSAGE_DW]);

/* All that is known of a function but its share: nothing is, any more. */
void guc_vf_clear(struct guc *g, unsigned function);
/* migration.c: into the physical function's memory or the owner's, or back, while it is paused; no room: only
 * how much that is; of its parts the one that is next, up to where *used_dw says. A load that fails leaves
 * nothing. *part is 0 when all are done. */
struct vf_migration_buffer {
    uint32_t address; /* of the physical function's */
    uint32_t *dw;     /* the owner's; NULL: it is not */
    uint32_t room_dw;
};
enum guc_error guc_vf_save_restore(struct guc *g, unsigned function, bool load,
                                   const struct vf_migration_buffer *memory, uint32_t *part,
                                   uint32_t *used_dw);
/* The same by parts, the owner's, of *used_dw where it is loaded: in their order, from the first one on;
 * until the last one came the function cannot go on. Parts behind each other are the whole. */
enum {
    GUC_PART_CONTEXTS = 4096,
    GUC_CONTEXT_DW = 18,
    GUC_PART_DW = 1 + GUC_PART_CONTEXTS * GUC_CONTEXT_DW /* most of any */
};
uint32_t guc_vf_part_count(const struct guc *g, unsigned function);
enum guc_error guc_vf_save_restore_part(struct guc *g, unsigned function, bool load, uint32_t part,
                                        uint32_t dw[GUC_PART_DW], uint32_t *used_dw);

/* How long engines have run contexts of a function, those that they have now, too; of several at once, all of
 * it. (engine_activity.c) */
uint64_t guc_vf_busy_ms(const struct guc *g, unsigned function);

/* A share by keys: what a function asks of its own; what it is given, all of it or nothing. */
enum guc_error guc_vf_query_klv(const struct guc_function *k, uint32_t key, uint32_t value[2],
                                uint32_t *length_dw);
enum guc_error guc_vf_provision(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw);
void guc_vf_unprovision(struct guc *g, unsigned function);

#endif
