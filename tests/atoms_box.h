/* A box of molecules of several groups, ions and water, whose atoms come one by one, for tests. */
#ifndef HOLONOM_TESTS_ATOMS_BOX_H
#define HOLONOM_TESTS_ATOMS_BOX_H

#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/periodic.h"
#include "tests/boxes.h"
#include "tests/model_input.h"
#include "tests/suite.h"
#include "tests/teams.h"

/* Twelve molecules like methanol, twelve of the same shape with other charges and types, six ions, water. */
enum { EACH = 12, IONS = 6, EDGE = 5, WATERS = EDGE * EDGE * EDGE - 2 * EACH - IONS, TYPES = 7, LONG = 6 };
enum { ATOMS = 2 * EACH * LONG + IONS + 3 * WATERS, HIDDEN = 12, SITES = ATOMS + 2 * WATERS };

typedef struct AtomsBox {
  Kind *kind[4]; /* CH3, OH, an ion, water */
  Topology *topology;
  State *state;
  ForceField field;
  bool last; /* the water */
  const WaterModel *model;
  double lj[TYPES * TYPES][2];
  TopologySort *sort[4]; /* two like methanol, ions, water */
  int excluded[2][HIDDEN + 1][2];
  double energy[EWALD_TERMS], virial[3][3], f[ATOMS][3];
  AtomsInput input;
  Error error;
} AtomsBox;

/* C H H H O H; the last H sees the other three. */
static const double atoms_methanol[LONG][3] = {{0.0, 0.0, 0.0},      {-0.36, -1.03, 0.0}, {-0.36, 0.51, 0.89},
                                               {-0.36, 0.51, -0.89}, {1.41, 0.0, 0.0},    {1.72, 0.89, 0.0}};
static const double atoms_charges[2][LONG] = {{0.145, 0.04, 0.04, 0.04, -0.683, 0.418},
                                              {0.2, 0.05, 0.06, 0.03, -0.75, 0.46}};
static const int atoms_types[2][LONG] = {{0, 1, 1, 1, 2, 3}, {6, 1, 3, 1, 2, 3}};
static const double atoms_sigma[TYPES] = {3.5, 2.5, 3.12, 0.0, 2.6, 0.0, 3.3},
                    atoms_epsilon[TYPES] = {0.066, 0.03, 0.17, 0.0, 0.13, 0.0, 0.1};

static void atoms_table(AtomsBox *s)
{
  SiteMap map[TYPES] = {{0}};
  const SiteMap water = water_site_map(s->model);
  for (int i = 0; i < TYPES; i++) {
    map[i].sigma = i == 5 ? water.sigma : atoms_sigma[i];
    map[i].epsilon = i == 5 ? water.epsilon : atoms_epsilon[i];
    map[i].lj[1] = i == 5 ? water.lj[1] : 4.0 * map[i].epsilon * pow(map[i].sigma, 6.0);
    map[i].lj[0] = i == 5 ? water.lj[0] : map[i].lj[1] * pow(map[i].sigma, 6.0);
  }
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++)
      atom_model_mix(&map[i < j ? i : j], &map[i < j ? j : i], s->lj[i * TYPES + j]);
  s->lj[2][0] = s->lj[2 * TYPES][0] *= 1.1; /* a pair by no rule */
}

/* Those like methanol. */
static void atoms_describe(AtomsBox *s, int k)
{
  TopologySort *const sort = s->sort[k];
  memcpy(sort->charge, atoms_charges[k], sizeof atoms_charges[k]);
  memcpy(sort->type, atoms_types[k], sizeof atoms_types[k]);
  for (int i = 0; i < LONG; i++)
    for (int j = i + 1; j < LONG; j++)
      if (!(j == 5 && i >= 1 && i <= 3))
        memcpy(s->excluded[k][sort->nexcluded++], (int[2]){i, j}, sizeof(int[2]));
  ck_assert_int_eq(sort->nexcluded, HIDDEN);
  sort->excluded = (const int(*)[2])s->excluded[k];
}

/* The type of molecules that atom i is of, and its number there; *first: that of its molecule's first. */
static inline const TopologySort *atoms_type_of(const AtomsBox *s, int i, int *site, int *first)
{
  const TopologySort *sort = s->topology->sort;
  int before = 0;
  for (; i - before >= sort->nmol * sort->nsite; sort++)
    before += sort->nmol * sort->nsite;
  *site = (i - before) % sort->nsite;
  *first = i - *site;
  return sort;
}

/* Each molecule at a point of a lattice, turned; the same whatever the order. */
static void atoms_place(double (*x)[3], const double (*from)[3], int n, int cell, double side)
{
  RandomStream stream = random_stream(7, (uint32_t)cell, RANDOM_TEST);
  const double a = 6.3 * random_uniform(&stream), b = 6.3 * random_uniform(&stream), step = side / EDGE;
  const double c = cos(a), u = sin(a), d = cos(b), v = sin(b);
  const int at[3] = {cell % EDGE, cell / EDGE % EDGE, cell / EDGE / EDGE};
  for (int i = 0; i < n; i++) {
    const double *r = from[i], t[3] = {c * r[0] - u * r[1], u * r[0] + c * r[1], r[2]};
    x[i][0] = d * t[0] - v * t[2] + step * at[0];
    x[i][1] = t[1] + step * at[1];
    x[i][2] = v * t[0] + d * t[2] + step * at[2];
  }
}

