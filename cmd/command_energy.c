/* holonom energy FILE: energies and forces of one configuration of water, ions and noble gases, or of the
 * molecules of an input file (energy_frames.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/command.h"
#include "cmd/energy_frames.h"
#include "cmd/file_system.h"
#include "cmd/trial.h"
#include "engine/units.h"
#include "forcefields/atoms_input.h"
#include "forcefields/ewald.h"
#include "forcefields/pair.h"
#include "forcefields/particles.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/molecules/system_frames.h"

typedef struct Call {
  const char *file, *forces, *names, *csv;
  const WaterModel *model;
  CommandSets set;
  bool force, ewald, shift, kept;
  double force_switch;
  Box box; /* zeros: not given */
  EwaldOptions options;
} Call;

static Status complete_call(Call *call)
{
  EwaldOptions *o = &call->options;
  const char *only = o->accuracy > 0.0          ? "--accuracy"
                     : call->shift              ? "--shift"
                     : o->lj.from > 0.0         ? "--switch"
                     : call->force_switch > 0.0 ? "--force-switch"
                     : o->lj.cutoff > 0.0       ? "--cutoff"
                                                : NULL;
  if (only != NULL && !call->ewald)
    return command_misused(&command_energy, "%s needs --ewald", only);
  if ((o->lj.from > 0.0) + (call->force_switch > 0.0) + call->shift > 1)
    return command_misused(&command_energy, "--switch, --force-switch and --shift exclude each other");
  o->lj.truncation = call->shift ? TRUNCATION_SHIFT : o->lj.from > 0.0 ? TRUNCATION_SWITCH : TRUNCATION_PLAIN;
  if (call->force_switch > 0.0)
    o->lj = (LjCut){TRUNCATION_FORCE_SWITCH, o->lj.cutoff, call->force_switch};
  o->accuracy = o->accuracy > 0.0 ? o->accuracy : 1e-10;
  o->lj.cutoff = o->lj.cutoff > 0.0 ? o->lj.cutoff : 9.0;
  return STATUS_OK;
}

/* --- the configuration of a structure file ------- */

/* Waters of a model are molecules with the sites of that model, also next to single atoms in open space. */
typedef struct Configuration {
  Simulation *system;
  Topology *topology;
  State *state; /* width 1, in the box */
  Atoms *atoms; /* NULL: water only */
  Particles particles;
  Frame frame;
  int *from; /* [frame atoms] the frame's atom for each atom of the state; virtual sites are left out */
} Configuration;

static void configuration_free(Configuration *c)
{
  particles_free(&c->particles);
  atoms_free(c->atoms);
  state_free(c->state);
  topology_free(c->topology);
  simulation_free(c->system);
  frame_free(&c->frame);
  free(c->from);
  *c = (Configuration){0};
}

/* Makes the topology, with waters of the model in one block, and the interacting particles. */
static Status make_particles(Configuration *c, const WaterModel *model, const Box *box, Error *error)
{
  const Groups *groups = system_molecules(c->system)->groups;
  WaterMolecule water;
  char words[512];
  water_molecule_find(groups, 2, &water, words, sizeof words);
  const bool has_water = water.model.name != NULL;
  TRY(groups_topology(groups, has_water ? water.molecule : -1, &c->topology, error));
  TRY(topology_state(c->topology, 1, 0, 0, &c->state, error));
  c->state->box = *box;
  if (!has_water || c->topology->nsort > 1) {
    const AtomsInput input = atoms_input(groups, c->topology, has_water ? &water : NULL);
    TRY(atoms_create(&c->atoms, &input, c->state, error));
  }
  return particles_make(&c->particles, has_water ? model : NULL, c->atoms, c->state, error);
}

