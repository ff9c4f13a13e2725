/*
 * OpenGL draws with geometry shaders and vertices that stream out, as a program of the host's does them,
 * without a window: what comes in and goes out, adjacent vertices, invocations, strips that end, layers,
 * streams, buffers that are full, queries, draws of what was streamed. A line for each tells what came out;
 * who runs it on two devices compares them. geometry [-p] [NAME...]; -p: pixels, too
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surfaceless.h"

enum { SIDE = 64, LAYERS = 4, WORDS = 4096 };

/* Of desktop's alone there is no library to link with. */
#define LATER(result, name, ...)                                                                             \
    typedef result (*name##_function)(__VA_ARGS__);                                                          \
    static name##_function name##_later
LATER(void, draw_feedback, GLenum, GLuint);
LATER(void, draw_feedback_stream, GLenum, GLuint, GLuint);
LATER(void, begin_query_indexed, GLenum, GLuint, GLuint);
LATER(void, end_query_indexed, GLenum, GLuint);
LATER(void, query_result, GLuint, GLenum, GLuint64 *);
LATER(void, framebuffer_texture, GLenum, GLenum, GLuint, GLint);

static const char *const head = "#version 450 core\n";
static const char *const plain_pixels =
    "in vec4 color; out vec4 to; void main() { to = floor(color * 15.0 + 0.51) / 15.0; }\n";
static const char *const flat_pixels = "flat in vec4 color; out vec4 to; void main() { to = color; }\n";
/* A grid of eight by eight places; a number of each. */
static const char *const places =
    "out vec4 shade; out int number; void main() { int n = gl_VertexID; number = n;\n"
    "gl_Position = vec4(vec2(n & 7, n >> 3) / 4.0 - 0.859375, 0, 1);\n"
    "shade = vec4(n & 15, n >> 4, (n * 7) & 15, 15) / 16.0; }\n";

static GLuint program_of(const char *vertex, const char *geometry, const char *pixel,
                         const char *const *streamed, GLsizei streamed_count)
{
    static const GLenum types[3] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
    const char *const texts[3] = {vertex, geometry, pixel};
    const GLuint program = glCreateProgram();
    char log[1000];
    GLint ok;
    for (unsigned i = 0; i < 3; i++) {
        const char *const source[2] = {head, texts[i]};
        if (!texts[i])
            continue;
        const GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 2, source, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        if (!ok) {
            glGetShaderInfoLog(shader, sizeof log, NULL, log);
            printf("not compiled: %s\n", log);
        }
        glAttachShader(program, shader);
    }
    if (streamed_count)
        glTransformFeedbackVaryings(program, streamed_count, streamed, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        printf("not linked: %s\n", log);
    }
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

/* ---- Geometry shaders ---- */

/* A square for each point. */
static void squares(void)
{
    program_of(places,
               "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
               "in vec4 shade[]; out vec4 color; void main() { for (int i = 0; i < 4; i++) {\n"
               "gl_Position = gl_in[0].gl_Position + vec4(vec2(i & 1, i >> 1) * 0.1875 - 0.09375, 0, 0);\n"
               "color = shade[0]; EmitVertex(); } }\n",
               plain_pixels, NULL, 0);
    glDrawArrays(GL_POINTS, 0, 61);
}

/* Triangles of many inputs, which are read where they lie. */
static void many_inputs(void)
{
    program_of(
        "out vec4 a[12]; void main() { int n = gl_VertexID; gl_Position = vec4(vec2(n & 7, n >> 3) / "
        "4.0 - 0.859375, 0, 1);\nfor (int i = 0; i < 12; i++) a[i] = vec4(n * 5 + i, i, n, 1); }\n",
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
        "struct V { vec4 b; }; in vec4 a[][12]; flat out vec4 color; uniform int which; void main() {\n"
        "vec4 sum = vec4(0); for (int v = 0; v < 3; v++) for (int i = 0; i < 12; i++) sum += a[v][i] * "
        "float(i + v + 1);\n"
        "sum += a[1][which];\n"
        "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; color = mod(sum, 16.0) / "
        "15.0; EmitVertex(); } }\n",
        flat_pixels, NULL, 0);
    glUniform1i(0, 5);
    glDrawArrays(GL_TRIANGLES, 0, 60);
}

/* Strips that the shader ends, of as many vertices as it likes. */
static void strips(void)
{
    program_of(
        places,
        "layout(points) in; layout(triangle_strip, max_vertices = 40) out;\n"
        "in vec4 shade[]; in int number[]; out vec4 color; void main() {\n"
        "for (int k = 0; k < (number[0] & 3); k++) { for (int i = 0; i < 4 + k; i++) {\n"
        "gl_Position = gl_in[0].gl_Position + vec4(i & 1, (i >> 1) + k, 0, 0) * vec4(0.1, 0.06, 0, 0) - "
        "vec4(0.1, 0.1, 0, 0);\n"
        "color = shade[0].yzxw; EmitVertex(); } if (k != 1) EndPrimitive(); } }\n",
        plain_pixels, NULL, 0);
    glDrawArrays(GL_POINTS, 0, 64);
}

/* Each triangle several times, by invocation and number. */
static void invocations(void)
{
    program_of(places,
               "layout(triangles, invocations = 5) in; layout(line_strip, max_vertices = 4) out;\n"
               "in vec4 shade[]; flat out vec4 color; void main() { for (int i = 0; i < 4; i++) {\n"
               "gl_Position = gl_in[i % 3].gl_Position * vec4(vec2(1.0 - float(gl_InvocationID) * 0.17), 1, "
               "1);\n"
               "color = vec4(gl_InvocationID, gl_PrimitiveIDIn & 15, 3, 15) / 15.0; EmitVertex(); } }\n",
               flat_pixels, NULL, 0);
    glDrawArrays(GL_TRIANGLES, 3, 57);
}

/* Which vertices each gets, and in which order: streamed, for it says all. */
static const char *const numbers =
    "out int number; void main() { number = gl_VertexID; gl_Position = vec4(0); }\n";

static void tell_words(const char *name, unsigned words)
{
    uint32_t *const data = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, WORDS * 4, GL_MAP_READ_BIT);
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; data && i < WORDS; i++)
        hash = (hash ^ data[i]) * 16777619u;
    printf("  %s: %08" PRIx32 ":", name, hash);
    for (unsigned i = 0; data && i < words; i++)
        printf(" %" PRIx32, data[i]);
    printf("\n");
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

static void stream_to(GLuint index, size_t size_bytes)
{
    static uint32_t stale[WORDS];
    memset(stale, 0xee, sizeof stale);
    const GLuint buffer = buffer_of(GL_TRANSFORM_FEEDBACK_BUFFER, stale, sizeof stale);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer, 0, (GLsizeiptr)size_bytes);
}

