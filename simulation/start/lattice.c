#include "simulation/start/lattice.h"

#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "engine/place.h"
#include "engine/random.h"

static const double gram = 1.66053906660; /* g/cm^3 per g/mol/A^3 */
static const double crowded = 2.2;        /* A: centres of molecules in a liquid are never closer */
static const double thinnest = 1e-3, densest = 5.0;

/* --- density -------------------------------------------------------------------------------------------- */

static Status check_density(double density, Error *error)
{
  if (density >= thinnest && density <= densest)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "a density of %.10g g/cm3 is outside %g to %g; water has about 1 g/cm3 (1000 kg/m3)",
                   density, thinnest, densest);
}

double lattice_mass(int nblock, const Kind *const *kind, const int *nmol)
{
  double mass = 0.0;
  for (int b = 0; b < nblock; b++)
    mass += nmol[b] * kind_mass(kind[b]);
  return mass;
}

double lattice_density_of(double mass, const Box *box) { return gram * mass / box_volume(box); }

double lattice_density(const State *state)
{
  double mass = 0.0;
  for (int b = 0; b < state->nblock; b++)
    mass += lattice_mass(1, &state->block[b].kind, &state->block[b].nlane);
  return lattice_density_of(mass, &state->box);
}

Status lattice_size(int nblock, const Kind *const *kind, const int *nmol, double density, Box *box,
                    Error *error)
{
  TRY(check_density(density, error));
  const double side = cbrt(gram * lattice_mass(nblock, kind, nmol) / density);
  *box = box_brick(side, side, side);
  return STATUS_OK;
}

Status lattice_count(const Kind *kind, const Box *box, double others, double density, int *nmol, Error *error)
{
  char words[BOX_WORDS];
  TRY(check_density(density, error));
  const double count = rint((density * box_volume(box) / gram - others) / kind_mass(kind));
  if (!(count >= 1.0))
    return error_set(error, STATUS_INPUT, "a box of %s at %.6g g/cm3 has room for %.10g molecules of %s",
                     box_words(box, 6, words), density, fmax(count, 0.0), kind->name);
  const Status held = state_may_hold(count, error);
  if (held == STATUS_OK)
    *nmol = (int)count;
  return held;
}

/* --- lattice -------------------------------------------------------------------------------------------- */

typedef struct Basis {
  int count;
  double at[4][3]; /* in units of cells */
} Basis;

static const Basis bases[] = {{1, {{0.0, 0.0, 0.0}}},
                              {2, {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}}},
                              {4, {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}}}};
enum { BASES = sizeof bases / sizeof *bases };

typedef struct Lattice {
  const Basis *basis;
  int n[3];          /* number of cells */
  double cell[3][3]; /* edges of a cell, A */
  double nearest;    /* nearest-neighbour distance, A */
} Lattice;

