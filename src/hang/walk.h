/* The commands of an engine, as far as the error state has the memory: its ring from the request that ran to
 * the tail, and the batches that it starts, in the order of the parser. Nothing is executed. */
#ifndef HANG_WALK_H
#define HANG_WALK_H

#include "hang/state.h"
#include "stream/index.h"

enum error_stream_kind { ERROR_RING, ERROR_BATCH };

struct error_stream {
    enum error_stream_kind kind;
    enum error_space space;
    unsigned depth;                    /* 0: the ring */
    uint64_t address;                  /* where the listing begins */
    const struct error_buffer *buffer; /* NULL: the memory is not in the file */
    bool is_repeated;                  /* it was listed before */
};

/* Where an engine stood: marks of a command. */
enum error_mark { ERROR_AT_ACTHD = 1, ERROR_AT_HEAD = 2 };

struct error_command {
    const struct error_stream *stream;
    const struct command *row; /* NULL: unknown */
    const uint32_t *dw;
    size_t length_dw; /* of a cut command: what is there */
    uint64_t address;
    uint64_t count; /* equal commands in a row */
    bool is_cut;
    unsigned marks; /* enum error_mark */
};

/* The command at ACTHD, or before it. */
struct error_position {
    bool is_known;
    struct error_stream stream;
    const struct command *row;
    const uint32_t *dw; /* of the state's memory */
    size_t length_dw;
    uint64_t address;
};

struct error_walk {
    const struct error_state *state;
    int engine; /* number in the state */
    const struct command_set *set;
    enum engine_class class;
    uint64_t budget; /* commands that are listed */
    void *user;
    void (*stream)(void *user, const struct error_stream *s);   /* optional */
    void (*command)(void *user, const struct error_command *c); /* optional */
    /* What the walk found. */
    bool has_acthd, acthd_in_batch;
    bool ring_leads_there; /* the ring, or a batch that it starts, has the command at ACTHD, or no end */
    uint64_t acthd;
    struct error_position at, before;   /* ACTHD: the command there, and the one before it */
    const struct error_buffer *endless; /* the first whose batch has no end, or NULL */
    unsigned unknown, cut;              /* commands */
    bool budget_ended;
};

/* Lists all commands. */
void error_walk(struct error_walk *w);

#endif
