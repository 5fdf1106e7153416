/* A solute among waters, chains and ions, with strengths for each replica, for tests of alchemy. */
#ifndef HOLONOM_TESTS_ALCHEMY_WORLD_H
#define HOLONOM_TESTS_ALCHEMY_WORLD_H

#include "simulation/simulation_private.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "topology/topology.h"

enum { ALCHEMY_WATERS = 5, ALCHEMY_CHAINS = 2, ALCHEMY_ATOMS = 32, ALCHEMY_CELLS = 27, ALCHEMY_THREADS = 3 };

/* A system: all have chains and two ions beside the water and the solute. */
typedef struct AlchemyCase {
  const char *solute, *water;
  const char *box, *forces; /* lattice of an XYZ file, NULL: open space; keys of forces */
  const char *soft;         /* further keys of alchemy */
  double coulomb, lj;       /* strengths */
  bool overlaps;            /* the solute lies on another molecule */
  bool mixed;
} AlchemyCase;

#define ALCHEMY_BRICK   "17 0 0 0 18 0 0 0 17.5"
#define ALCHEMY_OBLIQUE "17 0 0 3 17 0 -2 3 17"
#define ALCHEMY_WIDE    "23 0 0 0 22 0 0 0 24"
#define ALCHEMY_PME     "by: atom, cutoff: 5.9 A, coulomb: pme, beta: 0.62, order: 6, grid: 48, "
#define ALCHEMY_FINE    "by: atom, cutoff: 5.9 A, coulomb: pme, beta: 0.62, order: 6, grid: 64, "
#define ALCHEMY_FIELD   "cutoff: 5.9 A, coulomb: reaction-field, permittivity: 40, "
#define ALCHEMY_CUT     "cutoff: 5.9 A, coulomb: cutoff, "

/* --- molecules ------------------------------------------------------------------------------------------ */

/* All sites are carbons by name and mass; their types differ. R only repels. */
static const char alchemy_molecules[] =
    "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
    "types: {A: [3.4, 0.1], B: [3.0, 0.15], H: [0, 0], R: [0, 0]}\n"
    "pairs: [[R, A, {c12: 90000, c6: 0}], [R, B, {c12: 60000, c6: 0}]]\n"
    "molecules:\n"
    "  flexible:\n"
    "    atoms: [[C1, A, 0.2, 12], [C2, A, 0.1, 12], [C3, B, -0.6, 12], [C4, H, 0.3, 12]]\n"
    "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.4, 300], [3, 4, 1.0, 300]]}\n    exclude: 2\n"
    "  rigid:\n"
    "    atoms: [[C1, B, -0.6, 12], [C2, R, 0.2, 12], [C3, A, 0.4, 12]]\n"
    "    constraints: [[1, 2, 1.0], [1, 3, 1.2], [2, 3, 1.5]]\n"
    "  rigid-half:\n"
    "    atoms: [[C1, B, -0.3, 12], [C2, R, 0.1, 12], [C3, A, 0.2, 12]]\n"
    "    constraints: [[1, 2, 1.0], [1, 3, 1.2], [2, 3, 1.5]]\n"
    "  marked-half:\n"
    "    atoms: [[C1, A, 0.05, 12], [C2, B, 0.15, 12], [C3, A, 0.05, 12], [C4, B, -0.25, 0]]\n"
    "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.4, 300]]}\n    virtual: [[4, 3, 1, 2, 3, 0.4, 0.3]]\n"
    "  marked:\n"
    "    atoms: [[C1, A, 0.1, 12], [C2, B, 0.3, 12], [C3, A, 0.1, 12], [C4, B, -0.5, 0]]\n"
    "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.4, 300]]}\n    virtual: [[4, 3, 1, 2, 3, 0.4, 0.3]]\n"
    "  long:\n"
    "    atoms: [[C1, A, 0.2, 12], [C2, A, -0.3, 12], [C3, B, 0.1, 12], [C4, A, -0.2, 12], [C5, B, 0.2, "
    "12]]\n"
    "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.5, 300], [3, 4, 1.5, 300], [4, 5, 1.5, 300]]}\n"
    "    exclude: 2\n"
    "  chain:\n"
    "    atoms: [[C1, A, 0.1, 12], [C2, R, -0.3, 12], [C3, B, 0.1, 12], [C4, H, 0.1, 0]]\n"
    "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.4, 300]]}\n    virtual: [[4, 2, 1, 3, 0.4]]\n"
    "    exclusions: [[2, 4]]\n"
    "  plus: {atoms: [[C1, B, 1, 12]]}\n"
    "  minus: {atoms: [[C1, A, -1, 12]]}\n"
    "  neutral: {atoms: [[C1, A, 0, 12]]}\n";

