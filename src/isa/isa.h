/*
 * The instruction set of the execution units (EU): tables of operations, fields and message types, and the
 * functions that decode, encode and disassemble instructions.
 *
 * A decoded instruction is the row of its operation and the value of each field. The rows of fields.c give
 * the bits of a field; decoder and encoder walk the same rows. What differs between generations is in struct
 * eu_isa, which a product's data sheet names. No other code asks for a generation.
 */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "base/text.h"

/* Generations of instruction sets. A row of a table is valid for all generations in its mask. */
enum {
    EU_GEN9 = 0x01,
    EU_GEN11 = 0x02,
    EU_GEN12 = 0x04,
    EU_GEN125 = 0x08,
    EU_GEN8 = 0x10,
    EU_GEN6 = 0x20,
    EU_GEN7 = 0x40,
    EU_GEN75 = 0x80,
    EU_GEN200 = 0x100,
    EU_GEN7_75 = EU_GEN7 | EU_GEN75,
    EU_GEN6_75 = EU_GEN6 | EU_GEN7_75, /* register files have two bits, offsets 16 */
    EU_GEN8_9 = EU_GEN8 | EU_GEN9,     /* instructions with three sources use Align16 */
    EU_GEN9_11 = EU_GEN9 | EU_GEN11,   /* send has an extended descriptor, sends has two payloads */
    EU_GEN8_11 = EU_GEN8_9 | EU_GEN11,
    EU_GEN12_125 = EU_GEN12 | EU_GEN125, /* fields whose position changed in Gen20 */
    EU_GEN125_UP = EU_GEN125 | EU_GEN200,
    EU_GEN12_UP = EU_GEN12 | EU_GEN125_UP,
    EU_GEN6_9 = EU_GEN6_75 | EU_GEN8_9,   /* has Align16 */
    EU_GEN6_11 = EU_GEN6_75 | EU_GEN8_11, /* fields whose position changed in Gen12 */
    EU_GEN8_UP = EU_GEN8_11 | EU_GEN12_UP,
    EU_GEN7_UP = EU_GEN7_75 | EU_GEN8_UP,
    EU_ALL = EU_GEN6 | EU_GEN7_UP
};

/* Instruction formats: which operands and fields an operation has. Rows of fields have a mask of them. */
enum eu_form {
    FORM_NONE,    /* no operands: illegal, nop */
    FORM_UNARY,   /* one source */
    FORM_BINARY,  /* two sources */
    FORM_TERNARY, /* three sources */
    FORM_MACRO,   /* three sources with extended accumulators: madm */
    FORM_BFN,     /* three sources and a truth table */
    FORM_DPAS,    /* three blocks of registers: dpas, dpasw */
    FORM_JUMP,    /* one jump offset, an immediate or in a register */
    FORM_MERGE,   /* one offset, JIP: while, endif, join */
    FORM_BRANCH,  /* JIP and UIP */
    FORM_SEND,    /* send, sendc */
    FORM_SENDS,   /* sends, sendsc of Gen9 to Gen11: two payloads */
    FORM_DIM,     /* one source, a 64-bit immediate whose type field says F: dim */
    FORMS
};

/* The fields of all formats, with the names that listings and scripts use. */
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
    FIELD(EXTENDED_BESIDE_REGISTER, "Extended Descriptor, bits beside a0")                                   \
    FIELD(EX_BSO, "Extended Bindless Surface Offset")                                                        \
    FIELD(CPS, "Coarse Pixel Shading")                                                                       \
    FIELD(SRC1_LENGTH, "Source 1 Length")

/* The fields of a source. Their order is the same for each source: EU_SOURCE_STEP depends on it. */
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
    EU_SOURCE_MODIFIERS = 0x08,  /* sources may have a modifier */
    EU_BITWISE = 0x10,           /* the source modifier is a logical not */
    EU_BRANCH_CONTROL = 0x20,    /* has the Branch Control bit */
    EU_NO_EXECUTION_SIZE = 0x40, /* its text shows no execution size */
    EU_BRANCH_INVERTS =
        0x80 /* without Branch Control, channels whose predicate is false branch (IGC, gotoJumpOnTrue) */
};

/* Operations by what they do. Opcodes of different generations share one of these. */
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
    EU_F32TO16,
    EU_F16TO32,
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
    EU_MUL_LOW, /* dword product that uses the low word of the first source only */
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
    EU_MACL,
    EU_SRND,
    EU_OPERATIONS
};

/* An operation of some generations. */
struct eu_operation {
    const char *name, *summary;
    uint16_t generations;
    uint8_t opcode;                /* enum eu_opcode */
    uint8_t gen6_code, gen12_code; /* opcode up to Gen11, and from Gen12 on */
    uint8_t form;                  /* enum eu_form */
    uint8_t sources;               /* number of sources; 0: depends on the math function */
    uint8_t flags;
};

