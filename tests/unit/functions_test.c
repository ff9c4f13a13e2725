/* Virtual functions through library calls: how they come and go, what each sees, what resets leave. The lines
 * of the manual are those of the checklist's items. */
#include <softgt/softgt.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../suite.h"
#include "function_devices.h"
#include "saved.h"
#include "words.h"

enum { VFS = 3 };
/* Of the capability, from where it begins. */
enum {
    CONTROL = 0x08,
    INITIAL = 0x0c,
    TOTAL = 0x0e,
    COUNT = 0x10,
    FIRST = 0x14,
    STRIDE = 0x16,
    DEVICE = 0x1a,
    SIZES = 0x1c,
    SIZE = 0x20,
    VF_BAR = 0x24,
};
enum { ENABLE = 1, MEMORY = 8, ARI = 16 };
enum { ID_AER = 0x01, ID_ARI = 0x0e, ID_SRIOV = 0x10, ID_REBAR = 0x15, ID_VF_REBAR = 0x24 };

enum { KB = 1 << 10, MB = 1 << 20 };
enum { MEMORY_BYTES = 1 * MB };
/* Configuration space: standard registers, and the first extended capability. */
enum { PCI_COMMAND = 4, PCI_DEVICE_CONTROL = 0x78, PCI_MSI_CONTROL = 0xae, PCI_EXTENDED = 256 };
enum { PCI_BUS_MASTER = 4, AER_CORRECTABLE_MASK = 0x14, ALL_SIZES = 0x553 };
#define PCI_FLR (1u << 15)
/* The header of a capability: the next one, its version, its id. */
#define PCI_HEADER(next, version, id) ((uint32_t)(next) << 20 | (version) << 16 | (id))

/* Whose memory a function's is: all of it has this byte at first. */
struct vf {
    uint8_t memory[MEMORY_BYTES];
    unsigned messages;
};

struct pf {
    struct softgt *device;
    struct vf *vfs;
    unsigned complaints;
    char said[200];
};

static bool no_memory(void *user, uint64_t address, void *data, size_t bytes)
{
    (void)user, (void)address;
    memset(data, 0, bytes);
    return true;
}

static void on_report(void *user, const struct softgt_report *r)
{
    struct pf *p = user;
    p->complaints++;
    snprintf(p->said, sizeof p->said, "%s: %s", r->unit, r->text);
}

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct vf *v = user;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return v->memory + address;
}

static void on_message(void *user, unsigned vector)
{
    assert_int_equal(vector, 0);
    ((struct vf *)user)->messages++;
}

/* Every function with memory of its own. */
static struct softgt *open_guests(struct pf *p, unsigned functions)
{
    struct softgt_function_ports ports[VFS];
    *p = (struct pf){.vfs = calloc(functions + 1, sizeof *p->vfs)};
    assert_non_null(p->vfs);
    for (unsigned i = 0; i <= functions; i++)
        memset(p->vfs[i].memory, 0x10 + (int)i, MEMORY_BYTES);
    for (unsigned i = 0; i < functions; i++)
        ports[i] = (struct softgt_function_ports){{.user = &p->vfs[i + 1], .map = map},
                                                  {.user = &p->vfs[i + 1], .msi = on_message}};
    const struct softgt_config config = {.device = function_device,
                                         .memory = {.user = &p->vfs[0], .map = map},
                                         .interrupt = {.user = &p->vfs[0], .msi = on_message},
                                         .report = {p, on_report},
                                         .functions = functions,
                                         .function_ports = ports};
    assert_int_equal(softgt_create(&config, &p->device), 0);
    return p->device;
}

static void close_guests(struct pf *p)
{
    softgt_destroy(p->device);
    free(p->vfs);
}

static struct softgt *open_device(struct pf *p, const char *name, unsigned functions)
{
    *p = (struct pf){0};
    const struct softgt_config config = {
        .device = name, .memory = {.read = no_memory}, .report = {p, on_report}, .functions = functions};
    assert_int_equal(softgt_create(&config, &p->device), 0);
    return p->device;
}

static uint32_t extended(const struct softgt *d, uint32_t id)
{
    for (uint32_t at = PCI_EXTENDED, i = 0; at && i < 16; i++) {
        const uint32_t header = softgt_pci_config_read(d, at, 4);
        if ((header & UINT16_MAX) == id && header >> 16 & 0xf)
            return at;
        at = header >> 20;
    }
    return 0;
}

static uint32_t get(const struct softgt *d, uint32_t at, unsigned bytes)
{
    return softgt_pci_config_read(d, extended(d, ID_SRIOV) + at, bytes);
}

static void put(struct softgt *d, uint32_t at, uint32_t value, unsigned bytes)
{
    softgt_pci_config_write(d, extended(d, ID_SRIOV) + at, value, bytes);
}

static void enable(struct softgt *d, unsigned count)
{
    put(d, COUNT, count, 2);
    put(d, CONTROL, ENABLE | MEMORY, 2);
}

