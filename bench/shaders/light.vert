#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;
void main()
{
    gl_Position = scene.transform * vec4(position, 1.0);
    vec3 n = normalize((scene.rotation * vec4(normal, 0.0)).xyz);
    color = vec4(vec3(0.2, 0.4, 0.8) * max(dot(n, scene.light.xyz), 0.0) + 0.1, 1.0);
}
