/* Laws of holonom.h as a program that links the library sees it: cuts and threads leave no trace, forces and
 * observers of the caller's act, stops are clean, errors are values. */
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "engine/units.h"
#include "simulation/holonom.h"
#include "tests/shorter.h"
#include "tests/suite.h"

static const char cluster[] = "system: {model: tip3p, molecules: 4, anneal: false}\n"
                              "geometry: {method: settle}\n"
                              "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                              "thermostat: {type: langevin, temperature: 100, friction: 5 1/ps}\n"
                              "ensemble: {replicas: 8}\n";
static const char box[] = "system: {model: tip3p, molecules: 216, density: 0.95, minimise: false}\n"
                          "geometry: {method: settle}\n"
                          "forces: {cutoff: 7, coulomb: pme}\n"
                          "precision: mixed\n"
                          "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                          "thermostat: {type: langevin, temperature: 300, friction: 5 1/ps}\n";
static const char pendulum[] = "units: reduced\n"
                               "system:\n"
                               "  dimensions: 2\n"
                               "  sites:\n"
                               "    - {mass: 1, position: [1, 0], momentum: [0, 0]}\n"
                               "  constraints:\n"
                               "    - {type: anchor, site: 1, point: [0, 0], distance: 1}\n"
                               "  potentials:\n"
                               "    - {type: gravity, acceleration: [0, -1]}\n"
                               "geometry: {method: shake}\n"
                               "integrator: {word: BAB, timestep: 0.01, time: 10}\n";
static const char *const inputs[] = {cluster, box, pendulum};
enum { INPUTS = 3, MOST = 8 * 3 * 648 };

static void good(hol_status status, const hol_error *error)
{
  ck_assert_msg(status == HOL_OK, "status %d: %s", (int)status, error->message);
}

static hol_simulation *opened(const char *text)
{
  hol_simulation *s;
  hol_error e;
  good(hol_open_text(&s, "input", text, NULL, 0, &e), &e);
  return s;
}

static hol_topology topology(hol_simulation *s)
{
  hol_topology t = {.size = sizeof t};
  hol_error e;
  good(hol_get_topology(s, &t, &e), &e);
  return t;
}

static void step(hol_simulation *s, int64_t n)
{
  hol_error e;
  good(hol_step(s, n, &e), &e);
}

/* Positions and momenta of all replicas; returns how many numbers. */
static size_t state(hol_simulation *s, double *x)
{
  const size_t n = (size_t)hol_sites(s) * (size_t)hol_dimensions(s);
  hol_error e;
  ck_assert_uint_le(2 * n * (size_t)hol_replicas(s), MOST);
  for (int r = 0; r < hol_replicas(s); r++) {
    good(hol_get(s, HOL_POSITIONS, r, x + 2 * n * (size_t)r, &e), &e);
    good(hol_get(s, HOL_MOMENTA, r, x + 2 * n * (size_t)r + n, &e), &e);
  }
  return 2 * n * (size_t)hol_replicas(s);
}

static void same(hol_simulation *a, hol_simulation *b)
{
  static double x[MOST], y[MOST];
  ck_assert_int_eq(hol_steps_done(a), hol_steps_done(b));
  const size_t n = state(a, x);
  ck_assert_uint_eq(state(b, y), n);
  ck_assert(memcmp(x, y, n * sizeof *x) == 0);
}

TEST(cuts_leave_no_trace, .rows = SHORT ? suite_rows(1, INPUTS) : INPUTS, .threads = true)
{
  hol_simulation *whole = opened(inputs[_i]), *cut = opened(inputs[_i]);
  step(whole, 30);
  for (int n = 0; n < 30; n += 10) {
    double value[256];
    hol_error e;
    ck_assert_int_lt(hol_columns(cut), 256);
    good(hol_look(cut, 0, value, &e), &e);
    step(cut, 1);
    step(cut, 9);
  }
  ck_assert(hol_time(whole) == hol_time(cut));
  same(whole, cut);
  hol_close(whole);
  hol_close(cut);
}

static void *alone(void *user)
{
  hol_simulation *s = user;
  for (int n = 0; n < 40; n += 4)
    if (hol_step(s, 4, NULL) != HOL_OK)
      return NULL;
  return s;
}

