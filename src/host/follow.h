/* What commands point to: structures in memory, as they are when the command is parsed. */
#ifndef FRONTEND_FOLLOW_H
#define FRONTEND_FOLLOW_H

#include "host/kernels.h"
#include "stream/dump.h"
#include "stream/structure.h"

enum { FOLLOW_STAGES = 6 };

struct follow {
    struct command_set set; /* of structures */
    struct dumper dumper;
    const struct bases *bases;
    void *user;
    /* Memory at a graphics address, as the engine sees it. */
    bool (*read)(void *user, uint64_t address, void *data, size_t size_bytes);

    struct kernels kernels; /* .set is whoever made this's to give */
    uint32_t bindings[FOLLOW_STAGES],
        samplers[FOLLOW_STAGES]; /* what the shader stages said last; 0: nothing */
    uint32_t viewports;
    unsigned left; /* structures that this command may still show */
    uint64_t command_address;
};

/* `options` as the commands' dumper has them, with bases. False when out of memory. */
bool follow_create(struct follow *f, enum generation generation, const struct dump_options *options);
void follow_destroy(struct follow *f);

/* Appends the structures that the command at `address` points to, each indented below what points to it. */
void follow_command(struct follow *f, struct text *t, const struct command *c, const uint32_t *dw,
                    uint32_t length_dw, uint64_t address);

#endif
