/*
 * softgt tools: names, decoding and building of commands, structures and registers; disassembly; traces and
 * programs that play on a device. The library is libsoftgt-tools; it uses libsoftgt.
 *
 * A spec (struct softgt_spec) has the rows of one device: what its manual says of each command, structure,
 * register and message of the GuC. Rows, names and texts are valid until the spec is destroyed. A spec does
 * not change: any number of threads may use it. The other functions of this header have no state.
 *
 * Names of rows and fields are the manual's. Functions that take a name ignore case, blanks, underscores and
 * hyphens, in names of fields and values all but letters and digits: "Register Address" is
 * "register_address".
 *
 * Functions that return int return 0, or a negative errno: -EINVAL for invalid arguments, -ENOMEM, and what
 * each says. On errors nothing has changed. Pointers must not be NULL where the comment does not name NULL;
 * `dwords` are aligned to 4 bytes, and may be NULL with a length of 0. Structs have sizes as in softgt.h.
 */
#ifndef SOFTGT_TOOLS_H
#define SOFTGT_TOOLS_H

#include <softgt/formats.h>
#include <softgt/softgt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where text goes, in pieces, in order. The bytes are UTF-8, not terminated, valid during the call. */
struct softgt_text_port {
    void *user;
    void (*write)(void *user, const char *bytes, size_t size_bytes);
};

/* ---- Specs ---- */

/* The rows of a device. */
struct softgt_spec;
/* A command, structure, register or message. */
struct softgt_row;

/* Creates the rows of a device by its name ("skl"), also of products whose traces are only decoded: these
 * have no registers, units, ranges of registers or images, and all their commands are SOFTGT_COMMAND_COUNTED.
 * Returns 0: the caller owns *spec, and ends it with softgt_spec_destroy; -ENODEV: there is no such device;
 * -EINVAL: NULL; -ENOMEM. */
SOFTGT_API int softgt_spec_create(const char *device, struct softgt_spec **spec);
/* Destroys a spec; NULL: nothing. Its rows and texts are gone. */
SOFTGT_API void softgt_spec_destroy(struct softgt_spec *spec);

/* What a row is of. */
enum softgt_row_kind {
    SOFTGT_ROW_COMMAND,
    SOFTGT_ROW_STRUCTURE, /* in memory: RENDER_SURFACE_STATE */
    SOFTGT_ROW_REGISTER,  /* of one unit: RING_BUFFER_TAIL of rcs0 */
    SOFTGT_ROW_MESSAGE,   /* between host and GuC; the dwords begin after the header */
};

/* Returns how many rows of a kind there are. */
SOFTGT_API size_t softgt_spec_rows(const struct softgt_spec *spec, enum softgt_row_kind kind);
/* Returns row `index` of a kind: registers by offset, others by chapter; NULL past the last. */
SOFTGT_API const struct softgt_row *softgt_spec_row(const struct softgt_spec *spec, enum softgt_row_kind kind,
                                                    size_t index);
/* Returns the row of a name; of a register "rcs0.RING_BUFFER_TAIL", or the name alone if one unit has it.
 * NULL: there is none. Of several commands of one name, for different engines: the first. */
SOFTGT_API const struct softgt_row *softgt_spec_find(const struct softgt_spec *spec,
                                                     enum softgt_row_kind kind, const char *name);
/* Returns the command of a header on engines of a class; NULL: there is none. */
SOFTGT_API const struct softgt_row *softgt_spec_command(const struct softgt_spec *spec,
                                                        enum softgt_engine_class engine_class,
                                                        uint32_t header);
/* Returns the register at an MMIO offset in bytes; NULL: there is none. */
SOFTGT_API const struct softgt_row *softgt_spec_register(const struct softgt_spec *spec, uint32_t offset);
/* Returns register `index` in another order: unit after unit, of each as its rows are; NULL past the last. */
SOFTGT_API const struct softgt_row *softgt_spec_unit_register(const struct softgt_spec *spec, size_t index);
/* Writes the name of the dword at an MMIO offset, as snprintf does: "CS_GPR[1]", "CS_GPR[1]_UDW" for the
 * upper dword of two. Returns the length of the whole name; 0: there is no register, and `text` is empty. */
SOFTGT_API size_t softgt_spec_register_name(const struct softgt_spec *spec, uint32_t offset, char *text,
                                            size_t size_bytes);
/* Returns the manual's name of a register that Linux' error states name "RING_MODE", in capitals; the given
 * name if it has no other. Valid as long as `name`. */
SOFTGT_API const char *softgt_linux_register_name(const char *name);
/* Finds the class of an engine ("rcs0"), or a class by its own name ("render"), the inverse of
 * softgt_engine_class_name. Returns 0; -ENOENT: the device has no such engine, or none of the class. */
SOFTGT_API int softgt_spec_engine_class(const struct softgt_spec *spec, const char *engine,
                                        enum softgt_engine_class *engine_class);

