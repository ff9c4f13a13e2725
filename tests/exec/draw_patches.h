/* Patches, for draw.c: hull shaders (of tessellation control) with what they say of a patch, domains and
 * spacings, domain shaders (of evaluation). */
#ifndef TESTS_EXEC_DRAW_PATCHES_H
#define TESTS_EXEC_DRAW_PATCHES_H

static const char *const patch_head =
    "#version 320 es\nprecision highp float; precision highp int; precision highp sampler2D;\n";

/* Vertices at (i % 4, i / 4) of a grid of four, and their numbers. */
static const char *const grid_vertices =
    "out vec4 at; flat out int number;\n"
    "void main() { int i = gl_VertexID; at = vec4(vec2(i % 4, i / 4) * 0.6 - 0.9, 0, 1);\n"
    "    number = i + gl_InstanceID; gl_Position = at; }\n";
static const char *const patch_pixels = "in vec4 color; out vec4 to;\n"
                                        "void main() { to = floor(color * 15.0 + 0.51) / 15.0; }\n";
static const char *const flat_pixels = "flat in vec4 color; out vec4 to;\n"
                                       "void main() { to = floor(color * 15.0 + 0.51) / 15.0; }\n";

static GLuint patches_of(const char *vertex, const char *hull, const char *domain, const char *pixel)
{
    static const GLenum kinds[4] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                    GL_FRAGMENT_SHADER};
    const char *const texts[4] = {vertex, hull, domain, pixel};
    const GLuint program = glCreateProgram();
    for (unsigned i = 0; i < 4; i++) {
        const char *const source[2] = {patch_head, texts[i]};
        const GLuint shader = glCreateShader(kinds[i]);
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
    GLint linked;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        puts("not linked");
    glUseProgram(program);
    return program;
}

/* Levels by uniforms; corners 0, 1, 4 and 5 of the grid. */
static const char *const plain_hull =
    "layout(vertices = 4) out; in vec4 at[]; out vec4 point[]; flat in int number[];\n"
    "uniform vec4 outer; uniform vec2 inner;\n"
    "void main() { point[gl_InvocationID] = at[gl_InvocationID];\n"
    "    gl_TessLevelOuter[0] = outer.x; gl_TessLevelOuter[1] = outer.y; gl_TessLevelOuter[2] = outer.z;\n"
    "    gl_TessLevelOuter[3] = outer.w; gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = inner.y; }\n";

static void levels_of(GLuint program, const float outer[4], const float inner[2])
{
    glUniform4fv(glGetUniformLocation(program, "outer"), 1, outer);
    glUniform2fv(glGetUniformLocation(program, "inner"), 1, inner);
}

/* One patch of the whole, bent, so that which triangles there are is seen. */
static void one_patch(const char *layout, const float outer[4], const float inner[2])
{
    char domain[2000];
    snprintf(
        domain, sizeof domain,
        "layout(%s) in; in vec4 point[]; flat out vec4 color;\n"
        "void main() { vec2 c = gl_TessCoord.xy; vec2 p = c * 1.8 - 0.9;\n"
        "    p += vec2(sin(c.y * 7.0), cos(c.x * 9.0)) * 0.06; gl_Position = vec4(p + point[0].xy * 0.0, "
        "0, 1);\n"
        "    color = vec4(fract(c * 5.3), fract(c.x * 3.1 + c.y * 7.7), 1); }\n",
        layout);
    const GLuint program = patches_of(grid_vertices, plain_hull, domain, flat_pixels);
    levels_of(program, outer, inner);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glDrawArrays(GL_PATCHES, 0, 4);
}

static void patch_quads(void)
{
    one_patch("quads, equal_spacing, ccw", (const float[4]){3, 5, 2.5f, 7}, (const float[2]){4, 6});
}

static void patch_quads_odd(void)
{
    one_patch("quads, fractional_odd_spacing, ccw", (const float[4]){3.4f, 5.2f, 1, 6.8f},
              (const float[2]){4.3f, 1});
}

static void patch_quads_even(void)
{
    one_patch("quads, fractional_even_spacing, cw", (const float[4]){3.4f, 5.2f, 1, 6.8f},
              (const float[2]){7.7f, 3.1f});
}

static void patch_quads_alike(void)
{
    one_patch("quads, equal_spacing, ccw", (const float[4]){5, 5, 5, 5}, (const float[2]){5, 5});
}

static void patch_quads_64(void)
{
    one_patch("quads, equal_spacing, ccw", (const float[4]){64, 64, 64, 64}, (const float[2]){64, 64});
}

