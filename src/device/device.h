/* A device: owns every unit and builds them from the data sheet. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "device/host.h"
#include "display/vga.h"

enum { PCI_CONFIG_BYTES = 256 };

struct pci {
    uint8_t bytes[PCI_CONFIG_BYTES], writable[PCI_CONFIG_BYTES];
    uint32_t io_index;
    uint64_t local_bar_bytes; /* how much of local memory BAR 2 shows */
};

/* Virtual functions: what of them is in configuration spaces (functions.c). */
enum {
    FUNCTIONS_CONFIG = 0x110, /* where their capabilities begin in the physical function's */
    FUNCTIONS_CONFIG_BYTES = 0xb0,
};
struct sriov {
    unsigned count; /* at most; 0: the part has none, or none was asked for */
    bool apart;     /* they are the owner's, not the physical function's driver's */
    struct interrupt_function *vf_interrupts;
    struct accessor *vf_accessors; /* their drivers */
    struct pci *vf_config;         /* of each; the first is function 1's */
    uint8_t bytes[FUNCTIONS_CONFIG_BYTES], writable[FUNCTIONS_CONFIG_BYTES];
    uint8_t sticky[FUNCTIONS_CONFIG_BYTES]; /* sticky bits over a reset that keeps them */
    bool keeps_sticky;
    uint64_t local_bar_bytes; /* of each one's BAR of local memory */
};

/* Units run in turn, a slice each; a run that its budget ends goes on in the same slice. */
struct unit_scheduler {
    uint64_t slice_left_dw;
    uint32_t current_unit; /* unit whose slice it is */
    uint32_t idle_units;   /* units in a row that did nothing */
};

struct thread_dispatcher; /* dispatcher/dispatcher.h */

struct softgt {
    const struct sheet *sheet;
    struct device_log log;
    struct memory memory;
    struct register_file mmio;
    struct interrupt interrupt;
    struct display display;
    struct vga vga;
    struct gt gt;
    struct oa oa, oam;
    struct guc guc;                     /* where the sheet has one */
    struct command_set set, structures; /* the latter where threads run */
    struct pci pci;
    struct sriov sriov;
    struct engine *engines;               /* sheet->info.engine_count */
    struct thread_dispatcher *dispatches; /* of each engine that runs threads; NULL: none does */
    struct unit_scheduler scheduler;
    struct mmu cpu;     /* the CPU's way through the aperture */
    struct unit *units; /* all of them, in the order of resets, turns and saved states */
    unsigned unit_count;
};

/* pci.c */
void pci_reset(struct softgt *d);
void pci_virtual_reset(const struct softgt *d, struct pci *p);
bool pci_write(const struct softgt *d, struct pci *p, uint32_t at, uint8_t byte);
bool pci_by_message(const struct softgt *d, const struct pci *p);
static inline void pci_put(uint8_t *bytes, uint32_t offset, uint64_t value, unsigned size_bytes)
{
    for (unsigned i = 0; i < size_bytes; i++)
        bytes[offset + i] = (uint8_t)(value >> (i * 8u));
}
static inline uint32_t pci_get16(const uint8_t *bytes, uint32_t offset)
{
    return bytes[offset] | (uint32_t)bytes[offset + 1] << 8;
}
/* Resizable BARs: bit 4 of what can be is 1 MB. */
enum { REBAR_FIRST_SIZE = 4, REBAR_COUNT = 1u << 5, MB_BITS = 20 };
static inline uint64_t pci_rebar_bytes(uint32_t size)
{
    return UINT64_C(1) << (MB_BITS + (size & 0x3fu) % 44u);
}
static inline uint32_t pci_rebar_control(uint64_t bytes)
{
    return SOFTGT_BAR_LOCAL | REBAR_COUNT | (uint32_t)(__builtin_ctzll(bytes) - MB_BITS) << 8;
}
/* functions.c */
bool functions_create(struct softgt *d, const struct softgt_config *config);
void functions_destroy(struct softgt *d);
void functions_reset(struct softgt *d);
void functions_settle(struct softgt *d);
void functions_state(struct softgt *d, struct state *s);
uint8_t functions_config_read(const struct softgt *d, uint32_t at);
void functions_config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes);
/* The reset that comes is a function-level one. */
void functions_keep_sticky(struct softgt *d);
/* Those that are apart are all there from now on, with BARs for so much of local memory. */
void functions_begin(struct softgt *d, uint64_t local_bytes);
void pci_state(struct softgt *d, struct state *s);
/* save.c */
void device_reset(struct softgt *d, enum reset_scope scope);
void device_state(struct softgt *d, struct state *s);
void device_settle(struct softgt *d);
/* What tables say is another matter from now on: of what units have translated nothing stays. */
void device_tables_changed(struct softgt *d);
extern const struct section device_section;
uint64_t pci_io_read(struct softgt *d, uint64_t offset, unsigned size_bytes);
void pci_io_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes);

#endif
