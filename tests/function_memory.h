/* Where a function's driver has its descriptors and buffers of messages in its memory, in bytes. The GGTT
 * shows the memory from the start of the function's share on. */
#ifndef TESTS_FUNCTION_MEMORY_H
#define TESTS_FUNCTION_MEMORY_H

enum { KB = 1 << 10, MB = 1 << 20 };
enum {
    H2G_DESCRIPTOR = 0,
    G2H_DESCRIPTOR = 2 * KB,
    H2G_BUFFER = 4 * KB,
    H2G_BYTES = 4 * KB,
    G2H_BUFFER = 8 * KB,
    G2H_BYTES = 16 * KB,
    EVENTS = 32 * KB,
};

#endif
