#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 pixel;
void main()
{
    vec3 n = normalize(normal), eye = normalize(vec3(0.0, 0.0, 3.0) - position);
    float diffuse = max(dot(n, scene.light.xyz), 0.0);
    float specular = pow(max(dot(reflect(-scene.light.xyz, n), eye), 0.0), scene.light.w);
    pixel = vec4(vec3(0.2, 0.4, 0.8) * (diffuse + 0.1) + specular * 0.5, 1.0);
}
