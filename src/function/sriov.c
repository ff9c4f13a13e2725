#include "function/sriov.h"

#include <string.h>

/* Offsets from SRIOV_CONFIG. */
enum { ARI = 0x00, SRIOV = 0x10, VF_REBAR = 0x50, AER = 0x60 };
enum {
    SRIOV_CAPABILITIES = SRIOV + 0x04,
    SRIOV_CONTROL = SRIOV + 0x08,
    SRIOV_INITIAL_VFS = SRIOV + 0x0c,
    SRIOV_TOTAL_VFS = SRIOV + 0x0e,
    SRIOV_NUM_VFS = SRIOV + 0x10,
    SRIOV_FIRST_VF_OFFSET = SRIOV + 0x14,
    SRIOV_VF_STRIDE = SRIOV + 0x16,
    SRIOV_VF_DEVICE_ID = SRIOV + 0x1a,
    SRIOV_PAGE_SIZES = SRIOV + 0x1c,
    SRIOV_PAGE_SIZE = SRIOV + 0x20,
    SRIOV_BAR_0 = SRIOV + 0x24,
};
enum { VF_ENABLE = 1u << 0, VF_MSE = 1u << 3, ARI_HIERARCHY = 1u << 4 };
enum { ARI_PRESERVED = 1u << 1 };
enum { VF_REBAR_SIZES = VF_REBAR + 4, VF_REBAR_CONTROL = VF_REBAR + 8 };
enum { AER_MASK = AER + 0x08, AER_SEVERITY = AER + 0x0c, AER_CORRECTABLE_MASK = AER + 0x14 };
/* 4, 8, 64, 256 KB, 1 and 4 MB: required of every product. */
enum { PAGE_SIZES = 0x553, PAGE_SIZE_4K = 1 };
enum { BAR_64_BIT = 1u << 2, BAR_PREFETCH = 1u << 3 };
enum { BAR_MIN_MB_BITS = 4 /* 16 MB: more than the largest system page */ };

/* Header of an extended capability; next 0: the last. */
static uint32_t capability_header(uint32_t id, uint32_t version, uint32_t next)
{
    return id | version << 16 | (next ? SRIOV_CONFIG + next : 0) << 20;
}

uint32_t sriov_vf_ari_header(void)
{
    return capability_header(0x0e, 1, 0);
}

static uint32_t sriov_control(const struct sriov *s)
{
    return pci_get16(s->bytes, SRIOV_CONTROL);
}

unsigned sriov_vfs_enabled(const struct sriov *s)
{
    return s->total_vfs && sriov_control(s) & VF_ENABLE ? pci_get16(s->bytes, SRIOV_NUM_VFS) : 0;
}

bool sriov_memory_enabled(const struct sriov *s)
{
    return sriov_control(s) & VF_MSE;
}

/* NumVFs cannot be written while VFs are enabled. (SYS-06) */
void sriov_settle(struct sriov *s)
{
    pci_put(s->writable, SRIOV_NUM_VFS, sriov_vfs_enabled(s) || sriov_control(s) & VF_ENABLE ? 0 : 0xffff, 2);
}

static bool local_bar_size_is_valid(const struct sriov *s, uint64_t bytes)
{
    return (bytes & (bytes - 1u)) == 0 && bytes >= pci_rebar_bytes(BAR_MIN_MB_BITS) &&
           bytes <= s->local_bytes;
}

static void set_vf_local_bar(struct sriov *s, uint64_t bytes)
{
    s->local_bar_bytes = bytes;
    pci_put(s->writable, SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u, ~(bytes - 1u), 8);
    for (unsigned i = 0; i < 8; i++) /* bits of the old address that are inside the BAR now */
        s->bytes[SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u + i] &=
            (uint8_t)(s->writable[SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u + i] | (i ? 0 : 0xf));
    pci_put(s->bytes, VF_REBAR_CONTROL, pci_rebar_control(bytes), 4);
}

/* After a reset: an equal part of local memory for each function. */
static uint64_t default_vf_local_bar(const struct sriov *s)
{
    uint64_t bytes = s->local_bytes;
    for (unsigned parts = 1; parts < s->total_vfs + 1; parts *= 2)
        bytes /= 2;
    const uint64_t least = pci_rebar_bytes(BAR_MIN_MB_BITS);
    return bytes < least ? least : bytes;
}

void sriov_keep_sticky(struct sriov *s)
{
    memcpy(s->sticky, s->bytes, sizeof s->sticky);
    s->keeps_sticky = true;
}

