/*
 * Any bytes as commands of Sandy Bridge: in a ring of the engine that the first byte picks, or in a batch,
 * secure or not (second byte: bit 0 a batch, bit 1 non-secure, bit 2 per-process tables, bit 3 saved and
 * loaded half way). The GGTT and the page table map the first megabyte of bus memory, which holds them too.
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
    STATUS = 0xf000,
    BATCH = 0x20000,
    RING_BYTES = 0x8000
};

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return (uint8_t *)user + address;
}

static void write32(struct softgt *device, uint64_t offset, uint32_t value)
{
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > MEMORY_BYTES / 2)
        return 0;
    uint8_t *memory = calloc(1, MEMORY_BYTES);
    struct softgt *device;
    const struct softgt_config config = {.device = "snb", .memory = {.user = memory, .map = map}};
    if (!memory || softgt_create(&config, &device) != 0)
        abort();
    struct driver driver;
    struct driver_ppgtt ppgtt;
    struct driver_writes writes = {0};
    driver_init(&driver, device, &config.memory, TABLES, RING - TABLES);
    driver_map_ggtt(&driver, 0, 0, MEMORY_BYTES);
    if (!driver_ppgtt_make(&driver, &ppgtt, 0) ||
        !driver_map(&driver, &ppgtt, 0, 0, MEMORY_BYTES, PAGE_BYTES))
        abort();
    const struct engine_info *engine = &device->sheet->engines[data[0] % softgt_info(device)->engine_count];
    const bool batch = data[1] & 1u;
    const size_t length = size - 2 < RING_BYTES - 64 ? size - 2 : RING_BYTES - 64;
    const uint32_t start[] = {0x18800000 | (data[1] & 2u ? 0x100 : 0), BATCH};
    memcpy(memory + (batch ? BATCH : RING), data + 2, length);
    if (batch)
        memcpy(memory + RING, start, sizeof start);
    const struct driver_ring ring = {RING, RING_BYTES, 0, batch ? 8 : (uint32_t)length & ~7u};
    write32(device, engine->mmio_base + engine->hws_pga, STATUS);
    driver_set_directory(&writes, engine, data[1] & 4u ? &ppgtt : NULL);
    write32(device, 0x209c, 0x10001000);
    driver_set_ring(&writes, engine, &ring);
    driver_write(device, &writes);
    softgt_run(device, 1 << 10);
    if (data[1] & 8u) {
        const size_t bytes = softgt_save(device, NULL, 0);
        uint8_t *state = malloc(bytes);
        if (!state || softgt_save(device, state, bytes) != bytes || softgt_load(device, state, bytes) != 0)
            abort();
        free(state);
    }
    softgt_run(device, 1 << 14);
    softgt_advance(device, 20000000);
    softgt_run(device, 1 << 14);
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
