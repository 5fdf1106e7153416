#include "io/molecules_file.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "engine/state.h"
#include "io/molecules_reader.h"

enum { FILE_MOST = 1 << 28, TYPES_MAX = 2000, GRIDS_MAX = 1000, FIELDS = 10 };

static const char format_wanted[] = "holonom-molecules 1";

/* --- types ------------------------------------------------------------------------------------------------
 */

/* sigma and epsilon; NaN if a and c do not determine them. */
typedef struct Sizes {
  double sigma, epsilon;
} Sizes;

static MoleculesDispersion dispersion_of(Sizes s)
{
  const double six = pow(s.sigma, 6.0);
  return (MoleculesDispersion){4.0 * s.epsilon * six * six, 4.0 * s.epsilon * six};
}

/* Reads {c12: ..., c6: ...}. */
static Status read_powers(MoleculesReader *r, const YamlNode *node, MoleculesDispersion *to, Sizes *sizes)
{
  static const char *const keys[] = {"c12", "c6", NULL};
  const YamlNode *value[2];
  TRY(molecules_reader_keys(r, node, keys, value));
  if (value[0] == NULL || value[1] == NULL)
    return molecules_reader_wrong(r, node->line, "wanted: {c12: kcal A^12/mol, c6: kcal A^6/mol}");
  TRY(molecules_reader_real(r, value[0], "c12", 0.0, HUGE_VAL, &to->a));
  TRY(molecules_reader_real(r, value[1], "c6", 0.0, HUGE_VAL, &to->c));
  const bool both = to->a > 0.0 && to->c > 0.0, none = to->a == 0.0 && to->c == 0.0;
  *sizes = both   ? (Sizes){pow(to->a / to->c, 1.0 / 6.0), to->c * to->c / (4.0 * to->a)}
           : none ? (Sizes){0.0, 0.0}
                  : (Sizes){(double)NAN, (double)NAN};
  return STATUS_OK;
}

static Status read_sizes(MoleculesReader *r, const YamlNode *sigma, const YamlNode *epsilon,
                         MoleculesDispersion *to, Sizes *sizes)
{
  TRY(molecules_reader_real(r, sigma, "sigma (A)", 0.0, 1e3, &sizes->sigma));
  TRY(molecules_reader_real(r, epsilon, "epsilon (kcal/mol)", 0.0, HUGE_VAL, &sizes->epsilon));
  *to = dispersion_of(*sizes);
  if (!isfinite(to->a) || !isfinite(to->c))
    return molecules_reader_wrong(r, sigma->line, "sigma and epsilon are too large");
  return STATUS_OK;
}

static Status read_type(MoleculesReader *r, const YamlNode *key, const YamlNode *node,
                        MoleculesDispersion *to, Sizes *sizes)
{
  if (node->kind == YAML_TREE_MAP)
    return read_powers(r, node, to, sizes);
  const YamlNode *field[FIELDS];
  char what[128];
  (void)snprintf(what, sizeof what, "type %.60s: [sigma, epsilon] or {c12: ..., c6: ...}", key->text);
  TRY(molecules_reader_row(r, node, 2, 2, what, field, NULL));
  return read_sizes(r, field[0], field[1], to, sizes);
}

/* Mixes two types. */
static Status mix(MoleculesReader *r, bool geometric, const Sizes *sizes, int i, int j,
                  MoleculesDispersion *to)
{
  const Molecules *m = r->molecules;
  const MoleculesDispersion *a = &m->dispersion[i * m->ntype + i], *b = &m->dispersion[j * m->ntype + j];
  if (geometric) {
    *to = (MoleculesDispersion){sqrt(a->a) * sqrt(b->a), sqrt(a->c) * sqrt(b->c)};
    return STATUS_OK;
  }
  if (isnan(sizes[i].sigma) || isnan(sizes[j].sigma))
    return molecules_reader_wrong(
        r, r->types.item[0].line,
        "type %s has only one of c12 and c6, so no sigma: lorentz-berthelot cannot mix it; wanted: rule: "
        "geometric",
        m->type[isnan(sizes[i].sigma) ? i : j]);
  *to = dispersion_of(
      (Sizes){0.5 * (sizes[i].sigma + sizes[j].sigma), sqrt(sizes[i].epsilon) * sqrt(sizes[j].epsilon)});
  return STATUS_OK;
}

