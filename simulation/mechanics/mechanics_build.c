/* From records to a kind: sites, constraints, potentials. */
#include <stdlib.h>
#include <string.h>

#include "engine/implicit.h"
#include "simulation/mechanics/mechanics_private.h"

enum { SITES_MOST = 1000000 };

typedef struct Build {
  Mechanics *m;
  const Config *config;
  int dim, nsite;
  double *mass;
  const char **name;
  /* Constraints, then potentials: what the list at hand grows. */
  Constraint *con, *pot;
  int ncon, npot, room_con, room_pot;
} Build;

/* The sites of one constraint or potential, and its place in a chain. */
typedef struct Pair {
  int n, site[CONSTRAINT_SITES];
  double place[2]; /* i from 1, n */
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
    const Status status = mechanics_build_count(b->m, i, &count, error);
    if (status != STATUS_OK)
      return status;
    total += count;
    if (total > SITES_MOST)
      return input_error(b->config->input, KEY(system_sites), error, "more than %d sites", SITES_MOST);
  }
  b->mass = malloc(((size_t)total + 1) * sizeof *b->mass);
  b->name = malloc(((size_t)total + 1) * sizeof *b->name);
  if (b->mass == NULL || b->name == NULL)
    return error_memory(error, "sites");
  for (int i = 0; i < nrecord; i++) {
    int count;
    Status status = mechanics_build_count(b->m, i, &count, error);
    if (status == STATUS_OK)
      status = add_sites(b, i, count, error);
    if (status != STATUS_OK)
      return status;
  }
  return STATUS_OK;
}

/* --- which sites a term is about ------------------------------------------------------------------------ */

typedef struct Term {
  Build *b;
  InputKey list;
  int index;
  const ConfigTerm *config;
  int most; /* sites that its type can touch; least: how few                    */
  int least;
} Term;

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
  if (t->least > 1)
    return refuse(t, key, error, "needs two sites");
  const bool all = text == NULL || (n == 1 && strcmp(text[0], "all") == 0);
  const int count = all ? t->b->nsite : n;
  for (int i = 0; i < count; i++) {
    Pair pair = {1, {i, 0}, {i + 1, count}};
    Status status = all ? STATUS_OK : read_site(t, key, text[i], &pair.site[0], error);
    if (status == STATUS_OK)
      status = visit(t, &pair, error);
    if (status != STATUS_OK)
      return status;
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
  if (t->most == 2 && sites->n == 2)
    return visit_pair(t, sites->value, visit, error);
  if (sites->n == 0 || (t->most == 2 && !all))
    return refuse(t, "sites", error,
                  t->least == 2 ? "wanted: two sites, [a, b]" : "wanted: two sites, [a, b], or all");
  return visit_singles(t, "sites", sites->n, sites->value, visit, error);
}

