/* Compares two runs: commands by submission and engine up to the first difference, then registers, memory and
 * the surfaces that blits drew on, as they are at the end. Addresses are equal if their pages were first used
 * at the same places. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "diff/address_map.h"
#include "diff/recording.h"

#define DIFF_NO_OFFSET UINT64_MAX
enum { DIFF_FIELDS = 16, DIFF_LISTED = 32, DIFF_NAME = 96, DIFF_TEXT = 240 };

struct diff_field {
    char name[DIFF_NAME]; /* of the field; "dword 3" for bits that no field has */
    uint64_t a, b;
};

/* The first command that differs. */
struct diff_first {
    bool found;
    const struct diff_command *a, *b; /* NULL: that run has no command there */
    const char *name_a, *name_b;      /* NULL: unknown */
    uint64_t index;                   /* in its submission and engine, MI_NOOPs not counted */
    struct diff_field fields[DIFF_FIELDS];
    unsigned field_count;
};

struct diff_register {
    const char *unit;
    char name[DIFF_NAME];
    uint64_t a, b;
};

/* What memory is for: of its first dword that differs. */
struct diff_use {
    char what[DIFF_TEXT];            /* "BLEND_STATE [0] Destination Blend Factor"; "": unknown */
    char a[DIFF_TEXT], b[DIFF_TEXT]; /* values of the fields, or instructions */
    uint64_t draw; /* number of the first draw or dispatch that has it, as `softgt draws` counts; 0: none */
    bool is_dispatch, is_instruction;
};

struct diff_memory {
    const char *engine;            /* whose address space; NULL: the GGTT */
    uint64_t address_a, address_b; /* of the first dword that differs */
    uint64_t count_dw;             /* that differ in the pages of one piece */
    uint32_t a, b;
    bool only_a, only_b; /* the other run has no such page */
    bool is_written;     /* packets of the traces wrote what differs: it is no result of the run */
    uint64_t file_offset_a, file_offset_b; /* of these packets; DIFF_NO_OFFSET: none wrote it */
    struct diff_use use;                   /* of what packets wrote */
};

struct diff_surface {
    const char *engine;
    uint64_t address_a, address_b;
    uint32_t width, height, x, y; /* x, y: of the first pixel that differs */
    uint64_t pixels;              /* that differ */
};

struct diff_result {
    uint64_t compared; /* commands */
    struct diff_first first;
    struct diff_register registers[DIFF_LISTED];
    struct diff_memory memory[DIFF_LISTED]; /* what packets wrote first, in the order of the file */
    struct diff_surface surfaces[DIFF_LISTED];
    uint64_t register_count, memory_count, surface_count; /* all that differ: the lists have the first ones */
    uint64_t compared_pages, compared_surfaces;
    bool no_memory;
};

/* Both devices are as their runs ended. The recordings get sorted. */
void diff_compare(struct diff_recording *a, struct diff_recording *b, struct diff_result *result);

#endif
