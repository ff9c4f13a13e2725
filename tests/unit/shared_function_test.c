/* Messages of threads at the data ports, the load and store units and the gateway, as the manuals and the
 * facts of compilers give their descriptors and payloads: of every instruction set, without an interpreter.
 */
#include "../suite.h"
#include "message_lab.h"

enum { SIMD16 = 1 << 4, SIMD8 = 2 << 4, STATELESS = 255, LOCAL = 254 };
enum { KB = 1024, FILLED_BYTES = 64 * KB };

/* Registers and memory that a message leaves alone. */
static const uint32_t untouched = 0xeeeeeeee, background = 0x55555555;

static void fill(struct lab *l)
{
    for (unsigned i = 0; i < FILLED_BYTES; i++)
        l->s->memory[BYTES + i] = (uint8_t)(i * 7u + (i >> 8) * 3u);
    for (unsigned i = 0; i < LOCAL_BYTES; i++)
        l->b->slm[i] = (uint8_t)(i * 5u + 1u);
}

static uint32_t at32(const void *bytes, uint64_t offset)
{
    uint32_t v;
    memcpy(&v, (const uint8_t *)bytes + offset, 4);
    return v;
}

/* ---- Untyped ---- */

static void untyped_reads(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        fill(&l);
        put_buffer(&l, 3, BYTES, 1000);
        for (unsigned way = 0; way < 3; way++)
            for (unsigned mask = 0; mask < 15; mask++)
                for (unsigned wide = 0; wide < 2; wide++) {
                    const unsigned n = wide ? 16 : 8, components = 4u - (unsigned)__builtin_popcount(mask);
                    const uint8_t *const from = way == 1 ? l.b->slm : l.s->memory + BYTES;
                    const uint32_t channels = 0xa5e7u & ((1u << n) - 1u);
                    memset(l.grf, (uint8_t)untouched, sizeof l.grf);
                    for (unsigned c = 0; c < n; c++)
                        dw(&l, c / 8)[c % 8] = c * 60u + (way == 2   ? BYTES - GENERAL
                                                          : way == 1 ? (c & 1u) << 28 /* does not count */
                                                                     : 0);
                    assert_int_equal(ask(&l, SFID_DC1,
                                         port(1, mask | (wide ? SIMD16 : SIMD8),
                                              way == 0   ? 3
                                              : way == 1 ? LOCAL
                                                         : STATELESS),
                                         0, n / 8, 0, components * n / 8, n, channels),
                                     EU_SENT);
                    for (unsigned i = 0, to = 0; i < 4; i++) {
                        if (mask >> i & 1u)
                            continue;
                        for (unsigned c = 0; c < n; c++) {
                            const uint32_t offset = c * 60u + i * 4u,
                                           found = dw(&l, 32 + to * n / 8 + c / 8)[c % 8];
                            const bool inside = way != 0 || offset + 4 <= 1000;
                            assert_int_equal(found, !(channels >> c & 1u) ? untouched
                                                    : inside              ? at32(from, offset)
                                                                          : 0);
                        }
                        to++;
                    }
                }
        lab_end(&l);
    }
}

/* SIMD4x2: each half of a register is a vertex, with an address in its first dword and four dwords of data;
 * of Gen7.5, and reads also of Gen7. (Mesa, brw_vec4: emit_untyped_read) */
static void untyped_vertices(void **state)
{
    (void)state;
    static const char *const earlier[] = {"ivb", "hsw"};
    enum { HSW = 1, WRITE = 9, ATOMIC = 3, ADD = 7, RETURNS = 1 << 13 };
    static const uint32_t channels[] = {0xff, 0x0f, 0xf0};
    for (unsigned d = 0; d < 2; d++)
        for (unsigned mask = 0; mask < 15; mask++)
            for (unsigned n = 0; n < 3; n++) {
                struct lab l;
                const bool is_hsw = d == HSW;
                lab_begin(&l, earlier[d]);
                fill(&l);
                memset(l.grf, (uint8_t)untouched, sizeof l.grf);
                for (unsigned v = 0; v < 2; v++)
                    dw(&l, 0)[v * 4] = BYTES - GENERAL + v * 60u;
                assert_int_equal(ask(&l, is_hsw ? SFID_DC1 : SFID_DC0, port(is_hsw ? 1 : 5, mask, STATELESS),
                                     0, 1, 0, 1, 8, channels[n]),
                                 EU_SENT);
                for (unsigned v = 0; v < 2; v++)
                    for (unsigned c = 0; c < 4; c++)
                        assert_int_equal(dw(&l, 32)[v * 4 + c],
                                         mask >> c & 1u || !(channels[n] >> v * 4 & 1u)
                                             ? untouched
                                             : at32(l.s->memory + BYTES, v * 60u + c * 4u));
                for (unsigned i = 0; i < 8; i++)
                    dw(&l, 1)[i] = 0xab00u + i;
                if (is_hsw) {
                    uint32_t before[2][4];
                    for (unsigned v = 0; v < 2; v++)
                        memcpy(before[v], l.s->memory + BYTES + v * 60u, sizeof before[v]);
                    assert_int_equal(
                        ask(&l, SFID_DC1, port(WRITE, mask, STATELESS), 0, 2, 0, 0, 8, channels[n]), EU_SENT);
                    for (unsigned v = 0; v < 2; v++)
                        for (unsigned c = 0; c < 4; c++)
                            assert_int_equal(at32(l.s->memory + BYTES, v * 60u + c * 4u),
                                             mask >> c & 1u || !(channels[n] >> v * 4 & 1u)
                                                 ? before[v][c]
                                                 : 0xab00u + v * 4 + c);
                    for (unsigned v = 0; v < 2; v++)
                        memcpy(before[v], l.s->memory + BYTES + v * 60u, sizeof before[v]);
                    memset(l.grf[32], (uint8_t)untouched, sizeof l.grf[32]);
                    assert_int_equal(ask(&l, SFID_DC1, port(ATOMIC, ADD | RETURNS >> 8, STATELESS), 0, 2, 0,
                                         1, 8, channels[n] & 0x11u),
                                     EU_SENT);
                    for (unsigned v = 0; v < 2; v++) {
                        const bool on = channels[n] >> v * 4 & 1u;
                        assert_int_equal(dw(&l, 32)[v * 4], on ? before[v][0] : untouched);
                        assert_int_equal(dw(&l, 32)[v * 4 + 1], untouched);
                        assert_int_equal(at32(l.s->memory + BYTES, v * 60u),
                                         before[v][0] + (on ? 0xab00u + v * 4 : 0));
                    }
                }
                lab_end(&l);
            }
}

static void untyped_writes(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_buffer(&l, 1, BYTES, 256);
        for (unsigned split = 0; split < 2; split++) {
            memset(l.s->memory + BYTES, 0x11, 512);
            for (unsigned c = 0; c < 16; c++) {
                dw(&l, c / 8)[c % 8] = c * 20u;
                dw(&l, 2 + c / 8)[c % 8] = 1000u + c;
                dw(&l, 4 + c / 8)[c % 8] = 2000u + c;
            }
            /* x and z; data in the first payload, or in the second */
            assert_int_equal(ask(&l, SFID_DC1, port(9, 0xa | SIMD16, 1), 0, split ? 2 : 6, split ? 4 : 0, 0,
                                 16, INT16_MAX),
                             EU_SENT);
            for (unsigned at = 0; at < 512; at += 4) {
                const unsigned c = at / 20u, part = at % 20u;
                uint32_t wanted = 17 * (UINT32_MAX / 255);
                if (c < 15 && at + 4 <= 256)
                    wanted = part == 0 ? 1000u + c : part == 8 ? 2000u + c : wanted;
                assert_int_equal(dword_at(l.s, BYTES + at), wanted);
            }
        }
        lab_end(&l);
    }
}

/* ---- Addresses of 64 bits ---- */

static void put_addresses(struct lab *l, unsigned n, uint64_t base, unsigned stride)
{
    for (unsigned c = 0; c < n; c++) {
        const uint64_t address = base + c * stride;
        memcpy(l->grf[c / 4] + c % 4 * 8, &address, 8);
    }
}

