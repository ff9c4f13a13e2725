/* What an engine does, for people and for programs: context, batches, command, and what it waits for. */
#ifndef HOST_ENGINE_REPORT_H
#define HOST_ENGINE_REPORT_H

#include "base/text.h"
#include "device/host.h"
#include "host/event_json.h"

#include <json-c/json.h>

/* What the current command of a waiting engine waits for. */
struct engine_wait_place {
    bool has_address, is_register, is_ggtt;
    uint64_t address; /* a graphics address, or the offset of a register */
};
struct engine_wait_place engine_wait_place(struct softgt *device, unsigned engine);

/* Appends "MI_SEMAPHORE_WAIT at 0x1040, batch 0x1000, context 0x12000 (id 0x5)". `position` is that of the
 * engine in the run. */
void engine_report_place(struct text *t, struct softgt *device, unsigned engine,
                         const struct engine_position *position);
/* Appends what a waiting engine waits for, and since when: "It waits for a value == 0x5 at GGTT 0xfe000, and
 * found 0x3, since 1.234000 s". */
void engine_report_wait(struct text *t, struct softgt *device, unsigned engine);

/* The same as an object; NULL: no memory. */
struct json_object *engine_report_object(struct softgt *device, unsigned engine,
                                         const struct engine_position *position);
/* The whole state of a device: engines, GuC. NULL: no memory. */
struct json_object *device_report_object(struct softgt *device,
                                         const struct engine_position positions[TRACKED_ENGINES]);
/* Appends such an object as text, some lines for each engine. */
void device_report_text(struct text *t, struct json_object *report);

#endif
