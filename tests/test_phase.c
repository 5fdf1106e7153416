/* Laws of the base methods on general Hamiltonians, and of natural kinds seen as such. */
#include "tests/phase_systems.h"
#include "tests/suite.h"

static const double anywhere[4] = {0.3, -0.5, 0.4, 0.2};

/* The methods of `bases`. */
static const Method *const methods[] = {&method_symplectic_euler, &method_stormer_verlet, &method_midpoint};

TEST(base_orders, .rows = BASES)
{
  double z[PHASE] = {0};
  memcpy(z, anywhere, sizeof anywhere);
  Runner *r = runner_open(&unconstrained, methods[_i], NULL, 0.1);
  Runner *fine = runner_open(&unconstrained, &method_midpoint, NULL, 0.1);
  const double order = order_of(r, fine, z, 4096);
  ck_assert_msg(fabs(order - r->method->order) < 0.15, "%s: order %.3f", bases[_i], order);
  runner_close(r);
  runner_close(fine);
}

/* The tangent map that Newton's method uses is the derivative, and it is symplectic. */
TEST(base_tangent_is_symplectic, .rows = BASES)
{
  double memory[1024], tangent[16] = {0};
  ck_assert_uint_le(geometric_work_size(2, 4), 1024);
  GeometricWork work = geometric_work_view(memory, 2, 4);
  const GeometricBase *base = geometric_base_find(bases[_i]);
  double z[4];
  memcpy(z, anywhere, sizeof z);
  for (int i = 0; i < 4; i++)
    tangent[5 * i] = 1.0;
  ck_assert_int_eq(geometric_base_step(base, &unconstrained, 0.2, z, 4, tangent, &work), 1);
  for (int i = 0; i < 4; i++) {
    double ahead[4], back[4];
    memcpy(ahead, anywhere, sizeof ahead);
    memcpy(back, anywhere, sizeof back);
    ahead[i] += 1e-5;
    back[i] -= 1e-5;
    ck_assert_int_eq(geometric_base_step(base, &unconstrained, 0.2, ahead, 0, NULL, &work), 1);
    ck_assert_int_eq(geometric_base_step(base, &unconstrained, 0.2, back, 0, NULL, &work), 1);
    for (int k = 0; k < 4; k++)
      ck_assert_double_eq_tol((ahead[k] - back[k]) / 2e-5, tangent[4 * i + k], 1e-9);
    for (int j = 0; j < 4; j++)
      ck_assert_double_eq_tol(phase_form(2, tangent + 4 * i, tangent + 4 * j), (j == i + 2) - (i == j + 2),
                              1e-14);
  }
  /* Symmetric ones come back. */
  if (base->symmetric) {
    ck_assert_int_eq(geometric_base_step(base, &unconstrained, -0.2, z, 0, NULL, &work), 1);
    ck_assert_double_lt(distance(4, z, anywhere), 1e-14);
  }
}

/* A natural kind's H, with a penalty too: derivatives against differences, value against the kind's own. */
static const double two_masses[2] = {1.0, 2.5};
static const Constraint two_rods[2] = {{&constraint_anchor, 1, {0}, {1.0, 0.1, 0.2}, NULL},
                                       {&constraint_distance, 2, {0, 1}, {1.5}, NULL}};
static const Potential two_forces[2] = {{&potential_field, 1, {1}, {0.0, 0.3, -1.0}, NULL},
                                        {&potential_spring, 2, {0, 1}, {2.0, 0.0, 0.0, 0.0, 1.1}, NULL}};
static const Kind double_pendulum = {.name = "double pendulum",
                                     .nsite = 2,
                                     .dim = 2,
                                     .ncon = 2,
                                     .mass = two_masses,
                                     .site = phase_site,
                                     .con = two_rods,
                                     .reference = phase_zeros,
                                     .npot = 2,
                                     .pot = two_forces};

static void check_derivatives(const PhaseFunction *f, int size, const double *at)
{
  double gradient[8], hessian[64], z[8], ahead[8], back[8];
  f->gradient(f->self, at, gradient);
  f->hessian(f->self, at, hessian);
  for (int i = 0; i < size; i++) {
    memcpy(z, at, sizeof z);
    z[i] = at[i] + 1e-5;
    const double up = f->value(f->self, z);
    f->gradient(f->self, z, ahead);
    z[i] = at[i] - 1e-5;
    ck_assert_double_eq_tol((up - f->value(f->self, z)) / 2e-5, gradient[i], 1e-8);
    f->gradient(f->self, z, back);
    for (int j = 0; j < size; j++)
      ck_assert_double_eq_tol((ahead[j] - back[j]) / 2e-5, hessian[i * size + j], 1e-8);
  }
}

TEST(natural_kinds)
{
  const double z[8] = {0.9, -0.3, 1.7, -1.2, 0.3, 0.4, -0.6, 0.2}, w = 3.0;
  Hamiltonian *ham, *stiff;
  ck_assert_int_eq(geometric_kind_create(&ham, &double_pendulum, 0.0, NULL), STATUS_OK);
  ck_assert_int_eq(geometric_kind_create(&stiff, &double_pendulum, w, NULL), STATUS_OK);
  ck_assert_int_eq(ham->ncon, 2);
  ck_assert_int_eq(stiff->ncon, 0);
  check_derivatives(&ham->energy, 8, z);
  check_derivatives(&stiff->energy, 8, z);
  double penalty = 0.0;
  for (int c = 0; c < 2; c++) {
    const double g = ham->con[c].value(ham->con[c].self, z);
    check_derivatives(&ham->con[c], 8, z);
    penalty += 0.5 * w * w * g * g;
  }
  ck_assert_double_eq_tol(stiff->energy.value(stiff->energy.self, z) - ham->energy.value(ham->energy.self, z),
                          penalty, 1e-12);
  geometric_kind_free(ham);
  geometric_kind_free(stiff);
}
