/* Commands of the video enhancement pipe: state is kept, work is counted. (CSP-09) */
#include "commands/commands.h"

/* clang-format off */
static const struct command rows[] = {
    {.name = "VEBOX_SURFACE_STATE", .summary = "An input or output surface of the enhancement pipe.", OPCODE_MEDIA(2, 4, 0, 0),
     .engines = ENHANCE, .since = GEN75, .length_bits = 12, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, .spec = "CSP-09"},
    {.name = "VEBOX_TILING_CONVERT", .summary = "Copies a surface into another tiling.", OPCODE_MEDIA(2, 4, 0, 1),
     .engines = ENHANCE, .since = GEN8, .length_bits = 12, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_WORK, .spec = "CSP-09"},
    {.name = "VEBOX_STATE", .summary = "Which functions of the enhancement pipe run, and their tables.", OPCODE_MEDIA(2, 4, 0, 2),
     .engines = ENHANCE, .since = GEN75, .length_bits = 12, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_KEPT, .spec = "CSP-09"},
    {.name = "VEBOX_DI_IECP", .summary = "Enhances columns of a frame.", OPCODE_MEDIA(2, 4, 0, 3),
     .engines = ENHANCE, .since = GEN75, .length_bits = 12, .length_bias = 2, .min_dwords = 2, .flags = COMMAND_WORK, .spec = "CSP-09"},
};
/* clang-format on */

const struct command_table enhance_commands = COMMAND_TABLE(rows);