static void flat_accesses(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        fill(&l);
        put_addresses(&l, 8, BYTES, 52);
        assert_int_equal(ask(&l, SFID_DC1, port(0x11, 0xc | SIMD8, 255), 0, 2, 0, 2, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            for (unsigned i = 0; i < 2; i++)
                assert_int_equal(dw(&l, 32 + i)[c], dword_at(l.s, BYTES + c * 52 + i * 4));
        /* gathers: bytes of each size, two dwords, a qword */
        for (unsigned size = 0; size < 3; size++) {
            assert_int_equal(ask(&l, SFID_DC1, port(0x10, size << 2, 255), 0, 2, 0, 1, 8, 0xff), EU_SENT);
            for (unsigned c = 0; c < 8; c++)
                assert_int_equal(dw(&l, 32)[c],
                                 dword_at(l.s, BYTES + c * 52) & (UINT32_MAX >> (32u - (8u << size))));
        }
        assert_int_equal(ask(&l, SFID_DC1, port(0x10, 1 | 1 << 2, 255), 0, 2, 0, 2, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            for (unsigned i = 0; i < 2; i++)
                assert_int_equal(dw(&l, 32 + i)[c], dword_at(l.s, BYTES + c * 52 + i * 4));
        put_addresses(&l, 16, BYTES, 24);
        assert_int_equal(ask(&l, SFID_DC1, port(0x10, 2 | 1 << 4, 255), 0, 4, 0, 4, 16, UINT16_MAX), EU_SENT);
        for (unsigned c = 0; c < 16; c++)
            assert_true(at32(l.grf[32 + c / 4], c % 4 * 8) == dword_at(l.s, BYTES + c * 24) &&
                        at32(l.grf[32 + c / 4], c % 4 * 8 + 4) == dword_at(l.s, BYTES + c * 24 + 4));
        /* scatters */
        for (unsigned c = 0; c < 8; c++)
            dw(&l, 2)[c] = (192u << 24) + c;
        put_addresses(&l, 8, BYTES + 4 * KB + 1, 5);
        memset(l.s->memory + BYTES + 4 * KB, 0, 64);
        assert_int_equal(ask(&l, SFID_DC1, port(0x1a, 1 << 2, 255), 0, 3, 0, 0, 8, 0x7f), EU_SENT);
        for (unsigned at = 0; at < 64; at++) {
            const unsigned c = (at - 1u) / 5u, part = (at - 1u) % 5u;
            assert_int_equal(l.s->memory[BYTES + 4 * KB + at], at && c < 7 && part == 0 ? c : 0);
        }
        lab_end(&l);
    }
}

/* ---- Channels at equal distances ---- */

/* Where a message of untyped elements goes, and what it is to find or to leave there. */
struct spread {
    unsigned way; /* SPREAD_ */
    bool writes;
    unsigned channels, mask; /* those left out */
    uint32_t on, start, step;
};
enum { SPREAD_INDEX, SPREAD_LOCAL, SPREAD_FLAT, SPREADS };
enum { SPREAD_BYTES = 12 * KB, SPREAD_END = 8 * KB - 40 };

/* Where an element is, and how much of it is in bounds. */
static unsigned spread_at(const struct spread *p, unsigned channel, unsigned i, uint64_t *at)
{
    const uint64_t offset = p->way == SPREAD_FLAT
                                ? p->start + (uint64_t)(int64_t)(int32_t)p->step * channel + i * 4u
                                : (uint64_t)(uint32_t)(p->start + p->step * channel) + i * 4u,
                   end = p->way == SPREAD_LOCAL   ? LOCAL_BYTES
                         : p->way == SPREAD_INDEX ? SPREAD_END
                                                  : UINT64_MAX;
    *at = p->way == SPREAD_LOCAL ? offset & UINT16_MAX : offset;
    return *at >= end ? 0 : end - *at < 4 ? (unsigned)(end - *at) : 4;
}

static void spread_ask(struct lab *l, const struct spread *p)
{
    const unsigned in_address = p->way == SPREAD_FLAT ? 4 : 8, n = p->channels,
                   address_registers = n / in_address,
                   components = 4u - (unsigned)__builtin_popcount(p->mask), data = components * n / 8;
    static uint8_t wanted[SPREAD_BYTES];
    uint8_t *const memory = p->way == SPREAD_LOCAL ? l->b->slm : l->s->memory + BYTES;
    const size_t size = p->way == SPREAD_LOCAL ? LOCAL_BYTES : SPREAD_BYTES;
    const uint32_t kind = (p->way == SPREAD_FLAT ? 0x11u : 1u) + (p->writes ? 8u : 0u);
    memset(l->grf, (uint8_t)untouched, sizeof l->grf);
    for (unsigned c = 0; c < n; c++)
        if (p->way == SPREAD_FLAT) {
            const uint64_t address = BYTES + p->start + (uint64_t)(int64_t)(int32_t)p->step * c;
            memcpy(l->grf[c / 4] + c % 4 * 8, &address, 8);
        } else {
            dw(l, c / 8)[c % 8] = p->start + p->step * c;
        }
    for (unsigned i = 0; p->writes && i < components; i++)
        for (unsigned c = 0; c < n; c++)
            dw(l, address_registers + i * n / 8 + c / 8)[c % 8] = 0xc0000000u + i * 0x10101u + c * 0x7000u;
    memcpy(wanted, memory, size);
    uint32_t response[4][16];
    memset(response, 0xee, sizeof response);
    uint64_t stored = 0, at;
    for (unsigned i = 0, which = 0; i < 4; i++) {
        if (p->mask >> i & 1u)
            continue;
        for (unsigned c = 0; c < n; c++) {
            if (!(p->on >> c & 1u))
                continue;
            const unsigned there = spread_at(p, c, i, &at);
            if (!p->writes)
                response[which][c] = 0;
            if (there && p->writes)
                memcpy(wanted + at, &dw(l, address_registers + which * n / 8 + c / 8)[c % 8], there);
            else if (there)
                memcpy(&response[which][c], memory + at, there);
            stored += p->writes && there && p->way != SPREAD_LOCAL;
        }
        which++;
    }
    struct engine *const e = l->b->engine;
    const uint64_t before = e->totals.memory.stores;
    assert_int_equal(ask(l, SFID_DC1,
                         port(kind, p->mask | (n == 16 ? SIMD16 : SIMD8), p->way == SPREAD_LOCAL ? LOCAL : 3),
                         0, address_registers + (p->writes ? data : 0), 0, p->writes ? 0 : data, n, p->on),
                     EU_SENT);
    assert_int_equal(e->totals.memory.stores - before, stored);
    assert_int_equal(l->b->work.memory_accesses, (unsigned)__builtin_popcount(p->on) * components);
    assert_memory_equal(memory, wanted, size);
    for (unsigned i = 0; !p->writes && i < components; i++)
        for (unsigned c = 0; c < n; c++)
            assert_int_equal(dw(l, 32 + i * n / 8 + c / 8)[c % 8], response[i][c]);
}

/* Elements side by side, apart, in each other and backwards, with pages that end among them, bounds that do,
 * and pages that are asked for first: each is what it is by itself, and of two the later one stays. */
static void equal_distances(void **state)
{
    (void)state;
    static const uint32_t starts[] = {0,     4,      0x800,  0xfc0,  0xfd2,  0xff0,
                                      0xffc, 0x1eec, 0x1f98, 0x1fc8, 0xfff0, 0xffffffe0},
                          steps[] = {0, 2, 4, 6, 8, 12, 16, 20, 64, 252, 1028, -4u, -16u};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_buffer(&l, 3, BYTES, SPREAD_END);
        for (unsigned way = 0; way < SPREADS; way++)
            for (unsigned n = 0; n < sizeof starts / sizeof *starts; n++) {
                fill(&l);
                for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++)
                    for (unsigned mask = 0; mask < 15; mask++)
                        for (unsigned bits = 0; bits < 16; bits++) {
                            const unsigned channels = bits & 1u && way != SPREAD_FLAT ? 16 : 8;
                            const struct spread p = {.way = way,
                                                     .writes = bits & 2u,
                                                     .channels = channels,
                                                     .mask = mask,
                                                     .on = (1u << channels) - (bits & 4u ? 2u : 1u),
                                                     .start = starts[n],
                                                     .step = steps[k]};
                            if (way == SPREAD_FLAT && (starts[n] > 4 * KB || starts[n] < 256))
                                continue; /* within what is compared */
                            if (mask % 4 && bits & 4u)
                                continue; /* enough */
                            if (bits & 8u)
                                mmu_invalidate(&l.b->engine->mmu);
                            spread_ask(&l, &p);
                        }
            }
        lab_end(&l);
    }
}

/* A page that is not there ends a message where its channels come to it, one element after the other. */
static void ends_at_a_page(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned writes = 0; writes < 2; writes++) {
            struct lab l;
            struct translation t;
            uint64_t end = BYTES;
            lab_begin(&l, *name);
            struct mmu *const u = &l.b->engine->mmu;
            while (end < ABSENT && mmu_translate(u, SPACE_PPGTT, end, &t))
                end += PAGE_BYTES;
            uint8_t *const memory = mmu_host(u, SPACE_PPGTT, end - 64, true);
            assert_non_null(memory);
            memset(memory, 0x55, 64);
            memset(l.grf, (uint8_t)untouched, sizeof l.grf);
            put_addresses(&l, 8, end - 64, 16);
            const uint64_t faults = u->faults;
            assert_int_equal(ask(&l, SFID_DC1, port(writes ? 0x19 : 0x11, SIMD8, 255), 0, writes ? 6 : 2, 0,
                                 writes ? 0 : 4, 8, 0xff),
                             EU_SEND_FAULT);
            assert_int_equal(u->faults, faults + 1);
            for (unsigned c = 0; c < 8; c++) {
                assert_int_equal(dw(&l, 32)[c], writes || c > 4 ? untouched : c < 4 ? background : 0);
                assert_int_equal(dw(&l, 33)[c], untouched);
            }
            for (unsigned at = 0; at < 64; at += 4)
                assert_int_equal(at32(memory, at), writes && at % 16 == 0 ? untouched : background);
            lab_end(&l);
        }
}

