/* Prints the output of holonom status: one run in full, several runs as lines, or JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/text.h"
#include "cmd/folder_status.h"
#include "observables/picture.h"
#include "simulation/parts/checkpoint.h"

enum { AMOUNT = 32, WORDS = 256 };

typedef struct Words {
  char text[WORDS];
} Words;

/* --- pieces ------- */

static Words duration(double seconds)
{
  Words w;
  progress_duration(seconds, w.text, sizeof w.text);
  return w;
}

static Words ago(double when)
{
  Words w = {""};
  struct timespec t;
  if (isfinite(when) && clock_gettime(CLOCK_REALTIME, &t) == 0)
    text_append(w.text, sizeof w.text, "%s ago",
                duration((double)t.tv_sec + 1e-9 * (double)t.tv_nsec - when).text);
  return w;
}

static Words bytes(int64_t n)
{
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
  Words w = {""};
  int i = 0;
  double x = (double)n;
  for (; x >= 1000.0 && i < 4; i++)
    x /= 1000.0;
  text_append(w.text, sizeof w.text, "%.3g %s", x, unit[i]);
  return w;
}

static Words steps(const RunStatus *r)
{
  Words w = {""};
  if (r->step >= 0)
    text_append(w.text, sizeof w.text, "%" PRId64, r->step);
  if (r->step >= 0 && r->steps > 0)
    text_append(w.text, sizeof w.text, " of %" PRId64 " (%.1f %%)", r->steps,
                100.0 * (double)r->step / (double)r->steps);
  return w;
}

static int replicas(const RunStatus *r) { return r->replicas[1] - r->replicas[0] + 1; }

static Words speed(const RunStatus *r)
{
  char amount[AMOUNT];
  Words w = {""};
  if (!(r->rate > 0.0))
    return w;
  progress_amount(r->rate, amount, sizeof amount);
  text_append(w.text, sizeof w.text, "%s steps/s", amount);
  if (replicas(r) > 1) {
    progress_amount(r->rate * replicas(r), amount, sizeof amount);
    text_append(w.text, sizeof w.text, ", %s replica-steps/s", amount);
  }
  if (r->ns_per_day > 0.0)
    text_append(w.text, sizeof w.text, r->ns_per_day < 100.0 ? ", %.3g ns/day%s" : ", %.0f ns/day%s",
                r->ns_per_day, replicas(r) > 1 ? " each" : "");
  return w;
}

/* --- one run ------- */

static void line(FILE *file, const char *what, const char *text)
{
  if (*text != '\0')
    printable_print(file, "  %-11s %s\n", what, text);
}

static void print_state(const FolderStatus *f, FILE *file)
{
  const RunStatus *r = &f->run;
  printable_print(file, "%s: %s", f->path, run_status_name(r->state));
  if (r->state == RUN_AT_WORK && r->holder[0] != '\0')
    printable_print(file, ", %s", r->holder);
  if (r->state == RUN_KILLED)
    printable_print(file, ", or its machine went down; it was %s", r->holder);
  if (r->message[0] != '\0')
    printable_print(file, ": %s", r->message);
  else if (r->state == RUN_UNKNOWN)
    fputs(r->holder[0] != '\0'
              ? ": the file system has no locks, so the run is at work or was killed"
              : ": it ended without results or a message in holonom.log; the disk may have been full",
          file);
  fputc('\n', file);
}

/* Prints the checkpoint that --resume continues from. */
static void print_saved(const RunStatus *r, FILE *file)
{
  Words w = {""};
  if (r->damage[0] != '\0') {
    line(file, "checkpoint", r->damage);
    if (r->saved >= 0)
      text_append(w.text, sizeof w.text,
                  CHECKPOINT_PREVIOUS ", of step %" PRId64 ", is intact: rename it to " CHECKPOINT_NAME
                                      " to resume from it",
                  r->saved);
    line(file, "", w.text);
    return;
  }
  if (r->saved >= 0)
    text_append(w.text, sizeof w.text, "of step %" PRId64 ", %s", r->saved, ago(r->saved_time).text);
  if (r->saved >= 0 && r->state != RUN_AT_WORK && r->state != RUN_COMPLETE)
    text_append(w.text, sizeof w.text, "; --resume continues from it");
  if (r->saved < 0)
    text_append(w.text, sizeof w.text, "none%s",
                r->state == RUN_AT_WORK || r->state == RUN_COMPLETE ? "" : ": the run can only begin anew");
  line(file, "checkpoint", w.text);
}

