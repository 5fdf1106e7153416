/* Declarations shared by the files of pictures: picture.c arranges panels on a sheet, picture_script.c and
 * picture_data.c write it, picture_gnuplot.c draws it. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H
#define HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H

#include "base/text.h"
#include "observables/picture.h"

/* The distance of lines of text, in points. */
enum { PICTURE_LINE_HEIGHT = 18 };

/* Panels in rows, with equal sizes of plots. Lengths in points. */
typedef struct PictureSheet {
  int n, columns, rows;
  const PicturePanel *panel;
  int width, height;
  double left, right, top, bottom; /* around all plots                           */
  double across, down;             /* between neighbours                         */
  double plot_width, plot_height;
  double title_width, label_width; /* widths available to a title, and to a vertical label */
  int label_lines;                 /* largest number of lines of vertical labels */
  int share_x;                     /* only the lowest panels have numbers on x */
} PictureSheet;

typedef struct PictureExtent {
  double xmin, xmax, ymin, ymax; /* min > max: empty */
} PictureExtent;

/* The label of an axis, or "". */
QuantityWords picture_data_label(const char *label, const ResultColumn *column);

/* The range of a panel's data, or the given range. */
PictureExtent picture_data_extent(const PicturePanel *panel);

/* Prints a number, with the same digits in data and JSON; `none` replaces NaN. */
void picture_data_number(FILE *file, double x, const char *none);

int picture_data_has_errors(const PictureCurve *curve);

/* Opens dir/NAME.suffix for writing, replacing an old one. STATUS_IO. */
Status picture_data_open(Text **text, const char *dir, const char *name, const char *suffix, Error *error);

/* The colour of curve c, as "#rrggbb". */
const char *picture_script_colour(const PicturePanel *panel, int c);

/* Its colour on a dark page if it is one of a series; otherwise NULL. */
const char *picture_script_dark(const PicturePanel *panel, int c);

/* The number of rows of the legend, that of the first panel, on top of the sheet. */
int picture_script_legend_rows(const PictureSheet *sheet);

/* The number of lines of a text at this width in points; 0 for no text. */
int picture_script_lines(const char *text, double width);

/* Writes the first lines of a script: files of `width` by `height` points, in each format. `text`: gnuplot's
 * mode for texts (enhanced, noenhanced). `png`: further options of its PNG terminal. */
void picture_script_head(FILE *file, const char *name, double width, double height, const char *text,
                         const char *png);

/* Write dir/NAME.plot.json, .dat and .gp. STATUS_IO. */
Status picture_json_write(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                          Error *error);
Status picture_data_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error);
Status picture_script_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error);

/* Claims all files of a picture in the manifest (manifest_claim_all) before they are written. */
Status picture_claim(const char *dir, const char *name, Error *error);

/* Runs gnuplot on dir/NAME.gp. If it fails or exceeds its time (base/tool.h), its files are removed:
 * STATUS_RUN, or STATUS_IO if it could not write a picture completely. */
Status picture_gnuplot_draw(const char *dir, const char *name, Error *error);

/* Implements picture_draw_left. */
Status picture_gnuplot_draw_left(const char *dir, const char *const *names, double seconds, Error *error);

/* Removes the drawings of that name, and gnuplot's messages. */
void picture_gnuplot_remove(const char *dir, const char *name);

#endif
