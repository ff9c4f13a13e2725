/* Checks a program's expectations against the device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/host.h"
#include "player/player.h"

static void expect_memory(struct player *p, const struct gts_operation *o)
{
    uint8_t *bytes = malloc(o->data_size ? o->data_size : 1);
    char place[200];
    gts_location_text(o, 0, place, sizeof place);
    p->out_of_memory |= !bytes;
    if (!bytes || !player_read_bytes(p, o, bytes, o->data_size)) {
        player_fail(p, o, "%s cannot be read: it is not mapped", place);
        free(bytes);
        return;
    }
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < o->data_size; i += 4) {
        const size_t part = o->data_size - i < 4 ? o->data_size - i : 4;
        uint32_t is = 0, wanted = 0;
        memcpy(&is, bytes + i, part);
        memcpy(&wanted, o->data + i, part);
        if ((is & (uint32_t)o->mask) == (wanted & (uint32_t)o->mask))
            continue;
        first = wrong++ ? first : i;
    }
    if (o->expect_differs && !wrong) {
        player_fail(p, o, "%s: expected other data than these %zu bytes", place, o->data_size);
    } else if (!o->expect_differs && wrong) {
        const size_t part = o->data_size - first < 4 ? o->data_size - first : 4;
        uint32_t is = 0, wanted = 0;
        char more[64] = "";
        memcpy(&is, bytes + first, part);
        memcpy(&wanted, o->data + first, part);
        if (wrong > 1)
            snprintf(more, sizeof more, " (%zu more dwords differ)", wrong - 1);
        gts_location_text(o, first, place, sizeof place);
        if (o->mask == UINT64_MAX)
            player_fail(p, o, "%s: expected 0x%08x, got 0x%08x%s", place, wanted, is, more);
        else
            player_fail(p, o, "%s & 0x%x: expected 0x%08x, got 0x%08x%s", place, (uint32_t)o->mask,
                        wanted & (uint32_t)o->mask, is & (uint32_t)o->mask, more);
    }
    free(bytes);
}

void player_mask_text(const struct gts_operation *o, char *text, size_t size)
{
    const uint64_t all = o->size < 8 ? (UINT64_C(1) << (o->size * 8)) - 1 : UINT64_MAX;
    text[0] = 0;
    if ((o->mask & all) != all)
        snprintf(text, size, " & 0x%" PRIx64, o->mask);
}

static void expect_value(struct player *p, const struct gts_operation *o)
{
    uint64_t value;
    char place[200], mask[32];
    if (o->location == PLACE_PHYSICAL || o->location == PLACE_GGTT) {
        expect_memory(p, o);
        return;
    }
    player_read_value(p, o, &value);
    if (player_value_matches(o, value))
        return;
    gts_location_text(o, 0, place, sizeof place);
    player_mask_text(o, mask, sizeof mask);
    if (o->expect_differs)
        player_fail(p, o, "%s%s: expected anything but 0x%" PRIx64, place, mask, o->value & o->mask);
    else
        player_fail(p, o, "%s%s: expected 0x%" PRIx64 ", got 0x%" PRIx64, place, mask, o->value & o->mask,
                    value & o->mask);
}

uint64_t player_faults(struct player *p)
{
    struct softgt_engine_status status;
    uint64_t sum = 0;
    for (unsigned i = 0; softgt_engine_get_status(p->device, i, &status); i++)
        sum += status.faults;
    return sum;
}

static void expect_number(struct player *p, const struct gts_operation *o, const char *what, uint64_t value)
{
    if (value != o->value)
        player_fail(p, o, "%s: expected %" PRIu64 ", got %" PRIu64, what, o->value, value);
}

static void expect_count(struct player *p, const struct gts_operation *o)
{
    struct softgt_engine_status s;
    char what[100];
    uint64_t value;
    if (!softgt_engine_get_status(p->device, o->unit, &s))
        return;
    const struct gts_counter *c = gts_counters;
    while (strcmp(c->name, o->name) != 0)
        c++;
    memcpy(&value, (const uint8_t *)&s + c->offset, sizeof value);
    snprintf(what, sizeof what, "%s %s", s.name, c->name);
    expect_number(p, o, what, value);
}

static void expect_state(struct player *p, const struct gts_operation *o)
{
    const char *const *names = engine_state_names;
    struct softgt_engine_status s;
    if (!softgt_engine_get_status(p->device, o->unit, &s))
        return;
    const char *why = s.why ? s.why : "";
    if (s.state != o->value)
        player_fail(p, o, "%s: expected %s, got %s%s%s", s.name, names[o->value], names[s.state],
                    *why ? ": " : "", why);
    else if (o->text && !strstr(why, o->text))
        player_fail(p, o, "%s is %s: expected the reason \"%s\", got \"%s\"", s.name, names[s.state], o->text,
                    why);
}

static bool is_status(const struct softgt_event *e, const char *unit)
{
    return e->kind == SOFTGT_EVENT_STATUS && strcmp(e->unit, unit) == 0;
}

/* The text of the entries that the engine reported: "{ active_to_idle, 5 } ...". */
static void status_text(const struct player *p, const char *unit, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < p->event_count && at + 200 < size; i++)
        if (is_status(&p->events[i], unit)) {
            char names[160];
            gts_status_text(p->events[i].value, names, sizeof names);
            at += (size_t)snprintf(text + at, size - at, "%s{ %s, %" PRIu64 " }", at ? " " : "", names,
                                   p->events[i].address);
        }
    if (!at)
        snprintf(text, size, "none");
}

