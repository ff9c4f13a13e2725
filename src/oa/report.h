/*
 * Reports of the observation unit: rows of structures. The role of a field says which value it has. (REN-25,
 * SYS-18)
 */
#ifndef OA_REPORT_H
#define OA_REPORT_H

#include "stream/structure.h"

enum { OA_A_COUNTERS = 45, OA_B_COUNTERS = 8, OA_C_COUNTERS = 12 };

/* Roles. The elements of an array have consecutive roles. */
enum oa_value {
    OA_NOTHING,
    OA_RPT_ID,
    OA_TIME_STAMP,
    OA_TIME_STAMP_HIGH,
    OA_CTX_ID,
    OA_GPU_TICKS,
    OA_INST_ADD,
    OA_A,
    OA_A_HIGH = OA_A + OA_A_COUNTERS, /* bits 39:32 */
    OA_B = OA_A_HIGH + OA_A_COUNTERS,
    OA_C = OA_B + OA_B_COUNTERS,
    OA_VALUES = OA_C + OA_C_COUNTERS,
};

/* Rows of oa_reports. */
enum oa_report {
    OA_NO_REPORT,
    GEN6_OA_0,
    GEN6_OA_1,
    GEN6_OA_2,
    GEN6_OA_3,
    GEN6_OA_4,
    GEN7_OA_0,
    GEN7_OA_1,
    GEN7_OA_2,
    GEN7_OA_4,
    GEN7_OA_5,
    GEN7_OA_6,
    GEN7_OA_7,
    GEN8_OA_0,
    GEN8_OA_2,
    GEN8_OA_5,
    GEN8_OA_7,
    GEN125_OAG_1,
    GEN125_OAG_5,
    GEN125_OAR_1,
    GEN125_OAC_1,
    GEN125_OAC_2,
    GEN125_OAM_1,
    GEN125_OAM_5,
    OA_REPORTS
};

extern const struct command oa_reports[OA_REPORTS];
extern const struct command_table structure_report_table;

enum { OA_REPORT_BYTES = 512 /* size of the largest report */ };

/* Encodes a report; returns its length in dwords. */
uint32_t oa_report_encode(const struct command *report, const uint64_t values[OA_VALUES], uint32_t *dw);

#endif
