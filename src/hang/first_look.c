#include "hang/first_look.h"

#include "stream/names.h"

#include <stdio.h>
#include <string.h>

enum { OFFSET_MASK = 0x1ffffc, MI_SEMAPHORE_WAIT = 0x1c, MI_WAIT_FOR_EVENT = 0x03 };

struct look {
    struct text *t;
    const struct error_walk *w;
    const struct error_engine *engine;
    const struct register_file *file;
};

static unsigned long long number(uint64_t value)
{
    return value;
}

static const char *position_name(const struct error_position *p)
{
    return p->row ? p->row->name : "an unknown command";
}

static void say_who(const struct look *l)
{
    const struct error_state *const s = l->w->state;
    const struct error_engine *const e = l->engine;
    const char *const process = e->process[0] ? e->process : s->process;
    const int64_t pid = e->process[0] ? e->pid : s->pid;
    text_format(l->t, "%s %s", e->name, e->hung ? "hung" : "did not hang");
    if (process[0])
        text_format(l->t, "%s %s", e->hung ? " in process" : "; its process was", process);
    if (process[0] && pid)
        text_format(l->t, " [%lld]", (long long)pid);
    if (e->has_guilt)
        text_format(l->t, e->is_guilty ? ", which was found guilty before" : ", which was not guilty before");
    text_format(l->t, ".");
}

/* ACTHD, and the command there. */
static void say_where(const struct look *l)
{
    const struct error_walk *const w = l->w;
    const struct error_position *const at = &w->at;
    if (!w->has_acthd)
        return;
    const struct error_buffer *const b = at->stream.buffer;
    if (!at->is_known) {
        text_format(l->t, " ACTHD 0x%llx is in %s: no command there is in the file.", number(w->acthd),
                    w->acthd_in_batch ? "a batch" : "the ring");
        if (w->endless)
            text_format(l->t, " The batch at 0x%llx ends without MI_BATCH_BUFFER_END.",
                        number(w->endless->address));
        return;
    }
    text_format(l->t, " ACTHD 0x%llx is in the %s at 0x%llx, %llu bytes in, at %s (0x%08x).",
                number(w->acthd), at->stream.kind == ERROR_RING ? "ring" : "batch", number(b->address),
                number(w->acthd - b->address), position_name(at), at->dw[0]);
}

/* IPEHR: the header of the command that the parser took last. */
static void say_header(const struct look *l)
{
    const struct error_walk *const w = l->w;
    uint64_t value;
    if (!error_register_value(l->engine, "IPEHR", &value))
        return;
    const uint32_t header = (uint32_t)value;
    const uint16_t number_of_row = command_find(w->set, w->class, header);
    text_format(l->t, " IPEHR 0x%08x is %s", header,
                number_of_row ? w->set->rows[number_of_row]->name : "no command of this engine");
    if (w->at.is_known && w->at.dw[0] == header)
        text_format(l->t, ", that command");
    else if (w->before.is_known && w->before.dw[0] == header)
        text_format(l->t, ", the command before it");
    else if (w->at.is_known)
        text_format(l->t, ", another command");
    text_format(l->t, ".");
}

static const struct error_position *position_of(const struct error_walk *w, unsigned opcode)
{
    if (w->at.is_known && w->at.row && w->at.dw[0] >> 23 == opcode)
        return &w->at;
    return w->before.is_known && w->before.row && w->before.dw[0] >> 23 == opcode ? &w->before : NULL;
}

static const char *comparison(const struct error_position *p)
{
    for (unsigned i = 0; i < p->row->field_count; i++)
        if (strcmp(p->row->fields[i].name, "Compare Operation") == 0)
            return field_value_name(&p->row->fields[i],
                                    field_get(&p->row->fields[i], p->dw, (uint32_t)p->length_dw));
    return NULL;
}

/* A wait: the cause is whoever should end it. */
static void say_wait(const struct look *l)
{
    const struct error_walk *const w = l->w;
    const struct error_position *const p = position_of(w, MI_SEMAPHORE_WAIT);
    if (!p) {
        if (position_of(w, MI_WAIT_FOR_EVENT))
            text_format(l->t, " It waits for an event: look for who should have sent it.");
        return;
    }
    const uint64_t address = named_number(p->row, "Semaphore Address", p->dw, p->length_dw);
    const char *const compare = comparison(p);
    uint32_t value;
    if (named_number(p->row, "Register Poll Mode", p->dw, p->length_dw)) {
        text_format(l->t, " It waits for register 0x%llx.", number(address));
        return;
    }
    const enum error_space space =
        named_number(p->row, "Memory Type", p->dw, p->length_dw) ? ERROR_GGTT : ERROR_PPGTT;
    text_format(l->t, " It waits for the semaphore at 0x%llx: %s 0x%llx", number(address),
                compare ? compare : "compared with",
                number(named_number(p->row, "Semaphore Data Dword", p->dw, p->length_dw)));
    if (error_state_read(w->state, w->engine, space, address, &value, sizeof value))
        text_format(l->t, "; memory has 0x%x.", value);
    else
        text_format(l->t, "; its memory is not in the file.");
}

