/* A system of molecules of a file for tests of what is selected: an alanine dipeptide, a water with a virtual
 * site, ions, and three times a molecule of two residues. */
#ifndef HOLONOM_TESTS_LABELLED_H
#define HOLONOM_TESTS_LABELLED_H

#include "io/molecules_file.h"
#include "tests/suite.h"
#include "topology/labels.h"

static const char labelled_text[] =
    "format: holonom-molecules 1\nrule: geometric\n"
    "types: {CT: [3, 0.1], HC: [2, 0.1], C: [3, 0.1], O: [3, 0.1], N: [3, 0.1], H: [0, 0], OW: [3, 0.1], "
    "NA+: [2, 0.1]}\n"
    "molecules:\n"
    "  dipeptide:\n"
    "    atoms:\n"
    "      - [CH3, CT, 0, 12.011, ACE, 4]\n"
    "      - [HH31, HC, 0, 1.008, ACE, 4]\n"
    "      - [C, C, 0, 12.011, ACE, 4]\n"
    "      - [O, O, 0, 15.9994, ACE, 4]\n"
    "      - [N, N, 0, 14.007, ALA, 5]\n"
    "      - [CA, CT, 0, 12.011, ALA, 5]\n"
    "      - [HA, HC, 0, 1.008, ALA, 5]\n"
    "      - [CB, CT, 0, 12.011, ALA, 5]\n"
    "      - [C, C, 0, 12.011, ALA, 5]\n"
    "      - [O, O, 0, 15.9994, ALA, 5]\n"
    "      - [N, N, 0, 14.007, NME, 6, PROA]\n"
    "      - [CH3, CT, 0, 12.011, NME, 6, PROA]\n"
    "    bonds: [[1, 2], [1, 3], [3, 4], [3, 5], [5, 6], [6, 7], [6, 8], [6, 9], [9, 10], [9, 11], [11, "
    "12]]\n"
    "  SOL:\n"
    "    atoms:\n"
    "      - [OW, OW, 0, 15.9994]\n"
    "      - [MW, H, 0, 0]\n"
    "      - [HW1, H, 0, 1.008]\n"
    "      - [HW2, H, 0, 1.008]\n"
    "    virtual: [[2, \"3\", 1, 3, 4, 0.1, 0.1]]\n"
    "  ion:\n"
    "    atoms:\n"
    "      - [NA, NA+, 1, 22.99, NA, 1]\n"
    "  dimer:\n"
    "    atoms:\n"
    "      - [\"C1'\", CT, 0, 12.011, A, -2, B]\n"
    "      - [C2, CT, 0, 12.011, B, 3]\n"
    "system: [[dipeptide, 1], [SOL, 3], [ion, 2], [SOL, 2], [dimer, 3]]\n";

typedef struct Labelled {
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  Labels labels;
} Labelled;

static inline void labelled_create(Labelled *l)
{
  static const double x[12][3] = {{0},       {1},    {0, 1.5},     {1, 2},    {-1, 2},    {-1, 3.4},
                                  {-2, 3.5}, {0, 4}, {-1, 4, 1.4}, {0, 4, 2}, {-2, 4, 2}, {-2, 5, 3}};
  const GroupsKeep keep[4] = {GROUPS_NONE, GROUPS_NONE, GROUPS_NONE, GROUPS_NONE};
  const double(*const at[4])[3] = {x, x, x, x};
  Error e = {.text = ""};
  ck_assert_msg(molecules_file_parse(&l->molecules, "m.yaml", labelled_text, strlen(labelled_text), &e) ==
                    STATUS_OK,
                "%s", e.text);
  ck_assert_msg(groups_create(&l->groups, l->molecules, keep, at, &e) == STATUS_OK, "%s", e.text);
  ck_assert_msg(groups_topology(l->groups, -1, &l->topology, &e) == STATUS_OK, "%s", e.text);
  ck_assert_msg(labels_create(&l->labels, l->topology, l->groups, &e) == STATUS_OK, "%s", e.text);
}

static inline void labelled_free(Labelled *l)
{
  labels_free(&l->labels);
  topology_free(l->topology);
  groups_free(l->groups);
  molecules_free(l->molecules);
}

#endif
