/* Virtual sites: sites without mass where atoms with mass place them, and what forces on them are worth to
 * those atoms, once for each kind of number. The equations are in docs/theory.md (virtual sites). */
#ifndef HOLONOM_TOPOLOGY_VIRTUAL_SITE_H
#define HOLONOM_TOPOLOGY_VIRTUAL_SITE_H

#include <math.h>
#include <stdbool.h>

/* Where a virtual site is, from its parents i, j, k, as GROMACS has it, with r_ij = r_j - r_i:
 *   2     r_i + a r_ij
 *   3     r_i + a r_ij + b r_ik
 *   3fd   r_i + b (r_ij + a r_jk) / |r_ij + a r_jk|
 *   3fad  r_i + b cos(a) r_ij / |r_ij| + b sin(a) r_p / |r_p|, r_p the part of r_jk that is normal to r_ij
 *   3out  r_i + a r_ij + b r_ik + c r_ij x r_ik */
typedef enum VirtualSiteKind {
  VIRTUAL_SITE_2,
  VIRTUAL_SITE_3,
  VIRTUAL_SITE_3FD,
  VIRTUAL_SITE_3FAD,
  VIRTUAL_SITE_3OUT
} VirtualSiteKind;

typedef struct VirtualSiteType {
  const char *name;
  int nparent, nparam;
  const char *wanted; /* the numbers, in words */
} VirtualSiteType;

/* By VirtualSiteKind; ended by one without a name. */
extern const VirtualSiteType virtual_site_types[];

typedef struct VirtualSite {
  VirtualSiteKind kind;
  int site, parent[3];
  double param[3];
} VirtualSite;

/* Those of a molecule. */
typedef struct VirtualSites {
  int n;
  const VirtualSite *site;
} VirtualSites;

/* Where a virtual site is, x[natom][3] of its molecule; returns whether that is known: not where the atoms
 * that place it leave a direction open that it wants, or are nowhere. */
bool virtual_site_at(const VirtualSite *site, const double (*x)[3], double at[3]);

/* What the functions below take a site's numbers as: those of the file, but for 3fad length cos angle and
 * length sin angle. */
void virtual_site_ready(const VirtualSite *site, double c[3]);

/* Below this a direction is not known: virtual_site_place_NAME. */
#define VIRTUAL_SITE_FLAT 1e-10

/* For type T of numbers (double, vd ...) with ROOT, their square root: the inlined
 *   virtual_site_place_NAME(kind, c, r, at)
 * puts into at[3] where the site is, and
 *   virtual_site_spread_NAME(kind, c, r, f, one, two)
 * into one[3] and two[3] the part of its force f[3] that j and k get, the rest being for i: minus the
 * gradient of any energy of the site stays minus the gradient. Positions are relative to i, r[6] are those of
 * j and k; of kind 2, that of k is not looked at. A constant kind leaves of each only what it needs.
 *
 * The place is returned with how well it is known: the square of the length that is divided by, over those of
 * the vectors that it is made of. It is 1 where there is no division, and below VIRTUAL_SITE_FLAT or no
 * number where the atoms are in a line (3fad), on each other, or nowhere. */
/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type. */
#define VIRTUAL_SITE_FUNCTIONS(T, NAME, ROOT)                                                                \
  static inline                                                                                              \
      __attribute__((always_inline)) void virtual_site_cross_##NAME(const T *a, const T *b, T out[3])        \
  {                                                                                                          \
    for (int d = 0; d < 3; d++)                                                                              \
      out[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];                            \
  }                                                                                                          \
  static inline __attribute__((always_inline)) T virtual_site_dot_##NAME(const T *a, const T *b)             \
  {                                                                                                          \
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];                                                          \
  }                                                                                                          \
  /* What 3fd and 3fad divide by its length; returns as virtual_site_place_NAME. */                          \
  static inline __attribute__((always_inline))                                                               \
  T virtual_site_across_##NAME(const VirtualSiteKind kind, const double *c, const T *r, T u[3])              \
  {                                                                                                          \
    const T jj = virtual_site_dot_##NAME(r, r), kk = virtual_site_dot_##NAME(r + 3, r + 3);                  \
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
    if (kind == VIRTUAL_SITE_3FD || kind == VIRTUAL_SITE_3FAD) {                                             \
      const T known = virtual_site_across_##NAME(kind, c, r, u);                                             \
      const T length = ROOT(virtual_site_dot_##NAME(u, u)), jj = virtual_site_dot_##NAME(r, r);              \
      for (int d = 0; d < 3; d++)                                                                            \
        at[d] = kind == VIRTUAL_SITE_3FD ? u[d] * (c[1] / length)                                            \
                                         : r[d] * (c[0] / ROOT(jj)) + u[d] * (c[1] / length);                \
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
      const VirtualSiteKind kind, const double *c, const T *r, const T *f, T *one, T *two)                   \
  {                                                                                                          \
    T u[3], g[3];                                                                                            \
    switch (kind) {                                                                                          \
    case VIRTUAL_SITE_2:                                                                                     \
      for (int d = 0; d < 3; d++) {                                                                          \
        one[d] = c[0] * f[d];                                                                                \
        two[d] = (T){0};                                                                                     \
      }                                                                                                      \
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
    }                                                                                                        \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

VIRTUAL_SITE_FUNCTIONS(double, double, sqrt)

#endif
