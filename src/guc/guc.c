/* The GuC as a unit: its state, resets, time and turns. */
#include "guc/guc.h"

#include "engine/execution.h"
#include "guc/doorbells.h"
#include "guc/interrupts.h"
#include "guc/message.h"
#include "guc/power.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <stdlib.h>

static const struct state_field boot_fields[] = {
    STATE_NUMBER(struct guc_boot, state, GUC_READY + 1),
    STATE_NUMBER(struct guc_boot, log, 0),
    STATE_NUMBER(struct guc_boot, workarounds, 0),
    STATE_NUMBER(struct guc_boot, features, 0),
    STATE_NUMBER(struct guc_boot, debug, 0),
    STATE_NUMBER(struct guc_boot, ads, 0),
    STATE_NUMBER(struct guc_boot, device, 0),
    STATE_NUMBER(struct guc_boot, policies, 0),
    STATE_NUMBER(struct guc_boot, utilisation, 0),
    STATE_NUMBER(struct guc_boot, activity_metadata, 0),
    STATE_NUMBER(struct guc_boot, activity, 0),
    STATE_NUMBER(struct guc_boot, activity_changes, 0),
    STATE_NUMBER(struct guc_boot, pending, 2),
};
static const struct state_field buffer_fields[] = {
    STATE_NUMBER(struct guc_buffer, descriptor, 0), STATE_NUMBER(struct guc_buffer, address, 0),
    STATE_NUMBER(struct guc_buffer, bytes, 0),      STATE_NUMBER(struct guc_buffer, at_dw, 0),
    STATE_NUMBER(struct guc_buffer, known, 8),      STATE_NUMBER(struct guc_buffer, enabled, 2),
    STATE_NUMBER(struct guc_buffer, broken, 2),     STATE_NUMBERS(struct guc_buffer, reserved, 1),
};
static const struct state_field channels_fields[] = {
    STATE_STRUCTS(struct guc_channels, buffers, buffer_fields),
    STATE_NUMBER(struct guc_channels, events, 0),
    STATE_NUMBER(struct guc_channels, source, 0),
    STATE_NUMBER(struct guc_channels, part, 0),
    STATE_NUMBER(struct guc_channels, part_dw, 0),
    STATE_NUMBER(struct guc_channels, notified, 2),
    STATE_NUMBERS(struct guc_channels, reserved, 1),
};
static const struct state_field outbox_fields[] = {
    STATE_NUMBER(struct guc_outbox, first, GUC_OUTBOX_DW),
    STATE_NUMBER(struct guc_outbox, count, GUC_OUTBOX_DW + 1),
    STATE_NUMBERS(struct guc_outbox, dw, 0),
};
static const struct state_field power_fields[] = {
    STATE_NUMBER(struct guc_power, shared, 0),   STATE_NUMBER(struct guc_power, set, 0),
    STATE_NUMBERS(struct guc_power, values, 0),  STATE_NUMBER(struct guc_power, rc6, 0),
    STATE_NUMBER(struct guc_power, yield_ms, 0), STATE_NUMBER(struct guc_power, yield_percent, 0),
    STATE_NUMBER(struct guc_power, busy, 2),     STATE_NUMBER(struct guc_power, busy_ns, 0),
};
static const struct state_field slot_fields[] = {
    STATE_NUMBER(struct guc_slot, since_ns, 0),
    STATE_NUMBER(struct guc_slot, deadline_ns, 0),
    STATE_NUMBER(struct guc_slot, function_since_ns, 0),
    STATE_NUMBER(struct guc_slot, busy_ticks, 0),
    STATE_NUMBER(struct guc_slot, busy_since_ticks, 0),
    STATE_NUMBER(struct guc_slot, active, GUC_CONTEXTS + 1),
    STATE_NUMBER(struct guc_slot, submitted, GUC_CONTEXTS + 2),
    STATE_NUMBER(struct guc_slot, changes, 0),
    STATE_NUMBER(struct guc_slot, failed, 2),
    STATE_NUMBER(struct guc_slot, function, MOST_FUNCTIONS + 1),
    STATE_NUMBERS(struct guc_slot, reserved, 1),
};
static const struct state_field share_fields[] = {
    STATE_NUMBER(struct guc_share, ggtt_start, 0),
    STATE_NUMBER(struct guc_share, ggtt_bytes, 0),
    STATE_NUMBER(struct guc_share, local_bytes, 0),
    STATE_NUMBER(struct guc_share, contexts, GUC_CONTEXTS),
    STATE_NUMBER(struct guc_share, first_context, GUC_CONTEXTS),
    STATE_NUMBER(struct guc_share, doorbells, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct guc_share, first_doorbell, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct guc_share, quantum_ms, 0),
    STATE_NUMBER(struct guc_share, preemption_us, 0),
    STATE_NUMBER(struct guc_share, priority, 3),
    STATE_NUMBER(struct guc_share, given, 2),
    STATE_NUMBERS(struct guc_share, thresholds, 0),
};
static const struct state_field presence_fields[] = {
    STATE_NUMBER(struct guc_presence, busy_ticks, 0),
    STATE_NUMBER(struct guc_presence, counted_since_ns, 0),
    STATE_NUMBERS(struct guc_presence, counts, 0),
    STATE_NUMBER(struct guc_presence, condition, GUC_FUNCTION_RESET + 1),
    STATE_NUMBER(struct guc_presence, version, 0),
    STATE_NUMBER(struct guc_presence, pending, 2),
    STATE_NUMBER(struct guc_presence, loaded, GUC_CONTEXTS),
};
static const struct state_field vgt_fields[] = {
    STATE_NUMBER(struct guc_vgt, sched_if_idle, 2),
    STATE_NUMBER(struct guc_vgt, sample_period_ms, 0),
    STATE_NUMBER(struct guc_vgt, reset_engine, 2),
    STATE_NUMBER(struct guc_vgt, reserved, 1),
};
static const struct state_field slots_fields[] = {
    STATE_STRUCTS(struct guc_slots, list, slot_fields),
    STATE_NUMBER(struct guc_slots, next_turn, GUC_CONTEXTS),
    STATE_NUMBER(struct guc_slots, attention, 0),
    STATE_NUMBER(struct guc_slots, parked, 2),
    STATE_NUMBERS(struct guc_slots, reserved, 1),
};
static const struct state_field doorbell_fields[] = {
    STATE_NUMBER(struct guc_doorbell, cookie, 0),
    STATE_NUMBER(struct guc_doorbell, context, GUC_CONTEXTS + 1),
    STATE_NUMBER(struct guc_doorbell, place, 0),
    STATE_NUMBER(struct guc_doorbell, in_memory, 2),
    STATE_NUMBERS(struct guc_doorbell, reserved, 1),
};
static const struct state_field doorbells_fields[] = {
    STATE_STRUCTS(struct guc_doorbells, list, doorbell_fields),
    STATE_NUMBER(struct guc_doorbells, in_memory, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct guc_doorbells, reserved, 1),
};
static const struct state_field totals_fields[] = {
    STATE_NUMBER(struct guc_totals, requests, 0),    STATE_NUMBER(struct guc_totals, replies, 0),
    STATE_NUMBER(struct guc_totals, failures, 0),    STATE_NUMBER(struct guc_totals, events, 0),
    STATE_NUMBER(struct guc_totals, unknown, 0),     STATE_NUMBER(struct guc_totals, submissions, 0),
    STATE_NUMBER(struct guc_totals, preemptions, 0), STATE_NUMBER(struct guc_totals, timeouts, 0),
    STATE_NUMBER(struct guc_totals, resets, 0),      STATE_NUMBER(struct guc_totals, doorbells, 0),
};

