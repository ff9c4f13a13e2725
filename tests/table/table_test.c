/* The rows are sound: commands of every generation, registers and context images of every device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <softgt/formats.h>

#include "../suite.h"
#include "commands/commands.h"
#include "device/device.h"
#include "engine/execution.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "../rows.h"

static const enum generation generations[] = {GEN6, GEN7, GEN75, GEN8, GEN9, GEN11, GEN12, GEN125, GEN200};
enum { GENERATIONS = sizeof generations / sizeof generations[0] };

static void done(void)
{
    const unsigned found = wrong;
    wrong = 0;
    assert_int_equal(found, 0);
}

static uint32_t longest_dw(const struct command *c)
{
    return c->length_bits ? (1u << c->length_bits) - 1u + c->length_bias : c->min_dwords;
}

/* As each generation has it. */
static void every_command(void (*check)(const struct command *c))
{
    for (unsigned g = 0; g < GENERATIONS; g++) {
        struct row_store rows;
        assert_true(rows_make(&rows, command_tables, generations[g]));
        for (unsigned i = 0; i < rows.row_count; i++)
            check(&rows.rows[i]);
        rows_free(&rows);
    }
}

/* ---- Commands ---- */

static void no_two_rows_match_one_header(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENERATIONS; g++) {
        struct command_set set;
        assert_true(command_set_create(&set, command_tables, generations[g]));
        for (unsigned i = 1; i < set.count; i++)
            for (unsigned k = i + 1; k < set.count; k++) {
                const struct command *a = set.rows[i], *b = set.rows[k];
                const bool overlap = a->engines & b->engines && !(a->mask & b->mask & (a->match ^ b->match));
                must(!overlap, "generation %d: %s and %s match one header", generations[g], a->name, b->name);
            }
        command_set_destroy(&set);
    }
    done();
}

/* The index finds a row by its header, tells the length as the row does, and finds nothing else. */
static void the_index_is_the_rows(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENERATIONS; g++) {
        struct command_set set;
        assert_true(command_set_create(&set, command_tables, generations[g]));
        must(set.count > 100, "generation %d: few commands", generations[g]);
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++) {
            uint64_t places = 0, found = 0;
            for (unsigned i = 1; i < set.count; i++)
                if (set.rows[i]->engines & 1u << class)
                    places += UINT64_C(1) << (16 - __builtin_popcount(set.rows[i]->mask >> 16));
            for (uint32_t high = 0; high < 65536; high++) {
                static const uint32_t lows[] = {0, 0x5555, 0xaaaa, 0xffff};
                const uint32_t entry = set.by_header[class][high];
                const struct command *c = set.rows[entry_number(entry)];
                if (!c)
                    continue;
                found++;
                must((high << 16 & c->mask) == c->match && c->engines & 1u << class, "%04x....: finds %s",
                     high, c->name);
                for (unsigned k = 0; k < 4; k++) {
                    const uint32_t header = high << 16 | lows[k];
                    must(entry_length_dw(entry, header) == command_length_dw(c, header),
                         "%s: %08x: length %u beside the row's %u", c->name, header,
                         entry_length_dw(entry, header), command_length_dw(c, header));
                }
            }
            must(found == places, "generation %d, class %u: %llu headers found, the rows have %llu",
                 generations[g], class, (unsigned long long)found, (unsigned long long)places);
        }
        command_set_destroy(&set);
    }
    done();
}

static void check_header(const struct command *c)
{
    must(c->mask != 0 && (c->mask & 0xffff) == 0, "%s: mask %08x", c->name, c->mask);
    must((c->match & ~c->mask) == 0, "%s: match %08x outside mask %08x", c->name, c->match, c->mask);
    must(c->engines != 0 && (c->engines & ~ALL_ENGINES) == 0, "%s: engines", c->name);
    must(c->since >= GEN6 && (!c->until || c->until >= c->since), "%s: generations", c->name);
    must(c->min_dwords > 0 && c->min_dwords <= longest_dw(c), "%s: min_dwords", c->name);
    must(c->length_bits <= 16 && (c->length_bits == 0 || c->min_dwords >= c->length_bias), "%s: length rule",
         c->name);
    must(c->length_bits == 0 || (c->match & ((1u << c->length_bits) - 1u)) == 0, "%s: length bits in match",
         c->name);
    must(c->min_dwords < 2048, "%s: length does not fit an index entry", c->name);
    must(longest_dw(c) <= SCRATCH_DW, "%s: longer than the parser gathers", c->name);
}

static void headers_and_lengths(void **state)
{
    (void)state;
    every_command(check_header);
    done();
}

static bool has_checklist_id(const char *spec)
{
    static const char *const documents[] = {"CSP-", "REN-", "VCS-", "OVR-", "SYS-"};
    for (unsigned i = 0; i < 5; i++) {
        const char *at = strstr(spec, documents[i]);
        if (at && isdigit((unsigned char)at[4]) && isdigit((unsigned char)at[5]))
            return true;
    }
    return false;
}

