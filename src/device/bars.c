#include "device/device.h"

#include "memory/fence.h"

/* Accesses to the BARs: registers, the GGTT, local memory, the aperture; and to the I/O ports of VGA. */

/* The access reaches a unit that may be asleep. */
static bool reaches(struct softgt *d, uint64_t offset, bool write)
{
    return !d->gts[0].needs_wakes || force_wake_reaches(&d->gts[0], (uint32_t)(offset & ~UINT64_C(3)), write);
}

/* A register of an isolated VF: the access is reported. */
static bool is_others(struct softgt *d, uint64_t offset, unsigned size_bytes)
{
    bool others = false;
    if (__builtin_expect(!vfs_are_isolated(&d->isolation), 1))
        return false;
    for (uint64_t at = offset & ~UINT64_C(3); at < offset + size_bytes; at += 4)
        others |= engine_register_belongs_to_vf(d->engines, (uint32_t)at, 0);
    if (others)
        report_error(&d->log, SOFTGT_GUEST_ERROR, "mmio", offset,
                     "register %05x belongs to an isolated VF: reads 0, not written", (unsigned)offset);
    return others;
}

static uint64_t mmio_read(struct softgt *d, uint64_t offset, unsigned size_bytes)
{
    uint64_t value = 0;
    if (is_others(d, offset, size_bytes) || !reaches(d, offset, false))
        return 0;
    if (size_bytes == 4 && offset % 4u == 0) /* the most frequent case */
        return register_read(&d->mmio, (uint32_t)offset, 0xf, &accessor_cpu);
    for (unsigned done = 0; done < size_bytes;) {
        const uint64_t at = offset + done;
        const unsigned byte = at & 3u, part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        uint64_t dword = (uint64_t)register_read(&d->mmio, (uint32_t)(at & ~UINT64_C(3)),
                                                 ((1u << part) - 1u) << byte, &accessor_cpu) >>
                         (byte * 8u);
        if (part < 4)
            dword &= (1u << (part * 8u)) - 1u;
        value |= dword << (done * 8u);
        done += part;
    }
    return value;
}

/* A CPU's write to an engine wakes it. */
static void wake_for_write(struct gt *gt, uint32_t offset)
{
    const void *owner = register_slot_at(gt->mmio, offset)->owner;
    for (unsigned i = 0; i < gt->engine_count; i++)
        if (owner == &gt->engines[i])
            rc6_wake(gt);
}

static void mmio_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (is_others(d, offset, size_bytes) || !reaches(d, offset, true))
        return;
    for (struct gt *gt = d->gts; gt < d->gts + device_gt_count(d); gt++)
        if (__builtin_expect(rc6_asleep(gt), 0))
            wake_for_write(gt, (uint32_t)(offset & ~UINT64_C(3)));
    if (size_bytes == 4 && offset % 4u == 0) {
        register_write(&d->mmio, (uint32_t)offset, (uint32_t)value, 0xf, &accessor_cpu);
        return;
    }
    for (unsigned done = 0; done < size_bytes;) {
        const uint64_t at = offset + done;
        const unsigned byte = at & 3u, part = 4u - byte < size_bytes - done ? 4u - byte : size_bytes - done;
        register_write(&d->mmio, (uint32_t)(at & ~UINT64_C(3)),
                       (uint32_t)(value >> (done * 8u)) << (byte * 8u), ((1u << part) - 1u) << byte,
                       &accessor_cpu);
        done += part;
    }
}

/* I/O ports are registers at the same offset. */
static bool is_vga(uint16_t port)
{
    return port >= VGA_FIRST && port <= VGA_LAST;
}

uint8_t softgt_vga_read(struct softgt *d, uint16_t port)
{
    return is_vga(port) ? (uint8_t)mmio_read(d, port, 1) : 0;
}

void softgt_vga_write(struct softgt *d, uint16_t port, uint8_t value)
{
    if (!is_vga(port) || !device_enter(d, __func__))
        return;
    mmio_write(d, port, value, 1);
    device_leave(d);
}

/* Since Gen11 Linux flushes nothing after it has written GGTT entries. */
static struct mmu *aperture_of(struct softgt *d)
{
    if (d->memory.info->aperture_updated_by_ggtt_write)
        mmu_invalidate(&d->cpu);
    return &d->cpu;
}

/* Without the part of firmware. */
static uint64_t open_bytes(const struct softgt *d)
{
    const uint64_t open = d->memory.local_bytes ? local_layout(&d->memory).wopcm : 0;
    return open < pf_local_bytes(&d->memory) ? open : pf_local_bytes(&d->memory);
}

