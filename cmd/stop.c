#include "cmd/stop.h"

#include <stddef.h>

/* The one thing that a signal handler can reach: the number of the first signal that came. */
static volatile sig_atomic_t asked = 0;

static void ask(int number)
{
  if (asked == 0)
    asked = number;
}

void stop_listen(void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = ask, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)}, before;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(numbers[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

void stop_ignore_limits(void) { signal(SIGXFSZ, SIG_IGN); }

bool stop_asked(void) { return asked != 0; }

const volatile sig_atomic_t *stop_flag(void) { return &asked; }

int stop_exit_code(void) { return asked != 0 ? 128 + (int)asked : 0; }
