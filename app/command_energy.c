/* holonom energy FILE: energies and forces of one configuration of water. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "forcefields/pair.h"
#include "io/structure.h"
#include "io/trajectory.h"

typedef struct Call {
  const char *file, *forces;
  const WaterModel *model;
  int periodic, replace;
  double box[3];
} Call;

static int read_box(const char *text, double box[3])
{
  char rest;
  return sscanf(text, "%lf,%lf,%lf%c", &box[0], &box[1], &box[2], &rest) == 3 && box[0] > 0.0 &&
         box[1] > 0.0 && box[2] > 0.0 && isfinite(box[0]) && isfinite(box[1]) && isfinite(box[2]);
}

static void known_models(char *text, size_t size)
{
  size_t used = 0;
  for (const WaterModel *m = water_models; m->name != NULL && used < size; m++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", m->name);
}

static int read_call(int argc, char **argv, Call *call)
{
  static const struct option options[] = {{"model", required_argument, NULL, 'm'},
                                          {"box", required_argument, NULL, 'b'},
                                          {"forces", required_argument, NULL, 'f'},
                                          {"force", no_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
  for (int c; (c = command_option(&command_energy, argc, argv, ":", options)) != -1;) {
    char known[256];
    switch (c) {
    case 'm':
      call->model = water_find(optarg);
      known_models(known, sizeof known);
      if (call->model == NULL)
        return command_misused(&command_energy, "--model %s: there is no such water model; known: %s", optarg,
                               known);
      break;
    case 'b':
      call->periodic = 1;
      if (!read_box(optarg, call->box))
        return command_misused(&command_energy,
                               "--box %s: three positive lengths in angstrom are wanted, as in "
                               "--box 20,20,20",
                               optarg);
      break;
    case 'f':
      call->forces = optarg;
      break;
    case 'r':
      call->replace = 1;
      break;
    default:
      return 2;
    }
  }
  if (argc - optind != 1)
    return command_misused(&command_energy, argc == optind ? "which file?" : "one file at a time");
  if (call->model == NULL)
    return command_misused(&command_energy, "which --model?");
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
  TrajectoryWriter *writer = NULL;
  const TrajectoryOptions options = {.exact = true, .replace = call->replace};
  Status status = frame_resize(&frame, 3 * nmol, error);
  if (status != STATUS_OK)
    return status;
  frame.has_symbols = frame.has_forces = true;
  memcpy(frame.positions, x, 9 * (size_t)nmol * sizeof(double));
  memcpy(frame.forces, f, 9 * (size_t)nmol * sizeof(double));
  for (int i = 0; i < 3 * nmol; i++)
    strcpy(frame.symbols[i], i % 3 == 0 ? "O" : "H");
  status = trajectory_create(&writer, call->forces, "xyz", &options, error);
  if (status == STATUS_OK)
    status = trajectory_write(writer, &frame, error);
  const Status closed = trajectory_finish(writer, status == STATUS_OK ? error : NULL);
  frame_free(&frame);
  return status == STATUS_OK ? closed : status;
}

static Status energy(const Call *call, Error *error)
{
  Frame frame = {0};
  double(*x)[3][3] = NULL;
  int nmol = 0;
  Status status = trajectory_read_first(call->file, &frame, error);
  if (status == STATUS_OK)
    status = structure_waters(&frame, call->file, &x, &nmol, error);
  frame_free(&frame);
  if (status != STATUS_OK)
    return status;
  double(*f)[3][3] = calloc((size_t)nmol, sizeof *f);
  double term[PAIR_TERMS] = {0};
  if (f == NULL)
    status = error_memory(error, "forces");
  else
    sum_pairs(call, nmol, x, f, term);
  const double total = term[PAIR_COULOMB] + term[PAIR_LJ];
  if (status == STATUS_OK && !isfinite(total))
    status = error_set(error, STATUS_INPUT, "%s: the energy is not a number; do two molecules overlap?",
                       call->file);
  if (status == STATUS_OK && call->forces != NULL)
    status = write_forces(call, nmol, x, f, error);
  if (status == STATUS_OK)
    printf("coulomb %.15g\nlj %.15g\ntotal %.15g\n", term[PAIR_COULOMB], term[PAIR_LJ], total);
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
  if (status != STATUS_OK)
    return command_fail(&command_energy, status == STATUS_IO ? STATUS_INPUT : status, &error);
  return fflush(stdout) == 0 ? 0 : 3;
}

const Command command_energy = {
    .name = "energy",
    .usage = "energy FILE --model NAME [--box Lx,Ly,Lz] [--forces OUT.xyz] [--force]",
    .doc = "Energy of the first configuration in an XYZ, PDB, GRO or DCD file of water in the order O H H, "
           "as it is,\n"
           "all pairs, no cutoff. Prints every term in kcal/mol as a line 'name value'.\n"
           "  --model NAME       water model (see 'holonom list')\n"
           "  --box Lx,Ly,Lz     edges of a periodic box in angstrom: each pair of molecules is taken at the "
           "image\n"
           "                     with the nearest oxygens, and nothing beyond (no Ewald sum)\n"
           "  --forces OUT.xyz   writes the forces too, kcal/mol/A, extended XYZ\n"
           "  --force            writes over OUT.xyz",
    .run = run,
};
