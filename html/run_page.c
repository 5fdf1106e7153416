#include "html/run_page.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/locale.h"
#include "base/manifest.h"
#include "base/scoped.h"
#include "base/text.h"
#include "html/run_read.h"
#include "io/trajectory.h"
#include "observables/run_verdicts.h"

/* --- verdicts ------- */

static Status write_verdicts(const RunFound *run, Html *html, Error *error)
{
  char who[FOLDER_HOLDER];
  const bool held = folder_lock_look(run->set->dir, who) == FOLDER_HELD; /* a run is in progress */
  TRY(run_verdicts_make(run->set, error));
  const ResultVerdict *v = run->set->verdict;
  html_verdicts(html, held ? RESULT_NOTE : v->level,
                held ? "This run is in progress: the page shows its results so far." : v->words);
  for (int i = 1; i < run->set->nverdict; i++)
    html_verdict(html, v[i].level, v[i].words);
  html_verdicts_end(html);
  return STATUS_OK;
}

/* --- figures ----------------------------------------------------------------------------------------------
 */

/* Pictures that runs draw, in the order of the page. Other pictures follow without a caption. */
static const struct {
  unsigned sorts; /* of systems */
  const char *name, *heading, *caption;
} figures[] = {
    {QUANTITY_ALL, "thermo", "Equilibration",
     "Energies, temperature and pressure against time: rows in grey, means of blocks as points, and the "
     "running mean after equilibration. In an equilibrated run the means of blocks scatter about a "
     "constant."},
    {QUANTITY_ALL, "energy", "Energy and conserved quantities",
     "Conserved quantities of the mechanical system against time."},
    {QUANTITY_ALL, "rdf", "Distances of %s",
     "Density of pairs against distance; the band is two standard errors."},
    {QUANTITY_ALL, "gofr", "Radial distributions",
     "g(r) of sites of different molecules; bands are two standard errors."},
    {QUANTITY_MECHANICAL, "msd", "Mean-square displacement",
     "For the centre of mass and for sites; in the diffusive regime the slope gives the diffusion "
     "coefficient."},
    {QUANTITY_ALL, "msd", "Mean-square displacement",
     "For the molecules' centres of mass; the slope of the line gives the diffusion coefficient."},
    {QUANTITY_ALL, "vacf", "Velocity autocorrelation", "For centres of mass and sites, with its spectrum."},
    {QUANTITY_ALL, "dipole", "Dipole and dielectric constant",
     "The estimate against the length of the run: constant once it has converged."},
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, one, heading, ...)                   \
  {QUANTITY_ALL, #list, heading, "Free energies, -kT ln P above the minimum; bands are two standard errors."},
#include "engine/coordinates.def"
    {QUANTITY_ALL, "torsions_pairs", "Pairs of torsions",
     "Free energy in the plane of two torsions, above the minimum; white: never sampled."},
    {QUANTITY_ALL, "volume", "Density",
     "Distribution of the density, with a band of two standard errors. The table of observables has the "
     "compressibility, thermal expansion and heat capacity from its fluctuations."},
    {QUANTITY_ALL, "pull", "Pulling",
     "Mean work along the path, forwards and, if replicas go both ways, backwards in reversed time, with the "
     "free energy between them, from 0 at the start of the path; bands are two standard errors."},
    {QUANTITY_ALL, "alchemy", "Decoupling",
     "Mean slope of the energy along the path of states with its standard errors, the free energy from the "
     "first state on, and the overlap of neighbouring states. A vertical line shows where a state is "
     "missing."},
    {QUANTITY_ALL, "trajectory", "Trajectory", "Coordinates against time."},
    {QUANTITY_ALL, "paths", "Paths", "Sites in the plane."},
    {QUANTITY_ALL, "multipliers", "Multipliers", "Lagrange multipliers against time."}};
enum { FIGURES = (int)(sizeof figures / sizeof *figures), MORE = 32 };

