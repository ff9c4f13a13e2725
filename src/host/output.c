#include "host/output.h"

#include "host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
    if (fd >= 0 && !file) {
        const int error = errno;
        close(fd);
        errno = error == EINVAL ? EBADF : error; /* the program closed it, and the number is another file's */
    }
    taken = file && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    return file;
}

static int first_number;

void output_use_fds_from(int first)
{
    first_number = first;
}

bool output_open(struct output *o, const char *path)
{
    *o = (struct output){0};
    if (strcmp(path, "-") == 0)
        return (o->file = standard_output()) != NULL;
    int fd = files_create(path, &o->file_number);
    const int high = first_number && fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, first_number) : -1;
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    if (fd < 0 || !(o->file = fdopen(fd, "wb"))) {
        const int error = errno;
        if (fd >= 0) {
            close(fd);
            files_finish(o->file_number, false);
        }
        errno = error;
        return false;
    }
    return true;
}

static bool output_end(struct output *o, bool keep)
{
    int error = 0;
    if (fflush(o->file) != 0)
        error = errno;
    if (!error && ferror(o->file)) /* an earlier write failed: the same write gives the reason */
        error = write(fileno(o->file), "", 1) < 0 ? errno : EIO;
    if (fclose(o->file) != 0 && !error)
        error = errno;
    if (o->file_number && !files_finish(o->file_number, keep && !error) && !error)
        error = errno;
    *o = (struct output){0};
    errno = error;
    return !error;
}

bool output_close(struct output *o)
{
    return output_end(o, true);
}

bool output_write(const char *path, const void *bytes, size_t size_bytes)
{
    struct output file;
    if (!output_open(&file, path))
        return false;
    fwrite(bytes, 1, size_bytes, file.file);
    return output_close(&file);
}

void output_drop(struct output *o)
{
    if (o->file)
        output_end(o, false);
}

void output_abandon_in_child(struct output *o)
{
    const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (o->file && fd >= 0)
        dup2(fd, fileno(o->file));
    if (fd >= 0)
        close(fd);
}
