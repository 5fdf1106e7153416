/* Makes a kind from records: sites, constraints, potentials. */
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "formula/implicit.h"
#include "simulation/mechanics/mechanics_private.h"

enum { SITES_MOST = 1000000 };

/* Constraints or potentials. */
typedef struct TermList {
  Constraint *item;
  int n, room;
} TermList;

typedef struct Build {
  Mechanics *m;
  const Config *config;
  int dim, nsite;
  double *mass;
  const char **name;
  TermList con, pot;
} Build;

/* The sites of a constraint or potential, and its index in a chain. */
typedef struct Pair {
  int n, site[CONSTRAINT_SITES];
  double place[2]; /* i from 1, and n */
} Pair;

static const char *const place_names[] = {"i", "n"};
static const Names places = {2, place_names};

/* --- sites -------------------------------------------------------------------------------------------- */

Status mechanics_build_count(const Mechanics *m, int i, int *count, Error *error)
{
  const ConfigSite *site = m->s->config->system.sites.item;
  return mechanics_value_whole(m, input_record(KEY(system_sites), i, "count"), site[i].count, SITES_MOST,
                               count, error);
}

static Status add_sites(Build *b, int record, int count, Error *error)
{
  const ConfigSite *site = (const ConfigSite *)b->config->system.sites.item + record;
  const InputKey key = input_record(KEY(system_sites), record, "mass");
  for (int i = 0; i < count; i++) {
    const double at[2] = {i + 1, count};
    double mass;
    TRY(mechanics_value_at(b->m, key, site->mass, places, at, &mass, error));
    if (!(mass > 0.0))
      return input_error(b->config->input, key, error, "a mass must be positive, not %.15g", mass);
    b->mass[b->nsite] = mass;
    b->name[b->nsite++] = site->name;
  }
  return STATUS_OK;
}

static Status build_sites(Build *b, Error *error)
{
  const int nrecord = b->config->system.sites.n;
  int total = 0;
  for (int i = 0; i < nrecord; i++) {
    int count;
    TRY(mechanics_build_count(b->m, i, &count, error));
    total += count;
    if (total > SITES_MOST)
      return input_error(b->config->input, KEY(system_sites), error, "there are more than %d sites",
                         SITES_MOST);
  }
  b->mass = malloc(((size_t)total + 1) * sizeof *b->mass);
  b->name = malloc(((size_t)total + 1) * sizeof *b->name);
  if (b->mass == NULL || b->name == NULL)
    return error_memory(error, "sites");
  for (int i = 0; i < nrecord; i++) {
    int count;
    TRY(mechanics_build_count(b->m, i, &count, error));
    TRY(add_sites(b, i, count, error));
  }
  return STATUS_OK;
}

/* --- sites of a term ------- */

typedef struct Term {
  Build *b;
  InputKey list;
  TermList *to;
  int index;
  const ConfigTerm *config;
  const struct TermRow *row;
} Term;

/* A parameter: its key, and its places in ConfigTerm and param. */
typedef enum TermValue { TERM_NONE, TERM_NUMBER, TERM_POSITIVE, TERM_VECTOR, TERM_FORMULA } TermValue;
typedef struct TermField {
  TermValue what;
  const char *key;
  size_t at;
  int param;
  bool single; /* only for one site */
} TermField;

/* A type of constraint or potential. */
typedef struct TermRow {
  const ConstraintType *type;
  int least, most; /* number of sites */
  TermField field[3];
  double one;                                             /* default of param[1] */
  bool weight;                                            /* its vector is an acceleration */
  Status (*build)(const struct Term *term, Error *error); /* NULL: uses the fields */
} TermRow;

typedef Status Visit(const Term *term, const Pair *pair, Error *error);

static InputKey term_key(const Term *t, const char *key) { return input_record(t->list, t->index, key); }

static Status refuse(const Term *t, const char *key, Error *error, const char *what)
{
  return input_error(t->b->config->input, term_key(t, key), error, "%s", what);
}

static Status read_site(const Term *t, const char *key, const char *text, int *site, Error *error)
{
  const Status status = mechanics_value_whole(t->b->m, term_key(t, key), text, t->b->nsite, site, error);
  *site -= status == STATUS_OK;
  return status;
}