/* What an index names is what is there now: its entry changes, its state does, its page is another one. */
static void index_changes(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        fill(&l);
        put_buffer(&l, 3, BYTES, 256);
        put_buffer(&l, 4, BYTES + KB, 256);
        uint32_t offset = 0;
        for (unsigned way = 0; way < 8; way++) {
            if (way == 1 || way == 2) {
                dword_put(l.s, TABLE + 12, 64u * (way == 1 ? 5 : 4));
                another_slice(&l);
            }
            if (way == 3 || way == 4) {
                dword_put(l.s, SURFACES + 64u * 4u + 32, BYTES + (way == 3 ? 2 * KB : 0));
                l.b->engine->totals.memory.stores++; /* as if a message did it */
            }
            if (way == 5)
                l.b->kernel.surface_state_base += 64; /* the next one */
            if (way == 6) {
                l.b->kernel.surface_state_base -= 64;
                l.b->kernel.binding_table += 4;
            }
            if (way == 7) {
                l.b->kernel.binding_table -= 4;
                mmu_invalidate(&l.b->engine->mmu);
            }
            offset = way == 1 || way == 5 || way == 6 ? KB : way == 3 ? 2 * KB : 0;
            for (unsigned again = 0; again < 2; again++) {
                for (unsigned c = 0; c < 8; c++)
                    dw(&l, 0)[c] = c * 4;
                assert_int_equal(ask(&l, SFID_DC1, port(1, 0xe | SIMD8, 3), 0, 1, 0, 1, 8, 0xff), EU_SENT);
                for (unsigned c = 0; c < 8; c++)
                    assert_int_equal(dw(&l, 32)[c], dword_at(l.s, BYTES + offset + c * 4));
            }
        }
        lab_end(&l);
    }
}

/* ---- Scattered ---- */