static void check_words(const struct command *c)
{
    must(c->name && *c->name, "a row without a name");
    for (const char *p = c->name; *p; p++)
        must(isupper((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_', "%s: spelling", c->name);
    must(c->summary && strlen(c->summary) > 8 && c->summary[strlen(c->summary) - 1] == '.', "%s: summary",
         c->name);
    must(c->spec && has_checklist_id(c->spec), "%s: spec names no checklist ID", c->name);
    must(c->execute || c->flags & (COMMAND_STATE | COMMAND_WORK), "%s: neither executed, kept nor counted",
         c->name);
    must(!(c->flags & COMMAND_STATE && c->flags & COMMAND_WORK), "%s: both kept and counted", c->name);
}

static bool is_generation(unsigned generation)
{
    for (unsigned g = 0; g < GENERATIONS; g++)
        if (generations[g] == generation)
            return true;
    return false;
}

static void check_written(const char *name, const struct field *fields, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        const char *mark = strchr(f->name, '#');
        must((f->count != 0) == (mark != NULL) && !(mark && strchr(mark + 1, '#')), "%s: %s: array and '#'",
             name, f->name);
        must(f->count == 0 || (f->count > 1 && f->stride >= field_width(f)), "%s: %s: elements overlap", name,
             f->name);
        must((!f->since || is_generation(f->since)) && (!f->until || is_generation(f->until)) &&
                 (!f->until || f->until >= f->since),
             "%s: %s: generations", name, f->name);
        for (unsigned k = 0; k < i; k++) /* what stayed is there once */
            must(strcmp(f->name, fields[k].name) != 0 || f->first != fields[k].first ||
                     f->last != fields[k].last || f->kind != fields[k].kind ||
                     f->values != fields[k].values || (fields[k].until && f->since > fields[k].until),
                 "%s: %s is written twice", name, f->name);
    }
}

/* Variants come in order and say something; tables say what is there from when to when. */
static void check_tables(const struct command_table *const *tables)
{
    for (const struct command_table *const *t = tables; *t; t++) {
        const char *name = NULL;
        for (unsigned i = 0; i < (*t)->count; i++) {
            const struct command *c = &(*t)->rows[i];
            must(i || c->name, "a table begins with a variant");
            name = c->name ? c->name : name;
            must(is_generation(c->since) && (!c->until || is_generation(c->until)), "%s: generations", name);
            if (!c->name)
                must(c->since > c[-1].since && c->spec, "%s: variants are not in order", name);
            check_written(name, c->fields, c->field_count);
            check_written(name, c->group, c->group_count);
        }
    }
}

static void rows_as_they_are_written(void **state)
{
    (void)state;
    check_tables(command_tables);
    check_tables(structure_tables);
    done();
}

static void every_row_is_described(void **state)
{
    (void)state;
    every_command(check_words);
    done();
}

static void check_table(const char *name, const struct field *fields, unsigned count, uint32_t dwords)
{
    for (unsigned i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        must(f->name && *f->name, "%s: a field without a name", name);
        must(f->first <= f->last && f->last - f->first < 64, "%s: %s: bits %u-%u", name, f->name, f->first,
             f->last);
        must(f->last / 32u - f->first / 32u <= 1, "%s: %s: touches three dwords", name, f->name);
        must(f->last / 32u < dwords, "%s: %s: past the longest command", name, f->name);
        must(f->kind != FIELD_FLOAT || (f->first % 32u == 0 && f->last - f->first == 31), "%s: %s: float",
             name, f->name);
        for (const struct field_value *v = f->values; v && v->name; v++)
            must(field_width(f) == 64 || v->value >> field_width(f) == 0, "%s: %s: value %s does not fit",
                 name, f->name, v->name);
        for (unsigned k = i + 1; k < count; k++)
            must(f->last < fields[k].first || fields[k].last < f->first || strcmp(f->name, "Reserved") == 0 ||
                     strcmp(fields[k].name, "Reserved") == 0,
                 "%s: %s and %s overlap", name, f->name, fields[k].name);
    }
}

static void check_fields(const struct command *c)
{
    check_table(c->name, c->fields, c->field_count, longest_dw(c));
    check_table(c->name, c->group, c->group_count, c->group_size_dw);
    must((c->group != NULL) == (c->group_size_dw != 0), "%s: group without a size", c->name);
    for (unsigned i = 0; i < c->field_count; i++) /* the header's upper half belongs to the row */
        must(c->fields[i].first >= 32 || (c->mask >> c->fields[i].first & 1u) == 0, "%s: %s is in the opcode",
             c->name, c->fields[i].name);
}

static void fields_lie_inside(void **state)
{
    (void)state;
    every_command(check_fields);
    done();
}

static void check_fields_keep(const char *name, const struct field *fields, unsigned count)
{
    static uint32_t dw[SCRATCH_DW];
    for (unsigned i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        const uint64_t mask = UINT64_MAX >> (64u - field_width(f));
        const uint64_t values[] = {0, mask, mask & 0x5555555555555555u, mask & 0xaaaaaaaaaaaaaaaau, 1};
        const uint32_t dwords = f->last / 32u + 1u;
        for (unsigned k = 0; k < 5; k++) {
            const uint64_t value = values[k] << field_shift(f);
            memset(dw, k & 1 ? 0xff : 0, dwords * 4u);
            must(field_put(f, dw, dwords, value) && field_get(f, dw, dwords) == value,
                 "%s: %s: %llx is not kept", name, f->name, (unsigned long long)value);
            for (uint32_t bit = 0; bit < dwords * 32u; bit++) /* and nothing else is touched */
                if (bit < f->first || bit > f->last)
                    must((dw[bit / 32u] >> bit % 32u & 1u) == (k & 1u), "%s: %s: bit %u changed", name,
                         f->name, bit);
        }
        if (field_width(f) + field_shift(f) < 64)
            must(!field_put(f, dw, dwords, (mask + 1u) << field_shift(f)), "%s: %s: takes too much", name,
                 f->name);
        if (field_shift(f))
            must(!field_put(f, dw, dwords, 1), "%s: %s: takes bits below it", name, f->name);
        must(!field_put(f, dw, f->last / 32u, values[1] << field_shift(f)), "%s: %s: put past the end", name,
             f->name);
        must(f->first / 32u != f->last / 32u || field_get(f, dw, f->first / 32u) == 0,
             "%s: %s: read past the end", name, f->name);
    }
}

static void check_round_trip(const struct command *c)
{
    check_fields_keep(c->name, c->fields, c->field_count);
    check_fields_keep(c->name, c->group, c->group_count);
}

static void fields_keep_what_is_put(void **state)
{
    (void)state;
    every_command(check_round_trip);
    done();
}

/* ---- Roles ---- */

/* A name as words of capitals with one '_' between them: "Buffer[#] Pitch" is BUFFER_PITCH. Names of stages
 * are left out where they name one of several pointers. */
static void words_of(const char *name, char *words, size_t size)
{
    static const char *const stages[] = {"VS", "HS", "DS", "GS", "PS", "MESH", "TASK"};
    size_t n = 0;
    words[n++] = '_';
    for (const char *c = name; *c && n + 2 < size; c++)
        if (isalnum((unsigned char)*c))
            words[n++] = (char)toupper((unsigned char)*c);
        else if (words[n - 1u] != '_')
            words[n++] = '_';
    if (words[n - 1u] != '_')
        words[n++] = '_';
    words[n] = 0;
    for (unsigned i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        char stage[8];
        snprintf(stage, sizeof stage, "_%s_", stages[i]);
        char *at = strstr(words, stage);
        if (at && at[strlen(stage)])
            memmove(at, at + strlen(stage) - 1, strlen(at + strlen(stage) - 1) + 1);
    }
}

/* What a field's name has before what it is: the command, the structure or the element that it is of. */
static const char *const subjects[] = {"INTERFACE_DESCRIPTOR_",
                                       "PIXEL_SHADER_",
                                       "SO_BUFFER_INDEX_STATE_BODY_",
                                       "ENTRY_STREAM_DECL_",
                                       "VERTEX_BUFFER_STATE_",
                                       "ELEMENT_",
                                       "LEGACY_"};

/* The role is a prefix and the field's name, and may say its unit or the generation at its end. */
static bool says(const char *role, const char *name)
{
    char of_role[128], of_name[128];
    words_of(role, of_role, sizeof of_role);
    words_of(name, of_name, sizeof of_name);
    if (strstr(of_role, of_name))
        return true;
    for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        if (strncmp(of_name + 1, subjects[i], strlen(subjects[i])) == 0 &&
            strstr(of_role, of_name + strlen(subjects[i])))
            return true;
    return false;
}

/* Each role that rows carry: a field's name that it says, or the last one that it does not say. */
static struct role_seen {
    char role[96];
    const char *name;
    bool said;
} roles_seen[1200];
static unsigned role_count;

static void see_role(const struct field *f)
{
    if (!f->role_name || strcmp(f->role_name, "0") == 0)
        return;
    const size_t length = strcspn(f->role_name, " "); /* "OA_A + 4" is one of OA_A */
    unsigned i = 0;
    while (i < role_count &&
           (strncmp(roles_seen[i].role, f->role_name, length) != 0 || roles_seen[i].role[length]))
        i++;
    assert_true(i < sizeof roles_seen / sizeof roles_seen[0] && length < sizeof roles_seen[0].role);
    struct role_seen *const r = &roles_seen[i];
    if (i == role_count) {
        role_count++;
        memcpy(r->role, f->role_name, length);
    }
    if (!r->said) {
        r->name = f->name;
        r->said = says(r->role, f->name);
    }
}

static bool meet(const struct field *a, const struct field *b)
{
    return a->since <= (b->until ? b->until : UINT8_MAX) && b->since <= (a->until ? a->until : UINT8_MAX);
}

static bool is_a_command(uint32_t header)
{
    for (const struct command_table *const *t = command_tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count; i++)
            if ((*t)->rows[i].match == header)
                return true;
    return false;
}

static void check_roles(const char *row, const struct field *fields, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        must(!fields[i].role == !fields[i].role_name, "%s: %s: a role without ROLE", row, fields[i].name);
        see_role(&fields[i]);
        must(!fields[i].of || is_a_command(fields[i].of), "%s: %s: no command %08x", row, fields[i].name,
             fields[i].of);
        for (unsigned k = i + 1; k < count && fields[i].role; k++)
            must(fields[k].role != fields[i].role || fields[k].of != fields[i].of ||
                     !meet(&fields[i], &fields[k]),
                 "%s: %s and %s have one role", row, fields[i].name, fields[k].name);
    }
}

static void check_roles_of(const struct command_table *const *tables)
{
    for (const struct command_table *const *t = tables; *t; t++) {
        const char *name = "";
        for (unsigned i = 0; i < (*t)->count; i++) {
            const struct command *c = &(*t)->rows[i];
            name = c->name ? c->name : name;
            if (c->fields)
                check_roles(name, c->fields, c->field_count);
            if (c->group)
                check_roles(name, c->group, c->group_count);
        }
    }
}

/* Code asks for a field by its own name, and two fields of a row are not asked for by one role. */
static void roles_are_the_fields_names(void **state)
{
    (void)state;
    check_roles_of(command_tables);
    check_roles_of(structure_tables);
    must(role_count > 700, "%u roles", role_count);
    for (unsigned i = 0; i < role_count; i++)
        must(roles_seen[i].said, "%s is the role of %s", roles_seen[i].role, roles_seen[i].name);
    done();
}

/* Whose each is, from the manuals' volumes of structures: since, until, dwords. */
static const struct {
    enum structure id;
    enum generation since, until;
    uint16_t dwords;
} wanted[] = {
    {BINDING_TABLE_STATE, GEN6, GEN200, 1},
    {RENDER_SURFACE_STATE, GEN6, GEN6, 6},
    {RENDER_SURFACE_STATE, GEN7, GEN75, 8},
    {RENDER_SURFACE_STATE, GEN8, GEN200, 16},
    {SAMPLER_STATE, GEN6, GEN200, 4},
    {SAMPLER_BORDER_COLOR_STATE, GEN6, GEN6, 12},
    {SAMPLER_BORDER_COLOR_STATE, GEN7, GEN7, 4},
    {SAMPLER_BORDER_COLOR_STATE, GEN75, GEN75, 20},
    {SAMPLER_BORDER_COLOR_STATE, GEN8, GEN200, 4},
    {INTERFACE_DESCRIPTOR_DATA, GEN6, GEN200, 8},
    {CLIP_VIEWPORT, GEN6, GEN6, 4},
    {SF_VIEWPORT, GEN6, GEN6, 8},
    {SF_CLIP_VIEWPORT, GEN7, GEN200, 16},
    {CC_VIEWPORT, GEN6, GEN200, 2},
    {SCISSOR_RECT, GEN6, GEN200, 2},
    {CPS_STATE, GEN12, GEN200, 8},
    {BLEND_STATE, GEN6, GEN75, 16},
    {BLEND_STATE, GEN8, GEN200, 17},
    {COLOR_CALC_STATE, GEN6, GEN200, 6},
    {DEPTH_STENCIL_STATE, GEN6, GEN75, 3},
    {VERTEX_BUFFER_STATE, GEN6, GEN200, 4},
    {VERTEX_ELEMENT_STATE, GEN6, GEN200, 2},
    {OA_REPORT_0, GEN6, GEN125, 16},
    {OA_REPORT_1, GEN6, GEN75, 32},
    {OA_REPORT_2, GEN6, GEN11, 32},
    {OA_REPORT_3, GEN6, GEN6, 48},
    {OA_REPORT_4, GEN6, GEN75, 16},
    {OA_REPORT_5, GEN7, GEN125, 64},
    {OA_REPORT_6, GEN7, GEN75, 32},
    {OA_REPORT_7, GEN7, GEN11, 16},
    {OAG_REPORT_1, GEN125, GEN125, 104},
    {OAG_REPORT_5, GEN125, GEN125, 64},
    {OAR_REPORT_1, GEN125, GEN125, 96},
    {OAC_REPORT_1, GEN125, GEN125, 80},
    {OAC_REPORT_2, GEN125, GEN125, 48},
    {OAM_REPORT_1, GEN125, GEN125, 32},
    {OAM_REPORT_5, GEN125, GEN125, 24},
};

/* CSP-08: each format of the format library is one of the surface formats. */
static void picture_formats_are_surface_formats(void **state)
{
    (void)state;
    size_t count = 0;
    for (; softgt_format_at(count); count++) {
        const struct field_value *v = surface_formats;
        while (v->name && strcmp(v->name, softgt_format_at(count)->name) != 0)
            v++;
        must(v->name != NULL, "%s is no surface format", softgt_format_at(count)->name);
    }
    must(count > 50, "%u formats", (unsigned)count);
    done();
}

static void structures_are_sound(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENERATIONS; g++) {
        struct command_set set;
        unsigned expected = 0;
        assert_true(structure_set_create(&set, structure_tables, generations[g]));
        for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            if (generations[g] < wanted[i].since || generations[g] > wanted[i].until)
                continue;
            const uint16_t number = structure_find(&set, wanted[i].id);
            expected++;
            must(number && set.rows[number]->min_dwords == wanted[i].dwords, "generation %d: structure %d",
                 generations[g], (int)wanted[i].id);
        }
        must(set.count == expected + 1u, "generation %d: %d structures, not %u", generations[g],
             set.count - 1, expected);
        for (uint16_t i = 1; i < set.count; i++) {
            const struct command *c = set.rows[i];
            check_table(c->name, c->fields, c->field_count, c->min_dwords);
            check_table(c->name, c->group, c->group_count, c->group_size_dw);
            check_fields_keep(c->name, c->fields, c->field_count);
            check_fields_keep(c->name, c->group, c->group_count);
            must(c->summary && has_checklist_id(c->spec), "%s: words", c->name);
            must(structure_find(&set, c->match) == i, "%s: there twice", c->name);
        }
        command_set_destroy(&set);
    }
    done();
}

