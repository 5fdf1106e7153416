#include "observables/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observables/table.h"

extern char **environ;

/* Okabe and Ito's palette, told apart by colour-blind readers too; black first, for the reference. */
static const char *const palette[] = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9"};
enum { COLOURS = sizeof palette / sizeof palette[0] };

/* One panel: its curves are consecutive data blocks of the file. */
typedef struct Panel {
  const PictureAxes *axes;
  double bottom, top; /* of the picture's height */
  int first;          /* data block of curve 0   */
  int n;
  const PictureCurve *curve;
  int colour; /* of curve 0                    */
  int zero;   /* 1: a line at y = 0            */
  int bare_x; /* 1: the x axis has no numbers  */
} Panel;

/* --- data ------------------------------------------------------------------------------------------------
 */

static Status write_data(const char *path, int npanel, const Panel *panel, Error *error)
{
  FILE *file;
  const Status status = table_create(&file, path, error);
  if (status != STATUS_OK)
    return status;
  for (int p = 0; p < npanel; p++)
    for (int c = 0; c < panel[p].n; c++) {
      const PictureCurve *curve = &panel[p].curve[c];
      fprintf(file, "%s# %s\n# x y error\n", p + c > 0 ? "\n\n" : "",
              curve->label != NULL ? curve->label : "");
      for (int i = 0; i < curve->n; i++)
        fprintf(file, "%.10g %.10g %.6g\n", curve->x[i], curve->y[i],
                curve->error != NULL ? curve->error[i] : NAN);
    }
  return table_close(file, path, error);
}

static int has_errors(const PictureCurve *curve)
{
  for (int i = 0; curve->error != NULL && i < curve->n; i++)
    if (isfinite(curve->error[i]))
      return 1;
  return 0;
}

/* --- script ----------------------------------------------------------------------------------------------
 */

/* Text in single quotes, where gnuplot takes everything as it is (in double quotes it would run what stands
 * in backquotes). */
static void quote(FILE *file, const char *text)
{
  fputc('\'', file);
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    if (*c == '\'')
      fputs("''", file);
    else
      fputc((unsigned char)*c < ' ' ? ' ' : *c, file);
  fputc('\'', file);
}

