#include "hang_file.h"

#include "tool.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(1) << 30)

static void report_problems(const char *file, const struct error_state *s)
{
    for (uint64_t i = 0; i < s->problem_count && i < ERROR_PROBLEMS; i++)
        if (s->problems[i].line)
            tool_error(file, "line %u: %s", s->problems[i].line, s->problems[i].text);
        else
            tool_error(file, "%s", s->problems[i].text);
    if (s->problem_count > ERROR_PROBLEMS)
        tool_error(file, "%s more problems", tool_number(s->problem_count - ERROR_PROBLEMS));
}

bool hang_read(const char *file, uint64_t limit_bytes, struct error_state *state)
{
    const uint64_t limit = limit_bytes ? limit_bytes : DEFAULT_MEMORY_BYTES;
    const char *why = NULL;
    size_t size, text_bytes = 0;
    void *const data = tool_read(file, limit, &size);
    char *const text = data ? error_state_unpack(data, size, limit, &text_bytes, &why) : NULL;
    free(data);
    if (!data)
        return false;
    if (!text)
        tool_no_memory();
    if (why)
        tool_error(file, "%s; the first %zu bytes are read", why, text_bytes);
    const bool is_usable = error_state_parse(state, text, text_bytes, limit);
    free(text);
    if (state->no_memory)
        tool_no_memory();
    report_problems(file, state);
    if (why)
        state->problem_count++;
    return is_usable;
}

const struct sheet *hang_sheet(const char *file, const struct error_state *state, const char *wanted,
                               bool decoded)
{
    if (wanted)
        return decoded && !sheet_find(wanted) ? decoded_find(wanted) : sheet_find(wanted);
    if (!state->has_pci_id) {
        tool_error(file, "the file has no PCI ID: name the device with --device");
        return NULL;
    }
    const struct sheet *const sheet = sheet_find_id(state->pci_id);
    if (sheet || (decoded && decoded_find_id(state->pci_id)))
        return sheet ? sheet : decoded_find_id(state->pci_id);
    tool_error(file, "PCI ID 0x%04x is no device that softgt %s: name one of its generation with --device",
               state->pci_id, decoded ? "knows" : "runs");
    return NULL;
}
