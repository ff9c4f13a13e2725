/* Layouts of reports, by generation. (REN-25, SYS-18) */
#include "oa/report.h"

#define DWORD(title, at_dw, id)                                                                              \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 31, FIELD_HEX, ROLE(id)                                            \
    }
#define QWORD(title, at_dw, id)                                                                              \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 63, FIELD_HEX, ROLE(id)                                            \
    }
#define COUNTER(title, at_dw, id)                                                                            \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 31, FIELD_UINT, ROLE(id)                                           \
    }
#define COUNTERS(title, at_dw, id, number)                                                                   \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 31, FIELD_UINT, ROLE(id), .count = (number), .stride = 32          \
    }

/* Gen6: the manual lists lines of eight dwords from the highest address to the lowest. */
#define GEN6_HEADER                                                                                          \
    DWORD("RPT_ID", 0, OA_RPT_ID), DWORD("TIME_STAMP", 1, OA_TIME_STAMP),                                    \
        DWORD("TIME_STAMP High", 2, OA_TIME_STAMP_HIGH)
#define A_DOWN_5(at_dw)                                                                                      \
    COUNTER("A4", at_dw, OA_A + 4), COUNTER("A3", (at_dw) + 1, OA_A + 3),                                    \
        COUNTER("A2", (at_dw) + 2, OA_A + 2), COUNTER("A1", (at_dw) + 3, OA_A + 1),                          \
        COUNTER("A0", (at_dw) + 4, OA_A)