/* Whose Device Control, 15: function-level reset. */
static void function_level_reset(struct softgt *d, unsigned function)
{
    softgt_function_pci_config_write(d, function, PCI_DEVICE_CONTROL, PCI_FLR, 2);
}

/* Nothing is asked for: nothing is there. */
static void none(void **state)
{
    (void)state;
    struct pf p;
    const struct softgt_device_info *info;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        struct softgt *d = open_device(&p, info->name, 0);
        assert_int_equal(softgt_function_count(d), 0);
        assert_int_equal(info->functions, strncmp(info->name, "atsm", 4) == 0 ? 31
                                          : strcmp(info->name, "bmg") == 0    ? 12
                                                                              : 0);
        assert_int_equal(extended(d, ID_SRIOV), 0);
        assert_true(softgt_function_enabled(d, 0));
        assert_false(softgt_function_enabled(d, 1));
        struct softgt_bar_info bar;
        assert_false(softgt_function_bar_get_info(d, 1, 0, &bar));
        assert_int_equal(softgt_function_pci_config_read(d, 1, 0, 4), UINT32_MAX);
        assert_int_equal(softgt_function_pci_config_read(d, 0, 0, 4), softgt_pci_config_read(d, 0, 4));
        softgt_destroy(d);
        struct softgt_config config = {
            .device = info->name, .memory = {.read = no_memory}, .functions = info->functions + 1};
        assert_true(softgt_create(&config, &d) < 0);
    }
}

/* SYS-01, 119-139: the capability of the physical function. */
static void capability(void **state)
{
    (void)state;
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    const uint32_t at = extended(d, ID_SRIOV);
    assert_true(at >= PCI_EXTENDED);
    assert_true(extended(d, ID_ARI) && extended(d, ID_REBAR) == PCI_EXTENDED && extended(d, ID_VF_REBAR));
    assert_int_equal(get(d, CONTROL, 2), 0);
    assert_int_equal(get(d, INITIAL, 2), VFS);
    assert_int_equal(get(d, TOTAL, 2), VFS);
    assert_int_equal(get(d, COUNT, 2), 0);
    assert_int_equal(get(d, FIRST, 2), 1);
    assert_int_equal(get(d, STRIDE, 2), 1);
    assert_int_equal(get(d, DEVICE, 2), d->sheet->info.pci_device_id);
    assert_int_equal(get(d, SIZES, 4) & ALL_SIZES, ALL_SIZES);
    assert_int_equal(get(d, SIZE, 4), 1);
    /* Read only. */
    put(d, INITIAL, UINT32_MAX, 4);
    put(d, FIRST, UINT32_MAX, 4);
    put(d, DEVICE - 2, UINT32_MAX, 4);
    assert_int_equal(get(d, TOTAL, 2), VFS);
    assert_int_equal(get(d, FIRST, 4), 1 << 16 | 1);
    assert_int_equal(get(d, DEVICE, 2), d->sheet->info.pci_device_id);
    /* 16 MB of registers and table (8 MB of registers each), local memory behind it. */
    static const uint32_t bars[] = {0, 2};
    for (unsigned i = 0; i < 2; i++) {
        struct softgt_bar_info bar;
        assert_true(softgt_function_bar_get_info(d, 1, bars[i], &bar));
        put(d, VF_BAR + bars[i] * 4, UINT32_MAX, 4);
        put(d, VF_BAR + bars[i] * 4 + 4, UINT32_MAX, 4);
        const uint64_t mask = get(d, VF_BAR + bars[i] * 4, 4) | (uint64_t)get(d, VF_BAR + bars[i] * 4 + 4, 4)
                                                                    << 32;
        assert_int_equal(mask & 0xf, bars[i] ? 0xc : 0x4);
        assert_int_equal(~(mask & ~UINT64_C(0xf)) + 1, bar.size_bytes);
        if (!bars[i])
            assert_int_equal(bar.size_bytes, 16 << 20);
    }
    struct softgt_bar_info absent;
    assert_false(softgt_function_bar_get_info(d, 1, 1, &absent));
    assert_false(softgt_function_bar_get_info(d, 1, 4, &absent));
    assert_false(softgt_function_bar_get_info(d, VFS + 1, 0, &absent));
    /* One of the sizes that there are. */
    put(d, SIZE, 2, 4);
    assert_int_equal(get(d, SIZE, 4), 2);
    put(d, SIZE, 3, 4);
    assert_int_equal(get(d, SIZE, 4), 2);
    put(d, SIZE, 0, 4);
    assert_int_equal(get(d, SIZE, 4), 2);
    assert_int_equal(p.complaints, 2);
    softgt_destroy(d);
}

