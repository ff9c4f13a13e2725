#include "hang/data.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { DIGITS = 5, BASE = 85, FIRST_BYTES = 4096, PAD_BYTES = 3 /* after a zlib stream, to a whole word */ };

static const char too_large[] = "the buffers take more memory than --memory allows";

static bool data_reserve(struct data *d, size_t more)
{
    if (d->capacity - d->size >= more)
        return true;
    if (more > d->most_bytes - d->size) {
        d->problem = d->problem ? d->problem : too_large;
        return false;
    }
    size_t wanted = d->capacity ? d->capacity * 2 : (size_t)FIRST_BYTES;
    if (wanted > d->most_bytes || wanted < d->size + more)
        wanted = d->size + more > d->most_bytes / 2 ? d->most_bytes : d->size + more;
    uint8_t *const bytes = realloc(d->bytes, wanted);
    if (!bytes) {
        d->no_memory = true;
        return false;
    }
    d->bytes = bytes;
    d->capacity = wanted;
    return true;
}

bool data_word(struct data *d, uint32_t word)
{
    if (!data_reserve(d, sizeof word))
        return false;
    const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                             (uint8_t)(word >> 24)};
    memcpy(d->bytes + d->size, bytes, sizeof bytes);
    d->size += sizeof bytes;
    return true;
}

static bool is_digit(char c)
{
    return c >= '!' && c < '!' + BASE;
}

size_t data_ascii85(struct data *d, const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint64_t word = 0;
        unsigned digits = 0;
        if (text[at] == 'z') {
            digits = 1;
        } else {
            for (; digits < DIGITS && at + digits < length && is_digit(text[at + digits]); digits++)
                word = word * BASE + (uint64_t)(text[at + digits] - '!');
            if (digits < DIGITS) {
                if (digits)
                    d->problem = d->problem ? d->problem : "the data end inside a word of ascii85";
                return at;
            }
        }
        if (word > UINT32_MAX) {
            d->problem = d->problem ? d->problem : "a word of ascii85 has more than 32 bits";
            return at;
        }
        if (!data_word(d, (uint32_t)word))
            return at;
        at += digits;
    }
    return at;
}

/* Inflates into `to` as far as the stream is good. */
static void inflate_into(struct data *to, z_stream *z)
{
    int status = Z_OK;
    while (status == Z_OK) {
        if (!data_reserve(to, 1))
            return;
        const size_t room = to->capacity - to->size;
        z->next_out = to->bytes + to->size;
        z->avail_out = room < UINT32_MAX ? (uInt)room : UINT32_MAX;
        const uInt before = z->avail_out;
        status = inflate(z, Z_NO_FLUSH);
        to->size += before - z->avail_out;
    }
    if (status == Z_STREAM_END) {
        if (z->avail_in > PAD_BYTES)
            to->problem = "data follow the end of the zlib stream";
        return;
    }
    to->no_memory = status == Z_MEM_ERROR;
    to->problem = status == Z_BUF_ERROR ? "the zlib stream is cut" : "the zlib stream is damaged";
}

void data_inflate(struct data *d)
{
    struct data to = {.most_bytes = d->most_bytes};
    z_stream z = {.next_in = d->bytes, .avail_in = (uInt)d->size};
    if (d->size > UINT32_MAX || inflateInit(&z) != Z_OK) {
        d->no_memory = true;
        return;
    }
    inflate_into(&to, &z);
    inflateEnd(&z);
    to.size &= ~(size_t)3;
    to.problem = d->problem ? d->problem : to.problem;
    free(d->bytes);
    *d = to;
}
