/* Drivers of functions, each with memory of its own: a device, the physical function's driver, and what
 * drivers of virtual ones do, for tests. After cmocka.h. */
#ifndef TESTS_FUNCTIONS_H
#define TESTS_FUNCTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "driver/pf.h"
#include "driver/guc.h"
#include "guc/functions.h"

#include "words.h"

enum { VFS = 3, MEMORY_BYTES = 1 << 20 };
/* Where a function's driver has what, in its memory; the GGTT shows that from the start of its share on. */
enum {
    H2G_DESCRIPTOR = 0x0,
    G2H_DESCRIPTOR = 0x800,
    H2G_BUFFER = 0x1000,
    H2G_BYTES = 0x1000,
    G2H_BUFFER = 0x2000,
    G2H_BYTES = 0x4000,
    EVENTS = 0x8000,
    CONFIG = 0x9000,
    CONTEXTS = 0x10000,
    CONTEXT_STEP = 0x8000,
    RING = 0x6000,
    RESULTS = 0x80000,
};
enum { TABLE = 8 << 20, CLASS_OF_COPY = 3 };

struct vf {
    struct softgt *device;
    unsigned number;
    uint8_t *memory;
    struct driver_pf *driver; /* of the physical one */
    uint64_t ggtt;
    unsigned messages;
    uint32_t head_dw, tail_dw, fence;
};

struct world {
    struct softgt *device;
    struct driver_pf pf;
    struct vf vfs[VFS + 1];
    unsigned complaints;
    char said[200];
};

static inline void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct vf *v = user;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return v->memory + address;
}

static inline void on_message(void *user, unsigned vector)
{
    (void)vector;
    ((struct vf *)user)->messages++;
}

static inline void on_report(void *user, const struct softgt_report *r)
{
    struct world *w = user;
    w->complaints++;
    snprintf(w->said, sizeof w->said, "%s: %s", r->unit, r->text);
    if (getenv("TALK"))
        fprintf(stderr, "%s\n", w->said);
}

static inline void on_event(void *user, const struct softgt_event *e)
{
    (void)user;
    fprintf(stderr, "%u %s %s %s %s\n", e->index, e->kind == SOFTGT_EVENT_TO_GUC ? "->" : "<-", e->name,
            e->text, e->by);
}

/* Functions that are apart are given their shares beside who drives the physical one. */
static inline struct world *world_make(const struct driver_vf_config *shares, bool apart)
{
    struct world *w = calloc(1, sizeof *w);
    struct softgt_function_ports ports[VFS];
    assert_non_null(w);
    for (unsigned n = 0; n <= VFS; n++) {
        w->vfs[n] = (struct vf){.number = n, .memory = calloc(1, MEMORY_BYTES)};
        assert_non_null(w->vfs[n].memory);
    }
    for (unsigned i = 0; i < VFS; i++)
        ports[i] = (struct softgt_function_ports){{.user = &w->vfs[i + 1], .map = map},
                                                  {.user = &w->vfs[i + 1], .msi = on_message}};
    const struct softgt_config config = {.device = "atsm",
                                         .memory = {.user = &w->vfs[0], .map = map},
                                         .interrupt = {.user = &w->vfs[0], .msi = on_message},
                                         .report = {w, on_report},
                                         .trace = {w, getenv("TALK") ? SOFTGT_TRACE_GUC : 0, on_event},
                                         .draws = true,
                                         .functions = VFS,
                                         .function_ports = ports,
                                         .functions_apart = apart};
    assert_int_equal(softgt_create(&config, &w->device), 0);
    const char *why = driver_pf_start(&w->pf, w->device, VFS, shares);
    if (why)
        fail_msg("%s (%s)", why, w->said);
    assert_int_equal(w->complaints, 0);
    for (unsigned n = 0; n <= VFS; n++)
        w->vfs[n].device = w->device;
    w->vfs[0].driver = &w->pf;
    return w;
}

static inline struct world *world_create(const struct driver_vf_config *shares)
{
    return world_make(shares, false);
}

static inline void world_destroy(struct world *w)
{
    softgt_destroy(w->device);
    for (unsigned n = 0; n <= VFS; n++)
        free(w->vfs[n].memory);
    free(w);
}

/* The engines, then the driver of the physical function, until nobody has anything to do. */
static inline void run(struct world *w)
{
    for (unsigned i = 0; i < 8; i++) {
        softgt_run(w->device, 1 << 16);
        while (driver_pf_serve(&w->pf))
            ;
    }
}

/* All parts of what is known of function 1, saved or restored: dwords, 0: it is refused. */
static inline uint32_t move_whole(struct guc *g, bool load, const struct vf_migration_buffer *memory)
{
    uint32_t part = 0, used_dw = 0;
    do
        if (guc_vf_save_restore(g, 1, load, memory, &part, &used_dw) != GUC_DONE)
            return 0;
    while (part);
    return used_dw;
}

