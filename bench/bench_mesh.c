#include "bench/bench.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "base/ticks.h"
#include "forcefields/mesh.h"
#include "forcefields/stage.h"
#include "forcefields/water.h"

typedef struct Case {
  const char *name;
  int nmol, grid, order;
  PmePrecision precision;
} Case;

enum { SMALL = 4055, LARGE = 32773, HUGEST = 333333 };

static const Case cases[] = {{"mesh32.order4", SMALL, 32, 4, PME_FLOAT},
                             {"mesh32.order5", SMALL, 32, 5, PME_FLOAT},
                             {"mesh32.order6", SMALL, 32, 6, PME_FLOAT},
                             {"mesh36.order5", SMALL, 36, 5, PME_FLOAT},
                             {"mesh40.order4", SMALL, 40, 4, PME_FLOAT},
                             {"mesh44.order4", SMALL, 44, 4, PME_FLOAT},
                             {"mesh64.order4", SMALL, 64, 4, PME_FLOAT},
                             {"mesh32.order6.double", SMALL, 32, 6, PME_DOUBLE},
                             {"mesh48.order6.double", SMALL, 48, 6, PME_DOUBLE},
                             {"mesh64.order6.waters32773", LARGE, 64, 6, PME_FLOAT},
                             {"mesh144.order6.waters333333", HUGEST, 144, 6, PME_FLOAT}};

/* The edge of a box at the density of liquid water. */
static double side_of(int nmol) { return 49.6 * cbrt(nmol / 4055.0); }

/* The best of the repeats, for each part. */
static Status time_mesh(Stage *stage, Mesh *mesh, int threads, int repeats, State *state,
                        double best[PME_COSTS + 1], Error *error)
{
  TeamBarrier barrier = {0};
  Status all = STATUS_OK;
  for (int k = 0; k <= PME_COSTS; k++)
    best[k] = INFINITY;
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    double before[PME_COSTS], after[PME_COSTS];
    Status status = STATUS_OK;
    for (int i = 0; i < repeats && status == STATUS_OK; i++) {
      if (team.rank == 0)
        pme_times(mesh->pme, before);
      const StageOut out = {.mesh = &mesh->stage};
      StageForces forces = {0};
      double start = 0.0;
      status = stage_run(stage, &team, state, &out, team.rank == 0 ? error : NULL);
      if (status == STATUS_OK) {
        pme_count(mesh->pme, &team);
        team_barrier(&team);
        pme_sort(mesh->pme, &team);
        team_barrier(&team);
        mesh_solve(mesh, &team, NULL, &forces);
        start = ticks_seconds();
        stage_deliver(stage, &team, &forces, state->block, false);
        team_barrier(&team);
      }
      if (team.rank != 0)
        continue;
      all = status;
      pme_times(mesh->pme, after);
      after[PME_GATHER] += ticks_seconds() - start;
      double sum = 0.0;
      for (int k = 0; k < PME_COSTS; k++) {
        best[k] = fmin(best[k], after[k] - before[k]);
        sum += after[k] - before[k];
      }
      best[PME_COSTS] = fmin(best[PME_COSTS], sum);
    }
  }
  return all;
}

static Status measure(const Case *c, const WaterModel *model, State *state, Isa isa, int threads,
                      Error *error)
{
  static const char *const part[PME_COSTS + 1] = {".sort", ".spread", ".fft", ".gather", ""};
  const double side = side_of(c->nmol);
  state->box = box_brick(side, side, side);
  SCOPED(particles_free) Particles particles = {0};
  TRY(particles_make(&particles, model, NULL, state, error));
  const MeshOptions o = {.particles = &particles,
                         .pme = {.box = &state->box,
                                 .beta = 0.325,
                                 .order = c->order,
                                 .grid = {c->grid, c->grid, c->grid},
                                 .precision = c->precision,
                                 .threads = threads,
                                 .isa = isa}};
  Mesh *mesh;
  Status status = bench_lattice(state, error);
  if (status == STATUS_OK)
    status = mesh_create(&mesh, &o, state, error);
  if (status != STATUS_OK)
    return status;
  double best[PME_COSTS + 1];
  Stage stage;
  status = stage_init(&stage, &particles, 1.5, o.pme.box, isa, error);
  if (status == STATUS_OK)
    status = time_mesh(&stage, mesh, threads,
                       c->nmol == SMALL   ? 200
                       : c->nmol == LARGE ? 40
                                          : 10,
                       state, best, error);
  for (int k = 0; k <= PME_COSTS && status == STATUS_OK; k++)
    printf("%s%s\t%.4f\tms\n", c->name, part[k], 1e3 * best[k]);
  fflush(stdout);
  stage_free(&stage);
  mesh_free(mesh);
  return status;
}

Status bench_mesh_print(Isa isa, int threads, Error *error)
{
  const WaterModel *model = water_find("tip3p");
  Kind *made;
  Status status = water_kind(model, WATER_MASS_O, WATER_MASS_H, &made, error);
  if (status != STATUS_OK)
    return status;
  const Kind *const kind = made;
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++) {
    State *state;
    status = state_create(&state, 1, 1, &kind, &cases[i].nmol, 1, 0, error);
    if (status != STATUS_OK)
      break;
    status = measure(&cases[i], model, state, isa, threads, error);
    state_free(state);
  }
  kind_free(made);
  return status;
}
