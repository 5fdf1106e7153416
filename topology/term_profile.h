/* Energy and derivatives of each row of terms.def as functions of its coordinate, whose values `at`
 * engine/coordinate.h defines. The energy is u[0]; its first and second derivative by r, cos theta or phi are
 * u[1] and u[2]. The part counted in the other column is u[3]. Rows with two coordinates set u[4] and u[5],
 * derivatives by the second one, and u[6], the mixed derivative. The array p has the parameters in the order
 * of term_ready; for a row with a grid, the cell of term_grid_cell; for one with a table, that of
 * term_grid_table. */
#ifndef HOLONOM_TOPOLOGY_TERM_PROFILE_H
#define HOLONOM_TOPOLOGY_TERM_PROFILE_H

#include "engine/units.h"
#include "engine/vec_math.h"
#include "topology/term.h"
#include "topology/term_grid_vec.h"

enum { TERM_PROFILE = 7 }; /* length of u */

/* Whether a row has a table. */
VEC_INLINE bool term_tabulated(const TermRow row)
{
  return row == TERM_ROW_distance_table || row == TERM_ROW_angle_table || row == TERM_ROW_torsion_table;
}

/* --- distances ------------------------------------------------------------------------------------------ */

VEC_INLINE void term_profile_bond(const vd *p, const vd at[2], vd u[4])
{
  const vd x = at[0] - p[0];
  u[0] = 0.5 * p[1] * x * x;
  u[1] = p[1] * x;
  u[2] = p[1];
}

VEC_INLINE void term_profile_urey_bradley(const vd *p, const vd at[2], vd u[4])
{
  term_profile_bond(p, at, u);
}

VEC_INLINE void term_profile_bond_quartic(const vd *p, const vd at[2], vd u[4])
{
  const vd r = at[0], w = r * r - p[0] * p[0];
  u[0] = 0.25 * p[1] * w * w;
  u[1] = p[1] * w * r;
  u[2] = p[1] * (w + 2.0 * r * r);
}

VEC_INLINE void term_profile_bond_morse(const vd *p, const vd at[2], vd u[4])
{
  const vd e = vd_exp(p[2] * (p[0] - at[0])), slope = 2.0 * p[1] * p[2] * e;
  u[0] = p[1] * (1.0 - e) * (1.0 - e);
  u[1] = slope * (1.0 - e);
  u[2] = slope * p[2] * (2.0 * e - 1.0);
}

VEC_INLINE void term_profile_bond_polynomial(const vd *p, const vd at[2], vd u[4])
{
  const vd x = at[0] - p[0];
  u[0] = x * x * (0.5 * p[1] + x * (p[2] + x * p[3]));
  u[1] = x * (p[1] + x * (3.0 * p[2] + 4.0 * x * p[3]));
  u[2] = p[1] + x * (6.0 * p[2] + 12.0 * x * p[3]);
}

VEC_INLINE void term_profile_distance_table(const vd *p, const vd at[2], vd u[4])
{
  (void)at; /* the cell contains the position */
  term_grid_table_eval(p, u);
}

VEC_INLINE void term_profile_pair_14(const vd *p, const vd at[2], vd u[4])
{
  const vd s = p[0] * at[1], s3 = s * s * s, s6 = s3 * s3, depth = 4.0 * p[1];
  u[3] = UNITS_COULOMB * p[2] * at[1];
  u[0] = depth * s6 * (s6 - 1.0) + u[3];
  u[1] = -at[1] * (depth * s6 * (12.0 * s6 - 6.0) + u[3]);
  u[2] = at[1] * at[1] * (depth * s6 * (156.0 * s6 - 42.0) + 2.0 * u[3]);
}

