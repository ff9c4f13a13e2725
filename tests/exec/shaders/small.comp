#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint16_t b[4096]; int8_t c[4096]; float16_t h[4096]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint16_t s = uint16_t(a[i]);
    b[i] = s * uint16_t(3) + b[i];
    c[i] = int8_t(a[i] >> 8) + int8_t(i);
    h[i] = float16_t(float(a[i] % 1024u) / 8.0) * float16_t(0.5) + float16_t(1.0);
}
