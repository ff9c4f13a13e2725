#include "driver/pf.h"

#include "device/device.h"
#include "driver/guc.h"
#include "guc/functions.h"

#include <string.h>

#define MB UINT64_C(1048576)

/* Offsets in the PF driver's local memory. It maps them in the GGTT for itself and the GuCs. What is below
 * OWN_BYTES is there for each GuC; the offsets from DIRECTORY on are those with one. */
enum {
    FIRMWARE = 0x0,
    H2G_DESCRIPTOR = 0x8000,
    G2H_DESCRIPTOR = 0x8800,
    H2G_BUFFER = 0x9000,
    H2G_BYTES = 0x1000,
    G2H_BUFFER = 0xa000,
    G2H_BYTES = 0x8000,
    KEYS = 0x12000,
    OWN_BYTES = 0x20000,
    DIRECTORY = 0x20000,
    TABLES = 0x30000,
    TABLE_BYTES = 0x40000,             /* tables of each VF map all local addresses that a VF can have */
    NEXT_TABLE = 0x10000,              /* between the directory and the last tables */
    STATE_BYTES = DRIVER_SAVED_DW * 4, /* after the tables; in the GGTT after OWN_BYTES */
};
#define LEAST_LOCAL      (16 * MB)          /* minimum for the PF with isolated VFs */
#define OWN_GGTT         (UINT64_C(4) * MB) /* addresses below belong to the GuC */
#define SHARED_GGTT      (UINT64_C(64) * MB)
#define GGTT_END         UINT64_C(0xfee00000)
#define LOCAL_PAGE_BYTES (UINT64_C(2) * MB)

enum { FIRST_CONTEXT = 1024, END_CONTEXT = 65535, MOST_CONTEXTS = 4096, DOORBELLS = 256 };
enum { ENTRY_PRESENT = 1u << 0, ENTRY_LOCAL = 1u << 1, ENTRY_FUNCTION = 2 };
enum { REQUEST = 0, FAILURE = 6, SUCCESS = 7 };
enum {
    EVENT_RELAY = 0x5100,
    EVENT_RELAY_TO = 0x5102,
    EVENT_ADVERSE = 0x5104,
    EVENT_STATE = 0x5106,
    RELAY = 0x5101,
    SET_SHARE = 0x5503,
    CONTROL = 0x5506,
    SAVE = 0x550b,
    INVALIDATE_ALL = 0x7002
};

/* What the GuCs after the first have. */
static uint32_t more_gucs_bytes(const struct softgt *d)
{
    return (device_guc_count(d) - 1u) * OWN_BYTES;
}

/* Offset of the buffer for states that the GuC saves. */
static uint64_t state_at(const struct softgt *d)
{
    return more_gucs_bytes(d) + TABLES + softgt_function_count(d) * (uint64_t)TABLE_BYTES;
}

