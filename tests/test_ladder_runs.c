/* Whole runs with a ladder of temperatures: files by temperature, the same bytes for any threads and cuts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/program.h"

static const char ladder[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 1 fs, steps: 1200}\n"
    "thermostat: {friction: 5/ps}\n"
    "exchange: {temperatures: [60 K, 70 K, 82 K, 95 K, 110 K], ladders: 4, interval: 20}\n"
    "output: {thermo_every: 50, equilibration: 0.2 ps, trajectory: [xyz], "
    "trajectory_every: 100, trajectory_replica: 2}\n";

static int count(const char *text, const char *what)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
    n++;
  return n;
}

/* The same files in both folders. */
static void same(const char *one, const char *other)
{
  static const char *const names[] = {"ladder.yaml",  "rdf_ladder.csv", "rdf_replicas.csv",
                                      "thermo.csv",   "ladder.csv",     "heat_capacity.csv",
                                      "replicas.csv", "trajectory.xyz", "final.xyz"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    program_same(one, other, names[i]);
}

START_TEST(threads_and_cuts)
{
  static char tuned[sizeof ladder + 32];
  snprintf(tuned, sizeof tuned, "%.*s, tunings: 2}%s", (int)(strstr(ladder, "interval: 20}") + 12 - ladder),
           ladder, strstr(ladder, "interval: 20}") + 13);
  program_write("tuned.yaml", tuned);
  ck_assert_int_eq(program_call("run tuned.yaml --quiet --threads 1 --out one"), 0);
  ck_assert_int_eq(program_call("run tuned.yaml --quiet --threads 2 --out two"), 0);
  ck_assert_int_eq(program_call("run tuned.yaml --quiet --set integrator.steps=700 --out cut"), 0);
  ck_assert_int_eq(program_call("run tuned.yaml --quiet --resume --out cut"), 0);
  same("one", "two");
  same("one", "cut");
  ck_assert_int_eq((int)program_summary("one", "replicas"), 24);
}
END_TEST

/* A row for each temperature and time, from 20 replicas of the 24 that run. */
START_TEST(rows_by_temperature)
{
  program_write("ladder.yaml", ladder);
  ck_assert_int_eq(program_call("run ladder.yaml --out rows"), 0);
  program_says("4 ladders of 5 temperatures");
  program_says("ladder.csv");
  const char *text = program_read("rows/thermo.csv");
  ck_assert_int_eq(count(text, "\n"), 3 + 25 * 5);
  ck_assert_int_eq(count(text, ",82,"), 25);
  text = program_read("rows/replicas.csv");
  ck_assert_int_eq(count(text, "\n"), 2 + 20);
  text = program_read("rows/ladder.csv");
  ck_assert_int_eq(count(text, "\n"), 2 + 5);
  text = program_read("rows/heat_capacity.csv"); /* every 0.2 K */
  ck_assert_int_eq(count(text, "\n") - count(text, "#"), 1 + 251);
  ck_assert_ptr_nonnull(strstr(text, "jackknife over 4 independent ladders"));
  text = program_read("rows/rdf_ladder.csv");
  ck_assert_int_eq(count(text, ",g4,g4_err\n"), 1);
  ck_assert_int_eq(count(text, "\n"), 4 + 600);
  text = program_read("rows/summary.yaml");
  ck_assert_int_eq(count(text, "\nladder:\n  temperatures: [60, 70, 82, 95, 110] # K\n"), 1);
}
END_TEST

/* Replica 2 by itself goes through temperatures: its frames are others, but for the first. */
START_TEST(frames_by_temperature)
{
  program_write("ladder.yaml", ladder);
  ck_assert_int_eq(program_call("run ladder.yaml --quiet --out slot"), 0);
  ck_assert_int_eq(program_call("run ladder.yaml --quiet --set exchange.trajectory=replica --out replica"),
                   0);
  program_do("head -11 slot/trajectory.xyz >a; head -11 replica/trajectory.xyz >b; cmp a b");
  ck_assert_int_ne(program_shell("cmp -s slot/trajectory.xyz replica/trajectory.xyz"), 0);
  program_same("slot", "replica", "ladder.csv");
}
END_TEST

/* Populations at each temperature: shares of its samples, the same for any threads. */
START_TEST(isomers_by_temperature)
{
  program_write("ladder.yaml", ladder);
  ck_assert_int_eq(program_call("run ladder.yaml --quiet --threads 1 --set output.isomers_every=200 --out i"),
                   0);
  ck_assert_int_eq(program_call("run ladder.yaml --quiet --threads 2 --set output.isomers_every=200 --out j"),
                   0);
  program_same("i", "j", "isomers.csv");
  const char *text = program_read("i/isomers.csv");
  ck_assert_int_eq(count(text, ",p4,p4_err\n"), 1);
  double sum[5] = {0};
  int isomer, used;
  double energy;
  long long all;
  for (const char *at = strstr(text, "\n1,") + 1;
       sscanf(at, "%d,%lf,%lld%n", &isomer, &energy, &all, &used) == 3;) {
    at += used;
    for (int k = 0; k < 5; k++) {
      double share, error;
      ck_assert_int_eq(sscanf(at, ",%lf,%lf%n", &share, &error, &used), 2);
      at += used;
      sum[k] += share;
      ck_assert(share >= 0.0 && error >= 0.0);
    }
    at += *at == '\n';
  }
  for (int k = 0; k < 5; k++)
    ck_assert(sum[k] > 0.2 && sum[k] < 1.0 + 1e-5);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("ladder runs");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, threads_and_cuts);
  tcase_add_test(tc, rows_by_temperature);
  tcase_add_test(tc, frames_by_temperature);
  tcase_add_test(tc, isomers_by_temperature);
  return program_main("ladder runs", tc);
}
