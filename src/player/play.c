#include "player/play.h"

#include <stdio.h>

void gts_location_text(const struct gts_operation *o, uint64_t offset, char *text, size_t size)
{
    const unsigned long long shown = o->shown_address + offset;
    switch (o->location) {
    case PLACE_REGISTER:
        snprintf(text, size, "%s", o->name);
        break;
    case PLACE_BAR:
    case PLACE_PHYSICAL:
    case PLACE_GGTT:
        snprintf(text, size, "%s:0x%llx", o->name, shown);
        break;
    case PLACE_GGTT_TABLE:
        snprintf(text, size, "GGTT table:0x%llx", shown);
        break;
    case PLACE_NONE:
        snprintf(text, size, "-");
        break;
    }
}
