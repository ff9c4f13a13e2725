/* Memory of a debuggee: as numbers, as a structure, and how pages are found. */
#include "commands/commands.h"
#include "debugger/debuggee.h"

#include <softgt/formats.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

struct number_type {
    const char *name;
    unsigned size_bytes;
    char format; /* x, d, u, f */
};
static const struct number_type number_types[] = {
    {"ud", 4, 'x'}, {"d", 4, 'd'},  {"uw", 2, 'x'}, {"w", 2, 'd'}, {"ub", 1, 'x'}, {"b", 1, 'd'},
    {"f", 4, 'f'},  {"df", 8, 'f'}, {"uq", 8, 'x'}, {"q", 8, 'd'}, {"hf", 2, 'f'},
};

static void print_number(const struct debuggee *d, const uint8_t *at, unsigned size_bytes, char format)
{
    uint64_t raw = 0;
    memcpy(&raw, at, size_bytes);
    const unsigned unused = 64 - size_bytes * 8;
    if (format == 'f' && size_bytes == 8) {
        double value;
        memcpy(&value, at, sizeof value);
        fprintf(d->out, " %13.7g", value);
    } else if (format == 'f') {
        fprintf(d->out, " %13.7g",
                (double)softgt_component_to_float(SOFTGT_COMPONENT_FLOAT, size_bytes * 8, raw));
    } else if (format == 'd') {
        fprintf(d->out, " %11" PRId64, (int64_t)(raw << unused) >> unused);
    } else if (format == 'u') {
        fprintf(d->out, " %10" PRIu64, raw);
    } else {
        fprintf(d->out, " %0*" PRIx64, (int)size_bytes * 2, raw);
    }
}

void debuggee_print_values(const struct debuggee *d, const void *data, size_t size_bytes, const char *type)
{
    const struct number_type *t = &number_types[0];
    for (size_t n = 0; n < sizeof number_types / sizeof number_types[0]; n++)
        if (strcmp(number_types[n].name, type) == 0)
            t = &number_types[n];
    for (size_t at = 0; at + t->size_bytes <= size_bytes; at += t->size_bytes)
        print_number(d, (const uint8_t *)data + at, t->size_bytes, t->format);
    fputs("\n", d->out);
}

/* No memory is mapped there: says so, and whether another space of the engine has it. */
static bool refuse_address(const struct debuggee *d, const char *unit, const struct debug_space *space,
                           uint64_t address)
{
    char text[40], other[32];
    uint8_t byte;
    const bool has_engine = strcmp(unit, "ggtt") != 0 && *unit;
    if (space->kind == DEBUG_GGTT)
        snprintf(other, sizeof other, "%s%sppgtt", has_engine ? unit : "", has_engine ? "." : "");
    else
        snprintf(other, sizeof other, "ggtt");
    fprintf(d->out, " no memory is mapped here, in %s", debuggee_space_text(d, space, text));
    if ((space->kind == DEBUG_GGTT || (space->kind == DEBUG_PPGTT && address >> 32 == 0)) &&
        debuggee_read(d, other, address, &byte, 1))
        fprintf(d->out, "; the %s has it: %s:0x%" PRIx64, space->kind == DEBUG_GGTT ? "PPGTT" : "GGTT", other,
                address);
    fputs("\n", d->out);
    return false;
}

/* "/8wx rcs0:0x1000" */
bool debuggee_examine(struct debuggee *d, const char *arguments)
{
    enum { MOST = 65536, LINE_BYTES = 16 };
    unsigned long count = 1;
    unsigned size_bytes = 4;
    char format = 'x', unit[16];
    uint64_t address;
    struct debug_space space;
    if (*arguments == '/') {
        char *end;
        arguments++;
        if (*arguments >= '0' && *arguments <= '9') {
            count = strtoul(arguments, &end, 10);
            arguments = end;
        }
        for (; *arguments && *arguments != ' '; arguments++) {
            const char *const size = strchr("bhwg", *arguments);
            if (size)
                size_bytes = 1u << (size - "bhwg");
            else if (strchr("xduf", *arguments))
                format = *arguments;
            else
                return debuggee_refuse(d, "expected /[N][bhwg][xduf]");
        }
        arguments += strspn(arguments, " ");
    }
    if (!stop_parse_address(arguments, unit, sizeof unit, &address) || !count || count > MOST)
        return debuggee_refuse(
            d, "expected [N up to 65536 and] [SPACE:]ADDRESS; SPACE: ggtt, ppgtt, local, bus or ENGINE");
    if (!debuggee_space(d, unit, &space))
        return debuggee_refuse(d, "no engine has this name");
    if (format == 'f' && size_bytes == 1)
        return debuggee_refuse(d, "a float has 2, 4 or 8 bytes");
    const unsigned each = LINE_BYTES / size_bytes;
    for (unsigned long n = 0; n < count; n++) {
        uint8_t value[8];
        const uint64_t at = address + n * size_bytes;
        if (n % each == 0)
            fprintf(d->out, "%s0x%08" PRIx64 ":", n ? "\n" : "", at);
        if (!debuggee_read(d, unit, at, value, size_bytes))
            return refuse_address(d, unit, &space, at);
        print_number(d, value, size_bytes, format);
    }
    fputs("\n", d->out);
    return true;
}

