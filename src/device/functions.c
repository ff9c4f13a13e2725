/*
 * Virtual functions, as PCI and the CPU see them: the capability by which the physical function brings them
 * into being, a configuration space for each, and their BARs. A function is a view of the one device: of its
 * registers those that each function has, of the GGTT's table its own entries, of local memory what the LMTT
 * gives it. (SYS-01, SYS-06; PCI Express SR-IOV 1.1) Beside it are what a reset of the function keeps, the
 * masks of advanced error reporting, and sizes for the BARs of local memory.
 */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* Offsets from FUNCTIONS_CONFIG. */
enum { ARI = 0x00, SRIOV = 0x10, VF_REBAR = 0x50, AER = 0x60 };
enum {
    SRIOV_CAPABILITIES = SRIOV + 0x04,
    SRIOV_CONTROL = SRIOV + 0x08,
    SRIOV_INITIAL = SRIOV + 0x0c,
    SRIOV_TOTAL = SRIOV + 0x0e,
    SRIOV_COUNT = SRIOV + 0x10,
    SRIOV_FIRST = SRIOV + 0x14,
    SRIOV_STRIDE = SRIOV + 0x16,
    SRIOV_DEVICE = SRIOV + 0x1a,
    SRIOV_SIZES = SRIOV + 0x1c,
    SRIOV_SIZE = SRIOV + 0x20,
    SRIOV_BAR_0 = SRIOV + 0x24,
};
enum { CONTROL_ENABLE = 1u << 0, CONTROL_MEMORY = 1u << 3, CONTROL_ARI = 1u << 4 };
enum { ARI_PRESERVED = 1u << 1 };
enum { VF_REBAR_SIZES = VF_REBAR + 4, VF_REBAR_CONTROL = VF_REBAR + 8 };
enum { AER_MASK = AER + 0x08, AER_SEVERITY = AER + 0x0c, AER_CORRECTABLE_MASK = AER + 0x14 };
/* 4, 8, 64, 256 KB, 1 and 4 MB: what every part must have. */
enum { PAGE_SIZES = 0x553, PAGE_SIZE_4K = 1 };
enum { BAR_64_BIT = 1u << 2, BAR_PREFETCH = 1u << 3 };
enum { BAR_LEAST_MB_BITS = 4 /* 16 MB: more than the largest system page */ };

/* What one of the headers of a list in extended space says; `next` 0: the last. */
static uint32_t header(uint32_t id, uint32_t version, uint32_t next)
{
    return id | version << 16 | (next ? FUNCTIONS_CONFIG + next : 0) << 20;
}

static uint64_t registers_bar_bytes(const struct softgt *d)
{
    return d->sheet->info.mmio_bytes + d->sheet->info.ggtt_bytes;
}

bool functions_create(struct softgt *d, const struct softgt_config *config)
{
    struct sriov *f = &d->sriov;
    f->count = config->functions;
    f->apart = f->count && config->functions_apart;
    const unsigned room = f->count ? f->count : 1;
    f->vf_config = calloc(room, sizeof *f->vf_config);
    f->vf_interrupts = calloc(room, sizeof *f->vf_interrupts);
    f->vf_accessors = calloc(room, sizeof *f->vf_accessors);
    if (!f->vf_config || !f->vf_interrupts || !f->vf_accessors)
        return false;
    for (unsigned i = 0; i < f->count; i++) {
        f->vf_accessors[i] = (struct accessor){
            .name = vf_name(i + 1), .kind = ACCESSOR_CPU, .function = (uint8_t)(i + 1), .privileged = true};
        f->vf_interrupts[i].port =
            config->function_ports ? config->function_ports[i].interrupt : config->interrupt;
    }
    return true;
}

void functions_destroy(struct softgt *d)
{
    free(d->sriov.vf_config);
    free(d->sriov.vf_interrupts);
    free(d->sriov.vf_accessors);
}

static uint32_t sriov_control(const struct softgt *d)
{
    return pci_get16(d->sriov.bytes, SRIOV_CONTROL);
}

/* Functions that exist. */
static unsigned vfs_enabled(const struct softgt *d)
{
    return d->sriov.count && sriov_control(d) & CONTROL_ENABLE ? pci_get16(d->sriov.bytes, SRIOV_COUNT) : 0;
}

unsigned softgt_functions(const struct softgt *d)
{
    return d->sriov.count;
}

bool softgt_function_enabled(const struct softgt *d, unsigned function)
{
    return function <= d->memory.vf_enabled_count;
}

/* ---- The capabilities of the physical function ---- */

