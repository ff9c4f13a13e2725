#include "diff/diff.h"
#include "diff/uses.h"

#include "device/host.h"
#include "host/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DW = 1024, PIECE_PAGES = 1 << 14, ALL_PAGES = 1 << 18, MOST_PIXELS = 1 << 24 };
enum { MAP_GGTT = 1, MOST_STEPS = 1 << 22 };

struct diff {
    struct diff_recording *a, *b;
    struct diff_result *result;
    const struct command_set *set;
    struct address_map map, pages_a, pages_b; /* pages_a, pages_b: that are compared, by physical address */
};

/* ---- Addresses ---- */

/* The run has a page there at its end. The address spaces of contexts that did not run last are not known:
 * they may. */
static bool may_have_page(const struct diff_recording *r, uint32_t space, uint64_t address)
{
    const uint32_t number = space - MAP_GGTT - 1u, engine = number / DIFF_CONTEXTS;
    struct device_walk walk;
    if (space == MAP_GGTT)
        return device_walk(r->device, -1, address, &walk);
    return engine >= r->sheet->info.engine_count || number % DIFF_CONTEXTS != r->context[engine] ||
           device_walk(r->device, (int)engine, address, &walk);
}

static bool have_pages(const struct diff *d, uint32_t space, uint64_t a, uint64_t b)
{
    return may_have_page(d->a, space, a) && may_have_page(d->b, space, b);
}

/* Values that are equal, or addresses that match. */
static bool match_values(struct diff *d, const struct field *f, uint32_t space, uint64_t a, uint64_t b)
{
    if (f->kind != FIELD_ADDRESS || (a != b && !f->base && !have_pages(d, space, a, b)))
        return a == b;
    return address_map_match(&d->map, space, a, b);
}

static bool is_pair(const struct diff *d, uint32_t space, uint64_t a, uint64_t b)
{
    return address_map_has(&d->map, space, a, b) && have_pages(d, space, a, b);
}

/* ---- Commands ---- */

static uint32_t space_of(const struct diff_command *c)
{
    return MAP_GGTT + 1u + c->engine * (uint32_t)DIFF_CONTEXTS + c->context;
}

/* Whether the command's addresses are in the GGTT: a field says so, else it is as its own. */
static bool uses_ggtt(const struct command *row, const struct diff_command *c, const uint32_t *dw)
{
    static const struct {
        const char *name;
        bool ggtt;
    } says[] = {{"Use Global GTT", true},
                {"Destination Address Type", true},
                {"Memory Type", true},
                {"Address Space Indicator", false},
                {"Source Memory Type", true},
                {"Destination Memory Type", true},
                {"Buffer Security and Address Space Indicator", false}};
    for (unsigned i = 0; i < row->field_count; i++)
        for (unsigned k = 0; k < sizeof says / sizeof says[0]; k++)
            if (strcmp(row->fields[i].name, says[k].name) == 0)
                return (field_get(&row->fields[i], dw, c->length_dw) != 0) == says[k].ggtt;
    return c->is_ggtt;
}

static void add_field(struct diff_first *f, const char *name, uint64_t a, uint64_t b)
{
    if (f->field_count == DIFF_FIELDS)
        return;
    struct diff_field *const d = &f->fields[f->field_count++];
    *d = (struct diff_field){.a = a, .b = b};
    snprintf(d->name, sizeof d->name, "%s", name);
}

/* Compares the fields of a list; `x` becomes `y` where addresses match. False: one differs. */
static bool match_fields(struct diff *d, const struct field *fields, unsigned count, uint32_t *x,
                         const uint32_t *y, uint32_t length_dw, uint32_t space, struct diff_first *first)
{
    bool same = true;
    for (unsigned i = 0; i < count; i++) {
        const struct field *const f = &fields[i];
        if (f->first == UINT16_MAX || f->last / 32u >= length_dw)
            continue;
        const uint64_t a = field_get(f, x, length_dw), b = field_get(f, y, length_dw);
        const bool matches = match_values(d, f, space, a, b);
        if (matches && a != b)
            field_put(f, x, length_dw, b);
        if (matches || a == b)
            continue;
        add_field(first, f->name, a, b);
        same = false;
    }
    return same;
}

