/* GROMACS reads our samples of a decoupling: gmx bar finds Bennett's free energies that we find. Skipped
 * without gmx. */
#include "engine/units.h"
#include "observables/decoupling_files.h"
#include "tests/files.h"
#include "tests/wells.h"

/* The lines "point ..., DG ..." of gmx bar: lambdas of both states, and the free energy in kT with its error.
 */
static int read_points(const char *file, double *value, double *error)
{
  char line[512];
  FILE *const in = fopen(files_path(file), "r");
  int n = 0;
  ck_assert(in != NULL);
  while (fgets(line, sizeof line, in) != NULL) {
    const char *const at = strstr(line, "DG");
    if (strstr(line, "point") != NULL && at != NULL &&
        sscanf(at, "DG %lf +/- %lf", &value[n], &error[n]) == 2)
      n++;
  }
  (void)fclose(in);
  return n;
}

TEST(gmx_bar_finds_our_free_energies, .rows = 2)
{
  char command[1024];
  double value[2 * WELLS_STATES], spread[2 * WELLS_STATES];
  Error error;
  Decoupling *d;
  Wells w = wells_make(_i == 0 ? 1 : 3, 1200, 0.5, 60 + (uint32_t)_i, NULL);
  w.volumes = _i == 1;
  wells_run(&w);
  const DecouplingSamples samples = {.path = &w.path,
                                     .ladder = w.ladder,
                                     .ladders = w.ladders,
                                     .kelvin = 1.0 / UNITS_BOLTZMANN,
                                     .pressure = WELLS_PRESSURE,
                                     .begin = 2.0,
                                     .step = 0.5};
  ck_assert(decoupling_files_xvg(&samples, files_folder, &error) == STATUS_OK);
  ck_assert(decoupling_create(&d, &w.path, w.ladder, w.ladders, &error) == STATUS_OK);
  snprintf(command, sizeof command,
           "cd '%s' && gmx -quiet bar -f dhdl-*.xvg -prec 6 </dev/null >bar.txt 2>bar.log || { cat bar.log; "
           "false; }",
           files_folder);
  ck_assert(system(command) == 0);
  ck_assert_int_eq(read_points("bar.txt", value, spread), w.states - 1);
  for (int k = 0; k + 1 < w.states; k++) {
    const WorkValue *const ours = &d->pair[k].free_energy;
    const double kJ = UNITS_JOULE; /* kT is 1 kcal/mol, and gmx bar prints kJ/mol */
    ck_assert_double_eq_tol(value[k], kJ * ours->value, 0.02 * kJ * ours->error + 2e-5);
    ck_assert_double_lt(spread[k], 3.0 * kJ * ours->error);
  }
  decoupling_free(d);
  wells_clear(&w);
}

int main(void) { return suite_lacks("gmx") ? SUITE_SKIPPED : files_main("decoupling_gromacs"); }
