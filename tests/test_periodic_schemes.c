/* The periodic force of mixtures, and in all its schemes: against plain Ewald sums, as the gradient of its
 * energy, the same bits for any team. */
#include "forcefields/particles.h"
#include "tests/boxes.h"
#include "tests/force_laws.h"
#include "tests/norms.h"
#include "tests/periodic_box.h"
#include "tests/shorter.h"
#include "tests/suite.h"

enum { N = 3 * BOX_N };

/* What a box is made of. */
typedef struct Contents {
  const char *water, *species[2];
  int natom[3];
} Contents;

static const Contents contents[] = {{"tip3p", {NULL}, {0}},
                                    {"tip4p", {NULL}, {0}},
                                    {"tip3p", {"Na+", "Cl-"}, {8, 8}},
                                    {"tip4p", {"argon", NULL}, {30}},
                                    {NULL, {"argon", "krypton"}, {200, 16}}};
enum { CONTENTS = (int)(sizeof contents / sizeof *contents) };

static const struct {
  const char *name;
  Coulomb coulomb;
  bool by_atom, mixed;
  Truncation truncation;
} scheme[] = {{"mesh", COULOMB_PME, false, false, TRUNCATION_PLAIN},
              {"mesh, mixed", COULOMB_PME, false, true, TRUNCATION_PLAIN},
              {"mesh, shifted", COULOMB_PME, false, false, TRUNCATION_SHIFT},
              {"mesh, by atom, switched", COULOMB_PME, true, false, TRUNCATION_SWITCH},
              {"reaction field", COULOMB_REACTION_FIELD, true, false, TRUNCATION_SWITCH},
              {"cutoff", COULOMB_CUTOFF, false, false, TRUNCATION_SWITCH},
              {"ewald", COULOMB_EWALD, false, false, TRUNCATION_SWITCH},
              {"mesh, force switched", COULOMB_PME, false, false, TRUNCATION_FORCE_SWITCH}};
enum { SCHEMES = (int)(sizeof scheme / sizeof *scheme) };

/* Short tests take every third pair of contents and scheme, which has all of both. */
enum { STRIDE = SHORT ? 3 : 1, PAIRS = (CONTENTS * SCHEMES + STRIDE - 1) / STRIDE };

typedef struct Case {
  Periodicals p;
  const AtomModel *species[2];
  PeriodicOptions options;
  Atoms *atoms; /* NULL: there are no species */
  int natom;    /* of all */
} Case;

static void case_open(Case *c, const Contents *of, int k, const PeriodicOptions *options)
{
  *c = (Case){.options = *options};
  PeriodicOptions *o = &c->options;
  o->nonbonded.coulomb = scheme[k].coulomb;
  o->nonbonded.by_atom = scheme[k].by_atom;
  o->nonbonded.mixed = scheme[k].mixed;
  o->nonbonded.truncation = scheme[k].truncation;
  o->model = of->water != NULL ? water_find(of->water) : NULL;
  for (int i = 0; i < 2 && of->species[i] != NULL; i++) {
    c->species[i] = atom_model_find(of->species[i], of->water);
    ck_assert_ptr_nonnull(c->species[i]);
  }
  periodic_open_with(&c->p, o, of->species[0] != NULL ? c->species : NULL, of->natom);
  if (of->species[0] != NULL)
    ck_assert_int_eq(atoms_create(&c->atoms, &c->p.species.input, c->p.state, NULL), STATUS_OK);
  for (int b = 0; b < c->p.state->nblock; b++)
    c->natom += c->p.state->block[b].nlane * c->p.kind[b]->nsite;
}

static void case_close(Case *c)
{
  atoms_free(c->atoms);
  periodic_close(&c->p);
}

static Particles particles_of(const Case *c)
{
  Particles m;
  ck_assert_int_eq(particles_make(&m, c->options.model, c->atoms, c->p.state, NULL), STATUS_OK);
  return m;
}

/* --- the Ewald sum ----------------------------------------------------------------------------------------
 */