static Status mix_all(MoleculesReader *r, bool geometric, const Sizes *sizes)
{
  Molecules *m = r->molecules;
  for (int i = 0; i < m->ntype; i++)
    for (int j = 0; j < i; j++) {
      MoleculesDispersion *to = &m->dispersion[i * m->ntype + j];
      TRY(mix(r, geometric, sizes, i, j, to));
      m->dispersion[j * m->ntype + i] = *to;
    }
  return STATUS_OK;
}

static Status read_types(MoleculesReader *r, const YamlNode *types, const YamlNode *rule)
{
  static const char *const rules[] = {"lorentz-berthelot", "geometric", NULL};
  Molecules *m = r->molecules;
  int geometric;
  TRY(molecules_reader_word(r, rule, "rule", rules, &geometric));
  if (types->kind != YAML_TREE_MAP || types->n > TYPES_MAX)
    return molecules_reader_wrong(r, types->line, "types: wanted: lines 'name: [sigma, epsilon]', at most %d",
                                  TYPES_MAX);
  m->ntype = types->n;
  m->type = arena_take(&m->arena, (size_t)m->ntype, sizeof *m->type);
  m->dispersion = arena_take(&m->arena, (size_t)m->ntype * (size_t)m->ntype, sizeof *m->dispersion);
  Sizes *sizes = arena_take(&r->arena, (size_t)m->ntype, sizeof *sizes);
  TRY(molecules_reader_names(r, types, "type", &r->types));
  TRY(arena_check(&m->arena, "types of atoms", r->error));
  TRY(arena_check(&r->arena, "types of atoms", r->error));
  int i = 0;
  for (const YamlNode *key = types->first; key != NULL; key = key->next->next, i++) {
    TRY(molecules_reader_text(r, key, "the name of a type", &m->type[i]));
    TRY(read_type(r, key, key->next, &m->dispersion[i * m->ntype + i], &sizes[i]));
  }
  return mix_all(r, geometric == 1, sizes);
}

/* Reads [type, type, sigma, epsilon] or [type, type, {c12: ..., c6: ...}]. */
static Status read_pair(MoleculesReader *r, const YamlNode *row, MoleculesPair *pair)
{
  static const char wanted[] = "[type, type, sigma, epsilon] or [type, type, {c12: ..., c6: ...}]";
  const YamlNode *field[FIELDS];
  Molecules *m = r->molecules;
  MoleculesDispersion of;
  Sizes sizes;
  int n;
  TRY(molecules_reader_row(r, row, 3, 4, wanted, field, &n));
  for (int k = 0; k < 2; k++)
    TRY(molecules_reader_name(r, field[k], "type", &r->types, &pair->atom[k]));
  if ((n == 3) != (field[2]->kind == YAML_TREE_MAP))
    return molecules_reader_wrong(r, row->line, "wanted: %s", wanted);
  TRY(n == 3 ? read_powers(r, field[2], &of, &sizes) : read_sizes(r, field[2], field[3], &of, &sizes));
  m->dispersion[pair->atom[0] * m->ntype + pair->atom[1]] = of;
  m->dispersion[pair->atom[1] * m->ntype + pair->atom[0]] = of;
  return STATUS_OK;
}

static Status read_pairs(MoleculesReader *r, const YamlNode *pairs)
{
  TRY(molecules_reader_list(r, pairs, "pairs", "rows [type, type, sigma, epsilon]"));
  MoleculesPair *pair = arena_take(&r->arena, (size_t)pairs->n, sizeof *pair);
  TRY(arena_check(&r->arena, "pairs of types", r->error));
  int i = 0;
  for (const YamlNode *row = pairs->first; row != NULL; row = row->next)
    TRY(read_pair(r, row, &pair[i++]));
  if (molecules_sort_pairs(i, pair) != i)
    return molecules_reader_wrong(r, pairs->line, "pairs: a pair is given twice");
  return STATUS_OK;
}