static const struct {
  const char *name;
  int n;
  double x[5][3];
} alchemy_shape[] = {
    {"water", 3, {{0, 0, 0}, {0.9572, 0, 0}, {-0.2399872, 0.9266272, 0}}},
    {"chain", 3, {{0, 0, 0}, {1.4, 0.5, 0}, {2.6, -0.2, 0.3}}},
    {"plus", 1, {{0, 0, 0}}},
    {"minus", 1, {{0, 0, 0}}},
    {"flexible", 4, {{0, 0, 0}, {1.4, 0.5, 0}, {2.6, -0.2, 0.3}, {3.2, 0.5, 0.6}}},
    {"rigid", 3, {{0, 0, 0}, {1, 0, 0}, {0.1, 1.19582607, 0}}},
    {"marked", 3, {{0, 0, 0}, {1.4, 0.5, 0}, {2.6, -0.2, 0.3}}},
    {"rigid-half", 3, {{0, 0, 0}, {1, 0, 0}, {0.1, 1.19582607, 0}}},
    {"marked-half", 3, {{0, 0, 0}, {1.4, 0.5, 0}, {2.6, -0.2, 0.3}}},
    {"long", 5, {{-2, 0, 0}, {-0.7, 0.7, 0}, {0.5, -0.2, 0.2}, {1.8, 0.5, 0.1}, {3.1, -0.2, 0.4}}}};

static int alchemy_shape_of(const char *name)
{
  int k = 0;
  while (strcmp(alchemy_shape[k].name, name) != 0)
    k++;
  return k;
}

/* --- positions ------------------------------------------------------------------------------------------ */

/* Places molecule `number` in its cell, turned in its own way; returns the number of its atoms. */
static int alchemy_place(int shape, int number, const double edge[3][3], double (*x)[3])
{
  const double angle = 1.7 * number + 0.3, c = cos(angle), s = sin(angle);
  const int cell = number * 10 % ALCHEMY_CELLS, at[3] = {cell % 3, cell / 3 % 3, cell / 9};
  for (int i = 0; i < alchemy_shape[shape].n; i++) {
    const double *const own = alchemy_shape[shape].x[i],
                        turned[3] = {c * own[0] - s * own[2], own[1], c * own[2] + s * own[0]};
    for (int d = 0; d < 3; d++) {
      x[i][d] = turned[(d + number) % 3] + 0.2 * sin(3.0 * number + d);
      for (int e = 0; e < 3; e++)
        x[i][d] += at[e] / 3.0 * edge[e][d];
    }
  }
  return alchemy_shape[shape].n;
}

static void alchemy_edges(const char *box, double edge[3][3])
{
  ck_assert_int_eq(sscanf(box != NULL ? box : ALCHEMY_BRICK, "%lf%lf%lf%lf%lf%lf%lf%lf%lf", &edge[0][0],
                          &edge[0][1], &edge[0][2], &edge[1][0], &edge[1][1], &edge[1][2], &edge[2][0],
                          &edge[2][1], &edge[2][2]),
                   9);
}

