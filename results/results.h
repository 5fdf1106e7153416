/* What a run, a ladder, a comparison or a study has found: one set of numbers and tables in memory, of which
 * CSV, summary.yaml, results.json, pages and comparisons are views. A folder of an earlier run is read into
 * the same set, so that whoever shows numbers has one way to them:
 *
 *   ResultSet set;
 *   results_json_read(&set, dir, e);                     or filled by whoever found the numbers (below)
 *   results_value(&set, "", "temperature")               a number, NaN if there is none
 *   results_find(&set, "msd", "tip3p", "D_L")->error     of the observable msd
 *   results_word(&set, "", "method")                     a text, NULL if there is none
 *   results_table(&set, "thermo", &table, e)             a table; one that the run wrote as it went is read
 * now results_column(table, "temperature")->value[row] results_free(&set);
 *
 * Filling it, memory that runs out is remembered (set->failed) and said when it is written:
 *
 *   results_real(set, "", "timestep", h);
 *   results_note(set, "%.6g fs", fs);                    what is special of it in this run
 *   results_mean(set, "", "temperature", mean, error, correlation, samples);
 *   ResultTable *t = results_add_table(set, "msd", rows);
 *   results_add_column(t, "msd_tip3p", value, error);
 *   results_say(t, "samples: %lld", n);
 *
 * Unit, digits and meaning of a name are those of its row in quantities.def. Everything is in the units of
 * files (K, kcal/mol, bar, A), as those rows say. */
#ifndef HOLONOM_RESULTS_RESULTS_H
#define HOLONOM_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "results/quantity.h"

typedef enum ResultKind { RESULT_REAL, RESULT_WHOLE, RESULT_WORD, RESULT_LIST, RESULT_GROUP } ResultKind;

/* One number or word; of several temperatures, or directions, a list. */
typedef struct ResultNumber {
  char of[24];      /* a group ("ladder", "share", "means"), or an observable ("msd"); "": the run's own */
  char subject[40]; /* of an observable's number: "O-O", "tip3p"; else ""                     */
  char name[64];    /* "temperature", "D_L"                                                   */
  char note[256];   /* what is special of it in this run, or why it has no value; "": nothing */
  bool observed;    /* of an observable                                                       */
  bool doubtful;    /* too few samples for the error                                          */
  bool meant;       /* it has an error's place, known or not (NaN)                            */
  ResultKind kind;
  const QuantityRow *quantity; /* NULL: none of the table                                         */
  char unit[24];
  double value, error; /* NaN: not known; error of one standard deviation                      */
  int64_t whole;       /* of whole numbers the value to the last digit                         */
  double correlation;  /* samples, of a mean; NaN: not known                                   */
  double samples;      /* behind it; NaN: not known, or of no meaning                          */
  char *word;          /* of words                                                             */
  int n;               /* of lists: value[n], then their errors [n] or NULL                    */
  double *values, *errors;
} ResultNumber;

typedef struct ResultColumn {
  char name[64];
  const QuantityRow *quantity; /* NULL: none of the table */
  char unit[24];
  double *value; /* [rows]; NULL: of words */
  double *error; /* [rows] standard errors, or NULL */
  char **word;   /* [rows], or NULL */
} ResultColumn;

typedef struct ResultTable {
  char name[48]; /* of its file, without ".csv" */
  unsigned sorts;
  bool reduced, failed; /* as of its set */
  int ncol;
  ResultColumn *column;
  size_t nrow;
  double samples;     /* NaN: not known */
  double blocks;      /* of time or replicas, that its errors are from; NaN: not known */
  bool sound;         /* these are long enough for the correlation; else errors are lower bounds */
  bool apart;         /* its numbers stand in its CSV file alone, not in results.json too */
  const char *format; /* digits in CSV of all but what it goes by; NULL: as the quantities say */
  char *path;         /* of a table that was read: for messages */
  int head, *line;    /* of one by results_csv_load: the lines of its names, and [nrow] of its rows, from 1 */
  char *remark;       /* lines for people, each with its '\n', or NULL */
} ResultTable;

/* How far numbers can be used, from best to worst. */
typedef enum ResultLevel {
  RESULT_GOOD, /* nothing speaks against it            */
  RESULT_NOTE, /* to be known, or nothing can be said */
  RESULT_WARN, /* to be used with care                 */
  RESULT_BAD   /* not to be used as it stands          */
} ResultLevel;

