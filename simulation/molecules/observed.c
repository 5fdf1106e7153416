#include "simulation/molecules/observed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "io/atom_name.h"
#include "observables/collective.h"
#include "observables/hydrogen_bonds.h"
#include "observables/rdf.h"
#include "simulation/molecules/selection.h"
#include "simulation/molecules/system_frames.h"
#include "topology/select.h"

struct Observed {
  const Simulation *s;
  const Labels *labels;
  bool periodic; /* frames are in boxes */
  int natom;     /* of a frame */
  int *atom;     /* [natom] index in the system; -1: a virtual site */
  bool *there;   /* [all] atoms of the system that frames contain */
  bool *placed;  /* [largest molecule] */
  MoleculesPair *bond;
  double (*x)[3], (*v)[3];        /* [all] */
  ObservableBlock *empty, *block; /* [sorts] */
  Arena arena;
};

/* --- which atoms ------- */

/* All atoms with mass, and perhaps virtual sites. */
static Status take_all(Observed *o, const Frame *frame, const char *path, Error *error)
{
  const Groups *groups = system_molecules(o->s)->groups;
  SCOPED(scoped_free) int *from = malloc((groups_file_atoms(groups) + 1) * sizeof *from);
  TRY_MEMORY(from != NULL, "the atoms of a file", error);
  TRY(system_frames_order(o->s, frame, path, from, error));
  for (int i = 0; i < o->natom; i++)
    o->atom[i] = -1;
  int k = 0, at = 0;
  for (int c = 0; c < groups->molecules->ncount; c++) {
    const GroupsMolecule *of = &groups->molecule[groups->molecules->count[c].molecule];
    for (int m = 0; m < groups->molecules->count[c].n; m++, at += of->natom)
      for (int i = 0; i < of->molecule->natom; i++, k++)
        if (from[k] >= 0 && of->site[i] < of->natom)
          o->atom[from[k]] = at + of->site[i];
  }
  return STATUS_OK;
}

static Status take_selected(Observed *o, const char *select, const char *path, Error *error)
{
  SCOPED(scoped_free) bool *chosen = calloc((size_t)o->labels->natom, sizeof *chosen);
  TRY_MEMORY(chosen != NULL, "a selection", error);
  char none[SELECT_WORDS];
  int n = 0, k = 0;
  if (select_atoms(o->labels, select, chosen, &n, error) != STATUS_OK)
    return error_prefix(error, "--select '%.100s'", select);
  if (n == 0)
    return error_set(error, STATUS_INPUT, "--select '%.100s' %s", select,
                     select_none(o->labels->nsort, o->labels->sort, select, none));
  if (n != o->natom)
    return error_set(error, STATUS_INPUT, "%s has %d atoms, but --select '%.100s' selects %d", path, o->natom,
                     select, n);
  for (int i = 0; i < o->labels->natom; i++)
    if (chosen[i])
      o->atom[k++] = i;
  return STATUS_OK;
}

static Status take_indices(Observed *o, const Frame *frame, const char *path, Error *error)
{
  for (int i = 0; i < o->natom; i++) {
    const int index = frame->indices[i];
    if (index < 0 || index >= o->labels->natom || (i > 0 && index <= frame->indices[i - 1]))
      return error_set(
          error, STATUS_INPUT,
          "%s: id: number %d is %d; wanted: ascending indices of the %d atoms of the system, from 0", path,
          i + 1, index, o->labels->natom);
    o->atom[i] = index;
  }
  return STATUS_OK;
}

static bool has_suffix(const char *path, const char *suffixes)
{
  const char *dot = strrchr(path, '.');
  const size_t n = dot != NULL ? strlen(dot) : 0;
  for (const char *at = suffixes; n > 0 && (at = strstr(at, dot)) != NULL; at += n)
    if (at[n] == ' ' || at[n] == '\0')
      return true;
  return false;
}

/* The input's selection for the format of the file's suffix, or else for any format with this number of
 * atoms. */
static Status take_input(Observed *o, const char *path, bool *found, Error *error)
{
  for (int any = 0; any < 2 && !*found; any++)
    for (int i = 0; i < TRAJECTORY_FORMATS && !*found; i++) {
      SCOPED(selection_free) Selection selection = {0};
      if (o->s->config->output.frames[i].atoms.n == 0 ||
          has_suffix(path, trajectory_formats[i]->suffixes) != (any == 0))
        continue;
      TRY(selection_make(o->s, i, &selection, error));
      *found = selection.n == o->natom;
      if (*found)
        memcpy(o->atom, selection.atom, (size_t)o->natom * sizeof *o->atom);
    }
  return STATUS_OK;
}