static int known(const char *name, unsigned sorts)
{
  int i = 0;
  while (i < FIGURES && ((figures[i].sorts & sorts) == 0 || strcmp(figures[i].name, name) != 0))
    i++;
  return i;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Pictures in the folder that the table lacks; each has a file NAME.gp. */
static int others(const char *dir, char *name[MORE])
{
  DIR *folder = opendir(dir);
  int n = 0;
  for (const struct dirent *entry; folder != NULL && n < MORE && (entry = readdir(folder)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 3, ".gp") != 0)
      continue;
    name[n] = strndup(entry->d_name, length - 3);
    if (name[n] != NULL && known(name[n], QUANTITY_ALL) == FIGURES)
      n++;
    else
      free(name[n]);
  }
  if (folder != NULL)
    closedir(folder);
  qsort(name, (size_t)n, sizeof *name, by_name);
  return n;
}

/* A picture that the table lacks: a free energy along a coordinate (observables/profile.h), or any other. */
static void write_other(const RunFound *run, Html *html, const char *name)
{
  static const char along[] = "free_energy_";
  const bool profile = strncmp(name, along, strlen(along)) == 0;
  char heading[128];
  snprintf(heading, sizeof heading, "%s%s", profile ? "Free energy along " : "",
           profile ? name + strlen(along) : name);
  html_section(html, name, heading);
  (void)html_figure(
      html, run->set->dir, name,
      profile ? "Free energy without the biases, above its minimum; the band is two standard errors." : NULL);
}

static void write_figures(const RunFound *run, Html *html)
{
  char *name[MORE],
      *first = file_exists(run->set->dir, "replica-0") ? file_path(run->set->dir, "replica-0") : NULL;
  const int n = others(run->set->dir, name);
  for (int i = 0; i < FIGURES; i++) {
    char gp[64], heading[128];
    snprintf(gp, sizeof gp, "%s.gp", figures[i].name);
    const bool of_first = first != NULL && !file_exists(run->set->dir, gp) && file_exists(first, gp);
    if (known(figures[i].name, run->set->sorts) != i || (!of_first && !file_exists(run->set->dir, gp)))
      continue;
    snprintf(heading, sizeof heading, figures[i].heading, run_read_pairs(run).text);
    html_section(html, figures[i].name, heading);
    if (of_first)
      html_text(html, "For replica 0; the other replicas have figures in their own folders.");
    if (!html_figure(html, of_first ? first : run->set->dir, figures[i].name, figures[i].caption))
      html_text(html, "This figure was not drawn: gnuplot is missing or failed.");
  }
  for (int i = 0; i < n; i++) {
    write_other(run, html, name[i]);
    free(name[i]);
  }
  free(first);
}

/* --- all columns against time -------------------------------------------------------------------- */

/* Columns of one unit share a panel, labelled by this table if there are several. */
static const struct {
  const char *unit, *label;
} families[] = {{"kcal/mol", "energy"}, {"bar", "pressure"}};
enum { PANELS = 8, CURVES = 24 };

typedef struct Series {
  int n; /* panels */
  PicturePanel panel[PANELS];
  PictureCurve curve[PANELS][CURVES];
  QuantityWords time, caption[PANELS];
  char label[CURVES][48];
  size_t rows;
  bool centred;          /* in at least one panel */
  double *memory, *next; /* the time, then one column after another; the free part */
} Series;

/* Copies the row at `slot` of each `slots` rows; false if its values are constant. */
static bool copy_slot(const ResultTable *t, const ResultColumn *c, size_t slot, size_t slots, double *to)
{
  const size_t n = t->nrow / slots;
  bool varies = false;
  for (size_t i = 0; i < n; i++) {
    to[i] = c->value[i * slots + slot];
    varies = varies || to[i] != to[0];
  }
  return varies;
}

/* Adds the column at s->next as curve k of the current panel. */
static PictureCurve *add_curve(Series *s, int k, const char *label)
{
  PictureCurve *curve = &s->curve[s->n][k];
  *curve = (PictureCurve){
      .label = label, .n = (int)s->rows, .x = s->memory, .y = s->next, .colour = 2 + k % 7, .width = 0.7};
  s->next += s->rows;
  return curve;
}

