/* The script of a sheet, in gnuplot's language. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text.h"
#include "observables/picture_private.h"

/* Okabe and Ito's palette, told apart by colour-blind readers too; black first, for the reference. */
static const char *const palette[] = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9", "#8A8F94"};
enum { COLOURS = 7, GREY = 8 }; /* those that are taken in turn, and one to ask for */

/* Text in single quotes, where gnuplot takes everything as it is (in double quotes it would run what stands
 * in backquotes). A quote itself is joined on, since gnuplot misreads a doubled one at the beginning. */
static void quote(FILE *file, const char *text)
{
  fputc('\'', file);
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    if (*c == '\'')
      fputs("'.\"'\".'", file);
    else
      fputc((unsigned char)*c < ' ' ? ' ' : *c, file);
  fputc('\'', file);
}

/* --- curves ------------------------------------------------------------------------------------------------
 */

const char *picture_script_colour(const PicturePanel *panel, int c)
{
  int next = 0;
  for (int k = 0; k <= c; k++) {
    const int asked = panel->curve[k].colour;
    if (asked > 0 && k == c)
      return palette[(asked - 1) % GREY];
    if (asked == 0 && (panel->curve[k].style != PICTURE_DASHES || k == 0))
      next++;
    else if (asked == 0 && k == c && panel->curve[k - 1].colour > 0) /* dashes after a colour asked for */
      return palette[(panel->curve[k - 1].colour - 1) % GREY];
  }
  return palette[next % COLOURS];
}

static double curve_width(const PictureCurve *curve)
{
  return (curve->style == PICTURE_DASHES ? 1.2 : 1.8) * (curve->width > 0.0 ? curve->width : 1.0);
}

static double point_size(const PictureCurve *curve)
{
  return 0.9 * (curve->width > 0.0 ? curve->width : 1.0);
}

static int round_marks(const PictureCurve *curve) { return curve->style == PICTURE_POINTS; }

/* --- legend
 * --------------------------------------------------------------------------------------------------
 */

