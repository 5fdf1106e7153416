/* Checks the configuration of periodic boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "config/config_private.h"
#include "io/frame.h"

/* Reads a length with its unit, > 0 unless `any`. */
static bool read_length(const char *text, double *length, bool any)
{
  LOCALE_PLAIN;
  char *end;
  double factor;
  const double number = strtod(text, &end);
  while (*end == ' ' || *end == '\t')
    end++;
  if (end == text || !units_factor(QUANTITY_LENGTH, end, &factor))
    return false;
  *length = number * factor;
  return isfinite(*length) && (any || *length > 0.0);
}

static bool read_cosine(const char *text, double *cosine)
{
  LOCALE_PLAIN;
  char *end;
  const double degrees = strtod(text, &end);
  *cosine = frame_cosine(degrees);
  return end != text && *end == '\0' && degrees > 0.0 && degrees < 180.0;
}

/* Reads number i of the n numbers of a box into edges, or into lengths and cosines. */
static Status read_number(const char *text, int i, int n, double edge[3][3], double length[3],
                          double cosine[3], Error *error)
{
  const bool angle = n == 6 && i >= 3;
  if (angle && !read_cosine(text, &cosine[i - 3]))
    return error_set(error, STATUS_INPUT,
                     "'%s' is not an angle between two edges; wanted: degrees > 0 and < 180", text);
  if (!angle && !read_length(text, n == 9 ? &edge[i / 3][i % 3] : &length[i], n == 9 && i % 4 != 0))
    return error_set(error, STATUS_INPUT, "'%s' is not a length > 0 in %s", text,
                     units_list(QUANTITY_LENGTH));
  return STATUS_OK;
}

Status config_box_read(const InputStrings *text, BoxShape shape, Box *box, Error *error)
{
  double edge[3][3] = {{0.0}}, length[3], cosine[3] = {0.0};
  Frame frame = {0};
  if (text->n != 1 && text->n != 3 && text->n != 6 && text->n != 9)
    return error_set(error, STATUS_INPUT,
                     "%d numbers do not define a box; wanted: one length, three, six with the angles alpha, "
                     "beta and gamma, or nine",
                     text->n);
  for (int i = 0; i < text->n; i++)
    TRY(read_number(text->value[i], i, text->n, edge, length, cosine, error));
  if (text->n == 1) {
    *box = box_of_shape(shape, length[0]);
    return STATUS_OK;
  }
  if (text->n != 9)
    TRY(frame_set_cell(&frame, length, cosine, error));
  return box_set(box, text->n == 9 ? (const double(*)[3])edge : (const double(*)[3])frame.cell, error);
}

bool config_box_none(const Draft *draft)
{
  return draft->box.n == 1 && strcmp(draft->box.value[0], "none") == 0;
}

static void read_box(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputStrings *text = &draft->box;
  if (c->system.shape != BOX_CUBIC && input_given(in, KEY(system_box)) &&
      (text->n != 1 || strcmp(text->value[0], "file") == 0))
    input_complain(in, KEY(system_shape), "applies only to a box given by one length, or by system.density");
  if (!input_given(in, KEY(system_box)))
    return;
  if (config_box_none(draft)) {
    input_complain(in, KEY(system_box),
                   "'none' contradicts system.density; wanted: a length, three lengths, [a, b, c], or file");
    return;
  }
  c->system.box_of_file = text->n == 1 && strcmp(text->value[0], "file") == 0;
  if (c->system.box_of_file)
    return;
  Error error;
  if (config_box_read(text, (BoxShape)c->system.shape, &c->system.box, &error) != STATUS_OK)
    input_complain(in, KEY(system_box), "%s", error.text);
}

/* A built start needs two of box, density and number of molecules. */
static void check_built(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  const bool box = input_given(in, KEY(system_box)), density = input_given(in, KEY(system_density));
  const bool water = c->system.model != NULL, molecules = input_given(in, KEY(system_molecules));
  if (c->system.box_of_file)
    input_complain(in, KEY(system_box), "'file' needs start: file; wanted: a length, or [a, b, c]");
  if (!box && !density)
    input_complain(in, KEY(system_box), "is missing; wanted: the box, such as 31 A, or system.density");
  else if (water && !molecules && !(box && density))
    input_complain(in, KEY(system_molecules),
                   "is missing; wanted: the number of molecules, such as 884, or both box and density");
  else if (box && density && (molecules || !water))
    input_complain(in, KEY(system_density),
                   "follows from the box and the number of molecules; remove one of the three lines");
}

static void check_read(Draft *draft, Input *in)
{
  config_check_file(draft, in);
  if (!input_given(in, KEY(system_box)))
    input_complain(in, KEY(system_box), "is missing; wanted: file, a length, or [a, b, c]");
}

/* Prints a length in the unit of forces.cutoff. */
static const char *length(const Input *in, double value, char *text, size_t size)
{
  return input_amount_in(in, KEY(forces_cutoff), value, " A", text, size);
}

