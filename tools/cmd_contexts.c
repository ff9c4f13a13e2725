/* softgt contexts: the context image of each engine, dword by dword, from the rows that save it. */
#include "sheet_arguments.h"

#include "engine/engine.h"

enum { IMAGE_ROOM_DW = 4096, LOAD_REGISTER_IMM = 0x22 };

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

struct image {
    const struct sheet_arguments *arguments;
    struct json_object *rows;
    uint32_t noops, noops_at;
};

static void put(struct image *i, uint32_t at, uint32_t length_dw, uint32_t value, const char *what)
{
    if (i->arguments->json) {
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "dword", json_object_new_uint64(at));
        json_object_object_add(o, "length_dw", json_object_new_uint64(length_dw));
        json_object_object_add(o, "value", json_object_new_uint64(value));
        json_object_object_add(o, "what", json_object_new_string(what));
        json_object_array_add(i->rows, o);
    } else {
        printf(i->arguments->markdown ? "| %04x | %u | %08x | %s |\n" : "  %04x  %3u  %08x  %s\n", at,
               length_dw, value, what);
    }
}

static void flush_noops(struct image *i)
{
    if (i->noops)
        put(i, i->noops_at, i->noops, 0, "NOOP");
    i->noops = 0;
}

static void print_image(struct image *i, const struct register_file *registers, const uint32_t *dw,
                        uint32_t length_dw)
{
    char name[128];
    for (uint32_t at = 0; at < length_dw;) {
        if (dw[at] == 0) {
            i->noops_at = i->noops ? i->noops_at : at;
            i->noops++;
            at++;
            continue;
        }
        flush_noops(i);
        if (dw[at] >> 23 != LOAD_REGISTER_IMM) {
            put(i, at, 1, dw[at], "MI_BATCH_BUFFER_END");
            at++;
            continue;
        }
        const uint32_t pairs = ((dw[at] & 0xffu) + 1u) / 2u;
        snprintf(name, sizeof name, "MI_LOAD_REGISTER_IMM of %u", pairs);
        put(i, at, 1, dw[at], name);
        at++;
        for (uint32_t pair = 0; pair < pairs && at + 1 < length_dw; pair++, at += 2) {
            const struct register_slot *slot = register_at(registers, dw[at]);
            if (slot->row)
                register_slot_name(slot, name, sizeof name);
            else if (dw[at] == 0)
                snprintf(name, sizeof name, "a register that is not known");
            else
                snprintf(name, sizeof name, "register %05x", dw[at]);
            put(i, at, 2, dw[at], name);
        }
    }
    flush_noops(i);
}

static void print_images(const struct sheet_arguments *a, const struct softgt *device, struct engine *e,
                         uint32_t *dw, struct json_object *all)
{
    const struct engine_info *info = e->info;
    const struct {
        const struct image_row *rows;
        const char *kind;
    } images[] = {{info->context, ""}, {info->power_context, " power"}};
    for (unsigned i = 0; i < 2; i++) {
        if (!images[i].rows)
            continue;
        char title[48];
        struct image image = {.arguments = a, .rows = json_object_new_array()};
        const uint32_t length_dw = context_image(e, images[i].rows, dw, IMAGE_ROOM_DW);
        snprintf(title, sizeof title, "%s%s", info->name, images[i].kind);
        if (a->markdown)
            printf("\n## %s\n\n| dword | length | value | what |\n| --- | ---: | --- | --- |\n", title);
        else if (!a->json && i == 0)
            printf("%s: %u dwords, the first %u the ring context\n", title, length_dw, info->ring_context_dw);
        else if (!a->json)
            printf("%s: %u dwords\n", title, length_dw);
        print_image(&image, softgt_register_file(device), dw, length_dw);
        json_object_object_add(all, title, image.rows);
    }
}

int cmd_contexts(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(
        &a, argc, argv,
        "Lists the context image and the power context image of each engine as a save writes it: dword "
        "offset, length, header or register offset, name. The context image starts one page behind the "
        "context's address; a power context is what RC6 saves.");
    struct softgt *device;
    const struct softgt_config config = {.device = a.sheet->info.name, .memory = {.read = no_memory}};
    uint32_t *dw = malloc(IMAGE_ROOM_DW * sizeof *dw);
    if (!dw || softgt_create(&config, &device) != 0) {
        free(dw);
        tool_error(NULL, "out of memory");
        return TOOL_UNUSABLE;
    }
    struct json_object *all = json_object_new_object();
    for (unsigned e = 0; e < a.sheet->info.engine_count; e++) {
        const struct engine_info *info = &a.sheet->engines[e];
        if (a.engine && strcmp(a.engine, info->name) != 0 &&
            (strpbrk(a.engine, "0123456789") || !(a.classes & 1u << info->class)))
            continue;
        print_images(&a, device, &device->engines[e], dw, all);
    }
    if (a.json)
        tool_print_json(all, true);
    else
        json_object_put(all);
    softgt_destroy(device);
    free(dw);
    return TOOL_CLEAN;
}