static inline uint32_t get(const struct vf *v, uint32_t offset)
{
    return (uint32_t)softgt_function_bar_read(v->device, v->number, 0, offset, 4);
}

static inline void put(const struct vf *v, uint32_t offset, uint32_t value)
{
    softgt_function_bar_write(v->device, v->number, 0, offset, value, 4);
}

static inline uint32_t *at(const struct vf *v, uint32_t place)
{
    return (uint32_t *)(void *)(v->memory + place);
}

static inline uint32_t address(const struct vf *v, uint32_t place)
{
    return (uint32_t)v->ggtt + place;
}

static inline uint32_t mailbox(const struct vf *v, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3)
{
    put(v, 0x190244, d1);
    put(v, 0x190248, d2);
    put(v, 0x19024c, d3);
    put(v, 0x190240, d0);
    put(v, 0x1901f0, 0);
    return get(v, 0x190240);
}

static inline uint64_t ask_key(const struct vf *v, uint32_t key, uint32_t length_dw)
{
    assert_int_equal(mailbox(v, 0x5509, key, 0, 0), 0xf0000000 | length_dw);
    return get(v, 0x190244) | (length_dw > 1 ? (uint64_t)get(v, 0x190248) << 32 : 0);
}

static inline void configure(const struct vf *v, uint32_t key, uint32_t length, uint32_t value)
{
    assert_int_equal(mailbox(v, 0x508, key << 16 | length, value, 0), 0xf0000001);
}

/* Where it is told of messages, and its buffers, which are empty. */
static inline void open_buffers(struct vf *v)
{
    configure(v, 0x901, 2, address(v, EVENTS + 0x419));
    configure(v, 0x900, 2, address(v, EVENTS + 0x190));
    memset(v->memory, 0, H2G_BUFFER);
    v->head_dw = v->tail_dw = 0;
    configure(v, 0x902, 2, address(v, H2G_BUFFER));
    configure(v, 0x903, 2, address(v, H2G_DESCRIPTOR));
    configure(v, 0x904, 1, H2G_BYTES);
    configure(v, 0x905, 2, address(v, G2H_BUFFER));
    configure(v, 0x906, 2, address(v, G2H_DESCRIPTOR));
    configure(v, 0x907, 1, G2H_BYTES);
    assert_int_equal(mailbox(v, 0x4509, 1, 0, 0), 0xf0000000);
}

/* As the driver of Linux brings a virtual function up. */
static inline void bring_up(struct world *w, unsigned number)
{
    struct vf *v = &w->vfs[number];
    assert_int_equal(get(v, 0x1901f8), 1); /* VF_CAP */
    assert_int_equal(mailbox(v, 0x5507, 0, 0, 0), 0xf0000000);
    assert_int_equal(mailbox(v, 0x5500, 0x00010100, 0, 0), 0xf0000000);
    assert_int_equal(get(v, 0x190244), 0x00010100);
    v->ggtt = ask_key(v, 1, 2);
    assert_true(v->ggtt >= 4 << 20);
    assert_true(ask_key(v, 2, 2) >= MEMORY_BYTES);
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_function_bar_write(w->device, number, 0, TABLE + (v->ggtt / 4096 + page) * 8, page * 4096 | 1,
                                  8);
    /* Messages are enabled; interrupts are told in memory. */
    softgt_function_config_write(w->device, number, 4, 4, 2);
    softgt_function_config_write(w->device, number, 0xae, 1, 2);
    open_buffers(v);
}

/* The physical function's own driver, beside those that are apart: its memory, and the load of its firmware.
 */
enum { FIRMWARE = 0x40000 };
static inline struct vf *physical_begin(struct world *w)
{
    struct vf *pf = &w->vfs[0];
    pf->driver = NULL;
    pf->ggtt = 0x400000;
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_bar_write(w->device, 0, TABLE + (0x400 + page) * 8, page * 4096 | 1, 8);
    driver_firmware(at(pf, FIRMWARE));
    return pf;
}

static inline void physical_load(struct world *w)
{
    struct vf *pf = &w->vfs[0];
    memset(pf->memory, 0, H2G_BUFFER);
    pf->head_dw = pf->tail_dw = 0;
    driver_guc_load(w->device,
                    &(struct driver_boot){.firmware = address(pf, FIRMWARE), .bytes = DRIVER_FIRMWARE_BYTES});
    assert_false(driver_guc_ready(w->device));
    run(w);
    assert_true(driver_guc_ready(w->device));
    assert_true(driver_guc_enable_ct(
        w->device, &(struct driver_ctbs){address(pf, H2G_BUFFER), address(pf, H2G_DESCRIPTOR), H2G_BYTES,
                                         address(pf, G2H_BUFFER), address(pf, G2H_DESCRIPTOR), G2H_BYTES}));
}

