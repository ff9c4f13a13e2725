/* What a debuggee's device is changed by: registers, registers of threads, memory. */
#include "debugger/debuggee.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "ggtt:0x1000", "rcs0:0x1000", "local:0x1000", "bus:0x1000" */
static bool set_memory(struct debuggee *d, const char *target, uint32_t value)
{
    char unit[16];
    uint64_t address;
    struct debug_space space;
    uint64_t physical;
    if (!stop_parse_address(target, unit, sizeof unit, &address) || address % 4)
        return debuggee_refuse(d,
                               "expected SPACE:ADDRESS of a dword; SPACE: ggtt, ppgtt, local, bus or ENGINE");
    if (!debuggee_space(d, unit, &space))
        return debuggee_refuse(d, "no engine has this name");
    if (!debuggee_physical(d, &space, address, &physical))
        return debuggee_refuse(d, "no memory is mapped there");
    if (!device_physical_write(d->device, physical, &value, sizeof value))
        return debuggee_refuse(d, "no memory is there");
    watching_wrote(d, physical, sizeof value);
    return true;
}

/* "r10.3", "f0.0", "acc0.1": a dword of a register of the thread. False: it is no such name. */
static bool find_thread_dword(const struct debuggee *d, const char *target, enum softgt_eu_file *file,
                              size_t *at)
{
    char *end;
    const size_t letters = strcspn(target, "0123456789.");
    if (!d->thread || !isdigit((unsigned char)target[letters]))
        return false;
    const unsigned long number = strtoul(target + letters, &end, 10),
                        dword = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    for (*file = 0; *file < SOFTGT_EU_FILES; (*file)++) {
        const char *const name = softgt_eu_file_name(*file);
        if (!name || strlen(name) != letters || strncmp(name, target, letters) != 0)
            continue;
        const size_t bytes = softgt_eu_register_bytes(*file);
        *at = number * bytes + dword * 4;
        return !*end && number < 512 && dword * 4 < bytes;
    }
    return false;
}

static bool set_register(struct debuggee *d, const char *target, uint32_t value)
{
    char error[120] = "", text[DEBUG_LINE];
    struct stop which;
    const struct register_file *const file = softgt_register_file(d->device);
    snprintf(text, sizeof text, "register %s", target);
    if (!stop_parse(&which, file, text, error, sizeof error) && isdigit((unsigned char)*target))
        return debuggee_refuse(d,
                               "no register is at this offset; an address of memory needs a space, such as "
                               "ggtt:0x1000 or ppgtt:0x1000");
    if (*error)
        return debuggee_refuse(d, error);
    const struct register_slot *const s = register_find(file, *which.unit ? which.unit : NULL, which.pattern);
    if (!s)
        return debuggee_refuse(d, "expected one register");
    if (d->ops->write_register)
        d->ops->write_register(d, s->offset, value);
    else
        device_bar_write(d->device, SOFTGT_BAR_GTTMMADR, s->offset, value, 4);
    return true;
}

bool debuggee_change(struct debuggee *d, const char *arguments)
{
    char target[STOP_TEXT];
    unsigned long long value;
    enum softgt_eu_file file;
    size_t at;
    if (sscanf(arguments, "%150s %lli", target, (long long *)&value) != 2) /* NOLINT(cert-err34-c) */
        return debuggee_refuse(d, "expected [UNIT.]REGISTER VALUE, rN.DWORD VALUE, or SPACE:ADDRESS VALUE");
    const uint32_t dword = (uint32_t)value;
    if (strchr(target, ':'))
        return set_memory(d, target, dword);
    if (find_thread_dword(d, target, &file, &at))
        return softgt_eu_thread_write(d->thread, file, at, &dword, sizeof dword) ||
               debuggee_refuse(d, "the thread has no such register, or it is read only");
    return set_register(d, target, dword);
}

bool debuggee_set(struct debuggee *d, const char *arguments)
{
    struct debug_shared *const s = d->shared;
    if (strlen(arguments) >= DEBUG_CHANGE)
        return debuggee_refuse(d, "that is too long");
    if (s->change_count == DEBUG_CHANGES)
        return debuggee_refuse(d, "there are too many changes: go back before some of them");
    d->change = arguments;
    const bool good = debuggee_change(d, arguments);
    d->change = NULL;
    if (!good || !d->ops->keeps_changes)
        return good;
    struct debug_change *const c = &s->changes[s->change_count++];
    c->place = d->place;
    snprintf(c->text, sizeof c->text, "%s", arguments);
    d->change_count = s->change_count;
    s->changed = true;
    return true;
}
