#include "simulation/molecules/system_contents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/scoped.h"
#include "io/molecules_file.h"
#include "io/molecules_join.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/start/filling.h"
#include "simulation/start/lattice.h"

/* The types to be joined. */
typedef struct Contents {
  Simulation *s;
  Arena *arena;
  const WaterModel *water; /* defines parameters of single atoms; NULL: no water, or several models */
  int n;
  MoleculesPart *part; /* [n] */
  Kind **kind;         /* [n] of built-in types; NULL for types of files */
} Contents;

static void contents_free(Contents *c)
{
  for (int k = 0; k < c->n; k++)
    kind_free(c->kind[k]);
}

/* --- types ------- */

static Status begin(Contents *c, int most, Error *error)
{
  c->part = arena_take(c->arena, (size_t)most, sizeof *c->part);
  c->kind = arena_take(c->arena, (size_t)most, sizeof(Kind *));
  return arena_check(c->arena, "molecules", error);
}

/* With molecules of files, water has their atom names, otherwise element names. */
static Status add_water(Contents *c, const WaterModel *model, int n, Error *error)
{
  const Config *config = c->s->config;
  const double mass[] = {config->system.mass_O, config->system.mass_H};
  char *text = arena_take(c->arena, WATER_MOLECULE_TEXT, 1);
  TRY(arena_check(c->arena, "molecules", error));
  water_molecule_text(model, config->system.described ? NULL : mass, text, WATER_MOLECULE_TEXT);
  TRY(water_kind(model, mass[0], mass[1], &c->kind[c->n], error));
  c->part[c->n++] = (MoleculesPart){.path = model->name, .text = text, .n = n, .any_rule = true};
  return STATUS_OK;
}

static Status add_atom(Contents *c, const AtomModel *species, int n, Error *error)
{
  char *text = arena_take(c->arena, WATER_MOLECULE_TEXT, 1);
  TRY(arena_check(c->arena, "molecules", error));
  water_molecule_atom_text(species, text, WATER_MOLECULE_TEXT);
  TRY(atom_model_kind(species, &c->kind[c->n], error));
  c->part[c->n++] = (MoleculesPart){.path = species->name, .text = text, .n = n};
  return STATUS_OK;
}

static const char *water_name(const Contents *c) { return c->water != NULL ? c->water->name : NULL; }

static Status no_species(const Contents *c, const char *name, Error *error)
{
  Nearest nearest = nearest_start(name);
  bool other = false; /* exists for another model */
  for (const AtomModel *row = atom_model_list; row->name != NULL; row++) {
    if (atom_model_find(row->name, water_name(c)) != NULL)
      nearest_try(&nearest, row->name, 0.0);
    other = other || strcmp(row->name, name) == 0;
  }
  if (other)
    return input_error(c->s->config->input, KEY(system_atoms), error, "'%s' has no parameters for %s", name,
                       c->water != NULL ? c->water->name : "a system without water");
  return input_error(c->s->config->input, KEY(system_atoms), error,
                     "there is no species '%s'; 'holonom list' prints all%s", name,
                     nearest_hint(&nearest, "").text);
}

/* Entry i of system.atoms. */
static Status read_atoms(const Contents *c, int i, const AtomModel **species, int *number, Error *error)
{
  const InputMap *atoms = &c->s->config->system.atoms;
  *species = atom_model_find(atoms->name[i], water_name(c));
  if (*species == NULL)
    return no_species(c, atoms->name[i], error);
  char *end;
  const long n = strtol(atoms->value[i], &end, 10);
  if (*end != '\0' || end == atoms->value[i] || n < 0 || n > STATE_MOLECULES)
    return input_error(c->s->config->input, KEY(system_atoms), error,
                       "%s: '%s' is not a number of atoms; wanted: a whole number from 0 to %d",
                       atoms->name[i], atoms->value[i], STATE_MOLECULES);
  *number = (int)n;
  return STATUS_OK;
}

/* Adds the entries of system.atoms in order. */
static Status add_atoms(Contents *c, Error *error)
{
  for (int i = 0; i < c->s->config->system.atoms.n; i++) {
    const AtomModel *species;
    int n = 0;
    TRY(read_atoms(c, i, &species, &n, error));
    if (n > 0)
      TRY(add_atom(c, species, n, error));
  }
  return STATUS_OK;
}

/* --- built systems ------- */

/* Computes the number of waters from the density if no number is given. */
static Status count_waters(Contents *c, Error *error)
{
  const Config *config = c->s->config;
  SCOPED(scoped_free) int *nmol = calloc((size_t)c->n, sizeof *nmol);
  TRY_MEMORY(nmol != NULL, "molecules", error);
  for (int k = 0; k < c->n; k++)
    nmol[k] = c->part[k].n;
  Error why;
  const Status status =
      lattice_count(c->kind[0], &c->s->box, lattice_mass(c->n, (const Kind *const *)c->kind, nmol),
                    config->system.density, &c->part[0].n, &why);
  return input_pass(config->input, KEY(system_density), status, &why, error);
}

