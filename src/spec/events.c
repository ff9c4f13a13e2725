/* Events of the trace port as text, JSON and timelines, and which of them are shown. */
#include "spec/spec.h"

#include "base/report.h"
#include "host/event_filter.h"
#include "host/event_json.h"
#include "host/event_text.h"
#include "host/timeline.h"

#include <errno.h>
#include <stdlib.h>

int softgt_event_text(const struct softgt_event *event, const struct softgt_text_port *out)
{
    char *text = NULL;
    size_t size = 0;
    if (!out || !out->write)
        return -EINVAL;
    FILE *const line = open_memstream(&text, &size);
    if (!line)
        return -ENOMEM;
    event_print(line, event);
    const bool good = fclose(line) == 0;
    if (good)
        out->write(out->user, text, size);
    free(text);
    return good ? 0 : -ENOMEM;
}

int softgt_event_json(const struct softgt_event *event, const struct softgt_text_port *out)
{
    static const struct engine_position nowhere;
    const struct event_place place = {.engine = &nowhere};
    struct text line = {0};
    if (!out || !out->write)
        return -EINVAL;
    event_json_write(&line, &place, event);
    text_char(&line, '\n');
    return spec_send(&line, out);
}

/* ---- Names ---- */

const char *softgt_event_status(enum softgt_event_kind kind)
{
    return event_status(kind);
}

const char *softgt_engine_state_name(enum softgt_engine_state state)
{
    return (unsigned)state <= SOFTGT_ENGINE_STOPPED ? engine_state_names[state] : NULL;
}

unsigned softgt_mistake_bit(const char *word)
{
    return word ? mistake_bit(word, strlen(word)) : 0;
}

/* ---- Filters ---- */

struct softgt_event_filter {
    struct event_filter filter;
};

int softgt_event_filter_create(struct softgt_event_filter **filter)
{
    if (!filter)
        return -EINVAL;
    *filter = calloc(1, sizeof **filter);
    return *filter ? 0 : -ENOMEM;
}

void softgt_event_filter_destroy(struct softgt_event_filter *filter)
{
    free(filter);
}

int softgt_event_filter_add(struct softgt_event_filter *filter, const char *list,
                            const struct softgt_text_port *errors)
{
    char why[EVENT_FILTER_WHY];
    if (!filter || !list)
        return -EINVAL;
    struct event_filter more = filter->filter;
    if (event_filter_parse(&more, list, why)) {
        filter->filter = more;
        return 0;
    }
    if (errors && errors->write)
        errors->write(errors->user, why, strlen(why));
    return -EINVAL;
}

unsigned softgt_event_filter_mask(const struct softgt_event_filter *filter)
{
    return filter ? filter->filter.mask : 0;
}

bool softgt_event_filter_takes(const struct softgt_event_filter *filter, const struct softgt_event *event)
{
    return filter && event_filter_takes(&filter->filter, event);
}

/* ---- Timelines ---- */

/* A struct softgt_timeline is a struct timeline. */

int softgt_timeline_create(const char *path, const char *title, unsigned flags,
                           struct softgt_timeline **timeline)
{
    if (timeline)
        *timeline = NULL;
    if (!path || !title || !timeline || flags & ~(unsigned)SOFTGT_TIMELINE_COMMANDS)
        return -EINVAL;
    errno = ENOMEM;
    *timeline = (struct softgt_timeline *)timeline_open(path, title, flags & SOFTGT_TIMELINE_COMMANDS);
    return *timeline ? 0 : -errno;
}

struct softgt_trace_port softgt_timeline_port(struct softgt_timeline *timeline)
{
    return (struct softgt_trace_port){timeline, timeline ? TIMELINE_EVENTS : 0, timeline_event};
}

int softgt_timeline_close(struct softgt_timeline *timeline, bool failed)
{
    errno = EIO;
    return timeline_close((struct timeline *)timeline, failed) ? 0 : -errno;
}
