/* Reads of what was written before, with and without the PIPE_CONTROL that the hardware needs between. */
#include "../suite.h"
#include "../draws.h"

#include "draws/bound.h"
#include "draws/hazards.h"
#include "stream/names.h"

enum { TEXTURE = 1664 * KB, SAMPLERS_AT = 16 * KB, SAMPLED_STATE = SURFACES + STATES_AT + 64 };

static struct {
    struct streamer *s;
    struct hazards hazards;
    struct bound bound;
    struct draw_record record;
    struct draw_surface surfaces[DRAW_SURFACES];
    uint64_t count;
    bool sees_batches; /* batches of the ring are told, too */
} now;

static struct hazard_place place(void)
{
    return (struct hazard_place){.device = now.s->device, .last = now.count};
}

static void begin_record(const struct softgt_event *e)
{
    now.record = (struct draw_record){
        .number = ++now.count, .unit = e->unit, .name = e->name, .is_dispatch = command_is_dispatch(e->name)};
    memset(now.surfaces, 0, sizeof now.surfaces);
    if (!now.record.is_dispatch)
        bound_read(&now.bound, 0, &now.record, now.surfaces, e);
    const struct hazard_place at = place();
    hazards_begin(&now.hazards, &at, &now.record);
}

static void on_event(void *user, const struct softgt_event *e)
{
    const struct hazard_place at = place();
    (void)user;
    if (e->what != SOFTGT_TRACE_COMMANDS)
        hazards_event(&now.hazards, &at, &now.record, now.surfaces, now.bound.surface_count, e);
    else if (e->name && !e->is_late && (now.sees_batches || strcmp(e->name, "MI_BATCH_BUFFER_START") != 0)) {
        assert_true(hazards_command(&now.hazards, &at, e));
        if (command_is_draw(e->name))
            begin_record(e);
    }
}

static void begin_watched(const char *device)
{
    memset(&now, 0, sizeof now);
    now.s = begin(device);
    assert_true(bound_create(&now.bound, now.s->device));
    now.s->device->log.trace =
        (struct softgt_trace_port){NULL, SOFTGT_TRACE_COMMANDS | HAZARD_EVENTS, on_event};
}

static void end_watched(void)
{
    hazards_free(&now.hazards);
    bound_destroy(&now.bound);
    streamer_destroy(now.s);
}

static void barrier(const char *fields)
{
    uint32_t dw[MOST_DW];
    batch_run(now.s, dw, assemble(now.s->device, 0, dw, "PIPE_CONTROL %s", fields), true);
}

static const float rectangle[3][3] = {{61, 31, 0}, {1, 31, 0}, {1, 2, 0}};
static const struct scene scene = {
    .topology = RECTLIST, .vertices = 3, .at = rectangle, .format = R8G8B8A8_UNORM};

/* Draws to the texture. */
static void render(void)
{
    static const float color[4] = {0.2f, 0.4f, 0.6f, 1};
    uint32_t dw[MOST_DW];
    k.count = 0; /* another kernel in the place of the one before */
    put_color(now.s, color);
    const uint32_t count = put_scene(now.s, &scene, dw);
    dword_put(now.s, SURFACES + STATES_AT + 32, TEXTURE);
    batch_run(now.s, dw, count, true);
}

/* Draws to the target by samples of the texture at one of its texels. */
static void sample(void)
{
    enum { SIMD16_SAMPLE = 2 << 17 };
    uint32_t dw[MOST_DW];
    k.count = 0;
    for (unsigned n = 0; n < 2; n++)
        KERNEL_1(&k, EU_MOV, all, reg(30 + 2 * n, TYPE_F), imm(float_bits(0.5f), TYPE_F));
    kernel_send(&k, all, SFID_SAMPLER, PAYLOAD_REGISTERS(4) | RESPONSE_REGISTERS(8) | SIMD16_SAMPLE | 1,
                reg(PAYLOAD, TYPE_UD), reg(30, TYPE_UD), false);
    put_write();
    put_kernel(now.s);
    uint32_t count = put_scene(now.s, &scene, dw);
    memcpy(now.s->memory + SAMPLED_STATE, now.s->memory + SURFACES + STATES_AT, 64);
    dword_put(now.s, SAMPLED_STATE + 32, TEXTURE);
    dword_put(now.s, SURFACES + TABLE_AT + 4, STATES_AT + 64);
    memset(now.s->memory + DYNAMIC + SAMPLERS_AT, 0, 16);
    insert_before_primitive(
        now.s, dw, &count, "3DSTATE_SAMPLER_STATE_POINTERS_PS pointer_to_ps_sampler_state = %u", SAMPLERS_AT);
    batch_run(now.s, dw, count, true);
}

