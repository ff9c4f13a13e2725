/*
 * The PCI function: configuration space and BARs. The data sheet has what differs between products: class,
 * capabilities and their offsets, aperture, graphics control. Mapping the BARs is up to the owner.
 *
 * Modelled: sizing of BARs, MSI, INTx, power states as a register, function-level reset, a resizable BAR of
 * local memory, and the part of virtual functions that the physical one holds (the rest: functions.c). Not
 * modelled: stolen memory on the bus, because no firmware reserves it. (PCI 3.0; PCI power management 1.2;
 * PCI Express 2.0; SKL PRM vol 2c)
 */
#include "device/device.h"

#include <string.h>

enum {
    COMMAND = 0x04,
    STATUS = 0x06,
    BAR_0 = 0x10,
    CAPABILITIES = 0x34,
    INTERRUPT_LINE = 0x3c,
    INTERRUPT_PIN = 0x3d,
    GGC = 0x50,
    ASLS = 0xfc,
};
enum { GGC_HALF = 1u << 6 /* of the table's size, a power of two */ };
enum {
    COMMAND_WRITABLE = 0x0407,
    COMMAND_MASTER = 1u << 2,
    COMMAND_INTX_DISABLE = 1u << 10,
    STATUS_CAPABILITIES = 1u << 4
};
enum { STATUS_INTERRUPT = 1u << 3, MSI_ENABLE = 1u << 0 };
enum { BAR_IO = 1u << 0, BAR_64 = 1u << 2, BAR_PREFETCHABLE = 1u << 3, BARS = 6 };
/* Resizable BAR, the first capability in extended space: sizes that can be, then the one that is. */
enum {
    EXTENDED = 0x100,
    REBAR_SIZES = EXTENDED + 4,
    REBAR_CONTROL = EXTENDED + 8,
    REBAR_END = EXTENDED + 12
};
enum { REBAR_HEADER = 0x15 | 1u << 16 };
enum { EXPRESS_ENDPOINT = 0x02 };
enum { EXPRESS_DEVICE_CONTROL = 8, EXPRESS_RESET = 1u << 15, AF_CONTROL = 4, AF_RESET = 1u << 0 };

bool softgt_bar_get_info(const struct softgt *d, unsigned bar, struct softgt_bar_info *info)
{
    const struct pci_info *pci = d->sheet->pci;
    const struct softgt_device_info *s = &d->sheet->info;
    *info = (struct softgt_bar_info){0};
    if (bar == SOFTGT_BAR_GTTMMADR)
        *info = (struct softgt_bar_info){.size_bytes = s->mmio_bytes + s->ggtt_bytes, .is_64_bit = true};
    else if (bar == SOFTGT_BAR_GMADR)
        *info = (struct softgt_bar_info){.size_bytes = d->memory.local_bytes ? d->pci.local_bar_bytes
                                                                             : pci->gmadr_bytes,
                                         .is_64_bit = true,
                                         .is_prefetchable = true};
    else if (bar == SOFTGT_BAR_IO)
        *info = (struct softgt_bar_info){.size_bytes = pci->io_bytes, .is_io = true};
    return info->size_bytes != 0;
}

static const struct pci_capability *find_capability(const struct softgt *d, unsigned id)
{
    const struct pci_capability *c = d->sheet->pci->capabilities;
    while (c->id && c->id != id)
        c++;
    return c;
}

/* The contents of each capability after its two first bytes, and the writable bits. */
static const struct capability_content {
    uint8_t id, length;
    uint8_t bytes[58], writable[58];
} contents[] = {
    /* 32-bit address, one vector. */
    {PCI_MSI, 8, {0x00, 0x00}, {0x71, 0, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff}},
    /* Version 2; D0 and D3hot. */
    {PCI_POWER_MANAGEMENT, 6, {0x22, 0x00}, {0, 0, 0x03}},
    /* Root complex integrated endpoint that can be reset. */
    {PCI_EXPRESS, 50, {0x92, 0x00, 0x00, 0x80, 0x00, 0x10}, {[6] = 0x1f, [7] = 0x08}},
    /* Six bytes; transactions pending and function-level reset. */
    {PCI_ADVANCED_FEATURES, 4, {0x06, 0x03}, {0}},
};

