/* Messages of contexts: registered, given work, scheduled, taken back. (SYS-24; Linux, guc_actions_abi.h) */
#include "guc/doorbells.h"
#include "guc/schedule.h"

enum { LAST_ID = 65534 };

/* Ids that a function may use, from 0 on: the physical one those before everybody else's, where they are
 * apart from it. */
static uint32_t contexts_of(const struct guc_client *k)
{
    uint32_t own = k->function ? k->share.contexts : LAST_ID + 1u;
    for (unsigned n = 1; !k->function && k->guc->apart && n <= k->guc->functions; n++) {
        const struct guc_share *other = &k->guc->clients[n].share;
        own = other->contexts && other->first_context < own ? other->first_context : own;
    }
    return own;
}

/* The id in a dword of the message, as the GuC counts them. */
static uint32_t id_in(const struct guc_call *c, unsigned dw)
{
    return c->dw[dw] + (c->client->function ? c->client->share.first_context : 0);
}

/* A context by its id, that is one and no child. */
static struct guc_context *named(struct guc_call *c, enum guc_error *error)
{
    struct guc_context *context = c->dw[0] < contexts_of(c->client) ? guc_context(c->guc, id_in(c, 0)) : NULL;
    *error = !context                                                             ? GUC_ERROR_CONTEXT
             : !(context->flags & CONTEXT_REGISTERED)                             ? GUC_ERROR_NOT_REGISTERED
             : context->flags & CONTEXT_DEREGISTERS                               ? GUC_ERROR_NOT_REGISTERED
             : context->parent || guc_function_of(context) != c->client->function ? GUC_ERROR_CONTEXT
                                                                                  : GUC_DONE;
    return *error == GUC_DONE ? context : NULL;
}

/* ---- Registration ---- */