/* Simulations of all sorts at once, each in a thread of its own. */
TEST(threads_leave_no_trace, .threads = true)
{
  enum { EACH = 2, N = EACH * INPUTS };
  hol_simulation *s[N];
  pthread_t thread[N];
  for (int i = 0; i < N; i++)
    s[i] = opened(inputs[i % INPUTS]);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(pthread_create(&thread[i], NULL, alone, s[i]), 0);
  for (int i = 0; i < N; i++) {
    void *done;
    pthread_join(thread[i], &done);
    ck_assert_ptr_eq(done, s[i]);
  }
  for (int i = 0; i < INPUTS; i++) {
    hol_simulation *quiet = opened(inputs[i]);
    step(quiet, 40);
    for (int k = 0; k < EACH; k++)
      same(quiet, s[i + k * INPUTS]);
    hol_close(quiet);
  }
  for (int i = 0; i < N; i++)
    hol_close(s[i]);
}

/* A uniform field g: the centre of mass falls by g t^2/2, whatever the molecules do. */
typedef struct Field {
  double mass[12], g;
  int calls;
  int refuse; /* this replica */
} Field;

static hol_status field(void *user, hol_force_call *call, hol_error *error)
{
  Field *f = user;
  __atomic_add_fetch(&f->calls, 1, __ATOMIC_RELAXED);
  if (call->replica + call->replicas > f->refuse) {
    error->status = HOL_INPUT;
    strcpy(error->message, "no more of this");
    return HOL_INPUT;
  }
  for (int i = 0; i < call->replicas * call->sites; i++) {
    call->f[3 * i] = f->mass[i % call->sites] * f->g;
    call->energy[i / call->sites] -= call->f[3 * i] * call->x[3 * i];
  }
  return HOL_OK;
}

static double centre(const Field *f, hol_simulation *s, hol_field what, int r)
{
  double x[36], sum = 0.0, all = 0.0;
  hol_error e;
  good(hol_get(s, what, r, x, &e), &e);
  for (int i = 0; i < 12; i++) {
    sum += f->mass[i] * x[3 * i];
    all += f->mass[i];
  }
  return sum / all;
}

TEST(forces_from_outside_act, .rows = 2)
{
  const char *const set[] = {"integrator.word=BAB", "thermostat.type=none", "thermostat.friction="};
  hol_simulation *s;
  hol_error e;
  good(hol_open_text(&s, "input", cluster, set, 3, &e), &e);
  const unsigned flags = _i == 0 ? 0 : HOL_THREADS;
  Field f = {.g = 0.5, .refuse = INT_MAX};
  memcpy(f.mass, topology(s).mass, sizeof f.mass);
  good(hol_add_force(s, field, &f, flags, &e), &e);
  good(hol_start(s, &e), &e);
  const int external = hol_column(s, "external"), conserved = hol_column(s, "conserved");
  ck_assert_int_ge(external, 0);
  ck_assert_str_eq(hol_column_unit(s, external), "kcal/mol");
  double x[8], v[8], before[256], value[256];
  for (int r = 0; r < 8; r++) {
    x[r] = centre(&f, s, HOL_POSITIONS, r);
    v[r] = centre(&f, s, HOL_VELOCITIES, r);
  }
  good(hol_look(s, 3, before, &e), &e);
  step(s, 100);
  const double t = hol_time(s);
  ck_assert(HOL_AKMA_FS == UNITS_AKMA_FS);
  ck_assert_double_eq_tol(t, 100.0 / HOL_AKMA_FS, 1e-6);
  for (int r = 0; r < 8; r++)
    ck_assert_double_eq_tol(centre(&f, s, HOL_POSITIONS, r), x[r] + v[r] * t + 0.5 * f.g * t * t, 1e-9);
  good(hol_look(s, 3, value, &e), &e);
  ck_assert_double_eq_tol(value[external], -f.g * 72.062 * centre(&f, s, HOL_POSITIONS, 3), 0.05);
  ck_assert_double_gt(fabs(value[external] - before[external]), 1.0);
  ck_assert_double_eq_tol(value[conserved], before[conserved], 0.02);
  ck_assert_int_ge(f.calls, 100); /* a call for all */
  ck_assert_int_le(f.calls, 110);
  ck_assert_int_eq(hol_step(s, INT64_MAX, &e), HOL_INPUT); /* more than can be counted */
  ck_assert_ptr_nonnull(strstr(e.message, "2^63 - 1"));
  f.refuse = 5;
  ck_assert_int_eq(hol_step(s, 10, &e), HOL_INPUT);
  ck_assert_int_eq(e.status, HOL_INPUT);
  ck_assert_ptr_nonnull(strstr(e.message, "no more of this"));
  hol_close(s);
}