/* How many there are cannot change while there are some. Nobody else has bus memory. (SYS-06) */
static void follow_enable(struct softgt *d)
{
    d->memory.vf_enabled_count = vfs_enabled(d);
    pci_put(d->sriov.writable, SRIOV_COUNT, vfs_enabled(d) || sriov_control(d) & CONTROL_ENABLE ? 0 : 0xffff,
            2);
}

static bool local_bar_can_be(const struct softgt *d, uint64_t bytes)
{
    return (bytes & (bytes - 1u)) == 0 && bytes >= pci_rebar_bytes(BAR_LEAST_MB_BITS) &&
           bytes <= d->memory.local_bytes;
}

static void set_local_bar(struct softgt *d, uint64_t bytes)
{
    struct sriov *f = &d->sriov;
    f->local_bar_bytes = bytes;
    pci_put(f->writable, SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u, ~(bytes - 1u), 8);
    for (unsigned i = 0; i < 8; i++) /* bits that are its offset now */
        f->bytes[SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u + i] &=
            (uint8_t)(f->writable[SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u + i] | (i ? 0 : 0xf));
    pci_put(f->bytes, VF_REBAR_CONTROL, pci_rebar_control(bytes), 4);
}

/* Of each an equal part of local memory, at first. */
static uint64_t first_local_bar(const struct softgt *d)
{
    uint64_t bytes = d->memory.local_bytes;
    for (unsigned parts = 1; parts < d->sriov.count + 1; parts *= 2)
        bytes /= 2;
    const uint64_t least = pci_rebar_bytes(BAR_LEAST_MB_BITS);
    return bytes < least ? least : bytes;
}

/* Sticky bits are kept where the reset is a function's. */
void functions_keep_sticky(struct softgt *d)
{
    memcpy(d->sriov.sticky, d->sriov.bytes, sizeof d->sriov.sticky);
    d->sriov.keeps_sticky = true;
}

static void reset_capabilities(struct softgt *d)
{
    struct sriov *f = &d->sriov;
    uint8_t *const b = f->bytes, *const w = f->writable;
    uint32_t sizes = 0;
    memset(b, 0, sizeof f->bytes);
    memset(w, 0, sizeof f->writable);
    pci_put(b, ARI, header(0x0e, 1, SRIOV), 4);
    pci_put(b, SRIOV, header(0x10, 1, VF_REBAR), 4);
    pci_put(b, SRIOV_CAPABILITIES, ARI_PRESERVED, 4);
    pci_put(w, SRIOV_CONTROL, CONTROL_ENABLE | CONTROL_MEMORY | CONTROL_ARI, 2);
    pci_put(b, SRIOV_INITIAL, f->count, 2);
    pci_put(b, SRIOV_TOTAL, f->count, 2);
    pci_put(b, SRIOV_FIRST, 1, 2);
    pci_put(b, SRIOV_STRIDE, 1, 2);
    pci_put(b, SRIOV_DEVICE, d->sheet->info.pci_device_id, 2);
    pci_put(b, SRIOV_SIZES, PAGE_SIZES, 4);
    pci_put(b, SRIOV_SIZE, PAGE_SIZE_4K, 4);
    pci_put(w, SRIOV_SIZE, PAGE_SIZES, 4);
    pci_put(b, SRIOV_BAR_0, BAR_64_BIT, 4);
    pci_put(w, SRIOV_BAR_0, ~(registers_bar_bytes(d) - 1u), 8);
    pci_put(b, SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u, BAR_64_BIT | BAR_PREFETCH, 4);
    pci_put(b, VF_REBAR, header(0x24, 1, AER), 4);
    for (uint32_t i = 0; i < 32 - REBAR_FIRST_SIZE; i++)
        sizes |= local_bar_can_be(d, pci_rebar_bytes(i)) ? 1u << (REBAR_FIRST_SIZE + i) : 0u;
    pci_put(b, VF_REBAR_SIZES, sizes, 4);
    set_local_bar(d, first_local_bar(d));
    pci_put(b, AER, header(0x01, 1, 0), 4);
    pci_put(b, AER_SEVERITY, 0x00462030, 4);
    pci_put(b, AER_CORRECTABLE_MASK, 0x2000, 4);
    pci_put(w, AER_MASK, 0x01fff030, 4);
    pci_put(w, AER_SEVERITY, 0x01fff030, 4);
    pci_put(w, AER_CORRECTABLE_MASK, 0xf1c1, 4);
    for (unsigned i = AER_MASK; f->keeps_sticky && i < FUNCTIONS_CONFIG_BYTES; i++)
        b[i] = (uint8_t)((b[i] & ~w[i]) | (f->sticky[i] & w[i]));
    f->keeps_sticky = false;
    follow_enable(d);
}

