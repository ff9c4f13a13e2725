#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 turned_position;
layout(location = 1) out vec3 turned_normal;
void main()
{
    gl_Position = scene.transform * vec4(position, 1.0);
    turned_position = (scene.rotation * vec4(position, 1.0)).xyz;
    turned_normal = (scene.rotation * vec4(normal, 0.0)).xyz;
}
