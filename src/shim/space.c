/* Address spaces: which object is where, and page tables that say so. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shim/exec.h"

struct exec_space *space_make(struct gpu *g, bool scratch)
{
    static uint64_t last_id;
    struct exec_space *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->references = 1;
    s->id = ++last_id;
    s->gpu = g;
    s->driver = scratch ? &g->driver : &g->bare_driver;
    if (!driver_ppgtt_make(s->driver, &s->tables, 0)) {
        free(s);
        return NULL;
    }
    g->users++;
    s->next = g->spaces;
    g->spaces = s;
    return s;
}

struct exec_space *space_get(struct exec_space *s)
{
    s->references++;
    return s;
}

void space_put(struct exec_space *s)
{
    if (!s || --s->references)
        return;
    struct gpu *g = s->gpu;
    struct exec_space **at = &g->spaces;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    for (unsigned i = 0; i < MOST_ENGINES; i++)
        if (g->engines[i].loaded == s)
            g->engines[i].loaded = NULL;
    driver_ppgtt_end(s->driver, &s->tables);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->bindings[i].held)
            object_put(s->bindings[i].object);
    fence_put(s->last_bind);
    fence_put(s->last_split);
    free(s->bindings);
    free(s);
    gpu_put(g);
}

/* The first binding that ends behind an address. */
static uint32_t binding_at(const struct exec_space *s, uint64_t address)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (s->bindings[middle].address + s->bindings[middle].size_bytes > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool space_splits(const struct exec_space *s, uint64_t address, uint64_t size_bytes)
{
    const uint32_t first = binding_at(s, address),
                   last = size_bytes ? binding_at(s, address + size_bytes - 1u) : s->count;
    const bool before = first < s->count && s->bindings[first].address < address;
    const struct binding *const b = last < s->count ? &s->bindings[last] : NULL;
    return size_bytes && (before || (b && b->address < address + size_bytes &&
                                     b->address + b->size_bytes > address + size_bytes));
}

static bool make_room(struct exec_space *s)
{
    if (s->count < s->room)
        return true;
    const uint32_t room = s->room ? s->room * 2 : 64;
    struct binding *bindings = realloc(s->bindings, room * sizeof *bindings);
    if (!bindings)
        return false;
    s->bindings = bindings;
    s->room = room;
    return true;
}

static void insert(struct exec_space *s, uint32_t at, const struct binding *b)
{
    memmove(s->bindings + at + 1, s->bindings + at, (s->count - at) * sizeof *s->bindings);
    s->bindings[at] = *b;
    s->count++;
}

static void take_out(struct exec_space *s, uint32_t at)
{
    const struct binding b = s->bindings[at];
    memmove(s->bindings + at, s->bindings + at + 1, (s->count - at - 1) * sizeof *s->bindings);
    s->count--;
    if (b.held)
        object_put(b.object);
}

int space_unmap(struct exec_space *s, uint64_t address, uint64_t size_bytes)
{
    const uint64_t end = address + size_bytes;
    uint32_t at = binding_at(s, address);
    while (at < s->count && s->bindings[at].address < end) {
        struct binding before = s->bindings[at], behind = before;
        const uint64_t its_end = before.address + before.size_bytes,
                       from = before.address > address ? before.address : address,
                       to = its_end < end ? its_end : end;
        if (from > before.address && to < its_end && !make_room(s))
            return -ENOMEM;
        driver_unmap(s->driver, &s->tables, from, to - from);
        before.size_bytes = from - before.address;
        behind.size_bytes = its_end - to;
        behind.offset += to - behind.address;
        behind.address = to;
        if (!before.size_bytes && !behind.size_bytes) {
            take_out(s, at);
            continue;
        }
        s->bindings[at++] = before.size_bytes ? before : behind;
        if (before.size_bytes && behind.size_bytes) {
            if (behind.held)
                object_get(behind.object);
            insert(s, at++, &behind);
        }
    }
    return 0;
}

int space_map(struct exec_space *s, const struct binding *b)
{
    const int error = space_unmap(s, b->address, b->size_bytes);
    if (error || !make_room(s))
        return -ENOMEM;
    bool mapped;
    if (!b->object)
        mapped =
            driver_map_nothing(s->driver, &s->tables, b->address, OWN_BUS + s->gpu->null_page, b->size_bytes);
    else if (b->read_only)
        mapped = driver_map_read_only(s->driver, &s->tables, b->address, b->object->bus + b->offset,
                                      b->size_bytes);
    else
        mapped = driver_map(s->driver, &s->tables, b->address, b->object->bus + b->offset, b->size_bytes,
                            PAGE_BYTES);
    if (!mapped)
        return -ENOMEM;
    if (b->held)
        object_get(b->object);
    insert(s, binding_at(s, b->address), b);
    return 0;
}

bool space_is_idle(const struct exec_space *s, const struct object *o, uint64_t address)
{
    for (uint32_t at = binding_at(s, address);
         at < s->count && s->bindings[at].address < address + o->size_bytes; at++) {
        const struct exec_fence *last = s->bindings[at].object->last;
        if (s->bindings[at].object != o && last && !last->signaled)
            return false;
    }
    return true;
}

int space_bind(struct exec_space *s, struct object *o, uint64_t address)
{
    uint32_t at = binding_at(s, address);
    if (at < s->count && s->bindings[at].object == o && s->bindings[at].address == address)
        return 0;
    int error = 0;
    while (!error && at < s->count && s->bindings[at].address < address + o->size_bytes)
        error = space_unmap(s, s->bindings[at].address, s->bindings[at].size_bytes);
    const struct binding b = {.address = address, .size_bytes = o->size_bytes, .object = o};
    return error ? error : space_map(s, &b);
}

static bool is_free(const struct exec_space *s, uint64_t address, uint64_t size_bytes, uint64_t alignment,
                    uint64_t end)
{
    const uint32_t at = binding_at(s, address);
    return address % alignment == 0 && size_bytes <= end && address <= end - size_bytes &&
           (at == s->count || s->bindings[at].address >= address + size_bytes);
}

uint64_t space_place(struct exec_space *s, struct object *o, uint64_t hint, uint64_t alignment, uint64_t end)
{
    if (alignment < PAGE_BYTES)
        alignment = PAGE_BYTES;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct binding *b = &s->bindings[i];
        if (b->object == o && b->address % alignment == 0 && b->address + b->size_bytes <= end)
            return b->address;
    }
    if (is_free(s, hint, o->size_bytes, alignment, end))
        return hint;
    /* A page is left free at the start, and behind each. */
    uint64_t address = alignment < 16 * PAGE_BYTES ? 16 * PAGE_BYTES : alignment;
    for (uint32_t i = 0;; i++) {
        const uint64_t next = i < s->count ? s->bindings[i].address : end;
        if (next >= address && next - address >= o->size_bytes && next <= end)
            return address;
        if (i >= s->count || s->bindings[i].address >= end)
            return UINT64_MAX;
        const uint64_t behind = s->bindings[i].address + s->bindings[i].size_bytes;
        address = address > behind ? address : (behind + alignment - 1) / alignment * alignment;
    }
}

bool space_has(const struct exec_space *s, const struct object *o)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->bindings[i].object == o)
            return true;
    return false;
}

int space_unmap_object(struct exec_space *s, const struct object *o)
{
    int error = 0;
    for (uint32_t i = s->count; i-- > 0 && !error;)
        if (s->bindings[i].object == o)
            error = space_unmap(s, s->bindings[i].address, s->bindings[i].size_bytes);
    return error;
}

void spaces_forget(struct gpu *g, const struct object *o)
{
    for (struct exec_space *s = g->spaces; s; s = s->next)
        space_unmap_object(s, o);
}
