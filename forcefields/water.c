#include "forcefields/water.h"

#include <math.h>
#include <string.h>

#define CITE_1983 "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)"
#define CITE_1987 "Berendsen et al., J. Phys. Chem. 91, 6269 (1987)"

const WaterModel water_models[] = {{"spc", "three charges on the atoms, tetrahedral", CITE_1983, 1.0, 109.47,
                                    0.41, 629400.0, 625.5, 0.0, 0.971},
                                   {"spce", "SPC with charges for the mean polarisation (SPC/E)", CITE_1987,
                                    1.0, 109.47, 0.4238, 629400.0, 625.5, 0.0, 0.998},
                                   {"tip3p", "three charges on the atoms, gas-phase geometry", CITE_1983,
                                    0.9572, 104.52, 0.417, 582000.0, 595.0, 0.0, 0.982},
                                   {"bf", "Bernal and Fowler: negative charge on the bisector", CITE_1983,
                                    0.96, 105.70, 0.49, 560400.0, 837.0, 0.15, 1.184},
                                   {"tips2", "negative charge on the bisector, ahead of TIP4P", CITE_1983,
                                    0.9572, 104.52, 0.535, 695000.0, 600.0, 0.15, 0.927},
                                   {"tip4p", "negative charge on the bisector, gas-phase geometry", CITE_1983,
                                    0.9572, 104.52, 0.52, 600000.0, 610.0, 0.15, 0.999},
                                   {0}};

const WaterModel *water_find(const char *name)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

static double half_angle(const WaterModel *model) { return 0.5 * model->angle * acos(-1.0) / 180.0; }

double water_d_hh(const WaterModel *model) { return 2.0 * model->d_oh * sin(half_angle(model)); }

double water_m_weight(const WaterModel *model)
{
  return model->d_om / (2.0 * model->d_oh * cos(half_angle(model)));
}

void water_charges(const WaterModel *model, double charge[3])
{
  const double a = water_m_weight(model);
  charge[0] = -2.0 * model->q_h * (1.0 - 2.0 * a);
  charge[1] = charge[2] = model->q_h * (1.0 - 2.0 * a);
}

Status water_kind(const WaterModel *model, double mass_o, double mass_h, Kind **kind, Error *error)
{
  *kind = NULL;
  if (!(mass_o > 0.0 && isfinite(mass_o) && mass_h > 0.0 && isfinite(mass_h)))
    return error_set(error, STATUS_INPUT, "masses of water must be positive, not %g (O) and %g (H) g/mol",
                     mass_o, mass_h);
  const double d = model->d_oh, d_hh = water_d_hh(model);
  const double along = d * cos(half_angle(model)); /* O to the middle of H-H */
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
