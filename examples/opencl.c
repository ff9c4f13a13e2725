/*
 * An OpenCL program as any: it knows nothing of softgt, which runs it (softgt exec build/examples/opencl).
 * Each kernel's result is compared with plain C's, to the bit. Exit status 1: one is wrong; 2: no device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every product is an operand of fma() or is rounded alike on its own: compilers have no choice. */
static const char *const source =
    "kernel void vector_add(global const float *a, global const float *b, global float *c)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n"
    "kernel void remainders(global const float *a, global const float *b, global float *c)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    c[i] = fmod(a[i], b[i]);\n"
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
    "kernel void histogram(global const uint *in, global uint *counts, local uint *part)\n"
    "{\n"
    "    uint at = get_local_id(0);\n"
    "    part[at] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_inc(&part[in[get_global_id(0)] % get_local_size(0)]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (part[at])\n"
    "        atomic_add(&counts[at], part[at]);\n"
    "}\n";

enum { ITEMS = 16384, GROUP = 64, WIDTH = 48, HEIGHT = 20, MOST = GROUP - 1 };
static const float left = -2.1F, top = -1.15F, dx = 2.8F / WIDTH, dy = 2.3F / HEIGHT;

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int wrong;

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(2);
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_device_id device;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < 8; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
            return device;
    fputs("no OpenCL runtime has a GPU\n", stderr);
    exit(2);
}

static void build(cl_device_id device)
{
    cl_int status;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[8192];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    check(status, "clBuildProgram");
}

static cl_mem buffer(void *data, size_t bytes)
{
    cl_int status;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    check(status, "clCreateBuffer");
    return made;
}

struct argument {
    size_t bytes;
    const void *value; /* NULL: so much local memory */
};

/* Runs a kernel to its end, and reads `bytes` of `from` to `result`. */
static void run(const char *name, const struct argument *arguments, cl_uint count, const size_t size[2],
                const size_t *group, cl_mem from, void *result, size_t bytes)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    for (cl_uint i = 0; i < count; i++)
        check(clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, size[1] ? 2 : 1, NULL, size, group, 0, NULL, NULL), name);
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, result, 0, NULL, NULL), "clEnqueueReadBuffer");
    check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void compare(const char *name, const void *got, const void *want, size_t count, const char *of)
{
    size_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ += memcmp((const char *)got + 4 * i, (const char *)want + 4 * i, 4) != 0;
    printf("%-12s %6zu %-28s ", name, count, of);
    if (differ)
        printf("%zu WRONG\n", differ);
    else
        puts("right");
    wrong += differ != 0;
}

/* Kernels that take two floats and give one, which OpenCL wants exact. */
static void floats(const char *name, float (*of)(float, float), const char *what)
{
    static float a[ITEMS], b[ITEMS], got[ITEMS], want[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        a[i] = (float)i * 0.37F;
        b[i] = 1000.0F / (float)(i + 1);
        want[i] = of(a[i], b[i]);
    }
    cl_mem in = buffer(a, sizeof a), more = buffer(b, sizeof b), out = buffer(got, sizeof got);
    const struct argument arguments[] = {{sizeof in, &in}, {sizeof more, &more}, {sizeof out, &out}};
    run(name, arguments, 3, (const size_t[2]){ITEMS}, NULL, out, got, sizeof got);
    compare(name, got, want, ITEMS, what);
}

static float sum_of(float a, float b)
{
    return a + b;
}

static void reduce(void)
{
    static uint32_t data[ITEMS], got[ITEMS / GROUP], want[ITEMS / GROUP];
    for (uint32_t i = 0; i < ITEMS; i++) {
        data[i] = i * 2654435761U;
        want[i / GROUP] += data[i];
    }
    cl_mem in = buffer(data, sizeof data), out = buffer(got, sizeof got);
    const struct argument arguments[] = {{sizeof in, &in}, {sizeof out, &out}, {GROUP * 4, NULL}};
    run("reduce", arguments, 3, (const size_t[2]){ITEMS}, &(size_t){GROUP}, out, got, sizeof got);
    compare("reduce", got, want, ITEMS / GROUP, "sums in local memory");
}

static uint32_t steps_at(uint32_t column, uint32_t row)
{
    float cx = fmaf((float)column, dx, left), cy = fmaf((float)row, dy, top), x = 0, y = 0;
    uint32_t n = 0;
    while (n < MOST && fmaf(x, x, y * y) < 4) {
        float next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2 * x, y, cy);
        x = next;
        n++;
    }
    return n;
}

static char shade(uint32_t steps)
{
    int bits = 0;
    if (steps >= MOST)
        return steps == MOST ? '@' : '?';
    while (steps >> bits > 1)
        bits++;
    return " .:-=+"[bits];
}

static void mandelbrot(uint32_t got[HEIGHT * WIDTH])
{
    static uint32_t want[HEIGHT * WIDTH];
    for (uint32_t i = 0; i < HEIGHT * WIDTH; i++)
        want[i] = steps_at(i % WIDTH, i / WIDTH);
    cl_mem out = buffer(got, sizeof want);
    const struct argument arguments[] = {{sizeof out, &out}, {4, &left}, {4, &top},
                                         {4, &dx},           {4, &dy},   {4, &(uint32_t){MOST}}};
    run("mandelbrot", arguments, 6, (const size_t[2]){WIDTH, HEIGHT}, NULL, out, got, sizeof want);
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++)
            putchar(shade(got[row * WIDTH + column]));
        putchar('\n');
    }
    compare("mandelbrot", got, want, HEIGHT * WIDTH, "points of the picture");
}

static void histogram(uint32_t steps[HEIGHT * WIDTH])
{
    uint32_t got[GROUP] = {0}, want[GROUP] = {0};
    for (uint32_t i = 0; i < HEIGHT * WIDTH; i++)
        want[steps[i] % GROUP]++;
    cl_mem in = buffer(steps, HEIGHT * WIDTH * 4), out = buffer(got, sizeof got);
    const struct argument arguments[] = {{sizeof in, &in}, {sizeof out, &out}, {GROUP * 4, NULL}};
    run("histogram", arguments, 3, (const size_t[2]){HEIGHT * WIDTH}, &(size_t){GROUP}, out, got, sizeof got);
    compare("histogram", got, want, GROUP, "counts, by atomics");
}

int main(void)
{
    static uint32_t steps[HEIGHT * WIDTH];
    char name[128], version[128];
    cl_device_id device = find_device();
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL), "clGetDeviceInfo");
    printf("%s, %s\n", name, version);
    build(device);
    mandelbrot(steps);
    floats("vector_add", sum_of, "sums of floats");
    floats("remainders", fmodf, "remainders of floats");
    reduce();
    histogram(steps);
    puts(wrong ? "WRONG" : "all results are those of plain C");
    return wrong != 0;
}
