/* Pictures by gnuplot, as a child process: NAME.svg, NAME.png and NAME.pdf, with their data (NAME.dat) and
 * script (NAME.gp) beside them, so that they can be drawn again or changed by hand, and with what a page
 * draws of them (NAME.plot.json, long curves thinned).
 *
 * Errors: STATUS_IO (data or script cannot be written), STATUS_MEMORY, STATUS_INPUT (nothing to draw), and
 * STATUS_RUN where data and script are written but gnuplot is absent or failed; the message says what to
 * do. A caller may well take all of them as remarks: a picture is no result.
 *
 * dir must exist; name is a plain file name without suffix. Texts are UTF-8, drawn as they are. Members that
 * are left out of an initialiser have sensible meanings at 0. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_H
#define HOLONOM_OBSERVABLES_PICTURE_H

#include <stdio.h>

#include "base/status.h"
#include "results/results.h"

typedef enum PictureStyle {
  PICTURE_LINE,   /* a line, with a band of two standard errors where it has errors   */
  PICTURE_POINTS, /* points, with bars of one standard error where it has errors      */
  PICTURE_DASHES  /* a thin dashed line, in the colour of the curve before            */
} PictureStyle;

typedef struct PictureCurve {
  const char *label; /* for the legend; NULL: none                                    */
  int n;
  const double *x, *y; /* a NaN interrupts a line                                     */
  const double *error; /* standard errors, or NULL                                    */
  PictureStyle style;
  int colour;   /* 0: the next one; else black, blue, red, green, pink, orange, sky from 1 to 7, 8 grey */
  double width; /* of lines, size of points, as a multiple; 0: 1                   */
  int shade, shades; /* the place, from 0, in a series of so many, such as temperatures: dark to bright, and
                      * the colour is ignored; shades 0: no series */
} PictureCurve;

/* A line across the whole plot. */
typedef struct PictureGuide {
  int vertical; /* at x, else at y */
  double at;
  const char *label; /* NULL: none */
} PictureGuide;

typedef struct PictureAxes {
  const char *title;             /* NULL: none                                          */
  const ResultColumn *x, *y;     /* what is shown: their captions are the labels where ... */
  const char *xlabel, *ylabel;   /* ... these are NULL; else none */
  int logx, logy;                /* then only positive numbers are drawn        */
  double xmin, xmax, ymin, ymax; /* a range with min = max is left to the data  */
  int equal;                     /* one unit of x is as long as one of y: paths in the plane */
  int nguide;
  const PictureGuide *guide;
} PictureAxes;

typedef struct PicturePanel {
  PictureAxes axes;
  int n;
  const PictureCurve *curve;
} PicturePanel;

/* What a picture NAME consists of, ended by NULL: ".svg", ".png", the data, the script ... */
#define PICTURE_SUFFIXES ".svg", ".png", ".pdf", ".plot.json", ".dat", ".gp", ".gp.log"
extern const char *const picture_suffixes[];

/* A column of a table against another one, with its errors. */
PictureCurve picture_curve(const ResultTable *table, int x, int y);

/* Curves in one panel. */
Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error);

/* All columns of a table against its first one, in a picture of its name; what follows the first '_' of
 * a column's name is its label. Three or more whose labels are rising numbers are shades of a series. */
Status picture_table(const char *dir, const ResultTable *table, Error *error);

/* Panels in rows of so many columns, from the top left, each with its own axes, title and curves. Where all
 * panels below each other share the x axis, only the lowest have its numbers. The legend, on top, is that of
 * the first panel. */
Status picture_panels(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                      Error *error);

/* Distributions of one sort, of n runs. */
typedef struct PictureSet {
  const char *title, *xlabel, *ylabel;
  int n;
  const PictureCurve *curve; /* the first is the reference */
} PictureSet;

/* Sets side by side, all of the same n runs, those of one set on the same bins: the curves with their bands,
 * and under them the difference of each run to the first in a panel of its own. Where the bins of a set
 * differ there are no differences. */
Status picture_rdf_differences(const char *dir, const char *name, int nset, const PictureSet *set,
                               Error *error);

/* Pair densities P(r) of open systems, as one such set, of results like these. title may be "". */
Status picture_rdf(const char *dir, const char *name, const char *title, const ResultSet *of, int n,
                   const PictureCurve *curve, Error *error);

/* z[n][n] against x and y in the middle of bins from low to high; NaN: nothing is drawn there. Texts have no
 * quotes. */
typedef struct PictureMap {
  const char *x, *y, *words; /* of the axes, and of what the colours are */
  int n;
  double low, high;
  const double *z;
} PictureMap;

/* Maps side by side, without the JSON of pages, which show the picture. */
Status picture_map(const char *dir, const char *name, int n, const PictureMap *map, Error *error);

/* Panels as the JSON of NAME.plot.json, which may stand within a script of a page; a text as a string of
 * JSON. */
void picture_json_print(FILE *file, int n, const PicturePanel *panel, int columns);
void picture_json_text(FILE *file, const char *text);

/* Draws what was left: of pictures of these names (ended by NULL) those whose data and script lie in dir, and
 * of which nothing is drawn, in so many seconds in all. Once the program has been asked to stop, the
 * functions above write data and script, and do not draw (STATUS_RUN). Errors: that of the first picture
 * which could not be drawn. */
Status picture_draw_left(const char *dir, const char *const *names, double seconds, Error *error);

/* What it means for a run that drawing ended with this status: where gnuplot is missing or fails, STATUS_RUN,
 * data and script are there, and the caller remarks on it, so that STATUS_OK comes back; all else, a file
 * that could not be written above all, is handed on. */
Status picture_outcome(Status drawn, const Error *why, Error *error);

#endif
