/* Projections: across the level sets of g onto M, and along the fibres onto the hidden constraints. */
#include <stdlib.h>
#include <string.h>

#include "methods/geometric.h"

int geometric_project_fibre(const Hamiltonian *ham, double tolerance, int max_iterations, double *z,
                            GeometricWork *work)
{
  const int m = ham->ncon;
  const size_t bytes = 2 * (size_t)ham->n * sizeof *z;
  memcpy(work->origin, z, bytes);
  for (int i = 0; i < m; i++)
    work->sigma[i] = 0.0;
  int close = 0; /* converged; one more correction reduces it to rounding */
  for (int iteration = 0; iteration <= max_iterations; iteration++) {
    geometric_bracket_hidden(ham, z, work);
    const int small = geometric_work_small(work, tolerance);
    if (small && close)
      return 1;
    close = small;
    memcpy(work->matrix, work->second, (size_t)(m * m) * sizeof *work->matrix);
    memcpy(work->correction, work->residual, (size_t)m * sizeof *work->correction);
    if (!geometric_work_solve(work->matrix, m, work->correction, 1, NULL))
      return 0;
    for (int i = 0; i < m; i++)
      work->sigma[i] -= work->correction[i];
    memcpy(z, work->origin, bytes);
    if (!geometric_flow(ham, work->sigma, z, work))
      return 0;
  }
  return geometric_work_exhausted(work);
}

int geometric_project_manifold(const Hamiltonian *ham, double tolerance, int max_iterations, double *z,
                               GeometricWork *work)
{
  const int m = ham->ncon, size = 2 * ham->n;
  int close = 0;
  for (int iteration = 0; iteration <= max_iterations; iteration++) {
    geometric_work_constraints(ham, z, work);
    const int small = geometric_work_small(work, tolerance);
    if (small && close)
      return 1;
    close = small;
    if (!geometric_work_correct(work, work->normal))
      return 0;
    for (int i = 0; i < m; i++)
      for (int k = 0; k < size; k++)
        z[k] -= work->correction[i] * work->normal[i * size + k];
  }
  return geometric_work_exhausted(work);
}

Status geometric_project_kind(const Kind *kind, double *q, double *p, Error *error)
{
  Hamiltonian *natural = NULL;
  const Hamiltonian *ham = kind->ham;
  if (ham == NULL) {
    TRY(geometric_kind_create(&natural, kind, 0.0, error));
    ham = natural;
  }
  Status status = STATUS_OK;
  double *memory = ham->n <= GEOMETRIC_SIZE && ham->ncon <= ham->n
                       ? malloc(geometric_work_size(ham->n, ham->ncon) * sizeof *memory)
                       : NULL;
  if (memory == NULL) {
    status = ham->n > GEOMETRIC_SIZE
                 ? error_set(error, STATUS_INPUT, "%d degrees of freedom; at most %d can be projected",
                             ham->n, GEOMETRIC_SIZE)
                 : error_memory(error, "a projection");
  } else {
    GeometricWork work = geometric_work_view(memory, ham->n, ham->ncon);
    const size_t half = (size_t)ham->n * sizeof *q;
    memcpy(work.end, q, half);
    memcpy(work.end + ham->n, p, half);
    if (!geometric_project_manifold(ham, 1e-12, 100, work.end, &work))
      status = error_set(error, STATUS_INPUT, "no point with g = 0 is found near the start");
    else if (!geometric_project_fibre(ham, 1e-12, 100, work.end, &work))
      status =
          error_set(error, STATUS_INPUT, "no point with {g, H} = 0 is found on the fibre through the start");
    else {
      memcpy(q, work.end, half);
      memcpy(p, work.end + ham->n, half);
    }
  }
  free(memory);
  geometric_kind_free(natural);
  return status;
}
