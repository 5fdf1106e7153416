/* The part of the configuration that describes periodic boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_private.h"
#include "engine/locale.h"

enum { COULOMB_PME, COULOMB_EWALD, COULOMB_FIELD }; /* of forces.coulomb */

/* One length with its unit; NAN if it is none. */
static double read_length(const char *text)
{
  LOCALE_PLAIN;
  char *end;
  double factor;
  const double number = strtod(text, &end);
  while (*end == ' ' || *end == '\t')
    end++;
  if (end == text || units_factor(QUANTITY_LENGTH, end, &factor, NULL) != STATUS_OK)
    return NAN;
  return number * factor > 0.0 && isfinite(number * factor) ? number * factor : NAN;
}

static void read_box(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputStrings *text = &draft->box;
  if (!input_given(in, "system.box"))
    return;
  c->system.box_of_file = text->n == 1 && strcmp(text->value[0], "file") == 0;
  if (c->system.box_of_file)
    return;
  if (text->n != 1 && text->n != 3) {
    input_complain(in, "system.box", "has %d items; wanted: a length, three of them, [a, b, c], or file",
                   text->n);
    return;
  }
  for (int d = 0; d < 3; d++) {
    const char *one = text->value[text->n == 3 ? d : 0];
    c->system.box.length[d] = read_length(one);
    if (isnan(c->system.box.length[d])) {
      input_complain(in, "system.box",
                     "'%s' is no length > 0 in %s; wanted: a length, three of them, "
                     "[a, b, c], or file",
                     one, units_list(QUANTITY_LENGTH));
      return;
    }
  }
}

/* A built start: two of box, density and numbers of molecules, or three numbers that agree only by luck. */
static void check_built(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  config_check_no_file(draft, in);
  const bool box = input_given(in, "system.box"), density = input_given(in, "system.density");
  const bool water = c->system.model != NULL, molecules = input_given(in, "system.molecules");
  if (c->system.box_of_file)
    input_complain(in, "system.box", "'file' goes with start: file; wanted: a length, or [a, b, c]");
  if (!water && molecules)
    input_complain(in, "system.molecules",
                   "are of water, which system.model would name; numbers of atoms "
                   "stand in system.atoms");
  if (!box && !density)
    input_complain(in, "system.box", "is missing; wanted: the box, such as 31 A, or system.density");
  else if (water && !molecules && !(box && density))
    input_complain(in, "system.molecules",
                   "is missing; wanted: the number of molecules, such as 884, or both box and density");
  else if (box && density && (molecules || !water))
    input_complain(in, "system.density", "follows from the box and what is in it; take one of the lines out");
}

static void check_read(Draft *draft, Input *in)
{
  config_check_file(draft, in);
  if (input_given(in, "system.density"))
    input_complain(in, "system.density",
                   "has no meaning with start: file, whose molecules are what they are; "
                   "give the box, or 'box: file'");
  if (!input_given(in, "system.box"))
    input_complain(in, "system.box", "is missing; wanted: file, a length, or [a, b, c]");
}

static void check_forces(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const double side = box_shortest(&c->system.box), cutoff = c->forces.cutoff;
  if (side > 0.0 && side < 2.0 * cutoff)
    input_complain(in, "system.box",
                   "the shortest side of %.6g A is less than twice the cutoff of %.6g A (forces.cutoff), so "
                   "that molecules would meet their own images; wanted: a larger box, or a cutoff of at most "
                   "%.6g A",
                   side, cutoff, 0.5 * side);
  const bool sum = c->forces.coulomb == COULOMB_PME || c->forces.coulomb == COULOMB_EWALD;
  static const char *const of_sum[] = {"forces.accuracy", "forces.beta"};
  for (size_t i = 0; i < 2; i++)
    config_trim(in, sum, of_sum[i], "without an Ewald sum (coulomb: pme)");
  static const char *const of_mesh[] = {"forces.order", "forces.grid", "forces.wisdom"};
  for (size_t i = 0; i < 3; i++)
    config_trim(in, c->forces.coulomb == COULOMB_PME, of_mesh[i], "without a mesh (coulomb: pme)");
  config_trim(in, c->forces.coulomb == COULOMB_FIELD, "forces.permittivity",
              "without coulomb: reaction-field");
  const bool plain = c->forces.truncation < TRUNCATION_SWITCH ||
                     (c->forces.truncation == TRUNCATION_AUTO && draft->thermostat == THERMOSTAT_LANGEVIN);
  config_trim(in, !plain, "forces.switch", "without truncation: switch");
  config_trim(in, c->forces.lists == 1, "forces.drift", "with strict lists");
  if (c->forces.grid.n > 0 && c->forces.grid.n != 1 && c->forces.grid.n != 3)
    input_complain(in, "forces.grid", "has %d numbers; wanted: one or three", c->forces.grid.n);
  for (int i = 0; i < c->forces.grid.n; i++)
    if (c->forces.grid.value[i] != floor(c->forces.grid.value[i]))
      input_complain(in, "forces.grid", "%.15g is no whole number", c->forces.grid.value[i]);
}

/* What a box cannot have. */
static void check_rest(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  if (c->thermostat.remove == 2)
    input_complain(in, "thermostat.remove",
                   "'angular' has no meaning in a periodic box, which does not turn; wanted: none or linear");
  if (c->output.velocities && !(c->output.trajectory & CONFIG_XYZ))
    input_note(in, "output.velocities", "has no effect without output.trajectory: [xyz]");
  if (c->system.model == NULL) {
    config_trim(in, false, "system.mass_O", "without water");
    config_trim(in, false, "system.mass_H", "without water");
  }
}

void config_box_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  c->forces.by_atom = draft->forces_by == 1;
  c->output.pressure =
      draft->pressure == 2 ? CONFIG_BY_MOLECULE | CONFIG_BY_ATOM : 1u << (unsigned)draft->pressure;
  read_box(draft, in);
  if (c->system.start == START_BUILD)
    check_built(draft, in);
  else
    check_read(draft, in);
  check_forces(draft, in);
  check_rest(draft, in);
}