/* Wells of sites, three replicas: not a whole batch. */
static const char wells[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 2\n"
    "  sites: [{mass: 1, position: [\"0.1*r\", 0], momentum: [0, 0]}]\n"
    "  potentials: [{type: spring, site: 1, point: [0, 0], length: 0, stiffness: 1}]\n"
    "geometry: {method: none}\n"
    "integrator: {word: BAOAB, timestep: 0.1, time: 10}\n"
    "thermostat: {type: langevin, friction: 1, temperature: 1}\n"
    "ensemble: {replicas: 3}\n";
static const char *const ladder[] = {
    "thermostat.temperature=", "ensemble.replicas=", "exchange.temperatures=[1, 1.5, 2]",
    "exchange.ladders=1", "exchange.interval=5"};

/* Counts its calls by replica; gives an energy that is none in the last from a step on. */
typedef struct Counter {
  int calls[8], others;
  int64_t wrong;
} Counter;

static hol_status count(void *user, hol_force_call *call, hol_error *error)
{
  Counter *c = user;
  (void)error;
  for (int i = 0; i < call->replicas; i++) {
    const int r = call->replica + i;
    __atomic_add_fetch(r < 8 ? &c->calls[r] : &c->others, 1, __ATOMIC_RELAXED);
    if (r == 2 && call->step >= c->wrong)
      call->energy[i] = NAN;
  }
  return HOL_OK;
}

/* A force is called for the replicas that there are, and what it gives must be numbers, also where it is the
 * energies that are asked for, as in a ladder: with the replica and the step. */
TEST(forces_are_of_replicas, .rows = 2)
{
  hol_simulation *s;
  hol_error e;
  Counter c = {.wrong = 21};
  good(hol_open_text(&s, "input", wells, ladder, _i == 0 ? 0 : 5, &e), &e);
  ck_assert_int_eq(hol_replicas(s), 3);
  good(hol_add_force(s, count, &c, 0, &e), &e);
  step(s, 20);
  for (int r = 0; r < 8; r++)
    ck_assert_msg((c.calls[r] > 0) == (r < 3), "%d calls for replica %d", c.calls[r], r);
  ck_assert_int_eq(c.others, 0);
  ck_assert_int_eq(hol_step(s, 20, &e), HOL_RUN);
  ck_assert_ptr_nonnull(strstr(e.message, "replica 2: an external force returned an energy"));
  ck_assert_ptr_nonnull(strstr(e.message, "after 21 steps"));
  hol_close(s);
}

static hol_status count_all(void *user, hol_force_call *call, hol_error *error)
{
  (void)error;
  __atomic_add_fetch((int *)user, call->replicas, __ATOMIC_RELAXED);
  return HOL_OK;
}

/* A replica that was set costs the forces of its group and no others', however many there are; what all look
 * at after a step is measured once. */
TEST(looks_cost_what_has_changed)
{
  const char *const many[] = {"ensemble.replicas=64"};
  hol_simulation *s;
  hol_error e;
  double x[36], value[256];
  int calls = 0;
  good(hol_open_text(&s, "input", cluster, many, 1, &e), &e);
  good(hol_add_force(s, count_all, &calls, 0, &e), &e);
  step(s, 3);
  const int replicas = hol_replicas(s);
  ck_assert_int_eq(replicas, 64);
  calls = 0;
  for (int r = 0; r < replicas; r++)
    good(hol_look(s, r, value, &e), &e);
  ck_assert_int_eq(calls, replicas);
  calls = 0;
  for (int r = 0; r < replicas; r++) {
    good(hol_get(s, HOL_POSITIONS, r, x, &e), &e);
    good(hol_set(s, HOL_POSITIONS, r, x, &e), &e);
    good(hol_look(s, r, value, &e), &e);
  }
  ck_assert_int_le(calls, replicas * 2 * 16); /* forces and energies of groups of 8 or 16 */
  calls = 0;
  for (int r = 0; r < replicas; r++)
    good(hol_set(s, HOL_MOMENTA, r, x, &e), &e);
  for (int r = 0; r < replicas; r++)
    good(hol_look(s, r, value, &e), &e);
  ck_assert_int_eq(calls, 0); /* what it says of these positions is known */
  hol_close(s);
}

typedef struct Watch {
  int calls;
  int64_t last;
  int64_t fail, stop; /* at these steps */
} Watch;

static hol_status watch(void *user, hol_simulation *s, hol_error *error)
{
  Watch *w = user;
  w->calls++;
  w->last = hol_steps_done(s);
  if (w->last == w->stop)
    hol_stop(s);
  if (w->last != w->fail)
    return HOL_OK;
  strcpy(error->message, "seen enough");
  return HOL_IO;
}

TEST(observers_are_called)
{
  hol_simulation *s = opened(cluster);
  hol_error e;
  Watch w = {.fail = 63, .stop = 42};
  ck_assert_int_eq(hol_add_observer(s, 0, watch, &w, &e), HOL_INPUT);
  good(hol_add_observer(s, 7, watch, &w, &e), &e);
  step(s, 13);
  ck_assert_int_eq(w.calls, 1);
  ck_assert_int_eq(w.last, 7);
  step(s, 1000); /* ends at 42 by the stop, which is used up */
  ck_assert_int_eq(w.calls, 6);
  ck_assert_int_eq(hol_steps_done(s), 42);
  ck_assert_int_eq(hol_step(s, 1000, &e), HOL_IO);
  ck_assert_str_eq(e.message, "seen enough");
  ck_assert_int_eq(w.last, 63);
  hol_simulation *unwatched = opened(cluster);
  step(unwatched, hol_steps_done(s));
  same(s, unwatched);
  hol_close(unwatched);
  hol_close(s);
}

static void *stop_soon(void *user)
{
  usleep(200000);
  hol_stop(user);
  return NULL;
}

TEST(another_thread_stops, .threads = true)
{
  hol_simulation *s = opened(cluster);
  hol_error e;
  good(hol_start(s, &e), &e);
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, stop_soon, s), 0);
  step(s, INT64_C(1) << 40);
  pthread_join(thread, NULL);
  const int64_t done = hol_steps_done(s);
  ck_assert_int_gt(done, 0);
  step(s, 5);
  ck_assert_int_eq(hol_steps_done(s), done + 5);
  hol_close(s);
}

