/* Writes compare.html and study.html. */
#include <math.h>
#include <stdlib.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/compare_private.h"
#include "html/html.h"

/* A stream that prints into memory. */
typedef struct Memory {
  char *text;
  size_t size;
  FILE *file; /* NULL: no memory */
} Memory;

static void memory_open(Memory *m)
{
  *m = (Memory){.text = NULL};
  m->file = open_memstream(&m->text, &m->size);
}

/* Returns the text without its last newline, owned by the caller; NULL without memory. */
static char *memory_close(Memory *m)
{
  if (m->file == NULL || fclose(m->file) != 0) {
    free(m->text);
    return NULL;
  }
  if (m->size > 0 && m->text[m->size - 1] == '\n')
    m->text[m->size - 1] = '\0';
  return m->text;
}

/* --- verdicts ------- */

ResultLevel compare_page_sum(const CompareReport *report, char *words, size_t size)
{
  ResultLevel all = RESULT_GOOD;
  int count[COMPARE_VERDICTS] = {0};
  const char *separator = ": ";
  for (int p = 0; p < report->n; p++)
    for (int k = 0; k < report->point[p].compare->npair; k++)
      count[report->point[p].compare->pair[k].verdict]++;
  for (int v = 0; v < COMPARE_VERDICTS; v++) {
    const CompareWords *row = &compare_report_words[v];
    if (count[row->verdict] == 0)
      continue;
    all = row->level > all ? row->level : all;
    text_append(words, size, "%s%d %s", separator, count[row->verdict], row->pairs);
    separator = "; ";
  }
  text_append(words, size, ".");
  return all;
}

/* The test with the smallest adjusted p. */
static const CompareTest *strongest(const ComparePair *pair)
{
  const CompareTest *most = NULL;
  for (int t = 0; t < pair->ntest; t++)
    if (!isnan(pair->test[t].adjusted) && (most == NULL || pair->test[t].adjusted < most->adjusted))
      most = &pair->test[t];
  return most;
}

/* Prints the size of a difference; for a curve at the most significant and at the largest one. */
static void print_difference(const CompareTest *t, FILE *out)
{
  char number[RESULTS_SHOWN];
  StatisticsWelch widest;
  double r;
  if (t->kind == COMPARE_DISTRIBUTION) {
    fprintf(out, "; total variation distance of the distributions %s",
            results_show(number, t->distance.tv, t->distance.null_sd));
    return;
  }
  fprintf(out, "; %s by %s%s%s", t->name, results_show(number, t->mean.difference, t->mean.error),
          t->unit[0] != '\0' ? " " : "", t->unit);
  if (t->kind != COMPARE_CURVE)
    return;
  const char *unit = t->curve_of[0]->x->unit;
  fprintf(out, " at %.4g %s, where it is most significant (%.1f standard errors)", t->r, unit,
          fabs(t->mean.z));
  if (compare_curve_search(t, NAN, &widest, &r) && r != t->r)
    fprintf(out, ", and largest at %.4g %s, by %s", r, unit,
            results_show(number, widest.difference, widest.error));
}

void compare_page_print_pair(const ComparePoint *point, const ComparePair *pair, FILE *out)
{
  const Compare *c = point->compare;
  const bool placed = point->words != NULL && point->words[0] != '\0';
  const CompareTest *t = strongest(pair);
  printable_print(out, "%s%s%s, against %s: ", placed ? point->words : "", placed ? ": " : "",
                  c->run[pair->b].label, c->run[pair->a].label);
  compare_report_verdict(c, pair, out);
  if (t != NULL)
    print_difference(t, out);
  compare_heat_cause(c, pair, t, out);
}

static void write_verdicts(const CompareReport *report, Html *html)
{
  char words[512] = "";
  int pairs = 0, tests = 0;
  for (int p = 0; p < report->n; p++) {
    pairs += report->point[p].compare->npair;
    tests += report->point[p].compare->ntest;
  }
  text_append(words, sizeof words, "%d pair%s of runs", pairs, pairs == 1 ? "" : "s");
  const ResultLevel all = compare_page_sum(report, words, sizeof words);
  html_verdicts(html, all, words);
  for (int p = 0; p < report->n; p++)
    for (int k = 0; k < report->point[p].compare->npair; k++) {
      const ComparePair *pair = &report->point[p].compare->pair[k];
      Memory said;
      memory_open(&said);
      if (said.file != NULL)
        compare_page_print_pair(&report->point[p], pair, said.file);
      char *text = memory_close(&said);
      html_verdict(html, compare_report_find(pair->verdict)->level, text);
      free(text);
    }
  html_verdicts_end(html);
  if (tests > 0)
    html_text(html,
              "%d test%s, corrected within each comparison by Holm-Bonferroni at 5 %%. Seeing no difference "
              "does not prove equality%s",
              tests, tests > 1 ? "s" : "",
              report->point[0].compare->margin.n > 0
                  ? "; equality within the margin is tested by two one-sided tests."
                  : ": that requires a margin (holonom compare --margin).");
}

