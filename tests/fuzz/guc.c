/*
 * Scripts against a GuC that has booted: records of sixteen bytes, each one thing that its host does with
 * mailbox, buffers, doorbells, work queues and contexts. The first says with which memory, and which GuC it
 * is. Everything is traced.
 */
#include "hostile.h"

#include "driver/guc.h"
#include "guc/guc.h"

struct record {
    uint8_t what, a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
};

enum {
    RECORD_BYTES = sizeof(struct record),
    RECORDS = 256,
    FIRMWARE = 0x2c000,
    H2G_DESCRIPTOR = 0x30000,
    G2H_DESCRIPTOR = 0x30040,
    H2G_BUFFER = 0x31000,
    G2H_BUFFER = 0x32000,
    BUFFER_BYTES = 0x1000,
    ADS = 0x34000,
    WORK = 0x38000, /* descriptor and queue */
    LISTS = 0x3a000,
    LINE = 0x3f000, /* a doorbell */
    SEEN = 4 << 20, /* where all of memory is for GuCs: below it is what they have of their own */
};

static unsigned product_of_guc(bool has_two)
{
    unsigned product = 0;
    while (!sheets[product]->guc || (has_two && !sheets[product]->media))
        product++;
    return product;
}

/* The GuC of the script: 1 is that of the media GT. */
static unsigned which;

static void put_shared(struct hostile *h, uint32_t offset, uint64_t value)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, offset, (uint32_t)value, 4);
}

static void put(struct hostile *h, uint32_t offset, uint64_t value)
{
    put_shared(h, gt_offset(&h->device->gts[which], offset), value);
}

static void notify(struct hostile *h, uint32_t value)
{
    put_shared(h, which ? GUC_MEDIA_HOST_INTERRUPT : GUC_HOST_INTERRUPT, value);
}

static uint32_t *at(struct hostile *h, uint32_t address)
{
    return (uint32_t *)(void *)(h->memory + address);
}

static void mail(struct hostile *h, uint32_t d0, uint32_t d1, uint64_t value)
{
    const uint32_t dw[] = {d0, d1, (uint32_t)value, (uint32_t)(value >> 32)};
    for (unsigned i = 0; i < 4; i++)
        put_shared(h, (which ? GUC_MEDIA_MAILBOX : GUC_MAILBOX) + i * 4u, dw[i]);
    notify(h, 1);
}

/* As driver_guc_load, of that GuC. */
static void load(struct hostile *h, const struct driver_boot *b)
{
    enum { GGTT = 8 << 16, PROTECTED = 7 << 16, TO = 0x2000, START = 0x110011 };
    const uint32_t writes[][2] = {
        {0x941c, 1u << 3},           {0xc050, 0x1f3000},    {0xc340, 0x4000}, {0xc184, b->log},
        {0xc194, b->ads >> 12 << 1}, {0xc300, b->firmware}, {0xc304, GGTT},   {0xc308, TO},
        {0xc30c, PROTECTED},         {0xc310, b->bytes},    {0xc314, START}};
    for (unsigned i = 0; i < sizeof writes / sizeof *writes; i++)
        put(h, writes[i][0], writes[i][1]);
}

static void boot(struct hostile *h, const struct record *r)
{
    uint32_t *const css = at(h, FIRMWARE);
    if (r->a & 1u)
        put(h, 0x941c, 1);
    driver_firmware(css);
    if (r->a & 0x80)
        css[r->b % 32u] = r->c;
    load(h, &(struct driver_boot){.firmware = SEEN + FIRMWARE,
                                  .bytes = r->a & 0x20 ? r->c : DRIVER_FIRMWARE_BYTES,
                                  .log = r->a & 0x40 ? (uint32_t)r->d : (SEEN + ADS + 0x2000) | 1u,
                                  .ads = SEEN + ADS});
    hostile_run(h, 512);
}

static void enable(struct hostile *h, const struct record *r)
{
    const uint64_t values[] = {SEEN + H2G_BUFFER, SEEN + H2G_DESCRIPTOR, BUFFER_BYTES,
                               SEEN + G2H_BUFFER, SEEN + G2H_DESCRIPTOR, BUFFER_BYTES};
    memset(at(h, H2G_DESCRIPTOR), 0, 128);
    mail(h, 0x4509, 0, 0);
    for (unsigned i = 0; i < 6; i++)
        mail(h, 0x508, (0x902u + i) << 16 | (i % 3 == 2 ? 1u : 2u), r->a == i ? r->d : values[i]);
    mail(h, 0x4509, 1, 0);
}

