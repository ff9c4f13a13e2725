/* Observation units, by generation. (REN-22 to REN-25, SYS-18 to SYS-20) */
#include "gen/oa.h"

/* No manual lists the signals of Gen6. Ours are events of the command streamers. A trigger tests signal 0,
 * which is low, until registers select another. */
static const uint8_t gen6_inputs[OA_NOA_SIGNALS] = {
    OA_LOW,           OA_RENDER_BUSY, OA_COPY_BUSY, OA_VIDEO_BUSY, OA_BATCHES,   OA_CONTEXT_LOADS,
    OA_READS,         OA_WRITES,      OA_DRAWS,     OA_FLUSHES,    OA_ODD_CLOCK, OA_CLOCK_MOD_3_0,
    OA_CLOCK_MOD_3_1, OA_BUSY,        OA_ALWAYS,    OA_WAITING,
};
/* From Gen7 on, registers route the signals. An input that no known register list routes is low. */
static const uint8_t no_inputs[OA_NOA_SIGNALS] = {OA_LOW};

static const uint8_t gen6_a[OA_A_COUNTERS] = {[25] = OA_BUSY}, gen7_a[OA_A_COUNTERS] = {[0] = OA_BUSY};

/* A0 to A27 of Gen6. Counters of stalls stay zero. (REN 3040-3080) */
static const struct oa_stages gen6_stages = {
    .active = {[OA_STAGE_VS] = 2, [OA_STAGE_GS] = 6, [OA_STAGE_PS] = 11},
    .threads = {[OA_STAGE_GS] = 9, [OA_STAGE_PS] = 14},
    .tests = {[EARLY_DEPTH_PASSED] = 16,
              [EARLY_DEPTH_FAILED] = 17,
              [EARLY_STENCIL_PASSED] = 18,
              [EARLY_STENCIL_FAILED] = 19,
              [ALPHA_FAILED] = 21,
              [LATE_STENCIL_FAILED] = 22,
              [LATE_DEPTH_FAILED] = 23},
    .clipper = 26,
    .setup = 27,
    .pixels = {[PIXELS_KILLED] = 20, [PIXELS_WRITTEN] = 24},
};

static const enum oa_report gen6_formats[8] = {GEN6_OA_0, GEN6_OA_1, GEN6_OA_2, GEN6_OA_3, GEN6_OA_4};
static const enum oa_report gen7_formats[8] = {GEN7_OA_0, GEN7_OA_1, GEN7_OA_2, OA_NO_REPORT,
                                               GEN7_OA_4, GEN7_OA_5, GEN7_OA_6, GEN7_OA_7};
static const enum oa_report gen8_formats[8] = {
    [0] = GEN8_OA_0, [2] = GEN8_OA_2, [5] = GEN8_OA_5, [7] = GEN8_OA_7};

static const struct register_block *const gen6_blocks[] = {&gen6_oa_registers, NULL};
static const struct register_block *const gen7_blocks[] = {&gen7_oa_registers, &gen75_trigger_registers,
                                                           &gen75_routing_registers, NULL};
static const struct register_block *const gen8_blocks[] = {
    &gen8_oa_registers, &flexible_event_registers, &gen75_trigger_registers, &gen75_routing_registers, NULL};
static const struct register_block *const gen9_blocks[] = {
    &gen8_oa_registers,       &gen9_oa_registers,       &flexible_event_registers,
    &gen75_trigger_registers, &gen75_routing_registers, NULL};
static const struct register_block *const gen11_blocks[] = {&gen8_oa_registers,
                                                            &gen9_oa_registers,
                                                            &flexible_event_registers,
                                                            &gen75_trigger_registers,
                                                            &gen75_routing_registers,
                                                            &gen11_routing_registers,
                                                            NULL};

