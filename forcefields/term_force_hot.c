/* Bonded terms: each term type has a kernel with the type's constants. */
#include "engine/coordinate_vec.h"
#include "engine/force.h"
#include "forcefields/term_force_kernels.h"
#include "topology/term_profile.h"

/* Constants of a term type. */
typedef struct Shape {
  TermRow row;
  CoordinateForm form;
  TermColumn column, other;
  int nready; /* numbers that term_ready computes from the parameters */
} Shape;

/* Components of the vectors between its atoms. */
static inline int vectors_of(const Shape shape) { return 3 * (coordinate_sites(shape.form) - 1); }

/* One register of terms: vectors between atoms, u of term_profile.h, gradients of the coordinates. */
typedef struct Work {
  vd v[3 * COORDINATE_VECTORS], u[TERM_PROFILE], grad[COORDINATE_VALUES * 3 * COORDINATE_VECTORS];
} Work;

/* Rows of two dihedral angles have a grid. The coordinate of a table is a distance, an angle or a dihedral
 * angle. */
VEC_INLINE void work_out(const Shape shape, const vd *x, const vd *param, const TermNode *node, Work *w)
{
  vd at[2 * COORDINATE_VALUES], cell[TERM_GRID_CELL];
  coordinate_vectors(shape.form, x, w->v);
  coordinate_eval(shape.form, w->v, at, w->grad);
  const bool table = term_tabulated(shape.row), grid = shape.form == COORDINATE_DIHEDRALS;
  if (grid)
    term_grid_cell(param, at, node, cell);
  if (table)
    term_grid_table(param, shape.form == COORDINATE_DISTANCE ? at[0] : vd_atan2(at[1], at[0]), node, cell);
  term_profile(shape.row, grid || table ? cell : param, at, w->u);
}

/* Forces on atoms, f[atoms][3]; returns the lanes where all are below the limit. */
VEC_INLINE vi forces(const Shape shape, vi used, Work *w, vd *f)
{
  vi fit = ~(vi){0};
  const int n = vectors_of(shape);
  UNROLL
  for (int k = 0; k < n; k++) {
    w->grad[k] *= -w->u[1];
    if (coordinate_values(shape.form) == 2)
      w->grad[k] = vd_rounded(w->grad[k]) - vd_rounded(w->u[4] * w->grad[n + k]);
  }
  coordinate_by_sites(shape.form, w->grad, f);
  UNROLL
  for (int k = 0; k < n + 3; k++) {
    fit &= vd_abs(f[k]) < FORCE_MOST;
    f[k] = vd_where(used, f[k]);
  }
  return fit | ~used;
}

VEC_INLINE void add_energy(const Shape shape, vi used, const Work *w, int part, Vec8 *sums)
{
  const vd other = shape.other != shape.column ? w->u[3] : vd_set(0.0);
  vd_add(&sums[shape.column], part, vd_where(used, w->u[0] - other));
  if (shape.other != shape.column)
    vd_add(&sums[shape.other], part, vd_where(used, other));
}

VEC_INLINE void add_virial(const Shape shape, vi used, const Work *w, int part, Vec8 *sums)
{
  UNROLL
  for (int k = 0; k < 9; k++) {
    vd sum = w->v[k / 3] * w->grad[k % 3];
    for (int i = 1; 3 * i < vectors_of(shape); i++)
      sum = vd_fma(w->v[3 * i + k / 3], w->grad[3 * i + k % 3], sum);
    vd_add(&sums[TERM_VIRIAL + k], part, vd_where(used, sum));
  }
}

/* Atoms' rows to columns. */
VEC_INLINE void gather(int natom, const TermPacks *p, int pack, int part, vd *x)
{
  UNROLL
  for (int k = 0; k < natom; k++) {
    const uint32_t *row = p->row + ((size_t)pack * (size_t)natom + (size_t)k) * LANES + part * WIDTH;
    uint64_t at[WIDTH];
    vd column[4];
    UNROLL
    for (int l = 0; l < WIDTH; l++)
      at[l] = sizeof(*p->x) * (uint64_t)row[l];
    vd_gather4(p->x, at, column);
    UNROLL
    for (int d = 0; d < 3; d++)
      x[3 * k + d] = column[d];
  }
}

VEC_INLINE bool packs(const Shape shape, const TermPacks *p)
{
  const int natom = coordinate_sites(shape.form);
  vi fit = ~(vi){0};
  for (int pack = p->first; pack < p->last; pack++)
    for (int part = 0; part < REGISTERS; part++) {
      vd x[3 * COORDINATE_SITES], param[TERM_READY], f[3 * COORDINATE_SITES];
      Work w;
      UNROLL
      for (int k = 0; k < shape.nready; k++)
        param[k] = vd_load(p->param + (size_t)pack * (size_t)shape.nready + k, part);
      gather(natom, p, pack, part, x);
      work_out(shape, x, param, p->node, &w);
      const vi used = pack + 1 < p->npack ? ~(vi){0} : register_mask(p->tail, part);
      fit &= forces(shape, used, &w, f);
      UNROLL
      for (int k = 0; k < 3 * natom; k++)
        vd_store(p->force + (size_t)pack * 3 * (size_t)natom + k, part, f[k]);
      if (p->sums == NULL)
        continue;
      add_energy(shape, used, &w, part, p->sums);
      add_virial(shape, used, &w, part, p->sums);
    }
  return vi_bits(~fit) == 0;
}

