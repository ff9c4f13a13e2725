/* Text in pages of HTML. */
#ifndef HOST_HTML_H
#define HOST_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text with its special characters escaped, without control characters but line ends. */
void html_put(FILE *page, const char *text, size_t length);

#endif
