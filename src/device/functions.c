/*
 * Virtual functions (VFs), as PCI and the CPU see them: a configuration space for each, and their BARs. A VF
 * is a view of the one device: of its registers those that each function has, of the GGTT's table its own
 * entries, of local memory what the LMTT gives it. function/sriov.c has the capability of the PF that enables
 * them. (SYS-01, SYS-06)
 */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

bool functions_create(struct softgt *d, const struct softgt_config *config)
{
    struct vf_views *const v = &d->vfs;
    const unsigned count = config->functions, allocated = count ? count : 1;
    d->sriov = (struct sriov){.total_vfs = count,
                              .vf_device_id = d->sheet->info.pci_device_id,
                              .registers_bar_bytes = d->sheet->info.mmio_bytes + d->sheet->info.ggtt_bytes};
    if (count && config->functions_isolated)
        d->isolation =
            (struct vf_isolation){.is_enabled = true,
                                  .pf_ggtt_bytes = d->sheet->memory.ggtt_bytes / 2u,
                                  .vf_registers_start = GUC_FUNCTION_FIRST + GUC_FUNCTION_BYTES,
                                  .vf_registers_end = GUC_FUNCTION_FIRST + (count + 1u) * GUC_FUNCTION_BYTES};
    v->config = calloc(allocated, sizeof *v->config);
    v->interrupts = calloc(allocated, sizeof *v->interrupts);
    v->accessors = calloc(allocated, sizeof *v->accessors);
    if (!v->config || !v->interrupts || !v->accessors)
        return false;
    for (unsigned i = 0; i < count; i++) {
        v->accessors[i] = (struct accessor){
            .name = vf_name(i + 1), .kind = ACCESSOR_CPU, .function = (uint8_t)(i + 1), .privileged = true};
        v->interrupts[i].port =
            config->function_ports ? config->function_ports[i].interrupt : config->interrupt;
    }
    return true;
}

void functions_destroy(struct softgt *d)
{
    free(d->vfs.config);
    free(d->vfs.interrupts);
    free(d->vfs.accessors);
}

unsigned softgt_function_count(const struct softgt *d)
{
    return d->sriov.total_vfs;
}

bool softgt_function_enabled(const struct softgt *d, unsigned function)
{
    return function <= d->memory.vf_enabled_count;
}

/* ---- Enabling and reset ---- */

/* Everything of a VF outside its BARs. */
static void config_reset(struct softgt *d, unsigned function)
{
    pci_virtual_reset(d, &d->vfs.config[function - 1]);
    d->vfs.interrupts[function - 1].msi_enabled = false;
}

/* VF Enable may have been written. Only enabled functions have bus memory. (SYS-06) */
static void vf_enable_written(struct softgt *d, unsigned before)
{
    const unsigned now = sriov_vfs_enabled(&d->sriov), most = before > now ? before : now;
    d->memory.vf_enabled_count = now;
    for (unsigned n = 1; n <= most && before != now; n++)
        config_reset(d, n);
    for (unsigned i = 0; before != now && i < device_guc_count(d); i++)
        guc_vfs_enabled(&d->gucs[i], now);
    if (before != now)
        device_tables_changed(d); /* translations that lead to a removed function */
}

void functions_config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes)
{
    const unsigned before = sriov_vfs_enabled(&d->sriov);
    sriov_write(&d->sriov, &d->log, offset, value, size_bytes);
    vf_enable_written(d, before);
}

void functions_enable_all(struct softgt *d, uint64_t vf_local_bytes)
{
    const unsigned before = sriov_vfs_enabled(&d->sriov);
    sriov_enable_all(&d->sriov, vf_local_bytes);
    vf_enable_written(d, before);
}

void functions_reset(struct softgt *d)
{
    const bool survive = vfs_are_isolated(&d->isolation) && sriov_vfs_enabled(&d->sriov);
    if (!d->sriov.total_vfs || survive)
        return;
    d->sriov.local_bytes = d->memory.local_bytes;
    sriov_reset(&d->sriov);
    d->memory.vf_enabled_count = sriov_vfs_enabled(&d->sriov);
    for (unsigned n = 1; n <= d->sriov.total_vfs; n++)
        config_reset(d, n);
}

void functions_settle(struct softgt *d)
{
    if (d->sriov.total_vfs) {
        sriov_settle(&d->sriov);
        d->memory.vf_enabled_count = sriov_vfs_enabled(&d->sriov);
    }
    for (unsigned n = 0; n < d->sriov.total_vfs; n++)
        d->vfs.interrupts[n].msi_enabled = pci_by_message(d, &d->vfs.config[n]);
}

