/* The registers of a command streamer, by offset from its base: those of every generation, those from Gen8
 * on. (OVR-06 to OVR-09, CSP-01, REN-10) */
#include "engine_registers/engine_registers.h"

static const struct field tail_fields[] = {{"Tail Offset", 3, 20, FIELD_OFFSET, NULL}};
static const struct field head_fields[] = {{"Wrap Count", 21, 31, FIELD_UINT, NULL},
                                           {"Head Offset", 2, 20, FIELD_OFFSET, NULL}};
static const struct field start_fields[] = {{"Starting Address", 12, 31, FIELD_ADDRESS, NULL}};
static const struct field ctl_fields[] = {
    {"Buffer Length", 12, 20, FIELD_UINT, NULL},    {"RBWait", 11, 11, FIELD_BOOL, NULL},
    {"Semaphore Wait", 10, 10, FIELD_BOOL, NULL},   {"Automatic Report Head Pointer", 1, 2, FIELD_UINT, NULL},
    {"Ring Buffer Enable", 0, 0, FIELD_BOOL, NULL},
};
static const struct field mi_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Async Flip Performance Mode", 14, 14, FIELD_BOOL, NULL},
    {"MI_FLUSH Enable", 12, 12, FIELD_BOOL, NULL},
    {"Ring Idle", 9, 9, FIELD_BOOL, NULL},
    {"Stop Ring", 8, 8, FIELD_BOOL, NULL},
};
static const struct field gfx_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Execlist Enable", 15, 15, FIELD_BOOL, NULL},
    {"PPGTT Enable", 9, 9, FIELD_BOOL, NULL},
    {"48b PPGTT Enable", 7, 7, FIELD_BOOL, NULL},
    {"Privilege Check Disable", 1, 1, FIELD_BOOL, NULL},
};
static const struct field ctxt_sr_ctl_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Inhibit Synchronous Context Switch", 3, 3, FIELD_BOOL, NULL},
    {"Engine Context Restore Inhibit", 0, 0, FIELD_BOOL, NULL},
};
static const struct field status_ptr_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Read Pointer", 8, 10, FIELD_UINT, NULL},
    {"Write Pointer", 0, 2, FIELD_UINT, NULL},
};
static const struct field gen11_status_ptr_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Read Pointer", 8, 11, FIELD_UINT, NULL},
    {"Write Pointer", 0, 3, FIELD_UINT, NULL},
};
static const struct field nonpriv_fields[] = {
    {"Deny", 30, 30, FIELD_BOOL, NULL},
    {"Access", 28, 29, FIELD_UINT, NULL},
    {"Register", 2, 25, FIELD_OFFSET, NULL},
    {"Range", 0, 1, FIELD_UINT, NULL},
};
static const struct field reset_ctl_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Ready for Reset", 1, 1, FIELD_BOOL, NULL},
    {"Request Reset", 0, 0, FIELD_BOOL, NULL},
};
static const struct field engine_id_fields[] = {{"Instance ID", 4, 9, FIELD_UINT, NULL},
                                                {"Class ID", 0, 2, FIELD_UINT, NULL}};
static const struct field gen125_reset_ctl_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Catastrophic Error", 2, 2, FIELD_BOOL, NULL},
    {"Ready for Reset", 1, 1, FIELD_BOOL, NULL},
    {"Request Reset", 0, 0, FIELD_BOOL, NULL},
};
static const struct field eir_fields[] = {
    {"Privilege Violation", 2, 2, FIELD_BOOL, NULL},
    {"Instruction Error", 0, 0, FIELD_BOOL, NULL},
};

static void ring_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->accessor->kind != ACCESSOR_RESTORE) {
        ring_load(e);
        engine_notify_drained(e); /* the current command is given up */
    }
}

/* A new start takes the head and the wrap count back to zero. (REN-10, VCS-06) */
static void start_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->accessor->kind != ACCESSOR_RESTORE)
        engine_register_set(e, RING_BUFFER_HEAD, 0);
    ring_written(w);
}

/* A 1 written to a wait bit ends that wait. (REN-10) */
static void ctl_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->accessor->kind == ACCESSOR_RESTORE)
        return;
    wait_cancel(e, w->written);
    if (w->value == w->old_value)
        return;
    const uint32_t ctl = w->old_value & RING_BUFFER_CTL_ENABLE ? w->old_value : w->value;
    engine_register_set(e, RING_BUFFER_HEAD, ring_head_with_ctl(e, ctl)); /* HEAD is unchanged */
    ring_written(w);
}

static uint32_t ctl_read(const struct register_access *at, uint32_t stored)
{
    const struct engine *e = at->owner;
    const uint32_t waits = RING_BUFFER_CTL_WAIT_EVENT | RING_BUFFER_CTL_WAIT_SEMAPHORE;
    return (stored & ~waits) | (e->parse.state == SOFTGT_ENGINE_WAITING ? e->wait.ring_ctl_bit : 0);
}

