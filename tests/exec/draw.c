/*
 * OpenGL draws as a program of the host's does them, without a window: vertex shaders with attributes,
 * uniforms, textures and what is generated; lists, strips, fans, indices, instances; depth, stencil, levels.
 * A line for each tells what came out, in numbers that do not depend on how exact a device is; who runs it on
 * two devices compares them. draw [-p] [NAME...]; -p: pixels, too
 */
#include <GLES3/gl32.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surfaceless.h"

enum { SIDE = 64 };

static const char *const head =
    "#version 310 es\nprecision highp float; precision highp int; precision highp sampler2D;\n";
/* Colors of few steps, away from where they change. */
static const char *const plain_pixels = "in vec4 color; out vec4 to;\n"
                                        "void main() { to = floor(color * 15.0 + 0.51) / 15.0; }\n";

static GLuint program_of(const char *vertex, const char *pixel)
{
    const char *const texts[2] = {vertex, pixel};
    const GLuint program = glCreateProgram();
    for (unsigned i = 0; i < 2; i++) {
        const char *const source[2] = {head, texts[i]};
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        GLint ok;
        glShaderSource(shader, 2, source, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        if (!ok) {
            char log[1000];
            glGetShaderInfoLog(shader, sizeof log, NULL, log);
            printf("not compiled: %s\n", log);
        }
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

static GLuint buffer_of(GLenum target, const void *data, size_t size_bytes)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size_bytes, data, GL_STATIC_DRAW);
    return buffer;
}

static void attribute(GLuint at, GLint components, const float *data, size_t size_bytes)
{
    buffer_of(GL_ARRAY_BUFFER, data, size_bytes);
    glEnableVertexAttribArray(at);
    glVertexAttribPointer(at, components, GL_FLOAT, GL_FALSE, 0, NULL);
}

static const float three[] = {-0.8f, -0.7f, 0.9f, -0.5f, -0.1f, 0.8f};
static const float colors[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1};

static void uniform(void)
{
    const GLuint p = program_of("layout(location = 0) in vec2 at; uniform vec4 which; out vec4 color;\n"
                                "void main() { gl_Position = vec4(at, 0, 1); color = which; }\n",
                                plain_pixels);
    attribute(0, 2, three, sizeof three);
    glUniform4f(glGetUniformLocation(p, "which"), 0.2f, 0.4f, 0.6f, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void attributes(void)
{
    program_of("layout(location = 0) in vec2 at; layout(location = 1) in vec4 c; out vec4 color;\n"
               "void main() { gl_Position = vec4(at, 0, 1); color = c; }\n",
               "in vec4 color; out vec4 to; void main() { to = step(0.3333, color); }\n");
    attribute(0, 2, three, sizeof three);
    attribute(1, 4, colors, sizeof colors);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Squares of a grid, by what is generated. */
static const char *const square =
    "out vec4 color;\n"
    "void square(int which, int corner) {\n"
    "    vec2 at = vec2(which % 8, which / 8) + vec2(corner & 1, corner >> 1) * 0.75;\n"
    "    gl_Position = vec4(at / 4.0 - 1.0, 0, 1);\n"
    "    color = vec4(which & 15, which >> 2, (which * 7) & 15, 15) / 15.0;\n"
    "}\n";

static GLuint squares(const char *main_text)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s", square, main_text);
    return program_of(text, plain_pixels);
}

static void instances(void)
{
    squares("void main() { square(gl_InstanceID, gl_VertexID); }\n");
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 64);
}

/* Behind a first vertex, of a list. */
static void list(void)
{
    squares("void main() { int at = gl_VertexID % 6; square(gl_VertexID / 6, at < 3 ? at : 6 - at); }\n");
    glDrawArrays(GL_TRIANGLES, 60, 6 * 40);
}

static void divisors(void)
{
    float which[64];
    squares("layout(location = 1) in float which; void main() { square(int(which), gl_VertexID); }\n");
    for (unsigned i = 0; i < 64; i++)
        which[i] = (float)(63 - i);
    attribute(1, 1, which, sizeof which);
    glVertexAttribDivisor(1, 2);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 70);
    glVertexAttribDivisor(1, 0);
}

/* Squares whose numbers and corners are attributes: drivers draw them without reading the arguments. */
enum { INDIRECT_SQUARES = 8 };
static void squares_of_attributes(void)
{
    static const float corners[6] = {0, 1, 2, 2, 1, 3};
    float which[INDIRECT_SQUARES * 6][2];
    squares("layout(location = 1) in vec2 what; void main() { square(int(what.x), int(what.y)); }\n");
    for (unsigned i = 0; i < INDIRECT_SQUARES * 6; i++) {
        which[i][0] = (float)(i / 6 * 7);
        which[i][1] = corners[i % 6];
    }
    attribute(1, 2, &which[0][0], sizeof which);
}

static void indirect(void)
{
    static const GLuint arguments[4] = {18, 1, 12, 0};
    squares_of_attributes();
    buffer_of(GL_DRAW_INDIRECT_BUFFER, arguments, sizeof arguments);
    glDrawArraysIndirect(GL_TRIANGLES, NULL);
}

/* From an offset; one draw of nothing. */
static void indirect_offsets(void)
{
    static const GLuint arguments[3][4] = {{6, 1, 0, 0}, {0, 1, 0, 0}, {12, 2, 24, 0}};
    squares_of_attributes();
    buffer_of(GL_DRAW_INDIRECT_BUFFER, arguments, sizeof arguments);
    for (unsigned i = 0; i < 3; i++)
        glDrawArraysIndirect(GL_TRIANGLES, (const uint8_t *)NULL + i * sizeof arguments[0]);
}

static void indirect_indices(void)
{
    static const GLuint arguments[5] = {12, 1, 6, 6, 0};
    GLushort numbers[INDIRECT_SQUARES * 6];
    squares_of_attributes();
    for (unsigned i = 0; i < INDIRECT_SQUARES * 6; i++)
        numbers[i] = (GLushort)i;
    buffer_of(GL_ELEMENT_ARRAY_BUFFER, numbers, sizeof numbers);
    buffer_of(GL_DRAW_INDIRECT_BUFFER, arguments, sizeof arguments);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, NULL);
}

