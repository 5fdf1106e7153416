#include "observables/rdf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa_wanted.h"
#include "engine/locale.h"
#include "engine/text.h"
#include "observables/observable.h"
#include "observables/picture.h"
#include "observables/rdf_memory.h"
#include "results/table.h"

static Status rdf_check(int nreplica, int nmol, double rmax, int nbin, Error *error)
{
  if (nmol < 2)
    return error_set(error, STATUS_INPUT, "a radial distribution needs 2 or more molecules, not %d", nmol);
  if (nreplica < 1)
    return error_set(error, STATUS_INPUT, "a radial distribution of %d replicas", nreplica);
  if (!(rmax > 0.0) || isinf(rmax))
    return error_set(error, STATUS_INPUT, "the range of a radial distribution must be positive, not %g A",
                     rmax);
  if (nbin < 1 || nbin > 1000000)
    return error_set(error, STATUS_INPUT, "a radial distribution has 1 to 1000000 bins, not %d", nbin);
  return STATUS_OK;
}

Status rdf_create(Rdf **rdf, int nreplica, int nmol, double rmax, int nbin, Error *error)
{
  static const GofrKernels *const tables[ISA_COUNT] = ISA_TABLES(gofr_kernels_table);
  *rdf = NULL;
  Isa isa;
  Status status = rdf_check(nreplica, nmol, rmax, nbin, error);
  if (status == STATUS_OK)
    status = isa_wanted(&isa, error);
  if (status != STATUS_OK)
    return status;
  Rdf *r = calloc(1, sizeof *r);
  if (r == NULL)
    return error_memory(error, "a radial distribution");
  *r = (Rdf){.nreplica = nreplica,
             .nmol = nmol,
             .nbin = nbin,
             .rmax = rmax,
             .known = 1.0,
             .series.length = 1,
             .kernels = tables[isa],
             .rule = {.longest = rmax, .scale = nbin / rmax, .nbin = nbin}};
  r->nrow = nreplica > 1 ? nreplica : BLOCK_ROWS;
  r->stride = (ROW_COUNTS + (size_t)nbin + 1 + 7) / 8 * 8;
  r->row = aligned_alloc(64, (size_t)r->nrow * rdf_row_size(r));
  r->now = calloc((size_t)nbin + LANES, sizeof *r->now);
  if (r->row == NULL || r->now == NULL) {
    rdf_free(r);
    return error_memory(error, "the histograms of a radial distribution");
  }
  memset(r->row, 0, (size_t)r->nrow * rdf_row_size(r));
  *rdf = r;
  return STATUS_OK;
}

void rdf_free(Rdf *rdf)
{
  if (rdf == NULL)
    return;
  energy_columns_free(rdf->columns);
  free(rdf->row);
  free(rdf->now);
  free(rdf);
}

double rdf_rmax(const Rdf *rdf) { return rdf->rmax; }

/* --- counting ------------------------------------------------------------------------------------------- */

/* Takes the counts of one replica's sample, and of one that is alone the monitors of it. Sums are of whole
 * numbers. */
static void end_sample(Rdf *rdf, int replica)
{
  const bool timed = rdf->nreplica == 1;
  const double pairs = 0.5 * rdf->nmol * (rdf->nmol - 1.0);
  uint64_t *row = rdf_row(rdf, timed ? (int)rdf->series.full : replica), inside = 0, twice = 0;
  double value[RDF_MONITORS];
  row[ROW_SAMPLES]++;
  for (int64_t shell = 1, b = 0; shell <= RDF_SHELLS; shell++) {
    for (const int64_t end = (shell * rdf->nbin + RDF_SHELLS - 1) / RDF_SHELLS; b < end; b++) {
      row[ROW_COUNTS + b] += rdf->now[b];
      inside += rdf->now[b];
      twice += (uint64_t)(2 * b + 1) * rdf->now[b];
    }
    value[shell] = (double)inside / pairs;
  }
  value[0] = (0.5 * (double)twice / rdf->nbin + pairs - (double)inside) / pairs;
  row[ROW_COUNTS + rdf->nbin] += (uint64_t)pairs - inside;
  memset(rdf->now, 0, ((size_t)rdf->nbin + LANES) * sizeof *rdf->now);
  for (int k = 0; k < RDF_MONITORS && timed; k++) {
    const uint64_t units = (uint64_t)llrint(RDF_UNIT * value[k]);
    row[ROW_MONITORS + 2 * k] += units;
    row[ROW_MONITORS + 2 * k + 1] += units * units;
  }
  if (timed)
    block_rows_series_end(&rdf->series, BLOCK_ROWS, rdf->row, rdf_row_size(rdf), block_rows_add_whole);
}

