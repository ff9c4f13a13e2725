/*
 * Scripts against a whole device: records of sixteen bytes, each one thing that a guest, a client or time
 * does. The first says on which device, with which memory, and whether the GGTT's table is the owner's.
 * Everything is traced.
 */
#include "hostile.h"

struct record {
    uint8_t what, a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
};

enum { RECORD_BYTES = sizeof(struct record), RECORDS = 256 };

static const unsigned sizes[] = {1, 2, 4, 8};

static const struct engine_info *engine_of(const struct hostile *h, unsigned number)
{
    return &h->sheet->engines[number % h->sheet->info.engine_count];
}

/* ---- What is done ---- */

/* A register: `b` its slot, `a` width and how far from it. */
static uint64_t place_of(const struct hostile *h, const struct record *r)
{
    const struct register_file *const f = softgt_register_file(h->device);
    return f->slots[1 + r->b % (f->slot_count - 1)].offset + (r->a & 0x80 ? r->a >> 2 & 7u : 0);
}

static unsigned width_of(const struct record *r)
{
    return r->a & 0x40 ? sizes[r->a & 3u] : 4;
}

static void write_register(struct hostile *h, const struct record *r)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, place_of(h, r), r->d, width_of(r));
}

static void read_register(struct hostile *h, const struct record *r)
{
    h->told += softgt_bar_read(h->device, SOFTGT_BAR_GTTMMADR, place_of(h, r), width_of(r));
}

/* Any BAR, anywhere. */
static void write_bar(struct hostile *h, const struct record *r)
{
    softgt_bar_write(h->device, r->a & 7u, r->c | (r->a & 0x80 ? (uint64_t)r->b << 32 : 0), r->d,
                     sizes[r->b & 3u]);
}

static void read_bar(struct hostile *h, const struct record *r)
{
    struct softgt_bar_info info;
    softgt_bar_get_info(h->device, r->a, &info);
    h->told += softgt_bar_read(h->device, r->a & 7u, r->c | (r->a & 0x80 ? (uint64_t)r->b << 32 : 0),
                               sizes[r->b & 3u]);
}

/* The aperture, where there is memory behind. */
static void use_aperture(struct hostile *h, const struct record *r)
{
    const uint32_t at = r->c % MEMORY_BYTES;
    if (r->a & 0x80)
        softgt_bar_write(h->device, SOFTGT_BAR_GMADR, at, r->d, sizes[r->a & 3u]);
    else
        h->told += softgt_bar_read(h->device, SOFTGT_BAR_GMADR, at, sizes[r->a & 3u]);
}

static void configure(struct hostile *h, const struct record *r)
{
    const uint32_t at = r->a & 0x20 ? r->c : r->c % 256u;
    if (r->a & 0x80)
        softgt_pci_config_write(h->device, at, (uint32_t)r->d, sizes[r->a % 3u]);
    else
        h->told +=
            softgt_pci_config_read(h->device, at, sizes[r->a % 3u]) + softgt_pci_config_bytes(h->device);
}

static void use_vga(struct hostile *h, const struct record *r)
{
    const uint16_t port = (uint16_t)(r->a & 0x40 ? r->b : 0x3b0 + r->b % 0x30);
    if (r->a & 0x80)
        softgt_vga_write(h->device, port, (uint8_t)r->d);
    else
        h->told += softgt_vga_read(h->device, port);
}

/* An entry of the GGTT's table, by the device or behind its back. */
static void write_ggtt(struct hostile *h, const struct record *r)
{
    const uint64_t bytes = h->sheet->info.ggtt_bytes, at = r->c % (r->a & 1u ? bytes : 0x800) / 8 * 8;
    const uint64_t value = r->a & 2u ? r->d : (r->d % MEMORY_BYTES & ~UINT64_C(0xfff)) | 1u;
    if (r->a & 0x80 && h->ggtt_table)
        memcpy(h->ggtt_table + at, &value, 8);
    else
        softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, h->sheet->info.mmio_bytes + at + (r->b & 7u), value,
                         sizes[r->a >> 2 & 3u]);
}

