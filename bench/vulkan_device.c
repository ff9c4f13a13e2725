#include "vulkan_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vulkan vk;

void check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, result);
    exit(1);
}

static VkDeviceMemory allocate(VkMemoryRequirements needs, VkMemoryPropertyFlags wanted)
{
    VkDeviceMemory memory;
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) ||
           (vk.memories.memoryTypes[type].propertyFlags & wanted) != wanted)
        if (++type == vk.memories.memoryTypeCount)
            check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "memory type");
    CHECK(vkAllocateMemory(vk.device,
                           &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                   .allocationSize = needs.size,
                                                   .memoryTypeIndex = type},
                           NULL, &memory));
    return memory;
}

struct buffer make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage)
{
    struct buffer b;
    VkMemoryRequirements needs;
    CHECK(vkCreateBuffer(vk.device,
                         &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                               .size = size_bytes,
                                               .usage = usage},
                         NULL, &b.buffer));
    vkGetBufferMemoryRequirements(vk.device, b.buffer, &needs);
    VkDeviceMemory memory =
        allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    CHECK(vkBindBufferMemory(vk.device, b.buffer, memory, 0));
    CHECK(vkMapMemory(vk.device, memory, 0, VK_WHOLE_SIZE, 0, &b.bytes));
    memset(b.bytes, 0, size_bytes);
    return b;
}

struct image make_image(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage)
{
    struct image i;
    VkMemoryRequirements needs;
    CHECK(vkCreateImage(vk.device,
                        &(VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                             .imageType = VK_IMAGE_TYPE_2D,
                                             .format = format,
                                             .extent = {width, height, 1},
                                             .mipLevels = 1,
                                             .arrayLayers = 1,
                                             .samples = VK_SAMPLE_COUNT_1_BIT,
                                             .usage = usage},
                        NULL, &i.image));
    vkGetImageMemoryRequirements(vk.device, i.image, &needs);
    CHECK(vkBindImageMemory(vk.device, i.image, allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0));
    const VkImageAspectFlags aspect = usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                          ? VK_IMAGE_ASPECT_DEPTH_BIT
                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    CHECK(vkCreateImageView(vk.device,
                            &(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                                     .image = i.image,
                                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                                     .format = format,
                                                     .subresourceRange = {aspect, 0, 1, 0, 1}},
                            NULL, &i.view));
    return i;
}

void begin(void)
{
    CHECK(vkResetCommandBuffer(vk.commands, 0));
    CHECK(vkBeginCommandBuffer(
        vk.commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                 .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT}));
}

void end(void)
{
    CHECK(vkEndCommandBuffer(vk.commands));
    CHECK(vkQueueSubmit(vk.queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &vk.commands},
                        vk.fence));
    CHECK(vkWaitForFences(vk.device, 1, &vk.fence, true, UINT64_MAX));
    CHECK(vkResetFences(vk.device, 1, &vk.fence));
}

void transition(const struct image *i, VkImageLayout from, VkImageLayout to)
{
    vkCmdPipelineBarrier(
        vk.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
        NULL, 1,
        &(VkImageMemoryBarrier){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                .oldLayout = from,
                                .newLayout = to,
                                .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                .image = i->image,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
}

VkBufferImageCopy whole(uint32_t width, uint32_t height)
{
    return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = {width, height, 1}};
}

bool open_device(void)
{
    VkInstance instance;
    VkPhysicalDevice physical;
    uint32_t count = 1, families = 1;
    VkQueueFamilyProperties family;
    if (vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO}, NULL,
                         &instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || !count)
        return false;
    vkGetPhysicalDeviceMemoryProperties(physical, &vk.memories);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, &family);
    if (!families || !(family.queueFlags & VK_QUEUE_GRAPHICS_BIT))
        return false;
    const float priority = 1;
    CHECK(vkCreateDevice(physical,
                         &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                               .queueCreateInfoCount = 1,
                                               .pQueueCreateInfos =
                                                   &(VkDeviceQueueCreateInfo){
                                                       .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                       .queueCount = 1,
                                                       .pQueuePriorities = &priority}},
                         NULL, &vk.device));
    vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
    CHECK(vkCreateCommandPool(
        vk.device,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT},
        NULL, &vk.pool));
    CHECK(vkAllocateCommandBuffers(
        vk.device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = vk.pool,
                                       .commandBufferCount = 1},
        &vk.commands));
    CHECK(vkCreateFence(vk.device, &(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}, NULL,
                        &vk.fence));
    return true;
}

struct image make_target(void)
{
    const struct image target =
        make_image(VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    const struct image depth =
        make_image(VK_FORMAT_D32_SFLOAT, WIDTH, HEIGHT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const VkAttachmentDescription attachments[] = {
        {.format = VK_FORMAT_R8G8B8A8_UNORM,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
        {.format = VK_FORMAT_D32_SFLOAT,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}};
    CHECK(vkCreateRenderPass(
        vk.device,
        &(VkRenderPassCreateInfo){
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
            .attachmentCount = 2,
            .pAttachments = attachments,
            .subpassCount = 1,
            .pSubpasses =
                &(VkSubpassDescription){
                    .colorAttachmentCount = 1,
                    .pColorAttachments =
                        &(VkAttachmentReference){0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                    .pDepthStencilAttachment =
                        &(VkAttachmentReference){1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}}},
        NULL, &vk.pass));
    CHECK(vkCreateFramebuffer(
        vk.device,
        &(VkFramebufferCreateInfo){.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                   .renderPass = vk.pass,
                                   .attachmentCount = 2,
                                   .pAttachments = (VkImageView[]){target.view, depth.view},
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .layers = 1},
        NULL, &vk.frame_buffer));
    return target;
}
