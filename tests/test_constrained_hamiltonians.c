/* The input files under examples/constrained-hamiltonians: they load, run and keep what they should, and the
 * two degenerate ones are refused for the reason that the paper gives. */
#include "tests/energies.h"
#include "tests/started.h"
#include "tests/suite.h"

static const char *const file[] = {"pendulum-shake", "pendulum-rattle", "harmonic-free", "harmonic-a",
                                   "harmonic-b",     "harmonic-c",      "index-1"};
enum { FILES = (int)(sizeof file / sizeof *file) };
static const char *const base[] = {"integrator.base=symplectic-euler", "integrator.base=stormer-verlet",
                                   "integrator.base=midpoint"};
enum { BASES = (int)(sizeof base / sizeof *base) };

static Status load(const char *name, const char *const *set, int nset, Simulation **mechanics, Error *error)
{
  char path[4096];
  const char *source = getenv("HOLONOM_SOURCE");
  snprintf(path, sizeof path, "%s/examples/constrained-hamiltonians/%s.yaml", source != NULL ? source : ".",
           name);
  return started(mechanics, path, set, nset, error);
}

TEST(examples_run, .rows = FILES * BASES)
{
  const char *name = file[_i / BASES];
  Simulation *m;
  Error error;
  ck_assert_msg(load(name, &base[_i % BASES], 1, &m, &error) == STATUS_OK, "%s: %s", name, error.text);
  const double energy = mechanics_energy(m, 0).total;
  ck_assert_msg(simulation_step(m, 1000, NULL, &error) == STATUS_OK, "%s: %s", name, error.text);
  const MechanicsEnergy e = mechanics_energy(m, 0);
  ck_assert_msg(e.largest < 1e-12, "%s: g = %.3g", name, e.largest);
  if (strstr(name, "shake") == NULL && strcmp(name, "index-1") != 0)
    ck_assert_msg(e.hidden < 1e-11, "%s: {g, H} = %.3g", name, e.hidden);
  else
    ck_assert_msg(e.hidden > 1e-4, "%s: {g, H} = %.3g", name, e.hidden);
  ck_assert_msg(fabs(e.total - energy) < (_i % BASES == 0 ? 0.2 : 0.02), "%s: dH = %.3g", name,
                e.total - energy);
  simulation_free(m);
}

static void expect(const char *name, const char *const *set, int nset, const char *word)
{
  Simulation *m = NULL;
  Error error = {0};
  Status status = load(name, set, nset, &m, &error);
  if (status == STATUS_OK)
    status = simulation_step(m, 1, NULL, &error);
  ck_assert_msg(status == STATUS_INPUT, "%s is not refused", name);
  ck_assert_msg(strstr(error.text, word) != NULL, "'%s' is not in: %s", word, error.text);
  simulation_free(m);
}

TEST(refusals)
{
  static const char *const unit[] = {"system.constants.c=1"};
  expect("refused-linear", NULL, 0, "linear along the fibres");
  expect("refused-constant", NULL, 0, "infinitely many solutions");
  expect("harmonic-a", unit, 1, "violates the constraints");
}

/* Methods for masses and potentials take no other Hamiltonian, whichever they are. */
TEST(methods_for_natural_systems_refuse)
{
  static const char *const methods[] = {"energy-momentum", "newmark", "so3-cayley"};
  for (int i = 0; i < 3; i++) {
    char set[64];
    snprintf(set, sizeof set, "integrator.method=%s", methods[i]);
    const char *const sets[] = {set, "integrator.base="};
    expect("harmonic-free", sets, 2,
           "cannot move a general Hamiltonian system, which has no drift and kick: use a");
  }
}

TEST(projection_takes_table_1_to_the_unit_sphere)
{
  static const char *const set[] = {"system.constants.c=1", "system.project=true"};
  Simulation *m;
  Error error;
  ck_assert_msg(load("harmonic-a", set, 2, &m, &error) == STATUS_OK, "%s", error.text);
  const MechanicsEnergy e = mechanics_energy(m, 0);
  ck_assert_msg(e.largest < 1e-14 && e.hidden < 1e-14, "%.3g %.3g", e.largest, e.hidden);
  simulation_free(m);
}
