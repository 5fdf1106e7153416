#include "simulation/molecules/restraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/scoped.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/points.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/molecules/variables.h"

/* The present record. */
typedef struct Reference {
  const Simulation *s;
  const ConfigRestraint *record;
  int number;
  double *x;    /* [coordinates] points of all atoms */
  double *home; /* [coordinates] centre of mass of each atom's molecule */
  Box box;      /* of the points; all zero in open space */
} Reference;

static InputKey key_of(const Reference *of, const char *key)
{
  return input_record(KEY(restraints), of->number, key);
}

/* --- points ------- */

static Status read_points(Reference *of, Error *error)
{
  const Config *c = of->s->config;
  if (c->system.start != START_FILE && !box_periodic(&of->s->box))
    return input_error(c->input, key_of(of, "atoms"), error,
                       "ties atoms to points, but a built cluster is at the origin, wherever the points are: "
                       "set system.start: file and system.file to a file with the points");
  return points_read(of->s, key_of(of, "file"), of->record->of.file, of->x, &of->box, error);
}

static void find_centres(const Reference *of)
{
  const Topology *t = of->s->topology;
  const double *x = of->x;
  double *home = of->home;
  for (int k = 0; k < t->nsort; k++) {
    const Kind *kind = t->sort[k].kind;
    const double whole = kind_mass(kind);
    for (int m = 0; m < t->sort[k].nmol; m++, x += 3 * kind->nsite, home += 3 * kind->nsite)
      for (int d = 0; d < 3; d++) {
        double centre = 0.0;
        for (int i = 0; i < kind->nsite; i++)
          centre += kind->mass[i] / whole * x[3 * i + d];
        for (int i = 0; i < kind->nsite; i++)
          home[3 * i + d] = centre;
      }
  }
}

/* Splits a point into a part that follows the box and a fixed offset; in open space all is fixed. */
static void place(const Reference *of, Restraint *to)
{
  const double *x = of->x + (ptrdiff_t)3 * to->atom;
  const double *follows = of->record->scale == SCALE_ALL ? x : of->home + (ptrdiff_t)3 * to->atom;
  double there[3] = {0.0};
  if (of->record->scale != SCALE_NONE) {
    box_fractions(&of->box, follows, to->s);
    box_point(&of->box, to->s, there);
  }
  for (int d = 0; d < 3; d++)
    to->offset[d] = x[d] - there[d];
  if (of->record->scale == SCALE_ALL && box_periodic(&of->box))
    memset(to->offset, 0, sizeof to->offset);
}

/* --- walls ------- */

/* Checks that the planes repeat with the box. */
static Status check_walls(const Reference *of, int walls, int axis, Error *error)
{
  const double length = box_length(&of->s->box, axis);
  const Input *in = of->s->config->input;
  TRY(variables_axis(of->s, key_of(of, "axis"), &coordinate_types[COORDINATE_POSITION], of->record->of.axis,
                     error));
  if (!(length > 0.0))
    return STATUS_OK;
  if (walls != (WALL_ABOVE | WALL_BELOW))
    return input_error(in, key_of(of, walls & WALL_ABOVE ? "above" : "below"), error,
                       "one wall cannot confine atoms along an axis on which the box is periodic, since they "
                       "reach it from both sides; wanted: also %s",
                       walls & WALL_ABOVE ? "below" : "above");
  return of->record->above - of->record->below < length
             ? STATUS_OK
             : input_error(in, key_of(of, "above"), error,
                           "is %g A above the other wall, but the box repeats after %g A, so no atom is ever "
                           "beyond a wall; wanted: walls that are closer to each other",
                           of->record->above - of->record->below, length);
}

/* Makes walls of the record. Along a periodic axis they are fractions of the box. */
static Status make_walls(const Reference *of, int walls, Restraint *to, Error *error)
{
  const ConfigRestraint *r = of->record;
  const int axis = (r->of.axis + 2) % 3; /* z, x, y */
  const double length = box_length(&of->s->box, axis), k = r->k.n > 0 ? r->k.value[0] : 0.0;
  TRY(check_walls(of, walls, axis, error));
  if (!(k > 0.0) || !isfinite(k))
    return input_error(of->s->config->input, key_of(of, "k"), error, "wanted: a positive number");
  to->axis = 1 + axis;
  to->k[axis] = k;
  if (walls != (WALL_ABOVE | WALL_BELOW)) {
    to->side = walls == WALL_ABOVE ? 1 : -1;
    to->offset[axis] = walls == WALL_ABOVE ? r->above : r->below;
  } else if (length > 0.0) {
    to->s[axis] = 0.5 * (r->above + r->below) / length;
    to->span = 0.5 * (r->above - r->below) / length;
  } else {
    to->offset[axis] = 0.5 * (r->above + r->below);
    to->flat = 0.5 * (r->above - r->below);
  }
  return STATUS_OK;
}

