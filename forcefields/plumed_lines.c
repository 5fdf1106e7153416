#include "forcefields/plumed_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"

enum { LONGEST = 1 << 20 }; /* bytes of a file */

static const char blanks[] = " \t\r\n";

/* A word "KEY=VALUE" of a line. */
typedef struct Pair {
  const char *key, *value;
  int nkey, nvalue;
} Pair;

/* The next word at or after `at`, with its length; blanks within braces belong to it. NULL: none. */
static const char *next_word(const char *at, int *length)
{
  at += strspn(at, blanks);
  int depth = 0, n = 0;
  for (; at[n] != '\0' && (depth > 0 || strchr(blanks, at[n]) == NULL); n++)
    depth += (at[n] == '{') - (at[n] == '}' && depth > 0);
  *length = n;
  return n > 0 ? at : NULL;
}

static bool read_pair(const char *word, int n, Pair *pair)
{
  int k = 0;
  while (k < n && (isupper((unsigned char)word[k]) || isdigit((unsigned char)word[k]) || word[k] == '_'))
    k++;
  *pair = (Pair){word, word + k + 1, k, n - k - 1};
  return k > 0 && k < n - 1 && word[k] == '=';
}

static bool has(const Pair *pair, const char *part)
{
  return memmem(pair->key, (size_t)pair->nkey, part, strlen(part)) != NULL;
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* Copies the action of a text into the arena: its first word that is neither a label ("d:") nor LABEL=d. */
static const char *action_of(const char *text, Arena *arena)
{
  int n;
  for (const char *at = text; (at = next_word(at, &n)) != NULL; at += n) {
    if (at[n - 1] == ':' || memchr(at, '=', (size_t)n) != NULL)
      continue;
    char *const action = arena_take(arena, (size_t)n + 1, 1);
    return action != NULL ? memcpy(action, at, (size_t)n) : "";
  }
  return "";
}

/* Cuts the comment of a line and the blanks around it. */
static char *trim(char *line)
{
  line[strcspn(line, "#")] = '\0';
  line += strspn(line, blanks);
  size_t n = strlen(line);
  while (n > 0 && strchr(blanks, line[n - 1]) != NULL)
    line[--n] = '\0';
  return line;
}

/* Whether a line ends with the word "...", which it then loses. */
static bool cut_dots(char *line)
{
  const size_t n = strlen(line);
  if (n < 3 || strcmp(line + n - 3, "...") != 0 || (n > 3 && strchr(blanks, line[n - 4]) == NULL))
    return false;
  line[n - 3] = '\0';
  return true;
}

static bool ends_dots(const char *line)
{
  return strncmp(line, "...", 3) == 0 && (line[3] == '\0' || strchr(blanks, line[3]) != NULL);
}

static bool names_file(const PlumedLine *line)
{
  int n;
  Pair pair;
  bool found = false;
  for (const char *at = line->text; (at = next_word(at, &n)) != NULL; at += n)
    found = found || (read_pair(at, n, &pair) && pair.nkey == 4 && has(&pair, "FILE"));
  return found;
}

/* Their files would have names of PLUMED's own choice, in the folder where the program was started. */
static Status check_line(const PlumedLines *lines, const PlumedLine *line, Error *error)
{
  static const char *const hills[][2] = {{"METAD", "HILLS"},
                                         {"PBMETAD", "HILLS.phi,HILLS.psi"},
                                         {"OPES_METAD", "KERNELS"},
                                         {"OPES_METAD_EXPLORE", "KERNELS"},
                                         {"OPES_EXPANDED", "DELTAFS"}};
  for (size_t i = 0; i < sizeof hills / sizeof *hills; i++)
    if (strcmp(line->action, hills[i][0]) == 0 && !names_file(line))
      return error_set(
          error, STATUS_INPUT,
          "%s:%d: %s names no file for what it writes; wanted: FILE=%s, which goes into the folder "
          "of the run",
          lines->name, line->number, line->action, hills[i][1]);
  if (strcmp(line->action, "ENERGY") == 0)
    return error_set(
        error, STATUS_INPUT,
        "%s:%d: the action ENERGY is not supported, since forces on the energy of the system are "
        "not computed; use other variables",
        lines->name, line->number);
  return STATUS_OK;
}

static Status add_line(PlumedLines *lines, int number, const char *text, Arena *arena, Error *error)
{
  PlumedLine *const line = &lines->line[lines->n];
  const size_t size = strlen(text) + 1;
  char *const own = arena_take(arena, size, 1);
  TRY(arena_check(arena, "plumed", error));
  memcpy(own, text, size);
  *line = (PlumedLine){number, action_of(own, arena), own};
  TRY(arena_check(arena, "plumed", error));
  lines->digest = checksum_add(lines->digest, own, size);
  lines->n++;
  return check_line(lines, line, error);
}

/* Splits the text of the file. `joined` has room for all of it. */
static Status split(PlumedLines *lines, char *text, char *joined, Arena *arena, Error *error)
{
  int number = 0, first = 0; /* line of the action that continues; 0: none does */
  for (char *line = text, *next; line != NULL; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    number++;
    char *const own = trim(line);
    if (first == 0 && strcmp(own, "ENDPLUMED") == 0)
      return STATUS_OK;
    if (first == 0)
      *joined = '\0';
    const bool end = first > 0 && ends_dots(own);
    const bool more = end ? false : cut_dots(own) || first > 0;
    if (!end)
      strcat(strcat(joined, own), " ");
    if (!more && strspn(joined, blanks) < strlen(joined))
      TRY(add_line(lines, first > 0 ? first : number, joined, arena, error));
    first = more && first == 0 ? number : more ? first : 0;
  }
  return first == 0
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "%s:%d: the action that begins here with ... does not end; wanted: a line ...",
                         lines->name, first);
}

