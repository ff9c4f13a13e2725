#include "guc/doorbells.h"
#include "guc/interrupts.h"
#include "guc/schedule.h"

enum {
    DRBREG = 0x1000,
    DOORBELL_STATUS = 0x1900,
    DOORBELL_CTRL = 0xc570,
    DOORBELL_ISR = 0xc5a0,
    DOORBELL_MMIO = 0x3ff000,
};
enum { DOORBELL_VALID = 1u << 0 };
enum { GROUPS = GUC_DOORBELLS / 32 };
#define TO_CORE (1u << 31)

/* Updates the registers that show a doorbell: address and valid bit. Only the GuC writes them. */
static void doorbell_show(struct guc *g, unsigned number)
{
    const struct guc_doorbell *d = &g->doorbells.list[number];
    const uint32_t value = d->context != GUC_NO_CONTEXT ? d->address | DOORBELL_VALID : 0;
    const unsigned function =
        d->context != GUC_NO_CONTEXT ? guc_context_function(guc_context(g, d->context)) : 0;
    guc_register_set(g, DRBREG + number * 8u, d->in_memory ? value : 0);
    if (!g->info->has_doorbell_pages)
        return;
    guc_register_set(g, DOORBELL_MMIO + number * 8u, d->in_memory ? 0 : value);
    guc_register_set(g, DOORBELL_MMIO + number * 8u + 4u, d->in_memory ? 0 : function);
}

static void doorbell_clear(struct guc *g, unsigned number)
{
    struct guc_doorbell *d = &g->doorbells.list[number];
    if (d->context == GUC_NO_CONTEXT)
        return;
    guc_context(g, d->context)->doorbell = GUC_NO_DOORBELL;
    g->doorbells.in_memory_count -= d->in_memory;
    *d = (struct guc_doorbell){.context = GUC_NO_CONTEXT};
    doorbell_show(g, number);
}

/* The doorbell of a number that the function's driver uses. VFs count from their first; the PF has all that
 * no VF has. GUC_DOORBELLS: not available. */
static uint32_t doorbell_of(const struct guc *g, unsigned function, uint32_t number)
{
    const struct vf_provisioning *own = &g->functions[function].provisioning;
    if (function)
        return number < own->doorbell_count ? own->first_doorbell + number : GUC_DOORBELLS;
    for (unsigned n = 1; n <= g->vf_count; n++) {
        const struct vf_provisioning *other = &g->functions[n].provisioning;
        if (number - other->first_doorbell < other->doorbell_count)
            return GUC_DOORBELLS;
    }
    return number;
}

enum guc_error guc_doorbell_arm(struct guc *g, uint32_t id, uint32_t local, uint32_t in_memory,
                                uint32_t place)
{
    const uint32_t number = doorbell_of(g, guc_context_function(guc_context(g, id)), local);
    const uint32_t first = GUC_DOORBELL_FIRST,
                   last = GUC_DOORBELL_FIRST + (GUC_DOORBELL_PAGES - 1u) * PAGE_BYTES;
    uint64_t cookie = 0;
    if (number >= GUC_DOORBELLS || in_memory > 1)
        return GUC_ERROR_PARAMETERS;
    if (!in_memory && !g->info->has_doorbell_pages)
        return GUC_ERROR_NOT_SUPPORTED;
    if (in_memory ? place % 64u != 0 : place < first || place > last || place % PAGE_BYTES)
        return GUC_ERROR_ADDRESS;
    if (g->doorbells.list[number].context != GUC_NO_CONTEXT ||
        guc_context(g, id)->doorbell != GUC_NO_DOORBELL)
        return GUC_ERROR_ALREADY_REGISTERED;
    if (in_memory && !guc_load(guc_context_owner(g, id), place, &cookie, sizeof cookie))
        return GUC_ERROR_ADDRESS;
    g->doorbells.list[number] = (struct guc_doorbell){
        .context = id, .address = place, .cookie = cookie, .in_memory = (uint8_t)in_memory};
    g->doorbells.in_memory_count += in_memory;
    guc_context(g, id)->doorbell = number;
    doorbell_show(g, number);
    return GUC_DONE;
}

/* A doorbell in memory is invalidated by writing zero to its line. (SYS-06) */
void guc_doorbell_disarm(struct guc *g, uint32_t id)
{
    const uint32_t number = guc_context(g, id)->doorbell;
    if (number == GUC_NO_DOORBELL)
        return;
    const struct guc_doorbell *d = &g->doorbells.list[number];
    if (d->in_memory)
        guc_store32(guc_context_owner(g, id), d->address, 0);
    doorbell_clear(g, number);
}

