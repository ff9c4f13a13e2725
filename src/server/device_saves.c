#include "server/device_saves.h"

#include "server/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16, STATE_MOST = 1 << 28, VERSION = 1, TMPFS = 0x01021994 };
#define MAGIC "softgt device"

/* The file: this header in a page, the state of softgt_save in whole pages, GGTT entries, local memory. Holes
 * are zeros. */
struct header {
    char magic[16], device[16];
    uint64_t version, state_bytes, ggtt_bytes, local_bytes;
};

bool file_transfer(int fd, uint64_t at, void *data, size_t size_bytes, bool reads)
{
    uint8_t *const bytes = data;
    if (lseek(fd, (off_t)at, SEEK_SET) != (off_t)at)
        return false;
    for (size_t done = 0; done < size_bytes;) {
        const ssize_t now =
            reads ? read(fd, bytes + done, size_bytes - done) : write(fd, bytes + done, size_bytes - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now == 0)
            errno = EIO; /* unexpected end of file */
        if (now <= 0)
            return false;
        done += (size_t)now;
    }
    return true;
}

static bool is_in_memory(int fd, uint64_t *bytes)
{
    struct statfs system;
    struct stat file;
    const bool is = fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type == TMPFS && fstat(fd, &file) == 0 &&
                    S_ISREG(file.st_mode);
    *bytes = is ? (uint64_t)file.st_size : 0;
    return is;
}

static struct header own_header(struct vfio_server *s)
{
    struct header h = {.magic = MAGIC,
                       .version = VERSION,
                       .state_bytes = softgt_save(s->device, NULL, 0),
                       .ggtt_bytes = softgt_info(s->device)->ggtt_bytes,
                       .local_bytes = s->local_bytes};
    strncpy(h.device, s->options->device, sizeof h.device - 1);
    return h;
}

static uint64_t ggtt_at(const struct header *h)
{
    return PAGE_BYTES + whole_pages(h->state_bytes);
}

static uint64_t local_at(const struct header *h)
{
    return ggtt_at(h) + h->ggtt_bytes;
}

/* The next range of a file from `at` on that has data; false: none before `end`. */
static bool next_data(int fd, uint64_t at, uint64_t end, uint64_t *first, uint64_t *after)
{
    const off_t data = lseek(fd, (off_t)at, SEEK_DATA);
    if (data < 0 || (uint64_t)data >= end)
        return false;
    const off_t hole = lseek(fd, data, SEEK_HOLE);
    *first = (uint64_t)data;
    *after = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
    return true;
}

/* ---- Save ---- */

/* Writes those pages that are not zero. */
static bool save_pages(int fd, uint64_t at, uint8_t *memory, uint64_t bytes)
{
    static const uint8_t zeros[PAGE_BYTES];
    for (uint64_t page = 0; page < bytes; page += PAGE_BYTES)
        if (memcmp(memory + page, zeros, PAGE_BYTES) != 0 &&
            !file_transfer(fd, at + page, memory + page, PAGE_BYTES, false))
            return false;
    return true;
}

/* Pages of local memory that nobody wrote to are not read: reading would allocate them. */
static bool save_memory(struct vfio_server *s, const struct header *h, int fd)
{
    uint64_t first, after;
    if (!save_pages(fd, ggtt_at(h), s->table, h->ggtt_bytes))
        return false;
    for (uint64_t at = 0; h->local_bytes && next_data(s->local_fd, at, h->local_bytes, &first, &after);
         at = after)
        if (!save_pages(fd, local_at(h) + first, (uint8_t *)s->local + first, after - first))
            return false;
    /* The last byte gives the file its length. */
    const uint64_t end = local_at(h) + h->local_bytes;
    uint8_t last =
        h->local_bytes ? ((uint8_t *)s->local)[h->local_bytes - 1] : ((uint8_t *)s->table)[h->ggtt_bytes - 1];
    return file_transfer(fd, end - 1, &last, 1, false);
}

