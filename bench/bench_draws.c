/* Draws that do as much of the host's work as they can for what they take of a slice, on Skylake. */
#include "bench_draws.h"

#include "device/device.h"
#include "gts/gts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../tests/eu_kernel.h"

enum { MB = 1 << 20 };
enum {
    SURFACES = 0x200000,
    DYNAMIC = 0x300000,
    KERNELS = 8 * MB,
    KERNEL_STRIDE = 16 << 10,
    VERTICES = 10 * MB,
    TARGET = 24 * MB, /* 1024 x 1024 */
    PIXELS = 32 * MB,
    TABLE_AT = 0x400,
    TARGET_AT = 0x1080,
    IMAGE_AT = 0x10c0,
    SAMPLERS_AT = 0x140,
    BLENDING_AT = 0x400,
    WIDTH = 1024
};
enum { PAYLOAD = 112, SIMD16_WRITE = 8 << 25 | 12 << 14 | 1 << 12 };

static const struct how all = {.channels = 16}, whole = {.channels = 16, .no_mask = true},
                        single = {.channels = 1, .no_mask = true};

static struct kernel k;
static uint32_t color;

/* ---- Kernels of pixels ---- */

static void finish(uint8_t *to)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(0x3f000000 + color, TYPE_F));
    kernel_send(&k, all, SFID_RENDER_CACHE, SIMD16_WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD), true);
    kernel_finish(&k);
    memcpy(to, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

static void flat(uint8_t *to)
{
    finish(to);
}

static void put_functions(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        KERNEL_2(&k, EU_MATH, ((struct how){.channels = 16, .function = 10}), reg(20, TYPE_F),
                 reg(24, TYPE_F), reg(28, TYPE_F));
}

/* Ends after a few hundred instructions. */
static void functions(uint8_t *to)
{
    put_functions(450);
    finish(to);
}

static void loop(uint8_t *to)
{
    KERNEL_1(&k, EU_MOV, single, one(2, 0, TYPE_D), imm(0, TYPE_D));
    const unsigned again = k.count;
    put_functions(20);
    KERNEL_2(&k, EU_ADD, single, one(2, 0, TYPE_D), one(2, 0, TYPE_D), imm(1, TYPE_D));
    KERNEL_2(&k, EU_CMP, ((struct how){.channels = 1, .no_mask = true, .condition = 5}), none(TYPE_D),
             one(2, 0, TYPE_D), imm(10000, TYPE_D));
    const unsigned back =
        kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1});
    kernel_goes(&k, back, again, again);
    finish(to);
}

/* Sixteen channels, each sixteen samples of two levels. */
static void textures(uint8_t *to)
{
    static const uint32_t gradients[] = {0x3e99999a, 0x3f000000, 0x38d1b717, 0x3f333333, 0x3ecccccd, 0};
    enum { SAMPLE_D = 4, SIMD16 = 2 << 17 };
    for (unsigned n = 0; n < 6; n++)
        KERNEL_1(&k, EU_MOV, whole, reg(40 + n * 2, TYPE_UD), imm(gradients[n], TYPE_UD));
    for (unsigned n = 0; n < 40; n++)
        kernel_send(&k, all, SFID_SAMPLER, 12u << 25 | 8u << 20 | SIMD16 | SAMPLE_D << 12 | 1,
                    reg(80, TYPE_UD), reg(40, TYPE_UD), false);
    finish(to);
}

/* ---- Draws ---- */

