/* Writes and prints the results of a study: comparisons at each point, tables, the page. */
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/compare_private.h"
#include "cmd/study.h"
#include "cmd/study_extrema.h"

static const char *const files[] = {"study.csv",  "study_runs.csv", "study_extrema.csv",
                                    "study.json", "study.html",     NULL};
static const char *const pictures[] = {"study_extrema", NULL};
static const ManifestNames names = {.file = files, .stem = pictures, .suffix = picture_suffixes};

Status study_report_check(const Study *s, const char *dir, Error *error)
{
  static const char *const said[] = {"compare.txt", NULL};
  TRY(manifest_check(dir, &names, NULL, error));
  for (int p = 0; p < s->npoint; p++) {
    TRY(manifest_check(s->point[p].folder, &compare_files_names, NULL, error));
    TRY(manifest_check(s->point[p].folder, &(ManifestNames){.file = said}, NULL, error));
  }
  return STATUS_OK;
}

/* Compares the runs of a point, with results in memory if they have just run. */
static Status compare_at(const Study *s, int p, Compare **c, Error *error)
{
  StudyRun *run = s->run + p * s->nrun;
  SCOPED(scoped_free) const char **folder = malloc((size_t)s->nrun * sizeof *folder);
  SCOPED(scoped_free) ResultSet *found = calloc((size_t)s->nrun, sizeof *found);
  TRY_MEMORY(folder != NULL && found != NULL, "a comparison", error);
  for (int i = 0; i < s->nrun; i++) {
    folder[i] = run[i].folder;
    found[i] = run[i].found;
    run[i].found = (ResultSet){0};
  }
  const Status status = compare_create(c, folder, found, s->nrun, 0, error);
  for (int i = 0; i < s->nrun; i++)
    results_free(&found[i]);
  return status == STATUS_OK && s->text != NULL ? compare_margin(*c, &s->margin, error) : status;
}

static Status write_point(const StudyPoint *point, const Compare *c, Error *error)
{
  Text *text = NULL;
  Error why;
  TRY(text_replace(&text, point->folder, "compare.txt", error));
  const Status status = compare_write(c, point->folder, text_file(text), error),
               closed = text_close(text, &why);
  return status != STATUS_OK || closed == STATUS_OK ? status : error_set(error, closed, "%s", why.text);
}

static void print(const Study *s, const CompareReport *report, const char *dir, FILE *out)
{
  const int pairs = s->npoint * (s->nrun - 1);
  char words[512] = "";
  text_append(words, sizeof words, "%d comparison%s with a reference", pairs, pairs == 1 ? "" : "s");
  (void)compare_page_sum(report, words, sizeof words);
  printable_print(out, "%s\n", words);
  for (int p = 0; p < report->n; p++)
    for (int k = 0; k < report->point[p].compare->npair; k++) {
      fputs("  ", out);
      compare_page_print_pair(&report->point[p], &report->point[p].compare->pair[k], out);
      fputs("\n", out);
    }
  for (const StudyRun *run = s->run; run < s->run + s->npoint * s->nrun; run++)
    if (run->failed != NULL)
      printable_print(out, "%s FAILED: %s\n", run->folder, run->failed);
  printable_print(out,
                  "results in %s: study.csv, study_runs.csv%s\n"
                  "report page: %s/study.html\n",
                  dir, s->nextremum > 0 ? ", study_extrema.csv" : "", dir);
}

/* c and point: [npoint], filled by the call. */
static Status report_points(const Study *s, Compare **c, ComparePoint *point, const char *dir, FILE *out,
                            Error *error)
{
  char lead[640];
  SCOPED(results_free) ResultSet extrema = results_make(QUANTITY_ALL, false);
  for (int p = 0; p < s->npoint; p++) {
    TRY(compare_at(s, p, &c[p], error));
    TRY(write_point(&s->point[p], c[p], error));
    point[p] = (ComparePoint){s->point[p].words, s->point[p].folder, c[p]};
  }
  snprintf(lead, sizeof lead, "%d runs%s%s", s->npoint * s->nrun, s->text != NULL ? ", compared within " : "",
           s->text != NULL ? s->margin.words : "");
  const CompareReport report = {
      .name = "study", .title = s->title, .lead = lead, .n = s->npoint, .point = point, .more = &extrema};
  TRY(manifest_clear(dir, &names, error)); /* removes files of an earlier study */
  TRY(study_extrema_find(s, c, dir, &extrema, error));
  for (int i = 0; i < extrema.ntable; i++)
    printable_lines(out, "", extrema.table[i]->remark);
  if (extrema.remark[0] != '\0')
    printable_print(out, "%s\n", extrema.remark);
  TRY(compare_files_write(&report, dir, error));
  print(s, &report, dir, out);
  return STATUS_OK;
}

Status study_report(const Study *s, const char *dir, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  Compare **c = calloc((size_t)s->npoint, sizeof *c);
  ComparePoint *point = calloc((size_t)s->npoint, sizeof *point);
  const Status status = c != NULL && point != NULL ? report_points(s, c, point, dir, out, error)
                                                   : error_memory(error, "a study");
  for (int p = 0; c != NULL && p < s->npoint; p++)
    compare_free(c[p]);
  free(c);
  free(point);
  return status;
}
