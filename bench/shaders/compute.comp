#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 2) buffer To {
    float to[];
};
void main()
{
    float x = float(gl_GlobalInvocationID.x) / 65536.0, y = 0.5;
    for (int i = 0; i < 256; i++) {
        x = x * 0.75 + y;
        y = y * 0.5 - x * 0.25 + 0.75;
    }
    to[gl_GlobalInvocationID.x] = x + y;
}
