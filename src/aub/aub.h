/*
 * The AUB trace format: a stream of packets of little-endian dwords, classic (opcode 01h) and memtrace
 * (2Eh).
 * The reader passes each packet to a sink, in constant memory. The writer makes memtrace files. Compressed
 * files (.xz, .gz, .zst, .bz2, .lz4, .lzma) are read transparently.
 */
#ifndef AUB_AUB_H
#define AUB_AUB_H

#include "host/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum aub_space {
    AUB_GGTT = 0,       /* graphics address in the GGTT */
    AUB_LOCAL = 1,      /* local memory, device physical address */
    AUB_PHYSICAL = 2,   /* system memory, physical address */
    AUB_GTT_PD = 3,     /* page directory entry, physical address */
    AUB_GGTT_ENTRY = 4, /* byte offset in the GGTT's table */
    AUB_PPGTT = 5,      /* graphics address in the PPGTT */
    AUB_PPGTT_ENTRY = 6,
    AUB_GGTT_NON_APERTURE = 7,
    AUB_PDP_ENTRY = 8, /* page table entries, physical address, with a hint of their level */
    AUB_PD_ENTRY = 9,
    AUB_PML4_ENTRY = 10,
};

/* Register spaces. */
enum aub_register_space { AUB_MMIO = 0, AUB_MCHBAR = 1, AUB_PCI_CONFIG = 2, AUB_IO = 4 };

enum aub_compare { AUB_EQUAL = 1, AUB_NOT_EQUAL, AUB_LESS, AUB_LESS_EQUAL, AUB_GREATER, AUB_GREATER_EQUAL };

/* Rings of classic command writes. */
enum aub_ring { AUB_RING_RENDER = 2, AUB_RING_VIDEO = 3, AUB_RING_BLITTER = 4 };

/* The packet of a callback. */
struct aub_packet {
    uint64_t offset;  /* bytes in the uncompressed file */
    const char *name; /* "MEM_WRITE"; static */
    uint64_t digest;  /* digest of all earlier packets; 0 unless requested */
};

struct aub_header {
    bool classic;          /* from a HEADER packet of a classic file; else from VERSION */
    uint32_t pci_id;       /* 0: not given, or not a 16-bit number */
    uint32_t simulator_id; /* device field of VERSION */
    char text[96];         /* application or command line, printable characters only */
};

struct aub_register {
    uint32_t offset;
    uint8_t space, size_bytes; /* enum aub_register_space */
    uint64_t mask, value;
    bool not_equal; /* polls: until the value differs; compares: expects another value */
    bool ignore;    /* polls: the replay may continue after a timeout */
    bool no_read;   /* compares: do not read the register */
};

struct aub_memory {
    uint64_t address;
    uint32_t space; /* enum aub_space */
    uint32_t size_bytes;
    const uint8_t *data; /* size_bytes, valid during the call */
    uint8_t tiling, hint;
    uint8_t compare; /* compares and polls: enum aub_compare */
    uint64_t mask;   /* polls */
    bool crc;        /* compares: data is a CRC */
    bool deferred;   /* compares for AUB_NOT_EQUAL: this or one of the following packets differs */
    bool no_read;
    bool repeat; /* writes and compares: the repeat flag of the packet; data still has size_bytes */
    bool ignore; /* polls: the replay may continue after a timeout */
};

/* Every callback gets `user` and may be NULL. False stops the reader. */
struct aub_sink {
    void *user;
    bool (*header)(void *user, const struct aub_packet *at, const struct aub_header *header);
    bool (*register_write)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*register_compare)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*register_poll)(void *user, const struct aub_packet *at, const struct aub_register *r);
    bool (*memory_write)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    bool (*memory_compare)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    bool (*memory_poll)(void *user, const struct aub_packet *at, const struct aub_memory *m);
    /* Classic command write: the dwords are appended to a ring and executed. */
    bool (*ring_commands)(void *user, const struct aub_packet *at, unsigned ring, const struct aub_memory *m);
    bool (*comment)(void *user, const struct aub_packet *at, const char *text);
    bool (*delay)(void *user, const struct aub_packet *at, uint32_t time);
    /* Packets that only request output or inform, with their fields as text. Also unknown memtrace packets.
     */
    bool (*note)(void *user, const struct aub_packet *at, bool known, const char *text);
    /* Reports progress. read_bytes of file_bytes are compressed bytes; 0: unknown. */
    void (*progress)(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes);
    bool digests; /* packets get a digest of the earlier packets */
};

#define AUB_NO_OFFSET UINT64_MAX /* the file cannot be opened */
struct aub_error {
    uint64_t offset;
    char text[256]; /* without the name of the file */
};

enum aub_result {
    AUB_OK,
    AUB_BAD,     /* the file is not valid AUB from error->offset on */
    AUB_STOPPED, /* a callback returned false */
};

/* Reads the file at `path` ("-": standard input). All packets before an error are passed on. */
enum aub_result aub_read_file(const char *path, const struct aub_sink *sink, struct aub_error *error);
/* The same from memory; compressed or not. */
enum aub_result aub_read_memory(const void *data, size_t size_bytes, const struct aub_sink *sink,
                                struct aub_error *error);

/* ---- Writing ---- */

/* Errors are sticky: check once, at aub_writer_close. */
struct aub_writer {
    struct output output;
    FILE *file; /* of the output */
    bool failed;
    int error; /* errno of the first failure */
};

/* NULL path: writes to `file`, which aub_writer_close closes. False: see errno. */
bool aub_writer_open(struct aub_writer *w, const char *path, FILE *file);
/* Completes the file. False: see errno; the old file stays. */
bool aub_writer_close(struct aub_writer *w);

void aub_write_version(struct aub_writer *w, uint32_t simulator_id, uint32_t pci_id, const char *application);
void aub_write_register(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                        uint64_t value);
void aub_write_register_compare(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                                uint64_t expected);
void aub_write_register_poll(struct aub_writer *w, uint32_t offset, unsigned size_bytes, uint64_t mask,
                             uint64_t value, bool not_equal);
/* Splits data of any length into packets of at most 64 KB. */
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
