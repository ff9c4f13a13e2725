/* softgt devices: lists the products that are modelled. */
#include "tool.h"

struct arguments {
    bool json, markdown;
};

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "as JSON", 0},
    {"markdown", 'm', NULL, 0, "as a Markdown table", 0},
    {0},
};

static error_t devices_parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    (void)argument;
    switch (key) {
    case 'j':
        a->json = true;
        return 0;
    case 'm':
        a->markdown = true;
        return 0;
    case ARGP_KEY_END:
        if (a->json && a->markdown)
            argp_error(state, "--json or --markdown, not both");
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "takes no arguments");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Prints all PCI ids of a device; a text line has space for a few. */
static void show_ids(const struct softgt_device_info *device, bool markdown)
{
    enum { IN_A_LINE = 4 };
    size_t count = 0, more = 0;
    printf(markdown ? " | " : "  ");
    for (; softgt_device_pci_id(device, count) && (markdown || count < IN_A_LINE); count++)
        printf("%s%04x", count ? " " : "", softgt_device_pci_id(device, count));
    while (softgt_device_pci_id(device, count + more))
        more++;
    if (more)
        printf(" +%zu", more);
    if (!count)
        printf("none");
    puts(markdown ? " |" : "");
}

int cmd_devices(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options, .parser = devices_parse, .doc = "Lists the devices that softgt models."};
    struct arguments a = {0};
    tool_parse(&argp, argc, argv, &a);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| device | generation | what | engines | registers | GGTT table | PCI ids "
             "|\n| --- | --- | --- | ---: | ---: | ---: | --- |");
    const struct softgt_device_info *d;
    for (size_t i = 0; (d = softgt_device_at(i)) != NULL; i++) {
        if (a.json) {
            struct json_object *o = json_empty(), *of_it = json_array();
            uint16_t id;
            for (size_t n = 0; (id = softgt_device_pci_id(d, n)) != 0; n++)
                json_append(of_it, json_int(id));
            json_add(o, "name", json_string(d->name));
            json_add(o, "generation", json_string(d->generation));
            json_add(o, "summary", json_string(d->summary));
            json_add(o, "pci_device_id", json_int(d->pci_device_id));
            json_add(o, "pci_device_ids", of_it);
            json_add(o, "pci_revision", json_int(d->pci_revision));
            json_add(o, "engines", json_int((int)d->engine_count));
            json_add(o, "mmio_bytes", json_uint64(d->mmio_bytes));
            json_add(o, "ggtt_bytes", json_uint64(d->ggtt_bytes));
            json_add(o, "local_bytes", json_uint64(d->local_bytes));
            json_append(all, o);
        } else {
            printf(a.markdown ? "| %s | %s | %s | %u | %llu MB | %llu MB"
                              : "%-8s %-6s %-54s %2u engines  %llu MB registers  %llu MB GGTT table",
                   d->name, d->generation, d->summary, d->engine_count,
                   (unsigned long long)d->mmio_bytes >> 20, (unsigned long long)d->ggtt_bytes >> 20);
            show_ids(d, a.markdown);
        }
    }
    if (a.json) {
        struct json_object *o = json_report("softgt.devices");
        json_add(o, "devices", all);
        json_print(o);
    } else {
        json_object_put(all);
    }
    return TOOL_CLEAN;
}
