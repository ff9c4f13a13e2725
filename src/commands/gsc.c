/* Commands of the engine of the GSC, the microcontroller of security. They are counted: there is no firmware
 * that answers. (Linux, xe_gsc_commands.h) */
#include "commands/commands.h"

static const struct field packet_fields[] = {
    {"Input Address", 32, 95, FIELD_ADDRESS},
    {"Input Size", 96, 127, FIELD_UINT},
    {"Output Address", 128, 191, FIELD_ADDRESS},
    {"Output Size", 192, 223, FIELD_UINT},
};
static const struct field load_fields[] = {
    {"Address", 32, 95, FIELD_ADDRESS},
    {"Limit", 96, 126, FIELD_UINT}, /* in pages */
    {"Limit Valid", 127, 127, FIELD_BOOL},
};

static const struct command rows[] = {
    {.name = "GSC_HECI_CMD_PKT",
     .summary = "Gives a message in memory to the GSC, which answers in memory.",
     OPCODE_2D(0x00),
     .engines = OTHER_CLASS,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 8,
     .flags = COMMAND_WORK,
     FIELDS(packet_fields),
     .spec = "CSP-05; Linux, xe_gsc_submit.c"},
    {.name = "GSC_FW_LOAD",
     .summary = "Loads the GSC's firmware.",
     OPCODE_2D(0x01),
     .engines = OTHER_CLASS,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 4,
     .flags = COMMAND_WORK,
     FIELDS(load_fields),
     .spec = "CSP-05; Linux, xe_gsc.c"},
};

const struct command_table gsc_commands = COMMAND_TABLE(rows);
