/* The keys of a pull in a record of `biases`. */
#include <stdio.h>
#include <string.h>

#include "config/config_private.h"
#include "forcefields/bias.h"

static const char *const ends[] = {"from", "to"};

static InputKey key_of(int record, const char *key) { return input_record(KEY(biases), record, key); }

static int number_of(const Config *config)
{
  const ConfigBias *b = config->biases.item;
  int n = 0;
  while (n < config->biases.n && b[n].type != BIAS_PULL)
    n++;
  return n;
}

const ConfigBias *config_biases_pull(const Config *config)
{
  const int n = number_of(config);
  return n < config->biases.n ? (const ConfigBias *)config->biases.item + n : NULL;
}

int64_t config_biases_pull_begin(const Config *config)
{
  const int64_t every = config_biases_pull(config)->stride;
  return (config->output.equilibration + every - 1) / every * every;
}

/* A stair takes ten steps; one step in a short pull; more in a long one, where it saves the forces that each
 * stair costs: ten thousand stairs are as good as a smooth motion. All stairs are equal, so that a pull
 * backwards makes those of the pull forwards in reverse. */
static void divide(Draft *draft, Input *in, int record, ConfigBias *b)
{
  enum { SHORT = 1000, USUAL = 10, LONGEST = 50, MANY = 10000 };
  const InputKey key = key_of(record, "over");
  const int64_t steps = config_steps(in, key, b->over, draft->config.integrator.timestep);
  b->stride = b->stairs = 1;
  if (steps < 0)
    input_complain(in, key, "is more than 9e15 time steps; wanted: a shorter time");
  else if (steps < 1)
    input_complain(in, key, "is less than half a time step; wanted: at least one step");
  else {
    b->stride = steps < SHORT            ? 1
                : steps / MANY < USUAL   ? USUAL
                : steps / MANY > LONGEST ? LONGEST
                                         : steps / MANY;
    b->stairs = (steps + b->stride / 2) / b->stride;
  }
}

/* Reads the centres at the two ends. */
static void read_ends(Draft *draft, Input *in, int record, ConfigBias *b, ConfigParameter *like)
{
  const InputStrings *const list[] = {&b->from, &b->to};
  snprintf(like->name, sizeof like->name, "%s.centre", b->full);
  for (int i = 0; i < 2; i++)
    if (list[i]->n == 0)
      input_complain(in, key_of(record, ends[i]), "is missing; wanted: the centre at the %s of the pull",
                     i == 0 ? "start" : "end");
    else
      b->nend[i] = config_biases_values(draft, in, record, ends[i], list[i], like, &b->end[i]);
}

void config_biases_pull_read(Draft *draft, Input *in, int record, ConfigBias *b)
{
  const CoordinateType *on = &coordinate_types[b->form];
  const ConfigParameter centre = config_parameters_point(on);
  ConfigParameter like = centre;
  b->constant = "centre";
  if (number_of(&draft->config) != record)
    input_complain(in, key_of(record, "type"),
                   "there is another pull, and a run moves one centre; wanted: one pull, of one coordinate");
  if (b->k.n == 0)
    input_complain(in, key_of(record, "k"), "is missing; wanted: the force constant");
  if (!(b->over > 0.0))
    input_complain(in, key_of(record, "over"),
                   "is missing; wanted: the time in which the centre moves, 1 ns");
  else
    divide(draft, in, record, b);
  read_ends(draft, in, record, b, &like);
  if (b->k.n == 0 || b->nend[0] < 1 || b->nend[1] < 1)
    return;
  config_biases_add(draft, in, record, b, "k", "k", &b->k,
                    (ConfigParameter){.measures = config_parameters_stiffness(on), .positive = true});
  config_biases_add(draft, in, record, b, "centre", "from", &b->from, centre);
}

/* Whether ensemble.parameters sets the centre. */
static bool overridden(const Config *c, const ConfigBias *b)
{
  char name[CONFIG_PARAMETER_NAME + 16];
  snprintf(name, sizeof name, "%s.centre", b->full);
  for (int i = 0; i < c->parameters.n; i++)
    if (strcmp(c->parameters.item[i].name, name) == 0)
      return c->parameters.item[i].neach > 0 && c->parameters.item[i].record == 0;
  return false;
}

static void check_combinations(const Config *c, Input *in, int record, const ConfigBias *b)
{
  const InputKey type = key_of(record, "type");
  if (c->exchange.number > 0)
    input_complain(in, type,
                   "a pull cannot be combined with a ladder (exchange), whose states do not change in time; "
                   "for free energies by exchange use harmonic biases");
  if (config_biases_hills_any(c))
    input_complain(in, type,
                   "a pull cannot be combined with metadynamics, whose hills would do work, too; remove one "
                   "of the two");
  if (c->schedule.varies)
    input_complain(in, type,
                   "a pull needs constant conditions after output.equilibration: its work would not be all "
                   "the work if the temperature, the pressure or the electric field changed, too; remove "
                   "%s",
                   c->field.period > 0.0 ? "field.period" : "the schedule");
  if (overridden(c, b))
    input_complain(in, KEY(ensemble_parameters),
                   "sets %s.centre, which a pull moves; wanted: the values of replicas in from and to",
                   b->full);
}

void config_biases_pull_check(Config *c, Input *in)
{
  const ConfigBias *b = config_biases_pull(c);
  const int record = number_of(c);
  if (b == NULL)
    return;
  check_combinations(c, in, record, b);
  if (b->nend[1] > 1 && b->nend[1] != c->ensemble.replicas)
    input_complain(in, key_of(record, "to"), "has %d values; wanted: one, or %d, one for each replica",
                   b->nend[1], c->ensemble.replicas);
  c->schedule.varies = true;
  if (b->stride > 0 && config_biases_pull_begin(c) + b->stairs * b->stride > c->integrator.steps)
    input_note(in, key_of(record, "over"),
               "the run ends before the pull, which takes %lld steps after step %lld",
               (long long)b->stairs * b->stride, (long long)config_biases_pull_begin(c));
}
