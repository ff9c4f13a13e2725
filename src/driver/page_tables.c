/* Page tables in the format of the device's data sheet: 2 levels with the directory in the GGTT's table, 3
 * levels with four directories, 4 levels or 5. */
#include "driver/driver.h"

#include <string.h>

#include "device/device.h"

void driver_init(struct driver *v, struct softgt *device, const struct softgt_memory_port *memory,
                 uint64_t tables, uint64_t size_bytes)
{
    *v = (struct driver){.device = device,
                         .sheet = device->sheet,
                         .memory = *memory,
                         .next_page = tables,
                         .end = tables + size_bytes};
}

/* The level of the tables that `root` points to. */
static unsigned root_level(const struct driver_ppgtt *p)
{
    return p->levels > 3 ? p->levels - 1 : 1;
}

static const struct page_table_format *format_of(const struct driver *v)
{
    return v->sheet->memory.format;
}

static void ggtt_write(struct driver *v, uint64_t offset, const struct page_entry *e)
{
    softgt_bar_write(v->device, SOFTGT_BAR_GTTMMADR, v->sheet->info.mmio_bytes + offset,
                     format_of(v)->encode(e), format_of(v)->ggtt_entry_bytes);
}

void driver_map_ggtt(struct driver *v, uint64_t address, uint64_t physical, uint64_t size_bytes)
{
    for (uint64_t at = 0; at < size_bytes; at += PAGE_BYTES) {
        const struct page_entry e = {.physical = physical + at, .present = true, .is_ggtt = true};
        ggtt_write(v, (address + at) / PAGE_BYTES * format_of(v)->ggtt_entry_bytes, &e);
    }
}

/* ---- Table memory ---- */

static bool access_tables(const struct driver *v, uint64_t address, void *data, const void *from, size_t size)
{
    const struct softgt_memory_port *m = &v->memory;
    uint64_t length;
    if (format_of(v)->table_memory == MEMORY_LOCAL && v->local) {
        memcpy(from ? v->local + address : data, from ? from : v->local + address, size);
        return true;
    }
    if (format_of(v)->table_memory == MEMORY_LOCAL)
        return from ? softgt_local_write(v->device, address, from, size)
                    : softgt_local_read(v->device, address, data, size);
    uint8_t *host = m->map ? m->map(m->user, address, &length, from != NULL) : NULL;
    if (host)
        memcpy(from ? host : data, from ? from : host, size);
    else if (from)
        return m->write && m->write(m->user, address, from, size);
    else
        return m->read && m->read(m->user, address, data, size);
    return true;
}

static uint64_t take_page(struct driver *v)
{
    uint64_t page = v->free_page;
    static const uint64_t none;
    if (page)
        return access_tables(v, page, &v->free_page, NULL, 8) && access_tables(v, page, NULL, &none, 8) ? page
                                                                                                        : 0;
    page = v->next_page;
    if (v->end - page < PAGE_BYTES)
        return 0;
    v->next_page += PAGE_BYTES;
    return page;
}

/* The value of an empty entry in a table of `level`. */
static uint64_t empty_entry(const struct driver *v, unsigned level)
{
    const bool writable = !v->sheet->memory.drops_read_only_writes;
    const struct page_entry page = {.physical = v->scratch_page, .present = true, .writable = writable},
                            table = {.physical = v->scratch[level ? level - 1 : 0],
                                     .present = true,
                                     .writable = true,
                                     .is_table = true};
    return v->scratch_page ? format_of(v)->encode(level ? &table : &page) : 0;
}

/* Allocates a table of `level`; 0: out of memory. */
static uint64_t take_table(struct driver *v, unsigned level)
{
    const struct page_table_format *f = format_of(v);
    const uint64_t table = take_page(v);
    const uint64_t empty = empty_entry(v, level);
    uint8_t entries[PAGE_BYTES];
    if (!table || !empty)
        return table;
    for (unsigned at = 0; at < PAGE_BYTES; at += f->ggtt_entry_bytes)
        memcpy(entries + at, &empty, f->ggtt_entry_bytes);
    return access_tables(v, table, NULL, entries, sizeof entries) ? table : 0;
}

bool driver_use_scratch(struct driver *v, uint64_t page)
{
    v->scratch_page = page;
    for (unsigned level = 0; level + 1 < format_of(v)->ppgtt_levels; level++)
        if (!(v->scratch[level] = take_table(v, level)))
            return false;
    return true;
}

/* The table that an entry of `level` points to; 0: none, or a scratch table. */
static uint64_t table_of(const struct driver *v, uint64_t entry, unsigned level)
{
    const uint64_t table = format_of(v)->next_table(entry);
    return table == v->scratch[level - 1] ? 0 : table;
}

static void give_page(struct driver *v, uint64_t page)
{
    uint64_t empty[PAGE_BYTES / 8] = {v->free_page};
    if (access_tables(v, page, NULL, empty, sizeof empty))
        v->free_page = page;
}

/* Allocates a directory in the GGTT's table, from its end downwards. */
static bool take_directory(struct driver *v, uint64_t *offset)
{
    const struct page_table_format *f = format_of(v);
    for (unsigned i = 0; i < sizeof v->directories * 8; i++)
        if (!(v->directories[i / 64] >> i % 64 & 1u)) {
            v->directories[i / 64] |= UINT64_C(1) << i % 64;
            *offset =
                v->sheet->info.ggtt_bytes - (i + UINT64_C(1)) * f->directory_entries * f->ggtt_entry_bytes;
            return true;
        }
    return false;
}

