/*
 * Any bytes as a batch, on the engine that the first byte picks. Bits of the second byte: the batch is
 * privileged; the bytes are a context image, a command stream too; the device is Gen11. Both address spaces
 * map the first megabyte of bus memory, which also holds tables, image and status page: commands may
 * overwrite all of it.
 */
#include "device/device.h"
#include "fuzz_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_BYTES = 1 << 20,
    PML4 = 0x1000,
    RING = 0x8000,
    LRCA = 0x10000,
    BATCH = 0x20000,
    STATUS = 0xf000
};

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return (uint8_t *)user + address;
}

static void put64(uint8_t *memory, uint64_t at, uint64_t value)
{
    memcpy(memory + at, &value, 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > MEMORY_BYTES / 2)
        return 0;
    uint8_t *memory = calloc(1, MEMORY_BYTES);
    struct softgt *device;
    const bool gen11 = data[1] & 4u;
    const struct softgt_config config = {.device = gen11 ? "icl" : "skl-gt3",
                                         .memory = {.user = memory, .map = map}};
    if (!memory || softgt_create(&config, &device) != 0)
        abort();
    for (uint64_t page = 0; page < MEMORY_BYTES / 4096; page++) {
        softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, softgt_info(device)->mmio_bytes + page * 8,
                         page << 12 | 1, 8);
        put64(memory, 0x4000 + page * 8, page << 12 | 3);
    }
    put64(memory, PML4, 0x2003);
    put64(memory, 0x2000, 0x3003);
    put64(memory, 0x3000, 0x4003);
    struct softgt_engine_status s;
    softgt_engine_status(device, data[0] % softgt_info(device)->engine_count, &s);
    const uint32_t base = s.mmio_base, privileged = data[1] & 1u;
    const uint32_t ring[] = {0x18800001 | (privileged ? 0 : 0x100), BATCH, 0, 0x02800000};
    /* clang-format off */
    const uint32_t image[0x34] = {
        [0x01] = 0x1100101b, base + 0x244, 0x00090009, base + 0x34, 0, base + 0x30, 16,
                 base + 0x38, RING, base + 0x3c, 1,
        [0x21] = 0x11001001, base + 0x270, PML4,
    };
    /* clang-format on */
    memcpy(memory + RING, ring, sizeof ring);
    memcpy(memory + LRCA + 4096, image, sizeof image);
    if (data[1] & 2u)
        memcpy(memory + LRCA + 4096 + 4 * (data[2] % 200u), data + 3, size - 3 < 4096 ? size - 3 : 4096);
    else
        memcpy(memory + BATCH, data + 3, size - 3);
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x29c, 0x80008000, 4);
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x80, STATUS, 4);
    for (unsigned i = 0; i < 2; i++) {
        if (gen11) {
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x510, LRCA | 0x339, 4);
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x514, 0, 4);
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x550, 1, 4);
        } else {
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x230, 0, 4);
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x230, 0, 4);
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x230, 1, 4);
            softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, base + 0x230, LRCA | 0x339, 4);
        }
        softgt_run(device, 1 << 14);
        softgt_advance(device, 1000);
    }
    softgt_reset(device);
    softgt_destroy(device);
    free(memory);
    return 0;
}
