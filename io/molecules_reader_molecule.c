/* Reads the section of one molecule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/molecules_reader.h"

enum { ATOMS_MAX = 1000000, FIELDS = 10 };

enum { ATOMS, BONDS, TERMS, CONSTRAINTS, VIRTUAL, EXCLUDE, EXCLUSIONS, SECTIONS };
static const char *const sections[] = {"atoms",   "bonds",   "terms",      "constraints",
                                       "virtual", "exclude", "exclusions", NULL};

/* --- atoms ------------------------------------------------------------------------------------------------
 */

static Status read_atom(MoleculesReader *r, const YamlNode *row, MoleculesAtom *atom)
{
  const YamlNode *field[FIELDS];
  int n;
  TRY(molecules_reader_row(
      r, row, 4, 7, "[name, type, charge, mass, residue, residue number, chain], the last three optional",
      field, &n));
  *atom = (MoleculesAtom){.residue = r->molecule, .chain = "", .number = 1};
  TRY(molecules_reader_text(r, field[0], "the name of an atom", &atom->name));
  TRY(molecules_reader_name(r, field[1], "type", &r->types, &atom->type));
  TRY(molecules_reader_real(r, field[2], "a charge (e)", -100.0, 100.0, &atom->charge));
  TRY(molecules_reader_real(r, field[3], "a mass (g/mol; 0: a virtual site)", 0.0, 1e6, &atom->mass));
  if (atom->mass > 0.0 && atom->mass < 1e-3)
    return molecules_reader_wrong(
        r, field[3]->line, "a mass of %g g/mol; wanted: 0 (a virtual site), or at least 0.001", atom->mass);
  if (n > 4)
    TRY(molecules_reader_text(r, field[4], "the name of a residue", &atom->residue));
  if (n == 5 && atom->residue[strspn(atom->residue, "0123456789.")] == '\0')
    return molecules_reader_wrong(r, row->line,
                                  "'%s' is not the name of a residue; write decimals with a point, and a "
                                  "residue's number after its name",
                                  atom->residue);
  if (n > 6)
    TRY(molecules_reader_text(r, field[6], "the name of a chain", &atom->chain));
  return n > 5
             ? molecules_reader_whole(r, field[5], "the number of a residue", -99999, 99999999, &atom->number)
             : STATUS_OK;
}

/* Adds a note if the charges do not sum to a whole number. */
static Status sum_charges(MoleculesReader *r, Molecule *m, int line)
{
  for (int i = 0; i < m->natom; i++)
    m->charge += m->atom[i].charge;
  if (fabs(m->charge - rint(m->charge)) < 1e-3)
    return STATUS_OK;
  return molecules_reader_note(r, line, "the charges sum to %.6g e, which is not a whole number", m->charge);
}

static Status read_atoms(MoleculesReader *r, const YamlNode *node, Molecule *m)
{
  TRY(molecules_reader_list(r, node, "atoms", "rows [name, type, charge, mass]"));
  if (node->n < 1 || node->n > ATOMS_MAX)
    return molecules_reader_wrong(r, node->line, "atoms: %d rows; wanted: 1 to %d", node->n, ATOMS_MAX);
  m->atom = arena_take(&r->molecules->arena, (size_t)node->n, sizeof *m->atom);
  TRY_MEMORY(m->atom != NULL, "atoms", r->error);
  for (const YamlNode *row = node->first; row != NULL; row = row->next)
    TRY(read_atom(r, row, &m->atom[m->natom++]));
  return sum_charges(r, m, node->line);
}

/* Reads n different atoms, counted from 1 in the file and from 0 here; all need a mass, unless `any`. */
static Status read_numbers(const MoleculesReader *r, const Molecule *m, const char *what, bool any, int n,
                           const YamlNode *const *field, int *atom)
{
  for (int k = 0; k < n; k++) {
    TRY(molecules_reader_whole(r, field[k], what, 1, m->natom, &atom[k]));
    for (int j = 0; j < k; j++)
      if (atom[j] == atom[k] - 1)
        return molecules_reader_wrong(r, field[k]->line, "%s: atom %d is named twice", what, atom[k]);
    atom[k]--;
    if (!any && m->atom[atom[k]].mass == 0.0)
      return molecules_reader_wrong(r, field[k]->line,
                                    "%s: %d is the virtual site %s; wanted: atoms with mass", what,
                                    atom[k] + 1, m->atom[atom[k]].name);
  }
  return STATUS_OK;
}

/* --- pairs, constraints -----------------------------------------------------------------------------------
 */