static void add_panel(Series *s, bool log, int curves)
{
  s->panel[s->n] =
      (PicturePanel){.axes = {.xlabel = s->time.text, .ylabel = s->caption[s->n].text, .logy = log},
                     .n = curves,
                     .curve = s->curve[s->n]};
  s->n++;
}

/* For a ladder: a curve for each of up to a dozen states, or temperatures at the end of the run. */
static void add_slots(const ResultTable *t, size_t slots, bool states, Series *s)
{
  enum { MOST = 12 };
  static const char *const shown[] = {"potential", "temperature"};
  const size_t of = slots < MOST ? slots : MOST;
  const ResultColumn *target = results_numbers(t, "target");
  for (int k = 0; k < 2; k++) {
    const ResultColumn *c = results_numbers(t, shown[k]);
    if (c == NULL)
      continue;
    s->caption[s->n] = run_read_caption(c);
    for (size_t j = 0; j < of; j++) {
      const size_t slot = of > 1 ? j * (slots - 1) / (of - 1) : 0;
      (void)copy_slot(t, c, slot, slots, s->next);
      if (states)
        snprintf(s->label[j], sizeof s->label[j], "state %zu", slot);
      else
        snprintf(s->label[j], sizeof s->label[j], "%.4g %s", target->value[(s->rows - 1) * slots + slot],
                 target->unit);
      PictureCurve *curve = add_curve(s, (int)j, s->n == 0 ? s->label[j] : NULL);
      curve->shade = (int)j;
      curve->shades = (int)of;
    }
    add_panel(s, false, (int)of);
  }
}

/* The mean of the later half, which excludes a distant start. */
static double mean_of(const double *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = n / 2; i < n; i++)
    sum += x[i];
  const size_t rest = n - n / 2;
  return sum / (double)rest;
}

/* Subtracts the means of curves that are further apart than each of them varies, so that they fit a panel. */
static bool centre(Series *s, int curves)
{
  double low = INFINITY, high = -INFINITY, most = 0.0;
  for (int k = 0; k < curves; k++) {
    double *y = s->next - (size_t)(k + 1) * s->rows;
    const double mean = mean_of(y, s->rows);
    low = fmin(low, mean);
    high = fmax(high, mean);
    for (size_t i = s->rows / 2; i < s->rows; i++)
      most = fmax(most, 2.0 * fabs(y[i] - mean));
  }
  if (!(high - low > most) || !isfinite(high - low))
    return false;
  for (int k = 0; k < curves; k++) {
    double *y = s->next - (size_t)(k + 1) * s->rows;
    const double mean = mean_of(y, s->rows);
    for (size_t i = 0; i < s->rows; i++)
      y[i] -= mean;
  }
  return true;
}

/* Whether the curves of the current panel span decades and are never negative. */
static bool is_wide(const Series *s, int curves)
{
  double low = INFINITY, high = 0.0;
  for (const double *y = s->next - (size_t)curves * s->rows; y < s->next; y++) {
    if (*y < 0.0)
      return false;
    low = *y > 0.0 ? fmin(low, *y) : low;
    high = fmax(high, *y);
  }
  return high > 100.0 * low;
}

/* Whether a column can be drawn, in the panel of `first`. */
static bool fits_panel(const ResultColumn *c, const ResultColumn *first)
{
  return c->quantity != NULL && c->value != NULL && c->quantity->shape == QUANTITY_SERIES &&
         strcmp(c->quantity->unit, first->quantity->unit) == 0;
}

static void caption_panel(Series *s, const ResultColumn *first, int curves, bool centred)
{
  char *words = s->caption[s->n].text;
  const char *label = first->quantity->label;
  for (size_t k = 0; k < sizeof families / sizeof *families && curves > 1; k++)
    if (strcmp(first->quantity->unit, families[k].unit) == 0)
      label = families[k].label;
  text_append(words, sizeof s->caption->text, "%s%s", label, centred ? " minus its mean" : "");
  if (first->unit[0] != '\0')
    text_append(words, sizeof s->caption->text, " (%s)", quantity_show_unit(first->unit).text);
}