/* Two half-parabolas, below p[0] and above p[1], of which at most one acts; linear beyond p[2]. */
VEC_INLINE void term_profile_distance_restraint(const vd *p, const vd at[2], vd u[4])
{
  const vd zero = vd_set(0.0), r = at[0], below = vd_max(p[0] - r, zero);
  const vd above = vd_max(vd_min(r, p[2]) - p[1], zero), beyond = vd_max(r - p[2], zero);
  const vd x = above - below;
  u[0] = p[3] * (0.5 * x * x + above * beyond);
  u[1] = p[3] * x;
  u[2] = vd_where((below > zero) | ((above > zero) & (r < p[2])), p[3]);
}

/* --- two distances -------------------------------------------------------------------------------------- */

VEC_INLINE void term_profile_bond_bond(const vd *p, const vd at[4], vd u[TERM_PROFILE])
{
  const vd x = at[0] - p[0], y = at[2] - p[1];
  u[0] = p[2] * x * y;
  u[1] = p[2] * y;
  u[2] = u[5] = vd_set(0.0);
  u[4] = p[2] * x;
  u[6] = p[2];
}

/* --- angles --------------------------------------------------------------------------------------------- */

/* The angle `at` minus the angle whose cosine and sine are p[0] and p[1], from -pi to pi. */
VEC_INLINE vd term_turned(const vd *p, const vd at[2])
{
  return vd_atan2(vd_rounded(at[1] * p[0]) - vd_rounded(at[0] * p[1]),
                  vd_rounded(at[0] * p[0]) + vd_rounded(at[1] * p[1]));
}

/* As term_profile_angle, of any V with these derivatives by theta. */
VEC_INLINE void term_bent(vd slope, vd second, const vd at[2], vd u[4])
{
  const vd c = at[0], s = at[1], tip = vd_where(s < 1e-6, vd_set(1e-10));
  u[1] = -(slope + second * c * tip) / (s + tip);
  u[2] = (second + u[1] * c) / (s * s + tip * tip);
}

VEC_INLINE void term_profile_angle_quartic(const vd *p, const vd at[2], vd u[4])
{
  const vd x = term_turned(p, at);
  u[0] = p[2] + x * (p[3] + x * (p[4] + x * (p[5] + x * p[6])));
  term_bent(p[3] + x * (2.0 * p[4] + x * (3.0 * p[5] + 4.0 * x * p[6])),
            2.0 * p[4] + x * (6.0 * p[5] + 12.0 * x * p[6]), at, u);
}

VEC_INLINE void term_profile_angle_table(const vd *p, const vd at[2], vd u[4])
{
  vd v[3];
  term_grid_table_eval(p, v);
  u[0] = v[0];
  term_bent(v[1], v[2], at, u);
}

/* V is infinite at 0 and 180 degrees. Within 1e-6 rad of these it is finite, and without a force. With x = c
 * - c0 and D = s^2: V = k x^2/2 D, dV/dc = k x (1 - c c0)/D^2. */
VEC_INLINE void term_profile_angle_restricted(const vd *p, const vd at[2], vd u[4])
{
  const vd c = at[0], x = c - p[0], n = x * (1.0 - c * p[0]);
  const vi bent = at[1] >= 1e-6;
  const vd inverse = 1.0 / vd_max(at[1] * at[1], vd_set(1e-12)), square = inverse * inverse;
  u[0] = 0.5 * p[2] * x * x * inverse;
  u[1] = vd_where(bent, p[2] * n * square);
  u[2] = vd_where(bent, p[2] * (1.0 - 2.0 * c * p[0] + p[0] * p[0] + 4.0 * c * n * inverse) * square);
}

/* With c = cos theta, s = sin theta: dV/dc = -V'/s, d2V/dc2 = (V'' + c dV/dc)/s^2. At 0 and 180 degrees V'/s
 * tends to c V'' if V' is zero there. Otherwise V has a conical tip, which is rounded. */
VEC_INLINE void term_profile_angle(const vd *p, const vd at[2], vd u[4])
{
  const vd x = term_turned(p, at), c = at[0], s = at[1];
  const vd tip = vd_where(s < 1e-6, vd_set(1e-10));
  u[0] = 0.5 * p[2] * x * x;
  u[1] = -p[2] * (x + c * tip) / (s + tip);
  u[2] = (p[2] + u[1] * c) / (s * s + tip * tip);
}

