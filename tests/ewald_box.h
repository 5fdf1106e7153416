/* A small box of waters and its Ewald sum, for tests. */
#ifndef HOLONOM_TESTS_EWALD_BOX_H
#define HOLONOM_TESTS_EWALD_BOX_H

#include "tests/boxes.h"
#include "tests/ewald_water.h"
#include "tests/scenes_random.h"
#include "tests/suite.h"

enum { N = 27, ATOMS = 3 * N };
static const Box brick = BOXES_BRICK(9.4, 9.7, 10.3);
static const EwaldOptions tight = {.accuracy = 1e-12, .lj = {TRUNCATION_SWITCH, 4.5, 3.6}};

typedef struct Answer {
  double f[3 * ATOMS];
  EwaldResult result;
} Answer;

static Kind *make_kind(const WaterModel *model)
{
  Kind *kind;
  ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  return kind;
}

static inline Answer ask(const WaterModel *model, const Box *box, const EwaldOptions *options,
                         const double *x)
{
  Answer answer;
  Error error = {0};
  Kind *kind = make_kind(model);
  ck_assert_msg(ewald_water_compute(model, kind, box, options, N, x, answer.f, &answer.result, &error) ==
                    STATUS_OK,
                "%s", error.text);
  kind_free(kind);
  return answer;
}

static inline void make_box(const WaterModel *model, double *x)
{
  Kind *kind = make_kind(model);
  scenes_random(kind, N, 5, 0.02, x);
  kind_free(kind);
}

#endif
