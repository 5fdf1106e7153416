/* Symmetric compositions: a symmetric step S_t of second order gives S_{w_m h} ... S_{w_0 h} ... S_{w_m h},
 * which is symmetric and, by the order conditions on its weights, of higher order. One row each.
 *
 * Acceleration maps depend on the step: stages of different length have separate maps, and forces pass
 * through the next stage's map where it changes. */
#ifndef HOLONOM_INTEGRATORS_COMPOSITION_H
#define HOLONOM_INTEGRATORS_COMPOSITION_H

enum { COMPOSITION_HALF = 8 };

typedef struct Composition {
  const char *name, *doc, *cite;
  int order;
  int nstage;                      /* odd                                                           */
  double weight[COMPOSITION_HALF]; /* from the first stage to the middle one, (nstage + 1)/2 of them */
} Composition;

/* All compositions, ended by a row whose name is NULL. */
extern const Composition composition_table[];

/* The row of this name, or NULL. */
const Composition *composition_find(const char *name);

/* The weight of stage i = 0..nstage-1; with composition NULL there is one stage, of weight 1. */
double composition_weight(const Composition *composition, int i);
int composition_stages(const Composition *composition);

#endif
