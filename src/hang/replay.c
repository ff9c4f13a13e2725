#include "hang/replay.h"

#include "device/host.h"
#include "driver/driver.h"
#include "hang/rows.h"
#include "host/sparse_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY_BYTES (UINT64_C(8) << 30)
#define DEFAULT_BUDGET_DW    (UINT64_C(16) << 20)
/* Bus memory: tables, a page for what the file does not have, our ring, buffers. */
enum {
    TABLES = 1 << 20,
    TABLES_BYTES = 64 << 20,
    MISSING = 80 << 20,
    OWN_RING = 81 << 20,
    BUFFERS = 96 << 20
};
enum { OWN_RING_BYTES = 4096, NS_PER_DWORD = 2 };
enum {
    MI_ARB_CHECK = 0x05u << 23,
    MI_BATCH_BUFFER_START = 0x31u << 23,
    IN_PPGTT = 1u << 8,
    RCU_MODE_ENABLE = 1u << 16 | 1u
};

struct hang_machine {
    const struct hang_options *options;
    struct hang_result *result;
    struct sparse_memory *memory;
    struct softgt_memory_port port; /* of that memory */
    struct softgt *device;
    unsigned engine; /* of the device */
    const struct engine_info *info;
    struct driver driver;
    struct driver_ppgtt ppgtt;
    bool missing_touched;
    uint64_t *physical; /* of each buffer; 0: left out */
    struct error_walk walk;
    struct driver_ring ring;
};

/* ---- Memory ---- */

static bool is_missing(uint64_t address)
{
    return address / PAGE_BYTES == MISSING / PAGE_BYTES;
}

static void *map_memory(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    const struct hang_machine *m = user;
    if (is_missing(address))
        return NULL;
    void *const host = m->port.map(m->port.user, address, length_bytes, write);
    const uint64_t page_bytes = PAGE_BYTES - address % PAGE_BYTES;
    if (host && *length_bytes > page_bytes && address < MISSING)
        *length_bytes = page_bytes;
    return host;
}

static bool read_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct hang_machine *m = user;
    if (!is_missing(address))
        return m->port.read(m->port.user, address, data, size_bytes);
    m->missing_touched = true;
    memset(data, 0, size_bytes);
    return true;
}

static bool write_memory(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    struct hang_machine *m = user;
    if (!is_missing(address))
        return m->port.write(m->port.user, address, data, size_bytes);
    m->missing_touched = true;
    return true;
}

static uint64_t first_page(const struct error_buffer *b)
{
    return b->address & ~(uint64_t)(PAGE_BYTES - 1);
}

