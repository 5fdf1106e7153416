/* A force of the program's own, such as one from PLUMED, a machine-learned potential or a quantum program.
 * Here a spring 1/2 k (d - d0)^2 pulls the oxygens of two waters to a distance d0 (umbrella sampling). Writes
 * the distance over time and the bias to colvar.csv and prints the mean distance. */
#include <holonom.h>
#include <math.h>
#include <stdio.h>

static const char input[] = "system: {model: tip3p, molecules: 2}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, time: 100 ps}\n"
                            "thermostat: {type: langevin, temperature: 300, friction: 5 1/ps}\n";

typedef struct Bias {
  double k, d0; /* kcal/mol/A^2, A */
  FILE *file;
  double sum;
  long n;
} Bias;

/* Sites are O, H, H of the first molecule and of the second: r is from the first oxygen to the second. */
static double between(const double *x, double r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = x[9 + d] - x[d];
  return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

/* Called at every evaluation of forces: positions of all replicas in, forces and energies out. */
static hol_status pull(void *user, hol_force_call *call, hol_error *error)
{
  const Bias *bias = (const Bias *)user;
  (void)error; /* cannot fail */
  for (int k = 0; k < call->replicas; k++) {
    const double *x = call->x + 3 * call->sites * k;
    double r[3], *f = call->f + 3 * call->sites * k;
    const double d = between(x, r), slope = bias->k * (d - bias->d0);
    for (int i = 0; i < 3; i++) {
      f[i] = slope * r[i] / d;
      f[9 + i] = -slope * r[i] / d;
    }
    call->energy[k] = 0.5 * slope * (d - bias->d0);
  }
  return HOL_OK;
}

/* Called every 50 steps: writes a line of the file. */
static hol_status record(void *user, hol_simulation *s, hol_error *error)
{
  Bias *bias = (Bias *)user;
  double x[18], r[3];
  const hol_status status = hol_get(s, HOL_POSITIONS, 0, x, error);
  if (status != HOL_OK)
    return status;
  const double d = between(x, r);
  fprintf(bias->file, "%.3f,%.6f,%.6f\n", hol_time(s) * HOL_AKMA_FS * 1e-3, d,
          0.5 * bias->k * (d - bias->d0) * (d - bias->d0));
  bias->sum += d;
  bias->n++;
  return HOL_OK;
}

int main(void)
{
  hol_error error;
  hol_simulation *s = NULL;
  Bias bias = {20.0, 4.0, fopen("colvar.csv", "w"), 0.0, 0};
  if (bias.file == NULL)
    return perror("colvar.csv"), 1;
  fprintf(bias.file, "time_ps,distance,bias\n# A, kcal/mol\n");
  if (hol_open_text(&s, "dimer", input, NULL, 0, &error) == HOL_OK &&
      hol_add_force(s, pull, &bias, 0, &error) == HOL_OK &&
      hol_add_observer(s, 50, record, &bias, &error) == HOL_OK && hol_step(s, 50000, &error) == HOL_OK)
    printf("mean distance %.3f A under a spring at %.1f A\n", bias.sum / (double)bias.n, bias.d0);
  else
    fprintf(stderr, "%s\n", error.message);
  hol_close(s);
  return fclose(bias.file) != 0 || error.status != HOL_OK;
}