static void tail_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->accessor->kind == ACCESSOR_RESTORE)
        return;
    if (vfs_isolated(e) && engine_register(e, RING_BUFFER_CTL) & 1u && w->value != ring_head(e))
        report_error(
            e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
            "RING_BUFFER_TAIL written beside virtual functions, where the microcontroller alone submits: "
            "ignored (the driver has to use it)");
    stream_seek(e, 0, stream_address(e, 0));
    e->parse.reschedule = true;
}

static uint32_t head_read(const struct register_access *at, uint32_t stored)
{
    struct engine *e = at->owner;
    const bool waits =
        e->parse.state == SOFTGT_ENGINE_WAITING && e->wait.ring_ctl_bit & RING_BUFFER_CTL_WAIT_EVENT;
    return e->parse.restoring ? stored : ring_head(e) | (waits ? 1u : 0);
}

void engine_wake(const struct register_access *w)
{
    ((struct engine *)w->owner)->parse.reschedule = true;
}

static void mi_mode_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->parse.reschedule = true;
    engine_derive_skip(e);
    stream_refetch(e);
}

static uint32_t acthd_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct engine *e = at->owner;
    return (uint32_t)(at->row->offset == 0x74 ? e->parse.command_address : e->parse.command_address >> 32);
}

uint32_t engine_batch_read(const struct register_access *at, uint32_t stored)
{
    const struct engine *e = at->owner;
    if (e->parse.restoring || at->dword)
        return stored;
    const struct stream *s = &e->parse.streams[1];
    switch (at->row->offset) {
    case BB_ADDR:
        return e->parse.depth ? (uint32_t)stream_address(e, 1) | 1u : stored & ~1u;
    case BB_ADDR_UDW:
        return e->parse.depth ? (uint32_t)(stream_address(e, 1) >> 32) : stored;
    default:
        return e->parse.depth ? (s->space == SPACE_PPGTT ? BB_STATE_PPGTT : 0) : stored;
    }
}

static uint32_t ipehr_read(const struct register_access *at, uint32_t stored)
{
    const struct engine *e = at->owner;
    return e->parse.restoring ? stored : e->parse.header;
}

uint32_t engine_instdone_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct engine *e = at->owner;
    return e->parse.state == SOFTGT_ENGINE_IDLE ? 0xffffffffu : 0xfffffffeu;
}

uint32_t engine_mode_read(const struct register_access *at, uint32_t stored)
{
    const struct engine *e = at->owner;
    const bool idle = (e->parse.state == SOFTGT_ENGINE_IDLE || stored & MI_MODE_STOP_RING) &&
                      (engine_is_drained(e) || engine_runs_vf_context(e));
    return (stored & ~(uint32_t)MI_MODE_RING_IDLE) | (idle ? (uint32_t)MI_MODE_RING_IDLE : 0);
}

static uint32_t engine_id_read(const struct register_access *at, uint32_t stored)
{
    const struct engine_info *info = ((const struct engine *)at->owner)->info;
    return stored | (uint32_t)info->interrupt.class | (uint32_t)info->instance << 4;
}

static void reset_ctl_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    register_set(w->file, w->offset, w->value & 1u ? w->value | 2u : w->value & ~2u);
    e->parse.reset_requested = w->value & 1u;
    e->parse.reschedule |= !e->parse.reset_requested;
    stream_refetch(e);
}

static uint32_t timestamp_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct engine *e = at->owner;
    const uint64_t now = engine_timestamp(e, e->log->now_ns);
    return (uint32_t)(at->dword ? now >> 32 : now);
}

/* The context's run time: its saved time plus the time since its restore. */
static uint32_t ctx_timestamp_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return (uint32_t)context_count_time(at->owner);
}

static void mode_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    engine_derive_submission(e);
    engine_derive_page_directory(e);
    stream_refetch(e); /* its batches may be privileged now, or are not any more */
    e->parse.reschedule = true;
}

/* 1 disables: the counter goes to zero. */
void engine_watchdog_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if ((w->value & 0x7fffffffu) == 1)
        engine_register_set(e, PR_CTR, 0);
}

static void elsp_written(const struct register_access *w)
{
    execlists_submit_port(w->owner, w->written);
}

static uint32_t status_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct engine *e = at->owner;
    if (at->dword)
        return e->context.current.high;
    /* Whatever takes submissions now: before anybody enables lists it shows that none is there. */
    return e->info->contexts.execlists && e->info->contexts.execlists->status
               ? e->info->contexts.execlists->status(e)
               : 0;
}

static void status_ptr_written(const struct register_access *w)
{
    if (w->written & 15u << 16)
        execlists_status_pointer(w->owner, w->value);
}

static void control_written(const struct register_access *w)
{
    if (w->written & 1u)
        execlists_load_queue(w->owner);
}

