/* Calls each function of holonom.h once: two waters in eight replicas are saved in memory, heated, set back
 * and run on. Prints results; writes every.hol and a folder, every.run. */
#include <holonom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char input[] = "system: {model: tip3p, molecules: 2, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, time: 0.2 ps}\n"
                            "thermostat: {type: langevin, temperature: 100, friction: 5 1/ps}\n"
                            "output: {multipliers_every: 1}\n"
                            "parameters: {k: 0.5}\n"
                            "ensemble: {replicas: 8}\n";
enum { REPLICAS = 8, SITES = 6, COLUMNS = 64, CONSTRAINTS = 6 };

static double x[REPLICAS][SITES][3], p[REPLICAS][SITES][3], f[REPLICAS][SITES][3];

static void stop(hol_status status, const hol_error *error)
{
  if (status == HOL_OK)
    return;
  fprintf(stderr, "%s\n", error->message);
  exit((int)status);
}

/* A weak spring between the two oxygens, for all replicas in one call. Its constant is a parameter. */
static hol_status spring(void *user, hol_force_call *call, hol_error *error)
{
  (void)user;
  (void)error; /* cannot fail */
  for (int r = 0; r < call->replicas; r++) {
    const double k = call->parameter[call->parameters * r];
    const double *a = call->x + 3 * call->sites * r, *b = a + 9;
    double *to = call->f + 3 * call->sites * r;
    for (int d = 0; d < 3; d++) {
      to[d] = k * (b[d] - a[d]);
      to[9 + d] = -to[d];
      call->energy[r] += 0.5 * k * (b[d] - a[d]) * (b[d] - a[d]);
      call->slope[call->parameters * r] += 0.5 * (b[d] - a[d]) * (b[d] - a[d]);
      for (int e = 0; e < 3; e++)
        call->virial[9 * r + 3 * d + e] = -k * (b[d] - a[d]) * (b[e] - a[e]);
    }
  }
  return HOL_OK;
}

static hol_status count(void *user, hol_simulation *s, hol_error *error)
{
  (void)s;
  (void)error;
  ++*(int *)user;
  return HOL_OK;
}

static void hear(void *user, const char *line) { *(size_t *)user += strlen(line); }

/* Prints the properties of the system. */
static void describe(hol_simulation *s)
{
  hol_error error;
  hol_topology t;
  t.size = sizeof t;
  stop(hol_get_topology(s, &t, &error), &error);
  printf("holonom %s: a %s of %d %s in %d replicas, %d sites in %d dimensions, %d degrees of freedom, %d "
         "constraints\n",
         hol_version(), hol_sort(s), hol_molecules(s), t.kind_name[0], hol_replicas(s), hol_sites(s),
         hol_dimensions(s), hol_freedom(s), hol_constraints(s));
  for (int i = 0; i < t.bonds; i++)
    printf("%s-%s%s", t.site_name[t.bond[i][0]], t.site_name[t.bond[i][1]], i + 1 < t.bonds ? " " : "; ");
  printf("charge of the first site %.3f e\n", t.charge[0]);
  /* TIP3P has no virtual sites: these calls have nothing to place or spread. */
  hol_virtual_sites v;
  v.size = sizeof v;
  stop(hol_get_virtual_sites(s, &v, &error), &error);
  stop(hol_get(s, HOL_POSITIONS, 0, &x[0][0][0], &error), &error);
  stop(hol_place_sites(s, &x[0][0][0], &f[0][0][0], &error), &error);
  stop(hol_spread_sites(s, &x[0][0][0], &f[0][0][0], &p[0][0][0], &error), &error);
  printf("%d virtual sites\n", v.sites);
}

/* Reads and writes the states of all replicas. */
static void change(hol_simulation *s)
{
  hol_error error;
  double box[REPLICAS][9], kelvin[REPLICAS], energy;
  int place[2];
  stop(hol_get(s, HOL_POSITIONS, HOL_ALL, &x[0][0][0], &error), &error);
  stop(hol_get(s, HOL_MOMENTA, HOL_ALL, &p[0][0][0], &error), &error);
  stop(hol_get(s, HOL_FORCES, HOL_ALL, &f[0][0][0], &error), &error);
  for (int r = 0; r < REPLICAS; r++) /* rounds to the four digits of a file */
    for (int i = 0; i < 3 * SITES; i++)
      x[r][i / 3][i % 3] = floor(1e4 * x[r][i / 3][i % 3] + 0.5) * 1e-4;
  stop(hol_set(s, HOL_POSITIONS, HOL_ALL, &x[0][0][0], &error), &error);
  stop(hol_project(s, HOL_ALL, &error), &error);
  stop(hol_evaluate(s, 0, &x[0][0][0], &energy, NULL, NULL, &error), &error);
  if (hol_get_ladder(s, 0, place, &error) != HOL_OK)
    printf("no ladder: %s\n", error.message);
  stop(hol_get_temperature(s, HOL_ALL, kelvin, &error), &error);
  for (int r = 0; r < REPLICAS; r++)
    kelvin[r] += 5.0 * r;
  stop(hol_set_temperature(s, HOL_ALL, kelvin, &error), &error);
  stop(hol_draw(s, HOL_ALL, &error), &error);
  stop(hol_get_box(s, HOL_ALL, &box[0][0], &error), &error);
  if (hol_set_box(s, HOL_ALL, &box[0][0], &error) != HOL_OK)
    printf("a cluster: %s\n", error.message);
}

