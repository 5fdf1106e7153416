/* The results of a run, a ladder, a comparison or a study: one set of numbers and tables in memory, from
 * which CSV files, summary.yaml, results.json, pages and comparisons are written. A folder of an earlier
 * run is read into the same set:
 *
 *   ResultSet set;
 *   results_json_read(&set, dir, e);                     or filled as below
 *
 *   results_value(&set, "", "temperature")               a number, NaN if missing
 *   results_find(&set, "msd", "tip3p", "D_L")->error     of the observable msd
 *   results_word(&set, "", "method")                     a text, NULL if missing
 *   results_table(&set, "thermo", &table, e)             a table, from memory or the run's file
 *   results_column(table, "temperature")->value[row]
 *   results_free(&set);
 *
 * While a set is filled, a lack of memory is stored in set->failed and reported on writing:
 *
 *   results_real(set, "", "timestep", h);
 *   results_note(set, "%.6g fs", fs);                    a remark on this run's number
 *   results_mean(set, "", "temperature", mean, error, correlation, samples);
 *   ResultTable *t = results_add_table(set, "msd", rows);
 *   results_add_column(t, "msd_tip3p", value, error);
 *   results_say(t, "samples: %lld", n);
 *
 * Unit, digits and meaning of a name come from its row in quantities.def. Everything is in the units of
 * files (K, kcal/mol, bar, A). */
#ifndef HOLONOM_RESULTS_RESULTS_H
#define HOLONOM_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "results/quantity.h"

typedef enum ResultKind { RESULT_REAL, RESULT_WHOLE, RESULT_WORD, RESULT_LIST, RESULT_GROUP } ResultKind;

/* A number or a word; for several temperatures, or directions, a list. */
typedef struct ResultNumber {
  char of[24];      /* a group ("ladder", "share", "means"), or an observable ("msd"); "": the run */
  char subject[40]; /* of an observable's number: "O-O", "tip3p"; else "" */
  char name[64];    /* "temperature", "D_L" */
  char note[256];   /* a remark on it in this run, or the reason why it has no value */
  bool observed;    /* belongs to an observable */
  bool doubtful;    /* too few samples for the error */
  bool meant;       /* has an error, known or not (NaN) */
  ResultKind kind;
  const QuantityRow *quantity; /* NULL: not in the table */
  char unit[24];
  double value, error; /* NaN: unknown; the error is one standard deviation */
  int64_t whole;       /* a whole number's exact value */
  double correlation;  /* correlation time of a mean, in samples; NaN: unknown */
  double samples;      /* number of samples; NaN: unknown or meaningless */
  char *word;          /* a word's text */
  int n;               /* a list's length: value[n], then their errors [n] or NULL */
  double *values, *errors;
} ResultNumber;

typedef struct ResultColumn {
  char name[64];
  const QuantityRow *quantity; /* NULL: not in the table */
  char unit[24];
  double *value; /* [rows]; NULL: of words */
  double *error; /* [rows] standard errors, or NULL */
  char **word;   /* [rows], or NULL */
} ResultColumn;

typedef struct ResultTable {
  char name[48]; /* of its file, without ".csv" */
  unsigned sorts;
  bool reduced, failed; /* as in its set */
  int ncol;
  ResultColumn *column;
  size_t nrow;
  double samples;     /* NaN: unknown */
  double blocks;      /* number of blocks of time, or replicas, behind its errors; NaN: unknown */
  bool sound;         /* the blocks are long enough for the correlation; else errors are lower bounds */
  bool apart;         /* its numbers are in its CSV file only, not in results.json */
  const char *format; /* digits in CSV of all columns but the argument; NULL: those of the quantities */
  char *path;         /* of a table that was read, for messages */
  int head,
      *line; /* of a table of results_csv_load: the line of its names, and [nrow] lines of its rows, from 1 */
  char *remark; /* lines for people, each with its '\n', or NULL */
} ResultTable;

/* How far numbers can be used, from best to worst. */
typedef enum ResultLevel {
  RESULT_GOOD, /* no test speaks against it */
  RESULT_NOTE, /* worth knowing, or not testable */
  RESULT_WARN, /* to be used with care */
  RESULT_BAD   /* not usable */
} ResultLevel;

/* The verdict on one matter of a run, such as "temperature". */
typedef struct ResultVerdict {
  char matter[24];
  ResultLevel level;
  double p; /* of its test, corrected for all tests of the run; NaN: not tested */
  char *words;
} ResultVerdict;

