/*
 * Runs programs in the text form, each a test by its file's name. Lines '# LINE:COLUMN: TEXT' at a file's
 * start are the errors and failures it must end with, in order; a file without any must run clean.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/gts/gts.h"

struct told {
    char text[32768];
    size_t at;
};

static void append(struct told *t, const char *text)
{
    const size_t length = strlen(text);
    if (t->at + length < sizeof t->text) {
        memcpy(t->text + t->at, text, length + 1);
        t->at += length;
    }
}

static void on_message(void *user, const struct gts_message *m)
{
    char line[1200];
    if (m->kind != GTS_ERROR && m->kind != GTS_FAILURE)
        return;
    snprintf(line, sizeof line, m->device ? "%u:%u: %s (%s)\n" : "%u:%u: %s\n", m->line, m->column, m->text,
             m->device);
    append(user, line);
}

static bool wanted_messages(const char *path, struct told *wanted)
{
    char line[1200];
    unsigned row, column;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file) && sscanf(line, "# %u:%u: ", &row, &column) == 2)
        append(wanted, line + 2);
    fclose(file);
    return true;
}

int main(int argc, char **argv)
{
    static struct told wanted, told;
    unsigned failed = 0;
    for (int i = 1; i < argc; i++) {
        memset(&wanted, 0, sizeof wanted);
        memset(&told, 0, sizeof told);
        const struct gts_options options = {.user = &told, .message = on_message};
        const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
        if (!wanted_messages(argv[i], &wanted)) {
            printf("not ok %d - %s: cannot be read\n", i, name);
            failed++;
            continue;
        }
        const enum gts_result result = gts_run_file(argv[i], &options);
        const bool good = strcmp(wanted.text, told.text) == 0 && (wanted.at != 0) == (result != GTS_CLEAN);
        printf("%sok %d - %s\n", good ? "" : "not ", i, name);
        if (!good)
            printf("# expected:\n%s# got (result %d):\n%s", wanted.text, (int)result, told.text);
        failed += !good;
    }
    printf("1..%d\n", argc - 1);
    return failed != 0 || argc < 2;
}
