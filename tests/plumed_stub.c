/* A kernel in place of PLUMED's for tests: it has PLUMED's C interface, checks the order and the values of
 * calls, and computes known potentials. Lengths of its actions are in nm, energies in kJ/mol, times in ps, as
 * PLUMED's are:
 *
 *   SPRING i j k c      k/2 (d - c)^2 for the distance d of two atoms
 *   VOLUME p            p times the volume of the box
 *   MASSES m1 m2 ...    fails unless the first atoms have these masses; CHARGES, KBT and TIMESTEP likewise
 *   FAIL n              fails when step n is computed
 *   NAN                 has an energy that is not a number
 *   NEEDS_ENERGY        needs the energy of the system
 *   PRINT FILE=name n   writes step, energy and distance of the last SPRING when each n-th step is updated
 *
 * The log has a line for each update. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS = 16, WORDS = 12 };

typedef struct Handler {
  void *self;
  void (*note)(void *self, int code, const char *message, const void *options);
} Handler;

typedef struct Action {
  char name[32], file[512];
  int n; /* numbers */
  double number[WORDS];
} Action;

enum { SET_POSITIONS = 1, SET_MASSES = 2, SET_BOX = 4, SET_FORCES = 8, SET_VIRIAL = 16, SET_ALL = 31 };

typedef struct Stub {
  double energy_unit, length_unit, time_unit, mass_unit, charge_unit, kT, h;
  int precision, natom, restart;
  bool begun, prepared, computed;
  unsigned set;
  long step, updated;
  const double *x, *mass, *charge, *box;
  double *f, *virial, bias, distance;
  int naction;
  Action action[ACTIONS];
  char suffix[32], log[512];
  FILE *print, *logged;
} Stub;

typedef struct Call {
  Handler handler;
  bool failed;
} Call;

static void complain(Call *call, const char *format, ...)
{
  char words[512], all[700];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  snprintf(all, sizeof all,
           "\n+++ PLUMED error\n+++ at stub.c:1, function void stub()\n+++ message follows +++\n"
           "(core/Stub.cpp:372) void PLMD::Stub::error()\n%s\n",
           words);
  if (!call->failed)
    call->handler.note(call->handler.self, 20000, all, NULL);
  call->failed = true;
}

/* --- actions -------------------------------------------------------------------------------------------- */

static void open_print(Stub *s, Action *a)
{
  char path[600];
  snprintf(path, sizeof path, "%s%s", a->file, strcmp(a->file, "/dev/null") == 0 ? "" : s->suffix);
  s->print = fopen(path, s->restart ? "a" : "w");
}

static void read_line(Stub *s, Call *call, const char *line)
{
  static const char *const known[] = {"SPRING", "VOLUME", "MASSES",       "CHARGES", "KBT", "TIMESTEP",
                                      "FAIL",   "NAN",    "NEEDS_ENERGY", "PRINT",   NULL};
  char copy[1024], *save = NULL;
  snprintf(copy, sizeof copy, "%s", line);
  char *word = strtok_r(copy, " ", &save);
  if (strcmp(word, "_SET_SUFFIX") == 0) {
    snprintf(s->suffix, sizeof s->suffix, "%s", strtok_r(NULL, " ", &save));
    return;
  }
  Action *a = &s->action[s->naction++];
  snprintf(a->name, sizeof a->name, "%s", word);
  int k = 0;
  while (known[k] != NULL && strcmp(known[k], word) != 0)
    k++;
  if (known[k] == NULL)
    complain(call, "ERROR\nI cannot understand line: %s", line);
  while ((word = strtok_r(NULL, " ", &save)) != NULL)
    if (strncmp(word, "FILE=", 5) == 0)
      snprintf(a->file, sizeof a->file, "%s", word + 5);
    else
      a->number[a->n++] = atof(word);
  if (strcmp(a->name, "PRINT") == 0)
    open_print(s, a);
}