static const struct section sections[] = {
    SECTION(struct guc, boot, 1, OUTLIVES_NOTHING, boot_fields, NULL),
    SECTION(struct guc, vgt, 1, OUTLIVES_NOTHING, vgt_fields, NULL),
    SECTION(struct guc, power, 2, OUTLIVES_NOTHING, power_fields, NULL),
    SECTION(struct guc, slots, 4, OUTLIVES_NOTHING, slots_fields, NULL),
    SECTION(struct guc, doorbells, 2, OUTLIVES_NOTHING, doorbells_fields, NULL),
    SECTION(struct guc, totals, 1, OUTLIVES_DEVICE_RESET, totals_fields, NULL),
    SECTION(struct guc, told, 1, OUTLIVES_NOTHING, outbox_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };
/* Each function's. */
static const struct section client_sections[] = {
    SECTION(struct guc_client, channels, 3, OUTLIVES_NOTHING, channels_fields, NULL),
    SECTION(struct guc_client, outbox, 1, OUTLIVES_NOTHING, outbox_fields, NULL),
    SECTION(struct guc_client, share, 1, OUTLIVES_NOTHING, share_fields, NULL),
    SECTION(struct guc_client, presence, 2, OUTLIVES_NOTHING, presence_fields, NULL),
};
enum { CLIENT_SECTIONS = sizeof client_sections / sizeof client_sections[0] };

static const char *name_of(const struct guc_client *k)
{
    return k->function ? function_name(k->function) : "guc";
}

static void fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)space, (void)level;
    const struct guc_client *k = user;
    complain_of(k->guc->witness, SOFTGT_MISTAKE_FAULT, name_of(k), address,
                "%s of an address that is not mapped", write ? "write" : "read");
}

