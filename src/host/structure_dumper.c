#include "host/structure_dumper.h"

#include "commands/commands.h"

/* Numbers of structures: without a known count, and at most. */
enum {
    MOST_DW = 32,
    BINDINGS_UNKNOWN = 16,
    MOST_BINDINGS = 256,
    MOST_SAMPLERS = 16,
    MOST_DESCRIPTORS = 64,
    MOST_VIEWPORTS = 16,
    MOST_STRUCTURES = 1024
};

bool structure_dumper_create(struct structure_dumper *f, enum generation generation,
                             const struct dump_options *options)
{
    f->bases = options->bases;
    f->missing = f->missing ? f->missing : "not in the trace";
    f->kernels.json = options->json;
    return structure_set_create(&f->set, structure_tables, generation) &&
           dumper_create(&f->dumper, &f->set, options);
}

void structure_dumper_destroy(struct structure_dumper *f)
{
    dumper_destroy(&f->dumper);
    command_set_destroy(&f->set);
}

/* ---- Counts of structures ---- */

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The shader stage in a name, by its two letters; 0: none. Gen6 calls the pixel stage WM. */
static unsigned stage_in(const char *name)
{
    static const char *const stages[] = {"", "VS", "HS", "DS", "GS", "PS", "WM"};
    for (unsigned i = 1; i < sizeof stages / sizeof stages[0]; i++)
        for (const char *at = name; (at = strstr(at, stages[i])); at++)
            if ((at == name || !is_letter(at[-1])) && !is_letter(at[2]))
                return i == STRUCTURE_DUMPER_STAGES ? STRUCTURE_DUMPER_STAGES - 1u : i;
    return 0;
}

static const struct field *with_role(const struct command *c, enum count role)
{
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->fields[i].role == role)
            return &c->fields[i];
    return NULL;
}

/* The count that a row itself gives for the `target`s that it points to. */
static const struct field *own_count(const struct command *c, unsigned target)
{
    if (c->execute) /* its roles belong to its own function */
        return NULL;
    switch (target) {
    case BINDING_TABLE_STATE:
        return with_role(c, COUNT_BINDING_TABLE_ENTRY_COUNT);
    case SAMPLER_STATE:
        return with_role(c, COUNT_SAMPLER_COUNT);
    case INTERFACE_DESCRIPTOR_DATA:
        return with_role(c, COUNT_INTERFACE_DESCRIPTOR_TOTAL_LENGTH);
    default:
        return NULL;
    }
}

/* Notes counts that other commands need. */
static void note_counts(struct structure_dumper *f, const struct command *c, const uint32_t *dw,
                        uint32_t length_dw)
{
    const unsigned stage = stage_in(c->name);
    if (c->execute) /* its roles belong to its own function */
        return;
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *field = &c->fields[i];
        const uint32_t value = field->role ? (uint32_t)field_get(field, dw, length_dw) : 0;
        if (field->role == COUNT_BINDING_TABLE_ENTRY_COUNT)
            f->counts.bindings[stage] = value;
        else if (field->role == COUNT_SAMPLER_COUNT)
            f->counts.samplers[stage] = value * 4u;
        else if (field->role == COUNT_MAXIMUM_VP_INDEX)
            f->counts.viewports = value + 1u;
    }
}

static unsigned at_most(uint64_t value, unsigned most)
{
    return value < most ? (unsigned)value : most;
}

/* The number of structures that `field` of `c` points to. *known: the number is not a guess. */
static unsigned count_of(const struct structure_dumper *f, const struct command *c, const struct field *field,
                         const uint32_t *dw, uint32_t length_dw, bool *known)
{
    const unsigned stage = stage_in(field->name) ? stage_in(field->name) : stage_in(c->name);
    const struct field *const own = own_count(c, field->target);
    uint64_t count;
    *known = true;
    switch (field->target) {
    case BINDING_TABLE_STATE:
        count = own ? field_get(own, dw, length_dw) : f->counts.bindings[stage];
        *known = count != 0;
        return count ? at_most(count, MOST_BINDINGS) : BINDINGS_UNKNOWN;
    case SAMPLER_STATE:
        count = own ? field_get(own, dw, length_dw) * 4u : f->counts.samplers[stage];
        return count ? at_most(count, MOST_SAMPLERS) : 1;
    case INTERFACE_DESCRIPTOR_DATA:
        count = own ? field_get(own, dw, length_dw) / 32u : 1;
        return at_most(count, MOST_DESCRIPTORS);
    case CLIP_VIEWPORT:
    case SF_VIEWPORT:
    case SF_CLIP_VIEWPORT:
    case CC_VIEWPORT:
    case SCISSOR_RECT:
    case CPS_STATE:
        return f->counts.viewports ? at_most(f->counts.viewports, MOST_VIEWPORTS) : 1;
    default:
        return 1;
    }
}

