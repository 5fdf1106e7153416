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

bool virtual_site_at(const VirtualSite *site, const double (*x)[3], double at[3])
{
  const double *const i = x[site->parent[0]];
  double c[3], r[3 * (VIRTUAL_SITE_PARENTS - 1)] = {0.0};
  virtual_site_ready(site, c);
  for (int k = 1; k < virtual_site_types[site->kind].nparent; k++)
    for (int d = 0; d < 3; d++)
      r[3 * (k - 1) + d] = x[site->parent[k]][d] - i[d];
  const double known = virtual_site_place_double(site->kind, c, r, at);
  for (int d = 0; d < 3; d++)
    at[d] += i[d];
  return known > VIRTUAL_SITE_FLAT && isfinite(at[0] + at[1] + at[2]);
}
