#include "forcefields/bulk.h"

#include <math.h>
#include <stdlib.h>

enum { DEGREE_MAX = BULK_EXACT_DEGREE };

static const long double pi = 3.14159265358979323846264338327950288L;

typedef long double Function(const BulkCoulomb *c, long double s);

/* Force over distance of unit charges, at squared distance s. */
static long double force(const BulkCoulomb *c, long double s)
{
  const long double r = sqrtl(s), beta = c->beta;
  return (erfcl(beta * r) / r + 2.0L * beta / sqrtl(pi) * expl(-beta * beta * s)) / s - 2.0L * c->field;
}

static long double energy(const BulkCoulomb *c, long double s)
{
  return erfcl(c->beta * sqrtl(s)) / sqrtl(s) + c->field * s - c->constant;
}

/* c = the polynomial in (s - origin)*scale that agrees with f at the Chebyshev points of (low, high). */
static void fit(Function *f, const BulkCoulomb *coulomb, long double low, long double high,
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
  for (int k = degree; k >= 0; k--) { /* Newton's form multiplied out: c = c*(x - x[k]) + d[k] */
    for (int m = degree; m > 0; m--)
      c[m] = c[m - 1] - x[k] * c[m];
    c[0] = d[k] - x[k] * c[0];
  }
}

/* Interval k, of 2^bits an octave, of f as a function of s in `unit`^2. */
static void fit_floats(Function *f, const BulkCoulomb *coulomb, double unit, int k, int bits, int degree,
                       long double *c)
{
  const long double square = (long double)unit * (long double)unit;
  const int e = k >> bits, q = k & ((1 << bits) - 1);
  const long double width = ldexpl(2.0L * square, e - bits);
  const long double begin = ldexpl(2.0L * square, e) + q * width;
  fit(f, coulomb, begin, begin + width, 0.0L, 1.0L / square, degree, c);
}

/* `factor` times f. */
static void fill_floats(Function *f, const BulkCoulomb *coulomb, double unit, double factor, BulkTable *table)
{
  long double c[DEGREE_MAX + 1];
  for (int k = 0; k < BULK_COARSE; k++) {
    fit_floats(f, coulomb, unit, k, BULK_COARSE_BITS, BULK_DEGREE, c);
    for (int m = 0; m <= BULK_DEGREE; m++)
      table->coarse[m][k] = (float)(factor * (double)c[m]);
  }
  for (int k = 0; k < BULK_FINE; k++) {
    fit_floats(f, coulomb, unit, k, BULK_FINE_BITS, BULK_FINE_DEGREE, c);
    for (int m = 0; m <= BULK_FINE_DEGREE; m++)
      table->fine[k][m] = (float)(factor * (double)c[m]);
  }
}

static void fill_exact(Function *f, const BulkCoulomb *coulomb, int octave, double *table)
{
  long double c[DEGREE_MAX + 1];
  for (int e = 0; e < BULK_EXACT_OCTAVES; e++)
    for (int q = 0; q < BULK_EXACT_STEPS; q++) {
      const long double width = ldexpl(1.0L / BULK_EXACT_STEPS, octave + e);
      const long double begin = ldexpl(1.0L, octave + e) + q * width;
      fit(f, coulomb, begin, begin + width, begin, 1.0L, BULK_EXACT_DEGREE, c);
      /* The exponent that a double holds is 1023 more. */
      const size_t at = (size_t)((octave + e + 1023) * BULK_EXACT_STEPS + q) % BULK_EXACT_ROWS;
      double *const row = table + at * BULK_EXACT_STRIDE;
      for (int k = 0; k < BULK_EXACT_STRIDE; k++)
        row[k] = k <= BULK_EXACT_DEGREE ? (double)c[k] : 0.0;
    }
}

Status bulk_table_exact(BulkExact *tables, const BulkCoulomb *coulomb, double longest, Error *error)
{
  *tables = (BulkExact){0};
  int end;
  (void)frexp(longest * longest, &end); /* longest^2 < 2^end */
  tables->force = bulk_zeros(BULK_EXACT_ROWS, BULK_EXACT_STRIDE * sizeof(double), 1);
  tables->energy = bulk_zeros(BULK_EXACT_ROWS, BULK_EXACT_STRIDE * sizeof(double), 1);
  TRY_MEMORY(tables->force != NULL && tables->energy != NULL, "the tables of pair forces", error);
  tables->low = ldexp(1.0, end - BULK_EXACT_OCTAVES);
  fill_exact(force, coulomb, end - BULK_EXACT_OCTAVES, tables->force);
  fill_exact(energy, coulomb, end - BULK_EXACT_OCTAVES, tables->energy);
  return STATUS_OK;
}

void bulk_table_exact_free(BulkExact *tables)
{
  free(tables->force);
  free(tables->energy);
  *tables = (BulkExact){0};
}

void bulk_table_fill(BulkTables *tables, double beta, double unit, double qq)
{
  const BulkCoulomb coulomb = {.beta = beta};
  fill_floats(force, &coulomb, unit, qq * unit * (1 << BULK_FORCE_BITS), &tables->force);
  fill_floats(energy, &coulomb, unit, qq * (1 << BULK_ENERGY_BITS), &tables->energy);
}