const struct bench_draw bench_draws[] = {
    {"draw_flat", NULL, 3, 0, 1, 0, flat},
    {"draw_functions", NULL, 3, 0, 1, 0, functions},
    {"draw_loop", NULL, 3, 0, 1, 0, loop},
    {"draw_textures", NULL, 3, 0, 1, 0, textures},
    {"draw_hidden",
     "3DSTATE_WM_DEPTH_STENCIL depth_test_enable, depth_test_function = never\n"
     "3DSTATE_DEPTH_BUFFER surface_type = surftype_2d, surface_format = d32_float, surface_pitch = 4095,"
     " surface_base_address = 0xc00000, width = 1023, height = 1023\n",
     3, 0, 1, 0, flat},
    {"draw_triangles", NULL, 60000, 20000, 1, 0, flat},
    {"draw_triangles_functions", NULL, 60000, 20000, 1, 0, functions},
    {"draw_outside", "3DSTATE_DRAWING_RECTANGLE dw1 = 0x20002000, dw2 = 0x20012001\n", 60000, 20000, 1, 0,
     flat},
    {"draw_none", NULL, 0xfffffff0, 20000, 1, 0, flat},
    {"draw_states", NULL, 3, 0, 1000, 64, flat},
    {"draw_kernels", NULL, 3, 20000, 1000, 64, functions},
    {NULL, NULL, 0, 0, 0, 0, NULL}};

static void on_message(void *user, const struct gts_message *message)
{
    (void)user;
    fprintf(stderr, "bench: %s:%u: %s\n", message->file, message->line, message->text);
}

/* Writes commands, a line each, and returns their length. */
__attribute__((format(printf, 3, 4))) static uint32_t assemble(const struct command_set *set, uint32_t *dw,
                                                               const char *format, ...)
{
    const struct gts_options options = {.message = on_message};
    char text[4096];
    uint32_t *made = NULL;
    size_t length_dw = 0;
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= sizeof text ||
        !gts_assemble_commands(set, NULL, CLASS_RENDER, "draw", text, (size_t)length, 0, &options, &made,
                               &length_dw))
        return 0;
    memcpy(dw, made, length_dw * 4);
    free(made);
    return (uint32_t)length_dw;
}

static void put_surfaces(uint8_t *memory)
{
    enum { RGBA8 = 0xc7, SRGB = 0xc8, LEVELS = 7, SWIZZLE = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16 };
    const uint32_t target[9] = {1u << 29 | RGBA8 << 18 | 1u << 16 | 1u << 14 | 3u << 12,
                                WIDTH / 4,
                                (WIDTH - 1) | (WIDTH - 1) << 16,
                                WIDTH * 4 - 1,
                                0,
                                0,
                                0,
                                SWIZZLE,
                                TARGET},
                   image[9] = {1u << 29 | SRGB << 18 | 1u << 16 | 1u << 14,
                               64 / 4,
                               1023 | 255u << 16,
                               4095,
                               0,
                               LEVELS,
                               0,
                               SWIZZLE,
                               PIXELS},
                   /* anisotropic 16:1, linear between levels; everything wraps */
        sampler[4] = {2u << 14 | 2u << 17 | 3u << 20, (14u << 8) << 8, 1, 7u << 19},
                   table[2] = {TARGET_AT, IMAGE_AT};
    memcpy(memory + SURFACES + TABLE_AT, table, sizeof table);
    memcpy(memory + SURFACES + TARGET_AT, target, sizeof target);
    memcpy(memory + SURFACES + IMAGE_AT, image, sizeof image);
    memcpy(memory + DYNAMIC + SAMPLERS_AT, sampler, sizeof sampler);
}

static void put_vertices(const struct bench_draw *draw, uint8_t *memory)
{
    static const float rectangle[3][3] = {{WIDTH, WIDTH, 0.5f}, {0, WIDTH, 0.5f}, {0, 0, 0.5f}};
    enum { ACROSS = WIDTH / 4 };
    memcpy(memory + VERTICES, rectangle, sizeof rectangle);
    for (uint32_t i = 0; i < draw->triangles; i++) {
        const float x = (float)(i % ACROSS * 4), y = (float)(i / ACROSS * 4 % WIDTH);
        const float triangle[3][3] = {{x, y, 0.5f}, {x + 2, y, 0.5f}, {x, y + 2, 0.5f}};
        memcpy(memory + VERTICES + i * sizeof triangle, triangle, sizeof triangle);
    }
}

