/* What a ladder of temperatures has found, as figures of its tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "html/run_read.h"

enum { CURVES = 12, PANELS = 4 };

/* A column of a table against another, with the column's errors if there are any. */
typedef struct Shown {
  const char *y, *label;
} Shown;

static const struct {
  const char *file, *name, *x, *xlabel, *heading, *caption;
  Shown shown[PANELS];
} rows[] = {
    {"heat_capacity.csv",
     "heat-capacity",
     "temperature",
     "temperature (K)",
     "Heat capacity",
     "From all temperatures of the ladder together; bands are two standard errors.",
     {{"heat_per_molecule_k", "heat capacity (k a molecule)"},
      {"energy", "energy between molecules (kcal/mol)"}}},
    {"ladder.csv",
     "ladder",
     "temperature",
     "temperature (K)",
     "The ladder of temperatures",
     "Acceptance of exchanges with the next temperature, and the share of replicas that were at the lowest "
     "temperature after the highest: a straight line where replicas flow evenly, a step at a bottleneck.",
     {{"acceptance", "acceptance"}, {"up", "share from the lowest"}}}};

/* A column in fresh memory, NULL if there is none. */
static double *column(const Table *t, const char *name, const char *end)
{
  char key[64];
  snprintf(key, sizeof key, "%.48s%s", name, end);
  const int c = table_find(t, key);
  double *x = c >= 0 ? malloc((t->nrow + 1) * sizeof *x) : NULL;
  for (size_t i = 0; x != NULL && i < t->nrow; i++)
    x[i] = table_at(t, i, c);
  return x;
}

static void write_table(Html *html, const Table *t, size_t row)
{
  PicturePanel panel[PANELS];
  PictureCurve curve[PANELS];
  double *x = column(t, rows[row].x, ""), *y[PANELS] = {0}, *e[PANELS] = {0};
  int n = 0;
  for (int k = 0; k < PANELS && rows[row].shown[k].y != NULL && x != NULL; k++) {
    const Shown *shown = &rows[row].shown[k];
    y[n] = column(t, shown->y, "");
    if (y[n] == NULL)
      continue;
    e[n] = column(t, shown->y, "_err");
    curve[n] = (PictureCurve){.n = (int)t->nrow, .x = x, .y = y[n], .error = e[n], .colour = 2};
    panel[n] = (PicturePanel){
        .axes = {.xlabel = rows[row].xlabel, .ylabel = shown->label}, .n = 1, .curve = &curve[n]};
    n++;
  }
  if (n > 0) {
    html_section(html, rows[row].name, rows[row].heading);
    html_figure_panels(html, rows[row].name, rows[row].caption, n, panel, n > 1 ? 2 : 1);
  }
  for (int k = 0; k < PANELS; k++) {
    free(y[k]);
    free(e[k]);
  }
  free(x);
}

/* A column of g(r), and what it is called. */
typedef struct Chosen {
  char name[32], label[32];
} Chosen;

/* Some of the temperatures of the ladder, evenly: g0, g1 ... */
static int choose_rungs(const Table *ladder, Chosen *chosen)
{
  const int all = (int)ladder->nrow, temperature = table_find(ladder, "temperature");
  int n = 0;
  for (int k = 0; k < CURVES && k < all && temperature >= 0; k++, n++) {
    const int slot = all <= CURVES ? k : k * (all - 1) / (CURVES - 1);
    snprintf(chosen[n].name, sizeof chosen->name, "g%d", slot);
    snprintf(chosen[n].label, sizeof chosen->label, "%.4g K", table_at(ladder, (size_t)slot, temperature));
  }
  return n;
}

/* The first of those that were asked for: g_50, g_50_err ... */
static int choose_points(const Table *t, Chosen *chosen)
{
  int n = 0;
  for (int c = 0; c < t->ncol && n < CURVES; c++) {
    if (strncmp(t->name[c], "g_", 2) != 0 || strstr(t->name[c], "_err") != NULL)
      continue;
    snprintf(chosen[n].name, sizeof chosen->name, "%.31s", t->name[c]);
    snprintf(chosen[n].label, sizeof chosen->label, "%.24s K", t->name[c] + 2);
    n++;
  }
  return n;
}

static void write_distances(Html *html, const Table *t, int chosen, const Chosen *choice, const char *section,
                            const char *heading, const char *caption)
{
  PictureCurve curve[CURVES];
  double *r = column(t, "r", ""), *g[CURVES] = {0};
  int n = 0;
  for (int k = 0; k < chosen && r != NULL; k++) {
    g[n] = column(t, choice[k].name, "");
    if (g[n] == NULL)
      continue;
    curve[n] =
        (PictureCurve){.label = choice[k].label, .n = (int)t->nrow, .x = r, .y = g[n], .colour = 2 + n % 7};
    n++;
  }
  const PicturePanel panel = {
      .axes = {.xlabel = "O–O distance (Å)", .ylabel = "g(r)"}, .n = n, .curve = curve};
  if (n > 0) {
    html_section(html, section, heading);
    html_figure_panels(html, section, caption, 1, &panel, 1);
  }
  for (int k = 0; k < n; k++)
    free(g[k]);
  free(r);
}

void run_ladder_write(const RunRead *run, Html *html)
{
  for (size_t i = 0; html_figure_moves() && i < sizeof rows / sizeof *rows; i++) {
    Table *t = run_read_table(run->dir, rows[i].file);
    if (t != NULL && t->nrow > 1)
      write_table(html, t, i);
    table_free(t);
  }
  if (!html_figure_moves())
    return;
  Chosen chosen[CURVES];
  Table *t = run_read_table(run->dir, "rdf_ladder.csv"), *ladder = run_read_table(run->dir, "ladder.csv"),
        *points = run_read_table(run->dir, "rdf_reweighted.csv");
  if (t != NULL && t->nrow > 1 && ladder != NULL)
    write_distances(html, t, choose_rungs(ladder, chosen), chosen, "distances",
                    "Oxygen–oxygen distances by temperature",
                    "At equilibrium, at temperatures of the ladder.");
  if (points != NULL && points->nrow > 1)
    write_distances(html, points, choose_points(points, chosen), chosen, "distances-reweighted",
                    "Oxygen–oxygen distances at other temperatures",
                    "From the samples of all temperatures of the ladder together (MBAR).");
  table_free(t);
  table_free(ladder);
  table_free(points);
}