static void spring(Stub *s, const Action *a)
{
  const int i = (int)a->number[0] - 1, j = (int)a->number[1] - 1;
  double d[3], r2 = 0.0;
  for (int k = 0; k < 3; k++) {
    d[k] = (s->x[3 * j + k] - s->x[3 * i + k]) * s->length_unit;
    r2 += d[k] * d[k];
  }
  const double r = sqrt(r2), pull = a->number[2] * (r - a->number[3]);
  s->distance = r;
  s->bias += 0.5 * pull * (r - a->number[3]);
  for (int k = 0; k < 3; k++) {
    const double f = pull * d[k] / r; /* on atom i, kJ/mol/nm */
    s->f[3 * i + k] += f * s->length_unit / s->energy_unit;
    s->f[3 * j + k] -= f * s->length_unit / s->energy_unit;
    for (int b = 0; b < 3; b++) /* minus the sum of x_a f_b */
      s->virial[3 * k + b] += d[k] * pull * d[b] / r / s->energy_unit;
  }
}

static void volume(Stub *s, const Action *a)
{
  const double *h = s->box, unit = s->length_unit;
  const double v = unit * unit * unit *
                   (h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
                    h[2] * (h[3] * h[7] - h[4] * h[6]));
  s->bias += a->number[0] * v;
  for (int k = 0; k < 3; k++)
    s->virial[4 * k] += a->number[0] * v / s->energy_unit;
}

static void compare(Call *call, const char *name, double value, double want)
{
  if (!(fabs(value - want) <= 1e-9 * fabs(want)))
    complain(call, "%s is %.15g, wanted %.15g", name, value, want);
}

static void compute(Stub *s, Call *call)
{
  s->bias = 0.0;
  for (int k = 0; k < s->naction; k++) {
    const Action *a = &s->action[k];
    if (strcmp(a->name, "SPRING") == 0)
      spring(s, a);
    else if (strcmp(a->name, "VOLUME") == 0)
      volume(s, a);
    else if (strcmp(a->name, "NAN") == 0)
      s->bias = NAN;
    else if (strcmp(a->name, "FAIL") == 0 && s->step == (long)a->number[0])
      complain(call, "step %ld fails", s->step);
    else if (strcmp(a->name, "KBT") == 0)
      compare(call, "kT", s->kT * s->energy_unit, a->number[0]);
    else if (strcmp(a->name, "TIMESTEP") == 0)
      compare(call, "the time step", s->h * s->time_unit, a->number[0]);
    for (int i = 0; i < a->n; i++)
      if (strcmp(a->name, "MASSES") == 0)
        compare(call, "a mass", s->mass[i] * s->mass_unit, a->number[i]);
      else if (strcmp(a->name, "CHARGES") == 0)
        compare(call, "a charge", s->charge[i] * s->charge_unit, a->number[i]);
  }
  s->bias /= s->energy_unit;
}

static void update(Stub *s, Call *call)
{
  if (!s->computed)
    complain(call, "update without a computed step");
  if (s->step <= s->updated)
    complain(call, "step %ld is updated after step %ld", s->step, s->updated);
  s->updated = s->step;
  s->computed = false;
  for (int k = 0; k < s->naction; k++)
    if (strcmp(s->action[k].name, "PRINT") == 0 && s->step % (long)s->action[k].number[0] == 0)
      fprintf(s->print, "%ld %.15g %.15g\n", s->step, s->bias * s->energy_unit, s->distance);
  if (s->logged != NULL)
    fprintf(s->logged, "update %ld\n", s->step);
}

/* --- commands ------------------------------------------------------------------------------------------- */

static bool before(Stub *s, const char *command, const void *value)
{
  struct {
    const char *name;
    double *to;
  } const real[] = {{"setMDEnergyUnits", &s->energy_unit},
                    {"setMDLengthUnits", &s->length_unit},
                    {"setMDTimeUnits", &s->time_unit},
                    {"setMDMassUnits", &s->mass_unit},
                    {"setMDChargeUnits", &s->charge_unit},
                    {"setKbT", &s->kT},
                    {"setTimestep", &s->h}};
  struct {
    const char *name;
    int *to;
  } const whole[] = {
      {"setRealPrecision", &s->precision}, {"setNatoms", &s->natom}, {"setRestart", &s->restart}};
  for (size_t i = 0; i < sizeof real / sizeof *real; i++)
    if (strcmp(command, real[i].name) == 0) {
      *real[i].to = *(const double *)value;
      return true;
    }
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (strcmp(command, whole[i].name) == 0) {
      *whole[i].to = *(const int *)value;
      return true;
    }
  if (strcmp(command, "setLogFile") == 0)
    s->logged = fopen(value, s->restart ? "a" : "w");
  return strcmp(command, "setLogFile") == 0 || strcmp(command, "setMDEngine") == 0;
}

