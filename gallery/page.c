#include "gallery/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/owned.h"
#include "engine/text.h"
#include "engine/ticks.h"
#include "gallery/example.h"

Status page_create(Page **page, const Exhibit *exhibit, const char *dir, int threads, Error *error)
{
  *page = NULL;
  Page *p = calloc(1, sizeof *p);
  if (p == NULL)
    return error_memory(error, "a page");
  p->exhibit = exhibit;
  p->threads = threads;
  p->folder = file_path(dir, exhibit->name);
  const Status status =
      p->folder != NULL ? owned_make_folder(dir, exhibit->name, error) : error_memory(error, "a folder name");
  if (status == STATUS_OK)
    *page = p;
  else
    page_free(p);
  return status;
}

void page_free(Page *page)
{
  if (page == NULL)
    return;
  for (int i = 0; i < page->n; i++)
    for (int k = 0; k < 3; k++)
      free(page->item[i].text[k]);
  for (int i = 0; i < page->nkept; i++)
    free(page->kept[i]);
  free(page->item);
  free(page->kept);
  free(page->folder);
  free(page);
}

void page_run(Page *page)
{
  const double start = ticks_seconds();
  Error error = {0};
  const Status status = page->exhibit->run(page, &error);
  if (status != STATUS_OK)
    page->error = error;
  page->status = status != STATUS_OK ? status : page->failed;
  page->seconds = ticks_seconds() - start;
}

int page_count(const Page *page, int holds)
{
  int n = 0;
  for (int i = 0; i < page->n; i++)
    n += page->item[i].kind == PAGE_CLAIM && page->item[i].holds == holds;
  return n;
}

const char *page_folder(const Page *page) { return page->folder; }

int page_threads(const Page *page) { return page->threads; }

/* --- what the exhibit shows ------------------------------------------------------------------------------
 */

/* The first fault is kept. */
static void fail(Page *page, Status status, const Error *why)
{
  if (page->failed != STATUS_OK)
    return;
  page->failed = status;
  page->error = *why;
}

static void out_of_memory(Page *page)
{
  Error why;
  fail(page, error_memory(&why, "the page"), &why);
}

/* Takes over `own`, which may be NULL; copies the others. */
static void add(Page *page, PageItemKind kind, int holds, const char *first, const char *second, char *own)
{
  if (page->n == page->room) {
    const int room = page->room == 0 ? 16 : 2 * page->room;
    PageItem *larger = realloc(page->item, (size_t)room * sizeof *larger);
    if (larger == NULL) {
      free(own);
      out_of_memory(page);
      return;
    }
    page->item = larger;
    page->room = room;
  }
  PageItem *item = &page->item[page->n];
  *item = (PageItem){
      .kind = kind, .holds = holds, .text = {strdup(first), second != NULL ? strdup(second) : NULL, own}};
  if (item->text[0] != NULL && (second == NULL || item->text[1] != NULL)) {
    page->n++;
    return;
  }
  for (int k = 0; k < 3; k++)
    free(item->text[k]);
  out_of_memory(page);
}

/* The caller frees it; NULL: no memory, which the page then says. */
static char *printed(Page *page, const char *format, va_list args)
{
  char *text;
  if (vasprintf(&text, format, args) >= 0)
    return text;
  out_of_memory(page);
  return NULL;
}

void page_text(Page *page, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = printed(page, format, args);
  va_end(args);
  if (text != NULL)
    add(page, PAGE_TEXT, 0, text, NULL, NULL);
  free(text);
}

void page_figure(Page *page, const char *name, const char *caption)
{
  add(page, PAGE_FIGURE, 0, name, caption, NULL);
}

void page_draw(Page *page, const char *name, const char *caption, int n, const PicturePanel *panel,
               int columns)
{
  Error why;
  const Status status = picture_panels(page->folder, name, n, panel, columns, &why);
  if (status == STATUS_IO || status == STATUS_MEMORY)
    fail(page, status, &why);
  page_figure(page, name, caption);
}

