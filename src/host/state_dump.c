#include "host/state_dump.h"

struct seen_bases {
    const struct softgt *device;
    unsigned engine;
    struct bases *bases;
};

static void see_command(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    const struct seen_bases *const s = user;
    const struct command *const row = device_command_row(s->device, s->engine, dwords[0]);
    (void)name;
    if (row)
        bases_see(s->bases, row, dwords, (uint32_t)length_dw);
}

void state_dump_bases(struct softgt *device, unsigned engine, struct bases *bases)
{
    struct seen_bases s = {device, engine, bases};
    *bases = device_bases(device, engine);
    softgt_engine_state_commands(device, engine, &s, see_command);
}

struct dumped_state {
    struct text *text;
    const struct dumper *dumper;
    enum engine_class class;
    bool (*wanted)(const void *user, const uint32_t *dwords, size_t length_dw);
    const void *user;
};

static void dump_state(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    const struct dumped_state *const s = user;
    size_t length;
    (void)name;
    if (!s->wanted || s->wanted(s->user, dwords, length_dw))
        dump_command(s->dumper, s->text, s->class, dwords, length_dw, 0, &length);
}

void state_dump(struct text *t, struct softgt *device, unsigned engine, const struct dumper *dumper,
                bool (*wanted)(const void *user, const uint32_t *dwords, size_t length_dw), const void *user)
{
    struct dumped_state s = {t, dumper, device_sheet(device)->engines[engine].class, wanted, user};
    softgt_engine_state_commands(device, engine, &s, dump_state);
}
