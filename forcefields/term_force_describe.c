/* The terms of a force field as data. */
#include "forcefields/term_force_private.h"

static TermDescription describe_term(const Terms *t, int sort, const Placed *p, int molecule)
{
  TermDescription to = {.type = p->term.type->name, .param = p->term.param};
  for (int k = 0; k < p->term.type->natom; k++)
    to.atom[k] =
        (AtomIndex){p->group[k]->block, p->group[k]->first + molecule * p->group[k]->step, p->site[k]};
  const TermBound bound = p->term.type->parameter[0].bound;
  if (bound == TERM_GRID || bound == TERM_TABLE) {
    const TermPlace *place = &t->grid.place[t->topology->order[sort]][(int)p->term.param[0]];
    to.side = (int)place->n;
    to.node = (const double(*)[4])t->grid.node + (size_t)place->first;
    if (bound == TERM_TABLE) {
      to.from = p->ready[2];
      to.step = 1.0 / p->ready[3];
    }
  }
  return to;
}

Status term_force_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                           Error *error)
{
  (void)shape;
  const Terms *t = self;
  size_t most = 1;
  int n = 0;
  if (t->sites != NULL)
    return error_set(error, STATUS_INPUT, "terms of virtual sites have no description");
  for (int k = 0; k < t->topology->nsort; k++)
    most += (size_t)t->sorted[k].begin[TERM_TYPES] * (size_t)t->sorted[k].sort->nmol;
  TermDescription *term = arena_take(arena, most, sizeof *term);
  TRY(arena_check(arena, "the description of terms", error));
  for (int k = 0; k < t->topology->nsort; k++)
    for (int m = 0; m < t->sorted[k].sort->nmol; m++)
      for (int i = 0; i < t->sorted[k].begin[TERM_TYPES]; i++)
        term[n++] = describe_term(t, k, &t->sorted[k].placed[i], m);
  to->form = FORM_TERMS;
  to->terms = (TermsDescription){n, term};
  return STATUS_OK;
}