static Status visit_singles(const Term *t, const char *key, int n, const char *const *text, Visit *visit,
                            Error *error)
{
  if (t->row->least > 1)
    return refuse(t, key, error, "needs two sites");
  const bool all = text == NULL || (n == 1 && strcmp(text[0], "all") == 0);
  const int count = all ? t->b->nsite : n;
  for (int i = 0; i < count; i++) {
    Pair pair = {1, {i, 0}, {i + 1, count}};
    if (!all)
      TRY(read_site(t, key, text[i], &pair.site[0], error));
    TRY(visit(t, &pair, error));
  }
  return STATUS_OK;
}

static Status visit_pair(const Term *t, const char *const *text, Visit *visit, Error *error)
{
  Pair pair = {2, {0, 0}, {1, 1}};
  for (int k = 0; k < 2; k++) {
    TRY(read_site(t, "sites", text[k], &pair.site[k], error));
  }
  if (pair.site[0] == pair.site[1])
    return refuse(t, "sites", error, "names the same site twice");
  return visit(t, &pair, error);
}

static Status visit_sites(const Term *t, Visit *visit, Error *error)
{
  const InputStrings *sites = &t->config->sites;
  const bool all = sites->n == 1 && strcmp(sites->value[0], "all") == 0;
  if (t->row->most == 2 && sites->n == 2)
    return visit_pair(t, sites->value, visit, error);
  if (sites->n == 0 || (t->row->most == 2 && !all))
    return refuse(t, "sites", error,
                  t->row->least == 2 ? "wanted: two sites [a, b]" : "wanted: two sites [a, b], or all");
  return visit_singles(t, "sites", sites->n, sites->value, visit, error);
}

static Status visit_chain(const Term *t, const char *key, const InputStrings *ends, bool ring, Visit *visit,
                          Error *error)
{
  int end[2];
  if (ends->n != 2)
    return refuse(t, key, error, "wanted: the first and the last site [a, b]");
  for (int k = 0; k < 2; k++) {
    TRY(read_site(t, key, ends->value[k], &end[k], error));
  }
  if (end[1] <= end[0] + ring)
    return refuse(t, key, error,
                  ring ? "a ring needs three sites" : "the last site must come after the first");
  const int n = end[1] - end[0] + ring;
  for (int i = 0; i < n; i++) {
    const int last = end[0] + i == end[1];
    const Pair pair = {2, {end[0] + i, last ? end[0] : end[0] + i + 1}, {i + 1, n}};
    TRY(visit(t, &pair, error));
  }
  return STATUS_OK;
}

static Status visit_all(const Term *t, Visit *visit, Error *error)
{
  const ConfigTerm *c = t->config;
  if (c->site != NULL)
    return visit_singles(t, "site", 1, &c->site, visit, error);
  if (c->sites.value != NULL)
    return visit_sites(t, visit, error);
  if (c->chain.value != NULL)
    return visit_chain(t, "chain", &c->chain, false, visit, error);
  if (c->ring.value != NULL)
    return visit_chain(t, "ring", &c->ring, true, visit, error);
  return visit_singles(t, "sites", 0, NULL, visit, error);
}

/* --- numbers of a term ------- */

static Status number(const Term *t, const char *key, const char *text, const Pair *pair, double *value,
                     Error *error)
{
  return mechanics_value_at(t->b->m, term_key(t, key), text, places, pair->place, value, error);
}

static Status positive(const Term *t, const char *key, const char *text, const Pair *pair, double *value,
                       Error *error)
{
  TRY(number(t, key, text, pair, value, error));
  if (!(*value > 0.0))
    return input_error(t->b->config->input, term_key(t, key), error, "must be positive, not %.15g", *value);
  return STATUS_OK;
}

/* Reads dim numbers; missing: zeros. */
static Status vector(const Term *t, const char *key, const InputStrings *text, const Pair *pair,
                     double value[3], Error *error)
{
  value[0] = value[1] = value[2] = 0.0;
  if (text->value == NULL)
    return STATUS_OK;
  if (text->n != t->b->dim)
    return input_error(t->b->config->input, term_key(t, key), error,
                       "has %d components; wanted: %d (system.dimensions)", text->n, t->b->dim);
  for (int d = 0; d < text->n; d++) {
    TRY(number(t, key, text->value[d], pair, &value[d], error));
  }
  return STATUS_OK;
}

