/* Drivers of functions, each with its own memory: a device, the driver of the physical function, and drivers
 * of virtual functions, for tests. After cmocka.h. */
#ifndef TESTS_FUNCTIONS_H
#define TESTS_FUNCTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "driver/pf.h"
#include "driver/guc.h"
#include "guc/functions.h"
#include "guc/registers.h"

#include "function_devices.h"
#include "function_memory.h"
#include "words.h"

enum { VFS = 3, MEMORY_BYTES = 1 * MB };
/* And after the buffers of function_memory.h: */
enum {
    CONFIG = 36 * KB,
    CONTEXTS = 64 * KB,
    CONTEXT_STEP = 32 * KB,
    RING = 24 * KB,
    RING_BYTES = 4 * KB,
    RESULTS = 512 * KB,
    MEDIA_BUFFERS = 960 * KB,
};
enum { TABLE = 8 * MB /* the GGTT's, in BAR 0 */, PF_GGTT = 4 * MB };
/* Classes of the GuC. */
enum { CLASS_OF_RENDER, CLASS_OF_VIDEO, CLASS_OF_ENHANCE, CLASS_OF_COPY, CLASS_OF_COMPUTE, CLASSES };
/* Numbers that are stored, that must not be stored, and that others must not read. */
enum { GOOD = 0x600d, BAD = 0xbad, PRIVATE = 0x5ec7e7 };
/* Of a context descriptor. (Linux, intel_lrc_reg.h) */
enum { CTX_VALID = 1 << 0, CTX_FORCE_RESTORE = 1 << 2, CTX_48_BIT = 3 << 3, CTX_PRIVILEGE = 1 << 8 };
enum { CTX_FLAGS = CTX_VALID | CTX_48_BIT | CTX_PRIVILEGE };
/* Dwords of the image. */
enum { IMAGE_DW = 1024, IMAGE_RING_HEAD = 5, IMAGE_RING_TAIL = 7, MI_NOOP = 0 };
/* Configuration space. */
enum {
    PCI_COMMAND = 4,
    PCI_BUS_MASTER = 4,
    PCI_DEVICE_CONTROL = 0x78,
    PCI_MSI_CONTROL = 174,
    PCI_SRIOV = 288
};
#define PCI_FLR (1u << 15)
/* Memory-based interrupts, from EVENTS on: 16 bytes of status a source, a byte a source, the enables. (Linux,
 * xe_memirq.c) */
enum { MEMIRQ_SOURCE = 1 * KB, MEMIRQ_ENABLE = 1 * KB + 64, MEMIRQ_RAISED = 0xff };
enum { INTERRUPT_MEDIA_GUC = 24, INTERRUPT_GUC };
/* Bits of GDRST. (Linux, GEN11_GRDOM_GUC) */
enum { GDRST_FULL = 1 << 0, GDRST_GUC = 1 << 3 };
/* The version of the interface with the GuC; requests of a VF to the PF, and the version there. (Linux,
 * guc_relay_actions_abi.h) */
#define VF_ABI_VERSION (1u << 16 | (is_xe2() ? 2u : 1u) << 8)
enum { RELAY_HANDSHAKE = 1, RELAY_RUNTIME = 257, RELAY_VERSION = 1 << 16 };
#define GUC_TYPE(type) ((uint32_t)(type) << 28)
#define RELAY_SUCCESS  GUC_TYPE(GUC_SUCCESS)
#define RELAY_FAILURE  GUC_TYPE(GUC_FAILURE)
/* Replies of the GuC; the value of a success: bits 27:0. */
#define SUCCESS          GUC_SUCCESS_OF(0)
#define FAILURE(name)    GUC_FAILURE_OF(GUC_ERROR_##name)
#define GUC_REPLY(reply) ((reply) & (GUC_TYPE(1) - 1))
/* A page of registers that rings a doorbell; what it reads. */
#define DOORBELL_PAGE(n) (GUC_DOORBELL_FIRST + (n)*PAGE_BYTES)
#define DOORBELL_READS   0xdeadbeefu
enum { DOORBELL_VALID = 1 << 0 };
/* Keys of a VF's share: VF_KEY("contexts"). */
#define VF_KEY(name) guc_key("VF2GUC_QUERY_SINGLE_KLV", (name))
/* What no key and no request to the PF is. */
enum { UNKNOWN_KEY = 1911, UNKNOWN_REQUEST = 2457 };
/* Keys of UPDATE_SCHEDULING_POLICIES_KLV, PF2GUC_UPDATE_VF_CFG and PF2GUC_UPDATE_VGT_POLICY that no row
 * names. (Linux, guc_klvs_abi.h) */
