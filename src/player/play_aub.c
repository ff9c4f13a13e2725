/* Writes a program as an AUB file. Statements without an AUB packet become comments, with a note. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "aub/aub.h"
#include "aub/record.h"
#include "gen/sheet.h"
#include "host/files.h"
#include "player/play.h"

struct emitter {
    struct aub_writer writer;
    struct gts_source *source;
    const struct softgt_device_info *info;
    bool memory_changed; /* after the last register write */
};

__attribute__((format(printf, 3, 4))) static void remark(struct emitter *x, const struct gts_operation *o,
                                                         const char *format, ...)
{
    char text[300], comment[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(comment, sizeof comment, "%s:%u: %s", x->source->name, o->line, text);
    aub_write_comment(&x->writer, comment);
    gts_send_message(x->source, GTS_NOTE, o->line, o->column,
                     "AUB has no packet for this statement, a comment replaces it: %s", text);
}

static enum aub_space memory_space(const struct gts_operation *o)
{
    return o->location == PLACE_GGTT_TABLE ? AUB_GGTT_ENTRY
           : o->location == PLACE_GGTT     ? AUB_GGTT
           : o->address & MEMORY_LOCAL     ? AUB_LOCAL
                                           : AUB_PHYSICAL;
}

static uint64_t memory_address(const struct gts_operation *o)
{
    return o->address & ~MEMORY_LOCAL;
}

static enum aub_space bar_space(const struct emitter *x)
{
    return x->info->local_bytes ? AUB_LOCAL : AUB_GGTT;
}

static void store(struct emitter *x, const struct gts_operation *o)
{
    aub_write_memory(&x->writer, memory_space(o), memory_address(o), o->data, o->data_size);
}

static uint64_t all_bits(const struct gts_operation *o)
{
    return o->size < 8 ? (UINT64_C(1) << (o->size * 8)) - 1 : UINT64_MAX;
}

static void write_bar(struct emitter *x, const struct gts_operation *o)
{
    const uint64_t mmio = x->info->mmio_bytes;
    if (o->unit == SOFTGT_BAR_GMADR)
        aub_write_memory(&x->writer, bar_space(x), o->address, &o->value, o->size);
    else if (o->address < mmio)
        aub_write_register(&x->writer, (uint32_t)o->address, o->size, all_bits(o), o->value);
    else
        aub_write_memory(&x->writer, AUB_GGTT_ENTRY, o->address - mmio, &o->value, o->size);
}

static bool is_register(const struct emitter *x, const struct gts_operation *o)
{
    return o->location == PLACE_REGISTER ||
           (o->location == PLACE_BAR && o->unit == SOFTGT_BAR_GTTMMADR && o->address < x->info->mmio_bytes);
}

static void expect(struct emitter *x, const struct gts_operation *o)
{
    if (is_register(x, o)) {
        if (o->expect_differs)
            aub_write_register_poll(&x->writer, (uint32_t)o->address, o->size, o->mask, o->value, true);
        else
            aub_write_register_compare(&x->writer, (uint32_t)o->address, o->size, o->mask, o->value);
    } else if (o->location == PLACE_BAR && o->unit == SOFTGT_BAR_GMADR && o->mask == all_bits(o)) {
        aub_write_memory_compare(&x->writer, bar_space(x), o->address, &o->value, o->size, o->expect_differs);
    } else if (o->location == PLACE_BAR) {
        remark(x, o, "expect %s:0x%" PRIx64, o->name, o->address);
    } else if (o->mask == UINT64_MAX) {
        aub_write_memory_compare(&x->writer, memory_space(o), memory_address(o), o->data, o->data_size,
                                 o->expect_differs);
    } else if (o->expect_differs && o->data_size > 4) {
        remark(x, o, "expect mem != with a mask over more than a dword");
    } else {
        for (size_t i = 0; i + 4 <= o->data_size; i += 4) {
            uint32_t value;
            memcpy(&value, o->data + i, sizeof value);
            aub_write_memory_poll(&x->writer, memory_space(o), memory_address(o) + i, 4, o->mask,
                                  value & (uint32_t)o->mask, o->expect_differs ? AUB_NOT_EQUAL : AUB_EQUAL);
        }
    }
}

static void aub_wait(struct emitter *x, const struct gts_operation *o)
{
    if (is_register(x, o))
        aub_write_register_poll(&x->writer, (uint32_t)o->address, o->size, o->mask, o->value,
                                o->expect_differs);
    else if (o->location == PLACE_BAR)
        remark(x, o, "wait %s:0x%" PRIx64, o->name, o->address);
    else
        aub_write_memory_poll(&x->writer, memory_space(o), memory_address(o), o->size, o->mask,
                              o->value & o->mask, o->expect_differs ? AUB_NOT_EQUAL : AUB_EQUAL);
}

static bool aub_perform(void *user, const struct gts_operation *o)
{
    struct emitter *x = user;
    char text[64];
    switch (o->verb) {
    case GTS_STORE:
        store(x, o);
        x->memory_changed = true;
        break;
    case GTS_WRITE:
        x->memory_changed = false;
        if (o->location == PLACE_BAR)
            write_bar(x, o);
        else
            aub_write_register(&x->writer, (uint32_t)o->address, o->size, all_bits(o), o->value);
        break;
    case GTS_SAY:
        aub_write_comment(&x->writer, o->text);
        break;
    case GTS_ADVANCE:
        aub_write_delay(&x->writer, o->value < UINT32_MAX ? (uint32_t)o->value : UINT32_MAX);
        break;
    case GTS_WAIT:
        aub_wait(x, o);
        break;
    case GTS_EXPECT:
        expect(x, o);
        break;
    case GTS_RUN: /* AUB readers run what is submitted; work that a memory write starts needs a packet */
        if (x->memory_changed)
            aub_write_delay(&x->writer, 0);
        x->memory_changed = false;
        snprintf(text, sizeof text, "softgt run %" PRIu64 " at 0", o->value ? o->value : UINT64_C(1) << 28);
        aub_write_comment(&x->writer, text);
        break;
    case GTS_READ:
    case GTS_MARK:
    case GTS_IGNORE:
    case GTS_TOLERATE:
        break;
    case GTS_RESET:
        aub_write_comment(&x->writer, "softgt reset");
        break;
    case GTS_HARDWARE_ERROR:
        aub_write_comment(&x->writer, "softgt error");
        break;
    case GTS_EXPECT_INTERRUPTS:
        remark(x, o, "expect interrupts %" PRIu64, o->value);
        break;
    case GTS_EXPECT_FAULTS:
        remark(x, o, "expect faults %" PRIu64, o->value);
        break;
    case GTS_EXPECT_COUNT:
        remark(x, o, "expect count %s = %" PRIu64, o->name, o->value);
        break;
    case GTS_EXPECT_STATE:
        remark(x, o, "expect state of %s", o->name);
        break;
    case GTS_EXPECT_STATUS:
        remark(x, o, "expect status of %s", o->name);
        break;
    case GTS_EXPECT_REPORT:
        remark(x, o, "expect report%s%s", o->text ? " " : "", o->text ? o->text : "");
        break;
    case GTS_EXPECT_ORDER:
        remark(x, o, "expect order of %zu events", o->item_count);
        break;
    }
    return true;
}

/* Notes for the replay: engines run at run statements, and mistakes fail as in the program. */
static void expectations(struct emitter *x, const struct gts_program *p)
{
    static const char *const kinds[] = {"guest_error", "not_modelled", "host_failure"};
    char text[400];
    aub_write_comment(&x->writer, "softgt program");
    for (size_t i = 0; i < p->count; i++) {
        const struct gts_operation *o = &p->operations[i];
        for (unsigned m = 0; m < MISTAKES && o->verb == GTS_TOLERATE; m++)
            if (o->value >> m & 1u) {
                snprintf(text, sizeof text, "softgt tolerates %s", mistake_words[m]);
                aub_write_comment(&x->writer, text);
            }
        if ((o->verb != GTS_EXPECT_REPORT && o->verb != GTS_IGNORE) || o->value > 2)
            continue;
        snprintf(text, sizeof text, "softgt expects %s%s%s", kinds[o->value], o->text ? " " : "",
                 o->text ? o->text : "");
        aub_write_comment(&x->writer, text);
    }
}

enum gts_result gts_play_into_aub(const struct gts_program *p, struct gts_source *source,
                                  const struct softgt_device_info *info, const struct gts_trace *trace)
{
    const char *path = trace->path ? trace->path : source->name;
    struct emitter x = {.source = source, .info = info};
    if (!aub_writer_open(&x.writer, trace->path, trace->file)) {
        gts_send_message(source, GTS_ERROR, 0, 0, "%s: %s", path, files_error(errno));
        return GTS_UNUSABLE;
    }
    const struct gts_target target = {&x, aub_perform};
    char name[90];
    snprintf(name, sizeof name, "%.*s%s", (int)(sizeof name - sizeof PROGRAM_DRAWS_OFF), source->name,
             p->counts_draws ? PROGRAM_DRAWS_OFF : "");
    aub_write_version(&x.writer, simulator_id(p->device), info->pci_device_id, name);
    if (info->local_bytes) { /* the writer distinguishes local and bus memory */
        const uint32_t zero = 0;
        aub_write_memory(&x.writer, AUB_LOCAL, 0, &zero, sizeof zero);
    }
    expectations(&x, p);
    gts_play(p, &target);
    if (aub_writer_close(&x.writer))
        return GTS_CLEAN;
    gts_send_message(source, GTS_ERROR, 0, 0, "%s: %s", path, strerror(errno));
    return GTS_UNUSABLE;
}
