/* The message that the current instruction sends: its surface and its sampler. */
#include "debugger/debuggee.h"
#include "isa/isa.h"
#include "shared_function/shared_function.h"

#include <inttypes.h>
#include <string.h>

/* What a message is about, with the values of its registers. */
struct sent {
    const struct eu_isa *set;
    struct softgt_eu_thread_info thread;
    struct eu_instruction instruction;
    struct eu_message message;
    struct kernel_state state;
    int engine;
};

static uint32_t register_dword(const struct debuggee *d, enum softgt_eu_file file, unsigned number,
                               unsigned dword)
{
    uint32_t value = 0;
    (void)softgt_eu_thread_read(d->thread, file, number * softgt_eu_register_bytes(file) + dword * 4u, &value,
                                sizeof value);
    return value;
}

static bool is_send(const struct eu_instruction *i)
{
    return i->operation->form == FORM_SEND || i->operation->form == FORM_SENDS;
}

/* False after a message. */
static bool decode_message(struct debuggee *d, struct sent *s)
{
    uint8_t bytes[16];
    if (!d->thread)
        return debuggee_refuse(d, "this is not inside a thread: stepi goes into one");
    softgt_eu_thread_get_info(d->thread, &s->thread);
    s->set = device_sheet(d->device)->eu;
    s->engine = debuggee_engine(d, s->thread.unit);
    size_t there = sizeof bytes;
    while (there &&
           !softgt_ppgtt_read(d->device, (unsigned)s->engine, s->thread.base + s->thread.ip, bytes, there))
        there -= 8;
    if (!there || !eu_decode(s->set, bytes, there, &s->instruction) || !is_send(&s->instruction))
        return debuggee_refuse(d, "the current instruction sends no message");
    s->message = eu_message(s->set, &s->instruction);
    if (s->message.descriptor_in_register)
        s->message.descriptor = register_dword(d, SOFTGT_EU_ADDRESS, 0, 0);
    if (s->message.ex_descriptor_in_register)
        s->message.ex_descriptor =
            register_dword(d, SOFTGT_EU_ADDRESS, 0, s->instruction.value[EU_EXTENDED_SUBREGISTER]);
    device_thread_state(d->thread, &s->state);
    return true;
}

/* ---- Surfaces ---- */

static void print_at(struct debuggee *d, const struct sent *s, const char *structure, uint64_t address)
{
    char text[96];
    snprintf(text, sizeof text, "%s %s:0x%" PRIx64, structure, s->thread.unit, address);
    (void)debuggee_structure(d, text);
}

static void print_entry(struct debuggee *d, const struct sent *s, uint32_t index)
{
    const uint64_t at = s->state.binding_table + index * 4u;
    uint32_t entry;
    fprintf(d->out, "entry %" PRIu32 " of the binding table at 0x%" PRIx64, index, s->state.binding_table);
    if (!softgt_ppgtt_read(d->device, (unsigned)s->engine, at, &entry, sizeof entry)) {
        fprintf(d->out, ": no memory is mapped there\n");
        return;
    }
    fprintf(d->out, " = 0x%08" PRIx32 "\n", entry);
    print_at(d, s, "RENDER_SURFACE_STATE",
             s->state.surface_state_base + device_surface_pointer(d->thread, entry));
}

/* Load and store units, Gen12.5: the kind of surface is in the descriptor. */
static void print_lsc_surface(struct debuggee *d, const struct sent *s)
{
    enum { FLAT, BINDLESS, SURFACE_STATE, INDEX };
    const uint32_t ex = s->message.ex_descriptor, kind = s->message.descriptor >> 29 & 3u,
                   offset = s->instruction.value[EU_EX_BSO] ? ex & ~0x3fu : ex >> 12 << 6;
    if (s->message.sfid == SFID_SLM)
        fprintf(d->out, "shared local memory\n");
    else if (kind == FLAT)
        fprintf(d->out, "graphics addresses, no surface\n");
    else if (kind == INDEX)
        print_entry(d, s, ex >> 24);
    else
        print_at(d, s, "RENDER_SURFACE_STATE",
                 (kind == BINDLESS ? s->state.bindless_surface_state_base : s->state.surface_state_base) +
                     offset);
}

/* The indices that are no entry of the table. */
enum { INDEX_BINDLESS = 252, INDEX_STATELESS_NON_COHERENT, INDEX_SLM, INDEX_STATELESS };