void engine_emr_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    const uint32_t before = engine_register(e, EIR), now = before | (engine_register(e, ESR) & ~w->value);
    engine_register_set(e, EIR, now);
    if (now & ~before) {
        engine_isr(e, INTERRUPT_MASTER_ERROR, INTERRUPT_MASTER_ERROR);
        engine_interrupt(e, INTERRUPT_MASTER_ERROR);
    }
}

/* Writing 1 clears an error bit, masked or not. An instruction error, and Gen6's page table error, stay until
 * the reset. */
void engine_eir_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    engine_register_set(e, ESR, engine_register(e, ESR) & ~(w->written & (uint32_t)w->row->w1c));
    engine_isr(e, INTERRUPT_MASTER_ERROR, w->value ? INTERRUPT_MASTER_ERROR : 0);
}

/* With memory-based interrupts, an image's value is the context's own event enable, not the engine's mask;
 * the mask keeps its value. (Linux, xe_memirq) */
static void imr_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    if (w->accessor->kind != ACCESSOR_RESTORE)
        return;
    e->context.interrupt_mask_in_memory = w->value;
    engine_register_set(e, RING_IMR, w->old_value);
}

static void nonpriv_written(const struct register_access *w)
{
    engine_derive_privileges(w->owner);
}

/* A context's page directories are taken when all of them are there. */
static void page_directory_written(const struct register_access *w)
{
    if (w->accessor->kind != ACCESSOR_RESTORE)
        engine_derive_page_directory(w->owner);
}

static uint32_t ctx_timestamp_udw_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return (uint32_t)(context_count_time(at->owner) >> 32);
}

/* A write sets the elapsed time. */
static void ctx_timestamp_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->context.timestamp_ns = e->log->now_ns;
}

/* The page directory registers as the CPU, an image or an MI_LOAD_REGISTER_IMM left them. With execlists the
 * descriptor says how deep they are: bits 4:3, 1 legacy 32-bit, 3 legacy 64-bit addressing. */
struct ppgtt_root gen8_page_directory(const struct engine *e)
{
    enum { PPGTT_IS_48_BITS = 1u << 7 };
    const uint32_t mode = engine_register(e, GFX_MODE), descriptor = e->context.current.low;
    const bool execlists = engine_execlists_enabled(e);
    const bool deep = execlists ? (descriptor >> 3 & 3u) == 3u : mode & PPGTT_IS_48_BITS;
    struct ppgtt_root root = {.mode = deep ? PPGTT_48 : PPGTT_LEGACY_32};
    if (execlists ? !(descriptor & DESCRIPTOR_VALID) : !(mode & GFX_MODE_PPGTT))
        return (struct ppgtt_root){.mode = PPGTT_NONE};
    for (uint32_t i = 0; i < 4; i++)
        root.directory[i] = engine_register64(e, PDP + i * 8u);
    return root;
}

const struct batch_registers gen8_batch_registers[] = {
    {BB_ADDR, BB_ADDR_UDW, BB_STATE}, {SBB_ADDR, SBB_ADDR_UDW, SBB_STATE}, {0, 0, 0}};
const struct batch_registers gen12_batch_registers[] = {{BB_ADDR, BB_ADDR_UDW, BB_STATE},
                                                        {SBB_ADDR, SBB_ADDR_UDW, SBB_STATE},
                                                        {THIRD_BB_ADDR, THIRD_BB_ADDR_UDW, THIRD_BB_STATE},
                                                        {0, 0, 0}};