static Status find_atoms(Observed *o, const char *select, const Frame *frame, const char *path, Error *error)
{
  const int all = o->labels->natom;
  bool found = false;
  if (select != NULL)
    return take_selected(o, select, path, error);
  if (o->natom >= all)
    return take_all(o, frame, path, error);
  if (frame->has_indices)
    return take_indices(o, frame, path, error);
  TRY(take_input(o, path, &found, error));
  return found ? STATUS_OK
               : error_set(
                     error, STATUS_INPUT,
                     "%s has %d atoms, but %s describes %d, and neither file nor input (output.xtc_atoms) "
                     "selects atoms: use --select, such as --select \"not resname SOL\"",
                     path, o->natom, input_name(o->s->config->input), all);
}

/* --- names ------- */

static const LabelsAtom *label_of(const Labels *labels, int atom)
{
  int k = labels->nsort - 1;
  while (labels->sort[k].first > atom)
    k--;
  return &labels->sort[k].atom[(atom - labels->sort[k].first) % labels->sort[k].natom];
}

/* By name, truncated to the columns of files, or by element. */
static bool fits(const LabelsAtom *atom, const char *called)
{
  const size_t n = strlen(called);
  const AtomRole role = atom_name_role(called);
  return strcmp(called, atom->name) == 0 || (n >= 4 && strncmp(called, atom->name, n) == 0) ||
         strcasecmp(called, atom->element) == 0 || atom_name_same_element(called, atom->element) ||
         (role <= ATOM_HYDROGEN && role == atom_name_role(atom->element));
}

static Status check_names(const Observed *o, const Frame *frame, const char *path, Error *error)
{
  for (int i = 0; i < o->natom && frame->has_symbols; i++) {
    const LabelsAtom *label = o->atom[i] >= 0 ? label_of(o->labels, o->atom[i]) : NULL;
    if (label != NULL && !fits(label, frame->symbols[i]))
      return error_set(error, STATUS_INPUT, "%s: atom %d is '%s', where the system has %s of %s", path, i + 1,
                       frame->symbols[i], label->name, label->residue);
  }
  return STATUS_OK;
}

/* --- making ------- */

static Status take_room(Observed *o, Error *error)
{
  int most = 0, bonds = 0;
  for (int k = 0; k < o->labels->nsort; k++) {
    const LabelsSort *sort = &o->labels->sort[k];
    most = sort->natom > most ? sort->natom : most;
    bonds = sort->nbond > bonds ? sort->nbond : bonds;
  }
  const size_t all = (size_t)o->labels->natom;
  o->atom = arena_take(&o->arena, (size_t)o->natom, sizeof *o->atom);
  o->there = arena_take(&o->arena, all, sizeof *o->there);
  o->placed = arena_take(&o->arena, (size_t)most, sizeof *o->placed);
  o->bond = arena_take(&o->arena, (size_t)(bonds > most ? bonds : most), sizeof *o->bond);
  o->x = arena_take(&o->arena, all, sizeof *o->x);
  o->v = arena_take(&o->arena, all, sizeof *o->v);
  o->empty = arena_take(&o->arena, (size_t)o->labels->nsort, sizeof *o->empty);
  o->block = arena_take(&o->arena, (size_t)o->labels->nsort, sizeof *o->block);
  return arena_check(&o->arena, "samples of a trajectory", error);
}

static void make_blocks(Observed *o)
{
  const Topology *t = o->s->topology;
  for (int k = 0; k < t->nsort; k++)
    o->empty[k] = o->block[k] = (ObservableBlock){
        t->sort[k].kind, isnan(*t->sort[k].shared) ? NULL : t->sort[k].shared, t->sort[k].nmol, NULL, NULL};
}

static Status fill(Observed *o, const char *select, const Frame *frame, const char *path, Error *error)
{
  TRY(take_room(o, error));
  TRY(find_atoms(o, select, frame, path, error));
  TRY(check_names(o, frame, path, error));
  for (int i = 0; i < o->natom; i++)
    if (o->atom[i] >= 0)
      o->there[o->atom[i]] = true;
  make_blocks(o);
  return STATUS_OK;
}