typedef struct ResultSet {
  unsigned sorts; /* QUANTITY_BOXES ...; all possible system types */
  bool reduced;   /* units */
  bool failed;    /* memory ran out: the set is incomplete (results_failed checks tables as well) */
  int n, ntable, nverdict;
  ResultNumber *number; /* in the order of the summary */
  ResultTable **table;
  ResultVerdict *verdict; /* the first is the verdict on the whole run (observables/run_verdicts.h) */
  char remark[2048];      /* oddities: no picture, a series too short */
  char *dir;              /* the folder that it was read from, or NULL */
} ResultSet;

/* --- filling -----------------------------------------------------------------------------------------------
 */

/* An empty set for systems of these types. A zero-initialised set is empty as well. */
ResultSet results_make(unsigned sorts, bool reduced);
void results_free(ResultSet *set);

void results_real(ResultSet *set, const char *of, const char *name, double value);
void results_whole(ResultSet *set, const char *of, const char *name, int64_t value);
void results_words(ResultSet *set, const char *of, const char *name, const char *words);

/* errors NULL: the list has no errors. */
void results_list(ResultSet *set, const char *of, const char *name, int count, const double *value,
                  const double *errors);

/* Adds the line `name:` above the numbers of that group. */
void results_group(ResultSet *set, const char *name);

/* error, correlation, samples: NaN if unknown. */
void results_mean(ResultSet *set, const char *of, const char *name, double value, double error,
                  double correlation, double samples);

/* Adds a number of an observable, with a note (NULL: none); if the value is NaN, the note is the reason. */
void results_observed(ResultSet *set, const char *observable, const char *subject, const char *name,
                      double value, double error, const char *note);