/* Sizes for the BAR of local memory, while there is none of them. */
static void local_bar(void **state)
{
    (void)state;
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    const uint32_t at = extended(d, ID_VF_REBAR);
    struct softgt_bar_info bar;
    assert_int_equal(softgt_pci_config_read(d, at + 4, 4), 0x1f << 8); /* 16 to 256 MB */
    assert_int_equal(softgt_pci_config_read(d, at + 8, 4), 2 | 1 << 5 | 6 << 8);
    softgt_pci_config_write(d, at + 8, 7 << 8, 4);
    assert_true(softgt_function_bar_get_info(d, 1, 2, &bar));
    assert_int_equal(bar.size_bytes, 128 << 20);
    softgt_pci_config_write(d, at + 8, 9 << 8, 4); /* not among them */
    enable(d, 1);
    softgt_pci_config_write(d, at + 8, 4 << 8, 4);
    assert_true(softgt_function_bar_get_info(d, 1, 2, &bar));
    assert_int_equal(bar.size_bytes, 128 << 20);
    softgt_destroy(d);
}

static void come_and_go(void **state)
{
    (void)state;
    enum { RENDER_BASE = 8 * KB }; /* the first register of the render engine */
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    put(d, COUNT, VFS + 1, 2);
    assert_int_equal(get(d, COUNT, 2), 0);
    assert_non_null(strstr(p.said, "NumVFs"));
    put(d, COUNT, 2, 2);
    assert_false(softgt_function_enabled(d, 1));
    put(d, CONTROL, ENABLE, 2);
    for (unsigned n = 1; n <= VFS; n++)
        assert_int_equal(softgt_function_enabled(d, n), n <= 2);
    /* How many there are is fixed from then on. */
    put(d, COUNT, 3, 2);
    assert_int_equal(get(d, COUNT, 2), 2);
    /* Its ids are ones, class and revision the physical function's; no pin, no BARs of its own. */
    assert_int_equal(softgt_function_pci_config_read(d, 1, 0, 4), UINT32_MAX);
    assert_int_equal(softgt_function_pci_config_read(d, 1, 8, 4), softgt_pci_config_read(d, 8, 4));
    assert_int_equal(softgt_function_pci_config_read(d, 1, 0x3d, 1), 0);
    softgt_function_pci_config_write(d, 1, 0x10, UINT32_MAX, 4);
    assert_int_equal(softgt_function_pci_config_read(d, 1, 0x10, 4), 0);
    softgt_function_pci_config_write(d, 1, PCI_COMMAND, UINT16_MAX, 2);
    assert_int_equal(softgt_function_pci_config_read(d, 1, 4, 2), 4);
    assert_int_equal(softgt_function_pci_config_read(d, 1, PCI_EXTENDED, 4), PCI_HEADER(0, 1, ID_ARI));
    assert_int_equal(softgt_function_pci_config_read(d, 1, 0x71, 1), 0xac);
    /* Memory space is the physical function's to enable. */
    assert_int_equal(softgt_function_bar_read(d, 1, 0, register_offset(d, "VF_CAP"), 4), UINT32_MAX);
    put(d, CONTROL, ENABLE | MEMORY, 2);
    assert_int_equal(softgt_function_bar_read(d, 1, 0, RENDER_BASE, 4), 0);
    assert_non_null(strstr(p.said, "02000"));
    assert_int_equal(softgt_function_bar_read(d, 3, 0, RENDER_BASE, 4), UINT32_MAX);
    assert_int_equal(softgt_function_bar_read(d, 1, 0, 16 << 20, 4), UINT32_MAX);
    /* Cleared, all of it is gone, and nothing comes back. (SYS-06) */
    put(d, CONTROL, 0, 2);
    assert_false(softgt_function_enabled(d, 1));
    assert_int_equal(softgt_function_pci_config_read(d, 1, PCI_COMMAND, 2), UINT16_MAX);
    softgt_function_pci_config_write(d, 1, 4, 4, 2);
    put(d, CONTROL, ENABLE, 2);
    assert_int_equal(softgt_function_pci_config_read(d, 1, 4, 2), 0);
    softgt_destroy(d);
}

/* SYS-06, 280-338. */
static void resets(void **state)
{
    (void)state;
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    const uint32_t aer = extended(d, ID_AER);
    enable(d, 2);
    put(d, CONTROL, ENABLE | MEMORY | ARI, 2);
    put(d, VF_BAR + 4, 0x77, 4);
    softgt_function_pci_config_write(d, 1, 4, 4, 2);
    softgt_function_pci_config_write(d, 1, PCI_MSI_CONTROL, 1, 2);
    softgt_function_pci_config_write(d, 2, 4, 4, 2);
    /* Of one virtual function: it stays, its BARs and memory enable stay, what was in it goes; others do not
     * notice. */
    function_level_reset(d, 1);
    assert_true(softgt_function_enabled(d, 1));
    assert_int_equal(softgt_function_pci_config_read(d, 1, 4, 2), 0);
    assert_int_equal(softgt_function_pci_config_read(d, 1, PCI_MSI_CONTROL, 2), 0);
    assert_int_equal(get(d, VF_BAR + 4, 4), 0x77);
    assert_int_equal(get(d, CONTROL, 2), ENABLE | MEMORY | ARI);
    assert_int_equal(softgt_function_pci_config_read(d, 2, 4, 2), 4);
    /* Of the physical one: the capability is reset, there are none; sticky bits stay. */
    softgt_pci_config_write(d, aer + AER_CORRECTABLE_MASK, 1 << 12 | 1, 4);
    softgt_pci_config_write(d, 4, 4, 2);
    function_level_reset(d, 0);
    assert_false(softgt_function_enabled(d, 1));
    assert_int_equal(get(d, CONTROL, 2), 0);
    assert_int_equal(get(d, COUNT, 2), 0);
    assert_int_equal(get(d, VF_BAR + 4, 4), 0);
    assert_int_equal(softgt_pci_config_read(d, 4, 2), 0);
    assert_int_equal(softgt_pci_config_read(d, aer + AER_CORRECTABLE_MASK, 4), 1 << 12 | 1);
    /* Conventional: as power on. */
    enable(d, 2);
    softgt_reset(d);
    assert_false(softgt_function_enabled(d, 1));
    assert_int_equal(softgt_pci_config_read(d, aer + AER_CORRECTABLE_MASK, 4), 1 << 13);
    softgt_destroy(d);
}

