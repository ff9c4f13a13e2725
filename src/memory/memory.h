/*
 * Graphics memory: the GGTT, per-process page tables (PPGTT), and the MMU of each engine. A translation ends
 * in a host pointer in the engine's TLB. It is dropped when hardware drops it (a new page directory, a TLB
 * invalidation) or when the owner of the memory asks for it. Modelled: gen8 4-level and legacy 3-level PPGTT
 * with 4 KB, 64 KB, 2 MB and 1 GB pages, present and write bits; gen8 GGTT; gen6 GGTT and the 2-level PPGTT
 * inside it, with 4 KB and 32 KB pages; gen12.5 tables in local memory, pages in either memory and in none;
 * Xe2 5-level tables. Not modelled: caching attributes, accessed and dirty bits, fault-and-repair.
 */
#ifndef MEMORY_MEMORY_H
#define MEMORY_MEMORY_H

#include "base/isolation.h"
#include "base/report.h"
#include "base/state.h"

#include <softgt/softgt.h>

enum space { SPACE_GGTT, SPACE_PPGTT };

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT };

/* The highest bits of a physical address in the model name the memory: none of them: the bus; LOCAL: the
 * device's own memory, from 0 on; NULL: no memory, which reads zero and drops writes. */
#define MEMORY_LOCAL (UINT64_C(1) << 63)
#define MEMORY_NULL  (UINT64_C(1) << 62)
/* Addresses of the bus: the number of the VF from this bit on; 0: the PF. */
enum { MEMORY_FUNCTION_SHIFT = 56, VF_MAX = 63 };

enum ppgtt_mode { PPGTT_NONE, PPGTT_LEGACY_32, PPGTT_48, PPGTT_IN_GGTT };

/* The root of a PPGTT, from the page directory registers of an engine. */
struct ppgtt_root {
    enum ppgtt_mode mode;
    /* PPGTT_48: the highest table, PML4 or PML5, in the first. PPGTT_IN_GGTT: offset in the table, PP_DCLV.
     */
    uint64_t directory[4];
};

struct translation {
    uint64_t physical; /* of the requested byte */
    bool writable;
    uint8_t pat;        /* of a PPGTT page, from Gen12.5 on: its index in the table of page attributes */
    uint8_t page_shift; /* log2 of the page's bytes */
    uint8_t
        level; /* where the walk found no entry: 0 page table ... 3 PML4, 4 PML5; Gen6: 2 a set not enabled */
};

struct memory;

/* An entry that a walk read. */
struct walk_step {
    uint64_t table, index, entry; /* the table's physical address; 0: the GGTT */
    unsigned level;               /* 0: page table */
};

/* The steps of one walk, for who wants to see them. */
struct walk_steps {
    struct walk_step *steps;
    unsigned count, capacity;
};

/* A page walk; it remembers the host pointers of some tables of each level. */
enum { WALKER_TABLES = 8 };
struct walker {
    const struct memory *memory;
    struct walk_steps *steps; /* NULL: not kept */
    unsigned function;        /* the function that owns the tables */
    struct {
        uint64_t table;
        const uint8_t *host;
    } levels[5][WALKER_TABLES]; /* by the low bits of a table's page */
};

/* A page table entry, for code that writes tables. */
struct page_entry {
    uint64_t physical; /* of a page, or of the next table */
    bool present, writable;
    bool is_page;   /* in a directory: a page, not a table */
    bool big_pages; /* in a directory: its table has pages of 64 KB (Gen8), 32 KB (Gen6) */
    bool is_table;  /* in a directory: a table */
    bool is_ggtt;
};

/* The local memory translation table (LMTT): levels of tables, the directory first. An entry has bit 0 valid,
 * and the next table or the page, in its units, from a bit on. (second_level.c) */
struct lmtt_level {
    uint8_t entry_bytes;
    uint8_t index_shift; /* the lowest address bit of the index; the function is that of the directory */
    uint8_t field, unit_shift; /* first bit of what an entry points to; log2 of its unit */
};
enum { LMTT_LEVELS = 3 };
struct lmtt_format {
    uint32_t config; /* offset of LMEM_CFG */
    uint8_t address_bits, level_count;
    struct lmtt_level levels[LMTT_LEVELS];
};
extern const struct lmtt_format two_level_lmtt, multi_level_lmtt;