static void atoms_fill(AtomsBox *s, double side)
{
  static double x[ATOMS][3];
  const int water = s->last ? 2 * EACH * LONG + IONS : 0, solute = s->last ? 0 : 3 * WATERS;
  for (int k = 0; k < 2; k++)
    atoms_describe(s, k);
  *s->sort[2]->charge = -0.1;
  *s->sort[2]->type = 4;
  *s->sort[3]->type = -7; /* is not looked at */
  static const double origin[1][3];
  for (int m = 0; m < EDGE * EDGE * EDGE; m++) {
    const int cell = m * 58 % 125; /* all mixed */
    if (m < 2 * EACH)
      atoms_place(x + solute + m * LONG, atoms_methanol, LONG, cell, side);
    else if (m < 2 * EACH + IONS)
      atoms_place(x + solute + 2 * EACH * LONG + (m - 2 * EACH), origin, 1, cell, side);
    else
      atoms_place(x + water + 3 * (m - 2 * EACH - IONS), (const double(*)[3])s->kind[3]->reference, 3, cell,
                  side);
  }
  topology_set(s->topology, s->state, STATE_POSITIONS, 0, x[0]);
}

static void atoms_kind(AtomsBox *s, int k, const char *name, int nsite, const double *mass,
                       const char *const *site, const double *reference)
{
  const Kind own = {
      .name = name, .nsite = nsite, .dim = 3, .mass = mass, .site = site, .reference = reference};
  ck_assert_int_eq(kind_copy(&s->kind[k], &own, NULL), STATUS_OK);
}

/* The system, water last or first, in this box; without a force. */
static void atoms_box_make(AtomsBox *s, const char *water, bool last, double side, const double lean[3])
{
  static const double mass[] = {12.0, 1.0, 1.0, 1.0}, hydroxyl[] = {16.0, 1.0}, ion[] = {35.0};
  static const char *const methyl[] = {"C", "H1", "H2", "H3"}, *const oh[] = {"O", "HO"}, *const cl[] = {"X"};
  *s = (AtomsBox){.last = last, .model = water_find(water), .field.n = 1};
  atoms_kind(s, 0, "CH3", 4, mass, methyl, atoms_methanol[0]);
  atoms_kind(s, 1, "OH", 2, hydroxyl, oh, atoms_methanol[4]);
  atoms_kind(s, 2, "ion", 1, ion, cl, atoms_methanol[0]);
  ck_assert_int_eq(water_kind(s->model, 15.9994, 1.008, &s->kind[3], NULL), STATUS_OK);
  const int at = last ? 0 : 1, w = last ? 3 : 0, groups[2] = {at, at + 1}, single = at + 2;
  const Kind *kind[4] = {0};
  int lanes[4];
  for (int k = 0; k < 3; k++) {
    kind[at + k] = s->kind[k];
    lanes[at + k] = k < 2 ? 2 * EACH : IONS;
  }
  kind[w] = s->kind[3];
  lanes[w] = WATERS;
  TopologyMolecules sort[4];
  sort[at] = (TopologyMolecules){"MOH", EACH, 2, groups, atoms_methanol[0]};
  sort[at + 1] = (TopologyMolecules){"MOX", EACH, 2, groups, atoms_methanol[0]};
  sort[at + 2] = (TopologyMolecules){NULL, IONS, 1, &single, NULL};
  sort[w] = (TopologyMolecules){NULL, WATERS, 1, &w, NULL};
  ck_assert_msg(topology_create(&s->topology, 4, kind, lanes, 4, sort, &s->error) == STATUS_OK, "%s",
                s->error.text);
  ck_assert_int_eq(s->topology->natom, ATOMS);
  ck_assert_int_eq(topology_state(s->topology, 1, 1, 0, &s->state, NULL), STATUS_OK);
  for (int k = 0; k < 4; k++)
    s->sort[k] = &s->topology->sort[k < 3 ? at + k : w];
  s->state->box = boxes_edges(side, lean[0], side, lean[1], lean[2], side);
  atoms_table(s);
  atoms_fill(s, side);
  s->input = (AtomsInput){s->topology, w, 5, TYPES, (const double(*)[2])s->lj};
}

static Status atoms_box_open_on(AtomsBox *s, const PeriodicOptions *options, Isa isa)
{
  PeriodicOptions o = *options;
  o.model = s->model;
  o.atoms = &s->input;
  o.threads = 3;
  o.isa = isa;
  force_field_free(&s->field);
  s->field.n = 1;
  return periodic_create(&s->field.force[0], &o, s->state, &s->error);
}

static inline Status atoms_box_open(AtomsBox *s, const PeriodicOptions *options)
{
  return atoms_box_open_on(s, options, isa_best());
}

static void atoms_box_free(AtomsBox *s)
{
  force_field_free(&s->field);
  state_free(s->state);
  topology_free(s->topology);
  for (int k = 0; k < 4; k++)
    kind_free(s->kind[k]);
}

/* Forces in the order of molecules; returns the energy. */
static inline double atoms_box_run(AtomsBox *s, int threads)
{
  const ForceSums sums = {s->energy, s->virial};
  ck_assert_msg(team_forces(&s->field, s->state, threads, 1, &sums, &s->error) == STATUS_OK, "%s",
                s->error.text);
  topology_get(s->topology, s->state, STATE_FORCES, 0, s->f[0]);
  double sum = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++)
    sum += s->energy[t];
  return sum;
}

#endif
