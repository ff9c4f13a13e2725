/* softgt contexts: lists the context image of each engine, dword by dword, from the rows that save it. */
#include "sheet_arguments.h"

struct image {
    const struct sheet_arguments *arguments;
    struct json_object *rows;
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

static void item_name(const struct softgt_spec *spec, const struct softgt_image_item *item, char *name,
                      size_t size)
{
    switch (item->step) {
    case SOFTGT_IMAGE_NOOP:
        snprintf(name, size, "NOOP");
        break;
    case SOFTGT_IMAGE_LIST:
        snprintf(name, size, "MI_LOAD_REGISTER_IMM of %u", ((item->value & 0xffu) + 1u) / 2u);
        break;
    case SOFTGT_IMAGE_BATCH_END:
        snprintf(name, size, "MI_BATCH_BUFFER_END");
        break;
    case SOFTGT_IMAGE_PIPELINE_STATE:
        snprintf(name, size, "MI_NOOP with the length of the state commands after it");
        break;
    case SOFTGT_IMAGE_UNKNOWN_REGISTER:
        snprintf(name, size, "a register that is not known");
        break;
    case SOFTGT_IMAGE_REGISTER:
        if (!softgt_spec_register_name(spec, item->value, name, size))
            snprintf(name, size, "register %05x", item->value);
    }
}

static void print_image(const struct sheet_arguments *a, size_t index, struct json_object *all)
{
    const struct softgt_image *const image = softgt_spec_image(a->spec, index);
    const struct softgt_image_item *item;
    struct image printed = {.arguments = a, .rows = json_array()};
    char title[48], name[128];
    snprintf(title, sizeof title, "%s%s", image->engine, image->is_power ? " power" : "");
    if (a->markdown)
        printf("\n## %s\n\n| dword | length | value | what |\n| --- | ---: | --- | --- |\n", title);
    else if (!a->json && !image->is_power)
        printf("%s: %u dwords, the first %u the ring context\n", title, image->length_dw,
               image->ring_context_dw);
    else if (!a->json)
        printf("%s: %u dwords\n", title, image->length_dw);
    for (size_t i = 0; (item = softgt_spec_image_item(a->spec, index, i)) != NULL; i++) {
        item_name(a->spec, item, name, sizeof name);
        put_dword(&printed, item->first_dw, item->length_dw,
                  item->step == SOFTGT_IMAGE_NOOP ? 0 : item->value, name);
    }
    for (char *c = title; *c; c++)
        *c = *c == ' ' ? '_' : *c;
    json_add(all, title, printed.rows);
}

int cmd_contexts(int argc, char **argv)
{
    struct sheet_arguments a;
    const struct softgt_image *image;
    sheet_arguments_parse(
        &a, argc, argv,
        "Lists the context image and the power context image of each engine as a save writes it: dword "
        "offset, length, header or register offset, name. The context image starts one page behind the "
        "context's address; a power context is what RC6 saves.",
        SHEET_ACCEPTS_ENGINE);
    struct json_object *all = sheet_object(&a, "softgt.contexts");
    for (size_t i = 0; (image = softgt_spec_image(a.spec, i)) != NULL; i++)
        if (sheet_has_engine(&a, image->engine))
            print_image(&a, i, all);
    if (a.json)
        json_print(all);
    else
        json_object_put(all);
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}
