/* Kernels for tests that shade vertices, patches and objects: a register has a dword of each channel, eight
 * or from Gen20 on 16. Their messages to the URB: of Gen20 those of the load and store unit, at a byte of an
 * entry. (Mesa, lower_urb_write_logical_send_xe2, lower_urb_read_logical_send_xe2) */
#ifndef TESTS_ENTRIES_H
#define TESTS_ENTRIES_H

#include "draws.h"

static inline struct how lanes(void)
{
    return (struct how){.channels = (uint8_t)(8 * kernel_rows(k.set))};
}

/* A register of the device, of all channels; one of its values. */
static inline struct op lane(unsigned number, enum eu_type type)
{
    return reg(number * kernel_rows(k.set), type);
}

static inline struct op lane_value(unsigned number, unsigned byte, enum eu_type type)
{
    return one(number * kernel_rows(k.set) + byte / EU_REGISTER_BYTES, byte % EU_REGISTER_BYTES, type);
}

/* A handle is in units of 64 bytes; of Gen20, of bytes. */
static inline uint32_t handle_of(uint32_t units)
{
    return has_wide_registers() ? units * 64 : units;
}

enum { URB_LOAD_D32 = 0x00020500, URB_STORE_D32 = 0x00020504, URB_MOST_DW = 4, OWORD_BYTES = 16 };
#define URB_VECTOR(dwords) ((uint32_t)((dwords)-1) << 12)

/* Writes the registers behind `at` to an oword of entries. `at` is changed. */
static inline void urb_write(unsigned handles, unsigned oword, unsigned at, unsigned dwords, bool end)
{
    if (!has_wide_registers()) {
        KERNEL_1(&k, EU_MOV, lanes(), lane(at, TYPE_UD), lane(handles, TYPE_UD));
        kernel_send(&k, lanes(), SFID_URB,
                    URB_SIMD8_WRITE | URB_OFFSET(oword) | PAYLOAD_REGISTERS(1 + dwords), none(TYPE_UD),
                    lane(at, TYPE_UD), end);
        return;
    }
    for (unsigned dw = 0; dw < dwords; dw += URB_MOST_DW) {
        const unsigned count = dwords - dw < URB_MOST_DW ? dwords - dw : URB_MOST_DW;
        KERNEL_2(&k, EU_ADD, lanes(), lane(at, TYPE_UD), lane(handles, TYPE_UD),
                 imm(oword * OWORD_BYTES + dw * 4, TYPE_UD));
        kernel_send(&k, lanes(), SFID_URB, URB_STORE_D32 | URB_VECTOR(count) | PAYLOAD_REGISTERS(1),
                    none(TYPE_UD), lane(at, TYPE_UD), end && dw + count == dwords);
        uint32_t *const v = k.i[k.count - 1].value;
        v[EU_SRC1_FILE] = 1;
        v[EU_SRC1_REGISTER] = at + 1 + dw;
        v[EU_SRC1_LENGTH] = count;
    }
}

/* Reads an oword of entries, or some of its dwords. */
static inline void urb_read(unsigned handles, unsigned oword, unsigned to, unsigned dwords)
{
    const uint32_t registers = PAYLOAD_REGISTERS(1) | RESPONSE_REGISTERS(dwords);
    if (has_wide_registers())
        KERNEL_2(&k, EU_ADD, lanes(), lane(to, TYPE_UD), lane(handles, TYPE_UD),
                 imm(oword * OWORD_BYTES, TYPE_UD));
    kernel_send(&k, lanes(), SFID_URB,
                registers | (has_wide_registers() ? URB_LOAD_D32 | URB_VECTOR(dwords)
                                                  : URB_SIMD8_READ | URB_OFFSET(oword)),
                lane(to, TYPE_UD), lane(has_wide_registers() ? to : handles, TYPE_UD), false);
}

#endif