static void expect_status(struct player *p, const struct gts_operation *o)
{
    char text[700];
    size_t count = 0, wrong = 0; /* wrong: from 1 */
    for (size_t i = 0; i < p->event_count; i++) {
        const struct softgt_event *e = &p->events[i];
        if (!is_status(e, o->name))
            continue;
        const struct gts_item *item = count < o->item_count ? &o->items[count] : NULL;
        count++;
        if (!wrong && item &&
            ((item->has_value && item->value != e->value) || (item->has_id && item->id != e->address)))
            wrong = count;
    }
    if (count == o->item_count && !wrong)
        return;
    status_text(p, o->name, text, sizeof text);
    if (count != o->item_count)
        player_fail(p, o, "status entries of %s: expected %zu, got %zu: %s", o->name, o->item_count, count,
                    text);
    else
        player_fail(p, o, "status entry %zu of %s differs: got %s", wrong, o->name, text);
}

static void expect_report(struct player *p, const struct gts_operation *o)
{
    bool found = false;
    for (size_t i = p->marked_reports; i < p->report_count; i++) {
        struct player_report *k = &p->reports[i];
        if (k->complaint != o->value || (o->text && !strstr(k->text, o->text)))
            continue;
        found = k->is_expected = true;
    }
    if (!found)
        player_fail(p, o, "expected a report of %s%s%s%s, found none", player_complaint_name(o->value),
                    o->text ? " with \"" : "", o->text ? o->text : "", o->text ? "\"" : "");
}

static bool item_matches(const struct gts_item *item, const struct softgt_event *e)
{
    if (e->what != item->event_class || e->is_late || (item->kind && e->kind != item->kind) ||
        (item->unit && (!e->unit || strcmp(item->unit, e->unit) != 0)) ||
        (item->name && (!e->name || strcmp(item->name, e->name) != 0)))
        return false;
    if (e->what == SOFTGT_TRACE_INTERRUPTS)
        return !item->has_value || (e->value & item->value) == item->value;
    return (!item->has_address || item->address == e->address) &&
           (!item->has_value || item->value == e->value);
}

static void expect_order(struct player *p, const struct gts_operation *o)
{
    size_t at = 0;
    for (size_t i = 0; i < p->event_count && at < o->item_count; i++)
        at += item_matches(&o->items[at], &p->events[i]);
    if (at == o->item_count)
        return;
    struct gts_operation here = *o;
    here.line = o->items[at].line;
    here.column = o->items[at].column;
    bool anywhere = false;
    for (size_t i = 0; i < p->event_count && !anywhere; i++)
        anywhere = item_matches(&o->items[at], &p->events[i]);
    player_fail(p, &here, "event %zu of the order %s", at + 1,
                anywhere ? "occurred, but not after the events listed before it" : "did not occur");
}

/* ---- All ---- */

void player_expect(struct player *p, const struct gts_operation *o)
{
    switch (o->verb) {
    case GTS_EXPECT:
        expect_value(p, o);
        break;
    case GTS_EXPECT_INTERRUPTS:
        expect_number(p, o, "interrupts", p->interrupts - p->marked_interrupts);
        break;
    case GTS_EXPECT_FAULTS:
        expect_number(p, o, "faults", player_faults(p) - p->marked_faults);
        break;
    case GTS_EXPECT_COUNT:
        expect_count(p, o);
        break;
    case GTS_EXPECT_STATE:
        expect_state(p, o);
        break;
    case GTS_EXPECT_STATUS:
        expect_status(p, o);
        break;
    case GTS_EXPECT_REPORT:
        expect_report(p, o);
        break;
    case GTS_EXPECT_ORDER:
        expect_order(p, o);
        break;
    default:
        break;
    }
}
