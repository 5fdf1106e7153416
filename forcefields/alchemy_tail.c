/* Lennard-Jones of a solute beyond the cutoff, for a uniform density of other molecules, at any strength.
 *
 * At strength l a pair interacts by l V(R), R^6 = w + r^6 with w = alpha sigma^6 (1 - l)^power, where V ends
 * at R = rc. With D(R) the part of r^-n that truncation removes, the tail needs
 *
 *   int r^2 D dr = int R^5/sqrt(R^6 - w) D dR = sum_k b_k w^k int R^(2 - 6k) D dR,
 *
 * b_k the coefficients of (1 - x)^(-1/2). The moments of D do not depend on l. A constant that truncation
 * subtracts at every distance up to R = rc adds itself times sqrt(rc^6 - w)/3. */
#include <math.h>

#include "forcefields/alchemy_private.h"

/* int over the switching range of R^power times the part of R^-n that truncation removes there, by Simpson's
 * rule. */
static double switched(const LjCut *cut, const LjBend *bend, int n, int power)
{
  enum { PARTS = 2000 };
  const double width = cut->cutoff - cut->from;
  double sum = 0.0;
  for (int i = 0; i <= PARTS && truncation_switches(cut->truncation); i++) {
    const double t = (double)i / PARTS, x = width * t, r = cut->from + x;
    const double lost = cut->truncation == TRUNCATION_FORCE_SWITCH
                            ? x * x * x * (bend->a / 3.0 + bend->b / 4.0 * x)
                            : (1.0 - lj_switch_factor(t)) * pow(r, -n);
    sum += (i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * lost * pow(r, power);
  }
  return sum * width / (3.0 * PARTS);
}

static void make_moments(const LjCut *cut, int n, double moment[ALCHEMY_MOMENTS], double *shift)
{
  const LjBend bend = nonbonded_bend(cut, n);
  *shift = cut->truncation == TRUNCATION_SHIFT ? pow(cut->cutoff, -n) : bend.shift;
  for (int k = 0; k < ALCHEMY_MOMENTS; k++)
    moment[k] = pow(cut->cutoff, 3 - n - 6 * k) / (n - 3 + 6 * k) + switched(cut, &bend, n, 2 - 6 * k);
}

static void add_pairs(Alchemy *y, int own, int other)
{
  const Atoms *const a = y->atoms;
  const double *const lj = a->lj[a->type[y->place[own].row] * a->ntype + other];
  if (a->number[other] == 0.0 || (lj[0] == 0.0 && lj[1] == 0.0))
    return;
  y->tail.pair[y->tail.npair++] =
      (AlchemyTailPair){4.0 * M_PI * a->number[other], lj[0], lj[1], alchemy_build_sigma6(&y->input, lj)};
}

Status alchemy_tail_make(Alchemy *y, Error *error)
{
  const LjCut cut = nonbonded_lj_cut(&y->nonbonded);
  const double inner = pow(truncation_switches(cut.truncation) ? cut.from : cut.cutoff, 6.0);
  y->tail.pair =
      arena_take(&y->arena, (size_t)(y->model.nsolute * y->atoms->ntype) + 1, sizeof *y->tail.pair);
  TRY(arena_check(&y->arena, "the tail of a solute", error));
  for (int i = 0; i < y->model.nsolute; i++)
    for (int t = 0; t < y->atoms->ntype; t++)
      add_pairs(y, i, t);
  for (int i = 0; i < y->tail.npair; i++)
    if (!(y->input.alpha * y->tail.pair[i].sigma6 < 0.25 * inner))
      return error_input(
          error, "cutoff",
          "the soft core of a solute with sigma = %.3g A reaches the cutoff of %g A: enlarge the "
          "cutoff, or reduce alchemy.soft_alpha (%g)",
          pow(y->tail.pair[i].sigma6, 1.0 / 6.0), cut.cutoff, y->input.alpha);
  make_moments(&cut, 12, y->tail.twelve, &y->tail.shift[0]);
  make_moments(&cut, 6, y->tail.six, &y->tail.shift[1]);
  if (!y->nonbonded.tail)
    y->tail.npair = 0;
  return STATUS_OK;
}

/* The integral of r^2 D for a pair, D without its strength, and its derivative by w. */
static double integral(const AlchemyTail *tail, const AlchemyTailPair *p, double rc6, double w, double *by_w)
{
  double sum = 0.0, slope = 0.0, b = 1.0, power = 1.0, before = 0.0;
  for (int k = 0; k < ALCHEMY_MOMENTS; k++) {
    const double moment = p->a * tail->twelve[k] - p->c * tail->six[k];
    sum += b * power * moment;
    slope += k * b * before * moment;
    before = power;
    power *= w;
    b *= (k + 0.5) / (k + 1.0);
  }
  const double constant = p->a * tail->shift[0] - p->c * tail->shift[1], root = sqrt(rc6 - w);
  *by_w = slope - constant / (6.0 * root);
  return sum + constant * root / 3.0;
}

AlchemyTailSums alchemy_tail(const Alchemy *y, double l)
{
  AlchemyTailSums sums = {0.0, 0.0, 0.0};
  const double rest = 1.0 - l, rc6 = y->model.cutoff6;
  for (int i = 0; i < y->tail.npair; i++) {
    const AlchemyTailPair *const p = &y->tail.pair[i];
    const double scale = y->input.alpha * p->sigma6, w = scale * pow(rest, y->input.power),
                 by_l = -scale * y->input.power * pow(rest, y->input.power - 1),
                 pairs = p->pairs / box_volume(y->box);
    double by_w;
    const double energy = integral(&y->tail, p, rc6, w, &by_w);
    /* by parts; a plain end has a jump, without a force */
    const double jump =
        y->nonbonded.truncation == TRUNCATION_PLAIN ? sqrt(rc6 - w) * (p->a / (rc6 * rc6) - p->c / rc6) : 0.0;
    sums.energy += pairs * l * energy;
    sums.slope += pairs * (energy + l * by_w * by_l);
    sums.virial += pairs * l * (energy + jump / 3.0);
  }
  return sums;
}
