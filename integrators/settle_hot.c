/* SETTLE, after Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992).
 *
 * The constraint forces lie in the plane of the old triangle and have neither sum nor torque. So the new
 * triangle has the centre of mass of the unconstrained one, and its sites keep their heights za, zb, zc above
 * the centre of mass along the old plane's normal Z. Put the triangle flat into the XY plane, a on the axis
 * Y. Tilt it by phi about X and by psi about Y to match the heights:
 *
 *   sin phi = za / ra,   sin psi = (zb - zc) / (2 rc cos phi).
 *
 * The remaining rotation theta about Z follows from the torque:
 *
 *   alpha sin theta + beta cos theta = gamma.
 *
 * The axes are not normalised: Z = b0 x c0 of the old sides from a, X = a x Z of the new a from the centre of
 * mass, Y = Z x X. A vector enters only by its products with b0, c0 and Z, since
 *
 *   X = (a.c0) b0 - (a.b0) c0,   Y = (X.b0) c0 - (X.c0) b0,   Y.v = (Z.Z) (a.v) in the plane.
 *
 * Multiplying out the lengths leaves two of five roots, one after the other: w = |Z| cos phi cos psi and
 * rho = sqrt(alpha^2 + beta^2 - gamma^2), each in its own units.
 *
 * All vectors are relative to site a or to the centre of mass, and only the displacement, a small number, is
 * added to the coordinates: their size does not affect the error. Site a moves by minus the weighted moves of
 * b and c, so that the centre of mass stays to the last place. */
#include "integrators/settle_hot.h"
#include "integrators/triangle_hot.h"

ISA_DECLARE(SettleKernels, settle_kernels_table);

/* Parts of a pack that pass a stage together: the work of one hides the roots of the other. */
enum { ABREAST = REGISTERS < 2 ? 1 : 2 };

/* Results of the first stage; products of the unconstrained b1 and c1 are relative to the centre of mass. */
typedef struct Tilt {
  vd ab, ac;         /* a.b0, a.c0                                        */
  vd xb0, xc0, xb1;  /* X.b0, X.c0, X.b1 = -X.c1                          */
  vd yb1, yc1;       /* Y.b1, Y.c1                                        */
  vd xx, zz;         /* X.X, Z.Z                                          */
  vd yb2, yc2;       /* of b and c after the tilts, times |Z|^2 cos phi   */
  vd w;              /* |Z| cos phi cos psi; rc |Z| w is -x of b, alike   */
  vd slope_inverse;  /* 1/(|Z|^2 cos^2 phi)                               */
  vd square_inverse; /* 1/(zz xx)                                         */
} Tilt;

/* Results of the second stage. */
typedef struct Turn {
  vd p, q, g;           /* of alpha, beta and gamma                  */
  vd rho, norm_inverse; /* 1/(zz p^2 + q^2)                   */
  vi moves;
} Turn;

/* b - a and c - a. */
VEC_INLINE void sides(const Settle *s, const Vec8 *q, int part, vd b[3], vd c[3])
{
  UNROLL for (int d = 0; d < 3; d++)
  {
    const vd a = vd_load(&q[3 * s->a + d], part);
    b[d] = vd_load(&q[3 * s->b + d], part) - a;
    c[d] = vd_load(&q[3 * s->c + d], part) - a;
  }
}

VEC_INLINE void tilt(const Settle *s, const Vec8 *q_old, const Vec8 *q, int part, Tilt *out)
{
  vd b0[3], c0[3], b1[3], c1[3], z[3];
  sides(s, q_old, part, b0, c0);
  sides(s, q, part, b1, c1);
  vd_cross(b0, c0, z);
  const vd bb = vd_dot3(b0, b0), bc = vd_dot3(b0, c0), cc = vd_dot3(c0, c0), zz = vd_dot3(z, z);
  const vd b1b0 = vd_dot3(b1, b0), b1c0 = vd_dot3(b1, c0), b1z = vd_dot3(b1, z);
  const vd c1b0 = vd_dot3(c1, b0), c1c0 = vd_dot3(c1, c0), c1z = vd_dot3(c1, z);
  const vd ab = -s->share * (b1b0 + c1b0), ac = -s->share * (b1c0 + c1c0), az = -s->share * (b1z + c1z);
  const vd xb0 = bb * ac - bc * ab, xc0 = bc * ac - cc * ab;
  const vd xx = ac * xb0 - ab * xc0;
  const vd rise = az * (1.0 / s->ra), spread = (b1z - c1z) * (0.5 / s->rc);
  const vd slope = zz - rise * rise, side = s->rc * spread * rise;
  const vd square = zz * xx, inverse = vd_recip(square * slope);
  const vd yb1 = b1c0 * xb0 - b1b0 * xc0 + xx;
  *out = (Tilt){.ab = ab,
                .ac = ac,
                .xb0 = xb0,
                .xc0 = xc0,
                .xb1 = b1b0 * ac - b1c0 * ab,
                .yb1 = yb1,
                .yc1 = -(1.0 / s->pull) * xx - yb1,
                .xx = xx,
                .zz = zz,
                .yb2 = -s->rb * slope - side,
                .yc2 = -s->rb * slope + side,
                .w = vd_root(slope - spread * spread),
                .slope_inverse = inverse * square,
                .square_inverse = inverse * slope};
}

