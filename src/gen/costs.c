/* Costs of commands for the time model. No manual gives any: the figures are round estimates. */
#include "gen/sheet.h"

const struct engine_costs
    gen6_costs = {.command_clocks = 16, .dword_clocks = 1, .job_clocks = 2000, .bytes_in_clock = 16},
    gen8_costs = {.command_clocks = 12, .dword_clocks = 1, .job_clocks = 1500, .bytes_in_clock = 32},
    gen12_costs = {.command_clocks = 8, .dword_clocks = 1, .job_clocks = 1000, .bytes_in_clock = 64};