bool guc_sees(struct guc_client *k, uint32_t address, size_t size_bytes)
{
    enum { MMIO_BYTES = 8 << 20 };
    const struct guc *const g = k->guc;
    const uint64_t wopcm = register_value(g->mmio, GUC_WOPCM_SIZE) & 0xfffff000u,
                   own = wopcm < g->info->wopcm_bytes ? wopcm : g->info->wopcm_bytes,
                   first = own > GUC_SRAM_END ? own : GUC_SRAM_END, end = (UINT64_C(1) << 32) - MMIO_BYTES;
    if (address >= first && address < end && size_bytes <= end - address)
        return true;
    complain_of(g->witness, SOFTGT_MISTAKE_FAULT, name_of(k), address,
                "access of an address where the core has %s, not graphics memory",
                address < first ? "its own memory" : "registers");
    return false;
}

void guc_invalidate(struct guc *g)
{
    for (unsigned n = 0; n <= g->functions; n++)
        mmu_invalidate(&g->clients[n].mmu);
}

void guc_remap(struct guc *g)
{
    for (unsigned n = 0; n <= g->functions; n++)
        mmu_remap(&g->clients[n].mmu);
}

/* What the physical function's driver has of it goes; the others, and what they have in engines, stay. */
static void reset_own(struct guc *g, enum reset_scope scope)
{
    struct guc_client *const own = g->clients;
    register_file_reset(g->mmio, "guc", scope > RESET_ENGINE);
    g->boot = (struct guc_boot){0};
    g->power = (struct guc_power){0};
    own->channels = (struct guc_channels){0};
    own->outbox = (struct guc_outbox){0};
    own->presence = (struct guc_presence){.busy_ticks = own->presence.busy_ticks};
    guc_interrupts_settle(g);
    guc_doorbells_begin(g);
    guc_page_directory(g);
    guc_forget_function(g, 0);
    guc_doorbells_again(g);
    for (unsigned e = 0; e < g->engine_count; e++)
        g->slots.list[e].failed = 0;
    guc_attend_all(g); /* what others had in engines that were reset comes again */
    g->gt->controller_decides = 0;
    if (scope > RESET_ENGINE)
        state_table_clear(&g->own);
    guc_invalidate(g);
}

