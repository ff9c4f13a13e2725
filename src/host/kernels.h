/* Listings of kernels that commands point to, as they are in memory when the command is parsed. */
#ifndef HOST_KERNELS_H
#define HOST_KERNELS_H

#include "isa/isa.h"

enum { KERNELS_REMEMBERED = 1024 };

struct kernels {
    const struct eu_isa *set; /* NULL: none are listed */
    void *user;
    /* Memory at a graphics address, as the engine sees it. */
    bool (*read)(void *user, uint64_t address, void *data, size_t size_bytes);
    bool json;
    struct {
        uint64_t address, hash;
    } known[KERNELS_REMEMBERED]; /* the last ones listed: a repeated kernel is only named */
    unsigned count;
};

/* A kernel pointer of a command. */
struct kernel_pointer {
    const char *field_name; /* the field that holds it */
    uint64_t address, command_address;
    unsigned depth;
    const char *missing_reason; /* why the address is not known, or NULL */
};

void kernels_list(struct kernels *k, struct text *t, const struct kernel_pointer *p);

#endif
