/* Radial distribution functions: curves, files and pictures. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "observables/picture.h"
#include "observables/rdf_private.h"

double rdf_result_shell(const Rdf *rdf, double low, double high)
{
  if (rdf->open && rdf->dim < 3)
    return rdf->dim == 1 ? 2.0 * (high - low) : M_PI * (high * high - low * low);
  return 4.0 / 3.0 * M_PI * (high * high * high - low * low * low);
}

/* --- curves ----------------------------------------------------------------------------------------------
 */

/* Open space with labels: P comes last. */
static bool has_density(const Rdf *rdf) { return rdf->open && rdf->labelled; }

static size_t curve_size(const Rdf *rdf)
{
  return (has_density(rdf) ? 3 : 2) * (size_t)rdf->nbin + (rdf->labelled ? RDF_FEATURES : 0);
}

size_t rdf_result_curve(const Rdf *rdf, int pair) { return (size_t)pair * curve_size(rdf); }

size_t rdf_result_counts(const Rdf *rdf, int pair) { return (size_t)pair * (size_t)(rdf->nbin + rdf->open); }

int rdf_result_bins(const Rdf *rdf)
{
  const double bins = rdf->reach != NULL ? *rdf->reach / rdf->width * (1.0 + 1e-12) : rdf->nbin;
  return bins < rdf->nbin ? (int)bins : rdf->nbin;
}

/* The density of pairs, 1/A, from counts. */
static void pair_density(const Rdf *rdf, const double *count, double *out)
{
  double inside = 0.0;
  for (int b = 0; b < rdf->nbin; b++)
    inside += count[b];
  for (int b = 0; b < rdf->nbin; b++)
    out[b] = count[b] / (inside * rdf->width);
}

/* Neighbours within the upper edge of each bin. */
static void neighbours(const Rdf *rdf, const RdfPair *pair, const double *count, double n, double *out)
{
  const double ends = (pair->a == pair->b ? 2.0 : 1.0) / (n * rdf->species[pair->a].n);
  double total = 0.0;
  for (int b = 0; b < rdf->nbin; b++) {
    total += count[b];
    out[b] = ends * total;
  }
}

void rdf_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  const Rdf *rdf = self;
  const double density = rdf->open ? n / rdf->volume : sum[(size_t)rdf->npair * (size_t)rdf->nbin];
  for (int p = 0; p < rdf->npair; p++, out += curve_size(rdf)) {
    const RdfPair *pair = &rdf->pair[p];
    const double *count = sum + rdf_result_counts(rdf, p);
    for (int b = 0; b < rdf->nbin; b++)
      out[b] =
          count[b] / (pair->pairs * density * rdf_result_shell(rdf, b * rdf->width, (b + 1) * rdf->width));
    if (!rdf->labelled) {
      pair_density(rdf, count, out + rdf->nbin);
      continue;
    }
    neighbours(rdf, pair, count, n, out + rdf->nbin);
    rdf_peaks_find(rdf, count, out, out + rdf->nbin, out + 2 * rdf->nbin);
    if (has_density(rdf))
      pair_density(rdf, count, out + 2 * rdf->nbin + RDF_FEATURES);
  }
}

/* --- open systems without names
 * ----------------------------------------------------------------------------------------
 */

