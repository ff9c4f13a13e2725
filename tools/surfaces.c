#include "surfaces.h"

#include "sheet_arguments.h"

#include "host/html.h"
#include "host/files.h"
#include "host/output.h"
#include "device/host.h"

#include <errno.h>
#include <sys/stat.h>

enum {
    WIDEST = 32768,
    MOST_PIXELS = 1 << 26,
    MOST_PIXELS_IN_ALL = 1 << 28,
    MOST_SURFACES = 1000,
    KINDS = 32
};

static const char *const tiling_names[] = {"linear", "x", "y", "yf", "ys", "4", "64"};

/* ---- One surface ---- */

static bool engine_named(struct softgt *device, const char *name, int *engine)
{
    struct softgt_engine_status status;
    for (*engine = 0; softgt_engine_get_status(device, (unsigned)*engine, &status); ++*engine)
        if (strcmp(status.name, name) == 0)
            return true;
    return false;
}

static bool parse_number(const char **at, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    if (**at == '-' || **at == ' ')
        return false;
    const unsigned long long number = strtoull(*at, &end, 0);
    if (end == *at || errno || number > most)
        return false;
    *at = end;
    *value = number;
    return true;
}

/* Copies the word up to a comma or the end. */
static bool parse_word(const char **at, char *word, size_t size)
{
    const size_t length = strcspn(*at, ",");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static bool parse_tiling(const char *word, enum softgt_tiling *tiling)
{
    for (unsigned i = 0; i < sizeof tiling_names / sizeof tiling_names[0]; i++)
        if (strcmp(word, tiling_names[i]) == 0) {
            *tiling = (enum softgt_tiling)i;
            return true;
        }
    return false;
}

/* The device's surface states have that tiling. */
static bool has_tiling(const struct softgt *device, enum softgt_tiling tiling)
{
    static const char *const values[] = {[SOFTGT_TILE_Y] = "YMAJOR",
                                         [SOFTGT_TILE_YF] = "4KB" /* tiled resources */,
                                         [SOFTGT_TILE_YS] = "64KB",
                                         [SOFTGT_TILE_4] = "TILE4",
                                         [SOFTGT_TILE_64] = "TILE64"};
    bool found = tiling < SOFTGT_TILE_Y;
    struct softgt_spec *const spec = sheet_spec(softgt_info(device)->name);
    const struct softgt_row *const row = softgt_spec_find(spec, SOFTGT_ROW_STRUCTURE, "RENDER_SURFACE_STATE");
    struct softgt_field_info field;
    for (size_t i = 0; !found && softgt_row_get_field(row, i, &field); i++)
        for (uint32_t v = 0; !found && v < field.values; v++) {
            uint64_t value;
            found = tool_ends_with(softgt_row_value_name(row, i, v, &value), values[tiling]);
        }
    softgt_spec_destroy(spec);
    return found;
}

bool surface_fits(const struct surface_request *r, const struct softgt *device)
{
    char there[64] = "";
    if (has_tiling(device, r->picture.tiling))
        return true;
    for (unsigned i = 0; i < sizeof tiling_names / sizeof tiling_names[0]; i++)
        if (has_tiling(device, (enum softgt_tiling)i)) {
            strncat(there, *there ? ", " : "", sizeof there - strlen(there) - 1);
            strncat(there, tiling_names[i], sizeof there - strlen(there) - 1);
        }
    tool_error("--surface", "%s has no tiling %s; it has %s", softgt_info(device)->name,
               tiling_names[r->picture.tiling], there);
    return false;
}

static size_t common(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

/* Lists the formats with the longest common prefix. */
static void name_formats(const char *word, char *why, size_t why_bytes)
{
    enum { SHOWN = 6 };
    size_t most = 0;
    unsigned shown = 0;
    for (size_t i = 0; softgt_format_at(i); i++)
        most =
            common(word, softgt_format_at(i)->name) > most ? common(word, softgt_format_at(i)->name) : most;
    int used = snprintf(why, why_bytes, "no format is named '%s'; there are", word);
    for (size_t i = 0; softgt_format_at(i) && shown < SHOWN; i++)
        if (common(word, softgt_format_at(i)->name) == most)
            used += snprintf(why + used, why_bytes - (size_t)used, "%s %s", shown++ ? "," : "",
                             softgt_format_at(i)->name);
    snprintf(why + used, why_bytes - (size_t)used, " and others, as the manuals spell them");
}

bool surface_parse(const char *text, struct surface_request *r, char *why, size_t why_bytes)
{
    uint64_t width = 0, height = 0, pitch = 0;
    char word[40] = "";
    const char *at = text, *colon = strchr(text, ':');
    *r = (struct surface_request){0};
    if (colon && (size_t)(colon - text) < sizeof r->where) {
        memcpy(r->where, text, (size_t)(colon - text));
        at = colon + 1;
    }
    struct picture *p = &r->picture;
    if (!parse_number(&at, UINT64_MAX, &p->address) || *at++ != ',')
        return snprintf(why, why_bytes, "no address before the first comma"), false;
    if (!parse_number(&at, WIDEST, &width) || *at++ != 'x' || !parse_number(&at, WIDEST, &height) ||
        *at++ != ',' || !width || !height)
        return snprintf(why, why_bytes, "the size is WIDTHxHEIGHT, up to %ux%u", WIDEST, WIDEST), false;
    if (width * height > MOST_PIXELS)
        return snprintf(why, why_bytes, "more than %u pixels", MOST_PIXELS), false;
    if (!parse_word(&at, word, sizeof word) || !(p->format = softgt_format_find(word))) {
        name_formats(word, why, why_bytes);
        return false;
    }
    if (*at++ != ',' || !parse_word(&at, word, sizeof word) || !parse_tiling(word, &p->tiling))
        return snprintf(why, why_bytes, "the tiling is one of linear, x, y, yf, ys, 4, 64"), false;
    if (p->tiling != SOFTGT_TILE_LINEAR && !tile_layout(p->tiling, p->format->bytes))
        return snprintf(why, why_bytes, "tiling %s has no pixels of %u bytes", tiling_names[p->tiling],
                        p->format->bytes),
               false;
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    p->pitch_bytes = (int32_t)picture_pitch(p->width, p->format, p->tiling);
    if (*at == ',') {
        at++;
        if (!parse_number(&at, 1 << 20, &pitch) || pitch == 0)
            return snprintf(why, why_bytes, "the pitch is in bytes, up to %u", 1u << 20), false;
        p->pitch_bytes = (int32_t)pitch;
    }
    if (*at)
        return snprintf(why, why_bytes, "'%s' is too much", at), false;
    const uint32_t unit = picture_pitch(1, p->format, p->tiling);
    const uint32_t least = p->tiling == SOFTGT_TILE_LINEAR ? p->width * p->format->bytes
                                                           : picture_pitch(p->width, p->format, p->tiling);
    if ((uint32_t)p->pitch_bytes < least)
        return snprintf(why, why_bytes, "a pitch of %d bytes is too small: %ux%u %s, %s, need %u at least",
                        p->pitch_bytes, p->width, p->height, p->format->name, tiling_names[p->tiling], least),
               false;
    if (p->tiling != SOFTGT_TILE_LINEAR && (uint32_t)p->pitch_bytes % unit)
        return snprintf(why, why_bytes, "the pitch of a tiled surface is a multiple of its tiles' %u bytes",
                        unit),
               false;
    return true;
}

/* Without a space: the GGTT if the address is mapped there, otherwise the first engine that maps it. */
static bool find_place(struct surface_request *r, struct softgt *device)
{
    struct picture *p = &r->picture;
    struct softgt_engine_status s;
    uint8_t byte;
    if (strcmp(r->where, "ggtt") == 0) {
        p->engine = PICTURE_GGTT;
        return true;
    }
    if (r->where[0])
        return engine_named(device, r->where, &p->engine);
    if (softgt_ggtt_read(device, p->address, &byte, 1)) {
        p->engine = PICTURE_GGTT;
        return true;
    }
    for (unsigned i = 0; softgt_engine_get_status(device, i, &s); i++)
        if (softgt_ppgtt_read(device, i, p->address, &byte, 1)) {
            p->engine = (int)i;
            return true;
        }
    return false;
}

bool surface_save(struct surface_request *r, struct softgt *device, const char *path)
{
    uint64_t missing = 0;
    r->picture.device = device;
    if (!surface_fits(r, device))
        return false;
    if (!find_place(r, device)) {
        if (r->where[0])
            tool_error("--surface", "%s has no engine %s", softgt_info(device)->name, r->where);
        else
            tool_error("--surface", "no engine has memory mapped at %#llx",
                       (unsigned long long)r->picture.address);
        return false;
    }
    uint8_t *rgba = picture_read(&r->picture, &missing);
    if (!rgba) {
        tool_error("--surface", "out of memory");
        return false;
    }
    const int error = picture_write(path, rgba, r->picture.width, r->picture.height);
    free(rgba);
    if (error)
        tool_error(path, "%s", files_error(error));
    else if (missing)
        tool_error("--surface",
                   "%llu pixels lie in rows that are not all mapped; what is missing is clear in %s",
                   (unsigned long long)missing, path);
    return !error;
}

/* ---- Surfaces of blits ---- */

struct kind {
    const char *name; /* number of a command */
    uint64_t count;
};

struct surface {
    struct picture picture;
    const char *engine;
    bool dirty;
    uint64_t missing, blits, first_ns, last_ns;
    struct kind kinds[KINDS];
    uint8_t *rgba;
    uint64_t pixels; /* pixels; later blits may have changed them */
};

struct surfaces {
    const char *folder;
    struct softgt *device;
    struct surface *all;
    size_t count;
    uint64_t pixels; /* bytes of all pictures */
    uint64_t beyond; /* blits on surfaces beyond the limit */
};

struct surfaces *surfaces_open(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tool_error(folder, "%s", strerror(errno));
        return NULL;
    }
    struct surfaces *s = calloc(1, sizeof *s);
    if (!s)
        tool_no_memory();
    s->folder = folder;
    return s;
}

void surfaces_device(struct surfaces *s, struct softgt *device)
{
    s->device = device;
}

/* Same address and layout. Surfaces of two contexts may look alike. */
static struct surface *surface_of(struct surfaces *s, const struct softgt_event *e)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct picture *p = &s->all[i].picture;
        if (p->address == e->address && p->pitch_bytes == e->blit->pitch_bytes &&
            p->tiling == e->blit->tiling && p->format == picture_format_of_depth(e->blit->depth) &&
            s->all[i].engine == e->unit)
            return &s->all[i];
    }
    if (s->count == MOST_SURFACES)
        return NULL;
    struct surface *all = realloc(s->all, (s->count + 1) * sizeof *all);
    if (!all)
        tool_no_memory();
    s->all = all;
    struct surface *new = &all[s->count++];
    *new = (struct surface){.engine = e->unit, .first_ns = e->now_ns};
    new->picture = (struct picture){.address = e->address,
                                    .pitch_bytes = e->blit->pitch_bytes,
                                    .tiling = e->blit->tiling,
                                    .format = picture_format_of_depth(e->blit->depth)};
    return new;
}