/* The row that a number means, or none. */
static uint32_t action_of(const struct record *r)
{
    unsigned number = r->a % 64u;
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++) {
        if (number < (*t)->count)
            return (*t)->rows[number].action;
        number -= (*t)->count;
    }
    return r->b;
}

static void write_mailbox(struct hostile *h, const struct record *r)
{
    mail(h, r->a & 0x80 ? r->c : action_of(r), r->c, r->d);
}

static void send(struct hostile *h, const uint32_t *dw, uint32_t length_dw)
{
    uint32_t tail = at(h, H2G_DESCRIPTOR)[1] % (BUFFER_BYTES / 4);
    for (uint32_t i = 0; i < length_dw; i++, tail = (tail + 1) % (BUFFER_BYTES / 4))
        at(h, H2G_BUFFER)[tail] = dw[i];
    at(h, H2G_DESCRIPTOR)[1] = tail;
    notify(h, 0);
}

/* With numbers that mean something: few ids, few classes, addresses. */
static void send_message(struct hostile *h, const struct record *r)
{
    uint64_t seed = r->d;
    uint32_t dw[64];
    const uint32_t length_dw = r->b & 0x100 ? 1u + r->c % 40u : 12u;
    const struct guc_message *const row = guc_message_find((uint16_t)action_of(r), false);
    const uint32_t payload_dw = row && !(r->b & 0x100) ? row->min_dw : length_dw;
    dw[0] = (uint32_t)r->b << 16 | (payload_dw + 1u);
    dw[1] = (r->c & 3u) << 28 | action_of(r);
    for (uint32_t i = 0; i < payload_dw; i++)
        dw[2 + i] = below(&seed, 3)   ? below(&seed, 5)
                    : below(&seed, 2) ? (uint32_t)hostile_address(&seed) + below(&seed, 2) * SEEN
                                      : (uint32_t)random_value(&seed);
    send(h, dw, payload_dw + 2u);
}

/* A context that can run, as a driver does it. */
static void start(struct hostile *h, const struct record *r)
{
    const uint32_t id = r->a % 4u, place = IMAGE + id % 2u * IMAGE_STEP, class = r->b % 5u;
    const struct guc *const guc = &h->device->gucs[which];
    unsigned number = 0;
    while (number + 1u < guc->engine_count && guc->derived.class_of[number] != class)
        number++;
    const struct engine_info *const e = guc->engines[number].info;
    const struct driver_context context = {.ring = {RING, RING_BYTES, 0, 16},
                                           .control = DRIVER_FRESH_CONTEXT,
                                           .ppgtt = r->a & 8u ? &h->ppgtt : NULL};
    const uint32_t ring[] = {0x31u << 23 | 1u, BATCH, 0, 0};
    memcpy(h->memory + RING, ring, sizeof ring);
    uint32_t *const dw = at(h, BATCH);
    dw[hostile_commands(h, e, r->d, 1u + r->a % 16u, dw, 0x1000)] = 0x0a << 23;
    driver_image(e, &context, at(h, place + DRIVER_IMAGE_OFFSET), 2048);
    send(h,
         (const uint32_t[]){12, 2u << 28 | 0x4502, 1, id, class, 3, r->a & 0x20 ? SEEN + WORK : 0, 0,
                            SEEN + WORK + 64, 0, 256, place | 0x119, 0},
         13);
    send(h,
         (const uint32_t[]){8, 2u << 28 | 0x100b, id, 0x20010001, r->c % 2000u, 0x20020001, r->c % 3000u,
                            0x20030001, r->b % 4u},
         9);
    send(h, (const uint32_t[]){3, 2u << 28 | 0x1001, id, 1}, 4);
}

static void stop(struct hostile *h, const struct record *r)
{
    const uint32_t id = r->a % 4u;
    send(h, (const uint32_t[]){3, 2u << 28 | 0x1001, id, r->a >> 7}, 4);
    if (r->a & 0x10)
        send(h, (const uint32_t[]){2, 2u << 28 | 0x4503, id}, 3);
}

