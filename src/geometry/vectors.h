/* The level of vectors that a file is compiled for, and vectors of four. */
#ifndef GEOMETRY_VECTORS_H
#define GEOMETRY_VECTORS_H

#include "base/inline.h"

#include <stdint.h>

#if defined(__AVX512VL__) && defined(__AVX512DQ__)
#define OF_LEVEL(name) name##_v4
#elif defined(__AVX2__)
#define OF_LEVEL(name) name##_v3
#else
#define OF_LEVEL(name) name##_any
#endif

/* Functions take pointers to them: not all levels pass such vectors in registers. */
typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));
typedef float floats __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

#endif