static uint32_t larger(uint32_t a, int32_t b, uint32_t most)
{
    const uint32_t at_least = b < 0 ? 0 : (uint32_t)b;
    const uint32_t value = a > at_least ? a : at_least;
    return value < most ? value : most;
}

static void count_kind(struct surface *s, const char *name)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (!s->kinds[i].name || s->kinds[i].name == name) {
            s->kinds[i].name = name;
            s->kinds[i].count++;
            return;
        }
}

/* Takes the picture while the drawing context is current. */
static void snapshot(struct surfaces *s, struct surface *surface)
{
    struct picture *p = &surface->picture;
    const uint64_t pixels = (uint64_t)p->width * p->height;
    surface->dirty = false;
    p->device = s->device;
    free(surface->rgba);
    surface->rgba = NULL;
    s->pixels -= surface->pixels;
    surface->pixels = 0;
    if (!pixels || pixels > MOST_PIXELS || pixels > MOST_PIXELS_IN_ALL - s->pixels ||
        !engine_named(s->device, surface->engine, &p->engine))
        return;
    surface->rgba = picture_read(p, &surface->missing);
    if (!surface->rgba)
        tool_no_memory();
    surface->pixels = pixels;
    s->pixels += pixels;
}

void surfaces_event(struct surfaces *s, const struct softgt_event *e)
{
    if (e->what == SOFTGT_TRACE_BLITS) {
        struct surface *surface = surface_of(s, e);
        if (!surface) {
            s->beyond++;
            return;
        }
        const int32_t pitch = e->blit->pitch_bytes < 0 ? -e->blit->pitch_bytes : e->blit->pitch_bytes;
        const uint32_t widest = pitch ? (uint32_t)pitch / e->blit->bytes_per_pixel : WIDEST;
        surface->picture.width = larger(surface->picture.width, e->blit->x2, widest ? widest : 1);
        surface->picture.height = larger(surface->picture.height, e->blit->y2, WIDEST);
        surface->dirty = true;
        surface->blits++;
        surface->last_ns = e->now_ns;
        count_kind(surface, e->name);
    } else if (s->device && strcmp(e->name, "batch end") == 0) {
        for (size_t i = 0; i < s->count; i++)
            if (s->all[i].dirty && s->all[i].engine == e->unit)
                snapshot(s, &s->all[i]);
    }
}