#define ALL 0xffffffffu
/* Registers that every command streamer has at the same offsets since Gen6. */
static const struct reg rows[] = {
    {.name = "EXCC",
     .offset = 0x028,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "User-defined condition codes that waits look at.",
     .spec = "OVR-06, REN-07"},
    {.name = "RING_BUFFER_TAIL",
     .offset = 0x030,
     .writable = 0x001ffff8,
     FIELDS(tail_fields),
     .after_write = tail_written,
     .summary = "End of valid commands; ahead of HEAD, the engine runs.",
     .spec = "OVR-06, REN-10"},
    {.name = "RING_BUFFER_HEAD",
     .offset = 0x034,
     .writable = 0xfffffffc,
     FIELDS(head_fields),
     .before_read = head_read,
     .after_write = ring_written,
     .summary = "Where the parser is in the ring, and how often it wrapped.",
     .spec = "OVR-06, REN-10"},
    {.name = "RING_BUFFER_START",
     .offset = 0x038,
     .writable = 0xfffff000,
     FIELDS(start_fields),
     .after_write = start_written,
     .summary = "GGTT address of the ring.",
     .spec = "OVR-06, REN-10"},
    {.name = "RING_BUFFER_CTL",
     .offset = 0x03c,
     .writable = 0x001ff107,
     FIELDS(ctl_fields),
     .before_read = ctl_read,
     .after_write = ctl_written,
     .summary = "Ring length in pages minus one, automatic head report, enable.",
     .spec = "OVR-06, REN-10"},
    {.name = "RC_PSMI_CONTROL",
     .offset = 0x050,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Power state messages of this engine.",
     .spec = "OVR-07"},
    {.name = "RC_PWRCTX_MAXCNT",
     .offset = 0x054,
     .writable = ALL,
     .reset = 0x40, /* above the delay that engines wait, or Linux warns (Wa_16023105232) */
     .summary = "Idle count before the engine lets its power go.",
     .spec = "OVR-07"},
    {.name = "IPEIR",
     .offset = 0x064,
     .summary = "Instruction parser error identification.",
     .spec = "CSP-23"},
    {.name = "IPEHR",
     .offset = 0x068,
     .writable = ALL,
     .before_read = ipehr_read,
     .summary = "Header of the command the parser took last.",
     .spec = "OVR-06"},
    {.name = "INSTDONE",
     .offset = 0x06c,
     .before_read = engine_instdone_read,
     .summary = "Units that are done: all ones when idle.",
     .spec = "CSP-23"},
    {.name = "INSTPS", .offset = 0x070, .summary = "Instruction parser state.", .spec = "CSP-23"},
    {.name = "ACTHD",
     .offset = 0x074,
     .before_read = acthd_read,
     .summary = "Active head pointer: address of the command being parsed.",
     .spec = "CSP-23"},
    {.name = "DMA_FADD", .offset = 0x078, .summary = "Fetch address of the command DMA.", .spec = "CSP-23"},
    {.name = "CMD_BUFF_CTL",
     .offset = 0x084,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Command buffer control.",
     .spec = "CSP-16"},
    {.name = "NOPID",
     .offset = 0x094,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0x003fffff,
     .summary = "Identification number of the last MI_NOOP that carried one.",
     .spec = "OVR-07, CSP-16"},
    {.name = "HWSTAM",
     .offset = 0x098,
     .writable = ALL,
     .reset = ALL,
     .summary = "Interrupt bits kept from being reported in the status page.",
     .spec = "CSP-23, OVR-07"},
    {.name = "MI_MODE",
     .offset = 0x09c,
     .kind = REG_MASKED,
     .writable = 0xfdff,
     FIELDS(mi_mode_fields),
     .before_read = engine_mode_read,
     .after_write = mi_mode_written,
     .summary = "Stop and idle bits of the ring, parser modes.",
     .spec = "OVR-06"},
    {.name = "IMR",
     .offset = 0x0a8,
     .writable = ALL,
     .summary = "Interrupt bits kept from leaving the engine.",
     .spec = "CSP-23, OVR-07"},
    {.name = "EIR",
     .offset = 0x0b0,
     .w1c = 0xfffffffe,
     FIELDS(eir_fields),
     .after_write = engine_eir_written,
     .summary = "Errors found and not masked; write 1 to clear.",
     .spec = "CSP-23"},
    {.name = "EMR",
     .offset = 0x0b4,
     .writable = ALL,
     .reset = ALL,
     FIELDS(eir_fields),
     .after_write = engine_emr_written,
     .summary = "Errors kept out of EIR.",
     .spec = "CSP-23"},
    {.name = "ESR", .offset = 0x0b8, FIELDS(eir_fields), .summary = "Errors present.", .spec = "CSP-23"},
    {.name = "INSTPM",
     .offset = 0x0c0,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Parser modes; constant buffer address offset disable.",
     .spec = "OVR-06, CSP-16"},
    {.name = "BB_STATE",
     .offset = 0x110,
     .writable = ALL,
     .before_read = engine_batch_read,
     .summary = "State of the first-level batch: bit 5, in PPGTT.",
     .spec = "OVR-06"},
    {.name = "UHPTR",
     .offset = 0x134,
     .writable = 0x001ffff9,
     .summary = "Pending head pointer for preemption in ring mode.",
     .spec = "OVR-07, REN-12"},
    {.name = "BB_ADDR",
     .offset = 0x140,
     .writable = ALL,
     .before_read = engine_batch_read,
     .summary = "Batch buffer current head; bit 0 valid.",
     .spec = "OVR-06"},
    {.name = "BB_PREEMPT_ADDR",
     .offset = 0x148,
     .writable = ALL,
     .summary = "Batch address at the last preemption.",
     .spec = "OVR-07"},
    {.name = "RING_BUFFER_HEAD_PREEMPT_REG",
     .offset = 0x14c,
     .writable = ALL,
     .summary = "Ring head at the last preemption.",
     .spec = "OVR-07"},
    {.name = "PR_CTR_CTL",
     .offset = 0x178,
     .flags = REG_NONPRIV_WRITE,
     .writable = ALL,
     .reset = 1,
     .after_write = engine_watchdog_written,
     .summary = "Watchdog control: 0 starts, 1 stops, bit 31 counts clocks.",
     .spec = "OVR-06, CSP-10"},
    {.name = "PR_CTR_THRSH",
     .offset = 0x17c,
     .flags = REG_NONPRIV_WRITE,
     .writable = ALL,
     .reset = 0x00150000,
     .summary = "Watchdog threshold.",
     .spec = "OVR-06, CSP-10"},
    {.name = "CCID",
     .offset = 0x180,
     .writable = ALL,
     .summary = "Current context in ring mode.",
     .spec = "OVR-07"},
    {.name = "PR_CTR", .offset = 0x190, .summary = "Watchdog counter.", .spec = "CSP-10"},
    {.name = "TIMESTAMP",
     .offset = 0x358,
     .dwords = 2,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .before_read = timestamp_read,
     .summary = "Reported timestamp count, 36 bits, from virtual time.",
     .spec = "OVR-06, CSP-22"},
};

