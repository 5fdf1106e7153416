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
#include "cmd/frame_molecules.h"
#include "cmd/trial.h"
#include "engine/units.h"
#include "forcefields/ewald.h"
#include "forcefields/pair.h"
#include "io/structure.h"
#include "io/trajectory.h"

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

/* Adds a pair of molecules; the second at the image that brings the first atoms closest. */
static void add_pair(const Call *call, const SiteMap *ma, const SiteMap *mb, const double lj[2],
                     const double *xa, const double *xb, double *fa, double *fb, double energy[PAIR_TERMS])
{
  double image[9], force[2][9] = {{0.0}}, part[PAIR_TERMS] = {0.0}, gap[3], edges[3], shift[3];
  box_distance(&call->box, xb, xa, gap);
  for (int d = 0; d < 3; d++)
    shift[d] = xb[d] - xa[d] - gap[d];
  box_fractions(&call->box, shift, edges);
  for (int d = 0; d < 3; d++)
    edges[d] = rint(edges[d]);
  box_point(&call->box, edges, shift); /* exact multiples of the edges */
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

static void sum_pairs(const Call *call, const FrameMolecules *m, double *f, double energy[PAIR_TERMS])
{
  const Particles *particles = &m->particles;
  const SiteMap *map = m->kinds.map;
  size_t i = 0;
  for (int first = 0; first < particles->nmol; first++) {
    const int a = particles_block(particles, first);
    size_t j = i + 3 * (size_t)map[a].natom;
    const size_t next = j;
    for (int second = first + 1; second < particles->nmol; second++) {
      const int b = particles_block(particles, second);
      add_pair(call, &map[a], &map[b], particles_lj(particles, a, first, b, second), m->x + i, m->x + j,
               f + i, f + j, energy);
      j += 3 * (size_t)map[b].natom;
    }
    i = next;
  }
}

static Status write_forces(const Call *call, const FrameMolecules *m, const double *f, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  const TrajectoryOptions options = {.exact = true, .replace = call->force};
  TRY(frame_molecules_frame(m, f, &frame, error));
  return trajectory_write_one(call->forces, "xyz", &options, &frame, error);
}

/* Nearest images in a box, all pairs otherwise. */
static Status plain_energy(const Call *call, const FrameMolecules *m, double *f, Error *error)
{
  double term[PAIR_TERMS] = {0};
  sum_pairs(call, m, f, term);
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

static Status ewald_energy(const Call *call, const FrameMolecules *m, double *f, Error *error)
{
  EwaldResult result;
  const Status status = ewald_alone(&m->particles, m->state, &call->options, f, &result, error);
  if (status != STATUS_OK)
    return error_prefix(error, "%s", call->file);
  if (fabs(result.charge) > 1e-4)
    printable_print(
        stderr,
        "holonom energy: warning: the box has a net charge of %+.6g e, neutralised by a uniform background\n",
        result.charge);
  print_ewald(&result, &m->state->box);
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

static Status read_molecules(const Call *call, FrameMolecules *molecules, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(frame_free) Frame names = {0};
  Box box;
  TRY(trial_of(call->file, error));
  TRY(trajectory_read_first(call->file, &frame, error));
  if (call->names != NULL)
    TRY(frame_molecules_read_names(call->names, &names, error));
  TRY(frame_molecules_names(&frame, call->file, call->names != NULL ? &names : NULL, call->model, error));
  TRY(find_box(call, &frame, &box, error));
  return frame_molecules_make(molecules, &frame, call->file, call->model, &box, error);
}

static Status energy(const Call *call, Error *error)
{
  if (call->forces != NULL && file_same(call->file, call->forces))
    return error_set(error, STATUS_INPUT, "--forces %s would overwrite its input; name another file",
                     call->forces);
  SCOPED(frame_molecules_free) FrameMolecules molecules = {0};
  if (call->forces != NULL)
    TRY(command_file(call->forces, call->force, error));
  TRY(read_molecules(call, &molecules, error));
  SCOPED(scoped_free) double *f = calloc(3 * (size_t)molecules.natom, sizeof *f);
  TRY_MEMORY(f != NULL, "forces", error);
  TRY((call->ewald ? ewald_energy : plain_energy)(call, &molecules, f, error));
  return call->forces != NULL ? write_forces(call, &molecules, f, error) : STATUS_OK;
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