/* One system's positions anywhere in memory: coordinate d of molecule m is x[m*step + d]. They are put into
 * lanes a tile at a time. */
static void add_strided(Rdf *rdf, int replica, const double *x, size_t step, int n)
{
  enum { TILE = 16 * LANES };
  Octet tile[TILE / LANES][3];
  memset(tile, 0, sizeof tile);
  for (int first = 0; first < n; first += TILE) {
    const int count = n - first < TILE ? n - first : TILE;
    for (int j = 0; j < count; j++)
      for (int d = 0; d < 3; d++)
        tile[j / LANES][d][j % LANES] = x[(size_t)(first + j) * step + (size_t)d];
    for (int i = 0; i < first + count; i++) {
      const GofrRun run = {tile[0], 3, i < first ? 0 : i - first + 1, count};
      rdf->kernels->open(&rdf->rule, x + (size_t)i * step, &run, rdf->now);
    }
  }
  end_sample(rdf, replica);
}

void rdf_add_positions(Rdf *rdf, int replica, const double (*x)[3], int n)
{
  assert(n == rdf->nmol && replica >= 0 && replica < rdf->nreplica);
  add_strided(rdf, replica, x[0], 3, n);
}

/* All pairs of 8 lanes. */
static void add_gang(const Rdf *rdf, const State *state, int lane, uint64_t *const count[LANES])
{
  const Block *block = &state->block[0];
  const size_t sites = (size_t)block->kind->nsite * 3;
  rdf->kernels->gang(&rdf->rule, block->q + (size_t)(lane / LANES) * sites,
                     (size_t)(state->width / LANES) * sites, block->nmol, count);
}

void rdf_add_state(Rdf *rdf, const State *state, int first, const int *slot)
{
  assert(state->block[0].kind->dim == 3 && state->block[0].nmol == rdf->nmol && first >= 0 &&
         first + state->width <= rdf->nreplica);
  for (int lane = 0; lane < state->width; lane += LANES) {
    uint64_t *count[LANES];
    for (int l = 0; l < LANES; l++) {
      uint64_t *row = rdf_row(rdf, slot != NULL ? slot[lane + l] - rdf->first : first + lane + l);
      row[ROW_SAMPLES]++;
      count[l] = row + ROW_COUNTS;
    }
    add_gang(rdf, state, lane, count);
  }
}

/* The same by energy. */
static void add_by_energy(Rdf *rdf, const State *state, const ObservableLanes *lanes)
{
  for (int lane = 0; lane < state->width; lane += LANES) {
    uint64_t *count[LANES];
    for (int l = lane; l < lane + LANES; l++)
      count[l - lane] = (uint64_t *)energy_columns_add(rdf->columns, lanes->slot[l], lanes->energy[l]);
    add_gang(rdf, state, lane, count);
  }
}

/* --- files ------------------------------------------------------------------------------------------------
 */