/* Cut as the force cuts where there is a mesh; else all of it. */
static EwaldOptions plain_sum(const Case *c)
{
  const PeriodicOptions *o = &c->options;
  EwaldOptions e = {.accuracy = 1e-10,
                    .lj = {o->nonbonded.truncation, o->nonbonded.cutoff, o->nonbonded.cutoff - 1.0}};
  if (o->nonbonded.coulomb == COULOMB_PME && !o->nonbonded.by_atom && c->atoms == NULL) {
    e.alpha = o->nonbonded.beta;
    e.cutoff = o->nonbonded.cutoff;
    e.kmax = 4.0;
    e.real_by_molecule = true;
  }
  return e;
}

TEST(agrees_with_the_ewald_sum, .rows = PAIRS)
{
  static double f[N], exact[N];
  const int at = _i * STRIDE % CONTENTS, k = _i * STRIDE / CONTENTS;
  if (scheme[k].coulomb != COULOMB_PME && scheme[k].coulomb != COULOMB_EWALD)
    return;
  const bool by_atom = scheme[k].by_atom || contents[at].species[0] != NULL;
  PeriodicOptions o = {.nonbonded.cutoff = by_atom ? 6.9 : 9.0,
                       .nonbonded.tail = true,
                       .nonbonded.beta = by_atom ? 0.65 : 0.4,
                       .nonbonded.order = 6,
                       .nonbonded.grid = {96, 96, 96},
                       .threads = PERIODIC_THREADS};
  if (scheme[k].coulomb == COULOMB_EWALD) /* it chooses better */
    o.nonbonded.beta = 0.0;
  Case c;
  case_open(&c, &contents[at], k, &o);
  Particles m = particles_of(&c);
  const EwaldOptions options = plain_sum(&c);
  EwaldResult e;
  Error error = {0};
  ck_assert_msg(ewald_alone(&m, c.p.state, &options, exact, &e, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(periodic_run(&c.p, 2, true) == STATUS_OK, "%s", c.p.error.text);
  blocks_get(c.p.state, 'f', f);
  /* by atom, the real part is not cut alike: a table ends where the sum goes on */
  const double good = scheme[k].mixed ? 3e-5 : (by_atom ? 1e-5 : 1e-7);
  const double left = deviation(3 * c.natom, f, exact);
  ck_assert_msg(left <= good, "%s, contents %d: %g", scheme[k].name, at, left);
  double sum = 0.0, size = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++) {
    if (!by_atom)
      ck_assert_msg(fabs(c.p.energy[t] - e.energy[t]) <= good * fabs(e.energy[t]),
                    "%s, contents %d, %s: %g, not %g", scheme[k].name, at, ewald_terms[t], c.p.energy[t],
                    e.energy[t]);
    sum += c.p.energy[t] - e.energy[t];
    size += fabs(c.p.energy[t]);
  }
  ck_assert_double_le(fabs(sum), good * size);
  ck_assert_double_le(deviation(9, &c.p.virial[0][0], &e.virial_atom[0][0]), 30.0 * good);
  particles_free(&m);
  case_close(&c);
}

/* --- laws -------------------------------------------------------------------------------------------------
 */

static Case law;

/* which: contents and scheme; WIDER more where the box may be strained, with a shorter cutoff. */
enum { WIDER = CONTENTS * SCHEMES };

static ForceSystem open_law(int which, int width, int used)
{
  const int at = which % CONTENTS, k = which % WIDER / CONTENTS;
  const bool mesh = scheme[k].coulomb == COULOMB_PME;
  PeriodicOptions o = periodic_usual;
  ck_assert(width == 1 && used == 1);
  o.nonbonded.cutoff = which < WIDER ? 6.9 : 6.5;
  o.keep_net = which < WIDER;
  if (which >= WIDER && mesh) {
    o.nonbonded.beta = 0.75;
    o.nonbonded.order = 6;
  }
  case_open(&law, &contents[at], k, &o);
  ck_assert_uint_eq(force_field_groups(&law.p.field),
                    mesh && contents[at].water != NULL ? FORCE_ALL : FORCE_FAST);
  return (ForceSystem){&law.p.field, law.p.state};
}

static void close_law(void) { case_close(&law); }

/* Slopes where energies are smooth to their digits, strains where nothing jumps at the cutoff: the plain sum,
 * which is slow, in the nightly tier. */
static int fill_laws(ForceRow row[PAIRS + WIDER])
{
  int n = 0;
  for (int i = 0; i < WIDER; i += STRIDE) {
    const int k = i / CONTENTS;
    const bool plain = scheme[k].coulomb == COULOMB_EWALD,
               smooth = k == 3 || k == 4 || (plain && suite_nightly());
    if (!plain)
      row[n++] = (ForceRow){.name = scheme[k].name,
                            .open = open_law,
                            .close = close_law,
                            .which = i,
                            .stride = 101,
                            .h = 1e-4,
                            .gradient = scheme[k].mixed ? 0.0 : 1e-6};
    if (smooth)
      row[n++] = (ForceRow){.name = scheme[k].name,
                            .open = open_law,
                            .close = close_law,
                            .which = WIDER + i,
                            .threads = 1,
                            .strain = 1e-5};
  }
  return n;
}

/* --- another box -------------------------------------------------------------------------------------------
 */

/* Scales the box by `by`, and molecules with it: whole ones by where their first site is, or all atoms. */
static Status scale_box(Case *c, const double by[3], bool atoms)
{
  State *state = c->p.state;
  Box box = state->box;
  for (int d = 0; d < 3; d++)
    boxes_stretch(&box, d, by[d]);
  const Status status = force_field_set_box(&c->p.field, state, &box, &c->p.error);
  for (int b = 0; b < state->nblock && status == STATUS_OK; b++) {
    const Block *block = &state->block[b];
    for (int i = 0; i < block->nlane; i++)
      for (int k = 3 * block->kind->nsite - 1; k >= 0; k--) { /* the first site last */
        double *q = (double *)block->q;
        const int at = state_index(block, 1, i, 0, k / 3, k % 3),
                  first = state_index(block, 1, i, 0, 0, k % 3);
        q[at] += (by[k % 3] - 1.0) * q[atoms ? at : first];
      }
  }
  return status;
}

/* Forces, energies and virial are those of a force that is made for the box of now. */
static void is_as_new(Case *c, int threads)
{
  static double f[N], fresh_f[N];
  Force *force = &c->p.field.force[0];
  ck_assert_msg(periodic_run(&c->p, threads, true) == STATUS_OK, "%s", c->p.error.text);
  blocks_get(c->p.state, 'f', f);
  Periodicals fresh = {.state = c->p.state, .field.n = 1};
  PeriodicOptions o = *periodic_options(force);
  o.atoms = c->atoms != NULL ? &c->p.species.input : NULL;
  ck_assert_int_eq(periodic_create(&fresh.field.force[0], &o, c->p.state, NULL), STATUS_OK);
  ck_assert_int_eq(periodic_run(&fresh, threads, true), STATUS_OK);
  blocks_get(c->p.state, 'f', fresh_f);
  ck_assert_mem_eq(f, fresh_f, 3 * (size_t)c->natom * sizeof *f);
  ck_assert_mem_eq(c->p.energy, fresh.energy, sizeof fresh.energy);
  ck_assert_mem_eq(c->p.virial, fresh.virial, sizeof fresh.virial);
  const PmeChoice *const mine = periodic_choice(force), *const its = periodic_choice(&fresh.field.force[0]);
  ck_assert_double_eq(periodic_options(force)->nonbonded.buffer,
                      periodic_options(&fresh.field.force[0])->nonbonded.buffer);
  ck_assert_double_eq(mine->mesh, its->mesh);
  ck_assert_double_eq(mine->pressure, its->pressure);
  force_field_free(&fresh.field);
}

TEST(a_changed_box_is_as_one_made_for_it, .rows = PAIRS)
{
  const int at = _i * STRIDE % CONTENTS, k = _i * STRIDE / CONTENTS;
  PeriodicOptions o = periodic_usual;
  o.nonbonded.cutoff = 6.0;
  Case c;
  case_open(&c, &contents[at], k, &o);
  for (int change = 0; change < (scheme[k].coulomb == COULOMB_EWALD ? 2 : 10); change++) {
    double by[3];
    for (int d = 0; d < 3; d++)
      by[d] = (1.015 + 0.03 * sin(2.0 * change + d)) * box_side / box_length(&c.p.state->box, d);
    ck_assert_msg(scale_box(&c, by, false) == STATUS_OK, "%s", c.p.error.text);
    c.p.state->step++;
    if (change % 3 == 0) /* making one takes far longer */
      is_as_new(&c, change % 2 == 0 ? 1 : PERIODIC_THREADS);
    else
      ck_assert_msg(periodic_run(&c.p, 2, false) == STATUS_OK, "%s", c.p.error.text);
  }
  case_close(&c);
}

TEST(a_box_that_does_not_do_changes_nothing, .rows = SCHEMES)
{
  static double before[N], f[N];
  static const double length[] = {2.0 * 6.9 - 0.01, 0.0, -20.0, NAN};
  PeriodicOptions o = periodic_usual;
  o.nonbonded.cutoff = 6.9;
  Case c;
  case_open(&c, &contents[2], _i, &o);
  ck_assert_int_eq(periodic_run(&c.p, 1, false), STATUS_OK);
  blocks_get(c.p.state, 'f', before);
  for (int i = 0; i < 4; i++) {
    const Box box = boxes_with(&c.p.state->box, i % 3, length[i]);
    ck_assert_int_eq(force_field_set_box(&c.p.field, c.p.state, &box, &c.p.error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(c.p.error.text, "box"));
    ck_assert_double_eq(box_length(&c.p.state->box, i % 3), box_side);
  }
  ck_assert_int_eq(periodic_run(&c.p, 1, false), STATUS_OK);
  blocks_get(c.p.state, 'f', f);
  ck_assert_mem_eq(before, f, 3 * (size_t)c.natom * sizeof *f);
  case_close(&c);
}

/* --- what is refused ---------------------------------------------------------------------------------------
 */

TEST(bad_options_are_refused)
{
  const AtomModel *const species[] = {atom_model_find("Na+", "tip3p")};
  SpeciesInput input;
  Kind *kind[2];
  const int nmol[2] = {20, 3};
  State *state;
  Force force;
  Error error;
  ck_assert_int_eq(water_kind(water_find("tip3p"), 15.9994, 1.008, &kind[0], NULL), STATUS_OK);
  ck_assert_int_eq(atom_model_kind(species[0], &kind[1], NULL), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 2, (const Kind *const *)kind, nmol, 1, 0, NULL), STATUS_OK);
  state->box = box_brick(20.0, 20.0, 20.0);
  PeriodicOptions o = periodic_usual;
  o.isa = isa_best();
  o.model = water_find("tip3p");
  species_input_make(&input, state, o.model, species);
  o.atoms = &input.input;
  o.nonbonded.coulomb = COULOMB_REACTION_FIELD;
  o.nonbonded.permittivity = 0.5;
  ck_assert_int_eq(periodic_create(&force, &o, state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "permittivity"));
  o.nonbonded.permittivity = 78.0;
  ck_assert_int_eq(periodic_create(&force, &o, state, &error), STATUS_OK);
  force.ops->free(force.self);
  o.atoms = NULL;
  ck_assert_int_eq(periodic_create(&force, &o, state, &error), STATUS_INPUT);
  species_input_free(&input);
  state_free(state);
  kind_free(kind[0]);
  kind_free(kind[1]);
}

int main(void)
{
  static ForceRow laws[PAIRS + WIDER];
  force_laws(laws, fill_laws(laws));
  return suite_main("periodic_schemes");
}
