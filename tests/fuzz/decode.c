/*
 * Any dwords as commands to be listed, for the device and engine class that the first bytes pick: as text, as
 * JSON, as lines of the text form, with what they point to. Bit 0 of the third byte: no fields.
 */
#include "device/device.h"
#include "host/structure_dumper.h"
#include "player/gts_run.h"
#include "fuzz.h"

#include <stdlib.h>

enum { PRODUCTS = 32, HEAD_BYTES = 4, MOST_BYTES = 1 << 16, MOST_TEXT_BYTES = 64 << 20 };

struct dwords {
    const uint32_t *dw;
    size_t count;
};

/* Memory is the commands, again and again. */
static bool read_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct dwords *d = user;
    for (size_t i = 0; i < size_bytes; i++)
        ((uint8_t *)data)[i] = ((const uint8_t *)d->dw)[(address + i) % (d->count * 4u)];
    return address % 7u;
}

static void on_line(void *user, size_t index, const char *text)
{
    *(size_t *)user += index + strlen(text);
}

/* Made once: it takes longer than an input does. */
struct lister {
    struct command_set set;
    struct dumper dumper;
    struct structure_dumper follow;
    struct bases bases;
};

static struct lister *lister_of(unsigned product, bool json, bool headers_only)
{
    static struct lister all[PRODUCTS][2][2];
    struct lister *const l = &all[product][json][headers_only];
    const enum generation generation = sheets[product]->generation;
    const struct dump_options options = {.json = json, .headers_only = headers_only, .bases = &l->bases};
    if (!l->set.rows && (!command_set_create(&l->set, command_tables, generation) ||
                         !dumper_create(&l->dumper, &l->set, &options) ||
                         !structure_dumper_create(&l->follow, generation, &options)))
        abort();
    l->bases = (struct bases){0};
    return l;
}

static void list(struct lister *l, enum engine_class class, const struct dwords *d, bool lines)
{
    struct structure_dumper follow = l->follow;
    struct text text = {0};
    follow.bases = &l->bases;
    follow.user = (void *)(uintptr_t)d;
    follow.read = read_memory;
    for (size_t at = 0, length = 1; at < d->count; at += length) {
        const enum dump_found found =
            dump_command(&l->dumper, &text, class, d->dw + at, d->count - at, at * 4u, &length);
        if (!length || text.failed || text.length > MOST_TEXT_BYTES)
            abort();
        const uint16_t number = command_find(&l->set, class, d->dw[at]);
        if (number && found != DUMP_CUT && found != DUMP_UNKNOWN)
            structure_dumper_command(&follow, &text, l->set.rows[number], d->dw + at, (uint32_t)length,
                                     at * 4u);
    }
    size_t told = 0;
    if (lines && !gts_disassemble(&l->set, class, d->dw, d->count, &told, on_line))
        abort();
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned products = 0;
    while (sheets[products])
        products++;
    if (size < HEAD_BYTES + 4u || size > MOST_BYTES)
        return 0;
    const struct sheet *const sheet = sheets[data[0] % products];
    const enum engine_class class = sheet->engines[data[1] % sheet->info.engine_count].class;
    struct dwords d = {.count = (size - HEAD_BYTES) / 4u};
    uint32_t *const dw = malloc(d.count * 4u); /* no more: ASan sees its end */
    if (!dw)
        abort();
    memcpy(dw, data + HEAD_BYTES, d.count * 4u);
    d.dw = dw;
    list(lister_of(data[0] % products, false, data[2] & 1u), class, &d, true);
    list(lister_of(data[0] % products, true, data[2] & 1u), class, &d, false);
    free(dw);
    return 0;
}

/* Every command of every class, with fields of all ones or none. */
void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    static uint32_t dw[MOST_BYTES / 4];
    for (unsigned product = 0; sheets[product]; product++)
        for (unsigned engine = 0; engine < sheets[product]->info.engine_count; engine++) {
            struct command_set set;
            uint32_t at = 1;
            if (!command_set_create(&set, command_tables, sheets[product]->generation))
                abort();
            dw[0] = product | engine << 8;
            for (unsigned i = 1; i < set.count; i++) {
                const struct command *const c = set.rows[i];
                const uint32_t length_dw = c->min_dwords ? c->min_dwords : 1;
                if (at + length_dw > MOST_BYTES / 4 ||
                    command_find(&set, sheets[product]->engines[engine].class, c->match) != i)
                    continue;
                memset(dw + at, i & 1u ? 0x11 : 0, length_dw * 4u);
                dw[at] = c->match | (c->length_bits ? length_dw - (uint32_t)c->length_bias : 0);
                at += length_dw;
            }
            command_set_destroy(&set);
            take(dw, at * 4u);
        }
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
