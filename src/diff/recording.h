/* The commands of a run, in order, for a comparison with those of another run. MI_NOOPs are left out: drivers
 * pad with them. */
#ifndef DIFF_RECORDING_H
#define DIFF_RECORDING_H

#include <softgt/softgt.h>

#include "diff/address_map.h"
#include "gen/sheet.h"

enum { DIFF_ENGINES = 32, DIFF_CONTEXTS = 64, DIFF_DRAWN = 256 };
enum { DIFF_EVENTS = SOFTGT_TRACE_COMMANDS | SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_BLITS };

struct diff_command {
    uint64_t submission, file_offset, address;
    uint64_t draw;   /* number of the draw or dispatch, as `softgt draws` counts; 0: it is none */
    size_t first_dw; /* of its dwords in the recording */
    uint32_t length_dw;
    uint8_t engine, context, kind; /* kind: enum softgt_event_kind */
    bool is_ggtt;
};

/* What blits drew on: the last one, with the right and bottom edges of all. */
struct diff_drawn {
    uint8_t engine;
    uint64_t address;
    struct softgt_blit blit;
};

enum diff_origin {
    DIFF_NOT_WRITTEN, /* by no packet */
    DIFF_WRITTEN,     /* memory has what the packet wrote */
    DIFF_CHANGED      /* engines changed what the packet wrote */
};

/* What packets of the trace wrote last into a page. */
struct diff_written {
    uint8_t data[PAGE_BYTES];
    uint32_t packet[PAGE_BYTES / 4]; /* that wrote the dword: 1 + its index in `packets`; 0: none did */
};

struct diff_recording {
    const struct sheet *sheet;
    struct softgt *device;
    struct diff_command *commands;
    size_t count, capacity;
    uint64_t draw_count;
    uint32_t *dw;
    size_t count_dw, capacity_dw, most_dw;
    struct diff_written *written;
    uint64_t *packets; /* file offsets */
    size_t written_count, written_capacity, packet_count, packet_capacity;
    struct address_map written_pages; /* physical page to its number in `written`, both as page addresses */
    struct diff_drawn drawn[DIFF_DRAWN]; /* in the order of their first blits */
    unsigned drawn_count;
    uint64_t lrca[DIFF_ENGINES][DIFF_CONTEXTS];            /* contexts in the order of their first restore */
    uint8_t contexts[DIFF_ENGINES], context[DIFF_ENGINES]; /* how many; the current one */
    bool is_cut;                                           /* more commands ran than are kept */
    bool no_memory;                                        /* the host is out of memory */
};

/* The trace port's event, of DIFF_EVENTS. */
void diff_record(struct diff_recording *r, const struct softgt_event *e, uint64_t submission,
                 uint64_t file_offset);
/* The packet at `file_offset` wrote bytes of one page, by the address that a translation gives. */
void diff_record_write(struct diff_recording *r, uint64_t physical, const void *data, uint32_t size_bytes,
                       uint64_t file_offset);
/* The last packet that wrote the dword, which has `value` at the end. */
enum diff_origin diff_recording_origin(const struct diff_recording *r, uint64_t physical, uint32_t value,
                                       uint64_t *file_offset);
void diff_recording_free(struct diff_recording *r);
/* Orders commands by submission, then engine; their order there stays. */
void diff_recording_sort(struct diff_recording *r);

#endif
