#include "gts/space.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, MAX_ENTRIES = 4 << 20 };

/* ---- Hash maps of numbers ---- */

static size_t hash_slot(const struct gts_hash_map *m, uint64_t key)
{
    size_t i = (size_t)((key + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (m->capacity - 1);
    while (m->keys[i] && m->keys[i] != key + 1)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

bool gts_hash_map_set(struct gts_hash_map *m, uint64_t key, uint64_t value)
{
    if (m->count * 2 >= m->capacity) {
        struct gts_hash_map larger = {.capacity = m->capacity ? m->capacity * 2 : 64, .count = m->count};
        larger.keys = calloc(larger.capacity, sizeof *larger.keys);
        larger.values = calloc(larger.capacity, sizeof *larger.values);
        if (!larger.keys || !larger.values) {
            gts_hash_map_free(&larger);
            return false;
        }
        for (size_t i = 0; i < m->capacity; i++)
            if (m->keys[i]) {
                const size_t at = hash_slot(&larger, m->keys[i] - 1);
                larger.keys[at] = m->keys[i];
                larger.values[at] = m->values[i];
            }
        gts_hash_map_free(m);
        *m = larger;
    }
    const size_t at = hash_slot(m, key);
    m->count += m->keys[at] == 0;
    m->keys[at] = key + 1;
    m->values[at] = value;
    return true;
}

uint64_t gts_hash_map_get(const struct gts_hash_map *m, uint64_t key)
{
    if (!m->capacity)
        return 0;
    const size_t at = hash_slot(m, key);
    return m->keys[at] ? m->values[at] : 0;
}

void gts_hash_map_free(struct gts_hash_map *m)
{
    free(m->keys);
    free(m->values);
    memset(m, 0, sizeof *m);
}

/* ---- Spaces ---- */

static int space_add(struct gts_spaces *s, const char *name, size_t length, unsigned levels, uint64_t limit,
                     uint64_t memory)
{
    if (s->count == s->capacity) {
        const size_t room = s->capacity ? s->capacity * 2 : 8;
        struct gts_space *list = realloc(s->list, room * sizeof *list);
        if (!list)
            return -1;
        s->list = list;
        s->capacity = room;
    }
    char *copy = malloc(length + 1);
    if (!copy)
        return -1;
    memcpy(copy, name, length);
    copy[length] = 0;
    s->list[s->count] = (struct gts_space){.name = copy,
                                           .levels = levels,
                                           .memory = memory,
                                           .table_bits = s->format->table_bits,
                                           .limit = limit,
                                           .next_address = 16u << 20};
    return (int)s->count++;
}

bool gts_spaces_init(struct gts_spaces *s, const struct page_table_format *format, uint64_t ggtt_bytes,
                     uint64_t local_bytes)
{
    s->format = format;
    s->ggtt_bytes = ggtt_bytes;
    s->local_bytes = local_bytes;
    s->next_physical = s->next_local = 1u << 20;
    return space_add(s, "ggtt", 4, 1, ggtt_bytes / format->ggtt_entry_bytes * PAGE, 0) >= 0 &&
           space_add(s, "phys", 4, 0, UINT64_C(1) << format->physical_bits, 0) >= 0 &&
           (!local_bytes || space_add(s, "local", 5, 0, local_bytes, MEMORY_LOCAL) >= 0);
}

void gts_spaces_free(struct gts_spaces *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i].name);
        gts_hash_map_free(&s->list[i].entries);
    }
    free(s->list);
    memset(s, 0, sizeof *s);
}

