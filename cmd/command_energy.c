/* holonom energy FILE: energies and forces of one configuration of water, ions and noble gases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/molecules.h"
#include "engine/file.h"
#include "engine/units.h"
#include "forcefields/pair.h"
#include "io/structure.h"
#include "io/trajectory.h"

typedef struct Call {
  const char *file, *forces;
  const WaterModel *model;
  int periodic, replace, ewald;
  const char *only_ewald; /* an option that was given and has no meaning without --ewald */
  int switched, shifted;
  double box[3];
  EwaldOptions options;
} Call;

/* 0, or 2 after having said what is wrong. */
static int read_positive(const char *option, const char *text, double *value)
{
  if (command_positive(text, value))
    return 0;
  return command_misused(&command_energy, "--%s %s: a positive number is wanted", option, text);
}

/* The options of the Ewald sum. */
static int read_ewald(int c, const char *text, Call *call)
{
  EwaldOptions *o = &call->options;
  switch (c) {
  case 'e':
    call->ewald = 1;
    return 0;
  case 'c':
    call->only_ewald = "--cutoff";
    return read_positive("cutoff", text, &o->lj_cutoff);
  case 's':
    call->only_ewald = "--switch";
    call->switched = 1;
    o->truncation = EWALD_SWITCH;
    return read_positive("switch", text, &o->lj_switch);
  case 't':
    call->only_ewald = "--shift";
    call->shifted = 1;
    o->truncation = EWALD_SHIFT;
    return 0;
  default:
    call->only_ewald = "--accuracy";
    return read_positive("accuracy", text, &o->accuracy);
  }
}

static int read_option(int c, const char *text, Call *call)
{
  switch (c) {
  case 'm':
    return command_model(&command_energy, text, &call->model);
  case 'b':
    call->periodic = 1;
    return command_lengths(text, call->box)
               ? 0
               : command_misused(&command_energy,
                                 "--box %s: three positive lengths in angstrom are wanted, as in "
                                 "--box 20,20,20",
                                 text);
  case 'f':
    call->forces = text;
    return 0;
  case 'r':
    call->replace = 1;
    return 0;
  case '?':
    return 2;
  default:
    return read_ewald(c, text, call);
  }
}

static int read_call(int argc, char **argv, Call *call)
{
  call->options = (EwaldOptions){.accuracy = 1e-10, .lj_cutoff = 9.0};
  for (int c; (c = command_option(&command_energy, argc, argv)) != -1;) {
    const int wrong = read_option(c, optarg, call);
    if (wrong != 0)
      return wrong;
  }
  if (argc - optind != 1)
    return command_misused(&command_energy, argc == optind ? "which file?" : "one file at a time");
  if (call->only_ewald != NULL && !call->ewald)
    return command_misused(&command_energy, "%s has a meaning with --ewald only", call->only_ewald);
  if (call->switched && call->shifted)
    return command_misused(&command_energy, "--switch and --shift exclude each other");
  call->file = argv[optind];
  return 0;
}

/* Two molecules of kinds a and b, the second at the image whose first atom is nearest to that of the first.
 */
static void add_pair(const Call *call, const Mixture *mixture, int a, int b, const double *xa,
                     const double *xb, double *fa, double *fb, double energy[PAIR_TERMS])
{
  const SiteMap *ma = &mixture->kind[a].map, *mb = &mixture->kind[b].map;
  double image[9], force[2][9] = {{0.0}}, part[PAIR_TERMS] = {0.0};
  for (int d = 0; d < 3; d++) {
    const double gap = xb[d] - xa[d];
    const double shift = call->periodic ? call->box[d] * round(gap / call->box[d]) : 0.0;
    for (int s = 0; s < mb->natom; s++)
      image[3 * s + d] = xb[3 * s + d] - shift;
  }
  pair_reference_two(ma, mb, mixture->lj[a][b], xa, image, force[0], force[1], part);
  for (int t = 0; t < PAIR_TERMS; t++)
    energy[t] += part[t];
  for (int k = 0; k < 3 * ma->natom; k++)
    fa[k] += force[0][k];
  for (int k = 0; k < 3 * mb->natom; k++)
    fb[k] += force[1][k];
}

/* Pair by pair. */
static void sum_pairs(const Call *call, const Molecules *m, double *f, double energy[PAIR_TERMS])
{
  const Mixture *mixture = &m->mixture;
  size_t i = 0;
  for (int first = 0; first < mixture->nmol; first++) {
    const int a = mixture_block(mixture, first);
    size_t j = i + 3 * (size_t)mixture->kind[a].map.natom;
    const size_t next = j;
    for (int second = first + 1; second < mixture->nmol; second++) {
      const int b = mixture_block(mixture, second);
      add_pair(call, mixture, a, b, m->x + i, m->x + j, f + i, f + j, energy);
      j += 3 * (size_t)mixture->kind[b].map.natom;
    }
    i = next;
  }
}

static Status write_forces(const Call *call, const Molecules *m, const double *f, Error *error)
{
  Frame frame = {0};
  const TrajectoryOptions options = {.exact = true, .replace = call->replace};
  Status status = molecules_frame(m, f, &frame, error);
  if (status == STATUS_OK)
    status = trajectory_write_one(call->forces, "xyz", &options, &frame, error);
  frame_free(&frame);
  return status;
}

