/* The messages of TBX, and the handlers of those that clients send. */
#include "tbx/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum tbx_id {
    MMIO_REQ,
    MMIO_RES,
    GTT_REQ,
    GTT_RES,
    WRITE_DATA_REQ,
    READ_DATA_REQ,
    READ_DATA_RES,
    MARKER_REQ,
    MARKER_RES,
    REPORT_REND_END_REQ,
    REPORT_REND_END_RES,
    CONTROL_REQ,
    PARAMS_REQ,
    PARAMS_RES,
    PCICFG_REQ,
    PCICFG_RES,
    GTT_PARAMS_REQ,
    EVENT_REQ,
    INNER_VAR_REQ,
    INNER_VAR_RES,
    INNER_VAR_LIST_REQ,
    INNER_VAR_LIST_RES,
    FUNNY_IO_REQ,
    FUNNY_IO_RES,
    IO_REQ,
    IO_RES,
    RPC_REQ,
    RPC_RES,
    CL_FLUSH_REQ,
    CL_FLUSH_RES,
    SYNC_ALL_PAGES_REQ,
    SYNC_ALL_PAGES_RES,
    GD2_MESSAGE,
    SIMTIME_RES,
    RL_STATUS_RES,
    LOCK_PAGE_REQ,
    UNLOCK_PAGES_REQ,
    SET_UNTILING_REORDER_REQ,
    RESET_UNTILING_REORDER_REQ,
    MMIO2_REQ,
    MMIO2_RES,
    IOSF_SB_DATA_REQ,
    IOSF_SB_DATA_RES,
    COMPARE_DATA_REQ,
    COMPARE_DATA_RES,
};

/* Roles by which handlers ask for fields. */
enum role {
    WRITE = 1,
    BYTES,
    KIND,
    OFFSET,
    DATA,
    FRONT_DOOR,
    MEMORY_TYPE,
    ADDRESS,
    ADDRESS_HIGH,  /* bits 39:32 */
    ADDRESS_UPPER, /* bits 63:32, of messages with four dwords */
    BUS,
    DEVICE,
    FUNCTION,
};

/* ---- Fields ---- */

/* A field of one bit, with its further properties. */
#define BIT(bit_, ...)                                                                                       \
    {                                                                                                        \
        .first = (bit_), .last = (bit_), .kind = FIELD_BOOL, .name = __VA_ARGS__                             \
    }
#define BITS(first_, last_, ...)                                                                             \
    {                                                                                                        \
        .first = (first_), .last = (last_), .name = __VA_ARGS__                                              \
    }
#define DW(at_, ...)                                                                                         \
    {                                                                                                        \
        .first = (at_)*32, .last = (at_)*32 + 31, .kind = FIELD_HEX, .name = __VA_ARGS__                     \
    }
#define QW(at_, ...)                                                                                         \
    {                                                                                                        \
        .first = (at_)*32, .last = (at_)*32 + 63, .kind = FIELD_HEX, .name = __VA_ARGS__                     \
    }

static const struct field_value spaces[] = {{"MMIO", 0}, {"IO", 1}, {"FUNNY_IO", 2}, {NULL, 0}};
static const struct field_value memories[] = {{"system", 0}, {"local", 1}, {NULL, 0}};
enum { MMIO_SPACE = 0 };
enum { SYSTEM_MEMORY = 0, LOCAL_MEMORY = 1 };