const struct oa_info gen6_oa_info = {
    .name = "oa",
    .register_ops = &gen6_oa,
    .blocks = gen6_blocks,
    .timestamp_hz = 12500000,
    .frequency = gen6_frequency,
    .reports = gen6_formats,
    .command_reports = {gen6_formats},
    .stages = &gen6_stages,
    .counters.a_signals = gen6_a,
    .counters.a_bits = 32,
    .counters.b_count = 4,
    .counters.c_count = 12,
    .noa_signals = gen6_inputs,
    .triggers.count = 1,
    .triggers.start = 0x238c,
    .triggers.report = 0x237c,
    .triggers.registers_descend = true,
    .triggers.custom_events = 0x2390,
    .counters.clock_select = 0x236c,
};
#define GEN7_INFO(frequency_of)                                                                              \
    {                                                                                                        \
        .name = "oa", .register_ops = &gen7_oa, .blocks = gen7_blocks, .timestamp_hz = 12500000,             \
        .frequency = (frequency_of), .reports = gen7_formats, .command_reports = {gen7_formats},             \
        .counters.a_signals = gen7_a, .counters.a_bits = 32, .counters.b_count = 8, .counters.c_count = 8,   \
        .noa_signals = no_inputs, .triggers.count = 2, .triggers.start = 0x2710, .triggers.report = 0x2740,  \
        .triggers.custom_events = 0x2770,                                                                    \
    }
const struct oa_info gen7_oa_info = GEN7_INFO(gen6_frequency), gen75_oa_info = GEN7_INFO(gen75_frequency);

static const struct interrupt_line gen8_half_full = {.bank = 3};
static const struct interrupt_line gen11_half_full = {
    .bank = 0, .bit = 20, .class = 4, .instance = 2, .mask_offset = 0x1900ec, .enable_offset = 0x19003c};

#define GEN8_INFO(register_blocks, frequency_of, routes, bit, line, line_bits, ...)                          \
    {                                                                                                        \
        .name = "oa", .counter_select_bit = 2, .register_ops = &gen8_oa, .blocks = (register_blocks),        \
        .timestamp_hz = 12000000, .frequency = (frequency_of), .reports = gen8_formats,                      \
        .command_reports = {gen8_formats}, .counters.a_signals = gen7_a, .counters.a_bits = 40,              \
        .counters.b_count = 8, .counters.c_count = 8, .noa_signals = no_inputs, .mux_configs = (routes),     \
        .triggers.count = 2, .triggers.start_gates_all = true, .counters.flexible_events = true,             \
        .triggers.start = 0x2710, .triggers.report = 0x2740, .triggers.custom_events = 0x2770,               \
        .offsets = {.control = 0x2b00,                                                                       \
                    .status = 0x2b08,                                                                        \
                    .head = 0x2b0c,                                                                          \
                    .tail = 0x2b10,                                                                          \
                    .buffer = 0x2b14,                                                                        \
                    .timer = 0x2360,                                                                         \
                    .mask = 0x2b20,                                                                          \
                    __VA_ARGS__},                                                                            \
        .buffer.reports_tail_wrap = true, .frequency_in_report_id = true, .valid_bit = (bit),                \
        .buffer.half_full = &(line), .buffer.half_full_bits = 1u << (line_bits),                             \
    }
/* Register lists of IGT and of the kernel's self-tests. They route known clock patterns to input 3 and inputs
 * 4 and 5. */
static const uint32_t skl_test[] = {0x11810000, 0x07810016, 0x1f810000, 0x1d810000, 0x1b930040, 0x07e54000,
                                    0x1f908000, 0x11900000, 0x37900000, 0x53900000, 0x45900000, 0x33900000};
static const uint32_t icl_test[] = {0x00000003, 0x16130000, 0x24000001, 0x0e130056, 0x10130000,
                                    0x1a130000, 0x541f0001, 0x181f0000, 0x4c1f0000, 0x301f0000};
#define TEST(list)                                                                                           \
    {                                                                                                        \
        (list), sizeof(list) / 4,                                                                            \
        {                                                                                                    \
            [3] = OA_ODD_CLOCK, [4] = OA_CLOCK_MOD_3_0, [5] = OA_CLOCK_MOD_3_1                               \
        }                                                                                                    \
    }
