/* What tests that walk the rows share: they tell every row that is wrong, not only the first. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned wrong;

__attribute__((format(printf, 2, 3))) static inline void must(bool holds, const char *format, ...)
{
    if (holds)
        return;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    wrong++;
}

/* CSP-11: the manual's list of what MI_SET_PREDICATE can have skipped. */
static const char *const predicated[] = {"3DSTATE_URB_VS",
                                         "3DSTATE_URB_HS",
                                         "3DSTATE_URB_DS",
                                         "3DSTATE_URB_GS",
                                         "3DSTATE_PUSH_CONSTANT_ALLOC_VS",
                                         "3DSTATE_PUSH_CONSTANT_ALLOC_HS",
                                         "3DSTATE_PUSH_CONSTANT_ALLOC_DS",
                                         "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
                                         "3DSTATE_PUSH_CONSTANT_ALLOC_PS",
                                         "MI_LOAD_REGISTER_IMM",
                                         "MI_STORE_DATA_IMM",
                                         "3DSTATE_WM_HZ_OP",
                                         "MEDIA_VFE_STATE",
                                         "MEDIA_OBJECT",
                                         "MEDIA_OBJECT_WALKER",
                                         "MEDIA_INTERFACE_DESCRIPTOR_LOAD"};
enum { PREDICATED = sizeof predicated / sizeof predicated[0] };

static inline bool is_predicated(const char *name)
{
    for (unsigned i = 0; i < PREDICATED; i++)
        if (strcmp(name, predicated[i]) == 0)
            return true;
    return false;
}

#endif
