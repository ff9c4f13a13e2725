/* Instructions of kernels as text. */
#include "spec/spec.h"

#include "base/sized.h"
#include "isa/isa.h"

#include <errno.h>

int softgt_decode_instruction_sized(const struct softgt_spec *spec, const void *kernel, size_t size_bytes,
                                    size_t offset, struct softgt_instruction *instruction,
                                    size_t instruction_bytes)
{
    struct eu_instruction i;
    struct softgt_instruction own = {0};
    if (!spec->sheet->eu)
        return -EINVAL;
    if (offset >= size_bytes ||
        !eu_decode(spec->sheet->eu, (const char *)kernel + offset, size_bytes - offset, &i))
        return -ENODATA;
    struct text text = {0};
    eu_disassemble(spec->sheet->eu, &i, offset, &text);
    if (text.failed) {
        text_free(&text);
        return -ENOMEM;
    }
    own.size_bytes = i.size_bytes;
    own.operation = i.operation->name;
    own.illegal = i.illegal;
    own.ends_thread = eu_is_send(&i) && i.value[EU_EOT];
    own.channels = eu_channels(&i);
    memcpy(own.text, text.bytes, text.length < sizeof own.text ? text.length : sizeof own.text - 1);
    text_free(&text);
    sized_struct_write(instruction, instruction_bytes, &own, sizeof own);
    return 0;
}

int softgt_disassemble(const struct softgt_spec *spec, const void *kernel, size_t size_bytes,
                       const struct softgt_text_port *out)
{
    const struct eu_listing how = {.indent = ""};
    struct text text = {0};
    size_t listed_bytes = 0;
    if (!spec->sheet->eu || !out || !out->write)
        return -EINVAL;
    const unsigned illegal =
        eu_disassemble_kernel(spec->sheet->eu, kernel, size_bytes, &how, &text, &listed_bytes);
    const int sent = spec_send(&text, out);
    return sent ? sent : (int)(illegal + (listed_bytes < size_bytes));
}