/* Atoms in the order of the file, the solute last, moved a little in each replica; returns their number. */
static int alchemy_positions(const AlchemyCase *c, int replica, double (*x)[3])
{
  const int solute = alchemy_shape_of(c->solute);
  double edge[3][3];
  int n = 0, number = 0, chain = 0;
  alchemy_edges(c->box, edge);
  for (int i = 0; i < ALCHEMY_WATERS; i++)
    n += alchemy_place(alchemy_shape_of("water"), number++, edge, x + n);
  for (int i = 0; i < ALCHEMY_CHAINS; i++) {
    chain = n;
    n += alchemy_place(alchemy_shape_of("chain"), number++, edge, x + n);
  }
  n += alchemy_place(alchemy_shape_of("plus"), number++, edge, x + n);
  n += alchemy_place(alchemy_shape_of("minus"), number++, edge, x + n);
  const int first = n;
  n += alchemy_place(solute, number, edge, x + n);
  for (int i = first; i < n && c->overlaps; i++)
    for (int d = 0; d < 3; d++) {
      const double *const own = alchemy_shape[solute].x[i - first];
      x[i][d] = x[chain][d] + own[d] + 0.3 - 0.1 * d;
    }
  for (int i = 0; i < n && replica > 0; i++)
    for (int d = 0; d < 3; d++)
      x[i][d] += 0.05 * sin(7.0 * replica + 3.0 * i + d);
  return n;
}

/* --- input ---------------------------------------------------------------------------------------------- */

enum { ALCHEMY_AS_IT_IS, ALCHEMY_WITHOUT_KEYS, ALCHEMY_WITHOUT_SOLUTE, ALCHEMY_ALONE };

/* Writes the files; returns the text of the input, which has no `lists` in a variant without the section. */
static const char *alchemy_write(const AlchemyCase *c, int variant, const char *lists, const char *more)
{
  static char text[4096];
  double x[ALCHEMY_ATOMS][3];
  const int n = alchemy_positions(c, 0, x), own = alchemy_shape[alchemy_shape_of(c->solute)].n;
  const int from = variant == ALCHEMY_ALONE ? n - own : 0,
            end = variant == ALCHEMY_WITHOUT_SOLUTE ? n - own : n;
  char others[512] = "", solute[256] = "";
  program_write("m.yaml", alchemy_molecules);
  FILE *file = program_create("m.xyz");
  fprintf(file, "%d\n", end - from);
  if (c->box != NULL)
    fprintf(file, "Lattice=\"%s\" Properties=species:S:1:pos:R:3", c->box);
  for (int i = from; i < end; i++)
    fprintf(file, "\n%s %.9f %.9f %.9f",
            i >= 3 * ALCHEMY_WATERS ? "C"
            : i % 3 == 0            ? "O"
                                    : "H",
            x[i][0], x[i][1], x[i][2]);
  fprintf(file, "\n");
  ck_assert_int_eq(fclose(file), 0);
  if (variant != ALCHEMY_ALONE)
    snprintf(others, sizeof others, "%s: %d, %s/m.yaml:chain: %d, %s/m.yaml:plus: 1, %s/m.yaml:minus: 1%s",
             c->water, ALCHEMY_WATERS, program_scratch, ALCHEMY_CHAINS, program_scratch, program_scratch,
             variant != ALCHEMY_WITHOUT_SOLUTE ? ", " : "");
  if (variant != ALCHEMY_WITHOUT_SOLUTE)
    snprintf(solute, sizeof solute, "%s/m.yaml:%s: 1", program_scratch, c->solute);
  int at = snprintf(text, sizeof text,
                    "system: {molecules: {%s%s}, start: file, file: %s/m.xyz, minimise: false, box: %s}\n",
                    others, solute, program_scratch, c->box != NULL ? "file" : "none");
  if (variant == ALCHEMY_AS_IT_IS)
    at += snprintf(text + at, sizeof text - (size_t)at, "alchemy: {molecules: %s%s%s%s%s}\n", c->solute,
                   lists[0] != '\0' ? ", " : "", lists, c->soft[0] != '\0' ? ", " : "", c->soft);
  if (c->box != NULL)
    at += snprintf(text + at, sizeof text - (size_t)at, "forces: {%s}\n", c->forces);
  snprintf(text + at, sizeof text - (size_t)at,
           "geometry: {method: rattle}\nprecision: %s\n"
           "integrator: {word: BAOAB, timestep: 0.5 fs, steps: 60}\n"
           "thermostat: {temperature: 100 K, friction: 5/ps}\n"
           "output: {thermo_every: 20, trajectory: [xyz], report: false, progress: false}\n%s",
           c->mixed ? "mixed" : "double", more);
  program_write("run.yaml", text);
  return text;
}

/* --- the force ------------------------------------------------------------------------------------------ */