static void scattered(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        fill(&l);
        put_buffer(&l, 0, BYTES, 64);
        for (unsigned size = 0; size < 3; size++) {
            for (unsigned c = 0; c < 16; c++)
                dw(&l, c / 8)[c % 8] = c * 4u + 1u;
            assert_int_equal(ask(&l, SFID_DC0, port(4, 1 | size << 2, 0), 0, 2, 0, 2, 16, UINT16_MAX),
                             EU_SENT);
            for (unsigned c = 0; c < 16; c++) { /* of the last one's four three are in bounds */
                uint32_t want = 0;
                memcpy(&want, l.s->memory + BYTES + c * 4 + 1, c == 15 && size == 2 ? 3 : 1u << size);
                assert_int_equal(dw(&l, 32 + c / 8)[c % 8], want);
            }
        }
        /* and so of what is written: behind the end all stays */
        for (unsigned c = 0; c < 16; c++) {
            dw(&l, c / 8)[c % 8] = 49u + c;
            dw(&l, 2 + c / 8)[c % 8] = 153 * (UINT32_MAX / 255);
        }
        uint8_t wanted[128];
        memcpy(wanted, l.s->memory + BYTES, sizeof wanted);
        memset(wanted + 61, 0x99, 3);
        assert_int_equal(ask(&l, SFID_DC0, port(0xc, 1 | 2 << 2, 0), 0, 4, 0, 0, 16, 0xf000), EU_SENT);
        assert_memory_equal(l.s->memory + BYTES, wanted, sizeof wanted);
        /* qwords, of which one is half behind the end: the first half is there */
        put_buffer(&l, 1, BYTES, 60);
        for (unsigned c = 0; c < 8; c++)
            dw(&l, 0)[c] = c;
        assert_int_equal(ask(&l, SFID_DC0, port(5, 0, 1), 0, 1, 0, 2, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            for (unsigned half = 0; half < 2; half++)
                assert_int_equal(dw(&l, 32 + c / 4)[c % 4 * 2 + half],
                                 c < 7 || !half ? dword_at(l.s, BYTES + c * 8 + half * 4) : 0);
        for (unsigned c = 0; c < 8; c++) {
            dw(&l, 0)[c] = 3u * c;
            dw(&l, 1)[c] = 500u + c;
        }
        /* dwords: offsets are of dwords */
        assert_int_equal(ask(&l, SFID_DC0, port(0xb, 2, 0), 0, 2, 0, 0, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            if (c * 12 + 4 <= 64)
                assert_int_equal(dword_at(l.s, BYTES + c * 12), 500u + c);
        assert_int_equal(dword_at(l.s, BYTES + 72) & 0xff, (uint8_t)(72 * 7)); /* past the end: dropped */
        assert_int_equal(ask(&l, SFID_DC0, port(3, 2, 0), 0, 1, 0, 1, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            assert_int_equal(dw(&l, 32)[c], c * 12 + 4 <= 64 ? 500u + c : 0);
        lab_end(&l);
    }
}

/* ---- Blocks ---- */

static void blocks(void **state)
{
    (void)state;
    static const unsigned owords[6] = {1, 1, 2, 4, 8, 16};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        fill(&l);
        put_buffer(&l, 2, BYTES, 4 * KB);
        for (unsigned size = 0; size < 6; size++)
            for (unsigned unaligned = 0; unaligned < 2; unaligned++) {
                const unsigned skip = size == 1 ? 16 : 0, offset = unaligned ? 36 : 5 * 16;
                memset(l.grf, 0, sizeof l.grf);
                dw(&l, 0)[2] = unaligned ? 36 : 5;
                assert_int_equal(ask(&l, SFID_DC0, HEADER | port(unaligned, size, 2), 0, 1, 0, 8, 8, 0xff),
                                 EU_SENT);
                assert_memory_equal(l.grf[32] + skip, l.s->memory + BYTES + offset, owords[size] * 16);
                /* and back, elsewhere */
                if (unaligned)
                    continue;
                memcpy(l.grf[1], l.grf[32], 8 * 32);
                dw(&l, 0)[2] = 0x50;
                assert_int_equal(ask(&l, SFID_DC0, HEADER | port(8, size, 2), 0, 9, 0, 0, 8, 0xff), EU_SENT);
                assert_memory_equal(l.s->memory + BYTES + 1280, l.s->memory + BYTES + offset,
                                    owords[size] * 16);
            }
        /* of the channels that take part alone */
        dw(&l, 0)[2] = 0x50;
        for (unsigned i = 0; i < 8; i++) {
            dw(&l, 1)[i] = (192u << 24) + i;
            dword_put(l.s, BYTES + 1280 + i * 4, i);
        }
        assert_int_equal(ask(&l, SFID_DC0, HEADER | port(8, 2, 2), 0, 2, 0, 0, 8, 0xa5), EU_SENT);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(dword_at(l.s, BYTES + 1280 + i * 4), (0xa5u >> i & 1u) * (192u << 24) + i);
        /* over the end: what is before it, then zeros */
        memset(l.grf, 0xff, sizeof l.grf);
        dw(&l, 0)[2] = 0xff;
        assert_int_equal(ask(&l, SFID_DC0, HEADER | port(0, 2, 2), 0, 1, 0, 1, 8, 0xff), EU_SENT);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(dw(&l, 32)[i], i < 4 ? dword_at(l.s, BYTES + 0xff0 + i * 4) : 0);
        /* by an address of 64 bits; hwords */
        dw(&l, 0)[0] = BYTES + 4;
        dw(&l, 0)[1] = 0;
        assert_int_equal(ask(&l, SFID_DC1, HEADER | port(0x14, 3, 255), 0, 1, 0, 2, 8, 0xff), EU_SENT);
        assert_memory_equal(l.grf[32], l.s->memory + BYTES + 4, 64);
        assert_int_equal(ask(&l, SFID_DC1, HEADER | port(0x14, 0x18 | 2, 255), 0, 1, 0, 4, 8, 0xff), EU_SENT);
        assert_memory_equal(l.grf[32], l.s->memory + BYTES + 4, 128);
        /* scratch: 2 KB of a thread at 1 KB from the base; hwords 3 and 4 of it. From Gen12.5 on the header
         * has the eighth surface state, of scratch memory, which has so much for each thread. */
        enum { SCRATCH = 6, OWN_BYTES = 1024, STATE = 8 };
        dw(&l, 0)[3] = 1;
        dw(&l, 0)[5] = KB | 17;
        if (l.b->info.scratch_by_surface) {
            put_surface(&l, STATE - 1, SCRATCH, 0x1ff, GENERAL);
            dword_put(l.s, SURFACES + 64 * STATE + 12, OWN_BYTES - 1);
            l.b->scratch_slot = 1;
            dw(&l, 0)[5] = STATE << 10 | 17;
        }
        memset(l.grf[1], 0x5a, 64);
        assert_int_equal(ask(&l, SFID_DC0, HEADER | 1 << 18 | 1 << 17 | 1 << 12 | 3, 0, 3, 0, 0, 8, 0xff),
                         EU_SENT);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(l.s->memory[GENERAL + KB + 96 + i], 0x5a);
        assert_int_equal(l.s->memory[GENERAL + KB + 95], 0);
        assert_int_equal(l.s->memory[GENERAL + KB + 160], 0);
        assert_int_equal(ask(&l, SFID_DC0, HEADER | 1 << 18 | 1 << 12 | 2, 0, 1, 0, 2, 8, 0xff), EU_SENT);
        assert_int_equal(dw(&l, 32)[0], 0);
        assert_int_equal(dw(&l, 33)[7], 0x5a5a5a5a);
        /* by dwords, of the channels that take part alone: what a thread spills where it has diverged */
        memset(l.grf[1], 0xa5, 64);
        assert_int_equal(
            ask(&l, SFID_DC0, HEADER | 1 << 18 | 1 << 17 | 1 << 16 | 1 << 12 | 3, 0, 3, 0, 0, 16, 0x8421),
            EU_SENT);
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(dword_at(l.s, GENERAL + KB + 96 + i * 4),
                             0x8421 >> i & 1 ? 0xa5a5a5a5 : 0x5a5a5a5a);
        lab_end(&l);
    }
}

/* ---- Atomics ---- */

static uint64_t sign_of(unsigned bytes)
{
    return UINT64_C(1) << (bytes * 8u - 1u);
}

/* What is there after an operation, written another way than the model's. */
static uint64_t expected(unsigned operation, unsigned bytes, uint64_t old, uint64_t a, uint64_t b)
{
    const uint64_t s = sign_of(bytes), all = s | (s - 1u);
    const uint64_t results[16] = {0,
                                  ~(~old | ~a),
                                  ~(~old & ~a),
                                  (old | a) & ~(old & a),
                                  a,
                                  old - all,
                                  old + all,
                                  old - (~a + 1),
                                  old + (~a + 1),
                                  a + ~old + 1,
                                  (old ^ s) >= (a ^ s) ? old : a,
                                  (old ^ s) <= (a ^ s) ? old : a,
                                  old >= a ? old : a,
                                  old <= a ? old : a,
                                  old == a ? b : old,
                                  old + all};
    return results[operation] & all;
}

static unsigned operands(unsigned operation)
{
    return operation == 14 ? 2 : operation == 5 || operation == 6 || operation == 15 ? 0 : 1;
}

static void atomics(void **state)
{
    (void)state;
    static const uint32_t values[8] = {0, 1, INT32_MAX, 1u << 31, UINT32_MAX, 42, 0xdeadbeef, 7};
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_buffer(&l, 0, BYTES, 256);
        for (unsigned operation = 1; operation < 16; operation++)
            for (unsigned turn = 0; turn < 8; turn++)
                for (unsigned way = 0; way < 3; way++) { /* a surface, 64-bit addresses with 4 and 8 bytes */
                    const unsigned bytes = way == 2 ? 8 : 4;
                    uint64_t old[8], a[8], b[8];
                    for (unsigned c = 0; c < 8; c++) {
                        old[c] = values[c] | (bytes == 8 ? (uint64_t)values[(c + 1) % 8] << 32 : 0);
                        a[c] = turn == 7
                                   ? old[c]
                                   : values[(c + turn) % 8] | (bytes == 8 ? (uint64_t)values[c] << 32 : 0);
                        b[c] = 0x123456789abcdef0u >> (bytes == 8 ? 0 : 32);
                        memcpy(l.s->memory + BYTES + c * bytes, &old[c], bytes);
                        if (way == 0)
                            dw(&l, 0)[c] = c * bytes;
                    }
                    if (way)
                        put_addresses(&l, 8, BYTES, bytes);
                    const unsigned address = way ? 2 : 1, step = bytes == 8 ? 2 : 1;
                    for (unsigned c = 0; c < 8; c++) {
                        memcpy(byte_of(&l, address, c * bytes), &a[c], bytes);
                        memcpy(byte_of(&l, address + step, c * bytes), &b[c], bytes);
                    }
                    const uint32_t descriptor =
                        way == 0 ? port(2, operation | 1 << 4 | 1 << 5, 0)
                                 : port(0x12, operation | (bytes == 8 ? 1u : 0) << 4 | 1 << 5, 255);
                    assert_int_equal(
                        ask(&l, SFID_DC1, descriptor, 0, address, operands(operation) * step, step, 8, 0xff),
                        EU_SENT);
                    for (unsigned c = 0; c < 8; c++) {
                        uint64_t now = 0, returned = 0;
                        const uint64_t wanted = expected(operation, bytes, old[c], a[c], b[c]);
                        memcpy(&now, l.s->memory + BYTES + c * bytes, bytes);
                        memcpy(&returned, byte_of(&l, 32, c * bytes), bytes);
                        assert_true(now == wanted);
                        assert_true(returned == (operation == 15 ? wanted : old[c]));
                    }
                }
        /* All channels on one place: each counts; those that do not take part do not. */
        dword_put(l.s, BYTES, 100);
        memset(l.grf, 0, sizeof l.grf);
        assert_int_equal(ask(&l, SFID_DC1, port(2, 5, 0), 0, 2, 0, 0, 16, INT16_MAX - 1), EU_SENT);
        assert_int_equal(dword_at(l.s, BYTES), 114);
        lab_end(&l);
    }
}

/* By addresses of 64 bits, sums of doubles. */
static void double_atomics(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned operation = 6; operation < 8; operation++) {
            struct lab l;
            const double a = 1.5, by = 0.25, wanted = operation == 6 ? a + by : a - by;
            double is;
            lab_begin(&l, *name);
            memcpy(l.s->memory + BYTES + 8, &a, sizeof a);
            memset(l.grf, 0, sizeof l.grf);
            dw(&l, 0)[2] = BYTES + 8;
            memcpy(dw(&l, 2) + 2, &by, sizeof by);
            assert_int_equal(ask(&l, SFID_DC1, port(0x1d, operation | 1 << 5, 0), 0, 2, 2, 2, 8, 2), EU_SENT);
            memcpy(&is, l.s->memory + BYTES + 8, sizeof is);
            assert_memory_equal(&is, &wanted, sizeof is);
            memcpy(&is, dw(&l, 32) + 2, sizeof is);
            assert_memory_equal(&is, &a, sizeof is);
            lab_end(&l);
        }
}

static void float_atomics(void **state)
{
    (void)state;
    static const float wanted[5] = {0, 2.5f, -1.25f, 7, 1.25f};
    for (EACH_DEVICE(name))
        for (unsigned operation = 1; operation < 5; operation++) {
            struct lab l;
            lab_begin(&l, *name);
            put_buffer(&l, 0, BYTES, 256);
            dword_put(l.s, BYTES, float_bits(operation == 3 ? 2.5f : -1.25f));
            dw(&l, 1)[0] = float_bits(2.5f);
            dw(&l, 2)[0] = float_bits(7);
            assert_int_equal(ask(&l, SFID_DC1, port(0x1b, operation | 1 << 4 | 1 << 5, 0), 0, 1,
                                 operation == 3 ? 2 : 1, 1, 8, 1),
                             EU_SENT);
            assert_int_equal(dword_at(l.s, BYTES), float_bits(wanted[operation]));
            assert_int_equal(dw(&l, 32)[0], float_bits(operation == 3 ? 2.5f : -1.25f));
            lab_end(&l);
        }
}

/* Of 16 bits, by surfaces and by addresses, from Gen12 on; before there is no such message. */
static void half_float_atomics(void **state)
{
    (void)state;
    static const float wanted[6] = {0, 2.5f, -1.25f, 7, 1.25f, -3.75f};
    for (EACH_DEVICE(name))
        for (unsigned operation = 1; operation < 6; operation++)
            for (unsigned flat = 0; flat < 2; flat++) {
                struct lab l;
                lab_begin(&l, *name);
                put_buffer(&l, 0, BYTES, 256);
                const uint16_t before = softgt_float32_to_16(float_bits(operation == 3 ? 2.5f : -1.25f));
                dword_put(l.s, BYTES, 43981u << 16 | before);
                dw(&l, 0)[0] = flat ? BYTES : 0;
                dw(&l, 1 + flat)[0] = softgt_float32_to_16(float_bits(2.5f));
                dw(&l, 2 + flat)[0] = softgt_float32_to_16(float_bits(7));
                const enum eu_answer answer =
                    ask(&l, SFID_DC1, port(flat ? 0x1e : 0x1c, operation | 1 << 4 | 1 << 5, 0), 0, 1 + flat,
                        operation == 3 ? 2 : 1, 1, 8, 1);
                assert_int_equal(answer, l.set->generation & EU_GEN12_UP ? EU_SENT : EU_SEND_FAULT);
                if (l.set->generation & EU_GEN12_UP) {
                    assert_int_equal(dword_at(l.s, BYTES),
                                     43981u << 16 | softgt_float32_to_16(float_bits(wanted[operation])));
                    assert_int_equal(dw(&l, 32)[0], before);
                }
                lab_end(&l);
            }
}

/* What hardware does and the model does not is told as that, what is no message as the guest's mistake. */
static void what_is_not_modelled(void **state)
{
    (void)state;
    static const struct {
        unsigned function;
        uint32_t descriptor;
        bool late; /* known from Gen12.5 on alone */
        enum { IS_NONE, IS_KNOWN, IS_DONE } is;
    } messages[] = {
        {SFID_URB, 0, false, IS_KNOWN},
        {SFID_URB, 2, false, IS_KNOWN},
        {SFID_URB, 8, false, IS_DONE}, /* of no entry of the thread's */
        {SFID_URB, 9, false, IS_DONE},
        {SFID_URB, 15, false, IS_NONE},
        {SFID_GATEWAY, 1, false, IS_KNOWN},
        {SFID_GATEWAY, 4, false, IS_DONE},
        {SFID_VME, 0, false, IS_KNOWN},
        {SFID_GATEWAY, 5, false, IS_NONE},
        {SFID_DC1, 0xbu << 14, false, IS_KNOWN},
        {SFID_DC1, 0x1fu << 14, false, IS_NONE},
        {SFID_RENDER_CACHE, 0xcu << 14, false, IS_NONE}, /* a thread that has no pixels */
        {SFID_PIXEL_INTERPOLATOR, 0, false, IS_NONE},    /* likewise */
        {SFID_RENDER_CACHE, 0xdu << 14, false, IS_NONE},
        {SFID_UGM, 1 | 2 << 7 | 2 << 9, true, IS_KNOWN},
        {SFID_UGM, 27 | 2 << 7 | 2 << 9, true, IS_KNOWN},
        {SFID_UGM, 60 | 2 << 7 | 2 << 9, true, IS_NONE},
    };
    for (EACH_DEVICE(name))
        for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
            struct lab l;
            lab_begin(&l, *name);
            if (!messages[i].late || l.set->has_lsc) {
                assert_int_equal(ask(&l, messages[i].function, messages[i].descriptor, 0, 1, 0, 1, 8, 0xff),
                                 messages[i].is == IS_DONE ? EU_SENT : EU_SEND_FAULT);
                assert_int_equal(l.b->not_modelled, messages[i].is == IS_KNOWN);
                assert_int_equal(l.b->error_text != NULL, messages[i].is != IS_DONE);
            }
            lab_end(&l);
        }
}

/* ---- Load and store units ---- */

static uint32_t lsc(unsigned operation, unsigned address, unsigned size, unsigned vector, bool transposed,
                    unsigned type)
{
    return operation | address << 7 | size << 9 | vector << 12 | (uint32_t)transposed << 15 | type << 29;
}

enum { A32 = 2, A64 = 3, D8 = 0, D16, D32, D64, D8U32, D16U32, D16U32H, FLAT = 0, BSS, SS, BTI };

/* Words in the upper halves of dwords: of channels, two components each, and side by side. */
static void upper_halves(void **state)
{
    (void)state;
    enum { LOAD, STORE = 4, TWO = 1 };
    struct lab l;
    for (unsigned channels = 8; channels <= 16; channels *= 2) {
        lab_begin(&l, "dg2");
        const unsigned registers = channels / 8;
        for (unsigned i = 0; i < 32; i++)
            dword_put(l.s, BYTES + i * 4, (0x8000 + 2 * i + 1) << 16 | (0x8000 + 2 * i));
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned c = 0; c < channels; c++)
            dw(&l, c / 8)[c % 8] = BYTES - GENERAL + c * 6;
        assert_int_equal(ask(&l, SFID_UGM, lsc(LOAD, A32, D16U32H, TWO, false, FLAT), 0, registers, 0,
                             2 * registers, channels, 0xfffd),
                         EU_SENT);
        for (unsigned c = 0; c < channels; c++)
            for (unsigned n = 0; n < 2; n++)
                assert_int_equal(dw(&l, 32 + n * registers + c / 8)[c % 8],
                                 c == 1 ? 0 : (0x8000u + c * 3 + n) << 16);
        for (unsigned c = 0; c < channels; c++)
            for (unsigned n = 0; n < 2; n++)
                dw(&l, (n + 1) * registers + c / 8)[c % 8] = (0x4000u + c * 2 + n) << 16 | 0x1234;
        assert_int_equal(ask(&l, SFID_UGM, lsc(STORE, A32, D16U32H, TWO, false, FLAT), 0, registers,
                             2 * registers, 0, channels, 0xfffd),
                         EU_SENT);
        for (unsigned c = 0; c < channels; c++)
            for (unsigned n = 0; n < 3; n++) {
                uint16_t is;
                memcpy(&is, l.s->memory + BYTES + c * 6 + n * 2, sizeof is);
                assert_int_equal(is, n == 2 || c == 1 ? 0x8000 + c * 3 + n : 0x4000 + c * 2 + n);
            }
        assert_int_equal(
            ask(&l, SFID_UGM, lsc(LOAD, A32, D16U32H, 4 /* eight */, true, FLAT), 0, 1, 0, 1, 1, 1), EU_SENT);
        assert_int_equal(dw(&l, 32)[0], 0x4000u << 16);
        assert_int_equal(dw(&l, 32)[7], (0x4000u + 5) << 16);
        lab_end(&l);
    }
}

