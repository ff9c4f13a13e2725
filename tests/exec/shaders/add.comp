#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint count; float factor; } push;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < push.count)
        b[i] = fma(a[i], push.factor, b[i]);
}
