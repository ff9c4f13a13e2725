/* A client of the TBX server: any bytes, cut in any way, as they come from a socket. */
#include "fuzz.h"
#include "tbx_client.h"

enum { MEMORY_BYTES = 4 << 20, MOST_RUNS = 64 };

static size_t told;

static void on_message(void *user, const char *text)
{
    (void)user;
    told += strlen(text);
}

static void on_exchange(void *user, unsigned connection, const char *text)
{
    (void)user;
    told += connection + strlen(text);
}

static const char *const devices[] = {"skl", "icl", "tgl", "dg2", "bdw", "bmg", "lnl", "snb"};
enum { DEVICES = sizeof devices / sizeof devices[0] };

/* The first byte: how the others are cut, and the device. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    piece_bytes = data[0] & 1 ? 1 : SIZE_MAX;
    sent_bytes = data[0] & 2 ? 3 : SIZE_MAX;
    slice_dw = data[0] & 4 ? 16 : 4096;
    session_options = (struct tbx_options){.exchanged = data[0] & 8 ? on_exchange : NULL};
    session_start(devices[(data[0] >> 4) % DEVICES], MEMORY_BYTES, on_message);
    const uint8_t *at = data + 1, *const end = data + size;
    unsigned runs = 0; /* what hangs is answered for, and takes its time */
    while (at < end && !session.ended && runs < MOST_RUNS) {
        const size_t piece = (size_t)(end - at) < piece_bytes ? (size_t)(end - at) : piece_bytes;
        const size_t taken = tbx_session_receive(&session, at, piece);
        if (taken > piece)
            abort();
        at += taken;
        runs += session.run_left_dw && softgt_runnable(session.replay.device);
        while (tbx_session_run(&session, slice_dw))
            ;
        /* An answer of gigabytes is not waited for. */
        const uint8_t *out;
        size_t bytes;
        for (unsigned i = 0; i < 40 && (bytes = tbx_session_output(&session, &out)) != 0; i++)
            tbx_session_sent(&session, bytes < sent_bytes ? bytes : sent_bytes);
        if (!session.ended && !tbx_session_ready(&session))
            break;
    }
    if (session.replay.memory && session.result.memory_bytes > MEMORY_BYTES)
        abort();
    tbx_session_end(&session);
    return 0;
}

/* Sessions that run a context, as bytes. */
static uint8_t seed[1 << 16];
static size_t seed_bytes;

static void put(const void *data, size_t size)
{
    if (size && size <= sizeof seed - seed_bytes) {
        memcpy(seed + seed_bytes, data, size);
        seed_bytes += size;
    }
}

static void put_message(uint32_t id, const uint32_t *body, uint32_t body_bytes, const void *data,
                        size_t bytes)
{
    static uint32_t number;
    const struct tbx_header h = {id, number++, body_bytes};
    put(&h, sizeof h);
    put(body, body_bytes);
    put(data, bytes);
}

static void put_context(const struct sheet *sheet)
{
    static uint32_t image[4096];
    static const uint32_t ring[] = {0x10400002, 0x20000, 0, 7, 0x18800001, 0x20100, 0, 0, 0, 0};
    const struct engine_info *e = &sheet->engines[0];
    struct driver_writes w = {0};
    const struct driver_context context = {
        .ring = {.start = 0x8000, .size_bytes = PAGE_BYTES, .tail = sizeof ring},
        .control = DRIVER_FRESH_CONTEXT};
    for (uint32_t page = 0; page < 48; page++)
        put_message(2, (const uint32_t[]){1, page, page << 12 | 1u, 0}, 16, NULL, 0);
    const uint32_t image_bytes = driver_image(e, &context, image, sizeof image / 4) * 4;
    put_message(4, (const uint32_t[]){0, 0x10000 + DRIVER_IMAGE_OFFSET, image_bytes}, 12, image, image_bytes);
    put_message(4, (const uint32_t[]){0, 0x8000, sizeof ring}, 12, ring, sizeof ring);
    driver_enable_execlists(&w, e);
    driver_submit(&w, e, driver_descriptor(0x10000, 1, NULL), 0);
    for (unsigned i = 0; i < w.count; i++)
        put_message(0, (const uint32_t[]){9, w.list[i].offset, w.list[i].value}, 12, NULL, 0);
    put_message(0, (const uint32_t[]){8, 0x2234, 0}, 12, NULL, 0);
    put_message(5, (const uint32_t[]){0, 0x20000, 4096}, 12, NULL, 0);
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (unsigned i = 0; i < DEVICES - 1; i++) { /* the last has no execlists */
        seed_bytes = 0;
        put(&(uint8_t){(uint8_t)(i << 4 | i)}, 1);
        put_message(11, (const uint32_t[]){0x00320002}, 4, NULL, 0);
        put_context(sheet_find(devices[i]));
        take(seed, seed_bytes);
    }
    /* Each message, once with nothing and once with ones. */
    for (unsigned how = 0; how < 2; how++) {
        seed_bytes = 0;
        put(&(uint8_t){8}, 1);
        for (uint32_t id = 0; tbx_message(id); id++) {
            uint32_t body[TBX_BODY_DW];
            memset(body, how ? 0x11 : 0, sizeof body);
            body[2] = how ? 8 : 0;
            put_message(id, body, tbx_message(id)->body_dw * 4u, body, tbx_message(id)->data ? body[2] : 0);
        }
        take(seed, seed_bytes);
    }
}

void fuzz_words(fuzz_take *take)
{
    for (uint32_t id = 0; tbx_message(id); id++) {
        const struct tbx_header h = {id, 0, tbx_message(id)->body_dw * 4u};
        take(&h, sizeof h);
    }
    fuzz_row_words(take);
}
