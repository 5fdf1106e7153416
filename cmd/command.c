#include "cmd/command.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/stop.h"
#include "base/text.h"
#include "cmd/listen.h"
#include "cmd/mpi_ranks.h"
#include "html/run_page.h"
#include "simulation/parts/ranks.h"

enum { COLUMNS = 100, OPTIONS_MAX = 128 };

void command_print_error(const Command *command, Error *error)
{
  if (error->text[0] != '\0')
    fprintf(stderr, "holonom %s: %s\n", command->name, error->text); /* error_set has escaped it */
  error->text[0] = '\0';
}

static Status write_page(const SimulationRun *o, Error *error)
{
  Error why = {0};
  const Status status = run_page_write(o->found, &why);
  if (status == STATUS_OK && o->out != NULL)
    printable_print(o->out, "report page: %s/" RUN_PAGE_NAME "\n", o->dir);
  return status == STATUS_OK
             ? status
             : error_set(error, STATUS_IO,
                         "could not write the report page; all other files are complete: %s", why.text);
}

/* The page uses the results in memory. */
Status command_simulate(Simulation *simulation, const SimulationRun *options, Error *error)
{
  ResultSet own = {0};
  SimulationRun o = *options;
  if (o.found == NULL)
    o.found = &own;
  listen_for_stops();
  Status status = simulation_run(simulation, &o, error);
  if ((status == STATUS_OK || status == STATUS_RUN) && o.found->n > 0 &&
      simulation_config(simulation)->output.report && ranks_writes(o.ranks)) {
    const Status page = write_page(&o, status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? page : status;
  }
  results_free(&own);
  return status;
}

const Command *command_find(const char *name)
{
  Nearest nearest = nearest_start(name);
  for (int i = 0; command_table[i] != NULL; i++) {
    if (strcmp(command_table[i]->name, name) == 0)
      return command_table[i];
    nearest_try(&nearest, command_table[i]->name, 0.0);
  }
  printable_print(stderr, "holonom: unknown command '%s'%s ('holonom help' lists all)\n", name,
                  nearest_hint(&nearest, "").text);
  return NULL;
}

Status(command_misused)(const Command *command, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "holonom %s: ", command->name);
  printable_vprint(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\nusage: ");
  command_usage(command, stderr);
  return STATUS_INPUT;
}

/* --- text ------- */

void command_wrap(const char *text, int at, int indent, FILE *file)
{
  int length;
  for (const char *word = text; (word = text_word(word, &length)) != NULL; word += length) {
    if (at > indent && at + 1 + length > COLUMNS) {
      fprintf(file, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      fputc(' ', file);
      at++;
    }
    fprintf(file, "%.*s", length, word);
    at += length;
  }
  fputc('\n', file);
}

/* Options are not split from their arguments. */
void command_usage(const Command *command, FILE *file)
{
  char piece[64];
  const int indent = (int)snprintf(piece, sizeof piece, "holonom %s", command->name);
  fputs(piece, file);
  int at = (int)strlen("usage: ") + indent;
  if (*command->operands != '\0')
    at += fprintf(file, " %s", command->operands);
  for (const CommandOption *o = command->option; o->name != NULL; o++) {
    char dash[32];
    if (o->letter != 0)
      snprintf(dash, sizeof dash, "-%c", o->letter);
    else
      snprintf(dash, sizeof dash, "--%s", o->name);
    const int length = snprintf(piece, sizeof piece, "[%s%s%s]", dash, o->argument != NULL ? " " : "",
                                o->argument != NULL ? o->argument : "");
    if (at + 1 + length > COLUMNS) {
      at = (int)strlen("usage: ") + indent;
      fprintf(file, "\n%*s", at, "");
    }
    at += fprintf(file, " %s", piece);
  }
  fputc('\n', file);
}

/* --- options ------- */

static Status complain(const Command *command, const char *word)
{
  char name[64];
  const char *bare = word + strspn(word, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
  Nearest nearest = nearest_start(name);
  for (const CommandOption *o = command->option; o->name != NULL; o++)
    nearest_try(&nearest, o->name, 0.0);
  return nearest.name != NULL
             ? command_misused(command, "unknown option '%s'; did you mean '--%s'?", word, nearest.name)
             : command_misused(command, "unknown option '%s'", word);
}

const char *command_name(int i) { return command_table[i] != NULL ? command_table[i]->name : NULL; }

static const char *model_name(int i) { return water_models[i].name; }

/* Keys of input files, for --set. */
static const char *key_name(int i) { return config_table[i].key; }

CommandChoice *command_choice(const CommandOption *option)
{
  return option->type == COMMAND_MODEL ? model_name : option->type == COMMAND_SET ? key_name : option->choice;
}

typedef struct Known {
  char words[512];
} Known;

static Known all_choices(CommandChoice *choice)
{
  Known known = {""};
  for (int i = 0; choice(i) != NULL; i++)
    text_append(known.words, sizeof known.words, "%s%s", i > 0 ? ", " : "", choice(i));
  return known;
}

Status command_unknown(const Command *command, const char *what, const char *word, CommandChoice *choice)
{
  Nearest nearest = nearest_start(word);
  for (int i = 0; choice(i) != NULL; i++)
    nearest_try(&nearest, choice(i), 0.0);
  if (nearest.name != NULL)
    return command_misused(command, "unknown %s '%s'; did you mean '%s'?", what, word, nearest.name);
  return command_misused(command, "unknown %s '%s'; allowed: %s", what, word, all_choices(choice).words);
}

Status command_folder(const char *dir, const ManifestNames *names, bool replace, Error *error)
{
  SCOPED(scoped_free) char *found = NULL;
  TRY(manifest_check(dir, names, &found, error));
  return found == NULL || replace
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "%s/%s exists; name another folder with -o, or overwrite it with --force", dir,
                         found);
}

Status command_file(const char *path, bool replace, Error *error)
{
  struct stat info;
  if (lstat(path, &info) != 0 || (replace && S_ISREG(info.st_mode)))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   S_ISREG(info.st_mode) ? "%s exists; overwrite it with --force"
                                         : "%s exists and is a link or not a file; name another file",
                   path);
}

Status command_structures(TrajectoryWriter **writer, const char *path, bool replace, const char *title,
                          Error *error)
{
  const TrajectoryOptions options = {.replace = true, .whole = true, .exact = true, .title = title};
  static const char *const suffixes[] = {".gro", ".xyz", ".h5md", ".pdb"};
  bool known = false;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    known = known || text_ends(path, suffixes[i]);
  *writer = NULL;
  if (!known)
    return error_set(error, STATUS_INPUT,
                     "%s: the name of a structure file must end in .gro, .xyz, .h5md or .pdb", path);
  TRY(command_file(path, replace, error));
  const Status status = trajectory_create(writer, path, NULL, &options, error);
  return status == STATUS_IO ? STATUS_INPUT : status;
}

Status command_structures_end(TrajectoryWriter *writer, Status status, Error *error)
{
  if (status == STATUS_OK)
    return trajectory_finish(writer, error);
  trajectory_discard(writer);
  return status;
}

bool command_number(const char *text, double least, double most, int64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && (double)*value >= least && (double)*value <= most;
}

static Status read_whole(const Command *command, const CommandOption *o, const char *text, void *field)
{
  int64_t value;
  if (!command_number(text, o->least, o->most, &value))
    return command_misused(command, "--%s %s: a number from %.0f to %.0f is required", o->name, text,
                           o->least, o->most);
  if (o->type == COMMAND_INT)
    *(int *)field = (int)value;
  else
    *(int64_t *)field = value;
  return STATUS_OK;
}

/* Parses a number with an optional unit. Returns the rest of the text; NULL: invalid. */
static const char *parse_real(const CommandOption *o, const char *text, double *value)
{
  LOCALE_PLAIN;
  char *end;
  *value = strtod(text, &end);
  if (end == text || !isfinite(*value) ||
      !(*value >= o->least && (*value > 0.0 || (o->zero && *value == 0.0))))
    return NULL;
  end += strspn(end, " ");
  if (o->unit != NULL && strncmp(end, o->unit, strlen(o->unit)) == 0)
    end += strlen(o->unit);
  return end + strspn(end, " ");
}

static Status read_reals(const Command *command, const CommandOption *o, const char *text, double *value)
{
  const int wanted = (int)(o->size / sizeof *value);
  int n = 0;
  const char *rest = text;
  do
    rest = parse_real(o, rest, &value[n++]);
  while (rest != NULL && *rest == ',' && n < wanted && *++rest != '\0');
  for (int k = 1; n == 1 && k < wanted; k++) /* one number sets all */
    value[k] = value[0];
  if (rest != NULL && *rest == '\0' && (n == wanted || (n == 1 && strchr(o->argument, '[') != NULL)))
    return STATUS_OK;
  char least[32] = "above 0";
  if (o->least > 0.0 || o->zero)
    snprintf(least, sizeof least, "at least %g", o->least);
  return command_misused(command, "--%s %s: %s%s%s is required, %s", o->name, text,
                         wanted > 1 ? o->argument : "a number", o->unit != NULL ? " in " : "",
                         o->unit != NULL ? o->unit : "", least);
}

static Status read_box(const Command *command, const CommandOption *o, const char *text, Box *box)
{
  enum { MOST = 10 };
  const char *value[MOST];
  SCOPED(scoped_free) char *words = strdup(text);
  if (words == NULL)
    return error_memory(NULL, "an option");
  char *rest = words;
  InputStrings numbers = {0, value};
  for (char *word; (word = strsep(&rest, ",")) != NULL && numbers.n < MOST;)
    value[numbers.n++] = word + strspn(word, " ");
  Error error;
  return config_box_read(&numbers, BOX_CUBIC, box, &error) == STATUS_OK
             ? STATUS_OK
             : command_misused(command, "--%s %s: %s", o->name, text, error.text);
}

static Status read_model(const Command *command, const char *text, const WaterModel **model)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    if (strcasecmp(m->name, text) == 0) {
      *model = m;
      return STATUS_OK;
    }
  return command_unknown(command, "water model", text, model_name);
}

