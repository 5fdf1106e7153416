/* Virtual sites at a length, an angle and a dihedral angle in a frame of three or four atoms, such as lone
 * pairs of CHARMM and extra points of AMBER; virtual_site.h calls these functions for its kinds with a
 * frame. */
#ifndef HOLONOM_TOPOLOGY_VIRTUAL_SITE_FRAME_H
#define HOLONOM_TOPOLOGY_VIRTUAL_SITE_FRAME_H

#include <stdbool.h>

/* The position of a virtual site from its parents i, j, k, l, with r_ij = r_j - r_i, as in GROMACS's manual:
 *
 *   2          r_i + a r_ij;
 *   2fd        r_i + a r_ij / |r_ij|;
 *   3          r_i + a r_ij + b r_ik;
 *   3fd        r_i + b (r_ij + a r_jk) / |r_ij + a r_jk|;
 *   3fad       r_i + b cos(a) r_ij / |r_ij| + b sin(a) n / |n|, n the part of r_jk normal to r_ij;
 *   3out       r_i + a r_ij + b r_ik + c r_ij x r_ik;
 *   4fdn       r_i + c u / |u|, u = (a r_ik - r_ij) x (b r_il - r_ij).
 *
 * Kinds with a frame have two arms u and v from i, e = p/|p| and f = q/|q|, q the part of s normal to p. The
 * site is at `r_i + b cos(a) e + b sin(a) (cos(c) f - sin(c) e x f)`:
 *
 *   3fadd      p = u, s = v, u = r_ij, v = r_ik: a is the angle site-i-j, c the dihedral angle site-i-j-k;
 *   3median    p = u + v, s = v - u: as 3fadd with the middle of j and k for j;
 *   3bisector  3median with u / |u| and v / |v|: p bisects the angle j-i-k;
 *   4bisector  3bisector with u = (r_ij + r_ik)/2, v = (r_ij + r_il)/2: to the middles of j-k and j-l. */
typedef enum VirtualSiteKind {
  VIRTUAL_SITE_2,
  VIRTUAL_SITE_2FD,
  VIRTUAL_SITE_3,
  VIRTUAL_SITE_3FD,
  VIRTUAL_SITE_3FAD,
  VIRTUAL_SITE_3OUT,
  VIRTUAL_SITE_4FDN,
  VIRTUAL_SITE_3FADD,
  VIRTUAL_SITE_3MEDIAN,
  VIRTUAL_SITE_3BISECTOR,
  VIRTUAL_SITE_4BISECTOR,
  VIRTUAL_SITE_KINDS
} VirtualSiteKind;

static inline bool virtual_site_framed(VirtualSiteKind kind)
{
  return kind == VIRTUAL_SITE_3FADD || kind == VIRTUAL_SITE_3MEDIAN || kind == VIRTUAL_SITE_3BISECTOR ||
         kind == VIRTUAL_SITE_4BISECTOR;
}

/* For a number type T (double, vd ...) with the square root ROOT: products of vectors, and
 *
 *   virtual_site_frame_place_NAME, virtual_site_frame_spread_NAME
 *
 * for kinds with a frame (see VIRTUAL_SITE_FUNCTIONS); c are the components of the site along e, f and e x f.
 * A force F on a site at t from i exerts the torque t x F on the frame (docs/theory.md). */
