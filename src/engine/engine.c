#include "engine/execution.h"

#include "stream/dump.h"

#include <stdlib.h>

void gen8_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    /* Ring fault register: the first fault stays until it is cleared. */
    enum {
        RING_FAULT = 0x4094,
        FAULT_TLB_DATA0 = 0x4b10,
        FAULT_TLB_DATA1 = 0x4b14,
        VALID = 1,
        GGTT = 1 << 11
    };
    if (register_at(e->mmio, RING_FAULT)->row && !(register_value(e->mmio, RING_FAULT) & VALID)) {
        register_set(e->mmio, RING_FAULT,
                     VALID | (level & 3u) << 1 | (space == SPACE_GGTT ? (uint32_t)GGTT : 0) |
                         (uint32_t)e->info->fault_id << 12);
        register_set(e->mmio, FAULT_TLB_DATA0, (uint32_t)(address >> 12));
        register_set(e->mmio, FAULT_TLB_DATA1,
                     (uint32_t)(address >> 44 & 0xfu) | (space == SPACE_GGTT ? 1u << 4 : 0));
    }
}

static void fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct engine *e = user;
    e->faults++;
    complain_of(e->witness, SOFTGT_MISTAKE_FAULT, e->info->name, e->command_address,
                "page fault: %s of %s address %#llx, no %s", write ? "write" : "read",
                space == SPACE_GGTT ? "GGTT" : "PPGTT", (unsigned long long)address,
                level == 0 ? "valid page" : "page directory entry");
    e->info->note_fault(e, space, address, level);
    /* Nothing repairs the page: the engine hangs where it is (CSP-23, REN-02). */
    if (e->state != SOFTGT_ENGINE_STOPPED)
        engine_stop(e, "page fault");
}

bool engine_create(struct engine *e, const struct engine_info *info, struct witness *witness,
                   struct register_file *mmio, struct interrupt *interrupt, struct memory *memory,
                   const struct command_set *set)
{
    memset(e, 0, sizeof *e);
    e->info = info;
    e->witness = witness;
    e->mmio = mmio;
    e->interrupt = interrupt;
    e->set = set;
    e->by_user = (struct accessor){.name = info->name, .client = e, .kind = BY_COMMAND};
    e->by_privileged = e->by_restore = e->by_user;
    e->by_privileged.privileged = e->by_restore.privileged = true;
    e->by_restore.kind = BY_RESTORE;
    e->arbitration = true;
    e->why = "";
    e->submission = &ring_submission;
    if (info->context)
        e->image = image_length(info->context);
    mmu_init(&e->mmu, memory, e, fault);
    uint32_t kept_dw = 0;
    e->kept_at = calloc(set->count, sizeof *e->kept_at);
    e->counts = calloc(set->count, sizeof *e->counts);
    e->scratch = calloc(SCRATCH_DW, sizeof *e->scratch);
    if (!e->kept_at || !e->counts || !e->scratch)
        return false;
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *c = set->rows[i];
        e->kept_at[i] = kept_dw;
        if (c->flags & COMMAND_KEPT && c->engines & 1u << info->class)
            kept_dw += c->length_bits ? (1u << c->length_bits) - 1u + c->length_bias : c->min_dwords;
    }
    e->kept_dw = kept_dw + 1u;
    e->kept = calloc(e->kept_dw, sizeof *e->kept);
    for (const struct register_block *const *b = info->blocks; *b; b++)
        if (!register_file_place(mmio, *b, info->mmio_base, e, info->name))
            return false;
    for (const struct engine_unit *u = info->units; u && u->block; u++)
        if (!register_file_place(mmio, u->block, u->base, e, info->name))
            return false;
    if (info->class != CLASS_RENDER) /* what only render batches may write, CSP-16 */
        for (uint32_t i = 1; i < mmio->slot_count; i++)
            if (mmio->slots[i].owner == e)
                mmio->slots[i].flags &= (uint8_t)~REG_RENDER_USER;
    execlists_reset(e);
    return e->kept != NULL;
}

void engine_destroy(struct engine *e)
{
    free(e->kept_at);
    free(e->kept);
    free(e->counts);
    free(e->scratch);
}

uint64_t engine_ticks(uint64_t ns, uint64_t hz)
{
    const uint64_t second = UINT64_C(1000000000);
    return ns / second * hz + ns % second * hz / second;
}

uint64_t engine_timestamp(const struct engine *e)
{
    return engine_ticks(e->witness->now_ns - e->witness->power_on_ns, e->info->timestamp_hz);
}

/* PR_CTR_CTL: bits 30:0 zero start it; bit 31 counts clocks, not timestamps. It counts while a context is
 * there. */
