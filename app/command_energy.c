/* holonom energy FILE: energies and forces of one configuration of water. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "engine/file.h"
#include "engine/units.h"
#include "forcefields/ewald.h"
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
  if (call->model == NULL)
    return command_misused(&command_energy, "which --model?");
  if (call->only_ewald != NULL && !call->ewald)
    return command_misused(&command_energy, "%s has a meaning with --ewald only", call->only_ewald);
  if (call->switched && call->shifted)
    return command_misused(&command_energy, "--switch and --shift exclude each other");
  call->file = argv[optind];
  return 0;
}

/* Pair by pair, the second molecule at the image whose oxygen is nearest to that of the first. */
static void sum_pairs(const Call *call, int nmol, double (*x)[3][3], double (*f)[3][3],
                      double energy[PAIR_TERMS])
{
  for (int i = 0; i < nmol; i++)
    for (int j = i + 1; j < nmol; j++) {
      double two[2][3][3], force[2][3][3], part[PAIR_TERMS];
      memcpy(two[0], x[i], sizeof two[0]);
      for (int d = 0; d < 3; d++) {
        const double gap = x[j][0][d] - x[i][0][d];
        const double shift = call->periodic ? call->box[d] * round(gap / call->box[d]) : 0.0;
        for (int s = 0; s < 3; s++)
          two[1][s][d] = x[j][s][d] - shift;
      }
      pair_reference(call->model, 2, &two[0][0][0], &force[0][0][0], part);
      for (int t = 0; t < PAIR_TERMS; t++)
        energy[t] += part[t];
      for (int k = 0; k < 9; k++) {
        (&f[i][0][0])[k] += (&force[0][0][0])[k];
        (&f[j][0][0])[k] += (&force[1][0][0])[k];
      }
    }
}

static Status write_forces(const Call *call, int nmol, double (*x)[3][3], double (*f)[3][3], Error *error)
{
  Frame frame = {0};
  const TrajectoryOptions options = {.exact = true, .replace = call->replace};
  Status status = frame_resize(&frame, 3 * nmol, error);
  if (status != STATUS_OK)
    return status;
  frame.has_symbols = frame.has_forces = true;
  memcpy(frame.positions, x, 9 * (size_t)nmol * sizeof(double));
  memcpy(frame.forces, f, 9 * (size_t)nmol * sizeof(double));
  for (int i = 0; i < 3 * nmol; i++)
    strcpy(frame.symbols[i], i % 3 == 0 ? "O" : "H");
  status = trajectory_write_one(call->forces, "xyz", &options, &frame, error);
  frame_free(&frame);
  return status;
}

/* Nearest images, or all pairs. */
static Status plain_energy(const Call *call, int nmol, double (*x)[3][3], double (*f)[3][3], Error *error)
{
  double term[PAIR_TERMS] = {0};
  sum_pairs(call, nmol, x, f, term);
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

static Status ewald_energy(const Call *call, const Box *box, int nmol, double (*x)[3][3], double (*f)[3][3],
                           Error *error)
{
  Kind *kind;
  EwaldResult result;
  Status status = water_kind(call->model, WATER_MASS_O, WATER_MASS_H, &kind, error);
  if (status != STATUS_OK)
    return status;
  status = ewald_water_compute(call->model, kind, box, &call->options, nmol, &x[0][0][0], &f[0][0][0],
                               &result, error);
  kind_free(kind);
  if (status != STATUS_OK)
    return error_prefix(error, "%s", call->file);
  print_ewald(&result, box);
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

static Status read_waters(const Call *call, double (**x)[3][3], int *nmol, Box *box, Error *error)
{
  Frame frame = {0};
  Status status = trajectory_read_first(call->file, &frame, error);
  if (status == STATUS_OK)
    status = find_box(call, &frame, box, error);
  if (status == STATUS_OK)
    status = structure_waters(&frame, call->file, x, nmol, error);
  frame_free(&frame);
  return status;
}

static Status energy(const Call *call, Error *error)
{
  if (call->forces != NULL && file_same(call->file, call->forces))
    return error_set(error, STATUS_INPUT, "--forces %s is the file that is read, and would be written over",
                     call->forces);
  double(*x)[3][3] = NULL;
  Box box;
  int nmol = 0;
  Status status = read_waters(call, &x, &nmol, &box, error);
  if (status != STATUS_OK)
    return status;
  double(*f)[3][3] = calloc((size_t)nmol, sizeof *f);
  if (f == NULL)
    status = error_memory(error, "forces");
  else if (call->ewald)
    status = ewald_energy(call, &box, nmol, x, f, error);
  else
    status = plain_energy(call, nmol, x, f, error);
  if (status == STATUS_OK && call->forces != NULL)
    status = write_forces(call, nmol, x, f, error);
  free(f);
  free(x);
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
     .help = "Water model (see 'holonom list models').",
     .choices = command_models},
    {.name = "box",
     .value = 'b',
     .argument = "LX,LY,LZ",
     .help =
         "Edges of a periodic box in angstrom: each pair of molecules is taken at the image with the nearest "
         "oxygens, "
         "and nothing beyond."},
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
    .summary = "energy and forces of one configuration of water",
    .operands = "FILE --model NAME",
    .doc = "Energy of the first configuration in an XYZ, PDB, GRO or DCD file of water in the order O H H, "
           "as it is, "
           "all pairs, no cutoff. Prints every term in kcal/mol as a line 'name value'.",
    .option = options,
    .run = run,
};
