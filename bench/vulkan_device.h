/* A Vulkan device with one queue, and what bench-vulkan makes on it. Errors end the program. */
#pragma once

#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stdint.h>

enum { WIDTH = 300, HEIGHT = 200 };

extern struct vulkan {
    VkPhysicalDeviceMemoryProperties memories;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkRenderPass pass;
    VkFramebuffer frame_buffer;
} vk;

struct buffer {
    VkBuffer buffer;
    void *bytes;
};

struct image {
    VkImage image;
    VkImageView view;
};

void check(VkResult result, const char *what);
#define CHECK(call) check(call, #call)

/* False: there is none. */
bool open_device(void);

/* Buffers are mapped. */
struct buffer make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage);
struct image make_image(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage);

/* The render pass clears a color and a depth target of WIDTH x HEIGHT; returns the color target. */
struct image make_target(void);

/* Commands are recorded between; end() runs them. */
void begin(void);
void end(void);
void transition(const struct image *i, VkImageLayout from, VkImageLayout to);
VkBufferImageCopy whole(uint32_t width, uint32_t height);