/* --- records ------- */

static Status read_stiffness(const Reference *of, double k[3], Error *error)
{
  const InputReals *given = &of->record->k;
  const Input *in = of->s->config->input;
  double most = 0.0, least = INFINITY;
  if (given->n != 1 && given->n != 3)
    return input_error(in, key_of(of, "k"), error, "%d numbers; wanted: one, or three, for x, y and z",
                       given->n);
  for (int d = 0; d < 3; d++) {
    k[d] = given->value[given->n == 3 ? d : 0];
    most = fmax(most, k[d]);
    least = k[d] > 0.0 ? fmin(least, k[d]) : least;
  }
  if (!(most > 0.0) || !isfinite(most))
    return input_error(in, key_of(of, "k"), error,
                       "wanted: a positive number, or three with at least one positive");
  if (of->record->flat > 0.0 && least < most)
    return input_error(in, key_of(of, "flat"), error,
                       "a flat bottom needs the same k along all restrained axes");
  return STATUS_OK;
}

/* The index of the record's first parameter, from 1; 0: the record has no name. */
static int parameter_of(const Reference *of)
{
  char name[64];
  if (of->record->of.name == NULL)
    return 0;
  snprintf(name, sizeof name, "%s.k", of->record->of.name);
  return 1 + simulation_parameter_find(of->s, name);
}

/* Counts the atoms of a coordinate, or of those of a formula, that are frozen or not. */
static void count_frozen(const CoordinateInput *on, const bool *frozen, int count[2])
{
  for (int site = 0; site < COORDINATE_LISTS; site++)
    for (int i = 0; i < on->natom[site]; i++)
      count[frozen[on->atom[site][i]]]++;
  for (int i = 0; i < on->nchild; i++)
    count_frozen(&on->child[i], frozen, count);
}

Status restraints_frozen(const Simulation *s, const CoordinateInput *on, bool *all, Error *error)
{
  const size_t natom = (size_t)s->topology->natom;
  *all = false;
  if (s->config->freeze == NULL)
    return STATUS_OK;
  SCOPED(scoped_free) bool *frozen = calloc(natom + 1, sizeof *frozen);
  TRY_MEMORY(frozen != NULL, "restraints", error);
  freeze_atoms(s->topology, frozen);
  int count[2] = {0, 0};
  count_frozen(on, frozen, count);
  *all = count[true] > 0 && count[false] == 0;
  return STATUS_OK;
}

/* Restraints of frozen atoms alone would do nothing. */
static Status check_frozen(const Reference *of, const bool *chosen, Error *error)
{
  const size_t natom = (size_t)of->s->topology->natom;
  SCOPED(scoped_free) bool *frozen = calloc(natom + 1, sizeof *frozen);
  TRY_MEMORY(frozen != NULL, "restraints", error);
  freeze_atoms(of->s->topology, frozen);
  for (size_t i = 0; i < natom; i++)
    if (chosen[i] && frozen[i])
      return input_error(
          of->s->config->input, key_of(of, "atoms"), error,
          "the atom of index %zu is frozen (freeze: %.100s), so its restraint would do nothing; "
          "leave such atoms out of one of the two selections",
          i, of->s->config->freeze);
  return STATUS_OK;
}

static bool same_site(const CoordinateInput *r, int a, int b)
{
  return r->natom[a] == r->natom[b] &&
         memcmp(r->atom[a], r->atom[b], (size_t)r->natom[a] * sizeof *r->atom[a]) == 0;
}

/* Those of all coordinates of a formula. */
static int count_atoms(const CoordinateInput *on)
{
  int n = 0;
  for (int i = 0; i < COORDINATE_LISTS; i++)
    n += on->natom[i];
  for (int i = 0; i < on->nchild; i++)
    n += count_atoms(&on->child[i]);
  return n;
}

