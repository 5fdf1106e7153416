/* `compare` calls runs equal that sample the same by different ways, and sees a run whose O projects wrongly.
 */
#include "cmd/compare.h"
#include "simulation/simulation_private.h"
#include "tests/files.h"
#include "tests/spoiled.h"

/* Friction that takes a hydrogen's momentum within one step and an oxygen's in ten: the two metrics are far
 * apart. */
static const char input[] =
    "units: akma\n"
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 0.08, steps: 8000}\n"
    "thermostat: {temperature: 100 K, friction: 50, convention: uniform}\n"
    "ensemble: {replicas: 64, threads: 1}\n"
    "output: {thermo_every: 20, rdf_every: 20, equilibration: 100, progress: false, report: false}\n";

/* A run's folder. */
static const char *run(Spoiled how, const char *name, const char *set)
{
  const char *const to = files_path(name);
  Error error;
  Simulation *s;
  ck_assert_msg(simulation_parse(&s, "input.yaml", input, &set, set != NULL, &error) == STATUS_OK, "%s",
                error.text);
  spoiled_plan(s->plan, how);
  ck_assert_msg(simulation_run(s, &(SimulationRun){.dir = to}, &error) == STATUS_OK, "%s", error.text);
  simulation_free(s);
  return to;
}

TEST(verdicts)
{
  const char *const dir[5] = {run(SPOILED_NOT, "right", NULL), run(SPOILED_NOT, "other", "seed=2"),
                              run(SPOILED_PLAIN, "plain", "seed=3"), run(SPOILED_MASSES, "masses", "seed=4"),
                              run(SPOILED_LEFT_OUT, "none", "seed=5")};
  Error error;
  Compare *c;
  CompareMargin margin;
  ck_assert_msg(compare_create(&c, dir, NULL, 5, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(compare_margin_read(&margin, "0.1 kcal/mol", &error), STATUS_OK);
  ck_assert_msg(compare_margin(c, &margin, &error) == STATUS_OK, "%s", error.text);
  for (int i = 0; i < c->npair; i++) {
    const CompareTest *energy = &c->pair[i].test[0];
    printf("%s: energy by %.4f +- %.4f, p %.2g, verdict %d; distances p %.2g\n", dir[1 + i],
           energy->mean.difference, energy->mean.error, energy->adjusted, (int)c->pair[i].verdict,
           c->pair[i].test[1].adjusted);
  }
  for (int t = 0; t < c->pair[0].ntest; t++)
    ck_assert_double_ge(c->pair[0].test[t].adjusted, 0.05);
  ck_assert_int_eq(c->pair[0].verdict, COMPARE_EQUAL);
  for (int i = 1; i < c->npair; i++)
    ck_assert_msg(c->pair[i].test[0].adjusted < 0.001, "%s agrees", dir[1 + i]);
  compare_free(c);
}
