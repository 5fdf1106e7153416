/* Seven waters at 200 K in 16 replicas: their mean energy after 2 ps, sampled every 100 steps. */
#include <holonom.h>
#include <stdio.h>

static const char input[] = "system: {model: tip3p, molecules: 7, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, time: 10 ps}\n"
                            "thermostat: {type: langevin, temperature: 200, friction: 5 1/ps}\n"
                            "ensemble: {replicas: 16}\n";

int main(void)
{
  hol_error error;
  hol_simulation *s;
  if (hol_open_text(&s, "water", input, NULL, 0, &error) == HOL_OK && hol_step(s, 2000, &error) == HOL_OK) {
    double value[16 * 64], sum = 0.0;
    const int total = hol_column(s, "total"), replicas = hol_replicas(s), columns = hol_columns(s);
    while (hol_steps_done(s) < 12000 && hol_step(s, 100, &error) == HOL_OK &&
           hol_look(s, HOL_ALL, value, &error) == HOL_OK)
      for (int r = 0; r < replicas; r++)
        sum += value[r * columns + total] / (100.0 * replicas);
    printf("mean energy %.3f %s\n", sum, hol_column_unit(s, total));
  }
  if (error.status != HOL_OK)
    fprintf(stderr, "%s\n", error.message);
  hol_close(s);
  return (int)error.status;
}
