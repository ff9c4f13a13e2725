/* Messages of contexts: register, schedule, enable and disable, deregister. (SYS-24; Linux,
 * guc_actions_abi.h) */
#include "guc/doorbells.h"
#include "guc/schedule.h"

enum { LAST_ID = 65534 };

/* Number of ids that a function may use, from 0 on. With isolated VFs the PF has those below all VFs' ids. */
static uint32_t context_id_count(const struct guc_function *k)
{
    uint32_t own = k->number ? k->provisioning.context_count : LAST_ID + 1u;
    for (unsigned n = 1; !k->number && vfs_are_isolated(k->guc->isolation) && n <= k->guc->vf_count; n++) {
        const struct vf_provisioning *other = &k->guc->functions[n].provisioning;
        own = other->context_count && other->first_context < own ? other->first_context : own;
    }
    return own;
}

/* The id in a dword of the message, as the GuC counts it. */
static uint32_t context_id(const struct guc_request *c, unsigned dw)
{
    return c->dw[dw] + (c->function->number ? c->function->provisioning.first_context : 0);
}

/* The registered context that the message names; children cannot be named. */
static struct guc_context *find_context(struct guc_request *c, enum guc_error *error)
{
    struct guc_context *context =
        c->dw[0] < context_id_count(c->function) ? guc_context(c->guc, context_id(c, 0)) : NULL;
    *error = !context                                      ? GUC_ERROR_CONTEXT
             : !(context->flags & CONTEXT_REGISTERED)      ? GUC_ERROR_NOT_REGISTERED
             : context->flags & CONTEXT_PENDING_DEREGISTER ? GUC_ERROR_NOT_REGISTERED
             : context->parent != GUC_NO_CONTEXT || guc_context_function(context) != c->function->number
                 ? GUC_ERROR_CONTEXT
                 : GUC_DONE;
    return *error == GUC_DONE ? context : NULL;
}

/* ---- Registration ---- */

/* Engines of a class, by a mask of logical instances. */
static uint32_t engines_of(const struct guc *g, uint32_t class, uint32_t logical)
{
    uint32_t engines = 0;
    for (unsigned e = 0; e < g->engine_count; e++)
        if (g->derived.class_of[e] == class && logical >> g->derived.logical_of[e] & 1u)
            engines |= 1u << e;
    return engines;
}

enum {
    REGISTER_FLAGS,
    REGISTER_ID,
    REGISTER_CLASS,
    REGISTER_ENGINES,
    REGISTER_QUEUE_DESCRIPTOR,
    REGISTER_QUEUE = 6,
    REGISTER_QUEUE_BYTES = 8,
    REGISTER_DESCRIPTOR = 9,
    REGISTER_COUNT = 9,
    REGISTER_DESCRIPTORS = 10
};
enum { USUAL_PRIORITY = 3 };

static enum guc_error check_registration(const struct guc_request *c, uint32_t count)
{
    const uint32_t *dw = c->dw;
    const uint32_t contexts = context_id_count(c->function), id = context_id(c, REGISTER_ID);
    if (dw[REGISTER_ID] >= contexts || count > contexts - dw[REGISTER_ID])
        return GUC_ERROR_CONTEXT;
    if (!engines_of(c->guc, dw[REGISTER_CLASS], dw[REGISTER_ENGINES]) || dw[REGISTER_QUEUE_DESCRIPTOR + 1] ||
        dw[REGISTER_QUEUE + 1])
        return GUC_ERROR_PARAMETERS;
    for (uint32_t i = 0; i < count; i++)
        if (guc_context(c->guc, id + i)->flags & CONTEXT_REGISTERED)
            return GUC_ERROR_ALREADY_REGISTERED;
    return GUC_DONE;
}

static void add_context(struct guc_request *c, uint32_t id, uint32_t descriptor, uint32_t engines)
{
    *guc_context(c->guc, id) = (struct guc_context){
        .flags = CONTEXT_REGISTERED | c->function->number << CONTEXT_FUNCTION_SHIFT,
        .descriptor_low = descriptor,
        .engine_mask = engines,
        .guc_class = c->dw[REGISTER_CLASS],
        .priority = USUAL_PRIORITY,
        .engine = GUC_NO_ENGINE,
        .parent = GUC_NO_CONTEXT,
        .doorbell = GUC_NO_DOORBELL,
        .queue_ticket = GUC_NO_TICKET,
    };
    guc_context_mark_used(c->guc, id);
}

