/* Simulations by holonom.h: a few waters, calls that must succeed, and calls that must be refused. */
#ifndef HOLONOM_TESTS_HOL_H
#define HOLONOM_TESTS_HOL_H

#include "simulation/holonom.h"
#include "tests/suite.h"

static const char waters[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                             "thermostat: {type: langevin, temperature: 150, friction: 20 1/ps}\n"
                             "ensemble: {replicas: 16}\n";

enum { MOST = 64 };

static hol_error e;

static inline void good(hol_status status)
{
  ck_assert_msg(status == HOL_OK, "status %d: %s", (int)status, e.message);
}

/* Refused as an argument that is wrong, with these words. */
static inline void refused(hol_status status, const char *said)
{
  ck_assert_int_eq(status, HOL_INPUT);
  ck_assert_int_eq(e.status, HOL_INPUT);
  ck_assert_msg(strstr(e.message, said) != NULL, "'%s' is not in: %s", said, e.message);
}

static inline hol_simulation *opened(const char *text)
{
  hol_simulation *s;
  good(hol_open_text(&s, "input", text, NULL, 0, &e));
  return s;
}

static inline int coordinates(const hol_simulation *s) { return hol_sites(s) * hol_dimensions(s); }

static inline hol_topology topology(hol_simulation *s)
{
  hol_topology t = {.size = sizeof t};
  good(hol_get_topology(s, &t, &e));
  return t;
}

static inline double kelvin_of(hol_simulation *s, int replica)
{
  double kelvin;
  good(hol_get_temperature(s, replica, &kelvin, &e));
  return kelvin;
}

static inline double kinetic(hol_simulation *s, const double *p)
{
  const hol_topology t = topology(s);
  double sum = 0.0;
  for (int i = 0; i < coordinates(s); i++)
    sum += 0.5 * p[i] * p[i] / t.mass[i / hol_dimensions(s)];
  return sum;
}

#endif
