/* Moves beside the dynamics: now and then a water of seven is turned by a random angle and the move accepted
 * or refused (Metropolis), so that molecules that hardly turn at 150 K do. It is accepted by the column
 * "configurational", which has all energy that depends on positions: also a wall's and that of forces of the
 * program's own. The constraints of a
 * molecule that has been turned hold its momenta, too: they are turned with it. To leave them where they are
 * would be the same move with a loss of kinetic energy, and the sample too cold; hol_draw, which draws all
 * momenta of the replica anew, would be right as well. */
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

/* In (0, 1), from a generator of the program's own: the simulation's noise is not to be touched. */
static double uniform(void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(state >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

/* A turn by `angle` about an axis of length one. */
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

/* Three vectors of a molecule, less what its motion as a whole gives each: weight[i] times their sum with
 * weights `of`. Of positions that is the centre of mass; of momenta the share of a site of mass m[i]. */
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

/* One move of one replica. *accepted counts it. */
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
