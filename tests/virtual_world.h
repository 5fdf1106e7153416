/* Molecules of a file with virtual sites, their groups, a state of them and a force, for tests. */
#ifndef HOLONOM_TESTS_VIRTUAL_WORLD_H
#define HOLONOM_TESTS_VIRTUAL_WORLD_H

#include "forcefields/atoms_input.h"
#include "io/molecules_file.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { TERMS_MAX = 8 };

/* The system of test_virtual_sites.c and test_virtual_terms.c: of `all`, with a site of every kind, FIRST and
 * LAST molecules, and between them MIDDLE of `plain`, which has no sites. */
enum { PARENTS = 4, ALL = 15, PLAIN = 2, FIRST = 9, MIDDLE = 3, LAST = 2 };
enum {
  FILE_ATOMS = (FIRST + LAST) * ALL + MIDDLE * PLAIN,
  ATOMS = (FIRST + LAST) * PARENTS + MIDDLE * PLAIN
};

static const double all_at[ALL][3] = {
    [1] = {0, 0, 0}, [3] = {1.5, 0.1, 0.2}, [5] = {-0.5, 1.3, 0.4}, [8] = {-0.6, -0.9, 1.2}};
static const double plain_at[PLAIN][3] = {{0, 0, 0}, {0.9, 0.7, -0.8}};

/* Kept bonds make groups of the parents, else each lies in a lane of its own. */
static const struct {
  GroupsKeep keep;
  int width, used;
} worlds[] = {{GROUPS_NONE, 1, 1},      {GROUPS_ALL_BONDS, 1, 1},   {GROUPS_NONE, 8, 8},
              {GROUPS_ALL_BONDS, 8, 5}, {GROUPS_ALL_BONDS, 16, 16}, {GROUPS_NONE, 16, 11}};
enum { WORLDS = sizeof worlds / sizeof *worlds };

typedef struct World {
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  State *state;
  AtomsInput input;
  ForceField field;
  double energy[TERMS_MAX * WIDTH_MAX], virial[3][3];
} World;

static Error error;

static inline void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

static inline Isa isa(void)
{
  Isa wanted;
  fine(isa_wanted(&wanted, &error));
  return wanted;
}

/* inlined: as groups_topology has it. */
static inline void world_describe(World *w, const char *file, GroupsKeep keep, const double (*const *x)[3],
                                  int width, int inlined)
{
  const GroupsKeep both[2] = {keep, keep};
  *w = (World){.field.n = 1};
  fine(molecules_file_parse(&w->molecules, "m.yaml", file, strlen(file), &error));
  fine(groups_create(&w->groups, w->molecules, both, x, &error));
  fine(groups_topology(w->groups, inlined, &w->topology, &error));
  fine(topology_state(w->topology, width, 1, 0, &w->state, &error));
}

static inline void world_read(World *w, const char *file, GroupsKeep keep, const double (*const *x)[3],
                              int width)
{
  world_describe(w, file, keep, x, width, -1);
  w->input = atoms_input(w->groups, w->topology, NULL);
}

static inline void world_free(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  topology_free(w->topology);
  groups_free(w->groups);
  molecules_free(w->molecules);
}

static inline void world_compute(World *w, int threads, bool energies)
{
  const ForceSums sums = {w->energy, w->virial};
  fine(team_forces(&w->field, w->state, threads, 2, energies ? &sums : NULL, &error));
}

static inline double world_energy(World *w)
{
  double sum = 0.0;
  world_compute(w, 1, true);
  for (int k = 0; k < force_field_terms(&w->field); k++)
    sum += w->energy[k];
  return sum;
}

#endif
