/*
 * Force wake: requests of software to keep the GT, or a part of it, awake; each is answered at once in a
 * register of its own. (SNB PRM vol 2; SKL, ICL PRM vol 2c)
 */
#include "gt/gt.h"

const struct wake_request gen6_wake_requests[] = {{0xa18c, 0x130090, 1}, {0, 0, 0}};
const struct wake_request gen7_wake_requests[] = {{0xa188, 0x130040, 1}, {0, 0, 0}};
const struct wake_request gen8_wake_requests[] = {{0xa188, 0x130044, 1}, {0, 0, 0}};
const struct wake_request gen9_wake_requests[] = {
    {0xa188, 0x130044, 1}, {0xa270, 0xd88, 1}, {0xa278, 0xd84, 1}, {0, 0, 0}};
const struct wake_request gen11_wake_requests[] = {{0xa188, 0x130044, 1}, {0xa270, 0xd88, 1},
                                                   {0xa278, 0xd84, 1},    {0xa540, 0xd50, 8},
                                                   {0xa560, 0xd70, 4},    {0, 0, 0}};

bool force_wake_asked(const struct gt *gt)
{
    for (const struct wake_request *r = gt->info->wake_requests; r->count; r++)
        for (uint32_t i = 0; i < r->count; i++)
            if (register_value(gt->mmio, r->request + i * 4u))
                return true;
    return false;
}

static void request_written(const struct register_access *w)
{
    struct gt *gt = w->owner;
    for (const struct wake_request *r = gt->info->wake_requests; r->count; r++)
        if (w->offset - r->request < r->count * 4u)
            register_set(w->file, r->answer + (w->offset - r->request), w->value & 0xffffu);
    rc6_request(gt);
}

/* clang-format off */
static const struct reg gen6_rows[] = {
    {.name = "FORCEWAKE_MT", .offset = 0xa18c, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the GT awake.", .spec = "SNB PRM vol 2"},
    {.name = "GTFIFODBG", .offset = 0x120000, .summary = "Overruns of the register write queue: none.", .spec = "SNB PRM vol 2"},
    {.name = "GTFIFOCTL", .offset = 0x120008, .reset = 0x3f, .summary = "Free entries of the register write queue.", .spec = "SNB PRM vol 2"},
    {.name = "FORCEWAKE_ACK", .offset = 0x130090, .summary = "Answer to a GT wake request.", .spec = "SNB PRM vol 2"},
    {.name = "GT_THREAD_STATUS", .offset = 0x13805c, .summary = "Wake state of the GT thread: awake.", .spec = "SNB PRM vol 2"},
};

static const struct reg gen7_rows[] = {
    {.name = "ECOBUS", .offset = 0xa180, .reset = 1u << 5, .summary = "Bit 5: requests are made in FORCEWAKE_MT.", .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE_MT", .offset = 0xa188, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the GT awake.", .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE", .offset = 0xa18c, .writable = 1, .summary = "Requests, where ECOBUS does not have bit 5.", .spec = "IVB PRM vol 1 part 3"},
    {.name = "GTFIFODBG", .offset = 0x120000, .summary = "Overruns of the register write queue: none.", .spec = "IVB PRM vol 1 part 3"},
    {.name = "GTFIFOCTL", .offset = 0x120008, .reset = 0x3f, .summary = "Free entries of the register write queue.", .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE_ACK", .offset = 0x130040, .summary = "Answer to a GT wake request.", .spec = "IVB PRM vol 1 part 3"},
};

static const struct reg gen8_rows[] = {
    {.name = "GTFIFODBG", .offset = 0x120000, .summary = "Overruns of the register write queue: none.", .spec = "HSW PRM vol 2c"},
    {.name = "GTFIFOCTL", .offset = 0x120008, .reset = 0x3f, .summary = "Free entries of the register write queue.", .spec = "HSW PRM vol 2c"},
    {.name = "FORCEWAKE_MT", .offset = 0xa188, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the GT awake.", .spec = "BDW PRM vol 2c"},
    {.name = "FORCEWAKE_ACK", .offset = 0x130044, .summary = "Answer to a GT wake request.", .spec = "BDW PRM vol 2c"},
};

static const struct reg gen9_rows[] = {
    {.name = "FORCEWAKE_ACK_RENDER", .offset = 0xd84, .summary = "Answer to a render wake request.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_MEDIA", .offset = 0xd88, .summary = "Answer to a media wake request.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_GT", .offset = 0xa188, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the GT awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_MEDIA", .offset = 0xa270, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the media units awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_RENDER", .offset = 0xa278, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keeps the render units awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_GT", .offset = 0x130044, .summary = "Answer to a GT wake request.", .spec = "SKL PRM vol 2c"},
};

static const struct reg gen11_rows[] = {
    {.name = "FORCEWAKE_ACK_VDBOX", .offset = 0xd50, .count = 8, .stride = 4, .summary = "Answers to wake requests of the video engines.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_VEBOX", .offset = 0xd70, .count = 4, .stride = 4, .summary = "Answers to wake requests of the enhancement engines.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VDBOX", .offset = 0xa540, .count = 8, .stride = 4, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keep the video engines awake.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VEBOX", .offset = 0xa560, .count = 4, .stride = 4, .kind = REG_MASKED, .writable = 0xffff, .after_write = request_written, .summary = "Keep the enhancement engines awake.", .spec = "ICL PRM vol 2c"},
};
/* clang-format on */

const struct register_block gen6_force_wake_registers = REGISTER_BLOCK("force wake", gen6_rows);
const struct register_block gen7_force_wake_registers = REGISTER_BLOCK("force wake", gen7_rows);
const struct register_block gen8_force_wake_registers = REGISTER_BLOCK("force wake", gen8_rows);
const struct register_block gen9_force_wake_registers = REGISTER_BLOCK("force wake", gen9_rows);
const struct register_block gen11_force_wake_registers = REGISTER_BLOCK("force wake", gen11_rows);
