/*
 * A debugger of a live device. Where a move ends the engines are held, as a used-up budget ends a run; the
 * owner serves its other callers meanwhile. There is no way back in time.
 *
 * All functions but live_event are called between runs of the device.
 */
#ifndef DEBUGGER_LIVE_H
#define DEBUGGER_LIVE_H

#include "base/text.h"
#include "debugger/debugger.h"

struct live_debugger;

struct live_port {
    void *user;
    /* Writes a register as the CPU does. */
    void (*write_register)(void *user, uint32_t offset, uint32_t value);
    /* The device is recorded: its runs must not end within a kernel. */
    bool is_recorded;
};

/* Holds the engines. NULL: out of memory. */
struct live_debugger *live_open(struct softgt *device, const struct live_port *port);
/* Texts of commands and structures are coloured. */
void live_colour(struct live_debugger *l, bool colour);
/* Lets the engines go on. */
void live_close(struct live_debugger *l);
/* The trace events that it needs: more or fewer after each call. */
unsigned live_events(const struct live_debugger *l);
void live_event(struct live_debugger *l, const struct softgt_event *e);
/* Carries out a line of the prompt, and appends what it prints. */
enum debugger_result live_line(struct live_debugger *l, const char *line, struct text *out);
/* Appends the words that may end the line, each with a newline. */
void live_complete(struct live_debugger *l, const char *line, struct text *out);
/* Holds the engines now. */
void live_interrupt(struct live_debugger *l);
/* live_take_stop has something to say. */
bool live_has_stop(const struct live_debugger *l);
/* The owner reset the device: no engine comes to its place again. */
void live_reset(struct live_debugger *l);
/* A move ended since the last call: appends where and why. False: none did. */
bool live_take_stop(struct live_debugger *l, struct text *out);

#endif