static void draw_streamed(GLenum mode, GLenum streamed, GLint first, GLsizei count)
{
    GLuint queries[2], written, generated;
    glGenQueries(2, queries);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[0]);
    glBeginQuery(GL_PRIMITIVES_GENERATED, queries[1]);
    glBeginTransformFeedback(streamed);
    glDrawArrays(mode, first, count);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(queries[0], GL_QUERY_RESULT, &written);
    glGetQueryObjectuiv(queries[1], GL_QUERY_RESULT, &generated);
    printf("  written %u of %u\n", written, generated);
}

static void orders(void)
{
    static const struct {
        GLenum mode;
        const char *name, *in;
        int vertices;
    } modes[] = {
        {GL_POINTS, "points", "points", 1},
        {GL_LINES, "lines", "lines", 2},
        {GL_LINE_STRIP, "line strip", "lines", 2},
        {GL_LINE_LOOP, "line loop", "lines", 2},
        {GL_TRIANGLES, "triangles", "triangles", 3},
        {GL_TRIANGLE_STRIP, "triangle strip", "triangles", 3},
        {GL_TRIANGLE_FAN, "triangle fan", "triangles", 3},
        {GL_LINES_ADJACENCY, "lines with adjacent ones", "lines_adjacency", 4},
        {GL_LINE_STRIP_ADJACENCY, "line strip with adjacent ones", "lines_adjacency", 4},
        {GL_TRIANGLES_ADJACENCY, "triangles with adjacent ones", "triangles_adjacency", 6},
        {GL_TRIANGLE_STRIP_ADJACENCY, "triangle strip with adjacent ones", "triangles_adjacency", 6},
    };
    static const char *const streamed[] = {"got", "which"};
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "layout(%s) in; layout(points, max_vertices = 6) out; in int number[]; out int got, which;\n"
                 "void main() { for (int i = 0; i < %d; i++) { got = number[i]; which = gl_PrimitiveIDIn; "
                 "EmitVertex(); } }\n",
                 modes[i].in, modes[i].vertices);
        program_of(numbers, text, NULL, streamed, 2);
        stream_to(0, WORDS * 4);
        draw_streamed(modes[i].mode, GL_POINTS, 0, 14);
        tell_words(modes[i].name, 24);
    }
    glDisable(GL_RASTERIZER_DISCARD);
}

