#include "gallery/orbit.h"

#include <math.h>
#include <stdlib.h>

#include "engine/ticks.h"

void orbit_free(Orbit *orbit)
{
  free(orbit->t);
  free(orbit->q);
  free(orbit->p);
  free(orbit->energy);
  *orbit = (Orbit){0};
}

static Status make_room(Orbit *o, Error *error)
{
  const size_t n = (size_t)o->n, all = n * (size_t)o->size;
  o->t = malloc(n * sizeof *o->t);
  o->q = malloc(all * sizeof *o->q);
  o->p = malloc(all * sizeof *o->p);
  o->energy = malloc(n * sizeof *o->energy);
  return o->t == NULL || o->q == NULL || o->p == NULL || o->energy == NULL ? error_memory(error, "an orbit")
                                                                           : STATUS_OK;
}

static Status record(Orbit *o, Simulation *m, int every, double *q, double *p, Error *error)
{
  Status status = STATUS_OK;
  const double start = ticks_seconds();
  for (int i = 0; i < o->n && status == STATUS_OK; i++) {
    if (i > 0)
      status = simulation_step(m, every, NULL, error);
    if (status != STATUS_OK)
      break;
    simulation_get_point(m, 0, q, p);
    for (int d = 0; d < o->size; d++) {
      o->q[d * o->n + i] = q[d];
      o->p[d * o->n + i] = p[d];
    }
    o->t[i] = simulation_time(m);
    o->energy[i] = mechanics_energy(m, 0);
  }
  o->seconds = ticks_seconds() - start;
  return status;
}

Status orbit_record(Orbit *orbit, Simulation *mechanics, int n, int every, Error *error)
{
  *orbit = (Orbit){.n = n, .size = simulation_coordinates(mechanics)};
  Status status = make_room(orbit, error);
  double *q = malloc(2 * (size_t)orbit->size * sizeof *q);
  if (status == STATUS_OK && q == NULL)
    status = error_memory(error, "an orbit");
  if (status == STATUS_OK)
    status = record(orbit, mechanics, every, q, q + orbit->size, error);
  free(q);
  if (status != STATUS_OK)
    orbit_free(orbit);
  return status;
}

Status orbit_load(Orbit *orbit, Page *page, const char *file, double h, double time, double every,
                  Error *error)
{
  Simulation *m;
  *orbit = (Orbit){0};
  page_set(page, KEY(integrator_timestep), "%.17g", h);
  Status status = page_load(page, file, &m, error);
  if (status == STATUS_OK)
    status = orbit_record(orbit, m, 1 + (int)lrint(time / every), (int)lrint(every / h), error);
  simulation_free(m);
  return status;
}

void orbit_point(const Orbit *orbit, int i, double *z)
{
  for (int d = 0; d < orbit->size; d++) {
    z[d] = orbit_q(orbit, d)[i];
    z[d + orbit->size] = orbit_p(orbit, d)[i];
  }
}

const double *orbit_q(const Orbit *orbit, int coordinate) { return orbit->q + coordinate * orbit->n; }

const double *orbit_p(const Orbit *orbit, int coordinate) { return orbit->p + coordinate * orbit->n; }

double orbit_largest(const double *x, int from, int to)
{
  double most = 0.0;
  for (int i = from; i < to; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

double orbit_energy_error(const Orbit *orbit)
{
  double worst = 0.0;
  for (int i = 0; i < orbit->n; i++)
    worst = fmax(worst, fabs(orbit->energy[i].total - orbit->energy[0].total));
  return worst;
}

double orbit_constraint_error(const Orbit *orbit)
{
  double worst = 0.0;
  for (int i = 0; i < orbit->n; i++)
    worst = fmax(worst, orbit->energy[i].largest);
  return worst;
}

double orbit_angular_error(const Orbit *orbit, int d)
{
  double worst = 0.0;
  for (int i = 0; i < orbit->n; i++)
    worst = fmax(worst, fabs(orbit->energy[i].angular[d] - orbit->energy[0].angular[d]));
  return worst;
}

void orbit_angle(const Orbit *orbit, double *angle)
{
  const double *x = orbit_q(orbit, 0), *y = orbit_q(orbit, 1);
  for (int i = 0; i < orbit->n; i++) {
    angle[i] = atan2(y[i], x[i]);
    if (i > 0)
      angle[i] += 2.0 * M_PI * rint((angle[i - 1] - angle[i]) / (2.0 * M_PI));
  }
}