const char *device_save(struct vfio_server *s, int fd, uint64_t *bytes)
{
    struct header h = own_header(s);
    if (!is_in_memory(fd, bytes))
        return "the request needs the descriptor of a file in memory (memfd_create)";
    if (*bytes)
        return "the file must be empty";
    uint8_t *const state = malloc(h.state_bytes);
    if (!state)
        return "out of memory";
    const bool good = softgt_save(s->device, state, h.state_bytes) == h.state_bytes &&
                      file_transfer(fd, 0, &h, sizeof h, false) &&
                      file_transfer(fd, PAGE_BYTES, state, h.state_bytes, false) && save_memory(s, &h, fd);
    const char *const why = good ? NULL : strerror(errno);
    free(state);
    *bytes = local_at(&h) + h.local_bytes;
    return why;
}

/* ---- Load ---- */

static bool load_pages(int fd, uint64_t at, uint8_t *memory, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes; done += PIECE_BYTES) {
        const uint64_t left = bytes - done;
        if (!file_transfer(fd, at + done, memory + done, left < PIECE_BYTES ? left : PIECE_BYTES, true))
            return false;
    }
    return true;
}

static bool load_memory(struct vfio_server *s, const struct header *h, int fd)
{
    const uint64_t begin = local_at(h), end = begin + h->local_bytes;
    uint64_t first, after;
    if (!load_pages(fd, ggtt_at(h), s->table, h->ggtt_bytes))
        return false;
    if (h->local_bytes && madvise(s->local, h->local_bytes, MADV_REMOVE) != 0)
        return false;
    for (uint64_t at = begin; h->local_bytes && next_data(fd, at, end, &first, &after); at = after)
        if (!load_pages(fd, first, (uint8_t *)s->local + (first - begin), after - first))
            return false;
    return true;
}

static const char *check_header(const struct header *h, const struct header *own, uint64_t bytes)
{
    if (memcmp(h->magic, own->magic, sizeof h->magic) != 0)
        return "the file holds no state of a device";
    if (memcmp(h->device, own->device, sizeof h->device) != 0)
        return "it is the state of another device";
    if (h->local_bytes != own->local_bytes)
        return "its local memory is of another size (serve --local-memory)";
    if (h->version != own->version || h->ggtt_bytes != own->ggtt_bytes)
        return "the state is of another version of softgt";
    if (h->state_bytes > STATE_MOST || bytes != local_at(h) + h->local_bytes)
        return "the file is cut or has more than a state";
    return NULL;
}

static const char *why_not(int error)
{
    return error == ENODEV   ? "it is the state of another device"
           : error == ENOMEM ? "out of memory"
           : error           ? "the state is invalid, or of another version of softgt"
                             : NULL;
}

/* Loads twice: once to learn whether the state is valid, while the memory is still the old one. */
static const char *load(struct vfio_server *s, const struct header *h, int fd, const uint8_t *state)
{
    const char *why = why_not(-softgt_load(s->device, state, h->state_bytes));
    if (why)
        return why;
    softgt_memory_changed(s->device);
    if (!load_memory(s, h, fd))
        return strerror(errno);
    return why_not(-softgt_load(s->device, state, h->state_bytes));
}

const char *device_load(struct vfio_server *s, int fd, uint64_t *bytes)
{
    struct header h = {0}, own = own_header(s);
    if (s->recorder)
        return "a recording cannot be continued from another state";
    if (!is_in_memory(fd, bytes))
        return "the request needs the descriptor of a file in memory (memfd_create)";
    if (*bytes < PAGE_BYTES || !file_transfer(fd, 0, &h, sizeof h, true))
        return "the file holds no state of a device";
    const char *why = check_header(&h, &own, *bytes);
    if (why)
        return why;
    uint8_t *const state = malloc(h.state_bytes);
    if (!state)
        return "out of memory";
    why = file_transfer(fd, PAGE_BYTES, state, h.state_bytes, true) ? load(s, &h, fd, state)
                                                                    : "the file cannot be read";
    free(state);
    if (why)
        return why;
    /* Virtual time continues from that of the state. */
    s->clock.now_ns = softgt_now_ns(s->device);
    s->clock.epoch_ns = server_host_ns() - s->clock.now_ns;
    return NULL;
}