/* What a row says. */
struct softgt_row_info {
    enum softgt_row_kind kind;
    const char *name, *summary;
    const char *source;      /* checklist ID or document, "CSP-12" */
    const char *unit;        /* of a register: "rcs0"; else NULL */
    uint32_t value;          /* header of a command, MMIO offset of a register, action of a message */
    uint32_t mask;           /* of a command: the header's bits that are `value` */
    uint32_t engine_classes; /* of a command: 1 << enum softgt_engine_class */
    uint32_t length_dw;      /* the least length of a command or message */
    uint32_t fields;         /* how many fields it has, */
    uint32_t group_fields;   /* and a group, which repeats to the end; 0: there is none */
    uint32_t group_start_dw, group_length_dw;
    enum softgt_command_model model; /* of a command; COUNTED of a device that is only decoded */
    bool is_privileged;              /* of a command: not executed in a non-privileged batch */
    bool ends_batch;                 /* of a command: MI_BATCH_BUFFER_END */
    bool is_64_bit;                  /* of a register: two dwords */
    bool is_masked;                  /* of a register: bits 31:16 enable writes of bits 15:0 */
    uint64_t writable_bits, clear_bits, reset_value; /* of a register; clear_bits: a written 1 clears them */
    uint32_t most_length_dw;                         /* of a message: its greatest length */
    uint32_t length_bits;   /* of a command: the width of DWord Length, from bit 0 on; 0: of a fixed length */
    uint32_t length_bias;   /* of a command: the length in dwords is DWord Length and this */
    uint32_t privileged_if; /* of a command: bits of the header, each of which makes it privileged */
    bool is_predicated;     /* of a command: MI_SET_PREDICATE can skip it */
    bool is_preemptable;    /* of a command: another context can preempt at it */
    bool is_user_writable;  /* of a register: a non-privileged batch of some engine writes it */
    uint32_t array_length;  /* of a register: NAME[0] is the first of as many; 1: it is not in an array */
    uint32_t flags;         /* SOFTGT_MESSAGE_VIA_REGISTERS and the others */
};
/* Bits of softgt_row_info.flags. */
enum {
    SOFTGT_MESSAGE_VIA_REGISTERS = 1u << 0, /* from the host, by the mailbox of registers */
    SOFTGT_MESSAGE_VIA_BUFFER = 1u << 1,    /* from the host, by a command transport buffer */
    SOFTGT_MESSAGE_FROM_VF = 1u << 2,       /* virtual functions may send it */
    SOFTGT_MESSAGE_FROM_GUC = 1u << 3,      /* the GuC sends it */
    SOFTGT_COMMAND_IF_SUPPORTED = 1u << 4,  /* performed, unless it needs what is not modelled */
};
/* Fills *info. */
SOFTGT_API void softgt_row_get_info_sized(const struct softgt_row *row, struct softgt_row_info *info,
                                          size_t info_bytes);
static inline void softgt_row_get_info(const struct softgt_row *row, struct softgt_row_info *info)
{
    softgt_row_get_info_sized(row, info, sizeof *info);
}

/* How a field's bits are a value. */
enum softgt_field_kind {
    SOFTGT_FIELD_UINT,
    SOFTGT_FIELD_INT, /* two's complement */
    SOFTGT_FIELD_BOOL,
    SOFTGT_FIELD_HEX,     /* unsigned, best shown in hexadecimal */
    SOFTGT_FIELD_ADDRESS, /* graphics address: the value has the low bits that the field lacks, as zeros */
    SOFTGT_FIELD_OFFSET,  /* offset or register, likewise */
    SOFTGT_FIELD_FLOAT,   /* bits of an IEEE single */
};

/* What a row says of a field. */
struct softgt_field_info {
    const char *name;
    enum softgt_field_kind kind;
    uint32_t first_bit, last_bit; /* from bit 0 of the first dword of the row, or of its group */
    uint32_t values;              /* how many values have names */
    const char *base;   /* what the value is an offset from, "Surface State Base Address"; or NULL */
    const char *target; /* the structure that it points to; or NULL */
};
/* Fills *info for field `index`; those of the group follow the others. Returns false past the last. */
SOFTGT_API bool softgt_row_get_field_sized(const struct softgt_row *row, size_t index,
                                           struct softgt_field_info *info, size_t info_bytes);
static inline bool softgt_row_get_field(const struct softgt_row *row, size_t index,
                                        struct softgt_field_info *info)
{
    return softgt_row_get_field_sized(row, index, info, sizeof *info);
}
/* Finds the first field of a name from field *index on. Returns true and sets *index; false: there is none.
 */
SOFTGT_API bool softgt_row_find_field(const struct softgt_row *row, const char *name, size_t *index);
/* Finds named value `value_index` of field `index`. Returns its name, and sets *value; NULL past the last. */
SOFTGT_API const char *softgt_row_value_name(const struct softgt_row *row, size_t index, size_t value_index,
                                             uint64_t *value);

/* ---- Decoding ---- */

/* Returns the length in dwords that a header says, of a command of the class; 0: no command of the class has
 * it. It may be more than the batch has. */
