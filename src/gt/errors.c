/*
 * Hardware errors, by severity. The unit with an error is logged for the tile, the tile for the device. The
 * routing then selects an interrupt or a PCIe error message. The manual gives neither the routing bits nor
 * the source bits: one routing bit for each severity is our choice; fatal errors are messages, as the manual
 * expects. Errors occur only if the owner of the device injects them. (SYS-23)
 */
#include "gt/gt.h"

#define ALL 0xffffffffu

enum {
    GT_ERROR = 0x100160, /* three consecutive dwords, by severity */
    ERROR_ROUTING = 0x100170,
    DEVICE_ERROR = 0x100174, /* three: fatal, non-fatal, correctable */
    ERROR_TILE_0 = 1u << 0,
    PRIMARY_ERROR_SHIFT = 26,
};

bool gt_has_errors(const struct gt *gt)
{
    return register_slot_at(gt->mmio, GT_ERROR)->row;
}

void gt_error(struct gt *gt, enum softgt_error_severity severity, uint32_t sources)
{
    static const char *const names[] = {"correctable", "non-fatal", "fatal"};
    const uint32_t tile = GT_ERROR + (uint32_t)severity * 4u,
                   device = DEVICE_ERROR + (SOFTGT_ERROR_FATAL - (uint32_t)severity) * 4u;
    register_set(gt->mmio, tile, register_value(gt->mmio, tile) | sources);
    register_set(gt->mmio, device, register_value(gt->mmio, device) | ERROR_TILE_0);
    if (register_value(gt->mmio, ERROR_ROUTING) >> severity & 1u)
        report_error(gt->log, SOFTGT_HOST_FAILURE, "errors", device, "PCIe error message: %s, sources %08x",
                     names[severity], sources);
    else
        gen125_primary_raise(gt->engines->interrupt, 1u << (PRIMARY_ERROR_SHIFT + (uint32_t)severity));
}

static const struct field routing_fields[] = {
    {"Fatal as Message", 2, 2, FIELD_BOOL, NULL},
    {"Non-Fatal as Message", 1, 1, FIELD_BOOL, NULL},
    {"Correctable as Message", 0, 0, FIELD_BOOL, NULL},
};
static const struct field device_fields[] = {{"Tile 0", 0, 0, FIELD_BOOL, NULL}};
static const struct reg rows[] = {
    {.name = "GT_ERROR_CORRECTABLE",
     .offset = GT_ERROR,
     .w1c = ALL,
     .summary = "Sources of correctable errors of the tile; write 1 to clear.",
     .spec = "SYS-23"},
    {.name = "GT_ERROR_NON_FATAL",
     .offset = GT_ERROR + 4,
     .w1c = ALL,
     .summary = "Sources of non-fatal errors of the tile; write 1 to clear.",
     .spec = "SYS-23"},
    {.name = "GT_ERROR_FATAL",
     .offset = GT_ERROR + 8,
     .w1c = ALL,
     .summary = "Sources of fatal errors of the tile; write 1 to clear.",
     .spec = "SYS-23"},
    {.name = "DEVICE_ERROR_ROUTING_CTRL",
     .offset = ERROR_ROUTING,
     .writable = 7,
     .reset = 1u << SOFTGT_ERROR_FATAL,
     FIELDS(routing_fields),
     .summary = "Which severities go as PCIe messages; the others are interrupts.",
     .spec = "SYS-23"},
    {.name = "DEVICE_ERROR_SOURCE_FATAL",
     .offset = DEVICE_ERROR,
     .w1c = ALL,
     FIELDS(device_fields),
     .summary = "Tiles with fatal errors; write 1 to clear.",
     .spec = "SYS-23"},
    {.name = "DEVICE_ERROR_SOURCE_NON_FATAL",
     .offset = DEVICE_ERROR + 4,
     .w1c = ALL,
     FIELDS(device_fields),
     .summary = "Tiles with non-fatal errors; write 1 to clear.",
     .spec = "SYS-23"},
    {.name = "DEVICE_ERROR_SOURCE_CORRECTABLE",
     .offset = DEVICE_ERROR + 8,
     .w1c = ALL,
     FIELDS(device_fields),
     .summary = "Tiles with correctable errors; write 1 to clear.",
     .spec = "SYS-23"},
};
/* Hypervisors and drivers talk there; hardware has nothing in the range. (SYS-11) */
static const struct reg software_rows[] = {
    {.name = "SOFTWARE_RESERVED",
     .offset = 0x178000,
     .count = 1024,
     .stride = 4,
     .summary = "Reserved for software: reads 0, no write has an effect.",
     .spec = "SYS-11"},
};
const struct register_block gen125_error_registers = REGISTER_BLOCK("errors", rows);
const struct register_block gen125_software_registers = REGISTER_BLOCK("software", software_rows);