/* Lists the files; summarises those in subfolders (replica-0/gofr.csv) in one line. */
static void print_files(const RunStatus *r, FILE *file)
{
  int width = 0, inner = 0;
  int64_t all = 0, in = 0;
  Words w = {""};
  for (int i = 0; i < r->nfile; i++) {
    const bool own = strchr(r->file[i].name, '/') == NULL;
    const int length = (int)strlen(r->file[i].name);
    width = own && length > width ? length : width;
    all += r->file[i].bytes;
    inner += !own;
    in += own ? 0 : r->file[i].bytes;
  }
  if (r->nfile == 0)
    return;
  text_append(w.text, sizeof w.text, "%s; %d file%s, %s", ago(r->written).text, r->nfile,
              r->nfile > 1 ? "s" : "", bytes(all).text);
  line(file, "written", w.text);
  for (int i = 0; i < r->nfile; i++)
    if (strchr(r->file[i].name, '/') == NULL)
      printable_print(file, "    %-*s %8s  %s\n", width, r->file[i].name, bytes(r->file[i].bytes).text,
                      ago(r->file[i].time).text);
  if (inner > 0)
    fprintf(file, "    and %d in folders of replicas, %s\n", inner, bytes(in).text);
}

void folder_status_print_run(const FolderStatus *f, FILE *file)
{
  LOCALE_PLAIN;
  const RunStatus *r = &f->run;
  print_state(f, file);
  if (r->part)
    fprintf(file, "  %-11s %d to %d, a part for holonom merge\n", "replicas", r->replicas[0], r->replicas[1]);
  line(file, "step", r->step >= 0 ? steps(r).text : r->state == RUN_AT_WORK ? "before the first" : "none");
  line(file, "speed", speed(r).text);
  if (isfinite(r->left))
    line(file, "time left", duration(r->left).text);
  if (isfinite(r->wall))
    line(file, r->state == RUN_COMPLETE ? "took" : "took so far", duration(r->wall).text);
  line(file, "verdict", r->verdict_words);
  print_saved(r, file);
  print_files(r, file);
}

/* --- several ------- */

static int longest(const FolderStatus *f, int n)
{
  int width = 0;
  for (int i = 0; i < n; i++) {
    const int own = f[i].n > 0 ? longest(f[i].in, f[i].n) : (int)strlen(f[i].path);
    width = own > width ? own : width;
  }
  return width;
}

static void print_row(const FolderStatus *f, int width, FILE *file)
{
  const RunStatus *r = &f->run;
  if (!f->is_run) {
    printable_print(file, "%-*s  to come\n", width, f->path);
    return;
  }
  const Words done = steps(r), fast = speed(r), written = ago(r->written);
  printable_print(file, "%-*s  %-11s  %s", width, f->path, run_status_name(r->state),
                  done.text[0] != '\0' ? done.text : "no step");
  if (r->part)
    fprintf(file, ", replicas %d to %d", r->replicas[0], r->replicas[1]);
  if (fast.text[0] != '\0')
    fprintf(file, ", %.*s", (int)strcspn(fast.text, ","), fast.text);
  if (isfinite(r->left))
    fprintf(file, ", %s left", duration(r->left).text);
  if (written.text[0] != '\0')
    fprintf(file, ", written %s", written.text);
  if (r->message[0] != '\0')
    printable_print(file, ": %s", r->message);
  else if (r->verdict >= RESULT_WARN)
    fprintf(file, r->verdict == RESULT_BAD ? ", do not use" : ", use with care");
  fputc('\n', file);
}

static void print_rows(const FolderStatus *f, int n, int width, FILE *file)
{
  for (int i = 0; i < n; i++)
    if (f[i].n > 0)
      print_rows(f[i].in, f[i].n, width, file);
    else
      print_row(&f[i], width, file);
}

void folder_status_print_rows(const FolderStatus *f, int n, FILE *file)
{
  LOCALE_PLAIN;
  print_rows(f, n, longest(f, n), file);
}

/* Totals over the runs below a folder. */
typedef struct Sum {
  int all, to_come, in[RUN_UNKNOWN + 1];
  double wall; /* of complete runs */
  double left; /* of running ones */
} Sum;