/* What points has a base and a place for it; the structure is there where the field is. */
static void check_targets(const struct command *c, const struct command_set *structures)
{
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        must(f->base < BASES && f->target < STRUCTURES && (!f->target || f->base), "%s: %s: base and target",
             c->name, f->name);
        must(!f->base || f->kind == FIELD_OFFSET || f->kind == FIELD_ADDRESS, "%s: %s: is no offset", c->name,
             f->name);
        must(!f->target || structure_find(structures, f->target), "%s: %s: points to what is not there",
             c->name, f->name);
    }
}

static void pointers_lead_somewhere(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENERATIONS; g++) {
        struct command_set structures;
        struct row_store rows;
        assert_true(structure_set_create(&structures, structure_tables, generations[g]));
        assert_true(rows_make(&rows, command_tables, generations[g]));
        for (unsigned i = 0; i < rows.row_count; i++)
            check_targets(&rows.rows[i], &structures);
        for (unsigned i = 1; i < structures.count; i++)
            check_targets(structures.rows[i], &structures);
        rows_free(&rows);
        command_set_destroy(&structures);
    }
    done();
}

/* Exactly the commands of the manual's list are skipped under MI_SET_PREDICATE. (CSP-11) */
static void check_predicated(const struct command *c)
{
    must(is_predicated(c->name) == ((c->flags & COMMAND_PREDICATED) != 0), "%s: predicated", c->name);
}

