/*
 * cases OUT DATA FILE...: kernels of files (cases.py makes them) by whatever OpenCL runtime there is, each
 * with DATA as its first buffer; what it wrote goes to OUT, to be compared with another runtime's. A line of
 * a file
 *     //! NAME ITEMS GROUP BYTES LOCAL [SHAPE ORDER TYPE]
 * is a kernel: three sizes each (group 0: the runtime's choice), bytes of its second buffer, of local memory,
 * and an image of DATA.
 * `//? EXTENSION` skips the file without it. Exit status 1: a file was not built, or a kernel not run; 2: no
 * device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_BYTES = 65536, WRITTEN_BYTES = 1 << 20 };
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static unsigned char data[DATA_BYTES], written[WRITTEN_BYTES];
static char source[1 << 22];
static FILE *out;
static int failed;

static void find_device(void)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU};
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_int status;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (int type = 0; type < 2 && !device; type++)
        for (cl_uint i = 0; i < count && i < 8 && !device; i++)
            if (clGetDeviceIDs(platforms[i], types[type], 1, &device, NULL) != CL_SUCCESS)
                device = NULL;
    if (!device) {
        fputs("no OpenCL runtime has a device\n", stderr);
        exit(2);
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    queue = clCreateCommandQueue(context, device, 0, &status);
}

struct kernel_case {
    char name[64], shape[8];
    size_t items[3], group[3], bytes, local_bytes;
    cl_image_format format;
};

/* By the letters of a shape: sizes are odd, so that no pitch or tile is filled. */
static const struct shape {
    char name[4];
    cl_mem_object_type type;
    size_t width, height, depth, layers;
} shapes[] = {
    {"1", CL_MEM_OBJECT_IMAGE1D, 61, 0, 0, 0},         {"2", CL_MEM_OBJECT_IMAGE2D, 29, 17, 0, 0},
    {"3", CL_MEM_OBJECT_IMAGE3D, 29, 17, 7, 0},        {"1a", CL_MEM_OBJECT_IMAGE1D_ARRAY, 29, 0, 0, 17},
    {"2a", CL_MEM_OBJECT_IMAGE2D_ARRAY, 29, 17, 0, 7},
};

static const struct shape *shape_of(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

static cl_mem image(const struct kernel_case *of, const struct shape *shape, cl_int *status)
{
    const cl_image_desc desc = {.image_type = shape->type,
                                .image_width = shape->width,
                                .image_height = shape->height,
                                .image_depth = shape->depth,
                                .image_array_size = shape->layers};
    return clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &of->format, &desc, data, status);
}

/* The buffer (CDh where the kernel does not write), and behind it the image, as the runtime gives it back. */
static cl_int run(cl_program program, const struct kernel_case *of, size_t *bytes)
{
    cl_int status;
    cl_uint at = 0;
    const struct shape *shape = shape_of(of->shape);
    cl_mem texels = NULL;
    cl_kernel kernel = clCreateKernel(program, of->name, &status);
    if (status != CL_SUCCESS)
        return status;
    memset(written, 0xcd, sizeof written);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
    cl_mem to =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, of->bytes, written, &status);
    clSetKernelArg(kernel, at++, sizeof in, &in);
    clSetKernelArg(kernel, at++, sizeof to, &to);
    if (of->local_bytes)
        clSetKernelArg(kernel, at++, of->local_bytes, NULL);
    if (shape) {
        texels = image(of, shape, &status);
        clSetKernelArg(kernel, at, sizeof texels, &texels);
    }
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, of->items, of->group[0] ? of->group : NULL, 0,
                                        NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, to, CL_TRUE, 0, of->bytes, written, 0, NULL, NULL);
    *bytes = of->bytes;
    if (status == CL_SUCCESS && shape) {
        static const size_t from[3] = {0, 0, 0};
        const size_t rows = shape->height ? shape->height : 1, slices = shape->depth ? shape->depth : 1;
        const size_t layers = shape->layers ? shape->layers : 1;
        const size_t size[3] = {shape->width, shape->height ? shape->height : layers,
                                shape->height && shape->layers ? layers : slices};
        size_t texel_bytes = 0;
        clGetImageInfo(texels, CL_IMAGE_ELEMENT_SIZE, sizeof texel_bytes, &texel_bytes, NULL);
        status =
            clEnqueueReadImage(queue, texels, CL_TRUE, from, size, 0, 0, written + of->bytes, 0, NULL, NULL);
        *bytes += shape->width * rows * slices * layers * texel_bytes;
    }
    if (texels)
        clReleaseMemObject(texels);
    clReleaseMemObject(in);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    return status;
}

/* What the first line asks for. */
static bool has_extension(void)
{
    static char extensions[16384];
    char wanted[64];
    if (sscanf(source, "//? %63s", wanted) != 1)
        return true;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    return strstr(extensions, wanted) != NULL;
}

static void read_source(const char *path)
{
    FILE *from = fopen(path, "r");
    if (!from) {
        perror(path);
        exit(2);
    }
    source[fread(source, 1, sizeof source - 1, from)] = 0;
    fclose(from);
}

static cl_program build(const char *path)
{
    static char log[1 << 16];
    const char *text = source;
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    status = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    if (status == CL_SUCCESS)
        return program;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s: clBuildProgram: error %d\n%.2000s\n", path, status, log);
    return NULL;
}

static void run_file(const char *path)
{
    read_source(path);
    if (!has_extension())
        return;
    cl_program program = build(path);
    if (!program) {
        failed = 1;
        return;
    }
    for (const char *line = source; (line = strstr(line, "//! ")) != NULL; line++) {
        struct kernel_case of = {.bytes = 0};
        unsigned order = 0, type = 0;
        size_t bytes = 0;
        if (sscanf(line, "//! %63s %zux%zux%zu %zux%zux%zu %zu %zu %7s %x %x", of.name, &of.items[0],
                   &of.items[1], &of.items[2], &of.group[0], &of.group[1], &of.group[2], &of.bytes,
                   &of.local_bytes, of.shape, &order, &type) < 9 ||
            of.bytes > WRITTEN_BYTES / 2) {
            fprintf(stderr, "%s: %.60s: is no kernel\n", path, line);
            exit(2);
        }
        of.format = (cl_image_format){order, type};
        const cl_int status = run(program, &of, &bytes);
        fprintf(out, "%s %d %zu\n", of.name, status, status == CL_SUCCESS ? bytes : 0);
        if (status == CL_SUCCESS)
            fwrite(written, 1, bytes, out);
        else
            fprintf(stderr, "%s: %s: error %d\n", path, of.name, status);
        failed |= status != CL_SUCCESS;
    }
    clReleaseProgram(program);
}

int main(int argc, char **argv)
{
    FILE *from = argc > 3 ? fopen(argv[2], "rb") : NULL;
    out = argc > 3 ? fopen(argv[1], "wb") : NULL;
    if (!from || !out || fread(data, 1, sizeof data, from) != sizeof data) {
        fputs("cases OUT DATA FILE...\n", stderr);
        return 2;
    }
    fclose(from);
    find_device();
    for (int i = 3; i < argc; i++)
        run_file(argv[i]);
    return fclose(out) != 0 || failed;
}