void page_lines(Page *page, const char *name, const char *caption, const PictureAxes *axes, int n,
                const PictureCurve *curve)
{
  const PicturePanel panel = {.axes = *axes, .n = n, .curve = curve};
  page_draw(page, name, caption, 1, &panel, 1);
}

void page_claim(Page *page, const char *what, const char *claim, int holds, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *ours = printed(page, format, args);
  va_end(args);
  if (ours != NULL)
    add(page, PAGE_CLAIM, holds, what, claim, ours);
}

Status page_csv(Page *page, const char *name, int ncol, const char *const *column, int n,
                const double *const *x, Error *error)
{
  Text *text;
  Status status = text_replace(&text, page->folder, name, error);
  if (status == STATUS_OK) {
    FILE *file = text_file(text);
    for (int c = 0; c < ncol; c++)
      fprintf(file, "%s%s", column[c], c + 1 < ncol ? "," : "\n");
    for (int i = 0; i < n; i++)
      for (int c = 0; c < ncol; c++)
        fprintf(file, "%.17g%s", x[c][i], c + 1 < ncol ? "," : "\n");
    status = text_close(text, error);
  }
  if (status == STATUS_OK)
    add(page, PAGE_DATA, 0, name, NULL, NULL);
  return status;
}

/* --- input files ------------------------------------------------------------------------------------------
 */

/* Writes the embedded file once, and lists it. */
static Status keep_input(Page *page, const char *file, Error *error)
{
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT && strcmp(page->item[i].text[0], file) == 0)
      return STATUS_OK;
  const Example *example = example_find(page->exhibit->name, file);
  if (example == NULL)
    return error_set(error, STATUS_INPUT, "there is no examples/%s/%s in this program", page->exhibit->name,
                     file);
  const Status status = example_write(example, page->folder, true, error);
  if (status == STATUS_OK)
    add(page, PAGE_INPUT, 0, file, NULL, NULL);
  return status;
}

const char *page_input(Page *page, const char *file)
{
  Error error = {0};
  const Status status = keep_input(page, file, &error);
  if (status != STATUS_OK)
    fail(page, status, &error);
  char **larger = realloc(page->kept, (size_t)(page->nkept + 1) * sizeof *larger);
  char *path = larger != NULL ? file_path(page->folder, file) : NULL;
  if (larger != NULL)
    page->kept = larger;
  if (path == NULL) {
    out_of_memory(page);
    return "";
  }
  page->kept[page->nkept++] = path;
  return path;
}

void page_set(Page *page, InputKey key, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *value = printed(page, format, args);
  va_end(args);
  Error why;
  if (value != NULL && (page->nset == sizeof page->set / sizeof *page->set ||
                        snprintf(page->set[page->nset++], sizeof *page->set, "%s%s%s=%s",
                                 config_table[key.row].key, key.name != NULL ? "." : "",
                                 key.name != NULL ? key.name : "", value) >= (int)sizeof *page->set))
    fail(page, error_set(&why, STATUS_INPUT, "too much is set: %s", value), &why);
  free(value);
}

static Status open_by(Status (*open)(Simulation **, const char *, const char *const *, int, Error *),
                      Page *page, const char *file, Simulation **simulation, Error *error)
{
  *simulation = NULL;
  const char *path = page_input(page, file), *set[sizeof page->set / sizeof *page->set];
  const int nset = page->nset;
  page->nset = 0;
  if (page->failed != STATUS_OK)
    return error_pass(error, page->failed, &page->error);
  for (int i = 0; i < nset; i++)
    set[i] = page->set[i];
  return open(simulation, path, set, nset, error);
}

Status page_open(Page *page, const char *file, Simulation **simulation, Error *error)
{
  return open_by(simulation_load, page, file, simulation, error);
}

Status page_load(Page *page, const char *file, Simulation **simulation, Error *error)
{
  return open_by(simulation_open, page, file, simulation, error);
}