void sriov_reset(struct sriov *s)
{
    uint8_t *const b = s->bytes, *const w = s->writable;
    uint32_t sizes = 0;
    memset(b, 0, sizeof s->bytes);
    memset(w, 0, sizeof s->writable);
    pci_put(b, ARI, capability_header(0x0e, 1, SRIOV), 4);
    pci_put(b, SRIOV, capability_header(0x10, 1, VF_REBAR), 4);
    pci_put(b, SRIOV_CAPABILITIES, ARI_PRESERVED, 4);
    pci_put(w, SRIOV_CONTROL, VF_ENABLE | VF_MSE | ARI_HIERARCHY, 2);
    pci_put(b, SRIOV_INITIAL_VFS, s->total_vfs, 2);
    pci_put(b, SRIOV_TOTAL_VFS, s->total_vfs, 2);
    pci_put(b, SRIOV_FIRST_VF_OFFSET, 1, 2);
    pci_put(b, SRIOV_VF_STRIDE, 1, 2);
    pci_put(b, SRIOV_VF_DEVICE_ID, s->vf_device_id, 2);
    pci_put(b, SRIOV_PAGE_SIZES, PAGE_SIZES, 4);
    pci_put(b, SRIOV_PAGE_SIZE, PAGE_SIZE_4K, 4);
    pci_put(w, SRIOV_PAGE_SIZE, PAGE_SIZES, 4);
    pci_put(b, SRIOV_BAR_0, BAR_64_BIT, 4);
    pci_put(w, SRIOV_BAR_0, ~(s->registers_bar_bytes - 1u), 8);
    pci_put(b, SRIOV_BAR_0 + SOFTGT_BAR_LOCAL * 4u, BAR_64_BIT | BAR_PREFETCH, 4);
    pci_put(b, VF_REBAR, capability_header(0x24, 1, AER), 4);
    for (uint32_t i = 0; i < 32 - REBAR_FIRST_SIZE; i++)
        sizes |= local_bar_size_is_valid(s, pci_rebar_bytes(i)) ? 1u << (REBAR_FIRST_SIZE + i) : 0u;
    pci_put(b, VF_REBAR_SIZES, sizes, 4);
    set_vf_local_bar(s, default_vf_local_bar(s));
    pci_put(b, AER, capability_header(0x01, 1, 0), 4);
    pci_put(b, AER_SEVERITY, 0x00462030, 4);
    pci_put(b, AER_CORRECTABLE_MASK, 0x2000, 4);
    pci_put(w, AER_MASK, 0x01fff030, 4);
    pci_put(w, AER_SEVERITY, 0x01fff030, 4);
    pci_put(w, AER_CORRECTABLE_MASK, 0xf1c1, 4);
    for (unsigned i = AER_MASK; s->keeps_sticky && i < SRIOV_CONFIG_BYTES; i++)
        b[i] = (uint8_t)((b[i] & ~w[i]) | (s->sticky[i] & w[i]));
    s->keeps_sticky = false;
    sriov_settle(s);
}

uint8_t sriov_read(const struct sriov *s, uint32_t offset)
{
    return offset - SRIOV_CONFIG < SRIOV_CONFIG_BYTES ? s->bytes[offset - SRIOV_CONFIG] : 0;
}

/* Reports an invalid value, and restores the one before. */
static void undo_invalid(struct sriov *s, struct device_log *log, const uint8_t *before, uint32_t at,
                         unsigned size_bytes, bool invalid, const char *why)
{
    if (!invalid || memcmp(before + at, s->bytes + at, size_bytes) == 0)
        return;
    report_error(log, SOFTGT_GUEST_ERROR, "pci", SRIOV_CONFIG + at, "%s", why);
    memcpy(s->bytes + at, before + at, size_bytes);
}

void sriov_write(struct sriov *s, struct device_log *log, uint32_t offset, uint32_t value,
                 unsigned size_bytes)
{
    uint8_t before[SRIOV_CONFIG_BYTES];
    memcpy(before, s->bytes, sizeof before);
    for (unsigned i = 0; i < size_bytes && i < 4; i++) {
        const uint32_t at = offset + i - SRIOV_CONFIG;
        const uint8_t byte = (uint8_t)(value >> (i * 8u));
        if (at >= SRIOV_CONFIG_BYTES)
            continue;
        s->bytes[at] = (uint8_t)((s->bytes[at] & ~s->writable[at]) | (byte & s->writable[at]));
        if (at == VF_REBAR_CONTROL + 1 && local_bar_size_is_valid(s, pci_rebar_bytes(byte)) &&
            !(sriov_control(s) & VF_ENABLE))
            set_vf_local_bar(s, pci_rebar_bytes(byte));
    }
    const uint32_t page = pci_get16(s->bytes, SRIOV_PAGE_SIZE);
    undo_invalid(s, log, before, SRIOV_NUM_VFS, 2, pci_get16(s->bytes, SRIOV_NUM_VFS) > s->total_vfs,
                 "NumVFs is more than TotalVFs: not written");
    undo_invalid(s, log, before, SRIOV_PAGE_SIZE, 4, !page || page & (page - 1u),
                 "System Page Size is not one of those supported: not written");
    sriov_settle(s);
}

void sriov_enable_all(struct sriov *s, uint64_t vf_local_bytes)
{
    uint32_t bits = BAR_MIN_MB_BITS;
    while (pci_rebar_bytes(bits) < vf_local_bytes)
        bits++;
    set_vf_local_bar(s, pci_rebar_bytes(bits));
    pci_put(s->bytes, SRIOV_NUM_VFS, s->total_vfs, 2);
    pci_put(s->bytes, SRIOV_CONTROL, VF_ENABLE | VF_MSE, 2);
    sriov_settle(s);
}

void sriov_state(struct sriov *s, struct state *state)
{
    STATE_ARRAY(state, s->bytes);
    state_check(state, pci_get16(s->bytes, SRIOV_NUM_VFS) <= s->total_vfs);
    uint64_t bytes = s->local_bar_bytes;
    STATE(state, bytes);
    state_check(state, local_bar_size_is_valid(s, bytes));
    if (!state->failed && !state->saving)
        set_vf_local_bar(s, bytes);
}
