/* Writes the script of a sheet in gnuplot's language. */
#include <math.h>
#include <string.h>

#include "observables/picture_private.h"

/* Okabe and Ito's palette, which colour-blind readers can distinguish; black first, for the reference. */
static const char *const palette[] = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9", "#8A8F94"};
enum { COLOURS = 7, GREY = 8 }; /* colours in turn, and one on request */

/* Shades of a series, dark to bright: those of matplotlib's plasma that contrast with white, and with
 * black. */
enum { SHADES = 24 };
/* clang-format off */
static const char *const on_white[SHADES] = {"#0d0887", "#240691", "#350498", "#46039f", "#5502a4", "#6300a7", "#7201a8", "#8004a8", "#8d0ba5", "#9a169f", "#a62098", "#b12a90", "#bc3587", "#c5407e", "#cd4a76", "#d6556d", "#de5f65", "#e56a5d", "#eb7655", "#f1814d", "#f68d45", "#fa9b3d", "#fca835", "#feb72d"};
static const char *const on_black[SHADES] = {"#9613a1", "#a11b9b", "#ab2494", "#b32c8e", "#bc3587", "#c33d80", "#cb4679", "#d14e72", "#d8576b", "#de6164", "#e4695e", "#e97257", "#ee7b51", "#f3854b", "#f68f44", "#f99a3e", "#fca537", "#fdaf31", "#febb2b", "#fdc627", "#fbd324", "#f8df25", "#f4ed27", "#f0f921"};
/* clang-format on */

/* --- text -------------------------------------------------------------------------------------------------
 */

/* The largest width, in points, of a letter that begins here; 0 within a UTF-8 character. */
static double letter_width(const char *at)
{
  const unsigned char c = (unsigned char)*at;
  return (c & 0xC0) == 0x80                       ? 0.0
         : strchr("fijlrtI .,:;'|()[]/-", c) != 0 ? 7.0
         : strchr("mwMW@%", c) != 0               ? 15.0
         : c >= 'A' && c <= 'Z'                   ? 12.0
                                                  : 10.0;
}

/* The length of the part of a text that fits into a line of this width: whole words, or part of one that is
 * too long. */
static size_t line_length(const char *text, double width)
{
  size_t i = 0, words = 0;
  for (; text[i] != '\0' && text[i] != '\n'; i++) {
    words = text[i] == ' ' ? i : words;
    width -= letter_width(text + i);
    if (width < 0.0 && i > 0)
      return words > 0 ? words : i;
  }
  return i;
}

static const char *next_line(const char *text, double width)
{
  text += line_length(text, width);
  return text + (*text == ' ' || *text == '\n');
}

int picture_script_lines(const char *text, double width)
{
  int n = 0;
  for (; text != NULL && *text != '\0'; text = next_line(text, width))
    n++;
  return n;
}

/* Prints text in lines of this width, in single quotes, where gnuplot interprets nothing (in double quotes it
 * would execute text in backquotes). Quotes in the text are concatenated, because gnuplot misreads a doubled
 * one at the beginning. */
static void quote_lines(FILE *file, const char *text, double width)
{
  fputc('\'', file);
  for (const char *line = text != NULL ? text : ""; *line != '\0'; line = next_line(line, width)) {
    const size_t n = line_length(line, width);
    fputs(line > text ? "'.\"\\n\".'" : "", file);
    for (size_t i = 0; i < n; i++)
      if (line[i] == '\'')
        fputs("'.\"'\".'", file);
      else
        fputc((unsigned char)line[i] < ' ' ? ' ' : line[i], file);
  }
  fputc('\'', file);
}

static void quote(FILE *file, const char *text) { quote_lines(file, text, INFINITY); }

/* --- curves ------------------------------------------------------------------------------------------------
 */

/* The nearest shade of the map. */
static const char *shade(const PictureCurve *curve, const char *const *map)
{
  const int last = curve->shades > 1 ? curve->shades - 1 : 1;
  return map[(2 * curve->shade * (SHADES - 1) + last) / (2 * last)];
}

const char *picture_script_dark(const PicturePanel *panel, int c)
{
  return panel->curve[c].shades > 0 ? shade(&panel->curve[c], on_black) : NULL;
}

const char *picture_script_colour(const PicturePanel *panel, int c)
{
  int next = 0;
  if (panel->curve[c].shades > 0)
    return shade(&panel->curve[c], on_white);
  for (int k = 0; k <= c; k++) {
    const int asked = panel->curve[k].colour;
    if (asked > 0 && k == c)
      return palette[(asked - 1) % GREY];
    if (asked == 0 && (panel->curve[k].style != PICTURE_DASHES || k == 0))
      next++;
    else if (asked == 0 && k == c &&
             panel->curve[k - 1].colour > 0) /* dashes after a curve with a set colour */
      return palette[(panel->curve[k - 1].colour - 1) % GREY];
  }
  return palette[next % COLOURS];
}