static uint64_t page_bytes(const struct error_buffer *b)
{
    return (b->address + b->size_bytes - first_page(b) + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

/* The buffers of one space have pages of their own: later ones that share some are left out. */
static bool has_own_pages(const struct hang_machine *m, unsigned number)
{
    const struct error_state *const s = m->options->state;
    const struct error_buffer *const b = &s->buffers[number];
    for (unsigned i = 0; i < number; i++) {
        const struct error_buffer *const o = &s->buffers[i];
        if (m->physical[i] && o->space == b->space && first_page(b) < first_page(o) + page_bytes(o) &&
            first_page(o) < first_page(b) + page_bytes(b))
            return false;
    }
    return true;
}

static uint64_t ggtt_limit(const struct hang_machine *m)
{
    return m->options->sheet->info.ggtt_bytes / m->options->sheet->memory.format->ggtt_entry_bytes *
           PAGE_BYTES;
}

static bool has_place(const struct hang_machine *m, const struct error_buffer *b)
{
    const unsigned bits = m->options->sheet->memory.address_bits;
    const uint64_t limit = b->space == ERROR_GGTT ? ggtt_limit(m) : UINT64_C(1) << (bits < 48 ? bits : 48);
    return first_page(b) + page_bytes(b) <= limit && first_page(b) + page_bytes(b) > first_page(b);
}

static bool is_of_engine(const struct hang_machine *m, const struct error_buffer *b)
{
    return b->engine == ERROR_GLOBAL || b->engine == (int)m->options->engine;
}

static bool map_buffer(struct hang_machine *m, unsigned number, uint64_t *next)
{
    const struct error_buffer *const b = &m->options->state->buffers[number];
    if (!b->has_address || !b->bytes || !b->size_bytes || !is_of_engine(m, b))
        return true;
    if (!has_place(m, b) || !has_own_pages(m, number)) {
        m->result->left_out++;
        return true;
    }
    const uint64_t physical = *next;
    if (!sparse_memory_write(m->memory, physical + (b->address - first_page(b)), b->bytes, b->size_bytes))
        return false;
    m->physical[number] = physical;
    *next += page_bytes(b);
    if (b->space == ERROR_PPGTT)
        return driver_map(&m->driver, &m->ppgtt, first_page(b), physical, page_bytes(b), PAGE_BYTES);
    driver_map_ggtt(&m->driver, first_page(b), physical, page_bytes(b));
    return true;
}

/* Where the GGTT has room for our ring: behind the buffers that are there. */
static uint32_t free_ggtt(const struct hang_machine *m)
{
    const struct error_state *const s = m->options->state;
    uint64_t at = PAGE_BYTES;
    for (unsigned i = 0; i < s->buffer_count; i++) { /* each may move it on */
        for (unsigned k = 0; k < s->buffer_count; k++) {
            const struct error_buffer *const b = &s->buffers[k];
            if (m->physical[k] && b->space == ERROR_GGTT && at < first_page(b) + page_bytes(b) &&
                first_page(b) < at + OWN_RING_BYTES)
                at = first_page(b) + page_bytes(b);
        }
        if (at + OWN_RING_BYTES <= ggtt_limit(m) / 2)
            break;
    }
    return (uint32_t)at;
}

/* A ring of Gen6 and Gen7 loads PP_DIR_BASE: the directory must be where the file has it. */
static void move_directory(struct hang_machine *m)
{
    const struct page_table_format *const f = m->options->sheet->memory.format;
    const uint64_t table = m->options->sheet->info.mmio_bytes;
    uint64_t base;
    if (m->ppgtt.levels != 2 ||
        !error_register_value(&m->options->state->engines[m->options->engine], "PP_DIR_BASE", &base))
        return;
    const uint64_t root = (base >> 16 & 0xffff) * 64,
                   bytes = (uint64_t)f->directory_entries * f->ggtt_entry_bytes;
    if (root + bytes > m->options->sheet->info.ggtt_bytes)
        return;
    for (uint64_t i = 0; i < bytes; i += f->ggtt_entry_bytes)
        softgt_bar_write(m->device, SOFTGT_BAR_GTTMMADR, table + root + i,
                         softgt_bar_read(m->device, SOFTGT_BAR_GTTMMADR, table + m->ppgtt.root[0] + i,
                                         f->ggtt_entry_bytes),
                         f->ggtt_entry_bytes);
    m->ppgtt.root[0] = root;
}

/* All of the GGTT is mapped, as Linux maps it: where the file has nothing, to the missing page. */
static bool map_all(struct hang_machine *m)
{
    uint64_t next = BUFFERS;
    driver_init(&m->driver, m->device, &m->port, TABLES, TABLES_BYTES);
    for (uint64_t at = 0; at < ggtt_limit(m); at += PAGE_BYTES)
        driver_map_ggtt(&m->driver, at, MISSING, PAGE_BYTES);
    if (!driver_use_scratch(&m->driver, MISSING) || !driver_ppgtt_make(&m->driver, &m->ppgtt, 0))
        return false;
    move_directory(m);
    for (unsigned i = 0; i < m->options->state->buffer_count; i++)
        if (!map_buffer(m, i, &next))
            return false;
    return true;
}

/* ---- Start ---- */

static void put_register(struct hang_machine *m, uint32_t offset, uint32_t value)
{
    softgt_bar_write(m->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t get_register(struct hang_machine *m, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(m->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

/* Registers of a context that are not the replay's own: ring, page tables, execlists, batches. */
static bool is_restored(const char *name)
{
    static const char *const own[] = {"RING_",     "PDP",        "CTXT_SR_CTL",  "BB_",
                                      "SECOND_BB", "BB_PER_CTX", "INDIRECT_CTX", "GFX_MODE",
                                      "EXECLIST",  "CCID",       "PP_D"};
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strncmp(name, own[i], strlen(own[i])) == 0)
            return false;
    return true;
}

static void restore_register(struct hang_machine *m, uint32_t offset, uint32_t value)
{
    const struct register_slot *const s = register_slot_at(softgt_register_file(m->device), offset);
    if (s->row && s->unit == m->info->name && s->writable && is_restored(s->row->name))
        put_register(m, offset, value);
}

/* The registers that the lists of a context image hold, as far as its commands are known. (CSP-18) */
static void restore_context(struct hang_machine *m, const struct error_buffer *b, size_t at_dw)
{
    enum { LOAD_REGISTER_IMM = 0x22, RELATIVE = 1u << 19, OFFSET = 0x7ffffc };
    const uint32_t *const dw = (const uint32_t *)(const void *)b->bytes;
    const size_t end = b->size_bytes / 4u;
    while (at_dw < end) {
        const uint16_t number = command_find(m->walk.set, m->walk.class, dw[at_dw]);
        const size_t length = number ? command_length_dw(m->walk.set->rows[number], dw[at_dw]) : 0;
        if (!length || length > end - at_dw)
            return;
        for (size_t i = 1; dw[at_dw] >> 23 == LOAD_REGISTER_IMM && i + 1 < length; i += 2)
            restore_register(m, (dw[at_dw + i] & OFFSET) + (dw[at_dw] & RELATIVE ? m->info->mmio_base : 0),
                             dw[at_dw + i + 1]);
        at_dw += length;
    }
}

/* What the driver set in the engine, then what the context has. */
static void restore_registers(struct hang_machine *m)
{
    const struct error_state *const s = m->options->state;
    const struct error_engine *const e = &s->engines[m->options->engine];
    static const char *const settings[] = {"RC_PSMI_CONTROL", "CMD_CCTL", "INSTPM", "EMR", "HWSTAM", "IMR"};
    const struct register_slot *const compute =
        register_find(softgt_register_file(m->device), NULL, "RCU_MODE");
    uint64_t value;
    if (error_register_value(e, "HWS_PGA", &value))
        put_register(m, m->info->mmio_base + m->info->hws_pga, (uint32_t)value);
    if (compute)
        put_register(m, compute->offset, RCU_MODE_ENABLE);
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct register_slot *const slot =
            register_find(softgt_register_file(m->device), m->info->name, settings[i]);
        if (slot && error_register_value(e, settings[i], &value))
            put_register(m, slot->offset,
                         (uint32_t)value | (slot->kind == REG_MASKED ? UINT32_C(0xffff0000) : 0));
    }
    if (!m->info->contexts.execlists)
        return;
    for (unsigned i = 0; i < s->buffer_count; i++) {
        const struct error_buffer *const b = &s->buffers[i];
        if (b->engine == (int)m->options->engine && b->bytes && strcmp(b->name, "HW context") == 0)
            restore_context(m, b, PAGE_BYTES / 4);
        else if (b->engine == (int)m->options->engine && b->bytes && strcmp(b->name, "HWCTX") == 0)
            restore_context(m, b, 0);
    }
}

/* The address of the batch that a ring of our own starts; false: the file has none. */
static bool find_batch(const struct hang_machine *m, uint64_t *address)
{
    const struct error_state *const s = m->options->state;
    const struct error_buffer *const at = m->walk.at.is_known ? m->walk.at.stream.buffer : NULL;
    if (s->batch_count && error_buffer_at(s, (int)m->options->engine, ERROR_PPGTT, s->batch[0])) {
        *address = s->batch[0];
        return true;
    }
    for (unsigned i = 0; i < s->buffer_count; i++)
        if (m->physical[i] && strcmp(s->buffers[i].name, "batch") == 0 &&
            (!at || at == &s->buffers[i] || at->engine != s->buffers[i].engine ||
             strcmp(at->name, "batch") != 0)) {
            *address = s->buffers[i].address;
            return true;
        }
    if (at)
        *address = at->address;
    return at;
}

static bool use_own_ring(struct hang_machine *m)
{
    const uint16_t number = command_find(m->walk.set, m->walk.class, MI_BATCH_BUFFER_START);
    const struct command *const start = number ? m->walk.set->rows[number] : NULL;
    uint64_t batch;
    if (!start || !find_batch(m, &batch))
        return false;
    const uint32_t length_dw = start->min_dwords;
    const uint32_t dw[4] = {MI_BATCH_BUFFER_START | IN_PPGTT | (length_dw - 2u), (uint32_t)batch,
                            length_dw > 2 ? (uint32_t)(batch >> 32) : 0};
    m->ring = (struct driver_ring){free_ggtt(m), OWN_RING_BYTES, 0, sizeof dw};
    driver_map_ggtt(&m->driver, m->ring.start, OWN_RING, OWN_RING_BYTES);
    m->result->start = batch;
    return sparse_memory_write(m->memory, OWN_RING, dw, sizeof dw);
}

/* The ring of the file, where it leads to the command at ACTHD. */
static bool use_ring(struct hang_machine *m)
{
    const struct error_engine *const e = &m->options->state->engines[m->options->engine];
    uint64_t start, head, tail, ctl;
    if (!m->walk.ring_leads_there || !error_register_value(e, "RING_BUFFER_START", &start) ||
        !error_register_value(e, "RING_BUFFER_HEAD", &head) ||
        !error_register_value(e, "RING_BUFFER_TAIL", &tail) ||
        !error_register_value(e, "RING_BUFFER_CTL", &ctl))
        return false;
    m->ring = (struct driver_ring){(uint32_t)start, ((uint32_t)ctl & 0x1ff000u) + PAGE_BYTES,
                                   (e->request.is_known ? e->request.head : (uint32_t)head) & 0x1ffffcu,
                                   (uint32_t)tail & 0x1ffff8u};
    m->result->from_ring = true;
    m->result->start = m->ring.start + m->ring.head;
    return true;
}

static bool start(struct hang_machine *m)
{
    struct driver_writes directory = {0}, ring = {0};
    error_walk(&m->walk);
    if (!use_ring(m) && !use_own_ring(m)) {
        m->result->unusable = "the file has no ring and no batch of the engine";
        return false;
    }
    driver_set_directory(&directory, m->info, &m->ppgtt);
    driver_write(m->device, &directory);
    restore_registers(m);
    driver_set_ring(&ring, m->info, &m->ring);
    if (m->options->started)
        m->options->started(m->options->user, m->device);
    driver_write(m->device, &ring);
    return true;
}

/* ---- Run ---- */

/* The parser takes MI_NOOPs together. Behind the one where the engine stood, another command ends such a run;
 * it does not run itself. Returns where its bus address is; 0: there is none. */
static uint64_t end_noops(struct hang_machine *m)
{
    static const uint32_t other = MI_ARB_CHECK;
    const struct error_position *const at = &m->walk.at;
    const struct error_buffer *const b = at->is_known ? at->stream.buffer : NULL;
    const uint64_t offset = b ? at->address + 4 - b->address : 0;
    if (!b || at->dw[0] || offset + 4 > b->size_bytes || at->dw[1])
        return 0;
    const uint64_t physical = m->physical[b - m->options->state->buffers];
    const uint64_t address = physical + (b->address - first_page(b)) + offset;
    return physical && sparse_memory_write(m->memory, address, &other, sizeof other) ? address : 0;
}

static bool is_there(const struct hang_machine *m, const struct softgt_engine_status *s)
{
    const struct error_position *const at = &m->walk.at;
    if (at->is_known)
        return s->acthd >= at->address && s->acthd - at->address < at->length_dw * 4u &&
               s->header == at->dw[0];
    return m->walk.has_acthd && s->acthd == m->walk.acthd;
}

static enum hang_end run_to_acthd(struct hang_machine *m)
{
    const uint64_t budget = m->options->budget_dw ? m->options->budget_dw : DEFAULT_BUDGET_DW;
    struct softgt_engine_status s;
    while (softgt_engine_get_status(m->device, m->engine, &s)) {
        const uint64_t before = s.acthd, dwords = softgt_dword_count(m->device);
        const bool more = softgt_run(m->device, 1);
        softgt_engine_get_status(m->device, m->engine, &s);
        if (m->missing_touched && !m->result->used_missing) {
            m->result->used_missing = true;
            m->result->missing_acthd = s.acthd ? s.acthd : before;
        }
        if (!m->options->timing)
            softgt_advance(m->device, (softgt_dword_count(m->device) - dwords) * NS_PER_DWORD);
        m->result->done_dw = softgt_dword_count(m->device);
        if (is_there(m, &s))
            return HANG_REACHED;
        if (m->options->stop && *m->options->stop)
            return HANG_INTERRUPTED;
        if (m->result->done_dw >= budget)
            return HANG_BUDGET;
        if (!more && !device_wait_for_time(m->device))
            return s.state == SOFTGT_ENGINE_WAITING   ? HANG_WAITS
                   : s.state == SOFTGT_ENGINE_STOPPED ? HANG_STOPPED
                                                      : HANG_IDLE;
    }
    return HANG_IDLE;
}

static void run_machine(struct hang_machine *m)
{
    static const uint32_t noop;
    const uint64_t marker = end_noops(m);
    m->result->end = run_to_acthd(m);
    if (marker)
        sparse_memory_write(m->memory, marker, &noop, sizeof noop);
}

/* ---- Comparison ---- */

/* Registers that a replay cannot have as they were: its own, and those of time. */
static bool is_compared(const struct hang_machine *m, const struct error_register *g)
{
    const char *const name = error_row_name(g->name);
    if (strncmp(name, "RING_BUFFER_", 12) == 0)
        return m->result->from_ring;
    return strncmp(name, "BB_", 3) == 0 || (is_restored(name) && !strstr(name, "TIMESTAMP"));
}

static void compare_registers(struct hang_machine *m)
{
    const struct error_engine *const e = &m->options->state->engines[m->options->engine];
    struct hang_result *const r = m->result;
    for (unsigned i = 0; i < e->register_count; i++) {
        const struct error_register *const g = &e->registers[i];
        const struct register_slot *const slot =
            error_register_slot(softgt_register_file(m->device), m->info->name, g);
        if (!slot || slot->unit != m->info->name || !is_compared(m, g))
            continue;
        char upper[ERROR_NAME + 8];
        snprintf(upper, sizeof upper, "%s_UDW", slot->row->name);
        const struct register_slot *const high =
            register_find(softgt_register_file(m->device), m->info->name, upper);
        uint64_t here = get_register(m, slot->offset);
        if (high && g->value > UINT32_MAX)
            here |= (uint64_t)get_register(m, high->offset) << 32;
        r->compared++;
        if (here == g->value || r->difference_count == HANG_DIFFERENCES)
            continue;
        struct hang_difference *const d = &r->differences[r->difference_count++];
        *d = (struct hang_difference){.in_file = g->value, .here = here};
        memcpy(d->name, g->name, sizeof d->name);
    }
}

static void compare_buffer(struct hang_machine *m, unsigned number)
{
    const struct error_buffer *const b = &m->options->state->buffers[number];
    struct hang_result *const r = m->result;
    struct hang_change change = {.buffer = b};
    uint32_t dw[PAGE_BYTES / 4], wanted;
    for (size_t at = 0; at < b->size_bytes; at += sizeof dw) {
        const size_t part = b->size_bytes - at < sizeof dw ? b->size_bytes - at : sizeof dw;
        sparse_memory_read(m->memory, m->physical[number] + b->address - first_page(b) + at, dw, part);
        for (size_t i = 0; i < part / 4u; i++) {
            memcpy(&wanted, b->bytes + at + i * 4u, 4);
            if (dw[i] == wanted)
                continue;
            if (!change.count_dw++) {
                change.first_address = b->address + at + i * 4u;
                change.in_file = wanted;
                change.here = dw[i];
            }
        }
    }
    if (change.count_dw && r->change_count < HANG_DIFFERENCES)
        r->changes[r->change_count++] = change;
}

/* ---- All ---- */

static bool find_engine(struct hang_machine *m)
{
    const struct sheet *const sheet = m->options->sheet;
    const char *const name = m->options->state->engines[m->options->engine].name;
    const int engine = sheet_engine_find(sheet, name);
    m->engine = engine < 0 ? sheet->info.engine_count : (unsigned)engine;
    m->info = engine < 0 ? NULL : &sheet->engines[engine];
    return m->info;
}

static bool create(struct hang_machine *m)
{
    const struct hang_options *const o = m->options;
    const struct softgt_config config = {.memory = {m, map_memory, read_memory, write_memory},
                                         .report = o->report,
                                         .trace = o->trace,
                                         .parallel = o->parallel,
                                         .code = o->code,
                                         .timing = o->timing,
                                         .draws = o->draws};
    m->memory = sparse_memory_create(o->memory_limit_bytes ? o->memory_limit_bytes : DEFAULT_MEMORY_BYTES);
    m->physical = calloc(o->state->buffer_count + 1, sizeof *m->physical);
    if (!m->memory || !m->physical)
        return false;
    m->port = sparse_memory_port(m->memory);
    if (device_create(o->sheet, &config, &m->device) != 0)
        return false;
    m->walk = (struct error_walk){.state = o->state,
                                  .engine = (int)o->engine,
                                  .set = softgt_command_set(m->device),
                                  .class = m->info->class,
                                  .budget = DEFAULT_BUDGET_DW};
    return true;
}

/* Why the buffers could not be mapped; NULL: the host is out of memory. */
static const char *reason(const struct hang_machine *m)
{
    if (!m->memory || !m->device || sparse_memory_failed(m->memory))
        return NULL;
    if (sparse_memory_full(m->memory))
        return "the buffers take more memory than --memory allows";
    return m->driver.end - m->driver.next_page < PAGE_BYTES ? "the buffers need too many page tables" : NULL;
}

bool hang_replay(const struct hang_options *options, struct hang_result *result)
{
    struct hang_machine m = {.options = options, .result = result};
    *result = (struct hang_result){0};
    if (!find_engine(&m)) {
        result->unusable = "the device does not have the engine";
        return false;
    }
    bool good = create(&m) && map_all(&m);
    if (good && (good = start(&m))) {
        run_machine(&m);
        compare_registers(&m);
        for (unsigned i = 0; i < options->state->buffer_count; i++)
            if (m.physical[i])
                compare_buffer(&m, i);
        if (options->finished)
            options->finished(options->user, m.device);
    }
    if (!good && !result->unusable)
        result->unusable = reason(&m);
    softgt_destroy(m.device);
    if (m.memory)
        sparse_memory_destroy(m.memory);
    free(m.physical);
    return good;
}