static void write_memory(struct hostile *h, const struct record *r)
{
    memcpy(h->memory + r->c % (MEMORY_BYTES - 7), &r->d, 8);
}

static void change_memory(struct hostile *h, const struct record *r)
{
    hostile_memory(h, r->a % PORT_KINDS);
}

static void write_commands(struct hostile *h, const struct record *r)
{
    uint32_t *const dw = (uint32_t *)(void *)(h->memory + r->c % (MEMORY_BYTES - 0x4000) / 4 * 4);
    hostile_commands(h, engine_of(h, r->b), r->d, 1u + r->a % 32u, dw, 0x1000);
}

/* A batch where it is likely to be looked for. */
static void write_batch(struct hostile *h, const struct record *r)
{
    uint32_t *const dw =
        (uint32_t *)(void *)(h->memory + (r->b & 0x100 ? SECOND_BATCH : BATCH) + r->c % 0x100 * 0x10);
    dw[hostile_commands(h, engine_of(h, r->b), r->d, 1u + r->a % 64u, dw, 0x1000)] = 0x0a << 23;
}

static void run(struct hostile *h, const struct record *r)
{
    hostile_run(h, r->a & 0x80 ? 1u + r->b % 64u : UINT64_C(1) << r->a % 11u);
}

static void advance(struct hostile *h, const struct record *r)
{
    hostile_advance(h, r->d >> (r->a % 64u));
    h->told += softgt_next_event_ns(h->device) + softgt_now_ns(h->device);
}

static void reset(struct hostile *h, const struct record *r)
{
    switch (r->a % 4u) {
    case 0:
        softgt_engine_reset(h->device, r->b);
        break;
    case 1:
        softgt_engine_end_batch(h->device, r->b % 16u);
        break;
    case 2:
        softgt_engine_reset(h->device, r->b % 16u);
        break;
    default:
        if (r->b % 8u == 0)
            softgt_reset(h->device);
    }
}

/* What is saved can be loaded, and is the same when it is saved again; once in a script, for it takes long.
 */
static void save(struct hostile *h, const struct record *r)
{
    (void)r;
    static size_t room = 1 << 20;
    if (h->saves++)
        return;
    uint8_t *const state = malloc(room * 2);
    const size_t bytes = state ? softgt_save(h->device, state, room) : 0;
    if (!state || (bytes <= room && (softgt_load(h->device, state, bytes) != 0 ||
                                     softgt_save(h->device, state + room, room) != bytes ||
                                     memcmp(state, state + room, bytes) != 0)))
        abort();
    room = bytes > room ? bytes * 2 : room;
    free(state);
}

static struct driver_ring ring_of(struct hostile *h, const struct record *r)
{
    /* It calls the batch: the first dwords of the ring. */
    const struct engine_info *const e = engine_of(h, r->b);
    const struct command_set *const set = softgt_command_set(h->device);
    const uint32_t length_dw = set->rows[command_find(set, e->class, 0x31u << 23)]->min_dwords;
    const uint32_t at = RING + (r->a >> 4 & 1u) * RING_BYTES;
    const uint32_t dw[4] = {0x31u << 23 | (r->a & 0x20 ? 0x100u : 0) | (length_dw - 2u),
                            BATCH + r->c % 0x100 * 0x10};
    memcpy(h->memory + at, dw, sizeof dw);
    return (struct driver_ring){at, RING_BYTES, 0, r->a & 0x40 ? (uint32_t)r->d : 16};
}

static void start_ring(struct hostile *h, const struct record *r)
{
    struct driver_writes writes = {0};
    const struct driver_ring ring = ring_of(h, r);
    driver_set_directory(&writes, engine_of(h, r->b), r->a & 1u ? &h->ppgtt : NULL);
    driver_set_ring(&writes, engine_of(h, r->b), &ring);
    driver_write(h->device, &writes);
}

