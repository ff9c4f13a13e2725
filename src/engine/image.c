#include "engine/image.h"

#include <stdlib.h>

enum { MI_LOAD_REGISTER_IMM = 0x22u << 23, FORCE_POSTED = 1u << 12, ADD_CS_MMIO_START_OFFSET = 1u << 19 };
enum { MI_BATCH_BUFFER_END = 0x0au << 23 };

static bool is_register(const struct image_row *r)
{
    return r->step >= IMAGE_REGISTER && r->step <= IMAGE_LOST;
}

static uint32_t header(const struct image_row *list)
{
    uint32_t registers = 0;
    for (const struct image_row *r = list + 1; is_register(r); r++)
        registers += r->count;
    return MI_LOAD_REGISTER_IMM | (list->flags & IMAGE_POSTED ? (uint32_t)FORCE_POSTED : 0) |
           (list->flags & IMAGE_RELATIVE ? (uint32_t)ADD_CS_MMIO_START_OFFSET : 0) | (registers * 2u - 1u);
}

bool image_next(struct image_walk *w)
{
    w->at_dw += w->length_dw;
    if (w->length_dw && !(image_is_register(w) && ++w->done < w->row->count)) {
        w->row++;
        w->done = 0;
    }
    for (; w->row->step == IMAGE_ENGINE_CONTEXT; w->row++)
        w->engine_context = true;
    const struct image_row *r = w->row;
    w->length_dw = 1;
    switch ((enum image_step)r->step) {
    case IMAGE_NOOP:
    case IMAGE_PIPELINE_STATE:
        w->value = 0;
        w->length_dw = r->count;
        break;
    case IMAGE_LIST:
        w->value = header(r);
        w->relative = r->flags & IMAGE_RELATIVE;
        break;
    case IMAGE_REGISTER:
    case IMAGE_RING_OFF:
        w->value = w->mmio_base + r->offset + w->done * 4u;
        w->length_dw = 2;
        break;
    case IMAGE_GLOBAL:
        w->value = r->offset + w->done * 4u;
        w->length_dw = 2;
        break;
    case IMAGE_LOST:
        w->value = 0;
        w->length_dw = 2;
        break;
    case IMAGE_BATCH_END:
        w->value = MI_BATCH_BUFFER_END;
        break;
    case IMAGE_ENGINE_CONTEXT:
    case IMAGE_END:
        return false;
    }
    return true;
}

bool image_matches(const struct image_walk *w, const uint32_t *dw)
{
    dw += w->at_dw;
    if (image_is_register(w))
        return ((dw[0] ^ w->value) & (w->relative ? 0xfffu : UINT32_MAX)) == 0;
    for (uint32_t i = 0; i < w->length_dw; i++)
        if (dw[i] != w->value)
            return false;
    return true;
}

struct image_length image_length(const struct image_row *rows)
{
    struct image_length length = {0, 0, 0};
    for (struct image_walk w = image_begin(rows, 0); image_next(&w);) {
        if (w.row->step == IMAGE_PIPELINE_STATE) {
            length.pipeline_state_dw = w.length_dw;
            break;
        }
        length.dw = w.at_dw + w.length_dw;
        if (!w.engine_context)
            length.ring_context_dw = length.dw;
    }
    return length;
}

bool image_plan_make(struct image_plan *plan, const struct image_row *rows, uint32_t mmio_base)
{
    *plan = (struct image_plan){0};
    if (!rows)
        return true;
    plan->length = image_length(rows);
    plan->dw = calloc(plan->length.dw + 1u, sizeof *plan->dw);
    plan->values = calloc(plan->length.dw / 2u + 1u, sizeof *plan->values);
    plan->sources = calloc(plan->length.dw / 2u + 1u, sizeof *plan->sources);
    plan->computed = calloc(plan->length.dw / 2u + 1u, sizeof *plan->computed);
    if (!plan->dw || !plan->values || !plan->sources || !plan->computed)
        return false;
    for (struct image_walk w = image_begin(rows, mmio_base);
         image_next(&w) && w.row->step != IMAGE_PIPELINE_STATE;) {
        plan->dw[w.at_dw] = w.value;
        if (w.row->step == IMAGE_NOOP && w.row->flags & IMAGE_OF_SOFTWARE) {
            plan->software_dw = w.at_dw;
            plan->software_end_dw = w.at_dw + w.length_dw;
        }
        if (image_is_register(&w) && w.row->step != IMAGE_LOST)
            plan->values[plan->value_count++] =
                (struct image_value){w.at_dw + 1u, w.value, w.row->step == IMAGE_RING_OFF};
    }
    return true;
}

void image_plan_free(struct image_plan *plan)
{
    free(plan->dw);
    free(plan->values);
    free(plan->sources);
    free(plan->computed);
    *plan = (struct image_plan){0};
}

uint32_t image_find(const struct image_row *rows, uint32_t offset)
{
    for (struct image_walk w = image_begin(rows, 0); image_next(&w);)
        if (w.row->step == IMAGE_REGISTER && w.value == offset)
            return w.at_dw + 1u;
    return 0;
}