static Status append(TermList *list, const Constraint *item, Error *error)
{
  if (list->n == list->room) {
    const int more = list->room > 0 ? 2 * list->room : 32;
    Constraint *grown = realloc(list->item, (size_t)more * sizeof *grown);
    if (grown == NULL)
      return error_memory(error, "constraints and potentials");
    list->item = grown;
    list->room = more;
  }
  list->item[list->n++] = *item;
  return STATUS_OK;
}

/* --- formulas ------- */

static Status parse_formula(const Term *t, const Pair *pair, const char **constant, double *value,
                            Expression **formula, Error *error)
{
  const Mechanics *m = t->b->m;
  for (int k = 0; k < m->nconst; k++) {
    constant[k] = m->constant[k];
    value[k] = m->value[k];
  }
  constant[m->nconst] = "i";
  constant[m->nconst + 1] = "n";
  value[m->nconst] = pair->place[0];
  value[m->nconst + 1] = pair->place[1];
  Error why;
  const Status status =
      implicit_formula(formula, t->config->formula, t->b->dim, pair->n, m->nconst + 2, constant, value, &why);
  return input_pass(t->b->config->input, term_key(t, "formula"), status, &why, error);
}

/* Makes the formula of a term at its index in a chain; the Mechanics owns it. */
static Status make_formula(const Term *t, const Pair *pair, const void **data, Error *error)
{
  Mechanics *m = t->b->m;
  SCOPED(scoped_free) const char **constant = malloc((size_t)(m->nconst + 2) * sizeof *constant);
  SCOPED(scoped_free) double *value = malloc((size_t)(m->nconst + 2) * sizeof *value);
  Expression **grown = realloc(m->formula, (size_t)(m->nformula + 1) * sizeof *grown);
  if (grown != NULL)
    m->formula = grown;
  TRY_MEMORY(constant != NULL && value != NULL && grown != NULL, "a formula", error);
  TRY(parse_formula(t, pair, constant, value, &m->formula[m->nformula], error));
  *data = m->formula[m->nformula++];
  return STATUS_OK;
}

/* --- types ------- */

static Status read_field(const Term *t, const TermField *f, const Pair *pair, Constraint *c, Error *error)
{
  const void *const at = (const char *)t->config + f->at;
  if (f->what == TERM_FORMULA)
    return make_formula(t, pair, &c->data, error);
  if (f->what == TERM_VECTOR)
    return vector(t, f->key, at, pair, &c->param[f->param], error);
  const char *const text = *(const char *const *)at;
  if (text == NULL)
    return STATUS_OK;
  return (f->what == TERM_POSITIVE ? positive : number)(t, f->key, text, pair, &c->param[f->param], error);
}

static Status visit_term(const Term *t, const Pair *pair, Error *error)
{
  const TermRow *row = t->row;
  Constraint c = {.type = row->type, .nsite = pair->n, .site = {pair->site[0], pair->site[1]}};
  c.param[1] = row->one;
  for (int i = 0; i < 3 && row->field[i].what != TERM_NONE; i++)
    if (pair->n == 1 || !row->field[i].single)
      TRY(read_field(t, &row->field[i], pair, &c, error));
  for (int d = 0; d < 3 && row->weight; d++)
    c.param[1 + d] *= t->b->mass[pair->site[0]];
  return append(t->to, &c, error);
}

/* Columns of an orthonormal matrix. Penalising all entries of Q'Q - I, off-diagonal ones twice, equals
 * penalising these with a factor sqrt(2) for off-diagonal ones. */
