#include "host/event_filter.h"

#include "host/event_text.h"

#include <fnmatch.h>
#include <string.h>

static unsigned class_mask(const char *name, size_t length)
{
    for (const struct event_word *w = event_words; w->name; w++)
        if (strlen(w->name) == length && memcmp(w->name, name, length) == 0)
            return w->mask;
    return 0;
}

static void list_classes(char *text, size_t size)
{
    size_t at = 0;
    for (const struct event_word *w = event_words; w->name && at < size; w++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", w->name);
}

static bool parse_item(struct event_filter *f, const char *item, size_t length, char why[EVENT_FILTER_WHY])
{
    const char *const colon = memchr(item, ':', length);
    const size_t class_bytes = colon ? (size_t)(colon - item) : length;
    const unsigned mask = class_mask(item, class_bytes);
    if (!mask) {
        char all[128];
        list_classes(all, sizeof all);
        snprintf(why, EVENT_FILTER_WHY, "'%.*s' is none of %s", (int)(class_bytes < 64 ? class_bytes : 64),
                 item, all);
        return false;
    }
    f->mask |= mask;
    if (!colon) {
        f->plain_mask |= mask;
        return true;
    }
    const bool excludes = colon + 1 < item + length && colon[1] == '!';
    const char *const pattern = colon + 1 + excludes;
    const size_t bytes = (size_t)(item + length - pattern);
    if (f->count == EVENT_PATTERNS) {
        snprintf(why, EVENT_FILTER_WHY, "there are more than %d patterns", EVENT_PATTERNS);
        return false;
    }
    if (!bytes || bytes >= EVENT_PATTERN_BYTES) {
        snprintf(why, EVENT_FILTER_WHY, "'%.64s' has no pattern of 1 to %d characters after the colon", item,
                 EVENT_PATTERN_BYTES - 1);
        return false;
    }
    struct event_pattern *const p = &f->patterns[f->count++];
    *p = (struct event_pattern){.mask = mask, .excludes = excludes};
    memcpy(p->text, pattern, bytes);
    return true;
}

bool event_filter_parse(struct event_filter *f, const char *list, char why[EVENT_FILTER_WHY])
{
    const struct event_filter before = *f;
    for (const char *item = list; *item;) {
        const size_t length = strcspn(item, ",");
        if (length && !parse_item(f, item, length, why)) {
            *f = before;
            return false;
        }
        item += length + (item[length] == ',');
    }
    if (f->mask)
        return true;
    snprintf(why, EVENT_FILTER_WHY, "it names nothing");
    return false;
}

static bool pattern_takes(const struct event_pattern *p, const char *unit, const char *name)
{
    char both[192];
    if (!strchr(p->text, '.'))
        return fnmatch(p->text, name, FNM_CASEFOLD) == 0 || fnmatch(p->text, unit, FNM_CASEFOLD) == 0;
    snprintf(both, sizeof both, "%s.%s", unit, name);
    return fnmatch(p->text, both, FNM_CASEFOLD) == 0;
}

bool event_filter_takes(const struct event_filter *f, const struct softgt_event *e)
{
    if (!(f->mask & e->what))
        return false;
    if (!f->count)
        return true;
    char text[96];
    const bool is_register = e->what == SOFTGT_TRACE_REGISTERS || e->what == SOFTGT_TRACE_READS;
    const char *const name = is_register ? event_register(e, text, sizeof text) : e->name ? e->name : "";
    bool has_positive = false, taken = false;
    for (const struct event_pattern *p = f->patterns; p < f->patterns + f->count; p++) {
        if (!(p->mask & e->what))
            continue;
        has_positive |= !p->excludes;
        if (p->excludes && pattern_takes(p, e->unit, name))
            return false;
        taken |= !p->excludes && pattern_takes(p, e->unit, name);
    }
    return taken || !has_positive || f->plain_mask & e->what;
}
