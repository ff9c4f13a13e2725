/*
 * OpenGL clears as a program of the host's does them: in one color after another, of levels and layers, drawn
 * over, blended with, sampled, copied, written by the processor and by compute shaders. Drivers clear such
 * textures by a note of the color alone. A line for each step tells what is there; colors are exact in every
 * format, so all devices tell the same. clears [NAME...]
 */
#include <GLES3/gl32.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surfaceless.h"

enum { MOST = 512 };

static uint32_t pixels[MOST * MOST];
static const char *scene;
static GLuint target;

static void color_of(unsigned n, float color[4])
{
    for (unsigned i = 0; i < 4; i++)
        color[i] = (float)(i == 3 ? 255 : n >> i * 2 & 3u ? (n >> i * 2 & 3u) * 85 : 0) / 255;
}

static void bind(GLuint texture, GLint level, GLint layer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    if (layer < 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
    else
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level, layer);
}

static void clear_to(unsigned n)
{
    float color[4];
    color_of(n, color);
    glClearBufferfv(GL_COLOR, 0, color);
}

/* What is there: a sum of all pixels, and three of them. */
static void tell(const char *step, GLsizei width, GLsizei height, bool floats)
{
    uint64_t sum = 0xcbf29ce484222325;
    memset(pixels, 0, sizeof pixels);
    if (floats) {
        float *const values = calloc((size_t)width * (size_t)height, 4 * sizeof *values);
        glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, values);
        for (GLsizei i = 0; i < width * height; i++)
            for (unsigned c = 0; c < 4; c++)
                pixels[i] |= (uint32_t)(values[i * 4 + (int)c] * 255 + 0.5f) << c * 8;
        free(values);
    } else {
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    }
    for (GLsizei i = 0; i < width * height; i++)
        sum = (sum ^ pixels[i]) * 0x100000001b3;
    printf("%s: %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ", all %016" PRIx64 "\n", scene, step, pixels[0],
           pixels[height / 2 * width + width / 2], pixels[width * height - 1], sum);
}

/* The same of integers: of each pixel all four, in one. */
static void tell_integers(const char *step, GLsizei width, GLsizei height, bool has_sign)
{
    const size_t count = (size_t)width * (size_t)height;
    uint32_t *const values = calloc(count, 4 * sizeof *values);
    uint64_t sum = 0xcbf29ce484222325;
    glReadPixels(0, 0, width, height, GL_RGBA_INTEGER, has_sign ? GL_INT : GL_UNSIGNED_INT, values);
    for (size_t i = 0; i < count * 4; i++)
        sum = (sum ^ values[i]) * 0x100000001b3;
    printf("%s: %s: %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ", all %016" PRIx64 "\n", scene,
           step, values[0], values[1], values[2], values[3], sum);
    free(values);
}

static GLuint texture_of(GLenum kind, GLenum format, GLsizei levels, GLsizei width, GLsizei height,
                         GLsizei depth)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(kind, texture);
    if (kind == GL_TEXTURE_2D)
        glTexStorage2D(kind, levels, format, width, height);
    else
        glTexStorage3D(kind, levels, format, width, height, depth);
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static GLuint shader_of(GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        puts("not compiled");
    return shader;
}

static GLuint program_of(const char *pixel)
{
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader_of(GL_VERTEX_SHADER, "#version 310 es\n"
                                                        "void main() { gl_Position = vec4(gl_VertexID & 1, "
                                                        "gl_VertexID >> 1, 0.5, 1.0) * 2.0 - 1.0; }\n"));
    glAttachShader(program, shader_of(GL_FRAGMENT_SHADER, pixel));
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

/* A rectangle of a color, or of a texture. */
static void draw(GLint x, GLint y, GLsizei width, GLsizei height, unsigned n)
{
    float color[4];
    const GLuint program = program_of("#version 310 es\nprecision highp float; uniform vec4 color; out vec4 "
                                      "to;\nvoid main() { to = color; }\n");
    color_of(n, color);
    glUniform4fv(glGetUniformLocation(program, "color"), 1, color);
    glViewport(x, y, width, height);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDeleteProgram(program);
}