static void loads(void **state)
{
    (void)state;
    static const unsigned counts[8] = {1, 2, 3, 4, 8, 16, 32, 64}, bytes[6] = {1, 2, 4, 8, 1, 2},
                          wide[6] = {1, 2, 4, 8, 4, 4};
    struct lab l;
    lab_begin(&l, "dg2");
    fill(&l);
    put_buffer(&l, 5, BYTES, 768);
    for (unsigned size = D32; size <= D16U32; size++)
        for (unsigned vector = 0; vector < (size > D64 ? 1 : 4); vector++)
            for (unsigned n = 8; n <= 16; n *= 2)
                for (unsigned way = 0; way < 3; way++) { /* 64-bit addresses, a binding, local memory */
                    const unsigned count = counts[vector], step = n * wide[size] / 32,
                                   address = way ? n / 8 : n / 4;
                    const uint8_t *const from = way == 2 ? l.b->slm : l.s->memory + BYTES;
                    if (address > 15 || count * step > 31)
                        continue;
                    memset(l.grf, 0x77, sizeof l.grf);
                    if (way == 0)
                        put_addresses(&l, n, BYTES, 72);
                    for (unsigned c = 0; way && c < n; c++)
                        dw(&l, c / 8)[c % 8] = c * 72u + (way == 2 ? (c & 1u) << 28 : 0);
                    assert_int_equal(ask(&l, way == 2 ? SFID_SLM : SFID_UGM,
                                         lsc(0, way ? A32 : A64, size, vector, false, way == 1 ? BTI : FLAT),
                                         5u << 24, address, 0, count * step, n, 0xfffb),
                                     EU_SENT);
                    for (unsigned i = 0; i < count; i++)
                        for (unsigned c = 0; c < n; c++) {
                            const unsigned offset = c * 72u + i * bytes[size], at = c * wide[size];
                            uint64_t wanted = 0, found = 0;
                            if (way != 1 || offset + bytes[size] <= 768)
                                memcpy(&wanted, from + offset, bytes[size]);
                            if (c == 2)
                                memset(&wanted, 0x77, wide[size]);
                            memcpy(&found, byte_of(&l, 32 + i * step, at), wide[size]);
                            assert_true(found == wanted);
                        }
                }
    /* transposed: one channel, a block; by a surface state's offset, too */
    for (unsigned vector = 0; vector < 7; vector++)
        for (unsigned way = 0; way < 3; way++) {
            memset(l.grf, 0, sizeof l.grf);
            put_buffer(&l, 32 + 3, BYTES, 768); /* 0x900 from the base, 0x100 from the bindless one */
            if (way == 0)
                put_addresses(&l, 1, BYTES + 12, 0);
            else
                dw(&l, 0)[0] = 12;
            l.m.ex_bso = false;
            assert_int_equal(ask(&l, SFID_UGM,
                                 lsc(0, way ? A32 : A64, D32, vector, true,
                                     way == 0   ? FLAT
                                     : way == 1 ? SS
                                                : BSS),
                                 (way == 1 ? 0x900u : 0x100u) << 6, 1, 0, (counts[vector] + 7) / 8, 1, 1),
                             EU_SENT);
            assert_memory_equal(l.grf[32], l.s->memory + BYTES + 12, counts[vector] * 4);
        }
    lab_end(&l);
}

/* Fewer than eight channels have the registers of eight: addresses, values, each component, atomics' sources.
 */
static void few_channels(void **state)
{
    (void)state;
    enum { LOAD, STORE = 4, ADD = 12, COMPARE = 18, ONE = 0, TWO = 1, STEP = 72 };
    for (unsigned n = 1; n <= 4; n *= 2) {
        const uint32_t channels = (1u << n) - 1u;
        struct lab l;
        lab_begin(&l, "dg2");
        fill(&l);
        memset(l.grf, 0x77, sizeof l.grf);
        put_addresses(&l, n, BYTES, STEP);
        for (unsigned c = 0; c < n; c++)
            dw(&l, 2)[c] = 1000 + c;
        assert_int_equal(
            ask(&l, SFID_UGM, lsc(STORE, A64, D16U32, ONE, false, FLAT), 0, 2, 1, 0, n, channels), EU_SENT);
        for (unsigned c = 0; c < n; c++)
            assert_int_equal(dword_at(l.s, BYTES + c * STEP) & UINT16_MAX, 1000 + c);
        for (unsigned c = 0; c < n; c++)
            dword_put(l.s, BYTES + c * STEP + 8, 2000 + c);
        assert_int_equal(ask(&l, SFID_UGM, lsc(LOAD, A64, D64, TWO, false, FLAT), 0, 2, 0, 4, n, channels),
                         EU_SENT);
        for (unsigned c = 0; c < n; c++)
            assert_int_equal(dw(&l, 34)[c * 2], 2000 + c);
        for (unsigned c = 0; c < n; c++) {
            dword_put(l.s, BYTES + c * STEP, 50 + c);
            dw(&l, 2)[c] = 50 + c; /* what is there, and what is to be */
            dw(&l, 3)[c] = 70 + c;
        }
        assert_int_equal(ask(&l, SFID_UGM, lsc(COMPARE, A64, D32, ONE, false, FLAT), 0, 2, 2, 1, n, channels),
                         EU_SENT);
        assert_int_equal(ask(&l, SFID_UGM, lsc(ADD, A64, D32, ONE, false, FLAT), 0, 2, 1, 1, n, channels),
                         EU_SENT);
        for (unsigned c = 0; c < n; c++) {
            assert_int_equal(dw(&l, 32)[c], 70 + c);
            assert_int_equal(dword_at(l.s, BYTES + c * STEP), 120 + 2 * c);
        }
        lab_end(&l);
    }
}

/* 64-bit addresses of local memory are its lower bits', also where they go up through nothing. */
static void local_addresses_wrap(void **state)
{
    (void)state;
    struct lab l;
    lab_begin(&l, "dg2");
    fill(&l);
    for (uint64_t base = (uint64_t)-16; base != 16; base += 4) {
        put_addresses(&l, 8, base, 4);
        assert_int_equal(ask(&l, SFID_SLM, lsc(0, A64, D32, 0, false, FLAT), 5u << 24, 2, 0, 1, 8, 0xff),
                         EU_SENT);
        for (unsigned c = 0; c < 8; c++) {
            const unsigned at = (unsigned)((base + c * 4u) & UINT16_MAX);
            assert_int_equal(dw(&l, 32)[c], at < LOCAL_BYTES ? at32(l.b->slm, at) : 0);
        }
    }
    lab_end(&l);
}

