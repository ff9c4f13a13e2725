/*
 * Vulkan compute as a program of the host's does it: kernels, images, samplers, indirect dispatches, queries,
 * semaphores, events and copies. A line for each thing tells what came out; who runs it on two devices
 * compares them. vulkan SHADERS [-a] [-q GROUP] [NAME...]; -a: all numbers; -q: of a family of queues; names:
 * only these.
 */
#include <vulkan/vulkan.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *shaders;
static bool tell_all;
static unsigned family;
static VkPhysicalDevice physical;
static VkPhysicalDeviceMemoryProperties memories;
static VkPhysicalDeviceFeatures features;
static VkDevice device;
static VkQueue queue;
static VkCommandPool pool;
static VkCommandBuffer commands;
static VkDescriptorPool sets;

static void check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    printf("%s: error %d\n", what, result);
    exit(1);
}
#define CHECK(call) check(call, #call)

/* ---- What there is ---- */

struct buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t bytes;
    uint32_t *words;
};

static uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < memories.memoryTypeCount; i++)
        if (allowed >> i & 1 && (memories.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return wanted ? memory_type(allowed, 0) : 0;
}

static struct buffer make_buffer(uint64_t bytes)
{
    struct buffer b = {.bytes = bytes};
    VkMemoryRequirements needs;
    CHECK(vkCreateBuffer(device,
                         &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                               .size = bytes,
                                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT},
                         NULL, &b.buffer));
    vkGetBufferMemoryRequirements(device, b.buffer, &needs);
    CHECK(vkAllocateMemory(
        device,
        &(VkMemoryAllocateInfo){
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .allocationSize = needs.size,
            .memoryTypeIndex = memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)},
        NULL, &b.memory));
    CHECK(vkBindBufferMemory(device, b.buffer, b.memory, 0));
    CHECK(vkMapMemory(device, b.memory, 0, VK_WHOLE_SIZE, 0, (void **)&b.words));
    memset(b.words, 0, bytes);
    return b;
}

/* Numbers without a pattern, always the same. */
static struct buffer make_numbers(uint32_t count)
{
    struct buffer b = make_buffer(count * UINT64_C(4));
    uint32_t x = 12345;
    for (uint32_t i = 0; i < count; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        b.words[i] = x;
    }
    return b;
}

static void end_buffer(struct buffer *b)
{
    vkDestroyBuffer(device, b->buffer, NULL);
    vkFreeMemory(device, b->memory, NULL);
}

struct image {
    VkImageViewType type;
    VkFormat format;
    uint32_t width, height, depth, levels; /* or layers, with arrays and cubes */
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view, level_views[12];
};

static bool is_array(const struct image *i)
{
    return i->type != VK_IMAGE_VIEW_TYPE_2D && i->type != VK_IMAGE_VIEW_TYPE_3D &&
           i->type != VK_IMAGE_VIEW_TYPE_1D;
}

static VkImageType image_type(const struct image *i)
{
    return i->type == VK_IMAGE_VIEW_TYPE_3D                                             ? VK_IMAGE_TYPE_3D
           : i->type == VK_IMAGE_VIEW_TYPE_1D || i->type == VK_IMAGE_VIEW_TYPE_1D_ARRAY ? VK_IMAGE_TYPE_1D
                                                                                        : VK_IMAGE_TYPE_2D;
}

static VkImageView make_view(const struct image *i, VkImageViewType type, uint32_t level, uint32_t levels)
{
    VkImageView view;
    CHECK(vkCreateImageView(
        device,
        &(VkImageViewCreateInfo){
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = i->image,
            .viewType = type,
            .format = i->format,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, levels, 0, is_array(i) ? i->depth : 1}},
        NULL, &view));
    return view;
}

/* As an array it is written: a cube's sides are layers. */
static VkImageViewType written_as(const struct image *i)
{
    return i->type == VK_IMAGE_VIEW_TYPE_CUBE || i->type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY
               ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
               : i->type;
}

