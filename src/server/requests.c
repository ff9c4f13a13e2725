/* Handling of each message. Invalid arguments get an error reply; a message that cannot be parsed ends the
 * client. */
#include "server/eventfd.h"
#include "server/server.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Answers ---- */

static bool send_reply(struct vfio_server *s, const struct vfio_message *m, const void *payload, size_t bytes)
{
    return m->header.flags & VFIO_USER_NO_REPLY ||
           connection_reply(s->client, m, 0, payload, bytes, NULL, 0, -1);
}

/* Reports an error and replies with it. */
__attribute__((format(printf, 4, 5))) static bool refuse(struct vfio_server *s, const struct vfio_message *m,
                                                         int error, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    server_say(s, "message %" PRIu64 " refused: %s", s->messages, text);
    return m->header.flags & VFIO_USER_NO_REPLY ||
           connection_reply(s->client, m, (uint32_t)error, NULL, 0, NULL, 0, -1);
}

/* Reads the fixed part of a payload; false: it is too short. */
static bool accept_fd(const struct vfio_message *m, void *to, size_t bytes)
{
    if (m->payload_bytes < bytes)
        return false;
    memcpy(to, m->payload, bytes);
    return true;
}

static bool too_short(struct vfio_server *s, const struct vfio_message *m)
{
    return refuse(s, m, EINVAL, "command %u with %zu bytes is too short", m->header.command,
                  m->payload_bytes);
}

/* ---- Version ---- */

static bool version(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_version v;
    if (s->version_negotiated || !accept_fd(m, &v, sizeof v))
        return refuse(s, m, EINVAL,
                      s->version_negotiated ? "the version is already negotiated" : "a version of %zu bytes",
                      m->payload_bytes);
    if (v.major != 0)
        return refuse(s, m, EINVAL, "version %u.%u, expected 0.0", v.major, v.minor), false;
    const char *text = (const char *)m->payload + sizeof v;
    const size_t room = m->payload_bytes - sizeof v;
    s->client_transfer_bytes = TRANSFER_BYTES;
    if (room) {
        struct json_object *offered = text[room - 1] ? NULL : json_tokener_parse(text), *capabilities, *bytes;
        if (!json_object_is_type(offered, json_type_object)) {
            json_object_put(offered);
            return refuse(s, m, EINVAL, "the capabilities are not a JSON object"), false;
        }
        if (json_object_object_get_ex(offered, "capabilities", &capabilities) &&
            json_object_object_get_ex(capabilities, "max_data_xfer_size", &bytes) &&
            json_object_get_int64(bytes) > 0 && json_object_get_int64(bytes) < TRANSFER_BYTES)
            s->client_transfer_bytes = (uint64_t)json_object_get_int64(bytes);
        json_object_put(offered);
    }
    static const char ours[] = "{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,"
                               "\"max_dma_maps\":16384,\"pgsizes\":4096,\"write_multiple\":true}}";
    s->version_negotiated = true;
    v.minor = 0;
    return connection_reply(s->client, m, 0, &v, sizeof v, ours, sizeof ours, -1);
}

/* ---- Memory ---- */

void server_memory_changes(struct vfio_server *s)
{
    if (s->recorder)
        recorder_settle(s->recorder, s->device);
    else
        softgt_memory_changed(s->device);
}

static bool dma_map(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_dma_map map;
    if (!accept_fd(m, &map, sizeof map))
        return too_short(s, m);
    if (!(map.flags & (DMA_READABLE | DMA_WRITABLE)))
        return refuse(s, m, EINVAL, "memory at %#" PRIx64 " is neither readable nor writable", map.address);
    server_memory_changes(s);
    const int error =
        guest_memory_add(&s->memory, map.address, map.size_bytes, map.offset, m->fd_count ? m->fds[0] : -1,
                         map.flags & DMA_READABLE, map.flags & DMA_WRITABLE);
    if (error)
        return refuse(s, m, error, "memory at %#" PRIx64 ", %#" PRIx64 " bytes: %s", map.address,
                      map.size_bytes, strerror(error));
    return send_reply(s, m, NULL, 0);
}