void guc_doorbells_disarm_all(struct guc *g)
{
    for (unsigned i = 0; i < GUC_DOORBELLS; i++)
        doorbell_clear(g, i);
}

/* ---- Rings ---- */

/* Moves the rings of a group from DOORBELL_STATUS to GUC_DB_ISR, where they interrupt. */
static void group_collect(struct guc *g, unsigned group)
{
    const uint32_t from = DOORBELL_STATUS + group * 4u, to = DOORBELL_ISR + group * 4u;
    guc_register_set(g, to, guc_register(g, to) | guc_register(g, from));
    guc_register_set(g, from, 0);
    guc_register_set(g, DOORBELL_CTRL, guc_register(g, DOORBELL_CTRL) & ~(1u << group));
}

/* With isolated VFs rings go to the core, whatever the PF driver has set. */
static bool rings_core(const struct guc *g)
{
    return vfs_are_isolated(g->isolation) || guc_register(g, DOORBELL_CTRL) & TO_CORE;
}

void guc_doorbells_ring_armed(struct guc *g)
{
    for (unsigned i = 0; i < GUC_DOORBELLS; i++) {
        const uint32_t at = DOORBELL_STATUS + i / 32u * 4u;
        doorbell_show(g, i);
        if (g->doorbells.list[i].context != GUC_NO_CONTEXT)
            guc_register_set(g, at, guc_register(g, at) | 1u << i % 32u);
    }
    guc_doorbells_settle(g);
}

void guc_doorbells_settle(struct guc *g)
{
    g->derived.rung_groups = 0;
    for (unsigned i = 0; rings_core(g) && i < GROUPS; i++)
        if (guc_register(g, DOORBELL_STATUS + i * 4u) | guc_register(g, DOORBELL_ISR + i * 4u))
            g->derived.rung_groups |= 1u << i;
}

void guc_doorbells_enable(struct guc *g)
{
    guc_register_set(g, DOORBELL_CTRL, guc_register(g, DOORBELL_CTRL) | TO_CORE);
    guc_doorbells_settle(g);
}

/* The first ring of a group interrupts. If it goes to the host, the host reads which doorbell it was. */
static void doorbell_ring(struct guc *g, unsigned number)
{
    const unsigned group = number / 32u;
    const uint32_t at = DOORBELL_STATUS + group * 4u, rung = guc_register(g, at);
    const uint32_t control = guc_register(g, DOORBELL_CTRL);
    guc_register_set(g, at, rung | 1u << number % 32u);
    g->totals.doorbells++;
    guc_count_adverse_event(g, guc_context_function(guc_context(g, g->doorbells.list[number].context)),
                            VF_THRESHOLD_DOORBELL_STORM);
    if (rung)
        return;
    guc_register_set(g, DOORBELL_CTRL, control | 1u << group);
    if (rings_core(g)) {
        g->derived.rung_groups |= 1u << group;
    } else {
        group_collect(g, group);
        guc_interrupt_host(g->functions, GUC_INTERRUPT_DOORBELL);
    }
}

/* Reads return a constant. (IGT, xe_mmap: a page without an armed doorbell) */
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
    for (unsigned i = 0; guc_is_serving(g) && i < GUC_DOORBELLS; i++) {
        const struct guc_doorbell *d = &g->doorbells.list[i];
        if (d->context != GUC_NO_CONTEXT && !d->in_memory && d->address == page &&
            guc_context_function(guc_context(g, d->context)) == w->accessor->function)
            doorbell_ring(g, i);
    }
}

/* A doorbell in memory rings when its cookie changes; a cookie of zero disarms it. */
void guc_doorbells_poll_memory(struct guc *g)
{
    for (unsigned i = 0; g->doorbells.in_memory_count && i < GUC_DOORBELLS; i++) {
        struct guc_doorbell *d = &g->doorbells.list[i];
        uint64_t cookie = 0;
        if (d->context == GUC_NO_CONTEXT || !d->in_memory ||
            !guc_load(guc_context_owner(g, d->context), d->address, &cookie, sizeof cookie) ||
            cookie == d->cookie)
            continue;
        d->cookie = cookie;
        if ((uint32_t)cookie)
            doorbell_ring(g, i);
        else
            doorbell_clear(g, i);
    }
}