static void draw_texture(GLuint texture, GLsizei width, GLsizei height, float level)
{
    const GLuint program = program_of("#version 310 es\nprecision highp float; uniform highp sampler2D from; "
                                      "uniform float level; out vec4 to;\n"
                                      "void main() { to = textureLod(from, (gl_FragCoord.xy + 0.0) / "
                                      "vec2(textureSize(from, int(level))), level); }\n");
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform1f(glGetUniformLocation(program, "level"), level);
    glViewport(0, 0, width, height);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDeleteProgram(program);
}

/* One color after another; drawn over; blended; cleared again; sampled and copied. */
static void colors_of(GLenum format, GLsizei width, GLsizei height, bool floats)
{
    const GLuint texture = texture_of(GL_TEXTURE_2D, format, 1, width, height, 1),
                 other = texture_of(GL_TEXTURE_2D, format, 1, width, height, 1);
    bind(texture, 0, -1);
    for (unsigned n = 3; n < 60; n += 19) {
        clear_to(n);
        tell("a clear", width, height, floats);
    }
    clear_to(3);
    clear_to(12);
    clear_to(48);
    tell("the last of three", width, height, floats);
    draw(width / 3, height / 3, width / 4, height / 5, 1);
    tell("drawn over", width, height, floats);
    draw(5, 7, 3, 3, 6);
    clear_to(15);
    draw(1, 1, 1, 1, 6);
    tell("cleared and drawn over", width, height, floats);
    clear_to(16);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw(width / 2, 3, width / 3, height / 2, 2);
    glDisable(GL_BLEND);
    tell("added to", width, height, floats);
    clear_to(33);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    draw(9, 9, width / 2, height / 2, 12);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    tell("two components", width, height, floats);
    clear_to(21);
    bind(other, 0, -1);
    clear_to(0);
    draw_texture(texture, width / 2, height / 2, 0);
    tell("sampled", width, height, floats);
    bind(texture, 0, -1);
    clear_to(38);
    glCopyImageSubData(texture, GL_TEXTURE_2D, 0, 3, 5, 0, other, GL_TEXTURE_2D, 0, 13, 6, 0, width / 2,
                       height / 3, 1);
    bind(other, 0, -1);
    tell("copied", width, height, floats);
    bind(texture, 0, -1);
    clear_to(11);
    glBindTexture(GL_TEXTURE_2D, other);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 1, 1, width / 4, height / 4);
    bind(other, 0, -1);
    tell("copied from the framebuffer", width, height, floats);
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &other);
}

static void rgba8(void)
{
    colors_of(GL_RGBA8, 160, 128, false);
}

static void odd_size(void)
{
    colors_of(GL_RGBA8, 131, 77, false);
}

static void wide(void)
{
    colors_of(GL_RGBA8, 512, 96, false);
}

static void rgba16f(void)
{
    colors_of(GL_RGBA16F, 136, 72, true);
}

static void rgba32f(void)
{
    colors_of(GL_RGBA32F, 100, 100, true);
}

static void rgb10_a2(void)
{
    colors_of(GL_RGB10_A2, 128, 100, false);
}

static void r32f(void)
{
    colors_of(GL_R32F, 128, 100, true);
}

static void rg8(void)
{
    colors_of(GL_RG8, 128, 96, false);
}

static void levels(void)
{
    const GLuint texture = texture_of(GL_TEXTURE_2D, GL_RGBA8, 6, 200, 160, 1),
                 other = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 200, 160, 1);
    for (GLint level = 0; level < 6; level++) {
        bind(texture, level, -1);
        clear_to(7 + 9 * (unsigned)level);
    }
    bind(texture, 2, -1);
    draw(3, 5, 40, 30, 3);
    bind(texture, 1, -1);
    clear_to(42);
    for (GLint level = 0; level < 6; level++) {
        bind(texture, level, -1);
        tell("a level", 200 >> level, 160 >> level, false);
    }
    for (GLint level = 0; level < 6; level++) {
        bind(texture, level, -1);
        clear_to(19);
    }
    bind(texture, 3, -1);
    draw(3, 5, 20, 10, 3);
    bind(other, 0, -1);
    for (GLint level = 0; level < 6; level++) {
        clear_to(0);
        draw_texture(texture, 200 >> level, 160 >> level, (float)level);
        tell("a level that is sampled", 200, 160, false);
    }
    bind(texture, 0, -1);
    clear_to(25);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGenerateMipmap(GL_TEXTURE_2D);
    for (GLint level = 0; level < 6; level++) {
        bind(texture, level, -1);
        tell("a level that was made", 200 >> level, 160 >> level, false);
    }
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &other);
}

