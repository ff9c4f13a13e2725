/* The vfio-user protocol: little-endian, as in QEMU 10.1 and later. (QEMU docs/interop/vfio-user) */
#ifndef SERVER_PROTOCOL_H
#define SERVER_PROTOCOL_H

#include <stdint.h>

enum vfio_user_command {
    VFIO_USER_VERSION = 1,
    VFIO_USER_DMA_MAP = 2,
    VFIO_USER_DMA_UNMAP = 3,
    VFIO_USER_DEVICE_GET_INFO = 4,
    VFIO_USER_DEVICE_GET_REGION_INFO = 5,
    VFIO_USER_DEVICE_GET_REGION_IO_FDS = 6,
    VFIO_USER_DEVICE_GET_IRQ_INFO = 7,
    VFIO_USER_DEVICE_SET_IRQS = 8,
    VFIO_USER_REGION_READ = 9,
    VFIO_USER_REGION_WRITE = 10,
    VFIO_USER_DMA_READ = 11,
    VFIO_USER_DMA_WRITE = 12,
    VFIO_USER_DEVICE_RESET = 13,
    VFIO_USER_REGION_WRITE_MULTI = 15,
};

/* Header flags. */
enum {
    VFIO_USER_TYPE = 0xf,
    VFIO_USER_TYPE_COMMAND = 0,
    VFIO_USER_TYPE_REPLY = 1,
    VFIO_USER_NO_REPLY = 1 << 4,
    VFIO_USER_ERROR = 1 << 5,
};

struct vfio_user_header {
    uint16_t id, command;
    uint32_t size_bytes; /* with the header */
    uint32_t flags, error;
};

struct vfio_user_version {
    uint16_t major, minor;
    /* followed by JSON text with its NUL */
};

/* DMA_MAP and DMA_UNMAP flags. */
enum { DMA_READABLE = 1 << 0, DMA_WRITABLE = 1 << 1, DMA_UNMAP_ALL = 1 << 1 };

struct vfio_user_dma_map {
    uint32_t argsz, flags;
    uint64_t offset, address, size_bytes;
};

struct vfio_user_dma_unmap {
    uint32_t argsz, flags;
    uint64_t address, size_bytes;
};

enum { DEVICE_RESETTABLE = 1 << 0, DEVICE_PCI = 1 << 1 };

struct vfio_user_device_info {
    uint32_t argsz, flags, regions, interrupts;
};

/* A PCI function's regions and interrupts by number. */
enum { REGION_BAR0, REGION_CONFIG = 7, REGIONS = 9 };
enum { INTERRUPT_INTX, INTERRUPT_MSI, INTERRUPTS = 5 };

enum {
    REGION_READABLE = 1 << 0,
    REGION_WRITABLE = 1 << 1,
    REGION_MAPPABLE = 1 << 2,
    REGION_CAPABILITIES = 1 << 3
};

struct vfio_user_region_info {
    uint32_t argsz, flags, index, capability_offset;
    uint64_t size_bytes, offset;
};

enum { CAPABILITY_SPARSE_MMAP = 1 };

struct vfio_user_sparse_mmap { /* with one area */
    uint16_t id, version;
    uint32_t next, areas, reserved;
    uint64_t offset, size_bytes;
};

enum { IRQ_EVENTFD = 1 << 0, IRQ_MASKABLE = 1 << 1, IRQ_AUTOMASKED = 1 << 2, IRQ_NORESIZE = 1 << 3 };

struct vfio_user_irq_info {
    uint32_t argsz, flags, index, count;
};

enum {
    IRQ_DATA_NONE = 1 << 0,
    IRQ_DATA_BOOL = 1 << 1,
    IRQ_DATA_EVENTFD = 1 << 2,
    IRQ_ACTION_MASK = 1 << 3,
    IRQ_ACTION_UNMASK = 1 << 4,
    IRQ_ACTION_TRIGGER = 1 << 5,
};

struct vfio_user_irq_set {
    uint32_t argsz, flags, index, start, count;
};

struct vfio_user_region_access {
    uint64_t offset;
    uint32_t region, count_bytes;
};

struct vfio_user_write_multi {
    struct vfio_user_region_access at;
    uint8_t data[8];
};

struct vfio_user_dma_access {
    uint64_t address, count_bytes;
};

#endif