/* Compares two commands of one row; fills the fields that differ. */
static bool match_command(struct diff *d, const struct command *row, const struct diff_command *a,
                          const struct diff_command *b, struct diff_first *first)
{
    uint32_t x[MOST_DW];
    const uint32_t *const y = d->b->dw + b->first_dw;
    const uint32_t length = a->length_dw < MOST_DW ? a->length_dw : (uint32_t)MOST_DW;
    memcpy(x, d->a->dw + a->first_dw, length * sizeof *x);
    const uint32_t space = uses_ggtt(row, a, x) ? (uint32_t)MAP_GGTT : space_of(a);
    bool same = match_fields(d, row->fields, row->field_count, x, y, length, space, first);
    for (uint32_t at = row->group_dw;
         row->group_count && row->group_size_dw && at + row->group_size_dw <= length;
         at += row->group_size_dw)
        same &=
            match_fields(d, row->group, row->group_count, x + at, y + at, row->group_size_dw, space, first);
    for (uint32_t i = 0; same && i < length; i++)
        if (x[i] != y[i]) {
            char name[DIFF_NAME];
            snprintf(name, sizeof name, "dword %u", i);
            add_field(first, name, x[i], y[i]);
            same = false;
        }
    return same &&
           memcmp(d->a->dw + a->first_dw + length, y + length, (a->length_dw - length) * sizeof *x) == 0;
}

static const struct command *row_of(const struct diff *d, const struct diff_command *c, const uint32_t *dw)
{
    const struct sheet *const sheet = d->a->sheet;
    const enum engine_class class =
        c->engine < sheet->info.engine_count ? sheet->engines[c->engine].class : CLASS_RENDER;
    const uint16_t number = command_find(d->set, class, dw[c->first_dw]);
    return number ? d->set->rows[number] : NULL;
}

static bool same_place(const struct diff_command *a, const struct diff_command *b)
{
    return a->submission == b->submission && a->engine == b->engine;
}

static bool is_before(const struct diff_command *a, const struct diff_command *b)
{
    return a->submission != b->submission ? a->submission < b->submission : a->engine < b->engine;
}

static bool match_at(struct diff *d, const struct diff_command *a, const struct diff_command *b,
                     struct diff_first *first)
{
    const struct command *const row = a && b ? row_of(d, a, d->a->dw) : NULL;
    if (!a || !b || row != row_of(d, b, d->b->dw) || a->length_dw != b->length_dw)
        return false;
    if (!row)
        return d->a->dw[a->first_dw] == d->b->dw[b->first_dw];
    const bool same = match_command(d, row, a, b, first);
    if (a->kind != b->kind)
        add_field(first, "outcome", a->kind, b->kind);
    return same && a->kind == b->kind;
}

static void note_first(struct diff *d, const struct diff_command *a, const struct diff_command *b,
                       uint64_t index)
{
    struct diff_first *const f = &d->result->first;
    const struct command *const row_a = a ? row_of(d, a, d->a->dw) : NULL, *const row_b =
                                                                               b ? row_of(d, b, d->b->dw)
                                                                                 : NULL;
    f->found = true;
    f->a = a;
    f->b = b;
    f->index = index;
    f->name_a = row_a ? row_a->name : NULL;
    f->name_b = row_b ? row_b->name : NULL;
}

/* Where one run has more commands of a submission and engine, the other has none there. After the first
 * difference addresses are still matched, for what is compared at the end. */
static void compare_commands(struct diff *d)
{
    struct diff_first more = {0};
    size_t i = 0, k = 0;
    uint64_t index = 0;
    while (i < d->a->count || k < d->b->count) {
        const struct diff_command *a = i < d->a->count ? &d->a->commands[i] : NULL,
                                  *b = k < d->b->count ? &d->b->commands[k] : NULL;
        if (i && a && !same_place(a, &d->a->commands[i - 1]))
            index = 0;
        if (a && b && !same_place(a, b)) {
            if (is_before(a, b))
                b = NULL;
            else
                a = NULL;
        }
        const bool found = d->result->first.found;
        if (!match_at(d, a, b, found ? &more : &d->result->first) && !found)
            note_first(d, a, b, index);
        d->result->compared += !d->result->first.found;
        index++;
        i += a != NULL;
        k += b != NULL;
    }
}

/* ---- Registers ---- */

/* Values that depend on where a driver puts page tables, and on time. */
static bool is_compared(const char *name)
{
    static const char *const not [] = {"PDP",      "PP_DIR_BASE",    "TIMESTAMP", "CTX_TIMESTAMP",
                                       "EXECLIST", "CONTEXT_STATUS", "_UDW"};
    for (unsigned i = 0; i < sizeof not / sizeof not [0]; i++)
        if (strstr(name, not [i]))
            return false;
    return true;
}

