/* holonom observe: the same numbers from every format and from files cut in two, and what is refused. */
#include <signal.h>
#include <sys/resource.h>

#include "engine/box.h"
#include "engine/random.h"
#include "io/trajectory.h"
#include "results/results.h"
#include "tests/program.h"

enum { WATERS = 40, IONS = 4, ATOMS = 3 * WATERS + IONS, FRAMES = 120 };

static const double length[3] = {14.0, 15.0, 16.0};

/* Frame k of waters that walk and turn and of ions; wrapped atom by atom on demand. The same at every call.
 */
static void make_frame(Frame *frame, int k, int wrapped, int velocities)
{
  static double at[FRAMES][ATOMS][3];
  static int made;
  RandomStream stream = random_stream(41, 0, RANDOM_TEST);
  for (int f = 0; f < FRAMES && !made; f++)
    for (int i = 0; i < ATOMS; i++) {
      static const double bond[2][3] = {{0.9572, 0.0, 0.0}, {-0.24, 0.9266, 0.0}};
      const int site = i < 3 * WATERS ? i % 3 : 0;
      for (int d = 0; d < 3; d++)
        if (site == 0)
          at[f][i][d] =
              (f > 0 ? at[f - 1][i][d] : 15.0 * random_uniform(&stream)) + 0.3 * random_normal(&stream);
        else
          at[f][i][d] = at[f][i - site][d] + bond[site - 1][(d + i / 3 + f / 5) % 3];
    }
  made = 1;
  ck_assert_int_eq(frame_resize(frame, ATOMS, NULL), STATUS_OK);
  frame->has_symbols = frame->has_cell = true;
  frame->has_velocities = velocities;
  memset(frame->cell, 0, sizeof frame->cell);
  for (int i = 0; i < ATOMS; i++) {
    strcpy(frame->symbols[i], i >= 3 * WATERS ? "Na" : i % 3 == 0 ? "O" : "H");
    for (int d = 0; d < 3; d++) {
      frame->cell[d][d] = length[d];
      frame->positions[i][d] = at[k][i][d] - (wrapped ? length[d] * floor(at[k][i][d] / length[d]) : 0.0);
      frame->velocities[i][d] = sin(0.1 * k + i + d);
    }
  }
  frame->step = 10 * k;
  frame->time = 0.02 * k;
}

/* Frames from..to-1 into a file of the scratch folder. */
static void write_frames(const char *name, int from, int to, int wrapped, int velocities)
{
  char path[300];
  Frame frame = {0};
  TrajectoryWriter *writer;
  const TrajectoryOptions options = {.replace = true, .exact = true, .timestep = 0.002, .stride = 10};
  Error error;
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_msg(trajectory_create(&writer, path, NULL, &options, &error) == STATUS_OK, "%s", error.text);
  for (int k = from; k < to; k++) {
    make_frame(&frame, k, wrapped, velocities);
    ck_assert_msg(trajectory_write(writer, &frame, &error) == STATUS_OK, "%s", error.text);
  }
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  frame_free(&frame);
}

/* The value of a quantity in DIR/observables.json. */
static double value_of(const char *dir, const char *subject, const char *quantity)
{
  char path[100], key[100];
  snprintf(path, sizeof path, "%s/observables.json", dir);
  snprintf(key, sizeof key, "\"subject\": \"%s\", \"quantity\": \"%s\"", subject, quantity);
  const char *at = strstr(program_read(path), key);
  ck_assert_msg(at != NULL, "%s has no %s of %s", path, quantity, subject);
  return strtod(strstr(at, "\"value\": ") + 9, NULL);
}

static double samples_of(const char *dir, const char *name)
{
  char path[400];
  double samples;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  ResultTable *table = program_table(path);
  ck_assert_int_eq(results_csv_number(table, "samples", &samples, NULL), STATUS_OK);
  results_free_table(table);
  return samples;
}