/* ---- Page walks ---- */

bool debuggee_walk(struct debuggee *d, const char *arguments)
{
    char unit[16];
    uint64_t address;
    struct device_walk walk;
    struct debug_space space;
    char name[40];
    if (!stop_parse_address(arguments, unit, sizeof unit, &address))
        return debuggee_refuse(d, "expected [ENGINE|ggtt|ppgtt:]ADDRESS");
    if (!debuggee_space(d, unit, &space))
        return debuggee_refuse(d, "no engine has this name");
    if (space.kind != DEBUG_GGTT && space.kind != DEBUG_PPGTT)
        return debuggee_refuse(d, "this memory has no pages: expected [ENGINE|ggtt|ppgtt:]ADDRESS");
    static const char *const levels[] = {"PT", "PD", "PDP", "PML4", "PML5"};
    const bool found = device_walk(d->device, space.engine, address, &walk);
    for (unsigned n = 0; n < walk.count; n++) {
        const struct walk_step *const s = &walk.steps[n];
        if (s->table)
            fprintf(d->out, "  %-4s 0x%" PRIx64 "%s [%" PRIu64 "] = %016" PRIx64 "\n", levels[s->level],
                    s->table & ~MEMORY_LOCAL, s->table & MEMORY_LOCAL ? " local" : "", s->index, s->entry);
        else
            fprintf(d->out, "  GGTT [%" PRIu64 "] = %016" PRIx64 "\n", s->index, s->entry);
    }
    if (!found) {
        fprintf(d->out, "  no page in %s, at level %u\n", debuggee_space_text(d, &space, name),
                walk.translation.level);
        return true;
    }
    const uint64_t physical = walk.translation.physical;
    fprintf(d->out, "  %s 0x%" PRIx64 ", %s\n",
            physical & MEMORY_NULL    ? "no memory"
            : physical & MEMORY_LOCAL ? "local memory"
                                      : "bus",
            physical & ~(MEMORY_LOCAL | MEMORY_NULL), walk.translation.writable ? "writable" : "read only");
    return true;
}

/* ---- Structures ---- */

static bool print_structure(struct debuggee *d, const struct command_set *set, uint16_t number,
                            const char *unit, uint64_t address)
{
    enum { MOST_DW = 1024 };
    uint32_t dw[MOST_DW];
    struct dumper dumper;
    struct text text = {0};
    const struct command *const row = set->rows[number];
    const struct dump_options options = {.colour = d->shared->colour};
    if (row->min_dwords > MOST_DW || !debuggee_read(d, unit, address, dw, row->min_dwords * 4ul))
        return debuggee_refuse(d, "no memory is mapped there");
    if (!dumper_create(&dumper, set, &options))
        return debuggee_refuse(d, "out of memory");
    dump_structure(&dumper, &text,
                   &(struct dump_structure){
                       .number = number, .index = -1, .address_known = true, .address = address, .dw = dw});
    fwrite(text.bytes, 1, text.length, d->out);
    text_free(&text);
    dumper_destroy(&dumper);
    return true;
}

bool debuggee_structure(struct debuggee *d, const char *arguments)
{
    char name[64], unit[16];
    uint64_t address;
    struct command_set set;
    const size_t word = strcspn(arguments, " ");
    snprintf(name, sizeof name, "%.*s", (int)word, arguments);
    arguments += word + strspn(arguments + word, " ");
    if (!stop_parse_address(arguments, unit, sizeof unit, &address))
        return debuggee_refuse(d, "expected NAME [ENGINE|ggtt:]ADDRESS");
    if (!structure_set_create(&set, structure_tables, device_sheet(d->device)->generation))
        return debuggee_refuse(d, "out of memory");
    bool good = false, found = false;
    for (uint16_t n = 1; n < set.count && !found; n++) {
        found = set.rows[n]->name && name_matches(name, set.rows[n]->name);
        good = found && print_structure(d, &set, n, unit, address);
    }
    command_set_destroy(&set);
    return found ? good : debuggee_refuse(d, "no structure has this name: softgt structures lists them");
}