/* What the numbers of a run say about one matter, "temperature". */
typedef struct ResultVerdict {
  char matter[24];
  ResultLevel level;
  double p; /* of its test, corrected for all tests of the run; NaN: not tested */
  char *words;
} ResultVerdict;

typedef struct ResultSet {
  unsigned sorts; /* QUANTITY_BOXES ...; all that are possible */
  bool reduced;   /* units   */
  bool failed;    /* memory ran out: the set is incomplete; results_failed asks tables, too */
  int n, ntable, nverdict;
  ResultNumber *number; /* in the order of the summary */
  ResultTable **table;
  ResultVerdict *verdict; /* the first is on the whole run (observables/run_verdicts.h) */
  char remark[2048];      /* what was odd: no picture, a series too short */
  char *dir;              /* that it was read from, or NULL */
} ResultSet;

/* --- filling -----------------------------------------------------------------------------------------------
 */

/* Empty, for a system of these sorts. All zero, but for sorts, is empty, too. */
ResultSet results_make(unsigned sorts, bool reduced);
void results_free(ResultSet *set);

void results_real(ResultSet *set, const char *of, const char *name, double value);
void results_whole(ResultSet *set, const char *of, const char *name, int64_t value);
void results_words(ResultSet *set, const char *of, const char *name, const char *words);

/* errors: NULL: it has none. */
void results_list(ResultSet *set, const char *of, const char *name, int count, const double *value,
                  const double *errors);

/* The line `name:` above numbers of that group. */
void results_group(ResultSet *set, const char *name);

/* error, correlation, samples: NaN: not known. */
void results_mean(ResultSet *set, const char *of, const char *name, double value, double error,
                  double correlation, double samples);

/* A number of an observable, with a note of its own (NULL: none); without a value (NaN) the note says why. */
void results_observed(ResultSet *set, const char *observable, const char *subject, const char *name,
                      double value, double error, const char *note);

