/* What the pictures show, as numbers: blocks of a file, and how far they reach. */
#include <math.h>

#include "engine/text.h"
#include "observables/picture_private.h"

int picture_data_has_errors(const PictureCurve *curve)
{
  for (int i = 0; curve->error != NULL && i < curve->n; i++)
    if (isfinite(curve->error[i]))
      return 1;
  return 0;
}

int picture_data_blocks(const PicturePanel *panel)
{
  return (panel->field != NULL) + (panel->space != NULL ? panel->space->nsurface : 0) + panel->n;
}

/* --- how far -----------------------------------------------------------------------------------------------
 */

static void reach(double value, int log, double *low, double *high)
{
  if (!isfinite(value) || (log && value <= 0.0))
    return;
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

PictureExtent picture_data_extent(const PicturePanel *panel)
{
  const PictureAxes *axes = &panel->axes;
  PictureExtent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (int c = 0; c < panel->n; c++)
    for (int i = 0; i < panel->curve[c].n; i++) {
      reach(panel->curve[c].x[i], axes->logx, &e.xmin, &e.xmax);
      reach(panel->curve[c].y[i], axes->logy, &e.ymin, &e.ymax);
    }
  if (panel->field != NULL) {
    reach(panel->field->xmin, axes->logx, &e.xmin, &e.xmax);
    reach(panel->field->xmax, axes->logx, &e.xmin, &e.xmax);
    reach(panel->field->ymin, axes->logy, &e.ymin, &e.ymax);
    reach(panel->field->ymax, axes->logy, &e.ymin, &e.ymax);
  }
  for (int k = 0; k < axes->nguide; k++)
    if (!axes->guide[k].vertical)
      reach(axes->guide[k].at, axes->logy, &e.ymin, &e.ymax);
  if (axes->xmax > axes->xmin) {
    e.xmin = axes->xmin;
    e.xmax = axes->xmax;
  }
  if (axes->ymax > axes->ymin) {
    e.ymin = axes->ymin;
    e.ymax = axes->ymax;
  }
  return e;
}

/* --- the file ----------------------------------------------------------------------------------------------
 */

/* Blocks are two empty lines apart, the lines of a grid one. */
static void begin(FILE *file, int *block, const char *label, const char *columns)
{
  fputs((*block)++ > 0 ? "\n\n# " : "# ", file);
  for (const char *c = label != NULL ? label : ""; *c != '\0'; c++)
    fputc(*c == '\n' ? ' ' : *c, file);
  fprintf(file, "\n# %s\n", columns);
}

static void write_field(FILE *file, const PictureField *field)
{
  for (int j = 0; j < field->ny; j++) {
    const double y = field->ymin + (field->ymax - field->ymin) * j / (field->ny - 1);
    for (int i = 0; i < field->nx; i++)
      fprintf(file, "%.10g %.10g %.10g\n", field->xmin + (field->xmax - field->xmin) * i / (field->nx - 1), y,
              field->z[j * field->nx + i]);
    fputs(j + 1 < field->ny ? "\n" : "", file);
  }
}

static void write_surface(FILE *file, const PictureSurface *s)
{
  for (int u = 0; u < s->nu; u++) {
    for (int v = 0; v < s->nv; v++)
      fprintf(file, "%.10g %.10g %.10g\n", s->x[u * s->nv + v], s->y[u * s->nv + v], s->z[u * s->nv + v]);
    fputs(u + 1 < s->nu ? "\n" : "", file);
  }
}

static void write_curve(FILE *file, const PictureCurve *curve, int space)
{
  if (curve->n < 1) /* gnuplot does not count an empty block */
    fputs("nan nan nan\n", file);
  for (int i = 0; i < curve->n; i++) {
    fprintf(file, "%.10g %.10g", curve->x[i], curve->y[i]);
    if (space)
      fprintf(file, " %.10g\n", curve->z[i]);
    else
      fprintf(file, " %.6g\n", curve->error != NULL ? curve->error[i] : NAN);
  }
}

Status picture_data_write(const char *path, const PictureSheet *sheet, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, NULL, path, error);
  if (status != STATUS_OK)
    return status;
  FILE *file = text_file(text);
  int block = 0;
  for (int k = 0; k < sheet->n; k++) {
    const PicturePanel *panel = sheet->part[k].panel;
    const int space = panel->space != NULL;
    if (panel->field != NULL) {
      begin(file, &block, panel->field->zlabel, "x y z");
      write_field(file, panel->field);
    }
    for (int s = 0; space && s < panel->space->nsurface; s++) {
      begin(file, &block, "surface", "x y z");
      write_surface(file, &panel->space->surface[s]);
    }
    for (int c = 0; c < panel->n; c++) {
      begin(file, &block, panel->curve[c].label, space ? "x y z" : "x y error");
      write_curve(file, &panel->curve[c], space);
    }
  }
  return text_close(text, error);
}
