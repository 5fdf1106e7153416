/* Energies of biases. */
#include <math.h>

#include "forcefields/bias.h"
#include "forcefields/bias_grid.h"

static const double degree = 3.14159265358979323846 / 180.0;

enum { BIAS_TYPE_CONSTANTS = true, BIAS_TYPE_GRID = false };
const BiasType bias_types[BIASES] = {
#define BIAS(FORM, id, coordinates, constants, one)                                                          \
  [BIAS_##FORM] = {#id, one, coordinates, BIAS_TYPE_##constants},
#include "forcefields/biases.def"
};

typedef double BiasFunction(const BiasInput *bias, const double *constants, const double *periods,
                            const double *x, double *slope);

double bias_energy(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                   double *slope)
{
  static BiasFunction *const function[BIASES] = {
#define BIAS(FORM, id, ...) [BIAS_##FORM] = bias_##id,
#include "forcefields/biases.def"
  };
  return function[bias->form](bias, constants, periods, x, slope);
}

double bias_period(const CoordinateSites *on, const Box *box)
{
  return coordinate_types[on->form].periodic ? 360.0 * degree : coordinate_sites_period(on, box);
}

double bias_beyond(const BiasInput *bias, const double *constants, double period, double x)
{
  const double c = coordinate_types[bias->on[0].form].angle ? constants[1] * degree : constants[1];
  return period > 0.0 ? remainder(x - c, period) : x - c;
}

static double spring(double k, double x, double *slope)
{
  if (slope != NULL)
    *slope += k * x;
  return 0.5 * k * x * x;
}

double bias_harmonic(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                     double *slope)
{
  return spring(constants[0], bias_beyond(bias, constants, periods[0], *x), slope);
}

double bias_wall(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                 double *slope)
{
  const double beyond = bias_beyond(bias, constants, periods[0], *x);
  return (bias->below ? beyond < 0.0 : beyond > 0.0) ? spring(constants[0], beyond, slope) : 0.0;
}

double bias_metadynamics(const BiasInput *bias, const double *constants, const double *periods,
                         const double *x, double *slope)
{
  (void)constants, (void)periods;
  return bias->grid != NULL ? bias_grid_energy(bias->grid, x, slope) : 0.0;
}
