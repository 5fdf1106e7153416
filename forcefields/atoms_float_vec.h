/* Loads and stores of the kernel of atoms in float: rows of atoms and of the table of types, to and from
 * registers. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_VEC_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_VEC_H

#include "forcefields/atoms_float_kernels.h"
#include "forcefields/water_float_vec.h"

/* o: positions, fractions of the box. */
typedef struct Atom {
  vuf o[3];
  vf charge;
} Atom;

/* 12 A, 6 C and the shift of each pair. */
typedef struct Types {
  vf a12, c6, shift;
} Types;

/* The shift removes the marks of an entry (list.h) from the offset of its row.
 *
 * IN_MEMORY forces the offsets into memory: gcc otherwise extracts them from a register, two operations a
 * lane instead of one load. */
#define IN_MEMORY(offsets) __asm__ volatile("" : "+m"(offsets))

VEC_INLINE void find_places(const AtomsFloatModel *m, const int32_t *j, Offsets *offsets)
{
  vuf v;
  memcpy(&v, j, sizeof v);
  v <<= (uint32_t)m->shift;
  memcpy(offsets->at, &v, sizeof v);
  IN_MEMORY(*offsets);
}

VEC_INLINE Atom load_atoms(const void *row, const Offsets *j)
{
  vf v[4];
  UNROLL
  for (int m = 0; m < 4; m++)
    v[m] = (vf)vif_load_quads(row, j->at + m);
  vf_turn(v);
  return (Atom){{(vuf)v[0], (vuf)v[1], (vuf)v[2]}, v[3]};
}

VEC_INLINE Atom one_atom(const WaterFloatRow *row)
{
  Atom a;
  float charge;
  memcpy(&charge, &row->o[3], sizeof charge);
  UNROLL
  for (int k = 0; k < 3; k++)
    a.o[k] = (vuf){0} + (uint32_t)row->o[k];
  a.charge = charge - (vf){0};
  return a;
}

VEC_INLINE Types load_types(const void *table, const uint32_t *at)
{
  vif v[4], out[3];
  UNROLL
  for (int m = 0; m < 4; m++)
    v[m] = vif_load_quads(table, at + m);
  vif_transpose(v, out);
  return (Types){(vf)out[0], (vf)out[1], (vf)out[2]};
}

/* How many registers hold one number of all types; HELD_NOT: more than two, or the machine has no lookup in
 * registers. */
typedef enum Held { HELD_NOT, HELD_ONE, HELD_TWO } Held;

VEC_INLINE Held held(const AtomsFloatModel *m)
{
#if defined(__AVX2__)
  if (m->few != NULL)
    return m->ntype <= FLOATS ? HELD_ONE : m->ntype <= 2 * FLOATS ? HELD_TWO : HELD_NOT;
#endif
  (void)m;
  return HELD_NOT;
}

/* The row of a type in the table, and its copy for lookups in registers. */
typedef struct TypeRow {
  const float (*row)[ATOMS_FLOAT_TYPE], (*few)[ATOMS_FLOAT_FEW];
} TypeRow;

VEC_INLINE TypeRow find_row(const AtomsFloatModel *m, const Held held, int type)
{
  return (TypeRow){(const float(*)[ATOMS_FLOAT_TYPE])m->lj + (size_t)type * (size_t)m->ntype,
                   held != HELD_NOT ? (const float(*)[ATOMS_FLOAT_FEW])m->few[type] : NULL};
}

/* A type with the types whose byte offsets in its row are at `with`. */
VEC_INLINE Types find_types(const TypeRow *r, const Held held, const int32_t *with)
{
#if defined(__AVX2__)
  if (held != HELD_NOT) {
    vif at;
    vf number[3];
    memcpy(&at, with, sizeof at);
    at >>= ATOMS_FLOAT_SHIFT;
    UNROLL
    for (int d = 0; d < 3; d++) {
      vf low, high;
      memcpy(&low, r->few[d], sizeof low);
      if (held == HELD_TWO)
        memcpy(&high, r->few[d] + FLOATS, sizeof high);
      number[d] = held == HELD_TWO ? vf_choose(low, high, at) : vf_pick(low, at);
    }
    return (Types){number[0], number[1], number[2]};
  }
#endif
  (void)held;
  return load_types(r->row, (const uint32_t *)with);
}

/* Lanes whose entries are partners of the k-th place that shares the list. */
VEC_INLINE vfm partners(const int32_t *j, int k)
{
  static const uint32_t mark[LIST_SHARE] = {UINT32_C(1) << LIST_MARK, UINT32_C(2) << LIST_MARK,
                                            UINT32_C(4) << LIST_MARK, UINT32_C(8) << LIST_MARK};
  vif v;
  memcpy(&v, j, sizeof v);
  return vfm_clear(v, (int32_t)mark[k]);
}

/* Forces += g on atoms, which may occur more than once. */
VEC_INLINE void scatter_atoms(int32_t *force, const Offsets *offsets, const vif g[3])
{
  vif s[4];
  vif_transpose_back(g, s);
  UNROLL
  for (int m = 0; m < 4; m++) {
    Quad quad[FLOATS / 4];
    vuf_quads((vuf)s[m], quad);
    UNROLL
    for (int q = 0; q < FLOATS / 4; q++)
      add_quad((char *)force + offsets->at[m + 4 * q], quad[q]);
  }
}

/* The force at f -= the sum of g over its lanes. */
VEC_INLINE void subtract_atom(char *f, const vuf g[3])
{
  const vif v[3] = {(vif)-g[0], (vif)-g[1], (vif)-g[2]};
  vif r[4];
  Quad quad[FLOATS / 4];
  vif_transpose_back(v, r);
  vuf_quads(((vuf)r[0] + (vuf)r[1]) + ((vuf)r[2] + (vuf)r[3]), quad);
  UNROLL
  for (int q = 1; q < FLOATS / 4; q++)
    quad[0] += quad[q];
  add_quad(f, quad[0]);
}

#endif