static void make_context(struct hostile *h, const struct record *r)
{
    const struct engine_info *const e = engine_of(h, r->b);
    const struct driver_context context = {
        .ring = ring_of(h, r), .control = DRIVER_FRESH_CONTEXT, .ppgtt = r->a & 1u ? &h->ppgtt : NULL};
    if (e->contexts.execlists)
        driver_image(
            e, &context,
            (uint32_t *)(void *)(h->memory + IMAGE + (r->a >> 4 & 1u) * IMAGE_STEP + DRIVER_IMAGE_OFFSET),
            2048);
}

static void submit(struct hostile *h, const struct record *r)
{
    const struct engine_info *const e = engine_of(h, r->b);
    struct driver_writes writes = {0};
    if (!e->contexts.execlists)
        return;
    if (r->a & 0x80)
        driver_enable_execlists(&writes, e);
    const uint64_t one = driver_descriptor(IMAGE + (r->a & 1u) * IMAGE_STEP, 1u + (r->a & 1u), &h->ppgtt),
                   other = driver_descriptor(IMAGE + (~r->a & 1u) * IMAGE_STEP, 2u - (r->a & 1u), &h->ppgtt);
    driver_submit(&writes, e, r->a & 8u ? one ^ r->d : one, r->a & 2u ? other : r->a & 4u ? r->d : 0);
    driver_write(h->device, &writes);
}

static void show(struct hostile *h, const struct record *r)
{
    hostile_show(h, r->d);
}

static void submit_video(struct hostile *h, const struct record *r)
{
    const struct driver_ring ring = ring_of(h, r);
    for (unsigned i = 0; i < h->sheet->info.engine_count; i++)
        hostile_submit_video(h, &h->sheet->engines[i], r->a & 1u, &ring);
}

static void hear_name(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    ((struct hostile *)user)->told += strlen(name) + count + model;
}

static void hear_header(void *user, uint32_t header, uint64_t count, uint64_t address)
{
    ((struct hostile *)user)->told += header + count + address;
}

static void hear_state(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct hostile *const h = user;
    h->told += strlen(name);
    while (length_dw-- > 0)
        h->told += dwords[length_dw];
}

static void look(struct hostile *h, const struct record *r)
{
    struct softgt_engine_status status;
    uint8_t bytes[5000];
    const size_t size = r->a & 0x80 ? sizeof bytes : r->a;
    if (softgt_engine_get_status(h->device, r->b, &status))
        h->told += strlen(status.why) + status.dwords;
    softgt_engine_commands(h->device, r->b % 16u, h, hear_name);
    softgt_engine_unknown(h->device, r->b % 16u, h, hear_header);
    softgt_engine_state_commands(h->device, r->b % 16u, h, hear_state);
    if (softgt_ggtt_read(h->device, r->d, bytes, size) || softgt_ggtt_read(h->device, r->c, bytes, size))
        softgt_ggtt_write(h->device, r->c, bytes, size);
    softgt_ppgtt_read(h->device, r->b, r->d, bytes, size);
}

enum doing {
    WRITE_REGISTER,
    READ_REGISTER,
    WRITE_BAR,
    READ_BAR,
    USE_APERTURE,
    CONFIGURE,
    USE_VGA,
    WRITE_GGTT,
    WRITE_MEMORY,
    CHANGE_MEMORY,
    RUN,
    ADVANCE,
    RESET,
    SAVE,
    START_RING,
    MAKE_CONTEXT,
    SUBMIT,
    LOOK,
    WRITE_BATCH,
    WRITE_COMMANDS,
    SHOW,
    SUBMIT_VIDEO,
    DOINGS
};