static const struct reg gen8_rows[] = {
    {.name = "SWCTRL",
     .offset = 0x200,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Tile modes, of use in the blitter only.",
     .spec = "OVR-09"},
    {.name = "CTX_WA_PTR",
     .offset = CTX_WA_PTR,
     .writable = ALL,
     .summary = "Batch in the GGTT that runs when the engine's power is back; bit 0 valid.",
     .spec = "OVR-07, SYS-25; Linux, Wa_14011274333"},
    {.name = "ACTHD_UDW",
     .offset = 0x05c,
     .before_read = acthd_read,
     .summary = "Active head pointer, upper half.",
     .spec = "CSP-23"},
    {.name = "DMA_FADD_UDW",
     .offset = 0x060,
     .summary = "Fetch address of the command DMA, upper half.",
     .spec = "CSP-23"},
    {.name = "HWS_PGA",
     .offset = 0x080,
     .writable = 0xfffff000,
     .summary = "GGTT address of the hardware status page.",
     .spec = "CSP-23, OVR-07"},
    {.name = "GAC_MODE",
     .offset = 0x0a0,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Mode of the engine's memory interface.",
     .spec = "OVR-07"},
    {.name = "CMD_CCTL",
     .offset = 0x0c4,
     .writable = ALL,
     .summary = "Cacheability of command fetches.",
     .spec = "OVR-07"},
    {.name = "R_PWR_CLK_STATE",
     .offset = 0x0c8,
     .writable = ALL,
     .summary = "Slices and EUs the context asks for.",
     .spec = "CSP-18"},
    {.name = "WAIT_FOR_RC6_EXIT",
     .offset = 0x0cc,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Waits for power before a context is loaded.",
     .spec = "OVR-07"},
    {.name = "RESET_CTL",
     .offset = RESET_CTL,
     .kind = REG_MASKED,
     .writable = 0xfffd,
     FIELDS(reset_ctl_fields),
     .after_write = reset_ctl_written,
     .summary = "Asks the engine to get ready for a reset; it answers in bit 1.",
     .spec = "CSP-23"},
    {.name = "CS_DEBUG_MODE2",
     .offset = 0x0d8,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Modes of the streamer; bit 4: the first buffer of constants is not from the dynamic state "
                "base (from Gen9 on), bit 5: threads are debugged, bit 6: cached state is dropped.",
     .spec = "SKL PRM vol 2c; Mesa, anv; NEO, aubstream: of each engine"},
    {.name = "SECOND_BB_ADDR",
     .offset = 0x114,
     .writable = ALL,
     .summary = "Second-level batch address; bit 0 valid.",
     .spec = "OVR-06"},
    {.name = "SECOND_BB_STATE",
     .offset = 0x118,
     .writable = ALL,
     .summary = "State of the second-level batch.",
     .spec = "OVR-06"},
    {.name = "SECOND_BB_ADDR_UDW",
     .offset = 0x11c,
     .writable = 0xffff,
     .summary = "Second-level batch address, upper half.",
     .spec = "OVR-06"},
    {.name = "SBB_PREEMPT_ADDRESS_UDW",
     .offset = 0x138,
     .writable = ALL,
     .summary = "Second-level batch address at the last preemption, upper half.",
     .spec = "OVR-07"},
    {.name = "SBB_PREEMPT_ADDRESS",
     .offset = 0x13c,
     .writable = ALL,
     .summary = "Second-level batch address at the last preemption.",
     .spec = "OVR-07"},
    {.name = "BB_START_ADDR",
     .offset = 0x150,
     .writable = ALL,
     .summary = "Where the current batch started.",
     .spec = "OVR-06"},
    {.name = "BB_ADD_DIFF",
     .offset = 0x154,
     .writable = ALL,
     .summary = "Difference added to resumed batch addresses.",
     .spec = "OVR-06"},
    {.name = "BB_OFFSET",
     .offset = 0x158,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "Offset that MI_BATCH_BUFFER_START can add.",
     .spec = "OVR-06, CSP-16"},
    {.name = "BB_ADDR_UDW",
     .offset = 0x168,
     .writable = 0xffff,
     .before_read = engine_batch_read,
     .summary = "Batch buffer current head, upper half.",
     .spec = "OVR-06"},
    {.name = "BB_PREEMPT_ADDR_UDW",
     .offset = 0x16c,
     .writable = ALL,
     .summary = "Batch address at the last preemption, upper half.",
     .spec = "OVR-07"},
    {.name = "BB_START_ADDR_UDW",
     .offset = 0x170,
     .writable = ALL,
     .summary = "Where the current batch started, upper half.",
     .spec = "OVR-06"},
    {.name = "BB_PER_CTX_PTR",
     .offset = 0x1c0,
     .writable = ALL,
     .summary = "Batch run after a context restore; bit 0 valid.",
     .spec = "OVR-06, CSP-04"},
    {.name = "INDIRECT_CTX",
     .offset = 0x1c4,
     .writable = ALL,
     .summary = "Commands run during a context restore: address, size in cachelines.",
     .spec = "OVR-06, CSP-03"},
    {.name = "INDIRECT_CTX_OFFSET",
     .offset = 0x1c8,
     .writable = ALL,
     .summary = "Where in the engine context INDIRECT_CTX runs.",
     .spec = "OVR-06, CSP-03"},
    {.name = "RING_1B0",
     .offset = 0x1b0,
     .writable = ALL,
     .summary = "In the ring context from Gen11 on; its meaning is not public.",
     .spec = "CSP-18"},
    {.name = "PREEMPT_DLY",
     .offset = 0x214,
     .writable = ALL,
     .summary = "Delay before a preemption request counts.",
     .spec = "OVR-07"},
    {.name = "CSB_INTERRUPT_MASK",
     .offset = CSB_INTERRUPT_MASK,
     .writable = 0x81ff,
     .summary = "Switch types and reasons, as the status has them, that are not reported; the address is our "
                "choice.",
     .spec = "CSP-20"},
    {.name = "EXECLIST_STATUS",
     .offset = 0x234,
     .dwords = 2,
     .before_read = status_read,
     .summary = "State of the execlist queue; the context id in the upper half.",
     .spec = "CSP-17, OVR-07"},
    {.name = "IDLEDELAY",
     .offset = 0x23c,
     .writable = ALL,
     .summary = "Delay before an idle engine reports it.",
     .spec = "OVR-07"},
    {.name = "CTXT_SR_CTL",
     .offset = 0x244,
     .kind = REG_MASKED,
     .writable = 0xffff,
     FIELDS(ctxt_sr_ctl_fields),
     .summary = "Context save and restore control.",
     .spec = "OVR-06, CSP-18"},
    {.name = "CTXT_PREMP_DBG",
     .offset = 0x248,
     .writable = ALL,
     .summary = "Preemption debug modes; bit 8, only on MI_ARB_CHECK.",
     .spec = "OVR-07"},
    {.name = "SEMA_WAIT_POLL",
     .offset = 0x24c,
     .writable = ALL,
     .summary = "Poll interval of MI_SEMAPHORE_WAIT.",
     .spec = "OVR-07"},
    {.name = "PDP",
     .offset = 0x270,
     .count = 4,
     .stride = 8,
     .dwords = 2,
     .writable = UINT64_MAX,
     .after_write = page_directory_written,
     .summary = "Page directory pointers of the PPGTT; PML4 in the first.",
     .spec = "OVR-06"},
    {.name = "GFX_MODE",
     .offset = 0x29c,
     .kind = REG_MASKED,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = 0xffff,
     FIELDS(gfx_mode_fields),
     .after_write = mode_written,
     .summary = "Execlist and PPGTT enables, privilege checks.",
     .spec = "OVR-07, CSP-15"},
    {.name = "SYNC_FLIP_STATUS",
     .offset = 0x2d0,
     .writable = ALL,
     .summary = "Pending display flips the engine may wait for.",
     .spec = "OVR-07"},
    {.name = "SYNC_FLIP_STATUS_1",
     .offset = 0x2d4,
     .writable = ALL,
     .summary = "Pending display flips, second part.",
     .spec = "OVR-07"},
    {.name = "DISPLAY_MESSAGE_FORWARD_STATUS",
     .offset = 0x2e8,
     .writable = ALL,
     .summary = "Display messages forwarded to this engine.",
     .spec = "OVR-07"},
    {.name = "SYNC_FLIP_STATUS_2",
     .offset = 0x2ec,
     .writable = ALL,
     .summary = "Pending display flips, third part.",
     .spec = "OVR-07"},
    {.name = "CTX_TIMESTAMP",
     .offset = 0x3a8,
     .writable = ALL,
     .before_read = ctx_timestamp_read,
     .after_write = ctx_timestamp_written,
     .summary = "Time the context has run, in timestamp ticks.",
     .spec = "OVR-06, CSP-22"},
    {.name = "MI_PREDICATE_RESULT_2",
     .offset = 0x3bc,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 1,
     .summary = "Predicate for MI_SET_PREDICATE.",
     .spec = "OVR-07, CSP-12"},
    {.name = "MI_PREDICATE_RESULT_1",
     .offset = 0x41c,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "Bit 0: predicate for MI_BATCH_BUFFER_START.",
     .spec = "OVR-06, CSP-12"},
    {.name = "CS_PREEMPTION_HINT",
     .offset = 0x4bc,
     .writable = ALL,
     .summary = "Address at which a preemption is wanted.",
     .spec = "OVR-07"},
    {.name = "CS_PREEMPTION_HINT_UDW",
     .offset = 0x4c8,
     .writable = ALL,
     .summary = "Address at which a preemption is wanted, upper half.",
     .spec = "OVR-07"},
    {.name = "CTXID_PREEMPTION_HINT",
     .offset = 0x4cc,
     .writable = ALL,
     .summary = "Context the preemption hint is for.",
     .spec = "OVR-07"},
    {.name = "FORCE_TO_NONPRIV",
     .offset = 0x4d0,
     .count = 12,
     .stride = 4,
     .writable = ALL,
     FIELDS(nonpriv_fields),
     .after_write = nonpriv_written,
     .summary = "Registers that non-privileged batches may write besides the fixed list.",
     .spec = "OVR-07, CSP-16"},
    {.name = "CS_GPR",
     .offset = 0x600,
     .count = 16,
     .stride = 8,
     .dwords = 2,
     .flags = REG_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "General purpose registers of the ALU.",
     .spec = "OVR-06, CSP-13"},
};

