/* What a data sheet has besides rows: the instruction set, units, ranges, function IDs, kinds of memory, base
 * addresses and context images, as lists of public structs. */
#include "spec/spec.h"

#include "engine/engine.h"
#include "isa/message_types.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)SOFTGT_FORM_NONE == FORM_NONE && (int)SOFTGT_FORM_DIM == FORM_DIM && FORMS == FORM_DIM + 1,
              "a form");
static_assert((int)SOFTGT_OPERATION_PREDICATE == (int)EU_PREDICATED &&
                  (int)SOFTGT_OPERATION_BRANCH_CONTROL == (int)EU_BRANCH_CONTROL,
              "modifiers of an operation");

static void *new_list(struct softgt_spec *spec, enum spec_list list, size_t most, size_t item_bytes)
{
    spec->lists[list].items = calloc(most + 1, item_bytes);
    return spec->lists[list].items;
}

/* ---- Instruction sets ---- */

enum { OPCODES = 128, OPERATION_MODIFIERS = 2 * SOFTGT_OPERATION_BRANCH_CONTROL - 1 };

static bool add_operations(struct softgt_spec *spec, const struct eu_isa *set)
{
    struct softgt_operation *o = new_list(spec, SPEC_OPERATIONS, OPCODES, sizeof *o);
    for (unsigned code = 0; o && code < OPCODES; code++) {
        const struct eu_operation *const row = eu_operation_find(set, code);
        if (!row)
            continue;
        *o++ = (struct softgt_operation){.name = row->name,
                                         .summary = row->summary,
                                         .opcode = code,
                                         .sources = row->sources,
                                         .form = (enum softgt_instruction_form)row->form,
                                         .modifiers = row->flags & OPERATION_MODIFIERS};
        spec->lists[SPEC_OPERATIONS].count++;
    }
    return o;
}

static void fill_instruction_field(struct spec_instruction_field *to, const struct eu_field_row *row)
{
    struct softgt_instruction_field *const f = &to->field;
    *f = (struct softgt_instruction_field){.name = eu_field_names[row->field],
                                           .forms = row->forms & ((1u << FORMS) - 1u),
                                           .first_bits = to->first_bits,
                                           .width_bits = to->width_bits,
                                           .inverted = row->flip,
                                           .shift = row->shift,
                                           .condition_fields = to->condition_fields,
                                           .condition_values = to->condition_values};
    for (unsigned i = 0; i < EU_PIECES && row->pieces[i].width; i++) {
        to->first_bits[i] = row->pieces[i].first;
        to->width_bits[i] = row->pieces[i].width;
        f->pieces++;
    }
    for (unsigned i = 0; i < EU_CONDITIONS && row->when[i].values; i++) {
        to->condition_fields[i] = eu_field_names[row->when[i].field];
        to->condition_values[i] = row->when[i].values;
        f->conditions++;
    }
}

static bool add_instruction_fields(struct softgt_spec *spec, const struct eu_isa *set)
{
    struct spec_instruction_field *f = new_list(spec, SPEC_INSTRUCTION_FIELDS, eu_field_row_count, sizeof *f);
    for (unsigned i = 0; f && i < eu_field_row_count; i++) {
        if (!(eu_field_rows[i].generations & set->generation))
            continue;
        fill_instruction_field(f++, &eu_field_rows[i]);
        spec->lists[SPEC_INSTRUCTION_FIELDS].count++;
    }
    return f;
}

static bool add_thread_messages(struct softgt_spec *spec, const struct eu_isa *set)
{
    struct eu_message_type type;
    unsigned most = 0;
    while (eu_message_type(set, most, &type))
        most++;
    struct softgt_thread_message *m = new_list(spec, SPEC_THREAD_MESSAGES, most, sizeof *m);
    for (unsigned i = 0; m && eu_message_type(set, i, &type); i++) {
        if (!type.name)
            continue;
        *m++ = (struct softgt_thread_message){type.name, type.function, type.sfids, type.match, type.mask};
        spec->lists[SPEC_THREAD_MESSAGES].count++;
    }
    return m;
}

/* ---- Maps ---- */

