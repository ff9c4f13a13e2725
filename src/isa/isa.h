/*
 * The instruction set of the execution units. An instruction is an operation's row and the values of its
 * fields; where a field lies is a row of its own, and one walk over those rows decodes and encodes. What a
 * generation has is in its struct eu_isa, named by the product's data sheet: no other code knows generations.
 */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "base/text.h"

/* Bits of the sets that a row is of. */
enum {
    EU_GEN9 = 0x01,
    EU_GEN11 = 0x02,
    EU_GEN12 = 0x04,
    EU_GEN125 = 0x08,
    EU_GEN8 = 0x10,
    EU_GEN6 = 0x20,
    EU_GEN8_9 = EU_GEN8 | EU_GEN9,   /* three sources are in Align16 */
    EU_GEN9_11 = EU_GEN9 | EU_GEN11, /* send has an extended descriptor, and a form of two payloads */
    EU_GEN8_11 = EU_GEN8_9 | EU_GEN11,
    EU_GEN12_UP = EU_GEN12 | EU_GEN125,
    EU_GEN6_9 = EU_GEN6 | EU_GEN8_9,       /* has Align16 */
    EU_GEN6_11 = EU_GEN6 | EU_GEN8_11,     /* fields that moved with Gen12 first */
    EU_GEN8_UP = EU_GEN8_11 | EU_GEN12_UP, /* all but Gen6 */
    EU_ALL = EU_GEN6 | EU_GEN8_UP
};

/* Which operands and fields an operation has; as bits in rows of fields. */
enum eu_form {
    FORM_NONE,    /* none: illegal, nop */
    FORM_UNARY,   /* one source */
    FORM_BINARY,  /* two sources */
    FORM_TERNARY, /* three sources */
    FORM_MACRO,   /* three sources and extended accumulators: madm */
    FORM_BFN,     /* three sources and a truth table */
    FORM_DPAS,    /* three blocks of registers */
    FORM_JUMP,    /* one offset or register */
    FORM_MERGE,   /* one offset: where channels come together */
    FORM_BRANCH,  /* two offsets: JIP, UIP */
    FORM_SEND,    /* a message */
    FORM_SENDS,   /* a message of two payloads, where send has one */
    FORMS
};

/* Fields of all forms. */
#define EU_FIELD_LIST(FIELD)                                                                                 \
    FIELD(OPCODE, "Opcode")                                                                                  \
    FIELD(ACCESS_MODE, "Access Mode")                                                                        \
    FIELD(DEPENDENCY, "Dependency Control")                                                                  \
    FIELD(SWSB, "Software Scoreboard")                                                                       \
    FIELD(CHANNEL_OFFSET, "Channel Offset")                                                                  \
    FIELD(THREAD_CONTROL, "Thread Control")                                                                  \
    FIELD(PREDICATE, "Predicate Control")                                                                    \
    FIELD(PREDICATE_INVERT, "Predicate Inverse")                                                             \
    FIELD(EXECUTION_SIZE, "Execution Size")                                                                  \
    FIELD(CONDITION, "Condition Modifier, Function or Shared Function ID")                                   \
    FIELD(ACC_WRITE, "Accumulator Write, Branch Control or Fusion Control")                                  \
    FIELD(BREAKPOINT, "Debug Control")                                                                       \
    FIELD(SATURATE, "Saturate")                                                                              \
    FIELD(FLAG, "Flag Register and Subregister")                                                             \
    FIELD(NO_MASK, "Mask Control")                                                                           \
    FIELD(DST_TYPE, "Destination Type")                                                                      \
    FIELD(DST_INDIRECT, "Destination Address Mode")                                                          \
    FIELD(DST_FILE, "Destination Register File")                                                             \
    FIELD(DST_REGISTER, "Destination Register")                                                              \
    FIELD(DST_SUBREGISTER, "Destination Subregister")                                                        \
    FIELD(DST_CHANNELS, "Destination Channel Enable")                                                        \
    FIELD(DST_ADDRESS, "Destination Address Subregister")                                                    \
    FIELD(DST_OFFSET, "Destination Address Immediate")                                                       \
    FIELD(DST_STRIDE, "Destination Horizontal Stride")                                                       \
    EU_SOURCE_FIELDS(FIELD, SRC0, "Source 0 ")                                                               \
    EU_SOURCE_FIELDS(FIELD, SRC1, "Source 1 ")                                                               \
    EU_SOURCE_FIELDS(FIELD, SRC2, "Source 2 ")                                                               \
    FIELD(IMMEDIATE, "Immediate")                                                                            \
    FIELD(IMMEDIATE_HIGH, "Immediate 63:32")                                                                 \
    FIELD(JIP, "JIP")                                                                                        \
    FIELD(UIP, "UIP")                                                                                        \
    FIELD(FUNCTION, "Boolean Function")                                                                      \
    FIELD(DEPTH, "Systolic Depth")                                                                           \
    FIELD(REPEAT, "Repeat Count")                                                                            \
    FIELD(EOT, "End of Thread")                                                                              \
    FIELD(DESCRIPTOR_IN_REGISTER, "Descriptor in a0.0")                                                      \
    FIELD(DESCRIPTOR, "Descriptor")                                                                          \
    FIELD(EXTENDED_IN_REGISTER, "Extended Descriptor in a0")                                                 \
    FIELD(EXTENDED, "Extended Descriptor")                                                                   \
    FIELD(EXTENDED_SUBREGISTER, "Extended Descriptor's Address Subregister")                                 \
    FIELD(EX_BSO, "Extended Bindless Surface Offset")                                                        \
    FIELD(CPS, "Coarse Pixel Shading")                                                                       \
    FIELD(SRC1_LENGTH, "Source 1 Length")