enum { KLV_RENDER_COMPUTE_YIELD = 0x1001 };
enum { KLV_EXEC_QUANTUM = 0x8a01, KLV_SCHED_IF_IDLE = 0x8001, KLV_RESET_AFTER_VF_SWITCH = 0x8d00 };

struct vf {
    struct softgt *device;
    unsigned number;
    uint8_t *memory;
    struct driver_pf *driver; /* of the physical one */
    uint64_t ggtt;
    unsigned messages;
    uint32_t head_dw, tail_dw, fence;
    unsigned gt;      /* whose GuC this driver talks to */
    uint32_t buffers; /* where the buffers for that GuC are in `memory` */
};

struct world {
    struct softgt *device;
    struct driver_pf pf;
    struct vf vfs[VFS + 1];
    struct vf media[VFS + 1]; /* the same drivers, with the GuC of the media GT */
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

/* `apart`: isolated VFs, which another driver than the PF's provisions. */
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
    const struct softgt_config config = {.device = function_device,
                                         .memory = {.user = &w->vfs[0], .map = map},
                                         .interrupt = {.user = &w->vfs[0], .msi = on_message},
                                         .report = {w, on_report},
                                         .trace = {w, getenv("TALK") ? SOFTGT_TRACE_GUC : 0, on_event},
                                         .draws = true,
                                         .functions = VFS,
                                         .function_ports = ports,
                                         .functions_isolated = apart};
    assert_int_equal(softgt_create(&config, &w->device), 0);
    const char *why = driver_pf_start(&w->pf, w->device, VFS, shares);
    if (why)
        fail_msg("%s (%s)", why, w->said);
    assert_int_equal(w->complaints, 0);
    for (unsigned n = 0; n <= VFS; n++)
        w->vfs[n].device = w->device;
    w->vfs[0].driver = &w->pf;
    for (unsigned n = 0; n <= VFS; n++) {
        w->media[n] = w->vfs[n];
        w->media[n].gt = 1;
        w->media[n].buffers = MEDIA_BUFFERS;
    }
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

/* The engines, then the driver of the physical function, until all are idle. */
static inline void run(struct world *w)
{
    for (unsigned i = 0; i < 8; i++) {
        softgt_run(w->device, 1 << 16);
        while (driver_pf_serve(&w->pf))
            ;
    }
}

/* Saves or restores all parts of function 1; returns its dwords, 0: refused. */
static inline uint32_t move_whole(struct guc *g, bool load, const struct vf_migration_buffer *memory)
{
    uint32_t part = 0, used_dw = 0;
    do
        if (guc_vf_save_restore(g, 1, load, memory, &part, &used_dw) != GUC_DONE)
            return 0;
    while (part);
    return used_dw;
}

/* Registers as a function sees them. */
static inline uint32_t get_at(const struct vf *v, uint32_t offset)
{
    return (uint32_t)softgt_function_bar_read(v->device, v->number, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static inline void put_at(const struct vf *v, uint32_t offset, uint32_t value)
{
    softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static inline uint32_t get(const struct vf *v, const char *name)
{
    return get_at(v, register_offset(v->device, name));
}

static inline void put(const struct vf *v, const char *name, uint32_t value)
{
    put_at(v, register_offset(v->device, name), value);
}

/* Registers as the PF sees them. */
static inline uint32_t host_get_at(const struct world *w, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(w->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static inline void host_put_at(const struct world *w, uint32_t offset, uint32_t value)
{
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static inline uint32_t host_get(const struct world *w, const char *name)
{
    return host_get_at(w, register_offset(w->device, name));
}

static inline void host_put(const struct world *w, const char *name, uint32_t value)
{
    host_put_at(w, register_offset(w->device, name), value);
}
static inline uint32_t offset_named(const struct world *w, const char *name)
{
    return register_offset(w->device, name);
}

/* What the media GT's registers are behind those of the same names, and the mailbox of its GuC; with one GT
 * they are that one's. (Linux, MEDIA_GT_GSI_OFFSET) */
static inline uint32_t media_gt(const struct world *w)
{
    return device_guc_count(w->device) > 1 ? 0x380000 : 0;
}

static inline uint32_t media_mailbox(const struct world *w)
{
    return media_gt(w) ? GUC_MEDIA_MAILBOX : GUC_MAILBOX;
}

/* A register of a VF, as the PF sees it. */
static inline uint32_t offset_of_vf(uint32_t offset, unsigned number)
{
    return offset + number * (uint32_t)GUC_FUNCTION_BYTES;
}
#define HOST_PUT(w, name, ...) host_put((w), (name), MASKED_BITS((w)->device, (name), __VA_ARGS__))

static inline void function_level_reset(const struct world *w, unsigned number)
{
    softgt_function_pci_config_write(w->device, number, PCI_DEVICE_CONTROL, PCI_FLR, 2);
}

static inline void enable_bus_master(const struct world *w, unsigned number)
{
    softgt_function_pci_config_write(w->device, number, PCI_COMMAND, PCI_BUS_MASTER, 2);
}

static inline void enable_msi(const struct world *w, unsigned number, bool enable)
{
    softgt_function_pci_config_write(w->device, number, PCI_MSI_CONTROL, enable, 2);
}

static inline uint32_t *at(const struct vf *v, uint32_t place)
{
    return (uint32_t *)(void *)(v->memory + place);
}

static inline uint32_t address(const struct vf *v, uint32_t place)
{
    return (uint32_t)v->ggtt + place;
}

/* Registers of its GuC. */
static inline uint32_t mailbox_of(const struct vf *v)
{
    return v->gt ? GUC_MEDIA_MAILBOX : GUC_MAILBOX;
}

static inline uint32_t interrupt_of(const struct vf *v)
{
    return v->gt ? GUC_MEDIA_HOST_INTERRUPT : GUC_HOST_INTERRUPT;
}

static inline uint32_t mailbox(const struct vf *v, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3)
{
    const uint32_t at = mailbox_of(v);
    put_at(v, at + 4, d1);
    put_at(v, at + 8, d2);
    put_at(v, at + 12, d3);
    put_at(v, at, d0);
    put_at(v, interrupt_of(v), 0);
    return get_at(v, at);
}

/* A value of its share by its key. */
static inline uint64_t ask_key(const struct vf *v, const char *key, uint32_t length_dw)
{
    assert_int_equal(mailbox(v, H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY(key), 0, 0),
                     GUC_SUCCESS_OF(length_dw));
    return get_at(v, mailbox_of(v) + 4) | (length_dw > 1 ? (uint64_t)get_at(v, mailbox_of(v) + 8) << 32 : 0);
}

static inline void configure(const struct vf *v, const char *key, uint32_t length, uint32_t value)
{
    assert_int_equal(mailbox(v, H2G("SELF_CFG"), GUC_KLV(guc_key("SELF_CFG", key), length), value, 0),
                     GUC_SUCCESS_OF(1));
}

/* Memory-based interrupts, and buffers, which are empty. */
static inline void open_buffers(struct vf *v)
{
    const uint32_t line = v->gt ? INTERRUPT_MEDIA_GUC : INTERRUPT_GUC;
    configure(v, "interrupt source", 2, address(v, EVENTS + MEMIRQ_SOURCE + line));
    configure(v, "interrupt events", 2, address(v, EVENTS + 16 * line));
    memset(v->memory + v->buffers, 0, H2G_BUFFER);
    v->head_dw = v->tail_dw = 0;
    configure(v, "H2G address", 2, address(v, v->buffers + H2G_BUFFER));
    configure(v, "H2G descriptor", 2, address(v, v->buffers + H2G_DESCRIPTOR));
    configure(v, "H2G size", 1, H2G_BYTES);
    configure(v, "G2H address", 2, address(v, v->buffers + G2H_BUFFER));
    configure(v, "G2H descriptor", 2, address(v, v->buffers + G2H_DESCRIPTOR));
    configure(v, "G2H size", 1, G2H_BYTES);
    assert_int_equal(mailbox(v, H2G("CONTROL_CTB"), 1, 0, 0), SUCCESS);
}

static inline void agree(const struct vf *v)
{
    assert_int_equal(mailbox(v, H2G("CLIENT_SOFT_RESET"), 0, 0, 0), SUCCESS);
    assert_int_equal(mailbox(v, H2G("VF2GUC_MATCH_VERSION"), VF_ABI_VERSION, 0, 0), SUCCESS);
    assert_int_equal(get_at(v, mailbox_of(v) + 4), VF_ABI_VERSION);
}

/* As the driver of Linux brings a virtual function up. */
static inline void bring_up(struct world *w, unsigned number)
{
    struct vf *v = &w->vfs[number], *const media = &w->media[number];
    assert_int_equal(get(v, "VF_CAP"), 1);
    agree(v);
    v->ggtt = ask_key(v, "GGTT start", 2);
    assert_true(v->ggtt >= PF_GGTT);
    assert_true(ask_key(v, "GGTT size", 2) >= MEMORY_BYTES);
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_function_bar_write(w->device, number, 0, TABLE + (v->ggtt / 4096 + page) * 8, page * 4096 | 1,
                                  8);
    enable_bus_master(w, number);
    enable_msi(w, number, true);
    open_buffers(v);
    media->ggtt = v->ggtt;
    if (device_guc_count(w->device) == 1)
        return;
    agree(media);
    assert_int_equal(ask_key(media, "GGTT start", 2), v->ggtt);
    open_buffers(media);
}

/* The physical function's own driver, where VFs are isolated: its memory, and the load of its firmware. */
enum { FIRMWARE = 256 * KB };
static inline struct vf *physical_begin(struct world *w)
{
    struct vf *pf = &w->vfs[0];
    pf->driver = NULL;
    pf->ggtt = PF_GGTT;
    for (uint32_t page = 0; page < MEMORY_BYTES / 4096; page++)
        softgt_bar_write(w->device, 0, TABLE + (PF_GGTT / 4096 + page) * 8, page * 4096 | 1, 8);
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
        return driver_pf_send_to(v->driver, v->gt, action, payload, length_dw);
    const uint32_t fence = ++v->fence & INT16_MAX,
                   head[2] = {fence << 16 | (length_dw + 1), type << 28 | action};
    for (uint32_t i = 0; i < length_dw + 2; i++) {
        at(v, v->buffers + H2G_BUFFER)[v->tail_dw] = i < 2 ? head[i] : payload[i - 2];
        v->tail_dw = (v->tail_dw + 1) % (H2G_BYTES / 4);
    }
    at(v, v->buffers + H2G_DESCRIPTOR)[1] = v->tail_dw;
    put_at(v, interrupt_of(v), 0);
    return fence;
}

#define SEND(v, type, action, ...)                                                                           \
    send((v), (type), H2G(action), (const uint32_t[]){__VA_ARGS__},                                          \
         sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline uint32_t receive(struct vf *v, uint32_t dw[256])
{
    const uint32_t size_dw = G2H_BYTES / 4;
    memset(dw, 0, 256 * 4);
    const uint32_t *const buffer = at(v, v->buffers + G2H_BUFFER);
    uint32_t *const descriptor = at(v, v->buffers + G2H_DESCRIPTOR);
    if (descriptor[1] == v->head_dw)
        return 0;
    const uint32_t length_dw = buffer[v->head_dw] & 0xff;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = buffer[(v->head_dw + 1 + i) % size_dw];
    v->head_dw = (v->head_dw + 1 + length_dw) % size_dw;
    descriptor[0] = v->head_dw;
    return length_dw;
}

static inline void expect(struct vf *v, const uint32_t *want, uint32_t length_dw)
{
    uint32_t dw[256];
    assert_int_equal(receive(v, dw), length_dw);
    assert_memory_equal(dw, want, length_dw * 4);
}

/* The next message is an event, with these dwords. */
#define EXPECT_EVENT(v, name, ...) EXPECT((v), GUC_EVENT_OF(name), __VA_ARGS__)
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
    unsigned engine; /* of its class: the commands are its */
};

static inline const struct engine_info *engine_of(const struct world *w, uint32_t class)
{
    for (const struct guc *g = w->device->gucs; g < w->device->gucs + device_guc_count(w->device); g++)
        for (unsigned i = 0; i < g->engine_count; i++)
            if (g->derived.class_of[i] == class)
                return g->engines[i].info;
    fail_msg("there is no engine of class %u", class);
    return NULL;
}

static inline const struct guc *guc_of_engine(const struct world *w, const struct engine_info *e)
{
    return &w->device->gucs[e >= w->device->sheet->engines + w->device->gts[0].engine_count];
}

/* The driver of a function, with the GuC that has the engine. */
static inline struct vf *driver_of_class(struct world *w, unsigned number, uint32_t class)
{
    const struct engine_info *const e = engine_of(w, class);
    struct vf *const first = &w->vfs[number], *const media = &w->media[number];
    if (guc_of_engine(w, e) == w->device->gucs)
        return first;
    media->ggtt = first->ggtt;
    media->driver = first->driver;
    return media;
}

/* An address space of the function by the fourth level of its tables, in its local memory. Where there are
 * five, `above` is the place of the fifth. */
static inline struct driver_ppgtt space_by(const struct vf *v, uint32_t fourth, uint32_t above)
{
    if (v->device->sheet->memory.format->ppgtt_levels == 4)
        return (struct driver_ppgtt){.levels = 4, .root = {fourth}};
    softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, above, fourth | 3, 8);
    return (struct driver_ppgtt){.levels = 5, .root = {above}};
}

static inline struct job job_on(struct world *w, unsigned number, uint32_t id, const struct engine_info *e,
                                uint32_t lrca, uint32_t ring, const struct driver_ppgtt *ppgtt)
{
    const struct guc *const g = guc_of_engine(w, e);
    const size_t i = (size_t)(e - g->engines[0].info);
    const uint32_t class = g->derived.class_of[i];
    struct job j = {.v = driver_of_class(w, number, class), .id = id, .lrca = lrca, .ring = ring};
    j.engine = (unsigned)(e - w->device->sheet->engines);
    const struct driver_context context = {
        .ring = {address(j.v, ring), RING_BYTES, 0, 0}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = ppgtt};
    memset(at(j.v, lrca), 0, ring - lrca + RING_BYTES);
    driver_image(e, &context, at(j.v, lrca + DRIVER_IMAGE_OFFSET), IMAGE_DW);
    SEND(j.v, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, id, class, 1u << g->derived.logical_of[i], 0, 0, 0, 0,
         0, address(j.v, lrca) | CTX_FLAGS, 0);
    SEND(j.v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", id, 1);
    return j;
}

/* On the first engine of a class. */
static inline struct job job_of(struct world *w, unsigned number, uint32_t id, uint32_t class, uint32_t lrca,
                                uint32_t ring, const struct driver_ppgtt *ppgtt)
{
    return job_on(w, number, id, engine_of(w, class), lrca, ring, ppgtt);
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
    at(j->v, j->lrca + DRIVER_IMAGE_OFFSET)[IMAGE_RING_TAIL] = j->tail;
    SEND(j->v, GUC_FAST_REQUEST, "SCHED_CONTEXT", j->id);
}

/* Commands into the ring, by assemble. */
__attribute__((format(printf, 2, 3))) static inline void job_do(struct job *j, const char *format, ...)
{
    uint32_t dw[256];
    va_list values;
    va_start(values, format);
    uint32_t length_dw = assemble_list(j->v->device, j->engine, dw, format, values);
    va_end(values);
    if (length_dw % 2) /* tails are of qwords */
        dw[length_dw++] = MI_NOOP;
    job_add(j, dw, length_dw);
}

/* Commands into the function's memory; returns their length in dwords. */
__attribute__((format(printf, 3, 4))) static inline uint32_t vf_commands_put(const struct vf *v,
                                                                             uint32_t place,
                                                                             const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const uint32_t length_dw = assemble_list(v->device, 0, at(v, place), format, values);
    va_end(values);
    return length_dw;
}

/* A store into the GGTT. */
static inline void job_store(struct job *j, uint32_t to, uint32_t value)
{
    job_do(j, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", to, value);
}

/* A store into the GGTT behind the tail, which goes into the image; no message says so. */
static inline void job_store_unannounced(const struct job *j, uint32_t tail, uint32_t to, uint32_t value)
{
    const uint32_t length_dw =
        vf_commands_put(j->v, j->ring + tail,
                        "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", to, value);
    at(j->v, j->lrca + DRIVER_IMAGE_OFFSET)[IMAGE_RING_TAIL] = tail + length_dw * 4;
}

/* A register's value into the GGTT. */
static inline void job_read(struct job *j, uint32_t offset, uint32_t to)
{
    job_do(j, "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u", offset, to);
}

static inline void job_write(struct job *j, uint32_t offset, uint32_t value)
{
    job_do(j, "MI_LOAD_REGISTER_IMM { %u, %u }", offset, value);
}

/* Waits until a dword of the GGTT has the value. */
#define WAIT_EQUAL                                                                                           \
    "MI_SEMAPHORE_WAIT memory_type = global_graphics_address, wait_mode = polling_mode, "                    \
    "compare_operation = SAD_EQUAL_SDD, semaphore_data_dword = %u, semaphore_address = %u"
static inline void job_wait(struct job *j, uint32_t address, uint32_t value)
{
    job_do(j, WAIT_EQUAL, value, address);
}

/* A batch in the GGTT, and one in the context's address space, which is not privileged. */
static inline void job_batch(struct job *j, uint32_t address)
{
    job_do(j, "MI_BATCH_BUFFER_START batch_buffer_start_address = %u", address);
}

static inline void job_user_batch(struct job *j, uint32_t address)
{
    job_do(j, "MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = %u",
           address);
}

/* Memory-based interrupts of a context: enables, status and sources, in EVENTS. The commands are in the part
 * of the image behind the registers. (Linux, set_memory_based_intr) */
static inline void job_enable_memirq(const struct job *j, uint32_t enables)
{
    enum { SOFTWARE_DW = 0x50, IMMEDIATE_DW = 5, FORCE_POSTED = 1 << 12 };
    const uint32_t events = address(j->v, EVENTS);
    uint32_t *const dw = at(j->v, j->lrca + DRIVER_IMAGE_OFFSET) + SOFTWARE_DW;
    assemble(j->v->device, j->engine, dw,
             "MI_LOAD_REGISTER_MEM use_global_gtt, add_cs_mmio_start_offset, register_address = %u, "
             "memory_address = %u\n"
             "MI_NOOP\n"
             "MI_LOAD_REGISTER_IMM add_cs_mmio_start_offset, { %u, %u }, { %u, %u }",
             RING_IMR, events + MEMIRQ_ENABLE, INT_STATUS_RPT_PTR, events, INT_SRC_RPT_PTR,
             events + MEMIRQ_SOURCE);
    dw[IMMEDIATE_DW] |= FORCE_POSTED;
    at(j->v, EVENTS + MEMIRQ_ENABLE)[0] = enables;
}

#endif
