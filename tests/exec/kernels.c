/*
 * kernels FOLDER: the kernels of a corpus (FOLDER/k01_saxpy.cl to k07_math.cl, as they are) by whatever
 * OpenCL runtime there is, each result against plain C's: to the bit where OpenCL has no choice, else within
 * what it allows. Exit status 1: one is wrong; 2: no device. Runs on a GPU; where there is none, on the
 * processor (by pocl).
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096, GROUP = 256, SIDE = 48, STEPS = 200, GAP = 16, WIDTH = 8 };
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static const char *folder;
static int wrong;
enum { EVENTS = 16 };
static cl_event ran[EVENTS]; /* the last kernels */
static unsigned ran_count;

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(2);
}

static void find_device(void)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU};
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (int type = 0; type < 2; type++)
        for (cl_uint i = 0; i < count && i < 8; i++)
            if (clGetDeviceIDs(platforms[i], types[type], 1, &device, NULL) == CL_SUCCESS)
                return;
    fputs("no OpenCL runtime has a device\n", stderr);
    exit(2);
}

static cl_kernel kernel_of(const char *file, const char *name)
{
    static char source[8192], log[8192];
    const char *text = source;
    cl_int status;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.cl", folder, file);
    FILE *from = fopen(path, "r");
    if (!from) {
        perror(path);
        exit(2);
    }
    source[fread(source, 1, sizeof source - 1, from)] = 0;
    fclose(from);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    check(status, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    return kernel;
}

static cl_mem buffer(void *data, size_t bytes)
{
    cl_int status;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    check(status, "clCreateBuffer");
    return made;
}

/* An argument of `bytes`; without a value, so much local memory. */
static void argument(cl_kernel kernel, cl_uint at, size_t bytes, const void *value)
{
    check(clSetKernelArg(kernel, at, bytes, value), "clSetKernelArg");
}

static void read_back(cl_mem from, void *to, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

static void run(cl_kernel kernel, cl_uint dimensions, const size_t *first, const size_t *items,
                const size_t *group)
{
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, first, items, group, 0, NULL,
                                 &ran[ran_count++ % EVENTS]),
          "clEnqueueNDRangeKernel");
}

static void tell(const char *name, size_t differ, size_t count, const char *what)
{
    printf("%-10s %6zu %-44s ", name, count, what);
    if (differ)
        printf("%zu WRONG\n", differ);
    else
        puts("right");
    wrong += differ != 0;
}

static size_t differ_words(const void *got, const void *want, size_t count)
{
    size_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ += memcmp((const char *)got + 4 * i, (const char *)want + 4 * i, 4) != 0;
    return differ;
}

static void saxpy(void)
{
    static float x[ITEMS], y[ITEMS], got[ITEMS];
    const float a = 1.7F;
    for (int i = 0; i < ITEMS; i++) {
        x[i] = (float)i * 0.37F - 500;
        y[i] = 1000.0F / (float)(i + 1);
    }
    cl_kernel kernel = kernel_of("k01_saxpy", "saxpy");
    cl_mem in = buffer(x, sizeof x), out = buffer(y, sizeof y);
    argument(kernel, 0, sizeof in, &in);
    argument(kernel, 1, sizeof out, &out);
    argument(kernel, 2, sizeof a, &a);
    run(kernel, 1, NULL, (const size_t[]){ITEMS}, NULL);
    read_back(out, got, sizeof got);
    size_t differ = 0;
    for (int i = 0; i < ITEMS; i++) {
        float product = a * x[i];
        differ += got[i] != product + y[i] && got[i] != fmaf(a, x[i], y[i]); /* either is allowed */
    }
    tell("saxpy", differ, ITEMS, "sums of products");
}

static void reduce(void)
{
    static int32_t x[ITEMS], got[ITEMS / GROUP], want[ITEMS / GROUP];
    for (int i = 0; i < ITEMS; i++) {
        x[i] = i * 7919 % 10007 - 5000;
        want[i / GROUP] += x[i];
    }
    cl_kernel kernel = kernel_of("k02_reduce", "reduce");
    cl_mem in = buffer(x, sizeof x), out = buffer(got, sizeof got);
    argument(kernel, 0, sizeof in, &in);
    argument(kernel, 1, sizeof out, &out);
    argument(kernel, 2, GROUP * 4, NULL);
    run(kernel, 1, NULL, (const size_t[]){ITEMS}, (const size_t[]){GROUP});
    read_back(out, got, sizeof got);
    tell("reduce", differ_words(got, want, ITEMS / GROUP), ITEMS / GROUP, "sums of groups");
}

