/* Potentials inside a molecule and external fields: energies of one or two sites. They have the type of
 * constraints (a scalar function with derivatives), so differentiation, discrete derivatives and formulas
 * serve both. */
#ifndef HOLONOM_ENGINE_POTENTIAL_H
#define HOLONOM_ENGINE_POTENTIAL_H

#include "engine/constraint.h"

typedef Constraint Potential;
typedef ConstraintType PotentialType;

/* -a . q on one site, param {., a_x, a_y, a_z}: a constant force a (weight: a = m g). */
extern const PotentialType potential_field;
/* 1/2 k |q_i - q_j|^2, param {k}; with one site 1/2 k |q_i - x|^2, param {k, x, y, z}. */
extern const PotentialType potential_link;
/* 1/2 k (|q_i - q_j| - d)^2, param {k, ., ., ., d}; with one site from the fixed point {k, x, y, z, d}. */
extern const PotentialType potential_spring;
/* 1/4 k (|q_i - q_j|^2 - d^2)^2, param {k, ., ., ., d} (Gonzalez 1999, sec. 4); one site as above. */
extern const PotentialType potential_quartic;
/* A formula in the coordinates of one or two sites, `data` by implicit_formula (implicit.h). */
extern const PotentialType potential_formula;

/* All types that have a name in input files, ended by NULL. */
extern const PotentialType *const potential_types[];

#endif