static void describe_open(ResultTable *t, const Rdf *rdf, const ObservableResult *r)
{
  static const char *const shell[3] = {"2 (r_hi - r_lo)", "pi (r_hi^2 - r_lo^2)", "4/3 pi (r_hi^3 - r_lo^3)"},
                           *const ball[3] = {"(2 rmax)", "(pi rmax^2)", "(4/3 pi rmax^3)"},
                           *const density[3] = {"1/A", "1/A^2", "1/A^3"},
                           *const round[3] = {"stretch", "disc", "sphere"};
  const BlockRowsErrors *e = &r->errors;
  const int dim = rdf->dim;
  const double n = (double)e->samples;
  const bool reduced = rdf->is.options.reduced;
  const char *const number = rdf->single ? "nsite" : "nmol";
  results_say(t,
              "radial distribution of %s\n%s: %d\nreplicas: "
              "%d\nsamples: %.0f\npairs_per_sample: %.0f\nrmax: %.17g\nnbin: %d\ndr: %.9g\nbeyond: %.9g",
              rdf->whose, number, rdf->npoint,
              rdf->is.options.replicas > 1 ? block_rows_number(rdf->is.rows) : 1, n, rdf->pair[0].pairs,
              rdf->longest, rdf->nbin, rdf->width, r->sum[rdf->nbin] / (n * rdf->pair[0].pairs));
  results_say(
      t,
      "units: %s, count in pairs i < j\nP: count / (dr * "
      "all counts within rmax), integrates to 1 over [0, rmax]; beyond is the fraction of all pairs past "
      "rmax\ng: 2 count / (samples %s rho V), V = %s the bin's shell, rho = "
      "(%s-1)/%s = %.9g%s%s, the others spread evenly over a %s of radius rmax",
      reduced ? "reduced, r the middle of the bin" : "r in A (middle of the bin), P in 1/A, g without unit",
      number, shell[dim - 1], number, ball[dim - 1], (rdf->npoint - 1) / rdf->volume, reduced ? "" : " ",
      reduced ? "" : density[dim - 1], round[dim - 1]);
  if (rdf->is.options.replicas > 1)
    results_say(t, "errors: one standard error, from %d independent replicas", e->nblock);
  else
    results_say(t,
                "errors: one standard error, from %d blocks of %.0f samples in time; correlation time %s%.3g "
                "samples, of the slowest of distances and energies, %s%.3g independent samples%s",
                e->nblock, e->length, e->plateau ? "" : "at least ", 0.5 * e->inefficiency,
                e->plateau ? "" : "at most ", n / e->inefficiency,
                e->plateau
                    ? ""
                    : "; LOWER BOUNDS: NO PLATEAU, the run is too short for its correlation, the errors "
                      "may be too small");
}

static Status write_open(const Rdf *rdf, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  const int nbin = rdf->nbin;
  ResultTable *t = results_add_table(set, "rdf", (size_t)nbin);
  results_add_column(t, "r", rdf->middle, NULL);
  results_add_column(t, "P", r->value + nbin, r->error + nbin);
  results_add_column(t, "g", r->value, r->error);
  results_add_column(t, "count", r->sum, NULL);
  describe_open(t, rdf, r);
  results_words(set, "", "rdf_pairs", rdf->pairs);
  if (t != NULL) {
    t->samples = (double)r->errors.samples;
    t->blocks = r->errors.nblock;
    t->sound = r->errors.plateau;
  }
  r->doubt[0] = '\0'; /* the table contains it, and there are no numbers */
  return rdf->is.options.batches > 0 ? rdf_files_write(&rdf->is, dir, error) : STATUS_OK;
}

static Status draw_open(const Rdf *rdf, const ObservableResult *r, const char *dir, const ResultSet *set,
                        Error *why)
{
  const PictureCurve curve = {
      .n = rdf->nbin, .x = rdf->middle, .y = r->value + rdf->nbin, .error = r->error + rdf->nbin};
  return picture_rdf(dir, "rdf", rdf->is.options.title, set, 1, &curve, why);
}

/* --- pairs with labels
 * -----------------------------------------------------------------------------------------------
 */

