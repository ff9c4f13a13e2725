/* softgt run --jobs: the reports of its results: the summary, TAP 14, and JUnit's XML as Jenkins and GitLab
 * read it. */
#include "run_jobs.h"

#include "tool.h"

#include "host/files.h"
#include "host/output.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

enum { RESULTS = JOB_NOT_RUN + 1 };
const char *const job_result_names[] = {
    [JOB_PASSED] = "passed",     [JOB_FAILED] = "failed",   [JOB_FAILED_ON] = "failed by --fail-on",
    [JOB_UNUSABLE] = "unusable", [JOB_CRASHED] = "crashed", [JOB_HUNG] = "hung",
    [JOB_NOT_RUN] = "not run",
};
/* JUnit's type of a failure. */
static const char *const failure_types[] = {
    [JOB_PASSED] = "",           [JOB_FAILED] = "failed",   [JOB_FAILED_ON] = "fail-on",
    [JOB_UNUSABLE] = "unusable", [JOB_CRASHED] = "crashed", [JOB_HUNG] = "hung",
    [JOB_NOT_RUN] = "not-run",
};

struct results {
    const struct jobs_options *options;
    unsigned count, done, counts[RESULTS];
    struct text failures; /* a line each, for the summary */
    struct output junit;
    FILE *cases; /* the body of `junit`, whose head has the counts */
    uint64_t began_ns;
    time_t began;
};

static uint64_t results_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

/* ---- Text that XML and YAML allow ---- */

static const char replacement[] = "\xef\xbf\xbd";

/* The length of a character that both allow; 0: what is there is none. */
static size_t allowed_bytes(const char *at, size_t left)
{
    char bytes[5] = "";
    memcpy(bytes, at, left < 4 ? left : 4);
    const unsigned char c = (unsigned char)*bytes;
    const size_t length = c ? text_character_bytes(bytes) : 0;
    const bool is_control = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f ||
                            (c == 0xc2 && (bytes[1] & 0xe0) == 0x80),
               is_none = c == 0xef && (unsigned char)bytes[1] == 0xbf && (unsigned char)bytes[2] >= 0xbe;
    return is_control || is_none ? 0 : length;
}

/* A parser makes blanks of the line ends and tabs of an attribute. */
static void put_xml_as(FILE *to, const char *text, size_t length, bool is_attribute)
{
    for (size_t i = 0; i < length;) {
        const size_t bytes = allowed_bytes(text + i, length - i);
        const char *const name = text[i] == '&'                    ? "&amp;"
                                 : text[i] == '<'                  ? "&lt;"
                                 : text[i] == '>'                  ? "&gt;"
                                 : text[i] == '"'                  ? "&quot;"
                                 : is_attribute && text[i] == '\n' ? "&#10;"
                                 : is_attribute && text[i] == '\t' ? "&#9;"
                                                                   : NULL;
        if (name)
            fputs(name, to);
        else if (bytes)
            fwrite(text + i, 1, bytes, to);
        else
            fputs(replacement, to);
        i += bytes ? bytes : 1;
    }
}

static void put_xml(FILE *to, const char *text, size_t length)
{
    put_xml_as(to, text, length, false);
}

static void put_attribute(FILE *to, const char *text)
{
    put_xml_as(to, text, strlen(text), true);
}

/* The lines of a text, each with an indent. */
static void put_lines(const char *indent, const struct text *t)
{
    bool begins = true;
    for (size_t i = 0; i < t->length;) {
        const size_t bytes = allowed_bytes(t->bytes + i, t->length - i);
        if (begins && t->bytes[i] != '\n')
            fputs(indent, stdout);
        begins = t->bytes[i] == '\n';
        fwrite(bytes ? t->bytes + i : replacement, 1, bytes ? bytes : 3, stdout);
        i += bytes ? bytes : 1;
    }
    if (!begins)
        putchar('\n');
}

/* ---- TAP ---- */

/* The description of a test point: # and \ have a meaning there. */
static void tap_name(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (*c == '#' || *c == '\\')
            putchar('\\');
        putchar((unsigned char)*c < ' ' ? '?' : *c);
    }
}