static Status visit_chain(const Term *t, const char *key, const InputStrings *ends, bool ring, Visit *visit,
                          Error *error)
{
  int end[2];
  if (ends->n != 2)
    return refuse(t, key, error, "wanted: the first and the last site, [a, b]");
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

/* --- numbers of a term ------------------------------------------------------------------------------------
 */

static Status number(const Term *t, const char *key, const char *text, const Pair *pair, double *value,
                     Error *error)
{
  return mechanics_value_at(t->b->m, term_key(t, key), text, places, pair->place, value, error);
}

static Status positive(const Term *t, const char *key, const char *text, const Pair *pair, double *value,
                       Error *error)
{
  const Status status = number(t, key, text, pair, value, error);
  if (status == STATUS_OK && !(*value > 0.0))
    return input_error(t->b->config->input, term_key(t, key), error, "must be positive, not %.15g", *value);
  return status;
}

/* dim numbers; absent: zeros. */
static Status vector(const Term *t, const char *key, const InputStrings *text, const Pair *pair,
                     double value[3], Error *error)
{
  value[0] = value[1] = value[2] = 0.0;
  if (text->value == NULL)
    return STATUS_OK;
  if (text->n != t->b->dim)
    return input_error(t->b->config->input, term_key(t, key), error,
                       "has %d components; wanted: %d, as system.dimensions says", text->n, t->b->dim);
  for (int d = 0; d < text->n; d++) {
    TRY(number(t, key, text->value[d], pair, &value[d], error));
  }
  return STATUS_OK;
}

static Status append(Constraint **list, int *n, int *room, const Constraint *item, Error *error)
{
  if (*n == *room) {
    const int more = *room > 0 ? 2 * *room : 32;
    Constraint *grown = realloc(*list, (size_t)more * sizeof *grown);
    if (grown == NULL)
      return error_memory(error, "constraints and potentials");
    *list = grown;
    *room = more;
  }
  (*list)[(*n)++] = *item;
  return STATUS_OK;
}

static Status add_constraint(Build *b, const Constraint *c, Error *error)
{
  return append(&b->con, &b->ncon, &b->room_con, c, error);
}

static Status add_potential(Build *b, const Constraint *c, Error *error)
{
  return append(&b->pot, &b->npot, &b->room_pot, c, error);
}

/* --- formulas ---------------------------------------------------------------------------------------------
 */

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

/* The formula of a term at its place in a chain; the mechanics owns it. */
static Status make_formula(const Term *t, const Pair *pair, const void **data, Error *error)
{
  Mechanics *m = t->b->m;
  const char **constant = malloc((size_t)(m->nconst + 2) * sizeof *constant);
  double *value = malloc((size_t)(m->nconst + 2) * sizeof *value);
  Expression **grown = realloc(m->formula, (size_t)(m->nformula + 1) * sizeof *grown);
  if (grown != NULL)
    m->formula = grown;
  Status status =
      constant == NULL || value == NULL || grown == NULL ? error_memory(error, "a formula") : STATUS_OK;
  if (status == STATUS_OK)
    status = parse_formula(t, pair, constant, value, &m->formula[m->nformula], error);
  if (status == STATUS_OK)
    *data = m->formula[m->nformula++];
  free(constant);
  free(value);
  return status;
}

/* --- constraints ------------------------------------------------------------------------------------------
 */

static Constraint touch(const ConstraintType *type, const Pair *pair)
{
  return (Constraint){.type = type, .nsite = pair->n, .site = {pair->site[0], pair->site[1]}};
}

static Status visit_distance(const Term *t, const Pair *pair, Error *error)
{
  Constraint c = touch(&constraint_distance, pair);
  TRY(positive(t, "distance", t->config->length, pair, &c.param[0], error));
  return add_constraint(t->b, &c, error);
}

static Status visit_anchor(const Term *t, const Pair *pair, Error *error)
{
  Constraint c = touch(&constraint_anchor, pair);
  TRY(positive(t, "distance", t->config->length, pair, &c.param[0], error));
  TRY(vector(t, "point", &t->config->point, pair, &c.param[1], error));
  return add_constraint(t->b, &c, error);
}

static Status visit_implicit(const Term *t, const Pair *pair, Error *error)
{
  Constraint c = touch(&constraint_implicit, pair);
  TRY(make_formula(t, pair, &c.data, error));
  return add_constraint(t->b, &c, error);
}

static Status visit_dot(const Term *t, const Pair *pair, Error *error)
{
  Constraint c = touch(&constraint_dot, pair);
  c.param[1] = 1.0;
  Status status = STATUS_OK;
  if (t->config->value != NULL)
    status = number(t, "value", t->config->value, pair, &c.param[0], error);
  if (status == STATUS_OK && t->config->factor != NULL)
    status = positive(t, "factor", t->config->factor, pair, &c.param[1], error);
  return status == STATUS_OK ? add_constraint(t->b, &c, error) : status;
}

/* Columns of an orthonormal matrix: penalising all six entries of Q'Q - I, off-diagonal ones twice, is
 * penalising these with sqrt(2) on the latter. */
static Status build_orthonormal(const Term *t, Error *error)
{
  const InputStrings *sites = &t->config->sites;
  const Pair first = {1, {0, 0}, {1, 1}};
  double factor = 1.0;
  int site[3];
  if (sites->n < 2 || sites->n > 3 || sites->n > t->b->dim)
    return refuse(t, "sites", error, "wanted: two or three sites, no more than there are dimensions");
  Status status = STATUS_OK;
  if (t->config->factor != NULL)
    status = positive(t, "factor", t->config->factor, &first, &factor, error);
  for (int k = 0; k < sites->n && status == STATUS_OK; k++)
    status = read_site(t, "sites", sites->value[k], &site[k], error);
  for (int i = 0; i < sites->n && status == STATUS_OK; i++)
    for (int j = i; j < sites->n && status == STATUS_OK; j++) {
      const double root = i == j ? 1.0 : 1.4142135623730951;
      if (i != j && site[i] == site[j])
        return refuse(t, "sites", error, "names the same site twice");
      const Constraint c = {.type = &constraint_dot,
                            .nsite = i == j ? 1 : 2,
                            .site = {site[i], site[j]},
                            .param = {i == j ? 1.0 : 0.0, factor * root}};
      status = add_constraint(t->b, &c, error);
    }
  return status;
}

static Status build_constraint(Term *t, Error *error)
{
  switch ((ConfigConstraintType)t->config->type) {
  case CONSTRAIN_DISTANCE:
    t->least = t->most = 2;
    return visit_all(t, visit_distance, error);
  case CONSTRAIN_ANCHOR:
    return visit_all(t, visit_anchor, error);
  case CONSTRAIN_IMPLICIT:
    t->most = 2;
    return visit_all(t, visit_implicit, error);
  case CONSTRAIN_DOT:
    t->most = 2;
    return visit_all(t, visit_dot, error);
  case CONSTRAIN_ORTHONORMAL:
    break;
  }
  return build_orthonormal(t, error);
}

/* --- potentials -------------------------------------------------------------------------------------------
 */

static Status visit_force(const Term *t, const Pair *pair, Error *error)
{
  const bool weight = t->config->type == POTENTIAL_GRAVITY;
  Potential c = touch(&potential_field, pair);
  const Status status =
      vector(t, weight ? "acceleration" : "force", &t->config->vector, pair, &c.param[1], error);
  if (status != STATUS_OK)
    return status;
  for (int d = 0; d < 3 && weight; d++)
    c.param[1 + d] *= t->b->mass[pair->site[0]];
  return add_potential(t->b, &c, error);
}

static Status visit_spring(const Term *t, const Pair *pair, Error *error)
{
  const ConstraintType *type = t->config->type == POTENTIAL_LINK     ? &potential_link
                               : t->config->type == POTENTIAL_SPRING ? &potential_spring
                                                                     : &potential_quartic;
  Potential c = touch(type, pair);
  TRY(number(t, "stiffness", t->config->stiffness, pair, &c.param[0], error));
  if (pair->n == 1)
    TRY(vector(t, "point", &t->config->point, pair, &c.param[1], error));
  if (t->config->length != NULL)
    TRY(number(t, "length", t->config->length, pair, &c.param[4], error));
  return add_potential(t->b, &c, error);
}

static Status visit_energy(const Term *t, const Pair *pair, Error *error)
{
  Potential c = touch(&potential_formula, pair);
  TRY(make_formula(t, pair, &c.data, error));
  return add_potential(t->b, &c, error);
}

static Status build_potential(Term *t, Error *error)
{
  switch ((ConfigPotentialType)t->config->type) {
  case POTENTIAL_GRAVITY:
  case POTENTIAL_FIELD:
    return visit_all(t, visit_force, error);
  case POTENTIAL_LINK:
  case POTENTIAL_SPRING:
  case POTENTIAL_QUARTIC:
    t->most = 2;
    return visit_all(t, visit_spring, error);
  case POTENTIAL_FORMULA:
    break;
  }
  t->most = 2;
  return visit_all(t, visit_energy, error);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static Status build_terms(Build *b, InputKey list, const InputRecords *records,
                          Status (*build)(Term *term, Error *error), Error *error)
{
  const ConfigTerm *term = records->item;
  for (int i = 0; i < records->n; i++) {
    Term t = {.b = b, .list = list, .index = i, .config = &term[i], .most = 1, .least = 1};
    if (build == build_constraint)
      b->m->first[i] = b->ncon;
    TRY(build(&t, error));
  }
  return STATUS_OK;
}

static Status take_kind(Mechanics *m, const Kind *from, Error *error)
{
  Kind *kind;
  const Status status = kind_copy(&kind, from, error);
  if (status == STATUS_OK)
    m->s->kind[0] = kind;
  m->s->nkind = m->s->lanes[0] = status == STATUS_OK;
  return status;
}

static Status finish(const Build *b, Error *error)
{
  double *zero = calloc((size_t)b->nsite * (size_t)b->dim + 1, sizeof *zero);
  if (zero == NULL)
    return error_memory(error, "a system");
  const Kind kind = {.name = "system",
                     .nsite = b->nsite,
                     .dim = b->dim,
                     .ncon = b->ncon,
                     .mass = b->mass,
                     .site = b->name,
                     .con = b->con,
                     .reference = zero,
                     .npot = b->npot,
                     .pot = b->pot};
  const Status status = take_kind(b->m, &kind, error);
  free(zero);
  return status;
}

Status mechanics_build_sites(Mechanics *m, Error *error)
{
  Build b = {.m = m, .config = m->s->config, .dim = m->s->config->system.dimensions};
  m->first = calloc((size_t)m->s->config->system.constraints.n + 1, sizeof *m->first);
  Status status =
      m->first != NULL ? mechanics_value_constants(m, false, error) : error_memory(error, "a system");
  if (status == STATUS_OK)
    status = build_sites(&b, error);
  if (status == STATUS_OK)
    status =
        build_terms(&b, KEY(system_constraints), &m->s->config->system.constraints, build_constraint, error);
  if (status == STATUS_OK)
    status =
        build_terms(&b, KEY(system_potentials), &m->s->config->system.potentials, build_potential, error);
  if (status == STATUS_OK)
    status = finish(&b, error);
  free(b.mass);
  free(b.name);
  free(b.con);
  free(b.pot);
  return status;
}

Status mechanics_build_line(Mechanics *m, const Kind *with, double each, Error *error)
{
  const int n = with->nsite;
  double *mass = malloc((size_t)n * sizeof *mass), *zero = calloc((size_t)n, sizeof *zero);
  const char **name = malloc((size_t)n * sizeof *name);
  Status status = mass == NULL || zero == NULL || name == NULL ? error_memory(error, "a system") : STATUS_OK;
  for (int i = 0; i < n && status == STATUS_OK; i++) {
    mass[i] = each;
    name[i] = "q";
  }
  if (status == STATUS_OK) {
    Kind kind = *with;
    kind.name = "system";
    kind.dim = 1;
    kind.mass = mass;
    kind.site = name;
    kind.reference = zero;
    status = take_kind(m, &kind, error);
  }
  free(mass);
  free(zero);
  free(name);
  return status;
}

Status mechanics_build_hamiltonian(Mechanics *m, Error *error)
{
  const Config *c = m->s->config;
  const ConfigTerm *term = c->system.constraints.item;
  const int n = c->system.position.n, ncon = c->system.constraints.n;
  Status status = mechanics_value_constants(m, true, error);
  if (status != STATUS_OK)
    return status;
  if (n < 1)
    return input_error(c->input, KEY(system_position), error, "is an empty list");
  const char **con = malloc((size_t)(ncon + 1) * sizeof *con);
  if (con == NULL)
    return error_memory(error, "a Hamiltonian");
  for (int i = 0; i < ncon; i++)
    con[i] = term[i].formula;
  Error why;
  status = hamiltonian_create(&m->ham, n, c->system.hamiltonian, ncon, con, m->nconst, m->constant, m->value,
                              &why);
  free(con);
  /* Its n pairs (q_i, p_i). */
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
