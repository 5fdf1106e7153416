#include "integrators/composition.h"

#include <stddef.h>
#include <string.h>

/* The weights have 20 digits, by Newton's method on the order conditions from the published 15 digits. */
const Composition composition_table[] = {
    {"yoshida4",
     "three steps, the middle one backwards",
     "Yoshida, Phys. Lett. A 150, 262 (1990)",
     4,
     3,
     {1.3512071919596576340, -1.7024143839193152681}},
    {"suzuki4",
     "five steps, none longer than 0.66 of the whole: smaller errors than yoshida4",
     "Suzuki, Phys. Lett. A 146, 319 (1990)",
     4,
     5,
     {0.41449077179437573714, 0.41449077179437573714, -0.65796308717750294857}},
    {"yoshida6",
     "seven steps, solution A",
     "Yoshida, Phys. Lett. A 150, 262 (1990)",
     6,
     7,
     {0.78451361047755726382, 0.23557321335935813368, -1.1776799841788710069, 1.3151863206839112189}},
    {"yoshida8",
     "fifteen steps, solution D",
     "Yoshida, Phys. Lett. A 150, 262 (1990)",
     8,
     15,
     {0.74167036435061295345, -0.40910082580003159400, 0.19075471029623837995, -0.57386247111608226666,
      0.29906418130365592384, 0.33462491824529818378, 0.31529309239676659663, -0.79688793935291635402}},
    {NULL, NULL, NULL, 0, 0, {0}},
};

const Composition *composition_find(const char *name)
{
  for (const Composition *row = composition_table; row->name != NULL; row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

double composition_weight(const Composition *c, int i)
{
  if (c == NULL)
    return 1.0;
  const int middle = c->nstage / 2;
  return c->weight[i <= middle ? i : 2 * middle - i];
}

int composition_stages(const Composition *c) { return c != NULL ? c->nstage : 1; }
