/* xe's address spaces: what a program binds where, now or behind fences. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shim/xe.h"

/* The driver's table of caching: write-back is the only one that is coherent. (Linux, xe_pat) */
enum { PATS = 4, PAT_WRITE_BACK = 0 };

/* ---- Spaces ---- */

int xe_vm_create(const struct call *c)
{
    struct xe_vm_create *a = c->argument;
    struct gpu *g = c->connection->gpu;
    if (a->extensions || xe_reserved(a->reserved) ||
        a->flags & ~(uint32_t)(XE_VM_SCRATCH | XE_VM_LONG_RUNNING)) /* no page faults to be served */
        return -EINVAL;
    struct exec_space *s = space_make(g, a->flags & XE_VM_SCRATCH && !g->options.strict);
    if (!s)
        return -ENOMEM;
    s->long_running = a->flags & XE_VM_LONG_RUNNING;
    a->vm = names_add(&c->connection->spaces, s);
    if (a->vm)
        return 0;
    space_put(s);
    return -ENOMEM;
}

int xe_vm_destroy(const struct call *c)
{
    const struct xe_vm_destroy *a = c->argument;
    if (a->pad || xe_reserved(a->reserved))
        return -EINVAL;
    struct exec_space *s = names_find(&c->connection->spaces, a->vm);
    if (!s)
        return -ENOENT;
    for (uint32_t i = 0; s->long_running && i < c->connection->contexts.room; i++) {
        const struct context *queue = c->connection->contexts.things[i];
        if (queue && queue->space == s)
            return -EBUSY;
    }
    names_take(&c->connection->spaces, a->vm);
    s->closed = true;
    space_put(s);
    return 0;
}

/* ---- Operations ---- */

static bool check_operation(const struct gpu *g, const struct xe_bind_op *b)
{
    const bool nothing = b->flags & XE_BIND_NULL, object = b->object, maps = b->op == XE_BIND_MAP;
    const bool coherent = b->pat == PAT_WRITE_BACK;
    if (b->pat >= PATS || b->op > XE_BIND_PREFETCH || b->flags & ~(uint32_t)XE_BIND_FLAGS || b->pad ||
        b->pad2 || b->extensions || xe_reserved(b->reserved) || b->reserved[2])
        return false;
    if (nothing && (object || b->offset || !maps))
        return false;
    if (maps && !object && !nothing)
        return false;
    if (b->op == XE_BIND_UNMAP_ALL && (!object || b->address || b->range))
        return false;
    if (b->op == XE_BIND_MAP_USER && (object || !coherent))
        return false;
    if (object && (b->op == XE_BIND_PREFETCH || b->op == XE_BIND_UNMAP))
        return false;
    if (b->region && b->op != XE_BIND_PREFETCH)
        return false;
    if (b->region >= 32 || !(xe_regions(g) >> b->region & 1u))
        return false;
    if ((b->offset | b->address | b->range) % PAGE_BYTES)
        return false;
    const uint64_t end = UINT64_C(1) << g->sheet->memory.address_bits;
    return (b->range || b->op == XE_BIND_UNMAP_ALL) && b->range <= end && b->address <= end - b->range;
}

/* The object of a MAP, with a reference. */
static int find_object(const struct call *c, const struct exec_space *s, const struct xe_bind_op *b,
                       struct object **found)
{
    struct object *o = names_find(&c->connection->objects, b->object);
    if (!o)
        return -ENOENT;
    if (b->op == XE_BIND_MAP) {
        const uint64_t mask = (o->page_bytes ? o->page_bytes : PAGE_BYTES) - 1u;
        if (b->range > o->size_bytes || b->offset > o->size_bytes - b->range)
            return -EINVAL;
        if ((b->offset | b->address | b->range) & mask)
            return -EINVAL;
        if (o->only_space && o->only_space != s->id)
            return -EINVAL;
        if (o->caching != XE_CACHING_WC && b->pat != PAT_WRITE_BACK)
            return -EINVAL; /* what the processor has cached must be seen */
    }
    *found = object_get(o);
    return 0;
}

