/* A program as a user writes it: one device, memory of its own, a register read and written. */
#include <softgt/softgt.h>

#include <stdio.h>
#include <string.h>

static unsigned char memory[1 << 20];

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)write;
    if (address >= sizeof memory)
        return NULL;
    *length_bytes = sizeof memory - address;
    return memory + address;
}

int main(void)
{
    struct softgt *device;
    const struct softgt_config config = {.device = "skl", .memory = {.map = map}};
    if (softgt_create(&config, &device) != 0)
        return 1;
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, 0x2094, 0x1234, 4); /* NOPID of rcs0 */
    const uint64_t value = softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, 0x2094, 4);
    softgt_destroy(device);
    printf("NOPID %llx\n", (unsigned long long)value);
    return value != 0x1234;
}
