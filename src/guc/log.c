/* The log in memory: its layout and states. Only captures are written: the format of the other entries is not
 * public. (Linux, intel_guc_fwif.h, intel_guc_log.c) */
#include "guc/log.h"

enum { VALID = 1u << 0, CAPTURES_IN_MB = 1u << 2, OTHERS_IN_MB = 1u << 3 };
enum { KB_4 = 4096, MB = 1 << 20 };

struct guc_log_part guc_log_part(const struct guc *g, enum guc_log part)
{
    const uint32_t log = g->boot.log, page = log & ~0xfffu, unit = log & OTHERS_IN_MB ? MB : KB_4;
    const uint32_t bytes[LOG_PARTS] = {
        [LOG_EVENTS] = ((log >> 6 & 0xfu) + 1u) * unit,
        [LOG_CRASHES] = ((log >> 4 & 3u) + 1u) * unit,
        [LOG_CAPTURES] = ((log >> 10 & 3u) + 1u) * (log & CAPTURES_IN_MB ? MB : KB_4),
    };
    struct guc_log_part p = {.state = page + part * LOG_STATE_DW * 4u, .data = page + PAGE_BYTES};
    for (unsigned before = 0; before < part; before++)
        p.data += bytes[before];
    p.bytes = log & VALID ? bytes[part] : 0;
    return p;
}

void guc_log_init(struct guc *g)
{
    for (unsigned i = 0; i < LOG_PARTS; i++) {
        const struct guc_log_part p = guc_log_part(g, i);
        const uint32_t state[LOG_STATE_DW] = {[LOG_SIZE] = p.bytes};
        if (p.bytes)
            guc_store(g->functions, p.state, state, sizeof state);
    }
}

void guc_log_flush(struct guc *g)
{
    for (unsigned i = LOG_EVENTS; i <= LOG_CRASHES; i++) {
        const struct guc_log_part p = guc_log_part(g, i);
        uint32_t state[LOG_STATE_DW];
        if (!p.bytes || !guc_load(g->functions, p.state, state, sizeof state))
            return;
        state[LOG_SAMPLED] = state[LOG_WRITE];
        state[LOG_FLAGS] |= LOG_FLUSHES;
        guc_store(g->functions, p.state, state, sizeof state);
    }
    guc_send_event(g, 0, G2H_NOTIFY_FLUSH_LOG_BUFFER_TO_FILE, NULL, 0);
}