/* What the host has the GuC look up: registers by lists, policies, images that contexts begin with. */
static void describe(struct hostile *h, const struct record *r)
{
    uint64_t seed = r->d;
    uint32_t *const ads = at(h, ADS), *const list = at(h, LISTS);
    list[0] = r->b % 0x200;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t known = h->sheet->engines[0].mmio_base + (uint32_t)below(&seed, 0x200) * 4;
        list[1 + i * 4] = below(&seed, 2) ? known : (uint32_t)random_value(&seed);
        list[2 + i * 4] = (uint32_t)random_next(&seed);
        list[3 + i * 4] = below(&seed, 2) ? (uint32_t)below(&seed, 16) : (uint32_t)random_next(&seed);
        list[4 + i * 4] = (uint32_t)random_next(&seed);
    }
    for (uint32_t i = 0; i < 16; i++) {
        ads[i * 64] = SEEN + (r->a & 1u ? LISTS + 4 : (uint32_t)hostile_address(&seed));
        ads[i * 64 + 1] = r->c % 300u;
        ads[0x1014 / 4 + i] =
            SEEN + (r->a & 2u ? IMAGE + PAGE_BYTES + 0x180 : (uint32_t)hostile_address(&seed));
        ads[0x1054 / 4 + i] = r->c % 0x3000u;
    }
    for (uint32_t i = 0; i < 66; i++)
        ads[0x109c / 4 + i] = SEEN + (r->a & 4u ? LISTS : (uint32_t)hostile_address(&seed));
    ads[0x1004 / 4] = r->a & 8u ? SEEN + LISTS : 0;
    if (r->a & 0x10)
        send(h, (const uint32_t[]){3, 2u << 28 | 0x550a, SEEN + SECOND_BATCH, 0}, 4);
    if (r->a & 0x20)
        send(h,
             (const uint32_t[]){5, 2u << 28 | 0x550c, SEEN + LISTS + 0x1000, 0, SEEN + SECOND_BATCH + 0x8000,
                                0},
             6);
}

/* A context that never ends, unless it is taken away. */
static void hang(struct hostile *h, const struct record *r)
{
    start(h, r);
    const uint32_t wait[] = {0x04000000u | (r->c >> 8 & 1u), 0x0e40c002u, 0x77, HOLE - 8, 0, 0x0a << 23};
    memcpy(at(h, BATCH), wait, sizeof wait);
    hostile_run(h, 256);
    if (r->a & 0x10)
        send(h, (const uint32_t[]){3, 2u << 28 | 0x1001, r->a % 4u, 0}, 4);
    else
        start(h, &(struct record){.a = (uint8_t)(r->a + 1u), .b = r->b, .c = r->c, .d = r->d});
    hostile_run(h, 256);
    hostile_advance(h, (r->c % 3000u + 1u) * UINT64_C(1000));
}

/* A doorbell is armed, and rings. */
static void ring(struct hostile *h, const struct record *r)
{
    const uint32_t number = r->b % 300u, in_memory = r->c & 1u,
                   place = in_memory ? LINE + r->b % 4u * 64u : 0x400000 + (r->b % 1030u) * PAGE_BYTES;
    send(h,
         (const uint32_t[]){5, 2u << 28 | 0x10, r->a % 4u, number, in_memory,
                            in_memory ? SEEN + place : place},
         6);
    hostile_run(h, 128);
    if (in_memory)
        memcpy(at(h, place), &r->d, 8);
    else
        put(h, place, r->d);
    if (r->a & 0x40)
        put(h, 0xc570, r->c);
    if (r->a & 0x80)
        put(h, 0xc540 + r->b % 9u * 4u, r->d);
}

/* Contexts beside each other, and what a queue gives them. */
static void run_beside(struct hostile *h, const struct record *r)
{
    const uint32_t id = r->a % 4u, count = 1u + r->b % 3u, fields = 10u + count * 2u;
    uint32_t dw[2 + 10 + 6] = {fields + 1u, 2u << 28 | 0x4601, 1, id,  1,    1u + r->b % 2u, SEEN + WORK,
                               0,           SEEN + WORK + 64,  0, 256, count};
    start(h, &(struct record){.a = r->a, .b = 1, .c = r->c, .d = r->d});
    stop(h, &(struct record){.a = (uint8_t)(id | 0x10)});
    hostile_run(h, 256);
    for (uint32_t i = 0; i < count; i++)
        dw[12 + i * 2] = (IMAGE + i % 2u * IMAGE_STEP) | 0x119u;
    send(h, dw, fields + 2u);
    uint32_t *const queue = at(h, WORK + 64), *const descriptor = at(h, WORK);
    const uint32_t tail = descriptor[1] % 256u / 4u, length_dw = 4u + count - 1u;
    const uint32_t item[8] = {
        (length_dw - 1u) << 16 | (r->b & 0x80 ? r->c & 0xffu : 5u), 0, id | 2u << 18, 0, 2, 2};
    for (uint32_t i = 0; i < length_dw; i++)
        queue[(tail + i) % 64u] = item[i];
    descriptor[1] = (tail + length_dw) % 64u * 4u;
    send(h, (const uint32_t[]){3, 2u << 28 | 0x1001, id, 1}, 4);
    send(h, (const uint32_t[]){2, 2u << 28 | 0x1000, id}, 3);
}

