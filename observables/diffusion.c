#include "observables/diffusion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "engine/units.h"

double diffusion_scale(const ObservableOptions *options) { return options->reduced ? 1.0 : 10.0; }

#define GONZALEZ_ABASCAL "Gonzalez and Abascal, J. Chem. Phys. 132, 096101 (2010)"

static const struct {
  const char *model;
  double temperature; /* K     */
  double value;       /* mPa s */
  const char *cite;
} viscosities[] = {{"tip3p", 298.0, 0.321, GONZALEZ_ABASCAL},
                   {"spce", 298.0, 0.729, GONZALEZ_ABASCAL},
                   {"tip4p", 298.0, 0.494, GONZALEZ_ABASCAL}};

void diffusion_viscosity(ObservableOptions *options, const char *model)
{
  LOCALE_PLAIN;
  for (size_t i = 0; i < sizeof viscosities / sizeof *viscosities; i++)
    if (!(options->given_viscosity > 0.0) && model != NULL && strcmp(viscosities[i].model, model) == 0 &&
        fabs(viscosities[i].temperature - options->temperature) <= 3.0) {
      options->given_viscosity = viscosities[i].value;
      snprintf(options->viscosity_source, sizeof options->viscosity_source, "%s at %g K: %s",
               viscosities[i].model, viscosities[i].temperature, viscosities[i].cite);
    }
}

double diffusion_cube(const double length[3], bool oblique)
{
  const double most = fmax(length[0], fmax(length[1], length[2])),
               least = fmin(length[0], fmin(length[1], length[2]));
  return most == 0.0 ? 0.0 : !oblique && most - least <= 1e-3 * least ? length[0] : NAN;
}

/* --- the size of the box ---------------------------------------------------------------------------------
 */

double diffusion_drag(const ObservableOptions *options, const ObservableFrame *frame)
{
  double sum = 0.0;
  for (int b = 0; b < frame->nblock; b++) {
    const Kind *const kind = frame->block[b].kind;
    sum += frame->block[b].nmol * (options->friction_uniform ? kind->nsite : kind_mass(kind));
  }
  return options->friction * sum;
}

double diffusion_screening(double drag, double volume, double viscosity)
{
  const double gram = 1.66053906660e-27, akma = UNITS_AKMA_FS * 1e-15; /* kg per g/mol; s */
  const double xi = drag * gram / akma / (volume * 1e-30);
  return sqrt(xi / (viscosity * 1e-3)) * 1e-10;
}

/* exp(+-kappa r) erfc(alpha r +- kappa/(2 alpha)); if the exponential overflows, erfc is 0. */
static double short_range(double r, double alpha, double kappa)
{
  const double x = alpha * r + 0.5 * kappa / alpha;
  return x < 26.0 ? exp(kappa * r) * erfc(x) : 0.0;
}

/* Divided as an Ewald sum. The long-range part of exp(-kappa R)/(4 pi R), with the cutoff exp(-(k^2 +
 * kappa^2)/(4 alpha^2)), is summed over waves, the rest over images. The point's own long-range part is
 * subtracted, and so is the integral of the short-range part, the missing wave k = 0. */
double diffusion_images(const Box *box, double kappa)
{
  static const double far = 6.2; /* exp(-far^2) < 1e-16 */
  const double volume = box_volume(box), alpha = sqrt(M_PI) / cbrt(volume), wide = 4.0 * alpha * alpha,
               k2 = kappa * kappa;
  double sum = (kappa > 0.0 ? -expm1(-k2 / wide) / k2 : 1.0 / wide) / volume +
               0.5 * alpha * pow(M_PI, -1.5) * exp(-k2 / wide) -
               0.25 / M_PI * kappa * erfc(0.5 * kappa / alpha);
  int top[3];
  for (int d = 0; d < 3; d++)
    top[d] = 1 + (int)fmax(far / (alpha * box_height(box, d)), alpha * far * box_edge(box, d) / M_PI);
  for (int a = -top[0]; a <= top[0]; a++)
    for (int b = -top[1]; b <= top[1]; b++)
      for (int c = -top[2]; c <= top[2]; c++) {
        const double n[3] = {a, b, c};
        double at[3], r2 = 0.0, wave2 = 0.0;
        if (a == 0 && b == 0 && c == 0)
          continue;
        box_point(box, n, at);
        for (int d = 0; d < 3; d++) {
          double k = 0.0;
          for (int e = 0; e <= d; e++)
            k += 2.0 * M_PI * box->inverse[d][e] * n[e];
          r2 += at[d] * at[d];
          wave2 += k * k;
        }
        const double r = sqrt(r2);
        sum -= (short_range(r, alpha, kappa) + short_range(r, alpha, -kappa)) / (8.0 * M_PI * r) +
               exp(-(wave2 + k2) / wide) / (wave2 + k2) / volume;
      }
  return sum;
}

/* The correction for the size of a cubic box, A^2/ps; without friction that of Yeh and Hummer, J. Phys. Chem.
 * B 108, 15873 (2004). NaN: unknown viscosity or temperature, not a cube, or D includes the motion of the
 * centre of mass, which only friction limits. */
static double correction(const ObservableOptions *options, double drag, double cube)
{
  const double boltzmann = 1.380649e-23; /* J/K */
  if (!(options->given_viscosity > 0.0 && options->temperature > 0.0 && cube > 0.0) ||
      (drag > 0.0 && options->keep_drift))
    return NAN;
  const Box box = box_brick(cube, cube, cube);
  const double images =
      diffusion_images(&box, diffusion_screening(drag, box_volume(&box), options->given_viscosity));
  const double si = 2.0 * boltzmann * options->temperature / (3.0 * options->given_viscosity * 1e-3) *
                    images * 1e10; /* m^2/s */
  return si * 1e8;
}

/* Describes the origin of the correction. */
static void say_source(const ObservableOptions *options, double drag, double cube, char *words, size_t size)
{
  char screened[96] = "Yeh and Hummer";
  if (drag > 0.0)
    snprintf(screened, sizeof screened, "Brinkman equation, screening length %.4g A by friction",
             1.0 / diffusion_screening(drag, cube * cube * cube, options->given_viscosity));
  snprintf(words, size, "%s, cubic box of %.6g A, viscosity %.4g mPa s (%.100s)", screened, cube,
           options->given_viscosity,
           *options->viscosity_source != '\0' ? options->viscosity_source : "as given");
}

void diffusion_report(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note)
{
  LOCALE_PLAIN;
  const double add = correction(options, drag, cube), unit = diffusion_scale(options);
  char from[320], sum[80];
  results_observed(report, observable, subject, quantity, unit * value, unit * error, note);
  if (!isfinite(add))
    return;
  say_source(options, drag, cube, from, sizeof from);
  results_observed(report, observable, subject, "D_correction", unit * add, NAN, from);
  snprintf(sum, sizeof sum, "%s + D_correction; the error is that of %s", quantity, quantity);
  results_observed(report, observable, subject, "D_infinite", unit * (value + add), unit * error, sum);
}

void diffusion_remark(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable)
{
  if (cube != 0.0 && !isfinite(correction(options, drag, cube)))
    results_remark(report, "%s: no correction for the size of the box: %s", observable,
                   isnan(cube) ? "the formula requires a cube"
                   : !(options->temperature > 0.0)
                       ? "the temperature is unknown (thermostat.temperature, or --temperature)"
                   : !(options->given_viscosity > 0.0)
                       ? "the viscosity is unknown (output.viscosity, or --viscosity)"
                       : "displacements include the motion of the centre of mass");
}
