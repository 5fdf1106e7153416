/* What the size of a periodic box does to diffusion, with and without friction: known lattice sums, the
 * direct sum over images, the same lattice by other edges. */
#include "observables/diffusion.h"
#include "tests/boxes.h"
#include "tests/suite.h"

/* Without friction the sum is that of charges in a neutralising background, 2 c/(4 pi a) with Wigner's
 * constants c (tests/test_net_charge.c) and a the radius of a sphere of the box's volume; of a
 * cube 2.837297/(4 pi L), which is Yeh and Hummer's. Friction that tends to 0 tends there as sqrt(xi). */
TEST(without_friction_it_is_that_of_a_lattice_of_charges, .rows = 3)
{
  static const BoxShape shape[] = {BOX_CUBIC, BOX_OCTAHEDRON, BOX_DODECAHEDRON};
  static const double constant[] = {0.8800594, 0.8959293, 0.8958736};
  const double volume = 27000.0, a = cbrt(3.0 * volume / (4.0 * M_PI));
  const Box box = box_of_volume(shape[_i], volume);
  const double images = diffusion_images(&box, 0.0);
  ck_assert_double_eq_tol(images, constant[_i] / (2.0 * M_PI * a), 1e-7 * images);
  for (double kappa = 1e-9; kappa < 1e-3; kappa *= 10.0)
    ck_assert_double_eq_tol(diffusion_images(&box, kappa), images - kappa / (4.0 * M_PI),
                            2e-3 * kappa + 1e-14);
}

TEST(it_is_the_sum_over_images, .rows = 3)
{
  const Box box[] = {box_brick(30.0, 30.0, 30.0), box_brick(12.0, 33.0, 50.0),
                     boxes_edges(20.0, 8.0, 25.0, -9.0, 11.0, 30.0)};
  const Box *const b = &box[_i];
  for (double kappa = 0.1; kappa < 40.0; kappa *= 1.7) {
    double sum = 1.0 / (box_volume(b) * kappa * kappa);
    for (int i = -40; i <= 40; i++)
      for (int j = -20; j <= 20; j++)
        for (int k = -20; k <= 20; k++) {
          const double n[3] = {i, j, k};
          double at[3];
          box_point(b, n, at);
          const double r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
          sum -= r > 0.0 ? exp(-kappa * r) / (4.0 * M_PI * r) : 0.0;
        }
    ck_assert_double_eq_tol(diffusion_images(b, kappa), sum, 1e-11 * fabs(sum) + 1e-15);
  }
}

TEST(edges_make_no_difference)
{
  static const double edge[3][3] = {{20.0, 0.0, 0.0}, {28.0, 25.0, 0.0}, {11.0, 36.0, 30.0}};
  const Box leans = boxes_unreduced(edge), same = boxes_edges(20.0, 28.0, 25.0, 11.0, 36.0, 30.0);
  for (double kappa = 0.0; kappa < 1.0; kappa += 0.11)
    ck_assert_double_eq_tol(diffusion_images(&leans, kappa), diffusion_images(&same, kappa), 1e-13);
}

/* Of 900 waters in 30 A at 1/ps: the length of SPC/E and TIP3P, sqrt(eta/(rho gamma)), and what friction
 * leaves of the correction without it. */
TEST(friction_leaves_a_part, .rows = 2)
{
  static const double viscosity[] = {0.729, 0.321}, length[] = {8.55, 5.67}, part[] = {0.268, 0.145};
  const Box box = box_brick(30.0, 30.0, 30.0);
  const double drag = 900.0 * 18.0154 * 48.88821e-3,
               kappa = diffusion_screening(drag, box_volume(&box), viscosity[_i]);
  ck_assert_double_eq_tol(1.0 / kappa, length[_i], 0.02);
  ck_assert_double_eq_tol(diffusion_images(&box, kappa) / diffusion_images(&box, 0.0), part[_i], 2e-3);
}