void functions_state(struct softgt *d, struct state *s)
{
    uint32_t count = d->sriov.total_vfs;
    STATE(s, count);
    state_check(s, count == d->sriov.total_vfs);
    sriov_state(&d->sriov, s);
    for (unsigned n = 0; n < d->sriov.total_vfs && !s->failed; n++)
        STATE_ARRAY(s, d->vfs.config[n].bytes);
}

/* ---- A function's configuration space ---- */

/* Absent registers read as all ones. */
static uint64_t ones(unsigned size_bytes)
{
    return UINT64_MAX >> (64u - size_bytes * 8u);
}

uint32_t softgt_function_pci_config_read(const struct softgt *d, unsigned function, uint32_t offset,
                                         unsigned size_bytes)
{
    uint32_t value = 0;
    if (function == 0)
        return softgt_pci_config_read(d, offset, size_bytes);
    if (size_bytes == 0 || size_bytes > 4)
        return 0;
    if (!softgt_function_enabled(d, function))
        return (uint32_t)ones(size_bytes);
    for (unsigned i = 0; i < size_bytes; i++) {
        const uint32_t at = offset + i, ari = sriov_vf_ari_header();
        uint32_t byte = 0;
        if (at < PCI_CONFIG_BYTES)
            byte = d->vfs.config[function - 1].bytes[at];
        else if (at < PCI_CONFIG_BYTES + 4u)
            byte = ari >> (at % 4u * 8u) & 0xffu;
        value |= byte << (i * 8u);
    }
    return value;
}

void softgt_function_pci_config_write(struct softgt *d, unsigned function, uint32_t offset, uint32_t value,
                                      unsigned size_bytes)
{
    bool reset = false;
    if (function == 0) {
        softgt_pci_config_write(d, offset, value, size_bytes);
        return;
    }
    if (!softgt_function_enabled(d, function) || !device_enter(d, __func__))
        return;
    struct pci *const p = &d->vfs.config[function - 1];
    for (unsigned i = 0; i < size_bytes && i < 4; i++)
        if (offset + i < PCI_CONFIG_BYTES)
            reset |= pci_write(d, p, offset + i, (uint8_t)(value >> (i * 8u)));
    d->vfs.interrupts[function - 1].msi_enabled = pci_by_message(d, p);
    if (reset) {
        config_reset(d, function);
        for (unsigned i = 0; i < device_guc_count(d); i++)
            guc_vf_flr(&d->gucs[i], function);
    }
    device_leave(d);
}

/* ---- Its BARs ---- */

bool softgt_function_bar_get_info(const struct softgt *d, unsigned function, unsigned bar,
                                  struct softgt_bar_info *info)
{
    if (function == 0)
        return softgt_bar_get_info(d, bar, info);
    *info = (struct softgt_bar_info){0};
    if (function > d->sriov.total_vfs)
        return false;
    if (bar == SOFTGT_BAR_GTTMMADR)
        *info = (struct softgt_bar_info){.size_bytes = d->sriov.registers_bar_bytes, .is_64_bit = true};
    else if (bar == SOFTGT_BAR_LOCAL)
        *info = (struct softgt_bar_info){
            .size_bytes = d->sriov.local_bar_bytes, .is_64_bit = true, .is_prefetchable = true};
    return info->size_bytes != 0;
}

/* The function exists, its memory space is enabled, and the access is one that its BAR decodes. */
static bool decodes(struct softgt *d, unsigned function, unsigned bar, uint64_t offset, unsigned size_bytes)
{
    struct softgt_bar_info info;
    return size_bytes >= 1 && size_bytes <= 8 && softgt_function_enabled(d, function) &&
           sriov_memory_enabled(&d->sriov) && softgt_function_bar_get_info(d, function, bar, &info) &&
           offset < info.size_bytes && size_bytes <= info.size_bytes - offset;
}

/* Reports an access to a register that a VF does not have. */
static void tell_outside(struct softgt *d, unsigned function, uint64_t offset, bool write)
{
    report_error(&d->log, SOFTGT_GUEST_ERROR, "mmio", offset,
                 "%s of register %05x by VF %u, which has no such register: %s", write ? "write" : "read",
                 (unsigned)offset, function, write ? "dropped" : "reads 0");
}

