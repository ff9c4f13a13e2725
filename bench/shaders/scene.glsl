layout(set = 0, binding = 0) uniform Scene {
    mat4 transform;
    mat4 rotation;
    vec4 light; // direction; w: shininess
} scene;
