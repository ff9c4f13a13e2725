#include "exec_report.h"

#include "exec.h"

#include "built_features.h"

#include "tool.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Lines of the report ---- */

/* In the order of the report. */
static const struct {
    enum exec_line_kind kind;
    enum fail_event word;
    const char *title;
} kinds[] = {
    {EXEC_NOT_RUN, FAIL_UNSUPPORTED, "counted, not run: their results are missing"},
    {EXEC_NOT_MODELLED, FAIL_UNSUPPORTED, "not modelled: the program did nothing wrong"},
    {EXEC_HANG, FAIL_HUNG, "ended"},
    {EXEC_ASTRAY, FAIL_FAULTS, "accesses without a binding (--strict stops there)"},
    {EXEC_FAULT, FAIL_FAULTS, "page faults"},
    {EXEC_UNKNOWN, FAIL_UNKNOWN, "unknown commands"},
    {EXEC_REPORT, FAIL_ERRORS, "reported by the device"},
    {EXEC_REFUSED, FAIL_REFUSED, "calls that the driver does not support"},
    {EXEC_TROUBLE, FAIL_TROUBLE, "could not be done"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- Accounts ---- */

static void add_account(struct exec_account *all, const struct exec_account *one)
{
    all->submissions += one->submissions;
    all->hangs += one->hangs;
    all->opened += one->opened;
    all->calls += one->calls;
    all->kinds |= one->kinds;
    all->lines_lost += one->lines_lost;
    for (const struct exec_line *l = one->lines; l < one->lines + EXEC_LINES && l->count; l++) {
        struct exec_line *to = all->lines;
        while (to < all->lines + EXEC_LINES && to->count &&
               (to->kind != l->kind || strncmp(to->text, l->text, EXEC_TEXT) != 0))
            to++;
        if (to == all->lines + EXEC_LINES) {
            all->lines_lost++;
            continue;
        }
        const uint64_t before = to->count;
        *to = *l;
        to->text[EXEC_TEXT - 1] = 0;
        to->count += before;
    }
}

void exec_report_read(struct exec_report *r, const char *folder)
{
    static struct exec_account one;
    char path[2 * EXEC_PATH];
    DIR *list = opendir(folder);
    for (struct dirent *e; list && (e = readdir(list));) {
        r->is_loaded |= strcmp(e->d_name, EXEC_LOADED) == 0;
        if (strncmp(e->d_name, "account.", 8) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *file = fopen(path, "r");
        if (file && fread(&one, sizeof one, 1, file) == 1) {
            add_account(&r->stats, &one);
            r->processes++;
        }
        if (file)
            fclose(file);
    }
    if (list)
        closedir(list);
}

/* ---- Why the device was not used ---- */

/* Finds a program as execvp does. */
/* The program is static: it has no dynamic linker. */
static bool is_static(FILE *file)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segment ||
        fseek(file, (long)header.e_phoff, SEEK_SET) != 0)
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++)
        if (fread(&segment, sizeof segment, 1, file) != 1 || segment.p_type == PT_INTERP)
            return false;
    return true;
}

static const char *why_not_loaded(const char *program)
{
    char path[EXEC_PATH];
    FILE *file = exec_find_program(program, path) ? fopen(path, "r") : NULL;
    struct stat st;
    const char *why = "no process loaded the library that brings the device: LD_PRELOAD was removed, or the "
                      "C library is another one";
    if (!file)
        why = "the file does not exist or cannot be read";
    else if (fstat(fileno(file), &st) == 0 &&
             (!S_ISREG(st.st_mode) || !(st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH))))
        why = "the file is no program, or may not be executed";
    else if (fstat(fileno(file), &st) == 0 && st.st_mode & (S_ISUID | S_ISGID))
        why = "the program has special rights (set-user-ID): nothing is preloaded into it";
    else if (is_static(file))
        why = "the program is linked statically: nothing can be preloaded into it";
    if (file)
        fclose(file);
    return why;
}

/* NULL: the device was used or queried, which may be all that the program wants. */
static const char *why_unused(const struct exec_report *r)
{
    if (r->stats.submissions || r->stats.calls)
        return NULL;
    if (!r->is_loaded && r->program[0])
        return why_not_loaded(r->program[0]);
    if (!r->processes)
        return "nothing looked into /dev/dri: the program needs no graphics device, or no driver is "
               "installed (Mesa, or intel-opencl-icd), or it draws in software";
    if (r->options->driver == EXEC_XE)
        return "the driver in the program may not know xe: Mesa does from 24.1 on, Intel's compute runtime "
               "from "
               "24.13 on; --driver i915 is known to older ones";
    return "the driver in the program looked at the device and did not use it: it may not know this device";
}

