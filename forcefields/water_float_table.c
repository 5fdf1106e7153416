#include "forcefields/water_float.h"

#include <math.h>
#include <stdlib.h>

enum { DEGREE_MAX = WATER_FLOAT_EXACT_DEGREE };

static const long double pi = 3.14159265358979323846264338327950288L;

/* (e - 1)/(2 e + 1), the k rc^3 of a reaction field of permittivity e; 0 and infinity: a conductor, 1/2. */
static double reaction_field(double e) { return e == 0.0 || e > 1e300 ? 0.5 : (e - 1.0) / (2.0 * e + 1.0); }

WaterFloatCoulomb water_float_table_coulomb(const Nonbonded *o)
{
  const double rc = o->cutoff;
  if (o->coulomb != COULOMB_REACTION_FIELD)
    return (WaterFloatCoulomb){.beta = coulomb_splits(o->coulomb) ? o->beta : 0.0};
  const double field = reaction_field(o->permittivity) / pow(rc, 3.0);
  return (WaterFloatCoulomb){.field = field, .constant = 1.0 / rc + field * (rc * rc)};
}

typedef long double Function(const WaterFloatCoulomb *c, long double s);

/* Force over distance of unit charges, at squared distance s. */
static long double force(const WaterFloatCoulomb *c, long double s)
{
  const long double r = sqrtl(s), beta = c->beta;
  return (erfcl(beta * r) / r + 2.0L * beta / sqrtl(pi) * expl(-beta * beta * s)) / s - 2.0L * c->field;
}

static long double energy(const WaterFloatCoulomb *c, long double s)
{
  return erfcl(c->beta * sqrtl(s)) / sqrtl(s) + c->field * s - c->constant;
}

/* c = the polynomial in (s - origin)*scale that agrees with f at the Chebyshev points of (low, high). */
static void fit(Function *f, const WaterFloatCoulomb *coulomb, long double low, long double high,
                long double origin, long double scale, int degree, long double *c)
{
  long double x[DEGREE_MAX + 1], d[DEGREE_MAX + 1];
  for (int k = 0; k <= degree; k++) {
    const long double s = 0.5L * (low + high) + 0.5L * (high - low) * cosl(pi * (k + 0.5L) / (degree + 1));
    x[k] = (s - origin) * scale;
    d[k] = f(coulomb, s);
  }
  for (int m = 1; m <= degree; m++) /* divided differences */
    for (int k = degree; k >= m; k--)
      d[k] = (d[k] - d[k - 1]) / (x[k] - x[k - m]);
  for (int k = 0; k <= degree; k++)
    c[k] = 0.0L;
  for (int k = degree; k >= 0; k--) { /* expands Newton's form: c = c*(x - x[k]) + d[k] */
    for (int m = degree; m > 0; m--)
      c[m] = c[m - 1] - x[k] * c[m];
    c[0] = d[k] - x[k] * c[0];
  }
}

/* Interval k, of 2^bits in an octave, of f as a function of s in `unit`^2. */
static void fit_floats(Function *f, const WaterFloatCoulomb *coulomb, double unit, int k, int bits,
                       int degree, long double *c)
{
  const long double square = (long double)unit * (long double)unit;
  const int e = k >> bits, q = k & ((1 << bits) - 1);
  const long double width = ldexpl(2.0L * square, e - bits);
  const long double begin = ldexpl(2.0L * square, e) + q * width;
  fit(f, coulomb, begin, begin + width, 0.0L, 1.0L / square, degree, c);
}

/* `factor` times f. */
static void fill_floats(Function *f, const WaterFloatCoulomb *coulomb, double unit, double factor,
                        WaterFloatTable *table)
{
  long double c[DEGREE_MAX + 1];
  for (int k = 0; k < WATER_FLOAT_COARSE; k++) {
    fit_floats(f, coulomb, unit, k, WATER_FLOAT_COARSE_BITS, WATER_FLOAT_DEGREE, c);
    for (int m = 0; m <= WATER_FLOAT_DEGREE; m++)
      table->coarse[m][k] = (float)(factor * (double)c[m]);
  }
  for (int k = 0; k < WATER_FLOAT_FINE; k++) {
    fit_floats(f, coulomb, unit, k, WATER_FLOAT_FINE_BITS, WATER_FLOAT_FINE_DEGREE, c);
    for (int m = 0; m <= WATER_FLOAT_FINE_DEGREE; m++)
      table->fine[k][m] = (float)(factor * (double)c[m]);
  }
}

static void fill_exact(Function *f, const WaterFloatCoulomb *coulomb, int octave, double *table)
{
  long double c[DEGREE_MAX + 1];
  for (int e = 0; e < WATER_FLOAT_EXACT_OCTAVES; e++)
    for (int q = 0; q < WATER_FLOAT_EXACT_STEPS; q++) {
      const long double width = ldexpl(1.0L / WATER_FLOAT_EXACT_STEPS, octave + e);
      const long double begin = ldexpl(1.0L, octave + e) + q * width;
      fit(f, coulomb, begin, begin + width, begin, 1.0L, WATER_FLOAT_EXACT_DEGREE, c);
      /* The exponent stored in a double is 1023 more. */
      const size_t at = (size_t)((octave + e + 1023) * WATER_FLOAT_EXACT_STEPS + q) % WATER_FLOAT_EXACT_ROWS;
      double *const row = table + at * WATER_FLOAT_EXACT_STRIDE;
      for (int k = 0; k < WATER_FLOAT_EXACT_STRIDE; k++)
        row[k] = k <= WATER_FLOAT_EXACT_DEGREE ? (double)c[k] : 0.0;
    }
}

Status water_float_table_exact(WaterFloatExact *tables, const WaterFloatCoulomb *coulomb, double longest,
                               Error *error)
{
  *tables = (WaterFloatExact){0};
  int end;
  (void)frexp(longest * longest, &end); /* longest^2 < 2^end */
  tables->force = water_float_zeros(WATER_FLOAT_EXACT_ROWS, WATER_FLOAT_EXACT_STRIDE * sizeof(double), 1);
  tables->energy = water_float_zeros(WATER_FLOAT_EXACT_ROWS, WATER_FLOAT_EXACT_STRIDE * sizeof(double), 1);
  TRY_MEMORY(tables->force != NULL && tables->energy != NULL, "the tables of pair forces", error);
  tables->low = ldexp(1.0, end - WATER_FLOAT_EXACT_OCTAVES);
  fill_exact(force, coulomb, end - WATER_FLOAT_EXACT_OCTAVES, tables->force);
  fill_exact(energy, coulomb, end - WATER_FLOAT_EXACT_OCTAVES, tables->energy);
  return STATUS_OK;
}

void water_float_table_exact_free(WaterFloatExact *tables)
{
  free(tables->force);
  free(tables->energy);
  *tables = (WaterFloatExact){0};
}

void water_float_table_fill(WaterFloatTables *tables, const WaterFloatCoulomb *coulomb, double unit,
                            double qq)
{
  fill_floats(force, coulomb, unit, qq * unit * (1 << WATER_FLOAT_FORCE_BITS), &tables->force);
  fill_floats(energy, coulomb, unit, qq * (1 << WATER_FLOAT_ENERGY_BITS), &tables->energy);
}