static void stores(void **state)
{
    (void)state;
    struct lab l;
    lab_begin(&l, "dg2");
    put_buffer(&l, 5, BYTES, 768);
    for (unsigned c = 0; c < 16; c++) {
        dw(&l, c / 8)[c % 8] = c * 16u;
        dw(&l, 2 + c / 8)[c % 8] = (17u << 24) + c;
        dw(&l, 4 + c / 8)[c % 8] = (68u << 24) + c;
    }
    /* bytes out of dwords */
    assert_int_equal(ask(&l, SFID_UGM, lsc(4, A32, D8U32, 0, false, BTI), 5u << 24, 2, 2, 0, 16, UINT16_MAX),
                     EU_SENT);
    for (unsigned c = 0; c < 16; c++)
        assert_int_equal(dword_at(l.s, BYTES + c * 16), c);
    /* by channels: y and w of four */
    assert_int_equal(ask(&l, SFID_UGM, lsc(6, A32, D32, 0xa, false, BTI), 5u << 24, 2, 4, 0, 16, UINT16_MAX),
                     EU_SENT);
    for (unsigned c = 0; c < 16; c++) {
        assert_int_equal(dword_at(l.s, BYTES + c * 16 + 4), (17u << 24) + c);
        assert_int_equal(dword_at(l.s, BYTES + c * 16 + 8), 0);
        assert_int_equal(dword_at(l.s, BYTES + c * 16 + 12), (68u << 24) + c);
    }
    /* atomics: add, compare and swap, in local memory; the codes are others than the data port's */
    for (unsigned c = 0; c < 16; c++) {
        dw(&l, c / 8)[c % 8] = 8 + (c << 28);
        dw(&l, 2 + c / 8)[c % 8] = c;
        dw(&l, 4 + c / 8)[c % 8] = c + 1;
    }
    memset(l.b->slm, 0, LOCAL_BYTES);
    assert_int_equal(ask(&l, SFID_SLM, lsc(18, A32, D32, 0, false, FLAT), 0, 2, 4, 2, 16, UINT16_MAX),
                     EU_SENT);
    assert_int_equal(at32(l.b->slm, 8), 16); /* each found what the one before it left */
    assert_int_equal(dw(&l, 33)[7], 15);
    assert_int_equal(ask(&l, SFID_SLM, lsc(12, A32, D32, 0, false, FLAT), 0, 2, 2, 0, 16, UINT16_MAX),
                     EU_SENT);
    assert_int_equal(at32(l.b->slm, 8), 16 + 120);
    /* a fence has nothing to do */
    assert_int_equal(ask(&l, SFID_UGM, 31 | 3 << 9, 0, 1, 0, 1, 1, 1), EU_SENT);
    lab_end(&l);
}

/* ---- Images ---- */

enum { R32_UINT = 0xd7, R8G8B8A8_UNORM = 0xc7 };

static void put_image(struct lab *l, unsigned index, unsigned format, unsigned tile_mode, unsigned width,
                      unsigned height, unsigned slices, unsigned pitch)
{
    const uint32_t at = SURFACES + 64u * (index + 1u);
    put_surface(l, index, 1, format, BYTES);
    dword_put(l->s, at, dword_at(l->s, at) | 1u << 28 | tile_mode << 12 | 1u << 14 | 1u << 16);
    dword_put(l->s, at + 4, height / 4);
    dword_put(l->s, at + 8, (width - 1) | (height - 1) << 16);
    dword_put(l->s, at + 12, (pitch - 1) | (slices - 1) << 21);
    dword_put(l->s, at + 16, (slices - 1) << 7);
}

/* Coordinates, data: linear, X, Y or Tile4; read back by hand where the layout is plain, else by another
 * message. */
static void typed(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned mode = 0; mode < 4; mode++) {
            if (mode == 1)
                continue;
            put_image(&l, 0, R32_UINT, mode, 40, 20, 2, mode ? 512 : 160);
            memset(l.s->memory + BYTES, 0, FILLED_BYTES);
            for (unsigned c = 0; c < 8; c++) {
                dw(&l, 0)[c] = c * 6u;      /* 42 is outside */
                dw(&l, 1)[c] = c * 2u + 3u; /* 17 is not */
                dw(&l, 2)[c] = c & 1u;
                dw(&l, 3)[c] = (171u << 24) + c;
            }
            assert_int_equal(ask(&l, SFID_DC1, port(0xd, 1 << 4 | 0xe, 0), 0, 4, 0, 0, 8, 0xfe), EU_SENT);
            assert_int_equal(ask(&l, SFID_DC1, port(5, 1 << 4 | 0xe, 0), 0, 3, 0, 1, 8, 0xff), EU_SENT);
            for (unsigned c = 0; c < 8; c++)
                assert_int_equal(dw(&l, 32)[c], c == 0 || c == 7 ? 0 : (171u << 24) + c);
            for (unsigned c = 1; mode == 0 && c < 7; c++)
                assert_int_equal(dword_at(l.s, BYTES + ((c & 1u) * 20 + c * 2 + 3) * 160 + c * 24),
                                 (171u << 24) + c);
            unsigned there = 0;
            for (unsigned at = 0; at < FILLED_BYTES; at += 4)
                there += dword_at(l.s, BYTES + at) != 0;
            assert_int_equal(there, 6);
            /* an atomic on the same */
            dw(&l, 3)[1] = 5;
            assert_int_equal(ask(&l, SFID_DC1, port(6, 7 | 1 << 5, 0), 0, 4, 0, 1, 8, 2), EU_SENT);
            assert_int_equal(dw(&l, 32)[1], (171u << 24) + 1);
            assert_int_equal(ask(&l, SFID_DC1, port(5, 1 << 4 | 0xe, 0), 0, 3, 0, 1, 8, 2), EU_SENT);
            assert_int_equal(dw(&l, 32)[1], (171u << 24) + 6);
        }
        /* The instruction's channels, whichever of the thread's they are, with the low slot group (as Intel's
         * compiler has it) or that of their half of sixteen; of sixteen the half that the slot group names.
         * A header's mask: that half of it. */
        put_image(&l, 0, R32_UINT, 0, 40, 20, 1, 160);
        static const struct {
            unsigned size, first, group;
            uint32_t channels, header, written; /* header: 0, none */
        } halves[] = {
            {8, 0, 1, 0xa5, 0, 0xa5},      {8, 8, 1, 0xa5, 0, 0xa5},      {8, 8, 2, 0xa5, 0, 0xa5},
            {8, 16, 1, 0xa5, 0, 0xa5},     {8, 24, 1, 0xa5, 0, 0xa5},     {8, 24, 2, 0xa5, 0, 0xa5},
            {16, 0, 1, 0x5aa5, 0, 0xa5},   {16, 0, 2, 0x5aa5, 0, 0x5a},   {16, 16, 2, 0x5aa5, 0, 0x5a},
            {8, 0, 1, 0xff, 0x0ff3, 0xf3}, {8, 8, 1, 0xff, 0x0ff3, 0xf3}, {8, 8, 2, 0xff, 0x0ff3, 0x0f},
            {8, 24, 2, 0xf0, 0x3cc3, 0x30}};
        for (unsigned i = 0; i < sizeof halves / sizeof halves[0]; i++) {
            const bool header = halves[i].header;
            memset(l.s->memory + BYTES, 0, 160 * 20);
            memset(l.grf, 0, sizeof l.grf);
            dw(&l, 0)[7] = halves[i].header;
            for (unsigned c = 0; c < 8; c++) {
                dw(&l, header)[c] = c;
                dw(&l, header + 2)[c] = 100u + c;
            }
            l.first_channel = (uint8_t)halves[i].first;
            assert_int_equal(ask(&l, SFID_DC1,
                                 (header ? HEADER : 0) | port(0xd, halves[i].group << 4 | 0xe, 0), 0,
                                 header + 3u, 0, 0, halves[i].size, halves[i].channels),
                             EU_SENT);
            l.first_channel = 0;
            for (unsigned c = 0; c < 8; c++)
                assert_int_equal(dword_at(l.s, BYTES + c * 4), halves[i].written >> c & 1u ? 100u + c : 0);
        }
        /* a level: the surface's least one, below the first; of a line's array, elements in one row */
        put_image(&l, 0, R32_UINT, 0, 40, 20, 1, 160);
        dword_put(l.s, SURFACES + 64 + 20, 1 << 4);
        memset(l.grf, 0, sizeof l.grf);
        dw(&l, 0)[0] = 19;
        dw(&l, 0)[1] = 20; /* outside: the level is half as wide */
        dw(&l, 1)[0] = 2;
        dw(&l, 3)[0] = dw(&l, 3)[1] = 777;
        assert_int_equal(ask(&l, SFID_DC1, port(0xd, 1 << 4 | 0xe, 0), 0, 4, 0, 0, 8, 3), EU_SENT);
        assert_int_equal(dword_at(l.s, BYTES + (20 + 2) * 160 + 19 * 4), 777);
        assert_int_equal(dword_at(l.s, BYTES + 20 * 160 + 20 * 4), 0);
        put_image(&l, 0, R32_UINT, 0, 40, 1, 3, 160);
        dword_put(l.s, SURFACES + 64, dword_at(l.s, SURFACES + 64) & 0x1fffffff);
        dword_put(l.s, SURFACES + 64 + 4, 64 / 4); /* pixels */
        dw(&l, 0)[0] = 5;
        dw(&l, 1)[0] = 2;
        assert_int_equal(ask(&l, SFID_DC1, port(0xd, 1 << 4 | 0xe, 0), 0, 4, 0, 0, 8, 1), EU_SENT);
        if (lab_is_early(&l)) /* rows */
            assert_int_equal(dword_at(l.s, BYTES + 2 * 64 * 160 + 5 * 4), 777);
        else
            assert_int_equal(dword_at(l.s, BYTES + (2 * 64 + 5) * 4), 777);
        /* formats convert */
        put_image(&l, 0, R8G8B8A8_UNORM, 0, 40, 20, 1, 160);
        memset(l.grf, 0, sizeof l.grf);
        dw(&l, 0)[0] = 2;
        dw(&l, 2)[0] = float_bits(1);
        dw(&l, 3)[0] = float_bits(0.5f);
        dw(&l, 4)[0] = float_bits(0);
        dw(&l, 5)[0] = float_bits(7);
        assert_int_equal(ask(&l, SFID_DC1, port(0xd, 1 << 4, 0), 0, 2, 4, 0, 8, 1), EU_SENT);
        assert_int_equal(dword_at(l.s, BYTES + 8), (255u | 128u << 8 | 255u << 24));
        assert_int_equal(ask(&l, SFID_DC1, port(5, 1 << 4 | 7, 0), 0, 2, 0, 1, 8, 1), EU_SENT);
        assert_int_equal(dw(&l, 32)[0], float_bits(1));
        lab_end(&l);
    }
}