uint8_t functions_config_read(const struct softgt *d, uint32_t at)
{
    return at - FUNCTIONS_CONFIG < FUNCTIONS_CONFIG_BYTES ? d->sriov.bytes[at - FUNCTIONS_CONFIG] : 0;
}

/* ---- Their coming and going ---- */

/* All of it that is not in BARs. */
static void space_reset(struct softgt *d, unsigned function)
{
    pci_virtual_reset(d, &d->sriov.vf_config[function - 1]);
    d->sriov.vf_interrupts[function - 1].msi_enabled = false;
}

static void enable_written(struct softgt *d, unsigned before)
{
    follow_enable(d);
    const unsigned now = vfs_enabled(d), most = before > now ? before : now;
    for (unsigned n = 1; n <= most && before != now; n++)
        space_reset(d, n);
    if (before != now && d->sheet->guc)
        guc_vfs_enabled(&d->guc, now);
    if (before != now)
        device_tables_changed(d); /* translations that lead to one that has gone */
}

/* What cannot be is told, and stays as it was. */
static void sriov_write_check(struct softgt *d, const uint8_t *before, uint32_t at, unsigned size_bytes,
                              bool wrong, const char *why)
{
    if (!wrong || memcmp(before + at, d->sriov.bytes + at, size_bytes) == 0)
        return;
    report_error(&d->log, SOFTGT_GUEST_ERROR, "pci", FUNCTIONS_CONFIG + at, "%s", why);
    memcpy(d->sriov.bytes + at, before + at, size_bytes);
}

void functions_config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes)
{
    struct sriov *f = &d->sriov;
    uint8_t before[FUNCTIONS_CONFIG_BYTES];
    const unsigned were = vfs_enabled(d);
    memcpy(before, f->bytes, sizeof before);
    for (unsigned i = 0; i < size_bytes && i < 4; i++) {
        const uint32_t at = offset + i - FUNCTIONS_CONFIG;
        const uint8_t byte = (uint8_t)(value >> (i * 8u));
        if (at >= FUNCTIONS_CONFIG_BYTES)
            continue;
        f->bytes[at] = (uint8_t)((f->bytes[at] & ~f->writable[at]) | (byte & f->writable[at]));
        if (at == VF_REBAR_CONTROL + 1 && local_bar_can_be(d, pci_rebar_bytes(byte)) &&
            !(sriov_control(d) & CONTROL_ENABLE))
            set_local_bar(d, pci_rebar_bytes(byte));
    }
    const uint32_t page = pci_get16(f->bytes, SRIOV_SIZE);
    sriov_write_check(d, before, SRIOV_COUNT, 2, pci_get16(f->bytes, SRIOV_COUNT) > f->count,
                      "NumVFs is more than TotalVFs: not written");
    sriov_write_check(d, before, SRIOV_SIZE, 4, !page || page & (page - 1u),
                      "System Page Size is not one of those supported: not written");
    enable_written(d, were);
}

void functions_reset(struct softgt *d)
{
    const bool there = d->sriov.apart && vfs_enabled(d);
    if (!d->sriov.count || there)
        return;
    reset_capabilities(d);
    for (unsigned n = 1; n <= d->sriov.count; n++)
        space_reset(d, n);
}

void functions_settle(struct softgt *d)
{
    struct sriov *f = &d->sriov;
    if (f->count)
        follow_enable(d);
    for (unsigned n = 0; n < f->count; n++)
        f->vf_interrupts[n].msi_enabled = pci_by_message(d, &f->vf_config[n]);
}

void functions_state(struct softgt *d, struct state *s)
{
    struct sriov *f = &d->sriov;
    uint32_t count = f->count;
    STATE(s, count);
    state_check(s, count == f->count);
    STATE_ARRAY(s, f->bytes);
    state_check(s, pci_get16(f->bytes, SRIOV_COUNT) <= f->count);
    for (unsigned n = 0; n < f->count && !s->failed; n++)
        STATE_ARRAY(s, f->vf_config[n].bytes);
    uint64_t bytes = f->local_bar_bytes;
    STATE(s, bytes);
    state_check(s, local_bar_can_be(d, bytes));
    if (!s->failed && !s->saving)
        set_local_bar(d, bytes);
}