static enum guc_error register_context(struct guc_request *c)
{
    const uint32_t *dw = c->dw;
    const enum guc_error error = check_registration(c, 1);
    if (error == GUC_DONE)
        add_context(c, context_id(c, REGISTER_ID), dw[REGISTER_DESCRIPTOR],
                    engines_of(c->guc, dw[REGISTER_CLASS], dw[REGISTER_ENGINES]));
    return error;
}

/* A parent and its children, which run at the same time. They get consecutive engines, from the first engine
 * of the mask for which all exist. (In i915 and xe the mask names engines for the parent) */
static enum guc_error register_parallel(struct guc_request *c)
{
    const uint32_t *dw = c->dw, count = dw[REGISTER_COUNT], id = context_id(c, REGISTER_ID);
    if (!count || count > GUC_ENGINES || c->length_dw != REGISTER_DESCRIPTORS + count * 2u ||
        dw[REGISTER_QUEUE_BYTES] % 4u || dw[REGISTER_QUEUE_BYTES] > GUC_MAX_QUEUE_BYTES)
        return GUC_ERROR_PARAMETERS;
    const enum guc_error error = check_registration(c, count);
    if (error != GUC_DONE)
        return error;
    const uint32_t all = (1u << count) - 1u;
    uint32_t first = 0;
    while (first < GUC_ENGINES &&
           !(dw[REGISTER_ENGINES] >> first & 1u &&
             (uint32_t)__builtin_popcount(engines_of(c->guc, dw[REGISTER_CLASS], all << first)) == count))
        first++;
    if (first == GUC_ENGINES)
        return GUC_ERROR_PARAMETERS;
    for (uint32_t i = 0; i < count; i++) {
        add_context(c, id + i, dw[REGISTER_DESCRIPTORS + i * 2u],
                    engines_of(c->guc, dw[REGISTER_CLASS], 1u << (first + i)));
        guc_context(c->guc, id + i)->parent = i ? id : (uint32_t)GUC_NO_CONTEXT;
    }
    struct guc_context *parent = guc_context(c->guc, id);
    parent->children = count - 1u;
    parent->queue_descriptor = dw[REGISTER_QUEUE_DESCRIPTOR];
    parent->queue = dw[REGISTER_QUEUE];
    parent->queue_bytes = dw[REGISTER_QUEUE_BYTES];
    guc_count_adverse_event(c->guc, c->function->number, VF_THRESHOLD_MULTI_LRC_COUNT);
    return GUC_DONE;
}

static enum guc_error deregister(struct guc_request *c)
{
    enum guc_error error;
    struct guc_context *context = find_context(c, &error);
    if (context) {
        guc_doorbell_disarm(c->guc, context_id(c, 0));
        guc_context_begin_leave(c->guc, context_id(c, 0), CONTEXT_PENDING_DEREGISTER);
    }
    return error;
}

/* ---- Policies ---- */

static enum guc_error set_policies(struct guc_request *c)
{
    enum { KEY_QUANTUM = 0x2001, KEY_PREEMPTION, KEY_PRIORITY, KEY_TO_IDLE, KEY_FREQUENCY };
    static const uint32_t most[] = {GUC_MAX_US, GUC_MAX_US, GUC_PRIORITIES - 1u, 1, UINT32_MAX};
    enum guc_error error;
    if (!find_context(c, &error))
        return error;
    for (uint32_t at = 1; at < c->length_dw; at += 2) {
        const uint32_t key = c->dw[at] >> 16;
        if (key < KEY_QUANTUM || key > KEY_FREQUENCY)
            return GUC_ERROR_KEY;
        if ((c->dw[at] & 0xffffu) != 1 || at + 1u == c->length_dw)
            return GUC_ERROR_MALFORMED_KLV;
        if (c->dw[at + 1] > most[key - KEY_QUANTUM])
            return GUC_ERROR_KLV;
    }
    const uint32_t children = guc_context(c->guc, context_id(c, 0))->children;
    for (uint32_t at = 1; at < c->length_dw; at += 2) {
        const uint32_t key = c->dw[at] >> 16, value = c->dw[at + 1];
        if (key > KEY_PRIORITY)
            continue;
        for (uint32_t i = 0; i <= children; i++) {
            struct guc_context *context = guc_context(c->guc, context_id(c, 0) + i);
            uint32_t *const policy = key == KEY_QUANTUM      ? &context->exec_quantum_us
                                     : key == KEY_PREEMPTION ? &context->preempt_timeout_us
                                                             : &context->priority;
            *policy = value;
            guc_context_requeue(c->guc, context_id(c, 0) + i);
            if (key == KEY_PREEMPTION)
                guc_context_update_deadline(c->guc, context_id(c, 0) + i);
        }
    }
    guc_schedule_engines(c->guc, guc_context(c->guc, context_id(c, 0))->engine_mask);
    return GUC_DONE;
}

