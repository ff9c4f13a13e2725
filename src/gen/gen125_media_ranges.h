/* Register ranges of video and enhancement engines, which Gen12.5 and Gen20 share. `gt` is the GT that has
 * the engines. (SYS-09) */
#ifndef GEN_GEN125_MEDIA_RANGES_H
#define GEN_GEN125_MEDIA_RANGES_H

/* clang-format off */
#define GEN125_MEDIA_RANGES(gt)                                                                             \
    {0x1c0000, 0x1c2bff, "video 0", WAKE_VIDEO + 0, 0, (gt)},                                               \
    {0x1c2d00, 0x1c3dff, "video 0", WAKE_VIDEO + 0, 0, (gt)},                                               \
    {0x1c3f00, 0x1c3fff, "video 0", WAKE_VIDEO + 0, 0, (gt)},                                               \
    {0x1c4000, 0x1c6bff, "video 1", WAKE_VIDEO + 1, 0, (gt)},                                               \
    {0x1c6d00, 0x1c6dff, "video 1", WAKE_VIDEO + 1, 0, (gt)},                                               \
    {0x1c8000, 0x1ca0ff, "enhancement 0", WAKE_ENHANCE + 0, 0, (gt)},                                       \
    {0x1cc000, 0x1ccfff, "video 0", WAKE_VIDEO + 0, 0, (gt)},                                               \
    {0x1cd000, 0x1cdfff, "video 2", WAKE_VIDEO + 2, 0, (gt)},                                               \
    {0x1ce000, 0x1cefff, "video 4", WAKE_VIDEO + 4, 0, (gt)},                                               \
    {0x1cf000, 0x1cffff, "video 6", WAKE_VIDEO + 6, 0, (gt)},                                               \
    {0x1d0000, 0x1d2bff, "video 2", WAKE_VIDEO + 2, 0, (gt)},                                               \
    {0x1d2d00, 0x1d2dff, "video 2", WAKE_VIDEO + 2, 0, (gt)},                                               \
    {0x1d3f00, 0x1d3fff, "video 2", WAKE_VIDEO + 2, 0, (gt)},                                               \
    {0x1d4000, 0x1d5fff, "video 3", WAKE_VIDEO + 3, 0, (gt)},                                               \
    {0x1d6800, 0x1d6bff, "video 3", WAKE_VIDEO + 3, 0, (gt)},                                               \
    {0x1d6d00, 0x1d6dff, "video 3", WAKE_VIDEO + 3, 0, (gt)},                                               \
    {0x1d8000, 0x1da0ff, "enhancement 1", WAKE_ENHANCE + 1, 0, (gt)},                                       \
    {0x1e0000, 0x1e1fff, "video 4", WAKE_VIDEO + 4, 0, (gt)},                                               \
    {0x1e2800, 0x1e2bff, "video 4", WAKE_VIDEO + 4, 0, (gt)},                                               \
    {0x1e2d00, 0x1e2dff, "video 4", WAKE_VIDEO + 4, 0, (gt)},                                               \
    {0x1e3f00, 0x1e3fff, "video 4", WAKE_VIDEO + 4, 0, (gt)},                                               \
    {0x1e4000, 0x1e5fff, "video 5", WAKE_VIDEO + 5, 0, (gt)},                                               \
    {0x1e6800, 0x1e6bff, "video 5", WAKE_VIDEO + 5, 0, (gt)},                                               \
    {0x1e6d00, 0x1e6dff, "video 5", WAKE_VIDEO + 5, 0, (gt)},                                               \
    {0x1e8000, 0x1ea0ff, "enhancement 2", WAKE_ENHANCE + 2, 0, (gt)},                                       \
    {0x1f0000, 0x1f2bff, "video 6", WAKE_VIDEO + 6, 0, (gt)},                                               \
    {0x1f2d00, 0x1f2dff, "video 6", WAKE_VIDEO + 6, 0, (gt)},                                               \
    {0x1f3f00, 0x1f3fff, "video 6", WAKE_VIDEO + 6, 0, (gt)},                                               \
    {0x1f4000, 0x1f5fff, "video 7", WAKE_VIDEO + 7, 0, (gt)},                                               \
    {0x1f6800, 0x1f6bff, "video 7", WAKE_VIDEO + 7, 0, (gt)},                                               \
    {0x1f6d00, 0x1f6dff, "video 7", WAKE_VIDEO + 7, 0, (gt)},                                               \
    {0x1f8000, 0x1fa0ff, "enhancement 3", WAKE_ENHANCE + 3, 0, (gt)}
/* clang-format on */

#endif