/* A buffer whose elements lie closer than a pixel is long: what reaches over its end is not there. */
static void typed_buffers(void **state)
{
    (void)state;
    enum { R32G32B32A32_UINT = 2, ENTRIES = 20, PITCH = 2 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_surface(&l, 0, BUFFER, R32G32B32A32_UINT, BYTES);
        dword_put(l.s, SURFACES + 64 + 8, ENTRIES - 1);
        dword_put(l.s, SURFACES + 64 + 12, PITCH - 1);
        memset(l.s->memory + BYTES, 0x11, 256);
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned c = 0; c < 8; c++) {
            dw(&l, 0)[c] = 9 + c; /* from 13 on: not whole */
            for (unsigned value = 0; value < 4; value++)
                dw(&l, 1 + value)[c] = 119 * (UINT32_MAX / 255);
        }
        assert_int_equal(ask(&l, SFID_DC1, port(0xd, 1 << 4, 0), 0, 5, 0, 0, 8, 0xff), EU_SENT);
        for (unsigned at = 0; at < 256; at++)
            assert_int_equal(l.s->memory[BYTES + at], at >= 9 * PITCH && at < 12 * PITCH + 16 ? 0x77 : 0x11);
        assert_int_equal(ask(&l, SFID_DC1, port(5, 1 << 4, 0), 0, 1, 0, 4, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++)
            assert_int_equal(dw(&l, 35)[c], c < 4 ? 119 * (UINT32_MAX / 255) : 0);
        lab_end(&l);
    }
}

/* Typed atomics of 16 bits are for formats of 16 bits, as those of 32 are for 32. */
static void typed_atomics_of_16_bits(void **state)
{
    (void)state;
    enum { R16_UINT = 0x10d, ADD = 7, CMPWR = 14 };
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_image(&l, 0, R16_UINT, 0, 40, 20, 1, 160);
        put_image(&l, 1, R32_UINT, 0, 40, 20, 1, 160);
        memset(l.s->memory + BYTES, 0x11, 4 * KB);
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned c = 0; c < 8; c++) {
            dw(&l, 0)[c] = c + 34; /* from 40 on: outside */
            dw(&l, 1)[c] = 2;
            dw(&l, 2)[c] = 0xff000 + c;
        }
        assert_int_equal(ask(&l, SFID_DC1, port(7, ADD | 1 << 5, 0), 0, 3, 0, 1, 8, 0xff), EU_SENT);
        for (unsigned c = 0; c < 8; c++) {
            const uint32_t at = BYTES + 2 * 160 + (34 + c) * 2;
            assert_int_equal(dw(&l, 32)[c], c < 6 ? 0x1111 : 0);
            assert_int_equal(l.s->memory[at] | l.s->memory[at + 1] << 8,
                             c < 6 ? (0x1111 + 0xf000 + c) & UINT16_MAX : 0x1111);
        }
        dw(&l, 2)[0] = 0x0111; /* if it is that, it becomes 5 */
        dw(&l, 3)[0] = 5;
        assert_int_equal(ask(&l, SFID_DC1, port(7, CMPWR | 1 << 5, 0), 0, 4, 0, 1, 8, 1), EU_SENT);
        assert_int_equal(dword_at(l.s, BYTES + 2 * 160 + 34 * 2) & UINT16_MAX, 5);
        assert_int_equal(ask(&l, SFID_DC1, port(7, ADD | 1 << 5, 1), 0, 3, 0, 1, 8, 1), EU_SEND_FAULT);
        assert_int_equal(ask(&l, SFID_DC1, port(6, ADD | 1 << 5, 0), 0, 3, 0, 1, 8, 1), EU_SEND_FAULT);
        lab_end(&l);
    }
}

/* A volume in Tile64: tiles of 32 by 32 pixels and 16 slices, where the offset is ZZYXYXZYZXYYXXXX; those of
 * other slices QPitch rows further down; level 1 begins with a tile. (Mesa, isl; as the blitter has it) */
static void volumes_in_tiles(void **state)
{
    enum { QUAD_LOAD = 2, QUAD_STORE = 6, ADDRESSES_32 = A32 << 7, DATA_32 = D32 << 9, TILE_64 = 1 };
    enum { VOLUME = 2, FIRST = 1 << 12, COORDINATES = 3, QPITCH = 96, TILE = 65536, LOAD_LEVEL = 7 };
    static const struct {
        uint32_t at[3], level, offset;
    } pixels[] = {{{0, 0, 0}, 0, 0},        {{9, 6, 5}, 0, 0x45a4},   {{33, 0, 0}, 0, 0x10004},
                  {{0, 33, 0}, 0, 0x20010}, {{0, 0, 17}, 0, 0x60080}, {{1, 1, 2}, 1, 0x40214}};
    const uint32_t by_index = 3u << 29, at = SURFACES + 64u;
    struct lab l;
    (void)state;
    for (unsigned n = 0; n < sizeof pixels / sizeof pixels[0]; n++) {
        lab_begin(&l, "dg2");
        put_surface(&l, 0, VOLUME, R32_UINT, BYTES);
        dword_put(l.s, at, dword_at(l.s, at) | TILE_64 << 12 | 1u << 14 | 1u << 16);
        dword_put(l.s, at + 4, QPITCH / 4);
        dword_put(l.s, at + 8, 63u | 63u << 16);
        dword_put(l.s, at + 12, 255u | 31u << 21);
        dword_put(l.s, at + 16, 31u << 7);
        dword_put(l.s, at + 20, pixels[n].level << 4 | 15u << 8);
        dword_put(l.s, at + 28, 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16);
        memset(l.s->memory + BYTES, 0, 8 * TILE);
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned d = 0; d < COORDINATES; d++)
            dw(&l, d)[0] = pixels[n].at[d];
        dw(&l, COORDINATES)[0] = 0x1234;
        assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | FIRST | QUAD_STORE, 0,
                             COORDINATES, 1, 0, 8, 1),
                         EU_SENT);
        assert_int_equal(dword_at(l.s, BYTES + pixels[n].offset), 0x1234);
        assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | FIRST | QUAD_LOAD, 0,
                             COORDINATES, 0, 1, 8, 1),
                         EU_SENT);
        assert_int_equal(dw(&l, 32)[0], 0x1234);
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned d = 0; d < COORDINATES; d++) /* u, v, level, r */
            dw(&l, d < 2 ? d : 3)[0] = pixels[n].at[d];
        assert_int_equal(ask(&l, SFID_SAMPLER, LOAD_LEVEL << 12 | 1u << 17, 0, 4, 0, 4, 8, 1), EU_SENT);
        assert_int_equal(dw(&l, 32)[0], 0x1234);
        lab_end(&l);
    }
}

