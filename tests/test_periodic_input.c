/* What strangers give a periodic run: start files of all kinds that are no start, keys that make no sense, a
 * disk that fills up. Each is told in words, with the right exit code, and nothing of an earlier run is lost.
 */
#include "tests/program.h"

static const char start[] = "system: {model: tip3p, start: file, file: x.gro, box: file}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, steps: 4}\n"
                            "thermostat: {temperature: 298 K, friction: 2 1/ps}\n"
                            "output: {rdf_every: 0, thermo_every: 2, progress: false}\n";

/* Two waters and what follows them, in a box of 20 A. */
static const char gro[] = "two waters\n%s\n"
                          "    1SOL     OW    1   0.100   0.100   0.100\n"
                          "    1SOL    HW1    2   0.196   0.100   0.100\n"
                          "    1SOL    HW2    3   0.076   0.193   0.100\n"
                          "    2%s    4   %s   0.100   0.100\n"
                          "    2SOL    HW1    5   %s   0.100   0.100\n"
                          "    2SOL    HW2    6   %s   0.193   0.100\n%s";

typedef struct Second {
  const char *atoms, *name, *x[3], *end;
} Second;

static const char cube[] = "   2.00000   2.00000   2.00000\n";

static void write_gro(const char *file, const Second *s)
{
  char text[1024];
  snprintf(text, sizeof text, gro, s->atoms, s->name, s->x[0], s->x[1], s->x[2], s->end);
  program_write(file, text);
}

static void write_starts(void)
{
  static const struct {
    const char *file;
    Second second;
  } starts[] = {
      {"good.gro", {"6", "SOL     OW", {"1.100", "1.196", "1.076"}, cube}},
      {"lipid.gro", {"6", "POPC   C1 ", {"1.100", "1.196", "1.076"}, cube}},
      {"nan.gro", {"6", "SOL     OW", {"  nan", "1.196", "1.076"}, cube}},
      {"cut.gro", {"900", "SOL     OW", {"1.100", "1.196", "1.076"}, cube}},
      {"tilted.gro",
       {"6",
        "SOL     OW",
        {"1.100", "1.196", "1.076"},
        "   2.00000   2.00000   2.00000   0.00000   0.00000   0.40000   0.00000   0.00000   0.00000\n"}},
      /* Oxygens 2 A apart, which double precision takes and single precision does not. */
      {"close.gro", {"6", "SOL     OW", {"0.300", "0.396", "0.276"}, cube}},
      {"same.gro", {"6", "SOL     OW", {"0.110", "0.206", "0.086"}, cube}},
  };
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    write_gro(starts[i].file, &starts[i].second);
  program_write("start.yaml", start);
}