Status observed_create(Observed **observed, const Simulation *s, const char *select, bool boxed,
                       const Frame *first, const char *path, Error *error)
{
  *observed = NULL;
  if (s->sort->form == NULL)
    return error_set(error, STATUS_INPUT,
                     "%s describes no molecules; its trajectories are CSV tables, which cannot be used here",
                     input_name(s->config->input));
  Observed *o = *observed = calloc(1, sizeof *o);
  TRY_MEMORY(o != NULL, "samples of a trajectory", error);
  o->s = s;
  o->labels = s->labels;
  o->periodic = boxed || box_periodic(&s->box);
  o->natom = first->natoms;
  TRY_ELSE(fill(o, select, first, path, error), (observed_free(o), *observed = NULL));
  return STATUS_OK;
}

void observed_free(Observed *o)
{
  if (o == NULL)
    return;
  arena_free(&o->arena);
  free(o);
}

const ObservableBlock *observed_blocks(const Observed *o, int *n)
{
  *n = o->labels->nsort;
  return o->empty;
}

/* --- options ------- */

void observed_options(const Simulation *s, ObservableOptions *options)
{
  *options = s->config->output.observe;
  memset(options->every, 0, sizeof options->every);
  options->collective = s->collective;
  options->sites = s->sites;
  options->hills = NULL; /* of the run alone */
  options->hydrogen_bond_list = s->hydrogen_bonds;
  options->landscape = s->landscape.topology != NULL ? &s->landscape : NULL;
  options->penalised = config_penalises(s->config);
  options->title = s->config->title;
  options->temperature = s->config->schedule.varies ? 0.0 : s->kT / UNITS_BOLTZMANN;
  options->friction = simulation_friction_mean(s);
  options->friction_uniform = s->config->thermostat.convention == FRICTION_UNIFORM;
}

static Status lacks(const Observed *o, int sort, int m, int atom, const char *who, const char *path,
                    Error *error)
{
  const LabelsSort *of = &o->labels->sort[sort];
  return error_set(error, STATUS_INPUT,
                   "%s needs %s of residue %s %d (%s), which %s, with only part of the system, lacks", who,
                   of->atom[atom].name, of->atom[atom].residue, labels_residue(of, m, atom), of->name, path);
}

static bool is_there(const Observed *o, int sort, int m, int atom)
{
  const LabelsSort *of = &o->labels->sort[sort];
  return o->there[of->first + m * of->natom + atom];
}

static Status check_variable(const Observed *o, const Collective *of, const char *path, Error *error)
{
  for (int k = 0; of->span != NULL && k < of->nspan; k++) {
    const CollectiveSpan *span = &of->span[k];
    for (int m = span->begin; m < span->end; m++)
      for (int i = 0; i < of->sites.natom; i++)
        if (!is_there(o, span->sort, m, of->sites.place[i].atom))
          return lacks(o, span->sort, m, of->sites.place[i].atom, of->name, path, error);
  }
  for (int i = 0; i < of->sites.natom && of->span == NULL; i++) {
    const CoordinatePlace *at = &of->sites.place[i];
    if (!is_there(o, at->sort, at->molecule, at->atom))
      return lacks(o, at->sort, at->molecule, at->atom, of->name, path, error);
  }
  return STATUS_OK;
}

/* Donors, hydrogens and acceptors. */
static Status check_bonds(const Observed *o, const HydrogenBondList *list, const char *path, Error *error)
{
  for (int k = 0; k < list->nacceptor; k++) { /* donors are among them */
    const HydrogenBondAtom *const of = &list->acceptor[k];
    if (!is_there(o, of->block, of->molecule, of->site))
      return lacks(o, of->block, of->molecule, of->site, "hydrogen_bonds", path, error);
  }
  for (int k = 0; k < list->ndonor; k++) {
    const HydrogenBondDonor *const of = &list->donor[k];
    for (int i = 0; i < of->nhydrogen; i++)
      if (!is_there(o, of->is.block, of->is.molecule, of->hydrogen[i]))
        return lacks(o, of->is.block, of->is.molecule, of->hydrogen[i], "hydrogen_bonds", path, error);
  }
  return STATUS_OK;
}

