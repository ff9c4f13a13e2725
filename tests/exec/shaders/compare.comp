#version 450
layout(local_size_x = 16) in;
layout(binding = 0) uniform SAMPLER image;
layout(binding = 1) buffer B { vec4 b[]; };
layout(binding = 2) buffer A { uvec4 a[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec4 c = vec4(ivec4(a[i] % 512u) - 128) / 256.0;
    float reference = float(a[i].w % 64u) / 64.0;
    b[i * 2] = vec4(textureLod(image, vec3(c.xy, reference), 0.0), textureGrad(image, vec3(c.xy, reference), vec2(0.25, 0), vec2(0, 0.25)), 0, 0);
    b[i * 2 + 1] = textureGather(image, c.xy, reference);
}