/* --- figures and tables ------- */

/* Writes the printed lines to the page, if any. */
static void write_lines(Memory *said, Html *html)
{
  char *text = memory_close(said);
  if (text != NULL && text[0] != '\0')
    html_lines(html, NULL, text);
  free(text);
}

static void write_point(const CompareReport *report, int p, Html *html)
{
  const ComparePoint *point = &report->point[p];
  const bool placed = point->words != NULL && point->words[0] != '\0';
  Memory said;
  char id[32];
  snprintf(id, sizeof id, "point-%d", p + 1);
  html_section(html, id, placed ? point->words : "Distributions");
  if (!html_figure(
          html, point->folder, "compare",
          "All runs, and below them their differences from the first; bands are two standard errors."))
    html_text(html, "There is no picture of these runs.");
  (void)html_figure(html, point->folder, "compare_w",
                    "Absolute difference between the energies of penalty runs and the constrained run; "
                    "dashed: the fit, which dips where the difference changes its sign.");
  memory_open(&said);
  for (int i = 0; said.file != NULL && i < point->compare->nfit; i++)
    compare_report_fit(point->compare, &point->compare->fit[i], said.file);
  if (said.file != NULL)
    compare_report_remarks(point->compare, said.file);
  write_lines(&said, html);
}

/* Writes the further tables with their pictures and remarks. */
static void write_more(const ResultSet *set, const char *dir, Html *html)
{
  for (int i = 2; i < set->ntable; i++) {
    const ResultTable *t = set->table[i];
    char columns[512] = "";
    for (int c = 0; c < t->ncol; c++)
      text_append(columns, sizeof columns, " %s", t->column[c].name);
    html_section(html, "fits", "Fits");
    (void)html_figure(html, dir, t->name, NULL);
    if (t->remark != NULL)
      html_lines(html, NULL, t->remark);
    html_results(html, t->name, t, columns);
  }
}

static void write_tables(const ResultSet *set, Html *html)
{
  const ResultTable *const tests = set->table[0], *const runs = set->table[1];
  html_section(html, "runs", "Runs and costs");
  html_results(html, runs->name, runs, "point run w timestep replicas temperature energy failed");
  html_results(html, "costs", runs, "point run independent step_us independent_s share_of_solves");
  html_results(
      html, "penalties", runs,
      "point run penalty_temperature penalty penalty_equipartition penalty_heat_expected penalty_heat "
      "penalty_heat_allowed penalty_heated");
  html_section(html, "tests", "Tests");
  /* At a point, the other run is always the first. */
  html_results(html, "tests", tests,
               results_column(tests, "point") != NULL
                   ? "point run_b quantity difference unit p_differ_all low high margin verdict"
                   : "run_a run_b quantity difference unit p_differ_all low high margin verdict");
}

static void write_files(const CompareReport *report, const ResultSet *set, const char *dir, Html *html)
{
  char name[64];
  html_section(html, "files", "Files");
  for (int i = 0; i < set->ntable; i++) {
    snprintf(name, sizeof name, "%s.csv", set->table[i]->name);
    html_file(html, dir, name, (size_t)1 << 20);
  }
  snprintf(name, sizeof name, "%s.json", report->name);
  html_file(html, dir, name, (size_t)1 << 20);
  html_files_end(html);
}

Status compare_page_write(const CompareReport *report, const ResultSet *set, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Html *html;
  char name[32];
  snprintf(name, sizeof name, "%s.html", report->name);
  TRY(html_create(&html, dir, name, report->title, report->lead, error));
  write_verdicts(report, html);
  for (int p = 0; p < report->n; p++)
    write_point(report, p, html);
  write_more(set, dir, html);
  write_tables(set, html);
  write_files(report, set, dir, html);
  return html_close(html, true, error);
}
