/* What is, and what is not, made part of its callers, whatever the compiler would choose. */
#ifndef BASE_INLINE_H
#define BASE_INLINE_H

#define INLINE   inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

#endif
