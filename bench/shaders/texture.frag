#version 450
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main()
{
    pixel = texture(image, at);
}