static void (*const doings[DOINGS])(struct hostile *h, const struct record *r) = {
    [WRITE_REGISTER] = write_register,
    [READ_REGISTER] = read_register,
    [WRITE_BAR] = write_bar,
    [READ_BAR] = read_bar,
    [USE_APERTURE] = use_aperture,
    [CONFIGURE] = configure,
    [USE_VGA] = use_vga,
    [WRITE_GGTT] = write_ggtt,
    [WRITE_MEMORY] = write_memory,
    [CHANGE_MEMORY] = change_memory,
    [RUN] = run,
    [ADVANCE] = advance,
    [RESET] = reset,
    [SAVE] = save,
    [START_RING] = start_ring,
    [MAKE_CONTEXT] = make_context,
    [SUBMIT] = submit,
    [LOOK] = look,
    [WRITE_BATCH] = write_batch,
    [WRITE_COMMANDS] = write_commands,
    [SHOW] = show,
    [SUBMIT_VIDEO] = submit_video,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record r;
    if (size < 2 * RECORD_BYTES)
        return 0;
    memcpy(&r, data, RECORD_BYTES);
    struct hostile *const h =
        hostile_start(r.what, r.d, r.b & 1u ? HOST_SHARED_TABLE : HOST_PLAIN, SOFTGT_TRACE_ALL);
    if (!driver_ppgtt_make(&h->driver, &h->ppgtt, 0) ||
        !driver_map(&h->driver, &h->ppgtt, 0, 0, HOLE, PAGE_BYTES))
        abort();
    hostile_memory(h, r.a % PORT_KINDS);
    for (size_t at = RECORD_BYTES; at + RECORD_BYTES <= size && at < RECORDS * RECORD_BYTES;
         at += RECORD_BYTES) {
        memcpy(&r, data + at, RECORD_BYTES);
        const uint64_t since_ns = cpu_ns();
        doings[r.what % DOINGS](h, &r);
        in_time(since_ns, "a call");
    }
    for (unsigned i = 0; i < 4; i++) {
        hostile_run(h, 512);
        hostile_advance(h, 20000000);
    }
    return 0;
}

/* ---- Mutations ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value);

/* Work for an engine, as a driver gives it. */
static unsigned make_work(struct record *r, uint64_t *seed)
{
    const uint16_t engine = (uint16_t)below(seed, 16);
    const uint32_t batch = below(seed, 0x100);
    const uint8_t mode = (uint8_t)below(seed, 256);
    r[0] = (struct record){WRITE_BATCH, (uint8_t)below(seed, 64), engine, batch, random_next(seed)};
    r[1] = (struct record){mode & 8u ? START_RING : MAKE_CONTEXT, mode & 0x33, engine, batch, 0};
    r[2] = (struct record){SUBMIT, 0x80 | (mode >> 4 & 1u), engine, 0, 0};
    if (mode & 4u)
        r[1] = (struct record){SUBMIT_VIDEO, mode & 0x31, engine, batch, 0};
    if ((mode & 0xc0u) == 0xc0u)
        r[2] = (struct record){SHOW, 0, 0, 0, random_next(seed)};
    r[3] = (struct record){RUN, (uint8_t)below(seed, 11), 0, 0, 0};
    return 4;
}

static unsigned make_records(struct record *r, uint64_t *seed)
{
    unsigned count = 1 + below(seed, 4);
    if (below(seed, 3) == 0)
        return make_work(r, seed);
    for (unsigned i = 0; i < count; i++)
        r[i] = (struct record){(uint8_t)below(seed, DOINGS), (uint8_t)below(seed, 256),
                               (uint16_t)below(seed, 65536), (uint32_t)random_next(seed), random_value(seed)};
    return count;
}

/* Whole records come, go and change places, besides what happens to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value)
{
    uint64_t seed = seed_value;
    struct record r[4];
    const size_t length = make_records(r, &seed) * RECORD_BYTES,
                 at = (1 + below(&seed, (uint32_t)(size / RECORD_BYTES) + 1)) * RECORD_BYTES;
    if (below(&seed, 2) || at > size || size + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    if (below(&seed, 4) == 0 && at + length <= size) {
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    }
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, r, length);
    return size + length;
}

/* ---- What it begins with ---- */

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (uint8_t product = 0; sheets[product]; product++)
        for (uint8_t kind = 0; kind < PORT_KINDS; kind++) {
            uint64_t seed = product * 16u + kind;
            struct record script[64] = {{.what = product, .a = kind, .b = kind % 2u, .d = seed}};
            unsigned count = 1;
            while (count < 60)
                count += make_records(script + count, &seed);
            take(script, count * sizeof script[0]);
        }
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
