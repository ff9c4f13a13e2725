/*
 * Tables of compaction. Source: Mesa src/intel/compiler brw_eu_compact.c, after the manuals' "EU Compact
 * Instructions". The bits of an entry go to the pieces of its row, lowest first.
 */
#include "isa/isa.h"

// clang-format off
static const uint64_t control6[32] = {
    0x00000, 0x08000, 0x06000, 0x00100, 0x02000, 0x01100, 0x00102, 0x00002, 0x08100, 0x0a000, 0x16000,
    0x04000, 0x1a000, 0x18000, 0x09100, 0x08008, 0x08004, 0x00008, 0x00004, 0x07100, 0x01102, 0x06100,
    0x06001, 0x04001, 0x06002, 0x06005, 0x06009, 0x06010, 0x06003, 0x06004, 0x06108, 0x04009,
};
static const uint64_t types6[32] = {
    0x09c00, 0x08c20, 0x09c01, 0x08060, 0x0ad29, 0x081ad, 0x0c62c, 0x0bdad, 0x081ec, 0x08061, 0x08ca5,
    0x08041, 0x08231, 0x08229, 0x08020, 0x08232, 0x0a529, 0x0b4a5, 0x081a5, 0x0c629, 0x0b62c, 0x0b5a5,
    0x0bda5, 0x0f7bd, 0x0f7bc, 0x0f7bd, 0x0f79d, 0x0f7be, 0x08021, 0x08022, 0x09fdd, 0x083be,
};
static const uint64_t subregisters6[32] = {
    0x0000, 0x0004, 0x0180, 0x7000, 0x3c08, 0x0400, 0x0010, 0x0c0c, 0x1000, 0x0200, 0x0294, 0x0056, 0x2000,
    0x6000, 0x0800, 0x0080, 0x0008, 0x4000, 0x0280, 0x1400, 0x1800, 0x0054, 0x5a94, 0x2800, 0x008f, 0x3000,
    0x7c00, 0x5000, 0x000f, 0x088f, 0x108f, 0x0c00,
};
static const uint64_t source6[32] = {
    0x000, 0x588, 0x468, 0x228, 0x690, 0x120, 0x46c, 0x570, 0x678, 0x328, 0x58c, 0x220, 0x58a, 0x002, 0x550,
    0x568, 0xf4c, 0xf2c, 0x670, 0x589, 0x558, 0x348, 0x42c, 0x400, 0x370, 0x310, 0x300, 0x46a, 0x378, 0x070,
    0x320, 0x350,
};
static const uint64_t types7[32] = {
    0x08001, 0x08020, 0x08021, 0x08061, 0x080bd, 0x082fd, 0x083a1, 0x083a5, 0x083bd, 0x08421, 0x08c20,
    0x08c21, 0x094a5, 0x09ca4, 0x09ca5, 0x0f3bd, 0x0f79d, 0x0f7bc, 0x0f7bd, 0x0ffbc, 0x0020c, 0x0803d,
    0x080a5, 0x08420, 0x094a4, 0x09c84, 0x0a509, 0x0dfbd, 0x0ffbd, 0x0bdac, 0x0a528, 0x0ad28,
};
static const uint64_t subregisters7[32] = {
    0x0000, 0x0001, 0x0008, 0x000f, 0x0010, 0x0080, 0x0100, 0x0180, 0x0200, 0x0210, 0x0500, 0x1000, 0x1001,
    0x1081, 0x1082, 0x1083, 0x1084, 0x1087, 0x1088, 0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000,
    0x3c87, 0x4000, 0x5000, 0x6000, 0x7000, 0x701c,
};
static const uint64_t control9[32] = {
    0x00002, 0x04000, 0x04001, 0x04002, 0x04003, 0x04004, 0x04005, 0x04007, 0x04008, 0x04009, 0x0400d,
    0x06000, 0x06001, 0x06002, 0x06003, 0x06004, 0x06005, 0x06007, 0x06009, 0x0600d, 0x06010, 0x06100,
    0x08000, 0x08002, 0x08004, 0x08100, 0x16000, 0x16010, 0x18000, 0x18100, 0x28000, 0x28100,
};
static const uint64_t types9[32] = {
    0x40001, 0x40040, 0x40041, 0x400c1, 0x4015d, 0x405dd, 0x40741, 0x40745, 0x4075d, 0x41041, 0x43040,
    0x43041, 0x45145, 0x47144, 0x47145, 0x5c75d, 0x5d71d, 0x5d75c, 0x5d75d, 0x5f75c, 0x0040c, 0x4005d,
    0x40145, 0x41040, 0x45144, 0x47104, 0x49209, 0x5775d, 0x5f75d, 0x4f34c, 0x49248, 0x4b248,
};
static const uint64_t subregisters9[32] = {
    0x0000, 0x0001, 0x0008, 0x000f, 0x0010, 0x0080, 0x0100, 0x0180, 0x0200, 0x0210, 0x0280, 0x1000, 0x1001,
    0x1081, 0x1082, 0x1083, 0x1084, 0x1087, 0x1088, 0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000,
    0x3c87, 0x4000, 0x5000, 0x6000, 0x7000, 0x701c,
};
static const uint64_t source9[32] = {
    0x000, 0x002, 0x010, 0x012, 0x018, 0x020, 0x028, 0x048, 0x050, 0x070, 0x078, 0x300, 0x302, 0x308, 0x310,
    0x312, 0x320, 0x328, 0x338, 0x340, 0x342, 0x348, 0x350, 0x360, 0x368, 0x370, 0x371, 0x378, 0x468, 0x469,
    0x46a, 0x588,
};
static const uint64_t types11[32] = {
    0x40001, 0x40040, 0x40041, 0x400c1, 0x40165, 0x40be5, 0x40941, 0x40945, 0x40965, 0x41041, 0x43040,
    0x43041, 0x45145, 0x47144, 0x47145, 0x64965, 0x65925, 0x65964, 0x65965, 0x67964, 0x0040c, 0x40065,
    0x40145, 0x41040, 0x45144, 0x47104, 0x49209, 0x6f965, 0x67965, 0x4f34c, 0x49248, 0x4b248,
};
static const uint64_t control12[32] = {
    0x00004, 0x00003, 0x02000, 0x02004, 0x02003, 0x80004, 0x00024, 0xa0004, 0x00000, 0x10004, 0x00013,
    0x60004, 0x20004, 0x22004, 0x40004, 0x00104, 0xa0003, 0x00184, 0x02001, 0x00144, 0x001c4, 0x82004,
    0x00023, 0x00033, 0xa2004, 0x80003, 0x22000, 0x10003, 0xa0084, 0x20003, 0x08003, 0x02024,
};
static const uint64_t types12[32] = {
    0xd6954, 0x06954, 0x02b54, 0x56d54, 0xd4954, 0xd2954, 0x54d54, 0x00800, 0xd0954, 0x2eccc, 0xb68cc,
    0x52d54, 0x96844, 0x50d54, 0x36ccc, 0x16c44, 0x07154, 0x2cccc, 0x00822, 0x02844, 0x26c2a, 0x0ec22,
    0x97044, 0x0694c, 0x8c8cc, 0x06854, 0x2ec4c, 0x02822, 0x06834, 0x06814, 0x068d4, 0x02954,
};
static const uint64_t subregisters12[32] = {
    0x0000, 0x4000, 0x1000, 0x3000, 0x0080, 0x2000, 0x5000, 0x0008, 0x0100, 0x6000, 0x7000, 0x0200, 0x0004,
    0x0300, 0x0280, 0x0180, 0x0380, 0x001c, 0x0010, 0x000c, 0x0018, 0x0014, 0x0002, 0x0140, 0x0040, 0x0084,
    0x005c, 0x0042, 0x018c, 0x0020, 0x0060, 0x6300,
};
static const uint64_t first12[16] = {
    0x464, 0x000, 0x466, 0x465, 0x002, 0x200, 0x240, 0x340, 0x224, 0x300, 0x226, 0x344, 0x467, 0x100, 0x001,
    0xf10,
};
static const uint64_t second12[16] = {
    0x119, 0x000, 0x919, 0x800, 0x519, 0x8d0, 0x080, 0x089, 0x889, 0x0d0, 0x0d1, 0x0c0, 0xd19, 0x400, 0xc00,
    0x8d1,
};
static const uint64_t first125[16] = {
    0x100, 0x000, 0x102, 0x101, 0x002, 0x200, 0x240, 0x340, 0x300, 0x103, 0x001, 0xf10, 0x460, 0x140, 0x448,
    0x202,
};
static const uint64_t second125[16] = {
    0x040, 0x000, 0x840, 0x800, 0x440, 0x8d0, 0x080, 0x0d0, 0x0c0, 0xc40, 0x400, 0xc00, 0x118, 0x880, 0x809,
    0x844,
};
static const uint64_t three_control9[4] = {
    0x806001, 0x006001, 0x008001, 0x008021,
};
static const uint64_t three_source9[4] = {
    0x7272720f000, 0x7272720f002, 0x7272720f008, 0x7272720f020,
};
static const uint64_t three_control12[32] = {
    0x4a540004, 0x4a540003, 0x48540003, 0x4a542003, 0x48542003, 0x48540013, 0x4a540013, 0x48542013,
    0x4a542013, 0x4a542004, 0x48540004, 0x4a550004, 0x4a540024, 0x48542004, 0x4a542000, 0x4a550003,
    0x48542033, 0x48542023, 0x4a542033, 0x4a542023, 0x48540023, 0x48540033, 0x4a540023, 0x4a540033,
    0x48550004, 0x4a552004, 0x4a542024, 0x4a442000, 0x48540024, 0x4a550024, 0x4a542002, 0x48550003,
};
static const uint64_t three_control125[32] = {
    0x094540004, 0x094540003, 0x090540003, 0x094542003, 0x090542003, 0x090540013, 0x094540013, 0x090542013,
    0x094542013, 0x094542004, 0x090540004, 0x094550004, 0x094540024, 0x090542004, 0x094542000, 0x094550003,
    0x090542023, 0x090542033, 0x094542023, 0x094542033, 0x090540033, 0x090540023, 0x027cc0003, 0x007cc4003,
    0x127cc4003, 0x107cc4003, 0x127cc0003, 0x007cc0003, 0x027cc4003, 0x107cc0003, 0x16f544003, 0x16f540003,
};
static const uint64_t three_source12[32] = {
    0x12c300, 0x12c242, 0x16c343, 0x12c343, 0x160143, 0x16c34b, 0x14c343, 0x10c300, 0x16c300, 0x16cb43,
    0x16e343, 0x160100, 0x10c343, 0x12e300, 0x12e343, 0x12c34b, 0x120143, 0x12c308, 0x120100, 0x16e300,
    0x12cb00, 0x14c300, 0x12cb43, 0x16cb4b, 0x14c34b, 0x16e34b, 0x162143, 0x160943, 0x16c308, 0x16cb00,
    0x120943, 0x14cb43,
};
static const uint64_t three_source125[32] = {
    0x120300, 0x120201, 0x160301, 0x120301, 0x160101, 0x160309, 0x140301, 0x160300, 0x100300, 0x160b01,
    0x162301, 0x160100, 0x100301, 0x122300, 0x122301, 0x120309, 0x120101, 0x120308, 0x120100, 0x162300,
    0x120b00, 0x140300, 0x120b01, 0x160b09, 0x122100, 0x120900, 0x122900, 0x121100, 0x121900, 0x120500,
    0x121500, 0x122500,
};
static const uint64_t three_subregisters12[32] = {
    0x00000, 0x20000, 0x00180, 0xa0000, 0x80380, 0x60000, 0x40000, 0x02000, 0x01000, 0xc0000, 0x80000,
    0xe0000, 0x06000, 0x00080, 0x04000, 0x03000, 0x05000, 0x07000, 0x00100, 0x00200, 0x00300, 0x00280,
    0x00380, 0xc0380, 0x20100, 0x20180, 0x40180, 0x80300, 0x80280, 0x60080, 0xa0380, 0x40080,
};
static const uint64_t control200[32] = {
    0x00004, 0x00800, 0x00084, 0x00000, 0x00804, 0x10004, 0x14004, 0x00802, 0x00005, 0x00803, 0x0c800,
    0x02004, 0x04004, 0x00801, 0x0c004, 0x04800, 0x14802, 0x10800, 0x10802, 0x14800, 0x08004, 0x00124,
    0x14803, 0x0011c, 0x10803, 0x0010c, 0x00114, 0x00134, 0x0013c, 0x0012c, 0x00104, 0x14024,
};
static const uint64_t types200[32] = {
    0xd6954, 0xd4954, 0x06954, 0x06844, 0x56d54, 0xd2954, 0xbe8ee, 0x00800, 0x56954, 0x02a44, 0x2eccc,
    0xd0954, 0x54954, 0x54d54, 0x02b54, 0x068cc, 0x2ecee, 0x06866, 0x50954, 0xb68cc, 0x52954, 0x07044,
    0x36cce, 0x2cccc, 0xde976, 0x52d54, 0x96844, 0x02844, 0x0ec44, 0x02aac, 0x50d54, 0x04844,
};
static const uint64_t subregisters200[16] = {
    0x000, 0x080, 0x004, 0x400, 0x200, 0x008, 0x100, 0x500, 0x600, 0x180, 0x010, 0x680, 0x300, 0x700, 0x580,
    0x480,
};
static const uint64_t first200[8] = {
    0x100, 0x000, 0x200, 0x102, 0x300, 0x101, 0x002, 0x240,
};
static const uint64_t second200[16] = {
    0x0800, 0x0000, 0x8800, 0x0010, 0x0008, 0x0018, 0x0050, 0x0040, 0x0020, 0x0078, 0x0038, 0x0028, 0x0058,
    0x0048, 0x0070, 0x0030,
};
static const uint64_t three_control200[16] = {
    0x0128a8004, 0x0120a8004, 0x0128a8804, 0x0120a8804, 0x01b8ec004, 0x01b8ec084, 0x01b0ec004, 0x0128a8005,
    0x0120a8005, 0x0120aa004, 0x0128aa004, 0x01b0ec084, 0x0128a8800, 0x012888004, 0x036998005, 0x01b0ec003,
};
static const uint64_t blocks_control200[16] = {
    0x000f99004, 0x004f99004, 0x020f99004, 0x024f99004, 0x000f98004, 0x024f98004, 0x02dea9004, 0x02df69004,
    0x02deb5004, 0x02df75004, 0x02dea8004, 0x009ea9004, 0x009e69004, 0x009ea5004, 0x009e65004, 0x009ea8004,
};
static const uint64_t three_source200[16] = {
    0x160301, 0x160201, 0x120300, 0x120201, 0x120301, 0x100300, 0x100301, 0x160b01, 0x140301, 0x140201,
    0x100201, 0x120100, 0x120101, 0x160a01, 0x122301, 0x122201,
};
static const uint64_t blocks_source200[16] = {
    0x120100, 0x120500, 0x120900, 0x121100, 0x121500, 0x121900, 0x122100, 0x122500, 0x122900, 0x120102,
    0x120502, 0x121102, 0x121502, 0x122902, 0x12010e, 0x12150e,
};
static const uint64_t three_subregisters200[32] = {
    0x00000, 0x20000, 0x80000, 0x10000, 0xe0000, 0x50000, 0xb0000, 0x400c0, 0x60000, 0xa0000, 0xc0000,
    0x40000, 0x70180, 0xa0240, 0xd0300, 0x70000, 0xf0000, 0x90000, 0x30000, 0x20080, 0x10040, 0x300c0,
    0xd0000, 0x00040, 0x05800, 0x04000, 0x00080, 0x00300, 0x00340, 0x06800, 0x00200, 0x003c0,
};
// clang-format on

