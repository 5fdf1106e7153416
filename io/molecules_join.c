#include "io/molecules_join.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/scoped.h"
#include "io/yaml_tree.h"

SCOPED_POINTER(Molecules, molecules_free)

enum { FILE_MOST = 1 << 28 };

/* A part with its parsed file. */
typedef struct Source {
  const MoleculesPart *part;
  char *own; /* text of the file, if it was read here */
  YamlTree *tree;
  Molecules *all;
  const Molecule *molecule; /* the molecule of `all` that is used */
  bool *uses, *grids;       /* [all->ntype] types of its atoms, [all->ngrid] grids of its terms */
} Source;

typedef struct Join {
  int n;
  Source *source;
  Arena arena;
  FILE *out;
  Error *error;
} Join;

static void join_free(Join *j)
{
  for (int i = 0; i < j->n; i++) {
    free(j->source[i].own);
    yaml_tree_free(j->source[i].tree);
    molecules_free(j->source[i].all);
  }
  arena_free(&j->arena);
}

/* --- reading ----------------------------------------------------------------------------------------------
 */

/* The value of a key of a map; NULL: no such key. */
static const YamlNode *value_of(const YamlNode *map, const char *name)
{
  for (const YamlNode *key = map != NULL ? map->first : NULL; key != NULL; key = key->next->next)
    if (strcmp(key->text, name) == 0)
      return key->next;
  return NULL;
}

static const YamlNode *section(const Source *s, const char *name)
{
  return value_of(yaml_tree_root(s->tree), name);
}

static Status choose_molecule(const MoleculesPart *part, const Molecules *all, const Molecule **molecule,
                              Error *error)
{
  const char *name = part->molecule;
  if (name == NULL && all->nmolecule > 1)
    return error_set(error, STATUS_INPUT, "%s has %d molecules; choose one, as in %s:%s", part->path,
                     all->nmolecule, part->path, all->molecule[0].name);
  Nearest nearest = nearest_start(name != NULL ? name : "");
  *molecule = NULL;
  for (int i = 0; i < all->nmolecule; i++) {
    nearest_try(&nearest, all->molecule[i].name, 0.0);
    if (name == NULL || strcmp(all->molecule[i].name, name) == 0)
      *molecule = &all->molecule[i];
  }
  if (*molecule != NULL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s has no molecule '%s'%s", part->path, name,
                   nearest_hint(&nearest, "").text);
}

static Status read_source(Join *j, Source *s)
{
  const char *text = s->part->text;
  size_t length = text != NULL ? strlen(text) : 0;
  if (text == NULL) {
    TRY(file_read(s->part->path, FILE_MOST, &s->own, &length, j->error));
    text = s->own;
  }
  TRY(molecules_file_parse(&s->all, s->part->path, text, length, j->error));
  TRY(yaml_tree_parse(&s->tree, s->part->path, text, length, j->error));
  TRY(choose_molecule(s->part, s->all, &s->molecule, j->error));
  s->uses = arena_take(&j->arena, (size_t)s->all->ntype, sizeof *s->uses);
  s->grids = arena_take(&j->arena, (size_t)s->all->ngrid + 1, sizeof *s->grids);
  TRY(arena_check(&j->arena, "types of atoms", j->error));
  molecules_mark_grids(s->molecule, s->grids);
  for (int i = 0; i < s->molecule->natom; i++)
    s->uses[s->molecule->atom[i].type] = true;
  return STATUS_OK;
}

/* The first part whose rule matters; NULL: any rule fits. */
static const Source *ruler(const Join *j)
{
  for (int i = 0; i < j->n; i++)
    if (!j->source[i].part->any_rule)
      return &j->source[i];
  return NULL;
}

static Status check_rules(const Join *j)
{
  const Source *first = ruler(j);
  for (int i = 0; first != NULL && i < j->n; i++) {
    const Source *s = &j->source[i];
    const char *rule = section(s, "rule")->text, *other = section(first, "rule")->text;
    if (!s->part->any_rule && strcmp(rule, other) != 0)
      return error_set(j->error, STATUS_INPUT,
                       "%s has rule: %s, and %s rule: %s; all molecules of a system need the same rule",
                       s->part->path, rule, first->part->path, other);
  }
  return STATUS_OK;
}

