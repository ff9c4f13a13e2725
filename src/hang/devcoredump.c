/* The devcoredump of xe (Linux, drivers/gpu/drm/xe/xe_devcoredump.c; 6.12 to 7.2), a line at a time. */
#include "hang/parser.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };
#define ADDRESS_BITS UINT64_C(0xffffffffffff)

static bool take_number(struct span t, uint64_t most, uint64_t *value)
{
    span_trim(&t);
    return span_hex(&t, value) && *value <= most;
}

static void take_header(struct parser *p, struct span t)
{
    struct error_state *const s = p->s;
    uint64_t value;
    if (span_skip(&t, "Reason: ")) {
        span_copy(t, s->title, sizeof s->title);
    } else if (span_skip(&t, "kernel: ")) {
        span_copy(t, s->kernel, sizeof s->kernel);
    } else if (span_skip(&t, "Process: ")) {
        if (!span_process(t, s->process, &s->pid))
            span_copy(t, s->process, sizeof s->process);
    } else if (span_skip(&t, "PCI ID:")) {
        s->has_pci_id = take_number(t, UINT16_MAX, &value);
        s->pci_id = s->has_pci_id ? (uint16_t)value : 0;
        if (!s->has_pci_id)
            parser_problem(p, "PCI ID: a number of 16 bits is expected");
    } else if (span_skip(&t, "PCI revision:") && take_number(t, UINT8_MAX, &value)) {
        s->pci_revision = (uint8_t)value;
    } else {
        parser_note(p, t);
    }
}

/* The engine of a context, from its class and the first of its instances: xe's numbers of classes. */
static void take_context_engine(struct parser *p, uint64_t number, bool is_mask)
{
    static const char *const classes[] = {"rcs", "vcs", "vecs", "bcs", "gsc", "ccs"};
    char name[ERROR_NAME];
    if (!is_mask) {
        p->context = number < sizeof classes / sizeof classes[0] ? (int)number : ERROR_GLOBAL;
        return;
    }
    if (p->context == ERROR_GLOBAL || !number)
        return;
    const int length = snprintf(name, sizeof name, "%s%d", classes[p->context], __builtin_ctzll(number));
    p->engine = parser_engine(p, (struct span){name, name + length});
}

/* "[HWCTX].data: ...": contents with a name, or in the VM an address. */
static void take_contents(struct parser *p, struct span t)
{
    const char *const close = span_find(t, "].");
    const struct span name = {t.at + 1, close};
    struct span rest = {close + 2, t.end}, address = name;
    uint64_t value;
    static const char vm_name[] = "VM";
    const struct span vm = {vm_name, vm_name + strlen(vm_name)};
    const bool is_vm = strstr(p->section, "VM state");
    if (span_skip(&rest, "length:")) {
        struct error_buffer *const b = parser_buffer(p, is_vm ? vm : name, is_vm ? ERROR_GLOBAL : p->engine);
        if (!b || !take_number(rest, SIZE_MAX / 2, &b->wanted_bytes)) {
            parser_problem(p, "a length is expected");
            p->buffer = -1;
            return;
        }
        b->space = is_vm ? ERROR_PPGTT : ERROR_GGTT;
        b->has_address = is_vm && span_hex(&address, &value);
        if (is_vm && !b->has_address)
            parser_problem(p, "the address of a mapping is expected in brackets");
        b->address = b->has_address ? value & ADDRESS_BITS : 0;
        if (!is_vm && p->context_lrca && b->name[0] == 'H') {
            b->has_address = true;
            b->address = p->context_lrca + (strcmp(b->name, "HWCTX") == 0 ? PAGE_BYTES : 0);
        }
    } else if (span_skip(&rest, "data:")) {
        span_trim(&rest);
        parser_data(p, rest, false);
    } else if (!span_skip(&rest, "properties:")) {
        parser_note(p, t); /* an error of the capture, an offset */
    }
}

static void take_context_line(struct parser *p, struct span t)
{
    uint64_t value;
    struct span rest = t;
    if (span_skip(&rest, "GuC ID:")) {
        p->engine = p->context = ERROR_GLOBAL;
        p->context_lrca = 0;
    } else if (span_skip(&rest, "Class:") && (span_trim(&rest), span_decimal(&rest, &value))) {
        take_context_engine(p, value, false);
    } else if (span_skip(&rest, "Logical mask:") && take_number(rest, UINT32_MAX, &value)) {
        take_context_engine(p, value, true);
    } else if (span_skip(&rest, "HW Context Desc:") && take_number(rest, UINT64_MAX, &value)) {
        p->context_lrca = value & ~UINT64_C(0xfff) & UINT32_MAX;
    }
    parser_note(p, t);
}

/* "rcs0 (physical), logical instance=0", then its registers. */
static void take_engine_line(struct parser *p, struct span t)
{
    const char *const physical = span_find(t, " (");
    if (span_find(t, "logical instance=") && physical) {
        p->engine = parser_engine(p, (struct span){t.at, physical});
        parser_engine_at(p, p->engine)->hung = p->engine != ERROR_GLOBAL;
    } else if (!parser_register(p, t)) {
        parser_note(p, t);
    }
}

/* "batch_addr[0]: 0x..." */
static void take_job_line(struct parser *p, struct span t)
{
    struct error_state *const s = p->s;
    const char *const colon = span_find(t, "]: ");
    uint64_t value;
    if (!span_skip(&t, "batch_addr[") || !colon ||
        !take_number((struct span){colon + 3, t.end}, UINT64_MAX, &value))
        parser_note(p, t);
    else if (s->batch_count == ERROR_ENGINES)
        parser_problem(p, "more than %d batches of the job", ERROR_ENGINES);
    else
        s->batch[s->batch_count++] = value & ADDRESS_BITS;
}

/* "**** HW Engines ****". False: it is no heading. */
static bool take_heading(struct parser *p)
{
    struct span t = p->text;
    span_trim(&t);
    if (!span_skip(&t, "**** ") || !span_ends(t, " ****"))
        return false;
    t.end -= strlen(" ****");
    span_copy(t, p->section, sizeof p->section);
    p->engine = p->context = ERROR_GLOBAL;
    p->context_lrca = 0;
    p->buffer = -1;
    return true;
}

static void take_line(struct parser *p)
{
    struct span t = p->text;
    span_trim(&t);
    if (take_heading(p) || t.at == t.end)
        return;
    const struct span begin = {t.at, t.end - t.at < 64 ? t.end : t.at + 64};
    if (*t.at == '[' && span_find(begin, "]."))
        take_contents(p, t);
    else if (strcmp(p->section, "Xe Device Coredump") == 0)
        take_header(p, t);
    else if (strcmp(p->section, "HW Engines") == 0)
        take_engine_line(p, t);
    else if (strcmp(p->section, "Job") == 0)
        take_job_line(p, t);
    else
        take_context_line(p, t);
}

void parse_devcoredump(struct parser *p)
{
    while (parser_next(p))
        take_line(p);
}
