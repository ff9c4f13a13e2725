/*
 * A kernel alone, as a compiler's test would run it: bytes in, results out, and what can be seen on the way.
 * It uses nothing but the installed library: cc kernel.c $(pkg-config --cflags --libs softgt)
 */
#include <softgt/eu.h>

#include <inttypes.h>
#include <stdio.h>

enum { SIMD = 16, THREADS = 4, GROUPS = 3, COUNT = SIMD * THREADS * GROUPS };
#define IN  UINT64_C(0x100000000) /* where the kernel finds its buffers */
#define OUT UINT64_C(0x200000000)

/* out[i] = 0.5 + in[i] * in[i], on Gen9. The channels' places in their group are in r1, 0.5 is in r4. */
static const uint32_t squares[] = {
    0x00800001, 0x21001208, 0x00b10020, 0x00000000, /* mov (16)  r8:ud   r1:uw */
    0x00800009, 0x21400208, 0x06000004, 0x00000006, /* shl (16)  r10:ud  r0.1<0;1,0>:ud  6 -- the group */
    0x00800040, 0x21400208, 0x028d0140, 0x008d0100, /* add (16)  r10:ud  r10:ud  r8:ud */
    0x00800009, 0x21400208, 0x068d0140, 0x00000002, /* shl (16)  r10:ud  r10:ud  2 */
    0x0c800031, 0x21800208, 0x04000140, 0x04205e00, /* send (16) r12  r10  -- untyped read of surface 0 */
    0x0080015b, 0x0c1e0000, 0x39004001, 0x03072018, /* mad (16)  r12:f  r4.0<0>:f  r12:f  r12:f */
    0x0c800031, 0x20000200, 0x04000140, 0x08025e01, /* send (16) null  r10  -- untyped write of surface 1 */
    0x07600031, 0x20000204, 0x04000fe0, 0x82000000, /* send (8)  null  r127  -- end of thread */
};
enum { MAD_IP = 5 * 16 };

static float in[COUNT], out[COUNT];

static void show_change(void *user, const struct softgt_eu_change *c)
{
    float first;
    (void)user;
    __builtin_memcpy(&first, c->after, sizeof first);
    if (c->file == SOFTGT_EU_GRF)
        printf("    %s%u becomes %g, ...\n", softgt_eu_file_name(c->file), c->number, first);
}

/* The instruction that the breakpoint is at, and what it does. */
static void show(void *user, struct softgt_eu_thread *thread)
{
    char text[120];
    (void)user;
    softgt_eu_thread_disassemble(thread, text, sizeof text);
    printf("  %s\n", text);
    softgt_eu_thread_changes(thread, NULL, show_change);
}

static int run_with_breakpoint(struct softgt_eu *eu)
{
    const struct softgt_eu_hooks shows = {.after = show};
    struct softgt_eu_outcome o;
    if (softgt_eu_set_breakpoint(eu, MAD_IP, true) != 0 ||
        softgt_eu_run(eu, UINT64_MAX, &o) != SOFTGT_EU_HELD)
        return 1;
    printf("held at %#" PRIx64 " in thread %u of group %u:\n", o.ip, o.thread, o.group[0]);
    /* One instruction, looked at; then all the rest as fast as it goes. */
    if (softgt_eu_watch(eu, &shows) != 0 || softgt_eu_step(eu, NULL) != SOFTGT_EU_HELD ||
        softgt_eu_watch(eu, NULL) != 0 || softgt_eu_set_breakpoint(eu, MAD_IP, false) != 0)
        return 1;
    if (softgt_eu_run(eu, UINT64_MAX, &o) != SOFTGT_EU_FINISHED)
        return 1;
    printf("finished: %" PRIu64 " threads ran %" PRIu64 " instructions\n", o.threads, o.instructions);
    for (int i = 0; i < COUNT; i++)
        if (out[i] != 0.5f + in[i] * in[i])
            return 1;
    return 0;
}

/* The buffer is taken away: the kernel's write has nowhere to go. */
static int run_astray(struct softgt_eu *eu, const struct softgt_eu_launch_config *launch)
{
    struct softgt_eu_outcome o;
    if (softgt_eu_unmap(eu, OUT) != 0 || softgt_eu_launch(eu, launch) != 0 ||
        softgt_eu_run(eu, UINT64_MAX, &o) != SOFTGT_EU_FAULT)
        return 1;
    printf("%s at %#" PRIx64 " in thread %u: %s of %#" PRIx64 "\n", o.why, o.ip, o.thread,
           o.is_write ? "write" : "read", o.address);
    return 0;
}

int main(void)
{
    static const float bias[8] = {0.5f};
    const struct softgt_eu_config config = {.device = "skl"};
    const struct softgt_eu_launch_config launch = {
        .groups = {GROUPS},
        .threads = THREADS,
        .channels = SIMD,
        .payload = SOFTGT_EU_LOCAL_IDS,
        .local_size = {SIMD * THREADS},
        .data = bias,
        .data_bytes = sizeof bias,
    };
    struct softgt_eu *eu;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)i / 4;
    if (softgt_eu_create(&config, &eu) != 0)
        return 1;
    const int failed =
        softgt_eu_set_kernel(eu, squares, sizeof squares) || softgt_eu_map(eu, IN, in, sizeof in, false) ||
        softgt_eu_map(eu, OUT, out, sizeof out, true) || softgt_eu_set_surface(eu, 0, IN, sizeof in) ||
        softgt_eu_set_surface(eu, 1, OUT, sizeof out) || softgt_eu_launch(eu, &launch) ||
        run_with_breakpoint(eu) || run_astray(eu, &launch);
    softgt_eu_destroy(eu);
    puts(failed ? "wrong" : "right");
    return failed;
}
