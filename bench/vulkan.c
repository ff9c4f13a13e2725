/*
 * What a Vulkan device draws and computes in a second: a figure a line, its best of some frames, and a sum of
 * the image. The scenes are those of vkmark, 300 x 200 pixels, without a window. It knows nothing of softgt:
 * bench/side-by-side runs it by anv on softgt exec, and by lavapipe. Time is the process' processor time, so
 * other work on the host does not count. bench-vulkan [-f FRAMES] SHADERS [TEST...].
 * Exit status 2: no device.
 */
#include "vulkan_device.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 6, TEXTURE = 256, RECTANGLES = 12, ITEMS = 1 << 16, LOCAL = 64 };
enum { MESH = 100, MESH_POINTS = (MESH + 1) * (MESH + 1), MESH_INDICES = MESH * MESH * 6 };
enum { CUBE_POINTS = 24, CUBE_INDICES = 36 };

struct test {
    const char *name, *unit;
    const char *first, *fragment; /* shaders; first: of vertices, or the kernel */
    double work;                  /* units a frame */
    enum what { CLEAR, CUBE, SURFACE, DESKTOP, KERNEL } what;
};

static const struct test tests[] = {
    {"clear", "frame/s", NULL, NULL, 1, CLEAR},
    {"cube", "frame/s", "color.vert", "color.frag", 1, CUBE},
    {"vertex", "frame/s", "light.vert", "color.frag", 1, SURFACE},
    {"texture", "frame/s", "texture.vert", "texture.frag", 1, CUBE},
    {"shading", "frame/s", "shading.vert", "shading.frag", 1, SURFACE},
    {"desktop", "frame/s", "rectangle.vert", "texture.frag", 1, DESKTOP},
    {"compute", "Mfma/s", "compute.comp", NULL, ITEMS * 512e-6, KERNEL},
    {"stream", "MB/s", "stream.comp", NULL, ITEMS * 8e-6, KERNEL},
};

static const char *shaders;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;
static VkPipelineLayout layout;
static struct vertex {
    float position[3], normal[3], coordinates[2];
} points[CUBE_POINTS + MESH_POINTS];
static uint16_t indices[CUBE_INDICES + MESH_INDICES];
static struct {
    float transform[16], rotation[16], light[4];
} scene;
static struct buffer vertex_buffer, index_buffer, scene_buffer, to_buffer, from_buffer, copy_buffer;
static struct image target, texture;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- What is drawn: a cube, and a torus of MESH x MESH cells ---- */

static void make_points(void)
{
    static const uint16_t corners[] = {0, 1, 2, 2, 1, 3};
    static const uint16_t cells[] = {0, 1, MESH + 1, MESH + 1, 1, MESH + 2};
    for (int n = 0; n < CUBE_POINTS; n++) {
        const int side = n / 4, axis = side / 2;
        const float sign = side % 2 ? 1 : -1, u = n % 2 ? 1 : -1, v = n % 4 / 2 ? 1 : -1;
        struct vertex *const p = &points[n];
        p->normal[axis] = sign;
        p->position[axis] = sign;
        p->position[(axis + 1) % 3] = u;
        p->position[(axis + 2) % 3] = v;
        p->coordinates[0] = u * 0.5f + 0.5f, p->coordinates[1] = v * 0.5f + 0.5f;
    }
    for (int n = 0; n < CUBE_INDICES; n++)
        indices[n] = (uint16_t)(n / 6 * 4 + corners[n % 6]);
    for (int n = 0; n < MESH_POINTS; n++) {
        const float around = (float)(n % (MESH + 1)) * (6.2831853f / MESH),
                    along = (float)(n / (MESH + 1)) * (6.2831853f / MESH);
        const float radius = 1.1f + 0.5f * cosf(around);
        points[CUBE_POINTS + n] =
            (struct vertex){{radius * cosf(along), radius * sinf(along), 0.5f * sinf(around)},
                            {cosf(around) * cosf(along), cosf(around) * sinf(along), sinf(around)},
                            {0, 0}};
    }
    for (int n = 0; n < MESH_INDICES; n++)
        indices[CUBE_INDICES + n] =
            (uint16_t)(CUBE_POINTS + n / 6 / MESH * (MESH + 1) + n / 6 % MESH + cells[n % 6]);
}