static Status build_orthonormal(const Term *t, Error *error)
{
  const InputStrings *sites = &t->config->sites;
  const Pair first = {1, {0, 0}, {1, 1}};
  double factor = 1.0;
  int site[3];
  if (sites->n < 2 || sites->n > 3 || sites->n > t->b->dim)
    return refuse(t, "sites", error, "wanted: two or three sites, at most as many as dimensions");
  if (t->config->factor != NULL)
    TRY(positive(t, "factor", t->config->factor, &first, &factor, error));
  for (int k = 0; k < sites->n; k++)
    TRY(read_site(t, "sites", sites->value[k], &site[k], error));
  for (int i = 0; i < sites->n; i++)
    for (int j = i; j < sites->n; j++) {
      const double root = i == j ? 1.0 : 1.4142135623730951;
      if (i != j && site[i] == site[j])
        return refuse(t, "sites", error, "names the same site twice");
      const Constraint c = {.type = &constraint_dot,
                            .nsite = i == j ? 1 : 2,
                            .site = {site[i], site[j]},
                            .param = {i == j ? 1.0 : 0.0, factor * root}};
      TRY(append(t->to, &c, error));
    }
  return STATUS_OK;
}

#define FIELD(kind, name, field, ...)                                                                        \
  {                                                                                                          \
    .what = TERM_##kind, .key = name, .at = offsetof(ConfigTerm, field), __VA_ARGS__                         \
  }
#define FORMULA FIELD(FORMULA, "formula", formula, .param = 0)
#define SPRING                                                                                               \
  {                                                                                                          \
    FIELD(NUMBER, "stiffness", stiffness, .param = 0),                                                       \
        FIELD(VECTOR, "point", point, .param = 1, .single = true),                                           \
        FIELD(NUMBER, "length", length, .param = 4)                                                          \
  }
#define ROW(of, fewest, greatest, ...)                                                                       \
  {                                                                                                          \
    .type = of, .least = fewest, .most = greatest, .field = __VA_ARGS__                                      \
  }

static const TermRow constraints[] = {
    [CONSTRAIN_DISTANCE] = ROW(&constraint_distance, 2, 2, {FIELD(POSITIVE, "distance", length, .param = 0)}),
    [CONSTRAIN_ANCHOR] =
        ROW(&constraint_anchor, 1, 1,
            {FIELD(POSITIVE, "distance", length, .param = 0), FIELD(VECTOR, "point", point, .param = 1)}),
    [CONSTRAIN_IMPLICIT] = ROW(&constraint_implicit, 1, 2, {FORMULA}),
    [CONSTRAIN_DOT] =
        ROW(&constraint_dot, 1, 2,
            {FIELD(NUMBER, "value", value, .param = 0), FIELD(POSITIVE, "factor", factor, .param = 1)},
            .one = 1.0),
    [CONSTRAIN_ORTHONORMAL] = {.build = build_orthonormal}};

static const TermRow potentials[] = {
    [POTENTIAL_GRAVITY] =
        ROW(&potential_field, 1, 1, {FIELD(VECTOR, "acceleration", vector, .param = 1)}, .weight = true),
    [POTENTIAL_FIELD] = ROW(&potential_field, 1, 1, {FIELD(VECTOR, "force", vector, .param = 1)}),
    [POTENTIAL_LINK] = ROW(&potential_link, 1, 2, SPRING),
    [POTENTIAL_SPRING] = ROW(&potential_spring, 1, 2, SPRING),
    [POTENTIAL_QUARTIC] = ROW(&potential_quartic, 1, 2, SPRING),
    [POTENTIAL_FORMULA] = ROW(&potential_formula, 1, 2, {FORMULA})};

/* --- build ------- */

/* first[record]: number of earlier terms; NULL: not needed. */
static Status build_terms(Build *b, InputKey list, const InputRecords *records, const TermRow *rows,
                          TermList *to, int *first, Error *error)
{
  const ConfigTerm *term = records->item;
  for (int i = 0; i < records->n; i++) {
    const TermRow *row = &rows[term[i].type];
    const Term t = {.b = b, .list = list, .to = to, .index = i, .config = &term[i], .row = row};
    if (first != NULL)
      first[i] = to->n;
    TRY(row->build != NULL ? row->build(&t, error) : visit_all(&t, visit_term, error));
  }
  return STATUS_OK;
}

