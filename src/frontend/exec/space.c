/* Address spaces: which object is where, and page tables that say so. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/exec/exec.h"

struct exec_space *space_make(struct gpu *g)
{
    struct exec_space *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->references = 1;
    s->gpu = g;
    if (!driver_ppgtt_make(&g->driver, &s->tables, 0)) {
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
    driver_ppgtt_end(&g->driver, &s->tables);
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

static void unbind(struct exec_space *s, uint32_t at)
{
    driver_unmap(&s->gpu->driver, &s->tables, s->bindings[at].address, s->bindings[at].size_bytes);
    memmove(s->bindings + at, s->bindings + at + 1, (s->count - at - 1) * sizeof *s->bindings);
    s->count--;
}

int space_bind(struct exec_space *s, struct object *o, uint64_t address)
{
    uint32_t at = binding_at(s, address);
    if (at < s->count && s->bindings[at].object == o && s->bindings[at].address == address)
        return 0;
    while (at < s->count && s->bindings[at].address < address + o->size_bytes)
        unbind(s, at);
    if (s->count == s->room) {
        const uint32_t room = s->room ? s->room * 2 : 64;
        struct binding *bindings = realloc(s->bindings, room * sizeof *bindings);
        if (!bindings)
            return -ENOMEM;
        s->bindings = bindings;
        s->room = room;
    }
    if (!driver_map(&s->gpu->driver, &s->tables, address, o->bus, o->size_bytes, PAGE_BYTES))
        return -ENOMEM;
    memmove(s->bindings + at + 1, s->bindings + at, (s->count - at) * sizeof *s->bindings);
    s->bindings[at] = (struct binding){address, o->size_bytes, o};
    s->count++;
    return 0;
}

uint64_t space_place(struct exec_space *s, struct object *o, uint64_t alignment, uint64_t end)
{
    if (alignment < PAGE_BYTES)
        alignment = PAGE_BYTES;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct binding *b = &s->bindings[i];
        if (b->object == o && b->address % alignment == 0 && b->address + b->size_bytes <= end)
            return b->address;
    }
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

void spaces_forget(struct gpu *g, const struct object *o)
{
    for (struct exec_space *s = g->spaces; s; s = s->next)
        for (uint32_t i = s->count; i-- > 0;)
            if (s->bindings[i].object == o)
                unbind(s, i);
}
