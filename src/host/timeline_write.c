#include "host/timeline_write.h"

#include <inttypes.h>

/* ---- JSON ---- */

static void put_text(FILE *to, const struct text *t)
{
    if (!t->failed)
        fwrite(t->bytes, 1, t->length, to);
}

/* A text may hold any bytes. */
static void json_text(FILE *to, const char *string)
{
    struct text t = {0};
    text_json(&t, string);
    if (t.failed)
        fputs("\"\"", to);
    put_text(to, &t);
    text_free(&t);
}

static void json_begin(FILE *to, const char *process)
{
    fputs("[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":", to);
    json_text(to, process);
    fputs("}}", to);
}

static void json_track(FILE *to, unsigned track, const char *name)
{
    fprintf(to, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            track + 1, name);
}

static void json_record(FILE *to, const struct timeline_record *r)
{
    fprintf(to, ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ".%03u", (char)r->phase,
            r->track + 1, r->ns / 1000u, (unsigned)(r->ns % 1000u));
    if (r->phase == TIMELINE_COMPLETE)
        fprintf(to, ",\"dur\":%" PRIu64 ".%03u", (r->until_ns - r->ns) / 1000u,
                (unsigned)((r->until_ns - r->ns) % 1000u));
    if (r->phase == TIMELINE_INSTANT)
        fputs(",\"s\":\"t\"", to);
    if (r->phase != TIMELINE_END) {
        fprintf(to, ",\"cat\":\"%s\",\"name\":", r->category);
        json_text(to, r->name);
    }
    for (unsigned i = 0; i < r->count; i++) {
        fprintf(to, "%s\"%s\":", i ? "," : ",\"args\":{", r->arguments[i].key);
        json_text(to, r->arguments[i].value);
    }
    fputs(r->count ? "}}" : "}", to);
}

static void json_end(FILE *to)
{
    fputs("\n]\n", to);
}

const struct timeline_format timeline_json = {json_begin, json_track, json_record, json_end};

/* ---- Protocol buffers ---- */

/* Field numbers of Perfetto's messages. (perfetto, protos/perfetto/trace) */
enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_PARENT = 5,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    ANNOTATION_STRING = 6,
    ANNOTATION_NAME = 10,
};
enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END, TYPE_INSTANT };
enum { SEQUENCE = 1, STATE_CLEARED = 1, PROCESS_TRACK = 1, FIRST_TRACK = 2 };

static void put_varint(struct text *t, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        text_char(t, (char)(value | 0x80));
    text_char(t, (char)value);
}

static void put_number(struct text *t, unsigned field, uint64_t value)
{
    put_varint(t, field << 3);
    put_varint(t, value);
}

static void put_bytes(struct text *t, unsigned field, const char *bytes, size_t length)
{
    put_varint(t, field << 3 | 2u);
    put_varint(t, length);
    text_bytes(t, bytes, length);
}

static void put_string(struct text *t, unsigned field, const char *string)
{
    put_bytes(t, field, string, strlen(string));
}

/* Puts a message into a field of another one, and frees it. */
static void put_message(struct text *t, unsigned field, struct text *message)
{
    t->failed |= message->failed;
    put_bytes(t, field, message->bytes, message->length);
    text_free(message);
}

static void write_packet(FILE *to, struct text *packet)
{
    struct text trace = {0};
    put_number(packet, PACKET_SEQUENCE, SEQUENCE);
    put_message(&trace, TRACE_PACKET, packet);
    put_text(to, &trace);
    text_free(&trace);
}

static void perfetto_begin(FILE *to, const char *process)
{
    struct text packet = {0}, descriptor = {0}, name = {0};
    put_number(&name, PROCESS_PID, 1);
    put_string(&name, PROCESS_NAME, process);
    put_number(&descriptor, DESCRIPTOR_UUID, PROCESS_TRACK);
    put_message(&descriptor, DESCRIPTOR_PROCESS, &name);
    put_message(&packet, PACKET_TRACK_DESCRIPTOR, &descriptor);
    put_number(&packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
    write_packet(to, &packet);
}

static void perfetto_track(FILE *to, unsigned track, const char *name)
{
    struct text packet = {0}, descriptor = {0};
    put_number(&descriptor, DESCRIPTOR_UUID, FIRST_TRACK + track);
    put_string(&descriptor, DESCRIPTOR_NAME, name);
    put_number(&descriptor, DESCRIPTOR_PARENT, PROCESS_TRACK);
    put_message(&packet, PACKET_TRACK_DESCRIPTOR, &descriptor);
    write_packet(to, &packet);
}

static void write_event(FILE *to, const struct timeline_record *r, unsigned type, uint64_t ns)
{
    struct text packet = {0}, event = {0};
    put_number(&event, EVENT_TYPE, type);
    put_number(&event, EVENT_TRACK, FIRST_TRACK + r->track);
    if (type != TYPE_SLICE_END) {
        put_string(&event, EVENT_CATEGORY, r->category);
        put_string(&event, EVENT_NAME, r->name);
    }
    for (unsigned i = 0; i < r->count && type != TYPE_SLICE_END; i++) {
        struct text annotation = {0};
        put_string(&annotation, ANNOTATION_NAME, r->arguments[i].key);
        put_string(&annotation, ANNOTATION_STRING, r->arguments[i].value);
        put_message(&event, EVENT_ANNOTATION, &annotation);
    }
    put_number(&packet, PACKET_TIMESTAMP, ns);
    put_message(&packet, PACKET_TRACK_EVENT, &event);
    write_packet(to, &packet);
}

static void perfetto_record(FILE *to, const struct timeline_record *r)
{
    write_event(to, r,
                r->phase == TIMELINE_INSTANT ? TYPE_INSTANT
                : r->phase == TIMELINE_END   ? TYPE_SLICE_END
                                             : TYPE_SLICE_BEGIN,
                r->ns);
    if (r->phase == TIMELINE_COMPLETE)
        write_event(to, r, TYPE_SLICE_END, r->until_ns);
}

static void perfetto_end(FILE *to)
{
    (void)to; /* a trace is its packets */
}

const struct timeline_format timeline_perfetto = {perfetto_begin, perfetto_track, perfetto_record,
                                                  perfetto_end};