static void say_head(ResultTable *t, const RdfResult *r)
{
  results_say(t,
              "radial distribution of the first site of each molecule (oxygen-oxygen)\nnmol: %d\nreplicas: "
              "%d\nsamples: %.0f\npairs_per_sample: %.0f\nrmax: %.17g\nnbin: %d\ndr: %.9g\nbeyond: %.9g",
              r->nmol, r->nreplica, r->samples, 0.5 * r->nmol * (r->nmol - 1.0), r->rmax, r->nbin, r->dr,
              r->beyond);
  results_say(
      t,
      "units: r in A (middle of the bin), P in 1/A, g without unit, count in pairs i < j\nP: count / (dr * "
      "all counts within rmax), integrates to 1 over [0, rmax]; beyond is the fraction of all pairs past "
      "rmax\ng: 2 count / (samples nmol rho V), V = 4/3 pi (r_hi^3 - r_lo^3) the bin's shell, rho = "
      "(nmol-1)/(4/3 pi rmax^3) = %.9g 1/A^3, the others spread evenly over a sphere of radius rmax",
      (r->nmol - 1) / (4.0 / 3.0 * 3.14159265358979323846 * pow(r->rmax, 3)));
  if (r->from_blocks)
    results_say(t,
                "errors: one standard error, from %d blocks of %.0f samples in time; correlation time %s%.3g "
                "samples, of the slowest of distances and energies, %s%.3g independent samples%s",
                r->nrow, r->block_length, r->plateau ? "" : "at least ", r->correlation,
                r->plateau ? "" : "at most ", 0.5 * r->samples / r->correlation,
                r->plateau
                    ? ""
                    : "; LOWER BOUNDS: NO PLATEAU, the run is too short for its correlation, the errors "
                      "may be too small");
  else
    results_say(t, "errors: one standard error, from %d independent replicas", r->nrow);
}

Status rdf_write_csv(const Rdf *rdf, const char *dir, ResultSet *set, Error *error)
{
  RdfResult *r;
  TRY(rdf_result(rdf, &r, error));
  ResultTable *t = results_add_table(set, "rdf", (size_t)r->nbin);
  results_add_column(t, "r", r->r, NULL);
  results_add_column(t, "P", r->p, r->p_err);
  results_add_column(t, "g", r->g, r->g_err);
  results_add_column(t, "count", r->count, NULL);
  say_head(t, r);
  if (t != NULL) {
    t->samples = r->samples;
    t->blocks = r->nrow;
    t->sound = r->plateau;
  }
  rdf_result_free(r);
  return results_csv_write(t, dir, error);
}

Status rdf_write_replicas(const Rdf *rdf, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  TRY(text_replace(&text, dir, "rdf_replicas.csv", error));
  FILE *file = text_file(text);
  fprintf(file, "replica,block,samples");
  for (int k = 0; k < RDF_MONITORS; k++)
    fprintf(file, ",monitor%d,monitor%d_squares", k, k);
  for (int b = 0; b < rdf->nbin; b++)
    fprintf(file, ",n%d", b);
  fprintf(file,
          ",beyond\n# pair counts of the first sites (oxygen-oxygen), exact\n"
          "# monitor0: sum over the samples of the mean distance over rmax, monitor1 to monitor%d of the "
          "fraction of pairs below 1/%d to %d/%d of rmax, and of their squares, in units of 1/%d; with one "
          "row to a block of time\n"
          "# inefficiency: %.17g (samples to an independent one, as other series of the run have it; 1: not "
          "known)\n"
          "# replicas: %d\n# nmol: %d\n# rmax: %.17g\n# nbin: %d\n",
          RDF_SHELLS, RDF_SHELLS, RDF_SHELLS, RDF_SHELLS, RDF_UNIT, rdf->known, rdf->nreplica, rdf->nmol,
          rdf->rmax, rdf->nbin);
  for (int k = 0; k < rdf->nrow; k++) {
    const uint64_t *row = rdf_row(rdf, k);
    if (row[ROW_SAMPLES] == 0)
      continue;
    fprintf(file, rdf->nreplica > 1 ? "%d,0" : "0,%d", k);
    for (int b = 0; b < ROW_COUNTS + rdf->nbin + 1; b++)
      fprintf(file, ",%llu", (unsigned long long)row[b]);
    fprintf(file, "\n");
  }
  return text_close(text, error);
}

