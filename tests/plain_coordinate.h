/* Distances, angles and dihedral angles of points with their gradients, and nearest images, as textbooks have
 * them. */
#ifndef HOLONOM_TESTS_PLAIN_COORDINATE_H
#define HOLONOM_TESTS_PLAIN_COORDINATE_H

/* r becomes the shortest of its images in a box of these edges; NULL: as it is. */
void plain_nearest(const double (*box)[3], double r[3]);

void plain_cross(const double a[3], const double b[3], double c[3]);

static inline double plain_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The distance of two points, the angle of three or the dihedral angle of four, radians; grad[n][3] by each
 * point. Source of the last: Blondel and Karplus, J. Comput. Chem. 17, 1132 (1996). */
double plain_coordinate(int n, double x[][3], double grad[][3]);

#endif