static void layers_of(GLenum kind)
{
    const GLuint texture = texture_of(kind, GL_RGBA8, 3, 150, 130, 4);
    for (GLint layer = 0; layer < 4; layer++) {
        bind(texture, 0, layer);
        clear_to(5 + 11 * (unsigned)layer);
    }
    bind(texture, 1, 1);
    clear_to(59);
    bind(texture, 0, 2);
    draw(17, 19, 70, 50, 2);
    bind(texture, 0, 1);
    clear_to(30);
    for (GLint layer = 0; layer < 4; layer++) {
        bind(texture, 0, layer);
        tell("a layer", 150, 130, false);
    }
    bind(texture, 1, 1);
    tell("a layer's level", 75, 65, false);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    clear_to(47);
    bind(texture, 0, 3);
    draw(17, 19, 70, 50, 2);
    for (GLint layer = 0; layer < 4; layer++) {
        bind(texture, 0, layer);
        tell("a layer of all", 150, 130, false);
    }
    glDeleteTextures(1, &texture);
}

static void layers(void)
{
    layers_of(GL_TEXTURE_2D_ARRAY);
}

static void volume(void)
{
    layers_of(GL_TEXTURE_3D);
}

static void written(void)
{
    static uint32_t some[50 * 40];
    const GLuint texture = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 150, 100, 1);
    const GLuint program = glCreateProgram();
    memset(some, 0x33, sizeof some);
    bind(texture, 0, -1);
    clear_to(14);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 21, 22, 50, 40, GL_RGBA, GL_UNSIGNED_BYTE, some);
    tell("by the processor", 150, 100, false);
    clear_to(27);
    glAttachShader(program, shader_of(GL_COMPUTE_SHADER,
                                      "#version 310 es\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
                                      "layout(rgba8, binding = 0) uniform highp readonly image2D from;\n"
                                      "layout(rgba8, binding = 1) uniform highp writeonly image2D to;\n"
                                      "void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy) + 13;\n"
                                      "imageStore(to, at, imageLoad(from, at + 2).yzxw); }\n"));
    glLinkProgram(program);
    glUseProgram(program);
    const GLuint from = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 150, 100, 1);
    bind(from, 0, -1);
    clear_to(9);
    draw(16, 16, 30, 30, 6);
    glUseProgram(program);
    glBindImageTexture(0, from, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    glBindImageTexture(1, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(9, 7, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    bind(texture, 0, -1);
    tell("by compute", 150, 100, false);
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &from);
    glDeleteProgram(program);
}

/* Integers, exact as they are: of signs and none, a part of it, and a copy. */
static void integers_of(GLenum format, GLsizei width, GLsizei height, bool has_sign)
{
    static const GLint colors[][4] = {{1, 0, 2, 3}, {100, 27, 1, 0}, {-100, -1, 127, -128}};
    const GLuint texture = texture_of(GL_TEXTURE_2D, format, 1, width, height, 1);
    bind(texture, 0, -1);
    for (unsigned n = 0; n < 3; n++) {
        GLuint color[4];
        for (unsigned c = 0; c < 4; c++)
            color[c] = (GLuint)colors[n][c] & 0xff;
        if (n == 2) {
            glEnable(GL_SCISSOR_TEST);
            glScissor(width / 3, 5, width / 4, height / 2);
        }
        if (has_sign)
            glClearBufferiv(GL_COLOR, 0, colors[n]);
        else
            glClearBufferuiv(GL_COLOR, 0, color);
        glDisable(GL_SCISSOR_TEST);
        tell_integers(has_sign ? "signed" : "unsigned", width, height, has_sign);
    }
    glDeleteTextures(1, &texture);
}

static void integers(void)
{
    integers_of(GL_RGBA8UI, 150, 100, false);
    integers_of(GL_RGBA32UI, 70, 60, false);
    integers_of(GL_R32UI, 130, 90, false);
    integers_of(GL_RGBA8I, 150, 100, true);
    integers_of(GL_RGBA16I, 100, 90, true);
    integers_of(GL_R8I, 260, 70, true);
}

/* Parts and components of what is cleared, and what nobody needs any more. */
static void parts(void)
{
    const GLenum first = GL_COLOR_ATTACHMENT0;
    const GLuint texture = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 170, 140, 1);
    bind(texture, 0, -1);
    clear_to(13);
    glEnable(GL_SCISSOR_TEST);
    glScissor(33, 17, 90, 70);
    clear_to(44);
    glScissor(0, 64, 128, 32);
    clear_to(13);
    glDisable(GL_SCISSOR_TEST);
    tell("parts", 170, 140, false);
    clear_to(13);
    glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
    clear_to(50);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    tell("a component", 170, 140, false);
    clear_to(35);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &first);
    clear_to(28);
    draw(90, 70, 60, 40, 2);
    tell("behind what is left", 170, 140, false);
    glDeleteTextures(1, &texture);
}