static void expect(const char *text)
{
    char is[HAZARD_TEXT];
    assert_int_equal(now.record.hazard_count, text != NULL);
    if (!text)
        return;
    draw_hazard_text(&now.record, &now.record.hazards[0], is);
    assert_string_equal(is, text);
}

#define SAMPLES                                                                                              \
    "draw 2 samples 0x1a0000 (64 x 32 R8G8B8A8_UNORM), which draw 1 rendered to, without a PIPE_CONTROL "    \
    "with "

static void sampled_targets(void **state)
{
    (void)state;
    static const struct {
        const char *fields, *hazard; /* of PIPE_CONTROL; NULL: none */
    } cases[] = {
        {NULL, SAMPLES "Render Target Cache Flush Enable and Texture Cache Invalidation Enable between"},
        {"command_streamer_stall_enable",
         SAMPLES "Render Target Cache Flush Enable and Texture Cache Invalidation Enable between"},
        {"depth_cache_flush_enable, texture_cache_invalidation_enable",
         SAMPLES "Render Target Cache Flush Enable between"},
        {"render_target_cache_flush_enable, vf_cache_invalidation_enable",
         SAMPLES "Texture Cache Invalidation Enable between"},
        {"render_target_cache_flush_enable, texture_cache_invalidation_enable", NULL},
    };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            begin_watched(*name);
            render();
            expect(NULL);
            if (cases[n].fields)
                barrier(cases[n].fields);
            sample();
            expect(cases[n].hazard);
            sample(); /* the target that the draw before has written is another one */
            assert_int_equal(now.record.hazard_count, cases[n].hazard != NULL);
            end_watched();
        }
}

/* The kernel's driver flushes between batches of the ring. */
static void batches(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        begin_watched(*name);
        now.sees_batches = true;
        render();
        sample();
        expect(NULL);
        end_watched();
    }
}

/* Stores of a dispatch to 16 bytes. */
static void dispatch(uint64_t address)
{
    struct softgt_event e = {
        .what = SOFTGT_TRACE_COMMANDS, .kind = SOFTGT_EVENT_COMMAND, .unit = "rcs0", .name = "GPGPU_WALKER"};
    const struct hazard_place at = place();
    assert_true(hazards_command(&now.hazards, &at, &e));
    begin_record(&e);
    e = (struct softgt_event){
        .what = SOFTGT_TRACE_MEMORY, .unit = "rcs0", .name = "store", .address = address, .size_bytes = 16};
    const struct hazard_place in = place();
    hazards_event(&now.hazards, &in, &now.record, now.surfaces, 0, &e);
}

static void fetched_stores(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool flush = n & 1, invalidate = n & 2;
            char text[HAZARD_TEXT];
            begin_watched(*name);
            const bool has_hdc = k.set == &eu_gen12 || k.set == &eu_gen125;
            dispatch(VERTICES + 4);
            if (flush)
                barrier("dc_flush_enable");
            if (invalidate)
                barrier("vf_cache_invalidation_enable");
            render();
            snprintf(
                text, sizeof text,
                "draw 2 fetches vertices of the buffer at 0x190000, which dispatch 1 stored to, without a "
                "PIPE_CONTROL with %s%s%s between",
                flush     ? ""
                : has_hdc ? "HDC Pipeline Flush Enable"
                          : "DC Flush Enable",
                !flush && !invalidate ? " and " : "", invalidate ? "" : "VF Cache Invalidation Enable");
            expect(flush && invalidate ? NULL : text);
            end_watched();
            begin_watched(*name);
            dispatch(VERTICES + 36); /* behind the last vertex */
            render();
            expect(NULL);
            end_watched();
        }
}

/* ---- Loads of data ports, constants, parameters ---- */

static void command(const char *text)
{
    uint32_t dw[MOST_DW];
    batch_run(now.s, dw, assemble(now.s->device, 0, dw, "%s", text), true);
}

enum { LOADED_OFFSET = 16 * KB + 128, LOADED = TEXTURE + LOADED_OFFSET };

/* Draws with a load of each channel from one place of a buffer at the texture's address. */
static void load(void)
{
    uint32_t dw[MOST_DW];
    k.count = 0;
    KERNEL_1(&k, EU_MOV, all, reg(30, TYPE_UD), imm(LOADED_OFFSET, TYPE_UD));
    send_untyped(PAYLOAD_REGISTERS(2) | RESPONSE_REGISTERS(2) | UNTYPED_READ | UNTYPED_SIMD16 |
                     UNTYPED_RED_ONLY | 1,
                 reg(PAYLOAD, TYPE_UD), reg(30, TYPE_UD));
    put_write();
    put_kernel(now.s);
    const uint32_t count = put_scene(now.s, &scene, dw);
    STRUCTURE_PUT(now.s->device, "RENDER_SURFACE_STATE", dwords_at(now.s, SAMPLED_STATE),
                  {"Surface Type", .value_name = "SURFTYPE_BUFFER"}, {"Surface Format", .value_name = "RAW"},
                  {"Width", 127}, {"Height", 255}, {"Surface Base Address", TEXTURE});
    dword_put(now.s, SURFACES + TABLE_AT + 4, STATES_AT + 64);
    batch_run(now.s, dw, count, true);
}