/* CSP-21, note ****: non-pipelined state is any header with 31:29 = 011, 28:27 = 00 or 11, 26:24 = 001. */
static void check_non_pipelined(const struct command *c)
{
    const uint32_t pipeline = c->match >> 27 & 3u;
    if (c->engines & RENDER && c->match >> 29 == 3 && (pipeline == 0 || pipeline == 3) &&
        (c->match >> 24 & 7u) == 1)
        must((c->flags & COMMAND_ARBITRATES_MEDIA) != 0, "%s: non-pipelined, but not preemptable", c->name);
}

static void non_pipelined_state_is_preemptable(void **state)
{
    (void)state;
    every_command(check_non_pipelined);
    done();
}

/* REN-06: what each bit of INSTPM disables. */
static void check_disabled(const struct command *c)
{
    const uint32_t group = c->match >> 24;
    const bool palette = strncmp(c->name, "3DSTATE_SAMPLER_PALETTE_LOAD", 28) == 0;
    const bool gsc = c->engines == OTHER_CLASS;
    const unsigned bits = c->match >> 29 == 2 && !gsc      ? DISABLED_BLITS
                          : palette                        ? DISABLED_TEXTURE_PALETTES
                          : group == 0x7b                  ? DISABLED_3D_PRIMITIVES
                          : group == 0x78 || group == 0x79 ? DISABLED_3D_STATE
                                                           : 0;
    must(c->disabled_by == bits, "%s: disabled by %x, not %x", c->name, c->disabled_by, bits);
}

