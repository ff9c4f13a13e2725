#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x, v = a[i];
    /* Sums over groups are the same whatever the size of a subgroup. */
    uint sum = subgroupAdd(v & 0xffffu), most = subgroupMax(v);
    uint before = subgroupExclusiveAdd(1u);
    if (subgroupElect()) {
        atomicAdd(b[0], sum);
        atomicMax(b[1], most);
    }
    atomicAdd(b[2], subgroupShuffleXor(v & 0xfffu, 1));
    atomicAdd(b[3], before == gl_SubgroupInvocationID ? 1 : 0);
    atomicAdd(b[4], subgroupBallotBitCount(subgroupBallot((v & 1) != 0)) == subgroupAdd(v & 1) ? 1 : 0);
    b[16 + i] = subgroupBroadcastFirst(gl_WorkGroupID.x);
}