/* Quads of two triangles, which share vertices. */
static void indexed(GLenum type)
{
    uint32_t index[6 * 64];
    uint16_t shorts[6 * 64];
    uint8_t bytes[6 * 64];
    squares("void main() { square(gl_VertexID / 4, gl_VertexID & 3); }\n");
    for (unsigned i = 0; i < 6 * 64; i++) {
        index[i] = i / 6 * 4 + (const uint32_t[6]){0, 1, 2, 2, 1, 3}[i % 6];
        shorts[i] = (uint16_t)index[i];
        bytes[i] = (uint8_t)index[i];
    }
    buffer_of(GL_ELEMENT_ARRAY_BUFFER,
              type == GL_UNSIGNED_INT     ? (void *)index
              : type == GL_UNSIGNED_SHORT ? (void *)shorts
                                          : bytes,
              sizeof index);
    glDrawElements(GL_TRIANGLES, 6 * 64, type, NULL);
}

static void indices_32(void)
{
    indexed(GL_UNSIGNED_INT);
}

static void indices_16(void)
{
    indexed(GL_UNSIGNED_SHORT);
}

static void indices_8(void)
{
    indexed(GL_UNSIGNED_BYTE);
}

/* Strips and fans that a greatest index ends. */
static void restarts(GLenum topology)
{
    uint16_t index[5 * 64];
    squares("void main() { square(gl_VertexID / 4, gl_VertexID & 3); }\n");
    for (unsigned i = 0; i < 5 * 64; i++) {
        const unsigned corner =
            (const unsigned[2][4]){{0, 1, 2, 3}, {0, 1, 3, 2}}[topology == GL_TRIANGLE_FAN][i % 5 % 4];
        index[i] = i % 5 == 4 ? 0xffff : (uint16_t)(i / 5 * 4 + corner);
    }
    buffer_of(GL_ELEMENT_ARRAY_BUFFER, index, sizeof index);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(topology, 5 * 64, GL_UNSIGNED_SHORT, NULL);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}

static void strips(void)
{
    restarts(GL_TRIANGLE_STRIP);
}

static void fans(void)
{
    restarts(GL_TRIANGLE_FAN);
}

static void fan(void)
{
    program_of("out vec4 color; void main() { float a = float(gl_VertexID) * 0.523599;\n"
               "gl_Position = vec4(gl_VertexID == 0 ? vec2(0.05) : vec2(cos(a), sin(a)) * 0.9, 0, 1); color "
               "= vec4(1, 0.4, 0.2, 1); }\n",
               plain_pixels);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 14);
}