/* Finds the atoms of each site of a coordinate, by its selections in order. */
static Status add_coordinate(Reference *of, const Labels *labels, bool *chosen, Error *error)
{
  MolecularSystem *w = system_molecules(of->s);
  BiasInput *bias = &w->held[w->nheld++];
  *bias = (BiasInput){.form = BIAS_HARMONIC,
                      .n = 1,
                      .on[0].form = (CoordinateForm)(of->record->coordinate - 1),
                      .constant = {of->record->k.value[0], of->record->centre},
                      .parameter = parameter_of(of)};
  CoordinateInput *to = &bias->on[0];
  const CoordinateType *type = &coordinate_types[to->form];
  if (type->composed) {
    TRY(variables_formula_input(of->s, labels, &of->record->of, &w->arena, to, error));
    TRY(variables_formula_check(of->s, key_of(of, "formula"), to, error));
    w->restrained[of->number] = count_atoms(to);
  } else {
    variables_options(&of->record->of, to);
    TRY(points_reference(of->s, key_of(of, "file"), of->record->of.file, &w->arena, to, error));
    TRY(variables_axis(of->s, key_of(of, "axis"), type, to->axis, error));
  }
  for (int site = 0; site < type->lists; site++) {
    const ConfigCollective one = type->lists > 1
                                     ? (ConfigCollective){.atoms = {1, &of->record->of.atoms.value[site]}}
                                     : of->record->of;
    memset(chosen, 0, (size_t)labels->natom * sizeof *chosen);
    TRY(variables_choose(of->s->config, labels, KEY(restraints), of->number, &one, chosen, error));
    int *atom = arena_take(&w->arena, (size_t)labels->natom, sizeof *atom);
    TRY(arena_check(&w->arena, "restraints", error));
    for (int i = 0; i < labels->natom; i++)
      if (chosen[i])
        atom[to->natom[site]++] = i;
    to->atom[site] = atom;
    w->restrained[of->number] += to->natom[site];
    for (int before = 0; before < site && !type->pairs; before++)
      if (same_site(to, before, site))
        return input_error(of->s->config->input, key_of(of, "atoms"), error,
                           "sites %d and %d have the same atoms, so the coordinate is constant or undefined: "
                           "give each site other atoms",
                           before + 1, site + 1);
  }
  bool frozen;
  TRY(restraints_frozen(of->s, to, &frozen, error));
  return !frozen ? STATUS_OK
                 : input_error(of->s->config->input, key_of(of, type->composed ? "formula" : "atoms"), error,
                               "all these atoms are frozen (freeze: %.100s), so the restraint would do "
                               "nothing; remove it, or freeze fewer atoms",
                               of->s->config->freeze);
}

/* Adds the atoms of a record after those of earlier records. */
static Status add_record(Reference *of, const Labels *labels, bool *chosen, int *taken, Error *error)
{
  MolecularSystem *w = system_molecules(of->s);
  Restraint like = {.flat = of->record->flat, .parameter = parameter_of(of)};
  if (of->record->coordinate > 0)
    return add_coordinate(of, labels, chosen, error);
  const int walls = config_walls(of->s->config->input, of->number);
  memset(chosen, 0, (size_t)labels->natom * sizeof *chosen);
  if (walls != 0)
    TRY(make_walls(of, walls, &like, error));
  else
    TRY(read_stiffness(of, like.k, error));
  TRY(variables_choose(of->s->config, labels, KEY(restraints), of->number, &of->record->of, chosen, error));
  if (of->s->config->freeze != NULL)
    TRY(check_frozen(of, chosen, error));
  if (walls == 0) {
    TRY(read_points(of, error));
    find_centres(of);
  }
  for (int i = 0; i < labels->natom; i++) {
    if (!chosen[i])
      continue;
    if (walls == 0 && taken[i] != 0)
      return input_error(
          of->s->config->input, key_of(of, "atoms"), error,
          "the atom of index %d is also restrained by record %d; an atom may have only one point", i,
          taken[i]);
    if (walls == 0)
      taken[i] = of->number + 1;
    w->restrained[of->number]++;
    Restraint *to = &w->restraint[w->nrestraint++];
    *to = like;
    to->atom = i;
    if (walls == 0)
      place(of, to);
  }
  return STATUS_OK;
}