/* Nearest images, or all pairs. */
static Status plain_energy(const Call *call, const Molecules *m, double *f, Error *error)
{
  double term[PAIR_TERMS] = {0};
  sum_pairs(call, m, f, term);
  const double total = term[PAIR_COULOMB] + term[PAIR_LJ];
  if (!isfinite(total))
    return error_set(error, STATUS_INPUT, "%s: the energy is not a number; do two molecules overlap?",
                     call->file);
  printf("coulomb %.15g\nlj %.15g\ntotal %.15g\n", term[PAIR_COULOMB], term[PAIR_LJ], total);
  return STATUS_OK;
}

static void print_ewald(const EwaldResult *result, const Box *box)
{
  double total = 0.0, atom = 0.0, molecule = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++) {
    if (t != EWALD_REAL_TAIL) /* nothing is cut */
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

static Status ewald_energy(const Call *call, const Molecules *m, double *f, Error *error)
{
  EwaldResult result;
  const Status status = mixture_ewald(&m->mixture, m->state, &call->options, f, &result, error);
  if (status != STATUS_OK)
    return error_prefix(error, "%s", call->file);
  print_ewald(&result, &m->state->box);
  return STATUS_OK;
}

/* The box of the call, or else that of the file; all zero for a cluster. */
static Status find_box(const Call *call, Frame *frame, Box *box, Error *error)
{
  *box = (Box){{0.0, 0.0, 0.0}};
  if (!call->ewald)
    return STATUS_OK;
  if (call->periodic) { /* the file's molecules are made whole in it, too */
    const Status status = frame_set_cell(frame, call->box, frame_right, error);
    if (status != STATUS_OK)
      return status;
  }
  if (!frame->has_cell)
    return error_set(error, STATUS_INPUT, "%s: has no periodic box; give one with --box", call->file);
  return structure_box(frame, call->file, box, error);
}

static Status read_molecules(const Call *call, Molecules *molecules, Error *error)
{
  Frame frame = {0};
  Box box;
  *molecules = (Molecules){0};
  Status status = trajectory_read_first(call->file, &frame, error);
  if (status == STATUS_OK)
    status = find_box(call, &frame, &box, error);
  if (status == STATUS_OK)
    status = molecules_make(molecules, &frame, call->file, call->model, &box, error);
  frame_free(&frame);
  return status;
}

static Status energy(const Call *call, Error *error)
{
  if (call->forces != NULL && file_same(call->file, call->forces))
    return error_set(error, STATUS_INPUT, "--forces %s is the file that is read, and would be written over",
                     call->forces);
  Molecules molecules;
  Status status = read_molecules(call, &molecules, error);
  if (status != STATUS_OK)
    return status;
  double *f = calloc(3 * (size_t)molecules.natom, sizeof *f);
  if (f == NULL)
    status = error_memory(error, "forces");
  else if (call->ewald)
    status = ewald_energy(call, &molecules, f, error);
  else
    status = plain_energy(call, &molecules, f, error);
  if (status == STATUS_OK && call->forces != NULL)
    status = write_forces(call, &molecules, f, error);
  free(f);
  molecules_free(&molecules);
  return status;
}

static int run(int argc, char **argv)
{
  Call call = {0};
  const int wrong = read_call(argc, argv, &call);
  if (wrong != 0)
    return wrong;
  Error error = {0};
  const Status status = energy(&call, &error);
  return command_end(&command_energy, status, &error);
}

static const CommandOption options[] = {
    {.name = "model",
     .value = 'm',
     .argument = "NAME",
     .help = "Water model (see 'holonom list models'), for which ions have their parameters too; may be left "
             "out where there is no water.",
     .choices = command_models},
    {.name = "box",
     .value = 'b',
     .argument = "LX,LY,LZ",
     .help =
         "Edges of a periodic box in angstrom: each pair of molecules is taken at the image whose oxygens or "
         "single atoms are nearest, and nothing beyond."},
    {.name = "ewald",
     .value = 'e',
     .help =
         "Converged Ewald sum in the box of --box or else of the file: lj, lj_tail, real, reciprocal, self, "
         "intramolecular, total; then the part of the pressure that the virial makes, by molecule and by "
         "atom, "
         "in bar; "
         "then the splitting parameter (1/A) and the cutoffs of the real part (A) and of the reciprocal one "
         "(1/A)."},
    {.name = "cutoff",
     .value = 'c',
     .argument = "R",
     .help = "Of Lennard-Jones with --ewald, in angstrom; default 9."},
    {.name = "switch",
     .value = 's',
     .argument = "R",
     .help = "Lennard-Jones goes to zero smoothly from R to the cutoff."},
    {.name = "shift", .value = 't', .help = "Lennard-Jones is shifted to zero at the cutoff."},
    {.name = "accuracy",
     .value = 'a',
     .argument = "E",
     .help = "Of the forces of the Ewald sum, relative; default 1e-10."},
    {.name = "forces",
     .value = 'f',
     .argument = "OUT.xyz",
     .help = "Writes the forces too, kcal/mol/A, extended XYZ."},
    {.name = "force", .value = 'r', .help = "Writes over OUT.xyz."},
    {.name = NULL}};

const Command command_energy = {
    .name = "energy",
    .summary = "energy and forces of one configuration of water, ions and noble gases",
    .operands = "FILE",
    .doc = "Energy of the first configuration in an XYZ, PDB, GRO or DCD file of water in the order O H H "
           "and of "
           "single atoms (the species of 'holonom list', with charges and Lennard-Jones parameters as in "
           "runs), as "
           "it is, all pairs, no cutoff. Prints every term in kcal/mol as a line 'name value'; forces are in "
           "the "
           "order of the file.",
    .option = options,
    .run = run,
};
