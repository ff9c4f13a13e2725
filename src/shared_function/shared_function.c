/* Dispatches each message to the function of its kind; the gateway. */
#include "shared_function/shared_function.h"

static bool end_of_thread(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    (void)b, (void)m, (void)kind;
    return true;
}

/* A fence has nothing to wait for; its writeback holds no information. */
static bool fence(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    (void)m, (void)kind;
    fence_for_others(b);
    return true;
}

/* The thread reached the group's barrier. */
static bool barrier(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    (void)m, (void)kind;
    b->at_barrier = true;
    return true;
}

static bool sample(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    return b->pixel_units->sampler(b, m, kind);
}

static bool access_target(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    return b->pixel_units->render_target(b, m, kind);
}

static bool interpolate(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    if (b->pixel_units->pixel_interpolator)
        return b->pixel_units->pixel_interpolator(b, m, kind);
    b->error_text = "a message to the pixel interpolator, of a thread that has no pixels";
    return false;
}

static shared_function *const functions[MESSAGE_KINDS] = {
    [MESSAGE_UNTYPED_READ] = untyped_access,
    [MESSAGE_UNTYPED_WRITE] = untyped_access,
    [MESSAGE_A64_READ] = untyped_access,
    [MESSAGE_A64_WRITE] = untyped_access,
    [MESSAGE_UNTYPED_ATOMIC] = untyped_atomic,
    [MESSAGE_UNTYPED_ATOMIC_16] = untyped_atomic,
    [MESSAGE_FLOAT_ATOMIC] = untyped_atomic,
    [MESSAGE_FLOAT_ATOMIC_16] = untyped_atomic,
    [MESSAGE_A64_ATOMIC] = untyped_atomic,
    [MESSAGE_A64_ATOMIC_16] = untyped_atomic,
    [MESSAGE_A64_FLOAT_ATOMIC] = untyped_atomic,
    [MESSAGE_A64_FLOAT_ATOMIC_16] = untyped_atomic,
    [MESSAGE_A64_GATHER] = scattered_access,
    [MESSAGE_A64_SCATTER] = scattered_access,
    [MESSAGE_BYTE_GATHER] = scattered_access,
    [MESSAGE_BYTE_SCATTER] = scattered_access,
    [MESSAGE_DWORD_GATHER] = scattered_access,
    [MESSAGE_DWORD_SCATTER] = scattered_access,
    [MESSAGE_QWORD_GATHER] = scattered_access,
    [MESSAGE_QWORD_SCATTER] = scattered_access,
    [MESSAGE_BLOCK_READ] = block_access,
    [MESSAGE_BLOCK_WRITE] = block_access,
    [MESSAGE_UNALIGNED_BLOCK_READ] = block_access,
    [MESSAGE_UNALIGNED_BLOCK_WRITE] = block_access,
    [MESSAGE_A64_BLOCK_READ] = block_access,
    [MESSAGE_A64_BLOCK_WRITE] = block_access,
    [MESSAGE_DUAL_BLOCK_READ] = dual_block_access,
    [MESSAGE_DUAL_BLOCK_WRITE] = dual_block_access,
    [MESSAGE_SCRATCH_READ] = scratch_access,
    [MESSAGE_SCRATCH_WRITE] = scratch_access,
    [MESSAGE_MEDIA_READ] = media_access,
    [MESSAGE_MEDIA_WRITE] = media_access,
    [MESSAGE_TYPED_READ] = typed_access,
    [MESSAGE_TYPED_WRITE] = typed_access,
    [MESSAGE_TYPED_ATOMIC] = typed_atomic,
    [MESSAGE_TYPED_ATOMIC_16] = typed_atomic,
    [MESSAGE_FENCE] = fence,
    [MESSAGE_BARRIER] = barrier,
    [MESSAGE_END_OF_THREAD] = end_of_thread,
    [MESSAGE_LSC] = load_store,
    [MESSAGE_SAMPLER] = sample,
    [MESSAGE_RENDER_TARGET_WRITE] = access_target,
    [MESSAGE_RENDER_TARGET_READ] = access_target,
    [MESSAGE_PIXEL_INTERPOLATOR] = interpolate,
    [MESSAGE_URB_READ] = urb_access,
    [MESSAGE_URB_WRITE] = urb_access,
    [MESSAGE_URB_VERTEX] = gen6_urb_write,
    [MESSAGE_URB_HANDLES_READ] = gen7_urb_access,
    [MESSAGE_URB_HANDLES_WRITE] = gen7_urb_access,
    [MESSAGE_FF_SYNC] = ff_sync,
    [MESSAGE_SVB_WRITE] = streamed_vertex_buffer_write,
};

