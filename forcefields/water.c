#include "forcefields/water.h"

#include <math.h>
#include <string.h>

#include "engine/units.h"

#define CITE_1983 "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)"
#define CITE_1987 "Berendsen et al., J. Phys. Chem. 91, 6269 (1987)"
#define CITE_2000 "Mahoney and Jorgensen, J. Chem. Phys. 112, 8910 (2000)"
#define CITE_2004 "Horn et al., J. Chem. Phys. 120, 9665 (2004)"
#define CITE_2005 "Abascal and Vega, J. Chem. Phys. 123, 234505 (2005)"
#define CITE_ICE  "Abascal et al., J. Chem. Phys. 122, 234511 (2005)"
#define CITE_FB   "Wang, Martinez and Pande, J. Phys. Chem. Lett. 5, 1885 (2014)"
#define CITE_OPC  "Izadi, Anandakrishnan and Onufriev, J. Phys. Chem. Lett. 5, 3863 (2014)"
#define CITE_OPC3 "Izadi and Onufriev, J. Chem. Phys. 145, 074501 (2016)"

/* A and C from sigma (A) and epsilon (kcal/mol), or from the minimum's half distance and epsilon. */
#define CUBE(x) ((x) * (x) * (x))
#define LJ(sigma, epsilon)                                                                                   \
  4.0 * (epsilon)*CUBE((sigma) * (sigma)) * CUBE((sigma) * (sigma)), 4.0 * (epsilon)*CUBE((sigma) * (sigma))
#define LJ_MINIMUM(half, epsilon)                                                                            \
  (epsilon) * CUBE(4.0 * (half) * (half)) * CUBE(4.0 * (half) * (half)),                                     \
      2.0 * (epsilon)*CUBE(4.0 * (half) * (half))
#define KJ(energy) ((energy) / UNITS_JOULE)
#define KELVIN(t)  ((t)*UNITS_BOLTZMANN)

/* name, description, source; O-H, H-O-H, charge of H, A and C, O-M, O-L, density */
const WaterModel water_models[] = {
    {"spc", "three charges on the atoms, tetrahedral", CITE_1983, 1.0, 109.47, 0.41, 629400.0, 625.5, 0.0,
     0.0, 0.971},
    {"spce", "SPC with charges for the mean polarisation (SPC/E)", CITE_1987, 1.0, 109.47, 0.4238, 629400.0,
     625.5, 0.0, 0.0, 0.998},
    {"tip3p", "three charges on the atoms, gas-phase geometry", CITE_1983, 0.9572, 104.52, 0.417, 582000.0,
     595.0, 0.0, 0.0, 0.982},
    {"bf", "Bernal and Fowler: negative charge on the bisector", CITE_1983, 0.96, 105.70, 0.49, 560400.0,
     837.0, 0.15, 0.0, 1.184},
    {"tips2", "negative charge on the bisector, ahead of TIP4P", CITE_1983, 0.9572, 104.52, 0.535, 695000.0,
     600.0, 0.15, 0.0, 0.927},
    {"tip4p", "negative charge on the bisector, gas-phase geometry", CITE_1983, 0.9572, 104.52, 0.52,
     600000.0, 610.0, 0.15, 0.0, 0.999},
    {"tip4pew", "TIP4P fitted with Ewald sums (TIP4P-Ew)", CITE_2004, 0.9572, 104.52, 0.52422,
     LJ(3.16435, 0.16275), 0.125, 0.0, 0.995},
    {"tip4p2005", "TIP4P for all condensed phases (TIP4P/2005)", CITE_2005, 0.9572, 104.52, 0.5564,
     LJ(3.1589, KELVIN(93.2)), 0.1546, 0.0, 0.998},
    {"tip4pice", "TIP4P for ices (TIP4P/Ice)", CITE_ICE, 0.9572, 104.52, 0.5897, LJ(3.1668, KELVIN(106.1)),
     0.1577, 0.0, 0.993},
    {"tip4pfb", "TIP4P by ForceBalance (TIP4P-FB)", CITE_FB, 0.9572, 104.52, 0.5258681106763,
     LJ(3.165552430462, KJ(0.7492790213533)), 0.105274458, 0.0, 0.996},
    {"opc", "four sites for the best multipole moments (OPC)", CITE_OPC, 0.87243313, 103.598930, 0.679142,
     LJ_MINIMUM(1.777167268, 0.2128008130), 0.15939833, 0.0, 0.997},
    {"tip3pfb", "TIP3P by ForceBalance (TIP3P-FB)", CITE_FB, 1.01181082494, 108.14844252, 0.4242243450515,
     LJ(3.17796456355, KJ(0.652143528104)), 0.0, 0.0, 0.995},
    {"opc3", "three sites for the best multipole moments (OPC3)", CITE_OPC3, 0.978882, 109.471159, 0.447585,
     LJ_MINIMUM(1.7814990, 0.163406), 0.0, 0.0, 0.991},
    {"tip5p", "negative charges at the lone pairs", CITE_2000, 0.9572, 104.52, 0.241, LJ(3.12, 0.16), 0.0,
     0.70, 0.999},
    {0}};