/* A register of the function: its own copies, and pages of doorbells, which ring by function. NULL: none. */
static const struct register_slot *vf_register(const struct softgt *d, unsigned function, uint64_t offset)
{
    const uint64_t at = offset - GUC_FUNCTION_FIRST, doorbell = offset - GUC_DOORBELL_FIRST;
    const uint32_t dword = (uint32_t)(offset & ~UINT64_C(3));
    const struct register_slot *const s =
        at < GUC_FUNCTION_BYTES ? register_slot_at(&d->mmio, dword + function * GUC_FUNCTION_BYTES)
        : doorbell < (uint64_t)GUC_DOORBELL_PAGES * PAGE_BYTES ? register_slot_at(&d->mmio, dword)
                                                               : NULL;
    return s && s->row ? s : NULL;
}

/* An access within a dword, or of whole dwords, as drivers make them; others are reported. */
static uint64_t registers_read(struct softgt *d, unsigned function, uint64_t offset, unsigned size_bytes)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < size_bytes;) {
        const unsigned byte = (unsigned)(offset + done) & 3u,
                       part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        const struct register_slot *s = vf_register(d, function, offset + done);
        uint64_t dword = 0;
        if (s)
            dword = register_read(&d->mmio, s->offset, ((1u << part) - 1u) << byte,
                                  &d->vfs.accessors[function - 1]);
        else
            tell_outside(d, function, offset + done, false);
        value |= (dword >> (byte * 8u) & (part == 4 ? UINT32_MAX : (1u << part * 8u) - 1u)) << (done * 8u);
        done += part;
    }
    return value;
}

static void registers_write(struct softgt *d, unsigned function, uint64_t offset, uint64_t value,
                            unsigned size_bytes)
{
    for (unsigned done = 0; done < size_bytes;) {
        const unsigned byte = (unsigned)(offset + done) & 3u,
                       part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        const struct register_slot *s = vf_register(d, function, offset + done);
        if (s)
            register_write(&d->mmio, s->offset, (uint32_t)(value >> (done * 8u)) << (byte * 8u),
                           ((1u << part) - 1u) << byte, &d->vfs.accessors[function - 1]);
        else
            tell_outside(d, function, offset + done, true);
        done += part;
    }
}

/* Its local memory, as far as the LMTT gives it some. (SYS-08) */
static bool local_transfer(struct softgt *d, unsigned function, uint64_t offset, uint8_t *data, bool write,
                           unsigned size_bytes)
{
    uint64_t physical, there;
    for (unsigned done = 0; done < size_bytes;) {
        if (!lmtt_translate(&d->memory, d->memory.gunit_lmtt, function, offset + done, &physical, &there)) {
            report_error(&d->log, SOFTGT_GUEST_ERROR, "bar", offset,
                         "%s of local memory that VF %u does not have", write ? "write" : "read", function);
            return false;
        }
        const unsigned part = there < size_bytes - done ? (unsigned)there : size_bytes - done;
        if (write ? !bus_write(&d->memory, physical, data + done, part)
                  : !bus_read(&d->memory, physical, data + done, part))
            return false;
        done += part;
    }
    return true;
}

uint64_t softgt_function_bar_read(struct softgt *d, unsigned function, unsigned bar, uint64_t offset,
                                  unsigned size_bytes)
{
    if (function == 0)
        return softgt_bar_read(d, bar, offset, size_bytes);
    if (size_bytes == 0 || size_bytes > 8)
        return 0;
    if (!decodes(d, function, bar, offset, size_bytes))
        return ones(size_bytes);
    const uint64_t mmio_bytes = d->sheet->info.mmio_bytes;
    uint64_t value = 0;
    if (bar == SOFTGT_BAR_LOCAL)
        local_transfer(d, function, offset, (uint8_t *)&value, false, size_bytes);
    else if (offset >= mmio_bytes)
        value = ggtt_function_read(&d->memory, function, offset - mmio_bytes, size_bytes);
    else
        value = registers_read(d, function, offset, size_bytes);
    return value;
}

void softgt_function_bar_write(struct softgt *d, unsigned function, unsigned bar, uint64_t offset,
                               uint64_t value, unsigned size_bytes)
{
    if (function == 0) {
        softgt_bar_write(d, bar, offset, value, size_bytes);
        return;
    }
    if (!device_enter(d, __func__))
        return;
    const uint64_t mmio_bytes = d->sheet->info.mmio_bytes;
    if (!decodes(d, function, bar, offset, size_bytes))
        ; /* dropped */
    else if (bar == SOFTGT_BAR_LOCAL)
        local_transfer(d, function, offset, (uint8_t *)&value, true, size_bytes);
    else if (offset >= mmio_bytes)
        ggtt_function_write(&d->memory, function, offset - mmio_bytes, value, size_bytes);
    else
        registers_write(d, function, offset, value, size_bytes);
    device_leave(d);
}