/* The text for a known message that is not modelled. */
static const char *unsupported_message_text(unsigned function)
{
    static const char *const texts[16] = {
        [SFID_RENDER_CACHE] = "the render cache message is not modelled",
        [SFID_DC1] = "surface counters are not modelled",
        [SFID_GATEWAY] = "thread events are not modelled",
        [SFID_THREAD_SPAWNER] = "spawning threads is not modelled",
        [SFID_URB] = "the URB message is not modelled",
    };
    return texts[function & 15u] ? texts[function & 15u] : "the message is not modelled";
}

/* Payloads of the others have other layouts there, which are not modelled. */
bool message_has_wide_registers(enum eu_message_kind kind)
{
    return kind == MESSAGE_LSC || kind == MESSAGE_RENDER_TARGET_WRITE || kind == MESSAGE_RENDER_TARGET_READ ||
           kind == MESSAGE_SAMPLER || kind == MESSAGE_BARRIER || kind == MESSAGE_FENCE ||
           kind == MESSAGE_END_OF_THREAD || kind == MESSAGE_UNKNOWN;
}

const uint8_t payload_zeros[EU_REGISTER_BYTES];

/* A message counts once, however many channels it has. */
static void count_message(struct message_context *b)
{
    const bool local = b->work.slm_accesses & (SLM_READ | SLM_WRITE),
               atomic = b->work.slm_accesses & ANY_ATOMIC;
    b->counters.slm_reads += b->work.slm_accesses & SLM_READ ? 1 : 0;
    b->counters.slm_writes += b->work.slm_accesses & SLM_WRITE ? 1 : 0;
    b->counters.slm_atomics += atomic && local;
    b->counters.atomics += atomic && !local;
    b->counters.barriers += b->at_barrier;
}

static enum eu_message_kind message_kind(struct message_context *b, const struct eu_isa *set,
                                         const struct eu_send *m)
{
    struct message_decode_cache_entry *const known =
        &b->caches.decode[cache_index(m->descriptor, KNOWN_BITS)];
    if (known->isa != set || known->descriptor != m->descriptor || known->function != m->sfid)
        *known = (struct message_decode_cache_entry){
            .isa = set,
            .descriptor = m->descriptor,
            .function = m->sfid,
            .kind = (uint8_t)eu_message_kind(set, m->sfid, m->descriptor)};
    return (enum eu_message_kind)known->kind;
}

enum eu_answer shared_function_send(struct message_context *b, const struct eu_isa *set,
                                    const struct eu_send *m, uint64_t *budget)
{
    const enum eu_message_kind kind = message_kind(b, set, m);
    shared_function *const f = functions[kind];
    b->error_text = NULL;
    b->not_modelled = false;
    b->work.slm_accesses = b->work.memory_accesses = b->work.sampled_levels = 0;
    b->needs_exclusive = false;
    if (!f) {
        b->not_modelled = eu_message_is_known(set, m->sfid, m->descriptor);
        b->error_text = b->not_modelled ? unsupported_message_text(m->sfid) : "unknown message";
        return EU_SEND_FAULT;
    }
    if (m->register_rows > 1 && !message_has_wide_registers(kind)) {
        b->not_modelled = true;
        b->error_text = "the message is not modelled for registers of 64 bytes";
        return EU_SEND_FAULT;
    }
    const bool known = f(b, m, kind);
    if (b->needs_exclusive)
        return EU_SEND_BLOCKED;
    const uint64_t cost = message_cost(b->work.memory_accesses, b->work.sampled_levels);
    b->cost.messages += cost;
    budget_charge(budget, cost);
    count_message(b);
    if (!known) {
        if (!b->error_text)
            b->error_text = "unknown message descriptor";
        return EU_SEND_FAULT;
    }
    if (message_faulted(b)) {
        b->error_text = "a page fault";
        return EU_SEND_FAULT;
    }
    return EU_SENT;
}
