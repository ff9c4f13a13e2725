/* softgt serve's part of the benchmarks. */
#ifndef BENCH_BENCH_SERVE_H
#define BENCH_BENCH_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

/* Microseconds of a register read, and how many bare round trips that is. False: it cannot be measured. */
bool bench_serve(double *read_us, double *ratio);

/* A line for each load of a guest whose name begins with `only` (NULL: any): who waits for the server while
 * it runs, and how long. False: as above. */
bool bench_worst(const char *only);

/* A server in a process of its own, and its client, greeted. Memory without a file (-1) reads as zero. */
struct bench_server {
    pid_t child;
    int fd;
    struct sockaddr_un address;
};
bool bench_server_start(struct bench_server *s, unsigned threads); /* threads: of the host; 0: one */
bool bench_server_map(struct bench_server *s, uint64_t address, uint64_t size_bytes, int file);
bool bench_server_write(struct bench_server *s, uint64_t offset, const void *data, uint32_t size_bytes);
/* How long a register's read takes; negative: the server left. */
double bench_server_read_us(struct bench_server *s);
/* How long the stop signal takes, in milliseconds. */
double bench_server_end(struct bench_server *s);

#endif