static uint32_t put_state(const struct bench_draw *draw, const struct command_set *set, uint32_t *dw)
{
    return assemble(
        set, dw,
        "STATE_BASE_ADDRESS general_state_base_address_modify_enable,"
        " surface_state_base_address_modify_enable, surface_state_base_address = %u,"
        " dynamic_state_base_address_modify_enable, dynamic_state_base_address = %u,"
        " indirect_object_base_address_modify_enable,"
        " instruction_base_address_modify_enable, instruction_base_address = %u,"
        " general_state_buffer_size_modify_enable, general_state_buffer_size = 0xfffff,"
        " dynamic_state_buffer_size_modify_enable, dynamic_state_buffer_size = 0xfffff,"
        " indirect_object_buffer_size_modify_enable, indirect_object_buffer_size = 0xfffff,"
        " instruction_buffer_size_modify_enable, instruction_buffer_size = 0xfffff, length = 19\n"
        "3DSTATE_PS_EXTRA pixel_shader_valid\n"
        "3DSTATE_SBE force_vertex_urb_entry_read_offset, force_vertex_urb_entry_read_length,"
        " vertex_urb_entry_read_offset = 1, vertex_urb_entry_read_length = 1, length = 6\n"
        "3DSTATE_WM statistics_enable\n"
        "3DSTATE_PS_BLEND has_writeable_rt\n"
        "3DSTATE_BLEND_STATE_POINTERS blend_state_pointer_valid, blend_state_pointer = %u\n"
        "3DSTATE_BINDING_TABLE_POINTERS_PS pointer_to_ps_binding_table = %u\n"
        "3DSTATE_SAMPLER_STATE_POINTERS_PS pointer_to_ps_sampler_state = %u\n"
        "3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_vertex_buffer_index = 0,"
        " vertex_buffer_state_address_modify_enable = 1, vertex_buffer_state_buffer_pitch = 12,"
        " vertex_buffer_state_buffer_starting_address = %u, vertex_buffer_state_buffer_size = %u }\n"
        "3DSTATE_VERTEX_ELEMENTS"
        " { 0, 0, r32g32b32_float, 1, 0, store_0, store_0, store_0, store_0 },"
        " { 0, 0, r32g32b32_float, 1, 0, store_1_fp, store_src, store_src, store_src }\n"
        "3DSTATE_VF_TOPOLOGY primitive_topology_type = %u\n"
        "3DSTATE_SAMPLE_MASK sample_mask = 1\n"
        "3DSTATE_CLIP perspective_divide_disable\n"
        "3DSTATE_RASTER cull_mode = none\n"
        "3DSTATE_DRAWING_RECTANGLE dw1 = 0, dw2 = 0x3fff3fff\n"
        "%s",
        SURFACES, DYNAMIC, KERNELS, BLENDING_AT, TABLE_AT, SAMPLERS_AT, VERTICES,
        draw->triangles ? draw->triangles * 36 : 36, draw->triangles ? 4u : 15u,
        draw->more ? draw->more : "");
}

uint32_t bench_draw_put(const struct bench_draw *draw, uint8_t *memory, uint32_t *dw)
{
    struct command_set set;
    const uint32_t kernels = draw->kernels ? draw->kernels : 1;
    if (!command_set_create(&set, command_tables, GEN9))
        return 0;
    put_surfaces(memory);
    put_vertices(draw, memory);
    k.set = &eu_gen9;
    for (color = 0; color < kernels; color++) {
        k.count = 0;
        draw->put_kernel(memory + KERNELS + color * KERNEL_STRIDE);
    }
    uint32_t one[64], *to = dw + put_state(draw, &set, dw);
    const uint32_t one_dw = assemble(&set, one,
                                     "3DSTATE_PS kernel_start_pointer_0 = 0, binding_table_entry_count = 2,"
                                     " 16_pixel_dispatch_enable, maximum_number_of_threads_per_psd = 63,"
                                     " dispatch_grf_start_register_for_constant_setup_data_0 = 4\n"
                                     "3DPRIMITIVE vertex_count_per_instance = %u, instance_count = 1",
                                     draw->vertices);
    command_set_destroy(&set);
    for (uint32_t i = 0; i < draw->again; i++, to += one_dw) {
        memcpy(to, one, one_dw * 4);
        to[1] = i % kernels * KERNEL_STRIDE;
    }
    return to == dw || !one_dw ? 0 : (uint32_t)(to - dw);
}
