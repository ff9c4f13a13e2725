#include "host/kernels.h"

#include <stdlib.h>

/* Limits of a listing, and of one read from memory. */
enum { MOST_BYTES = 1 << 18, MOST_INSTRUCTIONS = 1 << 14, PIECE_BYTES = 1 << 12, MOST_INDENT = 32 };

/* Reads up to the first page that is not mapped. */
static size_t read_kernel(const struct kernels *k, uint64_t address, uint8_t *bytes)
{
    size_t size_bytes = 0;
    while (size_bytes < MOST_BYTES) {
        const size_t piece = PIECE_BYTES - (address + size_bytes) % PIECE_BYTES;
        const size_t take = piece < MOST_BYTES - size_bytes ? piece : MOST_BYTES - size_bytes;
        if (!k->read(k->user, address + size_bytes, bytes + size_bytes, take))
            break;
        size_bytes += take;
    }
    return size_bytes;
}

static bool is_known(struct kernels *k, uint64_t address, const struct text *lines)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t n = 0; n < lines->length; n++)
        hash = (hash ^ (uint8_t)lines->bytes[n]) * UINT64_C(0x100000001b3);
    for (unsigned n = 0; n < KERNELS_REMEMBERED; n++)
        if (k->known[n].address == address && k->known[n].hash == hash)
            return true;
    k->known[k->count % KERNELS_REMEMBERED].address = address;
    k->known[k->count++ % KERNELS_REMEMBERED].hash = hash;
    return false;
}

static void hex(struct text *t, uint64_t value)
{
    text_string(t, "0x");
    text_hex(t, value, 8);
}

/* One string for each line. */
static void json_lines(struct text *t, struct text *lines)
{
    text_string(t, ",\"instructions\":[");
    text_char(lines, '\0');
    for (char *line = lines->bytes, *end; !lines->failed && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        if (line != lines->bytes)
            text_char(t, ',');
        text_json(t, line);
    }
    text_char(t, ']');
}

static void json(struct text *t, const struct kernel_pointer *p, const char *missing, bool known,
                 struct text *lines)
{
    text_string(t, "{\"schema\":\"softgt.kernel\",\"version\":1,\"command_address\":\"");
    hex(t, p->command_address);
    text_string(t, "\",\"depth\":");
    text_decimal(t, p->depth);
    text_string(t, ",\"through\":");
    text_json(t, p->field_name);
    text_string(t, ",\"address\":");
    if (p->missing_reason) {
        text_string(t, "null");
    } else {
        text_char(t, '"');
        hex(t, p->address);
        text_char(t, '"');
    }
    if (missing) {
        text_string(t, ",\"missing\":");
        text_json(t, missing);
    } else if (known) {
        text_string(t, ",\"known\":true");
    } else {
        json_lines(t, lines);
    }
    text_string(t, "}\n");
}

void kernels_list(struct kernels *k, struct text *t, const struct kernel_pointer *p)
{
    static const char spaces[MOST_INDENT + 1] = "                                ";
    const unsigned indent = p->depth * 4u < MOST_INDENT - 4u ? p->depth * 4u : MOST_INDENT - 4u;
    const struct eu_listing how = {.indent = k->json ? "" : spaces + (MOST_INDENT - 4u - indent),
                                   .max_instructions = MOST_INSTRUCTIONS,
                                   .one_program = true};
    const char *missing = p->missing_reason;
    struct text lines = {0};
    size_t listed;
    bool known = false;
    uint8_t *bytes = missing ? NULL : malloc(MOST_BYTES);
    if (!missing && !bytes) {
        t->failed = true;
        return;
    }
    const size_t size_bytes = missing ? 0 : read_kernel(k, p->address, bytes);
    if (!missing && !size_bytes)
        missing = "not in the trace";
    if (!missing) {
        eu_disassemble_kernel(k->set, bytes, size_bytes, &how, &lines, &listed);
        known = is_known(k, p->address, &lines);
    }
    t->failed |= lines.failed;
    if (k->json) {
        json(t, p, missing, known, &lines);
    } else {
        text_bytes(t, spaces, indent);
        text_string(t, "Kernel");
        if (!p->missing_reason) {
            text_string(t, " at ");
            hex(t, p->address);
        }
        text_string(t, ", ");
        text_string(t, p->field_name);
        if (missing || known) {
            text_string(t, ": ");
            text_string(t, missing ? missing : "as listed before");
        }
        text_char(t, '\n');
        if (!missing && !known)
            text_bytes(t, lines.bytes, lines.length);
    }
    text_free(&lines);
    free(bytes);
}