static const struct field mmio_fields[] = {
    BIT(0, "write", .role = WRITE), BITS(1, 3, "bytes", .role = BYTES),
    BITS(4, 5, "device"),           BITS(6, 8, "kind", .values = spaces, .role = KIND),
    BITS(16, 31, "delay"),          DW(1, "offset", .role = OFFSET),
    DW(2, "data", .role = DATA),    BITS(96, 103, "source"),
};
static const struct field mmio2_fields[] = {
    BIT(0, "write"),
    BITS(1, 5, "bytes"),
    BITS(6, 7, "device"),
    BITS(8, 10, "kind", .values = spaces),
    BITS(11, 13, "function"),
    BIT(14, "origin"),
    BITS(16, 31, "delay"),
    DW(1, "offset"),
    QW(2, "data"),
};
static const struct field data_fields[] = {DW(0, "data", .role = DATA)};
static const struct field data64_fields[] = {QW(0, "data", .role = DATA)};
static const struct field gtt_fields[] = {
    BIT(0, "write", .role = WRITE),
    DW(1, "index", .role = OFFSET),
    QW(2, "data", .role = DATA),
};
static const struct field write_data_fields[] = {
    BIT(0, "addr_type"),
    BIT(1, "mask_exist"),
    BIT(2, "frontdoor", .role = FRONT_DOOR),
    BIT(3, "take_ownership"),
    BIT(4, "model_owned"),
    BIT(5, "cacheline_disable"),
    BITS(6, 7, "memory_type", .values = memories, .role = MEMORY_TYPE),
    BITS(24, 31, "address_high", .kind = FIELD_HEX, .role = ADDRESS_HIGH),
    DW(1, "address", .role = ADDRESS),
    BITS(64, 95, "bytes", .role = BYTES),
    DW(3, "address_upper", .role = ADDRESS_UPPER),
};
static const struct field read_data_fields[] = {
    BIT(0, "addr_type"),
    BIT(1, "frontdoor", .role = FRONT_DOOR),
    BIT(2, "ownership"),
    BIT(3, "model_owned"),
    BIT(4, "cacheline_disable"),
    BITS(5, 6, "memory_type", .values = memories, .role = MEMORY_TYPE),
    BITS(24, 31, "address_high", .kind = FIELD_HEX, .role = ADDRESS_HIGH),
    DW(1, "address", .role = ADDRESS),
    BITS(64, 95, "bytes", .role = BYTES),
    DW(3, "address_upper", .role = ADDRESS_UPPER),
};
static const struct field read_data_answer_fields[] = {
    BIT(0, "addr_type"),
    BIT(1, "mask_exist"),
    BIT(2, "last_page"),
    BIT(3, "ownership"),
    BITS(24, 31, "address_high", .kind = FIELD_HEX, .role = ADDRESS_HIGH),
    DW(1, "address", .role = ADDRESS),
    BITS(64, 95, "bytes", .role = BYTES),
    DW(3, "address_upper", .role = ADDRESS_UPPER),
};
static const struct field control_fields[] = {
    BIT(0, "reset"),
    BIT(1, "has"),
    BIT(2, "rd_on_demand"),
    BIT(3, "write_mask"),
    BIT(4, "time_adv"),
    BIT(5, "async_msg"),
    BIT(6, "quit"),
    BIT(7, "cncry_enb"),
    BIT(8, "stime_enb"),
    BIT(9, "full_reset"),
    BIT(10, "auto_ownership"),
    BIT(11, "backdoor_model"),
    BIT(12, "flush"),
    BITS(16, 28, "set", .kind = FIELD_HEX),
};
static const struct field pci_fields[] = {
    BIT(0, "write", .role = WRITE),
    BITS(1, 3, "bytes", .role = BYTES),
    BITS(4, 11, "bus", .role = BUS),
    BITS(12, 16, "device", .role = DEVICE),
    BITS(17, 19, "function", .role = FUNCTION),
    DW(1, "offset", .role = OFFSET),
    DW(2, "data", .role = DATA),
};
static const struct field timeout_fields[] = {DW(0, "timeout")};
static const struct field timed_out_fields[] = {BIT(0, "timed_out")};
static const struct field gtt_params_fields[] = {DW(0, "base"), BITS(32, 39, "base_high", .kind = FIELD_HEX),
                                                 BITS(40, 63, "bytes")};
static const struct field event_fields[] = {DW(0, "offset"), DW(1, "data"), BITS(64, 65, "device")};
static const struct field inner_var_fields[] = {BIT(0, "write"), BITS(1, 16, "non_dword"), DW(1, "id"),
                                                DW(2, "data")};
