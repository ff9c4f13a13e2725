/* Events of the trace port as text and JSON. */
#include "spec/spec.h"

#include "host/event_json.h"
#include "host/event_text.h"

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
