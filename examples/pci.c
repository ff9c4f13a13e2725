/*
 * The device in another emulator: a PC of CPU (Unicorn), memory, a PCI bus and this graphics card. Its guest,
 * pci_guest.S, finds the card through ports CF8h and CFCh, sizes and maps its BARs, enables MSI, fills GGTT
 * entries and a ring, starts commands, sleeps until the interrupt, and checks what the commands stored.
 * cc pci.c pci_guest.S $(pkg-config --cflags --libs softgt unicorn)
 */
#include <softgt/softgt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

enum { RAM_BYTES = 2 << 20, GUEST_AT = 0x10000, SLOT = 2, BARS = 3, COUNT = 1000, MOST_TURNS = 1000 };
enum { COMMAND = 4, COMMAND_MEMORY = 2, BAR_0 = 0x10, CAPABILITIES = 0x34, MSI = 5, MSI_DATA = 8 };

struct bar {
    struct machine *machine;
    unsigned number;
    uint64_t address, size_bytes; /* 0: not mapped */
};

struct machine {
    uc_engine *cpu;
    struct softgt *gpu;
    uint8_t *ram;
    uint32_t config_address; /* port CF8h */
    struct bar bars[BARS];
    int vector;    /* of the message to deliver; -1: none */
    int exit_code; /* what the guest wrote to port F4h; -1: it has not */
};

extern const uint8_t guest_begin[], guest_end[];

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* ---- What the device asks for ---- */

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct machine *const m = user;
    (void)write;
    if (address >= RAM_BYTES)
        return NULL;
    *length_bytes = RAM_BYTES - address;
    return m->ram + address;
}

/* The capability's message data is the CPU's vector. */
static void msi(void *user, unsigned number)
{
    struct machine *const m = user;
    uint32_t at = softgt_pci_config_read(m->gpu, CAPABILITIES, 1);
    (void)number;
    while (at && softgt_pci_config_read(m->gpu, at, 1) != MSI)
        at = softgt_pci_config_read(m->gpu, at + 1, 1);
    m->vector = (int)softgt_pci_config_read(m->gpu, at + MSI_DATA, 1);
}

static void intx(void *user, bool asserted)
{
    (void)user;
    if (asserted)
        fail("INTx, but the guest has enabled MSI");
}

static void report(void *user, const struct softgt_report *r)
{
    (void)user;
    fprintf(stderr, "%s at %#llx: %s\n", r->unit, (unsigned long long)r->address, r->text);
}

/* ---- The bus ---- */

static uint64_t bar_read(uc_engine *cpu, uint64_t offset, unsigned size_bytes, void *user)
{
    const struct bar *const b = user;
    (void)cpu;
    return softgt_bar_read(b->machine->gpu, b->number, offset, size_bytes);
}

static void bar_write(uc_engine *cpu, uint64_t offset, unsigned size_bytes, uint64_t value, void *user)
{
    const struct bar *const b = user;
    (void)cpu;
    softgt_bar_write(b->machine->gpu, b->number, offset, value, size_bytes);
}

/* Maps memory BARs where configuration space says, after each write of it. */
static void map_bars(struct machine *m)
{
    const bool enabled = softgt_pci_config_read(m->gpu, COMMAND, 2) & COMMAND_MEMORY;
    for (unsigned n = 0; n < BARS; n++) {
        struct bar *const b = &m->bars[n];
        struct softgt_bar_info info;
        if (!softgt_bar_get_info(m->gpu, n, &info) || info.is_io)
            continue;
        const uint64_t address = softgt_pci_config_read(m->gpu, BAR_0 + 4 * n, 4) & ~UINT32_C(15);
        const uint64_t size = enabled ? info.size_bytes : 0;
        if (size == b->size_bytes && (!size || address == b->address))
            continue;
        if (b->size_bytes)
            uc_mem_unmap(m->cpu, b->address, b->size_bytes);
        *b = (struct bar){m, n, address, size};
        if (size && uc_mmio_map(m->cpu, address, size, bar_read, b, bar_write, b) != UC_ERR_OK)
            fail("a BAR overlaps something");
    }
}

/* The slot that CF8h selects is the card's. */
static bool is_selected(const struct machine *m)
{
    return (m->config_address & ~0xffu) == (0x80000000u | SLOT << 11);
}

static uint32_t port_in(uc_engine *cpu, uint32_t port, int size_bytes, void *user)
{
    const struct machine *const m = user;
    (void)cpu;
    if (port == 0xcf8)
        return m->config_address;
    return port >= 0xcfc && port < 0xd00 && is_selected(m)
               ? softgt_pci_config_read(m->gpu, (m->config_address & 0xfc) + port - 0xcfc,
                                        (unsigned)size_bytes)
               : UINT32_MAX;
}