static bool dma_unmap(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_dma_unmap unmap;
    if (!accept_fd(m, &unmap, sizeof unmap))
        return too_short(s, m);
    server_memory_changes(s);
    if (unmap.flags & DMA_UNMAP_ALL)
        guest_memory_clear(&s->memory);
    else if (!unmap.size_bytes || guest_memory_remove(&s->memory, unmap.address, unmap.size_bytes) <= 0)
        return refuse(s, m, EINVAL, "no memory is mapped from %#" PRIx64 " on, %#" PRIx64 " bytes",
                      unmap.address, unmap.size_bytes);
    return send_reply(s, m, &unmap, sizeof unmap);
}

/* ---- Device and regions ---- */

static bool device_info(struct vfio_server *s, const struct vfio_message *m)
{
    const struct vfio_user_device_info info = {sizeof info, DEVICE_RESETTABLE | DEVICE_PCI, REGIONS,
                                               INTERRUPTS};
    return send_reply(s, m, &info, sizeof info);
}

static uint64_t region_bytes(const struct vfio_server *s, uint32_t region)
{
    struct softgt_bar_info bar;
    if (region == REGION_CONFIG)
        return softgt_pci_config_bytes(s->device);
    return region < 6 && softgt_function_bar_get_info(s->device, s->function_number, region, &bar)
               ? bar.size_bytes
               : 0;
}

/* The range of a region that the client may map; -1: none. */
static int mappable(const struct vfio_server *s, uint32_t region, uint64_t *offset, uint64_t *size_bytes)
{
    const struct softgt_device_info *device = softgt_info(s->device);
    const uint64_t bar = region_bytes(s, region), open = softgt_local_direct_bytes(s->device);
    const bool isolated = s->options->functions && !s->options->pf_decides;
    const bool table = region == REGION_BAR0;
    if (s->function_number) { /* the VF's entries are filtered; its local memory has its own file */
        *offset = 0;
        *size_bytes = s->local_mapped_bytes < bar ? s->local_mapped_bytes : bar;
        return region == SOFTGT_BAR_LOCAL && *size_bytes ? s->local_fd : -1;
    }
    *offset = table ? device->mmio_bytes : 0;
    *size_bytes = table ? device->ggtt_bytes / (isolated ? 2u : 1u) : bar < open ? bar : open;
    return table ? s->table_fd : region == SOFTGT_BAR_LOCAL ? s->local_fd : -1;
}

static bool region_info(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_region_info info;
    struct vfio_user_sparse_mmap shared = {.id = CAPABILITY_SPARSE_MMAP, .version = 1, .areas = 1};
    if (!accept_fd(m, &info, sizeof info))
        return too_short(s, m);
    if (info.index >= REGIONS)
        return refuse(s, m, EINVAL, "no region %u", info.index);
    const uint32_t room = info.argsz;
    info = (struct vfio_user_region_info){
        .argsz = sizeof info, .index = info.index, .size_bytes = region_bytes(s, info.index)};
    if (info.size_bytes)
        info.flags = REGION_READABLE | REGION_WRITABLE;
    const int fd = mappable(s, info.index, &shared.offset, &shared.size_bytes);
    if (fd < 0)
        return send_reply(s, m, &info, sizeof info);
    info.flags |= REGION_MAPPABLE | REGION_CAPABILITIES;
    info.argsz = sizeof info + sizeof shared;
    info.capability_offset = sizeof info;
    if (room < info.argsz) /* the client asks again */
        return send_reply(s, m, &info, sizeof info);
    return connection_reply(s->client, m, 0, &info, sizeof info, &shared, sizeof shared, fd);
}

static bool irq_info(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_irq_info info;
    if (!accept_fd(m, &info, sizeof info))
        return too_short(s, m);
    if (info.index >= INTERRUPTS)
        return refuse(s, m, EINVAL, "no interrupt %u", info.index);
    info.argsz = sizeof info;
    info.count = info.index <= INTERRUPT_MSI;
    info.flags = info.index == INTERRUPT_INTX  ? IRQ_EVENTFD | IRQ_MASKABLE | IRQ_AUTOMASKED
                 : info.index == INTERRUPT_MSI ? IRQ_EVENTFD | IRQ_NORESIZE
                                               : 0;
    return send_reply(s, m, &info, sizeof info);
}