static void spaces_are_saved(void **state)
{
    (void)state;
    struct pf p, q;
    struct softgt *d = open_device(&p, function_device, VFS), *e = open_device(&q, function_device, VFS);
    enable(d, 2);
    put(d, VF_BAR + 4, 0x77, 4);
    softgt_function_pci_config_write(d, 2, 4, 4, 2);
    const size_t size = softgt_save(d, NULL, 0);
    uint8_t *data = malloc(size), *again = malloc(size);
    assert_int_equal(softgt_save(d, data, size), size);
    assert_int_equal(softgt_load(e, data, size), 0);
    assert_true(softgt_function_enabled(e, 2));
    assert_int_equal(softgt_function_pci_config_read(e, 2, 4, 2), 4);
    assert_int_equal(get(e, VF_BAR + 4, 4), 0x77);
    put(e, COUNT, 3, 2);
    assert_int_equal(get(e, COUNT, 2), 2);
    assert_int_equal(softgt_save(e, again, size), size);
    assert_memory_equal(data, again, size);
    softgt_destroy(e);
    /* A device that may have others is another. */
    e = open_device(&q, function_device, 1);
    assert_true(softgt_load(e, data, size) < 0);
    softgt_destroy(e);
    e = open_device(&q, function_device, 0);
    assert_true(softgt_load(e, data, size) < 0);
    softgt_destroy(e);
    softgt_destroy(d);
    free(data);
    free(again);
}

enum { TABLE = 8 << 20 };
#define ENTRY(function, bits) ((uint64_t)(function) << 2 | (bits) | 1u)
enum { LOCAL = 2 };

/* An entry of the GGTT, by a function. */
static void entry_put(struct softgt *d, unsigned function, uint32_t page, uint64_t entry)
{
    softgt_function_bar_write(d, function, 0, TABLE + page * 8u, entry, 8);
}

static uint64_t entry_get(struct softgt *d, unsigned function, uint32_t page)
{
    return softgt_function_bar_read(d, function, 0, TABLE + page * 8u, 8);
}

/* SYS-02, 141-162, 416-440: the four cases of the manual's table. */
static void entries(void **state)
{
    (void)state;
    enum { UPPER = 48879, ALL_FLAGS = 0xfc }; /* bits 31:16 of an entry; all flags but number and valid */
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    enable(d, VFS);
    enum {
        GIVEN = 74565 * PAGE_BYTES,
        OTHER = 1911 * PAGE_BYTES,
        FIFTH = 5 * PAGE_BYTES,
        NINTH = 9 * PAGE_BYTES
    };
    /* Pages of the GGTT: given ones, and one that is the physical function's. */
    enum { FIRST_PAGE = 256, PF_PAGE = 512 };
    const uint64_t given = ENTRY(1, GIVEN | LOCAL), written = UINT64_C(703710) * PAGE_BYTES;
    for (uint32_t page = 0; page < 8; page++)
        entry_put(d, 0, FIRST_PAGE + page, given);
    /* Read, matching: all but the number; else nothing. */
    assert_int_equal(entry_get(d, 1, FIRST_PAGE), GIVEN | LOCAL | 1);
    assert_int_equal(entry_get(d, 2, FIRST_PAGE), 0);
    assert_int_equal(entry_get(d, 1, PF_PAGE), 0); /* the physical function's */
    /* Write, matching: all but number and valid; else nothing. */
    entry_put(d, 1, FIRST_PAGE, written | ALL_FLAGS);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE), ENTRY(1, written));
    entry_put(d, 1, FIRST_PAGE, ENTRY(2, OTHER));
    assert_int_equal(entry_get(d, 0, FIRST_PAGE), ENTRY(1, OTHER));
    entry_put(d, 2, FIRST_PAGE + 1, UINT64_MAX);
    entry_put(d, 3, FIRST_PAGE + 1, 0);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE + 1), given);
    entry_put(d, 1, PF_PAGE, UINT64_MAX);
    assert_int_equal(entry_get(d, 0, PF_PAGE), 0);
    /* What is not valid stays so, and may be given. */
    entry_put(d, 0, FIRST_PAGE + 2, 1 << 2);
    entry_put(d, 1, FIRST_PAGE + 2, FIFTH | 1);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE + 2), 1 << 2 | FIFTH);
    /* Parts of entries, and across the end of what is its own. */
    softgt_function_bar_write(d, 1, 0, TABLE + (FIRST_PAGE + 3) * 8 + 2, UPPER, 2);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE + 3), ENTRY(1, (uint64_t)UPPER << 16 | FIFTH | LOCAL));
    entry_put(d, 0, FIRST_PAGE + 8, ENTRY(2, NINTH));
    softgt_function_bar_write(d, 1, 0, TABLE + (FIRST_PAGE + 7) * 8 + 4, UINT64_MAX, 8);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE + 7), ENTRY(1, GIVEN | LOCAL) | (uint64_t)UINT32_MAX << 32);
    assert_int_equal(entry_get(d, 0, FIRST_PAGE + 8), ENTRY(2, NINTH));
    assert_int_equal(softgt_function_bar_read(d, 1, 0, TABLE + (FIRST_PAGE + 7) * 8 + 4, 8), UINT32_MAX);
    assert_int_equal(p.complaints, 0);
    softgt_destroy(d);
}

