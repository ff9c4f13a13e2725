/* Any bytes as a trace: they are read, and what is sound of them runs on a device with little memory and
 * budget. */
#include "frontend/aub/replay.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct replay_options options = {
        .device = "skl", .memory_limit_bytes = 16 << 20, .budget_dw = 1 << 14};
    struct replay_result result;
    replay_memory(data, size, &options, &result);
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    fuzz_files(root, "examples", ".aub.xz", take);
}

void fuzz_words(fuzz_take *take)
{
    (void)take;
}
