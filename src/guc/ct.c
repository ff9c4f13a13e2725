/*
 * Transport of messages. MMIO: four registers, answered when the host interrupts. CT buffers: two rings of
 * dwords in memory, each with a descriptor (head, tail, status) that both sides write. A CT message has a
 * header dword (fence 31:16, format 15:12, length 7:0). The rest is the same as by MMIO: a dword with origin
 * 31 and type 30:28, then the payload. (Linux, guc_communication_ctb_abi.h, guc_messages_abi.h)
 */
#include "guc/interrupts.h"
#include "guc/registers.h"

#include <string.h>

enum { DESCRIPTOR_HEAD, DESCRIPTOR_TAIL, DESCRIPTOR_STATUS, DESCRIPTOR_DW };
enum { STATUS_OVERFLOW = 1, STATUS_UNDERFLOW = 2, STATUS_MISMATCH = 4 };
enum {
    ROOM_FOR_EVENTS_DW = 64
}; /* space in the backlog that a request needs before it starts: it may send events */

const struct guc_messages *const guc_message_tables[] = {&guc_scheduling_messages, &guc_setup_messages,
                                                         &guc_function_messages, &guc_events, NULL};

const struct guc_message *guc_message_find(uint16_t action, bool from_guc)
{
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++)
            if ((*t)->rows[i].action == action && (*t)->rows[i].from_guc == from_guc)
                return &(*t)->rows[i];
    return NULL;
}

static uint32_t type_of(uint32_t header)
{
    return header >> 28 & 7u;
}

static uint32_t data0_of(uint32_t header)
{
    return header >> 16 & 0xfffu;
}

static const char *value_name(const struct field_value *v, uint32_t value, const char *otherwise)
{
    while (v->name && v->value != value)
        v++;
    return v->name ? v->name : otherwise;
}

static void trace_message(const struct guc_function *k, const struct guc_message *row, uint32_t fence,
                          const uint32_t *dw, uint32_t length_dw)
{
    const uint32_t type = type_of(dw[0]);
    if (tracing(k->guc->log, SOFTGT_TRACE_GUC))
        trace_event(k->guc->log,
                    (struct softgt_event){
                        .what = SOFTGT_TRACE_GUC,
                        .kind = dw[0] & GUC_ORIGIN ? SOFTGT_EVENT_FROM_GUC : SOFTGT_EVENT_TO_GUC,
                        .unit = k->guc->by.name,
                        .index = k->number,
                        .name = row ? row->name : "unknown message",
                        .text = value_name(guc_type_names, type, "no type"),
                        .by = type == GUC_FAILURE ? value_name(guc_error_names, dw[0] & 0xffffu, "") : "",
                        .address = fence,
                        .value = type == GUC_FAILURE || !row ? dw[0] & 0xffffu : row->action,
                        .dwords = dw,
                        .length_dw = length_dw});
}

/* VFs have no interrupt registers. */
void guc_interrupt_host(struct guc_function *k, uint32_t bits)
{
    struct guc *const g = k->guc;
    if (!k->number)
        guc_register_set(g, GUC_TO_HOST_INTERRUPT, bits);
    guc_count_adverse_event(g, k->number, VF_THRESHOLD_IRQ_STORM);
    if (k->ct.memirq_status &&
        !(guc_can_access(k, k->ct.memirq_status, 16) && guc_can_access(k, k->ct.memirq_source, 1)))
        return;
    if (k->ct.memirq_status)
        memirq_raise(g->interrupt, &k->mmu,
                     (struct memirq_addresses){k->ct.memirq_status, k->ct.memirq_source}, bits);
    else if (!k->number)
        g->interrupt->info->raise(g->interrupt, g->info->interrupt, bits);
}

/* ---- Requests ---- */

static enum guc_error check_request(const struct guc_request *c, const struct guc_message_index_entry *known,
                                    uint32_t header, unsigned way)
{
    const uint32_t type = type_of(header);
    if (header & GUC_ORIGIN || type > GUC_FAST_REQUEST || (type != GUC_REQUEST && way == VIA_MMIO))
        return GUC_ERROR_PROTOCOL;
    if (!known)
        return GUC_ERROR_UNKNOWN_ACTION;
    const struct guc_message *const row = known->row;
    if (!(row->transports & way))
        return GUC_ERROR_NOT_SUPPORTED;
    if (c->function->number && !(row->transports & FROM_VF))
        return GUC_ERROR_NO_PERMISSION;
    if (c->length_dw < row->min_dw || c->length_dw > row->max_dw || data0_of(header) > row->max_data0)
        return GUC_ERROR_PARAMETERS;
    return guc_message_check(known, c->dw, c->length_dw);
}

