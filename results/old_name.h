/* Names that columns of tables and keys of summary.yaml had in earlier versions. Files of those are read, and
 * callers may ask for either name. */
#ifndef HOLONOM_RESULTS_OLD_NAME_H
#define HOLONOM_RESULTS_OLD_NAME_H

typedef struct OldName {
  char text[64];
} OldName;

/* The other name of a column, with "_err" if it is an error's: of an old one the present, of that the old;
 * "" if it has only ever had one. */
OldName old_name_other(const char *name);

#endif