/* Registers in the context images of Linux, or written by Linux and Mesa. The hardware writes its batch stack
 * through one port; here each level has registers of its own, and the port only stores its value. */
static const struct reg gen12_rows[] = {
    {.name = "SEMAPHORE_TOKEN",
     .offset = 0x2b4,
     .writable = ALL,
     .summary = "Token of the semaphore that is waited for.",
     .spec = "TGL PRM vol 2c"},
    {.name = "BB_STACK_WRITE_PORT",
     .offset = 0x588,
     .writable = ALL,
     .summary = "Six writes restore the deeper batches; those are in registers of their own here.",
     .spec = "TGL PRM vol 2c"},
    {.name = "RING_5A8",
     .offset = 0x5a8,
     .count = 2,
     .stride = 4,
     .writable = ALL,
     .summary = "In the ring context from Gen12 on; its meaning is not public.",
     .spec = "TGL PRM vol 2c"},
    {.name = "THIRD_BB_ADDR",
     .offset = THIRD_BB_ADDR,
     .writable = ALL,
     .summary = "Third-level batch address; bit 0 valid; the place is our choice.",
     .spec = "TGL PRM vol 2c"},
    {.name = "THIRD_BB_ADDR_UDW",
     .offset = THIRD_BB_ADDR_UDW,
     .writable = 0xffff,
     .summary = "Third-level batch address, upper half; the place is our choice.",
     .spec = "TGL PRM vol 2c"},
    {.name = "THIRD_BB_STATE",
     .offset = THIRD_BB_STATE,
     .writable = ALL,
     .summary = "State of the third-level batch; the place is our choice.",
     .spec = "TGL PRM vol 2c"},
};