int gts_space_find(const struct gts_spaces *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->count; i++)
        if (strlen(s->list[i].name) == length && memcmp(s->list[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static uint64_t alloc_pages(struct gts_spaces *s, bool local, uint64_t size_bytes, uint64_t align)
{
    uint64_t *const next = local ? &s->next_local : &s->next_physical;
    const uint64_t at = (*next + align - 1) / align * align;
    *next = at + (size_bytes + PAGE - 1) / PAGE * PAGE;
    return at;
}

static uint64_t alloc_table(struct gts_spaces *s)
{
    return alloc_pages(s, s->format->table_memory == MEMORY_LOCAL, PAGE, PAGE);
}

static unsigned level_shift(const struct gts_space *p, unsigned level)
{
    return PAGE_SHIFT + p->table_bits * level;
}

/* The number of entries of a table. */
static unsigned table_entries(const struct gts_space *p)
{
    return 1u << p->table_bits;
}

int gts_space_add(struct gts_spaces *s, const char *name, size_t length, unsigned levels)
{
    const struct page_table_format *f = s->format;
    const int number = space_add(s, name, length, levels, 0, 0);
    if (number < 0)
        return -1;
    struct gts_space *p = &s->list[number];
    if (levels == 2) { /* page directories are at the end of the GGTT */
        const uint64_t directory_bytes = f->directory_entries * (uint64_t)f->ggtt_entry_bytes;
        const uint64_t end = directory_bytes * ((uint64_t)number - SPACE_NUMBER_PHYSICAL);
        if (end > s->ggtt_bytes / 2)
            return -1;
        p->root[0] = s->ggtt_bytes - end;
        p->limit = (uint64_t)f->directory_entries << level_shift(p, 1);
        return number;
    }
    const unsigned roots = levels == 3 ? 4 : 1;
    p->limit = (uint64_t)roots << level_shift(p, levels == 3 ? 2 : 4); /* 48 bits of five levels are used */
    for (unsigned i = 0; i < roots; i++)
        p->root[i] = alloc_table(s);
    return number;
}

/* ---- Tables ---- */

static uint64_t entry_key(const struct gts_space *p, unsigned level, uint64_t address)
{
    return (address >> level_shift(p, level)) << 3 | level;
}

static uint64_t get(const struct gts_space *p, unsigned level, uint64_t address)
{
    return gts_hash_map_get(&p->entries, entry_key(p, level, address));
}

static bool store_directory_entry(struct gts_spaces *s, const struct gts_space *p, uint64_t table,
                                  unsigned level, uint64_t address, uint64_t entry)
{
    const uint64_t index = address >> level_shift(p, level) & (table_entries(p) - 1u);
    return p->levels == 2
               ? s->store(s->user, UINT64_MAX, table / s->format->ggtt_entry_bytes + index, &entry, 1)
               : s->store(s->user, table | s->format->table_memory, index, &entry, 1);
}

/* The bus address of the table with entries of `level`, allocated if missing; 0: out of memory. */
static uint64_t table_at(struct gts_spaces *s, struct gts_space *p, unsigned level, uint64_t address)
{
    const unsigned top = p->levels - 1u;
    if (p->levels != 3 && level == top)
        return p->root[0];
    if (p->levels == 3 && level == 1)
        return p->root[address >> level_shift(p, 2) & 3u];
    uint64_t entry = get(p, level + 1, address);
    if (entry & GTS_PRESENT && !(entry & GTS_LARGE))
        return gts_entry_address(entry);
    const uint64_t above = table_at(s, p, level + 1, address);
    if (!above)
        return 0;
    const uint64_t table = alloc_table(s);
    const uint64_t base = address >> level_shift(p, level + 1) << level_shift(p, level + 1);
    for (uint64_t i = 0; i < table_entries(p); i++) { /* the table of an earlier entry is replaced */
        const uint64_t child = base + (i << level_shift(p, level));
        if (get(p, level, child) && !gts_hash_map_set(&p->entries, entry_key(p, level, child), 0))
            return 0;
    }
    entry = table | GTS_PRESENT | GTS_WRITABLE | GTS_TABLE;
    if (!gts_hash_map_set(&p->entries, entry_key(p, level + 1, address), entry | GTS_MENTIONED))
        return 0;
    return store_directory_entry(s, p, above, level + 1, address, entry) ? table : 0;
}

static const char *const no_memory = "out of memory";

/* A directory entry gives the page size of its table. */
static const char *set_page_size(struct gts_spaces *s, struct gts_space *p, uint64_t address, bool pages_64k)
{
    uint64_t entry = get(p, 1, address);
    const uint64_t wanted = pages_64k ? entry | GTS_PAGES_64K : entry & ~GTS_PAGES_64K;
    if (wanted == entry)
        return NULL;
    const uint64_t base = address >> level_shift(p, 1) << level_shift(p, 1);
    for (uint64_t i = 0; i < table_entries(p); i++)
        if (get(p, 0, base + i * PAGE) & GTS_PRESENT)
            return "4K and 64K pages cannot be in the same 2M";
    if (!gts_hash_map_set(&p->entries, entry_key(p, 1, address), wanted))
        return no_memory;
    entry = wanted & ~GTS_MENTIONED;
    const uint64_t above = table_at(s, p, 1, address);
    return above && store_directory_entry(s, p, above, 1, address, entry) ? NULL : no_memory;
}

static const char *map_ggtt(struct gts_spaces *s, struct gts_space *p, const struct gts_mapping *m,
                            uint64_t physical)
{
    uint64_t entries[512];
    for (uint64_t done = 0; done < m->size_bytes;) {
        size_t count = 0;
        const uint64_t first = m->address + done;
        for (; count < 512 && done < m->size_bytes; count++, done += PAGE) {
            entries[count] = m->unmapped ? 0 : (physical + done) | GTS_PRESENT | (m->local ? GTS_LOCAL : 0);
            if (!gts_hash_map_set(&p->entries, entry_key(p, 0, m->address + done),
                                  entries[count] | GTS_MENTIONED))
                return no_memory;
        }
        if (!s->store(s->user, UINT64_MAX, first / PAGE, entries, count))
            return no_memory;
    }
    return NULL;
}

static const char *map_ppgtt(struct gts_spaces *s, struct gts_space *p, const struct gts_mapping *m,
                             uint64_t physical)
{
    const unsigned level = m->page_bytes == UINT64_C(1) << level_shift(p, 2)   ? 2
                           : m->page_bytes == UINT64_C(1) << level_shift(p, 1) ? 1
                                                                               : 0;
    const uint64_t step = m->page_bytes, stride = level == 0 ? step / PAGE : 1;
    const uint64_t spread = s->format->packs_64k_entries ? 1 : stride;
    const uint64_t flags = GTS_PRESENT | (m->readonly ? 0 : GTS_WRITABLE) | (level ? GTS_LARGE : 0) |
                           (m->local ? GTS_LOCAL : 0) | (m->null ? GTS_NULL : 0);
    for (uint64_t done = 0; done < m->size_bytes;) {
        const uint64_t address = m->address + done;
        const uint64_t first = address >> level_shift(p, level) & (table_entries(p) - 1u);
        const uint64_t table = table_at(s, p, level, address);
        const char *why = !table                        ? no_memory
                          : level == 0 && p->levels > 2 ? set_page_size(s, p, address, stride > 1)
                                                        : NULL;
        if (why)
            return why;
        uint64_t entries[TABLE_ENTRIES] = {0}, count = 0;
        for (; first + count < table_entries(p) && done < m->size_bytes; count += stride, done += step) {
            const uint64_t entry = m->unmapped ? 0 : m->null ? flags : (physical + done) | flags;
            entries[count / stride * spread] = entry;
            if (!gts_hash_map_set(&p->entries, entry_key(p, level, m->address + done), entry | GTS_MENTIONED))
                return no_memory;
        }
        if (!s->store(s->user, table | s->format->table_memory, first / stride * spread, entries,
                      (size_t)(count / stride * spread)))
            return no_memory;
    }
    return NULL;
}

const char *gts_space_map(struct gts_spaces *s, int space, const struct gts_mapping *m)
{
    struct gts_space *p = &s->list[space];
    if (p->levels == 0)
        return p->memory ? "local memory needs no mapping" : "bus addresses need no mapping";
    if ((m->local || m->null) && !s->local_bytes)
        return "the device has no local memory and no null pages";
    if (m->null && p->levels == 1)
        return "the GGTT has no null pages";
    const uint64_t limit = m->local ? s->local_bytes : UINT64_C(1) << s->format->physical_bits;
    if (m->size_bytes == 0 || m->address % m->page_bytes || m->size_bytes % m->page_bytes)
        return "expected an address and a size that are multiples of the page size, and a size above 0";
    if (m->has_physical && (m->physical % m->page_bytes || m->physical >= limit))
        return m->local
                   ? "expected a local address that is a multiple of the page size and inside local memory"
                   : "expected a bus address that is a multiple of the page size and below the device's "
                     "limit";
    if (m->address >= p->limit || m->size_bytes > p->limit - m->address)
        return "the range is outside the address space";
    if (p->levels == 1 && (m->page_bytes != PAGE || m->readonly))
        return "the GGTT has only writable 4K pages";
    if (p->levels == 2 && (m->page_bytes != PAGE || m->readonly))
        return "a 2-level space has only writable 4K pages";
    if (p->levels == 3 && m->page_bytes > UINT64_C(1) << 21)
        return "a 3-level space has pages up to 2M";
    s->mapped_pages += m->size_bytes / m->page_bytes;
    if (s->mapped_pages > MAX_ENTRIES)
        return "the program maps more than 4M pages";
    uint64_t physical = m->physical;
    if (!m->has_physical && !m->unmapped && !m->null)
        physical = alloc_pages(s, m->local, m->size_bytes, m->page_bytes);
    if (!m->unmapped && !m->null && (physical >= limit || m->size_bytes > limit - physical))
        return m->local ? "no local memory is left" : "no bus memory is left";
    return p->levels == 1 ? map_ggtt(s, p, m, physical) : map_ppgtt(s, p, m, physical);
}

static bool mentioned(const struct gts_space *p, uint64_t address)
{
    for (unsigned level = p->levels; level-- > 0;) {
        const uint64_t entry = get(p, level, address);
        if (level == 0) {
            if (entry & GTS_MENTIONED)
                return true;
            return p->levels > 1 && get(p, 1, address) & GTS_PAGES_64K &&
                   get(p, 0, address & ~UINT64_C(0xffff)) & GTS_MENTIONED;
        }
        if (!(entry & GTS_PRESENT) && entry & GTS_MENTIONED)
            return true;
        if (entry & GTS_PRESENT && entry & GTS_LARGE)
            return true;
    }
    return false;
}

const char *gts_space_map_missing(struct gts_spaces *s, int space, uint64_t address, uint64_t size_bytes)
{
    struct gts_space *p = &s->list[space];
    if (p->limit && (address >= p->limit || size_bytes > p->limit - address))
        return "the range is outside the address space";
    if (p->levels == 0 || size_bytes == 0)
        return NULL;
    const uint64_t end = (address + size_bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    for (uint64_t at = address & ~(uint64_t)(PAGE - 1); at < end; at += PAGE) {
        if (mentioned(p, at))
            continue;
        struct gts_mapping m = {.address = at, .size_bytes = PAGE, .page_bytes = PAGE};
        while (at + PAGE < end && !mentioned(p, at + PAGE)) {
            m.size_bytes += PAGE;
            at += PAGE;
        }
        const char *why = gts_space_map(s, space, &m);
        if (why)
            return why;
    }
    return NULL;
}

static bool found(uint64_t entry, uint64_t address, uint64_t page_bytes, uint64_t *physical,
                  uint64_t *length_bytes)
{
    const uint64_t in_page = address & (page_bytes - 1);
    *physical =
        (gts_entry_address(entry) & ~(page_bytes - 1)) | in_page | (entry & GTS_LOCAL ? MEMORY_LOCAL : 0);
    *length_bytes = page_bytes - in_page;
    return !(entry & GTS_NULL);
}

bool gts_space_translate(const struct gts_spaces *s, int space, uint64_t address, uint64_t *physical,
                         uint64_t *length_bytes)
{
    const struct gts_space *p = &s->list[space];
    if (p->limit && address >= p->limit)
        return false;
    if (p->levels == 0) {
        *physical = address | p->memory;
        *length_bytes = p->limit - address;
        return true;
    }
    for (unsigned level = p->levels == 1 ? 0 : p->levels == 2 ? 1 : 2; level > 0; level--) {
        if (level == 2 && p->levels == 3)
            continue;
        const uint64_t entry = get(p, level, address);
        if (!(entry & GTS_PRESENT))
            return false;
        if (entry & GTS_LARGE)
            return found(entry, address, UINT64_C(1) << level_shift(p, level), physical, length_bytes);
    }
    const bool pages_64k = p->levels > 1 && get(p, 1, address) & GTS_PAGES_64K;
    const uint64_t page_bytes = pages_64k ? 65536 : PAGE;
    const uint64_t entry = get(p, 0, address & ~(page_bytes - 1));
    return entry & GTS_PRESENT && found(entry, address, page_bytes, physical, length_bytes);
}
