/* For the tests of simulations: inputs that have to be right, calls that must not fail. */
#ifndef HOLONOM_TESTS_PARSED_H
#define HOLONOM_TESTS_PARSED_H

#include "simulation/simulation.h"
#include "tests/suite.h"

static Error error; /* of this test's calls */

static inline void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

static inline Simulation *parsed(const char *text)
{
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", text, NULL, 0, &error));
  return s;
}

#endif