/* The LMTT: its directory at 2 MB, each function's tables behind it. Where it has three levels, the tables of
 * the second follow those of the last one. (Linux, xe_lmtt_2l, xe_lmtt_ml) */
enum { DIRECTORY = 2 * MB, MB2 = 2 * MB, LMTT_BYTES = 64 * KB };

static bool has_three_levels(void)
{
    return is_xe2();
}

static void local_put32(struct softgt *d, uint64_t at, uint32_t value)
{
    assert_true(softgt_local_write(d, at, &value, 4));
}

static uint64_t table_of(unsigned function)
{
    return DIRECTORY + (uint32_t)LMTT_BYTES * function;
}

/* The function's tables are at `table`, by an entry of the directory, or of that of the second level. */
static void give_table_at(struct softgt *d, uint64_t directory, unsigned function, uint64_t table)
{
    const uint32_t above = has_three_levels() ? (VFS + 1) * LMTT_BYTES : 0,
                   bytes = has_three_levels() ? 8 : 4;
    local_put32(d, directory + function * bytes, (uint32_t)((table + above) >> 16) << 4 | 1);
    if (above)
        local_put32(d, table + above, (uint32_t)(table >> 16) << 4 | 1);
}

/* Page `from` of a function is page `to` of the device. */
static void give_local(struct softgt *d, unsigned function, uint32_t from, uint32_t to)
{
    give_table_at(d, DIRECTORY, function, table_of(function));
    local_put32(d, table_of(function) + from * 4, to << 5 | 1);
}

static void lmtt_on(struct softgt *d)
{
    softgt_bar_write(d, 0, register_offset(d, "FORCEWAKE_GT"), 1 << 16 | 1, 4); /* LMEM_CFG is the GT's */
    softgt_bar_write(d, 0, register_offset(d, "LMEM_CFG"), 1u << 31 | DIRECTORY >> 16, 4);
}

/* SYS-08, 356-453; SYS-03: what each function sees of local memory. */
static void local_memory(void **state)
{
    (void)state;
    enum { PLACE = 256 };
    const uint64_t ONE = UINT64_C(111111111111), TWO = UINT64_C(222222222222),
                   THREE_FOUR = UINT64_C(3) << 32 | 4;
    struct pf p;
    struct softgt *d = open_device(&p, function_device, VFS);
    enable(d, VFS);
    /* Until there is a table, nothing. */
    assert_int_equal(softgt_function_bar_read(d, 1, 2, 0, 8), 0);
    assert_int_equal(p.complaints, 1);
    give_local(d, 1, 0, 16);
    give_local(d, 1, 1, 9);
    give_local(d, 2, 0, 17);
    assert_int_equal(softgt_function_bar_read(d, 1, 2, 0, 8), 0);
    lmtt_on(d);
    p.complaints = 0;
    softgt_function_bar_write(d, 1, 2, PLACE, ONE, 8);
    softgt_function_bar_write(d, 2, 2, PLACE, TWO, 8);
    softgt_function_bar_write(d, 1, 2, MB2 - 4, THREE_FOUR, 8); /* from page to page */
    uint64_t value;
    assert_true(softgt_local_read(d, 16 * MB2 + PLACE, &value, 8));
    assert_int_equal(value, ONE);
    assert_true(softgt_local_read(d, 17 * MB2 + PLACE, &value, 8));
    assert_int_equal(value, TWO);
    assert_true(softgt_local_read(d, 17 * MB2 - 4, &value, 4));
    assert_int_equal((uint32_t)value, (uint32_t)THREE_FOUR);
    assert_true(softgt_local_read(d, 9 * MB2, &value, 4));
    assert_int_equal((uint32_t)value, THREE_FOUR >> 32);
    assert_int_equal(softgt_function_bar_read(d, 2, 2, PLACE, 8), TWO);
    assert_int_equal(softgt_function_bar_read(d, 1, 2, MB2 - 4, 8), THREE_FOUR);
    assert_int_equal(p.complaints, 0);
    /* The physical function's is not translated. */
    assert_int_equal(softgt_bar_read(d, 2, 16 * MB2 + PLACE, 8), ONE);
    /* No entry, no directory entry: nothing, and told. */
    softgt_function_bar_write(d, 1, 2, 2 * MB2, 5, 4);
    assert_int_equal(softgt_function_bar_read(d, 1, 2, 2 * MB2, 4), 0);
    assert_int_equal(softgt_function_bar_read(d, 3, 2, 0, 4), 0);
    assert_int_equal(p.complaints, 3);
    /* Ranges that are firmware's, whatever the table says: compression state, stolen memory, the GGTT. */
    const uint32_t pages = (256 << 20) / MB2;
    for (uint32_t page = pages - 8; page < pages; page++) {
        give_local(d, 1, 2, page);
        p.complaints = 0;
        softgt_function_bar_read(d, 1, 2, 2 * MB2, 4);
        assert_int_equal(p.complaints, 1);
    }
    give_local(d, 1, 2, UINT16_MAX);
    softgt_function_bar_read(d, 1, 2, 2 * MB2, 4);
    assert_int_equal(p.complaints, 2);
    softgt_destroy(d);
}

