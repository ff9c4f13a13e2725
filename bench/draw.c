/*
 * What a GLES 3 device draws in a second: a figure a line, its best of some frames, and a sum of the image.
 * It knows nothing of softgt: bench/side-by-side runs it by iris on softgt exec, and by llvmpipe. Time is the
 * process' processor time, so other work on the host does not count. Exit status 2: no device.
 */
#include <GLES3/gl3.h>

#include "../tests/exec/surfaceless.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { SIZE = 256, FRAMES = 4, GRID = 64, POINTS = 16384, TEXTURE = 256, DRAWS = 1000 };
enum { MESH = 100, MESH_POINTS = (MESH + 1) * (MESH + 1), MESH_TRIANGLES = MESH * MESH * 2 };

struct test {
    const char *name, *unit;
    const char *fragment; /* shader */
    double work;          /* units a draw */
    enum geometry {
        FULL,
        GRID_OF_TRIANGLES,
        VERTICES,
        MESH_ARRAYS,
        MESH_INDEXED,
        MESH_STRIPS,
        SMALL_DRAWS,
        RESOLVE /* of the target of several samples */
    } geometry;
    GLenum filter; /* 0: no texture */
    bool blend, depth, samples;
};

#define COLOR   "color = vec4(0.25, 0.5, 0.75, 0.5);"
#define VARYING "color = vec4(v, 1.0 - v.x, 0.5);"
#define SAMPLE  "color = texture(image, v * 1.7);"
#define PIXELS  .unit = "Mpixel/s", .work = (double)SIZE * SIZE
#define MESH_OF .unit = "Mtriangle/s", .work = MESH_TRIANGLES
static const struct test tests[] = {
    {.name = "vertices", .unit = "Mvertex/s", .work = POINTS, .geometry = VERTICES, .fragment = COLOR},
    {.name = "triangles",
     .unit = "Mtriangle/s",
     .work = GRID * GRID * 2.0,
     .geometry = GRID_OF_TRIANGLES,
     .fragment = COLOR},
    {.name = "triangles_20000", MESH_OF, .geometry = MESH_ARRAYS, .fragment = VARYING},
    {.name = "indexed", MESH_OF, .geometry = MESH_INDEXED, .fragment = VARYING},
    {.name = "strip", MESH_OF, .geometry = MESH_STRIPS, .fragment = VARYING},
    {.name = "draws_1000", .unit = "Mdraw/s", .work = DRAWS, .geometry = SMALL_DRAWS, .fragment = COLOR},
    {.name = "pixels_flat", PIXELS, .fragment = COLOR},
    {.name = "pixels_varying", PIXELS, .fragment = VARYING},
    {.name = "sampler_nearest", PIXELS, .fragment = SAMPLE, .filter = GL_NEAREST},
    {.name = "sampler_linear", PIXELS, .fragment = SAMPLE, .filter = GL_LINEAR},
    {.name = "sampler_trilinear", PIXELS, .fragment = SAMPLE, .filter = GL_LINEAR_MIPMAP_LINEAR},
    {.name = "blend", PIXELS, .fragment = VARYING, .blend = true},
    {.name = "depth", PIXELS, .fragment = VARYING, .depth = true},
    {.name = "samples", PIXELS, .fragment = VARYING, .depth = true, .samples = true},
    {.name = "samples_triangles",
     .unit = "Mtriangle/s",
     .work = GRID * GRID * 2.0,
     .geometry = GRID_OF_TRIANGLES,
     .fragment = COLOR,
     .samples = true},
    {.name = "resolve", PIXELS, .fragment = COLOR, .geometry = RESOLVE, .samples = true},
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Positions come from the vertex's number, or from buffers: no driver uploads vertices between frames. */
#define FROM_BUFFER "vec2 p = place + tint.zw * 0.01;"
static const char *const positions[] = {
    [FULL] = "vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;",
    [GRID_OF_TRIANGLES] = "int cell = gl_VertexID / 6, n = gl_VertexID % 6;"
                          "vec2 c = vec2(n == 1 || n == 4 || n == 5, n == 2 || n == 3 || n == 5);"
                          "vec2 p = (vec2(cell % 64, cell / 64) + c) / 32.0 - 1.0;",
    [VERTICES] = "float f = float(gl_VertexID); vec2 p = vec2(2.0 + sin(f) * 0.5, cos(f * 0.5));",
    [MESH_ARRAYS] = FROM_BUFFER,
    [MESH_INDEXED] = FROM_BUFFER,
    [MESH_STRIPS] = FROM_BUFFER,
    [SMALL_DRAWS] = "vec2 p = place + shift;",
    [RESOLVE] = "vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;",
};

static GLuint shader(GLenum type, const char *text)
{
    GLint good = 0;
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, NULL);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &good);
    return good ? s : 0;
}

