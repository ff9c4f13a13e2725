/* Commands that start compute threads. Each begins its work once, and resumes until the work is done. */
#include "state_commands/walkers.h"
#include "dispatcher/dispatcher.h"

/* Where the instruction set is not known, or such threads are not modelled, the command is counted. */
static enum outcome walk(struct execution *x, bool predicate,
                         bool (*begin)(struct thread_dispatcher *d, struct execution *x,
                                       enum outcome *outcome))
{
    struct thread_dispatcher *const d = dispatcher_of(x->engine);
    enum outcome outcome;
    if (!d || d->set->no_gpgpu) {
        (void)command_is_predicated_away(x, predicate);
        return OUTCOME_DONE;
    }
    if (!dispatch_is_current(d, x)) {
        if (command_is_predicated_away(x, predicate))
            return OUTCOME_DONE;
        if (!begin(d, x, &outcome))
            return outcome;
    }
    return dispatch_run(d, x);
}

enum outcome gpgpu_walker(struct execution *x)
{
    return walk(x, command_flag(x, WALKER_PREDICATE_ENABLE), dispatch_gpgpu_walker);
}

enum outcome compute_walker(struct execution *x)
{
    return walk(x, command_flag(x, WALKER_PREDICATE_ENABLE), dispatch_compute_walker);
}

enum outcome execute_indirect_dispatch(struct execution *x)
{
    return walk(x, command_flag(x, WALKER_PREDICATE_ENABLE), dispatch_execute_indirect);
}

enum outcome media_object_walker(struct execution *x)
{
    return walk(x, false, dispatch_media_walker);
}

enum outcome media_object_prt(struct execution *x)
{
    return walk(x, false, dispatch_media_root);
}

enum outcome media_object_grpid(struct execution *x)
{
    return walk(x, false, dispatch_media_group);
}

enum outcome media_object(struct execution *x)
{
    return walk(x, false, dispatch_media_object);
}
