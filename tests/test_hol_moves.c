/* Moves of molecules between steps: those that turn momenta with the molecule, or draw them anew, change no
 * average. */
#include <stdint.h>

#include "tests/hol.h"
#include "tests/shorter.h"
#include "tests/suite.h"

static const char rotor[] = "units: reduced\n"
                            "system:\n"
                            "  dimensions: 3\n"
                            "  sites:\n"
                            "    - {mass: 4, position: [0, 0, 0]}\n"
                            "    - {mass: 1, position: [1, 0, 0]}\n"
                            "    - {mass: 1, position: [0.5, \"sqrt(3)/2\", 0]}\n"
                            "  constraints: [{type: distance, ring: [1, 3], distance: 1}]\n"
                            "geometry: {method: rattle}\n"
                            "integrator: {word: BAOAB, timestep: 0.02, time: 10}\n"
                            "thermostat: {type: langevin, friction: 1, temperature: 2, initial: maxwell}\n"
                            "ensemble: {replicas: 16}\n";

typedef enum Way { NO_MOVES, TURN, DRAW, LEAVE } Way;

static uint64_t seed;

static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

/* v, about an axis of length one. */
static void turn(const double axis[3], double angle, double v[3])
{
  const double c = cos(angle), s = sin(angle), along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  double out[3];
  for (int d = 0; d < 3; d++) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    out[d] = c * v[d] + s * (axis[a] * v[b] - axis[b] * v[a]) + (1.0 - c) * along * axis[d];
  }
  memcpy(v, out, sizeof out);
}

/* The three sites of a molecule about its centre of mass; of momenta what they have beside its motion. */
static void turn_molecule(const double mass[3], const double axis[3], double angle, double *v, bool momenta)
{
  double centre[3] = {0};
  const double all = mass[0] + mass[1] + mass[2];
  for (int i = 0; i < 9; i++)
    centre[i % 3] += (momenta ? 1.0 : mass[i / 3]) * v[i] / all;
  for (int i = 0; i < 3; i++) {
    double own[3];
    for (int d = 0; d < 3; d++)
      own[d] = v[3 * i + d] - (momenta ? mass[i] : 1.0) * centre[d];
    turn(axis, angle, own);
    for (int d = 0; d < 3; d++)
      v[3 * i + d] = own[d] + (momenta ? mass[i] : 1.0) * centre[d];
  }
}

static double temperature(hol_simulation *s, const double *p)
{
  return 2.0 * kinetic(s, p) / (hol_freedom(s) * (kelvin_of(s, 0) == 2.0 ? 1.0 : 0.0019872043));
}

/* The energy that moves are judged by. */
static double energy(hol_simulation *s, int r)
{
  double value[MOST];
  good(hol_look(s, r, value, &e));
  return value[hol_column(s, "configurational")];
}

/* A field that turns the hydrogens of each water upwards: energy -F (z_H1 + z_H2 - 2 z_O). */
static hol_status field(void *user, hol_force_call *call, hol_error *error)
{
  static const double force[] = {-4.0, 2.0, 2.0};
  (void)user;
  (void)error;
  const size_t n = 3 * (size_t)call->sites;
  for (size_t i = 2; i < n * (size_t)call->replicas; i += 3) {
    call->f[i] = force[i / 3 % 3];
    call->energy[i / n] -= force[i / 3 % 3] * call->x[i];
  }
  return HOL_OK;
}

/* Metropolis: one molecule after the other of each replica is turned. Returns how many moves were accepted.
 */
static int move_all(hol_simulation *s, Way way)
{
  const double *const mass = topology(s).mass;
  double x[MOST], p[MOST], was[MOST], axis[3];
  int accepted = 0;
  for (int r = 0; r < hol_replicas(s); r++) {
    const int m = (int)(hol_molecules(s) * uniform());
    const double kT = 0.0019872043 * kelvin_of(s, r), angle = 2.0 * (uniform() - 0.5);
    axis[2] = 2.0 * uniform() - 1.0;
    const double around = 6.283185307179586 * uniform(), across = sqrt(1.0 - axis[2] * axis[2]);
    axis[0] = across * cos(around);
    axis[1] = across * sin(around);
    const double before = energy(s, r);
    good(hol_get(s, HOL_POSITIONS, r, was, &e));
    good(hol_get(s, HOL_MOMENTA, r, p, &e));
    memcpy(x, was, sizeof x);
    turn_molecule(mass + 3 * m, axis, angle, x + 9 * m, false);
    good(hol_set(s, HOL_POSITIONS, r, x, &e));
    if (uniform() >= exp((before - energy(s, r)) / kT)) {
      good(hol_set(s, HOL_POSITIONS, r, was, &e));
      continue;
    }
    accepted++;
    if (way == TURN) {
      turn_molecule(mass + 3 * m, axis, angle, p + 9 * m, true);
      good(hol_set(s, HOL_MOMENTA, r, p, &e));
    } else if (way == DRAW)
      good(hol_draw(s, r, &e));
  }
  return accepted;
}