SOFTGT_API uint32_t softgt_command_length(const struct softgt_spec *spec,
                                          enum softgt_engine_class engine_class, uint32_t header);

/* One field of decoded dwords. */
struct softgt_decoded_field {
    const char *name;
    enum softgt_field_kind kind;
    uint32_t group;         /* number of the group from 0 on; UINT32_MAX: it is in none */
    uint64_t value;         /* of an INT sign-extended to 64 bits */
    const char *value_name; /* NULL: the value has no name */
};
/* Decodes field `index` of a row in length_dw dwords: a command with its header, a structure, the value of a
 * register in one dword or two. The fields of groups follow, group after group. Fields past the end are left
 * out. It takes as long for the last field as for the first. Returns false past the last. */
SOFTGT_API bool softgt_decode_field_sized(const struct softgt_row *row, const uint32_t *dwords,
                                          size_t length_dw, size_t index, struct softgt_decoded_field *field,
                                          size_t field_bytes);
static inline bool softgt_decode_field(const struct softgt_row *row, const uint32_t *dwords, size_t length_dw,
                                       size_t index, struct softgt_decoded_field *field)
{
    return softgt_decode_field_sized(row, dwords, length_dw, index, field, sizeof *field);
}

/* Flags of softgt_decode; HEADERS, NONZERO and COLOR not with GTS. */
enum {
    SOFTGT_DECODE_JSON = 1u << 0,    /* an object a line, schema softgt.command */
    SOFTGT_DECODE_HEADERS = 1u << 1, /* without fields */
    SOFTGT_DECODE_NONZERO = 1u << 2, /* without fields that are zero */
    SOFTGT_DECODE_GTS = 1u << 3,     /* lines of gts(5) that assemble to the same dwords */
    SOFTGT_DECODE_ALL = 1u << 4,     /* also what follows MI_BATCH_BUFFER_END */
    SOFTGT_DECODE_COLOR = 1u << 5,   /* names in a terminal's colors */
};
/* Lists the commands of a batch of length_dw dwords; `address` is the graphics address of the first. It ends
 * after MI_BATCH_BUFFER_END. `out` gets whole commands in pieces of about 64 KB. The first call for text, and
 * that for JSON, prepare texts that the spec keeps.
 *
 * Returns how many headers are unknown or cut off; -EINVAL: invalid flags or class, or no port; -ENOMEM. */
SOFTGT_API int softgt_decode(const struct softgt_spec *spec, enum softgt_engine_class engine_class,
                             const uint32_t *dwords, size_t length_dw, uint64_t address, unsigned flags,
                             const struct softgt_text_port *out);

/* ---- Decoders ---- */

/* Lists commands one by one, and what they point to: it remembers base addresses. */
struct softgt_decoder;

/* More flags, of softgt_decoder_create (softgt_decoder_config.flags). */
enum {
    SOFTGT_DECODER_RESOLVE = 1u << 6, /* offsets from base addresses are shown as addresses, too */
    SOFTGT_DECODER_FOLLOW = 1u << 7,  /* softgt_decoder_follow lists structures; implies RESOLVE */
    SOFTGT_DECODER_KERNELS = 1u << 8, /* it lists kernels, too; implies FOLLOW */
};

/* How a decoder lists. All is optional, but for `read` with SOFTGT_DECODER_FOLLOW. */
struct softgt_decoder_config {
    unsigned flags;      /* SOFTGT_DECODE_JSON, HEADERS, NONZERO, COLOR, RESOLVE, FOLLOW, KERNELS */
    const char *missing; /* what is said of memory that cannot be read; NULL: "not in the trace" */
    void *user;          /* of the next */
    /* Reads graphics memory as the engine of the current command sees it. Returns false if it is not mapped.
     */
    bool (*read)(void *user, uint64_t address, void *data, size_t size_bytes);
    /* Adds to the current command: in text after its name; in JSON as members, each followed by a comma. */
    void (*remark)(void *user, const struct softgt_text_port *out);
};
/* Creates a decoder. Returns 0: the caller owns *decoder, and ends it with softgt_decoder_destroy, before the
 * spec; -EINVAL: NULL, invalid flags, or a member that this library does not know; -ENOMEM. */
SOFTGT_API int softgt_decoder_create_sized(const struct softgt_spec *spec,
                                           const struct softgt_decoder_config *config, size_t config_bytes,
                                           struct softgt_decoder **decoder);
static inline int softgt_decoder_create(const struct softgt_spec *spec,
                                        const struct softgt_decoder_config *config,
                                        struct softgt_decoder **decoder)
{
    return softgt_decoder_create_sized(spec, config, sizeof *config, decoder);
}
/* Destroys a decoder; NULL: nothing. */
SOFTGT_API void softgt_decoder_destroy(struct softgt_decoder *decoder);

/* What softgt_decoder_command found. */
enum {
    SOFTGT_DECODED_COMMAND,
    SOFTGT_DECODED_UNKNOWN, /* no command has the header: it is listed as one dword */
    SOFTGT_DECODED_CUT,     /* the dwords end inside the command */
};
/* Lists the command that begins at dwords[0]; length_dw of them are there, at least one. `address` is its
 * graphics address. *command_dw gets its length: 1 for an unknown header, what is there if it is cut off.
 * Returns SOFTGT_DECODED_COMMAND or the others; -EINVAL: no dword, no port, or an invalid class; -ENOMEM. */
