/* Input files: YAML read into a caller's struct by a table in which each parameter is declared once.
 *
 * The one table feeds the reader, every message, the list of all keys (input_describe), the printout of
 * the resolved input (input_print) and the overrides of the command line (--set key=value).
 *
 * A key is a path with dots: "integrator.timestep" is the key timestep in the section integrator. Numbers
 * with a dimension may carry a unit ("2 fs"); bare numbers are AKMA, temperatures kelvin. */
#ifndef HOLONOM_IO_INPUT_H
#define HOLONOM_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "engine/units.h"

/* Lists in the caller's struct; the memory belongs to the Input. */
typedef struct InputReals {
  int n;
  const double *value;
} InputReals;

typedef struct InputStrings {
  int n;
  const char *const *value;
} InputStrings;

/* A list of records: item points to n structs, as the parameter's own table `record` describes them. */
typedef struct InputRecords {
  int n;
  const void *item;
} InputRecords;

/* "name: value" lines whose names are the user's own, in the order of the file. */
typedef struct InputMap {
  int n;
  const char *const *name, *const *value;
} InputMap;

typedef enum ParameterType {                  /* field of the caller's struct                              */
                             PARAMETER_INT,   /* int                                                       */
                             PARAMETER_INT64, /* int64_t; with a quantity: or an amount, see input_count    */
                             PARAMETER_REAL,  /* double, converted to AKMA                                 */
                             PARAMETER_BOOL,  /* bool                                                      */
                             PARAMETER_STRING, /* const char *                                              */
                             PARAMETER_NAME,   /* const char *: one of the names, as the list spells it     */
                             PARAMETER_CHOICE, /* int or an enum: the index in the list of names            */
                             PARAMETER_REALS,  /* InputReals                                                */
                             PARAMETER_STRINGS, /* InputStrings */
                             PARAMETER_CHOICES, /* unsigned: bit i is set if name i is in the list */
                             PARAMETER_RECORDS, /* InputRecords */
                             PARAMETER_MAP      /* InputMap */
} ParameterType;

enum { LIMIT_ABOVE = 1, LIMIT_FROM = 2, LIMIT_TO = 4, LIMIT_BELOW = 8 };

/* A sort of system that an input can describe; the last has no name. */
typedef struct InputSort {
  const char *name, *words; /* "box", "a periodic box (system.box)"                                   */
  bool brief;               /* keys that have no effect, or a rival, are left out of the printout     */
  int example;              /* which of a key's examples is its                                       */
  const char *measured; /* by what where keys that measure have no place: "output.observables, ..."; NULL */
} InputSort;

/* What was read (the caller's struct), seen as a reason for a key to have a meaning or another default. */
typedef struct InputCondition {
  bool (*holds)(const void *target);
  const char *with;    /* "with penalties", after a default  */
  const char *without; /* "without penalties", after "has no effect" */
  bool hidden;         /* keys that need it are left out of every printout where it does not hold */
} InputCondition;

/* A key of earlier versions, which is still read, with a remark. */
typedef struct InputOld {
  const char *key;
  int row;           /* of what it is called now; -1: it is gone, and its value has no effect */
  const char *words; /* why it is gone, NULL for the others                                   */
} InputOld;

/* The row that ends a table has no key. Its names, if it has some, are words of other programs, each followed
 * by what to say to them; `sort` lists the sorts of system; `old` lists keys of earlier versions. */