static Status find_built(Contents *c, Error *error)
{
  const Config *config = c->s->config;
  TRY(begin(c, 1 + config->system.atoms.n, error));
  c->s->box = config->system.box;
  const bool water = system_molecules(c->s)->model != NULL;
  if (water)
    TRY(add_water(c, c->water, config->system.molecules, error));
  TRY(add_atoms(c, error));
  return water && c->part[0].n == 0 ? count_waters(c, error) : STATUS_OK;
}

/* --- contents of the start file ------- */

/* Compares with the requested numbers, if given. */
static Status check_numbers(const Contents *c, const Structure *structure, Error *error)
{
  const Config *config = c->s->config;
  const int waters = structure->nmol[0];
  if (c->water != NULL && input_given(config->input, KEY(system_molecules)) &&
      waters != config->system.molecules)
    return input_error(config->input, KEY(system_molecules), error, "%d are requested, but %s has %d",
                       config->system.molecules, config->system.file, waters);
  for (int i = 0; i < config->system.atoms.n; i++) {
    const AtomModel *species;
    int wanted = 0;
    TRY(read_atoms(c, i, &species, &wanted, error));
    const int held = structure->nmol[system_frames_group(species->symbol)];
    if (held != wanted)
      return input_error(config->input, KEY(system_atoms), error, "%d of %s are requested, but %s has %d",
                         wanted, species->name, config->system.file, held);
  }
  return STATUS_OK;
}

static Status add_read(Contents *c, const Structure *structure, Error *error)
{
  const Config *config = c->s->config;
  const AtomModelNames names = atom_model_names();
  const int waters = structure->nmol[0];
  if (waters > 0 && c->water == NULL)
    return input_error(config->input, KEY_SECTION(system_model), error,
                       "%s has %d waters: set system.model to the name of their model", config->system.file,
                       waters);
  if (system_molecules(c->s)->model != NULL && waters == 0)
    return input_error(config->input, KEY(system_model), error, "%s has no water", config->system.file);
  TRY(begin(c, 1 + structure->nspecies, error));
  if (waters > 0)
    TRY(add_water(c, c->water, waters, error));
  TRY(check_numbers(c, structure, error));
  for (int i = 0; i < names.n; i++) {
    const int nmol = structure->nmol[1 + i];
    const AtomModel *species = atom_model_find(names.name[i], water_name(c));
    if (nmol > 0)
      TRY(species != NULL ? add_atom(c, species, nmol, error) : no_species(c, names.name[i], error));
  }
  return STATUS_OK;
}

static Status read_first(void *self, int i, Frame *frame, const char *path, Error *error)
{
  Contents *c = self;
  if (i > 0)
    return STATUS_OK;
  SCOPED(structure_free) Structure structure = {0};
  const AtomModelNames names = atom_model_names();
  TRY(system_frames_box(c->s, frame, path, &c->s->box, error));
  Error why;
  const Status status = structure_find(frame, path, names.n, names.symbol, &structure, &why);
  TRY(input_pass(c->s->config->input, KEY(system_file), status, &why, error));
  return add_read(c, &structure, error);
}

/* --- types by name ------- */

static Status no_type(const Contents *c, const char *name, Error *error)
{
  Nearest nearest = nearest_start(name);
  for (const WaterModel *model = water_models; model->name != NULL; model++)
    nearest_try(&nearest, model->name, 0.0);
  return input_error(c->s->config->input, KEY(system_molecules), error,
                     "there is no water model and no file '%s'%s", name, nearest_hint(&nearest, "").text);
}

