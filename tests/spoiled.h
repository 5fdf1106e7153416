/* Plans whose O projects wrongly onto the tangent space: what the statistics of a run have to see. */
#ifndef HOLONOM_TESTS_SPOILED_H
#define HOLONOM_TESTS_SPOILED_H

#include "integrators/plan_private.h"
#include "tests/suite.h"

typedef enum Spoiled {
  SPOILED_NOT,     /* W = 1/(1 + a), as O wants it */
  SPOILED_PLAIN,   /* W = 1: the projection that drifts and kicks take */
  SPOILED_MASSES,  /* W = m: as if all masses were one */
  SPOILED_LEFT_OUT /* none after O; the next drift takes off what is across */
} Spoiled;
enum { SPOILED = 4 };
static const char *const spoiled_name[SPOILED] = {"the right projection", "the plain projection",
                                                  "masses left out of the projection", "no projection"};

static inline void spoiled_plan(Plan *plan, Spoiled how)
{
  for (int k = 0; k < plan->nkind && how != SPOILED_NOT; k++)
    for (int i = 0; i < plan->nnoise; i++) {
      const PlanKind *own = &plan->kind[k];
      const double *weight = how == SPOILED_MASSES ? own->kind->mass : NULL;
      Projector **onto = &plan->kind[k].noise[i].onto;
      projector_free(*onto);
      *onto = NULL;
      if (how != SPOILED_LEFT_OUT)
        ck_assert_int_eq(projector_create(onto, own->kind, weight, own->kept, plan->options.isa, NULL),
                         STATUS_OK);
    }
}

#endif
