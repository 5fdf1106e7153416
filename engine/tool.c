#include "engine/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>

extern char **environ;

int tool_run(const char *dir, const char *const *argv, const char *out)
{
  posix_spawn_file_actions_t actions;
  pid_t child = -1;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return -1;
  int bad = posix_spawn_file_actions_addchdir_np(&actions, dir) != 0 ||
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) != 0 ||
            posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                                             0666) != 0 ||
            posix_spawn_file_actions_adddup2(&actions, 1, 2) != 0;
  /* It takes words that may be changed, but changes none. */
  bad = bad || posix_spawnp(&child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ) != 0;
  posix_spawn_file_actions_destroy(&actions);
  if (bad)
    return -1;
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
