#include "guc/doorbells.h"
#include "guc/schedule.h"

#include <string.h>

enum {
    DRBREG = 0x1000,
    DOORBELL_STATUS = 0x1900,
    DOORBELL_MMIO = 0x3ff000,
    DOORBELL_PAGES = 0x400000,
    LAST_PAGE = 0x7ff000
};
enum { DOORBELL_VALID = 1u << 0 };

/* The register that shows a doorbell: where it is, and whether it is valid. Only the GuC writes it. */
static void show(struct guc *g, unsigned number)
{
    const struct guc_doorbell *d = &g->doorbells.list[number];
    const uint32_t value = d->context ? d->place | DOORBELL_VALID : 0;
    register_set(g->mmio, DRBREG + number * 8u, d->in_memory ? value : 0);
    register_set(g->mmio, DOORBELL_MMIO + number * 8u, d->in_memory ? 0 : value);
}

static void forget(struct guc *g, unsigned number)
{
    struct guc_doorbell *d = &g->doorbells.list[number];
    if (!d->context)
        return;
    guc_context(g, d->context - 1u)->doorbell = 0;
    g->doorbells.in_memory -= d->in_memory;
    *d = (struct guc_doorbell){0};
    show(g, number);
}

enum guc_error guc_doorbell_arm(struct guc *g, uint32_t id, uint32_t number, uint32_t in_memory,
                                uint32_t place)
{
    const uint32_t first = DOORBELL_PAGES, last = DOORBELL_PAGES + (GUC_DOORBELL_PAGES - 1u) * PAGE_BYTES;
    uint64_t cookie = 0;
    if (number >= GUC_DOORBELLS || in_memory > 1)
        return GUC_ERROR_PARAMETERS;
    if (in_memory ? place % 64u != 0 : place < first || place > last || place % PAGE_BYTES)
        return GUC_ERROR_ADDRESS;
    if (g->doorbells.list[number].context || guc_context(g, id)->doorbell)
        return GUC_ERROR_ALREADY_REGISTERED;
    if (in_memory && !guc_load(g, place, &cookie, sizeof cookie))
        return GUC_ERROR_ADDRESS;
    g->doorbells.list[number] = (struct guc_doorbell){
        .context = id + 1u, .place = place, .cookie = cookie, .in_memory = (uint8_t)in_memory};
    g->doorbells.in_memory += in_memory;
    guc_context(g, id)->doorbell = number + 1u;
    show(g, number);
    return GUC_DONE;
}

void guc_doorbell_disarm(struct guc *g, uint32_t id)
{
    if (guc_context(g, id)->doorbell)
        forget(g, guc_context(g, id)->doorbell - 1u);
}

void guc_doorbells_forget(struct guc *g)
{
    for (unsigned i = 0; i < GUC_DOORBELLS; i++)
        forget(g, i);
    memset(g->doorbells.rung, 0, sizeof g->doorbells.rung);
}

/* ---- They ring ---- */

static void ring(struct guc *g, unsigned number)
{
    g->doorbells.rung[number / 32u] |= 1u << number % 32u;
    const uint32_t at = DOORBELL_STATUS + number / 32u * 4u;
    register_set(g->mmio, at, register_value(g->mmio, at) | 1u << number % 32u);
    g->totals.doorbells++;
}

/* Nothing is read back. (IGT, xe_mmap: a page that no doorbell is armed for) */
static uint32_t page_read(const struct register_access *at, uint32_t stored)
{
    (void)at;
    (void)stored;
    return 0xdeadbeef;
}

static void page_written(const struct register_access *w)
{
    struct guc *g = w->owner;
    const uint32_t page = w->offset / PAGE_BYTES * PAGE_BYTES;
    for (unsigned i = 0; guc_running(g) && i < GUC_DOORBELLS; i++) {
        const struct guc_doorbell *d = &g->doorbells.list[i];
        if (d->context && !d->in_memory && d->place == page)
            ring(g, i);
    }
}

/* A line of memory rings when what it begins with changes; where that is zero, the doorbell is none any more.
 */
static void look_at_memory(struct guc *g)
{
    for (unsigned i = 0; i < GUC_DOORBELLS; i++) {
        struct guc_doorbell *d = &g->doorbells.list[i];
        uint64_t cookie = 0;
        if (!d->context || !d->in_memory || !guc_load(g, d->place, &cookie, sizeof cookie) ||
            cookie == d->cookie)
            continue;
        d->cookie = cookie;
        if ((uint32_t)cookie)
            ring(g, i);
        else
            forget(g, i);
    }
}

bool guc_doorbells_rung(const struct guc *g)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < GUC_DOORBELLS / 32; i++)
        any |= g->doorbells.rung[i];
    return any != 0;
}

void guc_doorbells_look(struct guc *g)
{
    if (g->doorbells.in_memory)
        look_at_memory(g);
    for (unsigned i = 0; i < GUC_DOORBELLS / 32; i++)
        while (g->doorbells.rung[i]) {
            const unsigned bit = (unsigned)__builtin_ctz(g->doorbells.rung[i]);
            g->doorbells.rung[i] &= g->doorbells.rung[i] - 1u;
            const uint32_t at = DOORBELL_STATUS + i * 4u;
            register_set(g->mmio, at, register_value(g->mmio, at) & ~(1u << bit));
            const uint32_t context = g->doorbells.list[i * 32u + bit].context;
            if (context)
                guc_take_work(g, context - 1u);
        }
}

/* clang-format off */
static const struct field doorbell_fields[] = {
    {.name = "Address", .first = 6, .last = 31, .kind = FIELD_ADDRESS}, {.name = "Valid", .first = 0, .last = 0, .kind = FIELD_BOOL}};
static const struct reg rows[] = {
    {.name = "DRBREG", .offset = DRBREG, .count = GUC_DOORBELLS, .stride = 8, .dwords = 2, FIELDS(doorbell_fields), .summary = "A doorbell in memory: the GuC alone arms it.", .spec = "SYS-14"},
    {.name = "DOORBELL_STATUS", .offset = DOORBELL_STATUS, .count = GUC_DOORBELLS / 32, .stride = 4, .summary = "Doorbells that have rung and that the GuC has not looked at.", .spec = "SYS-14"},
    {.name = "MMIO_DOORBELL", .offset = DOORBELL_MMIO, .count = GUC_DOORBELLS, .stride = 8, .dwords = 2, FIELDS(doorbell_fields), .summary = "A doorbell among registers: the offset of its page.", .spec = "SYS-14"},
    {.name = "DOORBELL_PAGE", .offset = DOORBELL_PAGES, .count = GUC_DOORBELL_PAGES - 1, .stride = PAGE_BYTES, .before_read = page_read, .after_write = page_written, .summary = "A write rings the doorbell that is armed for the page.", .spec = "SYS-14"},
    {.name = "DOORBELL_LAST_PAGE", .offset = LAST_PAGE, .count = PAGE_BYTES / 4, .stride = 4, .before_read = page_read, .after_write = page_written, .summary = "The same; a write to what is not armed orders those before it: drivers let programs do that.", .spec = "SYS-14; Linux, xe_device"},
};
/* clang-format on */
const struct register_block guc_doorbell_registers = REGISTER_BLOCK("doorbells", rows);
