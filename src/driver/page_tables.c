/* Tables in the format of the device's sheet: 2 levels with the directory in the GGTT's own table, 3 with
 * four directories, 4 with a table above. */
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

/* ---- The memory that tables are in ---- */

static bool access_tables(const struct driver *v, uint64_t address, void *data, const void *from, size_t size)
{
    const struct softgt_memory_port *m = &v->memory;
    uint64_t length;
    if (format_of(v)->tables == MEMORY_LOCAL)
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
    const uint64_t page = v->next_page;
    if (v->end - page < PAGE_BYTES)
        return 0;
    v->next_page += PAGE_BYTES;
    return page;
}

bool driver_ppgtt_make(struct driver *v, struct driver_ppgtt *p, unsigned levels)
{
    const struct page_table_format *f = format_of(v);
    *p = (struct driver_ppgtt){.levels = levels ? levels : f->ppgtt_levels};
    if (p->levels == 2) { /* the last entries of the GGTT's table */
        p->root[0] = v->sheet->info.ggtt_bytes - f->directory_entries * f->ggtt_entry_bytes;
        return true;
    }
    const unsigned roots = p->levels == 3 ? 4 : 1;
    for (unsigned i = 0; i < roots; i++)
        if (!(p->root[i] = take_page(v)))
            return false;
    return true;
}

static unsigned shift_of(const struct driver *v, unsigned level)
{
    return PAGE_SHIFT + format_of(v)->table_bits * level;
}

/* Writes the entry of `level`; with it the tables above, where they are not there yet. */
static bool set_entry(struct driver *v, const struct driver_ppgtt *p, uint64_t address, unsigned to_level,
                      const struct page_entry *entry)
{
    const struct page_table_format *f = format_of(v);
    unsigned level = p->levels == 4 ? 3 : 1;
    uint64_t table = p->root[p->levels == 3 ? address >> 30 & 3u : 0];
    const uint64_t mask = (UINT64_C(1) << f->table_bits) - 1u;
    for (;; level--) {
        const uint64_t index = address >> shift_of(v, level) & mask;
        const bool in_ggtt = p->levels == 2 && level == 1, last = level == to_level;
        const uint64_t at = table + index * f->ggtt_entry_bytes;
        struct page_entry below = {.present = true, .writable = true, .is_table = true};
        uint64_t value = 0;
        if (last) {
            value = f->encode(entry);
        } else {
            if (in_ggtt)
                value = softgt_bar_read(v->device, SOFTGT_BAR_GTTMMADR, v->sheet->info.mmio_bytes + at,
                                        f->ggtt_entry_bytes);
            else if (!access_tables(v, at, &value, NULL, f->ggtt_entry_bytes))
                return false;
            below.physical = f->table_of(value);
            if (!below.physical && !(below.physical = take_page(v)))
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