extern const struct eu_operation eu_operations[];
extern const unsigned eu_operation_count;

/* A range of bits in an instruction. */
struct eu_piece {
    uint8_t first, width;
};

enum { EU_PIECES = 5, EU_CONDITIONS = 3 };

/* The bits of one field. The row applies if the fields in `when` have one of the values in their masks. The
 * pieces are the bits, lowest first; a row without pieces has the constant value `flip`. */
struct eu_field_row {
    uint8_t field; /* enum eu_field */
    uint16_t generations;
    uint16_t forms; /* 1 << enum eu_form */
    struct {
        uint8_t field;
        uint16_t values;
    } when[EU_CONDITIONS]; /* a mask of 0 ends the list */
    struct eu_piece pieces[EU_PIECES];
    uint8_t shift; /* low bits of the value that are not stored; they are zero */
    uint8_t flip;  /* bits of the value that are stored inverted */
};

extern const struct eu_field_row eu_field_rows[];
extern const unsigned eu_field_row_count;

/* How the 64 bits of a compacted instruction map to the 128 bits of a native one. The bits `from` are copied
 * to `pieces`, or they are an index into `table`, whose entry goes to `pieces`. PART_IMMEDIATE extends its
 * bits as the immediate's type requires. */
enum eu_part { PART_ALWAYS, PART_REGISTER /* without an immediate */, PART_IMMEDIATE };

struct eu_compact_row {
    uint16_t generations;
    uint16_t forms;
    uint8_t part; /* enum eu_part */
    struct eu_piece from[2];
    const uint64_t *table; /* NULL: bits are copied */
    uint8_t count;
    struct eu_piece pieces[8];
};

extern const struct eu_compact_row eu_compact_rows[];
extern const unsigned eu_compact_row_count;

/* Types of operands; the names are the manual's. */
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
    TYPE_NF, /* accumulators only */
    TYPE_BF8,
    TYPE_TF32,
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
    uint8_t bytes; /* of an element; of a packed immediate (V, UV, VF): all 4 */
};

extern const struct eu_type_row eu_types[EU_TYPES];

/* Register files. Those of the architecture register file (ARF) are selected by bits 7:4 of the register
 * number. */
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
    FILE_MME, /* extended accumulators of math macros */
    FILE_MRF, /* message registers (Gen6) */
    FILE_IMMEDIATE,
    EU_FILES
};

struct eu_file_row {
    const char *name;
    uint8_t high;  /* bits 7:4 of an ARF register number */
    uint8_t count; /* registers in the file; 0: one, without a number */
    bool subregisters;
};

/* An instruction set: the codes of types, and the facts in which the generations differ. */
struct eu_isa {
    const char *name;
    uint16_t generation; /* EU_GEN9 ... */
    uint8_t register_types[16], immediate_types[16],
        align16_types[8];    /* types by their codes: enum eu_type */
    bool gen6_encoding;      /* opcodes and layout of Gen6 to Gen11 */
    bool gen200_encoding;    /* predicates, vertical strides, address immediates and SWSB of Gen20 */
    bool ternary_is_align16; /* three sources and math macros use Align16 */
    bool src1_length_in_ex_descriptor; /* payload 2's length: in the extended descriptor only */
    bool has_lsc;                      /* has the LSC data port, and no thread spawner */
    bool lsc_only; /* has no older data ports; URB messages are of the LSC, with addresses as handles */
    bool no_gpgpu; /* threads of compute and media do not run: their commands are counted */
    bool mul_splits_src0;           /* mul and mach split src0, not src1, into words for a dword product */
    bool mul_splits_src1;           /* mul splits src1; else it makes a dword product alone */
    bool no_math_macros;            /* math has no functions invm and rsqtm */
    bool sampler_type_4bit;         /* the sampler's message type has four bits, else five */
    bool whole_subspans;            /* all pixels of a subspan run, whatever Vector Mask Enable says */
    bool align16_doubles_in_halves; /* the second vertex has the next register, with stride 0, too */
    bool doubles_in_pairs;          /* with doubles, execution size and regions count floats */
    uint8_t ternary_has_vstride_1;  /* with three sources, code 1 of the vertical stride is 1, not 2 */
    uint8_t first_mme;              /* the accumulators from this number on are mme0 to mme7 */
    uint8_t accumulator_count;
    uint8_t flag_count;
    uint8_t register_bytes;    /* of a general register, an accumulator and a unit of message lengths */
    uint8_t swsb_has_pipes;    /* software scoreboard: distances name a pipe */
    uint8_t mrf_count;         /* message registers, in the GRF after EU_REGISTERS; 0: none */
    uint8_t jump_unit_bytes;   /* unit of branch offsets; 0: bytes */
    uint8_t jmpi_unit_bytes;   /* the same of jmpi */
    uint8_t hs_instance_shift; /* lowest bit of the hull shader's instance number in r0.2 */
    uint16_t thread_id_slots;  /* sr0.0 is the thread's slot, below this number; 0: sr0.0 is zero */
};