/* A register of one term's lanes. */
VEC_INLINE void load(const Shape shape, const TermLanes *t, int part, vd *x, vd *param)
{
  UNROLL
  for (int k = 0; k < 3 * coordinate_sites(shape.form); k++)
    x[k] = vd_load(t->q[k / 3] + k % 3, part);
  UNROLL
  for (int k = 0; k < shape.nready; k++)
    param[k] = vd_set(t->param[k]);
}

VEC_INLINE unsigned lanes(const Shape shape, const TermLanes *t)
{
  unsigned unfit = 0;
  for (int part = 0; part < REGISTERS; part++) {
    vd x[3 * COORDINATE_SITES], param[TERM_READY], f[3 * COORDINATE_SITES];
    Work w;
    load(shape, t, part, x, param);
    work_out(shape, x, param, t->node, &w);
    const vi used = register_mask(t->used, part);
    unfit |= vi_bits(~forces(shape, used, &w, f)) << part * WIDTH;
    UNROLL
    for (int k = 0; k < 3 * coordinate_sites(shape.form); k++)
      vd_add(t->f[k / 3] + k % 3, part, f[k]);
    if (t->sums != NULL)
      add_energy(shape, used, &w, part, t->sums);
  }
  return unfit;
}

/* From vectors to atoms: each atom is the end of one or two vectors, and the beginning of some. */
VEC_INLINE void add_hess(const Shape shape, const TermLanes *t, int part, const vd *h)
{
  const int n = vectors_of(shape);
  const vi used = register_mask(t->used, part);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const vd value = vd_where(used, h[i * n + j]);
      const int a[2] = {coordinate_pairs[shape.form][i / 3][1], coordinate_pairs[shape.form][i / 3][0]},
                b[2] = {coordinate_pairs[shape.form][j / 3][1], coordinate_pairs[shape.form][j / 3][0]};
      for (int s = 0; s < 4; s++)
        vd_add(t->hess + (size_t)(t->place[a[s / 2]] + i % 3) * (size_t)t->n + t->place[b[s % 2]] + j % 3,
               part, s == 1 || s == 2 ? -value : value);
    }
}

/* V'' grad grad' + V' Hess; for two coordinates with mixed derivatives. */
VEC_INLINE vd second_derivative(const Shape shape, const Work *w, const vd *h, int i, int j)
{
  const int n = vectors_of(shape);
  const vd *const a = w->grad, *const b = a + n;
  const vd one = vd_rounded(w->u[1] * h[i * n + j]) + vd_rounded(w->u[2] * a[i] * a[j]);
  if (coordinate_values(shape.form) == 1)
    return one;
  const vd other = vd_rounded(w->u[4] * h[(n + i) * n + j]) + vd_rounded(w->u[5] * b[i] * b[j]);
  return one + other + vd_rounded(w->u[6] * (vd_rounded(a[i] * b[j]) + vd_rounded(b[i] * a[j])));
}

VEC_INLINE void hess(const Shape shape, const TermLanes *t)
{
  const int n = vectors_of(shape);
  for (int part = 0; part < REGISTERS; part++) {
    vd x[3 * COORDINATE_SITES], param[TERM_READY],
        h[COORDINATE_VALUES * 9 * COORDINATE_VECTORS * COORDINATE_VECTORS];
    Work w;
    load(shape, t, part, x, param);
    work_out(shape, x, param, t->node, &w);
    coordinate_hess(shape.form, w.v, h);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        h[i * n + j] = second_derivative(shape, &w, h, i, j);
    add_hess(shape, t, part, h);
  }
}

#define SIZE(name, unit) +1
#define REAL(name, unit) +1
#define WHOLE(name)      +1
#define ANGLE(name)      +2
#define GRID(name)       +2
#define TABLE(name)      +4
#define TERM(id, name, shape, own, part, doc, ...)                                                           \
  static const Shape id##_shape = {TERM_ROW_##id, COORDINATE_##shape, TERM_##own, TERM_##part, __VA_ARGS__}; \
  static bool id##_packs(const TermPacks *p) { return packs(id##_shape, p); }                                \
  static unsigned id##_lanes(const TermLanes *t) { return lanes(id##_shape, t); }                            \
  static void id##_hess(const TermLanes *t) { hess(id##_shape, t); }
#include "topology/terms.def"
#undef TERM

/* Positions [n][3] of a pack to rows [n][LANES] of four numbers. */
static void rows(const Vec8 *q, int n, double (*x)[4])
{
  for (int i = 0; i < n; i++)
    for (int part = 0; part < REGISTERS; part++) {
      const vd column[4] = {vd_load(q + 3 * i, part), vd_load(q + 3 * i + 1, part),
                            vd_load(q + 3 * i + 2, part), vd_set(0.0)};
      double *to = x[(size_t)i * LANES + (size_t)(part * WIDTH)];
      vd_rows4(column, to);
    }
}

#define TERM(id, ...) [TERM_ROW_##id] = {id##_packs, id##_lanes, id##_hess},
const TermKernels ISA_SYMBOL(term_force_kernels_table) = {.rows = rows,
                                                          .row = {
#include "topology/terms.def"
                                                          }};