/* Lost bytes may begin inside a line: it is cut, too. */
static void tap_output(const struct job *job, unsigned stream, const char *name)
{
    if (!job->kept[stream].length)
        return;
    printf("  %s: |%s\n", name, strchr(" \n", *job->kept[stream].bytes) ? "2" : "");
    put_lines("    ", &job->kept[stream]);
    if (job->lost_bytes[stream])
        printf("    ... and %llu bytes more\n", (unsigned long long)job->lost_bytes[stream]);
}

/* The objects that a file printed, as JSON, which YAML includes. */
static void tap_objects(const struct job *job)
{
    const struct text *const t = &job->kept[JOB_OUT];
    size_t length = t->length;
    while (length && t->bytes[length - 1] != '\n') /* it was cut */
        length--;
    if (!length)
        return;
    puts("  objects:");
    for (size_t at = 0; at < length;) {
        const char *const end = memchr(t->bytes + at, '\n', length - at);
        const size_t bytes = (size_t)(end - t->bytes) - at;
        printf("    - %.*s\n", (int)bytes, t->bytes + at);
        at += bytes + 1;
    }
    if (job->lost_bytes[JOB_OUT])
        printf("    # ... and %llu bytes more\n", (unsigned long long)job->lost_bytes[JOB_OUT]);
}

static void tap_point(const struct results *r, const struct job *job)
{
    const bool passed = job->result == JOB_PASSED;
    struct text reason = {0};
    printf("%s %u - ", passed ? "ok" : "not ok", r->done);
    tap_name(job->file);
    putchar('\n');
    if (passed && !r->options->json)
        return;
    puts("  ---");
    if (!passed) {
        text_json(&reason, job->reason);
        if (reason.failed)
            tool_no_memory();
        printf("  message: %.*s\n  severity: fail\n  result: %s\n  exit_status: %d\n", (int)reason.length,
               reason.bytes, failure_types[job->result], job->status);
        text_free(&reason);
    }
    if (r->options->json) {
        tap_objects(job);
        tap_output(job, JOB_ERR, "stderr");
    } else {
        tap_output(job, JOB_OUT, "output");
    }
    puts("  ...");
}

/* ---- JUnit ---- */

static void junit_text(FILE *to, const char *name, const struct job *job, unsigned stream)
{
    const struct text *const t = &job->kept[stream];
    if (!t->length)
        return;
    fprintf(to, "      <%s>", name);
    put_xml(to, t->bytes, t->length);
    if (job->lost_bytes[stream])
        fprintf(to, "... and %llu bytes more\n", (unsigned long long)job->lost_bytes[stream]);
    fprintf(to, "</%s>\n", name);
}

static void junit_case(FILE *to, const struct job *job)
{
    fputs("    <testcase classname=\"softgt.run\" name=\"", to);
    put_attribute(to, job->file);
    fprintf(to, "\" time=\"%.3f\"", seconds(job->ended_ns - job->started_ns));
    if (job->result == JOB_PASSED && !job->kept[JOB_OUT].length && !job->kept[JOB_ERR].length) {
        fputs("/>\n", to);
        return;
    }
    fputs(">\n", to);
    if (job->result != JOB_PASSED) {
        fprintf(to, "      <failure type=\"%s\" message=\"", failure_types[job->result]);
        put_attribute(to, job->reason);
        fputs("\">", to);
        put_xml(to, job->reason, strlen(job->reason));
        fputs("</failure>\n", to);
    }
    junit_text(to, "system-out", job, JOB_OUT);
    junit_text(to, "system-err", job, JOB_ERR);
    fputs("    </testcase>\n", to);
}