/* Turns the scene, by the frame's number, and looks at it from a distance of 4. */
static void turn(int frame)
{
    const float a = 0.6f + (float)frame * 0.1f, b = 0.4f, s = sinf(a), c = cosf(a), t = sinf(b), d = cosf(b);
    const float rotation[16] = {c, s * t, -s * d, 0, 0, d, t, 0, s, -c * t, c * d, 0, 0, 0, 0, 1};
    const float near = 1, far = 10, scale = 2;
    memcpy(scene.rotation, rotation, sizeof rotation);
    for (int n = 0; n < 4; n++) {
        const float *const from = rotation + n * 4;
        float *const to = scene.transform + n * 4;
        const float z = from[2] - (n == 3 ? 4.0f : 0.0f);
        to[0] = from[0] * scale * HEIGHT / WIDTH;
        to[1] = -from[1] * scale;
        to[2] = -z * far / (far - near) - (n == 3 ? near * far / (far - near) : 0);
        to[3] = -z;
    }
    scene.light[0] = 0.36f, scene.light[1] = 0.48f, scene.light[2] = 0.8f, scene.light[3] = 20;
    memcpy(scene_buffer.bytes, &scene, sizeof scene);
}

/* ---- Pipelines ---- */

static VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits which, const char *name)
{
    static uint32_t code[1 << 14];
    char path[512];
    VkShaderModule module;
    snprintf(path, sizeof path, "%s/%s.spv", shaders, name);
    FILE *file = fopen(path, "rb");
    const size_t bytes = file ? fread(code, 1, sizeof code, file) : 0;
    if (!bytes)
        check(VK_INCOMPLETE, path);
    fclose(file);
    CHECK(vkCreateShaderModule(
        vk.device,
        &(VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code},
        NULL, &module));
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = which,
                                             .module = module,
                                             .pName = "main"};
}

static const VkVertexInputAttributeDescription attributes[] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
    {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, coordinates)}};

