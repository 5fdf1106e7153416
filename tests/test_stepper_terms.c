/* The stepper against the plain one, with forces inside molecules: terms of every row, restraints of atoms
 * and of coordinates, on molecules whose atoms lie in several lanes. */
#include "forcefields/bias.h"
#include "forcefields/external.h"
#include "forcefields/restraint.h"
#include "tests/stepping.h"
#include "tests/suite.h"
#include "tests/term_world.h"

enum { MOLECULES = 3, NUMBERS = 3 * BUTANE_ATOMS * MOLECULES };

static void create(World *w, bool groups, int width)
{
  double x[NUMBERS];
  world_of_butane(w, groups, MOLECULES, width);
  for (int r = 0; r < width; r++) {
    for (int m = 0; m < MOLECULES; m++)
      butane_place(m, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    for (int i = 0; i < NUMBERS; i++)
      x[i] += 0.001 * r * (i % 5);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x);
  }
}

TEST(every_term)
{
  for (int k = 0; k < 4; k++) {
    World w;
    char name[64];
    create(&w, k % 2 == 1, k / 2 == 0 ? 1 : 8);
    const PlanOptions o = base("BAOAB", 0.004);
    snprintf(name, sizeof name, "%s, width %d", k % 2 == 1 ? "groups" : "whole molecules", w.state->width);
    ck_assert_msg(stepping_compare(&stepping, w.state, &w.field, &o, name), "%s: %s", name,
                  stepping_error.text);
    world_free(&w);
  }
}

/* With a flat bottom or without, in some directions alone; in an oblique box or in none. */
TEST(restraints)
{
  static const int one[] = {0}, other[] = {3}, left[] = {4, 9, 5}, right[] = {14, 17}, bend[] = {2, 1, 6},
                   turn[] = {8, 9, 10, 11};
  static const BiasInput spring[] = {
      {.n = 1, .on = {{COORDINATE_DISTANCE, {1, 1}, {one, other}}}, .constant = {3.0, 2.0}, .parameter = 0},
      {.n = 1, .on = {{COORDINATE_DISTANCE, {3, 2}, {left, right}}}, .constant = {1.5, 4.0}, .parameter = 0},
      {.n = 1,
       .on = {{COORDINATE_COSINE, {1, 1, 1}, {bend, bend + 1, bend + 2}}},
       .constant = {40.0, 80.0},
       .parameter = 0},
      {.n = 1,
       .on = {{COORDINATE_DIHEDRAL, {1, 1, 1, 1}, {turn, turn + 1, turn + 2, turn + 3}}},
       .constant = {9.0, 170.0},
       .parameter = 0}};
  static const Restraint point[] = {
      {.atom = 7, .k = {2.5, 2.5, 2.5}, .s = {0.2, 0.6, 0.1}, .offset = {1, 0, 2}},
      {.atom = 20, .k = {4.0, 4.0, 0.0}, .flat = 0.4},
      {.atom = 21, .k = {1.0, 0.0, 3.0}, .offset = {11, 3, -2}}};
  for (int k = 0; k < 4; k++) {
    World w;
    create(&w, true, k / 2 == 0 ? 1 : 8);
    if (k % 2 == 1)
      fine(
          box_set(&w.state->box, (const double[3][3]){{27, 0, 0}, {5, 29, 0}, {-4, 6, 31}}, &stepping_error));
    fine(restraint_create(&w.field.force[w.field.n++], w.topology, 3, point, NULL, w.state, &stepping_error));
    fine(bias_create(&w.field.force[w.field.n++], w.topology, 4, spring, true, NULL, w.state,
                     &stepping_error));
    const PlanOptions o = base("BAOAB", 0.004);
    ck_assert_msg(stepping_compare(&stepping, w.state, &w.field, &o, k % 2 == 1 ? "in a box" : "in the open"),
                  "%s", stepping_error.text);
    world_free(&w);
  }
}

static Status nothing(void *user, ExternalCall *call, Error *why)
{
  (void)user;
  (void)call;
  (void)why;
  return STATUS_OK;
}

/* Restraints of coordinates that descriptions cannot express are refused by name. */
TEST(other_coordinates_are_refused)
{
  static const int turn[] = {8, 9, 10, 11};
  static const BiasInput spring = {
      .n = 1, .on = {{COORDINATE_GYRATION, {4}, {turn}}}, .constant = {12.0, 1.5}, .parameter = 0};
  World w;
  ForceDescription to[FORCES_MAX];
  Arena arena = {0};
  create(&w, true, 1);
  fine(
      bias_create(&w.field.force[w.field.n++], w.topology, 1, &spring, true, NULL, w.state, &stepping_error));
  ck_assert_int_eq(force_field_describe(&w.field, w.state, &arena, to, &stepping_error), STATUS_INPUT);
  ck_assert_str_eq(stepping_error.text, "a harmonic bias of a radius of gyration has no description");
  arena_free(&arena);
  world_free(&w);
}

/* Callers' forces are code, and refused by name. */
TEST(code_is_refused)
{
  World w;
  External *external;
  ForceDescription to[FORCES_MAX];
  Arena arena = {0};
  create(&w, true, 1);
  fine(external_create(&external, 1, &(ExternalRow){.function = nothing}, w.topology, NULL, 0, 1,
                       &stepping_error));
  w.field.force[w.field.n++] = external_force(external);
  ck_assert_int_eq(force_field_describe(&w.field, w.state, &arena, to, &stepping_error), STATUS_INPUT);
  ck_assert_str_eq(stepping_error.text, "the force 'external' is code and has no description");
  arena_free(&arena);
  world_free(&w);
  external_free(external);
}

int main(void) { return suite_main("stepper_terms"); }
