#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
uint collatz(uint n)
{
    uint steps = 0;
    while (n != 1 && steps < 200) {
        n = (n & 1) != 0 ? n * 3 + 1 : n / 2;
        steps++;
    }
    return steps;
}
void main()
{
    uint i = gl_GlobalInvocationID.x, v = a[i] % 1000 + 1, sum = 0;
    uint table[16];
    for (uint k = 0; k < 16; k++)
        table[(k * 5 + v) % 16] = k * v;
    for (uint k = 0; k < v % 37; k++) {
        if ((k ^ v) % 7 == 3)
            continue;
        if (sum > 100000)
            break;
        sum += table[(k + i) % 16];
    }
    switch (v % 5) {
    case 0: sum ^= bitfieldReverse(v); break;
    case 1: sum ^= uint(findMSB(v)); break;
    case 2: sum += uint(bitCount(v)) << 8;
    case 3: sum ^= bitfieldExtract(a[i], 5, 9); break;
    default: sum = bitfieldInsert(sum, v, 8, 8);
    }
    b[2 * i] = collatz(v);
    b[2 * i + 1] = sum;
}
