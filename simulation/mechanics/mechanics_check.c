#include "simulation/mechanics/mechanics_check.h"

#include "base/locale.h"
#include "integrators/accel.h"
#include "integrators/oscillator.h"
#include "simulation/mechanics/mechanics_report.h"
#include "simulation/run/penalty_report.h"

static const char *plural(int n) { return n == 1 ? "" : "s"; }

static Status say_sites(Simulation *s, FILE *out, Error *error)
{
  const Kind *kind = s->kind[0];
  (void)error;
  fprintf(out, "system: %d site%s in %d dimension%s, %d term%s of potential energy, %d replica%s\n",
          kind->nsite, plural(kind->nsite), kind->dim, plural(kind->dim), kind->npot, plural(kind->npot),
          s->replicas, plural(s->replicas));
  return STATUS_OK;
}

static Status say_hamiltonian(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  fprintf(out, "system: a Hamiltonian of %d degrees of freedom, %d replica%s\n", s->kind[0]->ham->n,
          s->replicas, plural(s->replicas));
  return STATUS_OK;
}

static Status say_constraints(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  if (s->ncon > 0)
    fprintf(out, "constraints: %d, independent (rank %d), %s\n", s->ncon, s->ncon,
            s->constrained ? "exact" : "as penalties");
  return STATUS_OK;
}

static Status say_freedom(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  fprintf(out, "degrees of freedom: %d\n", (int)s->coordinates - (s->constrained ? s->ncon : 0));
  return STATUS_OK;
}

static Status say_method(Simulation *s, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  const PlanOptions *o = plan_options(s->plan);
  (void)error;
  fprintf(out, "method: %s, word %s%s%s; symplectic: %s\n",
          o->method != NULL        ? o->method->name
          : o->constraints != NULL ? o->constraints
                                   : o->accel,
          o->word != NULL ? o->word : "H", o->composition != NULL ? ", composed by " : "",
          o->composition != NULL ? o->composition : "", mechanics_report_symplectic(s));
  fprintf(out, "length: %lld steps of %.15g: %.15g\n", (long long)s->steps, s->h, (double)s->steps * s->h);
  return STATUS_OK;
}

static Status say_start(Simulation *s, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  double e[MEASUREMENT_SHOWN];
  const Measurement *g = s->measurement;
  TRY(simulation_look_now(s, 0, e, error));
  fprintf(out, "start: energy %.12g, largest |g|/scale %.3g, largest |dg/dt| %.3g\n", e[g->total],
          e[measurement_find(g, "largest_g")], e[measurement_find(g, "hidden_g")]);
  return STATUS_OK;
}

static Status say_fastest(Simulation *s, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  const Mechanics *m = mechanics_of(s);
  double fastest;
  tangent_look(m->tangent, m->q, m->p);
  TRY(tangent_fastest(m->tangent, plan_options(s->plan)->w, &fastest, error));
  if (!(fastest > 0.0))
    return STATUS_OK;
  const OscillatorStep step = oscillator_step(s->plan);
  const double limit = oscillator_limit(&step);
  fprintf(out, "fastest frequency at the start%s: W = %.5g, h W = %.4g",
          s->constrained ? " (constraints left out)" : "", fastest, s->h * fastest);
  if (accel_map_has(plan_options(s->plan)->accel, ACCEL_PLAIN) && s->h * fastest > limit)
    fprintf(out, "; WARNING: UNSTABLE, %.4g is the limit of this word with verlet", limit);
  fprintf(out, "\n");
  return STATUS_OK;
}

const CheckLine mechanics_check_natural[] = {say_sites, say_constraints, say_freedom,          say_method,
                                             say_start, say_fastest,     penalty_report_check, NULL},
                mechanics_check_general[] = {say_hamiltonian, say_constraints, say_method, say_start, NULL};