static void describe_space(ResultTable *t, const Rdf *rdf, const ObservableResult *r)
{
  const double samples = (double)r->errors.samples;
  if (!rdf->open) {
    results_say(t,
                "radial distributions between molecules in a periodic box\nsamples: %.0f\nwidth: "
                "%.17g\nlongest: %.17g\nr: middle of the bin, A; r_hi: its upper edge\ng_A-B: pairs of A and "
                "B in different molecules, relative to random pairs in the box",
                samples, rdf->width, rdf_result_bins(rdf) * rdf->width);
    return;
  }
  results_say(t,
              "radial distributions of named sites between molecules in open space\nsamples: %.0f\nwidth: "
              "%.17g\nlongest: %.17g\nr: middle of the bin, A; r_hi: its upper edge;\nP_A-B: density of "
              "distances of A and B in different molecules, 1/A, with integral 1 from 0 to longest\ng_A-B: "
              "such pairs relative to random pairs in a ball of radius longest",
              samples, rdf->width, rdf->longest);
  for (int p = 0; p < rdf->npair; p++) {
    char label[40];
    rdf_peaks_label(rdf, p, label);
    results_say(t, "beyond_%s: %.9g of all pairs are farther apart than longest", label,
                r->sum[rdf_result_counts(rdf, p) + (size_t)rdf->nbin] / (samples * rdf->pair[p].pairs));
  }
}

static void describe_labelled(ResultTable *t, const Rdf *rdf, const ObservableResult *r)
{
  describe_space(t, rdf, r);
  results_say(t, "n_A-B: mean number of B of other molecules within r_hi of an A; n_B-A: of A around a B");
  for (int s = 0; s < rdf->nspecies; s++)
    results_say(t, "number_%s: %d", rdf->species[s].name, rdf->species[s].n);
  block_rows_say(&r->errors, "its correlation", t);
}

/* Adds g and neighbours of a pair, for different sites around each of them. */
static void add_pair(const Rdf *rdf, const ObservableResult *r, int p, ResultTable *t)
{
  double *const scratch = rdf->scratch;
  const size_t nbin = (size_t)rdf->nbin;
  const double *g = r->value + rdf_result_curve(rdf, p), *spread = r->error + rdf_result_curve(rdf, p);
  const RdfSpecies *a = &rdf->species[rdf->pair[p].a], *b = &rdf->species[rdf->pair[p].b];
  const double turned = (double)a->n / b->n;
  char name[64];
  if (has_density(rdf)) {
    snprintf(name, sizeof name, "P_%s-%s", a->name, b->name);
    results_add_column(t, name, g + 2 * nbin + RDF_FEATURES, spread + 2 * nbin + RDF_FEATURES);
  }
  snprintf(name, sizeof name, "g_%s-%s", a->name, b->name);
  results_add_column(t, name, g, spread);
  snprintf(name, sizeof name, "n_%s-%s", a->name, b->name);
  results_add_column(t, name, g + nbin, spread + nbin);
  if (a == b)
    return;
  for (size_t i = 0; i < nbin; i++) {
    scratch[i] = turned * g[nbin + i];
    scratch[nbin + i] = turned * spread[nbin + i];
  }
  snprintf(name, sizeof name, "n_%s-%s", b->name, a->name);
  results_add_column(t, name, scratch, scratch + nbin);
}

static void write_labelled(const Rdf *rdf, const ObservableResult *r, ResultSet *set)
{
  const int nbin = rdf_result_bins(rdf);
  ResultTable *t = results_add_table(set, rdf->is.name, (size_t)nbin);
  for (int b = 0; b < nbin; b++)
    rdf->scratch[b] = (b + 1.0) * rdf->width;
  results_add_column(t, "r", rdf->middle, NULL);
  results_add_column(t, "r_hi", rdf->scratch, NULL);
  for (int p = 0; p < rdf->npair; p++)
    add_pair(rdf, r, p, t);
  describe_labelled(t, rdf, r);
  if (rdf->open)
    results_words(set, "", "rdf_pairs", rdf->pairs);
  if (nbin < rdf->nbin)
    results_remark(set, "gofr: g(r) ends at %.4g A, half of the shortest box sampled", nbin * rdf->width);
  rdf_peaks_report(rdf, r, set);
}

/* Whether a pair's curve exceeds noise: it has a peak, or is known well at large distances, where open
 * systems have no pairs. */
