/* The sections of every device's state: tables cover all of it, names are unique. Power-on gives the state of
 * creation. A section of another version is refused by name, and the state does not change. */
#include "../suite.h"
#include "device/device.h"
#include "driver/driver.h"
#include "host/sparse_memory.h"

#include "saved_sections.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/pci_regs.h>

enum { RINGS = 1 << 20, RING_BYTES = PAGE_BYTES, PAGES = 1024, NAMES = 512, STATUS_PAGE = 144 * PAGE_BYTES };
enum { VGA_PORTS = 0x3b0, VGA_PORTS_END = VGA_PORTS + 48 };
enum { PIPE_CONF = 0x70008, PIPESTAT = 0x70024, PIPE_BYTES = 4096 };
enum { NO_REGISTER = (512 << 10) - 4 };

struct host {
    struct sparse_memory *memory;
    struct softgt *device;
    char said[256];
};

static void report(void *user, const struct softgt_report *r)
{
    struct host *h = user;
    snprintf(h->said, sizeof h->said, "%s", r->text);
}

static void pin(void *user, bool asserted)
{
    (void)user, (void)asserted;
}

static void start(struct host *h, const char *device)
{
    *h = (struct host){.memory = sparse_memory_create(64 << 20)};
    const struct softgt_config config = {.device = device,
                                         .memory = sparse_memory_port(h->memory),
                                         .interrupt = {.intx = pin},
                                         .report = {.user = h, .report = report}};
    assert_int_equal(softgt_create(&config, &h->device), 0);
}

static void end(struct host *h)
{
    softgt_destroy(h->device);
    sparse_memory_destroy(h->memory);
}

/* Names the section where two states first differ. */
static bool is_same(const char *device, struct blob a, struct blob b)
{
    struct saved_section x, y;
    size_t at_x = STATE_HEADER_BYTES, at_y = STATE_HEADER_BYTES;
    if (a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0)
        return true;
    while (saved_section_at(&a, at_x, &x) && saved_section_at(&b, at_y, &y)) {
        if (strcmp(x.name, y.name) != 0 || x.size != y.size ||
            memcmp(a.bytes + x.begin, b.bytes + y.begin, x.size) != 0)
            print_error("%s: %s differs\n", device, x.name);
        at_x = x.begin + x.size;
        at_y = y.begin + y.size;
    }
    return false;
}

