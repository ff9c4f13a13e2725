/* A device: owns every unit and builds them from the data sheet. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "device/host.h"
#include "display/vga.h"
#include "function/sriov.h"

enum { PCI_CONFIG_BYTES = 256 };

struct pci {
    uint8_t bytes[PCI_CONFIG_BYTES], writable[PCI_CONFIG_BYTES];
    uint32_t io_index;
    uint64_t local_bar_bytes; /* how much of local memory BAR 2 shows */
};

/* VFs, as PCI and the CPU see them; [0] is VF 1. (functions.c) */
struct vf_views {
    struct interrupt_function *interrupts;
    struct accessor *accessors; /* their drivers */
    struct pci *config;
};

/* Units run in turn, a slice each; a run that its budget ends resumes in the same slice. */
#define UNIT_SCHEDULER(M, S)                                                                                 \
    M(S, NUMBER, uint64_t, slice_left_dw, 0)                                                                 \
    /* The unit that runs in the current slice. */                                                           \
    M(S, NUMBER, uint32_t, current_unit, 0)                                                                  \
    /* Units in a row that did nothing. */                                                                   \
    M(S, NUMBER, uint32_t, idle_units, 0)
struct unit_scheduler {
    STATE_MEMBERS(UNIT_SCHEDULER)
};

/* The function of softgt.h that changes the device now. Ports must not call another one. (guard.c) */
struct call_guard {
    const char *function; /* NULL: none */
    bool is_reporting;    /* a refused call is reported: a call from the report port is refused silently */
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
    struct gt gts[MOST_GTS]; /* [1]: where the sheet has a media GT */
    struct oa oa, oam;
    struct guc gucs[MOST_GTS];          /* of each GT, where the sheet has one */
    struct command_set set, structures; /* the latter where threads run */
    struct pci pci;
    struct sriov sriov;
    struct vf_views vfs;
    struct vf_isolation isolation;
    struct engine *engines;               /* sheet->info.engine_count */
    struct thread_dispatcher *dispatches; /* of each engine that runs threads; NULL: none does */
    struct unit_scheduler scheduler;
    struct mmu cpu;     /* the CPU's way through the aperture */
    struct unit *units; /* all of them, in the order of resets, turns and saved states */
    unsigned unit_count;
    struct softgt_eu_thread *kept_thread; /* a debugger's, while it holds the engines */
    struct call_guard guard;
};

static inline unsigned device_gt_count(const struct softgt *d)
{
    return d->sheet->media ? 2 : 1;
}

/* 0: no GT has a GuC. */
static inline unsigned device_guc_count(const struct softgt *d)
{
    return d->sheet->guc ? device_gt_count(d) : 0;
}

/* guard.c */
void device_refuse_call(struct softgt *d, const char *function);

/* Begins a function that changes the device. False: a port calls it; it is reported, and does nothing. */
static inline bool device_enter(struct softgt *d, const char *function)
{
    if (__builtin_expect(d->guard.function != NULL, 0)) {
        device_refuse_call(d, function);
        return false;
    }
    d->guard.function = function;
    return true;
}

static inline void device_leave(struct softgt *d)
{
    d->guard.function = NULL;
}

/* Begins a function that reads by the memory port, which must not change the device. Ports may call it.
 * Returns what device_end_reading takes. */
static inline const char *device_begin_reading(struct softgt *d, const char *function)
{
    const char *const outer = d->guard.function;
    if (!outer)
        d->guard.function = function;
    return outer;
}

static inline void device_end_reading(struct softgt *d, const char *outer)
{
    d->guard.function = outer;
}

/* Functions that take a const device and call back are guarded, too. */
static inline struct softgt *device_of_owner(const struct softgt *d)
{
    return (struct softgt *)(uintptr_t)d;
}

/* config.c: 0, or -EINVAL: the config's report port got what is wrong. */
int config_read(struct softgt_config *to, const struct softgt_config *from, size_t from_bytes);
int config_check(const struct softgt_config *c, const struct sheet *s);
/* The code memory and the threads of a struct `config`, "softgt_eu_config". */
int config_check_code(const struct softgt_code_port *code, const char *config,
                      const struct softgt_report_port *port);
int config_check_threads(const struct softgt_parallel_port *p, const char *config,
                         const struct softgt_report_port *port);
/* Reports why a config is refused. -EINVAL. */
__attribute__((format(printf, 2, 3))) int config_refuse(const struct softgt_report_port *port,
                                                        const char *format, ...);
int config_refuse_size(const struct softgt_report_port *port, size_t given_bytes, size_t known_bytes);
int config_refuse_name(const struct softgt_report_port *port, const char *name);
/* As the functions of softgt.h, within another one. */
void device_reset_by_owner(struct softgt *d);
void device_memory_changed(struct softgt *d);
/* pci.c */
void pci_reset(struct softgt *d);
void pci_virtual_reset(const struct softgt *d, struct pci *p);
bool pci_write(const struct softgt *d, struct pci *p, uint32_t at, uint8_t byte);
bool pci_by_message(const struct softgt *d, const struct pci *p);
/* functions.c */
bool functions_create(struct softgt *d, const struct softgt_config *config);
void functions_destroy(struct softgt *d);
void functions_reset(struct softgt *d);
void functions_settle(struct softgt *d);
void functions_state(struct softgt *d, struct state *s);
/* A write to the SR-IOV capability. */
void functions_config_write(struct softgt *d, uint32_t offset, uint32_t value, unsigned size_bytes);
/* Isolated VFs: enables all of them, with BARs for so much of local memory. */
void functions_enable_all(struct softgt *d, uint64_t vf_local_bytes);
void pci_state(struct softgt *d, struct state *s);
/* save.c */
void device_reset(struct softgt *d, enum reset_scope scope);
void device_state(struct softgt *d, struct state *s);
void device_settle(struct softgt *d);
/* Invalidates all cached translations of units, after a change of page tables. */
void device_tables_changed(struct softgt *d);
extern const struct section device_section;
uint64_t pci_io_read(struct softgt *d, uint64_t offset, unsigned size_bytes);
void pci_io_write(struct softgt *d, uint64_t offset, uint64_t value, unsigned size_bytes);

#endif
