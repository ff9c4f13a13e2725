/* The memory packets of a trace. */
#include "aub/playing.h"
#include "host/sparse_memory.h"

#include <stdio.h>
#include <string.h>

bool replay_access(struct replay *r, const struct aub_packet *at, const struct aub_memory *m,
                   uint64_t address, uint8_t *to, size_t size_bytes)
{
    const bool write = to == NULL;
    bool ok = true;
    switch (m->space) {
    case AUB_GGTT:
    case AUB_GGTT_NON_APERTURE:
        ok = write ? softgt_ggtt_write(r->device, address, m->data, size_bytes)
                   : softgt_ggtt_read(r->device, address, to, size_bytes);
        if (!ok && !sparse_memory_full(r->memory))
            replay_log(r, REPLAY_ERROR, at->offset, "%s: GGTT address %#llx (%zu bytes) is not mapped",
                       at->name, (unsigned long long)address, size_bytes);
        break;
    case AUB_GGTT_ENTRY:
        if (address >= r->ggtt_bytes || size_bytes > r->ggtt_bytes - address) {
            replay_log(r, REPLAY_ERROR, at->offset, "%s: offset %#llx (%zu bytes) is past the GGTT's table",
                       at->name, (unsigned long long)address, size_bytes);
            return false;
        }
        for (size_t i = 0; i < size_bytes;) {
            const unsigned part = size_bytes - i < 8 ? (unsigned)(size_bytes - i) : 8;
            uint64_t value = 0;
            if (write) {
                memcpy(&value, m->data + i, part);
                softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, r->mmio_bytes + address + i, value, part);
                r->ggtt_changed = true;
            } else {
                value = softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, r->mmio_bytes + address + i, part);
                memcpy(to + i, &value, part);
            }
            i += part;
        }
        return true;
    case AUB_PHYSICAL:
    case AUB_GTT_PD:
    case AUB_PPGTT_ENTRY:
    case AUB_PDP_ENTRY:
    case AUB_PD_ENTRY:
    case AUB_PML4_ENTRY:
        if (write)
            ok = sparse_memory_write(r->memory, address, m->data, size_bytes);
        else
            sparse_memory_read(r->memory, address, to, size_bytes);
        break;
    case AUB_LOCAL:
        if (!r->has_local)
            goto none;
        ok = write ? softgt_local_write(r->device, address, m->data, size_bytes)
                   : softgt_local_read(r->device, address, to, size_bytes);
        if (!ok)
            replay_log(r, REPLAY_ERROR, at->offset, "%s: %#llx (%zu bytes) is past the end of local memory",
                       at->name, (unsigned long long)address, size_bytes);
        return ok;
    default:
    none:
        replay_log(r, REPLAY_ERROR, at->offset, "%s: address space %u does not exist on this device",
                   at->name, m->space);
        return false;
    }
    if (!ok && sparse_memory_full(r->memory)) {
        char text[128];
        snprintf(text, sizeof text, "%s: more than %llu MB of memory are wanted", at->name,
                 (unsigned long long)(r->options->memory_limit_bytes ? r->options->memory_limit_bytes
                                                                     : DEFAULT_MEMORY_BYTES) >>
                     20);
        replay_unusable(r, at->offset, text);
    }
    return ok;
}

bool replay_memory_write(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (replay_access(r, at, m, m->address, NULL, m->size_bytes) && m->space != AUB_GGTT_ENTRY &&
        r->options->written)
        r->options->written(r->options->user, at->offset, m);
    return !r->unusable;
}

bool replay_memory_compare(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    r->result->compares++;
    if (m->no_read)
        return true;
    if (m->crc) {
        replay_log(r, REPLAY_NOTE, at->offset, "MEM_CMP by CRC is not modelled, skipped");
        return true;
    }
    uint8_t there[4096];
    for (size_t done = 0; done < m->size_bytes;) {
        const size_t part = m->size_bytes - done < sizeof there ? m->size_bytes - done : sizeof there;
        if (!replay_access(r, at, m, m->address + done, there, part)) {
            r->result->compares_failed++;
            return !r->unusable;
        }
        if (memcmp(there, m->data + done, part) != 0) {
            if (m->compare == AUB_NOT_EQUAL) {
                r->deferred_differs = m->deferred;
                return true;
            }
            size_t i = 0;
            while (there[i] == m->data[done + i])
                i++;
            replay_compare_failed(r, at->offset, "MEM_CMP: byte at %#llx is %02x, should be %02x",
                                  (unsigned long long)(m->address + done + i), there[i], m->data[done + i]);
            return true;
        }
        done += part;
    }
    if (m->compare == AUB_NOT_EQUAL && !m->deferred) {
        /* The last of several packets of which one must differ. */
        if (!r->deferred_differs) {
            replay_compare_failed(r, at->offset, "MEM_CMP: %u bytes at %#llx are equal, should differ",
                                  m->size_bytes, (unsigned long long)m->address);
        }
        r->deferred_differs = false;
    }
    return true;
}

static bool satisfied(const struct aub_memory *m, uint64_t value)
{
    uint64_t wanted = 0;
    memcpy(&wanted, m->data, m->size_bytes);
    value &= m->mask;
    switch (m->compare) {
    case AUB_NOT_EQUAL:
        return value != wanted;
    case AUB_LESS:
        return value < wanted;
    case AUB_LESS_EQUAL:
        return value <= wanted;
    case AUB_GREATER:
        return value > wanted;
    case AUB_GREATER_EQUAL:
        return value >= wanted;
    default:
        return value == wanted;
    }
}

bool replay_memory_poll(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    r->result->polls += entry == PACKET_DO;
    uint64_t value = 0;
    for (unsigned look = entry == PACKET_RESUME; look < 2; look++) {
        if (look) {
            if (entry == PACKET_DO)
                softgt_advance(r->device, 1000000);
            if (!replay_run(r, at))
                return false;
        }
        if (!replay_access(r, at, m, m->address, (uint8_t *)&value, m->size_bytes)) {
            r->result->polls_failed++;
            return !r->unusable;
        }
        if (satisfied(m, value))
            return true;
    }
    r->result->polls_failed++;
    replay_log(r, REPLAY_ERROR, at->offset, "MEM_POLL: %#llx stays %#llx", (unsigned long long)m->address,
               (unsigned long long)value);
    return true;
}