static void add_up(const FolderStatus *f, Sum *sum)
{
  for (int i = 0; i < f->n; i++)
    add_up(&f->in[i], sum);
  if (f->n > 0)
    return;
  sum->all++;
  sum->to_come += !f->is_run;
  if (!f->is_run)
    return;
  sum->in[f->run.state]++;
  if (f->run.state == RUN_COMPLETE)
    sum->wall += f->run.wall;
  if (f->run.state == RUN_AT_WORK)
    sum->left = fmax(sum->left, f->run.left);
}

void folder_status_print_sum(const FolderStatus *f, FILE *file)
{
  LOCALE_PLAIN;
  Sum sum = {0};
  add_up(f, &sum);
  printable_print(file, "%s: %d run%s", f->path, sum.all, sum.all > 1 ? "s" : "");
  for (int state = 0; state <= RUN_UNKNOWN; state++)
    if (sum.in[state] > 0)
      fprintf(file, ", %d %s", sum.in[state], run_status_name((RunState)state));
  if (sum.to_come > 0)
    fprintf(file, ", %d to come", sum.to_come);
  const int done = sum.in[RUN_COMPLETE];
  const double left = sum.left + (sum.to_come > 0 ? sum.wall / done * sum.to_come : 0.0);
  if (sum.in[RUN_AT_WORK] > 0 && isfinite(left))
    fprintf(file, "; about %s left", duration(left).text);
  else if (sum.in[RUN_AT_WORK] == 0 && done < sum.all)
    fputs("; none is at work: repeat the command that began them", file);
  fputc('\n', file);
}

/* --- JSON ------- */

static void json_words(FILE *file, const char *key, const char *words)
{
  char text[2048];
  printable_copy(text, sizeof text, words);
  fprintf(file, ", \"%s\": ", key);
  picture_json_text(file, text);
}

static void json_number(FILE *file, const char *key, double x)
{
  fprintf(file, isfinite(x) ? ", \"%s\": %.12g" : ", \"%s\": null", key, x);
}

static void json_count(FILE *file, const char *key, int64_t n)
{
  fprintf(file, n >= 0 ? ", \"%s\": %" PRId64 : ", \"%s\": null", key, n);
}

static void json_run(const RunStatus *r, FILE *file)
{
  json_count(file, "step", r->step);
  json_count(file, "steps", r->steps);
  json_number(file, "steps_per_second", r->rate);
  json_number(file, "ns_per_day", r->ns_per_day);
  json_number(file, "seconds_left", r->left);
  json_number(file, "seconds", r->wall);
  if (replicas(r) > 0)
    fprintf(file, ", \"replicas\": [%d, %d]", r->replicas[0], r->replicas[1]);
  fprintf(file, ", \"part\": %s", r->part ? "true" : "false");
  json_count(file, "checkpoint_step", r->saved);
  if (r->damage[0] != '\0')
    json_words(file, "checkpoint_damage", r->damage);
  if (r->holder[0] != '\0')
    json_words(file, "holder", r->holder);
  if (r->message[0] != '\0')
    json_words(file, "message", r->message);
  if (r->verdict_words[0] != '\0') {
    fprintf(file, ", \"verdict\": \"%s\"", results_level_name(r->verdict));
    json_words(file, "verdict_words", r->verdict_words);
  }
  json_number(file, "written", r->written);
  fputs(", \"files\": [", file);
  for (int i = 0; i < r->nfile; i++) {
    fprintf(file, "%s{\"bytes\": %" PRId64, i > 0 ? ", " : "", r->file[i].bytes);
    json_number(file, "written", r->file[i].time);
    json_words(file, "name", r->file[i].name);
    fputc('}', file);
  }
  fputc(']', file);
}

void folder_status_print_json(const FolderStatus *f, FILE *file)
{
  LOCALE_PLAIN;
  fprintf(file, "{\"state\": \"%s\"",
          f->is_run  ? run_status_name(f->run.state)
          : f->n > 0 ? "several"
                     : "to come");
  json_words(file, "folder", f->path);
  if (f->is_run)
    json_run(&f->run, file);
  if (f->n > 0)
    fputs(", \"runs\": [", file);
  for (int i = 0; i < f->n; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    folder_status_print_json(&f->in[i], file);
  }
  fputs(f->n > 0 ? "]}" : "}", file);
}
