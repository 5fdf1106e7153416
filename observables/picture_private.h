/* Between the parts of the pictures: a sheet of panels. picture.c lays sheets out,
 * picture_script.c and picture_data.c write them, picture_gnuplot.c has them drawn. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H
#define HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H

#include "base/text.h"
#include "observables/picture.h"

/* From one line of text to the next, in points. */
enum { PICTURE_LINE_HEIGHT = 18 };

/* Panels in rows, all plots as large. Lengths in points. */
typedef struct PictureSheet {
  int n, columns, rows;
  const PicturePanel *panel;
  int width, height;
  double left, right, top, bottom; /* around all plots                           */
  double across, down;             /* between neighbours                         */
  double plot_width, plot_height;
  double title_width, label_width; /* of a line of a title and of a label on its side */
  int label_lines;                 /* at most, of labels on their side              */
  int share_x;                     /* the lowest panels alone have numbers on x */
} PictureSheet;

typedef struct PictureExtent {
  double xmin, xmax, ymin, ymax; /* min > max: nothing there */
} PictureExtent;

/* The label of an axis, "" if there is none. */
QuantityWords picture_data_label(const char *label, const ResultColumn *column);

/* Of what is in a panel, or given. */
PictureExtent picture_data_extent(const PicturePanel *panel);

/* A number of a picture, the same in its data and its JSON, each with its own word for what is none. */
void picture_data_number(FILE *file, double x, const char *none);

int picture_data_has_errors(const PictureCurve *curve);

/* dir/NAME.suffix, in the place of one that may be there. STATUS_IO. */
Status picture_data_open(Text **text, const char *dir, const char *name, const char *suffix, Error *error);

/* The colour of curve c, as "#rrggbb". */
const char *picture_script_colour(const PicturePanel *panel, int c);

/* Its colour on a dark page, where it is one of a series; else NULL. */
const char *picture_script_dark(const PicturePanel *panel, int c);

/* Rows that the legend takes, which is that of the first panel, on top of the sheet. */
int picture_script_legend_rows(const PictureSheet *sheet);

/* How many lines of this width, in points, a text takes; 0 where there is none. */
int picture_script_lines(const char *text, double width);

/* The first lines of a script: files of `width` by `height` points, in each format. `text` says how gnuplot
 * takes texts (enhanced, noenhanced), `png` what else its terminal for PNG is told. */
void picture_script_head(FILE *file, const char *name, double width, double height, const char *text,
                         const char *png);

/* dir/NAME.plot.json, .dat and .gp. STATUS_IO. */
Status picture_json_write(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                          Error *error);
Status picture_data_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error);
Status picture_script_write(const char *dir, const char *name, const PictureSheet *sheet, Error *error);

/* All files of a picture are about to be made: manifest_claim_all. */
Status picture_claim(const char *dir, const char *name, Error *error);

/* Runs gnuplot on dir/NAME.gp. Where it fails, or does not come to an end (base/tool.h), nothing of what it
 * has drawn stays: STATUS_RUN; where it could not write a picture whole, STATUS_IO. */
Status picture_gnuplot_draw(const char *dir, const char *name, Error *error);

/* picture_draw_left. */
Status picture_gnuplot_draw_left(const char *dir, const char *const *names, double seconds, Error *error);

/* Takes away what was drawn of that name, and what gnuplot said. */
void picture_gnuplot_remove(const char *dir, const char *name);

#endif
