#include "simulation/hol_call.h"

#include <math.h>
#include <string.h>

#include "base/file.h"

_Static_assert((int)HOL_INPUT == (int)STATUS_INPUT && (int)HOL_RUN == (int)STATUS_RUN &&
                   (int)HOL_MEMORY == (int)STATUS_MEMORY && (int)HOL_IO == (int)STATUS_IO,
               "statuses must have equal values");

/* --- errors ------------------------------------------------------------------------------------------ */

/* Words of messages that differ between the command line and the library. */
static const char *const words[][2] = {{"holonom run --resume", "hol_run with HOL_RESUME"},
                                       {"--resume", "HOL_RESUME"},
                                       {"--other-build", "HOL_OTHER_BUILD"},
                                       {"--force", "HOL_FORCE"},
                                       {"--set ", ""}};

/* The row whose word `text` begins with, or NULL. */
static const char *const *word_at(const char *text)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(text, words[i][0], strlen(words[i][0])) == 0)
      return words[i];
  return NULL;
}

/* Writes a message in the library's words, truncated to `size`. */
static void say(char *to, size_t size, const char *text)
{
  size_t n = 0;
  while (*text != '\0' && n + 1 < size) {
    const char *const *word = word_at(text);
    const char *as = word != NULL ? word[1] : text;
    size_t length = word != NULL ? strlen(as) : 1;
    length = length < size - 1 - n ? length : size - 1 - n;
    memcpy(to + n, as, length);
    n += length;
    text += word != NULL ? strlen(word[0]) : 1;
  }
  to[n] = '\0';
}

hol_status hol_call_out(hol_error *to, Status status, const Error *from)
{
  if (to != NULL && status == STATUS_OK)
    *to = (hol_error){0};
  if (to != NULL && status != STATUS_OK) {
    to->status = (hol_status)status;
    say(to->message, sizeof to->message, from->text);
  }
  return (hol_status)status;
}

Status hol_call_in(Error *to, hol_status status, const hol_error *from)
{
  if (status == HOL_OK)
    return STATUS_OK;
  const bool ours = status == HOL_INPUT || status == HOL_MEMORY || status == HOL_IO;
  return error_set(to, ours ? (Status)status : STATUS_RUN, "%.*s", (int)sizeof from->message - 1,
                   *from->message != '\0' ? from->message
                                          : "a function of the calling program reported an error");
}

/* --- calls ------------------------------------------------------------------------------------------- */

Status(hol_call_missing)(Error *error, const char *what)
{
  return error_set(error, STATUS_INPUT, "NULL was passed for %s", what);
}

Status hol_call_sized(Call *call, size_t size, const char *type)
{
  return size >= sizeof size ? STATUS_OK
                             : error_set(&call->error, STATUS_INPUT,
                                         "the size of a struct is %zu: set it to sizeof(%s)", size, type);
}

Status hol_call_finite(Call *call, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return error_set(&call->error, STATUS_INPUT, "coordinate %zu is not finite", i);
  return STATUS_OK;
}

/* A file named in an input is a fault of the input; a file named by the caller is HOL_IO. */
Status hol_call_opens(const char *path, Error *error)
{
  FILE *file = NULL;
  Error why;
  const Status status = file_open(&file, path, &why);
  if (status != STATUS_OK)
    return error_pass(error, *path != '\0' ? STATUS_IO : status, &why);
  fclose(file); /* only read */
  return STATUS_OK;
}

Status hol_call_given(Call *call, bool given, const char *what)
{
  return given ? STATUS_OK : hol_call_missing(&call->error, what);
}

Status hol_call_enter(Call *call, hol_simulation *s, unsigned does)
{
  *call = (Call){.s = s};
  if (s == NULL)
    return hol_call_missing(&call->error, "a simulation");
  call->before = atomic_load(&s->doing);
  if (call->before == OBSERVED && (does & READS) == 0)
    return error_set(&call->error, STATUS_INPUT,
                     "an observer may read, save and stop the simulation that calls it, and nothing else");
  if (call->before == WORKING)
    return error_set(&call->error, STATUS_INPUT,
                     "the simulation is in use by another call: a force may use only its own arguments, and "
                     "another thread must wait");
  call->entered = true;
  atomic_store(&s->doing, WORKING);
  return STATUS_OK;
}

hol_status hol_call_leave(const Call *call, Status status, hol_error *error)
{
  if (call->entered)
    atomic_store(&call->s->doing, call->before);
  return hol_call_out(error, status, &call->error);
}

hol_status hol_call_leave_work(const Call *call, Status status, bool in_full, hol_error *error)
{
  if (call->entered && (status != STATUS_OK || !in_full))
    flag_lower(&call->s->stop);
  return hol_call_leave(call, status, error);
}

/* --- what is printed ------- */

static ssize_t listen(void *self, const char *data, size_t size)
{
  Listener *to = self;
  for (size_t i = 0; i < size; i++) {
    const bool end = data[i] == '\n' || to->n + 1 == sizeof to->line;
    if (data[i] != '\n')
      to->line[to->n++] = data[i];
    if (!end)
      continue;
    to->line[to->n] = '\0';
    to->n = 0;
    to->function(to->user, to->line);
  }
  return (ssize_t)size;
}

FILE *hol_call_speak(hol_simulation *s)
{
  Listener *to = &s->listener;
  if (to->function != NULL && to->out == NULL)
    to->out = fopencookie(to, "w", (cookie_io_functions_t){.write = listen});
  if (to->out != NULL)
    (void)setvbuf(to->out, NULL, _IOLBF, 0);
  return to->out;
}

void hol_call_quiet(hol_simulation *s)
{
  Listener *to = &s->listener;
  if (to->out != NULL)
    (void)fclose(to->out);
  to->out = NULL;
  if (to->n > 0)
    (void)listen(to, "\n", 1);
}

/* --- starts and replicas ------- */

static Status start(hol_simulation *s, Error *e)
{
  if (simulation_started(s->simulation))
    return STATUS_OK;
  const Status status =
      simulation_start(s->simulation, &(SimulationStart){.stop = &s->stop, .out = hol_call_speak(s)}, e);
  hol_call_quiet(s);
  return status;
}

Status hol_call_begin(Call *call, unsigned does)
{
  hol_simulation *s = call->s;
  Error why;
  if ((does & EARLY) == 0)
    TRY(start(s, &call->error));
  if ((does & SEES) != 0 || simulation_sound(s->simulation, &why) == STATUS_OK)
    return STATUS_OK;
  return error_set(&call->error, STATUS_RUN,
                   "the run failed in an earlier call; to continue, restore a state that was saved "
                   "(hol_load, hol_load_memory): %.1800s",
                   why.text);
}

Status hol_call_enter_started(Call *call, hol_simulation *s, unsigned does)
{
  TRY(hol_call_enter(call, s, does));
  return hol_call_begin(call, does);
}

Status hol_call_enter_replica(Call *call, hol_simulation *s, unsigned does, int replica, const void *array,
                              const char *what)
{
  TRY(hol_call_enter(call, s, does));
  const int n = simulation_replicas(s->simulation);
  if (replica != HOL_ALL && (replica < 0 || replica >= n))
    return error_set(&call->error, STATUS_INPUT, "there is no replica %d; there are %d, numbered from 0",
                     replica, n);
  if (array == NULL)
    return hol_call_missing(&call->error, what);
  call->first = replica == HOL_ALL ? 0 : replica;
  call->end = replica == HOL_ALL ? n : replica + 1;
  return hol_call_begin(call, does);
}