/* What the watchdog counts; 0: nothing. */
static uint64_t watchdog_hz(const struct engine *e)
{
    const struct engine_info *info = e->info;
    const uint32_t control = engine_register(e, PR_CTR_CTL);
    const bool stopped = info->counter_is_control ? control == UINT32_MAX : control & 0x7fffffffu;
    if (stopped || !(info->clock_watchdog || e->context_valid))
        return 0;
    return info->clock_watchdog || control >> 31 ? info->clock_hz : info->timestamp_hz;
}

void engine_advance(struct engine *e, uint64_t before_ns)
{
    const uint64_t hz = watchdog_hz(e);
    if (!hz)
        return;
    const uint32_t threshold = engine_register(e, PR_CTR_THRSH);
    const uint32_t counter = e->info->counter_is_control ? PR_CTR_CTL : PR_CTR;
    uint64_t count =
        engine_register(e, counter) + engine_ticks(e->witness->now_ns, hz) - engine_ticks(before_ns, hz);
    const bool expired = threshold && count >= threshold;
    if (expired)
        count %= threshold;
    engine_register_set(e, counter, (uint32_t)count);
    if (expired)
        engine_interrupt(e, INTERRUPT_WATCHDOG);
    if (expired && e->submission->watchdog)
        e->submission->watchdog(e);
}

uint64_t engine_next_event_ns(const struct engine *e)
{
    const uint64_t now_ns = e->witness->now_ns, hz = watchdog_hz(e);
    const uint32_t threshold = engine_register(e, PR_CTR_THRSH);
    uint64_t next_ns = UINT64_MAX;
    if (hz && threshold) {
        const uint32_t count = engine_register(e, e->info->counter_is_control ? PR_CTR_CTL : PR_CTR);
        const uint64_t left = threshold > count ? threshold - count : 1u;
        next_ns = now_ns + left * (UINT64_C(1000000000) / hz + 1u);
    }
    if (e->state != SOFTGT_ENGINE_WAITING)
        return next_ns;
    if (e->wait_until_ns > now_ns && e->wait_until_ns < next_ns)
        next_ns = e->wait_until_ns;
    return next_ns;
}

const char *const wait_comparisons[7] = {NULL, ">", ">=", "<", "<=", "==", "!="};

void engine_trace(const struct engine *e, enum softgt_event_kind kind, uint64_t address)
{
    static const char *const names[] = {
        [SOFTGT_EVENT_BATCH] = "batch",         [SOFTGT_EVENT_CHAIN] = "batch chain",
        [SOFTGT_EVENT_BATCH_END] = "batch end", [SOFTGT_EVENT_WAIT] = "wait",
        [SOFTGT_EVENT_WAIT_END] = "wait end",   [SOFTGT_EVENT_STOP] = "stop",
        [SOFTGT_EVENT_RESET] = "reset",
    };
    if (!tracing(e->witness, SOFTGT_TRACE_BATCHES))
        return;
    const bool waits = kind == SOFTGT_EVENT_WAIT;
    trace_event(e->witness,
                (struct softgt_event){.what = SOFTGT_TRACE_BATCHES,
                                      .kind = kind,
                                      .unit = e->info->name,
                                      .name = names[kind],
                                      .text = waits || kind == SOFTGT_EVENT_STOP ? e->why : NULL,
                                      .address = address,
                                      .value = waits ? e->found.value : 0,
                                      .old_value = waits ? e->found.wanted : 0,
                                      .comparison = waits ? wait_comparisons[e->found.comparison] : NULL});
}

void engine_interrupt(struct engine *e, uint32_t bits)
{
    e->interrupts++;
    if (tracing(e->witness, SOFTGT_TRACE_INTERRUPTS))
        trace_event(e->witness, (struct softgt_event){.what = SOFTGT_TRACE_INTERRUPTS,
                                                      .kind = SOFTGT_EVENT_RAISE,
                                                      .unit = e->info->name,
                                                      .name = "raise",
                                                      .value = bits});
    /* The engine's own mask sits at the place its bits have in the bank. */
    const uint32_t unmasked = bits & ~(engine_register(e, RING_IMR) >> e->info->interrupt.shift);
    if (unmasked)
        e->interrupt->info->raise(e->interrupt, e->info->interrupt, unmasked);
}