static bool worth_drawing(const Rdf *rdf, const ObservableResult *r, int p)
{
  if (rdf->open)
    return true;
  const double well = 0.2;
  const int nbin = rdf_result_bins(rdf);
  const size_t at = rdf_result_curve(rdf, p);
  double sum = 0.0, noise = 0.0;
  for (int b = nbin / 2; b < nbin; b++) {
    sum += r->value[at + (size_t)b];
    noise += r->error[at + (size_t)b];
  }
  return noise < well * sum || rdf_peaks_seen(rdf, r, p);
}

/* The index of the curve to draw for a pair: in open space P, which does not depend on the range. */
static size_t drawn_curve(const Rdf *rdf, int p)
{
  return rdf_result_curve(rdf, p) + (rdf->open ? 2 * (size_t)rdf->nbin + RDF_FEATURES : 0);
}

/* Chooses the pairs to draw, [npair], and lists the others in a title; all pairs if none qualifies. */
static int choose_pairs(const Rdf *rdf, const ObservableResult *r, int *chosen, char *title, size_t size)
{
  int n = 0;
  title[0] = '\0';
  for (int p = 0; p < rdf->npair; p++) {
    char label[40];
    if (worth_drawing(rdf, r, p)) {
      chosen[n++] = p;
      continue;
    }
    rdf_peaks_label(rdf, p, label);
    text_append(title, size, "%s%s", title[0] != '\0' ? ", " : "too few pairs to draw: ", label);
  }
  for (int p = 0; n == 0 && p < rdf->npair; p++)
    chosen[p] = p;
  if (n == 0)
    title[0] = '\0';
  return n > 0 ? n : rdf->npair;
}

static Status draw_labelled(const Rdf *rdf, const ObservableResult *r, const char *dir, const ResultSet *set,
                            Error *why)
{
  const QuantityWords distance = results_caption(set, rdf->is.name, "r"),
                      what = results_caption(set, rdf->is.name, rdf->open ? "P_*" : "g_*");
  static const PictureGuide one = {.at = 1.0};
  int chosen[RDF_PAIRS];
  char title[160], label[RDF_PAIRS][64];
  PicturePanel panel[RDF_PAIRS] = {0};
  PictureCurve curve[RDF_PAIRS] = {0};
  const int nbin = rdf_result_bins(rdf), n = choose_pairs(rdf, r, chosen, title, sizeof title);
  for (int k = 0; k < n; k++) {
    const double *y = r->value + drawn_curve(rdf, chosen[k]);
    char pair[40];
    double top = rdf->open ? 0.0 : 1.0;
    for (int b = 0; b < nbin; b++)
      top = fmax(top, y[b]);
    rdf_peaks_label(rdf, chosen[k], pair);
    snprintf(label[k], sizeof *label, "%.20s %s", what.text, pair);
    curve[k] =
        (PictureCurve){.n = nbin, .x = rdf->middle, .y = y, .error = r->error + drawn_curve(rdf, chosen[k])};
    panel[k] = (PicturePanel){.axes = {.xlabel = distance.text,
                                       .ylabel = label[k],
                                       .xmax = nbin * rdf->width,
                                       .ymax = 1.1 * top,
                                       .nguide = !rdf->open,
                                       .guide = &one},
                              .n = 1,
                              .curve = &curve[k]};
  }
  panel[0].axes.title = title;
  return picture_panels(dir, rdf->is.name, n, panel, n > 3 ? 2 : 1, why);
}

/* --- the row ---------------------------------------------------------------------------------------------
 */

Status rdf_result_write(void *self, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  const Rdf *rdf = self;
  if (rdf->is.options.temperatures > 1)
    return rdf_ladder_write(rdf, dir, set, error);
  if (!rdf->labelled)
    return write_open(rdf, r, dir, set, error);
  write_labelled(rdf, r, set);
  return STATUS_OK;
}

Status rdf_result_draw(const void *self, const ObservableResult *r, const char *dir, const ResultSet *set,
                       Error *why)
{
  const Rdf *rdf = self;
  if (rdf->is.options.temperatures > 1)
    return STATUS_OK;
  return (rdf->labelled ? draw_labelled : draw_open)(rdf, r, dir, set, why);
}