#define END_OF_ROUTING                                                                                       \
    {                                                                                                        \
        NULL, 0,                                                                                             \
        {                                                                                                    \
            0                                                                                                \
        }                                                                                                    \
    }
static const struct oa_mux_config gen9_routing[] = {TEST(skl_test), END_OF_ROUTING},
                                  gen11_routing[] = {TEST(icl_test), END_OF_ROUTING};

const struct oa_info gen8_oa_info =
                         GEN8_INFO(gen8_blocks, gen75_frequency, NULL, 25, gen8_half_full, 28, .debug = 0),
                     gen9_oa_info = GEN8_INFO(gen9_blocks, gen9_frequency, gen9_routing, 16, gen8_half_full,
                                              28, .debug = 0x2b04),
                     gen11_oa_info = GEN8_INFO(gen11_blocks, gen9_frequency, gen11_routing, 16,
                                               gen11_half_full, 12, .debug = 0x2b04);

/* The global unit. Contexts of the render engine have counters of their own, on Gen12.5 also those of compute
 * engines. */
static const enum oa_report gen12_command_formats[8] = {[0] = GEN8_OA_0, [5] = GEN8_OA_5};
static const enum oa_report gen12_formats[8] = {[5] = GEN8_OA_5};
static const enum oa_report oag_formats[8] = {[1] = GEN125_OAG_1, [5] = GEN125_OAG_5};
static const enum oa_report oar_formats[8] = {[0] = GEN8_OA_0, [1] = GEN125_OAR_1, [5] = GEN8_OA_5};
static const enum oa_report oac_formats[8] = {[0] = GEN8_OA_0, [1] = GEN125_OAC_1, [2] = GEN125_OAC_2};
static const uint8_t gen125_a[OA_A_COUNTERS] = {[0] = OA_BUSY, [36] = OA_READS, [37] = OA_WRITES};
static const struct register_block *const gen12_blocks[] = {
    &gen12_oa_registers,      &gen12_flexible_event_registers, &gen12_trigger_registers,
    &gen75_routing_registers, &gen11_routing_registers,        NULL};
static const struct register_block *const gen125_blocks[] = {&gen12_oa_registers,
                                                             &gen125_oa_registers,
                                                             &gen12_flexible_event_registers,
                                                             &gen12_trigger_registers,
                                                             &gen75_routing_registers,
                                                             &gen11_routing_registers,
                                                             NULL};

static const uint32_t acm_test[] = {0x00000000, 0x3c030000, 0x42030000, 0x06034000, 0x0803000c, 0x10030ff3,
                                    0x04030000, 0x02030000, 0x50030000, 0x52030000, 0x00000000, 0x64030002};
static const uint32_t tgl_test[] = {0x00000000, 0x280e0000, 0x1e0e0147, 0x180e0000, 0x160e0000, 0x1e0f1000,
                                    0x1e104000, 0x2e020100, 0x2c030004, 0x38003000, 0x1e0a8000, 0x00000003,
                                    0x49110000, 0x5d101400, 0x1d140020, 0x1d1103a3, 0x01110000, 0x61111000,
                                    0x1f128000, 0x17100000, 0x55100630, 0x57100000, 0x31100000, 0x00000003,
                                    0x65100002, 0x00000000, 0x42000001};
static const struct oa_mux_config gen12_routing[] = {TEST(tgl_test), END_OF_ROUTING};
static const uint32_t acm_gt3_test[] = {0x00000000, 0x2e080000, 0x34080000, 0x06088000,
                                        0x10080ff3, 0x08080000, 0x02080000, 0x02032400,
                                        0x48030000, 0x4a030000, 0x00000000, 0x5c030002};
/* Register lists of the smallest part (ACMGT1), which route events of the command streamers to the inputs. If
 * a list ORs several events, one of them counts. The lists show busy compute and render engines; walkers,
 * draws and stalling flushes; other busy engines. (Mesa, oa-acmgt1: Ext155 to Ext157) */
