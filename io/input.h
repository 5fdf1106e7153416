/* Reads input files (YAML) into a caller's struct by a table that declares each parameter once.
 *
 * The table serves the reader, all messages, the list of keys (input_describe), the printout of the
 * resolved input (input_print) and the overrides of the command line (--set key=value).
 *
 * A key is a path with dots: "integrator.timestep" is the key timestep in the section integrator. Numbers
 * with a dimension may have a unit ("2 fs"); bare numbers are AKMA, temperatures kelvin. */
#ifndef HOLONOM_IO_INPUT_H
#define HOLONOM_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "engine/units.h"

/* Lists in the caller's struct; the Input owns the memory. */
typedef struct InputReals {
  int n;
  const double *value;
} InputReals;

typedef struct InputStrings {
  int n;
  const char *const *value;
} InputStrings;

/* A list of records: `item` points to n structs, which the parameter's table `record` describes. */
typedef struct InputRecords {
  int n;
  const void *item;
} InputRecords;

/* "name: value" lines with names that the user chose, in the order of the file. */
typedef struct InputMap {
  int n;
  const char *const *name, *const *value;
} InputMap;

typedef enum ParameterType {                    /* field of the caller's struct */
                             PARAMETER_INT,     /* int */
                             PARAMETER_INT64,   /* int64_t; with a quantity: or an amount, see input_count */
                             PARAMETER_REAL,    /* double, converted to AKMA */
                             PARAMETER_BOOL,    /* bool */
                             PARAMETER_STRING,  /* const char * */
                             PARAMETER_NAME,    /* const char *: one of the names, as the list spells it */
                             PARAMETER_CHOICE,  /* int or an enum: the index in the list of names */
                             PARAMETER_REALS,   /* InputReals */
                             PARAMETER_STRINGS, /* InputStrings */
                             PARAMETER_CHOICES, /* unsigned: bit i is set if name i is in the list */
                             PARAMETER_RECORDS, /* InputRecords */
                             PARAMETER_MAP      /* InputMap */
} ParameterType;

enum { LIMIT_ABOVE = 1, LIMIT_FROM = 2, LIMIT_TO = 4, LIMIT_BELOW = 8 };

/* A system type that an input can describe; the last has no name. */
typedef struct InputSort {
  const char *name, *words; /* "box", "a periodic box (system.box)" */
  bool brief;               /* the printout omits keys that have no effect, or a given rival */
  int example;              /* index of this system type's example in a key */
  const char *measured;     /* where such systems measure instead: "output.observables, ..."; NULL: nowhere */
} InputSort;

/* A condition on the struct that was read, which gives a key a meaning or another default. */
typedef struct InputCondition {
  bool (*holds)(const void *target);
  const char *with;    /* "with penalties", after a default */
  const char *without; /* "without penalties", after "has no effect" */
  bool hidden;         /* where it is false, every printout omits the keys that need it */
} InputCondition;

/* A key of earlier versions, which is still read, with a note. */
typedef struct InputOld {
  const char *key;
  int row;           /* row of the present key; -1: removed, its value has no effect */
  const char *words; /* why it was removed; NULL: it was renamed */
} InputOld;

/* The row that ends a table has no key. Its names, if any, are keys of other programs, each followed by an
 * answer to the user; `sort` lists the system types; `old` lists keys of earlier versions. */
typedef struct Parameter {
  const char *key;
  ParameterType type;
  size_t offset;              /* of the field in the caller's struct */
  Quantity quantity;          /* dimension of its numbers */
  Quantity alternative;       /* another allowed dimension (see input_quantity), or NONE */
  int limits;                 /* LIMIT_... : x > min or x >= min, x <= max or x < max */
  double min, max;            /* in the unit of bare numbers */
  const char *const *names;   /* ended by NULL; or, instead of the array: */
  const char *(*name)(int i); /* name i of a registry, NULL after the last */
  const char *fallback;       /* the default as text; NULL: none */
  struct InputLate {
    const InputCondition *where; /* where it is true, `text` is the default instead of `fallback` */
    const char *text;
  } late[2];                   /* the first that is true; entries without a condition are unused */
  bool measures;               /* where it is not allowed, the message quotes the sort's `measured` */
  bool optional;               /* may be missing without a default (the field is unchanged) */
  const char *absent;          /* optional: the value used then, in words; may be NULL */
  unsigned sorts;              /* bit i: allowed in system type i; 0: in all */
  const char *elsewhere;       /* advice for other system types; may be NULL */
  const InputCondition *needs; /* condition under which it has a meaning; NULL: always */
  bool refused;                /* if `needs` is false: an error instead of a note */
  const char *example[2];      /* for input_example; NULL: the default */
  const char *rival; /* the key that excludes this one: exactly one is required, or at most one where both are
                        optional */
  bool path;         /* a text that names a file, relative to the folder of the input file */
  size_t map; /* single values: offset of an InputMap for 'name: value' lines, allowed instead of the value;
                 0: none. A name with a dot or a slash is a file, with ':' and a name in it if needed */
  bool adjustable; /* may change during a run: earlier results do not depend on it */
  const char *help;
  bool lists;                     /* maps: values may be lists, "[1, 2]" as text */
  int unitless;                   /* choices: 1 + the index for which numbers have no units; 0: none */
  const char *wanted;             /* texts: description of the allowed value, instead of "a text" */
  const struct Parameter *record; /* records: the table of one record, with offsets in its struct */
  size_t size;                    /* records: size of that struct */
  const InputSort *sort;          /* in the row that ends a table */
  const InputOld *old;            /* likewise; the last has no key; NULL: none */
} Parameter;

typedef struct Input Input;

/* A key of an input: its row in the table; in a list also the number of a record, from 1, and perhaps a
 * key of the record; in a map a name. Tables whose keys the code uses name their rows (see KEY in
 * config/config.h). */
