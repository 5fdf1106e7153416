#include "tests/program.h"

#include <spawn.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tables.h"

const char program_small[] = "title: small\n"
                             "units: akma\n"
                             "system: {model: tip3p, molecules: 4, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BABO, timestep: 0.05, steps: 2000}\n"
                             "thermostat: {temperature: 50 K, friction: 0.1, convention: mass}\n"
                             "ensemble: {replicas: 16}\n"
                             "output: {thermo_every: 100, rdf_every: 10}\n";

const char *program_scratch;
char program_output[1 << 17];

/* The exit code of a command, with all that it says in program_output. */
static int listen_to(const char *command)
{
  FILE *pipe = popen(command, "r");
  ck_assert_ptr_nonnull(pipe);
  const size_t n = fread(program_output, 1, sizeof program_output - 1, pipe);
  program_output[n] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef struct Line {
  char text[4096];
} Line;

static Line shell_line(const char *format, va_list args)
{
  Line line;
  int n =
      snprintf(line.text, sizeof line.text, "cd %s; P='%s'; { ", program_scratch, getenv("HOLONOM_PROGRAM"));
  n += vsnprintf(line.text + n, sizeof line.text - (size_t)n, format, args);
  ck_assert_int_lt(n + 10, (int)sizeof line.text);
  strcpy(line.text + n, " ; } 2>&1");
  return line;
}

int program_shell(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Line line = shell_line(format, args);
  va_end(args);
  return listen_to(line.text);
}

void program_do(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Line line = shell_line(format, args);
  va_end(args);
  ck_assert_msg(system(line.text) == 0, "%s", line.text);
}

void program_does(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Line line = shell_line(format, args);
  va_end(args);
  ck_assert_msg(listen_to(line.text) == 0, "%s: %s", line.text, program_output);
}

/* What is handed to the program. */
typedef struct Arguments {
  char text[2048];
} Arguments;

static Arguments arguments_of(const char *format, va_list args)
{
  Arguments arguments;
  vsnprintf(arguments.text, sizeof arguments.text, format, args);
  return arguments;
}

static int call(const Arguments *arguments)
{
  char command[4096];
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", program_scratch, getenv("HOLONOM_PROGRAM"),
           arguments->text);
  return listen_to(command);
}

int program_call(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Arguments arguments = arguments_of(format, args);
  va_end(args);
  const int code = call(&arguments);
  return code;
}

void program_runs(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Arguments arguments = arguments_of(format, args);
  va_end(args);
  const int code = call(&arguments);
  ck_assert_msg(code == 0, "%s: %d: %s", arguments.text, code, program_output);
}

void program_refuses(const char *words, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const Arguments arguments = arguments_of(format, args);
  va_end(args);
  const int code = call(&arguments);
  ck_assert_msg(code == 2 && strstr(program_output, words) != NULL, "%s: %d, not 2 and '%s': %s",
                arguments.text, code, words, program_output);
}

pid_t program_start(const char *format, ...)
{
  char arguments[2048], command[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(arguments, sizeof arguments, format, args);
  va_end(args);
  snprintf(command, sizeof command, "cd %s && exec %s %s", program_scratch, getenv("HOLONOM_PROGRAM"),
           arguments);
  /* A signal that is sent right away must not find a copy of this test with Check's handlers. */
  char *const argv[] = {"sh", "-c", command, NULL};
  pid_t child;
  ck_assert_int_eq(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ), 0);
  return child;
}

void program_says(const char *what)
{
  ck_assert_msg(strstr(program_output, what) != NULL, "'%s' is not in: %s", what, program_output);
}

double program_number(const char *name)
{
  char start[64];
  const size_t length = (size_t)snprintf(start, sizeof start, "\n%s ", name);
  if (strncmp(program_output, start + 1, length - 1) == 0)
    return atof(program_output + length - 1);
  const char *at = strstr(program_output, start);
  ck_assert_msg(at != NULL, "'%s' is not in: %s", name, program_output);
  return atof(at + length);
}

FILE *program_create(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  return file;
}

void program_write(const char *name, const char *text)
{
  FILE *file = program_create(name);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

const char *program_read(const char *name)
{
  static char text[1 << 20];
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is not there", path);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  ck_assert_msg(n < sizeof text - 1, "%s is too long", path);
  text[n] = '\0';
  fclose(file);
  return text;
}

int program_exists(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  return access(path, F_OK) == 0;
}

ResultTable *program_table(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  return tables_read(path);
}

void program_same(const char *one, const char *other, const char *name)
{
  char path[2][256];
  snprintf(path[0], sizeof path[0], "%s/%s", one, name);
  snprintf(path[1], sizeof path[1], "%s/%s", other, name);
  char *first = strdup(program_read(path[0]));
  ck_assert_ptr_nonnull(first);
  ck_assert_uint_gt(strlen(first), 0);
  ck_assert_msg(strcmp(first, program_read(path[1])) == 0, "%s of %s and %s differ", name, one, other);
  free(first);
}

double program_summary(const char *dir, const char *key)
{
  char name[256], start[64];
  snprintf(name, sizeof name, "%s/summary.yaml", dir);
  snprintf(start, sizeof start, "\n%s: ", key);
  const char *at = strstr(program_read(name), start);
  ck_assert_msg(at != NULL, "%s has no %s", name, key);
  return atof(at + strlen(start));
}

static char true_path[1 << 14];

/* tests/tools before all else. */
static void stand_in(void)
{
  const char *source = getenv("HOLONOM_SOURCE"), *path = getenv("PATH");
  char all[sizeof true_path + 1024];
  if (source == NULL || path == NULL || strlen(source) > 900 || strlen(path) >= sizeof true_path)
    return;
  snprintf(true_path, sizeof true_path, "%s", path);
  snprintf(all, sizeof all, "%s/tests/tools:%s", source, path);
  setenv("PATH", all, 1);
}

void program_gnuplot(void)
{
  if (true_path[0] != '\0')
    setenv("PATH", true_path, 1);
}

int program_lacks_import(void)
{
  const char *program = getenv("HOLONOM_PROGRAM");
  char line[4096];
  snprintf(line, sizeof line,
           "'%s' import none.top none.gro -o none 2>&1 | grep -q 'none.top.*cannot be read'",
           program != NULL ? program : "");
  if (program == NULL || system(line) == 0)
    return 0; /* program_main asks for the program */
  printf("skipped: 'holonom import' has no Python with its packages\n");
  return 1;
}

__attribute__((constructor)) static void choose_main(void) { suite_main_is(program_main); }

int program_main(const char *name)
{
  if (getenv("HOLONOM_PROGRAM") == NULL || *getenv("HOLONOM_PROGRAM") == '\0') {
    puts("HOLONOM_PROGRAM is not set: nothing to test; run this through ctest");
    return SUITE_SKIPPED;
  }
  program_scratch = suite_folder();
  stand_in();
  const int failed = suite_main(name);
  suite_clear();
  return failed;
}
