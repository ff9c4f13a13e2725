/* Pixels of any surface format as colors, and back: cc pixels.c $(pkg-config --cflags --libs softgt-formats)
 */
#include <softgt/formats.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const struct softgt_format *const from = softgt_format_find("B8G8R8A8_UNORM_SRGB");
    const struct softgt_format *const to = softgt_format_find("R11G11B10_FLOAT");
    const uint8_t pixel[4] = {0, 128, 255, 255}; /* blue, green, red, alpha */
    union softgt_color color;
    uint8_t packed[4];
    if (!from || !to)
        return 1;
    softgt_pixel_decode(from, pixel, &color);
    printf("%s: red %g, green %g, blue %g, alpha %g\n", from->name, color.f[0], color.f[1], color.f[2],
           color.f[3]);
    softgt_pixel_encode(to, &color, packed);
    softgt_pixel_decode(to, packed, &color);
    printf("%s: red %g, green %g, blue %g, alpha %g\n", to->name, color.f[0], color.f[1], color.f[2],
           color.f[3]);
    return memcmp(&color.f[0], &(float){1}, 4) != 0;
}
