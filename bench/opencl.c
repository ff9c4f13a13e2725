/*
 * What an OpenCL device does in a second: a figure a line, its best of some runs. It knows nothing of softgt:
 * bench/side-by-side runs it by Intel's runtime on softgt exec, and by pocl on the host.
 * Exit status 2: no device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* clang-format off */
static const char *const source =
    "kernel void mandelbrot(global uint *steps, float left, float top, float dx, float dy, uint most)\n"
    "{\n"
    "    float cx = fma((float)get_global_id(0), dx, left), cy = fma((float)get_global_id(1), dy, top);\n"
    "    float x = 0, y = 0;\n"
    "    uint n = 0;\n"
    "    while (n < most && fma(x, x, y * y) < 4) {\n"
    "        float next = fma(x, x, fma(-y, y, cx));\n"
    "        y = fma(2 * x, y, cy);\n"
    "        x = next;\n"
    "        n++;\n"
    "    }\n"
    "    steps[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;\n"
    "}\n"
    /* Two chains, each product the next one's factor, as clpeak has them. */
    "#define MAD_4(x, y) x = mad(y, x, y); y = mad(x, y, x); x = mad(y, x, y); y = mad(x, y, x);\n"
    "#define MAD_16(x, y) MAD_4(x, y) MAD_4(x, y) MAD_4(x, y) MAD_4(x, y)\n"
    "#define MAD_64(x, y) MAD_16(x, y) MAD_16(x, y) MAD_16(x, y) MAD_16(x, y)\n"
    "kernel void mads(global float *result, float a)\n"
    "{\n"
    "    float x = a, y = (float)get_local_id(0);\n"
    "    for (int i = 0; i < 32; i++) { MAD_64(x, y) }\n"
    "    result[get_global_id(0)] = y;\n"
    "}\n"
    "kernel void functions(global float *result, float a)\n"
    "{\n"
    "    float x = a + (float)get_global_id(0) * 1e-3f;\n"
    "    for (int i = 0; i < 16; i++)\n"
    "        x = native_sqrt(fabs(native_sin(x))) + native_exp2(native_cos(x)) + native_recip(x + 2.0f);\n"
    "    result[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void hash(global uint *words, uint rounds)\n"
    "{\n"
    "    uint i = get_global_id(0), a = words[i], b = i * 2654435761u;\n"
    "    for (uint n = 0; n < rounds; n++) {\n"
    "        a = rotate(a + (b ^ n), 7u); b = (b + mul_hi(a, b)) ^ (a >> 3);\n"
    "    }\n"
    "    words[i] = a ^ b;\n"
    "}\n"
    "kernel void scale(global float *to, global const float *from, float by)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    to[i] = fma(from[i], by, to[i]);\n"
    "}\n"
    "kernel void reduce(global const uint *in, global uint *sums, local uint *part)\n"
    "{\n"
    "    uint at = get_local_id(0);\n"
    "    part[at] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint count = get_local_size(0) / 2; count; count /= 2) {\n"
    "        if (at < count)\n"
    "            part[at] += part[at + count];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (at == 0)\n"
    "        sums[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void nothing(global uint *to)\n"
    "{\n"
    "    to[get_global_id(0)] = 1;\n"
    "}\n";
/* clang-format on */

enum { MOST_ITEMS = 1 << 22, GROUP = 256, WIDTH = 512, HEIGHT = 512, MOST_STEPS = 256, RUNS = 5 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem memory[2];

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(2);
}

static bool
    by_processor; /* seconds are the process's on all processors, as on a host that is busy otherwise */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(by_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void begin(void)
{
    cl_platform_id platforms[8];
    cl_device_id device = NULL;
    cl_uint count = 0;
    cl_int status;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < 8 && !device; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    if (!device) {
        fputs("no OpenCL device\n", stderr);
        exit(2);
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t zero = 0;
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)MOST_ITEMS * 4, NULL, &status);
        check(status, "clCreateBuffer");
        check(clEnqueueFillBuffer(queue, memory[i], &zero, 4, 0, (size_t)MOST_ITEMS * 4, 0, NULL, NULL),
              "clEnqueueFillBuffer");
    }
    check(clFinish(queue), "clFinish");
}

struct argument {
    size_t bytes;
    const void *value; /* NULL: so much local memory */
};

/* Seconds that a kernel takes from its launch to its end. */
static double run(const char *name, const struct argument *arguments, size_t width, size_t height,
                  size_t group, unsigned runs)
{
    double best = 1e9;
    cl_int status;
    const size_t size[2] = {width, height}, groups[2] = {group, 1};
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    for (cl_uint i = 0; arguments[i].bytes; i++)
        check(clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value), "clSetKernelArg");
    for (unsigned n = 0; n < runs; n++) {
        const double start = seconds();
        check(clEnqueueNDRangeKernel(queue, kernel, height ? 2 : 1, NULL, size, groups, 0, NULL, NULL), name);
        check(clFinish(queue), "clFinish");
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    check(clReleaseKernel(kernel), "clReleaseKernel");
    return best;
}

int main(int argc, char **argv)
{
    enum { MAD_ITEMS = 1 << 18, MADS = 32 * 64, FUNCTION_ITEMS = 1 << 16, HASH_ITEMS = 1 << 17 };
    const float left = -2.1F, top = -1.15F, dx = 2.8F / WIDTH, dy = 2.3F / HEIGHT, a = 1.3F;
    const uint32_t most = MOST_STEPS, rounds = 64;
    const cl_mem *const m = memory;
    const struct argument one = {sizeof(cl_mem), &m[0]}, two = {sizeof(cl_mem), &m[1]}, number = {4, &a},
                          part = {GROUP * 4, NULL};
    const struct {
        const char *name, *unit;
        double work; /* of the unit, a run */
        struct argument arguments[8];
        size_t width, height, group;
        unsigned runs;
    } rows[] = {
        {"mandelbrot",
         "Mpixel/s",
         WIDTH * HEIGHT / 1e6,
         {one, {4, &left}, {4, &top}, {4, &dx}, {4, &dy}, {4, &most}},
         WIDTH,
         HEIGHT,
         64,
         RUNS},
        {"mads", "GFLOP/s", MAD_ITEMS * 2.0 * MADS / 1e9, {one, number}, MAD_ITEMS, 0, GROUP, RUNS},
        {"functions", "M/s", FUNCTION_ITEMS * 16.0 / 1e6, {one, number}, FUNCTION_ITEMS, 0, GROUP, RUNS},
        {"hash", "Mround/s", HASH_ITEMS * 64.0 / 1e6, {one, {4, &rounds}}, HASH_ITEMS, 0, GROUP, RUNS},
        {"scale", "GB/s", MOST_ITEMS * 12.0 / 1e9, {one, two, number}, MOST_ITEMS, 0, GROUP, RUNS},
        {"reduce", "Mitem/s", MOST_ITEMS / 4e6, {one, two, part}, MOST_ITEMS / 4, 0, GROUP, RUNS},
        {"launch", "per ms", 1e-3, {one}, 16, 0, 16, 1000},
    };
    if (argc > 1 && strcmp(argv[1], "--processor") == 0) {
        by_processor = true;
        argc--;
        argv++;
    }
    begin();
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (argc < 2 || strcmp(argv[1], rows[i].name) == 0) {
            const double took = run(rows[i].name[0] == 'l' ? "nothing" : rows[i].name, rows[i].arguments,
                                    rows[i].width, rows[i].height, rows[i].group, rows[i].runs);
            printf("%s %.4g %s\n", rows[i].name, rows[i].work / took, rows[i].unit);
            fflush(stdout);
        }
    return 0;
}