static bool make_image(struct image *i, VkImageUsageFlags usage)
{
    VkMemoryRequirements needs;
    VkFormatProperties can;
    vkGetPhysicalDeviceFormatProperties(physical, i->format, &can);
    const VkFormatFeatureFlags all =
        (usage & VK_IMAGE_USAGE_STORAGE_BIT ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT : 0) |
        (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT : 0);
    if ((can.optimalTilingFeatures & all) != all)
        return false;
    const bool cube = i->type != written_as(i);
    CHECK(vkCreateImage(device,
                        &(VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                             .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                             .imageType = image_type(i),
                                             .format = i->format,
                                             .extent = {i->width, i->height, is_array(i) ? 1 : i->depth},
                                             .mipLevels = i->levels,
                                             .arrayLayers = is_array(i) ? i->depth : 1,
                                             .samples = VK_SAMPLE_COUNT_1_BIT,
                                             .usage = usage},
                        NULL, &i->image));
    vkGetImageMemoryRequirements(device, i->image, &needs);
    CHECK(vkAllocateMemory(
        device,
        &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                .allocationSize = needs.size,
                                .memoryTypeIndex =
                                    memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)},
        NULL, &i->memory));
    CHECK(vkBindImageMemory(device, i->image, i->memory, 0));
    i->view = make_view(i, i->type, 0, i->levels);
    for (uint32_t level = 0; level < i->levels; level++)
        i->level_views[level] = make_view(i, written_as(i), level, 1);
    return true;
}

static void end_image(struct image *i)
{
    for (uint32_t level = 0; level < i->levels; level++)
        vkDestroyImageView(device, i->level_views[level], NULL);
    vkDestroyImageView(device, i->view, NULL);
    vkDestroyImage(device, i->image, NULL);
    vkFreeMemory(device, i->memory, NULL);
}

static uint32_t size_at(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* ---- Kernels ---- */

struct resource {
    VkDescriptorType type; /* STORAGE_BUFFER: 7, STORAGE_IMAGE: 3, COMBINED_IMAGE_SAMPLER: 1 */
    const struct buffer *buffer;
    VkImageView view;
    VkSampler sampler;
};

enum { MOST_RESOURCES = 4, PUSH_BYTES = 32 };

struct kernel {
    VkDescriptorSetLayout layout;
    VkPipelineLayout pipeline_layout;
    VkPipeline pipeline;
    VkShaderModule module;
    unsigned count;
};

static struct kernel make_kernel(const char *name, const struct resource *r, unsigned count)
{
    struct kernel k = {.count = count};
    char path[512];
    snprintf(path, sizeof path, "%s/%s.spv", shaders, name);
    FILE *file = fopen(path, "rb");
    static uint32_t code[1 << 16];
    const size_t bytes = file ? fread(code, 1, sizeof code, file) : 0;
    if (!bytes) {
        printf("%s: not there\n", path);
        exit(1);
    }
    fclose(file);
    CHECK(vkCreateShaderModule(
        device,
        &(VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code},
        NULL, &k.module));
    VkDescriptorSetLayoutBinding bindings[MOST_RESOURCES];
    for (unsigned i = 0; i < count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = r[i].type,
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    CHECK(vkCreateDescriptorSetLayout(
        device,
        &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = count,
                                           .pBindings = bindings},
        NULL, &k.layout));
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_BYTES};
    CHECK(vkCreatePipelineLayout(
        device,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &k.layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &push},
        NULL, &k.pipeline_layout));
    CHECK(vkCreateComputePipelines(
        device, VK_NULL_HANDLE, 1,
        &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                 .module = k.module,
                                                 .pName = "main"},
                                       .layout = k.pipeline_layout},
        NULL, &k.pipeline));
    return k;
}