typedef struct Parameter {
  const char *key;
  ParameterType type;
  size_t offset;              /* of the field in the caller's struct                      */
  Quantity quantity;          /* what numbers measure                                     */
  Quantity alternative;       /* a second possibility (see input_quantity), or NONE       */
  int limits;                 /* LIMIT_... : x > min or x >= min, x <= max or x < max     */
  double min, max;            /* in the unit of bare numbers                              */
  const char *const *names;   /* ended by NULL; or instead of the array:                  */
  const char *(*name)(int i); /* name i of a registry, NULL after the last                */
  const char *fallback;       /* the default as text; NULL: none                          */
  struct InputLate {
    const InputCondition *where; /* where it holds, this is the default in place of `fallback` */
    const char *text;
  } late[2];                   /* the first that holds; those without a condition are none */
  bool measures;               /* where it has no place the sort's `measured` is said */
  bool optional;               /* may be absent without a default (the field is untouched) */
  const char *absent;          /* optional: what is taken then, in words; may be NULL      */
  unsigned sorts;              /* bit i: has a place in sort i; 0: in all                  */
  const char *elsewhere;       /* what is said to do in others; may be NULL               */
  const InputCondition *needs; /* NULL or what it needs to have a meaning                 */
  bool refused;                /* without which it is an error, not a note                */
  const char *example[2];      /* for input_example; NULL: the default                    */
  const char *rival;           /* the key that excludes this one: exactly one is wanted, or
                                  at most one where both are optional                      */
  bool path;                   /* a text that names a file, from the folder of the input file             */
  size_t map;      /* single values: offset of an InputMap for 'name: value' lines that may stand in
                      place of the value; 0: none. A name with a dot or a slash names a file, and
                      perhaps ':' and something in it */
  bool adjustable; /* may change while a run goes on: no result up to there depends on it  */
  const char *help;
  bool lists;                     /* maps: values may be lists, "[1, 2]" as text                      */
  int unitless;                   /* choices: 1 + the one under which numbers have no units; 0: none    */
  const char *wanted;             /* texts: what they should be, in place of "a text"                 */
  const struct Parameter *record; /* records: the table of one, offsets in its struct */
  size_t size;                    /* records: of that struct                          */
  const InputSort *sort;          /* of the row that ends a table                     */
  const InputOld *old;            /* likewise, the last without a key; NULL: none     */
} Parameter;

typedef struct Input Input;

/* A key of an input: its row in the table; in a list the number of a record, from 1, and perhaps one of its
 * keys; in a map one of its names. Tables that code asks for keys give their rows names (see KEY in
 * config/config.h). */
typedef struct InputKey {
  int row;
  int record;       /* 0: none                                   */
  const char *name; /* in a record or a map; NULL: none          */
  bool section;     /* not the key but the section that it is in */
} InputKey;

/* Record i, from 0, of a list, or one of its keys. */
static inline InputKey input_record(InputKey list, int i, const char *name)
{
  return (InputKey){.row = list.row, .record = i + 1, .name = name};
}

/* A line of a map. */
static inline InputKey input_line(InputKey map, const char *name)
{
  return (InputKey){.row = map.row, .name = name};
}

/* Reads a file into *target, whose fields should start at zero. set[nset] holds overrides, "key=value"; a
 * value of the command line replaces that of the file and its rival's; "key=" takes a key away. Keys inside
 * a list of records count from 1, "system.sites[2].mass"; so they are named in messages and by the functions
 * below, too. An override can change a key of a record or a name of a map that the file has, or give
 * a whole list in YAML's short form.
 * Errors: STATUS_INPUT with up to ten messages, one a line, each with file, line, key, what was found,
 * what is wanted and the nearest valid name; STATUS_MEMORY; STATUS_IO. On error *out is NULL. */
Status input_load(Input **out, const Parameter *table, const char *path, const char *const *set, int nset,
                  void *target, Error *error);

/* The same from text[length]; `name` stands for the file in messages. */
Status input_parse(Input **out, const Parameter *table, const char *name, const char *text, size_t length,
                   const char *const *set, int nset, void *target, Error *error);

/* Frees the input and all strings and lists in the struct that it was read into. NULL is fine. */
void input_free(Input *input);

/* The name of the file. */
const char *input_name(const Input *input);

/* A file that the input names, from where the program runs (relative names count from the input's folder).
 * The caller frees it; NULL: no memory. */
char *input_path(const Input *input, const char *name);

/* File i that a run of this input reads, as input_path gives it: the input itself, then those of its keys,
 * *key (NULL for the input itself). False after the last. */
bool input_path_file(const Input *input, int i, char **path, const char **key);

/* From here on the texts of the keys that name files, which input_print and input_item give, count from
 * `folder`: relative where the two have a folder in common, else absolute. STATUS_MEMORY. */
