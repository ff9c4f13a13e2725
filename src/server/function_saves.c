#include "server/function_saves.h"

#include "device/host.h"
#include "server/device_saves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PART_BYTES = 4 << 20, PART_ENTRIES = 1 << 14, CONFIG_BYTES = 256, HEADER_BYTES = 4096, VERSION = 3 };
#define MAGIC "softgt function"

/* The file: this header, GGTT entries, the GuC's parts, pages of local memory, their compression state. Holes
 * are zeros. */
struct header {
    char magic[16], device[16];
    uint64_t version, ggtt_start, ggtt_bytes, local_bytes, contexts, doorbells;
    uint8_t config[CONFIG_BYTES];
};

static const uint8_t zeros[PAGE_BYTES];

static uint64_t entries_bytes(const struct driver_vf_config *s)
{
    return s->ggtt_bytes / PAGE_BYTES * 8u;
}

/* A part of the GuC's state, at its position. */
struct state_part {
    uint32_t length_dw, dw[GUC_PART_DW];
};

static uint64_t state_at(const struct driver_vf_config *s, uint64_t part)
{
    return HEADER_BYTES + whole_pages(entries_bytes(s)) + part * whole_pages(sizeof(struct state_part));
}

/* A part of the function's GGTT entries as the VF sees them: without owner and valid bit. */
static bool entries_part(struct vf_servers *f, unsigned n, int fd, uint64_t at, uint64_t first, bool restores)
{
    enum { PIECE = 4096 };
    const struct driver_vf_config *s = &f->driver.vf_configs[n - 1];
    const uint64_t table = softgt_info(f->device)->mmio_bytes + s->ggtt_start / PAGE_BYTES * 8u,
                   count = entries_bytes(s) / 8u,
                   end = count - first < PART_ENTRIES ? count : first + PART_ENTRIES;
    uint64_t piece[PIECE] = {0};
    for (uint64_t done = first; done < end; done += PIECE) {
        const uint64_t left = end - done, now = left < PIECE ? left : PIECE;
        if (restores && !file_transfer(fd, at + done * 8u, piece, now * 8u, true))
            return false;
        for (uint64_t i = 0; i < now; i++) {
            const uint64_t entry = table + (done + i) * 8u;
            if (restores)
                softgt_function_bar_write(f->device, n, SOFTGT_BAR_GTTMMADR, entry, piece[i], 8);
            else
                piece[i] = softgt_function_bar_read(f->device, n, SOFTGT_BAR_GTTMMADR, entry, 8);
        }
        if (!restores && !file_transfer(fd, at + done * 8u, piece, now * 8u, false))
            return false;
    }
    return true;
}

/* Local memory and its compression state. */
static uint64_t memory_bytes(const struct vf_servers *f, const struct driver_vf_config *s)
{
    return s->local_bytes + device_local_ccs(f->device, s->local_bytes) - device_local_ccs(f->device, 0);
}

static uint8_t *memory_page(const struct vf_servers *f, const struct driver_vf_config *s, uint64_t page)
{
    return (uint8_t *)f->servers[0].local +
           (page < s->local_bytes ? s->local_start + page
                                  : device_local_ccs(f->device, s->local_start) + page - s->local_bytes);
}

static bool local_part(struct vf_servers *f, unsigned n, int fd, uint64_t at, uint64_t first, bool restores)
{
    const struct driver_vf_config *s = &f->driver.vf_configs[n - 1];
    const uint64_t all = memory_bytes(f, s), end = all - first < PART_BYTES ? all : first + PART_BYTES;
    for (uint64_t page = first; page < end; page += PAGE_BYTES) {
        uint8_t data[PAGE_BYTES], *const memory = memory_page(f, s, page);
        const bool last = page + PAGE_BYTES == all; /* the last page gives the file its length */
        if (restores && !file_transfer(fd, at + page, data, PAGE_BYTES, true))
            return false;
        if (restores && memcmp(memory, data, PAGE_BYTES) != 0)
            memcpy(memory, data, PAGE_BYTES);
        if (!restores && (last || memcmp(memory, zeros, PAGE_BYTES) != 0) &&
            !file_transfer(fd, at + page, memory, PAGE_BYTES, false))
            return false;
    }
    return true;
}

static void fill_header(const struct vf_servers *f, unsigned n, struct header *h)
{
    const struct driver_vf_config *s = &f->driver.vf_configs[n - 1];
    *h = (struct header){.magic = MAGIC,
                         .version = VERSION,
                         .ggtt_start = s->ggtt_start,
                         .ggtt_bytes = s->ggtt_bytes,
                         .local_bytes = s->local_bytes,
                         .contexts = s->context_count,
                         .doorbells = s->doorbell_count};
    strncpy(h->device, f->options->device, sizeof h->device - 1);
    for (uint32_t i = 0; i < CONFIG_BYTES; i++)
        h->config[i] = (uint8_t)server_config_read(&f->servers[n], i, 1);
}

