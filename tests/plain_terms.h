/* Terms, restraints and Fixman's potential by their descriptions: functions of coordinates, by the formulas
 * of docs/theory.md. */
#ifndef HOLONOM_TESTS_PLAIN_TERMS_H
#define HOLONOM_TESTS_PLAIN_TERMS_H

#include "tests/plain_forces.h"

/* f += -grad V of all. Aborts the test for a term that it has no formula for. */
void plain_terms_add(const TermsDescription *terms, int n, const PlainMolecule *molecule, const double *q,
                     double *f);
void plain_terms_restrain(const RestraintsDescription *restraints, const double (*box)[3], int n,
                          const PlainMolecule *molecule, const double *q, double *f);
void plain_terms_pull(const SpringsDescription *springs, const double (*box)[3], int n,
                      const PlainMolecule *molecule, const double *q, double *f);

#endif
