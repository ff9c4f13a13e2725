#include "json_errors.h"

#include "tool.h"

#include <getopt.h>

enum { MOST_OPTIONS = 64, NO_STATUS = -1 };

static struct {
    bool wanted;
    int status;
    char file[1024], text[512]; /* "": none */
} errors = {.status = NO_STATUS};

/* argp's own parser reports errors and ends the tool; this one reads the same options and does neither. */
void json_errors_start(const struct argp *argp, int argc, char **argv)
{
    struct option names[MOST_OPTIONS + 1] = {{0}};
    char keys[3 * MOST_OPTIONS + 3] = "-:"; /* arguments stay where they are; no messages */
    const struct argp_option *o = argp->options;
    for (unsigned n = 0; n < MOST_OPTIONS && (o->name || o->key || o->doc); n++, o++) {
        const int argument = !o->arg                          ? no_argument
                             : o->flags & OPTION_ARG_OPTIONAL ? optional_argument
                                                              : required_argument;
        names[n] = (struct option){o->name, argument, NULL, o->key};
        if (o->key > ' ' && o->key < 0x7f) {
            const char key[] = {(char)o->key, argument ? ':' : '\0',
                                argument == optional_argument ? ':' : '\0', '\0'};
            strncat(keys, key, sizeof keys - strlen(keys) - 1);
        }
    }
    optind = 0;
    for (int key; (key = getopt_long(argc, argv, keys, names, NULL)) != -1;)
        errors.wanted |= key == 'j';
    optind = 1;
}

void json_errors_add(const char *file, const char *text)
{
    if (*errors.text)
        return;
    snprintf(errors.file, sizeof errors.file, "%s", file ? file : "");
    snprintf(errors.text, sizeof errors.text, "%s", text);
}

void json_errors_forget(void)
{
    *errors.text = '\0';
}

void json_errors_status(int status)
{
    errors.status = status;
}

void json_errors_end(void)
{
    if (!errors.wanted || !*errors.text || (errors.status != NO_STATUS && errors.status != TOOL_UNUSABLE))
        return;
    errors.wanted = false;
    struct json_object *const o = json_report("softgt.error");
    if (*errors.file)
        json_add(o, "file", json_text(errors.file));
    json_add(o, "error", json_text(errors.text));
    json_add(o, "exit_status", json_int(TOOL_UNUSABLE));
    json_print(o);
}