/* The program's memory: what is missing at once is an error. */
static int take_memory(const struct call *c, const struct xe_bind_op *b, struct object **o)
{
    const bool read_only = b->flags & XE_BIND_READ_ONLY;
    if (b->offset % PAGE_BYTES == 0 && !user_is_accessible(b->offset, b->range, read_only))
        return -EFAULT;
    return object_of_user(c->connection->gpu, b->offset, b->range, read_only, o);
}

static int make_change(const struct call *c, const struct exec_space *s, const struct xe_bind_op *b,
                       struct change *change)
{
    int error = 0;
    struct object *o = NULL;
    if (b->object)
        error = find_object(c, s, b, &o);
    else if (b->op == XE_BIND_MAP_USER)
        error = take_memory(c, b, &o);
    *change = (struct change){.out = b->op == XE_BIND_UNMAP || b->op == XE_BIND_UNMAP_ALL,
                              .binding = {.address = b->address,
                                          .size_bytes = b->range,
                                          .object = o,
                                          .offset = b->op == XE_BIND_MAP ? b->offset : 0,
                                          .held = o != NULL,
                                          .read_only = b->flags & XE_BIND_READ_ONLY}};
    return error;
}

/* All that is asked for, in one request; what only brings memory nearer is none. */
static int read_operations(const struct call *c, const struct exec_space *s, struct request *r)
{
    const struct xe_vm_bind *a = c->argument;
    int error = 0;
    struct xe_bind_op *all = a->count > 1 ? user_copy(a->several, a->count, sizeof *all, &error) : NULL;
    const struct xe_bind_op *operations = a->count > 1 ? all : &a->one;
    if (error)
        return error;
    r->changes = calloc(a->count + 1u, sizeof *r->changes);
    if (!r->changes)
        error = -ENOMEM;
    for (uint32_t i = 0; i < a->count && !error; i++)
        if (!check_operation(c->connection->gpu, &operations[i]))
            error = -EINVAL;
    for (uint32_t i = 0; i < a->count && !error; i++) {
        if (operations[i].op == XE_BIND_PREFETCH)
            continue;
        error = make_change(c, s, &operations[i], &r->changes[r->change_count]);
        r->change_count += !error;
    }
    free(all);
    return error;
}

/* Of a binding part stays: that one is taken away and comes in anew, which nobody who runs in the space is to
 * see. What goes whole is its users' own business. (Linux, xe_pt: remaps wait for the space, unmaps for
 * nothing) */
static bool splits(const struct exec_space *s, const struct request *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->change_count && !s->long_running; i++) {
        const struct change *const c = &r->changes[i];
        any |= !(c->out && c->binding.object) && space_splits(s, c->binding.address, c->binding.size_bytes);
    }
    return any;
}

int xe_vm_bind(const struct call *c)
{
    const struct xe_vm_bind *a = c->argument;
    struct gpu *g = c->connection->gpu;
    struct xe_syncs syncs = {0};
    if (a->extensions || a->pad || a->pad2 || xe_reserved(a->reserved))
        return -EINVAL;
    struct context *queue = a->queue ? names_find(&c->connection->contexts, a->queue) : NULL;
    if (a->queue && (!queue || !queue->binds))
        return queue ? -EINVAL : -ENOENT;
    struct exec_space *s = names_find(&c->connection->spaces, a->vm);
    if (!s)
        return -EINVAL;
    struct exec_fence *done = fence_make(), **last = queue ? &queue->last : &s->last_bind;
    struct request *r = done ? xe_request(NULL, s, done) : NULL;
    int error = r ? read_operations(c, s, r) : -ENOMEM;
    if (!error)
        error = xe_syncs_read(c, a->syncs, a->sync_count, s->long_running, !a->count, &syncs);
    if (!error)
        error = xe_syncs_before(&syncs, r);
    if (!error)
        error = request_after(r, *last);
    const bool waits = !error && splits(s, r);
    if (waits)
        error = gpu_after_space(g, s, r);
    if (error) {
        if (r)
            request_free(r);
    } else {
        r->tells = syncs.tells;
        r->told_address = syncs.told_address;
        r->told_value = syncs.told_value;
        xe_syncs_signal(&syncs, done);
        fence_put(*last);
        *last = fence_get(done);
        if (waits) {
            fence_put(s->last_split);
            s->last_split = fence_get(done);
        }
        gpu_change_space(g, r);
    }
    xe_syncs_end(&syncs);
    fence_put(done);
    return error;
}
