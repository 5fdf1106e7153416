#include "simulation/molecules/variables.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/scoped.h"
#include "simulation/molecules/donors.h"
#include "simulation/molecules/points.h"
#include "simulation/molecules/system_frames.h"
#include "topology/select.h"

enum { ATOMS_MOST = 8 /* of a type with a fixed number */ };

static const ConfigKey keys_of[COORDINATES] = {
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...)                                 \
  [COORDINATE_##FORM] = KEY_output_##list,
#include "engine/coordinates.def"
};

/* A variable being found. */
typedef struct Search {
  const Config *config;
  const Labels *labels;
  CoordinateForm form;
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
  const char *const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return n <= VARIABLES_NAME && isalpha((unsigned char)name[0]) && strspn(name, letters) == n;
}

static Status check_name(const Search *of, const CollectiveList *before, Error *error)
{
  const char *name = of->record->name;
  if (!variables_name_valid(name))
    return wrong(
        of, "name", error,
        "'%.60s' is not a valid name; wanted: up to %d letters, digits and '_', beginning with a letter",
        name, VARIABLES_NAME);
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
    if (strcmp(sort->name, name) == 0 && sort->nmol > 0)
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

/* Whether an entry is a name, not a selection. */
static bool is_word(const char *entry)
{
  return entry[strcspn(entry, " \t\n()")] == '\0' && strcmp(entry, "all") != 0 &&
         strcmp(entry, "protein") != 0 && strcmp(entry, "backbone") != 0;
}

/* Converts an entry of a list to a selection: an index, a name, or a selection. */
static void entry_words(const char *entry, bool alone, char *words, size_t size)
{
  const bool number = entry[0] != '\0' && entry[strspn(entry, "0123456789")] == '\0', name = is_word(entry);
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

static const char *name_of(const Search *of, int atom)
{
  const Where at = where_of(of, atom);
  return of->labels->sort[at.sort].atom[at.atom].name;
}

static int residue_of(const Search *of, int atom)
{
  const Where at = where_of(of, atom);
  return of->only != NULL ? of->only->atom[at.atom].number
                          : labels_residue(&of->labels->sort[at.sort], at.m, at.atom);
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

/* Finds the only chain of bonded atoms; *found: there is one. Atoms are numbered as those of the search. */
static Status find_chain(const Search *of, bool *found, int *atom, Error *error)
{
  Where here = {0, 0, 0}, *const at = &here;
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
  *found = chains == 1;
  for (int i = 0; i < of->type->nsite && chains > 0 && of->only == NULL; i++)
    atom[i] += of->labels->sort[at->sort].first + at->m * of->labels->sort[at->sort].natom;
  if (chains > 1)
    return wrong(of, "atoms", error,
                 "atoms with these names are bonded in this order in %d places: select one place, as in "
                 "\"name %s and resid %d\"%s",
                 chains, name_of(of, atom[0]), residue_of(of, atom[0]),
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

/* A coordinate being found: its lists of atoms, numbered as those of the search. */
typedef struct Lists {
  int n, natom[COORDINATE_LISTS], *atom[COORDINATE_LISTS];
} Lists;

static Status take_lists(const Search *of, Lists *to, Arena *arena, Error *error)
{
  to->n = of->type->lists;
  for (int i = 0; i < to->n; i++)
    to->atom[i] = arena_take(arena, (size_t)of->natom, sizeof **to->atom);
  return arena_check(arena, "a selection", error);
}

/* The atoms of each entry. */
static void list_entries(const Search *of, Lists *to)
{
  for (int e = 0; e < to->n; e++)
    for (int i = 0; i < of->natom; i++)
      if (of->chosen[(ptrdiff_t)e * of->natom + i])
        to->atom[e][to->natom[e]++] = i;
}

/* No two sites may have the same atoms. */
static Status check_sites(const Search *of, const Lists *lists, Error *error)
{
  const InputStrings *atoms = &of->record->atoms;
  for (int e = 0; e < lists->n; e++)
    for (int k = 0; k < e; k++)
      if (lists->natom[k] == lists->natom[e] &&
          memcmp(lists->atom[k], lists->atom[e], (size_t)lists->natom[e] * sizeof **lists->atom) == 0)
        return wrong(of, "atoms", error, "'%.60s' and '%.60s' are the same %s", atoms->value[k],
                     atoms->value[e], lists->natom[e] == 1 ? "atom" : "atoms");
  return STATUS_OK;
}

/* A site of several atoms must be a selection: names alone often match more atoms than their author knows. */
static Status check_names_alone(const Search *of, Error *error)
{
  for (int e = 0; e < of->record->atoms.n; e++) {
    const char *entry = of->record->atoms.value[e];
    if (of->count[e] > 1 && is_word(entry))
      return wrong(
          of, "atoms", error,
          "'%.60s' matches %d atoms: select one, as in \"name %.20s and resid 2\", or by its index%s; "
          "or all, for their centre of mass, by \"name %.20s\"",
          entry, of->count[e], entry,
          of->only == NULL ? "; or all molecules of a name with the key molecule" : "", entry);
  }
  return STATUS_OK;
}

/* Atoms by entries: one each, a bonded chain, or centres of mass. */
static Status find_listed(const Search *of, Lists *to, Error *error)
{
  const int n = of->record->atoms.n, want = of->type->lists;
  bool several = false, found = false;
  if (n != want && of->type->pairs)
    return wrong(of, "atoms", error, "has %d; wanted: two selections, [name NA, name OW]", n);
  if (n != want)
    return wrong(of, "atoms", error, "%d atoms are listed; %s %s needs %d, or one selection of as many", n,
                 strchr("aeiou", of->type->one[0]) != NULL ? "an" : "a", of->type->one, want);
  for (int e = 0; e < n; e++)
    several = several || of->count[e] > 1;
  if (several && of->type->bonded) {
    int atom[ATOMS_MOST] = {0};
    TRY(find_chain(of, &found, atom, error));
    for (int e = 0; e < n && found; e++)
      to->atom[e][to->natom[e]++] = atom[e];
  }
  if (found)
    return STATUS_OK;
  for (int e = 0; e < n && several && of->type->bonded; e++)
    if (of->count[e] > 1 && is_word(of->record->atoms.value[e]))
      return wrong(of, "atoms", error, "no atoms with these names are bonded in this order");
  if (!of->type->pairs)
    TRY(check_names_alone(of, error));
  list_entries(of, to);
  return of->type->pairs ? STATUS_OK : check_sites(of, to, error);
}

/* All atoms of all entries, in the order of the system: a site each, or one list. */
static Status find_together(const Search *of, Lists *to, Error *error)
{
  const int want = of->type->lists > 1 ? of->type->nsite : 0;
  int n = 0;
  for (int i = 0; i < of->natom; i++) {
    if (!is_chosen(of, i))
      continue;
    if (want > 0 && n == want)
      return wrong(of, "atoms", error, "'%.100s' selects %d atoms; wanted: %d", of->record->atoms.value[0],
                   of->count[0], want);
    const int list = want > 0 ? n : 0;
    if (list < to->n)
      to->atom[list][to->natom[list]++] = i;
    n++;
  }
  if (n < want)
    return wrong(of, "atoms", error, "'%.100s' selects %d %s; wanted: %d", of->record->atoms.value[0], n,
                 n == 1 ? "atom" : "atoms", want);
  return STATUS_OK;
}

/* --- variables ------- */

/* All molecules of the named type. */
static Status find_spans(const Search *of, Arena *arena, Collective *variable, Error *error)
{
  CollectiveSpan *span = arena_take(arena, (size_t)of->labels->nsort + 1, sizeof *span);
  TRY(arena_check(arena, "variables", error));
  variable->span = span;
  for (int k = 0; k < of->labels->nsort; k++)
    if (strcmp(of->labels->sort[k].name, of->only->name) == 0 && of->labels->sort[k].nmol > 0)
      span[variable->nspan++] = (CollectiveSpan){k, 0, of->labels->sort[k].nmol};
  return STATUS_OK;
}

void variables_options(const ConfigCollective *record, CoordinateInput *input)
{
  const double *power = record->powers.value;
  input->axis = record->axis;
  input->contacts = (CoordinateContacts){.radius = record->radius, .n = 6, .m = 12};
  if (record->powers.n == 2)
    input->contacts = (CoordinateContacts){record->radius, (int)power[0], (int)power[1]};
}

Status variables_axis(const Simulation *s, InputKey key, const CoordinateType *type, int axis, Error *error)
{
  const bool turns = box_oblique(&s->box) || s->config->barostat.shape == BAROSTAT_CELL;
  if (type->options != COORDINATE_AXIS || axis == 0 || !box_periodic(&s->box) || !turns)
    return STATUS_OK;
  return input_error(s->config->input, key, error,
                     "is %c, along which an oblique box has no period; wanted: z", "zxy"[axis]);
}

/* Finds the atoms of a coordinate, those of the first molecule of a named type; they live in the arena. */
static Status find_input(Search *of, const Simulation *s, Arena *arena, CoordinateInput *input, Error *error)
{
  Lists lists = {0};
  if (of->type->composed)
    return variables_formula_input(s, of->labels, of->record, arena, input, error);
  TRY(find_atoms(of, arena, error));
  TRY(take_lists(of, &lists, arena, error));
  const bool listed = of->type->lists > 1 && (of->record->atoms.n > 1 || of->type->pairs);
  TRY(listed ? find_listed(of, &lists, error) : find_together(of, &lists, error));
  *input = (CoordinateInput){.form = of->form, .name = of->record->name};
  variables_options(of->record, input);
  for (int i = 0; i < lists.n; i++) {
    for (int a = 0; a < lists.natom[i] && of->only != NULL; a++)
      lists.atom[i][a] += of->only->first;
    input->natom[i] = lists.natom[i];
    input->atom[i] = lists.atom[i];
  }
  return points_reference(s, input_record(of->key, of->number, "file"), of->record->file, arena, input,
                          error);
}

static Status find(Search *of, const Simulation *s, Arena *arena, Collective *variable, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  CoordinateInput input;
  Error why;
  TRY(find_input(of, s, &own, &input, error));
  *variable = (Collective){.name = of->record->name};
  const Status status = coordinate_sites_create(&variable->sites, &input, s->topology, arena, &why);
  if (status == STATUS_INPUT)
    return wrong(of, "atoms", error, "%s", why.text);
  TRY(error_pass(error, status, &why));
  return of->only != NULL ? find_spans(of, arena, variable, error) : STATUS_OK;
}

/* The search for record `number` of a list. */
static Search search_of(const Config *config, const Labels *labels, CoordinateForm form, int number)
{
  const ConfigCollective *records = config->output.collective[form].item;
  return (Search){.config = config,
                  .labels = labels,
                  .form = form,
                  .type = &coordinate_types[form],
                  .record = &records[number],
                  .key = {.row = (int)keys_of[form]},
                  .number = number};
}

Status variables_input(const Simulation *s, const Labels *labels, CoordinateForm form, int number,
                       Arena *arena, CoordinateInput *input, Error *error)
{
  Search of = search_of(s->config, labels, form, number);
  TRY(find_input(&of, s, arena, input, error));
  if (of.only != NULL && of.only->nmol > 1)
    return wrong(
        &of, "molecule", error,
        "'%.60s' has a value in each of %d molecules, but biases and formulas need one: select the atoms of "
        "one molecule, as in \"name CA and molnum 0\"",
        of.record->name, of.only->nmol);
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
  if (records->n > COLLECTIVE_MOST)
    return input_error(s->config->input, (InputKey){.row = (int)keys_of[form]}, error,
                       "%d are listed; the limit is %d", records->n, COLLECTIVE_MOST);
  for (int i = 0; i < records->n; i++) {
    Search of = search_of(s->config, &v->labels, form, i);
    TRY(check_name(&of, list, error));
    TRY(variables_axis(s, input_record(of.key, i, "axis"), of.type, record[i].axis, error));
    TRY(find(&of, s, &v->arena, &variable[i], error));
    list->n++;
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
  TRY(system_frames_labels(s, s->topology, &v->labels, error));
  for (int form = 0; form < COORDINATES; form++)
    TRY(find_list(v, s, (CoordinateForm)form, error));
  TRY(find_sites(v, s, error));
  TRY(donors_find(s->config, &v->labels, &v->arena, &v->hydrogen_bonds, error));
  return variables_pairs_find(v, s, error);
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
