#version 450
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
void main()
{
    uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, p = gl_GlobalInvocationID;
    uint at = (p.z * size.y + p.y) * size.x + p.x;
    if (at < 65536)
        b[at] = a[at] + gl_LocalInvocationIndex + (gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 16 | gl_WorkGroupID.z << 24);
}