/* In the same order for each source: eu_operand counts on it. */
#define EU_SOURCE_FIELDS(FIELD, source, title)                                                               \
    FIELD(source##_IMMEDIATE, title "is Immediate")                                                          \
    FIELD(source##_TYPE, title "Type")                                                                       \
    FIELD(source##_INDIRECT, title "Address Mode")                                                           \
    FIELD(source##_FILE, title "Register File")                                                              \
    FIELD(source##_REGISTER, title "Register")                                                               \
    FIELD(source##_SUBREGISTER, title "Subregister")                                                         \
    FIELD(source##_ADDRESS, title "Address Subregister")                                                     \
    FIELD(source##_OFFSET, title "Address Immediate")                                                        \
    FIELD(source##_MODIFIER, title "Modifier")                                                               \
    FIELD(source##_VERTICAL, title "Vertical Stride")                                                        \
    FIELD(source##_WIDTH, title "Width")                                                                     \
    FIELD(source##_HORIZONTAL, title "Horizontal Stride")                                                    \
    FIELD(source##_SWIZZLE, title "Channel Select")                                                          \
    FIELD(source##_REPLICATE, title "Replicate")                                                             \
    FIELD(source##_SUBBYTE, title "Precision below a Byte")                                                  \
    FIELD(source##_VALUE, title "Immediate")

enum eu_field {
#define EU_FIELD(name, title) EU_##name,
    EU_FIELD_LIST(EU_FIELD)
#undef EU_FIELD
        EU_FIELDS
};

enum { EU_SOURCE_STEP = EU_SRC1_IMMEDIATE - EU_SRC0_IMMEDIATE };

extern const char *const eu_field_names[EU_FIELDS];

/* ---- Rows ---- */

enum {
    EU_PREDICATED = 0x01,
    EU_CONDITIONAL = 0x02,
    EU_SATURATABLE = 0x04,
    EU_SOURCE_MODIFIERS = 0x08,  /* sources have modifiers */
    EU_BITWISE = 0x10,           /* whose modifier is a logical not */
    EU_BRANCH_CONTROL = 0x20,    /* has a branch control */
    EU_NO_EXECUTION_SIZE = 0x40, /* its text has no execution size */
    EU_BRANCH_INVERTS =
        0x80 /* without branch control those go whose predicate is false (IGC, gotoJumpOnTrue) */
};

/* What an operation does. */
enum eu_opcode {
    EU_ILLEGAL,
    EU_MOV,
    EU_SEL,
    EU_MOVI,
    EU_NOT,
    EU_AND,
    EU_OR,
    EU_XOR,
    EU_SHR,
    EU_SHL,
    EU_SMOV,
    EU_BFN,
    EU_ASR,
    EU_ROR,
    EU_ROL,
    EU_CMP,
    EU_CMPN,
    EU_CSEL,
    EU_BFREV,
    EU_BFE,
    EU_BFI1,
    EU_BFI2,
    EU_JMPI,
    EU_BRD,
    EU_IF,
    EU_BRC,
    EU_ELSE,
    EU_ENDIF,
    EU_WHILE,
    EU_BREAK,
    EU_CONT,
    EU_HALT,
    EU_CALLA,
    EU_CALL,
    EU_RET,
    EU_GOTO,
    EU_JOIN,
    EU_WAIT,
    EU_SYNC,
    EU_SEND,
    EU_SENDC,
    EU_SENDS,
    EU_SENDSC,
    EU_MATH,
    EU_ADD,
    EU_MUL,
    EU_MUL_LOW, /* of dwords, where only the low word of the first takes part */
    EU_AVG,
    EU_FRC,
    EU_RNDU,
    EU_RNDD,
    EU_RNDE,
    EU_RNDZ,
    EU_MAC,
    EU_MACH,
    EU_LZD,
    EU_FBH,
    EU_FBL,
    EU_CBIT,
    EU_ADDC,
    EU_SUBB,
    EU_SAD2,
    EU_SADA2,
    EU_ADD3,
    EU_DP4,
    EU_DPH,
    EU_DP3,
    EU_DP2,
    EU_DP4A,
    EU_LINE,
    EU_DPAS,
    EU_PLN,
    EU_DPASW,
    EU_MAD,
    EU_LRP,
    EU_MADM,
    EU_NOP,
    EU_OPERATIONS
};

struct eu_operation {
    const char *name, *summary;
    uint8_t opcode; /* enum eu_opcode */
    uint8_t generations;
    uint8_t gen6_code, gen12_code; /* opcodes of EU_GEN6_11 and EU_GEN12_UP */
    uint8_t form;                  /* enum eu_form */
    uint8_t sources;               /* 0: as its function says */
    uint8_t flags;
};

extern const struct eu_operation eu_operations[];
extern const unsigned eu_operation_count;

/* A range of bits in an instruction. */
struct eu_piece {
    uint8_t first, width;
};

enum { EU_PIECES = 5, EU_CONDITIONS = 3 };

/* A field where it lies: values that others must have (a bit each) for it to be there, and its pieces, the
 * lowest first. None: it is `flip`. */
struct eu_field_row {
    uint8_t field; /* enum eu_field */
    uint8_t generations;
    uint16_t forms; /* 1 << enum eu_form */
    struct {
        uint8_t field;
        uint16_t values;
    } when[EU_CONDITIONS]; /* ends with no values */
    struct eu_piece pieces[EU_PIECES];
    uint8_t shift; /* of the value, below its lowest bit */
    uint8_t flip;  /* bits of it that are stored inverted */
};

extern const struct eu_field_row eu_field_rows[];
extern const unsigned eu_field_row_count;

/* How the 64 bits of a compacted instruction become 128: a part is copied, or an index into a table of what
 * goes to the pieces. The immediate's part is widened by its type. */
enum eu_part { PART_ALWAYS, PART_REGISTER /* no immediate */, PART_IMMEDIATE };

struct eu_compact_row {
    uint8_t generations;
    uint16_t forms;
    uint8_t part; /* enum eu_part */
    struct eu_piece from[2];
    const uint64_t *table; /* NULL: the part as it is */
    uint8_t count;
    struct eu_piece pieces[8];
};

extern const struct eu_compact_row eu_compact_rows[];
extern const unsigned eu_compact_row_count;

enum eu_type {
    TYPE_NONE,
    TYPE_UB,
    TYPE_B,
    TYPE_UW,
    TYPE_W,
    TYPE_UD,
    TYPE_D,
    TYPE_UQ,
    TYPE_Q,
    TYPE_HF,
    TYPE_BF,
    TYPE_F,
    TYPE_DF,
    TYPE_NF, /* of accumulators alone */
    TYPE_V,
    TYPE_UV,
    TYPE_VF,
    TYPE_U4,
    TYPE_S4,
    TYPE_U2,
    TYPE_S2,
    EU_TYPES
};

struct eu_type_row {
    const char *name;
    uint8_t bytes; /* of an element; packed ones: of the register that they fill */
};

extern const struct eu_type_row eu_types[EU_TYPES];

/* Architecture registers by bits 7:4 of their number. */
enum eu_register_file {
    FILE_GRF,
    FILE_NULL,
    FILE_ADDRESS,
    FILE_ACCUMULATOR,
    FILE_FLAG,
    FILE_CHANNEL_ENABLE,
    FILE_MESSAGE,
    FILE_STACK_POINTER,
    FILE_STATE,
    FILE_CONTROL,
    FILE_NOTIFICATION,
    FILE_IP,
    FILE_DEPENDENCY,
    FILE_TIMESTAMP,
    FILE_FLOW_CONTROL,
    FILE_DEBUG,
    FILE_MME, /* accumulators as math macros name them */
    FILE_MRF, /* Gen6: registers that messages are sent from */
    FILE_IMMEDIATE,
    EU_FILES
};

struct eu_file_row {
    const char *name;
    uint8_t high;  /* bits 7:4 of the number */
    uint8_t count; /* how many of them; 0: one, that has no number */
    bool subregisters;
};

/* The instruction set of a part. */
struct eu_isa {
    const char *name;
    uint8_t generation; /* EU_GEN9 ... */
    uint8_t register_types[16], immediate_types[16],
        align16_types[8];              /* types by their codes: enum eu_type */
    bool gen6_encoding;                /* its opcodes are those of EU_GEN6_11 */
    bool ternary_is_align16;           /* three sources and math macros are in Align16 */
    bool src1_length_in_ex_descriptor; /* a second payload's length is in the extended descriptor alone */
    bool has_lsc;                      /* has load and store units, and no thread spawner */
    bool no_gpgpu;                 /* threads of compute and media do not run: their commands are counted */
    bool mul_splits_src0;          /* products of dwords in two steps are by words of src0, not of src1 */
    bool no_math_macros;           /* math has no functions invm and rsqtm */
    bool sampler_type_4bit;        /* of the sampler's message descriptor; else five bits */
    bool whole_subspans;           /* pixels of a subspan run together, whatever Vector Mask Enable says */
    uint8_t ternary_has_vstride_1; /* vertical stride 1 of three sources is 1, not 2 */
    uint8_t first_mme;             /* accumulators from here on are those of math macros */
    uint8_t accumulator_count;
    uint8_t swsb_has_pipes;    /* software scoreboard: distances by pipe */
    uint8_t mrf_count;         /* message registers, after EU_REGISTERS in the register file; 0: none */
    uint8_t jump_unit_bytes;   /* what offsets of branches count; 0: bytes */
    uint8_t hs_instance_shift; /* bit of r0.2 where a hull shader's instance begins */
    uint16_t thread_id_slots;  /* threads at once that sr0.0 tells apart by their places; 0: it reads zero */
};

extern const struct eu_file_row eu_files[EU_FILES];

/* Functions of math. */
enum { EU_MATH_INVM = 14, EU_FUNCTIONS = 16 };
extern const char *const eu_math_names[EU_FUNCTIONS], *const eu_sync_names[EU_FUNCTIONS];
extern const char *const eu_bfn_names[256]; /* by truth table */

extern const struct eu_isa eu_gen6, eu_gen8, eu_gen9, eu_gen11, eu_gen12, eu_gen125;
extern const struct eu_isa *const eu_isas[]; /* those that have walkers first; ends with NULL */

/* ---- Instructions ---- */

struct eu_instruction {
    const struct eu_operation *operation; /* never NULL */
    const char *illegal;                  /* why this is none; NULL: it is one */
    uint8_t size_bytes;                   /* 8: compacted, or 16 */
    uint32_t value[EU_FIELDS];
    uint64_t unclaimed[2];     /* bits that no field has; of what is no instruction all */
    uint64_t compaction_slack; /* bits of a compacted one that say nothing */
};

/* An instruction's own 128 bits. */
struct eu_word {
    uint64_t half[2];
};

enum { EU_NATIVE_BYTES = 16, EU_COMPACT_BYTES = 8 };

const struct eu_operation *eu_operation_find(const struct eu_isa *set, unsigned opcode);

/* Decodes what is there, at least one byte; false: it ends inside the instruction. */
bool eu_decode(const struct eu_isa *set, const void *bytes, size_t size_bytes, struct eu_instruction *i);
/* The same of fields alone: what none has (rest, slack), by which it could be encoded again, is zero. */
bool eu_decode_fields(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                      struct eu_instruction *i);
/* size_bytes of it; false: it cannot be compacted, though it says so, or a field does not hold its value. */
bool eu_encode(const struct eu_isa *set, const struct eu_instruction *i, void *bytes);

/* 8 bytes as 16; false: there is no such compacted instruction. */
bool eu_expand(const struct eu_isa *set, uint64_t compact, struct eu_word *word);
bool eu_compact(const struct eu_isa *set, const struct eu_word *word, uint64_t *compact);

/* An operand, its codes as what they mean. */
struct eu_operand {
    enum eu_register_file file;
    enum eu_type type;
    bool is_indirect, negate, absolute;
    bool address_per_row;            /* VxH: an address for each row */
    uint8_t number;                  /* of the register */
    uint8_t subregister;             /* bytes */
    uint8_t mme;                     /* of a math macro: which extended accumulator, 8: none */
    uint8_t address_subregister;     /* subregister of a0 */
    int16_t address_offset;          /* bytes, of an indirect one */
    uint8_t vstride, width, hstride; /* elements; width 0: not said */
    uint64_t immediate;
};

enum { EU_DESTINATION = -1 };
/* Which: EU_DESTINATION or 0 to 2. False: codes that mean nothing; `o` is then as far as it went. */
bool eu_operand(const struct eu_isa *set, const struct eu_instruction *i, int which, struct eu_operand *o);
/* Sources that it has, a math function's told by the function. */
unsigned eu_source_count(const struct eu_instruction *i);
/* 1 to 32. */
static inline unsigned eu_channels(const struct eu_instruction *i)
{
    return 1u << i->value[EU_EXECUTION_SIZE];
}
bool eu_has_destination(const struct eu_instruction *i);
/* Which of its places a source has. */
int eu_source_slot(const struct eu_isa *set, const struct eu_instruction *i, int which);
bool eu_is_branch(const struct eu_instruction *i);
bool eu_is_send(const struct eu_instruction *i);
bool eu_is_macro(const struct eu_instruction *i);
bool eu_is_sync(const struct eu_instruction *i);
/* Whether a branch's source is an offset. */
bool eu_is_label(const struct eu_instruction *i, int which);
/* Bytes from its instruction to where a branch goes. */
int64_t eu_branch_target(const struct eu_isa *set, const struct eu_instruction *i, uint32_t offset);
/* What is wrong with it; NULL: nothing. eu_decode has asked. */
const char *eu_instruction_error(const struct eu_isa *set, const struct eu_instruction *i);

/* ---- Messages ---- */

/* Shared functions by their IDs. */
enum eu_sfid {
    SFID_NULL,
    SFID_SAMPLER = 2,
    SFID_GATEWAY,
    SFID_DC2,
    SFID_RENDER_CACHE,
    SFID_URB,
    SFID_THREAD_SPAWNER,
    SFID_VME,
    SFID_DC_READ_ONLY,
    SFID_DC0,
    SFID_PIXEL_INTERPOLATOR,
    SFID_DC1,
    SFID_TGM, /* Gen12.5; before: check and refinement */
    SFID_SLM, /* local memory */
    SFID_UGM, /* global memory */
};

/* What a message does, for who does it; "flat" is by addresses of 64 bits, without a surface. */
enum eu_message_kind {
    MESSAGE_UNKNOWN,
    MESSAGE_UNTYPED_READ,
    MESSAGE_UNTYPED_WRITE,
    MESSAGE_UNTYPED_ATOMIC,
    MESSAGE_UNTYPED_ATOMIC_16,
    MESSAGE_FLOAT_ATOMIC,
    MESSAGE_FLOAT_ATOMIC_16,
    MESSAGE_A64_READ,
    MESSAGE_A64_WRITE,
    MESSAGE_A64_ATOMIC,
    MESSAGE_A64_ATOMIC_16,
    MESSAGE_A64_FLOAT_ATOMIC,
    MESSAGE_A64_FLOAT_ATOMIC_16,
    MESSAGE_A64_GATHER,
    MESSAGE_A64_SCATTER,
    MESSAGE_BYTE_GATHER,
    MESSAGE_BYTE_SCATTER,
    MESSAGE_DWORD_GATHER,
    MESSAGE_DWORD_SCATTER,
    MESSAGE_QWORD_GATHER,
    MESSAGE_QWORD_SCATTER,
    MESSAGE_BLOCK_READ,
    MESSAGE_BLOCK_WRITE,
    MESSAGE_UNALIGNED_BLOCK_READ,
    MESSAGE_UNALIGNED_BLOCK_WRITE,
    MESSAGE_DUAL_BLOCK_READ,
    MESSAGE_DUAL_BLOCK_WRITE,
    MESSAGE_A64_BLOCK_READ,
    MESSAGE_A64_BLOCK_WRITE,
    MESSAGE_SCRATCH_READ,
    MESSAGE_SCRATCH_WRITE,
    MESSAGE_MEDIA_READ,
    MESSAGE_MEDIA_WRITE,
    MESSAGE_TYPED_READ,
    MESSAGE_TYPED_WRITE,
    MESSAGE_TYPED_ATOMIC,
    MESSAGE_TYPED_ATOMIC_16,
    MESSAGE_FENCE,
    MESSAGE_BARRIER,
    MESSAGE_EVENT,
    MESSAGE_END_OF_THREAD,
    MESSAGE_LSC,     /* of Gen12.5's units: which is in the descriptor's bits 5:0 */
    MESSAGE_SAMPLER, /* which: in bits 16:12 */
    MESSAGE_RENDER_TARGET_WRITE,
    MESSAGE_URB_READ, /* of eight channels, by dwords */
    MESSAGE_URB_WRITE,
    MESSAGE_URB_VERTEX, /* Gen6: vertices by handles, two interleaved or one */
    MESSAGE_FF_SYNC,    /* threads of a stage in their order; may bring a first entry */
    MESSAGE_SVB_WRITE,
    MESSAGE_KINDS
};

/* By shared function and descriptor. */
enum eu_message_kind eu_message_kind(const struct eu_isa *set, unsigned function, uint32_t descriptor);
/* Whether there is such a message. */
bool eu_message_is_known(const struct eu_isa *set, unsigned function, uint32_t descriptor);

/* What a send says of its message. */
struct eu_message {
    uint8_t sfid;                       /* enum eu_sfid; in a register: see below */
    uint32_t descriptor, ex_descriptor; /* 0 if in a register */
    bool descriptor_in_register, ex_descriptor_in_register;
    int lengths[3]; /* registers of destination, first and second payload; -1: in a register */
};

struct eu_message eu_message(const struct eu_isa *set, const struct eu_instruction *i);
/* As it is spelled behind the operation from Gen12 on. */
const char *eu_sfid_name(const struct eu_isa *set, unsigned function);
/* Lengths and what it does, in words. */
void eu_disassemble_message(const struct eu_isa *set, const struct eu_instruction *i, struct text *t);

/* ---- Text ---- */

/* One line without its end, in the spelling of Intel's assembler; `at`: where in the kernel it is, for
 * labels. */
void eu_disassemble(const struct eu_isa *set, const struct eu_instruction *i, uint64_t at, struct text *t);

/* How a kernel is listed. */
struct eu_listing {
    const char *indent;        /* before each line */
    unsigned max_instructions; /* instructions; 0: all */
    bool one_program;          /* ends behind the first end of thread that no branch goes beyond */
};

/* A kernel with its labels. Returns how many instructions were none, and how many bytes it went. */
unsigned eu_disassemble_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                               const struct eu_listing *how, struct text *t, size_t *listed_bytes);

#endif
