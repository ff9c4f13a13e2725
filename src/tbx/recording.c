/* Records a session as a trace: packets for writes of the client, compares for its reads, comments for runs.
 * (aub/record.h) */
#include "aub/record.h"
#include "tbx/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 1 << 12 };

struct tbx_recording {
    struct aub_writer trace;
    uint64_t trace_ns; /* virtual time in the trace */
    /* The last read: a waiting client repeats it, and only the first is recorded. */
    uint32_t space, size_bytes;
    uint64_t address;
    uint8_t kept[KEPT_BYTES];
};

struct tbx_recording *tbx_recording_open(const char *path, const struct softgt_device_info *info)
{
    struct tbx_recording *r = calloc(1, sizeof *r);
    if (!r || !aub_writer_open(&r->trace, path, NULL)) {
        const int error = errno;
        free(r);
        errno = error;
        return NULL;
    }
    aub_write_version(&r->trace, 0, info->pci_device_id, RECORDED_BY_TBX);
    record_run(&r->trace, NULL, 0);
    return r;
}

bool tbx_recording_close(struct tbx_recording *r)
{
    if (!r)
        return true;
    const bool good = aub_writer_close(&r->trace);
    const int error = errno;
    free(r);
    errno = error;
    return good;
}

static void tell_time(struct tbx_recording *r, uint64_t now_ns)
{
    if (now_ns != r->trace_ns)
        record_run(&r->trace, NULL, now_ns);
    r->trace_ns = now_ns;
}

void tbx_recording_register(struct tbx_recording *r, uint64_t now_ns, const struct aub_register *reg)
{
    tell_time(r, now_ns);
    aub_write_register(&r->trace, reg->offset, reg->size_bytes, reg->mask, reg->value);
}

void tbx_recording_register_read(struct tbx_recording *r, uint64_t now_ns, const struct aub_register *reg)
{
    tell_time(r, now_ns);
    aub_write_register_compare(&r->trace, reg->offset, reg->size_bytes, reg->mask, reg->value);
}

void tbx_recording_memory(struct tbx_recording *r, const struct aub_memory *m)
{
    aub_write_memory(&r->trace, (enum aub_space)m->space, m->address, m->data, m->size_bytes);
    r->size_bytes = 0;
}

void tbx_recording_memory_read(struct tbx_recording *r, const struct aub_memory *m)
{
    if (m->space == r->space && m->address == r->address && m->size_bytes == r->size_bytes &&
        memcmp(m->data, r->kept, r->size_bytes) == 0)
        return;
    aub_write_memory_compare(&r->trace, (enum aub_space)m->space, m->address, m->data, m->size_bytes, false);
    r->space = m->space;
    r->address = m->address;
    r->size_bytes = m->size_bytes <= KEPT_BYTES ? m->size_bytes : 0;
    memcpy(r->kept, m->data, r->size_bytes);
}

void tbx_recording_ran(struct tbx_recording *r, const struct run_extent *run, uint64_t now_ns)
{
    record_run(&r->trace, run, now_ns);
    r->trace_ns = now_ns;
}

void tbx_recording_reset(struct tbx_recording *r)
{
    aub_write_comment(&r->trace, "softgt reset");
    r->trace_ns = 0;
}
