#version 450
#extension GL_EXT_shader_image_load_formatted : enable
/* Values that fractions of 1/16 leave whole. */
layout(local_size_x = 4, local_size_y = 4) in;
layout(push_constant) uniform Push { uvec4 size; uint level; } push;
layout(binding = 0) writeonly uniform IMAGE image;
void main()
{
    uvec3 p = gl_GlobalInvocationID;
    if (any(greaterThanEqual(p, push.size.xyz)))
        return;
    uint n = p.x * 7u + p.y * 13u + p.z * 29u + push.level * 57u;
    imageStore(image, POSITION(ivec3(p)), VALUE(n % 64u, (n * 3u + 5u) % 64u, (n * 5u + 1u) % 64u, (n * 7u) % 64u) / DIVISOR);
}