static enum guc_error run_request(struct guc_request *c, const struct guc_message_index_entry *known,
                                  uint32_t header, unsigned way)
{
    struct guc *g = c->guc;
    enum guc_error error = check_request(c, known, header, way);
    if (error == GUC_DONE)
        error = known->row->handle(c);
    if (error == GUC_DONE)
        return error;
    g->totals.failures++;
    g->totals.unknown += error == GUC_ERROR_UNKNOWN_ACTION;
    report_error(g->log, error == GUC_ERROR_UNKNOWN_ACTION ? SOFTGT_NOT_MODELLED : SOFTGT_GUEST_ERROR,
                 g->by.name, header & 0xffffu, "request %s (action %x) failed: %s",
                 known ? known->row->name : "unknown", header & 0xffffu,
                 value_name(guc_error_names, error, ""));
    return error;
}

/* Builds the header and data of a reply; returns the length. */
static uint32_t build_reply(const struct guc_request *c, enum guc_error error, uint32_t dw[1 + GUC_REPLY_DW])
{
    struct guc *g = c->guc;
    if (error != GUC_DONE) {
        dw[0] = GUC_ORIGIN | (uint32_t)GUC_FAILURE << 28 | error;
        return 1;
    }
    g->totals.replies++;
    dw[0] = GUC_ORIGIN | (uint32_t)GUC_SUCCESS << 28 | (c->reply & 0xfffffffu);
    memcpy(dw + 1, c->reply_data, c->reply_data_dw * 4u);
    return 1 + c->reply_data_dw;
}

/* ---- MMIO ---- */

/* False: there is no request. */
static bool serve_mailbox(struct guc_function *k)
{
    struct guc *const g = k->guc;
    const uint32_t mailbox = g->info->mailbox + k->number * GUC_FUNCTION_BYTES;
    uint32_t dw[1 + GUC_REPLY_DW] = {0};
    for (unsigned i = 0; i < MAILBOX_DW; i++)
        dw[i] = guc_register(g, mailbox + i * 4u);
    if (dw[0] & GUC_ORIGIN || !dw[0])
        return false; /* a reply or nothing: the H2G buffer is meant */
    const struct guc_message_index_entry *const known = guc_message_lookup(g->message_index, (uint16_t)dw[0]);
    const struct guc_message *const row = known ? known->row : NULL;
    /* The registers do not tell the length of a message. */
    struct guc_request c = {.guc = g,
                            .function = k,
                            .dw = dw + 1,
                            .data0 = data0_of(dw[0]),
                            .length_dw = row && row->max_dw < MAILBOX_DW ? row->max_dw : MAILBOX_DW - 1u};
    g->totals.requests++;
    trace_message(k, row, 0, dw, 1 + c.length_dw);
    const enum guc_error error = run_request(&c, known, dw[0], VIA_MMIO);
    const uint32_t length_dw = build_reply(&c, error, dw);
    for (uint32_t i = length_dw; i-- > 0;)
        guc_register_set(g, mailbox + i * 4u, dw[i]);
    trace_message(k, row, 0, dw, length_dw);
    return true;
}

/* A request is kept while the core is not ready or the function does not run. Then both may be there, one by
 * MMIO and some by CTB. (SYS-16) */
static void host_interrupt_service(struct guc_function *k, bool at_once)
{
    enum { ANSWER_NS = 1000 };
    struct guc *const g = k->guc;
    uint32_t *const pending = k->number ? &k->state.host_interrupt_pending : &g->boot.host_interrupt_pending;
    if (!*pending || !(k->number ? guc_is_serving(g) : guc_running(g)) ||
        !g->derived.pin_level[guc_host_group(k->number)] || !guc_function_is_running(g, k->number))
        return;
    *pending = 0;
    guc_register_set(g, GUC_HOST_INTR_IIR, 0);
    g->log->cost.ns += ANSWER_NS;
    if (!serve_mailbox(k) || !at_once)
        k->ct.h2g_pending = 1;
}

void guc_host_interrupt(struct guc_function *k)
{
    if (k->number)
        k->state.host_interrupt_pending = 1;
    else
        k->guc->boot.host_interrupt_pending = 1;
    host_interrupt_service(k, true);
}

void guc_service_host_interrupts(struct guc *g)
{
    for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
        host_interrupt_service(k, false);
}

/* ---- G2H ---- */

static void ctb_break(struct guc_function *k, struct guc_ctb *b, uint32_t status, const char *why)
{
    report_error(k->guc->log, SOFTGT_GUEST_ERROR, k->guc->by.name, b->descriptor, "%s buffer broken: %s",
                 b == &k->ct.ctbs[H2G] ? "from" : "to", why);
    if (status)
        guc_store32(k, b->descriptor + DESCRIPTOR_STATUS * 4u, status);
    b->broken = 1;
}

