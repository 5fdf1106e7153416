/* Where everything stands on the sheet. */
#include "observables/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/owned.h"
#include "observables/picture_private.h"

const char *const picture_suffixes[] = {PICTURE_SUFFIXES, NULL};

/* Numbers the data blocks, writes, draws. */
static Status draw_sheet(const char *dir, const char *name, PictureSheet *sheet, Error *error)
{
  int block = 0;
  for (int k = 0; k < sheet->n; k++) {
    PicturePart *part = &sheet->part[k];
    part->first = block;
    block += part->panel->n;
    part->extent = picture_data_extent(part->panel);
  }
  const size_t size = strlen(name) + 5;
  char *file = malloc(size), *data = NULL, *script = NULL;
  if (file != NULL) {
    snprintf(file, size, "%s.dat", name);
    data = file_path(dir, file);
    snprintf(file, size, "%s.gp", name);
    script = file_path(dir, file);
  }
  Status status = STATUS_OK;
  if (data == NULL || script == NULL)
    status = error_memory(error, "file names");
  if (status == STATUS_OK)
    status = picture_data_write(data, sheet, error);
  if (status == STATUS_OK)
    status = picture_script_write(script, name, sheet, error);
  if (status == STATUS_OK)
    status = picture_gnuplot_draw(dir, name, error);
  free(file);
  free(data);
  free(script);
  return status;
}

/* --- panels in rows and columns --------------------------------------------------------------------------
 */

enum { LABELLED = 102, UNLABELLED = 76, EDGE = 22 }; /* least room left and right of a plot */
enum { LETTER = 8, TIC = 14, LABEL = 34 };           /* width of a digit, tics, a label on its side */

typedef struct Grid {
  int n, columns, rows;
  const PicturePanel *panel;
  PicturePart *part;
  double plot; /* width */
} Grid;

static int empty(const char *text) { return text == NULL || *text == '\0'; }

static int same_text(const char *a, const char *b)
{
  return empty(a) ? empty(b) : !empty(b) && strcmp(a, b) == 0;
}

static int near(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

/* Whether b, below a, has a's x axis. */
static int same_x(const PicturePanel *a, const PicturePanel *b)
{
  const PictureAxes *p = &a->axes, *q = &b->axes;
  if (p->equal || q->equal || !same_text(p->xlabel, q->xlabel) || p->logx != q->logx)
    return 0;
  const PictureExtent e = picture_data_extent(a), f = picture_data_extent(b);
  return near(e.xmin, f.xmin) && near(e.xmax, f.xmax);
}

/* Which panels go without the numbers of x or the label of y. */
static void grid_share(const Grid *g)
{
  for (int i = 0; i < g->n; i++) {
    PicturePart *part = &g->part[i];
    part->panel = &g->panel[i];
    part->bare_x = i + g->columns < g->n && same_x(&g->panel[i], &g->panel[i + g->columns]);
    part->bare_y = i % g->columns > 0 && same_text(g->panel[i - 1].axes.ylabel, g->panel[i].axes.ylabel);
  }
}

/* Letters of the longest number at an axis from low to high. */
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

static double room_left(const Grid *g, int column)
{
  double room = EDGE, numbers = 0.0;
  for (int i = column; i < g->n; i += g->columns) {
    const PictureExtent e = picture_data_extent(&g->panel[i]);
    numbers = fmax(numbers, TIC + LETTER * number_length(e.ymin, e.ymax, g->panel[i].axes.logy));
  }
  for (int i = column; i < g->n; i += g->columns) {
    const int bare = g->part[i].bare_y || empty(g->panel[i].axes.ylabel);
    room = fmax(room, bare ? fmax(UNLABELLED, numbers) : fmax(LABELLED, numbers + LABEL));
    g->part[i].numbers = numbers;
  }
  return room;
}

static double room_right(const Grid *g, int column)
{
  double room = EDGE;
  for (int i = column; i < g->n; i += g->columns) {
    const PictureExtent e = picture_data_extent(&g->panel[i]);
    /* The last number is centred on the edge. */
    room = fmax(room, 0.5 * LETTER * (1 + number_length(e.xmin, e.xmax, g->panel[i].axes.logx)) + 4.0);
  }
  return room;
}

static void grid_across(Grid *g, int width)
{
  double room = width;
  for (int c = 0; c < g->columns; c++)
    room -= room_left(g, c) + room_right(g, c);
  g->plot = room / g->columns;
  double x = 0.0;
  for (int c = 0; c < g->columns; c++) {
    x += room_left(g, c);
    for (int i = c; i < g->n; i += g->columns) {
      g->part[i].left = x;
      g->part[i].right = x + g->plot;
    }
    x += g->plot + room_right(g, c);
  }
}

/* Above and below the plots of a row, and their height. */
static void row_size(const Grid *g, int row, int legends, double *above, double *below, double *height)
{
  const double usual = g->n == 1 ? 0.54 : (g->rows < 3 ? 0.62 : (g->rows < 5 ? 0.48 : 0.36));
  const double narrow = g->columns == 1 && g->n > 1 ? 0.55 : 1.0;
  *above = *below = *height = 0.0;
  for (int i = row * g->columns; i < g->n && i < (row + 1) * g->columns; i++) {
    const PicturePanel *panel = &g->panel[i];
    const double ratio = panel->axes.equal ? 0.8 : usual * narrow;
    const int rows = legends ? picture_script_legend_rows(panel, g->plot) : 0;
    const int words = !g->part[i].bare_x;
    *height = fmax(*height, ratio * g->plot);
    *above = fmax(*above, (g->n == 1 ? 18.0 : 16.0) + PICTURE_TITLE * !empty(panel->axes.title) +
                              PICTURE_LEGEND_ROW * rows);
    *below = fmax(*below, words ? (empty(panel->axes.xlabel) ? 44.0 : 76.0) : 6.0);
  }
}

/* From the top down, then turned round to count from below; returns the height of the sheet. */
static int grid_down(const Grid *g, int top_legend)
{
  double y = top_legend
                 ? PICTURE_LEGEND_ROW * picture_script_legend_rows(&g->panel[0], 0.86 * PICTURE_WIDTH) + 4
                 : 0;
  for (int row = 0; row < g->rows; row++) {
    double above, below, height;
    row_size(g, row, !top_legend, &above, &below, &height);
    for (int i = row * g->columns; i < g->n && i < (row + 1) * g->columns; i++) {
      g->part[i].top = y + above;
      g->part[i].bottom = y + above + height;
    }
    y += above + height + below;
  }
  const double height = ceil(y + 6.0);
  for (int i = 0; i < g->n; i++) {
    g->part[i].top = height - g->part[i].top;
    g->part[i].bottom = height - g->part[i].bottom;
  }
  return (int)height;
}

static int labelled(const PicturePanel *panel)
{
  for (int c = 0; c < panel->n; c++)
    if (!empty(panel->curve[c].label))
      return 1;
  return 0;
}

/* NULL, or what cannot be drawn. */
static const char *unfit(const PicturePanel *panel)
{
  if (panel->n < 1)
    return "no curve to draw";
  return NULL;
}

/* All files of the picture at once, gnuplot's too. */
static Status claim(const char *dir, const char *name, Error *error)
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
    status = owned_claim_all(dir, (const char *const *)file, FILES, error);
  for (int k = 0; k < FILES; k++)
    free(file[k]);
  return status;
}