const WaterModel *water_find(const char *name)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

static double radians(double degrees) { return degrees * acos(-1.0) / 180.0; }

static double half_angle(const WaterModel *model) { return radians(0.5 * model->angle); }

double water_d_hh(const WaterModel *model) { return 2.0 * model->d_oh * sin(half_angle(model)); }

Status water_check(const WaterModel *m, Error *error)
{
  if (!(m->d_oh > 0.0 && isfinite(m->d_oh) && m->angle > 0.0 && m->angle < 180.0))
    return error_set(error, STATUS_INPUT,
                     "%s: the bonds are %g A at %g degrees; positive lengths and an angle between 0 and 180 "
                     "degrees are required",
                     m->name, m->d_oh, m->angle);
  if (!(m->a > 0.0 && isfinite(m->a) && m->c > 0.0 && isfinite(m->c) && isfinite(m->q_h)))
    return error_set(
        error, STATUS_INPUT,
        "%s: A = %g and C = %g of Lennard-Jones must be positive, and the charge of H, %g e, finite", m->name,
        m->a, m->c, m->q_h);
  if (!(m->d_om >= 0.0 && isfinite(m->d_om) && m->d_ol >= 0.0 && isfinite(m->d_ol)))
    return error_set(error, STATUS_INPUT, "%s: O-M of %g A and O-L of %g A must not be negative", m->name,
                     m->d_om, m->d_ol);
  if (m->d_om > 0.0 && m->d_ol > 0.0)
    return error_set(
        error, STATUS_INPUT,
        "%s: the negative charge must be on M, %g A from O, or on two L, %g A from it, not on both", m->name,
        m->d_om, m->d_ol);
  return STATUS_OK;
}

/* M on the bisector; or two L, on the other side of O and above and below the plane. */
SiteMap water_site_map(const WaterModel *model)
{
  const double q = model->q_h, half = half_angle(model), to_middle = model->d_oh * cos(half);
  SiteMap map = {.name = model->name,
                 .natom = 3,
                 .nsite = 3,
                 .planar = true,
                 .site = {"O", "H1", "H2"},
                 .charge = {-2.0 * q, q, q},
                 .bond = {0.0, model->d_oh, model->d_oh},
                 .sigma = pow(model->a / model->c, 1.0 / 6.0),
                 .epsilon = model->c * model->c / (4.0 * model->a),
                 .lj = {model->a, model->c}};
  const int n = model->d_om != 0.0 ? 1 : (model->d_ol != 0.0 ? 2 : 0);
  const double open = n == 2 ? radians(0.5 * WATER_LONE_PAIRS) : 0.0,
               distance = n == 2 ? model->d_ol : model->d_om;
  const double back = n == 2 ? -cos(open) : 1.0;
  for (int v = 0; v < n; v++) {
    const int s = map.nsite++;
    map.site[s] = n == 1 ? "M" : (v == 0 ? "L1" : "L2");
    map.charge[s] = -2.0 * q / n;
    map.bond[s] = distance;
    map.place[s][0] = map.place[s][1] = back * distance / (2.0 * to_middle);
    map.place[s][2] =
        (v == 0 ? -1.0 : 1.0) * sin(open) * distance / (2.0 * to_middle * model->d_oh * sin(half));
    map.charge[0] = 0.0;
  }
  map.planar = n < 2;
  return map;
}

Status water_kind(const WaterModel *model, double mass_o, double mass_h, Kind **kind, Error *error)
{
  *kind = NULL;
  if (!(mass_o > 0.0 && isfinite(mass_o) && mass_h > 0.0 && isfinite(mass_h)))
    return error_set(error, STATUS_INPUT, "masses of water must be positive, not %g (O) and %g (H) g/mol",
                     mass_o, mass_h);
  TRY(water_check(model, error));
  const double d = model->d_oh, d_hh = water_d_hh(model);
  const double along = d * cos(half_angle(model)); /* from O to the middle of H-H */
  const double z_o = -2.0 * mass_h * along / (mass_o + 2.0 * mass_h), z_h = z_o + along;
  const Constraint con[3] = {{&constraint_distance, 2, {0, 1}, {d}, NULL},
                             {&constraint_distance, 2, {0, 2}, {d}, NULL},
                             {&constraint_distance, 2, {1, 2}, {d_hh}, NULL}};
  const double mass[3] = {mass_o, mass_h, mass_h};
  const char *const site[3] = {"O", "H", "H"};
  const double reference[9] = {0.0, 0.0, z_o, 0.5 * d_hh, 0.0, z_h, -0.5 * d_hh, 0.0, z_h};
  const Kind own = {.name = model->name,
                    .nsite = 3,
                    .dim = 3,
                    .ncon = 3,
                    .mass = mass,
                    .site = site,
                    .con = con,
                    .reference = reference};
  return kind_copy(kind, &own, error);
}