static void patch_triangles(void)
{
    one_patch("triangles, equal_spacing, ccw", (const float[4]){3, 6, 4, 1}, (const float[2]){5, 1});
}

static void patch_triangles_odd(void)
{
    one_patch("triangles, fractional_odd_spacing, ccw", (const float[4]){3.3f, 6.1f, 4.9f, 1},
              (const float[2]){5.5f, 1});
}

static void patch_triangles_even(void)
{
    one_patch("triangles, fractional_even_spacing, cw", (const float[4]){3.3f, 6.1f, 4.9f, 1},
              (const float[2]){6.5f, 1});
}

static void patch_isolines(void)
{
    one_patch("isolines, equal_spacing", (const float[4]){5, 7, 1, 1}, (const float[2]){1, 1});
}

static void patch_points(void)
{
    one_patch("quads, equal_spacing, point_mode", (const float[4]){5, 7, 3, 4}, (const float[2]){6, 5});
}

static void patch_undivided(void)
{
    one_patch("quads, equal_spacing, ccw", (const float[4]){1, 1, 1, 1}, (const float[2]){1, 1});
}

/* Both turns, and what is seen of them: the one is a front, the other a back. */
static void patch_sides(void)
{
    static const char *const turns[2] = {"cw", "ccw"};
    for (unsigned i = 0; i < 4; i++) {
        char domain[1000];
        snprintf(domain, sizeof domain,
                 "layout(%s, equal_spacing, %s) in; in vec4 point[]; out vec4 color;\n"
                 "void main() { vec2 c = gl_TessCoord.xy;\n"
                 "    gl_Position = vec4(c * 0.9 + vec2(%d, %d) - 0.95 + point[0].xy * 0.0, 0, 1); color = "
                 "vec4(c, 0, 1); }\n",
                 i / 2 ? "triangles" : "quads", turns[i % 2], (int)(i % 2), (int)(i / 2));
        const GLuint program = patches_of(grid_vertices, plain_hull, domain,
                                          "in vec4 color; out vec4 to; void main() { to = gl_FrontFacing ? "
                                          "vec4(1, 0, 0, 1) : vec4(0, 0, 1, "
                                          "1); }\n");
        levels_of(program, (const float[4]){2, 3, 2, 3}, (const float[2]){3, 2});
        glPatchParameteri(GL_PATCH_VERTICES, 4);
        glDrawArrays(GL_PATCHES, 0, 4);
    }
}

/* A patch of 16 in, as many out, each of another's after the barrier; numbers of patches and of vertices. */
static void patch_barrier(void)
{
    const GLuint program = patches_of(
        grid_vertices,
        "layout(vertices = 16) out; in vec4 at[]; out vec4 point[]; out vec4 first[]; patch out vec4 "
        "shade; flat in int number[];\n"
        "uniform vec4 outer; uniform vec2 inner;\n"
        "void main() { int i = gl_InvocationID; first[gl_InvocationID] = at[i] * float(gl_PatchVerticesIn - "
        "15);\n"
        "    gl_TessLevelOuter[0] = outer.x; gl_TessLevelOuter[1] = outer.y; gl_TessLevelOuter[2] = "
        "outer.z;\n"
        "    gl_TessLevelOuter[3] = outer.w; gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = "
        "inner.y;\n"
        "    barrier();\n"
        "    point[gl_InvocationID] = first[15 - i];\n"
        "    shade = vec4(number[3], gl_PrimitiveID, number[15], 15) / 15.0; }\n",
        "layout(quads, equal_spacing, ccw) in; in vec4 point[]; patch in vec4 shade; out vec4 color;\n"
        "void main() { vec2 c = gl_TessCoord.xy; vec4 low = mix(point[0], point[3], c.x),\n"
        "    high = mix(point[12], point[15], c.x); gl_Position = mix(low, high, c.y);\n"
        "    gl_Position.xy += vec2(sin(c.y * 6.0) * 0.1); color = shade + vec4(0, c.x * 0.5, 0, 0); }\n",
        patch_pixels);
    levels_of(program, (const float[4]){4, 3, 4, 3}, (const float[2]){3, 4});
    glPatchParameteri(GL_PATCH_VERTICES, 16);
    glDrawArrays(GL_PATCHES, 0, 16);
}