static void layers(void)
{
    program_of(
        places,
        "layout(triangles) in; layout(triangle_strip, max_vertices = 12) out; in vec4 shade[]; flat out "
        "vec4 color;\n"
        "void main() { for (int k = 0; k < 4; k++) { for (int i = 0; i < 3; i++) {\n"
        "gl_Layer = k; gl_Position = gl_in[i].gl_Position * vec4(vec2(1.0 - float(k) * 0.2), 1, 1); "
        "color = shade[k & 1]; EmitVertex(); } EndPrimitive(); } }\n",
        flat_pixels, NULL, 0);
    glDrawArrays(GL_TRIANGLES, 0, 57);
}

static void points(void)
{
    program_of(
        places,
        "layout(lines) in; layout(points, max_vertices = 3) out; in vec4 shade[]; out vec4 color; void "
        "main() {\n"
        "for (int i = 0; i < 3; i++) { gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, "
        "float(i) / 2.0); gl_PointSize = float(1 + i * 2); color = shade[0]; EmitVertex(); } }\n",
        plain_pixels, NULL, 0);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDrawArrays(GL_LINES, 0, 64);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

/* The number that the shader gives a primitive, and the side that pixels see. */
static void primitive_numbers(void)
{
    program_of(places,
               "layout(triangles) in; layout(triangle_strip, max_vertices = 4) out; void main() {\n"
               "for (int i = 0; i < 4; i++) { gl_PrimitiveID = gl_PrimitiveIDIn * 3 + 1; gl_Position = "
               "gl_in[i % 3].gl_Position + vec4(i / 3) * vec4(0.25, 0, 0, 0); EmitVertex(); } }\n",
               "out vec4 to; void main() { to = vec4(gl_PrimitiveID & 15, gl_PrimitiveID >> 4, "
               "gl_FrontFacing ? 15 : 3, 15) / 15.0; }\n",
               NULL, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 62);
}

static void clip_distances(void)
{
    program_of(places,
               "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
               "in vec4 shade[]; flat out vec4 color; out float gl_ClipDistance[1]; void main() { for (int i "
               "= 0; i < "
               "4; i++) {\n"
               "gl_Position = gl_in[0].gl_Position + vec4(vec2(i & 1, i >> 1) * 0.5 - 0.25, 0, 0); "
               "gl_ClipDistance[0] = gl_Position.x + 0.3;\n"
               "color = shade[0]; EmitVertex(); } }\n",
               flat_pixels, NULL, 0);
    glEnable(GL_CLIP_DISTANCE0);
    glDrawArrays(GL_POINTS, 0, 40);
    glDisable(GL_CLIP_DISTANCE0);
}

/* Instances, indices that end strips. */
static void indexed(void)
{
    static const uint16_t index[] = {0, 1, 8, 9, 16, 0xffff, 20, 21, 28, 29, 0xffff, 40, 41, 48, 49, 56, 57};
    program_of(
        places,
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in vec4 shade[]; flat out "
        "vec4 color;\n"
        "void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; color = "
        "shade[i]; EmitVertex(); } }\n",
        flat_pixels, NULL, 0);
    buffer_of(GL_ELEMENT_ARRAY_BUFFER, index, sizeof index);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElementsInstanced(GL_TRIANGLE_STRIP, sizeof index / 2, GL_UNSIGNED_SHORT, NULL, 3);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}

/* ---- Vertices that stream out ---- */

static void streamed_vertices(void)
{
    static const char *const streamed[] = {"gl_Position", "shade"};
    static const GLenum modes[] = {GL_POINTS,    GL_LINES,          GL_LINE_STRIP,  GL_LINE_LOOP,
                                   GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN};
    static const GLenum as[] = {GL_POINTS,    GL_LINES,     GL_LINES,    GL_LINES,
                                GL_TRIANGLES, GL_TRIANGLES, GL_TRIANGLES};
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        program_of(
            "out vec4 shade; out vec4 color; void main() { int n = gl_VertexID; gl_Position = "
            "vec4(vec2(n & 7, n >> 3) / 4.0 - 0.859375, 0, 1); shade = vec4(n, n * 3, n * n, 1); color = "
            "vec4(n & 15, 7, 3, 15) / 15.0; }\n",
            NULL,
            flat_pixels ? "in vec4 color; out vec4 to; void main() { to = vec4(1, 0.4, 0.2, 1); }\n" : NULL,
            streamed, 2);
        stream_to(0, WORDS * 4);
        draw_streamed(modes[i], as[i], 2, 40);
        tell_words("streamed", 8);
    }
}