static bool set(Stub *s, const char *command, const void *value)
{
  void *own;
  memcpy(&own, &value, sizeof own);
  if (strcmp(command, "setPositions") == 0)
    s->x = value, s->set |= SET_POSITIONS;
  else if (strcmp(command, "setMasses") == 0)
    s->mass = value, s->set |= SET_MASSES;
  else if (strcmp(command, "setCharges") == 0)
    s->charge = value;
  else if (strcmp(command, "setBox") == 0)
    s->box = value, s->set |= SET_BOX;
  else if (strcmp(command, "setForces") == 0)
    s->f = own, s->set |= SET_FORCES;
  else if (strcmp(command, "setVirial") == 0)
    s->virial = own, s->set |= SET_VIRIAL;
  else
    return false;
  return true;
}

static void answer(Stub *s, Call *call, const char *command, void *value)
{
  bool needs = false;
  for (int k = 0; k < s->naction; k++)
    needs = needs || strcmp(s->action[k].name, "NEEDS_ENERGY") == 0;
  if (strcmp(command, "setStepLong") == 0) {
    s->step = *(const long *)value;
    s->set = 0;
    s->prepared = s->computed = false;
  } else if (strcmp(command, "readInputLine") == 0)
    read_line(s, call, value);
  else if (strcmp(command, "prepareCalc") == 0) {
    if (s->set != SET_ALL)
      complain(call, "prepareCalc without all data (%u)", s->set);
    s->prepared = true;
  } else if (strcmp(command, "isEnergyNeeded") == 0)
    *(int *)value = needs;
  else if (strcmp(command, "performCalcNoUpdate") == 0) {
    if (!s->prepared)
      complain(call, "performCalcNoUpdate without prepareCalc");
    compute(s, call);
    s->prepared = false;
    s->computed = true;
  } else if (strcmp(command, "update") == 0)
    update(s, call);
  else if (strcmp(command, "getBias") == 0)
    *(double *)value = s->bias;
  else
    complain(call, "cannot interpret cmd(\"%s\")", command);
}

static void begin(Stub *s, Call *call)
{
  if (s->precision != sizeof(double) || s->natom < 1)
    complain(call, "init without precision (%d) or atoms (%d)", s->precision, s->natom);
  s->begun = true;
}

static void command_nothrow(void *instance, const char *command, const void *value, Handler handler)
{
  Stub *s = instance;
  Call call = {handler, false};
  void *own;
  memcpy(&own, &value, sizeof own);
  if (strcmp(command, "init") == 0)
    begin(s, &call);
  else if (!s->begun) {
    if (!before(s, command, value))
      complain(&call, "cmd(\"%s\") before init", command);
  } else if (!set(s, command, value))
    answer(s, &call, command, own);
}

static void *create(void)
{
  Stub *s = calloc(1, sizeof *s);
  if (s != NULL)
    s->updated = -1;
  return s;
}

static void command_throwing(void *instance, const char *command, const void *value)
{
  (void)instance, (void)command, (void)value;
  abort();
}

static void finalize(void *instance)
{
  Stub *s = instance;
  if (s->print != NULL)
    fclose(s->print);
  if (s->logged != NULL)
    fclose(s->logged);
  free(s);
}

typedef struct Table {
  int version;
  void *(*create)(void);
  void (*command)(void *instance, const char *command, const void *value);
  void (*finalize)(void *instance);
  void (*command_nothrow)(void *instance, const char *command, const void *value, Handler handler);
} Table;

#ifndef STUB_VERSION
#define STUB_VERSION 4
#endif

extern __attribute__((visibility("default"))) const Table plumed_symbol_table;
const Table plumed_symbol_table = {STUB_VERSION, create, command_throwing, finalize, command_nothrow};