/* With isolated VFs the read works while the other driver lets the device sleep. */
static uint32_t pf_register_read(struct driver_pf *v, uint32_t offset)
{
    if (vfs_are_isolated(&v->device->isolation))
        return register_read(&v->device->mmio, offset, 0xf, &accessor_unit);
    return (uint32_t)softgt_bar_read(v->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static void pf_register_write(struct driver_pf *v, uint32_t offset, uint32_t value)
{
    softgt_bar_write(v->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t local_get(struct driver_pf *v, uint64_t at)
{
    uint32_t value = 0;
    softgt_local_read(v->device, v->own_local_start + at, &value, sizeof value);
    return value;
}

static void local_put(struct driver_pf *v, uint64_t at, uint32_t value)
{
    softgt_local_write(v->device, v->own_local_start + at, &value, sizeof value);
}

/* What each GuC has. */
static uint32_t of_guc(unsigned guc, uint32_t own)
{
    return guc * OWN_BYTES + own;
}

static uint32_t address_of(unsigned guc, uint32_t own)
{
    return (uint32_t)OWN_GGTT + of_guc(guc, own);
}

/* The GGTT address of the buffer for states. */
static uint32_t state_address(const struct driver_pf *v)
{
    return (uint32_t)OWN_GGTT + OWN_BYTES + more_gucs_bytes(v->device);
}

static void pf_map(struct driver_pf *v, uint64_t address, uint64_t size_bytes, uint64_t entry, uint64_t step)
{
    for (uint64_t at = 0; at < size_bytes; at += PAGE_BYTES, entry += step)
        ggtt_table_write(&v->device->memory, (address + at) / PAGE_BYTES * 8u, entry, 8);
}

/* ---- The GuC ---- */

static bool boot(struct driver_pf *v, unsigned guc)
{
    enum { RUN_DW = 1 << 16 };
    uint32_t firmware[DRIVER_FIRMWARE_DW];
    driver_firmware(firmware);
    softgt_local_write(v->device, of_guc(guc, FIRMWARE), firmware, sizeof firmware);
    driver_guc_load(
        v->device,
        &(struct driver_boot){.firmware = address_of(guc, FIRMWARE), .bytes = sizeof firmware, .gt = guc});
    softgt_run(v->device, RUN_DW);
    return driver_gt_guc_ready(v->device, guc);
}

static bool open_buffers(struct driver_pf *v, unsigned guc)
{
    for (unsigned i = 0; i < 4; i++) {
        local_put(v, of_guc(guc, H2G_DESCRIPTOR) + i * 4u, 0);
        local_put(v, of_guc(guc, G2H_DESCRIPTOR) + i * 4u, 0);
    }
    v->buffers[guc].head_dw = v->buffers[guc].tail_dw = 0;
    return driver_guc_enable_ct(v->device,
                                &(struct driver_ctbs){.h2g = address_of(guc, H2G_BUFFER),
                                                      .h2g_descriptor = address_of(guc, H2G_DESCRIPTOR),
                                                      .h2g_bytes = H2G_BYTES,
                                                      .g2h = address_of(guc, G2H_BUFFER),
                                                      .g2h_descriptor = address_of(guc, G2H_DESCRIPTOR),
                                                      .g2h_bytes = G2H_BYTES,
                                                      .gt = guc});
}

/* ---- Messages ---- */

uint32_t driver_pf_send_to(struct driver_pf *v, unsigned guc, uint32_t action, const uint32_t *payload,
                           uint32_t length_dw)
{
    const uint32_t fence = ++v->fence & 0x7fffu;
    const uint32_t head[2] = {fence << 16 | (length_dw + 1u), (uint32_t)REQUEST << 28 | action};
    uint32_t *const tail_dw = &v->buffers[guc].tail_dw;
    for (uint32_t i = 0; i < length_dw + 2u; i++) {
        local_put(v, of_guc(guc, H2G_BUFFER) + *tail_dw * 4u, i < 2 ? head[i] : payload[i - 2u]);
        *tail_dw = (*tail_dw + 1u) % (H2G_BYTES / 4u);
    }
    local_put(v, of_guc(guc, H2G_DESCRIPTOR) + 4, *tail_dw);
    pf_register_write(v, v->device->gucs[guc].info->host_interrupt, 0);
    return fence;
}

uint32_t driver_pf_send(struct driver_pf *v, uint32_t action, const uint32_t *payload, uint32_t length_dw)
{
    return driver_pf_send_to(v, 0, action, payload, length_dw);
}

static bool pf_request(struct driver_pf *v, unsigned guc, uint32_t action, const uint32_t *payload,
                       uint32_t length_dw, uint32_t *answer)
{
    enum { TURNS = 64, TURN_DW = 1 << 12 };
    const uint32_t fence = driver_pf_send_to(v, guc, action, payload, length_dw);
    for (unsigned i = 0; i < TURNS; i++) {
        softgt_run(v->device, TURN_DW);
        while (driver_pf_serve(v))
            ;
        if (v->reply_fence != fence)
            continue;
        *answer = v->reply & 0xfffffffu;
        return v->reply >> 28 == (8u | SUCCESS);
    }
    return false;
}

/* Registers that describe a GT to the driver of a VF, in order. (Linux, xe_gt_sriov_pf_service) */
enum { RUNTIME_REGISTERS = 16 /* at most */ };

static uint32_t runtime_register_count(const struct driver_pf *v, unsigned guc)
{
    uint32_t count = 0;
    while (count < RUNTIME_REGISTERS && v->device->gucs[guc].info->runtime_registers[count])
        count++;
    return count;
}

/* A register of the GT that the part does not have reads 0. */
static uint32_t runtime_register(struct driver_pf *v, unsigned guc, uint32_t offset)
{
    const uint32_t at = v->device->gts[guc].base + offset;
    return register_slot_at(&v->device->mmio, at)->row ? pf_register_read(v, at) : 0;
}

/* Answers a request of a VF's driver. `dw` is the message from its header on. Returns the length of the
 * answer. */
static uint32_t answer_relay(struct driver_pf *v, unsigned guc, const uint32_t *dw, uint32_t length_dw,
                             uint32_t *answer)
{
    enum { HANDSHAKE = 1, RUNTIME = 0x101, NOT_KNOWN = 38, WRONG = 22 };
    const uint32_t action = dw[0] & 0xffffu, limit = dw[0] >> 16 & 0xfffu,
                   all = runtime_register_count(v, guc),
                   *const list = v->device->gucs[guc].info->runtime_registers;
    answer[0] = (uint32_t)SUCCESS << 28;
    if (dw[0] >> 28 != REQUEST || length_dw < 2) {
        answer[0] = (uint32_t)FAILURE << 28 | WRONG;
        return 1;
    }
    if (action == HANDSHAKE) {
        answer[1] = 1u << 16;
        return 2;
    }
    if (action != RUNTIME || dw[1] > all) {
        answer[0] = (uint32_t)FAILURE << 28 | (action == RUNTIME ? WRONG : NOT_KNOWN);
        return 1;
    }
    const uint32_t left = all - dw[1], count = limit && limit < left ? limit : left;
    answer[0] |= count;
    answer[1] = left - count;
    for (uint32_t i = 0; i < count; i++) {
        answer[2 + i * 2] = v->device->gts[guc].base + list[dw[1] + i];
        answer[3 + i * 2] = runtime_register(v, guc, list[dw[1] + i]);
    }
    return 2 + count * 2;
}

static void clear_local(struct driver_pf *v, uint64_t start, uint64_t size_bytes)
{
    static const uint8_t zeros[1 << 16];
    if (v->clear && v->clear(v->user, start, size_bytes))
        return;
    for (uint64_t at = 0, now; at < size_bytes; at += now) {
        now = size_bytes - at < sizeof zeros ? size_bytes - at : sizeof zeros;
        softgt_local_write(v->device, start + at, zeros, now);
    }
}

/* Clears the resources of a VF: GGTT entries, local memory and its compression state. */
static void clean_vf(struct driver_pf *v, unsigned function)
{
    const struct driver_vf_config *s = &v->vf_configs[function - 1];
    pf_map(v, s->ggtt_start, s->ggtt_bytes, (uint64_t)function << ENTRY_FUNCTION | ENTRY_PRESENT, 0);
    clear_local(v, s->local_start, s->local_bytes);
    clear_local(v, local_ccs(&v->device->memory, s->local_start),
                s->local_bytes / ccs_ratio(&v->device->memory));
}

/* Controls an isolated VF, as its owner. */
static bool control_isolated(struct driver_pf *v, unsigned guc, uint32_t function, uint32_t command)
{
    struct guc *const g = &v->device->gucs[guc];
    const enum guc_error error = guc_vf_control(g, function, (enum vf_control_command)command);
    guc_finish_vf_pauses(g);
    return error == GUC_DONE;
}

/* Sends a VF control command without waiting for the response. */
static void handle_vf_event(struct driver_pf *v, unsigned guc, uint32_t function, uint32_t command)
{
    if (vfs_are_isolated(&v->device->isolation))
        control_isolated(v, guc, function, command);
    else
        driver_pf_send_to(v, guc, CONTROL, (const uint32_t[]){function, command}, 2);
}

/* A VF's reset: each GuC cleans up; after the last one its resources are cleared, and it runs again. */
static void serve_reset(struct driver_pf *v, unsigned guc, uint32_t function, bool done)
{
    enum { RESET_START = 4, RESET_END = 5 };
    uint8_t *const clean = &v->clean_gucs[function - 1];
    const unsigned gucs = device_guc_count(v->device);
    *clean = (uint8_t)((*clean & ~(1u << guc)) | (unsigned)done << guc);
    if (!done)
        handle_vf_event(v, guc, function, RESET_START);
    if (*clean != (1u << gucs) - 1u)
        return;
    *clean = 0;
    clean_vf(v, function);
    for (unsigned i = 0; i < gucs; i++)
        handle_vf_event(v, i, function, RESET_END);
}

static void serve_event(struct driver_pf *v, unsigned guc, uint32_t action, const uint32_t *dw,
                        uint32_t length_dw)
{
    enum { RESETS = 1, RESET_DONE = 2 };
    if (action == EVENT_RELAY && length_dw >= 3) {
        uint32_t answer[2 + 2 + RUNTIME_REGISTERS * 2] = {dw[0], dw[1]};
        const uint32_t answer_dw = 2 + answer_relay(v, guc, dw + 2, length_dw - 2, answer + 2);
        if (vfs_are_isolated(&v->device->isolation))
            guc_send_event(&v->device->gucs[guc], answer[0], EVENT_RELAY_TO, answer + 1, answer_dw - 1u);
        else
            driver_pf_send_to(v, guc, RELAY, answer, answer_dw);
    } else if (action == EVENT_ADVERSE) {
        v->adverse++;
    } else if (action == EVENT_STATE && length_dw >= 2 && dw[0] >= 1 && dw[0] <= v->count) {
        if (dw[1] == RESETS || dw[1] == RESET_DONE)
            serve_reset(v, guc, dw[0], dw[1] == RESET_DONE);
    }
}

static bool serve_owner_event(struct driver_pf *v, unsigned guc)
{
    uint32_t dw[GUC_MESSAGE_DW], action;
    const uint32_t length_dw = guc_pop_pf_relay(&v->device->gucs[guc], &action, dw);
    if (length_dw)
        serve_event(v, guc, action, dw, length_dw);
    return length_dw;
}

static bool serve_guc(struct driver_pf *v, unsigned guc)
{
    enum { MOST_DW = 256 };
    uint32_t dw[MOST_DW];
    if (vfs_are_isolated(&v->device->isolation))
        return serve_owner_event(v, guc);
    const uint32_t size_dw = G2H_BYTES / 4u;
    uint32_t *const head_dw = &v->buffers[guc].head_dw;
    if (local_get(v, of_guc(guc, G2H_DESCRIPTOR) + 4) == *head_dw)
        return false;
    const uint32_t header = local_get(v, of_guc(guc, G2H_BUFFER) + *head_dw * 4u), length_dw = header & 0xffu;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = local_get(v, of_guc(guc, G2H_BUFFER) + (*head_dw + 1u + i) % size_dw * 4u);
    *head_dw = (*head_dw + 1u + length_dw) % size_dw;
    local_put(v, of_guc(guc, G2H_DESCRIPTOR), *head_dw);
    const uint32_t type = length_dw ? dw[0] >> 28 & 7u : 0;
    if (type == SUCCESS || type == FAILURE) {
        v->refused += type == FAILURE;
        v->reply_fence = header >> 16;
        v->reply = dw[0];
    } else if (length_dw) {
        serve_event(v, guc, dw[0] & 0xffffu, dw + 1, length_dw - 1u);
    }
    return true;
}

bool driver_pf_serve(struct driver_pf *v)
{
    bool any = false;
    for (unsigned guc = 0; guc < device_guc_count(v->device); guc++)
        any = serve_guc(v, guc) || any;
    return any;
}

/* ---- Resources ---- */

static bool set_guc_keys(struct driver_pf *v, unsigned guc, unsigned function, const uint32_t *keys,
                         uint32_t length_dw, uint32_t count)
{
    uint32_t taken = 0;
    if (vfs_are_isolated(&v->device->isolation))
        return guc_vf_provision(&v->device->gucs[guc], function, keys, length_dw) == GUC_DONE;
    softgt_local_write(v->device, of_guc(guc, KEYS), keys, length_dw * 4u);
    return pf_request(v, guc, SET_SHARE, (const uint32_t[]){function, address_of(guc, KEYS), 0, length_dw}, 4,
                      &taken) &&
           taken == count;
}

/* Tells all GuCs. */
static bool set_keys(struct driver_pf *v, unsigned function, const uint32_t *keys, uint32_t length_dw,
                     uint32_t count)
{
    bool good = true;
    for (unsigned guc = 0; guc < device_guc_count(v->device); guc++)
        good = set_guc_keys(v, guc, function, keys, length_dw, count) && good;
    return good;
}

#define KEY1(key, value) (uint32_t)(key) << 16 | 1u, (uint32_t)(value)
#define KEY2(key, value) (uint32_t)(key) << 16 | 2u, (uint32_t)(value), (uint32_t)((uint64_t)(value) >> 32)

static bool push_klv(struct driver_pf *v, unsigned function)
{
    const struct driver_vf_config *s = &v->vf_configs[function - 1];
    const uint32_t keys[] = {KEY2(0x0001, s->ggtt_start),         KEY2(0x0002, s->ggtt_bytes),
                             KEY1(0x8a0b, s->first_context),      KEY1(0x0004, s->context_count),
                             KEY1(0x8a0a, s->first_doorbell),     KEY1(0x0006, s->doorbell_count),
                             KEY2(0x0003, s->local_bytes),        KEY1(0x8a01, s->exec_quantum_ms),
                             KEY1(0x8a02, s->preempt_timeout_us), KEY1(0x8a0c, s->sched_priority)};
    return set_keys(v, function, keys, sizeof keys / 4, 10);
}

bool driver_vf_schedule(struct driver_pf *v, unsigned function, uint32_t quantum_ms, uint32_t preemption_us,
                        uint32_t priority)
{
    const uint32_t keys[] = {KEY1(0x8a01, quantum_ms), KEY1(0x8a02, preemption_us), KEY1(0x8a0c, priority)};
    if (function < 1 || function > v->count || !set_keys(v, function, keys, sizeof keys / 4, 3))
        return false;
    struct driver_vf_config *s = &v->vf_configs[function - 1];
    s->exec_quantum_ms = quantum_ms;
    s->preempt_timeout_us = preemption_us;
    s->sched_priority = priority;
    return true;
}

/* A resource that VFs get a part of: its members in driver_vf_config, and its limits. */
struct resource {
    size_t place, amount;
    uint64_t first, end, unit, most; /* most: the default maximum for a VF without a given amount */
    const char *missing;
};
enum { RESOURCES = 4 };

/* The end of the local memory that drivers use. */
static uint64_t local_end(const struct softgt *d)
{
    return local_layout(&d->memory).flat_ccs & ~(16 * MB - 1);
}

uint64_t driver_pf_memory(const struct softgt *device, uint64_t *size_bytes)
{
    const uint64_t used = state_at(device) + STATE_BYTES;
    *size_bytes = (used + LOCAL_PAGE_BYTES - 1u) / LOCAL_PAGE_BYTES * LOCAL_PAGE_BYTES;
    return vfs_are_isolated(&device->isolation) ? local_end(device) - *size_bytes : 0;
}

static void resources(struct driver_pf *v, struct resource r[RESOURCES])
{
    const bool isolated = vfs_are_isolated(&v->device->isolation);
    const uint64_t own_ggtt = v->device->isolation.pf_ggtt_bytes / 8u * PAGE_BYTES,
                   least_local = v->min_local_start ? v->min_local_start : LEAST_LOCAL;
    uint64_t own_bytes;
    driver_pf_memory(v->device, &own_bytes);
#define OF(amount) offsetof(struct driver_vf_config, amount)
    const struct resource all[RESOURCES] = {
        {OF(ggtt_start), OF(ggtt_bytes), isolated ? own_ggtt : SHARED_GGTT, GGTT_END, PAGE_BYTES, 256 * MB,
         "the GGTT is too small for the virtual functions, or an amount is not a multiple of 4 KB"},
        {OF(local_start), OF(local_bytes), isolated ? least_local : own_bytes,
         isolated ? v->own_local_start : local_end(v->device), LOCAL_PAGE_BYTES, UINT64_MAX,
         "local memory is too small for the virtual functions, or an amount is not a multiple of 2 MB"},
        {OF(first_context), OF(context_count), FIRST_CONTEXT, END_CONTEXT, 1, MOST_CONTEXTS,
         "the virtual functions need more contexts than the device has"},
        {OF(first_doorbell), OF(doorbell_count), DOORBELLS / 16, DOORBELLS, 1, UINT64_MAX,
         "the virtual functions need more doorbells than the device has"}};
#undef OF
    memcpy(r, all, sizeof all);
}

static uint64_t *amount_of(struct driver_vf_config *s, size_t at)
{
    return (uint64_t *)(void *)((uint8_t *)s + at);
}

/* Finds a free range: the lowest one for the PF driver, the highest one with isolated VFs. 0: none. */
static uint64_t find_gap(struct driver_pf *v, const struct driver_vf_config *own, const struct resource *r)
{
    const bool last = vfs_are_isolated(&v->device->isolation);
    const uint64_t amount = *amount_of((struct driver_vf_config *)own, r->amount);
    if (amount > r->end - r->first)
        return 0;
    uint64_t at = last ? r->end - amount : r->first;
    for (unsigned n = 0; n < v->count;) {
        struct driver_vf_config *const s = &v->vf_configs[n++];
        const uint64_t start = *amount_of(s, r->place), size = *amount_of(s, r->amount);
        if (s == own || !start || !size || at + amount <= start || start + size <= at)
            continue;
        if (last && start < r->first + amount)
            return 0;
        at = last ? start - amount : start + size;
        n = 0; /* the new range may overlap an earlier VF */
    }
    return at <= r->end - amount ? at : 0;
}

/* Completes amounts of 0 with an equal part of what the others leave. With isolated VFs the PF gets such a
 * part too, except of the GGTT, where it has its own. */
static void complete(struct driver_pf *v, const struct resource *r)
{
    uint64_t left = r->end - r->first, open_parts = vfs_are_isolated(&v->device->isolation) &&
                                                    r->place != offsetof(struct driver_vf_config, ggtt_start);
    for (struct driver_vf_config *s = v->vf_configs; s < v->vf_configs + v->count; s++) {
        const uint64_t amount = *amount_of(s, r->amount);
        open_parts += amount == 0;
        left -= amount < left ? amount : left;
    }
    for (struct driver_vf_config *s = v->vf_configs; s < v->vf_configs + v->count; s++) {
        uint64_t part = left / (open_parts ? open_parts : 1u);
        part = part < r->most ? part : r->most;
        if (!*amount_of(s, r->amount))
            *amount_of(s, r->amount) = part - part % (r->unit > 1 ? LOCAL_PAGE_BYTES : 1u);
    }
}

static const char *place_vf(struct driver_pf *v, struct driver_vf_config *s, const struct resource *r)
{
    const uint64_t amount = *amount_of(s, r->amount);
    if (!amount || amount % r->unit)
        return r->missing;
    *amount_of(s, r->place) = find_gap(v, s, r);
    return *amount_of(s, r->place) ? NULL : r->missing;
}

/* Local memory before all VFs belongs to the PF. With isolated VFs the limit stays once another driver knows
 * it. */
static void bound(struct driver_pf *v)
{
    uint64_t first = v->own_local_start;
    for (const struct driver_vf_config *s = v->vf_configs; s < v->vf_configs + v->count; s++)
        first = s->local_start < first ? s->local_start : first;
    if (vfs_are_isolated(&v->device->isolation) && !v->min_local_start)
        v->device->isolation.pf_local_bytes = first;
}

static const char *place_all(struct driver_pf *v)
{
    struct resource all[RESOURCES];
    resources(v, all);
    for (const struct resource *r = all; r < all + RESOURCES; r++) {
        complete(v, r);
        for (struct driver_vf_config *s = v->vf_configs; s < v->vf_configs + v->count; s++) {
            const char *why = place_vf(v, s, r);
            if (why)
                return why;
        }
    }
    bound(v);
    return NULL;
}

static void put_lmtt_entry(struct driver_pf *v, const struct lmtt_level *level, uint64_t table,
                           uint64_t index, uint64_t target)
{
    const uint64_t entry = target >> level->unit_shift << level->field | 1u;
    softgt_local_write(v->device, table + index * level->entry_bytes, &entry, level->entry_bytes);
}

static uint64_t directory_address(const struct driver_pf *v)
{
    return v->own_local_start + more_gucs_bytes(v->device) + DIRECTORY;
}

/* The last tables of a function follow each other, so they are one table of all its pages. */
static void fill_tables(struct driver_pf *v, unsigned function)
{
    const struct driver_vf_config *s = &v->vf_configs[function - 1];
    const struct lmtt_format *const f = v->device->memory.info->format->lmtt;
    const struct lmtt_level *const last = &f->levels[f->level_count - 1u];
    const uint64_t table =
        directory_address(v) + (TABLES - DIRECTORY) + (function - 1u) * (uint64_t)TABLE_BYTES;
    uint64_t pages = table;
    static uint32_t none[TABLE_BYTES / 4];
    softgt_local_write(v->device, table, none, sizeof none);
    for (const struct lmtt_level *level = f->levels + 1; level < last; level++) {
        pages += NEXT_TABLE;
        for (uint64_t at = 0; at < s->local_bytes; at += UINT64_C(1) << level->index_shift)
            put_lmtt_entry(v, level, table, at >> level->index_shift,
                           pages + (at >> last->index_shift) * last->entry_bytes);
    }
    for (uint64_t at = 0; at < s->local_bytes; at += LOCAL_PAGE_BYTES)
        put_lmtt_entry(v, last, pages, at / LOCAL_PAGE_BYTES, s->local_start + at);
    put_lmtt_entry(v, f->levels, directory_address(v), function, table);
    pf_map(v, s->ggtt_start, s->ggtt_bytes, (uint64_t)function << ENTRY_FUNCTION | ENTRY_PRESENT, 0);
}

/* Sets the local memory translation table, and invalidates its translations. (Linux, xe_lmtt) */
static void use_tables(struct driver_pf *v)
{
    const uint32_t value = 1u << 31 | (uint32_t)(directory_address(v) >> 16);
    uint32_t answer;
    if (vfs_are_isolated(&v->device->isolation)) {
        v->device->memory.lmtt = v->device->memory.gunit_lmtt = value;
        device_tables_changed(v->device);
        return;
    }
    for (unsigned i = 0; i < device_guc_count(v->device); i++) {
        pf_register_write(v, v->device->gts[i].base + v->device->memory.info->format->lmtt->config, value);
        pf_request(v, i, INVALIDATE_ALL, (const uint32_t[]){0}, 1, &answer);
    }
}

/* ---- Configuration space ---- */

static uint32_t capability(const struct softgt *d, uint32_t id)
{
    for (uint32_t at = 0x100, i = 0; at && i < 32; i++) {
        const uint32_t header = softgt_pci_config_read(d, at, 4);
        if ((header & 0xffffu) == id)
            return at;
        at = header >> 20;
    }
    return 0;
}

static bool enable(struct driver_pf *v)
{
    enum { SRIOV = 0x10, REBAR = 0x24, ENABLE = 1, MEMORY = 8 };
    const uint32_t at = capability(v->device, SRIOV), rebar = capability(v->device, REBAR);
    uint64_t most = 0;
    for (const struct driver_vf_config *s = v->vf_configs; s < v->vf_configs + v->count; s++)
        most = s->local_bytes > most ? s->local_bytes : most;
    if (vfs_are_isolated(&v->device->isolation)) {
        functions_enable_all(v->device, most);
        return true;
    }
    uint32_t size = 4;
    while (MB << size < most)
        size++;
    softgt_pci_config_write(v->device, rebar + 9, size, 1);
    softgt_pci_config_write(v->device, at + 0x10, v->count, 2);
    softgt_pci_config_write(v->device, at + 8, ENABLE | MEMORY, 2);
    return softgt_function_enabled(v->device, v->count);
}

/* Starts the GuCs as the PF's driver. */
static bool drive(struct driver_pf *v)
{
    const uint32_t own_bytes = OWN_BYTES + more_gucs_bytes(v->device);
    pf_map(v, OWN_GGTT, own_bytes, ENTRY_LOCAL | ENTRY_PRESENT, PAGE_BYTES);
    pf_map(v, OWN_GGTT + own_bytes, STATE_BYTES, state_at(v->device) | ENTRY_LOCAL | ENTRY_PRESENT,
           PAGE_BYTES);
    bool good = true;
    for (unsigned guc = 0; guc < device_guc_count(v->device); guc++)
        good = boot(v, guc) && open_buffers(v, guc) && good;
    return good;
}

/* Gives the PF the time slice of the first VF. Where that one has no limit, the PF gets the default. */
static bool set_time_slices(struct driver_pf *v)
{
    const struct driver_vf_config *s = v->vf_configs;
    const uint32_t keys[] = {
        KEY1(0x8a01, s->exec_quantum_ms ? s->exec_quantum_ms : DRIVER_EXEC_QUANTUM_MS),
        KEY1(0x8a02, s->preempt_timeout_us ? s->preempt_timeout_us : DRIVER_PREEMPT_TIMEOUT_US),
        KEY1(0x8a0c, s->sched_priority)};
    return set_keys(v, 0, keys, sizeof keys / 4, 3);
}

const char *driver_pf_start(struct driver_pf *v, struct softgt *device, unsigned count,
                            const struct driver_vf_config *shares)
{
    *v = (struct driver_pf){.device = device, .count = count};
    if (!count || count > softgt_function_count(device) || count > DRIVER_VFS)
        return "the device has fewer virtual functions";
    if (shares)
        memcpy(v->vf_configs, shares, count * sizeof *shares);
    uint64_t own_bytes;
    v->own_local_start = driver_pf_memory(device, &own_bytes);
    const char *why = place_all(v);
    if (why)
        return why;
    if (!vfs_are_isolated(&v->device->isolation) && !drive(v))
        return "the GuC does not boot";
    if (vfs_are_isolated(&v->device->isolation) && !set_time_slices(v))
        return "the GuC refuses the provisioning of a function";
    for (unsigned n = 1; n <= count; n++) {
        fill_tables(v, n);
        if (!push_klv(v, n))
            return "the GuC refuses the provisioning of a function";
    }
    use_tables(v);
    return enable(v) ? NULL : "the virtual functions cannot be enabled";
}
const char *driver_vf_provision(struct driver_pf *v, unsigned function, const struct driver_vf_config *wanted)
{
    struct resource all[RESOURCES];
    if (function < 1 || function > v->count)
        return "no such virtual function";
    struct driver_vf_config *const s = &v->vf_configs[function - 1], before = *s;
    *s = *wanted;
    resources(v, all);
    for (const struct resource *r = all; r < all + RESOURCES; r++) {
        const uint64_t was = *amount_of((struct driver_vf_config *)&before, r->amount);
        *amount_of(s, r->place) = *amount_of((struct driver_vf_config *)&before, r->place);
        const char *why = *amount_of(s, r->amount) == was ? NULL : place_vf(v, s, r);
        if (why) {
            *s = before;
            return why;
        }
    }
    /* Clear both the old and the new resources. */
    const struct driver_vf_config after = *s;
    *s = before;
    clean_vf(v, function);
    pf_map(v, before.ggtt_start, before.ggtt_bytes, 0, 0);
    *s = after;
    bound(v);
    clean_vf(v, function);
    fill_tables(v, function);
    use_tables(v);
    return push_klv(v, function) ? NULL : "the GuC refuses the provisioning of the function";
}

bool driver_vf_control(struct driver_pf *v, unsigned function, unsigned command)
{
    uint32_t answer;
    /* The last one first: it refuses to resume until all parts of a saved VF are loaded. */
    for (unsigned i = device_guc_count(v->device); i--;)
        if (vfs_are_isolated(&v->device->isolation)
                ? !control_isolated(v, i, function, command)
                : !pf_request(v, i, CONTROL, (const uint32_t[]){function, command}, 2, &answer))
            return false;
    return true;
}

uint32_t driver_vf_save(struct driver_pf *v, unsigned function, uint32_t *dw, uint32_t room_dw)
{
    const uint32_t room = room_dw < STATE_BYTES / 4u ? room_dw : STATE_BYTES / 4u;
    uint32_t all_dw = 0, used_dw = 0;
    for (unsigned i = 0; i < device_guc_count(v->device); i++, all_dw += used_dw) {
        const uint32_t request[] = {function, state_address(v) + all_dw * 4u, 0, room - all_dw};
        if (all_dw == room || !pf_request(v, i, SAVE, request, 4, &used_dw) || used_dw > room - all_dw)
            return 0;
    }
    softgt_local_read(v->device, state_at(v->device), dw, all_dw * 4u);
    return all_dw;
}

bool driver_vf_restore(struct driver_pf *v, unsigned function, const uint32_t *dw, uint32_t length_dw)
{
    enum { RESTORE = 1 << 16 };
    uint32_t all_dw = 0, used_dw = 0;
    if (length_dw > STATE_BYTES / 4u)
        return false;
    softgt_local_write(v->device, state_at(v->device), dw, length_dw * 4u);
    for (unsigned i = 0; i < device_guc_count(v->device); i++, all_dw += used_dw) {
        const uint32_t request[] = {function, state_address(v) + all_dw * 4u, 0, length_dw - all_dw};
        if (all_dw <= length_dw && pf_request(v, i, SAVE | RESTORE, request, 4, &used_dw))
            continue;
        /* A GuC that refuses since the VF is not paused has changed nothing. */
        if (i || (v->reply >> 28 == (8u | FAILURE) && (v->reply & 0xffffu) == GUC_ERROR_PARAMETERS))
            device_vf_drop_parts(v->device, function);
        return false;
    }
    return true;
}
