/* What "help NAME" adds to the line of a command: its forms, and an example. */
#include "debugger/commands.h"

#include <string.h>

#define SPACES           "    SPACE: ggtt, ppgtt (of the current engine), ENGINE.ppgtt, local, bus; or "
#define BATCH_SPACE      "space of the batch that the engine (the current engine) runs or ran last\n"
#define SPACE_HELP       SPACES "ENGINE, or none: the\n    " BATCH_SPACE
#define GIVEN_SPACE_HELP SPACES "ENGINE: the\n    " BATCH_SPACE

struct help_page {
    const char *name, *text, *example;
};

static const struct help_page pages[] = {
    {"step", "    step, step N\n", "step 10"},
    {"next", "    next, next N\n", "next"},
    {"finish", "    finish                   outside of batches: to a stop, or the end\n", "finish"},
    {"continue", "    continue                 with stops: see help break, help watch\n", "continue"},
    {"until", "    until [SPACE:]ADDRESS    SPACE: an engine, ggtt or ppgtt; none: any\n",
     "until rcs0:0x200010"},
    {"stepi", "    stepi, stepi N\n", "stepi 4"},
    {"back", "    back, back N           changes by set after that place are undone\n", "back 2"},
    {"backi", "    backi, backi N\n", "backi"},
    {"reverse-continue", "    reverse-continue         with stops: see help break, help watch\n", "rc"},
    {"goto",
     "    goto COMMAND             the number after # in places\n"
     "    goto COMMAND.INSTRUCTION an instruction that threads run in the command\n"
     "    goto draw N, goto dispatch N   as softgt draws counts them, both together\n",
     "goto 2"},
    {"break",
     "    names may have * and ?; \"after\" is before the next command\n"
     "    FIELD=VALUE              as where prints them; of a repeated field any, [1] FIELD=VALUE one\n"
     "    engine=NAME, context=LRCA or context=ID: only for what these do\n",
     "break memory ggtt:0x100000,16 engine=rcs0"},
    {"tbreak", "    tbreak WHAT              as break\n", "tbreak MI_STORE_DATA_IMM Immediate Data=0x11"},
    {"watch",
     "    watch [SPACE:]ADDRESS[,BYTES] [engine=NAME] [context=LRCA|ID]    4 bytes, if not "
     "given\n" SPACE_HELP,
     "watch ggtt:0x100000,64"},
    {"stops", "    stops                    with their numbers\n", "stops"},
    {"delete", "    delete                   all stops\n    delete NUMBER\n", "delete"},
    {"disable", "    disable                  all stops\n    disable NUMBER\n", "disable"},
    {"enable", "    enable                   all stops\n    enable NUMBER\n", "enable"},
    {"who",
     "    who [SPACE:]ADDRESS[,BYTES]    4 bytes, if not given\n"
     "    who [UNIT.]REGISTER            by name; with * and ? the last of several\n"
     "    who register OFFSET\n"
     "    all with engine=NAME, context=LRCA or context=ID: what these wrote last\n" SPACE_HELP,
     "who ggtt:0x100000"},
    {"where", "    where                    fields as break takes them\n", "where"},
    {"list", "    list, list N             10, if not given\n", "list 4"},
    {"state",
     "    state                    all of the current engine\n    state NAME               with * and ?\n",
     "state 3DSTATE_*"},
    {"registers",
     "    registers [UNIT.]NAME    with * and ?; one alone with its fields\n"
     "    registers OFFSET\n"
     "    registers                all of rcs0\n",
     "registers rcs0.RING_*"},
    {"x",
     "    x [SPACE:]ADDRESS        a dword\n"
     "    x/[N][SIZE][FORMAT] [SPACE:]ADDRESS\n"
     "    N: how many, 1 if not given\n"
     "    SIZE: b 1, h 2, w 4 or g 8 bytes; w if not given\n"
     "    FORMAT: x hexadecimal, d signed, u unsigned, f float; x if not given\n" SPACE_HELP,
     "x/4wx ggtt:0x100000"},
    {"structure", "    structure NAME [SPACE:]ADDRESS    softgt structures lists the names\n" SPACE_HELP,
     "structure RENDER_SURFACE_STATE ggtt:0x100000"},
    {"walk", "    walk [SPACE:]ADDRESS     SPACE: ggtt, ppgtt, ENGINE.ppgtt or ENGINE\n",
     "walk ggtt:0x100000"},
    {"engines", "    engines                  states, contexts, and what each waits for\n", "engines"},
    {"context", "    context, context ENGINE\n", "context rcs0"},
    {"bindings", "    bindings, bindings ENGINE\n", "bindings rcs0"},
    {"message", "    message                  at an instruction that sends one: see help stepi\n", "message"},
    {"guc", "    guc                      all sections\n    guc SECTION\n", "guc contexts"},
    {"functions", "    functions                all\n    functions vfN\n", "functions vf1"},
    {"thread", "    thread                   inside a thread: see help stepi\n", "thread"},
    {"regs",
     "    regs REGISTER[:TYPE]...  one register\n"
     "    regs FIRST-LAST[:TYPE]...\n"
     "    REGISTER: rN, accN, fN, aN, srN, crN; TYPE: ud d uw w ub b uq q hf f df\n",
     "regs r2-r5:f acc0"},
    {"disassemble",
     "    disassemble              the kernel of the thread\n    disassemble [ENGINE:]ADDRESS\n",
     "disassemble rcs0:0x102000"},
    {"set",
     "    set [UNIT.]REGISTER VALUE   as the CPU writes it\n"
     "    set OFFSET VALUE            the register with this offset\n"
     "    set SPACE:ADDRESS VALUE     a dword of memory\n"
     "    set rN[.DWORD] VALUE        a dword of a register of the thread; also accN, fN, "
     "...\n" GIVEN_SPACE_HELP
     "    a change stays for moves that end at its place or after; going back before undoes it\n",
     "set ggtt:0x100000 0x1234"},
    {"help", "    help                     all commands\n    help NAME\n", "help break"},
    {"quit", "    quit                     the stops are gone\n", "quit"},
    {.name = NULL},
};

void print_help_page(FILE *out, const char *name)
{
    for (const struct help_page *p = pages; p->name; p++)
        if (strcmp(p->name, name) == 0)
            fprintf(out, "%s  for example: %s\n", p->text, p->example);
}
