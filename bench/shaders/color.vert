#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;
void main()
{
    gl_Position = scene.transform * vec4(position, 1.0);
    color = vec4(normal * 0.5 + 0.5, 1.0);
}
