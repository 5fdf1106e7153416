/* A field of forces from a description of the system: one loop over the rows of force_rows.def, whatever the
 * system is. */
#ifndef HOLONOM_FORCEFIELDS_FIELD_H
#define HOLONOM_FORCEFIELDS_FIELD_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/nonbonded.h"
#include "topology/topology.h"

/* What the keys of the rows say: options.wall.radius and so on, in AKMA units. */
typedef struct FieldOptions {
#define FIELD_REAL                      double
#define FORCE_KEY(name, key, type, ...) FIELD_##type key;
#define FORCE(name, key, applies, ...)                                                                       \
  struct {                                                                                                   \
    __VA_ARGS__                                                                                              \
  } name;
#include "forcefields/force_rows.def"
} FieldOptions;

/* What forces are made from. All pointers are borrowed: the topology, parameters and callers' functions for
 * as long as the field lives, all else while it is made. */
typedef struct FieldInput {
  const Topology *topology;
  FieldOptions options;
  Isa isa;
  int threads;                    /* of the largest team that computes the field              */
  double kT, h;                   /* kcal/mol, 0: not given; time step, AKMA              */
  const Parameters *parameters;   /* of the Hamiltonian; NULL: none are named                 */
  bool inside;                    /* the kinds have potentials of their own                   */
  const struct WaterModel *water; /* rigid water for the kernels made for it; NULL: no such water */
  const struct AtomsInput *atoms; /* all other interaction sites; NULL: no others             */
  Nonbonded nonbonded;
  const struct TermList *terms; /* [topology->nsort]; NULL: no bonded terms                 */
  int nrestraint, nheld;
  const struct Restraint *restraint;      /* [nrestraint] of atoms    */
  const struct CoordinateRestraint *held; /* [nheld] of coordinates   */
  bool fixman;                            /* Fixman's potential at kT                                 */
  struct External *external;              /* callers' forces; NULL: no such force                     */
} FieldInput;

typedef enum FieldRow {
#define FORCE(name, ...) FIELD_##name,
#include "forcefields/force_rows.def"
  FIELD_ROWS
} FieldRow;

/* Makes all forces that the input calls for, for states of this shape, behind those that the field has. After
 * an error the field has what was made until then, and *row says whose the error is. Errors: those of the
 * forces, STATUS_INPUT and STATUS_MEMORY. */
Status field_create(ForceField *field, const FieldInput *input, const State *shape, FieldRow *row,
                    Error *error);

/* Of each row, in the file of its force: makes it, for states of this shape. */
#define FORCE(name, ...)                                                                                     \
  Status name##_of_field(Force *force, const FieldInput *input, const State *shape, Error *error);
#include "forcefields/force_rows.def"

#endif