/* Reads [type, type, C]. */
static Status read_c4_row(MoleculesReader *r, const YamlNode *row, MoleculesPair *pair)
{
  const YamlNode *field[FIELDS];
  Molecules *m = r->molecules;
  double c;
  TRY(molecules_reader_row(r, row, 3, 3, "[type, type, C]", field, NULL));
  for (int k = 0; k < 2; k++)
    TRY(molecules_reader_name(r, field[k], "type", &r->types, &pair->atom[k]));
  TRY(molecules_reader_real(r, field[2], "C (kcal A^4/mol)", -1e9, 1e9, &c));
  m->c4[pair->atom[0] * m->ntype + pair->atom[1]] = c;
  m->c4[pair->atom[1] * m->ntype + pair->atom[0]] = c;
  return STATUS_OK;
}

static Status read_c4(MoleculesReader *r, const YamlNode *rows)
{
  Molecules *m = r->molecules;
  TRY(molecules_reader_list(r, rows, "c4", "rows [type, type, C]"));
  MoleculesPair *pair = arena_take(&r->arena, (size_t)rows->n, sizeof *pair);
  m->c4 = arena_take(&m->arena, (size_t)m->ntype * (size_t)m->ntype, sizeof *m->c4);
  TRY(arena_check(&r->arena, "pairs of types", r->error));
  TRY(arena_check(&m->arena, "pairs of types", r->error));
  int i = 0;
  for (const YamlNode *row = rows->first; row != NULL; row = row->next)
    TRY(read_c4_row(r, row, &pair[i++]));
  if (molecules_sort_pairs(i, pair) != i)
    return molecules_reader_wrong(r, rows->line, "c4: a pair is given twice");
  bool any = false;
  for (i = 0; i < m->ntype * m->ntype; i++)
    any = any || m->c4[i] != 0.0;
  m->c4 = any ? m->c4 : NULL;
  return STATUS_OK;
}

/* --- grids and tables
 * ------------------------------------------------------------------------------------------------
 */

/* Reads n rows of n energies. */
static Status read_grid(MoleculesReader *r, const YamlNode *node, TermGrid *grid)
{
  char what[64];
  (void)snprintf(what, sizeof what, "grid %s", grid->name);
  TRY(molecules_reader_list(r, node, what, "n rows of n energies (kcal/mol)"));
  grid->n = node->n;
  if (grid->n < TERM_GRID_LEAST || grid->n > TERM_GRID_MOST)
    return molecules_reader_wrong(r, node->line, "%s: %d rows; wanted: %d to %d, each with as many energies",
                                  what, grid->n, TERM_GRID_LEAST, TERM_GRID_MOST);
  double *value = arena_take(&r->molecules->arena, (size_t)grid->n * (size_t)grid->n, sizeof *value);
  TRY_MEMORY(value != NULL, "grids", r->error);
  grid->value = value;
  for (const YamlNode *row = node->first; row != NULL; row = row->next) {
    TRY(molecules_reader_list(r, row, what, "rows of energies"));
    if (row->n != grid->n)
      return molecules_reader_wrong(r, row->line, "%s: a row with %d energies; wanted: %d, as many as rows",
                                    what, row->n, grid->n);
    for (const YamlNode *item = row->first; item != NULL; item = item->next)
      TRY(molecules_reader_real(r, item, what, -1e9, 1e9, value++));
  }
  return STATUS_OK;
}

/* Reads {from: ..., to: ..., rows: [[energy, slope], ...]}. */
static Status read_table(MoleculesReader *r, const YamlNode *node, TermGrid *table)
{
  static const char *const keys[] = {"from", "to", "rows", NULL};
  const YamlNode *value[3], *field[FIELDS];
  Error error = {0};
  char what[64];
  (void)snprintf(what, sizeof what, "table %s", table->name);
  TRY(molecules_reader_keys(r, node, keys, value));
  for (int k = 0; k < 3; k++)
    if (value[k] == NULL)
      return molecules_reader_wrong(r, node->line, "%s: the key '%s' is missing", what, keys[k]);
  TRY(molecules_reader_real(r, value[0], "from", -180.0, 1e3, &table->from));
  TRY(molecules_reader_real(r, value[1], "to", -180.0, 1e3, &table->to));
  if (!(table->to > table->from))
    return molecules_reader_wrong(r, value[1]->line, "%s: to is %s; wanted: above from, %s", what,
                                  value[1]->text, value[0]->text);
  TRY(molecules_reader_list(r, value[2], what, "rows [energy, slope]"));
  table->n = value[2]->n;
  double *to = arena_take(&r->molecules->arena, 2 * (size_t)table->n, sizeof *to);
  TRY_MEMORY(to != NULL, "tables", r->error);
  table->value = to;
  for (const YamlNode *row = value[2]->first; row != NULL; row = row->next) {
    TRY(molecules_reader_row(r, row, 2, 2, "[energy, slope]", field, NULL));
    for (int k = 0; k < 2; k++)
      TRY(molecules_reader_real(r, field[k], what, -1e12, 1e12, to++));
  }
  return term_grid_check(table, &error) == STATUS_OK
             ? STATUS_OK
             : molecules_reader_wrong(r, node->line, "%s", error.text);
}

