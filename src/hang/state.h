/*
 * The state of a GPU at a hang, as Linux reports it: an i915 error state (/sys/class/drm/cardN/error) or a
 * devcoredump of xe. It is text: facts of the system, registers of each engine, and buffers of graphics
 * memory in ascii85. The file is hostile. What is wrong in it becomes a list of problems with lines; all that
 * is valid is kept.
 */
#ifndef HANG_STATE_H
#define HANG_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ERROR_ENGINES = 64,
    ERROR_REGISTERS = 1024, /* of an engine */
    ERROR_BUFFERS = 4096,
    ERROR_NOTES = 1024,   /* of the file */
    ERROR_PROBLEMS = 100, /* that are kept */
    ERROR_NAME = 48,
    ERROR_TEXT = 192,
    ERROR_NO_INDEX = -1,
};
enum { ERROR_GLOBAL = -1 /* the engine of what belongs to no engine */ };

enum error_driver { ERROR_DRIVER_UNKNOWN, ERROR_DRIVER_I915, ERROR_DRIVER_XE };
enum error_space { ERROR_GGTT, ERROR_PPGTT };

struct error_register {
    char name[ERROR_NAME]; /* as the file spells it, without indices: "ACTHD" */
    int16_t index[2];      /* slice and subslice, or group and instance; ERROR_NO_INDEX */
    uint64_t value;
    unsigned line;
};

/* A line that is neither a register nor known otherwise. */
struct error_note {
    int engine;
    unsigned line;
    char text[ERROR_TEXT];
};

/* Offsets in the ring of the request that ran. */
struct error_request {
    bool is_known;
    uint32_t head, postfix, tail;
};

struct error_engine {
    char name[ERROR_NAME];    /* Linux' name: "rcs0" */
    char process[ERROR_NAME]; /* "" if unknown */
    int64_t pid;
    bool hung, is_guilty, has_guilt;
    struct error_request request;
    struct error_register *registers;
    unsigned register_count, register_capacity;
    unsigned line;
};

struct error_buffer {
    char name[ERROR_NAME]; /* "batch", "ring", "HW context", "VM" ... */
    int engine;
    enum error_space space;
    bool has_address;
    uint64_t address;
    uint8_t *bytes;        /* NULL: the file does not have the contents */
    size_t size_bytes;     /* a multiple of 4 */
    bool is_cut;           /* the file has only the beginning */
    unsigned line;         /* of its name */
    uint64_t wanted_bytes; /* that the file announces; 0: it does not */
};

struct error_problem {
    unsigned line; /* 0: of the whole file */
    char text[ERROR_TEXT];
};

struct error_state {
    enum error_driver driver;
    char title[ERROR_TEXT]; /* "GPU HANG: ...", "Reason: ..." */
    char kernel[ERROR_TEXT], platform[ERROR_NAME];
    char process[ERROR_NAME]; /* that the title names */
    int64_t pid;
    bool has_pci_id;
    uint16_t pci_id;
    uint8_t pci_revision;
    struct error_engine engines[ERROR_ENGINES];
    unsigned engine_count;
    struct error_engine global; /* registers of no engine */
    struct error_buffer *buffers;
    unsigned buffer_count, buffer_capacity;
    struct error_note *notes;
    unsigned note_count, note_capacity;
    uint64_t batch[ERROR_ENGINES]; /* addresses of the batches of xe's job */
    unsigned batch_count;
    struct error_problem problems[ERROR_PROBLEMS];
    uint64_t problem_count; /* those that are not kept, too */
    bool no_memory;
};

/* Parses the text. `limit_bytes` bounds the memory of all buffers. False: the text is no error state, or the
 * host is out of memory (no_memory); problems say why. */
bool error_state_parse(struct error_state *s, const char *text, size_t size, uint64_t limit_bytes);
void error_state_free(struct error_state *s);

/* Reads the file, which may be compressed as a whole (gzip, xz, zstd, bzip2). NULL: out of memory, or *why
 * says what is wrong with the data. The caller frees the text. */
char *error_state_unpack(const void *data, size_t size_bytes, uint64_t limit_bytes, size_t *text_bytes,
                         const char **why);

/* The engine of that name; NULL: none. */
const struct error_engine *error_state_engine(const struct error_state *s, const char *name);
/* A register by the names that drivers have for it. NULL: not in the file. */
const struct error_register *error_register_find(const struct error_engine *e, const char *name);
/* The same; false: not in the file. Both halves of a pair. */
bool error_register_value(const struct error_engine *e, const char *row_name, uint64_t *value);
/* The name of the row (registers(1)) that a register of the file is; the name itself if it has no other. */
const char *error_row_name(const char *name);
/* The register's name with its indices. */
void error_register_text(const struct error_register *r, char *text, size_t size);

/* The buffer that has the address; those of the engine are found first. `engine` ERROR_GLOBAL: any. */
const struct error_buffer *error_buffer_at(const struct error_state *s, int engine, enum error_space space,
                                           uint64_t address);
/* Reads memory of the dump. False: a part of it is not in the file. */
bool error_state_read(const struct error_state *s, int engine, enum error_space space, uint64_t address,
                      void *data, size_t size_bytes);

#endif