static const struct field list_fields[] = {DW(0, "count")};
static const struct field funny_io_fields[] = {BIT(0, "write"), BITS(29, 31, "bytes"), DW(1, "offset"),
                                               DW(2, "data")};
static const struct field io_fields[] = {BIT(0, "write"), BITS(1, 2, "device"), BITS(29, 31, "bytes"),
                                         DW(1, "offset"), DW(2, "data")};
static const struct field rpc_fields[] = {DW(0, "bytes")};
static const struct field rpc_answer_fields[] = {DW(0, "status"), DW(1, "bytes")};
static const struct field flush_fields[] = {BIT(23, "ignore"),
                                            BITS(24, 31, "address_high", .kind = FIELD_HEX), DW(1, "address"),
                                            DW(2, "bytes"), DW(3, "delay")};
static const struct field gd2_fields[] = {DW(0, "sub_opcode"), DW(1, "data")};
static const struct field ring_fields[] = {DW(0, "ring_offset")};
static const struct field lock_fields[] = {BITS(24, 31, "address_high", .kind = FIELD_HEX), DW(1, "address")};
static const struct field untiling_fields[] = {DW(0, "first_page"),  DW(1, "last_page"),
                                               DW(2, "offset"),      BITS(96, 116, "pitch"),
                                               BITS(117, 124, "id"), BITS(125, 127, "type")};
static const struct field untiling_end_fields[] = {BITS(24, 31, "id")};
static const struct field compare_fields[] = {
    BIT(0, "mmio"),
    BIT(1, "frontdoor"),
    BITS(2, 4, "op"),
    BITS(5, 16, "timeout"),
    BITS(24, 31, "address_high", .kind = FIELD_HEX),
    DW(1, "address"),
    BITS(64, 95, "bytes"),
};
static const struct field result_fields[] = {BIT(0, "result")};

static uint64_t field_of(const struct tbx_message *m, const uint32_t *body, uint32_t body_dw, unsigned role)
{
    for (unsigned i = 0; i < m->field_count; i++)
        if (m->fields[i].role == role)
            return field_get(&m->fields[i], body, body_dw);
    return 0;
}

static uint64_t message_value(const struct tbx_session *s, unsigned role)
{
    return field_of(s->input.message, s->input.body, s->input.body_dw, role);
}

static void message_put(const struct tbx_message *m, uint32_t *body, unsigned role, uint64_t value)
{
    for (unsigned i = 0; i < m->field_count; i++)
        if (m->fields[i].role == role)
            field_put(&m->fields[i], body, m->body_dw, value);
}

/* ---- Handlers ---- */

static void answer_data(struct tbx_session *s, uint64_t data, uint32_t body_dw)
{
    const uint32_t body[] = {(uint32_t)data, (uint32_t)(data >> 32)};
    tbx_answer(s, body, body_dw, NULL);
}

static bool is_size(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4;
}

static void mmio(struct tbx_session *s)
{
    const bool write = message_value(s, WRITE) != 0,
               good = message_value(s, KIND) == MMIO_SPACE && is_size(message_value(s, BYTES));
    const uint32_t offset = (uint32_t)message_value(s, OFFSET);
    const unsigned bytes = (unsigned)message_value(s, BYTES);
    if (!good)
        tbx_log(s, "space %u with %u bytes is not modelled", (unsigned)message_value(s, KIND), bytes);
    if (!write)
        answer_data(s, good ? tbx_read_register(s, offset, bytes) : 0, 1);
    else if (good)
        tbx_write_register(s, offset, bytes, message_value(s, DATA) & UINT32_MAX >> (32u - bytes * 8u));
}