/* The sections of grids and tables. */
static const struct {
  const char *name, *names, *wanted;
  Status (*read)(MoleculesReader *r, const YamlNode *node, TermGrid *grid);
} grid_sections[2] = {{"grid", "grids", "rows of energies", read_grid},
                      {"table", "tables", "{from: ..., to: ..., rows: [[energy, slope], ...]}", read_table}};

/* Reads the sections, of which one or both may be missing: first the grids, then the tables. */
static Status read_grids(MoleculesReader *r, const YamlNode *const section[2])
{
  Molecules *m = r->molecules;
  size_t n = 0;
  for (int s = 0; s < 2; s++) {
    if (section[s] != NULL && (section[s]->kind != YAML_TREE_MAP || section[s]->n > GRIDS_MAX))
      return molecules_reader_wrong(r, section[s]->line, "%s: wanted: 'name: %s', at most %d",
                                    grid_sections[s].names, grid_sections[s].wanted, GRIDS_MAX);
    n += section[s] != NULL ? (size_t)section[s]->n : 0;
  }
  m->grid = arena_take(&m->arena, n, sizeof *m->grid);
  TRY(arena_check(&m->arena, "grids", r->error));
  for (int s = 0; s < 2; s++) {
    char what[32];
    if (section[s] == NULL)
      continue;
    (void)snprintf(what, sizeof what, "the name of a %s", grid_sections[s].name);
    TRY(molecules_reader_names(r, section[s], grid_sections[s].name, s == 0 ? &r->grids : &r->tables));
    for (const YamlNode *key = section[s]->first; key != NULL; key = key->next->next) {
      TermGrid *grid = &m->grid[m->ngrid++];
      TRY(molecules_reader_text(r, key, what, &grid->name));
      TRY(grid_sections[s].read(r, key->next, grid));
    }
  }
  return STATUS_OK;
}

