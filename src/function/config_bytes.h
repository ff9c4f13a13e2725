/* Bytes of PCI configuration space; sizes of resizable BARs. */
#ifndef FUNCTION_CONFIG_BYTES_H
#define FUNCTION_CONFIG_BYTES_H

#include <softgt/softgt.h>

#include <stdint.h>

static inline void pci_put(uint8_t *bytes, uint32_t offset, uint64_t value, unsigned size_bytes)
{
    for (unsigned i = 0; i < size_bytes; i++)
        bytes[offset + i] = (uint8_t)(value >> (i * 8u));
}

static inline uint32_t pci_get16(const uint8_t *bytes, uint32_t offset)
{
    return bytes[offset] | (uint32_t)bytes[offset + 1] << 8;
}

/* Resizable BARs: bit 4 of the supported sizes is 1 MB. */
enum { REBAR_FIRST_SIZE = 4, REBAR_COUNT = 1u << 5, MB_BITS = 20 };

static inline uint64_t pci_rebar_bytes(uint32_t size)
{
    return UINT64_C(1) << (MB_BITS + (size & 0x3fu) % 44u);
}

static inline uint32_t pci_rebar_control(uint64_t bytes)
{
    return SOFTGT_BAR_LOCAL | REBAR_COUNT | (uint32_t)(__builtin_ctzll(bytes) - MB_BITS) << 8;
}

#endif