static void say_ring(const struct look *l)
{
    uint64_t head, tail;
    if (!error_register_value(l->engine, "RING_BUFFER_HEAD", &head) ||
        !error_register_value(l->engine, "RING_BUFFER_TAIL", &tail))
        return;
    head &= OFFSET_MASK, tail &= OFFSET_MASK;
    if (head == tail)
        text_format(l->t, " The ring is empty (HEAD = TAIL = 0x%llx).", number(head));
    else
        text_format(l->t, " The ring's HEAD is 0x%llx, its TAIL 0x%llx.", number(head), number(tail));
}

/* A register INSTDONE has a bit for each unit that is done; fields that are named "... Done" or "... IDLE".
 */
static void say_units(const struct look *l, const struct error_register *r)
{
    const struct register_slot *const slot = error_register_slot(l->file, l->engine->name, r);
    const uint32_t dw[2] = {(uint32_t)r->value}; /* a qword is read at once */
    const char *before = ": not done are ";
    char name[ERROR_NAME + 16];
    error_register_text(r, name, sizeof name);
    text_format(l->t, " %s 0x%08x", name, dw[0]);
    for (unsigned i = 0; slot && i < slot->row->field_count; i++) {
        const struct field *const f = &slot->row->fields[i];
        size_t length;
        if (!error_is_done_field(f, &length) || field_get(f, dw, 2))
            continue;
        text_format(l->t, "%s%.*s", before, (int)length, f->name);
        before = ", ";
    }
    if (before[0] == ':' && dw[0] != UINT32_MAX)
        text_format(l->t, slot && slot->row->field_count ? ": all units are done"
                                                         : ": zeros are units that are not done");
    text_format(l->t, ".");
}

/* Those with all bits set say nothing; a copy that reads zero is of a slice that the product does not have.
 */
static void say_busy(const struct look *l)
{
    enum { MOST = 4 };
    unsigned said = 0, busy = 0;
    for (unsigned i = 0; i < l->engine->register_count; i++) {
        const struct error_register *const r = &l->engine->registers[i];
        if (!strstr(r->name, "INSTDONE") || (uint32_t)r->value == UINT32_MAX ||
            (r->index[0] != ERROR_NO_INDEX && !r->value))
            continue;
        busy++;
        if (said++ < MOST)
            say_units(l, r);
    }
    if (busy > MOST)
        text_format(l->t, " %u more INSTDONE registers have units that are not done.", busy - MOST);
}

static void say_fault(const struct look *l)
{
    const struct error_register *r = error_register_find(l->engine, "RING_FAULT_REG");
    const struct error_register *const data = error_register_find(&l->w->state->global, "FAULT_TLB_DATA");
    if (!r || !(r->value & 1u))
        return;
    const struct register_slot *const slot = error_register_slot(l->file, l->engine->name, r);
    text_format(l->t, " FAULT_REG 0x%08llx: a page fault", number(r->value));
    if (data) /* FAULT_TLB_DATA: DATA1, then DATA0 */
        text_format(l->t, " at 0x%llx of the %s",
                    number((data->value & UINT32_MAX) << 12 | (data->value >> 32 & 0xf) << 44),
                    data->value >> 32 & 0x10 ? "GGTT" : "PPGTT");
    if (slot)
        error_register_fields(l->t, slot->row, r->value);
    text_format(l->t, ".");
}

static void say_errors(const struct look *l)
{
    static const char *const names[] = {"ESR", "EIR", "IPEIR"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct error_register *const r = error_register_find(l->engine, names[i]);
        const struct register_slot *const slot = r ? error_register_slot(l->file, l->engine->name, r) : NULL;
        if (!r || !r->value)
            continue;
        text_format(l->t, " %s 0x%08llx", names[i], number(r->value));
        if (slot)
            error_register_fields(l->t, slot->row, r->value);
        text_format(l->t, ".");
    }
}

void error_first_look(struct text *t, const struct error_walk *w, const struct register_file *file)
{
    const struct look l = {t, w, &w->state->engines[w->engine], file};
    say_who(&l);
    say_where(&l);
    say_header(&l);
    say_wait(&l);
    say_ring(&l);
    say_busy(&l);
    say_fault(&l);
    say_errors(&l);
}