/* Characters, not bytes. */
static int text_length(const char *text)
{
  int n = 0;
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

/* The legend stands above the plot, so that it covers nothing, in as many columns as fit. It is drawn by
 * hand: gnuplot's own guesses its widths and then wraps where there is room. */
enum { LEGEND_SAMPLE = 34, LEGEND_GAP = 26 };

typedef struct Legend {
  int n, columns, rows;
  double column; /* width */
} Legend;

static Legend legend_shape(const PicturePanel *panel, double room)
{
  const double letter = 8.0;
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

int picture_script_legend_rows(const PicturePanel *panel, double room)
{
  return legend_shape(panel, room).rows;
}

static void write_sample(FILE *file, const PictureCurve *curve, const char *colour, double x, double y,
                         const PictureSheet *sheet)
{
  if (round_marks(curve))
    fprintf(file, "  set label '' at screen %.4f,%.4f point pt 7 ps 0.9 lc rgb '%s'\n",
            (x + 0.5 * LEGEND_SAMPLE) / sheet->width, y / sheet->height, colour);
  else
    fprintf(file, "  set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lw %g dt %d lc rgb '%s'\n",
            x / sheet->width, y / sheet->height, (x + LEGEND_SAMPLE) / sheet->width, y / sheet->height,
            curve_width(curve), curve->style == PICTURE_DASHES ? 2 : 1, colour);
}

/* Its first row at height y, around the middle x. */
static void write_legend(FILE *file, const PictureSheet *sheet, const PicturePanel *panel, double middle,
                         double room, double y)
{
  const Legend legend = legend_shape(panel, room);
  const double left = middle - 0.5 * (legend.columns * legend.column - LEGEND_GAP);
  for (int c = 0, k = 0; c < panel->n; c++) {
    const PictureCurve *curve = &panel->curve[c];
    if (curve->label == NULL)
      continue;
    const double at_x = left + (k % legend.columns) * legend.column;
    const int row = k / legend.columns;
    const double at_y = y - PICTURE_LEGEND_ROW * row;
    write_sample(file, curve, picture_script_colour(panel, c), at_x, at_y, sheet);
    fputs("  set label ", file);
    quote(file, curve->label);
    fprintf(file, " at screen %.4f,%.4f noenhanced\n", (at_x + LEGEND_SAMPLE + 8.0) / sheet->width,
            at_y / sheet->height);
    k++;
  }
}

static void write_title(FILE *file, const PictureSheet *sheet, const PicturePart *part)
{
  const int rows = part->no_legend ? 0 : picture_script_legend_rows(part->panel, part->right - part->left);
  const double middle = 0.5 * (part->left + part->right);
  const double legend = part->top + PICTURE_LEGEND_ROW * rows - 6.0;
  const char *title = part->panel->axes.title;
  if (title != NULL && *title != '\0') {
    fputs("  set label ", file);
    quote(file, title);
    fprintf(file, " at screen %.4f,%.4f center noenhanced\n", middle / sheet->width,
            (part->top + PICTURE_LEGEND_ROW * rows + (rows > 0 ? 20.0 : 15.0)) / sheet->height);
  }
  if (rows > 0)
    write_legend(file, sheet, part->panel, middle, part->right - part->left, legend);
}

/* --- axes
 * ----------------------------------------------------------------------------------------------------
 */

static void write_range(FILE *file, const char *axis, double low, double high)
{
  if (high > low)
    fprintf(file, "  set %srange [%.10g:%.10g]\n", axis, low, high);
  else
    fprintf(file, "  set %srange [*:*]\n", axis);
}

/* Decades alone would leave a short logarithmic axis without numbers. */
static void write_log_tics(FILE *file, const char *axis, double low, double high)
{
  if (!(low > 0.0 && high > low && high < 30.0 * low)) {
    fprintf(file, "  set %stics autofreq nomirror out\n  set format %s '10^{%%L}'\n", axis, axis);
    return;
  }
  fprintf(file, "  set format %s '%%h'\n  set %stics (", axis, axis);
  const char *separator = "";
  const int last = (int)floor(log10(high));
  for (int decade = (int)floor(log10(low)); decade <= last; decade++)
    for (int k = 0; k < 3; k++) {
      fprintf(file, "%s%.10g", separator, pow(10.0, decade) * (k == 0 ? 1.0 : (k == 1 ? 2.0 : 5.0)));
      separator = ", ";
    }
  fputs(")\n", file);
}

static void write_tics(FILE *file, const PicturePart *part)
{
  const PictureAxes *axes = &part->panel->axes;
  fprintf(file, "  %sset logscale x\n  %sset logscale y\n", axes->logx ? "" : "un", axes->logy ? "" : "un");
  if (axes->logx)
    write_log_tics(file, "x", part->extent.xmin, part->extent.xmax);
  else
    fputs("  set xtics autofreq nomirror out\n  set format x '%h'\n", file);
  if (axes->logy)
    write_log_tics(file, "y", part->extent.ymin, part->extent.ymax);
  else
    fputs("  set ytics autofreq nomirror out\n  set format y '%h'\n", file);
  if (part->bare_x)
    fputs("  set format x ''\n", file);
}

/* Units of x and y equally long: the shorter side reaches further than its data. */
static PictureExtent equal_ranges(const PicturePart *part)
{
  PictureExtent e = part->extent;
  if (!(e.xmax >= e.xmin && e.ymax >= e.ymin))
    return e;
  const double width = part->right - part->left, height = part->top - part->bottom;
  double unit = fmax((e.xmax - e.xmin) / width, (e.ymax - e.ymin) / height);
  unit = unit > 0.0 ? 1.06 * unit : 2.0 / height;
  const double x = 0.5 * (e.xmin + e.xmax), y = 0.5 * (e.ymin + e.ymax);
  return (PictureExtent){x - 0.5 * unit * width, x + 0.5 * unit * width, y - 0.5 * unit * height,
                         y + 0.5 * unit * height};
}

static void write_axes(FILE *file, const PictureSheet *sheet, const PicturePart *part)
{
  const PictureAxes *axes = &part->panel->axes;
  fprintf(file,
          "  set lmargin at screen %.4f; set rmargin at screen %.4f\n"
          "  set tmargin at screen %.4f; set bmargin at screen %.4f\n",
          part->left / sheet->width, part->right / sheet->width, part->top / sheet->height,
          part->bottom / sheet->height);
  write_tics(file, part);
  if (axes->equal) {
    const PictureExtent e = equal_ranges(part);
    write_range(file, "x", e.xmin, e.xmax);
    write_range(file, "y", e.ymin, e.ymax);
  } else {
    write_range(file, "x", axes->xmin, axes->xmax);
    write_range(file, "y", axes->ymin, axes->ymax);
  }
  fputs("  set xlabel ", file);
  quote(file, part->bare_x ? "" : axes->xlabel);
  fputs(" noenhanced\n", file);
  if (part->bare_y || axes->ylabel == NULL)
    return;
  fputs("  set label ", file); /* gnuplot's own would stand wherever the numbers end, or off the sheet */
  quote(file, axes->ylabel);
  fprintf(file, " at screen %.4f,%.4f center rotate by 90 noenhanced\n",
          (part->left - part->numbers - 20.0) / sheet->width,
          0.5 * (part->bottom + part->top) / sheet->height);
}

static void write_guides(FILE *file, const PicturePart *part)
{
  const PictureAxes *axes = &part->panel->axes;
  for (int k = 0; k < axes->nguide; k++) {
    const PictureGuide *g = &axes->guide[k];
    const int v = g->vertical;
    fprintf(
        file,
        "  set arrow from %s %.10g,%s %.10g to %s %.10g,%s %.10g nohead back lw 1.1 dt 4 lc rgb '#606060'\n",
        v ? "first" : "graph", v ? g->at : 0.0, v ? "graph" : "first", v ? 0.0 : g->at, v ? "first" : "graph",
        v ? g->at : 1.0, v ? "graph" : "first", v ? 1.0 : g->at);
    if (g->label == NULL)
      continue;
    fputs("  set label ", file);
    quote(file, g->label);
    fprintf(file, " at %s %.10g,%s %.10g %s noenhanced textcolor rgb '#606060'\n", v ? "first" : "graph",
            v ? g->at : 0.99, v ? "graph" : "first", v ? 0.95 : g->at,
            v ? "left offset 0.6,0" : "right offset 0,0.6");
  }
}

/* --- plots
 * ---------------------------------------------------------------------------------------------------
 */

/* Separates the parts of one plot command. */
static void next_plot(FILE *file, const char **separator)
{
  fputs(*separator, file);
  *separator = ", \\\n    ";
}

static void write_bands(FILE *file, const PicturePart *part, int block, const char *data,
                        const char **separator)
{
  for (int c = 0; c < part->panel->n; c++)
    if (part->panel->curve[c].style == PICTURE_LINE && picture_data_has_errors(&part->panel->curve[c])) {
      next_plot(file, separator);
      quote(file, data);
      fprintf(file,
              " index %d using 1:($2-2*$3):($2+2*$3) notitle with filledcurves fs transparent solid 0.22 "
              "noborder lc rgb '%s'",
              block + c, picture_script_colour(part->panel, c));
    }
}

static void write_style(FILE *file, const PictureCurve *curve, int bars)
{
  switch (curve->style) {
  case PICTURE_POINTS:
    fprintf(file, "%s pt 7 ps %g lw 1.3", bars ? "yerrorbars" : "points", point_size(curve));
    break;
  default:
    fprintf(file, "lines lw %g dt %d", curve_width(curve), curve->style == PICTURE_DASHES ? 2 : 1);
  }
}

static void write_curves(FILE *file, const PicturePart *part, int block, const char *data,
                         const char **separator)
{
  for (int c = 0; c < part->panel->n; c++) {
    const PictureCurve *curve = &part->panel->curve[c];
    const int bars = curve->style == PICTURE_POINTS && picture_data_has_errors(curve);
    next_plot(file, separator);
    quote(file, data);
    fprintf(file, " index %d using %s notitle with ", block + c, bars ? "1:2:3" : "1:2");
    write_style(file, curve, bars);
    fprintf(file, " lc rgb '%s'", picture_script_colour(part->panel, c));
  }
}

/* --- the file
 * ------------------------------------------------------------------------------------------------
 */

static void write_head(FILE *file, const char *name, const PictureSheet *sheet)
{
  fprintf(
      file,
      "do for [kind in 'svg png pdf'] {\n  if (kind eq 'svg') {\n"
      "    set terminal svg size %d,%d dynamic enhanced font 'DejaVu Sans,Arial,sans-serif,15' background "
      "'#ffffff'\n"
      "  } else { if (kind eq 'png') {\n"
      "    set terminal pngcairo size %d,%d enhanced font 'DejaVu Sans,22' linewidth 2 pointscale 2\n"
      "  } else {\n"
      "    set terminal pdfcairo size %.2f,%.2f enhanced font 'DejaVu Sans,11'\n  } }\n",
      sheet->width, sheet->height, 2 * sheet->width, 2 * sheet->height, sheet->width / 96.0,
      sheet->height / 96.0);
  fputs("  set output ", file);
  quote(file, name);
  fputs(".'.'.kind\n  set multiplot\n"
        "  set border 3 lw 0.8 lc rgb '#404040'; set tics nomirror out textcolor rgb '#202020'\n"
        "  set grid xtics ytics lt 1 lw 0.6 lc rgb '#e4e4e4'\n",
        file);
  int bands = 0;
  for (int k = 0; k < sheet->n; k++)
    for (int c = 0; c < sheet->part[k].panel->n; c++) {
      const PictureCurve *curve = &sheet->part[k].panel->curve[c];
      bands = bands || (curve->style == PICTURE_LINE && picture_data_has_errors(curve));
    }
  if (bands)
    fprintf(file,
            "  set label 'bands: ± 2 standard errors' at screen 0.975,%.4f right textcolor rgb '#606060' "
            "noenhanced\n",
            14.0 / sheet->height);
  if (sheet->legend)
    write_legend(file, sheet, sheet->part[0].panel, 0.5 * sheet->width, 0.86 * PICTURE_WIDTH,
                 sheet->height - 20.0);
}

static void write_part(FILE *file, const PictureSheet *sheet, const PicturePart *part, const char *data)
{
  write_title(file, sheet, part);
  write_axes(file, sheet, part);
  write_guides(file, part);
  const char *separator = "  plot ";
  write_bands(file, part, part->first, data, &separator);
  write_curves(file, part, part->first, data, &separator);
  fputs("\n  unset label; unset arrow\n", file);
}

Status picture_script_write(const char *path, const char *name, const PictureSheet *sheet, Error *error)
{
  Text *text;
  const size_t size = strlen(name) + 5;
  char *data = malloc(size);
  if (data == NULL)
    return error_memory(error, "a file name");
  snprintf(data, size, "%s.dat", name);
  Status status = text_replace(&text, NULL, path, error);
  if (status == STATUS_OK) {
    FILE *file = text_file(text);
    fprintf(file, "# Drawn by holonom. Again: gnuplot %s.gp\nset encoding utf8\nset key off\n", name);
    write_head(file, name, sheet);
    for (int k = 0; k < sheet->n; k++)
      write_part(file, sheet, &sheet->part[k], data);
    fputs("  unset multiplot\n  set output\n  reset\n  set key off\n}\n", file);
    status = text_close(text, error);
  }
  free(data);
  return status;
}
