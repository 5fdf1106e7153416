/* Pairs of points that are near each other, found by a grid of cells: for starts whose atoms overlap, where
 * the forces of a run have no meaning yet. */
#ifndef HOLONOM_SIMULATION_START_CONTACTS_H
#define HOLONOM_SIMULATION_START_CONTACTS_H

#include "base/status.h"
#include "engine/box.h"

typedef struct Contacts Contacts;

/* Memory for n points. STATUS_MEMORY. */
Status contacts_create(Contacts **contacts, int n, Error *error);
void contacts_free(Contacts *contacts); /* NULL is fine */

/* Called for points i and k < i, r = x[i] - x[k] at the nearest image, and its length. */
typedef void ContactsVisit(void *self, int i, int k, const double r[3], double distance);

/* Visits each pair of x[n][3] closer than `reach`, A, once, in an order that depends on the positions alone.
 * In open space (a box of zeros) all pairs are looked at. */
void contacts_visit(Contacts *contacts, const Box *box, double reach, const double (*x)[3],
                    ContactsVisit *visit, void *self);

#endif
