/* What the functions of holonom.h share: a call enters a simulation, and leaves it with its status. */
#ifndef HOLONOM_SIMULATION_HOL_CALL_H
#define HOLONOM_SIMULATION_HOL_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "simulation/holonom.h"
#include "simulation/simulation.h"

/* A function of the caller's, as the simulation calls it. */
typedef struct Hook {
  struct Hook *next;
  hol_simulation *simulation;
  hol_observer observer; /* or */
  hol_force force;
  void *user;
} Hook;

/* Who is told what is printed, and the line that is not whole yet. */
typedef struct Listener {
  hol_listener function; /* NULL: nobody */
  void *user;
  FILE *out; /* of a call */
  size_t n;
  char line[512];
} Listener;

/* Who is at work in a simulation: nobody, a call, or an observer that such a call has called. */
enum { IDLE, WORKING, OBSERVED };

struct hol_simulation {
  Simulation *simulation;
  Hook *hooks;
  Listener listener;
  Flag stop;
  atomic_int doing;
};

/* One call that is at work in a simulation. */
typedef struct Call {
  hol_simulation *s;
  bool entered;
  int before;     /* who was at work                      */
  int first, end; /* replicas that it is about            */
  Error error;
} Call;

/* What a call does with a simulation. READS: an observer may, too. SEES: not even a step that went wrong is
 * in its way. EARLY: it needs no start. */
enum { CHANGES = 0, READS = 1, SEES = 2, EARLY = 4 };

/* Hands a status out to the caller, with its message; one of a function of the caller's in. */
hol_status hol_call_out(hol_error *to, Status status, const Error *from);
Status hol_call_in(Error *to, hol_status status, const hol_error *from);

/* STATUS_INPUT: NULL was given for this. */
Status hol_call_missing(Error *error, const char *what);
#ifdef __clang_analyzer__ /* as in base/status.h */
#define hol_call_missing(error, what) ((void)hol_call_missing(error, what), STATUS_INPUT)
#endif

/* STATUS_INPUT: the size that a caller's struct of this type says is none. */
Status hol_call_sized(Call *call, size_t size, const char *type);

/* STATUS_INPUT: one of these numbers is not finite. */
Status hol_call_finite(Call *call, const double *x, size_t n);

/* STATUS_IO: a file that the caller names cannot be opened. */
Status hol_call_opens(const char *path, Error *error);

/* The same of a call, unless something was. */
Status hol_call_given(Call *call, bool given, const char *what);

/* The beginning of a call: alone; then the start, and a state that is of use; both; or both for a replica or
 * all of them, of which `array` has the numbers. */
Status hol_call_enter(Call *call, hol_simulation *s, unsigned does);
Status hol_call_begin(Call *call, unsigned does);
Status hol_call_enter_started(Call *call, hol_simulation *s, unsigned does);
Status hol_call_enter_replica(Call *call, hol_simulation *s, unsigned does, int replica, const void *array,
                              const char *what);

/* The end; of one that steps: a stop has had its effect unless it came too late to cut this one short. */
hol_status hol_call_leave(const Call *call, Status status, hol_error *error);
hol_status hol_call_leave_work(const Call *call, Status status, bool in_full, hol_error *error);

/* Ends this call at once, with what went wrong, unless nothing did. */
#define DO(step)                                                                                             \
  do {                                                                                                       \
    const Status do_status = (step);                                                                         \
    if (do_status != STATUS_OK)                                                                              \
      return hol_call_leave(&call, do_status, error);                                                        \
  } while (0)
#define DONE hol_call_leave(&call, STATUS_OK, error)

/* Where a call prints; NULL: nowhere. hol_call_quiet closes it. */
FILE *hol_call_speak(hol_simulation *s);
void hol_call_quiet(hol_simulation *s);

#endif
