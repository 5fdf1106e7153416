#include "simulation/molecules/donors.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "simulation/molecules/variables.h"
#include "topology/select.h"

typedef struct Search {
  const Config *config;
  const Labels *labels;
  uint32_t *first, *second; /* [labels->natom] bits of the records whose selections contain an atom */
} Search;

static bool is_element(const LabelsAtom *atom, const char *elements)
{
  return atom->element[0] != '\0' && atom->element[1] == '\0' && strchr(elements, atom->element[0]) != NULL;
}

static bool is_polar(const LabelsAtom *atom) { return is_element(atom, "NOF"); }

/* --- selections ------- */

/* Marks the atoms of a selection with a bit. */
static Status mark(const Search *of, int record, const char *words, uint32_t *to, Error *error)
{
  const InputKey key = input_record(KEY(output_hydrogen_bonds), record, "between");
  const int natom = of->labels->natom;
  SCOPED(scoped_free) bool *chosen = calloc((size_t)natom, sizeof *chosen);
  TRY_MEMORY(chosen != NULL, "a selection", error);
  char none[SELECT_WORDS];
  Error why;
  int n = 0;
  bool polar = false;
  const Status status = select_atoms(of->labels, words, chosen, &n, &why);
  if (status == STATUS_INPUT)
    return input_error(of->config->input, key, error, "'%.100s': %s", words, why.text);
  TRY(error_pass(error, status, &why));
  if (n == 0)
    return input_error(of->config->input, key, error, "'%.100s' %s", words,
                       select_none(of->labels->nsort, of->labels->sort, words, none));
  for (int k = 0; k < of->labels->nsort; k++) {
    const LabelsSort *const sort = &of->labels->sort[k];
    for (int i = 0; i < sort->nmol * sort->natom; i++)
      if (chosen[sort->first + i]) {
        to[sort->first + i] |= UINT32_C(1) << record;
        polar = polar || is_polar(&sort->atom[i % sort->natom]);
      }
  }
  return polar ? STATUS_OK
               : input_error(of->config->input, key, error,
                             "'%.100s' selects no N, O or F, which form hydrogen bonds", words);
}

static Status check_name(const Search *of, int record, Error *error)
{
  const ConfigHydrogenBonds *const all = of->config->output.hydrogen_bonds.item;
  const InputKey key = input_record(KEY(output_hydrogen_bonds), record, "name");
  if (!variables_name_valid(all[record].name))
    return input_error(
        of->config->input, key, error,
        "'%.60s' is not a valid name; wanted: letters, digits and '_', beginning with a letter",
        all[record].name);
  for (int k = 0; k < record; k++)
    if (strcmp(all[k].name, all[record].name) == 0)
      return input_error(of->config->input, key, error, "'%s' is also the name of another entry",
                         all[record].name);
  return STATUS_OK;
}

/* Reads the records, or selects all atoms. */
static Status choose(const Search *of, Arena *arena, HydrogenBondList *list, Error *error)
{
  const InputRecords *const records = &of->config->output.hydrogen_bonds;
  const ConfigHydrogenBonds *const record = records->item;
  if (records->n > HYDROGEN_BONDS_MOST)
    return input_error(of->config->input, KEY(output_hydrogen_bonds), error, "%d are listed; the limit is %d",
                       records->n, HYDROGEN_BONDS_MOST);
  list->n = records->n > 0 ? records->n : 1;
  const char **const name = arena_take(arena, (size_t)list->n, sizeof *name);
  TRY(arena_check(arena, "hydrogen bonds", error));
  list->name = name;
  name[0] = "all";
  for (int i = 0; records->n == 0 && i < of->labels->natom; i++)
    of->first[i] = of->second[i] = 1;
  for (int r = 0; r < records->n; r++) {
    const InputStrings *const between = &record[r].between;
    name[r] = record[r].name;
    TRY(check_name(of, r, error));
    if (between->n < 1 || between->n > 2)
      return input_error(of->config->input, input_record(KEY(output_hydrogen_bonds), r, "between"), error,
                         "%d are listed; wanted: one selection, or two", between->n);
    TRY(mark(of, r, between->value[0], of->first, error));
    TRY(mark(of, r, between->value[between->n - 1], of->second, error));
  }
  return STATUS_OK;
}