static size_t count_lines(const char *text)
{
  size_t n = 1;
  for (; (text = strchr(text, '\n')) != NULL; text++)
    n++;
  return n;
}

Status plumed_lines_read(PlumedLines *lines, const char *path, Arena *arena, Error *error)
{
  SCOPED(scoped_free) char *text = NULL, *joined = NULL;
  size_t length;
  TRY(file_read(path, LONGEST, &text, &length, error));
  joined = malloc(2 * length + 4);
  TRY_MEMORY(joined != NULL, "plumed", error);
  const char *const last = file_last(path);
  char *const name = arena_take(arena, strlen(path) + 1, 1);
  char *const folder = arena_take(arena, strlen(path) + 1, 1);
  *lines = (PlumedLines){.line = arena_take(arena, count_lines(text) + 1, sizeof *lines->line),
                         .name = name,
                         .folder = folder,
                         .digest = CHECKSUM_START};
  TRY(arena_check(arena, "plumed", error));
  memcpy(name, path, strlen(path) + 1);
  memcpy(folder, path, (size_t)(last - path));
  return split(lines, text, joined, arena, error);
}

/* --- names of files ------------------------------------------------------------------------------------- */

typedef enum Use { USE_NOTHING, USE_READ, USE_WRITTEN } Use;

static bool reads(const char *action)
{
  static const char *const readers[] = {"INCLUDE", "EXTERNAL", "READ", "LOAD"};
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
    if (strcmp(action, readers[i]) == 0)
      return true;
  return false;
}

/* Other values of these keys, such as numbers, name no file. */
static bool lies(const char *folder, const Pair *pair)
{
  char name[256];
  snprintf(name, sizeof name, "%.*s", pair->nvalue, pair->value);
  SCOPED(scoped_free) char *path = file_path(*folder != '\0' ? folder : NULL, name);
  return path != NULL && file_lies(path);
}

static Use use_of(const PlumedLines *lines, const char *action, const Pair *pair)
{
  const char first = *pair->value;
  if (first == '/' || first == '{' || memchr(pair->value, ',', (size_t)pair->nvalue) != NULL)
    return USE_NOTHING;
  if (has(pair, "RFILE") || has(pair, "REFERENCE") || has(pair, "STRUCTURE") || has(pair, "PDBFILE") ||
      (has(pair, "FILE") && reads(action)))
    return lies(lines->folder, pair) ? USE_READ : USE_NOTHING;
  return has(pair, "FILE") ? USE_WRITTEN : USE_NOTHING;
}

static void print_pair(FILE *out, const Pair *pair, const char *folder)
{
  const char *const slash = *folder == '\0' || folder[strlen(folder) - 1] == '/' ? "" : "/";
  const bool blank = strpbrk(folder, blanks) != NULL;
  fprintf(out, "%.*s=%s%s%s%.*s%s", pair->nkey, pair->key, blank ? "{" : "", folder, slash, pair->nvalue,
          pair->value, blank ? "}" : "");
}

Status plumed_lines_resolve(const PlumedLines *lines, int i, const char *run, char **text, Error *error)
{
  const PlumedLine *line = &lines->line[i];
  size_t size;
  FILE *const out = open_memstream(text, &size);
  TRY_MEMORY(out != NULL, "plumed", error);
  int n;
  for (const char *at = line->text; (at = next_word(at, &n)) != NULL; at += n) {
    Pair pair;
    const Use use = read_pair(at, n, &pair) ? use_of(lines, line->action, &pair) : USE_NOTHING;
    if (use == USE_WRITTEN && run == NULL)
      fprintf(out, "%.*s=/dev/null", pair.nkey, pair.key);
    else if (use != USE_NOTHING)
      print_pair(out, &pair, use == USE_READ ? lines->folder : run);
    else
      fprintf(out, "%.*s", n, at);
    fputc(' ', out);
  }
  TRY_MEMORY(fclose(out) == 0 && *text != NULL, "plumed", error);
  return STATUS_OK;
}