static void bind(const struct kernel *k, const struct resource *r, const void *push, size_t push_bytes)
{
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(
        device,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = sets,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &k->layout},
        &set));
    for (unsigned i = 0; i < k->count; i++) {
        const VkDescriptorBufferInfo buffer = {r[i].buffer ? r[i].buffer->buffer : VK_NULL_HANDLE, 0,
                                               VK_WHOLE_SIZE};
        const VkDescriptorImageInfo image = {r[i].sampler, r[i].view, VK_IMAGE_LAYOUT_GENERAL};
        vkUpdateDescriptorSets(device, 1,
                               &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                       .dstSet = set,
                                                       .dstBinding = i,
                                                       .descriptorCount = 1,
                                                       .descriptorType = r[i].type,
                                                       .pBufferInfo = &buffer,
                                                       .pImageInfo = &image},
                               0, NULL);
    }
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, k->pipeline_layout, 0, 1, &set, 0,
                            NULL);
    if (push_bytes)
        vkCmdPushConstants(commands, k->pipeline_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, (uint32_t)push_bytes,
                           push);
}

static void end_kernel(struct kernel *k)
{
    vkDestroyPipeline(device, k->pipeline, NULL);
    vkDestroyPipelineLayout(device, k->pipeline_layout, NULL);
    vkDestroyDescriptorSetLayout(device, k->layout, NULL);
    vkDestroyShaderModule(device, k->module, NULL);
}

static void begin(void)
{
    CHECK(vkBeginCommandBuffer(
        commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
}

/* All that was before is seen by all behind. */
static void barrier(void)
{
    vkCmdPipelineBarrier(
        commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
        &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT},
        0, NULL, 0, NULL);
}

static void end(void)
{
    barrier();
    CHECK(vkEndCommandBuffer(commands));
    CHECK(vkQueueSubmit(queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &commands},
                        VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
    CHECK(vkResetDescriptorPool(device, sets, 0));
}

static void lay_out(const struct image *i)
{
    vkCmdPipelineBarrier(
        commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL,
        1,
        &(VkImageMemoryBarrier){
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = i->image,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, i->levels, 0, is_array(i) ? i->depth : 1}});
}

/* ---- What came out ---- */

static void tell(const char *name, const void *words, uint64_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const uint8_t *)words)[i]) * UINT64_C(0x100000001b3);
    printf("%s: %016" PRIx64 "\n", name, hash);
    for (uint64_t i = 0; tell_all && i < bytes / 4; i++)
        printf("%s[%" PRIu64 "] %08x\n", name, i, ((const uint32_t *)words)[i]);
    fflush(stdout);
}

/* ---- Cases ---- */

static const struct buffer_case {
    const char *name;
    uint32_t in, out, groups[3]; /* words */
    uint32_t push[2];
    bool wide; /* 64 bits */
} buffer_cases[] = {
    {"add", 5000, 5000, {80, 1, 1}, {4900, 0x3fc00000}, false},
    {"reduce", 256 * 40, 64, {40, 1, 1}, {0}, false},
    {"histogram", 128 * 30, 384, {30, 1, 1}, {0}, false},
    {"subgroup", 64 * 10, 16 + 640, {10, 1, 1}, {0}, false},
    {"control", 32 * 20, 2 * 640, {20, 1, 1}, {0}, false},
    {"wide", 32 * 8 * 4, 16 * 256, {8, 1, 1}, {0}, true},
    {"small", 4096, 4096 * 5 / 4, {128, 1, 1}, {0}, false},
    {"indirect", 65536, 65536, {5, 3, 2}, {0}, false},
};

static void run_buffers(const struct buffer_case *c)
{
    struct buffer in = make_numbers(c->in), out = make_buffer(c->out * UINT64_C(4));
    for (uint32_t i = 0; strcmp(c->name, "add") == 0 && i < c->in; i++)
        in.words[i] = in.words[i] % 0x3000000 + 0x3f000000;
    const struct resource r[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &in},
                                 {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &out}};
    struct kernel k = make_kernel(c->name, r, 2);
    begin();
    bind(&k, r, c->push, sizeof c->push);
    vkCmdDispatch(commands, c->groups[0], c->groups[1], c->groups[2]);
    end();
    tell(c->name, out.words, out.bytes);
    end_kernel(&k);
    end_buffer(&in);
    end_buffer(&out);
}

