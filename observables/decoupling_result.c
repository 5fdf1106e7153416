#include "observables/decoupling_result.h"

#include <math.h>
#include <stdio.h>

#include "base/scoped.h"
#include "base/text.h"

static const char group[] = "alchemy";

/* Charges that no state removes are zero: those of soft-core sites are refused. */
static bool is_whole(const DecouplingPath *p)
{
  return p->strength[DECOUPLING_COULOMB][0] == 1.0 && p->strength[DECOUPLING_LJ][0] == 1.0 &&
         p->strength[DECOUPLING_LJ][p->states - 1] == 0.0;
}

const char *decoupling_result_name(const DecouplingPath *p, const DecouplingAbout *about)
{
  return is_whole(p) && !about->open ? "solvation" : "difference";
}

/* --- tables ------- */

/* Results being filled in; value and error: scratch [states] of a table. */
typedef struct Filling {
  const Decoupling *d;
  const DecouplingPath *path;
  const DecouplingAbout *about;
  ResultSet *set;
  ResultTable *table;
  double *value, *error;
} Filling;

static void add_energies(const Filling *f, const DecouplingColumn *of, const char *name)
{
  for (int k = 0; k < f->d->states; k++) {
    f->value[k] = f->path->kT * of->value[k];
    f->error[k] = f->path->kT * of->error[k];
  }
  results_add_column(f->table, name, f->value, f->error);
}

/* Adds an estimate of the free energy of the next state relative to each; the last state has none. */
static void add_pairs(const Filling *f, size_t offset, const char *name)
{
  for (int k = 0; k < f->d->states; k++) {
    const WorkValue *of = (const WorkValue *)((const char *)&f->d->pair[k] + offset);
    const bool last = k + 1 == f->d->states;
    f->value[k] = last ? NAN : f->path->kT * of->value;
    f->error[k] = last ? NAN : f->path->kT * of->error;
  }
  results_add_column(f->table, name, f->value, f->error);
}

static void add_states(const Filling *f)
{
  const Decoupling *d = f->d;
  results_add_steps(f->table, "state", 1.0);
  results_add_column(f->table, "coulomb", f->path->strength[DECOUPLING_COULOMB], NULL);
  results_add_column(f->table, "lj", f->path->strength[DECOUPLING_LJ], NULL);
  results_add_column(f->table, "inefficiency", d->inefficiency, NULL);
  add_energies(f, &d->slope[DECOUPLING_COULOMB], "slope_coulomb");
  add_energies(f, &d->slope[DECOUPLING_LJ], "slope_lj");
  add_energies(f, &d->free, "free_energy");
  add_energies(f, &d->integrated, "free_energy_integrated");
  add_pairs(f, offsetof(WorkEstimates, free_energy), "next");
  add_pairs(f, offsetof(WorkEstimates, jarzynski[0]), "next_from_here");
  add_pairs(f, offsetof(WorkEstimates, jarzynski[1]), "next_from_there");
  for (int k = 0; k < d->states; k++)
    f->value[k] = k + 1 < d->states ? d->pair[k].overlap : NAN;
  results_add_column(f->table, "overlap", f->value, NULL);
}

static void describe(const Filling *f)
{
  const DecouplingAbout *about = f->about;
  const Decoupling *d = f->d;
  ResultTable *const t = f->table;
  results_say(t, "%d samples of each state, one in %lld steps; errors from %d %s%s", d->samples * d->ladders,
              (long long)about->sample_steps, d->units, d->blocks ? "blocks of time" : "ladders",
              d->sound ? "" : ", too short: lower bounds");
  results_say(t, "free_energy: %s, relative to the first state, by MBAR",
              about->pressure ? "Gibbs" : "Helmholtz");
  results_say(t, "free_energy_integrated: by thermodynamic integration, with cubics through four states");
  results_say(t, "next: the next state relative to this one, by Bennett");
  results_say(t, "next_from_here, next_from_there: from the samples of this state, or of the next, alone");
  results_say(t, "overlap: with the next state, 0.5 if equal, at least %g", MBAR_OVERLAP_LEAST);
  results_say(t, "inefficiency: samples for an independent one, along continuous replicas");
}

static void add_overlap(const Decoupling *d, ResultSet *set)
{
  ResultTable *t = results_add_table(set, "overlap", (size_t)d->states);
  results_add_steps(t, "state", 1.0);
  for (int j = 0; j < d->states; j++) {
    char name[32];
    snprintf(name, sizeof name, "with_%d", j);
    results_add_strided(t, name, d->matrix + j, NULL, (size_t)d->states);
  }
  results_say(t, "overlap matrix: in the row of a state, the probabilities that one of its samples is from "
                 "each state");
}

Status decoupling_result_tables(const Decoupling *d, const DecouplingPath *path, const DecouplingAbout *about,
                                ResultSet *set, Error *error)
{
  SCOPED(scoped_free) double *scratch = malloc(2 * (size_t)d->states * sizeof *scratch);
  TRY_MEMORY(scratch != NULL, "results of alchemical states", error);
  const Filling f = {.d = d,
                     .path = path,
                     .about = about,
                     .set = set,
                     .table = results_add_table(set, group, (size_t)d->states),
                     .value = scratch,
                     .error = scratch + d->states};
  add_states(&f);
  describe(&f);
  add_overlap(d, set);
  return results_failed(set) ? error_memory(error, "results of alchemical states") : STATUS_OK;
}

