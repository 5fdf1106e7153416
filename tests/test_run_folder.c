/* What a run does to its folder: one run at a time, nothing that a run did not leave is touched, what it
 * reads stays, and the input that it keeps runs again where it lies. */
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/program.h"

static const char box[] = "units: akma\n"
                          "system: {box: 20 A, atoms: {argon: 64}, minimise: true}\n"
                          "geometry: {method: none}\n"
                          "forces: {cutoff: 9 A, coulomb: pme}\n"
                          "integrator: {word: BAOAB, timestep: 2 fs, steps: 20}\n"
                          "thermostat: {temperature: 100 K, friction: 0.1, convention: mass}\n"
                          "output: {rdf_every: 0, msd_every: 0, vacf_every: 0, dipole_every: 0}\n";

static void run(int code, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void run(int code, const char *what, const char *format, ...)
{
  char words[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  const int got = program_call("run %s --quiet", words);
  ck_assert_msg(got == code, "%s: %d\n%s", words, got, program_output);
  if (what != NULL)
    program_says(what);
}

/* All spellings of a start file in the folder that --force clears. */
TEST(inputs_are_never_deleted)
{
  program_write("box.yaml", box);
  run(0, NULL, "box.yaml -o warm");
  program_do("cp warm/final.xyz kept.xyz; ln -sf warm/final.xyz soft.xyz; ln warm/final.xyz hard.xyz");
  static const char *const names[] = {"warm/final.xyz", "soft.xyz", "hard.xyz", "./warm/../warm/final.xyz"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    run(2, "warm/final.xyz is read by this run (system.file)",
        "box.yaml -o warm --force --set system.start=file --set system.file=%s --set system.box=file",
        names[i]);
    program_do("cmp -s kept.xyz warm/final.xyz");
  }
  program_do("mkdir linked && mv warm/final.xyz moved.xyz && ln -s ../moved.xyz warm/final.xyz");
  run(2, "warm/final.xyz is not a file of Holonom",
      "box.yaml -o warm --force --set system.start=file --set system.file=moved.xyz --set system.box=file");
  program_do("cmp -s kept.xyz moved.xyz");
  /* From another folder it may be taken, of course. */
  run(0, NULL, "box.yaml -o other --set system.start=file --set system.file=kept.xyz --set system.box=file");
}

TEST(what_no_run_left_stays)
{
  program_write("small.yaml", program_small);
  program_write("input.yaml", program_small);
  run(2, "input.yaml is not a file of Holonom", "input.yaml -o .");
  run(2, "input.yaml is not a file of Holonom", "small.yaml -o . --force");
  ck_assert_str_eq(program_read("input.yaml"), program_small);
  program_do("mkdir -p mine && echo mine > mine/holonom.log && echo 1 > second.csv");
  run(2, "holonom.log is not a file of Holonom", "small.yaml -o mine --force");
  ck_assert_str_eq(program_read("mine/holonom.log"), "mine\n");
  program_do("mkdir -p data && echo 1,2 > data/trajectory.csv");
  run(2, "data/trajectory.csv is not a file of Holonom", "small.yaml -o data --force");
  ck_assert_str_eq(program_read("data/trajectory.csv"), "1,2\n");
  program_do("mkdir -p held && echo notes > held/holonom.lock");
  run(2, "holonom.lock is not a file of a run", "small.yaml -o held");
  ck_assert_str_eq(program_read("held/holonom.lock"), "notes\n");
  program_do("mkdir -p empty && touch empty/holonom.lock");
  run(0, NULL, "small.yaml -o empty");
  program_do("test -e empty/holonom.lock && test ! -s empty/holonom.lock");
  /* Links that someone planted, be it in the place of a file of ours, are neither followed nor replaced. */
  program_do("mkdir -p planted && echo precious > precious");
  static const char *const links[] = {"holonom.log", "input.yaml.part", "thermo.csv.part",
                                      "rdf.csv",     "holonom.lock",    "holonom.files"};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    program_do("ln -sf ../precious planted/%s", links[i]);
    run(2, links[i], "small.yaml -o planted");
    program_do("test $(ls planted | wc -l) = 1 && test -L planted/%s && rm planted/%s", links[i], links[i]);
    ck_assert_str_eq(program_read("precious"), "precious\n");
  }
  run(0, NULL, "small.yaml -o planted");
  program_do("ln -sf ../precious planted/holonom.log");
  run(2, "planted/holonom.log is not a file of Holonom", "small.yaml -o planted --force");
  run(2, "planted/holonom.log is not a file of Holonom", "small.yaml -o planted --resume");
  ck_assert_str_eq(program_read("precious"), "precious\n");
}

TEST(the_kept_input_runs_where_it_lies)
{
  program_write("box.yaml", box);
  run(0, NULL, "box.yaml -o start");
  program_do("mkdir -p deep/in && cp start/final.xyz deep/in/at.xyz && sed -e 's|box: 20 A|box: file, start: "
             "file, file: "
             "at.xyz|' box.yaml > deep/in/from.yaml");
  run(0, NULL, "deep/in/from.yaml -o here/there");
  ck_assert_ptr_nonnull(strstr(program_read("here/there/input.yaml"), "\"../../deep/in/at.xyz\""));
  run(0, NULL, "here/there/input.yaml -o again");
  program_same("here/there", "again", "thermo.csv");
  /* ... and to go on with the run that kept it. */
  run(0, NULL, "here/there/input.yaml -o here/there --resume --set integrator.steps=40");
  run(0, NULL, "deep/in/from.yaml -o whole --set integrator.steps=40");
  program_same("here/there", "whole", "thermo.csv");
  run(0, NULL, "deep/in/from.yaml -o here/there --resume --set integrator.steps=60");
}

TEST(other_kinds_do_not_go_on)
{
  program_runs("build --model tip3p --size 19 --atoms Na+=2,Cl-=2 --equilibrate 0 --out salt.xyz");
  program_write("salt.yaml", "units: akma\n"
                             "system: {model: tip3p, box: file, start: file, file: salt.xyz}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 2}\n"
                             "thermostat: {temperature: 100 K, friction: 0.1, convention: mass}\n");
  run(0, NULL, "salt.yaml -o salt");
  program_do("sed -i 's/^Na /K /' salt.xyz && grep -q '^K ' salt.xyz");
  run(2, "Na+", "salt.yaml -o salt --resume --set integrator.steps=4");
  program_do("sed -i 's/^K /Na /' salt.xyz");
  run(0, NULL, "salt.yaml -o salt --resume --set integrator.steps=4");
}

TEST(one_run_at_a_time)
{
  program_write("small.yaml", program_small);
  const pid_t child = program_start("run small.yaml -o busy --quiet --set integrator.steps=2000000000");
  for (int i = 0; i < 3000 && !program_exists("busy/checkpoint.hol"); i++)
    usleep(20000);
  run(2, "busy is in use: holonom.lock is held by process ", "small.yaml -o busy --resume");
  run(2, "busy is in use", "small.yaml -o busy --force");
  /* A killed run holds nothing any more. */
  ck_assert_int_eq(kill(child, SIGKILL), 0);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(program_exists("busy/holonom.lock"));
  run(0, NULL, "small.yaml -o busy --force");
  ck_assert(!program_exists("busy/holonom.lock"));
}

/* Without room for it nothing of an older run stays beside new data, and the exit code tells. */
TEST(a_full_disk_is_told_of)
{
  program_write("small.yaml", program_small);
  run(0, NULL, "small.yaml -o full");
  /* What is in the way is known of before anything is done, ... */
  static const char *const parts[] = {"final.xyz", "rdf.gp", "input.yaml"};
  program_do("cp -r full before");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    program_do("mkdir full/%s.part", parts[i]);
    run(2, parts[i], "small.yaml -o full --resume --set integrator.steps=4000");
    program_do("rmdir full/%s.part && diff -r full before", parts[i]);
  }
  /* ... what comes in its way later is neither taken away nor kept quiet about. */
  const pid_t child = program_start("run small.yaml -o late --quiet --set integrator.steps=2000000000");
  for (int i = 0; i < 3000 && !program_exists("late/checkpoint.hol"); i++)
    usleep(20000);
  program_do("echo mine > late/final.xyz; echo mine > late/summary.yaml");
  ck_assert_int_eq(kill(child, SIGINT), 0);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  ck_assert_str_eq(program_read("late/final.xyz"), "mine\n");
  ck_assert_str_eq(program_read("late/summary.yaml"), "mine\n");
  program_do("rm late/final.xyz late/summary.yaml");
  /* No command writes over what it reads. */
  program_refuses("would overwrite its input",
                  "energy full/final.xyz --model tip3p --forces ./full/final.xyz --force");
}
