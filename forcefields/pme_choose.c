#include "forcefields/pme_choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/pme_private.h"

/* Sites per cubic A whose charges, spread evenly, cause as much of the mesh's error on a site as its own
 * molecule. */
static const double near_density = 0.06;

/* For pme_choose_errors, A. */
static const double energy_length = 0.0046, pressure_length = 0.0086, sites_length = 0.017;

/* The missing fraction of the mean beyond the cutoff. */
static double uneven(double cutoff) { return 0.14 * pow(fmax(1.0, 9.0 / cutoff), 3.0); }

/* Largest fractions of the two parts in the error of the pressure; both may have the same sign. */
static const double real_share = 0.85, mesh_share = 0.45;

/* --- errors --------------------------------------------------------------------------------------------- */

static double volume(const PmeWish *w) { return box_volume(w->box); }

double pme_choose_real_error(const PmeWish *w, double beta, double cutoff)
{
  const double kolafa_perram = 2.0 * UNITS_COULOMB * w->charge2 * exp(-beta * beta * cutoff * cutoff) /
                               sqrt(w->nsite * cutoff * volume(w));
  return kolafa_perram * (w->by_molecule ? 0.088 * exp(2.0 * 1.57 * beta * beta * cutoff) : 0.73);
}

/* Error of forces, kcal/mol/A, as if the box were rectangular with the spacing x/beta. */
static double mesh_error(const PmeWish *w, double beta, int order, double x)
{
  static const double fit[3][3] = {{0.00227, 4.26, 0.58}, {0.00101, 5.14, 0.82}, {0.00049, 6.20, 1.01}};
  const double *k = fit[order - 4];
  const double spread = w->charge2 * sqrt(beta / (w->nsite * volume(w))),
               near = sqrt(w->charge4 / w->nsite * near_density * beta);
  return UNITS_COULOMB * fmax(spread, near) * k[0] * pow(x, order - 1) * exp(k[1] * x) *
         pow(beta / 0.35, k[2]);
}

/* Error of the pressure, bar: means of waters change sign on coarse meshes. */
static double mesh_pressure(const PmeWish *w, double beta, int order, double x)
{
  static const double coarse[3] = {0.5, 1.0, 2.0};
  const double steep = coarse[order - 4] * pow(beta / 0.36, 6.0) * 4.0 * x * x;
  return UNITS_BAR * pressure_length * w->nsite / volume(w) * mesh_error(w, beta, order, x) *
         fmax(1.0, steep);
}

/* Forces are gradients along edges by reciprocal vectors, which in oblique boxes are longer than one over an
 * edge; 1 in rectangular boxes. */
static double steepness(const Box *box, int d) { return box_edge(box, d) / box_height(box, d); }

typedef double MeshError(const PmeWish *w, double beta, int order, double x);

static double mean_of_sides(MeshError *of, const PmeWish *w, double beta, int order, const int grid[3])
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) {
    const double e = steepness(w->box, d) * of(w, beta, order, beta * box_edge(w->box, d) / grid[d]);
    sum += e * e / 3.0;
  }
  return sqrt(sum);
}

double pme_choose_mesh_error(const PmeWish *w, double beta, int order, const int grid[3])
{
  return mean_of_sides(mesh_error, w, beta, order, grid);
}

double pme_choose_mesh_pressure(const PmeWish *w, double beta, int order, const int grid[3])
{
  return mean_of_sides(mesh_pressure, w, beta, order, grid);
}

/* The mean of molecules beyond the cutoff, to second order in their size: energy and pressure times volume,
 * kcal/mol. */
static void real_beyond(const PmeWish *w, double beta, double cutoff, double *energy, double *pressure)
{
  const double x = beta * beta * cutoff * cutoff, density = w->spread / volume(w);
  *energy = 16.0 * sqrt(M_PI) * UNITS_COULOMB * density * density * volume(w) * pow(beta, 5.0) *
            pow(cutoff, 3.0) * exp(-x);
  *pressure = *energy * (w->switched ? 1.0 : 2.0 / 3.0 * x);
}

/* Errors of the real part: pressure times volume and energy, kcal/mol; `force`: that of forces. */
static void real_means(const PmeWish *w, double beta, double cutoff, double force, double *energy,
                       double *pressure)
{
  *energy = energy_length * w->nsite * force;
  *pressure = sites_length * w->nsite * force;
  if (w->by_molecule) {
    real_beyond(w, beta, cutoff, energy, pressure);
    *energy *= uneven(cutoff);
    *pressure *= uneven(cutoff);
  }
}

void pme_choose_errors(const PmeWish *w, PmeChoice *c)
{
  double energy, pressure;
  c->real = pme_choose_real_error(w, c->beta, c->cutoff);
  c->mesh = pme_choose_mesh_error(w, c->beta, c->order, c->grid);
  real_means(w, c->beta, c->cutoff, c->real, &energy, &pressure);
  c->energy = hypot(energy, energy_length * w->nsite * c->mesh);
  c->pressure =
      hypot(UNITS_BAR / volume(w) * pressure, pme_choose_mesh_pressure(w, c->beta, c->order, c->grid));
}

