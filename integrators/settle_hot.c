/* SETTLE, after Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992); letters as there.
 *
 * The constraint forces lie in the plane of the old triangle and have no sum and no torque. So the new
 * triangle has the centre of mass of the unconstrained one, and seen along the old plane's normal Z its
 * sites keep their heights za, zb, zc above the centre of mass. Put the triangle flat into the XY plane,
 * a on the axis Y; tilt it by phi about X and by psi about Y so that the heights come out right:
 *   sin phi = za / ra,   sin psi = (zb - zc) / (2 rc cos phi);
 * what is left is the turn theta about Z, from the torque:
 *   alpha sin theta + beta cos theta = gamma.
 *
 * All vectors are relative to site a or to the centre of mass, and the displacement, a small number, is
 * what is added to the coordinates: their size does not enter the error. Site a takes the negative of
 * what b and c get, so that the centre of mass stays to the last place. */
#include "integrators/settle_hot.h"
#include "integrators/jacobian_hot.h"

ISA_DECLARE(SettleKernels, settle_kernels_table);

VEC_INLINE void cross(const Octet a[3], const Octet b[3], Octet out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The displacements of b and c from the old triangle's sides b0, c0 (from a) and the unconstrained sides
 * b1, c1. Returns the mask of the lanes that have a solution; the others and tail lanes stay where they are.
 */
VEC_INLINE OctetMask settle_solve(const Settle *s, OctetMask tail, const Octet b0[3], const Octet c0[3],
                                  const Octet b1[3], const Octet c1[3], Octet db[3], Octet dc[3])
{
  /* From the centre of mass: a at -com, b at b1 - com, c at c1 - com. */
  Octet a[3], b[3], c[3];
  UNROLL for (int d = 0; d < 3; d++)
  {
    const Octet com = s->share * (b1[d] + c1[d]);
    a[d] = -com;
    b[d] = b1[d] - com;
    c[d] = c1[d] - com;
  }
  /* The frame: Z normal to the old plane, X normal to Z and a, Y the third. */
  Octet x[3], y[3], z[3];
  cross(b0, c0, z);
  cross(a, z, x);
  cross(z, x, y);
  const Octet z_inverse = octet_rsqrt(lanes_dot3(z, z)), x_inverse = octet_rsqrt(lanes_dot3(x, x));
  const Octet y_inverse = z_inverse * x_inverse;
  UNROLL for (int d = 0; d < 3; d++)
  {
    x[d] *= x_inverse;
    y[d] *= y_inverse;
    z[d] *= z_inverse;
  }
  const Octet xb0 = lanes_dot3(x, b0), yb0 = lanes_dot3(y, b0);
  const Octet xc0 = lanes_dot3(x, c0), yc0 = lanes_dot3(y, c0);
  const Octet xb1 = lanes_dot3(x, b), yb1 = lanes_dot3(y, b), zb1 = lanes_dot3(z, b);
  const Octet xc1 = lanes_dot3(x, c), yc1 = lanes_dot3(y, c), zc1 = lanes_dot3(z, c);
  const Octet za1 = lanes_dot3(z, a);

  /* phi and psi. */
  const Octet one = octet_set(1.0);
  const Octet sin_phi = za1 * (1.0 / s->ra);
  const Octet phi_square = 1.0 - sin_phi * sin_phi;
  OctetMask fine = phi_square > 0.0;
  const Octet sec_phi = octet_rsqrt(octet_select(fine, phi_square, one));
  const Octet cos_phi = phi_square * sec_phi;
  const Octet sin_psi = (zb1 - zc1) * (0.5 / s->rc) * sec_phi;
  const Octet psi_square = 1.0 - sin_psi * sin_psi;
  fine &= psi_square > 0.0;
  const Octet cos_psi = psi_square * octet_rsqrt(octet_select(fine, psi_square, one));

  /* b and c after the two tilts. */
  const Octet side = s->rc * sin_psi * sin_phi;
  const Octet xb2 = -s->rc * cos_psi;
  const Octet yb2 = -s->rb * cos_phi - side, yc2 = -s->rb * cos_phi + side;

  /* theta. */
  const Octet alpha = xb2 * (xb0 - xc0) + yb0 * yb2 + yc0 * yc2;
  const Octet beta = xb2 * (yc0 - yb0) + xb0 * yb2 + xc0 * yc2;
  const Octet gamma = xb0 * yb1 - xb1 * yb0 + xc0 * yc1 - xc1 * yc0;
  const Octet norm = alpha * alpha + beta * beta;
  const Octet root_square = norm - gamma * gamma;
  fine &= root_square > 0.0;
  const Octet root = root_square * octet_rsqrt(octet_select(fine, root_square, one));
  const Octet scale = lanes_recip(norm);
  const Octet sin_theta = (alpha * gamma - beta * root) * scale;
  const Octet cos_theta = (beta * gamma + alpha * root) * scale;

  /* New less unconstrained place, in the frame and then outside; none along Z. */
  const Octet none = octet_set(0.0);
  const OctetMask moves = fine & ~tail;
  const Octet xb = octet_select(moves, xb2 * cos_theta - yb2 * sin_theta - xb1, none);
  const Octet yb = octet_select(moves, xb2 * sin_theta + yb2 * cos_theta - yb1, none);
  const Octet xc = octet_select(moves, -xb2 * cos_theta - yc2 * sin_theta - xc1, none);
  const Octet yc = octet_select(moves, -xb2 * sin_theta + yc2 * cos_theta - yc1, none);
  UNROLL for (int d = 0; d < 3; d++)
  {
    db[d] = xb * x[d] + yb * y[d];
    dc[d] = xc * x[d] + yc * y[d];
  }
  return fine;
}

/* The multipliers, from M delta / t = J_old' nu: nu = (J M^-1 J')^-1 J delta / t. */
VEC_INLINE void settle_multipliers(const Settle *s, const Kind *kind, double t, const Octet *q_old,
                                   const Octet *delta, Octet *nu)
{
  Jacobian old;
  Octet along[3];
  jacobian_eval(kind, true, q_old, NULL, &old);
  jacobian_dot(kind, true, &old, NULL, delta, along);
  const double *a = s->inverse;
  for (int c = 0; c < 3; c++)
    nu[c] = (1.0 / t) * (a[3 * c] * along[0] + a[3 * c + 1] * along[1] + a[3 * c + 2] * along[2]);
}

static unsigned positions(const Settle *s, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Octet *a_old = q_old + 3 * s->a, *b_old = q_old + 3 * s->b, *c_old = q_old + 3 * s->c;
  Octet *qa = pack->q + 3 * s->a, *qb = pack->q + 3 * s->b, *qc = pack->q + 3 * s->c;
  Octet *pa = pack->p + 3 * s->a, *pb = pack->p + 3 * s->b, *pc = pack->p + 3 * s->c;
  Octet b0[3], c0[3], b1[3], c1[3], db[3], dc[3];
  UNROLL for (int d = 0; d < 3; d++)
  {
    b0[d] = b_old[d] - a_old[d];
    c0[d] = c_old[d] - a_old[d];
    b1[d] = qb[d] - qa[d];
    c1[d] = qc[d] - qa[d];
  }
  const OctetMask tail = *pack->active == 0.0;
  const OctetMask fine = settle_solve(s, tail, b0, c0, b1, c1, db, dc);
  const double rate = s->mass / t;
  UNROLL for (int d = 0; d < 3; d++)
  {
    const Octet kick_b = rate * db[d], kick_c = rate * dc[d];
    qa[d] -= s->pull * (db[d] + dc[d]);
    qb[d] += db[d];
    qc[d] += dc[d];
    pa[d] -= kick_b + kick_c;
    pb[d] += kick_b;
    pc[d] += kick_c;
  }
  if (nu_out != NULL) {
    Octet delta[9];
    for (int d = 0; d < 3; d++) {
      delta[3 * s->a + d] = -s->pull * (db[d] + dc[d]);
      delta[3 * s->b + d] = db[d];
      delta[3 * s->c + d] = dc[d];
    }
    settle_multipliers(s, pack->kind, t, q_old, delta, nu_out);
  }
  return ~octet_bits(fine | tail) & 0xffu;
}

const SettleKernels ISA_SYMBOL(settle_kernels_table) = {positions};
