/* i915's interface: what its parts ask of each other. */
#ifndef I915_I915_H
#define I915_I915_H

#include "drm/drm_core.h"

int i915_getparam(const struct ioctl_call *c);
int i915_query(const struct ioctl_call *c);
int i915_execbuffer2(const struct ioctl_call *c);
/* A call without extensions: fails when the program gives one. */
int i915_no_extensions(uint64_t at);

/* ---- The command parser (i915_cmd_parser.c) ---- */

/* 0: the batch may run privileged, and *registers says whether it accesses registers. -EACCES: it may not.
 * -EINVAL: it is no batch. */
int i915_check_batch(const struct checked_register *all, enum engine_class class, const uint32_t *dw,
                     uint32_t count_dw, bool *registers);
/* Engines that check all batches: 0: the copy of the batch may run, and its jumps lead into the copy.
 * -EACCES, -EINVAL: it is refused. */
int i915_check_copy(const struct checked_register *all, enum engine_class class, uint32_t *dw,
                    uint32_t count_dw, uint64_t original, uint64_t copy);
extern const struct checked_register i915_stored_registers[]; /* that any batch may store */

/* ---- Contexts and address spaces (i915_context.c) ---- */

int i915_context_create(const struct ioctl_call *c);
int i915_context_destroy(const struct ioctl_call *c);
int i915_context_getparam(const struct ioctl_call *c);
int i915_context_setparam(const struct ioctl_call *c);
int i915_vm_create(const struct ioctl_call *c);
int i915_vm_destroy(const struct ioctl_call *c);
int i915_reset_stats(const struct ioctl_call *c);
struct context *i915_context_lookup(const struct drm_file *c, uint32_t id);
uint64_t i915_vm_end(const struct shim_device *g);

#endif