static const uint32_t acm_busy[] = {
    0x00000000, 0x16040400, 0x1e040200, 0x26040200, 0x2e040200, 0x3a040010, 0x020401c0, 0x0404008e,
    0x06040000, 0x08040081, 0x0a040248, 0x0c04040a, 0x0e040491, 0x10040658, 0x1204081a, 0x140408a1,
    0x00040000, 0x00035555, 0x02031555, 0x1a030000, 0x42030000, 0x2a030000, 0x48030000, 0x4a030000,
    0x4c030000, 0x4e030000, 0x50030000, 0x04030000, 0x52030000, 0x1c030000, 0x44030000, 0x1e030000,
    0x20030000, 0x22030000, 0x46030000, 0x24030000, 0x00000000, 0x64030002};
static const uint32_t acm_parsed[] = {
    0x00000000, 0x1e04001f, 0x2604001f, 0x2e04001f, 0x360403e0, 0x4204001f, 0x02046dbb, 0x0404022d,
    0x06048c00, 0x08040022, 0x10040900, 0x12040420, 0x14040018, 0x16040008, 0x00040000, 0x00030005,
    0x02035550, 0x1a030000, 0x42030000, 0x2a030000, 0x48030000, 0x04030000, 0x1c030000, 0x44030000,
    0x1e030000, 0x20030000, 0x22030000, 0x46030000, 0x24030000, 0x28030000, 0x00000000, 0x64030002};
static const uint32_t acm_media_busy[] = {
    0x00000004, 0x440a0010, 0x18134000, 0x060a001e, 0x0e0a0400, 0x100a0491, 0x040a0000, 0x000a0000,
    0x00100a80, 0x02100054, 0x02120054, 0x00130600, 0x0c130400, 0x0e130491, 0x02130000, 0x00000005,
    0x440a0010, 0x18134000, 0x060a001e, 0x120a0450, 0x140a0012, 0x040a0000, 0x000a0000, 0x020a0000,
    0x0010a000, 0x02101502, 0x02121500, 0x00130600, 0x10130450, 0x12130012, 0x02130000, 0x00000000,
    0x18010010, 0x02010002, 0x06010000, 0x08010081, 0x00010000, 0x0003ffea, 0x02033fff, 0x00095540,
    0x02091555, 0x0005a540, 0x02052a56, 0x000aaa80, 0x020a2aaa, 0x1a033000, 0x42031000, 0x2a033000,
    0x48030864, 0x4a030000, 0x4c030000, 0x4e0300a0, 0x5003140a, 0x04030000, 0x52030000, 0x1c030000,
    0x44032800, 0x1e030000, 0x20030000, 0x22030000, 0x4603014a, 0x24030000, 0x00000000, 0x64030002};