/* Characters, not bytes. */
static int text_length(const char *text)
{
  int n = 0;
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

/* The legend stands above the plot, so that it covers nothing, in as many columns as fit. It is drawn by
 * hand: gnuplot's own guesses its widths and then wraps where there is room. Lengths in points of a picture
 * that is WIDTH wide. */
enum { WIDTH = 900, LEGEND_ROW = 25, LEGEND_SAMPLE = 34, LEGEND_GAP = 26 };

typedef struct Legend {
  int n, columns, rows;
  double column; /* width */
} Legend;

static Legend legend_shape(const Panel *panel)
{
  const double letter = 8.0, room = 0.86 * WIDTH;
  Legend legend = {0};
  for (int c = 0; c < panel->n; c++)
    if (panel->curve[c].label != NULL) {
      legend.n++;
      legend.column = fmax(legend.column, letter * text_length(panel->curve[c].label));
    }
  legend.column += LEGEND_SAMPLE + 8 + LEGEND_GAP;
  const int fit = (int)((room + LEGEND_GAP) / legend.column);
  legend.columns = fit < 1 ? 1 : (fit > legend.n ? legend.n : fit);
  if (legend.n > 0) {
    legend.rows = (legend.n + legend.columns - 1) / legend.columns;
    legend.columns = (legend.n + legend.rows - 1) / legend.rows; /* 3 + 2 rather than 4 + 1 */
  }
  return legend;
}

static int titled(const Panel *panel) { return panel->axes->title != NULL && panel->axes->title[0] != '\0'; }

static int curve_colour(const Panel *panel, int c)
{
  int colour = panel->colour;
  for (int k = 1; k <= c; k++)
    colour += panel->curve[k].style != PICTURE_DASHES;
  return colour % COLOURS;
}

/* The reference lies under the others and still shows where they agree with it. */
static double curve_width(const Panel *panel, int c)
{
  return panel->colour == 0 && c == 0 ? 3.0 : (panel->curve[c].style == PICTURE_DASHES ? 1.2 : 1.8);
}

static void write_legend(FILE *file, const Panel *panel, int height)
{
  const Legend legend = legend_shape(panel);
  const double left = 0.545 * WIDTH - 0.5 * (legend.columns * legend.column - LEGEND_GAP);
  for (int c = 0, k = 0; c < panel->n; c++) {
    const PictureCurve *curve = &panel->curve[c];
    if (curve->label == NULL)
      continue;
    const int row = k / legend.columns;
    const double x = (left + (k % legend.columns) * legend.column) / WIDTH;
    const double y = 1.0 - (20.0 + 28.0 * titled(panel) + LEGEND_ROW * row) / height;
    const char *colour = palette[curve_colour(panel, c)];
    if (curve->style == PICTURE_POINTS)
      fprintf(file, "  set label '' at screen %.4f,%.4f point pt 7 ps 0.9 lc rgb '%s'\n",
              x + 0.5 * LEGEND_SAMPLE / WIDTH, y, colour);
    else
      fprintf(file, "  set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lw %g dt %d lc rgb '%s'\n",
              x, y, x + (double)LEGEND_SAMPLE / WIDTH, y, curve_width(panel, c),
              curve->style == PICTURE_DASHES ? 2 : 1, colour);
    fputs("  set label ", file);
    quote(file, curve->label);
    fprintf(file, " at screen %.4f,%.4f noenhanced\n", x + (LEGEND_SAMPLE + 8.0) / WIDTH, y);
    k++;
  }
}

static void write_range(FILE *file, const char *axis, double low, double high)
{
  if (high > low)
    fprintf(file, "  set %srange [%.10g:%.10g]\n", axis, low, high);
  else
    fprintf(file, "  set %srange [*:*]\n", axis);
}

static void write_bands(FILE *file, const Panel *panel, const char *data, const char **separator)
{
  for (int c = 0; c < panel->n; c++)
    if (panel->curve[c].style == PICTURE_LINE && has_errors(&panel->curve[c])) {
      fputs(*separator, file);
      quote(file, data);
      fprintf(file,
              " index %d using 1:($2-2*$3):($2+2*$3) notitle with filledcurves fs transparent solid 0.22 "
              "noborder "
              "lc rgb '%s'",
              panel->first + c, palette[curve_colour(panel, c)]);
      *separator = ", \\\n    ";
    }
}

static void write_curves(FILE *file, const Panel *panel, const char *data, const char **separator)
{
  for (int c = 0; c < panel->n; c++) {
    const PictureCurve *curve = &panel->curve[c];
    const int bars = curve->style == PICTURE_POINTS && has_errors(curve);
    fputs(*separator, file);
    quote(file, data);
    fprintf(file, " index %d using %s notitle with ", panel->first + c, bars ? "1:2:3" : "1:2");
    if (curve->style == PICTURE_POINTS)
      fprintf(file, "%s pt 7 ps 0.9 lw 1.3", bars ? "yerrorbars" : "points");
    else
      fprintf(file, "lines lw %g dt %d", curve_width(panel, c), curve->style == PICTURE_DASHES ? 2 : 1);
    fprintf(file, " lc rgb '%s'", palette[curve_colour(panel, c)]);
    *separator = ", \\\n    ";
  }
}

static void write_panel(FILE *file, const Panel *panel, const char *data)
{
  const PictureAxes *axes = panel->axes;
  fprintf(file, "  set tmargin at screen %.3f; set bmargin at screen %.3f\n", panel->top, panel->bottom);
  fprintf(file, "  %sset logscale x\n  %sset logscale y\n", axes->logx ? "" : "un", axes->logy ? "" : "un");
  fprintf(file, "  set format x '%s'\n", panel->bare_x ? "" : (axes->logx ? "10^{%L}" : "%h"));
  fprintf(file, "  set format y '%s'\n", axes->logy ? "10^{%L}" : "%h");
  write_range(file, "x", axes->xmin, axes->xmax);
  write_range(file, "y", axes->ymin, axes->ymax);
  fputs("  set xlabel ", file);
  quote(file, panel->bare_x ? "" : axes->xlabel);
  fputs(" noenhanced\n  set ylabel ", file);
  quote(file, axes->ylabel);
  fputs(" noenhanced\n", file);
  const char *separator = "  plot ";
  if (panel->zero) {
    fprintf(file, "%s0 notitle with lines lc rgb '%s' lw 1", separator, palette[0]);
    separator = ", \\\n    ";
  }
  write_bands(file, panel, data, &separator);
  write_curves(file, panel, data, &separator);
  fputs("\n", file);
}

static void write_head(FILE *file, const char *name, const Panel *panel, int height)
{
  fprintf(
      file,
      "# Drawn by holonom. Again: gnuplot %s.gp\nset encoding utf8\nset key off\n"
      "do for [kind in 'svg png'] {\n  if (kind eq 'svg') {\n"
      "    set terminal svg size %d,%d dynamic enhanced font 'DejaVu Sans,Arial,sans-serif,15' background "
      "'#ffffff'\n"
      "  } else {\n"
      "    set terminal pngcairo size %d,%d enhanced font 'DejaVu Sans,22' linewidth 2 pointscale 2\n  }\n",
      name, WIDTH, height, 2 * WIDTH, 2 * height);
  fputs("  set output ", file);
  quote(file, name);
  fputs(".'.'.kind\n  set multiplot\n"
        "  set border 3 lw 0.8 lc rgb '#404040'; set tics nomirror out textcolor rgb '#202020'\n"
        "  set grid xtics ytics lt 1 lw 0.6 lc rgb '#e4e4e4'\n"
        "  set lmargin at screen 0.115; set rmargin at screen 0.975\n",
        file);
  if (titled(panel)) {
    fputs("  set label ", file);
    quote(file, panel->axes->title);
    fprintf(file, " at screen 0.545,%.4f center noenhanced\n", 1.0 - 20.0 / height);
  }
  write_legend(file, panel, height);
  int bands = 0;
  for (int c = 0; c < panel->n; c++)
    bands = bands || (panel->curve[c].style == PICTURE_LINE && has_errors(&panel->curve[c]));
  if (bands)
    fprintf(file,
            "  set label 'bands: ± 2 standard errors' at screen 0.975,%.4f right textcolor rgb '#606060' "
            "noenhanced\n",
            14.0 / height);
}

static Status write_script(const char *path, const char *name, int height, int npanel, const Panel *panel,
                           Error *error)
{
  FILE *file;
  const size_t size = strlen(name) + 5;
  char *data = malloc(size);
  if (data == NULL)
    return error_memory(error, "a file name");
  snprintf(data, size, "%s.dat", name);
  Status status = table_create(&file, path, error);
  if (status == STATUS_OK) {
    write_head(file, name, &panel[0], height);
    for (int p = 0; p < npanel; p++) {
      write_panel(file, &panel[p], data);
      fputs("  unset label; unset arrow\n", file);
    }
    fputs("  unset multiplot\n  set output\n  reset\n}\n", file);
    status = table_close(file, path, error);
  }
  free(data);
  return status;
}

/* --- gnuplot ---------------------------------------------------------------------------------------------
 */

/* Runs `gnuplot script` in dir with its messages into log. Returns 0, -1 if gnuplot cannot be started, or its
 * exit status. */
static int run_gnuplot(const char *dir, const char *script, const char *log)
{
  char command[] = "gnuplot";
  char *copy = strdup(script);
  char *const argv[3] = {command, copy, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child = -1;
  if (copy == NULL || posix_spawn_file_actions_init(&actions) != 0) {
    free(copy);
    return -1;
  }
  int bad = posix_spawn_file_actions_addchdir_np(&actions, dir) != 0 ||
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) != 0 ||
            posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666) != 0 ||
            posix_spawn_file_actions_adddup2(&actions, 1, 2) != 0;
  bad = bad || posix_spawnp(&child, command, &actions, NULL, argv, environ) != 0;
  posix_spawn_file_actions_destroy(&actions);
  free(copy);
  if (bad)
    return -1;
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static Status draw(const char *dir, const char *name, const char *path, Error *error)
{
  const size_t n = strlen(name) + 8;
  char *script = malloc(n), *log = malloc(n), *log_path = NULL;
  Status status = STATUS_OK;
  if (script != NULL && log != NULL) {
    snprintf(script, n, "%s.gp", name);
    snprintf(log, n, "%s.gp.log", name);
    log_path = table_path(dir, log);
  }
  if (log_path == NULL) {
    status = error_memory(error, "file names");
  } else {
    const int result = run_gnuplot(dir, script, log);
    if (result <= 0)
      unlink(log_path);
    if (result < 0 || result == 127)
      status = error_set(
          error, STATUS_RUN,
          "gnuplot cannot be started. The data and the script are there: install it (Debian: apt-get "
          "install gnuplot-nox) and say: cd %s && gnuplot %s",
          dir, script);
    else if (result != 0)
      status = error_set(error, STATUS_RUN, "gnuplot failed on %s with status %d; it says why in %s", path,
                         result, log_path);
  }
  free(script);
  free(log);
  free(log_path);
  return status;
}

static Status make(const char *dir, const char *name, int height, int npanel, const Panel *panel,
                   Error *error)
{
  const size_t n = strlen(name) + 5;
  char *file = malloc(n), *data = NULL, *script = NULL;
  if (file != NULL) {
    snprintf(file, n, "%s.dat", name);
    data = table_path(dir, file);
    snprintf(file, n, "%s.gp", name);
    script = table_path(dir, file);
  }
  Status status = STATUS_OK;
  if (data == NULL || script == NULL)
    status = error_memory(error, "file names");
  if (status == STATUS_OK)
    status = write_data(data, npanel, panel, error);
  if (status == STATUS_OK)
    status = write_script(script, name, height, npanel, panel, error);
  if (status == STATUS_OK)
    status = draw(dir, name, script, error);
  free(file);
  free(data);
  free(script);
  return status;
}

/* Where the plot ends below title and legend, as a fraction of the height. */
static double plot_top(const Panel *panel, int height)
{
  return 1.0 - (18.0 + 28.0 * titled(panel) + LEGEND_ROW * legend_shape(panel).rows) / height;
}

Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error)
{
  const int height = 560;
  if (n < 1)
    return error_set(error, STATUS_INPUT, "%s: no curve to draw", name);
  Panel panel = {.axes = axes, .bottom = 76.0 / height, .n = n, .curve = curve, .colour = 1};
  panel.top = plot_top(&panel, height);
  return make(dir, name, height, 1, &panel, error);
}