static enum guc_error set_global_policies(struct guc_request *c)
{
    uint32_t first;
    if (!guc_load(c->function, c->dw[0], &first, sizeof first))
        return GUC_ERROR_ADDRESS;
    c->guc->boot.policies = c->dw[0];
    return GUC_DONE;
}

/* ---- Work ---- */

/* A work queue of a parent and its children. Each item has the tails of all their rings. */
enum { QUEUE_HEAD, QUEUE_TAIL, QUEUE_ERROR, QUEUE_STATUS, QUEUE_DW };
enum { QUEUE_ACTIVE = 1, QUEUE_COMMAND_ERROR = 3 };
enum { ITEM_NOOP = 4, ITEM_WORK = 5, ITEM_TAILS = 4, MOST_ITEM_DW = ITEM_TAILS + GUC_ENGINES };
enum { IMAGE_TAIL = PAGE_BYTES + 7 * 4 }; /* of the ring tail in a context image */

static bool write_ring_tail(struct guc *g, uint32_t id, uint32_t qwords)
{
    return guc_store32(guc_context_owner(g, id), (guc_context(g, id)->descriptor_low & ~0xfffu) + IMAGE_TAIL,
                       qwords * 8u);
}

/* False: the item is invalid. */
static bool process_work_item(struct guc *g, uint32_t id, const uint32_t *item, uint32_t length_dw)
{
    const uint32_t type = item[0] & 0xffu, children = guc_context(g, id)->children;
    if (type == ITEM_NOOP)
        return true;
    if (type != ITEM_WORK || length_dw != ITEM_TAILS + children || (item[2] & 0xffffu) != guc_local_id(g, id))
        return false;
    if (!write_ring_tail(g, id, item[2] >> 18))
        return false;
    for (uint32_t i = 0; i < children; i++)
        if (!write_ring_tail(g, id + 1u + i, item[ITEM_TAILS + i]))
            return false;
    for (uint32_t i = 0; i <= children; i++)
        guc_context_submit(g, id + i);
    return true;
}

static void process_work_queue(struct guc *g, uint32_t id)
{
    enum { ITEM_NS = 500 };
    const struct guc_context *c = guc_context(g, id);
    struct guc_function *const k = guc_context_owner(g, id);
    uint32_t descriptor[QUEUE_DW];
    const uint32_t bytes = c->queue_bytes;
    if (!c->queue_descriptor || !guc_load(k, c->queue_descriptor, descriptor, sizeof descriptor))
        return;
    uint32_t head = descriptor[QUEUE_HEAD];
    const uint32_t tail = descriptor[QUEUE_TAIL];
    bool good = bytes && bytes % 4 == 0 && head < bytes && tail < bytes && head % 4 == 0 && tail % 4 == 0;
    /* Ends: an item has at least one dword. */
    for (uint32_t taken = 0; good && head != tail && taken < bytes / 4u; taken++) {
        uint32_t item[MOST_ITEM_DW] = {0};
        guc_load(k, c->queue + head, item, 4);
        const uint32_t length_dw = (item[0] >> 16 & 0x7ffu) + 1u;
        const uint32_t there = (tail + bytes - head) % bytes;
        g->log->cost.ns += ITEM_NS;
        good = length_dw * 4u <= there && ((item[0] & 0xffu) == ITEM_NOOP || length_dw <= MOST_ITEM_DW);
        for (uint32_t i = 1; good && i < length_dw && i < MOST_ITEM_DW; i++)
            guc_load(k, c->queue + (head + i * 4u) % bytes, &item[i], 4);
        good = good && process_work_item(g, id, item, length_dw);
        if (good)
            head = (head + length_dw * 4u) % bytes;
    }
    guc_store32(k, c->queue_descriptor, head);
    if (!good) {
        report_error(g->log, SOFTGT_GUEST_ERROR, g->by.name, c->queue + head,
                     "invalid work item in the work queue of context %u", id);
        const uint32_t wrong[2] = {head, QUEUE_COMMAND_ERROR};
        guc_store(k, c->queue_descriptor + QUEUE_ERROR * 4u, wrong, sizeof wrong);
    }
}