static Status take_kind(Mechanics *m, const Kind *from, Error *error)
{
  Kind *kind;
  TRY(kind_copy(&kind, from, error));
  m->s->kind[0] = kind;
  m->s->nkind = m->s->lanes[0] = 1;
  return STATUS_OK;
}

static Status finish(const Build *b, Error *error)
{
  double *zero = calloc((size_t)b->nsite * (size_t)b->dim + 1, sizeof *zero);
  if (zero == NULL)
    return error_memory(error, "a system");
  const Kind kind = {.name = "system",
                     .nsite = b->nsite,
                     .dim = b->dim,
                     .ncon = b->con.n,
                     .mass = b->mass,
                     .site = b->name,
                     .con = b->con.item,
                     .reference = zero,
                     .npot = b->pot.n,
                     .pot = b->pot.item};
  const Status status = take_kind(b->m, &kind, error);
  free(zero);
  return status;
}

static Status build_all(Build *b, Error *error)
{
  Mechanics *m = b->m;
  m->first = calloc((size_t)b->config->system.constraints.n + 1, sizeof *m->first);
  if (m->first == NULL)
    return error_memory(error, "a system");
  TRY(simulation_room_for_kinds(m->s, 1, error));
  TRY(mechanics_value_constants(m, false, error));
  TRY(build_sites(b, error));
  TRY(build_terms(b, KEY(system_constraints), &b->config->system.constraints, constraints, &b->con, m->first,
                  error));
  TRY(build_terms(b, KEY(system_potentials), &b->config->system.potentials, potentials, &b->pot, NULL,
                  error));
  return finish(b, error);
}

static void build_free(Build *b)
{
  free(b->mass);
  free(b->name);
  free(b->con.item);
  free(b->pot.item);
}

Status mechanics_build_sites(Mechanics *m, Error *error)
{
  SCOPED(build_free) Build b = {.m = m, .config = m->s->config, .dim = m->s->config->system.dimensions};
  return build_all(&b, error);
}

Status mechanics_build_line(Mechanics *m, const Kind *with, double each, Error *error)
{
  const int n = with->nsite;
  TRY(simulation_room_for_kinds(m->s, 1, error));
  SCOPED(scoped_free) double *mass = malloc((size_t)n * sizeof *mass);
  SCOPED(scoped_free) double *zero = calloc((size_t)n, sizeof *zero);
  SCOPED(scoped_free) const char **name = malloc((size_t)n * sizeof *name);
  TRY_MEMORY(mass != NULL && zero != NULL && name != NULL, "a system", error);
  for (int i = 0; i < n; i++) {
    mass[i] = each;
    name[i] = "q";
  }
  Kind kind = *with;
  kind.name = "system";
  kind.dim = 1;
  kind.mass = mass;
  kind.site = name;
  kind.reference = zero;
  return take_kind(m, &kind, error);
}

Status mechanics_build_hamiltonian(Mechanics *m, Error *error)
{
  const Config *c = m->s->config;
  const ConfigTerm *term = c->system.constraints.item;
  const int n = c->system.position.n, ncon = c->system.constraints.n;
  TRY(mechanics_value_constants(m, true, error));
  if (n < 1)
    return input_error(c->input, KEY(system_position), error, "is an empty list");
  SCOPED(scoped_free) const char **con = malloc((size_t)(ncon + 1) * sizeof *con);
  TRY_MEMORY(con != NULL, "a Hamiltonian", error);
  for (int i = 0; i < ncon; i++)
    con[i] = term[i].formula;
  Error why;
  const Status status = hamiltonian_create(&m->ham, n, c->system.hamiltonian, ncon, con, m->nconst,
                                           m->constant, m->value, &why);
  /* The n pairs (q_i, p_i). */
  return status == STATUS_OK ? mechanics_build_line(m, &(Kind){.nsite = n, .ham = m->ham}, 1.0, error)
                             : input_pass(c->input, KEY(system_hamiltonian), status, &why, error);
}

InputKey mechanics_build_origin(const Mechanics *m, int c)
{
  int record = m->first != NULL ? m->s->config->system.constraints.n - 1 : c;
  while (m->first != NULL && record > 0 && m->first[record] > c)
    record--;
  return input_record(KEY(system_constraints), record, NULL);
}