typedef struct InputKey {
  int row;
  int record;       /* 0: none */
  const char *name; /* in a record or a map; NULL: none */
  bool section;     /* the section of the key, not the key */
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

/* Reads a file into *target, whose fields should be zero. set[nset] holds overrides, "key=value": such a
 * value replaces the file's value and its rival's; "key=" removes a key. Keys in a list of records count
 * from 1, "system.sites[2].mass", also in messages and in the functions below. An override can change a
 * key of a record, change a name of a map that the file has, or set a whole list in YAML's short form.
 * Errors: STATUS_INPUT with up to ten messages, one a line, each with file, line, key, what was found,
 * what is allowed and the nearest valid name; STATUS_MEMORY; STATUS_IO. On error *out is NULL. */
Status input_load(Input **out, const Parameter *table, const char *path, const char *const *set, int nset,
                  void *target, Error *error);

/* The same from text[length]; messages use `name` for the file. */
Status input_parse(Input **out, const Parameter *table, const char *name, const char *text, size_t length,
                   const char *const *set, int nset, void *target, Error *error);

/* Frees the input and all strings and lists in the struct that was read. NULL is allowed. */
void input_free(Input *input);

/* The name of the file. */
const char *input_name(const Input *input);

/* The path of a file that the input names (relative names start at the input's folder), usable from the
 * working directory. The caller frees it; NULL: no memory. */
char *input_path(const Input *input, const char *name);

/* Path of file i that a run of this input reads: the input itself (*key is NULL), then the files that its
 * keys name. False after the last. */
bool input_path_file(const Input *input, int i, char **path, const char **key);

/* Makes the file names that input_print and input_item return relative to `folder` where the two have a
 * folder in common, else absolute. STATUS_MEMORY. */
Status input_path_rebase(Input *input, const char *folder, Error *error);

/* Whether the user set this key, in the file or by --set. */
bool input_given(const Input *input, InputKey key);

/* The place of a key: "water.yaml:12" or "--set key=value"; if it was not given, its section or the file. */
const char *input_where(const Input *input, InputKey key);

/* The dimension of the unit of the given number; QUANTITY_NONE for a bare number. */
Quantity input_quantity(const Input *input, InputKey key);

/* Sets a key that was not given and whose default depends on others; it is printed as a default. The
 * struct that was read must still exist. */
void input_default(Input *input, InputKey key, const char *text);

/* Marks a number without a unit in this input, so that a bare one gets no note. */
void input_pure(Input *input, InputKey key);

/* Formats a number in the unit that the user gave for the key, "12.5 ps", in text[size]; bare if that was
 * bare. */
const char *input_amount(const Input *input, InputKey key, double value, char *text, size_t size);

/* The same with a unit, " A", if the key was bare or not given. */
const char *input_amount_in(const Input *input, InputKey key, double value, const char *unit, char *text,
                            size_t size);

/* Converts whole numbers that were given as amounts (96 fs) to multiples of `unit`, the value of that key;
 * reports amounts that are no multiple. */
void input_count(Input *input, InputKey key, double unit);

/* Collects an error found after reading: "water.yaml:12: integrator.timestep: ...". */
void input_complain(Input *input, InputKey key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns all collected errors in the order of the file; STATUS_OK without errors. */
Status input_verdict(Input *input, Error *error);

/* Reports a key that was not given as missing, with its allowed values. */
void input_require(Input *input, InputKey key);

/* Removes the default of a key that is not allowed in this input, and the key from input_print, unless the
 * user set it. */
void input_drop(Input *input, InputKey key);

/* Sets the system type of the input: reports keys that are not allowed in it and sets the other keys' late
 * defaults. */
void input_meaning_sort(Input *input, int sort);

/* After all is resolved: reports keys that are missing or have no meaning, and notes those without effect. */
void input_meaning_check(Input *input);

/* Numbers have no units in this input: reports each number with a unit, with `reason`. */
void input_unitless(Input *input, const char *reason);

/* Describes in words[size] the first time, length or temperature of the file without a unit: its value in
 * fs, A or K, and how to write the unit. False, words unchanged: all have units. */
bool input_bare(const Input *input, char *words, size_t size);

/* input_complain and input_verdict in one, for a single error: returns STATUS_INPUT. */
Status input_error(const Input *input, InputKey key, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#ifdef __clang_analyzer__ /* as in base/status.h */
#define input_error(...) ((void)input_error(__VA_ARGS__), STATUS_INPUT)
#endif

/* Passes on a status: STATUS_INPUT becomes an error of this key, others as error_pass. */
Status input_pass(const Input *input, InputKey key, Status status, const Error *why, Error *error);

/* Adds a note for the log, which is not an error ("not a multiple of the time step: rounded"). */
void input_note(Input *input, InputKey key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Note i; NULL after the last. */
const char *input_notes(const Input *input, int i);

/* Parameter i and its resolved value as YAML (NULL: no value); NULL after the last. */
const Parameter *input_item(const Input *input, int i, const char **value);

/* Writes the resolved input with its defaults as YAML, which reads back to the same bits. STATUS_IO. */
Status input_print(const Input *input, FILE *file, Error *error);

/* Lists all keys of a table with their allowed values, defaults and help. STATUS_IO. */
Status input_describe(const Parameter *table, FILE *file, Error *error);

/* The same as Markdown, with a table for each section; and as JSON, an array of objects. */
Status input_describe_page(const Parameter *table, FILE *file, Error *error);
Status input_describe_json(const Parameter *table, FILE *file, Error *error);

/* Writes an input file with every key of a system type: its example, or its default, or else a comment. */
Status input_describe_example(const Parameter *table, int sort, FILE *file, Error *error);

#endif