VEC_INLINE void turn(const Settle *s, const Tilt *t, Turn *out)
{
  const vd x2 = s->rc * t->w;
  const vd p = t->ab * t->yb2 + t->ac * t->yc2 - x2 * (t->xb0 - t->xc0);
  const vd q = t->xb0 * t->yb2 + t->xc0 * t->yc2 - x2 * t->zz * (t->ac - t->ab);
  const vd g = t->xb0 * t->yb1 + t->xc0 * t->yc1 + t->zz * t->xb1 * (t->ac - t->ab);
  const vd norm = t->zz * p * p + q * q;
  const vd square = t->xx * norm * t->slope_inverse - g * g;
  *out = (Turn){.p = p,
                .q = q,
                .g = g,
                .rho = vd_root(t->zz * square),
                .norm_inverse = vd_recip(norm),
                .moves = square > 0.0};
}

/* The displacements of b and c from their unconstrained places, which have no component along Z. */
VEC_INLINE void displace(const Settle *s, const Tilt *t, const Turn *u, const Vec8 *q_old, int part, vd db[3],
                         vd dc[3])
{
  const vd none = vd_set(0.0), x2 = s->rc * t->w, x2z = x2 * t->zz;
  const vd sine = (t->zz * u->p * u->g - u->q * u->rho) * u->norm_inverse;
  const vd cosine = (u->q * u->g + u->p * u->rho) * u->norm_inverse;
  const vd scale = t->square_inverse, zxb1 = t->zz * t->xb1;
  const vd xb = vd_select(u->moves, (-x2z * cosine - t->yb2 * sine - zxb1) * scale, none);
  const vd yb = vd_select(u->moves, (t->yb2 * cosine - x2 * sine - t->yb1) * scale, none);
  const vd xc = vd_select(u->moves, (x2z * cosine - t->yc2 * sine + zxb1) * scale, none);
  const vd yc = vd_select(u->moves, (t->yc2 * cosine + x2 * sine - t->yc1) * scale, none);
  /* X and Y in terms of b0 and c0. */
  const vd b_b0 = xb * t->ac - yb * t->xc0, b_c0 = yb * t->xb0 - xb * t->ab;
  const vd c_b0 = xc * t->ac - yc * t->xc0, c_c0 = yc * t->xb0 - xc * t->ab;
  vd b0[3], c0[3];
  sides(s, q_old, part, b0, c0);
  UNROLL for (int d = 0; d < 3; d++)
  {
    db[d] = b_b0 * b0[d] + b_c0 * c0[d];
    dc[d] = c_b0 * b0[d] + c_c0 * c0[d];
  }
}

/* The multipliers, from M delta / t = J_old' nu: nu = (J M^-1 J')^-1 J delta / t. */
VEC_INLINE void multipliers(const Settle *s, double t, const Vec8 *q_old, int part, const vd db[3],
                            const vd dc[3], Vec8 *nu_out)
{
  vd old[9], r[3][3], delta[9], nu[3];
  triangle_load(q_old, part, old);
  triangle_sides(old, r);
  UNROLL for (int d = 0; d < 3; d++)
  {
    delta[3 * s->a + d] = -s->pull * (db[d] + dc[d]);
    delta[3 * s->b + d] = db[d];
    delta[3 * s->c + d] = dc[d];
  }
  triangle_dot(r, NULL, delta, nu);
  triangle_apply(s->inverse, nu, nu);
  UNROLL for (int c = 0; c < 3; c++) vd_store(&nu_out[c], part, (1.0 / t) * nu[c]);
}

VEC_INLINE void move(const Settle *s, double t, int part, const vd db[3], const vd dc[3], Pack *pack)
{
  const double rate = s->mass / t;
  UNROLL for (int d = 0; d < 3; d++)
  {
    const vd kick_b = rate * db[d], kick_c = rate * dc[d];
    vd_add(&pack->q[3 * s->a + d], part, -s->pull * (db[d] + dc[d]));
    vd_add(&pack->q[3 * s->b + d], part, db[d]);
    vd_add(&pack->q[3 * s->c + d], part, dc[d]);
    vd_add(&pack->p[3 * s->a + d], part, -(kick_b + kick_c));
    vd_add(&pack->p[3 * s->b + d], part, kick_b);
    vd_add(&pack->p[3 * s->c + d], part, kick_c);
  }
}

/* Lanes without a solution and tail lanes do not move. */
static unsigned positions(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  const Settle *s = self;
  unsigned failed = 0;
  for (int first = 0; first < REGISTERS; first += ABREAST) {
    Tilt tilts[ABREAST];
    Turn turns[ABREAST];
    for (int i = 0; i < ABREAST; i++)
      tilt(s, q_old, pack->q, first + i, &tilts[i]);
    VEC_PHASE(tilts);
    for (int i = 0; i < ABREAST; i++) {
      turn(s, &tilts[i], &turns[i]);
      const vi used = vd_load(pack->active, first + i) != 0.0;
      failed |= vi_bits(used & ~turns[i].moves) << (first + i) * WIDTH;
      turns[i].moves &= used;
    }
    VEC_PHASE(turns);
    for (int i = 0; i < ABREAST; i++) {
      vd db[3], dc[3];
      displace(s, &tilts[i], &turns[i], q_old, first + i, db, dc);
      move(s, t, first + i, db, dc, pack);
      if (nu_out != NULL)
        multipliers(s, t, q_old, first + i, db, dc, nu_out);
    }
  }
  return failed;
}

const SettleKernels ISA_SYMBOL(settle_kernels_table) = {positions};