/* The buffer has no room for the last ones; the next draw goes on where it was. */
static void full(void)
{
    static const char *const streamed[] = {"number"};
    program_of(numbers, NULL, NULL, streamed, 1);
    glEnable(GL_RASTERIZER_DISCARD);
    stream_to(0, 17 * 4);
    draw_streamed(GL_TRIANGLES, GL_TRIANGLES, 0, 30);
    tell_words("room for five and a bit", 18);
    stream_to(0, 40 * 4);
    glBeginTransformFeedback(GL_TRIANGLES);
    for (int i = 0; i < 4; i++)
        glDrawArrays(GL_TRIANGLES, i * 10, 12);
    glEndTransformFeedback();
    tell_words("several draws", 42);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 100, 3);
    glPauseTransformFeedback();
    glDrawArrays(GL_POINTS, 200, 3);
    glResumeTransformFeedback();
    glDrawArrays(GL_POINTS, 300, 3);
    glEndTransformFeedback();
    tell_words("paused", 8);
    glDisable(GL_RASTERIZER_DISCARD);
}

/* Components that are left out, and several buffers. */
static void buffers(void)
{
    static const char *const streamed[] = {
        "a", "gl_SkipComponents2", "b", "gl_NextBuffer", "c", "gl_NextBuffer", "gl_SkipComponents1", "d"};
    program_of("out vec3 a; out vec2 b; out float c; out ivec4 d; void main() { int n = gl_VertexID; a = "
               "vec3(n, n + 1, n + 2); b = vec2(-n, n * n); c = float(n) / 2.0; d = ivec4(n, 1, n * 2, 3); "
               "gl_Position = vec4(0); }\n",
               NULL, NULL, streamed, 8);
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 3; i--;)
        stream_to(i, i == 2 ? 400 : WORDS * 4);
    GLint bound[3];
    for (unsigned i = 0; i < 3; i++)
        glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, i, &bound[i]);
    draw_streamed(GL_POINTS, GL_POINTS, 0, 25);
    for (unsigned i = 0; i < 3; i++) {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)bound[i]);
        tell_words("buffer", 16);
    }
    glDisable(GL_RASTERIZER_DISCARD);
}