uint64_t softgt_local_direct_bytes(const struct softgt *d)
{
    return d->sheet->info.local_bytes ? open_bytes(d) : 0;
}

/* Local memory as the CPU accesses it, or stolen memory where that has the BAR. (SYS-08) */
static bool local_bar_transfer(struct softgt *d, uint64_t offset, void *data, bool write, unsigned size_bytes)
{
    const uint64_t open = open_bytes(d), bar = d->pci.local_bar_bytes;
    const uint64_t end = offset < bar && size_bytes <= bar - offset ? offset + size_bytes : UINT64_MAX;
    if (end <= open)
        return write ? bus_write(&d->memory, MEMORY_LOCAL | offset, data, size_bytes)
                     : bus_read(&d->memory, MEMORY_LOCAL | offset, data, size_bytes);
    report_error(&d->log, SOFTGT_GUEST_ERROR, "bar", offset, "%s %s", write ? "write" : "read",
                 end == UINT64_MAX ? "past the end of BAR 2" : "of protected local memory");
    return false;
}

uint64_t softgt_bar_read(struct softgt *d, unsigned bar, uint64_t offset, unsigned size_bytes)
{
    const uint64_t mmio = d->sheet->info.mmio_bytes, ggtt = d->sheet->info.ggtt_bytes;
    uint64_t value = 0;
    if (size_bytes == 0 || size_bytes > 8)
        return 0;
    if (bar == SOFTGT_BAR_GTTMMADR && offset < mmio && size_bytes <= mmio - offset)
        return mmio_read(d, offset, size_bytes);
    if (bar == SOFTGT_BAR_GTTMMADR && offset >= mmio && offset - mmio < ggtt &&
        size_bytes <= ggtt - (offset - mmio))
        return pf_ggtt_read(&d->memory, offset - mmio, size_bytes);
    if (bar == SOFTGT_BAR_LOCAL && d->memory.local_bytes)
        local_bar_transfer(d, offset, &value, false, size_bytes);
    else if (bar == SOFTGT_BAR_GMADR)
        aperture_load(aperture_of(d), offset, &value, size_bytes);
    else if (bar == SOFTGT_BAR_IO && offset < d->sheet->pci->io_bytes)
        value = pci_io_read(d, offset, size_bytes);
    else
        report_error(&d->log, SOFTGT_GUEST_ERROR, "bar", offset, "read past the end of BAR %u", bar);
    return value;
}

static void aperture_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    aperture_store(aperture_of(d), offset, &value, size_bytes);
    if (!d->sheet->display->compresses)
        return;
    unsigned first_fence, last_fence;
    uint32_t first_row, last_row;
    const bool first = fence_row(&d->memory, offset, &first_fence, &first_row),
               last = fence_row(&d->memory, offset + size_bytes - 1u, &last_fence, &last_row);
    if (first && last && first_fence == last_fence) {
        fbc_fence_written(&d->display, first_fence, first_row, last_row);
        return;
    }
    if (first)
        fbc_fence_written(&d->display, first_fence, first_row, first_row);
    if (last)
        fbc_fence_written(&d->display, last_fence, last_row, last_row);
}

void device_bar_write(struct softgt *d, unsigned bar, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    const uint64_t mmio = d->sheet->info.mmio_bytes, ggtt = d->sheet->info.ggtt_bytes;
    if (size_bytes == 0 || size_bytes > 8)
        return;
    if (bar == SOFTGT_BAR_GTTMMADR && offset < mmio && size_bytes <= mmio - offset)
        mmio_write(d, offset, value, size_bytes);
    else if (bar == SOFTGT_BAR_GTTMMADR && offset >= mmio && offset - mmio < ggtt &&
             size_bytes <= ggtt - (offset - mmio))
        pf_ggtt_write(&d->memory, offset - mmio, value, size_bytes);
    else if (bar == SOFTGT_BAR_LOCAL && d->memory.local_bytes)
        local_bar_transfer(d, offset, &value, true, size_bytes);
    else if (bar == SOFTGT_BAR_GMADR)
        aperture_write(d, offset, value, size_bytes);
    else if (bar == SOFTGT_BAR_IO && offset < d->sheet->pci->io_bytes)
        pci_io_write(d, offset, value, size_bytes);
    else
        report_error(&d->log, SOFTGT_GUEST_ERROR, "bar", offset, "write past the end of BAR %u", bar);
}

void softgt_bar_write(struct softgt *d, unsigned bar, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (!device_enter(d, __func__))
        return;
    device_bar_write(d, bar, offset, value, size_bytes);
    device_leave(d);
}
