#include "simulation/molecules/variables.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/scoped.h"
#include "simulation/molecules/donors.h"
#include "simulation/molecules/system_frames.h"
#include "topology/select.h"

enum { NAME_MOST = 24, ATOMS_MOST = 8 /* of a type with a fixed number */ };

static const ConfigKey lists[COORDINATES] = {
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...)                                 \
  [COORDINATE_##FORM] = KEY_output_##list,
#include "engine/coordinates.def"
};

/* A variable being found. */
typedef struct Search {
  const Config *config;
  const Labels *labels;
  const CoordinateType *type;
  const ConfigCollective *record;
  InputKey key; /* of the list; of the record: */
  int number;
  const LabelsSort *only; /* the named molecule type; NULL: the whole system */
  int natom;              /* of that type, or of the system */
  bool *chosen;           /* [entries][natom] */
  int *count;             /* [entries] */
} Search;

static Status wrong(const Search *of, const char *key, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static Status wrong(const Search *of, const char *key, Error *error, const char *format, ...)
{
  char words[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  return input_error(of->config->input, input_record(of->key, of->number, key), error, "%s", words);
}

/* --- names ------- */

/* Names become parts of column names. */
bool variables_name_valid(const char *name)
{
  const size_t n = strlen(name);
  bool fine = n > 0 && n <= NAME_MOST && isalpha((unsigned char)name[0]);
  for (size_t i = 0; i < n; i++)
    fine = fine && (isalnum((unsigned char)name[i]) || name[i] == '_') && (unsigned char)name[i] < 128;
  return fine;
}

static Status check_name(const Search *of, const CollectiveList *before, Error *error)
{
  const char *name = of->record->name;
  if (!variables_name_valid(name))
    return wrong(
        of, "name", error,
        "'%.60s' is not a valid name; wanted: up to %d letters, digits and '_', beginning with a letter",
        name, NAME_MOST);
  for (int i = 0; i < before->n; i++)
    if (strcmp(before->variable[i].name, name) == 0)
      return wrong(of, "name", error, "'%s' is also the name of another %s", name, of->type->one);
  return STATUS_OK;
}

static Status find_molecule(Search *of, Error *error)
{
  const char *name = of->record->molecule;
  char known[256] = "";
  of->only = NULL;
  of->natom = of->labels->natom;
  if (name == NULL)
    return STATUS_OK;
  Nearest nearest = nearest_start(name);
  for (int k = 0; k < of->labels->nsort && of->only == NULL; k++) {
    const LabelsSort *sort = &of->labels->sort[k];
    if (strcmp(sort->name, name) == 0)
      of->only = sort;
    nearest_try(&nearest, sort->name, 0.0);
    text_append(known, sizeof known, "%s%s", k > 0 ? ", " : "", sort->name);
  }
  if (of->only == NULL)
    return wrong(of, "molecule", error, "there is no molecule '%.60s'%s molecules: %s", name,
                 nearest_hint(&nearest, ";").text, known);
  of->natom = of->only->natom;
  return STATUS_OK;
}

/* --- atoms ------- */

/* Converts an entry of a list to a selection: an index, a name, or a selection. */
static void entry_words(const char *entry, bool alone, char *words, size_t size)
{
  const bool number = entry[0] != '\0' && entry[strspn(entry, "0123456789")] == '\0';
  const bool name = entry[strcspn(entry, " \t\n()")] == '\0' && strcmp(entry, "all") != 0 &&
                    strcmp(entry, "protein") != 0 && strcmp(entry, "backbone") != 0;
  snprintf(words, size, "%s%s", alone ? "" : number ? "index " : name ? "name " : "", entry);
}

/* Marks the atoms of each entry. */
static Status mark(Search *of, Arena *arena, Error *error)
{
  const InputStrings *atoms = &of->record->atoms;
  of->chosen = arena_take(arena, (size_t)atoms->n * (size_t)of->natom, sizeof *of->chosen);
  of->count = arena_take(arena, (size_t)atoms->n, sizeof *of->count);
  TRY(arena_check(arena, "a selection", error));
  char none[SELECT_WORDS];
  for (int e = 0; e < atoms->n; e++) {
    Error why;
    bool *const to = of->chosen + (ptrdiff_t)e * of->natom;
    const size_t size = strlen(atoms->value[e]) + 16;
    char *const words = arena_take(arena, size, 1);
    TRY(arena_check(arena, "a selection", error));
    entry_words(atoms->value[e], atoms->n == 1, words, size);
    const Status status = of->only != NULL ? select_in_molecule(of->only, words, to, &of->count[e], &why)
                                           : select_atoms(of->labels, words, to, &of->count[e], &why);
    if (status == STATUS_INPUT)
      return wrong(of, "atoms", error, "'%.100s': %s", words, why.text);
    TRY(error_pass(error, status, &why));
    if (of->count[e] == 0)
      return wrong(of, "atoms", error, "'%.100s'%s%s %s", words, of->only != NULL ? " of " : "",
                   of->only != NULL ? of->only->name : "",
                   of->only != NULL ? select_none(1, of->only, words, none)
                                    : select_none(of->labels->nsort, of->labels->sort, words, none));
  }
  return STATUS_OK;
}

/* Whether any entry selects an atom. */
static bool is_chosen(const Search *of, int atom)
{
  for (int e = 0; of->chosen != NULL && e < of->record->atoms.n; e++)
    if (of->chosen[(ptrdiff_t)e * of->natom + atom])
      return true;
  return false;
}

/* An atom's molecule, number m of type k, and its index there. */
typedef struct Where {
  int sort, m, atom;
} Where;

static Where where_of(const Search *of, int atom)
{
  if (of->only != NULL)
    return (Where){(int)(of->only - of->labels->sort), 0, atom};
  int k = of->labels->nsort - 1;
  while (of->labels->sort[k].first > atom)
    k--;
  const int local = atom - of->labels->sort[k].first, each = of->labels->sort[k].natom;
  return (Where){k, local / each, local % each};
}

static bool bonded(const LabelsSort *sort, int i, int j)
{
  for (int b = 0; b < sort->nbond; b++)
    if ((sort->bond[b].atom[0] == i && sort->bond[b].atom[1] == j) ||
        (sort->bond[b].atom[0] == j && sort->bond[b].atom[1] == i))
      return true;
  return false;
}

/* Extends atom[0 .. n - 1] of a molecule by atoms of the other entries, each bonded to the previous one.
 * Counts the chains and stores the first. */
static void extend(const Search *of, const LabelsSort *sort, int base, int n, int *atom, int *first,
                   int *chains)
{
  const int want = of->type->nsite;
  if (n == want) {
    if ((*chains)++ == 0)
      memcpy(first, atom, (size_t)want * sizeof *atom);
    return;
  }
  for (int i = 0; i < sort->natom; i++) {
    bool free = of->chosen[(ptrdiff_t)n * of->natom + base + i];
    for (int k = 0; k < n && free; k++)
      free = atom[k] != i;
    if (!free || (n > 0 && !bonded(sort, atom[n - 1], i)))
      continue;
    atom[n] = i;
    extend(of, sort, base, n + 1, atom, first, chains);
  }
}

static Status find_chain(const Search *of, Where *at, int *atom, Error *error)
{
  int chains = 0, now[ATOMS_MOST];
  for (int k = 0; k < of->labels->nsort; k++) {
    const LabelsSort *sort = &of->labels->sort[k];
    if (of->only != NULL && of->only != sort)
      continue;
    for (int m = 0; m < (of->only != NULL ? 1 : sort->nmol); m++) {
      const int before = chains;
      extend(of, sort, of->only != NULL ? 0 : sort->first + m * sort->natom, 0, now, atom, &chains);
      if (before == 0 && chains > 0)
        *at = (Where){k, m, 0};
    }
  }
  if (chains == 0)
    return wrong(of, "atoms", error, "no atoms with these names are bonded in this order");
  if (chains > 1)
    return wrong(of, "atoms", error,
                 "atoms with these names are bonded in this order in %d places: select one place, as in "
                 "\"name %s and resid %d\"%s",
                 chains, of->labels->sort[at->sort].atom[atom[0]].name,
                 of->only != NULL ? of->only->atom[atom[0]].number
                                  : labels_residue(&of->labels->sort[at->sort], at->m, atom[0]),
                 of->only == NULL ? ", or all molecules of a name with the key molecule" : "");
  return STATUS_OK;
}

/* Finds the molecule type and the selected atoms. */
static Status find_atoms(Search *of, Arena *arena, Error *error)
{
  TRY(find_molecule(of, error));
  if (of->record->atoms.n == 0)
    return wrong(of, "atoms", error, "the list is empty; wanted: a selection, or a list of atoms");
  return mark(of, arena, error);
}

/* Entries with one atom each. */
static Status find_singles(const Search *of, int entries, Where *at, int *atom, Error *error)
{
  for (int e = 0; e < entries; e++) {
    const bool *chosen = of->chosen + (ptrdiff_t)e * of->natom;
    int i = 0;
    while (!chosen[i])
      i++;
    const Where here = where_of(of, i);
    if (e == 0)
      *at = here;
    if (here.sort != at->sort || here.m != at->m)
      return wrong(of, "atoms", error, "its atoms belong to different molecules: '%.60s' and '%.60s'",
                   of->record->atoms.value[0], of->record->atoms.value[e]);
    atom[e] = here.atom;
    for (int k = 0; k < e; k++)
      if (atom[k] == atom[e])
        return wrong(of, "atoms", error, "'%.60s' and '%.60s' are the same atom", of->record->atoms.value[k],
                     of->record->atoms.value[e]);
  }
  return STATUS_OK;
}

static Status find_listed(const Search *of, Where *at, int *atom, Error *error)
{
  const int n = of->record->atoms.n, want = of->type->nsite;
  int several = -1;
  if (n != want)
    return wrong(of, "atoms", error, "%d atoms are listed; %s %s needs %d, or one selection of as many", n,
                 strchr("aeiou", of->type->one[0]) != NULL ? "an" : "a", of->type->one, want);
  for (int e = 0; e < n; e++)
    several = several < 0 && of->count[e] > 1 ? e : several;
  if (several < 0)
    return find_singles(of, n, at, atom, error);
  if (of->type->bonded)
    return find_chain(of, at, atom, error);
  return wrong(of, "atoms", error,
               "'%.60s' matches %d atoms: select one, as in \"name %.20s and resid 2\", or by its index%s",
               of->record->atoms.value[several], of->count[several], of->record->atoms.value[several],
               of->only == NULL ? "; or all molecules of a name with the key molecule" : "");
}

/* All atoms of all entries, in the order of the system. */
static Status find_together(const Search *of, Where *at, int *atom, int *natom, Error *error)
{
  const int want = of->type->nsite;
  *natom = 0;
  for (int i = 0; i < of->natom; i++) {
    if (!is_chosen(of, i))
      continue;
    const Where place = where_of(of, i);
    if (*natom == 0)
      *at = place;
    if (want > 0 && *natom == want)
      return wrong(of, "atoms", error, "'%.100s' selects %d atoms; wanted: %d", of->record->atoms.value[0],
                   of->count[0], want);
    if (place.sort != at->sort || place.m != at->m)
      return wrong(of, "atoms", error,
                   "its atoms belong to different molecules, %s and %s; wanted: atoms of one molecule, or, "
                   "for all molecules of a name, molecule: %s",
                   of->labels->sort[at->sort].name, of->labels->sort[place.sort].name,
                   of->labels->sort[place.sort].name);
    atom[(*natom)++] = place.atom;
  }
  if (*natom < want)
    return wrong(of, "atoms", error, "'%.100s' selects %d %s; wanted: %d", of->record->atoms.value[0], *natom,
                 *natom == 1 ? "atom" : "atoms", want);
  return STATUS_OK;
}

/* --- variables ------- */

/* The molecules with this variable: that of its atoms, or all of the named type. */
static Status spread(const Search *of, const Where *at, Arena *arena, Collective *variable, Error *error)
{
  CollectiveSpan *span = arena_take(arena, (size_t)of->labels->nsort, sizeof *span);
  TRY(arena_check(arena, "variables", error));
  variable->span = span;
  if (of->only == NULL) {
    span[variable->nspan++] = (CollectiveSpan){at->sort, at->m, at->m + 1};
    return STATUS_OK;
  }
  for (int k = 0; k < of->labels->nsort; k++)
    if (strcmp(of->labels->sort[k].name, of->only->name) == 0 && of->labels->sort[k].nmol > 0)
      span[variable->nspan++] = (CollectiveSpan){k, 0, of->labels->sort[k].nmol};
  return STATUS_OK;
}

static Status find(Search *of, Arena *arena, Collective *variable, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  const int entries = of->record->atoms.n, want = of->type->nsite;
  Where at = {0, 0, 0};
  TRY(find_atoms(of, &own, error));
  int *atom = arena_take(arena, (size_t)(want > 0 ? ATOMS_MOST : of->natom), sizeof *atom);
  TRY(arena_check(arena, "variables", error));
  *variable = (Collective){.name = of->record->name, .natom = want, .atom = atom};
  if (want > 0 && entries > 1)
    TRY(find_listed(of, &at, atom, error));
  else
    TRY(find_together(of, &at, atom, &variable->natom, error));
  return spread(of, &at, arena, variable, error);
}

/* Mass fractions of the atoms. */
static Status find_weights(const Topology *topology, Collective *variable, Arena *arena, Error *error)
{
  const double *mass = topology->sort[variable->span[0].sort].kind->mass;
  double *weight = arena_take(arena, (size_t)variable->natom, sizeof *weight), whole = 0.0;
  TRY(arena_check(arena, "variables", error));
  for (int i = 0; i < variable->natom; i++)
    whole += mass[variable->atom[i]];
  for (int i = 0; i < variable->natom; i++)
    weight[i] = mass[variable->atom[i]] / whole;
  variable->weight = weight;
  return STATUS_OK;
}

static Status find_list(Variables *v, const Simulation *s, CoordinateForm form, Error *error)
{
  const InputRecords *records = &s->config->output.collective[form];
  const ConfigCollective *record = records->item;
  CollectiveList *list = &v->list[form];
  Collective *variable = arena_take(&v->arena, (size_t)records->n, sizeof *variable);
  TRY(arena_check(&v->arena, "variables", error));
  list->variable = variable;
  Search of = {.config = s->config,
               .labels = &v->labels,
               .type = &coordinate_types[form],
               .key = {.row = (int)lists[form]}};
  if (records->n > COLLECTIVE_MOST)
    return input_error(s->config->input, of.key, error, "%d are listed; the limit is %d", records->n,
                       COLLECTIVE_MOST);
  for (int i = 0; i < records->n; i++) {
    of.record = &record[i];
    of.number = i;
    TRY(check_name(&of, list, error));
    TRY(find(&of, &v->arena, &variable[i], error));
    TRY(find_weights(s->topology, &variable[i], &v->arena, error));
    list->n++;
  }
  return STATUS_OK;
}

/* --- pairs ------- */

static Status find_torsion(const CollectiveList *list, const Simulation *s, int pair, const char *name,
                           int *number, Error *error)
{
  Nearest nearest = nearest_start(name);
  for (*number = 0; *number < list->n; ++*number) {
    if (strcmp(list->variable[*number].name, name) == 0)
      return STATUS_OK;
    nearest_try(&nearest, list->variable[*number].name, 0.0);
  }
  return input_error(s->config->input, input_record(KEY(output_torsions_pairs), pair, "between"), error,
                     "there is no torsion '%.60s' in output.torsions%s", name,
                     nearest_hint(&nearest, "").text);
}

static bool same_molecules(const Collective *a, const Collective *b)
{
  return a->nspan == b->nspan && memcmp(a->span, b->span, (size_t)a->nspan * sizeof *a->span) == 0;
}

static Status find_pairs(Variables *v, const Simulation *s, Error *error)
{
  const InputRecords *records = &s->config->output.torsion_pairs;
  const ConfigPair *record = records->item;
  CollectiveList *list = &v->list[COORDINATE_DIHEDRAL];
  int(*pair)[2] = arena_take(&v->arena, (size_t)records->n, sizeof *pair);
  TRY(arena_check(&v->arena, "pairs of torsions", error));
  list->pair = (const int(*)[2])pair;
  for (int i = 0; i < records->n; i++) {
    const InputKey key = input_record(KEY(output_torsions_pairs), i, "between");
    if (record[i].between.n != 2)
      return input_error(s->config->input, key, error,
                         "%d are listed; wanted: the names of two torsions, [phi, psi]", record[i].between.n);
    for (int k = 0; k < 2; k++)
      TRY(find_torsion(list, s, i, record[i].between.value[k], &pair[i][k], error));
    if (pair[i][0] == pair[i][1])
      return input_error(s->config->input, key, error, "both torsions are the same; wanted: two torsions");
    if (!same_molecules(&list->variable[pair[i][0]], &list->variable[pair[i][1]]))
      return input_error(s->config->input, key, error, "'%s' and '%s' are torsions of different molecules",
                         record[i].between.value[0], record[i].between.value[1]);
    for (int k = 0; k < i; k++)
      if (memcmp(pair[k], pair[i], sizeof *pair) == 0)
        return input_error(s->config->input, key, error, "this pair is listed twice");
    list->npair++;
  }
  return STATUS_OK;
}

/* --- sites of g(r) ------- */

/* Assigns an atom, in all molecules that it represents, to a site. */
static Status take_site(const Search *of, const Where *at, int site, int **whose, int **count, Error *error)
{
  for (int k = 0; k < of->labels->nsort; k++) {
    const LabelsSort *sort = &of->labels->sort[k];
    if (of->only != NULL ? strcmp(sort->name, of->only->name) != 0 : k != at->sort)
      continue;
    if (whose[k][at->atom] >= 0 && whose[k][at->atom] != site)
      return wrong(of, "atoms", error, "%s of %s is also in '%.60s'; an atom may belong to only one site",
                   sort->atom[at->atom].name, sort->name,
                   ((const ConfigCollective *)of->config->output.rdf_sites.item)[whose[k][at->atom]].name);
    whose[k][at->atom] = site;
    count[k][at->atom] += of->only != NULL ? sort->nmol : 1;
  }
  return STATUS_OK;
}

static Status find_site(Search *of, int site, int **whose, int **count, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  TRY(find_atoms(of, &own, error));
  for (int i = 0; i < of->natom; i++) {
    const Where at = where_of(of, i);
    if (is_chosen(of, i))
      TRY(take_site(of, &at, site, whose, count, error));
  }
  for (int k = 0; k < of->labels->nsort; k++)
    for (int i = 0; i < of->labels->sort[k].natom; i++)
      if (whose[k][i] == site && count[k][i] != of->labels->sort[k].nmol)
        return wrong(of, "atoms", error,
                     "%s is selected in %d of %d molecules %s; a site must select it in all of them",
                     of->labels->sort[k].atom[i].name, count[k][i], of->labels->sort[k].nmol,
                     of->labels->sort[k].name);
  return STATUS_OK;
}

static Status sites_create(Variables *v, int records, int ***whose, int ***count, const char ***name,
                           Error *error)
{
  const size_t sorts = (size_t)v->labels.nsort;
  *whose = arena_take(&v->arena, sorts, sizeof **whose);
  *count = arena_take(&v->arena, sorts, sizeof **count);
  *name = arena_take(&v->arena, (size_t)records, sizeof **name);
  TRY(arena_check(&v->arena, "sites", error));
  for (size_t k = 0; k < sorts; k++) {
    (*whose)[k] = arena_take(&v->arena, (size_t)v->labels.sort[k].natom, sizeof ***whose);
    (*count)[k] = arena_take(&v->arena, (size_t)v->labels.sort[k].natom, sizeof ***count);
    TRY(arena_check(&v->arena, "sites", error));
    for (int i = 0; i < v->labels.sort[k].natom; i++)
      (*whose)[k][i] = -1;
  }
  return STATUS_OK;
}

static Status find_sites(Variables *v, const Simulation *s, Error *error)
{
  static const CoordinateType type = {.one = "site"};
  const InputRecords *records = &s->config->output.rdf_sites;
  const ConfigCollective *record = records->item;
  Search of = {.config = s->config, .labels = &v->labels, .type = &type, .key = KEY(output_rdf_sites)};
  Collective named[RDF_SITES];
  CollectiveList before = {.variable = named};
  int **whose, **count;
  const char **name;
  if (records->n > RDF_SITES)
    return input_error(s->config->input, of.key, error, "%d are listed; the limit is %d", records->n,
                       RDF_SITES);
  TRY(sites_create(v, records->n, &whose, &count, &name, error));
  for (int i = 0; i < records->n; i++) {
    of.record = &record[i];
    of.number = i;
    TRY(check_name(&of, &before, error));
    if (strlen(record[i].name) > RDF_SITE_NAME)
      return wrong(&of, "name", error, "'%.60s' is too long; the limit is %d characters", record[i].name,
                   RDF_SITE_NAME);
    TRY(find_site(&of, i, whose, count, error));
    named[before.n++].name = name[i] = record[i].name;
  }
  v->sites = (RdfSites){records->n, name, (const int *const *)whose};
  return STATUS_OK;
}

/* --- atoms of other lists ------- */

Status variables_choose(const Config *config, const Labels *labels, InputKey list, int number,
                        const ConfigCollective *record, bool *chosen, Error *error)
{
  static const CoordinateType type = {.one = "list"};
  SCOPED(arena_free) Arena own = {0};
  Search of = {
      .config = config, .labels = labels, .type = &type, .record = record, .key = list, .number = number};
  TRY(find_atoms(&of, &own, error));
  for (int k = 0; k < labels->nsort; k++) {
    const LabelsSort *sort = &labels->sort[k];
    if (of.only != NULL && strcmp(sort->name, of.only->name) != 0)
      continue;
    for (int i = 0; i < sort->nmol * sort->natom; i++)
      chosen[sort->first + i] = is_chosen(&of, of.only != NULL ? i % sort->natom : sort->first + i);
  }
  return STATUS_OK;
}

/* --- all ------- */

static Status fill(Variables *v, const Simulation *s, Error *error)
{
  TRY(system_frames_labels(s, &v->labels, error));
  for (int form = 0; form < COORDINATES; form++)
    TRY(find_list(v, s, (CoordinateForm)form, error));
  TRY(find_sites(v, s, error));
  TRY(donors_find(s->config, &v->labels, &v->arena, &v->hydrogen_bonds, error));
  return find_pairs(v, s, error);
}

Status variables_create(Variables **variables, const Simulation *system, Error *error)
{
  *variables = calloc(1, sizeof **variables);
  TRY_MEMORY(*variables != NULL, "variables", error);
  TRY_ELSE(fill(*variables, system, error), (variables_free(*variables), *variables = NULL));
  return STATUS_OK;
}

void variables_free(Variables *v)
{
  if (v == NULL)
    return;
  labels_free(&v->labels);
  arena_free(&v->arena);
  free(v);
}