void guc_process_work(struct guc *g, uint32_t id)
{
    if (guc_context(g, id)->children || guc_context(g, id)->queue_descriptor)
        process_work_queue(g, id);
    else
        guc_context_submit(g, id);
}

static enum guc_error sched_context(struct guc_request *c)
{
    enum guc_error error;
    if (find_context(c, &error))
        guc_process_work(c->guc, context_id(c, 0));
    return error;
}

/* Enables a context, or disables it: then it first leaves its engine. Requests that come meanwhile are
 * answered in order when it has left. */
static enum guc_error set_mode(struct guc_request *c)
{
    struct guc *g = c->guc;
    const uint32_t id = context_id(c, 0);
    enum guc_error error;
    struct guc_context *context = find_context(c, &error);
    if (!context)
        return error;
    if (!(context->flags & CONTEXT_PENDING_DISABLE)) {
        if (c->dw[1])
            guc_context_enable(g, id);
        else
            guc_context_begin_leave(g, id, CONTEXT_PENDING_DISABLE);
        return GUC_DONE;
    }
    if (context->flags & CONTEXT_PENDING_ENABLE ||
        (context->flags & CONTEXT_PENDING_DONE_MASK) == CONTEXT_PENDING_DONE_MASK)
        return GUC_ERROR_STATE;
    context->flags += c->dw[1] ? CONTEXT_PENDING_ENABLE : CONTEXT_PENDING_DONE_ONE;
    return GUC_DONE;
}

static enum guc_error client_soft_reset(struct guc_request *c)
{
    struct guc *g = c->guc;
    c->function->ct = (struct guc_ct){0};
    c->function->backlog = (struct g2h_backlog){0};
    if (g->vf_count) {
        guc_drop_function_contexts(g, c->function->number);
    } else {
        guc_doorbells_disarm_all(g);
        guc_drop_all_contexts(g, true);
    }
    if (c->function->number)
        return GUC_DONE;
    g->boot.engine_usage = g->boot.activity = g->boot.activity_metadata = 0;
    return GUC_DONE;
}

/* ---- Doorbells ---- */

static enum guc_error allocate_doorbell(struct guc_request *c)
{
    enum guc_error error;
    return find_context(c, &error) ? guc_doorbell_arm(c->guc, context_id(c, 0), c->dw[1], c->dw[2], c->dw[3])
                                   : error;
}

static enum guc_error deallocate_doorbell(struct guc_request *c)
{
    enum guc_error error;
    if (find_context(c, &error))
        guc_doorbell_disarm(c->guc, context_id(c, 0));
    return error;
}

#define ABI "Linux, guc_actions_abi.h"
static const struct field context_fields[] = {FIELD_DW("Context", 0)};
static const struct field mode_fields[] = {FIELD_DW("Context", 0),
                                           {.name = "Enable", .first = 32, .last = 32, .kind = FIELD_BOOL}};
static const struct field_value context_types[] = {
    {"normal", 0}, {"saves compression", 1}, {"restores compression", 2}, {NULL, 0}};
static const struct field_value classes[] = {{"render", 0}, {"video", 1},   {"video enhancement", 2},
                                             {"copy", 3},   {"compute", 4}, {"other", 5},
                                             {NULL, 0}};
#define REGISTRATION                                                                                         \
    {.name = "Of the Kernel", .first = 0, .last = 0, .kind = FIELD_BOOL},                                    \
        {.name = "Type", .first = 1, .last = 2, .values = context_types}, FIELD_DW("Context", 1),            \
        {.name = "Class", .first = 64, .last = 95, .values = classes}, FIELD_BITS("Engines", 3),             \
        FIELD_AT("Queue Descriptor", 4), FIELD_AT("Queue", 6), FIELD_DW("Queue Bytes", 8)