static const struct reg gen125_rows[] = {
    {.name = "RING_START_UDW",
     .offset = 0x048,
     .summary = "Upper half of the ring's address: the GGTT has none.",
     .spec = "Linux, xe_engine_regs"},
    {.name = "INDIRECT_RING_STATE",
     .offset = 0x108,
     .summary = "Where a ring's state is beside the image: it is in it.",
     .spec = "Linux, xe_engine_regs"},
    {.name = "INT_SRC_RPT_PTR",
     .offset = INT_SRC_RPT_PTR,
     .flags = REG_IMAGE,
     .writable = 0xffffffc0,
     .summary = "GGTT address of the bytes that tell who raised an interrupt.",
     .spec = "SYS-22; Linux, xe_memirq"},
    {.name = "IMR",
     .offset = RING_IMR,
     .flags = REG_IMAGE,
     .writable = ALL,
     .after_write = imr_written,
     .summary = "Masked interrupt bits; loaded from a context image: bits of memory-based interrupts.",
     .spec = "CSP-23, SYS-22; Linux, xe_memirq"},
    {.name = "INT_STATUS_RPT_PTR",
     .offset = INT_STATUS_RPT_PTR,
     .flags = REG_IMAGE,
     .writable = 0xfffff000,
     .summary =
         "GGTT address of the status bytes of memory-based interrupts; 0: interrupts go through registers.",
     .spec = "SYS-22; Linux, xe_memirq"},
    {.name = "RESET_CTL",
     .offset = RESET_CTL,
     .kind = REG_MASKED,
     .writable = 0xfff9,
     .w1c = RESET_CTL_CATASTROPHIC,
     FIELDS(gen125_reset_ctl_fields),
     .after_write = reset_ctl_written,
     .summary = "Asks the engine to get ready for a reset; it answers in bit 1. A catastrophic error, write "
                "1 to clear.",
     .spec = "CSP-23; Linux, intel_reset"},
    {.name = "ENGINE_ID",
     .offset = 0x08c,
     FIELDS(engine_id_fields),
     .before_read = engine_id_read,
     .summary = "Identifies the engine: class (as in the interrupt identity) and instance.",
     .spec = "SYS-21; Linux, xe_engine_regs"},
    {.name = "PRT_BB_STATE",
     .offset = 0x120,
     .count = 2,
     .stride = 4,
     .writable = ALL,
     .summary = "In the ring context of Xe_HPG; its meaning is not public.",
     .spec = "Linux, dg2_xcs_offsets"},
    {.name = "MI_SET_PREDICATE_RESULT",
     .offset = 0x3b8,
     .writable = 1,
     .summary = "Kept; what MI_SET_PREDICATE asked for is in MI_MODE here.",
     .spec = "Linux, gen8_engine_cs"},
    {.name = "ECOSKPD",
     .offset = 0x1d0,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Workaround bits of the streamer.",
     .spec = "Linux, intel_workarounds"},
};