/* Two targets at once, each of another color. */
static void two_targets(void)
{
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const GLuint one = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 120, 100, 1),
                 two = texture_of(GL_TEXTURE_2D, GL_SRGB8_ALPHA8, 1, 120, 100, 1);
    float color[4];
    bind(one, 0, -1);
    glFramebufferTexture2D(GL_FRAMEBUFFER, both[1], GL_TEXTURE_2D, two, 0);
    glDrawBuffers(2, both);
    clear_to(18);
    color_of(51, color);
    glClearBufferfv(GL_COLOR, 1, color);
    glDeleteProgram(program_of("#version 310 es\nprecision highp float;\n"
                               "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;\n"
                               "void main() { a = vec4(1, 0, 0, 1); b = vec4(0, 1, 0, 1); }\n"));
    glViewport(30, 40, 50, 30);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glUseProgram(0);
    tell("the first", 120, 100, false);
    glDrawBuffers(1, both);
    glFramebufferTexture2D(GL_FRAMEBUFFER, both[1], GL_TEXTURE_2D, 0, 0);
    bind(two, 0, -1);
    tell("the second", 120, 100, false);
    glDeleteTextures(1, &one);
    glDeleteTextures(1, &two);
}

/* Blits that mirror, from a cleared texture onto another, and back. */
static void blitted(void)
{
    const GLuint from = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 150, 100, 1),
                 to = texture_of(GL_TEXTURE_2D, GL_RGBA8, 1, 130, 110, 1);
    GLuint source;
    glGenFramebuffers(1, &source);
    bind(from, 0, -1);
    clear_to(22);
    draw(10, 20, 30, 40, 3);
    bind(to, 0, -1);
    clear_to(49);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, from, 0);
    glBlitFramebuffer(5, 6, 65, 76, 100, 90, 40, 20, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
    tell("mirrored", 130, 110, false);
    glDeleteFramebuffers(1, &source);
    glDeleteTextures(1, &from);
    glDeleteTextures(1, &to);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {{"rgba8", rgba8},       {"odd_size", odd_size}, {"wide", wide},
              {"rgba16f", rgba16f},   {"rgba32f", rgba32f},   {"rgb10_a2", rgb10_a2},
              {"r32f", r32f},         {"rg8", rg8},           {"levels", levels},
              {"layers", layers},     {"volume", volume},     {"written", written},
              {"integers", integers}, {"parts", parts},       {"two_targets", two_targets},
              {"blitted", blitted}};

int main(int argc, char **argv)
{
    static const EGLint attributes_of[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2,
                                           EGL_NONE};
    struct surfaceless with;
    if (!surfaceless_begin(&with, EGL_OPENGL_ES_API, attributes_of))
        return 1;
    fprintf(stderr, "%s, %s\n", (const char *)glGetString(GL_RENDERER),
            (const char *)glGetString(GL_VERSION));
    glGenFramebuffers(1, &target);
    for (unsigned i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        scene = scenes[i].name;
        if (is_named(scene, argc - 1, argv + 1))
            scenes[i].run();
    }
    if (glGetError())
        puts("an error");
    surfaceless_end(&with);
    return 0;
}