Status picture_panels(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                      Error *error)
{
  LOCALE_PLAIN;
  if (n < 1 || columns < 1)
    return error_set(error, STATUS_INPUT, "%s: no panel to draw", name);
  for (int i = 0; i < n; i++) {
    const char *why = unfit(&panel[i]);
    if (why != NULL)
      return error_set(error, STATUS_INPUT, "%s, panel %d: %s", name, i + 1, why);
  }
  Grid g = {.n = n, .columns = columns < n ? columns : n, .panel = panel};
  g.rows = (n + g.columns - 1) / g.columns;
  g.part = calloc((size_t)n, sizeof *g.part);
  if (g.part == NULL)
    return error_memory(error, "a picture");
  grid_share(&g);
  int others = 0;
  for (int i = 1; i < n; i++)
    others = others || labelled(&panel[i]) || panel[i].n != panel[0].n;
  PictureSheet sheet = {.n = n, .part = g.part, .legend = n > 1 && !others && labelled(&panel[0])};
  sheet.width = g.columns == 1 ? PICTURE_WIDTH : (g.columns == 2 ? 1040 : 380 * g.columns + 120);
  grid_across(&g, sheet.width);
  sheet.height = grid_down(&g, sheet.legend);
  for (int i = 0; i < n; i++)
    g.part[i].no_legend = sheet.legend;
  Status status = claim(dir, name, error);
  if (status == STATUS_OK) {
    picture_gnuplot_remove(dir, name); /* an old picture does not stand beside new data, whatever fails */
    status = picture_json_write(dir, name, n, panel, g.columns, error);
  }
  if (status == STATUS_OK)
    status = draw_sheet(dir, name, &sheet, error);
  free(g.part);
  return status;
}

Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error)
{
  const PicturePanel panel = {.axes = *axes, .n = n, .curve = curve};
  return picture_panels(dir, name, 1, &panel, 1, error);
}

Status picture_outcome(Status drawn, const Error *why, Error *error)
{
  return drawn == STATUS_RUN ? STATUS_OK : error_pass(error, drawn, why);
}