void engine_isr(struct engine *e, uint32_t bits, uint32_t value)
{
    const uint32_t old = e->isr;
    e->isr = (old & ~bits) | (value & bits);
    if (e->isr == old)
        return;
    if (e->interrupt->info->status)
        e->interrupt->info->status(e->interrupt, e->info->interrupt, e->isr);
    const uint32_t masked =
        engine_register(e, HWSTAM) | engine_register(e, RING_IMR) >> e->info->interrupt.shift;
    if ((e->isr ^ old) & e->info->isr_shown & ~masked)
        store32(e, SPACE_GGTT, hardware_status_page(e), e->isr & e->info->isr_shown);
}

void engine_stop(struct engine *e, const char *why)
{
    e->moved = true;
    e->state = SOFTGT_ENGINE_STOPPED;
    e->why = why;
    engine_trace(e, SOFTGT_EVENT_STOP, e->command_address);
    complain(e->witness, SOFTGT_GUEST_ERROR, e->info->name, e->command_address, "engine stopped: %s", why);
}

void engine_error(struct engine *e, uint32_t eir_bits)
{
    engine_register_set(e, ESR, engine_register(e, ESR) | eir_bits);
    const uint32_t reported = eir_bits & ~engine_register(e, EMR);
    if (!reported)
        return;
    engine_register_set(e, EIR, engine_register(e, EIR) | reported);
    engine_isr(e, INTERRUPT_MASTER_ERROR, INTERRUPT_MASTER_ERROR);
    engine_interrupt(e, INTERRUPT_MASTER_ERROR);
}

bool engine_execlists_enabled(const struct engine *e)
{
    return engine_register(e, GFX_MODE) & e->info->execlist_enable;
}

uint64_t status_page(const struct engine *e)
{
    return e->context_valid ? (e->current.low & ~0xfffu) + e->info->pphwsp_offset : hardware_status_page(e);
}

void engine_trace_store(struct engine *e, enum space space, uint64_t address, const void *data,
                        size_t size_bytes)
{
    uint64_t value = 0;
    memcpy(&value, data, size_bytes < 8 ? size_bytes : 8);
    trace_event(e->witness, (struct softgt_event){.what = SOFTGT_TRACE_MEMORY,
                                                  .unit = e->info->name,
                                                  .name = e->restoring ? "context" : "store",
                                                  .address = address,
                                                  .value = value,
                                                  .is_ggtt = space == SPACE_GGTT,
                                                  .size_bytes = (unsigned)size_bytes});
}

void store_slow(struct engine *e, enum space space, uint64_t address, const void *data, size_t size_bytes)
{
    if (!mmu_store(&e->mmu, space, address, data, size_bytes))
        return;
    e->stores++;
    e->bytes_stored += size_bytes;
    if (tracing(e->witness, SOFTGT_TRACE_MEMORY))
        engine_trace_store(e, space, address, data, size_bytes);
}

/* ---- Registers as commands reach them ---- */

/* A FORCE_TO_NONPRIV register: bits 25:2 hold an offset; from Gen11 on bits 1:0 make it a range of 1, 4, 16
 * or 64 registers, bits 29:28 the access (1: to read only, 3: none), and bit 30 denies what the fixed list
 * allows. */
struct nonpriv_range engine_nonpriv_range(const struct engine *e, uint32_t value)
{
    const uint32_t offset = value & 0x03fffffcu;
    if (!e->info->nonpriv_ranges)
        return (struct nonpriv_range){offset, offset + 4u, false};
    const uint32_t bytes = 4u << 2u * (value & 3u), first = offset & ~(bytes - 1u);
    const bool denied = value & 1u << 30;
    const bool writable = denied || !(value & 1u << 28);
    return (struct nonpriv_range){first, writable ? first + bytes : first, denied};
}

bool command_register_allowed(const struct execution *x, uint32_t offset)
{
    struct engine *e = x->engine;
    const struct register_slot *slot = register_at(e->mmio, offset);
    if (x->privileged)
        return true;
    bool allowed = (slot->flags & REG_USER && slot->owner == e) ||
                   (slot->flags & REG_RENDER_USER && e->info->class == CLASS_RENDER);
    if (!register_at(e->mmio, e->info->mmio_base + FORCE_TO_NONPRIV)->row)
        return allowed;
    for (uint32_t i = 0; i < 12; i++) {
        const struct nonpriv_range r = engine_nonpriv_range(e, engine_register(e, FORCE_TO_NONPRIV + i * 4u));
        if (offset - r.first >= r.end - r.first)
            continue;
        if (r.denied)
            return false;
        allowed = true;
    }
    return allowed;
}

