/* The client's side of a TBX session without a socket. After cmocka.h or fuzz.h. */
#ifndef TBX_CLIENT_H
#define TBX_CLIENT_H

#include "driver/driver.h"
#include "tbx/session.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWERS_BYTES = 4 << 20 };

static struct tbx_session session;
static struct tbx_shared shared;
static struct tbx_options session_options;
static uint8_t answers[ANSWERS_BYTES];
static size_t answers_bytes;
static uint32_t next_number;
/* The lengths of the parts in which messages and answers arrive. */
static size_t piece_bytes = SIZE_MAX, sent_bytes = SIZE_MAX;
static uint64_t slice_dw = 4096;

enum { MMIO_REQ = 0, GTT_REQ = 2, WRITE_DATA_REQ = 4 };
enum { WRITE = 1 << 0, BYTES_1 = 1 << 1, BYTES_4 = 4 << 1 }; /* of the first dword of accesses */
enum { PRESENT = 1 };                                        /* of entries of the GGTT */

static inline void take_answers(void)
{
    const uint8_t *data;
    for (size_t size; (size = tbx_session_output(&session, &data)) != 0;) {
        size = size < sent_bytes ? size : sent_bytes;
        const size_t room = ANSWERS_BYTES - answers_bytes, kept = size < room ? size : room;
        memcpy(answers + answers_bytes, data, kept);
        answers_bytes += kept;
        tbx_session_sent(&session, size);
    }
}

/* As the server does it. */
static inline void send_bytes(const void *data, size_t size)
{
    const uint8_t *from = data;
    while (size && !session.ended) {
        const size_t piece = size < piece_bytes ? size : piece_bytes,
                     taken = tbx_session_receive(&session, from, piece);
        from += taken;
        size -= taken;
        while (tbx_session_run(&session, slice_dw))
            ;
        take_answers();
    }
}

static inline void send_message(uint32_t id, const void *body, uint32_t body_bytes, const void *data,
                                size_t data_bytes)
{
    const struct tbx_header h = {id, next_number++, body_bytes};
    send_bytes(&h, sizeof h);
    send_bytes(body, body_bytes);
    send_bytes(data, data_bytes);
}

static inline void write_register(uint32_t offset, uint32_t value)
{
    const uint32_t body[] = {WRITE | BYTES_4, offset, value};
    send_message(MMIO_REQ, body, sizeof body, NULL, 0);
}

static inline void write_entry(uint32_t index, uint64_t value)
{
    const uint32_t body[] = {WRITE, index, (uint32_t)value, (uint32_t)(value >> 32)};
    send_message(GTT_REQ, body, sizeof body, NULL, 0);
}

static inline void write_memory(unsigned type, uint64_t address, const void *data, uint32_t size)
{
    const uint32_t body[] = {type << 6 | (uint32_t)(address >> 32) << 24, (uint32_t)address, size};
    send_message(WRITE_DATA_REQ, body, sizeof body, data, size);
}

static inline void session_start(const char *device, uint64_t memory_bytes,
                                 void (*message)(void *user, const char *text))
{
    session_options.device = device;
    session_options.memory_bytes = memory_bytes;
    shared = (struct tbx_shared){.options = &session_options, .telling = {.message = message}};
    answers_bytes = next_number = 0;
    tbx_session_begin(&session, &shared, 1);
}

/* A context as clients of simulators make it: the entries of the GGTT one by one, an image that is not
 * restored, a ring of these commands; and its submission. */
enum {
    CLIENT_PAGES = 512,
    CLIENT_CONTEXT = 1 << 20,
    CLIENT_RING = 8 * PAGE_BYTES,
    CLIENT_DATA = 32 * PAGE_BYTES,
    CLIENT_IMAGE_DW = 4096,
};
static inline bool client_submits(const struct sheet *sheet, unsigned engine, const uint32_t *commands,
                                  uint32_t count_dw)
{
    static uint32_t image[CLIENT_IMAGE_DW];
    const struct engine_info *e = &sheet->engines[engine];
    const struct driver_context context = {
        .ring = {.start = CLIENT_RING, .size_bytes = PAGE_BYTES, .tail = count_dw * 4},
        .control = DRIVER_FRESH_CONTEXT};
    struct driver_writes w = {0};
    if (!e->contexts.execlists)
        return false;
    for (uint32_t page = 0; page < CLIENT_PAGES; page++)
        write_entry(page, (uint64_t)page * PAGE_BYTES | PRESENT);
    memset(image, 0, sizeof image);
    const uint32_t length_dw = driver_image(e, &context, image, sizeof image / 4);
    write_memory(0, CLIENT_CONTEXT + DRIVER_IMAGE_OFFSET, image, length_dw * 4);
    write_memory(0, CLIENT_RING, commands, count_dw * 4);
    driver_enable_execlists(&w, e);
    driver_submit(&w, e, driver_descriptor(CLIENT_CONTEXT, 1, NULL), 0);
    for (unsigned i = 0; i < w.count; i++)
        write_register(w.list[i].offset, w.list[i].value);
    return true;
}

#endif