/* Engines of a class, by their logical numbers. */
static uint32_t engines_of(const struct guc *g, uint32_t class, uint32_t logical)
{
    uint32_t engines = 0;
    for (unsigned e = 0; e < g->engine_count; e++)
        if (g->class_of[e] == class && logical >> g->logical_of[e] & 1u)
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

static enum guc_error check(const struct guc_call *c, uint32_t count)
{
    const uint32_t *dw = c->dw;
    const uint32_t contexts = contexts_of(c->client), id = id_in(c, REGISTER_ID);
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

static void enrol(struct guc_call *c, uint32_t id, uint32_t descriptor, uint32_t engines)
{
    *guc_context(c->guc, id) = (struct guc_context){
        .flags = CONTEXT_REGISTERED | c->client->function << CONTEXT_FUNCTION_SHIFT,
        .descriptor = descriptor,
        .engines = engines,
        .class = c->dw[REGISTER_CLASS],
        .priority = USUAL_PRIORITY,
    };
    guc_context_used(c->guc, id);
}

static enum guc_error register_context(struct guc_call *c)
{
    const uint32_t *dw = c->dw;
    const enum guc_error error = check(c, 1);
    if (error == GUC_DONE)
        enrol(c, id_in(c, REGISTER_ID), dw[REGISTER_DESCRIPTOR],
              engines_of(c->guc, dw[REGISTER_CLASS], dw[REGISTER_ENGINES]));
    return error;
}

/* A parent and its children, which run beside it: the first of the engines named from which on there is one
 * for each. (Linux, i915 and xe name those that the parent may run on) */
static enum guc_error register_parallel(struct guc_call *c)
{
    const uint32_t *dw = c->dw, count = dw[REGISTER_COUNT], id = id_in(c, REGISTER_ID);
    if (!count || count > GUC_ENGINES || c->length_dw != REGISTER_DESCRIPTORS + count * 2u ||
        dw[REGISTER_QUEUE_BYTES] % 4u || dw[REGISTER_QUEUE_BYTES] > GUC_MOST_QUEUE_BYTES)
        return GUC_ERROR_PARAMETERS;
    const enum guc_error error = check(c, count);
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
        enrol(c, id + i, dw[REGISTER_DESCRIPTORS + i * 2u],
              engines_of(c->guc, dw[REGISTER_CLASS], 1u << (first + i)));
        guc_context(c->guc, id + i)->parent = i ? id + 1u : 0;
    }
    struct guc_context *parent = guc_context(c->guc, id);
    parent->children = count - 1u;
    parent->queue_descriptor = dw[REGISTER_QUEUE_DESCRIPTOR];
    parent->queue = dw[REGISTER_QUEUE];
    parent->queue_bytes = dw[REGISTER_QUEUE_BYTES];
    guc_adverse(c->guc, c->client->function, GUC_THRESHOLD_PARALLEL);
    return GUC_DONE;
}

static enum guc_error deregister(struct guc_call *c)
{
    enum guc_error error;
    struct guc_context *context = named(c, &error);
    if (context) {
        guc_doorbell_disarm(c->guc, id_in(c, 0));
        guc_context_leave(c->guc, id_in(c, 0), CONTEXT_DEREGISTERS);
    }
    return error;
}

/* ---- Policies ---- */

static enum guc_error set_policies(struct guc_call *c)
{
    enum { KEY_QUANTUM = 0x2001, KEY_PREEMPTION, KEY_PRIORITY, KEY_TO_IDLE, KEY_FREQUENCY };
    static const uint32_t most[] = {GUC_MOST_US, GUC_MOST_US, GUC_PRIORITIES - 1u, 1, UINT32_MAX};
    enum guc_error error;
    if (!named(c, &error))
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
    const uint32_t children = guc_context(c->guc, id_in(c, 0))->children;
    for (uint32_t at = 1; at < c->length_dw; at += 2) {
        const uint32_t key = c->dw[at] >> 16, value = c->dw[at + 1];
        if (key > KEY_PRIORITY)
            continue;
        for (uint32_t i = 0; i <= children; i++) {
            struct guc_context *context = guc_context(c->guc, id_in(c, 0) + i);
            uint32_t *const policy = key == KEY_QUANTUM      ? &context->quantum_us
                                     : key == KEY_PREEMPTION ? &context->preemption_us
                                                             : &context->priority;
            *policy = value;
            guc_context_changed(c->guc, id_in(c, 0) + i);
            if (key == KEY_PREEMPTION)
                guc_context_hurry(c->guc, id_in(c, 0) + i);
        }
    }
    guc_schedule_class(c->guc, guc_context(c->guc, id_in(c, 0))->engines);
    return GUC_DONE;
}

static enum guc_error set_global_policies(struct guc_call *c)
{
    uint32_t first;
    if (!guc_load(c->client, c->dw[0], &first, sizeof first))
        return GUC_ERROR_ADDRESS;
    c->guc->boot.policies = c->dw[0];
    return GUC_DONE;
}

/* ---- Work ---- */

/* A queue of work for a parent and its children: each item has the tails of their rings. */
enum { QUEUE_HEAD, QUEUE_TAIL, QUEUE_ERROR, QUEUE_STATUS, QUEUE_DW };
enum { QUEUE_ACTIVE = 1, QUEUE_COMMAND_ERROR = 3 };
enum { ITEM_NOOP = 4, ITEM_WORK = 5, ITEM_TAILS = 4, MOST_ITEM_DW = ITEM_TAILS + GUC_ENGINES };
enum { IMAGE_TAIL = PAGE_BYTES + 7 * 4 }; /* of the ring, in an image */

static bool put_tail(struct guc *g, uint32_t id, uint32_t qwords)
{
    return guc_store32(guc_client_of(g, id), (guc_context(g, id)->descriptor & ~0xfffu) + IMAGE_TAIL,
                       qwords * 8u);
}

/* False: the item is none. */
static bool take_item(struct guc *g, uint32_t id, const uint32_t *item, uint32_t length_dw)
{
    const uint32_t type = item[0] & 0xffu, children = guc_context(g, id)->children;
    if (type == ITEM_NOOP)
        return true;
    if (type != ITEM_WORK || length_dw != ITEM_TAILS + children || (item[2] & 0xffffu) != guc_local_id(g, id))
        return false;
    if (!put_tail(g, id, item[2] >> 18))
        return false;
    for (uint32_t i = 0; i < children; i++)
        if (!put_tail(g, id + 1u + i, item[ITEM_TAILS + i]))
            return false;
    for (uint32_t i = 0; i <= children; i++)
        guc_context_submit(g, id + i);
    return true;
}

static void take_queue(struct guc *g, uint32_t id)
{
    enum { ITEM_NS = 500 };
    const struct guc_context *c = guc_context(g, id);
    struct guc_client *const k = guc_client_of(g, id);
    uint32_t descriptor[QUEUE_DW];
    const uint32_t bytes = c->queue_bytes;
    if (!c->queue_descriptor || !guc_load(k, c->queue_descriptor, descriptor, sizeof descriptor))
        return;
    uint32_t head = descriptor[QUEUE_HEAD];
    const uint32_t tail = descriptor[QUEUE_TAIL];
    bool good = bytes && bytes % 4 == 0 && head < bytes && tail < bytes && head % 4 == 0 && tail % 4 == 0;
    /* An item takes a dword at least: this ends. */
    for (uint32_t taken = 0; good && head != tail && taken < bytes / 4u; taken++) {
        uint32_t item[MOST_ITEM_DW] = {0};
        guc_load(k, c->queue + head, item, 4);
        const uint32_t length_dw = (item[0] >> 16 & 0x7ffu) + 1u;
        const uint32_t there = (tail + bytes - head) % bytes;
        g->witness->cost_ns += ITEM_NS;
        good = length_dw * 4u <= there && ((item[0] & 0xffu) == ITEM_NOOP || length_dw <= MOST_ITEM_DW);
        for (uint32_t i = 1; good && i < length_dw && i < MOST_ITEM_DW; i++)
            guc_load(k, c->queue + (head + i * 4u) % bytes, &item[i], 4);
        good = good && take_item(g, id, item, length_dw);
        if (good)
            head = (head + length_dw * 4u) % bytes;
    }
    guc_store32(k, c->queue_descriptor, head);
    if (!good) {
        complain(g->witness, SOFTGT_GUEST_ERROR, "guc", c->queue + head,
                 "the work queue of context %u: no item", id);
        const uint32_t wrong[2] = {head, QUEUE_COMMAND_ERROR};
        guc_store(k, c->queue_descriptor + QUEUE_ERROR * 4u, wrong, sizeof wrong);
    }
}

void guc_take_work(struct guc *g, uint32_t id)
{
    if (guc_context(g, id)->children || guc_context(g, id)->queue_descriptor)
        take_queue(g, id);
    else
        guc_context_submit(g, id);
}

static enum guc_error schedule(struct guc_call *c)
{
    enum guc_error error;
    if (named(c, &error))
        guc_take_work(c->guc, id_in(c, 0));
    return error;
}

/* Enabled, a context may have work; disabled, it leaves its engine first. Whatever is asked while it leaves
 * is told when it is out, in that order. */
static enum guc_error set_mode(struct guc_call *c)
{
    struct guc *g = c->guc;
    const uint32_t id = id_in(c, 0);
    enum guc_error error;
    struct guc_context *context = named(c, &error);
    if (!context)
        return error;
    if (!(context->flags & CONTEXT_DISABLES)) {
        if (c->dw[1])
            guc_context_enable(g, id);
        else
            guc_context_leave(g, id, CONTEXT_DISABLES);
        return GUC_DONE;
    }
    if (context->flags & CONTEXT_ENABLES || (context->flags & CONTEXT_MOST_OWED) == CONTEXT_MOST_OWED)
        return GUC_ERROR_STATE;
    context->flags += c->dw[1] ? CONTEXT_ENABLES : CONTEXT_OWED;
    return GUC_DONE;
}

static enum guc_error forget(struct guc_call *c)
{
    struct guc *g = c->guc;
    c->client->channels = (struct guc_channels){0};
    c->client->outbox = (struct guc_outbox){0};
    if (g->functions) {
        guc_forget_function(g, c->client->function);
    } else {
        guc_forget_contexts(g, true);
        guc_doorbells_forget(g);
    }
    if (c->client->function)
        return GUC_DONE;
    g->boot.utilisation = g->boot.activity = g->boot.activity_metadata = 0;
    return GUC_DONE;
}

/* ---- Doorbells ---- */

static enum guc_error arm(struct guc_call *c)
{
    enum guc_error error;
    return named(c, &error) ? guc_doorbell_arm(c->guc, id_in(c, 0), c->dw[1], c->dw[2], c->dw[3]) : error;
}

static enum guc_error disarm(struct guc_call *c)
{
    enum guc_error error;
    if (named(c, &error))
        guc_doorbell_disarm(c->guc, id_in(c, 0));
    return error;
}

#define ABI "Linux, guc_actions_abi.h"
#define FIELD_DW(title, dw)                                                                                  \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 31, .kind = FIELD_UINT                            \
    }