/* --- costs, ns of one core with AVX-512 and floats: only ratios matter ---------------------------------- */

/* Cost of a point in the transforms of one direction, forward and back, within a fifth of measurements at 20
 * to 112 points a side. Rows are padded to whole registers; moving them costs as much as four passes. */
static double transform_cost(int n)
{
  enum { REGISTER = 16 };
  const int filled = (n + REGISTER - 1) / REGISTER * REGISTER;
  return (double)filled / n * (0.34 + 0.088 * pme_fft_passes(n));
}

/* For each charge: sorting, spreading, gathering and conversions; for each point: adding patches and cache
 * misses. Pairs cost the same for any mesh. */
static double cost(const PmeWish *w, const PmeChoice *c)
{
  static const double site[3] = {26.0, 34.0, 41.0}, point[3] = {1.0, 1.0, 1.4};
  double points = 1.0, each = point[c->order - 4];
  for (int d = 0; d < 3; d++) {
    points *= c->grid[d];
    each += transform_cost(c->grid[d]);
  }
  return w->nsite * site[c->order - 4] + points * each;
}

static bool has_butterflies(int n)
{
  for (int p = 2; p <= 7; p++)
    while (n % p == 0)
      n /= p;
  return n == 1;
}

/* The cheapest side of at least `least` points, as one of three equal sides; 0: no side. It is even, since
 * two planes or rows of reals form one of complexes. */
static int side_from(double least)
{
  int best = 0;
  double lowest = INFINITY;
  if (least > PME_GRID_MAX)
    return 0;
  const int first = 2 * (int)ceil(fmax(least, 8.0) / 2.0);
  for (int n = first; n <= PME_GRID_MAX && n <= 2 * first; n += 2) {
    const double cubed = pow(n, 3.0) * (1.0 + 3.0 * transform_cost(n));
    if (has_butterflies(n) && cubed < lowest) {
      lowest = cubed;
      best = n;
    }
  }
  return best;
}

/* --- choice --------------------------------------------------------------------------------------------- */

enum { ORDER_LEAST = 4 };

static int first_order(const PmeWish *w) { return w->order == 0 ? ORDER_LEAST : w->order; }

static int last_order(const PmeWish *w) { return w->order == 0 ? PME_ORDER_MAX : w->order; }

static bool too_small(const PmeWish *w, double beta, double cutoff, double error)
{
  double energy, pressure;
  const double force = pme_choose_real_error(w, beta, cutoff);
  real_means(w, beta, cutoff, force, &energy, &pressure);
  /* Below some beta the pressure's error falls with it, while that of forces is far too large. */
  return force > error || (w->pressure > 0.0 && UNITS_BAR / volume(w) * pressure > real_share * w->pressure);
}

static double find_beta(const PmeWish *w, double error)
{
  double low = 0.01, high = 3.0;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (too_small(w, middle, w->cutoff, error))
      low = middle;
    else
      high = middle;
  }
  return high;
}

static bool find_grid(const PmeWish *w, PmeChoice *c, double error)
{
  double low = 1e-3, high = 2.0, most = 1.0;
  for (int d = 0; d < 3; d++)
    most = fmax(most, steepness(w->box, d));
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (most * mesh_error(w, c->beta, c->order, middle) > error ||
        (w->pressure > 0.0 && most * mesh_pressure(w, c->beta, c->order, middle) > mesh_share * w->pressure))
      high = middle;
    else
      low = middle;
  }
  for (int d = 0; d < 3; d++) {
    c->grid[d] = side_from(c->beta * box_edge(w->box, d) / low);
    if (c->grid[d] == 0)
      return false;
  }
  return true;
}

/* The best mesh for one beta over all orders, with a fraction `left` of the squared error. Half the error is
 * worth 3.4 % more time, within the accuracy of the costs. */
static void try_beta(const PmeWish *w, double beta, double left, PmeChoice *best, double *least)
{
  PmeChoice c = {.cutoff = w->cutoff, .beta = beta};
  for (c.order = first_order(w); c.order <= last_order(w); c.order++) {
    if (!find_grid(w, &c, w->error * sqrt(left)))
      continue;
    pme_choose_errors(w, &c);
    const double time = cost(w, &c) * pow(hypot(c.real, c.mesh) / w->error, 0.05);
    if (time < *least) {
      *least = time;
      *best = c;
    }
  }
}

static bool choose_grid(const PmeWish *w, PmeChoice *best)
{
  double least = INFINITY;
  if (w->beta != 0.0) { /* the rest after the real part, or at least a quarter */
    const double real = pme_choose_real_error(w, w->beta, w->cutoff) / w->error;
    try_beta(w, w->beta, fmax(0.25, 1.0 - real * real), best, &least);
  }
  for (int share = 1; share < 20 && w->beta == 0.0; share++)
    try_beta(w, find_beta(w, w->error * sqrt(0.05 * share)), 1.0 - 0.05 * share, best, &least);
  return isfinite(least);
}

