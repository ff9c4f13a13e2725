/* Control and provisioning of functions, by the PF driver or, for isolated VFs, by their owner. guc.h has the
 * state. */
#ifndef GUC_FUNCTIONS_H
#define GUC_FUNCTIONS_H

#include "guc/guc.h"

enum vf_control_command {
    VF_CONTROL_PAUSE = 1,
    VF_CONTROL_RESUME,
    VF_CONTROL_STOP,
    VF_CONTROL_FLR_START,
    VF_CONTROL_FLR_FINISH,
};
enum vf_notification {
    VF_NOTIFY_FLR = 1, /* function 0: VF Enable was written; else: the VF is in its function-level reset */
    VF_NOTIFY_FLR_DONE,
    VF_NOTIFY_PAUSE_DONE,
};
enum guc_error guc_vf_control(struct guc *g, unsigned function, enum vf_control_command command);

/* Sends an event to the PF driver; with isolated VFs it goes into pf_relay_queue, which the owner reads by
 * guc_pop_pf_relay (0: empty). Events that do not fit are lost. */
void guc_notify_pf(struct guc *g, uint16_t action, const uint32_t *payload, uint32_t length_dw);
uint32_t guc_pop_pf_relay(struct guc *g, uint32_t *action, uint32_t dw[GUC_MESSAGE_DW]);

/* Clears the state of a function, except its provisioning. */
void guc_vf_clear(struct guc *g, unsigned function);
/* migration.c: saves or loads one part of a paused VF. The target is memory of the PF, or of the owner. With
 * room_dw 0 only the size is counted. *used_dw is the position; *part is the next part, 0 at the end. A
 * failed load clears the VF. */
struct vf_migration_buffer {
    uint32_t address; /* GGTT address in the PF's memory */
    uint32_t *dw;     /* the owner's memory; NULL: use `address` */
    uint32_t room_dw;
};
enum guc_error guc_vf_save_restore(struct guc *g, unsigned function, bool load,
                                   const struct vf_migration_buffer *memory, uint32_t *part,
                                   uint32_t *used_dw);
/* The same for the owner, one part a call; *used_dw is the length of a part that is loaded. Parts are loaded
 * in order, from 0. The VF cannot resume until all parts are loaded. All parts in sequence are the whole
 * state. */
enum {
    GUC_PART_CONTEXTS = 4096,
    GUC_CONTEXT_DW = 18,
    GUC_PART_DW = 1 + GUC_PART_CONTEXTS * GUC_CONTEXT_DW /* of the largest part */
};
uint32_t guc_vf_part_count(const struct guc *g, unsigned function);
enum guc_error guc_vf_save_restore_part(struct guc *g, unsigned function, bool load, uint32_t part,
                                        uint32_t dw[GUC_PART_DW], uint32_t *used_dw);

/* Another GuC of the device begins to restore the VF: its own parts are missing. */
void guc_vf_expect_parts(struct guc *g, unsigned function);

/* Time for which engines have run contexts of the function, including the present ones, summed over engines.
 * (engine_activity.c) */
uint64_t guc_vf_busy_ms(const struct guc *g, unsigned function);

/* Provisioning by KLVs: a function's query of its own; an update, which is applied as a whole or not at all.
 */
enum guc_error guc_vf_query_klv(const struct guc_function *k, uint32_t key, uint32_t value[2],
                                uint32_t *length_dw);
enum guc_error guc_vf_provision(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw);
enum guc_error guc_set_vgt_policies(struct guc *g, const uint32_t *dw, uint32_t length_dw);
void guc_vf_unprovision(struct guc *g, unsigned function);

#endif
