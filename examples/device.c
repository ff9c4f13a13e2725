/*
 * A device in a program: memory, page table entries, a ring with two commands, an interrupt. It prints what
 * the guest did wrong, what ran, and what came out; on another device of Gen8 or Gen9 by its name: device bdw
 * cc device.c $(pkg-config --cflags --libs softgt)
 */
#include <softgt/softgt.h>

#include <inttypes.h>
#include <stdio.h>

static uint32_t ram[4096]; /* bus addresses 0 to 3fffh */
static unsigned interrupts;

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)write;
    *length_bytes = address < sizeof ram ? sizeof ram - address : 0;
    return *length_bytes ? (char *)ram + address : NULL;
}

static void interrupt(void *user, unsigned vector)
{
    (void)user, (void)vector;
    interrupts++;
}

static void report(void *user, const struct softgt_report *r)
{
    (void)user;
    fprintf(stderr, "%s at %#" PRIx64 ": %s\n", r->unit, r->address, r->text);
}

static void reg(struct softgt *gpu, uint64_t offset, uint32_t value)
{
    softgt_bar_write(gpu, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

int main(int argc, char **argv)
{
    /* MI_STORE_DATA_IMM of 42 to GGTT address 2000h, MI_USER_INTERRUPT, MI_NOOP */
    static const uint32_t commands[] = {0x10400002, 0x2000, 0, 42, 0x01000000, 0};
    const struct softgt_config config = {.device = argc > 1 ? argv[1] : "skl",
                                         .memory = {.map = map},
                                         .interrupt = {.msi = interrupt},
                                         .report = {.report = report}};
    struct softgt_engine_status rcs;
    struct softgt *gpu;
    if (softgt_create(&config, &gpu) != 0) {
        fprintf(stderr, "no device is called %s\n", config.device);
        return 2;
    }
    const uint64_t table = softgt_info(gpu)->mmio_bytes; /* the GGTT, behind the registers */
    for (uint64_t page = 1; page <= 2; page++)           /* present, at the same bus address */
        softgt_bar_write(gpu, SOFTGT_BAR_GTTMMADR, table + page * 8, page << 12 | 1, 8);
    for (unsigned i = 0; i < sizeof commands / 4; i++)
        ram[0x1000 / 4 + i] = commands[i];
    reg(gpu, 0x44200, 1u << 31); /* the master interrupt */
    reg(gpu, 0x44304, ~1u);      /* of GT interrupts, the render engine's user interrupt */
    reg(gpu, 0x4430c, 1);
    reg(gpu, 0x20a8, ~1u);
    reg(gpu, 0x2038, 0x1000);          /* RING_BUFFER_START of rcs0 */
    reg(gpu, 0x203c, 1);               /* RING_BUFFER_CTL: 4 KB, enabled */
    reg(gpu, 0x2030, sizeof commands); /* RING_BUFFER_TAIL */
    while (softgt_run(gpu, 1 << 16)) {
    } /* in pieces: a guest may loop */
    softgt_engine_get_status(gpu, 0, &rcs);
    printf("%s: %s ran %" PRIu64 " commands; stored %" PRIu32 ", %u interrupt(s)\n",
           softgt_info(gpu)->summary, rcs.name, rcs.commands, ram[0x2000 / 4], interrupts);
    softgt_destroy(gpu);
    return ram[0x2000 / 4] != 42 || interrupts != 1;
}