static Status check_names(const Join *j)
{
  for (int i = 0; i < j->n; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(j->source[i].molecule->name, j->source[k].molecule->name) == 0)
        return error_set(j->error, STATUS_INPUT,
                         "%s and %s: both molecules are called %s; wanted: a name of its own for each",
                         j->source[k].part->path, j->source[i].part->path, j->source[i].molecule->name);
  return STATUS_OK;
}

void molecules_join_name(char *word, MoleculesPart *part)
{
  char *colon = file_lies(word) ? NULL : strrchr(word, ':');
  if (colon != NULL)
    *colon = '\0';
  part->path = word;
  part->molecule = colon != NULL ? colon + 1 : NULL;
}

/* --- writing ----------------------------------------------------------------------------------------------
 */

void molecules_join_scalar(FILE *out, const char *text)
{
  bool plain = isalnum((unsigned char)text[0]) ||
               (strchr("+-.", text[0]) != NULL && text[0] != '\0' && isalnum((unsigned char)text[1]));
  for (const char *c = text; *c != '\0'; c++)
    plain = plain && ((*c > 0 && isalnum((unsigned char)*c)) || strchr("_.+-*'/", *c) != NULL);
  if (plain) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if ((unsigned char)*c < 0x20 || *c == 0x7f)
      fprintf(out, "\\x%02x", (unsigned)*c);
    else
      fputc(*c, out);
  fputc('"', out);
}

/* Writes a node on one line. */
static void write_flow(FILE *out, const YamlNode *node) /* NOLINT(misc-no-recursion): 32 deep at most */
{
  if (node->kind == YAML_TREE_TEXT) {
    molecules_join_scalar(out, node->text);
    return;
  }
  const bool map = node->kind == YAML_TREE_MAP;
  fputc(map ? '{' : '[', out);
  int i = 0;
  for (const YamlNode *item = node->first; item != NULL; item = item->next, i++) {
    fputs(i == 0 ? "" : map && i % 2 == 1 ? ": " : ", ", out);
    write_flow(out, item);
  }
  fputc(map ? '}' : ']', out);
}

/* Writes the value of a key: a map by lines or a list of lists by rows, with `indent` blanks. */
static void write_block(FILE *out, const YamlNode *node, int indent) /* NOLINT(misc-no-recursion) */
{
  const bool map = node->kind == YAML_TREE_MAP, rows = node->kind == YAML_TREE_LIST;
  if (node->first == NULL || (!map && !(rows && node->first->kind == YAML_TREE_LIST))) {
    fputc(' ', out);
    write_flow(out, node);
    fputc('\n', out);
    return;
  }
  fputc('\n', out);
  for (const YamlNode *item = node->first; item != NULL; item = map ? item->next->next : item->next) {
    fprintf(out, "%*s%s", indent, "", rows ? "- " : "");
    write_flow(out, item);
    if (map) {
      fputc(':', out);
      write_block(out, item->next, indent + 2);
    } else
      fputc('\n', out);
  }
}

static int type_of(const Molecules *all, const char *name)
{
  for (int i = 0; i < all->ntype; i++)
    if (strcmp(all->type[i], name) == 0)
      return i;
  return -1;
}

/* Whether one of the first n parts has the type. */
static bool has_type(const Join *j, int n, const char *name)
{
  for (int i = 0; i < n; i++) {
    const int type = type_of(j->source[i].all, name);
    if (type >= 0 && j->source[i].uses[type])
      return true;
  }
  return false;
}

static void write_types(const Join *j)
{
  fputs("types:\n", j->out);
  for (int i = 0; i < j->n; i++) {
    const Source *s = &j->source[i];
    int type = 0;
    for (const YamlNode *key = section(s, "types")->first; key != NULL; key = key->next->next, type++)
      if (s->uses[type] && !has_type(j, i, key->text)) {
        fputs("  ", j->out);
        write_flow(j->out, key);
        fputs(": ", j->out);
        write_flow(j->out, key->next);
        fputc('\n', j->out);
      }
  }
}