static bool add_units(struct softgt_spec *spec)
{
    const struct sheet *const sheet = spec->sheet;
    size_t count = 0;
    for (unsigned i = 0; i < sheet->info.engine_count; i++) {
        count++;
        for (const struct engine_unit *u = sheet->engines[i].units; u && u->block; u++)
            count++;
    }
    struct softgt_unit *to = new_list(spec, SPEC_UNITS, count, sizeof *to);
    for (unsigned i = 0; to && i < sheet->info.engine_count; i++) {
        const struct engine_info *const e = &sheet->engines[i];
        *to++ = (struct softgt_unit){e->name, "command streamer", e->mmio_base};
        for (const struct engine_unit *u = e->units; u && u->block; u++)
            *to++ = (struct softgt_unit){e->name, u->block->name, u->base};
    }
    spec->lists[SPEC_UNITS].count = count;
    return to;
}

static bool add_ranges(struct softgt_spec *spec)
{
    const struct register_range *const ranges = spec->sheet->ranges;
    size_t count = 0;
    while (ranges && ranges[count].owner)
        count++;
    struct softgt_register_range *const to = new_list(spec, SPEC_RANGES, count, sizeof *to);
    for (size_t i = 0; to && i < count; i++)
        to[i] = (struct softgt_register_range){ranges[i].first, ranges[i].last, ranges[i].owner};
    spec->lists[SPEC_RANGES].count = count;
    return to;
}

static bool add_function_ids(struct softgt_spec *spec)
{
    const struct function_id *const ids = spec->sheet->function_ids;
    struct softgt_function_id *const to = new_list(spec, SPEC_FUNCTION_IDS, FUNCTION_IDS, sizeof *to);
    if (!ids || !to)
        return to;
    for (unsigned i = 0; i < FUNCTION_IDS; i++)
        to[i] = (struct softgt_function_id){ids[i].sfid, ids[i].shared_function, ids[i].ffid,
                                            ids[i].fixed_function};
    spec->lists[SPEC_FUNCTION_IDS].count = FUNCTION_IDS;
    return true;
}

static bool add_memory(struct softgt_spec *spec)
{
    size_t count = 0;
    while (memory_objects[count].type)
        count++;
    struct softgt_memory_object *const objects = new_list(spec, SPEC_MEMORY_OBJECTS, count, sizeof *objects);
    struct softgt_base_address *const bases = new_list(spec, SPEC_BASE_ADDRESSES, BASES, sizeof *bases);
    if (!objects || !bases)
        return false;
    for (size_t i = 0; i < count; i++)
        objects[i] = (struct softgt_memory_object){memory_objects[i].type, memory_objects[i].role,
                                                   memory_objects[i].found_by};
    for (unsigned i = BASE_NONE; i < BASE_CONSTANTS; i++)
        bases[i] = (struct softgt_base_address){base_infos[i].name, base_infos[i].accesses};
    spec->lists[SPEC_MEMORY_OBJECTS].count = count;
    spec->lists[SPEC_BASE_ADDRESSES].count = BASE_CONSTANTS;
    return true;
}

/* ---- Images ---- */

static enum softgt_image_step step_of(const struct image_walk *w)
{
    switch ((enum image_step)w->row->step) {
    case IMAGE_LIST:
        return SOFTGT_IMAGE_LIST;
    case IMAGE_LOST:
        return SOFTGT_IMAGE_UNKNOWN_REGISTER;
    case IMAGE_BATCH_END:
        return SOFTGT_IMAGE_BATCH_END;
    case IMAGE_PIPELINE_STATE:
        return SOFTGT_IMAGE_PIPELINE_STATE;
    default:
        return image_is_register(w) ? SOFTGT_IMAGE_REGISTER : SOFTGT_IMAGE_NOOP;
    }
}

/* MI_NOOPs of several rows in a row are one item. */
static bool add_items(struct spec_image *image, const struct image_row *rows, uint32_t mmio_base)
{
    size_t most = 0;
    for (struct image_walk w = image_begin(rows, mmio_base); image_next(&w);)
        most++;
    image->items = calloc(most + 1, sizeof *image->items);
    if (!image->items)
        return false;
    for (struct image_walk w = image_begin(rows, mmio_base); image_next(&w);) {
        const enum softgt_image_step step = step_of(&w);
        struct softgt_image_item *const before = image->count ? &image->items[image->count - 1] : NULL;
        if (before && step == SOFTGT_IMAGE_NOOP && before->step == SOFTGT_IMAGE_NOOP)
            before->length_dw += w.length_dw;
        else
            image->items[image->count++] = (struct softgt_image_item){step, w.at_dw, w.length_dw, w.value};
    }
    return true;
}