void command_register_write_slow(const struct execution *x, uint32_t offset, uint32_t value,
                                 uint32_t byte_enables)
{
    struct engine *e = x->engine;
    if (__builtin_expect(e->restoring, 0)) {
        /* Images of a class may name its registers at another instance's base. */
        const struct engine_info *info = e->info;
        if (info->class_alias && offset - info->class_alias < 0x1000u)
            offset = offset - info->class_alias + info->mmio_base;
    } else if (!command_register_allowed(x, offset)) {
        e->dropped++;
        command_not_done(x, SOFTGT_EVENT_DENIED);
        complain_of(e->witness, SOFTGT_MISTAKE_DENIED, e->info->name, e->command_address,
                    "%s: register %05x is privileged, write of %08x dropped", x->command->name, offset,
                    value);
        engine_error(e, EIR_PRIVILEGE);
        return;
    }
    register_write(e->mmio, offset, value, byte_enables, x->by);
}

uint32_t command_register_read(const struct execution *x, uint32_t offset)
{
    return register_read(x->engine->mmio, offset, x->by);
}

/* ---- Where commands come from ---- */

void stream_push(struct engine *e, enum stream_kind kind, enum space space, uint64_t address,
                 bool is_privileged)
{
    if (e->depth + 1u < STREAMS)
        e->depth++;
    struct stream *s = &e->streams[e->depth];
    *s = (struct stream){
        .space = space, .kind = (uint8_t)kind, .privileged = is_privileged, .end = UINT64_MAX};
    stream_seek(s, address & ~UINT64_C(3));
}

void engine_drop_host_pointers(struct engine *e)
{
    mmu_invalidate(&e->mmu);
    e->moved = true;
    for (unsigned i = 0; i < STREAMS; i++)
        stream_seek(&e->streams[i], stream_address(&e->streams[i]));
}

static uint32_t ring_size(const struct engine *e)
{
    return (engine_register(e, RING_BUFFER_CTL) & 0x1ff000u) + PAGE_BYTES;
}

static uint32_t ring_start(const struct engine *e)
{
    return engine_register(e, RING_BUFFER_START) & ~0xfffu;
}

uint32_t ring_head(const struct engine *e)
{
    const uint32_t wraps = engine_register(e, RING_BUFFER_HEAD) & 0xffe00000u;
    return wraps | (uint32_t)(stream_address(&e->streams[0]) - ring_start(e));
}

void ring_load(struct engine *e)
{
    struct stream *s = &e->streams[0];
    *s = (struct stream){.space = SPACE_GGTT, .kind = STREAM_RING, .privileged = true, .end = UINT64_MAX};
    e->moved = true;
    stream_seek(s, ring_start(e) + (engine_register(e, RING_BUFFER_HEAD) & 0x1ffffcu));
    e->head_report_page = UINT32_MAX;
    e->wake = true;
}

/* Bytes the ring holds from its parse position on. */
static uint32_t ring_bytes(const struct engine *e, uint32_t head)
{
    const uint32_t tail = engine_register(e, RING_BUFFER_TAIL) & 0x1ffff8u, size = ring_size(e);
    return tail >= head ? tail - head : tail + size - head;
}

/* Makes cursor < limit. False: nothing to parse now; what follows has been seen to. */
static bool refill(struct engine *e, struct stream *s)
{
    uint64_t address = stream_address(s), there = PAGE_BYTES - address % PAGE_BYTES;
    if (s->kind == STREAM_RING) {
        const uint32_t start = ring_start(e), size = ring_size(e);
        uint32_t head = (uint32_t)(address - start);
        if (head >= size) { /* wrap count in HEAD 31:21 */
            head = 0;
            address = start;
            there = PAGE_BYTES;
            stream_seek(s, address);
            engine_register_set(e, RING_BUFFER_HEAD, engine_register(e, RING_BUFFER_HEAD) + (1u << 21));
        }
        ring_report_head(e);
        const uint32_t tail = engine_register(e, RING_BUFFER_TAIL) & 0x1ffff8u;
        if (head == tail || !(engine_register(e, RING_BUFFER_CTL) & 1u) || tail > size) {
            e->submission->ring_empty(e);
            return false;
        }
        const uint32_t run = tail > head ? tail - head : size - head;
        if (run < there)
            there = run;
    } else if (s->kind == STREAM_RESTORE) {
        if (address >= s->end) {
            context_end_restore(e);
            return false;
        }
        if (s->end - address < there)
            there = s->end - address;
    } else if (s->end != UINT64_MAX) { /* INDIRECT_CTX: back to the restore */
        if (address >= s->end) {
            e->depth--;
            return false;
        }
        if (s->end - address < there)
            there = s->end - address;
    }
    const uint8_t *page = mmu_page(&e->mmu, s->space, address, e->bounce[e->depth]);
    if (!page) {
        e->command_address = address;
        e->past_end = s->page != NULL && address % PAGE_BYTES == 0;
        engine_stop(e, e->past_end ? "commands go on past their last page"
                                   : "commands cannot be fetched: no page");
        return false;
    }
    s->page_address = address;
    s->page = s->cursor = (const uint32_t *)(const void *)(page + address % PAGE_BYTES);
    s->limit = s->cursor + there / 4u;
    return true;
}