/* Adds to the note of the last number. */
void results_note(ResultSet *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts in doubt the errors of all numbers from `first` on; one remark says why ("12 samples are few for their
 * correlation"). */
void results_doubt(ResultSet *set, int first, const char *observable, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a verdict on a matter. */
void results_judge(ResultSet *set, const char *matter, ResultLevel level, double p, const char *words);

/* One more sentence that should be said beside the numbers. */
void results_remark(ResultSet *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All numbers and tables of the other set behind those of this one; the other is empty after it. */
void results_append(ResultSet *set, ResultSet *other);

/* A table of so many rows; NULL, which all that follows takes, where memory has run out. */
ResultTable *results_add_table(ResultSet *set, const char *name, size_t rows);

/* A column of numbers with their errors, both copied; error NULL: it has none. */
void results_add_column(ResultTable *table, const char *name, const double *value, const double *error);

/* The same with a value every `stride` numbers. */
void results_add_strided(ResultTable *table, const char *name, const double *value, const double *error,
                         size_t stride);
void results_add_words(ResultTable *table, const char *name, const char *const *word);

/* Lines that are said of the table, `key: number` or sentences: one, or several with '\n' between them. */
void results_say(ResultTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether memory ran out for anything in the set. */
bool results_failed(const ResultSet *set);

/* --- asking ------------------------------------------------------------------------------------------------
 */

/* NULL: there is none. subject "": of all that are no observable's. */
const ResultNumber *results_find(const ResultSet *set, const char *of, const char *subject, const char *name);

/* Its value, NaN if there is none that is finite; its error; its text, NULL if there is none, and whether
 * that is this one; a text of the run's own, "" if there is none. */
double results_value(const ResultSet *set, const char *of, const char *name);
double results_error(const ResultSet *set, const char *of, const char *name);
const char *results_word(const ResultSet *set, const char *of, const char *name);
const char *results_text(const ResultSet *set, const char *name);
bool results_says(const ResultSet *set, const char *of, const char *name, const char *text);

/* The verdict on a matter, NULL if there is none; "good", "note", "warn" or "bad". */
const ResultVerdict *results_verdict(const ResultSet *set, const char *matter);
const char *results_level_name(ResultLevel level);

/* The note of a number, with the doubts about its error; a number as a line of text: "gofr O-O peak_g 2.71 +-
 * 0.01  (note)", or without a value its note alone. */
typedef struct ResultNote {
  char text[320];
} ResultNote;
ResultNote results_number_note(const ResultNumber *number);
void results_number_line(const ResultNumber *number, char *words, size_t size);

/* The table of that name, in memory or, of a set that was read, from its CSV file; *table is NULL if there is
 * neither. A last line that is still being written is left out. STATUS_INPUT: the file is no table. */
Status results_table(ResultSet *set, const char *name, const ResultTable **table, Error *error);

/* NULL: there is none. results_want: STATUS_INPUT with the list of columns if there is none. */
const ResultColumn *results_column(const ResultTable *table, const char *name);

/* A column of numbers, and that of times; NULL: there is none. Rows of one time: 1, or the temperatures of a
 * ladder. */
const ResultColumn *results_numbers(const ResultTable *table, const char *name);
const ResultColumn *results_times(const ResultTable *table);
size_t results_slots(const ResultTable *table);

/* The caption that a quantity has at an axis, of a set whose tables need not have it. */
QuantityWords results_caption(const ResultSet *set, const char *table, const char *name);
Status results_want(const ResultTable *table, const char *name, const ResultColumn **column, Error *error);

/* --- views -------------------------------------------------------------------------------------------------
 */

/* "12.34 ± 0.56" with two digits of the error; value or error alone, rounded alike; "?" for what is no
 * number. */
enum { RESULTS_SHOWN = 48 };
const char *results_show(char text[RESULTS_SHOWN], double value, double error);
const char *results_show_value(char text[RESULTS_SHOWN], double value, double error);
const char *results_show_error(char text[RESULTS_SHOWN], double value, double error);

/* dir/NAME.csv: a line of names (of a column with errors two, x and x_err), remarks behind #, rows. */
void results_csv_print(const ResultTable *table, FILE *file);
Status results_csv_write(const ResultTable *table, const char *dir, Error *error);

/* Of all tables from `first` on. */
Status results_csv_write_all(const ResultSet *set, int first, const char *dir, Error *error);

/* Adds a table that was written into dir/file as the run went: its columns, whose numbers stay there.
 * STATUS_IO, STATUS_MEMORY. */
Status results_csv_describe(ResultSet *set, const char *dir, const char *file, Error *error);

/* A table of numbers from a CSV file of anyone: one line of names, rows, comments behind # anywhere, which
 * are its remark; columns are as they stand, those of errors, too. results_free_table frees it (NULL is
 * fine). STATUS_INPUT (cannot be opened, or is no such table: file, line, column and what was found),
 * STATUS_IO, STATUS_MEMORY. Ours begin with the names, since numpy.genfromtxt(names=True) takes the first
 * line for them, commented or not; pandas reads the same file with comment='#'. */
Status results_csv_load(ResultTable **table, const char *path, Error *error);
void results_free_table(ResultTable *table);

/* The number in the remark `key: number` of a table that was read; STATUS_INPUT if there is none. */
Status results_csv_number(const ResultTable *table, const char *key, double *value, Error *error);

/* The number in this column of the last whole row of a CSV file, of any length, that may be growing: its two
 * ends are read; NaN if there is none. */
double results_csv_last(const char *path, const char *column);

/* dir/summary.yaml: the numbers without the tables, for people. */
void results_yaml_print(const ResultSet *set, FILE *file);
Status results_yaml_write(const ResultSet *set, const char *dir, Error *error);

/* As that has it: a value in the digits of its quantity; its unit, meaning and note. */
void results_yaml_value(const ResultNumber *number, FILE *file);
void results_yaml_remark(const ResultNumber *number, FILE *file);

/* dir/results.json: all of it, for programs: units, errors and meanings as data. */
Status results_json_write(const ResultSet *set, const char *dir, Error *error);

/* The same into dir/name. */
Status results_json_write_as(const ResultSet *set, const char *dir, const char *name, Error *error);

/* dir/observables.json: those of observables alone, one a line: {"observable": ..., "subject": ...,
 * "quantity": ..., "unit": ..., "note": ..., "value": ..., "error": ...}, what is no number as null. */
Status results_json_observed(const ResultSet *set, const char *dir, Error *error);

/* What dir/results.json says, or nothing where there is none: tables that were written as the run went can be
 * asked for then, too. STATUS_INPUT: there is none (the set can be used), or it is none of ours. */
Status results_json_read(ResultSet *set, const char *dir, Error *error);

#endif
