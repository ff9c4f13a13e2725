#!/usr/bin/env python3
"""OpenCL kernels made up by chance, on softgt exec, against another runtime's results. cases.py SOFTGT CASES [DRIVER/DEVICE...]     (neo/skl rusticl/icl forky/bmg)

CASES is tests/exec/cases.c. Without drivers: the fixed kernels of cases.txt by NEO on each of its devices (Xe2's: forky's, by xe), whose results are to the bit those that pocl had
(cases.py - CASES writes them anew). SEED=N COUNT=N makes others, which pocl runs beside, and floating point is compared as OpenCL allows; ROOMS="integers images"
narrows them, KEEP=DIR keeps files and results. Skipped where the packages are not there."""
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

from results import Results

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64, "float": 32, "double": 64}
INTEGERS = [t for t in BITS if t not in ("float", "double")]
WIDTHS = ["", "2", "3", "4", "8", "16"]
DATA_BYTES = 65536
FLOATS_AT = 32768  # bytes of the data from which on there are numbers as floats, and from RAW_AT any bits
RAW_AT = 49152


def unsigned(t):
    return t if t.startswith("u") else "u" + t


def signed(t):
    return t[1:] if t.startswith("u") else t


def data(seed):
    of = random.Random(f"data {seed}")
    edges = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x00800000, 0x007fffff]
    words = [of.choice(edges) if of.random() < 0.3 else of.getrandbits(32) for _ in range(FLOATS_AT // 4)]
    floats = []
    for _ in range((RAW_AT - FLOATS_AT) // 4):
        kind = of.random()
        value = of.uniform(-1, 1) if kind < 0.3 else of.uniform(-100, 100) if kind < 0.6 else of.uniform(-1, 1) * 10.0 ** of.randint(-12, 12) if kind < 0.85 else float(of.randint(-10, 10)) if kind < 0.95 else of.randint(-20, 20) / 2
        floats.append(value)
    raw = bytes(of.getrandbits(8) for _ in range(DATA_BYTES - RAW_AT))
    return struct.pack(f"<{len(words)}I", *words) + struct.pack(f"<{len(floats)}f", *floats) + raw


class Kernel:
    """What a kernel writes for each item: values one behind the other, each with what may differ."""

    def __init__(self, of, name, items=None, group=None):
        self.of, self.name, self.lines, self.outputs, self.bytes = of, name, [], [], 0
        self.variables, self.count = {}, 0
        self.local_bytes, self.image, self.before = 0, None, ""
        if items is None:
            items, group = of.choice([((64, 1, 1), (0, 0, 0)), ((96, 1, 1), (32, 1, 1)), ((74, 1, 1), (37, 1, 1)), ((21, 10, 1), (7, 5, 1)), ((6, 5, 7), (3, 5, 7)), ((51, 1, 1), (17, 1, 1))])
        self.items, self.group = items, group
        self.total = items[0] * items[1] * items[2]

    def line(self, text):
        self.lines.append("    " + text)

    def fresh(self, t, n, value):
        name = f"v{self.count}"
        self.count += 1
        self.line(f"{t}{n} {name} = {value};")
        self.variables.setdefault((t, n), []).append(name)
        return name

    def index(self):
        return f"((uint)i * {self.of.choice([1, 3, 5, 7])}u + {self.of.randint(0, 60)}u)"

    def load(self, t, n, at=0, span=FLOATS_AT):
        lanes = int(n or 1)
        most = span * 8 // BITS[t] // lanes
        pointer = f"(global const {t} *)((global const uchar *)in + {at})"
        index = f"{self.index()} % {most}u"
        return f"vload{n}({index}, {pointer})" if n else f"({pointer})[{index}]"

    def out(self, t, n, value, ulp=0, absolute=0.0):
        size = BITS[t] // 8
        self.bytes = -(-self.bytes // size) * size
        to = f"(global {t} *)(out + i * STRIDE + {self.bytes})"
        self.line(f"vstore{n}({value}, 0, {to});" if n else f"*{to} = {value};")
        self.outputs.append((t, int(n or 1), self.bytes, ulp, absolute, value))
        self.bytes += size * int(n or 1)

    def stride(self):
        return -(-max(self.bytes, 1) // 16) * 16

    def text(self):
        local = ", local uchar *l" if self.local_bytes else ""
        image = f", {self.image[3]}" if self.image else ""
        shape = " {} {:x} {:x}".format(*self.image[:3]) if self.image else ""
        sizes = "{}x{}x{} {}x{}x{}".format(*self.items, *self.group)
        head = f"//! {self.name} {sizes} {self.total * self.stride()} {self.local_bytes}{shape}\n"
        begin = "    const size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));\n"
        body = "\n".join(self.lines).replace("STRIDE", str(self.stride()))
        return f"{head}{self.before}kernel void {self.name}(global const uint *in, global uchar *out{local}{image})\n{{\n{begin}{body}\n}}\n"


def integer_expression(k, t, n, depth):
    of = k.of
    sub = lambda u=t, m=n: f"({u}{m})({integer_expression(k, u, m, depth - 1)})"
    if depth <= 0:
        known = k.variables.get((t, n), [])
        if known and of.random() < 0.8:
            return of.choice(known)
        return f"({t}{n})({of.choice([0, 1, 2, 3, 5, 7, 31, 85, 100, 127])})"
    u, lanes, small = unsigned(t), int(n or 1), not n and BITS[t] < 32
    wide = "uint" if small else u + n  # scalars that are narrower become int, whose overflow is undefined
    kind = of.randrange(26)
    if kind < 3:
        cast = (lambda x: f"(uint)({x})") if small else (lambda x: f"as_{u}{n}({x})")
        whole = f"{cast(sub())} {of.choice(['+', '-', '*'])} {cast(sub())}"
        return f"({t})({whole})" if small else f"as_{t}{n}({whole})"
    if kind == 3:
        return f"({t}{n})({sub()} {of.choice('&|^')} {sub()})"
    if kind == 4:
        count = f"({u}{n})({of.randint(0, BITS[t] - 1)})" if of.random() < 0.5 else f"({u}{n})(as_{u}{n}({sub()}) & ({u}{n})({BITS[t] - 1}))"
        if of.random() < 0.5:
            return f"({t}{n})({sub()} >> as_{t}{n}({count}))"
        return f"({t})((uint)({sub()}) << {count})" if small else f"as_{t}{n}(as_{u}{n}({sub()}) << {count})"
    if kind == 5:
        divisor = f"(({t}{n})(({sub()} & ({t}{n})({of.choice([3, 15, 63, 127])})) | ({t}{n})(1)))"
        return f"({t}{n})({sub()} {of.choice('/%')} {divisor})"
    if kind == 6:
        return f"{of.choice(['add_sat', 'sub_sat', 'hadd', 'rhadd', 'max', 'min', 'mul_hi', 'rotate'])}(({t}{n})({sub()}), ({t}{n})({sub()}))"
    if kind == 7:
        return f"as_{t}{n}({of.choice(['abs', 'abs'])}(({t}{n})({sub()})))" if of.random() < 0.5 else f"as_{t}{n}(abs_diff(({t}{n})({sub()}), ({t}{n})({sub()})))"
    if kind == 8:
        return f"{of.choice(['clz', 'popcount'])}(({t}{n})({sub()}))"
    if kind == 9:  # of 64 bits, IGC's mad_sat wraps where the product does not fill 64 bits and the sum does
        return f"{of.choice(['mad_sat', 'mad_hi'] if BITS[t] < 64 else ['mad_hi'])}(({t}{n})({sub()}), ({t}{n})({sub()}), ({t}{n})({sub()}))"
    if kind == 10:
        a, b = of.sample(range(0, 127), 2)
        low = min(a, b) if t.startswith("u") else -max(a, b)
        return f"clamp(({t}{n})({sub()}), ({t}{n})({low}), ({t}{n})({max(a, b)}))"
    if kind in (11, 12):
        other = of.choice(INTEGERS)
        sat = of.choice(["", "_sat"])
        return f"convert_{t}{n}{sat}(({other}{n})({sub(other)}))"
    if kind == 13:
        same = [(o, m) for o in INTEGERS for m in WIDTHS if m != "3" and BITS[o] * int(m or 1) == BITS[t] * lanes]
        if n == "3":
            same = [(o, "3") for o in INTEGERS if BITS[o] == BITS[t]]
        o, m = of.choice(same)
        return f"as_{t}{n}(({o}{m})({sub(o, m)}))"
    if kind == 14:
        return f"bitselect(({t}{n})({sub()}), ({t}{n})({sub()}), ({t}{n})({sub()}))"
    if kind == 15:
        by = of.choice([signed(t), u])
        return f"select(({t}{n})({sub()}), ({t}{n})({sub()}), ({by}{n})({sub(by)}))"
    if kind == 16:
        compared = f"(({t}{n})({sub()}) {of.choice(['<', '<=', '>', '>=', '==', '!='])} ({t}{n})({sub()}))"
        return f"as_{t}{n}({compared})" if n else f"({t})({compared})"
    if kind == 17 and n and n != "3":
        mask = f"(as_{u}{n}({sub()}) & ({u}{n})({lanes - 1}))"
        return f"shuffle(({t}{n})({sub()}), {mask})" if of.random() < 0.5 else f"shuffle2(({t}{n})({sub()}), ({t}{n})({sub()}), {mask})"
    if kind == 18 and n:
        other = "".join(of.choice("0123456789abcdef"[:lanes]) for _ in range(lanes))
        return f"(({t}{n})({sub()})).s{other}" if n != "3" else f"(({t}3)({sub()})).{''.join(of.choice('xyz') for _ in range(3))}"
    if kind == 19 and n not in ("", "3", "2"):
        half = {"4": "2", "8": "4", "16": "8"}[n]
        return f"({t}{n})(({t}{half})({sub(t, half)}), ({t}{half})({sub(t, half)}))"
    if kind == 20 and t in ("int", "uint"):
        low = (lambda x: f"((({t}{n})({x}) << 8) >> 8)") if t == "int" else (lambda x: f"(({t}{n})({x}) & ({t}{n})(0xffffff))")
        # Products beyond 32 bits are whole only for what fits.
        fit = f"(({t}{n})({sub()}) & ({t}{n})(127))"
        return f"mul24({fit}, {low(sub())} >> 1)" if of.random() < 0.5 else f"mad24({fit}, {fit}, ({t}{n})({sub()}) & ({t}{n})(0xffff))"
    if kind == 21 and BITS[t] > 8:
        halves = {"short": "char", "ushort": "uchar", "int": "short", "uint": "ushort", "long": "int", "ulong": "uint"}[t]
        return f"upsample(({halves}{n})({sub(halves)}), ({unsigned(halves)}{n})({sub(unsigned(halves))}))"
    if kind == 22:
        return f"({t}{n})(~{sub()})"
    if kind == 23 and not n:
        m = of.choice(WIDTHS[1:])
        return f"({t})({of.choice(['any', 'all'])}(({signed(t)}{m})({sub(signed(t), m)})))"
    if kind == 24 and not n:
        m = of.choice(["2", "4", "8", "16"])
        return f"(({t}{m})({sub(t, m)})).s{'0123456789abcdef'[of.randrange(int(m))]}"
    return sub()


def integers(k):
    for _ in range(k.of.randint(3, 6)):
        t, n = k.of.choice(INTEGERS), k.of.choice(WIDTHS)
        for _ in range(2):
            k.fresh(t, n, k.load(t, n))
    for _ in range(k.of.randint(4, 8)):
        t, n = k.of.choice(list(k.variables))
        k.fresh(t, n, f"({t}{n})({integer_expression(k, t, n, 3)})")
    for (t, n), names in k.variables.items():
        k.out(t, n, names[-1])


def conversions(k):
    """Between numbers of all kinds, by every mode."""
    of = k.of
    for _ in range(8):
        n, t = of.choice(WIDTHS), of.choice(INTEGERS)
        at = of.choice([(0, FLOATS_AT), (FLOATS_AT, RAW_AT - FLOATS_AT), (RAW_AT, DATA_BYTES - RAW_AT)])
        mode = of.choice(["", "_rte", "_rtz", "_rtp", "_rtn"])
        f = k.fresh("float", n, k.load("float", n, *at))
        k.out(t, n, f"convert_{t}{n}_sat{mode}({f})")
        i = k.fresh(t, n, k.load(t, n))
        k.out("float", n, f"convert_float{n}{mode}({i})")
    for _ in range(3):
        n = of.choice(WIDTHS)
        f = k.fresh("float", n, k.load("float", n, *of.choice([(FLOATS_AT, RAW_AT - FLOATS_AT), (RAW_AT, DATA_BYTES - RAW_AT)])))
        h = f"h{k.count}"
        k.line(f"ushort {h}[{int(n or 1)}];")
        k.line(f"vstore_half{n}{of.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}(isnan({f}) ? ({'float' + n})(0) : {f}, 0, (private half *){h});" if not n else
               f"vstore_half{n}{of.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}(select({f}, (float{n})(0), isnan({f})), 0, (private half *){h});")
        for lane in range(int(n or 1)):
            k.out("ushort", "", f"{h}[{lane}]")
        k.out("float", n, f"vload_half{n}({k.index()} % 500u, (global const half *)((global const uchar *)in + {RAW_AT}))")


EXACT = ["floor", "ceil", "trunc", "rint", "round", "fabs"]
# What OpenCL allows each, in units of the last place; each runtime may err to its own side.
ONE = {"sqrt": 3, "rsqrt": 2, "exp": 3, "exp2": 3, "exp10": 3, "expm1": 3, "log": 3, "log2": 3, "log10": 3, "log1p": 2, "sin": 4, "cos": 4, "asin": 4, "acos": 4,
       "atan": 5, "sinh": 4, "cosh": 4, "tanh": 5, "asinh": 4, "acosh": 4, "atanh": 5, "cbrt": 2, "sinpi": 4, "cospi": 4, "erf": 16, "erfc": 16, "logb": 0, "sign": 0, "degrees": 2, "radians": 2}
TWO = {"fmin": 0, "fmax": 0, "fdim": 0, "copysign": 0, "fmod": 0, "remainder": 0, "nextafter": 0, "atan2": 6, "hypot": 4, "pow": 16, "step": 0}
TESTS = ["isfinite", "isinf", "isnan", "isnormal", "signbit"]
PAIRS = ["isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isordered", "isunordered"]


def floats(k):
    of = k.of
    k.before = "#pragma OPENCL FP_CONTRACT OFF\n"
    n = of.choice(WIDTHS)
    at = of.choice([(FLOATS_AT, RAW_AT - FLOATS_AT), (RAW_AT, DATA_BYTES - RAW_AT)])
    a, b, c = (k.fresh("float", n, k.load("float", n, *at)) for _ in range(3))
    for name in of.sample(EXACT, 3):
        k.out("float", n, f"{name}({a})")
    for name in of.sample(list(ONE), 6):
        k.out("float", n, f"{name}({a})", 2 * ONE[name])
    for name in of.sample(list(TWO), 5):
        k.out("float", n, f"{name}({a}, {b})", 2 * TWO[name])
    for name in of.sample(TESTS, 2):
        k.out("int", n, f"{name}({a})")
    for name in of.sample(PAIRS, 3):
        k.out("int", n, f"{name}({a}, {b})")
    k.out("float", n, f"{a} {of.choice('+-*')} {b}")
    k.out("float", n, f"{a} / {b}", 5)
    k.out("float", n, f"fma({a}, {b}, {c})")
    k.out("float", n, f"(({a} + {b}) * {c} - {a})")
    k.out("int", n, f"ilogb({a})")
    k.out("float", n, f"ldexp({a}, {of.randint(-150, 150)})")
    k.out("float", n, f"select({a}, {b}, isless({a}, {c}))")
    k.line(f"int{n} e{k.count};")
    k.out("float", n, f"frexp({a}, &e{k.count})")
    k.line(f"float{n} w{k.count};")
    k.out("float", n, f"modf({a}, &w{k.count})")
    k.out("float", n, f"w{k.count}")
    k.out("float", n, f"fract({a}, &w{k.count})")
    k.out("int", n, f"-({a} < {b})" if not n else f"({a} < {b})")


def doubles(k):
    of = k.of
    k.before = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
    n = of.choice(WIDTHS)
    names = []
    for _ in range(3):
        f = k.fresh("float", n, k.load("float", n, FLOATS_AT, RAW_AT - FLOATS_AT))
        names.append(k.fresh("double", n, f"convert_double{n}({f}) * {of.choice(['1.0', '1e-9', '1e30', '3.14159'])}" if of.random() < 0.7 else k.load("double", n, RAW_AT, DATA_BYTES - RAW_AT)))
    a, b, c = names
    for name in of.sample(EXACT, 3):
        k.out("double", n, f"{name}({a})")
    for name in of.sample([o for o in ONE if o not in ("degrees", "radians")], 2):
        k.out("double", n, f"{name}({a})", 2 * ONE[name])
    # What is the same for all items is computed once, by other instructions.
    same = f"(double)((global const float *)in)[{FLOATS_AT // 4 + of.randint(0, 4000)}]"
    for name in of.sample([o for o in ONE if o not in ("degrees", "radians")], 2):
        k.out("double", "", f"{name}({same})", 2 * ONE[name])
    k.out("double", n, f"pow((double{n})(fabs({same})), {a})", 2 * TWO["pow"])
    k.out("double", n, f"sqrt({a})", 0)
    k.out("double", n, f"{a} {of.choice('+-*')} {b}")
    k.out("double", n, f"{a} / {b}")
    k.out("double", n, f"fma({a}, {b}, {c})")
    k.out("double", n, f"fmin({a}, {b})")
    t = of.choice(INTEGERS)
    k.out(t, n, f"convert_{t}{n}_sat{of.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}({a})")
    i = k.fresh(t, n, k.load(t, n))
    k.out("double", n, f"convert_double{n}{of.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}({i})")
    k.out("float", n, f"convert_float{n}{of.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}({a})")
    k.out("long", n, f"isless({a}, {b})" if n else f"(long)isless({a}, {b})")


def statement(k, depth, loops, indent):
    """Of uints a, b, c, d and the private array p[16]; loops end by n, which each counts."""
    of, pad = k.of, "    " * indent
    v = lambda: of.choice("abcd")
    e = lambda: of.choice([f"{v()} + {v()}", f"{v()} ^ ({v()} >> {of.randint(1, 9)})", f"{v()} * {of.randint(3, 99)}u", f"p[{v()} & 15]", f"rotate({v()}, {of.randint(1, 31)}u)", f"{v()} - {of.randint(1, 999)}u",
                           f"mul_hi({v()}, {v()})", f"popcount({v()})", f"f{k.name}({v()}, {v()})"])
    test = lambda: of.choice([f"({v()} & {of.choice([1, 3, 4, 8])})", f"{v()} < {v()}", f"({v()} % {of.randint(2, 7)}u) == {of.randint(0, 2)}", f"(i & {of.choice([1, 2, 4, 16])})", f"{v()} > 0x{of.getrandbits(32):x}u"])
    kind = of.randrange(11) if depth else of.randrange(4)
    if kind < 3:
        k.lines.append(f"{pad}{v()} = {e()};")
    elif kind == 3:
        k.lines.append(f"{pad}p[{v()} & 15] {of.choice(['=', '+=', '^='])} {e()};")
    elif kind < 6:
        k.lines.append(f"{pad}if ({test()}) {{")
        for _ in range(of.randint(1, 3)):
            statement(k, depth - 1, loops, indent + 1)
        if of.random() < 0.5:
            k.lines.append(f"{pad}}} else {{")
            for _ in range(of.randint(1, 3)):
                statement(k, depth - 1, loops, indent + 1)
        k.lines.append(f"{pad}}}")
    elif kind < 9:
        n = f"n{k.count}"
        k.count += 1
        most = of.choice([f"({v()} & 7)", f"(i % {of.randint(2, 9)})", str(of.randint(1, 5)), f"({v()} % 6u)"])
        if of.random() < 0.6:
            k.lines.append(f"{pad}for (uint {n} = 0; {n} < {most} && {n} < 9; {n}++) {{")
        else:
            k.lines.append(f"{pad}{{\n{pad}uint {n} = 0;\n{pad}do {{\n{pad}    if (++{n} > 7)\n{pad}        break;")
        loop = k.lines[-1].startswith(f"{pad}for")
        for _ in range(of.randint(1, 3)):
            statement(k, depth - 1, loops + 1, indent + 1)
        k.lines.append(f"{pad}}}" if loop else f"{pad}}} while ({test()});\n{pad}}}")
    elif kind == 9:
        k.lines.append(f"{pad}switch ({v()} % {of.randint(3, 9)}u) {{")
        for case in sorted(of.sample(range(9), of.randint(2, 6))):
            k.lines.append(f"{pad}case {case}: {{")
            statement(k, depth - 1, 0, indent + 1)
            k.lines.append(f"{pad}}}" + (f"\n{pad}    break;" if of.random() < 0.7 else ""))
        k.lines.append(f"{pad}default: {{")
        statement(k, depth - 1, 0, indent + 1)
        k.lines.append(f"{pad}}}\n{pad}}}")
    elif loops:
        k.lines.append(f"{pad}if ({test()})\n{pad}    {of.choice(['break', 'continue'])};")
    elif of.random() < 0.2:
        k.lines.append(f"{pad}if ({v()} == 0x{of.getrandbits(32):x}u || (i % {of.randint(5, 20)}) == 3) {{\n{pad}    *(global uint4 *)(out + i * STRIDE) = (uint4)(a, b, c, d);\n{pad}    return;\n{pad}}}")


def flow(k):
    of = k.of
    no_inline = of.choice(["", "__attribute__((noinline)) "])
    k.before = (f"{no_inline}uint f{k.name}(uint x, uint y)\n{{\n    if (x & {of.choice([1, 2, 8])})\n        return y * {of.randint(3, 9)}u;\n    for (uint n = 0; n < (y & 3); n++)\n        x ^= y + n;\n    return x - y;\n}}\n")
    k.line("uint a = in[i], b = in[i + 77], c = i, d = in[(i * 5) & 4095], p[16];")
    k.line("for (uint n = 0; n < 16; n++)\n        p[n] = in[i + n * 3];")
    for _ in range(of.randint(5, 10)):
        statement(k, 3, 0, 1)
    k.line("for (uint n = 0; n < 16; n++)\n        a = rotate(a, 3u) ^ p[n];")
    k.line("*(global uint4 *)(out + i * STRIDE) = (uint4)(a, b, c, d);")
    k.outputs.append(("uint", 4, 0, 0, 0, "a, b, c, d"))
    k.bytes = 16


def local_memory(k):
    of = k.of
    items, group = of.choice([((64, 1, 1), (32, 1, 1)), ((74, 1, 1), (37, 1, 1)), ((21, 10, 1), (7, 5, 1)), ((6, 5, 7), (3, 5, 7)), ((51, 1, 1), (17, 1, 1)), ((256, 1, 1), (128, 1, 1)), ((200, 1, 1), (100, 1, 1)), ((26, 6, 2), (13, 3, 2))])
    k.items, k.group, k.total = items, group, items[0] * items[1] * items[2]
    size = group[0] * group[1] * group[2]
    t = of.choice(INTEGERS)
    k.local_bytes = 2 * size * BITS[t] // 8
    k.line(f"const uint at = get_local_id(0) + {group[0]}u * (get_local_id(1) + {group[1]}u * get_local_id(2));")
    k.line(f"local {t} *m = (local {t} *)l;")
    v = k.fresh(t, "", k.load(t, ""))
    k.line(f"m[at] = {v};")
    k.line("barrier(CLK_LOCAL_MEM_FENCE);")
    at = 0
    for _ in range(of.randint(2, 6)):
        kind = of.randrange(3)
        at ^= 1
        old, new = f"m[{size if at == 0 else 0}", f"m[{size if at else 0}"
        if kind == 0:
            k.line(f"{new} + at] = {old} + (at + {of.randint(1, size)}u) % {size}u] ^ {old} + at];")
        elif kind == 1:
            k.line(f"{new} + {size - 1}u - at] = ({t})({old} + at] {of.choice('&|^')} {old} + (at * {of.randint(1, 9)}u) % {size}u]);")
        else:
            k.line(f"if (at & {of.choice([1, 2, 8])}u)\n        {new} + at] = {old} + at / 2u];\n    else\n        {new} + at] = ({t}){of.choice(['max', 'min'])}({old} + at], {old} + {size - 1}u - at]);")
        k.line("barrier(CLK_LOCAL_MEM_FENCE);")
    k.out(t, "", f"m[{size if at else 0} + at]")
    k.out("uint", "", "get_group_id(0) + 100u * get_group_id(1) + 10000u * get_group_id(2)")
    k.out("uint", "", "at + 1000u * get_local_size(0) + 100000u * get_num_groups(0)")


def atomics(k):
    """Sums that do not depend on an order: of a group's, then of all, in one item's output each."""
    of = k.of
    k.items, k.group = of.choice([((128, 1, 1), (32, 1, 1)), ((74, 1, 1), (37, 1, 1)), ((21, 10, 1), (7, 5, 1))])
    k.total = k.items[0] * k.items[1] * k.items[2]
    size = k.group[0] * k.group[1] * k.group[2]
    k.local_bytes = 64
    t = of.choice(["int", "uint"])
    ops = of.sample(["add", "sub", "min", "max", "and", "or", "xor", "inc", "dec"], 4)
    k.line(f"const uint at = get_local_id(0) + {k.group[0]}u * get_local_id(1);")
    k.line(f"local volatile {t} *m = (local volatile {t} *)l;")
    k.line("if (at < 16)\n        m[at] = in[at + 9];\n    barrier(CLK_LOCAL_MEM_FENCE);")
    v = k.fresh(t, "", k.load(t, ""))
    for n, op in enumerate(ops):
        spread = of.choice(["", " + (at & 1)"])
        argument = "" if op in ("inc", "dec") else f", {v}"
        k.line(f"{'if (at % 3 != 1)' if of.random() < 0.4 else ''}\n        atomic_{op}(&m[{n * 4}{spread}]{argument});")
    k.line("{ uint old, now; do { old = m[15]; now = (old * 1u) + 3u; } while (atomic_cmpxchg((local volatile uint *)&m[15], old, now) != old); }")
    k.line("barrier(CLK_LOCAL_MEM_FENCE);")
    # All groups add into the output's last words, which are CDh at first.
    k.line(f"global volatile {t} *g = (global volatile {t} *)(out + {k.total - 1} * STRIDE + 16);")
    op = of.choice(["add", "xor", "min", "max", "and", "or", "sub"])
    k.line(f"atomic_{op}(&g[0], {v});\n    atomic_inc(&g[1]);\n    if (at == 0)\n        atomic_add(&g[2], m[0]);")
    k.line("{ global volatile uint *f = (global volatile uint *)&g[3]; uint old, now; do { old = *f; now = as_uint(as_float(old) + 1.0f); } while (atomic_cmpxchg(f, old, now) != old); }")
    k.line("*(global uint *)(out + i * STRIDE) = m[at & 15];")
    k.outputs.append(("uint", 1, 0, 0, 0, "local"))
    k.outputs.append(("uint", 4, 16, 0, 0, "global"))
    k.bytes = 32


def memory(k):
    """Vectors at any address that their elements may have, structures, constants."""
    of = k.of
    k.before = f"constant uchar c{k.name}[64] = {{{', '.join(str(of.randrange(256)) for _ in range(64))}}};\nstruct s{k.name} {{ uchar a; ushort b[3]; uint c; ulong d; char e[5]; }};\n"
    for _ in range(4):
        t, n = of.choice(INTEGERS), of.choice(WIDTHS[1:])
        size = BITS[t] // 8
        v = f"vload{n}(0, (global const {t} *)((global const uchar *)in + ({k.index()} % 1000u) * {size * of.choice([1, 3, 5])}u + {size * of.randint(0, 9)}))"
        k.out(t, n, k.fresh(t, n, v))
        k.out("uchar", "4", "vload4(0, (global const uchar *)in + i * 7 + 3)")
    k.line(f"struct s{k.name} x, y[3];")
    k.line(f"x.a = in[i]; x.b[0] = in[i + 1]; x.b[1] = i; x.b[2] = c{k.name}[i & 63]; x.c = in[i + 2]; x.d = in[i] * 0x100000001ul; for (int n = 0; n < 5; n++) x.e[n] = in[i + n] >> 8;")
    k.line("for (uint n = 0; n < 3; n++) { y[n] = x; y[n].c += n; y[n].e[n] = n; }")
    k.line("x = y[in[i] % 3u];")
    for t, value in (("uchar", "x.a"), ("ushort", "x.b[i % 3]"), ("uint", "x.c"), ("ulong", "x.d"), ("char", "x.e[i % 5]"), ("uchar", f"c{k.name}[in[i + 5] & 63]")):
        k.out(t, "", value)
    k.line(f"ushort q[24];\n    for (uint n = 0; n < 24; n++)\n        q[n] = in[i + n] >> (i & 7);\n    vstore4((ushort4)(1, 2, 3, 4), 0, q + (in[i] % 20u));")
    for at in ("in[i + 1] % 24u", "i % 24", "(i * 5) % 24"):
        k.out("ushort", "", f"q[{at}]")
    k.out("ushort", "8", "vload8(0, q + (in[i + 3] % 16u))")
    # More than registers hold, so that it lies in memory, each thread's own: all have written it before one reads.
    k.line("uint z[300], at = i;\n    for (uint n = 0; n < 300; n++)\n        z[n] = in[i + n] ^ n * (uint)i;\n    barrier(CLK_LOCAL_MEM_FENCE);")
    k.line("for (uint n = 0; n < 40; n++) {\n        at = z[at % 300u] + n;\n        z[(at >> 5) % 300u] += at;\n    }")
    k.out("uint", "", "at")
    k.out("uint", "4", "vload4(i % 75, z)")


ORDERS = {"R": 0x10b0, "RG": 0x10b2, "RGBA": 0x10b5, "BGRA": 0x10b6}
TYPES = {"snorm8": 0x10d0, "snorm16": 0x10d1, "unorm8": 0x10d2, "unorm16": 0x10d3, "i8": 0x10d7, "i16": 0x10d8, "i32": 0x10d9, "u8": 0x10da, "u16": 0x10db, "u32": 0x10dc, "f16": 0x10dd, "f32": 0x10de}
SHAPES = {"1": ("image1d_t", 1), "2": ("image2d_t", 2), "3": ("image3d_t", 4), "1a": ("image1d_array_t", 2), "2a": ("image2d_array_t", 4)}
SIZES = {"1": (61, 1, 1), "2": (29, 17, 1), "3": (29, 17, 7), "1a": (29, 17, 1), "2a": (29, 17, 7)}


def images(k, shape=None):
    of = k.of
    shape = shape or of.choice(list(SHAPES))
    kind = of.choice("fiu")
    order = of.choice(["R", "RG", "RGBA", "RGBA"]) if kind == "f" else "RGBA"
    type_ = {"f": of.choice(["snorm8", "snorm16", "unorm8", "unorm16"]), "i": of.choice(["i8", "i16", "i32"]), "u": of.choice(["u8", "u16", "u32"])}[kind]
    if kind == "f" and type_ == "unorm8" and of.random() < 0.4:
        order = "BGRA"
    image_type, lanes = SHAPES[shape]
    w, h, d = SIZES[shape]
    write = of.random() < 0.35 and shape != "3"
    k.image = (shape, ORDERS[order], TYPES[type_], f"{'write_only' if write else 'read_only'} {image_type} image")
    vector = {"f": "float4", "i": "int4", "u": "uint4"}[kind]
    if write:
        k.items, k.group, k.total = (w, h, d), (0, 0, 0), w * h * d
        at = {1: "(int)get_global_id(0)", 2: "(int2)(get_global_id(0), get_global_id(1))", 4: "(int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)"}[lanes]
        value = f"({vector})(((in[i] & 255) / 255.0f), ((in[i + 1] & 255) / 255.0f), ((i & 255) / 255.0f), 1.0f)" if kind == "f" else f"({vector})(in[i] & 127, in[i + 1] & 127, i & 127, 1)"
        k.line(f"if (in[i] & 3)\n        write_image{'f' if kind == 'f' else 'i' if kind == 'i' else 'ui'}(image, {at}, {value});")
        k.out("uint", "", "i")
        return
    read = {"f": "read_imagef", "i": "read_imagei", "u": "read_imageui"}[kind]
    for n in range(4):
        # What pocl 3.1 has otherwise than OpenCL is left out: normalized coordinates of arrays, and the alpha of R and RG, which is 1 at
        # borders and in integers.
        ways = [("FALSE", a) for a in ("CLAMP_TO_EDGE", "NONE")]
        if "a" not in shape:
            ways += [("TRUE", a) for a in ("CLAMP_TO_EDGE", "REPEAT", "MIRRORED_REPEAT")]
        if order in ("RGBA", "BGRA"):
            ways += [("FALSE", "CLAMP")] + [("TRUE", "CLAMP")] * ("a" not in shape)
        normalized, address = of.choice(ways)
        linear = kind == "f" and of.random() < 0.5
        sampler = f"CLK_NORMALIZED_COORDS_{normalized} | CLK_ADDRESS_{address} | CLK_FILTER_{'LINEAR' if linear else 'NEAREST'}"
        k.line(f"const sampler_t s{n} = {sampler};")
        inside = address == "NONE"
        coordinates = []
        for axis, size in enumerate((w, h, d)[:1 if lanes == 1 else 2 if lanes == 2 else 3]):
            layer = (shape == "1a" and axis == 1) or (shape == "2a" and axis == 2)
            base = f"(float)(in[i * 3 + {axis * 7 + n}] % {(size if inside or layer else 3 * size) * 8}u) / 8.0f"  # eighths: no two runtimes differ in what is nearer
            base = f"({base} + 0.0625f)" if not linear else base
            if layer:
                base = f"floor({base})"
            elif not inside:
                base = f"({base} - {size}.0f)"
            if linear and inside:
                base = f"clamp({base}, 1.0f, {size - 1}.0f)"
            if normalized == "TRUE" and not layer:
                base = f"({base} / {size}.0f)"
            coordinates.append(base)
        at = coordinates[0] if lanes == 1 else f"(float2)({', '.join(coordinates)})" if lanes == 2 else f"(float4)({', '.join(coordinates)}, 0.0f)"
        t = {"f": "float", "i": "int", "u": "uint"}[kind]
        # Filters weigh by 8 bits; a coordinate that was divided by the size may be off by its last bit.
        k.out(t, "4", f"{read}(image, s{n}, {at})", 0, 0.0 if kind != "f" else 0.02 if linear else 1e-6)
    at = {1: f"(int)(i % {w})", 2: f"(int2)(i % {w}, (i / {w}) % {h})", 4: f"(int4)(i % {w}, (i / {w}) % {h}, (i * 3) % {d}, 0)"}[lanes]
    k.out({"f": "float", "i": "int", "u": "uint"}[kind], "4", f"{read}(image, {at})", 0, 1e-6 if kind == "f" else 0)
    k.out("int", "", "get_image_width(image)")


ROOMS = {"integers": integers, "conversions": conversions, "floats": floats, "doubles": doubles, "flow": flow, "local": local_memory, "atomics": atomics, "memory": memory, "images": images}
EXACT_ROOMS = ["integers", "conversions", "flow", "local", "atomics", "memory"]


def file_of(room, seed, kernels=4):
    of = random.Random(f"{room} {seed}")
    made = []
    for n in range(kernels):
        k = Kernel(of, f"{room}_{seed}_{n}")
        ROOMS[room](k)
        made.append(k)
    return made


def ordered(bits, size):
    return bits if bits < 1 << (size - 1) else (1 << (size - 1)) - bits


def differences(k, want, got):
    """Where another's result is not what OpenCL allows beside this one: item, output, lane, both."""
    if len(want) != len(got):
        return [(0, f"{len(got)} bytes, not {len(want)}", 0, "", "")]
    if want == got:
        return []
    found = []
    stride, total = k.stride(), k.total
    for t, lanes, at, ulp, absolute, value in k.outputs:
        size = BITS[t] // 8
        code = {1: "B", 2: "H", 4: "I", 8: "Q"}[size]
        for item in range(total):
            from_ = item * stride + at
            a, b = want[from_:from_ + size * lanes], got[from_:from_ + size * lanes]
            if a == b:
                continue
            for lane in range(lanes):
                x, y = (struct.unpack_from(f"<{code}", of, size * lane)[0] for of in (a, b))
                if x == y:
                    continue
                if t in ("float", "double"):
                    fx, fy = (struct.unpack_from("<f" if size == 4 else "<d", of, size * lane)[0] for of in (a, b))
                    if fx != fx and fy != fy:
                        continue
                    if abs(ordered(x, 8 * size) - ordered(y, 8 * size)) <= ulp or abs(fx - fy) <= absolute:
                        continue
                    found.append((item, value, lane, f"{fx!r} {x:x}", f"{fy!r} {y:x}"))
                else:
                    found.append((item, value, lane, f"{x:x}", f"{y:x}"))
    if k.image:
        texels = total * stride
        a, b = want[texels:], got[texels:]
        if a != b and k.image[2] not in (0x10d0, 0x10d1, 0x10d2, 0x10d3):
            found.append((0, "the image", 0, "", f"{sum(x != y for x, y in zip(a, b))} bytes differ"))
        elif a != b:
            far = sum(abs(x - y) > 1 for x, y in zip(a, b))
            if far:
                found.append((0, "the image", 0, "", f"{far} bytes differ by more than 1"))
    return found


def results(path):
    """Of each kernel its status and what it wrote."""
    found = {}
    with open(path, "rb") as of:
        while line := of.readline():
            name, status, size = line.split()
            found[name.decode()] = (int(status), of.read(int(size)))
    return found


def digest(k, written):
    """Of what was written, whatever a number's payload is that is none."""
    of = bytearray(written)
    for t, lanes, at, *_ in k.outputs:
        if t == "float":
            for item in range(k.total):
                for lane in range(lanes):
                    place = item * k.stride() + at + 4 * lane
                    if (struct.unpack_from("<I", of, place)[0] & 0x7fffffff) > 0x7f800000:
                        struct.pack_into("<I", of, place, 0x7fc00000)
    return f"{zlib.crc32(of):08x}"


def make(folder, rooms, seeds, kernels):
    """Files of kernels, and their data; the kernels by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data").write_bytes(data(seeds[0]))
    files, made = [], {}
    for room in rooms:
        for seed in seeds:
            of = file_of(room, seed, kernels)
            file = folder / f"{room}_{seed}.cl"
            file.write_text(("//? cl_khr_fp64\n" if room == "doubles" else "") + "\n".join(k.text() for k in of))
            files.append(file)
            made.update({k.name: k for k in of})
    return files, made


def run(folder, name, files, *command):
    to = folder / f"{name}.out"
    to.unlink(missing_ok=True)
    done = subprocess.run([*command, to, folder / "data", *files], capture_output=True, text=True)
    (folder / f"{name}.err").write_text(done.stderr)
    return results(to) if to.exists() else {}, done.stderr


def compare(softgt, program, targets):
    """Others by chance, each against pocl's."""
    here = pathlib.Path(__file__).resolve().parent
    seed, count = int(os.environ.get("SEED", 1)), int(os.environ.get("COUNT", 4))
    folder = pathlib.Path(os.environ.get("KEEP") or tempfile.mkdtemp())
    files, kernels = make(folder, os.environ.get("ROOMS", " ".join(ROOMS)).split(), range(seed, seed + count), 4)
    want, _ = run(folder, "pocl", files, program)
    wrong_of_all = 0
    for target in targets:
        driver, device = target.split("/")
        wrapper = [here / driver] if driver in ("neo", "forky") else [here / "packaged", driver]
        interface = ["--driver", "xe"] if driver == "forky" else []
        got = {}
        for file in files:  # each alone: where a compiler ends the process, the others still have theirs
            got |= run(folder, f"{driver}-{device}-{file.stem}", [file], *wrapper, softgt, "exec", *interface, "--device", device, program)[0]
        wrong = 0
        for name, k in kernels.items():
            if name not in want or want[name][0] != 0:
                print(f"# {name}: pocl has no result")
                continue
            if name not in got and name.startswith("doubles"):
                continue
            if name not in got or got[name][0] != 0:
                print(f"# {name}: {target} has no result: {got.get(name, ('not built',))[0]}")
                wrong += 1
                continue
            found = differences(k, want[name][1], got[name][1])
            wrong += bool(found)
            if found:
                print(f"# {name} by {target}: {len(found)} differ")
            first = {value: (item, lane, a, b) for item, value, lane, a, b in reversed(found)}
            for value, (item, lane, a, b) in list(first.items())[-6:]:
                print(f"#   item {item} lane {lane}: {value}: {a}, not {b}")
        print(f"{target}: {len(kernels)} kernels, {wrong} differ", flush=True)
        wrong_of_all += wrong
    sys.exit(wrong_of_all != 0)


def main():
    softgt, program, targets = sys.argv[1], sys.argv[2], sys.argv[3:]
    if targets:
        compare(softgt, program, targets)
    here = pathlib.Path(__file__).resolve()
    known = here.with_suffix(".txt")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        files, kernels = make(folder, EXACT_ROOMS, [1], 2)
        if softgt == "-":
            found, _ = run(folder, "pocl", files, program)
            known.write_text("".join(f"{name} {digest(k, found[name][1])}\n" for name, k in kernels.items()))
            return
        want = dict(line.split() for line in known.read_text().splitlines())
        number = failed = skipped = 0
        for wrapper, devices, *options in ("neo", ("bdw", "skl", "icl", "tgl", "dg2")), ("forky", ("bmg", "lnl"), "--driver", "xe"):
            result = Results(here.parent / wrapper, "runtime", 12)
            result.number = number
            for device in devices:
                found, errors = {}, ""
                if not result.there.returncode:
                    found, errors = run(folder, device, files, here.parent / wrapper, softgt, "exec", *options, "--device", device, program)
                wrong = [name for name, k in kernels.items() if name not in found or digest(k, found[name][1]) != want[name]]
                result(not wrong and ", 0 hung" in errors, f"{len(want)} kernels made up by chance on {device}", f"wrong: {' '.join(wrong)}\n{errors}")
            number, failed, skipped = result.number, failed + result.failed, skipped + (result.there.returncode == 77)
        print(f"1..{number}")
        sys.exit(77 if skipped == 2 else failed != 0)


if __name__ == "__main__":
    main()