/* Means over the run of kinetic energy as a temperature and of the energy between molecules, with errors from
 * the replicas. */
typedef struct Sampled {
  double kelvin, kelvin_error, energy, energy_error;
  int accepted;
} Sampled;

static Sampled sampled(const char *input, Way way, bool in_field)
{
  enum { ROUNDS = 1500, EVERY = 3, LEFT_OUT = 100 };
  hol_simulation *s = opened(input);
  double sum[2][16] = {{0}}, p[MOST], mean[2] = {0}, square[2] = {0};
  Sampled got = {0};
  seed = 5;
  if (in_field)
    good(hol_add_force(s, field, NULL, 0, &e));
  good(hol_start(s, &e));
  const int n = hol_replicas(s);
  ck_assert_int_eq(n, 16);
  for (int k = 0; k < ROUNDS; k++) {
    good(hol_step(s, EVERY, &e));
    for (int r = 0; r < n && k >= LEFT_OUT; r++) {
      good(hol_get(s, HOL_MOMENTA, r, p, &e));
      sum[0][r] += temperature(s, p) / (ROUNDS - LEFT_OUT);
      sum[1][r] += energy(s, r) / (ROUNDS - LEFT_OUT);
    }
    if (way != NO_MOVES)
      got.accepted += move_all(s, way);
  }
  for (int c = 0; c < 2; c++) {
    for (int r = 0; r < n; r++)
      mean[c] += sum[c][r] / n;
    for (int r = 0; r < n; r++)
      square[c] += (sum[c][r] - mean[c]) * (sum[c][r] - mean[c]) / (n - 1) / n;
  }
  hol_close(s);
  got.kelvin = mean[0];
  got.kelvin_error = sqrt(square[0]);
  got.energy = mean[1];
  got.energy_error = sqrt(square[1]);
  return got;
}

/* Moves that turn momenta or draw them leave the temperature, and the energy of a run without moves; those
 * that leave momenta alone cool it, by far more than the error. A molecule by itself takes every move. */
TEST(moves_change_no_average, .rows = 6) /* a caller's force counts, too */
{
  static const struct {
    const char *input;
    double temperature;
    Way way;
    bool in_field;
  } cases[] = {{rotor, 2.0, TURN, false},    {rotor, 2.0, DRAW, false},    {rotor, 2.0, LEAVE, false},
               {waters, 150.0, TURN, false}, {waters, 150.0, DRAW, false}, {waters, 150.0, TURN, true}};
  const Way way = cases[_i].way;
  if (SHORT && _i % 2 == 0 && _i < 4) /* of a rotor those drawn, of waters all */
    return;
  const bool in_field = cases[_i].in_field;
  const Sampled none = sampled(cases[_i].input, NO_MOVES, in_field),
                with = sampled(cases[_i].input, way, in_field);
  const double off = (with.kelvin - cases[_i].temperature) / with.kelvin_error;
  const double most = 4.0 * hypot(with.energy_error, none.energy_error);
  ck_assert_int_gt(with.accepted, 4000);
  char got[160];
  snprintf(got, sizeof got, "T %.3f(%.3f), without moves %.3f(%.3f); %.3f(%.3f) kcal/mol for %.3f(%.3f)",
           with.kelvin, with.kelvin_error, none.kelvin, none.kelvin_error, with.energy, with.energy_error,
           none.energy, none.energy_error);
  if (way == LEAVE)
    ck_assert_msg(off < -10.0, "leaving momenta is not seen: %s", got);
  else
    ck_assert_msg(fabs(off) < 4.0 && fabs(with.energy - none.energy) <= most, "%s", got);
}

/* Exchanges go by the energies of the positions as they are, not as they were before a program changed them:
 * of two replicas the one that is put high up a spring is the hotter one then, as it was before in every
 * other ladder. */
TEST(exchanges_heed_positions_that_are_set)
{
  enum { REPLICAS = 16 };
  static const char springs[] = "units: reduced\n"
                                "system:\n"
                                "  dimensions: 3\n"
                                "  sites: [{mass: 1, position: [0.1, 0, 0]}]\n"
                                "  potentials: [{type: formula, site: 1, formula: \"(x^2 + y^2 + z^2)/2\"}]\n"
                                "integrator: {word: BAOAB, timestep: 0.3, time: 30}\n"
                                "thermostat: {type: langevin, friction: 1}\n"
                                "exchange: {temperatures: [1, 2], ladders: 8, interval: 10}\n";
  static const double far[] = {30.0, 0.0, 0.0}, near[] = {0.1, 0.0, 0.0};
  hol_simulation *s = opened(springs);
  ck_assert_int_eq(hol_replicas(s), REPLICAS);
  good(hol_step(s, 20, &e)); /* energies are known, the exchange is next */
  bool high[REPLICAS];
  for (int r = 0; r < REPLICAS; r++) {
    high[r] = (kelvin_of(s, r) < 1.5) == (r / 2 % 2 == 0);
    good(hol_set(s, HOL_POSITIONS, r, high[r] ? far : near, &e));
  }
  good(hol_step(s, 1, &e));
  for (int r = 0; r < REPLICAS; r++)
    ck_assert_int_eq(kelvin_of(s, r) > 1.5, high[r]);
  hol_close(s);
}