struct page_table_format {
    uint8_t ggtt_entry_bytes;   /* PPGTT entries have the same size */
    uint8_t ppgtt_levels;       /* maximum */
    uint8_t table_bits;         /* address bits that select an entry of a PPGTT table */
    uint8_t physical_bits;      /* of an address in an entry */
    uint16_t directory_entries; /* of a directory in the GGTT's table; 0: no such directories */
    uint64_t table_memory;      /* MEMORY_LOCAL: tables are in local memory */
    uint64_t ggtt_vf_bits;      /* bits of a GGTT entry with the number of the VF that owns the page */
    bool packs_64k_entries;     /* a table of 64 KB pages has its entries side by side, 32 of them */
    bool null_pages;            /* an entry can say that its page reads zero and drops writes */
    /* encode: the value of an entry. next_table: the table that a directory entry points to; 0: none. */
    uint64_t (*encode)(const struct page_entry *e);
    uint64_t (*next_table)(uint64_t entry);
    /* False: no valid entry. */
    bool (*ggtt)(const struct memory *m, uint64_t entry, struct translation *t);
    bool (*ppgtt)(struct walker *w, const struct ppgtt_root *root, uint64_t address, struct translation *t);
    const struct lmtt_format *lmtt; /* of parts with virtual functions */
};

/* The memory part of a data sheet. */
struct memory_info {
    const struct page_table_format *format;
    uint32_t ggtt_bytes;                 /* size of the table */
    uint8_t physical_bits;               /* of a bus address in a table entry */
    uint8_t address_bits;                /* of a PPGTT address */
    bool drops_read_only_writes;         /* else they fault */
    bool aperture_updated_by_ggtt_write; /* entries of the GGTT count for the aperture as soon as they are
                                            written */
    bool gsm_below_dsm;                  /* of local memory: the order of its parts */
    uint64_t stolen_bytes; /* of the system's memory, what entries call local; the GGTT's table is its first
                              part; 0: none, or in local memory */
    uint16_t ccs_ratio;    /* bytes of a surface for a byte of its compression state; 0: 256 */
    uint64_t local_bytes;  /* local memory, where the owner does not say how much; 0: the part has none */
};

struct tile_layout;

enum { FENCES = 32 };

/* A tiled range of the aperture; both ends included. */
struct fence {
    uint32_t first, last, pitch_bytes;
    const struct tile_layout *tiles;
    bool valid;
};

struct memory {
    const struct memory_info *info;
    struct device_log *log;
    struct softgt_memory_port port;
    const struct softgt_parallel_port *port_lock; /* ports are called with its lock held; NULL: without */
    uint8_t *ggtt;                                /* the table */
    bool ggtt_external;                           /* it is somebody else's memory, who may write it */
    struct state_table ggtt_parts;
    uint8_t *local; /* local memory; NULL: there is none */
    uint64_t local_bytes;
    bool local_external, local_by_port, local_on_bus;
    bool local_is_zero;                  /* it was not used yet */
    uint64_t local_clears;               /* so far, for who has a copy */
    struct state_table local_parts;      /* those that may hold something, where it is the device's own */
    unsigned vf_count;                   /* virtual ones that there may be */
    unsigned vf_enabled_count;           /* that exist: the first so many */
    struct softgt_memory_port *vf_ports; /* of each; the first is function 1's */
    uint64_t lmtt,
        gunit_lmtt; /* LMEM_CFG, for engines; SG_LMEM_CFG, for CPUs: where the LMTT's directory is */
    const struct vf_isolation *isolation; /* the device's */
    /* Bit 6 of addresses in tiles depends on higher ones: for engines, for the aperture. */
    bool swizzled, swizzled_aperture;
    struct fence fences[FENCES];
    const struct fence *last_fence; /* hit last, in which row, that starts at which offset */
    uint32_t fence_row, fence_row_offset;
    unsigned fence_count; /* none is valid from here on */
};

bool memory_create(struct memory *m, const struct memory_info *info, struct device_log *log,
                   const struct softgt_memory_port *port, void *ggtt_table);