/* All atoms, or those of named sites. */
static Status check_atoms(const Observed *o, const RdfSites *sites, const char *who, const char *path,
                          Error *error)
{
  for (int k = 0; k < o->labels->nsort; k++)
    for (int m = 0; m < o->labels->sort[k].nmol; m++)
      for (int i = 0; i < o->labels->sort[k].natom; i++)
        if ((sites == NULL || sites->of[k][i] >= 0) && !is_there(o, k, m, i))
          return lacks(o, k, m, i, who, path, error);
  return STATUS_OK;
}

static const ObservableRow collective_rows[COORDINATES] = {
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...)                                 \
  [COORDINATE_##FORM] = OBSERVABLE_##list,
#include "engine/coordinates.def"
};

Status observed_check(const Observed *o, const ObservableOptions *options, const char *path, Error *error)
{
  bool variables[OBSERVABLES] = {false};
  for (int row = 0; row < COORDINATES; row++) {
    const CollectiveList *list = options->collective != NULL ? &options->collective[row] : NULL;
    variables[collective_rows[row]] = true;
    for (int v = 0; list != NULL && v < list->n && options->every[collective_rows[row]] > 0; v++)
      TRY(check_variable(o, &list->variable[v], path, error));
  }
  variables[OBSERVABLE_hydrogen_bonds] = options->hydrogen_bond_list != NULL; /* else all atoms */
  if (options->every[OBSERVABLE_hydrogen_bonds] > 0 && variables[OBSERVABLE_hydrogen_bonds])
    TRY(check_bonds(o, options->hydrogen_bond_list, path, error));
  for (int i = 0; i < OBSERVABLES; i++)
    if (options->every[i] > 0 && !variables[i])
      TRY(check_atoms(o, i == OBSERVABLE_rdf ? options->sites : NULL, observable_table[i]->name, path,
                      error));
  return STATUS_OK;
}

/* --- frames ------- */

/* Joins the present atoms of a molecule along bonds; those of water and ions, which list no bonds, to the
 * first atom. */
static void join(const Observed *o, const LabelsSort *sort, int m, const Box *box)
{
  const int base = sort->first + m * sort->natom;
  const bool *there = o->there + base;
  int n = 0;
  for (int b = 0; b < sort->nbond; b++)
    if (there[sort->bond[b].atom[0]] && there[sort->bond[b].atom[1]])
      o->bond[n++] = sort->bond[b];
  for (int i = 1; i < sort->natom && sort->nbond == 0; i++)
    if (there[0] && there[i])
      o->bond[n++] = (MoleculesPair){{0, i}};
  molecules_make_whole(sort->natom, n, o->bond, box, o->x + base, o->placed);
}

static Status find_box(const Observed *o, const Frame *frame, const char *path, Box *box, Error *error)
{
  if (!o->periodic) {
    *box = (Box){0};
    return STATUS_OK;
  }
  return box_periodic(box) ? STATUS_OK : structure_box(frame, path, box, error);
}

Status observed_take(Observed *o, const Frame *frame, const char *path, Box *box,
                     const ObservableBlock **block, Error *error)
{
  const double ps = 1e3 / UNITS_AKMA_FS; /* in AKMA units of time */
  if (frame->natoms != o->natom)
    return error_set(error, STATUS_INPUT, "%s: a frame has %d atoms, but the first frame has %d", path,
                     frame->natoms, o->natom);
  TRY(find_box(o, frame, path, box, error));
  for (int i = 0; i < 3 * o->labels->natom; i++)
    o->x[i / 3][i % 3] = o->v[i / 3][i % 3] = NAN;
  for (int i = 0; i < o->natom; i++)
    for (int d = 0; o->atom[i] >= 0 && d < 3; d++) {
      o->x[o->atom[i]][d] = frame->positions[i][d];
      o->v[o->atom[i]][d] = frame->has_velocities ? frame->velocities[i][d] / ps : NAN;
    }
  for (int k = 0; k < o->labels->nsort; k++) {
    const LabelsSort *sort = &o->labels->sort[k];
    for (int m = 0; m < sort->nmol && box_periodic(box); m++)
      join(o, sort, m, box);
    o->block[k].x = &o->x[sort->first][0];
    o->block[k].v = frame->has_velocities ? &o->v[sort->first][0] : NULL;
  }
  *block = o->block;
  return STATUS_OK;
}
