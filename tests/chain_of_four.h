/* A chain of four atoms with a torsion, as files of a run: where bonds and angles are kept, all that it may
 * do has one dimension, in which averages are integrals. */
#ifndef HOLONOM_TESTS_CHAIN_OF_FOUR_H
#define HOLONOM_TESTS_CHAIN_OF_FOUR_H

#include <math.h>
#include <string.h>

#include "tests/made_molecules.h"
#include "tests/program.h"
#include "tests/shorter.h"

/* Coordinates as a GRO file that has all digits. */
static inline void write_gro(const char *name, int n, const char *const *atom, const char *residue,
                             const double (*x)[3], double edge)
{
  FILE *file = program_create(name);
  fprintf(file, "made\n%d\n", n);
  for (int i = 0; i < n; i++)
    fprintf(file, "%5d%-5s%5s%5d%15.10f%15.10f%15.10f\n", 1, residue, atom[i], i + 1, 0.1 * x[i][0],
            0.1 * x[i][1], 0.1 * x[i][2]);
  fprintf(file, "%.6f %.6f %.6f\n", 0.1 * edge, 0.1 * edge, 0.1 * edge);
  ck_assert_int_eq(fclose(file), 0);
}

static const double chain_mass[4] = {40.0, 3.0, 2.0, 30.0};
static const Place chain_place[4] = {{"A", 0, 0, 0, 0, 0, 0},
                                     {"B", 0, 0, 0, 1.5, 0, 0},
                                     {"C", 1, 0, 0, 1.4, 110, 0},
                                     {"D", 2, 1, 0, 1.6, 95, 60}};
static const char chain_file[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [0, 0]}\n"
    "molecules:\n  chain:\n    atoms:\n      - [A, X, 0, 40]\n      - [B, X, 0, 3]\n"
    "      - [C, X, 0, 2]\n      - [D, X, 0, 30]\n    terms:\n      bond:\n"
    "        - [1, 2, 1.5, 500]\n        - [2, 3, 1.4, 500]\n        - [3, 4, 1.6, 500]\n"
    "      angle:\n        - [1, 2, 3, 110, 100]\n        - [2, 3, 4, 95, 100]\n"
    "      torsion:\n        - [1, 2, 3, 4, 0, 0.5, 1]\n        - [1, 2, 3, 4, 30, 0.4, 2]\n"
    "system:\n  - [chain, 1]\n";

static inline double torsion_energy(double phi)
{
  return 0.5 * (1.0 + cos(phi)) + 0.4 * (1.0 + cos(2.0 * phi - M_PI / 6.0));
}

static inline void place_chain(double phi, double (*x)[3])
{
  static const int order[] = {0, 1, 2, 3};
  Place place[4];
  memcpy(place, chain_place, sizeof place);
  place[3].phi = phi * 180.0 / M_PI;
  build(4, place, order, x);
}

/* ln of the root of the determinant of the masses' metric on what four atoms may do: to move, to turn, and
 * the one motion of what has its places by `place`. */
static inline double measure_of(const double mass[4], void (*place)(double, double (*)[3]), double phi)
{
  const double step = 1e-5;
  double x[4][3], low[4][3], high[4][3], along[7][12] = {{0}}, metric[7][7], sum = 0.0;
  place(phi, x);
  place(phi - step, low);
  place(phi + step, high);
  for (int i = 0; i < 4; i++)
    for (int d = 0; d < 3; d++) {
      along[d][3 * i + d] = 1.0;
      along[3 + d][3 * i + (d + 1) % 3] = -x[i][(d + 2) % 3];
      along[3 + d][3 * i + (d + 2) % 3] = x[i][(d + 1) % 3];
      along[6][3 * i + d] = (high[i][d] - low[i][d]) / (2.0 * step);
    }
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++) {
      metric[a][b] = 0.0;
      for (int k = 0; k < 12; k++)
        metric[a][b] += mass[k / 3] * along[a][k] * along[b][k];
    }
  for (int a = 0; a < 7; a++) { /* Gauss */
    sum += 0.5 * log(metric[a][a]);
    for (int b = a + 1; b < 7; b++)
      for (int c = 6; c >= a; c--)
        metric[b][c] -= metric[b][a] / metric[a][a] * metric[a][c];
  }
  return sum;
}

static inline double chain_measure(double phi) { return measure_of(chain_mass, place_chain, phi); }

/* How far off means of the torsion's energy may be, in runs that are shorter under sanitizers, since all
 * replicas have begun from one torsion. */
#define CHAIN_BIAS (SHORT ? 0.1 : 0.0)

static inline void begin_chain(void)
{
  static const char *const name[] = {"A", "B", "C", "D"};
  double x[4][3];
  place_chain(1.0, x);
  program_write("chain.yaml", chain_file);
  write_gro("chain.gro", 4, name, "chain", (const double(*)[3])x, 0.0);
  program_write("run.yaml",
                "system: {topology: chain.yaml, file: chain.gro}\n"
                "geometry: {constrain: all-angles}\n"
                "integrator: {word: BAOAB, timestep: 4 fs, time: 120 ps}\n"
                "thermostat: {temperature: 300 K, friction: 4/ps}\n"
                "ensemble: {replicas: 64}\n"
                "output: {equilibration: 20 ps, thermo_every: 25, report: false, progress: false}\n");
}

#endif
