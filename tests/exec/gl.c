/*
 * OpenGL compute as a program of the host's does it, without a window: kernels, storage buffers, images,
 * textures, atomics, barriers, indirect dispatches. A line for each thing tells what came out; who runs it on
 * two devices compares them. gl [NAME...]
 */
#include <GLES3/gl31.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surfaceless.h"

static const char *const head = "#version 310 es\nprecision highp float; precision highp int; precision "
                                "highp image2D; precision highp uimage2D;\n"
                                "precision highp sampler2D; precision highp usampler2D; precision highp "
                                "sampler3D; precision highp sampler2DArray;\n";

enum { WORDS = 8192 };

static const struct kernel {
    const char *name, *source;
    unsigned groups[3];
    bool image;
} kernels[] = {
    {"add",
     "layout(local_size_x = 64) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "uniform uint factor;\n"
     "void main() { uint i = gl_GlobalInvocationID.x; b[i] = a[i] * factor + b[i]; }\n",
     {128, 1, 1},
     false},
    {"floats",
     "layout(local_size_x = 64) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { float b[]; };\n"
     "void main() {\n"
     "    uint i = gl_GlobalInvocationID.x;\n"
     "    float x = float(a[i] & 0xfffu) / 64.0, y = float(a[i] >> 20) / 64.0;\n"
     "    float z = x * y;\n"
     "    b[i] = floor(max(z, x) - min(y, x)) + fract(x) + sign(y - x) + (x < y ? 1.0 : 0.5);\n"
     "}\n",
     {128, 1, 1},
     false},
    {"reduce",
     "layout(local_size_x = 128) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "shared uint part[128];\n"
     "void main() {\n"
     "    uint at = gl_LocalInvocationID.x;\n"
     "    part[at] = a[gl_GlobalInvocationID.x];\n"
     "    for (uint count = 64u; count > 0u; count /= 2u) {\n"
     "        barrier();\n"
     "        if (at < count) part[at] += part[at + count];\n"
     "    }\n"
     "    if (at == 0u) { b[gl_WorkGroupID.x + 8u] = part[0]; atomicAdd(b[0], part[0]); atomicMax(b[1], "
     "part[0]); atomicOr(b[2], part[0]); }\n"
     "    atomicAdd(b[3 + int(at & 3u)], 1u);\n"
     "}\n",
     {64, 1, 1},
     false},
    {"counters",
     "layout(local_size_x = 32) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(binding = 0) uniform atomic_uint counter;\n"
     "void main() { if (a[gl_GlobalInvocationID.x] % 3u == 0u) { atomicCounterIncrement(counter); "
     "b[gl_GlobalInvocationID.x] = 1u; } }\n",
     {100, 1, 1},
     false},
    {"image",
     "layout(local_size_x = 8, local_size_y = 8) in;\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(binding = 0, rgba8) writeonly uniform image2D to;\n"
     "layout(binding = 1, r32ui) uniform uimage2D count;\n"
     "void main() {\n"
     "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
     "    imageStore(to, p, vec4(p.x & 15, p.y & 15, (p.x ^ p.y) & 15, 15) / 15.0);\n"
     "    imageStore(count, p, uvec4(imageLoad(count, p).x + uint(p.x * 3 + p.y)));\n"
     "}\n",
     {8, 8, 1},
     true},
    {"texture",
     "layout(local_size_x = 8, local_size_y = 8) in;\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(binding = 0) uniform sampler2D from;\n"
     "layout(binding = 1) uniform usampler2D count;\n"
     "void main() {\n"
     "    uvec2 p = gl_GlobalInvocationID.xy;\n"
     "    uvec4 t = uvec4(textureLod(from, (vec2(p) + 0.5) / 64.0, 0.0) * 15.0 + 0.5);\n"
     "    b[p.y * 64u + p.x] = t.x | t.y << 8 | t.z << 16 | t.w << 24;\n"
     "    b[p.y * 64u + p.x + 4096u] = texelFetch(count, ivec2(p), 0).x + uint(textureSize(from, 0).x) * "
     "65536u;\n"
     "}\n",
     {8, 8, 1},
     true},
};

static GLuint buffers[3], textures[2];

static void tell(const char *name, const void *words, size_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const uint8_t *)words)[i]) * UINT64_C(0x100000001b3);
    printf("%s: %016" PRIx64 "%s\n", name, hash, glGetError() ? " GL error" : "");
    fflush(stdout);
}

static GLuint make_program(const struct kernel *k)
{
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint good = 0;
    char log[1024] = "";
    glShaderSource(shader, 2, (const char *const[]){head, k->source}, NULL);
    glCompileShader(shader);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        printf("%s: %s\n", k->name, log);
        exit(1);
    }
    glDeleteShader(shader);
    return program;
}

static void fill(void)
{
    static uint32_t words[WORDS];
    uint32_t x = 12345;
    for (uint32_t i = 0; i < WORDS; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        words[i] = x;
    }
    glGenBuffers(3, buffers);
    for (unsigned i = 0; i < 2; i++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof words, words, GL_DYNAMIC_COPY);
        memset(words, 0, sizeof words);
    }
    glBindBuffer(GL_ATOMIC_COUNTER_BUFFER, buffers[2]);
    glBufferData(GL_ATOMIC_COUNTER_BUFFER, 16, words, GL_DYNAMIC_COPY);
    glGenTextures(2, textures);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, i ? GL_R32UI : GL_RGBA8, 64, 64);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
}

/* Of the buffer: it is empty before each. */
static void read_back(const char *name)
{
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[1]);
    void *words =
        glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, WORDS * 4, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
    if (!words)
        return;
    tell(name, words, WORDS * 4);
    memset(words, 0, WORDS * 4);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}

static void run(const struct kernel *k)
{
    const GLuint program = make_program(k);
    glUseProgram(program);
    glUniform1ui(glGetUniformLocation(program, "factor"), 2654435761u);
    for (unsigned i = 0; i < 2; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, buffers[2]);
    for (unsigned i = 0; k->image && i < 2; i++) {
        glBindImageTexture(i, textures[i], 0, false, 0, i ? GL_READ_WRITE : GL_WRITE_ONLY,
                           i ? GL_R32UI : GL_RGBA8);
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, textures[i]);
    }
    glDispatchCompute(k->groups[0], k->groups[1], k->groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glFinish();
    read_back(k->name);
    if (strcmp(k->name, "counters") == 0) {
        glBindBuffer(GL_ATOMIC_COUNTER_BUFFER, buffers[2]);
        const uint32_t *count = glMapBufferRange(GL_ATOMIC_COUNTER_BUFFER, 0, 16, GL_MAP_READ_BIT);
        printf("counted: %u\n", count ? *count : 0);
        glUnmapBuffer(GL_ATOMIC_COUNTER_BUFFER);
    }
    glDeleteProgram(program);
}

int main(int argc, char **argv)
{
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    struct surfaceless with;
    if (!surfaceless_begin(&with, EGL_OPENGL_ES_API, attributes))
        return 2;
    fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
    fill();
    for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (is_named(kernels[i].name, argc - 1, argv + 1))
            run(&kernels[i]);
    }
    surfaceless_end(&with);
    return 0;
}