/* --- numbers ------- */

/* Adds a free energy of decoupling with the sign of solvation, first state minus last, in kcal/mol. */
static void add_free(const Filling *f, const char *suffix, double value, double error)
{
  char name[64];
  snprintf(name, sizeof name, "%s%s", decoupling_result_name(f->path, f->about), suffix);
  if (isfinite(value)) /* 0 - x is no -0 */
    results_mean(f->set, group, name, 0.0 - f->path->kT * value, f->path->kT * error, NAN, NAN);
}

static void say_kind(const Filling *f)
{
  const char *const kind = f->about->pressure ? "Gibbs" : "Helmholtz";
  if (*decoupling_result_name(f->path, f->about) == 's')
    results_note(
        f->set,
        "%s free energy, by MBAR; standard state of Ben-Naim: from a gas of 1 mol/l to a solution of "
        "1 mol/l",
        kind);
  else
    results_note(f->set,
                 "%s free energy of the first state minus that of the last, by MBAR; no solvation free "
                 "energy, since %s",
                 kind,
                 f->about->open ? "open space has no standard state"
                                : "the states do not go from full interactions to none");
}

static void add_frees(const Filling *f)
{
  const Decoupling *d = f->d;
  const int last = d->states - 1;
  const bool known = isfinite(d->free.value[last]);
  add_free(f, "", d->free.value[last], d->free.error[last]);
  if (known)
    say_kind(f);
  add_free(f, "_coulomb", d->leg[DECOUPLING_COULOMB].value, d->leg[DECOUPLING_COULOMB].error);
  add_free(f, "_lj", d->leg[DECOUPLING_LJ].value, d->leg[DECOUPLING_LJ].error);
  add_free(f, "_integrated", d->integrated.value[last], d->integrated.error[last]);
  add_free(f, "_trapezoid", d->trapezoid, NAN);
  add_free(f, "_first_half", d->half[0].value, d->half[0].error);
  add_free(f, "_second_half", d->half[1].value, d->half[1].error);
  if (known)
    results_mean(f->set, group, "reduced", 0.0 - d->free.value[last], d->free.error[last], NAN, NAN);
}

static void append_pair(const DecouplingPath *p, int k, char *words, size_t size)
{
  text_append(words, size, "states %d (coulomb %.4g, lj %.4g) and %d (coulomb %.4g, lj %.4g)", k,
              p->strength[0][k], p->strength[1][k], k + 1, p->strength[0][k + 1], p->strength[1][k + 1]);
}

/* Adds the number of pairs for which `is` holds, with a note on the first ones. */
static void add_count(ResultSet *set, const DecouplingPath *p, const Decoupling *d, const char *name,
                      bool (*is)(const Decoupling *d, int k))
{
  enum { LISTED = 3 };
  char words[256] = "";
  int n = 0;
  for (int k = 0; k + 1 < d->states; k++)
    if (is(d, k) && n++ < LISTED) {
      text_append(words, sizeof words, n > 1 ? "; " : "");
      append_pair(p, k, words, sizeof words);
    }
  results_whole(set, group, name, n);
  if (n > 0)
    results_note(set, "%s%s", words, n > LISTED ? "; ..." : "");
}

static bool is_missing(const Decoupling *d, int k) { return d->pair[k].overlap < MBAR_OVERLAP_LEAST; }

static void add_tests(ResultSet *set, const DecouplingPath *p, const Decoupling *d)
{
  double overlap = INFINITY, ends = NAN;
  for (int k = 0; k + 1 < d->states; k++) {
    overlap = fmin(overlap, d->pair[k].overlap);
    ends = fmin(ends, d->ends_p[k]);
  }
  results_real(set, group, "overlap_least", overlap);
  add_count(set, p, d, "missing", is_missing);
  add_count(set, p, d, "ends_disagree", decoupling_ends_disagree);
  if (isfinite(ends))
    results_real(set, group, "ends_p", ends);
  if (isfinite(d->halves_p))
    results_real(set, group, "halves_p", d->halves_p);
  if (isfinite(d->apart_p))
    results_real(set, group, "integration_p", d->apart_p);
}

static double fewest_independent(const Decoupling *d)
{
  double least = INFINITY;
  for (int k = 0; k < d->states; k++)
    least = fmin(least, d->samples * d->ladders / d->inefficiency[k]);
  return least;
}

void decoupling_result_numbers(const Decoupling *d, const DecouplingPath *path, const DecouplingAbout *about,
                               ResultSet *set)
{
  const Filling f = {.d = d, .path = path, .about = about, .set = set};
  results_group(set, group);
  results_words(set, group, "molecules", about->molecules);
  results_whole(set, group, "states", d->states);
  results_words(set, group, "exchange", about->exchange ? "yes" : "no");
  add_frees(&f);
  results_whole(set, group, "samples_each", (int64_t)d->samples * d->ladders);
  results_whole(set, group, "sample_steps", about->sample_steps);
  results_real(set, group, "inefficiency", d->slowest);
  results_real(set, group, "independent_samples", fewest_independent(d));
  results_words(set, group, "errors", d->sound ? "sound" : "lower bounds");
  results_whole(set, group, "error_draws", d->units);
  results_note(set, "%s", d->blocks ? "blocks of time" : "ladders");
  add_tests(set, path, d);
}
