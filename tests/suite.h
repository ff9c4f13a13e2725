/* One program has all test programs of a suite: linking each with the whole core takes longer than running
 * them. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

/* Opens a test program's main: `TEST_PROGRAM(blit_test)`. */
#define TEST_PROGRAM(name)                                                                                   \
    int name##_program(void);                                                                                \
    int name##_program(void)

/* The number of random cases. Under a sanitizer it is a quarter: the same lines run there, at ten times the
 * cost, and the whole number compares results in the build without. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CASES(count) ((count) / 4)
#endif
#endif
#ifndef CASES
#define CASES(count) (count)
#endif

#endif
