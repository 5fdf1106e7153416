/* Constraints and potentials for tables: sites from 0, then parameters. */
#ifndef HOLONOM_TESTS_TERMS_H
#define HOLONOM_TESTS_TERMS_H

#include "engine/constraint.h"
#include "engine/potential.h"

#define ANCHOR(i, d, ...)                                                                                    \
  {                                                                                                          \
    &constraint_anchor, 1, {i}, {d, __VA_ARGS__}, NULL                                                       \
  }
#define DISTANCE(i, j, d)                                                                                    \
  {                                                                                                          \
    &constraint_distance, 2, {i, j}, {d}, NULL                                                               \
  }
#define DOT(i, j, c, factor)                                                                                 \
  {                                                                                                          \
    &constraint_dot, (i) == (j) ? 1 : 2, {i, j}, {c, factor}, NULL                                           \
  }
#define FIELD(i, ...)                                                                                        \
  {                                                                                                          \
    &potential_field, 1, {i}, {0, __VA_ARGS__}, NULL                                                         \
  }
#define LINK(i, j, k)                                                                                        \
  {                                                                                                          \
    &potential_link, 2, {i, j}, {k}, NULL                                                                    \
  }
#define SPRING(i, j, k, d)                                                                                   \
  {                                                                                                          \
    &potential_spring, 2, {i, j}, {k, 0, 0, 0, d}, NULL                                                      \
  }
#define QUARTIC(i, j, k, d)                                                                                  \
  {                                                                                                          \
    &potential_quartic, 2, {i, j}, {k, 0, 0, 0, d}, NULL                                                     \
  }
#define WELL(i, k, x, d)                                                                                     \
  {                                                                                                          \
    &potential_quartic, 1, {i}, {k, x, 0, 0, d}, NULL                                                        \
  }

#endif