/* --- distributions ---------------------------------------------------------------------------------------
 */

/* Curves with their numbers, and the differences to the first; one owner of all memory. */
typedef struct Distributions {
  int n, same_bins;
  PictureCurve *curve, *difference; /* [n] each; difference[0] is not drawn */
  RdfResult **result;               /* [n], NULL where the caller gave numbers */
  double *memory;
} Distributions;

static void distributions_free(Distributions *d)
{
  for (int c = 0; d->result != NULL && c < d->n; c++)
    rdf_result_free(d->result[c]);
  free(d->result);
  free(d->curve);
  free(d->difference);
  free(d->memory);
}

static Status distributions_load(Distributions *d, const PictureCurve *curve, Error *error)
{
  const size_t n = (size_t)d->n;
  d->curve = calloc(n, sizeof *d->curve);
  d->difference = calloc(n, sizeof *d->difference);
  d->result = calloc(n, sizeof(RdfResult *));
  if (d->curve == NULL || d->difference == NULL || d->result == NULL)
    return error_memory(error, "a picture");
  for (int c = 0; c < d->n; c++) {
    d->curve[c] = curve[c];
    if (curve[c].rdf == NULL)
      continue;
    const Status status = rdf_result(curve[c].rdf, &d->result[c], error);
    if (status != STATUS_OK)
      return status;
    const RdfResult *r = d->result[c];
    d->curve[c].n = r->nbin;
    d->curve[c].x = r->r;
    d->curve[c].y = r->p;
    d->curve[c].error = r->p_err;
  }
  return STATUS_OK;
}