/* Local memory, where the part has some (local.c). */
bool memory_create_local(struct memory *m, const struct softgt_config *config);
void memory_destroy(struct memory *m);
void local_destroy(struct memory *m);
/* Clears all local memory. */
void local_clear(struct memory *m);
/* No entry of the GGTT that is the physical function's. */
void ggtt_clear(struct memory *m);
/* Of local memory what is the physical function's. */
static inline uint64_t pf_local_bytes(const struct memory *m)
{
    return pf_local_memory(m->isolation, m->local_bytes);
}

/* ---- Virtual functions (second_level.c) ---- */

/* `ports`: of each, NULL: the device's. */
bool memory_create_functions(struct memory *m, unsigned count, const struct softgt_function_ports *ports);
/* The GGTT's table as function `function` reads and writes it, by byte offset. (SYS-02) */
uint64_t ggtt_function_read(const struct memory *m, unsigned function, uint64_t offset, unsigned size_bytes);
void ggtt_function_write(struct memory *m, unsigned function, uint64_t offset, uint64_t value,
                         unsigned size_bytes);
/* The function that owns a GGTT page, by its entry. */
unsigned ggtt_owner(const struct memory *m, uint64_t entry);
/* Translates a page of the GGTT's entry for `function`, with its second level. False: the page belongs to
 * another function, or the entry is not valid. */
bool ggtt_second_level(const struct memory *m, unsigned function, uint64_t entry, struct translation *t);
/* True: a local address of the physical function is in its share. Limits the page's size to what the share
 * is made of. */
bool pf_local_translate(const struct memory *m, struct translation *t);
/* Converts a physical address of a function to one of the device. */
bool second_level(const struct memory *m, unsigned function, struct translation *t);
/* The same for an address in a function's local memory, by the directory at `lmtt`; *there_bytes are
 * contiguous. (SYS-08) */
bool lmtt_translate(const struct memory *m, uint64_t lmtt, unsigned function, uint64_t address,
                    uint64_t *physical, uint64_t *there_bytes);

void local_state(struct memory *m, struct state *s);

/* Where firmware reserves local memory: from the end of the drivers' part to the end of the memory. (SYS-07,
 * SYS-08) */
struct local_layout {
    uint64_t flat_ccs; /* compression state of the other local memory */
    uint64_t dsm;      /* data in stolen memory */
    uint64_t wopcm;    /* of the GuC; the CPU cannot access memory from here on */
    uint64_t gsm;      /* the GGTT's table */
};
struct local_layout local_layout(const struct memory *m);
/* Bytes of a surface for a byte of its compression state. */
static inline uint32_t ccs_ratio(const struct memory *m)
{
    return m->info->ccs_ratio ? m->info->ccs_ratio : 256u;
}
/* The address of the compression state of a byte of local memory, in local memory. */
static inline uint64_t local_ccs(const struct memory *m, uint64_t at)
{
    return local_layout(m).flat_ccs + at / ccs_ratio(m);
}
enum { LOCAL_WOPCM_BYTES = 2 << 20 };

/* The table itself, by byte offset in it; sizes up to 8 bytes. Out of range reads zero, drops writes. */
uint64_t ggtt_table_read(const struct memory *m, uint64_t offset, unsigned size_bytes);
void ggtt_table_write(struct memory *m, uint64_t offset, uint64_t value, unsigned size_bytes);
/* The same for the PF: entries of isolated VFs read zero; writes of them are dropped and reported. */
uint64_t pf_ggtt_read(const struct memory *m, uint64_t offset, unsigned size_bytes);
void pf_ggtt_write(struct memory *m, uint64_t offset, uint64_t value, unsigned size_bytes);

/* The host's address of a physical one, and the bytes that follow there; NULL: it cannot be mapped. */
uint8_t *physical_map(const struct memory *m, uint64_t address, uint64_t *there_bytes, bool write);
/* A port's map. */
uint8_t *port_map(const struct memory *m, const struct softgt_memory_port *port, uint64_t address,
                  uint64_t *there_bytes, bool write);
/* For what is not on the bus: physical_map, and reads and writes of what cannot be mapped. */
uint8_t *local_map(const struct memory *m, uint64_t address, uint64_t *there_bytes, bool write);
bool local_unmapped(uint64_t address, void *to, size_t size_bytes);