static VkPipeline make_pipeline(const struct test *t)
{
    VkPipeline p;
    if (t->what == KERNEL) {
        CHECK(vkCreateComputePipelines(
            vk.device, VK_NULL_HANDLE, 1,
            &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                           .stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, t->first),
                                           .layout = layout},
            NULL, &p));
        return p;
    }
    const bool flat = t->what == DESKTOP;
    const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, t->first),
                                                      stage(VK_SHADER_STAGE_FRAGMENT_BIT, t->fragment)};
    const VkVertexInputBindingDescription binding = {0, sizeof *points, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkPipelineColorBlendAttachmentState blend = {.blendEnable = flat,
                                                       .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                       .dstColorBlendFactor =
                                                           VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                       .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                       .dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
                                                       .colorWriteMask = 15};
    const VkViewport viewport = {0, 0, WIDTH, HEIGHT, 0, 1};
    const VkRect2D scissor = {.extent = {WIDTH, HEIGHT}};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState =
            &(VkPipelineVertexInputStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                .vertexBindingDescriptionCount = !flat,
                .pVertexBindingDescriptions = &binding,
                .vertexAttributeDescriptionCount = flat ? 0 : 3,
                .pVertexAttributeDescriptions = attributes},
        .pInputAssemblyState =
            &(VkPipelineInputAssemblyStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                .topology =
                    flat ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
        .pViewportState = &(
            VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                               .viewportCount = 1,
                                               .pViewports = &viewport,
                                               .scissorCount = 1,
                                               .pScissors = &scissor},
        .pRasterizationState =
            &(VkPipelineRasterizationStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
        .pMultisampleState =
            &(VkPipelineMultisampleStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
        .pDepthStencilState =
            &(VkPipelineDepthStencilStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                .depthTestEnable = !flat,
                .depthWriteEnable = !flat,
                .depthCompareOp = VK_COMPARE_OP_LESS},
        .pColorBlendState =
            &(VkPipelineColorBlendStateCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                .attachmentCount = 1,
                .pAttachments = &blend},
        .layout = layout,
        .renderPass = vk.pass};
    CHECK(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &p));
    return p;
}

/* ---- A frame ---- */

static void draw(const struct test *t, VkPipeline pipeline)
{
    const VkClearValue clear[] = {{.color.float32 = {0.25f, 0.5f, 0.75f, 1}}, {.depthStencil.depth = 1}};
    vkCmdBeginRenderPass(vk.commands,
                         &(VkRenderPassBeginInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                                  .renderPass = vk.pass,
                                                  .framebuffer = vk.frame_buffer,
                                                  .renderArea.extent = {WIDTH, HEIGHT},
                                                  .clearValueCount = 2,
                                                  .pClearValues = clear},
                         VK_SUBPASS_CONTENTS_INLINE);
    if (t->what != CLEAR) {
        vkCmdBindPipeline(vk.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(vk.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    }
    if (t->what == CUBE || t->what == SURFACE) {
        vkCmdBindVertexBuffers(vk.commands, 0, 1, &vertex_buffer.buffer, &(VkDeviceSize){0});
        vkCmdBindIndexBuffer(vk.commands, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
        if (t->what == CUBE)
            vkCmdDrawIndexed(vk.commands, CUBE_INDICES, 1, 0, 0, 0);
        else
            vkCmdDrawIndexed(vk.commands, MESH_INDICES, 1, CUBE_INDICES, 0, 0);
    }
    for (int i = 0; i < RECTANGLES && t->what == DESKTOP; i++) {
        const float rectangle[] = {(float)(i % 4) * 0.45f - 0.95f, (float)(i / 4) * 0.55f - 0.9f, 0.6f, 0.7f};
        vkCmdPushConstants(vk.commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof rectangle, rectangle);
        vkCmdDraw(vk.commands, 4, 1, 0, 0);
    }
    vkCmdEndRenderPass(vk.commands);
}

static void run(const struct test *t, int frames)
{
    const VkPipeline pipeline = t->what == CLEAR ? VK_NULL_HANDLE : make_pipeline(t);
    const uint8_t *bytes = t->what == KERNEL ? to_buffer.bytes : copy_buffer.bytes;
    double best = 1e9;
    for (int frame = 0; frame < frames; frame++) {
        const double from = seconds();
        turn(frame % FRAMES);
        begin();
        if (t->what == KERNEL) {
            vkCmdBindPipeline(vk.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
            vkCmdBindDescriptorSets(vk.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
            vkCmdDispatch(vk.commands, ITEMS / LOCAL, 1, 1);
        } else {
            draw(t, pipeline);
        }
        end();
        const double took = seconds() - from;
        best = took < best ? took : best;
    }
    begin();
    if (t->what != KERNEL)
        vkCmdCopyImageToBuffer(vk.commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                               copy_buffer.buffer, 1, (VkBufferImageCopy[]){whole(WIDTH, HEIGHT)});
    end();
    uint32_t sum = 0;
    for (int i = 0; i < (t->what == KERNEL ? ITEMS : WIDTH * HEIGHT) * 4; i++)
        sum = sum * 31u + bytes[i];
    printf("%s %g %s %08x\n", t->name, t->work / best, t->unit, sum);
    fflush(stdout);
    vkDestroyPipeline(vk.device, pipeline, NULL);
}

static void make_resources(void)
{
    make_points();
    vertex_buffer = make_buffer(sizeof points, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    index_buffer = make_buffer(sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    scene_buffer = make_buffer(sizeof scene, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    to_buffer = make_buffer(ITEMS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    from_buffer = make_buffer(ITEMS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    copy_buffer = make_buffer(TEXTURE * TEXTURE * 4,
                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    memcpy(vertex_buffer.bytes, points, sizeof points);
    memcpy(index_buffer.bytes, indices, sizeof indices);
    for (uint32_t i = 0; i < ITEMS; i++)
        ((float *)from_buffer.bytes)[i] = (float)i;
    for (uint32_t i = 0; i < TEXTURE * TEXTURE * 4; i++)
        ((uint8_t *)copy_buffer.bytes)[i] = (uint8_t)(i * 2654435761u >> 24);
    texture = make_image(VK_FORMAT_R8G8B8A8_UNORM, TEXTURE, TEXTURE,
                         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    begin();
    transition(&texture, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(vk.commands, copy_buffer.buffer, texture.image,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           (VkBufferImageCopy[]){whole(TEXTURE, TEXTURE)});
    transition(&texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    end();
}

enum { BINDINGS = 4 };
static const struct {
    VkDescriptorType type;
    VkShaderStageFlags stages;
    struct buffer *buffer;
} binds[BINDINGS] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                      VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, &scene_buffer},
                     {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
                     {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT, &to_buffer},
                     {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT, &from_buffer}};

static void make_set(void)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    VkDescriptorPoolSize sizes[BINDINGS];
    VkDescriptorPool sets;
    VkSampler sampler;
    for (uint32_t i = 0; i < BINDINGS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, binds[i].type, 1, binds[i].stages, NULL};
        sizes[i] = (VkDescriptorPoolSize){binds[i].type, 1};
    }
    CHECK(vkCreateDescriptorSetLayout(
        vk.device,
        &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = BINDINGS,
                                           .pBindings = bindings},
        NULL, &set_layout));
    CHECK(vkCreatePipelineLayout(
        vk.device,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges =
                                          &(VkPushConstantRange){VK_SHADER_STAGE_VERTEX_BIT, 0, 16}},
        NULL, &layout));
    CHECK(vkCreateDescriptorPool(
        vk.device,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 1,
                                      .poolSizeCount = BINDINGS,
                                      .pPoolSizes = sizes},
        NULL, &sets));
    CHECK(vkAllocateDescriptorSets(
        vk.device,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = sets,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &set_layout},
        &set));
    CHECK(vkCreateSampler(vk.device,
                          &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                 .magFilter = VK_FILTER_LINEAR,
                                                 .minFilter = VK_FILTER_LINEAR},
                          NULL, &sampler));
    for (uint32_t i = 0; i < BINDINGS; i++)
        vkUpdateDescriptorSets(
            vk.device, 1,
            &(VkWriteDescriptorSet){
                .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                .dstSet = set,
                .dstBinding = i,
                .descriptorCount = 1,
                .descriptorType = binds[i].type,
                .pImageInfo =
                    &(VkDescriptorImageInfo){sampler, texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                .pBufferInfo =
                    &(VkDescriptorBufferInfo){(binds[i].buffer ? binds[i].buffer : &to_buffer)->buffer, 0,
                                              VK_WHOLE_SIZE}},
            0, NULL);
}

int main(int argc, char **argv)
{
    int frames = FRAMES, option;
    while ((option = getopt(argc, argv, "f:")) == 'f')
        frames = atoi(optarg);
    if (option >= 0 || optind >= argc || !open_device())
        return 2;
    shaders = argv[optind++];
    target = make_target();
    make_resources();
    make_set();
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        bool wanted = optind == argc;
        for (int n = optind; n < argc; n++)
            wanted |= strcmp(argv[n], tests[i].name) == 0;
        if (wanted)
            run(&tests[i], frames);
    }
    return 0;
}
