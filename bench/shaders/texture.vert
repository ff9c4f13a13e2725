#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(location = 0) in vec3 position;
layout(location = 2) in vec2 coordinates;
layout(location = 0) out vec2 at;
void main()
{
    gl_Position = scene.transform * vec4(position, 1.0);
    at = coordinates;
}