static uint32_t random32(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static void put(struct host *h, uint64_t offset, uint32_t value)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

/* Every engine runs a ring: a store, an interrupt, a register, a flush, a flip, an opcode that does not
 * exist. Data: the same dwords for every device, whose commands differ. */
static void run_rings(struct host *h)
{
    static const uint32_t now[] = {0x10400002, 0x00080000, 0,          0x01000000, 0x11000001,
                                   0x00002600, 0x12345678, 0x02000000, 0x0a000001, 0x00010000,
                                   0x00200000, 0x09000000, 0x00010003, 0x79000002, 0,
                                   0x00ff00ff, 0x00010001, 0x3fffffff, 0x01800002};
    for (unsigned i = 0; i < h->device->sheet->info.engine_count; i++) {
        const struct engine_info *engine = &h->device->sheet->engines[i];
        uint32_t dw[64] = {0};
        const struct driver_ring ring = {
            .start = RINGS + i * RING_BYTES, .size_bytes = PAGE_BYTES, .tail = sizeof dw};
        struct driver_writes writes = {0};
        memcpy(dw, now, sizeof now);
        assert_true(softgt_ggtt_write(h->device, ring.start, dw, sizeof dw));
        put(h, engine->mmio_base + engine->hws_pga, STATUS_PAGE);
        driver_set_ring(&writes, engine, &ring);
        driver_write(h->device, &writes);
    }
    softgt_run(h->device, 100000);
}

static void fill(const struct state_field *fields, size_t count, uint8_t *at, uint64_t *seed)
{
    for (const struct state_field *f = fields; f < fields + count; f++)
        for (unsigned i = 0; i < f->count; i++) {
            uint8_t *const element = at + f->offset + (size_t)i * f->size;
            const uint64_t value = random32(seed) | (uint64_t)random32(seed) << 32;
            const uint64_t taken = f->limit ? value % f->limit : value | 1u;
            if (f->sub_fields)
                fill(f->sub_fields, f->sub_field_count, element, seed);
            else
                memcpy(element, &taken, f->size);
        }
}

/* Every number of every section is another: what no scenario may get to. */
static void fill_sections(struct host *h, uint64_t seed)
{
    struct softgt *const d = h->device;
    fill(device_section.fields, device_section.field_count, (uint8_t *)d + device_section.offset, &seed);
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        for (size_t i = 0; i < u->shape->section_count; i++) {
            const struct section *c = &u->shape->sections[i];
            fill(c->fields, c->field_count, (uint8_t *)u->self + c->offset, &seed);
        }
}

/* Something is written everywhere; with `seed` 0 only what a driver writes. */
static void dirty(struct host *h, uint64_t seed)
{
    struct softgt *const d = h->device;
    const struct softgt_memory_port memory = sparse_memory_port(h->memory);
    struct driver driver;
    for (uint32_t at = 0; at < 256; at++)
        softgt_pci_config_write(d, at, 0x5a, 1);
    softgt_pci_config_write(d, PCI_COMMAND, PCI_COMMAND_IO | PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER, 2);
    driver_init(&driver, d, &memory, 0, 0);
    driver_map_ggtt(&driver, 0, 0, PAGES * PAGE_BYTES);
    for (uint32_t pipe = 0; pipe < 3; pipe++) {
        put(h, PIPE_CONF + pipe * PIPE_BYTES, 1u << 31);
        put(h, PIPESTAT + pipe * PIPE_BYTES, 1u << 17);
    }
    for (uint16_t port = VGA_PORTS; port < VGA_PORTS_END; port++)
        softgt_vga_write(d, port, (uint8_t)(port + 0x35));
    softgt_bar_write(d, SOFTGT_BAR_IO, 0, d->sheet->engines[0].mmio_base + RING_BUFFER_TAIL, 4);
    softgt_bar_write(d, SOFTGT_BAR_GMADR, 18 * PAGE_BYTES + 5, UINT64_MAX, 8);
    run_rings(h);
    softgt_advance(d, 1234567);
    softgt_run(d, 100000);
    if (!seed)
        return;
    const struct register_file *f = softgt_register_file(d);
    for (uint32_t i = 1; i < f->slot_count; i++)
        if (strcmp(f->slots[i].row->name, "GDRST") != 0 && strcmp(f->slots[i].row->name, "GU_CNTL") != 0)
            put(h, f->slots[i].offset, i % 3 ? random32(&seed) : UINT32_MAX);
    for (uint32_t i = 1; i < f->slot_count; i += 3)
        softgt_bar_read(d, SOFTGT_BAR_GTTMMADR, f->slots[i].offset, 4);
    softgt_bar_read(d, SOFTGT_BAR_GTTMMADR, NO_REGISTER, 4);
    put(h, NO_REGISTER, 1);
    softgt_run(d, 100000);
    run_rings(h);
    softgt_advance(d, 17000000);
    softgt_run(d, 100000);
}

static void tables_cover_all(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct host h;
        start(&h, (*s)->info.name);
        assert_true(section_is_whole(&device_section));
        for (const struct unit *u = h.device->units; u < h.device->units + h.device->unit_count; u++) {
            assert_true(u->shape->section_count > 0 && u->shape->reset && u->shape->state);
            for (size_t i = 0; i < u->shape->section_count; i++) {
                const struct section *c = &u->shape->sections[i];
                assert_true(c->name && c->version && c->reset_survival <= SURVIVES_DEVICE_RESET);
                if (!section_is_whole(c))
                    fail_msg("%s: a table does not cover %s", (*s)->info.name, c->name);
            }
        }
        end(&h);
    }
}

static void names_are_unique(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        static struct saved_section sections[NAMES];
        struct host h;
        start(&h, (*s)->info.name);
        struct blob b = saved(h.device);
        unsigned count = 0;
        for (size_t at = STATE_HEADER_BYTES; at < b.size && saved_section_at(&b, at, &sections[count]);
             count++) {
            at = sections[count].begin + sections[count].size;
            assert_true(count + 1 < NAMES);
            for (unsigned i = 0; i < count; i++)
                if (strcmp(sections[i].name, sections[count].name) == 0)
                    fail_msg("%s: two sections %s", (*s)->info.name, sections[i].name);
        }
        assert_true(count > (*s)->info.engine_count * ENGINE_SECTIONS);
        free(b.bytes);
        end(&h);
    }
}

