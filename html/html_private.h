/* Shared by the source files of html.h. */
#ifndef HOLONOM_HTML_HTML_PRIVATE_H
#define HOLONOM_HTML_HTML_PRIVATE_H

#include "base/text.h"
#include "html/html.h"

enum { HTML_SECTIONS = 64 };

struct Html {
  const char *dir, *file; /* the page's place after closing */
  FILE *body;             /* writes into `memory`, because the list of parts precedes it */
  char *memory;
  size_t size;
  const char *title, *lead;
  int nsection;
  struct {
    char id[64], heading[96];
  } section[HTML_SECTIONS];
  int figures, molecules, files; /* so far */
  bool files_open;
};

/* Escapes a text; the second puts it between two pieces of HTML. */
void html_print(FILE *file, const char *text);
void html_put(FILE *file, const char *before, const char *text, const char *after);

/* The pieces of a table: up to its headings, a cell with a tag, from the headings to the rows. */
#define HTML_HEADING "th scope=\"col\""
void html_table_begin(Html *html, const char *name);
void html_cell(Html *html, const char *tag, char sign, const char *text);
void html_table_rows(Html *html);

/* The bytes of dir/name as a data URI; nothing if the file cannot be read. */
void html_data(FILE *file, const char *dir, const char *name, const char *type);

/* Writes JSON into a script, with "<" escaped. */
void html_script(FILE *file, const char *json, size_t length);

#endif