void functions_begin(struct softgt *d, uint64_t local_bytes)
{
    struct sriov *f = &d->sriov;
    uint32_t bits = BAR_LEAST_MB_BITS;
    const unsigned were = vfs_enabled(d);
    while (pci_rebar_bytes(bits) < local_bytes)
        bits++;
    set_local_bar(d, pci_rebar_bytes(bits));
    pci_put(f->bytes, SRIOV_COUNT, f->count, 2);
    pci_put(f->bytes, SRIOV_CONTROL, CONTROL_ENABLE | CONTROL_MEMORY, 2);
    enable_written(d, were);
}

/* ---- A function's configuration space ---- */

/* What is not there answers with all ones. */
static uint64_t ones(unsigned size_bytes)
{
    return UINT64_MAX >> (64u - size_bytes * 8u);
}

uint32_t softgt_function_config_read(const struct softgt *d, unsigned function, uint32_t offset,
                                     unsigned size_bytes)
{
    uint32_t value = 0;
    if (function == 0)
        return softgt_config_read(d, offset, size_bytes);
    if (size_bytes == 0 || size_bytes > 4)
        return 0;
    if (!softgt_function_enabled(d, function))
        return (uint32_t)ones(size_bytes);
    for (unsigned i = 0; i < size_bytes; i++) {
        const uint32_t at = offset + i, ari = header(0x0e, 1, 0);
        uint32_t byte = 0;
        if (at < PCI_CONFIG_BYTES)
            byte = d->sriov.vf_config[function - 1].bytes[at];
        else if (at < PCI_CONFIG_BYTES + 4u)
            byte = ari >> (at % 4u * 8u) & 0xffu;
        value |= byte << (i * 8u);
    }
    return value;
}

void softgt_function_config_write(struct softgt *d, unsigned function, uint32_t offset, uint32_t value,
                                  unsigned size_bytes)
{
    bool reset = false;
    if (function == 0) {
        softgt_config_write(d, offset, value, size_bytes);
        return;
    }
    if (!softgt_function_enabled(d, function))
        return;
    struct pci *const p = &d->sriov.vf_config[function - 1];
    for (unsigned i = 0; i < size_bytes && i < 4; i++)
        if (offset + i < PCI_CONFIG_BYTES)
            reset |= pci_write(d, p, offset + i, (uint8_t)(value >> (i * 8u)));
    d->sriov.vf_interrupts[function - 1].msi_enabled = pci_by_message(d, p);
    if (!reset)
        return;
    space_reset(d, function);
    if (d->sheet->guc)
        guc_vf_flr(&d->guc, function);
}

/* ---- Its BARs ---- */

bool softgt_function_bar_info(const struct softgt *d, unsigned function, unsigned bar,
                              struct softgt_bar_info *info)
{
    if (function == 0)
        return softgt_bar_info(d, bar, info);
    *info = (struct softgt_bar_info){0};
    if (function > d->sriov.count)
        return false;
    if (bar == SOFTGT_BAR_GTTMMADR)
        *info = (struct softgt_bar_info){.size_bytes = registers_bar_bytes(d), .is_64_bit = true};
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
           sriov_control(d) & CONTROL_MEMORY && softgt_function_bar_info(d, function, bar, &info) &&
           offset < info.size_bytes && size_bytes <= info.size_bytes - offset;
}

/* What of the registers is not the function's. */
static void tell_outside(struct softgt *d, unsigned function, uint64_t offset, bool write)
{
    report_error(&d->log, SOFTGT_GUEST_ERROR, "mmio", offset,
                 "%s of register %05x by VF %u, which has no such register: %s", write ? "write" : "read",
                 (unsigned)offset, function, write ? "dropped" : "reads 0");
}

/* The registers that every function has are as far apart as the functions are, but for pages of doorbells,
 * which ring whose they are; NULL: others. */
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

/* An access within a dword, or of whole ones, as drivers do; what it has none of is told. */
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
                                  &d->sriov.vf_accessors[function - 1]);
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
                           ((1u << part) - 1u) << byte, &d->sriov.vf_accessors[function - 1]);
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
    if (!decodes(d, function, bar, offset, size_bytes))
        return;
    const uint64_t mmio_bytes = d->sheet->info.mmio_bytes;
    if (bar == SOFTGT_BAR_LOCAL)
        local_transfer(d, function, offset, (uint8_t *)&value, true, size_bytes);
    else if (offset >= mmio_bytes)
        ggtt_function_write(&d->memory, function, offset - mmio_bytes, value, size_bytes);
    else
        registers_write(d, function, offset, value, size_bytes);
}