/* The unit for typed accesses of Gen12.5: components that a mask names, atomics. */
static void typed_load_stores(void **state)
{
    (void)state;
    enum {
        QUAD_LOAD = 2,
        QUAD_STORE = 6,
        ATOMIC_ADD_OF_IT = 12,
        ADDRESSES_32 = A32 << 7,
        DATA_32 = D32 << 9,
        R32G32_FLOAT = 0x85
    };
    const uint32_t by_index = 3u << 29;
    struct lab l;
    lab_begin(&l, "dg2");
    put_image(&l, 0, R32G32_FLOAT, 0, 40, 20, 1, 320);
    put_image(&l, 1, R32_UINT, 0, 40, 20, 1, 320);
    memset(l.s->memory + BYTES, 0, 16 * KB);
    memset(l.grf, 0, sizeof l.grf);
    for (unsigned c = 0; c < 8; c++) {
        dw(&l, 0)[c] = c * 6; /* 42 is outside */
        dw(&l, 1)[c] = c;
        dw(&l, 2)[c] = 0x3f800100 + c;
        dw(&l, 3)[c] = 0x3f800200 + c;
    }
    const uint32_t two = 3u << 12, second = 2u << 12, first = 1u << 12;
    assert_int_equal(
        ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | two | QUAD_STORE, 0, 2, 2, 0, 8, 0xfe),
        EU_SENT);
    for (unsigned c = 0; c < 7; c++) {
        assert_int_equal(dword_at(l.s, BYTES + c * 320 + c * 48), c ? 0x3f800100 + c : 0);
        assert_int_equal(dword_at(l.s, BYTES + c * 320 + c * 48 + 4), c ? 0x3f800200 + c : 0);
    }
    assert_int_equal(
        ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | second | QUAD_LOAD, 0, 2, 0, 1, 8, 0xff),
        EU_SENT);
    for (unsigned c = 0; c < 8; c++)
        assert_int_equal(dw(&l, 32)[c], c == 0 || c == 7 ? 0 : 0x3f800200 + c);
    /* each adds what is in the register behind the coordinates, and gets what was there */
    assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | first | ATOMIC_ADD_OF_IT, 1u << 24,
                         2, 1, 1, 8, 0x40),
                     EU_SENT);
    assert_int_equal(dw(&l, 32)[6], 0);
    assert_int_equal(dword_at(l.s, BYTES + 6 * 320 + 36 * 4), 0x3f800106);
    /* of 64 bits, on pixels of as many: two registers of values */
    enum { R32G32_UINT = 0x087, DATA_64 = D64 << 9 };
    put_image(&l, 2, R32G32_UINT, 0, 40, 20, 1, 320);
    for (unsigned c = 0; c < 8; c++) {
        const uint64_t value = UINT64_C(0xffffffff00000001) + c;
        memcpy(byte_of(&l, 2, c * 8), &value, sizeof value);
        dw(&l, 0)[c] = 20 + c;
        dword_put(l.s, BYTES + c * 320 + (20 + c) * 8, UINT32_MAX);
        dword_put(l.s, BYTES + c * 320 + (20 + c) * 8 + 4, 5);
    }
    assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_64 | first | ATOMIC_ADD_OF_IT, 2u << 24,
                         2, 2, 2, 8, 0xff),
                     EU_SENT);
    for (unsigned c = 0; c < 8; c++) {
        uint64_t before;
        memcpy(&before, byte_of(&l, 32, c * 8), sizeof before);
        assert_true(before == UINT64_C(0x5ffffffff));
        assert_int_equal(dword_at(l.s, BYTES + c * 320 + (20 + c) * 8), c);
        assert_int_equal(dword_at(l.s, BYTES + c * 320 + (20 + c) * 8 + 4), 5);
    }
    assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_64 | first | ATOMIC_ADD_OF_IT, 1u << 24,
                         2, 2, 2, 8, 0xff),
                     EU_SEND_FAULT); /* pixels of 32 */
    /* no surface of pixels, no such address, no such operation */
    assert_int_equal(ask(&l, SFID_TGM, ADDRESSES_32 | DATA_32 | two | QUAD_STORE, 0, 2, 2, 0, 8, 0xff),
                     EU_SEND_FAULT);
    assert_int_equal(ask(&l, SFID_TGM, by_index | 3 << 7 | DATA_32 | two | QUAD_STORE, 0, 2, 2, 0, 8, 0xff),
                     EU_SEND_FAULT);
    assert_int_equal(ask(&l, SFID_TGM, by_index | ADDRESSES_32 | DATA_32 | 0, 0, 2, 0, 1, 8, 0xff),
                     EU_SEND_FAULT);
    assert_int_equal(ask(&l, SFID_TGM, 31, 0, 1, 0, 1, 8, 0xff), EU_SENT); /* a fence */
    lab_end(&l);
}

static void media_blocks(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        put_image(&l, 0, 0x140 /* R8_UNORM */, 0, 16 /* dwords */, 64, 1, 64);
        memset(l.s->memory + BYTES, 0, 8 * KB);
        memset(l.grf, 0, sizeof l.grf);
        for (unsigned i = 0; i < 8 * 32; i++)
            l.grf[1 + i / 32][i % 32] = (uint8_t)(i + 1);
        dw(&l, 0)[0] = 56; /* 16 wide: 8 of them are inside */
        dw(&l, 0)[1] = (uint32_t)-2;
        dw(&l, 0)[2] = 15 | 7 << 16;
        assert_int_equal(ask(&l, SFID_DC1, HEADER | port(0xa, 0, 0), 0, 5, 0, 0, 8, 0xff), EU_SENT);
        for (unsigned y = 0; y < 64; y++)
            for (unsigned x = 0; x < 64; x++)
                assert_int_equal(l.s->memory[BYTES + y * 64 + x],
                                 x >= 56 && y < 6 ? (uint8_t)((y + 2) * 16 + x - 56 + 1) : 0);
        assert_int_equal(ask(&l, SFID_DC1, HEADER | port(4, 0, 0), 0, 1, 0, 4, 8, 0xff), EU_SENT);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned x = 0; x < 16; x++) /* beyond the edges is what is at them */
                assert_int_equal(l.grf[32 + row / 2][row % 2 * 16 + x],
                                 l.s->memory[BYTES + (row < 2 ? 0 : row - 2) * 64 + (x < 8 ? 56 + x : 63)]);
        lab_end(&l);
    }
}

/* ---- The gateway, and what is no message ---- */

static void others(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        assert_int_equal(ask(&l, SFID_GATEWAY, 4, 0, 1, 0, 0, 8, 0xff), EU_SENT);
        assert_true(l.b->at_barrier);
        l.b->at_barrier = false;
        assert_int_equal(ask(&l, SFID_DC0, HEADER | port(7, 0, 0), 0, 1, 0, 1, 8, 0xff), EU_SENT);
        assert_int_equal(ask(&l, SFID_DC0, port(0x1f, 0, 0), 0, 1, 0, 1, 8, 0xff), EU_SEND_FAULT);
        assert_non_null(l.b->error_text);
        /* a null surface */
        put_surface(&l, 0, NOTHING, 0x1ff, BYTES);
        memset(l.grf, 0x33, sizeof l.grf);
        assert_int_equal(ask(&l, SFID_DC1, port(1, 0xe | SIMD8, 0), 0, 1, 0, 1, 8, 0xff), EU_SENT);
        assert_int_equal(dw(&l, 32)[0], 0);
        assert_int_equal(ask(&l, SFID_DC1, port(9, 0xe | SIMD8, 0), 0, 2, 0, 0, 8, 0xff), EU_SENT);
        /* no page: the engine's fault */
        put_addresses(&l, 8, ABSENT, 4);
        assert_int_equal(streamer_status(l.s).faults, 0);
        assert_int_equal(ask(&l, SFID_DC1, port(0x11, 0xe | SIMD8, 255), 0, 2, 0, 1, 8, 0xff), EU_SEND_FAULT);
        assert_int_equal(streamer_status(l.s).faults, 1);
        assert_int_equal(streamer_status(l.s).state, SOFTGT_ENGINE_STOPPED);
        lab_end(&l);
    }
}

/* Any descriptor, any payload, any surface: an answer, and nothing beyond (under sanitizers). */
static void anything(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (EACH_DEVICE(name)) {
        struct lab l;
        lab_begin(&l, *name);
        for (unsigned turn = 0; turn < 30000; turn++) {
            static const uint8_t functions[8] = {SFID_DC0, SFID_DC1, SFID_DC_READ_ONLY, SFID_GATEWAY,
                                                 SFID_TGM, SFID_SLM, SFID_UGM,          SFID_DC1};
            const unsigned payload = below(&seed, 16), second = below(&seed, 16), response = below(&seed, 32);
            for (unsigned i = 0; i < 32 * 8; i++)
                dw(&l, i / 8)[i % 8] = (uint32_t)random_next(&seed) & (below(&seed, 2) ? 0x3ffu : UINT32_MAX);
            for (unsigned i = 0; i < 16; i++)
                dword_put(l.s, SURFACES + 64 + i * 4,
                          (uint32_t)random_next(&seed) & (below(&seed, 2) ? 0x7ffu : UINT32_MAX));
            dword_put(l.s, TABLE, 64);
            ask(&l, functions[below(&seed, 8)],
                (uint32_t)random_next(&seed) & (below(&seed, 2) ? 0xfff00u : 0xfffffu),
                (uint32_t)random_next(&seed), payload, second, response, 1u << below(&seed, 6),
                (uint32_t)random_next(&seed));
            l.s->device->engines[0].parse.state = SOFTGT_ENGINE_IDLE; /* as after a fault's reset */
        }
        lab_end(&l);
    }
}

TEST_PROGRAM(shared_function_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untyped_reads),
        cmocka_unit_test(untyped_vertices),
        cmocka_unit_test(untyped_writes),
        cmocka_unit_test(flat_accesses),
        cmocka_unit_test(equal_distances),
        cmocka_unit_test(ends_at_a_page),
        cmocka_unit_test(index_changes),
        cmocka_unit_test(scattered),
        cmocka_unit_test(blocks),
        cmocka_unit_test(atomics),
        cmocka_unit_test(float_atomics),
        cmocka_unit_test(half_float_atomics),
        cmocka_unit_test(upper_halves),
        cmocka_unit_test(what_is_not_modelled),
        cmocka_unit_test(double_atomics),
        cmocka_unit_test(loads),
        cmocka_unit_test(local_addresses_wrap),
        cmocka_unit_test(stores),
        cmocka_unit_test(typed),
        cmocka_unit_test(typed_buffers),
        cmocka_unit_test(volumes_in_tiles),
        cmocka_unit_test(typed_atomics_of_16_bits),
        cmocka_unit_test(typed_load_stores),
        cmocka_unit_test(few_channels),
        cmocka_unit_test(media_blocks),
        cmocka_unit_test(others),
        cmocka_unit_test(anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
