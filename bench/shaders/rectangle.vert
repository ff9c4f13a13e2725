#version 450
layout(push_constant) uniform Push {
    vec4 rectangle; // left, top, width, height
} push;
layout(location = 0) out vec2 at;
void main()
{
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(push.rectangle.xy + push.rectangle.zw * at, 0.0, 1.0);
}