/* Every function has its driver. */
static inline struct world *world_at_work(void)
{
    struct world *w = world_create(NULL);
    for (unsigned n = 1; n <= VFS; n++)
        bring_up(w, n);
    return w;
}

static inline uint32_t send(struct vf *v, uint32_t type, uint32_t action, const uint32_t *payload,
                            uint32_t length_dw)
{
    if (v->driver)
        return driver_pf_send(v->driver, action, payload, length_dw);
    const uint32_t fence = ++v->fence & 0x7fff,
                   head[2] = {fence << 16 | (length_dw + 1), type << 28 | action};
    for (uint32_t i = 0; i < length_dw + 2; i++) {
        at(v, H2G_BUFFER)[v->tail_dw] = i < 2 ? head[i] : payload[i - 2];
        v->tail_dw = (v->tail_dw + 1) % (H2G_BYTES / 4);
    }
    at(v, H2G_DESCRIPTOR)[1] = v->tail_dw;
    put(v, 0x1901f0, 0);
    return fence;
}

#define SEND(v, type, action, ...)                                                                           \
    send((v), (type), (action), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline uint32_t receive(struct vf *v, uint32_t dw[256])
{
    const uint32_t size_dw = G2H_BYTES / 4;
    memset(dw, 0, 256 * 4);
    if (at(v, G2H_DESCRIPTOR)[1] == v->head_dw)
        return 0;
    const uint32_t length_dw = at(v, G2H_BUFFER)[v->head_dw] & 0xff;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = at(v, G2H_BUFFER)[(v->head_dw + 1 + i) % size_dw];
    v->head_dw = (v->head_dw + 1 + length_dw) % size_dw;
    at(v, G2H_DESCRIPTOR)[0] = v->head_dw;
    return length_dw;
}

static inline void expect(struct vf *v, const uint32_t *want, uint32_t length_dw)
{
    uint32_t dw[256];
    assert_int_equal(receive(v, dw), length_dw);
    assert_memory_equal(dw, want, length_dw * 4);
}

#define EXPECT(v, ...)                                                                                       \
    expect((v), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline void expect_nothing(struct vf *v)
{
    uint32_t dw[256];
    assert_int_equal(receive(v, dw), 0);
}

/* A context of an engine class, by its number among the function's; its ring is behind its image. */
struct job {
    struct vf *v;
    uint32_t id, lrca, ring, tail;
};

static inline const struct engine_info *engine_of(const struct world *w, uint32_t class)
{
    for (unsigned i = 0;; i++)
        if (w->device->guc.derived.class_of[i] == class)
            return &w->device->sheet->engines[i];
}

static inline struct job job_of(struct world *w, unsigned number, uint32_t id, uint32_t class, uint32_t lrca,
                                uint32_t ring, const struct driver_ppgtt *ppgtt)
{
    struct job j = {.v = &w->vfs[number], .id = id, .lrca = lrca, .ring = ring};
    const struct driver_context context = {
        .ring = {address(j.v, ring), 0x1000, 0, 0}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = ppgtt};
    memset(at(j.v, lrca), 0, ring - lrca + 0x1000);
    driver_image(engine_of(w, class), &context, at(j.v, lrca + DRIVER_IMAGE_OFFSET), 0x400);
    SEND(j.v, 2, 0x4502, 1, id, class, 1, 0, 0, 0, 0, 0, address(j.v, lrca) | 0x119, 0);
    SEND(j.v, 2, H2G("SCHED_CONTEXT_MODE_SET"), id, 1);
    return j;
}

/* Of the copy engine. */
static inline struct job job_make(struct world *w, unsigned number, uint32_t id)
{
    const uint32_t lrca = CONTEXTS + id * CONTEXT_STEP;
    return job_of(w, number, id, CLASS_OF_COPY, lrca, lrca + RING, NULL);
}

static inline void job_add(struct job *j, const uint32_t *dw, uint32_t length_dw)
{
    memcpy(at(j->v, j->ring + j->tail), dw, length_dw * 4);
    j->tail += length_dw * 4;
    at(j->v, j->lrca + DRIVER_IMAGE_OFFSET)[7] = j->tail;
    SEND(j->v, 2, 0x1000, j->id);
}

/* MI_STORE_DATA_IMM into the GGTT. */
static inline void job_store(struct job *j, uint32_t to, uint32_t value)
{
    uint32_t dw[8];
    job_add(j, dw,
            assemble(j->v->device, 0, dw,
                     "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", to, value));
}
/* The value of a register, by MI_STORE_REGISTER_MEM. */
static inline void job_read(struct job *j, uint32_t offset, uint32_t to)
{
    uint32_t dw[8];
    job_add(j, dw,
            assemble(j->v->device, 0, dw,
                     "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u",
                     offset, to));
}

#endif
