/* The data of pictures: blocks of a file, and their ranges. */
#include <math.h>
#include <stdio.h>

#include "observables/picture_private.h"

int picture_data_has_errors(const PictureCurve *curve)
{
  for (int i = 0; curve->error != NULL && i < curve->n; i++)
    if (isfinite(curve->error[i]))
      return 1;
  return 0;
}

QuantityWords picture_data_label(const char *label, const ResultColumn *column)
{
  QuantityWords words = {""};
  if (label != NULL)
    snprintf(words.text, sizeof words.text, "%s", label);
  else if (column != NULL && column->quantity != NULL)
    words = quantity_caption(column->quantity, column->unit);
  return words;
}

void picture_data_number(FILE *file, double x, const char *none)
{
  if (isfinite(x))
    fprintf(file, "%.10g", x);
  else
    fputs(none, file);
}

/* --- ranges --------------------------------------------------------------------------------------------- */

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

/* Two empty lines separate blocks. */
static void begin(FILE *file, int *block, const char *label)
{
  fputs((*block)++ > 0 ? "\n\n# " : "# ", file);
  for (const char *c = label != NULL ? label : ""; *c != '\0'; c++)
    fputc(*c == '\n' ? ' ' : *c, file);
  fputs("\n# x y error\n", file);
}

static void write_curve(FILE *file, const PictureCurve *curve)
{
  if (curve->n < 1) /* gnuplot does not count an empty block */
    fputs("nan nan nan\n", file);
  for (int i = 0; i < curve->n; i++) {
    const double numbers[] = {curve->x[i], curve->y[i], curve->error != NULL ? curve->error[i] : NAN};
    for (int k = 0; k < 3; k++) {
      picture_data_number(file, numbers[k], "nan");
      fputc(k < 2 ? ' ' : '\n', file);
    }
  }
}

Status picture_data_open(Text **text, const char *dir, const char *name, const char *suffix, Error *error)
{
  char file[256];
  snprintf(file, sizeof file, "%s.%s", name, suffix);
  return text_replace(text, dir, file, error);
}

Status picture_data_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error)
{
  Text *text;
  TRY(picture_data_open(&text, dir, name, "dat", error));
  int block = 0;
  for (int k = 0; k < sheet->n; k++)
    for (int c = 0; c < sheet->panel[k].n; c++) {
      begin(text_file(text), &block, sheet->panel[k].curve[c].label);
      write_curve(text_file(text), &sheet->panel[k].curve[c]);
    }
  return text_close(text, error);
}
