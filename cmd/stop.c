#include "cmd/stop.h"

#include <signal.h>
#include <stddef.h>

/* The one thing that a signal handler can reach: the number of the first signal that came. */
static Flag asked;

static void ask(int number) { flag_raise(&asked, number); }

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

bool stop_asked(void) { return flag_value(&asked) != 0; }

const Flag *stop_flag(void) { return &asked; }

int stop_exit_code(void) { return stop_asked() ? 128 + flag_value(&asked) : 0; }
