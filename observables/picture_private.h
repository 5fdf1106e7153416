/* Between the parts of the pictures: a sheet of panels, each in its place. picture.c lays sheets out,
 * picture_script.c and picture_data.c write them, picture_gnuplot.c has them drawn. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H
#define HOLONOM_OBSERVABLES_PICTURE_PRIVATE_H

#include "observables/picture.h"

enum { PICTURE_WIDTH = 900, PICTURE_TITLE = 28, PICTURE_LEGEND_ROW = 25 };

typedef struct PictureExtent {
  double xmin, xmax, ymin, ymax; /* min > max: nothing there */
} PictureExtent;

/* One panel in its place. Lengths in points, from the lower left corner of the sheet. */
typedef struct PicturePart {
  const PicturePanel *panel;
  double left, right, bottom, top; /* of the plot                                     */
  int first;                       /* its first data block, one a curve                 */
  int bare_x, bare_y;              /* no numbers on x; no label on y                   */
  int no_legend;
  double numbers;       /* room that those of y take left of the plot                  */
  PictureExtent extent; /* of what is in it, or given */
} PicturePart;

typedef struct PictureSheet {
  int width, height;
  int n;
  PicturePart *part;
  int legend; /* 1: that of part 0 stands on top of the sheet */
} PictureSheet;

/* The colour of curve c, as "#rrggbb". */
const char *picture_script_colour(const PicturePanel *panel, int c);

/* dir/NAME.plot.json. STATUS_IO. */
Status picture_json_write(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                          Error *error);

/* Rows that the legend of a panel takes in this width. */
int picture_script_legend_rows(const PicturePanel *panel, double room);

PictureExtent picture_data_extent(const PicturePanel *panel);

int picture_data_has_errors(const PictureCurve *curve);

/* Script and data into these files. */
Status picture_data_write(const char *path, const PictureSheet *sheet, Error *error);
Status picture_script_write(const char *path, const char *name, const PictureSheet *sheet, Error *error);

/* Runs gnuplot on dir/NAME.gp. Where it fails, or does not come to an end (engine/tool.h), nothing of what it
 * has drawn stays: STATUS_RUN; where it could not write a picture whole, STATUS_IO. */
Status picture_gnuplot_draw(const char *dir, const char *name, Error *error);

/* Takes away what was drawn of that name, and what gnuplot said. */
void picture_gnuplot_remove(const char *dir, const char *name);

#endif
