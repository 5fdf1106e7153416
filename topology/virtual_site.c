#include "topology/virtual_site.h"

#include <string.h>

const VirtualSiteType virtual_site_types[] = {
    [VIRTUAL_SITE_2] = {"2", 2, 1, "i, j, a", {false}},
    [VIRTUAL_SITE_2FD] = {"2fd", 2, 1, "i, j, length", {false}},
    [VIRTUAL_SITE_3] = {"3", 3, 2, "i, j, k, a, b", {false}},
    [VIRTUAL_SITE_3FD] = {"3fd", 3, 2, "i, j, k, a, length", {false}},
    [VIRTUAL_SITE_3FAD] = {"3fad", 3, 2, "i, j, k, angle, length", {true}},
    [VIRTUAL_SITE_3OUT] = {"3out", 3, 3, "i, j, k, a, b, c in 1/A", {false}},
    [VIRTUAL_SITE_4FDN] = {"4fdn", 4, 3, "i, j, k, l, a, b, length", {false}},
    [VIRTUAL_SITE_3FADD] = {"3fadd", 3, 3, "i, j, k, angle, length, dihedral", {true, false, true}},
    [VIRTUAL_SITE_3MEDIAN] = {"3median", 3, 3, "i, j, k, angle, length, dihedral", {true, false, true}},
    [VIRTUAL_SITE_3BISECTOR] = {"3bisector", 3, 3, "i, j, k, angle, length, dihedral", {true, false, true}},
    [VIRTUAL_SITE_4BISECTOR] =
        {"4bisector", 4, 3, "i, j, k, l, angle, length, dihedral", {true, false, true}},
    [VIRTUAL_SITE_KINDS] = {0},
};

void virtual_site_ready(const VirtualSite *site, double c[3])
{
  memcpy(c, site->param, 3 * sizeof *c);
  if (site->kind == VIRTUAL_SITE_3FAD || virtual_site_framed(site->kind)) {
    c[0] = site->param[1] * cos(site->param[0]);
    c[1] = site->param[1] * sin(site->param[0]);
  }
  if (virtual_site_framed(site->kind)) {
    c[2] = -c[1] * sin(site->param[2]);
    c[1] *= cos(site->param[2]);
  }
}

/* Positions of the placing atoms after the first, relative to it. */
static void find_vectors(const VirtualSite *site, const double (*x)[3], double r[9])
{
  for (int k = 0; k < 9; k++)
    r[k] = k / 3 + 1 < virtual_site_types[site->kind].nparent
               ? x[site->parent[1 + k / 3]][k % 3] - x[site->parent[0]][k % 3]
               : 0.0;
}

bool virtual_site_at(const VirtualSite *site, const double (*x)[3], double at[3])
{
  double c[3], r[3 * (VIRTUAL_SITE_PARENTS - 1)];
  virtual_site_ready(site, c);
  find_vectors(site, x, r);
  const double known = virtual_site_place_double(site->kind, c, r, at);
  for (int d = 0; d < 3; d++)
    at[d] += x[site->parent[0]][d];
  return known > VIRTUAL_SITE_FLAT && isfinite(at[0] + at[1] + at[2]);
}

void virtual_site_hand_on(const VirtualSite *site, const double (*x)[3], double (*f)[3])
{
  double c[3], r[3 * (VIRTUAL_SITE_PARENTS - 1)], part[3 * (VIRTUAL_SITE_PARENTS - 1)] = {0.0};
  double *const first = f[site->parent[0]];
  virtual_site_ready(site, c);
  find_vectors(site, x, r);
  virtual_site_spread_double(site->kind, c, r, f[site->site], part);
  for (int d = 0; d < 3; d++)
    first[d] += f[site->site][d];
  for (int k = 0; k < 3 * (virtual_site_types[site->kind].nparent - 1); k++) {
    f[site->parent[1 + k / 3]][k % 3] += part[k];
    first[k % 3] -= part[k];
  }
}