/* Adds a note for each grid and table that no term uses. */
static Status note_unused(MoleculesReader *r, const YamlNode *const section[2])
{
  const Molecules *m = r->molecules;
  bool *used = arena_take(&r->arena, (size_t)m->ngrid, sizeof *used);
  TRY(arena_check(&r->arena, "grids", r->error));
  for (int k = 0; k < m->nmolecule; k++)
    molecules_mark_grids(&m->molecule[k], used);
  int i = 0;
  for (int s = 0; s < 2; s++)
    for (const YamlNode *key = section[s] != NULL ? section[s]->first : NULL; key != NULL;
         key = key->next->next, i++)
      if (!used[i])
        TRY(molecules_reader_note(r, key->line, "no term uses the %s %s", grid_sections[s].name,
                                  m->grid[i].name));
  return STATUS_OK;
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

static Status read_molecules(MoleculesReader *r, const YamlNode *node)
{
  Molecules *m = r->molecules;
  if (node->kind != YAML_TREE_MAP || node->n < 1)
    return molecules_reader_wrong(r, node->line,
                                  "molecules: wanted: 'name:' lines, each with its section below");
  TRY(molecules_reader_names(r, node, "molecule", &r->names));
  m->molecule = arena_take(&m->arena, (size_t)node->n, sizeof *m->molecule);
  /* One for the charges of each molecule, one for each grid and table. */
  m->note = arena_take(&m->arena, (size_t)node->n + (size_t)m->ngrid, sizeof *m->note);
  TRY(arena_check(&m->arena, "molecules", r->error));
  for (const YamlNode *key = node->first; key != NULL; key = key->next->next) {
    Molecule *molecule = &m->molecule[m->nmolecule++];
    TRY(molecules_reader_text(r, key, "the name of a molecule", &molecule->name));
    r->molecule = molecule->name;
    TRY(molecules_reader_molecule(r, key->next, molecule));
    r->molecule = NULL;
  }
  return STATUS_OK;
}

static Status read_system(MoleculesReader *r, const YamlNode *node)
{
  Molecules *m = r->molecules;
  double all = 0.0, atoms = 0.0;
  TRY(molecules_reader_list(r, node, "system", "rows [molecule, number]"));
  m->count = arena_take(&m->arena, (size_t)node->n, sizeof *m->count);
  TRY(arena_check(&m->arena, "a system", r->error));
  for (const YamlNode *row = node->first; row != NULL; row = row->next) {
    const YamlNode *field[FIELDS];
    MoleculesCount *count = &m->count[m->ncount++];
    TRY(molecules_reader_row(r, row, 2, 2, "system: [molecule, number]", field, NULL));
    TRY(molecules_reader_name(r, field[0], "molecule", &r->names, &count->molecule));
    TRY(molecules_reader_whole(r, field[1], "the number of molecules", 1, STATE_MOLECULES, &count->n));
    all += count->n;
    atoms += (double)count->n * m->molecule[count->molecule].natom;
  }
  if (all > STATE_MOLECULES || atoms > STATE_MOLECULES)
    return molecules_reader_wrong(r, node->line,
                                  "system: %.0f molecules with %.0f atoms; at most %d are possible", all,
                                  atoms, STATE_MOLECULES);
  return STATUS_OK;
}

static Status read_all(MoleculesReader *r, const YamlNode *root)
{
  static const char *const keys[] = {"format", "rule",  "types",  "molecules", "pairs",
                                     "system", "grids", "tables", "c4",        NULL};
  const YamlNode *value[9];
  if (root->kind != YAML_TREE_MAP)
    return molecules_reader_wrong(
        r, root->line, "has no 'key: value' lines; wanted: format: %s, and other keys", format_wanted);
  TRY(molecules_reader_keys(r, root, keys, value));
  for (int k = 0; k < 4; k++)
    if (value[k] == NULL)
      return molecules_reader_wrong(r, root->line, "the key '%s' is missing%s%s", keys[k],
                                    k == 0 ? "; wanted: format: " : "", k == 0 ? format_wanted : "");
  if (value[0]->kind != YAML_TREE_TEXT || strcmp(value[0]->text, format_wanted) != 0)
    return molecules_reader_wrong(r, value[0]->line, "format: '%.40s' is not known; wanted: %s",
                                  value[0]->kind == YAML_TREE_TEXT ? value[0]->text : "", format_wanted);
  TRY(read_types(r, value[2], value[1]));
  if (value[4] != NULL)
    TRY(read_pairs(r, value[4]));
  if (value[8] != NULL)
    TRY(read_c4(r, value[8]));
  TRY(read_grids(r, &value[6]));
  TRY(read_molecules(r, value[3]));
  TRY(note_unused(r, &value[6]));
  return value[5] != NULL ? read_system(r, value[5]) : STATUS_OK;
}

Status molecules_file_parse(Molecules **molecules, const char *name, const char *text, size_t length,
                            Error *error)
{
  LOCALE_PLAIN;
  *molecules = NULL;
  YamlTree *tree;
  TRY(yaml_tree_parse(&tree, name, text, length, error));
  Molecules *m = calloc(1, sizeof *m);
  MoleculesReader reader = {.file = name, .molecules = m, .error = error};
  const Status status =
      m != NULL ? read_all(&reader, yaml_tree_root(tree)) : error_memory(error, "molecules");
  yaml_tree_free(tree);
  arena_free(&reader.arena);
  if (status != STATUS_OK)
    molecules_free(m);
  else
    *molecules = m;
  return status;
}

Status molecules_file_read(Molecules **molecules, const char *path, Error *error)
{
  SCOPED(scoped_free) char *text = NULL;
  size_t length;
  *molecules = NULL;
  TRY(file_read(path, FILE_MOST, &text, &length, error));
  return molecules_file_parse(molecules, path, text, length, error);
}