/* Adds a panel for each unit of a varying column, in the order of columns. */
static void add_series(const ResultTable *t, Series *s)
{
  for (const ResultColumn *first = t->column; first < t->column + t->ncol && s->n < PANELS; first++) {
    const ResultColumn *c = t->column;
    int curves = 0;
    while (c < first && !(first->quantity != NULL && fits_panel(c, first)))
      c++;
    if (c < first || first->quantity == NULL || !fits_panel(first, first))
      continue;
    for (; c < t->column + t->ncol && curves < CURVES; c++)
      if (fits_panel(c, first) && copy_slot(t, c, 0, 1, s->next))
        (void)add_curve(s, curves++, c->name);
    if (curves == 0)
      continue;
    const bool wide = is_wide(s, curves), centred = !wide && centre(s, curves);
    s->centred = s->centred || centred;
    caption_panel(s, first, curves, centred);
    add_panel(s, wide, curves);
  }
}

static void write_series(const RunFound *run, Html *html)
{
  const ResultTable *t = run->series;
  const ResultColumn *time = results_times(t);
  if (time == NULL || t->nrow < 2 || t->nrow > 100000000 || !html_figure_moves())
    return;
  Series *s = calloc(1, sizeof *s);
  if (s != NULL)
    s->memory = malloc((1 + (size_t)PANELS * CURVES) * t->nrow * sizeof *s->memory);
  if (s != NULL && s->memory != NULL) {
    const size_t slots = results_slots(t);
    s->rows = t->nrow / slots;
    s->next = s->memory + s->rows;
    s->time = run_read_caption(time);
    (void)copy_slot(t, time, 0, slots, s->memory);
    const bool states = run_read_states(run);
    if (slots > 1)
      add_slots(t, slots, states, s);
    else
      add_series(t, s);
    if (s->n > 0) {
      char caption[256] = "";
      html_section(html, "series",
                   states      ? "States against time"
                   : slots > 1 ? "Temperatures against time"
                               : "All curves against time");
      text_append(
          caption, sizeof caption, "The columns of %s.csv. Click a name to hide its curve.%s%s", t->name,
          states       ? " Means over the ladders."
          : slots > 1  ? " Means over the ladders, at the temperatures at the end of the run."
          : s->centred ? " Curves that are far apart are drawn relative to their means over the later half."
                       : "",
          t->nrow > 3600 ? " Long curves are thinned, but show all extremes." : "");
      html_figure_panels(html, "series", caption, s->n, s->panel, 1);
    }
    free(s->memory);
  }
  free(s);
}

/* --- molecules, files, words --------------------------------------------------------------------- */

SCOPED_POINTER(TrajectoryReader, trajectory_close)

/* Reads the first frame of a file of the run; false if there is no readable one. */
static bool read_frame(const RunFound *run, const char *name, Frame *frame)
{
  SCOPED(scoped_free)
  char *path = file_length(run->set->dir, name) > 0 ? file_path(run->set->dir, name) : NULL;
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  bool end = false;
  return path != NULL && trajectory_open(&reader, path, NULL) == STATUS_OK &&
         trajectory_read(reader, frame, &end, NULL) == STATUS_OK && !end;
}

/* Reads the atoms of "index 0:21 40", below `natoms`, into atom[natoms]; returns their number, 0 for any
 * other text. */
static int read_atoms(const char *text, int natoms, int *atom)
{
  static const char key[] = "index";
  int n = 0;
  if (strncmp(text, key, sizeof key - 1) != 0)
    return 0;
  for (text += sizeof key - 1; *text != '\0';) {
    char *end;
    const long first = strtol(text, &end, 10), last = *end == ':' ? strtol(end + 1, &end, 10) : first;
    if (end == text || first < 0 || last < first || last >= natoms || last - first >= natoms - n)
      return 0;
    for (long i = first; i <= last; i++)
      atom[n++] = (int)i;
    text = end;
  }
  return n;
}

/* Names the atoms of a trajectory without names by a structure of the run. STATUS_INPUT: no file has the
 * names. */
