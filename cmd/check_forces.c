#include "cmd/check_forces.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "base/ticks.h"
#include "engine/units.h"
#include "topology/topology.h"

SCOPED_POINTER(Ewald, ewald_free)
SCOPED_POINTER(Topology, topology_free)

/* Relative error of the exact sum, far below any measured error. */
static const double converged = 1e-9;
/* A. Sites of different molecules are never this close, so that only the reciprocal sum remains. */
static const double nothing = 0.5;

enum { ALL, WAVES, FOUND, SLOW, FIELDS };

typedef struct Work {
  const Force *force;
  State *state;
  int threads, own;  /* threads of the exact sum, and of the force */
  size_t n;          /* coordinates of all atoms */
  double *f[FIELDS]; /* exact forces and their reciprocal part; forces under test and their slow part */
} Work;

static Status exact(const Work *w, const EwaldOptions *options, double *f, EwaldResult *result, Error *error)
{
  SCOPED(ewald_free_at) Ewald *ewald = NULL;
  TRY(ewald_create(&ewald, periodic_particles(w->force), &w->state->box, options, error));
  Status status = STATUS_OK;
  TeamBarrier barrier = {0};
#pragma omp parallel num_threads(w->threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own;
    const Status mine = ewald_compute(ewald, &team, w->state, f, result, &own);
    if (team.rank == 0 && mine != STATUS_OK)
      status = error_set(error, mine, "%s", own.text);
  }
  return status;
}

/* Forces of some groups; with sums, of all groups. */
static Status found(const Work *w, unsigned groups, const ForceSums *sums, double *f, Error *error)
{
  const ForceField field = {1, {*w->force}};
  Status status = STATUS_OK;
  TeamBarrier barrier = {0};
#pragma omp parallel num_threads(w->own)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own;
    const Status mine = sums != NULL ? force_field_compute(&field, &team, w->state, sums, &own)
                                     : force_field_compute_groups(&field, &team, w->state, groups, &own);
    if (team.rank == 0 && mine != STATUS_OK)
      status = error_set(error, mine, "%s", own.text);
  }
  if (status == STATUS_OK)
    state_get_all(w->state, STATE_FORCES, 0, f);
  return status;
}

/* RMS over atoms of |a - b - (c - d)|, and the largest; NULL counts as 0. */
static double rms(size_t n, const double *a, const double *b, const double *c, const double *d,
                  double *largest)
{
  double sum = 0.0, most = 0.0;
  for (size_t i = 0; i < n; i += 3) {
    double square = 0.0;
    for (size_t k = i; k < i + 3; k++) {
      const double x =
          a[k] - (b != NULL ? b[k] : 0.0) - ((c != NULL ? c[k] : 0.0) - (d != NULL ? d[k] : 0.0));
      square += x * x;
    }
    sum += square;
    most = fmax(most, square);
  }
  if (largest != NULL)
    *largest = sqrt(most);
  return sqrt(3.0 * sum / (double)n);
}

static double sum_of(const double *energy)
{
  double sum = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++)
    sum += energy[t];
  return sum;
}

/* Errors of energy and pressure. The exact sum includes the Lennard-Jones tail; the force may omit it. */
static void means(const Work *w, const ForceSums *own, const EwaldResult *sum, const LjCut *cut,
                  CheckForces *r)
{
  double tail[2], virial = 0.0;
  ewald_tail_lj(periodic_particles(w->force), &w->state->box, cut, tail);
  if (periodic_options(w->force)->nonbonded.tail)
    tail[0] = tail[1] = 0.0;
  for (int d = 0; d < 3; d++)
    virial += own->virial[d][d] - (sum->virial_molecule[d][d] - tail[1]);
  r->energy = sum_of(sum->energy) - tail[0];
  r->energy_error = sum_of(own->energy) - r->energy;
  r->pressure_error = UNITS_BAR * virial / (3.0 * box_volume(&w->state->box));
}