/* The rows of a table of the right shape; after them the series goes on where it was. */
static Status fill_rows(Rdf *rdf, const Table *table, Error *error)
{
  for (size_t t = 0; t < table->nrow; t++) {
    const double *x = table->x + t * (size_t)table->ncol;
    const int many = rdf->nreplica > 1;
    int bad = !(x[!many] >= 0.0 && x[!many] < rdf->nrow && x[many] == 0.0);
    for (int b = 2; b < table->ncol; b++)
      bad = bad || !(x[b] >= 0.0 && x[b] < 9007199254740992.0); /* 2^53: exact as a double */
    if (bad)
      return error_set(error, STATUS_INPUT, "%s: row %zu (replica %g, block %g) does not fit the header",
                       table->path, t + 1, x[0], x[1]);
    for (int b = 0; b < ROW_COUNTS + rdf->nbin + 1; b++)
      rdf_row(rdf, (int)x[!many])[b] = (uint64_t)x[2 + b];
  }
  BlockRowsSeries *series = &rdf->series;
  for (int k = 0; k < rdf->nreplica; k++)
    if (rdf_row(rdf, k)[ROW_SAMPLES] == 0 && table->nrow > 0)
      return error_set(error, STATUS_INPUT, "%s: replica %d has no row, or no sample", table->path, k);
  if (rdf->nreplica > 1)
    return STATUS_OK;
  if (rdf_row(rdf, 0)[ROW_SAMPLES] > 0)
    series->length = (int64_t)rdf_row(rdf, 0)[ROW_SAMPLES]; /* the first is always full */
  while (series->full < BLOCK_ROWS - 1 &&
         rdf_row(rdf, (int)series->full)[ROW_SAMPLES] == (uint64_t)series->length)
    series->full++;
  series->here = (int64_t)rdf_row(rdf, (int)series->full)[ROW_SAMPLES];
  return STATUS_OK;
}

static void self_learn(void *self, double inefficiency) { ((Rdf *)self)->known = fmax(inefficiency, 1.0); }

Status rdf_read_replicas(Rdf **rdf, const char *path, Error *error)
{
  static const char *const key[5] = {"replicas", "nmol", "rmax", "nbin", "inefficiency"};
  *rdf = NULL;
  Table *table;
  double value[5];
  Status status = table_read(&table, path, error);
  if (status != STATUS_OK)
    return status;
  if (table_find(table, "squares") >= 0)
    status = error_set(
        error, STATUS_INPUT,
        "%s is of an earlier version, which did not keep what the correlation is found from; run it again",
        path);
  for (int k = 0; k < 5 && status == STATUS_OK; k++)
    status = table_number(table, key[k], &value[k], error);
  for (int k = 0; k < 5 && status == STATUS_OK; k++)
    if (!(value[k] > 0.0 && value[k] <= 1e9))
      status = error_set(error, STATUS_INPUT, "%s: \"# %s: %g\" cannot be", path, key[k], value[k]);
  if (status == STATUS_OK && table->ncol != 2 + ROW_COUNTS + (int)value[3] + 1)
    status = error_set(error, STATUS_INPUT, "%s: %d columns where %d bins ask for %d", path, table->ncol,
                       (int)value[3], 2 + ROW_COUNTS + (int)value[3] + 1);
  if (status == STATUS_OK)
    status = rdf_create(rdf, (int)value[0], (int)value[1], value[2], (int)value[3], error);
  if (status == STATUS_OK) {
    self_learn(*rdf, value[4]);
    status = fill_rows(*rdf, table, error);
    if (status != STATUS_OK) {
      rdf_free(*rdf);
      *rdf = NULL;
    }
  }
  table_free(table);
  return status;
}

Status rdf_draw(const Rdf *rdf, const char *dir, const char *title, const char *label, Error *error)
{
  RdfResult *r;
  Status status = rdf_result(rdf, &r, error);
  if (status != STATUS_OK)
    return status;
  const PictureCurve curve = {.label = label, .n = r->nbin, .x = r->r, .y = r->p, .error = r->p_err};
  status = picture_rdf(dir, "rdf", title, 1, &curve, error);
  rdf_result_free(r);
  return status;
}

