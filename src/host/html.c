#include "host/html.h"

void html_put(FILE *page, const char *text, size_t length)
{
    for (size_t n = 0; n < length; n++)
        switch (text[n]) {
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '&':
            fputs("&amp;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        default:
            if ((unsigned char)text[n] >= 0x20 || text[n] == '\n')
                fputc(text[n], page);
        }
}
