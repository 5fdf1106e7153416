/* Shared by the files of the input reader. */
#ifndef HOLONOM_IO_INPUT_PRIVATE_H
#define HOLONOM_IO_INPUT_PRIVATE_H

#include "io/input.h"

enum { KEY_MAX = 96 };

/* The place of a key or value. */
typedef struct Location {
  int line;          /* of the file; INT_MAX: --set; 0: not given */
  const char *where; /* "water.yaml:12", "--set key=value"; NULL: the whole file */
} Location;

/* A parameter's state in one input. */
typedef struct Entry {
  const Parameter *parameter;
  void *base;      /* the struct that the parameter's offset refers to */
  bool given;      /* by the user */
  bool pure;       /* a number without a unit in this input */
  bool dropped;    /* not allowed in this input: omitted in printouts */
  bool overridden; /* by --set, perhaps to "not given": the file's value is ignored */
  Location location;
  int line_in_file;     /* also if the file's value is ignored */
  const char *text;     /* the value as YAML; NULL: none */
  const char *file;     /* the value itself, if the parameter names a file */
  Quantity quantity;    /* dimension of the given unit */
  double amount;        /* a whole number that was given with a unit */
  int nrecord;          /* of a list of records */
  struct Entry *record; /* [nrecord][1 + rows of their table]: the record itself, then its keys */
  int nname;            /* of a map, in the order of the file */
  struct MapName *first, *last;
} Entry;

/* One line of a map. */
typedef struct MapName {
  struct MapName *next;
  const char *map, *name, *value; /* map: its key; value NULL: removed */
  Location location;
  bool overridden, in_file;
} MapName;

/* A section, such as "system.wall". */
typedef struct Section {
  char path[KEY_MAX];
  Location location;
} Section;

/* Messages in the order of the file. */
typedef struct Message {
  int line;
  const char *text;
} Message;
typedef struct Messages {
  int n;
  Message *item;
} Messages;

struct Input {
  const Parameter *table;
  const char *name;
  int sort; /* index of the system type */
  int nentry, nsection;
  Entry *entry;
  Section *section;
  Messages complaints, notes;
  void *names; /* the lines of all maps, as a tree (search.h) */
  void *target;
  /* Memory that lives as long as the input. */
  int nkept;
  void **kept;
  bool memory;   /* an allocation failed */
  bool unitless; /* bare numbers have no unit */
  bool broken;   /* the file is not a YAML mapping: nothing was read */
};

/* Memory that input_free frees; NULL, and a mark on the input, if the system has no more. */
void *input_keep(Input *input, size_t size);
const char *input_keep_text(Input *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

Entry *input_entry(const Input *input, const char *path);
Entry *input_entry_of(const Input *input, InputKey key);
Section *input_section(const Input *input, const char *path);

/* input_complain with the key's name. */
void input_complain_of(Input *input, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An error or a note at a place. */
void input_message(Input *input, Messages *messages, Location location, const char *key, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));
#define input_complain_at(input, ...) input_message(input, &(input)->complaints, __VA_ARGS__)
#define input_note_at(input, ...)     input_message(input, &(input)->notes, __VA_ARGS__)

/* Text of the user, made fit for a message: one line, not too long. */
typedef struct Shown {
  char text[64];
} Shown;
Shown input_shown(const char *text);

/* input_unknown.c: reports an unknown key with the nearest one, all allowed keys, or the table's answer.
 * `section`: its value is a mapping. */
void input_unknown(Input *input, Location location, const char *key, bool section);

/* input_old.c: the key to read for a given key: the same, the new name of an old key (with a note), or
 * NULL if there is nothing to read. */
const char *input_old(Input *input, Location location, const char *key);
/* The old names of a row, "a, b". */
void input_old_names(const InputOld *old, int row, char *text, size_t size);

/* Gives a key that was not given its default, or reports it as missing. */
void input_complete(Input *input, Entry *entry);

/* The key that excludes this one, or NULL. */
const Entry *input_rival(const Input *input, const Entry *entry);
void input_complain_missing(Input *input, const Entry *entry);

/* input_meaning.c: whether a missing key can be reported only after the rest is known. */
bool input_meaning_late(const Parameter *parameter);
/* System types by name, "cluster, box", or in words, joined by "or". */
void input_meaning_sorts(const InputSort *sort, unsigned sorts, bool name, char *text, size_t size);

/* A file's value is ignored if the command line gives the key or its rival. */
bool input_superseded(const Input *input, const Entry *entry);

/* input_yaml.c: reads the document and stores all values in the entries. */
void input_yaml_read(Input *input, const char *text, size_t length);

/* The same for a list of records or a map in YAML's short form. */
void input_yaml_value(Input *input, Entry *entry, const char *text);

/* input_records.c: makes room for n records, whose keys are not given yet; NULL: no memory. */
Entry *input_records_start(Input *input, Entry *entry, int n);
/* The keys of record i. */
Entry *input_records_row(const Entry *entry, int i);
int input_records_rows(const Entry *entry);
/* The entry of "list[2]" or "list[2].key", or NULL. */
Entry *input_records_find(const Input *input, const char *key);
/* Reports that "list[9]", or a key in it, does not exist, with what exists. False if there is no such
 * list. */
bool input_records_complain(Input *input, Location location, const char *key);
/* Defaults, reports of missing keys, and the texts of all records. */
void input_records_complete(Input *input, Entry *entry);
void input_records_print(const Entry *entry, FILE *file, int indent);
/* "mass, position, ...". */
void input_records_keys(const Parameter *parameter, char *text, size_t size);

/* input_map.c: adds a name from the file or the command line. */
void input_map_add(Input *input, Entry *entry, const char *name, const char *value, Location location);
void input_map_override(Input *input, Entry *entry, const char *name, const char *value, Location location);
void input_map_free(Input *input);
const MapName *input_map_find(const Input *input, const char *key);
/* Stores the map in the target. */
void input_map_complete(Input *input, Entry *entry);
/* Whether the value may be a map. */
static inline bool input_map_may_be(const Parameter *parameter)
{
  return parameter->type == PARAMETER_MAP || parameter->map > 0;
}
/* Whether an item of a map that may name files names one. */
bool input_map_names_file(const Entry *entry, const MapName *item);
/* The map as text, with renamed files; NULL: no memory. */
const char *input_map_rename(Input *input, const Entry *entry,
                             const char *(*rename)(Input *, const char *, const char *), const char *folder);

/* input_print.c: opens the sections of a key that the key before was not in; returns the key's indent. */
int input_print_sections(FILE *file, const char *before, const char *key);

/* A text as a YAML string; NULL if it is not UTF-8 (or there is no memory). */
const char *input_value_quoted(Input *input, const char *text);

/* input_value.c: converts text[n] (n = 1 unless the parameter is a list), stores it in the target and its
 * text in the entry; reports values that do not fit. */
void input_value_set(Input *input, Entry *entry, int n, const char *const *text);
bool input_value_is_list(const Parameter *parameter);
/* Splits "[a, b]" or "a,b" and stores it. */
void input_value_set_text(Input *input, Entry *entry, const char *text);
/* "a time > 0 in akma, fs, ps, ns, us"; without units: "a time > 0". */
void input_value_wanted(const Parameter *parameter, bool unitless, char *text, size_t size);
const char *input_value_name(const Parameter *parameter, int i);

#endif