static void add_to_digest(Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  for (int i = 0; i < w->nrestraint; i++) {
    const Restraint *r = &w->restraint[i];
    s->digest = checksum_add(s->digest, &r->atom, sizeof r->atom);
    s->digest = checksum_add(s->digest, r->k, sizeof r->k);
    s->digest = checksum_add(s->digest, &r->flat, sizeof r->flat);
    s->digest = checksum_add(s->digest, r->s, sizeof r->s);
    s->digest = checksum_add(s->digest, r->offset, sizeof r->offset);
    if (r->axis > 0) {
      const double walls[] = {r->axis, r->side, r->span};
      s->digest = checksum_add(s->digest, walls, sizeof walls);
    }
  }
  for (int i = 0; i < w->nheld; i++)
    s->digest = restraints_digest_atoms(s->digest, &w->held[i].on[0]);
  for (int i = 0; i < w->nheld; i++)
    s->digest = restraints_digest_options(s->digest, &w->held[i].on[0]);
}

uint64_t restraints_digest_atoms(uint64_t digest, const CoordinateInput *on)
{
  for (int site = 0; site < COORDINATE_LISTS && on->natom[site] > 0; site++)
    digest = checksum_add(digest, on->atom[site], (size_t)on->natom[site] * sizeof *on->atom[site]);
  return digest;
}

uint64_t restraints_digest_options(uint64_t digest, const CoordinateInput *on)
{
  if (on->axis != 0)
    digest = checksum_add(digest, &on->axis, sizeof on->axis);
  for (int a = 0; a < on->natom[0] && on->reference != NULL; a++)
    digest = checksum_add(digest, on->reference + 3 * on->atom[0][a], 3 * sizeof *on->reference);
  if (coordinate_types[on->form].options == COORDINATE_CONTACTS)
    digest = checksum_add(digest, &on->contacts, sizeof on->contacts);
  if (on->text != NULL)
    digest = checksum_add(digest, on->text, strlen(on->text));
  for (int i = 0; i < on->nchild; i++) {
    digest = checksum_add(digest, &on->child[i].form, sizeof on->child[i].form);
    digest = restraints_digest_options(restraints_digest_atoms(digest, &on->child[i]), &on->child[i]);
  }
  return digest;
}

uint64_t restraints_digest(const Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  uint64_t digest = s->digest;
  for (int i = 0; i < w->nheld; i++) {
    const BiasInput *r = &w->held[i];
    digest = checksum_add(digest, &r->on[0].form, sizeof r->on[0].form);
    digest = checksum_add(digest, r->constant, sizeof r->constant);
  }
  return digest;
}

Status restraints_create(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const InputRecords *records = &s->config->restraints;
  if (records->n == 0)
    return STATUS_OK;
  const size_t atoms = (size_t)s->topology->natom;
  SCOPED(arena_free) Arena own = {0};
  SCOPED(labels_free) Labels labels = {0};
  Reference of = {.s = s,
                  .x = arena_take(&own, 3 * atoms, sizeof(double)),
                  .home = arena_take(&own, 3 * atoms, sizeof(double))};
  bool *chosen = arena_take(&own, atoms, sizeof *chosen);
  int *taken = arena_take(&own, atoms, sizeof *taken);
  size_t layers = 1; /* one point an atom, and walls */
  for (int i = 0; i < records->n; i++)
    layers += config_walls(s->config->input, i) != 0;
  w->restraint = arena_take(&w->arena, atoms * layers, sizeof *w->restraint);
  w->held = arena_take(&w->arena, (size_t)records->n, sizeof *w->held);
  w->restrained = arena_take(&w->arena, (size_t)records->n, sizeof *w->restrained);
  TRY(arena_check(&own, "restraints", error));
  TRY(arena_check(&w->arena, "restraints", error));
  TRY(system_frames_labels(s, s->topology, &labels, error));
  for (of.number = 0; of.number < records->n; of.number++) {
    of.record = (const ConfigRestraint *)records->item + of.number;
    TRY(add_record(&of, &labels, chosen, taken, error));
  }
  add_to_digest(s);
  return STATUS_OK;
}
