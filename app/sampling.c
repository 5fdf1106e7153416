#include "app/sampling.h"

#include <stdlib.h>
#include <string.h>

#include "engine/units.h"

struct Sampling {
  ObservableSet *set;
  double charge[KINDS_MAX][3];
};

/* Charges of the sites with mass: what a massless site has is shared out as its force is. */
static void charge_water(const WaterModel *model, double charge[3])
{
  const double share = water_m_weight(model), negative = -2.0 * model->q_h;
  charge[0] = negative * (1.0 - 2.0 * share);
  charge[1] = charge[2] = model->q_h + negative * share;
}

/* The key of config_table that asks for an observable. */
static Status complain(const System *system, int n, const ObservableRequest *request, const Error *why,
                       Error *error)
{
  char key[64] = "output";
  for (int i = 0; i < n; i++)
    if (strstr(why->text, request[i].name) != NULL)
      snprintf(key, sizeof key, "output.%.40s_every", request[i].name);
  return input_error(system->config->input, key, error, "%s", why->text);
}

Status sampling_create(Sampling **sampling, const System *system, const State *state, int threads,
                       Error *error)
{
  const Config *c = system->config;
  Sampling *s = *sampling = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "observables");
  const double *charge[KINDS_MAX];
  for (int k = 0; k < system->nkind; k++) {
    charge[k] = s->charge[k];
    if (system->species[k] == NULL)
      charge_water(system->model, s->charge[k]);
    else
      s->charge[k][0] = system->species[k]->charge;
  }
  const ObservableRequest all[] = {{"gofr", c->output.gofr_every},
                                   {"msd", c->output.msd_every},
                                   {"vacf", c->output.vacf_every},
                                   {"dipole", c->output.dipole_every}};
  enum { ALL = sizeof all / sizeof *all };
  ObservableRequest request[ALL];
  int n = 0;
  for (int i = 0; i < ALL; i++)
    if (all[i].every > 0)
      request[n++] = all[i];
  if (n == 0)
    return STATUS_OK;
  const ObservableOptions options = {.threads = threads,
                                     .temperature = system->kT / UNITS_BOLTZMANN,
                                     .gofr_longest = c->output.gofr_max,
                                     .gofr_width = c->output.gofr_width,
                                     .msd_longest = c->output.msd_max,
                                     .msd_from = c->output.msd_from,
                                     .msd_to = c->output.msd_to,
                                     .vacf_longest = c->output.vacf_max};
  Error why;
  const Status status =
      observable_set_create_state(&s->set, n, request, &options, system->h, state, charge, &why);
  if (status == STATUS_INPUT)
    return complain(system, n, request, &why, error);
  return status == STATUS_OK ? status : error_set(error, status, "%s", why.text);
}

void sampling_free(Sampling *sampling)
{
  if (sampling == NULL)
    return;
  observable_set_free(sampling->set);
  free(sampling);
}

ObservableSet *sampling_set(const Sampling *sampling) { return sampling != NULL ? sampling->set : NULL; }