/* u is in units of cells, whose edges need not be reduced. */
static void point(const Lattice *lattice, const double u[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = u[0] * lattice->cell[0][d] + u[1] * lattice->cell[1][d] + u[2] * lattice->cell[2][d];
}

/* All points of these lattices are equivalent, so the neighbours of the first suffice; 0 for cells that are
 * too flat. */
static double nearest_neighbour(const Lattice *lattice)
{
  Box cell;
  if (box_set(&cell, lattice->cell, NULL) != STATUS_OK)
    return 0.0;
  double least = box_shortest(&cell);
  for (int p = 1; p < lattice->basis->count; p++) {
    double r[3];
    point(lattice, lattice->basis->at[p], r);
    box_nearest(&cell, r);
    least = fmin(least, sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
  }
  return least;
}

static void try_cells(Lattice *best, const Box *box, const Basis *basis, int nx, int ny, int64_t points)
{
  const int64_t layer = (int64_t)basis->count * nx * ny;
  Lattice lattice = {.basis = basis, .n = {nx, ny, (int)((points + layer - 1) / layer)}};
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      lattice.cell[d][e] = box->h[d][e] / lattice.n[d];
  lattice.nearest = nearest_neighbour(&lattice);
  if (lattice.nearest > best->nearest)
    *best = lattice;
}

/* Selects the lattice of at least `points` points with the largest nearest-neighbour distance, among
 * near-cubic cells. */
static Lattice choose_lattice(const Box *box, int64_t points)
{
  Lattice best = {.nearest = 0.0};
  for (int b = 0; b < BASES; b++) {
    const double edge = cbrt(bases[b].count * box_volume(box) / (double)points);
    int least[2], most[2];
    for (int d = 0; d < 2; d++) {
      const double n = box_length(box, d) / edge;
      least[d] = (int)fmax(1.0, floor(0.8 * n));
      most[d] = (int)ceil(1.25 * n) + 1;
    }
    for (int nx = least[0]; nx <= most[0]; nx++)
      for (int ny = least[1]; ny <= most[1]; ny++)
        try_cells(&best, box, &bases[b], nx, ny, points);
  }
  return best;
}

/* label[points] = the type of the molecule there, or -1; shuffled. */
static void deal_places(const Topology *topology, RandomStream *stream, int *label, int points)
{
  int used = 0;
  for (int k = 0; k < topology->nsort; k++)
    for (int m = 0; m < topology->sort[k].nmol; m++)
      label[used++] = k;
  while (used < points)
    label[used++] = -1;
  for (int i = points - 1; i > 0; i--) {
    const int j = (int)random_below(stream, (uint32_t)i + 1), kept = label[i];
    label[i] = label[j];
    label[j] = kept;
  }
}

/* Molecules are numbered along the lattice, so that neighbours in space are close in memory. x[sort] advances
 * molecule by molecule. */
static void fill_places(const Topology *topology, const Lattice *lattice, RandomStream *stream,
                        const int *label, double **x)
{
  for (int i = 0; i < lattice->n[0]; i++)
    for (int j = 0; j < lattice->n[1]; j++)
      for (int k = 0; k < lattice->n[2]; k++)
        for (int p = 0; p < lattice->basis->count; p++) {
          const int sort = *label++;
          if (sort < 0)
            continue;
          const double *at = lattice->basis->at[p];
          const double u[3] = {i + at[0] + 0.25, j + at[1] + 0.25, k + at[2] + 0.25};
          const Kind *kind = topology->sort[sort].kind;
          double centre[3];
          point(lattice, u, centre);
          place_molecule(kind, stream, centre, x[sort]);
          x[sort] += 3 * kind->nsite;
        }
}

static Status check_lattice(const State *state, const Lattice *lattice, Error *error)
{
  char words[BOX_WORDS];
  if (lattice->nearest >= crowded)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "the box of %s is too small: molecules would be only %.3g A apart, at %.4g g/cm3",
                   box_words(&state->box, 6, words), lattice->nearest, lattice_density(state));
}

/* All positions of the state, by type, are in one allocation. */
static Status fill_state(const Topology *topology, State *state, const Lattice *lattice, int points,
                         Error *error)
{
  int *label = calloc((size_t)points, sizeof *label);
  double *x = malloc(topology_coordinates(topology) * sizeof *x),
         **at = calloc((size_t)topology->nsort, sizeof *at);
  Status status = STATUS_OK;
  if (label == NULL || x == NULL || at == NULL)
    status = error_memory(error, "a lattice");
  else {
    double *end = x;
    for (int k = 0; k < topology->nsort; k++) {
      at[k] = end;
      end += 3 * topology->sort[k].kind->nsite * topology->sort[k].nmol;
    }
    RandomStream stream = random_stream(state->seed, state->replica, RANDOM_START);
    deal_places(topology, &stream, label, points);
    fill_places(topology, lattice, &stream, label, at);
    topology_set(topology, state, STATE_POSITIONS, 0, x);
  }
  free(label);
  free(x);
  free(at);
  return status;
}

Status lattice_fill(const Topology *topology, State *state, Error *error)
{
  if (state->width != 1 || !(box_volume(&state->box) > 0.0))
    return error_set(error, STATUS_INPUT,
                     "a lattice needs one replica (not %d) and a box that is periodic in all directions",
                     state->width);
  TRY(box_check(&state->box, 0.0, "cutoff", error));
  const Lattice lattice = choose_lattice(&state->box, topology->nmol);
  const Status fits = check_lattice(state, &lattice, error);
  if (fits != STATUS_OK)
    return fits;
  const int64_t points = (int64_t)lattice.basis->count * lattice.n[0] * lattice.n[1] * lattice.n[2];
  if (points > INT32_MAX)
    return error_set(error, STATUS_INPUT, "a lattice of %lld points is too large", (long long)points);
  return fill_state(topology, state, &lattice, (int)points, error);
}

bool lattice_stays(const Topology *topology)
{
  return topology->natom == topology->nmol && topology->nmol > 1;
}

Status lattice_scatter(const Topology *topology, State *state, Error *error)
{
  SCOPED(scoped_free) double *x = calloc(topology_coordinates(topology), sizeof *x);
  TRY_MEMORY(x != NULL, "a start", error);
  RandomStream stream = random_stream(state->seed, state->replica, RANDOM_START);
  for (int i = 0; i < topology->natom; i++)
    for (int edge = 0; edge < 3; edge++) {
      const double u = random_uniform(&stream);
      for (int d = 0; d < 3; d++)
        x[3 * i + d] += u * state->box.h[edge][d];
    }
  topology_set(topology, state, STATE_POSITIONS, 0, x);
  return STATUS_OK;
}
