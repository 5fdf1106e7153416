/* The table of quantities: every number that a run, a ladder, a comparison or a study reports. A row of
 * quantities.def has a quantity's name, symbol, unit, shape, system types, source of its error, and
 * meaning. The units of tables (CSV, hol_table_unit, Python), captions of pictures and pages, comments in
 * summary.yaml and descriptions in results.json come from these rows. */
#ifndef HOLONOM_RESULTS_QUANTITY_H
#define HOLONOM_RESULTS_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum QuantityShape {
  QUANTITY_SETTING,     /* a setting: a number, a word, or a few numbers */
  QUANTITY_WORDS,       /* free text */
  QUANTITY_GROUP,       /* a heading of other numbers */
  QUANTITY_NUMBER,      /* one result */
  QUANTITY_SERIES,      /* against time */
  QUANTITY_ARGUMENT,    /* the argument of other columns */
  QUANTITY_CURVE,       /* a function of distance, time or frequency */
  QUANTITY_HISTOGRAM,   /* counts or shares in bins */
  QUANTITY_TEMPERATURES /* a function of temperature */
} QuantityShape;

/* The system types that have a quantity. */
enum {
  QUANTITY_CLUSTERS = 1,
  QUANTITY_BOXES = 2,
  QUANTITY_MOLECULES = QUANTITY_CLUSTERS | QUANTITY_BOXES,
  QUANTITY_MECHANICAL = 4,
  QUANTITY_ALL = QUANTITY_MOLECULES | QUANTITY_MECHANICAL
};

typedef enum QuantityError {
  QUANTITY_EXACT,   /* no error: a count, a setting, a single measurement */
  QUANTITY_SAMPLES, /* of a mean: from replicas, or from blocks of time of a single replica */
  QUANTITY_KNIFE,   /* of a function of means: jackknife over blocks, replicas or ladders */
  QUANTITY_FOUND    /* reported next to the number by its method */
} QuantityError;

typedef struct QuantityRow {
  /* Where it is reported, as patterns of fnmatch between blanks: names of tables ("thermo"), groups of the
   * summary ("ladder"), observables ("msd"), "summary" for the summary's top level. */
  const char *tables;
  const char
      *name; /* of its key or column, as patterns; the text matched by * is the subject: "O-O" in g_O-O */
  const char *symbol;         /* "T", "g(r)"; "" */
  const char *unit, *reduced; /* in AKMA and related units; in reduced units. "": a pure number */
  QuantityShape shape;
  unsigned sorts;
  QuantityError error;
  const char *format, *error_format; /* digits in files for people; "": all */
  const char *label;                 /* at axes and headings, without the unit */
  const char *meaning;               /* one sentence; may be empty if the label is enough */
  bool compared;                     /* compared between runs if it has an error: a row COMPARED(...) */
} QuantityRow;

/* All rows, in order; the first row that matches a name describes it. */
extern const QuantityRow quantity_table[];
extern const size_t quantity_count;

/* The row of a name in a table, for systems of these types; NULL: no row. */
const QuantityRow *quantity_find(unsigned sorts, const char *table, const char *name);

/* The unit of a column, or of a column of errors (_err); NULL if unknown. */
const char *quantity_unit(unsigned sorts, const char *table, const char *column);

/* A unit as pages and pictures show it: "A^2" is "Å²". */
typedef struct QuantityWords {
  char text[160];
} QuantityWords;
QuantityWords quantity_show_unit(const char *unit);

/* A title for sentences: "g(r) of O-O" from the row g_*; the name itself if there is no label. */
QuantityWords quantity_title(const QuantityRow *quantity, const char *name);

/* A caption for an axis: "mean-square displacement (Å²)". */
QuantityWords quantity_caption(const QuantityRow *quantity, const char *unit);

#endif