bool driver_ppgtt_make(struct driver *v, struct driver_ppgtt *p, unsigned levels)
{
    const struct page_table_format *f = format_of(v);
    *p = (struct driver_ppgtt){.levels = levels ? levels : f->ppgtt_levels};
    const unsigned roots = p->levels == 3 ? 4 : 1;
    for (unsigned i = 0; i < roots && p->levels != 2; i++)
        if (!(p->root[i] = take_table(v, root_level(p))))
            return false;
    if (p->levels != 2)
        return true;
    if (!take_directory(v, &p->root[0]))
        return false;
    for (unsigned i = 0; i < f->directory_entries && v->scratch_page; i++)
        softgt_bar_write(v->device, SOFTGT_BAR_GTTMMADR,
                         v->sheet->info.mmio_bytes + p->root[0] + i * f->ggtt_entry_bytes, empty_entry(v, 1),
                         f->ggtt_entry_bytes);
    return true;
}

static unsigned shift_of(const struct driver *v, unsigned level)
{
    return PAGE_SHIFT + format_of(v)->table_bits * level;
}

static uint64_t read_entry(const struct driver *v, uint64_t at, bool in_ggtt)
{
    const unsigned bytes = format_of(v)->ggtt_entry_bytes;
    uint64_t value = 0;
    if (in_ggtt)
        return softgt_bar_read(v->device, SOFTGT_BAR_GTTMMADR, v->sheet->info.mmio_bytes + at, bytes);
    return access_tables(v, at, &value, NULL, bytes) ? value : 0;
}

/* Writes the entry of `level` and allocates missing tables above it. NULL clears the entry, and allocates no
 * table. */
static bool set_entry(struct driver *v, const struct driver_ppgtt *p, uint64_t address, unsigned to_level,
                      const struct page_entry *entry)
{
    const struct page_table_format *f = format_of(v);
    unsigned level = root_level(p);
    uint64_t table = p->root[p->levels == 3 ? address >> 30 & 3u : 0];
    const uint64_t mask = (UINT64_C(1) << f->table_bits) - 1u;
    for (;; level--) {
        const uint64_t index = address >> shift_of(v, level) & mask;
        const bool in_ggtt = p->levels == 2 && level == 1, last = level == to_level;
        const uint64_t at = table + index * f->ggtt_entry_bytes;
        struct page_entry below = {.present = true, .writable = true, .is_table = true};
        uint64_t value = 0;
        if (last) {
            value = entry ? f->encode(entry) : empty_entry(v, level);
        } else {
            below.physical = table_of(v, read_entry(v, at, in_ggtt), level);
            if (!below.physical && (!entry || !(below.physical = take_table(v, level - 1))))
                return false;
            value = f->encode(&below);
        }
        if (in_ggtt)
            ggtt_write(v, at, last ? entry : &below);
        else if (!access_tables(v, at, NULL, &value, f->ggtt_entry_bytes))
            return false;
        if (last)
            return true;
        table = below.physical;
    }
}

bool driver_map(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                uint64_t size_bytes, uint64_t page_bytes)
{
    unsigned level = 0;
    while (UINT64_C(1) << shift_of(v, level) < page_bytes)
        level++;
    for (uint64_t at = 0; at < size_bytes; at += page_bytes) {
        const struct page_entry e = {
            .physical = physical + at, .present = true, .writable = true, .is_page = level > 0};
        if (!set_entry(v, p, address + at, level, &e))
            return false;
    }
    return true;
}

bool driver_map_read_only(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t physical,
                          uint64_t size_bytes)
{
    for (uint64_t at = 0; at < size_bytes; at += PAGE_BYTES) {
        const struct page_entry e = {.physical = physical + at, .present = true};
        if (!set_entry(v, p, address + at, 0, &e))
            return false;
    }
    return true;
}

bool driver_map_nothing(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t instead,
                        uint64_t size_bytes)
{
    const struct page_entry e = {
        .physical = format_of(v)->null_pages ? MEMORY_NULL : instead, .present = true, .writable = true};
    for (uint64_t at = 0; at < size_bytes; at += PAGE_BYTES)
        if (!set_entry(v, p, address + at, 0, &e))
            return false;
    return true;
}

void driver_unmap(struct driver *v, const struct driver_ppgtt *p, uint64_t address, uint64_t size_bytes)
{
    for (uint64_t at = 0; at < size_bytes; at += PAGE_BYTES)
        set_entry(v, p, address + at, 0, NULL);
}

/* Frees a table of `level` and all tables below it. */
static void give_table(struct driver *v, uint64_t table, unsigned level)
{
    const struct page_table_format *f = format_of(v);
    for (uint64_t i = 0; level && i < UINT64_C(1) << f->table_bits; i++) {
        const uint64_t below = table_of(v, read_entry(v, table + i * f->ggtt_entry_bytes, false), level);
        if (below)
            give_table(v, below, level - 1);
    }
    give_page(v, table);
}

void driver_ppgtt_end(struct driver *v, struct driver_ppgtt *p)
{
    const struct page_table_format *f = format_of(v);
    if (p->levels != 2) {
        for (unsigned i = 0; i < 4; i++)
            if (p->root[i])
                give_table(v, p->root[i], root_level(p));
        *p = (struct driver_ppgtt){0};
        return;
    }
    const uint64_t directory_bytes = (uint64_t)f->directory_entries * f->ggtt_entry_bytes;
    static const struct page_entry empty;
    for (uint64_t at = p->root[0]; at < p->root[0] + directory_bytes; at += f->ggtt_entry_bytes) {
        const uint64_t table = table_of(v, read_entry(v, at, true), 1);
        if (table)
            give_page(v, table);
        ggtt_write(v, at, &empty);
    }
    const uint64_t i = (v->sheet->info.ggtt_bytes - p->root[0]) / directory_bytes - 1;
    v->directories[i / 64] &= ~(UINT64_C(1) << i % 64);
    *p = (struct driver_ppgtt){0};
}