/* One rule for the three calls: a stop that is there cuts the call short, and is used up by that; one that
 * could not is for the next. */
TEST(a_stop_is_for_one_call)
{
  const char *const built[] = {"system.anneal=true"};
  const char *const length[] = {"integrator.time=0.2"};
  char folder[] = "/tmp/test_hol_XXXXXX", line[64];
  hol_simulation *s;
  hol_error e;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  good(hol_open_text(&s, "input", cluster, built, 1, &e), &e);
  hol_stop(s); /* no start, no steps */
  ck_assert_int_eq(hol_start(s, &e), HOL_RUN);
  ck_assert_ptr_nonnull(strstr(e.message, "interrupted"));
  hol_stop(s);
  ck_assert_int_eq(hol_step(s, 10, &e), HOL_RUN);
  hol_stop(s);
  ck_assert_int_eq(hol_run(s, folder, HOL_FORCE, &e), HOL_RUN);
  step(s, 10);
  hol_stop(s);
  step(s, 0); /* which is all of it */
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 10);
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 20);
  hol_close(s);
  good(hol_open_text(&s, "input", pendulum, length, 1, &e), &e);
  hol_stop(s);
  good(hol_start(s, &e), &e); /* nothing is built */
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 0);
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 10);
  hol_close(s);
  good(hol_open_text(&s, "input", pendulum, length, 1, &e), &e);
  hol_stop(s);
  good(hol_run(s, folder, HOL_FORCE, &e), &e);
  ck_assert_int_eq(hol_steps_done(s), 0);
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 10);
  hol_close(s);
  good(hol_open_text(&s, "input", pendulum, length, 1, &e), &e);
  Watch w = {.fail = -1, .stop = 20}; /* the last step of the run */
  good(hol_add_observer(s, 20, watch, &w, &e), &e);
  good(hol_run(s, folder, HOL_FORCE, &e), &e);
  ck_assert_int_eq(hol_steps_done(s), 20);
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 20);
  step(s, 10);
  ck_assert_int_eq(hol_steps_done(s), 30);
  hol_close(s);
  snprintf(line, sizeof line, "rm -r %s", folder);
  ck_assert_int_eq(system(line), 0);
}