/* Of a geometry shader, with pixels beside it; then a draw of all that was streamed. */
static void drawn_again(void)
{
    static const char *const streamed[] = {"gl_Position", "color"};
    GLuint feedback;
    program_of(places,
               "layout(points) in; layout(triangle_strip, max_vertices = 5) out;\n"
               "in vec4 shade[]; in int number[]; out vec4 color; void main() { for (int i = 0; i < 3 + "
               "number[0] % 3; i++) {\n"
               "gl_Position = gl_in[0].gl_Position + vec4(vec2(i & 1, i >> 1) * 0.1875 - 0.09375, 0, 0);\n"
               "color = shade[0]; EmitVertex(); } }\n",
               plain_pixels, streamed, 2);
    glGenTransformFeedbacks(1, &feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    stream_to(0, WORDS * 4);
    GLint bound;
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &bound);
    draw_streamed(GL_POINTS, GL_TRIANGLES, 0, 30);
    tell_words("streamed", 16);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    program_of(
        "layout(location = 0) in vec4 at; layout(location = 1) in vec4 c; out vec4 color; void main() { "
        "gl_Position = at.yxzw; color = c; }\n",
        NULL, plain_pixels, NULL, 0);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)bound);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 32, (const void *)(uintptr_t)(i * 16));
    }
    draw_feedback_later(GL_TRIANGLES, feedback);
}

/* Points to four streams, each with a buffer; one of them is full. */
static void streams(void)
{
    static const char *const streamed[] = {"a", "gl_NextBuffer", "b", "gl_NextBuffer",
                                           "c", "gl_NextBuffer", "d"};
    GLuint queries[8], feedback;
    GLint bound[4];
    program_of(
        places,
        "layout(points) in; layout(points, max_vertices = 7) out; in int number[]; in vec4 shade[];\n"
        "layout(stream = 0) out int a; layout(stream = 0) out vec4 color; layout(stream = 1) out int b; "
        "layout(stream = 2) out int c; layout(stream = 3) out int d;\n"
        "void main() { for (int i = 0; i < number[0] % 7; i++) { int n = number[0] * 16 + i;\n"
        "if ((i & 3) == 0) { a = n; color = shade[0]; gl_Position = gl_in[0].gl_Position; "
        "EmitStreamVertex(0); }\n"
        "else if ((i & 3) == 1) { b = n; EmitStreamVertex(1); } else if ((i & 3) == 2) { c = n; "
        "EmitStreamVertex(2); } else { d = n; EmitStreamVertex(3); } } }\n",
        plain_pixels, streamed, 7);
    glGenTransformFeedbacks(1, &feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    for (unsigned i = 0; i < 4; i++) {
        stream_to(i, i == 2 ? 20 : WORDS * 4);
        glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, i, &bound[i]);
    }
    glGenQueries(8, queries);
    for (unsigned i = 0; i < 4; i++) {
        begin_query_indexed_later(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, i, queries[i]);
        begin_query_indexed_later(GL_PRIMITIVES_GENERATED, i, queries[4 + i]);
    }
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 50);
    glEndTransformFeedback();
    for (unsigned i = 0; i < 4; i++) {
        end_query_indexed_later(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, i);
        end_query_indexed_later(GL_PRIMITIVES_GENERATED, i);
    }
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    for (unsigned i = 0; i < 4; i++) {
        GLuint64 written, generated;
        query_result_later(queries[i], GL_QUERY_RESULT, &written);
        query_result_later(queries[4 + i], GL_QUERY_RESULT, &generated);
        printf("  stream %u: written %" PRIu64 " of %" PRIu64 "\n", i, (uint64_t)written,
               (uint64_t)generated);
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)bound[i]);
        tell_words("streamed", 8);
    }
}