extern const struct eu_file_row eu_files[EU_FILES];

/* Function codes of math (EU_CONDITION). */
enum { EU_MATH_INVM = 14, EU_FUNCTIONS = 16 };
extern const char *const eu_math_names[EU_FUNCTIONS], *const eu_sync_names[EU_FUNCTIONS];
extern const char *const eu_bfn_names[256]; /* index: the truth table */

extern const struct eu_isa eu_gen6, eu_gen7, eu_gen75, eu_gen8, eu_gen9, eu_gen11, eu_gen12, eu_gen125,
    eu_gen200;
extern const struct eu_isa *const eu_isas[]; /* NULL ends the list */

/* ---- Instructions ---- */

/* A decoded instruction: its operation and the values of its fields. */
struct eu_instruction {
    const struct eu_operation *operation; /* never NULL */
    const char *illegal;                  /* why the instruction is illegal; NULL: it is legal */
    uint8_t size_bytes;                   /* 8: compacted; 16: native */
    uint32_t value[EU_FIELDS];
    uint64_t unclaimed[2];     /* bits that belong to no field; of an illegal instruction: all bits */
    uint64_t compaction_slack; /* bits of a compacted instruction that no field depends on */
};

/* A native instruction: 128 bits. */
struct eu_word {
    uint64_t half[2];
};

enum { EU_NATIVE_BYTES = 16, EU_COMPACT_BYTES = 8 };

const struct eu_operation *eu_operation_find(const struct eu_isa *set, unsigned opcode);

/* Decodes one instruction from at least one byte. False: the bytes end inside the instruction. */
bool eu_decode(const struct eu_isa *set, const void *bytes, size_t size_bytes, struct eu_instruction *i);
/* Like eu_decode, but `unclaimed` and `compaction_slack` are zero: eu_encode may give other bytes. */
bool eu_decode_fields(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                      struct eu_instruction *i);
/* Writes i->size_bytes bytes. False: it says it is compacted but cannot be, or a value is too large for its
 * field. */
bool eu_encode(const struct eu_isa *set, const struct eu_instruction *i, void *bytes);

/* Expands a compacted instruction. False: there is no such compacted instruction. */
bool eu_expand(const struct eu_isa *set, uint64_t compact, struct eu_word *word);
bool eu_compact(const struct eu_isa *set, const struct eu_word *word, uint64_t *compact);

/* A decoded operand: a register region, an indirect region or an immediate. */
struct eu_operand {
    enum eu_register_file file;
    enum eu_type type;
    bool is_indirect, negate, absolute;
    bool address_per_row;            /* VxH region: each row has its own address subregister */
    uint8_t number;                  /* register number in the file */
    uint8_t subregister;             /* bytes */
    uint8_t mme;                     /* math macros: the extended accumulator, 8: none */
    uint8_t address_subregister;     /* subregister of a0 (words) */
    int16_t address_offset;          /* bytes, added to the address */
    uint8_t vstride, width, hstride; /* elements; width 0: the format has no width */
    uint64_t immediate;
};

enum { EU_DESTINATION = -1 };
/* `which`: EU_DESTINATION or a source slot, 0 to 2. False: a code is reserved; `o` is then incomplete. */
bool eu_operand(const struct eu_isa *set, const struct eu_instruction *i, int which, struct eu_operand *o);
/* The number of sources; for math it depends on the function. */
unsigned eu_source_count(const struct eu_instruction *i);
/* The execution size: 1 to 32 channels. */
static inline unsigned eu_channels(const struct eu_instruction *i)
{
    return 1u << i->value[EU_EXECUTION_SIZE];
}
bool eu_has_destination(const struct eu_instruction *i);
/* The slot (0 to 2) whose fields hold source `which`. */
int eu_source_slot(const struct eu_isa *set, const struct eu_instruction *i, int which);
bool eu_is_branch(const struct eu_instruction *i);
bool eu_is_send(const struct eu_instruction *i);
bool eu_is_macro(const struct eu_instruction *i);
bool eu_is_sync(const struct eu_instruction *i);
/* Whether the source is an immediate branch offset. */
bool eu_is_label(const struct eu_instruction *i, int which);
/* The branch target in bytes, relative to the instruction. */
int64_t eu_branch_target(const struct eu_isa *set, const struct eu_instruction *i, uint32_t offset);
/* The unit of an offset that is in a register. */
unsigned eu_branch_unit_bytes(const struct eu_isa *set, const struct eu_instruction *i);
/* Why the instruction is illegal; NULL: it is legal. eu_decode calls this. */
const char *eu_instruction_error(const struct eu_isa *set, const struct eu_instruction *i);