/* Doubles the spring's constant in the first replica; computes energies of all replicas at two values. */
static void stiffen(hol_simulation *s)
{
  const double values[2] = {0.5, 1.0};
  double own[REPLICAS], energy[REPLICAS][2], slope[REPLICAS];
  hol_error error;
  const int k = hol_parameter_find(s, "k");
  stop(hol_parameter_get(s, k, HOL_ALL, own, &error), &error);
  own[0] *= 2.0;
  stop(hol_parameter_set(s, k, HOL_ALL, own, &error), &error);
  stop(hol_parameter_energies(s, HOL_ALL, 2, values, &energy[0][0], slope, &error), &error);
  printf(
      "%d parameter, %s (%s): from 0.5 to 1 the energy grows by %.2f kcal/mol, its slope times 0.5 is %.2f\n",
      hol_parameters(s), hol_parameter_name(s, k), hol_parameter_unit(s, k), energy[0][1] - energy[0][0],
      0.5 * slope[0]);
}

static void look(hol_simulation *s)
{
  static double value[REPLICAS * COLUMNS], lambda[REPLICAS][CONSTRAINTS];
  hol_error error;
  const int n = hol_columns(s), external = hol_column(s, "external");
  double sum = 0.0;
  stop(hol_look(s, HOL_ALL, value, &error), &error);
  stop(hol_multipliers(s, HOL_ALL, &lambda[0][0], &error), &error);
  for (int r = 0; r < REPLICAS; r++)
    sum += value[n * r + external] / REPLICAS;
  printf("%s after %lld steps, %.1f fs: %.2f %s on average; a multiplier of the last is %s\n",
         hol_column_name(s, external), (long long)hol_steps_done(s), hol_time(s) * HOL_AKMA_FS, sum,
         hol_column_unit(s, external), lambda[REPLICAS - 1][CONSTRAINTS - 1] != 0.0 ? "there" : "missing");
}

int main(void)
{
  const char *const shorter[] = {"integrator.time=0.1 ps"};
  hol_error error;
  hol_simulation *s, *run;
  int calls = 0;
  size_t heard = 0, size;
  char *keys;
  stop(hol_open_text(&s, "two waters", input, NULL, 0, &error), &error);
  stop(hol_add_force(s, spring, NULL, 0, &error), &error);
  stop(hol_add_observer(s, 10, count, &calls, &error), &error);
  stop(hol_start(s, &error), &error);
  describe(s);
  stop(hol_step(s, 20, &error), &error);
  /* Saves a state in memory, to return to it. */
  stop(hol_save_memory(s, NULL, 0, &size, &error), &error);
  void *kept = malloc(size);
  if (kept == NULL)
    return HOL_MEMORY;
  stop(hol_save_memory(s, kept, size, &size, &error), &error);
  change(s);
  stiffen(s);
  stop(hol_step(s, 20, &error), &error);
  look(s);
  stop(hol_load_memory(s, kept, size, &error), &error);
  stop(hol_save(s, "every.hol", &error), &error);
  stop(hol_load(s, "every.hol", &error), &error);
  hol_stop(s); /* the next call ends at once */
  stop(hol_step(s, 20, &error), &error);
  look(s);
  free(kept);
  /* Continues without the force and the observer, with half the time step and twice the friction. */
  stop(hol_remove_force(s, spring, NULL, &error), &error);
  stop(hol_remove_observer(s, count, &calls, &error), &error);
  stop(hol_observe(s, 10, count, &calls, &error), &error); /* the old name of hol_add_observer */
  stop(hol_remove_observer(s, count, &calls, &error), &error);
  stop(hol_set_timestep(s, 0.5 * hol_timestep(s), &error), &error);
  stop(hol_set_friction(s, 2.0 * hol_friction(s), &error), &error);
  stop(hol_step(s, 20, &error), &error);
  hol_close(s);
  /* A run with its files, from an input file. */
  FILE *file = fopen("every.yaml", "w");
  if (file == NULL || fputs(input, file) < 0 || fclose(file) != 0)
    return perror("every.yaml"), HOL_IO;
  stop(hol_open(&run, "every.yaml", shorter, 1, &error), &error);
  stop(hol_listen(run, hear, &heard, &error), &error);
  stop(hol_run(run, "every.run", HOL_FORCE, &error), &error);
  hol_close(run);
  stop(hol_keys(&keys, &error), &error);
  printf("%d calls of the observer, %s of the run, %s keys; totals are in %s\n", calls,
         heard > 0 ? "words" : "no word", strlen(keys) > 1000 ? "many" : "no",
         hol_table_unit("thermo", "total"));
  hol_free(keys);
  stop(hol_waters(&keys, &error), &error);
  hol_free(keys);
  return 0;
}
