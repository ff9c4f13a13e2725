#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { uint64_t a[]; };
layout(binding = 1) buffer B { uint64_t b[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = a[2 * i], y = a[2 * i + 1] | 1;
    b[8 * i] = x + y;
    b[8 * i + 1] = x * y;
    b[8 * i + 2] = x / (y >> 32 | 1);
    b[8 * i + 3] = x % y;
    b[8 * i + 4] = x << uint(y & 63);
    b[8 * i + 5] = uint64_t(int64_t(x) >> uint(y & 63));
    b[8 * i + 6] = x < y ? min(x, y) : uint64_t(max(int64_t(x), int64_t(y)));
    b[8 * i + 7] = uint64_t(-int64_t(x)) ^ ~y;
}