static GLuint program(const struct test *t)
{
    char vertex[1000], fragment[1000];
    snprintf(vertex, sizeof vertex,
             "#version 300 es\nprecision highp float;\nout vec2 v;\nuniform vec2 shift;\n"
             "layout(location = 0) in vec2 place;\nlayout(location = 1) in vec4 tint;\n"
             "void main() { %s v = p * 0.5 + 0.5;"
             " gl_PointSize = 1.0; gl_Position = vec4(p, float(gl_VertexID %% 7) * 0.1 - 0.3, 1.0); }\n",
             positions[t->geometry]);
    snprintf(
        fragment, sizeof fragment,
        "#version 300 es\nprecision highp float;\nin vec2 v;\nout vec4 color;\nuniform sampler2D image;\n"
        "void main() { %s }\n",
        t->fragment);
    GLint good = 0;
    const GLuint vs = shader(GL_VERTEX_SHADER, vertex), fs = shader(GL_FRAGMENT_SHADER, fragment),
                 p = glCreateProgram();
    glAttachShader(p, vs), glAttachShader(p, fs);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &good);
    return vs && fs && good ? p : 0;
}

static GLuint target(GLsizei samples)
{
    GLuint buffers[2], frame;
    glGenRenderbuffers(2, buffers);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    glViewport(0, 0, SIZE, SIZE);
    return frame;
}

/* The targets that are drawn to and read, of one sample and of several. */
static GLuint frames[2];

static void resolve(void)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frames[1]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frames[0]);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, frames[1]);
}

static void texture(void)
{
    static uint8_t texels[TEXTURE * TEXTURE * 4];
    GLuint name;
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)((i * 2654435761u) >> 24);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE, TEXTURE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
}

/* A mesh of MESH x MESH cells, in three orders: a triangle's own vertices, indices of points, and strips. */
struct vertex {
    float place[2];
    uint8_t tint[4];
};

static struct vertex mesh_point(unsigned n)
{
    const unsigned x = n % (MESH + 1u), y = n / (MESH + 1u);
    return (struct vertex){{(float)x * (2.0f / MESH) - 1.0f, (float)y * (2.0f / MESH) - 1.0f},
                           {(uint8_t)x, (uint8_t)y, (uint8_t)(x * y), (uint8_t)(x + y)}};
}

static void mesh(enum geometry geometry)
{
    static struct vertex points[MESH_TRIANGLES * 3];
    static uint16_t indices[MESH_TRIANGLES * 3];
    GLuint buffers[2];
    size_t count = 0;
    for (unsigned cell = 0; cell < MESH * MESH && geometry != MESH_STRIPS; cell++) {
        static const unsigned corners[] = {0, 1, MESH + 1, MESH + 1, 1, MESH + 2};
        for (unsigned i = 0; i < 6; i++)
            indices[count++] = (uint16_t)(cell / MESH * (MESH + 1) + cell % MESH + corners[i]);
    }
    for (unsigned n = 0; n < MESH * (MESH + 1) && geometry == MESH_STRIPS; n++) {
        if (n && n % (MESH + 1) == 0)
            indices[count++] = UINT16_MAX;
        indices[count++] = (uint16_t)(n + MESH + 1);
        indices[count++] = (uint16_t)n;
    }
    for (size_t i = 0; i < (geometry == MESH_ARRAYS ? count : MESH_POINTS); i++)
        points[i] = mesh_point(geometry == MESH_ARRAYS ? indices[i] : (unsigned)i);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof points, points, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof *points, NULL);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof *points,
                          (const void *)offsetof(struct vertex, tint));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
}

