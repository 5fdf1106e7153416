#include "simulation/molecules/windows.h"

#include <string.h>

/* The coordinate of each bias, each only once. */
static void find_coordinates(FreeEnergyList *list, const Simulation *s, int *of)
{
  const ConfigBias *record = s->config->biases.item;
  for (int b = 0; b < list->nbias && list->why == NULL; b++) {
    CoordinateForm form;
    int number, d = 0;
    if (list->bias[b].form == BIAS_PULL)
      list->why = "the centre of a pull moves, so its replicas are no windows; its free energies are in "
                  "pull.csv";
    else if (list->bias[b].form != BIAS_HARMONIC && list->bias[b].form != BIAS_WALL)
      list->why = "only constant biases (type: harmonic, type: wall) can be removed by MBAR";
    else if (!config_biases_find(s->config, record[b].on.value[0], &form, &number))
      list->why = "a bias acts on an unknown coordinate";
    else {
      const Collective *on = &s->collective[form].variable[number];
      while (d < list->n && list->on[d] != on)
        d++;
      if (d == FREE_ENERGY_COORDINATES)
        list->why = "biases act on more than two coordinates, and free energies are along one or two";
      else {
        list->on[d] = on;
        list->n += d == list->n;
        of[b] = d;
      }
    }
  }
}

/* The constants of a replica, or of a slot of the ladder. */
static void constants_of(const FreeEnergyList *list, const Simulation *s, int slot, double *constant)
{
  const int states = s->config->exchange.number, n = s->parameters.n;
  const double *value =
      n == 0 ? NULL
      : states == 0
          ? s->parameters.value + (ptrdiff_t)slot * n
          : s->states + (ptrdiff_t)(slot < states * s->config->exchange.ladders ? slot % states : 0) * n;
  for (int b = 0; b < list->nbias; b++) {
    const BiasInput *bias = &list->bias[b];
    memcpy(constant + (ptrdiff_t)b * BIAS_CONSTANTS,
           bias->parameter > 0 && value != NULL ? value + bias->parameter - 1 : bias->constant,
           sizeof bias->constant);
  }
}

/* Whether a bias of the list has a parameter as k or as its point. */
static bool is_of_bias(const FreeEnergyList *list, int parameter)
{
  bool of = false;
  for (int b = 0; b < list->nbias; b++) {
    const int first = list->bias[b].parameter - 1;
    of = of || (first >= 0 && parameter >= first && parameter < first + BIAS_CONSTANTS);
  }
  return of;
}

/* Windows must differ in their biases alone, since MBAR over bins of coordinates knows no other energy. */
static void find_other_differences(FreeEnergyList *list, const Simulation *s)
{
  const Config *c = s->config;
  const int states = c->exchange.number, rows = states > 0 ? states : s->replicas;
  const double *value = states > 0 ? s->states : s->parameters.value;
  if (list->why == NULL && c->field.period > 0.0)
    list->why = "the electric field oscillates (field.period), so there is no equilibrium";
  else if (list->why == NULL && c->schedule.varies && config_biases_pull(c) == NULL)
    list->why = "the schedule changes temperature or pressure after output.equilibration";
  for (int k = 1; k < states && s->config->barostat.type != BAROSTAT_NONE; k++)
    if (c->exchange.pressure[k] != c->exchange.pressure[0])
      list->why = "the windows need one pressure, and the ladder has several";
  for (int p = 0; p < s->parameters.n; p++)
    for (int k = 1; k < rows && !is_of_bias(list, p); k++)
      if (value[(ptrdiff_t)k * s->parameters.n + p] != value[p])
        list->why = "the windows differ in a parameter that belongs to no bias";
}

/* The order of windows: by the biases' points, then by their force constants. */
static int compare(int nbias, const double *a, const double *b)
{
  for (int k = BIAS_CONSTANTS - 1; k >= 0; k--)
    for (int i = 0; i < nbias; i++) {
      const double x = a[i * BIAS_CONSTANTS + k], y = b[i * BIAS_CONSTANTS + k];
      if (x != y)
        return x < y ? -1 : 1;
    }
  return 0;
}

/* Inserts the constants of all slots, each set once and in order. */
static void find_windows(FreeEnergyList *list, const Simulation *s, double *all, double *one)
{
  const ptrdiff_t size = (ptrdiff_t)list->nbias * BIAS_CONSTANTS;
  for (int slot = 0; slot < list->slots; slot++) {
    int w = 0, order = 1;
    constants_of(list, s, slot, one);
    while (w < list->windows && (order = compare(list->nbias, one, all + w * size)) > 0)
      w++;
    if (w < list->windows && order == 0)
      continue;
    memmove(all + (w + 1) * size, all + w * size, (size_t)(list->windows - w) * (size_t)size * sizeof *all);
    memcpy(all + w * size, one, (size_t)size * sizeof *all);
    list->windows++;
  }
}

Status windows_create(const FreeEnergyList **made, Simulation *s, Error *error)
{
  MolecularSystem *own = system_molecules(s);
  *made = NULL;
  if (own->nbias == 0)
    return STATUS_OK;
  FreeEnergyList *list = arena_take(&s->arena, 1, sizeof *list);
  const size_t slots = (size_t)s->replicas, each = (size_t)own->nbias * BIAS_CONSTANTS;
  int *const of = arena_take(&s->arena, (size_t)own->nbias + slots, sizeof *of), *const window =
                                                                                     of + own->nbias;
  double *const all = arena_take(&s->arena, (slots + 2) * each, sizeof *all), *const one =
                                                                                  all + (slots + 1) * each;
  TRY(arena_check(&s->arena, "umbrella windows", error));
  const bool exchange = s->config->exchange.number > 0;
  *list = (FreeEnergyList){.nbias = own->nbias,
                           .bias = own->bias,
                           .of = of,
                           .constant = all,
                           .slots = s->replicas,
                           .window = window,
                           .parameters = exchange ? NULL : &s->parameters,
                           .exchange = exchange,
                           .starts = &own->start.frames};
  find_coordinates(list, s, of);
  find_other_differences(list, s);
  *made = list;
  if (list->why != NULL)
    return STATUS_OK;
  find_windows(list, s, all, one);
  for (int slot = 0; slot < s->replicas; slot++) {
    constants_of(list, s, slot, one);
    while (compare(list->nbias, one, all + (size_t)window[slot] * each) != 0)
      window[slot]++;
  }
  return STATUS_OK;
}
