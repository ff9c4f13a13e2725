/*
 * Any bytes as a batch, on the engine that the first byte picks. Bits of the second byte: the batch is
 * privileged; the bytes are a context image, a command stream too; the device is Gen11. Both address spaces
 * map the first megabyte of bus memory, which also holds tables, image and status page: commands may
 * overwrite all of it.
 */
#include "device/device.h"
#include "driver/driver.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_BYTES = 1 << 20,
    TABLES = 0x1000,
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
    struct driver driver;
    struct driver_ppgtt ppgtt;
    struct driver_writes start = {0}, submit = {0};
    driver_init(&driver, device, &config.memory, TABLES, RING - TABLES);
    driver_map_ggtt(&driver, 0, 0, MEMORY_BYTES);
    if (!driver_ppgtt_make(&driver, &ppgtt, 4) ||
        !driver_map(&driver, &ppgtt, 0, 0, MEMORY_BYTES, PAGE_BYTES))
        abort();
    const struct engine_info *engine = &device->sheet->engines[data[0] % softgt_info(device)->engine_count];
    const uint32_t ring[] = {0x18800001 | (data[1] & 1u ? 0 : 0x100), BATCH, 0, 0x02800000};
    const struct driver_context context = {
        .ring = {RING, PAGE_BYTES, 0, sizeof ring}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &ppgtt};
    driver_image(engine, &context, (uint32_t *)(void *)(memory + LRCA + DRIVER_IMAGE_OFFSET), 256);
    memcpy(memory + RING, ring, sizeof ring);
    if (data[1] & 2u)
        memcpy(memory + LRCA + 4096 + 4 * (data[2] % 200u), data + 3, size - 3 < 4096 ? size - 3 : 4096);
    else
        memcpy(memory + BATCH, data + 3, size - 3);
    driver_enable_execlists(&start, engine);
    driver_write(device, &start);
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, engine->mmio_base + engine->hws_pga, STATUS, 4);
    driver_submit(&submit, engine, driver_descriptor(LRCA, 1, &ppgtt), 0);
    for (unsigned i = 0; i < 2; i++) {
        driver_write(device, &submit);
        softgt_run(device, 1 << 14);
        softgt_advance(device, 1000);
    }
    softgt_reset(device);
    softgt_destroy(device);
    free(memory);
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root, (void)take;
}

void fuzz_words(fuzz_take *take)
{
    (void)take;
}
