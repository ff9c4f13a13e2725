/* In which ways a thread of an execution unit runs: all are to give the same. */
#ifndef TESTS_EU_WAYS_H
#define TESTS_EU_WAYS_H

#include "jit/jit.h"

#include <sys/mman.h>
#include <unistd.h>

/* Each level of the host's vectors, and the best of them with code that is translated when it runs for the
 * second time. */
enum { TEST_TRANSLATED = EU_SIMD_LEVELS, TEST_WAYS };

static inline bool test_code_map(void *user, size_t size_bytes, void **written, void **run)
{
    (void)user;
    const int file = memfd_create("code", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size_bytes) != 0)
        return false;
    *written = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    *run = mmap(NULL, size_bytes, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    close(file);
    return *written != MAP_FAILED && *run != MAP_FAILED;
}

static inline void test_code_unmap(void *user, size_t size_bytes, void *written, void *run)
{
    (void)user;
    munmap(written, size_bytes);
    munmap(run, size_bytes);
}

/* NULL: the host does not have it. */
static inline struct eu_cache *test_cache(unsigned way)
{
    static const struct softgt_code_port code = {.map = test_code_map, .unmap = test_code_unmap};
    if (way != TEST_TRANSLATED)
        return eu_cache_create_simd((enum eu_simd_level)way);
    struct eu_cache *const cache = eu_cache_create_simd(eu_host_simd_level());
    if (cache && eu_cache_enable_jit(cache, &code, 2))
        return cache;
    eu_cache_destroy(cache);
    return NULL;
}

#endif