/* One molecule type of a file. */
static Status add_file(Contents *c, const char *name, int n, Error *error)
{
  const Config *config = c->s->config;
  MoleculesPart *part = &c->part[c->n];
  SCOPED(scoped_free) char *path = config_path(config, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  char *word = arena_take(c->arena, strlen(path) + 1, 1);
  TRY(arena_check(c->arena, "a file name", error));
  molecules_join_name(strcpy(word, path), part);
  part->n = n;
  if (!file_lies(part->path))
    return no_type(c, name, error);
  c->n++;
  return STATUS_OK;
}

static Status find_types(Contents *c, Error *error)
{
  const InputMap *types = &c->s->config->system.types;
  int waters = 0;
  TRY(begin(c, types->n + c->s->config->system.atoms.n, error));
  c->s->box = c->s->config->system.box;
  for (int i = 0; i < types->n; i++) {
    const WaterModel *model = water_find(types->name[i]);
    const int n = (int)strtol(types->value[i], NULL, 10);
    if (model != NULL)
      c->water = waters++ == 0 ? model : NULL;
    TRY(model != NULL ? add_water(c, model, n, error) : add_file(c, types->name[i], n, error));
  }
  return add_atoms(c, error);
}

/* --- one list ------- */

/* Finds coordinates of one molecule of type k, next to its file if it has one. Built-in types have the masses
 * of the input. */
static Status find_shape(const Contents *c, int k, Molecule *m, double (*x)[3], Error *error)
{
  const Kind *kind = c->kind[k];
  const char *path;
  if (kind == NULL) {
    TRY(filling_find(&c->part[k], ", or start: file", c->arena, &path, error));
    return filling_read(m, path, x, error);
  }
  memcpy(x, kind->reference, (size_t)kind->nsite * sizeof *x);
  for (int i = 0; i < kind->nsite; i++)
    m->atom[i].mass = kind->mass[i];
  return STATUS_OK;
}

static Status find_shapes(const Contents *c, SystemShapes *shapes, Error *error)
{
  const Molecules *all = system_molecules(c->s)->molecules;
  shapes->x = arena_take(c->arena, (size_t)c->n, sizeof *shapes->x);
  TRY(arena_check(c->arena, "molecules", error));
  for (int k = 0; k < c->n; k++) {
    double(*x)[3] = arena_take(c->arena, (size_t)all->molecule[k].natom, sizeof *x);
    TRY(arena_check(c->arena, "molecules", error));
    TRY(find_shape(c, k, &all->molecule[k], x, error));
    shapes->x[k] = (const double(*)[3])x;
  }
  return STATUS_OK;
}

static Status join(Contents *c, Error *error)
{
  MolecularSystem *w = system_molecules(c->s);
  SCOPED(scoped_free) char *text = NULL;
  TRY(molecules_join(c->n, c->part, &text, &w->molecules, error));
  if (w->origin->described)
    return STATUS_OK;
  w->molecules->builtin = true;
  for (int k = 0; k < c->n; k++)
    for (int i = 0; i < c->kind[k]->nsite; i++) {
      MoleculesAtom *atom = &w->molecules->molecule[k].atom[i];
      atom->element = atom->name;
    }
  return STATUS_OK;
}

/* Checks the total number of molecules. */
static Status check_total(const Contents *c, Error *error)
{
  const Config *config = c->s->config;
  const Input *in = config->input;
  const InputKey key = c->n > 1 && !config->system.described ? KEY(system_atoms) : KEY(system_molecules);
  double all = 0.0;
  for (int k = 0; k < c->n; k++)
    all += c->part[k].n;
  if (c->n == 0)
    return input_error(in, KEY_SECTION(system_model), error, "the system is empty");
  Error why;
  const Status status = state_may_hold(all, &why);
  return input_pass(in, key, status, &why, error);
}

/* Finds types that are joined to one list. */
static Status find_joined(Simulation *s, Arena *arena, SystemShapes *shapes, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const bool described = s->config->system.described, file = s->config->system.start == START_FILE;
  SCOPED(contents_free) Contents c = {.s = s, .arena = arena, .water = w->model};
  if (s->config->system.molecules == 0 && input_given(s->config->input, KEY(system_molecules)))
    w->model = NULL; /* it selects parameters of atoms only */
  TRY(described ? find_types(&c, error)
      : file    ? start_file_read(s->config, &w->from, read_first, &c, error)
                : find_built(&c, error));
  TRY(check_total(&c, error));
  w->origin = described ? &system_origin_described : &system_origin_builtin;
  w->source = described ? "system.molecules" : "the input";
  w->name = described ? w->source : w->model != NULL ? w->model->name : "none";
  s->contents = KEY(system_molecules);
  Error why;
  TRY(input_pass(s->config->input, KEY(system_molecules), join(&c, &why), &why, error));
  if (described && file)
    return STATUS_OK;
  return input_pass(s->config->input, KEY(system_molecules), find_shapes(&c, shapes, &why), &why, error);
}

/* --- a file of molecules ------- */

static Status read_topology(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const Config *c = s->config;
  SCOPED(scoped_free) char *path = config_path(c, c->system.topology);
  TRY_MEMORY(path != NULL, "a file name", error);
  Error why;
  const Status status = molecules_file_read(&w->molecules, path, &why);
  TRY(input_pass(c->input, KEY(system_topology), status, &why, error));
  w->origin = &system_origin_described;
  w->source = w->name = c->system.topology;
  s->contents = KEY(system_topology);
  int64_t atoms, massless;
  molecules_count_atoms(w->molecules, &atoms, &massless);
  if (w->molecules->ncount < 1)
    return input_error(
        c->input, KEY(system_topology), error,
        "%s does not list the molecules of the system: add system: [[molecule, number], ...] to it",
        c->system.topology);
  const Status fits_in = state_may_hold((double)atoms, &why);
  return input_pass(c->input, KEY(system_topology), fits_in, &why, error);
}

Status system_contents_find(Simulation *s, Arena *arena, SystemShapes *shapes, Error *error)
{
  *shapes = (SystemShapes){NULL};
  return s->config->system.topology != NULL ? read_topology(s, error) : find_joined(s, arena, shapes, error);
}