static void instpm_disables_groups(void **state)
{
    (void)state;
    every_command(check_disabled);
    done();
}

static void predicated_commands_are_those_of_csp_11(void **state)
{
    (void)state;
    every_command(check_predicated);
    done();
}

/* ---- Devices ---- */

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static struct softgt *make(const struct sheet *s)
{
    struct softgt *device;
    const struct softgt_config config = {.device = s->info.name, .memory = {.read = no_memory}};
    assert_int_equal(softgt_create(&config, &device), 0);
    return device;
}

static void registers_are_described(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct softgt *device = make(*s);
        const struct register_file *f = softgt_register_file(device);
        must((*s)->eu != NULL, "%s: no instruction set", (*s)->info.name);
        must(f->slot_count > 60 * (*s)->info.engine_count, "%s: few registers", (*s)->info.name);
        for (unsigned i = 1; i < f->slot_count; i++) {
            const struct register_slot *slot = &f->slots[i];
            const struct reg *r = slot->row;
            char name[96];
            must(r->name && r->summary && strlen(r->summary) > 8 && r->spec && *r->spec,
                 "%05x: not described", slot->offset);
            must(slot->offset % 4 == 0, "%s: offset", r->name);
            must(slot->kind != REG_MASKED || slot->writable <= 0xffff,
                 "%s: masked, but writable above bit 15", r->name);
            must(!(slot->writable & slot->w1c), "%s: bits that are written and cleared", r->name);
            must(slot->kind != REG_MASKED || slot->w1c <= 0xffff, "%s: masked, but not in the low half",
                 r->name);
            check_table(r->name, r->fields, r->field_count, r->dwords == 2 ? 2 : 1);
            check_fields_keep(r->name, r->fields, r->field_count);
            register_slot_name(slot, name, sizeof name);
            must(register_find(f, slot->unit, name) == slot, "%s %s: its name finds another", slot->unit,
                 name);
        }
        softgt_destroy(device);
    }
    done();
}

/* The rows are whole: something in each, registers only in lists, no global register in a relative list. */
static void check_image_rows(const struct engine_info *e, const struct image_row *rows)
{
    bool in_list = false, relative = false;
    for (const struct image_row *r = rows; r->step != IMAGE_END; r++) {
        const bool is_register = r->step >= IMAGE_REGISTER && r->step <= IMAGE_LOST;
        must(r->count != 0 || r->step == IMAGE_ENGINE_CONTEXT, "%s: row %zu is of nothing", e->name,
             r - rows);
        must(!is_register || in_list, "%s: row %zu: a register outside of lists", e->name, r - rows);
        must(!is_register || !relative || (r->step == IMAGE_REGISTER && r->offset + r->count * 4u <= 0x1000),
             "%s: row %zu: %05x cannot be relative", e->name, r - rows, r->offset);
        relative = r->step == IMAGE_LIST ? r->flags & IMAGE_RELATIVE : relative;
        in_list = r->step == IMAGE_LIST || (is_register && in_list);
    }
}

/* What a save writes: headers fit what follows, registers exist, lengths are those of the sheet. */
static void context_images_are_sound(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct softgt *device = make(*s);
        const struct register_file *f = softgt_register_file(device);
        for (unsigned i = 0; i < (*s)->info.engine_count; i++) {
            const struct engine_info *e = &(*s)->engines[i];
            must((!e->contexts.execlists && !e->contexts.legacy) ||
                     image_find(e->contexts.image, RING_BUFFER_TAIL),
                 "%s: the image has no tail", e->name);
            must(!e->contexts.legacy || image_find(e->contexts.image, PP_DCLV),
                 "%s: the image has no PP_DCLV", e->name);
            if (!e->contexts.execlists) /* no images, or not of this shape */
                continue;
            uint32_t dw[2048], at = 0;
            const uint32_t length =
                context_write_image(&device->engines[i], &device->engines[i].images.context, dw, 2048);
            must(length == image_length(e->contexts.image).dw, "%s: image of %u dwords, its rows say %u",
                 e->name, length, image_length(e->contexts.image).dw);
            check_image_rows(e, e->contexts.image);
            const uint32_t cachelines = (*s)->generation >= GEN125 ? 6 : 5;
            must(image_length(e->contexts.image).ring_context_dw == cachelines * 16u,
                 "%s: the ring context has %u cachelines", e->name, cachelines);
            while (at < length) {
                if (dw[at] >> 23 == 0x22) {
                    const uint32_t pairs = ((dw[at] & 0xffu) + 1u) / 2u;
                    const bool gen11 = (*s)->generation >= GEN11;
                    const bool gen9 = (*s)->generation >= GEN9;
                    const bool posted =
                        at != 0x41 || ((*s)->generation >= GEN200 ? e->class == CLASS_COPY
                                                                  : !gen11 && e->class != CLASS_COPY);
                    must(!gen9 || (dw[at] >> 12 & 1u) == posted, "%s: dword %x: header %08x", e->name, at,
                         dw[at]);
                    /* CSP-14: the streamer's own registers, from Gen11 on by their place in its range. */
                    bool own = true;
                    for (uint32_t p = 0; p < pairs; p++)
                        own = own && dw[at + 1 + p * 2] - e->mmio_base < ENGINE_BYTES;
                    must((dw[at] >> 19 & 1u) == (gen11 && own), "%s: dword %x: header %08x", e->name, at,
                         dw[at]);
                    for (uint32_t p = 0; p < pairs; p++)
                        must(register_slot_at(f, dw[at + 1 + p * 2])->row != NULL, "%s: no register %05x",
                             e->name, dw[at + 1 + p * 2]);
                    at += 1 + pairs * 2;
                } else {
                    must(dw[at] == 0 || dw[at] == 0x05000000, "%s: dword %x is %08x", e->name, at, dw[at]);
                    at++;
                }
            }
            must(at == length, "%s: a list goes past the end", e->name);
        }
        softgt_destroy(device);
    }
    done();
}

