#include "base/state.h"

#include <string.h>

void state_check(struct state *s, bool holds)
{
    if (!s->saving && !holds)
        s->failed = true;
}

void state_bytes(struct state *s, void *data, size_t size)
{
    if (s->saving) {
        if (s->out && s->at <= s->size && size <= s->size - s->at)
            memcpy(s->out + s->at, data, size);
        s->at += size;
        return;
    }
    state_check(s, size <= s->size - s->at);
    if (s->failed)
        return;
    memcpy(data, s->in + s->at, size);
    s->at += size;
}

void state_flag(struct state *s, void *flag, size_t size)
{
    uint8_t value = s->saving ? *(const bool *)flag : 0;
    (void)size;
    state_number(s, &value, 1);
    state_check(s, value <= 1);
    if (!s->saving && !s->failed)
        *(bool *)flag = value;
}

void state_number(struct state *s, void *number, size_t size)
{
    uint8_t bytes[8] = {0};
    uint64_t value = 0;
    if (s->saving) {
        switch (size) {
        case 1:
            value = *(const uint8_t *)number;
            break;
        case 2:
            value = *(const uint16_t *)number;
            break;
        case 4:
            value = *(const uint32_t *)number;
            break;
        default:
            value = *(const uint64_t *)number;
            break;
        }
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(value >> i * 8);
        state_bytes(s, bytes, size);
        return;
    }
    state_bytes(s, bytes, size);
    if (s->failed)
        return;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << i * 8;
    switch (size) {
    case 1:
        *(uint8_t *)number = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)number = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)number = (uint32_t)value;
        break;
    default:
        *(uint64_t *)number = value;
        break;
    }
}

/* Runs: zeros to step over, dwords that follow; the last run ends at `count`. */
void state_dwords(struct state *s, uint32_t *dwords, size_t count)
{
    if (!s->saving)
        memset(dwords, 0, count * sizeof *dwords);
    for (size_t at = 0; at < count && !s->failed;) {
        uint32_t skip = 0, run = 0;
        if (s->saving) {
            while (at + skip < count && dwords[at + skip] == 0)
                skip++;
            while (at + skip + run < count && dwords[at + skip + run] != 0)
                run++;
        }
        STATE(s, skip);
        STATE(s, run);
        state_check(s, skip <= count - at && run <= count - at - skip && (skip || run));
        if (s->failed)
            return;
        at += skip;
        for (uint32_t i = 0; i < run; i++)
            STATE(s, dwords[at + i]);
        at += run;
    }
}