/* A compiler may make one rounding of x * x + y: points where that changes the count are few. */
static void mandel(void)
{
    static uint8_t got[SIDE * SIDE][4];
    const float x0 = -2.1F, y0 = -1.2F, dx = 0.05F;
    const int width = SIDE, most = STEPS;
    size_t odd = 0, other = 0;
    cl_kernel kernel = kernel_of("k03_mandel", "mandel");
    cl_mem out = buffer(got, sizeof got);
    argument(kernel, 0, sizeof out, &out);
    argument(kernel, 1, 4, &x0);
    argument(kernel, 2, 4, &y0);
    argument(kernel, 3, 4, &dx);
    argument(kernel, 4, 4, &width);
    argument(kernel, 5, 4, &most);
    run(kernel, 2, NULL, (const size_t[]){SIDE, SIDE}, NULL);
    read_back(out, got, sizeof got);
    for (int at = 0; at < SIDE * SIDE; at++) {
        float cx = x0 + (float)(at % SIDE) * dx, cy = y0 + (float)(at / SIDE) * dx, x = 0, y = 0;
        int i = 0;
        for (; i < STEPS && x * x + y * y <= 4; i++) {
            float next = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = next;
        }
        odd += got[at][1] != (uint8_t)(got[at][0] * 3) || got[at][2] != (uint8_t)(got[at][0] * 7) ||
               got[at][3] != 255;
        other += got[at][0] != i;
    }
    tell("mandel", odd + (other > SIDE * SIDE / 50 ? other : 0), SIDE * SIDE,
         "points, 2 % by another rounding");
}

static void hist(void)
{
    static uint8_t in[ITEMS];
    static uint32_t got[260], want[260];
    uint32_t most = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        in[i] = (uint8_t)(i * i >> 4);
        want[in[i]]++;
    }
    for (int group = 0; group < ITEMS / GROUP; group++) {
        uint32_t of_group[256] = {0};
        for (int i = 0; i < GROUP; i++)
            if (++of_group[in[group * GROUP + i]] > most)
                most = of_group[in[group * GROUP + i]];
    }
    want[256] = 7;
    want[257] = most;
    cl_kernel kernel = kernel_of("k04_atomics", "hist");
    cl_mem from = buffer(in, sizeof in), counts = buffer(got, sizeof got);
    argument(kernel, 0, sizeof from, &from);
    argument(kernel, 1, sizeof counts, &counts);
    argument(kernel, 2, 256 * 4, NULL);
    run(kernel, 1, NULL, (const size_t[]){ITEMS}, (const size_t[]){GROUP});
    read_back(counts, got, sizeof got);
    tell("hist", differ_words(got, want, 258) + (got[258] >= GROUP), 259,
         "counts by atomics, in local memory first");
}

static void fcas(void)
{
    static float x[ITEMS];
    float got = 0, want = 0;
    for (int i = 0; i < ITEMS; i++) {
        x[i] = (float)(i % 97);
        want += x[i];
    }
    cl_kernel kernel = kernel_of("k04_atomics", "fcas");
    cl_mem sum = buffer(&got, sizeof got), in = buffer(x, sizeof x);
    argument(kernel, 0, sizeof sum, &sum);
    argument(kernel, 1, sizeof in, &in);
    run(kernel, 1, NULL, (const size_t[]){ITEMS}, NULL);
    read_back(sum, &got, sizeof got);
    tell("fcas", got != want, ITEMS, "floats summed by compare and exchange");
}

static cl_mem image(cl_channel_type type, cl_mem_flags flags, void *data, size_t row_bytes)
{
    const cl_image_format format = {CL_RGBA, type};
    const cl_image_desc is = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = SIDE,
                              .image_height = SIDE,
                              .image_row_pitch = row_bytes};
    cl_int status;
    cl_mem made = clCreateImage(context, flags, &format, &is, data, &status);
    check(status, "clCreateImage");
    return made;
}