/* Memory by physical address. False where there is none. */
bool bus_read(const struct memory *m, uint64_t address, void *data, size_t size_bytes);
bool bus_write(struct memory *m, uint64_t address, const void *data, size_t size_bytes);
/* Returns true. */
static inline bool walk_keep_step(struct walker *w, unsigned level, uint64_t table, uint64_t index,
                                  uint64_t entry)
{
    if (__builtin_expect(w->steps && w->steps->count < w->steps->capacity, 0))
        w->steps->steps[w->steps->count++] = (struct walk_step){table, index, entry, level};
    return true;
}
/* Entry `index`, of 8 bytes, of a page of tables. */
bool table_entry(struct walker *w, unsigned level, uint64_t table, uint64_t index, uint64_t *entry);

extern const struct page_table_format gen6_page_tables, gen75_page_tables, gen8_page_tables,
    gen125_page_tables, gen200_page_tables, gen200_local_page_tables;

/* ---- An engine's memory interface ---- */

enum { TLB_ENTRIES = 256 };

struct tlb_entry {
    uint64_t read_tag, write_tag; /* tlb_tag; 0: none */
    uint8_t *host;                /* start of the page */
};

/* The translation of an entry, without the host pointer: it survives mmu_remap. */
struct tlb_translation {
    uint64_t read_tag, write_tag, physical;
};

/* A reader of page after page keeps its current page outside the TLB. */
/* The compression state of a page of a surface, as far as flat_ccs.h has found it. */
enum { CCS_PAGES = 64 };
struct ccs_page {
    uint64_t tag;         /* the page's number and 1; 0: none */
    const uint8_t *state; /* of the page, in the host; NULL: it has none */
    uint8_t *writable;    /* the same, if it has been found to be; NULL: not known */
};

enum { READERS = 6 };
struct reader_page {
    uint64_t tag, physical; /* as in the TLB */
    const uint8_t *host;    /* NULL: to be looked up */
};

struct mmu {
    struct memory *memory;
    unsigned function; /* the function of the accesses; a change of it invalidates the TLB */
    struct walker walker;
    struct ppgtt_root root;
    uint64_t address_mask; /* of a PPGTT address */
    void *user;
    /* Called for an access without a page, or without the right to write (if that faults). */
    void (*fault)(void *user, enum space space, uint64_t address, bool write, unsigned level);
    /* Called for a write to a read-only page that is dropped without a fault; may be NULL. */
    void (*write_dropped)(void *user, enum space space, uint64_t address);
    uint64_t faults, walks;  /* so far: how a unit sees that an access failed, and what accesses cost */
    uint64_t tlb_generation; /* generation of the TLB: translations that were handed out are valid while it
                                stays the same */
    uint64_t changes;        /* of what is translated at all: windows are valid while it stays the same */
    /* An access that needs the port's read or write callback fails without a report: the caller has a cheaper
     * path. port_access_refused is set. */
    bool no_port_access, port_access_refused;
    bool pf_pages_only;  /* in the GGTT it accesses only pages that no virtual function owns */
    bool accounts_local; /* the part has memory of its own: who counts asks which one an access went to */
    struct tlb_entry tlb[TLB_ENTRIES];
    struct tlb_translation translations[TLB_ENTRIES];
    uint8_t used_entries[TLB_ENTRIES]; /* which of them are, the first filled_count */
    uint16_t used_entry_count;
    struct reader_page reader_pages[READERS];
    struct ccs_page ccs[CCS_PAGES];
};

void mmu_init(struct mmu *u, struct memory *memory, void *user,
              void (*fault)(void *user, enum space space, uint64_t address, bool write, unsigned level));
void mmu_invalidate(struct mmu *u);
static inline void mmu_set_function(struct mmu *u, unsigned function)
{
    u->changes += u->function != function;
    u->function = u->walker.function = function;
}
/* Bus memory may have moved in the host: host pointers are looked up again, translations stay. */
void mmu_remap(struct mmu *u);
/* The TLB is saved state: it may hold translations that the tables no longer have. */
void mmu_state(struct mmu *u, const char *unit, struct state *s);