SOFTGT_API int softgt_decoder_command(struct softgt_decoder *decoder, enum softgt_engine_class engine_class,
                                      const uint32_t *dwords, size_t length_dw, uint64_t address,
                                      const struct softgt_text_port *out, size_t *command_dw);
/* Lists the structures and kernels that a whole command points to, each below what points to it. Returns 0;
 * -EINVAL: the decoder does not follow, or as softgt_decoder_command; -ENOMEM. */
SOFTGT_API int softgt_decoder_follow(struct softgt_decoder *decoder, enum softgt_engine_class engine_class,
                                     const uint32_t *dwords, size_t length_dw, uint64_t address,
                                     const struct softgt_text_port *out);
/* Selects the context whose commands come next, by any number that names it, as its LRCA; 0 until then. Each
 * context has base addresses and counts of its own, none at first. Returns 0; -ENOMEM: the context is as
 * before. */
SOFTGT_API int softgt_decoder_select(struct softgt_decoder *decoder, uint64_t context);
/* Forgets base addresses and counts of tables that commands of the context gave. */
SOFTGT_API void softgt_decoder_forget(struct softgt_decoder *decoder);

/* ---- Building ---- */

/* A field that is given a value; the others are zero. */
struct softgt_field_setting {
    const char *name; /* "dw3": a whole dword */
    uint32_t group;   /* number of the group; 0 for fields outside groups */
    uint64_t value;   /* as softgt_decode_field gives it */
    const char *text; /* not NULL: the name of the value, instead of `value` */
};
/*
 * Builds the dwords of a row from settings of its fields: a command with its header, a structure, a message,
 * or the value of a register. Set *length_dw to 0 before: the length is then that of the fields given, by the
 * rule of gts(5). Any other length is taken; it may be less than a command's least, for tests. Of two
 * settings of a field the last counts. It writes *length_dw dwords, up to most_dw, and sets *length_dw to the
 * length.
 *
 * Returns 0; -EINVAL: a setting has no name; -ENOENT: no such field or value; -ERANGE: a value does not fit
 * its field, or the length does not fit the row; -ENOSPC: it is longer than most_dw; -ENOMEM. *bad gets the
 * index of the setting that is wrong, or `count`; it may be NULL. With -ENOSPC *length_dw is the length.
 */
SOFTGT_API int softgt_build(const struct softgt_row *row, const struct softgt_field_setting *settings,
                            size_t count, uint32_t *dwords, size_t most_dw, size_t *length_dw, size_t *bad);

/*
 * Builds a batch from lines of a batch block of gts(5), for a batch at a graphics address. Registers have
 * names, labels are allowed. It writes up to most_dw dwords; *length_dw is the length of all.
 *
 * Returns 0; -EINVAL: an invalid class, or the text has errors, which go to `errors` (or NULL) as
 * "NAME:LINE:COLUMN: TEXT\n"; -ENOSPC: it is longer than most_dw; -ENOMEM.
 */
SOFTGT_API int softgt_build_text(const struct softgt_spec *spec, enum softgt_engine_class engine_class,
                                 const char *name, const char *text, size_t text_bytes, uint64_t address,
                                 uint32_t *dwords, size_t most_dw, size_t *length_dw,
                                 const struct softgt_text_port *errors);

/* ---- Kernels ---- */

/* A decoded instruction. */
struct softgt_instruction {
    uint32_t size_bytes;   /* 8: compacted; 16 */
    const char *operation; /* "mad"; static */
    const char *illegal;   /* why it is illegal; NULL: it is legal; static */
    bool ends_thread;      /* a send with EOT */
    uint32_t channels;     /* execution size */
    char text[256];        /* in the syntax of Intel's assembler; a longer one is cut */
};
/* Decodes the instruction at `offset` bytes of a kernel. Returns 0; -ENODATA: the bytes end inside it, or
 * before it; -EINVAL: the device's instructions are not known; -ENOMEM. */
SOFTGT_API int softgt_decode_instruction_sized(const struct softgt_spec *spec, const void *kernel,
                                               size_t size_bytes, size_t offset,
                                               struct softgt_instruction *instruction,
                                               size_t instruction_bytes);
static inline int softgt_decode_instruction(const struct softgt_spec *spec, const void *kernel,
                                            size_t size_bytes, size_t offset,
                                            struct softgt_instruction *instruction)
{
    return softgt_decode_instruction_sized(spec, kernel, size_bytes, offset, instruction,
                                           sizeof *instruction);
}
/* Lists a kernel with labels. Returns how many instructions are illegal or cut off; -EINVAL: the device's
 * instructions are not known; -ENOMEM. */
SOFTGT_API int softgt_disassemble(const struct softgt_spec *spec, const void *kernel, size_t size_bytes,
                                  const struct softgt_text_port *out);