static bool is_mapped_anywhere(const struct diff *d, uint64_t a, uint64_t b)
{
    if (is_pair(d, MAP_GGTT, a, b))
        return true;
    for (unsigned engine = 0; engine < DIFF_ENGINES; engine++)
        for (unsigned context = 0; context <= d->a->contexts[engine] && context < DIFF_CONTEXTS; context++)
            if (is_pair(d, MAP_GGTT + 1u + engine * (uint32_t)DIFF_CONTEXTS + context, a, b))
                return true;
    return false;
}

/* The value with the upper half that is a register of its own. */
static uint64_t whole_value(const struct register_file *f, const struct register_slot *s, const char *name)
{
    char upper[DIFF_NAME + 8];
    snprintf(upper, sizeof upper, "%s_UDW", name);
    const struct register_slot *const high = register_find(f, s->unit, upper);
    return register_value(f, s->offset) | (high ? (uint64_t)register_value(f, high->offset) << 32 : 0);
}

static void compare_registers(struct diff *d)
{
    const struct register_file *const a = softgt_register_file(d->a->device), *const b = softgt_register_file(
                                                                                  d->b->device);
    struct diff_result *const r = d->result;
    for (uint32_t i = 1; i < a->slot_count; i++) {
        const struct register_slot *const s = &a->slots[i];
        char name[DIFF_NAME];
        register_slot_name(s, name, sizeof name);
        if (register_slot_at(a, s->offset) != s || !register_slot_at(b, s->offset)->row ||
            !is_compared(name) || register_value(a, s->offset) == register_value(b, s->offset))
            continue;
        const uint64_t x = whole_value(a, s, name), y = whole_value(b, s, name);
        if (is_mapped_anywhere(d, x, y))
            continue;
        if (r->register_count++ >= DIFF_LISTED)
            continue;
        struct diff_register *const n = &r->registers[r->register_count - 1];
        *n = (struct diff_register){.unit = s->unit, .a = x, .b = y};
        memcpy(n->name, name, sizeof n->name);
    }
}

/* ---- Memory ---- */

static bool read_page(const struct diff_recording *r, int engine, uint64_t address, uint32_t *dw)
{
    return engine < 0 ? softgt_ggtt_read(r->device, address, dw, PAGE_BYTES)
                      : softgt_ppgtt_read(r->device, (unsigned)engine, address, dw, PAGE_BYTES);
}

/* Zeros, or what sign extension gives, above an address of 48 bits. */
static bool is_canonical(uint64_t value)
{
    return value >> 48 == 0 || value >> 47 == 0x1ffff;
}

/* Two dwords each may be an address. What else is above it must be equal. */
static bool are_addresses(const struct diff *d, const uint32_t *x, const uint32_t *y)
{
    const uint64_t a = x[0] | (uint64_t)x[1] << 32, b = y[0] | (uint64_t)y[1] << 32,
                   mask = (UINT64_C(1) << 48) - 1u;
    return (a >> 48 == b >> 48 || (is_canonical(a) && is_canonical(b))) &&
           is_mapped_anywhere(d, a & mask, b & mask);
}

/* A dword that differs may be a part of an address. */
static bool is_address(const struct diff *d, const uint32_t *x, const uint32_t *y, unsigned i)
{
    return is_mapped_anywhere(d, x[i], y[i]) || (i + 1 < PAGE_BYTES / 4 && are_addresses(d, x + i, y + i)) ||
           (i > 0 && are_addresses(d, x + i - 1, y + i - 1));
}

/* What differs in a piece of memory: what packets wrote, and what engines did. */
struct piece {
    struct diff_memory engines, packets;
};

struct page {
    uint64_t address;
    const struct device_walk *walk; /* NULL: the run has no such page */
    const uint32_t *dw;
};

static enum diff_origin origin_of(const struct diff_recording *r, const struct page *page, unsigned dword,
                                  uint64_t *file_offset)
{
    *file_offset = DIFF_NO_OFFSET;
    return page->walk ? diff_recording_origin(r, page->walk->translation.physical + dword * 4u,
                                              page->dw[dword], file_offset)
                      : DIFF_NOT_WRITTEN;
}

