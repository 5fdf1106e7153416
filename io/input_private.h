/* What the files of the input reader share. */
#ifndef HOLONOM_IO_INPUT_PRIVATE_H
#define HOLONOM_IO_INPUT_PRIVATE_H

#include "io/input.h"

enum { KEY_MAX = 96 };

/* A parameter's state in one input. */
typedef struct Entry {
  const Parameter *parameter;
  bool given;        /* by the user                                        */
  bool overridden;   /* by --set, perhaps to "not given": the file's value does not count */
  int line;          /* in the file; 0 if absent, INT_MAX for --set         */
  int line_in_file;  /* also where the value does not count                 */
  const char *where; /* NULL if not given                                  */
  const char *text;  /* the value as YAML; NULL if there is none           */
  Quantity quantity; /* of the unit that was given                         */
} Entry;

/* A section, such as "system.wall". */
typedef struct Section {
  char path[KEY_MAX];
  int line; /* 0 if not in the file */
  const char *where;
} Section;

/* Messages, kept in the order of the file. */
typedef struct Messages {
  int n;
  int *line;
  const char **text;
} Messages;

struct Input {
  const Parameter *table;
  const char *name;
  int nentry, nsection;
  Entry *entry;
  Section *section;
  Messages complaints, notes;
  void *target;
  /* Everything that lives as long as the input. */
  int nkept;
  void **kept;
  bool memory; /* an allocation failed                      */
  bool broken; /* the file is no YAML mapping, so nothing was read */
};

/* Memory that input_free releases; NULL (and a mark on the input) if there is none. */
void *input_keep(Input *input, size_t size);
const char *input_keep_text(Input *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

Entry *input_entry(const Input *input, const char *key);
Section *input_section(const Input *input, const char *path);

/* A message at a place of the file (line 0: the top of it). */
void input_complain_at(Input *input, int line, const char *where, const char *key, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* What the user wrote, fit to be shown in a message: one line, not too long. */
typedef struct Shown {
  char text[64];
} Shown;
Shown input_shown(const char *text);

/* "unknown key", with the nearest one or with all that would be allowed there. */
void input_complain_unknown(Input *input, int line, const char *where, const char *key);

/* A file's value does not count if the command line gives the key or its rival. */
bool input_superseded(const Input *input, const Entry *entry);

/* input_yaml.c: reads the document and hands all values to the entries. */
void input_yaml_read(Input *input, const char *text, size_t length);

/* input_value.c: converts item[n] (one for a parameter that is no list), stores it in the target and keeps
 * its text; complains and returns false if it does not fit. */
bool input_value_set(Input *input, Entry *entry, int n, const char *const *item);
bool input_value_is_list(const Parameter *parameter);
/* Splits "[a, b]" or "a,b" and stores it. */
bool input_value_set_text(Input *input, Entry *entry, const char *text);
/* "a time > 0 in akma, fs, ps, ns, us". */
void input_value_wanted(const Parameter *parameter, char *text, size_t size);
const char *input_value_name(const Parameter *parameter, int i);

#endif