static Status take_pairs(MoleculesReader *r, size_t n, MoleculesPair **pair)
{
  *pair = arena_take(&r->arena, n, sizeof **pair);
  TRY_MEMORY(*pair != NULL, "pairs of atoms", r->error);
  return STATUS_OK;
}

/* Reads rows [i, j] without repetition; the list may be missing. */
static Status read_pairs(MoleculesReader *r, const YamlNode *node, const char *key, bool any,
                         const Molecule *m, MoleculesPair **pair, int *n)
{
  const YamlNode *field[FIELDS];
  *n = 0;
  *pair = NULL;
  if (node == NULL)
    return STATUS_OK;
  TRY(molecules_reader_list(r, node, key, "rows [atom, atom]"));
  TRY(take_pairs(r, (size_t)node->n, pair));
  for (const YamlNode *row = node->first; row != NULL; row = row->next) {
    TRY(molecules_reader_row(r, row, 2, 2, "[atom, atom]", field, NULL));
    TRY(read_numbers(r, m, key, any, 2, field, (*pair)[(*n)++].atom));
  }
  return STATUS_OK;
}

/* Refuses a pair that a list has twice. Sorts the pairs. */
static Status refuse_twice(const MoleculesReader *r, const YamlNode *node, const char *key,
                           MoleculesPair *pair, int n)
{
  if (molecules_sort_pairs(n, pair) == n)
    return STATUS_OK;
  return molecules_reader_wrong(r, node->line, "%s: a pair of atoms is given twice", key);
}

static Status read_constraints(MoleculesReader *r, const YamlNode *node, Molecule *m)
{
  const YamlNode *field[FIELDS];
  MoleculesPair *pair;
  if (node == NULL)
    return STATUS_OK;
  TRY(molecules_reader_list(r, node, "constraints", "rows [atom, atom, length]"));
  m->constraint = arena_take(&r->molecules->arena, (size_t)node->n, sizeof *m->constraint);
  TRY_MEMORY(m->constraint != NULL, "constraints", r->error);
  TRY(take_pairs(r, (size_t)node->n, &pair));
  for (const YamlNode *row = node->first; row != NULL; row = row->next) {
    MoleculesConstraint *c = &m->constraint[m->nconstraint];
    TRY(molecules_reader_row(r, row, 3, 3, "constraints: [atom, atom, length in A]", field, NULL));
    TRY(read_numbers(r, m, "constraints", false, 2, field, c->atom));
    TRY(molecules_reader_real(r, field[2], "constraints: a length (A)", 0x1p-10, 1e3, &c->length));
    pair[m->nconstraint++] = (MoleculesPair){{c->atom[0], c->atom[1]}};
  }
  return refuse_twice(r, node, "constraints", pair, m->nconstraint);
}

/* --- terms ------------------------------------------------------------------------------------------------
 */

/* Reads the name of a grid or table. Tables follow the grids in memory. */
static Status read_grid_name(const MoleculesReader *r, const TermType *type, TermBound bound,
                             const YamlNode *node, double *value)
{
  int number = 0;
  const bool table = bound == TERM_TABLE;
  TRY(molecules_reader_name(r, node, table ? "table" : "grid", table ? &r->tables : &r->grids, &number));
  *value = table ? r->grids.n + number : number;
  Error error = {0};
  if (table && term_grid_suits(&r->molecules->grid[(int)*value], type->form, &error) != STATUS_OK)
    return molecules_reader_wrong(r, node->line, "%s: %s", type->name, error.text);
  return STATUS_OK;
}

/* Reads a parameter by its type: the name of a grid or table, a whole number, a size, or any number; angles
 * of three atoms are 0 to 180 degrees. */
static Status read_parameter(const MoleculesReader *r, const TermType *type, int k, const YamlNode *node,
                             double *value)
{
  const TermParameter *p = &type->parameter[k];
  char what[96];
  if (p->bound == TERM_GRID || p->bound == TERM_TABLE)
    return read_grid_name(r, type, p->bound, node, value);
  (void)snprintf(what, sizeof what, "%s: %s%s%s%s", type->name, p->name, *p->unit != '\0' ? " (" : "",
                 p->unit, *p->unit != '\0' ? ")" : "");
  if (p->bound == TERM_WHOLE) {
    int n = 0;
    TRY(molecules_reader_whole(r, node, what, 0, TERM_FOLD, &n));
    *value = n;
    return STATUS_OK;
  }
  const bool three = p->bound == TERM_DEGREES && type->form == COORDINATE_COSINE;
  const double most = three ? 180.0 : p->bound == TERM_DEGREES ? 360.0 : 1e9;
  TRY(molecules_reader_real(r, node, what, three || p->bound == TERM_SIZE ? 0.0 : -most, most, value));
  *value = term_number(type, k, *value);
  return STATUS_OK;
}

