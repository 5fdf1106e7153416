/* A periodic box of TIP3P water as a liquid, by Monte Carlo: random waters would have three times the fields.
 */
#ifndef HOLONOM_TESTS_WATER_BOX_H
#define HOLONOM_TESTS_WATER_BOX_H

#include <math.h>

#include "engine/random.h"
#include "engine/units.h"

enum { BOX_ROW = 6, BOX_NMOL = BOX_ROW * BOX_ROW * BOX_ROW, BOX_N = 3 * BOX_NMOL };
static const double box_side = 18.64, box_reach = 9.0;

typedef struct WaterBox {
  double x[3][BOX_N], charge[BOX_N];
} WaterBox;

/* Of molecule m at x[9] with all others: Lennard-Jones, Coulomb with shifted force. */
static double water_box_energy(const WaterBox *w, int m, const double *x)
{
  const double rc = box_reach;
  double e = 0.0;
  for (int n = 0; n < BOX_NMOL; n++) {
    double shift[3], o2 = 0.0;
    for (int d = 0; d < 3; d++) {
      const double r = x[d] - w->x[d][3 * n];
      shift[d] = -box_side * rint(r / box_side);
      o2 += (r + shift[d]) * (r + shift[d]);
    }
    if (n == m || o2 > rc * rc)
      continue;
    const double i6 = 1.0 / (o2 * o2 * o2);
    e += (582000.0 * i6 - 595.0) * i6;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        double r2 = 0.0;
        for (int d = 0; d < 3; d++) {
          const double r = x[3 * a + d] - w->x[d][3 * n + b] + shift[d];
          r2 += r * r;
        }
        const double r = sqrt(r2);
        if (r < rc)
          e += UNITS_COULOMB * w->charge[a] * w->charge[b] * (1.0 / r - 2.0 / rc + r / (rc * rc));
      }
  }
  return e;
}

/* Moves x[9] by random shifts and a turn about a random axis, by Rodrigues' formula. */
static void water_box_try(RandomStream *s, double x[9])
{
  double axis[3], norm = 0.0, shift[3];
  for (int d = 0; d < 3; d++) {
    axis[d] = random_normal(s);
    norm += axis[d] * axis[d];
    shift[d] = 0.24 * (random_uniform(s) - 0.5);
  }
  const double angle = 0.6 * (random_uniform(s) - 0.5), c = cos(angle), si = sin(angle);
  for (int k = 1; k < 3; k++) {
    double v[3], dot = 0.0;
    for (int d = 0; d < 3; d++) {
      v[d] = x[3 * k + d] - x[d];
      axis[d] /= k == 1 ? sqrt(norm) : 1.0;
    }
    for (int d = 0; d < 3; d++)
      dot += axis[d] * v[d];
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      x[3 * k + d] = x[d] + v[d] * c + (axis[e] * v[f] - axis[f] * v[e]) * si + axis[d] * dot * (1.0 - c);
    }
  }
  for (int i = 0; i < 9; i++)
    x[i] += shift[i % 3];
}

static void water_box_make(WaterBox *w, int sweeps)
{
  RandomStream s = random_stream(11, 0, RANDOM_TEST);
  for (int m = 0; m < BOX_NMOL; m++) {
    const int at[3] = {m % BOX_ROW, m / BOX_ROW % BOX_ROW, m / BOX_ROW / BOX_ROW};
    double x[9];
    for (int d = 0; d < 3; d++) {
      x[d] = x[3 + d] = x[6 + d] = at[d] * box_side / BOX_ROW;
      x[3 + d] += d == 0 ? 0.9572 : 0.0;
      x[6 + d] += 0.9572 * (d == 0 ? cos(1.8242) : (d == 1 ? sin(1.8242) : 0.0));
    }
    for (int i = 0; i < 40; i++)
      water_box_try(&s, x);
    for (int k = 0; k < 9; k++)
      w->x[k % 3][3 * m + k / 3] = x[k] - (x[k % 3] - at[k % 3] * box_side / BOX_ROW);
    for (int k = 0; k < 3; k++)
      w->charge[3 * m + k] = k == 0 ? -0.834 : 0.417;
  }
  for (int i = 0; i < sweeps * BOX_NMOL; i++) {
    const int m = (int)random_below(&s, BOX_NMOL);
    double x[9], y[9];
    for (int k = 0; k < 9; k++)
      x[k] = y[k] = w->x[k % 3][3 * m + k / 3];
    water_box_try(&s, y);
    const double change = water_box_energy(w, m, y) - water_box_energy(w, m, x);
    if (change > 0.0 && random_uniform(&s) > exp(-change / (300.0 * UNITS_BOLTZMANN)))
      continue;
    for (int k = 0; k < 9; k++)
      w->x[k % 3][3 * m + k / 3] = y[k];
  }
}

#endif