/* Called for each instruction of a kernel; false: the scan fails. */
typedef bool eu_scan_visit(void *user, const struct eu_instruction *i);
/* Visits all instructions from the first to the send that ends the thread. False: a visit failed, or the
 * kernel may run for ever or elsewhere: it has loops, calls, jumps by registers or into instructions, illegal
 * instructions, or no end in 32 KB. (scan.c) */
bool eu_scan_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes, eu_scan_visit *visit,
                    void *user);

/* ---- Messages ---- */

/* Shared function IDs. */
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
    SFID_TGM, /* Gen12.5: typed memory; before: check and refinement (CRE) */
    SFID_SLM, /* Gen12.5: shared local memory */
    SFID_UGM, /* Gen12.5: untyped global memory */
};

/* Message types by what they do. A64 messages have 64-bit addresses and no surface. */
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
    MESSAGE_LSC,     /* Gen12.5's data ports; bits 5:0 of the descriptor are the operation */
    MESSAGE_SAMPLER, /* bits 16:12 of the descriptor are the type */
    MESSAGE_RENDER_TARGET_WRITE,
    MESSAGE_RENDER_TARGET_READ,
    MESSAGE_PIXEL_INTERPOLATOR,
    MESSAGE_URB_READ, /* SIMD8: dwords of eight channels */
    MESSAGE_URB_WRITE,
    MESSAGE_URB_VERTEX,       /* Gen6: writes vertices by their handles, one or two interleaved */
    MESSAGE_URB_HANDLES_READ, /* Gen7: owords or hwords of one or two entries, by handles in the header */
    MESSAGE_URB_HANDLES_WRITE,
    MESSAGE_FF_SYNC, /* Gen6: puts the threads of a stage in order; may allocate the first URB entry */
    MESSAGE_SVB_WRITE,
    MESSAGE_KINDS
};

/* MESSAGE_UNKNOWN: not modelled, or there is no such message. */
enum eu_message_kind eu_message_kind(const struct eu_isa *set, unsigned function, uint32_t descriptor);
/* Whether the hardware has such a message, modelled or not. */
bool eu_message_is_known(const struct eu_isa *set, unsigned function, uint32_t descriptor);

/* The message fields of a send instruction. */
struct eu_message {
    uint8_t sfid;                       /* enum eu_sfid */
    uint32_t descriptor, ex_descriptor; /* 0 if in a register */
    bool descriptor_in_register, ex_descriptor_in_register;
    uint8_t ex_subregister; /* of a0, with the extended descriptor */
    int lengths[3];         /* registers of response, first and second payload; -1: length is in a register */
};

struct eu_message eu_message(const struct eu_isa *set, const struct eu_instruction *i);
/* Bytes that a message of the load and store units adds to all addresses; 0 before Gen20. */
int32_t eu_address_offset(const struct eu_isa *set, const struct eu_message *m);
/* The name of a shared function, as in "send.ugm" (Gen12 on). */
const char *eu_sfid_name(const struct eu_isa *set, unsigned function);
/* Writes the payload lengths and the message type in words. */
void eu_disassemble_message(const struct eu_isa *set, const struct eu_instruction *i, struct text *t);

/* ---- Text ---- */

/* Writes one line, without newline, in the syntax of Intel's assembler. `at` is the offset in the kernel, for
 * labels. */
void eu_disassemble(const struct eu_isa *set, const struct eu_instruction *i, uint64_t at, struct text *t);

/* Options of a kernel listing. */
struct eu_listing {
    const char *indent;        /* before each line */
    unsigned max_instructions; /* 0: no limit */
    bool has_offsets;          /* each line begins with the instruction's offset, */
    size_t current;            /* and an arrow at the instruction with this one; SIZE_MAX: none */
    bool one_program;          /* ends after the first EOT that no branch jumps over */
};

/* How many bytes eu_disassemble_kernel lists with `one_program`. */
size_t eu_program_bytes(const struct eu_isa *set, const void *bytes, size_t size_bytes);
/* Disassembles a kernel with labels. Returns the number of illegal instructions; *listed_bytes is the size of
 * what was listed. */
unsigned eu_disassemble_kernel(const struct eu_isa *set, const void *bytes, size_t size_bytes,
                               const struct eu_listing *how, struct text *t, size_t *listed_bytes);

#endif