/* Whether a row of a section of pairs is for these two types. */
static bool is_pair(const YamlNode *row, const char *one, const char *two)
{
  const char *a = row->first->text, *b = row->first->next->text;
  return (strcmp(a, one) == 0 && strcmp(b, two) == 0) || (strcmp(a, two) == 0 && strcmp(b, one) == 0);
}

/* Whether one of the first n parts has a row for these types in a section of pairs. */
static bool has_pair(const Join *j, int n, const char *name, const char *one, const char *two)
{
  for (int i = 0; i < n; i++) {
    const YamlNode *pairs = section(&j->source[i], name);
    for (const YamlNode *row = pairs != NULL ? pairs->first : NULL; row != NULL; row = row->next)
      if (is_pair(row, one, two))
        return true;
  }
  return false;
}

/* Writes a section of pairs of types, `pairs` or `c4`. */
static void write_pairs(const Join *j, const char *name)
{
  bool any = false;
  for (int i = 0; i < j->n; i++) {
    const YamlNode *pairs = section(&j->source[i], name);
    for (const YamlNode *row = pairs != NULL ? pairs->first : NULL; row != NULL; row = row->next) {
      const char *one = row->first->text, *two = row->first->next->text;
      if (!has_type(j, j->n, one) || !has_type(j, j->n, two) || has_pair(j, i, name, one, two))
        continue;
      fprintf(j->out, "%s%s  - ", any ? "" : name, any ? "" : ":\n");
      any = true;
      write_flow(j->out, row);
      fputc('\n', j->out);
    }
  }
}

static bool same_name(const TermGrid *a, const TermGrid *b)
{
  return strcmp(a->name, b->name) == 0 && term_grid_is_table(a) == term_grid_is_table(b);
}

/* Whether one of the first n parts uses a grid or table of this name. */
static bool has_grid(const Join *j, int n, const TermGrid *grid)
{
  for (int i = 0; i < n; i++)
    for (int g = 0; g < j->source[i].all->ngrid; g++)
      if (same_name(&j->source[i].all->grid[g], grid) && j->source[i].grids[g])
        return true;
  return false;
}

/* Writes the grids or the tables that molecules use. */
static void write_grids(const Join *j, bool tables)
{
  const char *name = tables ? "tables" : "grids";
  bool any = false;
  for (int i = 0; i < j->n; i++) {
    const Source *s = &j->source[i];
    const YamlNode *grids = section(s, name);
    int g = 0;
    while (tables && g < s->all->ngrid && !term_grid_is_table(&s->all->grid[g]))
      g++;
    for (const YamlNode *key = grids != NULL ? grids->first : NULL; key != NULL; key = key->next->next, g++) {
      if (!s->grids[g] || has_grid(j, i, &s->all->grid[g]))
        continue;
      fprintf(j->out, "%s%s  ", any ? "" : name, any ? "" : ":\n");
      any = true;
      write_flow(j->out, key);
      fputc(':', j->out);
      write_block(j->out, key->next, 4);
    }
  }
}

static void write_name(const Join *j, const char *before, const Source *s)
{
  fputs(before, j->out);
  molecules_join_scalar(j->out, s->molecule->name);
}