/* Writes a whole message to the G2H buffer; false: no space. */
static bool ctb_put(struct guc_function *k, const uint32_t *dw, uint32_t length_dw)
{
    struct guc_ctb *const b = &k->ct.ctbs[G2H];
    uint32_t descriptor[DESCRIPTOR_DW];
    if (!b->enabled || b->broken)
        return true; /* the host does not listen */
    const uint32_t size_dw = b->bytes / 4u;
    const bool there = guc_load(k, b->descriptor, descriptor, sizeof descriptor);
    if (!there || descriptor[DESCRIPTOR_STATUS]) {
        ctb_break(k, b, 0, there ? "the status is set" : "the descriptor is not mapped");
        return true;
    }
    if (descriptor[DESCRIPTOR_HEAD] >= size_dw || descriptor[DESCRIPTOR_TAIL] != b->position_dw) {
        const bool past = descriptor[DESCRIPTOR_HEAD] >= size_dw;
        ctb_break(k, b, past ? STATUS_OVERFLOW : STATUS_MISMATCH,
                  past ? "the head is past the end" : "the tail is not the GuC's");
        return true;
    }
    const uint32_t free_dw = (descriptor[DESCRIPTOR_HEAD] + size_dw - b->position_dw - 1u) % size_dw;
    if (length_dw > free_dw)
        return false;
    const uint32_t first_dw = size_dw - b->position_dw < length_dw ? size_dw - b->position_dw : length_dw;
    guc_store(k, b->address + b->position_dw * 4u, dw, first_dw * 4u);
    if (first_dw < length_dw)
        guc_store(k, b->address, dw + first_dw, (length_dw - first_dw) * 4u);
    b->position_dw = (b->position_dw + length_dw) % size_dw;
    guc_store32(k, b->descriptor + DESCRIPTOR_TAIL * 4u, b->position_dw);
    guc_interrupt_host(k, GUC_INTERRUPT_HOST);
    return true;
}

/* Messages in the backlog follow their length. The backlog keeps space for the events of one request. */
static void g2h_send(struct guc_function *k, const struct guc_message *row, uint32_t fence,
                     const uint32_t *dw, uint32_t length_dw)
{
    uint32_t message[GUC_MESSAGE_DW];
    struct g2h_backlog *const o = &k->backlog;
    trace_message(k, row, fence, dw, length_dw);
    message[0] = fence << 16 | length_dw;
    memcpy(message + 1, dw, length_dw * 4u);
    if (!o->count && ctb_put(k, message, length_dw + 1u))
        return;
    if (o->count + length_dw + 1u >
        G2H_BACKLOG_DW) { /* only if one function reads no messages: see guc_receive */
        ctb_break(k, &k->ct.ctbs[G2H], STATUS_OVERFLOW, "the host reads no messages");
        *o = (struct g2h_backlog){0};
        return;
    }
    for (uint32_t i = 0; i <= length_dw; i++)
        o->dw[(o->first + o->count++) % G2H_BACKLOG_DW] = message[i];
}

bool guc_send_backlog(struct guc_function *k)
{
    struct g2h_backlog *const o = &k->backlog;
    while (o->count) {
        uint32_t message[GUC_MESSAGE_DW];
        const uint32_t length_dw = (o->dw[o->first] & 0xffu) + 1u;
        for (uint32_t i = 0; i < length_dw; i++)
            message[i] = o->dw[(o->first + i) % G2H_BACKLOG_DW];
        if (!ctb_put(k, message, length_dw))
            return false;
        o->first = (o->first + length_dw) % G2H_BACKLOG_DW;
        o->count -= length_dw < o->count ? length_dw : o->count;
    }
    return true;
}

void guc_send_event(struct guc *g, unsigned function, uint16_t action, const uint32_t *payload,
                    uint32_t length_dw)
{
    struct guc_function *const k = &g->functions[function];
    uint32_t dw[GUC_MESSAGE_DW];
    dw[0] = GUC_ORIGIN | (uint32_t)GUC_EVENT << 28 | action;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[1 + i] = payload[i];
    g->totals.events++;
    g2h_send(k, guc_message_find(action, true), 0, dw, 1 + length_dw);
}

/* ---- H2G ---- */

static void ctb_load(struct guc_function *k, const struct guc_ctb *b, uint32_t *dw, uint32_t length_dw)
{
    const uint32_t size_dw = b->bytes / 4u,
                   first_dw = size_dw - b->position_dw < length_dw ? size_dw - b->position_dw : length_dw;
    guc_load(k, b->address + b->position_dw * 4u, dw, first_dw * 4u);
    if (first_dw < length_dw)
        guc_load(k, b->address, dw + first_dw, (length_dw - first_dw) * 4u);
}

