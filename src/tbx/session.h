/* A session: the device and memory of one connection, and its position in the stream of messages. It has no
 * sockets: the caller moves the bytes. Messages are performed as packets of a trace (aub/playing.h). */
#ifndef TBX_SESSION_H
#define TBX_SESSION_H

#include "base/field.h"
#include "device/host.h"
#include "aub/playing.h"
#include "host/server_loop.h"
#include "tbx/tbx.h"

struct timeline;
struct tbx_recording;

/* ---- Messages: little-endian, bit fields from bit 0 ---- */

enum { TBX_HEADER_BYTES = 12, TBX_BODY_DW = 8 };
struct tbx_header {
    uint32_t id, number; /* `number` counts the messages of the connection from 0; an answer repeats it */
    uint32_t body_bytes; /* without the data after the body */
};

struct tbx_session;

/* A message as a row, for the handlers and for the text form. */
struct tbx_message {
    const char *name;
    const struct field *fields;
    uint8_t field_count;
    uint8_t body_dw;  /* of its longest form */
    uint8_t least_dw; /* with less the end of the message is unknown */
    uint8_t answer;   /* id of the answer; 0: none */
    bool always;      /* it always has an answer; else only if bit 0, "write", is 0 */
    bool from_server;
    bool wakes;   /* engines run after it */
    uint8_t data; /* 1 + the dword with the number of data bytes after the body; 0: no data */
    void (*handle)(struct tbx_session *s); /* NULL: not modelled; its answer is zeros */
};

/* NULL: unknown. */
const struct tbx_message *tbx_message(uint32_t id);
/* For example "MMIO_REQ write=1 bytes=4 offset=0x2230 data=0x1"; fields that are zero are left out. */
void tbx_message_text(const struct tbx_message *m, const uint32_t *body, uint32_t body_dw, char *text,
                      size_t size);

/* ---- A session ---- */

/* Dwords that engines may execute at a message. */
#define TBX_RUN_DW (UINT64_C(1) << 20)

/* Shared by all sessions. */
struct tbx_shared {
    const struct tbx_options *options;
    struct limited_log telling;
    unsigned files; /* sessions that have created their device */
};

enum tbx_part { TBX_HEADER, TBX_BODY, TBX_DATA };

/* The current message. */
struct tbx_input {
    enum tbx_part part;
    uint64_t left; /* bytes left of the part */
    uint32_t have; /* bytes of the header or body that are kept */
    uint8_t head[TBX_HEADER_BYTES];
    struct tbx_header header;
    const struct tbx_message *message; /* NULL: unknown, skipped */
    uint32_t body[TBX_BODY_DW];
    uint32_t body_dw;
    bool taken;           /* the data are stored to memory, at `to` */
    struct aub_memory to; /* next address to store to */
};

struct tbx_session {
    struct tbx_shared *shared;
    unsigned number;
    struct replay replay;
    struct replay_options replay_options;
    struct replay_result result;
    struct aub_sink sink;
    struct timeline *timeline;
    struct tbx_recording *recording;
    char *record_path, *timeline_path;
    bool file_failed;
    uint64_t messages;

    struct tbx_input input;

    /* Output: `out`, then memory. */
    uint8_t out[1 << 16];
    size_t out_at, out_end;
    struct aub_memory from;
    uint64_t from_left;
    bool from_nothing; /* zeros instead of memory */

    /* Runs. */
    bool asked; /* the message is answered after engines have run */
    bool memory_changed;
    uint64_t run_left_dw;
    uint64_t stopped; /* mask of engines whose stop was reported */

    bool ended;
    char why[160]; /* "": the client may leave */
};

/* False: no memory. */
bool tbx_session_begin(struct tbx_session *s, struct tbx_shared *shared, unsigned number);
/* False: the recording or timeline could not be written; this was reported. */
bool tbx_session_end(struct tbx_session *s);

/* Nothing is left to run or send before the next message. */
bool tbx_session_ready(const struct tbx_session *s);
/* Takes bytes up to the end of a message or of its data; returns how many. Call it only when ready. */
size_t tbx_session_receive(struct tbx_session *s, const uint8_t *data, size_t size);
/* Runs engines; true: more is to run before the next input. */
bool tbx_session_run(struct tbx_session *s, uint64_t slice_dw);
/* The next bytes to send; 0: none. Report the sent ones by tbx_session_sent. */
size_t tbx_session_output(struct tbx_session *s, const uint8_t **data);
void tbx_session_sent(struct tbx_session *s, size_t size);

/* ---- For messages ---- */

/* The device, created at the first message that needs it. NULL: the session has ended. */
struct softgt *tbx_device(struct tbx_session *s);
__attribute__((format(printf, 2, 3))) void tbx_log(struct tbx_session *s, const char *format, ...);
__attribute__((format(printf, 2, 3))) void tbx_end(struct tbx_session *s, const char *format, ...);
void tbx_write_register(struct tbx_session *s, uint32_t offset, unsigned size_bytes, uint64_t value);
uint64_t tbx_read_register(struct tbx_session *s, uint32_t offset, unsigned size_bytes);
void tbx_write_memory(struct tbx_session *s, const struct aub_memory *m);
void tbx_reset(struct tbx_session *s);
/* Sends the answer, and `size_bytes` of memory at `from` after it. */
void tbx_answer(struct tbx_session *s, const uint32_t *body, uint32_t body_dw, const struct aub_memory *from);

/* ---- recording.c: a trace of the session for softgt run ---- */

struct tbx_recording *tbx_recording_open(const char *path, const struct softgt_device_info *info);
bool tbx_recording_close(struct tbx_recording *r);
void tbx_recording_register(struct tbx_recording *r, uint64_t now_ns, const struct aub_register *reg);
void tbx_recording_memory(struct tbx_recording *r, const struct aub_memory *m);
void tbx_recording_ran(struct tbx_recording *r, const struct run_extent *run, uint64_t now_ns);
void tbx_recording_reset(struct tbx_recording *r);
/* Records values that the client has read. */
void tbx_recording_register_read(struct tbx_recording *r, uint64_t now_ns, const struct aub_register *reg);
void tbx_recording_memory_read(struct tbx_recording *r, const struct aub_memory *m);

#endif
