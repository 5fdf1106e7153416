/* Verbs of the kernel of atoms in float: their rows, and those of the table of types, to and from registers.
 */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_VEC_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_VEC_H

#include "forcefields/atoms_float_kernels.h"
#include "forcefields/water_float_vec.h"

/* o: fractions of the box. */
typedef struct Atom {
  vuf o[3];
  vf charge;
} Atom;

/* 12 A, 6 C and the shift of each pair. */
typedef struct Types {
  vf a12, c6, shift;
} Types;

/* What finds places in memory is to lie there: gcc otherwise takes a register of them apart, which costs two
 * operations a lane instead of one load. */
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
  a.charge = (vf){0} + charge;
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

/* The row of one type. */
typedef struct TypeRow {
  const void *row;
#if defined(__AVX512F__)
  vf low[3], high[3];
#endif
} TypeRow;

VEC_INLINE TypeRow load_row(const AtomsFloatModel *m, const bool few, int type)
{
  TypeRow r = {.row = m->lj + (size_t)type * (size_t)m->ntype};
#if defined(__AVX512F__)
  for (int d = 0; d < 3 && few; d++) {
    memcpy(&r.low[d], m->few[type][d], sizeof r.low[d]);
    memcpy(&r.high[d], m->few[type][d] + FLOATS, sizeof r.high[d]);
  }
#endif
  (void)few;
  return r;
}

/* With those whose bytes in it are at `with`. */
VEC_INLINE Types find_types(const TypeRow *r, const bool few, const int32_t *with)
{
#if defined(__AVX512F__)
  if (few) {
    vif at;
    memcpy(&at, with, sizeof at);
    at >>= ATOMS_FLOAT_SHIFT;
    return (Types){vf_choose(r->low[0], r->high[0], at), vf_choose(r->low[1], r->high[1], at),
                   vf_choose(r->low[2], r->high[2], at)};
  }
#endif
  (void)few;
  return load_types(r->row, (const uint32_t *)with);
}

/* Forces += g on atoms, which may come more than once. */
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
