/* What an exhibit has shown so far, and the page that comes of all of them. Exhibits themselves need only
 * exhibit.h. */
#ifndef HOLONOM_GALLERY_PAGE_H
#define HOLONOM_GALLERY_PAGE_H

#include <stdbool.h>

#include "gallery/exhibit.h"

typedef enum PageItemKind {
  PAGE_TEXT,   /* text[0]: a paragraph                                   */
  PAGE_FIGURE, /* text[0]: name of the picture, text[1]: caption         */
  PAGE_CLAIM,  /* text: what, the paper's, ours; holds                   */
  PAGE_INPUT,  /* text[0]: file name                                     */
  PAGE_DATA    /* text[0]: file name                                     */
} PageItemKind;

typedef struct PageItem {
  PageItemKind kind;
  int holds;
  char *text[3];
} PageItem;

struct Page {
  const Exhibit *exhibit;
  char *folder; /* DIR/NAME */
  int threads;
  int n, room;
  PageItem *item; /* [n] in the order of coming */
  int nset;
  char set[8][96]; /* [nset] "key=value" for the next input */
  int nkept;
  char **kept;    /* [nkept] paths handed out */
  Status failed;  /* the first thing that went wrong here, in functions that return no status */
  Status status;  /* of the exhibit, when it has run */
  Error error;    /* of either */
  double seconds; /* that it took */
};

/* Makes the folder dir/NAME. STATUS_IO, STATUS_MEMORY. */
Status page_create(Page **page, const Exhibit *exhibit, const char *dir, int threads, Error *error);
void page_free(Page *page); /* NULL is fine */

/* Runs the exhibit: page->status, error, seconds. */
void page_run(Page *page);

/* Claims with this verdict. */
int page_count(const Page *page, int holds);

/* dir/index.html and dir/numbers.csv from n pages. STATUS_IO, STATUS_MEMORY. */
Status page_html_write(const char *dir, int n, Page *const *page, Error *error);
Status page_numbers_write(const char *dir, int n, Page *const *page, Error *error);

/* DIR/NAME/README.md of one page: the same content as Markdown, with all inputs of the example, which are
 * written beside it. STATUS_IO, STATUS_MEMORY. */
Status page_markdown_write(Page *page, Error *error);

#endif