static Status measure(Work *w, CheckForces *r, Error *error)
{
  const Nonbonded *o = &periodic_options(w->force)->nonbonded;
  const EwaldOptions all = {.accuracy = converged, .lj = nonbonded_lj_cut(o)};
  const EwaldOptions waves = {.accuracy = converged,
                              .alpha = o->beta,
                              .cutoff = nothing,
                              .kmax = 2.0 * o->beta * sqrt(-log(converged)),
                              .lj.cutoff = nothing};
  double energy[EWALD_TERMS] = {0.0}, atom[3][3] = {{0.0}}, molecule[3][3];
  EwaldResult result = {.energy = {0.0}}, reciprocal;
  SCOPED(topology_free_at) Topology *topology = NULL;
  TRY(found(w, FORCE_ALL, &(ForceSums){energy, atom}, w->f[FOUND], error));
  TRY(topology_of_state(&topology, w->state, error));
  topology_virial(topology, w->state, (const double(*)[3])atom, molecule);
  const double start = ticks_seconds();
  TRY(exact(w, &all, w->f[ALL], &result, error));
  if (r->split)
    TRY(exact(w, &waves, w->f[WAVES], &reciprocal, error));
  r->seconds = ticks_seconds() - start;
  if (r->split)
    TRY(found(w, FORCE_SLOW, NULL, w->f[SLOW], error));
  r->force = rms(w->n, w->f[ALL], NULL, NULL, NULL, NULL);
  r->error = rms(w->n, w->f[FOUND], w->f[ALL], NULL, NULL, &r->largest);
  if (r->split) {
    r->reciprocal = rms(w->n, w->f[SLOW], w->f[WAVES], NULL, NULL, NULL);
    r->real = rms(w->n, w->f[FOUND], w->f[ALL], w->f[SLOW], w->f[WAVES], NULL);
  }
  means(w, &(ForceSums){energy, molecule}, &result, &all.lj, r);
  double net[3] = {0.0};
  for (size_t i = 0; i < w->n; i++)
    net[i % 3] += w->f[FOUND][i];
  r->net = sqrt(net[0] * net[0] + net[1] * net[1] + net[2] * net[2]);
  return STATUS_OK;
}

Status check_forces_measure(const Force *periodic, State *state, int threads, CheckForces *result,
                            Error *error)
{
  const PmeChoice *const choice = periodic_choice(periodic);
  const int most = periodic_options(periodic)->threads;
  Work w = {periodic, state, threads, .own = threads < most ? threads : most, .n = state_coordinates(state)};
  *result = (CheckForces){.natom = (int)(w.n / 3),
                          .split = choice->order != 0,
                          .expected_real = choice->real,
                          .expected_reciprocal = choice->mesh,
                          .expected_energy = choice->energy,
                          .expected_pressure = choice->pressure};
  SCOPED(scoped_free) double *const f = malloc(FIELDS * (w.n + 1) * sizeof *f);
  TRY_MEMORY(f != NULL, "forces", error);
  for (size_t k = 0; k < FIELDS; k++)
    w.f[k] = f + k * w.n;
  return measure(&w, result, error);
}

/* --- text ------- */

static void print_error(FILE *file, const char *what, double error, double expected, double force)
{
  const double kj = UNITS_JOULE * 10.0; /* kJ/mol/nm in kcal/mol/A */
  fprintf(file, "%s: %.3g kcal/mol/A, %.3g kJ/mol/nm, %.3g of the RMS force", what, error, kj * error,
          error / force);
  if (expected > 0.0)
    fprintf(file, "; expected %.3g kcal/mol/A, %.3g kJ/mol/nm", expected, kj * expected);
  fprintf(file, "\n");
}

void check_forces_print(const CheckForces *r, FILE *file)
{
  LOCALE_PLAIN;
  fprintf(file, "RMS force on %d atoms: %.5g kcal/mol/A, %.5g kJ/mol/nm\n", r->natom, r->force,
          10.0 * UNITS_JOULE * r->force);
  print_error(file, "RMS error of the forces", r->error,
              r->split ? hypot(r->expected_real, r->expected_reciprocal) : 0.0, r->force);
  if (r->split) {
    print_error(file, "  short range", r->real, r->expected_real, r->force);
    print_error(file, "  mesh", r->reciprocal, r->expected_reciprocal, r->force);
  }
  fprintf(file, "largest error on an atom: %.3g kcal/mol/A; sum of all forces: %.2g kcal/mol/A\n", r->largest,
          r->net);
  fprintf(file, "error of the energy: %+.3g kcal/mol, %+.2g of %.5g kcal/mol", r->energy_error,
          r->energy_error / fabs(r->energy), r->energy);
  if (r->split)
    fprintf(file, "; expected mean error %.2g kcal/mol, %.2g", r->expected_energy,
            r->expected_energy / fabs(r->energy));
  fprintf(file,
          "\n"
          "error of the pressure: %+.3g bar (by molecule)",
          r->pressure_error);
  if (r->split)
    fprintf(file, "; expected mean error %.2g bar", r->expected_pressure);
  fprintf(file,
          "\n"
          "reference: a plain Ewald sum, converged to %.0e of the forces, in %.3g s\n",
          converged, r->seconds);
}
