#version 450
#extension GL_EXT_shader_image_load_formatted : enable
layout(local_size_x = 4, local_size_y = 4) in;
layout(push_constant) uniform Push { uvec4 size; uint level; } push;
layout(binding = 0) readonly uniform IMAGE image;
layout(binding = 1) buffer B { VALUE b[]; };
/* A fraction's last bits are a matter of how it was divided. */
void main()
{
    uvec3 p = gl_GlobalInvocationID;
    if (all(lessThan(p, push.size.xyz)))
        b[push.size.w + (p.z * push.size.y + p.y) * push.size.x + p.x] = ROUNDED(imageLoad(image, POSITION(ivec3(p))));
}
