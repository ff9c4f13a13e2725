/* A prompt for lines of a debugger: scripts, a terminal with completion and history, or a pipe. */
#include "prompt.h"

#include "tool.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBEDIT
#include <editline/readline.h>
#endif

enum { SCRIPT_BYTES = 1 << 20 };

/* ---- Lines ---- */

static void prompt_line(struct prompt *p, const char *line)
{
    const enum debugger_result result = p->line(p->user, line);
    p->failed |= result == DEBUGGER_REFUSED;
    p->quit |= result == DEBUGGER_QUIT;
}

/* Lines of a script, which are shown. */
static void run_script(struct prompt *p, char *text)
{
    for (char *rest, *line = strtok_r(text, "\n", &rest); line && !p->quit;
         line = strtok_r(NULL, "\n", &rest)) {
        printf("(softgt) %s\n", line);
        prompt_line(p, line);
    }
}

/* Standard input that is no terminal: it ends at the end, or at a line that fails with --batch. */
static void read_lines(struct prompt *p)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (!p->quit && (length = getline(&line, &room, stdin)) >= 0) {
        if (length && line[length - 1] == '\n')
            line[length - 1] = 0;
        prompt_line(p, line);
    }
    free(line);
}

#ifdef HAVE_LIBEDIT
static struct prompt *completed;
static char *words; /* the rest of the candidates */

static char *next_word(const char *text, int again)
{
    (void)text;
    if (!again)
        words = (char *)(uintptr_t)completed->complete(completed->user, rl_line_buffer);
    if (!*words)
        return NULL;
    char *const end = strchr(words, '\n'), *const word = strndup(words, (size_t)(end - words));
    words = end + 1;
    return word;
}

static char **complete(const char *text, int start, int end)
{
    (void)start, (void)end;
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, next_word);
}

/* In $XDG_STATE_HOME/softgt; "": nowhere. */
static void history_path(char *path, size_t size)
{
    const char *const state = getenv("XDG_STATE_HOME"), *const home = getenv("HOME");
    path[0] = 0;
    if (state && *state)
        snprintf(path, size, "%s/softgt", state);
    else if (home && *home)
        snprintf(path, size, "%s/.local/state/softgt", home);
    if (!*path || (mkdir(path, 0700) != 0 && errno != EEXIST))
        path[0] = 0;
    else
        strncat(path, "/debug-history", size - strlen(path) - 1);
}

static void ask_lines(struct prompt *p)
{
    char path[4096];
    completed = p;
    rl_readline_name = (char *)(uintptr_t) "softgt";
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = (char *)(uintptr_t) " \t";
    rl_completer_word_break_characters = (char *)(uintptr_t) " \t";
    using_history();
    history_path(path, sizeof path);
    read_history(path);
    stifle_history(1000);
    while (!p->quit) {
        char *const line = readline("(softgt) ");
        if (!line)
            break;
        if (*line)
            add_history(line);
        prompt_line(p, line);
        free(line);
    }
    write_history(path);
}
#else
static void ask_lines(struct prompt *p)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    while (!p->quit && length >= 0) {
        fputs("(softgt) ", stdout);
        fflush(stdout);
        length = getline(&line, &room, stdin);
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = 0;
        if (length >= 0)
            prompt_line(p, line);
    }
    free(line);
}
#endif

/* ---- All ---- */

bool prompt_read_scripts(struct prompt_scripts *s)
{
    for (unsigned n = 0; n < s->count; n++) {
        size_t size;
        char *const text = tool_read(s->files[n], SCRIPT_BYTES, &size);
        s->texts[n] = text ? strndup(text, size) : NULL;
        free(text);
        if (!s->texts[n])
            return false;
    }
    return true;
}

void prompt_free_scripts(struct prompt_scripts *s)
{
    for (unsigned n = 0; n < s->count; n++)
        free(s->texts[n]);
}

void prompt_add_script(struct prompt_scripts *s, struct argp_state *state, const char *file)
{
    if (s->count == PROMPT_SCRIPTS)
        argp_error(state, "at most %d files of --execute", PROMPT_SCRIPTS);
    s->files[s->count++] = file;
}

void prompt_run(struct prompt *p, const struct prompt_scripts *s)
{
    for (unsigned n = 0; n < s->count && !p->quit; n++)
        run_script(p, s->texts[n]);
    if (p->quit || s->ends)
        return;
    if (isatty(STDIN_FILENO))
        ask_lines(p);
    else
        read_lines(p);
}
