/* softgt devices: the products modelled. */
#include "tool.h"

struct arguments {
    bool json, markdown;
};

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "as JSON", 0},
    {"markdown", 'm', NULL, 0, "as a Markdown table", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
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
        argp_error(state, "no arguments are taken");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_devices(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options, .parser = parse, .doc = "Lists the devices that softgt models."};
    struct arguments a = {0};
    tool_parse(&argp, argc, argv, &a);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| device | generation | what | PCI id | engines | registers | GGTT table |\n| --- | --- | --- "
             "| --- | ---: "
             "| ---: | ---: |");
    const struct softgt_device_info *d;
    for (size_t i = 0; (d = softgt_device_at(i)) != NULL; i++) {
        if (a.json) {
            struct json_object *o = json_empty();
            json_add(o, "name", json_string(d->name));
            json_add(o, "generation", json_string(d->generation));
            json_add(o, "summary", json_string(d->summary));
            json_add(o, "pci_device_id", json_int(d->pci_device_id));
            json_add(o, "pci_revision", json_int(d->pci_revision));
            json_add(o, "engines", json_int((int)d->engine_count));
            json_add(o, "mmio_bytes", json_uint64(d->mmio_bytes));
            json_add(o, "ggtt_bytes", json_uint64(d->ggtt_bytes));
            json_append(all, o);
        } else {
            char id[8] = "none";
            if (d->pci_device_id)
                snprintf(id, sizeof id, "%04x", d->pci_device_id);
            printf(a.markdown ? "| %s | %s | %s | %s | %u | %llu MB | %llu MB |\n"
                              : "%-8s %-6s %-54s %s  %u engines  %llu MB registers  %llu MB GGTT table\n",
                   d->name, d->generation, d->summary, id, d->engine_count,
                   (unsigned long long)d->mmio_bytes >> 20, (unsigned long long)d->ggtt_bytes >> 20);
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