#define BITS(last, first)                                                                                    \
    {                                                                                                        \
        first, (last) - (first) + 1                                                                          \
    }
#define BIT(at)                                                                                              \
    {                                                                                                        \
        at, 1                                                                                                \
    }
#define TABLE(numbers) .table = (numbers), .count = sizeof(numbers) / sizeof((numbers)[0])
#define FROM(...)      .from = {__VA_ARGS__}
#define TO(...)        .pieces = {__VA_ARGS__}
#define ROW(set, form, p, ...)                                                                               \
    {                                                                                                        \
        .generations = (set), .forms = (form), .part = PART_##p, __VA_ARGS__                                 \
    }

enum {
    TWO = 1 << FORM_NONE | 1 << FORM_UNARY | 1 << FORM_BINARY,
    THREE = 1 << FORM_TERNARY | 1 << FORM_MACRO | 1 << FORM_BFN | 1 << FORM_DPAS,
    BLOCKS = 1 << FORM_DPAS,
    BOTH = TWO | THREE,
};

const struct eu_compact_row eu_compact_rows[] = {
    ROW(EU_GEN8_UP, BOTH, ALWAYS, FROM(BITS(6, 0)), TO(BITS(6, 0))),
    ROW(EU_GEN6_75, TWO, ALWAYS, FROM(BITS(6, 0)), TO(BITS(6, 0))),

    /* Gen6. Up to Gen7.5 instructions with three sources are not compacted. */
    ROW(EU_GEN6, TWO, ALWAYS, FROM(BITS(12, 8)), TABLE(control6), TO(BITS(23, 8), BIT(31))),
    ROW(EU_GEN6, TWO, ALWAYS, FROM(BITS(17, 13)), TABLE(types6), TO(BITS(46, 32), BITS(63, 61))),
    ROW(EU_GEN6, TWO, ALWAYS, FROM(BITS(22, 18)), TABLE(subregisters6),
        TO(BITS(52, 48), BITS(68, 64), BITS(100, 96))),
    ROW(EU_GEN6, TWO, ALWAYS, FROM(BIT(28)), TO(BIT(89))),
    ROW(EU_GEN6, TWO, ALWAYS, FROM(BITS(34, 30)), TABLE(source6), TO(BITS(88, 77))),
    ROW(EU_GEN6, TWO, REGISTER, FROM(BITS(39, 35)), TABLE(source6), TO(BITS(120, 109))),

    /* Gen7. The control index has the flag register. */
    ROW(EU_GEN7_75, TWO, ALWAYS, FROM(BITS(12, 8)), TABLE(control9), TO(BITS(23, 8), BIT(31), BITS(90, 89))),
    ROW(EU_GEN7_75, TWO, ALWAYS, FROM(BITS(17, 13)), TABLE(types7), TO(BITS(46, 32), BITS(63, 61))),
    ROW(EU_GEN7_75, TWO, ALWAYS, FROM(BITS(22, 18)), TABLE(subregisters7),
        TO(BITS(52, 48), BITS(68, 64), BITS(100, 96))),
    ROW(EU_GEN7_75, TWO, ALWAYS, FROM(BITS(34, 30)), TABLE(source9), TO(BITS(88, 77))),
    ROW(EU_GEN7_75, TWO, REGISTER, FROM(BITS(39, 35)), TABLE(source9), TO(BITS(120, 109))),

    /* Up to Gen11. */
    ROW(EU_GEN6_11, TWO, ALWAYS, FROM(BIT(7)), TO(BIT(30))),
    ROW(EU_GEN8_11, TWO, ALWAYS, FROM(BITS(12, 8)), TABLE(control9),
        TO(BIT(8), BIT(34), BITS(10, 9), BITS(23, 12), BITS(33, 31))),
    ROW(EU_GEN8_9, TWO, ALWAYS, FROM(BITS(17, 13)), TABLE(types9),
        TO(BITS(46, 35), BITS(94, 89), BITS(63, 61))),
    ROW(EU_GEN11, TWO, ALWAYS, FROM(BITS(17, 13)), TABLE(types11),
        TO(BITS(46, 35), BITS(94, 89), BITS(63, 61))),
    ROW(EU_GEN8_11, TWO, ALWAYS, FROM(BITS(22, 18)), TABLE(subregisters9),
        TO(BITS(52, 48), BITS(68, 64), BITS(100, 96))),
    ROW(EU_GEN6_11, TWO, ALWAYS, FROM(BIT(23)), TO(BIT(28))),
    ROW(EU_GEN6_11, TWO, ALWAYS, FROM(BITS(27, 24)), TO(BITS(27, 24))),
    ROW(EU_GEN8_11, TWO, ALWAYS, FROM(BITS(34, 30)), TABLE(source9), TO(BITS(88, 77))),
    ROW(EU_GEN6_11, TWO, ALWAYS, FROM(BITS(47, 40)), TO(BITS(60, 53))),
    ROW(EU_GEN6_11, TWO, ALWAYS, FROM(BITS(55, 48)), TO(BITS(76, 69))),
    ROW(EU_GEN8_11, TWO, REGISTER, FROM(BITS(39, 35)), TABLE(source9), TO(BITS(120, 109))),
    ROW(EU_GEN6_11, TWO, REGISTER, FROM(BITS(63, 56)), TO(BITS(108, 101))),
    ROW(EU_GEN6_11, TWO, IMMEDIATE, FROM(BITS(63, 56), BITS(39, 35)), TO(BITS(127, 96))),

    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(9, 8)), TABLE(three_control9),
        TO(BITS(28, 8), BITS(34, 32), BITS(36, 35))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(11, 10)), TABLE(three_source9),
        TO(BITS(55, 37), BITS(72, 65), BITS(93, 86), BITS(114, 107), BITS(84, 83), BITS(105, 104),
           BITS(126, 125))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(18, 12)), TO(BITS(62, 56))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BIT(28)), TO(BIT(64))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(31, 30)), TO(BITS(31, 30))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BIT(32)), TO(BIT(85))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BIT(33)), TO(BIT(106))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(36, 34)), TO(BITS(75, 73))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(39, 37)), TO(BITS(96, 94))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(42, 40)), TO(BITS(117, 115))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(49, 43)), TO(BITS(82, 76))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(56, 50)), TO(BITS(103, 97))),
    ROW(EU_GEN8_9, THREE, ALWAYS, FROM(BITS(63, 57)), TO(BITS(124, 118))),

    /* Gen12 on. */
    ROW(EU_GEN12_UP, BOTH, ALWAYS, FROM(BIT(7)), TO(BIT(30))),
    ROW(EU_GEN12_125, BOTH, ALWAYS, FROM(BITS(15, 8)), TO(BITS(15, 8))),
    ROW(EU_GEN12_125, BOTH, ALWAYS, FROM(BITS(23, 16)), TO(BITS(63, 56))),
    ROW(EU_GEN12_UP, BOTH, ALWAYS, FROM(BITS(47, 40)), TO(BITS(79, 72))),
    ROW(EU_GEN12_125, TWO, ALWAYS, FROM(BITS(28, 24)), TABLE(control12),
        TO(BITS(28, 16), BITS(34, 31), BITS(95, 92))),
    ROW(EU_GEN12_125, TWO, ALWAYS, FROM(BITS(34, 30)), TABLE(types12),
        TO(BITS(43, 35), BITS(47, 46), BITS(50, 48), BIT(66), BITS(91, 88), BIT(98))),
    ROW(EU_GEN12_125, TWO, ALWAYS, FROM(BITS(39, 35)), TABLE(subregisters12),
        TO(BITS(55, 51), BITS(71, 67), BITS(103, 99))),
    ROW(EU_GEN12, TWO, ALWAYS, FROM(BITS(51, 48)), TABLE(first12),
        TO(BITS(45, 44), BITS(65, 64), BITS(87, 80))),
    ROW(EU_GEN125, TWO, ALWAYS, FROM(BITS(51, 48)), TABLE(first125),
        TO(BITS(45, 44), BITS(65, 64), BITS(87, 80))),
    ROW(EU_GEN12, TWO, REGISTER, FROM(BITS(55, 52)), TABLE(second12), TO(BITS(97, 96), BITS(121, 112))),
    ROW(EU_GEN125, TWO, REGISTER, FROM(BITS(55, 52)), TABLE(second125), TO(BITS(97, 96), BITS(121, 112))),
    ROW(EU_GEN12_UP, TWO, REGISTER, FROM(BITS(63, 56)), TO(BITS(111, 104))),
    ROW(EU_GEN12_UP, TWO, IMMEDIATE, FROM(BITS(63, 52)), TO(BITS(127, 96))),

    ROW(EU_GEN12, THREE, ALWAYS, FROM(BITS(28, 24)), TABLE(three_control12),
        TO(BITS(28, 16), BITS(34, 31), BITS(42, 36), BIT(48), BIT(50), BITS(82, 80), BITS(90, 88),
           BITS(95, 92))),
    ROW(EU_GEN125, THREE, ALWAYS, FROM(BITS(28, 24)), TABLE(three_control125),
        TO(BITS(28, 16), BITS(34, 31), BITS(42, 36), BITS(50, 48), BITS(82, 80), BITS(90, 88), BITS(95, 92))),
    ROW(EU_GEN12, THREE, ALWAYS, FROM(BITS(34, 30)), TABLE(three_source12),
        TO(BIT(35), BITS(47, 43), BITS(66, 64), BITS(87, 83), BIT(91), BITS(98, 96), BITS(114, 112))),
    ROW(EU_GEN125, THREE, ALWAYS, FROM(BITS(34, 30)), TABLE(three_source125),
        TO(BIT(35), BITS(47, 43), BITS(66, 64), BITS(87, 83), BIT(91), BITS(98, 96), BITS(114, 112))),
    ROW(EU_GEN12_125, THREE, ALWAYS, FROM(BITS(39, 35)), TABLE(three_subregisters12),
        TO(BITS(55, 51), BITS(71, 67), BITS(103, 99), BITS(119, 115))),
    ROW(EU_GEN12_UP, THREE, ALWAYS, FROM(BITS(55, 48)), TO(BITS(127, 120))),
    ROW(EU_GEN12_UP, THREE, ALWAYS, FROM(BITS(63, 56)), TO(BITS(111, 104))),

    /* Gen20. The table of source 1 has its subregister; blocks have tables of their own. */
    ROW(EU_GEN200, BOTH, ALWAYS, FROM(BITS(17, 8)), TO(BITS(17, 8))),
    ROW(EU_GEN200, BOTH, ALWAYS, FROM(BITS(39, 32)), TO(BITS(63, 56))),
    ROW(EU_GEN200, TWO, ALWAYS, FROM(BITS(22, 18)), TABLE(control200),
        TO(BITS(28, 18), BITS(32, 31), BIT(34), BITS(95, 92))),
    ROW(EU_GEN200, TWO, ALWAYS, FROM(BITS(28, 26), BITS(31, 30)), TABLE(types200),
        TO(BITS(43, 35), BITS(47, 46), BITS(50, 48), BIT(66), BITS(91, 88), BIT(98))),
    ROW(EU_GEN200, TWO, ALWAYS, FROM(BITS(51, 48)), TABLE(subregisters200),
        TO(BIT(33), BITS(55, 51), BITS(71, 67), BIT(87))),
    ROW(EU_GEN200, TWO, ALWAYS, FROM(BITS(25, 23)), TABLE(first200),
        TO(BITS(45, 44), BITS(65, 64), BITS(86, 80))),
    ROW(EU_GEN200, TWO, REGISTER, FROM(BITS(55, 52)), TABLE(second200),
        TO(BITS(97, 96), BITS(103, 99), BITS(118, 112), BITS(121, 120))),
    ROW(EU_GEN200, THREE & ~BLOCKS, ALWAYS, FROM(BITS(21, 18)), TABLE(three_control200),
        TO(BITS(28, 18), BITS(32, 31), BIT(34), BITS(42, 36), BITS(50, 48), BITS(82, 80), BITS(90, 88),
           BITS(95, 92))),
    ROW(EU_GEN200, BLOCKS, ALWAYS, FROM(BITS(21, 18)), TABLE(blocks_control200),
        TO(BITS(28, 18), BITS(32, 31), BIT(34), BITS(42, 36), BITS(50, 48), BITS(82, 80), BITS(90, 88),
           BITS(95, 92))),
    ROW(EU_GEN200, THREE & ~BLOCKS, ALWAYS, FROM(BITS(25, 22)), TABLE(three_source200),
        TO(BIT(35), BITS(47, 43), BITS(66, 64), BITS(87, 83), BIT(91), BITS(98, 96), BITS(114, 112))),
    ROW(EU_GEN200, BLOCKS, ALWAYS, FROM(BITS(25, 22)), TABLE(blocks_source200),
        TO(BIT(35), BITS(47, 43), BITS(66, 64), BITS(87, 83), BIT(91), BITS(98, 96), BITS(114, 112))),
    ROW(EU_GEN200, THREE, ALWAYS, FROM(BITS(28, 26), BITS(31, 30)), TABLE(three_subregisters200),
        TO(BITS(55, 51), BITS(71, 67), BITS(103, 99), BITS(119, 115))),
};

const unsigned eu_compact_row_count = sizeof eu_compact_rows / sizeof eu_compact_rows[0];
