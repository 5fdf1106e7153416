/* Histories of rows, however many: means of blocks, running means and rows themselves are those of the whole
 * series, and a restart leaves no trace. Runs of every sort draw theirs, and a run cut in two draws the same.
 */
#include "simulation/run/history.h"
#include "tests/chunks.h"
#include "tests/program.h"

static double wave(int k) { return sin(0.013 * k) + 0.1 * (k * 7919 % 101) - 3.0; }

static void add(History *h, int from, int to)
{
  for (int k = from; k < to; k++) {
    const double value[2] = {wave(k), k == 0 ? NAN : -wave(k)};
    history_add(h, 0.5 * k, value);
  }
}

TEST(means_are_those_of_all_rows, .rows = 6)
{
  static const int rows[] = {1, 21, 512, 513, 5000, 40961};
  const int n = rows[_i], from = n / 3;
  static HistoryCurve c;
  History *h;
  ck_assert_int_eq(history_create(&h, 2, HISTORY_GROUPS, NULL), STATUS_OK);
  add(h, 0, n);
  ck_assert_int_eq(history_rows(h), n);
  history_curve(h, 0, 0.0, &c);
  double sum = 0.0, blocks = 0.0;
  for (int k = 0; k < n; k++)
    sum += wave(k);
  ck_assert_int_le(c.n, HISTORY_GROUPS);
  ck_assert_int_ge(c.n, n < HISTORY_GROUPS / 2 ? n : HISTORY_GROUPS / 2);
  for (int i = 0; i < c.n; i++)
    ck_assert_double_eq(c.row[i], wave((int)lround(2.0 * c.time[i])));
  ck_assert_double_eq_tol(c.mean[c.nmean - 1], sum / n, 1e-12);
  for (int b = 0; b < c.nblock; b++)
    blocks += c.block[b] / c.nblock;
  ck_assert_double_eq_tol(blocks, sum / n, 0.05); /* all about as long */
  /* From a later time on; the group in which it lies is left out. */
  history_curve(h, 0, 0.5 * from, &c);
  const int begin = (int)lround(2.0 * c.mean_time[0]) - (n - 1) / HISTORY_GROUPS;
  ck_assert_int_ge(begin, from - 1);
  double later = 0.0;
  const int first = (int)lround(2.0 * c.time[c.n - c.nmean]);
  for (int k = first; k < n; k++)
    later += wave(k);
  ck_assert_int_ge(first, from);
  ck_assert_double_eq_tol(c.mean[c.nmean - 1], later / (n - first), 1e-12);
  /* A row without a value spoils nothing but its own group. */
  history_curve(h, 1, 0.0, &c);
  ck_assert_int_eq(c.nmean, c.n - 1);
  history_free(h);
}

TEST(restarts_leave_no_trace)
{
  History *one, *two, *fresh;
  ck_assert_int_eq(history_create(&one, 2, HISTORY_GROUPS, NULL), STATUS_OK);
  ck_assert_int_eq(history_create(&two, 2, HISTORY_GROUPS, NULL), STATUS_OK);
  ck_assert_int_eq(history_create(&fresh, 2, HISTORY_GROUPS, NULL), STATUS_OK);
  add(one, 0, 3000);
  add(two, 0, 1777);
  ChunkList from = {0}, to = {0}, whole = {0};
  history_chunks(two, &from);
  history_chunks(fresh, &to);
  chunks_restore(&from, &to);
  history_free(two);
  add(fresh, 1777, 3000);
  history_chunks(one, &whole);
  ChunkList again = {0};
  history_chunks(fresh, &again);
  chunks_same(&whole, &again);
  history_free(one);
  history_free(fresh);
}

/* The numbers behind the picture; the picture itself only where gnuplot is installed. */
TEST(runs_draw_what_they_went_through)
{
  program_write("small.yaml", program_small);
  program_write("pendulum.yaml", "units: reduced\n"
                                 "system:\n"
                                 "  dimensions: 2\n"
                                 "  sites: [{mass: 1, position: [1, 0]}]\n"
                                 "  constraints: [{type: anchor, site: 1, point: [0, 0], distance: 1}]\n"
                                 "  potentials: [{type: gravity, acceleration: [0, -1]}]\n"
                                 "geometry: {method: rattle}\n"
                                 "integrator: {word: BAB, timestep: 0.05, steps: 400}\n");
  program_runs("run small.yaml -o whole --set output.thermo_every=20 --set "
               "output.equilibration=2 --set output.progress=false");
  const int drawn = program_exists("whole/thermo.png");
  if (drawn)
    program_says("thermo.png");
  ck_assert_ptr_nonnull(strstr(program_read("whole/thermo.gp"), "equilibration ends"));
  static const char *const label[] = {"potential energy (kcal/mol)", "total energy (kcal/mol)",
                                      "drift of conserved energy (kcal/mol)", "temperature (K)", "time (ps)"};
  for (int k = 0; k < 5; k++) /* as the table of quantities says */
    ck_assert_msg(strstr(program_read("whole/thermo.plot.json"), label[k]) != NULL, "%s", label[k]);
  const char *const axis = strstr(program_read("whole/thermo.gp"), "set ylabel 'potential"); /* in lines */
  ck_assert_ptr_nonnull(axis);
  const char *const unit = strstr(axis, "(kcal/mol)'");
  ck_assert_msg(unit != NULL && unit < strchr(axis, '\n'), "%.200s", axis);
  program_runs("run small.yaml -o cut --quiet --set output.thermo_every=20 --set "
               "output.equilibration=2 --set integrator.steps=700");
  program_runs("run small.yaml -o cut --quiet --set output.thermo_every=20 --set "
               "output.equilibration=2 --resume");
  program_same("whole", "cut", "thermo.dat");
  program_runs("run pendulum.yaml -o pendulum");
  ck_assert_ptr_nonnull(strstr(program_read("pendulum/energy.gp"), "kinetic energy"));
  ck_assert_int_eq(program_exists("pendulum/energy.png"), drawn);
  /* A handful of rows is no picture. */
  program_runs("run small.yaml -o few --quiet --set output.thermo_every=200");
  ck_assert(!program_exists("few/thermo.gp"));
}