static float texel(uint8_t a[SIDE][SIDE][4], int x, int y, int channel)
{
    x = x < 0 ? 0 : x >= SIDE ? SIDE - 1 : x;
    y = y < 0 ? 0 : y >= SIDE ? SIDE - 1 : y;
    return (float)a[y][x][channel] / 255;
}

/* Linear, repeated at the edge; hardware's fractions have 8 bits, so that a weight is off by 1/512 in each
 * direction. */
static void img(void)
{
    static uint8_t a[SIDE][SIDE][4], c[SIDE][SIDE][4];
    static float got[SIDE][SIDE][4];
    const float scale = 0.0171F;
    const size_t zero[3] = {0}, all[3] = {SIDE, SIDE, 1};
    size_t differ = 0;
    for (int i = 0; i < SIDE * SIDE * 4; i++) {
        (&a[0][0][0])[i] = (uint8_t)(i * 37 >> 3);
        (&c[0][0][0])[i] = (uint8_t)(i * 91 >> 4);
    }
    cl_kernel kernel = kernel_of("k05_image", "img");
    cl_mem filtered = image(CL_UNORM_INT8, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, a, SIDE * 4);
    cl_mem whole = image(CL_UNSIGNED_INT8, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, c, SIDE * 4);
    cl_mem out = image(CL_FLOAT, CL_MEM_WRITE_ONLY, NULL, 0);
    argument(kernel, 0, sizeof filtered, &filtered);
    argument(kernel, 1, sizeof whole, &whole);
    argument(kernel, 2, sizeof out, &out);
    argument(kernel, 3, sizeof scale, &scale);
    run(kernel, 2, NULL, (const size_t[]){SIDE, SIDE}, NULL);
    check(clEnqueueReadImage(queue, out, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL), "clEnqueueReadImage");
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float u = (float)x * scale * SIDE - 0.5F, v = (float)y * scale * SIDE - 0.5F, s = u - floorf(u),
                  t = v - floorf(v);
            int i = (int)floorf(u), j = (int)floorf(v);
            for (int channel = 0; channel < 4; channel++) {
                float of[4] = {texel(a, i, j, channel), texel(a, i + 1, j, channel),
                               texel(a, i, j + 1, channel), texel(a, i + 1, j + 1, channel)};
                float least = fminf(fminf(of[0], of[1]), fminf(of[2], of[3])),
                      most = fmaxf(fmaxf(of[0], of[1]), fmaxf(of[2], of[3]));
                float want = (1 - t) * ((1 - s) * of[0] + s * of[1]) + t * ((1 - s) * of[2] + s * of[3]);
                float error = fabsf(got[y][x][channel] - want - (float)c[y][x][channel] / 255);
                differ += !(error <= (most - least) / 128 + 1e-5F);
            }
        }
    tell("img", differ, SIDE * SIDE * 4, "channels of an image filtered");
}

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static void md(void)
{
    static uint32_t in[ITEMS], got[ITEMS / 4], want[ITEMS / 4];
    for (uint32_t i = 0; i < ITEMS; i++)
        in[i] = i * 2654435761U ^ i << 9;
    for (int g = 0; g < ITEMS / 16; g++) {
        const uint32_t *w = in + g * 16;
        uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t f = (b & c) | (~b & d), next = d, leading = a ? (uint32_t)__builtin_clz(a) : 32;
            if (i >= 16)
                f = ((c & ~d) | (b & d)) ^ (uint32_t)__builtin_popcount(w[i - 16]) ^ leading;
            d = c;
            c = b;
            b += i < 16 ? rotate(a + f + w[i] + 0xd76aa478U * i, 7)
                        : rotate(a + f + w[(5 * (i - 16) + 1) & 15], 5);
            a = next;
        }
        memcpy(want + g * 4, (uint32_t[]){a, b, c, d}, 16);
    }
    cl_kernel kernel = kernel_of("k06_md5ish", "md");
    cl_mem from = buffer(in, sizeof in), out = buffer(got, sizeof got);
    argument(kernel, 0, sizeof from, &from);
    argument(kernel, 1, sizeof out, &out);
    run(kernel, 1, NULL, (const size_t[]){ITEMS / 16}, NULL);
    read_back(out, got, sizeof got);
    tell("md", differ_words(got, want, ITEMS / 4), ITEMS / 4, "words of hashes");
}

