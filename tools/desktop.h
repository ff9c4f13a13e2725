/* softgt desktop: its processes, what shows its picture, and its VNC server. */
#ifndef TOOLS_DESKTOP_H
#define TOOLS_DESKTOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { DESKTOP_PATH = 1024 };

/* ---- Processes (desktop_processes.c) ---- */

enum desktop_role {
    DESKTOP_XVNC,
    DESKTOP_WESTON,   /* the compositor, on the device */
    DESKTOP_WINDOW,   /* shows what the compositor draws */
    DESKTOP_TOOL,     /* a short run of another program */
    DESKTOP_PROGRAMS, /* the first of DESKTOP_MOST_PROGRAMS */
    DESKTOP_MOST_PROGRAMS = 4,
    DESKTOP_ROLES = DESKTOP_PROGRAMS + DESKTOP_MOST_PROGRAMS,
};

/* Handles signals, and adopts what its processes leave behind. Each pause calls `watch`. */
void desktop_processes_begin(void (*watch)(void));
/* The signal that asked the desktop to end; 0: none. */
int desktop_signal(void);
/* True in the new process, which has the signals of before. A leader has its own process group and no input.
 */
bool desktop_fork(enum desktop_role role, bool is_leader);
/* Executes a program and ends the process. */
_Noreturn void desktop_execute(char *const *argv);
/* Sends standard output and standard error to the end of a file. */
void desktop_write_to(const char *path);
/* Runs a program with these files as its input and output. False: its status is not 0, or a signal came. */
bool desktop_run(char *const *argv, const char *input, const char *output);
/* It was started and has not ended. */
bool desktop_runs(enum desktop_role role);
/* Of one that has ended: its exit status, or 128 and the signal's number. */
int desktop_status(enum desktop_role role);
/* Asks it to end, waits, and insists. */
void desktop_end(enum desktop_role role);
/* Ends all descendants. */
void desktop_end_all(void);
/* Waits some milliseconds, learns which processes have ended, and watches. */
void desktop_pause(unsigned ms);

/* ---- The viewer (desktop_viewer.c) ---- */

/* In weston's environment: this program, and the socket where it hands the viewer's connection over. */
#define DESKTOP_SELF   "SOFTGT_DESKTOP_SELF"
#define DESKTOP_VIEWER "SOFTGT_DESKTOP_VIEWER"
/* The colour of the desktop's panel, by which the viewer knows the top. No shade of the background is like
 * it. */
enum { DESKTOP_PANEL = 0x242424 };

/* A socket at that path. -1: see errno. */
int desktop_viewer_listen(const char *path);
/* The connection of weston's screen-share module, if it has come; else -1. */
int desktop_viewer_accept(int listener);
/* In the process that the module starts: hands its connection over. Returns the exit status. */
int desktop_viewer_hand_over(const char *path);
/* Runs the viewer and relays between it and `client`, until either ends. Returns the viewer's exit status. */
int desktop_viewer_run(int client, char *const *argv, bool is_x11, unsigned width_px, unsigned height_px);
/* An X server answers at $DISPLAY. */
bool desktop_x11_answers(void);

/* ---- VNC (desktop_vnc.c) ---- */

struct desktop_vnc {
    char address[64], text[80]; /* numeric, and with the port */
    uint16_t port;
    bool is_local;
    char password[64]; /* "": none */
    int display;
};

/* Parses [ADDRESS][:PORT], or PORT. False: it is neither. */
bool desktop_vnc_parse(struct desktop_vnc *v, const char *text);
/* Nobody else listens there; a port of 0 becomes a free one. False after a message. */
bool desktop_vnc_reserve(struct desktop_vnc *v);
/* Reads the password, or makes one if `path` is NULL. False after a message. */
bool desktop_vnc_password(struct desktop_vnc *v, const char *path);
/* Starts the server, with its files in `folder`, and sets DISPLAY and XAUTHORITY. False after a message, or
 * if a signal came. */
bool desktop_vnc_start(struct desktop_vnc *v, const char *server, const char *folder, const char *log,
                       const char *device, unsigned width_px, unsigned height_px);

#endif
