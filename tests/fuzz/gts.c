/* Any text as a program: read, and run where it can be read, with little memory and budget. */
#include <string.h>

#include "frontend/gts/gts.h"
#include "fuzz.h"

static void on_message(void *user, const struct gts_message *m)
{
    *(size_t *)user += strlen(m->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    const struct gts_options options = {.device = "skl",
                                        .memory_limit = 64 << 20,
                                        .budget_dw = 1 << 14,
                                        .user = &told,
                                        .message = on_message};
    gts_run_text("fuzz", (const char *)data, size, &options);
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    fuzz_files(root, "examples", ".gts", take);
    fuzz_files(root, "tests/rule", ".gts", take);
    fuzz_files(root, "tests/bad", ".gts", take);
}

void fuzz_words(fuzz_take *take)
{
    (void)take;
}
