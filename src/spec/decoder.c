/* Decoders: commands one by one, with base addresses, structures and kernels. */
#include "spec/spec.h"

#include "base/sized.h"
#include "host/structure_dumper.h"

#include <errno.h>
#include <stdlib.h>

/* What commands of a context said that later ones need. */
struct decoder_context {
    uint64_t context;
    struct bases bases;
    struct structure_counts counts;
};

struct softgt_decoder {
    const struct softgt_spec *spec;
    struct softgt_decoder_config config;
    struct bases bases; /* of the context */
    uint64_t context;
    struct decoder_context *contexts; /* those selected so far */
    size_t context_count;
    struct dumper dumper;
    struct structure_dumper structures;
    struct text text;
    char register_name[96];
};

enum {
    DECODER_FLAGS = SOFTGT_DECODE_JSON | SOFTGT_DECODE_HEADERS | SOFTGT_DECODE_NONZERO | SOFTGT_DECODE_COLOR |
                    SOFTGT_DECODER_RESOLVE | SOFTGT_DECODER_FOLLOW | SOFTGT_DECODER_KERNELS
};

static const char *decoder_register_name(void *user, uint32_t offset)
{
    struct softgt_decoder *const d = user;
    return spec_register_name(d->spec, offset, d->register_name, sizeof d->register_name);
}

static void append_text(void *user, const char *bytes, size_t size_bytes)
{
    text_bytes(user, bytes, size_bytes);
}

static void decoder_remark(void *user, struct text *t)
{
    const struct softgt_decoder *const d = user;
    const struct softgt_text_port out = {t, append_text};
    d->config.remark(d->config.user, &out);
}

static bool decoder_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct softgt_decoder *const d = user;
    return d->config.read(d->config.user, address, data, size_bytes);
}

/* The constant buffer addressing mode of the render engine. */
static const struct constants_flag *constants_flags(const struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->info.engine_count; i++)
        if (sheet->engines[i].class == CLASS_RENDER)
            return sheet->engines[i].constant_buffer_address_offset_disable;
    return NULL;
}

/* The config of a caller, whose struct may be longer or shorter. False: it is invalid. */
static bool read_config(struct softgt_decoder_config *own, const struct softgt_decoder_config *config,
                        size_t config_bytes)
{
    if (!config || !sized_struct_read(own, sizeof *own, config, config_bytes) ||
        own->flags & ~(unsigned)DECODER_FLAGS)
        return false;
    if (own->flags & SOFTGT_DECODER_KERNELS)
        own->flags |= SOFTGT_DECODER_FOLLOW;
    if (own->flags & SOFTGT_DECODER_FOLLOW)
        own->flags |= SOFTGT_DECODER_RESOLVE;
    return !(own->flags & SOFTGT_DECODER_FOLLOW) || own->read;
}

static bool create_dumpers(struct softgt_decoder *d)
{
    const unsigned flags = d->config.flags;
    struct dump_options options = spec_dump_options(flags);
    options.user = d;
    options.register_name = decoder_register_name;
    options.remark = d->config.remark ? decoder_remark : NULL;
    options.bases = flags & SOFTGT_DECODER_RESOLVE ? &d->bases : NULL;
    d->structures.user = d;
    d->structures.read = decoder_read;
    d->structures.missing = d->config.missing;
    d->structures.kernels.set = flags & SOFTGT_DECODER_KERNELS ? d->spec->sheet->eu : NULL;
    return dumper_create(&d->dumper, &d->spec->commands, &options) &&
           (!(flags & SOFTGT_DECODER_FOLLOW) ||
            structure_dumper_create(&d->structures, d->spec->sheet->generation, &options));
}

int softgt_decoder_create_sized(const struct softgt_spec *spec, const struct softgt_decoder_config *config,
                                size_t config_bytes, struct softgt_decoder **decoder)
{
    struct softgt_decoder_config own;
    if (decoder)
        *decoder = NULL;
    if (!spec || !decoder || !read_config(&own, config, config_bytes))
        return -EINVAL;
    struct softgt_decoder *const d = calloc(1, sizeof *d);
    if (!d)
        return -ENOMEM;
    d->spec = spec;
    d->config = own;
    softgt_decoder_forget(d);
    if (!create_dumpers(d)) {
        softgt_decoder_destroy(d);
        return -ENOMEM;
    }
    *decoder = d;
    return 0;
}