/* --- atoms ------- */

/* The atom that a hydrogen is bonded to; -1: none. */
static int parent(const LabelsSort *sort, int hydrogen)
{
  for (int b = 0; b < sort->nbond; b++)
    for (int k = 0; k < 2; k++) {
      const int other = sort->bond[b].atom[1 - k];
      if (sort->bond[b].atom[k] == hydrogen && !is_element(&sort->atom[other], "H"))
        return other;
    }
  return sort->nbond == 0 && sort->natom > 1 ? 0 : -1;
}

/* The hydrogens of each atom of a molecule type. */
static void find_hydrogens(const LabelsSort *sort, HydrogenBondDonor *donor)
{
  for (int i = 0; i < sort->natom; i++)
    donor[i].nhydrogen = 0;
  for (int i = 0; i < sort->natom; i++) {
    const int to = is_element(&sort->atom[i], "H") ? parent(sort, i) : -1;
    if (to >= 0 && to != i && donor[to].nhydrogen < HYDROGEN_BONDS_HYDROGENS)
      donor[to].hydrogen[donor[to].nhydrogen++] = i;
  }
}

/* Donors and acceptors of molecule type k. */
static Status list_type(const Search *of, int k, HydrogenBondDonor *donor, HydrogenBondAtom *acceptor,
                        HydrogenBondList *list, Error *error)
{
  const LabelsSort *const sort = &of->labels->sort[k];
  SCOPED(scoped_free) HydrogenBondDonor *one = calloc((size_t)sort->natom, sizeof *one);
  TRY_MEMORY(one != NULL, "hydrogen bonds", error);
  find_hydrogens(sort, one);
  for (int m = 0; m < sort->nmol; m++)
    for (int i = 0; i < sort->natom; i++) {
      const int atom = sort->first + m * sort->natom + i;
      const HydrogenBondAtom is = {k, m, i, of->first[atom], of->second[atom]};
      if (!is_polar(&sort->atom[i]) || (is.first | is.second) == 0)
        continue;
      acceptor[list->nacceptor++] = is;
      if (one[i].nhydrogen == 0)
        continue;
      donor[list->ndonor] = one[i];
      donor[list->ndonor++].is = is;
    }
  return STATUS_OK;
}

Status donors_find(const Config *config, const Labels *labels, Arena *arena, HydrogenBondList *list,
                   Error *error)
{
  const size_t natom = (size_t)labels->natom;
  size_t polar = 0;
  SCOPED(scoped_free) uint32_t *bits = calloc(2 * natom + 1, sizeof *bits);
  TRY_MEMORY(bits != NULL, "hydrogen bonds", error);
  const Search of = {config, labels, bits, bits + natom};
  *list = (HydrogenBondList){0};
  TRY(choose(&of, arena, list, error));
  for (int k = 0; k < labels->nsort; k++)
    for (int i = 0; i < labels->sort[k].natom; i++)
      polar += is_polar(&labels->sort[k].atom[i]) ? (size_t)labels->sort[k].nmol : 0;
  HydrogenBondDonor *const donor = arena_take(arena, polar, sizeof *donor);
  HydrogenBondAtom *const acceptor = arena_take(arena, polar, sizeof *acceptor);
  TRY(arena_check(arena, "hydrogen bonds", error));
  for (int k = 0; k < labels->nsort; k++)
    TRY(list_type(&of, k, donor, acceptor, list, error));
  list->donor = donor;
  list->acceptor = acceptor;
  return STATUS_OK;
}
