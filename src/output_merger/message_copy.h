/* A copy of a message to a render target, whose payload may be changed. */
#ifndef OUTPUT_MERGER_MESSAGE_COPY_H
#define OUTPUT_MERGER_MESSAGE_COPY_H

#include "shared_function/shared_function.h"

enum { COPY_REGISTERS = 32 };
struct message_copy {
    struct eu_send send;
    uint8_t registers[COPY_REGISTERS][EU_REGISTER_BYTES];
};

static inline void message_copy_init(struct message_copy *to, const struct eu_send *m)
{
    const unsigned has = payload_registers(m), count = has < COPY_REGISTERS ? has : COPY_REGISTERS;
    for (unsigned n = 0; n < count; n++)
        memcpy(to->registers[n], payload_register(m, n), sizeof to->registers[n]);
    to->send = *m;
    to->send.payload[0] = to->registers[0];
    to->send.payload[1] = NULL;
    to->send.payload_registers[0] = (uint8_t)count;
    to->send.payload_registers[1] = 0;
}

#endif
