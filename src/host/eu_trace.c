#include "host/eu_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which ---- */

/* Parses up to `most` numbers with colons between them. False: the text is malformed. */
static bool numbers(const char *text, const char *end, uint64_t *to, unsigned most, unsigned *count)
{
    for (*count = 0; *count < most;) {
        char *behind;
        if (*text < '0' || *text > '9')
            return false;
        errno = 0;
        to[(*count)++] = strtoull(text, &behind, 0);
        if (errno != 0)
            return false;
        if (behind == end)
            return true;
        if (behind > end || *behind != ':')
            return false;
        text = behind + 1;
    }
    return false;
}

static bool parse_word(struct eu_filter *f, const char *text, const char *end)
{
    uint64_t n[3] = {0};
    unsigned count;
    const char *const value = memchr(text, '=', (size_t)(end - text));
    const size_t length = value ? (size_t)(value - text) : 0;
    if (!value || !numbers(value + 1, end, n, 3, &count))
        return false;
#define IS(name) (length == sizeof(name) - 1 && strncmp(text, name, length) == 0)
    if (IS("kernel") && count == 1) {
        f->has_kernel = true;
        f->kernel = n[0];
    } else if (IS("group") && n[0] <= UINT32_MAX && n[1] <= UINT32_MAX && n[2] <= UINT32_MAX) {
        f->has_group = true;
        for (unsigned i = 0; i < 3; i++)
            f->group[i] = (uint32_t)n[i];
    } else if (IS("thread") && count == 1 && n[0] <= UINT32_MAX) {
        f->has_thread = true;
        f->thread = (uint32_t)n[0];
    } else if (IS("ip") && count <= 2) {
        f->has_ip = true;
        f->first_ip = n[0];
        f->last_ip = count == 2 ? n[1] : n[0];
    } else {
        return false;
    }
#undef IS
    return true;
}

bool eu_filter_parse(struct eu_filter *f, const char *text, char *word, size_t size)
{
    *f = (struct eu_filter){0};
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchr(text, ',');
        end = end ? end : text + strlen(text);
        if (!parse_word(f, text, end)) {
            snprintf(word, size, "%.*s", (int)(end - text), text);
            return false;
        }
    }
    return true;
}

static bool eu_filter_matches(void *user, const struct softgt_eu_thread *thread)
{
    const struct eu_trace *const t = user;
    const struct eu_filter *const f = &t->filter;
    struct softgt_eu_thread_info info;
    softgt_eu_thread_get_info(thread, &info);
    return t->shown < t->limit && (!f->has_kernel || info.base + info.kernel == f->kernel) &&
           (!f->has_group || memcmp(info.group, f->group, sizeof f->group) == 0) &&
           (!f->has_thread || info.thread == f->thread);
}

static void eu_trace_after(void *user, struct softgt_eu_thread *thread)
{
    struct eu_trace *const t = user;
    const struct eu_filter *const f = &t->filter;
    struct softgt_eu_thread_info info;
    if (t->shown >= t->limit)
        return;
    if (f->has_ip) {
        softgt_eu_thread_get_info(thread, &info);
        if (info.ip - info.kernel < f->first_ip || info.ip - info.kernel > f->last_ip)
            return;
    }
    t->show(t->user, thread);
    if (++t->shown == t->limit && t->limited)
        t->limited(t->user, t->limit);
}

struct softgt_eu_hooks eu_trace_hooks(struct eu_trace *trace)
{
    return (struct softgt_eu_hooks){.user = trace, .wanted = eu_filter_matches, .after = eu_trace_after};
}

/* ---- Lines ---- */

void eu_trace_values(enum softgt_eu_file file, const void *bytes, size_t size_bytes, char *text)
{
    const size_t part = file == SOFTGT_EU_ACCUMULATOR ? 8 : 4;
    size_t at = 0;
    for (size_t i = 0; i + part <= size_bytes && at + 2 * part + 2 < EU_VALUES_TEXT; i += part) {
        uint64_t value = 0;
        memcpy(&value, (const uint8_t *)bytes + i, part);
        at += (size_t)snprintf(text + at, EU_VALUES_TEXT - at, "%s%0*" PRIx64, i ? " " : "", (int)part * 2,
                               value);
    }
}

static void print_change(void *user, const struct softgt_eu_change *c)
{
    char before[EU_VALUES_TEXT], after_[EU_VALUES_TEXT], name[16];
    eu_trace_values(c->file, c->before, c->size_bytes, before);
    eu_trace_values(c->file, c->after, c->size_bytes, after_);
    snprintf(name, sizeof name, "%s%u", softgt_eu_file_name(c->file), c->number);
    fprintf(user, "%28s%-5s %s\n%28s   -> %s\n", "", name, before, "", after_);
}

bool eu_trace_print(FILE *to, const struct softgt_eu_thread *thread)
{
    struct softgt_eu_thread_info i;
    char text[240];
    if (softgt_eu_thread_disassemble(thread, text, sizeof text) == SIZE_MAX)
        return false;
    softgt_eu_thread_get_info(thread, &i);
    fprintf(to,
            "%12" PRIu64 " ns  %-9s thread    %012" PRIx64 "  %u,%u,%u/%u +%04" PRIx64 " %08" PRIx32 "  %s\n",
            i.now_ns, i.unit, i.base + i.ip, i.group[0], i.group[1], i.group[2], i.thread, i.ip - i.kernel,
            i.channels, text);
    if (i.why)
        fprintf(to, "%28sstops: %s\n", "", i.why);
    softgt_eu_thread_changes(thread, to, print_change);
    return true;
}

void eu_trace_print_limit(FILE *to, uint64_t limit)
{
    fprintf(to, "%28s%" PRIu64 " instructions are shown, others are not (--eu-trace-limit)\n", "", limit);
}