static Status read_set(const Command *command, const CommandOption *o, const char *text, CommandSets *sets)
{
  if (sets->n == COMMAND_SETS)
    return command_misused(command, "more than %d --%s; put them into the file", COMMAND_SETS, o->name);
  sets->text[sets->n++] = text;
  return STATUS_OK;
}

/* Stores the value of an option in its field; STATUS_INPUT after a message. */
static Status read_option(const Command *command, const CommandOption *o, const char *text, void *call)
{
  void *field = (char *)call + o->at;
  switch (o->type) {
  case COMMAND_BOOL:
    *(bool *)field = true;
    return STATUS_OK;
  case COMMAND_TEXT:
    *(const char **)field = text;
    return *text != '\0' ? STATUS_OK : command_misused(command, "--%s: its value is empty", o->name);
  case COMMAND_INT:
  case COMMAND_INT64:
    return read_whole(command, o, text, field);
  case COMMAND_REAL:
    return read_reals(command, o, text, field);
  case COMMAND_BOX:
    return read_box(command, o, text, field);
  case COMMAND_MODEL:
    return read_model(command, text, field);
  case COMMAND_SET:
    return read_set(command, o, text, field);
  }
  return STATUS_INPUT;
}

/* Parses all options with getopt_long; operands follow from argv[optind] on. */
static Status read_options(const Command *command, int argc, char **argv, void *call)
{
  enum { FIRST = 256 }; /* above all letters */
  struct option option[OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
  char letters[2 * OPTIONS_MAX + 2] = ":";
  for (int i = 0; command->option[i].name != NULL && i < OPTIONS_MAX; i++) {
    const CommandOption *o = &command->option[i];
    option[i] =
        (struct option){o->name, o->argument != NULL ? required_argument : no_argument, NULL, FIRST + i};
    if (o->letter != 0)
      text_append(letters, sizeof letters, "%c%s", o->letter, o->argument != NULL ? ":" : "");
  }
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, letters, option, NULL)) != -1;) {
    if (c == ':')
      return command_misused(command, "option '%s' needs a value", argv[optind - 1]);
    if (c == '?')
      return complain(command, optind > 0 && optind <= argc ? argv[optind - 1] : "");
    const CommandOption *o = command->option;
    while (c >= FIRST ? o != command->option + (c - FIRST) : o->letter != c)
      o++;
    TRY(read_option(command, o, optarg, call));
  }
  return STATUS_OK;
}