/* The largest ratio of expected to requested errors; above 1 if a request is not fulfilled. */
static double excess_of(const PmeWish *w, PmeChoice *c)
{
  pme_choose_errors(w, c);
  return fmax(hypot(c->real, c->mesh) / w->error, w->pressure > 0.0 ? c->pressure / w->pressure : 0.0);
}

/* beta of the least total error: the real part falls with beta, the mesh part grows. */
static double best_beta(const PmeWish *w, PmeChoice c)
{
  double best = INFINITY, beta = 0.0;
  for (c.beta = 0.05; c.beta < 1.5; c.beta *= 1.01) {
    const double excess = excess_of(w, &c);
    if (excess < best) {
      best = excess;
      beta = c.beta;
    }
  }
  return beta;
}

/* For a given mesh: the lowest order that is accurate enough, else the best. */
static bool choose_order(const PmeWish *w, PmeChoice *best)
{
  double least = INFINITY;
  for (int order = first_order(w); order <= last_order(w) && least > 1.0; order++) {
    PmeChoice c = {.cutoff = w->cutoff, .beta = w->beta, .order = order};
    memcpy(c.grid, w->grid, sizeof c.grid);
    if (c.beta == 0.0)
      c.beta = best_beta(w, c);
    const double excess = excess_of(w, &c);
    if (excess < least) {
      least = excess;
      *best = c;
    }
  }
  return isfinite(least);
}

static Status check(const PmeWish *w, Error *error)
{
  const double half = 0.5 * box_shortest(w->box);
  for (int d = 0; d < 3; d++)
    if (!(box_length(w->box, d) > 0.0) || !isfinite(box_length(w->box, d)))
      return error_set(error, STATUS_INPUT, "side %d of the box is %g A; an Ewald sum needs a periodic box",
                       d + 1, box_length(w->box, d));
  if (!(w->error > 0.0) || !isfinite(w->error))
    return error_input(error, "accuracy", "the requested force error is %g kcal/mol/A; it must be positive",
                       w->error);
  if (w->nsite < 1 || !(w->charge2 > 0.0) || !isfinite(w->charge2))
    return error_set(error, STATUS_INPUT, "no mesh can be chosen for %d charges whose squares sum to %g",
                     w->nsite, w->charge2);
  if (!(w->beta >= 0.0 && isfinite(w->beta)) ||
      (w->order != 0 && (w->order < ORDER_LEAST || w->order > PME_ORDER_MAX)))
    return error_input(error, w->order != 0 ? "order" : "beta",
                       "beta is %g/A and the splines have order %d; beta must be positive, and the mesh "
                       "supports orders %d to %d",
                       w->beta, w->order, ORDER_LEAST, PME_ORDER_MAX);
  if ((w->grid[0] != 0 || w->grid[1] != 0 || w->grid[2] != 0) &&
      (w->grid[0] < 8 || w->grid[1] < 8 || w->grid[2] < 8))
    return error_input(error, "grid",
                       "the mesh has %d x %d x %d points; all three must be at least 8, or none be given",
                       w->grid[0], w->grid[1], w->grid[2]);
  const double least = w->grid[0] != 0 || w->beta != 0.0 ? 0.0 : 4.0; /* the range of the error fits */
  if (!(w->cutoff > 0.0 && w->cutoff >= least && w->cutoff <= half))
    return error_input(error, "cutoff",
                       "the cutoff is %g A; it must be from %g A to half the shortest side, %g A", w->cutoff,
                       least, half);
  return STATUS_OK;
}

Status pme_choose(const PmeWish *w, PmeChoice *choice, Error *error)
{
  char with[64] = "";
  PmeWish open = *w;
  TRY(check(w, error));
  if (w->grid[0] != 0 ? choose_order(w, choice) : choose_grid(w, choice))
    return STATUS_OK;
  if (w->beta != 0.0)
    snprintf(with, sizeof with, " with beta %g/A", w->beta);
  memset(open.grid, 0, sizeof open.grid);
  open.beta = 0.0;
  const double side = fmax(box_edge(w->box, 0), fmax(box_edge(w->box, 1), box_edge(w->box, 2)));
  const bool other =
      (w->beta != 0.0 || w->grid[0] != 0) && check(&open, NULL) == STATUS_OK && choose_grid(&open, choice);
  return error_input(error,
                     !other            ? "accuracy"
                     : w->grid[0] != 0 ? "grid"
                                       : "beta",
                     "no mesh of up to %d points a side, %.3g A apart in this box, reaches a force error of "
                     "%g kcal/mol/A%s; %s",
                     PME_GRID_MAX, side / PME_GRID_MAX, w->error, with,
                     other
                         ? "allow a larger error, or omit beta and mesh to have them chosen"
                         : "the box is too large: allow a larger error, raise the cutoff, or reduce the box");
}