/* ---- Interrupts ---- */

static void replace_fd(int *fd, int by)
{
    if (*fd >= 0)
        close(*fd);
    *fd = by;
}

static void trigger_irq(struct vfio_server *s, int *fd)
{
    if (*fd < 0 || eventfd_add(*fd))
        return;
    replace_fd(fd, -1); /* an engine would find it so a hundred times in a slice */
    server_say(s, "an eventfd of the client blocks: no more interrupts are sent");
}

void server_interrupt(struct vfio_server *s)
{
    if (s->recording.msi_pending)
        trigger_irq(s, &s->irq.msi_fd);
    s->recording.msi_pending = false;
    if (!s->irq.intx_level || s->irq.intx_masked || s->irq.intx_fd < 0)
        return;
    s->irq.intx_masked = true;
    trigger_irq(s, &s->irq.intx_fd);
}

void server_unmask_intx(struct vfio_server *s)
{
    s->irq.intx_masked = false;
    server_interrupt(s);
}

void server_close_interrupts(struct vfio_server *s)
{
    replace_fd(&s->irq.intx_fd, -1);
    replace_fd(&s->irq.msi_fd, -1);
    replace_fd(&s->irq.unmask_fd, -1);
    s->irq.intx_masked = false;
}

static bool set_irqs(struct vfio_server *s, struct vfio_message *m)
{
    struct vfio_user_irq_set set;
    if (!accept_fd(m, &set, sizeof set))
        return too_short(s, m);
    const uint32_t data = set.flags & (IRQ_DATA_NONE | IRQ_DATA_BOOL | IRQ_DATA_EVENTFD),
                   action = set.flags & (IRQ_ACTION_MASK | IRQ_ACTION_UNMASK | IRQ_ACTION_TRIGGER);
    if (set.index > INTERRUPT_MSI && !set.count)
        return send_reply(s, m, NULL, 0); /* none can be disabled */
    if (set.index > INTERRUPT_MSI || set.start || set.count > 1 || !data || data & (data - 1) || !action ||
        action & (action - 1) || (data == IRQ_DATA_BOOL && m->payload_bytes < sizeof set + set.count))
        return refuse(s, m, EINVAL, "interrupts %u, %u from %u on, flags %#x", set.index, set.count,
                      set.start, set.flags);
    int *const signal = set.index == INTERRUPT_INTX ? &s->irq.intx_fd : &s->irq.msi_fd;
    const bool wanted =
        set.count && (data == IRQ_DATA_NONE || (data == IRQ_DATA_BOOL && m->payload[sizeof set]));
    int given = -1;
    if (data == IRQ_DATA_EVENTFD && set.count && m->fd_count) {
        if (!eventfd_accept(m->fds[0]))
            return refuse(s, m, EINVAL, "the descriptor for interrupts is not an eventfd");
        given = m->fds[0];
        m->fds[0] = -1;
    }
    if (action == IRQ_ACTION_TRIGGER) {
        if (data == IRQ_DATA_EVENTFD || !set.count)
            replace_fd(signal, given);
        else if (wanted)
            trigger_irq(s, signal);
        if (signal == &s->irq.intx_fd)
            server_unmask_intx(s);
    } else if (set.index != INTERRUPT_INTX) {
        replace_fd(&given, -1);
        return refuse(s, m, EINVAL, "messages cannot be masked");
    } else if (action == IRQ_ACTION_UNMASK && data == IRQ_DATA_EVENTFD) {
        replace_fd(&s->irq.unmask_fd, given);
    } else if (action == IRQ_ACTION_UNMASK && wanted) {
        server_unmask_intx(s);
    } else if (action == IRQ_ACTION_MASK && wanted) {
        s->irq.intx_masked = true;
    } else {
        replace_fd(&given, -1);
    }
    return send_reply(s, m, NULL, 0);
}

/* ---- Regions ---- */