/* An earlier run's thermo.csv stays, to the byte. */
TEST(bad_starts_leave_an_earlier_run_alone)
{
  static const struct {
    const char *set, *says[3];
  } bad[] = {
      {"--set system.file=lipid.gro", {"lipid.gro", "line 6", "neither in a water"}},
      {"--set system.file=nan.gro", {"nan.gro, line 6", "a finite number is expected"}},
      {"--set system.file=cut.gro", {"cut.gro", "900 atoms are announced"}},
      {"--set system.file=tilted.gro --set system.box=20", {"tilted.gro", "20 x 20 x 20 A", "(4, 20, 0)"}},
      {"--set system.file=good.gro --set system.box=21", {"system.box", "has 20 x 20 x 20 A"}},
      {"--set system.file=good.gro --set 'system.box=[20, 0, 0, 5, 20, 0, 0, 0, 20]'",
       {"system.box", "(5, 20, 0)", "20 x 20 x 20 A"}},
      {"--set system.file=good.gro --set 'system.box=[20, 0, 0, 20]'",
       {"system.box", "4 numbers do not define a box"}},
      {"--set system.file=same.gro", {"same.gro", "molecules 1 and 2 overlap", "0.1 A apart"}},
      {"--set system.file=close.gro", {"close.gro", "molecules 1 and 2 overlap", "system.minimise: true"}},
      {"--set system.file=good.gro --set geometry.method=penalty --set geometry.w=100 --set "
       "integrator.acceleration=zss-block",
       {"integrator.acceleration", "zss-block", "wanted: zss"}},
      {"--set system.file=missing.gro", {"missing.gro", "cannot be read"}},
      {"--set system.file=good.gro --set output.gofr_every=1 --set output.gofr_max=90", {"rdf", "90 A"}},
      {"--set system.file=good.gro --set 'system.atoms={argo: 3}'", {"no species 'argo'", "'argon'"}},
      {"--set system.file=good.gro --set 'system.atoms={argon: 3}'", {"3 of argon", "good.gro has 0"}},
  };
  program_runs("run start.yaml -o kept --quiet --set system.file=good.gro");
  char *before = strdup(program_read("kept/thermo.csv"));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int code = program_call("run start.yaml -o kept --force --quiet %s", bad[i].set);
    ck_assert_msg(code == 2, "%s: exit code %d: %s", bad[i].set, code, program_output);
    for (int k = 0; k < 3 && bad[i].says[k] != NULL; k++)
      program_says(bad[i].says[k]);
    ck_assert_msg(strcmp(before, program_read("kept/thermo.csv")) == 0, "%s: a file has changed", bad[i].set);
  }
  const int nine = program_call("run start.yaml -o kept --force --quiet --set system.file=good.gro --set "
                                "'system.box=[20, 0, 0, 0, 20, 0, 0, 0, 20]'");
  ck_assert_msg(nine == 0 && strcmp(before, program_read("kept/thermo.csv")) == 0, "%s", program_output);
  free(before);
}

/* What double precision can take apart is then a start. */
TEST(minimisation_takes_close_molecules_apart)
{
  program_runs("run start.yaml -o apart --quiet --set system.file=close.gro --set "
               "system.minimise=true");
}

/* What a run would refuse, a check refuses. */
TEST(a_check_sees_observables)
{
  program_runs("check start.yaml --set system.file=good.gro");
  program_says("relaxation of free momenta");
  program_refuses("90 A", "check start.yaml --set system.file=good.gro --set output.rdf_every=1 --set "
                          "output.rdf_max=90");
}

/* Before memory is taken, of which there would not be enough. */
TEST(more_molecules_than_can_be_are_refused)
{
  static const char built[] =
      "check start.yaml --set system.start=build --set system.file= --set system.box=";
  program_refuses("system.atoms: 70000000 molecules are too many; a system may have at most 50000000",
                  "%s --set system.density=1 --set system.molecules=30000000 "
                  "--set 'system.atoms={Na+: 20000000, Cl-: 20000000}'",
                  built);
  program_refuses("molecules are too many", "%s20000 --set system.density=1", built);
  program_refuses("molecules are too many", "build --model tip3p --size 20000 -o large.gro");
}

/* Nothing but a smooth end of the forces conserves energy where no thermostat keeps the temperature. */
TEST(truncation_follows_the_thermostat)
{
  static const char free_of_heat[] =
      "check start.yaml --set system.file=good.gro --set thermostat.type=none --set "
      "thermostat.friction= --set integrator.word=BAB";
  program_runs("check start.yaml --set system.file=good.gro");
  program_says("truncation: plain");
  program_runs("check start.yaml --set system.file=good.gro --set 'forces.switch=1 A'");
  program_says("has no effect without truncation: switch");
  program_runs("%s --set 'forces.switch=2 A'", free_of_heat);
  program_says("truncation: switch-pairs");
  program_runs("%s --set forces.by=atom --set 'forces.cutoff=7 A'", free_of_heat);
  program_says("truncation: switch\n");
  program_runs("%s --set forces.truncation=plain", free_of_heat);
  program_says("truncation: plain");
}

int main(void)
{
  suite_fixture(false, write_starts, NULL);
  return program_main("periodic_input");
}