/* --- legend ------------------------------------------------------------------------------------------------
 */

/* The number of characters, not bytes. */
static int text_length(const char *text)
{
  int n = 0;
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

int picture_script_legend_rows(const PictureSheet *sheet)
{
  enum { LETTER = 11, SAMPLE = 70 }; /* upper limits: gnuplot estimates as well */
  const PicturePanel *panel = &sheet->panel[0];
  int n = 0, widest = 0;
  for (int c = 0; c < panel->n; c++)
    if (panel->curve[c].label != NULL) {
      const int length = text_length(panel->curve[c].label);
      widest = length > widest ? length : widest;
      n++;
    }
  const int fit = (int)(((double)sheet->width / sheet->columns - sheet->across) / (LETTER * widest + SAMPLE));
  return fit > 1 ? (n + fit - 1) / fit : n;
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

/* With decades alone a short logarithmic axis would have no numbers. */
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

static void write_tics(FILE *file, const PicturePanel *panel)
{
  const PictureAxes *axes = &panel->axes;
  const PictureExtent e = picture_data_extent(panel);
  fprintf(file, "  %sset logscale x\n  %sset logscale y\n", axes->logx ? "" : "un", axes->logy ? "" : "un");
  if (axes->logx)
    write_log_tics(file, "x", e.xmin, e.xmax);
  else
    fputs("  set xtics autofreq nomirror out\n  set format x '%h'\n", file);
  if (axes->logy)
    write_log_tics(file, "y", e.ymin, e.ymax);
  else
    fputs("  set ytics autofreq nomirror out\n  set format y '%h'\n", file);
}

/* Equal units in x and y: the shorter side extends beyond its data. */
static PictureExtent equal_ranges(const PictureSheet *sheet, const PicturePanel *panel)
{
  const PictureExtent e = picture_data_extent(panel);
  if (!(e.xmax >= e.xmin && e.ymax >= e.ymin))
    return e;
  const double width = sheet->plot_width, height = sheet->plot_height;
  double unit = fmax((e.xmax - e.xmin) / width, (e.ymax - e.ymin) / height);
  unit = unit > 0.0 ? 1.06 * unit : 2.0 / height;
  const double x = 0.5 * (e.xmin + e.xmax), y = 0.5 * (e.ymin + e.ymax);
  return (PictureExtent){x - 0.5 * unit * width, x + 0.5 * unit * width, y - 0.5 * unit * height,
                         y + 0.5 * unit * height};
}

static void write_words(FILE *file, const char *what, const char *words, double width)
{
  fprintf(file, "  set %s ", what);
  quote_lines(file, words, width);
  fputs(" noenhanced", file);
}

/* gnuplot centres the lines of a label at the position of a single one, so that several would overlap the
 * numbers. */
static void write_ylabel(FILE *file, const PictureSheet *sheet, const char *words)
{
  const int lines = picture_script_lines(words, sheet->label_width);
  write_words(file, "ylabel", words, sheet->label_width);
  fprintf(file, " offset screen %.4f,0\n",
          lines > 1 ? -0.5 * PICTURE_LINE_HEIGHT * (lines - 1) / sheet->width : 0.0);
}

static void write_axes(FILE *file, const PictureSheet *sheet, int k)
{
  const PicturePanel *panel = &sheet->panel[k];
  const PictureAxes *axes = &panel->axes;
  const int bare = sheet->share_x && k + sheet->columns < sheet->n;
  const PictureExtent given = {axes->xmin, axes->xmax, axes->ymin, axes->ymax};
  const PictureExtent e = axes->equal ? equal_ranges(sheet, panel) : given;
  write_tics(file, panel);
  if (bare)
    fputs("  set format x ''\n", file);
  write_range(file, "x", e.xmin, e.xmax);
  write_range(file, "y", e.ymin, e.ymax);
  write_words(file, "title", axes->title, sheet->title_width);
  fputc('\n', file);
  write_words(file, "xlabel", bare ? "" : picture_data_label(axes->xlabel, axes->x).text, INFINITY);
  fputc('\n', file);
  write_ylabel(file, sheet, picture_data_label(axes->ylabel, axes->y).text);
}

static void write_guides(FILE *file, const PictureAxes *axes)
{
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

/* Separates the parts of a plot command. */
static void next_plot(FILE *file, const char **separator)
{
  fputs(*separator, file);
  *separator = ", \\\n    ";
}

static void write_bands(FILE *file, const PicturePanel *panel, int block, const char *name,
                        const char **separator)
{
  for (int c = 0; c < panel->n; c++)
    if (panel->curve[c].style == PICTURE_LINE && picture_data_has_errors(&panel->curve[c])) {
      next_plot(file, separator);
      fprintf(
          file,
          "'%s.dat' index %d using 1:($2-2*$3):($2+2*$3) notitle with filledcurves fs transparent solid 0.22 "
          "noborder lc rgb '%s'",
          name, block + c, picture_script_colour(panel, c));
    }
}

static void write_style(FILE *file, const PictureCurve *curve, int bars)
{
  const double width = curve->width > 0.0 ? curve->width : 1.0;
  if (curve->style == PICTURE_POINTS)
    fprintf(file, "%s pt 7 ps %g lw 1.3", bars ? "yerrorbars" : "points", 0.9 * width);
  else if (curve->style == PICTURE_DASHES)
    fprintf(file, "lines lw %g dt 2", 1.2 * width);
  else
    fprintf(file, "lines lw %g", 1.8 * width);
}

/* The labels of the first panel are the legend of all. */
static void write_curves(FILE *file, const PicturePanel *panel, int block, const char *name,
                         const char **separator)
{
  for (int c = 0; c < panel->n; c++) {
    const PictureCurve *curve = &panel->curve[c];
    const int bars = curve->style == PICTURE_POINTS && picture_data_has_errors(curve);
    next_plot(file, separator);
    fprintf(file, "'%s.dat' index %d using %s title ", name, block + c, bars ? "1:2:($3==$3?$3:0)" : "1:2");
    quote(file, block == 0 ? curve->label : "");
    fputs(" with ", file);
    write_style(file, curve, bars);
    fprintf(file, " lc rgb '%s'", picture_script_colour(panel, c));
  }
}

/* --- the file
 * ------------------------------------------------------------------------------------------------
 */

static int has_bands(const PictureSheet *sheet)
{
  for (int k = 0; k < sheet->n; k++)
    for (int c = 0; c < sheet->panel[k].n; c++) {
      const PictureCurve *curve = &sheet->panel[k].curve[c];
      if (curve->style == PICTURE_LINE && picture_data_has_errors(curve))
        return 1;
    }
  return 0;
}

void picture_script_head(FILE *file, const char *name, double width, double height, const char *text,
                         const char *png)
{
  fprintf(file,
          "# Drawn by holonom. Again: gnuplot %s.gp\nset encoding utf8\n"
          "do for [kind in 'svg png pdf'] {\n  if (kind eq 'svg') {\n"
          "    set terminal svg size %g,%g dynamic %s font 'DejaVu Sans,Arial,sans-serif,15' background "
          "'#ffffff'\n"
          "  } else { if (kind eq 'png') {\n"
          "    set terminal pngcairo size %g,%g %s font 'DejaVu Sans,22' linewidth 2%s\n"
          "  } else {\n"
          "    set terminal pdfcairo size %.2f,%.2f %s font 'DejaVu Sans,11'\n  } }\n",
          name, width, height, text, 2 * width, 2 * height, text, png, width / 96.0, height / 96.0, text);
}

static void write_head(FILE *file, const char *name, const PictureSheet *sheet)
{
  const double w = sheet->width, h = sheet->height;
  picture_script_head(file, name, w, h, "enhanced", " pointscale 2");
  fprintf(file,
          "  set output '%s.'.kind\n"
          "  set multiplot layout %d,%d margins screen %.4f,%.4f,%.4f,%.4f spacing screen %.4f,%.4f\n"
          "  set border 3 lw 0.8 lc rgb '#404040'; set tics nomirror out textcolor rgb '#202020'\n"
          "  set grid xtics ytics lt 1 lw 0.6 lc rgb '#e4e4e4'\n"
          "  set key at screen 0.5,%.4f center top horizontal Left reverse noenhanced samplen 3\n",
          name, sheet->rows, sheet->columns, sheet->left / w, 1.0 - sheet->right / w, sheet->bottom / h,
          1.0 - sheet->top / h, sheet->across / w, sheet->down / h, 1.0 - 6.0 / h);
  if (has_bands(sheet))
    fprintf(file,
            "  set label 'bands: ± 2 standard errors' at screen 0.975,%.4f right textcolor rgb '#606060' "
            "noenhanced\n",
            14.0 / h);
}

Status picture_script_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error)
{
  Text *text;
  TRY(picture_data_open(&text, dir, name, "gp", error));
  FILE *file = text_file(text);
  write_head(file, name, sheet);
  for (int k = 0, block = 0; k < sheet->n; block += sheet->panel[k++].n) {
    const PicturePanel *panel = &sheet->panel[k];
    const char *separator = "  plot ";
    write_axes(file, sheet, k);
    write_guides(file, &panel->axes);
    write_bands(file, panel, block, name, &separator);
    write_curves(file, panel, block, name, &separator);
    fputs("\n  unset label; unset arrow\n", file);
  }
  fputs("  unset multiplot\n  set output\n  reset\n}\n", file);
  return text_close(text, error);
}