/* What a geometry shader is asked for, as drivers count it. */
static void counted(void)
{
    enum {
        GEOMETRY_INVOCATIONS = 0x887f,
        GEOMETRY_PRIMITIVES = 0x82f3,
        CLIPPING_IN = 0x82f6,
        VERTICES = 0x82ee
    };
    static const GLenum what[] = {VERTICES, GEOMETRY_INVOCATIONS, GEOMETRY_PRIMITIVES, CLIPPING_IN};
    GLuint queries[4], result;
    program_of(places,
               "layout(points) in; layout(triangle_strip, max_vertices = 5) out;\n"
               "in int number[]; void main() { for (int i = 0; i < number[0] % 6; i++) {\n"
               "gl_Position = gl_in[0].gl_Position + vec4(vec2(i & 1, i >> 1) * 0.1875 - 0.09375, 0, 0); "
               "EmitVertex(); "
               "} }\n",
               "out vec4 to; void main() { to = vec4(0.2, 0.4, 0.6, 1); }\n", NULL, 0);
    glGenQueries(4, queries);
    for (unsigned i = 0; i < 4; i++)
        glBeginQuery(what[i], queries[i]);
    glDrawArrays(GL_POINTS, 0, 50);
    for (unsigned i = 0; i < 4; i++) {
        glEndQuery(what[i]);
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &result);
        printf("  %x: %u\n", what[i], result);
    }
}

static const struct {
    const char *name;
    void (*draw)(void);
} scenes[] = {
    {"squares", squares},
    {"many inputs", many_inputs},
    {"strips", strips},
    {"invocations", invocations},
    {"orders", orders},
    {"layers", layers},
    {"points", points},
    {"primitive numbers", primitive_numbers},
    {"clip distances", clip_distances},
    {"indexed", indexed},
    {"streamed vertices", streamed_vertices},
    {"full", full},
    {"buffers", buffers},
    {"drawn again", drawn_again},
    {"streams", streams},
    {"counted", counted},
};

static GLuint target_texture;

static void tell(const char *name, bool pixels)
{
    static uint8_t image[LAYERS][SIDE][SIDE][4];
    const uint8_t *const bytes = &image[0][0][0][0];
    uint32_t hash = 2166136261u, lit = 0;
    glBindTexture(GL_TEXTURE_2D_ARRAY, target_texture);
    GLuint from;
    glGenFramebuffers(1, &from);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    for (GLint i = 0; i < LAYERS; i++) {
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target_texture, 0, i);
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, image[i]);
    }
    for (size_t i = 0; i < sizeof image; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    for (size_t i = 0; i < sizeof image; i += 4)
        lit += memcmp(bytes + i, (const uint8_t[4]){0, 0, 0, 0}, 4) != 0;
    printf("%s: %" PRIu32 " pixels, %08" PRIx32 ", error %x\n", name, lit, hash, glGetError());
    for (unsigned n = 0; pixels && n < LAYERS * SIDE * SIDE; n++)
        printf("%02x%02x%02x%02x%c", bytes[n * 4], bytes[n * 4 + 1], bytes[n * 4 + 2], bytes[n * 4 + 3],
               n % SIDE + 1 < SIDE ? ' ' : '\n');
    fflush(stdout);
}

static void begin(void)
{
    GLuint target, vertices;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    glGenTextures(1, &target_texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, target_texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIDE, SIDE, LAYERS);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    framebuffer_texture_later(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target_texture, 0);
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void find_functions(void)
{
    draw_feedback_later = (draw_feedback_function)eglGetProcAddress("glDrawTransformFeedback");
    draw_feedback_stream_later =
        (draw_feedback_stream_function)eglGetProcAddress("glDrawTransformFeedbackStream");
    begin_query_indexed_later = (begin_query_indexed_function)eglGetProcAddress("glBeginQueryIndexed");
    end_query_indexed_later = (end_query_indexed_function)eglGetProcAddress("glEndQueryIndexed");
    query_result_later = (query_result_function)eglGetProcAddress("glGetQueryObjectui64v");
    framebuffer_texture_later = (framebuffer_texture_function)eglGetProcAddress("glFramebufferTexture");
}

int main(int argc, char **argv)
{
    static const EGLint attributes_of[] = {EGL_CONTEXT_MAJOR_VERSION,
                                           4,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           5,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_NONE};
    const bool pixels = argc > 1 && strcmp(argv[1], "-p") == 0;
    struct surfaceless with;
    if (!surfaceless_begin(&with, EGL_OPENGL_API, attributes_of))
        return 1;
    find_functions();
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
