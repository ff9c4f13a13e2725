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
        all->dropped++;
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

/* Prints lines of at most 96 columns, broken at spaces. */
static void print_text(FILE *to, const char *text)
{
    enum { COLUMNS = 92 };
    while (*text) {
        size_t length = strlen(text);
        if (length > COLUMNS) {
            length = COLUMNS;
            while (length > COLUMNS / 2 && text[length] != ' ')
                length--;
        }
        fprintf(to, "    %.*s\n", (int)length, text);
        text += length + (text[length] == ' ');
    }
}

void complaint_print(FILE *to, const struct complaint *c)
{
    fprintf(to, "  %s, %s", complaint_names[c->kind], c->unit);
    if (c->count > 1)
        fprintf(to, ", %s times, first", tool_number(c->count));
    fprintf(to, " at %#llx", (unsigned long long)c->address);
    if (c->batch)
        fprintf(to, ", batch %llu", (unsigned long long)c->batch);
    if (c->has_context)
        fprintf(to, ", context %#llx", (unsigned long long)c->context);
    if (c->has_offset)
        fprintf(to, ", file offset %#llx", (unsigned long long)c->offset);
    fputs(":\n", to);
    print_text(to, c->text);
}