static Status distributions_subtract(Distributions *d, Error *error)
{
  const PictureCurve *first = &d->curve[0];
  d->same_bins = 1;
  for (int c = 1; c < d->n; c++)
    for (int i = 0; i < first->n && d->same_bins; i++)
      d->same_bins = d->curve[c].n == first->n && fabs(d->curve[c].x[i] - first->x[i]) < 1e-9;
  if (!d->same_bins)
    return STATUS_OK;
  const size_t nbin = (size_t)first->n;
  d->memory = malloc((2 * nbin * (size_t)d->n + 1) * sizeof *d->memory);
  if (d->memory == NULL)
    return error_memory(error, "a picture");
  for (int c = 1; c < d->n; c++) {
    const PictureCurve *other = &d->curve[c];
    double *y = d->memory + 2 * nbin * (size_t)c, *e = y + nbin;
    for (size_t i = 0; i < nbin; i++) {
      y[i] = other->y[i] - first->y[i];
      e[i] = other->error != NULL && first->error != NULL ? hypot(other->error[i], first->error[i]) : NAN;
    }
    d->difference[c] =
        (PictureCurve){.label = other->label, .n = first->n, .x = first->x, .y = y, .error = e};
  }
  return STATUS_OK;
}

/* The range where there is anything to see. */
static void distributions_range(const Distributions *d, PictureAxes *axes)
{
  double low = INFINITY, high = -INFINITY;
  for (int c = 0; c < d->n; c++) {
    const PictureCurve *curve = &d->curve[c];
    double top = 0.0;
    for (int i = 0; i < curve->n; i++) {
      const double e = curve->error != NULL && isfinite(curve->error[i]) ? curve->error[i] : 0.0;
      top = fmax(top, curve->y[i]);
      axes->ymax = fmax(axes->ymax, 1.04 * (curve->y[i] + 2.0 * e));
    }
    for (int i = 0; i < curve->n; i++)
      if (curve->y[i] > 2e-3 * top) {
        low = fmin(low, curve->x[i]);
        high = fmax(high, curve->x[i]);
      }
  }
  const double margin = 0.03 * (high - low);
  axes->xmin = fmax(0.0, low - margin);
  axes->xmax = high + margin;
}

