/* Water models with three massive sites: O, H, H. The negative charge is on the oxygen, on a massless site M
 * on the bisector of the bonds, or on two massless sites L at the lone pairs. */
#ifndef HOLONOM_FORCEFIELDS_WATER_H
#define HOLONOM_FORCEFIELDS_WATER_H

#include "base/status.h"
#include "engine/kind.h"
#include "forcefields/site_map.h"

typedef struct WaterModel {
  const char *name, *doc, *cite;
  double d_oh;    /* bond length, A */
  double angle;   /* H-O-H, degrees */
  double q_h;     /* charge of a hydrogen, e; that of O, of M or of both L is -2 q_h */
  double a, c;    /* Lennard-Jones on oxygens: A/r^12 - C/r^6, kcal A^n/mol */
  double d_om;    /* distance O-M, A; 0: no M */
  double d_ol;    /* distance O-L, A; 0: no L. L-O-L is tetrahedral */
  double density; /* of the liquid at 298 K and 1 atm, g/cm^3 */
} WaterModel;

/* All rows; the last has the name NULL. */
extern const WaterModel water_models[];

/* The angle L-O-L, degrees, as published. */
#define WATER_LONE_PAIRS 109.47

/* Default masses of O and H, g/mol. */
#define WATER_MASS_O 15.9994
#define WATER_MASS_H 1.008

/* The row of a name, or NULL. */
const WaterModel *water_find(const char *name);

/* Checks that lengths, angle and charges of a row form a molecule, with one place for the negative charge.
 * Errors: STATUS_INPUT. */
Status water_check(const WaterModel *model, Error *error);

/* Distance between the hydrogens, A. */
double water_d_hh(const WaterModel *model);

/* The interaction sites: O, H1, H2, and M, or L1 and L2. */
SiteMap water_site_map(const WaterModel *model);

/* The group type of one molecule: sites O, H, H; constraints distance (0,1), (0,2), (1,2); masses in g/mol;
 * centre of mass at the origin, bisector along z, hydrogens in the plane y = 0. Release it with kind_free.
 * Errors: STATUS_INPUT (a mass that is not positive, those of water_check), STATUS_MEMORY. */
Status water_kind(const WaterModel *model, double mass_o, double mass_h, Kind **kind, Error *error);

#endif