/* A command that goes on past the page or the ring's end, in one piece, and *next where the stream goes on
 * behind it. NULL: not all there; seen to. */
static const uint32_t *gather(struct engine *e, const struct stream *s, uint32_t length_dw, uint64_t *next)
{
    const uint64_t bytes = (uint64_t)length_dw * 4u, address = stream_address(s);
    uint64_t first = bytes, second_address = 0;
    *next = address + bytes;
    if (s->kind == STREAM_RING) {
        const uint32_t start = ring_start(e), size = ring_size(e), head = (uint32_t)(address - start);
        if (ring_bytes(e, head) < bytes) {
            e->state = SOFTGT_ENGINE_WAITING;
            e->why = "the ring ends inside a command";
            return NULL;
        }
        if (size - head < bytes) {
            first = size - head;
            second_address = start;
            *next = start + (bytes - first);
            engine_register_set(e, RING_BUFFER_HEAD, engine_register(e, RING_BUFFER_HEAD) + (1u << 21));
        }
    }
    /* INDIRECT_CTX comes behind the command that its cacheline is in. */
    if (s->kind == STREAM_RESTORE && e->image_end - address < bytes) {
        engine_stop(e, "a command goes past the end of the context image");
        return NULL;
    }
    if (!mmu_load(&e->mmu, s->space, address, e->scratch, first) ||
        !mmu_load(&e->mmu, s->space, second_address, (uint8_t *)e->scratch + first, bytes - first)) {
        engine_stop(e, "commands cannot be fetched: no page");
        return NULL;
    }
    return e->scratch;
}

static size_t zeros(const uint32_t *from, const uint32_t *limit)
{
    typedef uint64_t wide __attribute__((vector_size(16), aligned(4), may_alias));
    const uint32_t *at = from;
    while (limit - at >= 32) {
        const wide *w = (const wide *)(const void *)at;
        const wide sum = (w[0] | w[1] | w[2] | w[3]) | (w[4] | w[5] | w[6] | w[7]);
        if (sum[0] | sum[1])
            break;
        at += 32;
    }
    while (at < limit && *at == 0)
        at++;
    return (size_t)(at - from);
}

/* ---- The loop ---- */

static void trace_command(struct engine *e, enum softgt_event_kind kind, const struct command *c,
                          const uint32_t *dw, uint32_t length_dw, bool is_late)
{
    if (tracing(e->witness, SOFTGT_TRACE_COMMANDS) && !e->restoring)
        trace_event(e->witness, (struct softgt_event){.what = SOFTGT_TRACE_COMMANDS,
                                                      .kind = kind,
                                                      .unit = e->info->name,
                                                      .name = c ? c->name : NULL,
                                                      .model = c ? command_model(c) : SOFTGT_COMMAND_COUNTED,
                                                      .address = e->command_address,
                                                      .is_ggtt = e->streams[e->depth].space == SPACE_GGTT,
                                                      .is_late = is_late,
                                                      .dwords = dw,
                                                      .length_dw = length_dw,
                                                      .engine_class = engine_class_names[e->info->class]});
}

void command_not_done(const struct execution *x, enum softgt_event_kind kind)
{
    trace_command(x->engine, kind, x->command, x->dw, x->length_dw, true);
}

static void note_unknown(struct engine *e, uint32_t header)
{
    struct unknown_header *u = e->unknown_headers, *end = u + UNKNOWN_HEADERS;
    while (u < end && u->count && u->header != header)
        u++;
    if (u == end)
        return;
    if (!u->count++)
        u->first_address = e->command_address;
    u->header = header;
}

/* A header that no row of this class matches, at dw; the page ends `there_dw` on. Returns the dwords to step
 * over, 0: the engine stopped. */
