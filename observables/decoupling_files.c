#include "observables/decoupling_files.h"

#include <math.h>
#include <stdio.h>

#include "base/locale.h"
#include "base/text.h"
#include "engine/units.h"

/* A row of the samples of state k, and its parts. */
typedef struct Row {
  double time, beta;                   /* ps, mol/kcal */
  const double *u;                     /* [states] */
  double own;                          /* of the state itself */
  double slope[DECOUPLING_PARAMETERS]; /* dU/dlambda, kcal/mol */
  double work;                         /* P V, kcal/mol; 0 without volumes */
} Row;

static int samples_of(const DecouplingSamples *s) { return reduced_energies_least(s->ladder, s->ladders); }

static double lambda_of(const DecouplingSamples *s, int parameter, int k)
{
  const double lambda = 1.0 - s->path->strength[parameter][k];
  return fabs(lambda) < 1e-12 ? 0.0 : lambda;
}

static Row row_of(const DecouplingSamples *s, int k, int ladder, int i)
{
  const ReducedColumns *const c = reduced_energies_columns(s->ladder[ladder]);
  const double *const u =
      reduced_energies_sample(s->ladder[ladder], i) + (ptrdiff_t)k * reduced_energies_width(c);
  Row row = {.time = s->begin + (ladder * samples_of(s) + i) * s->step,
             .beta = 1.0 / s->path->kT,
             .u = u,
             .own = u[k],
             .work = c->volumes > 0 ? s->pressure * u[c->states] : 0.0};
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    row.slope[q] = 0.0 - u[c->states + c->volumes + s->path->slope[q]]; /* no -0 */
  return row;
}

static bool has_volumes(const DecouplingSamples *s)
{
  return reduced_energies_columns(s->ladder[0])->volumes > 0;
}

/* --- GROMACS -------------------------------------------------------------------------------------------- */

/* Decimals of lambda: GROMACS's 4, or more if a state needs them. */
static int decimals_of(const DecouplingSamples *s)
{
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    for (int k = 0; k < s->path->states; k++)
      if (fabs(remainder(s->path->strength[q][k], 1e-4)) > 1e-9)
        return 10;
  return 4;
}

static void print_state(const DecouplingSamples *s, int k, Text *text)
{
  const int n = decimals_of(s);
  text_print(text, "(%.*f, %.*f)", n, lambda_of(s, DECOUPLING_COULOMB, k), n, lambda_of(s, DECOUPLING_LJ, k));
}

/* The head that gmx mdrun writes; programs look for its words. */
static void print_head(const DecouplingSamples *s, int k, Text *text)
{
  static const char *const name[] = {"coul-lambda", "vdw-lambda"};
  int column = 0;
  text_print(text,
             "# samples of a ladder of %d states by Holonom, one in %.10g ps%s\n@    title "
             "\"dH/d\\xl\\f{} and \\xD\\f{}H\"\n@    xaxis  label \"Time (ps)\"\n@    yaxis  label "
             "\"dH/d\\xl\\f{} and \\xD\\f{}H (kJ/mol [\\xl\\f{}]\\S-1\\N)\"\n@TYPE xy\n",
             s->path->states, s->step, s->ladders > 1 ? "; ladders follow each other" : "");
  text_print(text, "@ subtitle \"T = %.10g (K) \\xl\\f{} state %d: (coul-lambda, vdw-lambda) = ", s->kelvin,
             k);
  print_state(s, k, text);
  text_print(text, "\"\n@ view 0.15, 0.15, 0.75, 0.85\n@ legend on\n@ legend box on\n@ legend loctype view\n"
                   "@ legend 0.78, 0.8\n@ legend length 2\n");
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    text_print(text, "@ s%d legend \"dH/d\\xl\\f{} %s = %.*f\"\n", column++, name[q], decimals_of(s),
               lambda_of(s, q, k));
  for (int j = 0; j < s->path->states; j++) {
    text_print(text, "@ s%d legend \"\\xD\\f{}H \\xl\\f{} to ", column++);
    print_state(s, j, text);
    text_print(text, "\"\n");
  }
  if (has_volumes(s))
    text_print(text, "@ s%d legend \"pV (kJ/mol)\"\n", column);
}