static void draw(enum geometry geometry, GLint shift)
{
    switch (geometry) {
    case FULL:
        glDrawArrays(GL_TRIANGLES, 0, 3);
        break;
    case GRID_OF_TRIANGLES:
        glDrawArrays(GL_TRIANGLES, 0, GRID * GRID * 6);
        break;
    case VERTICES:
        glDrawArrays(GL_POINTS, 0, POINTS);
        break;
    case MESH_ARRAYS:
        glDrawArrays(GL_TRIANGLES, 0, MESH_TRIANGLES * 3);
        break;
    case MESH_INDEXED:
        glDrawElements(GL_TRIANGLES, MESH_TRIANGLES * 3, GL_UNSIGNED_SHORT, NULL);
        break;
    case MESH_STRIPS:
        glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
        glDrawElements(GL_TRIANGLE_STRIP, MESH * (MESH + 1) * 2 + MESH - 1, GL_UNSIGNED_SHORT, NULL);
        break;
    case SMALL_DRAWS:
        for (int i = 0; i < DRAWS; i++) {
            glUniform2f(shift, (float)(i % 32) / 16.0f - 0.9f, (float)(i / 32) / 16.0f - 0.9f);
            glDrawArrays(GL_TRIANGLES, MESH_TRIANGLES * 3 / 2 + MESH * 3, 3);
        }
        break;
    case RESOLVE:
        resolve();
        break;
    }
}

static bool run(const struct test *t)
{
    static uint8_t image[SIZE * SIZE * 4];
    const GLuint p = program(t);
    if (!p)
        return false;
    glUseProgram(p);
    const GLint shift = glGetUniformLocation(p, "shift");
    if (t->geometry >= MESH_ARRAYS && t->geometry < RESOLVE)
        mesh(t->geometry == SMALL_DRAWS ? MESH_ARRAYS : t->geometry);
    if (t->filter) {
        const bool mips = t->filter == GL_LINEAR_MIPMAP_LINEAR;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)t->filter);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)(mips ? GL_LINEAR : t->filter));
    }
    (t->blend ? glEnable : glDisable)(GL_BLEND);
    (t->depth ? glEnable : glDisable)(GL_DEPTH_TEST);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindFramebuffer(GL_FRAMEBUFFER, frames[t->samples]);
    double best = 1e9;
    for (int frame = 0; frame < FRAMES; frame++) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (t->geometry == RESOLVE)
            draw(GRID_OF_TRIANGLES, shift);
        glFinish();
        const double begin = seconds();
        draw(t->geometry, shift);
        glFinish();
        const double took = seconds() - begin;
        best = took < best ? took : best;
    }
    if (t->samples)
        resolve();
    glBindFramebuffer(GL_FRAMEBUFFER, frames[0]);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof image; i++)
        sum = sum * 31u + image[i];
    printf("%s %g %s %08x\n", t->name, t->work / best / 1e6, t->unit, sum);
    fflush(stdout);
    glDeleteProgram(p);
    return glGetError() == GL_NO_ERROR;
}

int main(int argc, char **argv)
{
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    struct surfaceless s;
    if (!surfaceless_begin(&s, EGL_OPENGL_ES_API, attributes))
        return 2;
    frames[1] = target(4);
    frames[0] = target(0);
    texture();
    bool good = true;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (is_named(tests[i].name, argc - 1, argv + 1))
            good &= run(&tests[i]);
    surfaceless_end(&s);
    return good ? 0 : 1;
}
