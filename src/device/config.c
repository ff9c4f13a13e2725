/* Configs: what a device is created from, checked. The report port gets what is wrong. (softgt.h) */
#include "base/sized.h"
#include "device/device.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int config_refuse(const struct softgt_report_port *port, const char *format, ...)
{
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct device_log log = {.report = *port};
    report_error(&log, SOFTGT_HOST_FAILURE, "device", 0, "not created: %s", text);
    return -EINVAL;
}

int config_refuse_size(const struct softgt_report_port *port, size_t given_bytes, size_t known_bytes)
{
    return config_refuse(port, "the config has %zu bytes, and sets one after the %zu that this library knows",
                         given_bytes, known_bytes);
}

int config_refuse_name(const struct softgt_report_port *port, const char *name)
{
    return name ? config_refuse(port, "no device has the name '%.40s'", name)
                : config_refuse(port, "the config has no device; expected a name, as \"skl\"");
}

int config_read(struct softgt_config *to, const struct softgt_config *from, size_t from_bytes)
{
    if (!sized_struct_read(to, sizeof *to, from, from_bytes)) {
        sized_struct_read(to, sizeof *to, from, sizeof *to);
        return config_refuse_size(&to->report, from_bytes, sizeof *to);
    }
    return to->device && sheet_find(to->device) ? 0 : config_refuse_name(&to->report, to->device);
}

static bool is_power_of_two(uint64_t value)
{
    return value && (value & (value - 1u)) == 0;
}

static int check_local_memory(const struct softgt_config *c)
{
    const uint64_t least_mb = 64, most_mb = c->local_host      ? UINT64_C(16) << 10
                                            : c->local_by_port ? UINT64_C(1) << 20
                                                               : UINT64_C(2) << 10;
    if (!c->local_bytes || (is_power_of_two(c->local_bytes) && c->local_bytes >= least_mb << 20 &&
                            c->local_bytes <= most_mb << 20))
        return 0;
    return config_refuse(&c->report,
                         "softgt_config.local_bytes is %" PRIu64 "; expected a power of two from %" PRIu64
                         " to %" PRIu64 " MB",
                         c->local_bytes, least_mb, most_mb);
}

int config_check_code(const struct softgt_code_port *code, const char *config,
                      const struct softgt_report_port *port)
{
    return !code->map == !code->unmap
               ? 0
               : config_refuse(port, "%s.code has one of map and unmap; expected both", config);
}

int config_check_threads(const struct softgt_parallel_port *p, const char *config,
                         const struct softgt_report_port *port)
{
    if (p->threads > SOFTGT_MOST_PARALLEL)
        return config_refuse(port, "%s.parallel.threads is %u; expected up to %u", config, p->threads,
                             (unsigned)SOFTGT_MOST_PARALLEL);
    if (p->threads > 1 && (!p->run || !p->lock || !p->unlock))
        return config_refuse(port, "%s.parallel has %u threads and lacks run, lock or unlock", config,
                             p->threads);
    return 0;
}

static int check_background(const struct softgt_config *c)
{
    if (!c->background.begin != !c->background.end)
        return config_refuse(&c->report, "softgt_config.background has one of begin and end; expected both");
    return config_check_code(&c->code, "softgt_config", &c->report);
}

static int check_functions(const struct softgt_config *c, const struct sheet *s)
{
    if (c->functions > s->info.functions)
        return config_refuse(&c->report, "softgt_config.functions is %u; %s has up to %u", c->functions,
                             s->info.name, s->info.functions);
    for (unsigned i = 0; c->function_ports && i < c->functions; i++)
        if (!c->function_ports[i].memory.map && !c->function_ports[i].memory.read)
            return config_refuse(&c->report,
                                 "softgt_config.function_ports[%u].memory has neither map nor read", i);
    return 0;
}

int config_check(const struct softgt_config *c, const struct sheet *s)
{
    if (!c->memory.map && !c->memory.read)
        return config_refuse(&c->report, "softgt_config.memory has neither map nor read");
    if (!c->memory.map && c->local_by_port)
        return config_refuse(&c->report, "softgt_config.local_by_port is set; memory.map is NULL");
    int error = check_functions(c, s);
    if (!error)
        error = check_local_memory(c);
    if (!error)
        error = config_check_threads(&c->parallel, "softgt_config", &c->report);
    return error ? error : check_background(c);
}
