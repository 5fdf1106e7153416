/* Shared by the files of the reader of molecules. */
#ifndef HOLONOM_IO_MOLECULES_READER_H
#define HOLONOM_IO_MOLECULES_READER_H

#include "io/molecules_file.h"
#include "io/yaml_tree.h"

/* Sorted names with the indices that they refer to. */
typedef struct MoleculesNames {
  int n;
  struct MoleculesNameAt {
    const char *name;
    int at, line;
  } * item;
} MoleculesNames;

typedef struct MoleculesReader {
  const char *file;
  const char *molecule; /* the molecule being read, or NULL */
  Molecules *molecules;
  MoleculesNames types, grids, tables, names; /* of types, grids, tables and molecules */
  Arena arena;                                /* memory for the reader alone */
  Error *error;
} MoleculesReader;

/* STATUS_INPUT with "file:line: molecule NAME: ..." */
Status molecules_reader_wrong(const MoleculesReader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* as in base/status.h */
#define molecules_reader_wrong(...) ((void)molecules_reader_wrong(__VA_ARGS__), STATUS_INPUT)
#endif

/* A note "file:line: molecule NAME: ..." for the log; there is room for one on each molecule, each
 * grid and each table. */
Status molecules_reader_note(MoleculesReader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The values of a map's keys, names ended by NULL; NULL for keys that are not given. Unknown and repeated
 * keys are errors. */
Status molecules_reader_keys(const MoleculesReader *r, const YamlNode *map, const char *const *name,
                             const YamlNode **value);

/* The items of a row, between least and most; *n (may be NULL): their number. */
Status molecules_reader_row(const MoleculesReader *r, const YamlNode *row, int least, int most,
                            const char *wanted, const YamlNode **field, int *n);

/* Checks that the node is a list. */
Status molecules_reader_list(const MoleculesReader *r, const YamlNode *node, const char *key,
                             const char *wanted);

/* A finite number, or a whole number, from least to most. */
Status molecules_reader_real(const MoleculesReader *r, const YamlNode *node, const char *what, double least,
                             double most, double *value);
Status molecules_reader_whole(const MoleculesReader *r, const YamlNode *node, const char *what, int least,
                              int most, int *value);

/* A name as molecules store it: letters without blanks, of limited length. */
Status molecules_reader_text(MoleculesReader *r, const YamlNode *node, const char *what, const char **text);

/* The index of one of some words, ended by NULL. */
Status molecules_reader_word(const MoleculesReader *r, const YamlNode *node, const char *what,
                             const char *const *words, int *value);

/* The keys of a map as names (repeated names are errors); the index that one of them refers to. */
Status molecules_reader_names(MoleculesReader *r, const YamlNode *map, const char *what,
                              MoleculesNames *names);
Status molecules_reader_name(const MoleculesReader *r, const YamlNode *node, const char *what,
                             const MoleculesNames *names, int *value);

/* Reads everything below a molecule's name; the name is already set. */
Status molecules_reader_molecule(MoleculesReader *r, const YamlNode *node, Molecule *molecule);

#endif