static Status check_operands(const Command *command, int n, char *const *operand)
{
  for (int i = 0; i < n; i++)
    if (*operand[i] == '\0')
      return command_misused(command, "a name is empty");
  if (n < command->least && command->choice != NULL)
    return command_misused(command, "no %s given; allowed: %s", command->subject,
                           all_choices(command->choice).words);
  if (n < command->least)
    return command_misused(command, "no %s given", command->subject);
  if (command->most == 0 && n > 0)
    return command_misused(command, "'%s': this command takes options only", operand[0]);
  if (command->most == 1 && n > 1)
    return command_misused(command, "'%s': this command takes one %s", operand[1], command->subject);
  if (command->most > 1 && n > command->most)
    return command_misused(command, "'%s': this command takes at most %d operands", operand[command->most],
                           command->most);
  if (command->choice == NULL || command->most != 1 || n == 0)
    return STATUS_OK;
  for (int i = 0; command->choice(i) != NULL; i++)
    if (strcmp(command->choice(i), operand[0]) == 0)
      return STATUS_OK;
  return command_unknown(command, command->subject, operand[0], command->choice);
}

static Status read_and_run(const Command *command, int argc, char **argv, Error *error)
{
  SCOPED(scoped_free) void *call = calloc(1, command->size + 1);
  TRY_MEMORY(call != NULL, "the options", error);
  if (command->call != NULL)
    memcpy(call, command->call, command->size);
  TRY(read_options(command, argc, argv, call));
  TRY(check_operands(command, argc - optind, argv + optind));
  return command->run(call, argc - optind, argv + optind, error);
}

const char *command_stop_reason(void)
{
  return stop_limited() ? "the limit of time (--max-hours) is reached" : "interrupted";
}

int command_call(const Command *command, int argc, char **argv)
{
  Error error = {0};
  if (!command->shared)
    mpi_ranks_warn(command->name);
  const Status status = read_and_run(command, argc, argv, &error);
  command_print_error(command, &error);
  if (status == STATUS_RUN && stop_limited())
    fprintf(stderr, "holonom %s: %s\n", command->name, command_stop_reason());
  const int stopped = stop_exit_code();
  return stopped != 0 && (status == STATUS_OK || status == STATUS_RUN) ? stopped : status_exit_code(status);
}