/* Groups that are counted in memory, by a kernel before. */
static void run_indirect(void)
{
    struct buffer in = make_numbers(65536), out = make_buffer(65536 * 4), count = make_buffer(64);
    struct buffer ones = make_buffer(64);
    const struct resource add[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &in},
                                   {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &out}};
    struct kernel k = make_kernel("indirect", add, 2);
    const uint32_t groups[] = {7, 2, 3};
    memcpy(count.words + 4, groups, sizeof groups);
    begin();
    bind(&k, add, NULL, 0);
    vkCmdDispatchIndirect(commands, count.buffer, 16);
    end();
    tell("indirect/memory", out.words, out.bytes);
    memset(count.words, 0, count.bytes);
    memset(out.words, 0, out.bytes);
    begin();
    bind(&k, add, NULL, 0);
    vkCmdDispatchIndirect(commands, count.buffer, 0);
    vkCmdDispatchBase(commands, 0, 0, 0, 2, 1, 1);
    end();
    tell("indirect/none", out.words, out.bytes);
    end_kernel(&k);
    end_buffer(&in);
    end_buffer(&out);
    end_buffer(&count);
    end_buffer(&ones);
}

struct push_image {
    uint32_t size[4], level;
};

static void name_of(char *to, size_t room, const char *kind, const char *format, const char *type)
{
    snprintf(to, room, "%s_%s_%s", kind, type, format);
}

static const char *value_kind(VkFormat f)
{
    switch (f) {
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R8G8B8A8_UINT:
    case VK_FORMAT_R16G16B16A16_UINT:
    case VK_FORMAT_R32G32B32A32_UINT:
    case VK_FORMAT_A2B10G10R10_UINT_PACK32:
    case VK_FORMAT_R16_UINT:
    case VK_FORMAT_R8_UINT:
        return "uint";
    case VK_FORMAT_R32_SINT:
    case VK_FORMAT_R8G8_SINT:
    case VK_FORMAT_R16G16B16A16_SINT:
        return "int";
    default:
        return "float";
    }
}

static const char *const type_names[] = {"1d", "2d", "3d", "2d", "1d_array", "2d_array", "2d_array"};

