/* Molecules with rings, from their coordinates (by a force field, in A). */
#ifndef HOLONOM_TESTS_KNOWN_MOLECULES_H
#define HOLONOM_TESTS_KNOWN_MOLECULES_H

#include "tests/made_molecules.h"

typedef struct Known {
  const char *name;
  double at[3];
} Known;

static const Known proline[] = {
    {"O", {2.238, -0.975, -0.263}},  {"C", {1.982, 0.274, 0.177}},    {"O", {2.888, 0.956, 0.636}},
    {"C", {0.514, 0.683, 0.113}},    {"C", {-0.224, 0.201, -1.137}},  {"C", {-1.330, -0.699, -0.606}},
    {"C", {-1.569, -0.171, 0.793}},  {"N", {-0.218, 0.111, 1.264}},   {"H", {3.186, -1.104, -0.058}},
    {"H", {0.475, 1.779, 0.146}},    {"H", {-0.676, 1.060, -1.647}},  {"H", {0.402, -0.323, -1.866}},
    {"H", {-0.981, -1.738, -0.570}}, {"H", {-2.229, -0.661, -1.228}}, {"H", {-2.166, 0.748, 0.769}},
    {"H", {-2.074, -0.902, 1.429}},  {"H", {-0.218, 0.761, 2.048}}};
static const int proline_bonds[][2] = {{0, 1},  {1, 2},  {1, 3},  {3, 4},  {4, 5},  {5, 6},
                                       {6, 7},  {3, 7},  {0, 8},  {3, 9},  {4, 10}, {4, 11},
                                       {5, 12}, {5, 13}, {6, 14}, {6, 15}, {7, 16}};
static const Known glucose[] = {
    {"O", {3.339, -0.056, -0.544}},  {"C", {2.495, 0.012, 0.602}},    {"C", {1.054, -0.353, 0.236}},
    {"O", {0.280, -0.383, 1.445}},   {"C", {-1.052, -0.824, 1.208}},  {"O", {-1.720, -0.938, 2.460}},
    {"C", {-1.786, 0.159, 0.270}},   {"O", {-3.127, -0.280, 0.009}},  {"C", {-1.022, 0.299, -1.053}},
    {"O", {-1.155, -0.928, -1.789}}, {"C", {0.454, 0.632, -0.795}},   {"O", {0.544, 1.980, -0.320}},
    {"H", {4.233, 0.180, -0.239}},   {"H", {2.877, -0.687, 1.356}},   {"H", {2.556, 1.016, 1.035}},
    {"H", {1.060, -1.361, -0.200}},  {"H", {-1.037, -1.834, 0.783}},  {"H", {-2.317, -0.175, 2.534}},
    {"H", {-1.859, 1.138, 0.758}},   {"H", {-3.036, -1.034, -0.608}}, {"H", {-1.500, 1.082, -1.653}},
    {"H", {-0.777, -0.780, -2.676}}, {"H", {1.025, 0.563, -1.729}},   {"H", {0.470, 2.572, -1.088}}};
static const int glucose_bonds[][2] = {{0, 1},  {1, 2},  {2, 3},  {3, 4},  {4, 5},   {4, 6},
                                       {6, 7},  {6, 8},  {8, 9},  {8, 10}, {10, 11}, {2, 10},
                                       {0, 12}, {1, 13}, {1, 14}, {2, 15}, {4, 16},  {5, 17},
                                       {6, 18}, {7, 19}, {8, 20}, {9, 21}, {10, 22}, {11, 23}};
static const Known twist_boat[] = {
    {"C", {1.398, 0.173, 0.542}},    {"C", {0.607, 1.307, -0.114}},   {"C", {-0.894, 1.134, 0.074}},
    {"C", {-1.398, -0.173, -0.542}}, {"C", {-0.350, -1.288, -0.556}}, {"C", {0.637, -1.153, 0.596}},
    {"H", {2.339, 0.040, -0.006}},   {"H", {1.679, 0.458, 1.563}},    {"H", {0.834, 1.335, -1.187}},
    {"H", {0.933, 2.269, 0.298}},    {"H", {-1.433, 1.980, -0.368}},  {"H", {-1.125, 1.143, 1.146}},
    {"H", {-2.284, -0.504, 0.014}},  {"H", {-1.733, 0.006, -1.571}},  {"H", {0.200, -1.257, -1.505}},
    {"H", {-0.849, -2.263, -0.517}}, {"H", {0.091, -1.220, 1.546}},   {"H", {1.349, -1.986, 0.587}}};
static const int twist_boat_bonds[][2] = {{0, 1},  {1, 2},  {2, 3},  {3, 4},  {4, 5},  {0, 5},
                                          {0, 6},  {0, 7},  {1, 8},  {1, 9},  {2, 10}, {2, 11},
                                          {3, 12}, {3, 13}, {4, 14}, {4, 15}, {5, 16}, {5, 17}};

/* A molecule of these atoms and bonds. */
static inline void make_known(Made *m, const char *name, int n, const Known *atom, int nbond,
                              const int (*bond)[2])
{
  static Place place[ATOMS];
  *m = (Made){.n = n, .nbond = nbond};
  for (int i = 0; i < n; i++) {
    place[i] = (Place){.name = atom[i].name};
    memcpy(m->x[i], atom[i].at, sizeof *m->x);
  }
  memcpy(m->bond, bond, (size_t)nbond * sizeof *bond);
  describe(m, name, place);
}

/* Eight CH groups at the corners of a cube. */
static inline void make_cubane(Made *m)
{
  static Place place[16];
  *m = (Made){.n = 16};
  for (int i = 0; i < 8; i++) {
    place[i] = (Place){.name = "C"};
    place[8 + i] = (Place){.name = "H"};
    for (int d = 0; d < 3; d++) {
      m->x[i][d] = i >> d & 1 ? 0.785 : -0.785;
      m->x[8 + i][d] = m->x[i][d] * (1.0 + 1.1 / (0.785 * sqrt(3.0)));
      if (!(i >> d & 1)) {
        m->bond[m->nbond][0] = i;
        m->bond[m->nbond++][1] = i | 1 << d;
      }
    }
    m->bond[m->nbond][0] = i;
    m->bond[m->nbond++][1] = 8 + i;
  }
  describe(m, "cubane", place);
}

static inline void make_neopentane(Made *m)
{
  static const double phi[4] = {0, 0, 120, 240};
  static Place place[17] = {{.name = "C"}};
  for (int k = 0; k < 4; k++) {
    place[1 + k] = (Place){"C", 0, 1, 2, 1.53, 109.5, phi[k]};
    for (int h = 0; h < 3; h++)
      place[5 + 3 * k + h] = (Place){"H", 1 + k, 0, k == 0 ? 2 : 1, 1.09, 109.5, 60.0 + 120.0 * h};
  }
  make(m, "neopentane", 17, place, NULL);
}

/* n sites in a line: the ends, and what is between. */
static inline void make_line(Made *m, const char *name, int n, const char *const *site, const double *r)
{
  static Place place[ATOMS];
  *m = (Made){.n = n};
  for (int i = 0; i < n; i++) {
    place[i] = (Place){.name = site[i]};
    m->x[i][0] = i > 0 ? m->x[i - 1][0] + r[i - 1] : 0.0;
    if (i > 0) {
      m->bond[m->nbond][0] = i - 1;
      m->bond[m->nbond++][1] = i;
    }
  }
  describe(m, name, place);
}

#endif
