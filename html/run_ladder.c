/* Writes the figures of a ladder and of the means of replicas. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "html/run_read.h"

enum { CURVES = 12, PANELS = 2 };

/* Columns of a table against another one. */
typedef struct Figure {
  const char *table, *name, *heading, *caption, *x[2], *y[PANELS]; /* x: the first one that exists */
  PictureStyle style;
} Figure;

static const Figure temperatures[] = {
    {"heat_capacity",
     "heat-capacity",
     "Heat capacity",
     "Computed from all temperatures of the ladder; bands are two standard errors.",
     {"temperature"},
     {"heat_per_molecule_k", "energy"},
     PICTURE_LINE},
    {"heat_capacity",
     "volumes",
     "Volume and enthalpy",
     "At constant pressure, computed from all temperatures of the ladder; bands are two standard errors.",
     {"temperature"},
     {"volume", "enthalpy"},
     PICTURE_LINE},
    {"ladder",
     "ladder",
     "The ladder",
     "Acceptance of exchanges with the next state of the ladder, and share of replicas that visited the "
     "first state after the last: a straight line if replicas diffuse evenly, a step at a bottleneck.",
     {"state", "temperature"},
     {"acceptance", "up"},
     PICTURE_LINE},
    {"ladder",
     "free-energies",
     "Free energies of the states",
     "-ln Z relative to the first state, from the samples of all states (MBAR); bands are two standard "
     "errors.",
     {"state"},
     {"free_energy"},
     PICTURE_LINE},
    {"ladder",
     "state-volumes",
     "Volume of the states",
     "From the samples of all states (MBAR); bands are two standard errors.",
     {"state"},
     {"volume"},
     PICTURE_LINE}};

static const Figure means = {"replicas",
                             "replicas",
                             "Replicas",
                             "The mean of each replica. A replica that stayed in another basin, or lost a "
                             "molecule, differs from the others.",
                             {"replica", "slot"},
                             {"potential", "total"},
                             PICTURE_POINTS};

static void write_figure(const RunFound *run, Html *html, const Figure *f)
{
  PicturePanel panel[PANELS];
  PictureCurve curve[PANELS];
  QuantityWords caption[PANELS];
  const ResultTable *t = run_read_table(run, f->table);
  const ResultColumn *x = results_numbers(t, f->x[0]);
  if (x == NULL && f->x[1] != NULL)
    x = results_numbers(t, f->x[1]);
  if (x == NULL || t->nrow < 2 || !html_figure_moves())
    return;
  const QuantityWords along = run_read_caption(x);
  int n = 0;
  for (int k = 0; k < PANELS && f->y[k] != NULL; k++) {
    const ResultColumn *y = results_numbers(t, f->y[k]);
    if (y == NULL)
      continue;
    caption[n] = run_read_caption(y);
    curve[n] = (PictureCurve){.n = (int)t->nrow,
                              .x = x->value,
                              .y = y->value,
                              .error = y->error,
                              .style = f->style,
                              .colour = 2,
                              .width = 0.7};
    panel[n] =
        (PicturePanel){.axes = {.xlabel = along.text, .ylabel = caption[n].text}, .n = 1, .curve = &curve[n]};
    n++;
  }
  if (n == 0)
    return;
  html_section(html, f->name, f->heading);
  html_figure_panels(html, f->name, f->caption, n, panel, n > 1 ? 2 : 1);
}

void run_ladder_replicas(const RunFound *run, Html *html) { write_figure(run, html, &means); }

/* A column of g(r) and its label. */
typedef struct Chosen {
  char name[64], label[48];
} Chosen;

/* The label of the first pair of named sites in rdf_ladder.csv, "_O-O" of g0_O-O; "": pairs have no names. */
static const char *first_label(const ResultTable *t)
{
  for (int c = 0; c < t->ncol; c++)
    if (strncmp(t->column[c].name, "g0_", 3) == 0)
      return t->column[c].name + 2;
  return "";
}

