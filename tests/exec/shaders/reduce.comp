#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint total; uint most; uint sums[]; };
shared uint part[256];
void main()
{
    uint at = gl_LocalInvocationID.x;
    part[at] = a[gl_GlobalInvocationID.x];
    for (uint count = 128; count > 0; count /= 2) {
        barrier();
        if (at < count)
            part[at] += part[at + count];
    }
    if (at == 0) {
        sums[gl_WorkGroupID.x] = part[0];
        atomicAdd(total, part[0]);
        atomicMax(most, part[0]);
    }
}