/* ---- Instruction sets ---- */

/* Formats of instructions: what operands they have. */
enum softgt_instruction_form {
    SOFTGT_FORM_NONE, /* no operands */
    SOFTGT_FORM_UNARY,
    SOFTGT_FORM_BINARY,
    SOFTGT_FORM_TERNARY,
    SOFTGT_FORM_MACRO, /* three sources with extended accumulators: madm */
    SOFTGT_FORM_BFN,   /* three sources and a truth table */
    SOFTGT_FORM_DPAS,  /* three blocks of registers */
    SOFTGT_FORM_JUMP,
    SOFTGT_FORM_MERGE,  /* JIP: while, endif, join */
    SOFTGT_FORM_BRANCH, /* JIP and UIP */
    SOFTGT_FORM_SEND,
    SOFTGT_FORM_SENDS, /* sends of Gen9 to Gen11: two payloads */
    SOFTGT_FORM_DIM,   /* a 64-bit immediate */
};

/* Bits of softgt_operation.modifiers. */
enum {
    SOFTGT_OPERATION_PREDICATE = 1u << 0,
    SOFTGT_OPERATION_CONDITION = 1u << 1,
    SOFTGT_OPERATION_SATURATE = 1u << 2,
    SOFTGT_OPERATION_SOURCE_MODIFIERS = 1u << 3, /* sources may be negated or absolute */
    SOFTGT_OPERATION_NOT = 1u << 4,              /* the modifier of a source is a logical not */
    SOFTGT_OPERATION_BRANCH_CONTROL = 1u << 5,
};

/* An operation of an instruction set. */
struct softgt_operation {
    const char *name, *summary; /* "mad" */
    uint32_t opcode;
    uint32_t sources; /* 0: none, or as the function of math says */
    enum softgt_instruction_form form;
    uint32_t modifiers; /* what the instruction may have */
};
/* Returns operation `index` of the device's instruction set, by opcode; NULL past the last. */
SOFTGT_API const struct softgt_operation *softgt_spec_operation(const struct softgt_spec *spec, size_t index);

/* Where a field of a native instruction (128 bits) is. Its value is that of all pieces, the first one has the
 * lowest bits. A field may have several places, for different forms or values of other fields. */
struct softgt_instruction_field {
    const char *name;
    uint32_t forms;                      /* 1 << enum softgt_instruction_form */
    uint32_t pieces;                     /* how many it has; 0: it has the constant value `inverted` */
    const uint32_t *first_bits;          /* of each piece */
    const uint32_t *width_bits;          /* of each piece */
    uint64_t inverted;                   /* bits of the value that are stored inverted */
    uint32_t shift;                      /* low bits of the value that are zero and not stored */
    uint32_t conditions;                 /* how many there are; all hold, else the field is not there */
    const char *const *condition_fields; /* of each condition: this field */
    const uint64_t *condition_values;    /* has one of these values: 1 << value */
};
/* Returns place `index` of the fields of the device's instructions; NULL past the last. */
SOFTGT_API const struct softgt_instruction_field *softgt_spec_instruction_field(
    const struct softgt_spec *spec, size_t index);

/* A kind of message that threads send to a shared function. */
struct softgt_thread_message {
    const char *name;     /* "oword block read" */
    const char *function; /* the shared function, "dc0" */
    uint32_t sfids;       /* 1 << ID of a shared function, for each that it goes to */
    uint32_t match, mask; /* the bits `mask` of the message descriptor are `match` */
};
/* Returns kind of message `index` of the device's threads; NULL past the last. */
SOFTGT_API const struct softgt_thread_message *softgt_spec_thread_message(const struct softgt_spec *spec,
                                                                          size_t index);

/* ---- Maps ---- */

/* What the next functions return is valid until the spec is destroyed. */

/* A unit of an engine that has registers. The first of an engine is its "command streamer". */
struct softgt_unit {
    const char *engine; /* "rcs0" */
    const char *name;
    uint32_t mmio_base; /* MMIO offset in bytes */
};
/* Returns unit `index`, engine after engine; NULL past the last. */
SOFTGT_API const struct softgt_unit *softgt_spec_unit(const struct softgt_spec *spec, size_t index);

/* A range of MMIO offsets, and what owns it. */
struct softgt_register_range {
    uint32_t first, last; /* bytes, both included */
    const char *owner;
};
/* Returns range `index`, by offset; NULL past the last, or the manuals of the device have no ranges. */
SOFTGT_API const struct softgt_register_range *softgt_spec_range(const struct softgt_spec *spec,
                                                                 size_t index);
/* Returns the owner of the range with an MMIO offset; NULL: there is none. */
SOFTGT_API const char *softgt_spec_range_owner(const struct softgt_spec *spec, uint32_t offset);

/* What a 4-bit function ID stands for. NULL: reserved. */
struct softgt_function_id {
    const char *sfid, *shared_function; /* where messages go */
    const char *ffid, *fixed_function;  /* which stage of the pipeline a thread is of */
};
/* Returns what an ID from 0 to 15 stands for; NULL past the last, or the device has no such table. */
SOFTGT_API const struct softgt_function_id *softgt_spec_function_id(const struct softgt_spec *spec,
                                                                    size_t id);