static void compare_page(struct diff *d, struct piece *piece, const struct page *a, const struct page *b)
{
    d->result->compared_pages++;
    for (unsigned i = 0; memcmp(a->dw, b->dw, PAGE_BYTES) != 0 && i < PAGE_BYTES / 4; i++) {
        if (a->dw[i] == b->dw[i] || is_address(d, a->dw, b->dw, i))
            continue;
        uint64_t offset_a, offset_b;
        const enum diff_origin origin_a = origin_of(d->a, a, i, &offset_a),
                               origin_b = origin_of(d->b, b, i, &offset_b);
        const bool is_written = origin_a != DIFF_CHANGED && origin_b != DIFF_CHANGED &&
                                (origin_a == DIFF_WRITTEN || origin_b == DIFF_WRITTEN);
        struct diff_memory *const n = is_written ? &piece->packets : &piece->engines;
        if (!n->count_dw++)
            *n = (struct diff_memory){.address_a = a->address + i * 4u,
                                      .address_b = b->address + i * 4u,
                                      .count_dw = 1,
                                      .a = a->dw[i],
                                      .b = b->dw[i],
                                      .only_a = !b->walk,
                                      .only_b = !a->walk,
                                      .is_written = is_written,
                                      .file_offset_a = offset_a,
                                      .file_offset_b = offset_b};
    }
}

static uint64_t first_offset(const struct diff_memory *n)
{
    return !n->is_written                        ? DIFF_NO_OFFSET
           : n->file_offset_a < n->file_offset_b ? n->file_offset_a
                                                 : n->file_offset_b;
}

/* Lists are short: those that packets wrote come first. */
static void list_memory(struct diff_result *r, const struct diff_memory *n)
{
    unsigned i = r->memory_count < DIFF_LISTED ? (unsigned)r->memory_count : DIFF_LISTED;
    if (!n->count_dw)
        return;
    r->memory_count++;
    while (i && first_offset(&r->memory[i - 1]) > first_offset(n)) {
        if (i < DIFF_LISTED)
            r->memory[i] = r->memory[i - 1];
        i--;
    }
    if (i < DIFF_LISTED)
        r->memory[i] = *n;
}

static void end_piece(struct diff *d, int engine, struct piece *piece)
{
    piece->packets.engine = piece->engines.engine = engine < 0 ? NULL : d->a->sheet->engines[engine].name;
    list_memory(d->result, &piece->packets);
    list_memory(d->result, &piece->engines);
    *piece = (struct piece){0};
}

static uint64_t page_of(const struct device_walk *walk)
{
    return walk->translation.physical & ~(uint64_t)(PAGE_BYTES - 1u);
}

static bool is_compared_page(const struct address_map *pages, const struct device_walk *walk)
{
    return address_map_has(pages, 1, page_of(walk), page_of(walk));
}

static void note_compared(struct diff *d, const struct device_walk *a, const struct device_walk *b)
{
    if (a)
        address_map_match(&d->pages_a, 1, page_of(a), page_of(a));
    if (b)
        address_map_match(&d->pages_b, 1, page_of(b), page_of(b));
}

/* Pages from a pair on, as long as both runs have them and no other pair begins. A page is compared once,
 * however many addresses it has. */
static void compare_piece(struct diff *d, int engine, const struct address_pair *p)
{
    struct piece piece = {0};
    uint32_t x[PAGE_BYTES / 4], y[PAGE_BYTES / 4];
    struct device_walk walk_a, walk_b;
    uint64_t other;
    for (uint64_t at = 0; at / PAGE_BYTES < PIECE_PAGES && d->result->compared_pages < ALL_PAGES;
         at += PAGE_BYTES) {
        if ((at && address_map_find(&d->map, p->space, p->a + at, &other)) ||
            !read_page(d->a, engine, p->a + at, x) || !read_page(d->b, engine, p->b + at, y) ||
            !device_walk(d->a->device, engine, p->a + at, &walk_a) ||
            !device_walk(d->b->device, engine, p->b + at, &walk_b))
            break;
        if (is_compared_page(&d->pages_a, &walk_a) && is_compared_page(&d->pages_b, &walk_b))
            continue;
        note_compared(d, &walk_a, &walk_b);
        compare_page(d, &piece, &(struct page){p->a + at, &walk_a, x}, &(struct page){p->b + at, &walk_b, y});
    }
    end_piece(d, engine, &piece);
}

/* ---- Address spaces ---- */

/* The mapped pages of an address space, from `address` on. A table that was seen is not walked again: drivers
 * let empty entries point at the same tables. */