Status config_box_holds_cutoff(const Config *c, const Box *box, Error *error)
{
  char shortest[64], wide[64], most[64];
  const double side = box_shortest(box), cutoff = c->forces.cutoff;
  if (!(side > 0.0 && side < 2.0 * cutoff))
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "the shortest side of %s is less than twice the cutoff of %s (forces.cutoff), so molecules would "
      "interact with their own images; wanted: a larger box%s, or a cutoff of at most %s",
      length(c->input, side, shortest, sizeof shortest), length(c->input, cutoff, wide, sizeof wide),
      side < 10.0 ? " (bare lengths are in A, 10 A to a nm)" : "",
      length(c->input, 0.5 * side, most, sizeof most));
}

static void check_forces(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputReals *const grid = &draft->grid;
  Error why;
  if (config_box_holds_cutoff(c, &c->system.box, &why) != STATUS_OK)
    input_complain(in, KEY(system_box), "%s", why.text);
  if (grid->n > 0 && grid->n != 1 && grid->n != 3)
    input_complain(in, KEY(forces_grid), "has %d numbers; wanted: one or three", grid->n);
  for (int i = 0; i < grid->n; i++)
    if (grid->value[i] != floor(grid->value[i]))
      input_complain(in, KEY(forces_grid), "%.15g is not a whole number", grid->value[i]);
  for (int d = 0; d < 3 && grid->n > 0; d++)
    c->forces.grid[d] = (int)grid->value[grid->n == 3 ? d : 0];
}

static void check_barostat(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (c->barostat.type == BAROSTAT_NONE)
    return;
  if (c->exchange.number > 0 && c->barostat.until == 1)
    input_complain(
        in, KEY(barostat_until),
        "'equilibration' has no meaning with a ladder: each replica would keep a volume of its own, "
        "and every state would mix these volumes; wanted: end, or a box with the wanted volume and "
        "no barostat");
  if (c->freeze != NULL)
    input_complain(
        in, KEY(freeze),
        "atoms that do not move cannot follow a box that changes (barostat.type); wanted: no barostat, "
        "or restraints instead of freeze, whose points follow the box");
  if (c->thermostat.type == THERMOSTAT_NONE)
    input_complain(in, KEY(barostat_type),
                   "needs a constant temperature; wanted: thermostat.type: langevin or rescale");
  if (c->barostat.shape != 0 && c->system.model != NULL && c->system.start != START_FILE)
    input_note(in, KEY(barostat_shape),
               "liquid water does not resist a change of shape: the box drifts until it is too thin for the "
               "cutoff, which ends the run; wanted: isotropic");
  if (!input_given(in, KEY(barostat_pressure)) && !input_given(in, KEY(exchange_pressures)) &&
      !config_schedule_begins(c, SCHEDULED_PRESSURE))
    input_require(in, KEY(barostat_pressure));
  char every[32];
  snprintf(every, sizeof every, "%lld", (long long)c->output.thermo_every);
  if (c->barostat.until == 0)                           /* a fixed volume needs no samples */
    input_default(in, KEY(output_volume_every), every); /* unless it was given */
  if (c->thermostat.type != THERMOSTAT_NONE && !input_given(in, KEY(output_equilibration)))
    input_note(in, KEY(barostat_type),
               "without output.equilibration the sizes of the box moves are not tuned, and averages include "
               "the first volumes; set output.equilibration");
  double lowest = c->barostat.pressure;
  for (int k = 0; k < c->exchange.number; k++)
    lowest = fmin(lowest, c->exchange.pressure[k]);
  if (lowest < 0.0)
    input_note(in,
               input_given(in, KEY(exchange_pressures)) ? KEY(exchange_pressures) : KEY(barostat_pressure),
               "no volume is stable below zero: a liquid withstands it for a while at best, then it tears "
               "and the box grows without limit");
}

void config_box_check_moves(const Config *c, Input *in)
{
  const long long every = (long long)c->barostat.every;
  if (c->barostat.type == BAROSTAT_NONE)
    return;
  if (c->barostat.every >= c->integrator.steps)
    input_complain(
        in, KEY(barostat_every),
        "moves the box every %lld steps, but the run has %lld, so its volume would be constant; reduce it",
        every, (long long)c->integrator.steps);
  else if (c->barostat.until == 1 && c->output.equilibration < c->barostat.every)
    input_complain(in, KEY(barostat_until),
                   "'equilibration' includes no move of the box: output.equilibration is %lld steps, and "
                   "moves are %lld steps apart (barostat.every)",
                   (long long)c->output.equilibration, every);
}

void config_box_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  c->forces.by_atom = draft->forces_by == 1;
  c->output.pressure =
      draft->pressure == 2 ? CONFIG_BY_MOLECULE | CONFIG_BY_ATOM : 1u << (unsigned)draft->pressure;
  read_box(draft, in);
  if (c->system.start == START_MINIMUM)
    input_complain(in, KEY(system_start),
                   "'minimum' applies to clusters, and this is a periodic box; wanted: build or file");
  config_check_described(draft, in);
  if (c->system.start == START_FILE)
    check_read(draft, in);
  else if (c->system.topology != NULL)
    input_complain(in, KEY(system_start),
                   "molecules of system.topology need coordinates in a box; wanted: file, and their name as "
                   "system.file");
  else
    check_built(draft, in);
  check_forces(draft, in);
  check_barostat(draft, in);
  if (c->thermostat.remove == 2)
    input_complain(in, KEY(thermostat_remove),
                   "'angular' has no meaning in a periodic box, which cannot rotate; wanted: none or linear");
}
