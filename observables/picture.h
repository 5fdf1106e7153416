/* Pictures drawn by gnuplot in a child process: NAME.svg, NAME.png and NAME.pdf, their data (NAME.dat) and
 * script (NAME.gp) for redrawing, and the data of the report's plots (NAME.plot.json, with long curves
 * thinned).
 *
 * Errors: STATUS_IO (data or script cannot be written), STATUS_MEMORY, STATUS_INPUT (nothing to draw), and
 * STATUS_RUN (data and script are written, but gnuplot is absent or failed; the message says what to do).
 * Callers may treat all of them as remarks.
 *
 * dir must exist; name is a plain file name without suffix. Texts are UTF-8, drawn literally. Members omitted
 * from an initialiser have sensible defaults at 0. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_H
#define HOLONOM_OBSERVABLES_PICTURE_H

#include <stdio.h>

#include "base/status.h"
#include "results/results.h"

typedef enum PictureStyle {
  PICTURE_LINE,   /* a line, with a band of two standard errors if known */
  PICTURE_POINTS, /* points, with bars of one standard error if known */
  PICTURE_DASHES  /* a thin dashed line, in the colour of the previous curve */
} PictureStyle;

typedef struct PictureCurve {
  const char *label; /* in the legend; NULL: none */
  int n;
  const double *x, *y; /* a NaN interrupts a line                                     */
  const double *error; /* standard errors, or NULL                                    */
  PictureStyle style;
  int colour;        /* 0: the next one; 1 to 7: black, blue, red, green, pink, orange, sky; 8: grey */
  double width;      /* width of lines or size of points, as a multiple; 0: 1 */
  int shade, shades; /* position, from 0, and length of a series, such as temperatures: colours from dark to
                        bright replace `colour`; shades 0: no series */
} PictureCurve;

/* A line across the whole plot. */
typedef struct PictureGuide {
  int vertical; /* 1: at x; 0: at y */
  double at;
  const char *label; /* NULL: none */
} PictureGuide;

typedef struct PictureAxes {
  const char *title;             /* NULL: none                                          */
  const ResultColumn *x, *y;     /* columns whose captions are the labels if ... */
  const char *xlabel, *ylabel;   /* ... these are NULL */
  int logx, logy;                /* logarithmic: only positive numbers are drawn */
  double xmin, xmax, ymin, ymax; /* min = max: the range of the data */
  int equal;                     /* equal scales on both axes, for paths in the plane */
  int nguide;
  const PictureGuide *guide;
} PictureAxes;

typedef struct PicturePanel {
  PictureAxes axes;
  int n;
  const PictureCurve *curve;
} PicturePanel;

/* The suffixes of all files of a picture, ended by NULL: ".svg", ".png", data, script ... */
#define PICTURE_SUFFIXES ".svg", ".png", ".pdf", ".plot.json", ".dat", ".gp", ".gp.log"
extern const char *const picture_suffixes[];

/* The curve of a column of a table against another one, with its errors. */
PictureCurve picture_curve(const ResultTable *table, int x, int y);

/* Draws curves in one panel. */
Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error);

/* Draws all columns of a table against its first one, in a picture with the table's name. Labels are the
 * parts of column names after the first '_'. Three or more columns with rising numbers as labels have the
 * shades of a series. */
Status picture_table(const char *dir, const ResultTable *table, Error *error);

/* Draws panels in rows of `columns`, from the top left, each with its own axes, title and curves. If all
 * panels of a column share the x axis, only the lowest has numbers. The legend, on top, is that of the first
 * panel. */
Status picture_panels(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                      Error *error);

/* Distributions of n runs. */
typedef struct PictureSet {
  const char *title, *xlabel, *ylabel;
  int n;
  const PictureCurve *curve; /* the first is the reference */
} PictureSet;

/* Draws sets side by side, each of the same n runs: the curves with their bands, and below them the
 * difference of each run to the first in a panel of its own. Sets with different bins have no differences. */
Status picture_rdf_differences(const char *dir, const char *name, int nset, const PictureSet *set,
                               Error *error);

/* Draws pair densities P(r) of open systems as one such set; `of`: results for captions. title may be "". */
Status picture_rdf(const char *dir, const char *name, const char *title, const ResultSet *of, int n,
                   const PictureCurve *curve, Error *error);

/* A map z[n][n] of bins from low to high in x and, unless `other` has a range for y, in y; NaN: blank. Texts
 * must not contain quotes. */
typedef struct PictureMap {
  const char *x, *y, *words; /* labels of the axes, and of the colour scale */
  int n;
  double low, high, other[2];
  const double *z;
} PictureMap;

/* Draws maps side by side. They have no JSON: reports show the picture. */
Status picture_map(const char *dir, const char *name, int n, const PictureMap *map, Error *error);

/* Print panels as the JSON of NAME.plot.json, which may be embedded in a script of a page; and a text as a
 * JSON string. */
void picture_json_print(FILE *file, int n, const PicturePanel *panel, int columns);
void picture_json_text(FILE *file, const char *text);

/* Draws pictures that are missing: those among names (ended by NULL) that have data and script in dir but no
 * drawing, within `seconds` in all. After a request to stop, the functions above write data and script but do
 * not draw (STATUS_RUN). Returns the error of the first picture that could not be drawn. */
Status picture_draw_left(const char *dir, const char *const *names, double seconds, Error *error);

/* The consequence of drawing's status for a run. STATUS_RUN (gnuplot is missing or failed; data and script
 * are written) becomes STATUS_OK, and the caller adds a remark. All other errors, such as a file that could
 * not be written, are passed on. */
Status picture_outcome(Status drawn, const Error *why, Error *error);

#endif