static void matrices(void)
{
    const float m[16] = {0.5f, 0.25f, 0, 0, -0.25f, 0.5f, 0, 0, 0, 0, 1, 0, 0.125f, -0.125f, 0, 1};
    const GLuint p = program_of("layout(location = 0) in vec2 at; layout(location = 1) in vec4 c; uniform "
                                "mat4 m; flat out vec4 color;\n"
                                "void main() { gl_Position = m * vec4(at, 0, 1); color = c; }\n",
                                "flat in vec4 color; out vec4 to; void main() { to = color; }\n");
    attribute(0, 2, three, sizeof three);
    attribute(1, 4, colors, sizeof colors);
    glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, m);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* A block of uniforms that is indexed, in loops. */
static void block(void)
{
    float data[64][4];
    const GLuint p = squares("layout(std140) uniform Block { vec4 at[64]; }; void main() {\n"
                             "int which = 0; for (int i = 0; i < gl_InstanceID; i++) which += int(at[i].y);\n"
                             "square(which, gl_VertexID); color = at[which]; }\n");
    for (unsigned i = 0; i < 64; i++)
        for (unsigned k = 0; k < 4; k++)
            data[i][k] = k == 1 ? 1 : (float)((i >> k) % 16) / 15.0f;
    glUniformBlockBinding(p, glGetUniformBlockIndex(p, "Block"), 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer_of(GL_UNIFORM_BUFFER, data, sizeof data));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 64);
}