/* The file must be of the same device and provisioning. */
static const char *check_header(const struct header *own, const struct header *h)
{
    if (memcmp(h->magic, own->magic, sizeof h->magic) != 0 || h->version != VERSION)
        return "the file is not a saved function";
    return memcmp(h, own, offsetof(struct header, config)) == 0
               ? NULL
               : "the file is of another device or provisioning";
}

static const char *save_state(struct vf_servers *f, unsigned n, int fd, uint64_t at, uint32_t part,
                              struct state_part *p)
{
    if (!device_vf_save_part(f->device, n, part, p->dw, &p->length_dw))
        return "the GuC refuses: the restore is not complete";
    return file_transfer(fd, at, p, (1u + p->length_dw) * 4u, false) ? NULL : strerror(errno);
}

static const char *restore_state(struct vf_servers *f, unsigned n, int fd, uint64_t at, uint32_t part,
                                 struct state_part *p)
{
    if (!file_transfer(fd, at, &p->length_dw, 4, true))
        return strerror(errno);
    if (p->length_dw > GUC_PART_DW)
        return "the file is not a saved function";
    if (!file_transfer(fd, at + 4u, p->dw, p->length_dw * 4u, true))
        return strerror(errno);
    return device_vf_load_part(f->device, n, part, p->dw, p->length_dw)
               ? NULL
               : "the GuC refuses the state in the file";
}

/* Follows the entries, because doorbells in memory are found by them. */
static const char *state_part(struct vf_servers *f, unsigned n, int fd, uint32_t part, bool restores)
{
    const uint64_t at = state_at(&f->driver.vf_configs[n - 1], part);
    struct state_part *const p = malloc(sizeof *p);
    const char *const why = !p         ? strerror(ENOMEM)
                            : restores ? restore_state(f, n, fd, at, part, p)
                                       : save_state(f, n, fd, at, part, p);
    free(p);
    return why;
}

static void restore_config(struct vf_servers *f, unsigned n, const struct header *h)
{
    for (uint32_t i = 0; i < CONFIG_BYTES; i += 4)
        server_config_write(&f->servers[n], i,
                            h->config[i] | (uint32_t)h->config[i + 1] << 8 |
                                (uint32_t)h->config[i + 2] << 16 | (uint32_t)h->config[i + 3] << 24,
                            4);
}

const char *function_save_part(struct vf_servers *f, unsigned n, int fd, bool restores, uint64_t part,
                               uint64_t *parts)
{
    const struct driver_vf_config *s = &f->driver.vf_configs[n - 1];
    struct stat file;
    struct header own, h;
    /* Order: header, entries, the GuC's parts, local memory. */
    const uint64_t first_entries = 1,
                   first_state = first_entries + (entries_bytes(s) / 8u + PART_ENTRIES - 1u) / PART_ENTRIES,
                   states = device_vf_part_count(f->device, n), first_local = first_state + states;
    *parts = first_local + (memory_bytes(f, s) + PART_BYTES - 1u) / PART_BYTES;
    if (fd < 0 || fstat(fd, &file) < 0 || !S_ISREG(file.st_mode))
        return "the request needs a regular file";
    if (part >= *parts)
        return "the part does not exist";
    struct device_function_status status;
    device_function_status(f->device, n, &status);
    if (status.run_state != VF_PAUSED)
        return status.run_state == VF_PAUSING ? "the function is still pausing"
                                              : "the function is not paused";
    fill_header(f, n, &own);
    if (!part && !restores)
        return file_transfer(fd, 0, &own, sizeof own, false) ? NULL : strerror(errno);
    if (!file_transfer(fd, 0, &h, sizeof h, true))
        return part ? "the first part is missing" : "the file is not a saved function";
    const char *why = restores ? check_header(&own, &h) : NULL;
    if (why || !part)
        return why;
    bool good = true;
    if (part < first_state)
        good = entries_part(f, n, fd, HEADER_BYTES, (part - first_entries) * PART_ENTRIES, restores);
    else if (part < first_local)
        why = state_part(f, n, fd, (uint32_t)(part - first_state), restores);
    else
        good = local_part(f, n, fd, state_at(s, states), (part - first_local) * PART_BYTES, restores);
    if (good && !why && restores && part == first_local - 1u)
        restore_config(f, n, &h);
    return good ? why : strerror(errno);
}