TEST(every_format_gives_the_same)
{
  static const char *const call =
      "observe gofr,msd,dipole --model tip3p --temperature 298 --msd-from 0.1 --msd-to 0.5";
  write_frames("a.xyz", 0, FRAMES, 0, 1);
  write_frames("names.xyz", 0, 1, 1, 0);
  write_frames("w.dcd", 0, FRAMES, 1, 0);
  write_frames("p.xtc", 0, FRAMES, 1, 0);
  program_runs("%s a.xyz --out a", call);
  program_says("msd tip3p D_L");
  program_says("gofr O-Na");
  program_says("no correction for the size of the box"); /* it is no cube */
  program_runs("%s w.dcd --names names.xyz --out w --threads 2", call);
  program_runs("%s p.xtc --names names.xyz --out p --threads 2", call);
  static const char *const number[4][2] = {
      {"tip3p", "D_L"}, {"Na+", "D_L"}, {"box", "M_x"}, {"molecule", "dipole"}};
  for (int k = 0; k < 4; k++) {
    const double a = value_of("a", number[k][0], number[k][1]);
    ck_assert_double_gt(fabs(a), 1e-3);
    ck_assert_double_eq_tol(value_of("w", number[k][0], number[k][1]), a, 1e-4 * fabs(a));
    ck_assert_double_eq_tol(value_of("p", number[k][0], number[k][1]), a, 5e-3 * fabs(a)); /* of 0.01 A */
  }
  ck_assert_double_eq_tol(value_of("a", "molecule", "dipole"), 2.347, 0.01); /* D, of TIP3P */
  ck_assert_double_eq(samples_of("a", "gofr.csv"), FRAMES);
}

/* The box of a file and that of the call, by angles or by edges that lean more: an octahedron's pairs. */
TEST(oblique_boxes_of_files_and_calls_are_one)
{
  static const char *const call[] = {
      "oct.xyz", "none.xyz --box 12,12,12,70.528779365509308,109.47122063449069,70.528779365509308",
      "none.xyz --box 12,0,0,28,11.313708498984761,0,-4,5.6568542494923806,9.7979589711327124"};
  const Box box = box_of_shape(BOX_OCTAHEDRON, 12.0);
  FILE *file[2] = {program_create("oct.xyz"), program_create("none.xyz")};
  srand48(5);
  fprintf(file[0],
          "40\nLattice=\"12 0 0 4 11.313708498984761 0 -4 5.6568542494923806 9.7979589711327124\"\n");
  fprintf(file[1], "40\n\n");
  for (int i = 0; i < 40; i++) {
    const double u[3] = {3.0 * drand48(), drand48(), 5.0 * drand48()};
    double x[3];
    box_point(&box, u, x);
    for (int k = 0; k < 2; k++)
      fprintf(file[k], "Ar %.9f %.9f %.9f\n", x[0], x[1], x[2]);
  }
  ck_assert_int_eq(fclose(file[0]) | fclose(file[1]), 0);
  char *first = NULL;
  for (int k = 0; k < 3; k++) {
    program_runs("observe gofr %s --rdf-max 5.9 --out oct --force", call[k]);
    first = k == 0 ? strdup(program_read("oct/gofr.csv")) : first;
    ck_assert_str_eq(program_read("oct/gofr.csv"), first);
  }
  free(first);
  program_refuses("images are 12 A apart", "observe gofr oct.xyz --rdf-max 6.1 --out oct --force");
}

/* Boxes that a barostat has changed may come to be smaller: g(r) ends below half of the first, as in its run.
 */
TEST(boxes_that_change_leave_room)
{
  static const double second[] = {20.0, 19.0}, end[] = {10.0, 9.0};
  for (int k = 0; k < 2; k++) {
    FILE *file = program_create("two.xyz");
    for (int f = 0; f < 2; f++) {
      const double edge = f == 0 ? 20.0 : second[k];
      fprintf(file, "3\nLattice=\"%g 0 0 0 %g 0 0 0 %g\"\nAr 1 1 1\nAr 5 1 1\nAr 1 8 1\n", edge, edge, edge);
    }
    ck_assert_int_eq(fclose(file), 0);
    program_runs("observe rdf two.xyz --out two --force");
    ResultTable *table = program_table("two/gofr.csv");
    const ResultColumn *r = results_column(table, "r");
    ck_assert_double_eq_tol(r->value[table->nrow - 1], end[k], 0.021);
    results_free_table(table);
  }
  program_refuses("rdf, sample 2: ", "observe rdf two.xyz --rdf-max 9.9 --out two --force");
}

