/*
 * RC6: all engines idle and nobody asking to stay awake, software's request takes the power from the engines.
 * Their power contexts are saved before and loaded after that; what no image holds comes back as after a
 * reset. They lie in memory from RC6_CTX_BASE on, a page for each engine in the sheet's order: the manual
 * tells the offsets in an engine's part, not where the parts are. Without memory for them, and where hardware
 * decides (RC_CONTROL bit 31), nothing is lost and only the time counts: idle timers are taken as zero. Not
 * modelled: coarse power gating. (OVR-07 to OVR-09; SKL PRM vol 2c)
 */
#include "device/device.h"

enum { RC6_LOCATION = 0xd40, RC6_CTX_BASE = 0xd48, RC_CONTROL = 0xa090, RC_STATE = 0xa094 };
#define HARDWARE_DECIDES (1u << 31)
enum { RC6_BIT = 1u << 18, CONTEXT_IN_DRAM = 1u << 0 };
enum { GT_CORE_STATUS = 0x138060, CORE_RC6 = 3 };
enum { POWER_CONTEXT_ROOM_DW = PAGE_BYTES / 4 };

bool power_asleep(const struct softgt *d)
{
    return d->mmio.size_bytes > GT_CORE_STATUS && register_value(&d->mmio, GT_CORE_STATUS) == CORE_RC6;
}

static uint64_t power_context_address(const struct softgt *d, unsigned engine)
{
    return (register_value(&d->mmio, RC6_CTX_BASE) & ~0xfffu) + (uint64_t)engine * PAGE_BYTES;
}

/* Requests to stay awake, and where they are answered. */
static const struct {
    uint32_t request, answer;
    uint32_t count; /* of them, a dword apart */
} wakers[] = {{0xa188, 0x130044, 1}, {0xa18c, 0x130090, 1}, {0xa270, 0xd88, 1},
              {0xa278, 0xd84, 1},    {0xa540, 0xd50, 8},    {0xa560, 0xd70, 4}};

void power_wake_written(const struct register_access *w)
{
    for (size_t i = 0; i < sizeof wakers / sizeof wakers[0]; i++)
        if (w->offset - wakers[i].request < wakers[i].count * 4u)
            register_set(w->file, wakers[i].answer + (w->offset - wakers[i].request), w->value & 0xffffu);
    power_request(w->owner);
}

/* Nothing keeps the GT awake. */
static bool idle(const struct softgt *d)
{
    for (size_t i = 0; i < sizeof wakers / sizeof wakers[0]; i++)
        for (uint32_t n = 0; n < wakers[i].count; n++)
            if (register_value(&d->mmio, wakers[i].request + n * 4u))
                return false;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        if (d->engines[i].state != SOFTGT_ENGINE_IDLE || engine_runnable(&d->engines[i]))
            return false;
    return true;
}

/* Software asks for RC6, and there is memory for what is lost in it. */
static bool may_sleep(const struct softgt *d)
{
    const struct register_file *f = &d->mmio;
    return register_value(f, RC_CONTROL) & register_value(f, RC_STATE) & RC6_BIT &&
           register_value(f, RC6_LOCATION) & CONTEXT_IN_DRAM && idle(d);
}

void power_advance(struct softgt *d, uint64_t ns)
{
    const struct register_file *f = &d->mmio;
    const uint32_t control = register_value(f, RC_CONTROL);
    if (control & RC6_BIT && (control & HARDWARE_DECIDES || register_value(f, RC_STATE) & RC6_BIT) && idle(d))
        d->rc6_ns += ns;
}

static uint32_t residency_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct softgt *d = at->owner;
    return (uint32_t)(d->rc6_ns / 1280u);
}

static void sleep_now(struct softgt *d)
{
    uint32_t dw[POWER_CONTEXT_ROOM_DW];
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++) {
        const struct image_row *rows = d->engines[i].info->power_context;
        if (!rows)
            continue;
        const uint32_t length_dw = context_image(&d->engines[i], rows, dw, POWER_CONTEXT_ROOM_DW);
        bus_write(&d->memory, power_context_address(d, i), dw, length_dw * 4u);
        register_file_reset(&d->mmio, d->engines[i].info->name, false);
    }
    register_set(&d->mmio, GT_CORE_STATUS, CORE_RC6);
}

void power_wake(struct softgt *d)
{
    uint32_t dw[POWER_CONTEXT_ROOM_DW];
    if (!power_asleep(d))
        return;
    register_set(&d->mmio, GT_CORE_STATUS, 0);
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        if (d->engines[i].info->power_context &&
            bus_read(&d->memory, power_context_address(d, i), dw, sizeof dw))
            context_power_up(&d->engines[i], dw);
}

void power_request(struct softgt *d)
{
    if (!may_sleep(d))
        power_wake(d);
    else if (!power_asleep(d))
        sleep_now(d);
}

static void request_written(const struct register_access *w)
{
    power_request(w->owner);
}

/* clang-format off */
static const struct field request_fields[] = {{"RC6", 18, 18, FIELD_BOOL, NULL}};
static const struct field status_fields[] = {{"State", 0, 2, FIELD_UINT, (const struct field_value[]){{"RC0", 0}, {"RC6", CORE_RC6}, {NULL, 0}}}};

static const struct reg gen8_rows[] = {
    {.name = "RC6_LOCATION", .offset = RC6_LOCATION, .writable = 1, .summary = "Bit 0: power contexts are in memory.", .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "RC6_CTX_BASE", .offset = RC6_CTX_BASE, .writable = 0xfffffff0, .summary = "Bus address of the power contexts.", .spec = "OVR-07, SKL PRM vol 2c"},
};

static const struct reg rows[] = {
    {.name = "RC_CONTROL", .offset = RC_CONTROL, .writable = 0xffffffff, FIELDS(request_fields), .after_write = request_written, .summary = "Render standby: which states may be entered.", .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "RC_STATE", .offset = RC_STATE, .writable = 0xffffffff, FIELDS(request_fields), .after_write = request_written, .summary = "Render standby: the state software asks for.", .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "GT_CORE_STATUS", .offset = GT_CORE_STATUS, FIELDS(status_fields), .summary = "Render standby: the state the GT is in.", .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "GT_GFX_RC6", .offset = 0x138108, .before_read = residency_read, .summary = "Time in RC6, in 1.28 us.", .spec = "SNB PRM vol 2"},
    {.name = "GT_GFX_RC6P", .offset = 0x13810c, .count = 2, .stride = 4, .summary = "Time in the deeper states: none.", .spec = "SNB PRM vol 2"},
};
/* clang-format on */

const struct register_block power_registers = REGISTER_BLOCK("power", rows);
const struct register_block gen8_power_registers = REGISTER_BLOCK("power", gen8_rows);
