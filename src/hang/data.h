/* Contents of buffers: words in ascii85, plain or as a zlib stream. */
#ifndef HANG_DATA_H
#define HANG_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow up to a limit. */
struct data {
    uint8_t *bytes;
    size_t size, capacity;
    size_t most_bytes; /* left of the limit of all buffers */
    bool no_memory;
    const char *problem; /* the first thing that is wrong, or NULL; what is before it is kept */
};

/* Appends words of ascii85: 'z' is zero, else five digits, the most significant first. A word is a CPU's.
 * Returns the number of characters that belong to words; it ends at the first that does not. */
size_t data_ascii85(struct data *d, const char *text, size_t length);
/* Replaces a zlib stream with its contents, in whole words. */
void data_inflate(struct data *d);
/* Appends a word. False: no space. */
bool data_word(struct data *d, uint32_t word);

#endif
