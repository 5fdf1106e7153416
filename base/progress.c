#include "base/progress.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/locale.h"
#include "base/ticks.h"

/* Seconds between lines: on a terminal, and in a file or pipe. */
static const double every_terminal = 0.2, every_plain = 10.0;

Progress progress_begin(FILE *out, int64_t first, int64_t total, int replicas)
{
  Progress p = {.out = out, .total = total, .replicas = replicas, .last_step = first};
  p.terminal = out != NULL && isatty(fileno(out));
  p.start = p.last_time = ticks_seconds();
  p.shown = p.start;
  return p;
}

const char *progress_duration(double seconds, char *text, size_t size)
{
  LOCALE_PLAIN;
  const double s = fmax(seconds, 0.0);
  if (!isfinite(s) || s > 3.2e9)
    snprintf(text, size, "unknown");
  else if (s >= 86400)
    snprintf(text, size, "%d d %d h", (int)(s / 86400), (int)fmod(s / 3600, 24));
  else if (s >= 3600)
    snprintf(text, size, "%d h %d min", (int)(s / 3600), (int)fmod(s / 60, 60));
  else if (s >= 60)
    snprintf(text, size, "%d min %d s", (int)(s / 60), (int)fmod(s, 60));
  else
    snprintf(text, size, s < 10 ? "%.1f s" : "%.0f s", s);
  return text;
}

const char *progress_amount(double x, char *text, size_t size)
{
  LOCALE_PLAIN;
  static const char *const unit[] = {"", "k", "M", "G"};
  int i = 0;
  while (x >= 1000.0 && i < 3) {
    x /= 1000.0;
    i++;
  }
  snprintf(text, size, "%.3g%s", x, unit[i]);
  return text;
}

void progress_show(Progress *p, int64_t step, const char *words)
{
  LOCALE_PLAIN;
  if (p->out == NULL || p->done)
    return;
  const double now = ticks_seconds();
  const bool done = step >= p->total;
  if (!done && now - p->shown < (p->terminal ? every_terminal : every_plain))
    return;
  p->shown = now;
  p->done = done;
  if (now > p->last_time) {
    const double rate = (double)(step - p->last_step) / (now - p->last_time);
    p->rate = p->rate > 0.0 ? 0.7 * p->rate + 0.3 * rate : rate;
    p->last_time = now;
    p->last_step = step;
  }
  char left[32], number[32], speed[64] = "", line[256];
  progress_duration(p->rate > 0.0 ? (double)(p->total - step) / p->rate : INFINITY, left, sizeof left);
  if (p->rate > 0.0) /* no steps are made when parts are merged */
    snprintf(speed, sizeof speed, "%s %s/s  ", progress_amount(p->rate * p->replicas, number, sizeof number),
             p->replicas > 1 ? "replica-steps" : "steps");
  int n = snprintf(line, sizeof line, "step %lld of %lld  %5.1f%%  %.112s  %s", (long long)step,
                   (long long)p->total, 100.0 * (double)step / (double)p->total, words, speed);
  if (n < 0 || (size_t)n >= sizeof line)
    return;
  if (done)
    snprintf(line + n, sizeof line - (size_t)n, "done in %s",
             progress_duration(now - p->start, left, sizeof left));
  else
    snprintf(line + n, sizeof line - (size_t)n, "%s left", left);
  if (p->terminal) {
    const int pad = p->width - (int)strlen(line);
    fprintf(p->out, "\r%s%*s", line, pad > 0 ? pad : 0, "");
    p->width = (int)strlen(line);
  } else
    fprintf(p->out, "%s\n", line);
  fflush(p->out);
}

void progress_end(Progress *p)
{
  if (p->out != NULL && p->terminal && p->width > 0)
    fputc('\n', p->out);
  p->width = 0;
}

void progress_watch(void *watcher, const char *what, int64_t done, int64_t total, const char *words)
{
  ProgressWatch *w = watcher;
  if (w->what == NULL || strcmp(w->what, what) != 0) {
    progress_end(&w->progress);
    w->progress = progress_begin(w->out, 0, total, 1);
    w->what = what;
  }
  char text[128];
  snprintf(text, sizeof text, "%s: %s", what, words);
  progress_show(&w->progress, done, text);
}

void progress_watch_end(ProgressWatch *watch) { progress_end(&watch->progress); }