/* Of the native functions OpenCL promises nothing; Intel's have about 2^-20 of their value, sine and cosine
 * of 1. */
static void mathf(void)
{
    static float x[ITEMS], got[ITEMS];
    size_t differ = 0;
    for (int i = 0; i < ITEMS; i++)
        x[i] = 0.25F + (float)i * 0.00171F;
    cl_kernel kernel = kernel_of("k07_math", "mathf");
    cl_mem in = buffer(x, sizeof x), out = buffer(got, sizeof got);
    argument(kernel, 0, sizeof in, &in);
    argument(kernel, 1, sizeof out, &out);
    run(kernel, 1, NULL, (const size_t[]){ITEMS}, NULL);
    read_back(out, got, sizeof got);
    for (int i = 0; i < ITEMS; i++) {
        double v = x[i], power = pow(v, 1.5), large = fabs(sin(v)) * pow(v, (double)2.3F), exp = exp2(v);
        double want = sin(v) + cos(v) + exp + log2(v) + sqrt(v) + 1 / sqrt(v) + 1 / v + power +
                      sin(v) * pow(v, (double)2.3F) + v / (v + 1) + fmod(v, (double)0.3F) + floor(v) +
                      rint(v) + trunc(v) + ceil(v);
        differ += !(fabs((double)got[i] - want) <= 2e-6 * (exp + power + large + 40));
    }
    tell("mathf", differ, ITEMS, "sums of functions");
}

/* An item reads what the next two write: so few at once that they are one thread's, which reads first. */
static void idiv(void)
{
    static int32_t x[ITEMS], y[ITEMS], got_y[ITEMS];
    static uint32_t z[ITEMS], got_z[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        x[i] = (int32_t)(i * 2654435761U) >> i % 24;
        z[i] = (i * 2246822519U ^ i) >> i % 19;
    }
    cl_kernel kernel = kernel_of("k07_math", "idiv");
    cl_mem in = buffer(x, sizeof x), quotients = buffer(y, sizeof y), mixed = buffer(z, sizeof z);
    argument(kernel, 0, sizeof in, &in);
    argument(kernel, 1, sizeof quotients, &quotients);
    argument(kernel, 2, sizeof mixed, &mixed);
    for (size_t first = 0; first + GAP <= ITEMS; first += GAP) {
        run(kernel, 1, &first, (const size_t[]){WIDTH}, (const size_t[]){WIDTH});
        for (size_t i = first; i < first + WIDTH; i++) {
            int32_t by = x[i + 1] | 1, rest = x[i + 2] | 1;
            y[i] = (int32_t)((int64_t)x[i] / by + (int64_t)x[i] % rest);
            z[i] = z[i] / (z[i + 1] | 1) + (uint32_t)((uint64_t)z[i] * z[i + 2] >> 32) + (uint32_t)x[i] * 3;
        }
    }
    read_back(quotients, got_y, sizeof got_y);
    read_back(mixed, got_z, sizeof got_z);
    tell("idiv", differ_words(got_y, y, ITEMS) + differ_words(got_z, z, ITEMS), 2 * ITEMS,
         "integers divided");
}

/* The device's times among those of the program. */
static void times(void)
{
    size_t differ = 0;
    for (unsigned i = 0; i < EVENTS && i < ran_count; i++) {
        cl_ulong at[4] = {0};
        for (unsigned of = 0; of < 4; of++)
            check(
                clGetEventProfilingInfo(ran[i], CL_PROFILING_COMMAND_QUEUED + of, sizeof *at, &at[of], NULL),
                "clGetEventProfilingInfo");
        differ += at[0] > at[1] || at[1] > at[2] || at[2] > at[3];
    }
    tell("times", differ, EVENTS, "queued, submitted, started and ended in this order");
}

int main(int argc, char **argv)
{
    static void (*const all[])(void) = {saxpy, reduce, mandel, hist, fcas, img, md, mathf, idiv, times};
    char name[128], version[128];
    cl_int status;
    if (argc != 2) {
        fputs("usage: kernels FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    find_device();
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL), "clGetDeviceInfo");
    printf("%s, %s\n", name, version);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]();
    puts(wrong ? "WRONG" : "all results are those of plain C");
    return wrong != 0;
}