/* Walk without TLB and without raising a fault. */
bool mmu_translate(const struct mmu *u, enum space space, uint64_t address, struct translation *t);
/* The same for several addresses: the walker remembers tables. */
bool mmu_translate_by(const struct mmu *u, struct walker *w, enum space space, uint64_t address,
                      struct translation *t);

uint8_t *mmu_host_slow(struct mmu *u, enum space space, uint64_t address, bool write);

/* Pages at the same offset of different surfaces must not collide. */
static inline unsigned tlb_index(uint64_t page)
{
    return (unsigned)(page ^ page >> 8 ^ page >> 16) % TLB_ENTRIES;
}

static inline uint64_t tlb_tag(enum space space, uint64_t page)
{
    return page << 2 | (uint64_t)space << 1 | 1u;
}

static inline uint64_t tlb_page(uint64_t tag)
{
    return tag >> 2;
}

static inline uint64_t mmu_address(const struct mmu *u, enum space space, uint64_t address)
{
    return address & (space == SPACE_GGTT ? UINT32_MAX : u->address_mask);
}

/* The address of an access is in local memory. */
bool mmu_walks_local(const struct mmu *u, enum space space, uint64_t address);
static inline bool mmu_is_local(const struct mmu *u, enum space space, uint64_t address)
{
    const uint64_t page = mmu_address(u, space, address) / PAGE_BYTES;
    const struct tlb_translation *const known = &u->translations[tlb_index(page)];
    return known->read_tag == tlb_tag(space, page) ? (known->physical & MEMORY_LOCAL) != 0
                                                   : mmu_walks_local(u, space, address);
}

/* Host pointer of a graphics address, good to the end of its 4 KB page; NULL: a fault (raised), or memory
 * that cannot be mapped, or a write that is dropped: then use mmu_load and mmu_store. */
static inline uint8_t *mmu_host(struct mmu *u, enum space space, uint64_t address, bool write)
{
    address = mmu_address(u, space, address);
    const uint64_t page = address / PAGE_BYTES, tag = tlb_tag(space, page);
    const struct tlb_entry *e = &u->tlb[tlb_index(page)];
    if (__builtin_expect((write ? e->write_tag : e->read_tag) == tag, 1))
        return e->host + address % PAGE_BYTES;
    return mmu_host_slow(u, space, address, write);
}

/* The same up to the end of contiguous host memory in the page: *size_bytes. */
uint8_t *mmu_host_run(struct mmu *u, enum space space, uint64_t address, bool write, uint64_t *size_bytes);

/* The same for `size_bytes` on one page, only if the TLB has it. */
static inline uint8_t *mmu_cached(const struct mmu *u, enum space space, uint64_t address, size_t size_bytes,
                                  bool write)
{
    address = mmu_address(u, space, address);
    const uint64_t page = address / PAGE_BYTES;
    const struct tlb_entry *e = &u->tlb[tlb_index(page)];
    const bool hit = (write ? e->write_tag : e->read_tag) == tlb_tag(space, page);
    return hit && address % PAGE_BYTES + size_bytes <= PAGE_BYTES ? e->host + address % PAGE_BYTES : NULL;
}

/* The 64-bit physical page number of an address in the TLB. */
static inline uint64_t mmu_page_bit(const struct mmu *u, enum space space, uint64_t address)
{
    const uint64_t page = mmu_address(u, space, address) / PAGE_BYTES;
    return UINT64_C(1) << u->translations[tlb_index(page)].physical / PAGE_BYTES % 64u;
}

/* The physical address of a graphics address. False after a fault (raised), and of a write that is dropped.
 */
bool mmu_physical(struct mmu *u, enum space space, uint64_t address, bool write, uint64_t *physical);

/* The page of an address for a reader, from its start; `bounce` (a page) takes a copy where memory cannot be
 * mapped. NULL after a fault (raised). */
const uint8_t *mmu_page(struct mmu *u, enum space space, uint64_t address, unsigned reader, uint8_t *bounce);

/* Accesses several pages. False after a fault (raised); bytes that cannot be read are zero. */
bool mmu_load(struct mmu *u, enum space space, uint64_t address, void *data, size_t size_bytes);
bool mmu_store(struct mmu *u, enum space space, uint64_t address, const void *data, size_t size_bytes);

#endif