/* Entries of the GGTT's table by index: 8 bytes each, or 4 in the short form. */
static void gtt(struct tbx_session *s)
{
    const uint32_t bytes = s->input.body_dw > 3 ? 8 : 4;
    uint64_t entry = message_value(s, DATA);
    struct aub_memory m = {.space = AUB_GGTT_ENTRY,
                           .address = message_value(s, OFFSET) * bytes,
                           .size_bytes = bytes,
                           .data = (const uint8_t *)&entry};
    if (!tbx_device(s))
        return;
    if (message_value(s, WRITE)) {
        tbx_write_memory(s, &m);
        return;
    }
    const struct aub_packet at = {s->input.header.number, s->input.message->name, 0};
    entry = 0;
    replay_access(&s->replay, &at, &m, m.address, (uint8_t *)&entry, bytes);
    answer_data(s, entry, bytes / 4);
}

/* Address of BAR 2 for a client that accesses local memory through it. If nobody has placed the BAR, every
 * address is treated as inside. */
static uint64_t bar_of_local_memory(const struct softgt *device)
{
    enum { BAR2 = 0x18 };
    const uint64_t none = UINT64_C(0xffff000000000), mask = ~UINT64_C(0xfffffff);
    const uint64_t bar = (softgt_pci_config_read(device, BAR2, 4) |
                          (uint64_t)softgt_pci_config_read(device, BAR2 + 4, 4) << 32) &
                         mask;
    return bar ? bar : none;
}

/* False: no such memory. Products without local memory have one memory, whatever its name in the message. */
static bool memory(struct tbx_session *s, struct aub_memory *m)
{
    const struct softgt *device = tbx_device(s);
    if (!device)
        return false;
    const bool long_form = s->input.body_dw > 3, has_local = softgt_info(device)->local_bytes != 0;
    const uint64_t type = message_value(s, MEMORY_TYPE);
    *m = (struct aub_memory){
        .space = AUB_PHYSICAL,
        .address = message_value(s, ADDRESS) | message_value(s, long_form ? ADDRESS_UPPER : ADDRESS_HIGH)
                                                   << 32,
        .size_bytes = (uint32_t)message_value(s, BYTES),
    };
    if (has_local && type == LOCAL_MEMORY)
        m->space = AUB_LOCAL;
    struct softgt_bar_info bar;
    if (has_local && type == SYSTEM_MEMORY && message_value(s, FRONT_DOOR) &&
        softgt_bar_get_info(device, SOFTGT_BAR_LOCAL, &bar)) {
        const uint64_t base = bar_of_local_memory(device);
        if (m->address >= base && m->address - base < bar.size_bytes) {
            m->space = AUB_LOCAL;
            m->address -= base;
        }
    }
    if (type > LOCAL_MEMORY)
        tbx_log(s, "memory of type %u is not modelled", (unsigned)type);
    return type <= LOCAL_MEMORY;
}

static void write_data(struct tbx_session *s)
{
    s->input.taken = memory(s, &s->input.to);
}

static void read_data(struct tbx_session *s)
{
    struct aub_memory m;
    const struct tbx_message *const row = tbx_message(READ_DATA_RES);
    uint32_t body[TBX_BODY_DW] = {0};
    s->from_nothing = !memory(s, &m);
    if (s->ended)
        return;
    static const uint8_t same[] = {ADDRESS, ADDRESS_HIGH, ADDRESS_UPPER, BYTES};
    for (unsigned i = 0; i < sizeof same; i++)
        message_put(row, body, same[i], message_value(s, same[i]));
    m.size_bytes = (uint32_t)message_value(s, BYTES);
    tbx_answer(s, body, s->input.body_dw > 3 ? 4 : 3, &m);
}

static void marker(struct tbx_session *s)
{
    tbx_answer(s, NULL, 0, NULL);
}

/* A bit is written if the same bit of the upper half is set. */
static void control_message(struct tbx_session *s)
{
    enum { RESETS = 1 << 0 | 1 << 9, QUITS = 1 << 6 };
    const uint32_t set = s->input.body[0] & s->input.body[0] >> 16;
    if (set & RESETS)
        tbx_reset(s);
    if (set & QUITS)
        tbx_end(s, "%s", "");
}

