/* Polyethylene of any length, as a chain or a ring of its carbons, with the text of its file. */
#ifndef HOLONOM_TESTS_POLYMERS_H
#define HOLONOM_TESTS_POLYMERS_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { POLYMER_CARBONS = 120, POLYMER_ATOMS = 3 * POLYMER_CARBONS + 2, POLYMER_TEXT = 1 << 17 };

#define POLYMER_CC 1.529
#define POLYMER_CH 1.09

typedef struct Polymer {
  int carbons, n, nbond;
  double x[POLYMER_ATOMS][3];
  int bond[POLYMER_ATOMS][2];
  char text[POLYMER_TEXT]; /* of the molecule in a file, its terms' lengths and angles those of alkanes */
} Polymer;

static inline void polymer_append(Polymer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void polymer_append(Polymer *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const size_t n = strlen(p->text);
  vsnprintf(p->text + n, sizeof p->text - n, format, args);
  va_end(args);
}

static inline void polymer_atom(Polymer *p, int carbon, const double at[3], const double way[3], double r)
{
  double square = 0.0;
  for (int d = 0; d < 3; d++)
    square += way[d] * way[d];
  for (int d = 0; d < 3; d++)
    p->x[p->n][d] = at[d] + r / sqrt(square) * way[d];
  p->bond[p->nbond][0] = carbon;
  p->bond[p->nbond++][1] = p->n++;
}

/* Two hydrogens of a carbon with the neighbours before and after: in the plane across, 109.47 degrees apart.
 */
static inline void polymer_hydrogens(Polymer *p, int carbon, const double before[3], const double after[3])
{
  const double *at = p->x[carbon], one = cos(54.7356 * M_PI / 180.0), two = sin(54.7356 * M_PI / 180.0);
  double a[3], b[3], out[3], normal[3], la = 0.0, lb = 0.0, lo = 0.0, ln = 0.0;
  for (int d = 0; d < 3; d++) {
    a[d] = before[d] - at[d];
    b[d] = after[d] - at[d];
    la += a[d] * a[d];
    lb += b[d] * b[d];
  }
  for (int d = 0; d < 3; d++)
    out[d] = -a[d] / sqrt(la) - b[d] / sqrt(lb);
  for (int d = 0; d < 3; d++)
    normal[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
  for (int d = 0; d < 3; d++) {
    lo += out[d] * out[d];
    ln += normal[d] * normal[d];
  }
  for (int k = -1; k < 2; k += 2) {
    double way[3];
    for (int d = 0; d < 3; d++)
      way[d] = one * out[d] / sqrt(lo) + k * two * normal[d] / sqrt(ln);
    polymer_atom(p, carbon, at, way, POLYMER_CH);
  }
}

/* The place of carbon i: of a zigzag with tetrahedral angles, or of a zigzag that is bent to a circle. */
static inline void polymer_carbon(const Polymer *p, bool ring, int i, double x[3])
{
  const double half = 0.5 * 109.4712206 * M_PI / 180.0, along = POLYMER_CC * sin(half),
               height = 0.5 * POLYMER_CC * cos(half) * (i % 2 == 0 ? 1.0 : -1.0);
  x[0] = along * i;
  x[1] = 0.0;
  x[2] = height;
  if (ring) {
    const double turn = 2.0 * M_PI / p->carbons, radius = 0.5 * along / sin(0.5 * turn);
    x[0] = radius * cos(turn * i);
    x[1] = radius * sin(turn * i);
  }
}

static inline double polymer_angle(const Polymer *p, int i, int k)
{
  return i < p->carbons && k < p->carbons ? 112.7 : i < p->carbons || k < p->carbons ? 110.7 : 107.8;
}

static inline void polymer_describe(Polymer *p, const char *name)
{
  polymer_append(p, "  %s:\n    atoms:\n", name);
  for (int i = 0; i < p->n; i++)
    polymer_append(p, "      - [%s, %s, 0, %s]\n", i < p->carbons ? "C" : "H", i < p->carbons ? "C" : "H",
                   i < p->carbons ? "12.011" : "1.008");
  polymer_append(p, "    terms:\n      bond:\n");
  for (int b = 0; b < p->nbond; b++)
    polymer_append(p, "        - [%d, %d, %g, 680]\n", p->bond[b][0] + 1, p->bond[b][1] + 1,
                   p->bond[b][1] < p->carbons ? POLYMER_CC : POLYMER_CH);
  polymer_append(p, "      angle:\n");
  for (int a = 0; a < p->nbond; a++)
    for (int b = 0; b < a; b++)
      for (int k = 0; k < 4; k++)
        if (p->bond[a][k / 2] == p->bond[b][k % 2]) {
          const int i = p->bond[a][1 - k / 2], j = p->bond[b][1 - k % 2];
          polymer_append(p, "        - [%d, %d, %d, %g, 80]\n", i + 1, p->bond[a][k / 2] + 1, j + 1,
                         polymer_angle(p, i, j));
        }
  polymer_append(p, "      torsion:\n");
  for (int i = 0; i + 3 < p->carbons; i++)
    polymer_append(p, "        - [%d, %d, %d, %d, 0, 1.4, 3]\n", i + 1, i + 2, i + 3, i + 4);
}

/* Carbons first, then the hydrogens of each. A ring needs an even number of carbons. */
static inline void polymer_make(Polymer *p, const char *name, int carbons, bool ring)
{
  *p = (Polymer){.carbons = carbons, .n = carbons};
  for (int i = 0; i < carbons; i++) {
    polymer_carbon(p, ring, i, p->x[i]);
    if (i > 0 || ring) {
      p->bond[p->nbond][0] = i > 0 ? i - 1 : carbons - 1;
      p->bond[p->nbond++][1] = i;
    }
  }
  for (int i = 0; i < carbons; i++) {
    double before[3], after[3];
    polymer_carbon(p, ring, i - 1, before);
    polymer_carbon(p, ring, i + 1, after);
    polymer_hydrogens(p, i, before, after);
    if (!ring && (i == 0 || i == carbons - 1)) {
      double way[3];
      for (int d = 0; d < 3; d++)
        way[d] = (i == 0 ? before : after)[d] - p->x[i][d];
      polymer_atom(p, i, p->x[i], way, POLYMER_CH);
    }
  }
  polymer_describe(p, name);
}

#endif
