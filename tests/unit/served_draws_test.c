/* A device that is served over vfio-user draws what the same device draws in its owner's process. */
#include "../suite.h"
#include "../draws.h"

#include "host/workers.h"

#include "vfio_client.h"
#include "vfio_server.h"

enum { GTTMMADR = 0, GGTT_TABLE = 8 << 20, SECONDS = 20 };

static const float triangle[3][3] = {{60, 30, 0}, {2, 29, 0}, {31, 1, 0}};

static const struct scene scene = {.topology = TRILIST,
                                   .vertices = 3,
                                   .at = triangle,
                                   .format = R32G32B32A32_UINT,
                                   .attributes = 1,
                                   .constant = 1};

static bool starts_threads(void *user, bool threads)
{
    if (!threads)
        workers_start(user);
    return true;
}

/* The registers and GGTT entries of the streamer's device. */
static void set_up(struct streamer *s)
{
    const struct engine_info *const info = &s->device->sheet->engines[s->engine];
    const struct driver_ring ring = {RING, RING_BYTES, 0, 0};
    struct driver_writes writes = {0};
    driver_set_directory(&writes, info, &s->ppgtt);
    driver_set_ring(&writes, info, &ring);
    for (uint32_t i = 0; i < MEMORY_BYTES / PAGE_BYTES * 2; i++)
        write32(GTTMMADR, GGTT_TABLE + i * 4, register_get(s, GGTT_TABLE + i * 4));
    write32(GTTMMADR, s->base + info->hws_pga, STATUS_PAGE);
    for (unsigned i = 0; i < writes.count; i++)
        write32(GTTMMADR, writes.list[i].offset, writes.list[i].value);
}

/* Runs what is in the streamer's ring on a server, in `memory`. */
static void run_served(struct streamer *s, uint8_t *memory, int fd, struct vfio_user_options options)
{
    options.device = softgt_info(s->device)->name;
    options.socket = socket_path;
    snprintf(socket_path, sizeof socket_path, "/tmp/softgt-draws-%d.sock", (int)getpid());
    memcpy(memory, s->memory, MEMORY_BYTES);
    server_start(options, socket_path);
    greet();
    assert_int_equal(map(0, MEMORY_BYTES, fd), 0);
    set_up(s);
    write32(GTTMMADR, s->base + RING_BUFFER_TAIL, s->tail);
    unsigned ms = 0;
    while ((read32(GTTMMADR, s->base + RING_BUFFER_HEAD) & (RING_BYTES - 1u)) != s->tail) {
        assert_true(ms++ < SECONDS * 1000);
        usleep(1000);
    }
    hang_up();
    assert_true(server_finish());
}

static void a_served_device_draws(void **state)
{
    (void)state;
    static const char *const names[] = {"bdw", "skl", "icl", "tgl"};
    const int fd = memfd_create("guest", 0);
    assert_int_equal(ftruncate(fd, MEMORY_BYTES), 0);
    uint8_t *const memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(memory != MAP_FAILED);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct streamer *const s = begin(names[i]);
        struct workers *const two = workers_prepare(2); /* a device may have the port before they start */
        const struct vfio_user_options options[] = {
            {.draws = false},
            {.draws = true},
            {.draws = true, .parallel = workers_port(two), .enclose = starts_threads, .user = two},
        };
        uint32_t dw[MOST_DW];
        put_places(s);
        batch_put(s, dw, put_scene(s, &scene, dw), true);
        for (unsigned n = 0; n < sizeof options / sizeof options[0]; n++) {
            uint8_t stale[PITCH * HEIGHT];
            memcpy(stale, s->memory + TARGET, sizeof stale);
            run_served(s, memory, fd, options[n]);
            if (!options[n].draws) {
                assert_memory_equal(memory + TARGET, stale, sizeof stale);
                continue;
            }
            struct streamer *const reference = begin(names[i]);
            memcpy(reference->memory, s->memory, MEMORY_BYTES);
            register_put(reference, s->base + RING_BUFFER_TAIL, s->tail);
            softgt_run(reference->device, RUN_BUDGET_DW);
            assert_int_equal(dword_at(reference, TARGET + 20 * PITCH + 31 * 16), 31);
            assert_memory_equal(memory + TARGET, reference->memory + TARGET, sizeof stale);
            streamer_destroy(reference);
        }
        workers_destroy(two);
        streamer_destroy(s);
    }
    munmap(memory, MEMORY_BYTES);
    close(fd);
}

TEST_PROGRAM(served_draws_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_served_device_draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