/* Every dword that Linux writes into images of Gen20 for their headers and registers. (xe_lrc.c,
 * xe2_rcs_offsets, xe2_bcs_offsets, xe2_xcs_offsets) */
static void context_images_are_of_the_driver(void **state)
{
    (void)state;
    static const struct {
        uint16_t dw, offset; /* from the engine's base */
    } registers[] = {{0x02, 0x244}, {0x04, 0x034}, {0x06, 0x030}, {0x08, 0x038}, {0x0a, 0x03c},
                     {0x0c, 0x168}, {0x0e, 0x140}, {0x10, 0x110}, {0x12, 0x1c0}, {0x14, 0x1c4},
                     {0x16, 0x1c8}, {0x18, 0x180}, {0x1a, 0x2b4}, {0x1c, 0x120}, {0x1e, 0x124},
                     {0x22, 0x3a8}, {0x24, 0x3ac}, {0x26, 0x108}, {0x28, 0x284}, {0x2a, 0x280},
                     {0x2c, 0x27c}, {0x2e, 0x278}, {0x30, 0x274}, {0x32, 0x270}},
      render[] = {{0x37, 0x5a8}, {0x39, 0x5ac}, {0x42, 0x0c8}}, copy[] = {{0x42, 0x200}, {0x44, 0x204}};
    for (const struct sheet *const *s = sheets; *s; s++) {
        if ((*s)->generation < GEN200)
            continue;
        struct softgt *device = make(*s);
        for (unsigned i = 0; i < (*s)->info.engine_count; i++) {
            const struct engine_info *e = device->engines[i].info;
            uint32_t dw[4096];
            context_write_image(&device->engines[i], &device->engines[i].images.context, dw, 4096);
            for (unsigned k = 0; k < sizeof registers / sizeof registers[0]; k++)
                must(dw[registers[k].dw] == e->mmio_base + registers[k].offset, "%s: dword %02x is %08x",
                     e->name, registers[k].dw, dw[registers[k].dw]);
            must(dw[0x01] == (0x11081000 | (15 * 2 - 1)), "%s: dword 01 is %08x", e->name, dw[0x01]);
            must(dw[0x21] == (0x11081000 | (9 * 2 - 1)), "%s: dword 21 is %08x", e->name, dw[0x21]);
            const bool renders = e->class == CLASS_RENDER, copies = e->class == CLASS_COPY;
            for (unsigned k = 0; renders && k < 3; k++)
                must(dw[render[k].dw] == e->mmio_base + render[k].offset, "%s: dword %02x is %08x", e->name,
                     render[k].dw, dw[render[k].dw]);
            for (unsigned k = 0; copies && k < 2; k++)
                must(dw[copy[k].dw] == e->mmio_base + copy[k].offset, "%s: dword %02x is %08x", e->name,
                     copy[k].dw, dw[copy[k].dw]);
            must(dw[0x36] == (renders ? 0x11081003 : 0), "%s: dword 36 is %08x", e->name, dw[0x36]);
            must(dw[0x41] == (renders  ? 0x11080001
                              : copies ? 0x11081003
                                       : 0),
                 "%s: dword 41 is %08x", e->name, dw[0x41]);
            /* What Linux gives an image beside its status page: three pages to render, two to compute. */
            const uint32_t pages = renders ? 3 : e->class == CLASS_COMPUTE ? 2 : 1;
            must(image_length(e->contexts.image).dw <= pages * 1024u, "%s: an image of %u dwords", e->name,
                 image_length(e->contexts.image).dw);
        }
        softgt_destroy(device);
    }
    done();
}