static void write_all(const Join *j)
{
  const Source *first = ruler(j);
  fprintf(j->out, "format: holonom-molecules 1\nrule: %s\n",
          first != NULL ? section(first, "rule")->text
          : j->n > 1    ? "lorentz-berthelot" /* as built-in ions mix with them */
                        : section(&j->source[0], "rule")->text);
  write_types(j);
  write_pairs(j, "pairs");
  write_pairs(j, "c4");
  write_grids(j, false);
  write_grids(j, true);
  fputs("molecules:\n", j->out);
  for (int i = 0; i < j->n; i++) {
    write_name(j, "  ", &j->source[i]);
    fputc(':', j->out);
    write_block(j->out, value_of(section(&j->source[i], "molecules"), j->source[i].molecule->name), 4);
  }
  fputs("system:\n", j->out);
  for (int i = 0; i < j->n; i++) {
    write_name(j, "  - [", &j->source[i]);
    fprintf(j->out, ", %d]\n", j->source[i].part->n);
  }
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

/* Checks that two types of a part interact in the joined file as in the part. */
static Status check_types(const Source *s, const Molecules *joined, const int *number, Error *error)
{
  const int n = s->all->ntype;
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) {
      if (number[a] < 0 || number[b] < 0)
        continue;
      const MoleculesDispersion *is = &joined->dispersion[number[a] * joined->ntype + number[b]],
                                *was = &s->all->dispersion[a * n + b];
      if (is->a == was->a && is->c == was->c &&
          molecules_c4(joined, number[a], number[b]) == molecules_c4(s->all, a, b))
        continue;
      char words[160];
      (void)snprintf(words, sizeof words, a == b ? "type %.60s" : "types %.60s and %.60s", s->all->type[b],
                     s->all->type[a]);
      return error_set(
          error, STATUS_INPUT,
          "%s has other numbers for %s than another file; wanted: different names for different types",
          s->part->path, words);
    }
  return STATUS_OK;
}

static Status check_grids(const Source *s, const Molecules *joined, Error *error)
{
  for (int g = 0; g < s->all->ngrid; g++)
    for (int k = 0; k < joined->ngrid; k++) {
      const TermGrid *was = &s->all->grid[g], *is = &joined->grid[k];
      if (!s->grids[g] || !same_name(was, is))
        continue;
      const char *what = term_grid_is_table(was) ? "table" : "grid";
      if (was->n != is->n || was->from != is->from || was->to != is->to ||
          memcmp(was->value, is->value, (size_t)term_grid_values(is) * sizeof *is->value) != 0)
        return error_set(error, STATUS_INPUT,
                         "%s has another %s %s than another file; wanted: different names for different %ss",
                         s->part->path, what, was->name, what);
    }
  return STATUS_OK;
}

static Status check_joined(const Join *j, const Molecules *joined)
{
  SCOPED(arena_free) Arena arena = {0};
  for (int i = 0; i < j->n; i++) {
    const Source *s = &j->source[i];
    int *number = arena_take(&arena, (size_t)s->all->ntype, sizeof *number);
    TRY(arena_check(&arena, "types of atoms", j->error));
    for (int a = 0; a < s->all->ntype; a++)
      number[a] = type_of(joined, s->all->type[a]);
    TRY(check_types(s, joined, number, j->error));
    TRY(check_grids(s, joined, j->error));
  }
  return STATUS_OK;
}

static Status read_all(Join *j, const MoleculesPart *part, int n)
{
  j->source = arena_take(&j->arena, (size_t)n, sizeof *j->source);
  TRY(arena_check(&j->arena, "files of molecules", j->error));
  for (; j->n < n; j->n++) { /* counted when it has memory to free */
    Source *s = &j->source[j->n];
    s->part = &part[j->n];
    const Status status = read_source(j, s);
    if (status != STATUS_OK) {
      j->n++;
      return status;
    }
  }
  TRY(check_rules(j));
  return check_names(j);
}

Status molecules_join(int npart, const MoleculesPart *part, char **text, Molecules **molecules, Error *error)
{
  SCOPED(join_free) Join j = {.error = error};
  SCOPED(scoped_free) char *made = NULL;
  SCOPED(molecules_free_at) Molecules *joined = NULL;
  size_t length = 0;
  *text = NULL;
  *molecules = NULL;
  TRY(read_all(&j, part, npart));
  j.out = open_memstream(&made, &length);
  TRY_MEMORY(j.out != NULL, "a file of molecules", error);
  write_all(&j);
  TRY_MEMORY(fclose(j.out) == 0, "a file of molecules", error);
  TRY(molecules_file_parse(&joined, "the joined file", made, length, error));
  TRY(check_joined(&j, joined));
  *text = made;
  *molecules = joined;
  made = NULL;
  joined = NULL;
  return STATUS_OK;
}