static uint32_t unknown(struct engine *e, uint32_t header, const uint32_t *dw, size_t there_dw)
{
    const uint16_t other = e->set->elsewhere[header >> 16];
    if (other && e->streams[e->depth].kind != STREAM_RESTORE) {
        /* A command of another engine: its client is reserved here, the parser steps over it (CSP-05). */
        const struct command *c = e->set->rows[other];
        const uint32_t length_dw = command_length_dw(c, header);
        trace_command(e, SOFTGT_EVENT_MISPLACED, c, dw, length_dw < there_dw ? length_dw : (uint32_t)there_dw,
                      false);
        complain_of(e->witness, SOFTGT_MISTAKE_MISPLACED, e->info->name, e->command_address,
                    "%s is not a command of this engine, skipped", c->name);
        e->counts[other]++;
        e->misplaced++;
        return length_dw;
    }
    e->unknown++;
    note_unknown(e, header);
    trace_command(e, SOFTGT_EVENT_UNKNOWN, NULL, dw, 1, false);
    complain_of(e->witness, SOFTGT_MISTAKE_UNKNOWN, e->info->name, e->command_address, "unknown command %08x",
                header);
    engine_error(e, EIR_INSTRUCTION);
    engine_stop(e, "unknown command");
    return 0;
}

static void keep(struct engine *e, uint16_t number, const struct execution *x)
{
    memcpy(e->kept + e->kept_at[number], x->dw, (size_t)x->length_dw * 4u);
}

static enum outcome drop(const struct execution *x)
{
    struct engine *e = x->engine;
    e->dropped++;
    complain_of(e->witness, SOFTGT_MISTAKE_DROPPED, e->info->name, e->command_address,
                "%s is privileged: MI_NOOP in a non-privileged batch", x->command->name);
    engine_error(e, EIR_PRIVILEGE);
    return DONE;
}

enum outcome command_dropped(const struct execution *x)
{
    command_not_done(x, SOFTGT_EVENT_DROPPED);
    return drop(x);
}

/* MI_MODE keeps what MI_SET_PREDICATE asked for; it goes with the context. (CSP-11) */
void engine_predicate(struct engine *e, uint32_t enable)
{
    engine_register_set(e, MI_MODE, (engine_register(e, MI_MODE) & ~(uint32_t)MI_MODE_PREDICATE) | enable);
    e->skip = (uint8_t)((e->skip & ~(unsigned)SKIP_PREDICATED) | (enable ? SKIP_PREDICATED : 0));
}

static unsigned slices_enabled(const struct engine *e)
{
    enum { ENABLE = 1u << 18 };
    const uint32_t state = engine_register(e, R_PWR_CLK_STATE), wanted = state >> 15 & 7u;
    return state & ENABLE && wanted < e->info->slices ? wanted : e->info->slices;
}

static bool predicated(const struct engine *e, const struct command *c)
{
    const uint32_t enable = engine_register(e, MI_MODE) & MI_MODE_PREDICATE;
    const bool result = engine_register(e, MI_PREDICATE_RESULT) & 1u;
    const bool result_2 = engine_register(e, MI_PREDICATE_RESULT_2) & 1u;
    const bool listed = c->flags & COMMAND_PREDICATED;
    switch (enable) {
    case 1:
        return listed && !result_2;
    case 2:
        return listed && result_2;
    case 3:
        return listed && !result;
    case 4:
        return listed && result;
    case 5:
    case 6:
    case 7:
        return listed && slices_enabled(e) != enable - 4u;
    case 11: /* NOOP in RenderCS: whatever comes */
        return !(c->flags & COMMAND_PREDICATES);
    case 15:
        return listed;
    default:
        return false;
    }
}

/* What becomes of a command that has been fetched. */
static inline enum softgt_event_kind judge(const struct engine *e, const struct execution *x)
{
    const struct command *c = x->command;
    if (__builtin_expect(x->length_dw < c->min_dwords, 0))
        return SOFTGT_EVENT_SHORT;
    if (!x->privileged &&
        (c->flags & COMMAND_PRIVILEGED || (x->header & c->privileged_if && !e->info->ggtt_falls_back)))
        return SOFTGT_EVENT_DROPPED;
    if (__builtin_expect(e->skip && !e->restoring, 0)) {
        if (e->skip & SKIP_PREDICATED && predicated(e, c))
            return SOFTGT_EVENT_SKIPPED;
        if (e->skip & SKIP_DISABLED && engine_register(e, INSTPM) & c->disabled_by)
            return SOFTGT_EVENT_DISABLED;
    }
    return SOFTGT_EVENT_COMMAND;
}

/* A command that is not executed. */
static enum outcome refuse(const struct execution *x, enum softgt_event_kind kind)
{
    struct engine *e = x->engine;
    if (kind == SOFTGT_EVENT_DROPPED)
        return drop(x);
    if (kind != SOFTGT_EVENT_SHORT) {
        e->skipped++;
        return DONE;
    }
    e->too_short++;
    complain_of(e->witness, SOFTGT_MISTAKE_SHORT, e->info->name, e->command_address,
                "%s is %u dwords long, at least %u are needed: skipped", x->command->name, x->length_dw,
                x->command->min_dwords);
    engine_error(e, EIR_INSTRUCTION);
    return DONE;
}