TEST(files_in_order_are_one)
{
  write_frames("a.xyz", 0, FRAMES, 0, 1);
  write_frames("b.xyz", 0, 50, 0, 1);
  write_frames("c.xyz", 49, FRAMES, 0, 1); /* begins with the last frame of the other */
  static const char *const call = "observe msd,vacf --model tip3p --vacf-max 0.4 --force";
  program_runs("%s a.xyz --out one", call);
  program_runs("%s b.xyz c.xyz --out two", call);
  static const char *const file[3] = {"msd.csv", "vacf.csv", "vacf_spectrum.csv"};
  for (int k = 0; k < 3; k++)
    program_same("one", "two", file[k]);
  program_runs("observe msd a.xyz --model tip3p --from 0.4 --to 2 --every 2 --out part");
  ck_assert_double_eq(samples_of("part", "msd.csv"), 41);
}

/* Frames of one time are one sample, which is said, but not of the frame that two files share. */
TEST(frames_that_are_not_later_are_told)
{
  program_write("still.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Time=0 Time_unit=ps\nAr 1 1 1\n"
                             "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Time=0 Time_unit=ps\nAr 2 1 1\n"
                             "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Time=0 Time_unit=ps\nAr 3 1 1\n");
  program_runs("observe volume still.xyz --out still");
  program_says("2 frames are not later than the previous one and were skipped");
  program_runs("observe volume still.xyz --interval 1 --out still --force");
  ck_assert_ptr_null(strstr(program_output, "skipped; --interval"));
  write_frames("b.xyz", 0, 5, 0, 0);
  write_frames("c.xyz", 4, 9, 0, 0);
  program_runs("observe volume b.xyz c.xyz --model tip3p --out shared");
  ck_assert_ptr_null(strstr(program_output, "not later"));
}

/* A shorter table is the head of a longer one. */
TEST(tables_end_where_they_are_asked_to)
{
  static const char *const msd = "observe msd a.xyz --model tip3p --msd-from 0.1 --msd-to 0.2";
  static const struct {
    const char *longest;
    int rows;
    const char *last;
  } ends[] = {{"0.3", 15, "0.3"}, {"0.7", 18, "0.64"}};
  write_frames("a.xyz", 0, FRAMES, 0, 0);
  program_runs("%s -o long", msd);
  for (int i = 0; i < 2; i++) {
    program_runs("%s --msd-max %s -o short --force", msd, ends[i].longest);
    program_do("grep -v '^#' long/msd.csv | head -%d > head && grep -v '^#' short/msd.csv | cmp - head && "
               "tail -1 head | grep -q '^%s,'",
               ends[i].rows + 1, ends[i].last);
  }
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o run --quiet --set ensemble.replicas=1 --set "
               "output.trajectory=xyz --set output.trajectory_every=40");
  program_runs("observe isomers run/trajectory.xyz --model tip3p -o minima");
  program_runs("observe isomers run/trajectory.xyz --model tip3p --isomers-keep 1 -o lowest");
  program_do(
      "grep '^1,' minima/isomers.csv > head && grep -v '^#' lowest/isomers.csv | tail -n +2 | cmp - head");
}

