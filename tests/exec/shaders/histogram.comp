#version 450
layout(local_size_x = 128) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
shared uint part[128];
void main()
{
    uint at = gl_LocalInvocationID.x;
    part[at] = 0;
    barrier();
    atomicAdd(part[a[gl_GlobalInvocationID.x] % 128], 1);
    atomicXor(part[(a[gl_GlobalInvocationID.x] >> 7) % 128], 0x10000);
    barrier();
    atomicAdd(b[at], part[at]);
    if (atomicCompSwap(b[128 + at], 0, gl_WorkGroupID.x + 1) != 0)
        atomicMin(b[256 + at], ~part[at]);
}
