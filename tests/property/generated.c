/*
 * What no program was written for: random commands of every engine class that end the same however they are
 * played. `generated SEED COUNT [DEVICE [ENGINE]]` plays other ones; what fails is told with its seed.
 */
#include "../ways.h"

static void check_device(const struct sheet *sheet, const char *engine, uint64_t seed, uint64_t count)
{
    struct world w;
    world_create(&w, sheet);
    w.limit_dw = 1 << 22; /* a blit of gigabytes is left alone */
    for (unsigned i = 0; i < sheet->info.engine_count; i++) {
        w.engine = &sheet->engines[i];
        if (engine && strcmp(engine, w.engine->name) != 0)
            continue;
        for (uint64_t n = 0; n < count; n++) {
            w.cuts = (seed + n) ^ 0x5eed;
            if (w.engine->instance == 0 || engine)
                check_ways(&w, seed + n, UINT32_MAX);
            if (peer(&w))
                check_moves(&w, peer(&w), seed + n);
        }
    }
    softgt_destroy(w.device);
    softgt_destroy(w.spare);
    free(w.memory);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1,
                   count = argc > 2 ? strtoull(argv[2], NULL, 0) : 6;
    for (const struct sheet *const *s = sheets; *s; s++)
        if (argc < 4 || strcmp(argv[3], (*s)->info.name) == 0)
            check_device(*s, argc > 4 ? argv[4] : NULL, seed, count);
    printf("%u failures\n", failures);
    return failures != 0;
}