void softgt_decoder_destroy(struct softgt_decoder *decoder)
{
    if (!decoder)
        return;
    structure_dumper_destroy(&decoder->structures);
    dumper_destroy(&decoder->dumper);
    text_free(&decoder->text);
    free(decoder->contexts);
    free(decoder);
}

void softgt_decoder_forget(struct softgt_decoder *decoder)
{
    decoder->bases = (struct bases){.constants_flags = constants_flags(decoder->spec->sheet)};
    decoder->structures.counts = (struct structure_counts){0};
}

static struct decoder_context *find_context(const struct softgt_decoder *d, uint64_t context)
{
    for (size_t i = d->context_count; i-- > 0;)
        if (d->contexts[i].context == context)
            return &d->contexts[i];
    return NULL;
}

/* Room for another context: the array doubles. */
static struct decoder_context *add_context(struct softgt_decoder *d, uint64_t context)
{
    const size_t n = d->context_count;
    if ((n & (n - 1)) == 0) {
        struct decoder_context *const more = realloc(d->contexts, (n ? 2 * n : 1) * sizeof *more);
        if (!more)
            return NULL;
        d->contexts = more;
    }
    d->contexts[d->context_count++] = (struct decoder_context){.context = context};
    return &d->contexts[n];
}

int softgt_decoder_select(struct softgt_decoder *decoder, uint64_t context)
{
    if (context == decoder->context)
        return 0;
    struct decoder_context *last = find_context(decoder, decoder->context);
    if (!last && !(last = add_context(decoder, decoder->context)))
        return -ENOMEM;
    last->bases = decoder->bases;
    last->counts = decoder->structures.counts;
    const struct decoder_context *const next = find_context(decoder, context);
    decoder->context = context;
    softgt_decoder_forget(decoder);
    if (next) {
        decoder->bases = next->bases;
        decoder->structures.counts = next->counts;
    }
    return 0;
}

/* Passes the text on, and keeps its memory. */
static int decoder_send(struct softgt_decoder *d, const struct softgt_text_port *out, int result)
{
    const bool failed = d->text.failed;
    if (!failed && d->text.length)
        out->write(out->user, d->text.bytes, d->text.length);
    d->text.length = 0;
    d->text.failed = false;
    return failed ? -ENOMEM : result;
}

int softgt_decoder_command(struct softgt_decoder *decoder, enum softgt_engine_class engine_class,
                           const uint32_t *dwords, size_t length_dw, uint64_t address,
                           const struct softgt_text_port *out, size_t *command_dw)
{
    if (!length_dw || !out || !out->write || (unsigned)engine_class >= ENGINE_CLASSES)
        return -EINVAL;
    const enum dump_found found =
        dump_command(&decoder->dumper, &decoder->text, (enum engine_class)engine_class, dwords, length_dw,
                     address, command_dw);
    return decoder_send(decoder, out,
                        found == DUMP_COMMAND   ? SOFTGT_DECODED_COMMAND
                        : found == DUMP_UNKNOWN ? SOFTGT_DECODED_UNKNOWN
                                                : SOFTGT_DECODED_CUT);
}

int softgt_decoder_follow(struct softgt_decoder *decoder, enum softgt_engine_class engine_class,
                          const uint32_t *dwords, size_t length_dw, uint64_t address,
                          const struct softgt_text_port *out)
{
    if (!length_dw || length_dw > UINT32_MAX || !out || !out->write ||
        (unsigned)engine_class >= ENGINE_CLASSES || !(decoder->config.flags & SOFTGT_DECODER_FOLLOW))
        return -EINVAL;
    const struct command_set *const set = &decoder->spec->commands;
    const uint16_t number = command_find(set, (enum engine_class)engine_class, dwords[0]);
    if (!number)
        return 0;
    structure_dumper_command(&decoder->structures, &decoder->text, set->rows[number], dwords,
                             (uint32_t)length_dw, address);
    return decoder_send(decoder, out, 0);
}