static Status read_term(MoleculesReader *r, const YamlNode *row, const Molecule *m, const TermType *type,
                        Term *term)
{
  const YamlNode *field[FIELDS];
  const int n = type->natom + type->nparam;
  char wanted[256];
  int length = snprintf(wanted, sizeof wanted, "%s: [%d atoms", type->name, type->natom);
  for (int k = 0; k < type->nparam; k++)
    length += snprintf(wanted + length, sizeof wanted - (size_t)length, ", %s", type->parameter[k].name);
  (void)snprintf(wanted + length, sizeof wanted - (size_t)length, "]");
  TRY(molecules_reader_row(r, row, n, n, wanted, field, NULL));
  term->type = type;
  TRY(read_numbers(r, m, type->name, true, type->natom, field, term->atom));
  for (int k = 0; k < type->nparam; k++)
    TRY(read_parameter(r, type, k, field[type->natom + k], &term->param[k]));
  return STATUS_OK;
}

static Status read_terms(MoleculesReader *r, const YamlNode *node, Molecule *m)
{
  const char *names[TERM_TYPES + 1] = {NULL};
  const YamlNode *value[TERM_TYPES];
  size_t n = 0;
  if (node == NULL)
    return STATUS_OK;
  for (int t = 0; t < TERM_TYPES; t++)
    names[t] = term_types[t].name;
  TRY(molecules_reader_keys(r, node, names, value));
  for (int t = 0; t < TERM_TYPES; t++)
    if (value[t] != NULL) {
      TRY(molecules_reader_list(r, value[t], names[t], "rows of atoms and parameters"));
      n += (size_t)value[t]->n;
    }
  m->term = arena_take(&r->molecules->arena, n, sizeof *m->term);
  TRY_MEMORY(m->term != NULL, "terms", r->error);
  for (int t = 0; t < TERM_TYPES; t++)
    for (const YamlNode *row = value[t] != NULL ? value[t]->first : NULL; row != NULL; row = row->next)
      TRY(read_term(r, row, m, &term_types[t], &m->term[m->nterm++]));
  return STATUS_OK;
}

/* --- bonds from a list, terms and constraints ------------------------------------------------------------
 */

static Status read_bonds(MoleculesReader *r, const YamlNode *node, Molecule *m)
{
  MoleculesPair *given;
  int n;
  TRY(read_pairs(r, node, "bonds", false, m, &given, &n));
  if (node != NULL)
    TRY(refuse_twice(r, node, "bonds", given, n));
  m->bond = arena_take(&r->molecules->arena, (size_t)n + (size_t)m->nterm + (size_t)m->nconstraint,
                       sizeof *m->bond);
  TRY_MEMORY(m->bond != NULL, "bonds", r->error);
  if (n > 0)
    memcpy(m->bond, given, (size_t)n * sizeof *given);
  for (int t = 0; t < m->nterm; t++)
    if (molecules_bonds(&m->term[t]) && !molecules_sees_site(m, &m->term[t]))
      m->bond[n++] = (MoleculesPair){{m->term[t].atom[0], m->term[t].atom[1]}};
  for (int c = 0; c < m->nconstraint; c++)
    m->bond[n++] = (MoleculesPair){{m->constraint[c].atom[0], m->constraint[c].atom[1]}};
  m->nbond = molecules_sort_pairs(n, m->bond);
  return STATUS_OK;
}

/* --- virtual sites ----------------------------------------------------------------------------------------
 */

/* Reads [atom, kind, the atoms that place it, numbers]. */
static Status read_site(MoleculesReader *r, const YamlNode *row, const Molecule *m, VirtualSite *site)
{
  const char *kinds[VIRTUAL_SITE_KINDS + 1];
  const YamlNode *field[FIELDS];
  int n, kind;
  for (int k = 0; k <= VIRTUAL_SITE_KINDS; k++)
    kinds[k] = virtual_site_types[k].name;
  TRY(molecules_reader_row(r, row, 2, FIELDS, "virtual: [atom, kind, atoms that place it, numbers]", field,
                           &n));
  TRY(molecules_reader_word(r, field[1], "kind of virtual site", kinds, &kind));
  const VirtualSiteType *type = &virtual_site_types[kind];
  if (n != 2 + type->nparent + type->nparam)
    return molecules_reader_wrong(r, row->line, "a row with %d values; wanted: virtual: [atom, %s, %s]", n,
                                  type->name, type->wanted);
  site->kind = (VirtualSiteKind)kind;
  TRY(read_numbers(r, m, "virtual", true, 1, field, &site->site));
  if (m->atom[site->site].mass != 0.0)
    return molecules_reader_wrong(r, row->line, "virtual: atom %d, %s, has a mass; wanted: 0", site->site + 1,
                                  m->atom[site->site].name);
  TRY(read_numbers(r, m, "the atoms that place a virtual site", true, type->nparent, field + 2,
                   site->parent));
  for (int k = 0; k < type->nparam; k++) {
    TRY(molecules_reader_real(r, field[2 + type->nparent + k], "virtual: a number", -1e3, 1e3,
                              &site->param[k]));
    site->param[k] *= type->angle[k] ? M_PI / 180.0 : 1.0;
  }
  return STATUS_OK;
}