static void reset(void *unit, enum reset_scope scope)
{
    struct guc *g = unit;
    if (g->apart) {
        reset_own(g, scope);
        return;
    }
    register_file_reset(g->mmio, "guc", scope > RESET_ENGINE);
    guc_forget_contexts(g, false);
    guc_interrupts_settle(g);
    guc_doorbells_settle(g);
    guc_page_directory(g);
    sections_reset(sections, SECTIONS, g, scope);
    guc_attend_all(g);
    for (unsigned n = 0; n <= g->functions; n++)
        sections_reset(client_sections, CLIENT_SECTIONS, &g->clients[n], scope);
    g->gt->controller_decides = g->power.rc6;
    if (scope > RESET_ENGINE)
        state_table_clear(&g->own);
    guc_invalidate(g);
}

/* GDRST was written. */
static void domains_reset(void *user, uint32_t domains)
{
    struct guc *g = user;
    if (domains & (1u | g->info->reset_bits))
        reset(g, RESET_ENGINE);
}

static void sleeps(void *user)
{
    guc_invalidate(user);
}

bool guc_create(struct guc *g, struct memory *memory)
{
    g->functions = memory->functions;
    g->clients = calloc(g->functions + 1u, sizeof *g->clients);
    g->known = calloc(GUC_ROOM, sizeof *g->known);
    if (!g->clients || !g->known)
        return false;
    guc_messages_index(g->known);
    const size_t own_dw = (GUC_SRAM_END + g->info->wopcm_bytes) / 4u;
    g->own.dwords = calloc(own_dw, 4);
    if (!g->own.dwords || !state_table_create(&g->own, g->own.dwords, own_dw))
        return false;
    for (unsigned n = 0; n <= g->functions; n++) {
        struct guc_client *k = &g->clients[n];
        k->guc = g;
        k->function = n;
        mmu_init(&k->mmu, memory, k, fault);
        mmu_set_function(&k->mmu, n);
        if (!register_file_place(g->mmio, &guc_function_registers, n * GUC_FUNCTION_BYTES, k, name_of(k)))
            return false;
    }
    if (g->apart) {
        g->mmio->others_first = GUC_FUNCTION_FIRST + GUC_FUNCTION_BYTES;
        g->mmio->others_end = GUC_FUNCTION_FIRST + (g->functions + 1u) * GUC_FUNCTION_BYTES;
    }
    g->by = (struct accessor){.name = "guc", .client = g, .kind = BY_UNIT, .privileged = true};
    for (const struct register_block *const *b = g->info->blocks; *b; b++)
        if (!register_file_place(g->mmio, *b, 0, g, "guc"))
            return false;
    g->gt->domains_reset = domains_reset;
    g->gt->controller_sleeps = sleeps;
    g->gt->domains_user = g;
    return guc_schedule_create(g);
}

void guc_destroy(struct guc *g)
{
    guc_schedule_destroy(g);
    free(g->clients);
    free(g->known);
    free(g->own.dwords);
    free(g->own.used);
}

static void settle(void *unit)
{
    struct guc *g = unit;
    guc_remap(g);
    guc_page_directory(g);
    g->gt->controller_decides = g->power.rc6;
    guc_schedule_settle(g);
    guc_interrupts_settle(g);
    guc_doorbells_settle(g);
}

static void state(void *unit, struct state *s)
{
    struct guc *g = unit;
    sections_state(sections, SECTIONS, g, "guc", s);
    for (struct guc_client *k = g->clients; k <= &g->clients[g->functions]; k++) {
        sections_state(client_sections, CLIENT_SECTIONS, k, name_of(k), s);
        for (const struct guc_buffer *b = k->channels.buffers; b <= &k->channels.buffers[G2H]; b++)
            state_check(s, !b->enabled || (guc_buffer_whole(b) && b->at_dw < b->bytes / 4u));
    }
    const size_t begin = state_section_begin(s, "guc", "contexts", 1);
    guc_schedule_state(g, s);
    state_section_end(s, begin);
    const size_t own = state_section_begin(s, "guc", "memory", 1);
    state_table(s, &g->own);
    state_section_end(s, own);
    for (struct guc_client *k = g->clients; k <= &g->clients[g->functions]; k++)
        mmu_state(&k->mmu, name_of(k), s);
}

