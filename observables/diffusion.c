#include "observables/diffusion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/locale.h"

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
    if (!(options->viscosity > 0.0) && model != NULL && strcmp(viscosities[i].model, model) == 0 &&
        fabs(viscosities[i].temperature - options->temperature) <= 3.0) {
      options->viscosity = viscosities[i].value;
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

/* What is added for the size of a cubic box, A^2/ps: 2.837297 kT/(6 pi eta L). Yeh and Hummer, J. Phys. Chem.
 * B 108, 15873 (2004). NaN where viscosity or temperature are unknown, or the box is no cube. */
static double correction(const ObservableOptions *options, double cube)
{
  const double boltzmann = 1.380649e-23; /* J/K */
  if (!(options->viscosity > 0.0 && options->temperature > 0.0 && cube > 0.0))
    return NAN;
  const double si = 2.837297 * boltzmann * options->temperature /
                    (6.0 * M_PI * options->viscosity * 1e-3 * cube * 1e-10); /* m^2/s */
  return si * 1e8;
}

void diffusion_report(ResultSet *report, const ObservableOptions *options, double cube,
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note)
{
  LOCALE_PLAIN;
  const double add = correction(options, cube), unit = diffusion_scale(options);
  char from[256], sum[80];
  results_observed(report, observable, subject, quantity, unit * value, unit * error, note);
  if (!isfinite(add))
    return;
  snprintf(from, sizeof from, "Yeh and Hummer, cubic box of %.6g A, viscosity %.4g mPa s (%.100s)", cube,
           options->viscosity, *options->viscosity_source != '\0' ? options->viscosity_source : "as given");
  results_observed(report, observable, subject, "D_correction", unit * add, NAN, from);
  snprintf(sum, sizeof sum, "%s + D_correction; the error is that of %s", quantity, quantity);
  results_observed(report, observable, subject, "D_infinite", unit * (value + add), unit * error, sum);
}

void diffusion_remark(ResultSet *report, const ObservableOptions *options, double cube,
                      const char *observable)
{
  if (cube != 0.0 && !isfinite(correction(options, cube)))
    results_remark(report, "%s: no correction for the size of the box: %s", observable,
                   isnan(cube) ? "the formula is for cubes"
                   : !(options->temperature > 0.0)
                       ? "the temperature is not known (thermostat.temperature, or --temperature)"
                       : "the viscosity is not known (output.viscosity, or --viscosity)");
}
