/* Pictures by gnuplot, as a child process: NAME.svg and NAME.png, with their data (NAME.dat) and script
 * (NAME.gp) beside them, so that they can be drawn again or changed by hand.
 *
 * Errors: STATUS_IO (data or script cannot be written), STATUS_MEMORY, STATUS_INPUT (nothing to draw), and
 * STATUS_RUN where data and script are written but gnuplot is absent or failed; the message says what to
 * do. A caller may well take all of them as remarks: a picture is no result. */
#ifndef HOLONOM_OBSERVABLES_PICTURE_H
#define HOLONOM_OBSERVABLES_PICTURE_H

#include "engine/status.h"
#include "observables/rdf.h"

typedef enum PictureStyle {
  PICTURE_LINE,   /* a line, with a band of two standard errors where it has errors   */
  PICTURE_POINTS, /* points, with bars of one standard error where it has errors      */
  PICTURE_DASHES  /* a thin dashed line, in the colour of the curve before            */
} PictureStyle;

typedef struct PictureCurve {
  const char *label; /* for the legend; NULL: none                                    */
  const Rdf *rdf;    /* picture_rdf: a distribution, or NULL and the numbers below    */
  int n;
  const double *x, *y;
  const double *error; /* standard errors, or NULL                                    */
  PictureStyle style;
} PictureCurve;

typedef struct PictureAxes {
  const char *title, *xlabel, *ylabel; /* UTF-8, drawn as they are; NULL: none        */
  int logx, logy;                      /* then only positive numbers are drawn        */
  double xmin, xmax, ymin, ymax;       /* a range with min = max is left to the data  */
} PictureAxes;

/* Curves in one panel. dir must exist; name is a plain file name without suffix. */
Status picture_lines(const char *dir, const char *name, const PictureAxes *axes, int n,
                     const PictureCurve *curve, Error *error);

/* Pair densities P(r) with their bands; below them, if there are several on the same bins, the differences
 * to the first with theirs. title may be "". */
Status picture_rdf(const char *dir, const char *name, const char *title, int n, const PictureCurve *curve,
                   Error *error);

#endif