/* The device is 0:2.0; other functions do not exist. */
static void pci(struct tbx_session *s)
{
    enum { OUR_DEVICE = 2 };
    struct softgt *const device = tbx_device(s);
    const uint32_t offset = (uint32_t)message_value(s, OFFSET);
    const unsigned bytes = (unsigned)message_value(s, BYTES);
    if (!device)
        return;
    const bool ours = !message_value(s, BUS) && message_value(s, DEVICE) == OUR_DEVICE &&
                      !message_value(s, FUNCTION) && is_size(bytes) &&
                      offset < softgt_pci_config_bytes(device) &&
                      bytes <= softgt_pci_config_bytes(device) - offset;
    if (message_value(s, WRITE) && ours)
        softgt_pci_config_write(device, offset, (uint32_t)message_value(s, DATA), bytes);
    else if (!message_value(s, WRITE))
        answer_data(s, ours ? softgt_pci_config_read(device, offset, bytes) : UINT32_MAX, 1);
}

/* ---- The table ---- */

static const struct tbx_message messages[] = {
    [MMIO_REQ] = {"MMIO_REQ", FIELDS(mmio_fields), 4, .least_dw = 3, .answer = MMIO_RES, .wakes = true,
                  .handle = mmio},
    [MMIO_RES] = {"MMIO_RES", FIELDS(data_fields), 1, .from_server = true},
    [GTT_REQ] = {"GTT_REQ", FIELDS(gtt_fields), 4, .least_dw = 3, .answer = GTT_RES, .handle = gtt},
    [GTT_RES] = {"GTT_RES", FIELDS(data64_fields), 2, .from_server = true},
    [WRITE_DATA_REQ] = {"WRITE_DATA_REQ", FIELDS(write_data_fields), 4, .least_dw = 3, .data = 3,
                        .handle = write_data},
    [READ_DATA_REQ] = {"READ_DATA_REQ", FIELDS(read_data_fields), 4, .least_dw = 3, .answer = READ_DATA_RES,
                       .always = true, .handle = read_data},
    [READ_DATA_RES] = {"READ_DATA_RES", FIELDS(read_data_answer_fields), 4, .from_server = true, .data = 3},
    [MARKER_REQ] = {"MARKER_REQ", .answer = MARKER_RES, .always = true, .handle = marker},
    [MARKER_RES] = {"MARKER_RES", .from_server = true},
    [REPORT_REND_END_REQ] = {"REPORT_REND_END_REQ", FIELDS(timeout_fields), 1, .answer = REPORT_REND_END_RES,
                             .always = true},
    [REPORT_REND_END_RES] = {"REPORT_REND_END_RES", FIELDS(timed_out_fields), 1, .from_server = true},
    [CONTROL_REQ] = {"CONTROL_REQ", FIELDS(control_fields), 1, .least_dw = 1, .handle = control_message},
    [PARAMS_REQ] = {"PARAMS_REQ", .answer = PARAMS_RES, .always = true},
    [PARAMS_RES] = {"PARAMS_RES", .from_server = true},
    [PCICFG_REQ] = {"PCICFG_REQ", FIELDS(pci_fields), 3, .least_dw = 2, .answer = PCICFG_RES, .handle = pci},
    [PCICFG_RES] = {"PCICFG_RES", FIELDS(data_fields), 1, .from_server = true},
    [GTT_PARAMS_REQ] = {"GTT_PARAMS_REQ", FIELDS(gtt_params_fields), 2},
    [EVENT_REQ] = {"EVENT_REQ", FIELDS(event_fields), 3},
    [INNER_VAR_REQ] = {"INNER_VAR_REQ", FIELDS(inner_var_fields), 3, .answer = INNER_VAR_RES},
    [INNER_VAR_RES] = {"INNER_VAR_RES", FIELDS(data_fields), 1, .from_server = true},
    [INNER_VAR_LIST_REQ] = {"INNER_VAR_LIST_REQ", .answer = INNER_VAR_LIST_RES, .always = true},
    [INNER_VAR_LIST_RES] = {"INNER_VAR_LIST_RES", FIELDS(list_fields), 1, .from_server = true},
    [FUNNY_IO_REQ] = {"FUNNY_IO_REQ", FIELDS(funny_io_fields), 3, .answer = FUNNY_IO_RES},
    [FUNNY_IO_RES] = {"FUNNY_IO_RES", FIELDS(data_fields), 1, .from_server = true},
    [IO_REQ] = {"IO_REQ", FIELDS(io_fields), 3, .answer = IO_RES},
    [IO_RES] = {"IO_RES", FIELDS(data_fields), 1, .from_server = true},
    [RPC_REQ] = {"RPC_REQ", FIELDS(rpc_fields), 1, .answer = RPC_RES, .always = true},
    [RPC_RES] = {"RPC_RES", FIELDS(rpc_answer_fields), 2, .from_server = true},
    [CL_FLUSH_REQ] = {"CL_FLUSH_REQ", FIELDS(flush_fields), 4, .answer = CL_FLUSH_RES, .always = true},
    [CL_FLUSH_RES] = {"CL_FLUSH_RES", FIELDS(data_fields), 1, .from_server = true},
    [SYNC_ALL_PAGES_REQ] = {"SYNC_ALL_PAGES_REQ", .answer = SYNC_ALL_PAGES_RES, .always = true},
    [SYNC_ALL_PAGES_RES] = {"SYNC_ALL_PAGES_RES", .from_server = true},
    [GD2_MESSAGE] = {"GD2_MESSAGE", FIELDS(gd2_fields), 2},
    [SIMTIME_RES] = {"SIMTIME_RES", FIELDS(data64_fields), 2, .from_server = true},
    [RL_STATUS_RES] = {"RL_STATUS_RES", FIELDS(ring_fields), 2, .from_server = true},
    [LOCK_PAGE_REQ] = {"LOCK_PAGE_REQ", FIELDS(lock_fields), 2},
    [UNLOCK_PAGES_REQ] = {"UNLOCK_PAGES_REQ"},
    [SET_UNTILING_REORDER_REQ] = {"SET_UNTILING_REORDER_REQ", FIELDS(untiling_fields), 4},
    [RESET_UNTILING_REORDER_REQ] = {"RESET_UNTILING_REORDER_REQ", FIELDS(untiling_end_fields), 1},
    [MMIO2_REQ] = {"MMIO2_REQ", FIELDS(mmio2_fields), 4, .answer = MMIO2_RES},
    [MMIO2_RES] = {"MMIO2_RES", FIELDS(data64_fields), 2, .from_server = true},
    [IOSF_SB_DATA_REQ] = {"IOSF_SB_DATA_REQ", .body_dw = 5, .answer = IOSF_SB_DATA_RES},
    [IOSF_SB_DATA_RES] = {"IOSF_SB_DATA_RES", FIELDS(data_fields), 1, .from_server = true},
    [COMPARE_DATA_REQ] = {"COMPARE_DATA_REQ", FIELDS(compare_fields), 3, .least_dw = 3,
                          .answer = COMPARE_DATA_RES, .always = true, .data = 3},
    [COMPARE_DATA_RES] = {"COMPARE_DATA_RES", FIELDS(result_fields), 1, .from_server = true},
};

const struct tbx_message *tbx_message(uint32_t id)
{
    return id < sizeof messages / sizeof messages[0] ? &messages[id] : NULL;
}

void tbx_message_text(const struct tbx_message *m, const uint32_t *body, uint32_t body_dw, char *text,
                      size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s", m->name);
    for (unsigned i = 0; i < m->field_count && at < size; i++) {
        const struct field *f = &m->fields[i];
        const uint64_t v = field_get(f, body, body_dw);
        const char *name = f->values ? field_value_name(f, v) : NULL;
        if (v && name)
            at += (size_t)snprintf(text + at, size - at, " %s=%s", f->name, name);
        else if (v)
            at += (size_t)snprintf(text + at, size - at,
                                   f->kind == FIELD_HEX ? " %s=0x%" PRIx64 : " %s=%" PRIu64, f->name, v);
    }
}
