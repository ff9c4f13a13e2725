/* Opens error states that are compressed as a whole: people attach them to reports so. */
#include "hang/state.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

struct packed {
    const void *data;
    size_t size;
};

static la_ssize_t read_packed(struct archive *a, void *user, const void **block)
{
    struct packed *const p = user;
    const size_t size = p->size;
    (void)a;
    *block = p->data;
    p->size = 0;
    return (la_ssize_t)size;
}

static bool open_packed(struct archive *a, struct packed *p)
{
    int (*const filters[])(struct archive *) = {
        archive_read_support_filter_gzip, archive_read_support_filter_xz, archive_read_support_filter_zstd,
        archive_read_support_filter_bzip2, archive_read_support_format_raw};
    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (filters[i](a) < ARCHIVE_WARN)
            return false;
    return archive_read_set_read_callback(a, read_packed) == ARCHIVE_OK &&
           archive_read_set_callback_data(a, p) == ARCHIVE_OK;
}

/* All data of the entry; what is before an error is kept, and *why set. NULL: out of memory. */
static char *read_all(struct archive *a, uint64_t limit_bytes, size_t *size, const char **why)
{
    enum { STEP = 1 << 16 };
    size_t capacity = STEP;
    char *text = malloc(capacity);
    *size = 0;
    while (text) {
        if (capacity - *size < STEP) {
            char *const more = realloc(text, capacity * 2);
            if (!more) {
                free(text);
                return NULL;
            }
            text = more;
            capacity *= 2;
        }
        const la_ssize_t got = archive_read_data(a, text + *size, STEP);
        if (got <= 0) {
            *why = got < 0 ? "the compressed file is damaged or cut" : *why;
            break;
        }
        *size += (size_t)got;
        if (*size > limit_bytes) {
            *why = "the file has more bytes than --memory allows";
            break;
        }
    }
    return text;
}

char *error_state_unpack(const void *data, size_t size_bytes, uint64_t limit_bytes, size_t *text_bytes,
                         const char **why)
{
    struct packed p = {data, size_bytes};
    char *text = NULL;
    *why = NULL;
    *text_bytes = 0;
    struct archive *const a = archive_read_new();
    struct archive_entry *const entry = a ? archive_entry_new() : NULL;
    if (entry && open_packed(a, &p)) {
        if (archive_read_open1(a) == ARCHIVE_OK && archive_read_next_header2(a, entry) >= ARCHIVE_WARN) {
            text = read_all(a, limit_bytes, text_bytes, why);
        } else {
            *why = "the file is empty, or its compression is damaged";
            text = calloc(1, 1);
        }
    }
    archive_entry_free(entry);
    archive_read_free(a);
    return text;
}
