/* Systems for tests of the forces between molecules of any kinds, and those forces by a team. */
#ifndef HOLONOM_TESTS_SITES_BOX_H
#define HOLONOM_TESTS_SITES_BOX_H

#include <stdlib.h>

#include "tests/mixed_box.h"
#include "tests/sites_alone.h"
#include "tests/teams.h"

enum { ATOMS = 1300, THREADS = 5 };

typedef struct Case {
  MixedCase box;
  Nonbonded options;
} Case;

static const Case cases[] = {
    {{"tip3p", 260, {"Na+", "Cl-"}, 12, {20.0, 21.0, 22.0}},
     {.cutoff = 8.0, .coulomb = COULOMB_PME, .beta = 0.35}},
    {{"spce", 220, {"Na+", "F-"}, 9, {19.0, 20.5, 19.7}},
     {.cutoff = 7.0,
      .by_atom = true,
      .truncation = TRUNCATION_SWITCH,
      .switch_width = 1.5,
      .coulomb = COULOMB_REACTION_FIELD}},
    {{"tip4p", 190, {"Na+", "Cl-"}, 7, {18.2, 18.4, 20.0}},
     {.cutoff = 6.5,
      .by_atom = true,
      .truncation = TRUNCATION_SHIFT,
      .coulomb = COULOMB_REACTION_FIELD,
      .permittivity = 78.0}},
    {{NULL, 0, {"argon", "krypton"}, 150, {25.0, 25.0, 24.0}},
     {.cutoff = 10.0, .truncation = TRUNCATION_SWITCH, .switch_width = 1.0, .coulomb = COULOMB_NONE}},
    {{NULL, 0, {"argon", NULL}, 300, {25.0, 25.0, 24.0}}, {.cutoff = 10.0, .coulomb = COULOMB_NONE}},
    {{"tip4p", 210, {NULL, NULL}, 0, {18.5, 18.5, 18.5}},
     {.cutoff = 6.5, .by_atom = true, .coulomb = COULOMB_PME, .beta = 0.4}},
    {{"tip4p", 210, {"argon", NULL}, 20, {19.5, 20.0, 19.0}},
     {.cutoff = 9.0, .truncation = TRUNCATION_SWITCH, .switch_width = 2.0, .coulomb = COULOMB_CUTOFF}},
    {{"tip3p", 210, {NULL, NULL}, 0, {19.0, 18.5, 18.5}},
     {.cutoff = 9.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_REACTION_FIELD, .permittivity = 1.0}},
    {{"tip5p", 190, {"Na+", "Cl-"}, 7, {18.2, 18.4, 20.0}},
     {.cutoff = 6.5, .by_atom = true, .coulomb = COULOMB_REACTION_FIELD, .permittivity = 78.0}},
    {{"tip5p", 210, {NULL, NULL}, 0, {18.5, 18.5, 18.5}},
     {.cutoff = 9.0, .coulomb = COULOMB_PME, .beta = 0.35}},
    {{"spce", 210, {NULL, NULL}, 0, {18.5, 19.0, 18.5}},
     {.cutoff = 9.0,
      .truncation = TRUNCATION_SWITCH_PAIRS,
      .switch_width = 2.0,
      .coulomb = COULOMB_PME,
      .beta = 0.35}},
    {{"tip4p", 190, {NULL, NULL}, 0, {18.2, 18.4, 20.0}},
     {.cutoff = 8.0, .truncation = TRUNCATION_SWITCH_PAIRS, .switch_width = 1.5, .coulomb = COULOMB_CUTOFF}},
    {{"spc", 210, {NULL, NULL}, 0, {19.0, 19.0, 19.0}}, {.cutoff = 6.0, .coulomb = COULOMB_CUTOFF}},
    {{"tip3p", 400, {NULL, NULL}, 0, {26.0, 24.5, 25.0}},
     {.cutoff = 12.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_PME, .beta = 0.25}},
    {{"tip4p", 300, {NULL, NULL}, 0, {21.0, 20.0, 22.0}},
     {.cutoff = 9.0,
      .truncation = TRUNCATION_SWITCH,
      .switch_width = 1.5,
      .coulomb = COULOMB_PME,
      .beta = 0.3}},
    /* A rhombic dodecahedron, whose faces are 0.71 of its shortest vector apart; a truncated octahedron; a
     * brick by other vectors; a box that leans. */
    {{"tip3p", 190, {"Na+", "Cl-"}, 9, {20.0, 20.0, 14.142135623730951}, {0.0, 10.0, 10.0}},
     {.cutoff = 9.99, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_PME, .beta = 0.3}},
    {{"tip3p",
      200,
      {NULL, NULL},
      0,
      {19.0, 17.913371790059203, 15.513435037626793},
      {6.333333333333333, -6.333333333333333, 8.956685895029602}},
     {.cutoff = 9.49,
      .truncation = TRUNCATION_SWITCH,
      .switch_width = 1.49,
      .coulomb = COULOMB_PME,
      .beta = 0.3}},
    {{"spce", 200, {"K+", NULL}, 9, {19.0, 19.5, 19.2}, {19.0, -19.0, 39.0}},
     {.cutoff = 9.4, .coulomb = COULOMB_CUTOFF}},
    {{"tip3p", 210, {NULL, NULL}, 0, {19.0, 20.0, 18.0}, {8.0, -6.0, 7.0}},
     {.cutoff = 6.6, .by_atom = true, .coulomb = COULOMB_PME, .beta = 0.35}},
    {{NULL, 0, {"argon", NULL}, 300, {25.0, 24.0, 20.0}, {-11.0, 9.0, 10.0}},
     {.cutoff = 11.0, .coulomb = COULOMB_NONE}},
    /* Force switches: charges on O, on M, with ions, and leaning. */
    {{"tip3p", 300, {NULL, NULL}, 0, {21.0, 20.0, 22.0}},
     {.cutoff = 9.0,
      .truncation = TRUNCATION_FORCE_SWITCH,
      .switch_width = 2.0,
      .coulomb = COULOMB_PME,
      .beta = 0.3}},
    {{"tip4p", 190, {"Na+", "Cl-"}, 7, {18.2, 18.4, 20.0}},
     {.cutoff = 8.0, .truncation = TRUNCATION_FORCE_SWITCH, .switch_width = 3.0, .coulomb = COULOMB_CUTOFF}},
    {{"tip4p", 210, {"argon", NULL}, 20, {19.5, 20.0, 18.0}, {8.0, -6.0, 7.0}},
     {.cutoff = 6.5,
      .by_atom = true,
      .truncation = TRUNCATION_FORCE_SWITCH,
      .switch_width = 1.0,
      .coulomb = COULOMB_REACTION_FIELD,
      .permittivity = 61.0}},
    {{"spce", 200, {NULL, NULL}, 0, {19.0, 20.0, 18.0}, {8.0, -6.0, 7.0}},
     {.cutoff = 7.5,
      .truncation = TRUNCATION_FORCE_SWITCH,
      .switch_width = 0.1,
      .coulomb = COULOMB_PME,
      .beta = 0.35}},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

typedef struct Scene {
  MixedBox box;
  Nonbonded options;
  List *list;
  Sites *sites;
  Stage stage;
  int32_t (*o)[4];
  double f[3 * ATOMS];
  bool want_sums;
  SitesSums sums;
} Scene;

static void scene_create(Scene *s, const Case *c, Isa isa)
{
  Error error = {0};
  *s = (Scene){.options = c->options};
  mixed_box_make(&s->box, &c->box);
  ck_assert_int_le(s->box.natom, ATOMS);
  ck_assert_msg(sites_create(&s->sites, &s->box.particles, &s->box.state->box, &s->options, THREADS, isa,
                             &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_int_eq(sites_make_stage(s->sites, &s->stage, NULL), STATUS_OK);
  const ListOptions list = sites_list(s->sites, &s->box.state->box, 0.4, 0.4);
  ck_assert_msg(list_create(&s->list, &list, s->box.particles.nmol, &error) == STATUS_OK, "%s", error.text);
  s->o = calloc((size_t)s->box.particles.nmol, sizeof *s->o);
}

static void scene_free(Scene *s)
{
  sites_free(s->sites);
  stage_free(&s->stage);
  list_free(s->list);
  mixed_box_free(&s->box);
  free(s->o);
}

static Status scene_add(void *self, const Team *team, Error *error)
{
  Scene *s = self;
  return sites_alone_add(s->sites, &s->stage, team, s->list, s->box.state, s->o,
                         s->want_sums ? &s->sums : NULL, error);
}

/* Forces f and sums by a team of so many; the status of all of them. */
static Status compute(Scene *s, int threads, bool sums, Error *error)
{
  blocks_clear_forces(s->box.state);
  s->want_sums = sums;
  const Status status = team_run(threads, scene_add, s, error);
  blocks_get(s->box.state, 'f', s->f);
  return status;
}

#endif
