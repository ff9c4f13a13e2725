/*
 * Runs programs in the text form, each a test by its file's name. Lines '# LINE:COLUMN: TEXT' at a file's
 * start are the errors and failures it must end with, in order; a file without any must run clean. Notes
 * count where one is among those lines, as 'note: TEXT'. A line that ends with ' ...' leaves the rest open.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player/gts_run.h"

struct told {
    char text[32768];
    size_t at;
    bool notes, failures;
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
    struct told *t = user;
    if (m->kind == GTS_OUTPUT || (m->kind == GTS_NOTE && !t->notes))
        return;
    snprintf(line, sizeof line, m->device ? "%u:%u: %s%s (%s)\n" : "%u:%u: %s%s\n", m->line, m->column,
             m->kind == GTS_NOTE ? "note: " : "", m->text, m->device);
    t->failures |= m->kind != GTS_NOTE;
    append(t, line);
}

/* Line by line; a wanted line that ends with " ..." wants only what stands before. */
static bool same_messages(const char *wanted, const char *told)
{
    while (*wanted && *told) {
        const size_t w = strcspn(wanted, "\n"), t = strcspn(told, "\n");
        const bool open = w > 4 && memcmp(wanted + w - 4, " ...", 4) == 0;
        if (open ? t < w - 4 || memcmp(wanted, told, w - 4) != 0 : w != t || memcmp(wanted, told, w) != 0)
            return false;
        wanted += w + (wanted[w] == '\n');
        told += t + (told[t] == '\n');
    }
    return !*wanted && !*told;
}

static bool wanted_messages(const char *path, struct told *wanted)
{
    char line[1200];
    unsigned row, column;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file) && sscanf(line, "# %u:%u: ", &row, &column) == 2) {
        append(wanted, line + 2);
        wanted->notes |= strstr(line, ": note: ") != NULL;
    }
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
        const struct gts_options options = {.budget_dw = 1 << 24, .user = &told, .message = on_message};
        const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
        if (!wanted_messages(argv[i], &wanted)) {
            printf("not ok %d - %s: cannot be read\n", i, name);
            failed++;
            continue;
        }
        told.notes = wanted.notes;
        const enum gts_result result = gts_run_file(argv[i], &options);
        const bool good = same_messages(wanted.text, told.text) && told.failures == (result != GTS_CLEAN);
        printf("%sok %d - %s\n", good ? "" : "not ", i, name);
        if (!good)
            printf("# expected:\n%s# got (result %d):\n%s", wanted.text, (int)result, told.text);
        failed += !good;
    }
    printf("1..%d\n", argc - 1);
    return failed != 0 || argc < 2;
}