/* Pages of the GGTT, one a function: in system memory and in local memory. */
enum { PAGES = 4096, IN_LOCAL = 256, SYSTEM = 3 * PAGE_BYTES, IN_PAGE = 7 * PAGE_BYTES };

static uint64_t address_of(unsigned page)
{
    return (uint64_t)(PAGES + page) * PAGE_BYTES;
}

/* SYS-02, SYS-03: what lies behind pages of the GGTT is of whom they are given to. */
static void pages_have_a_second_level(void **state)
{
    (void)state;
    struct pf p;
    struct softgt *d = open_guests(&p, VFS);
    enable(d, VFS);
    lmtt_on(d);
    uint8_t byte = 0;
    for (unsigned n = 0; n <= VFS; n++) {
        entry_put(d, 0, PAGES + n, ENTRY(n, SYSTEM));
        assert_true(softgt_ggtt_read(d, address_of(n) + 5, &byte, 1));
        assert_int_equal(byte, 0x10 + n);
        byte = (uint8_t)(0x80 + n);
        assert_true(softgt_ggtt_write(d, address_of(n) + 5, &byte, 1));
        assert_int_equal(p.vfs[n].memory[SYSTEM + 5], 0x80 + n);
    }
    /* A number that nobody has. */
    entry_put(d, 0, PAGES, ENTRY(VFS + 1, SYSTEM));
    assert_false(softgt_ggtt_read(d, address_of(0), &byte, 1));
    /* Local memory by the LMTT, of whom the page is given to. */
    give_local(d, 2, 3, 20);
    byte = 0x5a;
    assert_true(softgt_local_write(d, 20 * MB2 + IN_PAGE + 4, &byte, 1));
    entry_put(d, 0, PAGES, ENTRY(2, (3 * MB2 + IN_PAGE) | LOCAL));
    assert_true(softgt_ggtt_read(d, address_of(0) + 4, &byte, 1));
    assert_int_equal(byte, 0x5a);
    entry_put(d, 0, PAGES, ENTRY(1, (3 * MB2 + IN_PAGE) | LOCAL));
    assert_false(softgt_ggtt_read(d, address_of(0) + 4, &byte, 1));
    close_guests(&p);
}

/* Which functions' memory is behind their pages: the first `there` of them. */
static void expect_there(struct pf *p, unsigned there)
{
    uint8_t byte;
    for (unsigned n = 0; n <= VFS; n++) {
        const uint64_t system = address_of(n) + 5, local = address_of(IN_LOCAL + n) + 5;
        assert_int_equal(softgt_ggtt_read(p->device, system, &byte, 1), n <= there);
        byte = 0x5a;
        p->vfs[n].memory[SYSTEM + 5] = 0x10;
        assert_int_equal(softgt_ggtt_write(p->device, system, &byte, 1), n <= there);
        assert_int_equal(p->vfs[n].memory[SYSTEM + 5], n <= there ? 0x5a : 0x10);
        assert_int_equal(softgt_ggtt_read(p->device, local, &byte, 1), n <= there);
    }
}

/* SYS-06 with SYS-02, 328-334: a function that does not exist has neither bus memory nor local memory,
 * whatever entries of the GGTT name it. */