uint64_t guc_clock(const struct guc *g)
{
    return engine_ticks(g->witness->now_ns, g->info->timestamp_hz);
}

/* Who reads none of its messages is not listened to; with virtual functions it holds up nobody else. */
static bool may_attend(const struct guc *g)
{
    return g->functions || !g->clients->outbox.count;
}

static bool runnable(const void *unit)
{
    const struct guc *g = unit;
    if (g->boot.state == GUC_BOOTS || !guc_serves(g))
        return g->boot.state == GUC_BOOTS;
    return may_attend(g) && guc_interrupts_next(g) != SOURCE_NONE;
}

/* The host tells nobody that it has read its messages, nor that it wrote to a doorbell in memory. */
static bool polls(const void *unit)
{
    const struct guc *g = unit;
    bool waiting = false;
    for (const struct guc_client *k = g->clients; k <= &g->clients[g->functions]; k++)
        waiting |= k->outbox.count != 0;
    return waiting || g->doorbells.in_memory;
}

static void advance(void *unit, uint64_t before_ns)
{
    (void)before_ns;
    guc_schedule_advance(unit);
    guc_power_look(unit);
}

static uint64_t next_event_ns(const void *unit)
{
    const uint64_t next_ns = guc_schedule_next_ns(unit), power_ns = guc_power_next_ns(unit);
    return power_ns < next_ns ? power_ns : next_ns;
}

static uint64_t run(void *unit, uint64_t budget_dw)
{
    enum { BOOT_DW = 1000, MESSAGE_DW = 50, ATTENTION_DW = 20 };
    struct guc *g = unit;
    uint64_t used = 0;
    g->witness->cost_ns = 0; /* the CPU's accesses are no unit's */
    if (g->boot.state == GUC_BOOTS) {
        guc_boot(g);
        used += BOOT_DW;
    }
    if (!guc_serves(g))
        return used;
    guc_doorbells_look(g);
    while (used < budget_dw) {
        for (struct guc_client *k = g->clients; k <= &g->clients[g->functions]; k++)
            guc_send_waiting(k);
        const enum guc_source source = may_attend(g) ? guc_interrupts_next(g) : SOURCE_NONE;
        if (source == SOURCE_ENGINES_0 || source == SOURCE_ENGINES_1) {
            const unsigned engine =
                (unsigned)__builtin_ctz(g->slots.attention & g->engines_of_group[source - SOURCE_ENGINES_0]);
            g->slots.attention &= ~(1u << engine);
            guc_attend(g, engine);
            used += ATTENTION_DW;
        } else if (source == SOURCE_DOORBELLS) {
            guc_doorbells_take(g);
            used += MESSAGE_DW;
        } else if (source == SOURCE_HOST) {
            /* A message of each function in turn; those without a pin are not heard. */
            for (struct guc_client *k = g->clients; k <= &g->clients[g->functions]; k++)
                if (guc_client_calls(k) && g->level[guc_host_group(k->function)])
                    used += guc_receive(k) ? MESSAGE_DW : 0;
        } else {
            break;
        }
        guc_functions_look(g);
        used += budget_taken_dw(g->witness);
    }
    guc_power_look(g);
    return used;
}

const struct unit_shape guc_shape = {.sections = sections,
                                     .section_count = SECTIONS,
                                     .reset = reset,
                                     .settle = settle,
                                     .state = state,
                                     .advance = advance,
                                     .next_event_ns = next_event_ns,
                                     .runnable = runnable,
                                     .polls = polls,
                                     .run = run};