/* A kind of memory that devices access. */
struct softgt_memory_object {
    const char *type, *role, *found_by;
};
/* Returns kind `index`; NULL past the last. */
SOFTGT_API const struct softgt_memory_object *softgt_spec_memory_object(const struct softgt_spec *spec,
                                                                        size_t index);

/* A base address that offsets in commands and structures are from (softgt_field_info.base). */
struct softgt_base_address {
    const char *name;     /* "Surface State Base Address" */
    const char *accesses; /* what goes through it */
};
/* Returns base address `index`; NULL past the last. */
SOFTGT_API const struct softgt_base_address *softgt_spec_base_address(const struct softgt_spec *spec,
                                                                      size_t index);

/* An image that a context switch, or RC6, saves and loads. */
struct softgt_image {
    const char *engine;       /* "rcs0" */
    bool is_power;            /* of RC6; else of a context */
    uint32_t length_dw;       /* without the pipeline state, which has no fixed length */
    uint32_t ring_context_dw; /* of a context's image: its first part */
    uint32_t offset_bytes;    /* of a context's image: from the LRCA */
};
/* Returns image `index`, engine after engine; NULL past the last. */
SOFTGT_API const struct softgt_image *softgt_spec_image(const struct softgt_spec *spec, size_t index);

/* What an item of an image is. */
enum softgt_image_step {
    SOFTGT_IMAGE_NOOP,             /* a run of MI_NOOP */
    SOFTGT_IMAGE_LIST,             /* the header of MI_LOAD_REGISTER_IMM for the registers that follow */
    SOFTGT_IMAGE_REGISTER,         /* two dwords: MMIO offset and value */
    SOFTGT_IMAGE_UNKNOWN_REGISTER, /* two dwords of zeros: a register that the manuals do not name */
    SOFTGT_IMAGE_BATCH_END,        /* MI_BATCH_BUFFER_END */
    SOFTGT_IMAGE_PIPELINE_STATE,   /* MI_NOOP with the length of the state commands that follow it */
};
/* An item of an image. */
struct softgt_image_item {
    enum softgt_image_step step;
    uint32_t first_dw, length_dw; /* from the start of the image */
    uint32_t value;               /* the first dword; of a register its MMIO offset in bytes */
};
/* Returns item `index` of image `image`, in order; NULL past the last, or there is no such image. */
SOFTGT_API const struct softgt_image_item *softgt_spec_image_item(const struct softgt_spec *spec,
                                                                  size_t image, size_t index);

/* ---- Events ---- */

/* Writes an event of the trace port as a line of text with its newline, as softgt run --trace does. Returns
 * 0; -EINVAL: no port; -ENOMEM. */
SOFTGT_API int softgt_event_text(const struct softgt_event *event, const struct softgt_text_port *out);
/* Writes an event as a line of JSON (schema softgt.event). Returns 0; -EINVAL: no port; -ENOMEM. */
SOFTGT_API int softgt_event_json(const struct softgt_event *event, const struct softgt_text_port *out);

/* Returns the outcome of a command by the kind of its event, "executed", "too_short"; NULL: no outcome of a
 * command; static. */
SOFTGT_API const char *softgt_event_status(enum softgt_event_kind kind);
/* Returns the name of a state of engines, "waiting"; NULL: there is no such state; static. */
SOFTGT_API const char *softgt_engine_state_name(enum softgt_engine_state state);
/* Returns 1 << enum softgt_mistake for the word of a kind of mistakes that a play can tolerate: "short",
 * "dropped", "misplaced", "faults"; 0: it is none. */
SOFTGT_API unsigned softgt_mistake_bit(const char *word);

/* Which events are shown. */
struct softgt_event_filter;
/* Creates a filter that takes no event. Returns 0: the caller owns *filter, and ends it with
 * softgt_event_filter_destroy; -EINVAL: NULL; -ENOMEM. */
SOFTGT_API int softgt_event_filter_create(struct softgt_event_filter **filter);
/* Destroys a filter; NULL: nothing. */
SOFTGT_API void softgt_event_filter_destroy(struct softgt_event_filter *filter);
/*
 * Adds the items of a list, separated by commas: CLASS, CLASS:PATTERN or CLASS:!PATTERN. Classes are
 * commands, registers, memory, contexts, interrupts, reads, batches, blits, draws, complaints, guc and all. A
 * pattern has * and ?; case does not count. One with a dot is compared with unit and name ("rcs0.RING_*"),
 * others with either. An event is taken if a pattern of its class takes it, or the class stands without one,
 * and no pattern with ! does.
 *
 * Returns 0; -EINVAL: the list has an error, which goes to `errors` (or NULL) without a newline.
 */
SOFTGT_API int softgt_event_filter_add(struct softgt_event_filter *filter, const char *list,
                                       const struct softgt_text_port *errors);