/* ---- As text ---- */

static void print_lines(const struct exec_account *all, enum exec_line_kind kind, const char *title)
{
    bool first = true;
    for (const struct exec_line *l = all->lines; l < all->lines + EXEC_LINES && l->count; l++) {
        if (l->kind != kind)
            continue;
        if (first)
            fprintf(stderr, "  %s:\n", title);
        first = false;
        fprintf(stderr, "    %8s  %s\n", tool_number(l->count), l->text);
    }
}

void exec_report_print(const struct exec_report *r)
{
    const struct exec_account *all = &r->stats;
    if (!r->processes) {
        fprintf(stderr, "softgt: exec: no process opened the device\n  %s: %s\n", r->program[0],
                why_unused(r));
        return;
    }
    fprintf(stderr, "softgt: exec: %s ran %s submission%s of %u process%s, %s hung\n", r->options->device,
            tool_number(all->submissions), all->submissions == 1 ? "" : "s", r->processes,
            r->processes == 1 ? "" : "es", tool_number(all->hangs));
    if (why_unused(r))
        fprintf(stderr, "  %s: %s\n", r->program[0], why_unused(r));
    for (unsigned i = 0; i < KINDS; i++)
        print_lines(all, kinds[i].kind, kinds[i].title);
    if (all->lines_lost)
        fprintf(stderr, "  ... and %s of other kinds\n", tool_number(all->lines_lost));
}

/* ---- --fail-on ---- */

void exec_report_happened(const struct exec_report *r, struct fail_on *f)
{
    f->happened |= r->stats.submissions ? 0 : FAIL_BIT(UNUSED);
    for (unsigned i = 0; i < KINDS; i++) {
        const struct exec_line *l = r->stats.lines;
        while (l < r->stats.lines + EXEC_LINES && l->count && l->kind != kinds[i].kind)
            l++;
        if (r->stats.kinds >> kinds[i].kind & 1u)
            fail_on_note(f, kinds[i].word, l < r->stats.lines + EXEC_LINES && l->count ? l->text : NULL);
    }
    if (f->happened & FAIL_BIT(UNKNOWN))
        f->happened |= FAIL_BIT(ERRORS);
}

/* ---- As JSON ---- */

static const char *word_of(unsigned kind)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (kinds[i].kind == kind)
            return fail_on_names[kinds[i].word];
    return fail_on_names[FAIL_ERRORS];
}

struct json_object *exec_report_json(const struct exec_report *r, const struct fail_on *f)
{
    struct json_object *o = json_report("softgt.exec"), *program = json_array(), *lines = json_array();
    for (char **word = r->program; *word; word++)
        json_append(program, json_text(*word));
    for (const struct exec_line *l = r->stats.lines; l < r->stats.lines + EXEC_LINES && l->count; l++) {
        struct json_object *line = json_empty();
        json_add(line, "kind", json_string(word_of(l->kind)));
        json_add(line, "count", json_uint64(l->count));
        json_add(line, "text", json_text(l->text));
        json_append(lines, line);
    }
    json_add(o, "device", json_text(r->options->device));
    json_add(o, "driver", json_string(exec_driver_names[r->options->driver]));
    json_add(o, "program", program);
    json_add(o, "status", json_int(r->status));
    json_add(o, "signal", r->signal ? json_int(r->signal) : NULL);
    json_add(o, "exit_status", json_int(r->exit_status));
    json_add(o, "wall_time_ms", json_uint64(r->wall_ns / 1000000u));
    json_add(o, "softgt_version", json_string(SOFTGT_VERSION_TEXT));
    json_add(o, "processes", json_uint64(r->processes));
    json_add(o, "opened", json_uint64(r->stats.opened));
    json_add(o, "submissions", json_uint64(r->stats.submissions));
    json_add(o, "hung", json_uint64(r->stats.hangs));
    if (why_unused(r))
        json_add(o, "why_unused", json_string(why_unused(r)));
    json_add(o, "lines", lines);
    json_add(o, "lines_lost", json_uint64(r->stats.lines_lost));
    json_add(o, "failed_on", fail_on_json(f));
    return o;
}
