#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 2) buffer To {
    float to[];
};
layout(set = 0, binding = 3) readonly buffer From {
    float from[];
};
void main()
{
    to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x] * 0.5 + 1.0;
}