#define ROUTES(list, ...)                                                                                    \
    {                                                                                                        \
        (list), sizeof(list) / 4,                                                                            \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
static const struct oa_mux_config gen125_routing[] = {
    TEST(acm_test),
    TEST(acm_gt3_test),
    ROUTES(acm_busy, [0] = OA_COMPUTE_BUSY, [3] = OA_COMPUTE_BUSY + 1, [6] = OA_COMPUTE_BUSY + 2,
           [9] = OA_COMPUTE_BUSY + 3, [12] = OA_RENDER_BUSY),
    ROUTES(acm_parsed, [0] = OA_DRAWS, [10] = OA_STALLING_FLUSHES, [11] = OA_WALKERS,
           [12] = OA_COMPUTE_WALKERS + 3, [13] = OA_COMPUTE_WALKERS + 2, [14] = OA_COMPUTE_WALKERS + 1,
           [15] = OA_COMPUTE_WALKERS),
    ROUTES(acm_media_busy, [0] = OA_COPY_BUSY, [3] = OA_VIDEO_BUSY, [6] = OA_VIDEO_BUSY + 2,
           [9] = OA_ENHANCE_BUSY, [12] = OA_ENHANCE_BUSY + 1),
    END_OF_ROUTING,
};

#define GEN12_INFO(register_blocks, hz, formats, signals, ...)                                               \
    {                                                                                                        \
        .name = "oa", .counter_select_bit = 2, .register_ops = &gen8_oa, .blocks = (register_blocks),        \
        .timestamp_hz = (hz), .frequency = gen9_frequency, .reports = (formats),                             \
        .counters.a_signals = (signals), .counters.a_bits = 40, .counters.b_count = 8,                       \
        .counters.c_count = 8, .noa_signals = no_inputs, .triggers.count = 2,                                \
        .triggers.start_gates_all = true, .counters.flexible_events = true,                                  \
        .counters.flexible_events_per_context = true, .triggers.start = 0xd900, .triggers.report = 0xd920,   \
        .triggers.custom_events = 0xd940,                                                                    \
        .offsets = {.control = 0xdaf4,                                                                       \
                    .status = 0xdafc,                                                                        \
                    .head = 0xdb00,                                                                          \
                    .tail = 0xdb04,                                                                          \
                    .buffer = 0xdb08,                                                                        \
                    .timer = 0x2b28,                                                                         \
                    .mask = 0xdb14,                                                                          \
                    .debug = 0xdaf8},                                                                        \
        .buffer.ggtt_only = true, .buffer.keeps_tlb = true, .valid_bit = 16,                                 \
        .buffer.half_full = &gen11_half_full, .buffer.half_full_bits = 1u << 12, __VA_ARGS__                 \
    }
const struct oa_info gen12_oa_info =
                         GEN12_INFO(gen12_blocks, 12000000, gen12_formats, gen7_a,
                                    .command_reports = {gen12_command_formats}, .context_control = {0x2960},
                                    .mux_configs = gen12_routing, .frequency_in_report_id = true),
                     gen125_oa_info = GEN12_INFO(
                         gen125_blocks, 38400000, oag_formats, gen125_a,
                         .command_reports = {[CLASS_RENDER] = oar_formats, [CLASS_COMPUTE] = oac_formats},
                         .context_control = {[CLASS_RENDER] = 0x2960, [CLASS_COMPUTE] = 0x15114},
                         .mux_configs = gen125_routing, .context_valid_at_switch_only = true,
                         .buffer.large_sizes = true, .counters.device_memory_only = true,
                         .counters.transaction_unit = 0x8718, .counters.a34_counts_slm_atomics = true);
/* The media unit counts events of media engines. */
static const enum oa_report oam_formats[8] = {[1] = GEN125_OAM_1, [5] = GEN125_OAM_5};
static const struct register_block *const media_blocks[] = {&gen125_media_oa_registers,
                                                            &gen125_media_trigger_registers, NULL};
const struct oa_info gen125_oam_info = {
    .name = "oam",
    .engine_mask = VIDEO | ENHANCE,
    .register_ops = &gen8_oa,
    .blocks = media_blocks,
    .timestamp_hz = 38400000,
    .frequency = gen9_frequency,
    .reports = oam_formats,
    .counter_select_bit = 1,
    .counters.a_signals = gen125_a,
    .counters.a_bits = 40,
    .counters.b_count = 8,
    .counters.c_count = 8,
    .noa_signals = no_inputs,
    .triggers.count = 2,
    .triggers.start_gates_all = true,
    .triggers.start = 0x393000,
    .triggers.report = 0x393020,
    .triggers.custom_events = 0x393040,
    .offsets = {.control = 0x393194,
                .status = 0x39319c,
                .head = 0x3931a0,
                .tail = 0x3931a4,
                .buffer = 0x3931a8,
                .timer = 0x3931bc,
                .mask = 0x3931b4,
                .debug = 0x393198},
    .buffer.ggtt_only = true,
    .buffer.keeps_tlb = true,
    .buffer.large_sizes = true,
    .context_valid_at_switch_only = true,
    .valid_bit = 16,
    .counters.device_memory_only = true,
    .counters.transaction_unit = 0x8718,
    .buffer.half_full = &gen11_half_full,
    .buffer.half_full_bits = 1u << 12,
};