struct space_walk {
    struct diff_recording *recording;
    unsigned engine;
    uint64_t address;
    unsigned steps;
    struct address_map tables;
    struct device_walk page;
};

static const struct memory_info *memory_of(const struct space_walk *w)
{
    return &w->recording->sheet->memory;
}

/* Bytes of address space that an entry of a table covers. */
static uint64_t entry_bytes(const struct space_walk *w, unsigned level)
{
    return (uint64_t)PAGE_BYTES << (memory_of(w)->format->table_bits * level);
}

/* The bytes of a table that was seen elsewhere and begins here; 0: none does. */
static uint64_t seen_bytes(struct space_walk *w)
{
    for (unsigned i = 0; i < w->page.count; i++) {
        const struct walk_step *const s = &w->page.steps[i];
        uint64_t seen;
        const uint64_t bytes = entry_bytes(w, s->level + 1u);
        if (!s->table || w->address % bytes)
            continue;
        if (address_map_find(&w->tables, s->level + 1u, s->table & ~(uint64_t)(PAGE_BYTES - 1u), &seen))
            return bytes;
        address_map_match(&w->tables, s->level + 1u, s->table & ~(uint64_t)(PAGE_BYTES - 1u),
                          s->table & ~(uint64_t)(PAGE_BYTES - 1u));
    }
    return 0;
}

/* Where a walk ended without a page: its entry has no others. Without a table it is a directory's entry. */
static uint64_t missing_bytes(const struct space_walk *w)
{
    const unsigned level = w->page.count                            ? w->page.steps[w->page.count - 1u].level
                           : memory_of(w)->format->ppgtt_levels > 2 ? 2
                                                                    : 1;
    return entry_bytes(w, level);
}

/* The GGTT serves the engine's PPGTT accesses. */
static bool is_ggtt_walk(const struct device_walk *page)
{
    return page->count == 1 && !page->steps[0].table && !page->steps[0].level;
}

/* False: there are no more. */
static bool next_page(struct space_walk *w)
{
    while (!(w->address >> memory_of(w)->address_bits) && w->steps++ < MOST_STEPS) {
        const bool found = device_walk(w->recording->device, (int)w->engine, w->address, &w->page);
        if (is_ggtt_walk(&w->page))
            return false;
        const uint64_t seen = seen_bytes(w), bytes = seen ? seen : missing_bytes(w);
        if (found && !seen)
            return true;
        w->address = (w->address | (bytes - 1u)) + 1u;
    }
    return false;
}

/* Pages that no command names, of the address spaces that an engine has at the end: at equal addresses. What
 * only B has is compared when the sides are swapped. */
static void compare_rest(struct diff *d, unsigned engine, bool of_b)
{
    static const uint32_t zeros[PAGE_BYTES / 4];
    struct space_walk w = {.recording = of_b ? d->b : d->a, .engine = engine};
    struct diff_recording *const other = of_b ? d->a : d->b;
    struct piece piece = {0};
    uint32_t x[PAGE_BYTES / 4], y[PAGE_BYTES / 4];
    uint64_t end = 0;
    for (; next_page(&w) && d->result->compared_pages < ALL_PAGES; w.address += PAGE_BYTES) {
        struct device_walk walk;
        const bool both = device_walk(other->device, (int)engine, w.address, &walk);
        if (is_compared_page(of_b ? &d->pages_b : &d->pages_a, &w.page) ||
            (both && is_compared_page(of_b ? &d->pages_a : &d->pages_b, &walk)) ||
            !read_page(w.recording, (int)engine, w.address, x) ||
            (both && !read_page(other, (int)engine, w.address, y)))
            continue;
        if (end != w.address)
            end_piece(d, (int)engine, &piece);
        end = w.address + PAGE_BYTES;
        const struct page mine = {w.address, &w.page, x},
                          theirs = {w.address, both ? &walk : NULL, both ? y : zeros};
        note_compared(d, of_b ? theirs.walk : mine.walk, of_b ? mine.walk : theirs.walk);
        compare_page(d, &piece, of_b ? &theirs : &mine, of_b ? &mine : &theirs);
    }
    end_piece(d, (int)engine, &piece);
    d->result->no_memory |= w.tables.no_memory;
    address_map_free(&w.tables);
}

static bool same_context(const struct diff *d, unsigned engine)
{
    return d->a->contexts[engine] && d->b->contexts[engine] && d->a->context[engine] == d->b->context[engine];
}

