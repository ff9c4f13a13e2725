/*
 * The registers of one device and their only write path: access rules, store, trace, side effect, for every
 * accessor. A register is found by a direct table over the MMIO range. Modelled: access rules, 64-bit pairs,
 * byte enables, multicast registers: a copy that was written alone has a value of its own, and `steer`
 * selects the copies of an access. Not modelled here: force-wake, power (src/gt).
 */
#ifndef MMIO_REGISTER_FILE_H
#define MMIO_REGISTER_FILE_H

#include "base/isolation.h"
#include "base/report.h"
#include "base/state.h"
#include "mmio/register.h"

/* One dword of a placed register. */
struct register_slot {
    const struct reg *row;
    void *owner;
    const char *unit; /* "rcs0", "interrupt" ...; static */
    void (*after_write)(const struct register_access *w);
    uint32_t (*before_read)(const struct register_access *at, uint32_t stored);
    uint32_t offset, writable, w1c, reset;
    /* Writable bits where it only stores what is written, by non-privileged batches [0] and others [1];
     * otherwise 0. Derived from the row. */
    uint32_t direct_writable[2];
    uint16_t index;
    uint8_t dword, kind, flags;
    uint8_t range;   /* of the file's ranges, from 1 on; 0: none */
    uint16_t copies; /* of the file's, from 1 on; 0: there is one */
};

/* Copies of a register: those in own_mask have a value of their own, the others the file's. */
struct register_copies {
    uint32_t own_mask;
    uint32_t value[REGISTER_COPIES];
};

struct register_file {
    struct device_log *log;
    uint32_t size_bytes;
    uint32_t *value; /* size_bytes / 4 */
    struct state_table values;
    uint16_t *slot_at;           /* size_bytes / 4; 0: no register */
    struct register_slot *slots; /* slots[0] is 'no register' */
    uint32_t slot_count, slot_capacity;
    const struct register_range *ranges; /* optional; set before registers are placed */
    struct register_target (*steer)(const struct register_file *f, unsigned kind, uint32_t offset,
                                    const struct accessor *by);
    /* Whether an access of an engine's command, or of the GuC for an engine, finds the register powered.
     * `powered` is an offset in the engine's own domain, which has power. NULL: all registers are reachable.
     */
    bool (*is_reachable)(void *user, uint32_t offset, uint32_t powered, bool write);
    void *is_reachable_user;
    struct register_copies *copies; /* copies[0] is unused */
    uint32_t copy_count, copy_capacity;
    uint64_t unknown_reads, unknown_writes;
    const struct vf_isolation *isolation; /* the device's; accesses are checked against it */
};

static inline bool register_is_reachable(const struct register_file *f, uint32_t offset, uint32_t powered,
                                         bool write)
{
    return __builtin_expect(!f->is_reachable, 1) ||
           f->is_reachable(f->is_reachable_user, offset, powered, write);
}

static inline bool register_belongs_to_vf(const struct register_file *f, uint32_t offset)
{
    return is_isolated_vf_register(f->isolation, offset);
}

bool register_file_create(struct register_file *f, struct device_log *log, uint32_t size_bytes);
void register_file_destroy(struct register_file *f);

/* Places a block. A later row at the same offset replaces the earlier one. False when out of memory or space.
 */
bool register_file_place(struct register_file *f, const struct register_block *block, uint32_t base,
                         void *owner, const char *unit);

/* The same for a unit that there is a second time: rows below end_bytes are placed from the base on, the
 * others at their own offsets, unless there is a register: that one serves both units. */
bool register_file_place_beside(struct register_file *f, const struct register_block *block, uint32_t base,
                                uint32_t end_bytes, void *owner, const char *unit);

/* A unit's registers to their reset values, without side effects; those flagged REG_SURVIVES_ENGINE_RESET
 * only if `all`.
 */
void register_file_reset(struct register_file *f, const char *unit, bool all);
/* All registers but those of owners for which `stays` is true, and of isolated VFs. */
void register_file_reset_all(struct register_file *f, bool (*stays)(const void *user, const void *owner),
                             const void *user);

/* Every register's value. */
void register_file_state(struct register_file *f, struct state *s);

/* Offsets are dword aligned; byte_enables bit n: byte n is read or written. */
uint32_t register_read(struct register_file *f, uint32_t offset, uint32_t byte_enables,
                       const struct accessor *by);
void register_write_slow(struct register_file *f, uint32_t offset, uint32_t value, uint32_t byte_enables,
                         const struct accessor *by);

/* Whether software can only read it. */
static inline bool register_read_only(const struct register_slot *s)
{
    return !(s->writable | s->w1c);
}

static inline const struct register_slot *register_slot_at(const struct register_file *f, uint32_t offset)
{
    return offset < f->size_bytes ? &f->slots[f->slot_at[offset / 4u]] : &f->slots[0];
}

/* The only write path: access rules, store, trace, side effect. Commands check whether their batch may write
 * at all; by->privileged only selects the bits of direct stores. */
static inline void register_write(struct register_file *f, uint32_t offset, uint32_t value,
                                  uint32_t byte_enables, const struct accessor *by)
{
    const uint32_t writable = register_slot_at(f, offset)->direct_writable[by->privileged];
    if (__builtin_expect(writable && byte_enables == 0xf && !tracing(f->log, SOFTGT_TRACE_REGISTERS), 1)) {
        uint32_t *const store = &f->value[offset / 4u];
        *store = (*store & ~writable) | (value & writable);
        return;
    }
    register_write_slow(f, offset, value, byte_enables, by);
}

/* The value for a debugger: no rules, no trace, no effect of the read. */
uint32_t register_peek(struct register_file *f, const struct register_slot *slot);

/* Access of a unit to its own register: no rules, no side effects. */
static inline uint32_t register_value(const struct register_file *f, uint32_t offset)
{
    return f->value[offset / 4u];
}

static inline void register_set(struct register_file *f, uint32_t offset, uint32_t value)
{
    f->value[offset / 4u] = value;
}

/* The range that an offset is in, counted from 1 on; 0: none. A slot has it: this is for what has no row. */
uint8_t register_range_at(const struct register_file *f, uint32_t offset);
/* Who owns the range that an offset is in; "" if none does. */
const char *register_range_owner(const struct register_range *ranges, uint32_t offset);

/* Slot by name ("RING_BUFFER_TAIL", with "[3]" for arrays, "_UDW" for the upper half of a pair) and unit
 * ("rcs0", or NULL for any); NULL if there is none. */
const struct register_slot *register_find(const struct register_file *f, const char *unit, const char *name);

/* Writes a slot's name as register_find takes it. */
void register_slot_name(const struct register_slot *slot, char *text, size_t size);

#endif