/* Draws with constants, which a stage without any leaves out. */
static void push(void)
{
    static const float color[4] = {0};
    uint32_t dw[MOST_DW];
    struct scene pushes = scene;
    pushes.constants = PUSHED;
    k.count = 0;
    put_color(now.s, color);
    batch_run(now.s, dw, put_scene(now.s, &pushes, dw), true);
}

static void set_parameter(void)
{
    char text[100];
    snprintf(text, sizeof text, "MI_LOAD_REGISTER_MEM register_address = 0x2438, memory_address = %u",
             TEXTURE);
    command(text);
    render();
}

static void other_loads(void **state)
{
    (void)state;
    enum { PUSHED_AT = DYNAMIC + PUSHED };
    static const char *const none = NULL;
    static const struct {
        void (*read)(void);
        uint64_t stored_at;      /* by a dispatch; 0: rendered to the texture */
        const char *between;     /* commands; NULL: none */
        const char *reads, *but; /* hazard; NULL: none */
    } cases[] = {
        {load, 0, NULL, "loads from 0x1a4080, which draw 1 rendered to", "Render Target Cache Flush Enable"},
        {load, 0, "PIPE_CONTROL command_streamer_stall_enable",
         "loads from 0x1a4080, which draw 1 rendered to", "Render Target Cache Flush Enable"},
        {load, 0, "PIPE_CONTROL render_target_cache_flush_enable", none, none},
        {load, LOADED, NULL, "loads from 0x1a4080, which dispatch 1 stored to",
         "FLUSH or Command Streamer Stall Enable"},
        {load, LOADED, "PIPE_CONTROL vf_cache_invalidation_enable, texture_cache_invalidation_enable",
         "loads from 0x1a4080, which dispatch 1 stored to", "FLUSH or Command Streamer Stall Enable"},
        {load, LOADED, "PIPE_CONTROL command_streamer_stall_enable", none, none},
        {load, LOADED, "PIPE_CONTROL dc_flush_enable", none, none},
        {load, LOADED, "MI_SEMAPHORE_WAIT compare_operation = 1, semaphore_address = 0x1a0000", none, none},
        {load, LOADED + 16, NULL, none, none}, /* behind what is loaded */
        {push, PUSHED_AT, NULL, "has constants at 0x132200, which dispatch 1 stored to",
         "FLUSH or Command Streamer Stall Enable"},
        {push, PUSHED_AT, "PIPE_CONTROL dc_flush_enable", none, none},
        {push, PUSHED_AT + 64, NULL, none, none},
        {set_parameter, TEXTURE, NULL, "has parameters at 0x1a0000, which dispatch 1 stored to",
         "FLUSH and Command Streamer Stall Enable"},
        {set_parameter, TEXTURE, "PIPE_CONTROL command_streamer_stall_enable",
         "has parameters at 0x1a0000, which dispatch 1 stored to", "FLUSH"},
        {set_parameter, TEXTURE, "PIPE_CONTROL dc_flush_enable, command_streamer_stall_enable", none, none},
    };
    for (EACH_DEVICE(name))
        for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            char text[HAZARD_TEXT];
            begin_watched(*name);
            const bool has_hdc = k.set == &eu_gen12 || k.set == &eu_gen125,
                       is_stored = cases[n].but && strncmp(cases[n].but, "FLUSH", 5) == 0;
            if (cases[n].stored_at)
                dispatch(cases[n].stored_at);
            else
                render();
            if (cases[n].between)
                command(cases[n].between);
            cases[n].read();
            if (cases[n].reads)
                snprintf(text, sizeof text, "draw 2 %s, without a PIPE_CONTROL with %s%s between",
                         cases[n].reads,
                         !is_stored ? ""
                         : has_hdc  ? "HDC Pipeline Flush Enable"
                                    : "DC Flush Enable",
                         cases[n].but + (is_stored ? 5 : 0));
            expect(cases[n].reads ? text : NULL);
            cases[n].read(); /* nothing has come between since */
            assert_int_equal(now.record.hazard_count, cases[n].reads != NULL);
            end_watched();
        }
}

TEST_PROGRAM(hazards_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_targets),
        cmocka_unit_test(batches),
        cmocka_unit_test(fetched_stores),
        cmocka_unit_test(other_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