static void port_out(uc_engine *cpu, uint32_t port, int size_bytes, uint32_t value, void *user)
{
    struct machine *const m = user;
    if (port == 0xcf8) {
        m->config_address = value;
    } else if (port >= 0xcfc && port < 0xd00 && is_selected(m)) {
        softgt_pci_config_write(m->gpu, (m->config_address & 0xfc) + port - 0xcfc, value,
                                (unsigned)size_bytes);
        map_bars(m);
    } else if (port == 0xf4) {
        m->exit_code = (int)value;
        uc_emu_stop(cpu);
    }
}

/* ---- The CPU ---- */

/* What a CPU does with an interrupt: flags, CS and EIP go onto the stack, the gate has the new EIP. */
static void deliver_interrupt(struct machine *m)
{
    uint32_t flags, cs = 0, ip, sp, gate[2];
    uc_x86_mmr idt;
    uc_reg_read(m->cpu, UC_X86_REG_EFLAGS, &flags);
    if (m->vector < 0 || !(flags & 0x200))
        return;
    uc_reg_read(m->cpu, UC_X86_REG_CS, &cs);
    uc_reg_read(m->cpu, UC_X86_REG_EIP, &ip);
    uc_reg_read(m->cpu, UC_X86_REG_ESP, &sp);
    uc_reg_read(m->cpu, UC_X86_REG_IDTR, &idt);
    const uint32_t frame[] = {ip, cs, flags};
    sp -= (uint32_t)sizeof frame;
    if (uc_mem_write(m->cpu, sp, frame, sizeof frame) != UC_ERR_OK ||
        uc_mem_read(m->cpu, idt.base + (unsigned)m->vector * 8u, gate, sizeof gate) != UC_ERR_OK)
        fail("the guest's stack or IDT is not in memory");
    ip = (gate[1] & 0xffff0000) | (gate[0] & 0xffff);
    flags &= ~0x200u;
    uc_reg_write(m->cpu, UC_X86_REG_ESP, &sp);
    uc_reg_write(m->cpu, UC_X86_REG_EFLAGS, &flags);
    uc_reg_write(m->cpu, UC_X86_REG_EIP, &ip);
    m->vector = -1;
}

/* CPU and device in turn, each within a budget, until the guest exits. */
static void run(struct machine *m)
{
    uint32_t ip = GUEST_AT;
    for (unsigned turn = 0; m->exit_code < 0; turn++) {
        const uc_err error = uc_emu_start(m->cpu, ip, RAM_BYTES, 0, COUNT);
        if (error != UC_ERR_OK || turn == MOST_TURNS)
            fail(turn == MOST_TURNS ? "the guest hangs" : uc_strerror(error));
        softgt_run(m->gpu, 1 << 16);
        softgt_advance(m->gpu, 100000);
        deliver_interrupt(m);
        uc_reg_read(m->cpu, UC_X86_REG_EIP, &ip);
    }
}

int main(void)
{
    struct machine m = {.vector = -1, .exit_code = -1, .ram = aligned_alloc(4096, RAM_BYTES)};
    const struct softgt_config config = {.device = "skl",
                                         .memory = {.user = &m, .map = map},
                                         .interrupt = {.user = &m, .msi = msi, .intx = intx},
                                         .report = {.report = report}};
    uc_hook in, out;
    if (!m.ram || softgt_create(&config, &m.gpu) != 0 ||
        uc_open(UC_ARCH_X86, UC_MODE_32, &m.cpu) != UC_ERR_OK)
        fail("no memory");
    memset(m.ram, 0, RAM_BYTES);
    memcpy(m.ram + GUEST_AT, guest_begin, (size_t)(guest_end - guest_begin));
    if (uc_mem_map_ptr(m.cpu, 0, RAM_BYTES, UC_PROT_ALL, m.ram) != UC_ERR_OK ||
        uc_hook_add(m.cpu, &in, UC_HOOK_INSN, (void *)(uintptr_t)port_in, &m, 1, 0, UC_X86_INS_IN) !=
            UC_ERR_OK ||
        uc_hook_add(m.cpu, &out, UC_HOOK_INSN, (void *)(uintptr_t)port_out, &m, 1, 0, UC_X86_INS_OUT) !=
            UC_ERR_OK)
        fail("Unicorn cannot do that");
    run(&m);
    printf("the guest %s: BAR 0 at %#llx, BAR 2 at %#llx, %llu interrupt(s)\n",
           m.exit_code ? "failed" : "is content", (unsigned long long)m.bars[0].address,
           (unsigned long long)m.bars[2].address, (unsigned long long)softgt_interrupt_count(m.gpu));
    uc_close(m.cpu);
    softgt_destroy(m.gpu);
    free(m.ram);
    return m.exit_code;
}