static void file_name(const struct surface *s, size_t number, char *name, size_t size)
{
    const struct picture *p = &s->picture;
    snprintf(name, size, "%03zu-%s-%llx-%ux%u-%s-%s.png", number, s->engine, (unsigned long long)p->address,
             p->width, p->height, p->format->name, tiling_names[p->tiling]);
}

/* The reason why there is no picture; NULL: there is one. */
static const char *why_missing(const struct surface *s)
{
    const struct picture *p = &s->picture;
    return s->rgba                   ? NULL
           : p->pitch_bytes < 0      ? "its pitch is negative: rows lie before its address"
           : !p->width || !p->height ? "nothing of it was drawn on"
           : (uint64_t)p->width * p->height > MOST_PIXELS ? "it has too many pixels"
                                                          : "the others have too many pixels";
}

static void page_missing(FILE *page, const struct surface *s)
{
    const struct picture *p = &s->picture;
    fprintf(page,
            "<figure><figcaption><b>%#llx</b> %ux%u %s, %s, pitch %d<br>%s, %s blits: not shown, "
            "%s</figcaption></figure>\n",
            (unsigned long long)p->address, p->width, p->height, p->format->name, tiling_names[p->tiling],
            p->pitch_bytes, s->engine, tool_number(s->blits), why_missing(s));
}