/* What is done with one command that has been fetched; the stream stands behind it. */
static enum outcome perform(struct engine *e, uint16_t number, struct execution *x)
{
    const struct command *c = x->command;
    const enum softgt_event_kind kind = judge(e, x);
    if (__builtin_expect(kind != SOFTGT_EVENT_COMMAND, 0))
        return refuse(x, kind);
    if (!x->privileged && x->header & c->privileged_if) {
        x->header &= ~c->privileged_if;
        complain(e->witness, SOFTGT_GUEST_ERROR, e->info->name, e->command_address,
                 "%s: the GGTT is not for a non-secure batch, PPGTT it is", c->name);
        engine_error(e, EIR_MEMORY_PRIVILEGE);
    }
    if (c->execute)
        return c->execute(x);
    if (c->flags & COMMAND_KEPT)
        keep(e, number, x);
    return DONE;
}

/* CSP-21: where a pending execlist may come in. Waits: only while they wait. */
static bool preemptable(const struct engine *e, const struct command *c, enum outcome outcome)
{
    enum { PIPELINE_SELECT = 0x69040000, PIPELINE_3D = 0 };
    if (e->state == SOFTGT_ENGINE_STOPPED)
        return false;
    if (outcome == WAIT || outcome == SWITCH || c->flags & COMMAND_ARBITRATES)
        return true;
    return c->flags & COMMAND_ARBITRATES_MEDIA && (kept_dword(e, PIPELINE_SELECT, 0) & 3u) != PIPELINE_3D;
}

static uint64_t parse(struct engine *e, uint64_t budget_dw)
{
    const struct command *const *const rows = e->set->rows;
    const uint32_t *const index = e->set->by_header[e->info->class];
    const uint16_t noop = entry_number(index[0]);
    uint64_t used = 0, counted_dw = 0;
    e->moved = false;
    while (used < budget_dw && e->state == SOFTGT_ENGINE_RUNNING) {
        struct stream *const s = &e->streams[e->depth];
        if (s->cursor == s->limit && !refill(e, s))
            continue;
        const bool counted = s->kind != STREAM_RESTORE;
        const struct accessor *const by = e->restoring    ? &e->by_restore
                                          : s->privileged ? &e->by_privileged
                                                          : &e->by_user;
        const uint32_t *cursor = s->cursor;
        /* Within one page, until something other than DONE happens. */
        while (cursor != s->limit && used < budget_dw) {
            const uint32_t header = *(const volatile uint32_t *)cursor;
            if (header == 0 && !tracing(e->witness, SOFTGT_TRACE_COMMANDS)) { /* MI_NOOP, mostly in runs */
                const size_t run = zeros(cursor, s->limit);
                cursor += run;
                used += run;
                s->cursor = cursor - 1; /* IPEHR and ACTHD show the last one */
                e->command_address = stream_address(s);
                e->header = 0;
                if (counted) {
                    e->counts[noop] += run;
                    counted_dw += run;
                }
                continue;
            }
            const uint32_t entry = index[header >> 16];
            const uint16_t number = entry_number(entry);
            s->cursor = cursor;
            const uint64_t address = e->command_address = stream_address(s);
            e->header = header;
            uint64_t next;
            if (!number) {
                const uint32_t skip = unknown(e, header, cursor, (size_t)(s->limit - cursor));
                used += skip ? skip : 1u;
                counted_dw += skip;
                if (skip)
                    stream_seek(s, address + skip * 4u);
                goto next_stream;
            }
            struct execution x = {.engine = e,
                                  .command = rows[number],
                                  .dw = cursor,
                                  .header = header,
                                  .by = by,
                                  .privileged = by->privileged};
            const uint32_t *behind = cursor + (x.length_dw = entry_length_dw(entry, header));
            if (__builtin_expect(behind > s->limit, 0)) {
                x.dw = gather(e, s, x.length_dw, &next);
                if (!x.dw)
                    break;
                stream_seek(s, next);
                behind = NULL;
            } else {
                s->cursor = behind;
            }
            used += x.length_dw;
            if (counted) {
                e->counts[number]++;
                counted_dw += x.length_dw;
                if (tracing(e->witness, SOFTGT_TRACE_COMMANDS))
                    trace_command(e, judge(e, &x), x.command, x.dw, x.length_dw, false);
            }
            const enum outcome outcome = perform(e, number, &x);
            if (__builtin_expect(outcome == DONE &&
                                     !(x.command->flags & (COMMAND_ARBITRATES | COMMAND_ARBITRATES_MEDIA)),
                                 1)) {
                if (__builtin_expect(e->moved, 0)) {
                    e->moved = false;
                    used += e->work_dw;
                    e->work_dw = 0;
                    goto next_stream;
                }
                cursor = behind;
                continue;
            }
            if (outcome == AGAIN) {
                stream_seek(s, address);
                e->counts[number]--;
                counted_dw -= x.length_dw;
                used += e->work_dw;
                e->work_dw = 0;
                goto next_stream;
            }
            if (outcome == WAIT || outcome == FAULT) {
                stream_seek(s, address);
                if (outcome == WAIT) { /* it will be parsed again */
                    e->counts[number]--;
                    counted_dw -= x.length_dw;
                    e->state = SOFTGT_ENGINE_WAITING;
                } else {
                    engine_stop(e, "unrecoverable error");
                }
            }
            if (e->arbitration && counted && preemptable(e, x.command, outcome) &&
                e->streams[e->depth].kind != STREAM_WORKAROUND)
                e->submission->arbitrate(e);
            goto next_stream;
        }
        s->cursor = cursor;
    next_stream:;
    }
    e->dwords += counted_dw;
    return used;
}

