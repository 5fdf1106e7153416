/* Flows along the fibres: exp(sum_i s_i X_gi). The exponential is that of the sum, not a product of
 * exponentials, which would parametrise the fibre differently where the fields do not commute off M. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

#include "integrators/geometric.h"

typedef struct Field {
  const Hamiltonian *ham;
  const double *s;
  double *gradient; /* [2n] of one constraint, then of the sum */
  double *sum;
} Field;

/* y = J sum_i s_i grad g_i(z). */
static void field_value(const Field *field, const double *z, double *y)
{
  const Hamiltonian *ham = field->ham;
  memset(field->sum, 0, 2 * (size_t)ham->n * sizeof *field->sum);
  for (int i = 0; i < ham->ncon; i++) {
    ham->con[i].gradient(ham->con[i].self, z, field->gradient);
    for (int k = 0; k < 2 * ham->n; k++)
      field->sum[k] += field->s[i] * field->gradient[k];
  }
  geometric_work_turn(ham->n, field->sum, y);
}

static int all_of(const Hamiltonian *ham, ConstraintFlow flow)
{
  for (int i = 0; i < ham->ncon; i++)
    if (ham->flow[i] != flow)
      return 0;
  return 1;
}

static int all_finite(const double *z, int n)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(z[i]))
      return 0;
  return 1;
}

/* z' = A z + b: Taylor's series of the exponential on the one vector that is wanted, over parts so short that
 * it converges without cancellation. */
static int flow_linear(const Field *field, double *z, GeometricWork *work)
{
  const Hamiltonian *ham = field->ham;
  const int n = 2 * ham->n;
  memset(work->lu, 0, (size_t)(n * n) * sizeof *work->lu);
  for (int i = 0; i < ham->ncon; i++) {
    ham->con[i].hessian(ham->con[i].self, z, work->hess);
    for (int k = 0; k < n * n; k++)
      work->lu[k] += field->s[i] * work->hess[k];
  }
  double norm = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++)
      sum += fabs(work->lu[i * n + j]);
    norm = fmax(norm, sum);
  }
  if (!(norm < 1e4))
    return 0;
  const int parts = 1 + (int)(2.0 * norm);
  double *term = work->c, *product = work->d;
  for (int part = 0; part < parts; part++) {
    field_value(field, z, term);
    for (int k = 1; k < 30; k++) {
      double change = 0.0, size = 0.0;
      for (int i = 0; i < n; i++) {
        term[i] /= (double)parts * k;
        z[i] += term[i];
        change = fmax(change, fabs(term[i]));
        size = fmax(size, fabs(z[i]));
      }
      if (change <= 1e-18 * size)
        break;
      for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
          sum += work->lu[i * n + j] * term[j];
        product[i] = sum;
      }
      geometric_work_turn(ham->n, product, term);
    }
  }
  return all_finite(z, n);
}

static int field_ode(double t, const double *z, double *y, void *self)
{
  (void)t;
  const Field *field = self;
  field_value(field, z, y);
  return all_finite(y, 2 * field->ham->n) ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int flow_numerical(Field *field, double *z)
{
  gsl_odeiv2_system ode = {field_ode, NULL, 2 * (size_t)field->ham->n, field};
  double size = 0.0;
  for (int i = 0; i < 2 * field->ham->n; i++)
    size = fmax(size, fabs(z[i]));
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, 0.125, 1e-15 * size, 1e-15);
  if (driver == NULL)
    return 0;
  gsl_odeiv2_driver_set_nmax(driver, 100000);
  double t = 0.0;
  const int status = gsl_odeiv2_driver_apply(driver, &t, 1.0, z);
  gsl_odeiv2_driver_free(driver);
  return status == GSL_SUCCESS && all_finite(z, 2 * field->ham->n);
}

int geometric_flow(const Hamiltonian *ham, const double *s, double *z, GeometricWork *work)
{
  Field field = {ham, s, work->a, work->b};
  int still = 1;
  for (int i = 0; i < ham->ncon; i++) {
    if (!isfinite(s[i]))
      return 0;
    still = still && s[i] == 0.0;
  }
  if (still)
    return 1;
  if (all_of(ham, FLOW_SHIFT)) {
    field_value(&field, z, work->c);
    for (int i = 0; i < ham->n; i++)
      z[ham->n + i] += work->c[ham->n + i];
    return all_finite(z, 2 * ham->n);
  }
  return all_of(ham, FLOW_LINEAR) ? flow_linear(&field, z, work) : flow_numerical(&field, z);
}
