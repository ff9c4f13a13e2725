/*
 * OpenGL clears as a program of the host's does them: in one color after another, of levels and layers, drawn
 * over, blended with, sampled, copied, written by the processor and by compute shaders. Drivers clear such
 * textures by a note of the color alone. A line for each step tells what is there; colors are exact in every
 * format, so all devices tell the same. clears [NAME...]
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {{"rgba8", rgba8},     {"odd_size", odd_size}, {"wide", wide},     {"rgba16f", rgba16f},
              {"rgba32f", rgba32f}, {"rgb10_a2", rgb10_a2}, {"r32f", r32f},     {"rg8", rg8},
              {"levels", levels},   {"layers", layers},     {"volume", volume}, {"written", written}};

int main(int argc, char **argv)
{
    static const EGLint attributes_of[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2,
                                           EGL_NONE};
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const EGLDisplay display =
        get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API)) {
        puts("no display");
        return 1;
    }
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes_of);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        puts("no context");
        return 1;
    }
    fprintf(stderr, "%s, %s\n", (const char *)glGetString(GL_RENDERER),
            (const char *)glGetString(GL_VERSION));
    glGenFramebuffers(1, &target);
    for (unsigned i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        bool named = argc < 2;
        for (int n = 1; n < argc; n++)
            named |= strcmp(argv[n], scenes[i].name) == 0;
        scene = scenes[i].name;
        if (named)
            scenes[i].run();
    }
    if (glGetError())
        puts("an error");
    eglDestroyContext(display, context);
    eglTerminate(display);
    return 0;
}
