#include "frontend/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *standard_output(void)
{
    static bool taken;
    if (taken) {
        errno = EBUSY;
        return NULL;
    }
    fflush(stdout);
    const int fd = dup(STDOUT_FILENO);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    taken = file && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    return file;
}

static bool under(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* A fresh file beside `path`, with the rights that the file there has, or a new one would get. */
static bool open_beside(struct output *o, const char *path, const struct stat *there)
{
    char *place = there ? realpath(path, NULL) : strdup(path); /* a link stays one */
    char *beside = place ? malloc(strlen(place) + 8) : NULL;
    if (!beside) {
        free(place);
        return false;
    }
    strcpy(beside, place);
    strcat(beside, ".XXXXXX");
    const int fd = mkstemp(beside);
    const mode_t mask = umask(0);
    umask(mask);
    if (fd >= 0 && fchmod(fd, there ? there->st_mode & 07777u : 0666u & ~mask) == 0 &&
        (o->file = fdopen(fd, "wb"))) {
        o->path = place;
        o->beside = beside;
        return true;
    }
    const int error = errno;
    if (fd >= 0) {
        close(fd);
        unlink(beside);
    }
    free(place);
    free(beside);
    errno = error;
    return false;
}

bool output_open(struct output *o, const char *path)
{
    struct stat there;
    *o = (struct output){0};
    if (strcmp(path, "-") == 0)
        return (o->file = standard_output()) != NULL;
    const bool exists = stat(path, &there) == 0;
    if ((exists && !S_ISREG(there.st_mode)) || under(path, "/dev/") || under(path, "/proc/"))
        return (o->file = fopen(path, "wb")) != NULL;
    if (exists && access(path, W_OK) != 0)
        return false;
    return open_beside(o, path, exists ? &there : NULL);
}

static bool end(struct output *o, bool keep)
{
    int error = 0;
    if (fflush(o->file) != 0)
        error = errno;
    if (!error && ferror(o->file)) /* an earlier write: why, the same write tells again */
        error = write(fileno(o->file), "", 1) < 0 ? errno : EIO;
    if (fclose(o->file) != 0 && !error)
        error = errno;
    if (o->beside && keep && !error && rename(o->beside, o->path) != 0)
        error = errno;
    if (o->beside && (!keep || error))
        unlink(o->beside);
    free(o->path);
    free(o->beside);
    *o = (struct output){0};
    errno = error;
    return !error;
}

bool output_close(struct output *o)
{
    return end(o, true);
}

void output_drop(struct output *o)
{
    if (o->file)
        end(o, false);
}