#define A_DOWN_8(at_dw, h, g, f, e, d, c, b, a)                                                              \
    COUNTER("A" #h, at_dw, OA_A + (h)), COUNTER("A" #g, (at_dw) + 1, OA_A + (g)),                            \
        COUNTER("A" #f, (at_dw) + 2, OA_A + (f)), COUNTER("A" #e, (at_dw) + 3, OA_A + (e)),                  \
        COUNTER("A" #d, (at_dw) + 4, OA_A + (d)), COUNTER("A" #c, (at_dw) + 5, OA_A + (c)),                  \
        COUNTER("A" #b, (at_dw) + 6, OA_A + (b)), COUNTER("A" #a, (at_dw) + 7, OA_A + (a))
#define GEN6_A_12 A_DOWN_5(3), A_DOWN_8(8, 12, 11, 10, 9, 8, 7, 6, 5)
#define GEN6_A_28                                                                                            \
    GEN6_A_12, A_DOWN_8(16, 20, 19, 18, 17, 16, 15, 14, 13), A_DOWN_8(24, 28, 27, 26, 25, 24, 23, 22, 21)
#define GEN6_B_C(at_dw) COUNTERS("B#", at_dw, OA_B, 4), COUNTERS("C#", (at_dw) + 4, OA_C, 12)
static const struct field gen6_0[] = {GEN6_HEADER, GEN6_A_12};
static const struct field gen6_1[] = {GEN6_HEADER, GEN6_A_28};
static const struct field gen6_2[] = {GEN6_HEADER, GEN6_A_12, GEN6_B_C(16)};
static const struct field gen6_3[] = {GEN6_HEADER, GEN6_A_28, GEN6_B_C(32)};
static const struct field gen6_4[] = {GEN6_HEADER, DWORD("INST ADD", 3, OA_INST_ADD),
                                      COUNTERS("C#", 4, OA_C, 12)};

#define A_UP_4(at_dw, a, b, c, d)                                                                            \
    COUNTER("A" #a, at_dw, OA_A + (a)), COUNTER("A" #b, (at_dw) + 1, OA_A + (b)),                            \
        COUNTER("A" #c, (at_dw) + 2, OA_A + (c)), COUNTER("A" #d, (at_dw) + 3, OA_A + (d))

/* Gen7: counters in the order of their numbers. */
static const struct field gen7_0[] = {GEN6_HEADER, COUNTERS("A#", 3, OA_A, 13)};
static const struct field gen7_1[] = {GEN6_HEADER, COUNTERS("A#", 3, OA_A, 29)};
static const struct field gen7_2[] = {GEN6_HEADER, COUNTERS("A#", 3, OA_A, 13), COUNTERS("B#", 16, OA_B, 8),
                                      COUNTERS("C#", 24, OA_C, 8)};
static const struct field gen7_4[] = {GEN6_HEADER, COUNTERS("B#", 4, OA_B, 4), COUNTERS("C#", 8, OA_C, 8)};
static const struct field gen7_5[] = {GEN6_HEADER, COUNTERS("A#", 3, OA_A, 45), COUNTERS("B#", 48, OA_B, 8),
                                      COUNTERS("C#", 56, OA_C, 8)};
static const struct field gen7_6[] = {GEN6_HEADER,
                                      COUNTERS("B#", 4, OA_B, 4),
                                      COUNTERS("C#", 8, OA_C, 8),
                                      A_UP_4(16, 29, 30, 31, 32),
                                      A_UP_4(20, 33, 34, 35, 36),
                                      A_UP_4(24, 37, 38, 39, 40),
                                      A_UP_4(28, 41, 42, 43, 44)};
static const struct field gen7_7[] = {GEN6_HEADER, COUNTERS("C#", 4, OA_C, 4), COUNTERS("B#", 8, OA_B, 8)};

/* Gen8: a header of four dwords; counters of 40 bits. */
#define GEN8_HEADER                                                                                          \
    DWORD("RPT_ID", 0, OA_RPT_ID), DWORD("TIME_STAMP", 1, OA_TIME_STAMP), DWORD("CTX ID", 2, OA_CTX_ID),     \
        COUNTER("GPU_TICKS", 3, OA_GPU_TICKS)
#define A_UP_12 A_UP_4(4, 7, 8, 9, 10), A_UP_4(8, 11, 12, 13, 14), A_UP_4(12, 15, 16, 17, 18)
#define HIGH_BYTES(number)                                                                                   \
    {                                                                                                        \
        "A# High", 40 * 32, 40 * 32 + 7, FIELD_UINT, ROLE(OA_A_HIGH), .count = (number), .stride = 8         \
    }
#define LAST_LINES(at_dw) COUNTERS("B#", at_dw, OA_B, 8), COUNTERS("C#", (at_dw) + 8, OA_C, 8)
static const struct field gen8_0[] = {GEN8_HEADER, A_UP_12};
static const struct field gen8_2[] = {GEN8_HEADER, A_UP_12, LAST_LINES(16)};
static const struct field gen8_5[] = {GEN8_HEADER, COUNTERS("A#", 4, OA_A, 36), HIGH_BYTES(32),
                                      LAST_LINES(48)};
static const struct field gen8_7[] = {GEN8_HEADER, COUNTERS("C#", 4, OA_C, 4), COUNTERS("B#", 8, OA_B, 8)};

/* Gen12.5: by unit; headers of four dwords, or of four quadwords. */
#define COUNTER_64(title, at_dw, id)                                                                         \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 63, FIELD_UINT, ROLE(id)                                           \
    }
#define COUNTERS_64(title, at_dw, id, number)                                                                \
    {                                                                                                        \
        (title), (at_dw)*32, (at_dw)*32 + 63, FIELD_UINT, ROLE(id), .count = (number), .stride = 64          \
    }
#define HEADER_64                                                                                            \
    QWORD("RPT_ID", 0, OA_RPT_ID), QWORD("TIME_STAMP", 2, OA_TIME_STAMP), DWORD("CTX ID", 4, OA_CTX_ID),     \
        COUNTER_64("GPU_TICKS", 6, OA_GPU_TICKS)
#define A_64_4(at_dw, a, b, c, d)                                                                            \
    COUNTER_64("A" #a, at_dw, OA_A + (a)), COUNTER_64("A" #b, (at_dw) + 2, OA_A + (b)),                      \
        COUNTER_64("A" #c, (at_dw) + 4, OA_A + (c)), COUNTER_64("A" #d, (at_dw) + 6, OA_A + (d))
#define MEMORY_64(at_dw) COUNTER_64("A36", at_dw, OA_A + 36), COUNTER_64("A37", (at_dw) + 2, OA_A + 37)
static const struct field oag_1[] = {HEADER_64, COUNTERS_64("A#", 8, OA_A, 36), MEMORY_64(80),
                                     LAST_LINES(88)};
static const struct field oag_5[] = {
    GEN8_HEADER,
    COUNTERS("A#", 4, OA_A, 36),
    COUNTER("A36", 40, OA_A + 36),
    COUNTER("A37", 46, OA_A + 37),
    LAST_LINES(48),
    {"High Byte # from A4 on", 41 * 32, 41 * 32 + 7, FIELD_UINT, ROLE(OA_A_HIGH + 4), .count = 20,
     .stride = 8},
    {"High Byte # from A28 on", 47 * 32, 47 * 32 + 7, FIELD_UINT, ROLE(OA_A_HIGH + 28), .count = 4,
     .stride = 8},
};
static const struct field oar_1[] = {HEADER_64, COUNTERS_64("A#", 8, OA_A, 36), LAST_LINES(80)};
static const struct field oac_1[] = {
    HEADER_64,
    A_64_4(8, 0, 4, 7, 8),
    A_64_4(16, 9, 10, 11, 12),
    A_64_4(24, 13, 14, 15, 16),
    A_64_4(32, 17, 18, 19, 20),
    A_64_4(40, 28, 29, 30, 31),
    COUNTER_64("A32", 48, OA_A + 32),
    COUNTER_64("A34", 52, OA_A + 34),
    COUNTER_64("A35", 54, OA_A + 35),
    LAST_LINES(56),
};
static const struct field oac_2[] = {
    HEADER_64,
    A_UP_4(8, 0, 4, 7, 8),
    A_UP_4(12, 9, 10, 11, 12),
    A_UP_4(16, 13, 14, 15, 16),
    A_UP_4(20, 17, 18, 19, 20),
    COUNTER("A30", 24, OA_A + 30),
    COUNTER("A31", 25, OA_A + 31),
    COUNTER("A32", 26, OA_A + 32),
    COUNTER("A34", 28, OA_A + 34),
    COUNTER("A35", 29, OA_A + 35),
    LAST_LINES(32),
};
static const struct field oam_1[] = {HEADER_64, MEMORY_64(8), LAST_LINES(16)};
static const struct field oam_5[] = {GEN8_HEADER, MEMORY_64(4), LAST_LINES(8)};

#define REPORT(id, first, last, bytes, table, text, reference)                                               \
    STRUCTURE(id), .summary = (text), .since = (first), .until = (last), .min_dwords = (bytes) / 4,          \
                   FIELDS(table), .spec = (reference)
#define MANUAL "REN-25"
#define LATER  "SYS-18, SKL PRM vol 2c"
#define HSW    "REN-25; HSW PRM vol 14, as the driver of Linux reads it"
const struct command oa_reports[OA_REPORTS] = {
    [GEN6_OA_0] = {REPORT(OA_REPORT_0, GEN6, GEN6, 64, gen6_0,
                          "Report of performance counters, Counter Select 0: A0 to A12.", MANUAL)},
    [GEN6_OA_1] = {REPORT(OA_REPORT_1, GEN6, GEN6, 128, gen6_1,
                          "Report of performance counters, Counter Select 1: A0 to A28.", MANUAL)},
    [GEN6_OA_2] = {REPORT(OA_REPORT_2, GEN6, GEN6, 128, gen6_2,
                          "Report of performance counters, Counter Select 2: A0 to A12, B, C.", MANUAL)},
    [GEN6_OA_3] = {REPORT(OA_REPORT_3, GEN6, GEN6, 192, gen6_3,
                          "Report of performance counters, Counter Select 3: A0 to A28, B, C.", MANUAL)},
    [GEN6_OA_4] = {REPORT(OA_REPORT_4, GEN6, GEN6, 64, gen6_4,
                          "Report of performance counters, Counter Select 4: C, and where the streamer is.",
                          MANUAL)},
    [GEN7_OA_0] = {REPORT(OA_REPORT_0, GEN7, GEN75, 64, gen7_0,
                          "Report of performance counters, Counter Select 0: A0 to A12.", HSW)},
    [GEN7_OA_1] = {REPORT(OA_REPORT_1, GEN7, GEN75, 128, gen7_1,
                          "Report of performance counters, Counter Select 1: A0 to A28.", HSW)},
    [GEN7_OA_2] = {REPORT(OA_REPORT_2, GEN7, GEN75, 128, gen7_2,
                          "Report of performance counters, Counter Select 2: A0 to A12, B, C.", HSW)},
    [GEN7_OA_4] = {REPORT(OA_REPORT_4, GEN7, GEN75, 64, gen7_4,
                          "Report of performance counters, Counter Select 4: four B, C.", HSW)},
    [GEN7_OA_5] = {REPORT(OA_REPORT_5, GEN7, GEN75, 256, gen7_5,
                          "Report of performance counters, Counter Select 5: A0 to A44, B, C.", HSW)},
    [GEN7_OA_6] = {REPORT(OA_REPORT_6, GEN7, GEN75, 128, gen7_6,
                          "Report of performance counters, Counter Select 6: four B, C, A29 to A44.", HSW)},
    [GEN7_OA_7] = {REPORT(OA_REPORT_7, GEN7, GEN75, 64, gen7_7,
                          "Report of performance counters, Counter Select 7: four C, B.", HSW)},
    [GEN8_OA_0] = {REPORT(OA_REPORT_0, GEN8, GEN125, 64, gen8_0,
                          "Report of performance counters, Counter Select 0: A7 to A18.", LATER)},
    [GEN8_OA_2] = {REPORT(OA_REPORT_2, GEN8, GEN11, 128, gen8_2,
                          "Report of performance counters, Counter Select 2: A7 to A18, B, C.", LATER)},
    [GEN8_OA_5] = {REPORT(OA_REPORT_5, GEN8, GEN125, 256, gen8_5,
                          "Report of performance counters, Counter Select 5: A0 to A35, B, C.", LATER)},
    [GEN8_OA_7] = {REPORT(OA_REPORT_7, GEN8, GEN11, 64, gen8_7,
                          "Report of performance counters, Counter Select 7: four C, B.", LATER)},
    [GEN125_OAG_1] = {REPORT(OAG_REPORT_1, GEN125, GEN125, 416, oag_1,
                             "Report of the global unit, Counter Select 1: A0 to A37, B, C.", "SYS-18")},
    [GEN125_OAG_5] = {REPORT(OAG_REPORT_5, GEN125, GEN125, 256, oag_5,
                             "Report of the global unit, Counter Select 5: A0 to A37, B, C.", "SYS-18")},
    [GEN125_OAR_1] = {REPORT(OAR_REPORT_1, GEN125, GEN125, 384, oar_1,
                             "Report of a render context, Counter Select 1: A0 to A35, B, C.", "SYS-18")},
    [GEN125_OAC_1] = {REPORT(OAC_REPORT_1, GEN125, GEN125, 320, oac_1,
                             "Report of a compute context, Counter Select 1: 23 A counters, B, C.",
                             "SYS-18; Linux, xe_oa")},
    [GEN125_OAC_2] = {REPORT(OAC_REPORT_2, GEN125, GEN125, 192, oac_2,
                             "Report of a compute context, Counter Select 2: 21 A counters, B, C.",
                             "SYS-18")},
    [GEN125_OAM_1] = {REPORT(OAM_REPORT_1, GEN125, GEN125, 128, oam_1,
                             "Report of a media unit, Counter Select 1: memory, B, C.", "SYS-18")},
    [GEN125_OAM_5] = {REPORT(OAM_REPORT_5, GEN125, GEN125, 96, oam_5,
                             "Report of a media unit, Counter Select 5: memory, B, C.", "SYS-18")},
};

/* Without OA_NO_REPORT. */
const struct command_table structure_report_table = {oa_reports + 1, OA_REPORTS - 1};

uint32_t oa_report_encode(const struct command *report, const uint64_t values[OA_VALUES], uint32_t *dw)
{
    memset(dw, 0, report->min_dwords * 4u);
    for (const struct field *f = report->fields; f < report->fields + report->field_count; f++) {
        for (unsigned i = 0; i < f->count || i == 0; i++) {
            const unsigned first = f->first + i * f->stride, at = first / 32u, shift = first % 32u,
                           width = field_width(f);
            const uint64_t value = f->role ? values[f->role + i] & (UINT64_MAX >> (64u - width)) : 0;
            dw[at] |= (uint32_t)(value << shift);
            if (width > 32u)
                dw[at + 1u] = (uint32_t)(value >> 32);
        }
    }
    return report->min_dwords;
}