/* OVR-06, OVR-08, OVR-09: every dword that the manual's tables give for VCS, BCS and VECS. */
static void context_images_are_the_manuals(void **state)
{
    (void)state;
    static const struct {
        uint16_t dw;
        uint32_t offset; /* from the engine's base */
    } registers[] = {{0x02, 0x244}, {0x04, 0x034}, {0x06, 0x030}, {0x08, 0x038}, {0x0a, 0x03c}, {0x0c, 0x168},
                     {0x0e, 0x140}, {0x10, 0x110}, {0x12, 0x11c}, {0x14, 0x114}, {0x16, 0x118}, {0x18, 0x1c0},
                     {0x1a, 0x1c4}, {0x1c, 0x1c8}, {0x22, 0x3a8}, {0x24, 0x28c}, {0x26, 0x288}, {0x28, 0x284},
                     {0x2a, 0x280}, {0x2c, 0x27c}, {0x2e, 0x278}, {0x30, 0x274}, {0x32, 0x270}, {0x52, 0x028},
                     {0x54, 0x09c}, {0x56, 0x0c0}, {0x58, 0x178}, {0x5a, 0x17c}, {0x5c, 0x358}, {0x5e, 0x170},
                     {0x60, 0x150}, {0x62, 0x154}, {0x64, 0x158}, {0x66, 0x41c}, {0xa8, 0x068}};
    static const struct {
        uint16_t dw;
        uint32_t header;
    } headers[] = {{0x01, 0x1100101b}, {0x21, 0x11001011}, {0x51, 0x11001057}};
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct softgt *device = make(*s);
        for (unsigned i = 0; i < (*s)->info.engine_count; i++) {
            const struct engine_info *e = device->engines[i].info;
            if (!e->contexts.execlists || e->class == CLASS_RENDER || (*s)->generation < GEN9 ||
                (*s)->generation > GEN11)
                continue;
            const uint32_t relative = (*s)->generation >= GEN11 ? 1u << 19 : 0;
            uint32_t dw[2048];
            bool named[0xb0] = {false};
            assert_int_equal(
                context_write_image(&device->engines[i], &device->engines[i].images.context, dw, 2048), 0xb0);
            for (unsigned k = 0; k < sizeof registers / sizeof registers[0]; k++) {
                must(dw[registers[k].dw] == e->mmio_base + registers[k].offset, "%s: dword %02x is %08x",
                     e->name, registers[k].dw, dw[registers[k].dw]);
                named[registers[k].dw] = named[registers[k].dw + 1] = true;
            }
            for (unsigned k = 0; k < 32; k++) { /* CS_GPR (1-16), 64 dwords from 68h */
                must(dw[0x68 + k * 2] == e->mmio_base + 0x600 + k * 4, "%s: GPR dword %u", e->name, k);
                named[0x68 + k * 2] = named[0x69 + k * 2] = true;
            }
            for (unsigned k = 0; k < 3; k++) {
                must(dw[headers[k].dw] == (headers[k].header | relative), "%s: dword %02x is %08x", e->name,
                     headers[k].dw, dw[headers[k].dw]);
                named[headers[k].dw] = true;
            }
            if (e->class == CLASS_COPY) { /* BCS tile register, OVR-08 */
                must(dw[0x41] == (0x11000001 | relative), "bcs0: dword 41 is %08x", dw[0x41]);
                must(dw[0x42] == 0x22200, "bcs0: dword 42 is %08x", dw[0x42]);
                named[0x41] = named[0x42] = named[0x43] = true;
            }
            for (unsigned k = 0; k < 0xb0; k++)
                must(named[k] || dw[k] == 0, "%s: dword %02x should be a NOOP, is %08x", e->name, k, dw[k]);
        }
        softgt_destroy(device);
    }
    done();
}

/* OVR-07, OVR-08, OVR-09: every dword that the tables of the power contexts give. Lost in them: 38h, 8Ah (the
 * header counts registers there), and one or two of the back end's. */
static void power_contexts_are_the_manuals(void **state)
{
    (void)state;
    static const uint16_t front[][2] = {
        {0x02, 0x29c}, {0x04, 0x080}, {0x06, 0x03c}, {0x08, 0x034}, {0x0a, 0x030}, {0x0c, 0x038},
        {0x0e, 0x03c}, {0x10, 0x168}, {0x12, 0x140}, {0x14, 0x110}, {0x16, 0x11c}, {0x18, 0x114},
        {0x1a, 0x118}, {0x1c, 0x050}, {0x1e, 0x054}, {0x20, 0x058}, {0x22, 0x094}, {0x24, 0x098},
        {0x26, 0x0a8}, {0x28, 0x0b0}, {0x2a, 0x0b4}, {0x2c, 0x0c4}, {0x2e, 0x134}, {0x30, 0x16c},
        {0x32, 0x148}, {0x34, 0x14c}, {0x36, 0x214}, {0x38, 0x248}, {0x3a, 0x2d0}, {0x3c, 0x2d4},
        {0x3e, 0x2ec}, {0x40, 0x0cc}, {0x42, 0x4cc}, {0x44, 0x4c8}, {0x46, 0x4bc}, {0x48, 0x180},
        {0x4a, 0x138}, {0x4c, 0x13c}, {0x4e, 0x3bc}, {0x50, 0x3a0}, {0x6a, 0x24c}, {0x6c, 0x23c},
        {0x6e, 0x2e8}, {0x88, 0x234}, {0x8a, 0x238}};
    static const struct {
        const char *engine;
        uint32_t header;
        uint16_t mode; /* dword of the memory interface's mode register, 0: none */
        uint16_t noops;
    } back[] = {
        {"vcs0", 0x11001005, 0x94, 0x96}, {"bcs0", 0x11001003, 0x92, 0x94}, {"vecs0", 0x11001003, 0, 0x94}};
    struct softgt *device = make(&skl_sheet);
    for (unsigned b = 0; b < 3; b++) {
        unsigned i = 0;
        while (strcmp(device->engines[i].info->name, back[b].engine) != 0)
            i++;
        const struct engine_info *e = device->engines[i].info;
        uint32_t dw[256];
        assert_int_equal(context_write_image(&device->engines[i], &device->engines[i].images.power, dw, 256),
                         0x9e);
        must(dw[0] == 0 && dw[1] == 0x1100108b, "%s: header %08x", e->name, dw[1]);
        for (unsigned k = 0; k < sizeof front / sizeof front[0]; k++)
            must(dw[front[k][0]] == e->mmio_base + front[k][1], "%s: dword %02x is %08x", e->name,
                 front[k][0], dw[front[k][0]]);
        for (unsigned k = 0; k < 12; k++) {
            must(dw[0x52 + k * 2] == e->mmio_base + 0x370 + k * 4, "%s: CTXT_ST_BUF", e->name);
            must(dw[0x70 + k * 2] == e->mmio_base + 0x4d0 + k * 4, "%s: FORCE_TO_NONPRIV", e->name);
        }
        must(dw[0x8c] == 0x21ac, "%s: CXT_OFFSET is %08x", e->name, dw[0x8c]);
        must(dw[0x8e] == 0 && dw[0x8f] == back[b].header, "%s: header %08x", e->name, dw[0x8f]);
        if (back[b].mode)
            must(dw[back[b].mode] == e->mmio_base + 0x0a0, "%s: mode register", e->name);
        for (unsigned k = back[b].noops; k < 0x9d; k++)
            must(dw[k] == 0, "%s: dword %02x is %08x", e->name, k, dw[k]);
        must(dw[0x9d] == 0x05000000, "%s: ends with %08x", e->name, dw[0x9d]);
    }
    must(!device->engines[0].info->contexts.power_image, "the render engine's table is in another volume");
    softgt_destroy(device);
    done();
}