static void print_surface(struct debuggee *d, const struct sent *s)
{
    const uint32_t index = s->message.descriptor & 0xffu, ex = s->message.ex_descriptor;
    const bool has_special = s->message.sfid != SFID_SAMPLER && s->message.sfid != SFID_RENDER_CACHE;
    if (index == INDEX_BINDLESS)
        print_at(d, s, "RENDER_SURFACE_STATE",
                 s->state.bindless_surface_state_base +
                     (s->instruction.value[EU_EX_BSO] ? ex & ~0x3fu : ex >> 12 << 6));
    else if (has_special && index == INDEX_SLM)
        fprintf(d->out, "shared local memory\n");
    else if (has_special && (index == INDEX_STATELESS || index == INDEX_STATELESS_NON_COHERENT))
        fprintf(d->out, "addresses from the general state base 0x%" PRIx64 ", no surface\n",
                s->state.general_state_base);
    else
        print_entry(d, s, index);
}

/* ---- Samplers ---- */

/* Loads of texels and queries use none. */
static bool uses_sampler(const char *text)
{
    static const char *const without[] = {"load", "info", "multi-sample", "flush"};
    for (unsigned n = 0; n < sizeof without / sizeof without[0]; n++)
        if (strstr(text, without[n]))
            return false;
    return true;
}

static void print_sampler(struct debuggee *d, const struct sent *s)
{
    enum { HAS_HEADER = 1 << 19, SAMPLER_STATE_BYTES = 16, POINTER_DW = 3 };
    const unsigned index = s->message.descriptor >> 8 & 15u, payload = s->instruction.value[EU_SRC0_REGISTER];
    uint32_t pointer = s->state.sampler_state_pointer;
    if (s->message.descriptor & HAS_HEADER && s->set->mrf_count) {
        fprintf(d->out, "sampler %u of the table in the message's header\n", index);
        return;
    }
    if (s->message.descriptor & HAS_HEADER)
        pointer = register_dword(d, SOFTGT_EU_GRF, payload, POINTER_DW);
    const uint64_t table = s->state.dynamic_state_base + (pointer & ~15u);
    fprintf(d->out, "sampler %u of the table at 0x%" PRIx64 "\n", index, table);
    print_at(d, s, "SAMPLER_STATE", table + index * SAMPLER_STATE_BYTES);
}

/* ---- All ---- */

/* Messages that name no surface. */
static bool has_surface(const struct sent *s)
{
    switch (eu_message_kind(s->set, s->message.sfid, s->message.descriptor)) {
    case MESSAGE_A64_READ:
    case MESSAGE_A64_WRITE:
    case MESSAGE_A64_ATOMIC:
    case MESSAGE_A64_ATOMIC_16:
    case MESSAGE_A64_FLOAT_ATOMIC:
    case MESSAGE_A64_FLOAT_ATOMIC_16:
    case MESSAGE_A64_GATHER:
    case MESSAGE_A64_SCATTER:
    case MESSAGE_A64_BLOCK_READ:
    case MESSAGE_A64_BLOCK_WRITE:
    case MESSAGE_SCRATCH_READ:
    case MESSAGE_SCRATCH_WRITE:
    case MESSAGE_FENCE:
        return false;
    default:
        return s->message.sfid == SFID_SAMPLER || s->message.sfid == SFID_RENDER_CACHE ||
               s->message.sfid == SFID_DC0 || s->message.sfid == SFID_DC1 || s->message.sfid == SFID_DC2 ||
               s->message.sfid == SFID_DC_READ_ONLY;
    }
}

bool debuggee_message(struct debuggee *d, const char *arguments)
{
    struct sent s = {0};
    struct text text = {0};
    (void)arguments;
    if (!decode_message(d, &s))
        return false;
    eu_disassemble_message(s.set, &s.instruction, &text);
    text_char(&text, '\0');
    const char *const words = text.failed ? "" : text.bytes;
    fprintf(d->out, "%s descriptor 0x%08" PRIx32 " extended 0x%08" PRIx32 "  %s\n",
            eu_sfid_name(s.set, s.message.sfid), s.message.descriptor, s.message.ex_descriptor, words);
    const bool is_lsc = eu_message_kind(s.set, s.message.sfid, s.message.descriptor) == MESSAGE_LSC;
    if (is_lsc)
        print_lsc_surface(d, &s);
    else if (has_surface(&s))
        print_surface(d, &s);
    else
        fprintf(d->out, "the message names no surface\n");
    if (s.message.sfid == SFID_SAMPLER && uses_sampler(words))
        print_sampler(d, &s);
    text_free(&text);
    return true;
}