static bool in_region(const struct vfio_server *s, const struct vfio_user_region_access *at)
{
    const uint64_t bytes = region_bytes(s, at->region);
    return at->region < REGIONS && at->offset < bytes && at->count_bytes <= bytes - at->offset;
}

static void add_counts(struct vfio_server *s, unsigned region, bool write)
{
    struct vfio_user_counts *c = &s->counts;
    uint64_t *const by_region[] = {[SOFTGT_BAR_GTTMMADR] = write ? &c->register_writes : &c->register_reads,
                                   [SOFTGT_BAR_GMADR] = write ? &c->aperture_writes : &c->aperture_reads,
                                   [REGION_CONFIG] = &c->config_accesses};
    if (by_region[region])
        ++*by_region[region];
}

/* The widest naturally aligned access that fits, as a processor would split it. */
static unsigned width(uint64_t offset, uint32_t left_bytes, unsigned at_most)
{
    unsigned bytes = at_most;
    while (bytes > left_bytes || offset % bytes)
        bytes /= 2;
    return bytes;
}

static void read_region(struct vfio_server *s, const struct vfio_user_region_access *at, uint8_t *to)
{
    const bool config = at->region == REGION_CONFIG;
    add_counts(s, at->region, false);
    if (s->recorder && at->region == SOFTGT_BAR_GMADR)
        recorder_settle(s->recorder, s->device);
    for (uint32_t done = 0; done < at->count_bytes && !*s->options->stop;) {
        const unsigned part = width(at->offset + done, at->count_bytes - done, config ? 4 : 8);
        const uint64_t value = config ? server_config_read(s, (uint32_t)at->offset + done, part)
                                      : softgt_function_bar_read(s->device, s->function_number, at->region,
                                                                 at->offset + done, part);
        memcpy(to + done, &value, part);
        done += part;
    }
}

static void write_region(struct vfio_server *s, const struct vfio_user_region_access *at, const uint8_t *from)
{
    const bool config = at->region == REGION_CONFIG;
    add_counts(s, at->region, true);
    if (s->recorder && at->region == SOFTGT_BAR_GMADR)
        recorder_settle(s->recorder, s->device);
    if (s->recorder && at->region == REGION_BAR0 && !s->recording.table_synced)
        recorder_sync_table(s->recorder);
    s->recording.table_synced |= at->region == REGION_BAR0;
    for (uint32_t done = 0; done < at->count_bytes && !*s->options->stop;) {
        const unsigned part = width(at->offset + done, at->count_bytes - done, config ? 4 : 8);
        uint64_t value = 0;
        memcpy(&value, from + done, part);
        if (config)
            server_config_write(s, (uint32_t)at->offset + done, (uint32_t)value, part);
        else
            softgt_function_bar_write(s->device, s->function_number, at->region, at->offset + done, value,
                                      part);
        if (s->recorder && at->region == REGION_BAR0)
            recorder_register_written(s->recorder, s->device, at->offset + done, value, part);
        done += part;
    }
    if (s->recorder && at->region == SOFTGT_BAR_GMADR) /* local memory's BAR has the same number */
        recorder_aperture_written(s->recorder);
    if (s->recorder && config)
        recorder_check_reset(s->recorder, s->device);
}

static bool region_read(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_region_access at;
    static uint8_t data[TRANSFER_BYTES];
    if (!accept_fd(m, &at, sizeof at))
        return too_short(s, m);
    if (!in_region(s, &at) || at.count_bytes > sizeof data)
        return refuse(s, m, EINVAL, "read of %u bytes at %#" PRIx64 " of region %u", at.count_bytes,
                      at.offset, at.region);
    read_region(s, &at, data);
    return connection_reply(s->client, m, 0, &at, sizeof at, data, at.count_bytes, -1);
}

static bool region_write(struct vfio_server *s, const struct vfio_message *m)
{
    struct vfio_user_region_access at;
    if (!accept_fd(m, &at, sizeof at))
        return too_short(s, m);
    if (!in_region(s, &at) || at.count_bytes > m->payload_bytes - sizeof at)
        return refuse(s, m, EINVAL, "write of %u bytes at %#" PRIx64 " of region %u", at.count_bytes,
                      at.offset, at.region);
    write_region(s, &at, m->payload + sizeof at);
    return send_reply(s, m, &at, sizeof at);
}

