/* Molecules for tests, made from lengths, angles and dihedral angles: coordinates, and what a file of
 * molecules says of them (docs/molecules-file.md). */
#ifndef HOLONOM_TESTS_MADE_MOLECULES_H
#define HOLONOM_TESTS_MADE_MOLECULES_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ATOMS = 32, TEXT = 16384 };

/* An atom, and where it is: bonded to `bond`, the angle with `angle`, the dihedral angle with `dihedral`. */
typedef struct Place {
  const char *name;
  int bond, angle, dihedral;
  double r, theta, phi;
} Place;

static inline double mass_of(const char *name)
{
  return *name == 'H' ? 1.008 : *name == 'C' ? 12.011 : *name == 'N' ? 14.007 : 15.9994;
}

static inline void unit(double v[3])
{
  const double r = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int d = 0; d < 3; d++)
    v[d] /= r;
}

static inline void cross(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++)
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

/* Atoms in any order in which what places them comes first; `order` lists them so. */
static inline void build(int n, const Place *place, const int *order, double (*x)[3])
{
  for (int k = 0; k < n; k++) {
    const Place *p = &place[order[k]];
    double *at = x[order[k]], u[3] = {1, 0, 0}, v[3] = {0, 1, 0}, normal[3], side[3];
    memset(at, 0, sizeof *x);
    if (k == 0)
      continue;
    if (k > 1)
      for (int d = 0; d < 3; d++)
        u[d] = x[p->angle][d] - x[p->bond][d];
    unit(u);
    if (k > 2)
      for (int d = 0; d < 3; d++)
        v[d] = x[p->dihedral][d] - x[p->angle][d];
    cross(u, v, normal);
    unit(normal);
    cross(normal, u, side);
    const double t = k > 1 ? p->theta * M_PI / 180.0 : 0.0, f = (k > 2 ? p->phi : 0.0) * M_PI / 180.0;
    for (int d = 0; d < 3; d++)
      at[d] = x[p->bond][d] + p->r * (cos(t) * u[d] + sin(t) * (cos(f) * side[d] + sin(f) * normal[d]));
  }
}

typedef struct Made {
  int n, nbond;
  double x[ATOMS][3];
  int bond[2 * ATOMS][2];
  char text[TEXT]; /* of the molecule in a file */
} Made;

static inline double between(const double a[3], const double b[3])
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static inline double angle_of(const double a[3], const double b[3], const double c[3])
{
  const double ab = between(a, b), bc = between(b, c), ac = between(a, c);
  return acos(fmax(-1.0, (ab * ab + bc * bc - ac * ac) / (2.0 * ab * bc))) * 180.0 / M_PI;
}

static inline void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void append(char *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const size_t n = strlen(text);
  vsnprintf(text + n, TEXT - n, format, args);
  va_end(args);
}

/* The file's text: bonds and angles as the coordinates have them, lengths to 0.001 A, angles to 0.1 degrees
 * as force fields have them. */
static inline void describe(Made *m, const char *name, const Place *place)
{
  char *t = m->text;
  t[0] = '\0';
  append(t, "  %s:\n    atoms:\n", name);
  for (int i = 0; i < m->n; i++)
    append(t, "      - [%s, C, 0, %g]\n", place[i].name, mass_of(place[i].name));
  append(t, "    terms:\n      bond:\n");
  for (int b = 0; b < m->nbond; b++)
    append(t, "        - [%d, %d, %.3f, 600]\n", m->bond[b][0] + 1, m->bond[b][1] + 1,
           between(m->x[m->bond[b][0]], m->x[m->bond[b][1]]));
  append(t, "      angle:\n");
  for (int a = 0; a < m->nbond; a++)
    for (int b = 0; b < a; b++)
      for (int k = 0; k < 4; k++)
        if (m->bond[a][k / 2] == m->bond[b][k % 2]) {
          const int i = m->bond[a][1 - k / 2], j = m->bond[a][k / 2], l = m->bond[b][1 - k % 2];
          append(t, "        - [%d, %d, %d, %.1f, 100]\n", i + 1, j + 1, l + 1,
                 angle_of(m->x[i], m->x[j], m->x[l]));
        }
}