static bool add_images(struct softgt_spec *spec)
{
    struct spec_image *image = new_list(spec, SPEC_IMAGES, 2 * spec->sheet->info.engine_count, sizeof *image);
    for (unsigned i = 0; image && i < 2 * spec->sheet->info.engine_count; i++) {
        const struct engine_info *const e = &spec->sheet->engines[i / 2];
        const bool is_power = i % 2;
        const struct image_row *const rows = is_power ? e->contexts.power_image : e->contexts.image;
        if (!rows)
            continue;
        const struct image_length length = image_length(rows);
        image->image =
            (struct softgt_image){e->name, is_power, length.dw, is_power ? 0 : length.ring_context_dw,
                                  is_power ? 0u : e->contexts.image_offset};
        spec->lists[SPEC_IMAGES].count++;
        if (!add_items(image++, rows, e->mmio_base))
            return false;
    }
    return image;
}

/* ---- All ---- */

bool spec_lists_create(struct softgt_spec *spec)
{
    const struct eu_isa *const set = spec->sheet->eu;
    return (!set || (add_operations(spec, set) && add_instruction_fields(spec, set) &&
                     add_thread_messages(spec, set))) &&
           add_function_ids(spec) && add_memory(spec) &&
           (spec->is_decoded || (add_units(spec) && add_ranges(spec) && add_images(spec)));
}

void spec_lists_destroy(struct softgt_spec *spec)
{
    struct spec_image *const images = spec->lists[SPEC_IMAGES].items;
    for (size_t i = 0; i < spec->lists[SPEC_IMAGES].count; i++)
        free(images[i].items);
    for (unsigned i = 0; i < SPEC_LISTS; i++)
        free(spec->lists[i].items);
}

/* ---- Items ---- */

static const void *item_at(const struct softgt_spec *spec, enum spec_list list, size_t index,
                           size_t item_bytes)
{
    return index < spec->lists[list].count ? (const char *)spec->lists[list].items + index * item_bytes
                                           : NULL;
}

const struct softgt_operation *softgt_spec_operation(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_OPERATIONS, index, sizeof(struct softgt_operation));
}

const struct softgt_instruction_field *softgt_spec_instruction_field(const struct softgt_spec *spec,
                                                                     size_t index)
{
    const struct spec_instruction_field *const f =
        item_at(spec, SPEC_INSTRUCTION_FIELDS, index, sizeof(struct spec_instruction_field));
    return f ? &f->field : NULL;
}

const struct softgt_thread_message *softgt_spec_thread_message(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_THREAD_MESSAGES, index, sizeof(struct softgt_thread_message));
}

const struct softgt_unit *softgt_spec_unit(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_UNITS, index, sizeof(struct softgt_unit));
}

const struct softgt_register_range *softgt_spec_range(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_RANGES, index, sizeof(struct softgt_register_range));
}

const struct softgt_function_id *softgt_spec_function_id(const struct softgt_spec *spec, size_t id)
{
    return item_at(spec, SPEC_FUNCTION_IDS, id, sizeof(struct softgt_function_id));
}

const struct softgt_memory_object *softgt_spec_memory_object(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_MEMORY_OBJECTS, index, sizeof(struct softgt_memory_object));
}

const struct softgt_base_address *softgt_spec_base_address(const struct softgt_spec *spec, size_t index)
{
    return item_at(spec, SPEC_BASE_ADDRESSES, index, sizeof(struct softgt_base_address));
}

const char *softgt_spec_range_owner(const struct softgt_spec *spec, uint32_t offset)
{
    return spec->is_decoded ? NULL : register_range_owner(spec->sheet->ranges, offset);
}

const struct softgt_image *softgt_spec_image(const struct softgt_spec *spec, size_t index)
{
    const struct spec_image *const i = item_at(spec, SPEC_IMAGES, index, sizeof *i);
    return i ? &i->image : NULL;
}

const struct softgt_image_item *softgt_spec_image_item(const struct softgt_spec *spec, size_t image,
                                                       size_t index)
{
    const struct spec_image *const i = item_at(spec, SPEC_IMAGES, image, sizeof *i);
    return i && index < i->count ? &i->items[index] : NULL;
}
