/* A text port that keeps what is written, and the data sheet of a device, for tests of softgt/tools.h. */
#ifndef TESTS_SINK_H
#define TESTS_SINK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <softgt/tools.h>

#include <string.h>

struct sink {
    char bytes[1 << 16];
    size_t length;
};

static void write_sink(void *user, const char *bytes, size_t size_bytes)
{
    struct sink *const s = user;
    assert_true(s->length + size_bytes < sizeof s->bytes);
    memcpy(s->bytes + s->length, bytes, size_bytes);
    s->length += size_bytes;
    s->bytes[s->length] = 0;
}

static struct softgt_text_port port_of(struct sink *s)
{
    *s = (struct sink){0};
    return (struct softgt_text_port){s, write_sink};
}

static struct softgt_spec *spec_of(const char *device)
{
    struct softgt_spec *spec = NULL;
    assert_int_equal(softgt_spec_create(device, &spec), 0);
    return spec;
}

#endif
