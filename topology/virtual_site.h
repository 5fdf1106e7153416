/* Virtual sites: massless sites at positions that atoms define, and the transfer of their forces to those
 * atoms; the functions exist for each number type. Equations: docs/theory.md (virtual sites). */
#ifndef HOLONOM_TOPOLOGY_VIRTUAL_SITE_H
#define HOLONOM_TOPOLOGY_VIRTUAL_SITE_H

#include <math.h>
#include <stdbool.h>

#include "topology/virtual_site_frame.h"

typedef struct VirtualSiteType {
  const char *name;
  int nparent, nparam;
  const char *wanted; /* description of the parameters */
  bool angle[3];      /* which parameters are angles, in degrees in files */
} VirtualSiteType;

/* By VirtualSiteKind; the last one has no name. */
extern const VirtualSiteType virtual_site_types[];

enum { VIRTUAL_SITE_PARENTS = 4 };

/* The number of vectors from the first parent that the position depends on: 2, or 3 with a fourth parent. */
static inline int virtual_site_vectors(VirtualSiteKind kind)
{
  return kind == VIRTUAL_SITE_4FDN || kind == VIRTUAL_SITE_4BISECTOR ? 3 : 2;
}

typedef struct VirtualSite {
  VirtualSiteKind kind;
  int site, parent[VIRTUAL_SITE_PARENTS];
  double param[3];
} VirtualSite;

/* The virtual sites of a molecule. */
typedef struct VirtualSites {
  int n;
  const VirtualSite *site;
} VirtualSites;

/* Computes the position of a virtual site from x[natom][3] of its molecule. Returns whether it is defined:
 * not if the placing atoms leave a required direction undefined, or are not finite. */
bool virtual_site_at(const VirtualSite *site, const double (*x)[3], double at[3]);

/* Adds to f[natom][3] of the placing atoms the forces that f[site] exerts on them
 * (VIRTUAL_SITE_FUNCTIONS). */
void virtual_site_hand_on(const VirtualSite *site, const double (*x)[3], double (*f)[3]);

/* The parameters c that the functions below take: those of the file, except for 3fad (length cos angle,
 * length sin angle) and for kinds with a frame (the components along its axes). */
void virtual_site_ready(const VirtualSite *site, double c[3]);

/* Below this value of virtual_site_place_NAME a direction is undefined. */
#define VIRTUAL_SITE_FLAT 1e-10

/* For a number type T (double, vd ...) with the square root ROOT, the inlined function
 *
 *   virtual_site_place_NAME(kind, c, r, at)
 *
 * computes the position at[3] of the site, and
 *
 *   virtual_site_spread_NAME(kind, c, r, f, g)
 *
 * computes g[9], the parts of its force f[3] that act on j, k and l; the rest acts on i. If f is minus the
 * gradient of an energy, so are the parts. Positions are relative to i; r[9] are those of j, k and l. Kinds
 * with fewer parents ignore the others, and set only the first six numbers of g. The compiler removes all
 * other kinds if `kind` is a constant.
 *
 * virtual_site_place_NAME returns how well the position is defined: the square of the length in its
 * denominator, over the squares of the vectors that it is made of. It is 1 without a denominator, and below
 * VIRTUAL_SITE_FLAT or NaN where the atoms are in a line (3fad, kinds with a frame), coincide, or are not
 * finite. */