/* How contexts are submitted and reported: Gen8 to Gen10, and Gen11. */
static const struct reg gen8_submission_rows[] = {
    {.name = "EXECLIST_SUBMITPORT",
     .offset = 0x230,
     .writable = ALL,
     .after_write = elsp_written,
     .summary = "Submit port: element 1 high, low, element 0 high, low.",
     .spec = "CSP-17"},
    {.name = "CONTEXT_STATUS_BUF",
     .offset = 0x370,
     .count = 6,
     .stride = 8,
     .dwords = 2,
     .summary = "Context status entries: status, context id.",
     .spec = "CSP-19, OVR-07"},
    {.name = "CONTEXT_STATUS_PTR",
     .offset = 0x3a0,
     .kind = REG_MASKED,
     .writable = 0x0707,
     .reset = 0x7,
     FIELDS(status_ptr_fields),
     .after_write = status_ptr_written,
     .summary = "Read and write pointers of the status buffer.",
     .spec = "CSP-19, OVR-07"},
};
static const struct reg gen11_submission_rows[] = {
    {.name = "CSCMDOP",
     .offset = 0x20c,
     .summary = "Opcode of a command that is waited for: none is shown.",
     .spec = "ICL PRM vol 2c"},
    {.name = "CONTEXT_STATUS_PTR",
     .offset = 0x3a0,
     .kind = REG_MASKED,
     .writable = 0x0f0f,
     .reset = 0x0b0b,
     FIELDS(gen11_status_ptr_fields),
     .after_write = status_ptr_written,
     .summary = "Read and write pointers of the status buffer.",
     .spec = "CSP-19"},
    {.name = "EXECLIST_SQ_CONTENTS",
     .offset = 0x510,
     .count = 8,
     .stride = 8,
     .dwords = 2,
     .writable = UINT64_MAX,
     .summary = "Context descriptors of the submit queue.",
     .spec = "CSP-17"},
    {.name = "EXECLIST_CONTROL",
     .offset = 0x550,
     .writable = 0x3,
     .after_write = control_written,
     .summary = "Bit 0 loads the submit queue for execution.",
     .spec = "CSP-17"},
};

const struct register_block gen8_submission_registers = REGISTER_BLOCK("submission", gen8_submission_rows);
const struct register_block gen11_submission_registers = REGISTER_BLOCK("submission", gen11_submission_rows);
const struct register_block ring_registers = REGISTER_BLOCK("ring", rows);
const struct register_block gen8_ring_registers = REGISTER_BLOCK("ring", gen8_rows);
const struct register_block gen12_ring_registers = REGISTER_BLOCK("ring", gen12_rows);
static const struct reg gen200_rows[] = {
    {.name = "CSFE_CHICKEN1",
     .offset = 0x0d4,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Workaround bits of the streamer's front end.",
     .spec = "Linux, xe_engine_regs"},
    {.name = "CTX_TIMESTAMP_UDW",
     .offset = CTX_TIMESTAMP_UDW,
     .writable = ALL,
     .before_read = ctx_timestamp_udw_read,
     .summary = "Upper half of the time the context has run.",
     .spec = "Linux, xe_engine_regs"},
};
const struct register_block gen200_ring_registers = REGISTER_BLOCK("ring", gen200_rows);
const struct register_block gen125_ring_registers = REGISTER_BLOCK("ring", gen125_rows);