static int by_space_and_address(const void *a, const void *b)
{
    const struct address_pair *const x = a, *const y = b;
    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    return x->a < y->a ? -1 : x->a > y->a;
}

/* The pages that commands used, and what follows them: of the GGTT, and of the contexts that ran last. Then
 * the other pages of these contexts. */
static void compare_memory(struct diff *d)
{
    struct address_pair *const pairs = calloc(d->map.count + 1, sizeof *pairs);
    size_t count = 0;
    d->result->no_memory |= !pairs;
    for (size_t i = 0; pairs && i < d->map.room; i++)
        if (d->map.by_a[i].space)
            pairs[count++] = d->map.by_a[i];
    if (count)
        qsort(pairs, count, sizeof *pairs, by_space_and_address);
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = pairs[i].space - MAP_GGTT - 1u;
        const unsigned engine = number / DIFF_CONTEXTS;
        if (pairs[i].space == MAP_GGTT)
            compare_piece(d, -1, &pairs[i]);
        else if (engine < d->a->sheet->info.engine_count && number % DIFF_CONTEXTS == d->a->context[engine] &&
                 d->a->context[engine] == d->b->context[engine])
            compare_piece(d, (int)engine, &pairs[i]);
    }
    free(pairs);
    for (unsigned engine = 0; engine < d->a->sheet->info.engine_count && engine < DIFF_ENGINES; engine++)
        for (unsigned side = 0; same_context(d, engine) && side < 2; side++)
            compare_rest(d, engine, side);
}

/* ---- Surfaces ---- */

static uint8_t *read_surface(const struct diff_recording *r, const struct diff_drawn *b)
{
    const struct softgt_blit *const s = &b->blit;
    const struct picture picture = {.device = r->device,
                                    .engine = b->engine,
                                    .address = b->address,
                                    .width = (uint32_t)s->x2,
                                    .height = (uint32_t)s->y2,
                                    .pitch_bytes = s->pitch_bytes,
                                    .tiling = s->tiling,
                                    .format = picture_format_of_depth(s->depth)};
    uint64_t missing;
    return s->x2 > 0 && s->y2 > 0 && (uint64_t)s->x2 * (uint64_t)s->y2 <= MOST_PIXELS && picture.format
               ? picture_read(&picture, &missing)
               : NULL;
}

static void compare_pixels(struct diff_result *r, struct diff_surface *n, const uint8_t *x, const uint8_t *y)
{
    for (uint64_t i = 0; i < (uint64_t)n->width * n->height; i++) {
        if (memcmp(x + i * 4, y + i * 4, 4) == 0)
            continue;
        if (!n->pixels++) {
            n->x = (uint32_t)(i % n->width);
            n->y = (uint32_t)(i / n->width);
        }
    }
    if (n->pixels && r->surface_count++ < DIFF_LISTED)
        r->surfaces[r->surface_count - 1] = *n;
}

/* What blits drew on, in the order of the first blits. */
static void compare_surfaces(struct diff *d)
{
    for (unsigned i = 0; i < d->a->drawn_count && i < d->b->drawn_count; i++) {
        const struct diff_drawn *const a = &d->a->drawn[i], *const b = &d->b->drawn[i];
        if (a->blit.x2 != b->blit.x2 || a->blit.y2 != b->blit.y2)
            continue;
        uint8_t *const x = read_surface(d->a, a), *const y = read_surface(d->b, b);
        struct diff_surface n = {.engine = d->a->sheet->engines[a->engine].name,
                                 .address_a = a->address,
                                 .address_b = b->address,
                                 .width = (uint32_t)a->blit.x2,
                                 .height = (uint32_t)a->blit.y2};
        if (x && y) {
            d->result->compared_surfaces++;
            compare_pixels(d->result, &n, x, y);
        }
        free(x);
        free(y);
    }
}

void diff_compare(struct diff_recording *a, struct diff_recording *b, struct diff_result *result)
{
    struct diff d = {.a = a, .b = b, .result = result, .set = softgt_command_set(a->device)};
    *result = (struct diff_result){0};
    diff_recording_sort(a);
    diff_recording_sort(b);
    compare_commands(&d);
    compare_registers(&d);
    compare_memory(&d);
    compare_surfaces(&d);
    diff_find_uses(a, b, result);
    result->no_memory |= d.map.no_memory || d.pages_a.no_memory || d.pages_b.no_memory;
    address_map_free(&d.map);
    address_map_free(&d.pages_a);
    address_map_free(&d.pages_b);
}
