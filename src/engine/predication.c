/* Commands that are parsed and not executed: by MI_SET_PREDICATE, by INSTPM's disables, in encrypted batches.
 * (CSP-11, REN-06, REN-28) */
#include "engine/execution.h"

/* MI_MODE keeps what MI_SET_PREDICATE asked for; it goes with the context. (CSP-11) */
void engine_predicate(struct engine *e, uint32_t enable)
{
    engine_register_set(e, MI_MODE, (engine_register(e, MI_MODE) & ~(uint32_t)MI_MODE_PREDICATE) | enable);
    engine_derive_skip(e);
}

void engine_derive_skip(struct engine *e)
{
    enum { DISABLES = 0xfu };
    const bool disabled = e->info->privileges.instpm_disables && engine_register(e, INSTPM) & DISABLES;
    e->rules.skip = (uint8_t)((engine_register(e, MI_MODE) & MI_MODE_PREDICATE ? SKIP_PREDICATED : 0) |
                              (disabled ? SKIP_DISABLED : 0) |
                              (e->parse.streams[e->parse.depth].encrypted ? SKIP_PRIVILEGED : 0) |
                              (e->mmu.function ? SKIP_PHYSICAL : 0));
}

static unsigned slices_enabled(const struct engine *e)
{
    enum { ENABLE = 1u << 18 };
    const uint32_t state = engine_register(e, R_PWR_CLK_STATE), wanted = state >> 15 & 7u;
    return state & ENABLE && wanted < e->info->slices ? wanted : e->info->slices;
}

enum { NOOP_IN_RENDER = 11, NOOP_ALWAYS = 15 };

bool engine_predicate_is_noop(const struct engine *e)
{
    const uint32_t enable = engine_register(e, MI_MODE) & MI_MODE_PREDICATE;
    const bool result = engine_register(e, MI_PREDICATE_RESULT) & 1u;
    const uint32_t moved = e->info->predicate_result_2_register;
    const bool result_2 = engine_register(e, moved ? moved : (uint32_t)MI_PREDICATE_RESULT_2) & 1u;
    switch (enable) {
    case 1:
        return !result_2;
    case 2:
        return result_2;
    case 3:
        return !result;
    case 4:
        return result;
    case 5:
    case 6:
    case 7:
        return slices_enabled(e) != enable - 4u;
    case NOOP_IN_RENDER:
    case NOOP_ALWAYS:
        return true;
    default:
        return false;
    }
}

bool command_predicated(const struct engine *e, const struct command *c)
{
    const uint32_t enable = engine_register(e, MI_MODE) & MI_MODE_PREDICATE;
    if (enable == NOOP_IN_RENDER) /* whatever comes */
        return !(c->flags & COMMAND_PREDICATES);
    return c->flags & COMMAND_PREDICATED && engine_predicate_is_noop(e);
}

bool command_disabled(const struct engine *e, const struct command *c)
{
    return engine_register(e, INSTPM) & c->disabled_by;
}