/* Returns the mask of a trace port that has the events which the filter may take; NULL: 0. */
SOFTGT_API unsigned softgt_event_filter_mask(const struct softgt_event_filter *filter);
/* Returns whether the filter takes an event; NULL: it takes none. */
SOFTGT_API bool softgt_event_filter_takes(const struct softgt_event_filter *filter,
                                          const struct softgt_event *event);

/* A timeline of a device for the Perfetto UI: a file that the events of a run are added to. */
struct softgt_timeline;
/* Flags of softgt_timeline_create. */
enum {
    SOFTGT_TIMELINE_COMMANDS = 1u << 0, /* shows all commands, not only draws, dispatches and blits */
};
/* Creates the file: Perfetto's protocol buffers if its name ends in .pftrace, else JSON of Chrome's trace
 * viewer. `title` names the device in it. Returns 0: the caller owns *timeline, and ends it with
 * softgt_timeline_close; -EINVAL: NULL, or an unknown flag; -EEXIST: the file there is a program (ELF or #!),
 * which is not replaced; another negative errno: the file cannot be created. Until the close, the file has
 * another name beside `path`. Any number of timelines may be open, in any threads; one is used by one thread
 * at a time. */
SOFTGT_API int softgt_timeline_create(const char *path, const char *title, unsigned flags,
                                      struct softgt_timeline **timeline);
/* Returns the trace port that adds events: for a device, or to be called by the owner's own port; a mask of 0
 * if `timeline` is NULL. */
SOFTGT_API struct softgt_trace_port softgt_timeline_port(struct softgt_timeline *timeline);
/* Ends the file and frees the timeline; NULL: nothing. If `failed` is set and there was no event, the file is
 * as it was before. Returns 0, or a negative errno: the file is incomplete. */
SOFTGT_API int softgt_timeline_close(struct softgt_timeline *timeline, bool failed);

/* ---- Devices ---- */

/* Flags of softgt_ggtt_map. */
enum {
    SOFTGT_GGTT_LOCAL = 1u << 0, /* to local memory; `physical` is an offset in it */
};
/* Writes GGTT entries as a driver does: 4 KB pages from the graphics address on are mapped to bus memory, or
 * to local memory, from `physical` on. All three are multiples of 4096. Returns 0; -EINVAL: they are not, a
 * range ends beyond the GGTT or the memory, or a flag is not known; -EBUSY: a port called it. */
SOFTGT_API int softgt_ggtt_map(struct softgt *device, uint64_t address, uint64_t physical,
                               uint64_t size_bytes, unsigned flags);

/* softgt_surface.engine of a surface in the GGTT. */
enum { SOFTGT_SURFACE_GGTT = -1 };
/* A surface in graphics memory. */
struct softgt_surface {
    int engine;             /* whose PPGTT `address` is in, by its index; SOFTGT_SURFACE_GGTT */
    uint64_t address;       /* graphics address */
    uint32_t width, height; /* pixels, up to 65536 each */
    int32_t pitch_bytes;    /* 0: the smallest */
    enum softgt_tiling tiling;
    const struct softgt_format *format; /* formats.h; of one pixel a block */
};
/*
 * Reads a surface without its tiling: row after row, width pixels of the format each. Bytes that are not
 * mapped are zero; *missing counts the pixels of rows that have some, and may be NULL. Returns 0; -EINVAL: an
 * invalid surface, or a member that this library does not know; -ENOSPC: size_bytes is less than all rows
 * have.
 */
SOFTGT_API int softgt_surface_read_sized(struct softgt *device, const struct softgt_surface *surface,
                                         size_t surface_bytes, void *rows, size_t size_bytes,
                                         uint64_t *missing);
static inline int softgt_surface_read(struct softgt *device, const struct softgt_surface *surface, void *rows,
                                      size_t size_bytes, uint64_t *missing)
{
    return softgt_surface_read_sized(device, surface, sizeof *surface, rows, size_bytes, missing);
}
/* Reads a surface as red, green, blue and alpha of 8 bits. Returns 0, or as softgt_surface_read; -ENOMEM. */
SOFTGT_API int softgt_surface_read_rgba_sized(struct softgt *device, const struct softgt_surface *surface,
                                              size_t surface_bytes, uint8_t *rgba, size_t size_bytes,
                                              uint64_t *missing);
static inline int softgt_surface_read_rgba(struct softgt *device, const struct softgt_surface *surface,
                                           uint8_t *rgba, size_t size_bytes, uint64_t *missing)
{
    return softgt_surface_read_rgba_sized(device, surface, sizeof *surface, rgba, size_bytes, missing);
}

/*
 * Threads and executable memory of this process, as ports for devices. They make draws and kernels faster and
 * do not change results. A host outlives its devices. It serves one device, or several that run one after the
 * other. After a fork the child cannot use it.
 */
struct softgt_host;
/* Creates threads and code memory. `threads`: 1 to 64, with the one that calls softgt_run; those that cannot
 * be started are left out. Returns 0: the caller owns *host, and ends it with softgt_host_destroy; -EINVAL:
 * another number of threads; -ENOMEM. */
