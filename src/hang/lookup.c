/* Finds registers by the rows' names, and memory by address. */
#include "hang/state.h"

#include <softgt/tools.h>
#include <stdio.h>
#include <string.h>

/* Names that drivers have for rows. Others are equal but for a prefix RING_ or a suffix _LDW. */
static const struct {
    const char *name, *row;
} row_names[] = {
    {"START", "RING_BUFFER_START"},
    {"HEAD", "RING_BUFFER_HEAD"},
    {"TAIL", "RING_BUFFER_TAIL"},
    {"CTL", "RING_BUFFER_CTL"},
    {"RING_START", "RING_BUFFER_START"},
    {"RING_HEAD", "RING_BUFFER_HEAD"},
    {"RING_TAIL", "RING_BUFFER_TAIL"},
    {"RING_CTL", "RING_BUFFER_CTL"},
    {"MODE", "MI_MODE"},
    {"RING_MODE", "GFX_MODE"},
    {"HWS", "HWS_PGA"},
    {"BBADDR", "BB_ADDR"},
    {"RING_BBADDR", "BB_ADDR"},
    {"BBADDR_LDW", "BB_ADDR"},
    {"RING_BBADDR_UDW", "BB_ADDR_UDW"},
    {"BBADDR_UDW", "BB_ADDR_UDW"},
    {"FADDR", "DMA_FADD"},
    {"DMA_FADDR", "DMA_FADD"},
    {"DMA_FADDR_LO", "DMA_FADD"},
    {"DMA_FADDR_HI", "DMA_FADD_UDW"},
    {"DMA_FADDR_LDW", "DMA_FADD"},
    {"DMA_FADDR_UDW", "DMA_FADD_UDW"},
    {"RC PSMI", "RC_PSMI_CONTROL"},
    {"RC_PSMI_CTRL", "RC_PSMI_CONTROL"},
    {"CTX_SR_CTL", "CTXT_SR_CTL"},
    {"FAULT_REG", "RING_FAULT_REG"},
    {"GEOM_SVGUNIT_INSTDONE", "INSTDONE_GEOM_SVG"},
    {"INSTDONE_GEOM_SVGUNIT", "INSTDONE_GEOM_SVG"},
};

const char *error_row_name(const char *name)
{
    for (unsigned i = 0; i < sizeof row_names / sizeof row_names[0]; i++)
        if (strcmp(name, row_names[i].name) == 0)
            return row_names[i].row;
    return strncmp(name, "RING_", 5) == 0 && strcmp(name, "RING_FAULT_REG") != 0 ? name + 5 : name;
}

const char *softgt_linux_register_name(const char *name)
{
    return error_row_name(name);
}

/* The file's name is that of the row; a name ends at "_LDW", too. */
static bool is_row(const char *name, const char *row)
{
    const char *const mine = error_row_name(name);
    const size_t length = strlen(row);
    return strncmp(mine, row, length) == 0 && (!mine[length] || strcmp(mine + length, "_LDW") == 0);
}

/* The last of several counts: the GuC lists those of the engine behind those of its class. */
const struct error_register *error_register_find(const struct error_engine *e, const char *row)
{
    for (unsigned i = e->register_count; i > 0; i--)
        if (is_row(e->registers[i - 1].name, row))
            return &e->registers[i - 1];
    return NULL;
}

bool error_register_value(const struct error_engine *e, const char *row, uint64_t *value)
{
    char upper[ERROR_NAME];
    const struct error_register *const r = error_register_find(e, row);
    if (!r)
        return false;
    snprintf(upper, sizeof upper, "%s_UDW", row);
    const struct error_register *const high = error_register_find(e, upper);
    *value = r->value | (high ? high->value << 32 : 0);
    return true;
}

void error_register_text(const struct error_register *r, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s", r->name);
    for (unsigned i = 0; i < 2 && r->index[i] != ERROR_NO_INDEX && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "[%d]", r->index[i]);
}

const struct error_engine *error_state_engine(const struct error_state *s, const char *name)
{
    for (unsigned i = 0; i < s->engine_count; i++)
        if (strcmp(s->engines[i].name, name) == 0)
            return &s->engines[i];
    return NULL;
}

/* How well a buffer fits; 0: it does not have the address. */
static unsigned fit(const struct error_buffer *b, int engine, enum error_space space, uint64_t address)
{
    if (!b->has_address || !b->bytes || address < b->address || address - b->address >= b->size_bytes)
        return 0;
    return 1u + (b->space == space ? 2u : 0u) + (b->engine == engine ? 1u : 0u);
}

const struct error_buffer *error_buffer_at(const struct error_state *s, int engine, enum error_space space,
                                           uint64_t address)
{
    const struct error_buffer *best = NULL;
    unsigned best_fit = 0;
    for (unsigned i = 0; i < s->buffer_count; i++) {
        const unsigned f = fit(&s->buffers[i], engine, space, address);
        if (f > best_fit) {
            best_fit = f;
            best = &s->buffers[i];
        }
    }
    return best;
}

bool error_state_read(const struct error_state *s, int engine, enum error_space space, uint64_t address,
                      void *data, size_t size_bytes)
{
    uint8_t *to = data;
    while (size_bytes) {
        const struct error_buffer *const b = error_buffer_at(s, engine, space, address);
        if (!b)
            return false;
        const uint64_t offset = address - b->address, left = b->size_bytes - offset;
        const size_t part = left < size_bytes ? (size_t)left : size_bytes;
        memcpy(to, b->bytes + offset, part);
        to += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}