/* --- the row ---------------------------------------------------------------------------------------------
 */

static Status self_create(void **self, const ObservableOptions *options, const ObservableFrame *frame,
                          Error *error)
{
  Rdf *rdf = NULL;
  *self = NULL;
  if (box_periodic(frame->box))
    return error_set(error, STATUS_INPUT,
                     "distances without images are for open clusters; of a periodic box there is gofr");
  Status status = rdf_create(&rdf, options->replicas > 0 ? options->replicas : 1, frame->block[0].nmol,
                             options->rdf.max > 0.0 ? options->rdf.max : 12.0,
                             options->rdf.bins > 0 ? options->rdf.bins : 600, error);
  if (status != STATUS_OK)
    return status;
  rdf->first = options->first;
  rdf->ngang = options->gangs;
  rdf->title = options->title;
  rdf->temperatures = options->temperatures;
  rdf->ladders = options->ladders;
  rdf->kT = options->kT;
  rdf->at = options->at;
  rdf->points = options->temperatures > 1 ? options->points : 0;
  if (rdf->points > 0) {
    const EnergyColumnsOptions columns = {.temperatures = rdf->temperatures,
                                          .ladders = rdf->ladders,
                                          .first = rdf->first,
                                          .slots = rdf->nreplica,
                                          .columns = rdf->nbin + 1,
                                          .width = rdf->kT[0] / ENERGY_COLUMNS_BINS,
                                          .blocks = true};
    status = energy_columns_create(&rdf->columns, &columns, error);
  }
  if (status == STATUS_OK)
    *self = rdf;
  else
    rdf_free(rdf);
  return status;
}

static Status self_add(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)error;
  const ObservableBlock *block = &frame->block[0];
  if (team->rank == 0)
    add_strided(self, 0, block->x, 3 * (size_t)block->kind->nsite, block->nmol);
  team_barrier(team); /* the sample is the caller's again */
  return STATUS_OK;
}

static void self_add_lanes(void *self, const Team *team, const State *state, const ObservableLanes *lanes)
{
  Rdf *rdf = self;
  if (team->rank != 0)
    return;
  rdf_add_state(rdf, state, lanes->first, lanes->slot);
  if (rdf->columns != NULL)
    add_by_energy(rdf, state, lanes);
}

/* The distribution at temperature k of the ladders. */
static Status result_at(const Rdf *rdf, int k, RdfResult **result, Error *error)
{
  Rdf *own;
  Status status = rdf_create(&own, rdf->ladders, rdf->nmol, rdf->rmax, rdf->nbin, error);
  if (status != STATUS_OK)
    return status;
  for (int a = 0; a < rdf->ladders; a++)
    memcpy(rdf_row(own, a), rdf_row(rdf, a * rdf->temperatures + k), rdf_row_size(rdf));
  status = rdf_result(own, result, error);
  rdf_free(own);
  return status;
}

/* At any temperatures, from the samples of all. */
static Status write_reweighted(const Rdf *rdf, const char *dir, ResultSet *set, Error *error)
{
  const EnergyColumnsRequest request = {.columns = &rdf->columns,
                                        .n = 1,
                                        .wanted = rdf->nbin,
                                        .kT = rdf->kT,
                                        .at = rdf->at,
                                        .points = rdf->points,
                                        .inefficiency = rdf->known};
  const size_t n = (size_t)rdf->nbin;
  double *r = malloc(2 * n * sizeof *r), *scale = r != NULL ? r + n : NULL;
  if (r == NULL)
    return error_memory(error, "radial distributions");
  for (size_t b = 0; b < n; b++) {
    r[b] = ((double)b + 0.5) * rdf->rmax / rdf->nbin;
    scale[b] = rdf_result_g(rdf, (int)b);
  }
  const EnergyColumnsTable table = {.name = "rdf_reweighted",
                                    .symbol = "g",
                                    .comment = "radial distribution of the first site of each molecule "
                                               "(oxygen-oxygen), g as in rdf.csv; r in A (middle of the bin)",
                                    .column = {"r"},
                                    .x = {r},
                                    .scale = scale};
  const Status status = energy_columns_write(&request, &table, dir, set, error);
  free(r);
  return status;
}