static void fill_image(const struct image *i)
{
    char name[64];
    name_of(name, sizeof name, "fill", value_kind(i->format),
            written_as(i) == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? "2d_array" : type_names[i->type]);
    struct resource r[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    struct kernel k = make_kernel(name, r, 1);
    begin();
    lay_out(i);
    for (uint32_t level = 0; level < i->levels; level++) {
        const struct push_image push = {{size_at(i->width, level), size_at(i->height, level),
                                         is_array(i) ? i->depth : size_at(i->depth, level)},
                                        level};
        r[0].view = i->level_views[level];
        bind(&k, r, &push, sizeof push);
        /* An array of lines has its layers where others have lines. */
        vkCmdDispatch(commands, (push.size[0] + 3) / 4, (push.size[1] + 3) / 4, push.size[2]);
    }
    end();
    end_kernel(&k);
}

static const struct {
    const char *name;
    VkFormat format;
} formats[] = {{"r32f", VK_FORMAT_R32_SFLOAT},
               {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT},
               {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT},
               {"rg16f", VK_FORMAT_R16G16_SFLOAT},
               {"r16f", VK_FORMAT_R16_SFLOAT},
               {"rgba8", VK_FORMAT_R8G8B8A8_UNORM},
               {"rgba8s", VK_FORMAT_R8G8B8A8_SNORM},
               {"rg8", VK_FORMAT_R8G8_UNORM},
               {"r8", VK_FORMAT_R8_UNORM},
               {"rgba16", VK_FORMAT_R16G16B16A16_UNORM},
               {"rgb10a2", VK_FORMAT_A2B10G10R10_UNORM_PACK32},
               {"r11g11b10f", VK_FORMAT_B10G11R11_UFLOAT_PACK32},
               {"r32ui", VK_FORMAT_R32_UINT},
               {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT},
               {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT},
               {"rgba8ui", VK_FORMAT_R8G8B8A8_UINT},
               {"rgb10a2ui", VK_FORMAT_A2B10G10R10_UINT_PACK32},
               {"r16ui", VK_FORMAT_R16_UINT},
               {"r8ui", VK_FORMAT_R8_UINT},
               {"r32i", VK_FORMAT_R32_SINT},
               {"rg8i", VK_FORMAT_R8G8_SINT},
               {"rgba16i", VK_FORMAT_R16G16B16A16_SINT}};

/* Each level is read back as it was written. */
static void load_image(const char *name, const struct image *i)
{
    char shader[64];
    name_of(shader, sizeof shader, "load", value_kind(i->format),
            written_as(i) == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? "2d_array" : type_names[i->type]);
    struct buffer out = make_buffer(UINT64_C(16) * 2 * i->width * i->height * i->depth);
    struct resource r[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                           {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &out}};
    struct kernel k = make_kernel(shader, r, 2);
    uint32_t at = 0;
    begin();
    for (uint32_t level = 0; level < i->levels; level++) {
        const struct push_image push = {{size_at(i->width, level), size_at(i->height, level),
                                         is_array(i) ? i->depth : size_at(i->depth, level), at},
                                        level};
        r[0].view = i->level_views[level];
        bind(&k, r, &push, sizeof push);
        vkCmdDispatch(commands, (push.size[0] + 3) / 4, (push.size[1] + 3) / 4, push.size[2]);
        at += push.size[0] * push.size[1] * push.size[2];
    }
    end();
    tell(name, out.words, out.bytes);
    end_kernel(&k);
    end_buffer(&out);
}

static const struct {
    const char *name;
    VkSamplerCreateInfo info;
} samplers[] = {
    {"nearest-repeat", {.addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT}},
    {"nearest-border",
     {.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE}},
    {"linear-clamp",
     {.magFilter = VK_FILTER_LINEAR,
      .minFilter = VK_FILTER_LINEAR,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}},
    {"linear-mirror",
     {.magFilter = VK_FILTER_LINEAR,
      .minFilter = VK_FILTER_LINEAR,
      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT}},
    {"linear-border",
     {.magFilter = VK_FILTER_LINEAR,
      .minFilter = VK_FILTER_LINEAR,
      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK}},
    {"linear-less",
     {.magFilter = VK_FILTER_LINEAR,
      .minFilter = VK_FILTER_LINEAR,
      .compareEnable = true,
      .compareOp = VK_COMPARE_OP_LESS}},
    {"nearest-greater", {.compareEnable = true, .compareOp = VK_COMPARE_OP_GREATER_OR_EQUAL}},
};

static VkSampler make_sampler(VkSamplerCreateInfo info)
{
    VkSampler s;
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info.addressModeV = info.addressModeW = info.addressModeU;
    info.maxLod = VK_LOD_CLAMP_NONE;
    CHECK(vkCreateSampler(device, &info, NULL, &s));
    return s;
}

static void sample_image(const char *name, const char *shader, const struct image *i, unsigned sampler)
{
    enum { COUNT = 512 };
    struct buffer out = make_buffer(UINT64_C(16) * 8 * COUNT), in = make_numbers(4 * COUNT);
    const VkSampler s = make_sampler(samplers[sampler].info);
    const struct resource r[] = {
        {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = i->view, .sampler = s},
        {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &out},
        {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &in}};
    struct kernel k = make_kernel(shader, r, 3);
    begin();
    bind(&k, r, NULL, 0);
    vkCmdDispatch(commands, COUNT / 16, 1, 1);
    end();
    tell(name, out.words, out.bytes);
    end_kernel(&k);
    vkDestroySampler(device, s, NULL);
    end_buffer(&out);
    end_buffer(&in);
}

static void run_images(const char *only)
{
    static const struct {
        const char *name;
        struct image image;
    } shapes[] = {
        {"2d", {.type = VK_IMAGE_VIEW_TYPE_2D, .width = 21, .height = 13, .depth = 1, .levels = 1}},
        {"3d", {.type = VK_IMAGE_VIEW_TYPE_3D, .width = 9, .height = 6, .depth = 5, .levels = 3}},
        {"2d_array",
         {.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY, .width = 12, .height = 10, .depth = 3, .levels = 2}}};
    char name[64];
    for (unsigned s = 0; s < 3; s++)
        for (unsigned f = 0; f < sizeof formats / sizeof formats[0]; f++) {
            struct image i = shapes[s].image;
            i.format = formats[f].format;
            snprintf(name, sizeof name, "image/%s/%s", shapes[s].name, formats[f].name);
            if (only && strncmp(only, name, strlen(only)) != 0)
                continue;
            if (!make_image(&i, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT)) {
                printf("%s: not there\n", name);
                continue;
            }
            fill_image(&i);
            load_image(name, &i);
            end_image(&i);
        }
}

static void run_samplers(const char *only)
{
    static const struct {
        const char *name;
        struct image image;
    } shapes[] = {
        {"1d", {.type = VK_IMAGE_VIEW_TYPE_1D, .width = 16, .height = 1, .depth = 1, .levels = 4}},
        {"2d", {.type = VK_IMAGE_VIEW_TYPE_2D, .width = 16, .height = 8, .depth = 1, .levels = 4}},
        {"3d", {.type = VK_IMAGE_VIEW_TYPE_3D, .width = 8, .height = 4, .depth = 4, .levels = 3}},
        {"cube", {.type = VK_IMAGE_VIEW_TYPE_CUBE, .width = 8, .height = 8, .depth = 6, .levels = 3}},
        {"1d_array",
         {.type = VK_IMAGE_VIEW_TYPE_1D_ARRAY, .width = 16, .height = 1, .depth = 4, .levels = 3}},
        {"2d_array", {.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY, .width = 8, .height = 8, .depth = 4, .levels = 3}},
        {"cube_array",
         {.type = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, .width = 8, .height = 8, .depth = 12, .levels = 3}}};
    static const unsigned with[] = {0, 4, 5, 7, 14}; /* of the formats */
    char name[96], shader[64];
    for (unsigned s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (unsigned f = 0; f < sizeof with / sizeof with[0]; f++)
            for (unsigned m = 0; m < sizeof samplers / sizeof samplers[0]; m++) {
                struct image i = shapes[s].image;
                i.format = formats[with[f]].format;
                const bool of_float = strcmp(value_kind(i.format), "float") == 0,
                           compares = samplers[m].info.compareEnable;
                snprintf(name, sizeof name, "sample/%s/%s/%s", shapes[s].name, formats[with[f]].name,
                         samplers[m].name);
                if (only && strncmp(only, name, strlen(only)) != 0)
                    continue;
                /* Integers have no filter and no float's border; others weigh bytes in their own way. */
                if ((!of_float && (samplers[m].info.magFilter || samplers[m].info.borderColor)) ||
                    (compares && (f || s != 1)) ||
                    (f > 1 && of_float &&
                     samplers[m].info.addressModeU != VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT && m))
                    continue;
                snprintf(shader, sizeof shader, "sample_%s_%s", compares ? "compare" : shapes[s].name,
                         value_kind(i.format));
                if (!make_image(&i, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT)) {
                    printf("%s: not there\n", name);
                    continue;
                }
                fill_image(&i);
                sample_image(name, shader, &i, m);
                end_image(&i);
            }
}

/* Copies and fills of buffers: a driver does them as it likes. */
static void run_copies(void)
{
    struct buffer in = make_numbers(8192), out = make_buffer(8192 * 4);
    const VkBufferCopy parts[] = {{0, 64, 4096}, {5000, 8192, 77}, {4096, 12001, 3001}};
    begin();
    vkCmdCopyBuffer(commands, in.buffer, out.buffer, 3, parts);
    end();
    tell("copy/buffer", out.words, out.bytes);
    begin();
    vkCmdFillBuffer(commands, out.buffer, 128, 10000, 0x12345678);
    end();
    tell("copy/fill", out.words, out.bytes);
    begin();
    vkCmdUpdateBuffer(commands, out.buffer, 256, 4000, in.words);
    end();
    tell("copy/update", out.words, out.bytes);
    memset(out.words, 0, out.bytes);
    struct image i = {.type = VK_IMAGE_VIEW_TYPE_2D,
                      .format = VK_FORMAT_R8G8B8A8_UNORM,
                      .width = 32,
                      .height = 20,
                      .depth = 1,
                      .levels = 2};
    make_image(&i, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                       VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {32, 20, 1}};
    begin();
    lay_out(&i);
    vkCmdCopyBufferToImage(commands, in.buffer, i.image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
    barrier();
    vkCmdCopyImageToBuffer(commands, i.image, VK_IMAGE_LAYOUT_GENERAL, out.buffer, 1, &all);
    end();
    tell("copy/image", out.words, out.bytes);
    begin();
    vkCmdClearColorImage(commands, i.image, VK_IMAGE_LAYOUT_GENERAL,
                         &(VkClearColorValue){.float32 = {0, 1, 0.2f, 1}}, 1,
                         &(VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
    barrier();
    vkCmdCopyImageToBuffer(commands, i.image, VK_IMAGE_LAYOUT_GENERAL, out.buffer, 1, &all);
    end();
    tell("copy/clear", out.words, out.bytes);
    end_image(&i);
    end_buffer(&in);
    end_buffer(&out);
}

/* Time goes on from one stamp to the next; a semaphore's count and an event hold back what is behind. */
static void run_waits(void)
{
    struct buffer in = make_numbers(5000), out = make_buffer(5000 * 4);
    const struct resource r[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &in},
                                 {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = &out}};
    struct kernel k = make_kernel("histogram", r, 2);
    VkQueryPool stamps;
    CHECK(vkCreateQueryPool(device,
                            &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                                     .queryCount = 2},
                            NULL, &stamps));
    VkSemaphore semaphore;
    CHECK(vkCreateSemaphore(
        device,
        &(VkSemaphoreCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
            .pNext = &(VkSemaphoreTypeCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                                  .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                                  .initialValue = 3}},
        NULL, &semaphore));
    VkEvent event;
    CHECK(vkCreateEvent(device, &(VkEventCreateInfo){.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO}, NULL,
                        &event));
    begin();
    vkCmdResetQueryPool(commands, stamps, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, stamps, 0);
    bind(&k, r, NULL, 0);
    vkCmdDispatch(commands, 3, 1, 1);
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    vkCmdWaitEvents(
        commands, 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 1,
        &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT},
        0, NULL, 0, NULL);
    vkCmdDispatch(commands, 3, 1, 1);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps, 1);
    barrier();
    CHECK(vkEndCommandBuffer(commands));
    const uint64_t from = 5, to = 9;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    CHECK(vkQueueSubmit(queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .pNext =
                                            &(VkTimelineSemaphoreSubmitInfo){
                                                .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                .waitSemaphoreValueCount = 1,
                                                .pWaitSemaphoreValues = &from,
                                                .signalSemaphoreValueCount = 1,
                                                .pSignalSemaphoreValues = &to},
                                        .waitSemaphoreCount = 1,
                                        .pWaitSemaphores = &semaphore,
                                        .pWaitDstStageMask = &stage,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &commands,
                                        .signalSemaphoreCount = 1,
                                        .pSignalSemaphores = &semaphore},
                        VK_NULL_HANDLE));
    uint64_t count = 0;
    CHECK(vkGetSemaphoreCounterValue(device, semaphore, &count));
    printf("waits/before: %" PRIu64 " %u\n", count, out.words[0]);
    CHECK(vkSignalSemaphore(device, &(VkSemaphoreSignalInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                                             .semaphore = semaphore,
                                                             .value = 5}));
    CHECK(vkWaitSemaphores(device,
                           &(VkSemaphoreWaitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                                  .semaphoreCount = 1,
                                                  .pSemaphores = &semaphore,
                                                  .pValues = &to},
                           UINT64_C(60000000000)));
    CHECK(vkGetSemaphoreCounterValue(device, semaphore, &count));
    uint64_t at[2] = {0};
    CHECK(vkGetQueryPoolResults(device, stamps, 0, 2, sizeof at, at, 8,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    printf("waits/after: %" PRIu64 " event %d, time %s\n", count, vkGetEventStatus(device, event),
           at[0] && at[0] <= at[1] ? "goes on" : "does not go on");
    tell("waits", out.words, out.bytes);
    CHECK(vkQueueWaitIdle(queue));
    CHECK(vkResetDescriptorPool(device, sets, 0));
    vkDestroyEvent(device, event, NULL);
    vkDestroySemaphore(device, semaphore, NULL);
    vkDestroyQueryPool(device, stamps, NULL);
    end_kernel(&k);
    end_buffer(&in);
    end_buffer(&out);
}

/* ---- The device ---- */

static void open_device(void)
{
    VkInstance instance;
    uint32_t count = 1;
    CHECK(vkCreateInstance(
        &(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                .pApplicationInfo =
                                    &(VkApplicationInfo){.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                                         .apiVersion = VK_API_VERSION_1_2}},
        NULL, &instance));
    const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical);
    if (found < 0 || !count) {
        printf("no device: %d\n", found);
        exit(2);
    }
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(physical, &p);
    vkGetPhysicalDeviceFeatures(physical, &features);
    vkGetPhysicalDeviceMemoryProperties(physical, &memories);
    fprintf(stderr, "%s, %04x:%04x\n", p.deviceName, p.vendorID, p.deviceID);
    const float priority = 1;
    const VkPhysicalDeviceVulkan12Features wanted12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = true,
        .shaderInt8 = true,
        .shaderFloat16 = true,
        .storageBuffer8BitAccess = true};
    const VkPhysicalDeviceVulkan11Features wanted11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = (void *)&wanted12,
        .storageBuffer16BitAccess = true};
    const VkPhysicalDeviceFeatures wanted = {.shaderInt16 = true,
                                             .shaderInt64 = features.shaderInt64,
                                             .shaderStorageImageWriteWithoutFormat = true,
                                             .shaderStorageImageReadWithoutFormat =
                                                 features.shaderStorageImageReadWithoutFormat,
                                             .imageCubeArray = true,
                                             .shaderStorageImageExtendedFormats = true,
                                             .shaderImageGatherExtended = true};
    CHECK(vkCreateDevice(physical,
                         &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                               .pNext = &wanted11,
                                               .queueCreateInfoCount = 1,
                                               .pQueueCreateInfos =
                                                   &(VkDeviceQueueCreateInfo){
                                                       .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                       .queueFamilyIndex = family,
                                                       .queueCount = 1,
                                                       .pQueuePriorities = &priority},
                                               .pEnabledFeatures = &wanted},
                         NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
    CHECK(vkCreateCommandPool(
        device,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                   .queueFamilyIndex = family},
        NULL, &pool));
    CHECK(vkAllocateCommandBuffers(
        device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = pool,
                                       .commandBufferCount = 1},
        &commands));
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 64},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 64}};
    CHECK(vkCreateDescriptorPool(
        device,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 64,
                                      .poolSizeCount = 3,
                                      .pPoolSizes = sizes},
        NULL, &sets));
}

static bool wanted(int count, char **names, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strncmp(names[i], name, strcspn(names[i], "/")) == 0)
            return true;
    return !count;
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "aq:")) >= 0)
        if (option == 'a')
            tell_all = true;
        else
            family = (unsigned)atoi(optarg);
    if (optind >= argc)
        return 2;
    shaders = argv[optind++];
    const int count = argc - optind;
    char **names = argv + optind;
    open_device();
    for (unsigned i = 0; i < sizeof buffer_cases / sizeof buffer_cases[0]; i++)
        if (wanted(count, names, buffer_cases[i].name) && (!buffer_cases[i].wide || features.shaderInt64))
            run_buffers(&buffer_cases[i]);
    if (wanted(count, names, "indirect"))
        run_indirect();
    if (wanted(count, names, "waits"))
        run_waits();
    if (wanted(count, names, "image"))
        run_images(count ? names[0] : NULL);
    if (wanted(count, names, "sample"))
        run_samplers(count ? names[0] : NULL);
    if (wanted(count, names, "copy"))
        run_copies();
    vkDestroyDescriptorPool(device, sets, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyDevice(device, NULL);
    return 0;
}