TEST(states_are_set_saved_and_loaded, .rows = INPUTS)
{
  hol_simulation *s = opened(inputs[_i]), *t = opened(inputs[_i]);
  hol_error e;
  step(s, 20);
  char path[] = "/tmp/test_hol_XXXXXX";
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
  good(hol_save(s, path, &e), &e);
  good(hol_save(s, path, &e), &e);
  good(hol_load(t, path, &e), &e);
  same(s, t);
  step(s, 20);
  step(t, 20);
  same(s, t);
  /* What is no checkpoint stays, and so does what a link leads to. */
  FILE *mine = fopen(path, "w");
  ck_assert(mine != NULL && fputs("mine", mine) >= 0 && fclose(mine) == 0);
  ck_assert_int_eq(hol_save(s, path, &e), HOL_INPUT);
  char text[8] = "", link[sizeof path + 5];
  snprintf(link, sizeof link, "%s.link", path);
  ck_assert_int_eq(symlink(path, link), 0);
  ck_assert_int_eq(hol_save(s, link, &e), HOL_INPUT);
  mine = fopen(path, "r");
  ck_assert(mine != NULL && fgets(text, sizeof text, mine) != NULL && fclose(mine) == 0);
  ck_assert_str_eq(text, "mine");
  unlink(link);
  unlink(path);
  static double x[MOST], p[MOST], v[MOST];
  const double *const mass = topology(s).mass;
  const int last = hol_replicas(s) - 1, dimensions = hol_dimensions(s);
  const size_t n = (size_t)hol_sites(s) * (size_t)dimensions;
  good(hol_get(s, HOL_VELOCITIES, last, v, &e), &e);
  for (size_t i = 0; i < n; i++)
    v[i] *= -1.0;
  good(hol_get(s, HOL_POSITIONS, last, x, &e), &e);
  good(hol_set(s, HOL_VELOCITIES, last, v, &e), &e);
  good(hol_set(s, HOL_POSITIONS, last, x, &e), &e);
  good(hol_get(s, HOL_MOMENTA, last, p, &e), &e);
  for (size_t i = 0; i < n; i++)
    ck_assert_double_eq_tol(p[i], mass[i / (size_t)dimensions] * v[i], 1e-12 * fabs(p[i]));
  ck_assert_int_eq(hol_set(s, HOL_FORCES, last, x, &e), HOL_INPUT);
  ck_assert_int_eq(hol_get(s, HOL_POSITIONS, last + 1, x, &e), HOL_INPUT);
  ck_assert_int_eq(hol_get(s, HOL_POSITIONS, -2, x, NULL), HOL_INPUT);
  hol_close(s);
  hol_close(t);
}