static bool junit_close(struct results *r)
{
    const unsigned failures = r->count - r->counts[JOB_PASSED];
    FILE *const to = r->junit.file;
    char host[256] = "localhost", when[32] = "", block[4096];
    struct tm tm;
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&r->began, &tm))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
    const double time = seconds(results_now_ns() - r->began_ns);
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"softgt run\" tests=\"%u\" failures=\"%u\" errors=\"0\" time=\"%.3f\">\n"
            "  <testsuite name=\"softgt run\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"0\" "
            "time=\"%.3f\" "
            "timestamp=\"%s\" hostname=\"",
            r->count, failures, time, r->count, failures, time, when);
    put_attribute(to, host);
    fputs("\">\n", to);
    const bool complete = fflush(r->cases) == 0 && !ferror(r->cases); /* rewind forgets what failed */
    rewind(r->cases);
    for (size_t got; (got = fread(block, 1, sizeof block, r->cases)) > 0;)
        fwrite(block, 1, got, to);
    const bool good = complete && !ferror(r->cases);
    fclose(r->cases);
    fputs("  </testsuite>\n</testsuites>\n", to);
    if (good && output_close(&r->junit))
        return true;
    tool_error(r->options->junit, "%s",
               good ? strerror(errno) : "its contents cannot be kept: is /tmp full?");
    if (!good)
        output_drop(&r->junit);
    return false;
}

/* ---- All ---- */

struct results *results_open(const struct jobs_options *options, unsigned count)
{
    struct results *const r = calloc(1, sizeof *r);
    if (!r)
        tool_no_memory();
    *r = (struct results){
        .options = options, .count = count, .began_ns = results_now_ns(), .began = time(NULL)};
    if (options->junit && !(r->cases = tmpfile())) {
        tool_error(NULL, "a temporary file cannot be made: %s", strerror(errno));
        free(r);
        return NULL;
    }
    if (options->junit && !output_open(&r->junit, options->junit)) {
        tool_error(options->junit, "cannot be written (--junit): %s", files_error(errno));
        fclose(r->cases);
        free(r);
        return NULL;
    }
    if (options->tap)
        printf("TAP version 14\n1..%u\n", count);
    return r;
}

/* A name or a reason in one line: names of files may have line ends. */
static void add_line(struct text *to, const char *words)
{
    for (; *words; words++)
        text_format(to, "%c", (unsigned char)*words < ' ' ? '?' : *words);
}

static void add_failure(struct results *r, const struct job *job)
{
    text_string(&r->failures, r->options->tap ? "#  " : "  ");
    add_line(&r->failures, job->file);
    text_string(&r->failures, ": ");
    add_line(&r->failures, job->reason);
    text_string(&r->failures, "\n");
}

void results_add(struct results *r, const struct job *job)
{
    r->done++;
    r->counts[job->result]++;
    if (r->options->tap && job->result != JOB_NOT_RUN) {
        tap_point(r, job);
        fflush(stdout);
    }
    if (r->options->junit)
        junit_case(r->cases, job);
    if (job->result != JOB_PASSED && job->result != JOB_NOT_RUN)
        add_failure(r, job);
    if (r->failures.failed)
        tool_no_memory();
}

static void print_summary(const struct results *r)
{
    FILE *const to = r->options->json && !r->options->tap ? stderr : stdout;
    const unsigned failed = (unsigned)(r->count - r->counts[JOB_PASSED] - r->counts[JOB_NOT_RUN]);
    const char *const mark = r->options->tap ? "# " : "";
    if (failed)
        fprintf(to, "%s%u of %u files failed:\n%.*s", mark, failed, r->count, (int)r->failures.length,
                r->failures.bytes);
    fprintf(to, "%s%u file%s: %u passed", mark, r->count, r->count == 1 ? "" : "s", r->counts[JOB_PASSED]);
    for (unsigned i = JOB_FAILED; i < RESULTS; i++)
        if (r->counts[i] || i == JOB_FAILED)
            fprintf(to, ", %u %s", r->counts[i], job_result_names[i]);
    fputc('\n', to);
}

int results_close(struct results *r, bool stopped)
{
    if (r->options->tap && stopped)
        puts("Bail out! a signal ended the run");
    print_summary(r);
    const bool written = !r->options->junit || junit_close(r);
    const int status = r->counts[JOB_UNUSABLE] || !written ? TOOL_UNUSABLE
                       : stopped || r->counts[JOB_FAILED] || r->counts[JOB_CRASHED] || r->counts[JOB_HUNG]
                           ? TOOL_FAILED
                       : r->counts[JOB_FAILED_ON] ? TOOL_FAILED_ON
                                                  : TOOL_CLEAN;
    text_free(&r->failures);
    free(r);
    return status;
}