/* Sorts sites so that those that place others come first and the rest keep their order. Returns the number
 * of sites that can be sorted so. */
static int order_sites(const Molecule *m, bool *known)
{
  int n = 0;
  for (int i = 0; i < m->natom; i++)
    known[i] = m->atom[i].mass > 0.0;
  for (bool more = true; more;) {
    more = false;
    for (int s = n; s < m->nvirtual; s++) {
      const VirtualSite site = m->site[s];
      bool ready = true;
      for (int k = 0; k < virtual_site_types[site.kind].nparent; k++)
        ready = ready && known[site.parent[k]];
      if (!ready)
        continue;
      memmove(&m->site[n + 1], &m->site[n], (size_t)(s - n) * sizeof site);
      m->site[n++] = site;
      known[site.site] = more = true;
    }
  }
  return n;
}

/* Every site without mass is placed once. */
static Status read_virtual(MoleculesReader *r, const YamlNode *node, int line, Molecule *m)
{
  bool *placed = arena_take(&r->arena, (size_t)m->natom, sizeof *placed);
  TRY_MEMORY(placed != NULL, "virtual sites", r->error);
  if (node != NULL) {
    TRY(molecules_reader_list(r, node, "virtual", "rows [atom, kind, atoms that place it, numbers]"));
    m->site = arena_take(&r->molecules->arena, (size_t)node->n, sizeof *m->site);
    TRY_MEMORY(m->site != NULL, "virtual sites", r->error);
  }
  for (const YamlNode *row = node != NULL ? node->first : NULL; row != NULL; row = row->next) {
    VirtualSite *site = &m->site[m->nvirtual++];
    TRY(read_site(r, row, m, site));
    if (placed[site->site])
      return molecules_reader_wrong(r, row->line, "virtual: atom %d is placed twice", site->site + 1);
    placed[site->site] = true;
  }
  for (int i = 0; i < m->natom; i++)
    if (m->atom[i].mass == 0.0 && !placed[i])
      return molecules_reader_wrong(
          r, line, "atom %d, %s, has no mass; wanted: a mass > 0, or a row of 'virtual' that places it",
          i + 1, m->atom[i].name);
  const int known = order_sites(m, placed);
  if (known < m->nvirtual)
    return molecules_reader_wrong(r, node != NULL ? node->line : line,
                                  "virtual: atom %d, %s, is placed by sites that it places itself",
                                  m->site[known].site + 1, m->atom[m->site[known].site].name);
  return STATUS_OK;
}

/* --- exclusions -------------------------------------------------------------------------------------------
 */

static Status read_exclusions(MoleculesReader *r, const YamlNode *exclude, const YamlNode *node, Molecule *m)
{
  MoleculesPair *more;
  int n, bonds = 3;
  if (exclude != NULL)
    TRY(molecules_reader_whole(r, exclude, "exclude (bonds)", 0, 4, &bonds));
  TRY(read_pairs(r, node, "exclusions", true, m, &more, &n));
  return molecules_exclude(m, bonds, n, more, &r->molecules->arena, r->error);
}

Status molecules_reader_molecule(MoleculesReader *r, const YamlNode *node, Molecule *m)
{
  const YamlNode *value[SECTIONS];
  if (node->kind == YAML_TREE_TEXT && node->text[0] == '\0')
    return molecules_reader_wrong(r, node->line,
                                  "the section is empty; wanted: atoms: and other keys, indented");
  TRY(molecules_reader_keys(r, node, sections, value));
  if (value[ATOMS] == NULL)
    return molecules_reader_wrong(r, node->line, "atoms are missing");
  TRY(read_atoms(r, value[ATOMS], m));
  TRY(read_constraints(r, value[CONSTRAINTS], m));
  TRY(read_terms(r, value[TERMS], m));
  TRY(read_bonds(r, value[BONDS], m));
  TRY(read_virtual(r, value[VIRTUAL], value[ATOMS]->line, m));
  return read_exclusions(r, value[EXCLUDE], value[EXCLUSIONS], m);
}
