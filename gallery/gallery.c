#include "gallery/gallery.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/owned.h"
#include "engine/visible.h"
#include "gallery/page.h"
#include "observables/picture.h"

/* The rows, in the order of the page: exhibit_NAME of each, from its own file. */
#define EXHIBITS(row)                                                                                        \
  row(double_pendulum) row(chain) row(dna) row(constrained_hamiltonians) row(water) row(bulk_water)          \
      row(rigid_body) row(circle) row(triple_pendulum) row(curves) row(surfaces) row(trimer) row(kramers)    \
          row(robot_arm) row(four_particles)

#define DECLARE(name) extern const Exhibit exhibit_##name;
EXHIBITS(DECLARE)

#define ROW(name) &exhibit_##name,
const Exhibit *const exhibit_table[] = {EXHIBITS(ROW) NULL};

static void report(FILE *out, const Page *page)
{
  if (out == NULL)
    return;
  const int yes = page_count(page, 1), no = page_count(page, 0);
  fprintf(out, " %7.1f s", page->seconds);
  if (yes + no > 0)
    fprintf(out, "   %d of %d claims hold", yes, yes + no);
  fputs("\n", out);
  if (page->status != STATUS_OK)
    fprintf(out, "    failed: %s\n", page->error.text);
  fflush(out);
}

static Status run_all(const Exhibit *const *table, const GalleryOptions *options, int *n, Page **page,
                      Error *error)
{
  const int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
  for (*n = 0; table[*n] != NULL;) {
    Status status = page_create(&page[*n], table[*n], options->dir, threads, error);
    if (status != STATUS_OK)
      return status;
    if (options->out != NULL) {
      fprintf(options->out, "%-28s", table[*n]->name);
      fflush(options->out);
    }
    page_run(page[*n]);
    report(options->out, page[*n]);
    ++*n;
    status = page_markdown_write(page[*n - 1], error);
    if (status == STATUS_OK)
      status = page_html_write(options->dir, *n, page, error);
    if (status == STATUS_OK)
      status = page_numbers_write(options->dir, *n, page, error);
    if (status != STATUS_OK)
      return status;
  }
  return STATUS_OK;
}

/* The names of those that failed, as an error. */
static Status failures(int n, Page *const *page, Error *error)
{
  char names[1024] = "";
  int failed = 0;
  for (int i = 0; i < n; i++)
    if (page[i]->status != STATUS_OK) {
      const size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, "%s%s", failed > 0 ? ", " : "", page[i]->exhibit->name);
      failed++;
    }
  if (failed == 0)
    return STATUS_OK;
  return error_set(error, STATUS_RUN, "%d of %d exhibits failed: %s; the page says how", failed, n, names);
}

/* Whether the names are free in a folder, or ours and --force is said. */
static Status check_names(const GalleryOptions *options, const char *dir, const OwnedNames *names,
                          Error *error)
{
  char *found;
  Status status = owned_check(dir, names, &found, error);
  if (status == STATUS_OK && found != NULL && !options->force)
    status =
        error_set(error, STATUS_INPUT,
                  "%s has a gallery (%s/%s); give another folder with -o, or say --force to write over it",
                  options->dir, dir, found);
  free(found);
  return status;
}

/* An exhibit's files are tables, inputs and pictures of any name; of a run in its folder the run looks
 * itself.
 */
static Status check_folder(const Exhibit *const *table, const GalleryOptions *options, Error *error)
{
  static const char *const files[] = {"index.html", "numbers.csv", NULL};
  static const char *const suffixes[] = {".csv", ".yaml", ".md", PICTURE_SUFFIXES, NULL};
  Status status = check_names(options, options->dir, &(OwnedNames){.file = files}, error);
  for (int i = 0; table[i] != NULL && status == STATUS_OK; i++) {
    char *path = file_path(options->dir, table[i]->name);
    status = path == NULL ? error_memory(error, "a file name")
                          : owned_check_folder(options->dir, table[i]->name, error);
    if (status == STATUS_OK)
      status = check_names(options, path, &(OwnedNames){.suffix = suffixes}, error);
    free(path);
  }
  return status;
}

Status gallery_run(const Exhibit *const *table, const GalleryOptions *options, Error *error)
{
  LOCALE_PLAIN;
  Status status = check_folder(table, options, error);
  if (status != STATUS_OK)
    return status;
  size_t room = 1;
  while (table[room - 1] != NULL)
    room++;
  Page **page = calloc(room, sizeof(Page *));
  if (page == NULL)
    return error_memory(error, "the gallery");
  int n = 0;
  status = file_make_folder(options->dir, error);
  if (status == STATUS_OK)
    status = run_all(table, options, &n, page, error);
  if (status == STATUS_OK && options->out != NULL) {
    int yes = 0, no = 0;
    for (int i = 0; i < n; i++) {
      yes += page_count(page[i], 1);
      no += page_count(page[i], 0);
    }
    visible_print(options->out, "%d of %d claims hold; open %s/index.html\n", yes, yes + no, options->dir);
  }
  if (status == STATUS_OK)
    status = failures(n, page, error);
  for (size_t i = 0; i < room; i++)
    page_free(page[i]);
  free(page);
  return status;
}
