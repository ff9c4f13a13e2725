/*
 * The AUB trace format: a stream of packets of little-endian dwords, classic (opcode 01h) and memtrace (2Eh).
 * The reader hands each packet to a sink as it comes, in constant memory; the writer makes memtrace files.
 * Compressed files (.xz, .gz, .zst, .bz2, .lz4, .lzma) are read transparently.
 */
#ifndef FRONTEND_AUB_AUB_H
#define FRONTEND_AUB_AUB_H

#include "host/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum aub_space {
    AUB_GGTT = 0,       /* graphics address through the GGTT */
    AUB_LOCAL = 1,      /* local memory, device physical */
    AUB_PHYSICAL = 2,   /* system memory, physical */
    AUB_GTT_PD = 3,     /* page directory entry, physical */
    AUB_GGTT_ENTRY = 4, /* byte offset in the GGTT's table */
    AUB_PPGTT = 5,      /* graphics address through the PPGTT */
    AUB_PPGTT_ENTRY = 6,
    AUB_GGTT_NON_APERTURE = 7,
    AUB_PDP_ENTRY = 8, /* table entries, physical, with a hint of their level */
    AUB_PD_ENTRY = 9,
    AUB_PML4_ENTRY = 10,
};

/* Register spaces. */
enum aub_register_space { AUB_MMIO = 0, AUB_MCHBAR = 1, AUB_PCI_CONFIG = 2, AUB_IO = 4 };

enum aub_compare { AUB_EQUAL = 1, AUB_NOT_EQUAL, AUB_LESS, AUB_LESS_EQUAL, AUB_GREATER, AUB_GREATER_EQUAL };

/* Rings of classic command writes. */
enum aub_ring { AUB_RING_RENDER = 2, AUB_RING_VIDEO = 3, AUB_RING_BLITTER = 4 };

/* Where a callback's packet is. */
struct aub_packet {
    uint64_t offset;  /* in the uncompressed file, bytes */
    const char *name; /* "MEM_WRITE"; static */
    uint64_t digest;  /* of all packets before it; 0 unless asked for */
};

struct aub_header {
    bool classic;          /* HEADER packet of a classic file, not VERSION */
    uint32_t pci_id;       /* 0: not told, or no 16-bit number */
    uint32_t simulator_id; /* device field of VERSION */
    char text[96];         /* application or command line, printable characters only */
};

struct aub_register {
    uint32_t offset;
    uint8_t space, size_bytes; /* enum aub_register_space */
    uint64_t mask, value;
    bool not_equal; /* polls and compares: until, or if, it differs */
    bool ignore;    /* polls: going on after a time-out is allowed */
    bool no_read;   /* compares: the value is not to be read */
};

struct aub_memory {
    uint64_t address;
    uint32_t space; /* enum aub_space */
    uint32_t size_bytes;
    const uint8_t *data; /* size_bytes of it; valid during the call */
    uint8_t tiling, hint;
    uint8_t compare; /* compares and polls: enum aub_compare */
    uint64_t mask;   /* polls */
    bool crc;        /* compares: data is a CRC */
    bool deferred;   /* compares for AUB_NOT_EQUAL: "or any of those that follow" */
    bool no_read;
    bool repeat; /* writes and compares: the packet's repeat flag; data is size_bytes long all the same */
    bool ignore; /* polls: going on after a time-out is allowed */
};

/* Every callback gets `user` and may be NULL. False: the consumer wants no more. */
struct aub_sink {
    void *user;
    bool (*header)(void *user, const struct aub_packet *at, const struct aub_header *header);
    bool (*register_write)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*register_compare)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*register_poll)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*memory_write)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    bool (*memory_compare)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    bool (*memory_poll)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    /* Classic command write: these dwords are appended to a ring and executed. */
    bool (*ring_commands)(void *user, const struct aub_packet *at, unsigned ring, const struct aub_memory *m);
    bool (*comment)(void *user, const struct aub_packet *at, const char *text);
    bool (*delay)(void *user, const struct aub_packet *at, uint32_t time);
    /* Everything that only asks for output or informs, with its fields as text; unknown memtrace packets too.
     */
    bool (*note)(void *user, const struct aub_packet *at, bool known, const char *text);
    /* Now and then; read_bytes of file_bytes, as they lie on the disk; 0: not known. */
    void (*progress)(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes);
    bool digests; /* packets tell a digest of those before them */
};

struct aub_error {
    uint64_t offset;
    char text[256]; /* without the file's name */
};

enum aub_result {
    AUB_OK,
    AUB_BAD,     /* the file is not readable as AUB from error->offset on */
    AUB_STOPPED, /* a callback said so */
};

/* Reads the file at `path` ("-": standard input). Callbacks of all packets before an error have been made. */
enum aub_result aub_read_file(const char *path, const struct aub_sink *sink, struct aub_error *error);
/* The same from memory; compressed or not. */
enum aub_result aub_read_memory(const void *data, size_t size_bytes, const struct aub_sink *sink,
                                struct aub_error *error);

/* The product that a device number of VERSION stands for, or NULL; and its number, or 0. */
const char *aub_simulator_name(uint32_t id);
uint32_t aub_simulator_id(const char *name);

/* ---- Writing ---- */

/* Errors are sticky: check once, at aub_writer_close. */
struct aub_writer {
    struct output output;
    FILE *file; /* the output's */
    bool failed;
    int error; /* errno of the first failure */
};

/* NULL path: writes go to `file`, which aub_writer_close closes. False: cannot be opened (errno tells). */
bool aub_writer_open(struct aub_writer *w, const char *path, FILE *file);
/* False if anything failed (errno tells); what was at the path before is there, then. */
bool aub_writer_close(struct aub_writer *w);

void aub_write_version(struct aub_writer *w, uint32_t simulator_id, uint32_t pci_id, const char *application);
void aub_write_register(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                        uint64_t value);
void aub_write_register_compare(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                                uint64_t expected);
void aub_write_register_poll(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                             uint64_t value, bool not_equal);
/* Any length; split into packets of at most 64 KB. */
void aub_write_memory(struct aub_writer *w, enum aub_space space, uint64_t address, const void *data,
                      size_t size_bytes);
void aub_write_memory_compare(struct aub_writer *w, enum aub_space space, uint64_t address, const void *data,
                              size_t size_bytes, bool not_equal);
void aub_write_memory_poll(struct aub_writer *w, enum aub_space space, uint64_t address, unsigned size_bytes,
                           uint64_t mask, uint64_t value, enum aub_compare compare);
void aub_write_comment(struct aub_writer *w, const char *text);
void aub_write_delay(struct aub_writer *w, uint32_t time);
void aub_write_frame_begin(struct aub_writer *w, uint16_t number);

#endif
