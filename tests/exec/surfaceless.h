/* A context of GL or GLES without a window, as programs of the host make one, and what it draws with. */
#ifndef EXEC_SURFACELESS_H
#define EXEC_SURFACELESS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

struct surfaceless {
    EGLDisplay display;
    EGLContext context;
};

/* Of `api` (EGL_OPENGL_ES_API, EGL_OPENGL_API), with eglCreateContext's attributes; it is current. False: it
 * says what is not there. */
static inline bool surfaceless_begin(struct surfaceless *s, EGLenum api, const EGLint *attributes)
{
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    s->display = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
    if (!s->display || !eglInitialize(s->display, NULL, NULL) || !eglBindAPI(api)) {
        puts("no display");
        return false;
    }
    s->context = eglCreateContext(s->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (!s->context || !eglMakeCurrent(s->display, EGL_NO_SURFACE, EGL_NO_SURFACE, s->context)) {
        puts("no context");
        return false;
    }
    return true;
}

static inline void surfaceless_end(const struct surfaceless *s)
{
    eglDestroyContext(s->display, s->context);
    eglTerminate(s->display);
}

/* Whether a program's arguments name it; without arguments all are named. */
static inline bool is_named(const char *name, int count, char **names)
{
    bool named = count == 0;
    for (int n = 0; n < count; n++)
        named |= strcmp(names[n], name) == 0;
    return named;
}

#endif