static Status set_positions(Configuration *c, const char *path, Error *error)
{
  SCOPED(scoped_free) double *x = malloc(3 * (size_t)c->frame.natoms * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  TRY(system_frames_read(c->system, &c->frame, path, &c->state->box, x, error));
  topology_set(c->topology, c->state, STATE_POSITIONS, 0, x);
  return STATUS_OK;
}

/* Waters and single atoms are in the same order in the state as in the system. */
static Status find_order(Configuration *c, const char *path, Error *error)
{
  const Groups *groups = system_molecules(c->system)->groups;
  const size_t all = groups_file_atoms(groups);
  int n = 0;
  c->from = malloc((all + 1) * sizeof *c->from);
  TRY_MEMORY(c->from != NULL, "the order of a file's atoms", error);
  TRY(system_frames_order(c->system, &c->frame, path, c->from, error));
  for (size_t k = 0; k < all; k++)
    if (c->from[k] >= 0)
      c->from[n++] = c->from[k];
  return STATUS_OK;
}

static Status make_configuration(Configuration *c, const char *path, const WaterModel *model, const Box *box,
                                 Error *error)
{
  TRY(file_system_create(&c->system, &c->frame, path, model, error));
  TRY(make_particles(c, model, box, error));
  TRY(set_positions(c, path, error));
  return find_order(c, path, error);
}

/* Stores positions and forces f[atoms][3] in the order of the file. */
static Status fill_frame(const Configuration *c, const double *f, Frame *frame, Error *error)
{
  const int n = (int)(state_coordinates(c->state) / 3);
  SCOPED(scoped_free) double *x = malloc(3 * (size_t)n * sizeof *x);
  SCOPED(scoped_free) int *rank = calloc((size_t)c->frame.natoms + 1, sizeof *rank);
  TRY_MEMORY(x != NULL && rank != NULL, "forces", error);
  TRY(frame_resize(frame, n, error));
  frame->has_symbols = frame->has_forces = true;
  topology_get(c->topology, c->state, STATE_POSITIONS, 0, x);
  for (int k = 0; k < n; k++)
    rank[c->from[k] + 1] = 1;
  for (int i = 0; i < c->frame.natoms; i++)
    rank[i + 1] += rank[i];
  int k = 0;
  for (int b = 0; b < c->state->nblock; b++) {
    const Kind *kind = c->state->block[b].kind;
    for (int i = 0; i < c->state->block[b].nlane * kind->nsite; i++, k++) {
      const char *symbol = kind->site[i % kind->nsite];
      const int to = rank[c->from[k]];
      memcpy(frame->positions[to], x + 3 * (size_t)k, sizeof *frame->positions);
      memcpy(frame->forces[to], f + 3 * (size_t)k, sizeof *frame->forces);
      frame_name(frame->symbols[to], symbol, (int)strlen(symbol));
    }
  }
  return STATUS_OK;
}

/* --- sums over pairs ------- */

/* Adds a pair of molecules; the second at the image that brings the first atoms closest. */
static void add_pair(const Box *box, const SiteMap *ma, const SiteMap *mb, const double lj[2],
                     const double *xa, const double *xb, double *fa, double *fb, double energy[PAIR_TERMS])
{
  double image[9], force[2][9] = {{0.0}}, part[PAIR_TERMS] = {0.0}, gap[3], edges[3], shift[3];
  box_distance(box, xb, xa, gap);
  for (int d = 0; d < 3; d++)
    shift[d] = xb[d] - xa[d] - gap[d];
  box_fractions(box, shift, edges);
  for (int d = 0; d < 3; d++)
    edges[d] = rint(edges[d]);
  box_point(box, edges, shift); /* exact multiples of the edges */
  for (int k = 0; k < 3 * mb->natom; k++)
    image[k] = xb[k] - shift[k % 3];
  pair_reference_two(ma, mb, lj, xa, image, force[0], force[1], part);
  for (int t = 0; t < PAIR_TERMS; t++)
    energy[t] += part[t];
  for (int k = 0; k < 3 * ma->natom; k++)
    fa[k] += force[0][k];
  for (int k = 0; k < 3 * mb->natom; k++)
    fb[k] += force[1][k];
}

/* The sites of molecule m, with its charge if it is a single atom. */
static SiteMap map_of(const Particles *particles, int m)
{
  const int b = particles_block(particles, m);
  SiteMap map = particles->kind[b].map;
  if (atoms_are(particles->atoms, b))
    map.charge[0] = particles->atoms->charge[particles->atoms->first[b] + m - particles->first[b]];
  return map;
}

static void sum_pairs(const Configuration *c, const Box *box, const double *x, double *f,
                      double energy[PAIR_TERMS])
{
  const Particles *p = &c->particles;
  size_t i = 0;
  for (int first = 0; first < p->nmol; first++) {
    const SiteMap a = map_of(p, first);
    size_t j = i + 3 * (size_t)a.natom;
    const size_t next = j;
    for (int second = first + 1; second < p->nmol; second++) {
      const SiteMap b = map_of(p, second);
      add_pair(box, &a, &b,
               particles_lj(p, particles_block(p, first), first, particles_block(p, second), second), x + i,
               x + j, f + i, f + j, energy);
      j += 3 * (size_t)b.natom;
    }
    i = next;
  }
}

static Status write_forces(const Call *call, const Configuration *c, const double *f, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  const TrajectoryOptions options = {.exact = true, .replace = call->force};
  TRY(fill_frame(c, f, &frame, error));
  return trajectory_write_one(call->forces, "xyz", &options, &frame, error);
}

/* Nearest images in a box, all pairs otherwise. */
static Status plain_energy(const Call *call, const Configuration *c, double *f, Error *error)
{
  double term[PAIR_TERMS] = {0};
  SCOPED(scoped_free) double *x = malloc((size_t)state_coordinates(c->state) * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  topology_get(c->topology, c->state, STATE_POSITIONS, 0, x);
  sum_pairs(c, &call->box, x, f, term);
  const double total = term[PAIR_COULOMB] + term[PAIR_LJ];
  if (!isfinite(total))
    return error_set(error, STATUS_INPUT, "%s: the energy is not finite; do molecules overlap?", call->file);
  printf("coulomb %.15g\nlj %.15g\ntotal %.15g\n", term[PAIR_COULOMB], term[PAIR_LJ], total);
  return STATUS_OK;
}

static void print_ewald(const EwaldResult *result, const Box *box)
{
  double total = 0.0, atom = 0.0, molecule = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++) {
    if (t != EWALD_REAL_TAIL) /* the sum has no cutoff error */
      printf("%s %.15g\n", ewald_terms[t], result->energy[t]);
    total += result->energy[t];
  }
  for (int d = 0; d < 3; d++) {
    atom += result->virial_atom[d][d];
    molecule += result->virial_molecule[d][d];
  }
  const double bar = UNITS_BAR / (3.0 * box_volume(box));
  printf("total %.15g\npressure_molecule %.15g\npressure_atom %.15g\n", total, bar * molecule, bar * atom);
  printf("alpha %.15g\ncutoff %.15g\nkmax %.15g\n", result->options.alpha, result->options.cutoff,
         result->options.kmax);
}

static Status ewald_energy(const Call *call, const Configuration *c, double *f, Error *error)
{
  EwaldResult result;
  const Status status = ewald_alone(&c->particles, c->state, &call->options, f, &result, error);
  if (status != STATUS_OK)
    return error_prefix(error, "%s", call->file);
  if (fabs(result.charge) > 1e-4)
    printable_print(
        stderr,
        "holonom energy: warning: the box has a net charge of %+.6g e, neutralised by a uniform background\n",
        result.charge);
  print_ewald(&result, &c->state->box);
  return STATUS_OK;
}

/* The box of --box, else of the file; all zero for a cluster. */
static Status find_box(const Call *call, Frame *frame, Box *box, Error *error)
{
  *box = (Box){0};
  if (!call->ewald)
    return STATUS_OK;
  if (box_periodic(&call->box))
    structure_set_box(&call->box, frame); /* also makes the file's molecules whole in this box */
  if (!frame->has_cell)
    return error_set(error, STATUS_INPUT, "%s: has no periodic box; give one with --box", call->file);
  return structure_box(frame, call->file, box, error);
}

static Status read_configuration(const Call *call, Configuration *c, Error *error)
{
  SCOPED(frame_free) Frame names = {0};
  Box box;
  TRY(trial_of(call->file, error));
  TRY(trajectory_read_first(call->file, &c->frame, error));
  if (call->names != NULL)
    TRY(file_system_read_names(call->names, &names, error));
  TRY(file_system_name(&c->frame, call->file, call->names != NULL ? &names : NULL, call->model, error));
  TRY(find_box(call, &c->frame, &box, error));
  return make_configuration(c, call->file, call->model, &box, error);
}

static Status energy(const Call *call, Error *error)
{
  if (call->forces != NULL && file_same(call->file, call->forces))
    return error_set(error, STATUS_INPUT, "--forces %s would overwrite its input; name another file",
                     call->forces);
  SCOPED(configuration_free) Configuration configuration = {0};
  if (call->forces != NULL)
    TRY(command_file(call->forces, call->force, error));
  TRY(read_configuration(call, &configuration, error));
  SCOPED(scoped_free) double *f = calloc((size_t)state_coordinates(configuration.state), sizeof *f);
  TRY_MEMORY(f != NULL, "forces", error);
  TRY((call->ewald ? ewald_energy : plain_energy)(call, &configuration, f, error));
  return call->forces != NULL ? write_forces(call, &configuration, f, error) : STATUS_OK;
}

static bool is_input(const char *file)
{
  return strcmp(file, "-") == 0 || text_ends(file, ".yaml") || text_ends(file, ".yml");
}

static Status energy_of_input(const Call *call, const char *trajectory, Error *error)
{
  const EwaldOptions *o = &call->options;
  const char *other =
      call->model != NULL   ? "--model"
      : call->names != NULL ? "--names"
      : call->ewald         ? "--ewald"
      : o->lj.cutoff > 0.0 || o->lj.from > 0.0 || call->force_switch > 0.0 || call->shift || o->accuracy > 0.0
          ? "--cutoff, --switch, --shift or --accuracy"
          : NULL;
  if (other != NULL)
    return command_misused(&command_energy, "%s: %s has no meaning with an input file, which sets it",
                           call->file, other);
  if (box_periodic(&call->box) && trajectory == NULL)
    return command_misused(&command_energy,
                           "--box needs a trajectory; for the start use --set system.box=...");
  const EnergyFrames frames = {.input = call->file,
                               .trajectory = trajectory,
                               .set = &call->set,
                               .csv = call->csv,
                               .forces = call->forces,
                               .force = call->force,
                               .kept = call->kept,
                               .box = call->box};
  return energy_frames(&frames, error);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  Call *call = self;
  call->file = operand[0];
  if (is_input(call->file))
    return energy_of_input(call, n > 1 ? operand[1] : NULL, error);
  if (n > 1 && is_input(operand[1]))
    return command_misused(&command_energy, "the input file must come first: holonom energy %s %s",
                           operand[1], operand[0]);
  const char *only = n > 1               ? "a second file"
                     : call->csv != NULL ? "--csv"
                     : call->kept        ? "--kept"
                     : call->set.n > 0   ? "--set"
                                         : NULL;
  if (only != NULL)
    return command_misused(&command_energy, "%s needs an input file (.yaml)", only);
  TRY(complete_call(call));
  return energy(call, error);
}

static const CommandOption options[] = {
    {"model", 0, "NAME",
     "Water model (see 'holonom list models'), which also selects the parameters of ions; not needed without "
     "water.",
     COMMAND_TO(model)},
    {"box", 0, "A[,B,C[,ALPHA,BETA,GAMMA]]",
     "Lengths of a periodic box in angstrom, with the angles between its edges in degrees, or nine "
     "components of its edges. Each pair of molecules interacts through the image with the nearest oxygens "
     "or single atoms only. With an input file: the box of all frames of TRAJECTORY, instead of their own.",
     COMMAND_TO(box)},
    {"ewald", 0, NULL,
     "Converged Ewald sum in the box of --box or of the file. Prints the energies lj, lj_tail, real, "
     "reciprocal, self, intramolecular and total, and the virial part of the pressure by molecule and by "
     "atom in bar. Then prints the splitting parameter (1/A) and the cutoffs of the real (A) and reciprocal "
     "(1/A) sums.",
     COMMAND_TO(ewald)},
    {"cutoff", 0, "R", "Cutoff of Lennard-Jones with --ewald, in angstrom; default 9.",
     COMMAND_TO(options.lj.cutoff), .unit = "A"},
    {"switch", 0, "R", "Switches the Lennard-Jones energy smoothly to zero from R to the cutoff.",
     COMMAND_TO(options.lj.from), .unit = "A"},
    {"force-switch", 0, "R", "Switches the Lennard-Jones force smoothly to zero from R to the cutoff.",
     COMMAND_TO(force_switch), .unit = "A"},
    {"shift", 0, NULL, "Shifts the Lennard-Jones energy to zero at the cutoff.", COMMAND_TO(shift)},
    {"accuracy", 0, "E", "Relative error of the forces of the Ewald sum; default 1e-10.",
     COMMAND_TO(options.accuracy)},
    {"names", 0, "FILE", "Structure file with the names of the atoms of a DCD or XTC; default: waters O H H.",
     COMMAND_TO(names)},
    {"set", 0, "KEY=VALUE", "Overrides a key of the input file; repeatable.", COMMAND_TO(set)},
    {"kept", 0, NULL, "With an input file: moves atoms onto its constraints first.", COMMAND_TO(kept)},
    {"csv", 0, "OUT.csv", "With an input file: writes the table to this file when it is complete.",
     COMMAND_TO(csv)},
    {"forces", 0, "OUT.xyz", "Also writes the forces, in kcal/mol/A, as extended XYZ.", COMMAND_TO(forces)},
    {"force", 0, NULL, "Overwrites OUT.xyz and OUT.csv.", COMMAND_TO(force)},
    {.name = NULL}};

const Command command_energy = {
    .name = "energy",
    .summary = "computes energy and forces of a configuration, or of each frame of a trajectory",
    .operands = "FILE [TRAJECTORY]",
    .subject = "file",
    .least = 1,
    .most = 2,
    .doc = "Computes the energy of the first configuration in an XYZ, PDB, GRO, DCD, XTC or H5MD file, over "
           "all pairs without a cutoff. The file contains water in the order O H H and single atoms (the "
           "species of 'holonom list', with the parameters of runs). Prints every term in kcal/mol as a line "
           "'name value'; forces are in the order of the file.\n"
           "For an input file (.yaml; '-': standard input) of molecules: prints the terms of its start file "
           "with the forces of its runs. Atoms stay at the positions of the file, neither minimised nor "
           "moved onto constraints. With TRAJECTORY: prints a row of CSV for each frame, in the frame's own "
           "box. Terms are named as in thermo.csv. Constrained bonds and angles have no term; --set "
           "geometry.constrain=none includes all. TRAJECTORY contains all atoms of the file of molecules, or "
           "those with mass; names are checked if present.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