/* Registers of every function of the device. */
static void put_common(const struct softgt *d, struct pci *p)
{
    const struct sheet *s = d->sheet;
    memset(p, 0, sizeof *p);
    pci_put(p->bytes, STATUS, STATUS_CAPABILITIES, 2);
    pci_put(p->bytes, 0x08, s->info.pci_revision | (uint32_t)s->pci->class_code << 8, 4);
    pci_put(p->bytes, 0x2c, 0x8086u | (uint32_t)s->info.pci_device_id << 16, 4);
    uint32_t link = CAPABILITIES;
    for (const struct pci_capability *c = s->pci->capabilities; c->id; c++) {
        pci_put(p->bytes, link, c->offset, 1);
        pci_put(p->bytes, c->offset, c->id, 1);
        link = c->offset + 1u;
        for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
            if (contents[i].id == c->id) {
                memcpy(p->bytes + c->offset + 2, contents[i].bytes, contents[i].length);
                memcpy(p->writable + c->offset + 2, contents[i].writable, contents[i].length);
            }
        if (c->id == PCI_EXPRESS && s->pci->is_endpoint)
            pci_put(p->bytes, c->offset + 2u, EXPRESS_ENDPOINT, 1);
    }
}

/* Ids are all ones, BARs and memory's enable are in the physical function's capability, there is no pin. */
void pci_virtual_reset(const struct softgt *d, struct pci *p)
{
    put_common(d, p);
    pci_put(p->bytes, 0x00, 0xffffffff, 4);
    pci_put(p->writable, COMMAND, COMMAND_MASTER, 2);
}

/* The size of the BAR after a reset: all local memory, or the smallest size that holds the physical
 * function's part. i915 asks for that size, and loses the BAR where a passthrough layer refuses to resize it.
 */
static uint64_t first_local_bar(const struct softgt *d)
{
    uint64_t bytes = pci_rebar_bytes(8);
    while (bytes < pf_local_bytes(&d->memory))
        bytes *= 2u;
    return bytes < d->memory.local_bytes ? bytes : d->memory.local_bytes;
}

void pci_reset(struct softgt *d)
{
    const struct sheet *s = d->sheet;
    struct pci *p = &d->pci;
    put_common(d, p);
    p->local_bar_bytes = first_local_bar(d);
    pci_put(p->bytes, 0x00, 0x8086u | (uint32_t)s->info.pci_device_id << 16, 4);
    pci_put(p->writable, COMMAND, COMMAND_WRITABLE, 2);
    for (unsigned bar = 0; bar < BARS; bar++) {
        struct softgt_bar_info info;
        if (!softgt_bar_get_info(d, bar, &info))
            continue;
        const unsigned size = info.is_64_bit ? 8 : 4;
        pci_put(p->bytes, BAR_0 + bar * 4u,
                (info.is_io ? BAR_IO : 0u) | (info.is_64_bit ? BAR_64 : 0u) |
                    (info.is_prefetchable ? BAR_PREFETCHABLE : 0u),
                size);
        pci_put(p->writable, BAR_0 + bar * 4u, ~(info.size_bytes - 1u), size);
    }
    pci_put(p->bytes, INTERRUPT_PIN, 1, 1);
    pci_put(p->writable, INTERRUPT_LINE, 0xff, 1);
    pci_put(p->bytes, GGC, s->pci->gmch_control - (vfs_are_isolated(&d->isolation) ? GGC_HALF : 0u), 2);
    pci_put(p->writable, ASLS, 0xffffffff, 4);
}

bool pci_by_message(const struct softgt *d, const struct pci *p)
{
    const struct pci_capability *msi = find_capability(d, PCI_MSI);
    return msi->id && pci_get16(p->bytes, msi->offset + 2u) & MSI_ENABLE;
}

/* Gives the interrupt unit the settings of the configuration space that it depends on. */
static void follow(struct softgt *d)
{
    const uint32_t command = pci_get16(d->pci.bytes, COMMAND);
    d->interrupt.output.msi_enabled = pci_by_message(d, &d->pci);
    d->interrupt.output.pin_disabled = command & COMMAND_INTX_DISABLE;
    interrupt_update(&d->interrupt);
}

/* ---- The size of local memory's BAR ---- */

static bool local_bar_can_be(const struct softgt *d, uint64_t bytes)
{
    const uint64_t most = d->memory.local_bytes, least = pci_rebar_bytes(8);
    return bytes == most || (bytes >= least && bytes < most && (bytes & (bytes - 1u)) == 0);
}

static void set_local_bar(struct softgt *d, uint64_t bytes)
{
    d->pci.local_bar_bytes = bytes;
    pci_put(d->pci.writable, BAR_0 + SOFTGT_BAR_LOCAL * 4u, ~(bytes - 1u), 8);
}

/* Of virtual functions, in the physical one's configuration space. */
static bool capabilities_shown(const struct softgt *d)
{
    return d->sriov.total_vfs && !vfs_are_isolated(&d->isolation);
}

static uint32_t extended_read(const struct softgt *d, uint32_t offset)
{
    uint32_t sizes = 0;
    for (unsigned i = 0; i < 32 - REBAR_FIRST_SIZE; i++)
        sizes |= local_bar_can_be(d, pci_rebar_bytes(i)) ? 1u << (REBAR_FIRST_SIZE + i) : 0u;
    return offset == EXTENDED      ? REBAR_HEADER | (capabilities_shown(d) ? (uint32_t)SRIOV_CONFIG << 20 : 0)
           : offset == REBAR_SIZES ? sizes
           : offset == REBAR_CONTROL ? pci_rebar_control(d->pci.local_bar_bytes)
                                     : 0u;
}