static void print_row(const DecouplingSamples *s, const Row *row, Text *text)
{
  text_print(text, "%.4f", row->time);
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    text_print(text, " %.10g", row->slope[q] * UNITS_JOULE);
  for (int j = 0; j < s->path->states; j++)
    text_print(text, " %.10g", (row->u[j] - row->own) / row->beta * UNITS_JOULE);
  if (has_volumes(s))
    text_print(text, " %.10g", row->work * UNITS_JOULE);
  text_print(text, "\n");
}

void decoupling_files_name(int k, char name[DECOUPLING_FILES_NAME])
{
  snprintf(name, DECOUPLING_FILES_NAME, "dhdl-%02d.xvg", k);
}

static Status write_xvg(const DecouplingSamples *s, int k, const char *dir, Error *error)
{
  char name[DECOUPLING_FILES_NAME];
  Text *text;
  decoupling_files_name(k, name);
  TRY(text_replace(&text, dir, name, error));
  print_head(s, k, text);
  for (int a = 0; a < s->ladders; a++)
    for (int i = 0; i < samples_of(s); i++) {
      const Row row = row_of(s, k, a, i);
      print_row(s, &row, text);
    }
  return text_close(text, error);
}

Status decoupling_files_xvg(const DecouplingSamples *s, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  for (int k = 0; k < s->path->states; k++)
    TRY(write_xvg(s, k, dir, error));
  return STATUS_OK;
}

/* --- alchemlyb ------------------------------------------------------------------------------------------ */

static void print_lambdas(const DecouplingSamples *s, int k, const char *between, Text *text)
{
  text_print(text, "%.10g%s%.10g", lambda_of(s, DECOUPLING_COULOMB, k), between,
             lambda_of(s, DECOUPLING_LJ, k));
}

static void print_about(const DecouplingSamples *s, const char *what, Text *text)
{
  text_print(text,
             "\n# %s at %.10g K, of samples in memory, one in %.10g ps%s; lambda is 1 minus the strength\n",
             what, s->kelvin, s->step, s->ladders > 1 ? "; ladders follow each other in time" : "");
}

static void print_energies(const DecouplingSamples *s, Text *text)
{
  text_print(text, "time,coul-lambda,vdw-lambda");
  for (int j = 0; j < s->path->states; j++) {
    text_print(text, ",\"(");
    print_lambdas(s, j, ", ", text);
    text_print(text, ")\"");
  }
  print_about(s, has_volumes(s) ? "(U + P V)/kT in each state" : "U/kT in each state", text);
}

typedef void PrintCells(const DecouplingSamples *s, const Row *row, Text *text);

static void print_energy_cells(const DecouplingSamples *s, const Row *row, Text *text)
{
  for (int j = 0; j < s->path->states; j++)
    text_print(text, ",%.12g", row->u[j]);
}

static void print_slope_cells(const DecouplingSamples *s, const Row *row, Text *text)
{
  (void)s;
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    text_print(text, ",%.10g", row->slope[q] * row->beta);
}

static void print_samples(const DecouplingSamples *s, PrintCells *print, Text *text)
{
  for (int k = 0; k < s->path->states; k++)
    for (int a = 0; a < s->ladders; a++)
      for (int i = 0; i < samples_of(s); i++) {
        const Row row = row_of(s, k, a, i);
        text_print(text, "%.10g,", row.time);
        print_lambdas(s, k, ",", text);
        print(s, &row, text);
        text_print(text, "\n");
      }
}

Status decoupling_files_tables(const DecouplingSamples *s, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  TRY(text_replace(&text, dir, "u_nk.csv", error));
  print_energies(s, text);
  print_samples(s, print_energy_cells, text);
  TRY(text_close(text, error));
  TRY(text_replace(&text, dir, "dHdl.csv", error));
  text_print(text, "time,coul-lambda,vdw-lambda,coul,vdw");
  print_about(s, "dU/dlambda/kT", text);
  print_samples(s, print_slope_cells, text);
  return text_close(text, error);
}