static void power_on_is_as_creation(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct host h;
        start(&h, (*s)->info.name);
        struct blob created = saved(h.device);
        softgt_reset(h.device);
        struct blob at_once = saved(h.device);
        wrong += !is_same((*s)->info.name, created, at_once);
        free(at_once.bytes);
        for (uint64_t seed = 0; seed < 4; seed++) {
            dirty(&h, seed);
            if (seed > 1)
                fill_sections(&h, seed);
            struct blob dirtied = saved(h.device);
            assert_false(dirtied.size == created.size &&
                         memcmp(dirtied.bytes, created.bytes, created.size) == 0);
            softgt_reset(h.device);
            struct blob reset = saved(h.device);
            wrong += !is_same((*s)->info.name, created, reset);
            free(dirtied.bytes);
            free(reset.bytes);
        }
        free(created.bytes);
        end(&h);
    }
    assert_int_equal(wrong, 0);
}

/* Everything before the section was taken when it is refused. */
static void other_versions_are_refused(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct host h, other;
        struct saved_section c;
        start(&h, (*s)->info.name);
        start(&other, (*s)->info.name);
        dirty(&other, 7);
        dirty(&h, 8);
        struct blob b = saved(other.device), before = saved(h.device);
        /* Each of the first device; of the others each seventh. */
        unsigned number = 0;
        for (size_t at = STATE_HEADER_BYTES; saved_section_at(&b, at, &c); at = c.begin + c.size) {
            char expected[128];
            if (s != sheets && number++ % 7u)
                continue;
            snprintf(expected, sizeof expected, "saved state not loaded: section %s is of another version",
                     c.name);
            b.bytes[c.version_at] ^= 0x40;
            saved_sum(b);
            h.said[0] = 0;
            assert_int_equal(softgt_load(h.device, b.bytes, b.size), -EINVAL);
            assert_string_equal(h.said, expected);
            b.bytes[c.version_at] ^= 0x40;
            struct blob after = saved(h.device);
            if (!is_same((*s)->info.name, before, after))
                fail_msg("%s: changed by a state whose %s was refused", (*s)->info.name, c.name);
            free(after.bytes);
        }
        /* As it was, it is taken. */
        saved_sum(b);
        assert_int_equal(softgt_load(h.device, b.bytes, b.size), 0);
        struct blob now = saved(h.device);
        assert_true(is_same((*s)->info.name, b, now));
        free(now.bytes);
        free(b.bytes);
        free(before.bytes);
        end(&h);
        end(&other);
    }
}

/* A state of less: it ends before a section, or a section of it is not there. */
static void expect_refused(struct host *h, const char *device, struct blob part, struct blob before)
{
    enum { LENGTH_AT = 32 };
    for (unsigned byte = 0; byte < 8; byte++)
        part.bytes[LENGTH_AT + byte] = (uint8_t)((uint64_t)part.size >> byte * 8);
    saved_sum(part);
    assert_int_equal(softgt_load(h->device, part.bytes, part.size), -EINVAL);
    struct blob after = saved(h->device);
    assert_true(is_same(device, before, after));
    free(after.bytes);
}

/* Of the products with two GTs: what the second one has is no less needed. */
static void states_of_less_are_refused(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct host h;
        struct saved_section c;
        unsigned of_second = 0;
        if (!(*s)->media)
            continue;
        start(&h, (*s)->info.name);
        dirty(&h, 9);
        struct blob b = saved(h.device), part = {malloc(b.size), 0};
        assert_non_null(part.bytes);
        for (size_t at = STATE_HEADER_BYTES, next; saved_section_at(&b, at, &c); at = next) {
            next = c.begin + c.size;
            memcpy(part.bytes, b.bytes, at);
            part.size = at;
            expect_refused(&h, (*s)->info.name, part, b);
            memcpy(part.bytes + at, b.bytes + next, b.size - next);
            part.size = b.size - (next - at);
            expect_refused(&h, (*s)->info.name, part, b);
            of_second += strncmp(c.name, "gt1.", 4) == 0 || strncmp(c.name, "guc1.", 5) == 0;
        }
        assert_true(of_second > 4);
        free(part.bytes);
        free(b.bytes);
        end(&h);
    }
}

TEST_PROGRAM(sections_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_cover_all),           cmocka_unit_test(names_are_unique),
        cmocka_unit_test(power_on_is_as_creation),    cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(states_of_less_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