static inline void make(Made *m, const char *name, int n, const Place *place, const int *order)
{
  static const int rising[ATOMS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
  *m = (Made){.n = n};
  build(n, place, order != NULL ? order : rising, m->x);
  for (int k = 1; k < n; k++) {
    const int i = order != NULL ? order[k] : k;
    m->bond[m->nbond][0] = place[i].bond;
    m->bond[m->nbond++][1] = i;
  }
  describe(m, name, place);
}

/* Alanine dipeptide in the order of AMBER's topologies, whose first atom is a hydrogen. */
static inline void make_dipeptide(Made *m)
{
  static const Place place[] = {{"HH31", 1, 4, 6, 1.09, 109.5, 0},
                                {"CH3", 0, 0, 0, 0, 0, 0},
                                {"HH32", 1, 4, 6, 1.09, 109.5, 120},
                                {"HH33", 1, 4, 6, 1.09, 109.5, 240},
                                {"C", 1, 0, 0, 1.522, 0, 0},
                                {"O", 4, 1, 0, 1.229, 120.4, 0},
                                {"N", 4, 1, 5, 1.335, 116.6, 180},
                                {"H", 6, 4, 1, 1.01, 119.8, 0},
                                {"CA", 6, 4, 1, 1.449, 121.9, 180},
                                {"HA", 8, 6, 4, 1.09, 109.5, 40},
                                {"CB", 8, 6, 4, 1.526, 109.7, 160},
                                {"HB1", 10, 8, 6, 1.09, 109.5, 60},
                                {"HB2", 10, 8, 6, 1.09, 109.5, 180},
                                {"HB3", 10, 8, 6, 1.09, 109.5, 300},
                                {"C", 8, 6, 4, 1.522, 110.1, -80},
                                {"O", 14, 8, 6, 1.229, 120.4, -100},
                                {"N", 14, 8, 6, 1.335, 116.6, 80},
                                {"H", 16, 14, 8, 1.01, 119.8, 0},
                                {"CH3", 16, 14, 8, 1.449, 121.9, 180},
                                {"HH31", 18, 16, 14, 1.09, 109.5, 60},
                                {"HH32", 18, 16, 14, 1.09, 109.5, 180},
                                {"HH33", 18, 16, 14, 1.09, 109.5, 300}};
  static const int order[] = {1, 4, 5, 6, 0, 2, 3, 7, 8, 14, 10, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21};
  make(m, "dipeptide", 22, place, order);
}

static inline void make_butane(Made *m)
{
  static const Place place[] = {
      {"C1", 0, 0, 0, 0, 0, 0},         {"C2", 0, 0, 0, 1.526, 0, 0},     {"C3", 1, 0, 0, 1.526, 112, 0},
      {"C4", 2, 1, 0, 1.526, 112, 180}, {"H", 0, 1, 2, 1.09, 109.5, 60},  {"H", 0, 1, 2, 1.09, 109.5, 180},
      {"H", 0, 1, 2, 1.09, 109.5, -60}, {"H", 1, 2, 3, 1.09, 109.5, 60},  {"H", 1, 2, 3, 1.09, 109.5, -60},
      {"H", 2, 1, 0, 1.09, 109.5, 60},  {"H", 2, 1, 0, 1.09, 109.5, -60}, {"H", 3, 2, 1, 1.09, 109.5, 60},
      {"H", 3, 2, 1, 1.09, 109.5, 180}, {"H", 3, 2, 1, 1.09, 109.5, -60}};
  make(m, "butane", 14, place, NULL);
}

static inline void make_methanol(Made *m)
{
  static const Place place[] = {{"C", 0, 0, 0, 0, 0, 0},           {"O", 0, 0, 0, 1.41, 0, 0},
                                {"HO", 1, 0, 0, 0.945, 108.5, 0},  {"H1", 0, 1, 2, 1.09, 109.5, 60},
                                {"H2", 0, 1, 2, 1.09, 109.5, 180}, {"H3", 0, 1, 2, 1.09, 109.5, -60}};
  make(m, "methanol", 6, place, NULL);
}

/* Its carbons and the nitrogen are in a line. */
static inline void make_acetonitrile(Made *m)
{
  static const Place place[] = {{"C", 0, 0, 0, 0, 0, 0},           {"C", 0, 0, 0, 1.458, 0, 0},
                                {"H1", 0, 1, 0, 1.09, 109.5, 0},   {"H2", 0, 1, 2, 1.09, 109.5, 120},
                                {"H3", 0, 1, 2, 1.09, 109.5, 240}, {"N", 1, 0, 2, 1.157, 180, 0}};
  make(m, "acetonitrile", 6, place, NULL);
}

/* A ring of n carbons, with `h` hydrogens each: flat, or every other one up and down. */
static inline void make_ring(Made *m, const char *name, int n, int h, double up)
{
  static Place place[ATOMS];
  *m = (Made){.n = n * (1 + h)};
  for (int i = 0; i < n; i++) {
    const double a = 2.0 * M_PI * i / n, r = 1.4, z = i % 2 ? up : -up;
    place[i] = (Place){.name = "C"};
    memcpy(m->x[i], (double[3]){r * cos(a), r * sin(a), z}, sizeof *m->x);
    m->bond[m->nbond][0] = i;
    m->bond[m->nbond++][1] = (i + 1) % n;
    for (int k = 0; k < h; k++) {
      const int at = n + i * h + k;
      const double out = h == 1 || k == 0 ? 1.08 : 0.36, off = h == 1 ? 0.0 : k == 0 ? -0.3 * z : 4.0 * z;
      place[at] = (Place){.name = "H"};
      memcpy(m->x[at], (double[3]){(r + out) * cos(a), (r + out) * sin(a), z + off}, sizeof *m->x);
      m->bond[m->nbond][0] = i;
      m->bond[m->nbond++][1] = at;
    }
  }
  describe(m, name, place);
}

#endif