/* CSP-01, OVR-02: engines and where their registers are; 8800h-88FFh is reserved. */
static void engines_are_where_the_map_says(void **state)
{
    (void)state;
    struct softgt *device = make(&skl_sheet);
    static const struct {
        const char *name;
        uint32_t base;
    } engines[] = {{"rcs0", 0x2000}, {"bcs0", 0x22000}, {"vcs0", 0x12000}, {"vecs0", 0x1a000}};
    struct softgt_engine_status s;
    for (unsigned i = 0; i < 4; i++) {
        assert_true(softgt_engine_get_status(device, i, &s));
        assert_string_equal(s.name, engines[i].name);
        assert_int_equal(s.mmio_base, engines[i].base);
    }
    assert_false(softgt_engine_get_status(device, 4, &s));
    for (uint32_t offset = 0x8800; offset < 0x8900; offset += 4) {
        softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, offset, 0xffffffff, 4);
        assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, offset, 4), 0);
    }
    assert_int_equal(softgt_register_file(device)->unknown_reads, 0);
    assert_int_equal(softgt_register_file(device)->unknown_writes, 0);
    softgt_destroy(device);
}

static bool has_engine(const struct sheet *s, enum engine_class class, unsigned instance)
{
    for (unsigned i = 0; i < s->info.engine_count; i++)
        if (s->engines[i].class == class && s->engines[i].instance == instance)
            return true;
    return false;
}

/* What fuses say is not there, or since Gen12.5 is, is what a sheet leaves out, or has; and every engine is
 * reset by bits of its own, but compute engines with the render engine. (ICL PRM vol 2c,
 * GT_VEBOX_VDBOX_DISABLE: video 7:0, enhancement 19:16; CSP-23) */
static void engines_are_those_of_the_fuses(void **state)
{
    (void)state;
    for (const struct sheet *const *s = sheets; *s; s++) {
        struct softgt *device = make(*s);
        const bool enables = (*s)->generation >= GEN125;
        const struct register_slot *fuse =
            register_find(softgt_register_file(device), (*s)->media ? "gt1" : NULL,
                          enables ? "GT_VEBOX_VDBOX_ENABLE" : "GT_VEBOX_VDBOX_DISABLE");
        must((fuse != NULL) == ((*s)->generation >= GEN11), "%s: its fuses", (*s)->info.name);
        uint32_t resets = 1; /* bit 0: all */
        for (unsigned i = 0; i < (*s)->info.engine_count; i++) {
            const struct engine_info *e = &(*s)->engines[i];
            must(e->reset_bits && (e->class == CLASS_COMPUTE ? e->reset_bits == (*s)->engines->reset_bits
                                                             : !(resets & e->reset_bits)),
                 "%s: %s: reset bits", (*s)->info.name, e->name);
            resets |= e->reset_bits;
        }
        for (unsigned n = 0; fuse && n < 8; n++)
            must((fuse->reset >> n & 1u) == (has_engine(*s, CLASS_VIDEO, n) == enables), "%s: vcs%u",
                 (*s)->info.name, n);
        for (unsigned n = 0; fuse && n < 4; n++)
            must((fuse->reset >> (16u + n) & 1u) == (has_engine(*s, CLASS_ENHANCE, n) == enables),
                 "%s: vecs%u", (*s)->info.name, n);
        const struct register_slot *subslices =
            register_find(softgt_register_file(device), NULL, "COMPUTE_DSS_ENABLE");
        must((subslices != NULL) == enables, "%s: its fuses", (*s)->info.name);
        /* A compute engine for eight dual subslices; since Gen20 they have a fuse of their own. */
        const struct register_slot *compute = register_find(softgt_register_file(device), "gt", "FUSE4");
        must((compute != NULL) == ((*s)->generation >= GEN200), "%s: its fuses", (*s)->info.name);
        for (unsigned n = 0; subslices && n < 4; n++)
            must((compute ? compute->reset >> (16u + n) & 1u : (subslices->reset >> n * 8u & 0xffu) != 0) ==
                     has_engine(*s, CLASS_COMPUTE, n),
                 "%s: ccs%u", (*s)->info.name, n);
        softgt_destroy(device);
    }
    done();
}

TEST_PROGRAM(table_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_rows_match_one_header),
        cmocka_unit_test(the_index_is_the_rows),
        cmocka_unit_test(rows_as_they_are_written),
        cmocka_unit_test(picture_formats_are_surface_formats),
        cmocka_unit_test(roles_are_the_fields_names),
        cmocka_unit_test(structures_are_sound),
        cmocka_unit_test(pointers_lead_somewhere),
        cmocka_unit_test(headers_and_lengths),
        cmocka_unit_test(non_pipelined_state_is_preemptable),
        cmocka_unit_test(instpm_disables_groups),
        cmocka_unit_test(every_row_is_described),
        cmocka_unit_test(fields_lie_inside),
        cmocka_unit_test(fields_keep_what_is_put),
        cmocka_unit_test(predicated_commands_are_those_of_csp_11),
        cmocka_unit_test(registers_are_described),
        cmocka_unit_test(context_images_are_sound),
        cmocka_unit_test(context_images_are_of_the_driver),
        cmocka_unit_test(context_images_are_the_manuals),
        cmocka_unit_test(power_contexts_are_the_manuals),
        cmocka_unit_test(engines_are_where_the_map_says),
        cmocka_unit_test(engines_are_those_of_the_fuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
