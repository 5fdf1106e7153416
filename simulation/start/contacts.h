/* Finds close pairs of points with a grid of cells, for starts whose atoms overlap. */
#ifndef HOLONOM_SIMULATION_START_CONTACTS_H
#define HOLONOM_SIMULATION_START_CONTACTS_H

#include "base/status.h"
#include "engine/box.h"

typedef struct Contacts Contacts;

/* Allocates memory for n points. STATUS_MEMORY. */
Status contacts_create(Contacts **contacts, int n, Error *error);
void contacts_free(Contacts *contacts); /* may be NULL */

/* Called for points i and k < i with r = x[i] - x[k] at the nearest image, and its length. */
typedef void ContactsVisit(void *self, int i, int k, const double r[3], double distance);

/* Visits each pair of x[n][3] closer than `reach`, A, once, in an order that depends only on the positions.
 * In open space (a zero box) all pairs are tested. */
void contacts_visit(Contacts *contacts, const Box *box, double reach, const double (*x)[3],
                    ContactsVisit *visit, void *self);

#endif