/* What there is to say of a few frames: a line of its own each, on the terminal as in the log of a run. */
TEST(each_remark_has_a_line)
{
  static const char *const from[2] = {"holonom observe: ", "observables: "};
  write_frames("few.xyz", 0, 8, 0, 0);
  program_write("few.yaml", "system: {model: tip3p, molecules: 64, density: 0.98 g/cm3}\n"
                            "geometry: {method: settle}\n"
                            "forces: {cutoff: 6}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, steps: 20}\n"
                            "thermostat: {temperature: 298.15 K, friction: 1 1/ps}\n"
                            "output: {rdf_every: 2, msd_every: 2, progress: false}\n");
  for (int k = 0; k < 2; k++) {
    program_runs("%s -o few --force", k == 0 ? "observe gofr,msd few.xyz --model tip3p" : "run few.yaml");
    ck_assert_msg(strstr(program_output, "\\n") == NULL, "%s", program_output);
    for (int i = 0; i < 2; i++) {
      char line[64];
      snprintf(line, sizeof line, "%s%s: ", from[k], i == 0 ? "gofr" : "msd");
      program_says(line);
      ck_assert_msg(k == 0 || strstr(program_read("few/holonom.log"), line) != NULL, "%s", line);
    }
  }
}

/* A run and what is made of its trajectory give diffusion as measured and corrected for the box, by the same
 * code and with the same viscosity. */
TEST(a_run_corrects_diffusion_as_observe_does)
{
  program_write("run.yaml", "system: {model: tip3p, molecules: 216, density: 0.98 g/cm3, minimise: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, steps: 400}\n"
                            "thermostat: {temperature: 298.15 K, friction: 1 1/ps}\n"
                            "output: {thermo_every: 10, rdf_every: 0, msd_every: 5, msd_from: 395 fs, "
                            "msd_to: 485 fs, trajectory: [xyz], trajectory_every: 5, progress: false}\n");
  static const char *const given[2][2] = {{"", "--friction 1"},
                                          {"--set output.viscosity=0.5", "--friction 1 --viscosity 0.5"}};
  for (int k = 0; k < 2; k++) {
    program_runs("run run.yaml -o run --quiet --force %s", given[k][0]);
    program_runs(
        "observe msd run/trajectory.xyz --model tip3p --temperature 298.15 --msd-from 0.395 --msd-to "
        "0.485 --from 0.005 --out seen --force %s", /* a run samples from its first step on */
        given[k][1]);
    const double measured = value_of("run", "tip3p", "D_L"), add = value_of("run", "tip3p", "D_correction");
    ck_assert_double_eq_tol(value_of("seen", "tip3p", "D_L"), measured, 1e-3 * measured);
    ck_assert_double_eq_tol(value_of("seen", "tip3p", "D_correction"), add, 1e-5 * add);
    ck_assert_double_eq_tol(value_of("run", "tip3p", "D_infinite"), measured + add, 1e-6 * measured);
    ck_assert_double_eq_tol(program_summary("run", "diffusion_tip3p"), measured, 1e-6 * measured);
    ck_assert_double_eq_tol(program_summary("run", "diffusion_tip3p_corrected"), measured + add,
                            1e-6 * measured);
    ck_assert_ptr_nonnull(strstr(program_read("run/observables.json"),
                                 k == 0 ? "viscosity 0.321 mPa s (tip3p at 298 K" : "viscosity 0.5 mPa s"));
  }
  const double screened = value_of("run", "tip3p", "D_correction");
  ck_assert_ptr_nonnull(
      strstr(program_read("run/observables.json"), "Brinkman equation, screening length 7."));
  /* 1/ps of masses is as much friction, of molecules as a whole, as this of each of three sites. */
  program_runs("run run.yaml -o run --quiet --force --set output.viscosity=0.5 --set "
               "thermostat.convention=uniform --set thermostat.friction=0.29357784");
  ck_assert_double_eq_tol(value_of("run", "tip3p", "D_correction"), screened, 1e-5 * screened);
  program_runs("run run.yaml -o run --quiet --force --set output.viscosity=0.5 --set "
               "thermostat.type=rescale --set thermostat.friction= --set 'thermostat.time=1 ps'");
  ck_assert_double_gt(value_of("run", "tip3p", "D_correction"), 2.0 * screened);
  ck_assert_ptr_nonnull(strstr(program_read("run/observables.json"), "Yeh and Hummer"));
  program_runs("run run.yaml -o hot --quiet --set thermostat.temperature=350");
  ck_assert_ptr_null(strstr(program_read("hot/observables.json"), "D_infinite"));
  ck_assert_ptr_nonnull(strstr(program_read("hot/holonom.log"), "the viscosity is unknown"));
}