/* Services the most urgent groups; the others wait for their urgency among all sources. (SYS-16) */
void guc_doorbells_service(struct guc *g)
{
    uint8_t most = 1;
    for (uint32_t left = g->derived.rung_groups; left; left &= left - 1u)
        if (g->derived.pin_level[GROUP_DOORBELLS + __builtin_ctz(left)] > most)
            most = g->derived.pin_level[GROUP_DOORBELLS + __builtin_ctz(left)];
    for (uint32_t groups = g->derived.rung_groups; groups; groups &= groups - 1u) {
        const unsigned group = (unsigned)__builtin_ctz(groups);
        if (g->derived.pin_level[GROUP_DOORBELLS + group] != most)
            continue;
        group_collect(g, group);
        const uint32_t at = DOORBELL_ISR + group * 4u;
        for (uint32_t left = guc_register(g, at); left; left &= left - 1u) {
            const uint32_t context = g->doorbells.list[group * 32u + (unsigned)__builtin_ctz(left)].context;
            if (context != GUC_NO_CONTEXT)
                guc_process_work(g, context);
        }
        guc_register_set(g, at, 0);
        g->derived.rung_groups &= ~(1u << group);
    }
}

static void status_written(const struct register_access *w)
{
    guc_doorbells_settle(w->owner);
}

/* When routing changes to the host, earlier rings are the host's. (SYS-16) */
static void doorbell_control_written(const struct register_access *w)
{
    struct guc *const g = w->owner;
    bool rung = false;
    for (unsigned i = 0; !rings_core(g) && i < GROUPS; i++) {
        if (!guc_register(g, DOORBELL_STATUS + i * 4u))
            continue;
        group_collect(g, i);
        rung = true;
    }
    guc_doorbells_settle(g);
    if (rung)
        guc_interrupt_host(g->functions, GUC_INTERRUPT_DOORBELL);
}

static const struct field doorbell_fields[] = {
    {.name = "Address", .first = 6, .last = 31, .kind = FIELD_ADDRESS},
    {.name = "Valid", .first = 0, .last = 0, .kind = FIELD_BOOL}};
static const struct field page_fields[] = {{.name = "Function", .first = 32, .last = 37, .kind = FIELD_UINT},
                                           {.name = "Offset", .first = 12, .last = 31, .kind = FIELD_ADDRESS},
                                           {.name = "Valid", .first = 0, .last = 0, .kind = FIELD_BOOL}};
static const struct field control_fields[] = {
    {.name = "Send To Core", .first = 31, .last = 31, .kind = FIELD_BOOL},
    {.name = "Rung", .first = 0, .last = 7, .kind = FIELD_HEX}};
static const struct reg rows[] = {
    {.name = "DRBREG",
     .offset = DRBREG,
     .count = GUC_DOORBELLS,
     .stride = 8,
     .dwords = 2,
     FIELDS(doorbell_fields),
     .summary = "A doorbell in memory; only the GuC arms it.",
     .spec = "SYS-14"},
    {.name = "DOORBELL_STATUS",
     .offset = DOORBELL_STATUS,
     .count = GUC_DOORBELLS / 32,
     .stride = 4,
     .summary = "Doorbells that have rung, until the GuC reads them.",
     .spec = "SYS-14"},
    {.name = "DOORBELL_CTRL",
     .offset = DOORBELL_CTRL,
     .writable = TO_CORE,
     FIELDS(control_fields),
     .after_write = doorbell_control_written,
     .summary = "Groups that have rung, and whether rings interrupt the host or the core; the firmware sets "
                "the core. The offset is our choice.",
     .spec = "SYS-14, SYS-16"},
    {.name = "GUC_DB_ISR",
     .offset = DOORBELL_ISR,
     .count = GROUPS,
     .stride = 4,
     .w1c = 0xffffffff,
     .after_write = status_written,
     .summary = "Doorbells that have rung and are not serviced. The offset is our choice.",
     .spec = "SYS-14, SYS-16"},
    {.name = "MMIO_DOORBELL",
     .offset = DOORBELL_MMIO,
     .count = GUC_DOORBELLS,
     .stride = 8,
     .dwords = 2,
     FIELDS(page_fields),
     .summary = "A doorbell by register: the offset of its page, and its function. The position of the "
                "function's number is our choice.",
     .spec = "SYS-14"},
    {.name = "DOORBELL_PAGE",
     .offset = GUC_DOORBELL_FIRST,
     .count = GUC_DOORBELL_PAGES,
     .stride = PAGE_BYTES,
     .flags = REG_FILLS_STRIDE,
     .before_read = page_read,
     .after_write = page_written,
     .summary = "A write anywhere in the page rings its doorbell. Drivers let programs write to the last "
                "page to order writes.",
     .spec = "SYS-14; Linux, xe_device"},
};
const struct register_block guc_doorbell_registers = REGISTER_BLOCK("doorbells", rows);
