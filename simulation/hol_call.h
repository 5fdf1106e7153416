/* What the functions of holonom.h share: entering a simulation, and leaving it with a status. */
#ifndef HOLONOM_SIMULATION_HOL_CALL_H
#define HOLONOM_SIMULATION_HOL_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "simulation/holonom.h"
#include "simulation/simulation.h"

/* A callback of the calling program. */
typedef struct Hook {
  struct Hook *next;
  hol_simulation *simulation;
  hol_observer observer; /* or, if NULL: */
  hol_force force;
  void *user;
} Hook;

/* The listener, and the line that is not complete yet. */
typedef struct Listener {
  hol_listener function; /* NULL: no listener */
  void *user;
  FILE *out; /* open during a call */
  size_t n;
  char line[512];
} Listener;

/* What a simulation is doing: nothing, a call, or an observer within a call. */
enum { IDLE, WORKING, OBSERVED };

struct hol_simulation {
  Simulation *simulation;
  Hook *hooks;
  Listener listener;
  Flag stop;
  atomic_int doing;
};

/* One call that uses a simulation. */
typedef struct Call {
  hol_simulation *s;
  bool entered;
  int before;     /* `doing` before the call */
  int first, end; /* replicas of the call */
  Error error;
} Call;

/* What a call does with a simulation. READS: allowed in an observer. SEES: allowed after a failed step.
 * EARLY: needs no start. */
enum { CHANGES = 0, READS = 1, SEES = 2, EARLY = 4 };

/* Copies a status and its message out to the caller (hol_call_out), or in from a caller's function
 * (hol_call_in; a status of another value becomes STATUS_RUN). */
hol_status hol_call_out(hol_error *to, Status status, const Error *from);
Status hol_call_in(Error *to, hol_status status, const hol_error *from);

/* STATUS_INPUT: NULL was passed for `what`. */
Status hol_call_missing(Error *error, const char *what);
#ifdef __clang_analyzer__ /* as in base/status.h */
#define hol_call_missing(error, what) ((void)hol_call_missing(error, what), STATUS_INPUT)
#endif

/* STATUS_INPUT: a caller's struct of this type has an invalid size. */
Status hol_call_sized(Call *call, size_t size, const char *type);

/* STATUS_INPUT: one of the numbers is not finite. */
Status hol_call_finite(Call *call, const double *x, size_t n);

/* STATUS_IO: a file that the caller named cannot be opened. */
Status hol_call_opens(const char *path, Error *error);

/* STATUS_INPUT unless `given`: NULL was passed for `what`. */
Status hol_call_given(Call *call, bool given, const char *what);

/* Begin a call: enter claims the simulation (STATUS_INPUT: it is in use); begin makes the start and refuses a
 * failed state; enter_started does both; enter_replica does both for a replica or all of them, whose numbers
 * are in `array`. */
Status hol_call_enter(Call *call, hol_simulation *s, unsigned does);
Status hol_call_begin(Call *call, unsigned does);
Status hol_call_enter_started(Call *call, hol_simulation *s, unsigned does);
Status hol_call_enter_replica(Call *call, hol_simulation *s, unsigned does, int replica, const void *array,
                              const char *what);

/* Ends a call. leave_work, for calls that step, also lowers the stop flag unless the call completed in
 * full. */
hol_status hol_call_leave(const Call *call, Status status, hol_error *error);
hol_status hol_call_leave_work(const Call *call, Status status, bool in_full, hol_error *error);

/* Leaves the function with the status of `step` if that is an error. */
#define DO(step)                                                                                             \
  do {                                                                                                       \
    const Status do_status = (step);                                                                         \
    if (do_status != STATUS_OK)                                                                              \
      return hol_call_leave(&call, do_status, error);                                                        \
  } while (0)
#define DONE hol_call_leave(&call, STATUS_OK, error)

/* The stream of a call's lines; NULL: there is no listener. hol_call_quiet closes it. */
FILE *hol_call_speak(hol_simulation *s);
void hol_call_quiet(hol_simulation *s);

#endif