/* Columns g0, g1 ... with this label at up to CURVES states of the ladder, evenly spaced. States of equal
 * temperatures have their numbers. */
static int choose_rungs(const ResultTable *ladder, const char *label, Chosen *chosen)
{
  const int all = (int)ladder->nrow;
  const ResultColumn *temperature = results_numbers(ladder, "temperature"),
                     *state = results_numbers(ladder, "state");
  int n = 0;
  for (int k = 0; k < CURVES && k < all && temperature != NULL; k++, n++) {
    const int slot = all <= CURVES ? k : k * (all - 1) / (CURVES - 1);
    snprintf(chosen[n].name, sizeof chosen->name, "g%d%.40s", slot, label);
    if (state != NULL)
      snprintf(chosen[n].label, sizeof chosen->label, "state %d", slot);
    else
      snprintf(chosen[n].label, sizeof chosen->label, "%.4g %s", temperature->value[slot], temperature->unit);
  }
  return n;
}

/* The first of the requested temperatures: g_50 ... */
static int choose_points(const ResultTable *t, Chosen *chosen)
{
  int n = 0;
  for (int c = 0; c < t->ncol && n < CURVES; c++) {
    if (strncmp(t->column[c].name, "g_", 2) != 0 || strchr(t->column[c].name, '-') != NULL)
      continue; /* named pairs are too many for one figure */
    snprintf(chosen[n].name, sizeof chosen->name, "%.31s", t->column[c].name);
    snprintf(chosen[n].label, sizeof chosen->label, "%.24s K", t->column[c].name + 2);
    n++;
  }
  return n;
}

static void write_distances(const RunFound *run, Html *html, const ResultTable *t, int chosen,
                            const Chosen *choice, const char *label, const char *section, const char *at,
                            const char *caption)
{
  PictureCurve curve[CURVES];
  const ResultColumn *r = results_numbers(t, "r");
  const QuantityWords along = run_read_caption(r), pairs = run_read_pairs(run);
  char heading[256];
  int n = 0;
  for (int k = 0; k < chosen && r != NULL; k++) {
    const ResultColumn *g = results_numbers(t, choice[k].name);
    if (g == NULL)
      continue;
    curve[n] =
        (PictureCurve){.label = choice[k].label, .n = (int)t->nrow, .x = r->value, .y = g->value, .shade = n};
    n++;
  }
  for (int k = 0; k < n; k++)
    curve[k].shades = n;
  if (n == 0)
    return;
  const PicturePanel panel = {.axes = {.xlabel = along.text, .ylabel = "g(r)"}, .n = n, .curve = curve};
  snprintf(heading, sizeof heading, "Distances of %s %s", *label != '\0' ? label + 1 : pairs.text, at);
  html_section(html, section, heading);
  html_figure_panels(html, section, caption, 1, &panel, 1);
}

void run_ladder_write(const RunFound *run, Html *html)
{
  for (size_t i = 0; i < sizeof temperatures / sizeof *temperatures; i++)
    write_figure(run, html, &temperatures[i]);
  if (!html_figure_moves())
    return;
  Chosen chosen[CURVES];
  const ResultTable *t = run_read_table(run, "rdf_ladder"), *ladder = run_read_table(run, "ladder"),
                    *points = run_read_table(run, "rdf_reweighted");
  if (t != NULL && t->nrow > 1 && ladder != NULL) {
    const char *const label = first_label(t);
    write_distances(run, html, t, choose_rungs(ladder, label, chosen), chosen, label, "distances",
                    results_numbers(ladder, "state") != NULL ? "by state" : "by temperature",
                    *label == '\0' ? "After equilibration, at temperatures of the ladder."
                                   : "After equilibration; rdf_ladder.csv has all pairs.");
  }
  if (points != NULL && points->nrow > 1)
    write_distances(run, html, points, choose_points(points, chosen), chosen, "", "distances-reweighted",
                    "at other temperatures",
                    "From the samples of all temperatures of the ladder together (MBAR).");
}
