/*
 * Registers of the command streamers as rows, a block for what a group of engines or of generations has in
 * common, and the functions of registers with side effects. Data sheets (src/gen) place the blocks at an
 * engine's base. Also here: what sheets name beside blocks, the page directory registers, the registers of
 * batch levels, and the contexts of the Gen6 video engine, whose submission is a write of CCID.
 */
#ifndef ENGINE_REGISTERS_ENGINE_REGISTERS_H
#define ENGINE_REGISTERS_ENGINE_REGISTERS_H

#include "engine/engine.h"

/* ring_registers.c */
extern const struct register_block ring_registers, gen8_ring_registers, gen12_ring_registers,
    gen125_ring_registers, gen200_ring_registers;
extern const struct register_block gen8_submission_registers, gen11_submission_registers;
extern const struct batch_registers gen8_batch_registers[], gen12_batch_registers[];
struct ppgtt_root gen8_page_directory(const struct engine *e);
uint32_t engine_mode_read(const struct register_access *at, uint32_t stored);
uint32_t engine_batch_read(const struct register_access *at, uint32_t stored);
uint32_t engine_instdone_read(const struct register_access *at, uint32_t stored);
void engine_wake(const struct register_access *w);
void engine_eir_written(const struct register_access *w);
void engine_emr_written(const struct register_access *w);
void engine_watchdog_written(const struct register_access *w);

/* render_registers.c */
extern const struct register_block pipeline_registers, gen8_render_registers, gen9_render_registers,
    gen8_copy_registers, gen11_render_registers, gen125_render_registers, gen125_compute_registers;
/* At absolute offsets. */
extern const struct register_block gen8_global_render_registers, gen11_global_render_registers;

/* unit_registers.c: units beside a streamer. */
extern const struct register_block pocs_registers, mfc_registers, huc_registers, hevc_registers,
    compression_registers, gen12_clock_registers, gen200_clock_registers, gsc_registers, gen12_copy_registers;

/* gen6_registers.c, gen6_video_contexts.c */
extern const struct register_block gen6_ring_registers, gen6_render_registers, gen6_copy_registers,
    gen6_video_registers, gen6_any_video_registers, gen6_status_page_registers, gen7_ring_registers,
    gen7_render_registers, gen7_copy_registers, gen7_video_registers, gen7_global_render_registers,
    gen75_render_registers, gen75_enhance_registers;
extern const struct batch_registers gen6_batch_registers[], gen75_batch_registers[];
extern const struct flush_info gen6_flush;
extern const struct submission gen6_video_contexts;
struct ppgtt_root gen6_page_directory(const struct engine *e);
uint32_t gen6_directory_alias_read(const struct register_access *at, uint32_t stored);
void gen6_directory_alias_written(const struct register_access *w);

#endif