/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type. */
#define VIRTUAL_SITE_FRAME_FUNCTIONS(T, NAME, ROOT)                                                          \
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
  typedef struct VirtualSiteFrame_##NAME {                                                                   \
    T u[6], length[2]; /* both arms; their lengths, or 1 for kinds without unit vectors   */                 \
    T p, q, lean;      /* |p|, |q|, s . e */                                                                 \
    T e[9];            /* e, f, e x f */                                                                     \
  } VirtualSiteFrame_##NAME;                                                                                 \
  static inline __attribute__((always_inline))                                                               \
  T virtual_site_frame_##NAME(const VirtualSiteKind kind, const T *r, VirtualSiteFrame_##NAME *to)           \
  {                                                                                                          \
    const bool unit = kind == VIRTUAL_SITE_3BISECTOR || kind == VIRTUAL_SITE_4BISECTOR;                      \
    T p[3], s[3];                                                                                            \
    for (int d = 0; d < 3; d++) {                                                                            \
      to->u[d] = kind == VIRTUAL_SITE_4BISECTOR ? 0.5 * (r[d] + r[3 + d]) : r[d];                            \
      to->u[3 + d] = kind == VIRTUAL_SITE_4BISECTOR ? 0.5 * (r[d] + r[6 + d]) : r[3 + d];                    \
    }                                                                                                        \
    for (int a = 0; a < 2; a++) {                                                                            \
      T *const arm = to->u + 3 * a;                                                                          \
      to->length[a] = unit ? ROOT(virtual_site_dot_##NAME(arm, arm)) : (T){0} + 1.0;                         \
      for (int d = 0; d < 3 && unit; d++)                                                                    \
        arm[d] = arm[d] / to->length[a];                                                                     \
    }                                                                                                        \
    for (int d = 0; d < 3; d++) {                                                                            \
      p[d] = kind == VIRTUAL_SITE_3FADD ? to->u[d] : to->u[d] + to->u[3 + d];                                \
      s[d] = kind == VIRTUAL_SITE_3FADD ? to->u[3 + d] : to->u[3 + d] - to->u[d];                            \
    }                                                                                                        \
    const T pp = virtual_site_dot_##NAME(p, p), ss = virtual_site_dot_##NAME(s, s);                          \
    to->p = ROOT(pp);                                                                                        \
    for (int d = 0; d < 3; d++)                                                                              \
      to->e[d] = p[d] / to->p;                                                                               \
    to->lean = virtual_site_dot_##NAME(s, to->e);                                                            \
    for (int d = 0; d < 3; d++)                                                                              \
      to->e[3 + d] = s[d] - to->lean * to->e[d];                                                             \
    const T qq = virtual_site_dot_##NAME(to->e + 3, to->e + 3);                                              \
    to->q = ROOT(qq);                                                                                        \
    for (int d = 0; d < 3; d++)                                                                              \
      to->e[3 + d] = to->e[3 + d] / to->q;                                                                   \
    virtual_site_cross_##NAME(to->e, to->e + 3, to->e + 6);                                                  \
    return pp * qq /                                                                                         \
           (ss * (virtual_site_dot_##NAME(to->u, to->u) + virtual_site_dot_##NAME(to->u + 3, to->u + 3)));   \
  }                                                                                                          \
  static inline __attribute__((always_inline))                                                               \
  T virtual_site_frame_place_##NAME(const VirtualSiteKind kind, const double *c, const T *r, T *at)          \
  {                                                                                                          \
    VirtualSiteFrame_##NAME frame;                                                                           \
    const T known = virtual_site_frame_##NAME(kind, r, &frame);                                              \
    for (int d = 0; d < 3; d++)                                                                              \
      at[d] = c[0] * frame.e[d] + c[1] * frame.e[3 + d] + c[2] * frame.e[6 + d];                             \
    return known;                                                                                            \
  }                                                                                                          \
  static inline __attribute__((always_inline)) void virtual_site_frame_spread_##NAME(                        \
      const VirtualSiteKind kind, const double *c, const T *r, const T *f, T *by)                            \
  {                                                                                                          \
    VirtualSiteFrame_##NAME frame;                                                                           \
    T at[3], torque[3], g[6];                                                                                \
    virtual_site_frame_##NAME(kind, r, &frame);                                                              \
    for (int d = 0; d < 3; d++)                                                                              \
      at[d] = c[0] * frame.e[d] + c[1] * frame.e[3 + d] + c[2] * frame.e[6 + d];                             \
    virtual_site_cross_##NAME(at, f, torque);                                                                \
    const T one = virtual_site_dot_##NAME(torque, frame.e) / frame.q,                                        \
            two = (virtual_site_dot_##NAME(torque, frame.e + 3) + one * frame.lean) / frame.p,               \
            three = virtual_site_dot_##NAME(torque, frame.e + 6) / frame.p;                                  \
    for (int d = 0; d < 3; d++) {                                                                            \
      const T of_s = one * frame.e[6 + d], of_p = three * frame.e[3 + d] - two * frame.e[6 + d];             \
      g[d] = kind == VIRTUAL_SITE_3FADD ? of_p : of_p - of_s;                                                \
      g[3 + d] = kind == VIRTUAL_SITE_3FADD ? of_s : of_p + of_s;                                            \
    }                                                                                                        \
    for (int a = 0; a < 2 && (kind == VIRTUAL_SITE_3BISECTOR || kind == VIRTUAL_SITE_4BISECTOR); a++) {      \
      const T part = virtual_site_dot_##NAME(frame.u + 3 * a, g + 3 * a);                                    \
      for (int d = 0; d < 3; d++)                                                                            \
        g[3 * a + d] = (g[3 * a + d] - part * frame.u[3 * a + d]) / frame.length[a];                         \
    }                                                                                                        \
    for (int d = 0; d < 3; d++) {                                                                            \
      by[d] = kind == VIRTUAL_SITE_4BISECTOR ? 0.5 * (g[d] + g[3 + d]) : g[d];                               \
      by[3 + d] = kind == VIRTUAL_SITE_4BISECTOR ? 0.5 * g[d] : g[3 + d];                                    \
      if (kind == VIRTUAL_SITE_4BISECTOR)                                                                    \
        by[6 + d] = 0.5 * g[3 + d];                                                                          \
    }                                                                                                        \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
