/* Writes a stream that snb's encoder made, and what it reconstructed, as I420: for decoders that know nothing
 * of us. encode SEED FOLDER */
#include "encodes.h"

static void save(const char *folder, const char *name, const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        exit(1);
}

static size_t reconstructed(const struct streamer *s, const struct picture *p, uint8_t *to)
{
    const uint8_t *const at = s->memory + reconstructed_at(p);
    size_t n = 0;
    for (uint32_t y = 0; y < p->height * 16; y++)
        for (uint32_t x = 0; x < p->width * 16; x++)
            to[n++] = at[tiled_at(p, x, y)];
    for (uint32_t which = 0; which < 2; which++)
        for (uint32_t y = 0; y < p->height * 8; y++)
            for (uint32_t x = 0; x < p->width * 8; x++)
                to[n++] = at[tiled_at(p, 2 * x + which, CB_ROWS + y)];
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint64_t seed = strtoull(argv[1], NULL, 0);
    struct streamer *const s = streamer_create("snb");
    streamer_start(s, VIDEO_ENGINE);
    struct picture p = {
        .width = 1 + below(&seed, 9), .height = 1 + below(&seed, 9), .seed = random_next(&seed)};
    if (below(&seed, 3) == 0) { /* more than a row of cache lines */
        p.wide = true;
        p.width = 10 + below(&seed, 55);
    }
    p.weights = p.seed;
    p.qp = below(&seed, 52);
    p.qp_spread = below(&seed, 3) ? 0 : below(&seed, 20) + 1;
    p.kinds = 1 + below(&seed, 7);
    const uint32_t inter = below(&seed, 4) * 8, pictures = 1 + (inter ? below(&seed, 4) : 0);
    p.slices = 1 + below(&seed, p.height);
    p.cb_offset = (below(&seed, 25) - 12u) & 31u;
    p.cr_offset = (below(&seed, 25) - 12u) & 31u;
    p.noise = below(&seed, 3) ? below(&seed, 30) : 255;
    p.cabac = below(&seed, 2);
    p.tiled = below(&seed, 2);
    p.transform_8x8 = below(&seed, 2);
    p.weighted = below(&seed, 3) == 0;
    p.zero_words = below(&seed, 2);
    p.chops = below(&seed, 4) == 0;
    p.least_words = below(&seed, 4) ? 0 : below(&seed, 0x4000);
    p.deblocking = below(&seed, 3);
    p.alpha = (int32_t)below(&seed, 13) - 6;
    p.beta = (int32_t)below(&seed, 13) - 6;
    static uint8_t stream[1 << 22], pixels[4 * 16 * 64 * 16 * 9 * 2];
    size_t stream_size = 0, size = 0;
    for (p.number = 0; p.number < pictures; p.number++) {
        p.kinds |= p.number ? inter : 0;
        p.init = below(&seed, 3);
        p.reach = below(&seed, 3) ? below(&seed, 40) : below(&seed, 900);
        encode(s, &p);
        memcpy(stream + stream_size, s->memory + STREAM, stream_bytes(s));
        stream_size += stream_bytes(s);
        size += reconstructed(s, &p, pixels + size);
        p.seed = random_next(&seed);
    }
    save(argv[2], "stream.264", stream, stream_size);
    save(argv[2], "reconstructed.yuv", pixels, size);
    printf("%u pictures %ux%u %s qp %u+%u kinds %u slices %u deblocking %u%s%s%s%s, %u bytes, %u bits\n",
           pictures, p.width, p.height, p.cabac ? "CABAC" : "CAVLC", p.qp, p.qp_spread, p.kinds, p.slices,
           p.deblocking, p.tiled ? " tiled" : "", p.weighted ? " weighted" : "",
           p.transform_8x8 ? " 8x8" : "", p.chops ? " chops" : "", (unsigned)stream_size,
           register_get(s, COUNTS));
    streamer_destroy(s);
    return 0;
}
