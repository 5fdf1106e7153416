#include "simulation/run/gauge.h"

#include <stdio.h>
#include <stdlib.h>

Status gauge_create(Gauge **gauge, int n, Error *error)
{
  Gauge *const g = *gauge = calloc(1, sizeof *g);
  TRY_MEMORY(g != NULL, "columns", error);
  g->potential = g->penalty = g->excess = -1;
  g->column = calloc((size_t)n, sizeof *g->column);
  g->name = calloc((size_t)n, sizeof *g->name);
  g->unit = calloc((size_t)n, sizeof *g->unit);
  if (g->column != NULL && g->name != NULL && g->unit != NULL)
    return STATUS_OK;
  gauge_free(g);
  *gauge = NULL;
  return error_memory(error, "columns");
}

void gauge_free(Gauge *g)
{
  if (g == NULL)
    return;
  if (g->self != NULL)
    g->free(g->self);
  free(g->column);
  free((void *)g->name);
  free((void *)g->unit);
  free(g);
}

int gauge_add(Gauge *g, const char *name, const char *unit, unsigned traits)
{
  MeansColumn *const column = &g->column[g->n];
  snprintf(column->name, sizeof column->name, "%s", name);
  column->traits = traits;
  g->name[g->n] = column->name;
  g->unit[g->n] = unit;
  return g->n++;
}

Status gauge_energies_create(GaugeEnergies *energies, const State *shape, const ForceField *field,
                             Error *error)
{
  const size_t w = (size_t)shape->width;
  double *const at = energies->memory = malloc((4 + (size_t)force_field_terms(field)) * w * sizeof *at);
  TRY_MEMORY(at != NULL, "the measurements", error);
  energies->of = (WalkEnergies){
      .kinetic = at, .penalty = at + w, .largest = at + 2 * w, .thermal = at + 3 * w, .terms = at + 4 * w};
  return STATUS_OK;
}
