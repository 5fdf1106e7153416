/* Computes the size of a sheet of panels, and their common margins. */
#include "observables/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/manifest.h"
#include "base/scoped.h"
#include "observables/picture_private.h"

const char *const picture_suffixes[] = {PICTURE_SUFFIXES, NULL};

enum { WIDTH = 900, TITLE = 28, LINE = PICTURE_LINE_HEIGHT };
enum { LABELLED = 102, EDGE = 22 }; /* least space left and right of a plot */
enum {
  LETTER = 10,
  TIC = 14,
  LABEL = 40
}; /* width of a digit in gnuplot's estimate, tics, height of a vertical label */

static int near(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

/* Whether b has the x axis of a. */
static int same_x(const PicturePanel *a, const PicturePanel *b)
{
  const PictureAxes *p = &a->axes, *q = &b->axes;
  const QuantityWords of_a = picture_data_label(p->xlabel, p->x), of_b = picture_data_label(q->xlabel, q->x);
  if (p->equal || q->equal || strcmp(of_a.text, of_b.text) != 0 || p->logx != q->logx)
    return 0;
  const PictureExtent e = picture_data_extent(a), f = picture_data_extent(b);
  return near(e.xmin, f.xmin) && near(e.xmax, f.xmax);
}

/* The number of characters of the longest number on an axis from low to high. */
static int number_length(double low, double high, int log)
{
  if (log || !(high > low))
    return 5;
  const double most = fmax(fabs(low), fabs(high)), step = (high - low) / 5.0;
  const int whole = most >= 10.0 ? (int)floor(log10(most)) + 1 : 1;
  const int places = step > 0.0 && step < 1.0 ? (int)ceil(-log10(step)) : 0;
  const int length = (low < 0.0) + whole + (places > 0) + places;
  return length < 9 ? length : 9; /* six digits, then powers of ten */
}

/* Computes the margins around the plots, whose height is `ratio` times their width, and between them. */
static void sheet_rooms(PictureSheet *s, double ratio)
{
  double title = 0.0, lower_title = 0.0, words = 44.0;
  const double label = LABEL + LINE * (s->label_lines - 1);
  s->left = LABELLED;
  s->right = EDGE;
  s->share_x = s->n % s->columns == 0 && s->n > s->columns;
  for (int i = 0; i < s->n; i++) {
    const PictureAxes *axes = &s->panel[i].axes;
    const PictureExtent e = picture_data_extent(&s->panel[i]);
    s->left = fmax(s->left, TIC + LETTER * number_length(e.ymin, e.ymax, axes->logy) + label);
    /* The last number is centred at the edge. */
    s->right = fmax(s->right, 0.5 * LETTER * (1 + number_length(e.xmin, e.xmax, axes->logx)) + 4.0);
    s->share_x = s->share_x && (i < s->columns || same_x(&s->panel[i - s->columns], &s->panel[i]));
    words = *picture_data_label(axes->xlabel, axes->x).text == '\0' ? words : 76.0;
  }
  s->across = s->left + s->right;
  s->plot_width = (double)s->width / s->columns - s->across;
  s->plot_height = ratio * s->plot_width;
  s->title_width = s->plot_width + 2.0 * s->right; /* centred over the plot, up to the edge of the sheet */
  s->label_width = s->plot_height + 16.0;
  for (int i = 0; i < s->n; i++) {
    const int lines = picture_script_lines(s->panel[i].axes.title, s->title_width);
    double *above = i < s->columns ? &title : &lower_title;
    *above = lines > 0 ? fmax(*above, TITLE + LINE * (lines - 1)) : *above;
  }
  const int legend = picture_script_legend_rows(s);
  s->top = 18.0 + title + (legend > 0 ? 8.0 + LINE * legend : 0.0);
  s->bottom = words + 6.0;
  s->down = 16.0 + lower_title + (s->share_x ? 6.0 : words);
}

/* All rows have the height of the highest one. */
static void sheet_lay(PictureSheet *s)
{
  const int rows = (s->n + s->columns - 1) / s->columns;
  const double usual = s->n == 1 ? 0.54 : (rows < 3 ? 0.62 : (rows < 5 ? 0.48 : 0.36));
  double ratio = s->columns == 1 && s->n > 1 ? 0.55 * usual : usual;
  for (int i = 0; i < s->n; i++)
    ratio = s->panel[i].axes.equal ? fmax(ratio, 0.8) : ratio;
  s->rows = rows;
  s->width = s->columns == 1 ? WIDTH : (s->columns == 2 ? 1040 : 380 * s->columns + 120);
  /* Labels of several lines reduce the width of the plots, and thereby the height available to labels. */
  for (int lines = 1; lines > s->label_lines;) {
    s->label_lines = lines;
    sheet_rooms(s, ratio);
    for (int i = 0; i < s->n; i++) {
      const PictureAxes *axes = &s->panel[i].axes;
      const int own = picture_script_lines(picture_data_label(axes->ylabel, axes->y).text, s->label_width);
      lines = own > lines ? own : lines;
    }
  }
  s->height = (int)ceil(s->top + rows * s->plot_height + (rows - 1) * s->down + s->bottom);
}

/* Claims all files of the picture at once, including gnuplot's. */
Status picture_claim(const char *dir, const char *name, Error *error)
{
  enum { FILES = sizeof picture_suffixes / sizeof *picture_suffixes - 1 };
  char *file[FILES] = {NULL};
  Status status = STATUS_OK;
  for (int k = 0; k < FILES && status == STATUS_OK; k++)
    if (asprintf(&file[k], "%s%s", name, picture_suffixes[k]) < 0) {
      file[k] = NULL;
      status = error_memory(error, "file names");
    }
  if (status == STATUS_OK)
    status = manifest_claim_all(dir, (const char *const *)file, FILES, error);
  for (int k = 0; k < FILES; k++)
    free(file[k]);
  return status;
}

static Status write_all(const char *dir, const char *name, const PictureSheet *sheet, Error *error)
{
  TRY(picture_claim(dir, name, error));
  picture_gnuplot_remove(dir, name); /* no old picture remains next to new data, even after errors */
  TRY(picture_json_write(dir, name, sheet->n, sheet->panel, sheet->columns, error));
  TRY(picture_data_write(dir, name, sheet, error));
  TRY(picture_script_write(dir, name, sheet, error));
  return picture_gnuplot_draw(dir, name, error);
}

/* Sets axes that gnuplot can draw for any curves: linear if nothing is positive (displacements of molecules
 * that do not move), and from 0 to 1 without any number. */
static PicturePanel with_axes(PicturePanel panel)
{
  PictureAxes *axes = &panel.axes;
  const PictureExtent some = picture_data_extent(&panel);
  axes->logx = axes->logx && some.xmin <= some.xmax;
  axes->logy = axes->logy && some.ymin <= some.ymax;
  const PictureExtent any = picture_data_extent(&panel);
  if (any.xmin > any.xmax)
    axes->xmin = 0.0, axes->xmax = 1.0;
  if (any.ymin > any.ymax)
    axes->ymin = 0.0, axes->ymax = 1.0;
  return panel;
}

Status picture_panels(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                      Error *error)
{
  LOCALE_PLAIN;
  if (n < 1 || columns < 1)
    return error_set(error, STATUS_INPUT, "%s: no panel to draw", name);
  for (int i = 0; i < n; i++)
    if (panel[i].n < 1)
      return error_set(error, STATUS_INPUT, "%s, panel %d: no curve to draw", name, i + 1);
  SCOPED(scoped_free) PicturePanel *own = malloc((size_t)n * sizeof *own);
  TRY_MEMORY(own != NULL, "a picture", error);
  for (int i = 0; i < n; i++)
    own[i] = with_axes(panel[i]);
  PictureSheet sheet = {.n = n, .columns = columns < n ? columns : n, .panel = own};
  sheet_lay(&sheet);
  return write_all(dir, name, &sheet, error);
}

PictureCurve picture_curve(const ResultTable *table, int x, int y)
{
  const ResultColumn *of = &table->column[y];
  return (PictureCurve){
      .n = (int)table->nrow, .x = table->column[x].value, .y = of->value, .error = of->error};
}

Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error)
{
  const PicturePanel panel = {.axes = *axes, .n = n, .curve = curve};
  return picture_panels(dir, name, 1, &panel, 1, error);
}

