/* Replays a trace on a device. Memory, table and register packets are performed as a driver's accesses. Polls
 * and compares are checked. Failures are reported with the offset of the packet. */
#ifndef AUB_REPLAY_H
#define AUB_REPLAY_H

#include <softgt/softgt.h>

struct aub_memory; /* aub.h */

enum replay_outcome {
    REPLAY_CLEAN = 0,
    REPLAY_FAILED = 1,   /* something in the trace failed or was unknown */
    REPLAY_UNUSABLE = 2, /* the file cannot be read, or names no supported device */
};

enum replay_message_kind { REPLAY_ERROR, REPLAY_NOTE };

/* Which draws run. */
enum replay_draws {
    REPLAY_DRAWS,            /* draws run, except in recordings of a device that ran none */
    REPLAY_DRAWS_RECORDED,   /* draws run only in recordings of a device that ran them */
    REPLAY_DRAWS_ALWAYS,     /* draws run */
    REPLAY_DRAWS_ARE_COUNTED /* draws are counted only */
};

/* The offset for messages that concern no packet. */
#define REPLAY_NO_OFFSET UINT64_MAX

/* The current position in the trace. */
struct replay_position {
    uint64_t offset;     /* of the current packet */
    uint64_t submission; /* how often engines were started, so far */
};

struct replay_options {
    const char *device; /* instead of the device that the trace names, or NULL */
    bool force;         /* allows a device of another generation than the trace's */
    bool decode;        /* allows products that are only decoded */
    unsigned tolerate;  /* mask of 1 << enum softgt_mistake that do not fail the replay: SHORT, DROPPED,
                           MISPLACED, FAULT */
    struct replay_position *position; /* optional: updated during the replay */
    uint64_t memory_limit_bytes;      /* 0: 8 GB */
    uint64_t budget_dw;               /* dwords of commands for a submission; 0: 256 M */
    bool timing;                      /* commands take time */
    enum replay_draws draws;
    uint64_t last_draw;                   /* ends the trace after this draw; 0: never */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
    struct softgt_trace_port trace;       /* optional */
    struct softgt_report_port report;     /* optional: complaints of the device */
    /* Saves the replay when this many dwords of commands are parsed, even inside a run; 0: never. */
    uint64_t save_at_dw;
    bool (*save)(void *user, const void *data, size_t size_bytes); /* false: it could not be stored */
    /* Data from `save` in a run of the same trace: the replay resumes there. */
    const void *load;
    size_t load_bytes;
    const char *load_name; /* optional: a name for messages */
    void *user;
    /* One line; `offset` is the packet's, or REPLAY_NO_OFFSET. */
    void (*message)(void *user, enum replay_message_kind kind, uint64_t offset, const char *text);
    /* Optional. read_bytes of file_bytes are compressed bytes; 0: unknown. */
    void (*progress)(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes);
    /* Optional: the packet at `offset` wrote memory; not tables of the GGTT. */
    void (*written)(void *user, uint64_t offset, const struct aub_memory *memory);
    /* Optional: a packet begins; the one before, at *position, is done. */
    void (*packet)(void *user);
    bool (*stop)(void *user); /* optional: true: the replay ends and fails */
    /* Optional: the device was created for the trace; nothing has run. False: give up. */
    bool (*started)(void *user, struct softgt *device);
    /* Optional: the trace has ended, before the device is destroyed. Not called without a device. */
    void (*finished)(void *user, struct softgt *device);
};

struct replay_result {
    char application[96]; /* as named in the trace */
    bool draws;           /* draws were run, if the device can */
    uint32_t pci_id;
    uint64_t packets, submissions, memory_bytes; /* memory_bytes: bytes that the trace touched */
    uint64_t compares, compares_failed;
    uint64_t polls, polls_failed;
    uint64_t unknown_packets;
    uint64_t errors;  /* number of errors that give REPLAY_FAILED */
    uint64_t hung;    /* submissions that were ended, engines that did not finish */
    uint64_t undrawn; /* draws that are not complete: the trace does not contain all that they read */
};

enum replay_outcome replay_file(const char *path, const struct replay_options *options,
                                struct replay_result *result);
/* The same for a trace in memory, compressed or not. */
enum replay_outcome replay_memory(const void *data, size_t size_bytes, const struct replay_options *options,
                                  struct replay_result *result);

#endif