static Status name_atoms(const RunFound *run, const TrajectoryFormat *format, Frame *names, Error *error)
{
  static const char *const named[] = {"final.xyz", "last-good.xyz", "built-start.xyz"};
  char key[32];
  SCOPED(frame_free) Frame all = {0};
  size_t k = 0;
  while (k < sizeof named / sizeof *named && !read_frame(run, named[k], &all))
    k++;
  if (k == sizeof named / sizeof *named)
    return error_set(error, STATUS_INPUT,
                     "%s files have no names of atoms; the page takes them from final.xyz, which the run "
                     "writes at its end",
                     format->name);
  snprintf(key, sizeof key, "%s_atoms", format->name);
  const char *part = results_text(run->set, key);
  SCOPED(scoped_free) int *atom = malloc((size_t)all.natoms * sizeof *atom);
  TRY_MEMORY(atom != NULL, "atoms for a page", error);
  int n = *part != '\0' ? read_atoms(part, all.natoms, atom) : all.natoms;
  for (int i = 0; *part == '\0' && i < n; i++)
    atom[i] = i;
  return frame_pick(&all, atom, n, names, error);
}

static Status write_movie(const RunFound *run, Html *html, const char *file, const char *words, Error *error)
{
  SCOPED(frame_free) Frame names = {0};
  SCOPED(scoped_free) char *path = file_path(run->set->dir, file);
  TRY_MEMORY(path != NULL, "molecules for a page", error);
  const TrajectoryFormat *format = trajectory_find(strrchr(file, '.') + 1);
  const bool named = (format->traits & TRAJECTORY_NAMES) != 0;
  if (!named)
    TRY(name_atoms(run, format, &names, error));
  return html_molecules(html, path, named ? NULL : &names, words, error);
}

/* Shows the first file that can be shown, and the reason why each earlier one cannot. */
static void write_molecules(const RunFound *run, Html *html)
{
  static const struct {
    const char *file, *words;
  } movies[] = {
#define MOVIE(format)                                                                                        \
  {"trajectory." format, "The trajectory. Drag to rotate, scroll to zoom."},                                 \
      {"replica-0/trajectory." format, "The trajectory of replica 0. Drag to rotate, scroll to zoom."}
      MOVIE("h5md"),
      MOVIE("xyz"),
      MOVIE("gro"),
      MOVIE("pdb"),
      MOVIE("xtc"),
      MOVIE("dcd"),
      {"last-good.xyz", "Before the run went wrong, replica by replica. Drag to rotate, scroll to zoom."},
      {"final.xyz", "The end of the run, replica by replica. Drag to rotate, scroll to zoom."},
      {"built-start.xyz", "The start. Drag to rotate, scroll to zoom."}};
  bool begun = false, shown = false;
  for (size_t i = 0; i < sizeof movies / sizeof *movies && html_figure_moves() && !shown; i++) {
    if (file_length(run->set->dir, movies[i].file) <= 0)
      continue;
    Error error = {0};
    if (!begun)
      html_section(html, "molecules", "Molecules");
    begun = true;
    shown = write_movie(run, html, movies[i].file, movies[i].words, &error) == STATUS_OK;
    if (!shown)
      html_text(html, "The page cannot show %s: %s.", movies[i].file, error.text);
  }
}

static void write_words(const RunFound *run, Html *html, const char *name, const char *summary)
{
  enum { LONG = 200000 };
  SCOPED(scoped_free) char *path = file_path(run->set->dir, name);
  SCOPED(scoped_free) char *text = NULL;
  if (path != NULL && file_read(path, LONG, &text, NULL, NULL) == STATUS_OK)
    html_lines(html, summary, text);
}