/* Patches of 32, the most; more instances than one of eight channels has. */
static void patch_most_vertices(void)
{
    const GLuint program = patches_of(
        "out vec4 at; void main() { int i = gl_VertexID; float a = float(i % 32) * 0.19635;\n"
        "    at = vec4(cos(a) * 0.9, sin(a) * 0.9, 0, 1); gl_Position = at; }\n",
        "layout(vertices = 32) out; in vec4 at[]; out vec4 point[]; uniform vec4 outer; uniform vec2 inner;\n"
        "void main() { point[gl_InvocationID] = at[31 - gl_InvocationID]; gl_TessLevelOuter[0] = outer.x;\n"
        "    gl_TessLevelOuter[1] = outer.y; gl_TessLevelOuter[2] = outer.z; gl_TessLevelOuter[3] = "
        "outer.w;\n"
        "    gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = inner.y; }\n",
        "layout(quads, equal_spacing, ccw) in; in vec4 point[]; out vec4 color;\n"
        "void main() { int i = int(gl_TessCoord.x * 31.0 + 0.1); gl_Position = "
        "vec4(point[i].xy * "
        "gl_TessCoord.y, 0, 1); color = vec4(gl_TessCoord.xy, 0, 1); }\n",
        patch_pixels);
    levels_of(program, (const float[4]){2, 31, 2, 31}, (const float[2]){31, 2});
    glPatchParameteri(GL_PATCH_VERTICES, 32);
    glDrawArrays(GL_PATCHES, 0, 64);
}

static const char *const cells_domain =
    "layout(triangles, equal_spacing, ccw) in; in vec4 point[]; patch in int which; out vec4 color;\n"
    "void main() { gl_Position = gl_TessCoord.x * point[0] + gl_TessCoord.y * point[1] + gl_TessCoord.z * "
    "point[2];\n"
    "    color = vec4(which & 15, which >> 2, which * 5 & 15, 15) / 15.0; }\n";

/* Some patches are culled by a level of 0. */
static void cells(const char *level)
{
    static const uint16_t indices[] = {0,  1, 5, 1,  2, 6,      0xffff, 2, 3,  7, 4,  5,  9,  5,  6,
                                       10, 6, 7, 11, 8, 0xffff, 8,      9, 13, 9, 10, 14, 10, 11, 15};
    char hull[1000];
    snprintf(hull, sizeof hull,
             "layout(vertices = 3) out; in vec4 at[]; out vec4 point[]; flat in int number[]; patch out int "
             "which;\n"
             "void main() { point[gl_InvocationID] = at[gl_InvocationID]; which = %s;\n"
             "    float level = float(which & 3); gl_TessLevelOuter[0] = level; gl_TessLevelOuter[1] = 2.0;\n"
             "    gl_TessLevelOuter[2] = level + 1.0; gl_TessLevelInner[0] = level; }\n",
             level);
    patches_of(grid_vertices, hull, cells_domain, patch_pixels);
    buffer_of(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices);
    glPatchParameteri(GL_PATCH_VERTICES, 3);
}

/* Indices of which two cut. */
static void patch_indices(void)
{
    cells("number[0]");
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElementsInstanced(GL_PATCHES, 30, GL_UNSIGNED_SHORT, NULL, 2);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}

/* What number a patch has, which begins anew with an instance. */
static void patch_numbers(void)
{
    cells("gl_PrimitiveID");
    glDrawArraysInstanced(GL_PATCHES, 0, 15, 2);
}

/* A texture that the domain shader reads, and depth of what it makes. */
static void patch_displaced(void)
{
    uint8_t texels[8][8][4];
    GLuint texture;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 8; x++)
            for (unsigned i = 0; i < 4; i++)
                texels[y][x][i] = (uint8_t)(x * 36 ^ y * (16 + i));
    const GLuint program = patches_of(
        grid_vertices, plain_hull,
        "layout(quads, fractional_even_spacing, ccw) in; in vec4 point[]; out vec4 color; uniform sampler2D "
        "heights;\n"
        "void main() { vec2 c = gl_TessCoord.xy; vec4 t = textureLod(heights, c, 0.0);\n"
        "    gl_Position = vec4(c * 1.8 - 0.9 + point[0].xy * 0.0, t.x * 1.6 - 0.8, 1.2); gl_Position.y += "
        "t.x * 0.2;\n"
        "    color = t; }\n",
        patch_pixels);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    levels_of(program, (const float[4]){8, 8, 8, 8}, (const float[2]){8, 8});
    glEnable(GL_DEPTH_TEST);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glDrawArrays(GL_PATCHES, 0, 4);
    glDisable(GL_DEPTH_TEST);
}

#endif
