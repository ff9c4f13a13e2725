/*
 * A batch from rows and fields by name, as a test's generator would make it: built, listed, changed, listed
 * again. The device's manual is asked, nothing is encoded by hand.
 * cc batch.c $(pkg-config --cflags --libs softgt-tools)
 */
#include <softgt/tools.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DW = 64 };

struct batch {
    struct softgt_spec *spec;
    uint32_t dw[MOST_DW];
    size_t length_dw;
};

/* Appends a command; false: it has no such field, or a value does not fit. */
static bool add(struct batch *b, const char *name, const struct softgt_field_setting *fields, size_t count)
{
    const struct softgt_row *const row = softgt_spec_find(b->spec, SOFTGT_ROW_COMMAND, name);
    size_t length = 0, bad = 0;
    const int status =
        row ? softgt_build(row, fields, count, b->dw + b->length_dw, MOST_DW - b->length_dw, &length, &bad)
            : -1;
    if (status == 0)
        b->length_dw += length;
    else
        fprintf(stderr, "%s: %s: %s\n", name, bad < count ? fields[bad].name : "the command",
                strerror(-status));
    return status == 0;
}

static void print(void *user, const char *bytes, size_t size_bytes)
{
    fwrite(bytes, 1, size_bytes, user);
}

int main(int argc, char **argv)
{
    const char *const device = argc > 1 ? argv[1] : "skl";
    struct batch b = {0};
    if (softgt_spec_create(device, &b.spec) != 0) {
        fprintf(stderr, "no device is called %s\n", device);
        return 2;
    }
    struct softgt_row_info general;
    const struct softgt_row *const gpr = softgt_spec_find(b.spec, SOFTGT_ROW_REGISTER, "rcs0.CS_GPR[0]");
    if (!gpr) {
        fprintf(stderr, "%s has no general purpose registers in its command streamer\n", device);
        return 2;
    }
    softgt_row_get_info(gpr, &general);
    const struct softgt_field_setting load[] = {
        {.name = "register_offset", .value = general.value},
        {.name = "data_dword", .value = 42},
    };
    const struct softgt_field_setting store[] = {
        {.name = "register_address", .value = general.value},
        {.name = "memory_address", .value = 0x2000},
    };
    const bool good = add(&b, "MI_LOAD_REGISTER_IMM", load, 2) &&
                      add(&b, "MI_STORE_REGISTER_MEM", store, 2) && add(&b, "MI_BATCH_BUFFER_END", NULL, 0);
    const struct softgt_text_port out = {.user = stdout, .write = print};
    const int unknown =
        softgt_decode(b.spec, SOFTGT_CLASS_RENDER, b.dw, b.length_dw, 0x1000, SOFTGT_DECODE_NONZERO, &out);
    printf("as gts(5):\n");
    softgt_decode(b.spec, SOFTGT_CLASS_RENDER, b.dw, b.length_dw, 0x1000, SOFTGT_DECODE_GTS, &out);
    softgt_spec_destroy(b.spec);
    return !good || unknown != 0;
}