/* ---- Output ---- */

static void put_structure(struct structure_dumper *f, struct text *t, const struct dump_structure *s,
                          const struct command *row)
{
    if (f->found && !s->missing)
        f->found(f->user, row, s->index, s->address, s->dw);
    if (t)
        dump_structure(&f->dumper, t, s);
}

static void follow_fields(struct structure_dumper *f, struct text *t, const struct command *c,
                          const uint32_t *dw, uint32_t length_dw, unsigned depth);

static void follow_field(struct structure_dumper *f, struct text *t, const struct command *c,
                         const struct field *field, const uint32_t *dw, uint32_t length_dw, unsigned depth)
{
    const uint16_t number = structure_find(&f->set, field->target);
    const uint64_t offset = field_get(field, dw, length_dw);
    const struct field *const own = own_count(c, field->target);
    if (!number ||
        (!offset && !(own && field_get(own, dw, length_dw)))) /* 0 means none, or the count is known */
        return;
    const struct command *structure = f->set.rows[number];
    const uint32_t size_dw = structure->min_dwords;
    bool known;
    const unsigned count = count_of(f, c, field, dw, length_dw, &known);
    struct dump_structure s = {.number = number,
                               .depth = depth,
                               .command_address = f->command_address,
                               .through = field->name,
                               .index = -1};
    uint64_t start;
    if (!f->structures_left)
        return;
    if (!bases_resolve(f->bases, field->base, offset, &start)) {
        s.missing = "its base address is not known";
        put_structure(f, t, &s, NULL);
        return;
    }
    for (unsigned i = 0; i < count && f->structures_left; i++) {
        f->structures_left--;
        uint32_t words[MOST_DW] = {0};
        s.index = count > 1 ? (int)i : -1;
        s.address_known = true;
        s.address = start + (uint64_t)i * size_dw * 4u;
        s.missing =
            size_dw <= MOST_DW && f->read(f->user, s.address, words, size_dw * 4u) ? NULL : f->missing;
        s.dw = words;
        if (!known && (s.missing || !words[0]))
            return; /* a table of unknown length ends at its first empty entry */
        put_structure(f, t, &s, structure);
        if (s.missing)
            return;
        follow_fields(f, t, structure, words, size_dw, depth + 1u);
    }
}

/* An offset from the instruction base points to a kernel. A disabled stage has 0 and no kernel; a descriptor
 * always has a kernel. */
static void follow_kernel(struct structure_dumper *f, struct text *t, const struct field *field,
                          const uint32_t *dw, uint32_t length_dw, unsigned depth)
{
    const uint64_t offset = field_get(field, dw, length_dw);
    struct kernel_pointer p = {
        .field_name = field->name, .command_address = f->command_address, .depth = depth};
    if ((!offset && depth == 1 && !strstr(field->name, "Interface Descriptor")) || !f->structures_left)
        return;
    f->structures_left--;
    if (!bases_resolve(f->bases, field->base, offset, &p.address))
        p.missing_reason = "its base address is not known";
    f->kernels.user = f->user;
    f->kernels.read = f->read;
    kernels_list(&f->kernels, t, &p);
}

static void follow_fields(struct structure_dumper *f, struct text *t, const struct command *c,
                          const uint32_t *dw, uint32_t length_dw, unsigned depth)
{
    for (unsigned i = 0; i < c->field_count; i++)
        if (f->kernels.set && c->fields[i].base == BASE_INSTRUCTION && c->fields[i].first / 32u < length_dw)
            follow_kernel(f, t, &c->fields[i], dw, length_dw, depth);
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->fields[i].target && c->fields[i].first / 32u < length_dw)
            follow_field(f, t, c, &c->fields[i], dw, length_dw, depth);
}

void structure_dumper_command(struct structure_dumper *f, struct text *t, const struct command *c,
                              const uint32_t *dw, uint32_t length_dw, uint64_t address)
{
    f->structures_left = MOST_STRUCTURES;
    f->command_address = address;
    note_counts(f, c, dw, length_dw);
    follow_fields(f, t, c, dw, length_dw, 1);
}