static void only_those_that_exist(void **state)
{
    (void)state;
    struct pf p;
    struct softgt *d = open_guests(&p, VFS);
    lmtt_on(d);
    for (unsigned n = 0; n <= VFS; n++) {
        entry_put(d, 0, PAGES + n, ENTRY(n, SYSTEM));
        entry_put(d, 0, PAGES + IN_LOCAL + n, ENTRY(n, IN_PAGE | LOCAL));
        give_local(d, n, 0, 20 + n);
    }
    expect_there(&p, 0);
    put(d, COUNT, VFS, 2); /* VF Enable is clear */
    expect_there(&p, 0);
    for (unsigned count = 1; count <= VFS; count++) {
        put(d, COUNT, count, 2);
        put(d, CONTROL, MEMORY, 2);
        expect_there(&p, 0);
        put(d, CONTROL, ENABLE | MEMORY, 2);
        expect_there(&p, count);
        put(d, CONTROL, ENABLE, 2); /* Memory Space Enable is of BARs */
        expect_there(&p, count);
        reload(d);
        expect_there(&p, count);
        function_level_reset(d, 1); /* it is still there */
        expect_there(&p, count);
        put(d, CONTROL, 0, 2);
        expect_there(&p, 0);
        reload(d);
        expect_there(&p, 0);
    }
    enable(d, VFS);
    expect_there(&p, VFS);
    softgt_reset(d); /* tables are gone, and functions are */
    for (unsigned n = 0; n <= VFS; n++)
        entry_put(d, 0, PAGES + n, ENTRY(n, SYSTEM));
    uint8_t byte;
    for (unsigned n = 0; n <= VFS; n++)
        assert_int_equal(softgt_ggtt_read(d, address_of(n), &byte, 1), n == 0);
    close_guests(&p);
}

/* SYS-08, 374-398: 37 bits of addresses, whatever the device has; what is behind them is nothing. Xe2 has 48
 * bits: the second level has a table for each 32 GB. (Linux, xe_lmtt_ml) */
static void guests_see_128_gb(void **state)
{
    (void)state;
    enum { FAR_TABLE = 4 * MB /* 256 KB */, GOOD = 1000 };
    static const uint32_t leaves[] = {0, 127, 128, 512, 4096, 16383, 16384, 65535};
    struct pf p;
    struct softgt *d = open_guests(&p, VFS);
    enable(d, VFS);
    lmtt_on(d);
    give_table_at(d, DIRECTORY, 1, FAR_TABLE);
    for (uint32_t i = 0; has_three_levels() && i < 4; i++)
        local_put32(d, FAR_TABLE + (VFS + 1) * LMTT_BYTES + i * 8u,
                    (uint32_t)((FAR_TABLE + i * LMTT_BYTES) >> 16) << 4 | 1);
    for (unsigned i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        const uint64_t guest = (uint64_t)leaves[i] * MB2 + 5 * PAGE_BYTES,
                       there = (20 + i) * (uint64_t)MB2 + 5 * PAGE_BYTES;
        uint32_t value = 0;
        entry_put(d, 0, PAGES, ENTRY(1, guest | LOCAL));
        assert_false(softgt_ggtt_read(d, address_of(0), &value, 4));
        local_put32(d, FAR_TABLE + leaves[i] * 4u, (20 + i) << 5 | 1);
        value = GOOD + i;
        assert_true(softgt_ggtt_write(d, address_of(0), &value, 4));
        value = 0;
        assert_true(softgt_local_read(d, there, &value, 4));
        assert_int_equal(value, GOOD + i);
        /* Another function's directory entry is another table. */
        entry_put(d, 0, PAGES, ENTRY(2, guest | LOCAL));
        assert_false(softgt_ggtt_read(d, address_of(0), &value, 4));
    }
    /* The bit behind, or one of those that select a table: not the first page again. */
    uint32_t value;
    entry_put(d, 0, PAGES, ENTRY(1, UINT64_C(1) << (has_three_levels() ? 45 : 37) | LOCAL));
    assert_false(softgt_ggtt_read(d, address_of(0), &value, 4));
    close_guests(&p);
}

/* SYS-08, 388: two registers say where the directory is: the GT's, which engines go by, and the Gunit's, by
 * which CPUs reach a function's local memory. The first one sets both, as Linux knows no other. */