Status picture_table(const char *dir, const ResultTable *table, Error *error)
{
  const int n = table->ncol - 1;
  const PictureAxes axes = {.x = &table->column[0], .y = &table->column[1]};
  bool rising = true; /* labels are rising numbers, such as temperatures */
  SCOPED(scoped_free) PictureCurve *curve = malloc((size_t)n * sizeof *curve);
  TRY_MEMORY(curve != NULL, "a picture", error);
  for (int c = 0; c < n; c++) {
    const char *const label = strchr(table->column[c + 1].name, '_');
    curve[c] = picture_curve(table, 0, c + 1);
    curve[c].label = label != NULL ? label + 1 : NULL;
    rising =
        rising && label != NULL && strtod(label + 1, NULL) > (c > 0 ? strtod(curve[c - 1].label, NULL) : 0.0);
  }
  for (int c = 0; c < n && n > 2 && rising; c++) {
    curve[c].shade = c;
    curve[c].shades = n;
  }
  return picture_lines(dir, table->name, &axes, n, curve, error);
}

Status picture_outcome(Status drawn, const Error *why, Error *error)
{
  return drawn == STATUS_RUN ? STATUS_OK : error_pass(error, drawn, why);
}

Status picture_draw_left(const char *dir, const char *const *names, double seconds, Error *error)
{
  return picture_gnuplot_draw_left(dir, names, seconds, error);
}
