#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool same_letter(char a, char b)
{
    a = a >= 'A' && a <= 'Z' ? (char)(a - 'A' + 'a') : a;
    b = b >= 'A' && b <= 'Z' ? (char)(b - 'A' + 'a') : b;
    return a == b;
}

/* The edit distance of two short names; a swap of neighbours is one edit. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[3][65];
    const size_t m = strlen(a), n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

void nearest_start(struct nearest *n, const char *text, size_t text_length)
{
    const size_t length = text_length < sizeof n->wanted ? text_length : 0;
    memcpy(n->wanted, text, length);
    n->wanted[length] = 0;
    n->name[0] = 0;
    n->distance = length >= 16  ? 5
                  : length >= 8 ? 4
                  : length >= 4 ? 3
                                : 2; /* less than this counts as near */
}

/* All words of the text, at least two, are words of the name in this order: RING_TAIL of RING_BUFFER_TAIL. */
static bool has_words(const char *name, const char *words)
{
    unsigned count = 0;
    while (*words) {
        const size_t length = strcspn(words, "_");
        while (*name && !(strcspn(name, "_") == length && strncasecmp(name, words, length) == 0))
            name += strcspn(name, "_") + (name[strcspn(name, "_")] == '_');
        if (!*name || !length)
            return false;
        name += length;
        words += length + (words[length] == '_');
        count++;
    }
    return count > 1;
}

void nearest_compare(struct nearest *n, const char *name)
{
    const size_t length = strlen(name), wanted = strlen(n->wanted);
    if (!n->name[0] && length < sizeof n->name && has_words(name, n->wanted))
        memcpy(n->name, name, length + 1);
    if (!wanted || length >= sizeof n->name || length > wanted + n->distance || wanted > length + n->distance)
        return;
    const unsigned d = edit_distance(n->wanted, name);
    if (d < n->distance) {
        n->distance = d;
        memcpy(n->name, name, length + 1);
    }
}

const char *nearest_text(const struct nearest *n, char *text, size_t size)
{
    if (!n->name[0])
        return "";
    snprintf(text, size, " (did you mean %s?)", n->name);
    return text;
}