Status input_path_rebase(Input *input, const char *folder, Error *error);

/* Whether the user gave this key, in the file or by --set. */
bool input_given(const Input *input, InputKey key);

/* Where the key was given: "water.yaml:12" or "--set key=value"; if it was not, its section or the file. */
const char *input_where(const Input *input, InputKey key);

/* The quantity of the unit that the number was given in; QUANTITY_NONE for a bare number. */
Quantity input_quantity(const Input *input, InputKey key);

/* Sets a key that was not given and whose default depends on others; it is then printed as a default. The
 * struct that was read into must still be there. */
void input_default(Input *input, InputKey key, const char *text);

/* The number has no unit in this input, so that a bare one is nothing to remark on. */
void input_pure(Input *input, InputKey key);

/* A number in the unit in which the user gave the key, "12.5 ps", in text[size]; bare where that was. */
const char *input_amount(const Input *input, InputKey key, double value, char *text, size_t size);

/* The same with a unit, " A", where that was bare or the key was not given. */
const char *input_amount_in(const Input *input, InputKey key, double value, const char *unit, char *text,
                            size_t size);

/* Whole numbers that were given as amounts, 96 fs, become how many of `unit`, the value of that key, they
 * are; the others are complained of. */
void input_count(Input *input, InputKey key, double unit);

/* For checks of meaning after reading: collects "water.yaml:12: integrator.timestep: ...", ... */
void input_complain(Input *input, InputKey key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ... and returns all that was collected, in the order of the file; STATUS_OK if there is nothing. */
Status input_verdict(Input *input, Error *error);

/* Complains of a key that was not given as missing, with what is wanted. */
void input_require(Input *input, InputKey key);

/* Takes away the default of a key that has no place in this input, and the key from input_print, unless the
 * user gave it. */
void input_drop(Input *input, InputKey key);

/* What sort of system the input is about: complains of keys that have no place there, and takes the others'
 * late defaults. */
void input_meaning_sort(Input *input, int sort);

/* When all is resolved: complains of keys that are missing or have no meaning, remarks on those that have no
 * effect. */
void input_meaning_check(Input *input);

/* Numbers have no units in this input: complains of each that was given one, with `reason`. */
void input_unitless(Input *input, const char *reason);

/* Names in words[size] the first time, length or temperature of the file that is given without a unit, what
 * it is in fs, A or K, and how to write the unit; false, words untouched: there is none. */
bool input_bare(const Input *input, char *words, size_t size);

/* Both at once, for a single error: returns STATUS_INPUT. */
Status input_error(const Input *input, InputKey key, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#ifdef __clang_analyzer__ /* as in base/status.h */
#define input_error(...) ((void)input_error(__VA_ARGS__), STATUS_INPUT)
#endif

/* Hands on what a function below says: STATUS_INPUT as an error of this key, other statuses as error_pass. */
Status input_pass(const Input *input, InputKey key, Status status, const Error *why, Error *error);

/* Remarks that are no errors ("not a multiple of the time step: rounded"), for the log. */
void input_note(Input *input, InputKey key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Remark i, or NULL after the last. */
const char *input_notes(const Input *input, int i);

/* Parameter i and its resolved value as YAML (NULL if it has none); NULL after the last. */
const Parameter *input_item(const Input *input, int i, const char **value);

/* Writes the resolved input, defaults included, as YAML that reads back to the same bits. Errors: STATUS_IO.
 */
Status input_print(const Input *input, FILE *file, Error *error);

/* Lists all keys of a table with what they want, their defaults and help. Errors: STATUS_IO. */
Status input_describe(const Parameter *table, FILE *file, Error *error);

/* The same as Markdown, a table for each section; and as JSON, an array of objects. */
Status input_describe_page(const Parameter *table, FILE *file, Error *error);
Status input_describe_json(const Parameter *table, FILE *file, Error *error);

/* A file with every key of a sort of system, its example or default for a value, the rest as comments. */
Status input_describe_example(const Parameter *table, int sort, FILE *file, Error *error);

#endif