VEC_INLINE void term_profile_angle_cosine(const vd *p, const vd at[2], vd u[4])
{
  const vd x = at[0] - p[0];
  u[0] = 0.5 * p[2] * x * x;
  u[1] = p[2] * x;
  u[2] = p[2];
}

/* --- dihedral angles ------------------------------------------------------------------------------------ */

/* Computes (cos phi + i sin phi)^n, rotated back by the phase. */
VEC_INLINE void term_profile_torsion(const vd *p, const vd at[2], vd u[4])
{
  const vd n = p[3];
  vd c = vd_set(1.0), s = vd_set(0.0), done = vd_set(0.0);
  while (vi_bits(done < n) != 0) {
    const vi more = done < n;
    const vd next = vd_rounded(c * at[0]) - vd_rounded(s * at[1]);
    s = vd_select(more, vd_rounded(s * at[0]) + vd_rounded(c * at[1]), s);
    c = vd_select(more, next, c);
    done += 1.0;
  }
  const vd cosine = vd_rounded(c * p[0]) + vd_rounded(s * p[1]),
           sine = vd_rounded(s * p[0]) - vd_rounded(c * p[1]);
  u[0] = p[2] + p[2] * cosine;
  u[1] = -p[2] * n * sine;
  u[2] = -p[2] * n * n * cosine;
}

VEC_INLINE void term_profile_improper_periodic(const vd *p, const vd at[2], vd u[4])
{
  term_profile_torsion(p, at, u);
}

/* A polynomial in x = -cos phi, which is cos(phi - 180 degrees). */
VEC_INLINE void term_profile_torsion_ryckaert(const vd *p, const vd at[2], vd u[4])
{
  const vd x = -at[0];
  vd slope = vd_set(0.0), second = vd_set(0.0);
  u[0] = p[5];
  UNROLL
  for (int k = 4; k >= 0; k--) {
    second = second * x + 2.0 * slope;
    slope = slope * x + u[0];
    u[0] = u[0] * x + p[k];
  }
  u[1] = slope * at[1];
  u[2] = vd_rounded(second * at[1] * at[1]) + vd_rounded(slope * at[0]);
}

VEC_INLINE void term_profile_torsion_table(const vd *p, const vd at[2], vd u[4])
{
  (void)at; /* the cell contains the position */
  term_grid_table_eval(p, u);
}

VEC_INLINE void term_profile_improper(const vd *p, const vd at[2], vd u[4])
{
  const vd x = term_turned(p, at);
  u[0] = 0.5 * p[2] * x * x;
  u[1] = p[2] * x;
  u[2] = p[2];
}

/* p[2] in degrees. */
VEC_INLINE void term_profile_dihedral_restraint(const vd *p, const vd at[2], vd u[4])
{
  const vd zero = vd_set(0.0), flat = 0.017453292519943295 * p[2], x = term_turned(p, at);
  const vd off = vd_max(x - flat, zero) - vd_max(-x - flat, zero);
  u[0] = 0.5 * p[3] * off * off;
  u[1] = p[3] * off;
  u[2] = vd_where(vd_abs(x) > flat, p[3]);
}

/* --- two dihedral angles -------------------------------------------------------------------------------- */

VEC_INLINE void term_profile_cmap(const vd *p, const vd at[4], vd u[TERM_PROFILE])
{
  (void)at; /* the cell contains the position */
  term_grid_eval(p, u);
}

/* --- by row --------------------------------------------------------------------------------------------- */

VEC_INLINE void term_profile(const TermRow row, const vd *p, const vd *at, vd u[TERM_PROFILE])
{
  switch (row) {
#define TERM(id, ...)                                                                                        \
  case TERM_ROW_##id:                                                                                        \
    term_profile_##id(p, at, u);                                                                             \
    break;
#include "topology/terms.def"
#undef TERM
  default:
    break;
  }
}

#endif