bool engine_runnable(const struct engine *e)
{
    if (engine_register(e, MI_MODE) & MI_MODE_STOP_RING || e->reset_ready)
        return false;
    return e->state == SOFTGT_ENGINE_RUNNING || (e->wake && e->state != SOFTGT_ENGINE_STOPPED);
}

uint64_t engine_run(struct engine *e, uint64_t budget_dw)
{
    uint64_t used = 0;
    if (e->state == SOFTGT_ENGINE_STOPPED || engine_register(e, MI_MODE) & MI_MODE_STOP_RING ||
        e->reset_ready)
        return 0;
    if (e->state == SOFTGT_ENGINE_WAITING) {
        /* In signal mode nothing but a signal, or a new list of contexts, is worth another look. */
        if (e->wants_signal && !e->wake)
            return 0;
        e->wake = false;
        e->state = SOFTGT_ENGINE_RUNNING;
        used += parse(e, 1);
        if (e->state == SOFTGT_ENGINE_WAITING)
            return 0;
        e->found = (struct wait_value){0};
        engine_trace(e, SOFTGT_EVENT_WAIT_END, e->command_address);
    }
    while (used < budget_dw) {
        if (e->state == SOFTGT_ENGINE_IDLE) {
            if (!e->wake)
                break;
            e->wake = false;
            e->submission->idle(e);
        }
        if (e->state != SOFTGT_ENGINE_RUNNING)
            break;
        used += parse(e, budget_dw - used);
        if (e->state == SOFTGT_ENGINE_WAITING) {
            e->waits++;
            engine_trace(e, SOFTGT_EVENT_WAIT, e->command_address);
            break;
        }
    }
    return used;
}

bool engine_end_batch(struct engine *e)
{
    if (e->state != SOFTGT_ENGINE_STOPPED || e->depth == 0 || e->restoring)
        return false;
    e->depth--;
    engine_trace(e, SOFTGT_EVENT_BATCH_END, e->command_address);
    e->past_end = false;
    e->state = SOFTGT_ENGINE_RUNNING;
    return true;
}

void engine_reset(struct engine *e, bool all)
{
    engine_trace(e, SOFTGT_EVENT_RESET, e->command_address);
    register_file_reset(e->mmio, e->info->name, all);
    mmu_invalidate(&e->mmu);
    e->moved = true;
    memset(e->streams, 0, sizeof e->streams);
    e->depth = 0;
    e->state = SOFTGT_ENGINE_IDLE;
    e->why = "";
    e->wake = false;
    e->arbitration = true;
    e->restoring = false;
    e->isr = 0;
    e->reset_ready = false;
    if (e->interrupt->info->status)
        e->interrupt->info->status(e->interrupt, e->info->interrupt, 0);
    e->ring_wait = 0;
    e->found = (struct wait_value){0};
    e->wait_cancelled = false;
    e->wants_signal = false;
    e->wait_until_ns = 0;
    e->past_end = false;
    e->blit_row = 0;
    e->blit_setup = (struct blit_setup){0};
    e->skip = 0;
    display_client_reset(e->display, (unsigned)(e - e->peers));
    e->mmu.root.mode = PPGTT_NONE;
    if (all || !e->info->execlists)
        e->submission = &ring_submission;
    execlists_reset(e);
}
