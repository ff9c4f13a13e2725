/* SUITE NAME: runs one test program of the suite; SUITE is the list that meson.build writes. */
#include <stdio.h>
#include <string.h>

#include SUITE

#define DECLARE(name) int name##_program(void);
SUITE_PROGRAMS(DECLARE)

#define ROW(name) {#name, name##_program},
static const struct {
    const char *name;
    int (*run)(void);
} programs[] = {SUITE_PROGRAMS(ROW)};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i].name, argv[1]) == 0)
            return programs[i].run();
    fprintf(stderr, "usage: %s TEST\n", argv[0]);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        fprintf(stderr, "    %s\n", programs[i].name);
    return 2;
}
