/* What the files of the input reader share. */
#ifndef HOLONOM_IO_INPUT_PRIVATE_H
#define HOLONOM_IO_INPUT_PRIVATE_H

#include "io/input.h"

enum { KEY_MAX = 96 };

/* Where something was given. */
typedef struct Location {
  int line;          /* of the file; INT_MAX: --set; 0: it was not              */
  const char *where; /* "water.yaml:12", "--set key=value"; NULL: the whole file */
} Location;

/* A parameter's state in one input. */
typedef struct Entry {
  const Parameter *parameter;
  void *base;      /* the struct that the parameter's offset counts in   */
  bool given;      /* by the user                                        */
  bool pure;       /* a number without a unit, whatever the table says */
  bool dropped;    /* has no place in this input, so that printouts leave it out */
  bool overridden; /* by --set, perhaps to "not given": the file's value does not count */
  Location location;
  int line_in_file;     /* also where the value does not count                 */
  const char *text;     /* the value as YAML; NULL if there is none           */
  const char *file;     /* the value itself, where the parameter names a file */
  Quantity quantity;    /* of the unit that was given                         */
  double amount;        /* of a whole number, where a unit was given          */
  int nrecord;          /* of a list of records                               */
  struct Entry *record; /* [nrecord][1 + rows of their table]: the record itself, then its keys */
  int nname;            /* of a map, in the order in which they come                  */
  struct MapName *first, *last;
} Entry;

/* One line of a map. */
typedef struct MapName {
  struct MapName *next;
  const char *map, *name, *value; /* map: its key; value NULL: taken away */
  Location location;
  bool overridden, in_file;
} MapName;

/* A section, such as "system.wall". */
typedef struct Section {
  char path[KEY_MAX];
  Location location;
} Section;

/* Messages, kept in the order of the file. */
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
  int sort; /* of the table's sorts */
  int nentry, nsection;
  Entry *entry;
  Section *section;
  Messages complaints, notes;
  void *names; /* the lines of all maps, as a tree (search.h) */
  void *target;
  /* Everything that lives as long as the input. */
  int nkept;
  void **kept;
  bool memory;   /* an allocation failed                      */
  bool unitless; /* bare numbers are in no unit                 */
  bool broken;   /* the file is no YAML mapping, so nothing was read */
};

/* Memory that input_free releases; NULL (and a mark on the input) if there is none. */
void *input_keep(Input *input, size_t size);
const char *input_keep_text(Input *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

Entry *input_entry(const Input *input, const char *path);
Entry *input_entry_of(const Input *input, InputKey key);
Section *input_section(const Input *input, const char *path);

/* input_complain by the key's name. */
void input_complain_of(Input *input, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A complaint or a remark at a place. */
void input_message(Input *input, Messages *messages, Location location, const char *key, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));
#define input_complain_at(input, ...) input_message(input, &(input)->complaints, __VA_ARGS__)
#define input_note_at(input, ...)     input_message(input, &(input)->notes, __VA_ARGS__)

/* What the user wrote, fit to be shown in a message: one line, not too long. */
typedef struct Shown {
  char text[64];
} Shown;
Shown input_shown(const char *text);

/* input_unknown.c: "unknown key", with the nearest one, with all that would be allowed there, or with what
 * the table says of it. `section`: its value is a mapping. */
void input_unknown(Input *input, Location location, const char *key, bool section);

/* input_old.c: the key to take in the place of one that was given, with a remark if that is an old name: the
 * same, a new one, or NULL, where there is nothing to read. */
const char *input_old(Input *input, Location location, const char *key);
/* The old names of a row, "a, b". */
void input_old_names(const InputOld *old, int row, char *text, size_t size);

/* What becomes of a key that nobody gave: its default, or a complaint. */
void input_complete(Input *input, Entry *entry);

/* The key that excludes this one, or NULL. */
const Entry *input_rival(const Input *input, const Entry *entry);
void input_complain_missing(Input *input, const Entry *entry);

/* input_meaning.c: whether a missing key can be complained of only when the rest is known. */
bool input_meaning_late(const Parameter *parameter);
/* Sorts by name, "cluster, box", or in words, joined by "or". */
void input_meaning_sorts(const InputSort *sort, unsigned sorts, bool name, char *text, size_t size);

/* A file's value does not count if the command line gives the key or its rival. */
bool input_superseded(const Input *input, const Entry *entry);

/* input_yaml.c: reads the document and hands all values to the entries. */
void input_yaml_read(Input *input, const char *text, size_t length);

/* The same for a list of records or a map given in YAML's short form. */
void input_yaml_value(Input *input, Entry *entry, const char *text);

/* input_records.c: room for n records, their keys not given yet; NULL: no memory. */
Entry *input_records_start(Input *input, Entry *entry, int n);
/* The keys of record i. */
Entry *input_records_row(const Entry *entry, int i);
int input_records_rows(const Entry *entry);
/* The entry of "list[2]" or "list[2].key", or NULL. */
Entry *input_records_find(const Input *input, const char *key);
/* Where "list[9]" or what is in it does not exist: says what there is. False if there is no such list. */
bool input_records_complain(Input *input, Location location, const char *key);
/* Defaults, complaints of what is missing, and the texts of all records. */
void input_records_complete(Input *input, Entry *entry);
void input_records_print(const Entry *entry, FILE *file, int indent);
/* "mass, position, ...". */
void input_records_keys(const Parameter *parameter, char *text, size_t size);

/* input_map.c: a name of the file or of the command line. */
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
/* Whether a name of a map that may name files is one's. */
bool input_map_names_file(const Entry *entry, const MapName *item);
/* The map as text, with other names for those of files; NULL: no memory. */
const char *input_map_rename(Input *input, const Entry *entry,
                             const char *(*rename)(Input *, const char *, const char *), const char *folder);

/* input_print.c: opens the sections of a key that the key before was not in; the indent of the key. */
int input_print_sections(FILE *file, const char *before, const char *key);

/* A text as a YAML string; NULL if it is not UTF-8 (or there is no memory). */
const char *input_value_quoted(Input *input, const char *text);

/* input_value.c: converts text[n] (one for a parameter that is no list), stores it in the target and keeps
 * its text; complains if it does not fit. */
void input_value_set(Input *input, Entry *entry, int n, const char *const *text);
bool input_value_is_list(const Parameter *parameter);
/* Splits "[a, b]" or "a,b" and stores it. */
void input_value_set_text(Input *input, Entry *entry, const char *text);
/* "a time > 0 in akma, fs, ps, ns, us"; without the units: "a time > 0". */
void input_value_wanted(const Parameter *parameter, bool unitless, char *text, size_t size);
const char *input_value_name(const Parameter *parameter, int i);

#endif