static const struct field register_fields[] = {REGISTRATION, FIELD_AT("Context Descriptor", 9)};
static const struct field parallel_fields[] = {REGISTRATION, FIELD_DW("Contexts", 9),
                                               FIELD_AT("Context Descriptor", 10)};
static const struct field_value keys[] = {{"quantum", 0x2001},   {"preemption timeout", 0x2002},
                                          {"priority", 0x2003},  {"preempt to idle", 0x2004},
                                          {"frequency", 0x2005}, {NULL, 0}};
static const struct field policy_fields[] = {
    FIELD_DW("Context", 0),
    {.name = "Key", .first = 48, .last = 63, .kind = FIELD_HEX, .values = keys},
    {.name = "Length", .first = 32, .last = 47},
    FIELD_DW("Value", 2)};
static const struct field address_fields[] = {
    {.name = "Policies", .first = 0, .last = 31, .kind = FIELD_ADDRESS}};
static const struct field doorbell_fields[] = {
    FIELD_DW("Context", 0),
    FIELD_DW("Doorbell", 1),
    {.name = "In Memory", .first = 64, .last = 64, .kind = FIELD_BOOL},
    FIELD_BITS("Place", 3)};

static const struct guc_message rows[] = {
    {.name = "SCHED_CONTEXT",
     .action = 0x1000,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(context_fields),
     .handle = sched_context,
     .summary = "A context has more work.",
     .spec = ABI},
    {.name = "SCHED_CONTEXT_MODE_SET",
     .action = 0x1001,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 2,
     .max_dw = 2,
     FIELDS(mode_fields),
     .handle = set_mode,
     .summary = "Enables or disables a context; SCHED_CONTEXT_MODE_DONE follows.",
     .spec = ABI},
    {.name = "UPDATE_CONTEXT_POLICIES",
     .action = 0x100b,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 250,
     .checked_dw = 1,
     FIELDS(policy_fields),
     .handle = set_policies,
     .summary = "Sets a context's priority, execution quantum and preemption timeout, by key.",
     .spec = ABI},
    {.name = "REGISTER_CONTEXT",
     .action = 0x4502,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 11,
     .max_dw = 11,
     .unknown_value_error = GUC_ERROR_PARAMETERS,
     FIELDS(register_fields),
     .handle = register_context,
     .summary = "Registers a context by an id.",
     .spec = ABI},
    {.name = "REGISTER_CONTEXT_MULTI_LRC",
     .action = 0x4601,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 12,
     .max_dw = 10 + 2 * GUC_ENGINES,
     .checked_dw = 10,
     .unknown_value_error = GUC_ERROR_PARAMETERS,
     FIELDS(parallel_fields),
     .handle = register_parallel,
     .summary = "Registers contexts that run at the same time (parallel submission).",
     .spec = ABI},
    {.name = "DEREGISTER_CONTEXT",
     .action = 0x4503,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(context_fields),
     .handle = deregister,
     .summary = "Unregisters a context; DEREGISTER_CONTEXT_DONE follows.",
     .spec = ABI},
    {.name = "GLOBAL_SCHED_POLICY_CHANGE",
     .action = 0x506,
     .transports = VIA_CTB,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(address_fields),
     .handle = set_global_policies,
     .summary = "Sets the global scheduling policies, in memory.",
     .spec = ABI},
    {.name = "CLIENT_SOFT_RESET",
     .action = 0x5507,
     .transports = VIA_MMIO | VIA_CTB | FROM_VF,
     .max_dw = 0,
     .handle = client_soft_reset,
     .summary = "Drops all contexts and the CT buffers of the function.",
     .spec = ABI},
    {.name = "ALLOCATE_DOORBELL",
     .action = 0x10,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 4,
     .max_dw = 4,
     FIELDS(doorbell_fields),
     .handle = allocate_doorbell,
     .summary = "Arms a doorbell for a context: a cache line of memory or a page of registers. The layout of "
                "the message is our choice.",
     .spec = "SYS-14"},
    {.name = "DEALLOCATE_DOORBELL",
     .action = 0x20,
     .transports = VIA_CTB | FROM_VF,
     .min_dw = 1,
     .max_dw = 1,
     FIELDS(context_fields),
     .handle = deallocate_doorbell,
     .summary = "Disarms a context's doorbell.",
     .spec = "SYS-14"},
};

const struct guc_messages guc_scheduling_messages = GUC_MESSAGES(rows);
