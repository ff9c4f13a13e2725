/* Where the registers are that several parts of the display, and commands, look at. */
#ifndef DISPLAY_PIPE_REGISTERS_H
#define DISPLAY_PIPE_REGISTERS_H

/* Of the first pipe and its plane; PIPE_STEP from one to the next. */
enum {
    PIPESRC = 0x6001c,
    PIPESTAT = 0x70024,
    DSPCNTR = 0x70180,
    DSPSTRIDE = 0x70188,
    DSPSURFLIVE = 0x701ac,
    PIPE_STEP = 0x1000,
};

#endif