/* Adds to the note of the last number. */
void results_note(ResultSet *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Marks the errors of all numbers from `first` on as doubtful; one remark gives the reason ("12 samples
 * are few for their correlation"). */
void results_doubt(ResultSet *set, int first, const char *observable, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a verdict on a matter. */
void results_judge(ResultSet *set, const char *matter, ResultLevel level, double p, const char *words);

/* Adds a remark on the whole set. */
void results_remark(ResultSet *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends all numbers and tables of the other set, which is empty afterwards. */
void results_append(ResultSet *set, ResultSet *other);

/* Adds a table with this number of rows; NULL if memory ran out, which all functions below accept. */
ResultTable *results_add_table(ResultSet *set, const char *name, size_t rows);

/* Adds a column of numbers with their errors, both copied; error NULL: no errors. */
void results_add_column(ResultTable *table, const char *name, const double *value, const double *error);

/* The same, with one value in every `stride` numbers. */
void results_add_strided(ResultTable *table, const char *name, const double *value, const double *error,
                         size_t stride);

/* Adds a column 0, step, 2 step, ... */
void results_add_steps(ResultTable *table, const char *name, double step);
void results_add_words(ResultTable *table, const char *name, const char *const *word);

/* Adds a remark to the table, `key: number` or a sentence: one line, or several separated by '\n'. */
void results_say(ResultTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether memory ran out for anything in the set. */
bool results_failed(const ResultSet *set);

/* --- lookup ------------------------------------------------------------------------------------------------
 */

/* NULL: no such number. subject: "" unless the number belongs to an observable. */
const ResultNumber *results_find(const ResultSet *set, const char *of, const char *subject, const char *name);

/* The value, NaN if there is no finite one; its error; its text, NULL if missing; a text of the run,
 * "" if missing; whether a text equals this one. */
double results_value(const ResultSet *set, const char *of, const char *name);
double results_error(const ResultSet *set, const char *of, const char *name);
const char *results_word(const ResultSet *set, const char *of, const char *name);
const char *results_text(const ResultSet *set, const char *name);
bool results_says(const ResultSet *set, const char *of, const char *name, const char *text);

/* The verdict on a matter, NULL: no verdict; "good", "note", "warn" or "bad". */
const ResultVerdict *results_verdict(const ResultSet *set, const char *matter);
const char *results_level_name(ResultLevel level);

/* The note of a number with the doubt about its error; a number as a line of text: "gofr O-O peak_g 2.71
 * +- 0.01 (note)", or the note alone if there is no value. */
typedef struct ResultNote {
  char text[320];
} ResultNote;
ResultNote results_number_note(const ResultNumber *number);
void results_number_line(const ResultNumber *number, char *words, size_t size);

/* The table of that name, from memory or from its CSV file in set->dir; *table is NULL if there is
 * neither. An incomplete last line is ignored. STATUS_INPUT: the file is not a table. */
Status results_table(ResultSet *set, const char *name, const ResultTable **table, Error *error);

/* NULL: no such column. results_want: STATUS_INPUT, with a list of the columns, if it is missing. */
const ResultColumn *results_column(const ResultTable *table, const char *name);

/* A column of numbers; the column of times; NULL: no such column. The number of rows for each time: 1, or
 * the number of temperatures of a ladder. */
const ResultColumn *results_numbers(const ResultTable *table, const char *name);
const ResultColumn *results_times(const ResultTable *table);
size_t results_slots(const ResultTable *table);

/* The caption of a quantity at an axis; the set need not contain the table. */
QuantityWords results_caption(const ResultSet *set, const char *table, const char *name);
Status results_want(const ResultTable *table, const char *name, const ResultColumn **column, Error *error);

/* --- views -------------------------------------------------------------------------------------------------
 */

/* "12.34 ± 0.56" with two digits of the error; value or error alone, with the same digits; "?" for a value
 * that is not finite. */
enum { RESULTS_SHOWN = 48 };
const char *results_show(char text[RESULTS_SHOWN], double value, double error);
const char *results_show_value(char text[RESULTS_SHOWN], double value, double error);
const char *results_show_error(char text[RESULTS_SHOWN], double value, double error);

/* Writes dir/NAME.csv: a line of names (x and x_err for a column with errors), remarks after #, rows. */
void results_csv_print(const ResultTable *table, FILE *file);
Status results_csv_write(const ResultTable *table, const char *dir, Error *error);

/* The same for all tables from `first` on. */
Status results_csv_write_all(const ResultSet *set, int first, const char *dir, Error *error);

/* Adds the columns of a table that the run wrote to dir/file; its numbers stay in the file. STATUS_IO,
 * STATUS_MEMORY. */
Status results_csv_describe(ResultSet *set, const char *dir, const char *file, Error *error);

/* Reads a table of numbers from any CSV file: one line of names, rows, and comments after # anywhere,
 * which become the table's remark. Columns stay as in the file, columns of errors included.
 * results_free_table frees the table (NULL is allowed). STATUS_INPUT (cannot be opened, or not such a
 * table: file, line, column and what was found), STATUS_IO, STATUS_MEMORY.
 *
 * Our files begin with the names because numpy.genfromtxt(names=True) reads them from the first line,
 * commented or not; pandas reads the same file with comment='#'. */
Status results_csv_load(ResultTable **table, const char *path, Error *error);
void results_free_table(ResultTable *table);

/* The number in the remark `key: number` of a table that was read; STATUS_INPUT if it is missing. */
Status results_csv_number(const ResultTable *table, const char *key, double *value, Error *error);

/* The number in a column of the last whole row of a CSV file, which may be large and growing: only its two
 * ends are read. NaN: no such number. */
double results_csv_last(const char *path, const char *column);

/* Writes dir/summary.yaml: the numbers without the tables, for people. */
void results_yaml_print(const ResultSet *set, FILE *file);
Status results_yaml_write(const ResultSet *set, const char *dir, Error *error);

/* Parts of a line of summary.yaml: the value in the digits of its quantity; its unit, meaning and note. */
void results_yaml_value(const ResultNumber *number, FILE *file);
void results_yaml_remark(const ResultNumber *number, FILE *file);

/* Writes dir/results.json: the whole set for programs, with units, errors and meanings. */
Status results_json_write(const ResultSet *set, const char *dir, Error *error);

/* The same into dir/name. */
Status results_json_write_as(const ResultSet *set, const char *dir, const char *name, Error *error);

/* Writes dir/observables.json: the numbers of observables, one a line: {"observable": ..., "subject": ...,
 * "quantity": ..., "unit": ..., "note": ..., "value": ..., "error": ...}, with null for values that are
 * not finite. */
Status results_json_observed(const ResultSet *set, const char *dir, Error *error);

/* Reads dir/results.json. Tables that the run wrote to CSV files are then available as well. STATUS_INPUT:
 * no such file (the set is empty and usable), or not a file of Holonom. */
Status results_json_read(ResultSet *set, const char *dir, Error *error);

#endif