Status picture_rdf(const char *dir, const char *name, const char *title, int n, const PictureCurve *curve,
                   Error *error)
{
  if (n < 1)
    return error_set(error, STATUS_INPUT, "%s: no distribution to draw", name);
  Distributions d = {.n = n};
  Status status = distributions_load(&d, curve, error);
  if (status == STATUS_OK)
    status = distributions_subtract(&d, error);
  if (status == STATUS_OK) {
    const int two = n > 1 && d.same_bins, height = two ? 760 : 560;
    PictureAxes upper = {.title = title, .xlabel = "O–O distance (Å)", .ylabel = "pair density (1/Å)"};
    distributions_range(&d, &upper);
    PictureAxes lower = upper;
    lower.ymax = 0.0;
    lower.ylabel = "difference (1/Å)";
    Panel panel[2] = {{.axes = &upper,
                       .bottom = two ? 292.0 / height : 76.0 / height,
                       .n = n,
                       .curve = d.curve,
                       .colour = n > 1 ? 0 : 1,
                       .bare_x = two},
                      {.axes = &lower,
                       .bottom = 76.0 / height,
                       .top = 270.0 / height,
                       .first = n,
                       .n = n - 1,
                       .curve = d.difference + 1,
                       .colour = 1,
                       .zero = 1}};
    panel[0].top = plot_top(&panel[0], height);
    status = make(dir, name, height, two ? 2 : 1, panel, error);
  }
  distributions_free(&d);
  return status;
}
