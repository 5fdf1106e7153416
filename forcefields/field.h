/* Creates the force field of a system from its description, by one loop over the rows of force_rows.def. */
#ifndef HOLONOM_FORCEFIELDS_FIELD_H
#define HOLONOM_FORCEFIELDS_FIELD_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/alchemy.h"
#include "forcefields/electric_field.h"
#include "forcefields/nonbonded.h"
#include "topology/topology.h"

/* Values of the rows' keys, such as options.wall.radius, in AKMA units. */
typedef struct FieldOptions {
#define FIELD_REAL                      double
#define FORCE_KEY(name, key, type, ...) FIELD_##type key;
#define FORCE(name, key, applies, ...)                                                                       \
  struct {                                                                                                   \
    __VA_ARGS__                                                                                              \
  } name;
#include "forcefields/force_rows.def"
} FieldOptions;

/* The description. All pointers are borrowed: the topology, parameters and the caller's functions while the
 * field lives, all else during creation. */
typedef struct FieldInput {
  const Topology *topology;
  FieldOptions options;
  Isa isa;
  int threads;                    /* of the largest team */
  double kT, h;                   /* kcal/mol, 0: not given; time step, AKMA */
  const Parameters *parameters;   /* of the Hamiltonian; NULL: none */
  bool inside;                    /* the kinds have internal potentials */
  const struct WaterModel *water; /* rigid water with kernels of its own; NULL: no such water */
  const struct AtomsInput *atoms; /* all other interaction sites; NULL: none */
  AlchemyInput alchemy;           /* solute 0: none; else also atoms->solute */
  Nonbonded nonbonded;
  const struct TermList *terms; /* [topology->nsort]; NULL: no bonded terms */
  int nrestraint, nheld, nbias;
  const struct Restraint *restraint; /* [nrestraint] of atoms */
  const struct BiasInput *held;      /* [nheld] restraints of coordinates */
  const struct BiasInput *bias;      /* [nbias] */
  struct Plumed *plumed;             /* the biases of PLUMED; NULL: none */
  ElectricField electric;            /* e all zero: no field */
  bool fixman;                       /* Fixman's potential at kT */
  struct External *external;         /* the caller's forces; NULL: none */
} FieldInput;

typedef enum FieldRow {
#define FORCE(name, ...) FIELD_##name,
#include "forcefields/force_rows.def"
  FIELD_ROWS
} FieldRow;

/* Appends all forces that the input requires, for states of this shape, to the field. After an error the
 * field has the forces made so far, and *row is the row that failed. Errors: those of the forces,
 * STATUS_INPUT and STATUS_MEMORY. */
Status field_create(ForceField *field, const FieldInput *input, const State *shape, FieldRow *row,
                    Error *error);

/* Creates the force of a row, for states of this shape; defined in the file of the force. */
#define FORCE(name, ...)                                                                                     \
  Status name##_of_field(Force *force, const FieldInput *input, const State *shape, Error *error);
#include "forcefields/force_rows.def"

#endif