static void extended_write(struct softgt *d, uint32_t at, uint8_t byte)
{
    const uint64_t bytes = pci_rebar_bytes(byte);
    if (at == REBAR_CONTROL + 1 && d->sheet->info.local_bytes && local_bar_can_be(d, bytes))
        set_local_bar(d, bytes);
}

void pci_state(struct softgt *d, struct state *s)
{
    STATE_ARRAY(s, d->pci.bytes);
    STATE(s, d->pci.io_index);
    if (!d->memory.local_bytes)
        return;
    uint64_t bytes = d->pci.local_bar_bytes;
    STATE(s, bytes);
    state_check(s, local_bar_can_be(d, bytes));
    if (!s->failed)
        set_local_bar(d, bytes);
}

uint32_t softgt_pci_config_bytes(const struct softgt *d)
{
    return find_capability(d, PCI_EXPRESS)->id ? 4096 : PCI_CONFIG_BYTES;
}

uint32_t softgt_pci_config_read(const struct softgt *d, uint32_t offset, unsigned size_bytes)
{
    uint32_t value = 0;
    const uint32_t status = d->interrupt.output.pin_line ? STATUS_INTERRUPT : 0u;
    for (unsigned i = 0; i < size_bytes && i < 4; i++) {
        const uint32_t at = offset + i;
        uint32_t byte = at < PCI_CONFIG_BYTES ? d->pci.bytes[at] : 0;
        if (at >= EXTENDED && at < REBAR_END && d->sheet->info.local_bytes)
            byte = extended_read(d, at & ~3u) >> (at % 4u * 8u) & 0xffu;
        if (at >= SRIOV_CONFIG && capabilities_shown(d))
            byte = sriov_read(&d->sriov, at);
        if (at == STATUS)
            byte |= status;
        value |= byte << (i * 8u);
    }
    return value;
}

/* True: a write below the extended space that asks for a function-level reset. */
bool pci_write(const struct softgt *d, struct pci *p, uint32_t at, uint8_t byte)
{
    const struct pci_capability *express = find_capability(d, PCI_EXPRESS),
                                *af = find_capability(d, PCI_ADVANCED_FEATURES);
    p->bytes[at] = (uint8_t)((p->bytes[at] & ~p->writable[at]) | (byte & p->writable[at]));
    return (express->id && at == express->offset + EXPRESS_DEVICE_CONTROL + 1u &&
            byte & EXPRESS_RESET >> 8) ||
           (af->id && at == (uint32_t)af->offset + AF_CONTROL && byte & AF_RESET);
}

static void config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes)
{
    bool reset = false;
    for (unsigned i = 0; i < size_bytes && i < 4; i++) {
        const uint32_t at = offset + i;
        const uint8_t byte = (uint8_t)(value >> (i * 8u));
        if (at < PCI_CONFIG_BYTES)
            reset |= pci_write(d, &d->pci, at, byte);
        else
            extended_write(d, at, byte);
    }
    if (capabilities_shown(d) && offset >= PCI_CONFIG_BYTES)
        functions_config_write(d, offset, value, size_bytes);
    if (reset) {
        sriov_keep_sticky(&d->sriov);
        device_reset_by_owner(d);
    } else {
        follow(d);
    }
}

void softgt_pci_config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes)
{
    if (!device_enter(d, __func__))
        return;
    config_write(d, offset, value, size_bytes);
    device_leave(d);
}

/* ---- The I/O BAR: an index and a data register that reach the registers and the table. ---- */

enum { MMIO_INDEX = 0, MMIO_DATA = 4 };
enum { INDEX_TABLE = 1u << 0 };

static uint64_t indexed(const struct softgt *d)
{
    return (d->pci.io_index & ~3u) + (d->pci.io_index & INDEX_TABLE ? d->sheet->info.mmio_bytes : 0);
}

uint64_t pci_io_read(struct softgt *d, uint64_t offset, unsigned size_bytes)
{
    if (size_bytes != 4)
        return 0;
    if (offset == MMIO_INDEX)
        return d->pci.io_index;
    return offset == MMIO_DATA ? softgt_bar_read(d, SOFTGT_BAR_GTTMMADR, indexed(d), 4) : 0;
}

void pci_io_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes)
{
    if (size_bytes != 4)
        return;
    if (offset == MMIO_INDEX)
        d->pci.io_index = (uint32_t)value;
    else if (offset == MMIO_DATA)
        device_bar_write(d, SOFTGT_BAR_GTTMMADR, indexed(d), value, 4);
}
