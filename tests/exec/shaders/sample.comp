#version 450
layout(local_size_x = 16) in;
layout(binding = 0) uniform SAMPLER image;
layout(binding = 1) buffer B { VALUE b[]; };
layout(binding = 2) buffer A { uvec4 a[]; };
/* Coordinates of -0.5 to 1.5 in 256ths, so that weights are exact; levels away from halves, where nearest ones are a choice.
 * Of cubes the sides are met straight on: what division leaves is a choice, too. */
vec4 direction(vec4 c, uint n)
{
    vec4 d = vec4(clamp(c.xyz - 0.5, -0.99609375, 0.99609375), c.w);
    d[n % 3u] = c[n % 3u] < 0.5 ? -1.0 : 1.0;
    return d;
}
void main()
{
    uint i = gl_GlobalInvocationID.x, at = i * 8;
    vec4 c = vec4(ivec4(a[i] % 512u) - 128) / 256.0;
    c.w = float(a[i].w % 4u);
    float level = float(a[i].w / 16u % 6u) * 0.3125;
#ifdef CUBE
    c = direction(c, a[i].w / 256u);
#endif
    b[at] = ROUNDED(textureLod(image, COORDINATES(c), 0.0));
    b[at + 1] = ROUNDED(textureLod(image, COORDINATES(c), level));
#ifdef OFFSETS
    b[at + 2] = ROUNDED(textureLodOffset(image, COORDINATES(c), 0.0, OFFSETS(1, -2, 3)));
    b[at + 3] = ROUNDED(texelFetch(image, POSITION(ivec4(a[i] % 4u)), 1));
    b[at + 6] = ROUNDED(texelFetchOffset(image, POSITION(ivec4(a[i] % 4u)), 0, OFFSETS(1, 0, 1)));
#endif
#ifdef GATHER
    b[at + 4] = ROUNDED(textureGather(image, COORDINATES(c), 1));
#endif
#ifndef CUBE
    b[at + 5] = ROUNDED(textureGrad(image, COORDINATES(c), GRADIENT(vec3(0.25, 0, 0)), GRADIENT(vec3(0, 0.25, 0))));
#endif
    b[at + 7] = VALUE(textureSize(image, int(gl_WorkGroupID.x % 3u)).x, textureQueryLevels(image), 0, 0);
}