static void texture_of(GLint filter)
{
    uint8_t texels[16][16][4];
    GLuint texture;
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            memcpy(texels[y][x],
                   (const uint8_t[4]){(uint8_t)(x * 17), (uint8_t)(y * 17), (uint8_t)((x ^ y) * 17), 255}, 4);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

static void textured(void)
{
    program_of(
        "out vec2 place; void main() { vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
        "place = at; gl_Position = vec4(at * 1.75 - 0.875, 0, 1); }\n",
        "in vec2 place; out vec4 to; uniform sampler2D t; void main() { to = texture(t, place + 0.001); }\n");
    texture_of(GL_NEAREST);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* A texture that vertices are placed and colored by. */
static void texture_of_vertices(void)
{
    squares("uniform sampler2D t; void main() { int which = gl_InstanceID;\n"
            "vec4 texel = texelFetch(t, ivec2(which & 15, which >> 2), 0);\n"
            "square(int(texel.r * 15.0 + 0.5) + (which >> 4) * 16, gl_VertexID); color = textureLod(t, "
            "(vec2(which & 15, which >> 2) + 0.5) / 16.0, 0.0); }\n");
    texture_of(GL_NEAREST);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 64);
}

/* As many as there may be. */
static void many_varyings(void)
{
    program_of("out vec4 v[14]; void main() { vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
               "gl_Position = vec4(at * 1.75 - 0.875, 0, 1); for (int i = 0; i < 14; i++) v[i] = vec4(i, i * "
               "2, i + 3, i ^ 5) * 0.25; }\n",
               "in vec4 v[14]; out vec4 to; void main() { vec4 sum = vec4(0); for (int i = 0; i < 14; i++) "
               "sum += v[i] * float(1 + i % 3);\n"
               "to = floor(fract(sum / 32.0 + 0.01) * 16.0) / 15.0; }\n");
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Branches that vertices of a thread take apart. */
static void branches(void)
{
    squares("void main() { int n = gl_InstanceID * 4 + gl_VertexID, steps = 0;\n"
            "while (n != 1 && steps < 40) { if ((n & 1) == 0) n >>= 1; else n = 3 * n + 1; steps++; if (n == "
            "0) break; }\n"
            "square(gl_InstanceID, gl_VertexID); int s = gl_InstanceID; for (int i = 0; i < gl_VertexID + 4; "
            "i++) s = (s * 5 + 3) & 15;\n"
            "color = vec4(gl_InstanceID % 16, steps < 41 ? 15 : 0, 3, 15) / 15.0; }\n");
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 64);
}

/* ---- Depth, stencil, sides, levels, blending: boxes at depths ---- */

static void boxes(const char *pixel)
{
    program_of("uniform vec4 box, c; uniform vec2 depth; out vec4 color; out vec2 place;\n"
               "void main() { vec2 k = vec2(gl_VertexID & 1, gl_VertexID >> 1); place = k; color = c;\n"
               "gl_Position = vec4(mix(box.xy, box.zw, k), mix(depth.x, depth.y, k.x), 1); }\n",
               pixel ? pixel : plain_pixels);
}

static void box(const float corners[4], float from, float to, const float color[4])
{
    GLint p;
    glGetIntegerv(GL_CURRENT_PROGRAM, &p);
    glUniform4fv(glGetUniformLocation((GLuint)p, "box"), 1, corners);
    glUniform2f(glGetUniformLocation((GLuint)p, "depth"), from, to);
    glUniform4fv(glGetUniformLocation((GLuint)p, "c"), 1, color);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static const float everywhere[4] = {-1, -1, 1, 1}, red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1},
                   blue[4] = {0, 0, 1, 1}, gray[4] = {0.4f, 0.4f, 0.4f, 0.4f};

static void depth_functions(void)
{
    boxes(NULL);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    box(everywhere, -0.9f, 0.9f, gray);
    for (unsigned i = 0; i < 8; i++) {
        const float y = -1 + (float)i * 0.25f, at[4] = {-1, y, 1, y + 0.2f},
                    color[4] = {1, (float)i / 15, 0, 1};
        glDepthFunc(GL_NEVER + i);
        box(at, 0.87f, -0.93f, color);
    }
    glDisable(GL_DEPTH_TEST);
}

static void stencils(void)
{
    static const float low[4] = {-0.8f, -0.8f, 0.2f, 0.2f}, high[4] = {-0.2f, -0.2f, 0.8f, 0.8f},
                       half[4] = {-1, -1, 1, 0.1f}, turned[4] = {0.9f, -0.9f, -0.9f, 0.7f};
    boxes(NULL);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    box(low, 0, 0, red);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    box(high, 0, 0, green);
    glStencilFunc(GL_EQUAL, 2, 0xff);
    glStencilOp(GL_INVERT, GL_KEEP, GL_DECR_WRAP);
    box(half, 0, 0, blue);
    glStencilOpSeparate(GL_BACK, GL_INCR_WRAP, GL_KEEP, GL_KEEP);
    box(turned, 0, 0, gray);
    glStencilFunc(GL_LESS, 0x80, 0xf0);
    box(everywhere, 0, 0, gray);
    glDisable(GL_STENCIL_TEST);
}

static void sides(void)
{
    static const float corners[2][4] = {{-0.9f, -0.9f, 0, 0.9f}, {0.9f, -0.9f, 0.1f, 0.9f}};
    boxes("in vec4 color; out vec4 to; void main() { to = gl_FrontFacing ? color : color.bgra; }\n");
    for (unsigned i = 0; i < 4; i++) {
        glFrontFace(i & 1 ? GL_CW : GL_CCW);
        if (i & 2)
            glEnable(GL_CULL_FACE);
        for (unsigned n = 0; n < 2; n++) {
            const float *const c = corners[n], y = -0.9f + (float)i * 0.5f, at[4] = {c[0], y, c[2], y + 0.3f};
            box(at, 0, 0, red);
        }
    }
    glDisable(GL_CULL_FACE);
    glFrontFace(GL_CCW);
}

/* Each level has a color of its own; boxes show the texture ever smaller. */
static void levels(void)
{
    GLuint texture;
    uint8_t texels[64 * 64][4];
    boxes("in vec2 place; out vec4 to; uniform sampler2D t; void main() { to = texture(t, place); }\n");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 7, GL_RGBA8, 64, 64);
    for (int level = 0; level < 7; level++) {
        for (unsigned i = 0; i < 64 * 64; i++)
            memcpy(texels[i], (const uint8_t[4]){(uint8_t)(level * 40), (uint8_t)(255 - level * 30), 7, 255},
                   4);
        glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 64 >> level, 64 >> level, GL_RGBA, GL_UNSIGNED_BYTE,
                        texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (unsigned i = 0; i < 5; i++) {
        const float side = 2.0f / (float)(1u << i), at[4] = {1 - side, 1 - side, 1, 1};
        box(at, 0, 0, red);
    }
}

static void discards(void)
{
    boxes("in vec4 color; in vec2 place; out vec4 to; void main() { if (fract(place.x * 7.03) + "
          "fract(place.y * 5.03) > 1.0) discard; to = color; }\n");
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    box(everywhere, 0, 0, red);
    boxes("in vec4 color; in vec2 place; out vec4 to; void main() { gl_FragDepth = place.x * 0.97; to = "
          "color; }\n");
    box(everywhere, 0, 0, blue);
    boxes(NULL);
    box(everywhere, 0.51f, 0.51f, green);
    glDisable(GL_DEPTH_TEST);
}

/* Behind the eye, and far outside. */
static void clipped(void)
{
    program_of("out vec4 color; void main() { int i = gl_VertexID % 3; vec4 p = gl_VertexID < 3 ?\n"
               "i == 0 ? vec4(-40, -30, -20, -20) : i == 1 ? vec4(40, -30, 10, 11) : vec4(0, 45, 10, 11) :\n"
               "i == 0 ? vec4(0.1, 0.1, -2, -1) : i == 1 ? vec4(0.9, 0.1, 0, 1) : vec4(0.1, 0.9, 0, 1);\n"
               "gl_Position = p; color = gl_VertexID < 3 ? vec4(1, 0.4, 0, 1) : vec4(0, 0.4, 1, 1); }\n",
               plain_pixels);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static void offsets(void)
{
    static const float inner[4] = {-0.5f, -0.7f, 0.5f, 0.7f}, most[4] = {-0.9f, -0.9f, 0.9f, 0.9f};
    boxes(NULL);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    box(everywhere, -0.5f, 0.5f, red);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-1, -1);
    box(inner, -0.25f, 0.25f, blue);
    glPolygonOffset(1, 1);
    box(most, -0.45f, 0.45f, green);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_TEST);
}