static void write_files(const RunFound *run, Html *html)
{
  static const char *const held[] = {
      "summary.yaml",       "results.json", "observables.json", "thermo.csv",      "energy.csv",
      "replicas.csv",       "rdf.csv",      "gofr.csv",         "msd.csv",         "vacf.csv",
      "vacf_spectrum.csv",
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...) #list ".csv",
#include "engine/coordinates.def"
      "torsions_pairs.csv", "dipole.csv",   "volume.csv",       "ensemble.csv",    "ladder.csv",
      "heat_capacity.csv",  "pull.csv",     "work.csv",         "multipliers.csv", "trajectory.csv",
      "rdf_replicas.csv",   "final.xyz"};
  enum { MOST = 250000 };
  html_section(html, "files", "Files");
  html_text(html, "Small files are in this page: click to save them.");
  for (size_t i = 0; i < sizeof held / sizeof *held; i++)
    html_file(html, run->set->dir, held[i], MOST);
  for (int i = 0; i < run->set->ntable; i++) { /* also those named after coordinates */
    const ResultTable *t = run->set->table[i];
    char name[sizeof t->name + 4];
    bool known = t->apart;
    snprintf(name, sizeof name, "%s.csv", t->name);
    for (size_t k = 0; k < sizeof held / sizeof *held; k++)
      known = known || strcmp(name, held[k]) == 0;
    if (!known)
      html_file(html, run->set->dir, name, MOST);
  }
  html_files_end(html);
  write_words(run, html, "input.yaml", "The input, all keys: input.yaml");
  write_words(run, html, "holonom.log", "The log: holonom.log");
}

/* --- the page
 * -----------------------------------------------------------------------------------------------
 */

static void describe(const RunFound *run, char *lead, size_t size)
{
  const ResultNumber *target = results_find(run->set, "", "", "target_temperature");
  const double replicas = results_value(run->set, "", "replicas"),
               density = results_value(run->set, "", "density"),
               time = results_value(run->set, "", "time_ps");
  if (!run->ended) {
    text_append(lead, size, "%s", run->set->dir);
    return;
  }
  if (*results_text(run->set, "model") != '\0')
    text_append(lead, size, "%.0f molecules of %s", results_value(run->set, "", "molecules"),
                results_text(run->set, "model"));
  else if (*results_text(run->set, "topology") != '\0')
    text_append(lead, size, "%.0f molecule%s of %s", results_value(run->set, "", "molecules"),
                results_value(run->set, "", "molecules") > 1.0 ? "s" : "",
                results_text(run->set, "topology"));
  else
    text_append(lead, size, "A mechanical system");
  if (density > 0.0)
    text_append(lead, size, " in a periodic box, %.6g g/cm³", density);
  const size_t slots = results_slots(run->averaged);
  const ResultColumn *rungs = results_numbers(run->averaged, "target");
  if (run_read_states(run))
    text_append(lead, size, ", %zu states", slots);
  else if (slots > 1)
    text_append(lead, size, ", %zu temperatures up to %.4g %s", slots, rungs->value[run->averaged->nrow - 1],
                rungs->unit);
  else if (target != NULL)
    text_append(lead, size, ", %.5g %s", target->value, target->unit);
  if (replicas > 1.0)
    text_append(lead, size, ", %.0f replicas", replicas);
  text_append(lead, size, "; %s, %s", results_text(run->set, "method"), results_text(run->set, "word"));
  if (isfinite(time))
    text_append(lead, size, "; %.10g ps", time);
  text_append(lead, size, "; %s", results_text(run->set, "program"));
}

Status run_page_write(ResultSet *set, Error *error)
{
  LOCALE_PLAIN;
  RunFound run;
  Html *html;
  char lead[512] = "";
  Status status = run_read(&run, set, error);
  if (status == STATUS_OK) {
    const char *title = results_text(run.set, "title");
    describe(&run, lead, sizeof lead);
    status =
        html_create(&html, run.set->dir, RUN_PAGE_NAME, *title != '\0' ? title : run.set->dir, lead, error);
  }
  if (status == STATUS_OK) {
    Error why;
    const Status verdicts = write_verdicts(&run, html, &why);
    write_molecules(&run, html);
    run_ladder_write(&run, html);
    write_figures(&run, html);
    write_series(&run, html);
    run_ladder_replicas(&run, html);
    run_tables_write(&run, html);
    write_files(&run, html);
    status = html_close(html, verdicts == STATUS_OK, error);
    if (status == STATUS_OK && verdicts != STATUS_OK)
      status = error_pass(error, verdicts, &why);
  }
  /* A page that differs from the numbers in the folder is worse than no page. */
  if (status != STATUS_OK && status != STATUS_INPUT)
    (void)manifest_remove(run.set->dir, RUN_PAGE_NAME, NULL);
  return status;
}
