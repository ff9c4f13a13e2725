/* One program has all test programs of a suite: linking each with the whole core takes longer than running
 * them. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

/* Opens a test program's main: `TEST_PROGRAM(blit_test)`. */
#define TEST_PROGRAM(name)                                                                                   \
    int name##_program(void);                                                                                \
    int name##_program(void)

#endif