/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type. */
#define VIRTUAL_SITE_FUNCTIONS(T, NAME, ROOT)                                                                \
  VIRTUAL_SITE_FRAME_FUNCTIONS(T, NAME, ROOT)                                                                \
  /* a r_ik - r_ij and b r_il - r_ij. */                                                                     \
  static inline __attribute__((always_inline)) void virtual_site_normals_##NAME(const double *c, const T *r, \
                                                                                T one[3], T two[3])          \
  {                                                                                                          \
    for (int d = 0; d < 3; d++) {                                                                            \
      one[d] = c[0] * r[3 + d] - r[d];                                                                       \
      two[d] = c[1] * r[6 + d] - r[d];                                                                       \
    }                                                                                                        \
  }                                                                                                          \
  /* The denominator of kinds with fixed distances is the length of u; returns as virtual_site_place_NAME.   \
   */                                                                                                        \
  static inline __attribute__((always_inline))                                                               \
  T virtual_site_across_##NAME(const VirtualSiteKind kind, const double *c, const T *r, T u[3])              \
  {                                                                                                          \
    const T jj = virtual_site_dot_##NAME(r, r);                                                              \
    if (kind == VIRTUAL_SITE_2FD) {                                                                          \
      for (int d = 0; d < 3; d++)                                                                            \
        u[d] = r[d];                                                                                         \
      return virtual_site_dot_##NAME(u, u) / jj;                                                             \
    }                                                                                                        \
    if (kind == VIRTUAL_SITE_4FDN) {                                                                         \
      T one[3], two[3];                                                                                      \
      virtual_site_normals_##NAME(c, r, one, two);                                                           \
      virtual_site_cross_##NAME(one, two, u);                                                                \
      return virtual_site_dot_##NAME(u, u) /                                                                 \
             (virtual_site_dot_##NAME(one, one) * virtual_site_dot_##NAME(two, two));                        \
    }                                                                                                        \
    const T kk = virtual_site_dot_##NAME(r + 3, r + 3);                                                      \
    if (kind == VIRTUAL_SITE_3FD) {                                                                          \
      for (int d = 0; d < 3; d++)                                                                            \
        u[d] = (1.0 - c[0]) * r[d] + c[0] * r[3 + d];                                                        \
      return virtual_site_dot_##NAME(u, u) / (jj + kk);                                                      \
    }                                                                                                        \
    const T part = virtual_site_dot_##NAME(r, r + 3) / jj;                                                   \
    for (int d = 0; d < 3; d++)                                                                              \
      u[d] = r[3 + d] - part * r[d];                                                                         \
    return virtual_site_dot_##NAME(u, u) / kk;                                                               \
  }                                                                                                          \
  static inline __attribute__((always_inline))                                                               \
  T virtual_site_place_##NAME(const VirtualSiteKind kind, const double *c, const T *r, T *at)                \
  {                                                                                                          \
    T u[3];                                                                                                  \
    if (virtual_site_framed(kind))                                                                           \
      return virtual_site_frame_place_##NAME(kind, c, r, at);                                                \
    if (kind == VIRTUAL_SITE_2FD || kind == VIRTUAL_SITE_3FD || kind == VIRTUAL_SITE_3FAD ||                 \
        kind == VIRTUAL_SITE_4FDN) {                                                                         \
      const T known = virtual_site_across_##NAME(kind, c, r, u);                                             \
      const T length = ROOT(virtual_site_dot_##NAME(u, u)), jj = virtual_site_dot_##NAME(r, r);              \
      const double far = c[kind == VIRTUAL_SITE_2FD ? 0 : kind == VIRTUAL_SITE_4FDN ? 2 : 1];                \
      for (int d = 0; d < 3; d++)                                                                            \
        at[d] = kind != VIRTUAL_SITE_3FAD ? u[d] * (far / length)                                            \
                                          : r[d] * (c[0] / ROOT(jj)) + u[d] * (far / length);                \
      return known;                                                                                          \
    }                                                                                                        \
    if (kind == VIRTUAL_SITE_3OUT)                                                                           \
      virtual_site_cross_##NAME(r, r + 3, u);                                                                \
    for (int d = 0; d < 3; d++) {                                                                            \
      at[d] = kind == VIRTUAL_SITE_2 ? c[0] * r[d] : c[0] * r[d] + c[1] * r[3 + d];                          \
      if (kind == VIRTUAL_SITE_3OUT)                                                                         \
        at[d] += c[2] * u[d];                                                                                \
    }                                                                                                        \
    return (T){0} + 1.0;                                                                                     \
  }                                                                                                          \
  /* b (I - u u'/|u|^2) f/|u|. */                                                                            \
  static inline                                                                                              \
      __attribute__((always_inline)) void virtual_site_turn_##NAME(double b, const T *u, const T *f, T g[3]) \
  {                                                                                                          \
    const T square = virtual_site_dot_##NAME(u, u), part = virtual_site_dot_##NAME(u, f) / square,           \
            scale = b / ROOT(square);                                                                        \
    for (int d = 0; d < 3; d++)                                                                              \
      g[d] = scale * (f[d] - part * u[d]);                                                                   \
  }                                                                                                          \
  static inline __attribute__((always_inline)) void virtual_site_spread_##NAME(                              \
      const VirtualSiteKind kind, const double *c, const T *r, const T *f, T *by)                            \
  {                                                                                                          \
    T *const one = by, *const two = by + 3;                                                                  \
    T u[3], g[3];                                                                                            \
    switch (kind) {                                                                                          \
    case VIRTUAL_SITE_2:                                                                                     \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = c[0] * f[d];                                                                                \
        two[d] = (T){0};                                                                                     \
      }                                                                                                      \
      break;                                                                                                 \
    case VIRTUAL_SITE_2FD:                                                                                   \
      virtual_site_turn_##NAME(c[0], r, f, one);                                                             \
      for (int d = 0; d < 3; d++)                                                                            \
        two[d] = (T){0};                                                                                     \
      break;                                                                                                 \
    case VIRTUAL_SITE_3:                                                                                     \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = c[0] * f[d];                                                                                \
        two[d] = c[1] * f[d];                                                                                \
      }                                                                                                      \
      break;                                                                                                 \
    case VIRTUAL_SITE_3FD:                                                                                   \
      virtual_site_across_##NAME(kind, c, r, u);                                                             \
      virtual_site_turn_##NAME(c[1], u, f, g);                                                               \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = (1.0 - c[0]) * g[d];                                                                        \
        two[d] = c[0] * g[d];                                                                                \
      }                                                                                                      \
      break;                                                                                                 \
    case VIRTUAL_SITE_3FAD: {                                                                                \
      virtual_site_across_##NAME(kind, c, r, u);                                                             \
      virtual_site_turn_##NAME(c[1], u, f, g);                                                               \
      virtual_site_turn_##NAME(c[0], r, f, one);                                                             \
      const T jj = virtual_site_dot_##NAME(r, r), jk = virtual_site_dot_##NAME(r, r + 3) / jj,               \
              jg = virtual_site_dot_##NAME(r, g) / jj;                                                       \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] -= jk * (g[d] - jg * r[d]) + jg * u[d];                                                       \
        two[d] = g[d] - jg * r[d];                                                                           \
      }                                                                                                      \
      break;                                                                                                 \
    }                                                                                                        \
    case VIRTUAL_SITE_3OUT:                                                                                  \
      virtual_site_cross_##NAME(r + 3, f, one);                                                              \
      virtual_site_cross_##NAME(f, r, two);                                                                  \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = c[0] * f[d] + c[2] * one[d];                                                                \
        two[d] = c[1] * f[d] + c[2] * two[d];                                                                \
      }                                                                                                      \
      break;                                                                                                 \
    case VIRTUAL_SITE_4FDN: {                                                                                \
      T a[3], b[3];                                                                                          \
      virtual_site_normals_##NAME(c, r, a, b);                                                               \
      virtual_site_cross_##NAME(a, b, u);                                                                    \
      virtual_site_turn_##NAME(c[2], u, f, g);                                                               \
      virtual_site_cross_##NAME(b, g, two);                                                                  \
      virtual_site_cross_##NAME(g, a, by + 6);                                                               \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = -(two[d] + by[6 + d]);                                                                      \
        two[d] *= c[0];                                                                                      \
        by[6 + d] *= c[1];                                                                                   \
      }                                                                                                      \
      break;                                                                                                 \
    }                                                                                                        \
    case VIRTUAL_SITE_3FADD:                                                                                 \
    case VIRTUAL_SITE_3MEDIAN:                                                                               \
    case VIRTUAL_SITE_3BISECTOR:                                                                             \
    case VIRTUAL_SITE_4BISECTOR:                                                                             \
      virtual_site_frame_spread_##NAME(kind, c, r, f, by);                                                   \
      break;                                                                                                 \
    case VIRTUAL_SITE_KINDS:                                                                                 \
      break;                                                                                                 \
    }                                                                                                        \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

VIRTUAL_SITE_FUNCTIONS(double, double, sqrt)

#endif