TEST(it_says_what_there_is)
{
  hol_simulation *s = opened(cluster);
  ck_assert_str_eq(hol_sort(s), "cluster");
  ck_assert_int_eq(hol_replicas(s), 8);
  ck_assert_int_eq(hol_dimensions(s), 3);
  ck_assert_int_eq(hol_sites(s), 12);
  ck_assert_int_eq(hol_molecules(s), 4);
  ck_assert_int_eq(hol_freedom(s), 24);
  double kelvin[8], value[256], edge[9];
  hol_error e;
  good(hol_get_temperature(s, HOL_ALL, kelvin, &e), &e);
  ck_assert_double_eq_tol(kelvin[7], 100.0, 1e-12);
  ck_assert_int_eq(hol_constraints(s), 12);
  ck_assert_int_eq(hol_steps_done(s), 0);
  const hol_topology t = topology(s);
  ck_assert_str_eq(t.site_name[3], "O");
  ck_assert_str_eq(t.site_name[11], "H");
  ck_assert_str_eq(t.element[3], "O");
  ck_assert_str_eq(t.type_name[11], "H");
  ck_assert_str_eq(t.residue_name[11], t.kind_name[0]);
  ck_assert_int_eq(t.residue[2], 1);
  ck_assert_int_eq(t.residue[11], 4);
  ck_assert_double_eq(t.mass[3], 15.9994);
  step(s, 50);
  good(hol_look(s, 2, value, &e), &e);
  const double kinetic = value[hol_column(s, "kinetic")], seen = value[hol_column(s, "temperature")];
  ck_assert_double_eq_tol(seen, 2.0 * kinetic / (24 * 0.0019872043), 1e-9 * seen);
  ck_assert_str_eq(hol_column_unit(s, hol_column(s, "temperature")), "K");
  ck_assert_int_eq(hol_column(s, "temprature"), -1);
  /* names of earlier versions */
  static const char *const renamed[][2] = {
      {"nonbonded", "potential"}, {"px", "momentum_x"}, {"lz", "angular_z"}, {"wall", "wall_energy"}};
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(hol_column(s, renamed[i][0]), hol_column(s, renamed[i][1]));
  ck_assert_int_ge(hol_column(s, "nonbonded"), 0);
  ck_assert_int_eq(hol_column(s, "nonbonded_") + hol_column(s, ""), -2);
  ck_assert_ptr_null(hol_column_name(s, hol_columns(s)));
  good(hol_get_box(s, 0, edge, &e), &e);
  for (int i = 0; i < 9; i++)
    ck_assert(edge[i] == 0.0);
  hol_close(s);
}

TEST(errors_are_values)
{
  hol_simulation *s;
  hol_error e;
  const char *const wrong[] = {"integrator.timestp=1"};
  ck_assert_int_eq(hol_open_text(&s, "input", cluster, wrong, 1, &e), HOL_INPUT);
  ck_assert_ptr_null(s);
  ck_assert_ptr_nonnull(strstr(e.message, "integrator.timestep")); /* the nearest name */
  ck_assert_int_eq(hol_open_text(&s, "input", "system: [", NULL, 0, NULL), HOL_INPUT);
  ck_assert_int_ne(hol_open(&s, "/nowhere/water.yaml", NULL, 0, &e), HOL_OK);
  ck_assert_ptr_nonnull(strstr(e.message, "/nowhere/water.yaml"));
  hol_close(s);
  const char *const far[] = {"integrator.timestep=1 ps"};
  hol_status status = hol_open_text(&s, "input", cluster, far, 1, &e);
  if (status == HOL_OK)
    status = hol_step(s, 1000, &e);
  ck_assert_int_ne(status, HOL_OK);
  ck_assert_int_gt((int)strlen(e.message), 20);
  hol_close(s);
  char *keys;
  good(hol_keys(&keys, &e), &e);
  ck_assert_ptr_nonnull(strstr(keys, "{\"key\": \"integrator.timestep\", \"type\": \"real\", "));
  hol_free(keys);
  good(hol_waters(&keys, &e), &e);
  ck_assert_ptr_nonnull(strstr(keys, ", {\"name\": \"tip5p\", \"d_oh\": 0.957"));
  hol_free(keys);
}

TEST(forces_that_cannot_be_are_refused_by_open, .rows = 2)
{
  static const char *const set[][2] = {{"forces.cutoff=4.5", "precision: double"},
                                       {"forces.by=atom", "twice the reach of a molecule"}};
  hol_simulation *s;
  hol_error e;
  const char *longest[] = {set[_i][0], "forces.cutoff=9"};
  ck_assert_int_eq(hol_open_text(&s, "input", box, _i ? longest : set[0], _i ? 2 : 1, &e), HOL_INPUT);
  ck_assert_ptr_nonnull(strstr(e.message, set[_i][1]));
}