static void write_memory(struct hostile *h, const struct record *r)
{
    memcpy(h->memory + r->c % (MEMORY_BYTES - 7), &r->d, 8);
}

static void write_descriptor(struct hostile *h, const struct record *r)
{
    at(h, H2G_DESCRIPTOR)[r->a % 32u] = r->a & 0x80 ? r->c : r->c % 1100u;
}

static void read_messages(struct hostile *h, const struct record *r)
{
    (void)r;
    at(h, G2H_DESCRIPTOR)[0] = at(h, G2H_DESCRIPTOR)[1];
}

static void write_register(struct hostile *h, const struct record *r)
{
    const struct register_block *const blocks[] = {&guc_registers, &guc_doorbell_registers,
                                                   which ? &guc_registers : &guc_interrupt_registers},
                                       *const b = blocks[r->a % 3u];
    const struct reg *const row = &b->rows[r->b % b->count];
    put(h, row->offset + (row->count ? r->c % row->count * row->stride : 0), r->d);
    h->told +=
        softgt_bar_read(h->device, SOFTGT_BAR_GTTMMADR, gt_offset(&h->device->gts[which], row->offset), 4);
}

static void run(struct hostile *h, const struct record *r)
{
    hostile_run(h, UINT64_C(1) << r->a % 11u);
}

static void advance(struct hostile *h, const struct record *r)
{
    hostile_advance(h, r->d >> (r->a % 64u));
    h->told += softgt_next_event_ns(h->device);
}

static void change_memory(struct hostile *h, const struct record *r)
{
    hostile_memory(h, r->a % PORT_KINDS);
}

static void save(struct hostile *h, const struct record *r)
{
    (void)r;
    if (h->saves++)
        return;
    const size_t bytes = softgt_save(h->device, NULL, 0);
    uint8_t *const state = malloc(bytes * 2);
    if (!state || softgt_save(h->device, state, bytes) != bytes ||
        softgt_load(h->device, state, bytes) != 0 || softgt_save(h->device, state + bytes, bytes) != bytes ||
        memcmp(state, state + bytes, bytes) != 0)
        abort();
    free(state);
}

static void (*const doings[])(struct hostile *h, const struct record *r) = {
    send_message,  send_message,   start, start, stop,    write_mailbox, write_memory, write_descriptor,
    read_messages, write_register, run,   run,   advance, change_memory, save,         enable,
    boot,          describe,       hang,  hang,  ring,    ring,          run_beside,
};
enum { DOINGS = sizeof doings / sizeof doings[0] };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record r;
    if (size < 2 * RECORD_BYTES)
        return 0;
    memcpy(&r, data, RECORD_BYTES);
    const bool has_two = r.a & 0x10;
    which = has_two && r.a & 0x20;
    struct hostile *const h = hostile_start(product_of_guc(has_two), r.d, HOST_PLAIN, SOFTGT_TRACE_ALL);
    if (!driver_ppgtt_make(&h->driver, &h->ppgtt, 0) ||
        !driver_map(&h->driver, &h->ppgtt, 0, 0, HOLE, PAGE_BYTES))
        abort();
    driver_map_ggtt(&h->driver, SEEN, 0, HOLE);
    boot(h, &(struct record){0});
    enable(h, &(struct record){.a = 0xff});
    hostile_memory(h, r.a % PORT_KINDS);
    for (size_t place = RECORD_BYTES; place + RECORD_BYTES <= size && place < RECORDS * RECORD_BYTES;
         place += RECORD_BYTES) {
        memcpy(&r, data + place, RECORD_BYTES);
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

/* ---- What it begins with ---- */

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (uint64_t first = 0; first < 200; first++) {
        uint64_t seed = first;
        struct record script[64] = {{.a = (uint8_t)first, .d = first}};
        for (unsigned i = 1; i < 64; i++)
            script[i] = (struct record){(uint8_t)below(&seed, DOINGS), (uint8_t)below(&seed, 256),
                                        (uint16_t)below(&seed, 65536), (uint32_t)random_next(&seed),
                                        below(&seed, 2) ? random_value(&seed) : random_next(&seed)};
        take(script, sizeof script);
    }
}

void fuzz_words(fuzz_take *take)
{
    for (const struct guc_messages *const *t = guc_message_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++)
            take(&(*t)->rows[i].action, sizeof(*t)->rows[i].action);
}
