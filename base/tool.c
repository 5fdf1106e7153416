#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#include "base/scoped.h"
#include "base/stop.h"
#include "base/ticks.h"
#include "base/tool_find.h"

extern char **environ;

/* Starts the program as the leader of a process group. Returns its id, or -1. */
static pid_t start(const char *dir, const char *const *argv, const char *out)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t child = -1;
  SCOPED(scoped_free) char *program = tool_find(argv[0]);
  if (program == NULL || posix_spawn_file_actions_init(&actions) != 0)
    return -1;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return -1;
  }
  bool fine = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
              posix_spawn_file_actions_addchdir_np(&actions, dir) == 0 &&
              posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
              posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                                               0666) == 0 &&
              posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0;
  /* posix_spawn does not change the strings. */
  fine = fine &&
         posix_spawn(&child, program, &actions, &attributes, (char *const *)(uintptr_t)argv, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fine ? child : -1;
}

/* Waits until the program has ended, or for its time. */
static ToolEnd wait_for(pid_t child, double seconds, int *status)
{
  const double start = ticks_seconds();
  double stopped = -1.0; /* when the request to stop was first seen, s */
  for (struct timespec pause = {.tv_nsec = 1000000};; pause.tv_nsec = 10000000) {
    const pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child)
      return TOOL_ENDED;
    if (ended < 0 && errno != EINTR)
      return TOOL_MISSING;
    const double now = ticks_seconds();
    if (stopped < 0.0 && stop_asked())
      stopped = now;
    if (stopped >= 0.0 && now - stopped >= TOOL_SECONDS_STOPPED)
      return TOOL_STOPPED;
    if (now - start >= seconds)
      return TOOL_SLOW;
    (void)nanosleep(&pause, NULL);
  }
}

ToolEnd tool_run(const char *dir, const char *const *argv, const char *out, double seconds, int *code)
{
  int status = 0;
  *code = -1;
  const pid_t child = start(dir, argv, out);
  if (child < 0)
    return TOOL_MISSING;
  const ToolEnd end = wait_for(child, seconds, &status);
  if (end == TOOL_SLOW || end == TOOL_STOPPED) {
    (void)kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  } else if (end == TOOL_ENDED)
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return end == TOOL_ENDED && *code == 127 ? TOOL_MISSING
                                           : end; /* some systems report it only from the child */
}