typedef struct AlchemyWorld {
  Simulation *s;
  State *state;
  ForceField field;
  Parameters parameters;
  double value[WIDTH_MAX * ALCHEMY_STRENGTHS], energy[FORCE_TERMS * FORCES_MAX * WIDTH_MAX], virial[3][3];
} AlchemyWorld;

static const char *const alchemy_names[ALCHEMY_STRENGTHS] = {"alchemy.coulomb", "alchemy.lj"};
static const double alchemy_full[ALCHEMY_STRENGTHS] = {1.0, 1.0};

static inline void alchemy_set(AlchemyWorld *w, int r, double coulomb, double lj)
{
  w->value[ALCHEMY_STRENGTHS * r + ALCHEMY_COULOMB] = coulomb;
  w->value[ALCHEMY_STRENGTHS * r + ALCHEMY_LJ] = lj;
}

static inline void alchemy_fields(AlchemyWorld *w)
{
  FieldInput input = simulation_field_input(w->s);
  w->parameters = (Parameters){ALCHEMY_STRENGTHS, WIDTH_MAX, alchemy_names, NULL, alchemy_full, w->value};
  input.parameters = &w->parameters;
  input.threads = ALCHEMY_THREADS;
  input.terms = NULL; /* they have no virial */
  w->field.n = 0;
  fine(simulation_field_create(w->s, &input, w->state, &w->field, &error));
}

/* All forces between molecules of a case, whose replicas have its strengths. */
static inline void alchemy_open(AlchemyWorld *w, const AlchemyCase *c, int variant, int width, int used)
{
  double x[ALCHEMY_ATOMS][3];
  memset(w, 0, sizeof *w);
  w->s = parsed(alchemy_write(c, variant, "", ""));
  fine(topology_state(w->s->topology, width, 1, 0, &w->state, &error));
  state_use(w->state, used);
  w->state->box = w->s->box;
  for (int r = 0; r < WIDTH_MAX; r++)
    alchemy_set(w, r, c->coulomb, c->lj);
  const int own = alchemy_shape[alchemy_shape_of(c->solute)].n;
  for (int r = 0; r < used; r++) {
    const int n = alchemy_positions(c, r, x), from = variant == ALCHEMY_ALONE ? n - own : 0;
    ck_assert_int_eq((int)topology_coordinates(w->s->topology),
                     3 * (variant == ALCHEMY_WITHOUT_SOLUTE ? n - own : n - from));
    topology_set(w->s->topology, w->state, STATE_POSITIONS, r, &x[from][0]);
  }
  alchemy_fields(w);
}

/* Keeps only the force of this name. */
static inline void alchemy_keep(AlchemyWorld *w, const char *name)
{
  const ForceField all = w->field;
  w->field.n = 0;
  for (int i = 0; i < all.n; i++)
    if (strcmp(all.force[i].ops->name, name) == 0)
      w->field.force[w->field.n++] = all.force[i];
    else
      all.force[i].ops->free(all.force[i].self);
  ck_assert_int_eq(w->field.n, 1);
}

static inline void alchemy_close(AlchemyWorld *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  simulation_free(w->s);
}

/* Computes forces, terms and for width 1 the virial. */
static inline void alchemy_compute(AlchemyWorld *w)
{
  const Team alone = team_alone();
  fine(force_field_compute(&w->field, &alone, w->state,
                           &(ForceSums){w->energy, w->state->width == 1 ? w->virial : NULL}, &error));
}

/* The sum of the terms of a name, or (NULL) of all, at the last alchemy_compute. */
static inline double alchemy_term(const AlchemyWorld *w, const char *name, int r)
{
  double sum = 0.0;
  for (int t = 0; t < force_field_terms(&w->field); t++)
    if (name == NULL || strcmp(force_field_term(&w->field, t), name) == 0)
      sum += w->energy[t * w->state->width + r];
  return sum;
}

static inline double alchemy_energy(AlchemyWorld *w, int r)
{
  alchemy_compute(w);
  return alchemy_term(w, NULL, r);
}

static inline int alchemy_forces(const AlchemyWorld *w, int r, double *f)
{
  topology_get(w->s->topology, w->state, STATE_FORCES, r, f);
  return (int)topology_coordinates(w->s->topology);
}

#endif