TEST(what_is_missing_is_said)
{
  static const char again[] = "msd plain.xyz --model tip3p --box 10 --interval 0.5 --out m";
  static const struct {
    const char *call;
    int code;
    const char *says;
  } calls[] = {
      {"", 2, ""},
      {"gofr", 2, "no trajectory given"},
      {"msf a.xyz --model tip3p", 2, "did you mean 'msd'"},
      {"gofr a.xyz --out m", 2, "give its --model"},
      {"vacf a.xyz --model tip3p --out m --vacf-max 0.1", 2, "has no velocities"},
      {"dipole a.xyz --model tip3p --out m", 2,
       "needs the temperature (thermostat.temperature, or --temperature)"},
      {"dipole plain.xyz --model tip3p --temperature 300 --out m", 2, "periodic in all directions"},
      {"gofr plain.xyz --model tip3p --out open", 0, ""}, /* of a cluster */
      {"msd plain.xyz --model tip3p --box 10 --out m", 2, "--interval"},
      {"msd plain.xyz --model tip3p --box 10 --interval 0.5 --msd-from 20 --msd-to 2 --out m", 2,
       "msd: the fit ends at 2 ps"},
      {again, 0, "the temperature is unknown (thermostat.temperature, or --temperature)"},
      {again, 2, "--force"},
      {"gofr w.dcd --model tip3p --out d", 2, "--names"},
      {"gofr a.xyz --model tip3p --gofr-max 9 --out d", 2, "at least twice"},
      {"gofr a.xyz --model tip3p --from 7 --out d", 2, "no frame between --from and --to"},
      {"rdf boxed.xyz plain.xyz --model tip3p --out d", 2, "plain.xyz: no box, unlike the first frame"},
      {"rdf plain.xyz boxed.xyz --model tip3p --out d", 2, "boxed.xyz: a box, unlike the first frame"},
      {"rdf plain.xyz boxed.xyz --model tip3p --box 10 --out d", 0, ""},
  };
  write_frames("a.xyz", 0, 3, 0, 0);
  write_frames("w.dcd", 0, 3, 1, 0);
  program_write("plain.xyz", "6\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\nO 4 4 4\nH 5 4 4\nH 4 5 4\n"
                             "6\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\nO 4 4 4\nH 5 4 4\nH 4 5 4\n");
  program_write("boxed.xyz", "6\nLattice=\"10 0 0 0 10 0 0 0 10\"\nO 0 0 0\nH 1 0 0\nH 0 1 0\n"
                             "O 4 4 4\nH 5 4 4\nH 4 5 4\n");
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    ck_assert_msg(program_call("observe %s", calls[i].call) == calls[i].code, "%s: %s", calls[i].call,
                  program_output);
    program_says(calls[i].says);
  }
  ck_assert_double_eq(samples_of("open", "rdf.csv"), 2);
}

/* What was there before stays whole. */
/* Neither half a file nor, where it was to be replaced, an old one. */
TEST(a_full_disk_leaves_no_half_file)
{
  struct rlimit usual;
  write_frames("a.xyz", 0, 3, 0, 0);
  program_runs("observe gofr a.xyz --model tip3p --out full");
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const struct rlimit small = {4096, usual.rlim_max};
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  const int code = program_call("observe gofr a.xyz --model tip3p --to 0.02 --out full --force"),
            other = program_call("observe gofr a.xyz --model tip3p --out empty");
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
  signal(SIGXFSZ, handler);
  program_says("gofr.csv");
  ck_assert_int_eq(code, 3);
  ck_assert_int_eq(other, 3);
  ck_assert(!program_exists("full/gofr.csv") && !program_exists("full/gofr.csv.part") &&
            !program_exists("empty/gofr.csv") && !program_exists("empty/gofr.csv.part"));
}
