/* The table of quantities: all that a run, a ladder, a comparison or a study leaves in numbers. A row
 * (quantities.def) says a quantity's name, symbol, unit, shape, the sorts of system that have it, how its
 * error comes about, and what it is; from these come the units of tables (CSV, hol_table_unit, Python),
 * captions of pictures and pages, remarks in summary.yaml, and what results.json says of each number. */
#ifndef HOLONOM_RESULTS_QUANTITY_H
#define HOLONOM_RESULTS_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum QuantityShape {
  QUANTITY_SETTING,     /* what ran: a number, a word, or a few numbers         */
  QUANTITY_WORDS,       /* free text                                            */
  QUANTITY_GROUP,       /* of other numbers, under this name                    */
  QUANTITY_NUMBER,      /* one result                                           */
  QUANTITY_SERIES,      /* against time                                         */
  QUANTITY_ARGUMENT,    /* what others are a function of                        */
  QUANTITY_CURVE,       /* a function of distance, time or frequency            */
  QUANTITY_HISTOGRAM,   /* counts or shares in bins                             */
  QUANTITY_TEMPERATURES /* a function of temperature                            */
} QuantityShape;

/* The sorts of system that have it. */
enum {
  QUANTITY_CLUSTERS = 1,
  QUANTITY_BOXES = 2,
  QUANTITY_MOLECULES = QUANTITY_CLUSTERS | QUANTITY_BOXES,
  QUANTITY_MECHANICAL = 4,
  QUANTITY_ALL = QUANTITY_MOLECULES | QUANTITY_MECHANICAL
};

typedef enum QuantityError {
  QUANTITY_EXACT,   /* none: a count, a setting, something measured once                  */
  QUANTITY_SAMPLES, /* of a mean: from replicas, or blocks of time of a single one          */
  QUANTITY_KNIFE,   /* of a function of means: jackknife over blocks, replicas or ladders   */
  QUANTITY_FOUND    /* said beside it by what found it                                     */
} QuantityError;

typedef struct QuantityRow {
  /* Where it stands, patterns of fnmatch between blanks: names of tables ("thermo"), groups of the summary
   * ("ladder"), observables ("msd"), and "summary" for what stands at the summary's top. */
  const char *tables;
  const char *name;   /* of its key or column, likewise: what stands for * is the subject, "O-O" in g_O-O */
  const char *symbol; /* "T", "g(r)"; "" */
  const char *unit, *reduced; /* AKMA and what goes with it; of systems in reduced units. "": a pure number */
  QuantityShape shape;
  unsigned sorts;
  QuantityError error;
  const char *format, *error_format; /* how many digits files for people have; "": as many as there are */
  const char *label;   /* at axes and headings, without its unit                                */
  const char *meaning; /* in a sentence, which may be empty where the label says it            */
  bool compared;       /* runs are compared by it, where it has an error: a row COMPARED(...)    */
} QuantityRow;

/* All rows, in order; a quantity's row is the first that fits. */
extern const QuantityRow quantity_table[];
extern const size_t quantity_count;

/* The row of a name in a table, for systems of these sorts; NULL if there is none. */
const QuantityRow *quantity_find(unsigned sorts, const char *table, const char *name);

/* The unit of a column, or of an error's column (_err); NULL if nothing is known of it. */
const char *quantity_unit(unsigned sorts, const char *table, const char *column);

/* A unit as pages and pictures show it: "A^2" is "Å²". */
typedef struct QuantityWords {
  char text[160];
} QuantityWords;
QuantityWords quantity_show_unit(const char *unit);

/* "g(r) of O-O" of the row g_*, in sentences; the name itself where there is no label. */
QuantityWords quantity_title(const QuantityRow *quantity, const char *name);

/* "mean-square displacement (Å²)", for an axis. */
QuantityWords quantity_caption(const QuantityRow *quantity, const char *unit);

#endif