SOFTGT_API int softgt_host_create(unsigned threads, struct softgt_host **host);
/* Ends the threads; NULL: nothing. Devices with its ports are destroyed before. */
SOFTGT_API void softgt_host_destroy(struct softgt_host *host);
/* Returns the port for softgt_config.parallel; with one thread an empty one. */
SOFTGT_API struct softgt_parallel_port softgt_host_parallel(struct softgt_host *host);
/* Returns the port for softgt_config.background; with one thread an empty one. */
SOFTGT_API struct softgt_background_port softgt_host_background(struct softgt_host *host);
/* Returns the port for softgt_config.code; where the system lets no process run memory that it has written,
 * an empty one: kernels are interpreted. */
SOFTGT_API struct softgt_code_port softgt_host_code(struct softgt_host *host);

/* ---- Traces and programs ---- */

/* What softgt_play returns. */
enum {
    SOFTGT_PLAY_CLEAN,
    SOFTGT_PLAY_FAILED,   /* something failed, or was unknown or unsupported */
    SOFTGT_PLAY_UNUSABLE, /* the file cannot be read, or has errors */
};

/* Kinds of messages of a play. */
enum softgt_message_kind {
    SOFTGT_MESSAGE_OUTPUT, /* of say and read statements */
    SOFTGT_MESSAGE_NOTE,
    SOFTGT_MESSAGE_ERROR,   /* the file has an error */
    SOFTGT_MESSAGE_FAILURE, /* an expectation, a compare or a poll failed */
};
/* A message of a play. */
struct softgt_play_message {
    enum softgt_message_kind kind;
    const char *file;      /* as given */
    const char *text;      /* one line without newline; valid during the call */
    const char *device;    /* of a program that names several; else NULL */
    uint32_t line, column; /* in a program, from 1; 0: none */
    uint64_t offset;       /* in a trace, in bytes; UINT64_MAX: none */
};

/* How a file plays. All is optional. */
struct softgt_play_config {
    const char *device;                   /* instead of the one that the file names; NULL: that one */
    uint64_t memory_limit_bytes;          /* of bus memory that the file may use; 0: 8 GB, a program 1 GB */
    uint64_t budget_dw;                   /* dwords after which a submission counts as looping; 0: 2^28 */
    unsigned tolerate;                    /* 1 << enum softgt_mistake: these do not fail */
    bool timing;                          /* commands take time (softgt_config.timing) */
    bool no_draws;                        /* draws are counted, not run */
    bool force;                           /* allows a device of another generation than the trace's */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
    struct softgt_trace_port trace;       /* optional */
    struct softgt_report_port report;     /* optional */
    /* The next are optional, and get `user`. The device is the play's: read it, and do not change it, nor
     * its trace mask. */
    void *user;
    /* Asked whether to stop, by the thread that plays, between packets or statements and every few
     * milliseconds of commands. True: the play ends and fails. It may read what a signal handler (volatile
     * sig_atomic_t) or another thread (an atomic) has set. */
    bool (*stop)(void *user);
    void (*message)(void *user, const struct softgt_play_message *message);
    void (*started)(void *user, struct softgt *device);  /* a device was created; nothing has run */
    void (*finished)(void *user, struct softgt *device); /* before it is destroyed */
};

/* Plays a trace or a program from a file: AUB, compressed or not, or gts(5). It creates a device for each
 * that a program names, one after the other, and returns when they have ended. Messages come in the thread
 * that calls.
 *
 * Returns SOFTGT_PLAY_CLEAN, SOFTGT_PLAY_FAILED or SOFTGT_PLAY_UNUSABLE, with a message that says why;
 * -EINVAL: NULL, or `config` has members that this library does not know. */
SOFTGT_API int softgt_play_sized(const char *path, const struct softgt_play_config *config,
                                 size_t config_bytes);
static inline int softgt_play(const char *path, const struct softgt_play_config *config)
{
    return softgt_play_sized(path, config, sizeof *config);
}
/* Plays a trace or program from memory; `name` is for messages. A name that ends in .gts is a program's.
 * Returns as softgt_play. */
SOFTGT_API int softgt_play_memory_sized(const char *name, const void *data, size_t size_bytes,
                                        const struct softgt_play_config *config, size_t config_bytes);
static inline int softgt_play_memory(const char *name, const void *data, size_t size_bytes,
                                     const struct softgt_play_config *config)
{
    return softgt_play_memory_sized(name, data, size_bytes, config, sizeof *config);
}

/* Assembles a program (gts(5)) for its first device, or for `device`, into an AUB trace in memory. Returns 0:
 * the caller frees *data with free(); -EINVAL: NULL, or the text has errors, which go to `errors` as those of
 * softgt_build_text; -ENOMEM. */
SOFTGT_API int softgt_assemble(const char *device, const char *name, const char *text, size_t text_bytes,
                               void **data, size_t *size_bytes, const struct softgt_text_port *errors);

#ifdef __cplusplus
}
#endif

#endif