static bool region_write_multi(struct vfio_server *s, const struct vfio_message *m)
{
    uint64_t count;
    if (!accept_fd(m, &count, sizeof count))
        return too_short(s, m);
    if (count > (m->payload_bytes - sizeof count) / sizeof(struct vfio_user_write_multi))
        return refuse(s, m, EINVAL, "%" PRIu64 " writes in %zu bytes", count, m->payload_bytes);
    for (uint64_t i = 0; i < count && !*s->options->stop; i++) {
        struct vfio_user_write_multi w;
        memcpy(&w, m->payload + sizeof count + i * sizeof w, sizeof w);
        if (!in_region(s, &w.at) || w.at.count_bytes > sizeof w.data)
            return refuse(s, m, EINVAL, "write of %u bytes at %#" PRIx64 " of region %u", w.at.count_bytes,
                          w.at.offset, w.at.region);
        write_region(s, &w.at, w.data);
    }
    return send_reply(s, m, &count, sizeof count);
}

void server_count(struct vfio_server *s)
{
    struct vfio_user_counts *const c = &s->counts;
    struct softgt_engine_status now;
    c->virtual_ns += softgt_now_ns(s->device);
    c->messages += softgt_interrupt_count(s->device);
    for (unsigned i = 0; i < VFIO_USER_ENGINES && softgt_engine_get_status(s->device, i, &now); i++) {
        struct softgt_engine_status *const sum = &c->engines[i];
        sum->name = now.name;
        sum->batches += now.batches;
        sum->commands += now.commands;
        sum->context_switches += now.context_switches;
        sum->interrupts += now.interrupts;
        sum->faults += now.faults;
    }
}

void server_reset(struct vfio_server *s)
{
    if (s->function_number) {
        server_function_reset(s);
        return;
    }
    if (!s->options->functions || s->options->pf_decides) /* isolated VFs: counts continue */
        server_count(s);
    monitor_reset(s->monitor);
    if (s->recorder)
        recorder_check_reset(s->recorder, s->device);
}

static bool handle_reset(struct vfio_server *s, const struct vfio_message *m)
{
    server_reset(s);
    return send_reply(s, m, NULL, 0);
}

bool server_handle(struct vfio_server *s, struct vfio_message *m)
{
    s->messages++;
    s->recording.table_synced = false;
    if ((m->header.flags & VFIO_USER_TYPE) == VFIO_USER_TYPE_REPLY)
        return true; /* an answer that is not awaited any more */
    if ((m->header.flags & VFIO_USER_TYPE) != VFIO_USER_TYPE_COMMAND) {
        server_say(s, "message %" PRIu64 ": flags %#x are neither a command's nor a reply's; client dropped",
                   s->messages, m->header.flags);
        return false;
    }
    if (!s->version_negotiated && m->header.command != VFIO_USER_VERSION) {
        server_say(s, "command %u before the version; client dropped", m->header.command);
        return false;
    }
    switch (m->header.command) {
    case VFIO_USER_REGION_READ:
        return region_read(s, m);
    case VFIO_USER_REGION_WRITE:
        return region_write(s, m);
    case VFIO_USER_REGION_WRITE_MULTI:
        return region_write_multi(s, m);
    case VFIO_USER_VERSION:
        return version(s, m);
    case VFIO_USER_DMA_MAP:
        return dma_map(s, m);
    case VFIO_USER_DMA_UNMAP:
        return dma_unmap(s, m);
    case VFIO_USER_DEVICE_GET_INFO:
        return device_info(s, m);
    case VFIO_USER_DEVICE_GET_REGION_INFO:
        return region_info(s, m);
    case VFIO_USER_DEVICE_GET_IRQ_INFO:
        return irq_info(s, m);
    case VFIO_USER_DEVICE_SET_IRQS:
        return set_irqs(s, m);
    case VFIO_USER_DEVICE_RESET:
        return handle_reset(s, m);
    default:
        return refuse(s, m, ENOTSUP, "unknown command %u", m->header.command);
    }
}
