/* softgt contexts: lists the context image of each engine, dword by dword, from the rows that save it. */
#include "sheet_arguments.h"

#include "engine/engine.h"

static bool report_no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

struct image {
    const struct sheet_arguments *arguments;
    struct json_object *rows;
    uint32_t noops, noops_at;
};

static void put_dword(struct image *i, uint32_t at, uint32_t length_dw, uint32_t value, const char *what)
{
    if (i->arguments->json) {
        struct json_object *o = json_empty();
        json_add(o, "dword", json_uint64(at));
        json_add(o, "length_dw", json_uint64(length_dw));
        json_add(o, "value", json_uint64(value));
        json_add(o, "what", json_string(what));
        json_append(i->rows, o);
    } else {
        printf(i->arguments->markdown ? "| %04x | %u | %08x | %s |\n" : "  %04x  %3u  %08x  %s\n", at,
               length_dw, value, what);
    }
}

static void flush_noops(struct image *i)
{
    if (i->noops)
        put_dword(i, i->noops_at, i->noops, 0, "NOOP");
    i->noops = 0;
}

static void print_image(struct image *i, const struct register_file *registers,
                        const struct engine_info *info, const struct image_row *rows)
{
    char name[128];
    for (struct image_walk w = image_begin(rows, info->mmio_base); image_next(&w);) {
        if (w.row->step == IMAGE_NOOP) {
            i->noops_at = i->noops ? i->noops_at : w.at_dw;
            i->noops += w.length_dw;
            continue;
        }
        flush_noops(i);
        const struct register_slot *slot = register_slot_at(registers, w.value);
        if (w.row->step == IMAGE_LIST)
            snprintf(name, sizeof name, "MI_LOAD_REGISTER_IMM of %u", ((w.value & 0xffu) + 1u) / 2u);
        else if (w.row->step == IMAGE_BATCH_END)
            snprintf(name, sizeof name, "MI_BATCH_BUFFER_END");
        else if (w.row->step == IMAGE_PIPELINE_STATE)
            snprintf(name, sizeof name, "MI_NOOP with the length of the state commands after it");
        else if (w.row->step == IMAGE_LOST)
            snprintf(name, sizeof name, "a register that is not known");
        else if (slot->row)
            register_slot_name(slot, name, sizeof name);
        else
            snprintf(name, sizeof name, "register %05x", w.value);
        put_dword(i, w.at_dw, w.length_dw, w.value, name);
    }
    flush_noops(i);
}

static void print_images(const struct sheet_arguments *a, const struct softgt *device,
                         const struct engine_info *info, struct json_object *all)
{
    const struct {
        const struct image_row *rows;
        const char *kind;
    } images[] = {{info->contexts.image, ""}, {info->contexts.power_image, " power"}};
    for (unsigned i = 0; i < 2; i++) {
        if (!images[i].rows)
            continue;
        char title[48];
        struct image image = {.arguments = a, .rows = json_array()};
        const struct image_length length = image_length(images[i].rows);
        snprintf(title, sizeof title, "%s%s", info->name, images[i].kind);
        if (a->markdown)
            printf("\n## %s\n\n| dword | length | value | what |\n| --- | ---: | --- | --- |\n", title);
        else if (!a->json && i == 0)
            printf("%s: %u dwords, the first %u the ring context\n", title, length.dw,
                   length.ring_context_dw);
        else if (!a->json)
            printf("%s: %u dwords\n", title, length.dw);
        print_image(&image, softgt_register_file(device), info, images[i].rows);
        for (char *c = title; *c; c++)
            *c = *c == ' ' ? '_' : *c;
        json_add(all, title, image.rows);
    }
}

int cmd_contexts(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(
        &a, argc, argv,
        "Lists the context image and the power context image of each engine as a save writes it: dword "
        "offset, length, header or register offset, name. The context image starts one page behind the "
        "context's address; a power context is what RC6 saves.",
        SHEET_ACCEPTS_ENGINE);
    struct softgt *device;
    const struct softgt_config config = {.device = a.sheet->info.name, .memory = {.read = report_no_memory}};
    if (softgt_create(&config, &device) != 0) {
        tool_error(NULL, "out of memory");
        return TOOL_UNUSABLE;
    }
    struct json_object *all = sheet_object(&a, "softgt.contexts");
    for (unsigned e = 0; e < a.sheet->info.engine_count; e++) {
        const struct engine_info *info = &a.sheet->engines[e];
        if (a.engine && strcmp(a.engine, info->name) != 0 &&
            (strpbrk(a.engine, "0123456789") || !(a.classes & 1u << info->class)))
            continue;
        print_images(&a, device, info, all);
    }
    if (a.json)
        json_print(all);
    else
        json_object_put(all);
    softgt_destroy(device);
    return TOOL_CLEAN;
}