static void serve_request(struct guc_function *k, uint32_t fence, const uint32_t *dw, uint32_t length_dw)
{
    const uint32_t header = dw[0], type = type_of(header);
    const struct guc_message_index_entry *const known =
        guc_message_lookup(k->guc->message_index, (uint16_t)header);
    const struct guc_message *const row = known ? known->row : NULL;
    struct guc_request c = {
        .guc = k->guc, .function = k, .dw = dw + 1, .data0 = data0_of(header), .length_dw = length_dw - 1u};
    if (!k->ct.request_progress) {
        k->guc->totals.requests++;
        guc_count_adverse_event(k->guc, k->number, VF_THRESHOLD_H2G_STORM);
        trace_message(k, row, fence, dw, length_dw);
    }
    const enum guc_error error = run_request(&c, known, header, VIA_CTB);
    k->ct.request_progress = error == GUC_DONE ? k->ct.request_progress : 0;
    if (k->ct.request_progress)
        return;
    if (error == GUC_DONE ? type != GUC_REQUEST : type == GUC_EVENT && !(header & GUC_ORIGIN))
        return;
    uint32_t reply[1 + GUC_REPLY_DW];
    const uint32_t reply_dw = build_reply(&c, error, reply);
    g2h_send(k, row, fence, reply, reply_dw);
}

/* Replies with an error, without looking at the payload. */
static void reject_format(struct guc_function *k, uint32_t header)
{
    const uint32_t reply = GUC_ORIGIN | (uint32_t)GUC_FAILURE << 28 | GUC_ERROR_PROTOCOL;
    report_error(k->guc->log, SOFTGT_GUEST_ERROR, k->guc->by.name, header, "unknown CT message format");
    k->guc->totals.requests++;
    k->guc->totals.failures++;
    g2h_send(k, NULL, header >> 16, &reply, 1);
}

bool guc_receive(struct guc_function *k)
{
    struct guc_ctb *const b = &k->ct.ctbs[H2G];
    uint32_t descriptor[DESCRIPTOR_DW];
    if (G2H_BACKLOG_DW - k->backlog.count < ROOM_FOR_EVENTS_DW)
        return false;
    k->ct.h2g_pending = 0;
    if (!b->enabled || b->broken)
        return false;
    const uint32_t size_dw = b->bytes / 4u;
    if (!guc_load(k, b->descriptor, descriptor, sizeof descriptor)) {
        b->broken = 1;
        return false;
    }
    if (descriptor[DESCRIPTOR_STATUS])
        return false;
    if (descriptor[DESCRIPTOR_HEAD] >= size_dw || descriptor[DESCRIPTOR_TAIL] >= size_dw) {
        ctb_break(k, b, STATUS_OVERFLOW, "the head or tail is past the end");
        return false;
    }
    if (descriptor[DESCRIPTOR_HEAD] != b->position_dw) {
        ctb_break(k, b, STATUS_MISMATCH, "the head is not the GuC's");
        return false;
    }
    const uint32_t there_dw = (descriptor[DESCRIPTOR_TAIL] + size_dw - b->position_dw) % size_dw;
    if (!there_dw)
        return false;
    uint32_t dw[GUC_MESSAGE_DW];
    ctb_load(k, b, dw, 1);
    const uint32_t header = dw[0], length_dw = header & 0xffu;
    if (length_dw + 1u > there_dw) {
        ctb_break(k, b, STATUS_UNDERFLOW, "a message ends behind the tail");
        return false;
    }
    ctb_load(k, b, dw, length_dw + 1u);
    const bool plain = header && length_dw && !(header >> 8 & 0xffu);
    const struct guc_message_index_entry *const known =
        plain ? guc_message_lookup(k->guc->message_index, (uint16_t)dw[1]) : NULL;
    const bool lasts = known && known->row->is_resumable;
    if (lasts)
        serve_request(k, header >> 16, dw + 1, length_dw);
    else
        k->ct.request_progress = 0; /* of an earlier request, which has gone */
    k->ct.h2g_pending = there_dw > length_dw + 1u || k->ct.request_progress; /* else nothing is left */
    if (lasts && k->ct.request_progress)
        return true; /* the message stays in the buffer */
    b->position_dw = (b->position_dw + length_dw + 1u) % size_dw;
    guc_store32(k, b->descriptor + DESCRIPTOR_HEAD * 4u, b->position_dw);
    if (header && !plain) /* zeros pad the end of the ring */
        reject_format(k, header);
    else if (plain && !lasts)
        serve_request(k, header >> 16, dw + 1, length_dw);
    return true;
}