#define FIELD_BITS(title, dw)                                                                                \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 31, .kind = FIELD_HEX                             \
    }
#define FIELD_AT(title, dw)                                                                                  \
    {                                                                                                        \
        .name = title, .first = (dw)*32, .last = (dw)*32 + 63, .kind = FIELD_ADDRESS                         \
    }
static const struct field context_fields[] = {FIELD_DW("Context", 0)};
static const struct field mode_fields[] = {FIELD_DW("Context", 0),
                                           {.name = "Enable", .first = 32, .last = 32, .kind = FIELD_BOOL}};
static const struct field_value context_types[] = {
    {"normal", 0}, {"saves compression", 1}, {"restores compression", 2}, {NULL, 0}};
static const struct field_value classes[] = {{"render", 0}, {"video", 1},   {"video enhancement", 2},
                                             {"copy", 3},   {"compute", 4}, {NULL, 0}};
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
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 1,
     .most_dw = 1,
     FIELDS(context_fields),
     .handle = schedule,
     .summary = "There is more work for a context.",
     .spec = ABI},
    {.name = "SCHED_CONTEXT_MODE_SET",
     .action = 0x1001,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 2,
     .most_dw = 2,
     FIELDS(mode_fields),
     .handle = set_mode,
     .summary = "Turns a context's scheduling on or off; SCHED_CONTEXT_MODE_DONE follows.",
     .spec = ABI},
    {.name = "UPDATE_CONTEXT_POLICIES",
     .action = 0x100b,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 1,
     .most_dw = 250,
     .rest_dw = 2,
     FIELDS(policy_fields),
     .handle = set_policies,
     .summary = "How urgent a context is, for how long it runs, how long it may take to leave; by key.",
     .spec = ABI},
    {.name = "REGISTER_CONTEXT",
     .action = 0x4502,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 11,
     .most_dw = 11,
     .unnamed = GUC_ERROR_PARAMETERS,
     FIELDS(register_fields),
     .handle = register_context,
     .summary = "Gives a context an id.",
     .spec = ABI},
    {.name = "REGISTER_CONTEXT_MULTI_LRC",
     .action = 0x4601,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 12,
     .most_dw = 10 + 2 * GUC_ENGINES,
     .rest_dw = 11,
     .unnamed = GUC_ERROR_PARAMETERS,
     FIELDS(parallel_fields),
     .handle = register_parallel,
     .summary = "The same for contexts that run beside each other.",
     .spec = ABI},
    {.name = "DEREGISTER_CONTEXT",
     .action = 0x4503,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 1,
     .most_dw = 1,
     FIELDS(context_fields),
     .handle = deregister,
     .summary = "Takes a context's id; DEREGISTER_CONTEXT_DONE follows.",
     .spec = ABI},
    {.name = "GLOBAL_SCHED_POLICY_CHANGE",
     .action = 0x506,
     .ways = BY_BUFFER,
     .least_dw = 1,
     .most_dw = 1,
     FIELDS(address_fields),
     .handle = set_global_policies,
     .summary = "Policies for all contexts are in memory.",
     .spec = ABI},
    {.name = "CLIENT_SOFT_RESET",
     .action = 0x5507,
     .ways = BY_MAILBOX | BY_BUFFER | BY_FUNCTION,
     .most_dw = 0,
     .handle = forget,
     .summary = "Forgets all contexts and the buffers.",
     .spec = ABI},
    {.name = "ALLOCATE_DOORBELL",
     .action = 0x10,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 4,
     .most_dw = 4,
     FIELDS(doorbell_fields),
     .handle = arm,
     .summary = "Arms a doorbell for a context: a cacheline of memory, or a page of registers. How the "
                "message lies is our choice.",
     .spec = "SYS-14"},
    {.name = "DEALLOCATE_DOORBELL",
     .action = 0x20,
     .ways = BY_BUFFER | BY_FUNCTION,
     .least_dw = 1,
     .most_dw = 1,
     FIELDS(context_fields),
     .handle = disarm,
     .summary = "A context has no doorbell any more.",
     .spec = "SYS-14"},
};

const struct guc_messages guc_scheduling_messages = GUC_MESSAGES(rows);