/* All temperatures side by side; errors are from the ladders. */
static Status write_ladder(const Rdf *rdf, const char *dir, RdfResult *const *at, ResultSet *set,
                           Error *error)
{
  ResultTable *t = results_add_table(set, "rdf_ladder", (size_t)rdf->nbin);
  results_add_column(t, "r", at[0]->r, NULL);
  for (int k = 0; k < rdf->temperatures; k++) {
    char name[16];
    snprintf(name, sizeof name, "g%d", k);
    results_add_column(t, name, at[k]->g, at[k]->g_err);
  }
  results_say(t,
              "radial distribution of the first site of each molecule (oxygen-oxygen), g as in rdf.csv, at "
              "each temperature of the ladder: g0 at the lowest, in the order of ladder.csv\n"
              "r in A (middle of the bin); errors: one standard error, from %d ladders\nrmax: %.17g",
              rdf->ladders, rdf->rmax);
  return results_csv_write(t, dir, error);
}

static Status write_by_temperature(const Rdf *rdf, const char *dir, ResultSet *report, Error *error)
{
  Status status = rdf_write_replicas(rdf, dir, error);
  if (rdf->ladders < 2) {
    results_remark(report, "rdf: by temperature it wants two ladders (exchange.ladders), for errors");
    return status;
  }
  RdfResult **at = calloc((size_t)rdf->temperatures, sizeof *at);
  if (status == STATUS_OK && at == NULL)
    status = error_memory(error, "radial distributions");
  for (int k = 0; k < rdf->temperatures && status == STATUS_OK; k++)
    status = result_at(rdf, k, &at[k], error);
  if (status == STATUS_OK)
    status = write_ladder(rdf, dir, at, report, error);
  for (int k = 0; at != NULL && k < rdf->temperatures; k++)
    rdf_result_free(at[k]);
  free(at);
  return status;
}

static Status self_write(void *self, const char *dir, ResultSet *report, Error *error)
{
  const Rdf *rdf = self;
  Status status = STATUS_OK;
  if (rdf->temperatures > 1) {
    status = write_by_temperature(rdf, dir, report, error);
    return status == STATUS_OK && rdf->points > 0 ? write_reweighted(rdf, dir, report, error) : status;
  }
  status = rdf_write_csv(rdf, dir, report, error);
  if (status == STATUS_OK && rdf->ngang > 0)
    status = rdf_write_replicas(rdf, dir, error);
  if (status != STATUS_OK)
    return status;
  Error why;
  status = rdf_draw(rdf, dir, rdf->title, NULL, &why);
  if (status == STATUS_RUN)
    results_remark(report, "rdf: no picture: %s", why.text);
  return picture_outcome(status, &why, error);
}

static void self_chunks(void *self, ChunkList *list)
{
  Rdf *r = self;
  const int n = r->ngang > 0 ? r->ngang : 1;
  chunk_add_each(list, r->row, (size_t)(r->nrow / n) * rdf_row_size(r), n);
  if (r->nreplica == 1)
    chunk_add_each(list, &r->series, sizeof r->series, 1);
  if (r->columns != NULL)
    energy_columns_chunks(r->columns, n, list);
}

static void self_free(void *self) { rdf_free(self); }

const ObservableOps observable_rdf = {
    .name = "rdf",
    .doc = "distances of the first sites of molecules (oxygen-oxygen) in open clusters",
    .curve = true,
    .create = self_create,
    .add = self_add,
    .add_lanes = self_add_lanes,
    .correlation = rdf_result_correlation,
    .learn = self_learn,
    .write = self_write,
    .chunks = self_chunks,
    .free = self_free,
};
