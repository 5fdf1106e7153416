/* The interaction sites of a molecule: its atoms, in their order, then virtual sites without mass, placed
 * by three atoms:
 *
 *   x_v = x_0 + a r_1 + b r_2 + c r_1 x r_2,  r_i = x_i - x_0.
 *
 * They follow molecules whose bonds stretch, too: kind "3out" of a file's virtual sites or, with c = 0, a
 * site in the atoms' plane, "3" (topology/virtual_site.h). Lennard-Jones acts between first sites, charges
 * between all; sites of one molecule are excluded from each other. All forces use these sites, and a new
 * model is a row of numbers (water.h, atom_model.h). */
#ifndef HOLONOM_FORCEFIELDS_SITE_MAP_H
#define HOLONOM_FORCEFIELDS_SITE_MAP_H

#include <stdbool.h>

#include "engine/description.h"
#include "topology/virtual_site.h"

enum { SITE_MAP_ATOMS = 3, SITE_MAP_SITES = 5 };

typedef struct SiteMap {
  const char *name;
  int natom, nsite;                 /* 1 or 3; virtual sites require 3 atoms */
  bool planar;                      /* all virtual sites are in the atoms' plane */
  const char *site[SITE_MAP_SITES]; /* names */
  double charge[SITE_MAP_SITES];    /* e */
  double bond[SITE_MAP_SITES];      /* distance from the first site at rest, A */
  double place[SITE_MAP_SITES][3];  /* a, b, and c in 1/A; unused for atoms */
  double sigma, epsilon;            /* of the first site, A and kcal/mol */
  double lj[2];                     /* A and C of A/r^12 - C/r^6 between first sites, kcal A^n/mol */
} SiteMap;

/* For a type T of numbers (double, vd ...) of VIRTUAL_SITE_FUNCTIONS, the inlined
 *   site_map_place_NAME(map, nsite, planar, r)
 * fills the virtual sites of r[nsite][3] from its atoms. Positions are relative to the first; r[0] is not
 * read. The inlined
 *   site_map_spread_NAME(map, nsite, planar, r, f)
 * adds the forces on virtual sites to the atoms of f[nsite][3]: a gradient of the sites' energy becomes a
 * gradient for the atoms. Constants for nsite and planar unroll the loops. (Placing repeats the text of
 * virtual_site_place_NAME, since a call would let compilers fuse other products and change last bits.) */
/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type. */
#define SITE_MAP_FUNCTIONS(T, NAME)                                                                          \
  static inline __attribute__((always_inline)) void site_map_place_##NAME(                                   \
      const SiteMap *map, const int nsite, const bool planar, T *r)                                          \
  {                                                                                                          \
    for (int v = SITE_MAP_ATOMS; v < nsite; v++) {                                                           \
      T normal[3];                                                                                           \
      if (!planar)                                                                                           \
        virtual_site_cross_##NAME(r + 3, r + 6, normal);                                                     \
      for (int d = 0; d < 3; d++) {                                                                          \
        r[3 * v + d] = map->place[v][0] * r[3 + d] + map->place[v][1] * r[6 + d];                            \
        if (!planar)                                                                                         \
          r[3 * v + d] += map->place[v][2] * normal[d];                                                      \
      }                                                                                                      \
    }                                                                                                        \
  }                                                                                                          \
  static inline __attribute__((always_inline)) void site_map_spread_##NAME(                                  \
      const SiteMap *map, const int nsite, const bool planar, const T *r, T *f)                              \
  {                                                                                                          \
    const VirtualSiteKind kind = planar ? VIRTUAL_SITE_3 : VIRTUAL_SITE_3OUT;                                \
    for (int v = SITE_MAP_ATOMS; v < nsite; v++) {                                                           \
      T g[6];                                                                                                \
      virtual_site_spread_##NAME(kind, map->place[v], r + 3, f + 3 * v, g);                                  \
      for (int d = 0; d < 3; d++) {                                                                          \
        f[d] += f[3 * v + d] - (g[d] + g[3 + d]);                                                            \
        f[3 + d] += g[d];                                                                                    \
        f[6 + d] += g[3 + d];                                                                                \
      }                                                                                                      \
    }                                                                                                        \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

SITE_MAP_FUNCTIONS(double, double)

/* x[nsite][3] of a molecule with its atoms at `atom`[natom][3]. */
void site_map_sites(const SiteMap *map, const double *atom, double *x);

/* f[natom][3] += the forces on sites, `force`[nsite][3], of a molecule with its sites at x[nsite][3]. */
void site_map_forces(const SiteMap *map, const double *x, const double *force, double *f);

/* virial[d][e] += the sum of x_d f_e over atoms minus that over sites. It is zero unless a virtual site is
 * out of the plane, since c r_1 x r_2 is quadratic in a scale. */
void site_map_virial(const SiteMap *map, const double *x, const double *force, double virial[3][3]);

/* Charges on the atoms alone with the same net charge and, if virtual sites out of the plane are in pairs,
 * the same dipole. */
void site_map_atom_charges(const SiteMap *map, double charge[SITE_MAP_ATOMS]);

/* The first site that may be charged: with virtual sites, the first atom is not. */
static inline int site_map_first_charged(int natom, int nsite) { return nsite > natom ? 1 : 0; }

/* Whether any site has a charge. */
bool site_map_charged(const SiteMap *map);

/* Describes site s of the molecule in a lane of a block, cut by itself; the caller sets the type. */
SiteDescription site_map_describe(const SiteMap *map, int block, int lane, int s);

#endif
