/* Monte Carlo moves between steps: a random rotation of one of seven waters, accepted or rejected by
 * Metropolis, for molecules that hardly rotate at 150 K. The criterion uses the column "configurational", all
 * energy that depends on positions, walls and the program's own forces included. The momenta must satisfy the
 * constraints of the rotated molecule, so they are rotated with it. Projecting the old momenta instead would
 * lose kinetic energy and make the sample too cold. Drawing all momenta of the replica again with hol_draw
 * would also be correct. */
#include <holonom.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char input[] = "system: {model: tip3p, molecules: 7, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, time: 10 ps}\n"
                            "thermostat: {type: langevin, temperature: 150, friction: 5 1/ps}\n"
                            "ensemble: {replicas: 16}\n";
enum { WATERS = 7, SITES = 3 * WATERS };

/* A number in (0, 1) from the program's own generator, independent of the simulation's noise. */
static double uniform(void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(state >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

/* A rotation by `angle` about an axis of length one. */
typedef struct Turn {
  double axis[3], angle;
} Turn;

static Turn random_turn(double most)
{
  const double z = 2.0 * uniform() - 1.0, around = 6.283185307179586 * uniform(), r = sqrt(1.0 - z * z);
  Turn t = {{r * cos(around), r * sin(around), z}, most * (2.0 * uniform() - 1.0)};
  return t;
}

static void turn_vector(const Turn *t, double v[3])
{
  const double *a = t->axis, c = cos(t->angle), s = sin(t->angle);
  const double along = (1.0 - c) * (a[0] * v[0] + a[1] * v[1] + a[2] * v[2]);
  const double x = c * v[0] + s * (a[1] * v[2] - a[2] * v[1]) + along * a[0];
  const double y = c * v[1] + s * (a[2] * v[0] - a[0] * v[2]) + along * a[1];
  v[2] = c * v[2] + s * (a[0] * v[1] - a[1] * v[0]) + along * a[2];
  v[0] = x;
  v[1] = y;
}

/* Rotates three vectors of a molecule relative to its motion as a whole, which is weight[i] times their sum
 * with weights `of`: for positions the centre of mass, for momenta the share of a site of mass m[i]. */
static void turn_molecule(const Turn *t, const double weight[3], const double of[3], double v[9])
{
  double sum[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 9; i++)
    sum[i % 3] += of[i / 3] * v[i];
  for (int i = 0; i < 3; i++) {
    double own[3];
    for (int d = 0; d < 3; d++)
      own[d] = v[3 * i + d] - weight[i] * sum[d];
    turn_vector(t, own);
    for (int d = 0; d < 3; d++)
      v[3 * i + d] = own[d] + weight[i] * sum[d];
  }
}

/* One move of one replica; counts it in *accepted. */
static hol_status move(hol_simulation *s, int replica, const double part[3], long *accepted, hol_error *error)
{
  static const double one[3] = {1.0, 1.0, 1.0};
  const int energy = hol_column(s, "configurational"), m = (int)(WATERS * uniform());
  const Turn turn = random_turn(0.5);
  double x[3 * SITES], p[3 * SITES], old[3 * SITES], value[64], kelvin = 0.0;
  hol_status status = hol_look(s, replica, value, error);
  const double before = value[energy];
  if (status == HOL_OK)
    status = hol_get_temperature(s, replica, &kelvin, error);
  const double kT = 0.0019872043 * kelvin; /* kcal/mol */
  if (status == HOL_OK)
    status = hol_get(s, HOL_POSITIONS, replica, old, error);
  if (status == HOL_OK)
    status = hol_get(s, HOL_MOMENTA, replica, p, error);
  if (status != HOL_OK)
    return status;
  memcpy(x, old, sizeof x);
  turn_molecule(&turn, one, part, x + 9 * m);
  turn_molecule(&turn, part, one, p + 9 * m);
  status = hol_set(s, HOL_POSITIONS, replica, x, error);
  if (status == HOL_OK)
    status = hol_look(s, replica, value, error);
  if (status != HOL_OK)
    return status;
  if (uniform() >= exp((before - value[energy]) / kT))
    return hol_set(s, HOL_POSITIONS, replica, old, error);
  ++*accepted;
  return hol_set(s, HOL_MOMENTA, replica, p, error);
}

int main(void)
{
  hol_error error;
  hol_simulation *s;
  hol_topology t;
  double part[3], value[64], kelvin = 0.0, energy = 0.0;
  long moves = 0, accepted = 0, looks = 0;
  t.size = sizeof t;
  hol_status status = hol_open_text(&s, "seven waters", input, NULL, 0, &error);
  if (status == HOL_OK)
    status = hol_step(s, 1000, &error);
  if (status == HOL_OK)
    status = hol_get_topology(s, &t, &error);
  for (int i = 0; i < 3 && status == HOL_OK; i++)
    part[i] = t.mass[i] / (t.mass[0] + t.mass[1] + t.mass[2]);
  for (int round = 0; round < 500 && status == HOL_OK; round++) {
    status = hol_step(s, 10, &error);
    for (int r = 0; r < hol_replicas(s) && status == HOL_OK; r++) {
      status = hol_look(s, r, value, &error);
      kelvin += value[hol_column(s, "temperature")];
      energy += value[hol_column(s, "potential")];
      looks++;
      if (status == HOL_OK)
        status = move(s, r, part, &accepted, &error);
      moves++;
    }
  }
  if (status == HOL_OK)
    printf("%ld of %ld moves accepted, %.1f K, %.2f kcal/mol between the waters\n", accepted, moves,
           kelvin / (double)looks, energy / (double)looks);
  else
    fprintf(stderr, "%s\n", error.message);
  hol_close(s);
  return (int)status;
}
