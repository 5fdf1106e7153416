/* The claims of all exhibits as CSV. */
#include <string.h>

#include "engine/text.h"
#include "gallery/page.h"
#include "gallery/page_write.h"

/* In quotes where a comma, a quote or the end of a line stands in it. */
static void write_cell(FILE *file, const char *text, const char *end)
{
  if (strpbrk(text, ",\"\n\r") != NULL)
    text_csv_word(file, text);
  else
    fputs(text, file);
  fputs(end, file);
}

static void write_rows(FILE *file, const Page *page)
{
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind != PAGE_CLAIM)
      continue;
    write_cell(file, page->exhibit->name, ",");
    for (int k = 0; k < 3; k++)
      write_cell(file, item->text[k], ",");
    fprintf(file, "%s\n", item->holds < 0 ? "" : page_write_verdict(item->holds));
  }
  if (page->status != STATUS_OK) {
    write_cell(file, page->exhibit->name, ",");
    fputs("run to the end,,", file);
    write_cell(file, page->error.text, ",failed\n");
  }
}

static void write_all(FILE *file, int n, Page *const *page)
{
  fputs("exhibit,what,paper,ours,holds\n", file);
  for (int i = 0; i < n; i++)
    write_rows(file, page[i]);
}

Status page_numbers_write(const char *dir, int n, Page *const *page, Error *error)
{
  return page_write_file(dir, "numbers.csv", write_all, n, page, error);
}
