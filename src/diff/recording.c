#include "diff/recording.h"

#include "stream/names.h"

#include <stdlib.h>
#include <string.h>

static uint8_t engine_of(const struct diff_recording *r, const char *unit)
{
    const int found = sheet_engine_find(r->sheet, unit);
    const unsigned engine = found < 0 ? r->sheet->info.engine_count : (unsigned)found;
    return (uint8_t)(engine < DIFF_ENGINES - 1 ? engine : DIFF_ENGINES - 1);
}

static void record_context(struct diff_recording *r, const struct softgt_event *e)
{
    const uint8_t engine = engine_of(r, e->unit);
    uint8_t i = 0;
    if (e->kind != SOFTGT_EVENT_RESTORE)
        return;
    while (i < r->contexts[engine] && r->lrca[engine][i] != e->address)
        i++;
    if (i == DIFF_CONTEXTS) {
        i = DIFF_CONTEXTS - 1;
    } else if (i == r->contexts[engine]) {
        r->lrca[engine][i] = e->address;
        r->contexts[engine]++;
    }
    r->context[engine] = i;
}

static bool reserve(void **list, size_t count, size_t *capacity, size_t more, size_t bytes)
{
    enum { FIRST = 1024 };
    if (*capacity - count >= more)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : (size_t)FIRST;
    wanted = wanted < count + more ? count + more : wanted;
    void *const moved = realloc(*list, wanted * bytes);
    if (!moved)
        return false;
    *list = moved;
    *capacity = wanted;
    return true;
}