static void page_entry(FILE *page, const struct surface *s, const char *name)
{
    const struct picture *p = &s->picture;
    fprintf(page,
            "<figure><a href=\"%s\"><img src=\"%s\" alt=\"%s\" loading=\"lazy\"></a><figcaption><b>%#llx</b> "
            "%ux%u %s, %s, pitch %d<br>%s, %s blits%s:",
            name, name, name, (unsigned long long)p->address, p->width, p->height, p->format->name,
            tiling_names[p->tiling], p->pitch_bytes, s->engine, tool_number(s->blits),
            s->missing ? ", not all mapped" : "");
    for (unsigned i = 0; i < KINDS && s->kinds[i].name; i++)
        fprintf(page, " %s %s", s->kinds[i].name, tool_number(s->kinds[i].count));
    fprintf(page, "</figcaption></figure>\n");
}

bool surfaces_finish(struct surfaces *s, struct softgt *device, const char *trace)
{
    char path[4096], name[160];
    s->device = device;
    snprintf(path, sizeof path, "%s/index.html", s->folder);
    struct output file;
    if (!output_open(&file, path)) {
        tool_error(path, "%s", files_error(errno));
        return false;
    }
    FILE *page = file.file;
    bool written = true;
    fprintf(page,
            "<!doctype html><meta charset=\"utf-8\"><title>Surfaces</title><style>body{font:14px "
            "sans-serif;background:#ddd}"
            "figure{display:inline-block;margin:8px;padding:8px;background:#fff;vertical-align:top;max-width:"
            "400px}"
            "img{max-width:384px;max-height:384px;image-rendering:pixelated;background:repeating-conic-"
            "gradient(#bbb 0 25%%,#eee 0 50%%) 0/16px 16px}"
            "figcaption{font-size:12px;overflow-wrap:anywhere}</style>\n<h1>");
    size_t shown = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->all[i].dirty)
            snapshot(s, &s->all[i]);
        shown += s->all[i].rgba != NULL;
    }
    html_put(page, trace, strlen(trace));
    fprintf(page, ": what blits drew</h1><p>%s, %zu surfaces, %zu of them shown.</p>\n",
            softgt_info(device)->summary, s->count, shown);
    for (size_t i = 0; i < s->count && written; i++) {
        struct surface *surface = &s->all[i];
        if (!surface->rgba) {
            page_missing(page, surface);
            continue;
        }
        file_name(surface, i, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", s->folder, name);
        const int error = picture_write(path, surface->rgba, surface->picture.width, surface->picture.height);
        if (error)
            tool_error(path, "%s", files_error(error));
        written = !error;
        page_entry(page, surface, name);
    }
    if (!s->count)
        fprintf(page, "<p>No blit drew on anything in this run: there is nothing to show.</p>\n");
    if (s->beyond)
        fprintf(page, "<p>%s blits went to more surfaces than are kept.</p>\n", tool_number(s->beyond));
    if (!output_close(&file)) {
        tool_error(s->folder, "%s", strerror(errno));
        written = false;
    }
    return written;
}

void surfaces_close(struct surfaces *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->all[i].rgba);
    free(s->all);
    free(s);
}
