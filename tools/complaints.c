#include "complaints.h"

#include "tool.h"

const char *const complaint_names[] = {"guest error", "not modelled", "host failure"};

struct complaint *complaints_add(struct complaints *all, const struct softgt_report *report)
{
    for (unsigned i = 0; i < all->count; i++) {
        struct complaint *c = &all->list[i];
        if (c->kind == report->complaint && strcmp(c->unit, report->unit) == 0 &&
            strncmp(c->text, report->text, sizeof c->text - 1) == 0) {
            c->count++;
            return NULL;
        }
    }
    if (all->count == COMPLAINTS) {
        all->beyond++;
        return NULL;
    }
    struct complaint *c = &all->list[all->count++];
    *c = (struct complaint){.kind = report->complaint,
                            .unit = report->unit,
                            .count = 1,
                            .address = report->address,
                            .now_ns = report->now_ns};
    snprintf(c->text, sizeof c->text, "%s", report->text);
    return c;
}

void complaint_print(FILE *to, const struct complaint *c)
{
    fprintf(to, "  %s, %s: %s%s%s\n", complaint_names[c->kind], c->unit, c->text, c->count > 1 ? " x " : "",
            c->count > 1 ? tool_number(c->count) : "");
    fprintf(to, c->count > 1 ? "    first at %#llx" : "    at %#llx", (unsigned long long)c->address);
    if (c->batch)
        fprintf(to, ", batch %llu", (unsigned long long)c->batch);
    if (c->has_context)
        fprintf(to, " of context %#llx", (unsigned long long)c->context);
    if (c->has_offset)
        fprintf(to, ", file offset %#llx", (unsigned long long)c->offset);
    fputc('\n', to);
}