static void points(void)
{
    program_of(
        "out vec4 color; void main() { int i = gl_VertexID; gl_Position = vec4(vec2(i % 4, i / 4) * 0.5 - "
        "0.73, 0, 1);\ngl_PointSize = 1.0 + float(i); color = vec4(float(i) / 15.0, 0.4, 0, 1); }\n",
        "in vec4 color; out vec4 to; void main() { to = vec4(color.x, floor(gl_PointCoord * 8.0) / 8.0, 1); "
        "}\n");
    glDrawArrays(GL_POINTS, 0, 16);
}

#include "draw_patches.h"

static const struct scene {
    const char *name;
    void (*draw)(void);
} scenes[] = {
    {"uniform", uniform},
    {"attributes", attributes},
    {"instances", instances},
    {"list", list},
    {"divisors", divisors},
    {"indirect", indirect},
    {"indirect, offsets", indirect_offsets},
    {"indirect, indices", indirect_indices},
    {"indices of 32 bits", indices_32},
    {"indices of 16 bits", indices_16},
    {"indices of 8 bits", indices_8},
    {"strips", strips},
    {"fans", fans},
    {"fan", fan},
    {"matrices", matrices},
    {"block", block},
    {"textured", textured},
    {"texture of vertices", texture_of_vertices},
    {"many varyings", many_varyings},
    {"branches", branches},
    {"depth functions", depth_functions},
    {"stencils", stencils},
    {"sides", sides},
    {"levels", levels},
    {"discards", discards},
    {"clipped", clipped},
    {"offsets of depth", offsets},
    {"points", points},
    {"patches: quads", patch_quads},
    {"patches: quads, odd", patch_quads_odd},
    {"patches: quads, even", patch_quads_even},
    {"patches: quads, alike", patch_quads_alike},
    {"patches: quads, 64", patch_quads_64},
    {"patches: triangles", patch_triangles},
    {"patches: triangles, odd", patch_triangles_odd},
    {"patches: triangles, even", patch_triangles_even},
    {"patches: isolines", patch_isolines},
    {"patches: points", patch_points},
    {"patches: undivided", patch_undivided},
    {"patches: sides", patch_sides},
    {"patches: barrier", patch_barrier},
    {"patches: most vertices", patch_most_vertices},
    {"patches: indices", patch_indices},
    {"patches: numbers", patch_numbers},
    {"patches: displaced", patch_displaced},
};

static void tell(const char *name, bool pixels)
{
    static uint8_t image[SIDE][SIDE][4];
    uint32_t hash = 2166136261u, lit = 0;
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, image);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            lit += memcmp(image[y][x], (const uint8_t[4]){0, 0, 0, 0}, 4) != 0;
            for (unsigned i = 0; i < 4; i++)
                hash = (hash ^ image[y][x][i]) * 16777619u;
        }
    printf("%s: %" PRIu32 " pixels, %08" PRIx32 ", error %x\n", name, lit, hash, glGetError());
    for (unsigned y = 0; pixels && y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            printf("%02x%02x%02x%02x%c", image[y][x][0], image[y][x][1], image[y][x][2], image[y][x][3],
                   x + 1 < SIDE ? ' ' : '\n');
}

static void begin(void)
{
    GLuint texture, depth, target, vertices;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

int main(int argc, char **argv)
{
    static const EGLint attributes_of[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                           EGL_NONE};
    const bool pixels = argc > 1 && strcmp(argv[1], "-p") == 0;
    struct surfaceless with;
    if (!surfaceless_begin(&with, EGL_OPENGL_ES_API, attributes_of))
        return 1;
    fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
    for (unsigned i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (is_named(scenes[i].name, argc - 1 - pixels, argv + 1 + pixels)) {
            begin();
            scenes[i].draw();
            tell(scenes[i].name, pixels);
        }
    surfaceless_end(&with);
    return 0;
}