static double column(hol_simulation *s, const double *value, const char *name)
{
  const int c = hol_column(s, name);
  return c >= 0 ? value[c] : 0.0;
}

/* The energies of engine/force.h, in every sort of system: what the columns add up to, and that forces are
 * minus the gradient of the energy of the configuration, penalties apart, whose forces hol_get leaves out. */
TEST(energies_add_up, .rows = 4)
{
  static const char *const input[] = {
      "system: {model: tip3p, molecules: 2, anneal: false, wall: {radius: 0.5 A, stiffness: 3}}\n"
      "geometry: {method: settle}\n"
      "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ps}\n"
      "thermostat: {temperature: 300, friction: 20/ps}\n",
      "system: {model: tip3p, molecules: 2, anneal: false, wall: {radius: 0.5 A, stiffness: 3}}\n"
      "geometry: {method: penalty, w: 50}\n"
      "integrator: {word: BAOAB, timestep: 0.2 fs, time: 1 ps}\n"
      "thermostat: {temperature: 300, friction: 20/ps}\n",
      "units: reduced\n"
      "system: {dimensions: 3, sites: [{position: [0, 0, 0]}, {position: [1, 0, 0]}, {position: [1, 1, 0]}], "
      "constraints: [{type: distance, sites: [1, 2], distance: 1}, {type: distance, sites: [2, 3], distance: "
      "1}], "
      "potentials: [{type: spring, sites: [1, 3], stiffness: 5, length: 1}]}\n"
      "geometry: {method: rattle, fixman: true}\n"
      "integrator: {word: BAOAB, timestep: 0.01, time: 1}\n"
      "thermostat: {type: langevin, temperature: 1, friction: 1, initial: maxwell}\n",
      "units: reduced\n"
      "system: {dimensions: 3, sites: [{position: [0, 0, 0]}, {position: [1, 0, 0]}, {position: [1, 1, 0]}], "
      "potentials: [{type: spring, sites: [1, 2], stiffness: 5, length: 1}]}\n"
      "integrator: {word: BAOAB, timestep: 0.01, time: 1}\n"
      "thermostat: {type: langevin, temperature: 1, friction: 1, initial: maxwell}\n"};
  enum { FOUND = 5 };
  static const unsigned char there[][FOUND] = {
      {1, 1, 0, 0, 1}, {1, 1, 1, 0, 1}, {1, 0, 0, 1, 1}, {1, 0, 0, 0, 1}};
  static const char *const name[FOUND] = {"external", "wall_energy", "penalty", "fixman", "potential"};
  const double step = 1e-5;
  double value[MOST], x[MOST], f[MOST], y[MOST], other[2], work = 0.0;
  hol_simulation *s = opened(input[_i]);
  good(hol_add_force(s, field, NULL, 0, &e));
  good(hol_step(s, 50, &e));
  ck_assert_int_le(hol_columns(s), MOST);
  good(hol_look(s, 0, value, &e));
  for (int i = 0; i < FOUND; i++)
    ck_assert_msg((fabs(column(s, value, name[i])) > 1e-6) == there[_i][i], "%s: %g", name[i],
                  column(s, value, name[i]));
  const double potential = column(s, value, "potential"), all = column(s, value, "configurational");
  const double terms = column(s, value, "coulomb") + column(s, value, "lj") +
                       column(s, value, "wall_energy") + column(s, value, "external");
  if (_i < 2)
    ck_assert_double_eq_tol(potential, terms, 1e-9 * fabs(potential));
  ck_assert_double_eq_tol(all, potential + column(s, value, "penalty") + column(s, value, "fixman"), 1e-9);
  ck_assert_double_eq_tol(column(s, value, "total"), column(s, value, "kinetic") + all, 1e-9);
  good(hol_get(s, HOL_POSITIONS, 0, x, &e));
  good(hol_get(s, HOL_FORCES, 0, f, &e));
  for (int side = 0; side < 2; side++) {
    seed = 7;
    for (int i = 0; i < coordinates(s); i++) {
      const double move = step * (uniform() - 0.5);
      y[i] = x[i] + (side ? -move : move);
      work += side ? 0.0 : 2.0 * move * f[i];
    }
    good(hol_set(s, HOL_POSITIONS, 0, y, &e));
    good(hol_look(s, 0, value, &e));
    other[side] = column(s, value, "configurational") - column(s, value, "penalty");
  }
  ck_assert_msg(fabs(other[0] - other[1] + work) < 1e-4 * fabs(work), "%g for %g", other[0] - other[1],
                -work);
  hol_close(s);
}
