/*
 * Plays a trace on a device: its memory, table and register packets reach the model as a driver's would,
 * polls and compares are executed, and what fails is told with the packet's offset.
 */
#ifndef FRONTEND_AUB_REPLAY_H
#define FRONTEND_AUB_REPLAY_H

#include <signal.h>
#include <softgt/softgt.h>

enum replay_outcome {
    REPLAY_CLEAN = 0,
    REPLAY_FAILED = 1,   /* something in the trace failed or was unknown */
    REPLAY_UNUSABLE = 2, /* the file cannot be read, or names no device we model */
};

enum replay_message_kind { REPLAY_ERROR, REPLAY_NOTE };

/* Whether draws are drawn. */
enum replay_draws {
    REPLAY_DRAWS,            /* but of a recording whose device did not */
    REPLAY_DRAWS_RECORDED,   /* only of a recording whose device did */
    REPLAY_DRAWS_ALWAYS,     /* also of such */
    REPLAY_DRAWS_ARE_COUNTED /* none */
};

/* The offset of messages that are about no packet. */
#define REPLAY_NO_OFFSET UINT64_MAX

/* Where in a trace a replay is. */
struct replay_position {
    uint64_t offset;     /* of the packet at hand */
    uint64_t submission; /* how often engines were given something to run, up to now */
};

struct replay_options {
    const char *device; /* instead of the one the trace names, or NULL */
    bool force;         /* also one of another generation than the trace was recorded on */
    bool decode;        /* also on and of products that are decoded only */
    unsigned tolerate;  /* 1 << enum softgt_mistake: SHORT, DROPPED, MISPLACED, FAULT fail not */
    struct replay_position *position; /* optional: kept current */
    uint64_t memory_limit_bytes;      /* 0: 8 GB */
    uint64_t budget_dw;               /* dwords of commands one submission may take; 0: 256 M */
    bool timing;                      /* commands take time */
    enum replay_draws draws;
    uint64_t last_draw;                   /* ends the trace behind so many draws; 0: never */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
    struct softgt_trace_port trace;       /* optional */
    struct softgt_report_port report;     /* optional: the device's complaints */
    /* Saves everything when this many dwords of commands were parsed, in the middle of what runs then; 0:
     * never. */
    uint64_t save_at_dw;
    bool (*save)(void *user, const void *data, size_t size_bytes); /* false: it could not be kept */
    /* What `save` was given in a run of the same trace: goes on from there. */
    const void *load;
    size_t load_bytes;
    const char *load_name; /* optional: for messages */
    void *user;
    /* One line; `offset` of the packet it is about, or REPLAY_NO_OFFSET. */
    void (*message)(void *user, enum replay_message_kind kind, uint64_t offset, const char *text);
    /* Optional; read_bytes of file_bytes, as they lie on the disk; 0: not known. */
    void (*progress)(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes);
    const volatile sig_atomic_t *stop; /* optional: not 0: end here, and fail */
    /* The device as it was made for the trace, before anything runs; optional. False: no use going on. */
    bool (*started)(void *user, struct softgt *device);
    /* The device when the trace ends, before it goes; optional. Not called when no device could be made. */
    void (*finished)(void *user, struct softgt *device);
};

struct replay_result {
    char application[96]; /* as the trace names it */
    bool draws;           /* were drawn, where they could be */
    uint32_t pci_id;
    uint64_t packets, submissions, memory_bytes; /* bytes the trace touched */
    uint64_t compares, compares_failed;
    uint64_t polls, polls_failed;
    uint64_t unknown_packets;
    uint64_t errors; /* all that makes the outcome REPLAY_FAILED */
};

enum replay_outcome replay_file(const char *path, const struct replay_options *options,
                                struct replay_result *result);
/* The same with the trace in memory; compressed or not. */
enum replay_outcome replay_memory(const void *data, size_t size_bytes, const struct replay_options *options,
                                  struct replay_result *result);

#endif
