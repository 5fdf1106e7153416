#include "observables/observable.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/nearest.h"
#include "engine/text.h"
#include "engine/units.h"

const ObservableOps *const observable_table[] = {
#define OBSERVABLE(name, ...) &observable_##name,
#include "observables/observable_rows.def"
    NULL};

Status observable_find(const char *name, int *row, Error *error)
{
  char known[256] = "";
  Nearest nearest = nearest_start(name);
  for (*row = 0; *row < OBSERVABLES; ++*row) {
    const char *const here = observable_table[*row]->name;
    if (strcmp(here, name) == 0)
      return STATUS_OK;
    nearest_try(&nearest, here, 0.0);
    text_append(known, sizeof known, "%s%s", *row > 0 ? ", " : "", here);
  }
  if (nearest.name != NULL)
    return error_set(error, STATUS_INPUT, "there is no observable '%s'; did you mean '%s'? Known: %s", name,
                     nearest.name, known);
  return error_set(error, STATUS_INPUT, "there is no observable '%s'; known: %s", name, known);
}

int observable_sites(const ObservableFrame *frame)
{
  int n = 0;
  for (int b = 0; b < frame->nblock; b++)
    n += frame->block[b].nmol * frame->block[b].kind->nsite;
  return n;
}

int observable_molecules(const ObservableFrame *frame)
{
  int n = 0;
  for (int b = 0; b < frame->nblock; b++)
    n += frame->block[b].nmol;
  return n;
}

void observable_part(int nmol, int part, int *begin, int *end)
{
  team_share(nmol, part, OBSERVABLE_PARTS, begin, end);
}

Status observable_check_time(double last, double time, double interval, Error *error)
{
  const double ps = UNITS_AKMA_FS * 1e-3;
  if (fabs(time - last - interval) <= 0.02 * interval)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "samples must be evenly spaced in time, here by %g ps; that at %.10g ps follows the one at "
      "%.10g ps",
      interval * ps, time * ps, last * ps);
}

void observable_centre(const Kind *kind, const double *x, double centre[3])
{
  const double mass = kind_mass(kind);
  centre[0] = centre[1] = centre[2] = 0.0;
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < 3; d++)
      centre[d] += kind->mass[s] / mass * x[3 * s + d];
}

/* --- reports ---------------------------------------------------------------------------------------------
 */

void observable_report_add(ObservableReport *report, const char *observable, const char *subject,
                           const char *quantity, double value, double error, const char *unit,
                           const char *note)
{
  ObservableNumber *number = realloc(report->number, (size_t)(report->n + 1) * sizeof *number);
  if (number == NULL) {
    report->failed = true;
    return;
  }
  report->number = number;
  ObservableNumber *last = &number[report->n++];
  *last = (ObservableNumber){.value = value, .error = error};
  snprintf(last->observable, sizeof last->observable, "%s", observable);
  snprintf(last->subject, sizeof last->subject, "%s", subject);
  snprintf(last->quantity, sizeof last->quantity, "%s", quantity);
  snprintf(last->unit, sizeof last->unit, "%s", unit);
  snprintf(last->note, sizeof last->note, "%s", note != NULL ? note : "");
}

void observable_report_remark(ObservableReport *report, const char *format, ...)
{
  LOCALE_PLAIN;
  size_t used = strlen(report->remark);
  if (used > 0 && used + 1 < sizeof report->remark) {
    report->remark[used++] = '\n';
    report->remark[used] = '\0';
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->remark + used, sizeof report->remark - used, format, arguments);
  va_end(arguments);
}

void observable_report_doubt(ObservableReport *report, int first, const char *observable, const char *format,
                             ...)
{
  LOCALE_PLAIN;
  char why[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  for (int i = first; i < report->n; i++)
    report->number[i].doubtful = isfinite(report->number[i].value) && isfinite(report->number[i].error);
  observable_report_remark(report, "%s: %s; errors may be too small", observable, why);
}

const ObservableNumber *observable_report_find(const ObservableReport *report, const char *observable,
                                               const char *subject, const char *quantity)
{
  for (int i = 0; i < report->n; i++) {
    const ObservableNumber *n = &report->number[i];
    if (strcmp(n->observable, observable) == 0 && strcmp(n->subject, subject) == 0 &&
        strcmp(n->quantity, quantity) == 0)
      return n;
  }
  return NULL;
}

ObservableNote observable_number_note(const ObservableNumber *n)
{
  ObservableNote note;
  const char *doubt = n->doubtful ? "the error may be too small" : "";
  snprintf(note.text, sizeof note.text, "%s%s%s", n->note, n->note[0] != '\0' && n->doubtful ? "; " : "",
           doubt);
  return note;
}

void observable_number_words(const ObservableNumber *n, char *words, size_t size)
{
  LOCALE_PLAIN;
  if (!isfinite(n->value)) {
    snprintf(words, size, "%s %s %s: %s", n->observable, n->subject, n->quantity,
             n->note[0] != '\0' ? n->note : "not known");
    return;
  }
  const ObservableNote note = observable_number_note(n);
  char error[32] = "";
  if (isfinite(n->error))
    snprintf(error, sizeof error, " +- %.2g", n->error);
  snprintf(words, size, "%s %s %s %.6g%s%s%s%s%s%s", n->observable, n->subject, n->quantity, n->value, error,
           n->unit[0] != '\0' ? " " : "", n->unit, note.text[0] != '\0' ? "  (" : "", note.text,
           note.text[0] != '\0' ? ")" : "");
}

static void print_text(FILE *file, const char *key, const char *text)
{
  fprintf(file, "\"%s\": \"", key);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else
      fputc((unsigned char)*c < ' ' ? ' ' : *c, file);
  fprintf(file, "\", ");
}

static void print_number(FILE *file, const char *key, double value, const char *end)
{
  LOCALE_PLAIN;
  if (isfinite(value))
    fprintf(file, "\"%s\": %.10g%s", key, value, end);
  else
    fprintf(file, "\"%s\": null%s", key, end);
}

Status observable_report_write(const ObservableReport *report, const char *dir, Error *error)
{
  if (report->failed)
    return error_memory(error, "the observables' report");
  Text *text;
  TRY(text_replace(&text, dir, "observables.json", error));
  FILE *file = text_file(text);
  fprintf(file, "[\n");
  for (int i = 0; i < report->n; i++) {
    const ObservableNumber *n = &report->number[i];
    fputc('{', file);
    print_text(file, "observable", n->observable);
    print_text(file, "subject", n->subject);
    print_text(file, "quantity", n->quantity);
    print_text(file, "unit", n->unit);
    const ObservableNote note = observable_number_note(n);
    if (note.text[0] != '\0')
      print_text(file, "note", note.text);
    print_number(file, "value", n->value, ", ");
    print_number(file, "error", n->error, i + 1 < report->n ? "},\n" : "}\n");
  }
  fprintf(file, "]\n");
  return text_close(text, error);
}

void observable_report_free(ObservableReport *report)
{
  free(report->number);
  *report = (ObservableReport){0};
}