static void the_directory_has_two_registers(void **state)
{
    (void)state;
    enum { OTHER = 3 * MB, ONE = 1111, TWO = 2222 };
    struct pf p;
    struct softgt *d = open_guests(&p, VFS);
    enable(d, VFS);
    lmtt_on(d);
    const uint32_t gt = register_offset(d, "LMEM_CFG"), gunit = register_offset(d, "SG_LMEM_CFG");
    const uint32_t usual = (uint32_t)softgt_bar_read(d, 0, gt, 4), other = 1u << 31 | OTHER >> 16;
    assert_int_equal(softgt_bar_read(d, 0, gunit, 4), usual);
    give_local(d, 1, 0, 20);
    give_table_at(d, OTHER, 1, table_of(2));
    give_local(d, 2, 0, 21);
    local_put32(d, 20 * MB2, ONE);
    local_put32(d, 21 * MB2, TWO);
    entry_put(d, 0, PAGES, ENTRY(1, LOCAL));
    const struct {
        uint32_t gunit, gt, cpu_sees, engine_sees;
    } t[] = {{usual, usual, ONE, ONE},
             {other, usual, TWO, ONE},
             {0, usual, 0, ONE},
             {usual, other, ONE, TWO},
             {other, other, TWO, TWO}};
    for (unsigned i = 0; i < 2 * sizeof t / sizeof t[0]; i++) {
        uint32_t value = 0;
        softgt_bar_write(d, 0, gt, t[i / 2].gt, 4);
        assert_int_equal(softgt_bar_read(d, 0, gunit, 4), t[i / 2].gt);
        softgt_bar_write(d, 0, gunit, t[i / 2].gunit, 4);
        if (i % 2)
            reload(d);
        assert_int_equal(softgt_function_bar_read(d, 1, 2, 0, 4), t[i / 2].cpu_sees);
        assert_true(softgt_ggtt_read(d, address_of(0), &value, 4));
        assert_int_equal(value, t[i / 2].engine_sees);
        /* No virtual function reads or writes them. */
        for (unsigned k = 0; k < 2; k++) {
            softgt_function_bar_write(d, 1, 0, k ? gt : gunit, 0, 4);
            assert_int_equal(softgt_function_bar_read(d, 1, 0, k ? gt : gunit, 4), 0);
        }
        assert_int_equal(softgt_bar_read(d, 0, gunit, 4), t[i / 2].gunit);
        assert_int_equal(softgt_bar_read(d, 0, gt, 4), t[i / 2].gt);
    }
    softgt_reset(d);
    assert_int_equal(softgt_bar_read(d, 0, gunit, 4), 0);
    close_guests(&p);
}

/* SYS-19: observation units' requests through the GGTT are the physical function's: what lies in another
 * one's pages is not written, and nothing else comes of it. */
static void observation_is_the_physical_functions(void **state)
{
    (void)state;
    static const struct {
        const char *buffer, *head, *tail, *control, *status, *trigger;
        uint32_t enable;
    } units[] = {{"OAG_OABUFFER", "OAG_OAHEADPTR", "OAG_OATAILPTR", "OAG_OACONTROL", "OAG_OASTATUS",
                  "OAG_MMIOTRIGGER", 5 << 2 | 1},
                 {"OAM_BUFFER", "OAM_HEAD_POINTER", "OAM_TAIL_POINTER", "OAM_CONTROL", "OAM_STATUS",
                  "OAM_MMIO_TRG", 5 << 1 | 1}};
    enum { BASE = PAGES * PAGE_BYTES };
    for (unsigned i = 0; i < 2; i++) {
        struct pf p;
        struct softgt *d = open_guests(&p, VFS);
        if (i && !d->sheet->oam) { /* the part has no such unit */
            close_guests(&p);
            break;
        }
        enable(d, VFS);
        for (uint32_t page = 0; page < 32; page++)
            entry_put(d, 0, PAGES + page, ENTRY(page == 0, SYSTEM));
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].buffer), BASE, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].head), BASE, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].tail), BASE, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].control), units[i].enable, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].trigger), 0x77, 4);
        for (unsigned n = 0; n <= VFS; n++)
            assert_int_equal(p.vfs[n].memory[SYSTEM + 8], 0x10 + n);
        assert_int_equal(softgt_function_bar_read(d, 0, 0, register_offset(d, units[i].status), 4),
                         1); /* a report is lost */
        assert_int_equal(softgt_function_bar_read(d, 0, 0, register_offset(d, units[i].tail), 4), BASE);
        /* In its own page, it is. */
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].status), 0, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].tail), BASE + 4096, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].head), BASE + 4096, 4);
        softgt_function_bar_write(d, 0, 0, register_offset(d, units[i].trigger), 0x77, 4);
        assert_int_equal(p.vfs[0].memory[SYSTEM + 8], 0x77);
        assert_int_equal(p.vfs[1].memory[SYSTEM + 8], 0x11);
        assert_int_equal(softgt_function_bar_read(d, 0, 0, register_offset(d, units[i].status), 4), 0);
        /* No virtual function reaches its registers. */
        softgt_function_bar_write(d, 1, 0, register_offset(d, units[i].control), 0, 4);
        assert_int_equal(softgt_function_bar_read(d, 1, 0, register_offset(d, units[i].control), 4), 0);
        assert_int_equal(softgt_function_bar_read(d, 0, 0, register_offset(d, units[i].control), 4),
                         units[i].enable);
        close_guests(&p);
    }
}

TEST_PROGRAM(functions_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none),
        cmocka_unit_test(capability),
        cmocka_unit_test(local_bar),
        cmocka_unit_test(come_and_go),
        cmocka_unit_test(resets),
        cmocka_unit_test(spaces_are_saved),
        cmocka_unit_test(entries),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(pages_have_a_second_level),
        cmocka_unit_test(only_those_that_exist),
        cmocka_unit_test(guests_see_128_gb),
        cmocka_unit_test(the_directory_has_two_registers),
        cmocka_unit_test(observation_is_the_physical_functions),
    };
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
