/* A dump of the structures that commands point to, as they are in memory when the command is parsed. */
#ifndef HOST_STRUCTURE_DUMPER_H
#define HOST_STRUCTURE_DUMPER_H

#include "host/kernels.h"
#include "device/host.h"

enum { STRUCTURE_DUMPER_STAGES = 6 };

/* The last counts that commands of the context gave; 0: unknown. */
struct structure_counts {
    uint32_t bindings[STRUCTURE_DUMPER_STAGES], samplers[STRUCTURE_DUMPER_STAGES]; /* of shader stages */
    uint32_t viewports;
};

struct structure_dumper {
    struct command_set set; /* of structures */
    struct dumper dumper;
    const struct bases *bases;
    void *user;
    /* Memory at a graphics address, as the engine sees it. */
    bool (*read)(void *user, uint64_t address, void *data, size_t size_bytes);
    const char *missing; /* what is said of memory that cannot be read */
    /* Each structure that is read; index: of several, else -1. Optional. */
    void (*found)(void *user, const struct command *structure, int index, uint64_t address,
                  const uint32_t *dw);

    struct kernels kernels; /* the owner sets .set */
    struct structure_counts counts;
    unsigned structures_left; /* structures that this command may still print */
    uint64_t command_address;
};

/* `options` are those of the commands' dumper, with bases. False: out of memory. */
bool structure_dumper_create(struct structure_dumper *f, enum generation generation,
                             const struct dump_options *options);
void structure_dumper_destroy(struct structure_dumper *f);

/* Appends the structures that the command at `address` points to, each indented below what points to it. Text
 * may be NULL if `found` is set. */
void structure_dumper_command(struct structure_dumper *f, struct text *t, const struct command *c,
                              const uint32_t *dw, uint32_t length_dw, uint64_t address);

#endif