static void record_command(struct diff_recording *r, const struct softgt_event *e, uint64_t submission,
                           uint64_t file_offset)
{
    void *commands = r->commands, *dw = r->dw;
    if (e->is_late) {
        if (r->count && !r->is_cut)
            r->commands[r->count - 1].kind = (uint8_t)e->kind;
        return;
    }
    if (!e->length_dw || (e->length_dw == 1 && !e->dwords[0]))
        return;
    if (r->is_cut || r->count_dw + e->length_dw > r->most_dw) {
        r->is_cut = true;
        return;
    }
    r->no_memory |= !reserve(&commands, r->count, &r->capacity, 1, sizeof *r->commands);
    r->commands = commands;
    r->no_memory |= !reserve(&dw, r->count_dw, &r->capacity_dw, e->length_dw, sizeof *r->dw);
    r->dw = dw;
    if (r->no_memory) {
        r->is_cut = true;
        return;
    }
    const uint8_t engine = engine_of(r, e->unit);
    const bool draws = command_is_counted(e);
    r->draw_count += draws;
    r->commands[r->count++] = (struct diff_command){.submission = submission,
                                                    .file_offset = file_offset,
                                                    .address = e->address,
                                                    .draw = draws ? r->draw_count : 0,
                                                    .first_dw = r->count_dw,
                                                    .length_dw = e->length_dw,
                                                    .engine = engine,
                                                    .context = r->context[engine],
                                                    .kind = (uint8_t)e->kind,
                                                    .is_ggtt = e->is_ggtt};
    memcpy(r->dw + r->count_dw, e->dwords, e->length_dw * sizeof *r->dw);
    r->count_dw += e->length_dw;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void record_blit(struct diff_recording *r, const struct softgt_event *e)
{
    const uint8_t engine = engine_of(r, e->unit);
    unsigned i = 0;
    while (i < r->drawn_count && (r->drawn[i].address != e->address || r->drawn[i].engine != engine))
        i++;
    if (i == DIFF_DRAWN)
        return;
    if (i == r->drawn_count)
        r->drawn[r->drawn_count++] = (struct diff_drawn){engine, e->address, *e->blit};
    struct softgt_blit *const all = &r->drawn[i].blit;
    const int32_t x2 = larger(all->x2, e->blit->x2), y2 = larger(all->y2, e->blit->y2);
    *all = *e->blit;
    all->x2 = x2;
    all->y2 = y2;
}

/* The page's number as a page address; not 0. */
#define WRITTEN_PAGE(number)      (((uint64_t)(number) + 1u) * PAGE_BYTES)
#define WRITTEN_ADDRESS(physical) (((physical) & ~(uint64_t)(PAGE_BYTES - 1u)) | UINT64_C(1) << 62)

static struct diff_written *find_written(const struct diff_recording *r, uint64_t physical)
{
    uint64_t number;
    return address_map_find(&r->written_pages, 1, WRITTEN_ADDRESS(physical), &number)
               ? &r->written[number / PAGE_BYTES - 1u]
               : NULL;
}

static struct diff_written *add_written(struct diff_recording *r, uint64_t physical)
{
    void *written = r->written;
    r->no_memory |= !reserve(&written, r->written_count, &r->written_capacity, 1, sizeof *r->written);
    r->written = written;
    if (r->no_memory ||
        !address_map_match(&r->written_pages, 1, WRITTEN_ADDRESS(physical), WRITTEN_PAGE(r->written_count)))
        return NULL;
    struct diff_written *const page = &r->written[r->written_count++];
    memset(page, 0, sizeof *page);
    return page;
}

void diff_record_write(struct diff_recording *r, uint64_t physical, const void *data, uint32_t size_bytes,
                       uint64_t file_offset)
{
    const uint32_t first = (uint32_t)(physical % PAGE_BYTES);
    struct diff_written *page = find_written(r, physical);
    void *packets = r->packets;
    if (!size_bytes || !(page = page ? page : add_written(r, physical)))
        return;
    if (!r->packet_count || r->packets[r->packet_count - 1] != file_offset) {
        r->no_memory |= !reserve(&packets, r->packet_count, &r->packet_capacity, 1, sizeof *r->packets);
        r->packets = packets;
        if (r->no_memory)
            return;
        r->packets[r->packet_count++] = file_offset;
    }
    memcpy(page->data + first, data, size_bytes);
    for (uint32_t i = first / 4; i <= (first + size_bytes - 1u) / 4; i++)
        page->packet[i] = (uint32_t)r->packet_count;
}

enum diff_origin diff_recording_origin(const struct diff_recording *r, uint64_t physical, uint32_t value,
                                       uint64_t *file_offset)
{
    const struct diff_written *const page = find_written(r, physical);
    const uint32_t dword = (uint32_t)(physical % PAGE_BYTES) / 4;
    if (!page || !page->packet[dword])
        return DIFF_NOT_WRITTEN;
    *file_offset = r->packets[page->packet[dword] - 1u];
    return memcmp(page->data + dword * 4u, &value, sizeof value) == 0 ? DIFF_WRITTEN : DIFF_CHANGED;
}

void diff_record(struct diff_recording *r, const struct softgt_event *e, uint64_t submission,
                 uint64_t file_offset)
{
    switch (e->what) {
    case SOFTGT_TRACE_CONTEXTS:
        record_context(r, e);
        break;
    case SOFTGT_TRACE_COMMANDS:
        record_command(r, e, submission, file_offset);
        break;
    case SOFTGT_TRACE_BLITS:
        record_blit(r, e);
        break;
    default:
        break;
    }
}

static int in_order(const void *a, const void *b)
{
    const struct diff_command *const x = a, *const y = b;
    if (x->submission != y->submission)
        return x->submission < y->submission ? -1 : 1;
    if (x->engine != y->engine)
        return x->engine < y->engine ? -1 : 1;
    return x->first_dw < y->first_dw ? -1 : x->first_dw > y->first_dw;
}

void diff_recording_sort(struct diff_recording *r)
{
    if (r->count)
        qsort(r->commands, r->count, sizeof *r->commands, in_order);
}

void diff_recording_free(struct diff_recording *r)
{
    free(r->commands);
    free(r->dw);
    free(r->written);
    free(r->packets);
    address_map_free(&r->written_pages);
    r->commands = NULL;
    r->written = NULL;
    r->packets = NULL;
    r->dw = NULL;
}
